"""The command line: arguments, messages, exit statuses.

A subcommand is a function that takes its options and returns an exit status; it imports what
it needs when it runs, so that help is there at once.  ``Program`` turns errors into messages.
"""

from __future__ import annotations

import gc
import io
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

import click

from dpcomp_sym import printable
from dpcomp_sym.errors import InputError, UnwrittenError, nearest
from dpcomp_sym.limits import current, exhausted, interruption, uninterrupted

if TYPE_CHECKING:
    from fractions import Fraction
    from pathlib import Path

    from dpcomp_sym.spec import Spec
    from dpcomp_sym.spec.uncertain import UncertainSpec

__all__ = ["PROVED", "REFUTED", "UNKNOWN", "main"]

PROVED: Final = 0
REFUTED: Final = 1
BAD_INPUT: Final = 2
UNKNOWN: Final = 3
INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141

HANGING: Final = 6
"""So far a broken line goes on to the right, where no line of its own begins."""

STATUS: Final = {
    "proved": PROVED,
    "vacuous": PROVED,
    "refuted": REFUTED,
    "checked": UNKNOWN,
    "unknown": UNKNOWN,
}

NO_COMPARISON: Final = (
    "there is nothing to compare: --at-delta, --at-epsilon and --theorems need a finite bound, and "
    "numbers for all (eps, delta) or eps (of at most 1000 different parts, at most 1000 each), "
    'such as --set k=3 --set "eps=[1, 2, 3]"; --at-delta and --at-epsilon, numbers for all rho or '
    "mu otherwise"
)
EPILOG: Final = """Exit status: 0 derived or proved, 1 refuted, 2 bad input, 3 unknown,
70 a fault inside the program.

\b
The shell completes commands and options after this
(zsh_source, fish_source for other shells):
  eval "$(_DPCOMP_COMPLETE=bash_source dpcomp)"
"""

F = TypeVar("F", bound=Callable[..., Any])


class Program(click.Group):
    """The group of all subcommands: errors become one message and an exit status."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        *rest: Any,
        **extra: Any,
    ) -> NoReturn:
        """Run, and leave with the exit status."""
        del prog_name  # the same name however it was started
        extra["standalone_mode"] = False
        try:
            status = super().main(args, "dpcomp", *rest, **extra)
        except click.ClickException as error:
            told = io.StringIO()
            error.show(told)
            click.echo(printable.plain_lines(told.getvalue()), nl=False, err=True)
            status = BAD_INPUT
        except click.Abort:
            status = INTERRUPTED
        sys.exit(status if isinstance(status, int) else PROVED)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a subcommand; report user errors without a traceback."""
        try:
            with _same_every_time():
                status = super().invoke(ctx)
            sys.stdout.flush()
        except InputError as error:
            return _fail(str(error))
        except BrokenPipeError:  # whoever read the output has seen enough
            sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
            return BROKEN_PIPE
        except OSError as error:
            place = f"{error.filename}: " if error.filename else ""
            return _fail(f"{place}{error.strerror or error}")
        except KeyboardInterrupt:
            if interruption.alarmed:
                return _too_late()
            click.echo("interrupted", err=True)
            return INTERRUPTED
        except Exception as error:
            if interruption.alarmed:  # it may have become another error on its way
                return _too_late()
            if not exhausted(error):
                raise
            click.echo("unknown: there was not enough memory (see --memory)", err=True)
            return UNKNOWN
        return status

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the subcommand; an unknown name is reported with the closest match."""
        if args and not args[0].startswith("-") and args[0] not in self.commands:
            known = nearest(args[0], self.commands)
            raise click.UsageError(f"there is no command '{args[0]}'; {known}", ctx)
        return super().resolve_command(ctx, args)


@contextmanager
def _same_every_time() -> Iterator[None]:
    """Keep Python from collecting cycles for a while.

    The solver names its terms by when others are freed, and the model that it finds first can
    depend on the names: which of several smallest counterexamples is shown would differ from one
    Python to the next, because they collect at different times.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _too_late() -> int:
    """Report that the time of the whole call ended before there was any result."""
    click.echo("unknown: the time of the call was over (see --time)", err=True)
    return UNKNOWN


