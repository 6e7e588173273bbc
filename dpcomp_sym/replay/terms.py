"""The language of certificates: terms as tuples ``(name, field, ...)``, checked when made.

Written from the meaning of the terms and not from the kernel's code, with which it shares none.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any, Final

__all__ = [
    "GRAMMAR",
    "NOTIONS",
    "Node",
    "Reader",
    "RejectedError",
    "digest_of",
    "domain_of",
    "ends",
    "fields_of",
    "indices",
    "is_integer",
    "make",
    "need",
    "open_sizes",
    "space_of",
    "text_of",
    "unbound",
]

Node = tuple[Any, ...]
"""A term: its name, then its fields in the order of the grammar."""

LARGEST: Final = 10**18
DIGITS: Final = 400
LONGEST: Final = 4_000_000
MOST_LETTERS: Final = 1000
MOST_WORK: Final = 150_000_000

NOTIONS: Final[dict[str, int]] = {}
"""The notions with the number of their parameters; they are entered with their rules."""
FUNCTIONS: Final = {
    "growth": 2, "gdp": 1, "zcdp_epsilon": 2, "gaussian_delta": 2, "path_mu": 2, "path_rho": 2,
    "tanh": 1, "exp": 1,
}  # fmt: skip

GRAMMAR: Final = """
Expr       Num value:number
Expr       Inf
Expr       Param name:text
Expr       Entry name:text sizes:sizes
Expr       EntryOf name:text sizes:sizes block:int*
Expr       Size name:text
Expr       Sum items:Expr*
Expr       Product items:Expr*
Expr       Max items:Expr*
Expr       Sqrt of:Expr
Expr       Apply name:text items:Expr*
Expr       Worst sizes:sizes groups:Choice*
Expr       Cases items:Case*
Expr       Amount of:Whole
Expr       SumOver sizes:sizes when:Predicate count:Expr value:Expr
Expr       MaxOver free:int facts:Predicate body:Expr
Expr       Coverage times:Expr most:Expr
Whole      Integer value:int
Whole      Symbol name:text
Whole      Letter number:int
Whole      LetterAt number:int at:Whole*
Whole      Index number:int
Whole      Combined word:text items:Whole*
Predicate  Compared word:text left:Whole right:Whole
Predicate  Connected word:text items:Predicate*
Choice     Choice count:Expr value:Expr
Range      Range symbol:text low:int high:int?
Case       Case where:Range* value:Expr
Space      Domain name:text detail:text sizes:sizes
Relation   Granularity name:text detail:text
Relation   OneSided name:text detail:text
Relation   Push of:Relation map:Arrow
Arrow      Map name:text detail:text domain:Space codomain:Space sizes:sizes
Arrow      Composite first:Arrow second:Arrow
Metric     Canonical relation:Relation domain:Space
Metric     Distance name:text detail:text domain:Space
Metric     Rescaled by:Expr of:Metric
Metric     Added items:Metric*
Metric     EachAdded sizes:sizes item:Metric
Metric     Largest items:Metric*
Metric     Pullback of:Metric map:Arrow
Metric     Quotient of:Metric map:Arrow
Procedure  Mechanism name:text domain:Space sizes:sizes
Procedure  After mechanism:Procedure map:Arrow
Procedure  Adaptive items:Procedure*
Procedure  EachAdaptive sizes:sizes item:Procedure
Procedure  Processed of:Procedure by:text
Loss       Neighbouring relation:Relation domain:Space guarantee:Expr*
Loss       At guarantee:Expr* metric:Metric
Loss       Joint items:Loss*
Loss       EachJoint sizes:sizes item:Loss
Loss       Converted source:text of:Loss chosen:Expr*
Loss       Stepwise source:text guarantee:Expr* metric:Metric
Edit       Edit name:text points:int
View       View part:text map:text sizes:sizes seen:Metric
Problem    Problem domain:Space relation:Relation edits:Edit* views:View* statement:text
Seen       Seen part:text distance:Expr
Group      Group map:text count:Expr distances:Seen* block:int* wide:Expr?
Vector     Vector groups:Group*
Vector     BlockPattern free:int facts:Predicate families:Family*
Vector     Several times:Expr pattern:Vector
Vector     MeanOf vectors:Vector* within:Vector*
Family     Family map:text count:Expr distances:Seen* when:Predicate
Place      Place map:text touched:int* when:Predicate distances:Seen*
Touch      Touch map:text block:int* touched:int* distances:Seen*
Reach      Reach touches:Touch*
Kind       Kind map:text touched:int* count:int
Statement  Private mechanism:Procedure notion:text loss:Loss where:Range*
Statement  Dependent mechanism:Procedure map:Arrow
Statement  Sensitive map:Arrow bound:Expr source:Metric target:Metric
Statement  Compatible map:Arrow relation:Relation domain:Space
Statement  MetricLeq left:Metric right:Metric
Statement  BoundLeq left:Expr right:Expr where:Range*
Statement  ProfileFact problem:Problem where:Range* vectors:Vector*
Statement  BlockDistance problem:Problem edit:text part:text touched:int* distance:Expr
Statement  TouchCount problem:Problem edit:text map:text count:Expr
Statement  Infeasible problem:Problem edit:text pattern:Kind* where:Range*
Statement  Shares problem:Problem edit:text map:text count:Expr distances:Seen*
Statement  ChangedTogether problem:Problem edit:text terms:text* facts:Predicate places:Place*
Statement  ChangedByRecords problem:Problem edit:text times:Expr terms:text* facts:Predicate\
 places:Place*
