"""How a buffer is filled on a device: the shape of the work, chosen from what the device is.

The numbers do not depend on any of it.
"""

from dataclasses import dataclass

from clrng.arithmetic import Arithmetic
from clrng.devices import DeviceInfo

STREAMING_PLATFORMS = ("Portable Computing Language", "Intel(R) OpenCL")
"""CPU platforms whose compilers know clang's store past the caches."""


@dataclass(frozen=True)
class Plan:
    """The shape of a fill.

    Attributes
    ----------
    width : int
        Lanes of the explicit vectors: neighbouring values, computed together.
    run : int
        Values one lane makes in a row before it moves on; where it is 1 it moves on after every value.
    chains : int
        Independent such groups a work-item, side by side in a tile.
    blocked : bool
        Whether a work-item fills one contiguous block (CPUs) or every so-manieth tile (GPUs).
    streaming : bool
        Whether stores go past the caches.
    items : int
        The most work-items of a launch.
    local : int
        Work-items of a work-group.
    """

    width: int
    run: int
    chains: int
    blocked: bool
    streaming: bool
    items: int
    local: int

    @property
    def tile(self) -> int:
        """Values of a tile."""
        return self.width * self.run * self.chains


def can_stream(device: DeviceInfo) -> bool:
    """Return whether stores past the caches can be written for `device`."""
    return device.kind == "cpu" and device.platform in STREAMING_PLATFORMS


def choose(device: DeviceInfo, arithmetic: Arithmetic, streaming: bool) -> Plan:
    """Return how to fill a buffer on `device`, with stores past the caches where `streaming`."""
    if device.kind == "cpu":
        width = min(16, arithmetic.widest)
        run, chains = (1, 64 // width) if width > 1 else (4, 1)
        return Plan(width, run, chains, True, streaming, 32 * device.units, 1)
    return Plan(1, 4, 1, False, streaming, 1024 * device.units, min(256, device.device.max_work_group_size))
