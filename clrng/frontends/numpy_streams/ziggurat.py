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

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.frontends.numpy_streams.oracle import WIDE, Oracle
from clrng.frontends.numpy_streams.positions import as_numpy
from clrng.frontends.numpy_streams.words import HostWords, Words
from clrng.opencl import arrays, templates
from clrng.opencl.arrays import upload, wait_list
from clrng.opencl.devices import DeviceInfo
from clrng.opencl.kernel import kernel_of, of_queue
from clrng.opencl.traits import traits_of
from clrng.order.arguments import attach, offset_of
from clrng.proof.prove import GUARD, check_guard, compare, poisoned, prove

Array = npt.NDArray[Any]

PORTION = {"cpu": 2**20, "gpu": 2**26}
"""The most words that are looked through at once."""

PART = {"cpu": 2**12, "gpu": 2**15}
"""Words of a part of many."""

PARTS_OF_A_UNIT = 8
"""The fewest parts for each compute unit of a device, before parts have several tiles."""

GROUP_SIZE = 256
"""Work-items of a work-group where they run side by side."""

BEHIND = 64
"""Words behind a portion, for the attempts that begin in it; there are more where these are not enough."""

NOTES = 512
"""There is memory for a note of each of so many words, and for more where that is not enough."""

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


WORDS_OF_A_VALUE = {"normal": 1.0145, "exponential": 1.025}
"""A little more words than a value takes on average."""

NEAR = {
    Law("normal", 64): (1e-13, 1e-13),
    Law("normal", 32): (1e-13, 3e-6),
    Law("exponential", 64): (1e-13, 0.0),
    Law("exponential", 32): (1e-6, 0.0),
}
"""By how much of the larger one two sides differ at least where the device decides, in wedges and in tails: more than
the error of either, for NumPy takes some functions in single precision, others in double precision."""

NEAR_IN_FLOAT = 1e-5
"""The same in wedges where the device has no double precision."""

UNSEEN = 2**32 - 1
"""In place of how many words of a part were taken when it was last looked through."""

COUNTERS = 4
"""The numbers in front of those of the parts: of changes, of notes, and of attempts that need words behind the end."""

