"""What the generators of libraries and books have in common, and sources that several of them share."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from clrng import validation
from clrng.generators.base import BitGenerator

KNUTH = "D. E. Knuth, The Art of Computer Programming, vol. 2, 3rd ed., Addison-Wesley, 1997"
GSL = "GNU Scientific Library, reference manual, other random number generators"


@dataclass(frozen=True, kw_only=True)
class Named(ABC):
    """A generator of a library or a book.

    Attributes
    ----------
    name : str
        Its key in `clrng.NAMED`.
    what : str
        What it is, in a line.
    source : str
        Where it is published.
    seeds : (int, int)
        The least and the largest legal seed. Seeds that a library replaces by a default, such as 0 where all words
        would be 0, are not legal.
    """

    name: str
    what: str
    source: str
    seeds: tuple[int, int]

    def make(self, seed: int) -> BitGenerator:
        """Return the generator seeded with `seed`, a legal one.

        Raises
        ------
        TypeError
            If `seed` is not an integer.
        ValueError
            If it is out of range.
        """
        return self._made(validation.integer("seed", seed, *self.seeds))

    @abstractmethod
    def _made(self, seed: int) -> BitGenerator:
        """Return the generator of a seed known to be legal."""
