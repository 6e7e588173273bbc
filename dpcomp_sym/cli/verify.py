"""``dpcomp verify``."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from dpcomp_sym import printable
from dpcomp_sym.cli.program import fail, main
from dpcomp_sym.cli.shared import (
    PROVED,
    REFUTED,
    STATUS,
    json_option,
    limit_options,
    load,
    set_option,
    show,
    working,
)
from dpcomp_sym.errors import InputError

if TYPE_CHECKING:
    from dpcomp_sym.certificates.recheck import Verified
    from dpcomp_sym.limits import Limits
    from dpcomp_sym.surface.verifying import Verification


BESIDE: Final = {"proofs": "proofs", "rocq": "Rocq"}
HANGING: Final = 6
"""How far continuation lines are indented."""


@main.command(short_help="Check a certificate with a program that is not the prover.")
@click.argument("certificate", metavar="CERTIFICATE")
@click.argument("spec", metavar="[SPEC]", required=False)
@set_option
@json_option
@click.option(
    "--scripts", metavar="DIR", help="Write the solvers' questions to DIR, as SMT-LIB files."
)
@click.option("--proofs", metavar="DIR", help="Have cvc5 write a proof of each question to DIR.")
@click.option(
    "--calculus",
    metavar="F",
    help="Have ethos check these proofs by the rules in F, cvc5's Cpc.eo.",
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
    **proofs: str | None,
) -> int:
    """Check a certificate of dpcomp derive, with a program that is not the prover.

    Every rule is applied again, every structural fact is decided anew, and databases are evaluated
    exactly. Each question is a script, which z3 reads and, if it is installed, a second solver,
    cvc5. What was verified is printed in full; with SPEC also whether it is what this spec states,
    with the numbers of --set.

    --rocq writes the statement and a proof anew, as a file for Rocq, and has it checked by coqc,
    which must be installed; --rocq-file compares the statement in a given file byte for byte, and
    has that file checked. Both say which axioms the proof rests on.

    --proofs has cvc5 write a proof that each question is impossible, 001.cpc next to its script
    001.smt2; with --calculus the checker ethos, where it is installed, reads both.

    \b
    Example:
      dpcomp derive examples/label-dp.toml --certificate label.json
      dpcomp verify label.json examples/label-dp.toml

    The exit status is 0 when the certificate is verified, 1 when it is rejected or states something
    else than SPEC, 2 when it cannot be read or is not a certificate, and 3 when a question to the
    solver took too long.
    """
    from dpcomp_sym.limits import limited
    from dpcomp_sym.replay import RejectedError, UnreadableError

    try:
        data = contents(certificate, spec, sets)
    except UnreadableError as error:
        return fail(f"{certificate}: this is not a certificate: {error}")
    other = None if spec is None else load(spec, sets).problem
    from dpcomp_sym.surface.verifying import verified

    try:
        with working("verifying"), limited() as limits:
            found = verified(data, other)
    except RejectedError as error:
        return not_verified(error, limits, as_json=as_json)
    if scripts is not None:
        found.write_scripts(scripts)
    more = beside(found, rocq=by_rocq, rocq_file=rocq_file, **proofs)
    show_verified(found, more, as_json=as_json)
    return outcome(found, more)


def contents(certificate: str, spec: str | None, sets: Sequence[str]) -> dict[str, Any]:
    """Read a certificate from a file, or from standard input, where the spec does not come from."""
    from pathlib import Path

    from dpcomp_sym.replay import read

    if certificate == spec == "-":
        raise InputError("the certificate and the spec cannot both come from standard input")
    if sets and spec is None:
        raise InputError("--set gives numbers to SPEC, and there is none")

    return read(sys.stdin.buffer.read() if certificate == "-" else Path(certificate).read_bytes())


def outcome(found: Verified, more: Mapping[str, Mapping[str, Any]]) -> int:
    """Return the exit status: what is refuted counts most, then what is unknown."""
    verdicts = {STATUS[one["verdict"]] for one in more.values()}
    return REFUTED if found.differences or REFUTED in verdicts else max(verdicts, default=PROVED)


def beside(
    found: Verification, *, proofs: str | None, calculus: str | None, rocq: bool,
    rocq_file: str | None,
) -> dict[str, Mapping[str, Any]]:  # fmt: skip
    """Return what cvc5 and Rocq prove beside the verification, where they are asked."""
    said: dict[str, Mapping[str, Any]] = {}
    if calculus is not None and proofs is None:
        raise InputError("--calculus is for the proofs of --proofs DIR")
    if proofs is not None:
        with working("proving"):
            said["proofs"] = found.prove(proofs, calculus)
    if rocq or rocq_file is not None:
        with working("checking"):
            said["rocq"] = found.by_rocq(rocq_file)
    return said


def not_verified(error: Exception, limits: Limits, *, as_json: bool) -> int:
    """Say why a certificate is not verified, and return the status."""
    verdict, said = ("unknown", "unknown") if limits.reached else ("refuted", "rejected")
    reason = f"{error}; {limits.text}" if limits.reached else str(error)
    if as_json:
        show({"schema": "dpcomp/1", "verdict": verdict, "reason": reason}, (), as_json=True)
    else:
        click.echo(printable.one_line(f"{said}: {reason}"))
    return STATUS[verdict]


def show_verified(found: Verified, more: Mapping[str, Mapping[str, Any]], *, as_json: bool) -> None:
    """Print what was verified, and what cvc5 and Rocq have proved beside it."""
    if as_json:
        show(found.as_json() | dict(more), (), as_json=True)
    else:
        from dpcomp_sym.report.text import wrapped

        lines = [found.text(), *(f"{BESIDE[name]}: {one['text']}" for name, one in more.items())]
        click.echo(wrapped("\n".join(lines), hanging=HANGING))
