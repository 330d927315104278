"""Pictures on the command line."""

import re
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pyopencl as cl
import pytest
from click.testing import CliRunner
from numpy.testing import assert_array_equal

import clrng
from clrng.cli import generate as plotting
from clrng.cli.commands import cli
from clrng.cli.generate import Values, counted, title
from clrng.measuring.expected import expected
from tests.cli.test_command_line import out, run_here
from tests.support import oracle

needs_matplotlib = pytest.mark.skipif(find_spec("matplotlib") is None, reason="matplotlib is not installed")


def drawn(path: Path, *arguments: object) -> bytes:
    assert out("plot", "-o", path, *arguments) == b""
    return path.read_bytes()


@needs_matplotlib
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("", ["uniform in [0, 1)", "1,000,000 values (float32) of numpy_pcg64", "density", "drawn"]),
        ("-n 5e4 --distribution gamma --shape 2.5 -g mrg32k3a", ["gamma(shape=2.5)", "50,000 values (float32)"]),
        ("-n 5e4 --distribution standard_cauchy", ["standard_cauchy"]),
        ("-n 5e4 --distribution poisson --lam 8 --dtype uint8", ["poisson(lam=8)", "(uint8)", "probability"]),
        ("-n 5e4 --distribution poisson --lam 1e6", ["probability of 75 neighbours"]),
        ("-n 5e4 --distribution normal --scale 0", ["normal(scale=0)"]),
        ("-n 1 --distribution normal --offset 1e15", ["1 values"]),
    ],
)  # fmt: skip
def test_svg(arguments: str, said: list[str], tmp_path: Path) -> None:
    ran = CliRunner().invoke(cli, ["plot", "-o", str(tmp_path / "a.svg"), *arguments.split()])
    assert (ran.exit_code, ran.output) == (0, "")
    picture = (tmp_path / "a.svg").read_text()
    root = ET.fromstring(picture)
    text = " ".join("".join(element.itertext()) for element in root.iter("{http://www.w3.org/2000/svg}text"))
    for part in (*said, "10,000 pairs of successive", "10,000 triples x, y, z of successive"):
        assert part in text
    assert ("% are beyond" in text) == ("cauchy" in arguments)
    if not arguments:  # another process draws the same
        assert drawn(tmp_path / "b.svg").decode() == picture
    assert len(list(tmp_path.iterdir())) == 1 + (not arguments)


@pytest.mark.slow
@needs_matplotlib
def test_png(tmp_path: Path) -> None:
    picture = drawn(tmp_path / "A.PNG", "--distribution", "integers", "--low", 1, "--high", 7, "-n", "6e4")
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    assert np.frombuffer(picture[16:24], ">u4").tolist() == [2400, 720]


@needs_matplotlib
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("--distribution gamma", "Error: --shape is needed for gamma, which has --shape, --scale"),
        ("--distribution normal --scale -1", "Error: --scale must be a number from 0 to"),
        ("--distribution normal --dtype int8", "Error: --dtype must be float32, float64, not int8"),
        ("--dtype int8", "Error: --dtype must be float32, float64, not int8, without --distribution"),
        ("--shape 3", "Error: --shape needs --distribution, such as --distribution standard_gamma"),
        ("-n 0", "'-n' / '--count': it must be an integer from 1 to 1000000000000, not 0"),
        ("-g park_miller --seed 0", "Error: --seed must be an integer from 1 to 2147483646, not 0"),
    ],
)
def test_errors_leave_the_old_picture(
    arguments: str, said: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.png"
    path.write_text("old")
    assert run_here("plot", "-o", path, *arguments.split()) != 0
    assert said in capfd.readouterr().err
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["a.pdf", "a", "-", "png", ".png", ""])
def test_other_endings_are_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ran = CliRunner().invoke(cli, ["plot", "-o", name])
    assert ran.exit_code == 1
    assert f"--output must be the name of a file that ends in .png or .svg, not {name!r}" in ran.output
    assert not list(tmp_path.iterdir())


