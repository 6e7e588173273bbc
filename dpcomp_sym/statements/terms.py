"""The language of theorems: what they speak about, as frozen data.

Free variables are universal: parameters stand for any number in [0, inf[, sizes for any integer
from 1 on.  There is one kind of bound variable, the block at hand of a family: things indexed by
the blocks of a family carry the family's ``sizes`` (``("k",)`` for k blocks, ``()`` for no index),
and the operators ``Each…`` and :class:`Worst` close over it.  Arithmetic is that of [0, inf] with
0 * inf = 0; in metrics alone (:class:`Rescaled`) 0 * inf = inf.
"""

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
    "FUNCTIONS",
    "NOTIONS",
    "Adaptive",
    "Added",
    "After",
    "Amount",
    "Apply",
    "Arrow",
    "At",
    "BlockDistance",
    "BlockEntry",
    "BlockGroup",
    "BlockPattern",
    "BoundLeq",
    "CanonicalMetric",
    "Cases",
    "ChangedTogether",
    "Choice",
    "Combined",
    "Compared",
    "Compatible",
    "Composite",
    "CompositionProblem",
    "Connected",
    "Converted",
    "DatabaseClass",
    "Dependent",
    "DifferenceVector",
    "EachAdaptive",
    "EachAdded",
    "EachJoint",
    "EditFact",
    "EditShape",
    "EntryOf",
    "Expr",
    "Family",
    "Index",
    "Inf",
    "Infeasible",
    "Integer",
    "Joint",
    "KernelError",
    "KernelTerm",
    "Largest",
    "Letter",
    "Loss",
    "Max",
    "MaxOver",
    "MetricLeq",
    "NamedMap",
    "NamedMechanism",
    "NamedPseudometric",
    "NamedRelation",
    "Neighbouring",
    "Num",
    "OneSided",
    "Param",
    "PartView",
    "Place",
    "Predicate",
    "Private",
    "Procedure",
    "Processed",
    "Product",
    "ProfileFact",
    "Pseudometric",
    "Pullback",
    "Push",
    "Quotient",
    "Reach",
    "Relation",
    "Rescaled",
    "Restricted",
    "SeenDistance",
    "Sensitive",
    "Shares",
    "Size",
    "SizeCase",
    "SizeRange",
    "Sizes",
    "Space",
    "Sqrt",
    "Statement",
    "StructureFact",
    "Sum",
    "SumOver",
    "Symbol",
    "Together",
    "Touch",
    "TouchCount",
    "TouchedKind",
    "Way",
    "Where",
    "Whole",
    "Worst",
    "domain_of",
    "ends",
    "from_json",
    "is_made",
    "is_whole",
    "keep",
    "open_sizes",
    "space_of",
    "subterms",
]

NOTIONS: Final[dict[str, int]] = {}
"""The notions, with the number of their parameters; the registry of notions puts them here."""

FUNCTIONS: Final = {"growth": 2, "gdp": 1, "zcdp_epsilon": 2, "gaussian_delta": 2}
"""Named functions, with the number of their arguments.

``growth(eps, r)`` = (e^(r eps) - 1)/(e^eps - 1), r for eps = 0; ``gdp(eps)`` = 2 Phi^-1(q/(1+q)),
q = e^eps; ``zcdp_epsilon(rho, delta)`` = rho + 2 sqrt(rho max(0, ln 1/delta));
``gaussian_delta(mu, eps)`` = Phi(-eps/mu + mu/2) - e^eps Phi(-eps/mu - mu/2), 0 for mu = 0.
"""

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


