"""Derivations that many entries share, with the number k of parts symbolic.

A composition here has one part for each of k blocks; what belongs to block i is an indexed term
of the kernel, so that no entry ever is about a fixed k.  Facts that a statement *assumes* (that
a partition is compatible, say) are leaves whose evidence is tagged "hypothesis"; facts about
concrete granularities come from the engine (:mod:`theorems._facts`).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from dpcomp_sym import kernel as k
from dpcomp_sym.algebra.guarantees import push_metric
from theorems._entry import HYPOTHESIS

__all__ = [
    "BLOCKS",
    "BLOCK_MAP",
    "DATABASES",
    "GUARANTEES",
    "INFINITE",
    "NEIGHBOURS",
    "NOTIONS",
    "ONE",
    "TWO",
    "K",
    "assumed",
    "at_neighbours",
    "blocks_of_neighbours",
    "common",
    "common_of_their_own",
    "composed_at_metrics",
    "largest",
    "of_two_touched",
    "on_common_domain",
    "parallel",
    "sequential",
    "simpler",
    "total",
    "worst",
]

NOTIONS: Final = ("pure", "approximate", "zcdp", "gaussian")
K: Final[k.Sizes] = ("k",)
ONE, TWO = k.Num(Fraction(1)), k.Num(Fraction(2))
INFINITE = k.Inf()

DATABASES = k.DatabaseClass("D", '"any class of databases"', ())
BLOCKS = k.DatabaseClass("D", '"any classes, one a block"', K)
NEIGHBOURS = k.NamedRelation("G", '"any granularity"')
BLOCK_MAP = k.NamedMap("f", '"any maps, one a block"', DATABASES, BLOCKS, K)

GUARANTEES: Final[dict[str, tuple[k.Expr, ...]]] = {
    "pure": (k.BlockEntry("eps", K),),
    "approximate": (k.BlockEntry("eps", K), k.BlockEntry("delta", K)),
    "zcdp": (k.BlockEntry("rho", K),),
    "gaussian": (k.BlockEntry("mu", K),),
}


def assumed(statement: k.Statement, what: str) -> k.Theorem:
    """Introduce a structural hypothesis of a statement."""
    return k.oracle(statement, "witness", f"{HYPOTHESIS}{what}")


def at_neighbours(
    notion: str, relation: k.Relation = NEIGHBOURS, space: k.Space = BLOCKS
) -> k.Theorem:
    """The part of block i is private between neighbours, with its own guarantee."""
    mechanism = k.NamedMechanism("M", space, K)
    loss = k.Neighbouring(relation, space, GUARANTEES[notion])
    return k.given(k.Private(mechanism, notion, loss, ()), "part i")


def composed_at_metrics(notion: str) -> k.Theorem:
    """Parts private at any metrics d_i, behind any maps f_i: all distances count."""
    metric = k.NamedPseudometric("d", '"any pseudometrics, one a block"', BLOCKS)
    mechanism = k.NamedMechanism("M", BLOCKS, K)
    loss = k.At(GUARANTEES[notion], metric)
    part = k.given(k.Private(mechanism, notion, loss, ()), "part i")
    return k.run_family(k.preprocess(part, BLOCK_MAP), K)


def common(
    notion: str, relation: k.Relation = NEIGHBOURS, arrow: k.NamedMap = BLOCK_MAP
) -> k.Theorem:
    """Parts private on the whole domain that depend on their block only, composed."""
    space = k.ends(arrow)[0]
    part = at_neighbours(notion, relation, space)
    mechanism = k.NamedMechanism("M", space, K)
    dependent = k.given(k.Dependent(mechanism, arrow), "part i depends on its block only")
    return k.run_family(k.pushforward(part, dependent), K)


def common_of_their_own(notion: str, *, at_metrics: bool = False) -> k.Theorem:
    """The same, with a granularity or a metric for each part: each reads a copy of the databases.

    The relation or the metric on the copy of a block is any one, so that different blocks have
    different ones.
    """
    copies = k.DatabaseClass("D", '"a copy for each block, with neighbours of its own"', K)
    images = k.DatabaseClass("f(D)", '"any classes, one a block"', K)
    arrow = k.NamedMap("f", '"any maps, one a block"', copies, images, K)
    mechanism = k.NamedMechanism("M", copies, K)
    loss: k.Loss = k.Neighbouring(NEIGHBOURS, copies, GUARANTEES[notion])
    if at_metrics:
        metric = k.NamedPseudometric("d", '"any pseudometrics, one a block"', copies)
        loss = k.At(GUARANTEES[notion], metric)
    part = k.given(k.Private(mechanism, notion, loss, ()), "part i")
    depends = k.given(k.Dependent(mechanism, arrow), "part i depends on f_i only")
    copied = k.NamedMap("copy", '"every database to its copy"', DATABASES, copies, K)
    return k.run_family(k.preprocess(k.pushforward(part, depends), copied), K)


def blocks_of_neighbours(
    arrow: k.NamedMap,
    relation: k.Relation,
    seen: k.Pseudometric,
    edits: tuple[k.EditShape, ...] = (),
) -> k.CompositionProblem:
    """The problem whose single family of parts sees its blocks at this metric."""
    view = k.PartView("M", arrow.name, K, seen)
    return k.CompositionProblem(
        k.ends(arrow)[0], relation, edits, (view,), '"one part for each of k blocks"'
    )


def total(theorem: k.Theorem, problem: k.CompositionProblem, profile: k.Theorem) -> k.Theorem:
    """The worst over neighbours."""
    assert_about(problem, profile)
    return k.maximum_over_neighbours(theorem, profile)


def assert_about(problem: k.CompositionProblem, profile: k.Theorem) -> None:
    """Check that a profile is that of the problem.

    Raises:
        KernelError: it is not.
    """
    statement = profile.statement
    if not isinstance(statement, k.ProfileFact) or statement.problem != problem:
        raise k.KernelError("the profile is about another problem")


def sequential(notion: str, relation: k.Relation = NEIGHBOURS) -> k.Theorem:
    """All k parts read the whole database: between neighbours everything adds up."""
    copies = k.NamedMap("id", '"the identity, k times"', DATABASES, BLOCKS, K)
    seen = push_metric(relation, copies)
    step = k.EditShape("step", 0)
    problem = blocks_of_neighbours(copies, relation, seen, (step,))
    many = k.oracle(
        k.TouchCount(problem, "step", copies.name, INFINITE), "witness", "no limit is claimed"
    )
    near = k.common_distance(problem, "step", "M", ())
    vector = k.DifferenceVector((k.BlockGroup(copies.name, INFINITE, (k.SeenDistance("M", ONE),)),))
    profile = k.compose_profile(problem, (many, near), (vector,), ())
    return total(common(notion, relation, copies), problem, profile)


def parallel(notion: str, relation: k.Relation = NEIGHBOURS) -> k.Theorem:
    """Conditions C1 and C2, assumed: at most one part sees a difference, at distance 1."""
    theorem = at_neighbours(notion, relation)
    family = k.run_family(k.preprocess(k.everywhere(theorem), BLOCK_MAP), K)
    inner, outer = k.CanonicalMetric(relation, BLOCKS), k.CanonicalMetric(relation, DATABASES)
    seen = k.Pullback(inner, BLOCK_MAP)
    problem = blocks_of_neighbours(BLOCK_MAP, relation, seen)
    c1 = assumed(k.Compatible(BLOCK_MAP, relation, DATABASES), "C1, at most one block changes")
    c2 = assumed(k.Sensitive(BLOCK_MAP, ONE, outer, inner), "C2, sensitivity at most 1")
    return total(family, problem, k.compatible_profile(problem, c1, (c2,)))


def on_common_domain(notion: str, relation: k.Relation = NEIGHBOURS) -> k.Theorem:
    """Condition C1 alone, assumed, where parts are private on the whole domain."""
    seen = push_metric(relation, BLOCK_MAP)
    problem = blocks_of_neighbours(BLOCK_MAP, relation, seen)
    c1 = assumed(k.Compatible(BLOCK_MAP, relation, DATABASES), "C1, at most one block changes")
    return total(common(notion, relation), problem, k.compatible_profile(problem, c1, ()))


def of_two_touched(notion: str, one_block_a_record: k.Theorem | None = None) -> k.Theorem:
    """A replacement touches two records; each lies in at most one block (a fact).

    The profile is enumerated by the kernel: two blocks with one touched record each, or one with
    both.
    """
    problem = replacement_problem()
    relation, arrow = problem.relation, partition_map()
    if one_block_a_record is None:
        fact = k.TouchCount(problem, "replace", arrow.name, ONE)
        one_block_a_record = assumed(fact, "a record lies in at most one block")
    near = tuple(k.common_distance(problem, "replace", "M", t) for t in ((1,), (2,), (1, 2)))
    vector = k.DifferenceVector((k.BlockGroup(arrow.name, TWO, (k.SeenDistance("M", ONE),)),))
    profile = k.compose_profile(problem, (one_block_a_record, *near), (vector,), ())
    return total(common(notion, relation, arrow), problem, profile)


def partition_map() -> k.NamedMap:
    """The blocks of a partition by value, in the kernel's words."""
    return k.NamedMap("p", '"any partition by value, exhaustive or not"', DATABASES, BLOCKS, K)


