"""What the commands share: printing, progress bars, errors, and options."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import TextIOBase
from pathlib import Path
from typing import Any, NoReturn

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from clrng.cli.output import descriptor, opened
from clrng.generators.arithmetic import ARITHMETICS
from clrng.opencl.devices import DeviceInfo

device_option = click.option(
    "--device", help="Index, kind (gpu, cpu) or part of a name; by default $CLRNG_DEVICE, or the first GPU, or the CPU."
)
arithmetic_option = click.option(
    "--arithmetic", type=click.Choice(["auto", *ARITHMETICS]), default="auto", metavar="NAME",
    help=f"auto (the default), {', '.join(ARITHMETICS)}: all give the same numbers.",
)  # fmt: skip


@contextmanager
def progress(title: str, total: int | None) -> Iterator[Any]:
    """Show a progress bar if standard error is a terminal; yield a function that advances it by an amount."""
    if not sys.stderr.isatty():  # where Rich would end the line, before its version 14.3
        yield lambda _: None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:3.0f}%"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(title, total=total)
        yield lambda amount: bar.advance(task, amount)


def fail(message: str) -> NoReturn:
    """End with an error on standard error."""
    raise click.ClickException(message)


@contextmanager
def json_file(name: str | None, indent: int) -> Iterator[Callable[[object], None]]:
    """Open the file of --json, if there is one, and yield a function that writes to it; a bad name is refused first."""
    if name is None:
        yield lambda _: None
        return
    with opened(name) as file:
        yield lambda what: file.write(json.dumps(what, indent=indent).encode() + b"\n")


def check_file(option: str, name: str | None) -> None:
    """End with an error if there is no folder for the file `name` of an option, or none that can be written to."""
    if name is None or (name and descriptor(name) is not None):
        return
    path = Path(name)
    if not name or (not os.access(path.parent, os.W_OK) and (path.is_file() or not path.exists())):
        fail(f"{option} must be the name of a file in a folder that can be written to, not {name!r}")


class ClosedOutput(TextIOBase):
    """Stands for a standard output that is closed."""

    def write(self, _: str, /) -> NoReturn:
        """Refuse to write."""
        fail("standard output is closed")


def need_output() -> None:
    """End with an error if standard output is closed, before any work is done in vain."""
    if isinstance(sys.stdout, ClosedOutput):
        sys.stdout.write("")


def show(what: Any) -> None:
    """Print to standard output; in a pipe lines stay whole, and a table has $COLUMNS or 200 columns."""
    piped = not sys.stdout.isatty()
    width = 200 if piped and "COLUMNS" not in os.environ else None
    Console(width=width, highlight=False, markup=False).print(what, soft_wrap=piped and isinstance(what, str))


def described(device: DeviceInfo) -> str:
    """Return a device in a line."""
    return f"{device.name}, {device.platform}, driver {device.driver}"
