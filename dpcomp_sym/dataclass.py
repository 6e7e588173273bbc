"""Frozen data classes that are made quickly: a program that starts makes hundreds of them.

The library's ``dataclass`` writes each method of each class as text and has it compiled.  Here this
is done for ``__init__`` alone; the others are functions that know the fields.  What they do is the
same.
"""

from __future__ import annotations

import dataclasses
import operator
import reprlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

__all__ = ["dataclass"]

Fields = tuple[dataclasses.Field[Any], ...]
Method = Callable[..., Any]

_FEW: Final = frozenset({"frozen", "repr", "eq"})


class _New:
    """The default of a field that is made anew for each object."""

    def __repr__(self) -> str:
        return "<factory>"


_NEW: Final = _New()

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls: Any = None, /, **options: Any) -> Any:
        """Make a class a data class, as :func:`dataclasses.dataclass` does.

        Classes that are not frozen, derive from another data class, or ask for something special
        are left to the library.

        >>> @dataclass(frozen=True)
        ... class Place:
        ...     row: int
        ...     column: int = 1
        >>> Place(2), Place(2) == Place(row=2, column=1), hash(Place(2)) == hash((2, 1))
        (Place(row=2, column=1), True, True)
        >>> Place(2).row = 3
        Traceback (most recent call last):
        dataclasses.FrozenInstanceError: cannot assign to field 'row'
        """

        def made(kind: type) -> type:
            plain = options.get("frozen") and options.keys() <= _FEW and kind.__doc__
            if not plain or any(map(dataclasses.is_dataclass, kind.__mro__)):
                return dataclasses.dataclass(**options)(kind)
            return _made(kind, **options)

        return made if cls is None else made(cls)


def _made(kind: type, *, frozen: bool, repr: bool = True, eq: bool = True) -> type:  # noqa: A002
    own = dict(vars(kind))
    # A class that says what is equal, and no more, has no hash: it is given one.
    hashed = "__hash__" in own and not (own["__hash__"] is None and "__eq__" in own)
    dataclasses.dataclass(init=False, repr=False, eq=False)(kind)
    vars(kind)["__dataclass_params__"].frozen = frozen
    fields = dataclasses.fields(kind)
    methods = [_init(kind, fields), *_guards(kind, frozenset(f.name for f in fields))]
    if repr:
        methods.append(_repr([f.name for f in fields if f.repr]))
    if eq:
        compared = _values([f.name for f in fields if f.compare])
        methods += [_eq(compared)] if hashed else [_eq(compared), _hash(compared)]
    for method in methods:
        name = method.__name__
        if name not in own or (name == "__hash__" and not hashed):
            method.__qualname__ = f"{kind.__qualname__}.{name}"
            setattr(kind, name, method)
    return kind


def _init(kind: type, fields: Fields) -> Method:
    """Return the method that sets the fields: the one that is compiled."""
    names: dict[str, Any] = {"_set_": object.__setattr__, "_new_": _NEW}
    names["__name__"] = kind.__module__
    places: dict[bool, list[str]] = {False: [], True: []}
    body = []
    for number, field in enumerate(fields):
        name, value, usual = field.name, field.name, ""
        if field.default_factory is not dataclasses.MISSING:
            made = f"_made_{number}_"
            names[made], usual = field.default_factory, " = _new_"
            value = f"{made}() if {name} is _new_ else {name}" if field.init else f"{made}()"
        elif field.default is not dataclasses.MISSING:
            names[f"_usual_{number}_"], usual = field.default, f" = _usual_{number}_"
        if field.init:
            places[bool(field.kw_only)].append(f"{name}{usual}")
        if field.init or value != name:
            body.append(f"_set_(self, {name!r}, {value})")
    if hasattr(kind, "__post_init__"):
        body.append("self.__post_init__()")
    told = ", ".join(["self", *places[False], *["*"] * bool(places[True]), *places[True]])
    exec(f"def __init__({told}):\n " + "\n ".join(body or ["pass"]), names)  # noqa: S102
    method: Method = names["__init__"]
    method.__annotations__ = {**{f.name: f.type for f in fields if f.init}, "return": None}
    return method


def _guards(kind: Any, names: frozenset[str]) -> list[Method]:
    """Return the methods that keep fields from being changed."""

    def __setattr__(self: Any, name: str, value: Any) -> None:  # noqa: N807
        if type(self) is kind or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(kind, self).__setattr__(name, value)

    def __delattr__(self: Any, name: str) -> None:  # noqa: N807
        if type(self) is kind or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(kind, self).__delattr__(name)

    return [__setattr__, __delattr__]


def _values(names: list[str]) -> Method:
    """Return a function of an object to the tuple of its values of some fields."""
    match names:
        case []:
            return lambda _: ()
        case [name]:
            return lambda one: (getattr(one, name),)
        case _:
            return operator.attrgetter(*names)


def _eq(values: Method) -> Method:
    def __eq__(self: Any, other: object) -> Any:  # noqa: N807
        if other.__class__ is self.__class__:
            return values(self) == values(other)
        return NotImplemented

    return __eq__


def _hash(values: Method) -> Method:
    def __hash__(self: Any) -> int:  # noqa: N807
        return hash(values(self))

    return __hash__


def _repr(names: list[str]) -> Method:
    @reprlib.recursive_repr()
    def __repr__(self: Any) -> str:  # noqa: N807
        told = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{self.__class__.__qualname__}({told})"

    return __repr__
