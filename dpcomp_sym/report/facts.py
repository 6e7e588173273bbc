"""Structural facts and conditions as lemmas: statement, reason, and the solver's question."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from dpcomp_sym.engine import Checked, Condition, Proved, Refuted, Unknown, Vacuous
from dpcomp_sym.engine.clauses import Weakest
from dpcomp_sym.engine.together.naming import names_of_records
from dpcomp_sym.engine.unit_steps import moves_one
from dpcomp_sym.kernel import Theorem
from dpcomp_sym.model import BoundEdit, BoundMap, BoundPart
from dpcomp_sym.report.document import (
    Block,
    Example,
    Paragraph,
    StatementBlock,
    capital,
    listed,
    plain,
    spelled,
)
from dpcomp_sym.report.formulas import (
    indices_of_records,
    naming_of,
    reach_text,
    records_of,
    values_of,
    ways_text,
)
from dpcomp_sym.report.needed import needed
from dpcomp_sym.report.setting import Notation
from dpcomp_sym.statements import terms as t
from dpcomp_sym.statements.integers import TRUE as ALWAYS
from dpcomp_sym.statements.latex import latex_name, latex_ranges, latex_text
from dpcomp_sym.terms import TRUE, cases

__all__ = [
    "CONDITION_NAMES",
    "Lemma",
    "condition_blocks",
    "condition_prose",
    "fact_prose",
    "lemmas",
    "weakest_prose",
]

CONDITION_NAMES = {
    "compatibility": "C1",
    "sensitivity": "C2",
    "commutes": "commutativity",
    "partition": "disjoint blocks",
}


@dataclass(frozen=True)
class Lemma:
    """Facts of one kind about one edit, with the steps of the derivation that they settle."""

    label: str
    block: StatementBlock
    steps: tuple[Theorem, ...]


class _Edits:
    """The edits of a problem under the names that the kernel gives them."""

    def __init__(self, notation: Notation) -> None:
        self.notation = notation
        self.edits = notation.problem.outer.edits

    def edit(self, name: str) -> BoundEdit:
        return self.edits[int(name.split()[1]) - 1]

    def said(self, name: str) -> str:
        """Return "D′ arises from D by edit n"."""
        which = "" if len(self.edits) == 1 else f" by edit ({name.split()[1]})"
        there, back = "$D'$ arises from $D$", "$D$ arises from $D'$"
        return (back if name.endswith("backwards") else there) + (which or " by the edit")

    def records(self, name: str, touched: Sequence[int]) -> str:
        points = self.edit(name).points
        return listed([f"${latex_name(points[n - 1])}$" for n in touched])


def lemmas(steps: Sequence[Theorem], notation: Notation) -> list[Lemma]:
    """Return the structural facts among the steps of a derivation, as lemmas."""
    groups: dict[tuple[object, ...], list[Theorem]] = {}
    for step in steps:
        if step.rule == "oracle" and not _trivial(step.statement):
            groups.setdefault(_kind(step.statement), []).append(step)
    edits = _Edits(notation)
    same: dict[tuple[str, str, str], list[Theorem]] = {}  # of several parts on one map
    for members in groups.values():
        same.setdefault(_lemma([m.statement for m in members], edits), []).extend(members)
    found = []
    for number, ((said, proof, title), members) in enumerate(same.items(), 1):
        name = f"{notation.label}:fact{number}"
        block = StatementBlock("lemma", title, name, (Paragraph(said),), (Paragraph(proof),))
        found.append(Lemma(name, block, tuple(members)))
    return found


def _trivial(statement: t.Statement) -> bool:
    """Return whether a fact claims nothing: one image, any number of blocks, any distance."""
    match statement:
        case t.TouchCount(problem=problem, map=name, count=count):
            single = any(v.map == name and not v.sizes for v in problem.views)
            return single or isinstance(count, t.Inf)
        case t.BlockDistance(distance=distance):
            return isinstance(distance, t.Inf)
        case t.Restricted(of, _):
            return _trivial(of)
        case _:
            return False


def fact_prose(statement: t.Statement, notation: Notation) -> str:
    """Return a fact as marked prose, in the names of the edit's own cells."""
    return _lemma([statement], _Edits(notation))[0]


def _kind(statement: t.Statement) -> tuple[object, ...]:
    match statement:
        case t.BlockDistance(_, edit, part, _, distance):
            return ("distance", edit, part, distance)
        case t.Restricted(of, box):
            return ("restricted", box, *_kind(of))
        case _:
            return (statement,)


