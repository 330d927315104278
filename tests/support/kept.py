"""What is kept for Oclgrind, which takes new memory at an old address for uninitialised beyond the old length."""

from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

KEPT: list[Any] = []


def kept(value: Any) -> Any:
    """Return `value` and keep it until the end."""
    KEPT.append(value)
    return value


class KeptBuffer(cl.Buffer):
    """Memory that is kept."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        kept(self)


class KeptProgram(cl.Program):
    """A program that is kept: its constants are in memory too."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        kept(self)


def keep_memory() -> None:
    """Keep all memory and all programs that are made from now on."""
    cl.Buffer, cl.Program = KeptBuffer, KeptProgram  # type: ignore[misc]


def same(found: cla.Array, expected: Any) -> None:
    """Compare with what is expected."""
    np.testing.assert_array_equal(kept(found).get(), np.reshape(expected, found.shape))
