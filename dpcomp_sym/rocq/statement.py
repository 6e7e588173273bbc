"""The first part of a Rocq file: all that its reader must read.

It is written from the problem and the bound alone, so that it can be written anew and compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from dpcomp_sym.errors import UnwrittenError
from dpcomp_sym.model import Problem
from dpcomp_sym.model.domain import Domain, Universe
from dpcomp_sym.model.granularity import BoundEdit
from dpcomp_sym.model.mapping import BoundMap
from dpcomp_sym.model.problem import BoundPart
from dpcomp_sym.notions import of_epsilon
from dpcomp_sym.rocq.bounds import Expression, blocks_of, maxima, numbered, over_letters, real
from dpcomp_sym.rocq.names import made, of_attribute, of_sort, of_spec
from dpcomp_sym.rocq.terms import AND, OR, RocqTerms, proposition, value
from dpcomp_sym.terms import BOOL, CELL, INT, TRUE, Term, conjuncts, reads_database, subterms

__all__ = ["OVER", "Setting", "over_cell", "reads_size", "statement"]

HEADER = """From Coq Require Import Reals Lra Lia List FunctionalExtensionality ZArith Classical.
From Dpcomp Require Import Measure Notions Compose Databases Records.
Import ListNotations. Open Scope Z_scope."""
OVER = {"c": "c_"}
LINE = 100
"""So long is a line at most where it could be two."""
Sizes = tuple[tuple[str, int, int | None], ...]
"""Ranges of symbols: the name, the least and the largest number."""


@dataclass(frozen=True)
class Setting:
    """A problem that can be written, and how its things are called.

    Raises:
        UnwrittenError: it cannot be written; the message says why.
    """

    problem: Problem
    notion: str = of_epsilon()
    second: bool = False
    """Whether it is about the δ of (ε, δ), and not about ε."""

    def __post_init__(self) -> None:
        """Refuse what has no words here, so that no half of a file is written."""
        if not self.parts:
            raise UnwrittenError("there are no mechanisms")
        if len({p.setting for p in self.parts}) > 1:
            raise UnwrittenError("some parts are on the common domain and some are not")
        for part in self.parts:
            if part.map.image is not None and not self.common and part.same_granularity:
                raise UnwrittenError(f"{part.map.name} counts by an image, with the same edits")
            if not self.common and _moves_within(part):
                raise UnwrittenError(f"records move along in the blocks of {part.map.name}")
            blocks_of(part.map.sizes)
            if len(part.map.indices) > 1 and part.map.multiplicity is not None:
                raise UnwrittenError(f"{part.map.name} has two indices, and counts otherwise")
            if self.common and not part.same_granularity:
                raise UnwrittenError(
                    f"part {part.name} is on the common domain, with neighbours of its own"
                )
        self._refuse_hidden_names()

    def _refuse_hidden_names(self) -> None:
        """Refuse a parameter or an index that hides a thing of the same name in a formula."""
        listed = [v for vs in self.problem.domain.enumerations.values() for v in vs]
        known = {*_signatures(self), *self.problem.symbols, *listed}
        for edit in self.edits.values():
            for name, _ in edit.params:
                if name in known:
                    raise UnwrittenError(f"{name} is a parameter of an edit and something else too")
        for mapping in self.maps.values():
            for name, _ in mapping.indices:
                if name in known:
                    raise UnwrittenError(
                        f"{name} is an index of {mapping.name} and something else too"
                    )

    @property
    def parts(self) -> tuple[BoundPart, ...]:
        """The mechanisms."""
        return self.problem.bound_parts

    @property
    def maps(self) -> Mapping[str, BoundMap]:
        """The maps that they read."""
        return self.problem.used_maps

    @cached_property
    def images(self) -> dict[str, str]:
        """The maps that count by an image, each with the number of the cells it puts out."""
        counting = [name for name, m in self.maps.items() if m.image is not None]
        return {name: str(number) for number, name in enumerate(counting, 1)}

    def space(self, part: BoundPart) -> str:
        """Return the number of the cells of a part's own databases, nothing for the domain's."""
        return "" if self.common else self.images.get(part.map.name, "")

    @property
    def common(self) -> bool:
        """Whether they are private on the common domain."""
        return self.parts[0].setting == "common"

    @cached_property
    def edits(self) -> dict[str, BoundEdit]:
        """All edits by their names in the file, the outer ones first."""
        found = {f"edit{n}": e for n, e in enumerate(self.problem.outer.edits, 1)}
        for part in self.parts:
            if not part.same_granularity:
                found |= dict(zip(self.edits_of(part), part.granularity.edits, strict=True))
        return found

    @property
    def outer_edits(self) -> list[str]:
        """The names of the outer edits."""
        return [f"edit{n}" for n in range(1, len(self.problem.outer.edits) + 1)]

    def edits_of(self, part: BoundPart) -> list[str]:
        """Return the names of the edits of a part's neighbours."""
        if part.same_granularity:
            return self.outer_edits
        name = self.first_like(part).name
        return [made(f"edit{n}", name) for n in range(1, len(part.granularity.edits) + 1)]

    def first_like(self, part: BoundPart) -> BoundPart:
        """Return the first part with the same neighbours: they are written once."""

        def between(one: BoundPart) -> tuple[object, ...]:
            inner = one.granularity
            return inner.edits, inner.directed, self.class_of(one), self.space(one)

        return next(p for p in self.parts if between(p) == between(part))

    def class_of(self, part: BoundPart) -> str:
        """Return the name of the class of databases that a part is private on."""
        same = self.common or (part.map.image is None and part.domain == self.problem.domain)
        return "class" if same else made("class", part.name)

    def neighbours_of(self, part: BoundPart) -> str:
        """Return the name of the neighbours that a part is private between."""
        outer = self.class_of(part) == "class" and part.same_granularity
        return "neighbours" if outer else made("neighbours", self.first_like(part).name)

    def blocks(self, mapping: BoundMap) -> str:
        """Return the list of a map's blocks."""
        return blocks_of(mapping.sizes)

    def parameters(self, part: BoundPart) -> tuple[str | Fraction, ...]:
        """Return what a mechanism guarantees in the notion: ε, or ε and δ."""
        given = dict(part.guarantees)
        if self.notion in given:
            return given[self.notion]
        if of_epsilon() in given:
            return *given[of_epsilon()], Fraction(0)
        raise UnwrittenError(f"part {part.name} has no guarantee of this notion itself")

    @property
    def numbers(self) -> tuple[Fraction, ...]:
        """The guarantees that are numbers."""
        given = (x for p in self.parts for x in self.parameters(p))
        return tuple(x for x in given if isinstance(x, Fraction))

    def guarantee(self, part: BoundPart) -> str:
        """Return the ε of a part at block i, or its δ, of sort R."""
        one = self.parameters(part)[self.second]
        if isinstance(one, Fraction):
            return real({"op": "Num", "value": str(one)})
        return f"{of_spec(one)} i" if part.map.indices else of_spec(one)

    @property
    def pairs(self) -> bool:
        """Whether the bound is on (ε, δ)."""
        return self.notion != of_epsilon()

    @property
    def held(self) -> str:
        """The sort of a part's own databases, where parts have different ones."""
        return "db (held t)" if self.images else "db cell"

    def cases(self, branch: Mapping[str, str], sort: str = "") -> str:
        """Return a case distinction over all parts ``t``, in block ``i``, of a sort."""
        rows = (f"{made('part', name)} i => {text}" for name, text in branch.items())
        given = f" return {sort}" if sort and self.images else ""
        return f"match t{given} with {' | '.join(rows)} end"


