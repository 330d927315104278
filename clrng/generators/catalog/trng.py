"""The YARN generators of TRNG, seeded as it seeds them: powers of primitive roots, of linear recurrences."""

from dataclasses import dataclass

from clrng.generators.arithmetic import MODULUS as MERSENNE
from clrng.generators.base import BitGenerator, Words
from clrng.generators.catalog.named_row import Named
from clrng.generators.linear_recurrence import LinearRecurrence

TRNG = (
    "H. Bauke and S. Mertens, Random numbers for large-scale distributed Monte Carlo simulations, Physical Review E "
    "75, 066701, 2007; TRNG 4"
)
ROOT = 123567893
"""The primitive root modulo 2^31 - 1."""

LARGEST_SEED = 2**64 - 1
SIGN = 2**63


@dataclass(frozen=True, kw_only=True)
class NamedYarn(Named):
    """A YARN generator of TRNG with its default parameters.

    Attributes
    ----------
    coefficients : tuple of int
        a_1, a_2, ...
    modulus : int
    root : int
        The primitive root.
    """

    coefficients: Words
    modulus: int = MERSENNE
    root: int = ROOT

    def _made(self, seed: int) -> BitGenerator:
        newest = (seed if seed < SIGN else seed - 2 * SIGN) % self.modulus
        state = [*[1] * (len(self.coefficients) - 1), newest]
        return LinearRecurrence(self.coefficients, state, self.modulus, yarn=self.root)


def _yarn(name: str, parameters: str, coefficients: Words, modulus: int = MERSENNE, root: int = ROOT) -> NamedYarn:
    """Return the row of ``trng::name``, whose parameters TRNG calls `parameters`."""
    return NamedYarn(
        name=f"trng_{name}",
        what=f"{name} of TRNG with the parameters {parameters}, powers of a linear recurrence of order "
        f"{len(coefficients)}; the seed, as a signed integer of 64 bits, is the newest word, and the others are 1",
        source=f"{TRNG}, trng::{name}",
        seeds=(0, LARGEST_SEED),
        coefficients=coefficients,
        modulus=modulus,
        root=root,
    )


YARN = (
    _yarn("yarn2", "LEcuyer1", (1498809829, 1160990996)),
    _yarn("yarn3", "LEcuyer1", (2021422057, 1826992351, 1977753457)),
    _yarn("yarn3s", "trng0", (2025213985, 1112953677, 2038969601), 2**31 - 21069, 1616076847),
    _yarn("yarn4", "LEcuyer1", (2001982722, 1412284257, 1155380217, 1668339922)),
    _yarn("yarn5", "LEcuyer1", (107374182, 0, 0, 0, 104480)),
    _yarn("yarn5s", "trng0", (1053223373, 1530818118, 1612122482, 133497989, 573245311), 2**31 - 22641, 889744251),
)
