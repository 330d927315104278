"""``clrng verify``: prove that arithmetics are exact on a device, or compare with published digests.

It runs in a process of its own, so that a crash of the compiler is reported as a failure.
"""

import os
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any

import click
import pyopencl as cl
from click.core import ParameterSource

from clrng.cli.console import described, device_option, fail, progress, show
from clrng.cli.helping import Command
from clrng.cli.options import Integer, bit_generator, generator_options
from clrng.generators.arithmetic import ARITHMETICS
from clrng.measuring import timing
from clrng.measuring.experiments import waited
from clrng.opencl.devices import describe, make_queue
from clrng.opencl.ledger import ending
from clrng.quality import digests as published
from clrng.quality.checks import jobs as jobs_of
from clrng.quality.digests import DISTRIBUTIONS, GENERATORS, PERMUTATIONS, Entry, run_check

VARIABLE = "CLRNG_ISOLATED"
"""The environment variable with the name of the file in which such a process notes what it does."""

BY_THE_USER = tuple(int(getattr(signal, name, 0)) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGPIPE"))
"""Signals by which users end a command; this process then ends by the same one. A 0 is no signal."""


def doing(what: str) -> None:
    """Note what is done now, which is reported if the process crashes."""
    if name := os.environ.get(VARIABLE):
        Path(name).write_text(what, "utf-8")


class Isolated(Command):
    """A command that runs in another process with the same arguments, and ends with the exit status of that."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, and keep them for the process."""
        ctx.meta[VARIABLE] = list(args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Do the work if this is that process; else start it, and report how it ended."""
        if os.environ.get(VARIABLE):
            return super().invoke(ctx)
        with tempfile.TemporaryDirectory(prefix="clrng-", ignore_cleanup_errors=True) as folder:
            note = Path(folder, "doing")
            sys.stdout.flush()
            command = [sys.executable, "-m", "clrng", str(self.name), *ctx.meta[VARIABLE]]
            status = waited(command, **{VARIABLE: str(note)})
            what = note.read_text("utf-8") if note.exists() else "its first steps"
        if status and -status in BY_THE_USER:
            signal.signal(-status, signal.SIG_DFL)
            signal.raise_signal(-status)
        if status < 0:
            fail(f"FAILED: crashed in {what}: the process ended with {ending(status)}. Do not use this device")
        return ctx.exit(status)


@click.command(
    cls=Isolated,
    examples="""
    clrng verify
    clrng verify -g park_miller --arithmetic integer
    clrng verify --digests
    """,
)
@device_option
@click.option(
    "--arithmetic",
    "names",
    multiple=True,
    type=click.Choice(list(ARITHMETICS)),
    metavar="NAME",
    help=f"{', '.join(ARITHMETICS)}: repeatable; by default every exact one.",
)
@generator_options
@click.option(
    "--sample", type=Integer(64),
    help="Try this many states instead of all, and no full period; more than there are means all of them.",
)  # fmt: skip
@click.option(
    "--full", is_flag=True, help="Try every state and the full period of the published baselines on a CPU too."
)
@click.option(
    "--digests", is_flag=True,
    help="Prove nothing, but compare every generator that has published digests with these, pieces up to position "
    "10^15 among them, and without --arithmetic distributions and permutations; with --device and --arithmetic alone.",
)  # fmt: skip
@click.pass_context
def verify(
    ctx: click.Context, /, device: str | None, names: tuple[str, ...], sample: int | None, full: bool, digests: bool,
    **options: Any,
) -> None:  # fmt: skip
    """Prove that the arithmetics are exact.

    Each that is exact for a generator is compared with integers on the device, state by state where they can be
    counted.
    """
    if digests:
        for option in ("sample", "full", *options):
            if ctx.get_parameter_source(option) is ParameterSource.COMMANDLINE:
                fail(f"--digests compares every generator, and --{option} is not for that")
        _compare(make_queue(device), names)
        return
    recurrence = bit_generator(**options)
    queue = make_queue(device)
    jobs = jobs_of(queue, names, recurrence, sample, full)
    show(f"{described(describe(queue.device))}; {timing.described(recurrence)}")
    for reason in dict.fromkeys(jobs.skipped.values()):
        show(f"not used: {', '.join(name for name, why in jobs.skipped.items() if why == reason)}: {reason}")
    failed = 0
    for name, title, total, check in jobs.checks:
        doing(f"{name}: {title}")
        with progress(f"{name}: {title}", total) as advance:
            found = run_check(check, advance)
        failed += not found.passed
        verdict = "ok" if found.passed else "FAILED"
        show(f"{name:12} {found.check:17} {found.cases:>13,} cases  {verdict}: {found.detail}")
    if failed:
        fail(f"{failed} checks failed: do not use these arithmetics on this device, and please report it")


def _compare(queue: cl.CommandQueue, names: tuple[str, ...]) -> None:
    """Compare the published digests of generators, and without `names` those of distributions and permutations."""
    device = describe(queue.device)
    show(described(device))
    chosen = list(names or ARITHMETICS)
    for name in chosen:
        if reason := ARITHMETICS[name].missing(device):
            show(f"{name:12} not used: {reason}")
    if not device.fp64:
        show("float64      not drawn: the device has no double precision (fp64)")
    generators = list(published.entries().values())
    exact = [[name for name in entry.exact_on(device) if name in chosen] for entry in generators]
    pieces, failed = _compare_entries(queue, generators, exact)
    compared = sum(map(bool, exact))
    told = f"{compared} of {len(generators)} generators"
    if not names:
        tables = [list(published.entries(table).values()) for table in (DISTRIBUTIONS, PERMUTATIONS)]
        others = [entry for table in tables for entry in table]
        more, wrong = _compare_entries(queue, others, [["auto"]] * len(others))
        pieces, failed = pieces + more, failed + wrong
        told = f"{told}, of {len(tables[0])} distributions and of {len(tables[1])} permutations"
    about = f"{pieces} pieces of {told} compared on {described(device)}"
    if failed or not compared:
        fail(f"{about}: {failed} FAILED{': do not use these on this device, and please report it' if failed else ''}")
    show(f"{about}: all as published")


def _compare_entries(queue: cl.CommandQueue, entries: list[Entry], arithmetics: list[list[str]]) -> tuple[int, int]:
    """Compare each entry in its arithmetics, with a line for each; return how many pieces, and how many failed."""
    pieces = failed = 0
    for number, (entry, exact) in enumerate(zip(entries, arithmetics, strict=True), 1):
        due, faults = len(exact) * len(entry.drawn_on(describe(queue.device))), []
        listed = entry.table == GENERATORS
        with progress(f"[{number}/{len(entries)}] {entry.name}", due * entry.length) as advance:
            for name in exact:
                doing(f"{entry.name}: {name}" if listed else entry.name)
                found = published.finding(queue, entry, advance, name)
                pieces += found.cases // entry.length
                if not found.passed:
                    faults.append(f"{name}: {found.detail}" if listed else found.detail)
        failed += bool(faults)
        verdict = f"ok: {', '.join(exact)}" if listed else "ok"
        if not exact:
            verdict = "not compared: none of these arithmetics is exact for it"
        if faults:
            verdict = f"FAILED: {'; '.join(faults)}"
        show(f"{entry.name:30} {due:2} pieces  {verdict}")
    return pieces, failed
