"""Vectors in pieces: ranks draw the rows of what one generator draws."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.distributions import vectors
from clrng.fill import categories
from tests.support.vector_calls import BITS, CALLS, COV


@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("name", CALLS)
def test_pieces_are_those_of_one_generator(queue: cl.CommandQueue, name: str, bits: str) -> None:
    alone = clrng.Generator(BITS[bits](), queue)
    whole = CALLS[name](alone).get()
    for size in (1, 3, 9):
        for rank in range(size):
            rng = clrng.Generator(BITS[bits](), queue).piece(rank, size)
            found = CALLS[name](rng).get()
            assert found.dtype == whole.dtype
            assert_array_equal(found, np.array_split(whole, size)[rank])
            assert rng.bit_generator == alone.bit_generator


@pytest.mark.parametrize("name", ["shares", "small shares", "many shares", "normal vectors"])
def test_pieces_of_double_precision(queue: cl.CommandQueue, name: str) -> None:
    if not queue.device.double_fp_config:
        pytest.skip("the device has no double precision")
    whole = CALLS[name](clrng.Generator(clrng.PCG64(4), queue), dtype="float64").get()
    found = [CALLS[name](clrng.Generator(clrng.PCG64(4), queue).piece(i, 3), dtype="float64").get() for i in range(3)]
    assert_array_equal(np.concatenate(found), whole)


def test_pieces_that_other_ways_make(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    """The device makes counts of few rows too, and few shares have no tables."""
    monkeypatch.setattr(categories, "LEAST_ROWS", 1)
    monkeypatch.setattr(vectors, "FEW", 3)
    for name in ("counts of arrays", "small shares", "shares of arrays"):
        whole = CALLS[name](clrng.Generator(clrng.PCG64(4), queue)).get()
        found = [CALLS[name](clrng.Generator(clrng.PCG64(4), queue).piece(i, 3)).get() for i in range(3)]
        assert_array_equal(np.concatenate(found), whole)


@pytest.mark.parametrize("name", ["colours", "shares", "normal vectors"])
def test_memory_that_is_given(queue: cl.CommandQueue, name: str) -> None:
    expected = np.array_split(CALLS[name](clrng.Generator(clrng.PCG64(4), queue)).get(), 2)[1]
    held = cla.zeros(queue, (*expected.shape[:-1], 6), expected.dtype)
    host = np.zeros(held.shape, held.dtype)
    for out in (held[..., 1::2], host[..., 1::2], np.ndarray):
        found = CALLS[name](clrng.Generator(clrng.PCG64(4), queue).piece(1, 2), out=out)
    assert_array_equal(found, expected)
    assert_array_equal(held.get()[..., 1::2], expected)
    assert_array_equal(host[..., 1::2], expected)


REFUSED: list[tuple[Callable[[Any], Any], type[Exception], str]] = [
    (lambda rng: rng.dirichlet([1, 2]), TypeError, "^size must be given, .* not None$"),
    (lambda rng: rng.multinomial(3, [0.5, 0.5], out=np.zeros((2, 2), int)), TypeError, "^size must be given, "),
    (lambda rng: rng.dirichlet([[1, 2]], out=np.zeros((1, 2), "f")), TypeError, "^size must be given, .* not None$"),
    (lambda rng: rng.dirichlet([1, 2], ()), ValueError, r"^size must have a first axis, .* not be \(\)$"),
    (
        lambda rng: rng.multivariate_normal([0, 1, 2], COV, 5, out=np.zeros((5, 3), "f")),
        ValueError,
        r"^out must have shape \(2, 3\), that of this rank's piece of \(5, 3\), not \(5, 3\)$",
    ),
    (lambda rng: rng.dirichlet([[1, 2]] * 3, 2), ValueError, r"^size must be a shape to which alpha of shape \(3,\) "),
    (lambda rng: rng.dirichlet([1, 2], -1), ValueError, "^size must be an integer from 0"),
    (lambda rng: rng.dirichlet([1, -2], 5), ValueError, "^alpha must be .*, not -2.0, as element 1 of alpha has it$"),
    (lambda rng: rng.multinomial(300, [0.5, 0.5], 5, "uint8"), ValueError, "^dtype must hold counts up to 300"),
]


@pytest.mark.parametrize(("call", "error", "match"), REFUSED)
def test_what_is_refused(
    queue: cl.CommandQueue, call: Callable[[Any], Any], error: type[Exception], match: str
) -> None:
    rng = clrng.Generator(clrng.PCG64(4), queue).piece(1, 2)
    with pytest.raises(error, match=match):
        call(rng)
    assert rng.bit_generator == clrng.PCG64(4)
