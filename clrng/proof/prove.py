"""Prove kernels on their device before anybody sees their numbers.

What prepares a kernel calls `prove` with a check: this makes values for known places by the very launches that will be
used, and compares them with what the host makes of the mathematics. A check proves all the kernels that it launches; it
has no list of them. They are noted in the ledger of the device, so that later processes need no proof.
"""

import os
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl

from clrng import validation
from clrng.errors import WrongNumbersError
from clrng.opencl import crashes, ledger
from clrng.opencl.kernel import Kernel
from clrng.opencl.program import INSTALL, crashed

VARIABLE = "CLRNG_PROOF"
"""The environment variable that switches proofs off."""

_lock = threading.RLock()
"""One proof at a time: what they prove is shared."""

_proving: set[str] = set()
"""The keys of the kernels that are being proved: the launches of a proof must not ask for it again."""


class MismatchError(Exception):
    """Numbers of a device differ from those of the host; it says where the first does, and both numbers there."""

    def __init__(self, place: str, found: Any, expected: Any) -> None:
        super().__init__(place)
        self.place, self.found, self.expected = place, found, expected


def is_on() -> bool:
    """Return whether kernels are proved: the environment variable CLRNG_PROOF may say "off"."""
    return validation.choice(VARIABLE, os.environ.get(VARIABLE, "on").strip().lower() or "on", ("on", "off")) == "on"


def apart(queue: cl.CommandQueue) -> cl.CommandQueue:
    """Return another queue on the device of `queue`: its commands do not wait for those of `queue`."""
    return cl.CommandQueue(queue.context, queue.device)


def prove(queue: cl.CommandQueue, kernels: Sequence[Kernel], check: Callable[[], None]) -> None:
    """Run `check` unless all `kernels` are proved; then those that it launched are.

    It raises `MismatchError` where their numbers are wrong. That becomes a WrongNumbersError, which the ledger of the
    device notes; a BuildError says if earlier processes ended here.
    """
    if all(kernel.proved for kernel in kernels) or not is_on():
        return
    with _lock, ledger.recording() as launched:
        if not ledger.is_nested():
            _proving.clear()  # where an interrupt has left some
        keys = {kernel.key for kernel in kernels if kernel.key not in kernel.ledger} - _proving
        if not keys:
            return
        _proving.update(keys)
        first, device = kernels[0], queue.device
        try:
            with crashes.marked(device, first.key, f"kernel {_listed(kernels)}", first.source):
                check()
        except MismatchError as mismatch:
            raise _error(device, [*kernels, *launched], mismatch) from None
        except crashes.CrashError as error:
            raise crashed(device, first.source, error) from None
        finally:
            _proving.difference_update(keys)
        ledger.of_device(device).add(kernel.key for kernel in launched if kernel.key not in _proving)


def wrong_numbers(device: cl.Device, name: str, mismatch: MismatchError, remedy: str) -> WrongNumbersError:
    """Return the error for a mismatch of a kernel."""
    what = (
        f"{device.name} ({device.platform.name}, {device.driver_version}) makes wrong numbers: in kernel {name}, "
        f"{mismatch.place} is {mismatch.found}, not {mismatch.expected}"
    )
    return WrongNumbersError(f"{what}\nWhat to do: {remedy}.", device.name, name)


def _listed(kernels: Sequence[ledger.Provable]) -> str:
    """Return the names of kernels, as an error lists them."""
    return " and ".join(dict.fromkeys(kernel.name for kernel in kernels))


def _error(device: cl.Device, kernels: Sequence[ledger.Provable], mismatch: MismatchError) -> WrongNumbersError:
    """Return the error for a mismatch in a proof, and note it in the ledger of the device."""
    known = ledger.of_device(device)
    remedy = (
        f"take another device=, or {INSTALL}. No number of this call was returned, and the stream has not moved. From "
        f"now on clrng.choose_device prefers other devices; where the cause is gone, remove {known.note}"
    )
    error = wrong_numbers(device, _listed(kernels), mismatch, remedy)
    known.add_wrong(str(error).partition("\n")[0])
    return error


def compare(
    what: str, found: npt.NDArray[Any], expected: npt.NDArray[Any], *, first: int = 0, sure: Any = None
) -> None:
    """Compare numbers of one dtype bit for bit, of which the first is at place `first`, where they are `sure`.

    `what` names them in errors, before the place, such as ``"value"``.
    """
    bits = np.dtype(f"uint{8 * expected.dtype.itemsize}")
    differ = np.ascontiguousarray(found).view(bits) != np.ascontiguousarray(expected).view(bits)
    if sure is not None:
        differ &= sure
    places = np.flatnonzero(differ)
    if places.size:
        at = int(places[0])
        raise MismatchError(f"{what} {first + at}", found.flat[at].item(), expected.flat[at].item())
