"""Statements that are changed in one place, and whether small worlds refute them.

A change is made in the problem as plain data, so that a statement is written of what the problem
says now; the bound stays what it was.  Small worlds are enumerated: neighbours, and from how far
each part sees them.  A statement that says too much about one of them must not be accepted.
"""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from dpcomp_sym.errors import InputError, UnwrittenError
from dpcomp_sym.finite.enumerate import Enumeration
from dpcomp_sym.finite.sample import sample_world
from dpcomp_sym.model import Problem
from dpcomp_sym.model.serial import problem_from_json
from dpcomp_sym.rocq import rocq_file
from dpcomp_sym.rocq.coqc import STRUCTURE
from dpcomp_sym.rocq.evidence import outline
from dpcomp_sym.rocq.export import written
from dpcomp_sym.rocq.statement import Setting, statement
from tests.rocq.certified import certified

WORLDS = 12
CELLS = 4
MOST_CELLS = 6
MOST_PAIRS = 400
LETTERS = range(-8, 9)
UNKNOWN = Fraction(10**9)
"""What a distance that no path has counts as."""

COMPARED = {"<=": "<", "<": "<=", ">=": ">", ">": ">=", "!=": "==", "==": "!="}
_SIGN = re.compile(r"<=|>=|==|!=|<|>")
_NUMBER = re.compile(r"(?<![\w.])\d+")


@dataclass(frozen=True)
class Mutant:
    """A problem that differs from an example's in one place."""

    example: str
    kind: str
    place: str
    problem: Problem

    @property
    def name(self) -> str:
        """What it is called in a test."""
        return f"{self.example}: {self.kind} in {self.place}"


def _formulas(data: dict[str, Any]) -> Iterator[tuple[dict[str, Any] | list[Any], Any, str]]:
    """Yield where the formulas of a problem stand: what holds them, at which key, and a name."""
    domain = data["domain"]
    yield domain, "cell", "the cells"
    for number in range(len(domain["facts"])):
        yield domain["facts"], number, f"fact {number + 1}"
    for limit in domain["limits"]:
        yield limit, 0, "a limit's key"
    for number, edit in enumerate(data["granularity"]["edits"], 1):
        for key in ("guard", "frame", "step"):
            if edit[key] is not None:
                yield edit, key, f"the {key} of edit {number}"
        for change in edit["change"] or ():
            yield change, 1, f"the change of {change[0]} in edit {number}"
    for mapping in data["maps"]:
        if mapping["member"] is not None:
            yield mapping, "member", f"the blocks of {mapping['name']}"


def _texts(kind: str, text: str, attributes: dict[str, str]) -> Iterator[str]:
    """Yield a formula changed in one place."""
    if kind == "constant":
        for found in _NUMBER.finditer(text):
            yield text[: found.start()] + str(int(found.group()) + 1) + text[found.end() :]
    elif kind == "comparison":
        for found in _SIGN.finditer(text):
            yield text[: found.start()] + COMPARED[found.group()] + text[found.end() :]
    elif kind == "attribute":
        for name, sort in attributes.items():
            for other in (o for o, s in attributes.items() if s == sort and o != name):
                for found in re.finditer(rf"\b{re.escape(name)}\b", text):
                    yield text[: found.start()] + other + text[found.end() :]
    elif kind == "condition" and text != "true":
        yield "true"


