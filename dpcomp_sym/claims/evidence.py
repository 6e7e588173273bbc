"""From a pair of neighbours and numbers to the plain data that refute a claim.

The data say everything that :mod:`dpcomp_sym.claims.standalone` needs to check the refutation
without the engine: the world, the definitions, the databases, what each part sees, the claim.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction
from statistics import NormalDist
from typing import Any

from dpcomp_sym import kernel as k
from dpcomp_sym.claims import standalone
from dpcomp_sym.claims.parse import Claim
from dpcomp_sym.claims.worlds import ParameterValues, declared, source
from dpcomp_sym.claims.written_out import speaks_of_integers
from dpcomp_sym.engine.counterexample import FoundPair
from dpcomp_sym.engine.distances import no_single_edit
from dpcomp_sym.engine.structure import Structure
from dpcomp_sym.engine.tight_pairs import AttainedBlock
from dpcomp_sym.finite import Cell, World
from dpcomp_sym.model import BoundGranularity, BoundMap, BoundPart, Domain
from dpcomp_sym.notions import NOTIONS, Refuting
from dpcomp_sym.profile import Infinity
from dpcomp_sym.terms import Term
from dpcomp_sym.terms.term import integer

__all__ = ["as_data", "refutation"]


def _term(term: Term) -> list[Any]:
    return [term.op, *(_term(a) if isinstance(a, Term) else a for a in term.args)]


def _domain(domain: Domain) -> dict[str, Any]:
    return {
        "attributes": list(domain.attributes),
        "cap": domain.cap,
        "cell": _term(domain.cell_term),
        "size": [_term(t) for t in domain.size_terms],
        "facts": [_term(t) for t in domain.fact_terms],
        "limits": [[_term(key), _term(bound)] for key, bound in domain.limit_terms],
        "distinct": [list(map(_term, limit)) for limit in domain.distinct_terms],
    }


def _granularity(
    granularity: BoundGranularity, found: FoundPair, cells: Sequence[Cell] = ()
) -> dict[str, Any]:
    return {
        "name": granularity.name,
        "attributes": list(granularity.domain.attributes),
        "directed": granularity.directed,
        "integers": list(found.world.integers(granularity, cells)),
        "edits": [
            {
                "params": [list(p) for p in edit.params],
                "guard": _term(edit.guard),
                "change": [[point, _term(delta)] for point, delta in edit.change],
                "frame": None if edit.frame is None else _term(edit.frame),
                "step": _term(edit.step),
            }
            for edit in granularity.edits
        ],
    }


def _map(mapping: BoundMap) -> dict[str, Any]:
    image = None if mapping.image is None else [[a, _term(t)] for a, t in mapping.image]
    return {
        "index": [n for n, _ in mapping.indices],
        "member": _term(mapping.member),
        "image": None if image is None else [t for _, t in image],
    }


def _lists(data: Any) -> Any:
    return [_lists(x) for x in data] if isinstance(data, list | tuple) else data


def _database(database: Mapping[Any, int]) -> list[Any]:
    return [[list(c), n] for c, n in sorted(database.items(), key=str) if n]


def _part(
    structure: Structure, found: FoundPair, part: BoundPart, index: tuple[int, ...],
    distance: int | Infinity, guarantee: Sequence[str | Fraction], kind: str,
) -> dict[str, Any]:  # fmt: skip
    world = found.world
    old, new = (world.apply(part.map, d, index) for d in (found.old, found.new))
    common = part.setting == "common"
    kept = None
    if not common:
        for invariant in structure.kept_by(part.granularity):
            before, after = (invariant.counts(world, part.domain, d) for d in (old, new))
            if before != after:
                kept = {
                    "keys": [_term(key) for key in invariant.keys],
                    "weight": _term(invariant.weight), "modulus": invariant.modulus,
                }  # fmt: skip
                break
    cells = [] if common else world.block_cells(part.map, index)
    apart = None if common or distance in (0, 1) else structure.told_apart(part.granularity)
    return {
        "name": part.name,
        "map": _map(part.map),
        "block": list(index),
        "common": common,
        "distance": None if isinstance(distance, Infinity) else distance,
        "domain": _domain(part.domain),
        "granularity": _granularity(part.granularity, found, cells),
        "cells": [list(c) for c in cells],
        "kept": kept,
        "apart": None if apart is None else [_term(key) for key in apart.keys],
        "window": not common and no_single_edit(world, part.granularity, old, new, cells),
        "source": kind,
        "guarantee": [[str(g)] if isinstance(g, Fraction | int) else g for g in guarantee],
    }


def refutation(
    structure: Structure,
    claim: Claim,
    found: FoundPair,
    world: Sequence[AttainedBlock],
    values: ParameterValues,
    claimed: Sequence[Sequence[k.Expr]],
) -> dict[str, Any] | None:
    """Return the data of a refutation; None if they do not refute, as the checker finds.

    Args:
        structure: the problem.
        claim: what is claimed.
        found: neighbours, with the blocks of ``world`` in the same order.
        world: which blocks change, and from how far they are seen.
        values: the numbers of the parameters.
        claimed: the claimed parameters at the sizes of the neighbours.
    """
    if NOTIONS[claim.notion].refuting is None:
        return None
    problem = structure.problem
    parts = {p.name: p for p in problem.bound_parts}
    rows = []
    for touch, (_, index) in zip(world, found.blocks, strict=True):
        for name, distance in touch.distances:
            guarantee = declared(parts[name], claim.notion)
            if guarantee is None and not isinstance(distance, Infinity):
                return None
            kind = source(parts[name], claim.notion)
            row = _part(structure, found, parts[name], index, distance, guarantee or (), kind)
            rows.append(row)
    if any(row["distance"] is None for row in rows):
        rows = [row for row in rows if row["distance"] is None]
    data: dict[str, Any] = {
        "text": claim.text,
        "notion": claim.notion,
        "claim": [[e.as_json() for e in items] for items in claimed],
        "written_out": any(speaks_of_integers(e) for items in claim.parameters for e in items),
        "values": {
            n: [[list(b), str(x)] for b, x in v.items()] if isinstance(v, Mapping) else str(v)
            for n, v in values.items()
        },
        "world": {"attributes": list(problem.domain.attributes), **_world(found.world)},
        "domain": _domain(problem.domain),
        "granularity": _granularity(problem.outer, found),
        "D": _database(found.old),
        "D_prime": _database(found.new),
        "parts": rows,
        "event": [],
    }  # fmt: skip
    data["event"] = _event(data, values)
    try:
        standalone.confirm(data)
    except standalone.FailedError:
        return None
    return data


def _world(world: World) -> dict[str, Any]:
    """Return cells, elements, functions and symbols of a world."""
    return {
        "cells": [list(c) for c in world.cells],
        "elements": {s: list(e) for s, e in world.elements.items()},
        "functions": {
            n: {"table": [[_lists(a), v] for a, v in table.items()],
                "default": world.defaults.get(n, 0)}
            for n, table in world.functions.items()
        },
        "symbols": dict(world.symbols),
    }  # fmt: skip


def _refuting(data: Mapping[str, Any]) -> Refuting:
    """Return how claims in the notion of the data are refuted; without that there are no data."""
    found = NOTIONS[data["notion"]].refuting
    if found is None:
        raise ValueError(f"nothing refutes claims about {data['notion']} privacy")
    return found


def _event(data: Mapping[str, Any], values: ParameterValues) -> list[list[int]]:
    """Return the outcomes that are likelier under D than the claim allows."""
    refuting = _refuting(data)
    tables = _tables(data, values)
    if refuting.own == "coins":
        return [[1] * len(tables)] if tables else []
    if not tables or refuting.compared == "divergence":
        return []
    if refuting.compared == "advantage":
        return _likelier(tables, standalone.Exp.of(1))
    highs = [
        standalone.enclose(e, _values(values), data["world"]["symbols"], standalone.BITS[1])
        for e in data["claim"][0]
    ]
    eps = min((high for _, high in filter(None, highs)), default=None)
    if eps is None:
        return []
    return _likelier(tables, standalone.Exp.of(1, eps))


def _likelier(tables: Sequence[Sequence[standalone.Law]], q: standalone.Exp) -> list[list[int]]:
    """Return the outcomes whose probability at D is more than q times that at D'."""
    first, second = (standalone.joint([t[n] for t in tables]) for n in (0, -1))
    outcomes = itertools.product(*(range(len(t[0])) for t in tables))
    return [
        list(o) for o, a, b in zip(outcomes, first, second, strict=True) if (a - q * b).sign() > 0
    ]


