"""Finding, running and showing the entries of the library.

>>> found = entries()
>>> "private_sum_of_adaptive_sequential" in found
True
"""

from __future__ import annotations

import ast
import inspect
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from functools import partial
from typing import Any

from dpcomp_sym.errors import InputError, nearest
from dpcomp_sym.kept import Kept, fingerprint
from dpcomp_sym.kernel import RULES, KernelError, Theorem, dag
from dpcomp_sym.report.article import in_words
from dpcomp_sym.report.formulas import Symbols
from dpcomp_sym.report.text import wrapped
from theorems import _papers, _rocq
from theorems._entry import (
    Argued,
    Asked,
    CheckedInScope,
    Computed,
    Defined,
    Discharged,
    Entry,
    Fallen,
    NotKnown,
    Refutation,
    rule_of,
    status_of,
    unproved_steps,
)
from theorems._facts import named
from theorems._rows import entries, row_order

__all__ = [
    "Outcome",
    "came_out",
    "entries",
    "entry_as_json",
    "index_text",
    "row_order",
    "rows",
    "run",
    "select",
    "shown",
    "told",
    "verify",
]


@dataclass(frozen=True)
class Outcome:
    """What came of running one entry.

    ``status`` is None and ``failure`` says why where the body did not come out as declared;
    ``trust`` names all that the evidence rests on; ``scope`` qualifies what is only checked, says
    why something is unknown, which steps are prose, and which rule of the kernel is stated.
    ``evidence`` is there if it was asked for, as plain data.
    """

    name: str
    rows: tuple[str, ...]
    declared: str
    status: str | None
    seconds: float
    trust: tuple[str, ...] = ()
    scope: str = ""
    failure: str = ""
    evidence: tuple[Mapping[str, Any], ...] = ()

    @property
    def holds(self) -> bool:
        """Whether the entry came out as stated."""
        return self.status == self.declared

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Outcome:
        """Return the outcome whose fields are these, after they were written as JSON."""
        lists = {name: tuple(data[name]) for name in ("rows", "trust", "evidence")}
        return cls(**{**data, **lists})


def rows(chosen: Iterable[Entry]) -> dict[str, list[Entry]]:
    """Return the entries by row, rows in the order of the papers."""
    found: dict[str, list[Entry]] = {}
    for entry in chosen:
        for row in entry.rows:
            found.setdefault(row, []).append(entry)
    return {row: found[row] for row in sorted(found, key=row_order)}


def select(ids: Sequence[str]) -> dict[str, Entry]:
    """Return the entries that rows, names, patterns or the papers' own words stand for.

    Without any, all of them.

    Raises:
        InputError: an id is unknown; the message has the nearest one.
    """
    known = entries()
    if not ids:
        return dict(known)
    by_row = rows(known.values())
    found: dict[str, Entry] = {}
    for word in ids:
        if word in known:
            found[word] = known[word]
        elif word in by_row:
            found |= {entry.name: entry for entry in by_row[word]}
        elif some := [row for row in by_row if fnmatchcase(row, word)]:  # such as "HBW.*"
            found |= {entry.name: entry for row in some for entry in by_row[row]}
        elif meant := _papers.found(word):
            found |= {e.name: e for item in meant for row in item.rows for e in by_row[row]}
            for item in meant:
                if item.reason:
                    raise InputError(f"{item} is not a statement: {item.reason}", word=word)
        elif some := [row for row in by_row if _is_meant(row, word.lower())]:
            found |= {entry.name: entry for row in some for entry in by_row[row]}
        else:
            hint = nearest(word, [*by_row, *known])
            raise InputError(f"the library has no theorem '{word}'; {hint}", word=word)
    return found


def _is_meant(row: str, word: str) -> bool:
    """Return whether a word is a row, or the number of one that a paper gives to a section.

    >>> _is_meant("GB24.III-A", "section iii-a"), _is_meant("GB24.III-A", "iii")
    (True, False)
    """
    name = row.lower()
    return word.removeprefix("section ").removeprefix("§") in {name, name.partition(".")[2]}


# ------------------------------------------------------------------ running


