"""Values that libraries of GPUs make of counters, each in the place where the library stores it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cla

from clrng.frontends.device_libraries.forms import Form
from clrng.generators.maths.bijections import BIJECTIONS, Bijection
from clrng.opencl import arrays
from clrng.opencl.arrays import wait_list
from clrng.opencl.kernel import kernel_of
from clrng.opencl.templates import prelude, render
from clrng.proof.examples import Example, prove_by
from clrng.validation import dtype_named

MAX_ITEMS = 2**32 - 64
"""The most counters of a call, which a kernel numbers in 32 bits."""

THREADS, LENGTH = 37, 4099
"""The threads of an example, and its values."""


@dataclass(frozen=True)
class Layout:
    """Which counters a library takes, and where the values of each go.

    `name`: ``"threads_apart"``, where the values of a thread lie as many places apart as there are threads, or
    ``"threads"``, where they lie side by side; ``"in_turn"``, of counters that follow one another, or
    ``"upper_first"``, where their words are reversed; or ``"in_halves"``, where numbers of words are counted, those of
    the first half and of the second half are the words of counters, and so are the words made. `bijection`: which one
    makes words of a counter. `each`: how many counters a thread takes at a time.
    """

    name: str
    bijection: str
    each: int = 1

    @property
    def traits(self) -> Bijection:
        """The bijection."""
        return BIJECTIONS[self.bijection]


@dataclass(frozen=True)
class Request:
    """What values to make: of counters from `first` on under a key, for `threads` threads, as `form` makes them.

    `upper`: the upper two words of counters of four that follow one another. `begin`: the first value that is wanted,
    where those of threads lie side by side.
    """

    layout: Layout
    form: Form
    key: tuple[int, ...]
    first: int = 0
    threads: int = 1
    range: int = 1
    low: int = 0
    upper: tuple[int, int] = (0, 0)
    begin: int = 0

    @property
    def of_each(self) -> int:
        """How many values there are of a counter."""
        return self.layout.traits.values // self.form.words * self.form.values

    def items(self, n: int) -> int:
        """Return of how many counters `n` values are made."""
        if self.layout.name == "threads_apart":
            return self.threads * -(-n // (self.threads * self.of_each))
        return -(-(n + self.begin % self.of_each) // self.of_each)

    def placed(self, n: int, item: int) -> tuple[list[int], int, int]:
        """Return the counter of an item, and where its values go: the place of the first, and how far apart."""
        layout, turn, thread = self.layout.name, item // self.threads, item % self.threads
        if layout == "in_halves":
            second = self.threads + item
            return [item, second if second < n * self.form.words else 0], item, self.threads
        if layout in ("in_turn", "upper_first"):
            words = [(self.first + item) % 2**32, (self.first + item) >> 32 & 2**32 - 1]
            upper = list(self.upper[: self.layout.traits.counter - 2])
            return (words if layout == "in_turn" else words[::-1]) + upper, item * self.of_each, 1
        if layout == "threads_apart":
            at, place, apart = self.first + turn, turn * self.threads * self.of_each + thread, self.threads
        else:
            item += self.begin // self.of_each
            turn, thread = divmod(item // self.layout.each, self.threads)
            at, place, apart = self.first + turn * self.layout.each + item % self.layout.each, item * self.of_each, 1
            place -= self.begin
        return [at % 2**32, at >> 32, thread, 0], place, apart

    def expected(self, n: int) -> Any:
        """Return the values, made on the host."""
        counters, places = [], []
        for item in range(self.items(n)):
            counter, place, apart = self.placed(n, item)
            counters.append(self.layout.traits.made(tuple(counter), self.key))
            places.append([place + i * apart for i in range(self.of_each)])
        words = np.array(counters, np.uint32).reshape(-1, self.form.words)
        values, at = self.form.made(words, self.range, self.low).reshape(-1), np.array(places).reshape(-1)
        made = np.empty(n, dtype_named(self.form.dtype))
        there = (at >= 0) & (at < n)
        made[at[there]] = values[there]
        return made


TORCH = Layout("threads_apart", "philox4x32")
TENSORFLOW = Layout("in_turn", "philox4x32")
CURAND = {each: Layout("threads", "philox4x32", each) for each in (1, 2)}
JAX_32, JAX_64 = Layout("in_turn", "jax_threefry2x32"), Layout("upper_first", "threefry2x32")
JAX_BEFORE = Layout("in_halves", "threefry2x32")


def text(layout: Layout, form: Form, _: object) -> str:
    """Return the program."""
    traits = layout.traits
    values = {"p": "", "word": "uint", "w": "", "width": 1, "u": "u", "counter": traits.counter, "key": traits.key}
    shape = {"rounds": traits.rounds, "sets": 1, **values}
    bijection = render(f"generators/{traits.template}.cl.mako", **shape, **traits.constants)
    of_each = traits.values // form.words * form.values
    return prelude() + render(
        "device_libraries/counted.cl.mako", bijection=bijection, form=form.text(), layout=layout.name,
        lanes=traits.values, words=form.words, each=layout.each, values=of_each, counter=traits.counter,
        ctype=form.ctype,
    )  # fmt: skip


def counted(queue: cl.CommandQueue, request: Request, out: cla.Array) -> None:
    """Fill `out`, contiguous and of the form's dtype, with the values of a request."""
    if not out.size:
        return
    layout, form, items = request.layout, request.form, request.items(out.size)
    if items > MAX_ITEMS:
        most = MAX_ITEMS * request.of_each
        raise ValueError(f"size must make at most {most} values of {form.dtype} in a call, not {out.size}")
    kernel = kernel_of(queue, "counted", text, layout, form)
    prove_by(queue, [kernel], _example, _examples(layout, form))
    event = kernel.for_each(
        queue, items, out=out.base_data, offset=out.offset // out.dtype.itemsize, n=out.size, items=items,
        first=request.first, threads=request.threads, key_0=request.key[0], key_1=request.key[1],
        upper_0=request.upper[0], upper_1=request.upper[1], begin=request.begin, range=request.range,
        low=request.low, wait_for=wait_list(out),
    )  # fmt: skip
    arrays.attach_event(queue, out, event)


def _example(_: object, results: Sequence[cla.Array], request: Request) -> None:
    queue: Any = results[0].queue
    counted(queue, request, results[0])


def _examples(layout: Layout, form: Form) -> Iterator[Example]:
    """Yield a few turns of few threads from a carry of the counter on, and values at the end of a turn."""
    narrow = form.kind == "remainder" and form.words == 1
    for n, first, low in ((LENGTH, 2**32 - 2, -5), (THREADS * 2 + 1, 0, 2**40)):
        threads = (n * form.words + 1) // 2 if layout.name == "in_halves" else THREADS
        number_range, begin = 10 if narrow else 2**40 + 7, 5 * THREADS + 3 if layout.name == "threads" else 0
        request = Request(
            layout, form, (0x12345678, 0xFEDCBA98), first, threads, number_range, low, (7, 2**32 - 1), begin
        )
        yield Example([], {"value": request.expected(n)}, {}, (request,))
