r"""Terms of the kernel as LaTeX: formulas, and sentences about mechanisms.

The same fold over the same terms as :mod:`dpcomp_sym.statements.text`, for a reader of papers: a
loss is written as the number that it is at a pair of databases :math:`D, D'`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Final

from dpcomp_sym.engine.together.find import function_of, index_variable
from dpcomp_sym.engine.together.naming import names_of_records, number_of_records
from dpcomp_sym.notions import NOTIONS, conversion_between
from dpcomp_sym.notions.written import squared
from dpcomp_sym.profile import Interval
from dpcomp_sym.report.document import listed, plain
from dpcomp_sym.statements import terms as t
from dpcomp_sym.statements.integers import LATEX_SIGNS, TRUE, Naming, letters_for
from dpcomp_sym.statements.latex import LATEX, latex_name, latex_ranges, latex_text
from dpcomp_sym.statements.places import arguments_of_letters
from dpcomp_sym.statements.render import Level, letters
from dpcomp_sym.terms import to_latex
from dpcomp_sym.terms.data import from_text

__all__ = [
    "Symbols",
    "indices_of_records",
    "interval",
    "mechanism",
    "naming_of",
    "private",
    "reach_text",
    "records_of",
    "sentence",
    "values_of",
]

_ONE: Final = t.Num(Fraction(1))
_NEXT: Final = r" \\ "
_OTHERWISE: Final = r"\text{otherwise}"


def _word(name: str) -> str:
    escaped = name.replace("\\", "").replace("_", r"\_").replace("{", "").replace("}", "")
    return escaped if len(escaped) == 1 else rf"\mathrm{{{escaped}}}"


@dataclass(frozen=True)
class Symbols:
    """How things are called in formulas; what is not listed is called by its own name."""

    mechanisms: Mapping[str, str] = field(default_factory=dict)
    maps: Mapping[str, str] = field(default_factory=dict)
    spaces: Mapping[str, str] = field(default_factory=dict)
    relations: Mapping[str, str] = field(default_factory=dict)

    def mechanism(self, name: str, index: str = "") -> str:
        """Return the symbol of a mechanism."""
        return _indexed(self.mechanisms.get(name) or _word(name), index)

    def map(self, name: str, index: str = "") -> str:
        """Return the symbol of a map."""
        return _indexed(self.maps.get(name) or _word(name), index)

    def space(self, name: str, index: str = "") -> str:
        """Return the symbol of a class of databases."""
        known = self.spaces.get(name) or (r"\mathbb{D}" if name == "D" else _word(name))
        return _indexed(known, index)

    def relation(self, name: str) -> str:
        """Return the symbol of a granularity."""
        return self.relations.get(name) or _word(name)


def _indexed(symbol: str, index: str) -> str:
    if not index:
        return symbol
    return f"{symbol}_{index}" if len(index) == 1 else f"{symbol}_{{{index}}}"


def _index(sizes: t.Sizes) -> str:
    return ",".join(letters(sizes))


def _size(size: str | int) -> str:
    return latex_name(size) if isinstance(size, str) else str(size)


def _sum(sizes: t.Sizes) -> str:
    each = zip(letters(sizes), sizes, strict=True)
    return " ".join(rf"\sum_{{{letter}=1}}^{{{_size(size)}}}" for letter, size in each)


def _factor(e: t.Expr) -> str:
    return latex_text(e, Level.PRODUCT)


def width(latex: str) -> int:
    r"""Return about how wide a formula is, in letters.

    >>> width(r"\varepsilon_i + \mathrm{max}"), width(r"\sum_{\substack{i \le k \\ i = u}}")
    (6, 3)
    """
    text = re.sub(r"\\(?:math[a-z]+|text|operatorname|left|right|[Bb]ig[lr]?|,|;)", "", latex)
    text = re.sub(r"\\[{}|]", "x", text)
    text = re.sub(r"[_^]\{\{([^{}]*)\}\}", _small, text)
    text = re.sub(r"\\(?:sum|max)_\{(?:\\substack\{([^{}]*)\}|([^{}]*))\}", _below, text)
    text = re.sub(r"[_^]\{([^{}]*)\}", lambda m: m[1][: (len(m[1]) + 1) // 2], text)
    return len(_glyphs(text))


def _below(found: re.Match[str]) -> str:
    """Return as many letters as a sum or a maximum is wide, with the small letters below it."""
    rows = (found[1] or found[2] or "").split(r"\\")
    return f"{{{'x' * max(2, *(_shrunk(len(_glyphs(row))) for row in rows))}}}"


def _small(found: re.Match[str]) -> str:
    return f"{{{'x' * _shrunk(len(found[1]))}}}"


def _shrunk(letters: int) -> int:
    """Return as how many letters so many small ones count: five for seven."""
    return -(-5 * letters // 7)


def _glyphs(latex: str) -> str:
    return re.sub(r"\\[A-Za-z]+|[{}_^ ]", lambda m: "x" if len(m[0]) > 1 else "", latex)


# ------------------------------------------------------------------ maps, metrics, mechanisms


@dataclass(frozen=True)
class _Writer:
    """Formulas about databases, in given symbols."""

    names: Symbols

    def space(self, space: t.Space) -> str:
        if isinstance(space, t.DatabaseClass):
            return self.names.space(space.name, _index(space.sizes))
        raise TypeError(f"no space: {space!r}")

    def relation(self, relation: t.Relation) -> str:
        match relation:
            case t.NamedRelation(name) | t.OneSided(name):
                return self.names.relation(name)
            case t.Push(of, arrow):
                return rf"{self.arrow(arrow)}{{}}_*{self.relation(of)}"
            case _:
                raise TypeError(f"no granularity: {relation!r}")

    def arrow(self, arrow: t.Arrow) -> str:
        match arrow:
            case t.NamedMap(name, _, _, _, sizes):
                return self.names.map(name, _index(sizes))
            case t.Composite(first, second):
                return rf"{self.arrow(second)} \circ {self.arrow(first)}"
            case _:
                raise TypeError(f"no map: {arrow!r}")

    def image(self, arrow: t.Arrow, of: str) -> str:
        """Return the value of a map."""
        if isinstance(arrow, t.Composite):
            return self.image(arrow.second, self.image(arrow.first, of))
        symbol = self.arrow(arrow)
        return of if symbol == r"\mathrm{id}" else f"{symbol}({of})"

    def distance(self, metric: t.Pseudometric, d: str = "D", e: str = "D'") -> str:
        """Return the distance of two databases."""
        match metric:
            case t.CanonicalMetric(relation, _):
                return rf"d_{{{self.relation(relation)}}}({d}, {e})"
            case t.NamedPseudometric(name):
                return rf"{latex_name(name)}({d}, {e})"
            case t.Rescaled(by, of) if by == _ONE:
                return self.distance(of, d, e)
            case t.Rescaled(by, of):
                return rf"{_factor(by)} \, {self.distance_factor(of, d, e)}"
            case t.Added(items):
                return " + ".join(self.distance(i, d, e) for i in items)
            case t.EachAdded(sizes, item):
                return rf"{_sum(sizes)} {self.distance_factor(item, d, e)}"
            case t.Largest(items):
                return rf"\max\{{{', '.join(self.distance(i, d, e) for i in items)}\}}"
            case t.Pullback(of, arrow):
                return self.distance(of, self.image(arrow, d), self.image(arrow, e))
            case t.Quotient(of, arrow):
                symbol = self.distance(of, d, e).partition("(")[0]
                return rf"({symbol} / {self.arrow(arrow)})({d}, {e})"
            case _:
                raise TypeError(f"no metric: {metric!r}")

    def distance_factor(self, metric: t.Pseudometric, d: str, e: str) -> str:
        text = self.distance(metric, d, e)
        return f"({text})" if isinstance(metric, t.Added) else text

    def mechanism(self, mechanism: t.Procedure) -> str:
        match mechanism:
            case t.NamedMechanism(name, _, sizes):
                return self.names.mechanism(name, _index(sizes))
            case t.After(of, arrow):
                if self.arrow(arrow) == r"\mathrm{id}":
                    return self.mechanism(of)
                return rf"{self.mechanism(of)} \circ {self.arrow(arrow)}"
            case t.Adaptive(items):
                return rf"\bigl({', '.join(map(self.mechanism, items))}\bigr)"
            case t.EachAdaptive(sizes, item):
                each = zip(letters(sizes), sizes, strict=True)
                ranges = ",\\, ".join(rf"{letter} \le {_size(size)}" for letter, size in each)
                return rf"({self.mechanism(item)})_{{{ranges}}}"
            case t.Processed(of, by):
                return rf"{_word(by)} \circ {self.mechanism(of)}"
            case _:
                raise TypeError(f"no mechanism: {mechanism!r}")

    # ------------------------------------------------------------- losses

    def loss(self, notion: str, loss: t.Loss) -> tuple[str, ...]:
        """Return what is lost at a pair D, D', one formula a parameter of the notion."""
        match loss:
            case t.Neighbouring(_, _, values):
                return tuple(latex_text(v) for v in values)
            case t.At(values, metric):
                return self._at(notion, values, metric)
            case t.Joint(items):
                each = [self.loss(notion, i) for i in items]
                if NOTIONS[notion].growth.root:
                    squares = [squared(one[0]) for one in each if one[0] != "0"]
                    return (rf"\sqrt{{{' + '.join(squares)}}}",) if squares else ("0",)
                return tuple(_added(column) for column in zip(*each, strict=True)) or ("0",)
            case t.EachJoint(sizes, item):
                each_block = self.loss(notion, item)
                if NOTIONS[notion].growth.root and each_block[0] != "0":
                    return (rf"\sqrt{{{_sum(sizes)} {squared(each_block[0])}}}",)
                return tuple(
                    "0" if one == "0" else rf"{_sum(sizes)} {_summand(one)}" for one in each_block
                )
            case t.Stepwise(source, values, metric):
                r = self.distance(metric, "D", "D'")
                found = conversion_between(source, notion)
                if found is None or found.path is None:
                    raise TypeError(f"nothing is known of paths from {source} to {notion}")
                return found.path.latex([latex_text(v) for v in values], r)
            case t.Converted(source, of, chosen):
                return self._converted(notion, source, of, [latex_text(c) for c in chosen])
            case _:
                raise TypeError(f"no loss: {loss!r}")

    def _converted(
        self, target: str, source: str, of: t.Loss, chosen: Sequence[str]
    ) -> tuple[str, ...]:
        rule = conversion_between(source, target)
        if rule is None:
            raise TypeError(f"no conversion from {source} to {target}")
        # What is chosen is no loss between databases that the part cannot tell apart.
        apart = rf"\mathbf{{1}}[{self._apart(of)}]"
        return rule.latex(self.loss(source, of), chosen, apart)

    def _apart(self, loss: t.Loss) -> str:
        if isinstance(loss, t.Converted):
            return self._apart(loss.of)
        if isinstance(loss, t.At):
            return self.distance(loss.metric, "D", "D'") + " > 0"
        return "D \\neq D'"

    def _at(self, notion: str, values: Sequence[t.Expr], metric: t.Pseudometric) -> tuple[str, ...]:
        r = self.distance_factor(metric, "D", "D'")
        g = [_factor(v) for v in values]
        return NOTIONS[notion].words.at_distance(g, r)

    def whole(self, notion: str, loss: t.Loss) -> str:
        """Return a loss as one formula: a pair for (epsilon, delta)."""
        if isinstance(loss, t.Neighbouring):
            first = loss.guarantee[0]
            if len(loss.guarantee) > 1 and isinstance(first, t.Cases):
                return self._cases(first, loss.guarantee)
            if all(isinstance(v, t.Inf) for v in loss.guarantee):
                return r"\infty"
        values = self.loss(notion, loss)
        return f"({', '.join(values)})" if len(values) > 1 else values[0]

    def _cases(self, first: t.Cases, values: Sequence[t.Expr]) -> str:
        rows = []
        for n, case in enumerate(first.items):
            pair = [v.items[n].value if isinstance(v, t.Cases) else v for v in values]
            said = f"({', '.join(map(latex_text, pair))})"
            said = r"\infty" if all(isinstance(v, t.Inf) for v in pair) else said
            rows.append(f"{said} & {latex_ranges(case.where) or _OTHERWISE}")
        return rf"\begin{{cases}} {_NEXT.join(rows)} \end{{cases}}"

    def private(self, statement: t.Private) -> str:
        """Return the sentence that a mechanism is private."""
        start, said, end = self.private_parts(statement)
        return f"{start} ${_summand(said)}$-{NOTIONS[statement.notion].words.short}{end}"

    def private_parts(self, statement: t.Private) -> tuple[str, str, str]:
        """Return the words before the guarantee, the guarantee, and the words after it."""
        m, loss = statement.mechanism, statement.loss
        said = self.whole(statement.notion, loss)
        box = f" for ${latex_ranges(statement.where)}$" if statement.where else ""
        if isinstance(loss, t.Neighbouring):
            among = rf"${self.relation(loss.relation)}$-neighbours in ${self.space(loss.domain)}$"
            return f"${self.mechanism(m)}$ is", said, f" for {among}{box}"
        start = f"between any $D, D'$ the mechanism ${self.mechanism(m)}$ is"
        return start, said, box


