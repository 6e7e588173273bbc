"""Reading a certificate and going through its steps again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from dpcomp_sym.replay.rules import LEAVES, RULES
from dpcomp_sym.replay.terms import Node, Reader, RejectedError, TooLargeError, digest_of, need

__all__ = ["FIELDS", "SCHEMA", "Leaf", "Replayed", "UnreadableError", "read", "replay", "seal"]

SCHEMA: Final = "dpcomp-certificate/2"
FIELDS: Final = (
    "schema", "problem", "verdict", "conditions", "profile", "evidence", "terms", "steps", "trust",
    "conclusions", "seal",
)  # fmt: skip
MOST_BYTES: Final = 32_000_000
MOST_STEPS: Final = 5_000
MOST_TERMS: Final = 50_000
MOST_DEPTH: Final = 120


class UnreadableError(ValueError):
    """This is not a certificate at all."""


@dataclass(frozen=True)
class Leaf:
    """Something the conclusions rest on: its step, kind, tag and statement."""

    step: int
    kind: str
    tag: str
    statement: Node


@dataclass(frozen=True)
class Replayed:
    """What the steps of a certificate prove, and from what.

    ``statements`` are those of the steps, ``conclusions`` those by notion, and ``rests_on`` the
    numbers of the leaves of each.
    """

    leaves: tuple[Leaf, ...]
    conclusions: Mapping[str, Node]
    rests_on: Mapping[str, tuple[int, ...]]
    statements: tuple[Node, ...]


# ------------------------------------------------------------- reading


def read(content: bytes) -> dict[str, Any]:
    """Return the JSON document of a certificate.

    Raises:
        UnreadableError: it is not JSON, has floats, huge integers, the same key twice or too deep a
            nesting, or does not call itself a certificate of this version.

    >>> read(b'{"schema": "dpcomp-certificate/2"}')
    {'schema': 'dpcomp-certificate/2'}
    >>> read(b'{"schema": 1.5}')
    Traceback (most recent call last):
    dpcomp_sym.replay.check.UnreadableError: numbers with a point are not allowed: 1.5
    """
    if len(content) > MOST_BYTES:
        raise UnreadableError(f"more than {MOST_BYTES} bytes")
    try:
        data = json.loads(
            content.decode("utf-8"),
            parse_float=_no_float,
            parse_constant=_no_float,
            parse_int=_small_int,
            object_pairs_hook=_unique,
        )
    except UnicodeDecodeError:
        raise UnreadableError("this is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise UnreadableError(f"this is not JSON: {error}") from None
    except RecursionError:
        raise UnreadableError("the nesting is too deep") from None
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise UnreadableError(f'the schema must be "{SCHEMA}"')
    _shallow(data)
    return data


def _no_float(text: str) -> NoReturn:
    raise UnreadableError(f"numbers with a point are not allowed: {text[:40]}")


def _small_int(text: str) -> int:
    if len(text) > 19:
        raise UnreadableError(f"the number {text[:20]}… is too large")
    return int(text)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise UnreadableError("a key occurs twice in one object")
    return found


def _shallow(data: Any) -> None:
    layer, depth = [data], 0
    while layer:
        depth += 1
        if depth > MOST_DEPTH:
            raise UnreadableError("the nesting is too deep")
        layer = [
            child
            for item in layer
            for child in (
                item.values() if isinstance(item, dict) else item if isinstance(item, list) else ()
            )
            if isinstance(child, dict | list)
        ]


def seal(data: Mapping[str, Any]) -> str:
    """Return the SHA-256 of all fields but the seal: a certificate is one whole.

    The seal finds accidents; whatever matters is checked anew, whether the seal is right or not.
    """
    rest = {name: value for name, value in data.items() if name != "seal"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


# ------------------------------------------------------------- the steps


def replay(data: Mapping[str, Any]) -> Replayed:
    """Apply every rule of a certificate again.

    Raises:
        RejectedError: the message says in which step, and why.
    """
    try:
        return _Player(data).play()
    except RecursionError:
        raise RejectedError("a term is nested too deeply") from None


def _keys(data: Any, names: tuple[str, ...], what: str) -> dict[str, Any]:
    if type(data) is not dict or set(data) != set(names):
        raise RejectedError(f"{what} must have exactly the fields {', '.join(names)}")
    return data


def _alike(left: Any, right: Any) -> bool:
    """Return whether plain data are written alike: 1 is not true."""
    return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)


def _rows(data: Any, what: str, most: int) -> list[Any]:
    if type(data) is not list:
        raise RejectedError(f"{what} must be a list")
    if len(data) > most:
        raise TooLargeError(f"{what} must be a list of at most {most} entries")
    return data


class _Player:
    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = _keys(data, FIELDS, "a certificate")
        self.reader = Reader()
        self.statements: list[Node] = []
        self.rests_on: list[frozenset[int]] = []
        self.leaves: list[Leaf] = []
        self.used: set[int] = set()
        self.memo: dict[int, tuple[Node, str]] = {}

    def play(self) -> Replayed:
        need(self.data["schema"] == SCHEMA, "another schema")
        for number, entry in enumerate(_rows(self.data["terms"], "terms", MOST_TERMS)):
            try:
                self.reader.entry(entry)
            except RejectedError as error:
                raise type(error)(f"term {number}: {error}") from None
        for number, entry in enumerate(_rows(self.data["steps"], "steps", MOST_STEPS), 1):
            try:
                self._step(number, entry)
            except RejectedError as error:
                rule = entry.get("rule") if isinstance(entry, dict) else None
                name = f" ({rule})" if isinstance(rule, str) and rule in RULES else ""
                raise type(error)(f"step {number}{name}: {error}") from None
        conclusions, rests_on = self._conclusions()
        unused = set(range(len(self.reader.table))) - self.reader.used
        need(not unused, f"term {min(unused, default=0)} is used nowhere")
        idle = set(range(1, len(self.statements) + 1)) - self.used
        need(not idle, f"step {min(idle, default=0)} is used nowhere")
        self._trust()
        return Replayed(tuple(self.leaves), conclusions, rests_on, tuple(self.statements))

    def _step(self, number: int, entry: Any) -> None:
        names = ("step", "rule", "arguments", "premises", "statement", "digest")
        step = _keys(entry, names, "a step")
        need(type(step["step"]) is int and step["step"] == number, "steps are numbered from 1")
        rule = step["rule"]
        if type(rule) is not str or rule not in RULES:
            raise RejectedError(f"there is no rule {str(rule)[:40]!r}")
        signature, function = RULES[rule]
        given = _keys(step["arguments"], tuple(n for n, _ in signature), "the arguments")
        premises: list[int] = []
        values = [self._argument(given[n], kind, premises) for n, kind in signature]
        need(_alike(step["premises"], premises), f"the premises are {premises}")
        conclusion = function(*values)
        stated = self.reader.value(step["statement"], "Statement")
        need(conclusion == stated, "the rule does not give this statement")
        need(step["digest"] == digest_of(conclusion, self.memo), "the digest differs")
        self.statements.append(conclusion)
        below = frozenset().union(*(self.rests_on[p - 1] for p in premises))
        if rule in LEAVES:
            kind = values[1] if rule == "oracle" else "given"
            self.leaves.append(Leaf(number, kind, values[-1], conclusion))
            below |= {number}
        self.rests_on.append(below)
        self.used |= set(premises)

    def _argument(self, data: Any, kind: str, premises: list[int]) -> Any:
        if kind == "|-*":
            rows = _rows(data, "premises", MOST_STEPS)
            return tuple(self._argument(d, "|-", premises) for d in rows)
        if kind != "|-":
            return self.reader.value(data, kind)
        number = _keys(data, ("step",), "a premise")["step"]
        if type(number) is not int or not 1 <= number <= len(self.statements):
            raise RejectedError("a premise must be an earlier step")
        premises.append(number)
        return self.statements[number - 1]

    def _conclusions(self) -> tuple[dict[str, Node], dict[str, tuple[int, ...]]]:
        conclusions: dict[str, Node] = {}
        rests_on: dict[str, tuple[int, ...]] = {}
        for entry in _rows(self.data["conclusions"], "conclusions", 10):
            row = _keys(entry, ("notion", "step", "digest", "rests_on"), "a conclusion")
            number = row["step"]
            if type(number) is not int or not 1 <= number <= len(self.statements):
                raise RejectedError("a conclusion must be a step")
            statement = self.statements[number - 1]
            need(statement[0] == "Private" and statement[2] == row["notion"], "another notion")
            need(row["notion"] not in conclusions, "two conclusions in one notion")
            need(row["digest"] == digest_of(statement, self.memo), "a conclusion's digest is wrong")
            below = sorted(self.rests_on[number - 1])
            need(_alike(row["rests_on"], below), f"the {row['notion']} bound rests on {below}")
            conclusions[row["notion"]] = statement
            rests_on[row["notion"]] = tuple(below)
            self.used.add(number)
        return conclusions, rests_on

    def _trust(self) -> None:
        rows = _rows(self.data["trust"], "trust", MOST_STEPS)
        expected = [
            {
                "step": leaf.step,
                "kind": leaf.kind,
                "tag": leaf.tag,
                "digest": digest_of(leaf.statement, self.memo),
            }
            for leaf in self.leaves
        ]
        need(_alike(rows, expected), "the trust is not that of the leaves")
