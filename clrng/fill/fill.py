"""Fill a buffer with one exact stream: the shape of a fill, its kernels, and their arguments.

A shape says how the values are divided among work-items and lanes of vectors, and is chosen for the device. The values
are the same for every shape.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import gcd, inf
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions import Table, Transform
from clrng.fill.counter_tiles import EXCHANGED, EXCHANGING, Tile, choose_tile, values_of_each
from clrng.generators import BitGenerator, source
from clrng.generators.base import Words
from clrng.generators.generator_code import GeneratorCode
from clrng.opencl import arrays
from clrng.opencl.arrays import wait_list
from clrng.opencl.devices import DeviceInfo
from clrng.opencl.kernel import (
    Kernel,
    Repeated,
    cached_method,
    declared_name,
    kernel_of,
    launches,
    numbered,
    of_queue,
    whole_groups,
)
from clrng.opencl.traits import LONGEST_LOOP, LONGEST_VECTOR, traits_of
from clrng.proof.prove import FIRST, check_fill, prove

if TYPE_CHECKING:
    from clrng.generators.counter_based import CountingCode
    from clrng.generators.halves import HalvesCode

LARGEST_CACHED = 2**26
"""The maximum bytes that a fill leaves in the caches of a CPU, however large these are said to be: a virtual machine
may report the caches of its whole host. On one that reported 503 MB, stores past the caches were as fast as others for
64 MiB and 2.5 times as fast for 128 MiB."""

LARGEST_LAUNCH = 2**31
"""The maximum number of values of one launch; a larger fill takes several."""

SMALLEST_WORD = 4
"""Bytes of the smallest word of a state."""

STORE_BYTES = 16
"""Bytes that a work-item of a GPU writes in one store."""

OF_WHOLE = f"{source.VECTOR}whole_"
"""What the names of the functions on vectors of whole values begin with, in fills of halves."""

CACHE_LINE = 64
"""Bytes of a line of the caches of a CPU."""

GATHERED = 8
"""States of a work-item of a CPU, at least, where these are scalars and their values are converted in vectors."""

SIGNIFICANT_BITS = 6
"""The significant bits of a rounded length of blocks, which is then at most 3 % longer than it has to be."""

CHUNK_BYTES = 256
"""Bytes of a chunk on a GPU: two of its cache lines."""

CHUNK_BYTES_BESIDE_TABLES = 128
"""Bytes of a chunk on a GPU where tables take part of the local memory."""

USUAL_GROUP, SMALL_GROUP = 64, 32
"""Lanes of a work-group of a GPU, and where a generator asks for small groups."""

BITS_OF_JUMPS = 5
"""Significant bits of the chunks of a lane where the lanes of a group jump from its beginning."""


def values_per_store(itemsize: int) -> int:
    """Return how many values of `itemsize` bytes a work-item of a GPU writes in one store."""
    return STORE_BYTES // itemsize


class Launch(NamedTuple):
    """One launch: which tiles each work-item makes.

    Work-item k makes tile k * first_tile and then every tile_stride-th tile after it, at most tiles_each in all.
    """

    global_size: int  # Work-items, a multiple of those of a work-group
    first_tile: int
    tile_stride: int
    tiles_each: int


@dataclass(frozen=True)
class Plan:
    """The shape of a fill in which states move on by strides.

    The buffer is cut into tiles. Of each tile that a work-item makes, its states make a part each, and a stride takes
    them to their parts of the work-item's next tile.
    """

    # Lanes of a state that is a vector: it makes as many neighbouring values at once. 1 where states are scalars
    width: int
    # Values that a scalar state makes one after the other, by steps, before a stride moves it on. 1 for vectors, which
    # a stride moves on after every value
    consecutive: int
    # States of a work-item. They do not depend on one another, so that a processor works on several at a time
    interleaved: int
    # Whether the tiles of a work-item are neighbours (CPUs) or those of neighbouring work-items are (GPUs)
    blocked: bool
    streaming: bool  # Whether stores go past the caches
    global_size: int  # Work-items of a launch; there are more where one would have more than `LONGEST_LOOP` tiles
    group_size: int  # Work-items of a work-group
    gathers: bool = False  # Whether raw values of the states of a tile, which are scalars, are converted in a vector

    def __post_init__(self) -> None:
        if self.width > 1 and self.consecutive != 1:
            raise ValueError(f"consecutive must be 1 for vectors, not {self.consecutive} for {self.width} lanes")

    def check(self, out_bytes: int) -> None:
        """Check that whole stores of 16 bytes hold the outputs, of `out_bytes` bytes, of a scalar state or states."""
        group, together = values_per_store(out_bytes), self.interleaved if self.consecutive == 1 else self.consecutive
        if self.width == 1 and together % group:
            raise ValueError(
                f"consecutive, or interleaved where that is 1, must be a multiple of {group}, not {together}"
            )

    @property
    def tile(self) -> int:
        """Values of a tile."""
        return self.width * self.consecutive * self.interleaved

    def launch(self, n: int) -> Launch:
        """Return the launch that makes `n` values, 1 or more."""
        tiles = -(-n // self.tile)
        work_items = max(min(self.global_size, tiles), -(-tiles // LONGEST_LOOP))
        each = -(-tiles // work_items)
        work_items = whole_groups(work_items, self.group_size)
        return Launch(work_items, each, 1, each) if self.blocked else Launch(work_items, 1, work_items, each)


def table_copies(device: DeviceInfo, transform: Transform, kernel: str, most: int | None = None) -> int:
    """Return how many copies of the tables of `transform` a work-group of a fill has in local memory; none on a CPU.

    A group of a `kernel` that makes blocks needs some of that memory itself, and more groups run where each has less:
    on an H200 fewer copies than fit were faster. They take at most so many bytes, if `most` is given.
    """
    if not traits_of(device).local_tables:
        return 0
    room: int = device.device.local_mem_size
    room = room if kernel in {"fill", "fill_halves", "fill_runs", "fill_counters"} else room * 5 // 12
    return transform.local_copies(room if most is None else min(room, most))


def has_value_table(device: DeviceInfo, code: GeneratorCode, copies: int) -> bool:
    """Return whether a work-group of a fill in blocks has the table of raw values in local memory: on a GPU it has.

    Work-items that look up different words of constant memory wait for one another there. The table may take a third of
    the local memory, or a twelfth beside `copies` of the tables of a transform.
    """
    if not traits_of(device).local_tables or code.value_table is None:
        return False
    room: int = device.device.local_mem_size
    return code.value_table.nbytes <= room // (12 if copies else 3)


def most_cached(device: DeviceInfo) -> float:
    """Return the maximum bytes of a fill that `device` stores in its caches, where whoever reads them next finds them.

    There is no maximum where the compiler does not know stores past the caches.
    """
    if not traits_of(device).stores_past_caches:
        return inf
    return min(device.device.global_mem_cache_size, LARGEST_CACHED)


@dataclass(frozen=True)
class BlockPlan:
    """The shape of a fill in which every lane steps through a block of its own.

    A lane is an element of a vector or, where there are no vectors, a work-item. Its block is a number of chunks. Lanes
    do not store their values as they are made, which would be far apart: after each chunk they exchange values, so that
    a store has neighbouring ones.
    """

    width: int  # Lanes of a vector, or 1 where lanes are work-items, which exchange values in local memory
    chunk: int  # Values of a chunk, a power of two
    streaming: bool  # Whether stores go past the caches
    lanes: int  # Lanes of a launch; there are more where one would have more than `longest` chunks
    shortest: int  # The minimum chunks of a lane: a small fill has fewer lanes, not shorter blocks
    group_size: int  # Work-items of a work-group
    unrolled: bool  # Whether the steps of a chunk are written out, not in a loop
    # The chunks of a lane are a multiple of this, if there may be so many, so that all lanes do the same at a time
    together: int = 1
    # The most significant bits of the chunks of a lane, if these are rounded up, so that jumps over them are short
    bits: int | None = None

    def __post_init__(self) -> None:
        if self.chunk < 1 or self.chunk & (self.chunk - 1):
            raise ValueError(f"chunk must be a power of two, not {self.chunk}")

    @property
    def values(self) -> dict[str, int]:
        """The values that templates take of the shape itself."""
        shape = {"chunk": self.chunk, "group_size": self.group_size, "unrolled": self.unrolled}
        return {**shape, "streaming": self.streaming}

    @property
    def longest(self) -> int:
        """The maximum chunks of a lane; one that is not unrolled has a loop of its own, of at most chunk / 2 turns."""
        return LONGEST_LOOP // (1 if self.unrolled else self.chunk // 2 + 1)

    def launch(self, n: int) -> tuple[int, int]:
        """Return the work-items, and the chunks of each lane, that make `n` values.

        There are enough work-items that none makes more than one of the values before and after the whole chunks.
        """
        chunks = max(n // self.chunk, 1)
        wanted = max(-(-chunks // self.lanes), min(self.shortest, -(-chunks // self.width)))
        if self.bits is not None:
            wanted = rounded(wanted, self.bits)
        each = min(whole_groups(wanted, self.together), self.longest // self.together * self.together or self.longest)
        work_items = max(-(-chunks // (each * self.width)), min(n, 2 * self.chunk))
        return whole_groups(work_items, self.group_size), each

    def even(self, chunks: int) -> int:
        """Return the chunks of each lane, of which the last may have fewer; lengths are `rounded`."""
        return min(rounded(-(-chunks // self.lanes)), self.longest)


def rounded(n: int, bits: int = SIGNIFICANT_BITS) -> int:
    """Return `n` rounded up to few significant bits: fills of about the same size share what is made."""
    unit = 1 << max(n.bit_length() - bits, 0)
    return -(-n // unit) * unit


def choose_blocks(
    device: DeviceInfo, code: GeneratorCode, out_bytes: int, streaming: bool, copies: int = 0
) -> BlockPlan:
    """Return the shape of a fill with outputs of `out_bytes` bytes in which every lane has a block.

    A work-group has `copies` of the tables of its transform in local memory.
    """
    width, like_gpu = min(code.max_vector_width, 64 // out_bytes, LONGEST_VECTOR), traits_of(device).side_by_side
    if not like_gpu and width > 1:
        chunk, lanes = min(64 // out_bytes, LONGEST_VECTOR), 32 * device.units * width
        past = streaming and chunk * out_bytes == 64  # noqa: PLR2004  # parts of lines are slow
        return BlockPlan(width, chunk, past, lanes, code.shortest_block, 1, unrolled=True)
    chunk_bytes = CHUNK_BYTES_BESIDE_TABLES if copies else CHUNK_BYTES
    lanes_per_unit = code.lanes_of_gpu if like_gpu else 64
    chunk, lanes = chunk_bytes // max(out_bytes, SMALLEST_WORD), lanes_per_unit * device.units
    usual = SMALL_GROUP if like_gpu and code.in_small_groups and not copies else USUAL_GROUP
    group_size = usual if device.device.max_work_group_size >= usual else CHUNK_BYTES // STORE_BYTES
    alike = code.phases == 1 and code.value_table is None
    unrolled = code.max_vector_width > 1 and not traits_of(device).in_vectors and alike
    bits = BITS_OF_JUMPS if code.jumps_by_groups and like_gpu else None
    return BlockPlan(1, chunk, streaming, lanes, 1, group_size, unrolled, bits=bits)


def choose_strides(device: DeviceInfo, code: GeneratorCode, out_bytes: int, streaming: bool) -> Plan:
    """Return the shape of a fill with outputs of `out_bytes` bytes, stored past the caches where `streaming`.

    Where work-items run side by side, a state takes a stride after every value where a stride costs no more than a
    step, as in integers; else it takes steps for the values of a whole store, and then a stride.
    """
    group = values_per_store(out_bytes)
    if not traits_of(device).side_by_side and code.max_vector_width > 1:
        return Plan(code.max_vector_width, 1, 64 // code.max_vector_width, True, streaming, 32 * device.units, 1)
    if not traits_of(device).side_by_side and code.fixes_strides:
        return Plan(1, 1, max(GATHERED, group), True, streaming, 32 * device.units, 1, gathers=True)
    if not traits_of(device).side_by_side:
        return Plan(1, max(4, group), 1, True, streaming, 32 * device.units, 1)
    consecutive, interleaved = (1, group) if code.arithmetic.name == "integer" else (group, 1)
    group_size = min(256, device.device.max_work_group_size)
    items = 1024 * device.units
    if code.moving_steps is not None and consecutive == 1:  # a stride by a multiple of these steps
        items = max(code.moving_steps // interleaved, 1 << (items - 1).bit_length())
    return Plan(1, consecutive, interleaved, False, streaming, items, group_size)


def _copied(context: cl.Context, table: Table) -> cl.Buffer:
    flags = cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR
    return cl.Buffer(context, flags, hostbuf=table.numbers)


def copied(queue: cl.CommandQueue, table: Table) -> cl.Buffer:
    """Return the copy of `table` in the context of `queue`."""
    found: cl.Buffer = of_queue(queue).cached(_copied)(table)
    return found


@lru_cache(maxsize=256)
def names_of(declarations: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of the `parameters` of a transform."""
    return tuple(map(declared_name, declarations))


