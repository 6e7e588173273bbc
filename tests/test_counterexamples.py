"""Every counterexample that is printed, of every kind, by the definition of what it refutes.

Whatever makes one is found in the sources and stands in the table ``KINDS``, with what must be true
of it: a new kind fails a test until it is listed here, checked, and made by the cases below.  The
databases of all examples, of the corpus and of these cases are then decided by plain evaluation and
enumeration: D and D' are different, of the class, an edit leads from one to the other where the
statement is about neighbours, and the statement fails.
"""

from __future__ import annotations

import ast
import contextlib
import itertools
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import dpcomp_sym
from dpcomp_sym.claims import refute, standalone
from dpcomp_sym.engine import conditions, definitions, properties
from dpcomp_sym.engine.contradictions import check_input
from dpcomp_sym.engine.properties import examine
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.verdict import not_decided
from dpcomp_sym.errors import InputError
from dpcomp_sym.finite import World
from dpcomp_sym.finite.enumerate import EditGraph
from dpcomp_sym.membership import Membership, composition, worst
from dpcomp_sym.metrics.canonical import Canonical
from dpcomp_sym.metrics.counting_terms import ClosedForm
from dpcomp_sym.metrics.relations import Relations
from dpcomp_sym.model import Domain, library_granularity
from dpcomp_sym.profile import Infinity
from dpcomp_sym.spec import load_any, load_spec
from dpcomp_sym.stability import check as stability
from dpcomp_sym.stability.bounds import DistanceBound
from dpcomp_sym.terms import evaluate
from dpcomp_sym.uncertainty.settings.claims import Event
from tests.differential.compare import (
    Witness,
    changed,
    held,
    is_model,
    outside,
    too_far,
    twice,
    unconfirmed,
)
from tests.differential.engine import LateError, budget
from tests.shares import shared

PACKAGE = Path(dpcomp_sym.__file__).parent
ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("*.toml"))
CORPUS = sorted((ROOT / "tests/differential/corpus").glob("*.toml"))
MAKERS = {
    "counterexample", "refuted", "example", "Counterexample", "Refuted", "Event", "WorstPair",
    "TriedPair",
}  # fmt: skip
"""What makes a counterexample is called so."""
SIDES = ({"old", "new"}, {"first", "second"})
CANDIDATES = {
    # found, or asked about, before they are made a counterexample
    "engine/counterexample.py FoundPair", "engine/explicit_databases.py Trial",
    "finite/enumerate.py Extreme", "smt/pair.py _Image",
    # one line of what is shown
    "report/databases.py RecordRow",
    # neighbours of small examples, of which Rocq decides that the types of cells suffice
    "rocq/witness.py NeighbourExample",
    # two laws of outputs; two mechanisms
    "uncertainty/laws/worlds.py AttackCase", "statements/terms/spaces.py Composite",
}  # fmt: skip
"""Classes of two things that are nobody's counterexample."""
CHECKS = 80
VACUOUS = {"fixed-size-unbounded"}
"""Where there are no neighbours, there is nothing to show."""


# ------------------------------------------------------------------ what there is in the sources


def calls(tree: ast.AST, around: tuple[str, ...] = ()) -> Iterator[tuple[str, ast.Call]]:
    """Yield all calls with the classes and functions around them."""
    for node in ast.iter_child_nodes(tree):
        inside = around
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            inside = (*around, node.name)
        if isinstance(node, ast.Call):
            yield ".".join(inside), node
        yield from calls(node, inside)


def makers() -> set[str]:
    """Return all places where counterexamples are made, or shown in JSON."""
    found = set()
    for path in sorted(PACKAGE.rglob("*.py")):
        tree, file = ast.parse(path.read_text("utf-8")), path.relative_to(PACKAGE).as_posix()
        if file.startswith(("report/", "certificates/")):
            continue  # they show, and read again, what others made
        for place, call in calls(tree):
            name = getattr(call.func, "id", getattr(call.func, "attr", ""))
            if name in MAKERS:
                found.add(f"{file} {place}")
        shown = (n for n in ast.walk(tree) if isinstance(n, ast.Dict))
        keys = {getattr(k, "value", None) for d in shown for k in d.keys}
        if keys & {"counterexample", "D_prime"}:
            found.add(f"{file} as data")
    return found


