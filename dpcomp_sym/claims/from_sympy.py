"""Claims as expressions of SymPy, in the words in which they are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dpcomp_sym.errors import InputError
from dpcomp_sym.model import Problem
from dpcomp_sym.statements.blocks_sympy import MaxOver, SumOfLargest

__all__ = ["claim_text"]


def claim_text(given: Any, problem: Problem) -> str:
    """Return the text of a claim about a problem.

    Args:
        given: an expression of SymPy; sums and maxima over blocks run over all blocks.
        problem: its parts say how many blocks a parameter has.

    Raises:
        InputError: claims have no words for it.

    >>> import dpcomp_sym as dp
    >>> d = dp.derive(dp.Domain(id="Record"), "unbounded", counts=dp.cover(2, pure="eps"))
    >>> claim_text(d.bound().sympy() / 2, d.problem)
    '(1/2)*top(2, eps[i])'
    """
    sizes = {
        name: part.map.sizes for part in problem.bound_parts
        for _, names in part.guarantees for name in names if isinstance(name, str)
    }  # fmt: skip
    return _Writer(sizes).of(given)


def _ratio(e: Any) -> bool:
    return bool(e.is_Rational and not e.is_Integer)


class _Writer:
    def __init__(self, sizes: Mapping[str, Sequence[str | int]]) -> None:
        self.sizes = sizes

    def of(self, e: Any) -> str:
        import sympy as sp

        match e:
            case SumOfLargest():
                return self.over(f"top({e.args[0]}, ", e)
            case MaxOver():
                return self.over("max(", e)
            case sp.Sum():
                return self.over("sum(", e)
            case sp.Max() | sp.Min():
                word = "max" if isinstance(e, sp.Max) else "min"
                return f"{word}({', '.join(map(self.of, e.args))})"
            case sp.Indexed():
                return f"{e.base}[{', '.join(map(str, e.indices))}]"
            case sp.Symbol() | sp.Integer():
                return str(e)
            case sp.Rational():
                return f"{e.p}/{e.q}"
            case sp.Tuple() | tuple():
                return f"({', '.join(map(self.of, e))})"
            case sp.Add():
                return " + ".join(map(self.of, e.args))
            case sp.Mul():
                return "*".join(map(self.factor, e.args))
            case sp.exp():
                return f"exp({self.of(e.args[0])})"
            case sp.Pow(base=base, exp=power) if power == sp.S.Half:
                return f"sqrt({self.of(base)})"
            case sp.Pow(base=base, exp=power) if power.is_Integer and power > 0:
                return f"{self.factor(base)}**{power}"
            case _:
                raise InputError(f"claims have no words for {e}", where="claim", word=str(e))

    def factor(self, e: Any) -> str:
        """Return what stands in a product or before a power."""
        import sympy as sp

        text = self.of(e)
        return f"({text})" if isinstance(e, sp.Add | sp.Mul | sp.Pow) or _ratio(e) else text

    def over(self, start: str, e: Any) -> str:
        """Return what runs over all blocks; where it runs over others, it is no such claim."""
        import sympy as sp

        body, limits = (e.args[1] if isinstance(e, SumOfLargest) else e.args[0]), e.limits
        ends = {letter: (str(low), str(high)) for letter, low, high in limits}
        for one in body.atoms(sp.Indexed):
            sizes = self.sizes.get(str(one.base), ())
            said = [ends.get(letter) for letter in one.indices]
            if said != [("1", str(size)) for size in sizes]:
                raise InputError(f"{e} does not run over all blocks of {one.base}",
                                 where="claim", word=str(one.base))  # fmt: skip
        return f"{start}{self.of(body)})"
