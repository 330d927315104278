"""What rocRAND's host interface makes, on any device."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pyopencl.array as cla

from clrng import validation
from clrng.documented import Common, complete, complete_all
from clrng.errors import UnsupportedError
from clrng.frontends.device_libraries.converted import EIGHT, TWISTER, Laid, converted
from clrng.frontends.device_libraries.curand import W, of_combined, xorwow
from clrng.frontends.device_libraries.dealt import KEPT, Dealt, copied, items_of_block, of_twisters
from clrng.frontends.device_libraries.forms import WORD, Combined, Form
from clrng.frontends.device_libraries.library_stream import STREAM, WORDS, LibraryStream
from clrng.frontends.device_libraries.mtgp32 import TURN, Forward, first_states, published_sets
from clrng.frontends.drawing import Queue, Size
from clrng.frontends.numpy_streams.words import Words
from clrng.generators import LFSR113, MT19937, CounterBased, MRG31k3p, MRG32k3a
from clrng.generators.parameters import Attribute
from clrng.opencl import arrays
from clrng.opencl.kernel import launches
from clrng.validation import shown

SALT = 0x2C7F967F, 0xA03697CB, 1228688033, 2073658381
"""What rocRAND mixes a seed of xorwow with."""

LEAST = 2, 8, 16, 128
"""The least words of LFSR113, which are added to smaller ones."""

PIECE = 192
"""The most rows of MTGP32, of 256 words of each stream, that are made before they become values."""


def reduced(number: int, modulus: int) -> int:
    """Return a number of 64 bits as rocRAND reduces it, which for large ones can be above the modulus."""
    for _ in range(1 if modulus == W - 209 else 2):
        number = (W - modulus) * (number >> 32) + number % W
    return number - modulus if number >= modulus else number


def product(factor: int, seed: int, modulus: int) -> int:
    """Return a word of MRG32k3a, a product modulo 2^64 of which rocRAND makes in two parts."""
    high, low = (reduced(part * seed % W**2, modulus) for part in divmod(factor, 2**17))
    return reduced((high * 2**17 + low) % W**2, modulus) % W % modulus


def mrg32k3a(seed: int) -> MRG32k3a:
    """Return MRG32k3a of a seed, 0 for 12345."""
    seed = seed or 12345
    x, y = seed % W ^ 0x55555555, seed >> 32 ^ 0xAAAAAAAA
    first, second = (part.modulus for part in MRG32k3a.parts)
    return MRG32k3a([
        *(product(each, seed, first) for each in (x, y, x)), *(product(each, seed, second) for each in (y, x, y)),
    ])  # fmt: skip


def mrg31k3p(seed: int) -> MRG31k3p:
    """Return MRG31k3p of a seed, 0 for 12345."""
    seed = seed or 12345
    x, y = (each * seed % W**2 for each in (seed % W ^ 0x55555555, seed >> 32 ^ 0xAAAAAAAA))
    first, second = (part.modulus for part in MRG31k3p.parts)
    return MRG31k3p([x % first, y % first, x % first, y % second, x % second, y % second])


def mt19937(seed: int) -> MT19937:
    """Return the Mersenne Twister of a seed, whose halves are mixed."""
    return MT19937(seed >> 32 ^ seed % W)


def mtgp32(seed: int) -> Any:
    """Return the states of the streams of MTGP32 of a seed, whose halves are mixed."""
    return first_states(published_sets(), seed >> 32 ^ seed % W)


def lfsr113(seed: tuple[int, ...]) -> LFSR113:
    """Return LFSR113 of four words."""
    return LFSR113([word + least if word < least else word for word, least in zip(seed, LEAST, strict=True)])


def counting(bijection: str, seed: int) -> CounterBased:
    """Return a generator that counts, under a key of two words: a seed, and the upper half of the seed."""
    return CounterBased(bijection, [seed % CounterBased(bijection, 0).modulus, seed >> 32])


class Kind(NamedTuple):
    """A generator of rocRAND: what makes it of a seed, in how many streams how far apart, and its forms.

    A single stream is that of a generator that counts. Of MTGP32 the states of all streams are made.
    """

    make: Callable[[Any], Any]
    streams: int
    apart: int
    forms: dict[str, Form]
    orderings: tuple[str, ...] = ("default", "best", "legacy")


PIECES = {"generate_char": Form("pieces", "uint8", 1, 4), "generate_short": Form("pieces", "uint16", 1, 2)}
NORMAL = {
    "normal": Form("box_muller", "float32", 2, 2, added=1),
    "normal_double": Form("box_muller", "float64", 4, 2, added=1),
}
OF_WORDS = {
    "generate": WORD, **PIECES, "uniform": Form("scaled", "float32", bits=32, added=1),
    "uniform_double": Form("scaled", "float64", 2, low_first=True, dropped=11, bits=53, added=1), **NORMAL,
}  # fmt: skip
OF_LONG_WORDS = {
    "generate": Form("pieces", "uint32", 2, 2), "generate_char": Form("pieces", "uint8", 2, 8),
    "generate_short": Form("pieces", "uint16", 2, 4), "generate_long_long": Form("word", "uint64", 2, low_first=True),
    "uniform": Form("scaled", "float32", 2, low_first=True, shift=32, bits=32, added=1),
    "uniform_double": Form("scaled", "float64", 2, low_first=True, shift=11, bits=53, added=1), **NORMAL,
}  # fmt: skip


def of_mrg(combined: Combined) -> dict[str, Form]:
    """Return the forms of the values of a combined recurrence."""
    return of_combined(combined) | {
        name: Form(form.kind, form.dtype, form.words, form.values, combined=combined) for name, form in PIECES.items()
    }


STREAMS = 131072
KINDS = {
    "xorwow": Kind(partial(xorwow, salt=SALT), STREAMS, 2**67, OF_WORDS, ("default", "best", "legacy", "seeded")),
    "mrg32k3a": Kind(
        mrg32k3a, STREAMS, 2**76, of_mrg(Combined(1.000000048661607, 2.3283065498378288e-10, 1, single=True))
    ),
    "mrg31k3p": Kind(
        mrg31k3p, STREAMS, 2**72, of_mrg(Combined(2.000000001396983862, 4.656612875245796923e-10, 1, single=True))
    ),
    "lfsr113": Kind(lfsr113, STREAMS, 2**55, OF_WORDS),
    "mt19937": Kind(mt19937, 8192, 2**1000, OF_WORDS),
    "mtgp32": Kind(mtgp32, 512, 0, OF_WORDS),
    "philox4x32_10": Kind(partial(counting, "philox4x32"), 1, 0, OF_WORDS),
    "threefry2x32_20": Kind(
        partial(counting, "threefry2x32"), 1, 0, OF_WORDS | {"normal_double": Form("approximate_normal", "float64")}
    ),
    "threefry2x64_20": Kind(partial(counting, "threefry2x64"), 1, 0, OF_LONG_WORDS),
}


def checked_seed(kind: str, seed: Any) -> Any:
    """Return a seed if rocRAND makes a generator of it that is not at rest: four words for LFSR113."""
    if kind != "lfsr113":
        return validation.integer("seed", 0 if seed is None else seed, 0, 2**64 - 1)
    if seed is None:
        return LEAST
    if validation.is_sequence(seed):
        if len(seed) != len(LEAST):
            raise ValueError(f"seed must be 4 integers for {kind}, not {len(seed)}")
        return tuple(validation.integer(f"seed[{i}]", word, 0, W - 1) for i, word in enumerate(seed))
    seed = validation.integer("seed", seed, 0, 2**64 - 1)
    if seed < 2**55:
        raise ValueError(
            f"seed must be 4 integers or an integer from {2**55} to {2**64 - 1} for {kind}, not {seed}, of which "
            "rocRAND makes a register of zeros"
        )
    return tuple((seed >> 16 * i) % W for i in range(4))


class Rocrand(LibraryStream):
    """What rocRAND's host interface makes, on any device.

    Parameters
    ----------
    kind : {"xorwow", "mrg32k3a", "mrg31k3p", "lfsr113", "mt19937", "mtgp32", "philox4x32_10", "threefry2x32_20", \
"threefry2x64_20"}
        ``ROCRAND_RNG_PSEUDO_XORWOW``, which is its default, and so on.
    seed : int or sequence of 4 int, optional
        Of ``rocrand_set_seed``, from 0 to 2^64 - 1, by default 0; of LFSR113 from 2^55, or the four integers of
        ``rocrand_set_seed_uint4``, from 0 to 2^32 - 1, by default (2, 8, 16, 128).
    offset : int, optional
        Of ``rocrand_set_offset``, in words, from 0 to 2^64 - 1, or for LFSR113 to 2^49 - 1. MT19937 and MTGP32
        have none, as in rocRAND.
    ordering : {"default", "best", "legacy", "seeded"}, optional
        ``ROCRAND_ORDERING_PSEUDO_DEFAULT`` and so on, which all give the same values; only XORWOW has ``"seeded"``.

    Attributes
    ----------
    kind, ordering : str
    seed : int or tuple of int
    offset : int

    Notes
    -----
    XORWOW, the MRGs and LFSR113 deal values out by 131072 streams, 2^67, 2^76 (MRG32k3a), 2^72 (MRG31k3p) and 2^55
    words apart; each next value, or pair or four of values that are made together, is of the next stream. Philox and
    Threefry have a single stream. A call goes on where the one before has ended, whatever values that has made. Values
    made together that a call does not want are lost, as in rocRAND.

    Of MT19937 there are 8192 streams, 2^1000 apart, dealt out as by `Curand`. Where a call makes other values than the
    one before, it leaves out words, as rocRAND does. Where the last values are not all of those made together, they
    are the last of these, and in reverse order.

    Of MTGP32 there are 512 streams, each with parameters of its own, of which each gives 256 items in turn: values, or
    those that are made together. Each call begins with the first stream, and the others go on where they stand: calls
    of 10 values and 20 give others than one of 30. Where the last values are not all of those made
    together, all streams move on by 256 items more, and the values are of one of these. A copy made by `pickle` goes
    through the streams again to its place, when it is first used. The parameters are the published ones of Saito and
    Matsumoto, whose licence is BSD's.

    Words and uniform numbers were compared bit for bit with rocRAND 3.2.0's generators for the host, which run the code
    of its GPU kernels. In memory that is not aligned as ``hipMalloc`` aligns it, rocRAND puts values in another order.
    The ordering ``…_DYNAMIC`` depends on the GPU and is not here. Neither are Sobol sequences, float16, and Threefry of
    four words, whose rounds in rocRAND are not those of its authors.

    Examples
    --------
    >>> import clrng
    >>> rng = clrng.Rocrand("xorwow", seed=1234)
    >>> print(rng.generate(3), rng.uniform(2))
    [2548329682  192889654 4052123305] [0.56934017 0.3110842 ]
    """

    __slots__ = ("_dealt", "_forward", "_kind", "_offset", "_ordering", "_seed", "_states", "_traits", "_words")

    _arguments = ("kind", "seed", "offset", "ordering")

    kind = Attribute[str]("The kind of generator.")
    ordering = Attribute[str]("The ordering.")
    seed = Attribute[Any]("The seed.")
    offset = Attribute[int]("The offset at which it began.")

    def __init__(
        self, kind: str, seed: int | Sequence[int] | None = None, offset: int = 0, ordering: str = "default",
        queue: Queue | None = None, allocator: Any = None,
    ) -> None:  # fmt: skip
        self._kind = validation.choice("kind", kind, KINDS)
        self._traits = KINDS[kind]
        self._seed = checked_seed(kind, seed)
        self._offset = validation.integer("offset", offset, 0, 2 ** (49 if kind == "lfsr113" else 64) - 1)
        self._ordering = validation.choice("ordering", ordering, self._traits.orderings)
        if kind in ("mt19937", "mtgp32") and self._offset:
            raise ValueError(f"offset must be 0 for {kind}, as in rocRAND, not {shown(offset)}")
        bits, count = self._traits.make(self._seed), self._traits.streams
        super().__init__(queue, allocator, self._begin())
        self._forward: Forward | None = None
        if kind == "mtgp32":
            self._states = bits
        elif count > 1:
            self._dealt = Dealt(self._queue, bits, count, self._traits.apart, TWISTER if kind == "mt19937" else KEPT)
        else:
            self._words = Words.of(self._queue, self._device, bits)

    def _begin(self) -> Any:
        """Return where the stream begins: see the methods below."""
        if self._kind == "mt19937":
            return 0, 0, 1
        if self._kind == "mtgp32":
            return np.zeros(self._traits.streams, np.int64)
        if self._traits.streams == 1:
            return self._offset
        row, first = divmod(self._offset, self._traits.streams)
        return (first, (0, first), (row + 1, row)) if first else (0, (0,), (row,))

    def _draw_form(self, name: str, size: Size) -> Any:
        return self._made(name, self._traits.forms[name], size)

    def _values(self, form: Form, out: cla.Array, place: Any, low: int = 0, number_range: int = 1) -> Any:  # noqa: ARG002  # as inherited
        if self._kind == "mt19937":
            return self._of_twisters(form, out, *place)
        if self._kind == "mtgp32":
            return self._of_mtgp32(form, out, place)
        return (self._of_one if self._traits.streams == 1 else self._of_streams)(form, out, place)

    def _of_one(self, form: Form, out: cla.Array, taken: int) -> int:
        """Fill `out` with values behind so many words of a single stream, and return how many are taken then."""
        count, source = -(-out.size // form.values) * form.words, self._words.at(self._words.bits.jumped(taken))
        if self._words.bits.dtype == np.uint32:
            converted(self._queue, form, source.halves(count), out)
            return taken + count
        made = source.steps(count // 2)
        words = cla.Array(
            self._queue, (count,), np.dtype(np.uint32), data=made.base_data, offset=made.offset, events=made.events
        )
        converted(self._queue, form, words, out)
        return taken + count // 2

    def _of_streams(self, form: Form, out: cla.Array, place: Any) -> Any:
        """Fill `out` with values of streams in turn, and return the place behind.

        A place is the next stream, the first of each run of streams that stand at the same row of words, and that row.
        """
        first, begins, rows = place
        n, items = self._traits.streams, -(-out.size // form.values)
        at, stream = np.repeat(rows, np.diff([*begins, n])), np.arange(n)
        turns = items // n + ((stream - first) % n < items % n)
        after, used = at + turns * form.words, turns > 0
        low, high = int(at[used].min()), int(after[used].max())
        ahead = np.where(used, at - low - form.words * (stream < first), 0).astype(np.int32)
        words = self._dealt.rows(low, high - low)
        laid = Laid("ahead", n, first, ahead) if ahead.any() else Laid("in_streams", n, first)
        converted(self._queue, form, words, out, laid=laid)
        begins = np.flatnonzero(np.diff(after, prepend=after[0] - 1))
        return (first + items) % n, tuple(begins.tolist()), tuple(after[begins].tolist())

    def _of_twisters(self, form: Form, out: cla.Array, block: int, item: int, before: int) -> tuple[int, int, int]:
        """Fill `out` from an item of a block on, and return the place behind, with how many words make one there.

        `before`: how many words make one of the items that were taken before. In a block, items of another number of
        words begin behind all words of which a Mersenne Twister may have given one.
        """
        turn, whole = EIGHT * self._dealt.count, items_of_block(self._dealt, form)
        if item and before != form.words:
            item = -(-(-(-item // turn) * before) // form.words) * turn
        taken, rest = block * whole + min(item, whole), out.size % form.values
        items = -(-out.size // form.values)
        made = out
        if rest:
            made = arrays.output_array(self._queue, self._device, (items * form.values,), out.dtype)
        of_twisters(self._queue, self._dealt, form, made, taken)
        if rest:
            self._copy(made, out, rest)
        return (*divmod(taken + items, whole), form.words)

    def _copy(self, made: cla.Array, out: cla.Array, rest: int) -> None:
        """Copy values to `out`, the last so many from the end on."""
        whole = out.size - rest
        runs = [(0, 0, whole), *((made.size - 1 - i, whole + i, 1) for i in range(rest))]
        for begin, to, count in runs:
            if count:
                copied(self._queue, arrays.part(made, begin, count), arrays.part(out, to, count))

    def _of_mtgp32(self, form: Form, out: cla.Array, taken: Any) -> Any:
        """Fill `out`, and return how many rows of words are taken then, of each stream; `taken`: how many before.

        The values of an item that is not whole are of the second item of the next 256.
        """
        streams, (items, rest) = self._traits.streams, divmod(out.size, form.values)
        rounds, turn = -(-items // TURN), self._traits.streams * TURN
        turns = rounds // streams + (np.arange(streams) < rounds % streams) + (rest > 0)
        forward, self._forward = self._forward, None  # in case of an error
        if forward is None:
            forward = Forward(self._queue, published_sets(), self._states)
            forward.fill(self._rows(0), int(taken.max()), taken)
        # Of a run: its first item and how many there are, the place of their values and how many of these there are.
        runs = [(0, items, 0, items * form.values), (rounds * TURN + 1, 1, items * form.values, rest)]
        for begin, count in launches(0, int(turns.max()), PIECE // form.words):
            words = self._rows(count * form.words)
            forward.fill(words, 0, np.clip(turns - begin, 0, count) * form.words)
            for item, many, at, values in runs:
                first, end = max(item, begin * turn), min(item + many, (begin + count) * turn)
                if values and first < end:
                    place = at + (first - item) * form.values
                    part = arrays.part(out, place, min((end - first) * form.values, values))
                    laid = Laid("in_streams", turn, first - begin * turn)
                    converted(self._queue, form, words, part, laid=laid)
                    out.add_event(part.events[-1])
        self._forward = forward
        return forward.rows

    def _rows(self, count: int) -> cla.Array:
        """Return memory for rows of words of the streams of MTGP32."""
        shape = count, self._traits.streams, TURN
        return arrays.output_array(self._queue, self._device, shape, np.dtype(np.uint32))

    def generate(self, size: Size = None) -> Any:
        """Return words, uint32: those of ``rocrand_generate``.

        >>> print(clrng.Rocrand("philox4x32_10", seed=1234).generate(3))
        [ 546353992 3665621163 1140953199]
        """
        return self._draw_form("generate", size)

    def generate_char(self, size: Size = None) -> Any:
        """Return words of 8 bits, uint8: those of ``rocrand_generate_char``.

        >>> print(clrng.Rocrand("philox4x32_10", seed=1234).generate_char(3))
        [ 72 179 144]
        """
        return self._draw_form("generate_char", size)

    def generate_short(self, size: Size = None) -> Any:
        """Return words of 16 bits, uint16: those of ``rocrand_generate_short``.

        >>> print(clrng.Rocrand("philox4x32_10", seed=1234).generate_short(3))
        [45896  8336 61611]
        """
        return self._draw_form("generate_short", size)

    def generate_long_long(self, size: Size = None) -> Any:
        """Return words of 64 bits, uint64: those of ``rocrand_generate_long_long``, which Threefry of 64 bits has.

        >>> print(clrng.Rocrand("threefry2x64_20", seed=1234).generate_long_long(2))
        [16038690911099989008 11266037036068976640]
        """
        if "generate_long_long" not in self._traits.forms:
            raise UnsupportedError(f"generate_long_long needs words of 64 bits: threefry2x64_20, not {self._kind}")
        return self._draw_form("generate_long_long", size)

    def uniform(self, size: Size = None) -> Any:
        """Return uniform float32 numbers in (0, 1]: those of ``rocrand_generate_uniform``.

        >>> print(clrng.Rocrand("xorwow", seed=1234).uniform(3))
        [0.59332925 0.04491062 0.9434585 ]
        """
        return self._draw_form("uniform", size)

    def uniform_double(self, size: Size = None) -> Any:
        """Return uniform float64 numbers in (0, 1]: those of ``rocrand_generate_uniform_double``.

        >>> print(clrng.Rocrand("xorwow", seed=1234).uniform_double(3))
        [0.35912542 0.30244066 0.16054055]
        """
        return self._draw_form("uniform_double", size)

    def normal(self, size: Size = None) -> Any:
        """Return normal float32 numbers near those of ``rocrand_generate_normal``, of mean 0 and deviation 1.

        Notes
        -----
        They are within 4 10^-6 of those of rocRAND's generators for the host. On a GPU rocRAND takes sines of the
        GPU's own, which may be less exact.

        Examples
        --------
        >>> print(clrng.Rocrand("xorwow", seed=1234).normal(4))
        [ 0.7908539  -0.64696336  2.3572025  -0.80607533]
        """
        return self._draw_form("normal", size)

    def normal_double(self, size: Size = None) -> Any:
        """Return normal float64 numbers near those of ``rocrand_generate_normal_double``, of mean 0 and deviation 1.

        Notes
        -----
        They are within 2 10^-14 of those of rocRAND's generators for the host. On a GPU rocRAND takes sines of the
        GPU's own, which may be less exact.

        Examples
        --------
        >>> print(clrng.Rocrand("xorwow", seed=1234).normal_double(4))
        [ 0.38495209  1.37839704 -0.44418625  1.4813631 ]
        """
        return self._draw_form("normal_double", size)


complete(Rocrand, STREAM)
complete_all(
    Rocrand,
    Common(
        arguments={"size": "int or tuple of int, optional\n    The shape of the result, by default ()."},
        raises=WORDS.raises, returns=WORDS.returns, example=WORDS.example,
        notes="The stream moves on as far as rocRAND's would.",
    ),
    "generate", "generate_char", "generate_short", "generate_long_long", "uniform", "uniform_double", "normal",
    "normal_double",
)  # fmt: skip