def _values(values: ParameterValues) -> dict[str, Any]:
    return {n: dict(v) if isinstance(v, Mapping) else v for n, v in values.items()}


def _tables(data: Mapping[str, Any], values: ParameterValues) -> list[list[standalone.Law]]:
    """Return the laws of the mechanisms, one list for each part that sees a finite distance."""
    own = _refuting(data).own
    found = []
    for part in data["parts"]:
        if part["distance"] is None or (own == "normals" and part["source"] == data["notion"]):
            continue
        numbers = [_given(part, g, values) for g in part["guarantee"]]
        if own == "coins":
            found.append(standalone.coins(numbers[0], part["distance"]))
        else:
            delta = numbers[1] if len(numbers) > 1 else Fraction(0)
            found.append(standalone.steepest(numbers[0], delta, part["distance"]))
    return found


def _given(part: Mapping[str, Any], parameter: Any, values: ParameterValues) -> Fraction:
    if isinstance(parameter, list):
        return Fraction(parameter[0])
    known = values[parameter]
    return known[tuple(part["block"])] if isinstance(known, Mapping) else known


# ------------------------------------------------------------------ as text


def as_data(data: Mapping[str, Any], values: ParameterValues, letter: str) -> dict[str, Any]:
    """Return the mechanisms, the event and its probabilities, as JSON that people can read.

    ``letter`` is what the number is called on which the mechanisms' outputs depend.
    """
    mechanisms = [_mechanism(data, part, values, letter) for part in data["parts"]]
    found: dict[str, Any] = {
        "parameters": {
            n: [str(x) for x in v.values()] if isinstance(v, Mapping) else str(v)
            for n, v in values.items()
        },
        "mechanisms": mechanisms,
        "letter": letter,
        "t": "the distance of what a mechanism reads from what it reads of D, but at most the "
        "distance between what it reads of D and of D'",
    }
    claimed = [_claimed(data, position, values) for position in range(len(data["claim"]))]
    found["claimed"] = claimed[0] if len(claimed) == 1 else f"({', '.join(claimed)})"
    if any(part["distance"] is None for part in data["parts"]):
        found["event"] = "the outputs under D"
        found["probabilities"] = {"D": "1", "D_prime": "0"}
        found["loss"] = found["ratio"] = "inf"
        return found
    refuting = _refuting(data)
    if refuting.own == "normals":
        own = data["parts"][0]["source"] == data["notion"]
        return {**found, **(_told_of_normals if own else _told_of_tables)(data, values)}
    tables = _tables(data, values)
    event, p, q = _compared(data, tables)
    found["event"] = [list(o) for o in sorted(event)]
    found["probabilities"] = {"D": p.brief(), "D_prime": q.brief()}
    if refuting.own == "coins":
        total = sum(
            (part["distance"] * _given(part, part["guarantee"][0], values)
             for part in data["parts"]), Fraction(0),
        )  # fmt: skip
        found["loss"] = str(total)
        found["ratio"] = f"e^{total}" if total.denominator == 1 else f"e^({total})"
    else:
        found["loss"] = f"({claimed[0]}, at least {float(_beyond(data, p, q, values)):.6g})"
        found["ratio"] = None
    return found


