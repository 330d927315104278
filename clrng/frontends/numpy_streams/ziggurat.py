"""Normal and exponential numbers as NumPy's Generator draws them: by ziggurats of 256 layers.

A value takes one word in 99 of 100 cases: a 64-bit step of the stream, or a 32-bit half for float32. Else it takes
more, or none comes of them. Where attempts begin is found for all words at once. Work-groups look through parts of the
words, at first as if an attempt began with the first word of each. Where the attempts of one part take words of the
next, this is looked through once more; and again, until nothing changes, which is soon, as nearly all attempts are of
one word. Then it is known how many values come before each part, and all are put in their places.

Where a comparison with an exponential or a logarithm of the C library is so near that the device's own might decide
otherwise, NumPy itself is asked; and so it is for the values of tails, a few of 10 000, which are such logarithms.

References
----------
G. Marsaglia and W. W. Tsang, The ziggurat method for generating random variables, Journal of Statistical Software 5,
2000.
"""

from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.frontends.numpy_streams.oracle import WIDE, Oracle
from clrng.frontends.numpy_streams.positions import as_numpy, of_numpy
from clrng.frontends.numpy_streams.words import HostWords, Words
from clrng.generators.families import code_for, select
from clrng.generators.generator_code import GeneratorCode
from clrng.opencl import arrays
from clrng.opencl.arrays import upload, wait_list
from clrng.opencl.kernel import kernel_of, numbered, of_queue
from clrng.opencl.templates import prelude, render
from clrng.opencl.traits import traits_of
from clrng.order.arguments import attach, offset_of
from clrng.proof.prove import GUARD, check_guard, compare, poisoned, prove

Array = npt.NDArray[Any]

PORTION = {"cpu": 2**20, "gpu": 2**26, "made": 2**30}
"""The most words that are looked through at once, in memory or, if they are made in place, anywhere."""

PART = {"cpu": 2**12, "gpu": 2**15, "made": 2**17}
"""Words of a part, of many: a jump leads to each where they are made in place."""

PARTS_OF_A_UNIT = 8
"""The fewest parts for each compute unit of a device, before parts have several tiles."""

GROUP_SIZE = 256
"""Work-items of a work-group where they run side by side."""

BEHIND = 64
"""Words behind a portion, for the attempts that begin in it; there are more where these are not enough."""

NOTES, NOTE = 4096, 5
"""How many notes there is memory for, and for more where that is not enough; and the numbers of a note."""

TAILS = 10_000, 256
"""There is memory for a value of so many that NumPy makes, and these more; and for more where that is not enough."""

TABLES = ("quick", "width", "height")
"""Of each layer: the sizes below which an attempt is quick, the width of a size of 1, and the height."""


class Law(NamedTuple):
    """What is drawn: ``"normal"`` or ``"exponential"`` numbers, of 64 or 32 bits."""

    name: str
    bits: int

    @property
    def in_halves(self) -> bool:
        """Whether words are 32-bit halves."""
        return self.bits < WIDE

    @property
    def tail_words(self) -> int:
        """The fewest words that a value in the tail takes."""
        return 3 if self.name == "normal" else 2


WORDS_OF_A_VALUE = {"normal": 1.0222, "exponential": 1.0338}
"""A little more words than a value takes on average."""

NEAR = {
    Law("normal", 64): (1e-13, 1e-13),
    Law("normal", 32): (1e-13, 5e-6),
    Law("exponential", 64): (1e-13, 0.0),
    Law("exponential", 32): (1e-6, 0.0),
}
"""By how much of the larger one two sides differ at least where the device decides, in wedges and in tails: more than
the error of either, for NumPy takes some functions in single precision, others in double precision."""

NEAR_IN_FLOAT = 1e-5
"""The same in wedges where the device has no double precision."""

UNSEEN = 2**32 - 1
"""In place of how many words of a part were taken when it was last looked through."""

COUNTERS = 2
"""The numbers in front of those of the parts: of notes, and of attempts that need words behind the end."""

USUAL_TIMES = 2
"""After how many times of looking through nothing changes, almost surely."""

FEW = {"cpu": {"normal": 2**16, "exponential": 2**18}, "gpu": {"normal": 2**13, "exponential": 2**13}}
"""NumPy itself makes fewer values than these, which is faster than kernels."""