def replacement_problem() -> k.CompositionProblem:
    """Bounded neighbours and a partition on the common domain, in the kernel's words."""
    relation = k.NamedRelation("bounded", '"one record is replaced"')
    seen = push_metric(relation, partition_map())
    return blocks_of_neighbours(partition_map(), relation, seen, (k.EditShape("replace", 2),))


def largest(theorem: k.Theorem) -> tuple[k.Expr, ...]:
    """Return the guarantee between neighbours that a theorem states."""
    statement = theorem.statement
    if not isinstance(statement, k.Private) or not isinstance(statement.loss, k.Neighbouring):
        raise k.KernelError("a guarantee between neighbours is needed")
    return statement.loss.guarantee


def worst(theorem: k.Theorem) -> k.Worst:
    """Return the guarantee between neighbours, which is a single worst choice of blocks."""
    (found,) = largest(theorem)
    if not isinstance(found, k.Worst):
        raise k.KernelError("a worst choice of blocks is needed")
    return found


def simpler(theorem: k.Theorem, goals: tuple[k.Expr, ...]) -> k.Theorem:
    """Write the guarantee in another, polynomially equal or larger, way."""
    pairs = zip(largest(theorem), goals, strict=True)
    return k.change_guarantee(theorem, tuple(k.bounded_polynomial(a, b, ()) for a, b in pairs))
