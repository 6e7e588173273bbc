"""Imports point down only, and solvers stay in their places.

The table is the architecture: `ROWS` from the bottom to the top, and five short lists of
exceptions.  A new module must be put into it.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

PACKAGE = "dpcomp_sym"
ROOT = Path(__file__).resolve().parent.parent

# A component is a module or subpackage directly below the package.  It may import itself and
# what stands in a lower row; components of one row know nothing of each other.  The public
# interface (the package's __init__) is called "api" here.
ROWS: tuple[frozenset[str], ...] = tuple(
    frozenset(row.split())
    for row in (
        "balls errors faults files kept limits printable profile",
        "drawing statements",
        "notions",
        "algebra",
        "terms kernel numbers replay",
        "model optimal",
        "finite hypothesis",
        "smt",
        "engine membership",
        "metrics",
        "report rocq",
        "derivation",
        "certificates metric_privacy uncertainty",
        "spec",
        "atlas",
        "claims stability",
        "notebook",
        "surface",
        "api",
        "cli",
        "__main__",
    )
)
# What the second checker of certificates may use: nothing of the kernel or of the derivation.
CHECKING = frozenset(
    {
        "errors", "printable", "limits", "profile", "replay", "terms", "model", "finite", "smt",
        "engine",
        *(f"certificates.{name}" for name in (
            "conditions", "examples", "facts", "integers", "meaning", "means", "wording")),
    }
)  # fmt: skip
# Components, and single modules of them, that may import less than their row allows.
ONLY: dict[str, frozenset[str]] = {
    "balls": frozenset(),
    "errors": frozenset(),
    "files": frozenset(),
    "profile": frozenset(),
    "printable": frozenset(),
    "limits": frozenset(),
    "statements": frozenset(),
    "notions": frozenset({"balls", "statements"}),
    "algebra": frozenset({"notions", "statements"}),
    "kernel": frozenset({"algebra", "statements"}),
    "derivation.order": frozenset({"algebra", "kernel", "statements"}),
    "derivation.maximal": frozenset({"algebra", "kernel", "derivation.order"}),
    "derivation.shorten": frozenset({"algebra", "statements", "kernel", "derivation.order"}),
    "numbers": frozenset(
        {"balls", "errors", "limits", "profile", "notions", "algebra", "statements"}
    ),
    "optimal": frozenset({"balls", "errors", "profile", "drawing", "notions", "numbers"}),
    "replay": frozenset(),
    **{
        f"certificates.{name}": CHECKING
        for name in ("conditions", "examples", "facts", "integers", "meaning", "means", "recheck")
    },
}
# Components that use nothing but Python's standard library.
STANDARD_LIBRARY_ONLY = frozenset(
    {
        "errors",
        "files",
        "limits",
        "printable",
        "profile",
        "statements",
        "notions",
        "algebra",
        "terms",
        "kernel",
        "replay",
    }
)
# Single modules of these that use more: SymPy, and mpmath, in which SymPy computes.
BESIDES: dict[str, frozenset[str]] = {
    f"{PACKAGE}.{name}": frozenset({"sympy", "mpmath"})
    for name in ("statements.symbolic", "statements.blocks_sympy", "terms.symbolic")
}
# Packages that only some components may import.
HOMES: dict[str, frozenset[str]] = {
    "z3": frozenset({"smt"}),
    "cvc5": frozenset({"smt"}),
    "click": frozenset({"cli"}),
    "matplotlib": frozenset({"drawing"}),
    "theorems": frozenset({"api", "cli"}),
    "flint": frozenset({"balls", "numbers", "optimal"}),
    "ortools": frozenset({"membership"}),
    "dp_accounting": frozenset({"derivation"}),
}
# Packages that are only imported inside functions, because they are slow to start.
INSIDE_FUNCTIONS = frozenset({"flint", "matplotlib", "sympy"})
# Modules that have such a package at their top: they are themselves imported inside functions only,
# since starting loads none of these packages.
LATE = {
    f"{PACKAGE}.claims.from_sympy": "sympy",
    f"{PACKAGE}.statements.blocks_sympy": "sympy",
    f"{PACKAGE}.terms.symbolic": "sympy",
}
# What must not be loaded by importing one of the entry points.
ENTRY_POINTS = (PACKAGE, f"{PACKAGE}.cli")
NOT_AT_START = ("cvc5", "flint", "joblib", "networkx", "sympy", "theorems", "z3")
# What must not be loaded by a derivation whose parameters are left open, and which is printed.
NOT_FOR_A_DERIVATION = (
    "cvc5", "flint", "joblib", "latex2mathml", "matplotlib", "networkx", "sympy", "theorems",
    *(
        f"{PACKAGE}.{name}" for name in (
            "atlas", "certificates", "claims", "derivation.accounting", "membership", "metrics",
            "metric_privacy", "optimal", "replay", "report.document", "stability", "uncertainty",
        )
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Import:
    """One imported module, by its full name, and where it is imported."""

    target: str
    line: int
    in_function: bool


def components() -> frozenset[str]:
    """Everything that has a row."""
    return frozenset().union(*ROWS)


def row_of(component: str) -> int:
    """The number of the component's row, from the bottom."""
    return next(number for number, row in enumerate(ROWS) if component in row)