class KernelTerm:
    """The common part of everything below: strict fields, JSON, hash and text.

    A term is checked when it is made, and nobody can change it afterwards: what its fields hold can
    be read and not set, by no way that Python has for that.  So what is found out about a term, its
    digest or its hash, stays true, and is kept.

    >>> object.__setattr__(Param("a"), "name", "b")  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    AttributeError: property 'name' of 'Param' object has no setter
    """

    __slots__ = ("_kept",)
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]  # of every kind that is made below

    def __init__(self, *args: Any, **named: Any) -> None:
        """Check the types of all fields, exactly, and what else the class demands."""
        if type(self) not in _WORDS:
            raise KernelError(f"{type(self).__name__} is no term of the kernel")
        if is_made(self):
            raise KernelError("a term is made once")
        setters, usual = _SETTERS[type(self)], _USUAL[type(self)]
        names = [name for name, _ in _hints(type(self))]
        if named or len(args) != len(names):
            given = dict(zip(names, args, strict=False))
            values = usual | given | named
            if len(given) < len(args) or given.keys() & named or values.keys() != set(names):
                raise TypeError(f"{type(self).__name__} has the fields {', '.join(names)}")
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
            return f"<no {kind.__name__}>"

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

        >>> Sum((Param("a"), Num(Fraction(1, 2)))).as_json()["items"][1]
        {'op': 'Num', 'value': '1/2'}
        """
        return {"op": _WORDS[type(self)]} | {
            name: _encode(getattr(self, name)) for name, _ in _hints(type(self))
        }

    def digest(self) -> str:
        """Return the SHA-256 of the canonical JSON text."""
        return keep(self, "digest", lambda: hashlib.sha256(_json_of(self).encode()).hexdigest())

    def text(self) -> str:
        """Return the term in plain characters.

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

    >>> is_made(Param("a")), is_made(object.__new__(Param))
    (True, False)
    """
    try:
        return type(term) in _WORDS and _kept.__get__(term) is not None
    except AttributeError:
        return False


def keep(term: KernelTerm, what: str, find: Callable[[], _V]) -> _V:
    """Return what is found out about a term, once; whoever gets it must not change it.

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
def _term(word: str) -> Callable[[_T], _T]:
    """Make a class a kind of term, which is written as ``op`` under this word."""

    def make(kind: _T) -> _T:
        made: Any = dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)(kind)
        names = [f.name for f in fields(made)]
        places = _hidden(made, names)
        for name, place in zip(names, places, strict=True):
            number = made.__annotations__[name] == "Fraction"
            setattr(made, name, property(_copying(place.__get__) if number else place.__get__))
        _USUAL[made] = {f.name: f.default for f in fields(made) if f.default is not MISSING}
        _SETTERS[made] = tuple(place.__set__ for place in places)
        _KINDS[word], _WORDS[made] = made, word
        return cast("_T", made)

    return make


def _copying(read: Callable[..., Any]) -> Callable[[Any], Any]:
    """Return a reader of a number that hands out copies: its own parts could be changed."""
    return lambda term: Fraction(read(term))


