"""Bounds and claims as maxima, over integers, of totals over blocks, where they can be read so."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from dpcomp_sym import kernel as k
from dpcomp_sym.algebra.polynomials import polynomial
from dpcomp_sym.statements.integers import TRUE

__all__ = ["maxima", "readings", "summed"]

MOST_LETTERS: Final = 4
MOST_SUMMED: Final = 4
_ONE: Final = k.Num(Fraction(1))


def maxima(e: k.Expr) -> Iterator[k.MaxOver | k.Worst]:
    """Yield what an expression grows with and what runs over blocks: maxima and worst choices."""
    match e:
        case k.MaxOver() | k.Worst():
            yield e
        case k.Sum(items) | k.Product(items) | k.Max(items) | k.Apply("exp", items):
            for item in items:
                yield from maxima(item)
        case k.Sqrt(of):
            yield from maxima(of)
        case _:
            pass


def readings(e: k.Expr) -> list[k.MaxOver]:
    """Return equal maxima over integers of sums of totals.

    A choice of the n worst blocks is a total over at most n blocks, and one over n places.

    Raises:
        KernelError: it cannot be read so.

    >>> largest = k.Worst(("k",), (k.Choice(_ONE, k.BlockEntry("eps", ("k",))),))
    >>> [x.text() for x in readings(largest)]
    ['max(eps[i])', 'max over t of sum(eps[i] for i == t)']
    """
    match e:
        case k.MaxOver(free, facts, body):
            return [k.MaxOver(free, facts, k.Sum(tuple(_totals(body))))]
        case k.Worst(sizes, (k.Choice(count, value),)):
            whole = k.MaxOver(0, TRUE, k.Sum((k.SumOver(sizes, TRUE, count, value),)))
            return [whole, *_at_places(sizes, count, value)]
        case _:
            return [k.MaxOver(0, TRUE, k.Sum(tuple(_totals(e))))]


def _at_places(sizes: k.Sizes, count: k.Expr, value: k.Expr) -> Iterator[k.MaxOver]:
    """Yield a choice of a few blocks as a maximum over places, each of one of them."""
    width = len(sizes)
    if not isinstance(count, k.Num) or not 0 < count.value * width <= MOST_LETTERS:
        return
    blocks = [
        k.Connected("and", tuple(
            k.Compared("eq", k.Index(n), k.Letter(at * width + n)) for n in range(1, width + 1)
        ))
        for at in range(int(count.value))
    ]  # fmt: skip
    when = blocks[0] if len(blocks) == 1 else k.Connected("or", tuple(blocks))
    total = k.SumOver(sizes, when, k.Inf(), value)
    yield k.MaxOver(len(blocks) * width, TRUE, k.Sum((total,)))


def _totals(body: k.Expr) -> list[k.SumOver]:
    """Return the totals that a value is the sum of."""
    match body:
        case k.SumOver((), when, k.Num(count), value) if count >= 1:
            return [k.SumOver((), when, k.Inf(), value)]
        case k.SumOver():
            return [body]
        case k.Worst(sizes, (k.Choice(count, value),)):
            return [k.SumOver(sizes, TRUE, count, value)]
        case k.Sum(items):
            return [total for x in items for total in _totals(x)]
        case k.Product(items) if _runs(body):
            many = [x for x in items if _runs(x)]
            others = tuple(x for x in items if not _runs(x))
            if len(many) == 1:
                return [
                    k.SumOver(x.sizes, x.when, x.count, k.Product((*others, x.value)))
                    for x in _totals(many[0])
                ]
        case _ if not _runs(body):
            return [k.SumOver((), TRUE, k.Inf(), body)]
        case _:
            pass
    raise k.KernelError(f"{body.text()} is no sum of totals over blocks")


def _runs(e: k.Expr) -> bool:
    return any(isinstance(x, k.MaxOver | k.SumOver | k.Worst) for x in k.subterms(e))


def summed(e: k.Expr) -> list[tuple[Fraction, k.Expr]]:
    """Return a few maxima or closed values, with factors up to 1, that an expression is the sum of.

    None where there are many, or maxima are multiplied.

    >>> [(str(c), x.text()) for c, x in summed(k.Product((k.Num(Fraction(5, 2)), k.Param("eps"))))]
    [('1', 'eps'), ('1', 'eps'), ('1/2', 'eps')]
    """
    found: list[tuple[Fraction, k.Expr]] = []
    for monomial, factor in polynomial(e).items():
        items = tuple(x for x, power in monomial for _ in range(power))
        whole = items[0] if len(items) == 1 else k.Product(items)
        times, rest = divmod(factor, 1)
        if len(found) + times > MOST_SUMMED or (len(items) > 1 and _runs(whole)):
            return []
        found += [(Fraction(1), whole)] * int(times)
        if rest:
            found.append((rest, whole))
    return found