def _told_of_normals(data: Mapping[str, Any], values: ParameterValues) -> dict[str, Any]:
    """Say what normals lose, whose losses add up."""
    losses = NOTIONS[data["notion"]].additive
    if losses is None:
        raise ValueError(f"the losses of {data['notion']} mechanisms do not add up")
    total = Fraction(0)
    for part in data["parts"]:
        g = _given(part, part["guarantee"][0], values)
        total += part["distance"] ** losses.power * (g * g if losses.root else g)
    lost = _root_of(total) if losses.root else str(total)
    return {"loss": lost, "identity": _refuting(data).identity(str(total), lost)}


def _root_of(total: Fraction) -> str:
    """Return the root of a number as text, exactly."""
    of = {"op": "Sqrt", "of": {"op": "Num", "value": str(total)}}
    root = standalone.enclose(of, {}, {}, standalone.BITS[0])
    return str(root[0]) if root is not None and root[0] == root[1] else f"sqrt({total})"


def _told_of_tables(data: Mapping[str, Any], values: ParameterValues) -> dict[str, Any]:
    """Say what the mechanisms that stand in lose."""
    tables = _tables(data, values)
    if _refuting(data).compared == "divergence":
        total = standalone.Exp.of(0)
        for part, rows in zip(data["parts"], tables, strict=True):
            eps = _given(part, part["guarantee"][0], values)
            total += standalone.divergence(rows[0], rows[-1], eps)
        return {
            "loss": f"at least {float(total):.6g}",
            "identity": "the Rényi divergences of the outputs at D from those at D' fall to "
            f"{total.brief()} as their order falls to 1",
        }
    event, p, q = _compared(data, tables)
    gap = float(p - q)
    loss = f"{2 * NormalDist().inv_cdf((1 + gap) / 2):.6g}"
    return {
        "event": [list(o) for o in sorted(event)],
        "probabilities": {"D": p.brief(), "D_prime": q.brief()},
        "loss": f"at least {loss}",
        "identity": f"the event is likelier at D than at D' by {(p - q).brief()}, which takes at "
        f"least {loss}-GDP",
    }