def classes_of_two() -> set[str]:
    """Return the data classes with two sides, such as D and D'."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                known = [n.target for n in node.body if isinstance(n, ast.AnnAssign)]
                fields = {n.id for n in known if isinstance(n, ast.Name)}
                if any(sides <= fields for sides in SIDES):
                    found.add(f"{path.relative_to(PACKAGE).as_posix()} {node.name}")
    return found


# ------------------------------------------------------------------ what must be true of each


@dataclass(frozen=True)
class Made:
    """Databases that were made a counterexample, and what was known where this was done."""

    pairs: definitions.Pairs
    world: World
    old: Any
    new: Any
    known: dict[str, Any]

    @property
    def witness(self) -> Witness:
        return Witness(self.world, self.old, self.new)


Check = Callable[[Made], object]


def _differ(made: Made) -> object:
    return not unconfirmed(made.known["self"].problem, made.witness)


def _two_blocks(made: Made) -> object:
    return _differ(made) and twice(made.known["mapping"], made.world) & held(made.witness)


def _more_change(made: Made) -> object:
    return _differ(made) and changed(made.known["mapping"], made.witness) > made.known["most"]


def _too_far(made: Made) -> object:
    problem, part = made.known["self"].problem, made.known["part"]
    most = made.known.get("most", 1)
    if not _differ(made):
        return False
    if most == 0 and part.setting == "separate":
        return changed(part.map, made.witness) > 0 or outside(part, made.witness)
    return outside(part, made.witness) or too_far(problem, part, made.witness)


def _claimed(made: Made) -> object:
    return _too_far(replace(made, known={**made.known, "self": made.known["structure"]}))


def _norm(made: Made) -> object:
    """Decide by plain loops whether the norm of the change in some block is larger."""
    norm, world = made.known["norm"], made.world
    assert not unconfirmed(made.known["structure"].problem, made.witness)
    allowed = evaluate(norm.most, world.environment())
    for index in world.blocks(norm.mapping):
        table: Counter[Any] = Counter()
        for cell in world.cells:
            if world.member(norm.mapping, cell, index):
                weight = evaluate(norm.weight, world.environment(variables={"c": cell}))
                (seen,) = world.apply(norm.mapping, {cell: 1}, index)
                table[seen] += weight * (made.new.get(cell, 0) - made.old.get(cell, 0))
        total = sum(abs(n) ** norm.power for n in table.values())
        if norm.root and norm.power == 1:
            total = total**2
        if total > (allowed**2 if norm.power == 2 and not norm.root else allowed) or allowed < 0:
            return True
    return False


def _formula(made: Made) -> object:
    """Decide by plain loops whether a formula fails for some records."""
    structure = made.known["structure"]
    formula = made.known.get("formula") or made.known["wanted"].formula
    assert not unconfirmed(structure.problem, made.witness)
    return any(
        not evaluate(
            formula,
            made.world.environment(
                variables=dict(zip("xyz", cells, strict=True)),
                databases={"D": made.old, "E": made.new},
            ),
        )
        for cells in itertools.product(made.world.cells, repeat=3)
    )


def _enumerated(made: Made) -> object:
    wanted = made.known["wanted"]
    return _formula(made) if wanted.norm is None else _norm(made)


def _between(granularity: Any, made: Made) -> float:
    """Return the length of a path of edits, an upper bound of the distance."""
    most = max([*made.old.values(), *made.new.values()], default=0)
    room = granularity.domain.cap or most + 1
    graph = EditGraph(made.world, granularity, made.world.cells, room)
    ends = (tuple(d.get(c, 0) for c in made.world.cells) for d in (made.old, made.new))
    return graph.distance(*ends)


def _metric_claim(made: Made) -> object:
    """Decide whether a form contradicts what is known of the number of edits."""
    form, length = made.known["form"], _between(made.pairs.granularity, made)
    said = form.distance(made.world, made.old, made.new)
    said = float("inf") if isinstance(said, Infinity) else said
    inside = all(
        made.world.contains(d, made.pairs.granularity.domain, made.world.cells)
        for d in (made.old, made.new)
    )
    sample = made.known["found"]
    lower = float("inf") if isinstance(sample.lower, Infinity) else sample.lower
    wrong = {
        "exact": said > length or said < lower, "at least": said > length, "at most": said < lower,
    }  # fmt: skip
    # The lower bound rests on what edits keep; no path may contradict it.
    return inside and length >= lower and wrong[made.known["bound"]]


def _related(made: Made) -> object:
    """Decide whether neighbours in one granularity are as far apart in another as is said."""
    question, sample = made.known["self"], made.known["sample"]
    outer = question.outer.granularity
    linked = made.world.linking(outer, made.old, made.new) is not None
    inside = all(
        made.world.contains(d, outer.domain, made.world.cells) for d in (made.old, made.new)
    )
    length = _between(question.inner.granularity, made)
    lower = float("inf") if isinstance(sample.lower, Infinity) else sample.lower
    exact = isinstance(sample.lower, int) and sample.lower == sample.upper
    differ = {c: n for c, n in made.old.items() if n} != {c: n for c, n in made.new.items() if n}
    return linked and inside and differ and (length == lower if exact else length >= lower)


def _bound(made: Made) -> object:
    """Have a refuted bound confirmed, databases included, by the program that is exported."""
    return _differ(made) and standalone.confirm(made.known["data"])


def _again(made: Made) -> object:
    """Decide for one map what was found of another one like it."""
    if made.known["parts"]:
        (part,) = made.known["parts"]
        return _too_far(replace(made, known={**made.known, "part": part}))
    question, _, *more = made.known["question"]
    if question == "disjoint":
        return _two_blocks(made)
    assert question == "compatible"
    (most,) = more
    return _more_change(replace(made, known={**made.known, "most": most}))


S = "engine/structure.py Structure."
DATABASES: dict[str, Check] = {
    S + "vacuous": _differ,
    S + "_disjoint": _two_blocks,
    S + "_compatible": _more_change,
    S + "_sensitivity": _too_far,
    S + "_common": _too_far,
    S + "_outside": _too_far,
    S + "_retold": _again,
    "engine/sensitivity_norms.py decide_norm": _norm,
    "engine/properties.py _formula": _formula,
    "engine/properties.py _written_out": _claimed,
    "engine/properties.py _enumerated": _enumerated,
    "metrics/canonical.py Canonical._refuted": _metric_claim,
    "metrics/relations.py _Question._told": _related,
    "claims/search.py Search.confirmed": _bound,
}
"""Each place that makes one of databases of the model, with what must be true of it."""
PASSED_ON = {
    S + "refuted", S + "example", "engine/definitions.py counterexample",
    "engine/definitions.py refuted", "engine/definitions.py as data",
    "claims/standalone.py confirm", "claims/standalone.py as data", "claims/evidence.py as data",
    "claims/decision.py as data", "engine/conditions.py as data", "engine/verdict.py as data",
    "metrics/relate.py as data", "uncertainty/settings/claims.py as data",
    "stability/check.py as data",
    "atlas/page.py as data",
}  # fmt: skip
"""Places that hand on, or write, what those above made."""
OTHERS = {
    "stability/check.py _checked", "membership/composition.py pair_at",
    "membership/worst.py worst_pair", "uncertainty/settings/chain.py ChainSetting.refute",
    "uncertainty/settings/approximate_chain.py ApproximateChainSetting.refute",
    "uncertainty/settings/claims.py _event_of.event",
    "uncertainty/settings/survey.py SurveySetting.refute.at_least",
    "uncertainty/settings/survey.py SurveySetting.refute.at_most",
}  # fmt: skip
"""Places of which the databases, or events, are not databases of the model; see the tests below."""
LAWS = {
    "metrics/expressions.py as data",  # points of a finite space, with all their distances
}  # fmt: skip


def test_every_place_that_makes_a_counterexample_is_listed_here():
    found = makers() - {p for p in PASSED_ON if p.endswith("as data")}
    listed = {*DATABASES, *PASSED_ON, *OTHERS, *LAWS}
    assert found <= listed
    assert {p for p in listed if not p.endswith("as data")} <= found


def test_every_class_of_two_databases_is_known():
    """Where a class holds D and D', or two of anything, its name is one of those looked for."""
    assert {c for c in classes_of_two() if c.split()[1] not in MAKERS} == CANDIDATES


