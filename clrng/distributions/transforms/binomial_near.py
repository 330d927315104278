"""Binomial numbers of which every element has a number of trials and a probability of its own, by arrays.

As `clrng.distributions.transforms.poisson_near` has it for Poisson numbers: F is continued between integers as the
incomplete beta function, F(k) is I(n - k, k + 1; 1 - p), and a value is the integer at or below the x for which this is
X/N. An expansion gives x in single precision; how far it may be off is known, and where no integer is that near, the
value is sure. Where few successes are expected, probabilities are added up instead. Of the few elements that are not
sure double precision decides, by an integral; and where that is not sure either, the host by exact thresholds. Of a
probability above 1/2 the failures are counted.

`tests.support.fit_binomial` makes the polynomials.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np

from clrng.distributions.transforms import poisson_near
from clrng.distributions.transforms.near import NearByElement

H = (
    (-1.9988075, 2.2163494, -0.89093909, 0.15062937, -0.0084666541, -5.5850804e-05, 1.2670488e-05),
    (-4.3451417, 6.0331591, -3.1945003, 0.80054283, -0.095213888, 0.0044511866, -9.1289336e-05),
    (0.21884789, 0.059077029, -0.15572553, 0.052479689, -0.0041554947, -6.1830465e-05, 0.00014784034),
    (2.650591, -3.8220378, 2.0633892, -0.52940174, 0.063961265, -0.0033987281, -0.00025390568),
    (-0.18931624, -0.00055462525, 0.025444224, 0.0095086607, -0.0059745132, 0.0014216265, 0.00055391331),
    (-1.0284858, 1.1469569, -0.52022531, 0.10442679, -0.012783598, -0.0005764764, -0.0013314598),
    (-0.52373814, 0.55429938, -0.24646054, 0.026650138, -0.0061860955, 0.001639634, 0.0037054503),
    (-0.27567331, 0.34126665, -0.20918007, 0.03720129, -0.020105107, -0.041366611, -0.013891222),
    (-0.011916004, 0.021985027, -0.015297567, 0.004888687, -0.00069482906, -0.33329831, 0.16666638),
)  # fmt: skip
C = (
    (-28.734658, 34.592346, -15.063345, 2.739927, -0.17673817, 0.0015598546),
    (10.576056, -16.932599, 9.3373623, -2.041651, 0.15271518, -0.00098634213),
    (20.250727, -23.658929, 9.9075016, -1.7445345, 0.1057803, -0.0020897342),
    (-12.603874, 18.324931, -9.5592457, 2.0333189, -0.14295771, 0.0031865745),
    (-4.6588797, 4.1906129, -1.3592404, 0.13555508, -0.012706019, -0.0034211652),
    (2.0152872, -3.453376, 1.8853969, -0.43340123, 0.035620777, 0.0083058264),
    (-0.15384365, 0.16016469, -0.14129257, 1.3650833e-05, -0.3356481, -0.027760786),
    (-0.026336253, 0.045583041, -0.026473285, 0.0059489128, -0.66710303, 0.3333374),
)  # fmt: skip
D = (
    (0.12593137, -0.06398234, 0.014033785),
    (0.080807348, -0.0050786358, -0.01659349),
    (0.0066521393, -0.030399209, 0.016823982),
    (0.010261422, 0.03446814, -0.019844767),
)  # fmt: skip
"""Polynomials in s, whose coefficients are polynomials in p: with N = n + 1 and r the root of N p (1 - p), x is about
N p + r v + v^2 H + C + D/r^2, with the normal number v and s = v (1 - p)/r."""

LOW_S, HIGH_S = -0.8, 0.9
"""They are fitted between these, for p up to 1/2."""

LOG1P = (
    1.7770182, -2.5557681, 2.0497319, -0.63501287, 0.35381534, 0.17321175, 0.25216985, 0.33324499, 0.50000138, 1.0,
)  # fmt: skip
"""A polynomial in p that is -ln(1 - p)/p, for p up to 1/2."""

OFF = (1.5e-4, 8e-7, 5e-3)
"""With a, b, c: x is off by less than a + b r (1 + v^2) + c s^2, by half of that as measured."""

SUM_OFF = 1e-5, 0.0
"""Sums of probabilities up to that of k are off by less than a + b k: by a fifth, as measured."""

LARGEST = 2**31 - 2
"""The largest n."""

EXACT_FROM, POINTS, REACH, FURTHER = 16, 16, 8.2, 22.0
"""In double precision, from so many successes and failures on, an integral over so many deviations and so much more is
made with so many points in each half."""

STIRLING = (1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12)
"""ln(z!) is Stirling's approximation and 1/z times this polynomial of 1/z^2."""


@dataclass(frozen=True, eq=False)
class BinomialByElement(NearByElement):
    """Binomial numbers whose probabilities are in `each`, of float32 or float64, and their numbers of trials.

    Trials are integers up to `LARGEST`.
    """

    __hash__ = object.__hash__

    law: ClassVar[str] = "binomial"


@cache
def constants() -> dict[str, Any]:
    """Return what templates are told of these."""
    nodes, weights = np.polynomial.legendre.leggauss(POINTS)
    return {
        **poisson_near.constants(), "h": H, "c": C, "d": D, "low_s": LOW_S, "high_s": HIGH_S, "log1p": LOG1P,
        "off": OFF, "sum_off": SUM_OFF, "stirling": STIRLING, "exact_from": EXACT_FROM, "reach": REACH,
        "further": FURTHER, "nodes": ((nodes + 1) / 2).tolist(), "weights": (weights / 2).tolist(),
    }  # fmt: skip
