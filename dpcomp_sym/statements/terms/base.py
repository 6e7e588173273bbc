"""What all terms have in common: strict fields, JSON, hash and text; what they name and bind."""

from __future__ import annotations

import hashlib
import json
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields
from fractions import Fraction
from functools import cache
from itertools import chain
from typing import (
    Any,
    ClassVar,
    Final,
    TypeVar,
    cast,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

__all__ = [
    "KernelError",
    "KernelTerm",
    "Sizes",
    "Statement",
    "from_json",
    "is_made",
    "keep",
    "open_sizes",
    "rewritten",
    "subterms",
]

Sizes = tuple[str | int, ...]


class KernelError(ValueError):
    """A rule was applied to what it is not about, or a term is not well formed."""


_KINDS: Final[dict[str, type[KernelTerm]]] = {}
_WORDS: Final[dict[type[KernelTerm], str]] = {}
_FIELDS: Final[dict[type[KernelTerm], tuple[tuple[str, Any], ...]]] = {}
_SETTERS: Final[dict[type[KernelTerm], tuple[Callable[[Any, Any], None], ...]]] = {}
_USUAL: Final[dict[type[KernelTerm], dict[str, Any]]] = {}
_V = TypeVar("_V")
_T = TypeVar("_T", bound=type)
_K = TypeVar("_K", bound="KernelTerm")


class KernelTerm:
    """The common part of everything below: strict fields, JSON, hash and text.

    A term is checked when it is made, and nobody can change it afterwards: what its fields hold can
    be read and not set, by no way that Python has for that.  So what is found out about a term, its
    digest or its hash, stays true, and is kept.

    >>> from dpcomp_sym.statements import Param
    >>> object.__setattr__(Param("a"), "name", "b")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    AttributeError: property 'name' of 'Param' object has no setter
    """

    __slots__ = ("_kept",)
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]  # of every kind that is made below
    of_block: ClassVar[bool]
    """Whether it mentions the block at hand of a family of its ``sizes``."""
    binds: ClassVar[frozenset[str]]
    """What it binds: the "block" at hand of its ``sizes``, the "letters", or the "indices"."""

    def __init__(self, *args: Any, **named: Any) -> None:
        """Check the types of all fields, exactly, and what else the class demands."""
        if type(self) not in _WORDS:
            raise KernelError("the kernel knows no such kind of term")
        if is_made(self):
            raise KernelError("a term is made once")
        setters, usual = _SETTERS[type(self)], _USUAL[type(self)]
        names = [name for name, _ in _hints(type(self))]
        if named or len(args) != len(names):
            given = dict(zip(names, args, strict=False))
            values = usual | given | named
            if len(given) < len(args) or given.keys() & named or values.keys() != set(names):
                raise TypeError(f"{_WORDS[type(self)]} has the fields {', '.join(names)}")
            args = tuple(values[n] for n in names)
        for (name, hint), put, value in zip(_hints(type(self)), setters, args, strict=True):
            if not fits(value, hint):
                raise KernelError(f"{_WORDS[type(self)]}.{name} cannot be {value!r}")
            put(self, Fraction(value) if type(value) is Fraction else value)
        self._check()
        if isinstance(self, Statement):
            check_names(self)
            if loose(self) != (0, 0):
                raise KernelError("an integer is named that nothing binds")
        _kept.__set__(self, {})

    def __reduce__(self) -> Any:
        """Return what a copy is made of: it is made, and checked, anew."""
        return type(self), tuple(getattr(self, name) for name, _ in _hints(type(self)))

    def __repr__(self) -> str:
        kind = type(self)
        if not is_made(self):
            return "<never made as a term>"

        def find() -> str:
            shown = (f"{name}={getattr(self, name)!r}" for name, _ in _hints(kind))
            return f"{kind.__name__}({', '.join(shown)})"

        return keep(self, "repr", find)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name, _ in _hints(type(self)))

    def __hash__(self) -> int:
        return keep(self, "hash", lambda: hash(
            (type(self), *(getattr(self, name) for name, _ in _hints(type(self))))
        ))  # fmt: skip

    def _check(self) -> None:
        """Raise a KernelError if the fields do not belong together."""

    def as_json(self) -> Any:
        """Return the term as plain lists, strings and numbers.

        >>> from dpcomp_sym.statements import Num, Param, Sum
        >>> Sum((Param("a"), Num(Fraction(1, 2)))).as_json()["items"][1]
        {'op': 'Num', 'value': '1/2'}
        """
        return {"op": _WORDS[type(self)]} | {
            name: _encode(getattr(self, name)) for name, _ in _hints(type(self))
        }

    def own_numbers(self) -> tuple[int, int]:
        """Return the number of the parameter, and of the index, that the term itself stands for."""
        return 0, 0

    def own_names(self) -> Iterator[tuple[str, str, object]]:
        """Yield what the term itself names: the kind of thing, its name, and what it is.

        Sizes apart; the codomain of a map is left out: each part that reads a map has its own class
        of images.
        """
        yield from ()

    def digest(self) -> str:
        """Return the SHA-256 of the canonical JSON text."""
        return keep(self, "digest", lambda: hashlib.sha256(_json_of(self).encode()).hexdigest())

    def text(self) -> str:
        """Return the term in plain characters.

        >>> from dpcomp_sym.statements import Num, Param, Sum
        >>> Sum((Param("a"), Num(Fraction(1, 2)))).text()
        'a + 1/2'
        """
        return _WRITER[0](self)


