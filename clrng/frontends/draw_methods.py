"""The methods that draw, under the names, the arguments and the defaults of NumPy's `Generator`.

Every front end has them: those of one device, of several, of a rank and of dask. Each says how a call is carried out.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, cast

import numpy as np
import numpy.typing as npt
import pyopencl.array as cla

from clrng import validation
from clrng.distributions import RAW, Transform
from clrng.distributions.by_element import LOOK, Look, numbers_of, zeros_and_ones
from clrng.distributions.catalog import DISTRIBUTIONS, OfArrays, by_name, is_array, takes_arrays
from clrng.distributions.distribution import WITH_ROUNDED, Continuous, Distribution
from clrng.distributions.elements import by_elements, drawable, of_frozen
from clrng.distributions.foreign import FrozenArrays, as_distribution
from clrng.distributions.shapes import OfShapes
from clrng.distributions.transforms.rounded import ROUNDED, standard_uniform
from clrng.distributions.transforms.uniform import INTERVALS
from clrng.documented import complete_all
from clrng.errors import UnsupportedError
from clrng.fill.locate import broadcast_shape
from clrng.frontends.distribution_methods import (
    ALSO_SHORT,
    CONTINUOUS,
    DRAWING,
    SIZE_ALONE,
    DistributionMethods,
    with_dtypes,
)  # fmt: skip
from clrng.frontends.drawing import ELEMENTS, Number, Size, checked_elements, dtype_of, is_nothing, whole_dtype
from clrng.generators import BitGenerator
from clrng.generators.words import MAKING
from clrng.opencl.arrays import is_foreign, queued
from clrng.order.copies import move

if TYPE_CHECKING:
    from typing_extensions import Self

MAX_BYTES = 2**62
"""The maximum of `length`; in practice the host's memory sets the limit."""

ARRAYS = (cla.Array, np.ndarray, list, tuple)
"""Types that are taken as arrays of numbers; others are if they have axes, or are sequences."""

NEUTRAL = {"loc": 0.0, "mu": 0.0, "scale": 1.0}
"""The parameters that may be arrays, and the values with which they leave standard values unchanged."""

ORDERS = "where an element goes depends on all others, so that no {part} can be made without them"

_scalars = set(np.sctypeDict.values())
UNCHANGING = frozenset({int, float, bool, str, tuple, type(None), *_scalars, *(type(np.dtype(t)) for t in _scalars)})
"""Types of parameters that are the same whenever they are equal; others, as a tensor of one value, may change."""

_cached = lru_cache(maxsize=256, typed=True)(by_name)


def refused(name: str, reason: str, instead: str = "") -> Callable[..., NoReturn]:
    """Return a method of this name that raises `UnsupportedError` with the reason why nothing is drawn.

    Its docstring says what to call `instead`: by default the same method of a generator of whole arrays.
    """
    call = instead or f"clrng.Generator(rng.bit_generator).{name}(...)"

    def method(*_: Any, **__: Any) -> NoReturn:
        raise UnsupportedError(f"{name} is not drawn here: {reason}")

    method.__name__, method.__doc__ = (
        name,
        f"Raise an error; call ``{call}`` instead.\n\nRaises\n------\nUnsupportedError\n    Always: {reason}.",
    )
    return method


def refused_orders(whole: str) -> tuple[Callable[..., NoReturn], ...]:
    """Return the methods that permute, and `_unreplaced`, where parts of arrays are drawn; errors point to `whole`."""
    reason = f"{ORDERS.format(part='part')}; {whole} draws the whole of it"
    names = "permutation", "permuted", "shuffle", "choice without replacement"
    return tuple(refused(name, reason) for name in names)


def distribution(name: str, **parameters: Any) -> Distribution:
    """Return a distribution by name; it is cached if its parameters cannot change."""
    if are_unchanging(parameters):
        with suppress(TypeError):  # a tuple cannot be hashed, or a parameter is wrong
            return _cached(name, **parameters)
    return by_name(name, **parameters)


def are_unchanging(parameters: dict[str, Any]) -> bool:
    """Return whether the values of parameters are the same in any call in which they are equal."""
    return UNCHANGING.issuperset(map(type, parameters.values()))


