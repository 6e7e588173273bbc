"""How many blocks change at most, and whether that many can: exact bounds, tight or not."""

from __future__ import annotations

import pytest

from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.spec import load_spec

pytestmark = pytest.mark.in_turn

DOMAIN = """
[domain]
attributes = { id = "Record", owner = "Person", day = "int" }
symbols = { m = "m >= 1", w = "w >= 2" }
"""
LIMITED = DOMAIN + 'limits = [["owner(c)", "m"]]\n'
PART = """
[[part]]
name = "p"
map = "b"
"""
UNBOUNDED = PART + 'granularity = "unbounded"\n'
PARTITION = '[[map]]\nname = "b"\nuse = "partition"\n'
SUM, HOUSE = "sum(eps[i])", "house(owner(c))"


def use(name, **arguments):
    given = "".join(f'{word} = "{text}"\n' for word, text in arguments.items())
    return f'[granularity]\nuse = "{name}"\n{given}'


def edits(*each):
    return '[granularity]\nname = "own"\n' + "".join(f"[[granularity.edit]]\n{e}\n" for e in each)


def frame(formula, params="", step="true"):
    return edits(f'params = {{ {params} }}\nframe = "{formula}"\nstep = "{step}"')


def cover(most):
    return f'[[map]]\nname = "b"\nuse = "cover"\nm = {most}\n'


def own(member, functions="", more=""):
    return (
        f'[[map]]\nname = "b"\nindex = {{ i = "k" }}\nmember = "{member}"\n'
        f"functions = {{ {functions} }}\n{more}"
    )


def pure(*texts):
    [bound] = [b for b in load_spec("".join(texts)).derive().bounds if b.notion == "pure"]
    return bound.text, bound.tight


OWNER = use("user", owner="owner")
FIVE = 'p = "{0}", q = "{0}", r = "{0}", s = "{0}", u = "{0}"'
RECORD_OF = FIVE.replace('"{0}"', '[["Person"], "Record"]')
OWNERS = 'granularity = { use = "user", owner = "owner" }\n'
FREE = 'lab = [["Record", "int"], "bool"]'
KIND = DOMAIN.replace("day =", 'kind = ["a", "b"], day =')
FIVE_KINDS = (
    '[domain]\nattributes = { owner = "P", day = "int", kind = ["r", "s", "t", "v", "w"] }\n'
    'limits = [["owner(c)", 5]]\n'
)
TWO_KINDS = KIND + 'limits = [["owner(c)", "m"]]\n'
COMES_OF_A = 'params = { x = "cell" }\nguard = "kind(x) == a"\nchange = { x = 1 }'
COMES_OR_GOES = "implies(kind(c) == a, new >= old) and implies(kind(c) == b, new <= old)"
OF_B = own("f(id(c)) == i and kind(c) == b", 'f = [["Record"], "int"]')
FIVE_RECORDS = FIVE.format("Record")
WINDOW = frame("t <= day(c) and day(c) < t + 60", 't = "int"')
THREE = edits(
    'params = { x = "cell", y = "cell", z = "cell" }\nchange = { x = 1, y = 1, z = 1 }\n'
    'guard = "x != y and y != z and x != z"'
)

POINTS = (
    'params = { x = "cell", y = "cell", z = "cell", u = "cell", v = "cell" }\n'
    "change = { x = 1, y = 0, z = 0, u = 0, v = 0 }"
)


FOUR = (
    'params = { x = "cell", y = "cell", z = "cell", u = "cell" }\n'
    "change = { x = 1, y = 1, z = 1, u = 1 }"
)
THREE_LABELS = (
    "f(id(c)) == i or g(id(c)) == i or h(id(c)) == i",
    'f = [["Record"], "int"], g = [["Record"], "int"], h = [["Record"], "int"]',
)
IDENTITY = '[[map]]\nname = "b"\nuse = "identity"\n'
COMMON = PART + 'setting = "common"\n'


def one_of_five(term, of=""):
    return " or ".join(f"{term} == {p}{of}" for p in "pqrsu")


