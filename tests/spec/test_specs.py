"""What specs mean."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from dpcomp_sym.errors import InputError
from dpcomp_sym.model import Edit, Granularity, InnerClass, library_granularity, library_map
from dpcomp_sym.model.library import library_names
from dpcomp_sym.numbers.column import Column
from dpcomp_sym.spec import SpecError, load_spec, starter, write_starter
from dpcomp_sym.spec.schema import schema
from dpcomp_sym.spec.values import BlockFormula, rational, read_column

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples").glob("*.toml"))
TABLE = {
    "ambulances",
    "ambulances-bounded-common",
    "bounded-partition",
    "bounded-partition-common",
    "bounded-partition-unbounded-parts",
    "fixed-size-unbounded",
    "free-lunch-identity",
    "label-dp",
    "ordered-index-partition",
    "partition-and-free-lunch",
    "query-and-partition",
    "unbounded-partition",
    "unbounded-partition-nonexhaustive",
    "user-level-owner-partition",
    "user-level-record-partition",
}
SIMPLE = """
granularity = "unbounded"
[domain]
attributes = { id = "Record", owner = "Person" }
functions = { household = [["Person"], "House"] }
[[part]]
name = "counts"
map = "partition"
"""


def test_the_examples_are_there():
    assert {file.stem for file in EXAMPLES} >= TABLE


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda f: f.stem)
def test_an_example_loads_and_is_commented(file):
    spec = load_spec(file)
    assert spec.problem.parts
    assert spec.title != file.stem
    assert spec.title == spec.problem.title
    assert sum(line.startswith("# ") for line in file.read_text("utf-8").splitlines()) >= 2


@pytest.mark.parametrize(
    # The one that is left out comes with numbers of its own.
    "file", [f for f in EXAMPLES if f.stem in TABLE - {"ambulances-bounded-common"}],
    ids=lambda f: f.stem,
)  # fmt: skip
def test_the_examples_take_numbers(file):
    spec = load_spec(file, ["k=5", "eps=[1,2,3,4,5]"])
    assert spec.sizes["k"] == 5
    assert spec.values["eps"] == [1, 2, 3, 4, 5]


def test_a_label_may_end_like_the_name_of_a_function_of_the_map():
    spec = load_spec(
        """
        granularity = "unbounded"
        [domain]
        attributes = { item = "Item" }
        functions = { batch = [["Item"], "Batch"] }
        [[map]]
        name = "batches"
        use = "partition"
        by = "batch(item(c))"
        [[part]]
        map = "batches"
        """
    )
    assert spec.problem.bound_maps["batches"].functions == {"batches.h": (("Batch",), "int")}


def test_a_built_in_map_may_bring_functions_of_its_own():
    spec = load_spec(
        SIMPLE.replace('"partition"', '"blocks"')
        + """
        [[map]]
        name = "blocks"
        use = "partition"
        by = "room(owner(c))"
        functions = { room = [["Person"], "House"] }
        """
    )
    assert spec.problem.bound_maps["blocks"].functions == {
        "blocks.room": (("Person",), "House"),
        "blocks.h": (("House",), "int"),
    }
    assert [b.text for b in spec.derive().bounds] == [
        b.text for b in load_spec(SIMPLE).derive().bounds
    ]


WARDS = """
[domain]
attributes = {{ person = "Person", ward = "Ward", day = "int" }}
functions = {{ floor = [["Ward"], "Floor"] }}
[granularity]
use = "user"
owner = {owner}
[[map]]
name = "cells"
use = "partition"
by = {by}
[[part]]
map = "cells"
"""


@pytest.mark.parametrize(
    ("by", "sorts"),
    [
        ('["ward", "day"]', ("Ward", "int")),
        ('"ward, day"', ("Ward", "int")),
        ('"ward(c), day(c)"', ("Ward", "int")),
        ('["floor(ward(c))", "max(day(c), 3)", "person"]', ("Floor", "int", "Person")),
        ('["day"]', ("int",)),
    ],
)
def test_blocks_by_several_attributes(by, sorts):
    spec = load_spec(WARDS.format(owner='"person"', by=by))
    assert spec.problem.bound_maps["cells"].functions == {"cells.h": (sorts, "int")}
    assert load_spec(spec.problem.to_toml()).problem == spec.problem
    assert spec.derive().bounds["pure"].text == "sum(eps[i])"


@pytest.mark.parametrize(
    ("owner", "by", "message"),
    [
        ('["person", "day"]', '"day"', "'owner' stands for several values, and one is needed"),
        ('"person"', '["ward", "dya"]', "unknown name 'dya' in 'ward(c), dya': did you mean 'day'"),
        ('"person"', '["ward", 3]', "or a list of these, not ['ward', 3]"),
        ('"person"', "[]", "or a list of these, not []"),
        ('"person"', '["ward", ""]', "or a list of these, not ['ward', '']"),
    ],
)
def test_what_stands_for_several_attributes_and_cannot(owner, by, message):
    with pytest.raises(SpecError) as caught:
        load_spec(WARDS.format(owner=owner, by=by))
    assert message in str(caught.value)


def test_an_own_granularity_has_at_most_ten_lines():
    text = next(f for f in EXAMPLES if f.stem == "own-granularity").read_text("utf-8")
    block = text[text.index("[granularity]") : text.index("[[map]]")].strip()
    assert len(block.splitlines()) <= 10


def test_exact_numbers_of_an_example():
    spec = load_spec(next(f for f in EXAMPLES if f.stem == "ambulances-bounded-common"))
    assert spec.sizes == {"k": 10}
    assert spec.values == {"eps": Fraction(1), "delta": Fraction(1, 100_000)}
    assert spec.problem.parts[0].setting == "common"


def test_built_ins_are_what_python_makes_of_them():
    spec = load_spec("""