def device_arguments(queue: cl.CommandQueue, transform: Transform) -> dict[str, Any]:
    """Return the arguments of `transform` for a kernel on `queue` by name: each table as its copy in the context."""
    if not transform.arguments:
        return {}
    given = (copied(queue, each) if isinstance(each, Table) else each for each in transform.arguments)
    return dict(zip(names_of(transform.parameters), given, strict=True))


class LaunchFill(NamedTuple):
    """What launches the fills of a kernel."""

    kernel: Kernel
    group_size: int
    shaped: Callable[[int], tuple[int, tuple[Any, ...]]]
    """Returns the work-items that make n values, and the arguments between the words of a state and the transform's."""

    def __call__(
        self, queue: cl.CommandQueue, out: cla.Array, offset: int, n: int, words: Words, arguments: Iterable[Any]
    ) -> cl.Event:
        """Fill `out`, from value `offset` of its memory on, with the `n` values of a transform that follow a state."""
        global_size, shape = self.shaped(n)
        return self.kernel(
            queue, global_size, self.group_size, out.base_data, offset, n, *words, *shape, *arguments,
            wait_for=wait_list(out),
        )  # fmt: skip

    def repeated(self, queue: cl.CommandQueue, n: int, words: Words, arguments: Iterable[Any]) -> Repeated | None:
        """Return what launches fills of `n` values again and again, each given memory, an offset and words of a state.

        None where PyOpenCL cannot.
        """
        changing = 1, *range(3, 3 + len(words))
        if not self.kernel.can_repeat(changing):
            return None
        global_size, shape = self.shaped(n)
        given = None, 0, n, *words, *shape, *arguments
        return Repeated(self.kernel, queue, global_size, self.group_size, given, changing)


