"""The Mersenne Twisters of libraries, seeded as these seed them."""

from collections.abc import Callable
from dataclasses import dataclass

from clrng.generators.base import BitGenerator
from clrng.generators.catalog.named_row import Named
from clrng.generators.mersenne_twister import MT19937, MT19937_64, of_numpy, of_python

MATSUMOTO = (
    "M. Matsumoto and T. Nishimura, Mersenne Twister: a 623-dimensionally equidistributed uniform pseudo-random number "
    "generator, ACM Transactions on Modeling and Computer Simulation 8(1), 1998, pp. 3-30"
)


@dataclass(frozen=True, kw_only=True)
class NamedTwister(Named):
    """A Mersenne Twister of a library.

    Attributes
    ----------
    seeded : function of int
        Makes the generator of a seed.
    """

    seeded: Callable[[int], BitGenerator]

    def _made(self, seed: int) -> BitGenerator:
        return self.seeded(seed)


TWISTERS = (
    NamedTwister(
        name="std_mt19937",
        what="std::mt19937 of C++, and GSL's mt19937 but for its seed 0",
        source=f"C++ [rand.predef] mt19937; {MATSUMOTO}",
        seeds=(0, 2**32 - 1),
        seeded=MT19937,
    ),
    NamedTwister(
        name="std_mt19937_64",
        what="std::mt19937_64 of C++",
        source="C++ [rand.predef] mt19937_64; T. Nishimura, Tables of 64-bit Mersenne Twisters, ACM Transactions on "
        "Modeling and Computer Simulation 10(4), 2000, pp. 348-357",
        seeds=(0, 2**64 - 1),
        seeded=MT19937_64,
    ),
    NamedTwister(
        name="numpy_random_state",
        what="NumPy's RandomState and numpy.random.seed with an integer",
        source=f"NumPy, numpy.random.RandomState; {MATSUMOTO}",
        seeds=(0, 2**32 - 1),
        seeded=MT19937,
    ),
    NamedTwister(
        name="numpy_mt19937",
        what="NumPy's bit generator MT19937 with an integer, which goes through SeedSequence",
        source=f"NumPy, numpy.random.MT19937; {MATSUMOTO}",
        seeds=(0, 2**128 - 1),
        seeded=lambda seed: MT19937.from_block(*of_numpy(seed)),
    ),
    NamedTwister(
        name="python_random",
        what="Python's random.seed with an integer; a value is what random.getrandbits(32) gives",
        source=f"Python, random.Random; {MATSUMOTO}",
        seeds=(0, 2**128 - 1),
        seeded=lambda seed: MT19937.from_block(of_python(seed), MT19937.twister.n),
    ),
)
