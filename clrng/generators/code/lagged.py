"""Recurrences with states of many words on a device: what their fills, streams and jumps need to know."""

from abc import abstractmethod

from clrng.generators.code.base import GeneratorCode
from clrng.generators.lagged import Lagged


class LaggedCode(GeneratorCode):
    """A recurrence whose next word follows from those at a few lags, of which a value shows a word or a part of it.

    The word after a state is `combine` of the words at its lags.

    Attributes
    ----------
    fits_registers : bool
        Whether the state is a structure of words.
    jump_order : int
        The order p of a recurrence whose jumps take as many products, p^2, as a jump of this one.
    """

    recurrence: Lagged
    fill_strategy = "lagged"
    streams_strategy = "lagged"

    @abstractmethod
    def of_words(self) -> "LaggedCode":
        """Return the code whose raw values are the words."""

    @property
    def jump_order(self) -> int:
        """The order p of a recurrence whose jumps take as many products, p^2, as a jump of this one."""
        return self.order

    @property
    def ring(self) -> tuple[int, ...] | None:  # noqa: D102  # as inherited
        return None if self.fits_registers else self.recurrence.lags