def _trust(evidence: Any) -> Iterator[str]:
    first = _each(evidence)[0]
    for one in _each(evidence):
        match one:
            case CheckedInScope() if one is not first:
                pass  # a second look at what the others establish
            case Theorem():
                yield from (t.kind if t.kind == "smt" else f"{t.kind}: {t.tag}" for t in one.trust)
            case Discharged(by):
                yield by
            case CheckedInScope() | Defined():
                yield "finite"
            case Refutation() | Computed():
                yield "exact evaluation"
            case Asked():
                yield "smt"
            case _:
                pass
        if any(True for _ in _prose(one)):
            yield "prose"


def _prose(one: Any) -> Iterator[str]:
    """Yield the steps of a proof that are prose."""
    match one:
        case Theorem():
            yield from unproved_steps(one)
        case Discharged(_, _, argument) if argument:
            yield argument
        case Argued(step):
            yield step
        case _:
            pass


def _rule(theorem: Theorem, rows: Sequence[str]) -> dict[str, str] | None:
    """Return the rule that a theorem states, with its source and its argument."""
    step = rule_of(theorem, rows)
    if step is None:
        return None
    return {
        "rule": step.rule,
        "source": step.source,
        "figure": (inspect.getdoc(RULES[step.rule]) or "").partition("Raises:")[0].strip(),
    }


def _scope(evidence: Any, rows: Sequence[str]) -> str:
    said = []
    first = _each(evidence)[0]
    for one in _each(evidence):
        said += [f"in prose: {step}" for step in _prose(one)]
        match one:
            case CheckedInScope(scope, cases):
                besides = "" if one is first else "besides, checked: "
                said.append(f"{besides}{scope} ({cases} cases)")
            case Defined(CheckedInScope(scope, cases)):
                said.append(f"a definition; its reading: {scope} ({cases} cases)")
            case NotKnown(reason):
                said.append(reason)
            case Asked(verdict=answer):
                said.append(str(getattr(answer, "reason", "") or getattr(answer, "scope", "")))
            case Theorem():
                shown = _rule(one, rows)
                said.append(f"states the rule {shown['rule']}" if shown else "")
            case _:
                pass
    return "; ".join(s for s in dict.fromkeys(said) if s)


def run(name: str, *, telling: bool = False) -> Outcome:
    """Run one entry; whatever goes wrong is the outcome.  ``telling``: with the evidence."""
    entry = entries()[name]
    start = time.perf_counter()
    try:
        evidence = entry.body()
        status = came_out(entry, evidence)
    except Exception as error:  # noqa: BLE001 - an entry that breaks has fallen, the others go on
        why = str(error) if isinstance(error, Fallen | KernelError) else repr(error)
        return Outcome(
            name, entry.rows, entry.status, None, time.perf_counter() - start, failure=why
        )
    told = (*_in_rocq(entry), *_told(evidence, entry.rows)) if telling else ()
    failure = "" if status == entry.status else f"came out as {status}, declared {entry.status}"
    return Outcome(
        name, entry.rows, entry.status, status if not failure else None,
        time.perf_counter() - start,
        ("Rocq",) if status == "rocq" else tuple(sorted(set(_trust(evidence)))),
        f"checked by coqc: {', '.join(_rocq.words(name))}" if status == "rocq"
        else _scope(evidence, entry.rows),
        failure, told,
    )  # fmt: skip


def came_out(entry: Entry, evidence: Any) -> str:
    """Return the status: that of the evidence, or rocq where Rocq proves what is not derived."""
    found = status_of(evidence, entry.rows)
    return "rocq" if found in {"rule", "argued"} and _rocq.whole(entry.name) else found


def _each(evidence: Any) -> tuple[Any, ...]:
    return evidence if isinstance(evidence, tuple) else (evidence,)


def verify(
    names: Sequence[str],
    jobs: int = 1,
    progress: Callable[[Outcome], None] | None = None,
    *,
    telling: bool = False,
    kept: Kept | None = None,
) -> dict[str, Outcome]:
    """Run entries, several at a time, and tell of each one that is done.

    What came out as declared is ``kept``, and need not run again; never where evidence is asked
    for.
    """
    kept = Kept(None) if kept is None or telling else kept
    found = {
        name: Outcome.read(known)
        for name in names if (known := kept.find(_question(name))) is not None
    }  # fmt: skip
    for outcome in _each_run([n for n in names if n not in found], jobs, telling=telling):
        found[outcome.name] = outcome
        if outcome.holds:
            kept.keep(_question(outcome.name), asdict(outcome))
        if progress:
            progress(outcome)
    return {name: found[name] for name in names}


