"""Two distributions that only tests know: what is written to add one."""

from dataclasses import dataclass

import numpy as np

from clrng.distributions.catalog import continuous, named
from clrng.distributions.discrete import Discrete
from clrng.distributions.parameters import number, whole
from clrng.distributions.quantiles.elementary import Array
from clrng.distributions.quantiles.quantile import Quantile


@dataclass(frozen=True)
class Wedge(Quantile):
    """Numbers from 0 to `edge` whose density rises in proportion to them."""

    edge: float = number(0.5, 8.0)

    def tail(self, p: Array, upper: bool) -> Array:  # noqa: D102  # as inherited
        return self.edge * np.sqrt(1 - p if upper else p)


@dataclass(frozen=True)
class Doubled(Discrete):
    """Twice as many 1 as 0, twice as many 2 as 1, and so on up to `last`."""

    last: int = whole(0, 60)
    share: float = number(0, 1, default=1.0)

    def _thresholds(self, numbers: int) -> tuple[int, list[int]]:
        total = 2 ** (self.last + 1) - 1
        return 0, [-(-(2 ** (k + 1) - 1) * numbers // total) for k in range(self.last + 1)]


ROWS = (
    continuous("wedge", "a density like a wedge", Wedge, "loc", "scale"),
    named("doubled", "each twice as likely as the one before", Doubled),
)