def test_it_says_what_it_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plotting, "find_spec", lambda _: None)
    ran = CliRunner().invoke(cli, ["plot", "-o", str(tmp_path / "a.png")])
    assert ran.exit_code == 1
    assert re.search("clrng plot needs matplotlib: pip install matplotlib", ran.output)
    assert not list(tmp_path.iterdir())


def test_values_are_counted_in_parts(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plotting, "CHUNK", 1000)
    poisson = clrng.distribution("poisson", lam=8)
    shape, steps = expected(poisson), list[int]()
    rng = clrng.Generator(clrng.ParkMiller(seed=5), queue)
    counts = counted(Values(rng, "int32", poisson), 2500, shape, steps.append)
    values = clrng.Generator(clrng.ParkMiller(seed=5), queue).poisson(8, 2500).get()
    assert_array_equal(counts, [np.count_nonzero(values == k) for k in range(21)])
    assert steps == [1000, 1000, 500]


def test_titles() -> None:
    assert title(None, {}) == "uniform in [0, 1)"
    assert title("normal", {"loc": None, "scale": "2"}) == "normal(scale=2)"


@needs_matplotlib
@pytest.mark.parametrize(
    ("bits", "factors", "planes"),
    [
        (clrng.named("randu", 1), [9, -6, 1], 15),
        (clrng.LinearRecurrence([1, 1], [1, 1], 2**31), [1, 1, -1], 2),  # z = x + y, less 1 or not
    ],
)
def test_triples_that_lie_on_planes_are_seen_along_them(
    bits: clrng.BitGenerator, factors: list[int], planes: int
) -> None:
    from clrng.measuring.picture import across  # noqa: PLC0415  # which imports matplotlib

    numbers = bits.sequence(10002).astype(np.float64) / bits.upper_bound
    triples = np.stack([numbers[:-2], numbers[1:-1], numbers[2:]], axis=1)
    found, coherent = across(triples)
    assert found == factors
    assert coherent > 0.99
    heights = triples @ found
    assert_array_equal(heights, heights.round())  # not nearly: planes
    assert len(np.unique(heights)) == planes


@needs_matplotlib
@pytest.mark.parametrize("name", ["numpy_pcg64", "minstd", "python_random"])
def test_no_planes_are_seen_where_there_are_none_so_far_apart(name: str) -> None:
    from clrng.measuring.picture import MIN_COHERENT, across  # noqa: PLC0415  # as above

    bits = clrng.named(name, 1)
    numbers = bits.sequence(10002) / bits.upper_bound
    _, coherent = across(np.stack([numbers[:-2], numbers[1:-1], numbers[2:]], axis=1))
    assert coherent < MIN_COHERENT / 5


@needs_matplotlib
def test_the_pairs_show_the_lines_of_park_miller() -> None:
    from clrng.measuring.picture import closest  # noqa: PLC0415  # as above

    values = oracle.sequence(1, 10**6 + 1)
    pairs = closest(values / oracle.M, 10_000)
    order = np.sort(values[:-1])[:10_000]
    assert_array_equal(np.sort(pairs[:, 0]), order / oracle.M)
    lines = np.unique((16807 * pairs[:, 0] - pairs[:, 1]).round(6))
    assert_array_equal(lines, np.arange(lines.max() + 1))  # y = 16807 x less a whole number
    assert len(lines) == int(16807 * pairs[:, 0].max()) + 1 < 200
    assert_array_equal(closest(np.array([0.5, 0.25, 0.75]), 9), [[0.5, 0.25], [0.25, 0.75]])


@needs_matplotlib
def test_the_picture_of_randu_says_how_many_planes(tmp_path: Path) -> None:
    ran = CliRunner().invoke(cli, ["plot", "-g", "randu", "-n", "1e4", "-o", str(tmp_path / "a.svg")])
    assert (ran.exit_code, ran.output) == (0, "")
    picture = (tmp_path / "a.svg").read_text()
    assert "uniform numbers: on 15 planes" in picture
    assert ">9 x - 6 y + z<" in picture
