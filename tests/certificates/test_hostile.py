"""Certificates that want to do harm are rejected, soon and without a traceback."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from dpcomp_sym.certificates.recheck import verify
from dpcomp_sym.certificates.write import write
from dpcomp_sym.replay import SCHEMA, RejectedError, UnreadableError, read, replay, seal
from dpcomp_sym.replay.check import FIELDS
from tests.command import dpcomp

ROOT = Path(__file__).resolve().parents[2]
HEAD = f'{{"schema": "{SCHEMA}", '


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        "[]",
        "{}",
        '"text"',
        "null",
        '{"schema": "dpcomp-certificate/1"}',
        HEAD + '"x": 1.5}',
        HEAD + '"x": 1e3}',
        HEAD + '"x": NaN}',
        HEAD + '"x": Infinity}',
        HEAD + '"x": ' + "9" * 5000 + "}",
        HEAD + '"x": -' + "9" * 30 + "}",
        HEAD + '"x": 1, "x": 2}',
        HEAD + '"x": ' + "[" * 100_000 + "]" * 100_000 + "}",
        HEAD + '"x": ' + "[" * 200 + "]" * 200 + "}",
        HEAD + '"x": ' + '{"a":' * 500 + "1" + "}" * 500 + "}",
    ],
)
def test_no_certificate(text):
    with pytest.raises(UnreadableError):
        read(text.encode())


def test_bytes_that_are_no_text():
    with pytest.raises(UnreadableError):
        read(b"\xff\xfe\x00")


def document(terms=(), steps=(), **extra):
    found = {name: [] for name in FIELDS}
    found.update(schema=SCHEMA, verdict="proved", terms=list(terms), steps=list(steps), **extra)
    return found


def step(number, rule, arguments, statement, premises=(), digest="0"):
    return {
        "step": number,
        "rule": rule,
        "arguments": arguments,
        "premises": list(premises),
        "statement": statement,
        "digest": digest,
    }


A = {"op": "Param", "name": "a"}
LEQ = {"op": "BoundLeq", "left": A, "right": A, "where": []}


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("fields", {"schema": SCHEMA}, "exactly the fields"),
        ("more", {**document(), "more": 1}, "exactly the fields"),
        ("own premise", [step(1, "root", {"leq": {"step": 1}}, LEQ, [1])], "earlier step"),
        ("later premise", [step(1, "root", {"leq": {"step": 2}}, LEQ, [2])], "earlier step"),
        ("step 0", [step(1, "root", {"leq": {"step": 0}}, LEQ, [0])], "earlier step"),
        ("true", [step(1, "root", {"leq": {"step": True}}, LEQ, [1])], "earlier step"),
        ("text", [step(1, "root", {"leq": {"step": "1"}}, LEQ, [1])], "earlier step"),
        ("statement", [step(1, "root", {"leq": LEQ}, LEQ)], "a premise"),
        ("rule", [step(1, "admit", {}, LEQ)], "no rule"),
        ("private", [step(1, "says", {}, LEQ)], "no rule"),
        ("no name", [step(1, None, {}, LEQ)], "no rule"),
        ("list", [step(1, [], {}, LEQ)], "no rule"),
        ("number", [step(2, "given", {}, LEQ)], "numbered"),
        ("no step", [[]], "a step"),
        ("leaf", [step(1, "given", {"statement": LEQ, "tag": "input"}, LEQ)], "only guarantees"),
        (
            "oracle",
            [step(1, "oracle", {"statement": LEQ, "kind": "smt", "tag": "x"}, LEQ)],
            "is only about structure",
        ),
        (
            "digest",
            [step(1, "bounded_polynomial", {"left": A, "right": A, "where": []}, LEQ)],
            "digest",
        ),
        ("itself", document(terms=[{"ref": 0}]), "nowhere"),
        ("forward", document(terms=[{"op": "Sqrt", "of": {"ref": 1}}, A]), "nowhere"),
        ("backward", document(terms=[{"ref": -1}]), "nowhere"),
        ("unused", document(terms=[A]), "used nowhere"),
        ("no op", document(terms=[{"op": "eval", "name": "x"}]), "no term"),
        ("op", document(terms=[{"op": {}, "name": "x"}]), "no term"),
        ("field", document(terms=[{**A, "more": 1}]), "other fields"),
        (
            "kind",
            document(terms=[{"op": "Sqrt", "of": {"op": "Joint", "items": []}}]),
            "is not a Expr",
        ),
        ("conclusion", document(conclusions=[{"notion": "pure"}]), "a conclusion"),
        ("trust", document(trust=[1]), "trust"),
    ],
)
def test_steps_that_are_none(name, data, reason):
    del name
    data = document(steps=data) if isinstance(data, list) else data
    with pytest.raises(RejectedError, match=reason):
        replay(data)


def doubling(depth):
    return [A, *({"op": "Sum", "items": [{"ref": n}, {"ref": n}]} for n in range(depth))]


def product(count):
    item = {"op": "Sum", "items": [{"op": "Param", "name": f"p{i}"} for i in range(30)]}
    return {"op": "Product", "items": [item] * count}


def nested(depth):
    term = A
    for _ in range(depth):
        term = {"op": "Sqrt", "of": term}
    return term


def polynomial(term):
    leq = {"op": "BoundLeq", "left": term, "right": A, "where": []}
    return [step(1, "bounded_polynomial", {"left": term, "right": A, "where": []}, leq)]


@pytest.mark.parametrize(
    "data",
    [
        document(terms=doubling(60)),
        document(terms=doubling(25)),
        document(steps=polynomial(product(20))),
        document(steps=polynomial(nested(100))),
        document(steps=polynomial({"op": "Num", "value": "1" * 100_000})),
        document(steps=polynomial({"op": "Num", "value": "1/" + "3" * 1000})),
        document(steps=[{}] * 100_000),
    ],
)
def test_bombs_are_rejected_soon(data):
    start = time.perf_counter()
    with pytest.raises(RejectedError):
        replay(data)
    assert time.perf_counter() - start < 20


def many(count, sizes):
    from dpcomp_sym import kernel as k

    base = k.Param("a")
    left = k.Worst(sizes, (k.Choice(count, base),))
    where = []
    leq = {"op": "BoundLeq", "left": left.as_json(), "right": left.as_json(), "where": where}
    arguments = {"left": left.as_json(), "right": left.as_json(), "base": base.as_json()}
    return document(steps=[step(1, "abel", {**arguments, "where": where}, leq)])


def test_large_counts_are_rejected():
    from fractions import Fraction

    from dpcomp_sym import kernel as k

    with pytest.raises(RejectedError, match="small whole number"):
        replay(many(k.Num(Fraction(10**15)), ("k",)))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("domain", "cell"), "(" * 3000 + "true" + ")" * 3000),
        (("domain", "cell"), "__import__('os')"),
        (("domain", "cap"), 10**17),
        (("domain", "attributes"), []),
        (("granularity", "group"), 100),
        (("granularity", "edits"), []),
        (("parts",), []),
        (("maps",), []),
        (("title",), "x" * 10**6),
        (("title",), None),
    ],
    ids=range(10),
)
def test_problems_that_are_none(library, path, value):
    data = json.loads(json.dumps(library.certificate("unbounded-partition")))
    target = data["problem"]
    for name in path[:-1]:
        target = target[name]
    target[path[-1]] = value
    data["seal"] = seal(data)
    with pytest.raises(RejectedError):
        verify(data)


# ------------------------------------------------------------- the command line


def test_exit_statuses(tmp_path):
    file, scripts = tmp_path / "c.json", tmp_path / "scripts"
    done = dpcomp("derive", ROOT / "examples/label-dp.toml", "--certificate", file)
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["c.json"]
    done = dpcomp("verify", file, "--scripts", scripts)
    assert done.returncode == 0
    assert done.stdout.startswith("verified: ")
    assert "label-private" in done.stdout or "label" in done.stdout
    assert all(p.read_text().endswith("(check-sat)\n") for p in scripts.iterdir())
    assert json.loads(dpcomp("verify", file, "--json").stdout)["verdict"] == "proved"
    data = json.loads(file.read_text())
    data["steps"][2]["statement"] = data["steps"][1]["statement"]
    file.write_text(json.dumps(data))
    done = dpcomp("verify", file)
    assert (done.returncode, done.stderr) == (1, "")
    assert "step 3" in done.stdout
    assert json.loads(dpcomp("verify", file, "--json").stdout)["verdict"] == "refuted"
    file.write_text("{")
    assert dpcomp("verify", file).returncode == 2
    assert dpcomp("verify", tmp_path / "none.json").returncode == 2


def test_writing_leaves_the_old_file_or_the_new_one(tmp_path):
    file = tmp_path / "c.json"
    write({"a": 1}, file)
    with pytest.raises(TypeError):
        write({"a": object()}, file)
    assert json.loads(file.read_text()) == {"a": 1}
    assert list(tmp_path.iterdir()) == [file]
    with pytest.raises(OSError, match="none"):
        write({"a": 1}, tmp_path / "none" / "c.json")