def _lemma(statements: Sequence[t.Statement], edits: _Edits) -> tuple[str, str, str]:
    match statements[0]:
        case t.TouchCount(_, edit, name, count):
            return _count(edit, name, count, edits)
        case t.BlockDistance(_, edit, part, _, distance):
            touched = [s.touched for s in statements if isinstance(s, t.BlockDistance)]
            return _distance(edit, part, touched, distance, edits)
        case t.Infeasible(_, edit, pattern, box):
            return _infeasible(edit, pattern, box, edits)
        case t.Shares(_, edit, name, count, distances):
            return _shares(edit, name, count, distances, edits)
        case t.ChangedTogether() as statement:
            return _changed_together(statement, edits)
        case t.ChangedByRecords() as statement:
            return _changed_by_records(statement, edits)
        case t.Mixed(problem, edit, vectors):
            return _mixed(edit, vectors, problem, edits)
        case t.Together(_, edit, sets):
            return _joined(edit, sets, edits)
        case t.Restricted(_, box):
            inside = [s.of for s in statements if isinstance(s, t.Restricted)]
            said, proof, title = _lemma(inside, edits)
            return f"Let ${latex_ranges(box)}$. {said}", proof, title
        case statement:
            return edits.notation.changes(statement)


# ------------------------------------------------------------------ how many blocks


def _blocks(count: t.Expr) -> str:
    if count == t.Num(Fraction(1)):
        return "at most one block"
    return f"at most ${latex_text(count)}$ blocks"


def _count(edit_name: str, name: str, count: t.Expr, edits: _Edits) -> tuple[str, str, str]:
    notation, edit = edits.notation, edits.edit(edit_name)
    mapping = notation.problem.used_maps[name]
    symbol = notation.symbols.map(name, _own_index(mapping))
    if edit.frame is not None:
        said = f"If {edits.said(edit_name)}, then {_blocks(count)} of ${symbol}$ may change."
        title = "Changed blocks"
    else:
        records = edits.records(edit_name, range(1, len(edit.points) + 1))
        each = "each of the cells" if len(edit.points) > 1 else "the cell"
        said = (
            f"If {edits.said(edit_name)}, then every block of ${symbol}$ that changes holds one "
            f"of the cells that the edit names, and {each} {records} lies in {_blocks(count)}."
            if len(edit.points) > 1
            else f"If {edits.said(edit_name)}, then every block of ${symbol}$ that changes holds "
            f"the cell {records}, which lies in {_blocks(count)}."
        )
        title = "Blocks of a touched record"
    return said, _count_proof(edit, mapping, count, notation), title


def _changed_together(fact: t.ChangedTogether, edits: _Edits) -> tuple[str, str, str]:
    """Return which blocks change together: the lemma, its proof and its title."""
    edit = edits.edit(fact.edit)
    said = []
    for place, index, symbol, condition in _placed(fact, edits.notation):
        held = ""
        if place.touched:
            cells = edits.records(fact.edit, place.touched)
            held = f" and holds exactly {cells} of the cells that the edit names"
        said.append(
            f"{'any block' if index else 'also'} ${symbol}$ may change" if place.when == ALWAYS
            else f"every block ${symbol}$ that changes{held} has ${condition}$"
        )  # fmt: skip
    also = ""
    if fact.facts != ALWAYS:
        also = f" There, ${naming_of(fact).predicate(fact.facts)}$."
    records = records_of(fact)
    holds = (
        "holds one of these"
        if records
        else "holds a cell that the edit may touch"
        if edit.frame is not None
        else "holds a cell that the edit names"
    )
    proof = (
        f"A block that changes {holds}. What the edit and the map say of this cell bounds the "
        "number of the block; that a block outside of these bounds changes is impossible."
    )
    among = ""
    if records:
        those = listed([f"${name}$" for name in records])
        at = indices_of_records(fact)
        each, there = f"for each ${at}$ " * bool(at), f" in blocks with this ${at}$" * bool(at)
        among = (
            f"{each}there are cells {those}, perhaps equal ones, so that no others change{there}, "
            "and "
        )
        if len(records) == 1:
            among = f"{each}there is a cell {those}, so that no other one changes{there}, and "
        here = f"there, for each ${at}$, " * bool(at)
        proof = f"No more records come or go {here}than the limits of the class allow. {proof}"
    then = f"If {edits.said(fact.edit)}, then {among}{listed(said)}.{also}"
    return then, proof, "Blocks that change together"


