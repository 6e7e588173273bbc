"""Defects that there were, put back one at a time: the tests of their classes find each.

For names that were glued this is done in ``tests/test_renaming.py``.
"""

from __future__ import annotations

import inspect
import sys
import textwrap
from fractions import Fraction

import pytest

from dpcomp_sym.algebra import polynomials
from dpcomp_sym.certificates import recheck
from dpcomp_sym.certificates.write import certificate
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.engine import conditions, definitions, profiler
from dpcomp_sym.engine.profiler import attained
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.together import spans
from dpcomp_sym.errors import InputError
from dpcomp_sym.metrics.canonical import Canonical
from dpcomp_sym.model import Problem
from dpcomp_sym.replay import RejectedError
from dpcomp_sym.replay import algebra as replayed
from dpcomp_sym.replay import terms as replay_terms
from dpcomp_sym.smt import Pair, View
from dpcomp_sym.spec import load_spec
from dpcomp_sym.statements import terms
from dpcomp_sym.statements.latex import _Latex
from dpcomp_sym.statements.plain import Plain
from dpcomp_sym.statements.render import Level, Written, _Renderer
from tests.differential.test_fixed_symbols import judged
from tests.engine.test_attained import one_day_of_two
from tests.kernel.rejects import unrefused
from tests.laws import test_laws, test_losses
from tests.laws.programs import PROGRAMS
from tests.metrics import test_claims
from tests.shares import shared
from tests.statements import test_render
from tests.test_counterexamples import checked, collected
from tests.test_numbers import NEAR, PAIRS

TRIALS = 400
PLAIN_READ, LATEX_READ = (
    test_render.test_plain_text_is_read_back,
    test_render.test_latex_is_read_back,
)


def replace_everywhere(monkeypatch, right, wrong):
    """Put something in the place of a function, under all names that it has in the program."""
    for module in list(sys.modules.values()):
        if module.__name__.startswith("dpcomp_sym"):
            for name, value in list(vars(module).items()):
                if value is right:
                    monkeypatch.setattr(module, name, wrong)


def without(function, check):
    """Return a function without a part of its source."""
    source = textwrap.dedent(inspect.getsource(function))
    assert source.count(check) == 1
    names = dict(vars(sys.modules[function.__module__]))
    code = f"from __future__ import annotations\n{source.replace(check, '')}"
    exec(compile(code, function.__code__.co_filename, "exec"), names)  # noqa: S102 - our own source
    return names[function.__name__]


# ------------------------------------------------------------------ laws


def sizes_under_roots(monkeypatch):
    for one in (polynomials.at_most, replayed.at_most):
        replace_everywhere(monkeypatch, one, without(one, "not is_finite(a) or "))


def broken_counts(monkeypatch):
    for module, name, found in (
        (terms.expressions, "check_count", None), (terms, "is_whole", True),
        (replay_terms, "_counts", None), (replay_terms, "is_integer", True),
    ):  # fmt: skip
        replace_everywhere(monkeypatch, getattr(module, name), lambda _, found=found: found)


def infinite_guarantees(monkeypatch):
    right = replayed.is_finite
    replace_everywhere(monkeypatch, polynomials.stays_finite, lambda e: e != terms.Inf())
    replace_everywhere(monkeypatch, right, lambda e, *more: bool(more) or right(e))


def test_sizes_under_roots_are_found(monkeypatch):
    sizes_under_roots(monkeypatch)
    assert any("under roots" in one for one in unrefused())


def test_notions_that_nobody_knows_are_found(monkeypatch):
    monkeypatch.setattr(
        terms.statements, "NOTIONS", {**terms.NOTIONS, "renyi": terms.NOTIONS["pure"]}
    )
    assert any("unknown notion" in one for one in unrefused())


@pytest.mark.in_turn
def test_counts_that_are_no_integers_are_found(monkeypatch):
    broken_counts(monkeypatch)
    for program in PROGRAMS.values():
        assert test_laws.attack(program(), "bounded_polynomial", TRIALS, 1)[1]


@pytest.mark.parametrize("program", PROGRAMS)
def test_guarantees_that_can_be_infinite_are_found(program, monkeypatch):
    infinite_guarantees(monkeypatch)
    assert test_losses.attack(PROGRAMS[program](), "pushforward", TRIALS, 0)[1]


# ------------------------------------------------------------------ numbers


def wrong_with_numbers(text, seed=0):
    """Return what the test of the class finds wrong with a problem at small numbers."""
    problem = load_spec(text).problem
    try:
        return [one for _, wrong, _ in judged(problem, seed) for one in wrong]
    except InputError as error:  # a statement was asked about numbers that it does not cover
        return [str(error)]


@pytest.mark.parametrize("text", shared(1, [PAIRS, NEAR]), ids=["pairs", "near"])
def test_numbers_that_do_not_reach_the_question_are_found(text, monkeypatch):
    assert not wrong_with_numbers(text)
    monkeypatch.setattr(Problem, "at", lambda self, _: self)
    assert wrong_with_numbers(text)


