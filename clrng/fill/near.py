"""Fills with values of one law of which every element has parameters of its own, found by expansions."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyopencl as cl
import pyopencl.array as cla

from clrng.distributions import on_host
from clrng.distributions.discrete import Binomial, Discrete, Geometric, NegativeBinomial, Poisson
from clrng.distributions.transforms import binomial_near, geometric_near, negative_binomial_near, poisson_near
from clrng.distributions.transforms.near import NearByElement
from clrng.fill.by_element import INNER, Layouts, in_rows, work_items
from clrng.fill.convert import Converter, MakeRaw
from clrng.generators.generator_code import CTYPES, GeneratorCode, suffix
from clrng.opencl import arrays
from clrng.opencl.arrays import first_of, upload, wait_list
from clrng.opencl.devices import DeviceInfo
from clrng.opencl.kernel import Kernel, kernel_of
from clrng.opencl.spare import Lent
from clrng.opencl.templates import program
from clrng.opencl.traits import traits_of, vector_width
from clrng.proof.prove import compare, poisoned, prove
from clrng.proof.references import Stream, numbers, raw_values

CAPACITY = 1 << 10
"""The minimum number of elements that a list of those that are not sure has room for."""

TOGETHER = 1 << 15
"""Up to so many elements of a list are worked on together."""

LOOK_AT = 64
"""So many of the list are read together with their number."""

AT_ONCE = {"cpu": 2**17, "gpu": 2**26}
"""About how many raw values are made at once: on a CPU they stay in the caches."""

WORD = np.uint64(32)

NAMES = "{}_by_element", "put_settled", "settle_{}"
"""The kernels of a law; the last one is in double precision."""

PLACED = "out", "offset", "mean_axes", "out_axes", "sizes", "steps"
"""The arguments by which the place of an element is found."""

LENGTH = (1 << 11) + 5
"""The values of a proof."""

NEAR, MANY = 2.0**-38, 2**11
"""In a proof, how near numbers are to probabilities where there are up to so many: the host's sums are sure of them."""

P_IN_TURN = 101
"""The probabilities of a proof, which also has powers of them."""

DOWN_TO, UP_TO = -40, 14.9
"""The binary logarithms of means of a proof."""

FARTHEST, RAREST = 45, 2.0**-9
"""About so many times 1/p is the largest value in a proof if there is one success, and the smallest p."""

HEADER, ENTRY = 2, 7
"""Words before the first element in a list of those that are not sure, and words of one, without two of trials."""


class Law(NamedTuple):
    """A law whose values are made."""

    kind: type[Discrete]
    module: Any
    """What templates are told of it."""
    names: tuple[str, ...]
    """Its parameters: what `each` has, and `trials`."""
    proved: Callable[[NearByElement, float], tuple[npt.NDArray[Any], ...]]
    """Gives parameters for a proof; means are up to 2 to that power."""


def _means(like: NearByElement, up_to: float) -> tuple[npt.NDArray[Any], ...]:
    given = like.each.dtype
    if given.kind in "iu":
        up_to = min(up_to, np.iinfo(given).max.bit_length() - 0.1)
    means = np.exp2(np.linspace(DOWN_TO, up_to, LENGTH)).astype(given)
    means[::7] = np.minimum(np.arange(means[::7].size), 2.0**up_to).astype(given)
    return (means,)


def _trials(like: NearByElement, up_to: float) -> tuple[npt.NDArray[Any], ...]:
    most = min(2.0**up_to, np.iinfo(like.trials.dtype).max)
    p = np.resize(np.linspace(0, 1, P_IN_TURN), LENGTH) ** np.resize([1, 2, 8], LENGTH)
    return p, np.exp2(np.linspace(0, np.log2(most), LENGTH))


def _chances(_: NearByElement, up_to: float) -> tuple[npt.NDArray[Any], ...]:
    rarest = max(FARTHEST / 2.0 ** (up_to + 1), RAREST)
    return (rarest ** np.resize(np.linspace(0, 1, P_IN_TURN), LENGTH),)