# What is asked, and a bound that is tight.
ATTAINED = {
    "m blocks a record": (DOMAIN, use("unbounded"), cover('"m"'), PART,
                          "sum of the m largest eps[i]"),
    "nine blocks a record": (DOMAIN, use("unbounded"), cover(9), PART,
                             "sum of the 9 largest eps[i]"),
    "all records of a person": (DOMAIN, OWNER, PARTITION, PART, SUM),
    "all records of a house": (
        DOMAIN + 'functions = { house = [["Person"], "House"] }\n', use("user", owner=HOUSE),
        PARTITION, PART, SUM),
    "m records of a person, before and after": (
        DOMAIN + 'limits = [["owner(c)", "m"]]\n', OWNER, PARTITION, PART,
        "sum of the 2*m largest eps[i]"),
    "two records of a person, in five blocks each": (
        DOMAIN + 'limits = [["owner(c)", 2]]\n', OWNER, cover(5), PART,
        "sum of the 20 largest eps[i]"),
    "edges at a vertex": (
        '[domain]\nattributes = { tail = "int", head = "int" }\ncell = "tail(c) < head(c)"\n',
        use("node", tail="tail", head="head"),
        '[[map]]\nname = "b"\nuse = "incident"\ntail = "tail"\nhead = "head"\n', PART, SUM),
    "labels that only one attribute changes": (
        DOMAIN, OWNER, own("f(id(c)) == i and g(owner(c)) == 1",
                           'f = [["Record"], "int"], g = [["Person"], "int"]'), PART, SUM),
    "records with a flag": (
        DOMAIN.replace("id =", 'flag = "bool", kind = ["a", "b"], id ='), OWNER, PARTITION, PART,
        SUM),
    "records that only come": (
        LIMITED, frame("owner(c) == p", 'p = "Person"', "new >= old"), PARTITION, PART,
        "sum of the m largest eps[i]"),
    "records that only go": (
        LIMITED, frame("owner(c) == p", 'p = "Person"', "new <= old"), PARTITION, PART,
        "sum of the m largest eps[i]"),
    "days up to one": (
        DOMAIN, frame("day(c) <= t", 't = "int"'),
        own("lab(day(c)) == i", 'lab = [["int"], "int"]'), PART, SUM),
    "days from one on": (
        DOMAIN, frame("day(c) >= t", 't = "int"'),
        own("lab(day(c)) == i", 'lab = [["int"], "int"]'), PART, SUM),
    "functions of other attributes": (
        DOMAIN + 'functions = { linked = [["Person", "Person"], "bool"] }\n', OWNER,
        PARTITION + 'by = "id"\n', PART, SUM),
    "functions of two people": (
        DOMAIN.replace('id = "Record", ', "")
        + 'functions = { linked = [["Person", "Person"], "bool"] }\n', use("user", owner="day"),
        PARTITION + 'by = "owner"\n', PART, SUM),
    "a label, and another function of what is labelled": (
        DOMAIN, OWNER, own("f(id(c)) == i and g(id(c)) < 0",
                           'f = [["Record"], "int"], g = [["Record"], "int"]'), PART, SUM),
    "five points that are seen as one": (
        DOMAIN,
        edits('params = { x = "cell" }\nchange = { x = 1 }',
              POINTS),
        PARTITION, UNBOUNDED, "max(eps[i])"),
    "five points first": (
        DOMAIN,
        edits(POINTS,
              'params = { x = "cell" }\nchange = { x = 1 }'),
        PARTITION, UNBOUNDED, "max(eps[i])"),
    "only what no block holds is changed": (
        KIND, frame("kind(c) == a"),
        own("f(c) == i and kind(c) == b", 'f = [["cell"], "int"]')
        + '[[map]]\nname = "all"\nuse = "identity"\n',
        PART + '[[part]]\nname = "q"\nmap = "all"\nguarantee = { pure = "f" }\n', "f"),
    "replaced records in four blocks each": (
        DOMAIN, use("bounded"), cover(4), UNBOUNDED, "2*(sum of the 4 largest eps[i])"),
    "records that leave a block for another one": (
        DOMAIN, use("bounded"), PARTITION, PART, "max(eps[i]) for k = 1; inf for k >= 2"),
    "replaced records, in one view": (
        DOMAIN, use("bounded"), PARTITION, COMMON,
        "sum of the 2 largest eps[i]"),
    "replaced records, in one view, for mechanisms that see single ones": (
        DOMAIN, use("bounded"), PARTITION, COMMON + 'granularity = "unbounded"\n', "2*max(eps[i])"),
    "replaced records in m blocks each, in one view": (
        DOMAIN, use("bounded"), cover('"m"'), COMMON, "sum of the 2*m largest eps[i]"),
    "two records of an owner, in m blocks each": (
        DOMAIN,
        edits('params = { x = "cell", y = "cell" }\nchange = { x = 1, y = 1 }\n'
              'guard = "owner(x) == owner(y) and x != y"'),
        own("lab(owner(c), i)", 'lab = [["Person", "int"], "bool"]', 'multiplicity = "m"'),
        UNBOUNDED, "2*(sum of the m largest eps[i])"),
    "four records": (DOMAIN, edits(FOUR), IDENTITY, UNBOUNDED, "4*eps"),
    "all blocks of two records that come and two that go": (
        DOMAIN + 'limits = [["owner(c)", 2]]\n', OWNER,
        own("f(id(c)) == i or g(id(c)) == i", 'f = [["Record"], "int"], g = [["Record"], "int"]'),
        PART, "sum of the 8 largest eps[i]"),
    "everything, k times": (
        DOMAIN, use("bounded"), own("true"), UNBOUNDED, "2*sum(eps[i])"),
    "only what the block does not hold is changed": (
        DOMAIN.replace("day =", 'kind = ["a", "b"], day ='),
        edits('params = { x = "cell" }\nchange = { x = 1 }\nguard = "kind(x) == a"'),
        '[[map]]\nname = "b"\nuse = "filter"\nkeep = "kind(c) == b"\n', PART, "0"),
    "some of two records that come and two that go": (
        DOMAIN.replace("day =", 'kind = ["a", "b"], day =') + 'limits = [["owner(c)", 2]]\n',
        OWNER, '[[map]]\nname = "b"\nuse = "filter"\nkeep = "kind(c) == a"\n', UNBOUNDED,
        "4*eps"),
    "some records come and go in twos": (
        TWO_KINDS,
        frame("owner(c) == p and kind(c) == a or owner(c) == p and kind(c) == b",
              'p = "Person"', "implies(kind(c) == a, new == old + 2 or new + 2 >= old)"),
        PARTITION, PART, "sum of the 2*m largest eps[i]"),
    "all records of what they are": (
        DOMAIN + 'functions = { sort = [["Record"], "Sort"] }\n', use("user", owner="sort(id(c))"),
        own("f(id(c)) == i", 'f = [["Record"], "int"]'), PART, SUM),
    # The smaller limit is the one that counts: four records go, and four come.
    "two limits": (
        DOMAIN + 'limits = [["owner(c)", 5], ["owner(c)", 4]]\n', OWNER, PARTITION, PART,
        "sum of the 8 largest eps[i]"),
    # Every day of a window has a record of its own.
    "blocks that are sixty apart at most": (
        DOMAIN, frame("t <= day(c) and day(c) <= t + 60", 't = "int"'), own("day(c) == i"), PART,
        "max over t of sum(eps[i] for t <= i <= t + 60)"),
    "m blocks a record, two records of a person": (
        DOMAIN + 'limits = [["owner(c)", 2]]\n', OWNER, cover('"m"'), PART,
        "sum of the 4*m largest eps[i]"),
    "replaced records in m blocks each": (
        DOMAIN, use("bounded"), cover('"m"'), UNBOUNDED,
        "2*(sum of the m largest eps[i])"),
    "replaced records in five blocks each": (
        DOMAIN, use("bounded"), cover(5), UNBOUNDED, "2*(sum of the 5 largest eps[i])"),
    "m records of a person, in w blocks each": (
        LIMITED, OWNER, cover('"w"'), PART, "sum of the 2*m*w largest eps[i]"),
    "three records in m blocks each": (
        DOMAIN, THREE, cover('"m"'), UNBOUNDED, "3*(sum of the m largest eps[i])"),
    "nine blocks an owner": (
        DOMAIN + 'limits = [["owner(c)", 3]]\n', OWNER,
        own("lab(owner(c), i)", 'lab = [["Person", "int"], "bool"]', "multiplicity = 9"), PART,
        "sum of the 9 largest eps[i]"),
    "a limit that is a product": (
        DOMAIN + 'limits = [["owner(c)", "2*m"]]\n', OWNER, PARTITION, PART,
        "sum of the 4*m largest eps[i]"),
    "all records, m of a person": (LIMITED, frame("true"), PARTITION, PART, SUM),
    "nothing in block 2": (
        DOMAIN, use("unbounded"), own("f(id(c)) == i and f(id(c)) != 2",
                                      'f = [["Record"], "int"]'), PART,
        "max over t of sum(eps[i] for i == t and t <= 1 or i == t and 2 < t)"),
}  # fmt: skip
# The bound is true; that it is the least is not known, or false.
NOT_ATTAINED = {
    # Nine of sixty days are multiples of seven.
    "weeks in sixty days": (
        DOMAIN + 'functions = { week = [["Record"], "int"] }\ncell = "day(c) == 7*week(id(c))"\n',
        WINDOW, own("lab(day(c)) == i", 'lab = [["int"], "int"]'), PART,
        "sum of the 60 largest eps[i]"),
    # From day 5 on a record lies in one block.
    "late records": (
        DOMAIN + 'limits = [["owner(c)", 5]]\n',
        frame("owner(c) == p and day(c) >= 5", 'p = "Person"'),
        own("f(id(c)) == i or g(id(c)) == i and day(c) < 5",
            'f = [["Record"], "int"], g = [["Record"], "int"]'), PART,
        "sum of the 20 largest eps[i]"),
    # An owner's cells differ in three flags, or in what is one of five kinds.
    "eight cells an owner": (
        '[domain]\nattributes = { owner = "P", r = "bool", s = "bool", t = "bool" }\n', OWNER,
        PARTITION, PART, SUM),
    "five cells an owner": (
        '[domain]\nattributes = { owner = "P", kind = ["r", "s", "t", "v", "w"] }\n', OWNER,
        PARTITION, PART, SUM),
    "blocks that count": (
        DOMAIN, OWNER,
        own("f(id(c)) == i", 'f = [["Record"], "int"]', 'image = { id = "id(c)" }\n'),
        PART + 'granularity = { name = "any", edit = [{ params = {}, frame = "true" }] }\n', SUM),
    # At most nine records, so at most eighteen blocks, or nine.
    "nine records": (DOMAIN + 'size = ["size(D) <= 9"]\n', OWNER, PARTITION, PART, SUM),
    "nine records, by a fact": (
        DOMAIN + 'facts = ["implies(D[c] >= 1, size(D) <= 9)"]\n', OWNER, PARTITION, PART, SUM),
    "nine records before": (
        DOMAIN,
        edits('params = { p = "Person" }\nguard = "size(D) <= 9"\nframe = "owner(c) == p"\n'
              'step = "new <= old"'), PARTITION, PART + OWNERS, SUM),
    "five records change": (
        DOMAIN, frame("owner(c) == o", f'o = "Person", {FIVE_RECORDS}',
                      f"new == old or {one_of_five('id(c)')}"),
        own("f(id(c)) == i", 'f = [["Record"], "int"]'), PART + 'setting = "common"\n', SUM),
    "five records in five blocks each": (
        DOMAIN, frame(f"owner(c) == o and ({one_of_five('id(c)')})",
                      f'o = "Person", {FIVE_RECORDS}'),
        own("lab(id(c), i)", FREE, "multiplicity = 5"), PART, SUM),
    "records that come, or leave a block for another one": (
        KIND,
        edits(COMES_OF_A, 'params = { x = "cell", y = "cell" }\nguard = "D[x] >= 1 and x != y"\n'
                          "change = { x = -1, y = 1 }"),
        PARTITION, PART + 'granularity = { name = "seen", edit = [{ params = { x = "cell" }, '
        'guard = "kind(x) == a", change = { x = 1 } }, { params = { x = "cell", y = "cell" }, '
        'guard = "D[x] >= 1 and x != y", change = { x = -1, y = 1 } }] }\n',
        "max(eps[i]) for k = 1; inf (not known) for k >= 2"),
    "records of two people, m of each": (
        LIMITED, frame("owner(c) == p or owner(c) == q", 'p = "Person", q = "Person"'),
        PARTITION, PART, "sum of the 4*m largest eps[i]"),
    # Blocks hold what comes, not what goes.
    "blocks that only grow": (
        TWO_KINDS, frame("owner(c) == p", 'p = "Person"', COMES_OR_GOES), OF_B, PART,
        ("max(eps[i]) for m = 1; sum of the 2 largest eps[i] for m = 2; "
        "sum of the 3 largest eps[i] for m = 3; sum of the 4 largest eps[i] for m = 4; "
        "sum of the 2*m largest eps[i] for m >= 5")),
    # Many records come, but only one cell's go.
    "records that come, and one that goes": (
        TWO_KINDS,
        frame("owner(c) == p and kind(c) == a or owner(c) == p and kind(c) == b and id(c) == r",
              'p = "Person", r = "Record"', COMES_OR_GOES),
        PARTITION + 'by = "id"\n', PART, "sum of the 2*m largest eps[i]"),
    "records that come in twos": (
        LIMITED, frame("owner(c) == p", 'p = "Person"', "new == old or new == old + 2"),
        PARTITION, PART, ("0 for m = 1; max(eps[i]) for 2 <= m <= 3; sum of the 2 largest eps[i] "
        "for m = 4; sum of the m largest eps[i] for m >= 5")),
    "records that come, and go in twos": (
        LIMITED, frame("owner(c) == p", 'p = "Person"', "new >= old or new + 2 == old"),
        PARTITION, PART, ("max(eps[i]) for m = 1; sum of the 3 largest eps[i] for m = 2; "
        "sum of the 4 largest eps[i] for m = 3; sum of the 2*m largest eps[i] for m >= 4")),
    # All records of an owner and a kind lie where the one of day 0 would.
    "labels of the first day": (
        FIVE_KINDS, OWNER,
        own("lab(replace(c, day, 0), i)", 'lab = [["cell", "int"], "bool"]', "multiplicity = 3"),
        PART, "sum of the 30 largest eps[i]"),
    "blocks whose number is called day": (
        FIVE_KINDS, OWNER,
        ('[[map]]\nname = "b"\nindex = { day = "k" }\nmember = "lab(owner(c), kind(c), day)"\n'
         'functions = { lab = [["P", "kind", "int"], "bool"] }\nmultiplicity = 3\n'),
        PART, "sum of the 30 largest eps[i]"),
    # Of what any number of blocks may hold none holds any.
    "five records in blocks": (
        KIND,
        frame("owner(c) == o and kind(c) == a or owner(c) == o and kind(c) == b and "
              f"({one_of_five('id(c)')})", f'o = "Person", {FIVE_RECORDS}'), OF_B, PART, SUM),
    # What another map is said to be, on which nothing changes, leaves a person five records.
    "five records a person": (
        KIND, frame("owner(c) == o and kind(c) == a", 'o = "Person"'), PARTITION + 'by = "id"\n',
        (f'[[map]]\nname = "none"\nmember = "kind(c) == b"\nfunctions = {{ {RECORD_OF} }}\n'
         f'facts = ["{one_of_five("id(c)", "(owner(c))")}"]\n'),
        PART + '[[part]]\nname = "q"\nmap = "none"\nguarantee = { pure = "f" }\n', SUM),
    # In all of k blocks, or in none.
    "blocks that are one": (
        DOMAIN, use("unbounded"), own("lab(id(c), 0*i)", FREE, 'multiplicity = "m"'), PART,
        "sum of the m largest eps[i]"),
    "every record of the frame changes": (
        DOMAIN, frame("owner(c) == p", 'p = "Person"', "new != old"), PARTITION, PART, SUM),
    "every record of the frame changes, with a limit": (
        LIMITED, frame("owner(c) == p", 'p = "Person"', "new != old"), PARTITION, PART,
        "sum of the 2*m largest eps[i]"),
    # Not more than 2*w either, which is less where m is larger than w.
    "m records of an owner, one a day for w days": (
        DOMAIN + 'cell = "1 <= day(c) and day(c) <= w"\n'
        'limits = [["owner(c)", "m"], ["owner(c), day(c)", 1]]\n', OWNER, PARTITION, PART,
        "sum of the 2*m largest eps[i]"),
    # An edit lets records come or go, as the flag says.
    "records that come or go": (
        LIMITED,
        frame("owner(c) == p", 'p = "Person", b = "bool"',
              "implies(b, new >= old) and implies(not b, new <= old)"),
        PARTITION, PART, ("max(eps[i]) for m = 1; sum of the 2 largest eps[i] for m = 2; "
        "sum of the 3 largest eps[i] for m = 3; sum of the 4 largest eps[i] for m = 4; "
        "sum of the 2*m largest eps[i] for m >= 5")),
    "a frame that is never empty": (
        DOMAIN, frame("owner(c) == p", 'p = "Person"', "new >= 1 or old >= 1"), PARTITION, PART,
        SUM),
    # One block is always empty, or all the others are.
    "nothing in block 1": (
        DOMAIN, use("unbounded"), own("lab(id(c), i) and not lab(id(c), 1)", FREE,
                                      "multiplicity = 1"), PART, "max(eps[i])"),
    "everything in block 1": (
        DOMAIN, use("unbounded"),
        own("lab(id(c), i)", FREE, 'multiplicity = 1\nfacts = ["lab(id(c), 1)"]'), PART,
        "max(eps[i])"),
    "labels that are said to be m": (
        DOMAIN, use("unbounded"), own("f(id(c)) == i", 'f = [["Record"], "int"]',
                                      'multiplicity = "m"'), PART,
        "sum of the m largest eps[i]"),
    "days that are sixty apart at most": (
        DOMAIN, frame("t <= day(c) and day(c) <= t + 60", 't = "int"'),
        own("lab(day(c)) == i", 'lab = [["int"], "int"]'), PART, SUM),
    "any blocks": (DOMAIN, use("unbounded"), own("lab(id(c), i)", FREE), PART, SUM),
    "sixty values of a function": (
        DOMAIN + 'functions = { time = [["Record"], "int"] }\n',
        frame("t <= time(id(c)) and time(id(c)) < t + 60", 't = "int"'),
        own("lab(time(id(c))) == i", 'lab = [["int"], "int"]'), PART,
        "sum of the 60 largest eps[i]"),
    "five points, twice": (
        DOMAIN,
        edits(POINTS, POINTS),
        PARTITION, UNBOUNDED, "max(eps[i])"),
    # Only those that come lie in two blocks.
    "six blocks, by counting eight": (
        DOMAIN.replace("day =", 'kind = ["a", "b"], day =') + 'limits = [["owner(c)", 2]]\n',
        frame("owner(c) == p", 'p = "Person"', "implies(kind(c) == a, new >= old)"),
        own("f(id(c)) == i or g(id(c)) == i and kind(c) == a",
            'f = [["Record"], "int"], g = [["Record"], "int"]'), PART,
        "sum of the 8 largest eps[i]"),
    "nine blocks, by counting twelve": (
        DOMAIN.replace("day =", 'kind = ["a", "b"], day =') + 'limits = [["owner(c)", 3]]\n',
        frame("owner(c) == p", 'p = "Person"', "implies(kind(c) == a, new >= old)"),
        own("f(id(c)) == i or g(id(c)) == i and kind(c) == a",
            'f = [["Record"], "int"], g = [["Record"], "int"]'), PART,
        "sum of the 12 largest eps[i]"),
    "one label that is said to be five": (
        DOMAIN, use("bounded"), own("f(id(c)) == i", 'f = [["Record"], "int"]', "multiplicity = 5"),
        UNBOUNDED,
        "2*(sum of the 5 largest eps[i])"),
    "three labels that are said to be nine": (
        DOMAIN, use("unbounded"), own(*THREE_LABELS, "multiplicity = 9"), PART,
        "sum of the 9 largest eps[i]"),
    # Five points are not looked for; a smaller edit that is found says nothing of them.
    "two of five points, or one": (
        DOMAIN,
        edits(POINTS.replace("y = 0", "y = 1"), 'params = { x = "cell" }\nchange = { x = 1 }'),
        PARTITION, COMMON, "sum of the 2 largest eps[i]"),
    "2*m blocks a record": (
        DOMAIN, use("unbounded"), own("lab(id(c), i)", FREE, 'multiplicity = "2*m"'), PART, SUM),
    # For m = 2 there may be three blocks, one for each two of the records.
    "three records, two and two in m blocks": (
        DOMAIN.replace("day =", 'kind = ["a", "b", "e"], day ='),
        THREE.replace("x != y and y != z and x != z",
                      "kind(x) == a and kind(y) == b and kind(z) == e"),
        own("kind(c) != a and t(i) == 1 or kind(c) != b and t(i) == 2"
            " or kind(c) != e and t(i) == 3",
            't = [["int"], "int"]', 'multiplicity = "m"'), UNBOUNDED,
        "2*(sum of the 3*m largest eps[i])"),
}  # fmt: skip


