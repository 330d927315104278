"""Normal and exponential numbers as NumPy's Generator draws them: by ziggurats of 256 layers.

A value takes one word in 99 of 100 cases: a 64-bit step of the stream, or a 32-bit half for float32. Else it takes
more, or none comes of them. Where attempts begin is found for all words at once. Work-groups look through parts of the
words, at first as if an attempt began with the first word of each. Where the attempts of one part take words of the
next, this is looked through once more; and again, until nothing changes, which is soon, as nearly all attempts are of
one word. Then it is known how many values come before each part, and all are put in their places.

Where work-items run side by side, they first sift out the few words of which one alone makes no value, and only these
are looked at later.

Where a comparison with an exponential or a logarithm of the C library is so near that the device's own might decide
otherwise, NumPy itself is asked; and so it is for the values of tails, a few of 10 000, which are such logarithms.

References
----------
G. Marsaglia and W. W. Tsang, The ziggurat method for generating random variables, Journal of Statistical Software 5,
2000.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.frontends.numpy_streams.oracle import WIDE, oracle_of
from clrng.frontends.numpy_streams.positions import as_numpy, drawn_by_numpy, of_numpy
from clrng.frontends.numpy_streams.words import HostWords, Words
from clrng.generators.families import code_for, select
from clrng.generators.generator_code import GeneratorCode
from clrng.opencl import arrays
from clrng.opencl.arrays import upload, wait_list
from clrng.opencl.devices import group_size_of
from clrng.opencl.kernel import kernel_of, numbered, of_queue
from clrng.opencl.templates import prelude, render
from clrng.opencl.traits import traits_of
from clrng.order.arguments import attach, offset_of
from clrng.proof.prove import GUARD, check_guard, compare, poisoned, prove

Array = npt.NDArray[Any]

PORTION = {"cpu": 2**20, "gpu": 2**26, "made": 2**29 - 2**21}
"""The most words that are looked through at once, in memory or, if they are made in place, anywhere: then what is noted
of them has no more bytes than are kept for the next portion."""

PART = {"cpu": 2**12, "gpu": 2**15, "made": 2**15}
"""Words of a part, of many: a jump leads to each where they are made in place."""

PARTS_OF_A_UNIT = 8
"""The fewest parts for each compute unit of a device, before parts have several tiles."""

GROUP_SIZE = 256
"""Work-items of a work-group where they run side by side, or the largest power of two that the device has."""

ITEMS = 2**18
"""Work-items that go through all words, if their stride is not that of cheaper steps."""

MOST_ITEMS = 2**16
"""Work-items that go through values in the tail."""

BEHIND = 64
"""Words behind a portion, for the attempts that begin in it; there are more where these are not enough."""

NOTES, NOTE = 4096, 5
"""How many notes there is memory for, and for more where that is not enough; and the numbers of a note."""

ROWS = 10_000, 256
"""There is memory for a value of so many that NumPy makes, and these more; and for more where that is not enough."""

TAILS = 1_000, 256
"""The same for values in the tail."""

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

COUNTERS = 4
"""The numbers in front of those of the parts: of notes, of attempts that need words behind the end, of values that
NumPy makes, and of values in the tail."""

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
        self.side_by_side = traits.side_by_side
        self.group = group_size_of(words.device, GROUP_SIZE if self.side_by_side else 1)
        self._portion = PORTION["made" if self.code else traits.family]
        self._part = PART["made" if self.code else traits.family]
        self._real = np.float64 if self._device.fp64 else np.float32
        self.items = (self.code.moving_steps if self.code else None) or ITEMS
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
            "counters": COUNTERS,
        }
        names = ["find_values", "place_values", "put_values"]
        names += ["sift_words", "sum_counts", "place_tails"] if self.side_by_side else []
        self.kernels = [kernel_of(queue, name, _text, self.code, values=values) for name in names]
        self.find, self.place, self.put, *self.more = self.kernels
        self.tables = dict(zip(TABLES, of_queue(queue).cached(_tables)(law), strict=True))

    @property
    def words_of_a_step(self) -> int:
        """How many words are made of a step of a generator, or 1 where they are in memory."""
        return WIDE // self.law.bits if self.code else 1

    @property
    def margins(self) -> dict[str, Any]:
        """The arguments that say which comparisons are near."""
        wedge, tail = NEAR[self.law]
        margin = wedge if self._device.fp64 else max(wedge, NEAR_IN_FLOAT)
        return {"margin": self._real(margin), "tail_margin": self._real(tail)}

    def stride(self, words: int) -> dict[str, Any]:
        """Return the arguments that lead over so many words, where they are made in place."""
        return numbered("stride", self.code.stride(words // self.words_of_a_step)) if self.code else {}

    def shape(self, n: int) -> _Shape:
        """Return how the words are cut that are almost surely enough for `n` values, or those of a portion."""
        words = int(n * WORDS_OF_A_VALUE[self.law.name] + n**0.5) + 16
        words = -(-words // -(-words // self._portion))  # portions of equal size
        tile = 32 * self.group
        tiles = -(-words // tile)
        each = max(1, min(self._part // tile, tiles // (PARTS_OF_A_UNIT * self._device.units)))
        each = 1 << each.bit_length() - 1
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
        "each": WIDE // values["bits"] if code else 1,
        "order": code.order if code else 0,
        "strides": len(code.stride(1)) if code else 0,
        "fixes_strides": code is not None and code.fixes_strides,
        "moving": code is not None and code.moving_steps is not None,
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

    def _seen(self) -> Array:
        return self._progress[-self._shape.parts :]

    def _read(self, array: cla.Array) -> Array:
        """Return the values of an array as they are when `_known` has ended, while the queue goes on."""
        values = np.empty(array.size, array.dtype)
        reader, memory = of_queue(self._queue).cached(_reader)(self._queue.device), cast("Any", array.base_data)
        cl.enqueue_copy(reader, values, memory, src_offset=array.offset, wait_for=[self._known])
        return values

    def draw(self, out: cla.Array, done: int, affine: _Affine) -> None:
        """Put the values in `out`, behind the `done` first ones; some kernels may still run then."""
        shape, flips, most = self._shape, set[int](), min(out.size - done, self._shape.words)
        behind, room = BEHIND, [NOTES, *(most // of + more for of, more in (ROWS, TAILS))]
        self._begin(behind)
        while True:
            notes, rows = self._launched(out, done, affine, room, flips)
            noted, needs_more, left, in_tail = self._progress[:COUNTERS].tolist()
            if needs_more or noted > room[0] or in_tail > room[2]:
                behind, room[0], room[2] = 16 * behind, max(room[0], noted), max(room[2], in_tail)
                self._begin(behind)
            elif np.array_equal(self._progress[COUNTERS:][: shape.parts], self._seen()):
                more = self._flips(self._read(arrays.part(notes, 0, NOTE * noted))) - flips if noted else set()
                if not more and left <= room[1]:
                    break
                room[1], flips = max(room[1], left), flips | more
                for flip in more:
                    self._seen()[(flip >> 8) // shape.part] = UNSEEN
        self.size = int(self._progress[COUNTERS + 1 + shape.parts :][: shape.parts].sum())
        self.taken_behind = int(self._progress[COUNTERS + shape.parts])
        if left:
            self._put(self._read(arrays.part(rows, 0, 4 * left)).reshape(-1, 4), out, offset_of(out) + done, affine)

    def end(self) -> int:
        """Return how many words of it there are up to the last value wanted, which it has."""
        place, words = self._last.get().tolist()
        return int(place + words)

    def _begin(self, behind: int) -> None:
        """Have the words of the portion, and so many behind it, and nothing else."""
        self._words = _words(self._ziggurat, self._stream, self._first, self._shape.words + behind)
        self._progress[:COUNTERS] = 0
        self._seen()[:] = UNSEEN

    def _launched(
        self, out: cla.Array, done: int, affine: _Affine, room: Sequence[int], flips: set[int]
    ) -> tuple[cla.Array, cla.Array]:
        """Look through the parts that are to be, and put values in their places; return the notes and the rows.

        That is what attempts noted, and what NumPy makes the values of that it makes. They and `_progress` are there,
        while other values may still be put in their places.
        """
        ziggurat, shape, queue, scratch = self._ziggurat, self._shape, self._queue, self._stream.scratch
        notes, rows = scratch.array("notes", NOTE * room[0], np.uint64), scratch.array("rows", 4 * room[1], np.uint64)
        progress = scratch.array("progress", self._progress.size, np.uint32)
        self._progress[1:3] = 0  # notes and tails stay, as not all parts are looked through again
        progress.set(self._progress, queue)
        ordered = upload(queue, np.array(sorted(flips), np.uint64)).base_data if flips else notes.base_data
        tables, given = ziggurat.tables, self._words.given
        decided = {
            **given, "width": tables["width"], "height": tables["height"], **ziggurat.margins, "flips": ordered,
            "flip_count": len(flips), "progress": progress.base_data,
        }  # fmt: skip
        find = {
            **decided, "quick": tables["quick"], "parts": shape.parts, "tiles": shape.tiles, "notes": notes.base_data,
            "most_notes": room[0],
        }  # fmt: skip
        self._last = scratch.array("last", 2, np.uint32)  # apart from what the host reads while values are put
        store = {
            "last": self._last.base_data, "out": out.base_data, "offset": offset_of(out) + done,
            "n": min(out.size - done, shape.words), **affine._asdict(),
        }  # fmt: skip
        put = {**decided, **store, "rows": rows.base_data, "most_rows": room[1]}
        used = [array for array in (self._words.array, notes, rows, progress, self._last, out) if array is not None]
        if ziggurat.side_by_side:
            event = self._side_by_side(find, store, put, used, room[2])
        else:
            event = self._in_turn(find, put, used)
        attach(queue, event, *used)
        queue.flush()
        self._progress = self._read(progress)
        return notes, rows

    def _in_turn(self, find: dict[str, Any], put: dict[str, Any], used: list[cla.Array]) -> cl.Event:
        """Launch the kernels where a work-item goes through each part; return the last event."""
        ziggurat, shape = self._ziggurat, self._shape
        used.append(found := self._stream.scratch.array("found", shape.words // 32, np.uint32))
        events, size = wait_list(*used), (self._queue, shape.parts, 1)
        for _ in range(USUAL_TIMES):
            events = [ziggurat.find(*size, found=found.base_data, wait_for=events, **find)]
        common = {name: find[name] for name in ("quick", "parts", "tiles")}
        self._known = ziggurat.place(*size, found=found.base_data, wait_for=events, **common, **put)
        return self._known

    def _side_by_side(
        self, find: dict[str, Any], store: dict[str, Any], put: dict[str, Any], used: list[cla.Array], most_tails: int
    ) -> cl.Event:
        """Launch the kernels where work-items take turns; return the last event."""
        ziggurat, shape, scratch, queue = self._ziggurat, self._shape, self._stream.scratch, self._queue
        group, masks, each = ziggurat.group, shape.words // 32, ziggurat.words_of_a_step
        items = min(ziggurat.items, shape.words // each)
        turn = items * each // 32  # masks, and place_values reads those of one turn more
        slow, found = scratch.array("slow", masks, np.uint32), scratch.array("found", 2 * (masks + turn), np.uint32)
        before = scratch.array("before", shape.parts + turn // (shape.part // 32) + 1, np.uint32)
        tails = scratch.array("tails", most_tails, np.uint32)
        used += [slow, found, before, tails]
        sift, add, place_tails = ziggurat.more
        memory: Any = slow.base_data
        event = cl.enqueue_fill_buffer(queue, memory, bytes(4), 0, slow.nbytes, wait_for=wait_list(*used))
        through = {
            **self._words.given, **ziggurat.stride(each * ziggurat.items), "count": shape.words, "quick": find["quick"],
        }  # fmt: skip
        event = sift(queue, items, group, slow=memory, wait_for=[event], **through)
        left = {"tails": tails.base_data, "most_tails": most_tails}
        of_tile = ziggurat.stride(shape.tile)
        marks: dict[str, Any] = {"found": found.base_data}
        for _ in range(USUAL_TIMES):
            event = ziggurat.find(
                queue, shape.parts * group, group, slow=memory, wait_for=[event], **of_tile, **find, **marks, **left
            )  # fmt: skip
        counts = {"parts": shape.parts, "progress": find["progress"], "before": before.base_data}
        event = add(queue, group, group, wait_for=[event], **counts)
        marks |= {"before": before.base_data, "part_bits": (shape.part // 32).bit_length() - 1}
        self._known = place_tails.for_each(
            queue, min(most_tails, MOST_ITEMS), wait_for=[event], **of_tile, **marks, **put, **left
        )  # fmt: skip
        return ziggurat.place(
            queue, items, group, width=find["width"], wait_for=[self._known], **through, **marks, **store
        )  # fmt: skip

    def _flips(self, notes: Array) -> set[int]:
        """Return the noted decisions that seem to be other than NumPy's."""
        noted = notes.reshape(-1, NOTE)
        seem, in_tail = noted[:, 1] & 2 != 0, noted[:, 1] & 4 != 0
        take = np.zeros(len(noted), bool)
        if not in_tail.all():
            take[~in_tail] = oracle_of(*self._ziggurat.law).takes(noted[~in_tail, 2:4])
        take[in_tail] = [oracle_of(*self._ziggurat.law).takes_pair(row) for row in noted[in_tail, 2:5]]
        return {_flip(note) for note in noted[take != seem]}

    def _put(self, rows: Array, out: cla.Array, offset: int, affine: _Affine) -> None:
        """Put the values that NumPy makes in their places, which rows begin with."""
        law = self._ziggurat.law
        if law.in_halves or is_fused():
            values = oracle_of(*self._ziggurat.law).values(rows[:, 1 : 1 + law.tail_words])
        else:
            tail, factor = TAIL[law.name]
            values = factor * oracle_of(*self._ziggurat.law).logarithms(rows[:, 2:3]) + tail
            if law.name == "normal":
                values = np.where(rows[:, 1] >> np.uint64(17) & np.uint64(1), -values, values)
        places, made = (upload(self._queue, array) for array in (rows[:, 0].astype(np.uint32), values))
        event = self._ziggurat.put.for_each(
            self._queue, made.size, places=places.base_data, values=made.base_data, n=made.size, out=out.base_data,
            offset=offset, wait_for=wait_list(out), **affine._asdict(),
        )  # fmt: skip
        attach(self._queue, event, out)


def _reader(context: cl.Context, device: cl.Device) -> cl.CommandQueue:
    """Return a queue to read from memory while another one goes on."""
    return cl.CommandQueue(context, device)


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
        part.set(values, words.queue)
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
    done, first = 0, 0
    while done < out.size:
        portion = _Portion(ziggurat, words, first, shape := ziggurat.shape(out.size - done), taken)
        portion.draw(out, done, given)
        done, taken = done + portion.size, portion.taken_behind
        if done >= out.size:
            end = first + portion.end()
        first += shape.words
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
