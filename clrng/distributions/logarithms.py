"""Values by a table of the logarithm of the inverse: the kernel of continuous distributions of hard parameters."""

from dataclasses import dataclass
from typing import Any

from clrng.distributions.powers_of_two import EXP2, FRACTION_BITS
from clrng.distributions.transform import Transform


@dataclass(frozen=True)
class Logarithms(Transform):
    """The inverse of a distribution function as a power of two, or a hyperbolic sine, of piecewise polynomials.

    All of it is computed in integers. It is slower than `Inverse`, and right where that cannot be.

    Attributes
    ----------
    degree : int
        That of the polynomials.
    symmetric : bool
        Whether both sides have the same rows.
    hyperbolic : bool
        Whether values are hyperbolic sines, and those of the lower side negative.
    scaled : bool
        Whether values are multiplied by the argument ``scale`` and then added to the argument ``loc``.
    """

    degree: int = 5
    symmetric: bool = False
    hyperbolic: bool = False
    scaled: bool = False

    def values(self, min_value: int, upper_bound: int) -> dict[str, Any]:  # noqa: D102  # as inherited
        return {
            "min_value": min_value,
            "raw_values": upper_bound - min_value,
            "degree": self.degree,
            "symmetric": self.symmetric,
            "hyperbolic": self.hyperbolic,
            "scaled": self.scaled,
            "fraction_bits": FRACTION_BITS,
            "exp2": EXP2,
        }
