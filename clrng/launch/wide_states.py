"""The states at equal distances along one stream of a generator that multiplies modulo a number of hundreds of bits."""

from math import isqrt

import pyopencl as cl
import pyopencl.array as cla

from clrng.bit_generators.maths.wide_modulus import WideModulus
from clrng.codegen import source
from clrng.codegen.templates import render
from clrng.launch import plan as plans
from clrng.opencl import program
from clrng.opencl.contexts import kept
from clrng.opencl.transfers import upload, wait_list

GROUP_SIZE = 64
"""Work-items of a work-group."""

KEPT_TABLES = 16
"""How many tables of powers, a pair for each multiplier and number of states, are kept."""


class WideStates:
    """Makes the numbers z a^i mod m for i from 0 on, a work-item each.

    A power a^i is a product of two from tables, of powers a^(f j) and a^j for j < f, which the host has made.

    Parameters
    ----------
    queue : pyopencl.CommandQueue
    modulus : WideModulus
    """

    def __init__(self, queue: cl.CommandQueue, modulus: WideModulus) -> None:
        self._queue, self._modulus = queue, modulus
        text = source.prelude() + render("streams/wide_states.cl.mako", p="s_", **modulus.template_values)
        self._kernel = program.Kernel(queue.context, text, "wide_states")
        self._group_size = min(GROUP_SIZE, self._kernel.largest_group)
        self._tables = kept(self._make_tables, KEPT_TABLES)

    def _make_tables(self, multiplier: int, count: int) -> tuple[cla.Array, cla.Array]:
        """Return the powers a^(f j), as many as `count` states need, and the f powers a^j."""
        fine_count = 1 << isqrt(count).bit_length()
        fine = self._powers(multiplier, fine_count + 1)
        coarse = self._powers(fine.pop(), -(-count // fine_count))
        return upload(self._queue, self._modulus.to_limbs(coarse)), upload(self._queue, self._modulus.to_limbs(fine))

    def _powers(self, base: int, count: int) -> list[int]:
        """Return the powers of `base` with exponents from 0 to `count` - 1."""
        found = [1]
        while len(found) < count:
            found.append(found[-1] * base % self._modulus.value)
        return found

    def states(self, start: int, multiplier: int, count: int, out: cla.Array | None = None) -> cla.Array:
        """Return the states z a^i mod m for i from 0 to `count` - 1.

        Parameters
        ----------
        start : int
            The state z, from 0 to m - 1.
        multiplier : int
            The multiplier a, from 0 to m - 1: that of the distance from one state to the next.
        count : int
            From 1 to 2^31.
        out : pyopencl.array.Array, optional
            What to write to, of the shape and dtype of the result, after its events; by default a new array.

        Returns
        -------
        pyopencl.array.Array
            Shape (limbs, count), uint32: row k has limb k of every state, the least first. The array has the event of
            the kernel; whoever reads it in a queue without an order has to wait for that.
        """
        coarse, fine = self._tables(multiplier, count)
        if out is None:
            out = cla.Array(self._queue, (self._modulus.limbs, count), "uint32")
        event = self._kernel(
            self._queue, plans.whole_groups(count, self._group_size), self._group_size,
            upload(self._queue, self._modulus.to_limbs([start])).base_data, coarse.base_data, coarse.shape[1],
            fine.base_data, fine.shape[1], out.base_data, count, wait_for=wait_list(out),
        )  # fmt: skip
        out.add_event(event)
        return out
