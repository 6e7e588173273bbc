"""What is refused, noted or left open, in the words that the user reads."""

from __future__ import annotations

import pytest

from dpcomp_sym.engine import Proved
from dpcomp_sym.engine.clauses import Weakest
from dpcomp_sym.engine.conditions import _agreed
from dpcomp_sym.engine.contradictions import check_input
from dpcomp_sym.engine.structure import AnswerCache, Structure
from dpcomp_sym.engine.weakest import weakest_compatible
from dpcomp_sym.errors import InputError
from dpcomp_sym.model import (
    Domain,
    Edit,
    Granularity,
    Map,
    Part,
    Problem,
    library_granularity,
    library_map,
)
from dpcomp_sym.spec import load_spec

DOMAIN = '[domain]\nattributes = { id = "Record", owner = "Person" }\n'
ONE_MORE = """
[[granularity]]
name = "outer"
[[granularity.edit]]
params = { x = "cell" }
change = { x = 1 }
"""
REPLACED = """
[[granularity]]
name = "outer"
[[granularity.edit]]
params = { x = "cell", y = "cell" }
guard = "D[x] >= 1 and x != y"
change = { x = -1, y = 1 }
"""
PARTITION = '[[map]]\nname = "b"\nuse = "partition"\n'
WHOLE = '[[map]]\nname = "b"\nuse = "identity"\n'
ANY = (
    'index = { i = "k" }\nmember = "lab(id(c), i)"\n'
    'functions = { lab = [["Record", "int"], "bool"] }'
)
PART = '[[part]]\nname = "p"\nmap = "b"\n'


def inner(change, guard="true", params='x = "cell"', more=""):
    """Return a granularity "own", and a part that is private in it."""
    own = f'[[granularity.edit]]\nparams = {{ {params} }}\nguard = "{guard}"\n{change}\n'
    return f'[[granularity]]\nname = "own"\n{more}{own}{PART}granularity = "own"\n'


def derived(*texts):
    return load_spec("".join(texts)).derive()


def overlapping(more):
    return (
        '[[map]]\nname = "b"\nindex = { i = "k" }\nfunctions = { h = [["Person"], "int"] }\n'
        f'member = "h(owner(c)) <= i"\n{more}'
    )


# ------------------------------------------------------------------ input that cannot be meant


def test_facts_that_contradict():
    facts = 'symbols = { N = "N >= 1" }\nsize = ["size(D) == N", "N < 1"]\n'
    with pytest.raises(InputError) as caught:
        derived(DOMAIN, facts, ONE_MORE, PARTITION, PART)
    assert str(caught.value) == (
        "spec, line 4: domain: no database satisfies the size and symbol facts "
        "(size(D) == N; N < 1; N >= 1): they contradict"
    )


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ('size = ["size(D) < 0"]\n', "size and symbol facts (size(D) < 0)"),
        ('symbols = { N = "N > N" }\n', "size and symbol facts (N > N)"),
    ],
)
def test_one_fact_that_contradicts_itself(facts, said):
    with pytest.raises(InputError) as caught:
        derived(DOMAIN, facts, ONE_MORE, PARTITION, PART)
    assert str(caught.value) == (
        f"spec, line 3: domain: no database satisfies the {said}: they contradict"
    )


def test_an_edit_that_never_changes_anything():
    with pytest.raises(InputError, match="edit 1 can never change a database of this class"):
        derived(DOMAIN, 'kind = "set"\n', ONE_MORE.replace("change", 'guard = "D[x] >= 1"\nchange'),
                PARTITION, PART)  # fmt: skip


def test_a_partition_that_is_none():
    with pytest.raises(InputError) as caught:
        derived(DOMAIN, ONE_MORE, overlapping("partition = true\n"), PART)
    message = str(caught.value)
    assert "map 'b': it is called a partition, but its labels overlap: the record (" in message
    assert "lies in b 1 and b 2; use a cover, or labels that exclude each other" in message
    same = overlapping("partition = true\n").replace("<=", "==")
    assert derived(DOMAIN, ONE_MORE, same, PART).conditions["partition"].verdict == "proved"


def test_which_record_of_several_lies_in_two_blocks():
    """Records with the flag lie in all blocks, each other one in one."""
    blocks = Map("b", "flag(c) or h(c) == i", {"i": "k"}, {"h": (["cell"], "int")}, partition=True)
    exchanged = Edit(
        {"x": "cell", "y": "cell"}, "flag(x) and not flag(y) and D[x] >= 1", {"x": -1, "y": 1}
    )
    problem = Problem(
        Domain({"id": "R", "flag": "bool"}), Granularity("own", [exchanged]), [blocks],
        [Part("p", "b")],
    )  # fmt: skip
    with pytest.raises(InputError, match="flag = True\\) lies in b 1 and b 2; use a cover"):
        check_input(Structure(problem))


def test_answers_about_other_problems_are_not_taken():
    records, blocks = Domain({"id": "R"}), library_map("partition", name="b")
    shared = AnswerCache()
    for part in (Part("p", "b"), Part("q", "b", setting="common")):  # other parts are welcome
        problem = Problem(records, library_granularity("unbounded"), [blocks], [part])
        Structure(problem, shared=shared)
    with pytest.raises(ValueError, match="another class, other neighbours or maps"):
        Structure(Problem(records, library_granularity("bounded"), [blocks], [part]), shared=shared)


