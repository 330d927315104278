"""``clrng devices``, ``generators`` and ``distributions``: what there is."""

import json

import click
from rich.table import Table

from clrng.cli.console import fail, show
from clrng.cli.options import DESCRIPTIONS
from clrng.distributions.catalog import DISTRIBUTIONS
from clrng.generators import ParkMiller
from clrng.generators.arithmetic import ARITHMETICS
from clrng.generators.families import why_not
from clrng.opencl.devices import list_devices, no_device


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def devices(as_json: bool) -> None:
    """List the OpenCL devices and what each can do exactly."""
    found = list_devices()
    if not found:
        fail(no_device())
    usual = ParkMiller(seed=1)
    exact = {
        info.index: [n for n in ARITHMETICS if not info.fault and why_not(n, info, usual) is None] for info in found
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
    show(table)


@click.command()
def generators() -> None:
    """List the generators by name, with what each is, its seeds and its source."""
    table = Table("name", "what", "seeds", "source")
    for name, row in DESCRIPTIONS.items():
        table.add_row(name, *row)
    show(table)


@click.command()
def distributions() -> None:
    """List the distributions by name, with what each is and its parameters."""
    table = Table("name", "what", "parameters")
    for name, row in DISTRIBUTIONS.items():
        table.add_row(name, row.about, row.signature)
    show(table)
