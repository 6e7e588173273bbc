"""The files about the examples: coqc accepts them, and rejects what is not so."""

from __future__ import annotations

import re

import pytest

from dpcomp_sym.certificates.write import certificate
from dpcomp_sym.rocq import UnwrittenError, check, check_either, check_given, rocq_file, tampered
from dpcomp_sym.rocq.coqc import EXPECTED, STRUCTURE
from dpcomp_sym.rocq.edits import ProofScript
from dpcomp_sym.rocq.evidence import outline
from dpcomp_sym.rocq.statement import Setting
from dpcomp_sym.spec import load_spec
from tests.rocq.certified import ACCEPTED, EXAMPLES, NOT_WRITTEN, certified

pytestmark = pytest.mark.rocq


def statement_of(text):
    return text.partition(STRUCTURE)[0]


@pytest.mark.parametrize("name", ACCEPTED)
def test_coqc_accepts_an_example_with_the_axioms_of_the_reals_alone(name):
    text = rocq_file(certified(name))
    assert tampered(text, text) is None
    assert len(statement_of(text).splitlines()) <= 50
    kept, answer = check_either(text)
    assert answer.accepted, answer.message
    assert kept == text
    assert "\nEnd Possible.\n" in text
    assert set(answer.axioms) <= EXPECTED
    assert answer.holds


@pytest.mark.parametrize("name", sorted(NOT_WRITTEN))
def test_what_cannot_be_written_says_why(name):
    with pytest.raises(UnwrittenError, match=NOT_WRITTEN[name]):
        rocq_file(certified(name))


# A bound that is smaller, in the least way that each bound allows.
SMALLER = [
    (r"\bworst (\d+) ", lambda m: f"worst {int(m[1]) - 1} "),
    (r"\bworst \(Z\.to_nat ([^ )]+)\) ", lambda m: f"worst (Z.to_nat ({m[1]} - 1)) "),
    (r"\bworst \(Z\.to_nat (\([^)]+\))\) ", lambda m: f"worst (Z.to_nat ({m[1]} - 1)) "),
    (r"\bsum \(range (\w+)\)", lambda m: f"sum (range ({m[1]} - 1))"),
    (r"\bsum \(pairs (\w+)", lambda m: f"sum (pairs ({m[1]} - 1)"),
    (r"\((\w+) \+ (\w+)\)", lambda m: f"({m[1]})"),
    (r"\beps_ 1%Z", lambda _: "0"),
    (r"\bRmax (\w+) (\w+)", lambda m: m[1]),
    (r"\((\d+) \* (\w+)\)", lambda m: f"({int(m[1]) - 1} * {m[2]})"),
    (r"\(IZR (\w+) \+ IZR (\w+)\)", lambda m: f"(IZR {m[1]} + IZR {m[2]} - 1)"),
    (r"\bIZR (\w+) \*", lambda m: f"(IZR {m[1]} - 1) *"),
]


def smaller(text):
    start = text.find("Hypothesis most1_is")
    start = start if start >= 0 else text.index("Definition bound : R := ")
    end = text.index("Definition claim", start)
    said = text[start:end]
    for pattern, change in SMALLER:
        changed, times = re.subn(pattern, change, said, count=1)
        if times:
            return text[:start] + changed + text[end:]
    raise AssertionError(said)


@pytest.mark.parametrize("name", ACCEPTED)
def test_coqc_rejects_a_smaller_bound(name):
    text = rocq_file(certified(name))
    wrong = smaller(text)
    assert tampered(wrong, text) is not None
    assert not check(wrong).accepted


