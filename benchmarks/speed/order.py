"""How fast are arrays sorted on the device, beside NumPy's sorts on the host and, on CUDA, those of CuPy and PyTorch?

`sort` is of keys alone, `pairs` moves a value of four bytes with each key, `argsort` gives places. Rates are in keys
a second; the copy is of the keys. With --plans shapes of a sort are measured, which `clrng/order/plans.py` explains.
"""

import importlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla
from harness.c_loop import Host
from harness.common import Results, arguments, attempt, chosen, kind_of, measure, run, takes_host
from peers.peers_cuda import Cuda

import clrng
from clrng import order
from clrng.measuring.timing import Work
from clrng.opencl.devices import DeviceInfo, describe
from clrng.order.plans import SortPlan, sort_plan
from clrng.order.sorting import radix_sort

EXPONENTS = {"gpu": [16, 20, 24, 26, 28], "cpu": [12, 16, 20, 22, 24]}
QUICK_EXPONENTS = [12, 16]
DTYPES = ["uint32", "float32", "uint64", "float64"]


def random_keys(name: str, size: int) -> npt.NDArray[Any]:
    """Return `size` integers of all bits, or normal floats."""
    rng, dtype = np.random.default_rng(1), np.dtype(name)
    if dtype.kind == "f":
        return rng.standard_normal(size, np.float32).astype(dtype)
    return np.frombuffer(rng.bytes(size * dtype.itemsize), dtype)


Right = Callable[[npt.NDArray[Any]], bool]
"""Says whether a result is right."""


def checked(call: Callable[[], Any], right: Right, n: int, who: str, queue: Any = None) -> Work:
    """Return the work of `call` with `n` keys, after one whose result was checked.

    Raises
    ------
    ClrngError
        If the result is not `right`; so does the check of what is returned.
    """

    def once_more() -> None:
        found = call()
        if not right(found.get() if hasattr(found, "get") else found.cpu().numpy() if hasattr(found, "cpu") else found):
            raise clrng.ClrngError(f"{who} gave another order")

    once_more()
    return Work(n, call, queue, once_more)


def is_sorted(keys: npt.NDArray[Any]) -> Right:
    """Return what says whether an array is `keys`, none of which is NaN or -0.0, in order."""
    kind = f"u{keys.itemsize}"
    known = keys.view(kind).sum(dtype=np.uint64), np.bitwise_xor.reduce(keys.view(kind)), keys.size

    def right(found: npt.NDArray[Any]) -> bool:
        bits = found.view(kind)
        return bool((found[1:] >= found[:-1]).all()) and known == (
            bits.sum(dtype=np.uint64), np.bitwise_xor.reduce(bits), found.size,
        )  # fmt: skip

    return right


def is_argsort(keys: npt.NDArray[Any]) -> Right:
    """Return what says whether an array has the places of `keys` in order, those of equal ones as they were."""

    def right(places: npt.NDArray[Any]) -> bool:
        there = np.zeros(keys.size, bool)
        there[places] = True
        found, rising = keys[places], places[1:] > places[:-1]
        return bool(there.all() and ((found[1:] > found[:-1]) | ((found[1:] == found[:-1]) & rising)).all())

    return right


def ours(queue: cl.CommandQueue, keys: npt.NDArray[Any]) -> dict[str, Work]:
    """Return the sorts of clrng, and the copy."""
    device_keys, out = cla.to_device(queue, keys), cla.empty(queue, keys.size, keys.dtype)
    places = cla.arange(queue, keys.size, dtype=np.uint32)
    n, in_order, places_in_order = keys.size, is_sorted(keys), is_argsort(keys)
    return {
        "copy": Work(keys.size, lambda: cl.enqueue_copy(queue, out.data, device_keys.data)),  # type: ignore[arg-type]  # PyOpenCL has narrower types
        "sort": checked(lambda: order.sort(device_keys, out=out), in_order, n, "sort"),
        "pairs": checked(lambda: order.sort_pairs(device_keys, places)[1], places_in_order, n, "sort_pairs"),
        "argsort": checked(lambda: order.argsort(device_keys), places_in_order, n, "argsort"),
    }


def numpy_works(keys: npt.NDArray[Any]) -> dict[str, Work]:
    """Return NumPy's sorts on the host, whose argsort is not stable."""
    return {
        "numpy.sort": Work(keys.size, lambda: np.sort(keys), Host()),
        "numpy.argsort": Work(keys.size, lambda: np.argsort(keys), Host()),
    }


def cupy_works(keys: npt.NDArray[Any]) -> dict[str, Work]:
    """Return CuPy's sort and argsort on the CUDA device."""
    cuda = Cuda()
    device_keys = cuda.cupy.asarray(keys)
    return {
        "cupy.sort": checked(lambda: cuda.cupy.sort(device_keys), is_sorted(keys), keys.size, "cupy.sort", cuda),
        "cupy.argsort": Work(keys.size, lambda: cuda.cupy.argsort(device_keys), cuda),
    }


