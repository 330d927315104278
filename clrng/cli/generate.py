"""``clrng generate`` and ``clrng plot``: values are drawn on the device, and written or counted on the host."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from importlib.util import find_spec
from itertools import cycle, repeat
from pathlib import Path
from typing import Any, cast

import click
import numpy as np
import numpy.typing as npt

from clrng.cli.console import arithmetic_option, check_file, device_option, fail, need_output, progress
from clrng.cli.helping import Command
from clrng.cli.options import (
    OWNERS,
    Integer,
    bit_generator,
    distribution_options,
    generator_options,
    made_distribution,
    taken,
)
from clrng.cli.output import FORMATS, STANDARD_OUTPUT, descriptor, header, min_size, opened, write_values
from clrng.distributions import UNIFORM
from clrng.distributions.distribution import WHOLE, Between, Distribution
from clrng.distributions.elements import drawable
from clrng.frontends.drawing import check_dtype
from clrng.frontends.generator import Generator
from clrng.generators.halves import Halved
from clrng.measuring.expected import Expected, expected
from clrng.opencl.devices import make_queue
from clrng.opencl.kernel import launches
from clrng.opencl.traits import traits_of

DTYPES = ("raw", "uint64", "uint32", "uint16", "uint8", *UNIFORM)
"""The dtypes of raw and uniform values; every distribution has a list of its own."""

STANDARD_OUTPUT_NUMBER = 1
CHUNK = 2**22
"""Values drawn at a time."""

COPIED_CHUNK = 2**25
"""Values drawn at a time by a device with memory of its own, from which long copies are faster."""

ENDINGS = {"npy": "npy", "txt": "text"} | dict.fromkeys(("", "raw", "bin", "dat"), "raw")
"""The format that each ending of a file's name stands for."""

OTHER_FORMATS = {
    "arrow", "avro", "csv", "db", "feather", "fits", "h5", "hdf", "hdf5", "json", "jsonl", "mat", "nc", "npz", "ods",
    "orc", "parquet", "pickle", "pkl", "rds", "sqlite", "toml", "tsv", "xls", "xlsx", "xml", "yaml", "yml", "zarr",
    "7z", "bz2", "gz", "lz4", "rar", "tar", "tgz", "xz", "zip", "zst",
    "bmp", "flac", "gif", "html", "jpeg", "jpg", "pdf", "png", "svg", "tif", "tiff", "wav",
}  # fmt: skip
"""Endings that stand for formats that are not written."""


def default_format(output: str) -> str:
    """Return the format for an output of this name: text on a terminal, that of a file's ending, raw for all else."""
    number = descriptor(output)
    if number is not None:
        return "text" if os.isatty(number) else "raw"
    _, point, ending = os.path.split(output)[1].lower().rpartition(".")
    ending = ending if point else ""
    if ending in OTHER_FORMATS:
        raise ValueError(
            f"--output must end in .npy, .txt, .raw, .bin or .dat, not .{ending}, which says a format that clrng does "
            f"not write; or give --format npy, text or raw for {output!r}"
        )
    return ENDINGS.get(ending, "raw")


PICTURES = ("png", "svg")
PAIRS = 10000
"""The maximum number of pairs, and of triples, that a picture has."""

MAX_PICTURED = 10**12
"""The maximum number of values of a picture, which take hours."""

SCANNED = 10
"""Pairs whose first numbers are the smallest come from so many times the values, but from no more than a period."""