def _added(items: Iterable[str]) -> str:
    """Return a sum; nothing is added with 0."""
    return " + ".join(item for item in items if item != "0") or "0"


def _summand(text: str) -> str:
    depth = 0
    for n, letter in enumerate(text):
        depth += (letter in "({[") - (letter in ")}]")
        if depth == 0 and text[n : n + 3] == " + ":
            return rf"\bigl({text}\bigr)"
    return text


def interval(numbers: Interval) -> str:
    r"""Return numbers of a symbol in LaTeX.

    >>> print(interval(Interval("w", 1, None)), interval(Interval("w", 0, 0)))
    w \ge 1 w = 0
    """
    name, low, high = latex_name(numbers.symbol), numbers.low, numbers.high
    if low == high:
        return name if low is None else f"{name} = {low}"
    if high is None:
        return rf"{name} \ge {low}"
    return rf"{name} \le {high}" if low is None else rf"{low} \le {name} \le {high}"


def private(statement: t.Private, names: Symbols) -> tuple[str, str, str]:
    """Return the words before a guarantee, the guarantee as a formula, and the words after it."""
    return _Writer(names).private_parts(statement)


def mechanism(procedure: t.Procedure, names: Symbols) -> str:
    """Return a mechanism as a formula."""
    return _Writer(names).mechanism(procedure)


