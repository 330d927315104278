"""Words that are tested, and their tests: as uniform numbers, as bits, and of several streams side by side.

Both tails of a statistic are computed, as a generator fails that is too even as well as one that is not even enough;
the smaller one keeps its relative precision. Where a statistic is an integer, the value found counts in both tails.
"""

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from clrng import validation
from clrng.validation import shown

Words = npt.NDArray[np.uint64]
Reals = npt.NDArray[np.float64]
Complex = npt.NDArray[np.complexfloating[Any, Any]]

MIN_WORDS = 2**16
"""With fewer, some statistics do not have the distributions that they are compared with."""

MIN_BITS, MAX_BITS = 8, 64

CLOSE = 2.0**-16
"""An upper bound counts as a power of two if it is less than one by at most this part of that power."""

SPARE_BITS, MAX_MADE = 6, 46
"""With other upper bounds, how many bits fewer a word has than a value, and the maximum number of its bits."""

PAIR_BITS, EXPECTED_IN_A_CELL = 8, 16
"""The maximum number of bits that the test of pairs takes of a word, and the minimum expectation of pairs in a cell."""

GAP_BITS = 4
"""Gaps are between words in the lowest 2^-4 of their range."""

BIRTHDAY_LOG_MEAN, COLLISION_LOG_MEAN = 6, 8
"""The binary logarithms of the expected numbers of equal spacings and of collisions, if there are enough words."""

BIRTHDAY_BITS = 24
"""The minimum number of bits of a cell's number with which the count of equal spacings is nearly Poisson."""

SPARSE = 6
"""There are at least 2^6 times as many cells as points whose collisions are counted."""

MAX_CORRELATED = 2**20
"""The maximum number of words of which every lag is tried."""

THREE_POINT_WORDS, MAX_LAG = 512, 128
"""How many words are in the sum for a pair of lags, and the largest lag."""

LAGS = range(1, MAX_LAG + 1)

LATTICE_BITS = {2: 8, 3: 5}
"""The bits of each coordinate of a grid, for each dimension."""

MAX_MATRICES = {64: 128, 320: 4}
"""The maximum number of matrices, by the number of their rows and columns."""

MAX_DEFICIENCY = 16
"""Larger rank deficiencies have a probability below 2^-256."""

COMPLEXITY_BITS = 2048
"""The number of bits whose linear complexity is computed, which shows recurrences of up to some 1000 words."""

WALK_STEPS = 128

WEIGHTS = np.array([value.bit_count() for value in range(256)], np.uint8)
"""The number of ones in each byte."""

MAX_SHIFTED, MAX_STREAMS_SHIFTED = 2**15, 16
"""The maximum number of words of a stream, and of streams, of which every shift is tried."""

MAX_STREAMS_COMPARED = 64
"""The maximum number of streams whose bits are compared."""

KEY_BITS = 64
"""The bits of the words that are looked for in other streams."""

PRECISION = 1e-16
"""Terms of a series that are smaller than this, relative to their sum, are left out."""

TINY = 1e-300
"""What stands for a denominator of 0 in continued fractions."""


class Tails(NamedTuple):
    """The probabilities of a statistic at most and at least as large as the one found."""

    lower: float
    upper: float


class Found(NamedTuple):
    """What a test found: a statistic, its tails, and what was counted and how many are expected."""

    statistic: float
    tails: Tails
    detail: str


