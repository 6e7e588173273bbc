"""Bounds as formulas: text, LaTeX, and SymPy where SymPy can say it.

The number of blocks stays symbolic.  In text ``max over i != j of eps[i] + eps[j]`` reaches to
the end of the formula or to the closing bracket; blocks are numbered from 1.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Final, Literal

from dpcomp_sym.notions.contributions import (
    Contribution,
    Source,
    by_map,
    coordinates,
    is_zero,
    maps_by_name,
    sources,
)
from dpcomp_sym.notions.core import Notion
from dpcomp_sym.notions.domination import maximal
from dpcomp_sym.profile import (
    All,
    Case,
    Count,
    Distance,
    Infinity,
    KRange,
    MapInfo,
    Profile,
    Symbolic,
    Vector,
)

if TYPE_CHECKING:
    import sympy

__all__ = ["ClosedForm", "closed_form", "latex_name"]

Style = Literal["text", "latex"]
Leaf = tuple[Distance, Contribution]

_LETTERS: Final = "ijlnpqtuv"
_GREEK: Final = {
    "alpha", "beta", "gamma", "delta", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu",
    "nu", "xi", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega",
}  # fmt: skip
_NO_GUARANTEE: Final = "inf (no guarantee)"
_OPEN: Final = "inf (not known)"
_LARGEST_NAMED: Final = 4
_SYMPY_CHOICES: Final = 5000


@dataclass(frozen=True, slots=True)
class _Factor:
    """An exact positive number times a power of a symbol."""

    number: Fraction
    symbol: str | None = None
    power: int = 0

    def is_one(self) -> bool:
        """Return whether it need not be written."""
        return self.number == 1 and self.symbol is None


@dataclass(frozen=True, slots=True)
class _Term:
    """What one map adds to one sum: how many blocks, and what each adds."""

    info: MapInfo
    entries: tuple[tuple[Count, tuple[Leaf, ...]], ...]
    fixed: int | None
    low: int


@dataclass(frozen=True, slots=True)
class _Written:
    """A formula and how tightly it binds.

    ``open``: it runs to the right as far as possible; ``sum``: it has a plus sign outside.
    """

    text: str
    kind: Literal["atom", "product", "sum", "open"] = "atom"


@dataclass(frozen=True, slots=True)
class ClosedForm:
    """The bound of a profile in one notion as a formula.

    ``text`` and ``latex`` hold for all sizes that the profile covers; ``pareto`` says in words
    which guarantees single neighbours need (for the approximate notion); ``infinite`` whether
    there is no guarantee for some size; ``single``: whether at most one block at distance 1 is
    read by one part, in every case; ``summed``: whether two parts or blocks at distance 1 or
    more add up; ``scaled``: whether some distance is neither 0 nor 1.
    """

    notion: Notion
    text: str
    latex: str
    pareto: str | None
    infinite: bool
    single: bool
    summed: bool
    scaled: bool
    profile: Profile
    used: tuple[tuple[str, Source], ...]

    def sympy(self, sizes: Mapping[str, int] | None = None) -> sympy.Basic | None:
        """Return the formula as a SymPy expression, or None where SymPy cannot say it.

        With numeric ``sizes`` (a few blocks) the maximum is written out over all choices of
        blocks of ``eps[1]``, ``eps[2]``, ….  With symbolic sizes ``MaxOver(body, (i, 1, k), …)``
        means the maximum over different indices (with terms left out where there are fewer
        blocks, so that the largest value remains) and ``SumOfLargest(n, body, (i, 1, k))`` the
        sum of the n largest; both are undefined functions to SymPy.
        """
        from dpcomp_sym.notions.sympy_forms import to_sympy_form

        return to_sympy_form(self, sizes)


def closed_form(profile: Profile, notion: Notion) -> ClosedForm | None:
    r"""Return the closed form, or None if some part has no guarantee in this notion.

    Raises ``ValueError`` for a vacuous profile: it has no bound.

    >>> from dpcomp_sym.notions.core import PURE
    >>> from dpcomp_sym.profile import Group, PartInfo
    >>> pairs = Case((KRange("k"),), ((Group("p", 2, (("m", 1),)),),), attained=True)
    >>> part = PartInfo("m", "p", (("pure", ("eps",)),))
    >>> info = MapInfo("p", (("i", "k"),), exchangeable=True)
    >>> form = closed_form(Profile((info,), (part,), (pairs,), proved=True, exact=True), PURE)
    >>> form.text
    'max over i != j of eps[i] + eps[j] (k = 1: eps[1])'
    >>> print(form.latex)
    \max_{i \neq j} (\varepsilon_i + \varepsilon_j)\ (k = 1\colon \varepsilon_1)
    """
    if profile.vacuous:
        raise ValueError("vacuous: there are no two different neighbouring databases")
    used = sources(profile, notion)
    if used is None:
        return None
    written = [_case(profile, case, notion, used) for case in profile.cases]
    texts, latexes, paretos = [], [], []
    for case, (text, latex, pareto) in zip(profile.cases, written, strict=True):
        texts.append((text, _range_text(case.ranges)))
        latexes.append((latex, _range_latex(case.ranges)))
        paretos.append((pareto, _range_text(case.ranges)))
    body = _joined(texts)
    bodies = [latex for latex, _ in latexes]
    if len(set(bodies)) == 1:
        latex = bodies[0]
    else:
        rows = r" \\ ".join(f"{one} & {when or 'otherwise'}" for one, when in latexes)
        latex = rf"\begin{{cases}} {rows} \end{{cases}}"
    infinite = any(case.infinite for case in profile.cases)
    distances = [
        r
        for case in profile.cases
        for vector in case.vectors
        for group in vector
        for _, r in group.distances
    ]
    worst = [v for case in profile.cases for v in vectors_of(case, notion, used) or case.vectors]
    return ClosedForm(
        notion,
        body,
        latex,
        _joined([(p, w) for p, w in paretos if p]) or None,
        infinite,
        all(map(_is_single, worst)),
        any(map(_is_sum, worst)),
        any(not is_zero(r) and r != 1 for r in distances),
        profile,
        tuple(used.items()),
    )


def vectors_of(case: Case, notion: Notion, used: dict[str, Source]) -> tuple[Vector, ...] | None:
    """Return the vectors that matter in a notion; None if one of them leaves no guarantee."""
    if case.infinite:
        return None
    return maximal(case.vectors, notion, used)


def _is_single(vector: Vector) -> bool:
    """Return whether one block at distance 1 is read by one part and nothing else changes."""
    seen = [(group.count, r) for group in vector for _, r in group.distances if not is_zero(r)]
    return len(seen) <= 1 and all(count == 1 and r == 1 for count, r in seen)


def _is_sum(vector: Vector) -> bool:
    """Return whether at least two parts or blocks at distance 1 or more add up."""
    seen = [
        group.count
        for group in vector
        for _, r in group.distances
        if not isinstance(r, int | Fraction) or r >= 1
    ]
    return len(seen) > 1 or any(count != 1 for count in seen)


def is_infinite_for(profile: Profile, sizes: Mapping[str, int]) -> bool:
    """Return whether there is no guarantee, for some sizes that agree with the given ones."""
    return any(case.infinite for case in profile.cases if case.speaks_of(sizes))


def _joined(parts: list[tuple[str, str]]) -> str:
    """Join the formulas of several cases, each with its range."""
    if len({text for text, _ in parts}) <= 1:
        return parts[0][0] if parts else ""
    return "; ".join(f"{text} for {when}" if when else text for text, when in parts)


def _range_text(ranges: tuple[KRange, ...]) -> str:
    return " and ".join(filter(None, (_one_range(r, "text") for r in ranges)))


def _range_latex(ranges: tuple[KRange, ...]) -> str:
    return ",\\ ".join(filter(None, (_one_range(r, "latex") for r in ranges)))


def _one_range(one: KRange, style: Style) -> str:
    at_most, at_least = (r"\le", r"\ge") if style == "latex" else ("<=", ">=")
    symbol = _size(one.symbol, style)
    if one.high is None:
        return f"{symbol} {at_least} {one.low}" if one.low > 1 else ""
    if one.high == one.low:
        return f"{symbol} = {one.low}"
    if one.low <= 1:
        return f"{symbol} {at_most} {one.high}"
    return f"{one.low} {at_most} {symbol} {at_most} {one.high}"


def _case(
    profile: Profile, case: Case, notion: Notion, used: dict[str, Source]
) -> tuple[str, str, str]:
    """Return text, LaTeX and the words on single neighbours, for one case."""
    vectors = vectors_of(case, notion, used)
    if vectors is None:
        said = _NO_GUARANTEE if len(profile.cases) == 1 else "inf"
        return (_OPEN if case.open else said), r"\infty", ""
    if notion.additive is not None:
        return (
            _maximum(profile, case, vectors, notion, used, 0, "text"),
            _maximum(profile, case, vectors, notion, used, 0, "latex"),
            "",
        )
    both: dict[Style, list[str]] = {"text": [], "latex": []}
    for style, parts in both.items():
        parts.extend(_maximum(profile, case, vectors, notion, used, c, style) for c in (0, 1))
    pareto = "; ".join(_single_neighbours(profile, case, v, notion, used) for v in vectors)
    text, latex = f"({', '.join(both['text'])})", rf"\left({', '.join(both['latex'])}\right)"
    return text, latex, "" if pareto == text else pareto


def _maximum(
    profile: Profile,
    case: Case,
    vectors: tuple[Vector, ...],
    notion: Notion,
    used: dict[str, Source],
    coordinate: int,
    style: Style,
) -> str:
    """Return the maximum over the vectors of one coordinate."""
    root = notion.additive is not None and notion.additive.root
    formulas = []
    for vector in vectors:
        terms = terms_of(profile, case, vector, notion, used, coordinate)
        written = _sum(terms, style, root=root)
        formulas.append((written, _notes(terms, style, root=root)))
    formulas = list(dict.fromkeys(formulas))
    if len(formulas) > 1:
        formulas = [one for one in formulas if one[0].text != "0"]
    if not formulas:
        return "0"
    if len(formulas) == 1:
        return formulas[0][0].text + formulas[0][1]
    inner = [_bracket(w, "open", style) + note for w, note in formulas]
    if style == "latex":
        return rf"\max\left({', '.join(inner)}\right)"
    return f"max({', '.join(inner)})"


def terms_of(
    profile: Profile,
    case: Case,
    vector: Vector,
    notion: Notion,
    used: dict[str, Source],
    coordinate: int,
) -> list[_Term]:
    """Return what the maps add to one sum, single maps first."""
    maps = maps_by_name(profile)
    ranges = {one.symbol: one for one in case.ranges}
    result = []
    for name, positions in by_map(vector).items():
        info = maps[name]
        low, fixed = 1, 1
        known = True
        for _, size in info.indices:
            one = ranges.get(size) if isinstance(size, str) else None
            low *= size if isinstance(size, int) else one.low if one is not None else 1
            if isinstance(size, int):
                fixed *= size
            elif one is not None and one.high == one.low:
                fixed *= one.low
            else:
                known = False
        merged: dict[tuple[Leaf, ...], list[Count]] = {}
        for position in positions:
            group = vector[position]
            leaves = tuple(
                (r, coordinates(notion, used[part])[coordinate])
                for part, r in group.distances
                if not is_zero(r)
            )
            leaves = tuple(leaf for leaf in leaves if leaf[1].shape != "zero")
            if leaves:
                merged.setdefault(leaves, []).append(group.count)
        entries: list[tuple[Count, tuple[Leaf, ...]]] = []
        for leaves, counts in merged.items():
            numbers = [c for c in counts if isinstance(c, int)]
            entries.extend((c, leaves) for c in counts if not isinstance(c, int))
            if numbers:
                entries.append((sum(numbers), leaves))
        if entries:
            entries.sort(key=lambda entry: _sort_key(entry[1]), reverse=True)
            result.append(_Term(info, tuple(entries), fixed if known else None, low))
    return sorted(result, key=lambda term: bool(term.info.indices))


def _sort_key(leaves: tuple[Leaf, ...]) -> Fraction:
    """Sort larger distances first."""
    return sum((Fraction(r) for r, _ in leaves if isinstance(r, int | Fraction)), Fraction(0))


# Numbers, names and factors.


def latex_name(name: str | Fraction, index: str = "") -> str:
    r"""Return a parameter's name in LaTeX, with an index if it belongs to a family.

    >>> print(latex_name("eps", "i"), latex_name("eps0"), latex_name("eps_fl"))
    \varepsilon_i \varepsilon_{0} \varepsilon_{\mathrm{fl}}
    """
    if isinstance(name, Fraction):
        return _number(name, "latex")
    match = re.fullmatch(r"([A-Za-z]+?)_?(\d*)(?:_(\w+))?", name)
    stem, digits, suffix = match.groups() if match else (name, "", None)
    if stem in {"eps", "epsilon"}:
        base = r"\varepsilon"
    elif stem in _GREEK:
        base = "\\" + stem
    else:
        base = stem if len(stem) == 1 else rf"\mathrm{{{stem}}}".replace("_", r"\_")
    below = [digits] if digits else []
    if suffix:
        words = suffix.replace("_", r"\_")
        below.append(words if len(words) == 1 or words.isdigit() else rf"\mathrm{{{words}}}")
    if index:
        below.append(index)
    if below == [index] and len(index) == 1:
        return f"{base}_{index}"
    return f"{base}_{{{','.join(below)}}}" if below else base


def _number(x: Fraction, style: Style) -> str:
    if x.denominator == 1:
        return str(x.numerator)
    if style == "latex":
        return rf"\frac{{{x.numerator}}}{{{x.denominator}}}"
    return str(x)


def _name(name: str | Fraction, index: str, style: Style) -> str:
    if style == "latex":
        return latex_name(name, "" if isinstance(name, Fraction) else index)
    if isinstance(name, Fraction):
        return str(name)
    return f"{name}[{index}]" if index else name


def _factor(r: Distance, power: int) -> _Factor:
    if power == 0:
        return _Factor(Fraction(1))
    if isinstance(r, Symbolic):
        return _Factor(Fraction(r.factor) ** power, r.symbol, power)
    if isinstance(r, Infinity):
        raise TypeError("an infinite distance is no factor")
    return _Factor(Fraction(r) ** power)


def _times(factor: _Factor, body: _Written, style: Style) -> _Written:
    """Write a factor before a formula."""
    if factor.is_one():
        return body
    inner = _bracket(body, "sum", style)
    pieces = [_number(factor.number, style)] if factor.number != 1 else []
    if factor.symbol is not None:
        pieces.append(_symbol_power(factor.symbol, factor.power, style))
    return _Written(_product([*pieces, inner], style), "product")


def _symbol_power(symbol: str, power: int, style: Style) -> str:
    name = latex_name(symbol) if style == "latex" else symbol
    return name if power == 1 else f"{name}^{power}"


def _product(pieces: list[str], style: Style) -> str:
    if style == "text":
        return "*".join(pieces)
    result = pieces[0]
    for piece in pieces[1:]:
        # Two numbers side by side would read as one.
        result += (r" \cdot " if piece[0].isdigit() else " ") + piece
    return result


def _bracket(body: _Written, against: Literal["sum", "open"], style: Style) -> str:
    """Return the formula, in brackets if it would run into its surroundings."""
    if body.kind == "open" or (against == "sum" and body.kind == "sum"):
        return rf"\left({body.text}\right)" if style == "latex" else f"({body.text})"
    return body.text


def _plus(parts: list[_Written], style: Style) -> _Written:
    """Write a sum; only its last part may run on to the right."""
    if len(parts) == 1:
        return parts[0]
    ordered = [p for p in parts if p.kind != "open"] + [p for p in parts if p.kind == "open"]
    texts = [_bracket(p, "open", style) for p in ordered[:-1]]
    texts.append(ordered[-1].text)
    return _Written(" + ".join(texts), "open" if ordered[-1].kind == "open" else "sum")


# What one block adds.


def _leaf_factor(leaf: Leaf) -> _Factor | None:
    """Return the factor that stands before a leaf; None if its distance stands inside."""
    r, one = leaf
    if one.shape in {"plain", "square", "half square"}:
        return _factor(r, one.power)
    if one.shape == "growth" and r == 1:
        return _Factor(Fraction(1))
    return None


def _argument(r: Distance, name: str, style: Style, power: int = 1) -> str:
    return _times(_factor(r, power), _Written(name), style).text


def _bare(leaf: Leaf, index: str, style: Style) -> _Written:
    """Return a leaf without its factor."""
    r, one = leaf
    x = _name(one.parameters[0], index, style)
    if one.shape == "plain":
        return _Written(x)
    wrapped = f"({x})" if isinstance(one.parameters[0], Fraction) and not x.isdigit() else x
    if one.shape == "square":
        return _Written(f"{wrapped}^2", "product")
    if one.shape == "half square":
        text = rf"\frac{{1}}{{2}} {wrapped}^2" if style == "latex" else f"{wrapped}^2/2"
        return _Written(text, "product")
    inner = _argument(r, x, style)
    if one.shape == "gdp":
        return _Written(f"{_gdp(inner, style)}^2", "product")
    y = _name(one.parameters[1], index, style)
    if one.shape == "zcdp point":
        function = r"\varepsilon_{\mathrm{Z}}" if style == "latex" else "zcdp_epsilon"
        return _Written(f"{function}({_argument(r, x, style, 2)}, {y})")
    if one.shape == "gaussian point":
        function = r"\delta_{\mathrm{G}}" if style == "latex" else "gaussian_delta"
        return _Written(f"{function}({inner}, {y})")
    if r == 1:
        return _Written(y)
    if style == "latex":
        return _Written(rf"{y} \frac{{e^{{{inner}}} - 1}}{{e^{{{x}}} - 1}}", "product")
    return _Written(f"{y}*(e^({inner}) - 1)/(e^{x} - 1)", "product")


def _gdp(inner: str, style: Style) -> str:
    """Write the Gaussian parameter of a pure guarantee."""
    return rf"\operatorname{{gdp}}({inner})" if style == "latex" else f"gdp({inner})"


def _block(leaves: tuple[Leaf, ...], index: str, style: Style) -> _Written:
    """Return what one block adds, summed over the parts."""
    written = []
    for leaf in leaves:
        factor = _leaf_factor(leaf)
        body = _bare(leaf, index, style)
        written.append(body if factor is None else _times(factor, body, style))
    return _plus(written, style)


def _rooted(leaves: list[tuple[Leaf, str]], style: Style) -> _Written:
    """Return the square root of a sum of leaves at blocks."""
    if len(leaves) == 1:
        (r, one), index = leaves[0]
        x = _name(one.parameters[0], index, style)
        if one.shape == "square" and one.power == 2:
            return _times(_factor(r, 1), _Written(x), style)
        if one.shape == "gdp":
            return _Written(_gdp(_argument(r, x, style), style))
    body = _plus([_block((leaf,), index, style) for leaf, index in leaves], style)
    return _Written(_sqrt(body.text, style))


def _sqrt(text: str, style: Style) -> str:
    return rf"\sqrt{{{text}}}" if style == "latex" else f"sqrt({text})"


# What one map adds.


def _common(entries: tuple[tuple[Count, tuple[Leaf, ...]], ...]) -> _Factor:
    """Return the factor that all leaves share, or 1."""
    factors = {_leaf_factor(leaf) for _, leaves in entries for leaf in leaves}
    (one, *more) = factors
    return _Factor(Fraction(1)) if more or one is None else one


def _without(
    entries: tuple[tuple[Count, tuple[Leaf, ...]], ...],
) -> tuple[tuple[Count, tuple[Leaf, ...]], ...]:
    """Return the entries with all factors set to 1."""
    return tuple(
        (count, tuple((1 if one.shape != "gdp" else r, one) for r, one in leaves))
        for count, leaves in entries
    )


def _index_names(info: MapInfo, n: int) -> list[str]:
    """Return names for n different blocks."""
    own = [name for name, _ in info.indices]
    if len(own) == 1:
        sizes = {str(size) for _, size in info.indices}
        later = [x for x in _LETTERS if x not in {*own, *sizes}]
        if own[0] in _LETTERS:
            start = _LETTERS.index(own[0])
            later.sort(key=lambda x: _LETTERS.index(x) < start)
        names = [own[0], *later]
        return names[:n]
    return [",".join(name + "'" * j for name in own) for j in range(n)]


def _different(info: MapInfo, names: list[str], style: Style) -> str:
    """Write that indices are different."""
    shown = [f"({x})" for x in names] if len(info.indices) > 1 else names
    if len(names) == 1:
        return names[0]
    if len(names) == 2:
        return (r" \neq " if style == "latex" else " != ").join(shown)
    if style == "latex":
        return ", ".join(shown) + r"\ \text{different}"
    return "different " + ", ".join(shown)


def _ones(info: MapInfo) -> str:
    return ",".join("1" for _ in info.indices)


def _range_below(info: MapInfo, style: Style) -> str:
    """Write the subscript of a sum over all blocks."""
    if style == "text" or len(info.indices) != 1:
        return ",".join(name for name, _ in info.indices)
    return f"{info.indices[0][0]}=1"


def _all_blocks(info: MapInfo, style: Style) -> str:
    sizes = [_size(size, style) for _, size in info.indices]
    return " ".join(sizes) if style == "latex" else "*".join(sizes)


def _size(size: int | str | Symbolic, style: Style) -> str:
    r"""Write a number of blocks.

    >>> print(_size(Symbolic("n_ads", 2), "latex"), _size(Symbolic("n_ads", 2), "text"))
    2 n_{\mathrm{ads}} 2*n_ads
    """
    if style == "text" or isinstance(size, int):
        return str(size)
    if isinstance(size, str):
        return latex_name(size)
    factor = "" if size.factor == 1 else f"{size.factor} "
    return f"{factor}{latex_name(size.symbol)}"


def _is_constant(leaves: tuple[Leaf, ...]) -> bool:
    return all(isinstance(x, Fraction) for _, one in leaves for x in one.parameters)


def _constant_value(leaves: tuple[Leaf, ...]) -> Fraction | None:
    """Return what a block with numbers as parameters adds, if it is rational."""
    result = Fraction(0)
    for r, one in leaves:
        x = one.parameters[-1]
        factor = _leaf_factor((r, one))
        if not isinstance(x, Fraction) or factor is None or factor.symbol is not None:
            return None
        value = {"plain": x, "growth": x, "square": x * x, "half square": x * x / 2}[one.shape]
        result += factor.number * value
    return result


def _count_text(count: Count, term: _Term, style: Style) -> str:
    """Write how many blocks a group really touches."""
    n = str(term.fixed) if term.fixed is not None else _all_blocks(term.info, style)
    if isinstance(count, All):
        return n
    if isinstance(count, int) and (count <= term.low or count == 1):
        return str(count)
    if isinstance(count, int) and term.fixed is not None:
        return str(min(count, term.fixed))
    shown = _size(count, style)
    return rf"\min({shown}, {n})" if style == "latex" else f"min({shown}, {n})"


def _constant(count: Count, leaves: tuple[Leaf, ...], term: _Term, style: Style) -> _Written:
    """Write how many blocks times what each of them adds."""
    number = _count_text(count, term, style)
    value = _constant_value(leaves)
    if value is not None and number.isdigit():
        return _Written(_number(value * int(number), style))
    if number == "1":
        return _block(leaves, "", style)
    if value == 1:
        return _Written(number)
    body = _block(leaves, "", style) if value is None else _Written(_number(value, style))
    return _Written(_product([_bracket(body, "sum", style), number], style), "product")


def _touches_all(count: Count, term: _Term) -> bool:
    if isinstance(count, All):
        return True
    return isinstance(count, int) and term.fixed is not None and count >= term.fixed


def _largest(count: str, leaves: tuple[Leaf, ...], term: _Term, style: Style) -> _Written:
    """Write the sum of the largest ones."""
    (name,) = _index_names(term.info, 1)
    body = _block(leaves, name, style)
    if style == "text":
        return _Written(f"sum of the {count} largest {_bracket(body, 'sum', style)}", "open")
    simple = len(leaves) == 1 and len(term.info.indices) == 1
    r, one = leaves[0]
    if simple and (one.shape in {"plain", "square"} or (one.shape == "growth" and r == 1)):
        run = "j" if name != "j" else "l"
        shown = _block(leaves, f"({run})", style).text
        return _Written(rf"\sum_{{{run}=1}}^{{{count}}} {shown}", "product")
    body_text = _bracket(body, "sum", style)
    blocks = f"({name})" if len(term.info.indices) > 1 else name
    return _Written(rf"\max_{{|S| \le {count}}} \sum_{{{blocks} \in S}} {body_text}", "product")


def _term(term: _Term, style: Style, *, root: bool) -> tuple[_Written, bool]:
    """Write what one map adds; with ``root``, its square root if that goes inside a maximum.

    The second value says whether the root was taken.
    """
    entries = term.entries
    if not term.info.indices or term.fixed == 1:
        index = _ones(term.info) if term.info.indices else ""
        if len(entries) == 1:
            if _is_constant(entries[0][1]) and not root:
                return _constant(1, entries[0][1], term, style), False
            if root:
                return _rooted([(leaf, index) for leaf in entries[0][1]], style), True
            return _block(entries[0][1], index, style), False
        options = [
            _rooted([(leaf, index) for leaf in leaves], style).text
            if root
            else _block(leaves, index, style).text
            for _, leaves in entries
        ]
        return _maximum_of(list(dict.fromkeys(options)), style), root
    if all(_is_constant(leaves) for _, leaves in entries) and len(entries) == 1:
        return _constant(entries[0][0], entries[0][1], term, style), False
    common = _common(entries)
    if not common.is_one() and not root:
        bare = _Term(term.info, _without(entries), term.fixed, term.low)
        return _times(common, _term(bare, style, root=False)[0], style), False
    numbers = [count for count, _ in entries if isinstance(count, int)]
    named = len(numbers) == len(entries) and (term.fixed is None or sum(numbers) <= term.fixed)
    if len(entries) == 1:
        count, leaves = entries[0]
        if count == 1:
            return _maximum_over_one(leaves, term, style, root=root)
        if _touches_all(count, term):
            return _sum_of_all(leaves, term, style), False
        if count != 2:
            return _largest(_count_text_largest(count, term, style), leaves, term, style), False
    if named and sum(numbers) <= _LARGEST_NAMED:
        return _maximum_over_different(term, style, root=root), root
    layered = _layered(term, style)
    return (layered if layered is not None else _sets(term, style)), False


def _count_text_largest(count: Count, term: _Term, style: Style) -> str:
    """Write how many of the largest: in text a number larger than k needs no minimum."""
    if style == "text" and isinstance(count, int):
        return str(count)
    return _count_text(count, term, style)


def _maximum_of(options: list[str], style: Style) -> _Written:
    if len(options) == 1:
        return _Written(options[0], "sum")
    inner = ", ".join(options)
    return _Written(rf"\max\left({inner}\right)" if style == "latex" else f"max({inner})")


def _maximum_over_one(
    leaves: tuple[Leaf, ...], term: _Term, style: Style, *, root: bool
) -> tuple[_Written, bool]:
    """Write the maximum over one block."""
    (name,) = _index_names(term.info, 1)
    factor = _Factor(Fraction(1))
    if root:
        body = _rooted([(leaf, name) for leaf in leaves], style)
        if len(leaves) == 1 and leaves[0][1].shape == "square":
            factor = _factor(leaves[0][0], 1)
            body = _Written(_name(leaves[0][1].parameters[0], name, style))
    else:
        body = _block(leaves, name, style)
    if style == "latex":
        inner = rf"\max_{{{name}}} {_bracket(body, 'sum', style)}"
    else:
        inner = f"max({body.text})"
    return _times(factor, _Written(inner), style), root


def _sum_of_all(leaves: tuple[Leaf, ...], term: _Term, style: Style) -> _Written:
    """Write the sum over all blocks."""
    (name,) = _index_names(term.info, 1)
    body = _block(leaves, name, style)
    if style == "text":
        return _Written(f"sum({body.text})")
    above = ""
    if len(term.info.indices) == 1:
        size = term.fixed if term.fixed is not None else term.info.indices[0][1]
        above = f"^{{{_size(size, style)}}}"
    inner = _bracket(body, "sum", style)
    return _Written(rf"\sum_{{{_range_below(term.info, style)}}}{above} {inner}", "product")


def _maximum_over_different(term: _Term, style: Style, *, root: bool) -> _Written:
    """Write the maximum over a few different blocks, each named."""
    wanted = [leaves for count, leaves in term.entries for _ in range(int(str(count)))]
    names = _index_names(term.info, len(wanted))
    if root:
        common = _common(term.entries)
        half = _half_power(common)
        entries = wanted
        if half is not None and not common.is_one():
            entries = [_without(((1, leaves),))[0][1] for leaves in wanted]
        body = _rooted(
            [(leaf, n) for leaves, n in zip(entries, names, strict=True) for leaf in leaves], style
        )
    else:
        half = None
        body = _plus(
            [_block(leaves, n, style) for leaves, n in zip(wanted, names, strict=True)], style
        )
    over = _different(term.info, names, style)
    if style == "latex":
        inner = body.text if root else f"({body.text})"
        written = _Written(rf"\max_{{{over}}} {inner}", "product")
    else:
        written = _Written(f"max over {over} of {body.text}", "open")
    return _times(half, written, style) if half is not None else written


def _half_power(factor: _Factor) -> _Factor | None:
    """Return the square root of r^2, as a factor."""
    top, bottom = _isqrt(factor.number.numerator), _isqrt(factor.number.denominator)
    if top is None or bottom is None or factor.power % 2:
        return None
    power = factor.power // 2
    return _Factor(Fraction(top, bottom), factor.symbol if power else None, power)


def _isqrt(n: int) -> int | None:
    root = math.isqrt(n)
    return root if root * root == n else None


def _layered(term: _Term, style: Style) -> _Written | None:
    """Write sorted coefficients against sorted numbers as a sum of sums of the largest.

    Only where one part reads the map, at distances that are numbers (Abel summation).
    """
    runs = []
    for count, leaves in term.entries:
        factor = _leaf_factor(leaves[0])
        if len(leaves) != 1 or factor is None or factor.symbol is not None:
            return None
        runs.append((factor.number, count, leaves[0][1]))
    runs.sort(key=lambda run: run[0], reverse=True)
    number, symbols, everything = 0, list[Symbolic](), False
    pieces = []
    for position, (coefficient, count, one) in enumerate(runs):
        below = runs[position + 1][0] if position + 1 < len(runs) else Fraction(0)
        everything = everything or isinstance(count, All)
        if isinstance(count, int):
            number += count
        elif isinstance(count, Symbolic):
            symbols.append(count)
        leaves = ((1, one),)
        if coefficient == below:
            continue
        if everything or (term.fixed is not None and number >= term.fixed):
            body = _sum_of_all(leaves, term, style)
        elif number == 1 and not symbols:
            body = _maximum_over_one(leaves, term, style, root=False)[0]
        else:
            counts: list[int | Symbolic] = [*symbols, *([number] if number else [])]
            shown = " + ".join(_size(count, style) for count in counts)
            n = _all_blocks(term.info, style)
            if style == "latex":
                shown = rf"\min({shown}, {n})"
            elif symbols:
                shown = f"min({shown}, {n})"
            body = _largest(shown, leaves, term, style)
        pieces.append(_times(_Factor(coefficient - below), body, style))
    return _plus(pieces, style)


def _sets(term: _Term, style: Style) -> _Written:
    """Write a maximum over disjoint sets of blocks."""
    names = [chr(ord("A") + j) for j in range(len(term.entries))]
    (index,) = _index_names(term.info, 1)
    sums, limits = [], []
    at_most = r"\le" if style == "latex" else "<="
    for name, (count, leaves) in zip(names, term.entries, strict=True):
        body = _bracket(_block(leaves, index, style), "sum", style)
        if style == "latex":
            sums.append(rf"\sum_{{{index} \in {name}}} {body}")
        else:
            sums.append(f"(sum over {index} in {name} of {body})")
        if not isinstance(count, All):
            shown = _size(count, style)
            limits.append(f"|{name}| {at_most} {shown}")
    if style == "latex":
        below = ", ".join([rf"{', '.join(names)}\ \text{{disjoint}}", *limits])
        return _Written(rf"\max_{{{below}}} \left({' + '.join(sums)}\right)", "product")
    listed = f" with {', '.join(limits)}" if limits else ""
    return _Written(f"max over disjoint {', '.join(names)}{listed} of {' + '.join(sums)}", "open")


# What a vector adds up to.


def _sum(terms: list[_Term], style: Style, *, root: bool) -> _Written:
    """Write the sum over the maps, and its root if the notion wants it."""
    if not terms:
        return _Written("0")
    if not root:
        return _plus([_term(term, style, root=False)[0] for term in terms], style)
    value = _plus([_term(term, "text", root=False)[0] for term in terms], "text").text
    exact = _exact_root(value)
    if exact is not None:
        return _Written(_number(exact, style))
    if len(terms) == 1:
        written, done = _term(terms[0], style, root=True)
        if done:
            return written
    entries = tuple(entry for term in terms for entry in term.entries)
    half = _half_power(_common(entries))
    if half is None or half.is_one():
        half = _Factor(Fraction(1))
        stripped = terms
    else:
        stripped = [_Term(t.info, _without(t.entries), t.fixed, t.low) for t in terms]
    body = _plus([_term(term, style, root=False)[0] for term in stripped], style)
    return _times(half, _Written(_sqrt(body.text, style)), style)


def _exact_root(text: str) -> Fraction | None:
    """Return the root of a number that is written out, if it is rational."""
    if not re.fullmatch(r"\d+(/\d+)?", text):
        return None
    half = _half_power(_Factor(Fraction(text)))
    return None if half is None else half.number


def _notes(terms: list[_Term], style: Style, *, root: bool) -> str:
    """Say what a maximum over different blocks is where there are fewer blocks."""
    notes = []
    for term in terms:
        total = _different_blocks(term)
        if total is None:
            continue
        if _mixed(term):
            words = "fewer blocks: leave out terms so that the largest value remains"
            notes.append(rf"\text{{{words}}}" if style == "latex" else words)
            continue
        sizes = [size for _, size in term.info.indices]
        for n in range(term.low, total if len(sizes) == 1 else min(2, total)):
            # Maps with the same number of blocks have fewer at once.
            fewer = [
                _fewer(t, n) if [size for _, size in t.info.indices] == sizes else t for t in terms
            ]
            shown = _sum(fewer, style, root=root)
            colon = r"\colon" if style == "latex" else ":"
            told = " = ".join(_size(size, style) for size in sizes)
            notes.append(f"{told} = {n}{colon} {shown.text}")
    space = r"\ " if style == "latex" else " "
    return f"{space}({'; '.join(dict.fromkeys(notes))})" if notes else ""


def _different_blocks(term: _Term) -> int | None:
    """Return how many different blocks a term names, if with fewer it is to be told otherwise."""
    numbers = [count for count, _ in term.entries if isinstance(count, int)]
    total = sum(numbers)
    if (
        not term.info.indices
        or term.fixed is not None
        or len(numbers) != len(term.entries)
        or not 1 < total <= _LARGEST_NAMED
        or (len(term.entries) == 1 and total != 2)
        or all(_is_constant(leaves) for _, leaves in term.entries)
    ):
        return None
    return total


def _mixed(term: _Term) -> bool:
    """Return whether the blocks of a term add different things, so that the order matters."""
    kinds = {leaf[1] for _, leaves in term.entries for leaf in leaves}
    return len(kinds) > 1 and len(term.entries) > 1


def _fewer(term: _Term, blocks: int) -> _Term:
    """Return what a term is if there are so many blocks, fewer than it names."""
    total = _different_blocks(term)
    if total is None or total <= blocks or _mixed(term):
        return term
    left, kept = blocks, []
    for count, leaves in term.entries:
        take = min(int(str(count)), left)
        left -= take
        if take:
            kept.append((take, leaves))
    return _Term(term.info, tuple(kept), blocks, blocks)


def _single_neighbours(
    profile: Profile, case: Case, vector: Vector, notion: Notion, used: dict[str, Source]
) -> str:
    """Say which pairs (epsilon, delta) single neighbours need."""
    bodies: list[str] = []
    over: list[str] = []
    for coordinate in (0, 1):
        pieces: list[_Written] = []
        for term in terms_of(profile, case, vector, notion, used, coordinate):
            written, choice = _chosen(term)
            pieces.append(written)
            if choice and choice not in over:
                over.append(choice)
        bodies.append(_plus(pieces, "text").text if pieces else "0")
    suffix = f" for each {' and each '.join(over)}" if over else ""
    return f"({', '.join(bodies)}){suffix}"


def _chosen(term: _Term) -> tuple[_Written, str]:
    """Return what a choice of blocks adds, and what is chosen."""
    counts = [count for count, _ in term.entries]
    if not term.info.indices or term.fixed == 1 or all(_is_constant(x) for _, x in term.entries):
        return _term(term, "text", root=False)[0], ""
    if len(counts) == 1 and _touches_all(counts[0], term):
        return _term(term, "text", root=False)[0], ""
    numbers = [c for c in counts if isinstance(c, int)]
    if (
        len(numbers) == len(counts)
        and sum(numbers) <= _LARGEST_NAMED
        and (len(numbers) > 1 or sum(numbers) <= 2)
    ):
        wanted = [leaves for count, leaves in term.entries for _ in range(int(str(count)))]
        names = _index_names(term.info, len(wanted))
        body = _plus(
            [_block(leaves, n, "text") for leaves, n in zip(wanted, names, strict=True)], "text"
        )
        return body, _different(term.info, names, "text")
    if len(counts) == 1:
        (name,) = _index_names(term.info, 1)
        body = _block(term.entries[0][1], name, "text")
        number = _count_text_largest(counts[0], term, "text")
        index = f"({name})" if len(term.info.indices) > 1 else name
        return _Written(
            f"sum over {index} in S of {body.text}", "open"
        ), f"set S of {number} blocks"
    over, sums = _sets(term, "text").text.split(" of ", 1)
    return _Written(sums, "open"), over.removeprefix("max over ")


def choices(capacities: list[int], blocks: int) -> list[tuple[int | None, ...]]:
    """Return all ways to put blocks into groups of limited size (None: into no group).

    >>> len(choices([1, 1], 3))
    13
    """
    return [
        choice
        for choice in product([None, *range(len(capacities))], repeat=blocks)
        if all(choice.count(g) <= capacity for g, capacity in enumerate(capacities))
    ]
