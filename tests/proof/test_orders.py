"""Kernels of random orders and of arrays in order: errors planted in a work-item, and what they must not have done."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla
import pytest
from numpy.testing import assert_array_equal

import clrng
from clrng import order
from clrng.errors import WrongNumbersError
from clrng.frontends.permutations import MANY, Permuter, key_steps
from clrng.opencl import ledger
from clrng.opencl.devices import describe
from clrng.opencl.kernel import Kernel
from clrng.order import kernels, plans
from clrng.order.arguments import queue_of
from clrng.order.plans import RowSortPlan, SortPlan
from clrng.order.sorting import radix_sort

SMALL_PLANS = (
    RowSortPlan(1, 64, 3, in_order=False, max_local=64, keys_a_heap=0.5, groups=4, piece=500),
    RowSortPlan(16, 64, 3, in_order=True, max_local=64, keys_a_heap=2, groups=4, piece=500),
)
"""Shapes in which rows of few hundred keys need two passes; work-items alone, and together as those of a GPU."""

GROUPS = SortPlan(8, 32, 4, 3)
AHEAD = SortPlan(8, 32, 4, 3, ahead=True)
ALONE = SortPlan(8, 32, 32, 1, max_alone=32 * 32)
SWEEPS = SortPlan(8, 256, 2, 1, sweeps=True)

N = 1000
NUMBERS = np.random.default_rng(1).integers(0, N, N)
LARGE = np.arange(2**16) % 64


OF_DOUBLES = (
    "divide",
    "exponentials",
    "rounded",
    "add_counts",
    "find_no_triangles",
    "hypergeometric_by_element",
    "put_listed",
    "triangular_by_element",
)
"""The kernels that run only where there is double precision."""


def planted(monkeypatch: pytest.MonkeyPatch, kernel: str, *changes: tuple[str, str]) -> list[str]:
    """Change the text of all kernels of a name; return the list of those that were changed."""
    found: list[str] = []
    made = Kernel.__init__

    def init(self: Kernel, context: cl.Context, source: str, name: str) -> None:
        if name == kernel:
            right = source
            for old, new in changes:
                source = source.replace(old, new)
            found.extend([name] * (source != right))
        made(self, context, source, name)

    monkeypatch.setattr(Kernel, "__init__", init)
    return found


def numbers(queue: cl.CommandQueue, dtype: str = "uint32") -> cla.Array:
    return cla.to_device(queue, NUMBERS.astype(dtype))


def generator(queue: cl.CommandQueue) -> clrng.Generator:
    return clrng.Generator(clrng.ParkMiller(seed=1), queue)


def zeros(rng: clrng.Generator) -> cla.Array:
    return cla.zeros(rng.queue, N, np.float32)


def permute(queue: cl.CommandQueue, plan: RowSortPlan, bits: Any, shape: tuple[int, int, int]) -> cla.Array:
    rng = clrng.Generator(bits.copy(), queue)
    made = cla.zeros(queue, int(np.prod(shape)), np.int64)
    steps = key_steps(shape[1], bits.upper_bound - bits.min_value)
    permuting = Permuter(queue, describe(queue.device), rng._executor.code, plan)
    permuting.permute(made, bits, shape, steps, rng._fill)
    return made


ITEM = ("get_global_id(0)", "(get_global_id(0) == 64 ? 63 : get_global_id(0))")
"""Leaves one work-item's value out."""

LONGS = "convert_long8(t)", "convert_long2(t)", "(long)t"
"""What kernels make integers by: in vectors on CPUs, of 16 bytes on GPUs, and one alone."""

