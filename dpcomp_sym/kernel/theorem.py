"""Theorems, and the one place where they are made.

The data of a theorem lie in a table that no name of this module leads to; a theorem has no field to
overwrite, and cannot be copied.  A rule is written as a function from theorems and terms to a
statement; :func:`rule` makes it a function to theorems.  It checks the premises, joins their trust
and records the step.  Once the kernel is loaded, no rule can be added.

All that guards against mistakes: no code makes a theorem by accident, or by the usual ways of
Python.  It is not a wall: Python keeps no secrets, and who runs code in the process can forge a
theorem on purpose: the table is a cell of closures, and can be had from them or from the garbage
collector; ctypes writes anywhere, and what this module calls can be replaced.  Where the author of
a theorem is not trusted, ask for its certificate: :mod:`dpcomp_sym.replay` makes each step again
from plain data, in another process, and relies on nothing of this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from inspect import signature
from itertools import count
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn, ParamSpec, cast, get_type_hints
from weakref import WeakKeyDictionary

from dpcomp_sym.statements.terms import KernelError, KernelTerm, Statement, is_made
from dpcomp_sym.statements.terms.base import fits

__all__ = ["RULES", "Premise", "Theorem", "Trust", "dag", "is_theorem"]

P = ParamSpec("P")


class Trust(NamedTuple):
    """Something that a theorem rests on and that the kernel has not derived.

    ``kind`` is "given", "smt", "witness" or "finite"; ``tag`` names the evidence; ``digest`` is
    the SHA-256 of the statement that was taken from it.  That a problem lists all the edits of its
    granularity is "given", with the digest of the problem.
    """

    kind: str
    tag: str
    digest: str


Grounds = Callable[[Statement, dict[str, Any]], Trust]


class Premise(NamedTuple):
    """In the recorded arguments of a step: the premise with this number."""

    number: int


class _Record(NamedTuple):
    statement: Statement
    rule: str
    source: str
    premises: tuple[Theorem, ...]
    arguments: tuple[tuple[str, Any], ...]
    trust: frozenset[Trust]


_Look = Callable[[object], _Record]


def _vault() -> tuple[_Look, Callable[[Theorem, _Record], None]]:
    records: WeakKeyDictionary[object, _Record] = WeakKeyDictionary()

    def find(theorem: object) -> _Record:
        """Return what is recorded of a theorem."""
        record = records.get(theorem) if hasattr(type(theorem), "__weakref__") else None
        if record is None:
            raise KernelError("this is not a theorem of the kernel")
        return record

    return find, records.__setitem__


_find, _store = _vault()


class _Sealed(type):
    """The class of Theorem: its attributes cannot be replaced."""

    def __setattr__(cls, name: str, value: object) -> NoReturn:
        raise KernelError("theorems cannot be changed")

    def __delattr__(cls, name: str) -> NoReturn:
        raise KernelError("theorems cannot be changed")


class Theorem(metaclass=_Sealed):
    """A statement that the rules of the kernel have derived.

    Raises:
        KernelError: on any attempt to make, copy, pickle or derive from one, and when an object
            that no rule has made is read.

    >>> Theorem()
    Traceback (most recent call last):
    dpcomp_sym.statements.terms.base.KernelError: only the rules of the kernel make theorems
    """

    __slots__ = ("__weakref__",)

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise KernelError("only the rules of the kernel make theorems")

    __init__ = __reduce_ex__ = __reduce__ = __copy__ = __deepcopy__ = _refuse
    __getstate__ = __setstate__ = __replace__ = _refuse

    def __init_subclass__(cls) -> NoReturn:
        raise KernelError("only the rules of the kernel make theorems")

    def _statement(self, find: _Look = _find) -> Statement:
        """What the theorem says."""
        return find(self).statement

    def _rule(self, find: _Look = _find) -> str:
        """The name of the rule that made it."""
        return find(self).rule

    def _source(self, find: _Look = _find) -> str:
        """The published statement behind the rule, paper and number; "" for plain logic."""
        return find(self).source

    def _premises(self, find: _Look = _find) -> tuple[Theorem, ...]:
        """The theorems that the rule was applied to, in order."""
        return find(self).premises

    def _arguments(self, find: _Look = _find) -> tuple[tuple[str, Any], ...]:
        """The arguments of the rule by name; a :class:`Premise` stands for each theorem."""
        return find(self).arguments

    def _trust(self, find: _Look = _find) -> frozenset[Trust]:
        """All that the theorem rests on and that the kernel has not derived."""
        return find(self).trust

    statement = property(_statement)
    rule = property(_rule)
    source = property(_source)
    premises = property(_premises)
    arguments = property(_arguments)
    trust = property(_trust)

    def __repr__(self) -> str:
        return f"<|- {self.statement.text()}>"


ReadArgument = Callable[[object, list[Theorem]], Any]
RecordArgument = Callable[[Any, Iterator[int]], Any]


def _readers(find: _Look, theorem_class: type[Theorem]) -> tuple[ReadArgument, RecordArgument]:
    """Return how arguments of rules are read, and how they are recorded."""

    def clean(value: object, premises: list[Theorem]) -> Any:
        """Return an argument that nobody can change; collect the theorems in it."""
        if type(value) is theorem_class:
            find(value)
            premises.append(value)
            return value
        if isinstance(value, KernelTerm):
            if not is_made(value):
                raise KernelError("what was never made as a term is not a term of the kernel")
            return value
        if type(value) is tuple:
            return tuple(clean(v, premises) for v in value)
        if type(value) in {str, int}:
            return value
        raise KernelError(f"rules take theorems, terms, strings and integers, not {value!r}")

    def noted(value: Any, numbers: Iterator[int]) -> Any:
        """Return an argument with a number in the place of each theorem."""
        if type(value) is tuple:
            return tuple(noted(v, numbers) for v in value)
        return Premise(next(numbers)) if type(value) is theorem_class else value

    return clean, noted


def _rules(
    find: _Look,
    store: Callable[[Theorem, _Record], None],
    theorem_class: type[Theorem],
    readers: tuple[ReadArgument, RecordArgument],
) -> tuple[Callable[..., Any], Callable[[], None], MappingProxyType[str, Callable[..., Theorem]]]:
    """Return how rules are made, how that is ended, and the table of the rules that were made."""
    clean, noted = readers
    known: dict[str, Callable[..., Theorem]] = {}
    closed: list[str] = []

    def rule(source: str, trusts: Grounds | None) -> Callable[..., Any]:
        def made(function: Callable[P, Statement]) -> Callable[P, Theorem]:
            name = function.__name__
            if closed:
                raise KernelError("no rule can be added")
            names, conclude = signature(function), cast("Callable[..., Statement]", function)
            hints = get_type_hints(function)

            @wraps(function)
            def apply(*args: P.args, **kwargs: P.kwargs) -> Theorem:
                premises: list[Theorem] = []
                bound = names.bind(*args, **kwargs)
                bound.apply_defaults()
                table = {n: clean(v, premises) for n, v in bound.arguments.items()}
                for n, v in table.items():
                    if not fits(v, hints[n]):
                        raise KernelError(f"{name}: {n} cannot be {v!r}")
                try:
                    statement = conclude(**table)
                except KernelError as error:
                    raise KernelError(f"{name}: {error}") from None
                numbers = count()
                arguments = tuple((n, noted(v, numbers)) for n, v in table.items())
                own = {trusts(statement, table)} if trusts else ()
                trust = frozenset(own).union(*(find(p).trust for p in premises))
                theorem = object.__new__(theorem_class)
                record = _Record(statement, name, source, tuple(premises), arguments, trust)
                store(theorem, record)
                return theorem

            known[name] = apply
            return apply

        return made

    def seal() -> None:
        closed.append("sealed")

    return rule, seal, MappingProxyType(known)


_rule, seal, RULES = _rules(_find, _store, Theorem, _readers(_find, Theorem))


def rule(
    source: str, *, trusts: Grounds | None = None
) -> Callable[[Callable[P, Statement]], Callable[P, Theorem]]:
    """Make a function to statements a rule; only while the kernel is loaded.

    ``trusts`` says what the rule itself takes for granted, from its conclusion and arguments.

    Raises:
        KernelError: the kernel is loaded.
    """
    made: Callable[[Callable[P, Statement]], Callable[P, Theorem]] = _rule(source, trusts)
    return made


def is_theorem(value: object, find: _Look = _find) -> bool:
    """Return whether the rules have made this object."""
    try:
        return type(value) is Theorem and bool(find(value))
    except KernelError:
        return False


del _find, _store, _readers, _rules, _vault


def dag(theorem: Theorem) -> tuple[Theorem, ...]:
    """Return all steps of a derivation, premises before conclusions, each once.

    >>> from dpcomp_sym.kernel import Inf, Param, bounded_polynomial
    >>> [t.rule for t in dag(bounded_polynomial(Param("a"), Inf(), ()))]
    ['bounded_polynomial']
    """

    def visit(step: Theorem) -> Iterator[Theorem]:
        if id(step) not in seen:
            seen.add(id(step))
            for premise in step.premises:
                yield from visit(premise)
            yield step

    seen: set[int] = set()
    return tuple(visit(theorem))
