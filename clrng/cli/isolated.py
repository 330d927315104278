"""A command that runs in a process of its own, so that a compiler which ends that is a failure and not the end."""

import os
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from clrng.cli.console import fail
from clrng.opencl.crashes import ending

VARIABLE = "CLRNG_ISOLATED"
"""The environment variable that tells such a process which file to write to what it does."""

BY_THE_USER = tuple(int(getattr(signal, name, 0)) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGPIPE"))
"""Signals that end a command without its fault; with them this process ends likewise. A 0 is no signal."""


def doing(what: str) -> None:
    """Take note of what is done now: where the process ends, this is what it ended in."""
    if name := os.environ.get(VARIABLE):
        Path(name).write_text(what, "utf-8")


class Isolated(click.Command):
    """A command whose work is done by another process with the same arguments, and its exit status handed on."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, and keep them for the process."""
        ctx.meta[VARIABLE] = list(args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Do the work where this is that process; else start it, and say how it ended."""
        if os.environ.get(VARIABLE):
            return super().invoke(ctx)
        with tempfile.TemporaryDirectory(prefix="clrng-", ignore_cleanup_errors=True) as folder:
            note = Path(folder, "doing")
            status = self._run([*ctx.meta[VARIABLE]], note)
            what = note.read_text("utf-8") if note.exists() else "its first steps"
        if status and -status in BY_THE_USER:
            signal.signal(-status, signal.SIG_DFL)
            signal.raise_signal(-status)
        if status < 0:
            fail(f"FAILED: crashed in {what}: the process ended with {ending(status)}. Do not use this device")
        return ctx.exit(status)

    def _run(self, arguments: list[str], note: Path) -> int:
        """Run the process, which gets the signals of the terminal too, and return its exit status."""
        sys.stdout.flush()
        command = [sys.executable, "-m", "clrng", str(self.name), *arguments]
        process = subprocess.Popen(command, env={**os.environ, VARIABLE: str(note)})  # noqa: S603  # itself
        try:
            return process.wait()
        finally:
            if process.poll() is None:
                process.terminate()
                with suppress(subprocess.TimeoutExpired):
                    process.wait(10)
