"""Break a package in small ways, one at a time, and see whether its tests notice.

On each mutant run, in a process of its own and on a temporary copy, the tests that reach the
changed lines, the quickest first, and then the type checker; the mutants that survive are printed,
and the exit status is then 1.

The process is forked when all tests are collected, and only the changed function is exchanged.
What runs already when the package is loaded or the tests are collected is broken before that, and
loaded anew.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import contextlib
import dataclasses
import fcntl
import gc
import importlib
import importlib.abc
import importlib.machinery
import io
import itertools
import json
import math
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import types
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import coverage
import pytest
from hypothesis import HealthCheck, settings

from tests.mutation import ROOT, Mutant, Subject, mutants
from tests.shares import TURN, TURNS

OPTIONS = [
    "-x", "-q", "--assert=plain", "--capture=no", "-o", "addopts=--import-mode=importlib",
    "-p", "no:cacheprovider", "-p", "no:hypothesispytest", "-p", "no:xdist", "-m", "not slow",
]  # fmt: skip
# Seconds of processor time that a mutant gets for a test, beyond ten times of what the test takes.
PATIENCE = 20
# Bytes of memory that a mutant gets.
MEMORY = 6 << 30
# How many tests run on a file as it is, to see that they pass in a fork, too.
SOME = 20
# Where the output goes when the tests run on the package as it is.
OUTPUT = "observed.txt"
# Which tests noticed mutants of which file.
NOTICED = "noticed.txt"


@dataclass
class Seen:
    """What was seen when the tests ran once.

    Args:
        seconds: of each test.
        lines: of each file and line, the tests that reach it; an empty name stands for what runs
            when the package is loaded and the tests are collected.
        most: seconds of tests for each mutant.
    """

    seconds: dict[str, float]
    lines: dict[str, dict[int, list[str]]]
    most: float

    def reaching(self, file: str, lines: Sequence[int]) -> set[str]:
        """Return the tests that reach one of the lines."""
        return {test for line in lines for test in self.lines.get(file, {}).get(line, ())}

    def tests(self, mutant: Mutant) -> list[str]:
        """Return the tests that reach a mutant, the quickest first."""
        found = self.reaching(mutant.file, mutant.statement())
        if constant := mutant.assignment():
            found |= self.reading(mutant.subject.package, assigned(constant))
            if "" in found:  # what is made of it when the package is loaded is used anywhere
                found |= set(self.seconds)
        if self.is_loaded(mutant):
            found |= self.reaching(mutant.file, list(self.lines.get(mutant.file, ())))
        # What noticed other mutants of the file often is tried before.
        noticed = Counter(Path(NOTICED).read_text(encoding="utf-8").splitlines())
        seconds = {t: self.seconds[t] / (1 + noticed[f"{mutant.file} {t}"]) for t in found - {""}}
        chosen = sorted(seconds, key=lambda test: (seconds[test], test))
        if mutant.changed is mutant.target:
            return chosen[:SOME]
        spent = itertools.accumulate(self.seconds[test] for test in chosen)
        return [test for test, sum_ in zip(chosen, spent, strict=True) if sum_ <= self.most]

    def reading(self, package: str, names: set[str]) -> set[str]:
        """Return the tests that reach a line in which one of the names is read."""
        return {
            test
            for file in self.lines
            for name in names
            for test in self.reaching(file, read_in(Path(package, file)).get(name, ()))
        }

    def is_loaded(self, mutant: Mutant) -> bool:
        """Whether what is changed runs, or is read, before any test runs."""
        if constant := mutant.assignment():
            return "" in self.reading(mutant.subject.package, assigned(constant))
        function = mutant.function()
        if function is None:
            return True
        body = range(function.body[0].lineno, (function.end_lineno or function.lineno) + 1)
        return "" in self.reaching(mutant.file, body)


@cache
def read_in(file: Path) -> dict[str, list[int]]:
    """Return in which lines of a file each name is read."""
    found: dict[str, list[int]] = {}
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found.setdefault(node.id, []).append(node.lineno)
    return found


def assigned(statement: ast.Assign | ast.AnnAssign) -> set[str]:
    """Return the names that get a value."""
    return {
        node.id
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


class _Observer:
    """Notes which lines each test reaches, and how long it takes."""

    def __init__(self, observed: coverage.Coverage) -> None:
        self.observed = observed
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[object]:
        """Note the lines of one test apart from the others."""
        self.observed.switch_context(item.nodeid)
        start = time.process_time()
        result = yield
        self.seconds[item.nodeid] = time.process_time() - start
        self.observed.switch_context("")
        return result


def observe(subject: Subject, most: float) -> Seen | None:
    """Run the tests once, in a process of its own; return nothing where they fail."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        prepare(OUTPUT)
        observed = coverage.Coverage(data_file=None, config_file=False, source=[subject.package])
        observer = _Observer(observed)
        observed.start()
        passed = pytest.main([*OPTIONS, *subject.tests], plugins=[observer]) == 0
        observed.stop()
        data = observed.get_data()
        root = Path(subject.package).resolve()
        lines = {
            Path(file).relative_to(root).as_posix(): data.contexts_by_lineno(file)
            for file in data.measured_files()
        }
        with os.fdopen(writing, "w") as stream:
            json.dump([observer.seconds, lines] if passed else None, stream)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as stream:
        result = json.load(stream)
    os.waitpid(child, 0)
    if result is None:
        return None
    seconds, by_file = result
    return Seen(seconds, {f: {int(n): t for n, t in d.items()} for f, d in by_file.items()}, most)