def _fail(message: str) -> int:
    """Tell what is wrong; what would turn the line around or erase it is shown by its number."""
    click.echo(f"error: {printable.one_line(message)}", err=True)
    return BAD_INPUT


@click.group(
    cls=Program,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=EPILOG,
)
@click.version_option(package_name="dpcomp-sym", prog_name="dpcomp")
def main() -> None:
    """Say what a composition of differentially private mechanisms guarantees, and why.

    \b
    A first try:
      dpcomp new first
      dpcomp derive first.toml --set k=3 --set "eps=[1, 2, 3]"
    """
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:  # Greek letters must not fail on an old terminal
            reconfigure(errors="replace")


# ------------------------------------------------------------------ what subcommands share


def spec_argument(command: F) -> F:
    """Give a command the argument SPEC."""
    return click.argument("spec", metavar="SPEC")(command)


def json_option(command: F) -> F:
    """Give a command the option ``--json``."""
    text = "Print one JSON document, and nothing else."
    return click.option("--json", "as_json", is_flag=True, help=text)(command)


def set_option(command: F) -> F:
    """Give a command the option ``--set``."""
    text = (
        'A number for a parameter of the spec: k=5, eps=1, "eps=[1, 2, 1/3]", eps=1/i, '
        "eps=@eps.csv or eps=@table.csv:column. Repeatable."
    )
    option = click.option("--set", "sets", multiple=True, metavar="NAME=VALUE", help=text)
    return option(command)


def limit_options(command: F) -> F:
    """Give a command the options that limit what one question to a solver may take."""
    from dpcomp_sym.limits import MEGABYTES, SECONDS, limited

    def total(ctx: click.Context, _: click.Parameter, value: float | None) -> None:
        ctx.with_resource(limited(total=value))
        if value is not None:
            interruption.alarm(value)

    def time(ctx: click.Context, _: click.Parameter, value: float | None) -> None:
        ctx.with_resource(limited(seconds=value))

    def memory(ctx: click.Context, _: click.Parameter, value: int | None) -> None:
        ctx.with_resource(limited(megabytes=value))

    for option in (
        click.option(
            "--memory", "megabytes", metavar="MB", type=click.IntRange(min=64),
            expose_value=False, callback=memory,
            help=f"Memory for the solver, in megabytes (default: {MEGABYTES}).",
        ),
        click.option(
            "--timeout", "seconds", metavar="SECONDS", type=click.FloatRange(min=0.001),
            expose_value=False, callback=time,
            help="Time for each question to the solver; a question that takes longer is given up, "
            f"and what depends on it is unknown (default: {SECONDS:g}).",
        ),
        click.option(
            "--time", "total", metavar="SECONDS", type=click.FloatRange(min=0.001),
            expose_value=False, callback=total,
            help="Time for the whole call: what is known then is printed, with what is missing "
            "(default: no limit).",
        ),
    ):  # fmt: skip
        command = option(command)
    return command


def load(name: str, sets: Sequence[str] = ()) -> Spec:
    """Read the composition that a command was given: a file, or ``-`` for standard input."""
    from pathlib import Path

    from dpcomp_sym.spec import load_spec, read_spec

    if name != "-":
        return load_spec(Path(name), sets)
    return read_spec(standard_input(), "standard input", Path(), sets)


def load_any(name: str, sets: Sequence[str] = ()) -> Spec | UncertainSpec:
    """Read the spec of any kind that a command was given."""
    from pathlib import Path

    from dpcomp_sym.spec import load_any, read_any

    if name != "-":
        return load_any(Path(name), sets)
    return read_any(standard_input(), "standard input", Path(), sets)


def standard_input() -> bytes:
    """Return what comes from standard input, as far as a spec may reach."""
    from dpcomp_sym.spec.load import MAX_BYTES

    return sys.stdin.buffer.read(MAX_BYTES + 1)