def _changed_by_records(fact: t.ChangedByRecords, edits: _Edits) -> tuple[str, str, str]:
    """Return which blocks hold the records that change: the lemma, its proof and its title."""
    (record,) = (latex_name(name) for name in names_of_records(1))
    said = [
        f"{'any block' if index else 'also'} ${symbol}$ may hold it" if place.when == ALWAYS
        else f"every block ${symbol}$ that holds it has ${condition}$"
        for place, index, symbol, condition in _placed(fact, edits.notation)
    ]  # fmt: skip
    also = "" if fact.facts == ALWAYS else f"; moreover ${naming_of(fact).predicate(fact.facts)}$"
    at = indices_of_records(fact)
    each, there = f", for each ${at}$," * bool(at), f" in blocks with this ${at}$" * bool(at)
    then = (
        f"If {edits.said(fact.edit)}, then{each} the cells ${record}$ that are changed{there} "
        f"have at most {values_of(fact)}; of each of them, {listed(said)}{also}. A block changes "
        "only if it holds one."
    )
    proof = (
        f"There are{each} no more such values than the limits of the class allow, or no more "
        "records that come or go. What the map says of a "
        "cell bounds the numbers of the blocks that hold it; that a block outside of these bounds "
        "holds it is impossible."
    )
    return then, proof, "Blocks that hold the records"


def _placed(
    fact: t.ChangedTogether | t.ChangedByRecords, notation: Notation
) -> Iterator[tuple[t.Place, list[str], str, str]]:
    """Yield the places of a fact: with the index of their blocks, their map and the condition."""
    for place in fact.places:
        mapping = notation.problem.used_maps[place.map]
        index = [latex_name(n) for n, _ in mapping.indices]
        symbol = notation.symbols.map(place.map, _own_index(mapping))
        yield place, index, symbol, naming_of(fact, index).predicate(place.when)


def _own_index(mapping: BoundMap) -> str:
    return ",".join(latex_name(n) for n, _ in mapping.indices)


def _count_proof(edit: BoundEdit, mapping: BoundMap, count: t.Expr, notation: Notation) -> str:
    if not isinstance(count, t.Num):
        several = edit.frame is not None and len(cases(edit.frame)) > 1
        start = "In each case of what the edit may change the" if several else "The"
        beside = (
            "; cells that are there whenever those of another case are count with these" * several
        )
        what = (
            f"{start} changed cells share the value of a term, of which the class allows so many "
            f"records before the change and so many after it{beside}; each record lies in a "
            "bounded number of blocks. Counting these records gives the bound: a larger number of "
            "them would contradict the limit of the class"
            if edit.frame is not None
            else "Suppose that a cell lay in more blocks: that contradicts what is assumed of the "
            "map"
        )
        return f"{what}, and {notation.impossible}."
    n = int(count.value) + 1
    blocks = _blocks_of(mapping, n)
    if edit.frame is None:
        cell = latex_name(edit.points[0]) if len(edit.points) == 1 else "z"
        inside = [
            notation.condition(mapping.member, {"c": cell, **_at(mapping, j)})
            for j in range(1, min(n, 2) + 1)
        ]
        assumed = f"the cell ${cell}$ lay in the {spelled(n)} different blocks {blocks}"
        formula = _ellipsis(inside, n)
    else:
        cells = _named([_numbered("c", j) for j in range(1, n + 1)])
        assumed = (
            f"the {spelled(n)} different blocks {blocks} changed, and choose in each of them a "
            f"cell where $D$ and $D'$ differ, {cells}"
        )
        inside = [
            f"{notation.condition(mapping.member, {'c': f'c_{j}', **_at(mapping, j)})}, "
            f"{_framed(edit, notation, f'c_{j}')}$D(c_{j}) \\neq D'(c_{j})$"
            for j in range(1, min(n, 2) + 1)
        ]
        formula = _ellipsis(inside, n)
    facts = _facts(mapping, notation)
    return f"Suppose that {assumed}. Then {formula}{facts}; {notation.impossible}."


def _framed(edit: BoundEdit, notation: Notation, cell: str) -> str:
    if edit.frame is None or edit.frame == TRUE:
        return ""
    return f"{notation.condition(edit.frame, {'c': cell})}, "