WRONG = {
    "one block more for each record": (
        "ambulances", "(Z.to_nat 3))%nat.", "(Z.to_nat 4))%nat."),
    "a label that is an inequality": (
        "unbounded-partition", "((blocks'h_ c_) = i_)", "((blocks'h_ c_) <= i_)"),
    "a comparison left out": (
        "label-dp", "((feature_of x_) = (feature_of y_))", "True"),
    "no guarantee": ("unbounded-partition", "rel pure (eps_ i)%R", "rel pure (1 + eps_ i)%R"),
    "one edit more": (
        "unbounded-partition",
        "(edit1 D E \\/ edit1 E D)",
        "(edit1 D E \\/ edit1 E D \\/ (exists F, edit1 D F /\\ edit1 F E))"),
    "a window that is one block shorter": (
        "w-event-each-step", "(i < (p1 + w_))", "((i + 1) < (p1 + w_))"),
    "an event more of a step": (
        "w-event-days-of-records", "(step_of c_)) D a_.", "(step_of c_)) D (a_ + 1)."),
    "a window that begins later": ("stream-weeks", "((p1 <= i)", "((p1 < i)"),
    "one strip of two": ("strips", "(i <= (p1 + 1))", "(i <= p1)"),
    "records of which one changes nothing": (
        "sliding-windows-user", "(i <= p1)) \\/ ((", "(i <= p1)) /\\ (("),
    "records whose windows are longer": ("sliding-windows-user", "(i_ + L_)", "(i_ + (L_ + 1))"),
    "a place more an hour": ("places-each-hour", "(hour_of c_))) D 1.", "(hour_of c_))) D 2."),
    "records of one hour, of which one is left out": (
        "places-each-hour", "\\/ ((snd i) = (p2 (fst i)))", "\\/ ((snd i) = (p1 (fst i)))"),
    "a visit more an hour": (
        "visits-each-hour", "(hour_of c_))) D r_.", "(hour_of c_))) D (r_ + 1)."),
    "a choice of regions fewer": (
        "visits-each-hour", "<= (Z.to_nat (2 * r_)))", "<= (Z.to_nat (2 * r_ - 1)))"),
    "edges that are there one way": (
        "undirected-edge-kinds", "(D (mk (head_of c_) (tail_of c_) (kind_of c_)))", "(D c_)"),
    "a person more in a household": (
        "households-and-counties", "(house_of c_)) D m_.", "(house_of c_)) D (m_ + 1)."),
    "a paper more": ("papers-of-authors", "(author_of c_)) D a_ ", "(author_of c_)) D (a_ + 1) "),
    "authors whose papers change": (
        "papers-of-authors", "((D c_) = 0)", "((D c_) <= 1)"),
    "a record more in a window": (
        "w-event-user-limited", "(user_of c_)) D r_.", "(user_of c_)) D (r_ + 1)."),
    "a window of which fewer blocks count": (
        "w-event-user-limited", "worst (Z.to_nat (2 * r_))", "worst (Z.to_nat r_)"),
    "visits of minors alone": ("adults-and-minors", "(p2 <= 1)", "(p2 <= 0)"),
    "visits of adults in pairs of cities": (
        "adults-and-minors", "(~ ((adult_of c_) = true))", "((adult_of c_) = true)"),
    "a device fewer": ("devices-of-users", "<= (Z.to_nat (2 * m_)))", "<= (Z.to_nat m_))"),
    "a device more in each": (
        "devices-of-users", "(device_of c_)) D m_.", "(device_of c_)) D (m_ + 1)."),
    "a choice fewer": ("sliding-windows-records", "<= (Z.to_nat r_))", "<= (Z.to_nat (r_ - 1)))"),
    "a record more than choices": (
        "sliding-windows-records", "(person_of c_)) D r_.", "(person_of c_)) D (r_ + 1)."),
    "a record more than the bound knows": (
        "sliding-windows-budget", "(person_of c_)) D m_.", "(person_of c_)) D (m_ + 1)."),
    "times of which one is left out": ("hierarchy-user", "(p2 <= 3)", "(p2 <= 2)"),
    "a block missing from a path": ("hierarchy-tree", "eps_ 1%Z + eps_ 2%Z", "eps_ 1%Z + 0"),
    "a record moved by two days": ("weekdays-moved", " = 1)", " = 2)"),
    "two records of a person": (
        "several-maps-one-frame", "(person_of c_)) D 1.", "(person_of c_)) D 2."),
    "a truncation one later": ("user-level-truncated", "<= m_)", "<= (m_ + 1))"),
    "a day more": ("user-day-limit", "<= T_)", "<= (T_ + 1))"),
    "a record more of an epoch": ("user-epochs", "(Z.max 1 b_)))) D 1.", "(Z.max 1 b_)))) D 2."),
    "epochs that are longer": ("user-epochs", "(Z.max 1 b_)", "(Z.max 1 (b_ - 1))"),
    "a record more of a user": (
        "users-of-records", "(owner_of c_)) D r_.", "(owner_of c_)) D (r_ + 1)."),
    "users whose records are not all alike": (
        "user-records-budget", "((user_of c_) = u_) -> ((D c_) = 0)",
        "((user_of c_) = u_) -> ((D c_) <= 1)"),
    "two records of a person, replaced": (
        "filters-and-total-replaced", "(person_of c_)) D 1.", "(person_of c_)) D 2."),
    "a group more of a user": (
        "users-in-groups", "(person_of c_)) D m_.", "(person_of c_)) D (m_ + 1)."),
    "a team more of a user": ("users-in-teams", "(team_of c_)) D m_.", "(team_of c_)) D (m_ + 1)."),
    "a record more in each team": (
        "user-teams-and-records", "(team_of c_))) D r_ ", "(team_of c_))) D (r_ + 1) "),
    "an edge more at each vertex": (
        "vertex-edges", "(origin_of c_)) D m_ ", "(origin_of c_)) D (m_ + 1) "),
    "an edge more to each vertex": (
        "degrees-in-and-out", "(head_of c_)) D q_.", "(head_of c_)) D (q_ + 1)."),
    "levels that grow faster": (
        "tree-any-arity", "(power q_ ((fst i) - 1)))", "(power q_ (fst i)))"),
    "a smaller delta": (
        "ambulances-bounded-common", "more : R := ((worst 6", "more : R := ((worst 5"),
    "no delta": ("ambulances-bounded-common", "E) S + more)", "E) S + 0)"),
    "no delta of the parts": (
        "ambulances-bounded-common", "ind (eps_ i)%R (delta_ i)%R", "ind (eps_ i)%R 1%R"),
    "a limit twice as large": (
        "user-level-limited", "(owner_of c_)) D r_.", "(owner_of c_)) D (2 * r_)."),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_coqc_rejects_another_statement(what):
    name, old, new = WRONG[what]
    text = rocq_file(certified(name))
    head = statement_of(text)
    assert old in head, head
    wrong = head.replace(old, new) + text[len(head) :]
    assert tampered(wrong, text) is not None
    assert not check(wrong).accepted


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("Proof. destruct t; cbn;", "Admitted. Lemma more : True. Proof.", "Admitted"),
        ("Lemma cost_pos", "Axiom more : False.\nLemma cost_pos", "Axiom"),
        ("End Statement.", "Module proved. End proved. End Statement.", "Module"),
        ("Theorem proved : claim.", "Theorem proved : True.", "does not end"),
        ("<= exp bound *", "<= 2 * exp bound *", "statement differs"),
        ("(* ==== STATEMENT", "Axiom more : False. (* ==== STATEMENT", "from line 1 on"),
    ],
)
def test_a_file_with_another_statement_or_more_than_lemmas_is_refused(old, new, why):
    text = rocq_file(certified("unbounded-partition"))
    assert old in text
    assert why in tampered(text.replace(old, new, 1), text)


