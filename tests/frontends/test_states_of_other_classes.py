"""States of another class than the generator's: the error says which class they are of and which is wanted."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pyopencl as cl
import pytest

import clrng
import clrng.dask

OTHER = clrng.MRG32k3a().state
PARK_MILLER = "'ParkMiller'"

HOLDERS: dict[str, tuple[Callable[[cl.CommandQueue], Any], str]] = {
    "Generator": (lambda queue: clrng.Generator(clrng.ParkMiller(1), queue), PARK_MILLER),
    "default_rng": (lambda queue: clrng.default_rng(1, queue), "'PCG64'"),
    "piece": (lambda queue: clrng.Generator(clrng.ParkMiller(1), queue).piece(1, 2), PARK_MILLER),
    "MultiDeviceGenerator": (lambda queue: clrng.MultiDeviceGenerator(clrng.ParkMiller(1), [queue]), PARK_MILLER),
    "dask": (lambda _: clrng.dask.Generator(clrng.ParkMiller(1)), PARK_MILLER),
    "NumPy": (lambda queue: np.random.Generator(clrng.numpy_bit_generator(clrng.ParkMiller(1), queue)), PARK_MILLER),
    "from_numpy": (lambda queue: clrng.from_numpy(np.random.default_rng(1), queue), "'PCG64'"),
    "RandomState": (lambda queue: clrng.from_numpy(np.random.RandomState(1), queue), "'MT19937'"),
}


@pytest.mark.parametrize("name", HOLDERS)
def test_the_bit_generator_of_a_front_end(name: str, queue: cl.CommandQueue) -> None:
    make, wanted = HOLDERS[name]
    bits = make(queue).bit_generator
    before = bits.state
    with pytest.raises(ValueError, match=rf"^state\['bit_generator'\] must be {wanted}, not 'MRG32k3a'$"):
        bits.state = OTHER
    assert str(bits.state) == str(before)


@pytest.mark.parametrize("bits", [clrng.ParkMiller(1), clrng.MRG32k3a(), clrng.MT19937()], ids=str)
def test_streams_take_arrays(bits: clrng.BitGenerator, queue: cl.CommandQueue) -> None:
    streams = clrng.Streams.by_jumps(bits, 3, 1000, queue)
    before = streams.states
    shown = re.escape("not {'bit_generator': 'MRG32k3a', ")
    with pytest.raises(ValueError, match=f"^states must be a (one|two)-dimensional array of .*, {shown}"):
        streams.states = OTHER
    with pytest.raises(ValueError, match=f"^seeds must be a (one|two)-dimensional array of .*, {shown}"):
        clrng.Streams.from_seeds(bits, OTHER, queue)
    assert (streams.states == before).all()


def test_a_state_is_no_bit_generator(queue: cl.CommandQueue) -> None:
    shown = re.escape("not {'bit_generator': 'MRG32k3a', ")
    with pytest.raises(TypeError, match=f"^bit_generator must be a clrng bit generator .*, {shown}"):
        clrng.Generator(OTHER, queue)  # type: ignore[arg-type]
    rng = clrng.Generator(clrng.ParkMiller(1), queue)
    rng.bit_generator = OTHER  # type: ignore[assignment]
    with pytest.raises(TypeError, match=f"^bit_generator must be a clrng bit generator .*, {shown}"):
        rng.random(3)
