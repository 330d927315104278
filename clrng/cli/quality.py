"""``clrng quality``: run a test battery on a generator."""

import shlex
import signal
import sys
from pathlib import Path
from typing import Any

import click
import pyopencl as cl

import clrng
from clrng import NAMED
from clrng.cli.console import check_file, device_option, fail, json_file, show
from clrng.cli.helping import Command
from clrng.cli.options import Integer, bit_generator, generator_options, usual_seed
from clrng.opencl.devices import describe, make_queue
from clrng.quality.batteries import BATTERIES, MIN_BYTES, OUTPUTS, SHORT, STREAMS, Trial, check_test, run, usual_output

MAX_BYTES = 2**50
WORST = 5
"""How many results are shown: the worst ones."""


def trial_of(
    battery: str, output: str | None, streams: str, up_to: int | None, test: int | None, **options: Any
) -> Trial:
    """Return what the options of the command ask for; `ValueError` if they do not go together."""
    if up_to is not None and battery != "practrand":
        raise ValueError(f"--up-to is for practrand, not for {battery}, which reads what its tests need")
    if up_to is not None and up_to & (up_to - 1):
        raise ValueError(f"--up-to must be a power of two, as practrand reports on these sizes, not {up_to}")
    if test is not None:
        check_test("--test", battery, test)
    bits = bit_generator(**options)
    return Trial(
        bit_generator=bits,
        battery=battery,
        output=output or usual_output(battery, bits.upper_bound),
        streams=streams,
        up_to=up_to or 2**30,
        test=test,
    )


def seed_of(generator: str, **options: Any) -> int | None:
    """Return the seed that `bit_generator` takes, if it takes one."""
    given: int | None = options.get("seed")
    return usual_seed(generator) if given is None and generator in NAMED else given


def tested(
    options: dict[str, Any], queue: cl.CommandQueue, seconds: float | None, command: str
) -> dict[str, Any] | None:
    """Run what the options of the command ask for; return a record, or None if it did not end within `seconds`."""
    found = run(trial_of(**options), queue, seconds)
    if found is None:
        return None
    about = {"generator": options["generator"], "seed": seed_of(**options), "command": f"clrng quality {command}"}
    return {**about, **found, "clrng": clrng.__version__, "device": describe(queue.device).name}


@click.command(
    cls=Command,
    examples="""
    clrng quality -g randu
    clrng quality -g minstd --battery smallcrush --json found.json
    clrng quality -g mrg32k3a --battery crush --test 71
    """,
)
@generator_options
@click.option("--battery", type=click.Choice([SHORT, *BATTERIES]), default=SHORT, show_default=True)
@click.option(
    "--output", type=click.Choice(OUTPUTS),
    help="What the words are made of. uniform, for TestU01's batteries: the first 32 bits of the uniform number. raw, "
    "for the others: the highest whole bytes of raw values. normal, exponential: values of the distribution, made "
    "uniform again by its distribution function.",
)  # fmt: skip
@click.option(
    "--streams", type=click.Choice(STREAMS), default=STREAMS[0], show_default=True,
    help="sequential: the values one after the other. jumped: 64 streams that begin far apart, dealt value by value. "
    "spawned: 64 children of the seed, dealt likewise. leapfrog: every 64th value.",
)  # fmt: skip
@click.option(
    "--up-to",
    type=Integer(MIN_BYTES, MAX_BYTES),
    metavar="BYTES",
    help="Of practrand: a power of two, by default 2^30.",
)
@click.option("--test", type=Integer(0), metavar="NUMBER", help="One test alone of crush or dieharder.")
@click.option("--seconds", type=Integer(1), help="End the battery after this time; practrand says how far it came.")
@click.option("--json", "file", type=click.Path(dir_okay=False), help="A file for the results, which must be new.")
@device_option
def quality(seconds: int | None, file: str | None, device: str | None, **options: Any) -> None:
    """Run a test battery on a generator.

    The short battery is clrng's own and takes seconds. The others must be installed: TestU01, PractRand and dieharder,
    whose programs clrng-testu01, RNG_test and dieharder are looked for in the folder that $CLRNG_BATTERIES names, by
    default ~/.cache/clrng/batteries, and on the path.
    """
    check_file("--json", file)
    if file is not None and Path(file).exists():
        fail(f"--json must name a new file, not {file}, which is there")
    trial_of(**options)  # before a device is asked for
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # programs end before the words do
    with json_file(file, 1) as write:  # refuses a bad file before it tests
        told = tested(options, make_queue(device), seconds, shlex.join(sys.argv[2:]))
        if told is None:
            fail(f"--seconds must be more: {options['battery']} did not end within {seconds} seconds")
        write(told)
    for result in told["results"][:WORST]:
        size = f" of {result['size']} bytes" if result["size"] else ""
        show(f"{result['verdict']:10} p = {result['p']:<12.6g} {result['name']}{size}")
    show(f"{told['p_values']} p-values of {told['version']}, {told['battery']}: {told['failing']} fail, "
         f"{told['suspicious']} are suspicious")  # fmt: skip
