"""The shape of a fill by a lagged Fibonacci generator, chosen from what the device and the lags are.

The numbers do not depend on any of it.
"""

from dataclasses import dataclass, replace
from math import isqrt
from typing import Any, ClassVar

from clrng.codegen.generators.lagged_fibonacci import LaggedFibonacciCode
from clrng.launch import plan as plans
from clrng.launch.plan import LONGEST_LOOP, BlockPlan
from clrng.opencl.devices import DeviceInfo

FEWEST_STEPS = 1024
"""The fewest values a word of state for which a stream is cut into blocks, whose states must be made first."""

LONGEST_STEP = 2048
"""The most words of a step."""

ALIGNED = 256
"""Blocks of a GPU begin at multiples of so many values."""

ROUNDED_ORDER = 256
"""The smallest order whose blocks have lengths of few significant bits, so that the costly weights serve more sizes."""

CHAINED = 128
"""The smallest lag for which a CPU's stores and loads of the last words do not wait for one another."""

SHORT_LAG = 16
"""A CPU gives a block to every lane where a lag is less: the words of a vector would depend on one another."""

LANES_A_UNIT = 256
"""Lanes of a compute unit of a GPU, few because their states fill its registers."""

MOVED = 16
"""The most words that a CPU moves together, which a row has to spare."""

MOST_RINGS, RING_WORDS, ITEMS_A_UNIT = 24, 6500, 600
"""The most rings of a compute unit of a GPU, fewer of more than so many words together, whose states take longer to
make; and the work-items that it should have at least."""