# ------------------------------------------------------------------ collecting


@contextlib.contextmanager
def collected() -> Iterator[list[tuple[str, Made]]]:
    """Keep everything that is made a counterexample, with the place that did it."""
    right, kept = definitions.counterexample, []

    def kept_too(pairs, fails, world, old, new, **shown):
        made = right(pairs, fails, world, old, new, **shown)
        if made is not None:
            place, known = _maker()
            kept.append((place, Made(pairs, made.world, made.old, made.new, known)))
        return made

    patched = [m for m in list(sys.modules.values())
               if getattr(m, "counterexample", None) is right]  # fmt: skip
    for module in patched:
        module.counterexample = kept_too
    try:
        yield kept
    finally:
        for module in patched:
            module.counterexample = right


def _maker() -> tuple[str, dict[str, Any]]:
    """Return the place that asked for a counterexample, and what its variables are."""
    frame, known, place = sys._getframe(2), {}, ""
    while frame is not None:
        code, file = frame.f_code, Path(frame.f_code.co_filename)
        if PACKAGE in file.parents:
            here = f"{file.relative_to(PACKAGE).as_posix()} {code.co_qualname}"
            place = place or (here if here in DATABASES else "")
            known = {**frame.f_locals, **known} if place else known
        frame = frame.f_back
    assert place, "a place that is not listed made a counterexample"
    return place, known


