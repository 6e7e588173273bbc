"""What single pairs of neighbours need, of which a bound is the join, in plain characters.

The worst choice of blocks is what the expression of a vector says; a single pair of neighbours
makes one choice, which is named: "for each i", "for each set S of 3 blocks".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dpcomp_sym.algebra.guarantees import Touched
from dpcomp_sym.statements import Expr, MaxOver, Where, subterms
from dpcomp_sym.statements.integers import letters_for
from dpcomp_sym.statements.plain import Plain, ranges
from dpcomp_sym.statements.render import Blocks, Level, Written, letters, render

__all__ = ["GuaranteeCases", "RecordBudget", "Single", "of_single_neighbours"]


@dataclass(frozen=True, slots=True)
class RecordBudget:
    """What the blocks of a map add that share ``most`` records.

    ``rows``: what a block adds that has one record of them, two, and so on, up to as many as one
    block may have.  ``alone``: one part reads the map, so that larger parameters add more.
    """

    rows: tuple[Touched, ...]
    most: int
    alone: bool


@dataclass(frozen=True, slots=True)
class Single:
    """What neighbours need who change in one way.

    Attributes:
        guarantee: their guarantee, with the worst choice of blocks for each parameter.
        touched: which blocks they touch, and what these add.
        shared: where blocks share records, what their numbers may be, in words.
        budget: the same in numbers, for a map; None if blocks share none, or it is not known.
        together: each choice of integers, of which ``guarantee`` names the worst, is one way.
    """

    guarantee: tuple[Expr, ...]
    touched: tuple[Touched, ...]
    shared: tuple[str, ...] = ()
    budget: RecordBudget | None = None
    together: bool = False


GuaranteeCases = Sequence[tuple[Where, Sequence[Single]]]
"""What neighbours need, for each range of sizes."""


def of_single_neighbours(guarantees: GuaranteeCases) -> str | None:
    """Return the guarantees that single pairs of neighbours need, None if that is one for all.

    >>> from fractions import Fraction
    >>> from dpcomp_sym.statements import Choice, BlockEntry, Num, Worst
    >>> three = [Worst(("k",), (Choice(Num(Fraction(3)), BlockEntry(name, ("k",))),))
    ...     for name in ("eps", "delta")]
    >>> of_single_neighbours([((), [Single(tuple(three), ())])])
    '(sum over i in S of eps[i], sum over i in S of delta[i]) for each set S of 3 blocks'
    """
    rows = [
        (where, [_of_one(*one) for one in dict.fromkeys((s.guarantee, s.shared) for s in each)])
        for where, each in guarantees
    ]
    if not all(_share_letters(one.guarantee) for _, each in guarantees for one in each):
        return None
    if all(len(each) == 1 and not choices for _, each in rows for _, choices in each):
        return None
    texts = ["; ".join(text + _for(choices) for text, choices in each) for _, each in rows]
    if len(set(texts)) == 1:
        return texts[0]
    named = zip(texts, (where for where, _ in rows), strict=True)
    return "; ".join(f"{text} for {ranges(where) or 'all'}" for text, where in named)


def _of_one(guarantee: Sequence[Expr], shared: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    writer = _Chosen()
    text = ", ".join(render(e, writer, Level.SUM) for e in guarantee)
    return f"({text})", tuple(dict.fromkeys((*writer.choices, *shared)))


def _for(choices: Sequence[str]) -> str:
    return f" for each {' and each '.join(choices)}" if choices else ""


def _share_letters(guarantee: Sequence[Expr]) -> bool:
    """Return whether the integers that are chosen are called the same everywhere."""
    names = {
        tuple(letters_for(x, x.free, 0, letters))
        for e in guarantee
        for x in subterms(e)
        if isinstance(x, MaxOver)
    }
    return len(names) < 2


class _Chosen(Plain):
    """Writes the sum over blocks that were chosen, and keeps what the choices are."""

    def __init__(self) -> None:
        self.choices: list[str] = []

    def largest(self, blocks: Blocks, value: Written) -> Written:
        if not blocks.named:
            return value
        self.choices.append(_index(blocks))
        return value

    def most(self, count: str, blocks: Blocks, value: Written, ordered: str | None) -> Written:
        if not blocks.named:
            return super().most(count, blocks, value, ordered)
        self.choices.append(f"set S of {count} blocks")
        return _over("S", blocks, value, self)

    def over_integers(self, names: Sequence[str], facts: str, body: Written) -> Written:
        self.choices.append(", ".join(names) + (f" with {facts}" if facts else ""))
        return body

    def over_choices(self, times: str, names: Sequence[str], facts: str, body: Written) -> Written:
        of = ", ".join(names) + (f" with {facts}" if facts else "")
        self.choices.append(f"{times} choices of {of}")
        return body

    def different(self, names: Sequence[str], body: str) -> Written:
        pair = len(names) == 2
        self.choices.append(" != ".join(names) if pair else f"different {', '.join(names)}")
        return Written(body, Level.SUM)

    def groups(self, blocks: Blocks, items: Sequence[tuple[str | None, Written]]) -> Written:
        names = [chr(ord("A") + n) for n in range(len(items))]
        limits = [
            f"|{name}| <= {count}"
            for name, (count, _) in zip(names, items, strict=True)
            if count is not None
        ]
        listed = f" with {', '.join(limits)}" if limits else ""
        self.choices.append(f"disjoint {', '.join(names)}{listed}")
        sums = [
            self.fitted(_over(name, blocks, value, self), Level.PRODUCT)
            for name, (_, value) in zip(names, items, strict=True)
        ]
        return Written(" + ".join(sums), Level.SUM)


def _index(blocks: Blocks) -> str:
    index = ", ".join(blocks.letters)
    return f"({index})" if len(blocks.letters) > 1 else index


def _over(name: str, blocks: Blocks, value: Written, writer: Plain) -> Written:
    of = writer.fitted(value, Level.PRODUCT)
    return Written(f"sum over {_index(blocks)} in {name} of {of}", Level.OPEN)