def _at(mapping: BoundMap, number: int) -> dict[str, str]:
    if len(mapping.indices) == 1:
        return {mapping.indices[0][0]: _numbered("i", number)}
    return {n: rf"{latex_name(n)}^{{({number})}}" for n, _ in mapping.indices}


def _numbered(letter: str, number: int) -> str:
    return f"{letter}_{number}" if number < 10 else f"{letter}_{{{number}}}"


def _blocks_of(mapping: BoundMap, n: int) -> str:
    """Return what n different blocks are called, such as $i_1$ and $i_2$."""
    each = [_at(mapping, j).values() for j in range(1, n + 1)]
    return _named([", ".join(one) if len(one) == 1 else f"({', '.join(one)})" for one in each])


def _named(letters: Sequence[str]) -> str:
    if len(letters) == 2:
        return listed([f"${letter}$" for letter in letters])
    return rf"${letters[0]}, \dots, {letters[-1]}$"


def _together(formulas: Sequence[str]) -> str:
    """Return formulas as a list in a sentence; each may be a list itself."""
    return (", and " if " and " in formulas[0] else " and ").join(formulas)


def _ellipsis(formulas: Sequence[str], n: int) -> str:
    if n <= len(formulas):
        return _together(formulas)
    return f"{formulas[0]}, and so on for the others"


def _facts(mapping: BoundMap, notation: Notation) -> str:
    said = []
    if mapping.multiplicity is not None:
        bound = notation.formula(mapping.multiplicity)
        said.append(f"no cell lies in more than ${bound}$ blocks")
    if not said:
        return ""
    return f", whereas {listed(said)}"


# ------------------------------------------------------------------ distances inside a block


def _part(notation: Notation, name: str) -> BoundPart:
    return next(p for p in notation.problem.bound_parts if p.name == name)


def seen_distance(part: BoundPart, notation: Notation) -> str:
    """Return how far apart a part sees databases, as a formula."""
    index = _own_index(part.map)
    inner = notation.symbols.relation(part.granularity.name)
    if part.map.identity:
        return rf"d_{{{inner}}}(D, D')"
    arrow = notation.symbols.map(part.map.name, index)
    if part.setting == "common":
        return rf"d_{{{arrow}{{}}_*{inner}}}({arrow}(D), {arrow}(D'))"
    return rf"d_{{{inner}}}({arrow}(D), {arrow}(D'))"


def _kept(part: BoundPart, notation: Notation) -> str:
    return notation.symbols.map(part.map.name)


def _distance(
    edit_name: str, part_name: str, touched: Sequence[tuple[int, ...]], distance: t.Expr,
    edits: _Edits,
) -> tuple[str, str, str]:  # fmt: skip
    notation, edit = edits.notation, edits.edit(edit_name)
    part = _part(notation, part_name)
    seen = seen_distance(part, notation)
    index = f"${_own_index(part.map)}$" if part.map.indices else ""
    where = ""
    if edit.frame is None:
        holder = f"block {index} holds" if index else f"${_kept(part, notation)}$ keeps"
        kinds = listed([f"exactly {edits.records(edit_name, s)}" for s in touched], "or")
        where = f" and {holder} {kinds} of the cells that the edit names"
        if len(edit.points) == 1:
            where = f" and {holder} {edits.records(edit_name, touched[0])}"
    title = "Distance inside a block" if index else "Distance"
    bound = latex_text(distance)
    if bound == "0":
        said = f"If {edits.said(edit_name)}{where}, then ${seen} = 0$."
        proof = (
            f"Suppose that the two images differed at some cell: {notation.impossible}. Such a "
            "block does not occur, or it does not change."
        )
        return said, proof, title
    said = rf"If {edits.said(edit_name)}{where}, then ${seen} \le {bound}$."
    inner = notation.symbols.relation(part.granularity.name)
    steps = "one edit" if bound == "1" else f"{bound} successive edits"
    if edit.frame is not None and bound != "1":
        proof = (
            "The cells that the edit changes share a value by which the number of records is "
            f"limited: at most ${bound}$ records come or go. Remove those that go from the image, "
            f"one by one, then add those that come; each time this is an edit of ${inner}$, and no "
            "class is left by fewer records."
        )
        return said, proof, title
    if moves_one(edit) and not (bound.isdigit() and int(bound) <= len(edit.points) + 1):
        proof = (
            f"The record that changes walks to its new place by steps of one, at most ${bound}$ of "
            f"them. Suppose that one of these was not an edit of ${inner}$: {notation.impossible}. "
            "No class is left on the way, since its limits do not look at the "
            "integer that changes."
        )
        return said, proof, title
    proof = (
        f"The change inside the block is made by {steps} of ${inner}$, whose parameters are found "
        "among the records that the outer edit names. Suppose that the two images differed and "
        f"that no such choice led from one to the other: {notation.impossible}."
    )
    return said, proof, title