def checked(kept: list[tuple[str, Made]]) -> set[str]:
    """Check all that was collected; return the places that made it."""
    for place, made in kept:
        granularity = made.pairs.granularity
        assert not is_model_of(made), place
        assert granularity is not None
        assert DATABASES[place](made), (place, made.old, made.new)
    return {place for place, _ in kept}


def is_model_of(made: Made) -> list[str]:
    """Return why the world is none of the problem, as far as a problem is known."""
    known = made.known.get("structure") or made.known.get("self")
    problem = getattr(known, "problem", None)
    return is_model(problem, made.world) if problem is not None else []


PROPERTIES = ("changed({map}) <= 0", "l1({map}) <= 0", "D[x] == E[x]", "size(D) == size(E)")


def asked(path: Path) -> None:
    """Ask everything about a spec whose answer can show databases."""
    try:
        problem = load_spec(path).problem
    except AttributeError:
        return  # it is about random data
    structure = Structure(problem)
    with contextlib.suppress(LateError), budget(CHECKS):
        check_input(structure)
        conditions(structure)
        structure.vacuous()
    name = next(iter(problem.used_maps))
    for text in PROPERTIES:
        with contextlib.suppress(LateError, InputError), budget(CHECKS):
            examine(problem, text.format(map=name))


# Every third example, and what is kept, in every run.
LAST = [p for n, p in enumerate(EXAMPLES) if n % 3]
FIRST = [*EXAMPLES[::3], *CORPUS]


@pytest.mark.in_turn
@pytest.mark.parametrize("path", shared(len(FIRST), [*FIRST, *LAST]), ids=lambda p: p.stem)
def test_the_counterexamples_of_an_example(path):
    with collected() as kept:
        asked(path)
    assert checked(kept) or path.stem in VACUOUS


# ------------------------------------------------------------------ every kind at least once

SPEC = """
[domain]
attributes = {{ id = "Record" }}
[granularity]
use = "{outer}"
[[map]]
name = "blocks"
member = "{member}"
index = {{ i = 2 }}
functions = {{ h = [["cell"], "int"] }}
[[part]]
name = "p"
map = "blocks"
setting = "{setting}"
granularity = "{inner}"
{domain}
guarantee = {{ pure = "eps" }}
"""


def spec(outer="bounded", member="h(c) == i", setting="separate", inner="unbounded", domain=""):
    text = SPEC.format(outer=outer, member=member, setting=setting, inner=inner, domain=domain)
    return load_spec(text), twins(text)


