"""The methods that put things in random order, under the names and arguments of NumPy's `Generator`."""

from collections.abc import MutableSequence
from math import prod
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pyopencl.array as cla

from clrng import validation
from clrng.cuda.foreign import filled
from clrng.distributions import RAW
from clrng.distributions.catalog import distribution
from clrng.distributions.distribution import WHOLE, integers
from clrng.frontends import permutations
from clrng.frontends.drawing import Drawing, Size, as_array, whole_dtype
from clrng.frontends.permutations import Permuter, key_steps
from clrng.opencl import arrays
from clrng.opencl.arrays import is_foreign
from clrng.opencl.kernel import check_process
from clrng.opencl.spare import Lent
from clrng.order.arguments import MAX_SIZE
from clrng.order.copies import Picks, build, move

METHODS = ("sort", "bijective")

PLACES = np.dtype(np.uint64)
"""The dtype of orders that users do not see: as wide as keys, for which their memory is used for a while."""

KEYS = integers(0, 2**32, "uint32")
"""What the keys of a mapping are drawn from."""

MAX_ITEMSIZE = 16
"""The maximum bytes of an element."""


class OrderMethods(Drawing):
    """Methods that permute.

    n elements are sorted by n random keys. With the stream at position P, the key of element i is the k raw values of
    the steps P + k·i to P + k·i + k - 1. Keys are compared by the first of their raw values that differ, and elements
    of equal keys stay in order. The stream moves on by n·k steps.

    k is the least number for which n^2 / (2 m^k) is at most 2^-41, where m is the number of raw values. This is above
    the probability that two keys are equal. If no two are, all orders are equally likely. So for raw values that are
    uniform and independent, the total variation from the uniform distribution over all orders is at most 2^-41. With
    raw values of 32 bits, k is 2 up to n = 4096, 3 up to 2^28 and 4 above. With the 2^31 - 2 raw values of Park and
    Miller, it is 2 up to 2047, 3 up to 94906265 and 4 above. With 64 bits, it is 1 up to 4096 and 2 above.

    A generator of s states gives at most s different orders: `BitGenerator.largest_permutation` says up to which n
    these can be all n! orders.
    """

    _permuter: Permuter

    def permutation(self, x: Any, axis: int = 0, *, dtype: Any = None, method: str = "sort") -> cla.Array:
        """Return the integers below `x` in random order, or a copy of the array `x` shuffled along an axis.

        Parameters
        ----------
        x : int, pyopencl.array.Array or array_like
            An integer of at most 2^31; or an array with at most 2^31 elements along `axis`. An array of the device is
            of numbers. On the host elements may be anything; if they are not numbers, they stay there.
        axis : int, optional
            The axis along which slices of the array change places; all rows along it are shuffled alike.
        dtype : dtype_like, optional
            Only if `x` is an integer: any integer dtype that holds all integers below `x`, by default int64.
        method : {"sort", "bijective"}, optional
            ``"bijective"`` maps places by a network of 24 rounds with keys of 32 bits from the stream. It is not
            uniform: it chooses among at most 2^768 orders, and there is no proof that these look random. For an integer
            it needs no memory but that of the result.

        Returns
        -------
        clrng.Array
            It carries the event of its making. Where elements stay on the host, an array of NumPy.

        Raises
        ------
        TypeError
            If `x` is neither an integer nor an array of numbers, `axis` is not an integer, or `dtype` is given with an
            array.
        ValueError
            If `x` is negative or too large, has no axes, or is in another context; if `axis`, `dtype` or `method` is
            not legal; or if the keys do not fit the largest allocation of the device.
        BuildError
            If the device's compiler refuses a kernel. The stream has not moved then.

        Notes
        -----
        n elements take n k steps of the stream. With raw values of 32 bits k is 2 up to n = 4096, 3 up to 2^28 and 4
        above; with 64 bits it is 1 up to 4096 and 2 above. All orders are equally likely to within 2^-41 in total
        variation. ``"bijective"`` takes the steps of 24 integers below 2^32, however many elements there are.

        Examples
        --------
        >>> import clrng
        >>> clrng.Generator(clrng.ParkMiller(seed=1)).permutation(5).get().tolist()
        [0, 3, 2, 4, 1]
        """
        check_process()
        validation.choice("method", method, METHODS)
        if isinstance(x, (int, np.integer)):
            n = validation.integer("x", x, 0, MAX_SIZE)
            kind = validation.dtype("dtype", "int64" if dtype is None else dtype, WHOLE)
            if n > np.iinfo(kind).max + 1:
                raise ValueError(f"dtype must hold {n - 1}, the largest of the integers below x, not {kind}")
            return self._order(self._output_array((n,), kind, None, "x"), method)
        if dtype is not None:
            raise TypeError("dtype must not be given where x is an array, whose dtype the result has")
        given = self._elements_of(x)
        along = _checked_axis(given, axis)
        if not _is_of_numbers(given):
            order = self._output_array((given.shape[along],), PLACES, None, "x")
            return cast("cla.Array", given.take(self._order(order, method).get(self.queue).astype(np.intp), along))
        result = self._output_array(given.shape, given.dtype, None, "x")
        if result.size:
            self._rearrange(self._uploaded(given), result, along, method)
        return result

    def permuted(self, x: Any, axis: int | None = None, out: Any = None) -> cla.Array:
        """Return a copy of the array `x` in which each row along an axis is shuffled by itself.

        Parameters
        ----------
        x : pyopencl.array.Array or array_like
            Of numbers, with at most 2^31 elements along `axis`.
        axis : int, optional
            By default all elements are shuffled together, as if `x` had one axis. Elements draw their keys in C order,
            and k is chosen for the length of a row.
        out : pyopencl.array.Array or numpy.ndarray, optional
            Where to put the copy: an array or a slice of one, of the shape and dtype of `x`; it may be `x` itself. The
            class ``numpy.ndarray`` asks for a new array of NumPy.

        Returns
        -------
        clrng.Array
            It is `out` if that was given.

        Raises
        ------
        TypeError, ValueError, BuildError
            As for `permutation`; or if `out` is not legal.

        Notes
        -----
        An element takes k steps of the stream; k is that of `permutation` for as many elements as a row has.

        Examples
        --------
        >>> import clrng
        >>> clrng.default_rng(2026).permuted([[1, 2, 3, 4], [5, 6, 7, 8]], axis=1).get().tolist()
        [[1, 4, 3, 2], [8, 5, 6, 7]]
        """
        check_process()
        if is_foreign(out):
            return cast("cla.Array", filled(self.queue, out, lambda array: self.permuted(x, axis, array)))
        given = self._elements_of(x)
        along = None if axis is None else _checked_axis(given, axis)
        to_host = out is np.ndarray or isinstance(out, np.ndarray)
        if isinstance(out, np.ndarray):
            arrays.check_host(given.shape, given.dtype, out, strided=True)
        shape = 1, given.size, 1  # before, along and after the axis
        if along is not None:
            shape = prod(given.shape[:along]), given.shape[along], prod(given.shape[along + 1 :])
        _check_length(shape[1])
        if shape[2] > 1 and shape[1] * shape[2] > MAX_SIZE:
            raise ValueError(
                f"x must have at most {MAX_SIZE} elements along the axis and those behind it, not {shape[1] * shape[2]}"
            )
        if not _is_of_numbers(given):
            return cast("cla.Array", self._permuted_on_host(given, shape, out))
        result = self._output_array(given.shape, given.dtype, None if to_host else out, "x")
        if result.size:
            held: Any = self._uploaded(given)
            if not held.flags.c_contiguous:
                held = move(self.queue, held)
            separate = result.flags.c_contiguous and result.base_data != held.base_data
            made: Any = result if separate else cla.Array(self.queue, result.shape, result.dtype)
            _, length, inner = shape
            order = self._output_array((result.size,), PLACES, None, "x")
            moved = held.reshape(shape), made.reshape(shape), Picks(order, 1, (inner * length, 1, length))
            build(self.queue, *moved)
            build(self.queue, made, result)
            self._orders(order, shape)
            move(self.queue, *moved)
            if not separate:
                move(self.queue, made, result)
        return cast("cla.Array", arrays.copied(self.queue, result, out)) if to_host else result

    def _permuted_on_host(self, x: npt.NDArray[Any], shape: tuple[int, int, int], out: Any) -> Any:
        """Do what `permuted` does with elements that stay on the host; `shape` is that before, along and after."""
        if not (out is None or out is np.ndarray or isinstance(out, np.ndarray)):
            raise TypeError(f"out must be an array of NumPy as that of x is, not {validation.shown(out)}")
        before, length, inner = shape
        order = self._output_array((x.size,), PLACES, None, "x")
        places = (
            self._orders(order, shape).get(self.queue).astype(np.intp).reshape(before, inner, length).swapaxes(1, 2)
        )
        moved = np.take_along_axis(x.reshape(shape), places, 1).reshape(x.shape)
        if not isinstance(out, np.ndarray):
            return moved
        out[...] = moved
        return out

    def shuffle(self, x: Any, axis: int = 0, *, method: str = "sort") -> None:
        """Shuffle the array `x` in place.

        Parameters
        ----------
        x : pyopencl.array.Array, numpy.ndarray or list
            A writeable array or slice of one, with at most 2^31 elements along `axis`. On the device its elements are
            numbers; on the host they may be anything, and the host moves them. A list, or another sequence whose
            elements can be replaced, has one axis.
        axis : int, optional
            The axis along which slices of the array change places; all rows along it are shuffled alike.
        method : {"sort", "bijective"}, optional
            As for `permutation`.

        Raises
        ------
        TypeError, ValueError, BuildError
            As for `permutation`; or if `x` is not an array, cannot be written to, or has two elements at one place. It
            is then unchanged.

        Notes
        -----
        It takes as many steps of the stream as `permutation` of the elements along `axis`.

        Examples
        --------
        >>> import clrng
        >>> import numpy as np
        >>> x = np.arange(8)
        >>> clrng.default_rng(2026).shuffle(x)
        >>> x.tolist()
        [7, 0, 4, 3, 2, 1, 5, 6]
        """
        check_process()
        validation.choice("method", method, METHODS)
        if is_foreign(x):
            filled(self.queue, x, lambda array: self.shuffle(array, axis, method=method), "x", reads=True)
            return
        if isinstance(x, MutableSequence):
            validation.integer("axis", axis, -1, 0)
            _check_length(len(x))
            order = self._output_array((len(x),), PLACES, None, "x")
            moved = [x[place] for place in self._order(order, method).get(self.queue).tolist()]
            for place, element in enumerate(moved):
                x[place] = element
            return
        if not isinstance(x, (cla.Array, np.ndarray)):
            legal = "a pyopencl.array.Array, an array of NumPy or a list"
            raise TypeError(f"x must be {legal}, not {validation.shown(x)}")
        if isinstance(x, cla.Array):
            x = self._elements_of(x)
            arrays.check(self.queue, None, x.dtype, x, strided=True, name="x")
        elif not x.flags.writeable:
            raise ValueError("x must be an array that may be written to, not one that is read-only")
        else:
            arrays.check_places(x, "x")
        along = _checked_axis(x, axis)
        if x.size == 0:
            return
        if isinstance(x, cla.Array) and (x.size > x.shape[along] or x.dtype.itemsize > PLACES.itemsize):
            self._rearrange(move(self.queue, x), x, along, method)
            return
        order = self._output_array((x.shape[along],), PLACES, None, "x")
        if isinstance(x, np.ndarray):
            x[...] = np.take(x, self._order(order, method).get(self.queue).astype(np.intp), along)
            return
        picks, there = Picks.along(along, x.ndim, order), _in_place_of(order, x)
        build(self.queue, x, there, picks)
        build(self.queue, there, x)
        self._order(order, method)
        move(self.queue, move(self.queue, x, there, picks), x)

    def _rearrange(self, source: cla.Array, target: cla.Array, along: int, method: str) -> None:
        """Put the slices of `source` along an axis into `target` in random order."""
        order = self._output_array((source.shape[along],), PLACES, None, "x")
        picks = Picks.along(along, source.ndim, order)
        build(self.queue, source, target, picks)  # before the stream moves
        self._order(order, method)
        move(self.queue, source, target, picks)

    def _order(self, order: cla.Array, method: str = "sort") -> cla.Array:
        """Fill an array with the integers below its size in random order, move on, and return it."""
        if method == "sort":
            return self._orders(order, (1, order.size, 1))
        permutations.build_mapping(self.queue, order.dtype)  # before the stream moves
        keys = self._draw(KEYS, permutations.ROUNDS, None, np.dtype(np.uint32))
        if order.size:
            permutations.map_places(self.queue, order, keys)
        return order

    def _orders(self, order: cla.Array, shape: tuple[int, int, int]) -> cla.Array:
        """Fill `order` with an order for each row along the second axis of `shape`, one after another; return it."""
        with self._lock:
            bits = self._looked_at()
            steps = key_steps(shape[1], bits.upper_bound - bits.min_value)
            if order.size:
                self._permuter.permute(order, bits, shape, steps, self._fill)
            bits.drawn(bits, order.size * steps)
        return order

    def _elements_of(self, x: Any) -> Any:
        """Return `x`, an array of the device, or anything else as an array of the host, if it can be permuted."""
        legal = "an integer, or an array of one dimension or more, and on the device of numbers"
        found = as_array("x", x, legal, self.queue)
        if not _is_of_numbers(found) and (isinstance(found, cla.Array) or found.ndim == 0):
            raise TypeError(f"x must be {legal}, not {validation.shown(x)}")
        if found.ndim == 0:
            raise ValueError(f"x must be {legal}, not {validation.shown(x)}")
        if isinstance(x, cla.Array):
            if x.context != self.queue.context:
                raise ValueError("x must be in the context of the generator's queue, not in another one")
            arrays.check_memory("x", x)
            arrays.flush_others(self.queue, x)
        return found

    def _uploaded(self, elements: Any) -> cla.Array:
        """Return an array of the device as it is, and one of the host as a copy there."""
        return elements if isinstance(elements, cla.Array) else arrays.upload(self.queue, elements)

    def _unreplaced(self, count: int, size: Size, p: Any, dtype: Any, out: Any) -> cla.Array:
        """Return different integers below `count`, and move the stream on, both as `choice` says."""
        if is_foreign(out):
            return cast(
                "cla.Array", filled(self.queue, out, lambda array: self._unreplaced(count, size, p, dtype, array))
            )
        check_process()
        kind, shape = whole_dtype(dtype, out), None if size is None else validation.shape("size", size)
        to_host = out is np.ndarray or isinstance(out, np.ndarray)
        if isinstance(out, np.ndarray):
            arrays.check_host(shape, kind, out, strided=True)
        elif out is not None and not to_host:
            self._output_array(shape, kind, out)
        if shape is None:
            shape = () if out is None or out is np.ndarray else cast("tuple[int, ...]", out.shape)
        wanted = prod(shape)
        if wanted > count:
            raise ValueError(f"size must be at most the {count} of a, without replacement, not {wanted} values")
        weights = None if p is None else _weights(count, p, wanted)
        in_order = weights is None and wanted * permutations.FEW > count
        if in_order and count > MAX_SIZE:
            raise ValueError(
                f"a must be at most {MAX_SIZE} where more than an eighth of it is drawn without replacement, "
                f"not {count}"
            )
        result = None if to_host else self._output_array(shape, kind, out)
        if result is not None and wanted:
            build(self.queue, arrays.model(self.queue, shape, kind), result)  # before the stream moves
        found: Any
        if in_order:
            found = self._order(self._output_array((count,), kind, None, "a"))[:wanted]
        else:
            found = (
                self._first_seen(count, self._output_array((wanted,), kind, None))
                if weights is None
                else arrays.upload(self.queue, self._weighted(count, weights, wanted).astype(kind))
            )
        found = found.reshape(shape)
        if result is None:
            return cast("cla.Array", arrays.copied(self.queue, found, out))  # what the caller gave
        return move(self.queue, found, result)

    def _first_seen(self, count: int, found: cla.Array) -> cla.Array:
        """Return `found`, filled with the first different ones of the next integers below `count`."""
        drawn = integers(0, count, "uint64")
        with self._lock, Lent(self.queue, self.device) as lent:
            bits = self._looked_at()
            transform = bits.transform_of(drawn, np.dtype(np.uint64))
            taken = bits.taken(transform)

            def draw(n: int) -> cla.Array:
                made = lent.array(n, np.dtype(np.uint64), "size")
                self._fill(transform, made, taken)
                return made

            used = permutations.first_seen(self.queue, found.size, found, draw)
            bits.drawn(taken, used * transform.steps)
        return found

    def _weighted(self, count: int, weights: tuple[float, ...], wanted: int) -> npt.NDArray[Any]:
        """Return integers drawn in proportion to `weights`, each from those that are left."""
        with self._lock:
            bits = self._looked_at()
            steps = permutations.wait_steps(bits.upper_bound - bits.min_value)
            raw = arrays.output_array(self.queue, self.device, (count * steps,), bits.dtype, name="a")
            self._fill(RAW, raw, bits)
            digits = raw.get(self.queue).astype(np.uint64).reshape(count, steps) - np.uint64(bits.min_value)
            waits = permutations.exponentials(digits, bits.upper_bound - bits.min_value)
            bits.drawn(bits, count * steps)
        return permutations.weighted(wanted, weights, waits)


