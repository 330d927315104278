"""The host's forms of transforms: there is one for each, and it agrees with the definitions in exact arithmetic."""

import numpy as np
import pytest

import clrng
from clrng.distributions import UNIFORM, Transform
from clrng.distributions.distribution import transform_of
from clrng.distributions.transforms.by_element import Varying
from clrng.generators import BitGenerator
from clrng.proof import references
from tests.support.drawn_cases import CASES, Case
from tests.support.reference_draws import draws
from tests.support.tiers import first_of_each

BITS: list[BitGenerator] = [clrng.ParkMiller(seed=1), clrng.MRG32k3a(), clrng.named("mmix", 1), clrng.named("java", 3)]
NAMED = {name: case for name, case in CASES.items() if case.method in clrng.DISTRIBUTIONS}
N = 300


def kinds(base: type[Transform]) -> set[type[Transform]]:
    """Return a class and all that inherit from it."""
    return {base}.union(*(kinds(each) for each in base.__subclasses__()))


def test_every_transform_has_a_form() -> None:
    assert kinds(Transform) - kinds(Varying) == set(references.FORMS)  # which are made of others, or of tables


def made(transform: Transform, bits: BitGenerator) -> references.Values:
    return references.values(transform, bits, bits.sequence(N * transform.steps).reshape(N, transform.steps))


@pytest.mark.parametrize("case", NAMED.values(), ids=NAMED)
@pytest.mark.parametrize(
    "bits",
    first_of_each(BITS, about=lambda bits: bits.upper_bound.bit_length() > 32),
    ids=lambda bits: f"{bits.name}-{bits.upper_bound}",
)
def test_forms_are_those_of_the_definitions(case: Case, bits: BitGenerator) -> None:
    options = {"dtype": case.dtypes[0]} if case.method == "integers" else {}
    distribution = clrng.distribution(case.method, **case.arguments, **options)
    for dtype in case.dtypes:
        if dtype in distribution.dtypes:
            transform = transform_of(distribution, bits.min_value, bits.upper_bound, np.dtype(dtype))
            found, sure = made(transform, bits)
            expected = draws(case.reference, bits, N, dtype)
            assert found.dtype == expected.dtype
            assert found.tobytes() == expected.tobytes()
            assert sure is None or sure.mean() > 0.9


@pytest.mark.parametrize("bits", BITS, ids=lambda bits: f"{bits.name}-{bits.upper_bound}")
@pytest.mark.parametrize("dtype", UNIFORM)
def test_uniform_numbers_are_below_the_quotient_and_near_it(bits: BitGenerator, dtype: str) -> None:
    found, _ = made(UNIFORM[dtype], bits)
    ulps = [
        (raw * 2 ** UNIFORM[dtype].bits - int(float(x) * 2 ** UNIFORM[dtype].bits) * bits.upper_bound)
        / bits.upper_bound
        for raw, x in zip(bits.sequence(N).tolist(), found.tolist(), strict=True)
    ]
    assert -0.5 <= min(ulps) <= max(ulps) < 1


def test_another_transform_has_no_form() -> None:
    class Other(Transform):
        pass

    with pytest.raises(TypeError, match="Other"):
        references.values(Other("raw", None), BITS[0], BITS[0].sequence(3).reshape(3, 1))
