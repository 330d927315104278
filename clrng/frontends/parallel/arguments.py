"""Checks of what says on which devices to draw, and how much on each."""

from collections.abc import Sequence
from math import isfinite
from numbers import Real
from typing import Any

import numpy as np
import pyopencl as cl

from clrng.frontends.arguments import check_queue
from clrng.opencl import devices
from clrng.validation import shown


def check_queues(values: Any) -> list[cl.CommandQueue]:
    """Return a queue for each of `values`; None stands for all GPUs, or the best device where there is none.

    Raises
    ------
    TypeError, ValueError, NoDeviceError, ForkError
        If it is not a sequence, is empty or has a queue twice; and as `check_queue` does.
    """
    if values is None:
        working = [info for info in devices.list_devices("gpu") if info.fault is None]
        return [check_queue(info) for info in working or [devices.choose_device()]]
    legal = "a sequence of one queue or more, or of what clrng.Generator takes as queue"
    if not isinstance(values, Sequence) or isinstance(values, (str, bytes)):
        raise TypeError(f"queues must be {legal}, not {shown(values)}")
    if not values:
        raise ValueError(f"queues must be {legal}, not {shown(values)}")
    found: list[cl.CommandQueue] = []
    for i, value in enumerate(values):
        queue = check_queue(value, f"queues[{i}]")
        if queue in found:
            raise ValueError(
                f"queues[{i}] must be another queue than queues[{found.index(queue)}], not the same; a second queue of "
                f"the same device is legal"
            )
        found.append(queue)
    return found


def check_shares(values: Any, count: int) -> tuple[float, ...] | None:
    """Return `values` as `count` floats; None stays None.

    Raises
    ------
    TypeError, ValueError
        If they are not `count` finite numbers of 0 or more, one of them larger.
    """
    if values is None:
        return None
    legal = f"{count} finite numbers of 0 or more, one for each of queues, not all 0"
    listed = isinstance(values, (Sequence, np.ndarray)) and not isinstance(values, (str, bytes))
    if not listed or not all(isinstance(value, Real) and not isinstance(value, bool) for value in values):
        raise TypeError(f"shares must be {legal}, not {shown(values)}")
    try:
        found = tuple(float(value) for value in values)
    except OverflowError:  # an integer or a fraction beyond the floats
        found = ()
    if len(found) != count or not all(isfinite(value) and value >= 0 for value in found) or not any(found):
        raise ValueError(f"shares must be {legal}, not {shown(values)}")
    return found