# ------------------------------------------------------------------ sentences


def sentence(statement: t.Statement, names: Symbols) -> str:
    r"""Return a statement of the kernel as marked prose, without a full stop.

    >>> from dpcomp_sym.statements import DatabaseClass, NamedRelation, NamedMechanism
    >>> from dpcomp_sym.statements import Neighbouring, Param, Private
    >>> space, relation = DatabaseClass("D", "", ()), NamedRelation("U", "")
    >>> loss = Neighbouring(relation, space, (Param("eps"),))
    >>> print(sentence(Private(NamedMechanism("M", space, ()), "pure", loss, ()), Symbols()))
    $M$ is $\varepsilon$-DP for $U$-neighbours in $\mathbb{D}$
    """
    w = _Writer(names)
    match statement:
        case t.Private():
            return w.private(statement)
        case t.Dependent(mechanism, arrow):
            return f"${w.mechanism(mechanism)}$ depends on $D$ only through ${w.image(arrow, 'D')}$"
        case t.Sensitive(arrow, bound, source, target):
            image = w.distance(target, w.image(arrow, "D"), w.image(arrow, "D'"))
            by = _factor(bound)
            right = w.distance_factor(source, "D", "D'")
            scaled = right if by == "1" else rf"{by} \, {right}"
            return rf"${image} \le {scaled}$ for all $D, D'$"
        case t.Compatible(arrow, relation, space):
            return (
                f"at most one of the blocks ${w.image(arrow, 'D')}$ changes between "
                f"${w.relation(relation)}$-neighbours $D, D'$ in ${w.space(space)}$"
            )
        case t.MetricLeq(left, right):
            return rf"${w.distance(left)} \le {w.distance(right)}$ for all $D, D'$"
        case t.BoundLeq(left, right, box):
            return rf"${latex_text(left)} \le {latex_text(right)}$" + _for(box)
        case t.ProfileFact(problem, box, vectors):
            said = listed([_vector(v, problem, names) for v in vectors], "or")
            return f"between ${w.relation(problem.relation)}$-neighbours {said}{_for(box)}"
        case t.StructureFact():
            return _fact(statement, names)
        case _:
            raise TypeError(f"no statement: {statement!r}")


