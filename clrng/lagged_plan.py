"""The shape of a fill by a lagged Fibonacci generator, chosen from what the device and the lags are.

The numbers do not depend on any of it.
"""

from dataclasses import dataclass
from math import gcd, isqrt, lcm

from clrng import plan as plans
from clrng.devices import DeviceInfo
from clrng.forms.lagged_fibonacci import LaggedFibonacciForm
from clrng.plan import LONGEST_LOOP, BlockPlan

FEWEST_STEPS = 1024
"""The fewest values a word of state for which a stream is cut into blocks, whose states must be made first."""

SHORT_LAG = 16
"""The largest lag that makes lanes of their own faster than a ring, whose work-items would have too little to do."""


@dataclass(frozen=True)
class RingPlan:
    """The shape of a fill in which a work-group, or on a CPU a work-item, has a ring of words and a block of the stream.

    Attributes
    ----------
    width : int
        Lanes of explicit vectors on a CPU; there a work-item has a block.
    local : int
        Work-items of a work-group.
    step : int
        Words made together, at most the smaller lag.
    tile : int
        Values made before they are stored, a multiple of those of 16 bytes.
    ring_words : int
        The words of the ring.
    in_local : bool
        Whether the ring is in local memory, else in global memory.
    streaming : bool
        Whether stores go past the caches.
    blocks : int
        The most blocks.
    longest : int
        The most values of a block in one launch, a multiple of the tile.
    """

    width: int
    local: int
    step: int
    tile: int
    ring_words: int
    in_local: bool
    streaming: bool
    blocks: int
    longest: int

    @property
    def held_words(self) -> int:
        """The words of memory of a ring: itself, its beginning again, and up to where vectors may begin."""
        return -(-(self.ring_words + self.step) // 8) * 8

    def cut(self, n: int, order: int) -> tuple[int, int]:
        """Return into how many blocks of what length, a multiple of the tile, `n` values are cut.

        The time of making the blocks falls with their number, that of making their states grows with it.
        """
        best = max(isqrt(1000 * n) // order, 1)
        if n < FEWEST_STEPS * order or self.blocks == 1:
            return 1, -(-n // self.tile) * self.tile
        return self.even(n, min(best, self.blocks))

    def even(self, n: int, blocks: int) -> tuple[int, int]:
        """Return at most `blocks` blocks of equal length, a multiple of the tile, of which the last may be shorter."""
        each = plans.rounded(-(-n // (self.tile * blocks))) * self.tile
        return -(-n // each), each


def choose_lanes(device: DeviceInfo, form: LaggedFibonacciForm, out_bytes: int, streaming: bool) -> BlockPlan | None:
    """Return how to fill a buffer with a block a lane, or None where rings are faster."""
    if not form.in_registers or min(form.recurrence.lags) >= SHORT_LAG:
        return None
    return plans.choose_blocks(device, form, out_bytes, streaming)


def choose_rings(
    device: DeviceInfo, form: LaggedFibonacciForm, out_bytes: int, streaming: bool, limit: int
) -> RingPlan:
    """Return how to fill a buffer with rings; work-groups are of at most `limit` work-items."""
    lag, order, item = min(form.recurrence.lags), form.order, form.word.itemsize
    if device.kind == "cpu":
        width = 1 << (min(64 // out_bytes, lag).bit_length() - 1)
        tile = max(2048, 4 * order) // width * width
        turns = tile // width * 2 + order
        tiles = max(LONGEST_LOOP // turns, 1) if device.platform == "rusticl" else 2**32 // tile
        past = streaming and width * out_bytes == 64  # noqa: PLR2004  # a line of the caches
        return RingPlan(width, 1, lag, tile, order + tile + width, False, past, 4 * device.units, tiles * tile)
    room = device.device.local_mem_size // item
    step, tile, words = ring_shape(lag, order, 16 // out_bytes, room)
    local = local_items(step, limit)
    blocks = device.units * blocks_a_unit(order, local)
    return RingPlan(1, local, step, tile, words, words + step <= room, False, blocks, 2**32 // tile * tile)


def ring_shape(lag: int, order: int, group: int, room: int) -> tuple[int, int, int]:
    """Return the step, the tile and the words of a ring, that fit `room` words if they can."""
    shapes = []
    for step in range(max(lag // 2, 1), min(lag, 1024) + 1):
        tile = step * max(32 * group // gcd(step, 32 * group), -(-256 // step))
        if step >= 128:
            tile = step
        if tile % group:
            continue
        unit = lcm(step, group)
        words = -(-(max(order, tile) + step) // unit) * unit
        if words + step <= room:
            shapes.append((step % 32 == 0, step, -tile, words))
    if not shapes:
        raise NotImplementedError
    best = max(shapes)
    return best[1], -best[2], best[3]


def local_items(step: int, limit: int) -> int:
    """Return the work-items of a work-group."""
    each = 1 if step < 128 else 2
    return min(-(-step // (32 * each)) * 32, limit)


def blocks_a_unit(order: int, local: int) -> int:
    """Return the work-groups of a compute unit."""
    return max(1, min(32, 2048 // local, 8192 // order))
