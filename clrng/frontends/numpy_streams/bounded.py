"""Integers in a range on a device, each of a part of a word that is in memory, or made from the states of a generator.

Which values come where follows from the number of parts refused before: they are counted block by block, the counts are
added up, and then all blocks are made at once.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.frontends.numpy_streams import bounded_steps
from clrng.frontends.numpy_streams.positions import drawn_by_numpy
from clrng.frontends.numpy_streams.ranges import Range
from clrng.frontends.numpy_streams.words import Words
from clrng.generators.generator_code import CTYPES, GeneratorCode
from clrng.opencl import arrays, templates
from clrng.opencl.arrays import wait_list
from clrng.opencl.devices import DeviceInfo
from clrng.opencl.kernel import Kernel, kernel_of, launches
from clrng.opencl.traits import traits_of
from clrng.order.arguments import offset_of, queue_of
from clrng.order.plans import scan_plan
from clrng.proof.examples import Array, Example, poison, prove_by

PORTION = {"cpu": 2**20, "gpu": 2**26}
"""The most words that are in memory at once."""

MIN_IN_PLACE = 2**16
"""The minimum number of values that are made without words in memory, which takes more launches."""

FEW = 2**15
"""NumPy itself makes fewer values than these, which is faster than kernels."""

EXAMPLE = 50_021
"""Parts of an example."""


def draw(words: Words, low: int, high: int, out: cla.Array, *, masked: bool = False) -> Any:
    """Fill `out`, contiguous and of a dtype of integers or bool, with integers from `low` to `high` inclusive.

    Return the bit generator that then stands where NumPy's would. A `RandomState` draws `masked`.
    """
    wanted = Range(low, high, out.dtype, masked)
    result = cla.Array(
        out.queue, (out.size,), wanted.unsigned, data=out.base_data, offset=out.offset, events=out.events
    )  # fmt: skip
    if not out.size:
        return words.after_halves(0)
    if not wanted.last:
        place_same(words.queue, low, result)
        return words.after_halves(0)
    if out.size < FEW and not masked:
        values, end = drawn_by_numpy(
            words.bits, lambda rng: rng.integers(low, high, out.size, out.dtype, endpoint=True)
        )  # fmt: skip
        out.set(values.reshape(out.shape), words.queue)
        return end
    code = bounded_steps.code_of(words.device, words.bits, wanted) if out.size >= MIN_IN_PLACE else None
    parts = _draw_parts(words, wanted, result) if code is None else _draw_in_place(words, code, wanted, result)
    used = -(-parts // wanted.parts)
    return words.after_steps(used) if wanted.of_steps else words.after_halves(used)


def _draw_in_place(words: Words, code: GeneratorCode, wanted: Range, out: cla.Array) -> int:
    """Fill `out` from states, after the half that waits; return how many parts this takes."""
    queue, bits, done, waiting = words.queue, words.bits, 0, 0
    if bits.has_uint32 and not wanted.of_steps:
        waiting = 1
        if wanted.values(np.array([bits.uinteger], np.uint32))[1][0]:
            place_all(queue, words.device, _portion(words, wanted, 0, 1), wanted, arrays.part(out, 0, 1))
            done = 1
    if done == out.size:
        return waiting
    rest = arrays.part(out, done, out.size - done)
    return waiting + bounded_steps.draw_parts(words, code, bits, wanted, rest)


def _draw_parts(words: Words, wanted: Range, out: cla.Array) -> int:
    """Fill `out`; return how many parts this takes."""
    queue, device = words.queue, words.device
    most = min(PORTION[traits_of(device).family], device.largest_allocation // 8)
    if not wanted.refuses:
        for first, n in launches(0, out.size, most * wanted.parts):
            parts = _portion(words, wanted, first // wanted.parts, -(-n // wanted.parts))
            place_all(queue, device, parts, wanted, arrays.part(out, first, n))
        return int(out.size)
    done = first = 0
    while True:
        some = min(-(-wanted.enough(out.size - done) // wanted.parts), most)
        parts = _portion(words, wanted, first, some)
        taken, used = place_taken(queue, device, parts, wanted, arrays.part(out, done, out.size - done))
        if done + taken >= out.size:
            return first * wanted.parts + used
        done, first = done + taken, first + some


def _portion(words: Words, wanted: Range, first: int, n: int) -> cla.Array:
    """Return the parts of `n` words from number `first` on; for bools, the words."""
    made = words.steps(n, first) if wanted.of_steps else words.halves(n, first)
    if wanted.bits in (1, 32, 64):
        return made
    kind = np.dtype(f"uint{wanted.bits}")
    return cla.Array(
        words.queue, (n * wanted.parts,), kind, data=made.base_data, offset=made.offset, events=made.events
    )  # fmt: skip


def _kernels(queue: cl.CommandQueue, device: DeviceInfo, wanted: Range, *names: str) -> list[Kernel]:
    plan = scan_plan(device)
    values = {
        "part": CTYPES[f"uint{wanted.bits}"],
        "integer": CTYPES[wanted.unsigned.name],
        "method": wanted.method,
        "group_size": plan.group_size,
        "each": plan.each,
    }
    template = "numpy_streams/bounded.cl.mako"
    return [kernel_of(queue, name, templates.program, template, values=values) for name in names]


def place_same(queue: cl.CommandQueue, value: int, out: cla.Array) -> None:
    """Fill `out`, unsigned, with one value modulo 2^64."""
    values = {"out": CTYPES[out.dtype.name]}
    kernel = kernel_of(queue, "place_same", templates.program, "numpy_streams/bounded_same.cl.mako", values=values)

    def example(given: Sequence[cla.Array], results: Sequence[cla.Array], value: int) -> None:
        place_same(queue_of(given[0]), value, results[0])

    prove_by(queue, [kernel], example, _same_examples(out.dtype))
    event = kernel.for_each(
        queue, out.size, value=value % 2**64, n=out.size, out=out.base_data, offset=offset_of(out),
        wait_for=wait_list(out),
    )  # fmt: skip
    arrays.attach_event(queue, out, event)


def place_all(queue: cl.CommandQueue, device: DeviceInfo, parts: cla.Array, wanted: Range, out: cla.Array) -> None:
    """Fill `out`, unsigned, with the values of as many parts, of which none is refused."""
    if wanted.bits == 1:
        _place_bits(queue, parts, out)
        return
    (kernel,) = _kernels(queue, device, wanted, "place_all")

    def example(given: Sequence[cla.Array], results: Sequence[cla.Array], wanted: Range) -> None:
        place_all(queue_of(given[0]), device, given[0], wanted, results[0])

    prove_by(queue, [kernel], example, _all_examples(wanted))
    plan = scan_plan(device)
    block = plan.part_length(out.size, device.units)
    event = kernel(
        queue, -(-out.size // block) * plan.group_size, plan.group_size, parts=parts.base_data, n=out.size, block=block,
        range=wanted.factor, low=wanted.low % 2**64, out=out.base_data, offset=offset_of(out),
        wait_for=wait_list(parts, out),
    )  # fmt: skip
    arrays.attach_event(queue, out, event)


def _place_bits(queue: cl.CommandQueue, words: cla.Array, out: cla.Array) -> None:
    """Fill `out`, of uint8, with the bits of words."""
    kernel = kernel_of(queue, "place_bits", templates.program, "numpy_streams/bounded_bits.cl.mako", values={})

    def example(given: Sequence[cla.Array], results: Sequence[cla.Array]) -> None:
        _place_bits(queue_of(given[0]), given[0], results[0])

    prove_by(queue, [kernel], example, _bit_examples())
    event = kernel.for_each(
        queue, -(-out.size // 8), bytes=words.base_data, n=out.size, out=out.base_data, offset=offset_of(out),
        wait_for=wait_list(words, out),
    )  # fmt: skip
    arrays.attach_event(queue, out, event)


def place_taken(
    queue: cl.CommandQueue, device: DeviceInfo, parts: cla.Array, wanted: Range, out: cla.Array
) -> tuple[int, int]:
    """Fill `out`, unsigned, with values of parts, as far as they go.

    Return how many parts are taken of all and, if they are enough, how many there are up to the last one needed.
    """
    kernels = _kernels(queue, device, wanted, "count_taken", "scan_taken", "place_taken")

    def example(given: Sequence[cla.Array], results: Sequence[cla.Array], wanted: Range) -> tuple[int, int]:
        return place_taken(queue_of(given[0]), device, given[0], wanted, results[0])

    prove_by(queue, kernels, example, _taken_examples(wanted))
    plan = scan_plan(device)
    block = plan.part_length(parts.size, device.units)
    blocks, size = -(-parts.size // block), plan.group_size
    counts = cla.Array(queue, blocks + 2, np.dtype(np.uint32))
    given = {"parts": parts.base_data, "n": parts.size, "block": block, "range": wanted.factor}
    given |= {"limit": wanted.limit, "counts": counts.base_data}
    count, scan, place = kernels
    counted = count(queue, blocks * size, size, wait_for=wait_list(parts), **given)
    scanned = scan(queue, size, size, wait_for=[counted], counts=counts.base_data, blocks=blocks)
    event = place(
        queue, blocks * size, size, wait_for=wait_list(scanned, out), **given, low=wanted.low % 2**64, blocks=blocks,
        wanted=min(out.size, 2**32 - 1), out=out.base_data, offset=offset_of(out),
    )  # fmt: skip
    arrays.attach_event(queue, out, event)
    counts.add_event(event)
    taken, used = counts[blocks:].get()
    return int(taken), int(used)


def _random_parts(wanted: Range, n: int) -> Array:
    """Return random parts, or words for bools."""
    dtype = np.dtype(f"uint{max(wanted.bits, 8) if wanted.bits > 1 else 32}")
    return np.frombuffer(np.random.PCG64(n).random_raw(n * dtype.itemsize // 8 + 1).tobytes(), dtype)[:n]


def _same_examples(dtype: np.dtype[Any]) -> Iterator[Example]:
    """Yield a few equal values; a value that is given is of no use."""
    for value in (0, 2 ** (8 * dtype.itemsize) - 3):
        yield Example([np.zeros(1, np.uint8)], {"value": np.full(EXAMPLE // 50, value, dtype)}, numbers=(value,))


def _bit_examples() -> Iterator[Example]:
    """Yield the bits of words, the last one of them not whole."""
    words = np.random.default_rng(EXAMPLE).integers(0, 2**32, EXAMPLE // 32 + 1, np.uint32)
    bits = np.unpackbits(words.astype("<u4").view(np.uint8), bitorder="little")[:EXAMPLE]
    yield Example([words], {"bit": bits}, offsets=[0])


def _all_examples(wanted: Range) -> Iterator[Example]:
    """Yield ranges that take all parts."""
    for last in (1, 2 ** (wanted.bits - 1) - 1, 2**wanted.bits - 1):
        tried = Range(wanted.low, wanted.low + last, wanted.dtype, wanted.masked)
        if tried.method == wanted.method and tried.bits == wanted.bits:
            parts = _random_parts(wanted, EXAMPLE)
            yield Example([parts], {"value": tried.values(parts)[0]}, numbers=(tried,), offsets=[0])


def _taken_examples(wanted: Range) -> Iterator[Example]:
    """Yield a range that refuses almost half of the parts, of which few are or many, for enough values or too few."""
    half = 2 ** (wanted.bits - 1)
    tried = Range(wanted.low, wanted.low + half, wanted.dtype, wanted.masked)
    for n in (307, EXAMPLE):
        parts = _random_parts(wanted, n)
        taken = tried.values(parts)[1]
        few = np.where(taken, parts, parts[taken][0])
        few[[n // 3, n // 3 + 2, n - 1]] = parts[~taken][0]
        for each in (parts, few):
            values, taken = tried.values(each)
            places = np.flatnonzero(taken)
            for size in (places.size // 2, places.size, places.size + 11):
                found = np.concatenate([values[taken], poison(11, values.dtype)])[:size]
                returned = {"the number of parts taken": places.size}
                if size <= places.size:
                    returned["the number of parts needed"] = int(places[size - 1]) + 1
                yield Example([each], {"value": found}, returned, (tried,), [0])