def derivation(spec: Spec | UncertainSpec) -> Any:
    """Derive a spec, and show that this is being done."""
    with working("deriving"):
        return spec.derive()


def working(what: str) -> AbstractContextManager[object]:
    """Show on a terminal that something is being done, and leave no trace of it."""
    if not sys.stderr.isatty():
        return nullcontext()
    from rich.console import Console

    return Console(stderr=True).status(f"{what} …")


def show(document: Mapping[str, Any], notes: Sequence[str], *, as_json: bool) -> None:
    """Print a result, as text or as JSON."""
    if as_json:
        click.echo(printable.as_json(document))
        return
    from dpcomp_sym.report.text import render

    render(document, notes)


def checked_place(name: str | None) -> Path | None:
    """Return where to write a file; a place that cannot be one is refused before any work."""
    if name is None:
        return None
    from pathlib import Path

    from dpcomp_sym.files import check_place

    place = Path(name)
    check_place(place)
    return place


def write_files(places: Mapping[str, Path], result: Any) -> None:
    """Write what the options of derive ask for: all of it, or nothing."""
    from dpcomp_sym.files import write_whole

    if not places:
        return
    for option in places:
        why = result.unwritable("certificate" if option == "rocq" else option)
        if why:
            raise InputError(f"--{option.replace('_', '-')} {why}")
    with working("writing"):
        write_whole({place: text_for(option, result) for option, place in places.items()})


def text_for(option: str, result: Any) -> str:
    """Return the file that an option of derive asks for."""
    if option in {"certificate", "rocq"}:
        from dpcomp_sym.certificates.write import as_text
        from dpcomp_sym.certificates.write import certificate as certified

        data = certified(result.theorems, result)
        if option == "certificate":
            return as_text(data)
        from dpcomp_sym.rocq import rocq_file

        return rocq_file(data)
    if option == "html":
        return str(result.page())
    if option == "curve":
        return str(result.curve())
    from dpcomp_sym.report import latex

    document = result.document()
    return latex.article(document) if option == "latex" else latex.fragment(document)


# ------------------------------------------------------------------ the subcommands


@main.command()
@spec_argument
@set_option
@json_option
@click.option("--latex", metavar="F", help="Write the report to F, as a LaTeX article.")
@click.option("--latex-fragment", metavar="F", help="Write it to F for \\input in a LaTeX paper.")
@click.option("--html", metavar="F", help="Write the report to F, as one HTML page.")
@click.option("--curve", metavar="F", help="Draw what is lost, as SVG, to F.")
@click.option("--certificate", metavar="F", help="Write a certificate, for dpcomp verify, to F.")
@click.option("--rocq", metavar="F", help="Write the derivation for eps-DP as a Rocq file to F.")
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
@limit_options
def derive(
    spec: str,
    sets: tuple[str, ...],
    as_json: bool,
    at_delta: str | None,
    at_epsilon: str | None,
    theorems: bool,
    **files: str | None,
) -> int:
    """Derive the conditions, the best bounds, and why they hold.

    SPEC is a TOML file, or - for standard input.

    \b
    Example:
      dpcomp derive examples/ambulances.toml --set k=5 --set "eps=[1,2,3,4,5]"
      dpcomp derive examples/ambulances.toml --latex report.tex --html report.html

    The exit status is 0 when a bound is derived, or shown to be infinite, or vacuous, and 3 when
    no finite bound was found though none is excluded.
    """
    places = {option: place for option, name in files.items() if (place := checked_place(name))}
    if len(set(places.values())) < len(places):
        raise InputError("two options name the same file")
    targets = {
        "at_delta": target("--at-delta", at_delta), "at_epsilon": target("--at-epsilon", at_epsilon)
    }  # fmt: skip
    read = load_any(spec, sets)
    result = derivation(read)
    asked = any(x is not None for x in targets.values())
    with working("composing"):
        numbers = uninterrupted(
            lambda: in_numbers(result, targets, theorems=theorems), current().budget.left()
        )
    notes = [*result.notes, *read.notes]
    if numbers is None:
        notes.append("the numbers that were asked for took too long")
    elif (theorems and result.comparison is None) or (asked and not numbers):
        raise InputError(NO_COMPARISON)
    if numbers:
        from dataclasses import replace

        result = replace(result, numbers=numbers)
    try:
        write_files(places, result)
    except UnwrittenError as error:
        show(result.as_json(), notes, as_json=as_json)
        click.echo(f"no file for Rocq, and none of the others: {error}", err=True)
        return UNKNOWN
    show(result.as_json(), notes, as_json=as_json)
    accepted = "rocq" not in places or checked_by_rocq(places["rocq"])
    return STATUS[result.verdict] if accepted else UNKNOWN


