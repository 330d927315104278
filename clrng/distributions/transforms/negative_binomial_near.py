"""Negative binomial numbers of which every element has a number of successes and a probability of its own, by arrays.

As `clrng.distributions.transforms.binomial_near` has it for binomial numbers: F(k) is I(n, k + 1; p), and a value is
the integer at or below the x for which I(n, x; p) is X/N. With q = 1 - p, m = n q and the normal number v of the same
probability, x is about (m + m^1/2 v + v^2 H + C + D/m)/p, where H, C and D depend on s = v/m^1/2 and q alone: from
q = 0, where they are those of Poisson numbers, to q = 1, where they are those of gamma variates. Of a small m
probabilities are added up, in double precision too if neither the place nor the integral is near enough.

`tests.support.fit_negative_binomial` makes the polynomials.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

from clrng.distributions.transforms import binomial_near
from clrng.distributions.transforms.near import NearByElement

H = (
    (-0.00013879157, 0.00031120538, -0.00019033414, -2.8422819e-05, 6.5106647e-05, -1.871625e-05),
    (0.00031118069, -0.00063996991, 0.00027652131, 0.00023031079, -0.00025340036, 7.5104988e-05),
    (0.00011869786, -0.00041357888, 0.00056262289, -0.00047394272, 0.00030894362, -0.00010337735),
    (-0.00052932571, 0.0011677269, -0.00077830215, 0.0002340534, -0.0001847187, 9.6694301e-05),
    (-1.2329797e-05, 0.00025708117, -0.00046484308, -6.001707e-06, 0.0004230854, -0.00022192683),
    (0.00076276122, -0.0015916224, 0.00093169346, 0.00050904698, -0.0011224324, 0.00056709636),
    (-5.4212018e-05, -0.0012940342, 0.0024081814, -0.0018404359, 0.0023532187, -0.0013408805),
    (-6.1945768e-06, 3.1794358e-05, 0.0036698219, -0.0055487877, -0.005552192, 0.0037028851),
    (1.0355831e-05, -1.3885416e-05, -1.5321057e-06, -0.013882144, 0.055553227, -0.013888299),
    (-1.3498028e-06, 1.9856851e-06, -7.0288829e-07, 5.9039081e-08, 0.16666662, 0.16666668),
)  # fmt: skip
C = (
    (-0.00034924682, 0.00073260269, -0.00077212335, 0.00063819871, -0.00026719178),
    (0.0011545546, -0.0023053849, 0.0023894312, -0.0020998392, 0.00094939394),
    (-0.00047646288, 0.0006628337, -0.0010449075, 0.0019944796, -0.0011825441),
    (-0.00010454879, 0.00087874822, -0.0022037086, -0.0010841384, 0.0013211171),
    (-0.0028259601, 0.0022229546, 0.0073244739, 0.0031765635, -0.0032999213),
    (-8.8842306e-06, 0.0082783891, -0.012464824, -0.013170648, 0.0087106791),
    (-5.2187033e-05, 0.00017509327, -0.027943775, -0.13882428, -0.027802804),
    (2.6856995e-06, 6.2221553e-06, -1.4306603e-05, -0.66666106, 0.33333144),
)  # fmt: skip
D = (
    (0.021628045, -0.036687148, 0.013730439),
    (-0.02676323, 0.043359377, -0.021799329),
    (0.00025475888, -0.027904434, 0.016509458),
    (0.00055388087, 0.040157626, -0.02021952),
)  # fmt: skip
"""Polynomials in s, whose coefficients are polynomials in q."""

LOW_S, HIGH_S = -1.0, 1.7
"""They are fitted between these, for q up to 1."""

OFF = (1e-5, 8e-7, 3e-3, 1.2e-2)
"""With a, b, c, d: x is off by less than (a + b m^1/2 (1 + v^2) + (c + d s^2)/m)/p, by half of that as measured."""

SMALL, TERMS, SUM_OFF = 10, 1024, (2e-5, 2e-7)
"""Below so large an m up to so many probabilities are added up: up to k with errors of a part of a + b k."""

LARGEST = 2.0**30
"""Means in single precision are below this."""

MOST_TERMS = 1 << 16
"""In double precision so many probabilities are added up."""

SPREAD = 40.0
"""So many times 1/p stands for the largest standard deviation, where it says how many values are not sure."""


@dataclass(frozen=True, eq=False)
class NegativeBinomialByElement(NearByElement):
    """Negative binomial numbers whose probabilities are in `each`, and the numbers of successes in `trials`.

    Both are of float32 or float64.
    """

    __hash__ = object.__hash__

    law: ClassVar[str] = "negative_binomial"


def constants() -> dict[str, Any]:
    """Return what templates are told of these."""
    return {
        **binomial_near.constants(), "h": H, "c": C, "d": D, "low_s": LOW_S, "high_s": HIGH_S, "off": OFF,
        "small": SMALL, "terms": TERMS, "sum_off": SUM_OFF, "largest": LARGEST, "most": MOST_TERMS,
    }  # fmt: skip
