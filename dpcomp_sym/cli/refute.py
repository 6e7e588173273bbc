"""``dpcomp refute``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import click

from dpcomp_sym import printable
from dpcomp_sym.cli.completion import claims, notions
from dpcomp_sym.cli.program import main
from dpcomp_sym.cli.shared import (
    STATUS,
    UNKNOWN,
    checked_places,
    file_options,
    fragment_option,
    json_option,
    layout_of,
    limit_options,
    load_any,
    set_option,
    show,
    spec_argument,
    working,
)
from dpcomp_sym.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from dpcomp_sym.claims import Decision
    from dpcomp_sym.report.answers import Saved
    from dpcomp_sym.report.layout import Layout
    from dpcomp_sym.spec import Spec
    from dpcomp_sym.spec.metric import MetricSpec
    from dpcomp_sym.spec.uncertain import UncertainSpec

__all__ = ["summary"]


@main.command(short_help="Prove a claim, or refute it with databases and an event.")
@spec_argument
@set_option
@click.option(
    "--claim", "text", metavar="EXPR", required=True, help='The claim: "max(eps[i])".',
    shell_complete=claims,
)  # fmt: skip
@click.option(
    "--notion",
    metavar="NAME",
    help="The notion that is meant, if EXPR does not tell.",
    shell_complete=notions,
)
@json_option
@click.option("--script", metavar="F", help="Write a Python file that re-checks a refutation to F.")
@click.option("--rocq", metavar="F", help="Write a refutation for eps-DP as a Rocq file to F.")
@file_options
@fragment_option
@limit_options
def refute(
    spec: str,
    sets: tuple[str, ...],
    text: str,
    notion: str | None,
    as_json: bool,
    script: str | None,
    rocq: str | None,
    columns: str | None,
    detail: str | None,
    notation: Sequence[str],
    **files: str | None,
) -> int:
    """Prove a claim, or refute it: with databases, and for a bound mechanisms and an event.

    SPEC is a TOML file, or - for standard input. EXPR is made of the parameters of the parts and
    of sizes: max(eps[i]), sum(eps[i]), top(3, eps), 2*max(eps[i]), eps0 + max(eps[i] + eps[j]),
    where different letters are different blocks; sqrt(sum(mu[i]**2)); a pair (EXPR, EXPR) for
    (eps, delta). Or it is a property of all neighbours: changed(MAP) <= n, distance(PART) <= n, or
    a formula over D, E (the neighbour) and any records x, y, z: size(E) <= size(D) + 1.

    \b
    Example:
      dpcomp refute examples/bounded-partition.toml --claim "changed(blocks) <= 1"
      dpcomp refute examples/ambulances.toml --claim "max(eps[i])" --script no.py
      python -I -S no.py

    The exit status is 0 when the claim is proved, 1 when it is refuted, and 3 when neither was
    found, or no file for Rocq is accepted.
    """
    places = checked_places(**files, rocq=rocq)
    formal = places.pop("rocq", None)
    written = partial(_written, places, layout_of(places, columns, detail, notation))
    read = load_any(spec, sets)
    from dpcomp_sym.spec import Spec

    if not isinstance(read, Spec):
        return refute_random(read, text, as_json=as_json, script=script, written=written)
    from dpcomp_sym.claims import refute as decide
    from dpcomp_sym.engine.properties import read_property

    if read_property(text, read.problem) is not None:
        return decide_property(read, text, as_json=as_json, written=written)
    with working("deciding the claim"):
        decision = decide(read, text, notion=notion)
    program = decision.script()
    if script is not None and program is not None:
        decision.save(script, ".py")
    written(decision)
    if as_json:
        show(decision.as_json(), (), as_json=True)
    else:
        from dpcomp_sym.report.claim import render

        render(decision.as_json(), script=script if program is not None else None)
    if script is not None and program is None:
        unused = f"nothing is refuted, so {script} is not written"
        click.echo(printable.one_line(unused), err=True)
    accepted = formal is None or refuted_in_rocq(decision, formal)
    return STATUS[decision.verdict] if accepted else UNKNOWN


def refuted_in_rocq(decision: Decision, place: Path) -> bool:
    """Write a refutation as a file for Rocq, and have it checked where coqc is installed."""
    from dpcomp_sym import rocq
    from dpcomp_sym.files import write_whole

    found = decision.counterexample
    if found is None:
        click.echo(
            f"nothing is refuted, so {printable.one_line(str(place))} is not written", err=True
        )
        return True
    try:
        text = rocq.refutation_file(decision.derivation.problem, found.data)
    except rocq.UnwrittenError as error:
        click.echo(printable.one_line(f"no file for Rocq: {error}"), err=True)
        return False
    write_whole({place: text})
    if not rocq.installed():
        click.echo(
            "coqc is not installed here: the file for Rocq is written, not checked", err=True
        )
        return True
    with working("checking"):
        answer = rocq.check(text, rocq.REFUTED)
    if not answer.holds:
        click.echo(f"coqc does not accept the file: {answer.reason}", err=True)
    return answer.holds


def _written(places: Mapping[str, Path], layout: Layout, found: Saved) -> None:
    """Write what is known of a claim to the files that options name."""
    if places:
        from dpcomp_sym.report.answers import write_answer

        write_answer(places, found.texts(), layout)


def refute_random(
    spec: UncertainSpec | MetricSpec, text: str, *, as_json: bool, script: str | None,
    written: Callable[[Saved], None],
) -> int:  # fmt: skip
    """Decide a claim about random data."""
    if script is not None:
        raise InputError("--script is for claims about neighbours; the event is printed in full")
    with working("deciding the claim"):
        found = spec.refute(text)
    document = found.as_json()
    written(found)
    if as_json:
        show(document, (), as_json=True)
    else:
        from dpcomp_sym.report.claim import render

        render(document)
    return STATUS[document["verdict"]]


def summary(verdicts: Sequence[str]) -> str:
    """Return one verdict for several conditions.

    >>> summary(["proved", "refuted"]), summary(["proved", "unknown"]), summary([])
    ('refuted', 'unknown', 'proved')
    """
    for verdict in ("refuted", "unknown", "checked"):
        if verdict in verdicts:
            return verdict
    return "vacuous" if verdicts and set(verdicts) == {"vacuous"} else "proved"


def decide_property(
    spec: Spec, text: str, *, as_json: bool, written: Callable[[Saved], None]
) -> int:
    """Decide a property of all neighbours, print what is known of it, and return the status."""
    from dpcomp_sym.surface.properties import examine

    with working("deciding the property"):
        condition = examine(spec.problem, text)
    document = {
        "schema": "dpcomp/1", "title": spec.title, "claim": condition.name,
        **condition.as_json(spec.problem.used_maps),
    }  # fmt: skip
    written(condition)
    if as_json:
        show(document, (), as_json=True)
    else:
        from dpcomp_sym.report.claim import render

        render(document)
    return STATUS[condition.verdict]
