"""The pages of the documentation: their code, run as it stands, and what is generated in them."""

import inspect
import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clrng
from clrng.measuring.experiments import EXPERIMENTS
from tests.support import oracle
from tests.support.pages import DOCS, page

sys.path.insert(0, str(DOCS / "_ext"))

import catalogue
import drawn
import makers
import measured
import other_libraries
from harness.typical import NEW_WORK  # which is among the scripts
from peers import peers
from plots import figures, libraries, plot  # which are among the scripts

from tests.support.processes import said

CHILD: Any = np.random.default_rng(2026).bit_generator.spawn(2)[1].state["state"]
"""What the second child of NumPy's generator of the seed 2026 begins with."""

PAGES = {str(path.relative_to(DOCS)): path.read_text() for path in [*DOCS.glob("*.md"), *DOCS.glob("*/*.md")]}


@cache
def filled(name: str, *, shell: bool = False) -> str:
    """Return a page as Sphinx gets it, without what commands and programs print unless that is asked for."""
    return makers.fill_in(PAGES[name] if shell else makers.SCRIPT.sub("", makers.SHELL.sub("", PAGES[name])))


def inside(first: int, points: int, radii: tuple[float, float]) -> list[int]:
    """Count the points within each of `radii` among those at positions first, first + 1, ... of the stream."""
    values = (oracle.sequence(1, 2 * points, first=2 * first + 1) >> 7) * 2.0**-24
    squares = values[::2] ** 2 + values[1::2] ** 2
    return [int(np.count_nonzero(squares < radius)) for radius in radii]


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("start/quickstart", [
            "[     16807  282475249 1622650073  984943658 1144108930]",  # Park and Miller 1988
            "[ 470211272  101027544 1457850878]",
            "Array (1000, 1000) float32",
            "seed must be an integer from 1 to 2147483646, not 0",
        ]),
        ("start/choosing", ["2147483646 536", "15 [-5. -4. -3. -2. -1.  0.  1.  2.  3.  4.  5.  6.  7.  8.  9.]"]),
        ("guides/seeds", [
            "[0.851852   0.17893481 0.02641749] [0.851852   0.17893481 0.02641749]",
            "True",
            "ParkMiller(seed=357927480, multiplier=16807)",
            f"PCG64(state={CHILD['state']}, increment={CHILD['inc']})",
        ]),
        ("guides/from_numpy", ["True", "gamma is not a method of NumpyGenerator"]),
        ("guides/streams", [
            "(100, 1000000)",
            "(1000000,) float32",
            "(10, 1000000) float32",
            " [1144108930  470211272  101027544 1457850878]",
        ]),
        ("guides/results", ["(1000, 1000) (1017,)"]),
        ("guides/reproducing", [
            "[ 366850414 1610402240  206956554]",  # lrand48 of POSIX
            "[0.17082804 0.74990198 0.09637166]",  # drand48
            "[1804289383  846930886 1681692777]",  # random of the GNU C library
            "[-1170105035   234785527 -1360544799]",  # new java.util.Random(42)
            "[   41 18467  6334 26500 19169]",  # rand of Microsoft's C library
            "[15039276 16323925 14283486]",  # std::ranlux24
            "[0.83451879 0.61670203 0.44438336]",  # gsl_rng_uniform of ranlxd1
            "[0.5488135  0.71518937 0.60276338]",  # numpy.random.seed(0)
            "[0.84442185 0.7579544  0.42057158]",  # random.seed(0) of Python
            "[3499211612  581869302 3890346734]",  # std::mt19937
            "[0.32597673 0.54905114 0.21858665]",  # Xoshiro(1234) of Julia
            "0.32814280800517",  # the standard deviation of rand(20) after Random.seed!(1) of Julia
            "[0.90629964 0.44349373 0.74567338]",  # rand(8) after Random.seed!(123)
            "[1559595546 1755192844 1649316166]",  # new System.Random(0) of .NET
            "[0.81472369 0.90579194 0.12698682]",  # rng(0) of MATLAB
            "[0.6394268  0.02501076 0.27502932]",  # rand("twister", 42) of Octave
            "True",
            "[ 1  2  3  5  8 13 21 34 55 89]",  # Fibonacci
        ]),
        ("guides/r", [  # as R 4.2.2 prints them after set.seed(42)
            "[0.91480604 0.93707541 0.28613953]",
            "[0.17384558 0.5547401  0.48337712]",
            "[0.25080964 0.76180334 0.20390794]",
            "[0.12766298 0.53341601 0.44854571]",
            "[ 49  65  25  74 100  18  49  47  24  71]",
            "[ 61413  54425 623844  74362]",
            "[1, 5, 10, 8, 2, 4, 6, 9, 7, 3]",
            "[ 1.37095845 -0.56469817  0.36312841]",
        ]),
        ("guides/same_numbers", [
            "[0.61295986 0.01005884 0.3984137 ] [0.61295986 0.01005884 0.3984137 ]",
            "the same up to element 40960",  # 40 multiprocessors of 1024 threads
            "[0.4962566  0.7682218  0.08847743] [0 3 9]",  # torch.manual_seed(0); torch.rand(3)
            "[0.8440604  0.19204533 0.9962232 ]",  # tf.random.stateless_uniform([3], seed=[1, 2])
            "[ 624778773 3522650202 2363946744] [0.2948303 0.9147328]",
        ]),
        ("guides/arithmetics", ["integer", "double"]),
        ("guides/dask", [
            "[     16807  282475249 1622650073] [ 984943658 1144108930]",  # Park and Miller 1988
            "1000000 True",
        ]),
        ("guides/devices", []),
        ("guides/resampling", ["True True"]),
        ("guides/integration", ["0.41686, standard error 0.00020; exact 0.41654"]),
        ("guides/saving", ["True", "state['bit_generator'] must be 'PCG64DXSM', not 'PCG64'"]),
        ("guides/moving", ["True", "(3, 1000)", "(4, 3)"]),
        ("guides/errors", [
            "TypeError: size must be an integer from 0 to 9223372036854775807, or a tuple of them, not 2.5"
        ]),
        ("guides/counters", [
            "(1466727755, 3468464924, 222731058, 1468942930)",
            "[ 572990626 2261546851 1068323197]",  # ChaCha12Rng::seed_from_u64(42) of rand_chacha
        ]),
        ("guides/absent", [
            "rng must be of PCG64, PCG64DXSM, Philox or MT19937, not of SFC64",
            "True",
            "[ 65 201]",  # 1 times 65 and 3 times 67
        ]),
        ("guides/numpy", [
            "True True True True",
            "{'bit_generator': 'ParkMiller', 'multiplier': 16807, 'state': 470211272}",
        ]),
        ("distributions", [
            "lcg uint32 0 4294967296",
            "True 1.0",
            "0.99999994",
            "0.9999999995343387",
            "[) [0.99999994 0.        ]",
            "(] [1.0000000e+00 5.9604645e-08]",
            "() [9.9999994e-01 5.9604645e-08]",
            "[] [1. 0.]",
            "True True",
            "[[ 79  96 102 105]",
            "rate is not a parameter of gamma, which has shape, scale=1.0",
        ]),
    ],
)  # fmt: skip
def test_pages_print_what_they_should(name: str, printed: list[str]) -> None:
    lines = page(name).splitlines()
    for line in printed:
        assert line in lines


