"""Claimed bounds: Python-like expressions, read with a whitelist and never evaluated.

Understood: numbers, the parameters of the parts, sizes such as ``k``, ``+``, ``*``, division by a
number, whole powers, ``sqrt``, ``exp``, ``growth(eps, r)``, ``min``, and over the blocks
``max(eps[i])``, ``sum(eps[i])``, ``top(3, eps)``.  Different letters are different blocks:
``max(eps[i] + eps[j])``.  A pair ``(…, …)`` is a claim about (ε, δ).

Bounds that are maxima over integers are read as they are printed: ``max over t of sum(eps[i] for
t <= i < t + w)``.  :mod:`printed` turns that into Python's words, which are read here.
"""

from __future__ import annotations

import ast
import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Final

from dpcomp_sym import kernel as k
from dpcomp_sym.algebra.polynomials import normal
from dpcomp_sym.claims.integers import IntegerNames, names_in
from dpcomp_sym.claims.printed import in_python
from dpcomp_sym.errors import InputError, nearest
from dpcomp_sym.model import Problem
from dpcomp_sym.notions import NOTIONS, usual_parameters
from dpcomp_sym.spec.values import rational
from dpcomp_sym.statements.integers import TRUE
from dpcomp_sym.statements.latex import latex_text
from dpcomp_sym.terms.syntax import tree_of

__all__ = ["Claim", "read_claim"]

MAX_LENGTH: Final = 1000
MAX_POWER: Final = 8
MAX_ITEMS: Final = 64
MAX_TERMS: Final = 400
_ONE: Final = k.Num(Fraction(1))
_FUNCTIONS: Final = ("max", "min", "sum", "top", "sqrt", "exp", "growth")

Letters = tuple[str, ...]
Open = dict[Letters, list[k.Expr]]
"""Terms of a sum, by the letters of the block that they are about; () for none."""


@dataclass(frozen=True)
class Claim:
    """A claimed bound.

    ``parameters`` has, for each parameter of the notion, the expressions of which the least one
    is claimed (one, unless ``min`` was used).  ``letters`` is the largest number of different
    blocks that one maximum is about.
    """

    text: str
    notion: str
    parameters: tuple[tuple[k.Expr, ...], ...]
    letters: int = 1

    @property
    def latex(self) -> str:
        """The formula in LaTeX, a pair in parentheses."""
        each = []
        for items in self.parameters:
            shown = [latex_text(item) for item in items]
            each.append(shown[0] if len(shown) == 1 else rf"\min\{{{', '.join(shown)}\}}")
        return each[0] if len(each) == 1 else rf"\left({', '.join(each)}\right)"

    @property
    def sizes(self) -> frozenset[str]:
        """The sizes that stand in the formulas as numbers."""
        return frozenset(t.name for t in _inside(self.parameters) if isinstance(t, k.Size))


def read_claim(
    text: str, problem: Problem, notion: str | None = None,
    numbers: Mapping[str, int] | None = None,
) -> Claim:  # fmt: skip
    """Read a claim about a problem.

    Args:
        text: the claim.
        problem: its parts say which parameters there are.
        notion: the name of a notion, where the parameters do not tell.
        numbers: by symbol, what it stands for in the claim.

    Raises:
        InputError: the claim cannot be read, names something unknown, or its notion is not clear.

    >>> from dpcomp_sym.model import Domain, Part, library_granularity, library_map
    >>> problem = Problem(Domain({"id": "Record"}), library_granularity("bounded"),
    ...     [library_map("partition", name="blocks")], [Part("counts", "blocks")])
    >>> claim = read_claim("max(eps[i] + eps[j])", problem)
    >>> claim.notion, claim.parameters[0][0].text()
    ('pure', 'sum of the 2 largest eps[i]')
    """
    try:
        return _read(text, problem, notion, numbers or {})
    except InputError as error:
        raise error.within("--claim") from None


