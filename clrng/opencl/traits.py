"""What a device likes, as data: a new platform is one record of `PLATFORMS`."""

from typing import Literal, NamedTuple

from clrng.opencl.devices import DeviceInfo

LONGEST_LOOP = 2**12
"""The most turns that all loops of a work-item take together; more work needs more work-items or more launches. Mesa's
llvmpipe silently ends the loops of a work-item after 65535 turns. The bound is far below that because a turn may have
loops in it, as the step of the arithmetic of 2008 does."""

LONGEST_VECTOR = 16
"""Elements of the longest vectors."""

VECTOR_BYTES = 64
"""Those of the longest registers of processors."""

LOADED_BYTES = 16
"""Bytes that a work-item of a GPU reads or writes as fast as fewer."""


class Traits(NamedTuple):
    """What kernels for a device should be like; the numbers that they make are the same."""

    # Which of two tuned constants it takes: the one for few fast cores with caches, or for many slow lanes
    family: Literal["cpu", "gpu"]
    side_by_side: bool  # Whether neighbouring work-items run side by side, in whatever a CPU would do in vectors
    in_vectors: bool  # Whether kernels that exist in both forms are written in vectors rather than in work-groups
    # Whether tables are faster in local memory: work-items that look up different words of constant memory wait
    local_tables: bool
    host_memory: bool  # Whether commands write to the memory of the host in place
    stores_past_caches: bool = False  # Whether the compiler knows clang's store past the caches
    short_loops: bool = False  # Whether the loops of a work-item must be short
    # Whether all work-groups that have begun go on whatever others do, so that one may wait for another, and 32
    # neighbours of a group run together
    goes_on: bool = False


GPU = Traits("gpu", side_by_side=True, in_vectors=False, local_tables=True, host_memory=False)
CPU = Traits("cpu", side_by_side=False, in_vectors=True, local_tables=False, host_memory=True)

PLATFORMS = {
    ("Portable Computing Language", "cpu"): CPU._replace(stores_past_caches=True),
    ("Intel(R) OpenCL", "cpu"): CPU._replace(stores_past_caches=True),
    # The compiler makes vectors of neighbouring work-items, as a GPU does. On Mesa's llvmpipe fills in scalars were
    # four times as fast as those in vectors; normals, which took a quarter of an hour to build, take seconds. It
    # silently ends the loops of a work-item after 65535 turns.
    ("rusticl", "cpu"): CPU._replace(side_by_side=True, short_loops=True),
    ("rusticl", "gpu"): GPU._replace(short_loops=True),
    ("NVIDIA CUDA", "gpu"): GPU._replace(goes_on=True),
}
"""The traits of platforms that differ from others of their kind; accelerators are taken for GPUs."""


def traits_of(device: DeviceInfo) -> Traits:
    """Return the traits of a device."""
    kind = "cpu" if device.kind == "cpu" else "gpu"
    return PLATFORMS.get((device.platform, kind)) or (CPU if kind == "cpu" else GPU)


def vector_width(device: DeviceInfo, itemsize: int = 4) -> int:
    """Return how many numbers of so many bytes a work-item makes: what fills a register, or one where items do so."""
    traits = traits_of(device)
    return VECTOR_BYTES // itemsize if traits.in_vectors and not traits.side_by_side else 1


def loaded_width(device: DeviceInfo, itemsize: int, width: int) -> int:
    """Return how many numbers a work-item makes that does little for each: on a GPU `LOADED_BYTES`, else `width`."""
    return LOADED_BYTES // itemsize if traits_of(device).family == "gpu" else width


def width_of_doubles(device: DeviceInfo) -> int:
    """Return how many numbers a work-item makes in double precision that does little for each."""
    return loaded_width(device, 8, vector_width(device))
