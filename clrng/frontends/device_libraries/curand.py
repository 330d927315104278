"""What cuRAND's host interface makes, on any device."""

from typing import Any, NamedTuple

import pyopencl.array as cla

from clrng import validation
from clrng.documented import Common, complete, complete_all
from clrng.errors import UnsupportedError
from clrng.frontends.device_libraries.converted import TWISTER, Laid, converted
from clrng.frontends.device_libraries.counted import CURAND, Request, counted
from clrng.frontends.device_libraries.curand_sets import curand_sets
from clrng.frontends.device_libraries.dealt import KEPT, Dealt, of_twisters
from clrng.frontends.device_libraries.forms import WORD, Combined, Form
from clrng.frontends.device_libraries.library_stream import STREAM, WORDS, LibraryStream
from clrng.frontends.device_libraries.mtgp32 import TURN, Forward, first_states
from clrng.frontends.drawing import Queue, Size
from clrng.frontends.streams import MAX_STREAMS
from clrng.generators import MT19937, MRG32k3a, XorShift
from clrng.generators.parameters import Attribute
from clrng.opencl import arrays
from clrng.validation import dtype_named, shown

W = 2**32
SALT = 0xAAD26B49, 0xF7DCEFDD, 1099087573, 2591861531
MARSAGLIA = 123456789, 362436069, 521288629, 88675123, 5783321
"""What cuRAND mixes a seed with, and Marsaglia's words of xorwow."""

THREADS = 2**16
"""The threads that share Philox."""

PIECE = 512
"""The most rows of MTGP32, of 256 words of each stream, that are made before they become values."""


def xorwow(seed: int, salt: tuple[int, int, int, int] = SALT) -> XorShift:
    """Return xorwow as ``curand_init(seed, 0, 0)`` begins it, or a library that mixes seeds with another `salt`."""
    low = salt[2] * (seed % W ^ salt[0]) % W
    high = salt[3] * (seed >> 32 ^ salt[1]) % W
    x, y, z, w, v = MARSAGLIA
    state = [(x + low) % W, y ^ low, (z + high) % W, w ^ high, (v + low) % W, (6615241 + high + low) % W]
    return XorShift((5, 5, 1), (-2, 1, 4), state, increment=362437)


def mrg32k3a(seed: int) -> MRG32k3a:
    """Return MRG32k3a as ``curand_init(seed, 0, 0)`` begins it."""
    first, second = (MRG32k3a().parts[i].modulus for i in range(2))
    low, high = seed % W ^ 0x55555555, seed >> 32 ^ 0xAAAAAAAA
    mixed = [factor * 12345 for factor in (low, high, low, high, low, high)]
    if seed == 0:
        mixed = [12345] * 6
    return MRG32k3a([*(x % first for x in mixed[:3]), *(x % second for x in mixed[3:])])


def mt19937(seed: int) -> MT19937:
    """Return the Mersenne Twister of a seed, of which cuRAND takes the lowest 32 bits."""
    return MT19937(seed % W)


def of_combined(combined: Combined) -> dict[str, Form]:
    """Return the forms of the values of a combined recurrence."""
    return {
        "generate": Form("word", "uint32", combined=combined),
        "uniform": Form("half_open", "float32", combined=combined),
        "uniform_double": Form("half_open", "float64", combined=combined),
        "normal": Form("box_muller", "float32", 2, 2, combined=combined),
        "normal_double": Form("box_muller", "float64", 2, 2, combined=combined),
    }


class Kind(NamedTuple):
    """A generator of cuRAND: what makes it of a seed, in how many streams how far apart, by ordering; and its forms."""

    make: Any
    streams: dict[str, int]
    apart: int
    forms: dict[str, Form]