def _question(name: str) -> tuple[str, ...]:
    """Return all that an outcome depends on, for :class:`dpcomp_sym.kept.Kept`."""
    return "theorem", fingerprint("theorems"), name


def _each_run(names: Sequence[str], jobs: int, *, telling: bool) -> Iterator[Outcome]:
    """Yield the outcomes of entries, several at a time, as they are there."""
    job = partial(run, telling=telling)
    if jobs <= 1 or len(names) <= 1:
        yield from map(job, names)
        return
    import multiprocessing
    import signal
    from concurrent.futures import ProcessPoolExecutor, as_completed

    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(
        min(jobs, len(names)), context, signal.signal, (signal.SIGINT, signal.SIG_IGN)
    )
    try:
        for future in as_completed([pool.submit(job, name) for name in names]):
            yield future.result()
    except BaseException:  # an interruption ends what is being done, too
        pool.shutdown(wait=False, cancel_futures=True)
        for child in multiprocessing.active_children():
            child.terminate()
        raise
    pool.shutdown()


def told(outcomes: Mapping[str, Outcome]) -> list[dict[str, Any]]:
    """Return the entries that were run in their JSON form, with status and evidence found.

    An entry that failed is reported with its failure and no evidence.
    """
    found = []
    for name, outcome in outcomes.items():
        document = entry_as_json(entries()[name])
        document["status"] = outcome.status or "fallen"
        document["evidence"] = list(outcome.evidence)
        if outcome.failure:
            document["note"] = f"It has fallen: {outcome.failure}"
        found.append(document)
    return found


# ------------------------------------------------------------------ showing


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(_plain(k)): _plain(v) for k, v in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(v) for v in value]
    if isinstance(value, set | frozenset):
        return sorted((_plain(v) for v in value), key=str)
    return value if value is None or isinstance(value, bool | int | str) else str(value)


def _steps(theorem: Theorem) -> list[dict[str, Any]]:
    steps = dag(theorem)
    number = {id(step): n for n, step in enumerate(steps, 1)}
    return [
        {
            "step": n,
            "statement": step.statement.text(),
            "marked": list(in_words(step.statement, Symbols())),
            "rule": step.rule,
            "source": step.source or None,
            "uses": [number[id(p)] for p in step.premises],
        }
        for n, step in enumerate(steps, 1)
    ]


def _rests_on(theorem: Theorem) -> list[str]:
    """Return what a derivation takes from elsewhere, with the steps that take it."""
    found: dict[str, list[int]] = {}
    for number, step in enumerate(dag(theorem), 1):
        if step.rule not in {"given", "oracle"}:
            continue
        arguments = dict(step.arguments)
        kind, tag = arguments.get("kind", "given"), str(arguments["tag"])
        said = "decided by a solver" if kind == "smt" else f"{kind}: {tag}"
        said = tag if kind == "witness" else said
        found.setdefault(said, []).append(number)
    edits = sorted(
        f"given: that these are all {t.tag}"
        for t in theorem.trust
        if t.kind == "given" and t.tag.startswith("edits of ")
    )
    steps = [
        f"{said} (step{'s' * (len(n) > 1)} {', '.join(map(str, n))})" for said, n in found.items()
    ]
    return steps + edits


def _told(evidence: Any, rows: Sequence[str]) -> tuple[dict[str, Any], ...]:
    return tuple(_evidence_as_json(one, rows) for one in _each(evidence))


def _in_rocq(entry: Entry) -> Iterator[dict[str, Any]]:
    if found := _rocq.statements(entry.name):
        only = _rocq.index()["only"].get(entry.name, "")
        yield {"kind": "rocq", "theorems": found, "only": only}


