"""Methods of NumPy's `Generator` that are refused, and those that are not."""

import inspect

import numpy as np
import pytest

import clrng
from tests.conftest import make_queue

REFUSED = {
    "multinomial": ((10, [0.5, 0.5]), "choice"),
    "multivariate_hypergeometric": (([5, 6], 3), "counts before it"),
    "dirichlet": (([1.0, 2.0],), "standard_gamma"),
    "multivariate_normal": (([0.0, 0.0], np.eye(2)), "standard_normal"),
}
"""Arguments that NumPy takes, and what the reason names."""

ORDER = {"shuffle", "permutation", "permuted"}
"""What puts things in order, and draws no values."""


@pytest.mark.parametrize("name", REFUSED)
def test_a_refusal_has_a_reason_and_moves_nothing(name: str) -> None:
    arguments, reason = REFUSED[name]
    rng = clrng.Generator(clrng.ParkMiller(seed=1), make_queue(0))
    getattr(np.random.default_rng(1), name)(*arguments)
    for more in ({}, {"size": 3}, {"nonsense": None}):
        with pytest.raises(clrng.UnsupportedError, match=f"^{name} is not drawn by clrng: .*{reason}"):
            getattr(rng, name)(*arguments, **more)
    assert rng.bit_generator == clrng.ParkMiller(seed=1)


def test_every_method_of_numpy_is_there() -> None:
    """Drawn or refused; and what is refused is what NumPy has."""
    numpys = {name for name, _ in inspect.getmembers(np.random.Generator, callable) if not name.startswith("_")}
    refused = {
        name for name in numpys if "UnsupportedError\n    Always: " in (getattr(clrng.Generator, name).__doc__ or "")
    }
    assert refused == set(REFUSED)
    for kind in (clrng.RankGenerator, clrng.MultiDeviceGenerator):
        also = {name for name in numpys if "UnsupportedError\n    Always: " in (getattr(kind, name).__doc__ or "")}
        assert also == refused | ORDER
