"""How fast are draws whose parameters are arrays, such as Poisson numbers of an image, beside NumPy, CuPy and PyTorch?

The arrays of parameters are on the device, and so are the results, which fill an array that is there. NumPy draws fewer
values. After all rounds clrng's are drawn once more, and again in two calls of other lengths, which must give the same.
"""

import importlib
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
from harness.c_loop import Host
from harness.common import Results, arguments, attempt, chosen, kind_of, measure, run
from peers.peers_cuda import Cuda

import clrng
from clrng.measuring.timing import Work, poison
from clrng.opencl.devices import describe

SIZE = {"cpu": 2**20, "gpu": 2**26}
QUICK_SIZE = 2**12
ON_HOST = 2**18
"""The most values that NumPy draws."""

FEW = 250
"""How many different parameters the families have whose values come from tables."""

Parameters = dict[str, npt.NDArray[Any] | float | str]


class Subject(NamedTuple):
    """A method, and what makes so many of its parameters from a NumPy generator; those of `few` have few values."""

    method: str
    make: Callable[[np.random.Generator, int], Parameters]


def means(most: float, dtype: Any = np.float32) -> Subject:
    """Return Poisson numbers of means up to `most`."""
    return Subject("poisson", lambda rng, n: {"lam": (rng.random(n) * most).astype(dtype)})


def few(rng: np.random.Generator, n: int, low: float, high: float) -> npt.NDArray[np.float64]:
    """Return `n` parameters from `low` to `high`, of which `FEW` differ."""
    return rng.choice(np.linspace(low, high, FEW), n)


SUBJECTS: dict[str, Subject] = {
    "poisson, means to 255": means(255),
    "poisson, means of bytes": means(255, np.uint8),
    "poisson, means to 4000": means(4000),
    "poisson, means to 10^6": means(10**6),
    "binomial, n = 20": Subject("binomial", lambda rng, n: {"n": 20, "p": rng.random(n)}),
    "binomial, n = 1000": Subject("binomial", lambda rng, n: {"n": 1000, "p": rng.random(n)}),
    "negative_binomial, 250 p": Subject("negative_binomial", lambda rng, n: {"n": 10, "p": few(rng, n, 0.1, 0.9)}),
    "negative_binomial, n = 10": Subject("negative_binomial", lambda rng, n: {"n": 10, "p": 0.1 + 0.8 * rng.random(n)}),
    "geometric": Subject("geometric", lambda rng, n: {"p": 0.01 + 0.99 * rng.random(n)}),
    "gamma": Subject("standard_gamma", lambda rng, n: {"shape": 0.5 + 9.5 * rng.random(n)}),
    "gamma, float64": Subject(
        "standard_gamma", lambda rng, n: {"shape": 0.5 + 9.5 * rng.random(n), "dtype": "float64"}
    ),
    "chisquare": Subject("chisquare", lambda rng, n: {"df": 0.5 + 9.5 * rng.random(n)}),
    "standard_t": Subject("standard_t", lambda rng, n: {"df": 0.5 + 9.5 * rng.random(n)}),
    "weibull": Subject("weibull", lambda rng, n: {"a": 0.5 + 9.5 * rng.random(n)}),
    "beta, 250 a": Subject("beta", lambda rng, n: {"a": few(rng, n, 0.5, 10), "b": 2.0}),
    "beta": Subject("beta", lambda rng, n: {"a": 0.5 + 9.5 * rng.random(n), "b": 0.5 + 9.5 * rng.random(n)}),
    "f": Subject("f", lambda rng, n: {"dfnum": 0.5 + 9.5 * rng.random(n), "dfden": 0.5 + 9.5 * rng.random(n)}),
    "lognormal": Subject("lognormal", lambda rng, n: {"mean": rng.random(n), "sigma": 0.1 + rng.random(n)}),
    "vonmises": Subject("vonmises", lambda rng, n: {"mu": rng.random(n), "kappa": 0.1 + 9.9 * rng.random(n)}),
    "wald": Subject("wald", lambda rng, n: {"mean": 0.5 + rng.random(n), "scale": 0.5 + rng.random(n)}),
    "noncentral_chisquare": Subject(
        "noncentral_chisquare", lambda rng, n: {"df": 0.5 + 9.5 * rng.random(n), "nonc": 10 * rng.random(n)}
    ),
    "hypergeometric": Subject(
        "hypergeometric",
        lambda rng, n: {
            "ngood": rng.integers(125, 500, n),
            "nbad": rng.integers(125, 500, n),
            "nsample": rng.integers(1, 250, n),
        },
    ),
    "triangular": Subject(
        "triangular", lambda rng, n: {"left": -rng.random(n), "mode": 0.5 * rng.random(n), "right": 1 + rng.random(n)}
    ),
    "uniform": Subject(
        "uniform", lambda rng, n: {"low": -rng.random(n, np.float32), "high": rng.random(n, np.float32)}
    ),
    "integers": Subject("integers", lambda rng, n: {"low": rng.integers(-50, 0, n), "high": rng.integers(1, 1000, n)}),
    "normal, loc and scale": Subject(
        "normal",
        lambda rng, n: {"loc": rng.random(n, np.float32), "scale": rng.random(n, np.float32) + np.float32(0.5)},
    ),
}