def _changed(data: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    attributes = {a: s for a, s in data["domain"]["attributes"] if isinstance(s, str)}
    places = list(_formulas(data))
    for kind in ("constant", "comparison", "attribute", "condition"):
        for number, (holder, key, name) in enumerate(places):
            for text in _texts(kind, str(holder[key]), attributes):
                anew = copy.deepcopy(data)
                other, where, _ = list(_formulas(anew))[number]
                other[where] = text
                yield kind, name, anew
    for number, limit in enumerate(data["domain"]["limits"]):
        anew = copy.deepcopy(data)
        bound = limit[1]
        anew["domain"]["limits"][number][1] = bound + 1 if isinstance(bound, int) else f"{bound}+1"
        yield "constant", "a limit", anew
    for number, mapping in enumerate(data["maps"]):
        if isinstance(mapping["multiplicity"], int | str):
            anew = copy.deepcopy(data)
            anew["maps"][number]["multiplicity"] = f"{mapping['multiplicity']}+1"
            yield "constant", f"the multiplicity of {mapping['name']}", anew
    anew = copy.deepcopy(data)
    anew["granularity"]["edits"].append({
        "params": [["more1", "cell"], ["more2", "cell"]], "guard": "more1 != more2",
        "change": [["more1", "1"], ["more2", "1"]], "frame": None, "step": "true",
    })  # fmt: skip
    yield "edit", "the granularity", anew


def mutants(example: str) -> Iterator[Mutant]:
    """Yield the mutants of an example that are problems, each once."""
    data = certified(example)["problem"]
    seen = {repr(problem_from_json(data))}
    for kind, place, anew in _changed(data):
        try:
            problem = problem_from_json(anew)
        except (InputError, ValueError, TypeError):
            continue
        if repr(problem) not in seen:
            seen.add(repr(problem))
            yield Mutant(example, kind, place, problem)


def text_of(mutant: Mutant) -> str | None:
    """Return a file about it; its proof is made for it, or else that of the example.

    None is returned where the statement cannot be written.
    """
    found = replace(outline(certified(mutant.example)), problem=mutant.problem)
    try:
        return written(found)
    except (UnwrittenError, ValueError):
        pass
    try:
        said = statement(
            Setting(found.problem, found.notion), found.bound, found.where, found.delta
        )
    except UnwrittenError:
        return None
    head, mark, proof = rocq_file(certified(mutant.example)).partition(STRUCTURE)
    return f"{head.splitlines()[0]}\n{said}\n{mark}{proof}"


# ------------------------------------------------------------- enumeration


class Numbers:
    """What a bound is, from the definition, for numbers of blocks and random guarantees."""

    def __init__(self, rng: random.Random, sizes: dict[str, int]) -> None:
        self.rng, self.sizes = rng, sizes
        self.known: dict[tuple[str, tuple[int, ...]], Fraction] = {}

    def eps(self, name: str | Fraction, block: tuple[int, ...]) -> Fraction:
        """Return the guarantee of a part in a block; () stands for one without blocks."""
        if not isinstance(name, str):
            return Fraction(name)
        if (name, block) not in self.known:
            self.known[name, block] = Fraction(self.rng.choice([1, 2, 3, 5, 8]))
        return self.known[name, block]

    def of(self, e: Any, block: tuple[int, ...] = (), letters: tuple[int, ...] = ()) -> Fraction:
        """Return a bound."""
        match e["op"]:
            case "Num":
                return Fraction(e["value"])
            case "Size":
                return Fraction(self.sizes[e["name"]])
            case "Amount":
                return Fraction(max(0, self.whole(e["of"], block, letters)))
            case "Param":
                return self.eps(e["name"], ())
            case "Entry":
                return self.eps(e["name"], block)
            case "EntryOf":
                return self.eps(e["name"], tuple(e["block"]))
            case "Sum":
                return sum((self.of(x, block, letters) for x in e["items"]), Fraction(0))
            case "Product":
                found = Fraction(1)
                for x in e["items"]:
                    found *= self.of(x, block, letters)
                return found
            case "Max":
                return max(self.of(x, block, letters) for x in e["items"])
            case "MaxOver":
                every = product(LETTERS, repeat=e["free"])
                held = [p for p in every if self.holds(e["facts"], (), p)]
                return max((self.of(e["body"], (), p) for p in held), default=Fraction(0))
            case "SumOver":
                some = [i for i in self.blocks(e) if self.holds(e["when"], i, letters)]
                return sum((self.of(e["value"], i, letters) for i in some), Fraction(0))
            case "Worst":
                (group,) = e["groups"]
                values = sorted((self.of(group["value"], i) for i in self.blocks(e)), reverse=True)
                infinite = group["count"]["op"] == "Inf"
                return sum(values if infinite else values[: int(self.of(group["count"]))])
        raise AssertionError(e)

    def blocks(self, e: Any) -> Iterator[tuple[int, ...]]:
        """Yield the blocks of a family."""
        sizes = (self.sizes[size] if isinstance(size, str) else size for size in e["sizes"])
        return product(*(range(1, size + 1) for size in sizes))

    def holds(self, e: Any, block: tuple[int, ...], letters: tuple[int, ...]) -> bool:
        """Return whether a condition on a block holds."""
        if e["op"] == "Compared":
            left, right = (self.whole(e[x], block, letters) for x in ("left", "right"))
            return {"lt": left < right, "le": left <= right, "eq": left == right,
                    "ne": left != right}[e["word"]]  # fmt: skip
        values = [self.holds(x, block, letters) for x in e["items"]]
        return {"and": all(values), "or": any(values), "not": not any(values)}[e["word"]]

    def whole(self, e: Any, block: tuple[int, ...], letters: tuple[int, ...]) -> int:
        """Return an integer of a condition."""
        match e["op"]:
            case "Integer":
                return int(e["value"])
            case "Symbol":
                return self.sizes[e["name"]]
            case "Letter":
                return letters[e["number"] - 1]
            case "Index":
                return block[e["number"] - 1]
        items = [self.whole(x, block, letters) for x in e["items"]]
        match e["word"]:
            case "add":
                return sum(items)
            case "mul":
                return prod(items)
            case "neg":
                return -items[0]
            case "div":
                return items[0] // items[1]
            case "mod":
                return items[0] % items[1]
            case "pow":
                return max(items[0], 1) ** max(items[1], 0)
            case "min":
                return min(items)
            case "max":
                return max(items)
        raise AssertionError(e)


def is_refuted(problem: Problem, bound: Any, where: Any = (), worlds: int = WORLDS) -> bool:
    """Return whether neighbours in a small world lose more than a bound."""
    for seed in range(worlds):
        world = sample_world(problem, seed, CELLS)
        if world is None or len(world.cells) > MOST_CELLS:
            continue
        sizes = dict(world.symbols)
        if any(sizes[s] < low or (high is not None and sizes[s] > high) for s, low, high in where):
            continue
        rng = random.Random(seed)
        numbers, enumeration = Numbers(rng, sizes), Enumeration(problem, world, 1)
        most = numbers.of(bound)
        pairs = enumeration.pairs
        for old, new in rng.sample(pairs, min(len(pairs), MOST_PAIRS)):
            if _cost(enumeration, numbers, old, new) > most:
                return True
    return False


def _cost(enumeration: Enumeration, numbers: Numbers, old: Any, new: Any) -> Fraction:
    """Return what the parts lose together between two databases."""
    total = Fraction(0)
    for part in enumeration.problem.bound_parts:
        given = dict(part.guarantees)
        eps = (given.get("pure") or given["approximate"])[0]
        for index in enumeration.world.blocks(part.map):
            view = enumeration.view(enumeration.world, part.map, index)
            steps = enumeration.distance(part, view, old, new)
            far = Fraction(steps) if steps < UNKNOWN else UNKNOWN
            total += far * numbers.eps(eps, tuple(index))
    return total
