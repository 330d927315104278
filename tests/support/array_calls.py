"""Calls that take arrays of a device: each with what is in the array, and what it makes of it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyopencl.array as cla

import clrng
from clrng import order

Fill = Callable[..., cla.Array]
"""Called with a generator, and a size or `out`, returns an array."""


def reals(rng: clrng.Generator, size: int | None = None, out: Any = None) -> cla.Array:
    """Return numbers that are parameters of most distributions."""
    return rng.uniform(1, 9, size, dtype="float32", out=out)


def whole(rng: clrng.Generator, size: int | None = None, out: Any = None) -> cla.Array:
    """Return a few different integers, as each is a law of its own."""
    return rng.integers(5, 9, size, dtype="int32", out=out)


def large(rng: clrng.Generator, size: int | None = None, out: Any = None) -> cla.Array:
    """Return large means."""
    return rng.integers(900_000, 9_000_000, size, dtype="int32", out=out)


def ones(rng: clrng.Generator, size: int | None = None, out: Any = None) -> cla.Array:
    """Return integers that are probabilities."""
    return rng.integers(1, 2, size, dtype="int32", out=out)


def mask(rng: clrng.Generator, size: int | None = None, out: Any = None) -> cla.Array:
    """Return which elements are picked, as comparisons do."""
    return rng.integers(0, 2, size, dtype="int8", out=out)


@dataclass(frozen=True)
class Call:
    """What a generator, or something else on its queue, makes of an array that `fill` has filled."""

    make: Callable[[clrng.Generator, Any], Any]
    fill: Fill = reals


def _own(rng: clrng.Generator, like: cla.Array, fill: Fill = reals) -> Any:
    """Return an array of the generator's queue of the size of another one."""
    return fill(rng, like.size)


def _streams(rng: clrng.Generator, count: int) -> clrng.Streams:
    return clrng.Streams.by_jumps(clrng.ParkMiller(seed=1), count, 10, rng.queue)


def _numpys(rng: clrng.Generator) -> Any:
    return clrng.from_numpy(np.random.default_rng(1), rng.queue)


def _laws(name: str, **parameters: Any) -> Callable[[clrng.Generator, Any], Any]:
    """Return what draws from a distribution by streams, of which each has a parameter of its own."""
    dtype = "float32" if name != "poisson" else "int32"

    def make(rng: clrng.Generator, some: Any) -> cla.Array:
        given = {key: some if value is None else value for key, value in parameters.items()}
        return _streams(rng, some.size).sample(clrng.distribution(name, **given), 2, dtype)

    return make


def _of_results(values: cla.Array, count: cla.Array) -> None:
    order.unique(values, True, True, True)
    order.cumsum(values, "uint32")
    order.histogram(order.bincount(values), 9)
    int(count.get())


def _read_by_pyopencl(_: clrng.Generator, some: Any) -> None:
    cla.Array(some.queue, some.shape, some.dtype, data=some.base_data, events=some.events).copy()


F, W = "float32", "int32"
P = [0.1, 0.2, 0.3, 0.4]

