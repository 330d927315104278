"""How a buffer is filled on a device: the shape of the work, chosen from what the device is.

The numbers do not depend on any of it.
"""

from dataclasses import dataclass
from typing import NamedTuple

from clrng.arithmetic import Arithmetic
from clrng.devices import DeviceInfo

STREAMING_PLATFORMS = ("Portable Computing Language", "Intel(R) OpenCL")
"""CPU platforms whose compilers know clang's store past the caches."""

LARGEST_CACHED = 2**26
"""The most bytes left to the caches of a CPU, however large it says they are: a virtual machine may name those of its
whole host. Where one claimed 503 MB, stores past the caches were as fast from 64 MiB and 2.5 times as fast from 128."""

LONGEST_LOOP = 2**12
"""Turns of all loops of a work-item together; more work is given to more work-items or launches. Mesa's llvmpipe ends
the loops of a work-item, without a word, after 65535 turns; the baseline of 2008 has loops in its step too."""


class Launch(NamedTuple):
    """One launch: what each work-item does.

    Attributes
    ----------
    items : int
        Work-items, a multiple of the work-group's.
    first_tile : int
        Work-item i begins at tile i * first_tile,
    tile_step : int
        goes on by so many tiles,
    tiles_each : int
        and makes at most so many.
    """

    items: int
    first_tile: int
    tile_step: int
    tiles_each: int


@dataclass(frozen=True)
class Plan:
    """The shape of a fill.

    Attributes
    ----------
    width : int
        Lanes of the explicit vectors: neighbouring values, computed together.
    run : int
        Values one lane makes in a row before it moves on; where it is 1 it moves on after every value. It is 1 where
        `width` is more, and else a multiple of 4.
    chains : int
        Independent such groups a work-item, side by side in a tile.
    blocked : bool
        Whether a work-item fills one contiguous block (CPUs) or every so-manieth tile (GPUs).
    streaming : bool
        Whether stores go past the caches.
    items : int
        Work-items of a launch, while none has more than `LONGEST_LOOP` tiles.
    local : int
        Work-items of a work-group.

    Raises
    ------
    ValueError
        If `width` and `run` do not go together.
    """

    width: int
    run: int
    chains: int
    blocked: bool
    streaming: bool
    items: int
    local: int

    def __post_init__(self) -> None:
        if self.run != 1 if self.width > 1 else self.run % 4:
            raise ValueError(
                f"run must be 1 for vectors and else a multiple of 4, not {self.run} for {self.width} lanes"
            )

    @property
    def tile(self) -> int:
        """Values of a tile."""
        return self.width * self.run * self.chains

    def launch(self, n: int) -> Launch:
        """Return the launch that makes `n` values, 1 or more."""
        tiles = -(-n // self.tile)
        items = max(min(self.items, tiles), -(-tiles // LONGEST_LOOP))
        each = -(-tiles // items)
        items = -(-items // self.local) * self.local
        return Launch(items, each, 1, each) if self.blocked else Launch(items, 1, items, each)


def can_stream(device: DeviceInfo) -> bool:
    """Return whether stores past the caches can be written for `device`."""
    return device.kind == "cpu" and device.platform in STREAMING_PLATFORMS


def fits_caches(device: DeviceInfo, nbytes: int) -> bool:
    """Return whether `nbytes` are better left in the device's caches for their reader."""
    return nbytes <= min(device.device.global_mem_cache_size, LARGEST_CACHED)


def choose(device: DeviceInfo, arithmetic: Arithmetic, streaming: bool) -> Plan:
    """Return how to fill a buffer on `device`, with stores past the caches where `streaming`."""
    if device.kind == "cpu":
        width = min(16, arithmetic.widest)
        run, chains = (1, 64 // width) if width > 1 else (4, 1)
        return Plan(width, run, chains, True, streaming, 32 * device.units, 1)
    return Plan(1, 4, 1, False, streaming, 1024 * device.units, min(256, device.device.max_work_group_size))
