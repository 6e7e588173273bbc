"""Small changes that break a package: one mutant for each place where there can be one.

A comparison, a check, a constant or an operation is changed.  ``tests.mutation_run`` runs the tests
on each.
"""

from __future__ import annotations

import ast
import tomllib
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

# Arguments that are there for the type checker, or against mistakes.
UNCHANGED = {"strict", "frozen", "frozen_default"}
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
        preloaded: modules of others that are slow to load.
    """

    package: str
    files: Sequence[str]
    tests: Sequence[str]
    copied: Sequence[str]
    equivalent: Mapping[tuple[str, str, str], str]
    refused: Callable[[], object] | None = None
    preloaded: Sequence[str] = ()


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

    def function(self) -> ast.FunctionDef | None:
        """Return the outermost function around the node."""
        inside = (
            f
            for f in ast.walk(self.tree)  # the outermost first
            if isinstance(f, ast.FunctionDef)
            and any(self.target is node for one in f.body for node in ast.walk(one))
        )
        return next(inside, None)

    def assignment(self) -> ast.Assign | ast.AnnAssign | None:
        """Return the assignment of constants of the module in which the node is."""
        for statement in self.tree.body:
            if isinstance(statement, ast.Assign | ast.AnnAssign) and any(
                self.target is node for node in ast.walk(statement)
            ):
                return statement
        return None

    def statement(self) -> range:
        """Return the lines of the innermost statement, without those of its body."""
        around = [
            s
            for s in ast.walk(self.tree)
            if isinstance(s, ast.stmt) and any(self.target is node for node in ast.walk(s))
        ]
        last = around[-1]
        body = getattr(last, "body", None)
        end = body[0].lineno - 1 if body else last.end_lineno or last.lineno
        return range(last.lineno, max(last.lineno, end) + 1)

    @property
    def line(self) -> int:
        """The number of the line."""
        return int(getattr(self.target, "lineno", 0))

    @property
    def place(self) -> tuple[int, int]:
        """The line and the column."""
        return self.line, int(getattr(self.target, "col_offset", 0))

    def is_equivalent(self) -> bool:
        """Whether the mutant is known to behave like the original."""
        text = (ROOT / self.subject.package / self.file).read_text().splitlines()[self.line - 1]
        return (self.file, text.strip(), self.change) in self.subject.equivalent

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.change}"


def judged(file: Path) -> dict[tuple[str, str, str], str]:
    """Return the mutants that a file says are equivalent, with the reasons."""
    rows = tomllib.loads(file.read_text(encoding="utf-8")).get("mutant", ())
    return {(row["file"], row["line"], row["change"]): row["why"] for row in rows}


def about(said: str, counted: int) -> bool:
    """Whether a page says a number of mutants to within a tenth: each line of code moves it."""
    return abs(int(said.replace(",", "")) - counted) <= counted / 10


def unknown(subject: Subject) -> set[tuple[str, str, str]]:
    """Return what was judged and is no longer a mutant of the package as it is."""
    known = set()
    for file in subject.files:
        lines = (ROOT / subject.package / file).read_text(encoding="utf-8").splitlines()
        known |= {(file, lines[m.line - 1].strip(), m.change) for m in mutants(subject, file)}
    return set(subject.equivalent) - known


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


def _is_type(node: ast.expr) -> bool:
    """Whether this can be the right side of a name for a type."""
    return isinstance(node, ast.Subscript) or (
        isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr)
    )


def mutants(subject: Subject, file: str) -> list[Mutant]:
    """Return all mutants of a file; annotations, and what is there for checkers, are left alone.

    The same change of lines that read alike, or twice in a line, is numbered in order.
    """
    text = (ROOT / subject.package / file).read_text()
    tree, lines = ast.parse(text), text.splitlines()
    found = list(_mutants(subject, file, tree))
    alike: dict[tuple[str, str], list[int]] = {}
    for number, mutant in sorted(enumerate(found), key=lambda m: m[1].place):
        alike.setdefault((lines[mutant.line - 1].strip(), mutant.change), []).append(number)
    for group in alike.values():
        for nth, number in enumerate(group if len(group) > 1 else (), 1):
            change = f"{found[number].change}  ({nth} of {len(group)})"
            found[number] = replace(found[number], change=change)
    return found


def _mutants(subject: Subject, file: str, tree: ast.Module) -> Iterator[Mutant]:
    types_only: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.returns:
            types_only |= set(ast.walk(node.returns))
        elif isinstance(node, ast.arg | ast.AnnAssign) and node.annotation:
            types_only |= set(ast.walk(node.annotation))
        elif isinstance(node, ast.Assign) and node in tree.body and _is_type(node.value):
            types_only |= set(ast.walk(node.value))
        elif isinstance(node, ast.keyword) and node.arg in UNCHANGED:
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
