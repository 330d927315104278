"""The command ``clrng``, and how it ends."""

import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

import click
import pyopencl as cl

import clrng
from clrng.cli.console import ClosedOutput, need_output
from clrng.cli.generate import generate
from clrng.cli.lists import devices, distributions, generators
from clrng.cli.measure import bench, rates
from clrng.cli.options import with_option
from clrng.cli.plot import plot
from clrng.cli.quality import quality
from clrng.cli.verify import verify


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(clrng.__version__, prog_name="clrng")
@click.pass_context
def cli(context: click.Context) -> None:
    """Exact classic random number generators on any OpenCL device."""
    if context.invoked_subcommand not in (generate.name, plot.name):  # which may write to a file
        need_output()


for command in (devices, generators, distributions, generate, plot, verify, quality, rates, bench):
    cli.add_command(command)


class Ended(BaseException):
    """A signal has come that ends the command; raised so that files are cleaned up first."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


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
        signal.raise_signal(ended.number)  # ends a shell's loop too, which an exit status does not
        status = 128 + ended.number
    sys.exit(status)
