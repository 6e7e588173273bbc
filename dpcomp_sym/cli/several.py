"""Several specs in one call of ``dpcomp derive``: what is loaded once serves all of them."""

from __future__ import annotations

import importlib
import multiprocessing
import os
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import click

from dpcomp_sym import printable
from dpcomp_sym.cli.hints import hints
from dpcomp_sym.cli.program import BAD_INPUT, NO_MEMORY, fail, wrong
from dpcomp_sym.cli.shared import PROVED, STATUS, UNKNOWN, load_any, show
from dpcomp_sym.errors import InputError
from dpcomp_sym.faults import FAULT, end_with, ended, explained
from dpcomp_sym.limits import current, exhausted, in_full, interruption, limited

if TYPE_CHECKING:
    from dpcomp_sym.kept import Kept
    from dpcomp_sym.spec.load import AnySpec

    Answering: TypeAlias = Callable[[AnySpec], tuple[Any, list[str]]]
    Words: TypeAlias = Callable[[AnySpec], list[str] | None]

__all__ = ["check_one_file", "derive_several"]

GRAVER: Final = (PROVED, UNKNOWN, BAD_INPUT, FAULT)
"""Exit statuses, the gravest last: less is known where a spec was not even used."""
NEEDED: Final = ("dpcomp_sym.derivation.derive", "dpcomp_sym.surface.comparing")
"""What every derivation loads, the solver among it."""


def check_one_file(specs: Sequence[str], options: Sequence[str]) -> None:
    """Refuse options that are for a single spec: files of its answer, and standard input.

    Raises:
        InputError: there is such an option, or standard input is to be read twice.
    """
    if options:
        option = "--" + options[0].replace("_", "-")
        said = (
            f"{option} is about a file of one answer, and there are {len(specs)} specs: "
            "call derive for each of them"
        )
        raise InputError(said, word=option)
    if specs.count("-") > 1:
        raise InputError("standard input can be read once: name '-' once", word="-")


@dataclass(frozen=True)
class Reply:
    """What is printed about one spec: a document with notes, or what is wrong."""

    spec: str
    status: int
    document: Mapping[str, Any]
    notes: Sequence[str] = ()
    hints: Sequence[str] = ()
    whole: bool = False
    """Whether it is an answer that may be kept."""

    @classmethod
    def without_answer(cls, spec: str, status: int, said: str) -> Reply:
        """Return a reply that says why there is no answer."""
        named = said if spec in said else f"{spec}: {said}"
        return cls(spec, status, {"schema": "dpcomp/1", "spec": spec, "error": named})


@dataclass(frozen=True)
class Known:
    """Answers that were kept, and all that one about a spec depends on."""

    kept: Kept
    words: Words

    def reply(self, name: str, read: AnySpec) -> Reply | None:
        """Return the answer about a spec that is known, as a call about it alone keeps it."""
        words = self.words(read)
        found = None if words is None else self.kept.find(words)
        if found is None:
            return None
        return Reply(name, found["status"], found["document"], found["notes"], found["hints"])

    def keep(self, read: AnySpec, reply: Reply) -> None:
        """Keep an answer, if nothing was cut short."""
        words = self.words(read) if reply.whole else None
        if words is not None:
            self.kept.keep(words, {
                "document": reply.document, "notes": list(reply.notes), "status": reply.status,
                "hints": list(reply.hints),
            })  # fmt: skip


def derive_several(
    specs: Sequence[str], sets: Sequence[str], question: Answering, jobs: int, known: Known, *,
    as_json: bool,
) -> int:  # fmt: skip
    """Print an answer about each spec, in their order; return the gravest exit status.

    Args:
        specs: files, or ``-`` for standard input.
        sets: numbers for each of them.
        question: what is asked: from a spec to a result and notes.
        jobs: so many specs at a time.
        known: the answers that were kept.
        as_json: print one list.
    """
    interruption.alarm(float("inf"))  # each spec has its share of the time, and an end of its own
    for module in NEEDED:  # once, before the process is copied
        importlib.import_module(module)
    found: list[Reply] = []
    try:
        for reply in (_in_turn if not hasattr(os, "fork") else _beside)(
            specs, sets, question, jobs, known
        ):
            if "error" in reply.document:
                _complain(reply)
            elif not as_json:
                click.echo(f"{chr(10) * bool(found)}==> {printable.one_line(reply.spec)} <==\n")
                show(reply.document, reply.notes, as_json=False)
            found.append(reply)
    finally:  # what is known is printed, whatever happens to the others
        if as_json:
            click.echo(printable.as_json([reply.document for reply in found]))
    return max((reply.status for reply in found), key=GRAVER.index)


