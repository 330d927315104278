"""Tests of words as bits: their frequency, linear dependence over GF(2), weights, and walks."""

import math

import numpy as np
import numpy.typing as npt

from clrng.quality.probabilities import Reals, binomial, chi_square, pearson, table
from clrng.quality.tested_words import Found, Sample

MOST_MATRICES = {64: 128, 320: 4}
"""How many matrices are looked at, at most, by the number of their rows and columns."""

LARGEST_DEFICIENCY = 16
"""Ranks that are less by more than this have a probability below 2^-256."""

COMPLEXITY_BITS = 2048
"""By which recurrences of fewer than some 1000 words show."""

WALK_STEPS = 128

WEIGHTS = np.array([value.bit_count() for value in range(256)], np.uint8)
"""The number of ones in each byte."""


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
    """Return the probabilities of 0, 1, 2, ... of the sum over square random matrices of what their ranks lack.

    The rank of a large square matrix lacks d with the probability 2^(-d²) times the product of 1 - 2^-i over all i > d,
    divided by that over i <= d.
    """
    factors = 1 - 0.5 ** np.arange(1, 128)
    one = np.array([
        2.0 ** -(d * d) * factors[d:].prod() / factors[:d].prod() for d in range(LARGEST_DEFICIENCY + 1)
    ])  # fmt: skip
    every = np.ones(1)
    for _ in range(matrices):
        every = np.convolve(every, one)
    return every


def matrix_rank(sample: Sample, size: int) -> Found:
    """Add up what the ranks of square matrices of bits lack; a row is as many whole words as it takes."""
    words_a_row = -(-size // sample.bits)
    matrices = min(MOST_MATRICES[size], len(sample.words) // (words_a_row * size))
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
    """Find the linear complexity of one bit of the words that follow one another."""
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
    """Count walks, a step by the most significant bit of a word, by how far up they come."""
    walks = len(sample.words) // WALK_STEPS
    steps = 1 - 2 * sample.top(1, walks * WALK_STEPS).astype(np.int8)
    places = np.cumsum(steps.reshape(walks, WALK_STEPS), axis=1, dtype=np.int16)
    counts = np.bincount(np.maximum(places.max(axis=1), 0), minlength=WALK_STEPS + 1)
    ends = binomial(WALK_STEPS)
    tops = np.arange(WALK_STEPS + 1)
    statistic, freedom = pearson(counts, ends[-(-(WALK_STEPS + tops) // 2)])
    detail = f"{walks} walks of {WALK_STEPS} steps by the highest place of each"
    return Found(statistic, chi_square(statistic, freedom), detail)