OTHERS = {
    "in a comment": "(* Theorem proved : claim. *)\nLemma\nproved : True. Proof. exact I. Qed.\n",
    "another claim": "Let claim : Prop := True.\nTheorem proved : claim. Proof. exact I. Qed.\n",
    "nothing closed": "Theorem proved : claim. Proof. exact I. Qed.\n(*\n",
}
"""What ends like a proof of the claim, and proves something else."""


@pytest.mark.parametrize("what", OTHERS)
def test_a_file_that_proves_something_else_under_these_names_is_not_accepted(what):
    text = rocq_file(certified("unbounded-partition"))
    steps = f"(* ==== STRUCTURE *)\n{OTHERS[what]}End Statement.\nPrint Assumptions proved.\n"
    wrong = statement_of(text) + steps
    assert tampered(wrong, text) is None
    assert not check_given(wrong, text).accepted


def test_an_axiom_is_seen_from_outside_of_the_file():
    text = rocq_file(certified("unbounded-partition"))
    begin = text.index("Lemma cost_pos")
    end = text.index("Qed.", begin)
    answer = check(text[:end] + "Admitted." + text[end + 4 :])
    assert answer.accepted
    assert not answer.holds
    assert answer.foreign == ("Certificate.cost_pos",)


PAIRS = """
title = "Counts with a delta, and a total without one"
[domain]
attributes = { id = "Record" }
[granularity]
use = "unbounded"
[[map]]
name = "blocks"
use = "partition"
[[map]]
name = "all"
use = "identity"
[[part]]
name = "counts"
map = "blocks"
granularity = "unbounded"
guarantee = { approximate = ["eps", "delta"] }
[[part]]
name = "total"
map = "all"
guarantee = { pure = "eps0" }
"""


