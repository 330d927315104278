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

from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.frontends.numpy_streams.oracle import WIDE, Oracle, has_log1p, logarithms
from clrng.frontends.numpy_streams.positions import as_numpy, drawn_by_numpy, of_numpy
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

TAIL = {
    "normal": (3.6541528853610087963519472518, 0.27366123732975827203338247596),
    "exponential": (7.6971174701310497140446280481, 1.0),
}
"""Where the tail begins, and by what logarithms are multiplied there."""

NEAR = {
    Law("normal", 64): (1e-13, 1e-13),
    Law("normal", 32): (1e-13, 5e-6),
    Law("exponential", 64): (1e-13, 0.0),
    Law("exponential", 32): (2e-7, 0.0),
}
"""By how much of the larger one two sides differ at least where the device decides, in wedges and in tails: more than
the error of either, for NumPy takes some functions in single precision, others in double precision."""

NEAR_IN_FLOAT = 1e-5
"""The same in wedges where the device has no double precision."""

UNSEEN = 2**32 - 1
"""In place of how many words of a part were taken when it was last looked through."""

COUNTERS = 5
"""The numbers in front of those of the parts: of notes, of attempts that need words behind the end, and of values that
NumPy makes; and the place of the first word of the last value, and how many words that takes."""

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
            "tail": TAIL[law.name],
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


def _words(ziggurat: _Ziggurat, words: Words | HostWords, first: int, n: int) -> _Source:
    """Return the source of `n` words from number `first` on."""
    code, in_halves = ziggurat.code, ziggurat.law.in_halves
    if code is None:
        memory = words.scratch.array("words", n, np.uint32 if in_halves else np.uint64)
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