@pytest.mark.in_turn
@pytest.mark.parametrize("name", ATTAINED)
def test_bounds_that_are_attained(name):
    *texts, bound = ATTAINED[name]
    assert pure(*texts) == (bound, "yes")


ATTAINED_FOR_SMALL = {
    "records that come, and one that goes": "shown for m = 1",
    "every record of the frame changes, with a limit": "shown for 1 <= m <= 2",
    "records of two people, m of each": "shown for 1 <= m <= 2 and k >= 8",
    "m records of an owner, one a day for w days": "shown for 1 <= m <= 2",  # and w >= 2 is known
}


FIVE_CASES = {
    "five owners": (
        DOMAIN,
        frame(one_of_five("owner(c)"), FIVE.format("Person")),
        PARTITION + 'by = "owner"\n',
        PART,
    ),
    "five houses": (
        DOMAIN + 'functions = { house = [["Person"], "House"] }\n',
        frame(one_of_five(HOUSE), FIVE.format("House")),
        PARTITION + f'by = "{HOUSE}"\n',
        PART,
    ),
}


@pytest.mark.in_turn
@pytest.mark.parametrize("name", FIVE_CASES)
def test_each_of_five_cases_has_its_block(name):
    found = load_spec("".join(FIVE_CASES[name])).derive().bounds["pure"]
    assert (found.text, found.tight) == ("sum of the 5 largest eps[i]", "yes")


