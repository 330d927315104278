"""Integers in a range, made from the states of a generator without words in memory, where few parts are refused.

A first kernel goes through the stream and counts the parts refused in each tile of it; a second one makes the values
and, knowing how many parts are refused before a tile, stores them. Both take strides through the stream, as fills do.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, cast

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions import RAW
from clrng.frontends.numpy_streams.positions import as_numpy
from clrng.frontends.numpy_streams.ranges import Range
from clrng.frontends.numpy_streams.words import Scratch, Words
from clrng.generators import source
from clrng.generators.families import code_for, select
from clrng.generators.generator_code import CTYPES, GeneratorCode
from clrng.generators.halves import Halved
from clrng.opencl import arrays
from clrng.opencl.arrays import wait_list
from clrng.opencl.devices import DeviceInfo, group_size_of
from clrng.opencl.kernel import Kernel, kernel_of, numbered
from clrng.opencl.traits import traits_of
from clrng.order.arguments import offset_of, queue_of
from clrng.proof.examples import Example, check, poison
from clrng.proof.prove import FAR, prove

MOST = 2**31
"""About the most parts of a launch."""

BITS = (32, 64)
"""Of parts that are made so."""

REFUSED = 2**10
"""Of so many parts at most one may be refused, on average: a tile in which one is takes longer."""

TILES = 11
"""Tiles of an example, or of its second turn."""

GROUP_SIZE = 256
"""Work-items of a work-group, and the steps of a tile."""


def code_of(device: DeviceInfo, bits: Any, wanted: Range) -> GeneratorCode | None:
    """Return the code by which `draw_parts` makes such integers from where `bits` stands, or None if it cannot."""
    taken, of = wanted.taken
    few = (of - taken) * REFUSED <= of
    if not (isinstance(bits, Halved) and traits_of(device).side_by_side and wanted.bits in BITS and few):
        return None
    code = code_for(bits, select("auto", device, bits))
    return code if code.moving_steps is not None else None


def draw_parts(words: Words, code: GeneratorCode, bits: Any, wanted: Range, out: cla.Array) -> int:
    """Fill `out`, unsigned, with the values of the steps that follow `bits`; return how many parts this takes."""
    queue, device = words.queue, words.device
    tile, per_step = group_size_of(device, GROUP_SIZE), 64 // wanted.bits
    done = first = 0
    while True:
        tiles = -(-min(wanted.enough(out.size - done), MOST) // (per_step * tile))
        start = bits.jumped(first) if first else bits
        rest = arrays.part(out, done, out.size - done)
        taken, used = _draw_tiles(queue, device, words.scratch, code, start.words, tiles, wanted, rest)
        if taken >= rest.size:
            return first * per_step + used
        done, first = done + taken, first + tiles * tile


def _kernels(queue: cl.CommandQueue, device: DeviceInfo, code: GeneratorCode, wanted: Range) -> list[Kernel]:
    """Return the kernel that makes values and, where parts are refused, that which counts them."""
    values = {
        "part": CTYPES[f"uint{wanted.bits}"],
        "integer": CTYPES[wanted.unsigned.name],
        "method": wanted.method,
        "refuses": wanted.refuses,
        "group_size": group_size_of(device, GROUP_SIZE),
        "stride_words": len(code.stride(1)),
    }
    given = source.kernel, "numpy_streams/bounded_steps.cl.mako", code, RAW, 1
    names = ["place_steps", "count_refused", "count_before"] if wanted.refuses else ["place_steps"]
    return [kernel_of(queue, name, *given, values=values) for name in names]


def _draw_tiles(
    queue: cl.CommandQueue, device: DeviceInfo, scratch: Scratch, code: GeneratorCode, words: Sequence[int], tiles: int,
    wanted: Range, out: cla.Array,
) -> tuple[int, int]:  # fmt: skip
    """Fill `out` with values of so many tiles of steps behind a state, as far as they go.

    Return how many parts are taken, of all or at least as many as needed, and, if they are enough, how many there are
    up to the last one needed.
    """
    kernels = _kernels(queue, device, code, wanted)
    prove(queue, kernels, lambda own: check(own, partial(_example, device, code), _examples(device, code, wanted)))
    size, stride = group_size_of(device, GROUP_SIZE), cast("int", code.moving_steps)
    items, parts = min(tiles * size, stride), tiles * size * (64 // wanted.bits)
    shape = numbered("start", words) | numbered("stride", code.stride(stride)) | {"tiles": tiles}
    shape |= {"range": wanted.factor}
    stores: dict[str, Any] = {"low": wanted.low % 2**64, "wanted": min(out.size, 2**32 - 1)}
    stores |= {"out": out.base_data, "offset": offset_of(out)}
    place, *others = kernels
    if not wanted.refuses:
        event = place(queue, items, size, **shape, **stores, wait_for=wait_list(out))
        arrays.attach_event(queue, out, event)
        return parts, out.size
    count, scan = others
    turns = -(-tiles * size // items)
    counts = scratch.array("counts", tiles + 2 + turns, np.dtype(np.uint32))
    memory: Any = counts.base_data
    zeroed = cl.enqueue_fill_buffer(queue, memory, bytes(4), 0, counts.nbytes)
    counted = count(queue, items, size, **shape, limit=wanted.limit, counts=memory, wait_for=[zeroed])
    scanned = scan(
        queue, turns * size, size, tiles=tiles, tiles_each=items // size, counts=memory, wait_for=[counted]
    )  # fmt: skip
    event = place(
        queue, items, size, **shape, **stores, limit=wanted.limit, counts=memory, wait_for=wait_list(scanned, out)
    )
    arrays.attach_event(queue, out, event)
    found = np.empty(2, np.uint32)
    cl.enqueue_copy(queue, found, memory, src_offset=4 * tiles, wait_for=[event])
    refused, used = found.tolist()
    return (out.size, used) if used else (parts - refused, 0)


def _example(
    device: DeviceInfo, code: GeneratorCode, _: object, results: Sequence[cla.Array], wanted: Range, words: Any,
    tiles: int,
) -> tuple[int, int]:  # fmt: skip
    queue = queue_of(results[0])
    return _draw_tiles(queue, device, Scratch(queue), code, words, tiles, wanted, results[0])


def _examples(device: DeviceInfo, code: GeneratorCode, wanted: Range) -> Iterator[Example]:
    """Yield ranges that refuse no parts or many and few of them, for enough values or too few."""
    bits, tile = wanted.bits, group_size_of(device, GROUP_SIZE)
    turn = cast("int", code.moving_steps) // tile
    if not wanted.refuses:
        lasts = [2 ** (bits - 1) - 1, 2**bits - 1]
    elif wanted.method == "masked":
        lasts = [2 ** (bits - 1), 2**bits - 1 - 2 ** (bits - 12)]
    else:
        lasts = [2 ** (bits - 1) + 1, 2 ** (bits - 1) - 2 ** (bits - 13)]
    for last, far, tiles in zip(lasts, (0, FAR), (TILES, turn + TILES), strict=True):
        tried = Range(wanted.low, wanted.low + last, wanted.dtype, wanted.masked)
        if tried.method != wanted.method:
            continue
        start = code.recurrence.jumped(far)
        parts = as_numpy(start).random_raw(tiles * tile).astype("<u8").view(f"<u{bits // 8}")
        values, taken = tried.values(parts)
        places = np.flatnonzero(taken)
        for size in (places.size // 2, places.size - 1, places.size + 11 * wanted.refuses):
            found = np.concatenate([values[taken], poison(11, values.dtype)])[:size]
            returned = {}
            if wanted.refuses:
                enough = size <= places.size
                returned["the number of parts taken"] = size if enough else places.size
                returned["the number of parts needed"] = int(places[size - 1]) + 1 if enough else 0
            yield Example([], {"value": found}, returned, (tried, start.words, tiles))