@pytest.mark.slow
def test_kernels_of_ones_own() -> None:
    assert "items, points = 10_000, 10_000" in PAGES["guides/kernels.md"]
    lines = page("guides/kernels").splitlines()
    pi = next(line for line in lines if line.startswith("3."))
    drawn = next(line for line in lines if line.startswith("["))
    counts = [inside(first, 10**6, (1 - 2**-22, 1 + 2**-22)) for first in range(0, 10**8, 10**6)]
    least, most = map(sum, zip(*counts, strict=True))
    assert 4 * least / 10**8 <= float(pi) <= 4 * most / 10**8
    assert float(pi) == pytest.approx(np.pi, abs=1e-3)
    ours, reference = re.findall(r"\[[^]]*\]", drawn)
    assert ours == reference
    (priced,) = (line for line in lines if "with a standard error of" in line)
    price, error = map(float, re.findall(r"^(10\.\d+), with a standard error of (0\.\d+)$", priced)[0])
    assert 0.0014 < error < 0.0016
    assert abs(price - 10.4506) < 3 * error


@pytest.mark.slow
def test_the_program_of_many_processes() -> None:
    text = filled("guides/processes.md", shell=True)
    printed = text.split("$ python walks.py\n")[1].split("```")[0].splitlines()
    assert len(printed) == 8
    for line, bits in zip(printed, np.random.SeedSequence(2026).spawn(8), strict=True):
        rng = clrng.Generator(clrng.PCG64(bits))
        ends = (2 * rng.integers(2, size=(1000, 400), dtype="int32").get() - 1).sum(axis=1)
        assert line.endswith(f" {ends[:5]} {(ends**2).mean()}")


