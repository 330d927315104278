"""Every OpenCL device that is there, and every arithmetic that is exact on it."""

import os
import signal
from collections.abc import Iterator
from functools import cache
from typing import Any

import pyopencl as cl
import pyopencl.array as cla
import pytest
from hypothesis import settings

import clrng
from clrng.generators.families import why_not
from clrng.opencl import ledger
from clrng.opencl.pool import Pool
from tests.support import tiers

# How fast a machine is says nothing of clrng. The gate tries the same examples each time.
settings.register_profile("clrng", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("clrng")

# A shell's background jobs ignore interrupts, and their children would.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

DEVICES = clrng.list_devices()
PAIRS = [
    (info, name)
    for info in DEVICES
    for name in clrng.ARITHMETICS
    if why_not(name, info, clrng.ParkMiller(seed=1)) is None
]
COMMANDS = {"CliRunner", "subprocess", "python", "said"}
"""What a module of tests imports that runs commands or processes of its own."""


def pytest_report_header() -> list[str]:
    """Say which devices the tests run on."""
    return [f"clrng device {info.index}: {info.name}, {info.platform}, {info.driver}" for info in DEVICES]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --all and --rest, and --share for implementations whose compilers take long."""
    parser.addoption("--all", action="store_true", help="run every case of every test, which takes long")
    parser.addoption("--rest", action="store_true", help="run what --all does and no option does not")
    parser.addoption("--share", default="1/1", metavar="I/N", help="run the I-th of N shares of the tests")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what runs on a device; keep the tier that is asked for, of tests that are named all; then a share.

    Of N shares each has every N-th test, and so some cases of every long list.
    """
    for item in items:
        module = getattr(item, "module", None)
        if {"queue", "device", "exact"} & set(getattr(item, "fixturenames", ())) or hasattr(module, "make_queue"):
            item.add_marker("device")
        if item.get_closest_marker("device") or COMMANDS & vars(module).keys():
            item.add_marker("sampled")
    config.stash[tiers.COLLECTED] = list(items)
    kept = items
    if config.getoption("--rest"):
        small = set(tiers.small(items))
        kept = [item for item in items if item not in small]
    elif not config.getoption("--all") and config.args_source is not pytest.Config.ArgsSource.ARGS:
        kept = tiers.small(items)
    number, shares = map(int, config.getoption("--share").split("/"))
    kept = kept[number - 1 :: shares]
    chosen = set(kept)
    if others := [item for item in items if item not in chosen]:
        config.hook.pytest_deselected(items=others)
        items[:] = kept


@cache
def make_queue(index: int) -> cl.CommandQueue:
    """Return one queue a device for the whole run."""
    return clrng.make_queue(index)


HELD: list[cl.Context] = []
"""Contexts of queues of tests, which Intel's queues do not hold."""


def own_queue(device: cl.Device, properties: Any = 0) -> cl.CommandQueue:
    """Return a new queue in a context of its own."""
    HELD.append(cl.Context([device]))
    return cl.CommandQueue(HELD[-1], properties=properties)


@pytest.fixture(params=DEVICES, ids=lambda info: f"{info.platform} {info.driver}".replace(" ", "-"))
def device(request: pytest.FixtureRequest) -> clrng.DeviceInfo:
    """Return each device in turn."""
    info: clrng.DeviceInfo = request.param
    return info


@pytest.fixture
def queue(device: clrng.DeviceInfo) -> cl.CommandQueue:
    """Return a queue on each device in turn."""
    return make_queue(device.index)


@pytest.fixture
def any_order(device: clrng.DeviceInfo) -> Iterator[cl.CommandQueue]:
    """Return a queue that may run commands in any order.

    Intel's runtime waits for ever where such a queue is released while commands of it are at work.
    """
    properties = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
    if not device.device.queue_properties & properties:
        pytest.skip("the device has no such queues")
    assert device.index is not None
    queue = cl.CommandQueue(make_queue(device.index).context, properties=properties)
    yield queue
    queue.finish()


@pytest.fixture(params=PAIRS, ids=lambda pair: f"{pair[0].platform} {pair[0].driver} {pair[1]}".replace(" ", "-"))
def exact(request: pytest.FixtureRequest) -> tuple[cl.CommandQueue, str]:
    """Return a queue and the name of an arithmetic for each pair of a device and an arithmetic exact on it."""
    info, name = request.param
    return make_queue(info.index), name


@pytest.fixture(autouse=True)
def poisoned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fill every array that clrng makes with a value no generator yields, so that one left unwritten shows.

    Memory that has an owner is left as it is: commands may still use it until the array has taken its owner.
    """
    original = cla.Array.__init__

    def poisoning(self: cla.Array, *args: Any, **kwargs: Any) -> None:
        original(self, *args, **kwargs)
        if (
            kwargs.get("data") is None
            and self.size
            and self.queue is not None
            and isinstance(self.base_data, cl.Buffer)
        ):
            cl.enqueue_fill_buffer(self.queue, self.base_data, b"\xff", self.offset, self.nbytes).wait()

    lend = Pool.__call__

    def lending(self: Pool, nbytes: int, size: int) -> cl.Buffer:
        memory = lend(self, nbytes, size)
        cl.enqueue_fill_buffer(cl.CommandQueue(self._context), memory, b"\xff", 0, nbytes).wait()
        return memory

    monkeypatch.setattr(cla.Array, "__init__", poisoning)
    monkeypatch.setattr(Pool, "__call__", lending)


@pytest.fixture(autouse=True)
def no_device_stays_broken() -> Iterator[None]:
    """Fail a test that leaves a device known as broken, which is the end of all tests after it, and forget that.

    A test that breaks what kernels are compared with has them proved before.
    """
    known = [ledger.of_device(info.device) for info in DEVICES]
    yield
    broken = [each for each in known if each.wrong]
    for each in broken:
        each.note.unlink(missing_ok=True)
        ledger.of_device.cache_clear()
    assert not broken, "it left devices that are known to make wrong numbers"
