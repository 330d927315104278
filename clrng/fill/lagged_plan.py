"""The shape of a fill with a lagged Fibonacci generator, chosen for the device and the lags.

The values are the same for every shape.
"""

from dataclasses import dataclass, replace
from math import isqrt
from typing import Any, ClassVar

from clrng.fill import plan as plans
from clrng.fill.plan import BlockPlan
from clrng.generators.lagged import LaggedCode
from clrng.opencl.devices import DeviceInfo
from clrng.opencl.kernel import whole_groups
from clrng.opencl.traits import LONGEST_LOOP, traits_of

FEWEST_STEPS = 1024
"""The minimum number of values, for each word of the state, of a fill in blocks, whose states must be made first."""

LONGEST_STEP = 2048
"""The maximum number of words that a work-group makes together."""

ALIGNED = 256
"""The lengths of blocks on a GPU are multiples of so many values."""

ROUNDED_ORDER = 256
"""The smallest order for which lengths of blocks are rounded: the weights of the jumps over a block take long to
compute, and fills of about the same size then share them."""

INTERLEAVED_LAG = 128
"""A work-item of a CPU interleaves several blocks where a lag is less: in a single one, the load of a word would wait
for its store shortly before."""

SHORT_LAG = 16
"""Each lane of a vector of a CPU has a block of its own where a lag is less, because neighbouring words of one block
depend on one another."""

LANES_PER_UNIT = 256
"""Lanes for each compute unit of a GPU; few, because their states fill the registers."""

SPARE_WORDS = 16
"""Words behind a line: a CPU moves up to so many words at once, and the last ones may lie behind what it has to
move."""

MOST_RINGS, RING_WORDS = 24, 6500
"""For each compute unit of a GPU, the maximum number of rings, and of words of the states of all its rings: large
states take long to make."""

FEW_RINGS, FEW_LANE_BYTES, FEW_UNIT = 4, 256, 64
"""Where a jump takes more products than the square of the order: the maximum rings for each compute unit, the bytes of
the words that the work-items of a ring make at once, and what the words of a step are a multiple of. As there are few
work-items, each makes a few words of a step."""

WORTH, FEW_WORTH = 1600, 6400
"""The `Blocks.worth` of rings on a GPU, and of those where jumps take more products, which are made by bytes."""

ITEMS_PER_UNIT = 600
"""The minimum number of work-items that keep a compute unit of a GPU busy."""