class Values:
    """The values that `rng` draws as `dtype`: raw, uniform, or of a distribution; what it cannot draw is refused."""

    def __init__(self, rng: Generator, dtype: str, distribution: Distribution | None = None) -> None:
        bits = rng.bit_generator
        self.rng, self.distribution = rng, distribution
        self.dtype: np.dtype[Any] = bits.dtype if dtype == "raw" else np.dtype(dtype)
        self.steps, self._spare_bits, self._uniform = 1, 0, distribution is None and dtype in UNIFORM
        if distribution is not None:
            chosen = check_dtype(distribution.dtypes, dtype, None, rng.device)
            self.steps = bits.transform_of(drawable(distribution), chosen).steps
        elif self._uniform:
            check_dtype(tuple(UNIFORM), dtype, None, rng.device)
        else:
            has, wanted = (bits.upper_bound - 1).bit_length(), 8 * self.dtype.itemsize
            if has < wanted < 32:  # noqa: PLR2004  # a whole word of 32 or 64 bits holds any raw value that fits
                raise ValueError(f"--dtype {dtype} must have at most the {has} bits of a raw value, not {wanted}")
            self._spare_bits = max(has - wanted, 0)

    def draw(self, n: int, memory: Any = None) -> npt.NDArray[Any]:
        """Return the next `n` values on the host, in `memory` if that is given."""
        rng, out = self.rng, cast("Any", np.ndarray if memory is None else memory[:n])
        if self.distribution is not None:
            return np.asarray(rng.sample(self.distribution, n, self.dtype, out))
        if self._uniform:
            return np.asarray(rng.random(n, self.dtype, out))
        if self.dtype == rng.bit_generator.dtype and not self._spare_bits:
            return np.asarray(rng.random_raw(n, out))
        words = np.asarray(rng.random_raw(n, cast("Any", np.ndarray)))
        return (words >> self._spare_bits).astype(self.dtype, copy=False)

    def skip(self, n: int) -> None:
        """Move on by `n` values, as if they had been drawn."""
        bits = self.rng.bit_generator
        bits.drawn(bits.halves() if isinstance(bits, Halved) and self.dtype == np.float32 else bits, n * self.steps)

    def draws(self, count: int | None, chunk: int = CHUNK) -> Iterator[npt.NDArray[Any]]:
        """Yield the next `count` values, or values without end if it is None, in parts of at most `chunk`.

        A part is drawn while the one before is in use. It is valid until the next is asked for.
        """
        sizes = repeat(chunk) if count is None else (n for _, n in launches(0, count, chunk))
        memories = cycle(np.empty(min(chunk, count or chunk), self.dtype) for _ in range(2))
        with ThreadPoolExecutor(1) as thread:
            begun: Future[npt.NDArray[Any]] | None = None
            for n, memory in zip(sizes, memories, strict=False):
                part = begun.result() if begun else None
                begun = thread.submit(self.draw, n, memory)
                if part is not None:
                    yield part
            if begun:
                yield begun.result()


def values_of(
    dtype: str | None, legal: Sequence[str], offset: int, device: str | None, arithmetic: str, **options: Any
) -> Values:
    """Return the values that options ask for, from `offset` on.

    Where no distribution is named, their dtype must be one of `legal`, by default the first.
    """
    distribution = made_distribution(dtype, **taken(options))
    dtype = dtype or (distribution.dtypes[0] if distribution else legal[0])
    if distribution is None and dtype not in legal:
        fail(f"--dtype must be {', '.join(legal)}, not {dtype}, without --distribution")
    values = Values(Generator(bit_generator(**options), make_queue(device), arithmetic), dtype, distribution)
    values.skip(offset)
    return values


def write(values: Values, count: int | None, file_format: str, name: str, advance: Callable[[int], None]) -> None:
    """Write `count` values, or without end if it is None, to the output of this name; see `opened`."""
    with opened(name) as output:
        if count is not None:
            output.check_room(min_size(file_format, values.dtype, count))
        output.write(header(file_format, values.dtype, count or 0))
        in_place = traits_of(values.rng.device).host_memory
        chunk = CHUNK if in_place or file_format == "text" else COPIED_CHUNK
        for part in values.draws(count, chunk):
            write_values(output, file_format, part)
            advance(part.size)


@click.command(
    cls=Command,
    examples="""
    clrng generate -n 5                           NumPy's default_rng(1)
    clrng generate -g java --seed 42 -n 5         java.util.Random(42)
    clrng generate -n 1e6 --dtype float32 -o uniform.npy
    clrng generate -n 5 --distribution gamma --shape 2.5
    clrng generate -g lcg --help                  the parameters of lcg
    clrng generate --distribution gamma --help    those of gamma
    """,
)
@click.option("-n", "--count", type=Integer(0), help="How many values; without it, on until the pipe closes.")
@generator_options
@distribution_options
@click.option("--offset", type=Integer(0), default=0, show_default=True, help="Values to skip first.")
@click.option(
    "--dtype", type=click.Choice(list(dict.fromkeys([*DTYPES, *WHOLE]))), metavar="DTYPE",
    help="raw (the default): the raw values as they are. uint64, uint32: the raw values, or their highest bits where "
    "they have more. uint16, uint8: their highest bits, full words for a test battery. float32, float64: uniform in "
    "[0, 1). With --distribution float32 (the default) or float64, or int64 (the default), int8 and all between them.",
)  # fmt: skip
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, allow_dash=True), default=STANDARD_OUTPUT,
    help="A file, or a named pipe; by default, and for -, standard output.",
)  # fmt: skip
@click.option(
    "--format", "file_format", type=click.Choice(FORMATS),
    help="By default npy or text for a name that ends in .npy or .txt, text on a terminal, else raw. A name that ends "
    "in another format, such as .csv, needs it.",
)  # fmt: skip
@device_option
@arithmetic_option
def generate(
    count: int | None, offset: int, dtype: str | None, output: str, file_format: str | None, device: str | None,
    arithmetic: str, **options: Any,
) -> None:  # fmt: skip
    """Write numbers of a generator.

    They are raw, uniform or of a distribution, and go to standard output or to a file, which appears under its name
    only when it is complete.
    """
    check_file("--output", output)
    file_format = file_format or default_format(output)
    number = descriptor(output)
    if number == STANDARD_OUTPUT_NUMBER:
        need_output()
    if count is None and (file_format == "npy" or (number is None and not Path(output).is_fifo())):
        fail("--count is needed for a file and for npy; only a pipe can close to end the stream")
    if number is not None and file_format != "text" and os.isatty(number):
        fail(f"refusing to write {file_format} values to a terminal; give --output, a pipe, or --format text")
    values = values_of(dtype, DTYPES, offset, device, arithmetic, **options)
    with progress("generating", count) as advance:
        write(values, count, file_format, output, advance)


