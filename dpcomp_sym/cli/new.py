"""``dpcomp new``."""

from __future__ import annotations

import shlex

import click

from dpcomp_sym import printable
from dpcomp_sym.cli import completion
from dpcomp_sym.cli.program import main
from dpcomp_sym.cli.shared import PROVED


@main.command()
@click.argument("name")
@click.option(
    "--granularity",
    metavar="G",
    shell_complete=completion.built_ins("granularity"),
    help="A built-in granularity, such as user.",
)
@click.option(
    "--map",
    "of",
    metavar="M",
    shell_complete=completion.built_ins("map"),
    help="A built-in map, such as cover.",
)
@click.option("--setting", type=click.Choice(["separate", "common"]), help="Of the first part.")
@click.option("--ask", is_flag=True, help="Ask for what is not given.")
@click.option("--force", is_flag=True, help="Replace a file that is there already.")
def new(
    name: str, granularity: str | None, of: str | None, setting: str | None, ask: bool, force: bool
) -> int:
    """Write NAME.toml, a spec with comments to start from.

    \b
    Example:
      dpcomp new first --granularity bounded --setting common
      dpcomp derive first.toml
    """
    from dpcomp_sym.model import library_names
    from dpcomp_sym.spec import write_starter

    chosen = {"granularity": granularity, "map": of, "setting": setting}
    usual = {"granularity": "unbounded", "map": "partition", "setting": "separate"}
    known = {"setting": ("separate", "common")}
    for what, value in chosen.items():
        if value is None and ask:
            words = click.Choice(known.get(what) or library_names(what))
            chosen[what] = click.prompt(f"Which {what}?", type=words, default=usual[what], err=True)
    given = {what: value for what, value in chosen.items() if value is not None}
    file = write_starter(name, force=force, **given)
    again = f"dpcomp derive {shlex.quote(str(file))}"
    click.echo(printable.one_line(f"{file} is written; try: {again}"))
    return PROVED
