"""A confirmed pair of neighbours in words and formulas, with how it goes on for other numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from dpcomp_sym.engine.worst import (
    Amounts,
    ConfirmedPair,
    Crowd,
    Repeated,
    Walk,
    first_of,
)
from dpcomp_sym.finite import Cell
from dpcomp_sym.model import BoundMap, Domain, Problem, Universe
from dpcomp_sym.profile import ALL, All, Count, KRange, Number, Total
from dpcomp_sym.report.document import listed, spelled
from dpcomp_sym.report.setting import Notation
from dpcomp_sym.statements.latex import latex_name
from dpcomp_sym.terms import BOOL, CELL, INT, Term, evaluate, free_variables, substitute, subterms
from dpcomp_sym.terms.term import variable

__all__ = ["Telling"]

_PLAIN: Final = (INT, BOOL)
MOST_CELLS: Final = 12
"""No pair with more cells is written down."""


class Telling:
    """How one confirmed pair is described.

    Elements and blocks have names in the order in which they are mentioned, where any other names
    would do: so it does not matter what the solver called them.

    Args:
        notation: how the problem is described.
        pair: the pair.
        ranges: the sizes for which it stands.
        renumbered: the maps whose blocks may have any numbers.
    """

    def __init__(
        self, notation: Notation, pair: ConfirmedPair, ranges: Sequence[KRange],
        renumbered: Collection[str],
    ) -> None:  # fmt: skip
        self.notation = notation
        self.problem = notation.problem
        self.domain: Domain = notation.problem.domain
        self.pair = _turned(pair, self.problem)
        self.world = self.pair.found.world
        self.lows = {r.symbol: r.low for r in ranges}
        self.renumbered = {n for n in renumbered if self.problem.used_maps[n].functions}
        self.fixed = {v for values in self.domain.enumerations.values() for v in values}
        self.elements: dict[str, str] = {}
        self.blocks: dict[tuple[str, int], int] = {}

    def said(self) -> str | None:
        """Return the pair as marked prose; None if it takes more than a few words."""
        pair = self.pair
        cells = list(
            dict.fromkeys(
                (*_ordered(pair.found.old, self.domain), *_ordered(pair.found.new, self.domain))
            )
        )
        kinds = {type(one) for one in pair.growth}
        if len(cells) > MOST_CELLS or len(kinds) > 1:
            return None
        if kinds == {Crowd}:
            crowds = [one for one in pair.growth if isinstance(one, Crowd)]
            return self.crowded(pair, crowds)
        if kinds == {Amounts}:
            (one,) = pair.growth
            if isinstance(one, Amounts):
                return f"{self.amounting(one)}{self.known(cells)}."
        if kinds == {Walk}:
            (walk,) = pair.growth
            if isinstance(walk, Walk):
                return self.walking(walk, pair)
        first, second = (self.held(d) for d in (pair.found.old, pair.found.new))
        said = f"$D = {first}$ and $D^* = {second}${self.known(cells)}."
        more = [one for one in pair.growth if isinstance(one, Repeated)]
        return said + "".join(self.repeated(one) for one in more)

    # ------------------------------------------------------------- cells

    def value(self, value: Any) -> str:
        """Return a value of an attribute as a formula."""
        if isinstance(value, bool):
            return r"\top" if value else r"\bot"
        if isinstance(value, int):
            return str(value)
        if isinstance(value, tuple):
            return self.cell(value)
        return r"\mathrm{" + self.element(str(value)).replace("_", r"\_") + "}"

    def element(self, name: str) -> str:
        """Return what an element is called: that of the first one of its kind has the number 1."""
        if name in self.fixed or not (kind := name.rstrip("0123456789")):
            return name
        if name not in self.elements:
            number = 1 + sum(x.rstrip("0123456789") == kind for x in self.elements)
            self.elements[name] = f"{kind}{number}"
        return self.elements[name]

    def number(self, mapping: BoundMap, block: int) -> int:
        """Return the number of a block: the first one that is mentioned is 1."""
        if mapping.name not in self.renumbered:
            return block
        mine = [key for key in self.blocks if key[0] == mapping.name]
        return self.blocks.setdefault((mapping.name, block), len(mine) + 1)

    def cell(self, cell: Cell) -> str:
        """Return a cell as a formula: the tuple of its attributes."""
        inside = ", ".join(map(self.value, cell))
        return inside if len(cell) == 1 else f"({inside})"

    def held(self, database: Mapping[Cell, int]) -> str:
        """Return a database as a formula."""
        if not database:
            return r"\emptyset"
        items = [
            (f"{database[c]} \\cdot " if database[c] != 1 else "") + self.cell(c)
            for c in _ordered(database, self.domain)
        ]
        return rf"\{{{', '.join(items)}\}}"

    def written(self) -> str:
        """Return how cells are written, if they have several attributes."""
        names = [latex_name(a) for a in self.domain.attributes]
        return f", with cells written as $({', '.join(names)})$" if len(names) > 1 else ""

    def known(self, cells: Sequence[Cell]) -> str:
        """Return what cells are, where the functions matter, and what else there is."""
        parts = [*self.values(cells), *self.placed(cells)]
        other = [c for c in self.world.cells if c not in cells]
        if other and self.domain.universe is not Universe.PRODUCT and len(other) <= MOST_CELLS:
            parts.append(
                rf"the only other cells of $\mathcal{{X}}$ are ${', '.join(map(self.cell, other))}$"
            )
        return self.written() + ("; here " + listed(parts) if parts else "") + self.few()

    def few(self) -> str:
        """Return that there may be fewer blocks than those that are mentioned."""
        sizes = {n: m.sizes for n, m in self.problem.used_maps.items()}
        more = [n for (name, _), n in self.blocks.items() for size in sizes[name]
                if n > (self.lows.get(size, 1) if isinstance(size, str) else size)]  # fmt: skip
        return "; blocks that there are not are left out" if more else ""

    def values(self, cells: Sequence[Cell]) -> Iterator[str]:
        """Yield the values of functions at the cells, each once."""
        found: dict[str, None] = {}
        for cell in cells:
            for term in self.applied(1):
                found[self.equation(term, {"c": cell})] = None
        two = self.applied(2)
        pair = self.pair.found
        step = self.world.linking(self.problem.outer, pair.old, pair.new) if two else None
        if step is not None:
            found |= {self.equation(term, dict(step.params)): None for term in two}
        yield from found

    def equation(self, term: Term, names: Mapping[str, Any]) -> str:
        """Return the value of a function; of a label, the number of the block."""
        env = self.world.environment(variables=dict(names))
        arguments = [self.value(evaluate(t, env)) for t in term.terms]
        name = self.notation.formula(variable(term.name, INT))
        value = evaluate(term, env)
        of = next((m for m in self.problem.used_maps.values() if term.name in m.functions), None)
        if of is not None and term.sort == INT and isinstance(value, int) and value > 0:
            value = self.number(of, value)
        return f"${name}({', '.join(arguments)}) = {self.value(value)}$"

    def applied(self, cells: int) -> list[Term]:
        """Return the values of functions that the problem reads of so many cells, and no more."""
        outer = self.problem.outer
        read = [self.domain.cell_term, *self.domain.fact_terms]
        for mapping in self.problem.used_maps.values():
            read += [mapping.member, *mapping.facts, *(t for _, t in mapping.image or ())]
        found = [(t, {"c"}) for term in read for t in subterms(term)]
        for edit in outer.edits:
            points = {n for n, sort in edit.params if sort == CELL}
            terms = [t for t in (edit.guard, edit.frame, edit.step) if t is not None]
            found += [(t, {*points, "c"}) for term in terms for t in subterms(term)]
        inside: dict[Term, None] = {}
        for term, points in found:
            names = free_variables(term)
            if term.op != "apply" or len(names) != cells or not names <= points:
                continue
            alone = {n: variable("c", CELL) for n in names} if cells == 1 else {}
            inside[substitute(term, alone)] = None
        return list(inside)

    def placed(self, cells: Sequence[Cell]) -> Iterator[str]:
        """Yield which blocks hold the cells, where no value of a function says it."""
        for mapping in self.problem.used_maps.values():
            names = {n for n, _ in mapping.indices}
            if not any(
                t.op == "apply" and free_variables(t) & names for t in subterms(mapping.member)
            ):
                continue
            for cell in cells:
                blocks = {i for m, i in self.pair.found.blocks if m.name == mapping.name}
                held = sorted(i for i in blocks if self.world.member(mapping, cell, i))
                inside = listed([self.block(mapping, i) for i in held]) or "no block that changes"
                yield f"${self.cell(cell)}$ lies in {inside}"

    def block(self, mapping: BoundMap, index: tuple[int, ...]) -> str:
        """Return a block as a formula."""
        numbers = [str(self.number(mapping, n)) for n in index]
        return f"${self.notation.symbols.map(mapping.name, ','.join(numbers))}$"

    def blocks_of(self, name: str) -> str:
        """Return the symbol of a family."""
        return f"${self.notation.symbols.map(name)}$"

    # ------------------------------------------------------------- how it goes on

    def repeated(self, one: Repeated) -> str:
        """Return what is like a block that changes."""
        mapping = self.problem.used_maps[one.map]
        block = self.block(mapping, one.block)
        number = count(one.count)
        if one.attribute is None:
            many = "All blocks" if one.count == ALL else f"As many as {number} blocks"
            return f" {many} of {self.blocks_of(one.map)} hold the same records as {block}."
        many = "All blocks" if one.count == ALL else f"{number} blocks"
        fewer = "" if one.count == ALL else ", or all if there are fewer,"
        new = "its value is a new one"
        if one.through is not None:
            name = self.notation.formula(variable(one.through, INT))
            new = f"its value and what ${name}$ gives it are new ones"
        ways = ", as many in $D$ as in $D^*$" if one.sides == 2 else ""
        return (
            f" {many} of {self.blocks_of(one.map)}{fewer} change like {block}, each by a record "
            f"that differs from the one in {block} only in ${latex_name(one.attribute)}$, where "
            f"{new}{ways}."
        )

    def amounting(self, one: Amounts) -> str:
        """Return databases of which the numbers of records are terms."""
        sides: tuple[list[str], list[str]] = ([], [])
        for cell, delta in one.rows:
            negative = delta.op == "neg" or (delta.op == "int" and delta.number < 0)
            amount = delta.terms[0] if delta.op == "neg" else delta
            formula = (
                str(abs(amount.number)) if amount.op == "int" else self.notation.formula(amount)
            )
            times = "" if formula == "1" else f"{formula} \\cdot "
            sides[0 if negative else 1].append(f"{times}{self.cell(cell)}")
        first, second = (rf"\{{{', '.join(x)}\}}" if x else r"\emptyset" for x in sides)
        return f"$D = {first}$ and $D^* = {second}$"

    def walking(self, walk: Walk, pair: ConfirmedPair) -> str | None:
        """Return databases of one record each, of which one is as far on as a symbol says."""
        (cell, *more) = pair.found.old
        if more:
            return None
        place = list(self.domain.attributes).index(walk.attribute)
        start = cell[place]
        end = latex_name(walk.symbol) if start == 0 else f"{start} + {latex_name(walk.symbol)}"
        there = [end if n == place else self.value(v) for n, v in enumerate(cell)]
        moved = there[0] if len(there) == 1 else f"({', '.join(there)})"
        known = self.known([cell])
        return rf"$D = {self.held({cell: 1})}$ and $D^* = \{{{moved}\}}${known}."

    def crowded(self, pair: ConfirmedPair, crowds: Sequence[Crowd]) -> str | None:
        """Return databases that hold as many records as may change at once."""
        found = pair.found
        step = found.world.linking(self.problem.outer, found.old, found.new)
        if step is None:
            return None
        said = []
        for crowd in crowds:
            seed = first_of(crowd, found, dict(step.params))
            if seed is None:
                return None
            said.append(self.crowd(crowd, seed, dict(step.params)))
        both = all(c.sides == 2 for c in crowds)
        if not both and any(c.sides == 2 for c in crowds):
            return None
        holds = "$D$ holds " + "; ".join(said)
        rest = "and $D^*$ as many others of the same kind" if both else r"and $D^* = \emptyset$"
        if pair.completed and self.domain.size:
            rest += "; both hold the same further records, as many as the class asks for"
        return f"{holds}; {rest}{self.written()}."

    def crowd(self, crowd: Crowd, seed: Cell, params: Mapping[str, Any]) -> str:
        """Return the records that change like one of them."""
        names = list(self.domain.attributes)
        each = []
        for one in crowd.spread:
            letter = rf"\mathrm{{{one.attribute}}}"
            if isinstance(one.start, All):
                each.append(f"each value of ${letter}$")
                continue
            if one.start is None:
                each.append(f"each of {number_of(one.number)} values of ${letter}$")
                continue
            first = evaluate(one.start, self.world.environment(variables=dict(params)))
            last = _last(int(first), one.number)
            each.append(rf"each ${letter} \in \{{{first}, \dots, {last}\}}$")
        fixed = [
            a for a in names if a not in crowd.new and a not in {s.attribute for s in crowd.spread}
        ]
        many = "one record" if crowd.alike == 1 else f"{number_of(crowd.alike)} records"
        where = f"for {listed(each)} {many}" if each else many
        given = listed([f"${latex_name(a)} = {self.value(seed[names.index(a)])}$" for a in fixed])
        own = listed([f"${latex_name(a)}$" for a in crowd.new])
        said = where
        if given:
            said += f" with {given}"
        if own:
            values = "a value" if len(crowd.new) == 1 else "values"
            said += f"{' and' if given else ' with'} {values} of {own} that no other record has"
        return said + "".join(f", {x}" for x in self.apart(crowd))

    def apart(self, crowd: Crowd) -> Iterator[str]:
        """Yield in which blocks the records are."""
        for one in crowd.holding:
            mapping = self.problem.used_maps[one.map]
            if not mapping.indices or mapping.constant:
                continue
            blocks = "block" if one.most == 1 else f"{number_of(one.most)} blocks"
            family = self.blocks_of(one.map)
            if not one.by:
                yield f"all in the same {blocks} of {family}"
            elif set(one.by) & set(crowd.new):
                yield f"each in {'a block' if one.most == 1 else blocks} of {family} of its own"
            else:
                by = listed([f"${latex_name(a)}$" for a in one.by], "or")
                another = "another" if one.most == 1 else "other"
                yield f"those with another {by} in {another} {blocks} of {family}"


def _turned(pair: ConfirmedPair, problem: Problem) -> ConfirmedPair:
    """Return a pair, or its two databases in the other order, so that D holds more."""
    parts = (problem.outer, *(p.granularity for p in problem.bound_parts))
    found, edit, domain = pair.found, pair.edit, problem.domain
    plain = not any(g.directed for g in parts) and not any(
        isinstance(one, Amounts | Walk) for one in pair.growth
    )
    first, second = (
        (sum(d.values()), [_told(c, domain) for c in _ordered(d, domain)])
        for d in (found.old, found.new)
    )
    if not plain or first[0] > second[0] or (first[0] == second[0] and first[1] <= second[1]):
        return pair
    return replace(pair, found=replace(found, old=found.new, new=found.old), edit=edit)


def _ordered(cells: Iterable[Cell], domain: Domain) -> list[Cell]:
    """Return cells in an order in which the names of elements count last."""
    return sorted(cells, key=lambda cell: (_told(cell, domain), tuple(map(str, cell))))


def _told(cell: Cell, domain: Domain) -> tuple[tuple[str, int], ...]:
    """Return what of a cell does not depend on the names of elements."""
    return tuple(
        (str(value), 0) if sort in domain.enumerations else ("", value if sort in _PLAIN else 0)
        for value, sort in zip(cell, domain.attribute_sorts.values(), strict=True)
    )


def _last(first: int, number: Number) -> str:
    if isinstance(number, int):
        return str(first + number - 1)
    symbol = latex_product(number)
    shift = first - 1
    return symbol if shift == 0 else f"{symbol} {'+' if shift > 0 else '-'} {abs(shift)}"


def latex_product(number: Number) -> str:
    """Return a number as a formula.

    >>> from dpcomp_sym.profile import Symbolic
    >>> latex_product(Symbolic("r", 2, ("T",)))
    '2 r T'
    """
    if isinstance(number, int):
        return str(number)
    if isinstance(number, Total):
        return " + ".join(map(latex_product, number.terms))
    factor = [] if number.factor == 1 else [str(number.factor)]
    return " ".join([*factor, *map(latex_name, number.symbols)])


def number_of(number: Number) -> str:
    """Return how many, in a sentence."""
    return spelled(number) if isinstance(number, int) else f"${latex_product(number)}$"


def count(number: Count) -> str:
    """Return how many blocks, in a sentence."""
    return "all" if isinstance(number, All) else number_of(number)
