"""Tests of words as uniform numbers: pairs, gaps, birthday spacings, collisions, and exponential sums."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from clrng.quality.probabilities import Reals, Tails, chi_square, largest, largest_of_signs, pearson, poisson
from clrng.quality.tested_words import Found, Sample

PAIR_BITS, EXPECTED_IN_A_CELL = 8, 16
"""The most bits of a word that the test of pairs takes, and the fewest pairs expected in a cell."""

GAP_BITS = 4
"""Gaps are those between words below 2^-4 of the largest."""

BIRTHDAY_LOG_MEAN, COLLISION_LOG_MEAN = 6, 8
"""The binary logarithms of how many equal spacings, and how many collisions, are expected where words are many."""

BIRTHDAY_BITS = 24
"""The fewest bits of a cell's number for which birthday spacings are near their distribution."""

SPARSE = 6
"""Cells are at least 2^6 times as many as the points whose collisions are counted."""

MOST_CORRELATED = 2**20
"""The most words of which every lag is tried."""

THREE_POINT_WORDS, LARGEST_LAG = 512, 128
"""How many words are in the sum for a pair of lags, and the largest lag."""

LAGS = range(1, LARGEST_LAG + 1)

LATTICE_BITS = {2: 8, 3: 5}
"""The bits of each coordinate of a grid, for each dimension."""

Complex = npt.NDArray[np.complexfloating[Any, Any]]


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
    """Count equal spacings between points in order, each of `dimension` words, or of as many as have 24 bits together.

    Their number is near Poisson's distribution of mean n³/4k for n points in k cells, while N such tests have
    N n³ <= k^(5/4), as L'Ecuyer and Simard advise.
    """
    dimension = max(dimension, -(-BIRTHDAY_BITS // sample.bits))
    available = len(sample.words) // dimension
    log_points, most = _log2(available), min(64, dimension * sample.bits)
    log_cells, repeats = 3 * log_points - 2 - BIRTHDAY_LOG_MEAN, 1
    if log_cells > most:
        log_cells, log_points = most, (most + 1) // 3
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
    """Count points in cells that others are in already; few points a cell make this near Poisson's distribution."""
    log_points, most = _log2(len(sample.words) // dimension), min(64, dimension * sample.bits)
    log_cells = min(most, max(2 * log_points - 1 - COLLISION_LOG_MEAN, log_points + SPARSE))
    log_points = min(log_points, (log_cells + 1 + COLLISION_LOG_MEAN) // 2, log_cells - SPARSE)
    n, k = 2**log_points, 2.0**log_cells
    cells = np.sort(sample.points(n, dimension, log_cells))
    found = int(np.count_nonzero(cells[1:] == cells[:-1]))
    mean = n + k * math.expm1(n * math.log1p(-1 / k))
    detail = f"{found} collisions, {mean:.4g} expected of 2^{log_points} points in 2^{log_cells} cells"
    return Found(found, poisson(found, mean), detail)


def bits_collisions(sample: Sample) -> Found:
    """Count collisions of points with a bit for each coordinate: the most significant one of as many words."""
    dimension = _log2(len(sample.words) // 32) + SPARSE
    return collisions(Sample(sample.top(1), 1), dimension)


def autocorrelation(sample: Sample) -> Found:
    """Find the lag t up to half of the words at which the sum of exp(2 pi i (u_j - u_(j+t))) is the largest.

    The sequence is taken as if it began again after its end. The square of a sum over n words, divided by n, has the
    exponential distribution.
    """
    count = 2 ** min(_log2(len(sample.words)), _log2(MOST_CORRELATED))
    power = np.square(np.abs(np.fft.fft(sample.circle(count))))
    sums = np.abs(np.fft.ifft(power)[1 : count // 2])
    lag = int(sums.argmax()) + 1
    statistic = float(sums[lag - 1]) ** 2 / count
    return Found(statistic, largest(math.exp(-statistic), count // 2 - 1), f"the largest of all lags is at {lag}")


def _correlations(products: Complex, points: Complex) -> Complex:
    """Return the sums over j of products[q, j] times the conjugate of points[j - p], in row q and column p."""
    sums: Complex = np.fft.ifft(np.fft.fft(products) * np.fft.fft(points).conj())[:, 1 : LARGEST_LAG + 1]
    return sums


def _lags(sums: Reals) -> str:
    """Say which sum is the largest, with a row for each first lag and a column for each second."""
    first, second = sorted(int(place) + 1 for place in np.unravel_index(int(sums.argmax()), sums.shape))
    return f"the largest of all lags up to {LARGEST_LAG} is at {first} and {second}"


def three_words(sample: Sample) -> Found:
    """Find the lags p and q up to 128 at which sums of exp(2 pi i (u_j ± u_(j-p) ± u_(j-q))) are the largest.

    The sequence is taken as if it began again after its end.
    """
    points = sample.circle(THREE_POINT_WORDS)
    lagged = np.stack([np.roll(points, q) for q in LAGS])
    above = np.tri(LARGEST_LAG, k=-1, dtype=bool).T
    other = ~np.eye(LARGEST_LAG, dtype=bool)
    differences = np.abs(_correlations(points * lagged.conj(), points)) * above
    mixed = np.abs(_correlations(points * lagged, points)) * other
    sums = np.abs(_correlations(points * lagged, points.conj())) * above
    every = np.maximum(np.maximum(differences, sums), mixed)
    statistic = float(every.max()) ** 2 / THREE_POINT_WORDS
    return Found(statistic, largest(math.exp(-statistic), 2 * LARGEST_LAG * (LARGEST_LAG - 1)), _lags(every))


def three_bits(sample: Sample) -> Found:
    """Find the lags p < q up to 128 at which the parities of the top bits of three words are the most unequal."""
    signs = 1 - 2 * sample.top(1, THREE_POINT_WORDS).astype(float)
    lagged = np.stack([np.roll(signs, q) for q in LAGS])
    sums = np.abs(np.triu(_correlations(signs * lagged, signs).real, 1))
    statistic, pairs = round(float(sums.max())), LARGEST_LAG * (LARGEST_LAG - 1) // 2
    return Found(statistic, largest_of_signs(statistic, THREE_POINT_WORDS, pairs), _lags(sums))


def lattice(sample: Sample, dimension: int) -> Found:
    """Find the wave along which points lie in planes the most: the largest sum of exp(2 pi i h·u) over whole h."""
    bits = LATTICE_BITS[dimension]
    count, side = len(sample.words) // dimension, 2**bits
    cells = sample.points(count, dimension, dimension * bits)
    grid = np.bincount(cells.astype(np.int64), minlength=side**dimension).reshape((side,) * dimension)
    powers = np.square(np.abs(np.fft.fftn(grid))) / count
    powers[(slice(None, None, side // 2),) * dimension] = 0  # the sums that are real, and that of no wave
    wave = np.unravel_index(int(powers.argmax()), powers.shape)
    statistic = float(powers.max())
    h = ", ".join(str(int(part) - side * (part >= side // 2)) for part in wave)
    waves = (side**dimension - 2**dimension) // 2
    return Found(statistic, largest(math.exp(-statistic), waves), f"the largest of all waves is ({h})")
