"""Prove kernels on their device before anybody sees their numbers.

What prepares a kernel calls `prove` with a check: this makes values for known places by the very launches that will be
used, and compares them with what the host makes of the mathematics. A check proves all the kernels that it launches; it
has no list of them. They are noted in the ledger of the device, so that later processes need no proof.

Of kernels that fill memory with a stream, the values of known places are compared with the recurrence. A fill is made
from where the generator stands: long enough that work-items go on from their first values to their next, of an odd
length, and beginning at the start of the memory. Compared are its first values, those on both sides of the borders
between work-items and work-groups, and the last ones. A second fill begins far along the stream, and in the memory
between two vectors. What lies around the values must stay as it was.
"""

import os
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng import validation
from clrng.distributions import Transform
from clrng.errors import WrongNumbersError
from clrng.generators import BitGenerator
from clrng.opencl import ledger
from clrng.opencl.kernel import Kernel
from clrng.opencl.program import INSTALL, crashed
from clrng.proof import references
from clrng.proof.references import Stream

VARIABLE = "CLRNG_PROOF"
"""The environment variable that switches proofs off."""

FIRST = 5123
"""The first values of a fill that are compared; an odd number."""

MAX_VALUES = 2**22 + 1
"""The most values of a fill, of which those at borders and at the end are compared; an odd number."""

AROUND = 48
"""Values on each side of a border that are compared."""

LAST = 257
"""Values at the end that are compared."""

FAR, FAR_COUNT, FAR_OFFSET = 10**12 + 39, 1003, 3
"""Where the second fill begins along the stream, its length, and where it begins in memory."""

GUARD = 64
"""Values behind a fill that must stay as they were."""

POISON = 0xA5
"""The value of every byte before a fill."""

Make = Callable[[cla.Array, int, int, BitGenerator], Any]
"""Called with an array, a place in its memory counted in values, a number n and a bit generator, puts the n values that
follow where this stands there."""

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


def prove(queue: cl.CommandQueue, kernels: Sequence[Kernel], check: Callable[[cl.CommandQueue], object]) -> None:
    """Run `check` on a queue `apart` unless all `kernels` are proved; then those that it launched are.

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
            for kernel in kernels:
                kernel.proved = kernel.key in kernel.ledger
            return
        _proving.update(keys)
        first, device = kernels[0], queue.device
        try:
            with ledger.marked(device, first.key, f"kernel {_listed(kernels)}", first.source):
                check(apart(queue))
        except MismatchError as mismatch:
            raise _error(device, [*kernels, *launched], mismatch) from None
        except ledger.CrashError as error:
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
        f"now on clrng.choose_device prefers other devices; where the cause is gone, end this process and "
        f"remove {known.note}"
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


def poisoned(queue: cl.CommandQueue, size: int, dtype: Any) -> cla.Array:
    """Return a new array whose bytes are all `POISON`."""
    array: cla.Array = cla.Array(queue, size, dtype)
    memory: Any = array.base_data
    array.add_event(cl.enqueue_fill_buffer(queue, memory, bytes([POISON]), 0, array.nbytes))
    return array


def check_guard(kind: str, around: Any) -> None:
    """Check that bytes which nobody should have written to are as they were."""
    touched = np.flatnonzero(np.ascontiguousarray(around).view(np.uint8) != POISON)
    if touched.size:
        raise MismatchError(f"the memory {kind} the values", "written to", "left alone")


def windows(n: int, borders: Iterable[int]) -> list[tuple[int, int]]:
    """Return the first place and the number of the values that are compared of a fill of `n`."""
    found = [(0, min(FIRST, n))]
    for border in [*sorted(set(borders)), n - LAST + AROUND]:
        begin, end = max(border - AROUND, sum(found[-1])), min(border + AROUND, n)
        if border == n - LAST + AROUND:
            end = n
        if begin < end:
            found.append((begin, end - begin))
    return found


def check_fill(
    queue: cl.CommandQueue, bits: BitGenerator, transform: Transform, make: Make, n: int = FIRST,
    borders: Iterable[int] = (), far: int = FAR,
) -> None:  # fmt: skip
    """Check fills with values of `transform` from where `bits` stands.

    `n` is the length that the launches need to have all their parts; the fill is longer if that is less than `FIRST`.
    At `borders` another work-item or work-group goes on, and the second fill begins `far` values away.
    """
    if type(transform) not in references.FORMS:
        return  # a transform of somebody else, for which there is no other form
    n = min(max(n, FIRST), MAX_VALUES) | 1
    stream, within = Stream(bits), [border for border in borders if border < n]
    for offset, size, first, between in ((0, n, 0, within), (FAR_OFFSET, FAR_COUNT, far, [])):
        out: Any = poisoned(queue, offset + size + GUARD, transform.dtype or bits.dtype)
        make(out, offset, size, bits.jumped(first * transform.steps) if first else bits)
        made = out.get()
        for place, count in windows(size, between):
            found, at = made[offset + place :][:count], first + place
            expected, sure = expected_values(transform, stream, at, count)
            compare(f"value {bits.name}", found, expected, first=at, sure=sure)
        check_guard("before", made[:offset])
        check_guard("behind", made[offset + size :])


def expected_values(transform: Transform, stream: Stream, place: int, count: int) -> references.Values:
    """Return `count` values of `transform` from `place` of a stream on, and which of them are sure."""
    raw = references.raw_values(stream, place * transform.steps, count * transform.steps)
    return references.values(transform, stream.bits, raw.reshape(count, transform.steps))
