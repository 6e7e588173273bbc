"""Mechanisms with given distances: bounds on every pair, what attains them, and what is refused."""

from __future__ import annotations

import itertools
import random
import re
from fractions import Fraction
from pathlib import Path

import pytest

import dpcomp_sym as dp
from dpcomp_sym import kernel as k
from dpcomp_sym.cli import main
from dpcomp_sym.metric_privacy.finding import MetricFinding
from dpcomp_sym.metric_privacy.setting import GivenDistance, MetricPart, MetricSetting
from dpcomp_sym.metric_privacy.written import lost
from dpcomp_sym.report import latex
from dpcomp_sym.spec import load_any
from tests.command import dpcomp

EXAMPLE = "examples/metric/homes-and-places.toml"
TWO = """
[[distance]]
name = "d"
[[distance]]
name = "e"
of = "f"
blocks = "k"
[[part]]
name = "one"
distance = "d"
guarantee = { pure = "eps" }
[[part]]
name = "two"
distance = "e"
guarantee = { pure = "eta" }
"""


def texts(spec, *sets):
    return {b.notion: b.text for b in load_any(spec, sets).derive().bounds}


def changed(before, after):
    assert TWO.count(before) == 1
    return TWO.replace(before, after)


# ------------------------------------------------------------------ bounds


def test_losses_add_up_between_any_two_databases():
    assert texts(TWO) == {"pure": "eps*d(D, D') + sum(eta[i]*e(f[i](D), f[i](D')) for i <= k)"}


def test_squares_of_distances_and_roots_of_sums():
    spec = re.sub(r"guarantee = .*\n", "", TWO)
    for name, rho, mu in (("one", "rho", "mu"), ("two", "s", "nu")):
        more = f'name = "{name}"\nguarantee = {{ zcdp = "{rho}", gaussian = "{mu}" }}\n'
        spec = spec.replace(f'name = "{name}"\n', more)
    assert texts(spec) == {
        "zcdp": "rho*d(D, D')^2 + sum(s[i]*e(f[i](D), f[i](D'))^2 for i <= k)",
        "gaussian": "sqrt((mu*d(D, D'))^2 + sum((nu[i]*e(f[i](D), f[i](D')))^2 for i <= k))",
    }


def test_numbers_stand_in_the_theorem():
    found = texts(TWO, "eps=1/2", "k=3", "eta=1")
    assert found == {"pure": "1/2*d(D, D') + sum(e(f[i](D), f[i](D')) for i <= 3)"}
    assert texts(TWO + "[values]\neps = 0.5\nk = 3\neta = 1\n") == found
    loaded = dp.load(TWO, eps=0.5, k=3).subs(eta=1).derive()
    assert {b.notion: b.text for b in loaded.bounds} == found


def test_without_a_guarantee_all_notions_that_a_distance_allows():
    one = '[[distance]]\nname = "d"\n[[part]]\nname = "m"\ndistance = "d"\n'
    assert texts(one) == {
        "pure": "eps*d(D, D')",
        "zcdp": "rho*d(D, D')^2",
        "gaussian": "mu*d(D, D')",
    }


def test_a_parameter_of_0_protects_nothing_at_an_infinite_distance():
    assert texts(TWO, "eps=0")["pure"].startswith("0*d(D, D') + ")


def test_only_notions_that_all_mechanisms_have():
    spec = TWO.replace('pure = "eta"', 'pure = "eta", zcdp = "rho"')
    assert set(texts(spec)) == {"pure"}


# ------------------------------------------------------------------ what it means


def pseudometric(rng, count):
    """Distances of a random graph, so that the triangle inequality holds; some may be equal."""
    d = [[0 if i == j else rng.randrange(9) for j in range(count)] for i in range(count)]
    d = [[min(d[i][j], d[j][i]) for j in range(count)] for i in range(count)]
    for m, i, j in itertools.product(range(count), repeat=3):
        d[i][j] = min(d[i][j], d[i][m] + d[m][j])
    return d


def ones(d, goal, x):
    """How often coins that lose as much as they may between 0 and goal show 1, in powers of 2."""
    return Fraction(1, 2) / 2 ** min(d[0][x], d[0][goal])


@pytest.mark.parametrize("seed", range(20))
def test_coins_attain_the_bound_and_keep_their_guarantees(seed):
    """With epsilon = ln 2, everything is a power of 2: losses are compared exactly."""
    rng = random.Random(seed)
    count, parts = rng.randrange(2, 6), rng.randrange(1, 4)
    metrics = [pseudometric(rng, count) for _ in range(parts)]
    goal = rng.randrange(1, count)
    names = [f"d{n}" for n in range(parts)]
    setting = MetricSetting(
        [MetricPart(f"m{n}", GivenDistance(n), {"pure": Fraction(1)}) for n in names]
    )
    text = MetricFinding("", setting, setting.theorems()).bounds["pure"].text
    values = {name: lambda a, b, d=d: d[a][b] for name, d in zip(names, metrics, strict=True)}
    formula = compile(text.replace("D'", "E"), "the bound", "eval")
    stated = {
        (x, y): eval(formula, {**values, "D": x, "E": y})  # noqa: S307 - the bound's own text
        for x, y in itertools.product(range(count), repeat=2)
    }
    for d in metrics:  # each mechanism keeps its guarantee
        for x, y in itertools.product(range(count), repeat=2):
            p, q = ones(d, goal, x), ones(d, goal, y)
            assert p <= q * 2 ** d[x][y]
            assert 1 - p <= (1 - q) * 2 ** d[x][y]
    for (x, y), value in stated.items():  # together they lose no more, and so much at the goal
        laws = [[(ones(d, goal, z), 1 - ones(d, goal, z)) for z in (x, y)] for d in metrics]
        worst = Fraction(1)
        for choice in itertools.product((0, 1), repeat=parts):
            p = q = Fraction(1)
            for (first, second), which in zip(laws, choice, strict=True):
                p, q = p * first[which], q * second[which]
            worst = max(worst, p / q)
        assert worst <= 2**value
        if (x, y) == (0, goal):
            assert worst == 2**value


