"""Break the kernel in small ways, one at a time, and see whether its tests notice.

``python tests/kernel/mutants.py [FILE …]`` makes one mutant for each place where a comparison,
a check, a constant or an operation can be changed, runs on each the fast tests of the kernel that
call the changed function, in a process of its own on a temporary copy, and prints the mutants that
survive.  The exit status is then 1.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import dataclasses
import importlib.abc
import importlib.machinery
import json
import os
import shutil
import signal
import sys
import tempfile
import time
import types
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
KERNEL = "dpcomp_sym/kernel"
FILES = ("terms.py", "theorem.py", "rules.py", "bounds.py", "facts.py")
TESTS = tuple(f"tests/kernel/test_{name}.py" for name in ("facts", "bounds", "rules", "theorems"))
TIMEOUT = 60
OPTIONS = [
    "-x", "-q", "--assert=plain", "-o", "addopts=--import-mode=importlib", "-p", "no:cacheprovider",
    "-p", "no:hypothesispytest", "-p", "no:xdist",
]  # fmt: skip

# What a comparison, a function and an operator become.
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE,
    ast.GtE: ast.Gt, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
NAMES = {
    "min": "max", "max": "min", "any": "all", "all": "any", "ONE": "ZERO", "ZERO": "ONE",
    "Sum": "Product", "Product": "Sum", "True": "False",
}  # fmt: skip
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.BitOr: ast.BitAnd, ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult,
}  # fmt: skip

# Mutants that behave like the original: file, line and change, with the reason.
EQUIVALENT = {
    ("facts.py", "if not isinstance(n, int) or n < kind.count:",
     "not isinstance(n, int) or n < kind.count  ->  n < kind.count"):
        "where there are patterns, all numbers of blocks are integers: a second safeguard",
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """A file in which one node of the syntax tree is to be replaced."""

    file: str
    tree: ast.Module
    target: ast.AST
    changed: ast.AST
    change: str

    def code(self) -> types.CodeType:
        """Replace the node, for good, and return the compiled file."""
        tree = _Replace(self.target, self.changed).visit(self.tree)
        return compile(ast.fix_missing_locations(tree), self.file, "exec")

    def function(self) -> str:
        """Return where the innermost function around the node starts (line 0: there is none)."""
        starts = [
            min([f.lineno, *(d.lineno for d in f.decorator_list)])
            for f in ast.walk(self.tree)
            if isinstance(f, ast.FunctionDef)
            and any(self.target is node for one in f.body for node in ast.walk(one))
        ]
        return f"{self.file}:{max(starts, default=0)}"

    @property
    def line(self) -> int:
        """The number of the line."""
        return int(getattr(self.target, "lineno", 0))

    def is_equivalent(self) -> bool:
        """Whether the mutant is known to behave like the original."""
        text = (ROOT / KERNEL / self.file).read_text().splitlines()[self.line - 1]
        return (self.file, text.strip(), self.change) in EQUIVALENT

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.change}"


def variants(node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Return what can stand in the place of a node, with a description."""
    match node:
        case ast.If(body=[ast.Raise()], orelse=[]):
            yield ast.Pass(), f"without: if {ast.unparse(node.test)}: raise"
        case ast.Compare(ops=ops, left=left, comparators=rights):
            for n, op in enumerate(ops):
                others = [*ops[:n], COMPARISONS[type(op)](), *ops[n + 1 :]]
                changed = ast.Compare(left, others, rights)
                yield changed, f"{ast.unparse(node)}  ->  {ast.unparse(changed)}"
        case ast.BoolOp(op=op, values=values):
            for n in range(len(values)):
                left = values[:n] + values[n + 1 :]
                changed = ast.BoolOp(op, left) if len(left) > 1 else left[0]
                yield changed, f"{ast.unparse(node)}  ->  {ast.unparse(changed)}"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand, f"{ast.unparse(node)}  ->  {ast.unparse(operand)}"
        case ast.Name(id=name, ctx=ast.Load()) if name in NAMES:
            yield ast.Name(NAMES[name], ast.Load()), f"{name}  ->  {NAMES[name]}"
        case ast.Constant(value=bool() as value):
            yield ast.Constant(not value), f"{value}  ->  {not value}"
        case ast.Constant(value=int() as value):
            yield ast.Constant(value + 1), f"{value}  ->  {value + 1}"
        case ast.BinOp(op=op, left=left, right=right) if type(op) in OPERATORS:
            changed_op = ast.BinOp(left, OPERATORS[type(op)](), right)
            yield changed_op, f"{ast.unparse(node)}  ->  {ast.unparse(changed_op)}"
        case ast.AugAssign(op=ast.BitOr(), target=target, value=value):
            yield ast.Assign([target], value), f"{ast.unparse(node)}  ->  without the union"
        case ast.Continue():
            yield ast.Pass(), "without: continue"


def mutants(file: str) -> Iterator[Mutant]:
    """Return all mutants of a file; annotations, and what is there for checkers, are left alone."""
    tree = ast.parse((ROOT / KERNEL / file).read_text())
    types_only: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.returns:
            types_only |= set(ast.walk(node.returns))
        elif isinstance(node, ast.arg | ast.AnnAssign) and node.annotation:
            types_only |= set(ast.walk(node.annotation))
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript):
            types_only |= set(ast.walk(node.value))
        elif isinstance(node, ast.keyword) and node.arg in {"strict", "frozen_default"}:
            types_only |= set(ast.walk(node))
    for node in ast.walk(tree):
        if node not in types_only:
            for changed, change in variants(node):
                yield Mutant(file, tree, node, changed, change)