[domain]
attributes = { id = "Record", owner = "Person", idx = "int" }
kind = "set"
size = ["size(D) == N", "N <= 9"]
symbols = { N = "true" }
limits = [["idx(c)", 1]]
universe = "infinite"
[granularity]
use = "user"
owner = "owner"
[[map]]
name = "few"
use = "cover"
m = "r"
[[map]]
name = "blocks"
use = "partition"
by = "owner"
exhaustive = false
index = { j = 4 }
[[part]]
name = "one"
map = ["blocks", "few"]
granularity = { use = "bounded", group = 2 }
domain = { kind = "set", limits = [["owner(c)", 2]] }
guarantee = { pure = "1/3", zcdp = 0.1 }
""")
    problem = spec.problem
    assert problem.domain.cap == 1
    assert problem.domain.size == ("size(D) == N", "N <= 9")
    assert problem.granularity == library_granularity("user", owner="owner")
    assert problem.maps[0] == library_map("cover", name="few", m="r")
    blocks = library_map("partial_partition", name="blocks", by="owner", index={"j": 4})
    assert problem.maps[1] == blocks
    assert blocks.member == "h(by(c)) == j"
    part = problem.parts[0]
    assert part.map == ["blocks", "few"]
    assert part.granularity == library_granularity("bounded", group=2)
    assert part.inner == InnerClass(1, (), [("owner(c)", 2)])
    assert part.guarantees == {"pure": (Fraction(1, 3),), "zcdp": (Fraction(1, 10),)}


def test_named_granularities():
    spec = load_spec("""
[domain]
attributes = { id = "Record", day = "int" }
[[granularity]]
name = "same-day"
[[granularity.edit]]
params = { x = "cell", y = "cell" }
guard = "D[x] >= 1 and x != y and day(x) == day(y)"
change = { x = -1, y = 1 }
[[granularity]]
name = "anything"
symbol = 'A'
directed = true
[[granularity.edit]]
frame = true
step = "new >= old"
[[part]]
name = "one"
map = "identity"
[[part]]
name = "two"
map = "identity"
granularity = "anything"
guarantee = { pure = "eps2" }
""")
    assert spec.problem.granularity.name == "same-day"
    anything = Granularity(
        "anything", [Edit(frame=True, step="new >= old")], symbol="A", directed=True
    )
    assert spec.problem.parts[1].granularity == anything


def test_a_fixed_number_of_blocks_in_a_partition():
    text = (
        SIMPLE.replace('map = "partition"', 'map = "p"')
        + """