def test_a_bound_on_eps_and_delta_behind_maps():
    found = load_spec(PAIRS).derive()
    text = rocq_file(certificate(found.theorems, found))
    assert "ind (eps0_)%R (0)%R (M (part_total' i)" in text
    assert "<= exp bound * prob (composition E) S + more)%R." in text
    assert check(text).holds
    wrong = text.replace("more : R := ((worst 1", "more : R := ((worst 0")
    assert wrong != text
    assert not check(wrong).accepted


GROWING = """
title = "Counts with a delta, one record after the other"
[domain]
attributes = { id = "Record", owner = "User", step = "int" }
symbols = { r = "r >= 1", w = "w >= 1" }
limits = [["KEY", "r"]]
[granularity]
EDIT
[[map]]
name = "blocks"
MAP
[[part]]
name = "counts"
map = "blocks"
granularity = "unbounded"
guarantee = { approximate = ["eps", "delta"] }
"""
USERS = {
    "KEY": "owner(c)", "EDIT": 'use = "user"\nowner = "owner"', "MAP": 'use = "partition"',
}  # fmt: skip
STEPS = {
    "KEY": "step(c)", "EDIT": 'use = "w_event"\ntime = "step"\nlength = "w"',
    "MAP": 'use = "windows"\ntime = "step"\nlength = "3"',
}  # fmt: skip


def growing(said):
    spec = GROWING
    for word, text in said.items():
        spec = spec.replace(word, text)
    found = load_spec(spec).derive()
    return rocq_file(certificate(found.theorems, found))


def test_delta_grows_with_the_records_of_a_user():
    text = growing(USERS)
    assert "(delta_ i * growth (eps_ i) (Z.to_nat (2 * r_)))" in text
    assert check(text).holds
    wrong = text.replace(
        "(delta_ i * growth (eps_ i) (Z.to_nat (2 * r_)))", "(IZR (2 * r_) * delta_ i)", 1
    )
    assert not check(wrong).accepted


@pytest.mark.slow
def test_delta_grows_with_the_records_in_a_window():
    text = growing(STEPS)
    assert "Hypothesis most2_is" in text
    assert check(text).holds


@pytest.mark.slow
def test_delta_grows_where_two_cells_are_in_one_block():
    found = load_spec(PAIRS.replace('use = "unbounded"', 'use = "bounded"')).derive()
    text = rocq_file(certificate(found.theorems, found))
    assert "more : R := ((worst 1 (range k_) (fun i => (delta_ i * growth (eps_ i) 2))))" in text
    assert check(text).holds
    wrong = text.replace("growth (eps_ i) 2", "growth (eps_ i) 1", 1)
    assert not check(wrong).accepted


def with_pairs(name):
    spec = re.sub("guarantee = .*\n", "", EXAMPLES[name].read_text(encoding="utf-8"))
    head, *parts = spec.split("[[part]]\n")
    pairs = [f'guarantee = {{ approximate = ["e{n}", "d{n}"] }}\n' for n, _ in enumerate(parts)]
    spec = head + "".join(f"[[part]]\n{g}{p}" for g, p in zip(pairs, parts, strict=True))
    found = load_spec(spec).derive()
    return certificate(found.theorems, found)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["values-in-steps", "foreign-keys", "user-teams-and-records"])
def test_delta_grows_with_other_steps(name):
    text = rocq_file(with_pairs(name))
    assert "growth" in text
    assert check(text).holds


def test_records_that_share_blocks_and_keys_have_no_bound_on_eps_and_delta():
    with pytest.raises(UnwrittenError, match="for what edit1 does is not written"):
        rocq_file(with_pairs("visits-by-hospital"))


REPLACED = """
[domain]
attributes = { id = "Record", user = "User" }
symbols = { r = "r >= 1" }
limits = [["user(c)", "r"]]
[granularity]
use = "user"
owner = "user"
[[map]]
name = "all"
use = "identity"
[[part]]
name = "query"
map = "all"
granularity = "unbounded_or_bounded"
guarantee = { pure = "eps" }
"""


def test_records_that_replace_others_are_refused():
    found = load_spec(REPLACED).derive()
    with pytest.raises(UnwrittenError, match="each record that comes replaces one that goes"):
        rocq_file(certificate(found.theorems, found))