@dataclass(frozen=True)
class Blocks:
    """How a fill is cut into blocks."""

    most: int  # The maximum number of blocks
    least: int  # The minimum number of blocks of a fill that is cut at all
    unit: int  # The length of a block is a multiple of it
    worth: int  # How many products of a jump take as long as a value takes where there is one block

    def cut(self, n: int, order: int) -> tuple[int, int]:
        """Return the number of blocks and their length for a fill with `n` values; the last block may be shorter.

        `order` is the `jump_order` of a code. With b blocks the values take a time proportional to worth * n / b, and
        the states of the blocks one proportional to order^2 * b. The sum has its minimum where b is the square root of
        worth * n, divided by the order.
        """
        if n < FEWEST_STEPS * order or self.most == 1:
            return 1, n
        best = min(max(isqrt(self.worth * n) // order, self.least), self.most)
        units = -(-n // (self.unit * best))
        each = (plans.rounded(units) if order >= ROUNDED_ORDER else units) * self.unit
        return -(-n // each), each


@dataclass(frozen=True)
class RingPlan:
    """The shape of a fill in which a work-group makes a block, and has the last words of it in a ring."""

    group_size: int  # Work-items of a work-group
    step: int  # Words that the work-items make together, at most as many as the smaller lag
    ring_words: int  # The words of the ring, a multiple of the step
    mirrored: int  # How many of the first words of the ring are repeated behind its end
    in_local: bool  # Whether the ring is in local memory, else in global memory
    blocks: Blocks

    template: ClassVar[str] = "fill_rings"
    memory_name: ClassVar[str] = "rings"
    width: ClassVar[int] = 1
    longest: ClassVar[int] = 2**31

    @property
    def values(self) -> dict[str, Any]:
        """The values that its template takes."""
        return {
            "group_size": self.group_size,
            "step": self.step,
            "ring_words": self.ring_words,
            "mirrored": self.mirrored,
            "space": "__local" if self.in_local else "__global",
        }

    def global_size(self, blocks: int) -> int:
        """Return the work-items that make `blocks` blocks."""
        return blocks * self.group_size

    def memory(self, blocks: int, order: int) -> int:  # noqa: ARG002  # the words of the ring depend on it
        """Return the words of global memory that `blocks` rings need."""
        return 1 if self.in_local else blocks * (self.ring_words + self.mirrored)


@dataclass(frozen=True)
class LinePlan:
    """The shape of a fill in which a work-item of a CPU makes blocks, the last words of each in a line of memory."""

    width: int  # Lanes of a vector: neighbouring values of a block, made at once
    tile: int  # Values after which a line is full, and its last words move to its beginning
    interleaved: int  # Blocks of a work-item, which makes a vector of each in turn
    streaming: bool  # Whether stores go past the caches
    blocks: Blocks
    longest: int  # The maximum number of values of a block in one launch, a multiple of the tile

    template: ClassVar[str] = "fill_lines"
    memory_name: ClassVar[str] = "lines"
    group_size: ClassVar[int] = 1

    @property
    def values(self) -> dict[str, Any]:
        """The values that its template takes."""
        return {"tile": self.tile, "interleaved": self.interleaved, "streaming": self.streaming, "spare": SPARE_WORDS}

    def global_size(self, blocks: int) -> int:
        """Return the work-items that make `blocks` blocks."""
        return -(-blocks // self.interleaved)

    def memory(self, blocks: int, order: int) -> int:
        """Return the words of global memory that the lines of `blocks` blocks need."""
        return self.global_size(blocks) * self.interleaved * (order + self.tile + SPARE_WORDS)


def choose_register_plan(device: DeviceInfo, code: LaggedCode, out_bytes: int, streaming: bool) -> BlockPlan | None:
    """Return the shape of a fill in which a lane has the state of its block in registers.

    It is None where the state does not fit them, or a fill with the last words in memory is faster.
    """
    if not code.fits_registers:
        return None
    plan = plans.choose_blocks(device, code, out_bytes, streaming)
    if traits_of(device).in_vectors:
        in_lanes = plan.width > 1 or traits_of(device).side_by_side
        return plan if min(code.recurrence.lags) < SHORT_LAG and in_lanes else None
    return replace(plan, lanes=LANES_PER_UNIT * device.units)


def choose_memory_plan(device: DeviceInfo, code: LaggedCode, out_bytes: int, streaming: bool) -> RingPlan | LinePlan:
    """Return the shape of a fill with outputs of `out_bytes` bytes in which a block has its last words in memory."""
    if traits_of(device).in_vectors:
        return _line_plan(device, code, out_bytes, streaming)
    room = device.device.local_mem_size // code.word.itemsize
    if code.jump_order == code.order:
        step, words, mirrored = ring_shape(code.recurrence.lags, room)
        per_unit, worth = min(max(RING_WORDS // code.order, 1), MOST_RINGS), WORTH
        wanted = whole_groups(max(step // 4, min(step, ITEMS_PER_UNIT // per_unit)), 32)
    else:
        step, words, mirrored = ring_shape(code.recurrence.lags, room, FEW_UNIT)
        per_unit, worth, wanted = FEW_RINGS, FEW_WORTH, FEW_LANE_BYTES // code.word.itemsize
    blocks = Blocks(device.units * per_unit, 1, ALIGNED, worth)
    group_size = min(wanted, device.device.max_work_group_size)
    return RingPlan(group_size, step, words, mirrored, words + mirrored <= room, blocks)


def _line_plan(device: DeviceInfo, code: LaggedCode, out_bytes: int, streaming: bool) -> LinePlan:
    lag, order = min(code.recurrence.lags), code.order
    width = 1 << (min(code.max_vector_width, 64 // out_bytes, lag).bit_length() - 1)
    tile = max(2048, 4 * order) // width * width
    interleaved = 4 if lag < INTERLEAVED_LAG else 1
    tiles = 2**31 // tile
    if traits_of(device).short_loops:  # and the compiler took minutes for four blocks
        width, interleaved = min(width, 8), 1
        tile = min(tile, 2048 * width)
        moving = 3 * order // 8  # turns that move words
        tiles = max(LONGEST_LOOP // (tile // width + moving), 1)
    past = streaming and width * out_bytes == 64  # noqa: PLR2004  # a line of the caches
    blocks = Blocks(4 * device.units * interleaved, device.units * interleaved, tile, 3)
    return LinePlan(width, tile, interleaved, past, blocks, tiles * tile)


def ring_shape(lags: tuple[int, ...], room: int, unit: int = 1) -> tuple[int, int, int]:
    """Return the words of a step, a multiple of `unit`, those of a ring, and how many are repeated behind its end.

    The ring is a multiple of the step. The step is the longest whose ring fits `room` words, or if none fits, the
    longest that the lags allow; a multiple of 32 is preferred, and one of 128 to steps up to a tenth longer.
    """
    lag, order = min(lags), max(lags)
    shapes = []
    for step in range(unit, min(lag, LONGEST_STEP) + 1, unit):
        words = (-(-order // step) + 1) * step
        mirrored = max(-lag % step for lag in lags)
        wanted = step if step % 128 == 0 else step * 9 // 10
        shapes.append((words + mirrored <= room, step % 32 == 0, wanted, step, words, mirrored))
    return max(shapes)[3:]
