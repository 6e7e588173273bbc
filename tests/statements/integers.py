"""Largest values over integers: drawn, and read back from text; expressions are the others'.

Written for the tests, with nothing of the writers.  Of two ways to say the same that are written
alike, such as ``x - 3`` with the number -3 or with the negative of 3, the one drawn is read.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from typing import ClassVar

from dpcomp_sym import kernel as k
from dpcomp_sym.statements import terms
from tests.statements import readers
from tests.statements.expressions import FAMILIES, SIZES, Expressions, number

LETTERS, INDICES = "tuvxyz", "ij"
TRUE, FALSE = k.Connected("and", ()), k.Connected("or", ())
ONE = number(1)
WORDS = ("lt", "le", "eq", "ne")


def negative(e):
    return k.Integer(-e.value) if isinstance(e, k.Integer) else k.Combined("neg", (e,))


def total(when, sizes, count, value):
    """Return the total over the blocks with a condition, as it is written where all have it."""
    if when == TRUE:
        return k.Worst(sizes, (k.Choice(count, value),)) if sizes else value
    return k.SumOver(sizes, when, count, value)


def largest(free, facts, body):
    if free == 0:
        return body if facts == TRUE else k.SumOver((), facts, ONE, body)
    return k.MaxOver(free, facts, body)


class Integers(Expressions):
    """Draws largest values over integers, as they are read back."""

    def __init__(self, seed):
        super().__init__(seed)
        self.free = self.rng.choice((0, 1, 1, 2))
        self.width = 0
        other = random.Random(f"{seed} functions")
        self.first = other.choice(list(FAMILIES))[0] if self.free and other.random() < 0.3 else None
        """If letters are functions of the first index: its size."""
        week = k.Combined("div", (k.Index(1), k.Integer(2)))
        self.at = (week,) if other.random() < 0.5 else (k.Index(1),)
        """What they take: the index, or a quotient."""

    def whole(self, depth=2):
        """Draw an integer."""
        rng = self.rng
        if depth <= 0 or rng.random() < 0.3:
            known = [k.Symbol(rng.choice(SIZES)), k.Integer(rng.randint(-3, 9))]
            if self.first is None or self.width:
                known += [self.letter(n + 1) for n in range(self.free)] * 2
            known += [k.Index(n + 1) for n in range(self.width)] * 2
            return rng.choice(known)

        def some(many):
            return tuple(self.whole(depth - 1) for _ in range(many))

        word = rng.choice(("add", "add", "mul", "neg", "min", "max", "div", "mod", "pow"))
        if word == "pow":
            return k.Combined("pow", (self.whole(0), self.whole(0)))
        if word == "neg":
            return negative(*some(1))
        items = some(2 if word in ("div", "mod") else rng.randint(2, 3))
        if word == "add" and isinstance(items[0], k.Combined) and items[0].word == "add":
            items = items[0].items + items[1:]
        return k.Combined(word, items)

    def letter(self, number):
        return k.Letter(number) if self.first is None else k.LetterAt(number, self.at)

    def condition(self, depth=2):
        """Draw a condition."""
        rng = self.rng
        if depth <= 0 or rng.random() < 0.4:
            if rng.random() < 0.05:
                return rng.choice((TRUE, FALSE))
            return k.Compared(rng.choice(WORDS), self.whole(), self.whole())
        word = rng.choice(("and", "and", "or", "not"))
        if word == "not":
            return k.Connected("not", (self.condition(depth - 1),))
        items = tuple(self.condition(depth - 1) for _ in range(rng.randint(2, 3)))
        if word == "and" and rng.random() < 0.5:
            items = (*self.chain(), *items)
        return k.Connected(word, items)

    def chain(self):
        low, inside, high = (self.whole(1) for _ in range(3))
        one, two = self.rng.choice(("lt", "le")), self.rng.choice(WORDS)
        return k.Compared(one, low, inside), k.Compared(two, inside, high)

    def leaf(self, sizes):
        if self.rng.random() < 0.15:
            return k.Amount(self.whole())
        return super().leaf(sizes)

    def worst(self, depth):
        """Draw a choice of blocks; nothing in it names an index of a block around it."""
        before, self.width = self.width, 0
        found = super().worst(depth)
        self.width = before
        return found

    def total(self):
        known = FAMILIES if self.first is None else [f for f in FAMILIES if f[0] == self.first]
        sizes = self.rng.choice([*known, ()])
        self.width = len(sizes)
        when = TRUE if self.rng.random() < 0.15 else self.condition()
        if when == TRUE:
            self.width = 0
        value = self.of(2, sizes or None)
        self.width = 0
        count = self.count() if sizes else ONE
        return total(when, sizes, k.Inf() if self.first and sizes else count, value)

    def largest(self):
        facts = TRUE if self.rng.random() < 0.4 else self.condition()
        body = self.total()
        if self.rng.random() < 0.4:
            body = k.Sum((body, self.total()))
        found = largest(self.free, facts, body)
        around = self.rng.randrange(6)
        if around == 0:
            return k.Sum((found, k.Param("a")))
        if around == 1:
            return k.Product((number(2), found))
        return k.Product((found, found)) if around == 2 else found


def largest_of_each(one, others, value):
    """Return the sum, over some indices, of the largest value over another one."""
    at = tuple(k.Index(INDICES.index(x) + 1) for x in others)
    when = k.Compared("eq", k.Index(INDICES.index(one) + 1), k.LetterAt(1, at))
    (sizes,) = k.open_sizes(value)
    return k.MaxOver(1, TRUE, k.SumOver(sizes, when, k.Inf(), value))


class Whole(readers.Reader):
    """Reads integers and conditions; subclasses know the signs."""

    signs: Mapping[str, str]
    opening, closing = "(", ")"
    either, both, negated, truth, falsehood = " or ", " and ", "not ", "true", "false"
    times, remainder, extremes = r"\*", " % ", ("min", "max")

    def integer(self):
        items = [self.term()]
        while found := self.match(r" ([+-]) "):
            item = self.term()
            items.append(negative(item) if found[1] == "-" else item)
        return items[0] if len(items) == 1 else k.Combined("add", tuple(items))

    def term(self):
        if self.taken("-"):
            return negative(self.raised())
        items = (self.raised(),)
        for word, sign in (("div", "//"), ("mod", self.remainder)):
            if self.taken(sign):
                return k.Combined(word, (*items, self.raised()))
        while self.match(self.times):
            items += (self.raised(),)
        return items[0] if len(items) == 1 else k.Combined("mul", items)

    def raised(self):
        base = self.single()
        if self.taken("**"):
            return k.Combined("pow", (base, self.single()))
        if self.taken("^{"):
            exponent = self.integer()
            self.take("}")
            return k.Combined("pow", (base, exponent))
        return base

    def single(self):
        for word, shown in zip(("min", "max"), self.extremes, strict=True):
            if self.taken(shown + self.opening):
                found = self.row(self.integer, ", ")
                self.take(self.closing)
                return k.Combined(word, found)
        if self.taken(self.opening):
            return self.closed(self.integer)
        if self.taken(r"\lfloor "):
            found = self.row(self.raised, " / ")
            self.take(r" \rfloor")
            return k.Combined("div", found)
        if found := self.match(r"\d+"):
            return k.Integer(int(found[0]))
        name = (self.match(r"[a-z]\b") or self.fail("an integer is missing"))[0]
        if name in LETTERS and self.taken("("):
            taken = self.arguments()
            self.take(")")
            return k.LetterAt(LETTERS.index(name) + 1, taken)
        if name in LETTERS:
            return k.Letter(LETTERS.index(name) + 1)
        return k.Index(INDICES.index(name) + 1) if name in INDICES else k.Symbol(name)

    def arguments(self):
        found = [self.integer()]
        while self.taken(","):
            found.append(self.integer())
        return tuple(found)

    def closed(self, read):
        found = read()
        self.take(self.closing)
        return found

    def condition(self):
        items = self.row(self.every, self.either)
        return items[0] if len(items) == 1 else k.Connected("or", items)

    def every(self):
        items = tuple(x for some in self.row(self.some, self.both) for x in some)
        return items[0] if len(items) == 1 else k.Connected("and", items)

    def some(self):
        """Read a condition that stands alone, or a chain of two."""
        for word, said in ((self.truth, TRUE), (self.falsehood, FALSE)):
            if self.taken(word):
                return (said,)
        if self.taken(self.negated):
            self.take(self.opening)
            return (k.Connected("not", (self.closed(self.condition),)),)
        start = self.at
        try:
            return self.compared()
        except ValueError:
            self.at = start
        self.take(self.opening)
        return (self.closed(self.condition),)

    def compared(self):
        left, found = self.integer(), ()
        while word := next((w for w, s in self.signs.items() if self.taken(f" {s} ")), None):
            right = self.integer()
            found += (k.Compared(word, left, right),)
            left = right
        return found or self.fail("a comparison is missing")

    def amount(self):
        found = self.integer()
        self.take(")")
        return k.Amount(found)


class Plain(Whole, readers.Plain):
    """Reads plain characters."""

    signs: ClassVar = {"lt": "<", "le": "<=", "eq": "==", "ne": "!="}

    def atom(self):
        if found := self.match(r"max over (\w(?:, \w)*) (with|of) "):
            facts = TRUE
            if found[2] == "with":
                facts = self.condition()
                self.take(" of ")
            return self.reaches(k.MaxOver(len(found[1].split(", ")), facts, self.product()))
        if found := self.match(r"sum over (\w(?:, \w)*) of max over (\w) of "):
            return self.reaches(largest_of_each(found[2], found[1].split(", "), self.product()))
        start = self.at
        for opening, read in (("max(0, ", self.amount), ("(", self.only), ("", self.conditional)):
            try:
                self.take(opening)
                return read()
            except ValueError:
                self.at = start
        return super().atom()

    def only(self):
        value = self.total()
        self.take(" if ")
        when = self.condition()
        self.take(")")
        return k.SumOver((), when, ONE, value)

    def conditional(self):
        """Read a total over the blocks with a condition."""
        count = ONE
        if self.taken("sum of the "):
            count = self.total()
            self.take(" largest (")
        elif (self.match(r"(max|sum)\(") or self.fail("no total"))[1] == "sum":
            count = k.Inf()
        value = self.total()
        self.take(" for ")
        when = self.condition()
        sizes = self.family() or next(iter(k.open_sizes(value)))
        total = k.SumOver(sizes, when, count, value)
        return total if count in {ONE, k.Inf()} else self.reaches(total)


class Latex(Whole, readers.Latex):
    """Reads LaTeX."""

    signs: ClassVar = {"lt": "<", "le": r"\le", "eq": "=", "ne": r"\neq"}
    opening, closing = r"\left(", r"\right)"
    either, both, negated, truth, falsehood = r" \lor ", r" \land ", r"\lnot ", r"\top", r"\bot"
    times, remainder, extremes = r"\\,| \\cdot ", r" \bmod ", (r"\min", r"\max")

    def atom(self):
        if self.taken(r"\max(0, "):
            return self.amount()
        if self.taken("["):
            when = self.condition()
            self.take(r"] \cdot (")
            value = self.total()
            self.take(")")
            return k.SumOver((), when, ONE, value)
        return super().atom()

    def over_blocks(self):
        start = self.at
        many = r"\\sum_\{(\w)=1\}\^\{\w+\} \\max_\{1 \\le (\w) \\le \w+\} "
        if found := self.match(many):
            return largest_of_each(found[2], [found[1]], self.value())
        sign = self.match(r"\\(?:max|sum)_")[0]
        below = self.below()
        if found := re.match(r"([t-z](?:, [t-z])*)(:\\ .*)?$", below):
            facts = type(self)(found[2][3:]).said() if found[2] else TRUE
            return k.MaxOver(len(found[1].split(", ")), facts, self.value())
        if found := re.match(r"((?:1 \\le \w+ \\le \w+,\\ )+)(.*)$", below):
            sizes = re.findall(r"1 \\le \w+ \\le (\w+)", found[1])
            count = k.Inf() if "sum" in sign else ONE
            return self.with_condition(sizes, found[2], count)
        inside = r"\|S\| \\le (.*?)((?:,\\ [ij] \\le \w+)*),\\ (.*)\\ \\text\{in\}\\ S$"
        if found := re.match(inside, below):
            self.take(r" \sum_")
            self.below()
            sizes = re.findall(r"[ij] \\le (\w+)", found[2])
            return self.with_condition(sizes, found[3], readers.read_latex(found[1]))
        self.at = start
        return super().over_blocks()

    def with_condition(self, sizes, when, count):
        value = self.value()
        known = tuple(int(s) if s.isdigit() else s for s in sizes)
        known = known or next(iter(k.open_sizes(value)))
        return k.SumOver(known, type(self)(when).said(), count, value)

    def said(self):
        found = self.condition()
        return self.fail("more was expected to end") if self.rest() else found


def largest_over_integers(seed):
    """Return the expression of a seed."""
    return without_zero_first(Integers(seed).largest())


def without_zero_first(e):
    """Return an expression without maxima that begin with 0: an amount is written like that."""

    def change(x):
        if isinstance(x, k.Max) and x.items[:1] == (number(0),):
            return without_zero_first(k.Max((ONE, *x.items[1:])))
        return None

    return terms.rewritten(e, change)