DRAWN: dict[str, tuple[str, list[tuple[str, str]], Callable[[clrng.Generator], Any]]] = {
    "locate": ("locate", [ITEM], lambda rng: rng.normal(NUMBERS)),
    "on a circle": ("locate", [ITEM], lambda rng: rng.vonmises(NUMBERS, 4.0)),
    "pair": (
        "pair",
        [("* size +", "* size + (i == 70) +")],
        lambda rng: rng.uniform(LARGE, 1 + LARGE, dtype="float16"),
    ),
    "exponentials": (
        "exponentials",
        [("(1.0 + (r + more)", "(1.0 + (i == 64) + (r + more)")],
        lambda rng: rng.lognormal(0.01 * LARGE, 1 + 0.01 * LARGE),
    ),
    "rounded": (
        "rounded",
        [ITEM],
        lambda rng: rng.wald(1 + LARGE, 1 + LARGE),
    ),
    "range sizes": (
        "find_range_sizes",
        [("high = max(high, size);", "high = max(high, size + 1);")],
        lambda rng: rng.integers(1 + LARGE),
    ),
    "ranges": (
        "values_in_ranges",
        [(f"y = {made};", f"y = {made} + (begin == 64);") for made in LONGS],
        lambda rng: rng.integers(1 + LARGE),
    ),
    "hypergeometric": (
        "hypergeometric_by_element",
        [(made, f"{made} + (begin == 64)") for made in ("convert_int16(k)", "= (int)k")],
        lambda rng: rng.hypergeometric(1 + LARGE, 1 + LARGE, 1, dtype="int32"),
    ),
    "listed": (
        "put_listed",
        [("= values[i]", "= values[i ^ (i == 70)]")],
        lambda rng: rng.hypergeometric(1 + LARGE, 1 + LARGE, 1),
    ),
    "triangular": (
        "triangular_by_element",
        [("right, number);", "right, number) + (begin == 64);")],
        lambda rng: rng.triangular(-1 - LARGE, 0.5 * LARGE, 1 + LARGE),
    ),
    "in order": (
        "find_no_triangles",
        [("(left < right)", "(left <= right)")],
        lambda rng: rng.triangular(-1 - LARGE, 0.5 * LARGE, 1 + LARGE),
    ),
    "raw values of mixtures": (
        "take_raw",
        [("= given[j * inner]", "= given[j * inner] + (i == 70)")],
        lambda rng: rng.noncentral_chisquare(1 + LARGE, LARGE),
    ),
    "counts of mixtures": (
        "add_counts",
        [("df + 2.0 * count", "df + 2.0 * count + (begin == 64)")],
        lambda rng: rng.noncentral_chisquare(1 + LARGE, LARGE),
    ),
    "ratios": ("divide", [("a / b;", "a / (b + (i == 70));")], lambda rng: rng.wald(1 + LARGE, 2)),
    "near": (
        "poisson_by_element",
        [("&nearest);", "&nearest) + (begin == 64);")],
        lambda rng: rng.poisson(NUMBERS),
    ),
    "near n and p": (
        "binomial_by_element",
        [("&nearest);", "&nearest) + (begin == 64);")],
        lambda rng: rng.binomial(NUMBERS, 0.3),
    ),
    "nearest": ("poisson_by_element", [("(uint)nearest;", "(uint)nearest + 1;")], lambda rng: rng.poisson(NUMBERS)),
    "nearest, n and p": (
        "binomial_by_element",
        [("(uint)nearest;", "(uint)nearest + 1;")],
        lambda rng: rng.binomial(NUMBERS, 0.3),
    ),
    "put": ("put_settled", [("= values[i]", "= values[i ^ (i == 70)]")], lambda rng: rng.poisson(NUMBERS)),
    "move": ("move", [ITEM], lambda rng: rng.permutation(NUMBERS)),
    "pick": ("move", [("picks[choice]", "picks[choice + (item == 70)]")], lambda rng: rng.permutation(NUMBERS)),
    "bijection": ("map_places", [("x = i;", "x = i ^ (i == 17);")], lambda rng: rng.permutation(N, method="bijective")),
    "rows": ("sort_keys", [("stage[i] & low", "(stage[i] ^ (i == 7)) & low")], lambda rng: rng.permutation(100)),
    "mend": ("mend", [("noted[2 * run + 1]", "noted[2 * run + 1] - (run == 3)")], lambda rng: rng.permutation(100)),
}