def copy_to(place: Path, subject: Subject) -> None:
    """Copy all that the tests need."""
    skip = shutil.ignore_patterns("__pycache__")
    folders = {str(Path(subject.package, file).parent) for file in subject.files}
    modules = ("tests/mutation.py", "tests/mutation_run.py")
    for name in (*folders, *subject.copied, *modules, "pyproject.toml"):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, place / name, ignore=skip, dirs_exist_ok=True)
        else:
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, place / name)
    (place / "dpcomp_sym/__init__.py").touch()
    compileall.compile_dir(place, quiet=2)


def prepare(output: str = os.devnull) -> None:
    """Prepare a child: its output, no bytecode, imports from the copy, a limit of memory."""
    written = os.open(output, os.O_WRONLY | os.O_CREAT)
    os.dup2(written, 1)
    os.dup2(written, 2)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(Path.cwd()))


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


Place = tuple[str, str, int]


class _Loaded:
    """A package that is loaded, and how a function or a constant of it is exchanged."""

    def __init__(self, package: str) -> None:
        self.root = Path(package).resolve()
        self.modules = [
            module
            for name, module in sys.modules.items()
            if f"{name}.".startswith(f"{package.replace('/', '.')}.")
        ]
        self.functions: dict[Place, list[types.FunctionType]] = {}
        for found in gc.get_objects():
            if isinstance(found, types.FunctionType):
                code = found.__code__
                place = (code.co_filename, code.co_name, code.co_firstlineno)
                self.functions.setdefault(place, []).append(found)

    def exchange(self, mutant: Mutant) -> None:
        """Put what is changed in the place of the original."""
        if constant := mutant.assignment():
            self._exchange_constant(mutant, constant)
        elif function := mutant.function():
            self._exchange_function(mutant, function)

    def _exchange_function(self, mutant: Mutant, function: ast.FunctionDef) -> None:
        start = min([function.lineno, *(d.lineno for d in function.decorator_list)])
        loaded = self.functions[str(self.root / mutant.file), function.name, start]
        changed = next(
            code
            for code in _codes(mutant.code())
            if (code.co_name, code.co_firstlineno) == (function.name, start)
        )
        for one in loaded:
            one.__code__ = changed

    def _exchange_constant(self, mutant: Mutant, constant: ast.Assign | ast.AnnAssign) -> None:
        path = str(self.root / mutant.file)
        original = next(vars(m) for m in self.modules if getattr(m, "__file__", None) == path)
        names, changed = assigned(constant), {**original}
        mutant.code()
        exec(compile(ast.Module([constant], []), path, "exec"), changed)  # noqa: S102 - as loaded
        for name in names:
            for module in self.modules:
                if vars(module).get(name) is original[name]:
                    setattr(module, name, changed[name])


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield from _codes(inner)


