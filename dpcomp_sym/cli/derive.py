"""``dpcomp derive`` and ``dpcomp check``."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import click

from dpcomp_sym import printable
from dpcomp_sym.cli.program import main
from dpcomp_sym.cli.refute import summary
from dpcomp_sym.cli.shared import (
    STATUS,
    UNKNOWN,
    answers,
    asked,
    checked_places,
    fragment_option,
    fresh_option,
    json_option,
    layout_of,
    layout_options,
    limit_options,
    load,
    load_any,
    set_option,
    show,
    spec_argument,
    specs_argument,
    working,
)
from dpcomp_sym.errors import InputError, UnwrittenError
from dpcomp_sym.limits import current, in_full, uninterrupted

if TYPE_CHECKING:
    from fractions import Fraction
    from pathlib import Path

    from dpcomp_sym.report.layout import Layout
    from dpcomp_sym.spec.load import AnySpec


NO_COMPARISON: Final = (
    "there is nothing to compare: --at-delta, --at-epsilon and --theorems need a finite bound, and "
    "numbers for all (eps, delta) or eps (of at most 1000 different parts, at most 1000 each), "
    'such as --set k=3 --set "eps=[1, 2, 3]"; --at-delta and --at-epsilon, numbers for all rho or '
    "mu otherwise"
)


def derivation(spec: AnySpec) -> Any:
    """Derive a spec, and show that this is being done."""
    with working("deriving"):
        return spec.derive()


def write_files(places: Mapping[str, Path], result: Any, layout: Layout) -> None:
    """Write what the options of derive ask for: all of it, or nothing."""
    if not places:
        return
    from dpcomp_sym.surface import writing

    with working("writing"):
        forms = {option.replace("_", "-"): place for option, place in places.items()}
        writing.write_files(forms, result, layout, mark="--")


# ------------------------------------------------------------------ the subcommands


@main.command()
@specs_argument
@set_option
@json_option
@click.option("--latex", metavar="F", help="Write the report to F, as a LaTeX article.")
@fragment_option
@click.option("--bibtex", metavar="F", help="Write the works that they cite to F, for BibTeX.")
@layout_options
@click.option("--html", metavar="F", help="Write the report to F, as one HTML page.")
@click.option("--curve", metavar="F", help="Draw what is lost, as SVG, to F.")
@click.option("--certificate", metavar="F", help="Write a certificate, for dpcomp verify, to F.")
@click.option(
    "--rocq",
    metavar="F",
    help="Write the derivation for eps-DP, or else (eps, delta), as a Rocq file to F.",
)
@click.option(
    "--at-delta", metavar="D", help="Compare basic, advanced and optimal composition at this delta."
)
@click.option("--at-epsilon", metavar="E", help="Compare them at this epsilon.")
@click.option(
    "--theorems",
    is_flag=True,
    help="Add what other composition theorems say: parallel, zero-concentrated, Rényi, Gaussian, "
    "privacy loss distributions.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    help="How many specs to derive at a time, where there are several (default: 1).",
)
@fresh_option
@limit_options
def derive(
    specs: tuple[str, ...],
    sets: tuple[str, ...],
    as_json: bool,
    at_delta: str | None,
    at_epsilon: str | None,
    theorems: bool,
    jobs: int,
    columns: str | None,
    detail: str | None,
    notation: Sequence[str],
    fresh: bool,
    **files: str | None,
) -> int:
    """Derive the conditions, the best bounds, and why they hold.

    SPEC is a TOML file, or - for standard input. Several are answered one after the other, in
    their order, each with all numbers; with --json as one list.

    \b
    Example:
      dpcomp derive examples/ambulances.toml --set k=5 --set "eps=[1,2,3,4,5]"
      dpcomp derive examples/ambulances.toml --latex report.tex --html report.html

    The exit status is 0 when a bound is derived, or shown to be infinite, or vacuous, and 3 when
    no finite bound was found though none is excluded. Of several specs the gravest one
    counts: 2 where a spec cannot be used, else 3.
    """
    question = DeriveQuestion(
        target("--at-delta", at_delta), target("--at-epsilon", at_epsilon), theorems
    )
    if len(specs) > 1:
        from dpcomp_sym.cli.several import Known, check_one_file, derive_several

        about_files = {**files, "columns": columns, "detail": detail, "notation": notation or None}
        check_one_file(specs, [o for o, given in about_files.items() if given is not None])
        known = Known(answers(fresh=fresh), lambda read: asked("derive", read, sets, question))
        return derive_several(specs, sets, question.answered, jobs, known, as_json=as_json)
    places = checked_places(**files)
    layout = layout_of(places, columns, detail, notation)
    read = load_any(specs[0], sets)
    if not places:
        return answered_shortly(read, sets, question, specs[0], as_json=as_json, fresh=fresh)
    result, notes = question.answered(read)
    try:
        write_files(places, result, layout)
    except UnwrittenError as error:
        show(result.as_json(), notes, as_json=as_json)
        click.echo(f"no file for Rocq, and none of the others: {error}", err=True)
        return UNKNOWN
    show(result.as_json(), notes, as_json=as_json)
    if not as_json:
        show_hints(hints_of(result, specs[0]))
    accepted = "rocq" not in places or checked_by_rocq(places["rocq"])
    return STATUS[result.verdict] if accepted else UNKNOWN


def answered_shortly(
    read: AnySpec, sets: Sequence[str], question: DeriveQuestion, spec: str, *, as_json: bool,
    fresh: bool,
) -> int:  # fmt: skip
    """Print the answer alone: one that was kept, if there is one."""

    def found() -> dict[str, Any]:
        result, notes = question.answered(read)
        return {
            "document": result.as_json(), "notes": notes, "status": STATUS[result.verdict],
            "hints": hints_of(result, spec),
        }  # fmt: skip

    words = asked("derive", read, sets, question)
    kept = answers(fresh=fresh or words is None)
    answer = kept.answer(words or (), found, in_full)
    show(answer["document"], answer["notes"], as_json=as_json)
    if not as_json:
        show_hints(answer["hints"])
    return int(answer["status"])


@dataclass(frozen=True)
class DeriveQuestion:
    """What is asked about each spec: its bounds, and what they are compared with."""

    at_delta: Fraction | None
    at_epsilon: Fraction | None
    theorems: bool

    def answered(self, read: AnySpec) -> tuple[Any, list[str]]:
        """Return what is derived from a spec, and what the reader should know of it.

        Raises:
            InputError: the spec contradicts itself, or there is nothing to compare.
        """
        result = derivation(read)
        targets = {"at_delta": self.at_delta, "at_epsilon": self.at_epsilon}
        asked = any(x is not None for x in targets.values())
        from dpcomp_sym.surface.comparing import in_numbers

        with working("composing"):
            numbers = uninterrupted(
                lambda: in_numbers(result, **targets, theorems=self.theorems),
                current().budget.left(),
            )
        notes = [*result.notes, *read.notes]
        if numbers is None:
            notes.append("the numbers that were asked for took too long")
        elif (self.theorems and result.comparison is None) or (asked and not numbers):
            raise InputError(NO_COMPARISON)
        return replace(result, numbers=numbers) if numbers else result, notes


def hints_of(result: Any, spec: str) -> list[str]:
    """Return what to try where a bound is perhaps not tight."""
    from dpcomp_sym.cli.hints import hints

    return list(hints(result, spec))


def show_hints(hints: Sequence[str]) -> None:
    """Say on a terminal what to try."""
    if sys.stderr.isatty():
        for hint in hints:
            click.echo(printable.one_line(hint), err=True)


def checked_by_rocq(place: Path) -> bool:
    """Have a file checked by coqc, where it is installed; what it says is an error message."""
    from dpcomp_sym import rocq

    if not rocq.installed():
        click.echo(
            "coqc is not installed here: the file for Rocq is written, not checked", err=True
        )
        return True
    with working("checking"):
        written = place.read_text(encoding="utf-8")
        text, answer = rocq.check_either(written)
    if text != written:
        place.write_text(text, encoding="utf-8")
    if not answer.holds:
        click.echo(f"coqc does not accept the file: {answer.reason}", err=True)
    return answer.holds


def target(option: str, text: str | None) -> Fraction | None:
    """Read the number of an option: not negative, and less than 1 if it is a delta."""
    if text is None:
        return None
    from dpcomp_sym.spec.values import rational

    try:
        value = rational(text)
    except InputError as error:
        raise error.within(option) from None
    if value < 0:
        raise InputError(f"{option}: {text} is negative; give 0 or more", word=text)
    if option == "--at-delta" and value >= 1:
        raise InputError(f"{option}: {text} is not a delta; give a number below 1", word=text)
    return value


@main.command()
@spec_argument
@set_option
@json_option
@limit_options
def check(spec: str, sets: tuple[str, ...], as_json: bool) -> int:
    """Check the conditions of parallel composition alone.

    SPEC is a TOML file, or - for standard input.

    \b
    Example:
      dpcomp check examples/bounded-partition.toml

    The exit status is 0 when all conditions are proved, 1 when one is refuted, and 3 when one
    is unknown.
    """
    read = load(spec, sets)
    result = derivation(read)
    document = {k: v for k, v in result.as_json().items() if k not in ("bounds", "trace")}
    document["verdict"] = summary([c["verdict"] for c in document["conditions"].values()])
    show(document, [*result.notes, *read.notes], as_json=as_json)
    return STATUS[document["verdict"]]
