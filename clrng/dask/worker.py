"""What a worker of dask does: it chooses a device, caches what draws there, and makes the chunks of arrays."""

import multiprocessing
import os
import re
import socket
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate, count, pairwise
from threading import local
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
from dask.layers import ArrayBlockwiseDep

from clrng import validation
from clrng.distributions import Transform
from clrng.distributions.by_element import Coded, Whole, numbers_of
from clrng.distributions.distribution import Continuous, Distribution
from clrng.distributions.elements import by_elements
from clrng.distributions.vectors import Vectors
from clrng.errors import NoDeviceError
from clrng.fill.locate import build_locate, locate, on_device, on_host
from clrng.fill.runs import Runs, runs_of
from clrng.frontends.drawing import check_precision, filling
from clrng.frontends.vector_methods import finish_vectors
from clrng.generators import BitGenerator
from clrng.generators.families import code_for, select
from clrng.opencl import arrays, devices
from clrng.opencl.arrays import contiguous
from clrng.opencl.kernel import check_process

Place = tuple[tuple[int, ...], tuple[int, ...]]
"""Where a chunk begins along each axis, and how long it is."""

MAX_CACHED = 16
"""The maximum number of recurrences whose kernels a thread caches."""


class Places(ArrayBlockwiseDep):  # type: ignore[misc]  # dask is not type-checked
    """What dask hands to `fill`: the `Place` of each chunk; unlike ``ArraySliceDep`` it does not list equal chunks."""

    produces_tasks = False

    def __init__(self, chunks: tuple[tuple[int, ...], ...]) -> None:
        self.ends = tuple(map(sum, chunks))
        self.starts = tuple(map(_starts, chunks))
        self.numblocks = tuple(map(len, self.starts))

    @property
    def chunks(self) -> tuple[tuple[int, ...], ...]:
        """The lengths of the chunks along each axis, as dask writes them."""
        edges = ((*starts, end) for starts, end in zip(self.starts, self.ends, strict=True))
        return tuple(tuple(end - start for start, end in pairwise(each)) for each in edges)

    def __getitem__(self, index: tuple[int, ...]) -> Place:
        begins, lengths = [], []
        for starts, whole, i in zip(self.starts, self.ends, index, strict=True):
            end = starts[i + 1] if i + 1 < len(starts) else whole
            begins.append(starts[i])
            lengths.append(end - starts[i])
        return tuple(begins), tuple(lengths)

    def __dask_tokenize__(self) -> Any:
        return type(self).__name__, repr((self.starts, self.ends))


def _starts(lengths: Sequence[int]) -> Sequence[int]:
    """Return where chunks begin: as a range where all have one length, but for the last, which may be shorter."""
    found, equal = tuple(accumulate(lengths[:-1], initial=0)), range(0, sum(lengths), lengths[0] or 1)
    return equal if len(equal) == len(found) and tuple(equal) == found else found


_threads = count()
"""The numbers of the threads of this process, in the order in which they begin to draw."""


@dataclass(frozen=True)
class Elements:
    """Values whose parameters are arrays, of which a chunk gets its parts, its blocks, in this order.

    `names` are those of the arrays, and `shapes` those of the whole ones. The other parameters are `given`. A value
    takes `steps` steps, of halves of raw values where `of_halves`.
    """

    name: str
    given: tuple[tuple[str, Any], ...]
    names: tuple[str, ...]
    shapes: tuple[tuple[int, ...], ...]
    steps: int
    of_halves: bool

    def law(self, blocks: Sequence[Any], begins: Sequence[int], shape: tuple[int, ...]) -> Distribution:
        """Return the distribution of the values of a rectangle that begins at `begins`."""
        places = {
            name: tuple(
                0 if size == 1 else i for i, size in zip(begins[len(begins) - len(whole) :], whole, strict=True)
            )
            for name, whole in zip(self.names, self.shapes, strict=True)
        }
        whole = Whole(self.of_halves, places, dict(zip(self.names, self.shapes, strict=True)))
        held = {name: numbers_of(name, block) for name, block in zip(self.names, blocks, strict=True)}
        return by_elements(self.name, dict(self.given) | held, held, shape, whole)