Report = Callable[[Mutant, bool], None]


class _Warm:
    """Runs mutants in the place of the tests that were collected."""

    def __init__(self, found: Sequence[Mutant], seen: Seen, jobs: int, report: Report) -> None:
        self.found, self.seen, self.jobs, self.report = found, seen, jobs, report

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests on each mutant."""
        items = {item.nodeid: item for item in session.items}
        loaded = _Loaded(self.found[0].subject.package)

        def passes(mutant: Mutant) -> bool:
            chosen = [items[test] for test in self.seen.tests(mutant)]
            loaded.exchange(mutant)
            if accepts_wrong(mutant.subject):
                return False
            for item, following in itertools.zip_longest(chosen, chosen[1:]):
                wait(PATIENCE + 10 * self.seen.seconds[item.nodeid])
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if session.testsfailed:
                    with Path(NOTICED).open("a", encoding="utf-8") as noticed:
                        noticed.write(f"{mutant.file} {item.nodeid}\n")
                    return False
            return True

        for mutant, passed in results(self.found, passes, self.jobs):
            self.report(mutant, passed)
        return True


def run_warm(found: Sequence[Mutant], seen: Seen, jobs: int, report: Report) -> None:
    """Collect the tests once, and run them on each mutant."""
    if found:
        sys.path.insert(0, str(Path.cwd()))
        with contextlib.redirect_stdout(io.StringIO()):
            pytest.main(
                [*OPTIONS, *found[0].subject.tests], plugins=[_Warm(found, seen, jobs, report)]
            )


def run_cold(found: Sequence[Mutant], seen: Seen, jobs: int, report: Report) -> None:
    """Load the package anew for each mutant, and run the tests."""

    def passes(mutant: Mutant) -> bool:
        chosen = seen.tests(mutant)
        sys.meta_path.insert(0, _Finder(mutant))
        if accepts_wrong(mutant.subject):
            return False
        wait(PATIENCE + 10 * sum(seen.seconds[test] for test in chosen))
        return not chosen or pytest.main([*OPTIONS, *chosen]) == 0

    for mutant, passed in results(found, passes, jobs):
        report(mutant, passed)


def wait(seconds: float) -> None:
    """End this process after so many seconds of processor time: a mutant may never end."""
    signal.setitimer(signal.ITIMER_PROF, seconds)


def accepts_wrong(subject: Subject) -> bool:
    """Whether something is accepted that must be refused."""
    wait(3 * PATIENCE)
    return bool(subject.refused and subject.refused())


def type_checks(mutant: Mutant) -> bool:
    """Whether the type checker takes a mutant whose code was exchanged."""
    file = str(Path(mutant.subject.package, mutant.file))
    with Path("types.lock").open("w") as lock:  # one at a time, since they share a cache
        fcntl.flock(lock, fcntl.LOCK_EX)
        Path("changed.py").write_text(ast.unparse(mutant.tree), encoding="utf-8")
        command = [sys.executable, "-m", "mypy", "--shadow-file", file, "changed.py", file]
        return subprocess.run(command, check=False).returncode == 0


def results(
    found: Sequence[Mutant], passes: Callable[[Mutant], bool], jobs: int
) -> Iterator[tuple[Mutant, bool]]:
    """Run each mutant in a process of its own; return whether the tests pass."""
    running: dict[int, Mutant] = {}
    waiting = list(reversed(found))
    while waiting or running:
        while waiting and len(running) < jobs:
            mutant = waiting.pop()
            child = os.fork()
            if child == 0:
                prepare()
                try:
                    os._exit(0 if passes(mutant) and type_checks(mutant) else 1)
                except BaseException:  # noqa: BLE001 - a mutant may fail in any way
                    os._exit(1)
            running[child] = mutant
        child, status = os.wait()
        yield running.pop(child), status == 0


def unbroken(found: Sequence[Mutant]) -> list[Mutant]:
    """Return a mutant of each file that changes nothing."""
    some = {mutant.file: mutant for mutant in found}
    return [dataclasses.replace(m, changed=m.target) for m in some.values()]


def main(first: Subject, description: str, *others: Subject) -> int:
    """Run all mutants, or a sample, of one subject after another; return the exit status.

    A file that is in no list is broken as a file of the first subject.
    """
    subjects = first, *others
    options = argparse.ArgumentParser(description=description)
    options.add_argument("files", nargs="*", default=[f for s in subjects for f in s.files])
    options.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options.add_argument("--count", type=int, help="a sample of so many mutants")
    options.add_argument(
        "--in-turn", action="store_true", help="those whose turn it is (tests/shares.py)"
    )
    options.add_argument("--seed", type=int, default=0, help="of the sample")
    options.add_argument(
        "--seconds", type=float, default=math.inf, help="of tests for each mutant (default: all)"
    )
    chosen = options.parse_args()
    of = {file: s for s in reversed(subjects) for file in s.files}
    files = [(s, [f for f in chosen.files if of.get(f, first) is s]) for s in subjects]
    return max((_run(s, found, chosen) for s, found in files if found), default=0)


def _run(subject: Subject, files: Sequence[str], chosen: argparse.Namespace) -> int:
    start = time.monotonic()
    found = [m for file in files for m in mutants(subject, file) if not m.is_equivalent()]
    if chosen.in_turn:
        found = [m for n, m in enumerate(found) if (n - TURN) % TURNS == 0]
    if chosen.count is not None and chosen.count < len(found):
        found = random.Random(chosen.seed).sample(found, chosen.count)
    for module in subject.preloaded:
        importlib.import_module(module)
    # The same examples for each mutant, however busy the machine is.
    settings.register_profile(
        "mutants", derandomize=True, deadline=None, suppress_health_check=list(HealthCheck)
    )
    settings.load_profile("mutants")
    survivors: list[Mutant] = []
    failed: list[str] = []
    output = sys.stdout  # pytest's is turned off

    def report(mutant: Mutant, passed: bool) -> None:
        if mutant.changed is mutant.target:
            failed.extend([] if passed else [mutant.file])
        elif passed:
            survivors.append(mutant)
            output.write(f"survived: {mutant}\n")
            output.flush()

    with tempfile.TemporaryDirectory() as folder:
        copy_to(Path(folder), subject)
        os.chdir(folder)
        Path(NOTICED).touch()
        seen = observe(subject, chosen.seconds)
        if seen is None:
            failed.append(Path(OUTPUT).read_text(encoding="utf-8"))
        else:
            cold = [mutant for mutant in found if seen.is_loaded(mutant)]
            warm = [mutant for mutant in found if not seen.is_loaded(mutant)]
            output.write(f"{len(found)} mutants, {len(cold)} of them loaded anew\n")
            output.flush()
            run_cold([*unbroken(cold), *cold], seen, chosen.jobs, report)
            run_warm([*unbroken(warm), *warm], seen, chosen.jobs, report)
        os.chdir(ROOT)
    if failed:
        output.write("\n".join(["the tests fail on the package as it is", *failed, ""]))
        return 2
    spent = time.monotonic() - start
    output.write(f"{len(found)} mutants, {len(survivors)} survived, {spent:.0f} s\n")
    return 1 if survivors else 0