def _complain(reply: Reply) -> None:
    said = reply.document["error"]
    if reply.status == BAD_INPUT:
        fail(said)
    else:
        click.echo(printable.plain_lines(said), err=True)


def _beside(
    specs: Sequence[str], sets: Sequence[str], question: Answering, jobs: int, known: Known
) -> Iterator[Reply]:
    """Yield the answers in the order of the specs, each as soon as those before it are there."""
    found: dict[int, Reply] = {}
    running: dict[Connection, tuple[int, _Copy]] = {}
    started = 0
    for number in range(len(specs)):
        while number not in found:
            while started < len(specs) and len(running) < jobs:
                read = _read(specs[started], sets)
                reply = read if isinstance(read, Reply) else known.reply(specs[started], read)
                if reply is not None:
                    found[started] = reply
                elif not isinstance(read, Reply):
                    rounds = -(-(len(specs) - started) // jobs)
                    copy = _Copy(specs[started], read, question, _share(rounds))
                    running[copy.answers] = started, copy
                started += 1
            ready = wait(list(running)) if number not in found else []
            for pipe in [pipe for pipe in running if pipe in ready]:
                one, copy = running.pop(pipe)
                found[one] = copy.reply()
                known.keep(copy.read, found[one])
        yield found.pop(number)


def _in_turn(
    specs: Sequence[str], sets: Sequence[str], question: Answering, _jobs: int, known: Known
) -> Iterator[Reply]:
    """Yield the answers where a process cannot be copied; another counterexample may be shown."""
    for number, name in enumerate(specs):
        read = _read(name, sets)
        share = _share(len(specs) - number)
        if isinstance(read, Reply):
            yield read
            continue
        reply = known.reply(name, read)
        if reply is None:
            reply = _answered(name, read, question, share)
            known.keep(read, reply)
        yield reply


def _read(name: str, sets: Sequence[str]) -> AnySpec | Reply:
    try:
        return load_any(name, sets)
    except (InputError, OSError) as error:
        return Reply.without_answer(name, BAD_INPUT, wrong(error))


def _share(rounds: int) -> float | None:
    """Return the seconds for one of so many specs, one after another; None without a limit."""
    budget = current().budget
    return None if budget.seconds is None else max(0, budget.left()) / rounds


def _answered(name: str, read: AnySpec, question: Answering, seconds: float | None) -> Reply:
    """Answer one spec."""
    try:
        with limited(total=seconds):
            result, notes = question(read)
            document, tips = result.as_json(), list(hints(result, name))
            return Reply(name, STATUS[result.verdict], document, notes, tips, in_full())
    except (InputError, OSError) as error:
        return Reply.without_answer(name, BAD_INPUT, wrong(error))


class _Copy:
    """A copy of the process, which answers one spec and ends.

    The solver's models depend on what it was asked before.  A copy that was asked nothing has the
    same answer, to the byte, as a call about its spec alone; and what it has taken it gives back.
    """

    def __init__(
        self, name: str, read: AnySpec, question: Answering, seconds: float | None
    ) -> None:
        self.name = name
        self.read = read
        self.answers, there = multiprocessing.Pipe(duplex=False)
        self.process = multiprocessing.get_context("fork").Process(
            target=_send, args=(there, os.getpid(), name, read, question, seconds), daemon=True
        )
        with warnings.catch_warnings():
            # The copy needs no thread that it does not have.
            warnings.simplefilter("ignore", DeprecationWarning)
            self.process.start()
        there.close()

    def reply(self) -> Reply:
        """Return what the copy sends, or how it ended without sending anything."""
        try:
            found: Reply = self.answers.recv()
        except EOFError:
            self.process.join()
            return Reply.without_answer(self.name, FAULT, ended(self.process.exitcode))
        self.process.join()
        return found


def _send(
    there: Connection, parent: int, name: str, read: AnySpec, question: Answering,
    seconds: float | None,
) -> None:  # fmt: skip
    """Answer, in the copy."""
    end_with(parent)
    with _Faults(name, there):
        there.send(_answered(name, read, question, seconds))


@dataclass
class _Faults:
    """Send what goes wrong in a copy, in the words of a call about its spec alone."""

    name: str
    there: Connection

    def __enter__(self) -> None:
        """Nothing has gone wrong yet."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:  # fmt: skip
        """Send what an error says; an interruption is the whole call's, which ends."""
        if isinstance(error, Exception):
            status, said = (UNKNOWN, NO_MEMORY) if exhausted(error) else (FAULT, explained(error))
            self.there.send(Reply.without_answer(self.name, status, said))
        return isinstance(error, Exception | KeyboardInterrupt)
