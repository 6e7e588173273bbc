"""Which of the engine's code a verified certificate rests on: found in the source, by names.

What ``verify`` calls is followed through the recheck and the engine.  ``self.f`` is a method of the
class at hand, ``structure.f`` one of Structure, and any other ``x.f`` every method f of the other
classes that are made on the way: rather too much than too little.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "dpcomp_sym"
CHECKERS = frozenset({
    "certificates.facts.FactChecker", "certificates.means.MeanChecker",
    "certificates.conditions.Recheck",
})  # fmt: skip
"""One class, from the first base to the last: what is called of one is a method of any."""
START = "certificates.recheck.verify"
ALONE = frozenset({"Structure", "FactChecker", "MeanChecker", "Recheck"})
"""Classes whose instances always go by the same words."""


@dataclass
class Source:
    """The functions and classes of the recheck and the engine, by their full names."""

    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
    classes: dict[str, ast.ClassDef] = field(default_factory=dict)
    names: dict[str, dict[str, str]] = field(default_factory=dict)
    """Of each module: what a word in it means."""
    files: dict[str, Path] = field(default_factory=dict)

    def module(self, name: str) -> str:
        """Return the module that something is defined in."""
        return max((m for m in self.files if name.startswith(f"{m}.")), key=len)


def _named(path: Path) -> str:
    """Return the module in a file; that of a folder is in its first file."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def read() -> Source:
    """Read the modules."""
    found = Source()
    files = {
        module: path
        for folder in ("certificates", "engine")
        for path in sorted((PACKAGE / folder).rglob("*.py"))
        if (module := _named(path)) not in {"certificates", "engine", "certificates.write"}
    }
    found.files |= files
    for module, path in files.items():
        names = found.names[module] = {}
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef):
                names[node.name] = f"{module}.{node.name}"
                found.functions[f"{module}.{node.name}"] = node
            elif isinstance(node, ast.ClassDef):
                names[node.name] = f"{module}.{node.name}"
                found.classes[f"{module}.{node.name}"] = node
                for inner in node.body:
                    if isinstance(inner, ast.FunctionDef):
                        found.functions[f"{module}.{node.name}.{inner.name}"] = inner
    for module, path in files.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
                ("dpcomp_sym.engine", "dpcomp_sym.certificates")
            ):
                origin = (node.module or "").removeprefix("dpcomp_sym.")
                for alias in node.names:
                    for full in (*found.functions, *found.classes):
                        if full.startswith(f"{origin}.") and full.endswith(f".{alias.name}"):
                            found.names[module][alias.asname or alias.name] = full
    return found


def reached(source: Source) -> set[str]:
    """Return the full names of all functions that ``verify`` may call."""
    functions: set[str] = set()
    classes: set[str] = set()
    waiting = [START]
    unresolved: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in functions or name not in source.functions:
            continue
        functions.add(name)
        for word in _words(source, name):
            if word in source.functions:
                waiting.append(word)
            elif word in source.classes:
                classes |= {word, *_held(source, word)}
            else:
                unresolved.add(word)
        for one in classes:
            own = [f for f in source.functions if f.startswith(f"{one}.")]
            always = [f for f in own if f.rsplit(".", 1)[1].startswith("__")]
            free = [] if one.rsplit(".", 1)[1] in ALONE else own
            waiting += [*always, *(f for f in free if f.rsplit(".", 1)[1] in unresolved)]
    return functions


def _words(source: Source, name: str) -> Iterator[str]:
    """Yield what a function is about: full names, and names of methods of whatever."""
    module = source.module(name)
    inside = name[len(module) + 1 :].rpartition(".")[0]
    known = source.names[module]
    structure = source.names["certificates.facts"]["Structure"]
    ours = {"self"} if f"{module}.{inside}" in CHECKERS else set()
    for node in (n for part in source.functions[name].body for n in ast.walk(part)):
        if isinstance(node, ast.Name):
            if node.id in known:
                yield known[node.id]
        elif isinstance(node, ast.Attribute):
            holder = ast.unparse(node.value)
            inherited = {f"{one}.{node.attr}" for one in CHECKERS} & set(source.functions)
            if inherited and holder in ({"check", "Recheck", "super()"} | ours):
                yield from inherited
            elif holder == "self" and f"{module}.{inside}.{node.attr}" in source.functions:
                yield f"{module}.{inside}.{node.attr}"
            elif holder in {"structure", "self.structure", "check.structure"}:
                yield f"{structure}.{node.attr}"
            elif holder in known and f"{known[holder]}.{node.attr}" in source.functions:
                yield f"{known[holder]}.{node.attr}"
            else:
                yield node.attr


def _held(source: Source, name: str) -> Iterator[str]:
    """Yield the classes that a class is made from, and that stand in its fields."""
    known = source.names[name.rpartition(".")[0]]
    for base in source.classes[name].bases:
        if isinstance(base, ast.Name) and known.get(base.id) in source.classes:
            yield known[base.id]
            yield from _held(source, known[base.id])
    fields = [n for n in source.classes[name].body if isinstance(n, ast.AnnAssign)]
    for node in (n for one in fields if one.value for n in ast.walk(one.value)):
        if isinstance(node, ast.Name) and known.get(node.id) in source.classes:
            yield known[node.id]


def engine() -> dict[str, list[str]]:
    """Return the functions of the engine that are reached, by file."""
    found: dict[str, list[str]] = {}
    source = read()
    for name in sorted(reached(source)):
        if name.startswith("engine."):
            module = source.module(name)
            file = source.files[module].relative_to(PACKAGE).as_posix()
            found.setdefault(file, []).append(name.removeprefix(f"{module}."))
    return found


def lines(source: Source, name: str) -> int:
    """Return how many lines of code a function has, without its docstring and comments."""
    node = source.functions[name]
    text = source.files[source.module(name)].read_text(encoding="utf-8")
    rows = text.splitlines()[node.lineno - 1 : node.end_lineno]
    doc = ast.get_docstring(node, clean=False)
    code = [row for row in rows if row.strip() and not row.lstrip().startswith("#")]
    return len(code) - sum(bool(row.strip()) for row in (doc or "").splitlines())
