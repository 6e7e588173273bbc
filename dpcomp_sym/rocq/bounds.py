"""Bounds, counts and distances of a certificate as terms of Rocq."""

from __future__ import annotations

from fractions import Fraction

from dpcomp_sym.errors import UnwrittenError
from dpcomp_sym.rocq.evidence import Expression
from dpcomp_sym.rocq.names import of_spec

__all__ = ["as_integer", "blocks_of", "infinite", "integral", "natural", "real"]


def infinite(e: Expression) -> bool:
    """Return whether it is infinity."""
    return bool(e["op"] == "Inf")


def as_integer(e: Expression) -> int | None:
    """Return a natural number, None for anything else.

    >>> as_integer({"op": "Num", "value": "3"}), as_integer({"op": "Size", "name": "w"})
    (3, None)
    """
    value = Fraction(e["value"]) if e["op"] == "Num" else None
    return value.numerator if value is not None and value.denominator == 1 else None


def integral(e: Expression) -> str:
    """Return an integer, of sort Z.

    >>> integral({"op": "Product", "items": [{"op": "Num", "value": "2"}, {"op": "Size",
    ...     "name": "r"}]})
    '(2 * r_)'
    """
    match e["op"]:
        case "Num" if as_integer(e) is not None:
            return str(e["value"])
        case "Size":
            return of_spec(e["name"])
        case "Sum" | "Product":
            sign = " + " if e["op"] == "Sum" else " * "
            return f"({sign.join(map(integral, e['items']))})"
        case other:
            raise UnwrittenError(f"a count is not made of numbers and sizes: {other}")


def natural(e: Expression) -> str:
    """Return a count, of sort nat."""
    number = as_integer(e)
    return f"{number}" if number is not None else f"(Z.to_nat {integral(e)})"


def blocks_of(sizes: list[str | int] | tuple[str | int, ...]) -> str:
    """Return the list of all blocks; a map without blocks counts as one."""
    if len(sizes) > 1:
        raise UnwrittenError("a map has more than one index")
    if not sizes:
        return "(range 1)"
    size = sizes[0]
    return f"(range {of_spec(size) if isinstance(size, str) else size})"


def real(e: Expression) -> str:
    """Return a bound, of sort R; inside of a choice of blocks the block is ``i``."""
    match e["op"]:
        case "Num":
            value = Fraction(e["value"])
            whole = value.denominator == 1
            return str(value.numerator) if whole else f"({value.numerator} / {value.denominator})"
        case "Param":
            return of_spec(e["name"])
        case "Entry":
            return f"{of_spec(e['name'])} i"
        case "Size":
            return f"IZR {of_spec(e['name'])}"
        case "Sum" | "Product":
            sign = " + " if e["op"] == "Sum" else " * "
            return f"({sign.join(map(real, e['items']))})"
        case "Max":
            first, *rest = map(real, e["items"])
            for item in rest:
                first = f"(Rmax {first} {item})"
            return first
        case "Worst" if len(e["groups"]) == 1:
            (group,) = e["groups"]
            return choice(blocks_of(e["sizes"]), group["count"], real(group["value"]))
        case "Inf":
            raise UnwrittenError("the bound is infinite: there is nothing to prove")
        case other:
            raise UnwrittenError(f"a bound of the form {other} is not written so far")


def choice(blocks: str, count: Expression, value: str) -> str:
    """Return the sum over the worst blocks, over all of them for an infinite count."""
    if infinite(count):
        return f"(sum {blocks} (fun i => {value}))"
    return f"(worst {natural(count)} {blocks} (fun i => {value}))"
