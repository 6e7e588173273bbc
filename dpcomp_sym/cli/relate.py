"""``dpcomp relate``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from dpcomp_sym import printable
from dpcomp_sym.cli.completion import granularities
from dpcomp_sym.cli.program import main
from dpcomp_sym.cli.shared import (
    STATUS,
    answers,
    asked,
    checked_places,
    file_options,
    fragment_option,
    fresh_option,
    json_option,
    layout_of,
    limit_options,
    load,
    set_option,
    show,
    spec_argument,
    working,
)
from dpcomp_sym.errors import InputError
from dpcomp_sym.limits import in_full

if TYPE_CHECKING:
    from dpcomp_sym.metrics.relate import GranularityComparison


@main.command()
@spec_argument
@set_option
@json_option
@click.option(
    "--diagram",
    type=click.Choice(["mermaid", "dot"]),
    help="Print the order alone, in the language of a drawing program.",
)
@click.option(
    "--granularity",
    "named",
    metavar="NAME",
    multiple=True,
    shell_complete=granularities,
    help="Compare this one with the others that are named, and no more. Repeatable.",
)
@file_options
@fragment_option
@fresh_option
@limit_options
def relate(
    spec: str, sets: tuple[str, ...], as_json: bool, diagram: str | None, named: tuple[str, ...],
    columns: str | None, detail: str | None, notation: Sequence[str], fresh: bool,
    **files: str | None,
) -> int:  # fmt: skip
    """Compare the granularities of a spec, and the built-ins that fit, over its class.

    SPEC is a TOML file, or - for standard input. For each granularity its metric is found in
    closed form; for each two of them, how far apart neighbours in one are in the other.

    \b
    Example:
      dpcomp relate examples/bounded-partition.toml
      dpcomp relate examples/bounded-partition.toml --granularity bounded --granularity unbounded

    The exit status is 0 when everything is decided, 1 when a claimed metric is refuted, and 3
    when something is unknown.
    """
    from dpcomp_sym.metrics.relate import compared

    places = checked_places(**files)
    layout = layout_of(places, columns, detail, notation)
    read = load(spec, sets)

    def found() -> GranularityComparison:
        domain = read.problem.domain
        return compared(read.title, domain, read.granularities, read.metrics, read.points, named)

    question = None if places else asked("relate", read, sets, *named)
    kept = answers(fresh=fresh or question is None)
    try:
        with working("comparing"):
            if places:
                comparison = found()
                document = comparison.as_json()
            else:
                document = kept.answer(question or (), lambda: found().as_json(), in_full)
    except InputError as error:
        raise read.placed(error) from None
    if places:
        from dpcomp_sym.report.answers import write_answer
        from dpcomp_sym.report.compared import comparison_texts

        write_answer(places, comparison_texts(comparison), layout)
    from dpcomp_sym.report import relate as told

    if as_json:
        show(document, (), as_json=True)
    elif diagram is not None:
        click.echo(told.diagram(printable.in_lines(document), diagram))
    else:
        told.render(document)
    return STATUS[document["verdict"]]
