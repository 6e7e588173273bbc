"""Break a package in small ways, one at a time, and see whether its tests notice.

One mutant is made for each place where a comparison, a check, a constant or an operation can be
changed.  On each run the tests that call the changed function, in a process of its own, on a
temporary copy; the mutants that survive are printed, and the exit status is then 1.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import dataclasses
import importlib
import importlib.abc
import importlib.machinery
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
OPTIONS = [
    "-x", "-q", "--assert=plain", "-o", "addopts=--import-mode=importlib", "-p", "no:cacheprovider",
    "-p", "no:hypothesispytest", "-p", "no:xdist", "-m", "not slow",
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


@dataclass(frozen=True)
class Subject:
    """A package, and how its tests are run.

    Args:
        package: its folder.
        files: the files in it that are broken.
        tests: the files of tests.
        copied: all files and folders that the tests need.
        equivalent: mutants that behave like the original, or are only slower: file, line and
            change, with the reason.
        refused: a function that returns what is wrongly accepted, asked before any test.
        by_file: the tests of each file, where noting which functions they call takes too long.
        preloaded: modules of others that are slow to load.
        timeout: seconds for one mutant.
    """

    package: str
    files: Sequence[str]
    tests: Sequence[str]
    copied: Sequence[str]
    equivalent: Mapping[tuple[str, str, str], str]
    refused: Callable[[], object] | None = None
    by_file: Mapping[str, Sequence[str]] | None = None
    preloaded: Sequence[str] = ()
    timeout: int = 60


@dataclass(frozen=True)
class Mutant:
    """A file in which one node of the syntax tree is to be replaced."""

    subject: Subject
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
        text = (ROOT / self.subject.package / self.file).read_text().splitlines()[self.line - 1]
        return (self.file, text.strip(), self.change) in self.subject.equivalent

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


def mutants(subject: Subject, file: str) -> Iterator[Mutant]:
    """Return all mutants of a file; annotations, and what is there for checkers, are left alone."""
    tree = ast.parse((ROOT / subject.package / file).read_text())
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
                yield Mutant(subject, file, tree, node, changed, change)


class _Replace(ast.NodeTransformer):
    def __init__(self, target: ast.AST, changed: ast.AST) -> None:
        self.target, self.changed = target, changed

    def visit(self, node: ast.AST) -> ast.AST:
        """Put the changed node in the place of the target."""
        return self.changed if node is self.target else self.generic_visit(node)


def copy_to(place: Path, subject: Subject) -> None:
    """Copy all that the tests need."""
    skip = shutil.ignore_patterns("__pycache__")
    folders = {str(Path(subject.package, file).parent) for file in subject.files}
    for name in (*folders, *subject.copied, "tests/mutation.py", "pyproject.toml"):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, place / name, ignore=skip, dirs_exist_ok=True)
        else:
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, place / name)
    (place / "dpcomp_sym/__init__.py").touch()
    compileall.compile_dir(place, quiet=2)


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads the changed file in the place of the original."""

    def __init__(self, mutant: Mutant) -> None:
        path = Path(mutant.subject.package, mutant.file).with_suffix("")
        self.name = ".".join(path.parts)
        self.code = mutant.code()

    def find_spec(self, name: str, *_: object) -> importlib.machinery.ModuleSpec | None:
        """Return the specification of the changed module, and of no other."""
        return importlib.machinery.ModuleSpec(name, self) if name == self.name else None

    def exec_module(self, module: types.ModuleType) -> None:
        """Run the changed source."""
        exec(self.code, module.__dict__)  # noqa: S102 - this is what a loader does


class _Calls:
    """Notes which functions of the package each test calls."""

    def __init__(self, package: str) -> None:
        self.package = package
        self.codes: dict[int, types.CodeType] = {}
        self.now: set[int] = set()
        self.always = self.now
        self.by_test: dict[str, set[int]] = {}

    def __call__(self, frame: types.FrameType, event: str, _: object) -> None:
        if event == "call":
            code = frame.f_code
            self.codes[id(code)] = code  # kept, so that no other one gets its number
            self.now.add(id(code))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Note the calls of one test apart from the others."""
        self.now = self.by_test.setdefault(item.nodeid, set())
        result = yield
        self.now = self.always
        return result

    def functions(self, called: set[int]) -> set[str]:
        """Return the functions of the package, as :meth:`Mutant.function` names them."""
        codes = [self.codes[number] for number in called]
        files = [
            Path(code.co_filename).as_posix().rpartition(f"/{self.package}/") for code in codes
        ]
        return {
            f"{file}:{code.co_firstlineno}"
            for code, (_, inside, file) in zip(codes, files, strict=True)
            if inside
        }


Tests = dict[str, list[str]]


def tests_by_function(subject: Subject) -> Tests:
    """Run the tests once; return which of them call which function of the package.

    A function that is called when the tests are collected is in all of them.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        be_quiet(10 * subject.timeout)  # noting every call takes its time
        calls = _Calls(subject.package)
        sys.setprofile(calls)
        passed = pytest.main([*OPTIONS, *subject.tests], plugins=[calls]) == 0
        sys.setprofile(None)
        found: Tests = {}
        for test, called in calls.by_test.items():
            for function in calls.functions(called | calls.always):
                found.setdefault(function, []).append(test)
        with os.fdopen(writing, "w") as stream:
            json.dump(found if passed else {}, stream)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as stream:
        result: Tests = json.load(stream)
    os.waitpid(child, 0)
    return result


def be_quiet(timeout: int) -> None:
    """Prepare a child: no output, no bytecode, imports from the copy, an end in any case."""
    signal.alarm(timeout)
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(Path.cwd()))


def run_tests(mutant: Mutant, tests: Tests) -> None:
    """Run the tests that a mutant can change, and leave with their exit status."""
    subject = mutant.subject
    be_quiet(subject.timeout)
    sys.meta_path.insert(0, _Finder(mutant))
    chosen = (
        subject.by_file[mutant.file]
        if subject.by_file
        else tests.get(mutant.function(), subject.tests)
    )
    try:
        wrong = subject.refused() if subject.refused else None
        status = 1 if wrong else int(pytest.main([*OPTIONS, *chosen]))
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


def main(subject: Subject, description: str) -> int:
    """Run all mutants, or a sample; return the exit status."""
    options = argparse.ArgumentParser(description=description)
    options.add_argument("files", nargs="*", default=subject.files)
    options.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options.add_argument("--count", type=int, help="a sample of so many mutants")
    options.add_argument("--seed", type=int, default=0, help="of the sample")
    chosen = options.parse_args()
    start = time.monotonic()
    found = [m for file in chosen.files for m in mutants(subject, file)]
    if chosen.count is not None and chosen.count < len(found):
        found = random.Random(chosen.seed).sample(found, chosen.count)
    for module in subject.preloaded:
        importlib.import_module(module)
    survivors = []
    with tempfile.TemporaryDirectory() as folder:
        copy_to(Path(folder), subject)
        os.chdir(folder)
        tests = {} if subject.by_file else tests_by_function(subject)
        unbroken = (
            {m.file: m for m in found}.values()
            if subject.by_file
            else found[:: max(1, len(found) // 9)]
        )
        same = [dataclasses.replace(m, changed=m.target) for m in unbroken]
        ready = bool(subject.by_file or tests)
        if not ready or not all(passed for _, passed in results(same, tests, chosen.jobs)):
            sys.stdout.write("the tests fail on the package as it is\n")
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
