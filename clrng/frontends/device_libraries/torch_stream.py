"""What the streams of PyTorch have in common."""

from dataclasses import replace
from typing import Any, ClassVar

from clrng import validation
from clrng.documented import complete_all
from clrng.frontends.device_libraries.forms import Form
from clrng.frontends.device_libraries.library_stream import WORDS, LibraryStream, chosen, whole_range
from clrng.frontends.drawing import Queue, Size
from clrng.generators.parameters import Attribute

WIDE = 2**28
"""The range from which on an integer takes two words."""

WHOLE = ("int64", "int32", "int16", "int8", "uint8")


class TorchStream(LibraryStream):
    """A stream of PyTorch."""

    __slots__ = ("_seed",)

    _arguments: ClassVar[tuple[str, ...]] = ("seed",)

    seed = Attribute[int]("What ``torch.manual_seed`` was given.")

    def __init__(self, seed: int, queue: Queue | None, allocator: Any, place: Any) -> None:
        self._seed = validation.integer("seed", seed, -(2**63), 2**64 - 1)
        super().__init__(queue, allocator, place)

    def _reals(self, what: str, forms: dict[str, Form], size: Size, dtype: Any) -> Any:
        form = chosen(forms, dtype)
        return self._made(f"{what} of {form.dtype}", form, size)

    def randint(self, low: int, high: int, size: Size = None, dtype: Any = "int64") -> Any:
        """Return integers from `low` to `high` - 1, as ``torch.randint(low, high, size)`` on the stream's device.

        Parameters
        ----------
        dtype : dtype_like, optional
            int64, int32, int16, int8 or uint8.

        Notes
        -----
        They are remainders of words of 32 bits, and from a range of 2^28 on of 64 bits.

        Examples
        --------
        >>> print(clrng.TorchCpu(0).randint(0, 10, 3), clrng.TorchCuda(0, 132).randint(0, 10, 3))
        [4 9 3] [1 7 1]
        """
        kind = validation.dtype("dtype", dtype, WHOLE).name
        first, count = whole_range(low, high, kind, past=kind != "int64")
        form = Form("remainder", kind, 1 if count < WIDE else 2)
        return self._made("randint", form, size, first, count)


TORCHES = replace(WORDS, notes="The stream moves on as far as PyTorch's would.")
"""What the methods have in common."""

complete_all(TorchStream, TORCHES, "randint")
