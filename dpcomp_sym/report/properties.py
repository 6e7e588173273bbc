"""Properties of neighbours in mathematics."""

from __future__ import annotations

from dpcomp_sym.engine.properties import Property
from dpcomp_sym.engine.sensitivity_norms import Norm
from dpcomp_sym.report.facts import seen_distance
from dpcomp_sym.report.setting import Notation
from dpcomp_sym.statements.latex import latex_name
from dpcomp_sym.terms import free_variables, to_latex
from dpcomp_sym.terms.term import integer

__all__ = ["property_prose"]


def property_prose(wanted: Property, notation: Notation) -> str:
    r"""Return a property of all neighbours as marked prose.

    >>> import dpcomp_sym as dp
    >>> from dpcomp_sym.engine.properties import read_property
    >>> blocks = dp.problem(dp.Domain(id="Record"), "bounded", blocks=dp.partition())
    >>> for claim in ("changed(blocks) <= 1", "l2(blocks) <= sqrt(2)", "E[x] <= D[x] + 1"):
    ...     print(property_prose(read_property(claim, blocks), Notation(blocks)))
    $\lvert \{i : f_i(D) \neq f_i(D')\} \rvert \le 1$ for all $\mathcal{B}$-neighbours $D, D'$
    $\lVert f_i(D') - f_i(D) \rVert_2 \le \sqrt{2}$ for all $\mathcal{B}$-neighbours $D, D'$
    $D'(x) \le D(x) + 1$ for all $\mathcal{B}$-neighbours $D, D'$ and all $x \in \mathcal{X}$
    """
    problem = notation.problem
    outer = notation.symbols.relation(problem.outer.name)
    among = f"for all ${outer}$-neighbours $D, D'$"
    most = r" \, ".join(map(latex_name, str(wanted.most).split("*")))
    match wanted.question:
        case "changed":
            mapping = problem.used_maps[wanted.name]
            index = ",".join(latex_name(n) for n, _ in mapping.indices)
            seen = notation.symbols.map(wanted.name, index)
            differ = rf"{seen}(D) \neq {seen}(D')"
            many = f"({index})" if "," in index else index
            said = rf"\lvert \{{{many} : {differ}\}} \rvert \le {most}"
        case "distance":
            part = next(p for p in problem.bound_parts if p.name == wanted.name)
            said = rf"{seen_distance(part, notation)} \le {most}"
        case "norm" if wanted.norm is not None:
            said, where = _norm(wanted.norm, notation)
            among += where
        case _:
            said = to_latex(wanted.formula, {"E": "D'"})
            records = sorted({"x", "y", "z"} & free_variables(wanted.formula))
            if records:
                among += rf" and all ${', '.join(records)} \in \mathcal{{X}}$"
    return f"${said}$ {among}"


def _norm(norm: Norm, notation: Notation) -> tuple[str, str]:
    """Return a claim about a norm as a formula, and what the weight in it is."""
    index = ",".join(latex_name(n) for n, _ in norm.mapping.indices)
    seen = notation.symbols.map(norm.mapping.name, index)
    weighed = norm.weight != integer(1)
    times, where = (
        (r"w \cdot ", f", where $w(c) = {notation.formula(norm.weight)}$") if weighed else ("", "")
    )
    change = f"{seen}({times}D') - {seen}({times}D)"
    most = notation.formula(norm.most)
    most = rf"\sqrt{{{most}}}" if norm.root else most
    return rf"\lVert {change} \rVert_{norm.power} \le {most}", where