def _read(text: str, problem: Problem, notion: str | None, numbers: Mapping[str, int]) -> Claim:
    shown = " ".join(text.split())
    if not shown:
        raise InputError('the claim is empty; give a formula such as "max(eps[i])"')
    if len(shown) > MAX_LENGTH:
        raise InputError(f"a claim may have {MAX_LENGTH} characters, this one has {len(shown)}")
    try:
        source = in_python(shown)
        tree = tree_of(source)
    except (RecursionError, MemoryError):
        raise InputError("the claim is nested too deeply") from None
    nodes = tree.elts if isinstance(tree, ast.Tuple) else [tree]
    if len(nodes) not in (1, 2):
        raise InputError(f"a claim is one formula or a pair (epsilon, delta), not {len(nodes)}")
    reader = _Reader(shown, source, problem, numbers)
    try:
        found = tuple(tuple(reader.closed(node)) for node in nodes)
    except RecursionError:
        raise InputError("the claim is nested too deeply") from None
    except k.KernelError as error:
        raise InputError(f"'{shown}' is not a bound: {error}") from None
    known = _notion(problem, [_names(items) for items in found], notion, shown)
    return Claim(shown, known, found, reader.letters)


def _terms(e: k.Expr) -> int:
    """Return the number of terms of an expression that is multiplied out, or a little more."""
    match e:
        case k.Sum(items):
            return sum(map(_terms, items))
        case k.Product(items):
            return math.prod(map(_terms, items))
        case _:
            return 1


def _inside(items: object) -> Iterator[k.KernelTerm]:
    """Yield all terms inside, and the terms themselves."""
    if isinstance(items, tuple):
        for item in items:
            yield from _inside(item)
    if isinstance(items, k.KernelTerm):
        yield items
        for field in fields(items):
            yield from _inside(getattr(items, field.name))


def _letters(node: ast.expr, families: Mapping[str, k.Sizes]) -> set[Letters]:
    """Return the letters of the blocks that a value is about."""
    found = set()
    for x in ast.walk(node):
        if isinstance(x, ast.Subscript) and names_in(x.value) & set(families):
            nodes = x.slice.elts if isinstance(x.slice, ast.Tuple) else [x.slice]
            found.add(tuple(n.id for n in nodes if isinstance(n, ast.Name)))
    return found - {()}


def _names(items: object) -> set[str]:
    return {t.name for t in _inside(items) if isinstance(t, k.Param | k.BlockEntry | k.EntryOf)}


def _notion(problem: Problem, names: Sequence[set[str]], asked: str | None, text: str) -> str:
    """Return the notion of which the claim speaks, from the parameters that it names."""
    usable: dict[str, list[set[str]]] = {}
    for part in problem.bound_parts:
        for notion, parameters in part.guarantees:
            slots = usable.setdefault(notion, [set() for _ in parameters])
            for position, parameter in enumerate(parameters):
                if isinstance(parameter, str):
                    slots[position].add(parameter)
    fitting = [n for n, ps in usual_parameters().items() if len(ps) == len(names)]
    if asked is not None:
        if asked not in NOTIONS:
            raise InputError(f"unknown notion '{asked}'; {nearest(asked, NOTIONS)}", word=asked)
        if asked not in fitting:
            needed = ", ".join(NOTIONS[asked].parameters)
            raise InputError(f"a claim about {asked} privacy is about ({needed})", word=asked)
        return asked
    if len(names) > 1 and len(fitting) == 1:
        return fitting[0]
    used = set().union(*names)
    found = [n for n in fitting if n in usable and used <= set().union(*usable[n])]
    if used and not found:
        for known in (n for n in usable if len(usable[n]) > len(names)):
            pair = NOTIONS[known].parameter.replace(",", ", ")
            if used <= usable[known][0]:
                raise InputError(f"the parts are ({pair}) private: claim a pair, ({text}, …)")
            if used & usable[known][1]:
                first, second = NOTIONS[known].parameters
                article = "an" if first[0] in "aeiou" else "a"
                raise InputError(
                    f"a {second} has {article} {first} beside it: claim a pair, (…, {text})"
                )
        raise InputError(f"'{text}' mixes parameters of different notions: "
                         f"{', '.join(sorted(used))}")  # fmt: skip
    if len(found) != 1:
        said = " or ".join(f"--notion {n}" for n in found or fitting)
        raise InputError(f"'{text}' does not tell in which notion it is meant: add {said}")
    return found[0]


