"""Proofs of a claim where the kernel has none: at given numbers, or by a solver."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from dpcomp_sym import kernel as k
from dpcomp_sym.algebra.sizes import covers, intersection
from dpcomp_sym.claims import standalone
from dpcomp_sym.claims.question import ClaimQuestion
from dpcomp_sym.claims.worlds import TouchedWorld, blocks_needed, loss, placements, touched
from dpcomp_sym.claims.written_out import written_out
from dpcomp_sym.derivation.order import at_most, cases_of
from dpcomp_sym.profile import Case
from dpcomp_sym.smt.reals import UnsupportedError, larger
from dpcomp_sym.statements.integers import TRUE
from dpcomp_sym.statements.terms import rewritten

__all__ = ["by_numbers", "by_optimum", "by_places", "by_solver", "by_wider_maxima"]

MOST_CASES: Final = 2000
"""The solver is asked that often at most, to prove one claim."""


def by_numbers(question: ClaimQuestion, theorem: k.Theorem) -> bool:
    """Return whether the bound is at most the claim at the given numbers."""
    if {f.name for f in question.families} - set(question.given):
        return False
    if set(question.problem.symbols) - set(question.sizes):
        return False
    statement = theorem.statement
    if not isinstance(statement, k.Private) or not isinstance(statement.loss, k.Neighbouring):
        return False
    return all(
        _at_most(question, value, e)
        for value, claims in zip(statement.loss.guarantee, question.claim.parameters, strict=True)
        for e in claims
    )


def _at_most(question: ClaimQuestion, value: k.Expr, claim: k.Expr) -> bool:
    """Return whether enclosures show that a value is at most what is claimed."""
    for bits in standalone.BITS:
        try:
            high = question.enclosed(value, question.given, question.sizes, bits)
            low = question.enclosed(claim, question.given, question.sizes, bits)
        except standalone.LargeError:
            return False
        if low is None or (high is not None and high[1] <= low[0]):
            return True
        if high is None or high[0] > low[1]:
            return False
    return False


def by_optimum(question: ClaimQuestion) -> bool:
    """Return whether the best delta at the claimed epsilon is at most the claimed one."""
    compared = question.derivation.comparison
    pairs = question.notion.epsilon_delta and question.notion.additive is None
    if not pairs or compared is None:
        return False
    if {f.name for f in question.families} - set(question.given):
        return False
    try:
        boxes = [
            [
                question.enclosed(e, question.given, question.sizes, standalone.BITS[2])
                for e in claims
            ]
            for claims in question.claim.parameters
        ]
    except standalone.LargeError:
        return False
    eps, delta = (min((b[0] for b in row if b), default=None) for row in boxes)
    if eps is None or delta is None:
        return False
    best = compared.delta(eps)
    return best.high <= delta


def by_solver(question: ClaimQuestion) -> bool:
    """Prove the claim for all sizes allowed, from the few that neighbours can use up.

    Only where counts and distances are numbers.  Then neighbours change at most so many blocks,
    and with more blocks than these the claim only grows.
    """
    # A maximum over integers can grow less with more blocks than neighbours can use up.
    if question.notion.additive is None or question.over_integers:
        return False
    try:
        return all(
            _case_holds(question, case) for case in question.profile.cases if _asked(question, case)
        )
    except UnsupportedError:
        return False


def _asked(question: ClaimQuestion, case: Case) -> bool:
    """Return whether a case is about the sizes that are given."""
    return all(
        r.low <= question.sizes[r.symbol] and (r.high is None or question.sizes[r.symbol] <= r.high)
        for r in case.ranges
        if r.symbol in question.sizes
    )


def _case_holds(question: ClaimQuestion, case: Case) -> bool:
    numbers = [(g.count, *(r for _, r in g.distances)) for vector in case.single for g in vector]
    if not all(isinstance(x, int) for row in numbers for x in row):
        return False
    blocks = blocks_needed(question.problem, case.single)
    ranges = {r.symbol: r for r in case.ranges}
    options: list[list[tuple[str, int]]] = []
    for symbol in question.problem.symbols:
        low = ranges[symbol].low if symbol in ranges else 1
        high = ranges[symbol].high if symbol in ranges else None
        top = max(low, blocks[symbol])
        last = min(top, high or top)
        # A claim only grows with a size, so that a smaller one than is given will do.
        first = min(question.sizes[symbol], last) if symbol in question.sizes else low
        last = first if symbol in question.sizes else last
        options.append([(symbol, n) for n in range(first, last + 1)])
    questions = (
        (there, dict(choice))
        for choice in itertools.product(*options)
        for vector in case.single
        for world in touched(question.problem, vector, dict(choice))
        for there in placements(question.problem, world, dict(choice), numbered=question.numbered)
    )
    return all(
        number < MOST_CASES and _holds(question, there, sizes)
        for number, (there, sizes) in enumerate(questions)
    )


def by_wider_maxima(
    question: ClaimQuestion, theorem: k.Theorem, where: k.Where
) -> list[k.Theorem] | None:
    """Prove a claim whose maxima over integers are larger than those of the bound.

    Returns the theorems of the kernel that this rests on, which are about sizes from 1 on.
    """
    cases = cases_of(theorem, where)
    statements = [c.statement for c in cases if isinstance(c.statement, k.Private)]
    if not question.over_integers or len(statements) < len(cases):
        return None
    if not covers(tuple(s.where for s in statements), intersection(where)):
        return None
    found: list[k.Theorem] = []
    for statement in statements:
        if not isinstance(statement.loss, k.Neighbouring):
            return None
        for value, claims in zip(statement.loss.guarantee, question.parameters, strict=True):
            for claim in claims:
                below = at_most(value, claim, statement.where)
                below = below or question.wider.at_most(value, claim, statement.where)
                if below is None:
                    return None
                found.append(below)
    return [*cases, *found]


def by_places(question: ClaimQuestion, theorem: k.Theorem) -> bool:
    """Prove a claim with maxima over integers at the sizes that are given, for all parameters.

    The bound is written out as sums of numbered entries, and each is compared with the claim.
    """
    statement = theorem.statement
    if not isinstance(statement, k.Private) or not isinstance(statement.loss, k.Neighbouring):
        return False
    compared = (*statement.loss.guarantee, *itertools.chain(*question.claim.parameters))
    if not question.over_integers or _sizes_in(compared) - question.sizes.keys():
        return False
    try:
        rights = question.written(question.sizes)
        lefts = [
            written_out(_as_totals(_at(e, question.sizes)), question.sizes)
            for e in statement.loss.guarantee
        ]
        return all(
            _sums_at_most(left, right, question.sizes)
            for left, right in zip(lefts, rights, strict=True)
        )
    except (k.KernelError, standalone.LargeError, UnsupportedError):
        return False


def _sizes_in(expressions: Iterable[k.Expr]) -> set[str]:
    """Return all sizes and symbols that expressions are about."""
    terms = [x for e in expressions for x in k.subterms(e)]
    families = [x.sizes for x in terms if isinstance(x, k.BlockEntry | k.SumOver | k.Worst)]
    ranges = {r.symbol for x in terms if isinstance(x, k.Cases) for c in x.items for r in c.where}
    named = {x.name for x in terms if isinstance(x, k.Size | k.Symbol)}
    return named | ranges | {s for family in families for s in family if isinstance(s, str)}


def _at(e: k.Expr, sizes: Mapping[str, int]) -> k.Expr:
    """Return the case of an expression that these sizes are of."""
    if not isinstance(e, k.Cases):
        return e
    for case in e.items:
        if all(
            r.low <= sizes[r.symbol] and (r.high is None or sizes[r.symbol] <= r.high)
            for r in case.where
        ):
            return case.value
    return k.Inf()


def _sums_at_most(left: k.Expr, right: Sequence[k.Expr], sizes: Mapping[str, int]) -> bool:
    """Prove that each of the sums, of which one side is the largest, is at most the other side."""
    squared = isinstance(left, k.Sqrt)
    sums = _sums(left.of if isinstance(left, k.Sqrt) else left)
    return all(larger(x, right, sizes, squared=squared) is False for x in sums)


def _sums(e: k.Expr) -> list[k.Expr]:
    """Return what an expression is the largest of, each without a maximum.

    Raises:
        KernelError: there are too many, or it is made of something else.
    """
    match e:
        case k.Max(items):
            found = [x for item in items for x in _sums(item)]
        case k.Sum(items) | k.Product(items):
            each = [_sums(item) for item in items]
            if math.prod(map(len, each)) > MOST_CASES:
                raise k.KernelError("there are too many sums")
            found = [type(e)(choice) for choice in itertools.product(*each)]
        case k.EntryOf() | k.Param() | k.Num() | k.Size():
            found = [e]
        case _:
            raise k.KernelError(f"{e.text()} is no sum of entries")
    if len(found) > MOST_CASES:
        raise k.KernelError("there are too many sums")
    return found


def _as_totals(e: k.Expr) -> k.Expr:
    """Return an expression with its choices of blocks of one kind as totals."""

    def change(x: k.KernelTerm) -> k.KernelTerm | None:
        match x:
            case k.Worst(sizes, (k.Choice(count, value),)):
                return k.SumOver(sizes, TRUE, count, value)
            case _:
                return None

    return rewritten(e, change)


def _holds(question: ClaimQuestion, world: TouchedWorld, sizes: Mapping[str, int]) -> bool:
    """Prove that no numbers make what is lost in a world larger than the claim."""
    left = loss(question.problem, question.claim.notion, world)
    if left is None:
        return False
    squared = question.notion.growth.root
    return larger(left, question.claim.parameters[0], sizes, squared=squared) is False
