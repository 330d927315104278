"""Arrays of parameters without an element: nothing is drawn, and the other parameters are checked."""

from typing import Any

import numpy as np
import pytest

import clrng

NONE, NO_INTEGERS, ROWS = np.zeros(0), np.zeros(0, np.int64), np.array([[2], [1]])

REFUSED = [
    ("binomial", (NO_INTEGERS, 2.0), "^p must be a number from 0 to 1, not 2.0$"),
    ("binomial", (ROWS - 2, NONE), r"^n must be .*, not -1, as element \(1, 0\) of n has it$"),
    ("beta", (NONE, -1.0), "^b must be .*, not -1.0$"),
    ("gamma", (NONE, -1.0), "^scale must be .*, not -1.0$"),
    ("gamma", (ROWS - 1.5, np.ones((1, 0))), r"^shape must be .*, not -0.5, as element \(1, 0\) of shape has it$"),
    ("wald", (NONE, 0.0), "^scale must be "),
    ("lognormal", (NONE, -1.0), "^sigma must be "),
    ("lognormal", (ROWS * np.nan, NONE), r"^mean must be .*, not nan, as element \(0, 0\) of mean has it$"),
    ("triangular", (NONE, np.nan, 1.0), "^mode must be "),
    ("negative_binomial", (NONE, 0.0), "^p must be "),
    ("hypergeometric", (NO_INTEGERS, -1, 1), "^nbad must be "),
    ("f", (NONE, -1), "^dfden must be "),
    ("noncentral_chisquare", (NONE, ROWS - 2.0), r"^nonc must be .*, as element \(1, 0\) of nonc has it$"),
    ("noncentral_f", (NONE, 1.0, -1.0), "^nonc must be "),
    ("uniform", (NONE, np.nan), "^high must be "),
    ("vonmises", (NONE, ROWS - 2.0), r"^kappa must be .*, as element \(1, 0\) of kappa has it$"),
    ("vonmises", (ROWS * np.nan, NONE), r"^mu must be .*, as element \(0, 0\) of mu has it$"),
    ("integers", (NO_INTEGERS, 2.5), "^high must be an integer "),
    ("normal", (NONE, -1.0), "^scale must be "),
]


@pytest.mark.parametrize(("name", "given", "said"), REFUSED)
def test_other_parameters_are_checked(name: str, given: tuple[Any, ...], said: str) -> None:
    with pytest.raises((TypeError, ValueError), match=said):
        getattr(clrng.default_rng(1), name)(*given)


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("binomial", (NO_INTEGERS, 0.5)),
        ("gamma", (ROWS, np.ones((1, 0)))),
        ("lognormal", (NONE, 1.0)),
        ("hypergeometric", (NO_INTEGERS, 3, 2)),
        ("triangular", (NONE, 0.0, 1.0)),
        ("integers", (NO_INTEGERS, 3)),
        ("poisson", (NONE,)),
    ],
)
def test_the_shape_is_numpys(name: str, given: tuple[Any, ...]) -> None:
    rng = clrng.default_rng(1)
    before = rng.bit_generator.copy()
    assert getattr(rng, name)(*given).shape == getattr(np.random.default_rng(1), name)(*given).shape
    assert rng.bit_generator == before