def _joined(edit_name: str, sets: Sequence[t.Reach], edits: _Edits) -> tuple[str, str, str]:
    notation = edits.notation
    said = listed([reach_text(one, notation.symbols) for one in sets], "or among")
    return (
        f"If {edits.said(edit_name)}, then all blocks that change are among {said}.",
        f"Suppose that a block outside of each of these sets changed: {notation.impossible}.",
        "Blocks that change together",
    )


def _shares(
    edit_name: str, name: str, count: t.Expr, distances: Sequence[t.SeenDistance], edits: _Edits
) -> tuple[str, str, str]:
    symbol = edits.notation.symbols.map(name)
    far = latex_text(distances[0].distance)
    said = (
        f"If {edits.said(edit_name)}, then there are weights $w_i \\in [0, 1]$ of the blocks of "
        f"${symbol}$ with $\\sum_i w_i \\le {latex_text(count)}$, such that what block $i$ sees of "
        f"$D$ and $D'$ is at distance at most $w_i \\cdot {far}$."
    )
    proof = (
        f"At most ${far}$ records come or go, each in at most ${latex_text(count)}$ blocks; the "
        f"weight of a block is the number of those in it, divided by ${far}$. Removing and adding "
        "them one by one leads from one image to the other."
    )
    return said, proof, "Blocks that share records"


_IN_ONE_PLACE: Final = (
    "No more records come or go than the distances named here, and each lies in blocks of one "
    "of these kinds alone. What a part sees of a block is at most the number of records that "
    "come or go in it: the mean, over all of them, of that number if all lie where one does."
)
_IN_ONE_PLACE_EACH: Final = (
    "In the blocks for which a function takes the same value no more records come or go than the "
    "distances named here, and each of these lies in blocks of one of these kinds alone. What a "
    "part sees of a block is at most the number of records that come or go in it: the mean, over "
    "choices of one record for each value, of that number if all lie where the chosen one does."
)
_SHARED_OUT: Final = (
    "Each record that comes or goes lies in one block. Let $S$ be the blocks in which some do, "
    "$n_i \\ge 1$ of them in block $i$, $N$ in all and at most $M$, the number that distances "
    "are taken from. A part that sees as many as there are sees block $i$ at most from $n_i$. "
    "Take the cases in which the first block is some $j \\in S$, and the others are those of "
    "$S$ without it, with weights $(n_j - 1)/(M - |S|)$, and what is left of 1 for any one of "
    "them; with $|S| = M$ each $n_i$ is 1. The weights are at most 1 in all, since $N \\le M$. "
    "The mean of 1 for each other block and of $M - |S| + 1$ for the first one is at least "
    "$1 + (M - |S|)(n_i - 1)/(M - |S|) = n_i$ in block $i$."
)


def _counts_of(vector: t.Way) -> list[t.Expr]:
    """Return how many blocks of each family change, where integers say which."""
    return [f.count for f in vector.families] if isinstance(vector, t.BlockPattern) else []


def _mixed(
    edit_name: str, vectors: Sequence[t.Way], problem: t.CompositionProblem, edits: _Edits
) -> tuple[str, str, str]:
    said = (
        f"If {edits.said(edit_name)}, then the distances at which the parts see $D$ and $D'$ are a "
        f"mean of some of these: {ways_text(vectors, problem, edits.notation.symbols)}."
    )
    counted = any(isinstance(count, t.Amount) for v in vectors for count in _counts_of(v))
    functions = any(isinstance(x, t.LetterAt) for v in vectors for x in t.subterms(v))
    proof = _SHARED_OUT if counted else _IN_ONE_PLACE_EACH if functions else _IN_ONE_PLACE
    return said, proof, "Blocks that share records"


