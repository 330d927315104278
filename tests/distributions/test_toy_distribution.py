"""A distribution that is added to the registry works wherever the others do: one class, and one row."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest
from click.testing import CliRunner
from numpy.testing import assert_array_equal

import clrng
import clrng.dask
from clrng.cli.commands import cli
from clrng.distributions.catalog import name_of
from clrng.distributions.parameters import NEEDED
from tests.support.reference_draws import Counted, Located, Reference, draws
from tests.support.toy_distributions import ROWS, Doubled, Wedge

CASES: dict[str, tuple[dict[str, Any], Reference, str]] = {
    "wedge": ({"edge": 3}, Located(Wedge(3.0)), "float32"),
    "doubled": ({"last": 9}, Counted(Doubled(9)), "int64"),
}


@pytest.fixture(autouse=True)
def _added(monkeypatch: pytest.MonkeyPatch) -> None:
    for row in ROWS:
        monkeypatch.setitem(clrng.DISTRIBUTIONS, row.name, row)


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> tuple[clrng.Distribution, Reference, str]:
    parameters, reference, dtype = CASES[request.param]
    return clrng.distribution(request.param, **parameters), reference, dtype


def right(reference: Reference, start: int, n: int, dtype: str) -> npt.NDArray[Any]:
    """Return `n` values from a place of the stream on."""
    return draws(reference, clrng.ParkMiller(seed=5).jumped(start), n, dtype)


def test_parameters_are_those_of_the_class() -> None:
    rows = {name: clrng.DISTRIBUTIONS[name] for name in CASES}
    assert rows["wedge"].signature == "edge, loc=0.0, scale=1.0"
    assert rows["doubled"].signature == "last, share=1.0"
    assert [(each.name, each.kind) for each in rows["doubled"].parameters] == [("last", "integer"), ("share", "number")]
    assert rows["wedge"].parameters[0].default is NEEDED
    made = clrng.distribution("wedge", edge=2, scale=3)
    assert made == clrng.distribution("wedge", edge=2.0, scale=3.0)
    assert made.dtypes == ("float32", "float64")
    assert [name_of(clrng.distribution(name, **CASES[name][0])) for name in CASES] == list(CASES)


@pytest.mark.parametrize(
    ("name", "parameters", "error", "message"),
    [
        ("wedge", {}, TypeError, "edge is needed for wedge, whose parameters are edge, loc=0.0, scale=1.0"),
        ("wedge", {"edge": 9}, ValueError, "edge must be a number from 0.5 to 8, not 9"),
        ("wedge", {"edge": "9"}, TypeError, "edge must be a number from 0.5 to 8, not '9'"),
        ("wedge", {"edge": 1, "last": 2}, TypeError, "last is not a parameter of wedge, which has edge, loc=0.0"),
        ("doubled", {"last": 61}, ValueError, "last must be an integer from 0 to 60, not 61"),
        ("doubled", {"last": 1.5}, TypeError, "last must be an integer from 0 to 60, not 1.5"),
        ("doubled", {"last": 1, "share": 2}, ValueError, "share must be a number from 0 to 1, not 2"),
    ],
)
def test_parameters_are_checked(name: str, parameters: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=f"^{message}"):
        clrng.distribution(name, **parameters)


def test_a_generator_draws_it(queue: cl.CommandQueue, case: tuple[clrng.Distribution, Reference, str]) -> None:
    made, reference, dtype = case
    rng = clrng.Generator(clrng.ParkMiller(seed=5), queue)
    assert_array_equal(rng.sample(made, 1000).get(), right(reference, 0, 1000, dtype))


def test_streams_draw_it(queue: cl.CommandQueue, case: tuple[clrng.Distribution, Reference, str]) -> None:
    made, reference, dtype = case
    streams = clrng.Streams.by_jumps(clrng.ParkMiller(seed=5), 3, 10**6, queue)
    found = streams.sample(made, 40).get()
    assert_array_equal(found, np.stack([right(reference, i * 10**6, 40, dtype) for i in range(3)], axis=-1))


def test_dask_draws_it(case: tuple[clrng.Distribution, Reference, str]) -> None:
    made, reference, dtype = case
    found = clrng.dask.Generator(clrng.ParkMiller(seed=5)).sample(made, 500, chunks=77).compute()
    assert_array_equal(found, right(reference, 0, 500, dtype))


KERNEL = """
__kernel void draw(__global float *wedges, __global int *counts, const uint n)
{
    toy_state state = toy_seed(5, 0);
    for (uint i = 0; i < n; i++) wedges[i] = toy_next_wedge(&state);
    state = toy_seed(5, 0);
    for (uint i = 0; i < n; i++) counts[i] = toy_next_doubled(&state);
}
"""


def test_kernels_of_users_draw_it(queue: cl.CommandQueue) -> None:
    wedge, doubled = (clrng.distribution(name, **CASES[name][0]) for name in CASES)
    drawn: list[Any] = [wedge, (doubled, "int32")]
    text = clrng.device_code(clrng.ParkMiller, device=queue.device, prefix="toy_", distributions=drawn)
    wedges, counts = cla.zeros(queue, 50, np.float32), cla.zeros(queue, 50, np.int32)
    cl.Kernel(cl.Program(queue.context, text + KERNEL).build(), "draw")(
        queue, (1,), None, wedges.data, counts.data, np.uint32(50)
    )
    assert_array_equal(wedges.get(), right(CASES["wedge"][1], 0, 50, "float32"))
    assert_array_equal(counts.get(), right(CASES["doubled"][1], 0, 50, "int32"))


def test_the_command_line_lists_it() -> None:
    table = CliRunner().invoke(cli, ["distributions"]).output
    assert all(row.name in table and row.signature in table for row in ROWS)


@pytest.mark.parametrize(
    ("name", "options", "dtype"), [("wedge", ["--edge", "3"], "float32"), ("doubled", ["--last", "9"], "int64")]
)
def test_the_command_line_draws_it(name: str, options: list[str], dtype: str, tmp_path: Path) -> None:
    """Its options are those of the rows that there are when the commands are made."""
    added = (
        "import clrng; from tests.support.toy_distributions import ROWS\n"
        "clrng.DISTRIBUTIONS.update({row.name: row for row in ROWS})\n"
        "from clrng.cli.commands import cli; cli()"
    )
    path = tmp_path / "a.npy"
    arguments = ["generate", "-n", "100", "-o", str(path), "-g", "park_miller", "--seed", "5", "--distribution", name]
    subprocess.run([sys.executable, "-c", added, *arguments, *options], check=True)
    assert_array_equal(np.load(path), right(CASES[name][1], 0, 100, dtype))
