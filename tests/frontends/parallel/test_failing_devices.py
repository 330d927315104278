"""What several devices refuse, and what a failure of one of them leaves: the stream where it was."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.opencl.kernel import Kernel
from tests.support import oracle
from tests.support.generators import GENERATORS
from tests.support.several_queues import QUEUES, SHARES, doubles, several

pytestmark = pytest.mark.device
Draw = Callable[[Any], Any]
OTHER = clrng.MultiDeviceGenerator(clrng.ParkMiller(seed=1), [clrng.make_queue(0)], [1])
REFUSED: list[tuple[Draw, type[Exception], str]] = [
    (lambda rng: rng.random_raw(-1), ValueError, "^size must be"),
    (lambda rng: rng.random_raw(out=3), TypeError, "^out must be a MultiDeviceArray.*, not 3$"),
    (lambda rng: rng.random_raw(out=cla.Array(QUEUES[0], 5, "uint32")), TypeError, "^out must be a MultiDeviceArray"),
    (lambda rng: rng.random_raw(4, out=rng.random_raw(3)), ValueError, r"^out must have shape \(4,\).*not \(3,\)"),
    (
        lambda rng: rng.random(out=rng.random_raw(3)),
        ValueError,
        "^out.dtype must be float32 or float64 or float16 or bfloat16, not uint32$",
    ),
    (lambda rng: rng.random_raw(out=rng.random(3)), ValueError, "^out must have dtype uint32, not float32$"),
    (lambda rng: rng.random_raw(out=OTHER.random_raw(3)), ValueError, "^out must have all its parts on queues of this"),
    (lambda rng: rng.random_raw(4, out=np.zeros(3, "uint32")), ValueError, "^out must have shape"),
    (
        lambda rng: rng.random(3, dtype="int8"),
        ValueError,
        "^dtype must be float32 or float64 or float16 or bfloat16, not int8$",
    ),
    (lambda rng: rng.normal(0, -np.ones(3)), ValueError, "^scale must be finite numbers of 0 or more as float32, not"),
    (lambda rng: rng.normal(np.ones(3), 1, (3, 2)), ValueError, "^size must be a shape to which loc of shape"),
    (lambda rng: rng.normal(np.ones(3), 1, out=3), TypeError, "^out must be"),
    (lambda rng: rng.poisson(cla.zeros(QUEUES[0], 3, "float32") - 1), ValueError, "^lam must be .* element 0 of lam"),
    (lambda rng: rng.choice([1, 2], p=[0.5, 0.6]), ValueError, "^p must"),
    (lambda rng: rng.random_raw(2**60), ValueError, "^size must make at most"),
    (lambda rng: rng.random_raw(2**62, out=np.ndarray), ValueError, "^size must make at most .* for an array of NumPy"),
]


@pytest.mark.parametrize(("draw", "error", "match"), REFUSED)
def test_what_is_refused_does_not_move_the_stream(draw: Draw, error: type[Exception], match: str) -> None:
    rng = several(clrng.ParkMiller(seed=1))
    with pytest.raises(error, match=match):
        draw(rng)
    drawn = rng.bit_generator.copy()
    assert drawn in (clrng.ParkMiller(seed=1), clrng.ParkMiller(seed=1).jumped(3))  # where it drew `out` before
    assert_array_equal(rng.random_raw(9).get(), drawn.sequence(9))


BAD: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"queues": []}, ValueError, r"^queues must be a sequence of one queue or more, .*, not \[\]$"),
    ({"queues": QUEUES[0]}, TypeError, "^queues must be a sequence of one queue or more, .*, not a pyopencl"),
    ({"queues": "gpu"}, TypeError, "^queues must be a sequence of one queue or more, .*, not 'gpu'$"),
    (
        {"queues": [QUEUES[0], 10**6]},
        clrng.NoDeviceError,
        r"^queues\[1\] must be on a device that there is, not 1000000",
    ),
    ({"queues": [QUEUES[0], 1.5]}, TypeError, r"^queues\[1\] must be a pyopencl.CommandQueue.* not 1.5$"),
    ({"queues": [*QUEUES, QUEUES[1]]}, ValueError, rf"^queues\[{len(QUEUES)}\] must be another queue than queues\[1\]"),
    ({"shares": [1]}, ValueError, rf"^shares must be {len(QUEUES)} finite numbers of 0 or more, .* not \[1\]$"),
    ({"shares": [0] * len(QUEUES)}, ValueError, "^shares must be .*, not all 0, not"),
    ({"shares": [2, -1, *[1] * (len(QUEUES) - 2)]}, ValueError, "^shares must be .*, not all 0, not"),
    ({"shares": [1, float("nan"), *[1] * (len(QUEUES) - 2)]}, ValueError, "^shares must be .*nan"),
    ({"shares": [1, float("inf"), *[1] * (len(QUEUES) - 2)]}, ValueError, "^shares must be .*inf"),
    ({"shares": [10**400, *[1] * (len(QUEUES) - 1)]}, ValueError, r"^shares must be .*, not \[an integer of 1329 bits"),
    ({"shares": [1, None, *[1] * (len(QUEUES) - 2)]}, TypeError, "^shares must be .*None"),
    ({"shares": 3}, TypeError, "^shares must be .*, not 3$"),
    ({"arithmetic": "none"}, ValueError, "^arithmetic must be"),
    ({"bit_generator": 3}, TypeError, "^bit_generator must be a clrng bit generator"),
]


@pytest.mark.parametrize(("arguments", "error", "match"), BAD)
def test_bad_arguments(arguments: dict[str, Any], error: type[Exception], match: str) -> None:
    with pytest.raises(error, match=match):
        clrng.MultiDeviceGenerator(**{"bit_generator": clrng.ParkMiller(seed=1), "queues": QUEUES, **arguments})


def test_a_device_without_doubles() -> None:
    rng = several(clrng.ParkMiller(seed=1))
    rng._workers[1]._device = replace(rng.devices[1], fp64=False, name="Plain")
    with pytest.raises(
        clrng.UnsupportedError, match="^dtype float64 needs double precision, which Plain does not have"
    ):
        rng.random(10, dtype="float64")
    assert_array_equal(rng.random_raw(5).get(), oracle.sequence(1, 5))


@pytest.mark.parametrize("name", ["park_miller", "lagged_+_24_55"])
@pytest.mark.parametrize("out", [None, np.ndarray])
def test_a_device_that_fails(name: str, out: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rng, bits = several(GENERATORS[name]), GENERATORS[name]
    rng.random_raw(10)

    def refusing(*_: Any, **__: Any) -> None:
        raise clrng.BuildError("refused", "", "")

    with monkeypatch.context() as patch:
        patch.setattr(rng._workers[1], "_fill", refusing)
        with pytest.raises(clrng.BuildError, match="^refused$"):
            rng.random_raw(1000, out=out)
    assert_array_equal(rng.random_raw(1000).get(), bits.jumped(10).sequence(1000))


@pytest.mark.parametrize("name", ["park_miller", "linear_3_2^31-1", "lagged_+_24_55"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_kernel_that_is_refused_leaves_all_as_it_was(name: str, dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if dtype == "float64" and not doubles():
        pytest.skip("a device has no double precision")
    bits, contexts = GENERATORS[name], [cl.Context([queue.device]) for queue in QUEUES]
    queues = [cl.CommandQueue(context) for context in contexts]
    rng = clrng.MultiDeviceGenerator(bits.copy(), queues, SHARES[0])
    out, make = np.full(1000, 7, dtype), Kernel.__init__

    def refusing(self: Kernel, context: cl.Context, *arguments: Any) -> None:
        if context == contexts[1]:
            raise clrng.BuildError("refused", "", "")
        make(self, context, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr(Kernel, "__init__", refusing)
        with pytest.raises(clrng.BuildError, match="^refused$"):
            rng.standard_normal(out=out)
    assert (out == 7).all()
    assert_array_equal(rng.standard_normal(out=out), clrng.Generator(bits.copy(), 0).standard_normal(1000, dtype).get())


def test_elements_that_cannot_be_taken_leave_the_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    def refusing(*_: object, **__: object) -> None:
        raise clrng.BuildError("refused", "", "")

    rng = several(clrng.ParkMiller(seed=1))
    monkeypatch.setattr("clrng.order.copies.kernel_of", refusing)
    with pytest.raises(clrng.BuildError, match="^refused$"):
        rng.choice(np.arange(5), 10)
    assert rng.bit_generator == clrng.ParkMiller(seed=1)
