"""The tree of jumps of recurrences over GF(2) with long states, as Mersenne Twisters have them."""

from typing import Any

import numpy as np
import numpy.typing as npt

from clrng.codegen import source
from clrng.distributions import RAW
from clrng.launch import plan as plans
from clrng.launch.jump_tree import GROUP_SIZE, STRETCH, JumpTree
from clrng.opencl.devices import DeviceInfo

FEW, SOME = 8, 64
"""The most states that are made by one level of jumps, and by two; more are made by three, as weights take long."""

VECTORS = 8
"""Sums that a work-item of a CPU keeps in vectors."""

CHUNK_BYTES = 32
"""Bytes of the words of a state that a work-item of a GPU makes."""

SLICES = 8
"""Work-items of a GPU that share the states of a sum."""

WEIGHTS = 32
"""Weights, of a bit each, in a word of them."""


class BinaryJumpTree(JumpTree):
    """Makes states as sums modulo 2 of as many states as the characteristic polynomial has coefficients."""

    def _shape(self, width: int, device: DeviceInfo) -> tuple[int, int, int, str]:
        code, slices = self._code, SLICES if width == 1 else 1
        chunk = VECTORS * width if width > 1 else CHUNK_BYTES // code.word.itemsize
        row_words, degree = plans.whole_groups(code.order, chunk), code.recurrence.jumps.degree
        source_words = plans.whole_groups(row_words + plans.whole_groups(degree, WEIGHTS) + chunk, WEIGHTS)
        values = {
            "chunk": chunk,
            "per_store": plans.values_per_store(code.word.itemsize),
            "padded": row_words,
            "source_words": source_words,
            "degree": degree,
            "lags": code.recurrence.lags,
            "stretch": STRETCH,
            "group_size": min(GROUP_SIZE, device.device.max_work_group_size),
            "slices": slices,
        }
        text = source.kernel("streams/jump_binary_states.cl.mako", code, RAW, width, values)
        return row_words, source_words, row_words // chunk * slices, text

    def _depth(self, count: int) -> int:
        return 1 if count <= FEW else 2 if count <= SOME else 3

    def _weights(self, powers: Any) -> npt.NDArray[Any]:
        """Return the weights of jumps as the device takes them: a bit each, the first in the lowest one of a word."""
        words = -(-self._code.recurrence.jumps.degree // WEIGHTS)
        packed = b"".join(power.to_bytes(words * WEIGHTS // 8, "little") for power in powers)
        return np.frombuffer(packed, "<u4").astype(np.uint32).reshape(len(powers), words)