def _successes(like: NearByElement, up_to: float) -> tuple[npt.NDArray[Any], ...]:
    (p,) = _chances(like, up_to)
    return p, np.minimum(np.exp2(np.linspace(-up_to, up_to, LENGTH)), p * 2.0 ** (up_to - 1))


LAWS = {
    "poisson": Law(Poisson, poisson_near, ("lam",), _means),
    "binomial": Law(Binomial, binomial_near, ("p", "n"), _trials),
    "geometric": Law(Geometric, geometric_near, ("p",), _chances),
    "negative_binomial": Law(NegativeBinomial, negative_binomial_near, ("p", "n"), _successes),
}


def _entry(trials: Any) -> int:
    """Return the words of an element of a list, with trials or without."""
    return ENTRY + 2 if trials else ENTRY


def _text(code: GeneratorCode, values: dict[str, Any]) -> str:
    """Return the program of a law."""
    least, end, width = code.recurrence.min_value, code.recurrence.upper_bound, values["width"]
    return program(
        "fill/near.cl.mako",
        {
            "value": CTYPES[code.value.name], "min_value": least, "raw_values": end - least, "q": "",
            "numbers": (end - least) ** values["steps"], "w": suffix(width), "header": HEADER,
            "entry": _entry(values["trial"]), **LAWS[values["law"]].module.constants(), **values,
        },
    )  # fmt: skip


def margins(module: Any) -> dict[str, Any]:
    """Return how far numbers may be off, which kernels differ by."""
    own = {name.lower(): getattr(module, name) for name in ("OFF", "SUM_OFF", "CERTAIN") if hasattr(module, name)}
    return {"certain": poisson_near.CERTAIN, **own}


