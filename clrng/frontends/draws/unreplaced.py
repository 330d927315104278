"""Samples without replacement, for `choice` on one device."""

from math import prod
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pyopencl.array as cla

from clrng import validation
from clrng.distributions import RAW
from clrng.distributions.catalog import distribution
from clrng.distributions.distribution import integers
from clrng.frontends.arguments import Size
from clrng.frontends.draws.discrete import whole_dtype
from clrng.frontends.draws.order import OrderDraws
from clrng.frontends.permutations import samples
from clrng.opencl import arrays, host_arrays, processes
from clrng.opencl.transfers import upload
from clrng.order import copies
from clrng.order.arguments import MAX_SIZE


class UnreplacedDraws(OrderDraws):
    """Draws integers that are all different."""

    def _unreplaced(self, count: int, size: Size | None, p: Any, dtype: Any, out: Any) -> cla.Array:
        """Return different integers below `count`; arguments are as for `choice`, and the stream moves on as it says.

        Raises
        ------
        TypeError, ValueError, UnsupportedError, BuildError
            As `choice` does; the stream has not moved then.
        """
        processes.check()
        shape, kind = self._checked_out(size, dtype, out)
        wanted = prod(shape)
        if wanted > count:
            raise ValueError(f"size must be at most the {count} of a, without replacement, not {wanted} values")
        weights = None if p is None else _weights(count, p, wanted)
        in_order = weights is None and wanted * samples.FEW > count
        if in_order and count > MAX_SIZE:
            raise ValueError(
                f"a must be at most {MAX_SIZE} where more than an eighth of it is drawn without replacement, "
                f"not {count}"
            )
        result = None
        if out is not np.ndarray and not isinstance(out, np.ndarray):
            result = self._output_array(shape, kind, out)
            if wanted:
                copies.build(self.queue, arrays.model(self.queue, shape, kind), result)  # before the stream moves
        found: Any
        if weights is not None:
            found = self._weighted(count, weights, wanted)
        elif in_order:
            found = self._order(self._output_array((count,), kind, None, "a"))[:wanted]
        else:
            found = self._first_seen(count, wanted)
        return self._as_result(found, shape, kind, out if result is None else result)

    def _checked_out(self, size: Size | None, dtype: Any, out: Any) -> tuple[tuple[int, ...], np.dtype[Any]]:
        """Return the shape and the dtype of a result."""
        kind = whole_dtype(dtype, out)
        shape = None if size is None else validation.shape("size", size)
        if isinstance(out, np.ndarray):
            host_arrays.check(shape, kind, out, strided=True)
        elif out is not None and out is not np.ndarray:
            self._output_array(shape, kind, out)
        if shape is None:
            shape = () if out is None or out is np.ndarray else out.shape
        return shape, kind

    def _as_result(self, found: Any, shape: tuple[int, ...], kind: np.dtype[Any], out: Any) -> cla.Array:
        """Return integers, of the host or in the memory of an order, as a result of their own."""
        if isinstance(found, np.ndarray):
            found = upload(self.queue, found.astype(kind))
        found = found.reshape(shape)
        if out is np.ndarray or isinstance(out, np.ndarray):
            return cast("cla.Array", host_arrays.copied(self.queue, found, out))  # what the caller gave
        return copies.move(self.queue, found, out)

    def _first_seen(self, count: int, wanted: int) -> npt.NDArray[Any]:
        """Return the first different ones of the next integers below `count`."""
        drawn = integers(0, count, "uint64")
        with self._lock:
            bits = self._looked_at()
            moving, transform = bits.copy(), self._transform(drawn, np.dtype(np.uint64))

            def draw(n: int) -> npt.NDArray[Any]:
                made = arrays.output_array(self.queue, self.device, (n,), np.dtype(np.uint64))
                self._fill(transform, made, moving)
                moving.advance(n * transform.steps)
                return made.get(self.queue)

            found, taken = samples.first_seen(wanted, draw)
            bits.advance(taken * transform.steps)
        return found

    def _weighted(self, count: int, weights: tuple[float, ...], wanted: int) -> npt.NDArray[Any]:
        """Return integers drawn in proportion to `weights`, each from those that are left."""
        with self._lock:
            bits = self._looked_at()
            steps = samples.wait_steps(bits.upper_bound - bits.min_value)
            raw = arrays.output_array(self.queue, self.device, (count * steps,), bits.dtype, name="a")
            self._fill(RAW, raw, bits)
            digits = raw.get(self.queue).astype(np.uint64).reshape(count, steps) - np.uint64(bits.min_value)
            waits = samples.exponentials(digits, bits.upper_bound - bits.min_value)
            bits.advance(count * steps)
        return samples.weighted(wanted, weights, waits)


def _weights(count: int, p: Any, wanted: int) -> tuple[float, ...]:
    """Return the probabilities `p`, of which there must be as many above 0 as integers are wanted."""
    chosen: Any = distribution("choice", a=count, p=p)
    weights: tuple[float, ...] = chosen.discrete.p
    possible = sum(weight > 0 for weight in weights)
    if possible < wanted:
        raise ValueError(f"p must have at least {wanted} probabilities above 0, without replacement, not {possible}")
    return weights