INVERTED = 2**20
"""Values of the host that are copied at once."""

EXAMPLE = 30_011
"""Values of a proof, in many parts."""


def table(law: Law, name: str) -> Array:
    """Return one of the `TABLES` of NumPy's ziggurat."""
    with np.load(Path(__file__).with_name("ziggurat.npz")) as tables:
        found: Array = tables[f"{law.name}{law.bits}_{name}"]
    return found


def _tables(context: cl.Context, law: Law) -> list[cl.Buffer]:
    """Return the tables of a law in the memory of a context."""
    flags = cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR
    return [cl.Buffer(context, flags, hostbuf=table(law, name)) for name in TABLES]


@cache
def is_fused() -> bool:
    """Return whether NumPy rounds ``loc + scale * z`` once, as processors that multiply and add in one step may."""
    one, same = (np.random.Generator(np.random.PCG64(1)) for _ in range(2))
    return not np.array_equal(one.normal(0.1, 1.1, 64), 0.1 + 1.1 * same.standard_normal(64))


class _Shape(NamedTuple):
    """How words are cut: into `parts` of `tiles` tiles of `tile` words each."""

    parts: int
    tiles: int
    tile: int

    @property
    def part(self) -> int:
        """The words of a part."""
        return self.tiles * self.tile

    @property
    def words(self) -> int:
        """The words in which attempts begin."""
        return self.parts * self.part


class _Affine(NamedTuple):
    """What values are multiplied by, and what is added then."""

    scale: Any = 1
    loc: Any = 0


