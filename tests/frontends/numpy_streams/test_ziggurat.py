"""Normal and exponential numbers are NumPy's, and the stream then stands where NumPy's does."""

from copy import deepcopy
from functools import partial
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import clrng
from clrng.frontends.numpy_streams import ziggurat
from clrng.frontends.numpy_streams.positions import as_numpy, of_numpy
from clrng.frontends.numpy_streams.words import Words
from clrng.opencl.devices import DeviceInfo
from clrng.opencl.traits import GPU

KINDS = [np.random.PCG64, np.random.PCG64DXSM, np.random.MT19937, np.random.Philox]
LAWS = [(law, dtype) for law in ("standard_normal", "standard_exponential") for dtype in ("float64", "float32")]
SETTINGS = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=20)


@pytest.fixture
def few() -> Any:
    """Return the numbers of values that NumPy itself makes."""
    return ziggurat.FEW


@pytest.fixture(autouse=True)
def _kernels_draw(few: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ziggurat, "FEW", {family: dict.fromkeys(most, 0) for family, most in few.items()})


def check(
    device: DeviceInfo, queue: cl.CommandQueue, bits: np.random.BitGenerator, law: str, dtype: str, n: int,
    *arguments: Any,
) -> None:  # fmt: skip
    """Compare `n` numbers with those of NumPy's generator on `bits`, and where the stream then stands."""
    if dtype == "float64" and not device.fp64:
        pytest.skip("the device has no float64")
    out: Any = cla.to_device(queue, np.ones(n + 2, dtype))
    made = out[1 : n + 1]
    words = Words.of(queue, device, of_numpy(deepcopy(bits)))
    after = getattr(ziggurat, law)(words, made, *arguments)
    if law == "standard_exponential":
        given = {"dtype": dtype, "method": arguments[0] if arguments else "zig"}
    else:
        given = {"dtype": dtype} if law == "standard_normal" else {}
    expected = getattr(np.random.Generator(bits), law)(*([] if "dtype" in given else arguments), size=n, **given)
    np.testing.assert_array_equal(made.get().view(f"u{made.dtype.itemsize}"), expected.view(f"u{made.dtype.itemsize}"))
    np.testing.assert_equal(as_numpy(after).state, bits.state)
    assert out.get()[[0, -1]].tolist() == [1, 1]


def begun(kind: type, seed: int, halves: int) -> Any:
    """Return a bit generator after so many halves."""
    bits = kind(seed)
    np.random.Generator(bits).random(halves, "float32")
    return bits


@pytest.mark.parametrize(("law", "dtype"), LAWS)
@pytest.mark.parametrize("kind", KINDS)
@SETTINGS
@given(seed=st.integers(0, 2**64), halves=st.integers(0, 3), n=st.integers(0, 3000))
def test_few_numbers(
    device: DeviceInfo, queue: cl.CommandQueue, kind: type, law: str, dtype: str, seed: int, halves: int, n: int
) -> None:
    check(device, queue, begun(kind, seed, halves), law, dtype, n)


@pytest.mark.parametrize("kind", KINDS)
def test_numpy_draws_few_numbers(
    device: DeviceInfo, queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch, few: Any, kind: type
) -> None:
    monkeypatch.setattr(ziggurat, "FEW", few)
    monkeypatch.delattr(ziggurat, "_drawn")
    for law, dtype in LAWS:
        check(device, queue, begun(kind, 1, 1), law, dtype, 1001)
    check(device, queue, begun(kind, 1, 1), "normal", "float64", 1001, 2.5, 0.5)
    check(device, queue, begun(kind, 1, 1), "exponential", "float64", 1001, 0.5)
    words = Words.of(queue, device, clrng.PCG64(state=1, increment=3))
    assert ziggurat.standard_normal(words, cla.Array(queue, 5, np.float32)).seed_seq is None


