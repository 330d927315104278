"""What fails leaves the stream where it was; threads share it; and what is not there is refused by name."""

import os
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest

import clrng
from clrng import UnsupportedError
from clrng.frontends.numpy_streams import stream
from clrng.frontends.numpy_streams.words import Words
from tests.frontends.numpy_streams.test_from_numpy import assert_same_place

WAIT = 0.2
"""Seconds that a call is given to store values before it may."""

MAKERS = [np.random.default_rng, lambda seed: np.random.Generator(np.random.MT19937(seed)), np.random.RandomState]


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_what_fails_does_not_move(
    queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch, make: Any, error: type[BaseException]
) -> None:
    rng = make(5)
    ours = clrng.from_numpy(rng, queue)
    assert ours.bytes(4000) == rng.bytes(4000)

    def failing(original: Any) -> Any:
        def draw(*arguments: Any, **named: Any) -> Any:
            original(*arguments, **named)
            raise error

        return draw

    with monkeypatch.context() as patch:
        patch.setattr(stream.bounded, "draw", failing(stream.bounded.draw))
        patch.setattr(Words, "whole", failing(Words.whole))
        patch.setattr(stream.shuffles, "permutation", failing(stream.shuffles.permutation))
        integers = ours.randint if isinstance(rng, np.random.RandomState) else ours.integers
        for call in (lambda: integers(0, 1000, 3000), lambda: ours.bytes(3000), lambda: ours.permutation(3000)):
            with pytest.raises(error):
                call()
            assert_same_place(ours, rng)
    np.testing.assert_array_equal(ours.permutation(3000).get(), rng.permutation(3000))
    assert ours.bytes(5) == rng.bytes(5)
    assert_same_place(ours, rng)


@pytest.mark.parametrize("make", MAKERS)
def test_threads_share_it(queue: cl.CommandQueue, make: Any) -> None:
    rng = make(5)
    ours = clrng.from_numpy(rng, queue)
    with ThreadPoolExecutor(min(4, (os.cpu_count() or 1) + 1)) as pool:
        found = list(pool.map(lambda _: ours.bytes(1000), range(40)))
    assert sorted(found) == sorted(rng.bytes(1000) for _ in range(40))
    assert_same_place(ours, rng)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("own", [False, True])
def test_values_come_behind_what_was_queued_for_out(any_order: cl.CommandQueue, make: Any, own: bool) -> None:
    rng = make(5)
    ours = clrng.from_numpy(rng, any_order if own else cl.CommandQueue(any_order.context))
    integers, expected = (each.randint if make is np.random.RandomState else each.integers for each in (ours, rng))
    out, gate = cla.empty(any_order, 10, np.int64), cl.UserEvent(any_order.context)
    out.add_event(cl.enqueue_fill_buffer(any_order, out.base_data, bytes(8), 0, out.nbytes, wait_for=[gate]))
    any_order.flush()
    with ThreadPoolExecutor(1) as pool:
        drawn = pool.submit(integers, 1, 1000, out=out)
        wait([drawn], WAIT)
        gate.set_status(cl.command_execution_status.COMPLETE)
        assert drawn.result() is out
    np.testing.assert_array_equal(out.get(), expected(1, 1000, 10))
    assert_same_place(ours, rng)


@pytest.mark.parametrize("make", MAKERS[1:])
def test_what_is_not_there_is_refused_by_name(queue: cl.CommandQueue, make: Any) -> None:
    rng = make(5)
    ours = clrng.from_numpy(rng, queue)
    names = {name for name in dir(rng) if not name.startswith("_")}
    missing = names - set(dir(ours))
    assert {"gamma", "binomial", "multivariate_normal"} <= missing
    for name in missing:
        with pytest.raises(
            UnsupportedError, match=rf"{name} is not a method of {type(ours).__name__}; rng.to_numpy\(\)"
        ):
            getattr(ours, name)(1, size=3)
    for call in (
        lambda: ours.choice(9, 3, False),
        lambda: ours.permutation([[1, 2]]),
        lambda: ours.shuffle(np.zeros((2, 2))),
    ):
        with pytest.raises(UnsupportedError, match="clrng.from_numpy goes on from there"):
            call()
    with pytest.raises(AttributeError, match="has no attribute 'no_such_thing'"):
        ours.no_such_thing  # noqa: B018
    assert_same_place(ours, rng)