def _moves_within(part: BoundPart) -> bool:
    """Return whether edits of a part move records along, and a block has not all there are."""
    inside = part.map.within(part.granularity, (1,) * len(part.map.indices))
    moved = any(reads_database(edit.step) for edit in part.granularity.edits)
    return moved and inside is not part.granularity


def over_cell(term: Term, database: str = "D", space: str = "", cell: str = OVER["c"]) -> str:
    """Return a formula over a cell with this name."""
    return proposition(term, RocqTerms({"c": cell}, database, space=space))


def statement(
    setting: Setting, bound: Expression, where: Sizes = (), delta: Expression | None = None
) -> str:
    """Return the statement, up to the line where the proof begins.

    Raises:
        UnwrittenError: something of it has no words here.
    """
    lines = [HEADER, "Section Statement."]
    lines += _sorts(setting)
    lines += _symbols(setting)
    lines += _sizes(where)
    lines += _functions(setting)
    lines += _universe(setting.problem.domain)
    lines += _neighbours(setting)
    for mapping in setting.maps.values():
        lines += _map(mapping, setting.images.get(mapping.name, ""))
    lines += _parts(setting)
    lines += _mechanisms(setting)
    lines += _claim(bound, delta)
    return "\n".join(lines) + "\n"


def _sorts(setting: Setting) -> Iterator[str]:
    domain = setting.problem.domain
    names = {*domain.attribute_sorts.values()}
    for arguments, result in _signatures(setting).values():
        names |= {*arguments, result}
    for edit in setting.edits.values():
        names |= {sort for _, sort in edit.params}
    for mapping in setting.maps.values():
        names |= {term.sort for _, term in mapping.image or ()}
    yield from _variables({
        of_sort(name): "Type" for name in sorted(names - {INT, BOOL, CELL, *domain.enumerations})
    })  # fmt: skip
    for sort, values in domain.enumerations.items():
        yield f"Inductive {of_sort(sort)} : Type := {' | '.join(map(of_spec, values))}."
    fields = (f"{of_attribute(a)} : {of_sort(s)}" for a, s in domain.attribute_sorts.items())
    yield f"Record cell := mk {{ {'; '.join(fields)} }}."


