"""Names mean nothing: the answers about a problem under adversarial names are the same answers.

All words of a problem are renamed, injectively, to words that would make trouble wherever a name
is glued to another one: prefixes of each other, what gluing two of them gives, words of the solver
and of its scripts, names that differ in case alone.  Then everything that is found must be what was
found before, up to the renaming.  The order of maps and parts must not matter, either.

``python -m tests.renaming --count 500 --seed 0`` compares random problems; ``--examples 5`` renames
each example so often.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from dpcomp_sym.certificates.recheck import verify
from dpcomp_sym.certificates.write import as_text, certificate
from dpcomp_sym.derivation.derive import Derivation, derive
from dpcomp_sym.errors import InputError
from dpcomp_sym.model import Problem
from dpcomp_sym.model.domain import RESERVED
from dpcomp_sym.model.serial import problem_from_json, problem_to_json
from dpcomp_sym.notions.meeting import points
from dpcomp_sym.replay.check import read
from dpcomp_sym.spec import load_any
from dpcomp_sym.spec.load import Spec
from tests.differential.engine import LateError, budget
from tests.random_problems.generate import describe, generate

EXAMPLES = Path(__file__).parent.parent / "examples"
CHECKS = 250
"""Questions to the solver for all answers about one problem."""
LANGUAGE = RESERVED | {"sort", "count"}
"""Words that no renaming touches, and no new name is."""

# ---------------------------------------------------------------------------- what has a name


@dataclass
class Words:
    """The words of a problem by what they name, each list without repetitions."""

    attributes: list[str] = field(default_factory=list)
    values: list[str] = field(default_factory=list)
    sorts: list[str] = field(default_factory=list)
    functions: list[str] = field(default_factory=list)
    symbols: list[str] = field(default_factory=list)
    params: list[str] = field(default_factory=list)
    cells: list[str] = field(default_factory=list)
    own: list[tuple[str, str]] = field(default_factory=list)
    indices: list[str] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)
    maps: list[str] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    parameters: list[str] = field(default_factory=list)

    def in_formulas(self) -> list[str]:
        """Return what can stand in a formula."""
        own = [function for _, function in self.own]
        found = [
            *self.attributes, *self.values, *self.sorts, *self.functions, *self.symbols,
            *self.params, *own, *self.indices, *self.arguments,
        ]  # fmt: skip
        return [w for w in dict.fromkeys(found) if w not in LANGUAGE - {"i", "j"}]


def words_of(data: Mapping[str, Any]) -> Words:
    """Return the words of a problem that is given as plain data."""
    found = Words()
    domain = data["domain"]
    for name, sort in domain["attributes"]:
        found.attributes.append(name)
        if isinstance(sort, list):
            found.values += sort
        else:
            found.sorts.append(sort)
    for name, arguments, result in domain["functions"]:
        found.functions.append(name)
        found.sorts += [*arguments, result]
    found.symbols += [name for name, _ in domain["symbols"]]
    inner = [p["granularity"] for p in data["parts"] if p["granularity"] is not None]
    for granularity in (data["granularity"], *inner):
        found.arguments += [word for word, _ in granularity["arguments"]]
        for edit in granularity["edits"]:
            found.params += [name for name, _ in edit["params"]]
            found.cells += [name for name, sort in edit["params"] if sort == "cell"]
    for mapping in data["maps"]:
        found.maps.append(mapping["name"])
        found.indices += [name for name, _ in mapping["index"]]
        found.symbols += [size for _, size in mapping["index"] if isinstance(size, str)]
        found.symbols += [name for name, _ in mapping["symbols"]]
        found.arguments += [word for word, _ in mapping["arguments"]]
        for name, arguments, result in mapping["functions"]:
            found.own.append((mapping["name"], name))
            found.sorts += [w for w in (*arguments, result) if "(" not in w]
        found.attributes += [name for name, _ in mapping["image"] or ()]
    for part in data["parts"]:
        found.parts.append(part["name"])
        given = [p for _, ps in part["guarantees"] for p in ps]
        found.parameters += [p for p in given if "/" not in p]
    for one in fields(found):
        setattr(found, one.name, list(dict.fromkeys(getattr(found, one.name))))
    return found


@dataclass
class Renaming:
    """New names; maps, parts and parameters of guarantees have name spaces of their own."""

    words: dict[str, str]
    maps: dict[str, str]
    parts: dict[str, str]
    parameters: dict[str, str]

    def formula(self, value: Any) -> Any:
        """Return words and formulas with new names."""
        if isinstance(value, list):
            return [self.formula(v) for v in value]
        if not isinstance(value, str):
            return value
        return re.sub(r"[A-Za-z_]\w*", lambda m: self.words.get(m[0], m[0]), value)

    def granularity(self, data: Any) -> Any:
        """Return a granularity with new names: the one for people is the same for all."""
        if data is None:
            return None
        edits = [{k: self.formula(v) for k, v in edit.items()} for edit in data["edits"]]
        arguments = self.formula(data["arguments"])
        return {**data, "name": "own", "symbol": "", "edits": edits, "arguments": arguments}

    def problem(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return a problem with new names, as plain data."""
        kept = ("name", "universe")
        domain = {k: v if k in kept else self.formula(v) for k, v in data["domain"].items()}
        maps = [
            {k: self.maps[v] if k == "name" else self.formula(v) for k, v in m.items()}
            for m in data["maps"]
        ]
        parts = [
            {
                "name": self.parts[p["name"]],
                "map": self.maps[p["map"]]
                if isinstance(p["map"], str)
                else [self.maps[n] for n in p["map"]],
                "granularity": self.granularity(p["granularity"]),
                "guarantees": [
                    [notion, [self.parameters.get(x, x) for x in given]]
                    for notion, given in p["guarantees"]
                ],
                "setting": p["setting"],
                "inner": None
                if p["inner"] is None
                else {k: self.formula(v) for k, v in p["inner"].items()},
            }
            for p in data["parts"]
        ]
        granularity = self.granularity(data["granularity"])
        title = "renamed"
        return {
            "title": title, "domain": domain, "granularity": granularity, "maps": maps,
            "parts": parts,
        }  # fmt: skip