def test_steps_of_named_cells_that_have_no_words_are_refused():
    found = outline(certified("nearby-values"))
    with pytest.raises(UnwrittenError, match="edit1 sees distances that are not 1"):
        list(ProofScript(Setting(found.problem, found.notion), found).cases)


def test_guarantees_that_are_numbers():
    """Sums of the largest of the same numbers, and a number for all blocks."""
    for name, number in (("ambulances", "2"), ("unbounded-partition", '"1/2"')):
        spec = re.sub("guarantee = .*\n", "", EXAMPLES[name].read_text(encoding="utf-8"))
        found = load_spec(f"{spec.rstrip()}\nguarantee = {{ pure = {number} }}\n").derive()
        assert check(rocq_file(certificate(found.theorems, found))).holds


def in_numbers(name, *numbers):
    """Return the file about an example with other guarantees for eps-DP, numbers or parameters."""
    spec = EXAMPLES[name].read_text(encoding="utf-8")
    given = iter(numbers)
    spec = re.sub(
        r"^guarantee = .*\n", lambda _: f"guarantee = {{ pure = {next(given)} }}\n",
        spec, flags=re.MULTILINE,
    )  # fmt: skip
    found = load_spec(spec).derive()
    return rocq_file(certificate(found.theorems, found))


def test_numbers_behind_several_exclusive_maps():
    """The bound is a number, and what changes is still shared out among the maps."""
    text = in_numbers("filters-and-total-replaced", "2", "3", '"eps"')
    assert "bound : R := ((6 + (2 * eps_)))" in text
    assert check(text).holds
    assert not check(text.replace("((6 + (2", "((5 + (2")).accepted


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("filters-and-total-replaced", ["2", "2", "2"]),
        ("filters-and-total-replaced", ["2", "3", "0"]),
        ("rows-of-two-tables", ["3", "2"]),
        ("hierarchy-paths", ["0", "2", "3"]),
        ("tree-any-arity", ["3"]),
    ],
)
def test_numbers_that_are_the_same_zero_or_in_a_window(name, numbers):
    """A window's sums are numbers, and the last part has a number that is no less than each."""
    text = in_numbers(name, *numbers)
    assert "eps" not in statement_of(text)
    assert check(text).holds


MORE = """
[[part]]
name = "more"
map = "blocks"
granularity = "unbounded"
guarantee = { approximate = [1, "1/100"] }
"""


@pytest.mark.slow
def test_delta_grows_with_a_number_of_records():
    text = growing(USERS | {"symbols = { ": 'symbols = { s = "s >= 0", ', '"r"]': "3]"})
    assert "growth (eps_ i) 6" in text
    assert check(text).holds


@pytest.mark.slow
def test_numbers_are_added_up_beside_parameters_and_have_other_factors():
    spec = GROWING + MORE + MORE.replace("more", "few").replace("[1,", '["1/3",')
    for word, said in USERS.items():
        spec = spec.replace(word, said)
    found = load_spec(spec).derive()
    text = rocq_file(certificate(found.theorems, found))
    assert check(text).holds


def test_records_that_move_along_within_a_block_are_not_written():
    """What moves out of a block is gone for its part; the edit of all records would keep it."""
    text = EXAMPLES["ordered-insertion"].read_text(encoding="utf-8")
    own = text.replace('setting = "common"\n', "").replace(
        'use = "partition"\nby = "position"', 'member = "position(c) >= i"\nindex = { i = "k" }'
    )
    found = load_spec(own).derive()
    with pytest.raises(UnwrittenError, match="records move along in the blocks of sections"):
        rocq_file(certificate(found.theorems, found))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("member", "last"),
    [
        ('index = { i = "k" }\nmember = "position(c) >= i"', "position(c) <= n"),
        (
            'index = { i = "k", j = "k" }\nmember = "i <= position(c) and position(c) <= j"',
            "1 == 1",
        ),
    ],
)
def test_blocks_with_a_condition_in_which_no_integer_of_the_edit_occurs(member, last):
    text = EXAMPLES["ordered-insertion"].read_text(encoding="utf-8").partition("[[metric]]")[0]
    text = text.replace('use = "partition"\nby = "position"', member)
    text = text.replace('cell = "', 'symbols = { n = "n >= 1" }\ncell = "' + last + " and ")
    found = load_spec(text).derive()
    written = rocq_file(certificate(found.theorems, found))
    assert "forall  :" not in written
    assert check(written).holds