COMBINED = Combined(1.000000048662, 2.3283065498378288e-10)
NORMAL = {
    "normal": Form("box_muller", "float32", 2, 2, added=0.5),
    "normal_double": Form("box_muller", "float64", 4, 2, added=0.5),
}
OF_WORDS = {
    "generate": WORD, "uniform": Form("half_open", "float32"), "uniform_double": Form("half_open", "float64", 2),
    **NORMAL,
}  # fmt: skip
OF_TWISTER = {
    "generate": WORD, "uniform": Form("middle", "float32"), "uniform_double": Form("middle", "float64"),
    "normal": Form("inverse_normal", "float32"), "normal_double": Form("inverse_normal", "float64"),
}  # fmt: skip
OF_MTGP = {
    **OF_TWISTER, "uniform": Form("half_open", "float32"), "uniform_double": Form("upper_end", "float64"),
}  # fmt: skip
KINDS = {
    "xorwow": Kind(xorwow, {"default": 4096, "legacy": 4096}, 2**67, OF_WORDS),
    "mrg32k3a": Kind(mrg32k3a, {"default": 81920, "legacy": 4096}, 2**76, of_combined(COMBINED)),
    "philox4_32_10": Kind(None, {"default": THREADS, "legacy": THREADS}, 0, OF_WORDS),
    "mt19937": Kind(mt19937, {"default": 8192, "legacy": 8192}, 2**2048, OF_TWISTER),
    "mtgp32": Kind(None, {"default": 192, "legacy": 64}, 0, OF_MTGP),
}