@pytest.mark.slow
def test_the_command_line() -> None:
    text = filled("guides/command_line.md", shell=True)
    assert "{shell}" not in text
    numpys = np.random.default_rng(1).random(5, np.float32).astype(str)
    assert "--dtype float32 --format text\n" + "".join(f"{number}\n" for number in numpys) in text
    assert "\n".join(str(value % 2**32) for value in (-1170105035, 234785527, -1360544799)) in text
    assert f"\n{np.random.PCG64(1).advance(10**12).random_raw()}\n" in text
    highest = np.random.PCG64(1).random_raw(8) >> np.uint64(48)
    assert f" {' '.join(map(str, highest))}\n" in re.sub(r" +", " ", text)
    assert (
        "clrng generate -g park_miller --distribution integers --low 1 --high 6 --endpoint -n 5 --format text"
        "\n1\n1\n5\n3\n4\n" in text
    )
    assert "such as 'java' or 'java_" in text
    proved = text.split("$ clrng verify -g mrg32k3a\n")[1].split("```")[0]
    assert " ok: " in proved
    assert "FAILED" not in proved


def test_everything_public_is_in_the_reference() -> None:
    public = [(name, getattr(clrng, name)) for name in clrng.__all__]
    for name in (each for one, thing in public for each in (thing.__all__ if inspect.ismodule(thing) else [one])):
        assert re.search(rf"^(   |\.\. (auto)?data:: ){name}$", PAGES["api.md"], re.MULTILINE), name


def test_every_name_is_in_the_catalogue() -> None:
    text = filled("catalogue.md")
    assert f"There are {len(clrng.NAMED)}." in text
    for name, row in clrng.NAMED.items():
        section = text.split(f"\n### `{name}`\n")[1].split("\n### ")[0]
        seed = max(1, row.seeds[0])
        first = row.make(seed).sequence(3)
        assert f":first values: {', '.join(map(str, first))}, … from seed {seed}" in section
        assert catalogue.escaped(row.source) in section


def test_every_distribution_is_in_its_table() -> None:
    text = filled("distributions.md")
    for name, row in clrng.DISTRIBUTIONS.items():
        assert f"\n| `{name}` | {row.about} |" in text
    assert "| `shape`, `scale=1.0` |\n" in text


@pytest.mark.parametrize(
    ("period", "shown"),
    [
        (2**64, "2⁶⁴"),
        (2**31 - 2, "2³¹ - 2"),
        ((2**1279 - 1) * 2**31, "(2¹²⁷⁹ - 1) · 2³¹"),
        (2**250 - 1, "2²⁵⁰ - 1"),
        (100, "100"),
        (None, "not known"),
    ],
)
def test_periods_are_shown_exactly(period: int | None, shown: str) -> None:
    assert catalogue.period(period) == shown


