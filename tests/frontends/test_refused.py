"""Methods of NumPy's `Generator` that some front ends refuse, and those that are not."""

import inspect
from typing import Any

import numpy as np
import pytest

import clrng
from tests.conftest import make_queue

ORDER: dict[str, tuple[Any, ...]] = {"shuffle": (np.arange(3),), "permutation": (3,), "permuted": ([1, 2, 3],)}
"""What puts things in order, and draws no values, with arguments that NumPy takes."""


@pytest.mark.parametrize("name", ORDER)
def test_a_refusal_has_a_reason_and_moves_nothing(name: str) -> None:
    whole = clrng.Generator(clrng.ParkMiller(seed=1), make_queue(0))
    several = clrng.MultiDeviceGenerator(clrng.ParkMiller(seed=1), [make_queue(0)])
    for rng in (whole.piece(0, 2), several):
        for more in ({}, {"size": 3}, {"nonsense": None}):
            with pytest.raises(
                clrng.UnsupportedError, match=f"^{name} is not drawn here: .* Generator.* draws the whole of it"
            ):
                getattr(rng, name)(*ORDER[name], **more)
        assert rng.bit_generator == clrng.ParkMiller(seed=1)


def test_every_method_of_numpy_is_there() -> None:
    """Drawn by a generator of whole arrays; what others refuse is what NumPy has."""
    numpys = {name for name, _ in inspect.getmembers(np.random.Generator, callable) if not name.startswith("_")}

    def refused(kind: type) -> set[str]:
        return {name for name in numpys if "UnsupportedError\n    Always: " in (getattr(kind, name).__doc__ or "")}

    assert refused(clrng.Generator) == set()
    for kind in (clrng.RankGenerator, clrng.MultiDeviceGenerator):
        assert refused(kind) == ORDER.keys()