def _variables(sorts: Mapping[str, str]) -> Iterator[str]:
    """Declare variables, those of one sort in one line."""
    for sort in dict.fromkeys(sorts.values()):
        names = [name for name, own in sorts.items() if own == sort]
        yield f"Variable{'s' * (len(names) > 1)} {' '.join(names)} : {sort}."


def _signatures(setting: Setting) -> dict[str, tuple[tuple[str, ...], str]]:
    found = dict(setting.problem.domain.signatures)
    for mapping in setting.maps.values():
        found.update(mapping.functions)
    return found


def _symbols(setting: Setting) -> Iterator[str]:
    symbols = setting.problem.symbols
    if symbols:
        yield f"Variables {' '.join(map(of_spec, symbols))} : Z."
    for name, fact in symbols.items():
        for number, one in enumerate(conjuncts(fact), 1):
            yield f"Hypothesis {made(f'known{number}', name)} : {proposition(one, RocqTerms())}."


def _sizes(where: Sizes) -> Iterator[str]:
    """Say for which numbers of some symbols the bound holds."""
    for name, low, high in where:
        symbol = of_spec(name)
        if low == high:
            said = f"Hypothesis {made('only', name)} : {symbol} = {low}."
            yield f"{said}   (* for others it is infinite *)"
            continue
        yield f"Hypothesis {made('atleast', name)} : {low} <= {symbol}."
        if high is not None:
            yield f"Hypothesis {made('atmost', name)} : {symbol} <= {high}."


def _functions(setting: Setting) -> Iterator[str]:
    found = {}
    for name, (arguments, result) in _signatures(setting).items():
        if BOOL in arguments:
            raise UnwrittenError(f"the function {name} takes a truth value")
        kinds = [of_sort(s) for s in arguments] + ["Prop" if result == BOOL else of_sort(result)]
        found[of_spec(name)] = " -> ".join(kinds)
    yield from _variables(found)


