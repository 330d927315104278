"""``clrng distributions``: the distributions of the command line."""

import click
from rich.table import Table

from clrng.cli.console import show
from clrng.distributions.catalog import DISTRIBUTIONS


@click.command()
def distributions() -> None:
    """List the distributions by name, with what each is and its parameters."""
    table = Table("name", "what", "parameters")
    for name, row in DISTRIBUTIONS.items():
        table.add_row(name, row.about, row.signature)
    show(table)
