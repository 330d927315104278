"""The README's code, run as it stands, and its tables and links."""

import json
import math
import re
import sys
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng.quality import digests
from tests.support.pages import DOCS, README, ROOT, blocks, run, shell

sys.path.insert(0, str(DOCS / "_ext"))

import measured
import other_libraries
import tables

PYTHON = blocks(README, "python")


def black_scholes(spot: float, strike: float, rate: float, volatility: float) -> float:
    """Return the price of a European call option of one year."""
    d = (math.log(spot / strike) + rate + volatility**2 / 2) / volatility
    return spot * NormalDist().cdf(d) - strike * math.exp(-rate) * NormalDist().cdf(d - volatility)


def mean_of_payoffs(bits: clrng.BitGenerator, count: int, piece: int) -> float:
    """Return the price of the option that the next `count` values give as normal numbers, in float64."""
    rng, normal = clrng.Generator(bits), clrng.distribution("normal")
    pieces = (rng.sample(normal, piece).get().astype(np.float64) for _ in range(0, count, piece))
    total = sum(float(np.maximum(100 * np.exp(0.03 + 0.2 * values) - 100, 0).sum()) for values in pieces)
    return math.exp(-0.05) * total / count


@pytest.mark.parametrize(
    ("number", "printed"),
    [
        (0, "True"),  # as NumPy
        (1, "[ 366850414 1610402240  206956554]"),  # libc
    ],
)
def test_what_it_prints_is_what_it_says(number: int, printed: str) -> None:
    assert run(PYTHON[number]) == f"{printed}\n"
    assert f"# {printed}" in PYTHON[number] or f"# {printed}" in re.sub(r"\s+#", " #", PYTHON[number])


def test_the_streams() -> None:
    check = """
assert (values.get().ravel()[:5] == clrng.MRG32k3a().sequence(5)).all()
assert (apart.states[1] == clrng.MRG32k3a().jumped(2**127).words).all()
assert (both.random_raw(9).get() == clrng.MRG32k3a().sequence(9)).all()
assert (rank.random_raw(24).get() == clrng.MRG32k3a().advance(6).sequence(3)).all()
"""
    assert run(PYTHON[2] + check) == ""


@pytest.mark.slow
def test_the_price_by_a_kernel_of_ones_own() -> None:
    price, error = map(float, run(PYTHON[3]).split())
    exact = black_scholes(100, 100, 0.05, 0.2)
    assert f"# Black-Scholes: {exact:.4f}, within 3 standard errors" in PYTHON[3]
    assert 0.00146 < error < 0.00148  # the payoff's standard deviation is 14.7
    assert abs(price - exact) < 3 * error
    assert price == pytest.approx(mean_of_payoffs(clrng.MRG32k3a(), 10**8, 10**7), abs=1e-4)


def test_the_first_numbers_are_numpys() -> None:
    command = blocks(README, "sh")[0].splitlines()[0].split(" && ")[-1]
    printed = shell(command.replace(".venv/bin/clrng", f"{sys.executable} -m clrng")).split()
    assert_array_equal(np.array(printed, np.float32), np.random.default_rng(1).random(5, "float32"))
    assert f"The numbers are {', '.join(printed[:-1])} and {printed[-1]}, as NumPy draws them" in README
    assert '`numpy.random.default_rng(1).random(5, "float32")`' in README


@pytest.mark.slow
def test_the_command_line() -> None:
    devices, generate, verify, bench = blocks(README, "sh")[1].splitlines()
    assert "integer" in shell(devices)
    assert shell(generate).split() == [str(value % 2**32) for value in JAVA]
    assert " ok: " in shell(verify)
    assert "same_numbers" in shell(f"{bench.split('#')[0]} --help")


JAVA = (-1170105035, 234785527, -1360544799, 205897768, 1325939940)
"""What new java.util.Random(42).nextInt() gives."""


def test_its_tables_are_those_of_the_results() -> None:
    for table in (tables.choices(), other_libraries.summary(), other_libraries.measured_on()):
        assert "\n{}\n".format("\n".join(table)) in README


def test_its_claim_of_speed_is_that_of_the_record() -> None:
    ratio = measured.rows(measured.GPU, "peers")["float32, device"]["rates"]["clrng PCG64"]["ratio"]
    rate = f"makes float32 numbers at {ratio:.2f} of the speed of writing memory."
    claim = f"On an NVIDIA {measured.GPU} the default generator {rate}"
    assert type(clrng.default_rng(1).bit_generator) is clrng.PCG64
    assert measured.report(measured.GPU, "peers")["device"].startswith(f"NVIDIA {measured.GPU}")
    for text in (README, (DOCS / "index.md").read_text()):
        assert claim in re.sub(r"\s+", " ", text)


def test_its_table_of_speed_has_nothing_that_a_battery_rejects() -> None:
    ours = [beginning for row in other_libraries.SUMMARY.values() for beginning in row if beginning.startswith("clrng")]
    assert ours
    assert set(ours) <= set(other_libraries.OURS)


def test_its_counts_are_right() -> None:
    assert f"\n{len(clrng.NAMED)} generators of books and libraries have names" in README
    assert len(digests.entries()) > int(re.findall(r"digests of more than (\d+) streams", README)[0])
    found = [json.loads(path.read_text()) for path in ROOT.glob("benchmarks/results/*/same_numbers.json")]
    assert len({(each["platform"], each["driver"]) for each in found}) == 6
    assert min(len(each["rows"]) for each in found) == 87
    assert all(one["equal"] for each in found for row in each["rows"].values() for one in row["arithmetics"].values())
    assert "Digests of 87 streams" in README
    assert "with all six OpenCL implementations on record" in README
    newest = [each for each in found if each["clrng"] == clrng.__version__]
    assert f"those of {min(len(each['rows']) for each in newest)} streams with the four" in README
    assert len({(each["platform"], each["driver"]) for each in newest}) == 4


@pytest.mark.parametrize("page", [*sorted(ROOT.glob("*.md")), *sorted(DOCS.glob("*.md")), *sorted(DOCS.glob("*/*.md"))],
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


@pytest.mark.slow
def test_a_price_tells_seeds_apart() -> None:
    ours, other = (mean_of_payoffs(clrng.ParkMiller(seed), 10**7, 10**7) for seed in (1, 2))
    assert abs(ours - other) > 1e-3
