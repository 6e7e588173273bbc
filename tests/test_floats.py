"""Where floats compute: a list, each place with its reason; everything else is exact.

``math.inf`` is not in question: it only stands for infinity, and comparing with it is exact.  Nor
is asking whether something that a user gave is a float.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "dpcomp_sym"
EXACT = {
    "ceil", "comb", "factorial", "floor", "gcd", "inf", "isfinite", "isinf", "isnan", "isqrt",
    "lcm", "perm", "prod",
}  # fmt: skip
"""What of ``math`` is exact, or is about infinity."""
MODULES = {"cmath", "math", "statistics"}
ALLOWED: dict[str, tuple[str, ...]] = {
    "drawn, or laid out on a page": (
        "atlas/text.py",
        "atlas/text.py shown",
        "drawing.py Drawing._size",
        "drawing.py Panel._bars",
        "drawing.py Panel.on",
        "notions/approximate.py",
        "notions/approximate.py _delta.at",
        "notions/gaussian.py",
        "notions/gaussian.py _delta",
        "notions/pure.py",
        "notions/pure.py _delta",
        "notions/zcdp.py",
        "notions/zcdp.py _delta",
        "optimal/compare.py Comparison.drawing",
        "optimal/compare.py Comparison.drawing.heights",
        "report/article.py summary_table",
        "report/choice.py _told",
        "report/choice.py numbers_section",
        "report/decided.py _mechanisms",
        "report/compared.py",
        "report/compared.py _order",
        "report/compared.py _point",
        "report/decided.py _argued",
        "report/decided.py refutation",
        "report/curves.py _log",
        "report/curves.py _numbers",
        "report/curves.py _reach",
        "report/curves.py curves",
        "report/curves.py round_ticks",
        "report/curves.py trade_off",
        "report/drawings.py _strip",
        "report/latex.py",
        "report/latex.py _two_widths",
        "report/latex.py _strip",
        "report/pictures.py _circle",
        "report/notebook.py _of_granularity",
        "report/results.py bounds",
        "report/results.py stability",
        "report/results.py verified",
        "report/results.py witness",
        "report/standalone.py",
        "report/standalone.py _Standalone._block",
        "surface/plotting.py",
        "surface/plotting.py _at",
        "surface/plotting.py _curves.advanced",
        "surface/plotting.py _curves.optimal",
        "surface/plotting.py _height",
        "surface/plotting.py _numbers",
        "surface/plotting.py _right",
        "surface/plotting.py sequential",
        "uncertainty/settings/approximate_chain.py ApproximateChainSetting._panel",
        "uncertainty/settings/chain.py",
        "uncertainty/settings/chain.py ChainSetting._in_numbers",
        "uncertainty/settings/chain.py _lost",
        "uncertainty/settings/composed.py _drawing",
        "uncertainty/settings/model.py _constant",
        "uncertainty/settings/model.py _law",
        "uncertainty/settings/page.py _blocks_of",
        "uncertainty/settings/survey.py",
        "uncertainty/settings/survey.py SurveySetting._panel_of_sizes",
    ),
    "a decimal to read, where what was decided is an exact number": (
        "balls.py Ball.__float__",
        "claims/standalone.py brief",
        "claims/evidence.py _told_of_tables",
        "claims/evidence.py as_data",
        "claims/standalone.py Exp.__float__",
        "claims/standalone.py Exp.brief",
        "derivation/accounting.py side_by_side",
        "membership/hypotheses.py distinguished",
        "numbers/exact.py Exact.__float__",
        "numbers/exact.py Exact.value",
        "numbers/exact.py Root.__float__",
        "numbers/exact.py Root.value",
        "report/text.py rounded_up",
        "uncertainty/settings/guarantee.py StatedGuarantee.as_json",
        "uncertainty/settings/guarantee.py decimal",
    ),
    "rounded outwards from an exact number": (
        "balls.py above",
        "balls.py near",
        "membership/hypotheses.py _down",
        "uncertainty/settings/chain.py ChainSetting._value",
        "uncertainty/settings/guarantee.py upper_log",
    ),
    "seconds": (
        "__main__.py",
        "cli/shared.py limit_options",
        "limits.py",
        "limits.py Interruption.alarm",
        "limits.py Limits.allowed",
        "membership/worst.py",
        "smt/asking.py",
        "smt/solvers.py",
        "stability/calls.py",
    ),
    "which worlds are drawn at random": ("finite/sample.py _tables",),
    "the order in which patterns are tried": (
        "engine/patterns.py _size",
        "engine/patterns.py weight",
    ),
    "which candidates are looked at, more than enough; exact numbers decide among them": (
        "numbers/fronts.py _not_below_pivots",
        "numbers/near.py",
        "numbers/near.py _Near.of",
        "numbers/near.py _growths",
        "uncertainty/laws/accounting.py _rounded_up",
    ),
    "the order in which outcomes are compared; integers decide what is near": (
        "uncertainty/laws/curve.py _by_loss.noted",
    ),
    "which of many valid bounds is computed, rigorously: an order, a share of delta, a grid": (
        "derivation/accounting.py _renyi",
        "derivation/accounting.py _renyi.near",
        "notions/points.py _best",
        "notions/points.py concentrated_delta.near",
        "notions/points.py concentrated_epsilon",
        "notions/points.py concentrated_epsilon.near",
        "optimal/curve.py _merge",
        "uncertainty/laws/composition.py _cheapest",
        "uncertainty/laws/composition.py _log",
    ),
    "another accountant, which computes in floats and is printed as such": (
        "derivation/accounting.py",
        "derivation/accounting.py _largest",
        "derivation/accounting.py loss_distribution_epsilon",
        "stability/opendp.py _map",
    ),
    "numbers that a caller gave as floats, or that have no exact form: "
    "the value is a float, and is not called exact": (
        "numbers/columns.py _scalar",
        "numbers/curves.py gaussian_delta",
        "numbers/curves.py zcdp_epsilon",
        "numbers/evaluator.py Evaluator.largest_total",
        "numbers/exact.py",
        "numbers/exact.py _exp",
        "numbers/exact.py _log_expm1",
        "numbers/exact.py as_float",
        "numbers/exact.py exponential",
        "numbers/exact.py gdp_of_pure",
        "numbers/exact.py gdp_squared",
        "numbers/exact.py growth",
        "numbers/exact.py path_mu_squared",
        "numbers/exact.py path_rho",
        "numbers/exact.py rational_of",
        "numbers/exact.py tanh",
        "numbers/exact.py root",
        "numbers/sums.py total",
    ),
}
"""Each function (or file, for what stands outside of functions), by its reason."""


def places(source: str) -> Iterator[tuple[str, str]]:
    """Yield the functions in which floats compute, with what does."""
    tree = ast.parse(source)
    imported = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module in MODULES
        for alias in node.names
        if alias.name not in EXACT
    }

    def visit(node: ast.AST, where: tuple[str, ...]) -> Iterator[tuple[str, str]]:
        match node:
            case ast.Constant(value=float() | complex()):
                yield ".".join(where), ast.unparse(node)
            case ast.Call(func=ast.Name(id="isinstance")):
                return
            case ast.Call(func=ast.Name(id="float"), args=[ast.Constant(value="inf")]):
                return
            case ast.Call(func=ast.Name(id="float")):
                yield ".".join(where), "float"
            case ast.Call(args=[ast.Name(id="float"), *_]) | ast.IfExp(body=ast.Name(id="float")):
                yield ".".join(where), "float"
            case ast.Name(id=name, ctx=ast.Load()) if name in imported:
                yield ".".join(where), name
            case ast.Attribute(value=ast.Name(id=module), attr=name) if (
                module in MODULES and name not in EXACT
            ):
                yield ".".join(where), f"{module}.{name}"
            case _:
                pass
        inside = where
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            inside = (*where, node.name)
        for child in ast.iter_child_nodes(node):
            yield from visit(child, inside)

    yield from visit(tree, ())


def found() -> set[str]:
    return {
        f"{path.relative_to(PACKAGE).as_posix()} {function}".strip()
        for path in sorted(PACKAGE.rglob("*.py"))
        for function, _ in places(path.read_text(encoding="utf-8"))
    }


def test_floats_compute_only_where_there_is_a_reason():
    assert found() == {place for those in ALLOWED.values() for place in those}


@pytest.mark.parametrize(
    "source",
    [
        "def f(x):\n    return 0.5 * x",
        "def f(x):\n    return float(x)",
        "def f(x):\n    return list(map(float, x))",
        "import math\ndef f(x):\n    return math.sqrt(x)",
        "from math import log as f_\ndef f(x):\n    return f_(x)",
        "def f(x):\n    return 2j",
        "def f(x, y=1e-9):\n    return abs(x) < y",
    ],
)
def test_floats_are_found(source):
    assert {function for function, _ in places(source)} == {"f"}


@pytest.mark.parametrize(
    "source",
    [
        "import math\ndef f(x: float):\n    return math.inf if isinstance(x, float) else x",
        "from math import inf, isqrt\ndef f(x):\n    return isqrt(x) < inf",
        'def f(x):\n    return float("inf")',
    ],
)
def test_infinity_and_types_are_no_floats_that_compute(source):
    assert not list(places(source))