def test_long_periods_are_brief_in_tables() -> None:
    period = clrng.named("ranlux0", 1).period
    assert catalogue.period(period) == str(period)
    assert catalogue.brief(period) == "≈ 2⁵⁷⁰"
    assert 2**569 < (period or 0) < 2**571
    assert catalogue.brief(2**64) == "2⁶⁴"
    assert catalogue.brief(None) == "not known"


@pytest.mark.parametrize(
    ("value", "shown"),
    [(1081.13, "1081"), (999.7, "1000"), (99.96, "100"), (11.449, "11.4"), (0.0299, "0.0299"), (4.0, "4.00")],
)
def test_rates_have_three_digits(value: float, shown: str) -> None:
    assert measured.three(value) == shown


@pytest.mark.parametrize(
    ("report", "shown"),
    [
        ({"nbytes": 2**32}, "4 GiB"),
        ({"nbytes": 2**28}, "256 MiB"),
        ({"samples": 2**26}, "2²⁶ points"),
        ({"values": 2**30}, "2³⁰ values"),
        ({}, ""),
    ],
)
def test_sizes_of_reports(report: dict[str, int], shown: str) -> None:
    assert measured.size(report) == shown


def test_the_tables_of_distributions(monkeypatch: pytest.MonkeyPatch) -> None:
    def rate(value: float, **more: float) -> dict[str, float]:
        return {"rate": value * 1e9, **more}

    wall = rate(1200, ratio=1.0)
    ours = {"clrng MRG32k3a": rate(900, ratio=0.75), "clrng LCG 2^32": rate(1800, ratio=1.5)}
    theirs = {"NumPy X": rate(0.05, ratio=4e-5), "NumPy Y": rate(0.09, ratio=8e-5), "cuRAND Z": rate(450, ratio=0.375)}
    rows = {
        "normal, float32": {"dtype": "float32", "rates": {"wall": wall, **ours, **theirs}},
        "gamma, float32": {"dtype": "float32", "rates": {"wall": wall, "clrng LCG 2^32": rate(600, ratio=0.5)}},
        "normals in a kernel": {
            "rates": {"cuRAND Z": rate(250, setup_seconds=2e-3), "clrng LCG 2^32": rate(1000, setup_seconds=1e-5)}
        },
        "new parameters": {"gamma(shape)": {"new": {"seconds": 0.02}, "seen": {"seconds": 1e-4}, "builds": 0}},
    }
    about = {"device": "D", "platform": "P", "driver": "1", "clrng": "9.8", "date": "2026-01-02", "nbytes": 2**28,
             "rounds": 3, "rows": rows}  # fmt: skip
    monkeypatch.setattr(drawn, "reports", {"distributions": [about]}.__getitem__)
    assert drawn.drawn() == [
        "",
        "D, P 1; clrng 9.8, 2026-01-02, 3 rounds, 256 MiB.",
        "",
        "| by MRG32k3a | 10⁹ a second | of the wall | times cuRAND | times NumPy |",
        "| --- | ---: | ---: | ---: | ---: |",
        "| normal, float32 | 900 | 0.75 | 2.00 | 10000 |",
        "| gamma, float32 |  |  |  |  |",
    ]
    assert drawn.drawn_by_others()[-2:] == ["| normal, float32 | 1.50 |", "| gamma, float32 | 0.50 |"]
    assert drawn.in_kernels()[-2:] == [
        "| clrng LCG 2^32; for old work | 1000 | 10.0 µs |", "| cuRAND Z | 250 | 2.00 ms |"
    ]  # fmt: skip
    assert drawn.first_calls()[-1] == "| `gamma(shape)` | 20.0 ms | 100 µs | 0 |"