def values_of(value: Any, look: Look) -> Any:
    """Return an array of the device as one that `look` looks at, there or on the host, and others as they are."""
    if not isinstance(value, cla.Array):
        return value
    value = zeros_and_ones(value)
    if (taken := look.taken(value)) is not None:
        return taken
    value = queued(value)
    return (value if value.flags.forc else move(cast("Any", value.queue), value)).get()


def check_located(dtype: np.dtype[Any], names: Sequence[str]) -> None:
    """Raise an error if values of a dtype cannot be made of parameters of these names that are arrays."""
    if validation.name_of(dtype) in ROUNDED:
        raise ValueError(f"{names[0]} must be a number, not an array, as dtype is {dtype}")


def shape_with(size: Size, out: Any, arrays: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the shape of values whose parameters are `arrays`: `size`, that of `out`, or that of the arrays."""
    return broadcast_shape(size, out, {key: each.shape for key, each in arrays.items()})


class DrawMethods(DistributionMethods):
    """All methods that draw."""

    bit_generator: BitGenerator

    _arrays: ClassVar[tuple[type, ...]] = ARRAYS
    """Types of parameters that are taken as arrays."""

    _look: Look = LOOK
    """What looks at arrays of parameters."""

    @abstractmethod
    def _draw(
        self, chosen: Transform | Distribution, size: Size, out: Any, dtype: np.dtype[Any] | None = None
    ) -> cla.Array:
        """Return the next values of a transform, or of a distribution as one of its dtypes, in `out` or a new array."""

    @abstractmethod
    def _check_dtype(self, legal: tuple[str, ...], dtype: Any, out: Any) -> np.dtype[Any]:
        """Return `dtype`, by default that of `out`, or without it the first of the `legal` ones; or raise an error."""

    _places: Callable[[Mapping[str, Any], np.dtype[Any]], dict[str, Any]]
    """Called with parameters of `NEUTRAL` by name, numbers or arrays, and a dtype, returns them as arrays of that dtype
    on the host or the device."""

    _draw_located: Callable[[Continuous, tuple[int, ...], np.dtype[Any], Any, Any, Any], cla.Array]
    """Called with a distribution, a shape, a dtype, `out`, and offsets and factors from `_places`, which are
    broadcast to the shape, returns the next values times the factors plus the offsets."""

    _picker: Callable[[Any, int, Size], Callable[[cla.Array], cla.Array]]
    """Called with an array of the host or the device, an axis and a size, returns a function that takes elements along
    the axis at places, an array of int64 of that size. It builds all kernels, before the stream moves."""

    _unreplaced: Callable[[int, Size, Any, Any, Any], cla.Array]
    """Called with `count`, and `size`, `p`, `dtype` and `out` of `choice`, returns different integers below `count`."""

    @abstractmethod
    def _like(self, bit_generator: BitGenerator) -> "Self":
        """Return a front end of `bit_generator` that is otherwise like this one."""

    def _chosen(
        self, name: str, dtype: Any, out: Any, parameters: dict[str, Any]
    ) -> tuple[Transform | Distribution, np.dtype[Any] | None]:
        """Return what `_draw` makes of the values of a method, and as which dtype."""
        if name == "random_raw":
            return RAW, None
        if name == "random":
            return standard_uniform(self._check_dtype(WITH_ROUNDED, dtype, out)), None
        if name == "integers":
            kind = whole_dtype(dtype, out)
            return distribution(name, dtype=kind, **parameters), kind
        chosen = drawable(distribution(name, **parameters))
        return chosen, self._check_dtype(chosen.dtypes, dtype, out)

    def _named(self, name: str, size: Size, dtype: Any, out: Any, **parameters: Any) -> cla.Array:
        """Return the next values of a distribution by name, or those of `random` or `random_raw`."""
        arrays = {key: value for key, value in parameters.items() if self._is_array(value)}
        if arrays and takes_arrays(name, arrays):
            return self._by_elements(name, size, dtype, out, parameters, arrays)
        chosen, kind = self._chosen(name, dtype, out, parameters)
        return self._draw(chosen, size, out, kind)

    def _by_elements(
        self, name: str, size: Size, dtype: Any, out: Any, parameters: dict[str, Any], arrays: dict[str, Any]
    ) -> cla.Array:
        """Return the next values of a distribution of which some parameters are arrays."""
        held = {key: numbers_of(key, self._values_of(key, value)) for key, value in arrays.items()}
        shape = shape_with(size, out, held)
        given = dict(parameters)
        if name == "integers":
            given["dtype"] = whole_dtype(dtype, out)
        if name == "lognormal" and "sigma" not in held and held["mean"].size:
            return self._lognormal_of_means(given["sigma"], held["mean"], shape, dtype, out)
        chosen = by_elements(name, given, held, shape, look=self._looking(name, shape, out))
        kind = given["dtype"] if name == "integers" else self._check_dtype(chosen.dtypes, dtype, out)
        return self._draw(chosen, shape, out, kind)

    def _looking(self, name: str, shape: tuple[int, ...], out: Any) -> Look:  # noqa: ARG002  # others use the time
        """Return what looks at the parameters of a method whose values have a shape."""
        return self._look

    def _lognormal_of_means(self, sigma: Any, means: Any, shape: tuple[int, ...], dtype: Any, out: Any) -> cla.Array:
        """Return the next values of lognormal distributions of one sigma: those of mean 0, times exp(mean)."""
        standard = by_name("lognormal", mean=0.0, sigma=sigma)
        kind = self._check_dtype(standard.dtypes, dtype, out)
        arrays = {"mean": means, "sigma": np.array(float(sigma))}
        factors = OfShapes("lognormal", arrays, arrays, shape, look=self._look).places(kind)
        return self._draw_located(cast("Continuous", standard), shape, kind, out, np.zeros((), kind), factors)

    def _is_array(self, value: Any) -> bool:
        """Return whether a parameter is taken as an array of numbers."""
        if isinstance(value, (float, int)):  # the usual ones
            return False
        return isinstance(value, self._arrays) or (is_array(value) and not is_foreign(value))

    def _values_of(self, name: str, value: Any) -> Any:  # noqa: ARG002  # others name it in errors
        """Return an array of parameters that `_look` can look at."""
        return values_of(value, self._look)

    def _placed(self, name: str, size: Size, dtype: Any, out: Any, **parameters: Any) -> cla.Array:
        """Do the same, where the parameters in `NEUTRAL` may be arrays."""
        for value in parameters.values():
            if self._is_array(value):
                return self._placed_by_arrays(name, size, dtype, out, parameters)
        return self._named(name, size, dtype, out, **parameters)

    def _placed_by_arrays(self, name: str, size: Size, dtype: Any, out: Any, parameters: dict[str, Any]) -> cla.Array:
        given = [key for key in NEUTRAL if self._is_array(parameters.get(key))]
        if len(given) < sum(self._is_array(value) for value in parameters.values()):
            return self._named(name, size, dtype, out, **parameters)
        standard = by_name(name, **{key: NEUTRAL.get(key, value) for key, value in parameters.items()})
        chosen, loc = self._check_dtype(standard.dtypes, dtype, out), "mu" if "mu" in parameters else "loc"
        check_located(chosen, given)
        places = self._places({key: parameters.get(key, NEUTRAL[key]) for key in ("scale", loc)}, chosen)
        shape = shape_with(size, out, {key: places[key] for key in given})
        return self._draw_located(cast("Continuous", standard), shape, chosen, out, places[loc], places["scale"])

    def spawn(self, n_children: int) -> "list[Self]":
        """Return new generators, each with a stream of its own, as NumPy's `spawn` does.

        Returns
        -------
        list
            Generators like this one, on the same queues if it has any. Their bit generators are those that
            `BitGenerator.spawn` gives.

        Raises
        ------
        TypeError
            If the bit generator was not made by `BitGenerator.seeded`.

        Examples
        --------
        >>> import clrng
        >>> [child.bit_generator.state["state"]["state"] % 1000 for child in clrng.default_rng(2026).spawn(2)]
        [14, 124]
        """
        return [self._like(child) for child in self.bit_generator.spawn(n_children)]

    def random_raw(self, size: Size = None, out: cla.Array | None = None) -> cla.Array:
        """Return the next raw values, as the definition of the generator gives them.

        Returns
        -------
        clrng.Array of ``bit_generator.dtype``
            Of uint32 or, where a value can have more than 32 bits, uint64. Values are from ``bit_generator.min_value``
            to ``bit_generator.upper_bound`` - 1.

        Notes
        -----
        A value takes one step of the stream.

        Examples
        --------
        >>> print(rng.random_raw(2))
        [ 3300764713747675562 11804314397344746687]
        """
        return self._named("random_raw", size, None, out)

    def random(
        self, size: Size = None, dtype: Any = None, out: cla.Array | None = None, interval: str = "[)"
    ) -> cla.Array:
        """Return the next values as uniform numbers between 0 and 1.

        Parameters
        ----------
        interval : {"[)", "(]", "()", "[]"}, optional
            Whether 0 and 1 are among the numbers: a square bracket includes a bound, a round one excludes it. To take
            logarithms use ``"(]"``, which never returns 0. With any interval but the default, the numbers are those of
            `uniform`.

        Returns
        -------
        clrng.Array
            By default x / d, where x is the raw value and d is ``bit_generator.upper_bound``; never 1. As float32 it is
            rounded down to a multiple of 2^-24. As float64 it is rounded correctly where d is at most 2^53, and down to
            a multiple of 2^-53 where d is larger.

            As float16 and bfloat16 it is the float32 number of the same call, rounded to nearest, ties to even. The
            numbers that would be rounded to 1, shares of 2^-12 and 2^-9 of all, become the largest ones below 1:
            1 - 2^-11 and 1 - 2^-8.

        Notes
        -----
        A value takes one step of the stream; with another `interval`, as many as a value of `uniform`. As float32 it
        takes half a raw value of `PCG64`, `PCG64DXSM` and `Philox`, as in NumPy.

        Examples
        --------
        >>> print(rng.random(3))
        [0.851852   0.17893481 0.02641749]
        """
        if not isinstance(interval, str) or interval != "[)":
            validation.choice("interval", interval, INTERVALS)
            return self._named("uniform", size, dtype, out, low=0.0, high=1.0, interval=interval)
        return self._named("random", size, dtype, out)

    def uniform(
        self, low: Number = 0.0, high: Number = 1.0, size: Size = None, dtype: Any = None, out: Any = None,
        interval: str = "[)",
    ) -> cla.Array:  # fmt: skip
        """Return the next values as uniform numbers between `low` and `high`.

        Parameters
        ----------
        low, high : float or array_like, optional
            Finite numbers, low < high.
        interval : {"[)", "(]", "()", "[]"}, optional
            Which bounds are among the numbers: a square bracket includes a bound, a round one excludes it. By default
            `low` is included and `high` is excluded.

        Returns
        -------
        clrng.Array
            Equally spaced floats: the spacing is that of floats at the bound of larger magnitude. The bounds are first
            rounded to `dtype`. An excluded bound is never returned; an included one can be. -0.0 is never returned. Let
            n be the number of such floats, and X the raw value counted from 0, one of N; for float64 and raw values of
            at most 32 bits, X is made of two. A value is float number floor(X n / N), counted from 0. If n is above N,
            it is number floor(X (n - 1) / (N - 1)) for ``"[]"`` and ceil((X + 1) n / N) - 1 for ``"(]"``, so that the
            last X gives `high`.

            As float16 and bfloat16 it is the float32 number of the same call, rounded to nearest, ties to even; it may
            be -0.0 then. Where rounding would give an excluded bound, the value is the number next to that bound.

        Raises
        ------
        ValueError
            If `low` or `high` is not finite as `dtype`, or the interval contains no number.

        References
        ----------
        F. Goualard, "Drawing random floating-point numbers from an interval", ACM Transactions on Modeling and Computer
        Simulation 32(3), 2022.

        Examples
        --------
        >>> print(rng.uniform(-1, 1, size=3))
        [ 0.70370406 -0.6421304  -0.94716495]
        """
        validation.choice("interval", interval, INTERVALS)
        return self._named("uniform", size, dtype, out, low=low, high=high, interval=interval)

    def sample(self, distribution: Any, size: Size = None, dtype: Any = None, out: Any = None) -> cla.Array:
        """Return the next values of a distribution.

        Parameters
        ----------
        distribution : Distribution, frozen distribution of scipy.stats, or callable
            Such as ``clrng.distribution("gamma", shape=2.5)``. Arrays of parameters are broadcast to the shape of the
            result. A callable is an inverse distribution function that
            takes an array of probabilities. Its values, and those of SciPy's distributions, are the same everywhere
            only if the function gives the same numbers everywhere.
        dtype : dtype_like, optional
            One of ``distribution.dtypes``. By default that of `out`; without `out`, the first of them.

        Notes
        -----
        A value takes as many steps as one of the method of that name. A value of SciPy's distributions or your own
        takes one step; as float64 or as an integer it takes two where raw values have at most 32 bits.

        Examples
        --------
        >>> print(rng.sample(clrng.distribution("bernoulli", p=0.5), 3))
        [0 1 0]
        """
        chosen = as_distribution(distribution)
        if isinstance(chosen, OfArrays):
            given, own = dict(chosen.parameters), None
            if chosen.name == "integers":
                own = given.pop("dtype", None)
            draw = self._placed if DISTRIBUTIONS[chosen.name].is_placed else self._named
            return draw(chosen.name, size, dtype_of(out) or own if dtype is None else dtype, out, **given)
        if isinstance(chosen, FrozenArrays):
            return self._of_frozen(chosen, size, dtype, out)
        chosen = drawable(chosen)
        return self._draw(chosen, size, out, self._check_dtype(chosen.dtypes, dtype, out))

    def _of_frozen(self, chosen: FrozenArrays, size: Size, dtype: Any, out: Any) -> cla.Array:
        """Return the next values of a distribution of SciPy of which some parameters are arrays."""
        shape = shape_with(size, out, chosen.arrays)
        law = of_frozen(chosen, shape, self._look)
        return self._draw(law, shape, out, self._check_dtype(chosen.dtypes, dtype, out))

    def integers(
        self, low: Number, high: Number | None = None, size: Size = None, dtype: Any = None, endpoint: bool = False,
        out: Any = None,
    ) -> cla.Array:  # fmt: skip
        """Draw integers from `low` to `high` - 1, uniform to within 2^-40 in total variation.

        Parameters
        ----------
        low : int or array_like
            The minimum. Without `high`, the minimum is 0 and `low` is taken as `high`.
        high : int or array_like, optional
            Above `low`; with `endpoint`, it may be equal to `low`. The range may be all that `dtype` holds.
        dtype : dtype_like, optional
            Any integer dtype that holds the range. By default that of `out`; without `out`, int64.
        endpoint : bool, optional
            Whether `high` is included.

        Notes
        -----
        A value is `low` + floor(X n / m^K), where n is the number of integers in the range, m the number of raw values,
        and X the number whose K digits to the base m are raw values, counted from 0. A value takes K steps of the
        stream. K is the least number for which the total variation is at most 2^-40: it is 1 where n divides m, or
        where m is 2^64 and n at most 2^26; it is 2 for other n below 2^24 and raw values of 31 or 32 bits. Where n is
        2^32, a value takes half a raw value of `PCG64`, `PCG64DXSM` and `Philox`. Where bounds are arrays, each value
        takes the steps of the n that needs most, and halves only if all n are 2^32.

        Examples
        --------
        >>> print(rng.integers(1, 6, size=5, endpoint=True))
        [2 4 3 3 3]
        """
        return self._named("integers", size, dtype, out, low=low, high=high, endpoint=endpoint)

    def choice(
        self, a: Any, size: Size = None, replace: bool = True, p: npt.ArrayLike | None = None, axis: int = 0,
        shuffle: bool = True, dtype: Any = None, out: Any = None,
    ) -> cla.Array:  # fmt: skip
        """Draw integers below `a`, or elements of the array `a`, with or without replacement.

        Parameters
        ----------
        a : int or array_like
            An array is on the host or the device, has one dimension or more, and is empty only if no value is drawn.
            The result is a new array of its dtype. If its elements are not integers, or floating or complex numbers of
            32 or 64 bits each, they stay on the host, as text and objects do, and the result is an array of NumPy.
        dtype : dtype_like, optional
            Only if `a` is an integer: any integer dtype that holds all integers below `a`, by default int64.
        out : pyopencl.array.Array or numpy.ndarray, optional
            Only if `a` is an integer: as for `integers`.
        replace : bool, optional
            Whether the same integer or element may be drawn more than once.
        p : array_like of float, shape (a,), optional
            The probabilities of the integers or elements, which add up to 1; none of probability 0 is drawn. By default
            all are equally likely.
        axis : int, optional
            The axis of the array along which slices are drawn.
        shuffle : bool, optional
            It has no effect, and is here for calls written for NumPy: without replacement the result is always in
            random order.

        Returns
        -------
        clrng.Array
            If `a` is an array of several dimensions, the axes of `size` take the place of `axis`.

        Raises
        ------
        UnsupportedError
            If `replace` is False and the front end draws parts of arrays, as `RankGenerator` and
            `MultiDeviceGenerator` do; the message says what to do.

        Notes
        -----
        Without replacement and without `p`, let k of n be drawn. If k is at most n/8, integers below n are drawn as
        `integers` draws them, and repeated ones are skipped, until there are k: the stream then stands after the last
        of them. If k is larger, the result is the first k of `permutation` (n), and the stream moves on as for that.

        Without replacement and with `p`, each integer i takes as many steps as raw values fit in 64 bits, and has
        an exponentially distributed waiting time, divided by p[i]. The result is the k integers with the shortest
        times, in ascending order of these. So each is drawn from those that are left, in proportion to their `p`. The
        host does this in correctly rounded float64, so it is the same everywhere. Waiting times are right to 2 units in
        the last place, and probabilities to about 2^-62 where raw values have 31 bits.

        With replacement, a value takes as many steps as one of `integers`, or with `p` as one of `poisson`.

        Examples
        --------
        >>> print(rng.choice([2, 3, 5, 7], size=4), rng.choice(10, size=3, replace=False))
        [2 5 3 3] [3 5 0]
        """
        for name, value in (("replace", replace), ("shuffle", shuffle)):
            validation.flag(name, value)
        if isinstance(a, np.ndarray) and a.ndim == 0:
            a = a[()]
        pick: Callable[[Any], Any] | None = None
        count, nothing = a, is_nothing(size, out)
        if not isinstance(a, (int, np.integer)):
            elements, axis = checked_elements(a, axis, nothing)
            if dtype is not None or out is not None:
                raise TypeError("dtype and out must not be given where a is an array, whose dtype the result has")
            on_device = elements.dtype.name in ELEMENTS
            pick = self._picker(elements, axis, size) if on_device else lambda places: elements.take(places.get(), axis)
            count, dtype = elements.shape[axis], "int64"
        count = validation.integer("a", count, int(not nothing), 2**63)
        kind, p = whole_dtype(dtype, out), values_of(p, LOOK)
        if count - 1 > np.iinfo(kind).max:
            raise ValueError(f"dtype must hold {count - 1}, the largest of the integers below a, not {kind}")
        if not (replace or nothing):
            drawn = self._unreplaced(count, size, p, dtype, out)
        elif p is None:
            drawn = self.integers(max(count, 1), None, size, dtype, False, out)
        else:
            drawn = self._named("choice", size, dtype, out, a=count, p=p)
        return drawn if pick is None else pick(drawn)

    def bytes(self, length: int) -> bytes:
        """Return random bytes on the host.

        Parameters
        ----------
        length : int
            From 0 to 2^62. Every four bytes are one of `integers` below 2^32, the lowest byte first.

        Returns
        -------
        bytes

        Raises
        ------
        TypeError, ValueError
            If `length` is not an integer, or out of range.
        MemoryError
            If the host has no room for them. The stream has not moved then.

        Notes
        -----
        Four bytes, and what is left of four at the end, take as many steps as a value of ``integers(0, 2**32)``.

        Examples
        --------
        >>> import clrng
        >>> clrng.default_rng(2026).bytes(4).hex()
        'aaf912da'
        """
        length = validation.integer("length", length, 0, MAX_BYTES)
        least = int(self.bit_generator.has_halves)  # as NumPy, which draws a number for no bytes too
        words = np.empty(max(-(-length // 4), least), np.uint32)
        self.integers(0, 2**32, out=words)
        return words.astype("<u4").tobytes()[:length]


complete_all(DrawMethods, with_dtypes(ALSO_SHORT, size=SIZE_ALONE), "random", "random_raw")
complete_all(DrawMethods, with_dtypes(ALSO_SHORT, CONTINUOUS), "uniform")
complete_all(DrawMethods, MAKING, "spawn")
complete_all(DrawMethods, DRAWING, "sample", "integers", "choice")
