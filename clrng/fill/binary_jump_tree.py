"""The tree of jumps of recurrences over GF(2) with long states, as Mersenne Twisters have them."""

from typing import Any

import numpy as np
import numpy.typing as npt

from clrng.errors import UnsupportedError
from clrng.fill.jump_tree import STRETCH, JumpShape, JumpTree
from clrng.generators.lagged import LaggedCode
from clrng.opencl.devices import DeviceInfo
from clrng.opencl.kernel import whole_groups

FEW, SOME = 8, 64
"""The most states that are made by one level of jumps, and by two; more are made by three, as weights take long."""

VECTORS = 8
"""Sums that a work-item of a CPU keeps in vectors."""

WEIGHTS = 32
"""Weights, of a bit each, in a word of them."""

CHUNK_BYTES = 16
"""The fewest bytes of a sum that a work-item of a GPU has: what it loads at once."""

SLICES = 4
"""The most work-items of a GPU that share the bytes of a polynomial for the same words of a state, a power of two."""

BYTE = 8
"""Bits of a byte."""

LISTS = (1 << BYTE) + 1
"""Words of a row of weights that say where the places of each byte begin, and where those of the last one end."""


class BinaryJumpTree(JumpTree):
    """Makes states as sums modulo 2 of as many states as the characteristic polynomial has coefficients."""

    def _shape(self, width: int, device: DeviceInfo) -> JumpShape:
        code, of_gpu = self._code, width == 1
        values = _gpu_values(code, device) if of_gpu else _cpu_values(code, width)
        self._chunk, self._zeros = values["chunk"], values["stream_words"] if of_gpu else None
        items = values["group_size"] if of_gpu else values["padded"] // values["chunk"]
        template = "streams/jump_binary_states.cl.mako"
        return JumpShape(values["padded"], values["source_words"], items, values["group_size"], template, values)

    def _depth(self, count: int) -> int:
        return 1 if count <= FEW else 2 if count <= SOME else 3

    def _weights(self, powers: Any) -> npt.NDArray[Any]:
        """Return the weights of jumps as the device takes them, in rows.

        A CPU takes a bit each, the first in the lowest one of a word; a GPU takes places of bytes.
        """
        size = _polynomial_bytes(self._code)
        polynomials = np.array([np.frombuffer(power.to_bytes(size, "little"), np.uint8) for power in powers])
        if self._zeros is None:
            return polynomials.view("<u4").astype(np.uint32)
        return np.array([_places_of_bytes(polynomial, self._chunk, self._zeros) for polynomial in polynomials])


def _cpu_values(code: LaggedCode, width: int) -> dict[str, Any]:
    """Return the values that the template takes for a CPU with vectors of `width` words."""
    chunk, degree = VECTORS * width, code.recurrence.jumps.degree
    row_words = whole_groups(code.order, chunk)
    words = whole_groups(row_words + whole_groups(degree, WEIGHTS) + chunk, WEIGHTS)
    return {
        **_common(code),
        "chunk": chunk,
        "padded": row_words,
        "stream_words": words,
        "source_words": words,
        "group_size": 1,
    }


def _gpu_values(code: LaggedCode, device: DeviceInfo) -> dict[str, Any]:
    """Return the values that the template takes for a GPU.

    An UnsupportedError says if a work-group has too few work-items for the words of a state, of which each has a
    vector. The places of bytes, 8 words apart, are multiples of these vectors, so that they have 8 words at most.
    """
    chunk, largest_group = CHUNK_BYTES // code.word.itemsize, device.device.max_work_group_size
    while (lanes := whole_groups(-(-(code.order + BYTE - 1) // chunk), 32)) > largest_group:
        chunk *= 2
        if chunk > BYTE:
            raise UnsupportedError(
                f"{code.recurrence.name} needs work-groups of {lanes} work-items to jump, but {device.name} has at "
                f"most {largest_group}; take another device"
            )
    slices = SLICES
    while slices * lanes > largest_group:
        slices //= 2
    words = whole_groups(code.recurrence.jumps.degree, WEIGHTS) + lanes * chunk
    return {
        **_common(code),
        "chunk": chunk,
        "padded": whole_groups(code.order, chunk),
        "stream_words": words,
        "source_words": words + lanes * chunk,
        "group_size": slices * lanes,
        "slices": slices,
        "lanes": lanes,
        "rounds": -(-code.order // (slices * lanes)),
        "weight_words": _weight_words(_polynomial_bytes(code)),
    }


def _common(code: LaggedCode) -> dict[str, Any]:
    return {"degree": code.recurrence.jumps.degree, "lags": code.recurrence.lags, "stretch": STRETCH}


def _polynomial_bytes(code: LaggedCode) -> int:
    degree: int = code.recurrence.jumps.degree
    return whole_groups(degree, WEIGHTS) // BYTE


def _weight_words(size: int) -> int:
    """Return the words of the weights of a polynomial with so many bytes, in which each of 255 may be one too few.

    Behind the last pair is a word that is read ahead.
    """
    return LISTS + (size + (1 << BYTE) - 1) // 2 + 1


def _places_of_bytes(polynomial: npt.NDArray[np.uint8], chunk: int, zeros: int) -> npt.NDArray[np.uint32]:
    """Return the places of the bytes of a polynomial in pairs, those of equal bytes together, behind where each begins.

    Places are of bits, in units of `chunk`. A byte that comes an odd number of times has the place `zeros` too, and
    bytes that are 0 have none.
    """
    counts = np.bincount(polynomial, minlength=(1 << BYTE))
    first = counts[0]
    counts[0] = 0
    begins = np.concatenate(([0], np.cumsum(-(-counts // 2))))
    order = np.argsort(polynomial, kind="stable")[first:]
    of = polynomial[order]
    within = np.arange(len(order)) - (np.cumsum(counts) - counts)[of]
    size = _weight_words(len(polynomial))
    places = np.full(2 * (size - LISTS), zeros // chunk, np.uint32)
    places[2 * begins[of] + within] = order * BYTE // chunk
    return np.concatenate((begins, places[::2] | places[1::2] << 16)).astype(np.uint32)
