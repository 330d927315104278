"""The generators of libraries and books by name, seeded as these seed them."""

from clrng.bit_generators.catalog.congruential import CONGRUENTIAL
from clrng.bit_generators.catalog.lagged_fibonacci import LAGGED
from clrng.bit_generators.catalog.named import Named

NAMED: dict[str, Named] = {row.name: row for row in (*CONGRUENTIAL, *LAGGED)}
"""The generators of libraries and books by name, the congruential ones first, then the lagged Fibonacci ones.

Each has the attributes ``name``, ``what``, ``source`` and ``seeds``, and ``make(seed)``."""

__all__ = ["NAMED", "Named"]