PARAMETERS = {
    "normal": Call(lambda rng, some: rng.normal(some, some, dtype=F)),
    "normal in place": Call(lambda rng, some: rng.normal(some, 1, dtype=F, out=some)),
    "normal of a slice": Call(lambda rng, some: rng.normal(some[::2], 1, dtype=F)),
    "vonmises": Call(lambda rng, some: rng.vonmises(some, 4, dtype=F)),
    "exponential": Call(lambda rng, some: rng.exponential(some, dtype=F)),
    "uniform": Call(lambda rng, some: rng.uniform(0, some, dtype=F), whole),
    "gamma": Call(lambda rng, some: rng.gamma(some, dtype=F), whole),
    "noncentral_chisquare": Call(lambda rng, some: rng.noncentral_chisquare(2, some, dtype=F)),
    "noncentral in place": Call(lambda rng, some: rng.noncentral_chisquare(2, some, dtype=F, out=some)),
    "gamma in place": Call(lambda rng, some: rng.gamma(some, dtype=F, out=some)),
    "uniform in place": Call(lambda rng, some: rng.uniform(-1, some, dtype=F, out=some)),
    "beta": Call(lambda rng, some: rng.beta(some, some, dtype=F), whole),
    "gamma of shapes and scales": Call(lambda rng, some: rng.gamma(some, some, dtype=F)),
    "wald": Call(lambda rng, some: rng.wald(some, some, dtype=F)),
    "triangular": Call(lambda rng, some: rng.triangular(-1, some, 9, dtype=F), whole),
    "integers": Call(lambda rng, some: rng.integers(0, some, dtype=W), whole),
    "integers in place": Call(lambda rng, some: rng.integers(0, some, out=some), whole),
    "poisson": Call(lambda rng, some: rng.poisson(some, dtype=W)),
    "poisson in place": Call(lambda rng, some: rng.poisson(some, out=some), whole),
    "poisson of large means": Call(lambda rng, some: rng.poisson(some, dtype=W), large),
    "poisson of a slice": Call(lambda rng, some: rng.poisson(some[::2], dtype=W), whole),
    "binomial": Call(lambda rng, some: rng.binomial(some, 0.5, dtype=W), whole),
    "geometric": Call(lambda rng, some: rng.geometric(some, dtype=W), ones),
    "hypergeometric": Call(lambda rng, some: rng.hypergeometric(some, 9, 5, dtype=W), whole),
    "multinomial": Call(lambda rng, some: rng.multinomial(some[:100], [0.2, 0.8]), whole),
    "multivariate_hypergeometric": Call(lambda rng, some: rng.multivariate_hypergeometric(some[:8], 3, 50), whole),
    "dirichlet": Call(lambda rng, some: rng.dirichlet(some[:8], 100)),
    "multivariate_normal": Call(lambda rng, some: rng.multivariate_normal(some[:2], np.eye(2), 100, dtype=F)),
    "sample": Call(lambda rng, some: rng.sample(clrng.distribution("weibull", a=some), dtype=F), whole),
    "a rank's normal": Call(lambda rng, some: rng.piece(1, 2).normal(some, some, dtype=F)),
    "a rank's poisson": Call(lambda rng, some: rng.piece(1, 2).poisson(some, dtype=W)),
    "streams of normals": Call(_laws("normal", loc=None)),
    "streams of gammas": Call(_laws("gamma", shape=None), whole),
    "streams of poissons": Call(_laws("poisson", lam=None)),
}
"""Arrays of parameters."""

ELEMENTS = {
    "choice": Call(lambda rng, some: rng.choice(some, 100)),
    "choice with p": Call(lambda rng, some: rng.choice(some[:4], 100, p=P)),
    "choice of columns": Call(lambda rng, some: rng.choice(some.reshape(10, -1), 3, axis=1)),
    "choice of few without replacement": Call(lambda rng, some: rng.choice(some, 100, replace=False)),
    "choice of all without replacement": Call(lambda rng, some: rng.choice(some, some.size, replace=False)),
    "choice without replacement with p": Call(lambda rng, some: rng.choice(some[:4], 2, replace=False, p=P)),
    "choice of no queue's": Call(lambda rng, some: rng.choice(some.with_queue(None), 100)),
    "a rank's choice": Call(lambda rng, some: rng.piece(1, 2).choice(some, 100)),
    "permutation": Call(lambda rng, some: rng.permutation(some)),
    "bijective permutation": Call(lambda rng, some: rng.permutation(some, method="bijective")),
    "permuted": Call(lambda rng, some: rng.permuted(some.reshape(10, -1), axis=1)),
    "permuted in place": Call(lambda rng, some: rng.permuted(some, out=some)),
    "filled of no queue's": Call(lambda rng, some: rng.random(out=some.with_queue(None))),
    "shuffle": Call(lambda rng, some: rng.shuffle(some)),
    "shuffle of a slice": Call(lambda rng, some: rng.shuffle(some[::2])),
    "shuffle of rows": Call(lambda rng, some: rng.shuffle(some.reshape(10, -1))),
    "NumPy's choice": Call(lambda rng, some: _numpys(rng).choice(some, 100)),
    "NumPy's choice with p": Call(lambda rng, some: _numpys(rng).choice(some[:4], 100, p=P)),
    "NumPy's permutation": Call(lambda rng, some: _numpys(rng).permutation(some)),
    "NumPy's permutation of a slice": Call(lambda rng, some: _numpys(rng).permutation(some[::2])),
    "NumPy's shuffle": Call(lambda rng, some: _numpys(rng).shuffle(some)),
    "NumPy's shuffle of a slice": Call(lambda rng, some: _numpys(rng).shuffle(some[::2])),
}
"""Elements that are drawn or put in random order."""

ORDERED = {
    "sort": Call(lambda _, some: order.sort(some)),
    "sort_pairs": Call(lambda rng, some: order.sort_pairs(_own(rng, some), some)),
    "argsort": Call(lambda _, some: order.argsort(some)),
    "unique": Call(lambda _, some: order.unique(some, True, True, True), whole),
    "cumsum": Call(lambda _, some: order.cumsum(some), whole),
    "compress": Call(lambda rng, some: order.compress(some, _own(rng, some)), mask),
    "compressed": Call(lambda rng, some: order.compress(_own(rng, some, mask), some)),
    "flatnonzero": Call(lambda _, some: order.flatnonzero(some), mask),
    "split": Call(lambda rng, some: order.split(some, _own(rng, some)), mask),
    "results of a split": Call(lambda rng, some: _of_results(*order.split(some, _own(rng, some, whole))), mask),
    "bincount": Call(lambda _, some: order.bincount(some), whole),
    "histogram": Call(lambda _, some: order.histogram(some, 10)),
    "histogram of bytes": Call(lambda _, some: order.histogram(some, 4, (0, 8)), mask),
    "sum": Call(lambda _, some: some.sum()),
    "sum of columns": Call(lambda _, some: some.reshape(10, -1).sum(axis=0)),
    "argmax": Call(lambda _, some: some.argmax()),
    "var": Call(lambda _, some: some.var(dtype=F)),
}
"""Sorts, counts and sums."""

