"""WELL512a with an index that goes around, as its authors' program has it, written from the recurrence of the paper."""

from collections.abc import Sequence

from tests.support.libraries import Values, array


def multiplied(shift: int, word: int) -> int:
    """Return the word and a copy of it that is moved to the right by `shift`, or to the left where that is negative."""
    return word ^ (word >> shift if shift > 0 else word << -shift) & 0xFFFFFFFF


def program(words: Sequence[int], n: int) -> tuple[list[int], list[int]]:
    """Return the first `n` values from these words with the index 0, and then the words from the index on."""
    state, i, values = list(words), 0, []
    for _ in range(n):
        before = (i - 1) % 16
        z0 = state[before]
        z1 = multiplied(-16, state[i]) ^ multiplied(-15, state[(i + 13) % 16])
        z2 = multiplied(11, state[(i + 9) % 16])
        state[i] = z1 ^ z2
        last = state[i] ^ (state[i] << 5 & 0xDA442D24)
        state[before] = multiplied(-2, z0) ^ multiplied(-18, z1) ^ (z2 << 28 & 0xFFFFFFFF) ^ last
        i = before
        values.append(state[i])
    return values, state[i:] + state[:i]


def well512a(seed: int, n: int) -> Values:
    """Return the first `n` values from the words that are the digits of `seed` to the base 2^32."""
    return array(program([seed >> 32 * i & 0xFFFFFFFF for i in range(16)], n)[0])