_WRITER: Final[list[Callable[[KernelTerm], str]]] = []


def write_with(writer: Callable[[KernelTerm], str]) -> None:
    """Let terms be written by this function; nothing that is proved depends on it."""
    _WRITER[:] = [writer]


def _hidden(kind: type, names: Iterable[str]) -> list[Any]:
    """Take the places where instances keep something off their class, and return them."""
    found = [vars(kind)[name] for name in names]
    for name in names:
        delattr(kind, name)
    return found


(_kept,) = _hidden(KernelTerm, ["_kept"])
"""Where a term keeps what was found out about it; nothing is there before it is made."""


def is_made(term: KernelTerm) -> bool:
    """Return whether an object was made as a term of the kernel, and not past its class.

    >>> from dpcomp_sym.statements import Param
    >>> is_made(Param("a")), is_made(object.__new__(Param))
    (True, False)
    """
    try:
        return type(term) in _WORDS and _kept.__get__(term) is not None
    except AttributeError:
        return False


_NESTED: Final = (KernelTerm, tuple)
"""What may have terms in it."""


def keep(term: KernelTerm, what: str, find: Callable[[], _V]) -> _V:
    """Return what is computed from a term, and keep it; the result must not be changed.

    >>> from dpcomp_sym.statements import Param
    >>> term = Param("a")
    >>> keep(term, "a fact", lambda: 1), keep(term, "a fact", lambda: 2)
    (1, 1)
    """
    known: dict[str, _V] = _kept.__get__(term)
    if what not in known:
        known[what] = find()
    return known[what]


def _json_of(term: KernelTerm) -> str:
    """Return the canonical JSON text: keys in order, no spaces; parts keep theirs."""
    if isinstance(term, Statement):
        return _written(term)
    return keep(term, "json", lambda: _written(term))


def _written(term: KernelTerm) -> str:
    values = {name: getattr(term, name) for name, _ in _hints(type(term))}
    pairs = {"op": json.dumps(_WORDS[type(term)])} | {n: _value(v) for n, v in values.items()}
    return "{" + ",".join(f'"{name}":{pairs[name]}' for name in sorted(pairs)) + "}"


def _value(value: Any) -> str:
    if isinstance(value, KernelTerm):
        return _json_of(value)
    if isinstance(value, tuple):
        return "[" + ",".join(map(_value, value)) + "]"
    return json.dumps(str(value) if isinstance(value, Fraction) else value)


def from_json(data: Any) -> KernelTerm:
    """Return the term that :meth:`KernelTerm.as_json` wrote.

    Raises:
        KernelError: the data are not those of a well-formed term.

    >>> from dpcomp_sym.statements import Size, Sqrt
    >>> from_json(Sqrt(Size("k")).as_json())
    Sqrt(of=Size(name='k'))
    """
    if not isinstance(data, dict) or not isinstance(data.get("op"), str):
        raise KernelError(f"no term: {data!r}")
    kind = _KINDS.get(data["op"])
    if kind is None or set(data) != {"op", *(f.name for f in fields(kind))}:
        raise KernelError(f"no term: {data!r}")
    return kind(**{name: _decode(data[name], hint) for name, hint in _hints(kind)})


def _encode(value: Any) -> Any:
    if isinstance(value, KernelTerm):
        return value.as_json()
    if isinstance(value, tuple):
        return [_encode(v) for v in value]
    return str(value) if isinstance(value, Fraction) else value


def _decode(data: Any, hint: Any) -> Any:
    if hint is Fraction and type(data) is str:
        try:
            value = Fraction(data)
        except (ValueError, ZeroDivisionError):
            raise KernelError(f"no number: {data!r}") from None
        return value if str(value) == data else data
    if type(data) is list:  # of words, integers and terms
        return tuple(_decode(d, None) for d in data)
    return from_json(data) if isinstance(data, dict) else data