# ---------------------------------------------------------------------------- adversarial names

SOLVER = (
    "assert", "let", "forall", "exists", "par", "Int", "Bool", "Real", "String", "Array", "ite",
    "distinct", "select", "store", "xor", "push", "pop", "set", "bag", "tuple", "is", "div", "mod",
    "check_sat", "declare_fun", "define_fun", "true_", "false_", "model", "as_", "match", "BitVec",
    "unsat", "sat", "Unit", "emptyset", "nil", "fp", "re", "str",
)  # fmt: skip
SCRIPT = (
    "D_", "db_D", "db_E", "size_D", "size_E", "rest_D", "rest_E", "in_X", "in", "db", "size_",
    "records", "number", "inside", "besides_0", "hidden_0", "m", "m_0", "m_old", "m_new", "n_D",
    "old_", "new_", "image", "rest", "above", "far", "root_0", "z", "z_0", "t_0", "w", "v", "s",
    "f", "S", "E_", "S_S", "own", "whole", "edit", "the", "x", "y", "u", "k", "n", "p", "q", "c_",
    "any", "src", "cell_", "value", "other", "pad", "key", "lambda_", "e", "pi", "I", "N", "beta",
    "gamma", "delta", "eps", "max_", "sum_", "sqrt", "inf_", "growth", "top",
)  # fmt: skip


class _Namer:
    """Gives new names, each to one word, and none of some others."""

    def __init__(
        self, words: Sequence[str], rng: random.Random, others: Collection[str] = ()
    ) -> None:
        self.left = list(words)
        self.rng = rng
        self.others = LANGUAGE.union(others)
        self.found: dict[str, str] = {}

    def give(self, word: str, name: str) -> bool:
        """Give a name if it is free and possible, and the word has none."""
        taken = word in self.found or name in self.found.values()
        if word not in self.left or taken or name in self.others:
            return False
        if not re.fullmatch(r"[A-Za-z]\w*", name):
            return False
        self.found[word] = name
        return True

    def fill(self, pool: Sequence[str]) -> dict[str, str]:
        """Give names from a pool to all that have none, glued to each other where it is empty."""
        names = list(pool)
        self.rng.shuffle(names)
        for word in self.left:
            while word not in self.found:
                if names:
                    name = names.pop()
                else:
                    first, second = (self.rng.choice(list(self.found.values())) for _ in "xy")
                    name = f"{first}{self.rng.choice(['_', '', '_0_', 'x'])}{second}"
                self.give(word, name)
        return self.found