@pytest.mark.in_turn
@pytest.mark.parametrize("name", NOT_ATTAINED)
def test_bounds_that_are_not_called_tight(name):
    *texts, bound = NOT_ATTAINED[name]
    found = load_spec("".join(texts)).derive().bounds["pure"]
    shown = ATTAINED_FOR_SMALL.get(name)
    assert (found.text, found.tight) == (bound, "unknown" if shown is None else "yes")
    assert shown is None or found.tight_note == shown


def parted(name, mapping, guarantee, more=""):
    """A mechanism that is private in pure terms."""
    about = f'name = "{name}"\nmap = {mapping}\nguarantee = {{ pure = "{guarantee}" }}\n'
    return f"[[part]]\n{about}{more}"


KINDS = DOMAIN.replace("day =", 'kind = ["a", "b"], day =')


@pytest.mark.parametrize(
    ("texts", "bound", "tight"),
    [
        # A record of kind a in any blocks, or one of kind b.
        (
            (
                KINDS,
                use("unbounded"),
                own("lab(id(c), i) and kind(c) == a", FREE),
                parted("p", '"b"', "e"),
                '[[map]]\nname = "bs"\nuse = "filter"\nkeep = "kind(c) == b"\n',
                parted("q", '"bs"', "f"),
            ),
            "f + sum(e[i])",
            "unknown",
        ),
        # One block is all blocks.
        (
            (
                DOMAIN,
                use("bounded"),
                own("true"),
                parted("p", '"b"', "e", 'setting = "common"\n'),
                PARTITION.replace('"b"', '"g"'),
                parted("q", '"g"', "f", 'setting = "common"\n'),
            ),
            "max(e[i]) + max(f[i]) for k = 1; sum(e[i]) + sum of the 2 largest f[i] for k >= 2",
            "yes",
        ),
    ],
)
def test_two_maps(texts, bound, tight):
    assert pure(*texts) == (bound, tight)