def checked_by_rocq(place: Path) -> bool:
    """Have a file checked by coqc, where it is installed; what it says is an error message."""
    from dpcomp_sym import rocq

    if not rocq.installed():
        click.echo(
            "coqc is not installed here: the file for Rocq is written, not checked", err=True
        )
        return True
    with working("checking"):
        answer = rocq.check(place.read_text(encoding="utf-8"))
    if not answer.holds:
        click.echo(f"coqc does not accept the file: {answer.reason}", err=True)
    return answer.holds


def in_numbers(
    result: Any, targets: Mapping[str, Fraction | None], *, theorems: bool
) -> dict[str, Any]:
    """Return what the options of derive ask for in numbers."""
    numbers: dict[str, Any] = {}
    if result.comparison is not None:
        numbers |= result.comparison.as_json(**targets)
        if theorems:
            from dpcomp_sym.derivation.accounting import side_by_side

            numbers |= side_by_side(result, targets["at_delta"])
    if any(x is not None for x in targets.values()):
        from dpcomp_sym.optimal.readings import readings

        read_off = [r.as_json() for r in readings(result.bounds, **targets)]
        numbers |= {"readings": read_off} if read_off else {}
    return numbers


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
        raise InputError(f"{option}: {text} is no delta; give a number below 1", word=text)
    return value


@main.command(short_help="Check a certificate with a program that is not the prover.")
@click.argument("certificate", metavar="CERTIFICATE")
@click.argument("spec", metavar="[SPEC]", required=False)
@set_option
@json_option
@click.option(
    "--scripts", metavar="DIR", help="Write the solvers' questions to DIR, as SMT-LIB files."
)
@click.option("--rocq", "by_rocq", is_flag=True, help="Have coqc check a proof written anew.")
@click.option(
    "--rocq-file", metavar="F", help="Have coqc check the proof in F, of the same statement."
)
@limit_options
def verify(
    certificate: str,
    spec: str | None,
    sets: tuple[str, ...],
    as_json: bool,
    scripts: str | None,
    by_rocq: bool,
    rocq_file: str | None,
) -> int:
    """Check a certificate of dpcomp derive, with a program that is not the prover.

    Every rule is applied again, every structural fact is asked anew, and databases are evaluated
    exactly. Each question is a script, which z3 reads and, if it is installed, a second solver,
    cvc5. What was verified is printed in full; with SPEC also whether it is what this spec says,
    with the numbers of --set.

    --rocq writes the statement and a proof anew, as a file for Rocq, and has it checked by coqc,
    which must be installed; --rocq-file compares the statement in a given file byte for byte, and
    has that file checked. Both say which axioms the proof rests on.

    \b
    Example:
      dpcomp derive examples/label-dp.toml --certificate label.json
      dpcomp verify label.json examples/label-dp.toml

    The exit status is 0 when the certificate is verified, 1 when it is rejected or states something
    else than SPEC, 2 when it cannot be read or is no certificate, and 3 when a question to the
    solver took too long.
    """
    from pathlib import Path

    from dpcomp_sym.limits import limited
    from dpcomp_sym.replay import RejectedError, UnreadableError
    from dpcomp_sym.replay import read as read_certificate

    if certificate == spec == "-":
        raise InputError("the certificate and the spec cannot both come from standard input")
    if sets and spec is None:
        raise InputError("--set gives numbers to SPEC, and there is none")
    content = sys.stdin.buffer.read() if certificate == "-" else Path(certificate).read_bytes()
    try:
        data = read_certificate(content)
    except UnreadableError as error:
        return _fail(f"{certificate}: no certificate: {error}")
    other = None if spec is None else load(spec, sets).problem
    from dpcomp_sym.certificates import agreement, recheck

    try:
        with working("verifying"), limited() as limits:
            found = recheck.verify(data, recheck.SecondSolver(), other)
            agreement.compare(agreement.stated(data), dict(found.bounds))
    except RejectedError as error:
        verdict = "unknown" if limits.reached else "refuted"
        reason = f"{error}; {limits.text}" if limits.reached else str(error)
        if as_json:
            show({"schema": "dpcomp/1", "verdict": verdict, "reason": reason}, (), as_json=True)
        else:
            said = "unknown" if limits.reached else "rejected"
            click.echo(printable.one_line(f"{said}: {reason}"))
        return STATUS[verdict]
    if scripts is not None:
        recheck.write_scripts(found, Path(scripts))
    rocq = asked_of_rocq(data, rocq_file) if by_rocq or rocq_file is not None else None
    if as_json:
        show(found.as_json() | ({"rocq": rocq} if rocq else {}), (), as_json=True)
    else:
        from dpcomp_sym.report.text import wrapped

        lines = [found.text(), f"Rocq: {rocq['text']}"] if rocq else [found.text()]
        click.echo(wrapped("\n".join(lines), hanging=HANGING))
    if found.differences:
        return REFUTED
    return STATUS[rocq["verdict"]] if rocq else PROVED