def test_bounds_that_are_called_tight_for_all_numbers_are_found(monkeypatch):
    """What was shown for one number was said of all."""

    def everywhere(_problem, _found, _touched, wanted, _renumbered, **_):
        return tuple(wanted.values())

    monkeypatch.setattr(attained, "reaching", everywhere)
    monkeypatch.setattr(profiler, "divided", lambda _s, whole, *_: whole)
    assert wrong_with_numbers(NEAR)


# ------------------------------------------------------------------ counterexamples

EMPTIED = """
[domain]
attributes = { id = "Record" }
cap = 1
[granularity]
[[granularity.edit]]
params = { x = "cell" }
guard = "D[x] == 0 or size(D) >= 3"
change = { x = "-D[x]" }
[[part]]
name = "p"
map = "identity"
granularity = "free_lunch"
domain = { size = "size(D) >= 1" }
guarantee = { pure = "eps" }
"""


def test_equal_databases_that_refute_are_found(monkeypatch):
    """Nobody asked whether D and D' differ, and nobody looked whether they are neighbours."""

    def asked():
        with collected() as kept:
            conditions(Structure(load_spec(EMPTIED).problem))
        checked(kept)

    asked()
    monkeypatch.setattr(Pair, "differ", lambda _: None)
    monkeypatch.setattr(definitions.Pairs, "hold", lambda *_: True)
    with pytest.raises(AssertionError):
        asked()


NEVER_HELD = """
[domain]
attributes = { id = "Record", day = "int" }
cell = "day(c) >= 1"
[granularity]
use = "unbounded"
[[map]]
name = "before"
member = "day(c) <= 0"
[[part]]
name = "p"
map = "before"
domain = { size = "size(D) >= 1" }
guarantee = { pure = "eps" }
"""


def test_questions_about_blocks_that_can_hold_nothing_are_found(monkeypatch):
    """Whether a view lies in a class was asked of blocks that have a record only."""
    spec = load_spec(NEVER_HELD)
    (part,) = spec.problem.bound_parts
    said = Structure(spec.problem).range(part)
    assert said.word == "refuted"
    with monkeypatch.context() as before:
        before.setattr(View, "any_cell", View.cell)
        assert Structure(load_spec(NEVER_HELD).problem).range(part).word == "proved"
        derived = load_spec(NEVER_HELD).derive()
        written = certificate(derived.theorems, derived)
        assert recheck.verify(written)
    with pytest.raises(RejectedError, match="distance"):
        recheck.verify(written)


@pytest.mark.in_turn
def test_edits_that_change_more_than_one_value_are_found(monkeypatch):
    old = without(spans.changes_one_value, ", stays")
    with monkeypatch.context() as before:
        before.setattr(spans, "changes_one_value", old)
        derived = derive(one_day_of_two("day(c) == t or new != old"))
        assert derived.verdict == "proved"
        written = certificate(derived.theorems, derived)
        assert recheck.verify(written)
    with pytest.raises(RejectedError, match="where p sees distance at most"):
        recheck.verify(written)


def test_forms_that_only_fit_are_found(monkeypatch):
    monkeypatch.setattr(Canonical, "proves", lambda *_: True)
    with pytest.raises(AssertionError):
        test_claims.test_claims_against_all_pairs(test_claims.SETS)


# ------------------------------------------------------------------ what writes formulas


def without_twos(monkeypatch):
    """Factors of 2 are dropped."""
    right = _Renderer.product

    def product(self, items):
        kept = [item for item in items if item != terms.Num(Fraction(2))]
        return right(self, kept) if kept != [] else self.empty(terms.Product(()))

    monkeypatch.setattr(_Renderer, "product", product)


def powers_of_the_last_factor(monkeypatch):
    r"""(2 mu)^2 is written as 2 mu^2."""
    for writer in (Plain, _Latex):
        right = writer.power
        monkeypatch.setattr(
            writer,
            "power",
            lambda self, base, n, right=right: (
                right(self, base.removeprefix("(")[:-1], n)
                if base.startswith("(")
                else right(self, base, n)
            ),
        )


def sums_that_reach_on(monkeypatch):
    """What stands behind "the sum of the 3 largest" can be read as a part of it."""

    def sum_(self, items):
        return Written(" + ".join(self.placed(i, Level.OPEN) for i in items), Level.SUM)

    monkeypatch.setattr(_Renderer, "sum", sum_)


@pytest.mark.parametrize(
    ("broken", "trap", "laws"),
    [
        (without_twos, "a product in a product", (PLAIN_READ, LATEX_READ)),
        (powers_of_the_last_factor, "a product squared", (PLAIN_READ, LATEX_READ)),
        (sums_that_reach_on, "largest values before a sum", (PLAIN_READ, LATEX_READ)),
    ],
)
def test_writers_that_write_something_else_are_found(broken, trap, laws, monkeypatch):
    broken(monkeypatch)
    for law in (lambda: test_render.test_traps(test_render.TRAPS[trap]), *laws):
        with pytest.raises((AssertionError, ValueError)):
            law()


def test_no_certificate_is_written_of_a_bound_that_is_printed_otherwise(monkeypatch):
    """The second program writes the bound from its own terms, and compares."""
    without_twos(monkeypatch)
    derived = load_spec(PAIRS).derive()
    assert "2*" not in derived.bounds["pure"].text
    with pytest.raises(RejectedError, match="printed as"):
        certificate(derived.theorems, derived)
