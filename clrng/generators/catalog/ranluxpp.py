"""RANLUX++ of libraries, seeded as these seed it."""

from dataclasses import dataclass

from clrng.generators.base import BitGenerator
from clrng.generators.catalog.named_row import Named
from clrng.generators.ranluxpp import RANLUXpp


@dataclass(frozen=True, kw_only=True)
class NamedRANLUXpp(Named):
    """RANLUX++ of a library."""

    def _made(self, seed: int) -> BitGenerator:
        return RANLUXpp(seed)


RANLUXPP = (
    NamedRANLUXpp(
        name="root_ranluxpp",
        what="RanluxppEngine2048 of ROOT, that of TRandomRanluxpp: a raw value is what IntRndm gives, and Rndm divides "
        "it by 2^48",
        source="J. Hahnfeld and L. Moneta, A portable implementation of RANLUX++, EPJ Web of Conferences 251, 2021, "
        "03008; A. Sibidanov, A revision of the subtract-with-borrow random number generators, Computer Physics "
        "Communications 221, 2017, pp. 299-303",
        seeds=(0, 2**64 - 1),
    ),
)
