"""Many streams side by side."""

import pickle
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

from clrng import BitGenerator, Coveyou, LaggedFibonacci, MRG32k3a, ParkMiller, Streams, XorShift32
from clrng.fill import stream_states
from tests.support import oracle

Exact = tuple[cl.CommandQueue, str]
COUNTS = [1, 3, 4, 16, 37, 64, 1000, 4099]


def expected(states: npt.ArrayLike, steps: int, step: int = 1, multiplier: int = 16807) -> npt.NDArray[np.uint32]:
    """Return the values of `steps` steps of streams in these states, shape (steps, count)."""
    x, rows = np.asarray(states, np.uint64), []
    for _ in range(steps):
        x = x * np.uint64(pow(multiplier, step, oracle.M)) % np.uint64(oracle.M)
        rows.append(x)
    return np.array(rows, np.uint32)


def jumping(queue: cl.CommandQueue, count: int = 5, distance: int | None = None) -> Streams:
    return Streams.by_jumps(ParkMiller(seed=1), count, distance, queue)


@pytest.mark.parametrize("count", COUNTS)
def test_leapfrog_deals_out_the_sequential_stream(exact: Exact, count: int) -> None:
    queue, arithmetic = exact
    streams = Streams.by_leapfrog(ParkMiller(seed=11), count, queue, arithmetic)
    assert_array_equal(streams.random_raw(5).get().ravel(), oracle.sequence(11, 5 * count))
    assert_array_equal(streams.random_raw(2).get().ravel(), oracle.sequence(11, 2 * count, first=5 * count + 1))


@pytest.mark.parametrize("count", COUNTS)
def test_jumps_begin_equally_far_apart(exact: Exact, count: int) -> None:
    queue, arithmetic = exact
    streams = Streams.by_jumps(ParkMiller(seed=11), count, 1000, queue, arithmetic)
    starts = [11, *oracle.sequence(11, 1000 * (count - 1))[999::1000]] if count > 1 else [11]
    assert_array_equal(streams.states, starts)
    assert_array_equal(streams.random_raw(7).get(), expected(starts, 7))


def test_jumps_by_default_share_out_the_period(queue: cl.CommandQueue) -> None:
    streams = Streams.by_jumps(ParkMiller(seed=1), 7, queue=queue)
    apart = (oracle.M - 1) // 7
    assert streams.states.tolist() == [pow(16807, i * apart, oracle.M) for i in range(7)]


def test_streams_that_jump_do_not_overlap(queue: cl.CommandQueue) -> None:
    streams = Streams.by_jumps(ParkMiller(seed=1), 1000, 50, queue)
    values = streams.random_raw(50).get()
    assert_array_equal(values.T.ravel(), oracle.sequence(1, 50000))


@pytest.mark.parametrize("count", COUNTS)
def test_a_master_seed_and_the_index_with_three_discarded(exact: Exact, count: int) -> None:
    queue, arithmetic = exact
    streams = Streams.from_master_seed(ParkMiller(seed=2**31 - 5000), count, queue, arithmetic)
    assert_array_equal(streams.random_raw(4).get(), expected(2**31 - 5000 + np.arange(count), 7)[3:])


def test_a_master_seed_of_another_family(queue: cl.CommandQueue) -> None:
    streams = Streams.from_master_seed(XorShift32(seed=2**32 - 40), 40, queue)
    sequences = [XorShift32(seed=2**32 - 40 + i).sequence(7)[3:] for i in range(40)]
    assert_array_equal(streams.random_raw(4).get().T, sequences)


@pytest.mark.parametrize("bits", [Coveyou(seed=2), MRG32k3a(), LaggedFibonacci((5, 17), "+", seed=1)])
def test_no_master_seed_where_consecutive_integers_are_no_seeds(queue: cl.CommandQueue, bits: BitGenerator) -> None:
    with pytest.raises(TypeError, match="^bit_generator must have all integers from a seed up to its modulus as seeds"):
        Streams.from_master_seed(bits, 1, queue)


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("steps", [1, 10, 100])
def test_the_papers_steps_from_a_list_of_seeds(exact: Exact, count: int, steps: int) -> None:
    queue, arithmetic = exact
    seeds = np.random.default_rng(count).integers(1, oracle.M, count)
    streams = Streams.from_seeds(ParkMiller(seed=1), seeds, queue, arithmetic)
    values = expected(seeds, 2 * steps)
    assert_array_equal(streams.random_raw(steps).get(), values[:steps])
    assert_array_equal(streams.states, values[steps - 1])
    assert_array_equal(streams.random_raw(steps, keep="last").get(), values[-1])
    assert_array_equal(streams.states, values[-1])