def _evidence_as_json(one: Any, rows: Sequence[str]) -> dict[str, Any]:
    match one:
        case Theorem():
            return {
                "kind": "derivation", "steps": _steps(one), "trust": _rests_on(one),
                "states": _rule(one, rows), "prose": list(_prose(one)),
                "names": [list(pair) for pair in named(one)],
            }  # fmt: skip
        case Asked(about, question, answer):
            return {
                "kind": "question", "about": dict(about), "question": question,
                "verdict": answer.word,
                "scripts": len(getattr(answer, "scripts", ())),
            }  # fmt: skip
        case Refutation(claim, data):
            return {"kind": "counterexample", "claim": claim, "data": _plain(data)}
        case Computed(stated, found):
            return {"kind": "figures", "stated": _plain(stated), "found": _plain(found)}
        case CheckedInScope(scope, cases):
            return {"kind": "check", "scope": scope, "cases": cases}
        case Defined(CheckedInScope(scope, cases)):
            return {"kind": "definition", "scope": scope, "cases": cases}
        case Discharged(by, obligations, argument):
            said = [{"statement": text, "asked": o.asked} for text, o in obligations.items()]
            return {"kind": "obligations", "by": by, "obligations": said, "argument": argument}
        case Argued(step):
            return {"kind": "prose", "step": step}
        case NotKnown(reason):
            return {"kind": "unknown", "reason": reason}
        case _:
            raise Fallen(f"this is not evidence: {one!r}")


def entry_as_json(entry: Entry, *, run_body: bool = False) -> dict[str, Any]:
    """Return an entry as plain data; with its evidence if asked for, which runs it."""
    found: dict[str, Any] = {
        "name": entry.name, "ids": list(entry.rows), "statement": entry.statement,
        "status": entry.status, "source": entry.cite, "note": entry.note or None,
        "latex": entry.latex or None,
        "items": [str(item) for item in _items(entry)],
        "corrections": sorted(
            {e for row in entry.rows for e in _papers.corrections(row)} - {*entry.rows},
            key=row_order,
        ),
        "examples": sorted({e for item in _items(entry) for e in item.examples}),
        "rocq": _rocq.words(entry.name),
    }  # fmt: skip
    if run_body:
        evidence = entry.body()
        found["status"] = came_out(entry, evidence)
        found["evidence"] = [*_in_rocq(entry), *_told(evidence, entry.rows)]
    return found


def _items(entry: Entry) -> list[_papers.Item]:
    """Return the numbered items of the papers that an entry meets."""
    return [item for item in _papers.items() if {*item.rows} & {*entry.rows}]


def shown(document: Mapping[str, Any], width: int = 80) -> str:
    """Return an entry and its evidence as text of this width, from its JSON form."""
    lines = [
        f"{', '.join(document['ids'])}: {document['name']}", "",
        f"  {document['statement']}", "",
    ]  # fmt: skip
    for name, words in (
        ("status", [document["status"]]), ("source", [document["source"]]),
        ("stated as", document["items"]), ("corrections", document["corrections"]),
        ("examples", [f"examples/{e}.toml" for e in document["examples"]]),
        ("proved in Rocq:", document["rocq"]),
    ):  # fmt: skip
        line = f"{name:<12} {', '.join(words)}"
        lines += [wrapped(line, width, hanging=13)] if words else []
    for paragraph in re.split(r"\n\s*\n", document["note"] or ""):
        lines += ["", f"  {' '.join(paragraph.split())}"] if paragraph.strip() else []
    for one in document.get("evidence", []):
        lines += ["", *evidence_lines(one)]
    return wrapped("\n".join(lines), width)


def evidence_lines(one: Mapping[str, Any]) -> list[str]:
    """Return a piece of evidence, from its JSON form, as lines of text."""
    kind = one["kind"]
    if kind == "derivation":
        return list(_derivation_lines(one))
    if kind == "counterexample":
        return [
            "Counterexample to", f"  {one['claim']}",
            *(f"  {name}: {value_words(value)}" for name, value in one["data"].items()),
        ]  # fmt: skip
    if kind == "rocq":
        return list(_rocq_lines(one))
    if kind == "figures":
        return [
            "Figures, recomputed",
            *(f"  {n}: {value_words(v)}" for n, v in one["found"].items()),
        ]
    if kind == "definition":
        return ["A definition; its reading was compared", f"  {one['scope']}: {one['cases']} cases"]
    if kind == "check":
        return ["Checked", f"  {one['scope']}: {one['cases']} cases"]
    if kind == "obligations":
        return list(_obligation_lines(one))
    if kind == "prose":
        return ["In prose", f"  {one['step']}"]
    if kind == "unknown":
        return ["Unknown", f"  {one['reason']}"]
    return [
        "Asked of the engine", f"  {one['question']}",
        *(f"  {name}: {value_words(value)}" for name, value in one["about"].items()),
        f"  answer: {one['verdict']}{_queries(one['scripts'])}",
    ]  # fmt: skip