def asked_of_rocq(data: Mapping[str, Any], file: str | None) -> dict[str, Any]:
    """Return what coqc says of a certificate's proof, or of a file that proves its statement."""
    from pathlib import Path

    from dpcomp_sym import rocq

    def said(verdict: str, text: str, axioms: Sequence[str] = ()) -> dict[str, Any]:
        return {"verdict": verdict, "text": printable.one_line(text), "axioms": list(axioms)}

    try:
        text = fresh = rocq.rocq_file(data)
    except rocq.UnwrittenError as error:
        return said("unknown", f"no file can be written: {error}")
    if file is not None:
        text = Path(file).read_text(encoding="utf-8", errors="replace")
        why = rocq.tampered(text, fresh)
        if why is not None:
            return said("refuted", f"{file} is no proof of this: {why}")
    if not rocq.installed():
        return said("unknown", "coqc is not installed here: nothing was checked")
    with working("checking"):
        answer = rocq.check(text)
    if answer.holds:
        axioms = ", ".join(answer.axioms) or "none"
        return said("proved", f"coqc accepts the proof; its axioms: {axioms}", answer.axioms)
    verdict = "refuted" if file is not None or answer.accepted else "unknown"
    return said(verdict, f"coqc does not accept the proof: {answer.reason}", answer.axioms)


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