@pytest.mark.parametrize("count", [16, 37])
def test_uniform_values(exact: Exact, count: int) -> None:
    queue, arithmetic = exact
    seeds = np.arange(1, count + 1)
    streams = Streams.from_seeds(ParkMiller(seed=1), seeds, queue, arithmetic)
    raw = expected(seeds, 8)
    assert_array_equal(streams.random(3).get(), (raw[:3] >> 7) * np.float32(2**-24))
    assert_array_equal(streams.random(1, keep="last").get(), (raw[3] >> 7) * np.float32(2**-24))
    if streams.device.fp64:
        assert_array_equal(streams.random(2, dtype="float64").get(), raw[4:6] / oracle.M)


@pytest.mark.parametrize("multiplier", [48271, 742938285])
def test_other_multipliers(queue: cl.CommandQueue, multiplier: int) -> None:
    streams = Streams.by_leapfrog(ParkMiller(seed=5, multiplier=multiplier), 33, queue)
    assert_array_equal(streams.random_raw(9).get().ravel(), oracle.sequence(5, 297, multiplier))


@pytest.mark.parametrize("offset", [1, 4, 7])
def test_out_within_a_buffer(exact: Exact, offset: int) -> None:
    queue, arithmetic = exact
    whole = cla.zeros(queue, 500, np.uint32)
    streams = Streams.from_seeds(ParkMiller(seed=1), np.arange(1, 21), queue, arithmetic)
    out = whole[offset : offset + 100].reshape(5, 20)
    assert streams.random_raw(5, out=out) is out
    host = whole.get()
    assert_array_equal(host[offset : offset + 100].reshape(5, 20), expected(np.arange(1, 21), 5))
    assert not host[:offset].any()
    assert not host[offset + 100 :].any()


def test_more_steps_than_one_launch_makes(exact: Exact, monkeypatch: pytest.MonkeyPatch) -> None:
    queue, arithmetic = exact
    monkeypatch.setattr(stream_states, "STEPS_OF_LAUNCH", 7)
    streams = Streams.by_leapfrog(ParkMiller(seed=8), 21, queue, arithmetic)
    assert_array_equal(streams.random_raw(30).get().ravel(), oracle.sequence(8, 630))
    last = streams.random_raw(30, keep="last").get()
    assert_array_equal(last, oracle.sequence(8, 21, first=1240))


def test_many_steps(queue: cl.CommandQueue) -> None:
    streams = Streams.by_leapfrog(ParkMiller(seed=8), 3, queue)
    assert_array_equal(streams.random_raw(70001, keep="last").get(), oracle.sequence(8, 3, first=3 * 70000 + 1))


def test_an_out_of_float64_says_what_is_wanted(queue: cl.CommandQueue) -> None:
    streams = Streams.by_jumps(ParkMiller(seed=8), 4, queue=queue)
    if streams.device.fp64:
        out = streams.random(2, out=cla.zeros(queue, (2, 4), np.float64))
        assert_array_equal(out.get(), expected(Streams.by_jumps(ParkMiller(8), 4, queue=queue).states, 2) / oracle.M)


def test_streams_without_states_are_refused(queue: cl.CommandQueue) -> None:
    with pytest.raises(ValueError, match="start must be a one-dimensional array"):
        Streams(ParkMiller(seed=1), 5, queue=queue)


def test_pickled_streams_go_on(queue: cl.CommandQueue) -> None:
    streams = Streams.by_leapfrog(ParkMiller(seed=8), 21, queue)
    streams.random_raw(2)
    other = pickle.loads(pickle.dumps(streams))
    expected_values = oracle.sequence(8, 63, first=43).reshape(3, 21)
    assert_array_equal(other.random_raw(3).get(), expected_values)
    assert_array_equal(streams.random_raw(3).get(), expected_values)


def test_the_bit_generator_stays_where_it_is(queue: cl.CommandQueue) -> None:
    bits = ParkMiller(seed=6)
    for make in (Streams.by_jumps, Streams.by_leapfrog, Streams.from_master_seed):
        make(bits, 10, queue=queue).random_raw(3)
    assert bits == ParkMiller(seed=6)