class _Ziggurat:
    """The kernels of a law for the words of a stream; values are moved and scaled where `affine`.

    Where work-items run side by side they make the words in place, if a generator has small states and strides.
    """

    def __init__(self, words: Words | HostWords, law: Law, *, affine: bool) -> None:
        self.law, self.affine, self._device, self.code = law, affine, words.device, _code_in_place(words)
        queue, traits = words.queue, traits_of(words.device)
        self.group = min(GROUP_SIZE, self._device.device.max_work_group_size) if traits.side_by_side else 1
        self._portion = PORTION["made" if self.code else traits.family]
        self._part = PART["made" if self.code else traits.family]
        self._real = np.float64 if self._device.fp64 else np.float32
        values = {
            "bits": law.bits,
            "normal": law.name == "normal",
            "word": "uint" if law.in_halves else "ulong",
            "value": "float" if law.in_halves else "double",
            "real": "double" if self._device.fp64 else "float",
            "fused": is_fused(),
            "uniform": "((x) >> 8) * 0x1p-24f" if law.in_halves else words.double_of,
            "affine": affine,
            "group_size": self.group,
            "tile": 32 * self.group,
        }
        names = "find_values", "place_values", "put_values"
        self.find, self.place, self.put = self.kernels = [
            kernel_of(queue, name, _text, self.code, values=values) for name in names
        ]
        self.tables = dict(zip(TABLES, of_queue(queue).cached(_tables)(law), strict=True))

    @property
    def margins(self) -> dict[str, Any]:
        """The arguments that say which comparisons are near."""
        wedge, tail = NEAR[self.law]
        margin = wedge if self._device.fp64 else max(wedge, NEAR_IN_FLOAT)
        return {"margin": self._real(margin), "tail_margin": self._real(tail)}

    def shape(self, n: int) -> _Shape:
        """Return how the words are cut that are almost surely enough for `n` values, or those of a portion."""
        words = int(n * WORDS_OF_A_VALUE[self.law.name] + n**0.5) + 16
        words = -(-words // -(-words // self._portion))  # portions of equal size
        tile = 32 * self.group
        tiles = -(-words // tile)
        each = max(1, min(self._part // tile, tiles // (PARTS_OF_A_UNIT * self._device.units)))
        return _Shape(-(-tiles // each), each, tile)


class _Source(NamedTuple):
    """Where words come from: an array of them, or None, and the arguments of kernels."""

    array: cla.Array | None
    given: dict[str, Any]


def _words(ziggurat: _Ziggurat, words: Words | HostWords, first: int, n: int, memory: cla.Array | None) -> _Source:
    """Return the source of `n` words from number `first` on, which are put in `memory` if they fit there."""
    code, in_halves = ziggurat.code, ziggurat.law.in_halves
    if code is None:
        array = (words.halves if in_halves else words.steps)(n, first, memory)
        return _Source(array, {"words": array.base_data, "end": n})
    waiting = _waiting(ziggurat, words)
    start = words.bits.jumped(first // (2 if in_halves else 1) - waiting)
    given = {
        **numbered("start", start.words),
        **numbered("stride", code.stride(ziggurat.group)),
        "waiting": words.bits.words[-1] if waiting and first == 0 else 0,
    }
    return _Source(None, given)


def _waiting(ziggurat: _Ziggurat, words: Words | HostWords) -> int:
    """Return 1 if words are made of a generator of which a half waits: it is word 1 then, and word 0 has been taken."""
    return int(ziggurat.code is not None and ziggurat.law.in_halves and words.bits.has_uint32)


def _code_in_place(words: Words | HostWords) -> GeneratorCode | None:
    """Return the code by which work-items make the words themselves, or None where these are in memory."""
    if isinstance(words, HostWords) or not traits_of(words.device).side_by_side or words.bits.dtype != np.uint64:
        return None
    code = code_for(words.bits, select("auto", words.device, words.bits))
    return code if code.fits_registers and code.fill_strategy == "strides" else None


def _text(code: GeneratorCode | None, values: Mapping[str, Any]) -> str:
    """Return the program of the kernels, with the generator `code` of words that are made in place."""
    form = "in_turn" if values["group_size"] == 1 else "side_by_side"
    generator = code.generator("s_", 1) if code else ""
    made = {
        "made": code is not None,
        "each": 64 // values["bits"] if code else 1,
        "order": code.order if code else 0,
        "strides": len(code.stride(1)) if code else 0,
        "fixes_strides": code is not None and code.fixes_strides,
    }
    return prelude() + generator + render(f"numpy_streams/ziggurat_{form}.cl.mako", **values, **made)


class _Search:
    """The attempts that make a value, in the words of a portion.

    `first`, `taken`: the number of its first word, and how many words are taken by attempts before. `memory`: that of
    the words of another portion, or None. `size`: how many values were found. `taken_behind`: how many words behind it
    are taken.
    """

    def __init__(
        self, ziggurat: _Ziggurat, words: Words | HostWords, first: int, shape: _Shape, taken: int,
        memory: cla.Array | None,
    ) -> None:  # fmt: skip
        self._ziggurat, self._stream, self._first, self._shape = ziggurat, words, first, shape
        self._queue: cl.CommandQueue = words.queue
        self.memory = memory
        self._found = cla.Array(self._queue, shape.words // 32, np.uint32)
        behind, most_notes = BEHIND, NOTES
        while (progress := self._progress(taken, behind, most_notes)) is None:
            behind, most_notes = 16 * behind, 16 * most_notes
        counts = progress[COUNTERS + shape.parts + 1 :][: shape.parts]
        self._places = np.zeros(shape.parts, np.uint32)
        np.cumsum(counts[:-1], out=self._places[1:])
        self.size, self.taken_behind = int(counts.sum()), int(progress[COUNTERS + shape.parts])

    @cached_property
    def _oracle(self) -> Oracle:
        return Oracle(*self._ziggurat.law)

    def _progress(self, taken: int, behind: int, most_notes: int) -> Array | None:
        """Look through all words until nothing changes; return None if more words or more notes are needed."""
        shape, parts = self._shape, self._shape.parts
        self._flips, self._flip_count = upload(self._queue, np.zeros(0, np.uint64)), 0
        self._made = _words(self._ziggurat, self._stream, self._first, shape.words + behind, self.memory)
        self.memory = self._made.array
        notes = cla.Array(self._queue, NOTE * most_notes, np.uint64)
        progress, flips = np.zeros(COUNTERS + 1 + 3 * parts, np.uint32), set[int]()
        progress[COUNTERS], progress[-parts:] = taken, UNSEEN
        while True:
            progress = self._looked_through(progress, notes)
            if progress[0] > most_notes or progress[1]:
                return None
            if not np.array_equal(progress[COUNTERS : COUNTERS + parts], progress[-parts:]):
                continue
            noted = arrays.part(notes, 0, NOTE * int(progress[0])).get() if progress[0] else np.zeros(0, np.uint64)
            more = {_flip(note) for note in noted.reshape(-1, NOTE) if self._is_flip(note)} - flips
            if not more:
                return progress
            flips |= more
            self._flips, self._flip_count = upload(self._queue, np.array(sorted(flips), np.uint64)), len(flips)
            for flip in more:
                progress[(flip >> 8) // shape.part - parts] = UNSEEN

    def _is_flip(self, note: Array) -> bool:
        """Return whether a decision seems to be another one than NumPy's, which is asked."""
        what = int(note[1])
        return self._oracle.takes(note[2 : 5 if what & 4 else 4]) != bool(what & 2)

    def _common(self) -> dict[str, Any]:
        """Return the arguments of both kernels that go through the words."""
        ziggurat, memory = self._ziggurat, self._found.base_data
        return {
            **self._made.given, **ziggurat.tables, **ziggurat.margins, "tiles": self._shape.tiles, "found": memory,
            "flips": self._flips.base_data, "flip_count": self._flip_count,
        }  # fmt: skip

    def _looked_through(self, progress: Array, notes: cla.Array) -> Array:
        """Look through the parts that have not been, with as many words taken, and return the progress."""
        ziggurat, parts, on_device = self._ziggurat, self._shape.parts, upload(self._queue, progress)
        for _ in range(USUAL_TIMES):
            event = ziggurat.find(
                self._queue, parts * ziggurat.group, ziggurat.group, parts=parts, progress=on_device.base_data,
                notes=notes.base_data, most_notes=notes.size // NOTE,
                wait_for=wait_list(self._made.array, self._found), **self._common(),
            )  # fmt: skip
            for each in (on_device, self._found, notes):
                each.events[:] = [event]
        after: Array = on_device.get()
        return after

    def place(self, out: cla.Array, done: int, affine: _Affine) -> int:
        """Put the values in `out`, behind the `done` first ones; return the words up to its end, if that fills it."""
        ziggurat, shape, left = self._ziggurat, self._shape, out.size - done
        places, count, most = upload(self._queue, self._places), 1, 0
        while count > most:
            most = max(count, min(left, self.size) // TAILS[0] + TAILS[1])
            placed = cla.Array(self._queue, 4 + 4 * most, np.uint64)
            memory: Any = placed.base_data
            attach(self._queue, cl.enqueue_fill_buffer(self._queue, memory, bytes(4), 0, 32), placed)
            event = ziggurat.place(
                self._queue, shape.parts * ziggurat.group, ziggurat.group, places=places.base_data, out=out.base_data,
                offset=offset_of(out) + done, n=left, placed=placed.base_data, most_placed=most,
                wait_for=wait_list(self._made.array, self._found, placed, out), **affine._asdict(), **self._common(),
            )  # fmt: skip
            attach(self._queue, event, out, placed, self._made.array)
            rows = arrays.part(placed, 0, 4 + 4 * min(most, TAILS[1])).get().reshape(-1, 4)
            count, last, words, _ = rows[0].tolist()
        if count:
            if count > TAILS[1]:
                rows = arrays.part(placed, 0, 4 + 4 * count).get().reshape(-1, 4)
            values = self._oracle.values(rows[1 : count + 1, 1 : 1 + ziggurat.law.tail_words])
            event = ziggurat.put.for_each(
                self._queue, count, placed=placed.base_data, values=upload(self._queue, values).base_data, n=count,
                out=out.base_data, offset=offset_of(out) + done, wait_for=wait_list(out), **affine._asdict(),
            )  # fmt: skip
            attach(self._queue, event, out)
        return int(last + words)


def _flip(note: Array) -> int:
    """Return the number of a decision, by which kernels order them: of its attempt's place and its pair of uniforms."""
    return int(note[0]) << 8 | int(note[1]) >> 3 & 255


def standard_normal(words: Words, out: cla.Array) -> Any:
    """Fill `out`, float64 or float32, as NumPy's ``standard_normal`` does; return where the stream stands then."""
    return _draw(words, Law("normal", 8 * out.dtype.itemsize), out)


def normal(words: Words, out: cla.Array, loc: float = 0.0, scale: float = 1.0) -> Any:
    """Fill `out`, float64, as NumPy's ``normal`` does; return where the stream stands then."""
    return _draw(words, Law("normal", 64), out, _Affine(scale, loc))


def standard_exponential(words: Words, out: cla.Array, method: str = "zig") -> Any:
    """Fill `out`, float64 or float32, as NumPy's ``standard_exponential`` does; return where the stream stands then."""
    if method == "zig":
        return _draw(words, Law("exponential", 8 * out.dtype.itemsize), out)
    rng = np.random.Generator(as_numpy(words.bits))  # as each value is a logarithm of the C library
    for first in range(0, out.size, INVERTED):
        part = arrays.part(out, first, min(INVERTED, out.size - first))
        values = rng.standard_exponential(part.size, part.dtype, method="inv")
        part.set(values)
    return words.after_steps(out.size) if out.dtype == np.float64 else words.after_halves(out.size)


def exponential(words: Words, out: cla.Array, scale: float = 1.0) -> Any:
    """Fill `out`, float64, as NumPy's ``exponential`` does; return where the stream stands then."""
    return _draw(words, Law("exponential", 64), out, _Affine(scale))


def _draw(words: Words, law: Law, out: cla.Array, affine: _Affine | None = None) -> Any:
    """Fill `out` with numbers, scaled and moved where `affine`; return the bit generator that stands behind them."""
    if out.size < FEW[traits_of(words.device).family][law.name]:
        rng = np.random.Generator(as_numpy(words.bits))
        out.set(_numbers(rng, law, out.size, affine).reshape(out.shape), words.queue)
        end = of_numpy(rng.bit_generator)
        end._seed_seq = words.bits.seed_seq  # noqa: SLF001  # which as_numpy makes up where there is none
        return end
    ziggurat = _Ziggurat(words, law, affine=affine is not None)
    prove(words.queue, ziggurat.kernels, lambda queue: _check(queue, words, ziggurat))
    return _drawn(ziggurat, words, out, affine or _Affine())


def _numbers(rng: np.random.Generator, law: Law, n: int, affine: _Affine | None) -> Array:
    """Return NumPy's own numbers."""
    if affine is None:
        found: Array = getattr(rng, f"standard_{law.name}")(n, f"float{law.bits}")
        return found
    return rng.normal(affine.loc, affine.scale, n) if law.name == "normal" else rng.exponential(affine.scale, n)


def _drawn(ziggurat: _Ziggurat, words: Words | HostWords, out: cla.Array, affine: _Affine) -> Any:
    """Do what `_draw` does, by kernels that are proved, or are being proved."""
    given = _Affine(*map(out.dtype.type, affine))
    waiting = taken = end = _waiting(ziggurat, words)
    done, first, memory = 0, 0, None
    while done < out.size:
        search = _Search(ziggurat, words, first, shape := ziggurat.shape(out.size - done), taken, memory)
        end = first + search.place(out, done, given)
        memory, done, first, taken = search.memory, done + search.size, first + shape.words, search.taken_behind
    return (words.after_halves if ziggurat.law.in_halves else words.after_steps)(end - waiting)


def _check(queue: cl.CommandQueue, words: Words | HostWords, ziggurat: _Ziggurat) -> None:
    """Compare numbers, and where the stream stands then, with those of NumPy."""
    bits = type(as_numpy(words.bits))(5)
    stream = Words if ziggurat.code else HostWords
    law = ziggurat.law
    affine = _Affine(1.1, 0.1 if law.name == "normal" else 0) if ziggurat.affine else None
    memory = poisoned(queue, EXAMPLE + 2 * GUARD, np.dtype(f"float{law.bits}"))
    given = stream(queue, words.device, of_numpy(bits) if ziggurat.code else bits)
    after = as_numpy(_drawn(ziggurat, given, arrays.part(memory, GUARD, EXAMPLE), affine or _Affine()))
    expected = _numbers(np.random.Generator(bits), law, EXAMPLE, affine)
    made = memory.get()
    compare(f"{law.name} value", made[GUARD:-GUARD], expected)
    check_guard("around", np.concatenate([made[:GUARD], made[-GUARD:]]))
    following = [np.random.Generator(each).integers(2**32, size=3, dtype=np.uint32) for each in (after, bits)]
    compare("number after the values", *following)
