"""What rocRAND made on the host, and how its streams lie.

The recorded values are those of rocRAND 3.2.0 of commit dc3656f1e957a900289b6e8b18fb66a63277711b: of its generators for
the host, compiled by Clang 15 for x86-64 without fused products. They run the code of rocRAND's GPU kernels.
"""

import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyopencl as cl
import pytest

import clrng
from clrng.frontends.device_libraries import mtgp32, rocrand
from clrng.opencl.traits import traits_of
from tests.support.device_libraries import digest, recorded

HOST = "rocrand 3.2.0 host"
NEAR = {"float32": 2.0**-18, "float64": 2e-14}
"""By how much normal numbers may differ."""

DOUBLE = "uniform_double", "normal", "normal_double"
"""The methods that need double precision, whatever the kind."""


def rows() -> Iterator[Any]:
    """Yield calls; the streams of MT19937 take seconds to make."""
    for calls in recorded(HOST):
        yield pytest.param(calls, marks=pytest.mark.slow if calls.startswith("mt19937") else ())


def seed_of(word: str) -> Any:
    if word == "None":
        return None
    return [int(each) for each in word.split("/")] if "/" in word else int(word)


@pytest.mark.parametrize("calls", list(rows()))
def test_it_is_what_rocrand_made(queue: cl.CommandQueue, device: clrng.DeviceInfo, calls: str) -> None:
    given, rest = calls.split(": ")
    kind, seed, offset, ordering = given.split()
    if kind == "mt19937" and traits_of(device).short_loops:
        pytest.skip("Mesa's llvmpipe takes half an hour for the 8192 states of MT19937")
    ours = clrng.Rocrand(kind, seed_of(seed), int(offset), ordering, queue=queue)
    for call, expected in zip(rest.split(", "), recorded(HOST)[calls].split(", "), strict=True):
        method, size = call.split()
        if not device.fp64 and (kind.startswith("mrg") or method in DOUBLE):
            with pytest.raises(clrng.UnsupportedError, match="needs double precision"):
                getattr(ours, method)(int(size))
            return
        found = getattr(ours, method)(int(size)).get()
        if expected.startswith("near"):
            theirs = np.array(expected.split()[1:], np.uint64).astype(f"u{found.dtype.itemsize}").view(found.dtype)
            assert np.abs(found[: theirs.size] - theirs).max() < NEAR[found.dtype.name]
        else:
            assert digest(found) == expected


@pytest.mark.parametrize(("kind", "apart"), [("xorwow", 2**67), ("lfsr113", 2**55)])
def test_elements_are_of_many_streams(queue: cl.CommandQueue, kind: str, apart: int) -> None:
    first = rocrand.KINDS[kind].make((9, 99, 999, 9999) if kind == "lfsr113" else 5)
    rng = clrng.Rocrand(kind, [9, 99, 999, 9999] if kind == "lfsr113" else 5, queue=queue)
    words = rng.generate((3, 131072)).get()
    for stream in (0, 1, 131071):
        np.testing.assert_array_equal(words[:, stream], first.jumped(stream * apart).sequence(3))


@pytest.mark.parametrize(
    ("kind", "bits"),
    [
        ("philox4x32_10", clrng.CounterBased("philox4x32", 2**40 + 7)),
        ("threefry2x32_20", clrng.CounterBased("threefry2x32", 2**40 + 7)),
    ],
)
def test_those_that_count_have_one_stream(queue: cl.CommandQueue, kind: str, bits: clrng.CounterBased) -> None:
    rng = clrng.Rocrand(kind, 2**40 + 7, 3, queue=queue)
    np.testing.assert_array_equal(rng.generate(10).get(), bits.jumped(3).sequence(10))
    np.testing.assert_array_equal(rng.generate(10).get(), bits.jumped(13).sequence(10))


def test_a_stream_goes_on_where_it_stands_whatever_was_drawn(queue: cl.CommandQueue) -> None:
    rng, first = clrng.Rocrand("xorwow", 5, queue=queue), rocrand.KINDS["xorwow"].make(5)
    rng.generate(2)  # a word of the streams 0 and 1
    rng.generate_char(4 * 131072)  # a word of every stream, from stream 2 on
    assert rng.generate_short(1).get() == first.jumped(2 * 2**67 + 1).sequence(1) % 2**16
    rng.generate(131071)
    rng.generate(131072 * 20)  # more rows than are kept
    np.testing.assert_array_equal(rng.generate(1).get(), first.jumped(2 * 2**67 + 22).sequence(1))


