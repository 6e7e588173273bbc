"""Every kind of bad spec gets one message that names the line, the word and what is right."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpcomp_sym.errors import InputError
from dpcomp_sym.spec import SpecError, load_spec, read_spec

BASE = """\
title = "Base"
[domain]
attributes = { id = "Record", owner = "Person", day = "int", kind = ["a", "b"] }
symbols = { N = "N >= 1" }

[granularity]
use = "unbounded"

[[map]]
name = "blocks"
use = "partition"   # ownr in a comment is not the place

[[part]]
name = "counts"
map = "blocks"
guarantee = { pure = "eps", approximate = ["eps", "delta"] }

[values]
k = 3
"""

EDIT = "[[granularity.edit]]\n"

# What is replaced in the base, by what, the line, and pieces of the message.
BAD = [
    # words that nobody knows
    ("[domain]", "[domian]", 2, ["unknown key 'domian'", "did you mean 'domain'?"]),
    ("attributes =", "atributes =", 3, ["domain: unknown key 'atributes'", "'attributes'?"]),
    ('owner = "Person"', 'from = "Person"', 3, ["'from' cannot be the name", "is reserved"]),
    ("[granularity]", "[granularty]", 6, ["'granularty'", "did you mean 'granularity'?"]),
    ('use = "unbounded"', 'use = "unbouded"', 7, ["'unbouded'", "did you mean 'unbounded'?"]),
    ('use = "partition"', 'use = "partitoin"', 11, ["'partitoin'", "did you mean 'partition'?"]),
    ('use = "partition"', 'use = "partition"\nby = "ownr"', 12, ["'ownr'", "mean 'owner'?"]),
    ('use = "partition"', 'use = "partition"\nm = 2', 12, ["'partition' takes no 'm'", "by"]),
    ('map = "blocks"', 'map = "blokcs"', 15, ["unknown map 'blokcs'", "did you mean 'blocks'?"]),
    ('pure = "eps"', 'pur = "eps"', 16, ["part 'counts', guarantee", "'pur'", "'pure'?"]),
    (
        'pure = "eps"',
        'pure = "inf"',
        16,
        ["part 'counts'", "'inf' is not a finite number", "leave"],
    ),
    ('use = "unbounded"', 'use = "user"\nowner = "ownr"', 8, ["'ownr'", "mean 'owner'?"]),
    ('use = "unbounded"', 'use = "user"\nownr = "owner"', 8, ["'user' takes no 'ownr'", "owner"]),
    (
        'use = "unbounded"',
        EDIT + 'params = { x = "cell" }\nguard = "ownr(x) == day(x)"\nchange = { x = 1 }',
        9,
        ["granularity 'own', edit 1", "unknown function 'ownr'", "did you mean 'owner'?"],
    ),
    (
        'use = "unbounded"',
        EDIT + 'params = { x = "cll" }\nchange = { x = 1 }',
        8,
        ["unknown sort 'cll'", "did you mean 'cell'?"],
    ),
    (
        'use = "unbounded"',
        EDIT + 'parms = { x = "cell" }\nchange = { x = 1 }',
        8,
        ["unknown key 'parms'", "did you mean 'params'?"],
    ),
    (
        'use = "unbounded"',
        EDIT + 'params = { x = "cell" }\nchange = { "replace(x, day, 0)" = 1 }',
        9,
        [
            "is not a cell parameter",
            "declare one, say u, with u == replace(x, day, 0) in the guard",
        ],
    ),
    (
        'use = "partition"',
        'member = "D[c] <= 2"',
        11,
        ["counts records", "the map 'truncation'", "dpcomp stability"],
    ),
    ("symbols =", 'size = "size(D) == M"\nsymbols =', 4, ["unknown name 'M'", "N"]),
    ("symbols =", 'limits = [["ownr(c)", 1]]\nsymbols =', 4, ["'ownr'", "did you mean 'owner'?"]),
    (
        "symbols =",
        'distinct = [{ of = "ownr(c)", each = "id(c)", at_most = 1 }]\nsymbols =',
        4,
        ["domain, distinct", "'ownr'", "did you mean 'owner'?"],
    ),
    (
        "symbols =",
        'distinct = [{ of = "id(c)", for = "owner(c)", at_most = 1 }]\nsymbols =',
        4,
        ["distinct 1: unknown key 'for'", "at_most, each, of"],
    ),
    (
        "symbols =",
        'distinct = [{ of = "id(c)" }]\nsymbols =',
        4,
        ["distinct 1: 'at_most' is missing"],
    ),
    (
        "symbols =",
        'distinct = [["id(c)", "owner(c)", 1]]\nsymbols =',
        4,
        ['a table like { of = "team(c)", each = "user(c)", at_most = 3 } is expected'],
    ),
    (
        "symbols =",
        'limits = [["id(c), ownr(c)", 1]]\nsymbols =',
        4,
        ["'ownr'", "did you mean 'owner'?"],
    ),
    (
        "symbols =",
        'limits = [["owner(c), c", 1]]\nsymbols =',
        4,
        ["'c'", "cannot stand in a tuple"],
    ),
    (
        'use = "partition"',
        'use = "filter"\nkeep = "(id(c), owner(c))"',
        9,
        ["'keep(c)' is of sort (Record, Person), but bool is expected here"],
    ),
    (
        "symbols =",
        'facts = ["D[(owner(c), owner(c))] >= 0"]\nsymbols =',
        4,
        ["is not a cell", "those of the attributes"],
    ),
    (
        "symbols =",
        'facts = ["D[replace(c, ownr, owner(c))] >= 0"]\nsymbols =',
        4,
        ["'ownr'", "did you mean 'owner'?"],
    ),
    ("symbols =", 'facts = ["D[c] <= size(E)"]\nsymbols =', 4, ["takes a database", "D"]),
    ("symbols =", 'kind = "sett"\nsymbols =', 4, ["'sett'", "did you mean 'set'?"]),
    ("symbols =", 'universe = "all"\nsymbols =', 4, ["'all'", "any, infinite, product"]),
    ("map =", 'setting = "comon"\nmap =', 15, ["'comon'", "did you mean 'common'?"]),
    ("k = 3", "k = 3\nepss = 1", 20, ["unknown parameter 'epss'", "did you mean 'eps'?"]),
    # something is missing
    ("attributes =", "# attributes =", 2, ["domain: 'attributes' is missing"]),
    ('use = "unbounded"', 'use = "user"', 7, ["'user' needs 'owner'"]),
    ('use = "unbounded"', 'name = "mine"', 6, ["its own edits [[granularity.edit]]"]),
    ('use = "partition"', 'use = "cover"', 11, ["'cover' needs 'm'"]),
    ('use = "partition"', "", 9, ["map 'blocks'", "'member' or 'image'"]),
    ('["eps", "delta"]', '["eps"]', 16, ["approximate", 'two parameters, like ["eps", "delta"]']),
    ('pure = "eps"', 'pure = ""', 16, ["part 'counts'", "eps is missing"]),
    ("k = 3", "k = 3\ndelta = 0.1", 20, ["'delta' is given, but 'eps' is missing"]),
    ("k = 3", "k = 3\neps = []", 20, ["the list is empty"]),
    ("k = 3", 'k = 3\neps = "[1, , 2]"', 20, ["entry 2 of the list is missing"]),
    # numbers out of range
    ('pure = "eps"', "pure = -1", 16, ["eps is -1", "cannot be negative"]),
    ('["eps", "delta"]', '["eps", 2]', 16, ["delta is 2", "cannot be larger than 1"]),
    ("k = 3", "k = 3\neps = -1", 20, ["'eps' is -1", "cannot be negative"]),
    ("k = 3", 'k = 3\neps = [1, "-1/2", 3]', 20, ["'eps' is -1/2 in block 2"]),
    ("k = 3", 'k = 3\neps = "2-i"', 20, ["'eps' is -1 in block 3", "cannot be negative"]),
    ("k = 3", "k = 3\neps = 1\ndelta = 1.5", 21, ["'delta' is 3/2", "cannot be larger than 1"]),
    ("k = 3", 'k = 3\neps = 1\ndelta = "i/2"', 21, ["'delta' is 3/2 in block 3"]),
    ("k = 3", "k = 3\neps = [1, 2]", 20, ["'eps' has 2 numbers, but k = 3"]),
    ("k = 3", "k = 0", 19, ["k = 0 contradicts 'k >= 1'"]),
    ("k = 3", "k = 10000000000000000000", 19, ["'k' is larger than 10^18"]),
    (
        "k = 3",
        'k = 100000000\neps = "1/i"',
        20,
        ["'1/i' for 100000000 blocks is more than 10,000,000 numbers"],
    ),
    ("k = 3", "k = 2.5", 19, ["'k' is a whole number, not 5/2"]),
    ("k = 3", "k = 3\neps = nan", 20, ["'nan' is not a finite number"]),
    ("k = 3", "k = 3\neps = inf", 20, ["'inf' is not a finite number"]),
    ("k = 3", "k = 3\neps = 1e999999999", 20, ["exponent"]),
    ("symbols =", "cap = 0\nsymbols =", 4, ["domain, cap", ">= 1", "not 0"]),
    ('use = "unbounded"', 'use = "bounded"\ngroup = 0', 8, ["group", ">= 1", "not 0"]),
    ('use = "partition"', 'use = "cover"\nm = 0', 12, ["map 'blocks', m", "not 0"]),
    # wrong types
    ('title = "Base"', "title = 3", 1, ["title: a text is expected, not 3"]),
    ('title = "Base"', "title = {}", 1, ["title: a text is expected, not an empty table"]),
    ("k = 3", "k = 3\neps = [1, true]", 20, ["a number, like 2", "is expected, not true"]),
    ('day = "int"', "day = 3", 3, ["attributes, day", "not 3"]),
    ('kind = ["a", "b"]', "kind = []", 3, ["attributes, kind", "not an empty list"]),
    ("symbols =", 'cell = "owner(c)"\nsymbols =', 4, ["of sort Person, but bool is expected"]),
    ("symbols =", 'limits = ["owner(c)", 1]\nsymbols =', 4, ["a pair [term over c, bound]"]),
    ("symbols =", 'functions = { f = "House" }\nsymbols =', 4, ["functions, f", "a pair like"]),
    ('use = "unbounded"', 'use = "user"\nowner = 3', 8, ["'owner'", "not 3"]),
    ('pure = "eps"', "pure = true", 16, ["not true"]),
    ('pure = "eps"', 'pure = "2*eps"', 16, ["neither a parameter's name nor a finite number"]),
    ("k = 3", "k = 3\neps = true", 20, ["values, eps", "not true"]),
    ("k = 3", "k = 3\neps = 2020-01-01", 20, ["values, eps", "not 2020-01-01"]),
    # formulas
    ("symbols =", 'cell = "day(c) = 3"\nsymbols =', 4, ["cannot read 'day(c) = 3'"]),
    ("k = 3", 'k = 3\neps = "1/(i-2)"', 20, ["divides by zero in block 2"]),
    ("k = 3", 'k = 3\neps = "1/j"', 20, ["unknown name 'j'", "i, k"]),
    ("k = 3", "k = 3\neps = \"__import__('os')\"", 20, ["unknown function '__import__'"]),
    ("k = 3", 'k = 3\neps = "i.real"', 20, ["'i.real' is not allowed"]),
    ("k = 3", 'k = 3\neps = "9**9**9**9"', 20, ["too large to write down"]),
    ("k = 3", 'k = 3\neps = "2**(1/i)"', 20, ["exponent that is not an integer"]),
    ("k = 3", 'k = 3\neps = "' + "(" * 900 + '"', 20, ["is neither a number nor a formula"]),
    ("k = 3", 'k = 3\neps = "@none.csv"', 20, ["cannot read none.csv: No such file"]),
    ("k = 3", 'k = 3\neps = "True*i"', 20, ["'True' is not allowed"]),
    ("k = 3", 'k = 3\neps = "min(i)"', 20, ["'min(i)' takes two arguments or more, not 1"]),
    ("k = 3", 'k = 3\neps = "abs(i, 1)"', 20, ["'abs(i, 1)' takes one argument, not 2"]),
    ("k = 3", 'k = 3\neps = "1/0"', 20, ["'1/0' divides by zero"]),
    ("k = 3", 'k = 3\neps = "1/(2-2)"', 20, ["'1/(2-2)' divides by zero"]),
    ("k = 3", 'k = 3\neps = "(i-2)**-1"', 20, ["'(i-2)**-1' divides by zero in block 2"]),
    ("k = 3", 'k = 3\neps = "' + "-" * 987 + 'i"', 20, ["nested too deeply"]),
    ("k = 3", 'k = 3\neps = "' + "i+" * 500 + 'i"', 20, ["1000 characters, this one has 1001"]),
    ("k = 3", 'k = 3\neps = "' + "1" * 1001 + '"', 20, ["1000 characters, this one has 1001"]),
    ("k = 3", 'k = 3\neps = "i, 1"', 20, ["'(i, 1)' is not allowed in the formula"]),
    # things that do not fit together
    ("symbols =", 'kind = "set"\ncap = 2\nsymbols =', 5, ["'kind' and 'cap'"]),
    ('use = "partition"', 'use = "cover"\nm = 2\nexhaustive = false', 13, ["'exhaustive'"]),
    (
        "[values]",
        '[[part]]\nname = "counts"\nmap = "blocks"\n[values]',
        19,
        ["two parts are called 'counts'"],
    ),
    (
        "[values]",
        '[[part]]\nname = "total"\nmap = "identity"\n[values]',
        18,
        ["part 'total'", "'eps' is already the parameter of part 'counts'", "'eps_total'"],
    ),
    (
        "[values]",
        '[[part]]\nname = "total"\nmap = "identity"\nguarantee = { pure = "k" }\n[values]',
        21,
        ["'k' is a parameter and also a symbol"],
    ),
    (
        'use = "partition"',
        'use = "partition"\n[[map]]\nname = "blocks"\nuse = "identity"',
        13,
        ["two maps are called 'blocks': give each a 'name'"],
    ),
    (
        'use = "partition"',
        'use = "partition"\n[[map]]\nmember = "dya(c) == 1"',
        13,
        ["map 'map2': unknown function 'dya'", "did you mean 'day'?"],
    ),
    (
        "[values]",
        '[[part]]\nmap = ["blocks", "identity"]\nguarantee = { pure = "inf" }\n[values]',
        20,
        ["part 'blocks_identity': 'inf' is not a finite number"],
    ),
    # texts and lists of several lines: what stands in them is neither a table nor a key
    (
        'title = "Base"',
        'title = """\nmap = 1\n[[part]]\n"""\nsetting = "comon"',
        5,
        ["setting: 'comon' is not possible here"],
    ),
    ("k = 3", "eps = [\n  1,\n  2,\n]\nk = 3", 19, ["'eps' has 2 numbers, but k = 3"]),
    # no TOML
    ("k = 3", "k = 3\nk = 4", 20, ["'k' appears twice"]),
    ("[values]", "[domain]\n[values]", 18, ["'[domain]' appears twice"]),
    (
        "[values]",
        "[part]\n[values]",
        18,
        ["'[part]' appears twice; where there are several, each begins with [[part]]"],
    ),
    ("k = 3", "k =", 19, ["not TOML", "'k ='"]),
    ("k = 3", 'k = "3', 19, ["not TOML"]),
    ("k = 3", "k = 2020-02-30", 19, ["not TOML"]),
]


@pytest.mark.parametrize(("old", "new", "line", "pieces"), BAD, ids=[b[1][-40:] for b in BAD])
def test_a_bad_spec_is_told(old, new, line, pieces):
    assert BASE.count(old) == 1
    with pytest.raises(SpecError) as caught:
        load_spec(BASE.replace(old, new))
    message = str(caught.value)
    assert message.startswith(f"spec, line {line}: ")
    assert all(piece in message for piece in pieces), message
    assert "\n" not in message
    assert len(message) < 600


@pytest.mark.parametrize(
    ("content", "piece"),
    [
        (b"", "is empty"),
        (b"  \n\n", "is empty"),
        (b"\xff\xfe\x00", "is not UTF-8 text: the byte 0xff at position 0"),
        (b"x" * 10_000_000, "may have 1,000,000 bytes"),
        (b"a = " + b"[" * 200_000, "nested too deeply"),
        (b"a = " + b"{ a = " * 20_000, "nested too deeply"),
        (b"a\x00 = 1", "not TOML"),
        (b"a = " + b"9" * 5000, "not TOML: a number has too many digits"),
        (b"a." * 200 + b"b = 1", "nested too deeply"),
        (b"a = [1,\n\n", "line 1: not TOML: "),
        (b"a = [1,\n# more\n", "line 2: not TOML: "),
        (b"just a sentence", "line 1: not TOML"),
        (b"<html></html>", "line 1: not TOML"),
        (b'{"domain": {}}', "line 1: not TOML"),
        (b"a = 1", "line 1: unknown key 'a'"),
        (b"title = 'x'", "'domain' is missing"),
    ],
)
def test_bad_content_is_told(content, piece, tmp_path):
    with pytest.raises(InputError, match=r"s\.toml") as caught:
        read_spec(content, "s.toml", tmp_path)
    assert piece in str(caught.value)


def test_files_that_cannot_be_read(tmp_path, monkeypatch):
    with pytest.raises(InputError, match="is a folder"):
        load_spec(tmp_path)
    with pytest.raises(InputError, match=r"there is no file .*dpcomp new"):
        load_spec(tmp_path / "none.toml")
    with pytest.raises(InputError, match="cannot read"):
        load_spec("a\0b")
    for name, content, message in (
        ("latin.csv", b"1\n\xff\n", "latin.csv is not a CSV file: .* 0xff in position 2"),
        ("open.csv", b'"1","2"\n"3', "open.csv is not a CSV file: unexpected end of data"),
        ("large.csv", b"1\n" * 60, "large.csv is larger than 100 bytes"),
    ):
        (tmp_path / name).write_bytes(content)
        monkeypatch.setattr("dpcomp_sym.spec.values.MAX_FILE", 100)
        with pytest.raises(InputError, match=message):
            read_spec(BASE.replace("k = 3", f'eps = "@{name}"'), "s.toml", tmp_path)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("k", ["--set needs NAME=VALUE", "'k'"]),
        ("=3", ["--set needs NAME=VALUE"]),
        ("k=", ["--set k", "a number is missing"]),
        ("k=x", ["--set k", "whole number", "'x'"]),
        ("kk=3", ["--set kk", "unknown parameter 'kk'", "did you mean 'k'?"]),
        ("eps=[1,2", ["--set eps", "both brackets"]),
        ("eps=[1,2]", ["--set eps", "2 numbers, but k = 3"]),
        ("eps=-1", ["--set eps", "cannot be negative"]),
        ("eps=1 2", ["--set eps", "neither a number nor a formula"]),
        ("eps=1 is 2", ["--set eps", "'1 is 2' is not allowed"]),
        ("eps=@", ["--set eps", "a file name is expected"]),
        ("eps=@.", ["--set eps", "cannot read"]),
        ("delta=2", ["--set delta", "larger than 1"]),
    ],
)
def test_a_bad_set_is_told(text, pieces):
    with pytest.raises(InputError) as caught:
        load_spec(BASE, [text])
    assert all(piece in str(caught.value) for piece in pieces), str(caught.value)


WHICH = BASE.replace('map = "blocks"', "").replace(
    "[[part]]", '[[map]]\nuse = "identity"\n[[part]]'
)
LISTED = """\
[domain]
databases = ["u", "v", "w"]
[granularity]
neighbours = [["u", "v"], ["v", "w"]]
[[part]]
map = "identity"
"""
MEMBERSHIP = """\
[membership]
databases = { ads = 3, all = 5 }
[[part]]
map = "ads"
"""
INDICES = """\
granularity = "unbounded"
[domain]
attributes = { id = "Record" }
[[map]]
name = "grid"
member = "row(c) == i and column(c) == j"
index = { i = "k", j = "l" }
functions = { row = [["cell"], "int"], column = [["cell"], "int"] }
[[part]]
map = "grid"
[[part]]
map = "identity"
guarantee = { pure = "all" }
[values]
k = 2
"""
FEW = BASE.replace("day = ", "time = ").replace("k = 3", "eps = [1, 2]")
OTHERS = [
    (WHICH, 15, ["part 'counts': 'map' is missing: which map does the part read?"]),
    (LISTED.replace('["v", "w"]]', '["v", "v"]]'), 4, ["'v' cannot be a neighbour of itself"]),
    (LISTED.replace('"w"]\n[gr', '"u"]\n[gr'), 2, ["'u' is used twice"]),
    (LISTED.replace("[gr", "cap = 2\n[gr"), 3, ["unknown key 'cap'; known here: databases, name"]),
    (LISTED.replace("[gra", "[[gra").replace("ity]", 'ity]]\nname = "g"') +
     '[[granularity]]\nname = "g"\nneighbours = [["u", "w"]]', 9,
     ["two granularities are called 'g'"]),
    (LISTED + '[[metric]]\ngranularity = "onw"', 8,
     ["metric 1: unknown granularity 'onw'"]),
    (LISTED + "[[metric]]\nfinite = true", 7,
     ["nothing is claimed; value, at_least, at_most are possible"]),
    (MEMBERSHIP.replace('map = "ads"', ""), 3,
     ["'map' is missing: which databases does the part read? known here: ads, all"]),
    (MEMBERSHIP.replace('"ads"', '"asd"'), 4, ["unknown databases 'asd'; did you mean 'ads'?"]),
    (INDICES.replace("k = 2", 'eps = "1/i"'), 15,
     ["(i, j): give 'eps' as one number for all blocks, or a list of lists"]),
    (INDICES.replace("k = 2", "all = [1, 2]"), 15,
     ["'all' is the parameter of the single mechanism 'identity': one number, not 2"]),
    (INDICES.replace('"l"', "4").replace('i = "k", ', "").replace("row(c) == i and ", "").replace(
        "k = 2", "eps = [1, 2]"), 15, ["'eps' has 2 numbers for 4 blocks"]),
    (FEW.replace('"N >= 1"', '"N >= 1", k = "k >= 3"'), 4, ["k = 2 contradicts 'k >= 3'"]),
]  # fmt: skip


@pytest.mark.parametrize(("spec", "line", "pieces"), OTHERS, ids=[o[2][0][-40:] for o in OTHERS])
def test_other_bad_specs_are_told(spec, line, pieces):
    with pytest.raises(SpecError) as caught:
        load_spec(spec)
    message = str(caught.value)
    assert message.startswith(f"spec, line {line}: ")
    assert all(piece in message for piece in pieces), message


def test_the_specs_that_they_come_from_are_good():
    assert load_spec(LISTED).problem.domain.size == ("size(D) == 1",)
    assert load_spec(MEMBERSHIP).problem.parts[0].map == "ads"
    assert load_spec(INDICES, ["all = 1/k"]).values == {"all": Fraction(1, 2)}