class _Attack:
    """Calls some things what gluing the names of others gives, in one of many ways."""

    def __init__(self, words: Words, formulas: _Namer, maps: _Namer, rng: random.Random) -> None:
        self.words, self.formulas, self.maps, self.rng = words, formulas, maps, rng
        self.glue = rng.choice(["_", "_", "_", "", "__"])
        self.a, self.b, self.c = rng.sample(["a", "b", "lab", "w", "h", "x", "s", "f", "A", "B"], 3)
        self.number = rng.choice([0, 0, 0, 1, 2, 3])
        """Of a fresh constant; they are counted from 0 in a question."""
        self.others = [p for p in words.params if p not in words.cells] or words.params
        params, cells = len(words.params) > 1, bool(words.cells)
        ways = (
            (bool(words.own and words.functions), self.own_functions),
            (bool(words.params and words.symbols), self.symbols),
            (params and cells and bool(words.attributes), self.cells),
            (params, self.later_edits),
            (len(words.attributes) > 1, self.attributes),
            (bool(words.params), self.fresh),
            (len(words.sorts) > 1, self.sorts),
            (bool(words.symbols), self.records),
            (bool(words.indices and words.params), self.indices),
        )
        self.composed()
        possible = [way for applies, way in ways if applies]
        for way in rng.sample(possible, min(2, len(possible))):
            way()

    def composed(self) -> None:
        names = [self.a, self.b, f"{self.a}{self.glue}{self.b}"]
        maps = self.rng.sample(self.words.maps, min(3, len(self.words.maps)))
        for one, name in zip(maps, names if len(maps) > 2 else names[::2], strict=False):
            self.maps.give(one, name)

    def own_functions(self) -> None:
        mapping, own = self.rng.choice(self.words.own)
        self.maps.give(mapping, self.a)
        self.formulas.give(own, self.b)
        glued = f"{self.maps.found.get(mapping, self.a)}{self.glue}{self.b}"
        self.formulas.give(self.rng.choice(self.words.functions), glued)

    def symbols(self) -> None:
        self.formulas.give(self.rng.choice(self.others), f"s_{self.a}")
        self.formulas.give(self.rng.choice(self.words.symbols), f"{self.a}_{self.number}")

    def cells(self) -> None:
        other = self.rng.choice(self.others)
        later = self.rng.choice([self.number + 1, self.number + 1, self.number + 1, 0, 3])
        self.formulas.give(self.rng.choice([self.words.cells[0], *self.words.cells]), self.a)
        self.formulas.give(other, f"{self.a}_{self.number}_{self.b}")
        self.formulas.give(self.rng.choice(self.words.attributes), f"{self.b}_{later}")

    def later_edits(self) -> None:
        one, other = self.rng.sample(self.words.params, 2)
        self.formulas.give(one, self.a)
        glued = ("s2{}", "s2{}", "{}_2", "s3{}", "of_{}", "{}2", "own_{}", "{}_own")
        self.formulas.give(other, self.rng.choice(glued).format(self.a))

    def attributes(self) -> None:
        one, other = self.rng.sample(self.words.attributes, 2)
        self.formulas.give(one, self.a)
        self.formulas.give(other, f"{self.a}_{self.b}")
        values = self.rng.sample(self.words.values, min(2, len(self.words.values)))
        for value, name in zip(values, (f"{self.b}_{self.c}", self.c), strict=False):
            self.formulas.give(value, name)

    def fresh(self) -> None:
        name = self.rng.choice(["m", "z", "any", "other", "t", "i", "in", "size", "value"])
        self.formulas.give(self.rng.choice(self.words.cells or self.words.params), name)

    def sorts(self) -> None:
        names = (self.a.upper(), self.a.lower())
        for sort, name in zip(self.rng.sample(self.words.sorts, 2), names, strict=True):
            self.formulas.give(sort, name)

    def records(self) -> None:
        name = self.rng.choice(["x", "y", "z", "t", "n"])
        self.formulas.give(self.rng.choice(self.words.symbols), name)

    def indices(self) -> None:
        self.formulas.give(self.rng.choice(self.words.indices), self.a)
        self.formulas.give(self.rng.choice(self.words.params), f"i_{self.a}")