def test_blocks_that_a_fact_names_are_not_copied():
    facts = 'multiplicity = "m"\nfacts = ["not lab(id(c), 1)"]\n'
    spec = load_spec("".join([DOMAIN, use("unbounded"), own("lab(id(c), i)", FREE, facts), PART]))
    profile = spec.derive().profile
    assert (profile.proved, profile.exact) == (True, False)


# Two records come; one of them may be of kind b, or both of kind a.
COMING = (
    DOMAIN.replace("day =", 'kind = ["a", "b"], day =') + 'limits = [["id(c)", 2]]\n',
    frame("id(c) == r", 'r = "Record"', "new >= old and (kind(c) == a or new <= old + 1)"),
)


@pytest.mark.parametrize(
    ("other", "more"),
    [('index = { j = "l" }\nmember = "true"\n', " + sum(f[i])"), ("", "")],
)
def test_each_of_several_blocks_must_be_seen_from_so_far(other, more):
    """Two blocks see two records together at most, so one may see both; no other map hides it."""
    seen = other and f'[[map]]\nname = "all"\n{other}' + parted("q", '"all"', "f")
    mine = PARTITION + parted("p", '"b"', "e", 'granularity = "unbounded"\n')
    assert pure(*COMING, mine, seen) == (f"2*max(e[i]){more}", "yes")


