"""At which place of one maximum over integers the blocks of a place of another one may be."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Final

from dpcomp_sym import kernel as k
from dpcomp_sym.claims.alike import Form, compared_forms, integer_of
from dpcomp_sym.statements.places import arguments_of_letters, letter_here, totals_of
from dpcomp_sym.statements.terms import rewritten

__all__ = ["substitutions"]

MOST_TRIED: Final = 60
"""So many places are tried for one maximum in another."""
Letters = tuple[k.Whole, ...]


def substitutions(inner: k.MaxOver, outer: k.MaxOver) -> list[Letters]:
    """Return what the letters of ``outer`` may be, as integers in those of ``inner``.

    Where an end of the blocks in one meets an end of those in the other, the letter between them
    is known.  It is then put between what the facts allow.  Letters that are functions of indices
    are integers in the block at hand: they can be made of letters that are integers everywhere, or
    functions of the same indices.  A letter that is an integer everywhere is made of such ones.

    Raises:
        KernelError: the values are no totals over blocks, or conditions are not on integers.

    >>> t, i, plus = k.Letter(1), k.Index(1), lambda *items: k.Combined("add", items)
    >>> def window(start, end):
    ...     inside = k.Connected("and", (k.Compared("le", start, i), k.Compared("lt", i, end)))
    ...     total = k.SumOver(("k",), inside, k.Inf(), k.BlockEntry("eps", ("k",)))
    ...     return k.MaxOver(1, k.Connected("and", ()), total)
    >>> two, before = window(t, plus(t, k.Integer(2))), window(plus(t, k.Integer(-3)), t)
    >>> from dpcomp_sym.statements.integers import PLAIN_SIGNS, Naming
    >>> [Naming(PLAIN_SIGNS).integer(*at) for at in substitutions(two, before)]
    ['3 + p1', '4 + p1', '1 + p1', '2 + p1', 'p1']
    """
    own, others = _ends(inner, 0), _ends(outer, inner.free)
    facts = compared_forms(_moved(outer.facts, inner.free))
    alone = [f for _, f in facts] + [f for forms in others.values() for f in forms]
    depends, own_depends = arguments_of_letters(outer), arguments_of_letters(inner)
    each = []

    def may_be(x: k.Whole, letter: k.Letter) -> bool:
        at = {*depends.get(letter.number - inner.free, ())}
        named = (y.number for y in k.subterms(x) if isinstance(y, k.Letter))
        return all({*own_depends.get(n, ())} <= at for n in named)

    for letter in (k.Letter(inner.free + n) for n in range(1, outer.free + 1)):
        same: list[k.Whole] = [k.Letter(n) for n in range(1, letter.number) if n <= inner.free]
        met = [*_meeting(own, others, letter), *alone]
        found = [x for form in met for x in _solved(form, letter, inner.free)]
        some = [*found, *same] or [k.Integer(0)]
        some += [_multiple(x, n) for x in some for n in _divisors(outer)]
        placed = (_between(x, facts, letter, inner.free) for x in dict.fromkeys(some))
        each.append(dict.fromkeys(x for x in placed if may_be(x, letter)))
    return list(itertools.islice(itertools.product(*each), MOST_TRIED))


Ends = dict[k.Sizes, list[Form]]
"""Where the conditions of totals over some blocks end, as forms that are 0 there."""


def _ends(e: k.MaxOver, shift: int) -> Ends:
    found: Ends = {}
    for total in totals_of(e.body):
        forms = [form for _, form in compared_forms(_moved(total.when, shift))]
        found.setdefault(total.sizes, []).extend(forms)
    return found


def _moved(p: k.Predicate, shift: int) -> k.Predicate:
    """Return a condition with letters from another number on; functions are integers here."""

    def change(x: k.KernelTerm) -> k.KernelTerm | None:
        here = letter_here(x) or x
        return k.Letter(here.number + shift) if isinstance(here, k.Letter) else None

    return rewritten(p, change)


def _meeting(own: Ends, others: Ends, letter: k.Letter) -> Iterator[Form]:
    """Yield forms that are 0 where ends meet, without the index of the block that is there."""
    for sizes, forms in others.items():
        for outer, inner in itertools.product(forms, own.get(sizes, ())):
            for n in range(1, len(sizes) + 1):
                if (letter,) in outer and (k.Index(n),) in outer and (k.Index(n),) in inner:
                    yield _without(outer, inner, k.Index(n))


def _without(outer: Form, inner: Form, index: k.Index) -> Form:
    """Return a form that is 0 where two are, without an index that they have."""
    a, b = outer[index,], inner[index,]
    found = {m: b * c for m, c in outer.items()}
    for m, c in inner.items():
        found[m] = found.get(m, 0) - a * c
    return {m: c for m, c in found.items() if c}


def _solved(form: Form, letter: k.Letter, free: int) -> Iterator[k.Whole]:
    """Yield the integers on both sides of where a form is 0; none where it has other unknowns."""
    factor = form.get((letter,), 0)
    rest = {m: c for m, c in form.items() if m != (letter,)}
    if not factor or any(_unknown(x, free) for m in rest for x in m):
        return
    for more in dict.fromkeys((0, abs(factor) - 1)):
        whole = {m: -c if factor > 0 else c for m, c in rest.items()}
        whole[()] = whole.get((), 0) + more
        up = integer_of({m: c for m, c in whole.items() if c})
        yield up if abs(factor) == 1 else k.Combined("div", (up, k.Integer(abs(factor))))


def _divisors(e: k.MaxOver) -> list[k.Integer]:
    """Return the numbers by which something is divided."""
    quotients = [x for x in k.subterms(e) if isinstance(x, k.Combined) and x.word in {"div", "mod"}]
    return list(dict.fromkeys(x.items[1] for x in quotients if isinstance(x.items[1], k.Integer)))


def _multiple(e: k.Whole, by: k.Integer) -> k.Whole:
    """Return the last multiple of a number up to an integer."""
    return k.Combined("mul", (by, k.Combined("div", (e, by))))


def _unknown(e: k.Whole, free: int) -> bool:
    """Return whether an integer is about indices, or about letters above a number."""
    return any(
        isinstance(x, k.Index) or (isinstance(x, k.Letter) and x.number > free)
        for x in k.subterms(e)
    )


def _between(
    e: k.Whole, facts: Sequence[tuple[str, Form]], letter: k.Letter, free: int
) -> k.Whole:  # fmt: skip
    """Return an integer, or the nearest one that facts about its letter alone allow."""
    for word, form in facts:
        factor = form.get((letter,), 0)
        ends = list(_solved(form, letter, free))
        if ends and word == "le":
            extreme = ("min", ends[0]) if factor > 0 else ("max", ends[-1])
            e = k.Combined(extreme[0], (e, extreme[1]))
    return e
