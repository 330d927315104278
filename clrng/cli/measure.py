"""``clrng bench``, the experiments, and ``clrng rates``: how fast each arithmetic of a generator is."""

import sys
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import click
from rich.table import Table

from clrng.cli.console import check_file, device_option, fail, json_file, progress, show
from clrng.cli.helping import Command
from clrng.cli.options import Integer, Name, bit_generator, generator_options
from clrng.measuring import experiments as experimenting
from clrng.measuring import timing
from clrng.opencl.devices import make_queue

CLOSED_PIPE = 128 + 13
"""The status of an experiment that could not print, as the shell has it for SIGPIPE."""


class Bench(click.Command):
    """The command whose help lists the experiments."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  # click's
        """Write each experiment and its question."""
        with formatter.section("Experiments"):
            formatter.write_dl(list(experimenting.EXPERIMENTS.items()))


@click.command(cls=Bench)
@click.argument(
    "experiments", nargs=-1, metavar="[EXPERIMENTS]...",
    type=Name({**experimenting.EXPERIMENTS, "all": ""}, "clrng bench --help"),
)  # fmt: skip
@device_option
@click.option(
    "--results", type=click.Path(file_okay=False, path_type=Path), default=Path("clrng-results"), show_default=True,
    help="The folder for results and plots, one folder a device in it.",
)  # fmt: skip
@click.option("--quick", is_flag=True, help="Few sizes, small: to see that everything works, not how fast.")
def bench(experiments: tuple[str, ...], device: str | None, results: Path, quick: bool) -> None:
    """Run experiments, and keep their results.

    Each measures beside the most that the device can do, and leaves JSON, tables and plots.
    Without EXPERIMENTS it runs those that answer whether the device gives the same numbers as every other, how close
    clrng comes to the hardware, and how far ahead it is of its peers. All of them take an hour or more on a processor.
    """
    experimenting.directory()  # raises where there is none
    every = tuple(experimenting.EXPERIMENTS)
    names = every if "all" in experiments else tuple(dict.fromkeys(experiments)) or experimenting.USUAL
    make_queue(device)  # refuses a bad device before the first begins
    try:
        results.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=results):
            pass
    except OSError as error:
        fail(f"--results must be a folder that can be written to, not {str(results)!r}: {error.strerror}")
    click.echo(f"results go to {results.resolve()}, a folder for each device; Ctrl-C keeps what is measured by then")
    options = [] if device is None else ["--device", device]
    options += ["--quick"] if quick else []
    failed = []
    for number, name in enumerate(names, 1):
        click.echo(f"\n[{number}/{len(names)}] {name}: {experimenting.EXPERIMENTS[name]}")
        status = experimenting.script(name, results, *options)
        if status == CLOSED_PIPE:
            sys.exit(status)
        if status:
            failed.append(name)
            click.echo(f"{name} ended with status {status}", err=True)
    shown = ["report", "plot"]
    if find_spec("matplotlib") is None:
        shown.remove("plot")
        click.echo("no plots: Matplotlib is not installed: pip install matplotlib")
    ends = [experimenting.script(name, results) for name in shown]
    if any(ends):
        failed.append("tables and plots")
    if failed:
        fail(f"failed: {', '.join(failed)}")


@click.command(
    cls=Command,
    examples="""
    clrng rates
    clrng rates -g mmix --mib 256
    """,
)
@generator_options
@device_option
@click.option("--mib", type=Integer(1), help="Size of the buffer; by default 4096, or 1024 on a CPU.")
@click.option("--rounds", type=Integer(1, 1000), default=7, show_default=True)
@click.option(
    "--json", "path", type=click.Path(dir_okay=False, allow_dash=True), help="Write the rates to this file too."
)
def rates(device: str | None, mib: int | None, rounds: int, path: str | None, **options: Any) -> None:
    """Measure one generator's arithmetics.

    Each fills a buffer, beside the most that the device can write.
    """
    check_file("--json", path)
    recurrence = bit_generator(**options)
    queue = make_queue(device)
    with json_file(path, 2) as write:  # refuses a bad path before it measures
        with progress("measuring", 2 * rounds) as advance:
            report = timing.report(queue, recurrence, mib, rounds, advance)
        write(report)
    show(timing.title(report))
    table = Table("arithmetic", "fill G/s", "lowest", "highest", "of the wall", "in registers G/s")
    for name, row in report["fills"].items():
        registers = report["registers"].get(name)
        table.add_row(
            name, f"{row['rate'] / 1e9:.2f}", f"{row['low'] / 1e9:.2f}", f"{row['high'] / 1e9:.2f}",
            f"{row['ratio']:.3f}", f"{registers['rate'] / 1e9:.2f}" if registers else "",
        )  # fmt: skip
    show(table)
