"""Properties of neighbours that a user writes down: proved for all, or refuted by the smallest.

Three ways, in this order: a proof that no neighbours lack the property; the smallest neighbours
that do; and where the solver decides neither, all databases of some small worlds, and the scope
is reported.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import Final, Literal

from dpcomp_sym.engine.conditions import Condition
from dpcomp_sym.engine.contradictions import check_input
from dpcomp_sym.engine.counterexample import Demand, FoundPair
from dpcomp_sym.engine.definitions import Fails
from dpcomp_sym.engine.floors import floor_of, has_power
from dpcomp_sym.engine.gathered import gathered
from dpcomp_sym.engine.patterns import plus
from dpcomp_sym.engine.profiler import profile_of
from dpcomp_sym.engine.sensitivity_norms import Norm, decide_norm, norm_holds, norm_text, read_norm
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.tight_pairs import AttainedBlock
from dpcomp_sym.engine.together.counted import limited, limited_in_all
from dpcomp_sym.engine.verdict import (
    Checked,
    Proved,
    Refuted,
    Unknown,
    Vacuous,
    Verdict,
    not_decided,
)
from dpcomp_sym.errors import InputError, nearest
from dpcomp_sym.finite import Database, World
from dpcomp_sym.finite.enumerate import EditGraph
from dpcomp_sym.finite.sample import sample_world
from dpcomp_sym.model import BoundPart, Problem
from dpcomp_sym.profile import (
    ALL,
    All,
    Distance,
    Number,
    Profile,
    Symbolic,
    Total,
    Varying,
    Vector,
    is_at_most,
    product_of,
    sum_of,
)
from dpcomp_sym.smt import Pair, logic
from dpcomp_sym.statements import terms
from dpcomp_sym.terms import BOOL, CELL, INT, TRUE, Term, evaluate, free_variables, parse

__all__ = ["Property", "examine", "read_property"]

RECORDS: Final = ("x", "y", "z")
"""Variables that stand for any record of the set of all records."""

_COUNTED: Final = re.compile(r"(changed|distance)\s*\(\s*([\w.]+)\s*\)\s*<=\s*(.+?)\s*\Z")
_ABOUT_DATABASES: Final = re.compile(r"\b(changed|distance|size|l1|l2)\s*\(|\b[DE]\s*\[")

Holds = Callable[[World, Database, Database], bool]
"""Whether neighbours in a world have a property, by the evaluator."""

WORLDS: Final = 24
MOST_TRIED: Final = 3
MOST_ALIKE: Final = 20
FEW_SYMBOLS: Final = 2
FEW: Final = 3
"""More records are not searched for before it is looked at what they could show."""
"""How many symbols get small numbers in the search for a counterexample, at most."""
COPIES: Final = 2
CELLS: Final = 3


@dataclass(frozen=True)
class Property:
    """Something to be true of all neighbours.

    ``question``: ``changed`` (blocks of the map ``name``, at most ``most``), ``distance`` (of the
    part ``name``, at most ``most``), ``norm`` (of what a map hands on), or ``formula`` over the
    databases D and E and the records x, y, z.
    """

    text: str
    question: Literal["changed", "distance", "norm", "formula"]
    name: str = ""
    most: Number = 0
    formula: Term = TRUE
    norm: Norm | None = None

    @property
    def statement(self) -> str:
        """The property as a sentence."""
        if self.question == "changed":
            some = "block" if self.most == 1 else "blocks"
            return f"neighbours change at most {self.most} {some} of {self.name}"
        if self.question == "distance":
            return f"{self.name} sees neighbours at distance at most {self.most} in its own class"
        if self.question == "norm":
            return f"{self.text} for the change of what {self.name} hands on, between neighbours"
        return f"all neighbours D and D' satisfy {self.text}, where E stands for D'"


def read_property(text: str, problem: Problem) -> Property | None:
    """Read a property; None if the text is about something else than databases.

    Understood are ``changed(MAP) <= n``, ``distance(PART) <= n``, norms of what a map hands on,
    ``l1(MAP) <= n`` and ``l2(MAP, WEIGHT) <= sqrt(n)``, and formulas over ``D``, ``E`` and
    records ``x``, ``y``, ``z``, such as ``size(E) <= size(D) + 1`` or ``E[x] <= D[x] + 1``.

    Raises:
        InputError: it is about databases and cannot be read.
    """
    plain = " ".join(text.split())
    if not _ABOUT_DATABASES.search(plain):
        return None
    norm = read_norm(plain, problem)
    if norm is not None:
        return Property(plain, "norm", norm.mapping.name, norm=norm)
    counted = _COUNTED.match(plain)
    if counted:
        name, most = counted[2], _most(plain, counted[3], problem)
        question: Literal["changed", "distance"] = (
            "changed" if counted[1] == "changed" else "distance"
        )
        known: Mapping[str, object] = (
            problem.used_maps if question == "changed" else _parts(problem)
        )
        if name not in known:
            what = "map" if question == "changed" else "part"
            msg = f"the spec has no {what} '{name}' that is read: {nearest(name, known)}"
            raise InputError(msg, where="claim", word=name)
        return Property(plain, question, name, most)
    if plain.startswith(("changed", "distance")):
        msg = f"'{plain}': write changed(MAP) <= n or distance(PART) <= n, with a number n"
        raise InputError(msg, where="claim", word=plain)
    scope = problem.domain.scope().having(dict.fromkeys(RECORDS, CELL), databases=("D", "E"))
    try:
        formula = parse(plain, scope, BOOL)
    except InputError as error:
        raise error.within("claim") from None
    return Property(plain, "formula", formula=formula)


def _most(claim: str, said: str, problem: Problem) -> Number:
    """Return what a claim compares with: a sum of products of numbers and symbols of the spec.

    A number with a power of e is compared by its floor, as counts and distances are whole numbers.
    """
    if has_power(said):
        try:
            return floor_of(said)
        except InputError as error:
            raise error.within("claim") from None
    for word in re.findall(r"[A-Za-z_]\w*|\d+", said):
        if word not in problem.symbols and not re.fullmatch(r"\d{1,3}", word):
            raise _no_number(claim, nearest(word, problem.symbols))
    try:
        scope = problem.domain.scope().having(dict.fromkeys(problem.symbols, INT))
        return _of_term(parse(said, scope, INT))
    except (InputError, KeyError):
        raise _no_number(claim, "for example 2*p + 1") from None


def _of_term(term: Term) -> Number:
    """Return a number that is a sum of products; KeyError for anything else."""
    if term.op == "int" and term.number >= 0:
        return term.number
    if term.op == "var":
        return Symbolic(term.name)
    return {"add": sum_of, "mul": product_of}[term.op](map(_of_term, term.terms))


def _no_number(claim: str, hint: str) -> InputError:
    msg = (
        f"'{claim}': write changed(MAP) <= n or distance(PART) <= n, with a number n, or a sum or "
        f"product of numbers and symbols: {hint}"
    )
    return InputError(msg, where="claim", word=claim)


def _parts(problem: Problem) -> Mapping[str, BoundPart]:
    return {p.name: p for p in problem.bound_parts}


def examine(problem: Problem, text: str) -> Condition:
    """Prove a property of all neighbours, or refute it by the smallest that lack it.

    Args:
        problem: what the neighbours belong to.
        text: ``changed(MAP) <= n``, ``distance(PART) <= n``, ``l1(MAP) <= n``, ``l2(MAP) <= n``
            (with a weight: ``l1(MAP, WEIGHT)``; ``sqrt(n)`` for a root), or a formula over the
            databases ``D`` and ``E`` and records ``x``, ``y``, ``z``.

    Raises:
        InputError: the text is not a property, or the problem contradicts itself.

    >>> from dpcomp_sym.model import Domain, Part, library_granularity, library_map
    >>> problem = Problem(Domain({"id": "Record"}), library_granularity("bounded"),
    ...     [library_map("partition", name="blocks")], [Part("counts", "blocks")])
    >>> for text in ("changed(blocks) <= 2", "l2(blocks) <= sqrt(2)", "E[x] >= D[x]"):
    ...     print(text, examine(problem, text).verdict)
    changed(blocks) <= 2 proved
    l2(blocks) <= sqrt(2) proved
    E[x] >= D[x] refuted
    """
    wanted = read_property(text, problem)
    if wanted is None:
        msg = f"'{text}' contains neither D, E, nor changed blocks, nor distances"
        raise InputError(msg, where="claim", word=text)
    structure = Structure(problem)
    check_input(structure)
    outcome = _decided(structure, wanted)
    note = ""
    if wanted.norm is not None and isinstance(outcome, Refuted):
        example = outcome.counterexample
        note = f"it is {norm_text(wanted.norm, example.world, example.old, example.new)}"
    return Condition(wanted.text, wanted.name, wanted.statement, outcome, note)


def _counted(structure: Structure, wanted: Property) -> Verdict:
    """Decide how many blocks change, or how far a part sees, by itself or from the profile.

    What many records show is written out from the profile: it would take long to search for.
    """
    if isinstance(structure.vacuity, Vacuous):
        return structure.vacuity
    roads = [_by_itself, _by_profile]
    if wanted.question == "distance" and isinstance(wanted.most, int) and wanted.most > FEW:
        roads.reverse()
    found: Verdict = not_decided("no smaller bound was proved, and no neighbours were found")
    for road in roads:
        known = road(structure, wanted)
        if known is not None and (not isinstance(known, Unknown) or isinstance(found, Unknown)):
            found = known
        if not isinstance(found, Unknown):
            break
    return found


def _by_itself(structure: Structure, wanted: Property) -> Verdict | None:
    """Decide a claim with a number by questions about the neighbours."""
    if not isinstance(wanted.most, int):
        return None
    if wanted.question == "changed":
        return structure.compatible(structure.problem.used_maps[wanted.name], wanted.most)
    return structure.sensitivity(_parts(structure.problem)[wanted.name], wanted.most)


def _by_profile(structure: Structure, wanted: Property) -> Verdict | None:
    """Decide a claim by what is known of all parts together, and by some small numbers."""
    most = wanted.most
    start = len(structure.scripts)
    # Multiples of symbols are compared for symbols from 1 on.
    symbols = most.symbols if isinstance(most, Symbolic | Total) else ()
    positive = all((structure.numbers(s).low or 0) >= 1 for s in symbols)
    if positive and _bounded(structure, profile_of(structure), wanted):
        return Proved(tuple(structure.scripts[start:]))
    profile = profile_of(structure) if positive and wanted.question == "distance" else None
    if not isinstance(most, int):
        return _in_numbers(structure, wanted, most, profile)
    return None if profile is None else _at_any_numbers(structure, wanted, profile)


def _at_any_numbers(structure: Structure, wanted: Property, profile: Profile) -> Verdict | None:
    """Return a refutation of a number by small numbers of the symbols, if they show one."""
    symbols = _symbols_of_distances(profile, wanted)
    each = [range(1, MOST_ALIKE + 1)] * len(symbols)
    choices = (
        itertools.product(*each) if 0 < len(symbols) <= FEW_SYMBOLS else zip(*each, strict=True)
    )
    for numbers in sorted(choices, key=sum):
        known = dict(zip(symbols, numbers, strict=True))
        shown = (
            None
            if _holds_at(profile, wanted, known)
            else _written_out(structure, wanted, profile, known)
        )
        if isinstance(shown, Refuted):
            return shown
    return None


def _symbols_of_distances(profile: Profile, wanted: Property) -> list[str]:
    known = [r for r in _seen(profile, wanted) if isinstance(r, Symbolic | Total)]
    return sorted({s for r in known for s in r.symbols})


def _seen(profile: Profile, wanted: Property) -> Iterator[Distance]:
    """Yield from how far the part of a claim sees neighbours, at most."""
    for case in profile.cases:
        for group in itertools.chain.from_iterable(case.single):
            yield from (r for part, r in group.distances if part == wanted.name)


def _holds_at(profile: Profile, wanted: Property, numbers: Mapping[str, int]) -> bool:
    """Return whether a bound of all numbers is none worse than what is claimed, for some."""
    most = wanted.most if isinstance(wanted.most, int) else wanted.most.at(numbers)
    known = [r.given(numbers) if isinstance(r, Symbolic | Total) else r
             for r in _seen(profile, wanted)]  # fmt: skip
    return profile.proved and all(is_at_most(r, most) for r in known)


def _written_out(
    structure: Structure, wanted: Property, profile: Profile, numbers: Mapping[str, int]
) -> Verdict | None:
    """Return a refutation by the neighbours that show how far a part sees, for some numbers."""
    most = wanted.most if isinstance(wanted.most, int) else wanted.most.at(numbers)
    part = _parts(structure.problem)[wanted.name]
    blocks = None if part.map.indices else ()
    sizes = {**dict.fromkeys((s for s in part.map.sizes if isinstance(s, str)), 1), **numbers}
    if not set(_symbols_of_distances(profile, wanted)) <= sizes.keys():
        return None
    for case in profile.cases:
        seen = {r for vector in case.vectors for g in vector for p, r in g.distances
                if p == part.name and isinstance(r, Symbolic | Total)}  # fmt: skip
        for far in sorted(r.at(sizes) for r in seen if case.speaks_of(sizes)):
            touched = AttainedBlock(part.map.name, blocks, ((part.name, far),))
            found = gathered(structure, case, [touched], sizes) if far > most else None
            if found is not None:
                reason = f"a distance larger than {most}"
                return structure.refuted(found, structure.too_far(part, most), reason, [part])
    return None


def _bounded(structure: Structure, profile: Profile, wanted: Property) -> bool:
    """Return whether what a profile says of all neighbours is at most what is claimed."""
    if not profile.proved:
        return False
    ways = [vector for case in profile.cases for vector in case.single]
    if wanted.question == "changed":
        return all(_few_change(structure, vector, wanted) for vector in ways)
    largest = {s: n for s in structure.problem.symbols
               if (n := structure.numbers(s).high) is not None}  # fmt: skip
    return all(is_at_most(r, wanted.most) for r in _seen(profile, wanted)) or (
        isinstance(wanted.most, int) and _holds_at(profile, wanted, largest)
    )


def _few_change(structure: Structure, vector: Vector, wanted: Property) -> bool:
    """Return whether one way to differ changes no more blocks of a map than is claimed."""
    here = [g for g in vector if g.map == wanted.name and any(r != 0 for _, r in g.distances)]
    counts = [ALL if isinstance(g.most, Varying) else g.most for g in here]
    total = reduce(plus, counts) if here else 0
    if not isinstance(total, All) and is_at_most(total, wanted.most):
        return True
    conditions = [g.when for g in here if g.when is not None]
    if not conditions or len(conditions) < len(here):
        return False
    ((free, facts, *_), *_) = conditions  # all groups share the integers and their facts
    when = free, facts, terms.Connected("or", tuple(when for _, _, when in conditions))
    mapping = structure.problem.used_maps[wanted.name]
    if any(g.times != 1 for g in here):
        return limited_in_all(structure, when, mapping, here[0].times, wanted.most)
    return limited(structure, when, mapping, wanted.most)


def _in_numbers(
    structure: Structure, wanted: Property, most: Symbolic | Total, profile: Profile | None
) -> Verdict | None:
    """Return a refutation for some small numbers of the symbols of a claim.

    ``profile``: what is known of all numbers from 1 on.
    """
    sizes = {size for m in structure.problem.used_maps.values() for size in m.sizes}
    claimed = set(most.symbols)
    possible = structure.problem.symbols.keys() - (sizes - claimed)
    symbols = sorted(possible, key=lambda name: (name not in claimed, name))
    for numbers in itertools.product(*(_small(structure, s) for s in symbols[:MOST_TRIED])):
        known = dict(zip(symbols, numbers, strict=False))
        if not set(most.symbols) <= set(known):
            return None
        if profile is not None:
            shown = _written_out(structure, wanted, profile, known)
            if isinstance(shown, Refuted):
                return shown
            if _holds_at(profile, wanted, known):
                continue
        try:
            there = Structure(structure.problem.at(known))
            check_input(there)
        except InputError:
            continue
        found = _counted(there, replace(wanted, most=most.at(known)))
        if isinstance(found, Refuted):
            return found
    return None


def _small(structure: Structure, symbol: str) -> tuple[int, ...]:
    """Return small numbers that a symbol can have: where it can be 0, a product with it is 0."""
    least = structure.numbers(symbol).low
    return (0, 1, 2) if least is None or least <= 0 else (least, least + 1)


def _decided(structure: Structure, wanted: Property) -> Verdict:
    if wanted.question in ("changed", "distance"):
        return _counted(structure, wanted)
    if isinstance(structure.vacuity, Vacuous):
        return structure.vacuity
    if wanted.norm is not None:
        norm = wanted.norm
        found = structure.also_freed(decide_norm(structure, norm), lambda s: decide_norm(s, norm))
        holds: Holds = partial(norm_holds, norm)
    else:
        formula = wanted.formula
        found = structure.also_freed(_formula(structure, formula), lambda s: _formula(s, formula))
        holds = partial(_holds, formula)
    return _enumerated(structure, holds) if isinstance(found, Unknown) else found


def _formula(structure: Structure, formula: Term) -> Verdict:
    start, undecided = len(structure.scripts), []
    for edit in structure.edits:
        for swapped in _ways(structure):
            pair = structure.pair(edit)
            _violate(pair, formula, swapped=swapped)
            if not structure.unsat(pair.query):
                undecided.append((edit, swapped))
    if not undecided:
        return Proved(tuple(structure.scripts[start:]))
    found = []
    for edit, swapped in undecided:
        example = structure.confirmed(
            edit, _asking(formula, swapped=swapped), _judging(formula, swapped=swapped)
        )
        if example is not None:
            old, new = _ordered(example, swapped=swapped)
            found.append(FoundPair(example.world, old, new, ()))
    if found:
        fails = _lacking(partial(_holds, formula))
        return structure.refuted(min(found, key=_weight), fails, "the property fails")
    return not_decided("the solver's candidates were not confirmed by the evaluator")


def _ways(structure: Structure) -> tuple[bool, ...]:
    """Neighbours stand in either order, unless the granularity is directed."""
    return (False,) if structure.problem.outer.directed else (False, True)


def _lacking(holds: Holds) -> Fails:
    """Return the definition of neighbours that lack a property."""
    return lambda world, old, new: not holds(world, old, new)


def _violate(pair: Pair, formula: Term, *, swapped: bool) -> None:
    pair.differ()
    records = {name: pair.query.cell(name) for name in _records(formula)}
    pair.query.add(logic.Not(pair.query.read(formula, records, pair.reading(swapped=swapped))))


def _asking(formula: Term, *, swapped: bool) -> Callable[[Pair], Demand]:
    def ask(pair: Pair) -> Demand:
        _violate(pair, formula, swapped=swapped)
        return Demand([], [])

    return ask


def _judging(formula: Term, *, swapped: bool) -> Callable[[FoundPair], bool]:
    def judge(found: FoundPair) -> bool:
        return not _holds(formula, found.world, *_ordered(found, swapped=swapped))

    return judge


def _ordered(found: FoundPair, *, swapped: bool) -> tuple[Database, Database]:
    return (found.new, found.old) if swapped else (found.old, found.new)


def _records(formula: Term) -> tuple[str, ...]:
    return tuple(sorted(set(RECORDS) & free_variables(formula)))


def _holds(formula: Term, world: World, old: Database, new: Database) -> bool:
    """Evaluate the formula for all records."""
    names = _records(formula)
    for cells in itertools.product(world.cells, repeat=len(names)):
        variables = dict(zip(names, cells, strict=True))
        env = world.environment(variables=variables, databases={"D": old, "E": new})
        if not evaluate(formula, env):
            return False
    return True


def _weight(found: FoundPair) -> tuple[int, int]:
    return sum(found.old.values()) + sum(found.new.values()), len(found.world.cells)


# ------------------------------------------------------------- finite scopes


def _enumerated(structure: Structure, holds: Holds) -> Verdict:
    """Look at all neighbours in some small worlds."""
    worlds = list(_worlds(structure.problem))
    pairs, worst = 0, None
    for world in worlds:
        graph = EditGraph(world, structure.problem.outer, world.cells, COPIES)
        for one, other in graph.pairs():
            old, new = graph.database(one), graph.database(other)
            pairs += 1
            if not holds(world, old, new):
                found = FoundPair(world, old, new, ())
                if worst is None or _weight(found) < _weight(worst):
                    worst = found
    if worst is not None:
        return structure.refuted(worst, _lacking(holds), "found by enumeration")
    if not pairs:
        return not_decided("neither proved nor refuted, and no small world has neighbours")
    most = max(len(world.cells) for world in worlds)
    return Checked(
        f"all {pairs} pairs of neighbours in {len(worlds)} random worlds: at most {most} records, "
        f"at most {COPIES} copies of each"
    )


def _worlds(problem: Problem) -> Iterator[World]:
    for seed in range(WORLDS):
        world = sample_world(problem, seed, CELLS)
        if world is not None and len(world.cells) <= CELLS + 1:
            yield world