def value_words(value: object) -> str:
    """Return plain data as people write it: tuples, and what is taken to what.

    >>> value_words([["a"], ["a", "b"]]), value_words([]), value_words(None)
    ('a, (a, b)', 'empty', 'none')
    >>> value_words({"['a']": {"0": "2/3", "1": "1/3"}, "[]": {"0": "1"}})
    'a ↦ (0 ↦ 2/3, 1 ↦ 1/3), empty ↦ (0 ↦ 1)'
    >>> value_words([[[1, 1], [0, 1], "1/2"]])
    '((1, 1), (0, 1), 1/2)'
    """
    if value is None:
        return "none"
    if not isinstance(value, list | tuple | dict):
        return str(value)
    if not value:
        return "empty"
    if isinstance(value, dict):
        return ", ".join(f"{_inner(_key(k))} ↦ {_inner(v)}" for k, v in value.items())
    text = ", ".join(map(_inner, value))
    return f"({text})" if len(value) > 1 and _flat(value) else text


def _inner(value: object) -> str:
    text = value_words(value)
    whole = not value or not isinstance(value, list | tuple | dict)
    return text if whole or (not isinstance(value, dict) and _flat(value)) else f"({text})"


def _flat(value: object) -> bool:
    """Return whether a list holds no others."""
    return isinstance(value, list | tuple) and not any(
        isinstance(one, list | tuple | dict) for one in value
    )


def _key(text: str) -> object:
    """Return what a key of JSON stands for: a list, where it is one in writing."""
    return ast.literal_eval(text) if text.startswith("[") else text


def _queries(number: int) -> str:
    return f", by {number} unsatisfiable quer{'y' if number == 1 else 'ies'}" if number else ""


def _rocq_lines(one: Mapping[str, Any]) -> Iterator[str]:
    yield f"Checked by coqc{' (' + one['only'] + ')' if one['only'] else ''}"
    for name, text in one["theorems"].items():
        yield f"  {name}"
        yield f"      {text.removeprefix(f'Theorem {name.split()[-1]} ')}"


def _derivation_lines(one: Mapping[str, Any]) -> Iterator[str]:
    yield "Derivation"
    for s in one["steps"]:
        uses = f" from {', '.join(map(str, s['uses']))}" if s["uses"] else ""
        source = f" [{s['source']}]" if s["source"] else ""
        yield f"  {s['step']:>2}. {s['statement']}"
        yield f"      by {s['rule']}{uses}{source}"
    yield "Where"
    yield from (f"  {name}: {detail}" for name, detail in one["names"])
    yield "Rests on"
    yield from (f"  {t}" for t in one["trust"] or ["nothing but the rules"])
    if one["states"]:
        yield f"It states a rule of the kernel, {one['states']['rule']}"
        yield from (f"  {line}" for line in _rule_lines(one["states"]["figure"]))
    yield from (f"In prose: {step}" for step in one["prose"])


def _rule_lines(text: str) -> Iterator[str]:
    """Yield the lines of what a rule says: what stands above and below a bar, and sentences."""
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        lines = paragraph.splitlines()
        drawn = any(set(line.strip()) == {"-"} for line in lines)
        yield from lines if drawn else [" ".join(map(str.strip, lines))]


def _obligation_lines(one: Mapping[str, Any]) -> Iterator[str]:
    yield f"Settled by {one['by']}"
    for obligation in one["obligations"]:
        yield f"  {obligation['statement']}"
        yield f"      {obligation['asked']}"
    if one["argument"]:
        yield f"  so, in prose: {one['argument']}"


def index_text() -> str:
    """Return the index of the library, as TOML: for each row the entries and their statuses."""
    lines = [
        "# Which entry meets which published statement.  Written by theorems._run.index_text; a",
        "# test holds both directions.",
    ]
    for row, found in rows(entries().values()).items():
        lines += ["", f'["{row}"]']
        lines += [f'{entry.name} = "{entry.status}"' for entry in found]
    return "\n".join(lines) + "\n"