def _fact(fact: t.StructureFact, names: Symbols) -> str:
    """Return what edits do to the blocks, as marked prose."""
    match fact:
        case t.BlockDistance(_, edit, part, touched, distance):
            return (
                f"if {plain(edit)} leads from $D$ to $D'$, then in a block that holds "
                f"{_touched(touched)} the mechanism ${names.mechanism(part)}$ sees "
                f"{_at_most(distance)}"
            )
        case t.TouchCount(_, edit, name, count):
            return (
                f"each record that {plain(edit)} touches lies in {_at_most_blocks(count)} of "
                f"${names.map(name)}$"
            )
        case t.ChangedTogether():
            return _changed_together(fact, names)
        case t.ChangedByRecords():
            return _changed_by_records(fact, names)
        case t.Restricted(of, box):
            return f"{_fact(of, names)}{_for(box)}"
        case t.Infeasible(_, edit, pattern, box):
            kinds = listed([f"{k.count} with {_touched(k.touched)}" for k in pattern])
            return f"{plain(edit)} never changes blocks as follows: {kinds}{_for(box)}"
        case t.Shares(_, edit, name, count, distances):
            far = listed([f"${latex_text(s.distance)}$ of ${names.mechanism(s.part)}$"
                          for s in distances])  # fmt: skip
            return (
                f"the blocks of ${names.map(name)}$ that {plain(edit)} changes share what "
                f"${latex_text(count)}$ of them could see, a distance of {far}"
            )
        case t.Mixed(problem, edit, vectors):
            return f"what {plain(edit)} changes is a mean of {ways_text(vectors, problem, names)}"
        case t.Together(_, edit, sets):
            said = listed([reach_text(one, names) for one in sets], "or")
            return f"all blocks that {plain(edit)} changes are among {said}"
        case _:
            raise TypeError(f"no statement: {fact!r}")


