"""NumPy's numbers as this room makes them: a NumPy that draws others is found out before they are mixed."""

import hashlib
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from clrng.errors import WrongNumbersError

SEED = 2026

Draw = Callable[[Any], list[Any]]
"""Called with a generator of NumPy, returns arrays that it draws."""


def _integers(method: str) -> Draw:
    def draw(rng: Any) -> list[Any]:
        limits = ((0, 1000, "int64"), (-5, 2**40, "int64"), (0, 2**32, "uint32"), (3, 200, "uint8"), (0, 2, "bool"))
        return [getattr(rng, method)(low, high, 9, dtype=dtype) for low, high, dtype in limits]

    return draw


OF_BOTH: dict[str, Draw] = {
    "uniform": lambda rng: [rng.uniform(0, 2, 9)],
    "bytes": lambda rng: [np.frombuffer(rng.bytes(0) + rng.bytes(7), np.uint8)],
    "choice": lambda rng: [rng.choice(9, 9), rng.choice(3, 9, p=[0.25, 0.5, 0.25])],
    "permutation": lambda rng: [rng.permutation(99)],
    "standard_normal": lambda rng: [rng.standard_normal(301).astype(np.float32)],
    "standard_exponential": lambda rng: [rng.standard_exponential(301).astype(np.float32)],
}
"""Numbers of NumPy's methods; those that the C library has a part in are rounded, as its last bits may differ."""

OF_GENERATOR: dict[str, Draw] = {
    "random": lambda rng: [rng.random(9), rng.random(9, np.float32)],
    "integers": _integers("integers"),
    **OF_BOTH,
    "standard_normal of float32": lambda rng: [rng.standard_normal(301, np.float32)],
    "standard_exponential of float32": lambda rng: [rng.standard_exponential(301, np.float32)],
}
OF_RANDOM_STATE: dict[str, Draw] = {
    "random_sample": lambda rng: [rng.random_sample(9)],
    "randint": _integers("randint"),
    **OF_BOTH,
}

DIGESTS = {
    "PCG64": "be627cbb",
    "PCG64DXSM": "8aa6fd8f",
    "MT19937": "f81e4e24",
    "Philox": "ce7f5c41",
    "Generator.random": "9f3d1bfd",
    "Generator.integers": "9794e484",
    "Generator.uniform": "b0fc67ce",
    "Generator.bytes": "3dd8ff4b",
    "Generator.choice": "875da34d",
    "Generator.permutation": "1d269448",
    "Generator.standard_normal": "cc97cff2",
    "Generator.standard_exponential": "d14c7d23",
    "Generator.standard_normal of float32": "1ed0829e",
    "Generator.standard_exponential of float32": "2b8a4412",
    "RandomState.random_sample": "63db8062",
    "RandomState.randint": "9607075e",
    "RandomState.uniform": "eff05590",
    "RandomState.bytes": "cb5a0568",
    "RandomState.choice": "173e574e",
    "RandomState.permutation": "dd6dee24",
    "RandomState.standard_normal": "85ca095f",
    "RandomState.standard_exponential": "ac049ec6",
}
"""The digests of numbers by what makes them, the same in NumPy 2.0 to 2.5."""


def digest(name: str, of: Callable[[Any], Any] = lambda rng: rng) -> str:
    """Return the digest of numbers that the NumPy that is installed makes, or what `of` makes of its generator."""
    kind, _, method = name.partition(".")
    if kind == "Generator":
        made = OF_GENERATOR[method](of(np.random.default_rng(SEED)))
    elif kind == "RandomState":
        made = OF_RANDOM_STATE[method](of(np.random.RandomState(SEED)))
    else:
        made = [getattr(np.random, kind)(SEED).random_raw(9)]
    return hashlib.sha256(repr([values.tolist() for values in made]).encode()).hexdigest()[:8]


@cache
def check() -> None:
    """Raise an error if the NumPy that is installed draws other numbers."""
    others = [name for name, known in DIGESTS.items() if digest(name) != known]
    if others:
        raise WrongNumbersError(
            f"NumPy {np.__version__} draws other numbers than those that clrng makes: {', '.join(others)}\n"
            f"What to do: install a NumPy from 2.0 to 2.5, or draw on the host with this one.",
            "the host",
            others[0],
        )