@dataclass(frozen=True)
class Laws:
    """Values that have one of several distributions each; a chunk gets their numbers."""

    laws: tuple[Distribution, ...]
    steps: int
    of_halves: bool

    def law(self, blocks: Sequence[Any], _: Sequence[int], shape: tuple[int, ...]) -> Distribution:
        """Return the distribution of the values of a rectangle."""
        numbers, codes = np.unique(blocks[0], return_inverse=True)
        own = [self.laws[number] for number in numbers.tolist()]
        return Coded(own, codes.reshape(blocks[0].shape).astype(np.uint32), shape, self.of_halves)


@dataclass(frozen=True)
class OfVectors:
    """Vectors, of which a chunk has whole ones and gets its parts of the arrays of parameters."""

    of_part: Callable[..., Vectors]


@dataclass(frozen=True)
class Located:
    """Values of a distribution times an array, plus another, of which chunks get their parts, those of loc first.

    `shapes` are those of the whole arrays.
    """

    standard: Continuous
    shapes: tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True)
class Source:
    """A whole array, of which workers make chunks; `bits` stands where it begins, and `chosen` are its values."""

    bits: BitGenerator
    chosen: Transform | Distribution | Elements | Laws | Located | OfVectors
    shape: tuple[int, ...]
    dtype: str


class ChunkMaker(NamedTuple):
    """What makes chunks of arrays on one queue, of streams of bit generators of the same parameters."""

    queue: cl.CommandQueue
    device: devices.DeviceInfo
    fill: Callable[..., None]  # As `Drawing` has it


class _Cache(local):
    """What each thread caches."""

    def __init__(self) -> None:
        self.queue: cl.CommandQueue | None = None
        self.makers: dict[Any, ChunkMaker] = {}


_cache = _Cache()


def fill(place: Place, *blocks: Any, source: Source) -> npt.NDArray[Any]:
    """Return the chunk of an array that lies at `place`; `blocks` are its parts of arrays of parameters."""
    out = np.empty(place[1], validation.dtype_named(source.dtype))
    if not out.size:
        return out
    maker = maker_for(source.bits)
    if not maker.device.fp64:
        check_precision(out.dtype, maker.device)
    try:
        draw, axes = (_fill_vectors, -1) if isinstance(source.chosen, OfVectors) else (_fill_values, None)
        make, own = partial(draw, maker, source), [np.asarray(b) for b in blocks]
        fill_rectangle(maker.queue, maker.device, out, source.shape, place[0], make, own, axes)
    except BaseException:
        maker.queue.finish()  # no command still writes to it
        raise
    return out


def _fill_values(
    maker: ChunkMaker,
    source: Source,
    out: cla.Array,
    runs: Runs,
    begins: Sequence[int] = (),
    blocks: Sequence[Any] = (),
) -> None:
    """Fill runs of `out` with values of a rectangle that begins at `begins`, by its parts of arrays of parameters."""
    bits, chosen, dtype = source.bits.copy(), source.chosen, np.dtype(out.dtype)
    law: Any = chosen
    if isinstance(chosen, (Elements, Laws)):
        law = chosen.law(blocks, begins, out.shape)
    elif isinstance(chosen, Located):
        law = chosen.standard
    transform = bits.transform_of(law, dtype) if isinstance(law, Distribution) else law
    if isinstance(chosen, (Elements, Laws)):
        transform = replace(transform, steps=chosen.steps)
    parameters = []
    if isinstance(chosen, Located):
        for name, block, whole in zip(chosen.standard.names, blocks, chosen.shapes, strict=True):
            checked = on_host(name, block, dtype, begins=_begin(begins, whole))
            parameters.append(on_device(maker.queue, checked, out))
        build_locate(maker.queue, dtype, circular=chosen.standard.quantile.circular)
    maker.fill(transform, out, runs=runs, start=bits.taken(transform))
    if isinstance(chosen, Located):
        locate(maker.queue, out, *parameters, circular=chosen.standard.quantile.circular)


def _fill_vectors(
    maker: ChunkMaker, source: Source, out: cla.Array, runs: Runs, blocks: Sequence[Any] = (), **_: Any
) -> None:
    """Fill `out` with the vectors of a rectangle, by its parts of arrays of parameters."""
    bits, of_part = source.bits.copy(), source.chosen.of_part  # type: ignore[union-attr]  # which it has

    def drawn(law: Distribution, into: cla.Array) -> cla.Array:
        transform = bits.transform_of(law, np.dtype(out.dtype))
        maker.fill(transform, into, runs=runs, start=bits.taken(transform))
        return into

    found = of_part(out.shape, *blocks)
    law, *others = found.laws
    drawn(law, out)
    more = (drawn(each, cla.Array(maker.queue, out.shape, out.dtype)) for each in others)
    finish_vectors(maker.queue, out, more, found, out.shape, 0)