@pytest.mark.parametrize("name", DRAWN)
def test_draws(fresh: cl.CommandQueue, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel, changes, draw = DRAWN[name]
    if (kernel in OF_DOUBLES or name.startswith("nearest")) and not fresh.device.double_fp_config:
        pytest.skip("the device has no double precision")
    rng = generator(fresh)
    rng.random_raw(5)
    before = rng.bit_generator.copy()
    changed = planted(monkeypatch, kernel, *changes)
    with pytest.raises(WrongNumbersError, match=f"in kernel .*{kernel}"):
        draw(rng)
    assert changed
    assert rng.bit_generator.state == before.state
    assert ledger.of_device(fresh.device).wrong


COUNTS = {
    "take_column": ("taken[j] = raw[j]", "taken[j] = raw[j] ^ (i == 7)"),
    "put_counts": ("left[i] - count", "left[i] - count + (i == 7)"),
    "put_settled": ("= values[i]", "= values[i ^ (i == 70)]"),
}


@pytest.mark.parametrize("kernel", COUNTS)
def test_the_host_makes_counts_that_a_device_makes_wrongly(
    fresh: cl.CommandQueue, kernel: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it does where there are few rows."""
    changed, rng, few = planted(monkeypatch, kernel, COUNTS[kernel]), generator(fresh), generator(fresh)
    found = rng.multinomial(50, [0.3, 0.2, 0.5], 800).get()
    assert changed
    assert ledger.of_device(fresh.device).wrong
    assert_array_equal(found, np.concatenate([few.multinomial(50, [0.3, 0.2, 0.5], 200).get() for _ in range(4)]))


def test_what_would_have_been_shuffled_stays(fresh: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = generator(fresh)
    planted(monkeypatch, "sort_keys", ("stage[i] & low", "(stage[i] ^ (i == 7)) & low"))
    x, out = numbers(fresh), cla.zeros(fresh, N, np.uint32)
    for draw in (lambda: rng.shuffle(x), lambda: rng.permuted(x, out=x), lambda: rng.permuted(x, out=out)):
        with pytest.raises(WrongNumbersError):
            draw()
        assert_array_equal(x.get(), NUMBERS)
        assert not out.get().any()
    assert rng.bit_generator.state == clrng.ParkMiller(seed=1).state


PASSES = {
    "count_digits": ("if (found[d])", "if (found[d] && d != 3)"),
    "place_buckets": ("if (largest)", "if (largest > 1000)"),
    "pack_and_scatter": ("& ~low)", "& ~low ^ ((ulong)(i == 99) << 63))"),
    "scatter": ("= keys[i];", "= keys[i] ^ (i == 9);"),
    "sort_keys": ("stage[i] & low", "(stage[i] ^ (i == 7)) & low"),
}


@pytest.mark.parametrize("plan", SMALL_PLANS, ids=["alone", "together"])
@pytest.mark.parametrize("kernel", PASSES)
def test_passes(fresh: cl.CommandQueue, plan: RowSortPlan, kernel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    changed = planted(monkeypatch, kernel, PASSES[kernel])
    with pytest.raises(WrongNumbersError, match=kernel):
        permute(fresh, plan, clrng.ParkMiller(seed=1), (1, 700, 1))
    assert changed


IN_MEMORY = {
    "mend": ("if (u != v)", "if (u != v && step)"),
    "convert_values": ("out[offset + k]", "if (k != 99) out[offset + k]"),
}


@pytest.mark.parametrize("kernel", IN_MEMORY)
def test_keys_in_memory(fresh: cl.CommandQueue, kernel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    changed = planted(monkeypatch, kernel, IN_MEMORY[kernel])
    with pytest.raises(WrongNumbersError, match=kernel):
        permute(fresh, SMALL_PLANS[0], clrng.LaggedFibonacci((5, 17), "+", seed=1), (2, 50, 2))
    assert changed


SELECTING = [
    ("sums[get_global_id(0)] = ", "sums[get_global_id(0)] = (get_global_id(0) == 1) ^ "),
    ("sums[get_group_id(0)] = ", "sums[get_group_id(0)] = (get_group_id(0) == 1) ^ "),
]
"""By work-items alone, and by those of a group; as of the other ones."""

Call = Callable[[cla.Array], Any]

CALLS: dict[str, tuple[str, list[tuple[str, str]], Call]] = {
    "sort": (
        "scatter",
        [("keys[first + i];", "keys[first + i] ^ (first + i == 40);"), ("new_keys[", "new_keys[(i == 3) ^ ")],
        order.sort,
    ),
    "sort in place": (
        "count_digits",
        [("even[digit[i]]++", "even[digit[i]] += i != 4")],
        lambda a: order.sort(a, out=a),
    ),
    "argsort": ("scatter", [("begin + first + i;", "begin + first + (i ^ (i == 40));")], order.argsort),
    "sort_pairs": (
        "scatter",
        [("= values[first + i]", "= values[first + (i ^ (i == 40))]")],
        lambda a: order.sort_pairs(a, a),
    ),
    "cumsum": ("sum_parts", SELECTING, order.cumsum),
    "cumsum, sums": (
        "place_terms",
        [("before += sums[k];", "before += sums[k] + (k == 1);"), ("+= sums[k];", "+= sums[k] + (k == 1);")],
        order.cumsum,
    ),
    "split, sum of all": (
        "place_terms",
        [
            ("all += sums[k];", "all += (part == 0) + sums[k];"),
            ("all += before_tile;", "all += before_tile + (part == 0);"),
        ],
        lambda a: order.split(a, a),
    ),
    "compress": ("place_terms", [("a[a_offset + i]", "a[a_offset + (i ^ (i == 40))]")], lambda a: order.compress(a, a)),
    "split": ("place_terms", [("a[a_offset + i]", "a[a_offset + (i ^ (i == 40))]")], lambda a: order.split(a, a)),
    "flatnonzero": (
        "place_terms",
        [("(uint)i", "(uint)(i ^ (i == 40))"), ("= i;", "= i ^ (i == 40);")],
        order.flatnonzero,
    ),
    "unique": ("place_terms", [("= (uint)i;", "= (uint)i + (i == 0);")], lambda a: order.unique(a, False, False, True)),
    "choice": (
        "put_first",
        [("atomic_min", "atomic_max")],
        lambda a: generator(queue_of(a)).choice(2**18, MANY, replace=False),
    ),
    "choice, places": (
        "place_terms",
        [("at[at_offset + 1] = (uint)i", "at[at_offset + 1] = (uint)i + 1")],
        lambda a: generator(queue_of(a)).choice(2**18, MANY, replace=False),
    ),
    "lengths": ("lengths", [("- starts[k]", "- starts[k] + (k == 40)")], lambda a: order.unique(a, False, False, True)),
    "bincount": (
        "count_values",
        [("for (first += get_local_id(0);", "for (first += get_local_id(0) + (get_group_id(0) == 0);")],
        order.bincount,
    ),
    "extremes": ("extremes", [("= low;", "= low + (get_group_id(0) == 0);")], order.bincount),
    "clear": ("clear_counts", [("] = 0;", "] = get_global_id(0) == 3;")], lambda a: order.histogram(a, 10, (0, 500))),
    "tables": ("add_tables", [("uint sum = 0;", "uint sum = bin == 77;")], lambda a: order.bincount(a, 20_000)),
    "histogram": (
        "count_values",
        [("x >= low", "x > low"), ("y >= low", "y > low")],
        lambda a: order.histogram(a, 10, (0, 500)),
    ),
    "bytes": (
        "fold",
        [("uint sum = 0;", "uint sum = k == 7;")],
        lambda a: order.histogram(a.astype(np.uint8), 9, (0, 90)),
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_calls(fresh: cl.CommandQueue, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On devices whose plan has no such kernel, nothing is changed and nothing wrong."""
    kernel, changes, call = CALLS[name]
    a, changed = numbers(fresh), planted(monkeypatch, kernel, *changes)
    wrong = ""
    try:
        call(a)
    except WrongNumbersError as error:
        wrong = str(error)
    assert (kernel in wrong) == bool(changed)
    if wrong:
        assert_array_equal(a.get(), NUMBERS)


def call_all(queue: cl.CommandQueue, a: cla.Array) -> None:
    """Call all that there is in `clrng.order`, with several dtypes."""
    for dtype in ("uint8", "float32", "int64"):
        b = numbers(queue, dtype)
        order.sort(b, out=b, descending=True)
        order.argsort(b, bits=(1, 7))
        order.sort_pairs(b, a)
        order.compress(a, b)
        order.unique(b, True, True, True)
        order.histogram(b, 9)
        order.histogram(b, 300, (-5, 70_000.5))
    for each in (order.sort, order.unique, order.cumsum, order.flatnonzero, order.bincount):
        each(a)
    order.split(a, a)
    order.histogram(a, 9, (-5, -4))
    order.bincount(a[1:], 20_000)
    order.cumsum(a.astype(np.int8), "int32", exclusive=True)


def draw_all(queue: cl.CommandQueue) -> None:
    """Draw random orders in every way, and what else is made with their kernels."""
    rng, x = generator(queue), cla.to_device(queue, NUMBERS.astype(np.float32).reshape(10, 20, 5))
    for size in (10, 40_000):
        rng.permutation(size)
        rng.permutation(size, method="bijective")
        rng.choice(size, size // 2, replace=False)
    rng.choice(N, 7, replace=False)
    rng.choice(10 * MANY, MANY, replace=False)
    rng.choice(10, 7, replace=False, p=np.full(10, 0.1))
    rng.choice(NUMBERS, 7, replace=False)
    for axis in (0, 1, 2):
        rng.permutation(x, axis)
        rng.permuted(x, axis)
        rng.permuted(x[:, ::2], axis, out=x[:, 1::2])
        rng.shuffle(x[1:, ::3], axis)
    for dtype in ("int8", "uint16", "complex64"):
        rng.shuffle(numbers(queue, dtype))
    rng.normal(NUMBERS)
    rng.normal(zeros(rng), NUMBERS)
    rng.vonmises(NUMBERS, 4.0)


def test_nothing_is_launched_unproved(fresh: cl.CommandQueue) -> None:
    ledger.UNPROVED.clear()
    call_all(fresh, numbers(fresh))
    draw_all(fresh)
    bits = clrng.LaggedFibonacci((5, 17), "+", seed=1)
    for solved in (clrng.ParkMiller(seed=1), bits):
        clrng.DivideAndConquer(solved.copy(), fresh).random_raw(N)
    permute(fresh, SMALL_PLANS[1], bits, (2, 50, 3))
    assert not ledger.UNPROVED


def test_nothing_is_launched_unproved_by_groups(fresh: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a GPU."""
    for shapes in (plans.SCANS, plans.COUNTS):
        monkeypatch.setitem(shapes, "cpu", shapes["gpu"])
    ledger.UNPROVED.clear()
    a = numbers(fresh)
    for plan in (GROUPS, AHEAD, ALONE, SWEEPS):
        radix_sort(a, cla.empty_like(a), None, None, (0, 10), plan=plan)
    for call in (order.cumsum, order.flatnonzero, order.bincount):
        call(a)
    order.histogram(a, 9)
    permute(fresh, SMALL_PLANS[1], clrng.ParkMiller(seed=1), (1, 700, 1))
    assert not ledger.UNPROVED


FEW_LAUNCHES = {
    "count_digits": (AHEAD, ("] = sum;", "] = sum + (part == 1 && digit == 3);")),
    "scatter": (AHEAD, ("if (more)", "if (more && place != 40)")),
    "count_all_digits": (SWEEPS, ("if (sum)", "if (sum && i != 260)")),
    "sweep": (SWEEPS, ("PLACED | (place + known)", "PLACED | (place + known + (tile == 0 && item == 5))")),
    "sort_in_group": (ALONE, ("new_keys[i] = ", "new_keys[i ^ (i == 40)] = ")),
}


@pytest.mark.parametrize("kernel", FEW_LAUNCHES)
def test_sorts_of_few_keys(fresh: cl.CommandQueue, kernel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plan, change = FEW_LAUNCHES[kernel]
    a, changed = numbers(fresh), planted(monkeypatch, kernel, change)
    with pytest.raises(WrongNumbersError, match=kernel):
        radix_sort(a, a, None, None, (0, 10), plan=plan)
    assert changed
    assert_array_equal(a.get(), NUMBERS)


BY_GROUPS = {
    "sums": ("before_part += sums[k];", "before_part += sums[k] + (k >= 256);"),
    "tiles": ("before_tile += of_tile;", "before_tile += of_tile + (get_group_id(0) == 1);"),
}


@pytest.mark.parametrize("name", BY_GROUPS)
def test_scans_by_groups(fresh: cl.CommandQueue, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error that shows where there are more parts than a work-group adds up at a time, or tiles in a part."""
    monkeypatch.setitem(plans.SCANS, "cpu", plans.SCANS["gpu"])
    changed = planted(monkeypatch, "place_terms", BY_GROUPS[name])
    with pytest.raises(WrongNumbersError, match="sum_parts|place_terms"):
        order.cumsum(numbers(fresh))
    assert changed


@pytest.mark.parametrize("solved", [clrng.ParkMiller(seed=1), clrng.LaggedFibonacci((5, 17), "+", seed=1)], ids=repr)
def test_baselines(fresh: cl.CommandQueue, solved: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    changed = planted(
        monkeypatch, "step_3", ("j = get_global_id(0)", "j = get_global_id(0) ^ (get_global_id(0) == 299)")
    )
    solver = clrng.DivideAndConquer(solved.copy(), fresh)
    with pytest.raises(WrongNumbersError, match="step_3"):
        solver.random_raw(N)
    assert changed
    assert solver.bit_generator.state == solved.state


def test_what_is_proved_is_not_proved_again(fresh: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    call_all(fresh, numbers(fresh))
    draw_all(fresh)
    ledger.of_device.cache_clear()  # another process reads what this one has written

    def again(*_: Any, **__: Any) -> None:
        raise AssertionError("proved again")

    monkeypatch.setattr(kernels, "prove", again)
    monkeypatch.setattr(ledger, "marked", again)
    context = cl.Context([fresh.device])
    other = cl.CommandQueue(context)
    call_all(other, numbers(other))
    draw_all(other)


def test_it_can_be_switched_off(fresh: cl.CommandQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLRNG_PROOF", "off")
    monkeypatch.setattr(kernels, "prove", None)
    assert_array_equal(order.sort(numbers(fresh)).get(), np.sort(NUMBERS))