def _universe(domain: Domain) -> Iterator[str]:
    if domain.universe == Universe.PRODUCT:
        yield f"Definition X (c_ : cell) : Prop := {over_cell(domain.cell_term)}."
        return
    yield "Variable X : cell -> Prop.   (* the cells that can hold records: any set *)"
    if domain.cell_term != TRUE:
        yield f"Hypothesis X_cell : forall c_, X c_ -> {over_cell(domain.cell_term)}."


def _defined(head: str, body: str) -> str:
    """Return a definition, in one line where it is short."""
    line = f"Definition {head} := {body}."
    return line if len(line) <= LINE else f"Definition {head} :=\n  {body}."


def _class(name: str, domain: Domain, space: str = "") -> str:
    rows = ["(forall c, 0 <= D c)", f"(forall c, D c <> 0 -> X{space} c)", "finite D"]
    if domain.cap is not None:
        rows.append(f"(forall c, D c <= {domain.cap})")
    for key, bound in domain.limit_terms:
        shared = f"(fun c_ : cell{space} => {value(key, RocqTerms(OVER, space=space))})"
        rows.append(f"limited {shared} D {value(bound, RocqTerms())}")
    for of, each, most in domain.distinct_terms:
        counted, shared = (value(t, RocqTerms(OVER, space=space)) for t in (of, each))
        rows.append(
            f"few_values (fun c_ : cell{space} => {shared}) (fun c_ : cell{space} => {counted}) D "
            f"{value(most, RocqTerms(OVER, space=space))}"
        )
    sized = RocqTerms(OVER, "D", "n", space)
    for fact in domain.fact_terms:
        claim = f"forall c_, X{space} c_ -> {proposition(fact, sized)}"
        rows.append(f"(forall n, sized D n -> {claim})" if reads_size(fact) else f"({claim})")
    rows += [f"(forall n, sized D n -> {proposition(f, sized)})" for f in domain.size_terms]
    return _defined(f"{name} (D : db cell{space}) : Prop", AND.join(rows))


def reads_size(term: Term) -> bool:
    """Return whether a formula names the size of a database."""
    return any(t.op == "size" for t in subterms(term))


def _edit(name: str, edit: BoundEdit, space: str = "") -> str:
    sorts = {n: of_sort(s) + space * (s == CELL) for n, s in edit.params}
    some = " ".join(f"({of_spec(n)} : {sort})" for n, sort in sorts.items())
    rows = [f"X{space} {of_spec(n)}" for n, s in edit.params if s == CELL]
    if reads_size(edit.guard):  # a database has one size
        some += " (n : Z)"
        rows.append("sized D n")
    if edit.guard != TRUE:
        rows.append(proposition(edit.guard, RocqTerms(size_name="n", space=space)))
    if edit.frame is None:
        added = "".join(
            f" + put c {of_spec(p)} {value(d, RocqTerms(space=space))}" for p, d in edit.change
        )
        rows.append(f"(forall c, E c = D c{added})")
    else:
        frame = over_cell(edit.frame, space=space)
        if edit.step != TRUE:
            names = {"c": "c_", "old": "(D c_)", "new": "(E c_)"}
            step = proposition(edit.step, RocqTerms(names, space=space))
            rows.append(f"(forall c_, X{space} c_ -> {frame} -> {step})")
        rows.append("True" if edit.frame == TRUE else f"(forall c_, ~ {frame} -> E c_ = D c_)")
    chosen = f"exists {some}, " if some else ""
    return _defined(f"{name} (D E : db cell{space}) : Prop", f"{chosen}{AND.join(rows)}")