def component_of(module: str) -> str:
    """The component to which a module of the package belongs."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "api"


def imports(source: str, module: str, *, is_package: bool) -> list[Import]:
    """All imports of a module, those inside functions and for type checkers included."""
    found: list[Import] = []

    def visit(node: ast.AST, *, in_function: bool, for_types: bool) -> None:
        late = in_function or for_types
        if isinstance(node, ast.Import):
            found.extend(Import(alias.name, node.lineno, late) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                up = node.level - (1 if is_package else 0)
                parents = module.split(".")
                parents = parents[: len(parents) - up]
                base = ".".join([*parents, base] if base else parents)
            for alias in node.names:
                below = base == PACKAGE and alias.name in components()
                target = f"{base}.{alias.name}" if below else base
                found.append(Import(target, node.lineno, late))
        is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            for child in node.body:
                visit(child, in_function=in_function, for_types=True)
            for child in node.orelse:
                visit(child, in_function=in_function, for_types=for_types)
            return
        for child in ast.iter_child_nodes(node):
            visit(child, in_function=in_function or is_function, for_types=for_types)

    visit(ast.parse(source), in_function=False, for_types=False)
    return found


def complaint(module: str, one: Import) -> str | None:
    """Why this module must not have this import, or None."""
    importer, top = component_of(module), one.target.split(".")[0]
    if top == PACKAGE:
        imported, inside = component_of(one.target), one.target.removeprefix(f"{PACKAGE}.")
        place = module.removeprefix(f"{PACKAGE}.")
        if place != importer and not ONLY.get(place, {imported}) & {imported, inside}:
            return f"{place} may not import {inside}"
        if imported == importer:
            return None
        if imported not in components():
            return f"{imported} has no row in the table of layers"
        if importer in ONLY and imported not in ONLY[importer]:
            return f"{importer} may not import {imported}"
        if row_of(imported) >= row_of(importer):
            return f"{importer} imports {imported}, which is not below it"
        return None
    if top in HOMES and importer not in HOMES[top]:
        return f"{top} may only be imported in {', '.join(sorted(HOMES[top]))}"
    known = sys.stdlib_module_names | BESIDES.get(module, frozenset())
    if importer in STANDARD_LIBRARY_ONLY and top not in known:
        return f"{importer} imports {top}, which is not in the standard library"
    if top in INSIDE_FUNCTIONS and not one.in_function and LATE.get(module) != top:
        return f"{top} may only be imported inside a function"
    return None


def complaints(source: str, module: str, *, is_package: bool = False) -> list[str]:
    """Everything wrong with the imports of one module."""
    importer = component_of(module)
    if importer not in components():
        return [f"{importer} has no row in the table of layers"]
    return [
        f"{module}, line {one.line}: {why}"
        for one in imports(source, module, is_package=is_package)
        if (why := complaint(module, one)) is not None
    ]


def sentence_of(component: str) -> str:
    """The first sentence of a component's docstring."""
    place = ROOT / PACKAGE / component
    file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return text.splitlines()[0].replace("``", "`").removesuffix(".")


def listing() -> str:
    """The components from the top to the bottom, as CONTRIBUTING.md has them."""
    parts = [part for row in reversed(ROWS) for part in sorted(row - {"api", "__main__"})]
    rows = [f"| `{part}` | {sentence_of(part)} |" for part in parts]
    return "\n".join((f"| part of `{PACKAGE}` | what it does |", "| --- | --- |", *rows))