def code_kernel(
    queue: cl.CommandQueue, name: str, code: GeneratorCode, transform: Transform, width: int, values: Mapping[str, Any],
    folder: str = "fill", **options: Any,
) -> Kernel:  # fmt: skip
    """Return the kernel `name`, whose template has its name too, of a generator's code in vectors of `width`."""
    template = f"{folder}/{name}.cl.mako"
    return kernel_of(queue, name, source.kernel, template, code, transform, width, values=values, **options)


def fill_kernel(
    queue: cl.CommandQueue, device: DeviceInfo, code: GeneratorCode, transform: Transform, name: str, width: int,
    values: Mapping[str, Any], **options: Any,
) -> Kernel:  # fmt: skip
    """Return a `code_kernel` with tables in local memory where that is faster."""
    copies = table_copies(device, transform, name)
    near = has_value_table(device, code, copies)
    return code_kernel(queue, name, code, transform, width, values, copies=copies, near=near, **options)


class FillKernel:
    """Fills arrays with values of one generator in one arithmetic and one transform, on one queue.

    `plan` is the shape of every fill, for experiments: a `BlockPlan` for code that fills in blocks, else a `Plan`. By
    default it is chosen for the device and the size of a fill.
    """

    def __init__(
        self, queue: cl.CommandQueue, device: DeviceInfo, code: GeneratorCode, transform: Transform,
        plan: Plan | BlockPlan | None = None,
    ) -> None:  # fmt: skip
        in_blocks = code.fill_strategy == "blocks"
        if plan is not None and isinstance(plan, BlockPlan) != in_blocks:
            raise TypeError(f"plan must be a {'BlockPlan' if in_blocks else 'Plan'} for this code, not {plan!r}")
        self._queue, self._device, self._code, self._transform, self._plan = queue, device, code, transform, plan
        self._most_cached = most_cached(device)
        self.dtype = source.output_dtype(code, transform)
        prepare = {"blocks": self._prepare_blocks, "strides": self._prepare_strides, "halves": self._prepare_halves,
                   "counters": self._prepare_counters}  # fmt: skip
        self._ready = cached_method(prepare[code.fill_strategy])

    def _kernel(self, name: str, width: int, values: Mapping[str, Any], **options: Any) -> Kernel:
        return fill_kernel(self._queue, self._device, self._code, self._transform, name, width, values, **options)

    def _prepare_strides(self, streaming: bool) -> LaunchFill:
        """Return what launches the kernel in which states move on by strides."""
        chosen = self._plan if isinstance(self._plan, Plan) else None
        chosen = chosen or choose_strides(self._device, self._code, self.dtype.itemsize, streaming)
        chosen.check(self.dtype.itemsize)
        strides = len(self._code.stride(1))
        values = {
            "consecutive": chosen.consecutive,
            "interleaved": chosen.interleaved,
            "streaming": chosen.streaming,
            "stride_words": strides,
            "fixes_strides": self._code.fixes_strides,
            "moving": chosen.width == chosen.consecutive == 1 and self._moving(self._code, chosen),
            "per_store": values_per_store(self.dtype.itemsize),
        }
        gathered = chosen.interleaved if chosen.gathers else 0
        kernel = self._kernel("fill", chosen.width, values, gathered=gathered).taking(
            "out", "offset", "n", *numbered("start", range(self._code.order)), *Launch._fields[1:],
            *numbered("stride", range(strides)), *names_of(self._transform.parameters),
        )  # fmt: skip
        plan = replace(chosen, group_size=min(chosen.group_size, 1 << kernel.largest_group.bit_length() - 1))
        held = plan.consecutive if plan.consecutive > 1 else 0
        stride_of, steps = self._code.stride, self._transform.steps  # `launch` has no reference to the object
        return self._in_strides(kernel, plan, lambda tiles: stride_of((tiles * plan.tile - held) * steps), plan.tile)

    def _moving(self, code: GeneratorCode, plan: Plan) -> bool:
        """Return whether all strides of a fill are those that `moving` states take."""
        steps = plan.tile * plan.global_size * self._transform.steps
        return code.moving_steps is not None and not plan.blocked and steps % code.moving_steps == 0

    def _in_strides(
        self, kernel: Kernel, plan: Plan, stride_over: Callable[[int], tuple[int, ...]], tile: int,
        places: Iterable[int] = (0,),
    ) -> LaunchFill:  # fmt: skip
        """Return what launches a kernel with tiles of so many values; `stride_over` gives the stride over some.

        It is proved from so many values behind where the recurrence stands as each of `places` says.
        """

        @lru_cache(maxsize=64)
        def shaped(n: int) -> tuple[int, tuple[int, ...]]:
            """Return the work-items that make `n` values, and the arguments that follow from their number."""
            shape = plan.launch(-(-n * plan.tile // tile))
            return shape.global_size, (*shape[1:], *stride_over(shape.tile_stride))

        launch = LaunchFill(kernel, plan.group_size, shaped)
        work_item = tile if not plan.blocked else tile * plan.launch(-(-FIRST * plan.tile // tile)).tiles_each
        sweep = tile * plan.global_size
        borders = [work_item * 3, work_item * plan.group_size, work_item * plan.group_size * 2, sweep]
        self._prove(kernel, launch, FIRST if plan.blocked else 2 * sweep, borders, places)
        return launch

    def _prepare_halves(self, streaming: bool) -> LaunchFill:
        """Return what launches the kernel in which states move on by strides, after both halves of a value."""
        code, size = cast("HalvesCode", self._code), self.dtype.itemsize
        chosen = self._plan if isinstance(self._plan, Plan) else None
        chosen = chosen or choose_strides(self._device, code.whole, 2 * size, streaming)
        strides = len(code.whole.stride(1))
        values = {
            "interleaved": chosen.interleaved, "streaming": chosen.streaming, "stride_words": strides,
            "moving": self._moving(code.whole, chosen), "per_store": values_per_store(size),
            "width_of_whole": chosen.width, "of_whole": OF_WHOLE,
        }  # fmt: skip
        gathered = 2 * (chosen.interleaved if chosen.gathers else chosen.width if chosen.width > 1 else 0)
        vectors = code.whole.generator(OF_WHOLE, chosen.width) if chosen.width > 1 else ""
        kernel = self._kernel("fill_halves", 1, values, gathered=gathered, before=vectors).taking(
            "out", "offset", "n", *numbered("start", range(code.order)), *Launch._fields[1:],
            *numbered("stride", range(strides)), *names_of(self._transform.parameters),
        )  # fmt: skip
        plan = replace(chosen, group_size=min(chosen.group_size, 1 << kernel.largest_group.bit_length() - 1))
        return self._in_strides(kernel, plan, lambda tiles: code.whole.stride(tiles * plan.tile), 2 * plan.tile)

    def _prepare_counters(self, streaming: bool) -> LaunchFill:
        """Return what launches the kernel in which a tile has all values of some counters."""
        code, size, traits = cast("CountingCode | HalvesCode", self._code), self.dtype.itemsize, traits_of(self._device)
        tile = choose_tile(code, self._transform.steps, size, side_by_side=traits.side_by_side)
        if tile is None:
            return self._prepare_blocks(streaming)
        past_caches = streaming and tile.group * size in (STORE_BYTES, CACHE_LINE)  # parts of lines are slow
        values = {**tile.values_of(code), "streaming": past_caches, "exchanging": self._exchanging(tile)}
        functions = tile.functions(code)
        kernel = self._kernel("fill_counters", 1, values, gathered=tile.gathered, before=functions).taking(
            "out", "offset", "n", *numbered("start", range(code.order)), *Launch._fields[1:],
            *names_of(self._transform.parameters),
        )  # fmt: skip
        items, group_size = (1024, min(256, kernel.largest_group)) if traits.side_by_side else (32, 1)
        group_size = 1 << group_size.bit_length() - 1
        plan = Plan(1, 1, tile.values, not traits.side_by_side, streaming, items * self._device.units, group_size)
        places = (0, 1) if values_of_each(code) > 1 else (0,)  # tiles begin with a counter or they do not
        return self._in_strides(kernel, plan, lambda _: (), plan.tile, places)

    def _exchanging(self, tile: Tile) -> int:
        """Return how many work-items exchange the stores of their tiles; 0 if each stores its own."""
        device: Any = self._device.device
        alone = traits_of(self._device).family != "gpu" or tile.values // tile.group not in EXCHANGED
        if alone or table_copies(self._device, self._transform, "fill_counters"):
            return 0
        return EXCHANGING if device.max_work_group_size >= EXCHANGING else 0

    def _prepare_blocks(self, streaming: bool) -> LaunchFill:
        """Return what launches the kernel in which every lane has a block of its own."""
        chosen = self._plan if isinstance(self._plan, BlockPlan) else None
        copies = table_copies(self._device, self._transform, "fill_blocks")
        plan = chosen or choose_blocks(self._device, self._code, self.dtype.itemsize, streaming, copies)
        phases, moved = self._code.phases, plan.chunk * self._transform.steps
        plan = replace(plan, together=phases // gcd(phases, moved))
        per_store = values_per_store(self.dtype.itemsize)
        stores = plan.chunk // per_store
        if plan.width == 1 and (stores == 0 or plan.group_size % stores):
            raise ValueError(
                f"group_size must be a multiple of the {stores} stores of 16 bytes of a chunk, not {plan.group_size}"
            )
        values = {
            **plan.values,
            "resident": False,
            "state_words": 0,
            "per_store": per_store,
            "by_tables": self._code.jump_tables is not None,
            "by_groups": self._code.jumps_by_groups,
        }
        jumps = () if (found := self._code.jump_tables) is None else (copied(self._queue, found),)
        kernel = self._kernel("fill_blocks", plan.width, values).taking(
            "out", "offset", "n", *numbered("start", range(self._code.order)), *["tables"] * len(jumps), "chunks_each",
            *names_of(self._transform.parameters),
        )  # fmt: skip

        def shaped(n: int) -> tuple[int, tuple[Any, ...]]:
            work_items, each = plan.launch(n)
            return work_items, (*jumps, each)

        launch = LaunchFill(kernel, plan.group_size, shaped)
        lane = plan.launch(FIRST)[1] * plan.chunk
        lanes = plan.width * (plan.group_size if plan.width == 1 else 1)
        self._prove(kernel, launch, 2 * lanes * lane, [3 * lane, lanes * lane, (lanes + 1) * lane])
        return launch

    def _prove(
        self, kernel: Kernel, launch: LaunchFill, n: int, borders: list[int], places: Iterable[int] = (0,)
    ) -> None:
        """Prove the kernel by fills of `n` values, or a few more, in which work-items and groups meet at `borders`."""
        arguments = device_arguments(self._queue, self._transform).values()

        def make(out: Any, offset: int, some: int, start: BitGenerator) -> None:
            out.add_event(launch(out.queue, out, offset, some, start.words, arguments))

        def check(own: cl.CommandQueue) -> None:
            for place in places:
                check_fill(own, self._code.recurrence.jumped(place), self._transform, make, n, borders)

        prove(self._queue, [kernel], check)

    def prepare(self, nbytes: int) -> None:
        """Build the kernel of fills of so many bytes."""
        self._ready(nbytes > self._most_cached)

    def repeated(self, n: int, transform: Transform) -> Repeated | None:
        """Return what launches fills of `n` values again and again, as `LaunchFill.repeated` does; None as there."""
        if not 0 < n <= LARGEST_LAUNCH:
            return None
        launch = self._ready(n * self.dtype.itemsize > self._most_cached)
        arguments = device_arguments(self._queue, transform).values()
        return cast("LaunchFill", launch).repeated(self._queue, n, (0,) * self._code.order, arguments)

    def fill(self, out: cla.Array, start: BitGenerator, transform: Transform | None = None) -> cl.Event | None:
        """Fill `out`, which is contiguous, with the values that follow `start`; return the last event.

        `transform` may be one that is equal to that of the kernel, with arguments of its own.
        """
        launch = self._ready(out.nbytes > self._most_cached)
        arguments = device_arguments(self._queue, transform or self._transform).values()
        offset, event = out.offset // out.dtype.itemsize, None
        for first, n in launches(0, out.size, LARGEST_LAUNCH):
            words = start.jumped(first * self._transform.steps).words if first else start.words
            event = launch(self._queue, out, offset + first, n, words, arguments)
            arrays.attach_event(self._queue, out, event)
        return event