def _between(name: str, inside: str, edits: list[str], directed: bool, space: str = "") -> str:
    ways = [f"{e} D E" for e in edits] + ([] if directed else [f"{e} E D" for e in edits])
    body = f"{inside} D /\\ {inside} E /\\ ({OR.join(ways)})"
    return _defined(f"{name} (D E : db cell{space}) : Prop", body)


def _neighbours(setting: Setting) -> Iterator[str]:
    yield _class("class", setting.problem.domain)
    for name in setting.outer_edits:
        yield _edit(name, setting.edits[name])
    yield _between("neighbours", "class", setting.outer_edits, setting.problem.outer.directed)


def _map(mapping: BoundMap, space: str) -> Iterator[str]:
    index, said = of_spec(mapping.indices[0][0]) if mapping.indices else "i", ""
    held, sort = over_cell(mapping.member), sort_of_blocks(mapping)
    if len(mapping.indices) > 1:
        index, names = "i", [name for name, _ in mapping.indices]
        calls = dict(zip(names, numbered(len(names)), strict=True))
        held = proposition(mapping.member, RocqTerms(OVER | calls))
        said = f"   (* {', '.join(f'{n} is {c[1:-1]}' for n, c in calls.items())} *)"
    member, see = made("mem", mapping.name), made("see", mapping.name)
    yield f"Definition {member} ({index} : {sort}) (c_ : cell) : Prop := {held}.{said}"
    for number, fact in enumerate(mapping.facts, 1):
        name = made(f"fact{number}", mapping.name)
        yield f"Hypothesis {name} : forall c_, X c_ -> {over_cell(fact)}."
    if mapping.multiplicity is not None:
        most = f"(Z.to_nat {value(mapping.multiplicity, RocqTerms())})"
        yield (
            f"Hypothesis {made('most', mapping.name)} : forall c_, X c_ ->\n"
            f"  (cnt {blocks_of(mapping.sizes)} (fun i => {member} i c_) <= {most})%nat."
        )
    if mapping.image is not None:
        yield from _image(mapping, index, space)
        return
    kept = "D" if mapping.member == TRUE else f"keep ({member} i) D"
    yield f"Definition {see} (i : {sort}) (D : db cell) : db cell := {kept}."


def sort_of_blocks(mapping: BoundMap) -> str:
    """Return the sort of a map's blocks: numbers, or pairs of them."""
    return "Z * Z" if len(mapping.indices) > 1 else "Z"


def _image(mapping: BoundMap, index: str, space: str) -> Iterator[str]:
    """Say which cells a map puts out, and that it counts the records that have become each."""
    image, sort = dict(mapping.image or ()), sort_of_blocks(mapping)
    fields = (f"{of_attribute(a)}{space} : {of_sort(t.sort)}" for a, t in image.items())
    yield f"Record cell{space} := mk{space} {{ {'; '.join(fields)} }}."
    values = [
        f"(if dec {over_cell(t)} then true else false)"
        if t.sort == BOOL
        else f"({value(t, RocqTerms(OVER))})"
        for t in image.values()
    ]
    member = made("mem", mapping.name)
    yield (
        f"Definition become{space} ({index} : {sort}) (c_ : cell) : cell{space} := "
        f"{' '.join([f'mk{space}', *values])}."
    )
    yield f"Variable X{space} : cell{space} -> Prop.   (* any set with all that records become *)"
    yield (
        f"Hypothesis X{space}_cell : forall i c_, X c_ -> {member} i c_ -> "
        f"X{space} (become{space} i c_)."
    )
    yield (
        f"Definition {made('see', mapping.name)} (i : {sort}) (D : db cell) : db cell{space} := "
        f"image ({member} i) (become{space} i) D."
    )