@dataclass(frozen=True)
class Blocks:
    """Into how many blocks a stream is cut.

    Attributes
    ----------
    most : int
    least : int
        The fewest, where there are any but one.
    unit : int
        What their length is a multiple of.
    worth : int
        How many products of a jump take as long as a value of one block alone.
    """

    most: int
    least: int
    unit: int
    worth: int

    def cut(self, n: int, order: int) -> tuple[int, int]:
        """Return how many blocks of what length make `n` values; the last may be shorter.

        The time of making the values falls with the number of blocks, that of making their states grows with it.
        """
        if n < FEWEST_STEPS * order or self.most == 1:
            return 1, n
        best = min(max(isqrt(self.worth * n) // order, self.least), self.most)
        units = -(-n // (self.unit * best))
        each = (plans.rounded(units) if order >= ROUNDED_ORDER else units) * self.unit
        return -(-n // each), each


@dataclass(frozen=True)
class RingPlan:
    """The shape of a fill in which a work-group has a block of the stream, and its last words in a ring.

    Attributes
    ----------
    local : int
        Work-items of a work-group.
    step : int
        Words made together, at most the smaller lag.
    ring_words : int
        The words of the ring, a multiple of the step.
    mirrored : int
        How many of its first words the ring has at its end again.
    in_local : bool
        Whether the ring is in local memory, else in global memory.
    blocks : Blocks
    """

    local: int
    step: int
    ring_words: int
    mirrored: int
    in_local: bool
    blocks: Blocks

    template: ClassVar[str] = "fill_rings"
    width: ClassVar[int] = 1
    longest: ClassVar[int] = 2**31

    @property
    def values(self) -> dict[str, Any]:
        """The values that its template takes."""
        return {
            "group_items": self.local,
            "step": self.step,
            "ring_words": self.ring_words,
            "mirrored": self.mirrored,
            "space": "__local" if self.in_local else "__global",
        }

    def items(self, blocks: int) -> int:
        """Return the work-items for so many blocks."""
        return blocks * self.local

    def memory(self, blocks: int, order: int) -> int:  # noqa: ARG002  # which the words of the ring allow for
        """Return the words of global memory that they need."""
        return 1 if self.in_local else blocks * (self.ring_words + self.mirrored)


@dataclass(frozen=True)
class RowPlan:
    """The shape of a fill in which a work-item of a CPU has blocks of the stream, and the last words of each in a row.

    Attributes
    ----------
    width : int
        Lanes of explicit vectors.
    tile : int
        Values made before the last words move to the beginning of their row.
    chains : int
        Blocks that a work-item goes on with side by side.
    streaming : bool
        Whether stores go past the caches.
    blocks : Blocks
    longest : int
        The most values of a block in one launch, a multiple of the tile.
    """

    width: int
    tile: int
    chains: int
    streaming: bool
    blocks: Blocks
    longest: int

    template: ClassVar[str] = "fill_rows"
    local: ClassVar[int] = 1

    @property
    def values(self) -> dict[str, Any]:
        """The values that its template takes."""
        return {"tile": self.tile, "chains": self.chains, "streaming": self.streaming, "spare": MOVED}

    def items(self, blocks: int) -> int:
        """Return the work-items for so many blocks."""
        return -(-blocks // self.chains)

    def memory(self, blocks: int, order: int) -> int:
        """Return the words of global memory that they need."""
        return self.items(blocks) * self.chains * (order + self.tile + MOVED)


def choose_lanes(device: DeviceInfo, code: LaggedFibonacciCode, out_bytes: int, streaming: bool) -> BlockPlan | None:
    """Return how to fill a buffer with a block a lane, or None where rings are faster."""
    if not code.fits_registers:
        return None
    plan = plans.choose_blocks(device, code, out_bytes, streaming)
    if device.kind == "cpu":
        return plan if min(code.recurrence.lags) < SHORT_LAG and plan.width > 1 else None
    return replace(plan, lanes=LANES_A_UNIT * device.units)


def choose_rings(device: DeviceInfo, code: LaggedFibonacciCode, out_bytes: int, streaming: bool) -> RingPlan | RowPlan:
    """Return how to fill a buffer with outputs of `out_bytes` bytes where a block has its last words in memory."""
    if device.kind == "cpu":
        return _rows(device, code, out_bytes, streaming)
    room = device.device.local_mem_size // code.word.itemsize
    step, words, mirrored = ring_shape(code.recurrence.lags, room)
    a_unit = min(max(RING_WORDS // code.order, 1), MOST_RINGS)
    local = -(-max(step // 4, min(step, ITEMS_A_UNIT // a_unit)) // 32) * 32
    local = min(local, device.device.max_work_group_size)
    return RingPlan(
        local, step, words, mirrored, words + mirrored <= room, Blocks(device.units * a_unit, 1, ALIGNED, 1600)
    )


def _rows(device: DeviceInfo, code: LaggedFibonacciCode, out_bytes: int, streaming: bool) -> RowPlan:
    lag, order = min(code.recurrence.lags), code.order
    width = 1 << (min(code.max_vector_width, 64 // out_bytes, lag).bit_length() - 1)
    tile = max(2048, 4 * order) // width * width
    chains = 4 if lag < CHAINED else 1
    tiles = 2**31 // tile
    if device.platform == "rusticl":  # whose loops may not be long, and whose compiler took minutes for four chains
        width, chains = min(width, 8), 1
        tile = min(tile, 2048 * width)
        tiles = max(LONGEST_LOOP // (tile // width + 3 * order // 8), 1)  # the last of these turns are for moving
    past = streaming and width * out_bytes == 64  # noqa: PLR2004  # a line of the caches
    blocks = Blocks(4 * device.units * chains, device.units * chains, tile, 3)
    return RowPlan(width, tile, chains, past, blocks, tiles * tile)


def ring_shape(lags: tuple[int, int], room: int) -> tuple[int, int, int]:
    """Return the words of a step, of a ring and of its beginning at its end again.

    The ring is a multiple of the step, which is as long as `room` words allow, or if they never do, as the lags allow;
    better some shorter where it is a multiple of 32 or 128.
    """
    lag, order = min(lags), max(lags)
    shapes = []
    for step in range(1, min(lag, LONGEST_STEP) + 1):
        words = (-(-order // step) + 1) * step
        mirrored = max(-lag % step for lag in lags)
        wanted = step if step % 128 == 0 else step * 9 // 10
        shapes.append((words + mirrored <= room, step % 32 == 0, wanted, step, words, mirrored))
    return max(shapes)[3:]