def test_values_of_other_widths_draw_on_rows_of_their_own(queue: cl.CommandQueue, device: clrng.DeviceInfo) -> None:
    if not device.fp64:
        pytest.skip("the values need double precision")
    rng, first = clrng.Rocrand("xorwow", 5, queue=queue), rocrand.KINDS["xorwow"].make(5)
    rng.generate(100_000)
    found = rng.uniform_double(100_000).get()  # of the streams from 100000 on, then of those from 0 on
    for i, stream, begin in ((0, 100_000, 0), (31_071, 131_071, 0), (31_072, 0, 1), (99_999, 68_927, 1)):
        low, high = first.jumped(stream * 2**67 + begin).sequence(2).tolist()
        assert found[i] == ((high >> 11 << 32 | low) + 1) * 2.0**-53


@pytest.mark.slow
def test_the_last_values_of_mt19937_are_in_reverse_order(
    queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(rocrand.KINDS, "mt19937", rocrand.KINDS["mt19937"]._replace(streams=64))
    whole, part = (clrng.Rocrand("mt19937", 7, queue=queue) for _ in range(2))
    values = whole.generate_char(3 * 624 * 64 * 4 + 8).get()
    found = part.generate_char(3 * 624 * 64 * 4 + 7).get()
    np.testing.assert_array_equal(found[:-3], values[:-4])
    np.testing.assert_array_equal(found[-3:], values[:-4:-1])
    again = pickle.loads(pickle.dumps(part))
    np.testing.assert_array_equal(whole.generate(100).get(), part.generate(100).get())
    np.testing.assert_array_equal(again.generate(200).get()[100:], part.generate(100).get())


@pytest.mark.slow
def test_mt19937_leaves_out_words_before_values_of_another_width(
    queue: cl.CommandQueue, device: clrng.DeviceInfo, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not device.fp64:
        pytest.skip("the values need double precision")
    monkeypatch.setitem(rocrand.KINDS, "mt19937", rocrand.KINDS["mt19937"]._replace(streams=64))
    wanted, rng = (clrng.Rocrand("mt19937", 7, queue=queue) for _ in range(2))
    wanted.uniform_double(3 * 512)  # six rounds of 512 words
    rng.generate(5 * 512 - 100)
    np.testing.assert_array_equal(rng.uniform_double(9).get(), wanted.uniform_double(9).get())
    rng.generate(70 * 512)  # all rounds of the block but one
    wanted = clrng.Rocrand("mt19937", 7, queue=queue)
    wanted.generate(78 * 512)
    np.testing.assert_array_equal(rng.normal_double(9).get(), wanted.normal_double(9).get())


@pytest.fixture
def words() -> Any:
    """Return the first rows of words of the streams of MTGP32 of a seed, made on the host."""
    sets = mtgp32.published_sets()
    return mtgp32.on_host(sets, mtgp32.first_states(sets, 7 ^ 2**8), 8)[0]


SEED = 2**40 + 7
"""The seed of those words: rocRAND mixes its halves."""


def test_each_call_of_mtgp32_begins_with_the_first_stream(queue: cl.CommandQueue, words: Any) -> None:
    rng = clrng.Rocrand("mtgp32", SEED, queue=queue)
    np.testing.assert_array_equal(rng.generate(300).get(), words[0].reshape(-1)[:300])
    np.testing.assert_array_equal(rng.generate(256).get(), words[1, 0])
    found = rng.generate(513 * 256).get()
    expected = [words[2, 0], words[1, 1], *words[0, 2:], words[3, 0]]
    np.testing.assert_array_equal(found, np.concatenate(expected))


def test_the_last_values_of_mtgp32_are_of_an_item_of_their_own(queue: cl.CommandQueue, words: Any) -> None:
    rng = clrng.Rocrand("mtgp32", SEED, queue=queue)
    np.testing.assert_array_equal(rng.generate_char(3).get(), words[0, 0, 1:2].view(np.uint8)[:3])
    found = rng.generate_short(2 * 300 + 1).get()  # streams 0 and 1, then the second word of stream 2
    pairs = words[1, :2].reshape(-1)[:300].view(np.uint16)
    np.testing.assert_array_equal(found, [*pairs, words[1, 2, 1] % 2**16])
    np.testing.assert_array_equal(rng.generate(770).get(), [*words[3, :2].reshape(-1), *words[2, 2], *words[2, 3, :2]])


def test_copies_and_pieces_of_mtgp32_and_what_fails(
    queue: cl.CommandQueue, words: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rocrand, "PIECE", 2)
    rng = clrng.Rocrand("mtgp32", SEED, queue=queue)
    n = 4 * 131072 + 259
    found = rng.generate(n).get()
    np.testing.assert_array_equal(found, words[:5].reshape(-1)[:n])

    def failing(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(rocrand, "converted", failing)
        with pytest.raises(KeyboardInterrupt):
            rng.generate(300_000)
    again = pickle.loads(pickle.dumps(rng))
    for each in (rng, again):
        np.testing.assert_array_equal(each.generate(600).get(), [*words[5, :2].reshape(-1), *words[4, 2, :88]])
        np.testing.assert_array_equal(
            each.uniform(5).get(), rocrand.OF_WORDS["uniform"].made(words[6, 0, :5, None])[:, 0]
        )


def test_pickles_and_what_fails(queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = clrng.Rocrand("xorwow", 2**63, 5, queue=queue)
    assert rng.generate((0, 3)).shape == (0, 3)
    rng.generate(1000)

    def failing(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(rocrand, "converted", failing)
        with pytest.raises(KeyboardInterrupt):
            rng.generate(300_000)
    again = pickle.loads(pickle.dumps(rng))
    assert repr(again).startswith("Rocrand(kind='xorwow', seed=9223372036854775808, offset=5, ordering='default') on ")
    np.testing.assert_array_equal(again.generate(9000).get(), rng.generate(9000).get())
    np.testing.assert_array_equal(
        rng.generate(5).get(), clrng.Rocrand("xorwow", 2**63, 10_005, queue=queue).generate(5).get()
    )


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: clrng.Rocrand("mtgp"), ValueError, "kind must be one of .*'mt19937', 'mtgp32', 'philox4x32_10'"),
        (
            lambda: clrng.Rocrand("xorwow", -1),
            ValueError,
            "seed must be an integer from 0 to 18446744073709551615, not -1",
        ),
        (lambda: clrng.Rocrand("xorwow", [1, 2, 3, 4]), TypeError, "seed must be an integer"),
        (lambda: clrng.Rocrand("lfsr113", [1, 2, 3]), ValueError, "seed must be 4 integers for lfsr113, not 3"),
        (lambda: clrng.Rocrand("lfsr113", [1, 2, 3, -4]), ValueError, r"seed\[3\] must be an integer from 0 to"),
        (
            lambda: clrng.Rocrand("lfsr113", 1234),
            ValueError,
            "seed must be 4 integers or an integer from 36028797018963968 to .* for lfsr113, not 1234",
        ),
        (lambda: clrng.Rocrand("lfsr113", offset=2**49), ValueError, "offset must be an integer from 0 to 562949"),
        (lambda: clrng.Rocrand("xorwow", 0, -1), ValueError, "offset must be an integer from 0 to"),
        (lambda: clrng.Rocrand("mt19937", offset=5), ValueError, "offset must be 0 for mt19937, as in rocRAND, not 5"),
        (lambda: clrng.Rocrand("mtgp32", offset=5), ValueError, "offset must be 0 for mtgp32, as in rocRAND, not 5"),
        (lambda: clrng.Rocrand("mtgp32", ordering="seeded"), ValueError, "ordering must be"),
        (lambda: clrng.Rocrand("xorwow", ordering="dynamic"), ValueError, "ordering must be"),
        (lambda: clrng.Rocrand("mrg32k3a", ordering="seeded"), ValueError, "ordering must be"),
        (lambda: clrng.Rocrand("mrg32k3a", 0xAAAAAAAA55555555), ValueError, "seed must have"),
        (
            lambda: clrng.Rocrand("xorwow").generate_long_long(3),
            clrng.UnsupportedError,
            "generate_long_long needs words of 64 bits: threefry2x64_20, not xorwow",
        ),
    ],
)
def test_what_is_not_legal_is_refused(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()
