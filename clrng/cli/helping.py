"""The help of commands with many options: under headings, with examples, and about the generator that is named."""

from typing import Any

import click

from clrng.cli.options import DEFAULT, OWNERS, PARAMETERS

HEADINGS = {
    "Values": ("count", "offset", "dtype"),
    "Generator": ("generator", *(name for name in PARAMETERS if name not in OWNERS)),
    "Distribution": ("distribution", *OWNERS),
    "Output": ("output", "file_format"),
    "Device": ("device", "arithmetic", "names"),
}
"""The options under each heading; those under none come last."""


def _show_all(context: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not context.resilient_parsing:
        context.meta[__name__] = None
        click.echo(context.get_help(), color=context.color)
        context.exit()


class Command(click.Command):
    """A command whose help has, of the parameters, those of the generator and of the distribution that are named."""

    def __init__(self, *arguments: Any, examples: str = "", **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._examples = [line.strip() for line in examples.strip().splitlines()]
        if any(option.name in PARAMETERS for option in self.params):
            self.params.append(click.Option(
                ["--help-all"], is_flag=True, is_eager=True, expose_value=False, callback=_show_all,
                help="Show the parameters of all generators and distributions too.",
            ))  # fmt: skip

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, and find what they name before any help is shown."""
        given, _, _ = self.make_parser(ctx).parse_args(list(args))
        ctx.meta[__name__] = [str(given.get("generator", DEFAULT)).lower(), given.get("distribution")]
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options under their headings, and the examples."""
        rows: dict[str, list[tuple[str, str]]] = {heading: [] for heading in (*HEADINGS, "Options")}
        for option in self.get_params(ctx):
            row, told = option.get_help_record(ctx), PARAMETERS.get(str(option.name))
            if row and told and (named := ctx.meta.get(__name__)):
                row = next(((row[0], f"Of {name}: {told[name]}.") for name in named if name in told), None)
            if row:
                rows[next((heading for heading in HEADINGS if option.name in HEADINGS[heading]), "Options")].append(row)
        for heading, found in rows.items():
            if found:
                with formatter.section(heading):
                    formatter.write_dl(found)
        if self._examples:
            with formatter.section("Examples"):
                for line in self._examples:
                    formatter.write(f"{'':{formatter.current_indent}}{line}\n")