class _Portion:
    """The values in the words of a portion, which `draw` puts in their places.

    `first`, `taken`: the number of its first word, and how many words are taken by attempts before. After `draw`,
    `size`: how many values were found. `taken_behind`: how many words behind it are taken.
    """

    def __init__(self, ziggurat: _Ziggurat, words: Words | HostWords, first: int, shape: _Shape, taken: int) -> None:
        self._ziggurat, self._stream, self._first, self._shape = ziggurat, words, first, shape
        self._queue: cl.CommandQueue = words.queue
        self._progress = np.zeros(COUNTERS + 1 + 3 * shape.parts, np.uint32)
        self._progress[COUNTERS] = taken
        self.size = self.taken_behind = 0

    @cached_property
    def _oracle(self) -> Oracle:
        return Oracle(*self._ziggurat.law)

    def _seen(self) -> Array:
        return self._progress[-self._shape.parts :]

    def draw(self, out: cla.Array, done: int, affine: _Affine) -> int:
        """Put the values in `out`, behind the `done` first ones; return the words up to its end, if that fills it."""
        shape, left, flips = self._shape, out.size - done, set[int]()
        behind, room = BEHIND, [NOTES, min(left, shape.words) // TAILS[0] + TAILS[1]]
        self._begin(behind)
        while True:
            notes, tails = self._launched(out, done, affine, room, flips)
            noted, needs_more, found, last, words = self._progress[:COUNTERS].tolist()
            if needs_more or noted > room[0]:
                behind, room[0] = 16 * behind, max(room[0], noted)
                self._begin(behind)
            elif np.array_equal(self._progress[COUNTERS:][: shape.parts], self._seen()):
                more = self._flips(arrays.part(notes, 0, NOTE * noted)) - flips if noted else set()
                if not more and found <= room[1]:
                    break
                room[1], flips = max(room[1], found), flips | more
                for flip in more:
                    self._seen()[(flip >> 8) // shape.part] = UNSEEN
        if found:
            self._put(tails, found, out, offset_of(out) + done, affine)
        self.size = int(self._progress[COUNTERS + 1 + shape.parts :][: shape.parts].sum())
        self.taken_behind = int(self._progress[COUNTERS + shape.parts])
        return int(last + words)

    def _begin(self, behind: int) -> None:
        """Have the words of the portion, and so many behind it, and nothing else."""
        self._words = _words(self._ziggurat, self._stream, self._first, self._shape.words + behind)
        self._progress[0] = 0
        self._seen()[:] = UNSEEN

    def _launched(
        self, out: cla.Array, done: int, affine: _Affine, room: Sequence[int], flips: set[int]
    ) -> tuple[cla.Array, cla.Array]:
        """Look through the parts that are to be, and put all values in their places; return the notes, and the tails.

        That is what attempts noted, and the rows of values that NumPy makes.
        """
        ziggurat, shape, queue, scratch = self._ziggurat, self._shape, self._queue, self._stream.scratch
        found = scratch.array("found", shape.words // 32, np.uint32)
        notes, tails = scratch.array("notes", NOTE * room[0], np.uint64), scratch.array("tails", 4 * room[1], np.uint64)
        progress = scratch.array("progress", self._progress.size, np.uint32)
        self._progress[1:COUNTERS] = 0
        progress.set(self._progress, queue)
        ordered = upload(queue, np.array(sorted(flips), np.uint64)).base_data if flips else notes.base_data
        common = {
            **self._words.given, **ziggurat.tables, **ziggurat.margins, "parts": shape.parts, "tiles": shape.tiles,
            "found": found.base_data, "progress": progress.base_data, "flips": ordered, "flip_count": len(flips),
        }  # fmt: skip
        size = queue, shape.parts * ziggurat.group, ziggurat.group
        events = wait_list(self._words.array, found, notes, tails, progress, out)
        for _ in range(USUAL_TIMES):
            event = ziggurat.find(*size, notes=notes.base_data, most_notes=room[0], wait_for=events, **common)
            events = [event]
        event = ziggurat.place(
            *size, out=out.base_data, offset=offset_of(out) + done, n=out.size - done, tails=tails.base_data,
            most_tails=room[1], wait_for=events, **affine._asdict(), **common,
        )  # fmt: skip
        attach(queue, event, out, found, notes, tails, progress, self._words.array)
        self._progress = progress.get()
        return notes, tails

    def _flips(self, notes: cla.Array) -> set[int]:
        """Return the noted decisions that seem to be other than NumPy's."""
        noted = notes.get().reshape(-1, NOTE)
        seem, in_tail = noted[:, 1] & 2 != 0, noted[:, 1] & 4 != 0
        take = np.zeros(len(noted), bool)
        if not in_tail.all():
            take[~in_tail] = self._oracle.takes(noted[~in_tail, 2:4])
        take[in_tail] = [self._oracle.takes_pair(row) for row in noted[in_tail, 2:5]]
        return {_flip(note) for note in noted[take != seem]}

    def _put(self, tails: cla.Array, count: int, out: cla.Array, offset: int, affine: _Affine) -> None:
        """Put the values that NumPy makes in their places."""
        law = self._ziggurat.law
        rows = arrays.part(tails, 0, 4 * count).get().reshape(-1, 4)
        if law.in_halves or is_fused() or not has_log1p():
            values = self._oracle.values(rows[:, 1 : 1 + law.tail_words])
        else:
            tail, factor = TAIL[law.name]
            values = factor * logarithms(rows[:, 2] * 2.0**-53) + tail
            if law.name == "normal":
                values = np.where(rows[:, 1] >> np.uint64(17) & np.uint64(1), -values, values)
        event = self._ziggurat.put.for_each(
            self._queue, count, tails=tails.base_data, values=upload(self._queue, values).base_data, n=count,
            out=out.base_data, offset=offset, wait_for=wait_list(out, tails), **affine._asdict(),
        )  # fmt: skip
        attach(self._queue, event, out, tails)


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
        values, end = drawn_by_numpy(words.bits, lambda rng: _numbers(rng, law, out.size, affine))
        out.set(values.reshape(out.shape), words.queue)
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
    done = first = 0
    while done < out.size:
        portion = _Portion(ziggurat, words, first, shape := ziggurat.shape(out.size - done), taken)
        end = first + portion.draw(out, done, given)
        done, first, taken = done + portion.size, first + shape.words, portion.taken_behind
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
