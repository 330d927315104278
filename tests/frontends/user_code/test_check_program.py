"""Checks of the generator in a user's own program: they pass on what is right, and fail on what is not."""

from typing import Any

import pyopencl as cl
import pytest

import clrng
from clrng.opencl.devices import describe
from tests.conftest import make_queue, own_queue

DISTRIBUTIONS = {
    "height": clrng.distribution("normal", loc=3, scale=2),
    "die": clrng.distribution("integers", low=1, high=7),
    "events": clrng.distribution("poisson", lam=3.5),
}
GENERATORS = {
    "park_miller": clrng.ParkMiller(seed=1),
    "mmix": clrng.named("mmix", 1),
    "mrg32k3a": clrng.MRG32k3a(),
    "mt19937": clrng.MT19937(1),
    "well512a": clrng.WELL512a([5] * 16),
    "lagged": clrng.LaggedFibonacci((5, 17), "*", seed=1),
}


def text_of(bits: clrng.BitGenerator, queue: cl.CommandQueue, **options: Any) -> str:
    return clrng.device_code(bits, device=queue.device, **{"distributions": DISTRIBUTIONS, "checks": True, **options})


def built(queue: cl.CommandQueue, text: str) -> cl.Program:
    return cl.Program(queue.context, text).build()


@pytest.mark.parametrize("name", GENERATORS)
def test_what_is_right_passes(queue: cl.CommandQueue, name: str) -> None:
    bits = GENERATORS[name]
    ran = clrng.check_program(built(queue, text_of(bits, queue)), queue, bits, distributions=DISTRIBUTIONS)
    kinds = ["raw", "float", *(["double"] if describe(queue.device).fp64 else []), *DISTRIBUTIONS]
    assert {f"{bits.name}_check_{kind}" for kind in kinds} <= set(ran)


CHANGES = {
    "the multiplier": ("16807", "16809"),
    "a single work-item": ("get_global_id(0)", "(get_global_id(0) == 17 ? 16 : get_global_id(0))"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_wrong_is_found(queue: cl.CommandQueue, change: str) -> None:
    bits, (old, new) = GENERATORS["park_miller"], CHANGES[change]
    text = text_of(bits, queue, arithmetic="integer")
    assert old in text
    program = built(queue, text.replace(old, new))
    with pytest.raises(clrng.WrongNumbersError, match="park_miller_check_raw.* is .*, not "):
        clrng.check_program(program, queue, bits, "integer", distributions=DISTRIBUTIONS)


def test_another_generator_is_found(queue: cl.CommandQueue) -> None:
    program = built(queue, text_of(clrng.ParkMiller(1, 48271), queue, distributions={}))
    with pytest.raises(clrng.WrongNumbersError):
        clrng.check_program(program, queue, clrng.ParkMiller(1))


def test_what_cannot_be_checked_is_refused() -> None:
    queue, bits = make_queue(0), GENERATORS["park_miller"]
    text = text_of(bits, queue)
    right, other = built(queue, text), own_queue(queue.device)
    misnamed = {**DISTRIBUTIONS, "evnts": clrng.distribution("poisson", lam=99)}
    refused: dict[str, tuple[Any, ...]] = {
        "^program must be a built pyopencl.Program, not 'text'": ("text", queue, bits),
        "^program must be built for the device of queue": (cl.Program(queue.context, text), queue, bits),
        "^program must be built from .*'my_'": (right, queue, bits, "auto", "my_"),
        "^program must .*park_miller_check_evnts.*, not only": (right, queue, bits, "auto", None, misnamed),
        "^program must .*, not only": (built(queue, text_of(bits, queue, checks=False) + KERNEL), queue, bits),
        "^queue must be a pyopencl.CommandQueue, not 0": (right, 0, bits),
        "^queue must be of the context of program": (right, other, bits),
    }
    for message, arguments in refused.items():
        with pytest.raises((TypeError, ValueError), match=message):
            clrng.check_program(*arguments)


KERNEL = "__kernel void nothing(__global uint *x) { x[0] = 1u; }"