def counted(values: Values, count: int, shape: Expected, advance: Callable[[int], Any]) -> npt.NDArray[np.int64]:
    """Return how many of the next `count` values are in each bin."""
    found = np.zeros(shape.bins, np.int64)
    for part in values.draws(count, CHUNK):
        found += shape.counts(part)
        advance(part.size)
    return found


def title(distribution: str | None, given: dict[str, Any]) -> str:
    """Return what is drawn, with the parameters that are given."""
    parameters = ", ".join(f"{name}={value}" for name, value in given.items() if value is not None)
    return f"{distribution or 'uniform'}({parameters})" if parameters else distribution or "uniform in [0, 1)"


@click.command(
    cls=Command,
    examples="""
    clrng plot -g randu -o randu.png
    clrng plot --distribution gamma --shape 2.5 -o gamma.svg
    """,
)
@click.option("-n", "--count", type=Integer(1, MAX_PICTURED), default="1e6", show_default=True, help="How many values.")
@generator_options
@distribution_options
@click.option("--offset", type=Integer(0), default=0, show_default=True, help="Values to skip first.")
@click.option(
    "--dtype", type=click.Choice([*UNIFORM, *WHOLE]), metavar="DTYPE",
    help="float32 (the default) or float64; of whole numbers int64 (the default), int8 and all between them.",
)  # fmt: skip
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False), required=True, help="A file whose name ends in .png or .svg."
)
@device_option
@arithmetic_option
def plot(
    count: int, offset: int, dtype: str | None, output: str, device: str | None, arithmetic: str, **options: Any
) -> None:
    """Draw a picture of values and their generator.

    The left part shows how the values spread, uniform in [0, 1) without --distribution, beside what they should do, but
    for tails that would leave no room for the rest. The others show the generator itself: pairs of successive numbers,
    of whose first ones the smallest are shown as under a magnifying glass, and triples, seen along the planes on which
    they lie if they do. Pairs should fill the square evenly, and triples should have no stripes.
    """
    ending = Path(output).suffix.lower().removeprefix(".")
    if ending not in PICTURES:
        fail(f"--output must be the name of a file that ends in .png or .svg, not {output!r}")
    check_file("--output", output)
    if find_spec("matplotlib") is None:
        fail("clrng plot needs matplotlib: pip install matplotlib, or clrng with its extra 'plots'")
    from clrng.measuring.picture import closest, picture  # noqa: PLC0415  # which imports matplotlib

    values = values_of(dtype, tuple(UNIFORM), offset, device, arithmetic, **options)
    rng, distribution = values.rng, values.distribution
    shape = expected(Between(0.0, 1.0) if distribution is None else distribution)
    with opened(output) as file, progress("drawing", count) as advance:
        bits = rng.bit_generator
        scanned = min(max(PAIRS, SCANNED * min(count, CHUNK)), bits.period or PAIRS)
        uniforms = Generator(bits.copy(), rng.queue, arithmetic).random(scanned + 2).get()
        counts = counted(values, count, shape, advance)
        what = title(options["distribution"], {name: options[name] for name in OWNERS})
        above = f"{what}\n{count:,} values ({values.dtype}) of {options['generator']}"
        pairs = closest(uniforms[:-1], PAIRS)
        file.write(picture(above, shape, counts, count, uniforms[: PAIRS + 2], pairs, ending))