class ListedLayout(Layouts):
    """How a kernel finds parameters of elements, and where these are in memory."""

    def __init__(self, queue: cl.CommandQueue, transform: NearByElement, out: cla.Array) -> None:
        given = {"mean": transform.each, "trial": transform.trials}
        super().__init__(queue, transform, out, {key: each for key, each in given.items() if each is not None})
        self.entry = _entry(transform.trials is not None)

    def room(self, listed: cla.Array) -> int:
        """Return how many elements a list has room for."""
        return int((listed.size - HEADER) // self.entry)


def _numbers(bits: npt.NDArray[np.uint64], dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """Return the parameters of a dtype that have these bits: floats as float64 that are not negative, and integers."""
    if dtype.kind != "f":
        return bits.astype(np.int64)
    return abs(bits.astype(f"u{dtype.itemsize}").view(dtype).astype(np.float64))


def _by_name(law: Law, parameters: Sequence[Any]) -> dict[str, Any]:
    """Return parameters, of which that of `each` is the first, by the names that a law has for them, in its order."""
    return dict(reversed([*zip(law.names, parameters, strict=True)]))


class NearFiller:
    """Makes values of laws with many parameters on one queue."""

    def __init__(self, queue: cl.CommandQueue, device: DeviceInfo, code: GeneratorCode, converter: Converter) -> None:
        self._queue, self._device, self._code, self._converter = queue, device, code, converter
        self._base = code.recurrence.upper_bound - code.recurrence.min_value
        self._fp64 = device.fp64
        self._made: dict[Any, list[Kernel]] = {}
        self._at_once, self._width = AT_ONCE[traits_of(device).family], vector_width(device)

    def prepare(self, transform: NearByElement) -> None:
        """Build and prove the kernels."""
        self._kernels(transform)

    def fill(self, transform: NearByElement, out: cla.Array, make: MakeRaw, inner: int = 1) -> None:
        """Fill `out`, which need not be contiguous, with the elements from the first one of `transform` on, and wait.

        `make` makes rows of raw values: `out` is rows of `inner` values, of as many of these as a value has steps.
        """
        if not out.size:
            return
        kernels, layout = self._kernels(transform), ListedLayout(self._queue, transform, out)
        entry = layout.entry
        capacity, room = int(out.size * transform.unsure) + CAPACITY, CAPACITY
        with Lent(self._queue, self._device) as lent:
            while True:
                unsure = self._list(lent, entry * capacity)

                def use(part: cla.Array, first: int, some: int, unsure: Any = unsure) -> cl.Event:
                    return self._make(kernels[0], layout, out, part, first * inner, some * inner, inner, unsure)

                self._converter.in_parts(out.size // inner, inner, transform.steps, make, use, self._at_once)
                left = unsure
                if self._fp64:
                    left = self._settle(kernels[2], layout, out, unsure, self._list(lent, entry * room))
                words = first_of(left, HEADER + entry * min(LOOK_AT, layout.room(left)))
                count, found = words[:HEADER].tolist()
                if found <= capacity and count <= layout.room(left):
                    break
                capacity, room = max(capacity, count, found), max(room, count)
            if count:
                words = words if count <= LOOK_AT else first_of(left, HEADER + entry * count)
                self._put(kernels[1], layout, out, left, self._exact(transform, words, count).astype(out.dtype))

    def _list(self, lent: Lent, words: int) -> Any:
        """Return an empty list with room for elements of so many words together."""
        made: Any = lent.array(HEADER + words, np.dtype(np.uint32), "size")
        made.add_event(cl.enqueue_fill_buffer(self._queue, made.base_data, np.zeros(1, np.uint32), 0, 4 * HEADER))
        return made

    def _make(
        self, kernel: Kernel, layout: ListedLayout, out: cla.Array, part: cla.Array, first: int, some: int, inner: int,
        unsure: cla.Array,
    ) -> cl.Event:  # fmt: skip
        """Make `some` values of raw values, and put those that are not sure in the list."""
        event = kernel.for_each(
            self._queue, work_items(self._queue, some, self._width), raw=part.base_data, inner=inner, n=some,
            **layout.arguments(first), unsure=unsure.base_data, capacity=layout.room(unsure),
            wait_for=wait_list(part, out, *layout.arrays, unsure),
        )  # fmt: skip
        arrays.attach_event(self._queue, out, event)
        unsure.events[:] = [event]  # which comes after those before, as all use the same raw values
        return event

    def _settle(self, kernel: Kernel, layout: ListedLayout, out: cla.Array, unsure: cla.Array, left: cla.Array) -> Any:
        """Make the values of a list in double precision; return the list of those that are left."""
        given = layout.arguments(0)
        event = kernel.for_each(
            self._queue, min(layout.room(unsure), TOGETHER), **{name: given[name] for name in PLACED},
            unsure=unsure.base_data, capacity=layout.room(unsure), left=left.base_data, room=layout.room(left),
            wait_for=wait_list(out, unsure, left),
        )  # fmt: skip
        arrays.attach_event(self._queue, out, event)
        left.events[:] = [event]
        return left

    def _put(
        self, kernel: Kernel, layout: ListedLayout, out: cla.Array, listed: cla.Array, values: npt.NDArray[Any]
    ) -> None:
        """Put values in the places of the list."""
        queue: Any = listed.queue  # another one in a proof
        given = layout.arguments(0)
        event = kernel.for_each(
            queue, values.size, **{name: given[name] for name in PLACED}, unsure=listed.base_data,
            values=upload(queue, values).base_data, n=values.size, wait_for=wait_list(out, listed),
        )  # fmt: skip
        arrays.attach_event(queue, out, event)

    def _exact(self, transform: NearByElement, words: npt.NDArray[Any], count: int) -> npt.NDArray[np.int64]:
        """Return the values of the elements of a list, by exact thresholds where need be."""
        entry = _entry(transform.trials is not None)
        rows = words[HEADER : HEADER + entry * count].reshape(count, entry).astype(np.uint64)
        found, *bits = (rows[:, i] | rows[:, i + 1] << WORD for i in range(2, entry - 1, 2))
        given = zip(bits, (transform.each, transform.trials), strict=False)
        own = [_numbers(each, of.dtype) for each, of in given]
        law = LAWS[transform.law]
        return on_host.values(law.kind, _by_name(law, own), found, self._base**transform.steps)

    def _kernels(self, transform: NearByElement) -> list[Kernel]:
        """Return the kernel that makes values and that which puts others in their places, proved."""
        trials = None if transform.trials is None else transform.trials.dtype
        key = transform.law, transform.dtype, transform.each.dtype, transform.steps, trials, transform.halved
        kernels = self._made.get(key)
        if kernels is None:
            kernels = self._made[key] = self._new_kernels(transform)
        if not all(kernel.proved for kernel in kernels):
            prove(self._queue, kernels, partial(self._check, kernels=kernels, like=transform))
        return kernels

    def _new_kernels(self, transform: NearByElement) -> list[Kernel]:
        dtype: Any = transform.dtype
        has_trials = transform.trials is not None
        values = {
            "law": transform.law, "trial": CTYPES[transform.trials.dtype.name] if has_trials else "",
            "out": CTYPES[dtype.name], "mean": CTYPES[transform.each.dtype.name], "steps": transform.steps,
            "halved": transform.halved, "fp64": self._fp64, "width": self._width, **margins(LAWS[transform.law].module),
        }  # fmt: skip
        names = [name.format(transform.law) for name in (NAMES if self._fp64 else NAMES[:2])]
        return [kernel_of(self._queue, name, _text, self._code, values=values) for name in names]

    def _check(self, own: cl.CommandQueue, kernels: Sequence[Kernel], like: Any) -> None:
        """Compare values of many parameters with those of exact thresholds."""
        dtype: Any = np.dtype(like.dtype)
        up_to = min(UP_TO, np.iinfo(dtype).max.bit_length() - 1)  # the largest values fit the dtype
        law = LAWS[like.law]
        each, *others = (
            found.astype(of.dtype) for found, of in zip(law.proved(like, up_to), (like.each, like.trials), strict=False)
        )
        given = each * 2 if like.halved else each
        transform = replace(like, each=given, trials=others[0] if others else None, shape=each.shape, first=0)
        filler, name = NearFiller(own, self._device, self._code, self._converter), like.law.replace("_", " ")
        raw, expected = self._examples(law, _by_name(law, [each.astype(float), *others]), like.steps)
        for inner in (1, INNER):
            n = LENGTH // inner * inner
            out, again = poisoned(own, n, dtype), poisoned(own, n, dtype)
            part = upload(own, in_rows(raw[:n], inner))
            layout = ListedLayout(own, transform, out)
            entry = layout.entry
            left, unsure = (upload(own, np.zeros(HEADER + entry * n, np.uint32)) for _ in range(2))
            filler._make(kernels[0], layout, out, part, 0, n, inner, unsure)
            left = filler._settle(kernels[2], layout, out, unsure, left) if self._fp64 else unsure
            values, words, sure = expected[:n].astype(dtype), left.get(), np.ones(n, np.bool_)
            sure[words[HEADER::entry][: words[0]]] = False
            compare(f"{name} number", out.get(), values, sure=sure)
            rows = np.zeros((n, entry), np.uint32)
            rows[:, 0] = np.arange(n)[::-1]
            listed = upload(own, np.append(np.array([n, 0], np.uint32), rows.reshape(-1)))
            self._put(kernels[1], ListedLayout(own, transform, again), again, listed, values[::-1])
            compare(f"{name} number in its place", again.get(), values)

    def _examples(
        self, law: Law, parameters: dict[str, npt.NDArray[Any]], steps: int
    ) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
        """Return raw values, and the values of these; many an X is near to some F(k) N."""
        stream, count = Stream(self._code.recurrence), self._base**steps
        found = numbers(stream.bits, raw_values(stream, 0, LENGTH * steps).reshape(-1, steps))
        for place in range(0, LENGTH, 3):
            _, reached = on_host.probabilities(law.kind, {name: each[[place]] for name, each in parameters.items()})
            if reached.size <= MANY:
                k = int(np.searchsorted(reached[:-1], found[place] / count, side="right"))
                found[place] = int(min(max(reached[k] + NEAR * (-1) ** place, 0.0), 1 - NEAR) * count)
        digits = [[x // self._base, x % self._base][2 - steps :] for x in found]
        raw = (np.array(digits, np.uint64) + np.uint64(stream.bits.min_value)).astype(self._code.value)
        return raw, on_host.values(law.kind, parameters, np.array(found, np.uint64), count)
