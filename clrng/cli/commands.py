"""The command ``clrng`` and how it ends; and its commands that list what there is."""

import json
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

import click
import pyopencl as cl
from rich.table import Table

import clrng
from clrng.cli.console import ClosedOutput, fail, need_output, show
from clrng.cli.generate import generate, plot
from clrng.cli.measure import bench, rates
from clrng.cli.options import DESCRIPTIONS, with_option
from clrng.cli.quality import quality
from clrng.cli.verify import verify
from clrng.generators.families import exact_arithmetics
from clrng.opencl.devices import list_devices, no_device
from clrng.quality.verdicts import brief_of


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def devices(as_json: bool) -> None:
    """List the OpenCL devices.

    The table says what each has, and which arithmetics are exact on it.
    """
    found = list_devices()
    if not found:
        fail(no_device())
    usual = clrng.ParkMiller(seed=1)
    exact = {info.index: [] if info.fault else [each.name for each in exact_arithmetics(info, usual)] for info in found}
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
    table = Table("", "device", "exact arithmetics")
    for info in found:
        has = " and ".join(["fp64"] * info.fp64 + ["FMA"] * info.fma) or "neither fp64 nor FMA"
        told = (
            info.name, f"{info.kind} of {info.units} units, {info.memory / 2**30:.1f} GiB, {has}",
            f"{info.platform}, driver {info.driver}",
        )  # fmt: skip
        arithmetics = f"none: {info.fault}" if info.fault else ", ".join(exact[info.index])
        table.add_row(str(info.index), "\n".join(told), arithmetics, end_section=True)
    show(table)


@click.command()
@click.argument("pattern", default="")
def generators(pattern: str) -> None:
    """List the generators by name.

    The table says what each is, its legal seeds, where it was published, and the verdict of test batteries. With
    PATTERN it has those alone that have this in their names.
    """
    found = {name: row for name, row in DESCRIPTIONS.items() if pattern.lower() in name}
    if not found:
        fail(f"no generator has {pattern!r} in its name; `clrng generators` lists them all")
    table = Table("name", "what it is, its seeds, its source, the verdict of batteries")
    table.columns[0].no_wrap = True
    for name, (what, seeds, source) in found.items():
        about = f"{what}\n  seeds: {seeds}\n  {source}\n  verdict: {brief_of(name)}"
        table.add_row(name, about, end_section=True)
    show(table)


@click.command()
def distributions() -> None:
    """List the distributions by name.

    The table says what each is, and its parameters, which are options of generate and plot.
    """
    table = Table("name", "what", "parameters")
    for name, row in clrng.DISTRIBUTIONS.items():
        table.add_row(name, row.about, row.signature)
    show(table)


EXAMPLES = """\b
Examples:
  clrng devices                       what is there
  clrng generate -n 5                 five numbers of NumPy's default_rng(1)
  clrng generate --help               the options of a command
  clrng generate -g lcg --help        and those of a generator
  clrng plot -g randu -o randu.png    what is wrong with it
"""


@click.group(context_settings={"help_option_names": ["-h", "--help"]}, epilog=EXAMPLES)
@click.version_option(clrng.__version__, prog_name="clrng")
@click.pass_context
def cli(context: click.Context) -> None:
    """Exact streams of well-known random number generators, on any OpenCL device."""
    if context.invoked_subcommand not in (generate.name, plot.name):  # which may write to a file
        need_output()


for command in (devices, generators, distributions, generate, plot, verify, quality, rates, bench):
    cli.add_command(command)


class Ended(BaseException):
    """A signal, whose number is the argument, ends the command; raised so that files are cleaned up first."""


def _end(number: int, _: object) -> NoReturn:
    raise Ended(number)


def _on_signals(action: Any) -> None:
    """Set what Ctrl-C and the other signals that end a process do; those that are ignored, as under nohup, stay so."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # there is no SIGHUP on Windows
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, action)


def _run() -> int:
    """Run the command that the arguments say, and return the exit status."""
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115  # open to the end
    if sys.stdout is None:
        sys.stdout = ClosedOutput()
    try:
        status: int = cli.main(standalone_mode=False) or 0
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except BrokenPipeError:  # where there is no SIGPIPE
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # so that nothing is left to be written at the end
        return 1
    except (clrng.ClrngError, cl.Error, ValueError, OSError) as error:
        click.echo(f"Error: {with_option(str(error), cli.commands.values())}", err=True)
        return 1
    return status


def main() -> NoReturn:
    """Run the command line; a closed pipe or Ctrl-C ends it silently, killed by the signal as other tools are."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        _on_signals(_end)
        status = _run()
        _on_signals(signal.SIG_DFL)
    except Ended as ended:  # files are cleaned up by now
        _on_signals(signal.SIG_DFL)
        with suppress(OSError, AttributeError):
            sys.stdout.flush()
        (number,) = ended.args
        signal.raise_signal(number)  # ends a shell's loop too, which an exit status does not
        status = 128 + number
    sys.exit(status)
