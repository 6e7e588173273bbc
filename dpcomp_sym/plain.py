"""Data classes as the standard library makes them, several times as quick to make.

``dataclasses`` runs six strings as code for each class, which takes longer, for all classes of this
program, than a solver does.  Here the methods are closures, and a constructor is written when
something is made for the first time.  For whoever uses or checks types they are data classes.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from dataclasses import MISSING, FrozenInstanceError, fields
from operator import attrgetter, ge, gt, le, lt
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(kind: Any = None, /, **options: bool) -> Any:
        """Make a data class, as :func:`dataclasses.dataclass` does, of a class.

        >>> @dataclass(frozen=True)
        ... class Point:
        ...     '''A point.'''
        ...
        ...     x: int
        ...     y: int = 0
        >>> Point(1), Point(1) == Point(1, 0), {Point(1, 0): "here"}[Point(1)]
        (Point(x=1, y=0), True, 'here')

        Args:
            kind: the class; what is called without one is called with it next.
            options: ``frozen``, ``slots``, ``kw_only``, ``order``, ``eq``, ``repr``, ``init``, as
                there.
        """
        return _made(**options) if kind is None else _made(**options)(kind)


def _made(
    *, init: bool = True, repr: bool = True, eq: bool = True, frozen: bool = False,  # noqa: A002
    order: bool = False, slots: bool = False, kw_only: bool = False,
) -> Callable[[type], Any]:  # fmt: skip
    def make(kind: type) -> Any:
        own = set(vars(kind))
        by_value = vars(kind).get("__hash__") is None  # also where only __eq__ is its own
        made: Any = dataclasses.dataclass(
            init=False, repr=False, eq=False, slots=slots, kw_only=kw_only
        )(kind)  # fmt: skip
        known = fields(made)
        methods: dict[str, Any] = {}
        if init:
            methods["__init__"] = _Constructor(made, frozen=frozen)
        if repr:
            methods["__repr__"] = _shown([one.name for one in known if one.repr])
        if eq:
            compared = [one for one in known if one.compare]
            methods["__eq__"] = _same(_values(one.name for one in compared))
            if order:
                methods |= _ordered(_values(one.name for one in compared))
            if by_value:
                hashed = [one.name for one in compared if one.hash is not False]
                methods["__hash__"] = _hash(_values(hashed)) if frozen else None
        if frozen:
            methods |= _fixed(made, frozenset(one.name for one in known))
            if slots:
                methods |= _copied([one.name for one in known])
        for name, method in methods.items():
            if name not in own or name == "__hash__":
                setattr(made, name, method)
        return made

    return make


class _Constructor:
    """A constructor that is written as code when it is asked for."""

    def __init__(self, kind: type, *, frozen: bool) -> None:
        self.kind = kind
        self.frozen = frozen

    def __get__(self, instance: Any, kind: type | None = None) -> Any:
        written = _written(self.kind, frozen=self.frozen)
        self.kind.__init__ = written  # type: ignore[misc]
        return written if instance is None else written.__get__(instance, kind)


def _written(kind: type, *, frozen: bool) -> Any:
    given: dict[str, Any] = {"_put": object.__setattr__, "_factory": _FACTORY}
    plain: list[str] = []
    named: list[str] = []
    body: list[str] = []
    types: dict[str, Any] = {}
    for one in fields(kind):
        name, factory, usual = one.name, f"_make_{one.name}", f"_usual_{one.name}"
        value = name
        if one.default_factory is not MISSING:
            given[factory] = one.default_factory
            value = f"{factory}() if {name} is _factory else {name}" if one.init else f"{factory}()"
            said = f"{name}=_factory"
        elif one.default is not MISSING:
            given[usual] = one.default
            said = f"{name}={usual}"
        else:
            said = name
        if one.init:
            (named if one.kw_only else plain).append(said)
            types[name] = one.type
        elif one.default_factory is MISSING:
            continue
        body.append(f"_put(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(kind, "__post_init__"):
        body.append("self.__post_init__()")
    arguments = ", ".join(["self", *plain, *(["*", *named] if named else [])])
    lines = "\n    ".join(body or ["pass"])
    exec(f"def __init__({arguments}):\n    {lines}", given)  # noqa: S102 - as dataclasses does
    written = given["__init__"]
    written.__qualname__ = f"{kind.__qualname__}.__init__"
    written.__module__ = kind.__module__
    written.__annotations__ = types | {"return": None}
    return written


class _Factory:
    """What stands for a value that is made anew for each instance."""

    def __repr__(self) -> str:
        return "<factory>"


_FACTORY = _Factory()


def _values(names: Iterable[str]) -> Callable[[Any], tuple[Any, ...]]:
    """Return what gives the values of fields: as a tuple, also if they are few."""
    found = tuple(names)
    if len(found) > 1:
        return attrgetter(*found)
    return (lambda one: (getattr(one, found[0]),)) if found else lambda _: ()


def _same(values: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any, object], bool]:
    def __eq__(self: Any, other: object) -> bool:  # noqa: N807
        if other.__class__ is self.__class__:
            return bool(values(self) == values(other))
        return NotImplemented

    return __eq__


def _ordered(values: Callable[[Any], tuple[Any, ...]]) -> dict[str, Any]:
    def method(compare: Callable[[Any, Any], Any]) -> Callable[[Any, object], Any]:
        def ordered(self: Any, other: object) -> Any:
            if other.__class__ is self.__class__:
                return compare(values(self), values(other))
            return NotImplemented

        return ordered

    return {f"__{compare.__name__}__": method(compare) for compare in (lt, le, gt, ge)}


def _hash(values: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any], int]:
    def __hash__(self: Any) -> int:  # noqa: N807
        return hash(values(self))

    return __hash__


def _shown(names: list[str]) -> Callable[[Any], str]:
    @recursive_repr()
    def __repr__(self: Any) -> str:  # noqa: N807
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{self.__class__.__qualname__}({shown})"

    return __repr__


def _fixed(kind: Any, names: frozenset[str]) -> dict[str, Any]:
    def __setattr__(self: Any, name: str, value: Any) -> None:  # noqa: N807
        if type(self) is kind or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(kind, self).__setattr__(name, value)

    def __delattr__(self: Any, name: str) -> None:  # noqa: N807
        if type(self) is kind or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(kind, self).__delattr__(name)

    return {"__setattr__": __setattr__, "__delattr__": __delattr__}


def _copied(names: list[str]) -> dict[str, Any]:
    """Return how copies are made of what has slots, and may not be changed."""

    def __getstate__(self: Any) -> list[Any]:  # noqa: N807
        return [getattr(self, name) for name in names]

    def __setstate__(self: Any, state: list[Any]) -> None:  # noqa: N807
        for name, value in zip(names, state, strict=True):
            object.__setattr__(self, name, value)

    return {"__getstate__": __getstate__, "__setstate__": __setstate__}