def _infeasible(
    edit_name: str, pattern: Sequence[t.TouchedKind], box: t.Where, edits: _Edits
) -> tuple[str, str, str]:
    maps, symbols = edits.notation.problem.used_maps, edits.notation.symbols

    def happens(kind: t.TouchedKind) -> str:
        many = kind.count > 1
        number = spelled(kind.count) if many else "one"
        name = symbols.map(kind.map, _own_index(maps[kind.map]))
        holds = f"hold{'s' * (not many)} exactly {edits.records(edit_name, kind.touched)}"
        return f"{number} changed block{'s' * many} of ${name}$ {holds}"

    when = f", for ${latex_ranges(box)}$" if box else ""
    never = f"it never happens that {listed([happens(k) for k in pattern])}{when}"
    return (
        f"If {edits.said(edit_name)}, {never}.",
        f"Suppose that it did: {edits.notation.impossible}.",
        "What cannot occur",
    )


# ------------------------------------------------------------------ conditions


def condition_blocks(conditions: Mapping[str, Condition], notation: Notation) -> Iterator[Block]:
    """Yield a proposition for each condition, with its proof or its counterexample."""
    shown: dict[str, Mapping[str, object]] = {}
    stated: list[tuple[str, list[Block], Sequence[Block]]] = []  # of several parts on one map
    for number, (name, condition) in enumerate(conditions.items(), 1):
        plain_name, _, _ = name.partition("[")
        if name == plain_name and any(n.startswith(f"{name}[") for n in conditions):
            continue  # the conjunction of those that follow
        title = CONDITION_NAMES.get(plain_name, plain_name)
        example = _example(condition, notation)
        known = next((place for place, one in shown.items() if one == example), "")
        place = known or f"{notation.label}:example{number}"
        proof = [*_settled(condition, notation, place), *_both_ways(condition, notation)]
        statement = condition_prose(condition, notation)
        said = f"{_verdict(condition)}{statement}."
        body: list[Block] = [Paragraph(capital(said))]
        if condition.weakest:
            body.append(Paragraph(f"It holds exactly when {weakest_prose(condition, notation)}."))
        if (title, body, proof) in stated:
            continue
        stated.append((title, body, proof))
        yield StatementBlock(
            "proposition", title, f"{notation.label}:condition{number}", tuple(body), tuple(proof)
        )
        if example is not None and not known:
            shown[place] = example
            yield Example(example, place)


_LETTER: Final = re.compile(r"(?<!['’])\b(?!a\b)([A-Za-z])\b")
"""A function or a record in words; not the article, nor what an apostrophe leaves."""


def weakest_prose(condition: Condition, notation: Notation) -> str:
    """Return the weakest condition on the labels, as marked prose."""
    said, latex = plain(condition.weakest or ""), condition.weakest_latex
    if not latex:
        return said
    if set("=<>(*") & set(said):  # a formula of the language: it stands in mathematics
        said = ""
    said = _LETTER.sub(r"$\1$", said)
    sensitive = condition.name == "sensitivity"
    name = _part(notation, condition.about).map.name if sensitive else condition.about
    where = [
        f"${bare} = {symbol}$" for bare, symbol in notation.renamed(name) if f"{bare}(" in latex
    ]
    if "I(x)" in latex:
        where.append("$I(x)$ is the set of the blocks that hold $x$")
    text = f"{said}, that is, if ${latex}$" if said else f"${latex}$"
    return f"{text}, where {listed(where)}" if where else text


def _verdict(condition: Condition) -> str:
    match condition.outcome:
        case Proved():
            return ""
        case Refuted():
            return "It is *false* that "
        case Checked(scope=scope):
            return f"Within the scope “{plain(scope)}”: "
        case Vacuous():
            return "Vacuously, since there are no two different neighbours: "
        case Unknown():
            return "It is *not known* whether "


def condition_prose(condition: Condition, notation: Notation) -> str:
    """Return what a condition says, as marked prose without a full stop."""
    problem = notation.problem
    g = notation.symbols.relation(problem.outer.name)
    if condition.name == "sensitivity":
        part = _part(notation, condition.about)
        text = rf"${seen_distance(part, notation)} \le 1$ for all ${g}$-neighbours $D, D'$"
        return f"{text} in $\\mathbb{{D}}$"
    mapping = problem.used_maps[condition.about]
    symbol = notation.symbols.map(mapping.name, _own_index(mapping))
    if condition.name == "partition":
        return f"no record lies in two blocks of ${symbol}$"
    if condition.name == "compatibility":
        return (
            f"between ${g}$-neighbours $D, D'$ in $\\mathbb{{D}}$ at most one block "
            f"${symbol}(D)$ changes"
        )
    index = _own_index(mapping)
    part = next(p for p in problem.bound_parts if p.map.name == mapping.name)
    return (
        rf"$\sum_{{{index}}} {seen_distance(part, notation)} \le d_{{{g}}}(D, D')$ for all $D, D'$"
    )


