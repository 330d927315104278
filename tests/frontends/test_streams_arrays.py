"""Parameters of streams that are arrays: an element has the value that its stream draws with its parameters."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from scipy import stats

import clrng
from clrng.distributions import by_element, elements
from clrng.fill import convert
from clrng.fill.by_element import Layout
from clrng.frontends.streams import Streams
from tests.distributions.test_parameter_arrays import one_element, same_bits, steps_of

COUNT, STEPS = 37, 6
GENERATORS: dict[str, clrng.BitGenerator] = {
    "Park-Miller": clrng.ParkMiller(seed=11),
    "halves": clrng.PCG64(5),
    "lagged": clrng.LaggedFibonacci((5, 17), "+", seed=1),
    "rings": clrng.LaggedFibonacci((103, 250), "xor", 31, seed=9),
}
MAKERS: dict[str, Callable[..., Streams]] = {
    "jumps": lambda bits, queue: Streams.by_jumps(bits, COUNT, 1000, queue),
    "leapfrog": lambda bits, queue: Streams.by_leapfrog(bits, COUNT, queue),
}
EACH = np.arange(COUNT) * 1.5 + 0.5
ALL = (np.arange(COUNT * STEPS).reshape(STEPS, COUNT) % 31 + 1) / 3.0
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "one a stream": ("poisson", {"lam": EACH}),
    "one a row": ("poisson", {"lam": np.arange(STEPS * 1.0).reshape(-1, 1)}),
    "two": ("gamma", {"shape": [[1.0], [2.0]] * (STEPS // 2), "scale": EACH}),
    "places": ("normal", {"loc": EACH, "scale": ALL}),
    "a place": ("exponential", {"scale": EACH}),
    "angles": ("vonmises", {"mu": EACH % 3, "kappa": 2.5}),
    "bounds": ("uniform", {"low": -1.0, "high": ALL}),
}


def expected(starts: list[clrng.BitGenerator], queue: cl.CommandQueue, name: str, given: dict[str, Any]) -> Any:
    """Return the values that scalar calls draw of each stream, shape (STEPS, COUNT)."""
    parts = np.broadcast_arrays(*given.values(), np.empty((STEPS, COUNT)))[:-1]
    drawn = []
    for i, start in enumerate(starts):
        columns = zip(*(each[:, i].tolist() for each in parts), strict=True)
        rows: dict[Any, Any] = {}
        column = []
        for j, values in enumerate(columns):
            if values not in rows:
                rng = clrng.Generator(start.copy(), queue)
                call = one_element(name, given, zip(given, values, strict=True))
                rows[values] = getattr(rng, name)(**call, size=STEPS).get()
            column.append(rows[values][j])
        drawn.append(column)
    return np.array(drawn).T


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", GENERATORS)
def test_an_element_has_the_value_of_its_parameters(queue: cl.CommandQueue, name: str, case: str) -> None:
    method, given = CASES[case]
    bits = GENERATORS[name]
    starts = [bits.jumped(1000 * i) for i in range(COUNT)]
    wanted = expected(starts, queue, method, given)
    chosen = clrng.distribution(method, **given)
    streams = MAKERS["jumps"](bits.copy(), queue)
    same_bits(streams.sample(chosen, STEPS), wanted)
    plain = MAKERS["jumps"](bits.copy(), queue)
    plain.sample(clrng.distribution(method, **{key: np.ravel(each)[-1].item() for key, each in given.items()}), STEPS)
    assert [*streams] == [*plain]
    if all(np.ndim(each) < 2 for each in given.values()):  # one a stream
        last = MAKERS["jumps"](bits.copy(), queue)
        same_bits(last.sample(chosen, STEPS, keep="last"), wanted[-1])
        assert [*last] == [*plain]


@pytest.mark.parametrize("case", ["one a stream", "one a row", "places"])
@pytest.mark.parametrize("name", ["Park-Miller", "halves", "rings"])
def test_leapfrog(queue: cl.CommandQueue, name: str, case: str) -> None:
    method, given = CASES[case]
    bits, chosen = GENERATORS[name], clrng.distribution(method, **given)
    whole = np.broadcast_arrays(*given.values(), np.empty((STEPS, COUNT)))[:-1]
    drawn = MAKERS["leapfrog"](bits.copy(), queue).sample(chosen, STEPS).get()
    for j, i in ((0, 0), (1, 7), (2, 36), (5, 20)):
        one = {key: each[j, i].item() for key, each in zip(given, whole, strict=True)}
        alone = MAKERS["leapfrog"](bits.copy(), queue).sample(clrng.distribution(method, **one), STEPS).get()
        same_bits(drawn[j, i], alone[j, i])


WITHOUT_TABLES: dict[str, tuple[str, dict[str, Any]]] = {
    "in parts": ("noncentral_f", {"dfnum": 3.0, "dfden": 5.0, "nonc": np.arange(COUNT) % 5 + 0.5}),
    "by the host": ("negative_binomial", {"n": np.arange(COUNT) * 7 + 1, "p": 0.3}),
    "near": ("binomial", {"n": np.arange(COUNT) * 7, "p": 0.3}),
    "wide": ("zipf", {"a": 1.2 + np.arange(STEPS).reshape(-1, 1) / 10}),
    "a number": ("geometric", {"p": 1e-12}),
}


@pytest.mark.parametrize("case", WITHOUT_TABLES)
@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("name", GENERATORS)
def test_more_parameters_than_have_tables(
    queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch, name: str, maker: str, case: str
) -> None:
    method, given = WITHOUT_TABLES[case]
    bits = GENERATORS[name]
    make, chosen = (lambda: MAKERS[maker](bits.copy(), queue)), clrng.distribution(method, **given)
    whole = np.broadcast_arrays(*given.values(), np.empty((STEPS, COUNT)))[:-1]
    with monkeypatch.context() as context:
        for room, limit in ((by_element, "MAX_LAWS"), (elements, "FEW"), (elements, "MAX_TABLES")):
            context.setattr(room, limit, 2)
        context.setitem(convert.AT_ONCE, "cpu", 3 * COUNT)
        streams, last = make(), make()
        drawn = streams.sample(chosen, STEPS).get()
        if case != "wide":  # of which each row has a parameter
            same_bits(last.sample(chosen, STEPS, keep="last"), drawn[-1])
    for j, i in ((0, 0), (1, 7), (2, 36), (5, 20)):
        one = {key: each[j, i].item() for key, each in zip(given, whole, strict=True)}
        alone = make()
        same_bits(drawn[j, i], alone.sample(clrng.distribution(method, **one), STEPS).get()[j, i])
    same_bits(streams.random_raw(), alone.random_raw().get())


@pytest.mark.parametrize("name", GENERATORS)
def test_integers_take_the_steps_of_the_widest_range(queue: cl.CommandQueue, name: str) -> None:
    bits, lows, highs = GENERATORS[name], np.arange(COUNT), np.arange(COUNT) * 10**6 + 10**3
    streams = MAKERS["jumps"](bits.copy(), queue)
    drawn = streams.sample(clrng.distribution("integers", low=lows, high=highs), STEPS).get()
    base, sizes = bits.upper_bound - bits.min_value, (highs - lows).tolist()
    most = max(steps_of(n, base) for n in sizes)
    for i in (0, 5, COUNT - 1):
        raw = [int(value) - bits.min_value for value in bits.jumped(1000 * i).sequence(STEPS * most)]
        own, found = steps_of(sizes[i], base), []
        for j in range(STEPS):
            number = 0
            for digit in raw[j * most : j * most + own]:
                number = number * base + digit
            found.append(int(lows[i]) + number * sizes[i] // base**own)
        same_bits(drawn[:, i], np.array(found))
    wide = MAKERS["jumps"](bits.copy(), queue)
    wide.sample(clrng.distribution("integers", low=int(lows[-1]), high=int(highs[-1])), STEPS)
    assert [*streams] == [*wide]


@pytest.mark.parametrize("name", ["Park-Miller", "halves"])
def test_many_means(queue: cl.CommandQueue, name: str) -> None:
    bits, rows = GENERATORS[name], 40
    lam = ((np.arange(rows * COUNT) * 7919 % 1999) / 9).reshape(rows, COUNT).astype(np.float32)
    drawn = (
        MAKERS["jumps"](bits.copy(), queue).sample(clrng.distribution("poisson", lam=lam), rows, dtype="int16").get()
    )
    for i in (0, 9, COUNT - 1):
        own = clrng.Generator(bits.jumped(1000 * i), queue).poisson(lam[:, i], dtype="int16")
        same_bits(drawn[:, i], own)


def test_frozen_distributions_of_scipy(queue: cl.CommandQueue) -> None:
    frozen = stats.gamma(np.arange(1.0, COUNT + 1) % 3 + 1, scale=2.0)
    drawn = MAKERS["jumps"](clrng.ParkMiller(seed=11), queue).sample(frozen, STEPS, "float32").get()
    for i in (0, 1, COUNT - 1):
        one = clrng.Generator(clrng.ParkMiller(seed=11).jumped(1000 * i), queue)
        same_bits(drawn[:, i], one.sample(stats.gamma(frozen.args[0][i], scale=2.0), STEPS))


def test_parameters_on_the_device_and_in_out(queue: cl.CommandQueue) -> None:
    chosen = clrng.distribution("normal", loc=EACH.astype(np.float32), scale=2.0)
    wanted = MAKERS["jumps"](clrng.PCG64(5), queue).sample(chosen, STEPS)
    there = clrng.distribution("normal", loc=cla.to_device(queue, EACH.astype(np.float32)), scale=2.0)
    same_bits(MAKERS["jumps"](clrng.PCG64(5), queue).sample(there, STEPS), wanted)
    means = clrng.distribution("poisson", lam=cla.to_device(queue, EACH))
    counts = MAKERS["jumps"](clrng.PCG64(5), queue).sample(clrng.distribution("poisson", lam=EACH), STEPS)
    out = cla.empty(queue, (STEPS, COUNT), np.int64)
    assert MAKERS["jumps"](clrng.PCG64(5), queue).sample(means, STEPS, out=out) is out
    same_bits(out, counts)


def test_an_error_in_the_middle_leaves_all_states_as_after_the_call(
    queue: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(convert, "AT_ONCE", {"cpu": COUNT * 2, "gpu": COUNT * 2})
    streams, chosen = MAKERS["jumps"](clrng.PCG64(5), queue), clrng.distribution("poisson", lam=EACH)
    plain = MAKERS["jumps"](clrng.PCG64(5), queue)
    plain.random_raw(STEPS)
    original, calls = Layout.arguments, []

    def fails(self: Layout, name: str, first: int) -> dict[str, Any]:
        calls.append(first)
        if first == 2 * COUNT:
            raise KeyboardInterrupt
        return original(self, name, first)

    streams.sample(chosen, 0)
    with monkeypatch.context() as patched:
        patched.setattr(Layout, "arguments", fails)
        with pytest.raises(KeyboardInterrupt):
            streams.sample(chosen, STEPS)
    assert 2 * COUNT in calls
    assert [*streams] == [*plain]


ERRORS: list[tuple[dict[str, Any], str]] = [
    ({"lam": np.where(np.arange(COUNT) == 3, -1.0, 2.0)}, "lam must be .*, not -1.0, as element 3 of lam has it"),
    (
        {"lam": np.ones(COUNT + 1)},
        r"lam must be an array that can be broadcast to \(6, 37\), the shape of the result, not",
    ),
    ({"lam": ["a"]}, "lam must be a real number or an array of real numbers"),
]


@pytest.mark.parametrize(("given", "message"), ERRORS)
def test_errors_come_before_states_move(queue: cl.CommandQueue, given: dict[str, Any], message: str) -> None:
    streams = MAKERS["jumps"](clrng.PCG64(5), queue)
    before = [*streams]
    with pytest.raises((TypeError, ValueError), match=message):
        streams.sample(clrng.distribution("poisson", **given), STEPS)
    with pytest.raises(ValueError, match="scale must be finite numbers of 0 or more"):
        streams.sample(clrng.distribution("normal", scale=-EACH), STEPS)
    with pytest.raises(ValueError, match="loc must be a number, not an array, as dtype is float16"):
        streams.sample(clrng.distribution("normal", loc=EACH), STEPS, dtype="float16")
    assert [*streams] == before