def sliced(parameters: Parameters, begin: int, end: int | None) -> Parameters:
    """Return the parameters of some of the values."""
    return {name: value[begin:end] if np.ndim(value) else value for name, value in parameters.items()}  # type: ignore[index]  # which has an axis


def ours(queue: cl.CommandQueue, subject: Subject, parameters: Parameters, n: int) -> Work:
    """Return clrng's draws, and their check.

    Raises
    ------
    ClrngError
        If two calls give other values than one; so does the check of what is returned.
    """
    held: Any = {k: cla.to_device(queue, v) if isinstance(v, np.ndarray) else v for k, v in parameters.items()}
    rng = clrng.Generator(clrng.PCG64(1), queue)
    out = getattr(rng, subject.method)(**held)

    def once_more() -> None:
        same = clrng.Generator(rng.bit_generator.copy(), queue)
        poison(out)
        getattr(rng, subject.method)(**held, out=out)
        cut = n // 3 + 1
        for begin, end in ((0, cut), (cut, None)):
            part = getattr(same, subject.method)(**sliced(held, begin, end))
            if not np.array_equal(part.get(), out[begin:end].get()):
                raise clrng.ClrngError(f"{subject.method} of arrays gave other values in two calls")

    once_more()
    return Work(n, lambda: getattr(rng, subject.method)(**held, out=out), queue, once_more)


def numpys(subject: Subject, parameters: Parameters, n: int) -> Work:
    """Return NumPy's draws of as many values as it draws here."""
    rng, some = np.random.default_rng(1), min(n, ON_HOST)
    part = sliced(parameters, 0, some)
    return Work(some, lambda: getattr(rng, subject.method)(**part), Host())


def cupys(subject: Subject, parameters: Parameters, n: int) -> Work:
    """Return CuPy's draws."""
    cuda = Cuda()
    held = {name: cuda.cupy.asarray(value) for name, value in parameters.items()}
    draw = getattr(cuda.cupy.random, subject.method)
    return Work(n, lambda: draw(**held, size=n), cuda)


def torchs(parameters: Parameters, n: int) -> Work:
    """Return PyTorch's Poisson numbers, of floats."""
    torch: Any = importlib.import_module("torch")
    lam = torch.from_numpy(np.asarray(parameters["lam"], np.float32)).cuda()
    return Work(n, lambda: torch.poisson(lam), Cuda())


def main() -> None:
    """Measure, print and save."""
    options = arguments(
        __doc__, n={"type": int, "help": "the number of values"}, rounds=3,
        only={"default": "", "help": "what to measure, by a part of its name"},
    )  # fmt: skip
    queue = clrng.make_queue(options.device)
    kind = kind_of(describe(queue.device))
    n = options.n or (QUICK_SIZE if options.quick else SIZE[kind])
    results = Results(options, "parameter_arrays", queue, n=n, rounds=options.rounds)
    for name in chosen(SUBJECTS, options.only):
        subject = SUBJECTS[name]
        parameters = subject.make(np.random.default_rng(1), n)
        works = {"clrng": ours(queue, subject, parameters, n), "NumPy": numpys(subject, parameters, n)}
        if kind == "gpu":
            peers = {"CuPy": attempt(results, f"CuPy's {name}", lambda s=subject, p=parameters: cupys(s, p, n))}  # type: ignore[misc]  # a default argument
            if subject.method == "poisson":
                peers["PyTorch"] = attempt(results, f"PyTorch's {name}", lambda p=parameters: torchs(p, n))  # type: ignore[misc]
            works |= {who: work for who, work in peers.items() if work is not None}
        found = measure(queue, works, options.rounds, None)
        results.add(name, found)
        print(f"{name:24} " + "  ".join(f"{who} {row['rate'] / 1e9:.3f} G/s" for who, row in found.items()), flush=True)
    results.close()


if __name__ == "__main__":
    run(main)
