"""Arrays that a kernel makes of others on the device, number by number, for kernels behind it on the same queue."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.opencl import arrays
from clrng.opencl.kernel import Kernel
from clrng.opencl.spare import array_between
from clrng.proof.examples import Example, prove_by

Launch = Callable[..., cl.Event]
"""Launches a kernel, given a queue, the kernel, the array that is made, those of which it is made, and numbers."""


def made_of(
    queue: cl.CommandQueue, kernel: Kernel, launch: Launch, given: Sequence[cla.Array], shape: tuple[int, ...],
    dtype: np.dtype[Any], examples: Iterable[Example], *numbers: Any,
) -> cla.Array:  # fmt: skip
    """Return the array that a kernel, which is proved by examples, makes of those given."""

    def example(given: Sequence[cla.Array], results: Sequence[cla.Array], *numbers: Any) -> None:
        own: Any = given[0].queue
        launch(own, kernel, results[0], *given, *numbers)

    prove_by(queue, [kernel], example, examples)
    made = array_between(queue, shape, dtype)
    event = launch(queue, kernel, made, *given, *numbers)
    for each in (made, *given):  # which may be of another queue, though `with_queue` has put them on this one
        arrays.attach_event(queue, each, event)
    queue.flush()
    return made