@pytest.mark.parametrize(
    ("seeds", "error", "match"),
    [
        ([1, 2, 0, 4, -5], ValueError, r"seeds\[2\] must be an integer from 1 to 2147483646, not 0"),
        ([5, oracle.M], ValueError, r"seeds\[1\] must be .*, not 2147483647"),
        (np.array([3, -1]), ValueError, r"seeds\[1\] must be .*, not -1"),
        ([1, 2**70], ValueError, r"seeds\[1\] must be .*, not 1180591620717411303424"),
        (np.array([2**63 + 1], np.uint64), ValueError, r"seeds\[0\] must be .*, not 9223372036854775809"),
        ([], ValueError, "seeds must be a one-dimensional array .* and not empty"),
        ([[1, 2]], ValueError, "seeds must be a one-dimensional array"),
        (5, ValueError, "seeds must be a one-dimensional array"),
        ([1, 2.0], TypeError, r"seeds\[1\] must be an integer from 1 to 2147483646, not 2.0"),
        (np.ones(3), TypeError, "seeds must be integers from 1 to 2147483646, not of dtype float64"),
        ([1, 2**63], ValueError, r"seeds\[1\] must be .*, not 9223372036854775808"),
        ([1, True], TypeError, r"seeds\[1\] must be an integer .*, not True"),
        ([True], TypeError, r"seeds\[0\] must be an integer .*, not True"),
        (["1"], TypeError, r"seeds\[0\] must be an integer .*, not '1'"),
        ([1, None], TypeError, r"seeds\[1\] must be an integer"),
        ([[1], [2, 3]], ValueError, "seeds must be a one-dimensional array"),
    ],
)
def test_bad_seeds_are_refused_by_index(queue: cl.CommandQueue, seeds: Any, error: type[Exception], match: str) -> None:
    with pytest.raises(error, match=match):
        Streams.from_seeds(ParkMiller(seed=1), seeds, queue)


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda q: jumping(q, 0), "count must be an integer from 1 to 2147483646, not 0"),
        (lambda q: jumping(q, 5, 0), "distance must be an integer from 1 to 2147483646, not 0"),
        (lambda q: Streams.by_leapfrog(ParkMiller(1), 2**31, q), "count must be an integer from 1 to 2147483646"),
        (lambda q: Streams.from_master_seed(ParkMiller(oracle.M - 5), 6, q), "count must be .* from 1 to 5, not 6"),
        (lambda q: jumping(q).random_raw(-1), "steps must be an integer from 0 to 4294967295, not -1"),
        (lambda q: jumping(q).random_raw(0, "last"), "steps must be an integer from 1 to 4294967295 for .*, not 0"),
        (lambda q: jumping(q).random_raw(1, "first"), "keep must be one of 'all', 'last'"),
        (lambda q: jumping(q).random(1, "int8"), "dtype must be float32 or float64"),
        (lambda q: jumping(q).random_raw(2**32 - 1), "steps must make at most"),
        (lambda q: setattr(jumping(q), "states", [1, 2]), "states must be 5 states, one a stream, not 2"),
        (lambda q: setattr(jumping(q, 2), "states", [1, 0]), r"states\[1\] must be"),
    ],
)
def test_bad_values(queue: cl.CommandQueue, call: Any, match: str) -> None:
    with pytest.raises(ValueError, match=match):
        call(queue)


def test_bad_types(queue: cl.CommandQueue) -> None:
    for make in (Streams.by_jumps, Streams.by_leapfrog, Streams.from_master_seed):
        with pytest.raises(TypeError, match="bit_generator must be a clrng bit generator"):
            make(7, 5, queue=queue)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="count must be an integer"):
            make(ParkMiller(1), 5.0, queue=queue)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="arithmetic must be one of"):
            make(ParkMiller(1), 5, queue=queue, arithmetic="none")


def test_a_refused_call_moves_no_stream(queue: cl.CommandQueue) -> None:
    streams = Streams.by_jumps(ParkMiller(seed=1), 8, queue=queue)
    before = streams.states
    with pytest.raises(ValueError, match="out must have shape"):
        streams.random_raw(3, out=cla.zeros(queue, (3, 9), np.uint32))
    with pytest.raises(TypeError, match="out must be"):
        streams.random_raw(3, out=np.zeros((3, 8), np.uint32))
    assert_array_equal(streams.states, before)
