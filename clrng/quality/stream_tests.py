"""Tests of several streams: do they share words, follow one another, or agree in some bits?"""

import math
from itertools import combinations

import numpy as np

from clrng.quality.probabilities import largest, largest_of_signs, poisson
from clrng.quality.tested_words import Found, Sample

MOST_SHIFTED, MOST_STREAMS_SHIFTED = 2**15, 16
"""The most words of a stream, and the most streams, of which every shift is tried."""

MOST_STREAMS_COMPARED = 64
"""The most streams whose bits are compared."""

KEY_BITS = 64
"""The bits of the words that are looked for in other streams."""


def words_in_common(streams: Sample) -> Found:
    """Count the runs of words, of 64 bits in all, that come in one stream and come again in the next that has them."""
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
    """Find the two streams and the shift t at which the sum of exp(2 pi i (u_j - v_(j+t))) is the largest.

    Streams are taken as if they began again after their end.
    """
    count, length = streams.words.shape
    count, length = min(count, MOST_STREAMS_SHIFTED), min(length, MOST_SHIFTED)
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
    """Find the two streams and the bit that are equal at most or at fewest places."""
    count, length = min(len(streams.words), MOST_STREAMS_COMPARED), streams.words.shape[1]
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
