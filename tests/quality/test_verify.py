"""The proofs pass on what is right, and fail on what is not."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest

import clrng
from clrng.fill.jump_tree import JumpTree
from clrng.generators import source
from clrng.generators.arithmetic import ARITHMETICS, BALANCED, Arithmetic
from clrng.generators.families import code_for, why_not
from clrng.generators.generator_code import GeneratorCode
from clrng.opencl.devices import describe
from clrng.quality import checks, digests
from clrng.quality.digests import CheckResult, CheckSteps
from clrng.quality.digests import run_check as finish_telling
from tests.conftest import DEVICES, make_queue
from tests.support import oracle
from tests.support.generators import GENERATORS

Exact = tuple[cl.CommandQueue, str]
RECURRENCE = clrng.ParkMiller(seed=1)
SAMPLE = 64 * 512


def finish(check: CheckSteps) -> CheckResult:
    return finish_telling(check, lambda _: None)


def written(arithmetic: Arithmetic) -> GeneratorCode:
    return code_for(RECURRENCE, arithmetic)


def broken(name: str) -> Any:
    """Return the arithmetic `name` with the template values of a wrong multiplier."""
    original = ARITHMETICS[name]
    return replace(original, values=lambda multiplier: original.values(multiplier + 2))


def test_every_check_of_a_sample_passes(exact: Exact) -> None:
    queue, name = exact
    said: list[int] = []
    jobs = checks.jobs(queue, [name], RECURRENCE, SAMPLE)
    findings = [finish_telling(check, said.append) for _, _, _, check in jobs.checks]
    assert findings
    assert all(finding.passed for finding in findings), findings
    assert [f.check for f in findings][-1] == "steps"
    assert findings[-1].cases == SAMPLE
    assert sum(said) == sum(finding.cases for finding in findings)


@pytest.mark.slow
@pytest.mark.parametrize("multiplier", [48271, 492483, 709386, 742938285])
def test_other_multipliers_pass(queue: cl.CommandQueue, multiplier: int) -> None:
    jobs = checks.jobs(queue, [], clrng.ParkMiller(1, multiplier), SAMPLE)
    findings = [finish(check) for _, _, _, check in jobs.checks]
    assert all(finding.passed for finding in findings), findings
    lacking = {name for name in ARITHMETICS if why_not(name, describe(queue.device), RECURRENCE)}
    beyond = {name for name, most in (("limbs-2008", 65535), ("double-2009", 2**21)) if multiplier > most}
    assert set(jobs.skipped) == lacking | beyond


def test_a_wrong_step_is_found(exact: Exact) -> None:
    queue, name = exact
    finding = finish(checks.every_step(queue, written(broken(name)), SAMPLE))
    assert not finding.passed
    assert finding.detail.startswith(f"{SAMPLE} states step wrongly, the smallest is 1")


def test_a_single_wrong_state_is_found(exact: Exact, monkeypatch: pytest.MonkeyPatch) -> None:
    queue, name = exact
    original = source.kernel

    def planted(*arguments: Any) -> str:
        text = original(*arguments)
        wanted = "16807UL + 0UL) % 2147483647UL)"
        assert wanted in text
        return text.replace(wanted, wanted + " + (x == 333u)")

    monkeypatch.setattr(source, "kernel", planted)
    finding = finish(checks.every_step(queue, written(ARITHMETICS[name]), SAMPLE))
    assert finding.detail == "1 states step wrongly, the smallest is 333"


@pytest.mark.parametrize("name", ["float", "float-nofma"])
def test_wrong_digits_are_found(queue: cl.CommandQueue, name: str) -> None:
    if why_not(name, describe(queue.device), RECURRENCE):
        pytest.skip(f"{name} is not exact on this device")
    assert not finish(checks.digit_limits(queue, written(broken(name)))).passed


def test_digits_beyond_the_bounds_break(queue: cl.CommandQueue) -> None:
    if why_not("float", describe(queue.device), clrng.ParkMiller(1, 38466)):
        pytest.skip("float is not exact on this device")
    short = replace(
        ARITHMETICS["float"],
        values=lambda a: ARITHMETICS["float"].values(a) | {"kind": "short"},
        digits=lambda _: BALANCED,
    )
    assert not finish(checks.digit_limits(queue, code_for(clrng.ParkMiller(1, 38466), short))).passed


def test_the_pieces_of_a_period_are_all_of_it() -> None:
    pieces = checks.pieces(1, oracle.M - 1, None)
    assert pieces[0][0] == 1
    assert all(first + n == following for (first, n), (following, _) in pairwise(pieces))
    assert sum(pieces[-1]) == oracle.M


def test_a_sample_has_both_ends() -> None:
    pieces = checks.pieces(1, oracle.M - 1, 6400)
    assert pieces[0] == (1, 100)
    assert sum(pieces[-1]) == oracle.M
    assert sum(n for _, n in pieces) == 6400


@pytest.mark.parametrize(
    ("values", "twice", "outside"),
    [([1, 2, 3, 2**31 - 2], 0, 0), ([5, 6, 5, 5], 2, 0), ([0, 2**31 - 1, 2**32 - 1, 7], 0, 3)],
)
def test_the_bitmap_counts_repeats_and_strangers(
    queue: cl.CommandQueue, values: list[int], twice: int, outside: int
) -> None:
    kernel = checks.kernel(queue, written(ARITHMETICS["integer"]), 1, "mark_values")
    given = cla.to_device(queue, np.array(values, np.uint32))
    bitmap, report = cla.zeros(queue, 2**26, np.uint32), cla.zeros(queue, 3, np.uint32)
    kernel(queue, 2, None, given.data, 4, 2, 1, oracle.M - 1, bitmap.data, report.data)
    assert report.get().tolist() == [twice, outside, 4]
    words = bitmap.get()
    assert int(np.unpackbits(words[words != 0].view(np.uint8)).sum()) == 4 - twice - outside


def test_distinct_values_of_any_arithmetic(exact: Exact, monkeypatch: pytest.MonkeyPatch) -> None:
    queue, name = exact
    monkeypatch.setattr(checks, "CHUNK", 2**12)
    finding = finish(checks.distinct_values(queue, written(ARITHMETICS[name]), 10000))
    assert finding.detail == "no value twice"
    assert finding.passed


def test_a_short_period_is_found(queue: cl.CommandQueue) -> None:
    finding = finish(
        checks.distinct_values(queue, code_for(clrng.ParkMiller(1, oracle.M - 1), ARITHMETICS["integer"]), 10)
    )
    assert not finding.passed
    assert finding.detail.startswith("10 marked, 8 twice, 0 outside, 0 pieces")
    assert all(
        title != "full period"
        for _, title, _, _ in checks.jobs(queue, ["integer"], clrng.ParkMiller(1, oracle.M - 1)).checks
    )


def test_a_stream_out_of_order_is_found(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clrng.Generator, "random_raw", lambda self, out: (out.fill(5), self.bit_generator.advance(1)))
    finding = finish(checks.distinct_values(queue, written(ARITHMETICS["integer"]), 1))
    assert not finding.passed
    assert finding.detail.startswith("1 marked, 0 twice, 0 outside, 1 pieces end at another state")


def test_what_is_run_by_default() -> None:
    queue, jobs = make_queue(0), checks.jobs(make_queue(0), [], RECURRENCE)
    titles = {(name, title) for name, title, _, _ in jobs.checks}
    assert {("integer", "steps"), ("integer", "full period"), ("integer", "published values")} <= titles
    totals = {(name, title): total for name, title, total, _ in jobs.checks}
    assert totals["integer", "steps"] == oracle.M - 1
    if DEVICES[0].kind == "cpu":
        assert totals["limbs-2008", "steps"] == checks.BASELINE_SAMPLE
    full = checks.jobs(queue, ["limbs-2008"], RECURRENCE, full=True)
    assert [total for _, title, total, _ in full.checks if title == "steps"] == [oracle.M - 1]


def test_an_arithmetic_that_is_not_exact_is_refused_by_name() -> None:
    with pytest.raises(clrng.UnsupportedError, match="limbs-2008"):
        checks.jobs(make_queue(0), ["limbs-2008"], clrng.ParkMiller(1, 2**20))


OTHERS = {
    "linear": clrng.LinearRecurrence([3, 2**60], [1, 2], 2**61 - 1, constant=5),
    "combined": clrng.MRG32k3a(),
    "congruential": clrng.named("mmix", 1),
}


@pytest.mark.parametrize("name", OTHERS)
def test_states_too_many_to_try_them_all(queue: cl.CommandQueue, name: str) -> None:
    jobs = checks.jobs(queue, ["integer"], OTHERS[name])
    findings = [finish(check) for _, _, _, check in jobs.checks]
    assert all(finding.passed for finding in findings), findings
    assert [finding.check for finding in findings][-2:] == ["chosen steps", "far pieces"]


def test_chosen_states_have_the_ends_of_every_word() -> None:
    for recurrence in OTHERS.values():
        states = checks.chosen_states(recurrence, 4096)
        assert recurrence.bad_states(states) is None
        for column, (low, high) in enumerate(recurrence.word_limits):
            assert {low, high, (low + high) // 2} <= set(states[:, column].tolist())


def test_a_wrong_recurrence_is_found(queue: cl.CommandQueue) -> None:
    code = code_for(clrng.LinearRecurrence([3, 2**60], [1, 2], 2**61 - 1, constant=5), ARITHMETICS["integer"])
    original = code.recurrence.step
    code.recurrence.step = lambda words: (*words[1:], original(words)[-1] ^ (words[0] == 0))  # type: ignore[method-assign]
    finding = finish(checks.chosen_steps(queue, code, 512))
    assert not finding.passed
    assert "states step wrongly, such as [0, " in finding.detail
    finding = finish(checks.far_pieces(queue, code, 8, 100))
    assert finding.passed  # no piece has that state


def test_a_wrong_piece_is_found(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    code = code_for(OTHERS["congruential"], ARITHMETICS["integer"])
    assert finish(checks.far_pieces(queue, code, 3, 100)).passed
    right = clrng.LCG.sequence
    monkeypatch.setattr(clrng.LCG, "sequence", lambda self, n: right(self, n) ^ (self.word != 1))
    finding = finish(checks.far_pieces(queue, code, 3, 100))
    places = checks.places(code.recurrence, 3)
    assert finding.detail == f"wrong at positions {places[1:]}"


def test_every_step_of_other_moduli(queue: cl.CommandQueue) -> None:
    for generator in (clrng.LCG(5, 3, 2**16, 1), clrng.LCG(5, 0, 65521, 1), clrng.LCG(5, 65000, 65521, 1)):
        code = code_for(generator, ARITHMETICS["integer"])
        finding = finish(checks.every_step(queue, code, None))
        assert finding.passed
        assert finding.detail == "every state"
        titles = [title for _, title, _, _ in checks.jobs(queue, ["integer"], generator).checks]
        assert ("full period" in titles) == (generator.period == finding.cases)
    full = finish(checks.distinct_values(queue, code_for(clrng.LCG(5, 3, 2**16, 1), ARITHMETICS["integer"]), 2**16))
    assert full.detail == "each state once, and back at the seed"


LAGGED = [
    (
        clrng.named("glibc_type_3", 1),
        [digests.TITLE, "published values", "chosen steps", "far pieces", "long piece"],
    ),
    (clrng.LaggedFibonacci((5, 17), "*", 64, seed=3), ["chosen steps", "far pieces", "long piece"]),
]


@pytest.mark.parametrize(("bits", "titles"), LAGGED, ids=["glibc", "products"])
def test_lagged_fibonacci_generators_pass(
    queue: cl.CommandQueue, bits: clrng.LaggedFibonacci, titles: list[str]
) -> None:
    jobs = checks.jobs(queue, [], bits, 2**15)
    findings = [finish(check) for _, _, _, check in jobs.checks]
    assert [finding.check for finding in findings] == titles
    assert all(finding.passed for finding in findings), findings
    assert [finding.cases for finding in findings[-2:]] == [total for _, _, total, _ in jobs.checks][-2:]


SMALL = [
    "park_miller", "lcg_2^32", "lcg_2", "lcg_2^64", "lcg_10^19", "linear_5_2", "linear_5_10^19", "mrg32k3a", "coveyou",
    "lagged_+_5_17", "lagged_-_7_10_31_bits", "lagged_*_17_5", "lagged_xor_1_3_2_bits", "lagged_-_55_24_10^9",
]  # fmt: skip


@pytest.mark.parametrize("sample", [1, 64, 2047, 2049])
@pytest.mark.parametrize("name", SMALL)
def test_any_sample_will_do(name: str, sample: int) -> None:
    pieces = {}
    for _, title, total, check in checks.jobs(make_queue(0), ["integer"], GENERATORS[name], sample).checks:
        said: list[int] = []
        finding = finish_telling(check, said.append) if title != "far pieces" else None
        if finding is not None:
            assert finding.passed, finding
            assert 0 < sum(said) == finding.cases
            pieces[title] = (total, finding.cases)
    if "long piece" in pieces:
        assert pieces["long piece"] == (sum(checks.stretches(max(sample, 2048)).values()),) * 2
    assert pieces


@pytest.mark.parametrize("n", [2048, 2049, 4096, 10**6])
def test_the_stretches_of_a_long_piece(n: int) -> None:
    stretches = checks.stretches(n)
    assert min(stretches) == 0
    assert max(place + length for place, length in stretches.items()) == n + 2048
    assert all(place >= 0 for place in stretches)
    assert len(stretches) in (32, 33)


def test_a_block_that_begins_in_the_wrong_place_is_found(
    queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = code_for(clrng.LaggedFibonacci((7, 10), "+", seed=1), ARITHMETICS["integer"])
    assert finish(checks.long_piece(queue, code, 10**5)).passed
    right = JumpTree.states
    monkeypatch.setattr(
        JumpTree, "states", lambda self, start, n, apart, *rest: right(self, start, n, apart + (n > 1), *rest)
    )
    finding = finish(checks.long_piece(queue, code, 10**5))
    assert not finding.passed
    assert finding.detail.startswith("wrong at positions [")