class Curand(LibraryStream):
    """What cuRAND's host interface makes, on any device.

    Parameters
    ----------
    kind : {"xorwow", "mrg32k3a", "philox4_32_10", "mt19937", "mtgp32"}
        ``CURAND_RNG_PSEUDO_XORWOW``, which is its default, and so on.
    seed : int, optional
        Of ``curandSetPseudoRandomGeneratorSeed``, from 0 to 2^64 - 1. By default 0, as in cuRAND.
    offset : int, optional
        Of ``curandSetGeneratorOffset``, in words, from 0 to 2^63 - 1. MT19937 and MTGP32 have none, as in cuRAND.
    ordering : {"default", "legacy"}, optional
        ``CURAND_ORDERING_PSEUDO_DEFAULT`` and ``…_BEST``, or ``…_LEGACY``, which differs for MRG32k3a and MTGP32 alone.
    streams : int, optional
        In place of an ordering, of how many streams of XORWOW or MRG32k3a elements are taken in turn, from 1 to 2^31:
        those of a kernel of so many threads, each with a state of ``curand_init(seed, thread, 0)``.

    Attributes
    ----------
    kind, ordering : str
    seed, offset : int
    streams : int or None

    Notes
    -----
    Values are dealt out by many streams: 4096 of xorwow, 2^67 apart, and 81920, or 4096, of MRG32k3a, 2^76 apart, from
    which elements are taken in turn; and 65536 of Philox, of which each gives four words at a time. A call goes on
    where the one before has ended; but values that take another number of words can only follow where all streams have
    given as many.

    Of MT19937 there are 8192 streams, 2^2048 apart, of which each gives eight values at a time, in an order of their
    own; a call makes at least 624 words of each and keeps them, 20 MB. Making the streams takes some seconds. Its
    normal numbers are inverses of the distribution function, each of one word.

    Of MTGP32 there are 192 streams, or 64, each with parameters of its own, of which each gives 256 values at a time.
    The parameters are NVIDIA's, and clrng does not have them. They are read from cuRAND's header
    ``curand_mtgp32dc_p_11213.h``: that of a wheel, such as ``nvidia-curand-cu12``, which needs no GPU, else of the CUDA
    toolkit in the folder that the environment variable CUDA_PATH or CUDA_HOME names, or in ``/usr/local/cuda``. Its
    normal numbers are made as those of MT19937. A copy made by `pickle` goes through the stream again to its place,
    when it is first used.

    Words and uniform numbers are cuRAND's bit for bit: on the GPU, and from its generators for the host. The orderings
    ``…_DYNAMIC``, which depends on the GPU, and ``…_SEEDED`` are not here.

    Examples
    --------
    >>> import clrng
    >>> rng = clrng.Curand("xorwow", seed=1234)
    >>> print(rng.generate(3), rng.uniform(2))
    [ 624778773 3522650202 2363946744] [0.2948303 0.9147328]
    """

    __slots__ = (
        "_count", "_dealt", "_forward", "_kind", "_offset", "_ordering", "_seed", "_sets", "_streams", "_traits",
    )  # fmt: skip

    _arguments = ("kind", "seed", "offset", "ordering", "streams")

    kind = Attribute[str]("The kind of generator.")
    ordering = Attribute[str]("The ordering.")
    streams = Attribute[int | None]("The number of streams, where no ordering says it.")
    seed = Attribute[int]("The seed.")
    offset = Attribute[int]("The offset at which it began.")

    def __init__(
        self, kind: str, seed: int = 0, offset: int = 0, ordering: str = "default", streams: int | None = None,
        queue: Queue | None = None, allocator: Any = None,
    ) -> None:  # fmt: skip
        self._kind = validation.choice("kind", kind, KINDS)
        self._seed = validation.integer("seed", seed, 0, 2**64 - 1)
        self._offset = validation.integer("offset", offset, 0, 2**63 - 1)
        self._traits = KINDS[kind]
        self._ordering = validation.choice("ordering", ordering, self._traits.streams)
        if self._offset and kind in ("mt19937", "mtgp32"):
            raise ValueError(f"offset must be 0 for {kind}, as in cuRAND, not {offset}")
        self._count, self._streams = self._traits.streams[ordering], streams
        if streams is not None:
            if kind not in ("xorwow", "mrg32k3a"):
                raise ValueError(f"streams must be None for {kind}, not {shown(streams)}")
            self._count = self._streams = validation.integer("streams", streams, 1, MAX_STREAMS)
        super().__init__(queue, allocator, (0, self._offset, int(self._offset > 0)))  # an offset counts words
        self._sets: Any = curand_sets()[: self._count] if kind == "mtgp32" else None
        self._forward: Forward | None = None
        if self._traits.make is not None:
            kept = TWISTER if kind == "mt19937" else KEPT
            self._dealt = Dealt(self._queue, self._traits.make(self._seed), self._count, self._traits.apart, kept)

    def _draw_form(self, name: str, size: Size) -> Any:
        return self._made(name, self._traits.forms[name], size, name)

    def _values(self, form: Form, out: cla.Array, place: tuple[int, int, int], name: Any = "") -> tuple[int, int, int]:  # type: ignore[override]
        """Fill `out`, and return the place behind.

        A place is a row of words, how many items have been taken from there on, and the words of a row of these: 0
        where that may be any.
        """
        if self._kind == "mt19937":
            of_twisters(self._queue, self._dealt, form, out, place[1])
            return 0, place[1] + out.size, 1
        if self._kind == "mtgp32":
            self._of_mtgp32(form, out, place[1])
            return 0, place[1] + out.size, 1
        philox = self._traits.make is None
        words = form.words // form.values if philox else form.words
        row, taken, before = place
        each = self._count * (4 if philox else 1)
        if before not in (0, words):
            if taken % each:
                raise UnsupportedError(
                    f"{name} takes {words} word(s) of a stream, not {before} as the offset or what came before, and "
                    f"can only follow a multiple of {each} of those, not {taken}"
                )
            row, taken = row + taken // each * before, 0
        if philox:
            self._of_philox(form, words, out, row, taken)
            return row, taken + out.size, words
        if out.size % form.values:
            raise ValueError(f"size must make an even number of values of {name}, as for cuRAND, not {out.size}")
        items = out.size // form.values
        self._of_streams(form, out, row + taken // each * words, taken % each, items)
        return row, taken + items, words

    def _of_philox(self, form: Form, words: int, out: cla.Array, row: int, taken: int) -> None:
        turn = 4 * THREADS
        key = self._seed % W, self._seed >> 32
        request = Request(CURAND[words], form, key, row + taken // turn * words, THREADS, begin=taken % turn)
        counted(self._queue, request, out)

    def _of_streams(self, form: Form, out: cla.Array, row: int, first: int, items: int) -> None:
        """Fill `out` with items of the words of streams from a row on, from stream number `first` on."""
        words = self._dealt.rows(row, -(-(first + items) // self._count) * form.words)
        converted(self._queue, form, words, out, laid=Laid("in_streams", self._count, first))

    def _of_mtgp32(self, form: Form, out: cla.Array, taken: int) -> None:
        """Fill `out` with values behind so many, piece by piece; the states behind are kept for the next call."""
        done, whole = 0, TURN * self._count
        forward, self._forward = self._forward, None  # in case of an error
        if forward is None:
            folded = (self._seed ^ self._seed >> 32) % W
            forward = Forward(self._queue, self._sets, first_states(self._sets, folded))
        while done < out.size:
            row, first = divmod(taken + done, whole)
            part = arrays.part(out, done, min(out.size - done, PIECE * whole - first))
            shape = -(-(first + part.size) // whole), self._count, TURN
            words = arrays.output_array(self._queue, self._device, shape, dtype_named("uint32"))
            done += part.size
            at = int(forward.rows[0])
            forward.fill(words, row - at, (taken + done) // whole - at)
            converted(self._queue, form, arrays.part(words, first, part.size), part)
            out.add_event(part.events[-1])
        self._forward = forward

    def generate(self, size: Size = None) -> Any:
        """Return words, uint32: those of ``curandGenerate``.

        >>> print(clrng.Curand("philox4_32_10", seed=1234).generate(3))
        [ 546353992 3665621163 1140953199]
        """
        return self._draw_form("generate", size)

    def uniform(self, size: Size = None) -> Any:
        """Return uniform float32 numbers in (0, 1]: those of ``curandGenerateUniform``.

        >>> print(clrng.Curand("xorwow", seed=1234).uniform(3))
        [0.14546764 0.8201809  0.55039924]
        """
        return self._draw_form("uniform", size)

    def uniform_double(self, size: Size = None) -> Any:
        """Return uniform float64 numbers in (0, 1]: those of ``curandGenerateUniformDouble``.

        >>> print(clrng.Curand("xorwow", seed=1234).uniform_double(3))
        [0.4348988  0.92641692 0.81184521]
        """
        return self._draw_form("uniform_double", size)

    def normal(self, size: Size = None) -> Any:
        """Return normal float32 numbers near those of ``curandGenerateNormal``, of mean 0 and deviation 1.

        Notes
        -----
        They are as near as those of `TorchCuda`. Those of MT19937 and MTGP32 are within 10^-6 of those of cuRAND on the
        host.

        Examples
        --------
        >>> print(clrng.Curand("xorwow", seed=1234).normal(4))
        [ 0.78097355 -1.8015782  -0.28084856  0.5635466 ]
        """
        return self._draw_form("normal", size)

    def normal_double(self, size: Size = None) -> Any:
        """Return normal float64 numbers near those of ``curandGenerateNormalDouble``, of mean 0 and deviation 1.

        Notes
        -----
        They are as near as those of `TorchCuda`. Those of MT19937 are within 10^-14 of those of cuRAND on the host, and
        those of MTGP32 within 10^-6, as it makes these in single precision there.

        Examples
        --------
        >>> print(clrng.Curand("xorwow", seed=1234).normal_double(4))
        [ 0.3587398  -1.2395925  -0.0914954  -0.38011894]
        """
        return self._draw_form("normal_double", size)


complete(Curand, STREAM)
complete_all(
    Curand,
    Common(
        arguments={
            "size": "int or tuple of int, optional\n"
            "    The shape of the result. Normals but those of MT19937 and MTGP32 come in pairs."
        },
        raises=WORDS.raises, returns=WORDS.returns, example=WORDS.example,
        notes="The stream moves on as far as cuRAND's would.",
    ),
    "generate", "uniform", "uniform_double", "normal", "normal_double",
)  # fmt: skip
