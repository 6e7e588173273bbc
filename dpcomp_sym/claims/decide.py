"""Is a claimed bound true?  A proof, or an exact counterexample, or neither."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from dpcomp_sym import kernel as k
from dpcomp_sym.claims.decision import ClaimCounterexample, Decision
from dpcomp_sym.claims.parse import Claim, read_claim
from dpcomp_sym.claims.proving import by_numbers, by_optimum, by_places, by_solver, by_wider_maxima
from dpcomp_sym.claims.question import ClaimQuestion
from dpcomp_sym.claims.search import Search
from dpcomp_sym.claims.tight import tightness
from dpcomp_sym.derivation.derive import Derivation
from dpcomp_sym.derivation.order import claimed
from dpcomp_sym.engine.counterexample import signature_of
from dpcomp_sym.errors import InputError
from dpcomp_sym.limits import current
from dpcomp_sym.model import Problem
from dpcomp_sym.smt import Query, logic
from dpcomp_sym.spec import Spec, load_spec

__all__ = [
    "ClaimCounterexample",
    "Decision",
    "decided",
    "refute",
    "unclaimed",
    "with_numbered_blocks",
]

_NUMBERED: Final = re.compile(r"\w\s*\[\s*\d")
"""What names a block by its number: ``eps[1]``."""
_MISSED: Final = (
    "the bound is larger than the claim, but no databases were found at which so much is lost"
)


def refute(
    problem: Problem | Spec | str | Path,
    claim: str,
    values: Mapping[str, Any] | None = None,
    sizes: Mapping[str, int] | None = None,
    *,
    notion: str | None = None,
) -> Decision:
    """Decide whether a composition has a claimed guarantee.

    Args:
        problem: the composition, a spec, or the file (or text) of a spec.
        claim: such as ``max(eps[i] + eps[j])``; a pair for (epsilon, delta).
        values: numbers for the parameters, over those of the spec; the claim is then about these.
        sizes: numbers for k and other symbols.
        notion: the name of a notion, where the parameters do not tell.

    Raises:
        InputError: the claim or the problem cannot be used.

    >>> from dpcomp_sym.model import Domain, Part, Problem, library_granularity, library_map
    >>> problem = Problem(Domain({"id": "Record"}), library_granularity("bounded"),
    ...     [library_map("partition", name="blocks")], [Part("counts", "blocks", setting="common")])
    >>> refute(problem, "max(eps[i] + eps[j])").tight
    'yes'
    >>> false = refute(problem, "max(eps[i])")
    >>> false.verdict, false.counterexample.as_json()["parameters"]
    ('refuted', {'eps': ['1', '1']})
    """
    if isinstance(problem, Problem):
        spec = Spec(problem.title, problem, values or {}, sizes or {})
    else:
        read = problem if isinstance(problem, Spec) else load_spec(problem)
        spec = replace(
            read, values={**read.values, **(values or {})}, sizes={**read.sizes, **(sizes or {})}
        )
    unclaimed(spec)
    if not isinstance(claim, str):
        raise InputError(f"a claim is a text such as 'max(eps[i])', not {claim!r}", word="claim")
    numbered = with_numbered_blocks(spec, claim)
    numbers = None if numbered is spec else spec.sizes
    return decided(
        numbered, read_claim(claim, numbered.problem, notion, numbers), numbered.derive()
    )


def with_numbered_blocks(spec: Spec, claim: str) -> Spec:
    """Return a spec whose blocks have numbers, where a claim names some by their numbers.

    How many there are must be known then; else, or where no block is named so, it stays as it is.

    >>> from dpcomp_sym.model import Domain, Part, Problem, library_granularity, library_map
    >>> problem = Problem(Domain({"id": "Record"}), library_granularity("unbounded"),
    ...     [library_map("partition", name="blocks")], [Part("counts", "blocks")])
    >>> refute(problem, "max(eps[1], eps[2])", sizes={"k": 2}).verdict
    'proved'
    """
    if not _NUMBERED.search(claim):
        return spec
    return replace(spec, problem=spec.problem.at(spec.sizes).counted(spec.sizes))


def unclaimed(spec: Spec) -> None:
    """Refuse a spec about which no claims are decided.

    Raises:
        InputError: it is about the databases that a person can be in.
    """
    if spec.membership is not None:
        raise InputError("claims about a spec with [membership] are not decided; derive gives its "
                         "bounds")  # fmt: skip


def decided(spec: Spec, claim: Claim, derivation: Derivation) -> Decision:
    """Decide a claim about a composition whose derivation is there already.

    Raises:
        InputError: the claim names a symbol that can be less than 1.
    """
    question = Search(spec, claim, derivation)
    for name in sorted(claim.sizes - set(spec.sizes)):
        less = _below_one(spec.problem, name)
        if less == logic.sat:
            raise InputError(f"a claim is about sizes from 1 on, and '{name}' can be less: state "
                             f"'{name} >= 1' in the spec", where="--claim", word=name)  # fmt: skip
        if less != logic.unsat:
            budget = current().budget
            why = f", since {budget.why}" if budget.over else ""
            reason = f"whether '{name}' is at least 1 was not decided{why}"
            return _answer(question, "unknown", reason=reason)
    return _decision(question)


def _below_one(problem: Problem, name: str) -> Any:
    """Return the answer of a solver whether a size can be less than 1."""
    query = Query(signature_of(problem), problem.symbols)
    query.add(query.symbols[name] < 1)
    return query.check()


def _of_all_sizes(question: Search, *proofs: k.Theorem) -> bool:
    """Return whether proofs of the kernel, whose sizes are 1 or more, are some for all sizes.

    Only where blocks between two ends are counted does less of a size mean more, or where there
    are cases of sizes.
    """
    named = {
        x.name
        for proof in proofs
        for step in k.dag(proof) if step.rule == "anywhere" and _counted(step.statement)
        for x in k.subterms(step.statement) if isinstance(x, k.Symbol)
    }  # fmt: skip
    statements = (proof.statement for proof in proofs)
    named |= {r.symbol for s in statements if isinstance(s, k.Private) for r in s.where}
    unsaid = named & set(question.problem.symbols) - set(question.sizes)
    return all(_below_one(question.problem, name) == logic.unsat for name in sorted(unsaid))


def _counted(statement: k.Statement) -> bool:
    """Return whether an inequality ends in choices of some blocks, and not of all."""
    right = statement.right if isinstance(statement, k.BoundLeq) else statement
    return any(isinstance(x, k.Choice) and x.count != k.Inf() for x in k.subterms(right))


def _decision(question: Search) -> Decision:
    if question.derivation.vacuous:
        reason = "no two different databases are neighbours, so every claim holds"
        return _answer(question, "vacuous", reason=reason)
    theorem = question.derivation.theorems.get(question.claim.notion)
    if not question.profile.proved:
        return _answer(
            question, "unknown", reason="a part may be given databases outside its class"
        )
    # Where the bound is larger than the claim at some numbers, no proof is looked for.
    quickly = next(question.candidates(quick=True), None) is not None
    proof = None
    if theorem is not None and not quickly:
        proof = _by_kernel(question)
    if proof is not None and _of_all_sizes(question, proof):
        return _proved(question, proof, "the kernel derives the claimed bound from the exact one")
    if theorem is not None and not quickly and _by_wider_maxima(question):
        said = (
            "in each block and at every place no more counts in the maxima over integers of the "
            "bound than in those of the claim, as a solver finds for all sizes allowed; the kernel "
            "derives the rest"
        )
        return _proved(question, None, said)
    missed, example = question.violation()
    if example is not None:
        return _answer(
            question, "refuted", counterexample=example, also=question.with_letters(example)
        )
    if missed:
        return _answer(question, "unknown", reason=_MISSED)
    if theorem is None:
        return _answer(question, "unknown", reason="a part has no guarantee in this notion")
    if by_numbers(question, theorem):
        said = "at these numbers the exact bound is at most the claimed one"
        return _proved(question, None, said)
    if by_optimum(question):
        said = "at these numbers optimal composition has no larger delta at the claimed epsilon"
        return _proved(question, None, said)
    if by_solver(question):
        said = (
            "for each number of blocks that a pair of neighbours can change, there are no "
            "numbers at which the loss is larger; with more blocks the claim only grows"
        )
        return _proved(question, None, said)
    if by_places(question, theorem):
        said = (
            "at these sizes the bound is written out, and no numbers make one of its sums larger "
            "than the claimed one"
        )
        return _proved(question, None, said)
    missing = f": {question.unwritten}" if question.unwritten else ""
    reason = f"neither a proof nor a counterexample was found{missing}"
    return _answer(question, "unknown", reason=reason)


def _by_wider_maxima(question: Search) -> bool:
    """Return whether the claim has larger maxima over integers than the bound."""
    for theorem, where in itertools.product(question.theorems, _boxes(question)):
        proofs = by_wider_maxima(question, theorem, where)
        if proofs is not None and _of_all_sizes(question, *proofs):
            return True
    return False


def _boxes(question: Search) -> dict[k.Where, None]:
    """Return the sizes of which a proof can speak: all, or those that are given."""
    return dict.fromkeys([(), question.box()])


def _by_kernel(question: Search) -> k.Theorem | None:
    """Return the theorem that a composition has the claimed guarantee, if the kernel makes it."""
    for theorem, where in itertools.product(question.theorems, _boxes(question)):
        proof = claimed(theorem, question.parameters, where)
        if proof is not None:
            return proof
    return None


def _answer(question: ClaimQuestion, verdict: str, **more: Any) -> Decision:
    return Decision(question.claim, verdict, question.derivation, **more)


def _proved(question: ClaimQuestion, theorem: k.Theorem | None, reason: str) -> Decision:
    tight, gap = tightness(question)
    return _answer(question, "proved", theorem=theorem, reason=reason, tight=tight, gap=gap)