def test_peers_are_compared_with_what_is_for_new_work() -> None:
    record = measured.rows(measured.GPU, "peers")["float32, device"]["rates"]
    best = max(record[name]["rate"] for name in ("clrng PCG64", "clrng PCG64DXSM", "clrng MRG32k3a"))
    assert record["clrng LCG 2^64"]["rate"] > best
    (line,) = (line for line in other_libraries.peers() if line.startswith("| PyTorch |") and "649" in line)
    assert line.split(" | ")[6] == measured.three(best / record["PyTorch, CUDA"]["rate"])


def test_the_newest_record_of_a_device_is_taken() -> None:
    paths = list(measured.RESULTS.glob("Portable-Computing-Language-3.0-*/same_numbers.json"))
    dates = {json.loads(path.read_text()).get("date", ""): path for path in paths}
    assert len(dates) == 2
    assert measured.report("PoCL", "same_numbers") == json.loads(dates[max(dates)].read_text())


@pytest.mark.parametrize("folder", sorted({path.parent for path in measured.RESULTS.glob("*-*/*.json")}), ids=str)
def test_the_records_of_a_device_are_of_one_version(folder: Path) -> None:
    assert len({json.loads(path.read_text())["clrng"] for path in folder.glob("*.json")}) == 1


@pytest.mark.parametrize(
    ("more", "told"),
    [({"date": "2026-01-02", "commit": "abc"}, "clrng 9 at abc, 2026-01-02"), ({}, "clrng 9, of no recorded date")],
)
def test_records_say_which_version_they_are_of(more: dict[str, str], told: str) -> None:
    assert measured.where({"device": "D", "platform": "P", "driver": "1", "clrng": "9", **more}) == f"D, P 1; {told}"


SECTIONS = {
    f"{name}: {section.splitlines()[0]}": section
    for name, text in PAGES.items() if name.startswith("performance/")
    for section in re.split(r"^(?=#+ )", text, flags=re.MULTILINE)
    if re.search("<!-- generated: (?!script|published|every_rate)", section)
}  # fmt: skip
"""The sections of pages of performance that have tables of records."""


@pytest.mark.parametrize("section", SECTIONS.values(), ids=SECTIONS)
def test_every_section_of_rates_says_which_record_it_is_of(section: str) -> None:
    text = makers.fill_in(section)
    for device in re.findall(r"^\*\*(?:H100|PoCL)\*\*.*$", text, re.MULTILINE):
        version = r"clrng [\d.]+(?:rc\d+)?(?: at \w+(?:-dirty)?)?"
        assert re.search(rf"; {version}, (?:20\d\d-\d\d-\d\d|of no recorded date)", device)
    assert re.search(r"; clrng [\d.]+", text)


WIDTH_OF_A_PAGE, OF_A_LETTER, OF_A_COLUMN = 689, 8.8, 14.4
"""Pixels of the text in a window of 1280, and of tables: as browsers had them, with the style sheet of the pages."""


@pytest.mark.parametrize("name", sorted(name for name in PAGES if name.startswith("performance/")))
def test_no_table_is_cut_off(name: str) -> None:
    for block in re.split(r"\n\s*\n", filled(name)):
        lines = [re.split(r"(?<!\\)\|", line)[1:-1] for line in block.splitlines() if line.startswith("|")]
        if len(lines) > 2:
            assert {len(cells) for cells in lines} == {len(lines[0])}, lines[0]
            columns = zip(*lines, strict=True)
            letters = sum(max(len(word) for cell in column for word in cell.split() or [""]) for column in columns)
            assert letters * OF_A_LETTER + len(lines[0]) * OF_A_COLUMN <= WIDTH_OF_A_PAGE, lines[0]


def test_the_table_of_implementations_has_every_folder() -> None:
    table = said("benchmarks/exactness/implementations.py").splitlines()
    assert len(table) == 2 + len(list(measured.RESULTS.glob("*/same_numbers.json")))
    assert "\n".join(table) in filled("quality.md")