def test_neighbours_are_a_special_case():
    """The canonical metric of a granularity gives the loss that the kernel maximizes."""
    space, other = (k.DatabaseClass("D", text, ()) for text in ("", "x"))
    given = k.given(k.Private(
        k.NamedMechanism("m", space, ()), "pure",
        k.Neighbouring(k.NamedRelation("G", ""), space, (k.Param("eps"),)), (),
    ))  # fmt: skip
    everywhere = k.everywhere(given).statement.loss
    assert everywhere.metric == k.CanonicalMetric(k.NamedRelation("G", ""), space)
    with pytest.raises(TypeError, match="no given distance"):
        lost("pure", everywhere)
    with pytest.raises(TypeError, match="do not add up"):
        lost("approximate", everywhere)
    assert space != other


# ------------------------------------------------------------------ every face


def test_the_command(tmp_path):
    tex, page = tmp_path / "a.tex", tmp_path / "a.html"
    done = dpcomp("derive", EXAMPLE, "--latex", str(tex), "--html", str(page))
    assert done.returncode == 0
    assert "Homes and places: proved" in done.stdout
    assert "eps*d_home(home(D), home(D'))" in done.stdout
    text = tex.read_text("utf-8")
    assert r"\sum_{i=1}^{k}" in text
    assert "<math" in page.read_text("utf-8")


def test_the_report():
    found = load_any(EXAMPLE).derive()
    text = latex.article(found.document())
    assert r"\section{Tightness}" in text
    assert r"\rho" in text
    assert repr(found).startswith("<Finding 'Homes and places': proved; pure: eps*d_home(")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("derive", EXAMPLE, "--certificate", "no.json"), "--certificate is for derivations"),
        (("derive", EXAMPLE, "--rocq", "no.v"), "--rocq is for derivations about neighbours"),
        (("derive", EXAMPLE, "--curve", "no.svg"), "--curve has nothing to draw"),
        (("derive", EXAMPLE, "--at-delta", "1/10"), "there is nothing to compare"),
        (("check", EXAMPLE), "a spec of given distances, [[distance]], is for derive"),
        (("relate", EXAMPLE), "a spec of given distances, [[distance]], is for derive"),
        (("refute", EXAMPLE, "--claim", "eps"), "what is lost for given distances is known"),
    ],
)  # fmt: skip
def test_what_is_not_for_it(words, said, capsys, tmp_path, monkeypatch):
    where = [str(Path(w).resolve()) if w == EXAMPLE else w for w in words]
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(where)
    assert ended.value.code == 2
    assert said in " ".join(capsys.readouterr().err.split())
    assert list(tmp_path.iterdir()) == []


# ------------------------------------------------------------------ what is refused


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        (changed('name = "e"', 'name = "d"'), "two distances are called 'd'"),
        (changed('name = "two"', 'name = "one"'), "two parts are called 'one'"),
        (changed('distance = "e"', 'distance = "ee"'), "unknown distance 'ee'; did you mean 'e'?"),
        (changed('of = "f"\n', ""), "'blocks' are results of a map: say which, with 'of'"),
        (changed('distance = "e"', 'distance = "d"'), "no part is private for the distance 'e'"),
        (changed('"eta"', '"eps"'), "'eps' is already the parameter of a part with other blocks"),
        (changed('"eta"', '"k"'), "'k' is a parameter and also a symbol"),
        (changed('"eta"', '"d"'), "'d' is a parameter and also a distance"),
        (changed('"eta"', '"-1"'), "-1 is negative"),
        (changed('"eta"', "-1"), "-1 is negative"),
        (changed('"eta"', "inf"), "is not a finite number"),
        (changed('pure = "eta"', 'approximate = "eta"'), "is one of pure, zcdp, gaussian"),
        (changed('blocks = "k"', "blocks = 0"), "an integer >= 1, or a symbol is expected"),
        (changed('blocks = "k"', 'blocks = "2k"'), "'2k' cannot be the name of a symbol"),
        (changed('of = "f"', 'of = "f g"'), "'f g' cannot be the name of a map"),
        (changed('of = "f"', 'on = "f"'), "unknown key 'on'"),
        (TWO + "[values]\nepss = 1\n", "unknown parameter 'epss'; did you mean 'eps'?"),
        (TWO + "[values]\nk = 1.5\n", "k = 3/2: a number of blocks is 1, 2, 3, …"),
        (TWO + '[values]\neta = "[1, 2]"\n', "one number is given, the same for all blocks"),
        ('[[distance]]\nname = "d"\n', "'part' is missing"),
        (TWO + '[[distance]]\nname = "h"\nof = "f"\n', "the map 'f' has other blocks in"),
        (TWO + '[domain]\nattributes = { id = "R" }\n', "unknown key 'distance'"),
    ],
)  # fmt: skip
def test_errors_say_what_would_be_right(spec, said):
    with pytest.raises(dp.InputError) as caught:
        load_any(spec)
    assert said in str(caught.value)


def test_a_wrong_number_on_the_command_line():
    with pytest.raises(dp.InputError, match="--set eps: -1 is negative"):
        load_any(TWO, ["eps=-1"])
