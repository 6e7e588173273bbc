"""The laws of the algebra, as rules: what a law takes as stated must be a theorem.

A law is a function from statements and terms to a statement, without any notion of proof; each
says what it concludes from what (figures as in :mod:`dpcomp_sym.kernel.rules`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from types import GenericAlias
from typing import Any, get_args, get_origin, get_type_hints

from dpcomp_sym.algebra import inequalities, profiles
from dpcomp_sym.kernel.rules import says
from dpcomp_sym.kernel.theorem import Grounds, Theorem, Trust, rule
from dpcomp_sym.statements.terms import Statement

__all__ = [
    "abel", "anywhere", "bounded_polynomial", "choose", "common_distance", "compatible_profile",
    "compose_profile", "each_block", "factor_in", "factor_out", "growth_in", "growth_least",
    "growth_most", "growth_out", "induction", "maximum", "monotone", "root", "share",
    "some_item", "spread", "squares", "transitive", "transport", "weaken_profile",
]  # fmt: skip


def law(
    function: Callable[..., Statement], source: str = "", trusts: Grounds | None = None
) -> Callable[..., Theorem]:
    """Make a rule of a law: where it takes a statement, the rule takes a theorem that says so."""
    hints = get_type_hints(function)

    def premise(hint: Any) -> Any:
        if get_origin(hint) is tuple:
            return GenericAlias(tuple, (premise(get_args(hint)[0]), ...))
        return Theorem if issubclass(hint, Statement) else hint

    def said(value: Any, hint: Any) -> Any:
        if type(value) is tuple:
            return tuple(said(v, get_args(hint)[0]) for v in value)
        return says(value, hint) if isinstance(value, Theorem) else value

    @wraps(function)
    def conclude(**arguments: Any) -> Statement:
        return function(**{name: said(v, hints[name]) for name, v in arguments.items()})

    conclude.__annotations__ = {name: premise(hint) for name, hint in hints.items()}
    made: Callable[..., Theorem] = rule(source, trusts=trusts)(conclude)
    return made


def _all_edits(_: Statement, arguments: dict[str, Any]) -> Trust:
    """Return what composing takes for granted: that the problem lists all its edits."""
    problem = arguments["problem"]
    return Trust("given", f"edits of {problem.relation.text()}", problem.digest())


abel = law(inequalities.abel)
anywhere = law(inequalities.anywhere)
bounded_polynomial = law(inequalities.bounded_polynomial)
choose = law(inequalities.choose)
each_block = law(inequalities.each_block)
factor_in = law(inequalities.factor_in)
factor_out = law(inequalities.factor_out)
growth_in = law(inequalities.growth_in)
growth_least = law(inequalities.growth_least)
growth_most = law(inequalities.growth_most)
growth_out = law(inequalities.growth_out)
induction = law(inequalities.induction)
maximum = law(inequalities.maximum)
monotone = law(inequalities.monotone)
root = law(inequalities.root)
share = law(inequalities.share)
some_item = law(inequalities.some_item)
spread = law(inequalities.spread)
squares = law(inequalities.squares)
transitive = law(inequalities.transitive)
transport = law(inequalities.transport)

common_distance = law(profiles.common_distance, "N2")
compatible_profile = law(profiles.compatible_profile, "GB24.IV.6, V.4, IV.12, V.6")
compose_profile = law(profiles.compose_profile, trusts=_all_edits)
weaken_profile = law(profiles.weaken_profile)