def twins(text):
    """Return a spec with a second map, and a part on it, that are like the first ones."""
    head, maps, parts = re.split(r"(?=\[\[map\]\])|(?=\[\[part\]\])", text)
    more = maps.replace('"blocks"', '"again"')
    part = parts.replace('"blocks"', '"again"').replace('"p"', '"q"').replace('"eps"', '"eta"')
    return load_spec(f"{head}{maps}{more}{parts}{part}")


def test_every_kind_of_counterexample_is_made_and_checked(monkeypatch):
    record = Domain({"id": "Record"})
    bounded = Canonical(library_granularity("bounded").bind(record))
    both = {n: library_granularity(n) for n in ("unbounded", "bounded")}
    with collected() as kept:
        for one in (
            *spec(), *spec(member="h(c) >= i"), *spec(setting="common"),
            *spec(outer="unbounded", domain='domain = { size = "size(D) >= 1" }'),
        ):  # fmt: skip
            structure = Structure(one.problem)
            structure.vacuous()
            conditions(structure)
        for text in PROPERTIES:
            examine(spec()[0].problem, text.format(map="blocks"))
        with monkeypatch.context() as changed_too:
            changed_too.setattr(properties, "_formula", lambda *_: not_decided("no solver"))
            changed_too.setattr(properties, "decide_norm", lambda *_: not_decided("no solver"))
            for text in PROPERTIES[1:]:
                examine(spec()[0].problem, text.format(map="blocks"))
        for bound, form in (("exact", "0"), ("at least", "3"), ("at most", "0")):
            bounded.decide(ClosedForm(form), bound)
        Relations(record, both).distance("unbounded", "bounded")
        Relations(record, both).distance("bounded", "unbounded")
        degrees = load_spec(ROOT / "examples/degrees-in-and-out.toml").problem
        examine(degrees, "distance(counts) <= p + q + 1")
        decision = refute(load_spec(ROOT / "examples/claims/one-block.toml"), "0", notion="pure")
        assert decision.counterexample is not None
    assert checked(kept) == set(DATABASES)


def test_counterexamples_of_other_peoples_functions():
    found = 0
    for claim in stability.claims_of(str(ROOT / "examples/foreign/released_library.py")):
        pair = stability.check_stability(claim).pair
        if pair is None:
            continue
        found += 1
        near, apart = claim.d_in.of(pair.old, pair.new), None
        with stability.printing_aside():
            apart = claim.d_out.of(*[claim.function(list(x)) for x in (pair.old, pair.new)])
        assert pair.old != pair.new
        assert near is not None
        assert apart is None or apart > DistanceBound(claim.bound).at(Fraction(near))
    assert found


def test_pairs_of_memberships():
    weights = {"databases": [Fraction(n) for n in (1, 4, 2, 3)]}
    allowed = Membership({"databases": 4}, ["total <= 1"], neighbours="bounded")
    for pair in (
        composition.pair_at(allowed, {}, weights), worst.worst_pair(allowed, {}, weights),
    ):  # fmt: skip
        assert pair is not None
        assert pair.first != pair.second
        assert all(sum(side["databases"]) <= 1 for side in (pair.first, pair.second))
        moved = zip(weights["databases"], pair.first["databases"], pair.second["databases"],
                    strict=True)  # fmt: skip
        assert pair.weight == sum(w for w, a, b in moved if a != b)


@pytest.mark.parametrize(
    ("name", "claim", "numbers"),
    [
        ("survey", "1/1000", []),
        ("chain", "1/1000", ["eps1=1", "eps2=1"]),
        ("votes", "1/1000", []),
        ("chain-with-deltas", "1/1000", []),
    ],
)
def test_events_about_random_data(name, claim, numbers):
    """Their probabilities are compared with plain sums in tests/uncertainty."""
    found = load_any(ROOT / f"examples/uncertain/{name}.toml", numbers).refute(claim)
    assert found.verdict == "refuted"
    assert isinstance(found.event, Event)
    assert found.event.refutes(Fraction(1001, 1000), Fraction(0))