def renaming(data: Mapping[str, Any], seed: int) -> Renaming:
    """Return an adversarial renaming of a problem that is given as plain data."""
    rng = random.Random(seed)
    words = words_of(data)
    formulas, maps = (_Namer(w, rng) for w in (words.in_formulas(), words.maps))
    _Attack(words, formulas, maps, rng)
    pool = rng.choice([
        (*SOLVER, *SCRIPT), SOLVER, SCRIPT,
        tuple("x" * n for n in range(1, 9)), tuple("x" + "_" * n for n in range(8)),
        tuple(w for s in SOLVER[:9] for w in (s.lower(), s.upper(), s.capitalize())),
    ])  # fmt: skip
    found = formulas.fill(pool)
    shared = [*found.values(), "a", "b", "a_b"]  # names of other things are free for these
    parameters = _Namer(words.parameters, rng, [found[s] for s in words.symbols])
    return Renaming(
        found,
        maps.fill(shared if rng.random() < 0.5 else pool),
        _Namer(words.parts, rng).fill(rng.choice([shared, [*maps.found.values()], pool])),
        parameters.fill(rng.choice([shared, pool, SCRIPT])),
    )


# ---------------------------------------------------------------------------- answers


def _number(data: Any, names: Renaming | None) -> Any:
    """Return an expression of the kernel as plain data, in which the order of items is none."""
    if isinstance(data, list):
        return [_number(x, names) for x in data]
    if not isinstance(data, dict):
        return data
    new = {k: _number(v, names) for k, v in data.items()}
    if names is not None:
        if data.get("op") in {"Param", "Entry", "EntryOf"}:
            new["name"] = names.parameters[data["name"]]
        if data.get("op") in {"Size", "Symbol"}:
            new["name"] = names.words[data["name"]]
        if data.get("op") == "Range":
            new["symbol"] = names.words[data["symbol"]]
        if "sizes" in data:
            new["sizes"] = [s if isinstance(s, int) else names.words[s] for s in data["sizes"]]
    for key in ("items", "groups", "where"):
        if key in new and new.get("op") != "Cases" and new.get("op") != "Apply":
            new[key] = sorted(new[key], key=str)
    if new.get("op") == "Cases":
        new["items"] = sorted(new["items"], key=str)
    return new


def _vector(vector: Sequence[Any], names: Renaming | None) -> tuple[Any, ...]:
    def count(value: object) -> str:
        return str(value) if names is None else names.formula(str(value))

    return tuple(sorted(
        (
            "all" if str(g.count) == "all" else count(g.count),
            tuple(sorted(
                (p if names is None else names.parts[p], str(d) if str(d) == "inf" else count(d))
                for p, d in g.distances
            )),
        )
        for g in vector
    ))  # fmt: skip


def _conditions(derivation: Derivation, names: Renaming | None) -> list[Any]:
    """Return the conditions; a map is known by the parts that read it."""
    rows = []
    for name, condition in derivation.conditions.items():
        kind, _, rest = name.partition("[")
        about = sorted(
            p.name if names is None else names.parts[p.name]
            for p in derivation.problem.bound_parts
            if condition.about == (p.name if kind == "sensitivity" else p.map.name)
        )
        rows.append((kind, about if rest else [], condition.verdict, condition.weakest is None))
    return sorted(rows)


def _said(text: str, names: Renaming | None) -> str:
    """Return a sentence about symbols, with new names.

    From which size on a bound was shown to be tight depends on the databases that the solver finds.
    """
    plain = re.sub(r"\b\d+\b", "n", text)
    if names is None:
        return plain
    return re.sub(r"[A-Za-z_]\w*(?= [<>]?= -?n\b)", lambda m: names.words[m[0]], plain)


def answers(derivation: Derivation | None, names: Renaming | None = None) -> dict[str, Any]:
    """Return all that was found, with new names."""
    if derivation is None:
        return {"verdict": "refused"}
    profile = derivation.profile
    cases = [
        (
            sorted(
                (r.symbol if names is None else names.words[r.symbol], r.low, r.high or 0)
                for r in case.ranges
            ),
            sorted({_vector(v, names) for v in case.vectors}),
            case.attained,
        )
        for case in profile.cases
    ]
    bounds = sorted(
        (
            b.notion,
            b.tight,
            _said(b.tight_note, names),
            b.infinite,
            b.vacuous,
            len(b.text.split()) > 0,
        )
        for b in derivation.bounds
    )
    theorems = {
        notion: [_number(g.as_json(), names) for g in theorem.statement.loss.guarantee]
        for notion, theorem in sorted(derivation.theorems.items())
    }
    return {
        "verdict": derivation.verdict,
        "conditions": _conditions(derivation, names),
        "cases": sorted(cases, key=str),
        "exact": profile.exact, "proved": profile.proved, "vacuous": profile.vacuous,
        "bounds": bounds,
        "theorems": theorems,
    }  # fmt: skip