GRID = (
    '[[map]]\nname = "b"\nindex = { i = "k", j = "l" }\n'
    'functions = { lab = [["cell", "int", "int"], "bool"] }\nmember = "lab(c, i, j)"\n'
)


@pytest.mark.parametrize("granularity", [use("unbounded"), OWNER])
def test_blocks_with_two_numbers(granularity):
    assert pure(DOMAIN, granularity, GRID, PART) == ("sum(eps[i,j])", "unknown")


def test_m_blocks_with_two_numbers():
    bound = "sum of the m largest eps[i,j]"
    assert pure(DOMAIN, use("unbounded"), GRID, 'multiplicity = "m"\n', PART) == (bound, "unknown")


KEPT = """
[domain]
attributes = { id = ["a", "b", "cc", "dd"] }
universe = "product"
cap = 1
symbols = { m = "m >= 1" }
"""
FROM_TWO = """
[part.granularity]
name = "alone"
[[part.granularity.edit]]
params = { u = "cell" }
guard = "id(u) == cc or D[(cc,)] == 0"
change = { u = 1 }
[[part.granularity.edit]]
params = { u = "cell", v = "cell" }
guard = "id(v) == cc and u != v"
change = { u = 1, v = -1 }
"""


@pytest.mark.in_turn
@pytest.mark.parametrize("most", ["2", "3", '"m"'])
def test_a_record_that_makes_blocks_far_is_not_copied_beyond_its_number_of_blocks(most):
    """A block is seen from 2 only with cc in it, which cannot be in m blocks of x and m of y."""
    guard = "D[x] >= 1 and D[y] == 0 and x != y and id(z) == cc and z != x and z != y"
    outer = edits(
        f'params = {{ x = "cell", y = "cell", z = "cell" }}\nguard = "{guard}"\n'
        "change = { x = -1, y = 1 }"
    )
    _, tight = pure(KEPT, outer, cover(most), PART, FROM_TWO)
    assert tight != "yes"


