"""Deciding a condition, and finding a counterexample: against everything finite."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from measure import Row, limited, median
from rivals import asp, brute, quantified, sat

from dpcomp_sym.engine import Structure
from dpcomp_sym.model import Domain, Part, Problem, library_granularity, library_map

FINITE = {"brute force": brute, "clingo": asp, "python-sat": sat}
QUESTIONS = (("unbounded", 1), ("bounded", 2), ("owner", 1))
FALSE_CLAIMS = (("bounded", 1), ("owner", 0))
SIZES = ((2, 2), (4, 2), (6, 3), (8, 4), (12, 6), (20, 10), (40, 20), (80, 40))


def problem(setting: str) -> Problem:
    """Return the setting in the language of the program."""
    domain = Domain({"id": "Record"}, functions={"owner": (["Record"], "Owner")}, cap=1)
    if setting == "owner":
        granularity = library_granularity("user", owner="owner(id(c))")
        blocks = library_map("partition", name="blocks", by="owner(id(c))")
    else:
        granularity = library_granularity(setting)
        blocks = library_map("partition", name="blocks")
    return Problem(domain, granularity, [blocks], [Part("counts", "blocks")])


def ours(setting: str, most: int) -> str:
    """Decide the question anew, for every set of records and every k."""
    structure = Structure(problem(setting))
    mapping = structure.problem.used_maps["blocks"]
    return type(structure.compatible(mapping, most)).__name__.lower()


def rows() -> Iterator[Row]:
    """Yield the measurements: true statements first, then false claims."""
    for topic, questions in (("deciding", QUESTIONS), ("counterexamples", FALSE_CLAIMS)):
        for setting, most in questions:
            name = f"{topic}: {setting}, at most {most}"
            seconds, answer = median(partial(ours, setting, most), 15)
            yield Row(name, "dpcomp-sym", "unbounded", seconds, answer)
            found = limited(quantified.holds, setting, 0, 3, most)
            known = found is not None and found[1] is not None
            yield Row(name, "z3 with quantifiers", "unbounded, k = 3", found[0] if known else None,
                      said(found[1]) if known else "gave up")  # fmt: skip
            for who, rival in FINITE.items():
                for n, k in SIZES:
                    found = limited(rival.holds, setting, n, k, most)
                    size = f"|X| = {n}, k = {k}"
                    if found is None:
                        yield Row(name, who, size, None, "gave up")
                        break
                    yield Row(name, who, size, found[0], said(found[1]))


def said(holds: object) -> str:
    """Return an answer as a word."""
    return "proved" if holds else "refuted"
