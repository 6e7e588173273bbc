"""Which records an edit may change together: readable relations, as terms over x and y.

They are proposals, made from the attributes and from the formulas of the edit; whoever uses one
proves what is needed of it.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from dpcomp_sym.model import BoundEdit, Domain
from dpcomp_sym.terms import (
    BOOL,
    CELL,
    INT,
    TRUE,
    Term,
    conjunction,
    conjuncts,
    free_variables,
    reads_database,
    substitute,
    subterms,
    variable,
)
from dpcomp_sym.terms.term import integer

__all__ = [
    "NamedParameter",
    "X",
    "Y",
    "agreements",
    "disjunction",
    "end_points",
    "properties",
    "shapes",
    "spelled",
    "spoken",
    "vocabulary",
]

X: Final = variable("x!", CELL)
Y: Final = variable("y!", CELL)
"""Two records.  What a user calls x or y is something else; see :func:`spoken`."""
DEPTH: Final = 2
"""Functions of functions of attributes are looked at, and nothing deeper."""


class NamedParameter(NamedTuple):
    """A parameter of an edit that a relation mentions, under a name of its own."""

    param: str
    name: str
    sort: str


class _End(NamedTuple):
    """An end of the interval that an integer lies in."""

    lower: bool
    term: Term
    strict: bool


def spoken(term: Term, letters: tuple[str, str] = ("x", "y")) -> Term:
    """Return a term as it is shown: the two records are called x and y, or other letters."""
    names = zip((X.name, Y.name), letters, strict=True)
    return substitute(term, {name: variable(letter, CELL) for name, letter in names})


def properties(domain: Domain) -> list[Term]:
    """Return the readings of a record: attributes, functions of it and of its attributes.

    >>> from dpcomp_sym.terms import to_text
    >>> domain = Domain({"id": "R", "owner": "U"}, {"house": (["U"], "H")})
    >>> [to_text(t) for t in map(spoken, properties(domain))]
    ['id(x)', 'owner(x)', 'house(owner(x))']
    """
    found = [Term("attr", (a, X), s) for a, s in domain.attribute_sorts.items()]
    found += [
        Term("apply", (name, X), result)
        for name, (arguments, result) in domain.signatures.items()
        if arguments == (CELL,)
    ]
    last = list(found)
    for _ in range(DEPTH):
        last = [
            Term("apply", (name, inner), result)
            for inner in last
            for name, (arguments, result) in domain.signatures.items()
            if arguments == (inner.sort,)
        ]
        found += last
    return found


def agreements(domain: Domain) -> list[Term]:
    """Return the relations "x and y agree on …", for every reading of a record."""
    return [
        Term("eq", (term, substitute(term, {X.name: Y})), BOOL)
        for term in properties(domain)
    ]  # fmt: skip


def shapes(edit: BoundEdit) -> tuple[list[Term], list[Term]]:
    """Return which two records, and which single ones, an edit can change: a relation each.

    What the guard says of a database is left out, and the other parameters are eliminated: from
    ``owner(c) == u`` for two records comes that they agree on the owner, from
    ``t <= time(c) and time(c) < t + w`` that they are less than w apart.  A single record is
    related to itself.
    """
    edit = edit.renamed("edit")  # so that no parameter is called like one of the two records
    static = [a for a in conjuncts(edit.guard) if not reads_database(a)]
    if edit.frame is not None:
        ways = itertools.product(*[
            [static + part for part in _alternatives(substitute(edit.frame, {"c": cell}))]
            for cell in (X, Y)
        ])  # fmt: skip
        options = dict.fromkeys(_relation([*x, *y], dict(edit.params)) for x, y in ways)
        return [disjunction(list(options))], []
    found: tuple[list[Term], list[Term]] = ([], [])
    for first, second in itertools.combinations_with_replacement(edit.points, 2):
        others = {n: s for n, s in edit.params if n not in (first, second)}
        named = {first: X, second: X if first == second else Y}
        atoms = [substitute(a, named) for a in static]
        if first == second:
            atoms.append(Term("eq", (X, Y), BOOL))
        found[first == second].append(_relation(atoms, others))
    return found


def spelled(edit: BoundEdit) -> list[tuple[Term, tuple[NamedParameter, ...]]]:
    """Return which two records an edit can change, in its own words: relations with parameters.

    Each is meant for all values of the other parameters.  What the guard says of a database is
    left out.
    """
    static = [a for a in conjuncts(edit.guard) if not reads_database(a)]
    if edit.frame is not None:
        return [said for said in [_said(edit, [*static, edit.frame], {})] if not _determined(*said)]
    return [
        _said(edit, static, {first: X, second: Y})
        for first, second in itertools.combinations(edit.points, 2)
    ]


def _determined(relation: Term, given: Sequence[NamedParameter]) -> bool:
    """Return whether the records say what the parameters are, so that these can be left out."""
    names = {g.name for g in given}
    return all(
        any(
            value is not None and not free_variables(value) & names
            for value in (_value(atom, g.name) for atom in conjuncts(relation))
        )
        for g in given
    )


def _said(
    edit: BoundEdit, atoms: Sequence[Term], records: Mapping[str, Term]
) -> tuple[Term, tuple[NamedParameter, ...]]:
    """Return a conjunction with some parameters as the two records, and all others renamed.

    A condition on a record c applies to both.
    """
    names = itertools.chain(["z"], (f"z{n}" for n in itertools.count(1)))
    taken = {"x", "y", *(n for n, _ in edit.params)}.union(*map(free_variables, atoms))
    given = []
    for param, sort in edit.params:
        if param not in records:
            free = (n for n in names if n not in taken)
            given.append(NamedParameter(param, next(free) if param in ("x", "y") else param, sort))
    new = {g.param: variable(g.name, g.sort) for g in given}
    said = [substitute(a, {**records, **new}) for a in atoms]
    both = [substitute(a, {"c": cell}) for a in said for cell in (X, Y)]
    relation = conjunction(list(dict.fromkeys(both)))
    return relation, tuple(g for g in given if g.name in free_variables(relation))


def end_points(edit: BoundEdit) -> list[Term]:
    """Return where an integer parameter of an edit may begin or end, and what others equal.

    The terms are over x, y and symbols, or over other parameters.
    """
    found: list[Term] = []
    atoms = [
        a for a in (*conjuncts(edit.guard), *conjuncts(edit.frame or TRUE)) if not reads_database(a)
    ]
    for name, sort in edit.params:
        for atom in atoms:
            if sort == INT:
                terms = [
                    end.term if not end.strict else _plus(end.term, 1 if end.lower else -1)
                    for end in _ends(atom, name) or ()
                ]
            else:
                value = None if sort == CELL else _value(atom, name)
                terms = [] if value is None else [value]
            for term in terms:
                cells = sorted(v for v in free_variables(term) if _is_cell(term, v))
                found += [
                    substitute(term, dict(zip(cells, values, strict=True)))
                    for values in itertools.product((X, Y), repeat=len(cells))
                ]
    return list(dict.fromkeys(found))


def _is_cell(term: Term, name: str) -> bool:
    return any(t.op == "var" and t.name == name and t.sort == CELL for t in subterms(term))


def _alternatives(term: Term) -> list[list[Term]]:
    """Return a formula as alternatives, each a list of what holds together."""
    if term.op == "or":
        return [option for member in term.terms for option in _alternatives(member)]
    if term.op == "and":
        choices = itertools.product(*[_alternatives(member) for member in term.terms])
        return [[atom for part in choice for atom in part] for choice in choices]
    return [list(conjuncts(term))]


def disjunction(terms: Sequence[Term]) -> Term:
    """Return what holds if one of the terms does."""
    if TRUE in terms:
        return TRUE
    return terms[0] if len(terms) == 1 else Term("or", tuple(terms), BOOL)


# ------------------------------------------------------------------ elimination


def _relation(atoms: Sequence[Term], params: Mapping[str, str]) -> Term:
    # A cell of which only attributes are mentioned is eliminated attribute by attribute.
    whole = {name for a in atoms for name in free_variables(_by_place(a, params))}
    rest = [_by_place(a, set(params) - whole) for a in atoms]
    parts = {p.name: p.sort for a in rest for p in subterms(a) if p.op == "var" and "." in p.name}
    places = {**params, **parts}
    for name, sort in places.items():
        rest = _without(rest, name, sort)
    kept = [a for a in dict.fromkeys(rest) if not (a.op == "eq" and a.terms[0] == a.terms[1])]
    return conjunction(_nearby(kept))


def _by_place(term: Term, params: Collection[str]) -> Term:
    """Return a term with a variable for each attribute of a parameter that is a cell."""
    if term.op == "attr" and term.terms[0].op == "var" and term.terms[0].name in params:
        return variable(f"{term.terms[0].name}.{term.name}", term.sort)
    args = tuple(_by_place(a, params) if isinstance(a, Term) else a for a in term.args)
    return Term(term.op, args, term.sort)


def _nearby(atoms: list[Term]) -> list[Term]:
    """Return ``t(x) - s < t(y)`` and its mirror image as ``abs(t(x) - t(y)) < s``."""
    found = list(atoms)
    for atom in atoms:
        mirrored = substitute(atom, {X.name: Y, Y.name: X})
        if mirrored not in found or atom.op not in ("lt", "le"):
            continue
        left, right = atom.terms
        if left.op != "sub" or mirrored == atom:
            continue
        mine, width = left.terms
        if (
            free_variables(width) & {X.name, Y.name}
            or substitute(mine, {X.name: Y, Y.name: X}) != right
        ):
            continue
        apart = Term("sub", (mine, right), INT)
        size = Term("ite", (Term("ge", (apart, integer(0)), BOOL), apart,
                            Term("neg", (apart,), INT)), INT)  # fmt: skip
        found[found.index(atom)] = Term(atom.op, (size, width), BOOL)
        found.remove(mirrored)
    return found


def _without(atoms: list[Term], name: str, sort: str) -> list[Term]:
    """Return what atoms say when one parameter may be anything; or less, if that is not known."""
    about = [a for a in atoms if name in free_variables(a)]
    if not about:
        return atoms
    for atom in about:
        value = _value(atom, name)
        if value is not None:
            others = [a for a in atoms if a is not atom]
            return [substitute(a, {name: value}) for a in others]
    others = [a for a in atoms if name not in free_variables(a)]
    if sort != INT:
        return others
    ends = [_ends(a, name) for a in about]
    known = [e for found in ends if found is not None for e in found]
    return others + [
        _below(low, high) for low in known for high in known if low.lower and not high.lower
    ]


def _value(atom: Term, name: str) -> Term | None:
    if atom.op != "eq":
        return None
    for side, other in (atom.terms, atom.terms[::-1]):
        if side.op == "var" and side.name == name and name not in free_variables(other):
            return other
    return None


def _ends(atom: Term, name: str) -> list[_End] | None:
    """Return what a comparison says of an integer variable: that it is above or below a term."""
    if atom.op not in ("lt", "le", "gt", "ge", "eq"):
        return None
    left, right = atom.terms
    if atom.op in ("gt", "ge"):
        left, right = right, left
    found = [_linear(t, name) for t in (left, right)]
    if found[0] is None or found[1] is None:
        return None
    (mine, near), (others, far) = found[0], found[1]
    strict = atom.op in ("lt", "gt")
    match mine - others:
        case 1:
            end = _End(lower=False, term=_minus(far, near), strict=strict)
        case -1:
            end = _End(lower=True, term=_minus(near, far), strict=strict)
        case _:
            return None
    return [end, end._replace(lower=not end.lower)] if atom.op == "eq" else [end]


def _linear(term: Term, name: str) -> tuple[int, list[tuple[int, Term]]] | None:
    """Return a term as a multiple of the variable and signed rest, if it is linear in it."""
    if name not in free_variables(term):
        return 0, [] if term == integer(0) else [(1, term)]
    if term.op == "var":
        return 1, []
    if term.op not in ("add", "sub", "neg"):
        return None
    signs = {"add": (1, 1), "sub": (1, -1), "neg": (-1,)}[term.op]
    total, rest = 0, []
    for sign, inner in zip(signs, term.terms, strict=True):
        found = _linear(inner, name)
        if found is None:
            return None
        total += sign * found[0]
        rest += [(sign * s, t) for s, t in found[1]]
    return total, rest


def _minus(left: list[tuple[int, Term]], right: list[tuple[int, Term]]) -> Term:
    members = [*left, *((-s, t) for s, t in right)]
    members.sort(key=lambda m: -m[0])  # what is added stands first
    if not members:
        return integer(0)
    sign, total = members[0]
    if sign < 0:
        total = Term("neg", (total,), INT)
    for s, term in members[1:]:
        total = Term("add" if s > 0 else "sub", (total, term), INT)
    return total


def _plus(term: Term, number: int) -> Term:
    return Term("add" if number > 0 else "sub", (term, integer(abs(number))), INT)


def _below(low: _End, high: _End) -> Term:
    """Return that an integer fits between two ends."""
    left = _plus(low.term, 1) if low.strict and high.strict else low.term
    return Term("lt" if low.strict or high.strict else "le", (left, high.term), BOOL)


def vocabulary(domain: Domain, sort: str, *, extra: Sequence[Term] = ()) -> Iterator[Term]:
    """Yield terms of a sort over the records x and y."""
    known = [t for t in properties(domain) if t.sort == sort]
    own = [t for term in known for t in (term, substitute(term, {X.name: Y}))]
    yield from dict.fromkeys([*own, *(t for t in extra if t.sort == sort)])
