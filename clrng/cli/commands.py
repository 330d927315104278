"""The command line."""

import _signal as early  # type: ignore[import-not-found]  # what signal is made of, without the import of enum
import os

if early.getsignal(early.SIGINT) is early.default_int_handler:  # and not ignored from the beginning
    early.signal(early.SIGINT, early.SIG_DFL)  # Ctrl-C ends the imports below, which take long, without a traceback
while (spare := os.open(os.devnull, os.O_RDWR)) <= 2:  # noqa: PLR2004  # standard error
    pass  # no other file may get the number of a standard stream that is closed
os.close(spare)

import json
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, NoReturn

import click
import pyopencl as cl
from click.core import ParameterSource
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

import clrng
from clrng import families
from clrng.cli import generate as generating
from clrng.cli.options import DESCRIPTIONS, Integer, bit_generator, generator_options, with_option
from clrng.cli.output import FORMATS, STANDARD_OUTPUT, descriptor, opened
from clrng.codegen import arithmetic as arithmetics
from clrng.measuring import experiments as experimenting
from clrng.measuring import timing as benches
from clrng.opencl.devices import describe
from clrng.quality import digests as published
from clrng.quality import verify as verifying
from clrng.quality.checks import run_check

DEVICE_HELP = "Index, kind (gpu, cpu) or part of a name; by default $CLRNG_DEVICE, or the first GPU, or the CPU."
ARITHMETIC_CHOICE = click.Choice(["auto", *clrng.ARITHMETICS])


