"""Terms of look-and-say sequences are those that plain Python says, whatever the plan."""

from itertools import groupby

import numpy as np
import pyopencl as cl
import pytest
from workloads import look_and_say
from workloads.look_and_say import LookAndSay, Plan, by_numpy

import clrng

LENGTHS = [
    1, 2, 2, 4, 6, 6, 8, 10, 14, 20, 26, 34, 46, 62, 78, 102, 134, 176, 226, 302, 408, 528, 678, 904, 1182, 1540, 2012,
    2606, 3410, 4462, 5808, 7586, 9898, 12884, 16774, 21890, 28528, 37158, 48410, 63138, 82350, 107312, 139984, 182376,
    237746, 310036, 403966, 526646, 686646, 894810,
]  # fmt: skip
"""Those of the first 50 terms from 1: sequence A005341 of the On-Line Encyclopedia of Integer Sequences."""


def said(digits: str) -> str:
    """Return the next term."""
    return "".join(f"{len(list(run))}{digit}" for digit, run in groupby(digits))


def text(term: LookAndSay) -> str:
    return "".join(map(str, term.term.get().tolist()))


@pytest.mark.parametrize("plan", [None, Plan(1, 5), Plan(8, 3)])
@pytest.mark.parametrize("first", ["1", "22", "111111111", "3113322113", "9" * 9 + "1234567898765432" + "7" * 9])
@pytest.mark.parametrize("most_summed", [2, 1024])
def test_terms_are_those_of_python(
    queue: cl.CommandQueue, first: str, plan: Plan | None, most_summed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(look_and_say, "MOST_SUMMED", most_summed)
    device, expected = LookAndSay(queue, first, plan), first
    assert text(device) == first
    for _ in range(12):
        expected = said(expected)
        assert device.say() == [len(expected)]
        assert text(device) == expected
        assert device.term.dtype == np.uint8


def test_lengths_are_the_published_ones(queue: cl.CommandQueue) -> None:
    device = LookAndSay(queue)
    assert [1, *device.say(49)] == LENGTHS
    device.restart("22")
    assert device.say(3) == [2, 2, 2]


def test_terms_of_the_host() -> None:
    term, digits = "1", np.array([1], np.uint8)
    for _ in range(15):
        assert look_and_say.by_python(term) == said(term)
        term, digits = said(term), by_numpy(digits)
        assert "".join(map(str, digits.tolist())) == term


def test_a_wrong_term_is_seen(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(look_and_say, "by_numpy", lambda digits: np.append(by_numpy(digits)[:-1], np.uint8(2)))
    with pytest.raises(clrng.ClrngError, match="term 2 is not that of NumPy"):
        look_and_say.compare(LookAndSay(queue), 5)


def test_what_is_refused(queue: cl.CommandQueue) -> None:
    for digits in ("", "10", "a", 1):
        with pytest.raises(ValueError, match="digits must be a string of digits from 1 to 9, not "):
            LookAndSay(queue, digits)
    with pytest.raises(ValueError, match="digits must have no run of more than 9 equal ones, not one of 10"):
        LookAndSay(queue, "2" * 10)
    device = LookAndSay(queue, "3")
    with pytest.raises(ValueError, match="times must be an integer of 0 or more, not -1"):
        device.say(-1)
    with pytest.raises(ValueError, match="digits must be"):
        device.restart("0")
    assert text(device) == "3"