BEGIN, END = "<!-- parts -->\n", "<!-- end of parts -->"


def with_listing(text: str) -> str:
    """CONTRIBUTING.md with the list between its marks made anew."""
    before, _, rest = text.partition(BEGIN)
    after = rest[rest.index(END) :]
    return f"{before}{BEGIN}{listing()}\n{after}"


def module_name(path: Path) -> str:
    """The name under which a file of the package is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def files_imported(path: Path, known: set[str]) -> list[str]:
    """The modules among those known whose files a file imports."""
    module, found = module_name(path), []
    tree = ast.parse(path.read_text(encoding="utf-8"))
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            up = package.rsplit(".", node.level - 1)[0] if node.level else ""
            base = ".".join(filter(None, (up, node.module)))
            inside = [f"{base}.{alias.name}" for alias in node.names]
            # Where all names are files, the package itself is only where they lie.
            found += inside if all(name in known for name in inside) else [base, *inside]
    return [name for name in found if name in known and name != module]


def circle(arrows: dict[str, set[str]]) -> list[str] | None:
    """A way along the arrows that comes back to where it began, or None if there is none."""
    finished: set[str] = set()
    way: list[str] = []

    def walk(at: str) -> list[str] | None:
        if at in way:
            return [*way[way.index(at) :], at]
        if at in finished:
            return None
        way.append(at)
        for after in sorted(arrows[at] - {at}):
            if (found := walk(after)) is not None:
                return found
        finished.add(way.pop())
        return None

    return next((found for module in sorted(arrows) if (found := walk(module))), None)


FILES = sorted((ROOT / PACKAGE).rglob("*.py"))


def test_the_package_is_found() -> None:
    assert ROOT / PACKAGE / "__init__.py" in FILES


@pytest.mark.parametrize("path", FILES, ids=module_name)
def test_imports_point_down(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    is_package = path.name == "__init__.py"
    assert complaints(source, module_name(path), is_package=is_package) == []


def test_contributing_lists_the_components() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert text == with_listing(text)
    assert listing() in text


def test_no_files_import_each_other_in_a_circle() -> None:
    """Imports inside functions count, and those for type checkers."""
    folders = (ROOT / PACKAGE, ROOT / "theorems")
    paths = {module_name(path): path for folder in folders for path in folder.rglob("*.py")}
    arrows = {module: set(files_imported(path, set(paths))) for module, path in paths.items()}
    assert circle(arrows) is None


@pytest.mark.parametrize(
    ("arrows", "found"),
    [
        ({"a": {"b"}, "b": {"c"}, "c": set()}, None),
        ({"a": {"b"}, "b": {"c"}, "c": {"b"}}, ["b", "c", "b"]),
        ({"a": {"a"}}, None),
    ],
)
def test_what_a_circle_is(arrows: dict[str, set[str]], found: list[str] | None) -> None:
    assert circle(arrows) == found


@pytest.mark.parametrize("entry", ENTRY_POINTS)
def test_starting_loads_no_solver(entry: str) -> None:
    script = f"import sys, {entry}; print(*sorted(set({NOT_AT_START!r}) & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, [], "")


def test_a_derivation_loads_only_what_it_needs() -> None:
    script = (
        f"import atexit, sys; from {PACKAGE}.__main__ import run\n"
        f"unneeded = {NOT_FOR_A_DERIVATION!r}\n"
        "sys.argv = ['dpcomp', 'derive', 'examples/ambulances.toml', '--json']\n"
        "atexit.register(lambda: print(*set(unneeded) & set(sys.modules), file=sys.stderr))\n"
        "run()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr.split()) == (0, [])


def test_every_component_stands_in_one_row() -> None:
    named = [component for row in ROWS for component in row]
    assert len(named) == len(set(named))
    limited = {place.partition(".")[0] for place in ONLY}
    assert limited | STANDARD_LIBRARY_ONLY | set().union(*HOMES.values()) <= set(named)
    for place, allowed in ONLY.items():
        component = place.partition(".")[0]
        others = {lower.partition(".")[0] for lower in allowed} - {component}
        assert all(row_of(lower) < row_of(component) for lower in others)


def test_the_modules_that_may_import_less_exist() -> None:
    assert {f"{PACKAGE}.{place}" for place in ONLY if "." in place} <= set(map(module_name, FILES))


# The checker itself: what it must find, and what it must let pass.
@pytest.mark.parametrize(
    ("module", "source", "found"),
    [
        ("terms.ast", "from dpcomp_sym.model import Domain", "terms imports model, which is not"),
        ("terms.ast", "import dpcomp_sym.model.domain", "terms imports model, which is not"),
        ("terms.ast", "from dpcomp_sym import model", "terms imports model, which is not"),
        ("terms.ast", "from .. import model", "terms imports model, which is not"),
        ("terms.ast", "from ..model import Domain", "terms imports model, which is not"),
        ("terms.ast", "def f():\n    import dpcomp_sym.spec", "terms imports spec, which is not"),
        ("terms", "if TYPE_CHECKING:\n    import dpcomp_sym.cli", "terms imports cli, which is"),
        ("terms.a", "import dpcomp_sym.kernel", "terms imports kernel, which is not"),
        ("engine.a", "from dpcomp_sym import verdict_of", "engine imports api, which is not"),
        ("engine.a", "import dpcomp_sym.gadgets", "gadgets has no row"),
        ("gadgets", "", "gadgets has no row"),
        ("kernel.a", "import dpcomp_sym.terms", "kernel may not import terms"),
        ("kernel.a", "import networkx", "kernel imports networkx, which is not in the standard"),
        ("numbers.a", "from dpcomp_sym.model import Domain", "numbers may not import model"),
        ("numbers.a", "import dpcomp_sym.kernel", "numbers may not import kernel"),
        ("derivation.shorten", "import dpcomp_sym.numbers", "shorten may not import numbers"),
        ("derivation.shorten", "import dpcomp_sym.derivation.proof", "not import derivation.proof"),
        ("derivation.shorten", "from dpcomp_sym.derivation.order import at_most", None),
        ("statements.a", "def f():\n    import sympy", "sympy, which is not in the standard"),
        ("statements.symbolic", "import sympy", "sympy may only be imported inside a function"),
        ("statements.blocks_sympy", "import sympy", None),
        ("statements.blocks_sympy", "import networkx", "networkx, which is not in the standard"),
        ("statements.symbolic", "def f():\n    import z3", "z3 may only be imported in smt"),
        ("engine.a", "import z3", "z3 may only be imported in smt"),
        ("engine.a", "def f():\n    from z3 import sat", "z3 may only be imported in smt"),
        ("derivation.a", "import theorems", "theorems may only be imported in api, cli"),
        ("numbers.a", "import sympy", "sympy may only be imported inside a function"),
        ("numbers.a", "class A:\n    import sympy", "sympy may only be imported inside a"),
        ("numbers.a", "try:\n    import sympy\nexcept ImportError: pass", "sympy may only be"),
        ("model.a", "from dpcomp_sym.terms import parse", None),
        ("model.a", "from ..terms import parse\nfrom . import domain\nimport tomllib", None),
        ("smt.a", "import z3", None),
        ("finite.a", "import networkx", None),
        ("numbers.a", "def f():\n    import sympy", None),
        ("numbers.a", "from dpcomp_sym.statements.plain import PLAIN", None),
        ("statements.symbolic", "def f():\n    import sympy", None),
        ("numbers.a", "if typing.TYPE_CHECKING:\n    import sympy", None),
        ("cli", "import click\nfrom dpcomp_sym import derive\ndef f():\n    import theorems", None),
    ],
)
def test_the_checker(module: str, source: str, found: str | None) -> None:
    result = complaints(source, f"{PACKAGE}.{module}")
    if found is None:
        assert result == []
    else:
        assert len(result) == 1
        assert found in result[0]


def test_the_checker_reads_relative_imports_of_a_package() -> None:
    source = "from . import ast\nfrom .parser import parse\nfrom ..model import Domain"
    found = complaints(source, f"{PACKAGE}.terms", is_package=True)
    assert found == ["dpcomp_sym.terms, line 3: terms imports model, which is not below it"]


if __name__ == "__main__":
    GUIDE = ROOT / "CONTRIBUTING.md"
    GUIDE.write_text(with_listing(GUIDE.read_text(encoding="utf-8")), encoding="utf-8")