@dataclass(frozen=True)
class Sample:
    """Words of a stream, all below 2^bits."""

    words: Words
    bits: int

    def top(self, bits: int, count: int | None = None) -> Words:
        """Return the `bits` most significant bits of the first `count` words, by default of all."""
        return self.words[:count] >> np.uint64(self.bits - bits)

    def low(self, bits: int, count: int | None = None) -> Words:
        """Return the `bits` least significant bits of the first `count` words, by default of all."""
        return self.words[:count] & np.uint64(2**bits - 1)

    def uniform(self, count: int | None = None) -> npt.NDArray[np.float32]:
        """Return the first `count` words as numbers in [0, 1]."""
        return (self.words[:count] * 2.0**-self.bits).astype(np.float32)

    def circle(self, count: int) -> npt.NDArray[np.complex64]:
        """Return exp(2 pi i u) of the first `count` words as uniform numbers u."""
        angles = np.float32(2 * math.pi) * self.uniform(count)
        points = np.empty(len(angles), np.complex64)
        points.real, points.imag = np.cos(angles), np.sin(angles)
        return points

    def bit_sequence(self, count: int) -> npt.NDArray[np.uint8]:
        """Return the first `count` bits: those of the first word from the most significant on, then of the next."""
        words = self.words[: -(-count // self.bits)] << np.uint64(64 - self.bits)
        return np.unpackbits(words.astype(">u8").view(np.uint8).reshape(-1, 8), axis=1, count=self.bits).ravel()[:count]

    def points(self, count: int, dimension: int, bits: int, *, low: bool = False) -> Words:
        """Return `count` points, each of the next `dimension` words, as the numbers of the cells that they are in.

        Such a number has `bits` bits, at most 64: the same number of the most (or `low`, least) significant ones of
        each word, and one more of the first words where `bits` is no multiple of `dimension`.
        """
        words = self.words[: count * dimension].reshape(count, dimension)
        cells = np.zeros(count, np.uint64)
        for i in range(dimension):
            part = bits // dimension + (i < bits % dimension)
            column = Sample(words[:, i], self.bits)
            cells = (cells << np.uint64(part)) | (column.low(part) if low else column.top(part))
        return cells


def checked_words(name: str, words: Any, bits: Any, dimensions: int = 1) -> tuple[Words, int]:
    """Return `words` as uint64, and `bits`, checked as `short_battery.run` says."""
    width = validation.integer("bits", bits, MIN_BITS, MAX_BITS)
    if not isinstance(words, np.ndarray) or words.dtype.kind != "u":
        given = f"one of the dtype {words.dtype}" if isinstance(words, np.ndarray) else shown(words)
        raise TypeError(f"{name} must be a NumPy array of unsigned integers, not {given}")
    if words.ndim != dimensions:
        raise ValueError(
            f"{name} must have {dimensions} dimension{'s' * (dimensions > 1)}, not the shape {words.shape}"
        )
    if words.size and int(words.max()) >> width:
        raise ValueError(f"{name} must all be below 2^bits = 2^{width}, not {int(words.max())}")
    return words.astype(np.uint64), width


def words_of(values: npt.NDArray[Any], upper_bound: int) -> tuple[Words, int]:
    """Return raw values, unsigned integers below `upper_bound`, as words of whole bits, and how many bits these have.

    Values below a power of two, or below a bound that is less than one by at most 2^-16 of it, are words as they are.
    Others are divided by the bound, and the first bits of the quotient are a word: 6 fewer than the bound has, at most
    46. `ValueError` is raised if the words would have fewer than 8 bits.
    """
    bits = (upper_bound - 1).bit_length()
    if 2**bits - upper_bound <= CLOSE * 2**bits and bits >= MIN_BITS:
        return values.astype(np.uint64), bits
    bits = min(bits - SPARE_BITS, MAX_MADE)
    if bits < MIN_BITS:
        raise ValueError(
            f"upper_bound must be a power of two from 2^{MIN_BITS} on or more than "
            f"2^{MIN_BITS + SPARE_BITS - 1}, not {shown(upper_bound)}"
        )
    return np.minimum(values * (2.0**bits / upper_bound), 2**bits - 1).astype(np.uint64), bits


def _gamma(a: float, x: float) -> Tails:
    """Return the regularised incomplete gamma functions P(a, x) and Q(a, x), for a > 0 and x >= 0.

    By the series of P where x < a + 1, else by the continued fraction of Q, in the way of Lentz.
    """
    if x <= 0:
        return Tails(0.0, 1.0)
    factor = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while term > PRECISION * total:
            n += 1
            term *= x / n
            total += term
        lower = min(factor * total, 1.0)
        return Tails(lower, 1 - lower)
    b = x + 1 - a
    c, d = 1 / TINY, 1 / b
    fraction, change, i = d, 0.0, 0
    while abs(change - 1) > PRECISION * 10:
        i += 1
        numerator = i * (a - i)
        b += 2
        d = 1 / (numerator * d + b or TINY)
        c = b + numerator / c or TINY
        change = c * d
        fraction *= change
    upper = min(factor * fraction, 1.0)
    return Tails(1 - upper, upper)


def chi_square(x: float, freedom: int) -> Tails:
    """Return the tails of a value of the chi-square distribution with `freedom` degrees of freedom."""
    return _gamma(freedom / 2, x / 2)


def poisson(count: int, mean: float) -> Tails:
    """Return the tails of a value of the Poisson distribution."""
    return Tails(_gamma(count + 1, mean).upper, _gamma(count, mean).lower if count else 1.0)


def largest(upper: float, values: int) -> Tails:
    """Return the tails of the largest of so many independent `values`; `upper` is its upper tail as a single value."""
    if upper >= 1:
        return Tails(0.0, 1.0)
    power = values * math.log1p(-upper)
    return Tails(math.exp(power), -math.expm1(power))


def largest_of_signs(total: int, signs: int, values: int) -> Tails:
    """Return the tails of the largest absolute value of independent sums, each of `signs` random numbers 1 and -1.

    Sums are nearly normal, and 2 apart: each tail reaches half way to the next sum, as a continuity correction.
    """
    beyond, upon = (math.erfc((total + step) / math.sqrt(2 * signs)) for step in (1, -1))
    return Tails(largest(beyond, values).lower, largest(upon, values).upper)


def table(found: int, probabilities: Reals) -> Tails:
    """Return the tails of an integer statistic with the `probabilities` of 0, 1, 2, ..., all its possible values."""
    return Tails(min(float(probabilities[: found + 1].sum()), 1.0), min(float(probabilities[found:].sum()), 1.0))


def binomial(n: int) -> Reals:
    """Return the probabilities of 0 to n heads of n fair coins."""
    return np.array([math.comb(n, k) / 2**n for k in range(n + 1)])


def pearson(counts: npt.NDArray[np.int64], probabilities: Reals, min_expected: float = 10.0) -> tuple[float, int]:
    """Return Pearson's statistic and its degrees of freedom; classes join until each expects `min_expected`."""
    expected = probabilities * counts.sum()
    starts, since = [0], 0.0
    for i, value in enumerate(expected):
        if since >= min_expected:
            starts.append(i)
            since = 0.0
        since += value
    if since < min_expected and len(starts) > 1:
        starts.pop()
    seen, wanted = np.add.reduceat(counts, starts), np.add.reduceat(expected, starts)
    return float((np.square(seen - wanted) / wanted).sum()), len(starts) - 1


def _log2(count: int) -> int:
    """Return the binary logarithm of `count`, rounded down."""
    return count.bit_length() - 1


def serial_pairs(sample: Sample, *, low: bool = False) -> Found:
    """Count the pairs of words that follow one another, by a few bits of each; no word is in two pairs."""
    count = len(sample.words) // 2
    bits = min(PAIR_BITS, _log2(count // EXPECTED_IN_A_CELL) // 2)
    counts = np.bincount(sample.points(count, 2, 2 * bits, low=low).astype(np.int64), minlength=4**bits)
    statistic, freedom = pearson(counts, np.full(4**bits, 4.0**-bits), 0)
    ends = "least" if low else "most"
    return Found(statistic, chi_square(statistic, freedom), f"{count} pairs by {bits} {ends} significant bits of each")


def gaps(sample: Sample) -> Found:
    """Count the words between one word in the lowest sixteenth and the next such word."""
    lengths = np.diff(np.flatnonzero(sample.top(GAP_BITS) == 0)) - 1
    if not len(lengths):
        return Found(0.0, Tails(0.0, 1.0), "no gaps")
    chance = 2.0**-GAP_BITS
    longest = max(1, math.ceil(math.log(10 / (chance * len(sample.words))) / math.log1p(-chance)))
    counts = np.bincount(np.minimum(lengths, longest), minlength=longest + 1)
    probabilities = chance * np.power(1 - chance, np.arange(longest + 1.0))
    probabilities[-1] = (1 - chance) ** longest
    statistic, freedom = pearson(counts, probabilities)
    tails = chi_square(statistic, freedom) if freedom else Tails(0.0, 1.0)
    return Found(statistic, tails, f"{len(lengths)} gaps of up to {longest} words")


def birthday_spacings(sample: Sample, dimension: int, *, low: bool = False) -> Found:
    """Count equal spacings between sorted points, each of `dimension` words, or of as many as have 24 bits together.

    Their number is nearly Poisson with mean n³/4k for n points in k cells, if N such tests have N n³ <= k^(5/4), as
    L'Ecuyer and Simard advise.
    """
    dimension = max(dimension, -(-BIRTHDAY_BITS // sample.bits))
    available = len(sample.words) // dimension
    log_points, max_bits = _log2(available), min(64, dimension * sample.bits)
    log_cells, repeats = 3 * log_points - 2 - BIRTHDAY_LOG_MEAN, 1
    if log_cells > max_bits:
        log_cells, log_points = max_bits, (max_bits + 1) // 3
        allowed = 2.0 ** (log_cells * 5 / 4 - 3 * log_points)
        repeats = max(1, min(available >> log_points, int(allowed)))
    n = 2**log_points
    cells = np.sort(sample.points(repeats * n, dimension, log_cells, low=low).reshape(repeats, n), axis=1)
    spacings = np.sort(np.diff(cells, axis=1), axis=1)
    found = int(np.count_nonzero(spacings[:, 1:] == spacings[:, :-1]))
    mean = repeats * 2.0 ** (3 * log_points - log_cells - 2)
    detail = f"{found} equal, {mean:.4g} expected of {repeats} times 2^{log_points} points in 2^{log_cells} cells"
    return Found(found, poisson(found, mean), detail)


def collisions(sample: Sample, dimension: int) -> Found:
    """Count points in cells that are already taken; with few points a cell, their number is nearly Poisson."""
    log_points, max_bits = _log2(len(sample.words) // dimension), min(64, dimension * sample.bits)
    log_cells = min(max_bits, max(2 * log_points - 1 - COLLISION_LOG_MEAN, log_points + SPARSE))
    log_points = min(log_points, (log_cells + 1 + COLLISION_LOG_MEAN) // 2, log_cells - SPARSE)
    n, k = 2**log_points, 2.0**log_cells
    cells = np.sort(sample.points(n, dimension, log_cells))
    found = int(np.count_nonzero(cells[1:] == cells[:-1]))
    mean = n + k * math.expm1(n * math.log1p(-1 / k))
    detail = f"{found} collisions, {mean:.4g} expected of 2^{log_points} points in 2^{log_cells} cells"
    return Found(found, poisson(found, mean), detail)


def bits_collisions(sample: Sample) -> Found:
    """Count collisions of points whose coordinates are the most significant bits of successive words."""
    dimension = _log2(len(sample.words) // 32) + SPARSE
    return collisions(Sample(sample.top(1), 1), dimension)


def autocorrelation(sample: Sample) -> Found:
    """Find the lag t up to half of the words at which the sum of exp(2 pi i (u_j - u_(j+t))) is the largest.

    The sequence is taken as periodic. The square of a sum over n words, divided by n, has the exponential
    distribution.
    """
    count = 2 ** min(_log2(len(sample.words)), _log2(MAX_CORRELATED))
    power = np.square(np.abs(np.fft.fft(sample.circle(count))))
    sums = np.abs(np.fft.ifft(power)[1 : count // 2])
    lag = int(sums.argmax()) + 1
    statistic = float(sums[lag - 1]) ** 2 / count
    return Found(statistic, largest(math.exp(-statistic), count // 2 - 1), f"the largest of all lags is at {lag}")


def _correlations(products: Complex, points: Complex) -> Complex:
    """Return the sums over j of products[q, j] times the conjugate of points[j - p], in row q and column p."""
    sums: Complex = np.fft.ifft(np.fft.fft(products) * np.fft.fft(points).conj())[:, 1 : MAX_LAG + 1]
    return sums


def _lags(sums: Reals) -> str:
    """Say which sum is the largest, with a row for each first lag and a column for each second."""
    first, second = sorted(int(place) + 1 for place in np.unravel_index(int(sums.argmax()), sums.shape))
    return f"the largest of all lags up to {MAX_LAG} is at {first} and {second}"


def three_words(sample: Sample) -> Found:
    """Find the lags p and q of the largest sum of exp(2 pi i (u_j ± u_(j-p) ± u_(j-q))), for a periodic u."""
    points = sample.circle(THREE_POINT_WORDS)
    lagged = np.stack([np.roll(points, q) for q in LAGS])
    above = np.tri(MAX_LAG, k=-1, dtype=bool).T
    other = ~np.eye(MAX_LAG, dtype=bool)
    differences = np.abs(_correlations(points * lagged.conj(), points)) * above
    mixed = np.abs(_correlations(points * lagged, points)) * other
    sums = np.abs(_correlations(points * lagged, points.conj())) * above
    every = np.maximum(np.maximum(differences, sums), mixed)
    statistic = float(every.max()) ** 2 / THREE_POINT_WORDS
    return Found(statistic, largest(math.exp(-statistic), 2 * MAX_LAG * (MAX_LAG - 1)), _lags(every))


def three_bits(sample: Sample) -> Found:
    """Find the lags p < q up to 128 at which the parity of the top bits of three words is the most biased."""
    signs = 1 - 2 * sample.top(1, THREE_POINT_WORDS).astype(float)
    lagged = np.stack([np.roll(signs, q) for q in LAGS])
    sums = np.abs(np.triu(_correlations(signs * lagged, signs).real, 1))
    statistic, pairs = round(float(sums.max())), MAX_LAG * (MAX_LAG - 1) // 2
    return Found(statistic, largest_of_signs(statistic, THREE_POINT_WORDS, pairs), _lags(sums))


def lattice(sample: Sample, dimension: int) -> Found:
    """Find the wave along which points lie in planes most: the integer h with the largest sum of exp(2 pi i h·u)."""
    bits = LATTICE_BITS[dimension]
    count, side = len(sample.words) // dimension, 2**bits
    cells = sample.points(count, dimension, dimension * bits)
    grid = np.bincount(cells.astype(np.int64), minlength=side**dimension).reshape((side,) * dimension)
    powers = np.square(np.abs(np.fft.fftn(grid))) / count
    powers[(slice(None, None, side // 2),) * dimension] = 0  # the sums that are real, that of h = 0 among them
    wave = np.unravel_index(int(powers.argmax()), powers.shape)
    statistic = float(powers.max())
    h = ", ".join(str(int(part) - side * (part >= side // 2)) for part in wave)
    waves = (side**dimension - 2**dimension) // 2
    return Found(statistic, largest(math.exp(-statistic), waves), f"the largest of all waves is ({h})")


def bit_frequency(sample: Sample) -> Found:
    """Count the ones at each place of a word."""
    n = len(sample.words)
    ones = np.array([np.count_nonzero(sample.words & np.uint64(2**bit)) for bit in range(sample.bits)])
    squares = np.square(2 * ones - n) / n
    worst = int(squares.argmax())
    statistic = float(squares.sum())
    return Found(
        statistic, chi_square(statistic, sample.bits), f"bit {worst} is furthest from half: {ones[worst]} ones of {n}"
    )


def ranks(rows: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """Return the ranks over GF(2) of matrices, shape (matrices, rows, words of 64 columns); `rows` is overwritten."""
    every, free = np.arange(len(rows)), np.ones(rows.shape[:2], bool)
    for column in range(64 * rows.shape[2]):
        word, bit = divmod(column, 64)
        ones = ((rows[:, :, word] >> np.uint64(bit)) & np.uint64(1)).astype(bool) & free
        pivot = ones.argmax(axis=1)
        found = ones[every, pivot]
        free[every[found], pivot[found]] = False
        ones[every, pivot] = False
        rows ^= ones[:, :, None] * rows[every, pivot][:, None, :]
    found_pivots: npt.NDArray[np.int64] = np.count_nonzero(~free, axis=1)
    return found_pivots


def deficiencies(matrices: int) -> Reals:
    """Return the probabilities that the rank deficiencies of random square matrices add up to 0, 1, 2, ...

    A large matrix has the rank deficiency d with the probability 2^(-d²) times the product of 1 - 2^-i over all i > d,
    divided by that over i <= d.
    """
    factors = 1 - 0.5 ** np.arange(1, 128)
    one = np.array([
        2.0 ** -(d * d) * factors[d:].prod() / factors[:d].prod() for d in range(MAX_DEFICIENCY + 1)
    ])  # fmt: skip
    every = np.ones(1)
    for _ in range(matrices):
        every = np.convolve(every, one)
    return every


def matrix_rank(sample: Sample, size: int) -> Found:
    """Add up the rank deficiencies of square matrices of bits; every row begins with a new word."""
    words_a_row = -(-size // sample.bits)
    matrices = min(MAX_MATRICES[size], len(sample.words) // (words_a_row * size))
    bits = sample.bit_sequence(matrices * size * words_a_row * sample.bits)
    rows = np.packbits(bits.reshape(matrices, size, -1)[:, :, :size], axis=2).view(np.uint64)
    lacking = int((size - ranks(rows)).sum())
    detail = f"{matrices} matrices of {size} by {size} lack {lacking} of their ranks"
    return Found(lacking, table(lacking, deficiencies(matrices)), detail)


def complexity(bits: npt.NDArray[np.uint8]) -> int:
    """Return the length of the shortest linear recurrence over GF(2) that makes `bits`, by Berlekamp and Massey."""
    connection = before = 1
    length, since, seen = 0, 1, 0
    for n, bit in enumerate(bits.tolist()):
        seen = seen << 1 | bit
        if (connection & seen).bit_count() & 1:
            kept = connection
            connection ^= before << since
            if 2 * length <= n:
                length, before, since = n + 1 - length, kept, 0
        since += 1
    return length


def complexities(n: int) -> Reals:
    """Return the probabilities of the linear complexities 0 to n of n random bits."""
    lengths = np.arange(1.0, n + 1)
    return np.concatenate([[0.5**n], np.exp2(np.minimum(2 * n - 2 * lengths, 2 * lengths - 1) - n)])


def linear_complexity(sample: Sample, *, low: bool = False) -> Found:
    """Find the linear complexity of the sequence of one bit of successive words."""
    bits = sample.low(1, COMPLEXITY_BITS) if low else sample.top(1, COMPLEXITY_BITS)
    found = complexity(bits.astype(np.uint8))
    ends = "least" if low else "most"
    detail = f"{found} for the {ends} significant bits of {COMPLEXITY_BITS} words"
    return Found(found, table(found, complexities(COMPLEXITY_BITS)), detail)


def hamming_weights(sample: Sample) -> Found:
    """Count the pairs of words that follow one another by the number of ones in each; no word is in two pairs."""
    count = len(sample.words) // 2
    weights = WEIGHTS[sample.words[: 2 * count].view(np.uint8).reshape(-1, 8)].sum(axis=1)
    spread = round(math.sqrt(sample.bits) / 2)
    low, high = sample.bits // 2 - spread, -(-sample.bits // 2) + spread
    one = binomial(sample.bits)
    one = np.concatenate([[one[: low + 1].sum()], one[low + 1 : high], [one[high:].sum()]])
    classes = (np.clip(weights, low, high) - low).astype(np.int64).reshape(count, 2)
    counts = np.bincount(classes[:, 0] * len(one) + classes[:, 1], minlength=len(one) ** 2)
    statistic, freedom = pearson(counts, np.outer(one, one).ravel(), 0)
    detail = f"{count} pairs by weights up to {low}, between, and from {high} on"
    return Found(statistic, chi_square(statistic, freedom), detail)


def random_walk(sample: Sample) -> Found:
    """Count random walks by their highest place; the most significant bit of a word makes a step up or down."""
    walks = len(sample.words) // WALK_STEPS
    steps = 1 - 2 * sample.top(1, walks * WALK_STEPS).astype(np.int8)
    places = np.cumsum(steps.reshape(walks, WALK_STEPS), axis=1, dtype=np.int16)
    counts = np.bincount(np.maximum(places.max(axis=1), 0), minlength=WALK_STEPS + 1)
    ends = binomial(WALK_STEPS)
    tops = np.arange(WALK_STEPS + 1)
    statistic, freedom = pearson(counts, ends[-(-(WALK_STEPS + tops) // 2)])
    detail = f"{walks} walks of {WALK_STEPS} steps by the highest place of each"
    return Found(statistic, chi_square(statistic, freedom), detail)


def words_in_common(streams: Sample) -> Found:
    """Count the runs of words, of up to 64 bits, that are in several streams: once for each stream after the first."""
    run = -(-KEY_BITS // streams.bits)
    part = KEY_BITS // run
    count, length = streams.words.shape
    length -= run - 1
    keys = np.zeros((count, length), np.uint64)
    for i in range(run):
        keys = keys << np.uint64(part) | streams.words[:, i : i + length] >> np.uint64(streams.bits - part)
    order = np.argsort(keys, axis=None, kind="stable")
    ordered, owners = keys.ravel()[order], order // length
    found = int(np.count_nonzero((ordered[1:] == ordered[:-1]) & (owners[1:] != owners[:-1])))
    mean = math.comb(count, 2) * float(length) ** 2 / 2.0 ** (run * part)
    detail = f"{found} runs of {run} words are in more than one stream, {mean:.3g} expected"
    return Found(found, poisson(found, mean), detail)


def shifted(streams: Sample) -> Found:
    """Find the two streams, as periodic ones, and the shift t of the largest sum of exp(2 pi i (u_j - v_(j+t)))."""
    count, length = streams.words.shape
    count, length = min(count, MAX_STREAMS_SHIFTED), min(length, MAX_SHIFTED)
    waves = [np.fft.fft(Sample(words, streams.bits).circle(length)) for words in streams.words[:count]]
    statistic, at = 0.0, (0, 0, 0)
    for i, j in combinations(range(count), 2):
        sums = np.abs(np.fft.ifft(waves[i].conj() * waves[j]))
        shift = int(sums.argmax())
        if (power := float(sums[shift]) ** 2 / length) > statistic:
            statistic, at = power, (i, j, min(shift, shift - length, key=abs))
    detail = f"the largest is of streams {at[0]} and {at[1]}, the second {at[2]} words further on"
    return Found(statistic, largest(math.exp(-statistic), math.comb(count, 2) * length), detail)


def equal_bits(streams: Sample) -> Found:
    """Find the two streams and the bit in which they agree at the most or the fewest places."""
    count, length = min(len(streams.words), MAX_STREAMS_COMPARED), streams.words.shape[1]
    statistic, at = 0, (0, 0, 0)
    for bit in range(streams.bits):
        signs = 1 - 2 * ((streams.words[:count] >> np.uint64(bit)) & np.uint64(1)).astype(np.float32)
        sums = np.abs(np.triu(np.einsum("ij,kj->ik", signs, signs), 1))
        i, j = (int(place) for place in np.unravel_index(int(sums.argmax()), sums.shape))
        if sums[i, j] > statistic:
            statistic, at = int(sums[i, j]), (i, j, bit)
    pairs = math.comb(count, 2) * streams.bits
    detail = f"the largest is of streams {at[0]} and {at[1]} in bit {at[2]}"
    return Found(statistic, largest_of_signs(statistic, length, pairs), detail)