def _example(condition: Condition, notation: Notation) -> Mapping[str, object] | None:
    if isinstance(condition.outcome, Refuted):
        return condition.outcome.counterexample.as_json(notation.problem.used_maps)
    return None


def with_products(text: str) -> str:
    r"""Return words in which nothing is a mark, and products such as 2*m are formulas.

    >>> print(with_products("at most 2*m blocks, or 3*r*days, not *"))
    at most $2 \, m$ blocks, or $3 \, r \, \mathrm{days}$, not \*
    """
    pieces = re.split(r"(\w+(?:\*\w+)+)", text)
    return "".join(
        "$" + r" \, ".join(map(latex_name, piece.split("*"))) + "$" if number % 2 else plain(piece)
        for number, piece in enumerate(pieces)
    )


def _settled(condition: Condition, notation: Notation, place: str) -> list[Block]:
    if isinstance(condition.outcome, Refuted):
        because = f" ({with_products(condition.note)})" if condition.note else ""
        said = f"The databases of [[{place}]] are neighbours that show it{because}."
        return [Paragraph(said)]
    if isinstance(condition.outcome, Proved):
        return [Paragraph(_condition_proof(condition, notation))]
    return [Paragraph(f"Reason: {plain(condition.reason)}.")] if condition.reason else []


def _both_ways(condition: Condition, notation: Notation) -> list[Block]:
    """Return why a condition that is false holds exactly for some labels."""
    weakest = condition.labels
    if not isinstance(weakest, Weakest):
        return []
    if condition.name == "commutes":
        said = _COMMUTES.format("The sum is bounded so exactly when C1 and C2 hold: d")
        return [Paragraph(said)]
    assumed = _condition_proof(condition, notation, " and the condition on the blocks say")
    first = f"*Sufficient.* Let the condition hold. {assumed}"
    return [Paragraph(first), *(Paragraph(one) for one in needed(condition, weakest, notation))]


_COMMUTES: Final = (
    "{}istances are whole numbers, and $d$ is the path metric of the neighbours, so that it is "
    "enough to look at one step: there at most one distance is $1$, by conditions C1 and C2, and "
    "the others are $0$."
)


def _condition_proof(condition: Condition, notation: Notation, say: str = " says") -> str:
    """Return why a condition holds; ``say``: what the edit, and what else is assumed, says."""
    problem = notation.problem
    if condition.name == "commutes":
        return _COMMUTES.format("D")
    if condition.name == "sensitivity":
        part = _part(notation, condition.about)
        if part.setting == "common" and say == " says":
            return "The images of neighbours are equal, or neighbours in the pushforward."
        if part.setting == "common":
            return (
                f"Suppose that the images of neighbours in a block were neither equal nor "
                f"neighbours in the pushforward. What the edit{say} of the records at hand "
                f"contradicts this: {notation.impossible}."
            )
        inner = notation.symbols.relation(part.granularity.name)
        return (
            f"Suppose that the image changed, and that no edit of ${inner}$ with parameters among "
            f"the records at hand led from one image to the other: {notation.impossible}."
        )
    mapping = problem.used_maps[condition.about]
    if condition.name == "partition":
        inside = _together(
            [notation.condition(mapping.member, {"c": "c", **_at(mapping, j)}) for j in (1, 2)]
        )
        note = f" Moreover, {with_products(condition.note)}." if condition.note else ""
        return (
            f"Suppose that a cell $c$ lay in the different blocks {_blocks_of(mapping, 2)}: "
            f"{inside}; {notation.impossible}.{note}"
        )
    inside = _together(
        [
            f"{notation.condition(mapping.member, {'c': f'c_{j}', **_at(mapping, j)})}, "
            f"$D(c_{j}) \\neq D'(c_{j})$"
            for j in (1, 2)
        ]
    )
    return (
        f"Suppose that the different blocks {_blocks_of(mapping, 2)} changed, and choose in each "
        f"of them a cell where $D$ and $D'$ differ: {inside}. What the edit{say} of the cells that "
        f"it names and of $c_1$ and $c_2$ contradicts this: {notation.impossible}."
    )