@pytest.mark.parametrize("member", ["position(c) <= 3 * i", "position(c) <= 2 or i == i"])
def test_blocks_of_a_list_that_grows_may_be_all_that_there_is(member):
    """Their next place is that of the list: no record before it lies outside of them."""
    text = EXAMPLES["ordered-append"].read_text(encoding="utf-8")
    domain, _, _ = text.partition("[[map]]")
    found = load_spec(
        domain + f'[[map]]\nname = "first"\nindex = {{ i = 3 }}\nmember = "{member}"\n'
        '[[part]]\nname = "counts"\nmap = "first"\n'
    ).derive()
    assert found.bounds["pure"].text == "eps[1] + eps[2] + eps[3]"
    assert check(rocq_file(certificate(found.theorems, found))).holds


@pytest.mark.parametrize(("one", "other"), [("doc", "musc"), ("z", "y"), ("l", "N")])
def test_names_that_look_like_what_a_proof_names(one, other):
    found = load_spec(f"""
        [domain]
        attributes = {{ {one} = "Vertex", {other} = "Vertex" }}
        symbols = {{ p = "p >= 1", q = "q >= 1" }}
        limits = [["{one}(c)", "p"], ["{other}(c)", "q"]]
        [granularity]
        name = "vertex"
        [[granularity.edit]]
        params = {{ v = "Vertex" }}
        frame = "{one}(c) == v or {other}(c) == v"
        [[map]]
        name = "all"
        use = "identity"
        [[part]]
        name = "counts"
        map = "all"
        granularity = "unbounded"
        guarantee = {{ pure = "eps" }}
    """).derive()
    answer = check(rocq_file(certificate(found.theorems, found)))
    assert answer.accepted, answer.message


def test_lemmas_about_a_part_that_two_edits_need_are_written_once():
    found = load_spec("""
        [domain]
        attributes = { id = "Record", user = "User", day = "int" }
        symbols = { m = "m >= 1" }
        limits = [["user(c)", "m"]]
        [granularity]
        name = "g"
        [[granularity.edit]]
        params = { t = "int", u = "User" }
        frame = "day(c) == t and user(c) == u"
        [[granularity.edit]]
        params = { u = "User" }
        frame = "user(c) == u"
        step = "old == 0"
        [[map]]
        name = "days"
        member = "day(c) == i"
        index = { i = "k" }
        [[part]]
        name = "counts"
        map = "days"
        granularity = "unbounded"
        guarantee = { pure = "eps" }
    """).derive()
    assert found.bounds["pure"].text == "2*m*max(eps[i])"
    answer = check(rocq_file(certificate(found.theorems, found)))
    assert answer.accepted, answer.message


EDITS = {
    "records of two days, or of a user": (
        """[[granularity.edit]]
        params = { t = "int" }
        frame = "t <= day(c) and day(c) < t + 2"
        [[granularity.edit]]
        params = { u = "User" }
        frame = "user(c) == u"
        """, "partition", "user", "sum(eps[i])"),
    "a user, by one of two kinds": (
        """[[granularity.edit]]
        params = { u = "User" }
        frame = "user(c) == u"
        """, "partition", "kind", "sum of the 2 largest eps[i]"),
    "one record moves, or those of a user change": (
        """[[granularity.edit]]
        params = { x = "cell", y = "cell" }
        guard = "x != y"
        change = { x = -1, y = 1 }
        [[granularity.edit]]
        params = { u = "User" }
        frame = "user(c) == u"
        """, "partition", "user", "2*m*max(eps[i])"),
}  # fmt: skip


@pytest.mark.parametrize("what", EDITS)
def test_the_lesser_one_of_several_edits(what):
    edits, use, by, bound = EDITS[what]
    common = 'setting = "common"' if "m*" not in bound else 'granularity = "unbounded"'
    found = load_spec(f"""
        [domain]
        attributes = {{ id = "Record", user = "User", kind = ["a", "b"], day = "int" }}
        symbols = {{ m = "m >= 1" }}
        limits = [["user(c)", "m"]]
        [granularity]
        name = "g"
        {edits}
        [[map]]
        name = "blocks"
        use = "{use}"
        by = "{by}"
        [[part]]
        name = "counts"
        map = "blocks"
        {common}
        guarantee = {{ pure = "eps" }}
    """).derive()
    assert found.bounds["pure"].text == bound
    answer = check(rocq_file(certificate(found.theorems, found)))
    assert answer.accepted, answer.message
