"""The sequential loop in C of a recurrence, compiled when it is needed: what speed-ups are over, as in the papers."""

import ctypes
from collections.abc import Callable

import numpy as np

import clrng
from clrng.generators.congruential import LCGCode
from clrng.generators.families import family_of
from clrng.generators.generator_code import GeneratorCode
from clrng.generators.lagged_fibonacci import LaggedFibonacciCode
from clrng.measuring.timing import Work, check, poison
from harness.compiled import library

FILL = """
#include <stddef.h>
#include <stdint.h>

void fill(WORD *out, size_t n)
{
    for (size_t k = 0; k < n; k++)
        out[k] = step();
}
"""

CONGRUENTIAL = """
static uint64_t x;

void start(const uint64_t *state) { x = state[0]; }

static inline uint64_t step(void) { return x = STEP; }
"""

LAGGED = """
static WORD ring[P2]; /* the last P2 words, the oldest at i */
static size_t i = 0, j = P2 - P1;

void start(const uint64_t *state)
{
    i = 0;
    j = P2 - P1;
    for (size_t k = 0; k < P2; k++)
        ring[k] = (WORD)state[k];
}

static inline WORD step(void)
{
    const WORD x = STEP;
    ring[i] = x;
    i = i + 1 == P2 ? 0 : i + 1;
    j = j + 1 == P2 ? 0 : j + 1;
    return x;
}
"""
OPS = {"+": "ring[i] + ring[j]", "-": "ring[j] - ring[i]", "*": "ring[i] * ring[j]", "xor": "ring[i] ^ ring[j]"}


def congruential(bits: clrng.LCG) -> str | None:
    """Return the step of a congruential generator, or None if a value is not its whole word."""
    a, c, m = bits.multiplier, bits.increment, bits.modulus
    wide = "(unsigned __int128)" if (m - 1) * a + c >= 2**64 and m != 2**64 else ""
    rest = "" if m == 2**64 else f" % {m}ULL"
    return CONGRUENTIAL.replace("STEP", f"({wide}x * {a}ULL + {c}ULL){rest}") if bits.output is None else None


def lagged(bits: clrng.LaggedFibonacci) -> str | None:
    """Return the step of a lagged Fibonacci generator, or None if its words are not C's or its lags fall."""
    p1, p2 = bits.lags
    if p1 > p2 or bits.output is not None or bits.modulus != 2 ** (8 * bits.dtype.itemsize):
        return None
    return LAGGED.replace("P1", str(p1)).replace("P2", str(p2)).replace("STEP", OPS[bits.op])


STEPS: dict[type[GeneratorCode], Callable[..., str | None]] = {LCGCode: congruential, LaggedFibonacciCode: lagged}
"""The step in C for the families of each kind of code."""


def source(bits: clrng.BitGenerator) -> str:
    """Return the C text of `bits`: an LCG, or a lagged Fibonacci generator of 32 or 64 bits with its lags in order.

    Raises
    ------
    ValueError
        If it is another one, or shows other than its whole words.
    """
    write = STEPS.get(family_of(bits).code)
    step = write(bits) if write else None
    if step is None:
        raise ValueError(f"bits must be an LCG or a lagged Fibonacci generator that shows whole words, not {bits!r}")
    word = {4: "uint32_t", 8: "uint64_t"}[bits.dtype.itemsize]
    return f"#include <stddef.h>\n#include <stdint.h>\ntypedef {word} WORD;\n{step}{FILL}"


class Host:
    """Waits for the host, which has always finished."""

    def finish(self) -> None:
        """Return."""


def loop(bits: clrng.BitGenerator, values: int) -> Work:
    """Return a call of the loop in C on one core of the host, which goes on from call to call.

    Raises
    ------
    ClrngError
        If there is no compiler, it fails or a value is wrong.
    ValueError
        If there is no such loop.
    """
    compiled = library("C", source(bits))
    out, state = np.empty(values, bits.dtype), np.array(bits.words, np.uint64)
    compiled.start(ctypes.c_void_p(state.ctypes.data))
    given = ctypes.c_void_p(out.ctypes.data), ctypes.c_size_t(values)

    made = 0

    def call() -> None:
        nonlocal made
        compiled.fill(*given)
        made += out.size  # out has to live as long as its address is in use

    def checked() -> None:
        begin = bits.jumped(made)
        poison(out)
        call()
        check(begin, out, "the loop in C")

    checked()
    return Work(values, call, Host(), checked)