def open_sizes(term: Any) -> frozenset[Sizes]:
    """Return the families whose block at hand the term speaks of.

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
    if isinstance(term, BlockEntry | DatabaseClass | NamedMap | NamedMechanism):
        return found | ({term.sizes} if term.sizes else frozenset())
    if isinstance(term, Worst | SumOver | EachAdded | EachAdaptive | EachJoint | PartView):
        return found - {term.sizes}
    return found


def loose(term: Any) -> tuple[int, int]:
    """Return the largest numbers of a parameter, and of an index, that nothing in a term binds.

    >>> loose(Compared("le", Letter(2), Index(1))), loose(Num(Fraction(1)))
    ((2, 1), (0, 0))
    """
    if is_made(term):
        return keep(term, "loose", lambda: _loose(term))
    return _loose(term)


def _loose(term: Any) -> tuple[int, int]:
    if isinstance(term, Letter | Index):
        return (term.number, 0) if isinstance(term, Letter) else (0, term.number)
    inner = term if isinstance(term, tuple) else ()
    if isinstance(term, KernelTerm):
        inner = tuple(getattr(term, name) for name, _ in _hints(type(term)))
    free, index = 0, 0
    for item in inner:
        if isinstance(item, KernelTerm | tuple):
            most = loose(item)
            free, index = max(free, most[0]), max(index, most[1])
    if isinstance(term, MaxOver | BlockPattern | ChangedTogether):
        free = 0  # checked when they were made
    if isinstance(term, SumOver | Family | Place):
        index = 0
    return free, index


def subterms(term: Any) -> Iterator[KernelTerm]:
    """Yield a term and all that it is made of.

    >>> [x.text() for x in subterms(Sum((Param("a"), Param("b"))))]
    ['a + b', 'a', 'b']
    """
    if isinstance(term, tuple):
        for item in term:
            yield from subterms(item)
    elif isinstance(term, KernelTerm):
        yield term
        for name, _ in _hints(type(term)):
            yield from subterms(getattr(term, name))


def _closes(sizes: Sizes, *inner: Any) -> None:
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


# Expressions: numbers in [0, inf].


class Expr(KernelTerm):
    """A number in [0, inf], as a function of parameters, sizes and the block at hand."""

    __slots__ = ()


@_term("Num")
class Num(Expr):
    """A non-negative rational number."""

    value: Fraction

    def _check(self) -> None:
        if self.value < 0:
            raise KernelError("numbers are not negative here")


@_term("Inf")
class Inf(Expr):
    """Infinity: as a guarantee, none; as a distance, unreachable; as a count, all."""


@_term("Param")
class Param(Expr):
    """A parameter: any number in [0, inf[."""

    name: str


@_term("Entry")
class BlockEntry(Expr):
    """The entry, for the block at hand, of a parameter that has one value a block."""

    name: str
    sizes: Sizes

    def _check(self) -> None:
        check_sizes(self.sizes)


@_term("EntryOf")
class EntryOf(Expr):
    """The entry, for the block with this number, of a parameter that has one value a block."""

    name: str
    sizes: Sizes
    block: tuple[int, ...]

    def _check(self) -> None:
        check_block(self.sizes, self.block)


@_term("Size")
class Size(Expr):
    """A size such as the number of blocks: an integer, at least 1."""

    name: str


@_term("Sum")
class Sum(Expr):
    """The sum; 0 if empty."""

    items: tuple[Expr, ...]


@_term("Product")
class Product(Expr):
    """The product; 1 if empty."""

    items: tuple[Expr, ...]


@_term("Max")
class Max(Expr):
    """The maximum; 0 if empty."""

    items: tuple[Expr, ...]


@_term("Sqrt")
class Sqrt(Expr):
    """The square root."""

    of: Expr


@_term("Apply")
class Apply(Expr):
    """One of the :data:`FUNCTIONS`."""

    name: str
    items: tuple[Expr, ...]

    def _check(self) -> None:
        if FUNCTIONS.get(self.name) != len(self.items):
            raise KernelError(f"no function {self.name} of {len(self.items)} arguments")


def is_whole(e: Expr) -> bool:
    """Return whether an expression is made of sizes and integers, so that it is an integer.

    >>> is_whole(Product((Num(Fraction(2)), Size("k")))), is_whole(Num(Fraction(1, 2)))
    (True, False)
    """
    if isinstance(e, Sum | Product | Max):
        return all(map(is_whole, e.items))
    return isinstance(e, Size) or (isinstance(e, Num) and e.value.denominator == 1)


def check_count(count: Expr) -> None:
    """Check that a number of blocks is an integer made of sizes and integers, or infinity."""
    if not isinstance(count, Inf) and not is_whole(count):
        raise KernelError(f"no number of blocks: {count.text()}")


@_term("Choice")
class Choice(KernelTerm):
    """Up to ``count`` different blocks, each of which contributes ``value``."""

    count: Expr
    value: Expr

    def _check(self) -> None:
        check_count(self.count)


@_term("Worst")
class Worst(Expr):
    """The largest total over all ways to choose *different* blocks for the groups.

    At most ``count`` blocks for each group, and no more than there are.  One group of count 1 is a
    maximum over the blocks, of count n the sum of the n largest, of count infinity the sum of all.
    """

    sizes: Sizes
    groups: tuple[Choice, ...]

    def _check(self) -> None:
        _closes(self.sizes, self.groups)


# Integers and conditions on them: which blocks change together.


class Whole(KernelTerm):
    """An integer, made of numbers, symbols, bound parameters and the indices of a block."""

    __slots__ = ()


class Predicate(KernelTerm):
    """A condition on integers."""

    __slots__ = ()


@_term("Integer")
class Integer(Whole):
    """An integer."""

    value: int


@_term("Symbol")
class Symbol(Whole):
    """A symbol of the problem: an integer that its facts allow."""

    name: str


@_term("Letter")
class Letter(Whole):
    """The parameter with this number, from 1 on, of what binds parameters around it."""

    number: int

    def _check(self) -> None:
        if self.number < 1:
            raise KernelError("parameters are numbered from 1")


@_term("Index")
class Index(Whole):
    """The index with this number, from 1 on, of the block at hand."""

    number: int

    def _check(self) -> None:
        if self.number < 1:
            raise KernelError("indices are numbered from 1")


OPERATIONS: Final = {"neg": 1, "div": 2, "mod": 2}
"""Operations on integers with a number of arguments; sum, product, min and max have any number.

``div`` and ``mod`` round downwards.
"""


@_term("Combined")
class Combined(Whole):
    """A sum, product, negative, quotient, remainder, least or largest of integers."""

    word: str
    items: tuple[Whole, ...]

    def _check(self) -> None:
        if self.word in ("add", "mul", "min", "max"):
            if len(self.items) < 2:
                raise KernelError(f"{self.word} takes two integers or more")
        elif OPERATIONS.get(self.word) != len(self.items):
            raise KernelError(f"no operation {self.word} of {len(self.items)} integers")


@_term("Compared")
class Compared(Predicate):
    """Two integers compared: lt, le, eq or ne."""

    word: str
    left: Whole
    right: Whole

    def _check(self) -> None:
        if self.word not in ("lt", "le", "eq", "ne"):
            raise KernelError(f"no comparison: {self.word}")


@_term("Connected")
class Connected(Predicate):
    """All of some conditions (and), one of them (or), or not the one."""

    word: str
    items: tuple[Predicate, ...]

    def _check(self) -> None:
        if self.word not in ("and", "or", "not") or (self.word == "not" and len(self.items) != 1):
            raise KernelError(f"no connection {self.word} of {len(self.items)} conditions")


def _binds(free: int, *inner: Any) -> None:
    """Check that a binder of so many parameters leaves none open."""
    if loose(inner)[0] > free:  # also of a number below 0
        raise KernelError(f"a parameter is not among the {free} that are bound")


def _has_index(sizes: Sizes, *inner: Any) -> None:
    """Check that no index is named that blocks of these sizes do not have."""
    if loose(inner)[1] > len(sizes):
        raise KernelError(f"a block over {sizes} has fewer indices")


@_term("Amount")
class Amount(Expr):
    """An integer as a number in [0, inf]: 0 if it is negative."""

    of: Whole


@_term("SumOver")
class SumOver(Expr):
    """The total of ``value`` over the blocks with ``when``, over at most ``count`` of them.

    For the block at hand ``when`` and amounts in ``value`` may name its indices.  With fewer blocks
    than there are, the largest total.  Without sizes there is one block.
    """

    sizes: Sizes
    when: Predicate
    count: Expr
    value: Expr

    def _check(self) -> None:
        check_count(self.count)
        _closes(self.sizes, self.value)
        _has_index(self.sizes, self.when, self.value)


@_term("MaxOver")
class MaxOver(Expr):
    """The largest value (supremum) of ``body`` over ``free`` integers with ``facts``; 0 if none."""

    free: int
    facts: Predicate
    body: Expr

    def _check(self) -> None:
        _binds(self.free, self.facts, self.body)
        if loose((self.facts, self.body))[1]:
            raise KernelError("an index is named outside of its block")
        if any(isinstance(x, MaxOver) for x in subterms(self.body)):
            raise KernelError("parameters are bound once")


@_term("Range")
class SizeRange(KernelTerm):
    """The sizes with low <= symbol (and symbol <= high)."""

    symbol: str
    low: int
    high: int | None

    def _check(self) -> None:
        if self.low < 1 or (self.high is not None and self.high < self.low):
            raise KernelError("an empty range of sizes")


Where = tuple[SizeRange, ...]
"""A box of sizes, one range a symbol; symbols not mentioned are any integer from 1 on."""


@_term("Case")
class SizeCase(KernelTerm):
    """A value for a box of sizes."""

    where: tuple[SizeRange, ...]
    value: Expr


@_term("Cases")
class Cases(Expr):
    """The value of the first case that holds; infinity if there is none."""

    items: tuple[SizeCase, ...]


# Spaces, granularities, maps.


class Space(KernelTerm):
    """A set of databases."""

    __slots__ = ()


class Relation(KernelTerm):
    """A granularity: a relation between databases, "neighbours"; symmetric unless one-sided."""

    __slots__ = ()


class Arrow(KernelTerm):
    """A deterministic map, or one for each block of a family."""

    __slots__ = ()


@_term("Domain")
class DatabaseClass(Space):
    """A class of databases, or one for each block, with its definition (JSON text)."""

    name: str
    detail: str
    sizes: Sizes

    def _check(self) -> None:
        check_sizes(self.sizes)


@_term("Granularity")
class NamedRelation(Relation):
    """A granularity, with its definition (JSON text)."""

    name: str
    detail: str


@_term("OneSided")
class OneSided(Relation):
    """A granularity that leads from D to D' only, with its definition (JSON text)."""

    name: str
    detail: str


@_term("Push")
class Push(Relation):
    """The pushforward: y ~ y' iff some neighbours D ~ D' of the map's domain are mapped to them."""

    of: Relation
    map: Arrow


@_term("Map")
class NamedMap(Arrow):
    """A map, or one for each block of a family, with its definition (JSON text)."""

    name: str
    detail: str
    domain: Space
    codomain: Space
    sizes: Sizes

    def _check(self) -> None:
        check_sizes(self.sizes)


@_term("Composite")
class Composite(Arrow):
    """First one map, then the other."""

    first: Arrow
    second: Arrow

    def _check(self) -> None:
        if ends(self.first)[1] != ends(self.second)[0]:
            raise KernelError("the maps do not fit together")


def ends(arrow: Arrow) -> tuple[Space, Space]:
    """Return domain and codomain of a map."""
    if isinstance(arrow, Composite):
        return ends(arrow.first)[0], ends(arrow.second)[1]
    if isinstance(arrow, NamedMap):
        return arrow.domain, arrow.codomain
    raise KernelError("no map")


# Extended pseudometrics.


class Pseudometric(KernelTerm):
    """An extended pseudometric on a space; not symmetric if it comes from a one-sided relation."""

    __slots__ = ()


@_term("Canonical")
class CanonicalMetric(Pseudometric):
    """The canonical metric: the least number of steps between neighbours."""

    relation: Relation
    domain: Space


@_term("Distance")
class NamedPseudometric(Pseudometric):
    """A given pseudometric, with its definition (JSON text)."""

    name: str
    detail: str
    domain: Space


@_term("Rescaled")
class Rescaled(Pseudometric):
    """A multiple of a pseudometric (with 0 * inf = inf: E13)."""

    by: Expr
    of: Pseudometric


@_term("Added")
class Added(Pseudometric):
    """The sum of pseudometrics on one space."""

    items: tuple[Pseudometric, ...]

    def _check(self) -> None:
        if len({space_of(m) for m in self.items}) != 1:
            raise KernelError("metrics on one space are needed")


@_term("EachAdded")
class EachAdded(Pseudometric):
    """The sum over all blocks of a family."""

    sizes: Sizes
    item: Pseudometric

    def _check(self) -> None:
        _closes(self.sizes, self.item)


@_term("Largest")
class Largest(Pseudometric):
    """The pointwise maximum of pseudometrics on one space."""

    items: tuple[Pseudometric, ...]

    def _check(self) -> None:
        if len({space_of(m) for m in self.items}) != 1:
            raise KernelError("metrics on one space are needed")


@_term("Pullback")
class Pullback(Pseudometric):
    """d(f(D), f(D'))."""

    of: Pseudometric
    map: Arrow

    def _check(self) -> None:
        if space_of(self.of) != ends(self.map)[1]:
            raise KernelError("the metric does not live where the map ends")


@_term("Quotient")
class Quotient(Pseudometric):
    """The quotient pseudometric on the image: the infimum over chains through the fibres."""

    of: Pseudometric
    map: Arrow

    def _check(self) -> None:
        if space_of(self.of) != ends(self.map)[0]:
            raise KernelError("the metric does not live where the map starts")


def space_of(metric: Pseudometric) -> Space:
    """Return the space on which a metric is defined."""
    match metric:
        case CanonicalMetric() | NamedPseudometric():
            return metric.domain
        case Rescaled():
            return space_of(metric.of)
        case Added() | Largest():
            return space_of(metric.items[0])
        case EachAdded():
            return space_of(metric.item)
        case Pullback():
            return ends(metric.map)[0]
        case Quotient():
            return ends(metric.map)[1]
        case _:
            raise KernelError("no metric")


# Mechanisms.


class Procedure(KernelTerm):
    """A randomized mechanism, or one for each block of a family."""

    __slots__ = ()


@_term("Mechanism")
class NamedMechanism(Procedure):
    """A named mechanism; it may read earlier outputs of the composition that it is part of."""

    name: str
    domain: Space
    sizes: Sizes

    def _check(self) -> None:
        check_sizes(self.sizes)


@_term("After")
class After(Procedure):
    """A mechanism behind a map."""

    mechanism: Procedure
    map: Arrow

    def _check(self) -> None:
        if domain_of(self.mechanism) != ends(self.map)[1]:
            raise KernelError("the mechanism does not start where the map ends")


@_term("Adaptive")
class Adaptive(Procedure):
    """Mechanisms run one after the other, each seeing all earlier outputs."""

    items: tuple[Procedure, ...]

    def _check(self) -> None:
        if len({domain_of(m) for m in self.items}) != 1:
            raise KernelError("mechanisms on one domain are needed")


@_term("EachAdaptive")
class EachAdaptive(Procedure):
    """The mechanisms of all blocks, run one after the other."""

    sizes: Sizes
    item: Procedure

    def _check(self) -> None:
        _closes(self.sizes, self.item)
        if open_sizes(domain_of(self.item)):
            raise KernelError("mechanisms on one domain are needed")


@_term("Processed")
class Processed(Procedure):
    """What is computed from the output of a mechanism, without the database."""

    of: Procedure
    by: str


def domain_of(mechanism: Procedure) -> Space:
    """Return the databases that a mechanism accepts."""
    match mechanism:
        case NamedMechanism():
            return mechanism.domain
        case After():
            return ends(mechanism.map)[0]
        case Adaptive():
            return domain_of(mechanism.items[0])
        case EachAdaptive():
            return domain_of(mechanism.item)
        case Processed():
            return domain_of(mechanism.of)
        case _:
            raise KernelError("no mechanism")


# What is guaranteed, in the units of a notion.


class Loss(KernelTerm):
    """What a mechanism may reveal about a pair of databases, in the units of a notion."""

    __slots__ = ()


@_term("Neighbouring")
class Neighbouring(Loss):
    """The guarantee, between neighbours."""

    relation: Relation
    domain: Space
    guarantee: tuple[Expr, ...]


@_term("At")
class At(Loss):
    """The guarantee scaled by the distance of the pair.

    At distance r: eps r; (eps r, delta growth(eps, r)); rho r^2; mu r.  Nothing is revealed at
    distance 0, whatever the guarantee, and nothing guaranteed at distance infinity.
    """

    guarantee: tuple[Expr, ...]
    metric: Pseudometric


@_term("Joint")
class Joint(Loss):
    """All of these together: sums, or roots of sums of squares, as the notion says."""

    items: tuple[Loss, ...]


@_term("EachJoint")
class EachJoint(Loss):
    """The losses of all blocks of a family together."""

    sizes: Sizes
    item: Loss

    def _check(self) -> None:
        _closes(self.sizes, self.item)


@_term("Converted")
class Converted(Loss):
    """A loss in the units of another notion, ``source``, converted pair by pair.

    ``chosen``: the parameters that the conversion leaves free, the same for all pairs.
    """

    source: str
    of: Loss
    chosen: tuple[Expr, ...] = ()


# Problems and profiles.


@_term("Edit")
class EditShape(KernelTerm):
    """An edit that leads to neighbours; ``points`` records stand for all that it touches.

    They are numbered from 1; an edit of 0 points is a frame, which may touch any number.
    """

    name: str
    points: int

    def _check(self) -> None:
        if self.points < 0:
            raise KernelError("the number of touched records is not negative")


@_term("View")
class PartView(KernelTerm):
    """A part of a composition: the map (family) it reads and the distance that it sees."""

    part: str
    map: str
    sizes: Sizes
    seen: Pseudometric

    def _check(self) -> None:
        _closes(self.sizes, self.seen)


@_term("Problem")
class CompositionProblem(KernelTerm):
    """A composition problem; ``statement`` is its full definition (JSON text).

    Two databases are neighbours iff one of the edits leads from one of them to the other.  That
    the list is complete is a definition; theorems that rest on it say so in their trust.
    """

    domain: Space
    relation: Relation
    edits: tuple[EditShape, ...]
    views: tuple[PartView, ...]
    statement: str

    def _check(self) -> None:
        if open_sizes((self.domain, self.relation)):
            raise KernelError("a problem is about one domain, not one for each block")
        by_map: dict[str, Sizes] = {}
        for view in self.views:
            if space_of(view.seen) != self.domain:
                raise KernelError(f"part {view.part} sees another domain")
            if by_map.setdefault(view.map, view.sizes) != view.sizes:
                raise KernelError(f"the parts of map {view.map} disagree on its blocks")
            read = view.seen.map if isinstance(view.seen, Pullback) else None
            if isinstance(read, NamedMap) and read.name != view.map:
                raise KernelError(f"part {view.part} reads {read.name}, not {view.map}")
        check_names(self.views)
        for names in ([v.part for v in self.views], [e.name for e in self.edits]):
            if len(set(names)) != len(names):
                raise KernelError("a name is used twice")


@_term("Seen")
class SeenDistance(KernelTerm):
    """A distance, at most, for one part."""

    part: str
    distance: Expr


@_term("Group")
class BlockGroup(KernelTerm):
    """At most ``count`` blocks of a map, each seen at most at these distances.

    All parts that read the map are listed, each once.  With ``block``, it is that block.  With
    ``wide``, up to so many blocks change and share: there are weights of these blocks, from 0 to 1
    and with a sum of at most ``count``, such that each part sees a block at most at the block's
    weight times its distance here.
    """

    map: str
    count: Expr
    distances: tuple[SeenDistance, ...]
    block: tuple[int, ...] = ()
    wide: Expr | None = None

    def _check(self) -> None:
        check_count(self.count)
        if self.wide is not None:
            check_count(self.wide)
        if self.block and (self.wide is not None or self.count != Num(Fraction(1))):
            raise KernelError("a block that is named is one block")


class Way(KernelTerm):
    """A way in which neighbours can differ."""

    __slots__ = ()


@_term("Vector")
class DifferenceVector(Way):
    """One way in which neighbours can differ: different blocks for the groups, others agree."""

    groups: tuple[BlockGroup, ...]


@_term("Family")
class Family(KernelTerm):
    """At most ``count`` blocks of a map, each with ``when`` and seen at most at these distances.

    All parts that read the map are listed, each once.  ``when`` and the distances may name the
    indices of the block and the parameters that are bound.
    """

    map: str
    count: Expr
    distances: tuple[SeenDistance, ...]
    when: Predicate

    def _check(self) -> None:
        check_count(self.count)


@_term("BlockPattern")
class BlockPattern(Way):
    """One way in which neighbours can differ: all blocks that change are in these families.

    There are ``free`` integers with ``facts`` for which that is so.
    """

    free: int
    facts: Predicate
    families: tuple[Family, ...]

    def _check(self) -> None:
        _binds(self.free, self.facts, self.families)
        if loose(self.facts)[1]:
            raise KernelError("an index is named outside of its block")


@_term("Place")
class Place(KernelTerm):
    """Which blocks of a map change that hold exactly the ``touched`` records (none: any block).

    They have ``when``, and the parts that are listed see them at most at these distances.
    """

    map: str
    touched: tuple[int, ...]
    when: Predicate
    distances: tuple[SeenDistance, ...]


@_term("Touch")
class Touch(KernelTerm):
    """A block that changes and holds exactly the ``touched`` records: ``block``, or any if ()."""

    map: str
    block: tuple[int, ...]
    touched: tuple[int, ...]


@_term("Reach")
class Reach(KernelTerm):
    """A set of blocks, each with records that it may hold."""

    touches: tuple[Touch, ...]

    def _check(self) -> None:
        for touch in self.touches:
            others = (x for x in self.touches if x.map == touch.map)
            if any(bool(x.block) != bool(touch.block) for x in others):
                raise KernelError(f"a set names the blocks of {touch.map}, or it does not")


@_term("Kind")
class TouchedKind(KernelTerm):
    """At least ``count`` blocks of a map that change and hold exactly the ``touched`` records."""

    map: str
    touched: tuple[int, ...]
    count: int

    def _check(self) -> None:
        if self.count < 1:
            raise KernelError("a pattern speaks of one block at least")


def _named(term: KernelTerm) -> Iterator[tuple[str, str, object]]:
    """Yield what a term names: the kind of thing, its name, and its other properties.

    The codomain of a map is left out: each part that reads a map has its own class of images.
    """
    match term:
        case Param(name):
            yield "number", name, "one number"
        case BlockEntry(name, sizes) | EntryOf(name, sizes):
            yield "number", name, sizes
        case Size(name) | SizeRange(name) | Symbol(name):
            yield "number", name, "a size"
        case NamedMap(name, detail, domain, _, sizes):
            yield "map", name, (detail, domain, sizes)
        case NamedMechanism(name, domain, sizes):
            yield "mechanism", name, (domain, sizes)
        case _:
            pass
    for size in getattr(term, "sizes", ()):
        if isinstance(size, str):
            yield "number", size, "a size"


def check_names(term: KernelTerm | tuple[KernelTerm, ...]) -> None:
    """Check that what has one name is one thing.

    Values are given to parameters and sizes by name, and blocks are matched by their map's name.

    Raises:
        KernelError: two things have one name.

    >>> check_names(Sum((Param("eps"), BlockEntry("eps", ("k",)))))
    Traceback (most recent call last):
    dpcomp_sym.statements.terms.KernelError: two different things are called 'eps'
    """
    _all_named(term)


def _all_named(term: Any) -> Mapping[tuple[str, str], object]:
    """Return what is named in a term, or in several."""
    if isinstance(term, tuple):
        return _together([_all_named(t) for t in term if isinstance(t, tuple | KernelTerm)], ())
    if not isinstance(term, KernelTerm):
        return {}

    def find() -> Mapping[tuple[str, str], object]:
        inside = [_all_named(getattr(term, name)) for name, _ in _hints(type(term))]
        return _together(inside, _named(term))

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


# Statements.


class Statement(KernelTerm):
    """What a theorem says."""

    __slots__ = ()


def _check_loss(notion: str, loss: Loss, domain: Space) -> None:
    """Check that a loss speaks of this domain, in the parameters of this notion."""
    if notion not in NOTIONS:
        raise KernelError(f"no notion: {notion}")
    match loss:
        case Neighbouring() | At():
            if len(loss.guarantee) != NOTIONS[notion]:
                raise KernelError(f"a {notion} guarantee has {NOTIONS[notion]} parameter(s)")
            at = loss.domain if isinstance(loss, Neighbouring) else space_of(loss.metric)
            if at != domain:
                raise KernelError("a guarantee speaks of another domain than its mechanism")
        case Joint():
            for item in loss.items:
                _check_loss(notion, item, domain)
        case EachJoint():
            _check_loss(notion, loss.item, domain)
        case Converted():
            _check_loss(loss.source, loss.of, domain)
        case _:
            raise KernelError("no loss")


@_term("Private")
class Private(Statement):
    """The mechanism is private: whatever earlier outputs are, pairs lose at most ``loss``."""

    mechanism: Procedure
    notion: str
    loss: Loss
    where: tuple[SizeRange, ...]

    def _check(self) -> None:
        _check_loss(self.notion, self.loss, domain_of(self.mechanism))


@_term("Dependent")
class Dependent(Statement):
    """The mechanism depends on its database only through the map."""

    mechanism: Procedure
    map: Arrow


@_term("Sensitive")
class Sensitive(Statement):
    """target(f(D), f(D')) <= bound * source(D, D') for all D, D'."""

    map: Arrow
    bound: Expr
    source: Pseudometric
    target: Pseudometric


@_term("Compatible")
class Compatible(Statement):
    """Condition C1: for all neighbours, at most one block of the family changes."""

    map: Arrow
    relation: Relation
    domain: Space


@_term("MetricLeq")
class MetricLeq(Statement):
    """left(D, D') <= right(D, D') for all D, D'."""

    left: Pseudometric
    right: Pseudometric

    def _check(self) -> None:
        if space_of(self.left) != space_of(self.right):
            raise KernelError("metrics on one space are needed")


@_term("BoundLeq")
class BoundLeq(Statement):
    """left <= right for all parameters and all sizes of the box."""

    left: Expr
    right: Expr
    where: tuple[SizeRange, ...]


@_term("ProfileFact")
class ProfileFact(Statement):
    """For all neighbours, and sizes of the box, some vector bounds all distances jointly."""

    problem: CompositionProblem
    where: tuple[SizeRange, ...]
    vectors: tuple[Way, ...]

    def _check(self) -> None:
        sizes = {v.map: v.sizes for v in self.problem.views}
        for vector in self.vectors:
            for group in _groups(vector):
                parts = sorted(v.part for v in self.problem.views if v.map == group.map)
                if not parts or parts != sorted(s.part for s in group.distances):
                    raise KernelError(f"a vector must list every part of the map {group.map} once")
                if isinstance(group, Family):
                    _has_index(sizes[group.map], group.when, group.distances)
                elif group.block:
                    check_block(sizes[group.map], group.block)


def _groups(way: Way) -> tuple[BlockGroup | Family, ...]:
    if isinstance(way, BlockPattern):
        return way.families
    return way.groups if isinstance(way, DifferenceVector) else ()


def _sizes(problem: CompositionProblem, name: str) -> Sizes:
    return next((v.sizes for v in problem.views if v.map == name), ())


class StructureFact(Statement):
    """What edits of a problem do to the blocks of its maps, for some sizes or for all."""

    __slots__ = ()


class EditFact(StructureFact):
    """What an edit of a problem does to the blocks of its maps."""

    __slots__ = ()
    problem: CompositionProblem
    edit: str


@_term("BlockDistance")
class BlockDistance(EditFact):
    """In a block that holds exactly these touched records, the part sees at most this distance."""

    problem: CompositionProblem
    edit: str
    part: str
    touched: tuple[int, ...]
    distance: Expr


@_term("TouchCount")
class TouchCount(EditFact):
    """Blocks of the map that the edit changes hold a touched record, each in at most ``count``.

    For an edit of 0 points (a frame): at most ``count`` blocks of the map change.
    """

    problem: CompositionProblem
    edit: str
    map: str
    count: Expr

    def _check(self) -> None:
        check_count(self.count)


@_term("Infeasible")
class Infeasible(EditFact):
    """For all sizes of the box, this edit changes all these blocks in no databases."""

    problem: CompositionProblem
    edit: str
    pattern: tuple[TouchedKind, ...]
    where: tuple[SizeRange, ...]

    def _check(self) -> None:
        if len({(kind.map, kind.touched) for kind in self.pattern}) != len(self.pattern):
            raise KernelError("a pattern counts each kind of block once")


@_term("ChangedTogether")
class ChangedTogether(EditFact):
    """Which blocks an edit changes at once, told by integers that it names.

    ``terms`` are integers of the edit (JSON text), the parameters; they have ``facts``.  Each block
    that the edit changes, and that holds exactly the touched records of a place, is as it says.
    """

    problem: CompositionProblem
    edit: str
    terms: tuple[str, ...]
    facts: Predicate
    places: tuple[Place, ...]

    def _check(self) -> None:
        _binds(len(self.terms), self.facts, self.places)
        sizes = {v.map: v.sizes for v in self.problem.views}
        for place in self.places:
            if place.map not in sizes:
                raise KernelError(f"no part reads {place.map}")
            _has_index(sizes[place.map], place.when, place.distances)
        if len({(p.map, p.touched) for p in self.places}) != len(self.places):
            raise KernelError("a place stands twice")


@_term("Together")
class Together(EditFact):
    """All blocks that this edit changes in some databases lie in one of the sets.

    A block lies in a set that lists it, or its whole map, with exactly the touched records that it
    holds.
    """

    problem: CompositionProblem
    edit: str
    sets: tuple[Reach, ...]

    def _check(self) -> None:
        for touch in (x for reach in self.sets for x in reach.touches):
            if touch.block:
                check_block(_sizes(self.problem, touch.map), touch.block)


@_term("Shares")
class Shares(EditFact):
    """The blocks of a map that this edit changes share distances.

    There are weights of the blocks, from 0 to 1 and with a sum of at most ``count``, such that each
    part that reads the map sees a block at most at the block's weight times its distance here.
    """

    problem: CompositionProblem
    edit: str
    map: str
    count: Expr
    distances: tuple[SeenDistance, ...]

    def _check(self) -> None:
        check_count(self.count)
        parts = sorted(v.part for v in self.problem.views if v.map == self.map)
        if not parts or parts != sorted(s.part for s in self.distances):
            raise KernelError(f"every part of the map {self.map} must be listed once")


@_term("Restricted")
class Restricted(StructureFact):
    """For all sizes of the box, a fact about an edit."""

    of: EditFact
    where: tuple[SizeRange, ...]

    def _check(self) -> None:
        if not self.where:
            raise KernelError("a fact about all sizes is not restricted")
