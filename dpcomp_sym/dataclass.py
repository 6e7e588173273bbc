"""Data classes as those of the standard library, whose methods are made when they are needed.

A start of the program makes some two hundred classes, of which a call uses a part.  The standard
library compiles half a dozen methods for each, which is a fifth of the time of a short call; here
one is compiled, when the first instance is made, and the others are shared.

>>> @dataclass(frozen=True)
... class Point:
...     x: int
...     y: int = 0
>>> Point(1), Point(1) == Point(1, y=0), hash(Point(1)) == hash((1, 0))
(Point(x=1, y=0), True, True)
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import MISSING, FrozenInstanceError, fields
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, NoReturn

__all__ = ["dataclass"]


def _dataclass(
    cls: type[Any] | None = None, /, *, init: bool = True, repr: bool = True, eq: bool = True,  # noqa: A002 - the standard library's word
    frozen: bool = False, slots: bool = False, kw_only: bool = False,
) -> Any:  # fmt: skip
    """Make a data class, as :func:`dataclasses.dataclass` does; other options it has not."""

    def make(given: type[Any]) -> type[Any]:
        own = vars(given)
        hashed = own.get("__hash__", MISSING)
        inherited = any(_is_frozen(kind) for kind in given.__mro__[1:])
        made = dataclasses.dataclass(
            init=False, repr=False, eq=False, frozen=inherited and frozen, slots=slots,
            kw_only=kw_only,
        )(given)  # fmt: skip
        made.__dataclass_params__.frozen = frozen  # as classes are asked that are derived from it
        told: dict[str, Any] = {}
        if init:
            told["__init__"] = _init_later(made, frozen)
        if repr:
            told["__repr__"] = _shown([f.name for f in fields(made) if f.repr])
        if eq:
            of = _values([f.name for f in fields(made) if f.compare])
            told["__eq__"] = _equal(of)
        if frozen:
            told |= {"__setattr__": _not_set, "__delattr__": _not_deleted}
        if frozen and slots:
            told |= {"__getstate__": _state, "__setstate__": _set_state}
        for name, method in told.items():
            if name not in own:
                setattr(made, name, method)
        if eq and (hashed is MISSING or (hashed is None and "__eq__" in own)):
            setattr(made, "__hash__", _hashed(of) if frozen else None)  # noqa: B010 - for mypy
        if init:
            made.__signature__ = _Signature()
        return made

    return make if cls is None else make(cls)


def _is_frozen(kind: type) -> bool:
    return bool(getattr(vars(kind).get("__dataclass_params__"), "frozen", False))


if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    dataclass = _dataclass


def _init_later(made: type[Any], frozen: bool) -> Callable[..., None]:
    """Return an ``__init__`` that is compiled when it is called first."""

    def init(self: Any, *args: Any, **named: Any) -> None:
        compiled()(self, *args, **named)

    def compiled() -> Callable[..., None]:
        if vars(made)["__init__"] is init:
            made.__init__ = _compiled(made, frozen)
        found: Callable[..., None] = vars(made)["__init__"]
        return found

    init.__dict__["compiled"] = compiled
    return init


def _compiled(made: type[Any], frozen: bool) -> Callable[..., None]:
    given = {"_put_": object.__setattr__, "_missing_": MISSING}
    words: list[str] = []
    by_name: list[str] = []
    steps: list[str] = []
    for f in fields(made):
        usual, value = "", f.name
        if f.default is not MISSING:
            given[f"_usual_{f.name}"] = f.default
            usual = f" = _usual_{f.name}"
        elif f.default_factory is not MISSING:
            given[f"_make_{f.name}"] = f.default_factory
            usual = " = _missing_"
            value = f"_make_{f.name}() if {f.name} is _missing_ else {f.name}"
        (by_name if f.kw_only else words).append(f"{f.name}{usual}")
        steps.append(f'_put_(self, "{f.name}", {value})' if frozen else f"self.{f.name} = {value}")
    if hasattr(made, "__post_init__"):
        steps.append("self.__post_init__()")
    inside = ", ".join(["self", *words, *(["*", *by_name] if by_name else [])])
    exec(f"def __init__({inside}):\n " + "\n ".join(steps or ["pass"]), given)  # noqa: S102 - the names are those of the class
    found: Any = given["__init__"]
    found.__qualname__ = f"{made.__qualname__}.__init__"
    found.__module__ = made.__module__
    found.__annotations__ = {f.name: f.type for f in fields(made)} | {"return": None}
    return found  # type: ignore[no-any-return]


class _Signature:
    """What may be given to a class: that of its ``__init__``, asked by help and documentation."""

    def __get__(self, instance: Any, owner: type[Any]) -> Any:
        from inspect import signature

        if instance is not None:
            raise AttributeError("__signature__")
        init = vars(owner).get("__init__", owner.__init__)
        found = signature(getattr(init, "compiled", lambda: init)())
        return found.replace(parameters=list(found.parameters.values())[1:])


def _values(names: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    if len(names) > 1:
        return attrgetter(*names)
    get = attrgetter(*names) if names else None
    return lambda one: () if get is None else (get(one),)


def _shown(names: Sequence[str]) -> Callable[[Any], str]:
    @recursive_repr()
    def shown(self: Any) -> str:
        inner = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__qualname__}({inner})"

    return shown


def _equal(of: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any, object], bool]:
    def equal(self: Any, other: object) -> bool:
        return of(self) == of(other) if other.__class__ is self.__class__ else NotImplemented

    return equal


def _hashed(of: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any], int]:
    def hashed(self: Any) -> int:
        return hash(of(self))

    return hashed


def _not_set(_: object, name: str, __: object) -> NoReturn:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _not_deleted(_: object, name: str) -> NoReturn:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, f.name) for f in fields(self)]


def _set_state(self: Any, state: Sequence[Any]) -> None:
    for f, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, f.name, value)