def _parts(setting: Setting) -> Iterator[str]:
    parts = setting.parts
    made_of = (f"{made('part', p.name)} (i : {sort_of_blocks(p.map)})" for p in parts)
    yield f"Inductive part := {' | '.join(made_of)}."
    lists = (f"map {made('part', p.name)} {setting.blocks(p.map)}" for p in parts)
    yield f"Definition parts : list part := {' ++ '.join(lists)}."
    if setting.images:
        held = {p.name: f"cell{setting.images.get(p.map.name, '')}" for p in parts}
        yield f"Definition held (t : part) : Type := {setting.cases(held)}."
    seen = {p.name: f"{made('see', p.map.name)} i D" for p in parts}
    cases = setting.cases(seen, setting.held)
    yield f"Definition see (t : part) (D : db cell) : {setting.held} := {cases}."
    for part in parts:
        space = setting.space(part)
        if setting.class_of(part) != "class":
            yield _class(setting.class_of(part), part.domain, space)
        if setting.first_like(part) is not part:
            continue
        if not part.same_granularity:
            for name in setting.edits_of(part):
                yield _edit(name, setting.edits[name], space)
        if setting.neighbours_of(part) != "neighbours":
            yield _between(
                setting.neighbours_of(part), setting.class_of(part), setting.edits_of(part),
                part.granularity.directed, space,
            )  # fmt: skip


def _mechanisms(setting: Setting) -> Iterator[str]:
    yield "Variable O : part -> Type.   (* a mechanism may read all outputs before it *)"
    read = "db cell" if setting.common else setting.held
    yield f"Variable M : forall t, outputs O -> {read} -> pm (O t)."
    named: dict[str, str] = {}
    for part in setting.parts:
        for one in setting.parameters(part):
            if isinstance(one, str):
                named[one] = f"{sort_of_blocks(part.map)} -> R" if part.map.indices else "R"
    yield from _variables({of_spec(name): sort for name, sort in named.items()})
    for name, sort in named.items():
        many = sort != "R"
        all_of = f"forall i, 0 <= {of_spec(name)} i" if many else f"0 <= {of_spec(name)}"
        yield f"Hypothesis {made('pos', name)} : ({all_of})%R."
    for part in setting.parts:
        one, blocks = made("part", part.name), setting.blocks(part.map)
        yield (
            f"Hypothesis {made('private', part.name)} : forall i h F G, In i {blocks} ->\n"
            f"  {setting.neighbours_of(part)} F G -> "
            f"{_close(setting, part)} (M ({one} i) h F) (M ({one} i) h G)."
        )
        if setting.common:
            see = made("see", part.map.name)
            yield (
                f"Hypothesis {made('reads', part.name)} : forall i h F G, In i {blocks} ->\n"
                f"  {see} i F = {see} i G -> M ({one} i) h F = M ({one} i) h G."
            )
    handed = "D" if setting.common else "(see t D)"
    body = f"comp (fun t h D => M t h {handed}) parts [] D"
    yield _defined("composition (D : db cell) : pm (outputs O)", body)


def _close(setting: Setting, part: BoundPart) -> str:
    """Say how close the outputs of a mechanism are at neighbours."""
    eps = setting.guarantee(part)
    if not setting.pairs:
        return f"rel pure ({eps})%R"
    return f"ind ({eps})%R ({replace(setting, second=True).guarantee(part)})%R"


def _claim(bound: Expression, delta: Expression | None) -> Iterator[str]:
    most = maxima(bound, *([] if delta is None else [delta]))
    for number, one in enumerate(most, 1):
        name = f"most{number}"
        yield f"Variable {name} : R.   (* any number that is no less than each of these sums *)"
        yield f"Hypothesis {name}_pos : (0 <= {name})%R."
        yield f"Hypothesis {name}_is : {over_letters(one, name)}."
    yield f"Definition bound : R := ({real(bound, most)})%R."
    if delta is not None:
        yield f"Definition more : R := ({real(delta, most)})%R."
    yield "Definition claim : Prop := forall D E, neighbours D E -> forall S,"
    added = "" if delta is None else " + more"
    yield f"  (prob (composition D) S <= exp bound * prob (composition E) S{added})%R."
