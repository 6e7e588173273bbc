"""What the kernel must refuse: one table, also run with assertions switched off.

``python -O -m tests.kernel.rejects`` prints the entries that are not refused, or are refused for
another reason, and exits 1 if there are any.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from fractions import Fraction
from functools import partial

from dpcomp_sym import kernel as k
from tests.kernel.world import (
    BLOCK,
    CANON,
    DELTA,
    EPS,
    EUCLID,
    FAMILY,
    INF,
    ONE,
    SEEN,
    SIZE,
    T3,
    THREE,
    TWO,
    ZERO,
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
    K,
    M,
    N,
    P,
    Q,
    at,
    fact,
    family,
    group,
    leq,
    mixed,
    num,
    one_sided,
    part,
    private,
    problem,
    reach,
    shares,
    together,
    up_to,
    vector,
    worst,
)

L = k.NamedMap("l", "{}", D, BLOCK, ("l",))
OTHER_ENTRY = k.BlockEntry("x", ("l",))
FROM_E = k.NamedMap("g", "{}", E, BLOCK, ())
UNIT = k.ProfileFact(problem(), (), (vector(group(1)),))


def profile(*vectors, of=None, where=()):
    return fact(k.ProfileFact(of or problem(), where, vectors))


def bound(*vectors, of=None, parts=None, where=()):
    return lambda: k.maximum_over_neighbours(
        parts or family(), profile(*vectors, of=of, where=where)
    )


def metric_leq(left=CANON, right=EUCLID):
    return fact(k.MetricLeq(left, right))


def sensitive(arrow=P, bound=ONE, source=CANON, target=None):
    return fact(k.Sensitive(arrow, bound, source, target or k.CanonicalMetric(H, BLOCK)))


def compatible(arrow=P, relation=G, domain=D):
    return fact(k.Compatible(arrow, relation, domain))


EDITED = problem(edits=(("swap", 2),))
BOTH = problem(edits=(("swap", 2), ("more", 1)))
ADD = problem(edits=(("add", 1),))
NAMED = problem(("s", THREE), edits=(("swap", 2),))
MIXED = problem(("s", THREE), ("t", P), edits=(("swap", 2),))
FRAMED = problem(edits=(("frame", 0),))


def touch(count, of=EDITED, edit="swap", name="p"):
    return fact(k.TouchCount(of, edit, name, count if isinstance(count, k.Expr) else num(count)))


def distance(r, touched, of=EDITED, edit="swap", name="s"):
    expr = r if isinstance(r, k.Expr) else num(r)
    return fact(k.BlockDistance(of, edit, name, touched, expr))


def composed(*facts, vectors=(), of=EDITED, where=()):
    return lambda: k.compose_profile(of, facts, vectors, where)


HALF = k.Num(Fraction(1, 2))
NO_COUNTS: dict[str, k.Expr] = {
    "half": HALF, "parameter": A, "entry": EPS, "half a size": k.Product((HALF, SIZE)),
    "halves": k.Sum((HALF, HALF)), "root": k.Sqrt(SIZE), "square of a root": k.Product(
        (k.Sqrt(SIZE), k.Sqrt(SIZE))), "nothing times all": k.Product((ZERO, INF)),
    "all and one": k.Sum((INF, ONE)), "maximum with all": k.Max((ONE, INF)),
    "choice": k.Worst(K, (k.Choice(ONE, ONE),)), "cases": k.Cases((k.SizeCase((), ONE),)),
    "growth": k.Apply("growth", (ZERO, ONE)),
}  # fmt: skip
SINGLES = (distance(1, (1,)), distance(1, (2,)), distance(1, (1, 2)))
CASES = (private(where=up_to("k", 1, 1)), private(where=up_to("k", 3)))

Entry = tuple[str, str, Callable[[], object]]

TERMS: list[Entry] = [
    ("negative number", "not negative", lambda: k.Num(Fraction(-1))),
    ("float", "cannot be", lambda: k.Num(0.5)),
    ("integer for a fraction", "cannot be", lambda: k.Num(1)),
    ("truth value for an integer", "cannot be", lambda: k.EditShape("e", True)),
    ("list for a tuple", "cannot be", lambda: k.Sum([ONE])),
    ("string in a tuple of terms", "cannot be", lambda: k.Sum(("x",))),
    ("metric for an expression", "cannot be", lambda: k.Sqrt(EUCLID)),
    ("abstract expression", "no such kind of term", k.Expr),
    ("abstract statement", "no such kind of term", k.Statement),
    ("bare term", "no such kind of term", k.KernelTerm),
    ("derived class", "no such kind of term", lambda: type("Num", (k.Num,), {})(Fraction(1))),
    ("unknown function", "no function", lambda: k.Apply("sin", (A,))),
    ("function of too many", "no function", lambda: k.Apply("gdp", (A, A))),
    ("empty family", "no sizes", lambda: k.BlockEntry("eps", (0,))),
    ("empty family of maps", "no sizes", lambda: k.NamedMap("m", "", D, E, (0,))),
    ("empty family of mechanisms", "no sizes", lambda: k.NamedMechanism("m", D, (0,))),
    ("unnamed size", "no sizes", lambda: k.BlockEntry("eps", ("",))),
    ("negative size", "no sizes", lambda: worst((1, A), sizes=(-3,))),
    ("entry of another family", "cannot hold", lambda: worst((1, OTHER_ENTRY))),
    ("metric of another family", "cannot hold", lambda: k.EachAdded(("l",), SEEN)),
    ("mechanism of another family", "cannot hold", lambda: k.EachAdaptive(("l",), FAMILY)),
    ("loss of another family", "cannot hold",
     lambda: k.EachJoint(("l",), k.At((EPS,), EUCLID))),
    ("view of another family", "cannot hold", lambda: k.PartView("s", "p", ("l",), SEEN)),
    ("count of a block", "no number of blocks", lambda: worst((EPS, A))),
    *((f"{name} of blocks in {what}", "no number of blocks", partial(make, count))
      for name, count in NO_COUNTS.items()
      for what, make in (("a choice", partial(k.Choice, value=A)), ("a group", group),
                         ("a limit", touch))),
    ("pattern of no block", "one block at least", lambda: k.TouchedKind("p", (1,), 0)),
    ("kind of block twice", "each kind of block once",
     lambda: k.Infeasible(
         EDITED, "swap", (k.TouchedKind("p", (1,), 1), k.TouchedKind("p", (1,), 2)), ())),
    ("range below 1", "empty range", lambda: k.SizeRange("k", 0, None)),
    *((f"entry of block {block} of {sizes}", "there is no block",
       partial(k.EntryOf, "eps", sizes, block))
      for sizes, block in (((3,), (4,)), ((3,), (0,)), ((3,), (1, 1)), ((3,), ()), (("k",), (1,)),
                           ((2, 2), (2, 3)), ((2, "k"), (1, 1)), ((), ()))),
    ("two blocks of one name", "is one block", lambda: group(2, "t", (1,))),
    ("named block that shares", "is one block", lambda: group(1, "t", (1,), 1)),
    ("half a block that shares", "no number of blocks", lambda: group(1, wide=HALF)),
    ("half a block shared", "no number of blocks", lambda: shares(FRAMED, HALF)),
    ("shares of parts that are not there", "listed once", lambda: shares(FRAMED, 1, t=1)),
    ("shares of another map", "listed once", lambda: shares(FRAMED, 1, name="q")),
    ("group of no block", "there is no block",
     lambda: k.ProfileFact(NAMED, (), (vector(group(1, "t", (4,))),))),
    ("group of a block of a symbol", "there is no block",
     lambda: k.ProfileFact(problem(), (), (vector(group(1, "p", (1,))),))),
    ("set that names blocks and does not", "a set names",
     lambda: reach(("t", (1,), (1,)), ("t", (), (2,)))),
    ("set that lists a block twice", "lists a block twice",
     lambda: reach(("t", (1,), (1,)), ("t", (1,), (1,), (k.SeenDistance("t", ONE),)))),
    ("set with a distance of a part that is not there", "does not read",
     lambda: k.Together(NAMED, "swap", (reach(("t", (1,), (1,), (k.SeenDistance("x", ONE),))),))),
    ("set with a distance of the block at hand", "block at hand",
     lambda: k.Together(NAMED, "swap", (reach(
         ("t", (1,), (1,), (k.SeenDistance("s", k.Amount(k.Index(1))),))),))),
    ("set with a distance of an open block", "block at hand",
     lambda: k.Together(NAMED, "swap", (reach(
         ("t", (1,), (1,), (k.SeenDistance("s", k.BlockEntry("eps", (3,))),))),))),
    ("set with no block", "there is no block",
     lambda: k.Together(NAMED, "swap", (reach(("t", (4,), (1,))),))),
    ("set of an unknown map", "there is no block",
     lambda: k.Together(NAMED, "swap", (reach(("x", (1,), (1,))),))),
    ("empty range", "empty range", lambda: k.SizeRange("k", 2, 1)),
    ("maps that do not meet", "do not fit", lambda: k.Composite(F, P)),
    ("pullback from elsewhere", "on the map's range", lambda: k.Pullback(CANON, F)),
    ("quotient from elsewhere", "on the map's domain",
     lambda: k.Quotient(k.CanonicalMetric(H, BLOCK), F)),
    ("mechanism from elsewhere", "where the map ends", lambda: k.After(M, F)),
    ("sum of metrics on two spaces", "one space",
     lambda: k.Added((CANON, k.CanonicalMetric(H, BLOCK)))),
    ("sum of no metrics", "one space", lambda: k.Added(())),
    ("problem about a family of domains", "one domain",
     lambda: problem(k.PartView("s", "p", K, k.CanonicalMetric(H, BLOCK)), domain=BLOCK)),
    ("problem about a family of relations", "one domain",
     lambda: problem(relation=k.Push(G, P))),
    ("empty family of domains", "no sizes", lambda: k.DatabaseClass("D", "", (0,))),
    ("maximum of metrics on two spaces", "one space",
     lambda: k.Largest((CANON, k.CanonicalMetric(H, BLOCK)))),
    ("mechanisms on two domains", "one domain",
     lambda: k.Adaptive((M, k.NamedMechanism("M", E, ())))),
    ("smuggled derived class", "cannot be", lambda: k.Sum((DISGUISED,))),
    ("family of mechanisms on many domains", "one domain",
     lambda: k.EachAdaptive(K, FAMILY)),
    ("negative number of points", "not negative", lambda: k.EditShape("e", -1)),
    ("part that sees another domain", "another domain",
     lambda: problem(k.PartView("s", "p", (), k.CanonicalMetric(G, E)))),
    ("parts that disagree on blocks", "disagree",
     lambda: problem(("s", P), k.PartView("t", "p", (), CANON))),
    ("part that reads another map", "reads p, not q",
     lambda: problem(k.PartView("s", "q", K, SEEN))),
    ("two maps of one name in a problem", "two different things are called 'p'",
     lambda: problem(("s", P), ("t", k.NamedMap("p", "other", D, BLOCK, K)))),
    ("two parts of one name", "twice", lambda: problem(("s", P), ("s", Q))),
    ("two edits of one name", "twice", lambda: problem(edits=(("e", 1), ("e", 2)))),
    ("unknown notion", "no notion", lambda: private("renyi", loss=k.At((A,), CANON))),
    ("pure with two parameters", "parameter", lambda: at(CANON, "pure", guarantee=(A, B))),
    ("approximate with one parameter", "parameter",
     lambda: at(CANON, "approximate", guarantee=(A,))),
    ("neighbours with wrong parameters", "parameter",
     lambda: private(loss=k.Neighbouring(G, D, ()))),
    ("wrong parameters inside", "parameter",
     lambda: private(loss=k.Joint((k.EachJoint(K, k.At((), CANON)),)))),
    ("wrong parameters before conversion", "parameter",
     lambda: private("zcdp", loss=k.Converted("approximate", k.At((A,), CANON)))),
    ("neighbours of another domain", "another domain",
     lambda: private(loss=k.Neighbouring(G, E, (A,)))),
    ("metric of another domain", "another domain", lambda: at(k.CanonicalMetric(G, E))),
    ("other domain inside", "another domain",
     lambda: private(loss=k.Joint((k.EachJoint(K, k.At((A,), k.CanonicalMetric(G, E))),)))),
    ("metrics on two spaces", "one space", lambda: k.MetricLeq(CANON, k.CanonicalMetric(H, BLOCK))),
]  # fmt: skip

DISGUISED = object.__new__(type("Derived", (k.Num,), {}))

JSON: list[Entry] = [
    ("no object", "no term", lambda: k.from_json(["Num", 1])),
    ("no kind", "no term", lambda: k.from_json({"value": "1"})),
    ("unknown kind", "no term", lambda: k.from_json({"op": "Theorem"})),
    ("missing field", "no term", lambda: k.from_json({"op": "Num"})),
    ("further field", "no term", lambda: k.from_json({"op": "Inf", "more": 1})),
    ("number as a number", "cannot be", lambda: k.from_json({"op": "Num", "value": 1})),
    ("no number", "no number", lambda: k.from_json({"op": "Num", "value": "x"})),
    ("division by zero", "no number", lambda: k.from_json({"op": "Num", "value": "1/0"})),
    ("number not in lowest terms", "cannot be",
     lambda: k.from_json({"op": "Num", "value": "2/4"})),
    ("list for a number", "cannot be", lambda: k.from_json({"op": "Num", "value": [1]})),
    ("list for a text", "cannot be", lambda: k.from_json({"op": "Param", "name": ["x"]})),
    ("number for a list", "cannot be", lambda: k.from_json({"op": "Sum", "items": 5})),
    ("text for a list", "cannot be", lambda: k.from_json({"op": "Sum", "items": "ab"})),
    ("object for a text", "cannot be",
     lambda: k.from_json({"op": "Param", "name": ONE.as_json()})),
]  # fmt: skip

FAR = k.CanonicalMetric(H, E)
BEHIND_F = k.Pullback(FAR, F)


def twice(*items):
    """The items beside each other in a theorem."""
    return lambda: leq(k.Sum(items), k.Sum(items))


def other_map(detail="{}", sizes=()):
    return lambda: metric_leq(BEHIND_F, k.Pullback(FAR, k.NamedMap("f", detail, D, E, sizes)))


def family_and(theorem):
    """A single mechanism M beside a family."""
    loss = k.Neighbouring(G, D, (EPS,))
    many = k.run_family(private(mechanism=k.NamedMechanism("M", D, K), loss=loss), K)
    return k.run_adaptively((theorem, many))


NAMES: list[Entry] = [
    ("a number, and one for each block", "called 'eps'", twice(k.Param("eps"), EPS)),
    ("numbers of two families", "called 'x'", twice(k.BlockEntry("x", K), OTHER_ENTRY)),
    ("a size that is a parameter", "called 'k'", twice(k.Param("k"), SIZE)),
    ("blocks counted by a parameter", "called 'k'", twice(k.Param("k"), EPS)),
    ("a range of a parameter", "called 'a'", lambda: leq(A, A, up_to("a", 2))),
    ("two maps of one name", "called 'f'", other_map("other")),
    ("a map and a family of one name", "called 'f'", other_map(sizes=K)),
    ("maps of one name from two domains", "called 'f'",
     lambda: metric_leq(k.Pullback(k.Pullback(FAR, k.NamedMap("f", "{}", E, E, ())), F), CANON)),
    ("a mechanism and a family of one name", "called 'M'", lambda: family_and(private())),
    ("mechanisms of one name on two domains", "called 'M'",
     lambda: k.run_adaptively(
         (at(CANON), k.preprocess(at(FAR, mechanism=k.NamedMechanism("M", E, ())), F)))),
]  # fmt: skip

CAN_BE_INFINITE = (
    k.Product((TWO, INF)), k.Sum((A, INF)), k.Max((A, k.Product((INF, B)))), k.Sqrt(INF),
    k.Cases((k.SizeCase(up_to("k", 2), A),)), k.Apply("zcdp_epsilon", (A, ZERO)),
    worst((1, INF)), k.Apply("gdp", (INF,)),
)  # fmt: skip
RULES: list[Entry] = [
    ("given bound", "can be given", lambda: k.given(k.BoundLeq(A, B, ()))),
    ("given structure", "can be given", lambda: k.given(UNIT)),
    ("given for some sizes", "for all sizes",
     lambda: k.given(k.Private(M, "pure", k.At((A,), CANON), up_to("k", 2)))),
    ("oracle on a guarantee", "structure",
     lambda: fact(k.Private(M, "pure", k.At((A,), CANON), ()))),
    ("oracle on a bound", "structure", lambda: fact(k.BoundLeq(A, B, ()))),
    ("oracle on dependence", "structure", lambda: fact(k.Dependent(M, F))),
    ("unknown evidence", "no kind", lambda: fact(UNIT, "admit")),
    ("given as evidence", "no kind", lambda: fact(UNIT, "given")),
    ("evidence without a name", "needs a name", lambda: fact(UNIT, "smt", "")),
    ("list of premises", "rules take", lambda: k.run_adaptively([private()])),
    ("float as an argument", "rules take", lambda: k.restrict(private(), 0.5)),
    ("statement as a premise", "private cannot be", lambda: k.everywhere(private().statement)),
    ("another kind of theorem", "is needed", lambda: k.everywhere(leq(A, A))),
    ("everywhere from a metric", "between neighbours", lambda: k.everywhere(at(CANON))),
    ("neighbours from neighbours", "canonical metric",
     lambda: k.between_neighbours(private())),
    ("neighbours from a given metric", "canonical metric",
     lambda: k.between_neighbours(at(EUCLID))),
    ("weaken between neighbours", "another metric",
     lambda: k.weaken_metric(private(), metric_leq())),
    ("weaken another metric", "another metric",
     lambda: k.weaken_metric(at(EUCLID), metric_leq())),
    ("weaken in the wrong direction", "another metric",
     lambda: k.weaken_metric(at(CANON), metric_leq(EUCLID, CANON))),
    ("weaken by a bound", "is needed", lambda: k.weaken_metric(at(CANON), leq(A, A))),
    ("rescale between neighbours", "multiple of a metric",
     lambda: k.rescale_guarantee(private())),
    ("rescale no multiple", "multiple of a metric", lambda: k.rescale_guarantee(at(CANON))),
    ("rescale by infinity", "finite",
     lambda: k.rescale_guarantee(at(k.Rescaled(INF, CANON)))),
    ("rescale by a sum with infinity", "finite",
     lambda: k.rescale_guarantee(at(k.Rescaled(k.Sum((ONE, INF)), CANON)))),
    ("rescale by a root", "finite",
     lambda: k.rescale_guarantee(at(k.Rescaled(k.Sqrt(INF), CANON)))),
    ("sensitivity of a bound", "is needed", lambda: k.metric_of_sensitivity(leq(A, A))),
    ("pull back elsewhere", "on the map's range",
     lambda: k.pull_back_leq(metric_leq(), P)),
    ("rescale by block", "depends on a block", lambda: k.rescale_leq(metric_leq(), EPS)),
    ("chain of metrics that does not meet", "in the middle",
     lambda: k.transitive_leq(metric_leq(), metric_leq())),
    ("preprocess between neighbours", "at a metric",
     lambda: k.preprocess(part(), P)),
    ("preprocess from elsewhere", "on the map's range", lambda: k.preprocess(at(CANON), P)),
    ("compose nothing", "nothing is composed", lambda: k.run_adaptively(())),
    ("compose two notions", "different notions",
     lambda: k.run_adaptively((at(CANON), at(CANON, "zcdp")))),
    ("compose two domains", "one domain",
     lambda: k.run_adaptively((at(CANON), at(k.CanonicalMetric(G, E), "pure",
                                            k.NamedMechanism("N", E, ()))))),
    ("compose one block", "family first",
     lambda: k.run_adaptively((at(CANON, "pure", k.NamedMechanism("S", D, K)),))),
    ("compose with a block's loss", "family first",
     lambda: k.run_adaptively((at(CANON, guarantee=(EPS,)),))),
    ("compose for no size", "empty range",
     lambda: k.run_adaptively((private(where=up_to("k", 1, 1)), private(where=up_to("k", 2))))),
    ("family without sizes", "has sizes", lambda: k.run_family(at(CANON), ())),
    ("family of other sizes", "cannot hold",
     lambda: k.run_family(k.preprocess(k.everywhere(part()), P), ("l",))),
    ("pushforward of another mechanism", "different mechanisms",
     lambda: k.pushforward(private(), k.given(k.Dependent(N, F)))),
    ("pushforward along a map from elsewhere", "",
     lambda: k.pushforward(private(), k.given(k.Dependent(M, FROM_E)))),
    ("quotient of a metric along a map from elsewhere", "",
     lambda: k.pushforward(at(CANON), k.given(k.Dependent(M, FROM_E)))),
    ("pushforward of an infinite guarantee", "finite guarantee",
     lambda: k.pushforward(at(EUCLID, guarantee=(INF,)), k.given(k.Dependent(M, F)))),
    *((f"pushforward of a guarantee that can be infinite: {g.text()}", "finite guarantee",
       partial(lambda g: k.pushforward(at(EUCLID, guarantee=(g,)), k.given(k.Dependent(M, F))), g))
      for g in CAN_BE_INFINITE),
    ("pushforward of an infinite epsilon", "finite guarantee",
     lambda: k.pushforward(at(EUCLID, "approximate", guarantee=(A, INF)),
                           k.given(k.Dependent(M, F)))),
    ("pushforward of a composition", "finite guarantee",
     lambda: k.pushforward(k.run_adaptively((at(CANON),)),
                           k.given(k.Dependent(k.Adaptive((M,)), F)))),
    ("no neighbours", "no two different", bound()),
    ("bound over another domain", "another domain",
     bound(vector(group(1)), parts=k.everywhere(private(
         mechanism=k.NamedMechanism("M", E, ()), loss=k.Neighbouring(G, E, (A,)))))),
    ("bound from another metric", "does not say",
     bound(vector(group(1)), parts=family(arrow=Q))),
    ("bound from another family", "does not say",
     bound(vector(group(1)), parts=k.run_family(at(CANON), K))),
    ("bound without a metric", "guarantees at metrics",
     bound(vector(group(1)), parts=private())),
    ("bound from a converted composition", "guarantees at metrics",
     bound(vector(group(1)), parts=k.convert(family(), "zcdp"))),
    ("bound from a family of families", "guarantees at metrics",
     bound(vector(group(1)), parts=k.run_family(family(), K))),
    ("vector without a part", "list every part",
     lambda: profile(vector(k.BlockGroup("p", ONE, ())))),
    ("vector with another part", "list every part", lambda: profile(vector(group(1, s=1, t=1)))),
    ("vector with a part twice", "list every part",
     lambda: profile(vector(
         k.BlockGroup("p", ONE, (k.SeenDistance("s", ZERO), k.SeenDistance("s", ONE)))))),
    ("vector of another map", "list every part", lambda: profile(vector(group(1, "q")))),
    ("vector of another map without parts", "list every part",
     lambda: profile(vector(k.BlockGroup("q", ONE, ())))),
    ("distance that is a parameter", "numbers and sizes", bound(vector(group(1, s=A)))),
    ("distance of a block", "numbers and sizes", bound(vector(group(1, s=EPS)))),
    ("distance of one part of two that is a parameter", "numbers and sizes",
     bound(vector(group(1, s=1, t=A)), of=problem(("s", P), ("t", P)))),
    ("distance nothing times infinity", "numbers and sizes",
     bound(vector(group(1, s=k.Product((ZERO, INF)))))),
    ("bound for no size", "empty range",
     bound(vector(group(1)), parts=k.restrict(family(), up_to("k", 1, 1)), where=up_to("k", 2))),
    ("change a guarantee at a metric", "between neighbours",
     lambda: k.change_guarantee(at(CANON), (leq(A, A),))),
    ("change another guarantee", "other guarantees",
     lambda: k.change_guarantee(private(), (leq(B, B),))),
    ("change too few", "other guarantees",
     lambda: k.change_guarantee(private("approximate"), (leq(A, A),))),
    ("change too many", "other guarantees",
     lambda: k.change_guarantee(private(), (leq(A, A), leq(B, B)))),
    ("change in the wrong order", "other guarantees",
     lambda: k.change_guarantee(private("approximate"), (leq(B, B), leq(A, A)))),
    ("convert back", "no conversion", lambda: k.convert(private("zcdp"), "pure")),
    ("convert a metric guarantee back", "no conversion",
     lambda: k.convert(at(CANON, "zcdp"), "pure")),
    ("bound from a conversion that does not exist", "no conversion",
     bound(vector(group(1)), parts=k.run_family(private(
         "zcdp", k.After(FAMILY, P), k.Converted("approximate", k.At((EPS, DELTA), SEEN))), K))),
    ("bound of a family from a single mechanism", "does not say",
     bound(vector(group(1, "id")), of=problem(k.PartView("s", "id", K, CANON)), parts=at(CANON))),
    ("approximate to zcdp", "no conversion", lambda: k.convert(private("approximate"), "zcdp")),
    ("zcdp to gaussian", "no conversion", lambda: k.convert(private("zcdp"), "gaussian")),
    *((f"convert a one-sided guarantee: {theorem.statement.loss.text()} to {target}", "one-sided",
       partial(k.convert, theorem, target))
      for theorem in one_sided() for target in ("zcdp", "gaussian")),
    ("convert to nothing known", "no conversion", lambda: k.convert(private(), "renyi")),
    ("point of a pure guarantee", "0 parameter",
     lambda: k.convert(private(), "approximate", (B,))),
    ("point of zcdp without a delta", "1 parameter",
     lambda: k.convert(private("zcdp"), "approximate")),
    ("point of a gaussian curve at two epsilons", "1 parameter",
     lambda: k.convert(private("gaussian"), "approximate", (A, B))),
    ("point of zcdp at another delta for each block", "does not mention",
     lambda: k.convert(private("zcdp"), "approximate", (DELTA,))),
    ("point at a metric, at another delta for each block", "does not mention",
     lambda: k.convert(at(CANON, "zcdp"), "approximate", (DELTA,))),
    ("bound from a curve without a point", "1 parameter",
     bound(vector(group(1)),
           parts=k.run_family(
               k.convert(k.preprocess(k.everywhere(part("zcdp")), P), "approximate"), K))),
    ("restrict to nothing", "empty range",
     lambda: k.restrict(private(where=up_to("k", 1, 1)), up_to("k", 2))),
    ("restrict a metric", "is needed", lambda: k.restrict(metric_leq(), ())),
    ("no cases", "not covered", lambda: k.cover_cases((), ())),
    ("a size left out", "not covered", lambda: k.cover_cases(CASES, ())),
    ("a size left out below", "not covered",
     lambda: k.cover_cases((private(where=up_to("k", 2)),), ())),
    ("a size left out above", "not covered",
     lambda: k.cover_cases((private(where=up_to("k", 1, 5)),), ())),
    ("another size left out", "not covered",
     lambda: k.cover_cases((private(where=up_to("k", 1, 1)), private(where=up_to("m", 2))), ())),
    ("a size left out within", "not covered",
     lambda: k.cover_cases(CASES, up_to("k", 1, 2))),
    ("cases at metrics", "different", lambda: k.cover_cases((at(CANON),), ())),
    ("cases of different mechanisms", "different",
     lambda: k.cover_cases((private(), private(mechanism=N)), ())),
    ("cases in different notions", "different",
     lambda: k.cover_cases((private(), private("zcdp")), ())),
    ("cases for different neighbours", "different",
     lambda: k.cover_cases((private(), private(loss=k.Neighbouring(H, D, (A,)))), ())),
]  # fmt: skip

CUBE = k.Product((A, A, A))
TWICE = worst((1, EPS), (1, k.Product((TWO, EPS))))

BOUNDS: list[Entry] = [
    ("different parameters", "coefficient", lambda: leq(A, B)),
    ("larger coefficient", "coefficient", lambda: leq(k.Product((TWO, A)), A)),
    ("missing term", "coefficient", lambda: leq(k.Sum((A, ONE)), A)),
    ("power", "coefficient", lambda: leq(CUBE, k.Product((A, A)))),
    ("infinity below a number", "coefficient", lambda: leq(INF, A)),
    ("chain that does not meet", "is not", lambda: k.transitive(leq(A, A), leq(B, B))),
    ("chain from a metric", "is needed", lambda: k.transitive(leq(A, A), metric_leq())),
    ("chain for no size", "empty range",
     lambda: k.transitive(leq(A, A, up_to("k", 1, 1)), leq(A, A, up_to("k", 2)))),
    ("maximum of nothing", "different bounds", lambda: k.maximum(())),
    ("maximum with two bounds", "different bounds",
     lambda: k.maximum((leq(A, A), leq(B, B)))),
    ("no item", "not an item", lambda: k.some_item(C, k.Max((A, B)), ())),
    ("item of a product", "right cannot be",
     lambda: k.some_item(A, k.Product((A, B)), ())),
    ("theorem for a term", "left cannot be", lambda: leq(private(), A)),
    ("text for a plan", "plan cannot be",
     lambda: k.transport(worst((1, A)), worst((1, A)), "0", (leq(A, A),), ())),
    ("term among theorems", "leqs cannot be", lambda: k.maximum((leq(A, A), A))),
    ("one theorem for several", "leqs cannot be", lambda: k.maximum(leq(A, A))),
    ("item of nothing", "not an item", lambda: k.some_item(ZERO, k.Max(()), ())),
    ("unknown operation", "nothing is known", lambda: k.monotone("sin", (leq(A, A),))),
    ("growth over less than 1", "at least 1",
     lambda: k.growth_least(k.Apply("growth", (A, HALF)), ())),
    ("growth over a parameter", "at least 1",
     lambda: k.growth_least(k.Apply("growth", (A, B)), ())),
    ("growth of another function", "growth(eps, r)",
     lambda: k.growth_least(k.Apply("zcdp_epsilon", (A, TWO)), ())),
    ("powers of a half", "an integer n", lambda: k.growth_out(k.Apply("growth", (A, HALF)), ())),
    ("powers of a symbol", "an integer n",
     lambda: k.growth_in(k.Apply("growth", (A, k.Size("m"))), ())),
    ("too many powers", "of at most 100",
     lambda: k.growth_out(k.Apply("growth", (A, num(101))), ())),
    ("powers of steps", "an integer n",
     lambda: k.growth_in(k.Apply("path_rho", (A, TWO)), ())),
    ("steps that grow most", "growth(eps, r)",
     lambda: k.growth_most(k.Apply("path_rho", (A, TWO)), TWO, ())),
    ("growth by fewer steps", "one more than",
     lambda: k.growth_most(k.Apply("growth", (A, num(3))), ONE, ())),
    ("growth by a symbol of steps", "one more than",
     lambda: k.growth_most(
         k.Apply("growth", (A, k.Product((TWO, k.Size("m"))))), k.Size("m"), ())),
    ("steps over less than 1", "at least 1",
     lambda: k.growth_least(k.Apply("path_rho", (A, HALF)), ())),
    ("steps of a Gaussian", "growth(eps, r)",
     lambda: k.growth_least(k.Apply("path_mu", (A, TWO)), ())),
    ("steps behind another map", "a guarantee at a metric",
     lambda: k.preprocess(k.convert(private(), "zcdp"), P)),
    ("steps without a notion", "no conversion",
     lambda: k.convert(at(CANON, "approximate"), "zcdp")),
    ("steps of another notion", "nothing is known of paths", bound(
        vector(group(1)), parts=k.run_family(k.given(k.Private(
            k.After(FAMILY, P), "zcdp", k.Stepwise("gaussian", (EPS,), SEEN), ())), K))),
    ("steps with a wrong guarantee", "parameter",
     lambda: private("zcdp", loss=k.Stepwise("pure", (A, A), CANON))),
    ("steps on another domain", "another domain",
     lambda: private("zcdp", loss=k.Stepwise("pure", (A,), k.CanonicalMetric(H, E)))),
    ("growth for no function", "growth cannot be", lambda: k.growth_least(A, ())),
    ("root of two", "nothing is known", lambda: k.monotone("sqrt", (leq(A, A), leq(B, B)))),
    ("delta of a Gaussian", "nothing is known",
     lambda: k.monotone("gaussian_delta", (leq(A, A), leq(B, B)))),
    ("growth below 1", "at least 1",
     lambda: k.monotone("growth", (leq(A, A), leq(num("1/2"), ONE)))),
    ("growth by a parameter", "at least 1",
     lambda: k.monotone("growth", (leq(A, A), leq(B, B)))),
    ("growth of one", "at least 1", lambda: k.monotone("growth", (leq(A, A),))),
    ("gdp of two", "no function", lambda: k.monotone("gdp", (leq(A, A), leq(B, B)))),
    ("root of no square", "as squares", lambda: k.root(leq(A, A))),
    ("root of no square on the left", "as squares",
     lambda: k.root(leq(k.Product((A, B)), k.Product((k.Sum((A, B)), k.Sum((A, B))))))),
    ("root of no square on the right", "as squares",
     lambda: k.root(leq(k.Product((A, A)), k.Product((A, k.Sum((A, B))))))),
    ("choose from nothing", "at least one block", lambda: k.choose(worst(), ())),
    ("choose from no block", "at least one block",
     lambda: k.choose(worst((0, EPS), (1, EPS)), ())),
    ("choose from a fraction", "no number of blocks",
     lambda: k.choose(worst((num("1/2"), EPS)), ())),
    ("bound by a block", "depends on the block",
     lambda: k.each_block(leq(EPS, EPS), worst((1, EPS)))),
    ("two blocks below one", "of count 1",
     lambda: k.each_block(leq(k.Product((ZERO, EPS)), A), worst((2, k.Product((ZERO, EPS)))))),
    ("another value", "of count 1",
     lambda: k.each_block(leq(ZERO, A), worst((1, EPS)))),
    ("two groups below one", "of count 1",
     lambda: k.each_block(leq(ZERO, A), worst((1, ZERO), (1, EPS)))),
    ("factor of a block", "depends on the block",
     lambda: k.factor_out(worst((1, k.Product((EPS, EPS)))), EPS, worst((1, EPS)), ())),
    ("factor of a block, back", "depends on the block",
     lambda: k.factor_in(worst((1, k.Product((EPS, EPS)))), EPS, worst((1, EPS)), ())),
    ("wrong factor", "is not 2 times",
     lambda: k.factor_out(worst((1, EPS)), TWO, worst((1, EPS)), ())),
    ("wrong factor, back", "is not 2 times",
     lambda: k.factor_in(worst((1, EPS)), TWO, worst((1, EPS)), ())),
    ("factor of another count", "times",
     lambda: k.factor_out(worst((2, EPS)), ONE, worst((1, EPS)), ())),
    ("factor of further groups", "same blocks",
     lambda: k.factor_out(TWICE, ONE, worst((1, EPS)), ())),
    ("factor of other blocks", "same blocks",
     lambda: k.factor_out(worst((1, A)), ONE, worst((1, A), sizes=("l",)), ())),
    ("sharing with other blocks", "same blocks",
     lambda: k.share(worst((1, A)), (worst((1, A), sizes=("l",)),), (ONE,), ())),
    ("sharing with other blocks, too", "same blocks",
     lambda: k.share(worst((1, A)), (worst((1, A)), worst((1, A), sizes=("l",))), (ONE, ONE), ())),
    ("sharing without a number", "same blocks",
     lambda: k.share(worst((1, EPS)), (worst((1, EPS)),), (), ())),
    ("sharing without a piece", "same blocks", lambda: k.share(worst(), (), (ONE,), ())),
    ("sharing by halves", "must be integers",
     lambda: k.share(worst((1, EPS)), (worst((2, EPS)),), (num("1/2"),), ())),
    ("sharing by half a block", "no number of blocks",
     lambda: k.share(worst((1, EPS)), (worst((num("1/2"), EPS)),), (TWO,), ())),
    ("sharing by a parameter", "must be integers",
     lambda: k.share(worst((1, EPS)), (worst((1, EPS)),), (A,), ())),
    ("sharing by half of a size", "must be integers",
     lambda: k.share(worst((1, EPS)), (worst((2, EPS)),),
                     (k.Product((num("1/2"), k.Size("m"))),), ())),
    ("sharing by a maximum with a half", "must be integers",
     lambda: k.share(worst((1, EPS)), (worst((1, EPS)),), (k.Max((ONE, HALF)),), ())),
    ("sharing by a root", "must be integers",
     lambda: k.share(worst((1, EPS)), (worst((1, EPS)),), (k.Sqrt(ONE),), ())),
    ("sharing by all", "must be integers",
     lambda: k.share(worst((1, EPS)), (worst((1, EPS)),), (INF,), ())),
    ("sharing all", "no room",
     lambda: k.share(worst((INF, EPS)), (worst((1, EPS)),), (TWO,), ())),
    ("sharing into all", "must be integers",
     lambda: k.share(worst((1, EPS)), (worst((INF, EPS)),), (ONE,), ())),
    ("sharing without room", "no room",
     lambda: k.share(worst((2, EPS)), (worst((1, EPS)),), (ONE,), ())),
    ("sharing two groups of one value", "no room for 1 + 1",
     lambda: k.share(worst((1, EPS), (1, EPS)), (worst((1, EPS)),), (ONE,), ())),
    ("sharing into another value", "no room",
     lambda: k.share(worst((1, EPS)), (worst((1, DELTA)),), (ONE,), ())),
    ("sharing one too many", "no room",
     lambda: k.share(worst((k.Sum((k.Size("m"), ONE)), EPS)), (worst((1, EPS)),),
                     (k.Size("m"),), ())),
    ("transport to other blocks", "same blocks",
     lambda: k.transport(worst((1, A)), worst((1, A), sizes=("l",)), (0,), (leq(A, A),), ())),
    ("transport without a plan", "are needed",
     lambda: k.transport(worst((1, A)), worst((1, A)), (), (), ())),
    ("transport without inequalities", "are needed",
     lambda: k.transport(worst((1, A)), worst((1, A)), (0,), (), ())),
    ("transport with too long a plan", "are needed",
     lambda: k.transport(worst((1, A)), worst((1, A)), (0, 0), (leq(A, A),), ())),
    ("transport to nowhere", "no group 1",
     lambda: k.transport(worst((1, A)), worst((1, A)), (1,), (leq(A, A),), ())),
    ("transport to a negative group", "no group -1",
     lambda: k.transport(worst((1, A)), worst((1, A)), (-1,), (leq(A, A),), ())),
    ("transport of another value", "other groups",
     lambda: k.transport(worst((1, EPS)), worst((1, A)), (0,), (leq(A, A),), ())),
    ("transport to another value", "other groups",
     lambda: k.transport(worst((1, A)), worst((1, ZERO)), (0,), (leq(A, A),), ())),
    ("transport without room", "no room",
     lambda: k.transport(worst((2, EPS)), worst((1, EPS)), (0,), (leq(EPS, EPS),), ())),
    ("transport of two without room", "no room",
     lambda: k.transport(worst((1, EPS), (1, EPS)), worst((1, EPS)), (0, 0),
                         (leq(EPS, EPS), leq(EPS, EPS)), ())),
    ("transport of all without room", "no room",
     lambda: k.transport(worst((INF, EPS)), worst((5, EPS)), (0,), (leq(EPS, EPS),), ())),
    ("transport without room for six blocks", "no room",
     lambda: k.transport(worst((INF, EPS)), worst((5, EPS)), (0,), (leq(EPS, EPS),),
                         up_to("k", 1, 6))),
    ("transport of a size without room", "no room",
     lambda: k.transport(worst((k.Size("m"), EPS)), worst((1, EPS)), (0,), (leq(EPS, EPS),), ())),
    ("transport of three without room for a size", "no room",
     lambda: k.transport(worst((3, EPS)), worst((k.Size("m"), EPS)), (0,), (leq(EPS, EPS),),
                         up_to("m", 2))),
    ("transport of a parameter", "no number of blocks",
     lambda: k.transport(worst((A, EPS)), worst((A, EPS)), (0,), (leq(EPS, EPS),), ())),
    ("sums of other blocks", "same blocks",
     lambda: k.abel(worst((1, A)), worst((1, A), sizes=("l",)), A, ())),
    ("sums that exceed", "sum up to more",
     lambda: k.abel(worst((1, k.Product((num(3), EPS)))), TWICE, EPS, ())),
    ("sums that exceed later", "2 largest",
     lambda: k.abel(worst((2, k.Product((TWO, EPS)))), TWICE, EPS, ())),
    ("sums that exceed at the last block", "2 largest",
     lambda: k.abel(worst((2, EPS)), worst((1, EPS)), EPS, up_to("k", 1, 2))),
    ("sums of another value", "not a multiple",
     lambda: k.abel(worst((1, DELTA)), worst((1, EPS)), EPS, ())),
    ("sums below another value", "not a multiple",
     lambda: k.abel(worst((1, EPS)), worst((1, k.Sum((EPS, DELTA)))), EPS, ())),
    ("sums of too many", "not added up",
     lambda: k.abel(worst((10_001, EPS)), worst((10_001, EPS)), EPS, ())),
    ("sums of nothing", "base is zero",
     lambda: k.abel(worst((1, EPS)), worst((1, EPS)), ZERO, ())),
    ("sums of all", "integers", lambda: k.abel(worst((INF, EPS)), worst((INF, EPS)), EPS, ())),
    ("sums of a fraction", "no number of blocks",
     lambda: k.abel(worst((num("1/2"), EPS)), worst((1, EPS)), EPS, ())),
    ("sums below a fraction", "no number of blocks",
     lambda: k.abel(worst((1, EPS)), worst((num("3/2"), EPS)), EPS, ())),
    ("induction for some sizes", "for all sizes",
     lambda: k.induction(leq(A, k.Product((ONE, A)), up_to("k", 2)), STEP, A, BOUND, "k")),
    ("induction with a step for some sizes", "for all sizes",
     lambda: k.induction(BASE, k.restrict(STEP, up_to("k", 2)), A, BOUND, "k")),
    ("induction with a bound of a block", "depends on the block",
     lambda: k.induction(leq(EPS, EPS), leq(k.Sum((EPS, EPS)), INF), EPS, EPS, "k")),
    ("induction on a value with the size", "depends on the block",
     lambda: k.induction(leq(SIZE, SIZE), leq(SIZE, SIZE), SIZE, SIZE, "k")),
    ("induction on a value with a choice", "depends on the block",
     lambda: k.induction(BASE, STEP, worst((1, EPS)), BOUND, "k")),
    ("induction on a value with cases", "depends on the block",
     lambda: k.induction(BASE, STEP, k.Cases(()), BOUND, "k")),
    ("induction without a base", "not a base",
     lambda: k.induction(leq(ZERO, ZERO), STEP, A, BOUND, "k")),
    ("induction without a step", "not a step",
     lambda: k.induction(BASE, leq(A, A), A, BOUND, "k")),
    ("induction with a choice in the bound", "cannot be replaced",
     lambda: k.induction(BASE, STEP, A, worst((1, EPS)), "k")),
]  # fmt: skip
BOUND = k.Product((SIZE, A))
BASE = leq(A, k.Product((ONE, A)))
STEP = leq(k.Sum((BOUND, A)), k.Product((k.Sum((SIZE, ONE)), A)))

COMMON = k.Pullback(k.CanonicalMetric(k.Push(G, P), BLOCK), P)
WIDE = k.Pullback(k.CanonicalMetric(H, E), F)

FACTS: list[Entry] = [
    ("compatible for other neighbours", "other neighbours",
     lambda: k.compatible_profile(problem(), compatible(relation=H), (sensitive(),))),
    ("compatible on another domain", "other neighbours",
     lambda: k.compatible_profile(problem(), compatible(domain=E), (sensitive(),))),
    ("compatible without parts", "one map",
     lambda: k.compatible_profile(k.CompositionProblem(D, G, (), (), ""), compatible(), ())),
    ("compatible with two maps", "one map",
     lambda: k.compatible_profile(problem(("s", P), ("t", Q)), compatible(), (sensitive(),))),
    ("compatible with two names for one map", "one map",
     lambda: k.compatible_profile(
         problem(("s", P), k.PartView("t", "p2", K, EUCLID)), compatible(), (sensitive(),))),
    ("compatible without sensitivity", "nothing is known",
     lambda: k.compatible_profile(problem(), compatible(), ())),
    ("sensitivity from another metric", "nothing is known",
     lambda: k.compatible_profile(problem(), compatible(), (sensitive(source=EUCLID),))),
    ("sensitivity of another map", "nothing is known",
     lambda: k.compatible_profile(problem(), compatible(), (sensitive(Q),))),
    ("sensitivity to another metric", "nothing is known",
     lambda: k.compatible_profile(
         problem(), compatible(), (sensitive(target=k.CanonicalMetric(G, BLOCK)),))),
    ("parts of another map", "nothing is known",
     lambda: k.compatible_profile(problem(("s", Q)), compatible(), (sensitive(Q),))),
    ("a family behind one map", "nothing is known",
     lambda: k.compatible_profile(problem(k.PartView("s", "f", K, WIDE)), compatible(F),
                                  (sensitive(F, target=k.CanonicalMetric(H, E)),))),
    ("common distance on separate domains", "common domain",
     lambda: k.common_distance(EDITED, "swap", "s", (1,))),
    ("common distance of no map", "common domain",
     lambda: k.common_distance(problem(k.PartView("s", "p", (), CANON), edits=(("e", 1),)),
                               "e", "s", (1,))),
    ("common distance for another granularity", "common domain",
     lambda: k.common_distance(problem(k.PartView("s", "p", K, COMMON), edits=(("e", 1),),
                                       relation=H), "e", "s", (1,))),
    ("common distance of no part", "no part",
     lambda: k.common_distance(EDITED, "swap", "t", (1,))),
    ("common distance for no edit", "no edit",
     lambda: k.common_distance(problem(k.PartView("s", "p", K, COMMON)), "swap", "s", (1,))),
    ("facts about another problem", "about another problem",
     composed(touch(1, problem(edits=(("swap", 2), ("more", 1)))), *SINGLES,
              vectors=(vector(group(2)),))),
    ("facts that are not facts", "a theorem about the structure of a problem is needed",
     composed(private(), vectors=(vector(group(2)),))),
    ("facts that are profiles", "a theorem about the structure of a problem is needed",
     composed(profile(vector(group(2)), of=EDITED), vectors=(vector(group(2)),))),
    ("facts of another kind", "a theorem about the structure of a problem is needed",
     composed(fact(UNIT), vectors=(vector(group(2)),))),
    ("restricted facts about another problem", "about another problem",
     composed(fact(k.Restricted(k.TouchCount(problem(edits=(("swap", 2), ("more", 1))), "swap", "p",
                                             ONE), up_to("k", 1, 1))),
              *SINGLES, vectors=(vector(group(2)),))),
    ("restricted facts about no edit", "no edit",
     composed(touch(1), *SINGLES, fact(
         k.Restricted(k.TouchCount(EDITED, "other", "p", ONE), up_to("k", 1, 1))),
         vectors=(vector(group(2)),))),
    ("facts about fewer sizes", "how many blocks",
     composed(fact(k.Restricted(k.TouchCount(EDITED, "swap", "p", ONE), up_to("k", 1, 1))),
              *SINGLES, vectors=(vector(group(2)),))),
    ("a fact that is restricted to all sizes", "about all sizes",
     lambda: k.Restricted(k.TouchCount(EDITED, "swap", "p", ONE), ())),
    ("a fact that is restricted twice", "Restricted.of cannot be",
     lambda: k.Restricted(k.Restricted(k.TouchCount(EDITED, "swap", "p", ONE), up_to("k", 1, 1)),
                          up_to("k", 1, 1))),
    ("facts about no edit", "no edit",
     composed(touch(1), *SINGLES, touch(1, edit="other"), vectors=(vector(group(2)),))),
    ("no count", "how many blocks", composed(*SINGLES, vectors=(vector(group(2)),))),
    ("count of another map", "how many blocks",
     composed(touch(1, name="q"), *SINGLES, vectors=(vector(group(2)),))),
    ("one block for two records", "swap can do",
     composed(touch(1), *SINGLES, vectors=(vector(group(1)),))),
    ("no vectors", "swap can do", composed(touch(1), *SINGLES)),
    ("no edits", "lists no edits",
     composed(touch(1, problem()), vectors=(vector(group(2)),), of=problem())),
    ("smaller distances", "swap can do",
     composed(touch(1), distance(2, (1,)), *SINGLES[1:], vectors=(vector(group(2)),))),
    ("unknown distance", "swap can do",
     composed(touch(1), *SINGLES[:2], vectors=(vector(group(2)),))),
    ("two labels", "swap can do",
     composed(touch(2), *SINGLES, vectors=(vector(group(3)),))),
    ("distance beyond one block", "swap can do",
     composed(touch(1), SINGLES[0], SINGLES[1], distance(2, (1, 2)),
              vectors=(vector(group(2)),), where=up_to("k", 1, 1))),
    ("blocks that fit in three", "swap can do",
     composed(touch(2), *SINGLES, vectors=(vector(group(2)),), where=up_to("k", 1, 3))),
    ("smaller pattern", "swap can do",
     composed(touch(1), *SINGLES, fact(k.Infeasible(EDITED, "swap", (
         k.TouchedKind("p", (1,), 2),), ())), vectors=(vector(group(1)),))),
    ("pattern of another edit", "swap can do",
     composed(
         touch(1, BOTH), touch(1, BOTH, "more"), distance(1, (1,), BOTH, "more"),
         *(distance(1, t, BOTH) for t in ((1,), (2,), (1, 2))),
         fact(k.Infeasible(BOTH, "more", (k.TouchedKind("p", (1,), 1),), ())), of=BOTH,
         vectors=(vector(group(1)),))),
    ("empty pattern", "swap can do",
     composed(touch(1), *SINGLES, fact(k.Infeasible(EDITED, "swap", (), ())))),
    ("pattern that is only half there", "swap can do",
     composed(touch(1), *SINGLES, fact(k.Infeasible(EDITED, "swap", (
         k.TouchedKind("p", (1,), 1), k.TouchedKind("p", (1, 2), 1)), ())),
         vectors=(vector(group(1)),))),
    ("symbolic count without room", "swap can do",
     composed(touch(k.Size("m")), *SINGLES, vectors=(vector(group(k.Size("m"))),))),
    ("symbolic count with worse pairs", "swap can do",
     composed(touch(k.Size("m")), *SINGLES[:2], vectors=(vector(group(2)),))),
    ("large count with worse pairs", "swap can do",
     composed(touch(19), *SINGLES[:2], vectors=(vector(group(99)),))),
    ("large count with a pattern", "add can do",
     composed(touch(2500, ADD, "add"), distance(1, (1,), ADD, "add"),
              fact(k.Infeasible(ADD, "add", (k.TouchedKind("p", (1,), 9),), ())), of=ADD,
              vectors=(vector(group(2499)),))),
    ("symbolic count of a pair without room", "swap can do",
     composed(touch(k.Size("m")), distance(0, (1,)), distance(0, (2,)), SINGLES[2],
              vectors=(vector(group(1)),))),
    ("set without another one", "swap can do",
     composed(*(distance(1, t, NAMED) for t in ((1,), (2,), (1, 2))),
              together(NAMED, reach(("t", (1,), (1,))), reach(("t", (2,), (2,)))), of=NAMED,
              vectors=(vector(group(1, "t", (1,))),))),
    ("blocks of a set that are farther", "swap can do",
     composed(distance(1, (1,), NAMED), distance(2, (2,), NAMED), distance(1, (1, 2), NAMED),
              together(NAMED, reach(("t", (1,), (1,)), ("t", (1,), (2,)))), of=NAMED,
              vectors=(vector(group(1, "t", (1,))),))),
    ("blocks of a set that lists a distance of one of them", "swap can do",
     composed(*(distance(2, t, NAMED) for t in ((1,), (2,))), together(NAMED, reach(
         ("t", (1,), (1,), (k.SeenDistance("s", ONE),)), ("t", (1,), (2,)))), of=NAMED,
              vectors=(vector(group(1, "t", (1,))),))),
    ("blocks of another set than that with a smaller distance", "swap can do",
     composed(distance(2, (1,), NAMED), together(NAMED, reach(
         ("t", (1,), (1,), (k.SeenDistance("s", ONE),))), reach(("t", (2,), (1,)))), of=NAMED,
              vectors=(vector(group(1, "t", (1,))), vector(group(1, "t", (2,)))))),
    ("blocks of a set of which no distance is known", "swap can do",
     composed(together(NAMED, reach(("t", (1,), (1,)))), of=NAMED,
              vectors=(vector(group(1, "t", (1,))),))),
    ("unnamed blocks below a named one", "swap can do",
     composed(touch(1, NAMED, name="t"), distance(1, (1,), NAMED),
              together(NAMED, reach(("t", (), (1,)))), of=NAMED,
              vectors=(vector(group(1, "t", (1,))),))),
    ("set of another edit's blocks", "no block of t holds",
     composed(distance(1, (1,), NAMED), together(NAMED, reach(("t", (1,), (3,)))), of=NAMED,
              vectors=(vector(group(1, "t", (1,))),))),
    ("set without a count", "how many blocks",
     composed(distance(1, (1,), NAMED), together(NAMED, reach(("t", (), (1,)))), of=NAMED,
              vectors=(vector(group(3, "t")),))),
    ("set of one map, and all of the other", "swap can do",
     composed(distance(1, (1,), MIXED), distance(1, (1,), MIXED, name="t"),
              touch(1, MIXED), together(MIXED, reach(("t", (1,), (1,)), ("p", (), (1,)))), of=MIXED,
              vectors=(vector(group(1, "t", (1,))),))),
    ("guarantee that is open where a block is named", "single block",
     lambda: k.maximum_over_neighbours(
         k.run_family(k.preprocess(k.everywhere(k.given(k.Private(
             k.NamedMechanism("S", k.ends(THREE)[1], T3), "pure", k.Neighbouring(
                 H, k.ends(THREE)[1],
                 (k.Cases((k.SizeCase((), k.BlockEntry("eps", T3)),)),)), ()))),
             THREE), T3),
         fact(k.ProfileFact(NAMED, (), (vector(group(1, "t", (1,))),))))),
    ("more blocks than share", "frame can do",
     composed(touch(3, FRAMED, "frame"), distance(2, (), FRAMED, "frame"), shares(FRAMED, 1, s=2),
              of=FRAMED, vectors=(vector(group(1, wide=2, s=2)),))),
    ("less than is shared", "frame can do",
     composed(touch(3, FRAMED, "frame"), distance(2, (), FRAMED, "frame"), shares(FRAMED, 2, s=2),
              of=FRAMED, vectors=(vector(group(1, wide=3, s=2)),))),
    ("shared from farther", "frame can do",
     composed(touch(3, FRAMED, "frame"), distance(4, (), FRAMED, "frame"), shares(FRAMED, 1, s=3),
              of=FRAMED, vectors=(vector(group(1, wide=3, s=2)),))),
    ("shared blocks below single ones", "frame can do",
     composed(touch(3, FRAMED, "frame"), distance(2, (), FRAMED, "frame"), shares(FRAMED, 1, s=2),
              of=FRAMED, vectors=(vector(group(1, s=2)),))),
    ("shares of an edit with records", "swap can do",
     composed(touch(2), *SINGLES, shares(EDITED, 1, "swap"),
              vectors=(vector(group(1, wide=4)),))),
    ("mean of more than is known", "frame can do",
     composed(touch(3, FRAMED, "frame"), distance(2, (), FRAMED, "frame"),
              mixed(FRAMED, vector(group(1, s=3))), of=FRAMED,
              vectors=(k.MeanOf((vector(group(1, s=2)),), (vector(group(3, s=2)),)),))),
    ("mean that is within less than is known", "frame can do",
     composed(touch(3, FRAMED, "frame"), distance(2, (), FRAMED, "frame"),
              mixed(FRAMED, vector(group(1, s=3))), of=FRAMED,
              vectors=(k.MeanOf((vector(group(1, s=3)),), (vector(group(1, s=3)),)),))),
    ("mean of another edit", "swap can do",
     composed(touch(2), *SINGLES, mixed(EDITED, vector(group(1)), edit="swap"),
              vectors=(k.MeanOf((vector(group(1)),), (vector(group(1)),)),))),
    ("shared blocks that are not counted", "how many blocks",
     composed(distance(2, (), FRAMED, "frame"), shares(FRAMED, 1, s=2),
              of=FRAMED, vectors=(vector(group(1, wide=3, s=2)),))),
    ("pattern for other sizes", "swap can do",
     composed(touch(1), *SINGLES, fact(k.Infeasible(EDITED, "swap", (k.TouchedKind("p", (1,), 1),),
                                                    up_to("k", 1, 1))),
              vectors=(vector(group(1)),), where=up_to("k", 1, 2))),
    ("frame without room", "frame can do",
     composed(touch(2, FRAMED, "frame"), distance(1, (), FRAMED, "frame"), of=FRAMED,
              vectors=(vector(group(1)),))),
    ("weaken to nothing", "below none",
     lambda: k.weaken_profile(profile(vector(group(1))), (), ())),
    ("weaken to fewer blocks", "below none",
     lambda: k.weaken_profile(profile(vector(group(2))), (vector(group(1)),), ())),
    ("weaken to smaller distances", "below none",
     lambda: k.weaken_profile(profile(vector(group(1, s=2))), (vector(group(2)),), ())),
    ("weaken to another map", "below none",
     lambda: k.weaken_profile(profile(vector(group(1)), of=problem(("s", P), ("t", Q))),
                              (vector(group(1, "q", s=1)),), ())),
    ("weaken to fewer parts", "below none",
     lambda: k.weaken_profile(
         profile(vector(group(1))), (vector(k.BlockGroup("p", ONE, ())),), ())),
    ("weaken one more than a size under roots to the size", "below none",
     lambda: k.weaken_profile(profile(vector(group(1, s=k.Sum(
         (k.Product((k.Sqrt(SIZE), k.Sqrt(SIZE))), ONE))))), (vector(group(1, s=SIZE)),), ())),
    ("weaken to finite distances", "below none",
     lambda: k.weaken_profile(profile(vector(group(1, s=INF))), (vector(group(1, s=9)),), ())),
]  # fmt: skip


def new_rule():
    from dpcomp_sym.kernel.theorem import rule

    @rule("")
    def falsum() -> k.Statement:
        return k.BoundLeq(ONE, ZERO, ())

    return falsum()


FORGED: list[Entry] = [
    ("new theorem", "only the rules", k.Theorem),
    ("bare object", "not a theorem", lambda: k.everywhere(object.__new__(k.Theorem))),
    ("statement of a bare object", "not a theorem", lambda: object.__new__(k.Theorem).statement),
    ("a rule after loading", "no rule", new_rule),
]


TABLE = [*TERMS, *JSON, *NAMES, *RULES, *BOUNDS, *FACTS, *FORGED]


def unrefused() -> list[str]:
    """Return the entries that are not refused for the stated reason."""
    found = []
    for name, reason, call in TABLE:
        try:
            call()
        except k.KernelError as error:
            if reason not in str(error):
                found.append(f"{name}: {error}")
        except Exception as error:  # noqa: BLE001 - every other error is reported, not raised
            found.append(f"{name}: {error!r}")
        else:
            found.append(f"{name}: accepted")
    return found


if __name__ == "__main__":
    left = unrefused()
    sys.stdout.write("\n".join([*left, f"{len(TABLE)} entries, {len(left)} not refused"]) + "\n")
    sys.exit(1 if left or __debug__ else 0)