HEAD = 4
"""The numbers in front of those of tails: how many these are, the place of the last value's word, and its words."""

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
    """The kernels of a law on the device of a queue; values are moved and scaled where `affine`."""

    def __init__(self, queue: cl.CommandQueue, device: DeviceInfo, law: Law, uniform: str, *, affine: bool) -> None:
        self.law, self.affine, self._device, traits = law, affine, device, traits_of(device)
        self.group = min(GROUP_SIZE, device.device.max_work_group_size) if traits.side_by_side else 1
        self._portion, self._part = PORTION[traits.family], PART[traits.family]
        self._real = np.float64 if device.fp64 else np.float32
        values = {
            "bits": law.bits,
            "normal": law.name == "normal",
            "real": "double" if device.fp64 else "float",
            "fused": is_fused(),
            "uniform": "((x) >> 8) * 0x1p-24f" if law.in_halves else uniform,
            "affine": affine,
            "group_size": self.group,
        }
        text = templates.program, "numpy_streams/ziggurat.cl.mako"
        self.find, self.place, self.put = self.kernels = [
            kernel_of(queue, name, *text, values=values) for name in ("find_values", "place_values", "put_values")
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
        words = min(int(n * WORDS_OF_A_VALUE[self.law.name] + n**0.5) + 16, self._portion)
        tile = 32 * self.group
        tiles = -(-words // tile)
        each = max(1, min(self._part // tile, tiles // (PARTS_OF_A_UNIT * self._device.units)))
        return _Shape(-(-tiles // each), each, tile)


class _Notes:
    """What attempts have noted: their places, what it is, and their words and uniforms in rows."""

    def __init__(self, notes: Array, law: Law) -> None:
        self._places, self._what, self._rows = notes[:, 0].astype(np.int64), notes[:, 1].astype(np.int64), notes[:, 2:]
        self._law, self._oracle = law, Oracle(*law)

    def flips(self) -> set[int]:
        """Return the near decisions that seem to be other than NumPy's, as the numbers by which kernels order them."""
        found = set()
        for i in np.flatnonzero(self._what & 1):
            what, words = int(self._what[i]), self._law.tail_words if self._what[i] & 4 else 2
            if self._oracle.takes(self._rows[i, :words]) != bool(what & 2):
                found.add(int(self._places[i]) << 8 | what >> 3 & 255)
        return found

    def tails(self, places: Array) -> tuple[Array, Array]:
        """Return the values of the attempts in the tail at these places, and the words that each of them takes."""
        tails = np.flatnonzero(self._what & 1 == 0)
        order = tails[np.argsort(self._places[tails], kind="stable")]
        last = order[np.searchsorted(self._places[order], places, side="right") - 1]
        words = self._law.tail_words
        return self._oracle.values(self._rows[last, :words]), words + 2 * (self._what[last] >> 3)


class _Search:
    """The attempts that make a value, in the words of a portion.

    `first`, `taken`: the number of its first word, and how many words are taken by attempts before. `size`: how many
    values were found. `taken_behind`: how many words behind it are taken.
    """

    def __init__(self, ziggurat: _Ziggurat, words: Words | HostWords, first: int, shape: _Shape, taken: int) -> None:
        self._ziggurat, self._stream, self._first, self._shape = ziggurat, words, first, shape
        self._queue: cl.CommandQueue = words.queue
        self._found = cla.Array(self._queue, shape.words // 32, np.uint32)
        behind, most_notes = BEHIND, shape.words // NOTES + 64
        while not self._is_done(taken, behind, most_notes):
            behind, most_notes = 16 * behind, 16 * most_notes
        counts = self._state[COUNTERS + shape.parts + 1 :][: shape.parts]
        self._places = np.zeros(shape.parts, np.uint32)
        np.cumsum(counts[:-1], out=self._places[1:])
        self.size, self.taken_behind = int(counts.sum()), int(self._state[COUNTERS + shape.parts])

    def _is_done(self, taken: int, behind: int, most_notes: int) -> bool:
        """Look through all words until nothing changes; return False if more words or more notes are needed."""
        shape, flips = self._shape, set[int]()
        draw = self._stream.halves if self._ziggurat.law.in_halves else self._stream.steps
        self._words = draw(shape.words + behind, self._first)
        notes = cla.Array(self._queue, 5 * most_notes, np.uint64)
        state = np.zeros(COUNTERS + 1 + 3 * shape.parts, np.uint32)
        state[COUNTERS], state[-shape.parts :] = taken, UNSEEN
        while True:
            state, changes = self._looked_through(state, notes, flips), state[0]
            self._state = state
            if state[1] > most_notes or state[2]:
                return False
            if state[0] != changes:
                continue
            noted = arrays.part(notes, 0, 5 * int(state[1])).get()
            self._notes = _Notes(noted.reshape(-1, 5), self._ziggurat.law)
            more = self._notes.flips() - flips
            if not more:
                return True
            flips |= more
            for flip in more:
                state[-shape.parts + (flip >> 8) // shape.part] = UNSEEN

    def _looked_through(self, state: Array, notes: cla.Array, flips: set[int]) -> Array:
        """Look through the parts that have not been, with as many words taken, and return the state after that."""
        ziggurat, shape = self._ziggurat, self._shape
        on_device, ordered = upload(self._queue, state), upload(self._queue, np.array(sorted(flips), np.uint64))
        event = ziggurat.find(
            self._queue, shape.parts * ziggurat.group, ziggurat.group, words=self._words.base_data,
            end=self._words.size, parts=shape.parts, tiles=shape.tiles, found=self._found.base_data,
            state=on_device.base_data, notes=notes.base_data, most_notes=notes.size // 5, flips=ordered.base_data,
            flip_count=len(flips), wait_for=wait_list(self._words, self._found), **ziggurat.tables, **ziggurat.margins,
        )  # fmt: skip
        for each in (on_device, self._found, notes):
            each.events[:] = [event]
        after: Array = on_device.get()
        return after

    def place(self, out: cla.Array, done: int, affine: _Affine) -> int:
        """Put the values in `out`, behind the `done` first ones; if that fills it, return the words up to its end."""
        ziggurat, shape = self._ziggurat, self._shape
        tails, left = int(self._state[1]), out.size - done
        placed = upload(self._queue, np.zeros(HEAD + 2 * tails, np.uint32))
        event = ziggurat.place(
            self._queue, shape.parts * ziggurat.group, ziggurat.group, words=self._words.base_data, tiles=shape.tiles,
            quick=ziggurat.tables["quick"], width=ziggurat.tables["width"], found=self._found.base_data,
            places=upload(self._queue, self._places).base_data, out=out.base_data, offset=offset_of(out) + done, n=left,
            placed=placed.base_data, wait_for=wait_list(self._found, out), **affine._asdict(),
        )  # fmt: skip
        attach(self._queue, event, out, placed)
        return self._end(placed, out, done, affine) if tails or self.size >= left else 0

    def _end(self, placed: cla.Array, out: cla.Array, done: int, affine: _Affine) -> int:
        """Put the values of tails in their places; return the words up to the end of the last value of `out`."""
        count, last, words, _ = (head := placed.get())[:HEAD].tolist()
        if count:
            places = head[HEAD : HEAD + 2 * count : 2]
            values, taken = self._notes.tails(places)
            event = self._ziggurat.put.for_each(
                self._queue, count, placed=placed.base_data, values=upload(self._queue, values).base_data, n=count,
                out=out.base_data, offset=offset_of(out) + done, wait_for=wait_list(out), **affine._asdict(),
            )  # fmt: skip
            attach(self._queue, event, out)
            words = words or int(taken[places == last].sum())
        return int(last + words)


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
    ziggurat = _Ziggurat(words.queue, words.device, law, words.double_of, affine=affine is not None)
    kind = type(as_numpy(words.bits))
    prove(words.queue, ziggurat.kernels, lambda queue: _check(queue, words.device, ziggurat, kind(5)))
    return _drawn(ziggurat, words, out, affine or _Affine())


def _drawn(ziggurat: _Ziggurat, words: Words | HostWords, out: cla.Array, affine: _Affine) -> Any:
    """Do what `_draw` does, by kernels that are proved, or are being proved."""
    given = _Affine(*map(out.dtype.type, affine))
    done = first = taken = end = 0
    while done < out.size:
        search = _Search(ziggurat, words, first, shape := ziggurat.shape(out.size - done), taken)
        end = first + search.place(out, done, given)
        done, first, taken = done + search.size, first + shape.words, search.taken_behind
    return words.after_halves(end) if ziggurat.law.in_halves else words.after_steps(end)


def _check(queue: cl.CommandQueue, device: DeviceInfo, ziggurat: _Ziggurat, bits: np.random.BitGenerator) -> None:
    """Compare numbers, and where the stream stands then, with those of NumPy."""
    law, affine = ziggurat.law, _Affine()
    if ziggurat.affine:
        affine = _Affine(1.1, 0.1 if law.name == "normal" else 0)
    memory = poisoned(queue, EXAMPLE + 2 * GUARD, np.dtype(f"float{law.bits}"))
    after = _drawn(ziggurat, HostWords(queue, device, bits), arrays.part(memory, GUARD, EXAMPLE), affine)
    rng = np.random.Generator(bits)
    if not ziggurat.affine:
        expected = getattr(rng, f"standard_{law.name}")(EXAMPLE, memory.dtype)
    else:
        expected = rng.normal(0.1, 1.1, EXAMPLE) if law.name == "normal" else rng.exponential(1.1, EXAMPLE)
    made = memory.get()
    compare(f"{law.name} value", made[GUARD:-GUARD], expected)
    check_guard("around", np.concatenate([made[:GUARD], made[-GUARD:]]))
    following = [np.random.Generator(each).integers(2**32, size=3, dtype=np.uint32) for each in (after, bits)]
    compare("number after the values", *following)
