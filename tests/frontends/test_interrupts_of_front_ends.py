"""Interrupts of every front end at random moments; `tests.support.interrupted_front_ends` makes any number of them."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

COUNT = 60


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers")
def test_every_front_end() -> None:
    command = [sys.executable, "-W", "ignore", "-m", "tests.support.interrupted_front_ends", str(COUNT)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2])
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.count(" 0 faults") == ran.stdout.count("\n") >= 15