def _hints(kind: type[KernelTerm]) -> tuple[tuple[str, Any], ...]:
    if kind not in _FIELDS:
        hints = get_type_hints(kind)
        _FIELDS[kind] = tuple((f.name, hints[f.name]) for f in fields(kind))
    return _FIELDS[kind]


def fits(value: Any, hint: Any) -> bool:
    """Return whether a value has a type, exactly: no derived class that is not of the kernel."""
    return _test(hint)(value)


@cache
def _test(hint: Any) -> Callable[[Any], bool]:
    """Return the test of a type."""
    if get_origin(hint) is tuple:
        each = _test(get_args(hint)[0])
        return lambda value: type(value) is tuple and all(map(each, value))
    if isinstance(hint, types.UnionType):
        some = [_test(h) for h in get_args(hint)]
        return lambda value: any(test(value) for test in some)
    if issubclass(hint, KernelTerm):
        return lambda value: isinstance(value, hint) and is_made(value)
    return lambda value: type(value) is hint


@dataclass_transform(frozen_default=True)
def written_as(
    word: str, *, of_block: bool = False, binds: tuple[str, ...] = ()
) -> Callable[[_T], _T]:
    """Make a class a kind of term, which is written as ``op`` under this word.

    Args:
        word: what stands for the kind in JSON.
        of_block: whether it mentions the block at hand of a family of its ``sizes``.
        binds: what it binds: the "block" at hand of its ``sizes``, the "letters", the "indices".
    """

    def make(kind: _T) -> _T:
        made: Any = dataclass(slots=True, init=False, eq=False, repr=False)(kind)
        names = [f.name for f in fields(made)]
        places = _hidden(made, names)
        for name, place in zip(names, places, strict=True):
            number = made.__annotations__[name] == "Fraction"
            setattr(made, name, property(_copying(place.__get__) if number else place.__get__))
        made.of_block, made.binds = of_block, frozenset(binds)
        _USUAL[made] = {f.name: f.default for f in fields(made) if f.default is not MISSING}
        _SETTERS[made] = tuple(place.__set__ for place in places)
        _KINDS[word], _WORDS[made] = made, word
        return cast("_T", made)

    return make


def _copying(read: Callable[..., Any]) -> Callable[[Any], Any]:
    """Return a reader of a number that hands out copies: its own parts could be changed."""
    return lambda term: Fraction(read(term))


def open_sizes(term: Any) -> frozenset[Sizes]:
    """Return the families whose block at hand the term mentions.

    >>> from dpcomp_sym.statements import BlockEntry
    >>> open_sizes(BlockEntry("eps", ("k",)))
    frozenset({('k',)})
    """
    if isinstance(term, tuple):
        return frozenset().union(*map(open_sizes, term))
    if not isinstance(term, KernelTerm):
        return frozenset()
    return keep(term, "open", lambda: _open_sizes(term))


def _open_sizes(term: KernelTerm) -> frozenset[Sizes]:
    found: frozenset[Sizes] = frozenset().union(
        *(open_sizes(getattr(term, name)) for name, _ in _hints(type(term)))
    )
    sizes: frozenset[Sizes] = frozenset({getattr(term, "sizes", ())} - {()})
    if term.of_block:
        return found | sizes
    return found - sizes if "block" in term.binds else found


def loose(term: Any) -> tuple[int, int]:
    """Return the largest numbers of a parameter, and of an index, that nothing in a term binds.

    >>> from dpcomp_sym.statements import Compared, Index, Letter, Num
    >>> loose(Compared("le", Letter(2), Index(1))), loose(Num(Fraction(1)))
    ((2, 1), (0, 0))
    """
    if is_made(term):
        return keep(term, "loose", lambda: _loose(term))
    return _loose(term)


def _loose(term: Any) -> tuple[int, int]:
    inner, free, index, binds = term if isinstance(term, tuple) else (), 0, 0, frozenset[str]()
    if isinstance(term, KernelTerm):
        inner = tuple(getattr(term, name) for name, _ in _hints(type(term)))
        (free, index), binds = term.own_numbers(), term.binds
    for item in inner:
        if isinstance(item, _NESTED):
            most = loose(item)
            free, index = max(free, most[0]), max(index, most[1])
    return 0 if "letters" in binds else free, 0 if "indices" in binds else index


def subterms(term: Any) -> Iterator[KernelTerm]:
    """Yield a term and all that it is made of.

    >>> from dpcomp_sym.statements import Param, Sum
    >>> [x.text() for x in subterms(Sum((Param("a"), Param("b"))))]
    ['a + b', 'a', 'b']
    """
    if isinstance(term, tuple):
        for item in term:
            yield from subterms(item)
    elif isinstance(term, KernelTerm):
        yield term
        # Statements are many, and each has the whole problem in it: these keep nothing.
        if isinstance(term, Statement):
            yield from _inside(term)
        else:
            yield from keep(term, "inside", lambda: tuple(_inside(term)))