Statement  Together problem:Problem edit:text sets:Reach*
Statement  Mixed problem:Problem edit:text vectors:Vector*
Statement  Restricted of:Statement where:Range*
"""
"""Category, name, and fields with their types; ``*`` is a list, ``?`` may be null."""

_CATEGORY: Final[dict[str, str]] = {}
_FIELDS: Final[dict[str, tuple[tuple[str, str], ...]]] = {}
for _line in GRAMMAR.strip().splitlines():
    _kind, _name, *_fields = _line.split()
    _CATEGORY[_name] = _kind
    _FIELDS[_name] = tuple((f.split(":")[0], f.split(":")[1]) for f in _fields)
_CATEGORIES: Final = frozenset(_CATEGORY.values())
_BINDERS: Final = frozenset({"Worst", "SumOver", "EachAdded", "EachAdaptive", "EachJoint", "View"})
_ABOUT_EDITS: Final = frozenset(
    {
        "BlockDistance",
        "TouchCount",
        "Infeasible",
        "Shares",
        "ChangedTogether",
        "ChangedByRecords",
        "Together",
        "Mixed",
    }
)
_INDEXED: Final = frozenset({"Entry", "Domain", "Map", "Mechanism"})
_NUMBER: Final = re.compile(rf"(0|[1-9][0-9]{{0,{DIGITS}}})(?:/([1-9][0-9]{{0,{DIGITS}}}))?")


class RejectedError(ValueError):
    """The certificate, or a step of it, is wrong."""


class TooLargeError(RejectedError):
    """The certificate is larger than what is looked at."""


def need(holds: bool, why: str) -> None:
    """Reject unless something holds."""
    if not holds:
        raise RejectedError(why)


# ------------------------------------------------------------- making


def make(name: str, *values: Any) -> Node:
    """Return a term, after checking the types of its fields and that they belong together.

    >>> make("Sqrt", make("Size", "k"))
    ('Sqrt', ('Size', 'k'))
    >>> make("Sqrt", "k")
    Traceback (most recent call last):
    dpcomp_sym.replay.terms.RejectedError: Sqrt.of must be Expr
    """
    row = _FIELDS.get(name)
    if row is None or len(row) != len(values):
        raise RejectedError(f"no term {name} with {len(values)} fields")
    for (field, kind), value in zip(row, values, strict=True):
        need(_fits(value, kind), f"{name}.{field} must be {kind}")
    node = (name, *values)
    _check(node)
    if _CATEGORY[name] == "Statement":
        _check_meanings(node)
        need(unbound(node) == (0, 0), "a letter or an index is not bound")
    return node


def _fits(value: Any, kind: str) -> bool:
    if kind.endswith("*"):
        return type(value) is tuple and all(_fits(v, kind[:-1]) for v in value)
    if kind.endswith("?"):
        return value is None or _fits(value, kind[:-1])
    if kind == "text":
        return type(value) is str
    if kind == "int":
        return type(value) is int and abs(value) <= LARGEST
    if kind == "sizes":
        return type(value) is tuple and all(_is_size(v) for v in value)
    if kind == "number":
        return type(value) is Fraction
    return (
        type(value) is tuple
        and bool(value)
        and type(value[0]) is str
        and _CATEGORY.get(value[0]) == kind
    )


def _is_size(value: Any) -> bool:
    if type(value) is int:
        return 1 <= value <= LARGEST
    return type(value) is str and bool(value)


def fields_of(node: Node) -> tuple[tuple[str, str, Any], ...]:
    """Return the fields of a term: name, type, value."""
    return tuple((f, k, v) for (f, k), v in zip(_FIELDS[node[0]], node[1:], strict=True))


def _inside(node: Node) -> Iterable[Node]:
    for _, kind, value in fields_of(node):
        base = kind.rstrip("*?")
        if base in _CATEGORIES and value is not None:
            yield from value if kind.endswith("*") else (value,)


def open_sizes(*nodes: Node) -> frozenset[tuple[Any, ...]]:
    """Return the families whose block at hand the terms mention.

    >>> open_sizes(make("Entry", "eps", ("k",)))
    frozenset({('k',)})
    """
    found: frozenset[tuple[Any, ...]] = frozenset()
    for node in nodes:
        inner = open_sizes(*_inside(node))
        if node[0] in _INDEXED:
            sizes = node[-1]
            inner |= {sizes} if sizes else frozenset()
        elif node[0] in _BINDERS:
            inner -= {{f: v for f, _, v in fields_of(node)}["sizes"]}
        found |= inner
    return found


def unbound(*nodes: Node) -> tuple[int, int]:
    """Return the largest numbers of a letter, and of an index, that nothing binds.

    >>> unbound(make("Compared", "lt", make("Letter", 2), make("Index", 1)))
    (2, 1)
    """
    letter = index = 0
    for node in nodes:
        inner, at = unbound(*_inside(node))
        if node[0] in {"Letter", "LetterAt"}:
            inner = max(inner, node[1])
        if node[0] == "Index":
            at = node[1]
        if node[0] in {"MaxOver", "BlockPattern", "ChangedTogether", "ChangedByRecords"}:
            inner = 0
        if node[0] in {"SumOver", "Family", "Place"}:
            at = 0
        letter, index = max(letter, inner), max(index, at)
    return letter, index


def _scope(free: int, facts: Node, *inner: Node) -> None:
    """Check what binds so many letters."""
    need(0 <= free <= MOST_LETTERS, "a strange number of letters")
    need(unbound(facts, *inner)[0] <= free, "a letter is not bound")
    need(unbound(facts)[1] == 0, "an index stands outside of its block")
    taken = {x[1:] for n in (facts, *inner) for x in _letters(n)}
    need(len({x[0] for x in taken}) == len(taken), "a letter is an integer, or one function")
    need(len({x[1:] for x in taken} - {()}) < 2, "functions take the same indices")


def _letters(node: Node) -> Iterator[Node]:
    if node[0] in {"Letter", "LetterAt"}:
        yield node
    for inside in _inside(node):
        yield from _letters(inside)


def _in_block(sizes: tuple[Any, ...], *inner: Node) -> None:
    need(unbound(*inner)[1] <= len(sizes), "a block has fewer indices")


def ends(arrow: Node) -> tuple[Node, Node]:
    """Return domain and codomain of a map."""
    if arrow[0] == "Composite":
        return ends(arrow[1])[0], ends(arrow[2])[1]
    need(arrow[0] == "Map", "no map")
    return arrow[3], arrow[4]


def space_of(metric: Node) -> Node:
    """Return the space on which a metric lives."""
    lives_on: Node
    match metric:
        case ("Canonical", _, space) | ("Distance", _, _, space):
            lives_on = space
            return lives_on
        case ("Rescaled", _, of) | ("EachAdded", _, of):
            return space_of(of)
        case ("Added" | "Largest", items) if items:
            return space_of(items[0])
        case ("Pullback", _, arrow):
            return ends(arrow)[0]
        case ("Quotient", _, arrow):
            return ends(arrow)[1]
        case _:
            raise RejectedError("no metric")


def domain_of(mechanism: Node) -> Node:
    """Return the space on which a mechanism runs."""
    lives_on: Node
    match mechanism:
        case ("Mechanism", _, space, _):
            lives_on = space
            return lives_on
        case ("After", _, arrow):
            return ends(arrow)[0]
        case ("Adaptive", items) if items:
            return domain_of(items[0])
        case ("EachAdaptive", _, of) | ("Processed", of, _):
            return domain_of(of)
        case _:
            raise RejectedError("no mechanism")


def is_integer(e: Node) -> bool:
    """Return whether an expression is an integer, whatever the sizes in it are.

    >>> is_integer(make("Size", "k")), is_integer(make("Num", Fraction(1, 2)))
    (True, False)
    """
    match e:
        case ("Num", value):
            return bool(value.denominator == 1)
        case ("Sum" | "Product" | "Max", items):
            return all(map(is_integer, items))
        case _:
            return bool(e[0] == "Size")


def _counts(count: Node) -> None:
    need(count[0] == "Inf" or is_integer(count), "a number of blocks must be an integer, or all")


def _counts_chosen(count: Node) -> None:
    """Reject what is no number of blocks, nor an integer that letters say."""
    if count[0] == "Amount":
        need(unbound(count)[1] == 0, "a number of blocks does not depend on one of them")
    else:
        _counts(count)


def _closes(sizes: tuple[Any, ...], *inner: Node) -> None:
    need(open_sizes(*inner) <= {sizes}, "a family holds what belongs to another one")


def _there(sizes: tuple[Any, ...], block: tuple[int, ...]) -> None:
    """Reject a block that the family has not, or perhaps has not."""
    need(bool(block) and len(block) == len(sizes), "a block has a number for each index")
    for place, size in zip(block, sizes, strict=True):
        need(type(size) is int and 1 <= place <= size, f"there is no block {place} of {size}")


def _sizes_of(problem: Node, name: str) -> tuple[Any, ...]:
    """Return the sizes of a family by the name of its map; () if no part reads it."""
    found = [sizes for _, _, read, sizes, _ in problem[4] if read == name]
    return found[0] if found else ()


def _one_space(spaces: list[Node]) -> None:
    need(bool(spaces) and all(s == spaces[0] for s in spaces), "one common space is needed")


ARITIES: Final = {"neg": 1, "div": 2, "mod": 2, "pow": 2}
MANY: Final = frozenset({"add", "mul", "min", "max"})


def _holds(node: Node, name: str) -> bool:
    return node[0] == name or any(_holds(x, name) for x in _inside(node))


def _totals(node: Node) -> Iterator[Node]:
    if node[0] == "SumOver":
        yield node
    for inside in _inside(node):
        yield from _totals(inside)


def indices(node: object) -> Iterator[int]:
    """Yield the indices of blocks that a term, or several, are made of."""
    match node:
        case ("Index", int(number)):
            yield number
        case tuple():
            for inside in node:
                yield from indices(inside)
        case _:
            pass


def _functions(node: Node) -> set[tuple[Node, ...]]:
    """Return of what the letters in a term are functions."""
    return {x[2] for x in _letters(node) if x[0] == "LetterAt"}


def _same_sizes(totals: list[tuple[Node, tuple[Node, ...]]]) -> None:
    """Check that functions take indices with the same sizes in all sums, which take all blocks."""
    need(all(x[3] == ("Inf",) for x, _ in totals), "not about all blocks")
    sizes = {tuple(x[1][n - 1] for n in sorted(set(indices(at)))) for x, at in totals}
    need(len(sizes) < 2, "a function takes indices of other sizes")


def _check_together(node: Node) -> None:
    """Reject ill-formed terms about integers, or about blocks that change together."""
    match node:
        case ("Letter" | "Index", number):
            need(number >= 1, "letters and indices are numbered from 1")
        case ("LetterAt", number, at):
            need(number >= 1, "numbers are counted from 1")
            need(bool(at) and len(set(at)) == len(at), "no integers, each once")
            need(all(unbound(x)[0] == 0 < unbound(x)[1] for x in at), "no integers of a block")
            plain = [x[1] for x in at if x[0] == "Index"]
            need(plain == sorted(plain), "no indices in order")
        case ("Combined", op, items):
            known = ARITIES.get(op)
            need(len(items) == known if known else op in MANY and len(items) > 1, f"no {op}")
        case ("Compared", op, _, _):
            need(op in {"lt", "le", "eq", "ne"}, "no comparison")
        case ("Connected", op, items):
            need(op in {"and", "or"} or (op == "not" and len(items) == 1), "no connection")
        case ("SumOver", sizes, when, count, value):
            _counts_chosen(count)
            _closes(sizes, value)
            _in_block(sizes, when, value)
        case ("MaxOver", free, facts, body):
            _scope(free, facts, body)
            need(unbound(body)[1] == 0, "an index stands outside of its block")
            need(not _holds(body, "MaxOver"), "letters are bound once")
            _same_sizes([(x, at) for x in _totals(body) for at in _functions(x)])
        case ("Family", _, count, _, _):
            _counts_chosen(count)
        case ("BlockPattern", free, facts, families):
            _scope(free, facts, *families)
        case ("ChangedTogether", problem, _, terms, facts, places):
            _scope(len(terms), facts, *places)
            _check_places(problem, places)
        case ("ChangedByRecords", problem, _, times, terms, facts, places):
            _counts(times)
            _scope(len(terms), facts, *places)
            _check_places(problem, places)
            need(all(p[2] == p[4] == () for p in places), "more is said than which blocks")
        case ("Coverage", times, most):
            _counts(times)
            need(most[0] == "MaxOver", "a coverage is by choices of integers")
            _open_only_in_conditions(most)
            need(all(x[3] == ("Inf",) for x in _totals(most)), "not about all blocks")
        case ("Several", times, pattern):
            _counts(times)
            need(pattern[0] == "BlockPattern", "several patterns are of one form")
            need(all(f[2] == ("Inf",) for f in pattern[3]), "not about all blocks")
            _open_only_in_conditions(pattern)
        case _:
            pass


def _check_places(problem: Node, places: tuple[Node, ...]) -> None:
    sizes_of = {v[2]: v[3] for v in problem[4]}
    for _, name, _, when, distances in places:
        need(name in sizes_of, f"no part reads {name}")
        _in_block(sizes_of[name], when, *distances)
    need(len({p[1:3] for p in places}) == len(places), "a place occurs twice")


def _open_only_in_conditions(node: Node) -> None:
    """Check that letters are of one kind, and occur in no amount."""
    need(len({x[0] for x in _letters(node)}) < 2, "choices are of integers, or of functions")
    need(not any(map(_names_letters, _amounts(node))), "an amount depends on one of the choices")


def _amounts(node: Node) -> Iterator[Node]:
    if node[0] == "Amount":
        yield node
    for inside in _inside(node):
        yield from _amounts(inside)


def _names_letters(node: Node) -> bool:
    return any(True for _ in _letters(node))


def _check(node: Node) -> None:
    """Reject a term whose fields do not belong together."""
    match node:
        case ("Num", value):
            need(value >= 0, "numbers are not negative here")
        case ("Apply", name, items):
            need(FUNCTIONS.get(name) == len(items), f"no function {name} of {len(items)}")
        case ("Worst", sizes, groups):
            _closes(sizes, *groups)
        case ("Choice", count, _) | ("TouchCount", _, _, _, count):
            _counts(count)
        case ("Kind", _, _, count):
            need(count >= 1, "a pattern of no block")
        case ("Infeasible", _, _, pattern, _):
            need(len({k[1:3] for k in pattern}) == len(pattern), "a kind of block occurs twice")
        case ("ProfileFact", problem, _, vectors):
            _check_vectors(problem, vectors)
        case ("Range", _, low, high):
            need(low >= 1 and (high is None or high >= low), "an empty range of sizes")
        case ("Composite", first, second):
            need(ends(first)[1] == ends(second)[0], "the maps do not fit together")
        case ("Added" | "Largest", items):
            _one_space([space_of(m) for m in items])
        case ("EachAdded", sizes, item):
            _closes(sizes, item)
        case ("Pullback", of, arrow):
            need(space_of(of) == ends(arrow)[1], "the metric is not on the map's range")
        case ("Quotient", of, arrow):
            need(space_of(of) == ends(arrow)[0], "the metric is not on the map's domain")
        case ("After", mechanism, arrow):
            need(domain_of(mechanism) == ends(arrow)[1], "mechanism and map do not fit")
        case ("Adaptive", items):
            _one_space([domain_of(m) for m in items])
        case ("EachAdaptive", sizes, item):
            _closes(sizes, item)
            need(not open_sizes(domain_of(item)), "mechanisms on one domain are needed")
        case ("EachJoint", sizes, item) | ("View", _, _, sizes, item):
            _closes(sizes, item)
        case ("Edit", _, points):
            need(points >= 0, "the number of touched records is not negative")
        case ("Problem", domain, relation, edits, views, _):
            _check_problem(domain, relation, edits, views)
        case ("Private", mechanism, notion, loss, _):
            _check_loss(notion, loss, domain_of(mechanism))
        case ("MetricLeq", left, right):
            _one_space([space_of(left), space_of(right)])
        case _:
            _check_named(node)


def _check_named(node: Node) -> None:
    """Reject impossible statements about single blocks, or about what blocks share."""
    match node:
        case ("Group", _, count, _, block, wide):
            _counts(count)
            _counts(count if wide is None else wide)
            alone = wide is None and count == ("Num", Fraction(1))
            need(not block or alone, "one block is one block")
        case ("MeanOf", *both):
            need(all(v[0] != "MeanOf" for of in both for v in of), "a mean of means")
        case ("Mixed", problem, _, vectors):
            need(all(v[0] != "MeanOf" for v in vectors), "a mean of means")
            _check_vectors(problem, vectors)
        case ("Shares", problem, _, name, count, distances):
            _counts(count)
            _check_vectors(problem, (("Vector", (("Group", name, count, distances, (), None),)),))
        case ("Restricted", of, within):
            need(of[0] in _ABOUT_EDITS, "only facts about edits are restricted")
            need(bool(within), "a fact about all sizes is not restricted")
        case ("EntryOf", _, sizes, block):
            _there(sizes, block)
        case ("Reach", touches):
            ways = {(name, bool(block)) for _, name, block, _, _ in touches}
            need(len({name for name, _ in ways}) == len(ways), "blocks of a map with and without")
            need(len({x[1:4] for x in touches}) == len(touches), "a set lists a block twice")
        case ("Together", problem, _, sets):
            for _, name, block, _, distances in (x for _, touches in sets for x in touches):
                if block:
                    _there(_sizes_of(problem, name), block)
                for _, part, r in distances:
                    need(("View", part, name) in {v[:3] for v in problem[4]}, "no reader is listed")
                    need(not open_sizes(r) and unbound(r) == (0, 0), "a distance of which block?")
        case _:
            _check_together(node)


def _check_problem(
    domain: Node, relation: Node, edits: tuple[Node, ...], views: tuple[Node, ...]
) -> None:
    need(not open_sizes(domain, relation), "a problem is about one domain")
    sizes: dict[str, Any] = {}
    for _, part, name, size, seen in views:
        need(space_of(seen) == domain, f"part {part} sees another domain")
        need(sizes.setdefault(name, size) == size, f"the parts of {name} disagree on its blocks")
        read = seen[2] if seen[0] == "Pullback" else seen
        need(read[0] != "Map" or read[1] == name, f"part {part} does not read {name}")
    for names in ([v[1] for v in views], [e[1] for e in edits]):
        need(len(set(names)) == len(names), "a name is used twice")


def _check_meanings(statement: Node) -> None:
    """Reject a statement in which one name means two things: values are looked up by name.

    A map may end in several classes, one for each part that reads it.
    """
    numbers: dict[str, Any] = {}
    others: dict[tuple[str, str], Any] = {}
    todo = [statement]
    while todo:
        node = todo.pop()
        todo.extend(_inside(node))
        meanings = [(size, "size") for f, k, v in fields_of(node) if k == "sizes" for size in v]
        match node:
            case ("Param", name):
                meanings.append((name, "parameter"))
            case ("Entry", name, sizes) | ("EntryOf", name, sizes, _):
                meanings.append((name, sizes))
            case ("Size" | "Symbol", name) | ("Range", name, _, _):
                meanings.append((name, "size"))
            case ("Map", name, detail, domain, _, sizes):
                meant = others.setdefault(("Map", name), (detail, domain, sizes))
                need(meant == (detail, domain, sizes), f"two maps are called {name}")
            case ("Mechanism", name, domain, sizes):
                meant = others.setdefault(("Mechanism", name), (domain, sizes))
                need(meant == (domain, sizes), f"two mechanisms are called {name}")
            case _:
                pass
        for name, meaning in meanings:
            clash = type(name) is str and numbers.setdefault(name, meaning) != meaning
            need(not clash, f"{name} means two things")


def _check_vectors(problem: Node, vectors: tuple[Node, ...]) -> None:
    readers: dict[str, list[str]] = {}
    for _, part, name, _, _ in problem[4]:
        readers.setdefault(name, []).append(part)
    sizes = {v[2]: v[3] for v in problem[4]}
    for vector in vectors:
        if vector[0] == "MeanOf":
            _check_vectors(problem, vector[1] + vector[2])
            continue
        if vector[0] == "Several":
            _check_vectors(problem, (vector[2],))
            continue
        for group in vector[-1]:
            name, distances = group[1], group[3]
            if group[0] == "Group" and group[4]:
                _there(sizes[name], group[4])
            listed = sorted(part for _, part, _ in distances)
            need(name in readers and listed == sorted(readers[name]), "a vector lists all parts")
            if group[0] == "Family":
                _in_block(sizes[name], group[4], *distances)


def _check_loss(notion: str, loss: Node, domain: Node) -> None:
    need(notion in NOTIONS, f"no notion {notion}")
    match loss:
        case ("Neighbouring", _, at, guarantee):
            need(at == domain, "a guarantee is about another domain than its mechanism")
            need(len(guarantee) == NOTIONS[notion], "a wrong number of parameters")
        case ("At", guarantee, metric):
            need(space_of(metric) == domain, "a guarantee is about another domain")
            need(len(guarantee) == NOTIONS[notion], "a wrong number of parameters")
        case ("Joint", items):
            for item in items:
                _check_loss(notion, item, domain)
        case ("EachJoint", _, item):
            _check_loss(notion, item, domain)
        case ("Converted", source, of, _):
            _check_loss(source, of, domain)
        case ("Stepwise", source, guarantee, metric):
            _check_loss(source, ("At", guarantee, metric), domain)
        case _:
            raise RejectedError("no loss")


# ------------------------------------------------------------- reading and writing


class Reader:
    """Reads terms from JSON; ``{"ref": n}`` is entry n of the table that was read so far.

    A reference costs what it stands for, so that a short text cannot mean a huge term.

    >>> Reader().value({"op": "Num", "value": "1/2"}, "Expr")
    ('Num', Fraction(1, 2))
    """

    def __init__(self) -> None:
        self.table: list[Node] = []
        self.used: set[int] = set()
        self._costs: list[int] = []
        self._cost = 0
        self._spent = 0

    def entry(self, data: Any) -> None:
        """Read the next entry of the table."""
        self._cost = 0
        node = self._term(data)
        need(self._cost <= LONGEST, "a term is too large")
        self.table.append(node)
        self._costs.append(self._cost)

    def value(self, data: Any, kind: str) -> Any:
        """Return a field of this kind.

        Raises:
            RejectedError: it is not of this kind, or not written in the one way that is allowed.
        """
        if kind.endswith("*"):
            need(type(data) is list, f"a list of {kind[:-1]} is needed")
            return tuple(self.value(d, kind[:-1]) for d in data)
        if kind.endswith("?"):
            return None if data is None else self.value(data, kind[:-1])
        if kind == "sizes":
            need(type(data) is list and all(_is_size(d) for d in data), "no sizes")
            return tuple(data)
        if kind == "number":
            return _read_number(data)
        if kind in _CATEGORIES:
            node = self._term(data)
            need(_CATEGORY[node[0]] == kind, f"{node[0]} is not a {kind}")
            return node
        need(_fits(data, kind), f"{kind} is needed, not {str(data)[:40]!r}")
        if kind == "text":
            self._pay(len(data))
        return data

    def _pay(self, cost: int) -> None:
        self._cost += cost
        self._spent += cost
        if self._spent > MOST_WORK:
            raise TooLargeError("the certificate is too large when written out")

    def _term(self, data: Any) -> Node:
        if type(data) is not dict:
            raise RejectedError("a term is needed")
        self._pay(16)
        if set(data) == {"ref"}:
            number = data["ref"]
            if type(number) is not int or not 0 <= number < len(self.table):
                raise RejectedError("a reference leads nowhere")
            self.used.add(number)
            self._pay(self._costs[number])
            return self.table[number]
        name = data.get("op")
        if type(name) is not str or name not in _FIELDS:
            raise RejectedError(f"no term: {str(name)[:40]!r}")
        row = _FIELDS[name]
        need(set(data) == {"op", *(f for f, _ in row)}, f"{name} has other fields")
        return make(name, *(self.value(data[f], k) for f, k in row))


def _read_number(data: Any) -> Fraction:
    match = _NUMBER.fullmatch(data) if type(data) is str else None
    if match is None:
        raise RejectedError("numbers are texts such as 3 or 1/2")
    down = int(match[2] or 1)
    need(down > 0, "a number with denominator 0")
    value = Fraction(int(match[1]), down)
    need(str(value) == data, "a number is not in lowest terms")
    return value


def value_text(value: Any, kind: str, memo: dict[int, tuple[Node, str]]) -> str:
    """Return the canonical JSON of a field; ``memo`` keeps what was written already."""
    if kind.endswith("*"):
        return "[" + ",".join(value_text(v, kind[:-1], memo) for v in value) + "]"
    if kind.endswith("?") and value is None:
        return "null"
    if kind.rstrip("?") not in _CATEGORIES:
        plain = str(value) if kind == "number" else value
        return str(json.dumps(plain, separators=(",", ":")))
    if id(value) in memo:
        known: str = memo[id(value)][1]
        return known
    rows = [("op", json.dumps(value[0]))]
    rows += [(f, value_text(v, k, memo)) for f, k, v in fields_of(value)]
    text = "{" + ",".join(f'"{f}":{t}' for f, t in sorted(rows)) + "}"
    need(len(text) <= LONGEST, "a term is too large")
    memo[id(value)] = (value, text)
    return text


def text_of(node: Node, memo: dict[int, tuple[Node, str]] | None = None) -> str:
    """Return the canonical JSON of a term.

    >>> text_of(make("Size", "k"))
    '{"name":"k","op":"Size"}'
    """
    return value_text(node, _CATEGORY[node[0]], {} if memo is None else memo)


def digest_of(node: Node, memo: dict[int, tuple[Node, str]] | None = None) -> str:
    """Return the SHA-256 of the canonical JSON of a term."""
    return hashlib.sha256(text_of(node, memo).encode()).hexdigest()
