"""Fill a buffer with one exact stream."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache
from math import gcd
from typing import Any

import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions import Transform
from clrng.fill import plan as plans
from clrng.fill.arguments import copied, device_arguments, names_of
from clrng.fill.plan import LARGEST_LAUNCH, BlockPlan, Launch, Plan
from clrng.generators import BitGenerator, source
from clrng.generators.base import Words
from clrng.generators.generator_code import GeneratorCode
from clrng.opencl import arrays
from clrng.opencl.contexts import cached_method
from clrng.opencl.devices import DeviceInfo
from clrng.opencl.kernel import Kernel, kernel_of, launches, numbered
from clrng.opencl.transfers import wait_list
from clrng.proof.fills import FIRST, check_fill
from clrng.proof.prove import apart, prove

LaunchFill = Callable[[cla.Array, int, int, Words, Iterable[Any]], cl.Event]
"""Called with an array, the place of a value in its memory, a number n, the words of a state and the arguments of a
transform: from that place on, launches a fill with the n values that follow the state."""


class FillKernel:
    """Fills arrays with values of one generator in one arithmetic and one transform, on one queue.

    `plan` is the shape of every fill, for experiments: a `BlockPlan` for code that fills in blocks, else a `Plan`. By
    default it is chosen for the device and the size of a fill.
    """

    def __init__(
        self,
        queue: cl.CommandQueue,
        device: DeviceInfo,
        code: GeneratorCode,
        transform: Transform,
        plan: Plan | BlockPlan | None = None,
    ) -> None:
        in_blocks = code.fill_strategy == "blocks"
        if plan is not None and isinstance(plan, BlockPlan) != in_blocks:
            raise TypeError(f"plan must be a {'BlockPlan' if in_blocks else 'Plan'} for this code, not {plan!r}")
        self._queue = queue
        self._device = device
        self._code = code
        self._transform = transform
        self._plan = plan
        self.dtype = source.output_dtype(code, transform)
        self._ready = cached_method(self._prepare_blocks if in_blocks else self._prepare_strides)

    def _kernel(self, name: str, width: int, values: dict[str, int]) -> Kernel:
        copies = plans.table_copies(self._device, self._transform, name)
        near = plans.has_value_table(self._device, self._code, copies)
        return kernel_of(
            self._queue, name, source.kernel, f"fill/{name}.cl.mako", self._code, self._transform, width,
            values=values, copies=copies, near=near,
        )  # fmt: skip

    def _prepare_strides(self, streaming: bool) -> LaunchFill:
        """Return what launches the kernel in which states move on by strides."""
        chosen = self._plan if isinstance(self._plan, Plan) else None
        chosen = chosen or plans.choose(self._device, self._code, self.dtype.itemsize, streaming)
        chosen.check(self.dtype.itemsize)
        strides = len(self._code.stride(1))
        values = {
            "consecutive": chosen.consecutive,
            "interleaved": chosen.interleaved,
            "streaming": chosen.streaming,
            "stride_words": strides,
            "per_store": plans.values_per_store(self.dtype.itemsize),
        }
        kernel = self._kernel("fill", chosen.width, values)
        plan = replace(chosen, group_size=min(chosen.group_size, kernel.largest_group))
        queue, stride_of, steps = self._queue, self._code.stride, self._transform.steps

        kernel = kernel.taking(
            "out", "offset", "n", "start", *Launch._fields[1:], *numbered("stride", range(strides)),
            *names_of(self._transform.parameters),
        )  # fmt: skip

        @lru_cache(maxsize=64)
        def shaped(n: int) -> tuple[int, tuple[int, ...]]:
            """Return the work-items that make `n` values, and the arguments that follow from their number."""
            shape = plan.launch(n)
            moved = shape.tile_stride * plan.tile - (plan.consecutive if plan.consecutive > 1 else 0)
            return shape.global_size, (*shape[1:], *stride_of(moved * steps))

        def launch(out: cla.Array, offset: int, n: int, words: Words, arguments: Iterable[Any]) -> cl.Event:
            global_size, shape = shaped(n)
            return kernel(
                queue, global_size, plan.group_size, out.base_data, offset, n, *words, *shape, *arguments,
                wait_for=wait_list(out),
            )  # fmt: skip

        work_item = plan.tile if not plan.blocked else plan.tile * plan.launch(FIRST).tiles_each
        sweep = plan.tile * plan.global_size
        borders = [work_item * 3, work_item * plan.group_size, work_item * plan.group_size * 2, sweep]
        self._prove(kernel, streaming, FIRST if plan.blocked else 2 * sweep, borders)
        return launch

    def _prepare_blocks(self, streaming: bool) -> LaunchFill:
        """Return what launches the kernel in which every lane has a block of its own."""
        chosen = self._plan if isinstance(self._plan, BlockPlan) else None
        copies = plans.table_copies(self._device, self._transform, "fill_blocks")
        plan = chosen or plans.choose_blocks(self._device, self._code, self.dtype.itemsize, streaming, copies)
        phases, moved = self._code.phases, plan.chunk * self._transform.steps
        plan = replace(plan, together=phases // gcd(phases, moved))
        per_store = plans.values_per_store(self.dtype.itemsize)
        stores = plan.chunk // per_store
        if plan.width == 1 and (stores == 0 or plan.group_size % stores):
            raise ValueError(
                f"group_size must be a multiple of the {stores} stores of 16 bytes of a chunk, not {plan.group_size}"
            )
        values = {
            "chunk": plan.chunk,
            "group_size": plan.group_size,
            "unrolled": plan.unrolled,
            "streaming": plan.streaming,
            "resident": False,
            "state_words": 0,
            "per_store": per_store,
            "by_tables": self._code.jump_tables is not None,
            "by_groups": self._code.jumps_by_groups,
        }
        kernel, queue = self._kernel("fill_blocks", plan.width, values), self._queue
        tables = {} if self._code.jump_tables is None else {"tables": copied(queue, self._code.jump_tables)}
        jumps = tuple(tables.values())
        kernel = kernel.taking(
            "out", "offset", "n", *numbered("start", range(self._code.order)), *tables, "chunks_each",
            *names_of(self._transform.parameters),
        )  # fmt: skip

        def launch(out: cla.Array, offset: int, n: int, words: Words, arguments: Iterable[Any]) -> cl.Event:
            work_items, each = plan.launch(n)
            return kernel(
                queue, work_items, plan.group_size, out.base_data, offset, n, *words, *jumps, each, *arguments,
                wait_for=wait_list(out),
            )  # fmt: skip

        lane = plan.launch(FIRST)[1] * plan.chunk
        lanes = plan.width * (plan.group_size if plan.width == 1 else 1)
        self._prove(kernel, streaming, 2 * lanes * lane, [3 * lane, lanes * lane, (lanes + 1) * lane])
        return launch

    def _prove(self, kernel: Kernel, streaming: bool, n: int, borders: list[int]) -> None:
        """Prove the kernel by fills of `n` values, or a few more, in which work-items and groups meet at `borders`."""

        def check() -> None:
            own = apart(self._queue)
            same = FillKernel(own, self._device, self._code, self._transform, self._plan)
            launch = same._ready(streaming)
            arguments = device_arguments(own, self._transform).values()

            def make(out: cla.Array, offset: int, some: int, start: BitGenerator) -> None:
                arrays.attach_event(own, out, launch(out, offset, some, start.words, arguments))

            check_fill(own, self._code.recurrence, self._transform, make, n, borders)

        prove(self._queue, [kernel], check)

    def prepare(self, nbytes: int) -> None:
        """Build the kernel of fills of so many bytes."""
        self._ready(plans.streams_past_caches(self._device, nbytes))

    def fill(self, out: cla.Array, start: BitGenerator, transform: Transform | None = None) -> cl.Event | None:
        """Fill `out`, which is contiguous, with the values that follow `start`; return the last event.

        `transform` may be one that is equal to that of the kernel, with arguments of its own.
        """
        launch = self._ready(plans.streams_past_caches(self._device, out.nbytes))
        arguments = device_arguments(self._queue, transform or self._transform).values()
        offset, event = out.offset // out.dtype.itemsize, None
        for first, n in launches(0, out.size, LARGEST_LAUNCH):
            words = start.jumped(first * self._transform.steps).words if first else start.words
            event = launch(out, offset + first, n, words, arguments)
            arrays.attach_event(self._queue, out, event)
        return event
