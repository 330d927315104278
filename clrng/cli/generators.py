"""``clrng generators``: the generators of the command line."""

import click
from rich.table import Table

from clrng.cli.console import show
from clrng.cli.options import DESCRIPTIONS


@click.command()
def generators() -> None:
    """List the generators by name, with what each is, its seeds and its source."""
    table = Table("name", "what", "seeds", "source")
    for name, row in DESCRIPTIONS.items():
        table.add_row(name, *row)
    show(table)