[[map]]
name = "p"
use = "partition"
index = { i = 4 }
[values]
eps = "1/i"
"""
    )
    assert load_spec(text).values["eps"] == [1, Fraction(1, 2), Fraction(1, 3), Fraction(1, 4)]


def test_own_maps_and_built_in_ones_without_a_table():
    spec = load_spec(
        SIMPLE + 'setting = "common"\n'
        '[[map]]\nname = "days"\nmember = "f(household(owner(c)), i)"\nindex = { i = "k" }\n'
        'functions = { f = [["House", "int"], "bool"] }\nfacts = "true"\nmultiplicity = 2\n'
    )
    assert [m.name for m in spec.problem.maps] == ["days", "partition"]
    assert spec.problem.maps[0].facts == ("true",)
    assert spec.problem.parts[0].setting == "common"


def test_a_part_without_map_reads_the_only_one():
    text = SIMPLE.replace('map = "partition"', "") + '[[map]]\nuse = "cardinality"\n'
    assert load_spec(text).problem.parts[0].map == "cardinality"


def test_a_spec_without_parts_loads():
    assert load_spec('granularity = "bounded"\n[domain]\nattributes = { a = "A" }').title == "spec"


# ------------------------------------------------------------------ numbers


def numbers(*sets, values=""):
    return load_spec(SIMPLE + f"[values]\n{values}\n", sets)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[1, 2, 3]", [1, 2, 3]),
        ("[0.1, 1/3, 1e-5]", [Fraction(1, 10), Fraction(1, 3), Fraction(1, 100_000)]),
        ("1/i", [1, Fraction(1, 2), Fraction(1, 3)]),
        ("2**-i + 0.1*0", [Fraction(1, 2), Fraction(1, 4), Fraction(1, 8)]),
        ("min(2, i) - 1/2", [Fraction(1, 2), Fraction(3, 2), Fraction(3, 2)]),
        ("max(1, i, 5/2)", [Fraction(5, 2), Fraction(5, 2), 3]),
        ("abs(i - 2)/k", [Fraction(1, 3), 0, Fraction(1, 3)]),
        ("-1/(i - 4)", [Fraction(1, 3), Fraction(1, 2), 1]),
        ("abs(-2)*max(1/2, 1/3) + min(2, 3)/i - 0**i", [3, 2, Fraction(5, 3)]),
    ],
)
def test_vectors(text, expected):
    value = numbers("k=3", f"eps={text}").values["eps"]
    assert isinstance(value, Column)
    assert value == expected
    assert numbers("k=3", values=f'eps = "{text}"').values["eps"] == expected


def test_a_formula_may_be_nested_as_deeply_as_it_may_be_long():
    sum_of_many = "+".join(["i"] * 500)
    assert numbers("k=2", f"eps={sum_of_many}").values["eps"] == [500, 1000]


def test_scalars_stand_for_all_blocks():
    for text in ("1/3", " 1 / 3 ", "2/6", "1 - 2/3", "(1/3)"):
        assert numbers(f"eps={text}").values == {"eps": Fraction(1, 3)}
    assert numbers(values="eps = 1e-5").values["eps"] == Fraction(1, 100_000)
    assert numbers(values="eps = 1_000").values["eps"] == 1000


def test_the_number_of_blocks_follows_from_a_list():
    assert numbers("eps=[1, 2]").sizes == {"k": 2}


def test_a_formula_needs_the_number_of_blocks():
    spec = numbers("eps=1/i")
    assert spec.values == {}
    assert spec.notes == ("eps = 1/i gives numbers only when k is known (--set k=…)",)
    assert numbers("eps=1/i", "rho=[1,2]").values["eps"] == [1, Fraction(1, 2)]


def test_a_later_set_counts():
    assert numbers("k=3", "k=4", values="k = 2").sizes == {"k": 4}


def test_files(tmp_path, monkeypatch):
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "eps.csv").write_text("block,eps,other\na,1/2,7\nb,0.25,8\n\n", "utf-8")
    (tmp_path / "here.csv").write_text("3\n4\n", "utf-8")
    file = tmp_path / "specs" / "s.toml"
    file.write_text(SIMPLE + '[values]\neps = "@eps.csv"\nrho = "@eps.csv:other"\n', "utf-8")
    monkeypatch.chdir(tmp_path)
    spec = load_spec(file, ["mu=@here.csv"])
    assert spec.values["eps"] == [Fraction(1, 2), Fraction(1, 4)]
    assert spec.values["rho"] == [7, 8]
    assert spec.values["mu"] == [3, 4]
    assert spec.sizes == {"k": 2}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1;2\n3;4\n", [1, 3]),
        ("a;b\nx;4\ny;5\n", [4, 5]),
        ("\ufeff0.5\n.25\n1.\n", [Fraction(1, 2), Fraction(1, 4), 1]),
        ('"1"\t2\n"3"\t4', [1, 3]),
        ("eps\n1e-3\n1/3\n", [Fraction(1, 1000), Fraction(1, 3)]),
        ("7\r\n8\r\n", [7, 8]),
    ],
)
def test_csv_dialects(text, expected, tmp_path):
    file = tmp_path / "a.csv"
    file.write_text(text, "utf-8", newline="")
    assert read_column(file) == expected


@pytest.mark.parametrize(
    ("text", "column", "piece"),
    [
        ("", None, "has no lines"),
        ("a\n", None, "line 1: there is no number"),
        ("a,b\nx,y\n", None, "line 2: there is no number"),
        ("a\n1\n\nx\n", None, "line 4: 'x' is not a number"),
        ("1,2\n3\n5,6\n", None, "a.csv has"),
        ("a,b\n1,2\n3\n", "b", "line 3: there is no number"),
        ("a,eps\n1,2\n", "esp", "no column 'esp'; did you mean 'eps'?"),
        ("a,b\n", "b", "has no numbers"),
        ("1\n1.2.3\n", None, "line 2: '1.2.3' is not a number"),
    ],
)
def test_bad_files(text, column, piece, tmp_path):
    file = tmp_path / "a.csv"
    file.write_text(text, "utf-8")
    if piece == "a.csv has":  # a short line does not matter where the column is there
        assert read_column(file, column) == [1, 3, 5]
        return
    with pytest.raises(ValueError, match=r"a\.csv") as caught:
        read_column(file, column)
    assert piece in str(caught.value)


def test_a_million_blocks_are_quick():
    column = BlockFormula.read("1/(2*i)").column({"i": range(1, 1_000_001)}, 1_000_000)
    assert column.first_below(0) is None
    assert column.first_above(1) is None
    assert column[999_999] == Fraction(1, 2_000_000)


@pytest.mark.parametrize("text", ["", ".", "e5", "1//2", "1e", "--1", "0x10", "1/-2", "٣", "1/2/3"])
def test_what_is_no_number(text):
    with pytest.raises(ValueError, match="not a finite number"):
        rational(text)


# ------------------------------------------------------------------ the starter, the schema


def test_the_starter_loads(tmp_path):
    for name in ("first", 'with "quotes" and ümläut', "back\\slash"):
        file = write_starter(str(tmp_path / name))
        assert file.name == f"{name}.toml"
        spec = load_spec(file, ["k=3", "eps=[1,2,3]"])
        assert spec.title == name
        assert not list(tmp_path.glob(".*"))


@pytest.mark.in_turn
@pytest.mark.parametrize("name", library_names("granularity"))
def test_starters_with_any_granularity(name):
    spec = load_spec(starter("A", granularity=name, setting="common"))
    assert spec.problem.granularity.name == name
    assert spec.problem.parts[0].setting == "common"
    assert spec.derive().bounds


@pytest.mark.parametrize("name", library_names("map"))
def test_starters_with_any_map(name):
    assert load_spec(starter("A", map=name)).derive().bounds


def test_a_starter_whose_name_is_taken(tmp_path, monkeypatch):
    def taken(*_):
        raise FileExistsError

    def refused(*_):
        raise PermissionError

    with pytest.raises(InputError, match="cannot be the name of a spec: it has no name before"):
        write_starter(str(tmp_path / ".toml"))
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(InputError, match=r"folder\.toml is a folder"):
        write_starter(str(tmp_path / "folder"))
    monkeypatch.setattr("os.link", taken)  # someone else writes it at the same time
    with pytest.raises(InputError, match=r"new\.toml is there already; --force replaces it"):
        write_starter(str(tmp_path / "new"))
    assert [f.name for f in tmp_path.iterdir()] == ["folder.toml"]
    monkeypatch.setattr("os.link", refused)  # a file system without links
    assert load_spec(write_starter(str(tmp_path / "new"))).title == "new"


def test_a_starter_with_an_unknown_built_in():
    with pytest.raises(ValueError, match=r"no built-in granularity 'bonded': .*bounded"):
        starter("A", granularity="bonded")


def test_what_the_starter_suggests_works_too():
    lines = starter("all").splitlines()
    text = "\n".join(lines)
    for commented in ("# functions =", "# symbols =", '# kind = "set"', "# limits ="):
        assert text.count(commented) == 1
        text = text.replace(commented, commented[2:])
    text = text.replace('use = "unbounded"\n# use = "user"\n# owner', 'use = "user"\nowner')
    text = text.replace("# exhaustive", "exhaustive").replace("# granularity", "granularity")
    text = text.replace("# k = 3\n# eps = [1", "k = 3\neps = [1")
    spec = load_spec(text)
    assert spec.values["eps"] == [1, Fraction(1, 2), Fraction(1, 4)]
    assert spec.problem.domain.cap == 1


def test_the_schema_describes_what_it_expects():
    def walk(node):
        if "type" in node or "enum" in node:
            assert node.get("description"), node
        for key in ("properties", "$defs"):
            for inner in node.get(key, {}).values():
                walk(inner)
        for key in ("items", "additionalProperties"):
            if isinstance(node.get(key), dict):
                walk(node[key])
        for inner in node.get("prefixItems", ()):
            walk(inner)

    walk(schema())


BARE = [
    "1.25\n0.50\n", "eps\n1.25\n0.50", "1\n2\n3", "1.5\n2\n", "1e-5\n1.5\n2.5", "\n1.5\n2.5\n\n",
    "1.5\r\n2.5\r\n", ".5\n.7\n", "1.5\n\n2.5\n", "eps\n\n1.5", "1/3\n0.5", "1_0\n20", "+1\n2",
    "0.1\n0.12\n0.123\n5", "0." + "1" * 40 + "\n0.5", "1" * 60 + "\n2", " 1.5\n2.5 \n",
    "\ufeff1.5\n2.5", "eps;x\n1.5;2\n", "1.5,2.5\n3,4", "a,b\n1\n2", "eps\n1e3\n2",
]  # fmt: skip


@pytest.mark.parametrize("text", BARE)
def test_a_column_is_the_same_however_it_is_read(text, tmp_path):
    """Files of decimals are read all at once, others number by number."""
    (tmp_path / "a.csv").write_text(text, "utf-8", newline="")
    rows = [line.strip() for line in text.lstrip("\ufeff").splitlines() if line.strip()]
    cells = [row.replace(";", ",").split(",")[0] for row in rows]
    numbers = [rational(cell) for cell in cells if cell not in {"eps", "a"}]
    assert list(read_column(tmp_path / "a.csv")) == numbers
    if cells[0] == "eps":
        assert list(read_column(tmp_path / "a.csv", "eps")) == numbers


@pytest.mark.parametrize(
    "text", ["1.5\n.\n2.5", "1.5\n1.2.3\n", "1\n.\n", "1.\n.\n2.", "1\n2x", "1.5\n\u0663\n"]
)
def test_what_is_no_number_is_told_with_its_line(text, tmp_path):
    (tmp_path / "a.csv").write_text(text, "utf-8")
    with pytest.raises(InputError, match=r"line [123]: .*(is not a|there is no) number"):
        read_column(tmp_path / "a.csv")


def test_an_open_number_that_is_not_declared():
    text = (
        'granularity = { use = "w_event", time = "day", length = "w" }\n'
        '[domain]\nattributes = { day = "int" }\n[[part]]\nmap = "partition"\n'
    )
    declared = r'is declared, symbols = \{ w = "w >= 1" \} in \[domain\]'
    with pytest.raises(InputError, match=declared):
        load_spec(text)
    load_spec(text.replace("[[part]]", 'symbols = { w = "w >= 1" }\n[[part]]'))


QUADTREE = """
granularity = "unbounded"
[domain]
attributes = { id = "Record", x = "int", y = "int" }
cell = "0 <= x(c) and 0 <= y(c)"
[[map]]
name = "quad"
index = { l = "h", i = "k", j = "k" }
member = "x(c) // 2**(l - 1) == i - 1 and y(c) // 2**(l - 1) == j - 1"
[[part]]
name = "counts"
map = "quad"
"""


@pytest.mark.parametrize(
    ("given", "value"),
    [
        ("[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]", 9),  # below the first node of level 2 are all four
        ("[[[1,1/2],[0.25,3]],[[sqrt(4),0],[0,0]]]", 5),
        ("[[[9]], [[1]], [[1/2]]]", Fraction(21, 2)),
        ("2", 4),
    ],
)
def test_three_indices_have_lists_in_lists_in_lists(spec_file, given, value):
    place = spec_file(QUADTREE)
    sizes = ["h=2", "k=2"] if given == "2" else []
    assert load_spec(place, [*sizes, f"eps={given}"]).derive().bounds["pure"].value == value


def test_lists_in_lists_in_a_spec(spec_file):
    place = spec_file(QUADTREE + "[values]\neps = [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]\n")
    assert load_spec(place).derive().bounds["pure"].value == 9


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("[[1, 2], [3, 4]]", r"as deep as there are indices, here \[\[\[1, 2\], …\], …\]"),
        ("[[[[1]]]]", "as deep as there are indices"),
        ("[[[1, 2], [3, 4]], [[5, 6], 7]]", "as deep as there are indices"),
        ("[[[1, 2], [3]], [[5, 6], [7, 8]]]", "'eps' has 1 number, but k = 2"),
        ("[[[1, 2], [3, 4]]]", "'eps' has 1 list, but h = 2"),
        ("[[[1, 2], [3, 4], [5, 6]], [[1, 2], [3, 4], [5, 6]]]", "'eps' has 3 lists, but k = 2"),
        ("[[[1, 2], [3, x]], [[5, 6], [7, 8]]]", "'x' is not a finite number"),
        ("[[[]]]", "the list is empty"),
        ("[[[1, 2], [3, -4]], [[5, 6], [7, 8]]]", "-4 in block 2, but cannot be negative"),
        ("[1, 2]", r"several indices \(l, i, j\).* or lists in lists: \[\[\[1, 2\], …\], …\]"),
        ("[[[1]], [[2]]", "as deep as there are indices"),
        ("[[[1]]], [[[2]]]", "is not a finite number"),
    ],
)
def test_lists_that_do_not_fit_say_what_would(spec_file, given, said):
    with pytest.raises(InputError, match=said):
        load_spec(spec_file(QUADTREE), ["h=2", "k=2", f"eps={given}"])