class Torch:
    """Waits for the CUDA device."""

    def __init__(self) -> None:
        self.torch: Any = importlib.import_module("torch")

    def finish(self) -> None:
        """Wait for all its work."""
        self.torch.cuda.synchronize()


def torch_works(keys: npt.NDArray[Any]) -> dict[str, Work]:
    """Return PyTorch's sort, which gives the keys with their places, stable; of integers as signed ones."""
    torch = Torch()
    signed = keys if keys.dtype.kind == "f" else keys.view(f"i{keys.dtype.itemsize}")
    tensor = torch.torch.from_numpy(signed.copy()).cuda()
    call = lambda: torch.torch.sort(tensor, stable=True)[0]  # noqa: E731  # as short as the others
    return {"torch.sort": checked(call, is_sorted(signed), signed.size, "torch.sort", torch)}


def shapes(device: DeviceInfo, itemsize: int) -> Iterator[SortPlan]:
    """Yield the shape that is chosen for the device, and others that change it."""
    usual = sort_plan(device, itemsize)
    yield usual
    if usual.by_chunks:
        yield from (replace(usual, digit_bits=bits) for bits in (8, 10, 11, 12, 13) if bits != usual.digit_bits)
        yield from (replace(usual, max_parts=n * device.units) for n in (1, 2, 8))
        return
    largest = device.device.max_work_group_size
    for group_size in (64, 128, 256, 512):
        for keys_each in (4, 6, 8, 10, 12, 14, 16, 20, 24):
            if group_size <= largest and (group_size, keys_each) != (usual.group_size, usual.keys_each):
                yield replace(usual, group_size=group_size, keys_each=keys_each)
    yield from (replace(usual, digit_bits=bits) for bits in (4, 5, 6, 7))
    yield from (replace(usual, rank_bits=bits) for bits in (2, 3, 5))
    yield from (replace(usual, copies=copies) for copies in (1, 2, 8, 16))
    yield from (replace(usual, max_parts=n * device.units) for n in (2, 4, 8, 32, 64))


def sweep(results: Results, queue: cl.CommandQueue, keys: npt.NDArray[Any], rounds: int, what: str) -> None:
    """Measure the sort of keys, and of pairs, in every shape, and print each as it is made."""
    device_keys, out = cla.to_device(queue, keys), cla.empty(queue, keys.size, keys.dtype)
    places = cla.arange(queue, keys.size, dtype=np.uint32)
    moved = cla.empty(queue, keys.size, np.uint32)

    def sort(plan: SortPlan, values: cla.Array | None, new_values: cla.Array | None) -> cla.Array:
        radix_sort(device_keys, out, values, new_values, (0, 8 * keys.itemsize), plan=plan)
        return out

    for plan in shapes(describe(queue.device), keys.itemsize):

        def works(plan: SortPlan = plan) -> dict[str, Work]:
            return {
                "sort": checked(lambda: sort(plan, None, None), is_sorted(keys), keys.size, "sort"),
                "pairs": checked(lambda: sort(plan, places, moved), is_sorted(keys), keys.size, "pairs"),
            }

        if made := attempt(results, f"{what} {plan}", works):
            found = measure(queue, made, rounds, None)
            results.add(f"{what} {plan}", found)
            print(
                f"{what} {plan}: " + "  ".join(f"{k} {v['rate'] / 1e9:.3f} G/s" for k, v in found.items()), flush=True
            )


def main() -> None:
    """Measure, print and save."""
    options = arguments(
        __doc__,
        exponents={"type": int, "nargs": "+", "help": "sizes, as exponents of two"},
        rounds=3,
        only={"default": "", "help": "a dtype"},
        plans={"action": "store_true", "help": "measure the shapes of a sort, not the peers"},
    )
    queue = clrng.make_queue(options.device)
    device, rounds = describe(queue.device), options.rounds
    exponents = options.exponents or (QUICK_EXPONENTS if options.quick else EXPONENTS[kind_of(device)])
    results = Results(options, "order_plans" if options.plans else "order", queue, exponents=exponents, rounds=rounds)
    for name in chosen(DTYPES, options.only):
        for exponent in exponents:
            keys, what = random_keys(name, 2**exponent), f"{name} 2^{exponent}"
            if options.plans:
                sweep(results, queue, keys, rounds, what)
                continue
            works = ours(queue, keys) | (numpy_works(keys) if takes_host(device, keys.size) else {})
            works |= attempt(results, "CuPy", lambda keys=keys: cupy_works(keys)) or {}  # type: ignore[misc]
            works |= attempt(results, "PyTorch", lambda keys=keys: torch_works(keys)) or {}  # type: ignore[misc]
            found = measure(queue, works, rounds, "copy")
            results.add(what, found)
            print(f"{what:12} " + "  ".join(f"{k} {v['rate'] / 1e6:.0f} M/s" for k, v in found.items()), flush=True)
    results.close()


if __name__ == "__main__":
    run(main)
