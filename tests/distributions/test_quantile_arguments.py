"""What quantile functions refuse, and how they compare."""

import pickle
from fractions import Fraction

import numpy as np
import pytest

from clrng.distributions.quantiles.closed_forms import Exponential, Lognormal, Normal, Power, Triangular
from clrng.distributions.quantiles.integrated import Beta, FisherF, Gamma, NoncentralChiSquare, VonMises, Wald
from tests.support.quantile_classes import CONTINUOUS, parameters

LEGAL = {"left": 0.0, "mode": 0.5, "right": 1.0, "nonc": 1.0}
PARAMETERS = [(kind, name) for kind in CONTINUOUS for name in parameters(kind)]


@pytest.mark.parametrize(("kind", "name"), PARAMETERS)
def test_every_parameter_is_checked(kind: str, name: str) -> None:
    row, legal = CONTINUOUS[kind], {field: LEGAL.get(field, 1.0) for field in parameters(kind)}
    assert getattr(row(**legal), name) == legal[name]
    for bad in (float("nan"), float("inf"), -float("inf"), -1e300, 1e300):
        with pytest.raises(ValueError, match=f"^{name} must be a number (from|above) .*, not "):
            row(**{**legal, name: bad})
    for bad in ("1", None, True, 1j, [1.0]):
        with pytest.raises(TypeError, match=f"^{name} must be a number (from|above) .*, not "):
            row(**{**legal, name: bad})


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Gamma(1e-9), "shape must be a number from 0.0009765625 to 1099511627776, or 0, not 1e-09"),
        (lambda: Lognormal(-1e-9), "sigma must be a number from 0 to 1024, not -1e-09"),
        (lambda: Triangular(1, 0, 1), "right must be a number above 1 and at most 3.273390607896142e[+]150, not 1"),
        (lambda: Triangular(0, 2, 1), "mode must be a number from 0 to 1, not 2"),
        (
            lambda: Beta(2.0**-10, 2.0**35),
            "b must be a number from 8.881784197001252e-16 to 1073741824, not 34359738368.0",
        ),
        (lambda: FisherF(2.0**-9, 2.0**35), "dfden must be a number from"),
        (lambda: Wald(2.0**30, 2.0**-20), "scale must be a number from 0.0009765625 to"),
        (lambda: VonMises(10001), "kappa must be a number from 0 to 10000, not 10001"),
        (lambda: NoncentralChiSquare(1, 1025), "nonc must be a number from 0 to 1024, not 1025"),
    ],
)
def test_limits_are_named(make: object, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        make()  # type: ignore[operator]


@pytest.mark.parametrize("p", [0.0, 2.0**-71, 0.51, 1.0, -0.1, float("nan"), [0.25, float("nan")], [0.25, 0.75]])
def test_probabilities_are_tails(p: object) -> None:
    with pytest.raises(ValueError, match="p must be numbers from 2\\^-70 to 1/2, not "):
        Normal()(p, False)


def test_equal_parameters_make_equal_objects() -> None:
    assert Gamma(2) == Gamma(2.0) == Gamma(np.float32(2)) == Gamma(Fraction(2))
    assert len({Gamma(2), Gamma(2.0), Gamma(3), Power(2), Normal(), Normal(), Exponential()}) == 5
    assert repr(Gamma(2)) == "Gamma(shape=2.0)"
    assert pickle.loads(pickle.dumps(Beta(2, 3))) == Beta(2.0, 3.0)
    with pytest.raises(AttributeError):
        Gamma(2).shape = 3  # type: ignore[misc]


def test_shapes_are_kept() -> None:
    for kind, row in CONTINUOUS.items():
        quantile = row(**{field: LEGAL.get(field, 1.0) for field in parameters(kind)})
        assert quantile(np.full((2, 3), 0.25), False).shape == (2, 3)
        assert quantile(np.zeros(0), True).shape == (0,)
        one = quantile(0.25, True)
        assert one.dtype == np.float64
        assert float(one) == quantile([0.1, 0.25], True)[1]