@main.command(short_help="Prove a claim, or refute it with databases and an event.")
@spec_argument
@set_option
@click.option("--claim", "text", metavar="EXPR", required=True, help='The claim: "max(eps[i])".')
@click.option("--notion", metavar="NAME", help="The notion that is meant, if EXPR does not tell.")
@json_option
@click.option("--script", metavar="F", help="Write a Python file that re-checks a refutation to F.")
@limit_options
def refute(
    spec: str,
    sets: tuple[str, ...],
    text: str,
    notion: str | None,
    as_json: bool,
    script: str | None,
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
    found.
    """
    read = load_any(spec, sets)
    from dpcomp_sym.spec import Spec

    if not isinstance(read, Spec):
        return refute_random(read, text, as_json=as_json, script=script)
    from dpcomp_sym.claims import refute as decide
    from dpcomp_sym.engine.properties import examine, read_property

    if read_property(text, read.problem) is not None:
        with working("deciding the property"):
            condition = examine(read.problem, text)
        document = {
            "schema": "dpcomp/1", "title": read.title, "claim": condition.name,
            **condition.as_json(read.problem.used_maps),
        }  # fmt: skip
        if as_json:
            show(document, (), as_json=True)
        else:
            from dpcomp_sym.report.claim import render

            render(document)
        return STATUS[condition.verdict]
    with working("deciding the claim"):
        decision = decide(read, text, notion=notion)
    program = decision.script()
    if script is not None and program is not None:
        from pathlib import Path

        from dpcomp_sym.files import write_whole

        write_whole({Path(script): program})
    if as_json:
        show(decision.as_json(), (), as_json=True)
    else:
        from dpcomp_sym.report.claim import render

        render(decision.as_json(), script=script if program is not None else None)
    if script is not None and program is None:
        unused = f"nothing is refuted, so {script} is not written"
        click.echo(printable.one_line(unused), err=True)
    return STATUS[decision.verdict]


def refute_random(spec: UncertainSpec, text: str, *, as_json: bool, script: str | None) -> int:
    """Decide a claim about random data."""
    if script is not None:
        raise InputError("--script is for claims about neighbours; the event is printed in full")
    with working("deciding the claim"):
        document = spec.refute(text).as_json()
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


@main.command()
@spec_argument
@set_option
@json_option
@click.option(
    "--diagram",
    type=click.Choice(["mermaid", "dot"]),
    help="Print the order alone, in the language of a drawing program.",
)
@limit_options
def relate(spec: str, sets: tuple[str, ...], as_json: bool, diagram: str | None) -> int:
    """Compare the granularities of a spec, and the built-ins that fit, over its class.

    SPEC is a TOML file, or - for standard input. For each granularity its metric is found in
    closed form; for each two of them, how far apart neighbours in one are in the other.

    \b
    Example:
      dpcomp relate examples/bounded-partition.toml

    The exit status is 0 when everything is decided, 1 when a claimed metric is refuted, and 3
    when something is unknown.
    """
    from dpcomp_sym.metrics.relate import compare

    read = load(spec, sets)
    try:
        with working("comparing"):
            domain = read.problem.domain
            document = compare(read.title, domain, read.granularities, read.metrics, read.points)
    except InputError as error:
        raise read.placed(error) from None
    from dpcomp_sym.report import relate as told

    if as_json:
        show(document, (), as_json=True)
    elif diagram is not None:
        click.echo(told.diagram(printable.in_lines(document), diagram))
    else:
        told.render(document)
    return STATUS[document["verdict"]]


@main.command()
@click.argument("name")
@click.option("--granularity", metavar="G", help="A built-in granularity, such as user.")
@click.option("--map", "of", metavar="M", help="A built-in map, such as cover.")
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
    click.echo(printable.one_line(f"{file} is written; try: dpcomp derive {file}"))
    return PROVED


@main.command()
@click.argument("file", metavar="FILE")
@json_option
def stability(file: str, as_json: bool) -> int:
    """Check how far functions of other people's code move two databases apart.

    FILE is a Python file that makes StabilityClaim objects. It is run; what it prints goes to
    standard error. Each claim is tried on all pairs of databases of its scope, the smallest first.
    Where the function is stated as a map of a spec, too, the claim is proved for all databases,
    under the assumption that the function is this map, with which it is compared in the scope.

    \b
    Example:
      dpcomp stability examples/foreign/released_library.py
      dpcomp stability examples/foreign/proved.py

    The exit status is 0 when all claims are proved (under that assumption), 1 when one is refuted,
    2 when a function, a metric or a bound fails or is none, and 3 otherwise.
    """
    from dpcomp_sym.stability import check_stability, claims_of

    with working("checking"):
        found = [check_stability(claim) for claim in claims_of(file)]
    if as_json:
        show({"schema": "dpcomp/1", "claims": [one.as_json() for one in found]}, (), as_json=True)
    else:
        from dpcomp_sym.report.text import wrapped

        click.echo("\n\n".join(wrapped(one.text()) for one in found))
    return STATUS[summary([one.verdict for one in found])]


@main.command()
@json_option
@click.option("--html", metavar="F", help="Write the atlas to F, as one HTML page.")
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=None,
    metavar="N",
    help="So many cells at a time; as many as there are processors if not given.",
)
@click.option("--granularity", "granularities", multiple=True, help="This row only. Repeatable.")
@click.option("--map", "maps", multiple=True, help="This column only. Repeatable.")
@click.option("--cache", metavar="F", help="Keep finished cells in F, not in the usual place.")
@click.option("--cluster", metavar="ADDRESS", help="Let the Dask scheduler at ADDRESS do it.")
def atlas(
    as_json: bool, html: str | None, jobs: int | None, granularities: tuple[str, ...],
    maps: tuple[str, ...], cache: str | None, cluster: str | None,
) -> int:  # fmt: skip
    """Print the table of granularities, maps and settings: the conditions and the best bounds.

    Finished cells are kept. A run that was interrupted goes on where it stopped, and a second
    one has nothing to do.

    \b
    Example:
      dpcomp atlas --html atlas.html
      dpcomp atlas --granularity bounded --map partition --json
    """
    from pathlib import Path

    from dpcomp_sym.atlas import atlas as derive_atlas
    from dpcomp_sym.atlas import default_table
    from dpcomp_sym.files import write_whole

    table = default_table().slice(granularities, maps)
    place = Path(cache) if cache is not None else usual_cache()
    with counting("cells") as progress:
        found = derive_atlas(
            table, jobs=jobs or os.cpu_count(), cache=place, progress=progress, cluster=cluster
        )
    if html is not None:
        from dpcomp_sym.atlas.page import as_html

        write_whole({Path(html): as_html(found)})
    if as_json:
        show(found.as_json(), (), as_json=True)
    else:
        from dpcomp_sym.atlas.text import as_text

        click.echo(as_text(found))
    return PROVED


def usual_cache() -> Path | None:
    """Return the file in the user's cache folder; None, with a word about it, if it has none."""
    from pathlib import Path

    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "dpcomp-sym"
    file = folder / "atlas.jsonl"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file.touch()
    except OSError as error:
        click.echo(f"nothing is kept for the next run: {file}: {error.strerror}", err=True)
        return None
    return file


@contextmanager
def counting(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show on a terminal how much is done, and leave no trace of it."""
    if not sys.stderr.isatty():
        yield lambda _done, _all: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (what, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


# ------------------------------------------------------------------ the theorem library


@main.group(name="theorems", short_help="List, show or re-check the theorem library.")
def library() -> None:
    """List, show or re-check the published theorems that the toolkit knows.

    ID is the number of a statement, such as GB24.IV.13, "Corollary IV.13" or "Alg. 3", or the name
    of an entry.

    \b
    Example:
      dpcomp theorems verify GB24.IV.13 N2
    """


@library.command(name="list")
@click.argument("words", metavar="[WORD]...", nargs=-1)
@click.option("--paper", default="", metavar="P", help="Only GB24, GB24s, HBW, Des, N or E.")
@click.option("--kind", default="", metavar="K", help="Only what a paper calls so: theorem, ….")
@click.option("--status", default="", metavar="S", help="Only entries with this status.")
@json_option
def list_theorems(words: tuple[str, ...], paper: str, kind: str, status: str, as_json: bool) -> int:
    """List the statements with their status, a line each; nothing is run.

    Each WORD must occur in the number, name, statement or source.

    \b
    Example:
      dpcomp theorems list
      dpcomp theorems list --paper GB24 --kind corollary
      dpcomp theorems list --status refuted bounded
    """
    from theorems import _list
    from theorems._run import entry_as_json

    _list.check(paper, kind, status)
    found = list(_list.chosen(words, paper, kind, status))
    if as_json:
        show({"theorems": [entry_as_json(e) for e in found]}, (), as_json=True)
        return PROVED
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    for entry in found:
        numbers, verdict, said = _list.line(entry, width)
        click.echo(f"{numbers} {styled(verdict, 8)}  {said}")
    click.echo(f"{len(found)} entries\n{_list.LEGEND}", err=True)
    return PROVED


def styled(verdict: str, width: int) -> str:
    """Return a verdict in its colour, filled up; without a terminal there is no colour."""
    from dpcomp_sym.report.text import COLOURS

    if "NO_COLOR" in os.environ:
        return f"{verdict:<{width}}"
    established = {
        "derived": "green", "decided": "green", "computed": "green", "rule": "cyan",
        "argued": "yellow",
    }  # fmt: skip
    colour = established.get(verdict) or COLOURS.get(verdict, "red").removeprefix("bold ")
    return click.style(f"{verdict:<{width}}", fg=colour)


@library.command(name="show")
@click.argument("id", metavar="ID")
@json_option
@click.option("--latex", "as_latex", is_flag=True, help="Print a LaTeX fragment.")
def show_theorem(id: str, as_json: bool, as_latex: bool) -> int:  # noqa: A002 - the argument's name
    """Show a statement, its status, and what establishes it.

    \b
    Example:
      dpcomp theorems show "Corollary IV.13"
      dpcomp theorems show --latex private_two_largest_of_bounded_partition
    """
    from theorems import _run

    with working("re-checking"):
        documents = [
            _run.entry_as_json(entry, run_body=True) for entry in _run.select([id]).values()
        ]
    if as_json:
        show({"theorems": documents}, (), as_json=True)
    else:
        from theorems._report import fragment

        render = fragment if as_latex else _run.shown
        click.echo("\n\n".join(map(render, documents)))
    return PROVED


@library.command(name="verify")
@click.argument("ids", metavar="[ID]...", nargs=-1)
@json_option
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=None,
    metavar="N",
    help="So many entries at a time; as many as there are processors if not given.",
)
@click.option("--latex", metavar="F", help="Write what was found to F, as a LaTeX document.")
def verify_theorems(
    ids: tuple[str, ...], as_json: bool, jobs: int | None, latex: str | None
) -> int:
    """Re-check the library: run every entry, and compare with what it states.

    \b
    Example:
      dpcomp theorems verify GB24.IV.13 "E2*"
      dpcomp theorems verify --latex library.tex

    The exit status is 0 when every entry comes out as stated, and 1 when one does not.
    """
    from dataclasses import asdict

    from theorems import _run

    chosen = _run.select(ids)
    place = checked_place(latex)
    shown = sys.stderr.isatty()
    done = 0

    def progress(outcome: Any) -> None:
        nonlocal done
        done += 1
        if shown:
            click.echo(f"\r\x1b[K{done}/{len(chosen)} {outcome.name}", nl=False, err=True)

    outcomes = _run.verify(
        list(chosen), jobs or os.cpu_count() or 1, progress, telling=place is not None
    )
    if shown:
        click.echo("\r\x1b[K", nl=False, err=True)
    if place is not None:
        from dpcomp_sym.files import write_whole
        from theorems._report import library as as_document

        write_whole({place: as_document(_run.told(outcomes))})
    status = PROVED if all(o.holds for o in outcomes.values()) else REFUTED
    if as_json:
        told = [{**asdict(o), "holds": o.holds} for o in outcomes.values()]
        for one in told:
            del one["evidence"]
        show({"theorems": told, "holds": status == PROVED}, (), as_json=True)
        return status
    for row, found in _run.rows(chosen.values()).items():
        if ids and row not in ids and not {e.name for e in found} & set(ids):
            continue
        for entry in found:
            outcome = outcomes[entry.name]
            said = styled(outcome.status or "FALLEN", 9)
            note = outcome.failure or outcome.scope
            kinds = ", ".join(dict.fromkeys(t.partition(":")[0] for t in outcome.trust))
            click.echo(f"{row:<32} {said} {outcome.seconds:5.2f} s")
            about = f"{entry.name} [{kinds}]{f' ({note})' if note else ''}"
            click.echo(click.wrap_text(about, 78, "    ", "    "))
    counts: dict[str, int] = {}
    for outcome in outcomes.values():
        counts[outcome.status or "fallen"] = counts.get(outcome.status or "fallen", 0) + 1
    told_counts = ", ".join(f"{n} {word}" for word, n in sorted(counts.items()))
    click.echo(f"{len(outcomes)} entries: {told_counts}", err=True)
    return status