class _Reader:
    def __init__(
        self, text: str, source: str, problem: Problem, numbers: Mapping[str, int]
    ) -> None:
        self.text, self.source = text, source
        self.letters = 1
        self.sizes: dict[str, k.Sizes] = {}
        for part in problem.bound_parts:
            sizes = tuple(size for _, size in part.map.indices)
            for _, parameters in part.guarantees:
                self.sizes.update({p: sizes for p in parameters if isinstance(p, str)})
        self.symbols = set(problem.symbols)
        self.numbers = numbers
        self.scope = IntegerNames(self.symbols, self.fail)

    def fail(self, message: str, node: ast.expr | None = None) -> InputError:
        word = self.text if node is None else ast.unparse(node)
        return InputError(f"{message} (in '{self.text}')", word=word)

    # ------------------------------------------------------------- outside maxima over blocks

    def closed(self, node: ast.expr) -> list[k.Expr]:
        """Return the expressions of which the least is meant."""
        told = self.with_integers(node)
        if told is not None:
            return [told]
        match node:
            case ast.BinOp(op=ast.Add(), left=left, right=right):
                return self.each(k.Sum, [self.closed(left), self.closed(right)])
            case ast.BinOp(op=ast.Mult(), left=left, right=right):
                return self.each(k.Product, [self.closed(left), self.closed(right)])
            case ast.BinOp(op=ast.Div(), left=left, right=right):
                return self.each(k.Product, [self.closed(left), [self.divisor(right)]])
            case ast.BinOp(op=ast.Pow(), left=left, right=right):
                return self.each(k.Product, [self.closed(left)] * self.power(right))
            case ast.Call(func=ast.Name(id="min"), args=args, keywords=[]) if len(args) > 1:
                return [e for a in args for e in self.closed(a)]
            case ast.Call(func=ast.Name(id="max"), args=args, keywords=[]) if len(args) > 1:
                return self.each(k.Max, [self.over_blocks(a) for a in args])
            case ast.Call(func=ast.Name(id="max"), args=[inside], keywords=[]):
                return self.over_blocks(inside)
            case ast.Call(func=ast.Name(id="sum"), args=[inside], keywords=[]):
                return [self.chosen(inside, k.Inf(), "sum")]
            case ast.Call(func=ast.Name(id="top"), args=[number, inside], keywords=[]):
                return [self.chosen(inside, self.several(number), "top")]
            case ast.Call(func=ast.Name(id="sqrt"), args=[inside], keywords=[]):
                return [k.Sqrt(e) for e in self.closed(inside)]
            case ast.Call(func=ast.Name(id="exp"), args=[inside], keywords=[]):
                return [self.power_of_e(e, node) for e in self.closed(inside)]
            case ast.Call(func=ast.Name(id="growth"), args=[eps, r], keywords=[]):
                return [k.Apply("growth", (e, self.count(r))) for e in self.closed(eps)]
            case ast.Subscript(value=ast.Name(id=name), slice=index):
                numbered = self.numbered(name, index)
                if numbered is not None:
                    return [numbered]
                self.block(name, index, node)
                said = ast.unparse(node)
                raise self.fail(
                    f"'{said}' is about one block: say which, as in max({said}) or sum({said})",
                    node,
                )
            case _:
                return [self.leaf(node)]

    def each(
        self, kind: type[k.Sum | k.Product | k.Max], options: Sequence[Sequence[k.Expr]]
    ) -> list[k.Expr]:
        if math.prod(map(len, options)) > MAX_ITEMS:
            raise self.fail(f"more than {MAX_ITEMS} combinations of minima")
        return [self.short(kind(tuple(choice))) for choice in itertools.product(*options)]

    def short(self, e: k.Expr) -> k.Expr:
        """Return an expression, unless it is very long when it is multiplied out."""
        self.not_many(_terms(e))
        return e

    def not_many(self, terms: int) -> None:
        if terms > MAX_TERMS:
            raise self.fail(f"the claim has more than {MAX_TERMS} terms when it is multiplied out")

    def leaf(self, node: ast.expr) -> k.Expr:
        match node:
            case ast.Constant(value=int() | float()) if not isinstance(node.value, bool):
                return k.Num(self.number(node))
            case ast.Name(id=name) if name in self.scope.bound:
                raise self.fail(f"'{name}' stands for integers that can be negative: they are in "
                                "conditions, or in max(0, …)", node)  # fmt: skip
            case ast.Name(id="inf"):
                return k.Inf()
            case ast.Name(id=name) if name in self.sizes:
                if self.sizes[name]:
                    raise self.fail(f"'{name}' has one value for each block: say max({name}[i]), "
                                    f"sum({name}[i]) or top(2, {name})", node)  # fmt: skip
                return k.Param(name)
            case ast.Name(id=name) if name in self.symbols:
                known_number = self.numbers.get(name)
                return k.Size(name) if known_number is None else k.Num(Fraction(known_number))
            case ast.Name(id=name):
                known = nearest(name, {*self.sizes, *self.symbols, *_FUNCTIONS})
                raise self.fail(f"unknown name '{name}'; {known}", node)
            case ast.Call(func=ast.Name(id=name)) if name in _FUNCTIONS:
                said = {"sum": "sum(eps[i])", "top": "top(3, eps)", "sqrt": "sqrt(mu)",
                        "exp": "exp(eps)", "growth": "growth(eps, 2)"}  # fmt: skip
                raise self.fail(f"'{name}' is written {said.get(name, f'{name}(…, …)')}", node)
            case ast.Call(func=ast.Name(id=name)):
                raise self.fail(f"unknown function '{name}'; {nearest(name, _FUNCTIONS)}", node)
            case ast.BinOp(op=ast.Sub(), left=left, right=right):
                return self.difference(left, right, node)
            case ast.UnaryOp(op=ast.USub()):
                raise self.fail("a claim is made of numbers that are not negative", node)
            case ast.Tuple():
                raise self.fail("a pair (epsilon, delta) stands alone", node)
            case _:
                pass
        raise self.fail(
            f"'{ast.unparse(node)}' is not part of a claim; allowed are numbers, parameters, "
            f"sizes, + * /, powers, and {', '.join(_FUNCTIONS)}", node,
        )  # fmt: skip

    def number(self, node: ast.Constant) -> Fraction:
        return rational(ast.get_source_segment(self.source, node) or str(node.value))

    def difference(self, left: ast.expr, right: ast.expr, node: ast.expr) -> k.Expr:
        """Return the difference of two numbers."""
        if not any(isinstance(x, ast.Name) for x in ast.walk(node)):
            match [normal(e) for side in (left, right) for e in self.closed(side)]:
                case [k.Num(larger), k.Num(smaller)] if larger >= smaller:
                    return k.Num(larger - smaller)
                case _:
                    pass
        raise self.fail(
            "nothing is subtracted but a number from a larger number: a claim grows with its "
            "parameters and sizes, as sums, products and maxima do", node,
        )  # fmt: skip

    def with_letters(self) -> str:
        """Return the claim with a letter for each number of a block, in a maximum."""
        numbers = dict.fromkeys(re.findall(r"\[\s*(\d+)\s*\]", self.text))
        letters = dict(zip(numbers, "ijlmnopq", strict=False))
        if len(letters) < max(1, len(numbers)):
            return "max(eps[i])"
        said = re.sub(r"\[\s*(\d+)\s*\]", lambda m: f"[{letters[m[1]]}]", self.text)
        return said if "(" in said else f"max({said})"

    def divisor(self, node: ast.expr) -> k.Expr:
        (value, *_) = self.closed(node)
        value = normal(value)
        if not isinstance(value, k.Num) or value.value == 0:
            raise self.fail(f"'{ast.unparse(node)}' is not a number to divide by", node)
        return k.Num(1 / value.value)

    def power(self, node: ast.expr) -> int:
        match node:
            case ast.Constant(value=int(n)) if 1 <= n <= MAX_POWER:
                return n
            case _:
                pass
        raise self.fail(f"a power is a whole number from 1 to {MAX_POWER}", node)

    def power_of_e(self, exponent: k.Expr, node: ast.expr) -> k.Expr:
        if any(isinstance(t, k.Apply) for t in _inside(exponent)):
            raise self.fail("an exponent has neither exp nor growth in it", node)
        return k.Apply("exp", (exponent,))

    def count(self, node: ast.expr) -> k.Expr:
        (value, *more) = self.closed(node)
        value = normal(value)
        if more or not (k.is_whole(value) or isinstance(value, k.Amount)):
            raise self.fail(f"'{ast.unparse(node)}' is not a whole number", node)
        return value

    def several(self, node: ast.expr) -> k.Expr:
        """Return a number of blocks: one that letters say has none below 0."""
        if not names_in(node) & set(self.scope.letters or ()):
            return self.count(node)
        inside = node.args[-1] if isinstance(node, ast.Call) and self.is_amount(node) else node
        return k.Amount(self.scope.integer(inside))

    # ------------------------------------------------------------- inside

    def over_blocks(self, node: ast.expr) -> list[k.Expr]:
        """Return a maximum over all choices of different blocks for the letters."""
        match node:
            case ast.Call(func=ast.Name(id="sqrt"), args=[inside], keywords=[]):
                return [k.Sqrt(e) for e in self.over_blocks(inside)]
            case ast.Name(id=name) if self.sizes.get(name):
                return [self.chosen(node, _ONE, "max")]
            case ast.IfExp() | ast.GeneratorExp():
                return [self.chosen(node, _ONE, "max")]
            case ast.Call(func=ast.Name(id="min" | "max" | "sum" | "top")):
                return self.closed(node)
            case _:
                pass
        terms = self.opened(node)
        used = [x for letters in terms for x in letters]
        if len(set(used)) < len(used):
            again = next(x for x in used if used.count(x) > 1)
            raise self.fail(f"the letter '{again}' stands in different indices: blocks that agree "
                            "in one index alone are not understood", node)  # fmt: skip
        families: dict[k.Sizes, dict[Letters, k.Expr]] = {}
        for letters, items in terms.items():
            total = items[0] if len(items) == 1 else k.Sum(tuple(items))
            if letters:
                families.setdefault(self.family(total, letters, node), {})[letters] = total
        found: list[k.Expr] = list(terms.get((), []))
        for sizes, by_letters in families.items():
            self.letters = max(self.letters, len(by_letters))
            groups = tuple(k.Choice(_ONE, value) for value in by_letters.values())
            found.append(normal(k.Worst(sizes, groups)))
        return [found[0] if len(found) == 1 else k.Sum(tuple(found))]

    def chosen(self, node: ast.expr, count: k.Expr, name: str) -> k.Expr:
        """Return the worst choice of so many blocks, for one letter."""
        if isinstance(node, ast.Name) and self.sizes.get(node.id):
            return k.Worst(self.sizes[node.id], (k.Choice(count, self.entry(node.id)),))
        if isinstance(node, ast.IfExp | ast.GeneratorExp):
            return self.total(node, count)
        if self.scope.letters is not None and _letters(node, self.sizes):
            return self.total(node, count)
        terms = self.opened(node)
        letters = [x for x in terms if x]
        if len(letters) != 1:
            wanted = f"{name}(eps[i])" if name != "top" else "top(3, eps)"
            raise self.fail(f"'{name}' is about one block at a time, as in {wanted}", node)
        value = k.Sum(tuple(e for items in terms.values() for e in items))
        sizes = self.family(value, letters[0], node)
        return k.Worst(sizes, (k.Choice(count, normal(value)),))

    def family(self, value: k.Expr, letters: Letters, node: ast.expr) -> k.Sizes:
        """Return the numbers of blocks that the letters of one block run over."""
        (sizes, *more) = sorted(k.open_sizes(value), key=str)
        if more:
            raise self.fail(
                f"'{letters[0]}' stands for blocks of maps with different numbers of blocks, "
                f"{sizes[0]} and {more[0][0]}: take one maximum for each", node,
            )  # fmt: skip
        return sizes

    def entry(self, name: str) -> k.Expr:
        return k.BlockEntry(name, self.sizes[name])

    def opened(self, node: ast.expr) -> Open:
        """Return a sum as its terms, by the letters of the block each is about."""
        match node:
            case ast.BinOp(op=ast.Add(), left=left, right=right):
                found = self.opened(left)
                for letters, items in self.opened(right).items():
                    found.setdefault(letters, []).extend(items)
                return found
            case ast.BinOp(op=ast.Mult(), left=left, right=right):
                return self.product(self.opened(left), self.opened(right), node)
            case ast.BinOp(op=ast.Div(), left=left, right=right):
                return self.product(self.opened(left), {(): [self.divisor(right)]}, node)
            case ast.BinOp(op=ast.Pow(), left=left, right=right):
                found = inside = self.opened(left)
                for _ in range(self.power(right) - 1):
                    found = self.product(found, inside, node)
                return found
            case ast.BinOp(op=ast.Sub(), left=left, right=right):
                return {(): [self.difference(left, right, node)]}
            case ast.Subscript(value=ast.Name(id=name), slice=index):
                numbered = self.numbered(name, index)
                if numbered is not None:
                    return {(): [numbered]}
                return {self.block(name, index, node): [self.entry(name)]}
            case ast.Call(func=ast.Name(id="sqrt"), args=[inside], keywords=[]):
                letters, value = self.single(self.opened(inside), node)
                return {letters: [k.Sqrt(value)]}
            case ast.Call(func=ast.Name(id="exp"), args=[inside], keywords=[]):
                letters, value = self.single(self.opened(inside), node)
                return {letters: [self.power_of_e(value, node)]}
            case ast.Call(func=ast.Name(id="growth"), args=[eps, r], keywords=[]):
                letters, value = self.single(self.opened(eps), node)
                return {letters: [k.Apply("growth", (value, self.count(r)))]}
            case ast.Call(func=ast.Name(id="max"), args=args, keywords=[]) if len(args) > 1 and any(
                isinstance(x, ast.Subscript) for x in ast.walk(node)
            ):
                singles = [self.single(self.opened(a), node) for a in args]
                named = {x for x, _ in singles if x}
                if len(named) > 1:
                    raise self.fail(f"'{ast.unparse(node)}' is about several blocks", node)
                return {max(named, default=()): [k.Max(tuple(value for _, value in singles))]}
            case _:
                pass
        values = self.closed(node)
        if len(values) > 1:
            raise self.fail("a minimum cannot stand inside a maximum over blocks", node)
        return {(): values}

    # ------------------------------------------------------------- over integers

    @contextmanager
    def within(self, letters: Letters, indices: Letters = ()) -> Iterator[None]:
        """Read something where these letters stand for integers, and for indices of a block."""
        before = self.scope
        self.scope = replace(before, letters=letters, indices=indices)
        try:
            yield
        finally:
            self.scope = before

    def with_integers(self, node: ast.expr) -> k.Expr | None:
        """Return what is about integers: a maximum, an amount, a condition; None for all else."""
        match node:
            case ast.IfExp():
                return self.only(node)
            case ast.Call(func=ast.Name(id="max"), args=[_, of], keywords=[]) if self.is_amount(
                node
            ):
                return k.Amount(self.scope.integer(of))
            case ast.Call(func=ast.Name(id="choices"), args=[times, most], keywords=[]):
                return self.over_choices(times, most)
            case ast.Call(
                func=ast.Name(id="max" | "sum" as word),
                args=[ast.GeneratorExp(generators=[ast.comprehension(iter=ast.Name(over))]) as of],
                keywords=[],
            ) if over not in self.symbols:  # otherwise that is how many blocks there are
                pass
            case _:
                return None
        if (word, over) == ("max", "integers"):
            return self.over_integers(of)
        return self.largest_of_each(of) if (word, over) == ("sum", "blocks") else None

    def is_amount(self, node: ast.Call) -> bool:
        """Return whether "max(0, …)" is about an integer that can be negative, or has letters."""
        match node.args:
            case [ast.Constant(value=0), of]:
                pass
            case _:
                return False
        signs = any(isinstance(x, ast.Sub | ast.USub) for x in ast.walk(of))
        names = names_in(of) - {"min", "max"}
        known = names <= {*self.symbols, *self.scope.bound}
        return known and bool(names) and (signs or bool(names & self.scope.bound))

    def over_integers(self, node: ast.GeneratorExp) -> k.Expr:
        """Return the largest value over integers."""
        letters, facts = self.generator(node.generators)
        if self.scope.letters is not None:
            raise self.fail("a maximum over integers stands in another one", node)
        with self.within(letters):
            when = TRUE if facts is None else self.scope.condition(facts)
            (body, *more) = self.closed(node.elt)
        if more:
            raise self.fail("a minimum cannot stand inside a maximum over integers", node)
        return k.MaxOver(len(letters), when, body)

    def over_choices(self, times: ast.expr, node: ast.expr) -> k.Expr:
        """Return the largest value over several choices of integers."""
        most = self.with_integers(node)
        if not isinstance(most, k.MaxOver):
            raise self.fail("choices are of integers, as in 'max over r choices of t of …'", node)
        return k.Coverage(self.count(times), most)

    def generator(
        self, given: Sequence[ast.comprehension]
    ) -> tuple[tuple[str, ...], ast.expr | None]:
        """Return the letters over which a maximum runs, and their facts."""
        (one,) = given
        named = one.target.elts if isinstance(one.target, ast.Tuple) else [one.target]
        letters = tuple(x.id for x in named if isinstance(x, ast.Name))
        if len(letters) < len(named) or len(set(letters)) < len(letters) or len(one.ifs) > 1:
            raise self.fail("a maximum over integers has different letters, and facts after 'with'")
        for name in letters:
            if name in self.sizes or name in _FUNCTIONS:
                raise self.fail(f"'{name}' is no letter for an integer: it has a meaning already")
        return letters, (one.ifs[0] if one.ifs else None)

    def total(self, node: ast.expr, count: k.Expr) -> k.Expr:
        """Return a total over the blocks with a condition, or in a maximum over integers."""
        if self.scope.indices:
            raise self.fail("a total over blocks stands in another one", node)
        value, when, written = self.conditional(node)
        known = _letters(value, self.sizes)
        letters = tuple(written) or next(iter(known), ())
        if not letters or known - {letters}:
            said = f"'{ast.unparse(value)}' is about one block at a time"
            raise self.fail(f"{said}, as in sum(eps[i] for i <= 3)", node)
        for name in letters:
            if name in {*self.symbols, *self.sizes, *(self.scope.letters or ())}:
                raise self.fail(f"the letter '{name}' has another meaning here: name the block by "
                                "another one", node)  # fmt: skip
        with self.within(letters=self.scope.letters or (), indices=letters):
            read = self.opened(value)
            condition = TRUE if when is None else self.scope.condition(when)
        items = tuple(e for values in read.values() for e in values)
        of = items[0] if len(items) == 1 else k.Sum(items)
        sizes = tuple(written.values())
        if k.open_sizes(of):
            sizes = self.family(of, letters, node)
            if written and sizes != tuple(written.values()):
                raise self.fail(f"'{ast.unparse(value)}' is about other blocks", node)
        return self.with_letters_bound(k.SumOver(sizes, condition, count, of))

    def with_letters_bound(self, total: k.SumOver) -> k.Expr:
        """Return a total, where there are no integers as a maximum over none."""
        return k.MaxOver(0, TRUE, total) if self.scope.letters is None else total

    def conditional(self, node: ast.expr) -> tuple[ast.expr, ast.expr | None, dict[str, str | int]]:
        """Return a value, its condition, and over which blocks it is written to run."""
        written: dict[str, str | int] = {}
        if isinstance(node, ast.GeneratorExp):
            for one in node.generators:
                match one:
                    case ast.comprehension(
                        target=ast.Name(id=letter), iter=ast.Name(id=size), ifs=[]
                    ) if size in self.symbols:
                        written[letter] = size
                    case ast.comprehension(
                        target=ast.Name(id=letter), iter=ast.Constant(value=int(size)), ifs=[]
                    ) if size > 0 and not isinstance(size, bool):
                        written[letter] = size
                    case _:
                        raise self.fail("blocks run up to a size of the spec or a number", node)
            node = node.elt
        if isinstance(node, ast.IfExp):
            return node.body, self.test(node), written
        return node, None, written

    def test(self, node: ast.IfExp) -> ast.expr:
        """Return the condition of a value that is 0 otherwise."""
        match node.orelse:
            case ast.Constant(value=0):
                return node.test
            case _:
                raise self.fail("what does not have the condition counts 0", node)

    def only(self, node: ast.IfExp) -> k.Expr:
        """Return a value that counts under a condition, without blocks."""
        (value, *more) = self.closed(node.body)
        if more:
            raise self.fail("a minimum cannot stand under a condition", node)
        when = self.scope.condition(self.test(node))
        return self.with_letters_bound(k.SumOver((), when, _ONE, value))

    def largest_of_each(self, node: ast.GeneratorExp) -> k.Expr:
        """Return the sum, over all indices but one, of the largest value over this one."""
        others, _ = self.generator(node.generators)
        match node.elt:
            case ast.Call(args=[ast.GeneratorExp(elt=value, generators=[_] as last)]):
                (one,), _ = self.generator(last)
            case _:
                raise self.fail("that is written 'sum over i of max over j of eps[i,j]'", node)
        (letters, *more) = sorted(_letters(value, self.sizes)) or [()]
        if more or sorted(letters) != sorted((*others, one)):
            raise self.fail("that is written 'sum over i of max over j of eps[i,j]'", node)
        with self.within(letters=(), indices=letters):
            _, of = self.single(self.opened(value), node)
        at = tuple(map(k.Index, sorted(letters.index(x) + 1 for x in others)))
        chosen = k.Compared("eq", k.Index(letters.index(one) + 1), k.LetterAt(1, at))
        total = k.SumOver(self.family(of, letters, node), chosen, k.Inf(), of)
        return k.MaxOver(1, TRUE, total)

    # ------------------------------------------------------------- values of a block

    def product(self, left: Open, right: Open, node: ast.expr) -> Open:
        found: Open = {}
        self.not_many(sum(map(len, left.values())) * sum(map(len, right.values())))
        for (x, a), (y, b) in itertools.product(left.items(), right.items()):
            if x and y and x != y:
                raise self.fail(
                    f"'{ast.unparse(node)}' multiplies values of different blocks", node
                )
            items = [self.short(k.Product((p, q))) for p, q in itertools.product(a, b)]
            found.setdefault(x or y, []).extend(items)
        return found

    def single(self, terms: Open, node: ast.expr) -> tuple[Letters, k.Expr]:
        letters = [x for x in terms if x]
        if len(letters) > 1:
            raise self.fail(f"'{ast.unparse(node)}' is about several blocks", node)
        items = tuple(e for values in terms.values() for e in values)
        return (letters[0] if letters else ()), (items[0] if len(items) == 1 else k.Sum(items))

    def numbered(self, name: str, index: ast.expr) -> k.Expr | None:
        """Return the entry of a block that is named by its number, where their number is known."""
        sizes = self.sizes.get(name, ())
        nodes = index.elts if isinstance(index, ast.Tuple) else [index]
        known = (n.value for n in nodes if isinstance(n, ast.Constant))
        numbers = tuple(n for n in known if isinstance(n, int))
        if not sizes or len(numbers) < len(nodes) or any(isinstance(n, str) for n in sizes):
            return None
        try:
            return k.EntryOf(name, sizes, numbers)
        except k.KernelError:
            said = " and ".join(f"1 to {size}" for size in sizes)
            raise self.fail(f"the blocks of '{name}' are numbered {said}", index) from None

    def block(self, name: str, index: ast.expr, node: ast.expr) -> Letters:
        if name not in self.sizes:
            raise self.fail(f"unknown name '{name}'; {nearest(name, self.sizes)}", node)
        nodes = index.elts if isinstance(index, ast.Tuple) else [index]
        if not all(isinstance(n, ast.Name) and len(n.id) == 1 for n in nodes):
            raise self.fail(f"blocks are named by letters: {self.with_letters()}; by their numbers "
                            "where it is known how many there are", node)  # fmt: skip
        letters = tuple(n.id for n in nodes if isinstance(n, ast.Name))
        wanted = len(self.sizes[name])
        if not wanted:
            raise self.fail(f"'{name}' is one number, without an index", node)
        if len(letters) != wanted:
            raise self.fail(f"'{name}' has {wanted} indices", node)
        if len(set(letters)) < wanted:
            raise self.fail(
                f"a block is named by different letters, not {', '.join(letters)}", node
            )
        return letters