def reach_text(reach: t.Reach, names: Symbols) -> str:
    """Write a set of blocks, map by map."""
    blocks: dict[tuple[str, tuple[t.SeenDistance, ...]], dict[str, None]] = {}
    for touch in reach.touches:
        of = blocks.setdefault((touch.map, touch.distances), {})
        of[",".join(map(str, touch.block))] = None
    said = []
    for (name, distances), of in blocks.items():
        block = f"{'the blocks' if len(of) > 1 else 'block'} ${', '.join(of)}$ of"
        far = [f"${latex_text(s.distance)}$ for {plain(s.part)}" for s in distances]
        seen = f", at distance at most {listed(far)}," if far else ""
        said.append(f"{block if any(of) else 'those of'} ${names.map(name)}${seen}")
    return listed(said) if said else "no blocks"


def _for(box: t.Where) -> str:
    return f" for ${latex_ranges(box)}$" if box else ""


def _touched(touched: Sequence[int]) -> str:
    if not touched:
        return "changed records"
    words = [f"touched record {n}" for n in touched]
    return f"exactly {listed(words)}"


def _at_most(distance: t.Expr) -> str:
    if isinstance(distance, t.Inf):
        return "a distance of which nothing is claimed"
    return rf"a distance of at most ${latex_text(distance)}$"


def _at_most_blocks(count: t.Expr) -> str:
    if isinstance(count, t.Inf):
        return "any number of blocks"
    return "at most one block" if count == _ONE else f"at most ${latex_text(count)}$ blocks"


