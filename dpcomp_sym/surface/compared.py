"""Several compositions side by side: settings, conditions, bounds, and which bound is smaller."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from dpcomp_sym.derivation.derive import Derivation
from dpcomp_sym.derivation.order import at_most
from dpcomp_sym.errors import InputError, nearest
from dpcomp_sym.notions import label
from dpcomp_sym.profile import Infinity
from dpcomp_sym.statements import Expr

if TYPE_CHECKING:
    from dpcomp_sym.numbers import Bound
    from dpcomp_sym.report.notebook import Shown

__all__ = ["SideBySide", "compare", "shown"]


@dataclass(frozen=True, repr=False)
class SideBySide(Mapping[str, Derivation]):
    """Derivations by name, to be looked at side by side; this is what ``dp.compare`` returns."""

    answers: Mapping[str, Derivation]

    def __getitem__(self, name: str) -> Derivation:
        """Return one of them.

        Raises:
            InputError: none has this name.
        """
        if name not in self.answers:
            raise InputError(f"there is no '{name}'; {nearest(name, self.answers)}", word=name)
        return self.answers[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.answers)

    def __len__(self) -> int:
        return len(self.answers)

    @property
    def notions(self) -> tuple[str, ...]:
        """The notions in which at least two of them have a bound."""
        every = [b.notion for d in self.answers.values() for b in d.bounds]
        return tuple(n for n in dict.fromkeys(every) if every.count(n) > 1)

    def order(self, notion: str, one: str, other: str) -> str:
        """Return how two bounds compare: "<", "<=", "=", ">=", ">", or "" if that is not found.

        Numbers are compared exactly.  Without numbers ``<=`` is proved, by the rules of the kernel,
        for all numbers that parameters and symbols of the same names can have (symbols from 1 on);
        "<" is only used between numbers.

        Raises:
            InputError: one of the two has no bound in the notion.
        """
        a, b = self[one].bounds[notion], self[other].bounds[notion]
        numbers = _in_numbers(a, b)
        if numbers is not None:
            return numbers
        if not (a.guarantee and b.guarantee and a.known and b.known) or a.words or b.words:
            return ""
        below, above = (_is_at_most(x.guarantee, y.guarantee) for x, y in ((a, b), (b, a)))
        return "=" if below and above else "<=" if below else ">=" if above else ""

    def smallest(self, notion: str) -> tuple[str, ...]:
        """Return the names whose bound is at most all others: none, if that is not found."""
        there = [n for n, d in self.answers.items() if any(b.notion == notion for b in d.bounds)]
        return tuple(
            one for one in there
            if all(self.order(notion, one, x) in {"<", "<=", "="} for x in there if x != one)
        )  # fmt: skip

    def rows(self) -> Iterator[tuple[str, ...]]:
        """Yield rows of texts: what is compared, and what each of them says."""
        from dpcomp_sym.report.text import condition_label

        each = list(self.answers.values())
        yield "neighbours", *(d.problem.granularity.name for d in each)
        yield "mechanisms", *(", ".join(map(_part, d.problem.bound_parts)) for d in each)
        for name in dict.fromkeys(n for d in each for n in d.conditions):
            yield condition_label(name), *(
                d.conditions[name].verdict if name in d.conditions else "" for d in each
            )  # fmt: skip
        for notion in dict.fromkeys(b.notion for d in each for b in d.bounds):
            least = self.smallest(notion) if notion in self.notions else ()
            same = len(least) == len(self.answers)
            yield (
                label(notion),
                *(
                    _bound(d, notion, note="" if same or name not in least else "smallest")
                    for name, d in self.answers.items()
                ),
            )

    def __repr__(self) -> str:
        table = [("", *self.answers), *self.rows()]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        return "\n".join(
            "  ".join(f"{x:<{n}}" for x, n in zip(row, widths, strict=True)).rstrip()
            for row in table
        )


def compare(*answers: Derivation, **named: Derivation) -> SideBySide:
    """Set two or more derivations side by side.

    Args:
        answers: derivations, called by their titles, or by their numbers.
        named: derivations with names for the table.

    Raises:
        InputError: there are fewer than two, or something else than a derivation.

    >>> import dpcomp_sym as dp
    >>> days = dp.Domain(person="Person", day=int)
    >>> parts = dp.partition(days.c.day, pure="eps")
    >>> print(dp.compare(
    ...     event=dp.derive(days, "unbounded", daily=parts),
    ...     week=dp.derive(days, "w_event(day, 7)", daily=parts)))
                event                         week
    neighbours  unbounded                     w_event
    mechanisms  daily (k blocks of daily)     daily (k blocks of daily)
    partition   proved                        proved
    C1          proved                        refuted
    C2          proved                        proved
    commutes    proved                        refuted
    pure (ε)    max(eps[i]), tight, smallest  sum of the 7 largest eps[i], tight
    """
    for given in (*answers, *named.values()):
        if not isinstance(given, Derivation):
            raise InputError(f"derivations are compared, not {given!r}", word=str(given))
    found: dict[str, Derivation] = {}
    titles = [d.title for d in answers]
    for number, one in enumerate(answers, 1):
        title = one.title
        found[title if title and titles.count(title) == 1 and title not in named else
              f"{title} {number}".strip()] = one  # fmt: skip
    if clash := found.keys() & named.keys():
        raise InputError(f"two are called '{min(clash)}'", word=min(clash))
    found |= named
    if len(found) < 2:
        raise InputError("give two derivations or more")
    return SideBySide(found)


def _part(part: Any) -> str:
    sizes = " × ".join(str(size) for _, size in part.map.indices)
    return f"{part.name} ({sizes} blocks of {part.map.name})" if sizes else part.name


def _bound(found: Derivation, notion: str, note: str) -> str:
    bound = next((b for b in found.bounds if b.notion == notion), None)
    if bound is None:
        return ""
    number = f" = {bound.exact}" if bound.exact not in {None, "inf", bound.text} else ""
    best = {"yes": "tight", "no": "not tight", "unknown": "perhaps not tight"}[bound.tight]
    return ", ".join(filter(None, (f"{bound.text}{number}", best, note)))


def _in_numbers(a: Bound, b: Bound) -> str | None:
    """Compare two bounds that have exact numbers; None if one has none."""
    if a.exact is None or b.exact is None or a.value is None or b.value is None:
        return None
    if isinstance(a.value, Infinity) or isinstance(b.value, Infinity):
        if not (a.known and b.known):
            return ""
        both = isinstance(a.value, Infinity), isinstance(b.value, Infinity)
        return {(True, True): "=", (True, False): ">", (False, True): "<"}[both]
    left, right = (x if isinstance(x, tuple) else (x,) for x in (a.value, b.value))
    pairs: Sequence[tuple[Any, Any]] = list(zip(left, right, strict=True))
    if all(x == y or not (x < y or y < x) for x, y in pairs):
        return "="
    if all(x <= y for x, y in pairs):
        return "<"
    return ">" if all(y <= x for x, y in pairs) else ""


@cache
def _is_at_most(a: tuple[Expr, ...], b: tuple[Expr, ...]) -> bool:
    """Return whether a guarantee is proved to be at most another one, for all numbers."""
    return all(at_most(x, y, ()) is not None for x, y in zip(a, b, strict=True))


def shown(found: SideBySide) -> Shown:
    """Return what a notebook shows: a table."""
    from dpcomp_sym.report.document import Table, plain
    from dpcomp_sym.report.notebook import Shown

    rows = tuple(tuple(map(plain, row)) for row in found.rows())
    head = ("", *map(plain, found.answers))
    return Shown([Table(head, rows, (1,) * len(head))])
