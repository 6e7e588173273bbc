"""What is really lost, in numbers, beside a bound: for options of ``derive`` and for notebooks."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

__all__ = ["in_numbers"]


def in_numbers(
    result: Any,
    at_delta: Fraction | None = None,
    at_epsilon: Fraction | None = None,
    *,
    theorems: bool = False,
) -> dict[str, Any]:
    """Return basic, advanced and optimal composition in numbers, as plain data.

    Args:
        result: the derivation, or what was found where there are no neighbours.
        at_delta: compare them at this delta.
        at_epsilon: compare them at this epsilon.
        theorems: add what other composition theorems say.

    Returns:
        the comparison, and readings in other notions; nothing where there are no numbers.
    """
    targets = {"at_delta": at_delta, "at_epsilon": at_epsilon}
    numbers: dict[str, Any] = {}
    if result.comparison is not None:
        numbers |= result.comparison.as_json(**targets)
        if theorems:
            from dpcomp_sym.derivation.accounting import side_by_side

            numbers |= side_by_side(result, at_delta)
    if any(x is not None for x in targets.values()):
        from dpcomp_sym.derivation.derive import Derivation
        from dpcomp_sym.optimal.readings import readings

        bounds = result.bounds if isinstance(result, Derivation) else ()
        read_off = [r.as_json() for r in readings(bounds, **targets)]
        numbers |= {"readings": read_off} if read_off else {}
    return numbers
