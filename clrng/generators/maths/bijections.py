"""Bijections of counters under keys, which generators that count make their values by."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

Words = tuple[int, ...]

Function = Callable[[Words, Words, int], Words]
"""Returns the values of a counter under a key in a number of rounds."""


class Bijection(NamedTuple):
    """A bijection of counters under a key, and what there is to say of it.

    `bits`: those of a word. `counter`, `key`: the words of each, the lowest first. `values`: how many values there are
    of a counter. `value_bits`: the bits of a value. `rounds`: the usual number of rounds. `legal`: the numbers there
    may be. `function`: makes the values. `template`: has it for devices. `constants`: what the template needs.
    """

    bits: int
    counter: int
    key: int
    values: int
    value_bits: int
    rounds: int
    legal: range
    function: Function
    template: str
    constants: Mapping[str, Any]

    def made(self, counter: Words, key: Words, rounds: int | None = None) -> Words:
        """Return the values of a counter under a key, in the usual number of rounds where none is given."""
        return self.function(counter, key, self.rounds if rounds is None else rounds)


def _rotated(word: int, by: int, bits: int) -> int:
    """Return `word` rotated to the left."""
    return (word << by | word >> bits - by) & (1 << bits) - 1


PHILOX: dict[tuple[int, int], tuple[Words, Words]] = {
    (2, 32): ((0xD256D193,), (0x9E3779B9,)),
    (4, 32): ((0xD2511F53, 0xCD9E8D57), (0x9E3779B9, 0xBB67AE85)),
    (2, 64): ((0xD2B74407B1CE6E93,), (0x9E3779B97F4A7C15,)),
    (4, 64): ((0xD2E7470EE14C6C93, 0xCA5A826395121157), (0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B)),
}
"""The multipliers, and what is added to the words of the key after each round, by the words of a counter and bits."""


def philox(counter: Words, key: Words, rounds: int, bits: int = 64) -> Words:
    """Return the words that Philox makes of a counter of two or four words of so many bits."""
    multipliers, added = PHILOX[len(counter), bits]
    m = 2**bits
    for _ in range(rounds):
        products = [divmod(a * x, m) for a, x in zip(multipliers, counter[::2], strict=True)]
        made: list[int] = []
        for (high, low), odd, k in zip(products[::-1], counter[1::2], key, strict=True):
            made += [high ^ odd ^ k, low]
        counter, key = tuple(made), tuple((k + w) % m for k, w in zip(key, added, strict=True))
    return counter


def _philox(words: int, bits: int) -> Bijection:
    multipliers, added = PHILOX[words, bits]
    constants = {"multipliers": multipliers, "added": added}
    made = partial(philox, bits=bits)
    return Bijection(bits, words, words // 2, words, bits, 10, range(1, 17), made, "philox", constants)


ROTATIONS: dict[tuple[int, int], tuple[Words, ...]] = {
    (2, 32): ((13,), (15,), (26,), (6,), (17,), (29,), (16,), (24,)),
    (4, 32): ((10, 26), (11, 21), (13, 27), (23, 5), (6, 20), (17, 11), (25, 10), (18, 20)),
    (2, 64): ((16,), (42,), (12,), (31,), (16,), (32,), (24,), (21,)),
    (4, 64): ((14, 16), (52, 57), (23, 40), (5, 37), (25, 33), (46, 12), (58, 22), (32, 32)),
}
"""By how much the rounds of Threefry rotate, again and again, by the words of a counter and bits."""

PARITY = {32: 0x1BD11BDA, 64: 0x1BD11BDAA9FC1A22}
"""The exclusive or of all words of the extended key of Threefry."""


def threefry(counter: Words, key: Words, rounds: int, bits: int) -> Words:
    """Return the words that Threefry makes of a counter of two or four words of so many bits."""
    m, count = 2**bits, len(counter)
    parity = PARITY[bits]
    for k in key:
        parity ^= k
    key = (*key, parity)
    x = [(c + k) % m for c, k in zip(counter, key, strict=False)]
    for r in range(rounds):
        for j, by in enumerate(ROTATIONS[count, bits][r % 8]):
            even, odd = 2 * j, (2 * j + 2 * (r % 2) + 1) % count
            x[even] = (x[even] + x[odd]) % m
            x[odd] = _rotated(x[odd], by, bits) ^ x[even]
        if r % 4 == 3:  # noqa: PLR2004  # every fourth
            added = [key[(r // 4 + 1 + i) % (count + 1)] for i in range(count)]
            added[-1] += r // 4 + 1
            x = [(a + b) % m for a, b in zip(x, added, strict=True)]
    return tuple(x)


def jax(counter: Words, key: Words, rounds: int) -> Words:
    """Return the number that JAX makes of a counter by Threefry 2x32: of the upper word, then the lower one."""
    first, second = threefry(counter[::-1], key, rounds, 32)
    return (first ^ second,)


def _threefry(words: int, bits: int) -> Bijection:
    constants = {"rotations": ROTATIONS[words, bits], "parity": PARITY[bits], "folded": False}
    made = partial(threefry, bits=bits)
    return Bijection(bits, words, words, words, bits, 20, range(1, 73), made, "threefry", constants)


SIGMA = tuple(int.from_bytes(b"expand 32-byte k"[i : i + 4], "little") for i in range(0, 16, 4))
"""The first four words that ChaCha begins with."""

COLUMNS = tuple((i, 4 + i, 8 + i, 12 + i) for i in range(4))
DIAGONALS = tuple((i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4) for i in range(4))
"""The words of the quarter rounds of the odd rounds of ChaCha, and of the even ones."""


def chacha(counter: Words, key: Words, rounds: int) -> Words:
    """Return the 16 words that ChaCha makes of a counter of 64 bits under a key of 256 bits and a nonce of 64 bits."""
    begin = (*SIGMA, *key[:8], *counter, *key[8:])
    x = list(begin)
    for r in range(rounds):
        for a, b, c, d in (COLUMNS, DIAGONALS)[r % 2]:
            for i, j, k, by in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                x[i] = (x[i] + x[j]) % 2**32
                x[k] = _rotated(x[k] ^ x[i], by, 32)
    return tuple((a + b) % 2**32 for a, b in zip(x, begin, strict=True))


def squares(counter: Words, key: Words, rounds: int) -> Words:
    """Return the number that Squares makes of a counter: of 32 bits in four rounds, of 64 bits in five."""
    m = 2**64
    x = y = counter[0] * key[0] % m
    z = (y + key[0]) % m
    unrotated = last = x
    for r in range(rounds):
        last = (x * x + (z if r % 2 else y)) % m
        if r < rounds - 1:
            unrotated, x = last, _rotated(last, 32, 64)
    return (last >> 32 if rounds == 4 else unrotated ^ last >> 32,)  # noqa: PLR2004  # four rounds


def _squares(bits: int, rounds: int) -> Bijection:
    return Bijection(64, 1, 1, 1, bits, rounds, range(rounds, rounds + 1), squares, "squares", {})


BIJECTIONS: dict[str, Bijection] = {
    **{f"philox{words}x{bits}": _philox(words, bits) for bits in (32, 64) for words in (2, 4)},
    **{f"threefry{words}x{bits}": _threefry(words, bits) for bits in (32, 64) for words in (2, 4)},
    "jax_threefry2x32": _threefry(2, 32)._replace(
        values=1, function=jax, constants={**_threefry(2, 32).constants, "folded": True}
    ),
    "chacha": Bijection(32, 2, 10, 16, 32, 20, range(2, 21, 2), chacha, "chacha", {"sigma": SIGMA}),
    "squares32": _squares(32, 4),
    "squares64": _squares(64, 5),
}
"""All of them by name."""
