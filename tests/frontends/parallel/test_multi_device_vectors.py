"""Vectors on several devices: those of one device, of which no part cuts one."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.distributions import vectors
from clrng.fill import categories
from clrng.frontends.parallel.shares import Worker, cuts
from tests.support.several_queues import QUEUES, SHARES, doubles, several
from tests.support.vector_calls import BITS, CALLS, MANY

pytestmark = pytest.mark.device


@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("name", CALLS)
def test_vectors_are_those_of_one_device(name: str, bits: str) -> None:
    for shares in [*SHARES, None]:
        rng, alone = several(BITS[bits](), shares), clrng.Generator(BITS[bits](), QUEUES[0])
        for dtype in (None, "float64"):
            if dtype and not (doubles() and ("shares" in name or "normal" in name)):
                continue
            expected, found = CALLS[name](alone, dtype=dtype).get(), CALLS[name](rng, dtype=dtype)
            assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
            assert_array_equal(found.get(), expected)
            assert all(part.begin % expected.shape[-1] == 0 for part in found.parts)
            assert CALLS[name](rng, dtype=dtype, out=found) is found
            assert_array_equal(found.get(), CALLS[name](alone, dtype=dtype).get())
            held = np.zeros((*expected.shape[:-1], 2 * expected.shape[-1]), expected.dtype)
            for out in (held[..., ::2], np.ndarray, np.zeros(expected.shape, expected.dtype)):
                assert_array_equal(CALLS[name](rng, dtype=dtype, out=out), CALLS[name](alone, dtype=dtype).get())
        assert rng.bit_generator == alone.bit_generator


def test_one_vector_is_made_by_one_device() -> None:
    rng, alone = several(clrng.PCG64(4)), clrng.Generator(clrng.PCG64(4), QUEUES[0])
    found = rng.dirichlet(np.arange(1, 100))
    assert_array_equal(found.get(), alone.dirichlet(np.arange(1, 100)).get())
    assert [part.rows for part in found.parts] == [slice(0, 99)]


def test_vectors_that_other_ways_make(monkeypatch: pytest.MonkeyPatch) -> None:
    """The device makes counts of few rows too, and few shares have no tables."""
    monkeypatch.setattr(categories, "LEAST_ROWS", 1)
    monkeypatch.setattr(vectors, "FEW", 3)
    for name in ("counts of arrays", "small shares", "shares of arrays"):
        rng, alone = several(clrng.PCG64(4)), clrng.Generator(clrng.PCG64(4), QUEUES[0])
        assert_array_equal(CALLS[name](rng).get(), CALLS[name](alone).get())


@pytest.mark.parametrize(
    ("shape", "weights", "shapes", "by_rows"),
    [
        ((100, 7), (1, 1), [(50, 7), (50, 7)], True),
        ((5, 7), (1, 1), [(2, 7), (3, 7)], True),
        ((3, 100, 7), (1, 1), [(1050,), (1050,)], False),
        ((100, 3, 7), (1, 1), [(50, 3, 7), (50, 3, 7)], True),
        ((7,), (2, 1), [(7,), (0,)], True),
        ((7,), (1, 2), [(0,), (7,)], True),
    ],
)
def test_vectors_stay_whole(shape: Any, weights: Any, shapes: Any, by_rows: bool) -> None:
    found = cuts(shape, weights, 7)
    assert [cut.shape for cut in found] == shapes
    assert all((cut.rows is not None) is by_rows for cut in found)
    assert [(cut.end - cut.begin, cut.begin % 7) for cut in found] == [(np.prod(each), 0) for each in shapes]


def test_kernels_are_built_before_a_device_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = several(clrng.PCG64(4))
    out = rng.dirichlet(MANY)
    before, prepared, prepare = out.get(), [], Worker.prepare

    def refuse(self: Worker, transform: Any, nbytes: int) -> None:
        if type(transform).__name__ == "BetaByElement":
            prepared.append(transform)
            raise clrng.BuildError("a compiler", "log", "source")
        prepare(self, transform, nbytes)

    monkeypatch.setattr(Worker, "prepare", refuse)
    with pytest.raises(clrng.BuildError):
        rng.dirichlet(MANY, out=out)
    assert prepared
    assert_array_equal(out.get(), before)


REFUSED: list[tuple[Callable[[Any], Any], type[Exception], str]] = [
    (
        lambda rng: rng.dirichlet([1, 2, 3], out=rng.random((7, 3))),
        ValueError,
        "^out must have parts of whole vectors, of 3 numbers, not one from ",
    ),
    (lambda rng: rng.dirichlet([1, 2], 5, out=cla.zeros(QUEUES[0], (5, 2), "f")), TypeError, "^out must be a Multi"),
    (
        lambda rng: rng.dirichlet(cla.to_device(QUEUES[0], -np.ones(3)), 5),
        ValueError,
        "^alpha must be .* element 0 of ",
    ),
    (lambda rng: rng.dirichlet([1, -2], 5), ValueError, "^alpha must be .*, not -2.0, as element 1 of alpha has it$"),
    (lambda rng: rng.multinomial(300, [0.5, 0.5], 5, "uint8"), ValueError, "^dtype must hold counts up to 300"),
    (lambda rng: rng.multivariate_normal([0, 0], np.eye(3)), ValueError, r"^cov must have shape \(..., 2, 2\)"),
]


@pytest.mark.parametrize(("call", "error", "match"), REFUSED)
def test_what_is_refused(call: Callable[[Any], Any], error: type[Exception], match: str) -> None:
    rng = several(clrng.PCG64(4), [1] * len(QUEUES))
    moved = "random" in call.__code__.co_names
    with pytest.raises(error, match=match):
        call(rng)
    assert moved or rng.bit_generator == clrng.PCG64(4)
