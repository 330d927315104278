"""Front ends that make others like themselves, each with a stream of its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import Self

    from clrng.generators import BitGenerator


class Spawning(ABC):
    """A front end that spawns, of one device, of several, or of dask.

    Attributes
    ----------
    bit_generator : BitGenerator
    """

    bit_generator: BitGenerator

    @abstractmethod
    def _like(self, bit_generator: BitGenerator) -> Self:
        """Return a front end of `bit_generator` that is otherwise like this one."""

    def spawn(self, n_children: int) -> list[Self]:
        """Return new generators, each with a stream of its own, as NumPy's `spawn` does.

        Parameters
        ----------
        n_children : int
            How many, from 0.

        Returns
        -------
        list
            Of generators like this one, on the same queues if it has any, whose bit generators are those that
            `BitGenerator.spawn` gives.

        Raises
        ------
        TypeError
            If `n_children` is not an integer, or the bit generator was not seeded by `default_rng` or
            `BitGenerator.seeded`.
        ValueError
            If `n_children` is negative.
        """
        return [self._like(child) for child in self.bit_generator.spawn(n_children)]