def _derived(problem: Problem) -> Derivation | None:
    """Return what is derived; nothing where the problem contradicts itself."""
    with budget(CHECKS):
        try:
            return derive(problem)
        except InputError:
            return None


def _chosen(problem: Problem) -> dict[str, str]:
    """Return by part what is called after it: points of curves."""
    return {part: point.name for part, point in points(problem.bound_parts).items()}


def difference(
    problem: Problem, seed: int, before: Derivation | None = None, *, verified: bool = False
) -> str | None:
    """Return what is found otherwise under other names, or None.

    Args:
        problem: with its own names.
        seed: of the renaming.
        before: what was derived of the problem, if that is known.
        verified: verify the certificate of the renamed problem, too.

    Raises:
        LateError: there are too many questions to the solver.
    """
    data = problem_to_json(problem)
    names = renaming(data, seed)
    try:
        renamed = problem_from_json(names.problem(data))
    except InputError as error:
        return f"refused under other names: {error}"
    before = _derived(problem) if before is None else before
    after = _derived(renamed)
    new = _chosen(renamed)
    names.parameters |= {name: new[names.parts[p]] for p, name in _chosen(problem).items()}
    wrong = _differences(answers(before, names), answers(after))
    if not wrong and verified and after is not None and after.theorems:
        text = as_text(certificate(after.theorems, after))
        verdict = verify(read(text.encode())).verdict
        if verdict != after.verdict:
            wrong.append(f"its certificate is {verdict}")
    if not wrong:
        return None
    return "\n".join([*wrong, describe(problem), describe(renamed)])


def _differences(was: Mapping[str, Any], found: Mapping[str, Any]) -> list[str]:
    keys = sorted({*was, *found})
    return [f"{k}:\n  {was.get(k)}\n  {found.get(k)}" for k in keys if was.get(k) != found.get(k)]


def permuted(problem: Problem, seed: int) -> str | None:
    """Return what is found otherwise if maps and parts stand in another order, or None."""
    data = problem_to_json(problem)
    rng = random.Random(seed)
    for key in ("maps", "parts"):
        rng.shuffle(data[key])
    wrong = _differences(*(answers(_derived(p)) for p in (problem, problem_from_json(data))))
    return "\n".join([*wrong, describe(problem)]) if wrong else None


def examples() -> Iterator[tuple[str, Problem]]:
    """Yield the examples that are about pairs of neighbours, with their names."""
    for file in sorted(EXAMPLES.glob("*.toml")):
        spec = load_any(file)
        if isinstance(spec, Spec):
            yield file.stem, spec.problem


# ---------------------------------------------------------------------------- a command


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, and print the differences; exit 1 if there are any."""
    parser = argparse.ArgumentParser(description="rename problems, and compare the answers")
    parser.add_argument("--count", type=int, default=100, help="so many random problems")
    parser.add_argument("--seed", type=int, default=0, help="the first of them")
    parser.add_argument("--examples", type=int, default=0, help="so many renamings of each example")
    chosen = parser.parse_args(arguments)
    late = wrong = asked = 0

    def compare(title: str, find: Callable[[], str | None]) -> None:
        nonlocal late, wrong, asked
        asked += 1
        try:
            found = find()
        except LateError:
            late += 1
            return
        if found is not None:
            wrong += 1
            sys.stdout.write(f"--- {title}\n{found}\n")
            sys.stdout.flush()

    for name, problem in examples() if chosen.examples else ():
        for seed in range(chosen.seed, chosen.seed + chosen.examples):
            compare(
                f"{name}, renaming {seed}",
                lambda p=problem, s=seed: difference(p, s, verified=s % 5 == 0),
            )
    for seed in range(chosen.seed, chosen.seed + chosen.count):
        problem = generate(seed)
        compare(f"random {seed}", lambda p=problem, s=seed: difference(p, s, verified=s % 10 == 0))
        compare(f"random {seed}, permuted", lambda p=problem, s=seed: permuted(p, s))
    sys.stdout.write(f"{asked} compared, {late} too long, {wrong} different\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
