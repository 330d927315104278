"""NumPy's numbers are those that were recorded, of NumPy and of the device."""

from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest

import clrng
from clrng import WrongNumbersError
from clrng.frontends.numpy_streams import known_numbers


class OnHost:
    """A generator that returns arrays of the host."""

    def __init__(self, rng: Any) -> None:
        self._rng = rng

    def __getattr__(self, name: str) -> Any:
        def call(*arguments: Any, **named: Any) -> Any:
            found = getattr(self._rng, name)(*arguments, **named)
            return found.get() if isinstance(found, cla.Array) else found

        return call


@pytest.mark.parametrize("name", known_numbers.DIGESTS)
def test_recorded_numbers(queue: cl.CommandQueue, device: clrng.DeviceInfo, name: str) -> None:
    if not device.fp64:
        pytest.skip("most numbers are float64")
    found = known_numbers.digest(name, lambda rng: OnHost(clrng.from_numpy(rng, queue)))
    assert found == known_numbers.DIGESTS[name]


def test_another_numpy_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(known_numbers.DIGESTS, "Generator.integers", "01234567")
    known_numbers.check.cache_clear()
    with pytest.raises(
        WrongNumbersError, match=r"draws other numbers than those that clrng makes: Generator.integers\n"
    ):
        clrng.from_numpy(np.random.default_rng(1))
    monkeypatch.undo()
    clrng.from_numpy(np.random.default_rng(1))
