"""Where blocks change together in too many ways to be listed, the bound says that it is coarser."""

from __future__ import annotations

import itertools
import json
import pathlib

import pytest
from click.testing import CliRunner

from dpcomp_sym.cli import main
from dpcomp_sym.derivation.derive import derive
from dpcomp_sym.spec import load_spec, read_spec
from dpcomp_sym.terms import (
    INT,
    Environment,
    Scope,
    evaluate,
    free_variables,
    parse,
    specialised,
)  # fmt: skip


def spec(flags, use="unbounded", *, maps=True):
    """Return that each of some flags has two blocks, those with it and those without."""
    names = ", ".join(f'a{n} = "bool"' for n in range(flags))
    start = f'setting = "common"\n[domain]\nattributes = {{ id = "Record", {names} }}\n{use}\n'
    if not use.startswith("["):
        start = start.replace(f"\n{use}\n", f'\n[granularity]\nuse = "{use}"\n')
    members = [f"{word}a{n}(c)" for n in range(flags) for word in ("", "not ")]
    if maps:
        return start + "".join(
            f'[[map]]\nname = "m{n}"\nmember = "{member}"\n[[part]]\nname = "p{n}"\nmap = "m{n}"\n'
            f'guarantee = {{ pure = "e{n}" }}\n'
            for n, member in enumerate(members)
        )
    member = " or ".join(f"i == {n} and {m}" for n, m in enumerate(members, 1))
    return (
        f'{start}[[map]]\nname = "m"\nindex = {{ i = {2 * flags} }}\nmember = "{member}"\n'
        '[[part]]\nname = "p"\nmap = "m"\nguarantee = { pure = "eps" }\n'
    )


@pytest.mark.in_turn
@pytest.mark.parametrize("maps", [True, False])
def test_many_sets_are_counted_and_the_bound_says_so(tmp_path, maps):
    file, article = tmp_path / "spec.toml", tmp_path / "article.tex"
    file.write_text(spec(9, maps=maps))
    done = CliRunner().invoke(main, ["derive", str(file), "--latex", str(article)])
    assert done.exit_code == 0
    assert "a coarser bound" in done.output
    assert "a coarser bound" in article.read_text()
    said = json.loads(CliRunner().invoke(main, ["derive", str(file), "--json"]).stdout)
    (bound,) = said["bounds"]
    assert bound["tight"] == "unknown"
    assert bound["tight_note"].startswith("a coarser bound")
    total = " + ".join(f"e{n}" for n in range(18)) if maps else "sum(eps[i])"
    assert bound["text"] == total


@pytest.mark.parametrize("maps", [True, False])
def test_few_sets_are_listed(maps):
    (bound,) = load_spec(spec(3, maps=maps)).derive().bounds
    assert (bound.tight, bound.tight_note) == ("yes", "")
    assert bound.text.count("+") == 8 * 2  # one of two blocks for each flag, in eight ways


def test_blocks_that_all_change_are_not_told_apart():
    user = '[granularity]\nuse = "user"\nowner = "id"'
    (bound,) = load_spec(spec(9, user, maps=False)).derive().bounds
    assert (bound.text, bound.tight) == ("sum(eps[i])", "yes")


def test_a_term_for_one_number_says_the_same():
    scope = Scope(variables={"i": INT, "x": INT, "b": "bool"})
    texts = [
        "i == 1 and x < 3 or i == 2 and x < i + 4 or i >= 3 and not i == x",
        "implies(i == 2, b) and (i != 1 or x == i)",
        "not (i == 1) or b and i*2 - 1 <= 5",
        "(x if i <= 2 else x + 1) == i // 2 + i % 2",
        "i == 7", "not i == 7", "i == 1 or i == 2", "b or i < 4 and b",
        "max(i, 2) == min(x, i) or abs(i) == -x", "-i < x", "i > 1 and b",
    ]  # fmt: skip
    for text in texts:
        term = parse(text, scope)
        for i, x, b in itertools.product((-1, 0, 1, 2, 3, 7), (-1, 0, 2, 6), (False, True)):
            short = specialised(term, (("i", i),))
            assert "i" not in free_variables(short)
            env = Environment({"i": i, "x": x, "b": b})
            assert evaluate(short, env) == evaluate(term, env), (text, i, x, b)


def many_filters(number):
    """Return a spec of so many filters, of which the first two and the last two exclude others."""
    ages = [f"age(c) >= {n}" for n in range(2, number - 2)]
    members = ["age(c) == 0", "age(c) == 1", *ages, "age(c) < 0 - 1", "age(c) < 0 - 2"]
    parts = "".join(
        f'[[map]]\nname = "m{n}"\nmember = "{member}"\n'
        f'[[part]]\nname = "p{n}"\nmap = "m{n}"\nguarantee = {{ pure = "e{n}" }}\n'
        for n, member in enumerate(members)
    )
    domain = '[domain]\nattributes = { id = "R", age = "int" }\n[granularity]\nuse = "bounded"\n'
    return f'setting = "common"\n{domain}{parts}'


def test_which_of_two_records_many_maps_show_is_found_at_once():
    """Of 3 ways a map, 14 maps have millions; a model of all of them has the right one."""
    found = derive(read_spec(many_filters(14), "spec", pathlib.Path()).problem).bounds["pure"]
    assert found.tight == "yes"
    sums = found.text.removeprefix("max(").removesuffix(")").split(", ")
    ages = {f"e{n}" for n in range(2, 12)}
    assert {frozenset(one.split(" + ")) for one in sums} == {
        frozenset({"e0", "e1"}), frozenset({*ages, "e0"}), frozenset({*ages, "e1"}),
        frozenset({*ages, "e12", "e13"}), frozenset({"e0", "e12", "e13"}),
        frozenset({"e1", "e12", "e13"}),
    }  # fmt: skip
