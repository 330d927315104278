"""``clrng plot``: a picture of a distribution as it is drawn, beside what is expected."""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt

from clrng.cli.console import ARITHMETIC_CHOICE, DEVICE_HELP, fail, progress
from clrng.cli.generate import CHUNK, Values, values_of
from clrng.cli.options import OWNERS, Integer, distribution_options, generator_options
from clrng.cli.output import opened
from clrng.distributions import UNIFORM
from clrng.distributions.distribution import WHOLE, Between
from clrng.frontends.generator import Generator
from clrng.measuring.expected import Expected, expected

ENDINGS = ("png", "svg")
PAIRS = 10000
"""The maximum number of pairs that are drawn."""


def counted(values: Values, count: int, shape: Expected, advance: Callable[[int], Any]) -> npt.NDArray[np.int64]:
    """Return how many of the next `count` values are in each bin."""
    found = np.zeros(shape.bins, np.int64)
    for first in range(0, count, CHUNK):
        n = min(CHUNK, count - first)
        found += shape.counts(values.draw(n))
        advance(n)
    return found


def title(distribution: str | None, given: dict[str, Any]) -> str:
    """Return what is drawn, with the parameters that are given."""
    parameters = ", ".join(f"{name}={value}" for name, value in given.items() if value is not None)
    return f"{distribution or 'uniform'}({parameters})" if parameters else distribution or "uniform in [0, 1)"


@click.command()
@click.option("-n", "--count", type=Integer(1), default="1e6", show_default=True, help="How many values.")
@generator_options
@distribution_options
@click.option("--offset", type=Integer(0), default=0, show_default=True, help="Values to skip first.")
@click.option(
    "--dtype", type=click.Choice([*UNIFORM, *WHOLE]), help="Of the values; by default float32, or int64 for integers."
)
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False), required=True, help="A file whose name ends in .png or .svg."
)
@click.option("--device", help=DEVICE_HELP)
@click.option("--arithmetic", type=ARITHMETIC_CHOICE, default="auto", show_default=True)
def plot(
    count: int, offset: int, dtype: str | None, output: str, device: str | None, arithmetic: str, **options: Any
) -> None:
    """Draw a picture: a histogram of values against their density, and pairs of successive uniform numbers.

    Without --distribution the values are uniform in [0, 1). The left part shows how the values of a distribution
    spread beside what they should be, but for tails that would leave no room for the rest; the right part shows the
    generator itself, whose pairs should fill the square evenly.
    """
    ending = Path(output).suffix.lower().removeprefix(".")
    if ending not in ENDINGS:
        fail(f"--output must be the name of a file that ends in .png or .svg, not {output!r}")
    if find_spec("matplotlib") is None:
        fail("clrng plot needs matplotlib: pip install matplotlib, or clrng with its extra 'plots'")
    from clrng.measuring.picture import picture  # noqa: PLC0415  # which imports matplotlib

    values = values_of(dtype, tuple(UNIFORM), offset, device, arithmetic, **options)
    rng, distribution = values.rng, values.distribution
    shape = expected(Between(0.0, 1.0) if distribution is None else distribution)
    with opened(output) as file, progress("drawing", count) as advance:
        uniforms = Generator(rng.bit_generator.copy(), rng.queue, arithmetic).random(PAIRS + 1).get()
        counts = counted(values, count, shape, advance)
        what = title(options["distribution"], {name: options[name] for name in OWNERS})
        above = f"{what}\n{count:,} values ({values.dtype}) of {options['generator']}"
        file.write(picture(above, shape, counts, count, uniforms, ending))