@contextmanager
def progress(title: str, total: int | None) -> Iterator[Any]:
    """Show a bar on a terminal's standard error, nothing elsewhere; yield a call that moves it on."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:3.0f}%"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, disable=not sys.stderr.isatty(), transient=True) as bar:
        task = bar.add_task(title, total=total)
        yield lambda amount: bar.advance(task, amount)


def fail(message: str) -> NoReturn:
    """End with an error on standard error."""
    raise click.ClickException(message)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(clrng.__version__, prog_name="clrng")
def cli() -> None:
    """Exact classic random number generators on any OpenCL device."""


@cli.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def devices(as_json: bool) -> None:
    """List the OpenCL devices and what each can do exactly."""
    found = clrng.list_devices()
    if not found:
        fail(clrng.opencl.devices.NO_DEVICE)
    usual = clrng.ParkMiller(seed=1)
    exact = {
        info.index: [n for n in clrng.ARITHMETICS if not info.fault and families.why_not(n, info, usual) is None]
        for info in found
    }
    if as_json:
        rows = [
            {
                **{k: v for k, v in vars(info).items() if k != "device"},
                "fault": info.fault,
                "arithmetics": exact[info.index],
            }
            for info in found
        ]
        click.echo(json.dumps(rows, indent=2))
        return
    table = Table()
    for title in ("", "device", "kind", "platform", "driver", "units", "GiB", "fp64", "FMA", "exact arithmetics"):
        table.add_column(title, overflow="fold")
    for info in found:
        table.add_row(
            str(info.index), info.name, info.kind, info.platform, info.driver, str(info.units),
            f"{info.memory / 2**30:.1f}", "yes" if info.fp64 else "no", "yes" if info.fma else "no",
            f"none: {info.fault}" if info.fault else ", ".join(exact[info.index]),
        )  # fmt: skip
    _print(table)


@cli.command()
def generators() -> None:
    """List the generators by name, with what each is, its seeds and its source."""
    table = Table("name", "what", "seeds", "source")
    for name, row in DESCRIPTIONS.items():
        table.add_row(name, *row)
    _print(table)


@cli.command()
@click.option("-n", "--count", type=Integer(0), help="How many values; without it, on until the pipe closes.")
@generator_options
@click.option("--offset", type=Integer(0), default=0, show_default=True, help="Values to skip first.")
@click.option(
    "--dtype", type=click.Choice(list(generating.DTYPES)), default="raw", show_default=True,
    help="raw: the raw values as they are. uint32, uint64: the raw values, or their highest bits where they have more. "
    "uint8, uint16: their highest bits, full words for a test battery. float32, float64: uniform in [0, 1).",
)  # fmt: skip
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, allow_dash=True), default=STANDARD_OUTPUT,
    help="A file; by default, and for -, standard output.",
)  # fmt: skip
@click.option(
    "--format", "file_format", type=click.Choice(FORMATS),
    help="By default npy or text for a name that ends in .npy or .txt, text on a terminal, else raw. A name that ends "
    "in another format, such as .csv, needs it.",
)  # fmt: skip
@click.option("--device", help=DEVICE_HELP)
@click.option("--arithmetic", type=ARITHMETIC_CHOICE, default="auto", show_default=True)
def generate(
    count: int | None, offset: int, dtype: str, output: str, file_format: str | None, device: str | None,
    arithmetic: str, **options: Any,
) -> None:  # fmt: skip
    """Write the numbers of a generator to a file or to standard output.

    A file appears under its name only when it is complete.
    """
    file_format = file_format or generating.default_format(output)
    number = descriptor(output)
    if count is None and (number is None or file_format == "npy"):
        fail("--count is needed for a file and for npy; only a pipe can close to end the stream")
    if number is not None and file_format != "text" and os.isatty(number):
        fail(f"refusing to write {file_format} values to a terminal; give --output, a pipe, or --format text")
    rng = clrng.Generator(bit_generator(**options).advance(offset), clrng.make_queue(device), arithmetic)
    with progress("generating", count) as advance:
        generating.write(rng, count, dtype, file_format, output, advance)


@cli.command()
@click.option("--device", help=DEVICE_HELP)
@click.option(
    "--arithmetic",
    "names",
    multiple=True,
    type=click.Choice(list(clrng.ARITHMETICS)),
    help="Repeatable; by default every exact one.",
)
@generator_options
@click.option("--sample", type=Integer(64), help="Try this many states instead of all, and no full period.")
@click.option(
    "--full", is_flag=True, help="Try every state and the full period of the published baselines on a CPU too."
)
@click.option(
    "--digests", is_flag=True,
    help="Prove nothing, but compare every generator that has published digests with these, pieces up to position "
    "10^15 among them; with --device and --arithmetic alone.",
)  # fmt: skip
@click.pass_context
def verify(
    ctx: click.Context, /, device: str | None, names: tuple[str, ...], sample: int | None, full: bool, digests: bool,
    **options: Any,
) -> None:  # fmt: skip
    """Prove on a device that the arithmetics are exact for a generator, state by state where they can be counted."""
    if digests:
        for option in ("sample", "full", *options):
            if ctx.get_parameter_source(option) is ParameterSource.COMMANDLINE:
                fail(f"--digests compares every generator, and --{option} is not for that")
        _compare(clrng.make_queue(device), names)
        return
    recurrence = bit_generator(**options)
    queue = clrng.make_queue(device)
    jobs = verifying.jobs(queue, names, recurrence, sample, full)
    _print(f"{_described(jobs.device)}; {benches.described(recurrence)}")
    for name, reason in jobs.skipped.items():
        _print(f"{name:12} not used: {reason}")
    failed = 0
    for name, title, total, check in jobs.checks:
        with progress(f"{name}: {title}", total) as advance:
            found = run_check(check, advance)
        failed += not found.passed
        verdict = "ok" if found.passed else "FAILED"
        _print(f"{name:12} {found.check:17} {found.cases:>13,} cases  {verdict}: {found.detail}")
    if failed:
        fail(f"{failed} checks failed: do not use these arithmetics on this device, and please report it")


def _described(device: clrng.DeviceInfo) -> str:
    return f"{device.name}, {device.platform}, driver {device.driver}"


def _compare(queue: cl.CommandQueue, names: tuple[str, ...]) -> None:
    """Compare all published digests, in the arithmetics `names` or in all, with a line for each generator."""
    device = describe(queue.device)
    _print(_described(device))
    chosen = list(names or clrng.ARITHMETICS)
    for name in chosen:
        if reason := arithmetics.ARITHMETICS[name].missing(device):
            _print(f"{name:12} not used: {reason}")
    if not device.fp64:
        _print("float64      not drawn: the device has no double precision (fp64)")
    pieces = generators = failed = 0
    entries = published.entries().values()
    for number, entry in enumerate(entries, 1):
        exact = [name for name in entry.exact_on(device) if name in chosen]
        due, faults = len(exact) * len(entry.drawn_on(device)), []
        with progress(f"[{number}/{len(entries)}] {entry.name}", due * published.LENGTH) as advance:
            for name in exact:
                found = published.finding(queue, entry, name, advance)
                pieces += found.cases // published.LENGTH
                if not found.passed:
                    faults.append(f"{name}: {found.detail}")
        generators += bool(exact)
        failed += bool(faults)
        verdict = f"ok: {', '.join(exact)}" if exact else "not compared: none of these arithmetics is exact for it"
        if faults:
            verdict = f"FAILED: {'; '.join(faults)}"
        _print(f"{entry.name:30} {due:2} pieces  {verdict}")
    about = f"{pieces} pieces of {generators} of {len(entries)} generators compared on {_described(device)}"
    if failed or not generators:
        fail(f"{about}: {failed} FAILED{': do not use these on this device, and please report it' if failed else ''}")
    _print(f"{about}: all as published")


@cli.command()
@generator_options
@click.option("--device", help=DEVICE_HELP)
@click.option("--mib", type=Integer(1), help="Size of the buffer; by default 4096, or 1024 on a CPU.")
@click.option("--rounds", type=Integer(1), default=7, show_default=True)
@click.option(
    "--json", "path", type=click.Path(dir_okay=False, allow_dash=True), help="Write the rates to this file too."
)
def rates(device: str | None, mib: int | None, rounds: int, path: str | None, **options: Any) -> None:
    """Measure every arithmetic of one generator beside the most the device can write."""
    recurrence = bit_generator(**options)
    queue = clrng.make_queue(device)
    with opened(path) if path is not None else nullcontext() as file:  # refuses a bad path before it measures
        with progress("measuring", 2 * rounds) as advance:
            report = benches.report(queue, recurrence, mib, rounds, advance)
        if file is not None:
            file.write(json.dumps(report, indent=2).encode() + b"\n")
    _print(benches.title(report))
    table = Table("arithmetic", "fill G/s", "lowest", "highest", "of the wall", "in registers G/s")
    for name, row in report["fills"].items():
        registers = report["registers"].get(name)
        table.add_row(
            name, f"{row['rate'] / 1e9:.2f}", f"{row['low'] / 1e9:.2f}", f"{row['high'] / 1e9:.2f}",
            f"{row['ratio']:.3f}", f"{registers['rate'] / 1e9:.2f}" if registers else "",
        )  # fmt: skip
    _print(table)


@cli.command(epilog="\b\n" + "\n".join(f"{name:17} {about}" for name, about in experimenting.EXPERIMENTS.items()))
@click.argument(
    "experiments", nargs=-1, type=click.Choice([*experimenting.EXPERIMENTS, "all"]), metavar="[EXPERIMENTS]..."
)
@click.option("--device", help=DEVICE_HELP)
@click.option(
    "--results", type=click.Path(file_okay=False, path_type=Path), default=Path("clrng-results"), show_default=True,
    help="The folder for results and plots, one folder a device in it.",
)  # fmt: skip
@click.option("--quick", is_flag=True, help="Few sizes, small: to see that everything works, not how fast.")
def bench(experiments: tuple[str, ...], device: str | None, results: Path, quick: bool) -> None:
    """Run experiments, each beside the most the device can do, and keep their results and plots.

    Without EXPERIMENTS it runs those that answer whether the device gives the same numbers as every other, how close
    clrng comes to the hardware, and how far ahead it is of its peers. All of them take up to an hour on a processor.
    """
    every = tuple(experimenting.EXPERIMENTS)
    names = every if "all" in experiments else tuple(dict.fromkeys(experiments)) or experimenting.USUAL
    clrng.make_queue(device)  # refuses a bad device before the first begins
    try:
        results.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        fail(f"--results must be a folder that can be written to: {error}")
    failed = []
    for number, name in enumerate(names, 1):
        click.echo(f"\n[{number}/{len(names)}] {name}: {experimenting.EXPERIMENTS[name]}")
        status = experimenting.run(name, device, results, quick=quick)
        if status == 128 + signal.SIGPIPE:
            sys.exit(status)
        if status:
            failed.append(name)
            click.echo(f"{name} ended with status {status}", err=True)
    if not (plots := experimenting.can_plot()):
        click.echo("no plots: Matplotlib is not installed; the extra clrng[plots] has it")
    if experimenting.present(results, plots=plots):
        failed.append("tables and plots")
    if failed:
        fail(f"failed: {', '.join(failed)}")


def _print(what: Any) -> None:
    """Print to standard output, a table as wide as it needs where nobody watches."""
    Console(width=None if sys.stdout.isatty() else 200, highlight=False, markup=False).print(what)


def _terminated(number: int, _: object) -> NoReturn:
    sys.exit(128 + number)


def _on_signals(action: Any) -> None:
    """Set what happens on Ctrl-C and on other signals to end, but for those that are ignored, as under nohup."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, action)


def main() -> NoReturn:
    """Run the command line; a closed pipe or Ctrl-C ends it quietly."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # a closed pipe ends it as it does other tools
    try:
        _on_signals(_terminated)
        if sys.stderr is None:
            sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115  # open to the end
        if sys.stdout is None:
            fail("standard output is closed")
        status = cli.main(standalone_mode=False) or 0
        sys.stdout.flush()
        sys.exit(status)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (clrng.ClrngError, cl.Error, ValueError, OSError) as error:
        click.echo(f"Error: {with_option(str(error), cli.commands.values())}", err=True)
        sys.exit(1)
    finally:
        _on_signals(signal.SIG_DFL)  # files are put right by now
