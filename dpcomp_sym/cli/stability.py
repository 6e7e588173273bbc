"""``dpcomp stability``."""

from __future__ import annotations

import click

from dpcomp_sym.cli.program import main
from dpcomp_sym.cli.refute import summary
from dpcomp_sym.cli.shared import STATUS, json_option, show, working


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