@pytest.mark.parametrize(("law", "dtype"), LAWS)
@pytest.mark.parametrize("kind", [np.random.PCG64, np.random.MT19937])
def test_many_numbers(device: DeviceInfo, queue: cl.CommandQueue, kind: type, law: str, dtype: str) -> None:
    check(device, queue, begun(kind, 2026, 1), law, dtype, 1_200_000)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_inverse_exponentials(device: DeviceInfo, queue: cl.CommandQueue, kind: type, dtype: str) -> None:
    check(device, queue, begun(kind, 1, 1), "standard_exponential", dtype, 1001, "inv")


@SETTINGS
@given(
    seed=st.integers(0, 2**64), n=st.integers(0, 3000), loc=st.floats(allow_nan=False),
    scale=st.floats(0, allow_infinity=False),
)  # fmt: skip
def test_scaled_numbers(
    device: DeviceInfo, queue: cl.CommandQueue, seed: int, n: int, loc: float, scale: float
) -> None:
    check(device, queue, np.random.PCG64(seed), "normal", "float64", n, loc, scale)
    check(device, queue, np.random.PCG64(seed), "exponential", "float64", n, scale)


@pytest.mark.parametrize(("law", "dtype"), LAWS)
def test_work_groups_make_the_same_numbers(
    device: DeviceInfo, queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch, law: str, dtype: str
) -> None:
    monkeypatch.setattr(ziggurat, "traits_of", lambda _: GPU)
    for n in (1, 8000, 100_000):
        check(device, queue, begun(np.random.PCG64, n, 1), law, dtype, n)


@pytest.mark.parametrize(("law", "dtype"), LAWS)
def test_numpy_decides_where_the_device_might_be_wrong(
    device: DeviceInfo, queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch, law: str, dtype: str
) -> None:
    check(device, queue, np.random.PCG64(1), law, dtype, 1)
    monkeypatch.setattr(ziggurat, "NEAR", dict.fromkeys(ziggurat.NEAR, (0.01, 0.5)))
    check(device, queue, begun(np.random.PCG64, 1, 1), law, dtype, 20_000)
    table, tables = ziggurat.table, ziggurat._tables
    wrong = {"quick": 1, "width": 1, "height": np.float32(0.995)}
    monkeypatch.setattr(ziggurat, "table", lambda law, name: table(law, name) * wrong[name])
    monkeypatch.setattr(ziggurat, "_tables", partial(tables))
    check(device, queue, begun(np.random.PCG64, 1, 1), law, dtype, 20_000)


@pytest.mark.parametrize(("law", "dtype"), LAWS)
def test_words_and_notes_may_be_more_than_expected(
    device: DeviceInfo, queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch, law: str, dtype: str
) -> None:
    monkeypatch.setattr(ziggurat, "BEHIND", 1)
    monkeypatch.setattr(ziggurat, "NOTES", 1)
    monkeypatch.setattr(ziggurat, "ROWS", (2**40, 1))
    monkeypatch.setattr(ziggurat, "TAILS", (2**40, 1))
    monkeypatch.setattr(ziggurat, "NEAR", dict.fromkeys(ziggurat.NEAR, (0.001, 0.01)))
    monkeypatch.setattr(ziggurat, "PORTION", dict.fromkeys(ziggurat.PORTION, 2**14))
    check(device, queue, begun(np.random.PCG64, 3, 1), law, dtype, 100_000)
    monkeypatch.setattr(ziggurat, "traits_of", lambda _: GPU)
    check(device, queue, begun(np.random.PCG64, 3, 1), law, dtype, 100_000)


@pytest.mark.parametrize(("law", "dtype"), LAWS)
@pytest.mark.parametrize("layer", [0, 1, 255])
def test_words_that_are_never_quick(
    device: DeviceInfo, queue: cl.CommandQueue, law: str, dtype: str, layer: int
) -> None:
    """Attempts of the largest sizes in one layer, in which long ones follow one another."""
    bits = np.random.MT19937(1)
    key = np.full(624, 2**32 - 256 + layer, np.uint32)
    state: Any = bits.state
    key[::5] = state["state"]["key"][::5]
    state["state"] = {"key": key, "pos": 0}
    bits.state = state
    check(device, queue, bits, law, dtype, 5000)