def _in_place_of(order: cla.Array, x: cla.Array) -> cla.Array:
    """Return an array like `x`, which has one row, with each element in the memory of its place in `order`."""
    strides = (PLACES.itemsize,) * x.ndim  # other axes have one element
    return cla.Array(
        order.queue, x.shape, x.dtype, strides=strides, data=order.base_data, offset=order.offset, events=order.events
    )


def _is_of_numbers(x: Any) -> bool:
    """Return whether the elements of an array are numbers that a device can move."""
    return x.dtype.kind in "biufc" and x.dtype.itemsize <= MAX_ITEMSIZE


def _checked_axis(x: Any, axis: Any) -> int:
    """Return the axis of `x`, counted from 0, if the elements along it can be put in order."""
    axes: int = x.ndim
    along = validation.integer("axis", axis, -axes, axes - 1) % axes
    _check_length(x.shape[along])
    return along


def _check_length(length: int) -> None:
    if length > MAX_SIZE:
        raise ValueError(f"x must have at most {MAX_SIZE} elements along the axis, not {length}")


def _weights(count: int, p: Any, wanted: int) -> tuple[float, ...]:
    """Return the probabilities `p`, of which there must be as many above 0 as integers are wanted."""
    chosen: Any = distribution("choice", a=count, p=p)
    weights: tuple[float, ...] = chosen.p
    possible = sum(weight > 0 for weight in weights)
    if possible < wanted:
        raise ValueError(f"p must have at least {wanted} probabilities above 0, without replacement, not {possible}")
    return weights
