"""Interrupts of every front end at random moments; `tests.support.interrupted_front_ends` makes any number of them."""

import signal

import pytest

from tests.support.processes import said

COUNT = 60


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers")
def test_every_front_end() -> None:
    text = said("-m", "tests.support.interrupted_front_ends", COUNT)
    assert text.count(" 0 faults") == text.count("\n") >= 15
