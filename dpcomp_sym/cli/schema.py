"""``dpcomp schema``."""

from __future__ import annotations

import json

import click

from dpcomp_sym.cli.program import main
from dpcomp_sym.cli.shared import PROVED


@main.command()
@click.argument("command", metavar="[COMMAND]", required=False)
@click.option("--spec", "of_spec", is_flag=True, help="The schema of specs instead.")
def schema(command: str | None, of_spec: bool) -> int:
    """Print the JSON Schema of results: of what COMMAND prints with --json, or of all of them.

    \b
    Example:
      dpcomp schema derive > derive.schema.json
      dpcomp schema --spec > spec.schema.json
    """
    if of_spec:
        from dpcomp_sym.surface.schemas import spec_schema

        found = spec_schema()
    else:
        from dpcomp_sym.surface.schemas import result_schema

        found = result_schema(command)
    click.echo(json.dumps(found, indent=1, ensure_ascii=False))
    return PROVED