def _compared(
    data: Mapping[str, Any], tables: Sequence[Sequence[tuple[standalone.Exp, ...]]]
) -> tuple[set[tuple[int, ...]], standalone.Exp, standalone.Exp]:
    """Return an event, and how likely it is at D and at D'."""
    event = {tuple(o) for o in data["event"]}
    outcomes = list(itertools.product(*(range(len(t[0])) for t in tables)))
    p, q = (
        sum(
            (x for o, x in zip(outcomes, standalone.joint([t[n] for t in tables]), strict=True)
             if o in event), standalone.Exp.of(0),
        )
        for n in (0, -1)
    )  # fmt: skip
    return event, p, q


def _beyond(
    data: Mapping[str, Any], p: standalone.Exp, q: standalone.Exp, values: ParameterValues
) -> standalone.Exp:
    highs = [
        standalone.enclose(e, _values(values), data["world"]["symbols"], standalone.BITS[1])
        for e in data["claim"][0]
    ]
    eps = min(high for _, high in filter(None, highs))
    return p - standalone.Exp.of(1, eps) * q


def _claimed(data: Mapping[str, Any], position: int, values: ParameterValues) -> str:
    """Return the claimed number: exact where it is rational, else a decimal."""
    best = None
    for e in data["claim"][position]:
        box = standalone.enclose(e, _values(values), data["world"]["symbols"], standalone.BITS[0])
        if box is not None and (best is None or box[1] < best[1]):
            best = box
    if best is None:
        return "inf"
    return str(best[0]) if best[0] == best[1] else standalone.brief(best[1])


def _published(kept: Mapping[str, Any]) -> str:
    """Return what is published of a block where no edit changes it."""
    what = "the number of records"
    if kept["weight"] != _term(integer(1)):
        what = "how many more records of one kind than of the other there are"
    elif kept["keys"]:
        what += " with each value of a term"
    return f"{what}, modulo {kept['modulus']}," if kept["modulus"] else what


def _mechanism(
    data: Mapping[str, Any], part: Mapping[str, Any], values: ParameterValues, letter: str
) -> dict[str, Any]:
    r = part["distance"]
    found: dict[str, Any] = {
        "part": part["name"], "block": part["block"], "distance": "inf" if r is None else r,
    }  # fmt: skip
    if r is None:
        what = _published(part["kept"] or {"keys": [], "weight": _term(integer(1)), "modulus": 0})
        found["publishes"] = f"{what} in its block, which no edit of its granularity changes"
        found["private"] = "equal outputs for databases that edits link: 0-DP"
        return found
    g = [_given(part, x, values) for x in part["guarantee"]]
    refuting = _refuting(data)
    if refuting.own == "normals" and part["source"] == data["notion"]:
        found["publishes"], found["private"] = refuting.normal(g[0], letter)
        return found
    table = _tables({**data, "parts": [part]}, values)[0]
    found["publishes"] = f"an outcome of the table, by its row {letter}"
    found["table"] = [[p.brief() for p in law] for law in table]
    rows = (
        f"are ({g[0]}, {g[1]})-indistinguishable"
        if len(g) > 1
        else f"differ by at most the factor {standalone.Exp.of(1, g[0]).brief()}"
    )
    found["private"] = (
        f"{letter} differs by at most 1 between neighbours, and neighbouring rows {rows}"
    )
    return found
