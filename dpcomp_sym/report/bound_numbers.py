"""The numbers of bounds in marked prose, as articles and pages have them."""

from __future__ import annotations

from dpcomp_sym.numbers import Bound
from dpcomp_sym.numbers.guarantee import is_irrational
from dpcomp_sym.numbers.latex import number_latex
from dpcomp_sym.report.amounts import amounts
from dpcomp_sym.report.text import value_text

__all__ = ["equal_number", "number_of"]


def number_of(bound: Bound) -> str:
    r"""Return a bound's number as marked prose: exact, and a decimal where that is not readable.

    Returns:
        Nothing where there is no number, ``"≈ 3.29584"`` where the exact one is too long.

    >>> import dpcomp_sym as dp
    >>> d = dp.derive(dp.Domain(id="Record"), "unbounded", counts=dp.cover(2, pure="eps"))
    >>> print(number_of(d.subs(k=2, eps="log(3)").bound()))
    $2 \log(3)$ ≈ $2.19722$
    """
    said = value_text(bound.as_json())
    exact, near = " ≈ " in said, said.rpartition("≈ ")[2]
    if bound.value is None or bound.exact is None or not exact or not is_irrational(bound.value):
        return amounts(said)
    return f"${number_latex(bound.value)}$ ≈ ${near}$"


def equal_number(bound: Bound) -> str:
    """Return a bound's number as marked prose, with the sign that comes before it, or nothing."""
    said = number_of(bound)
    return f"= {said}" if said and not said.startswith(("≈", ">")) else said