def naming_of(fact: t.ChangedTogether | t.ChangedByRecords, indices: Sequence[str] = ()) -> Naming:
    """Return what the integers of a fact are called: terms over the parameters of the edit."""
    named = {index_variable(n).name: index for n, index in enumerate(indices, 1)}
    letters = [to_latex(from_text(term), named) for term in fact.terms]
    return Naming(LATEX_SIGNS, latex_name, letters, indices, letters)


def _blocks_of(name: str, index: Sequence[str], names: Symbols) -> str:
    """Return the words for the blocks of a map, or for what a single map returns."""
    if not index:
        return f"${names.map(name)}(D)$"
    return f"blocks ${','.join(index)}$ of ${names.map(name)}$"


def _changed_together(fact: t.ChangedTogether, names: Symbols) -> str:
    records = records_of(fact)
    among = f"no cells but {listed([f'${name}$' for name in records])}, and " if records else ""
    if at := indices_of_records(fact):
        among = f"in blocks of each ${at}$ {among}"
    return f"{plain(fact.edit)} changes {among}only {_placed(fact, names)}"


def _changed_by_records(fact: t.ChangedByRecords, names: Symbols) -> str:
    (record,) = (latex_name(name) for name in names_of_records(1))
    at = indices_of_records(fact)
    each = f"in blocks of each ${at}$ " if at else ""
    return (
        f"{each}the cells ${record}$ that {plain(fact.edit)} changes have at most "
        f"{values_of(fact)}, and each of these lies only in {_placed(fact, names)}"
    )


def values_of(fact: t.ChangedByRecords) -> str:
    """Return how many different values the integers of the records have that change."""
    return f"${latex_text(fact.times)}$ different values of ${', '.join(naming_of(fact).letters)}$"


def _placed(fact: t.ChangedTogether | t.ChangedByRecords, names: Symbols) -> str:
    """Return which blocks of each map change, or hold a record that does."""
    said = []
    for place in fact.places:
        sizes = next((v.sizes for v in fact.problem.views if v.map == place.map), ())
        index = letters(sizes)
        condition = naming_of(fact, index).predicate(place.when)
        there = "" if place.when == TRUE else f" with ${condition}$"
        if place.touched:
            there = f" with {_touched(place.touched)}{there.replace(' with', ' and', 1)}"
        said.append(f"{_blocks_of(place.map, index, names)}{there}")
    return listed(said)


def records_of(fact: t.ChangedTogether | t.ChangedByRecords) -> list[str]:
    """Return what the few records are called that change, where a fact names them."""
    number = number_of_records(tuple(map(from_text, fact.terms)))
    return [latex_name(name) for name in names_of_records(number)]


def indices_of_records(fact: t.ChangedTogether | t.ChangedByRecords) -> str:
    """Return by which indices of blocks the records have names, if not all have that change."""
    named = [function_of(from_text(x)) for x in fact.terms]
    for place in fact.places if records_of(fact) else ():
        for x in t.subterms(place.when):
            if isinstance(x, t.LetterAt) and not named[x.number - 1]:
                sizes = next(v.sizes for v in fact.problem.views if v.map == place.map)
                naming = Naming(LATEX_SIGNS, latex_name, (), letters(sizes))
                return ",".join(map(naming.integer, x.at))
    return ""