def test_every_experiment_and_picture_is_on_a_page() -> None:
    text = "\n".join(map(filled, PAGES))
    for name in EXPERIMENTS:
        assert f"/{name}.py`" in text
    for picture in measured.RESULTS.glob("*.png"):
        assert f"benchmarks/results/{picture.name})" in text


@pytest.mark.parametrize("folder", ["guides", "workloads"])
def test_the_page_of_a_folder_says_what_each_of_its_pages_has(folder: str) -> None:
    names = {path.name for path in (DOCS / folder).glob("*.md")} - {"index.md"}
    said = re.findall(r"^- \[.+\]\((\w+\.md)\): \S.+", PAGES[f"{folder}/index.md"], re.MULTILINE)
    assert sorted(said) == sorted(names)


def test_no_page_lacks_what_it_asks_for() -> None:
    assert not [name for name in PAGES if re.search("<!-- generated:|{shell}|{script}", filled(name))]
    with pytest.raises(KeyError):
        makers.fill_in("<!-- generated: nothing_of_that_name -->")
    for block in ("```{shell}\nexit 3\n```\n", "```{script} three.py\nraise SystemExit(3)\n```\n"):
        with pytest.raises(subprocess.CalledProcessError):
            makers.fill_in(block)


def test_a_program_is_shown_with_what_it_prints() -> None:
    shown = makers.fill_in("Before.\n\n```{script} sum.py\nprint(1 + 2)\n```\n\nAfter.\n")
    assert shown == ("Before.\n\n```python\nprint(1 + 2)\n```\n\n```console\n$ python sum.py\n3\n```\n\nAfter.\n")


WIDTH_OF_PICTURES = 1200
"""Pixels: text of 10 points is 14 pixels high where a picture is shown 800 pixels wide."""


@pytest.mark.parametrize("picture", sorted(measured.RESULTS.glob("*.png")), ids=lambda picture: picture.stem)
def test_pictures_can_be_read_at_800_pixels(picture: Path) -> None:
    header = picture.read_bytes()[:24]
    assert header[1:4] == b"PNG"
    assert int.from_bytes(header[16:20], "big") == WIDTH_OF_PICTURES == figures.WIDTH * figures.DPI
    sizes = [size for key, size in figures.STYLE.items() if "size" in key]
    assert min(sizes) >= 9
    for module in (measured.BENCHMARKS / "plots").glob("plot*.py"):
        assert not re.search(r"fontsize|labelsize|figsize=\((?!WIDTH)|dpi=", module.read_text()), module.name


def test_figures_are_of_the_newest_record_of_each_platform(tmp_path: Path) -> None:
    found = {"old": {"platform": "A"}, "new": {"platform": "A", "date": "2026-11-27"}, "other": {"platform": "B"}}
    for name, report in found.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "fill.json").write_text(json.dumps(report))
    assert plot.reports(tmp_path, "fill") == [found["new"], found["other"]]


def test_figures_and_tables_have_the_same_generators_for_new_work() -> None:
    assert set(other_libraries.OURS) - {"clrng PCG64DXSM"} == set(NEW_WORK)
    shown = [each for label, each in libraries.GROUPS.items() if label.startswith("clrng") and "for old" not in label]
    assert {beginning for each in shown for beginning in each} <= set(NEW_WORK)


def test_scripts_compare_peers_with_what_is_for_new_work() -> None:
    rates = {"wall": {"rate": 9.0}, "clrng LCG 2^64": {"rate": 8.0}, "clrng MRG32k3a": {"rate": 3.0},
             "clrng PCG64": {"rate": 4.0}, "cuRAND X": {"rate": 2.0}}  # fmt: skip
    row: dict[str, Any] = {"rates": rates}
    best = peers.fastest(rates)
    assert best == ("clrng PCG64", 4.0)
    peers.compare(row, best)
    assert row["fastest"] == "clrng PCG64"
    assert {name: rate["times"] for name, rate in rates.items() if "times" in rate} == {"cuRAND X": 2.0}
    assert peers.fastest({"clrng LCG 2^64": {"rate": 8.0}}) is None
