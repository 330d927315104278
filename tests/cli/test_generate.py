"""What ``clrng generate`` checks and draws."""

from dataclasses import replace
from pathlib import Path

import pyopencl as cl
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng import validation
from clrng.cli import generate
from clrng.opencl.kernel import Kernel


def refuse(*_: object) -> None:
    raise AssertionError("a kernel was made")


@pytest.mark.parametrize("dtype", generate.DTYPES)
def test_a_dtype_is_checked_without_a_kernel(
    queue: cl.CommandQueue, dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = clrng.Generator(clrng.ParkMiller(seed=1), queue)
    if dtype == "float64" and not rng.device.fp64:
        pytest.skip("the device has no double precision")
    monkeypatch.setattr(Kernel, "__init__", refuse)
    generate.Values(rng, dtype)


def test_dtypes_that_are_refused(queue: cl.CommandQueue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    short = clrng.Generator(clrng.LaggedFibonacci((5, 17), "+", 12, seed=1), queue)
    single = clrng.Generator(clrng.ParkMiller(seed=1), queue)
    single._device = replace(single.device, fp64=False)  # as if it were another
    monkeypatch.setattr(Kernel, "__init__", refuse)
    for rng, dtype, error, message in (
        (short, "uint16", ValueError, "^--dtype uint16 must have at most the 12 bits of a raw value, not 16$"),
        (single, "float64", clrng.UnsupportedError, "^dtype float64 needs double precision, which .* does not have"),
    ):
        with pytest.raises(error, match=message):
            generate.write(generate.Values(rng, dtype), 5, "raw", str(tmp_path / "a.raw"), lambda _: None)
    assert not list(tmp_path.iterdir())
    monkeypatch.undo()
    expected = clrng.LaggedFibonacci((5, 17), "+", 12, seed=1).sequence(9)
    assert_array_equal(generate.Values(short, "uint8").draw(9), expected >> 4)


def test_arguments_are_checked_once(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[str] = []
    integer, choice = validation.integer, validation.choice

    def counted(name: str, *arguments: object) -> object:
        checked.append(name)
        return (choice if name == "arithmetic" else integer)(name, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(validation, "integer", counted)
    monkeypatch.setattr(validation, "choice", counted)
    bits = clrng.ParkMiller(seed=5)
    assert sorted(checked) == ["multiplier", "seed"]
    for make in (lambda: clrng.Generator(bits, queue), lambda: clrng.device_code(bits, "integer", queue.device)):
        checked.clear()
        make()
        assert checked == ["arithmetic"]
