"""The README's Python, run as it stands."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import clrng
from clrng.experiments import EXPERIMENTS
from tests import oracle

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def run(block: str) -> str:
    ran = subprocess.run([sys.executable, "-c", block], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def inside(first: int, points: int, radius: float) -> int:
    """Count the points within `radius` among those at positions first, first + 1, ... of the stream, in float64."""
    values = (oracle.sequence(1, 2 * points, first=2 * first + 1) >> 7) * 2.0**-24
    return int(np.count_nonzero(values[::2] ** 2 + values[1::2] ** 2 < radius))


def test_the_stream_and_the_streams() -> None:
    draw, generators, many, _ = BLOCKS
    assert run(draw) == "[     16807  282475249 1622650073  984943658 1144108930]\n"
    assert run(generators) == "[ 366850414 1610402240  206956554]\n"
    assert run(many) == ""


def test_every_name_is_in_the_readme() -> None:
    for name in clrng.NAMED:
        assert f"`{name}`" in README
    assert f"{len(clrng.NAMED)} of books and libraries by name" in README


def test_the_estimate_of_pi() -> None:
    code = BLOCKS[3]
    pi = float(run(code))
    assert "items, points = 10_000, 10_000" in code
    pieces = [(first, 10**7) for first in range(0, 10**8, 10**7)]
    least, most = (sum(inside(*piece, r) for piece in pieces) for r in (1 - 2**-22, 1 + 2**-22))
    assert 4 * least / 10**8 <= pi <= 4 * most / 10**8
    assert pi == pytest.approx(np.pi, abs=1e-3)


def test_the_table_of_implementations_is_that_of_the_results() -> None:
    ran = subprocess.run([sys.executable, ROOT / "benchmarks" / "implementations.py"], capture_output=True, check=True)
    for line in ran.stdout.decode().splitlines():
        assert f"\n{line}\n" in README


def test_every_experiment_and_its_results_are_in_the_readme() -> None:
    for name in EXPERIMENTS:
        assert f"`benchmarks/{name}.py`" in README
    for picture in (ROOT / "benchmarks" / "results").glob("*.png"):
        assert f"(benchmarks/results/{picture.name})" in README