MADE = {
    "operators": Call(lambda _, some: (some + some) * some[::-1] - 3),
    "second operand": Call(lambda rng, some: _own(rng, some) + some),
    "operand of another dtype": Call(lambda rng, some: _own(rng, some, whole) * some),
    "in place": Call(lambda rng, some: _own(rng, some).__iadd__(some)),
    "changed": Call(lambda rng, some: some.__iadd__(_own(rng, some))),
    "power": Call(lambda _, some: some**2, whole),
    "comparison": Call(lambda rng, some: some > _own(rng, some)),
    "comparison with a number": Call(lambda _, some: some <= 3),
    "of one": Call(lambda _, some: (-some, abs(some), some.copy(), some.astype(W))),
    "selection": Call(lambda _, some: some[some > 4]),
    "picked": Call(lambda rng, some: _own(rng, some)[some], whole),
    "picked by a mask": Call(lambda rng, some: _own(rng, some)[some], mask),
    "take": Call(lambda rng, some: some.take(_own(rng, some, whole))),
    "taken": Call(lambda rng, some: _own(rng, some).take(some), whole),
    "taken by no queue's": Call(lambda rng, some: _own(rng, some).take(some.with_queue(None)), whole),
    "set from the host": Call(lambda rng, some: (rng.choice(some, 100), some.set(np.ones(some.shape, F)))),
    "filled with zeros": Call(lambda rng, some: (rng.choice(some, 100), some.fill(0))),
    "printed": Call(lambda _, some: (str(some), some[::2].to_numpy(), np.sort(some))),
}
"""Operators, and elements that are picked."""

SET = {
    "set to an array": Call(lambda rng, some: _own(rng, some).__setitem__(slice(100), some[:100])),
    "set where indices say": Call(lambda rng, some: _own(rng, some).__setitem__(some, 5), whole),
    "set where a mask says": Call(lambda rng, some: _own(rng, some).__setitem__(some, 5), mask),
    "set to many": Call(lambda rng, some: _own(rng, some).__setitem__(_own(rng, some, whole), some)),
}
"""What sets elements, which PyOpenCL does only if all arrays are of one queue."""

CALLS = {**PARAMETERS, **ELEMENTS, **ORDERED, **MADE}

WRITERS: dict[str, Callable[[clrng.Generator, Any], Any]] = {
    "uniform": lambda rng, out: rng.uniform(1, 2, out=out),
    "uniform of a slice": lambda rng, out: rng.uniform(1, 2, out=out[::2]),
    "normal": lambda rng, out: rng.normal(_own(rng, out), 1, out=out),
    "dirichlet": lambda rng, out: rng.dirichlet([2, 3, 5, 6, 7], out=out.reshape(-1, 5)),
    "permuted": lambda rng, out: rng.permuted(_own(rng, out), out=out),
    "shuffle": lambda rng, out: rng.shuffle(out),
    "rank": lambda rng, out: rng.piece(0, 1).random(out.size, out=out),
    "streams": lambda rng, out: _streams(rng, 10).random(out.size // 10, out=out.reshape(-1, 10)),
    "NumPy's random": lambda rng, out: _numpys(rng).random(out=out, dtype=F),
    "NumPy's normal": lambda rng, out: _numpys(rng).standard_normal(out=out, dtype=F),
    "NumPy's shuffle": lambda rng, out: _numpys(rng).shuffle(out),
    "sort": lambda rng, out: order.sort(_own(rng, out), out=out),
    "cumsum": lambda rng, out: order.cumsum(_own(rng, out, whole), out=out.view(W)),
}
"""What writes to an array."""

READERS: dict[str, Callable[[clrng.Generator, Any], Any]] = {
    "choice": lambda rng, some: rng.choice(some, 100),
    "normal": lambda rng, some: rng.normal(some, 1, dtype=F),
    "take": lambda _, some: some.take(np.arange(4000)),
    "operator": lambda _, some: some + some,
    "PyOpenCL": _read_by_pyopencl,
}
"""What reads an array, and in a queue with an order adds no event to it."""