def _inside(term: KernelTerm) -> Iterator[KernelTerm]:
    """Yield what a term is made of, without itself."""
    for name, _ in _hints(type(term)):
        yield from subterms(getattr(term, name))


def rewritten(term: _K, change: Callable[[KernelTerm], KernelTerm | None]) -> _K:
    """Return a term with other parts: what ``change`` makes of each, or None to look inside of it.

    >>> from dpcomp_sym.statements import Param, Sum
    >>> both = Sum((Param("a"), Param("b")))
    >>> rewritten(both, lambda x: Param("c") if x == Param("a") else None).text()
    'c + b'
    """

    def inside(x: Any) -> Any:
        if isinstance(x, tuple):
            return tuple(map(inside, x))
        if not isinstance(x, KernelTerm):
            return x
        new = change(x)
        if new is not None:
            return new
        return type(x)(*(inside(getattr(x, name)) for name, _ in _hints(type(x))))

    found: _K = inside(term)
    return found


def check_closed(sizes: Sizes, *inner: Any) -> None:
    """Check that a binder over these sizes leaves nothing open."""
    if not open_sizes(inner) <= {sizes}:
        raise KernelError(f"a family over {sizes} cannot hold what belongs to another one")
    check_sizes(sizes)


def check_sizes(sizes: Sizes) -> None:
    """Check that sizes are names or positive numbers."""
    if any((s < 1 if isinstance(s, int) else not s) for s in sizes):
        raise KernelError(f"no sizes: {sizes}")


def check_block(sizes: Sizes, block: tuple[int, ...]) -> None:
    """Check that a family whose sizes are numbers has the block with this number.

    Raises:
        KernelError: it has not, or a size is a symbol.

    >>> check_block((3, 2), (3, 2))
    """
    check_sizes(sizes)
    numbers = [size for size in sizes if isinstance(size, int)]
    there = 0 < len(numbers) == len(sizes) == len(block)
    if not there or not all(1 <= b <= n for b, n in zip(block, numbers, strict=True)):
        raise KernelError(f"there is no block {block} of {sizes}")


def check_indices(sizes: Sizes, *inner: Any) -> None:
    """Check that no index is named that blocks of these sizes do not have."""
    if loose(inner)[1] > len(sizes):
        raise KernelError(f"a block over {sizes} has fewer indices")


def _named(term: KernelTerm) -> Iterator[tuple[str, str, object]]:
    """Yield what a term itself names, its sizes included."""
    yield from term.own_names()
    for size in getattr(term, "sizes", ()):
        if isinstance(size, str):
            yield "number", size, "a size"


def check_names(term: KernelTerm | tuple[KernelTerm, ...]) -> None:
    """Check that what has one name is one thing.

    Values are given to parameters and sizes by name, and blocks are matched by their map's name.

    Raises:
        KernelError: two things have one name.

    >>> from dpcomp_sym.statements import BlockEntry, Param, Sum
    >>> check_names(Sum((Param("eps"), BlockEntry("eps", ("k",)))))
    Traceback (most recent call last):
    dpcomp_sym.statements.terms.base.KernelError: two different things are called 'eps'
    """
    _all_named(term)


def _all_named(term: Any) -> Mapping[tuple[str, str], object]:
    """Return what is named in a term, or in several."""
    if isinstance(term, tuple):
        return _together([_all_named(t) for t in term if isinstance(t, _NESTED)], ())
    if not isinstance(term, KernelTerm):
        return {}

    def find() -> Mapping[tuple[str, str], object]:
        fields_ = (getattr(term, name) for name, _ in _hints(type(term)))
        return _together([_all_named(v) for v in fields_ if isinstance(v, _NESTED)], _named(term))

    return find() if isinstance(term, Statement) else keep(term, "names", find)


def _together(
    tables: Sequence[Mapping[tuple[str, str], object]], more: Iterable[tuple[str, str, object]]
) -> Mapping[tuple[str, str], object]:
    """Return all that is named, each thing once; what is in one table alone stays that table."""
    first, *others = sorted(filter(None, tables), key=len, reverse=True) or [{}]
    added = [*chain.from_iterable(t.items() for t in others), *(((k, n), w) for k, n, w in more)]
    if not added:
        return first
    known = dict(first)
    for key, what in added:
        if known.setdefault(key, what) != what:
            raise KernelError(f"two different things are called '{key[1]}'")
    return known


class Statement(KernelTerm):
    """What a theorem states."""

    __slots__ = ()
