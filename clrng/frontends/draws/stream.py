"""What streams draw: raw values, uniform numbers and those of distributions, step by step."""

from typing import Any

import pyopencl.array as cla

from clrng import validation
from clrng.distributions import RAW, Transform
from clrng.distributions.distribution import transform_of
from clrng.distributions.foreign import as_distribution
from clrng.frontends.arguments import check_dtype, check_uniform
from clrng.frontends.stream_sequence import StreamSequence
from clrng.opencl import arrays, processes
from clrng.opencl.on_queue import HasAllocator, OnQueue

MOST_STEPS = 2**32 - 1
"""The most steps of a call."""


class StreamDraws(HasAllocator, OnQueue, StreamSequence):
    """The part of `Streams` that draws."""

    def random_raw(self, steps: int = 1, keep: str = "all", out: cla.Array | None = None) -> cla.Array:
        """Move every stream on by `steps` and return raw values.

        Parameters
        ----------
        steps : int, optional
            From 0 to 4294967295.
        keep : {"all", "last"}, optional
            Whether to return the values of all steps, or of the last one, which needs a step.
        out : pyopencl.array.Array, optional
            Where to put them: C-contiguous, of the values' dtype, in the context of the queue.

        Returns
        -------
        pyopencl.array.Array of ``bit_generator.dtype``, shape (steps, count) or, for ``"last"``, (count,)
            As of `Generator.random_raw`; row j has step j of every stream.

        Raises
        ------
        TypeError, ValueError
            If an argument is not legal, or the result is more than the device can allocate.
        """
        return self._advance(RAW, steps, keep, out)

    def random(self, steps: int = 1, dtype: Any = None, keep: str = "all", out: cla.Array | None = None) -> cla.Array:
        """Move every stream on by `steps` and return uniform numbers in [0, 1), as `Generator.random` makes them.

        Parameters
        ----------
        steps : int, optional
            From 0 to 4294967295.
        dtype : {"float32", "float64"}, optional
            By default that of `out`, and without it float32.
        keep : {"all", "last"}, optional
            Whether to return the values of all steps, or of the last one, which needs a step.
        out : pyopencl.array.Array, optional
            Where to put them: C-contiguous, of `dtype`, in the context of the queue.

        Returns
        -------
        pyopencl.array.Array, shape (steps, count) or, for ``"last"``, (count,)

        Raises
        ------
        TypeError, ValueError
            If an argument is not legal, or the result is more than the device can allocate.
        UnsupportedError
            If `dtype` is float64 and the device has no double precision.
        """
        return self._advance(check_uniform(dtype, out, self.device), steps, keep, out)

    def sample(
        self, distribution: Any, steps: int = 1, dtype: Any = None, keep: str = "all",
        out: cla.Array | None = None,
    ) -> cla.Array:  # fmt: skip
        """Make `steps` values of a distribution in every stream, as `Generator.sample` makes them of that stream.

        A value takes as many steps of its stream as `Generator` says, one or more: streams move on by that times
        `steps`. By leapfrog too these are the next steps of the stream itself.

        Parameters
        ----------
        distribution : Distribution, frozen distribution of scipy.stats, or callable
            As for `Generator.sample`.
        steps : int, optional
            How many values of every stream, from 0 to 4294967295.
        dtype : dtype_like, optional
            One of ``distribution.dtypes``. By default that of `out`, and without it the first of them.
        keep : {"all", "last"}, optional
            Whether to return all values, or the last one of every stream, which needs one.
        out : pyopencl.array.Array, optional
            Where to put them: C-contiguous, of `dtype`, in the context of the queue.

        Returns
        -------
        pyopencl.array.Array, shape (steps, count) or, for ``"last"``, (count,)

        Raises
        ------
        TypeError, ValueError
            If an argument is not legal, or the result is more than the device can allocate.
        UnsupportedError
            If `dtype` is float64 and the device has no double precision.

        Examples
        --------
        >>> import clrng
        >>> streams = clrng.Streams.by_leapfrog(clrng.ParkMiller(seed=1), 4)
        >>> streams.sample(clrng.distribution("poisson", lam=100), 2).get().tolist()
        [[60, 89, 107, 99], [105, 115, 97, 100]]
        """
        chosen, bits = as_distribution(distribution), self._recurrence
        kind = check_dtype(chosen.dtypes, dtype, out, self.device)
        return self._advance(transform_of(chosen, bits.min_value, bits.upper_bound, kind), steps, keep, out)

    def _advance(self, transform: Transform, steps: int, keep: str, out: cla.Array | None) -> cla.Array:
        processes.check()
        steps = validation.integer("steps", steps, 0, MOST_STEPS)
        keep_all = validation.choice("keep", keep, ("all", "last")) == "all"
        if steps == 0 and not keep_all:
            raise ValueError(f"steps must be an integer from 1 to {MOST_STEPS} for the values of the last one, not 0")
        shape = (steps, self.count) if keep_all else (self.count,)
        with self._lock:
            dtype = self._stream_states.dtype(transform)
            result = arrays.output_array(self.queue, self.device, shape, dtype, out, "steps", self.allocator)
            try:
                if steps:
                    self._stream_states.advance(transform, result, steps, keep_all=keep_all)
            except BaseException:
                self._queue.finish()  # nothing of this call goes on
                raise
        return result
