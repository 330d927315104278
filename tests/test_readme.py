"""The README's code, run as it stands, and its tables and links."""

import re
import sys
from pathlib import Path

import numpy as np
import pytest

import clrng
from clrng.quality import digests
from tests.support import oracle
from tests.support.pages import DOCS, README, ROOT, blocks, run, shell

sys.path.insert(0, str(DOCS / "_ext"))

import peers
import tables

PYTHON = blocks(README, "python")


def mean_of_floats(count: int, piece: int) -> float:
    """Return the mean of the first `count` values as float32 numbers, in float64."""
    pieces = [oracle.sequence(1, piece, first=first + 1) >> 7 for first in range(0, count, piece)]
    return sum(float(values.sum()) for values in pieces) * 2.0**-24 / count


@pytest.mark.parametrize(
    ("number", "printed"),
    [
        (0, "[ 545508589 1368065410 1327943761]"),  # L'Ecuyer's program
        (1, "[ 366850414 1610402240  206956554]"),  # libc
    ],
)
def test_what_it_prints_is_what_it_says(number: int, printed: str) -> None:
    assert run(PYTHON[number]) == f"{printed}\n"
    assert f"# {printed}" in PYTHON[number] or f"# {printed}" in re.sub(r"\s+#", " #", PYTHON[number])


def test_the_streams() -> None:
    check = """
assert (values.get().ravel()[:5] == [16807, 282475249, 1622650073, 984943658, 1144108930]).all()
assert (apart.states[1] == clrng.MRG32k3a().jumped(2**127).words).all()
assert (part.random_raw(3).get() == clrng.MRG32k3a().advance(10**9).sequence(3)).all()
"""
    assert run(PYTHON[2] + check) == ""


def test_the_mean_of_a_kernel_of_ones_own() -> None:
    assert float(run(PYTHON[3])) == pytest.approx(mean_of_floats(10**8, 10**7), abs=1e-6)  # another seed: 3e-5 off


def test_the_command_line() -> None:
    devices, generate, verify, bench = blocks(README, "sh")[1].splitlines()
    assert "integer" in shell(devices)
    assert shell(generate).split() == [str(value % 2**32) for value in JAVA]
    assert " ok: " in shell(verify)
    assert "same_numbers" in shell(f"{bench.split('#')[0]} --help")


JAVA = (-1170105035, 234785527, -1360544799, 205897768, 1325939940)
"""What new java.util.Random(42).nextInt() gives."""


def test_its_tables_are_those_of_the_results() -> None:
    for table in (tables.choices(), peers.summary()):
        assert "\n{}\n".format("\n".join(table)) in README


def test_its_counts_are_right() -> None:
    assert f"\n{len(clrng.NAMED)} generators of books and libraries have names" in README
    assert len(digests.entries()) > int(re.findall(r"digests of more than (\d+) streams", README)[0])


@pytest.mark.parametrize("page", [ROOT / "README.md", *sorted(DOCS.glob("*.md")), *sorted(DOCS.glob("*/*.md"))],
                         ids=lambda page: str(page.relative_to(ROOT)))  # fmt: skip
def test_links_lead_to_files(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
        assert (page.parent / target).is_file(), target


def test_the_set_up_comes_first() -> None:
    """The gate runs the first two lines of shell."""
    first, second, *rest = blocks(README, "sh")[0].splitlines()
    assert "pip install ." in first
    assert "pytest" in second
    assert not rest


def test_a_mean_tells_seeds_apart() -> None:
    other = oracle.sequence(2, 10**7, first=1) >> 7
    ours = oracle.sequence(1, 10**7, first=1) >> 7
    assert abs(float(np.mean(other)) - float(np.mean(ours))) * 2.0**-24 > 1e-6
