"""Which databases a person can be in: membership vectors, and the constraints on them.

There are k databases, in one or several named groups, and b in {0,1}^k says in which of them a
person's record is.  Constraints are formulas over the *numbers* of databases: a group's name stands
for how many of its databases the person is in, ``total`` for how many in all, and ``ads(3)`` for
whether the person is in the third database of the group ``ads`` (1) or not (0).

Source: HBW (Hartmann, Bindschaedler, West), sections IV and V-A, with correction E5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Final, Literal, get_args

from dpcomp_sym.dataclass import dataclass
from dpcomp_sym.errors import InputError, nearest
from dpcomp_sym.model import Domain, Edit, Granularity, Map, Part, Problem
from dpcomp_sym.terms import (
    BOOL,
    INT,
    Environment,
    Scope,
    Term,
    conjunction,
    evaluate,
    parse,
    substitute,
    subterms,
    to_text,
    variable,
)
from dpcomp_sym.terms.parse import IDENTIFIER
from dpcomp_sym.terms.term import integer

__all__ = ["ALONE", "NEIGHBOURS", "PROTECTS", "Membership", "Neighbours"]

Neighbours = Literal["unbounded", "bounded", "replace-one"]
NEIGHBOURS: Final[tuple[Neighbours, ...]] = get_args(Neighbours)

ALONE: Final = "databases"
"""The name of the group where there is only one."""

PROTECTS: Final[Mapping[Neighbours, str]] = {
    "unbounded": "whether a person's records are there at all: in no database, against any "
    "allowed membership",
    "bounded": "where a person's records are: any allowed membership against any other; not what "
    "the records say",
    "replace-one": "who a person is: the records of one person are replaced by those of another, "
    "in the same databases or in others",
}

_SYMBOLS: Final[Mapping[Neighbours, str]] = {
    "unbounded": r"\mathcal{U}",
    "bounded": r"\mathcal{B}",
    "replace-one": r"\mathcal{R}",
}


@dataclass(frozen=True)
class Membership:
    """The membership vectors that are possible, and which two of them are compared.

    Args:
        groups: name → number of databases, a number or a symbol.
        require: the constraints, formulas over the groups' names, ``total`` and the symbols.
        symbols: name → fact on an integer symbol, besides the numbers of databases.
        hypotheses: two formulas that an adversary wants to tell apart, all vectors that satisfy one
            being equally likely; or none.
        neighbours: ``unbounded``: the zero vector against any allowed one; ``bounded``: any two
            allowed ones; ``replace-one``: any two, each with a record of its own.

    Raises:
        InputError: a name or a formula cannot be used.

    >>> hospitals = Membership({"databases": "k"}, ["total <= m"], {"m": "m >= 1"})
    >>> hospitals.allows({"databases": [1, 1, 0]}, {"m": 2, "k": 3})
    True
    >>> hospitals.counting
    True
    """

    groups: Mapping[str, int | str]
    require: Sequence[str] = ()
    symbols: Mapping[str, str] = field(default_factory=dict)
    neighbours: Neighbours = "unbounded"
    hypotheses: Sequence[str] = ()

    def __post_init__(self) -> None:
        """Read all formulas, so that errors surface at construction."""
        if not self.groups:
            raise InputError("there is no database", where="membership")
        seen: set[str] = set()
        for name in (*self.groups, *self.sizes, *self.symbols):
            if not IDENTIFIER.match(name) or name in {"total", "D", "c", "i"}:
                raise InputError(
                    f"'{name}' cannot be a name here: letters, digits and _ only, and not 'total', "
                    "'D', 'c' or 'i'", where="membership", word=name,
                )  # fmt: skip
            if name in seen:
                raise InputError(f"the name '{name}' is used twice", where="membership", word=name)
            seen.add(name)
        if self.neighbours not in NEIGHBOURS:
            known = nearest(str(self.neighbours), NEIGHBOURS)
            raise InputError(f"unknown neighbours '{self.neighbours}'; {known}", where="membership",
                             word=str(self.neighbours))  # fmt: skip
        if len(self.hypotheses) not in {0, 2}:
            raise InputError("two hypotheses are compared, or none", where="membership, hypotheses")
        _ = (self.rule, self.assumed, self.facts, self.problem)

    @cached_property
    def sizes(self) -> tuple[str, ...]:
        """The symbols that say how many databases there are."""
        return tuple(dict.fromkeys(n for n in self.groups.values() if isinstance(n, str)))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """All symbols."""
        return (*self.sizes, *(s for s in self.symbols if s not in self.sizes))

    @cached_property
    def rule(self) -> Term:
        """All constraints together."""
        return conjunction([_read(text, self._scope, "require") for text in self.require])

    @cached_property
    def assumed(self) -> tuple[Term, ...]:
        """The hypotheses."""
        return tuple(_read(text, self._scope, "hypotheses") for text in self.hypotheses)

    @cached_property
    def _scope(self) -> Scope:
        return Scope(
            variables=dict.fromkeys((*self.groups, "total", *self.names), INT),
            functions=dict.fromkeys(self.groups, ((INT,), INT)),
        )

    @cached_property
    def facts(self) -> tuple[Term, ...]:
        """What is known of the symbols."""
        scope = Scope(variables=dict.fromkeys(self.names, INT))
        given = [_read(text, scope, "symbols") for text in self.symbols.values()]
        ones = [_at_least_one(variable(n, INT)) for n in self.sizes]
        return (*ones, *given)

    @property
    def counting(self) -> bool:
        """Whether the constraints are about numbers of databases only, not of single ones."""
        return not any(t.op == "apply" for t in subterms(self.rule))

    def number(self, group: str) -> Term:
        """Return the number of databases of a group, as a term."""
        size = self.groups[group]
        return variable(size, INT) if isinstance(size, str) else integer(size)

    def counted(self, counts: Mapping[str, Term]) -> Term:
        """Return the constraints on a vector with these numbers of databases, one a group."""
        first, *others = counts.values()
        total = first
        for count in others:
            total = Term("add", (total, count), INT)
        return substitute(self.rule, {**counts, "total": total})

    def allows(self, vector: Mapping[str, Sequence[int]], sizes: Mapping[str, int]) -> bool:
        """Return whether a membership vector is allowed: 0 or 1 for each database, by group."""
        return self.allows_counts({g: sum(v) for g, v in vector.items()}, sizes, vector)

    def allows_counts(
        self,
        counts: Mapping[str, int],
        sizes: Mapping[str, int],
        vector: Mapping[str, Sequence[int]] | None = None,
    ) -> bool:
        """Return whether a vector with these numbers of databases is allowed."""
        functions: dict[str, Callable[..., int]] = (
            {} if vector is None else {g: _entry(g, v) for g, v in vector.items()}
        )
        names: dict[str, int] = {**sizes, **counts, "total": sum(counts.values())}
        return bool(evaluate(self.rule, Environment(dict(names), functions)))

    def text(self) -> str:
        """Return the constraints in one line.

        >>> Membership({"databases": "k"}, ["total<=2"]).text()
        'b in {0,1}^k with total <= 2'
        """
        powers = " x ".join(f"{{0,1}}^{n}" for n in self.groups.values())
        said = f" with {to_text(self.rule)}" if self.require else ""
        return f"b in {powers}{said}"

    # ------------------------------------------------------------- as a composition problem

    @cached_property
    def problem(self) -> Problem:
        """The composition problem: one cell a database, and a mechanism on each."""
        return self.with_parts(())

    def with_parts(self, parts: Iterable[Part], title: str = "") -> Problem:
        """Return the composition problem with these parts; each reads one group."""
        several = len(self.groups) > 1
        attributes: dict[str, str | Sequence[str]] = {"database": "int"}
        if several:
            attributes["group"] = [f"in_{g}" for g in self.groups]
        domain = Domain(
            attributes,
            symbols={**{n: f"{n} >= 1" for n in self.sizes}, **self.symbols},
            cap=1,
            size=self._sizes_allowed,
            name=self.text(),
        )
        guard = "size(D) == 0" if self.neighbours == "unbounded" else "true"
        edit = Edit(params={}, guard=guard, frame="true")
        maps = []
        for group, size in self.groups.items():
            one = "database(c) == i"
            member = f"group(c) == in_{group} and {one}" if several else one
            maps.append(Map(group, member, {"i": size}))
        name = f"membership_{self.neighbours.replace('-', '_')}"
        granularity = Granularity(name, (edit,), _SYMBOLS[self.neighbours])
        return Problem(domain, granularity, maps, list(parts), title)

    @cached_property
    def _sizes_allowed(self) -> tuple[str, ...]:
        """The constraints as facts on ``size(D)``, where there is one group and they can be."""
        if len(self.groups) > 1 or not self.counting or not self.require:
            return ()
        return (to_text(self.counted(dict.fromkeys(self.groups, Term("size", ("D",), INT)))),)


def _entry(group: str, vector: Sequence[int]) -> Callable[[int], int]:
    def entry(number: int) -> int:
        if not 1 <= number <= len(vector):
            raise InputError(
                f"'{group}({number})' is not a database: there are {len(vector)}",
                where="membership, require", word=f"{group}({number})",
            )  # fmt: skip
        return vector[number - 1]

    return entry


def _at_least_one(term: Term) -> Term:
    return Term("ge", (term, integer(1)), BOOL)


def _read(text: str, scope: Scope, where: str) -> Term:
    try:
        return parse(text, scope, BOOL)
    except InputError as error:
        raise error.within(f"membership, {where}") from None