class _Replace(ast.NodeTransformer):
    def __init__(self, target: ast.AST, changed: ast.AST) -> None:
        self.target, self.changed = target, changed

    def visit(self, node: ast.AST) -> ast.AST:
        """Put the changed node in the place of the target."""
        return self.changed if node is self.target else self.generic_visit(node)


def copy_to(place: Path) -> None:
    """Copy all that the tests need."""
    skip = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / KERNEL, place / KERNEL, ignore=skip)
    shutil.copytree(ROOT / "tests/kernel", place / "tests/kernel", ignore=skip)
    (place / "dpcomp_sym/__init__.py").touch()
    shutil.copy(ROOT / "pyproject.toml", place)
    compileall.compile_dir(place, quiet=2)


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads the changed file in the place of the original."""

    def __init__(self, mutant: Mutant) -> None:
        self.name = f"{KERNEL.replace('/', '.')}.{mutant.file.removesuffix('.py')}"
        self.code = mutant.code()

    def find_spec(self, name: str, *_: object) -> importlib.machinery.ModuleSpec | None:
        """Return the specification of the changed module, and of no other."""
        return importlib.machinery.ModuleSpec(name, self) if name == self.name else None

    def exec_module(self, module: types.ModuleType) -> None:
        """Run the changed source."""
        exec(self.code, module.__dict__)  # noqa: S102 - this is what a loader does


class _Calls:
    """Notes which functions of the kernel each test calls."""

    def __init__(self) -> None:
        self.now: set[str] = set()
        self.always = self.now
        self.by_test: dict[str, set[str]] = {}

    def __call__(self, frame: types.FrameType, event: str, _: object) -> None:
        if event == "call":
            code = frame.f_code
            self.now.add(f"{Path(code.co_filename).name}:{code.co_firstlineno}")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Note the calls of one test apart from the others."""
        self.now = self.by_test.setdefault(item.nodeid, set())
        result = yield
        self.now = self.always
        return result


Tests = dict[str, list[str]]


def tests_by_function() -> Tests:
    """Run the tests once; return which of them call which function of the kernel.

    A function that is called when the tests are collected is in all of them.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        be_quiet()
        signal.alarm(10 * TIMEOUT)  # noting every call takes its time
        calls = _Calls()
        sys.setprofile(calls)
        passed = pytest.main([*OPTIONS, *TESTS], plugins=[calls]) == 0
        sys.setprofile(None)
        found: Tests = {}
        for test, called in calls.by_test.items():
            for function in called | calls.always:
                found.setdefault(function, []).append(test)
        with os.fdopen(writing, "w") as stream:
            json.dump(found if passed else {}, stream)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as stream:
        result: Tests = json.load(stream)
    os.waitpid(child, 0)
    return result


def be_quiet() -> None:
    """Prepare a child: no output, no bytecode, imports from the copy, an end in any case."""
    signal.alarm(TIMEOUT)
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(Path.cwd()))


def run_tests(mutant: Mutant, tests: Tests) -> None:
    """Run the tests that a mutant can change, and leave with their exit status."""
    be_quiet()
    sys.meta_path.insert(0, _Finder(mutant))
    chosen = tests.get(mutant.function(), TESTS)
    try:
        from tests.kernel.rejects import unrefused

        status = 1 if unrefused() else int(pytest.main([*OPTIONS, *chosen]))
    except BaseException:  # noqa: BLE001 - a mutant may fail in any way
        status = 1
    os._exit(status)


def results(found: list[Mutant], tests: Tests, jobs: int) -> Iterator[tuple[Mutant, bool]]:
    """Run the tests on each mutant in a process of its own; return whether they pass."""
    running: dict[int, Mutant] = {}
    waiting = list(reversed(found))
    while waiting or running:
        while waiting and len(running) < jobs:
            mutant = waiting.pop()
            child = os.fork()
            if child == 0:
                run_tests(mutant, tests)
            running[child] = mutant
        child, status = os.wait()
        yield running.pop(child), status == 0


def main() -> int:
    """Run all mutants; return the exit status."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("files", nargs="*", default=FILES)
    options.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    chosen = options.parse_args()
    start = time.monotonic()
    found = [m for file in chosen.files for m in mutants(file)]
    survivors = []
    with tempfile.TemporaryDirectory() as folder:
        copy_to(Path(folder))
        os.chdir(folder)
        tests = tests_by_function()
        same = [dataclasses.replace(m, changed=m.target) for m in found[:: max(1, len(found) // 9)]]
        if not tests or not all(passed for _, passed in results(same, tests, chosen.jobs)):
            sys.stdout.write("the tests fail on the kernel as it is\n")
            return 2
        for mutant, passed in results(found, tests, chosen.jobs):
            if passed and not mutant.is_equivalent():
                survivors.append(mutant)
                sys.stdout.write(f"survived: {mutant}\n")
                sys.stdout.flush()
        os.chdir(ROOT)
    spent = time.monotonic() - start
    sys.stdout.write(f"{len(found)} mutants, {len(survivors)} survived, {spent:.0f} s\n")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
