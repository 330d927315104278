"""What the experiment with distributions measures is right, and one that fails does not stop the others."""

import sys
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest

import clrng
from clrng.measuring import experiments
from clrng.measuring.timing import Work, poison
from clrng.opencl import program
from clrng.opencl.devices import describe

sys.path.insert(0, str(experiments.directory()))

from harness.c_loop import Host  # which is among the scripts, as they import it
from harness.common import Results
from peers import drawn_cases, normals, peer, peers_drawn
from speed import distributions

FP64 = describe(clrng.make_queue().device).fp64
CASES = {case.label: case for case in drawn_cases.CASES if FP64 or case.dtype != "float64"}
OF_NUMPY = [label for label, case in CASES.items() if case.method != "random_raw"]
N = 5000


def drawn(label: str, bits: clrng.BitGenerator) -> cla.Array:
    """Return what clrng draws from where `bits` stands, which stays there."""
    queue, case = clrng.make_queue(), CASES[label]
    out = cla.Array(queue, N, case.dtype)
    case.draw(clrng.Generator(bits.copy(), queue), out)
    return out


def shifted(values: Any, label: str) -> Any:
    """Return a value that is almost right."""
    return values + 1 if values.dtype.kind in "iu" else values + 2e-5 * (CASES[label].deviation + abs(values))


@pytest.mark.sampled
@pytest.mark.parametrize("label", CASES)
@pytest.mark.parametrize("bits", [clrng.ParkMiller(seed=1), clrng.LCG(1664525, 1013904223, 2**32, 1)], ids=str)
def test_a_value_that_is_almost_right_is_seen(label: str, bits: clrng.BitGenerator) -> None:
    out = drawn(label, bits)
    CASES[label].check(bits, out, "nobody")
    for place in (0, N // 2, N - 1):
        values = out.get()
        values[place] = shifted(values[place], label)
        with pytest.raises(clrng.ClrngError, match=r"nobody gave wrong values of .* near"):
            CASES[label].check(bits, cla.to_device(out.queue, values), "nobody")


@pytest.mark.sampled
@pytest.mark.parametrize("label", [label for label in CASES if not label.startswith("random")])
def test_values_of_64_bits_are_checked(label: str) -> None:
    bits = clrng.named("mmix", 1)
    CASES[label].check(bits, drawn(label, bits), "nobody")
    with pytest.raises(clrng.ClrngError, match="nobody gave wrong values"):
        CASES[label].check(bits.jumped(1), drawn(label, bits), "nobody")


@pytest.mark.parametrize("label", OF_NUMPY)
def test_values_of_numpy_are_measured(label: str) -> None:
    for make in peers_drawn.numpy_peers(CASES[label], 2**14).values():
        made = make()
        assert made.work.values == 2**14
        kinds = {CASES[label].dtype, "float64" if "float" in CASES[label].dtype else "int64"}
        assert made.about["dtype"] in kinds


def test_another_distribution_is_not_taken_for_the_right_one() -> None:
    rng, out = np.random.default_rng(1), np.empty(2**14)
    find = drawn_cases.Case("standard_normal", "float64", "standard_normal", {})

    def made_by(fill: Callable[..., Any]) -> peer.Peer:
        return peer.filled(out, lambda: fill(out=out), Host(), lambda: peers_drawn.look(find, "nobody", out))

    assert made_by(rng.standard_normal).about == {"dtype": "float64"}
    with pytest.raises(clrng.ClrngError, match="nobody gave values whose mean is off by"):
        made_by(rng.random)
    with pytest.raises(clrng.ClrngError, match="nobody left values unwritten"):
        made_by(lambda out: None)  # noqa: ARG005  # as the others
    poison(out)
    assert np.isnan(out).all()


def test_what_fails_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    queue, case = clrng.make_queue(), CASES["standard_normal, float32"]
    results = Results(Namespace(results=tmp_path), "distributions", queue)
    out, rngs = cla.Array(queue, N, np.float32), {"Park-Miller": clrng.Generator(clrng.ParkMiller(seed=1), queue)}

    def broken(*_: Any) -> None:
        raise OSError("no such library")

    monkeypatch.setattr(peers_drawn, "numpy_peer", broken)
    peers = distributions.peers_of(results, case, rngs, out, None, N)
    assert list(peers) == ["clrng Park-Miller"]
    assert set(results.missing.values()) == {"OSError: no such library"}
    peers["late"] = peer.Peer(Work(N, broken, Host()), {})
    rates = peer.rates_of(queue, results, case.label, peers, None, 1)
    assert list(rates) == ["clrng Park-Miller"]
    assert results.missing[f"late, {case.label}"] == "failed in the rounds: OSError: no such library"


def test_normals_added_up_by_a_kernel() -> None:
    made = normals.ours(clrng.make_queue(), clrng.ParkMiller(seed=1), 64, 256)  # which compares with the fill
    assert made.work.values == 64 * 256
    assert made.about["setup_seconds"] > 0
    with pytest.raises(clrng.ClrngError, match="nobody gave normal numbers whose sum is 32.0 standard deviations off"):
        normals.judged(np.full(64, 64.0, np.float32), 256, "nobody")


def test_new_parameters_build_nothing_and_builds_are_counted() -> None:
    context = cl.Context([clrng.choose_device().device])  # in which no other test has built anything
    queue, build = cl.CommandQueue(context), program.build
    for name, draw in distributions.NEW.items():
        found = distributions.new_parameters(queue, draw, 3)
        assert found["builds"] == 0, name
        assert found["new"]["seconds"] > 0
        assert found["seen"]["low"] <= found["seen"]["seconds"] <= found["seen"]["high"]
    dtypes = ("uint8", "uint16", "int8")
    found = distributions.new_parameters(queue, lambda rng, i: rng.integers(77, size=10, dtype=dtypes[i]), 2)
    assert found["builds"] == 2
    assert program.build is build
