"""Which arithmetic is exact where."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import clrng
from clrng.generators.arithmetic import ARITHMETICS, balanced_digits, check_name, float_step
from clrng.generators.families import select, why_not
from tests.conftest import DEVICES
from tests.support.oracle import M


def usual(multiplier: int) -> clrng.ParkMiller:
    return clrng.ParkMiller(seed=1, multiplier=multiplier)


EVERYTHING = replace(DEVICES[0], fp64=True, fma=True, round_to_nearest=True)
NO_FP64 = replace(EVERYTHING, fp64=False, fma=False)


@pytest.mark.parametrize("name", ARITHMETICS)
def test_everything_is_exact_on_a_device_with_everything(name: str) -> None:
    assert why_not(name, EVERYTHING, usual(16807)) is None
    assert select(name, EVERYTHING, usual(16807)).name == name


@pytest.mark.parametrize(
    ("name", "device", "reason"),
    [
        ("double", NO_FP64, "no double precision"),
        ("double-2009", NO_FP64, "no double precision"),
        ("float", NO_FP64, "no exact fused multiply-add"),
        ("float-nofma", replace(NO_FP64, round_to_nearest=False), "does not round"),
        ("limbs-2008", replace(NO_FP64, round_to_nearest=False), "does not round"),
    ],
)
def test_what_is_missing_is_said(name: str, device: clrng.DeviceInfo, reason: str) -> None:
    with pytest.raises(clrng.UnsupportedError, match=f"'{name}' cannot be used on .*{reason}.*exact there: integer"):
        select(name, device, usual(16807))


@pytest.mark.parametrize(("name", "most"), [("limbs-2008", 2**16 - 1), ("double-2009", 2**21 - 1)])
def test_baselines_refuse_multipliers_beyond_their_range(name: str, most: int) -> None:
    assert why_not(name, EVERYTHING, usual(most)) is None
    assert f"up to {most}, not {most + 1}" in str(why_not(name, EVERYTHING, usual(most + 1)))


def test_auto_never_takes_a_baseline() -> None:
    for device in (EVERYTHING, NO_FP64, replace(NO_FP64, round_to_nearest=False)):
        assert not select("auto", device, usual(16807)).baseline


def test_an_unknown_name_lists_the_known() -> None:
    with pytest.raises(ValueError, match="arithmetic must be one of 'auto', 'integer', .*, not 'quad'"):
        check_name("quad")
    with pytest.raises(TypeError, match="arithmetic must be one of"):
        check_name(3)


@given(st.integers(1, M - 1), st.sampled_from([2**8, 2**16]))
def test_balanced_digits_are_the_number(a: int, base: int) -> None:
    digits = balanced_digits(a, base)
    value = 0
    for digit in digits:
        assert -base // 2 <= digit < base // 2
        value = value * base + digit
    assert (value - a) % M == 0


def test_bounds_are_those_derived_for_16807() -> None:
    assert float_step(16807) == ("short", 28542, 47407)


@pytest.mark.parametrize(
    ("multiplier", "kind"),
    [
        (16807, "short"),
        (M - 16807, "short"),
        (38466, "carried"),  # its digits would outgrow a short step
        (48271, "carried"),
        (M - 69621, "carried"),
        (492483, "carried"),
        (709386, "long"),  # its products leave the range of the rounding constants
        (742938285, "long"),
    ],
)
def test_forms_of_the_float_step(multiplier: int, kind: str) -> None:
    assert float_step(multiplier).kind == kind


@given(st.integers(1, 800000))
def test_a_step_from_the_largest_digits_stays_within_them(a: int) -> None:
    kind, h, low = float_step(a)
    assert h * 2**16 + low < M
    if kind == "long":
        assert a > 600000
        return
    assert a * low < 2**38
    for x, y in ((h, low), (h, -low), (-h, low)):  # the steps of the template, in integers
        c, k = round(a * y / 2**16), round(a * x / 2**15)
        after_h, after_l = a * x - k * 2**15 + c, a * y - c * 2**16 + k
        if kind == "carried":
            carry = round(after_h / 2**15)
            after_h, after_l = after_h - carry * 2**15, after_l + carry
        assert abs(after_h) <= h
        assert abs(after_l) <= low