ONE_OF_TWO = """
title = "Users with at most m records: one mechanism for single records, one for replaced ones"
[domain]
attributes = { id = "Record", user = "User" }
symbols = { m = "m >= 1" }
limits = [["user(c)", "m"]]
[granularity]
use = "user"
owner = "user"
[[map]]
name = "blocks"
use = "partition"
[[part]]
name = "counts"
map = "blocks"
granularity = "unbounded"
[[part]]
name = "again"
map = "blocks"
guarantee = { pure = "eta" }
granularity = "bounded"
"""


@pytest.mark.long
def test_one_part_at_infinite_distance_is_enough():
    derivation = derive(load_spec(ONE_OF_TWO).problem)
    pure = derivation.bounds["pure"]
    assert (pure.text, pure.tight) == ("inf (no guarantee)", "yes")
    assert "shown for m = 1" in pure.tight_note
    assert [name for name, _ in derivation.witnesses["pure"].mechanisms] == ["again[i]"]


# What one edit changes in a frame whose other records may have to change, too, or must not exist.
WINDOW = 'params = { t = "int" }\nframe = "t <= day(c) and day(c) < t + 2"\n'


def one_day_of_two(step):
    outer = frame("t <= day(c) and day(c) < t + w", 't = "int"')
    windows = '[[map]]\nname = "b"\nuse = "windows"\ntime = "day"\nlength = "7"\n'
    inner = f'[part.granularity]\n[[part.granularity.edit]]\n{WINDOW}step = "{step}"\n'
    return load_spec(f"{DOMAIN}{outer}{windows}{PART}{inner}").problem


@pytest.mark.in_turn
def test_days_change_one_by_one_only_where_others_may_stay():
    """Else what changes on one day brings changes of the next one along: two edits, not one."""
    assert derive(one_day_of_two("true")).verdict == "proved"
    assert derive(one_day_of_two("day(c) == t or new != old")).verdict == "unknown"


@pytest.mark.parametrize(
    ("more", "tight"),
    [('universe = "product"', "unknown"), ("at_least = 2", "unknown"), ("", "yes")],
)
def test_cells_that_cannot_change_are_not_forgotten(more, tight):
    """All cells of a frame have to make the step; of a product those with a flag are there."""
    domain = f'[domain]\nattributes = {{ id = "Record", day = "int", flag = "bool" }}\n{more}\n'
    edit = f'[granularity]\nname = "own"\n[[granularity.edit]]\n{WINDOW}step = "not flag(c)"\n'
    said = pure(domain, edit, own("day(c) == i"), PART, 'setting = "common"\n')
    assert said == ("max over t of sum(eps[i] for t <= i <= t + 1)", tight)
