"""Why a condition on labels is necessary: the databases that fail where it does, as prose."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dpcomp_sym.engine import Condition
from dpcomp_sym.engine.clauses import Clause, Needed, Says, Weakest, WrittenPair
from dpcomp_sym.engine.relations import X, Y, spoken
from dpcomp_sym.report.document import listed
from dpcomp_sym.report.setting import Notation
from dpcomp_sym.terms import BOOL, TRUE, Term, conjuncts, variable
from dpcomp_sym.terms.term import integer

__all__ = ["needed"]

MOST_PAIRS: Final = 4
"""More pairs of databases are described together."""
_SAME: Final = Term("eq", (X, Y), BOOL)
_OTHER: Final = Term("ne", (X, Y), BOOL)
_NONE: Final = integer(0)


def needed(condition: Condition, weakest: Weakest, notation: Notation) -> Iterator[str]:
    """Yield, as marked prose, why C1 or C2 fails wherever the condition does.

    Args:
        condition: C1 of a map, or C2 of a part.
        weakest: the condition on the labels.
        notation: of the article.
    """
    shown = _Shown(condition, weakest, notation)
    several = len(weakest.needed) > 1
    same = {one.clause for one in weakest.needed} == set(weakest.clauses)
    start = "*Necessary.* " + ("Where the condition fails, a part of it does. " if several else "")
    if not same:
        start += (
            "Where the condition fails, there are records as described next. Suppose that there "
            f"were not: {notation.impossible}. "
        )
    for number, one in enumerate(weakest.needed):
        yield (start if number == 0 else "") + shown.paragraph(one)


class _Shown:
    """The words for what shows that clauses are necessary."""

    def __init__(self, condition: Condition, weakest: Weakest, notation: Notation) -> None:
        self.weakest = weakest
        self.notation = notation
        self.letters = weakest.letters()
        self.harm = _harm(condition, notation)

    def paragraph(self, one: Needed) -> str:
        """Return that some databases do harm, wherever records break a clause."""
        return f"{self.broken(one.clause)} {self.pairs(one)}"

    def broken(self, clause: Clause) -> str:
        """Return that records break a clause."""
        x, y = (f"${letter}$" for letter in self.letters)
        alone = _one_record(clause)
        who = f"a record {x}" if alone else f"records {x} and {y}"
        related = "" if clause.relation in (TRUE, _SAME) else f", {self.relation(clause)},"
        match clause.says:
            case Says.TOGETHER if alone:
                how = f"Let {who}{related} lie in two different blocks."
            case Says.TOGETHER:
                how = (
                    f"Let {who}{related} lie in different blocks: one block holds {x} or {y}, and "
                    f"so does another."
                )
            case Says.ALIKE:
                how = f"Let a block hold only one of {who}{related.removesuffix(',')}."
            case Says.APART:
                how = f"Let a block hold {who}{related.removesuffix(',')}."
            case Says.OUTSIDE:
                how = f"Let a block hold {who}{related.removesuffix(',')}."
        return how

    def relation(self, clause: Clause) -> str:
        """Return how the records of a clause are related."""
        some = listed(
            [f"${self.notation.formula(variable(g.name, g.sort))}$" for g in clause.given]
        )
        formula = self.notation.condition(spoken(clause.relation, self.letters))
        return f"with {formula} for some {some}" if clause.given else f"with {formula}"

    def pairs(self, one: Needed) -> str:
        """Return which databases show it."""
        framed = self.notation.problem.outer.edits[one.edit - 1].frame is not None
        written = [self.pair(one.clause, pair, framed=framed) for pair in one.pairs]
        shown = [text for text in written if text is not None]
        which = "" if len(self.notation.problem.outer.edits) == 1 else f" by edit ({one.edit})"
        harm = f"are neighbours{which} in $\\mathbb{{D}}$, {self.harm}"
        if len(written) > MOST_PAIRS or len(shown) < len(written):
            copies = " and of ".join(f"${letter}$" for letter in self.letters)
            besides = " alone" if len(shown) == len(written) else ", and few other records,"
            number = f"one of {len(written)} pairs of" if len(written) > 1 else "two"
            said = f"Then {number} databases of few copies of {copies}{besides} {harm}"
        elif len(shown) == 1:
            said = f"Then {shown[0]} {harm}"
        else:
            said = f"Then the databases of one of these pairs {harm}: {'; '.join(shown)}"
        return f"{said}. Suppose otherwise: {self.notation.impossible}."

    def pair(self, clause: Clause, pair: WrittenPair | None, *, framed: bool) -> str | None:
        """Return two databases as formulas; None where they have none."""
        if pair is None:
            return None
        one, both = _one_record(clause), _OTHER in conjuncts(clause.relation)
        known = pair if both else _if_one(pair, framed=framed, one=one)
        if known is None:
            return None
        first, second = map(self.database, (known.before, known.after))
        # Of two records that are one, what is written first counts: that of x.
        notes = [
            f"the edit's ${self.notation.formula(variable(name, term.sort))}$ is "
            f"${self.notation.formula(spoken(term, self.letters))}$"
            for name, term in pair.values
            if term != variable(name, term.sort)
        ]
        if framed and not both and not one and (known.before[1], known.after[1]) != (_NONE, _NONE):
            x, y = self.letters
            notes.append(f"only ${x}$ counts if ${x} = {y}$")
        return f"$D = {first}$ and $D' = {second}$" + (f" ({', '.join(notes)})" if notes else "")

    def database(self, held: tuple[Term, Term]) -> str:
        """Return a database of copies of the two records as a formula."""
        terms = []
        for letter, number in zip(self.letters, held, strict=True):
            if number == _NONE:
                continue
            times = "" if number.name == "1" else f"{self.notation.formula(number)} \\cdot "
            terms.append(f"{times}\\mathbf{{1}}_{{{letter}}}")
        return " + ".join(terms) or r"\emptyset"


def _harm(condition: Condition, notation: Notation) -> str:
    """Return what neighbours do where a condition fails."""
    if condition.name == "compatibility":
        return "and both blocks differ between them"
    part = next(p for p in notation.problem.bound_parts if p.name == condition.about)
    if part.setting == "common":
        return (
            "and what the block keeps of them is neither equal nor neighbouring in the pushforward"
        )
    inner = notation.symbols.relation(part.granularity.name)
    return (
        f"and no edit of ${inner}$ leads from what the block keeps of one to what it keeps of the "
        "other"
    )


def _one_record(clause: Clause) -> bool:
    """Return whether a clause is about one record."""
    return clause.relation == _SAME or clause.says is Says.OUTSIDE


def _if_one(pair: WrittenPair, *, framed: bool, one: bool) -> WrittenPair | None:
    """Return what a pair is where x and y may be one record, of which x is written first.

    Args:
        pair: the databases.
        framed: whether the numbers after an edit are written, too, and not what it adds.
        one: whether x and y are one record.
    """
    (x, y), (then_x, then_y) = pair.before, pair.after
    if framed:
        return WrittenPair((x, _NONE), (then_x, _NONE), pair.values) if one else pair
    if not one:
        return pair if y == _NONE else None
    if {t.op for t in (y, then_x, then_y)} - {"int"}:
        return None
    total = int(then_x.name) + int(then_y.name) - int(y.name)
    return WrittenPair((x, _NONE), (integer(total), _NONE), pair.values)
