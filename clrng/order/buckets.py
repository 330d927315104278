"""A sort in buckets: one pass by the highest bits, and a work-item for the keys of each bucket that it makes.

The keys of a bucket fit the caches of a CPU. Where one bucket has too many, a work-item would sort most of the keys
alone. The device finds that out after it has counted: the launches that sort in buckets do nothing then, and
passes over all keys follow, which otherwise do nothing. The host need not wait to know.
"""

from typing import Any

import pyopencl as cl
import pyopencl.array as cla

from clrng.order.kernels import kernels_of
from clrng.order.keys import key_values
from clrng.order.moves import Moves, memory
from clrng.order.passes import Passes
from clrng.order.plans import SortPlan


class Buckets:
    """One sort in buckets.

    Parameters
    ----------
    plan : SortPlan
    bits : (int, int)
        The first bit to sort by and the one behind the last.
    buckets : pyopencl.array.Array of uint32
        Memory for where the buckets begin, where the last one ends, and whether one has too many keys.
    descending : bool
    odd : bool
        Whether the first pass must not write to the result.
    """

    def __init__(
        self, plan: SortPlan, bits: tuple[int, int], buckets: cla.Array, *, descending: bool, odd: bool
    ) -> None:
        self._plan, self._buckets, self._descending = plan, buckets, descending
        self._low, self._inner = bits[0], bits[1] - plan.bucket_bits
        self._passes = plan.bucket_passes(self._inner - self._low, odd=odd)

    def sort(self, keys: Moves, values: Moves, wait_for: list[cl.Event] | None) -> cl.Event:
        """Sort, unless a bucket has too many keys, and return the event of the last launch."""
        source: Any = keys.source
        top = Passes(
            source, self._plan, self._plan.bucket_bits,
            descending=self._descending, guard="buckets", buckets=self._buckets,
        )  # fmt: skip
        digit = self._inner, self._plan.bucket_bits
        event = top.run(digit, keys, values, self._passes, wait_for, first=True)
        template = {
            **key_values(source.dtype),
            "value": values.word,
            "keys_out": keys.result is not None,
            "passes": self._passes,
            "digit_bits": self._plan.inner_bits,
            "bucket_count": self._plan.bucket_count,
        }
        return kernels_of(source.queue).launch(
            source.queue, "sort_buckets", "sort_buckets", template, (self._plan.bucket_count, 1),
            self._buckets.base_data, self._low, self._inner, int(self._descending),
            *self._pair(keys), *self._pair(values), wait_for=[event],
        )  # fmt: skip

    def _pair(self, moves: Moves) -> list[Any]:
        """Return the places of the two arrays, first of the one that the buckets are in."""
        there = moves.target(self._passes)
        return memory(
            *(each for each in moves.arrays if each is there), *(each for each in moves.arrays if each is not there)
        )