def test_a_verdict_is_not_true_or_false():
    with pytest.raises(TypeError, match="neither true nor false: match on its class"):
        bool(Proved())


# ------------------------------------------------------------------ what is noted


def test_an_edit_that_may_leave_everything_as_it_is():
    found = derived(DOMAIN, REPLACED.replace(" and x != y", ""), PARTITION, PART)
    (note,) = found.notes
    assert note.startswith("edit 1 of granularity 'outer' can leave a database unchanged: a guard")


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("blocks", "said"),
    [
        ('use = "cover"\nm = 5', "at most 10 blocks change"),
        ('use = "cover"\nm = 2', "at most 4 blocks change"),
        (ANY, "no bound was found on how many blocks change"),
    ],
)
def test_how_many_blocks_change(blocks, said):
    found = derived(DOMAIN, REPLACED, f'[[map]]\nname = "b"\n{blocks}\n', PART)
    assert found.conditions["compatibility"].reason == said


def test_a_partition_of_a_class_without_neighbours():
    """No neighbours show a record in two blocks, though there is one."""
    found = derived(DOMAIN, 'size = "size(D) == 1"\n', ONE_MORE, overlapping(""), PART)
    assert (found.verdict, found.conditions["partition"].verdict) == ("vacuous", "vacuous")


def test_a_weakest_condition_that_the_example_does_not_break_is_not_told():
    problem = Problem(
        Domain({"id": "R"}), library_granularity("bounded"), [library_map("cover", name="b", m=2)],
        [Part("p", "b")],
    )  # fmt: skip
    mapping = problem.bound_maps["b"]
    refuted = Structure(problem).compatible(mapping)
    told = _agreed(refuted, mapping, lambda: Weakest(mapping, ()))
    assert told == "the solver and the evaluator disagree on it"
    right = weakest_compatible(Structure(problem), mapping)
    assert _agreed(refuted, mapping, lambda: right) == right


# ------------------------------------------------------------------ the class of a part


@pytest.mark.parametrize(
    ("outer", "own"),
    [
        ("", 'kind = "set"'),
        ("", 'size = ["size(D) <= 3"]'),
        ("", 'limits = [["owner(c)", 2]]'),
        ('limits = [["owner(c)", 3]]\n', 'limits = [["owner(c)", 2]]'),
    ],
)
def test_blocks_outside_the_class_of_a_part(outer, own):
    found = derived(DOMAIN, outer, ONE_MORE, PARTITION, PART, f"domain = {{ {own} }}\n")
    condition = found.conditions["sensitivity"]
    assert (condition.verdict, condition.reason) == (
        "refuted",
        "f(D) lies outside the part's class",
    )
    assert condition.no_weakest == "the part's class may not hold all images, whatever the labels"
    assert found.conditions["commutes"].no_weakest == f"sensitivity: {condition.no_weakest}"
    assert not found.bounds
    assert found.notes == ["no bound: a part may be given databases outside its class (see C2)"]


def test_limits_that_hold_in_the_class_hold_in_a_block():
    own = 'domain = { limits = [["owner(c)", 3]] }\n'
    found = derived(DOMAIN, 'limits = [["owner(c)", 2]]\n', ONE_MORE, PARTITION, PART, own)
    assert found.bounds[0].text == "max(eps[i])"


# ------------------------------------------------------------------ how far a part sees


@pytest.mark.parametrize(
    ("texts", "bound"),
    [
        # Removing a record is not an edit of a part that is private for one record more.
        ((DOMAIN, ONE_MORE, PARTITION, inner("change = { x = 1 }", more="directed = true\n")),
         ("inf (no guarantee)", "yes")),
        # Two at once are two edits, one way.
        ((DOMAIN, ONE_MORE.replace("[[granularity.edit]]", "directed = true\n[[granularity.edit]]")
          .replace("x = 1 }", "x = 2 }"), PARTITION,
          inner("change = { x = 1 }", more="directed = true\n")), ("2*max(eps[i])", "unknown")),
        # One record more is not a number of threes; that nothing else leads there is not proved.
        ((DOMAIN, ONE_MORE, PARTITION, inner("change = { x = 3 }")),
         ("inf (not known)", "unknown")),
        # The number of records of each kind is kept, whatever function says what kind they are.
        ((DOMAIN + 'functions = { sort_of = [["cell"], "int"] }\n', REPLACED, WHOLE,
          inner("change = { x = -1, y = 1 }", "D[x] >= 1 and x != y and sort_of(x) == sort_of(y)",
                'x = "cell", y = "cell"')), ("inf (no guarantee)", "yes")),
    ],
)  # fmt: skip
def test_bounds_by_distances(texts, bound):
    found = derived(*texts)
    assert (found.bounds[0].text, found.bounds[0].tight) == bound


def test_products_of_parameters_are_left_open():
    """No factor in sight does it; whether another one would is not said."""
    multiple = inner(
        "change = { x = -1, y = 1 }", "D[x] >= 1 and x != y and sort_of(x) == n*sort_of(y)",
        'x = "cell", y = "cell", n = "int"',
    )  # fmt: skip
    functions = 'functions = { sort_of = [["cell"], "int"] }\n'
    condition = derived(DOMAIN, functions, REPLACED, WHOLE, multiple).conditions["sensitivity"]
    assert (condition.verdict, condition.reason) == (
        "unknown", "the solver's candidates were not confirmed by the evaluator"
    )  # fmt: skip