def _patterned(
    way: t.BlockPattern | t.Several, problem: t.CompositionProblem, names: Symbols
) -> str:
    """Return which blocks change together, with letters for the integers that decide."""
    times = way.times if isinstance(way, t.Several) else None
    way = way.pattern if isinstance(way, t.Several) else way
    free = letters_for(way, way.free, 0, letters)
    naming = Naming(LATEX_SIGNS, latex_name, free)
    depends: dict[int, tuple[t.Whole, ...]] = {}
    for family in way.families:
        depends |= arguments_of_letters(family)
    functions = [x for n, x in enumerate(free, 1) if depends.get(n)]
    integers = [x for x in free if x not in functions]
    kinds = [f"${', '.join(integers)}$"] if integers else []
    if functions:
        kinds.append(f"function{'s' * (len(functions) > 1)} ${', '.join(functions)}$")
    there = f"for some {' and some '.join(kinds)}" if free else ""
    if times is not None and free:
        there = f"for one of ${latex_text(times)}$ choices of {' and '.join(kinds)}"
        there = there.replace("choices of function $", "choices of a function $")
    if way.facts != TRUE:
        there += f" with ${naming.predicate(way.facts)}$"
    said = []
    for family in way.families:
        sizes = next((v.sizes for v in problem.views if v.map == family.map), ())
        index = letters(sizes)
        inside = replace(naming, indices=index)
        condition = inside.predicate(family.when)
        many = ""
        if isinstance(family.count, t.Amount):
            many = rf", at most ${naming.integer(family.count.of)}$ of them,"
        elif not isinstance(family.count, t.Inf):
            many = rf", at most ${latex_text(family.count)}$ of them,"
        those = _blocks_of(family.map, index, names)
        those += many if family.when == TRUE else f" with ${condition}${many}"
        said.append(f"{those} (at distance {_seen(family.distances, names, inside)})")
    return f"only these change{' ' * bool(there)}{there}: {listed(said)}"


def _vector(vector: t.Way, problem: t.CompositionProblem, names: Symbols) -> str:
    if isinstance(vector, t.BlockPattern | t.Several):
        return _patterned(vector, problem, names)
    if isinstance(vector, t.MeanOf):
        finely, roughly = (ways_text(v, problem, names) for v in (vector.vectors, vector.within))
        return f"a mean of what follows: {finely}; all of it is within this: {roughly}"
    if not isinstance(vector, t.DifferenceVector):
        raise TypeError(f"no way in which neighbours differ: {vector!r}")
    groups = [
        g for g in vector.groups if any(s.distance != t.Num(Fraction(0)) for s in g.distances)
    ]
    if not groups:
        return "nothing changes"
    return listed([_group(g, problem, names) for g in groups])


def ways_text(vectors: Sequence[t.Way], problem: t.CompositionProblem, names: Symbols) -> str:
    said = [_vector(v, problem, names) for v in vectors]
    return said[0] if len(said) == 1 else "; ".join(f"({n}) {s}" for n, s in enumerate(said, 1))


def _group(group: t.BlockGroup, problem: t.CompositionProblem, names: Symbols) -> str:
    symbol = names.map(group.map)
    sizes = next((v.sizes for v in problem.views if v.map == group.map), ())
    if group.wide is not None:
        change = (
            f"blocks of ${symbol}$ change, which share what ${latex_text(group.count)}$ could see"
        )
    elif group.block:
        change = f"block ${','.join(map(str, group.block))}$ of ${symbol}$ changes"
    elif not sizes:
        who = "$D$" if symbol == r"\mathrm{id}" else f"${symbol}(D)$"
        change = f"{who} changes"
    elif group.count == _ONE:
        change = f"at most one block of ${symbol}$ changes"
    elif isinstance(group.count, t.Inf):
        change = f"any number of blocks of ${symbol}$ change"
    else:
        change = f"at most ${latex_text(group.count)}$ blocks of ${symbol}$ change"
    return f"{change} (at distance {_seen(group.distances, names)})"


def _seen(
    distances: Sequence[t.SeenDistance], names: Symbols, naming: Naming | None = None
) -> str:  # fmt: skip
    """Return the distances at which parts see a block, once if they are one."""
    first, *others = dict.fromkeys(s.distance for s in distances)
    if not others:
        return f"${_bound(first, naming)}$"
    return listed([
        f"${_bound(s.distance, naming)}$ for ${names.mechanism(s.part)}$" for s in distances
    ])  # fmt: skip


def _bound(distance: t.Expr, naming: Naming | None) -> str:
    if isinstance(distance, t.Amount) and naming is not None:
        return rf"\le {LATEX.amount(distance.of, naming)}"
    return r"\infty" if isinstance(distance, t.Inf) else rf"\le {latex_text(distance)}"