def fill_rectangle(
    queue: cl.CommandQueue, device: devices.DeviceInfo, out: npt.NDArray[Any], whole: tuple[int, ...],
    begins: Sequence[int], fill: Callable[..., None], blocks: Sequence[npt.NDArray[Any]] = (), axes: int | None = None,
) -> None:  # fmt: skip
    """Fill `out` with the rectangle of an array of shape `whole` that begins at `begins`.

    Of `blocks`, which are broadcast to `out`, `fill` gets the part of each rectangle, and where that begins. Only the
    first `axes` are cut.
    """
    for offsets, portion in arrays.rectangles(device, out, axes):
        starts = [begin + offset for begin, offset in zip(begins, offsets, strict=True)]
        runs = runs_of(whole, starts, portion.shape, contiguous(portion.shape))
        own = [_part(each, offsets, portion.shape, out.shape) for each in blocks]
        given = {"begins": starts, "blocks": own} if own else {}
        with arrays.on_device(queue, device, portion) as result:
            fill(result, runs=runs, **given)


def _begin(begins: Sequence[int], whole: tuple[int, ...]) -> tuple[int, ...]:
    """Return where the part of an array of the shape `whole` begins, for values from `begins` on."""
    return tuple(0 if size == 1 else i for i, size in zip(begins[len(begins) - len(whole) :], whole, strict=True))


def _part(
    block: npt.NDArray[Any], begins: Sequence[int], shape: tuple[int, ...], whole: tuple[int, ...]
) -> npt.NDArray[Any]:
    """Return what a rectangle of an array of shape `whole` needs of one that is broadcast, but for other last axes."""
    own = slice(len(whole) - block.ndim, None)
    axes = zip(block.shape, begins[own], shape[own], whole[own], strict=True)
    return block[tuple(slice(begin, begin + some) if size == all_ else slice(None) for size, begin, some, all_ in axes)]


def maker_for(bits: BitGenerator) -> ChunkMaker:
    """Return what this thread has cached for bit generators of these parameters."""
    check_process()
    makers, key = _cache.makers, (type(bits), str(bits.parameters))
    found = makers.pop(key, None)
    if found is None:
        queue = _queue()
        device = devices.describe(queue.device)
        found = ChunkMaker(queue, device, filling(queue, device, code_for(bits, select("auto", device, bits))))
    makers[key] = found  # the last one is the one used last
    if len(makers) > MAX_CACHED:
        del makers[next(iter(makers))]
    return found


def _queue() -> cl.CommandQueue:
    """Return the queue of this thread."""
    if _cache.queue is None:
        try:
            _cache.queue = devices.queue_on(_device(next(_threads)).device)
        except NoDeviceError as error:
            raise NoDeviceError(f"on {_worker()[0]}, {error}") from None
    return _cache.queue


def _device(thread: int) -> devices.DeviceInfo:
    """Return the device of a thread: the one that the environment asks for, else the next of the GPUs in turn."""
    if not os.environ.get(devices.DEVICE_VARIABLE, "").strip():
        gpus = devices.list_devices("gpu")
        if len(gpus) > 1 and (working := [info for info in gpus if info.fault is None]):
            return working[(_worker()[1] + thread) % len(working)]
    return devices.choose_device()


def _worker() -> tuple[str, int]:
    """Return the name of this worker in errors, and its number: the one at the end of its name, or 0."""
    process, host = multiprocessing.current_process().name, socket.gethostname()
    name, first = process, 1  # Python numbers the processes of a pool from 1
    if "distributed" in sys.modules:
        from distributed import get_worker  # noqa: PLC0415  # only where it is in use

        try:
            worker = get_worker()
        except ValueError:  # no worker of distributed runs this
            pass
        else:
            first, name = 0, str(worker.name)
            if name == worker.address:  # a worker without a name, whose address ends with the number of a port
                return f"worker {name} of {host}", 0
    number = re.search("[0-9]+$", name)
    return f"worker {name} of {host}", int(number[0]) - first if number else 0
