"""What is drawn from distributions to measure it: calls of methods that clrng shares with NumPy, and the right values.

The host's values share nothing with the kernels: integers are made by the definitions in Python's integers and compared
exactly, real numbers by the quantile function and compared closely.
"""

from bisect import bisect_right
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl.array as cla

import clrng
from clrng.distributions.discrete import Discrete
from clrng.distributions.distribution import Between, Continuous, Distribution, Integers, transform_of
from clrng.distributions.transforms.uniform import grid
from clrng.measuring.timing import pieces
from peers.peers_device import uniform

COMPARED = 100
"""Values compared in the beginning, in the middle and at the end."""

CLOSE = {"float32": 2.0**-19, "float64": 2.0**-44}
"""How far a real number may be off, in parts of itself and of the standard deviation; the quantile is rounded too."""


@dataclass(frozen=True)
class Case:
    """A call of a method of `Generator`, but for the generator and `out`.

    Attributes
    ----------
    name : str
        Of the method with its parameters.
    dtype : str
    method : str
    arguments : dict
        By keyword.
    mean, deviation : float
        Of the values.
    """

    name: str
    dtype: str
    method: str
    arguments: dict[str, Any] = field(compare=False)
    mean: float = 0.0
    deviation: float = 1.0

    @property
    def label(self) -> str:
        """What its row is called."""
        return f"{self.name}, {self.dtype}"

    @property
    def law(self) -> Distribution | None:
        """The distribution; None for the methods `random_raw` and `random`."""
        if self.method in {"random_raw", "random"}:
            return None
        more = {"dtype": self.dtype} if self.method == "integers" else {}
        return clrng.distribution(self.method, **self.arguments, **more)

    def draw(self, rng: clrng.Generator, out: cla.Array) -> None:
        """Fill `out`."""
        getattr(rng, self.method)(**self.arguments, out=out)

    def check(self, bits: clrng.BitGenerator, out: cla.Array, who: str) -> None:
        """Compare the beginning, the middle and the end of `out` with the values of the host from `bits` on.

        Raises
        ------
        ClrngError
            If one is other.
        """
        law, dtype, steps = self.law, np.dtype(self.dtype), 1
        halves = bits.has_halves and dtype == np.float32 and (law is None or law.fits_half(dtype))
        taken: clrng.BitGenerator = bits.halves() if halves else bits  # type: ignore[attr-defined]  # where it has them
        if law is not None:
            steps = transform_of(law, taken.min_value, taken.upper_bound, dtype).steps
        for first, values in pieces(out, COMPARED):
            right = expected(law, taken.jumped(first * steps), values.size, steps, dtype)
            near = CLOSE[self.dtype] if isinstance(law, Continuous) else 0.0
            if not np.allclose(values, right, rtol=near, atol=near * self.deviation):
                raise clrng.ClrngError(f"{bits!r}: {who} gave wrong values of {self.label} near {first}")


def expected(
    law: Distribution | None, bits: clrng.BitGenerator, n: int, steps: int, dtype: np.dtype[Any]
) -> npt.NDArray[Any]:
    """Return the next `n` values of a distribution by the host, each made of `steps` values of `bits`.

    Those of a continuous one are float64, not rounded to `dtype`. Without `law` they are raw or in [0, 1).
    """
    raw = bits.sequence(n * steps)
    if law is None:
        return uniform(bits, raw, dtype) if dtype.kind == "f" else raw
    count, numbers = (bits.upper_bound - bits.min_value) ** steps, [0] * n
    for digit in range(steps):
        more = raw[digit::steps].tolist()
        numbers = [
            x * (bits.upper_bound - bits.min_value) + y - bits.min_value for x, y in zip(numbers, more, strict=True)
        ]
    if isinstance(law, Continuous):
        return continuous(law, numbers, count)
    if isinstance(law, Between):
        steps_of = grid(law.low, law.high, law.interval, dtype)
        places = (x * steps_of.count // count for x in numbers)
        return np.array(
            [steps_of.bound if i == steps_of.special else (steps_of.first + i) * steps_of.unit for i in places]
        )
    if isinstance(law, Integers):
        return np.array([law.low + x * law.n // count for x in numbers])
    if not isinstance(law, Discrete):
        raise TypeError(f"law must be a distribution of one's own kind of values, not {law!r}")
    low, thresholds = law.thresholds(count)
    return np.array([low + bisect_right(thresholds, x) for x in numbers])


def continuous(law: Continuous, numbers: list[int], count: int) -> npt.NDArray[np.float64]:
    """Return the quantiles at (X + 1/2)/`count` of numbers X."""
    upper = np.array([2 * x + 1 > count for x in numbers])
    tails = np.array([(2 * (count - x) - 1 if 2 * x + 1 > count else 2 * x + 1) / (2 * count) for x in numbers])
    standard = np.where(upper, law.quantile(tails, upper=True), law.quantile(tails, upper=False))
    located: npt.NDArray[np.float64] = law.loc + law.scale * standard
    return located


def _integers(text: str, n: int) -> list[Case]:
    moments = (n - 1) / 2, sqrt((n * n - 1) / 12)
    return [Case(f"integers({text})", dtype, "integers", {"low": 0, "high": n}, *moments) for dtype in WHOLE]


def _counted(name: str, method: str, arguments: dict[str, Any], mean: float, variance: float) -> list[Case]:
    return [Case(name, dtype, method, arguments, mean, sqrt(variance)) for dtype in ("int32", "int64")]


WHOLE = ("uint32", "int64")

CASES = [
    Case("standard_normal", "float32", "standard_normal", {}),
    Case("normal(1, 2)", "float32", "normal", {"loc": 1.0, "scale": 2.0}, 1.0, 2.0),
    Case("standard_exponential", "float32", "standard_exponential", {}, 1.0),
    Case("standard_gamma(2.5)", "float32", "standard_gamma", {"shape": 2.5}, 2.5, sqrt(2.5)),
    Case("beta(2, 5)", "float32", "beta", {"a": 2.0, "b": 5.0}, 2 / 7, sqrt(10 / 392)),
    Case("standard_t(4)", "float32", "standard_t", {"df": 4.0}, 0.0, sqrt(2)),
    Case("uniform(-1, 1)", "float32", "uniform", {"low": -1.0, "high": 1.0}, 0.0, sqrt(1 / 3)),
    Case("random", "float32", "random", {}, 0.5, sqrt(1 / 12)),
    Case("random_raw", "uint32", "random_raw", {}),
    *_integers("6", 6),
    *_integers("10^6", 10**6),
    *_integers("2^24", 2**24),
    *_counted("poisson(3.5)", "poisson", {"lam": 3.5}, 3.5, 3.5),
    *_counted("poisson(1000)", "poisson", {"lam": 1000.0}, 1000.0, 1000.0),
    *_counted("binomial(20, 0.3)", "binomial", {"n": 20, "p": 0.3}, 6.0, 4.2),
    Case("standard_normal", "float64", "standard_normal", {}),
    Case("random", "float64", "random", {}, 0.5, sqrt(1 / 12)),
]
"""The most telling first."""
