"""``clrng rates``: how fast each arithmetic of a generator is."""

import json
from contextlib import nullcontext
from typing import Any

import click
from rich.table import Table

from clrng.cli.console import DEVICE_HELP, check_file_name, progress, show
from clrng.cli.options import Integer, bit_generator, generator_options
from clrng.cli.output import opened
from clrng.measuring import timing
from clrng.opencl.devices import make_queue


@click.command()
@generator_options
@click.option("--device", help=DEVICE_HELP)
@click.option("--mib", type=Integer(1), help="Size of the buffer; by default 4096, or 1024 on a CPU.")
@click.option("--rounds", type=Integer(1), default=7, show_default=True)
@click.option(
    "--json", "path", type=click.Path(dir_okay=False, allow_dash=True), help="Write the rates to this file too."
)
def rates(device: str | None, mib: int | None, rounds: int, path: str | None, **options: Any) -> None:
    """Measure every arithmetic of one generator beside the most the device can write."""
    check_file_name("--json", path)
    recurrence = bit_generator(**options)
    queue = make_queue(device)
    with opened(path) if path is not None else nullcontext() as file:  # refuses a bad path before it measures
        with progress("measuring", 2 * rounds) as advance:
            report = timing.report(queue, recurrence, mib, rounds, advance)
        if file is not None:
            file.write(json.dumps(report, indent=2).encode() + b"\n")
    show(timing.title(report))
    table = Table("arithmetic", "fill G/s", "lowest", "highest", "of the wall", "in registers G/s")
    for name, row in report["fills"].items():
        registers = report["registers"].get(name)
        table.add_row(
            name, f"{row['rate'] / 1e9:.2f}", f"{row['low'] / 1e9:.2f}", f"{row['high'] / 1e9:.2f}",
            f"{row['ratio']:.3f}", f"{registers['rate'] / 1e9:.2f}" if registers else "",
        )  # fmt: skip
    show(table)
