"""What is no number, choice, or yes or no is refused in Python as it is in a spec."""

from __future__ import annotations

import pytest

from dpcomp_sym.errors import InputError
from dpcomp_sym.model import (
    Domain,
    Edit,
    Granularity,
    InnerClass,
    Map,
    Part,
    Universe,
    library_granularity,
    library_map,
)
from dpcomp_sym.model.problem import Problem

EDIT = Edit({"x": "cell"}, change={"x": "1"})


def domain(**said):
    return Domain({"age": "int"}, **said)


def blocks(index=3, **said):
    return Map("blocks", "age(c) == i", {"i": index}, **said)


REFUSED = [
    (lambda: domain(universe="prodct"), "unknown universe 'prodct'; did you mean 'product'?"),
    (lambda: domain(universe=1), "unknown universe '1'; known here: any, infinite, product"),
    (lambda: domain(cap=0), "the cap, the largest multiplicity, is an integer >= 1, not 0"),
    (lambda: domain(cap="1"), "the cap, the largest multiplicity, is an integer >= 1, not '1'"),
    (lambda: domain(cap=True), "the cap, the largest multiplicity, is an integer >= 1, not True"),
    (lambda: domain(at_least=-1), "'at_least' is an integer >= 1, not -1"),
    (lambda: domain(at_least="2"), "'at_least' is an integer >= 1, not '2'"),
    (lambda: InnerClass(cap=0), "the cap, the largest multiplicity, is an integer >= 1, not 0"),
    (lambda: Part("p", "blocks", setting="comon"),
     "unknown setting 'comon'; did you mean 'common'?"),
    (lambda: Granularity("g", [EDIT], directed="no"), "'directed' is True or False, not 'no'"),
    (lambda: Granularity("g", [EDIT], group=2.5), "'group' is an integer >= 1, not 2.5"),
    (lambda: blocks(0),
     "the number of blocks, of index 'i', is an integer >= 1, or a symbol, not 0"),
    (lambda: blocks(2.5),
     "the number of blocks, of index 'i', is an integer >= 1, or a symbol, not 2.5"),
    (lambda: blocks(True),
     "the number of blocks, of index 'i', is an integer >= 1, or a symbol, not True"),
    (lambda: blocks(multiplicity=0), "'multiplicity' is an integer >= 1, or a symbol, not 0"),
    (lambda: blocks(partition="no"), "'partition' is True or False, not 'no'"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "message"), REFUSED)
def test_what_is_meant_is_not_guessed(make, message):
    with pytest.raises(InputError) as error:
        make()
    assert error.value.message == message


def test_a_universe_is_said_by_its_name():
    assert domain(universe="product").universe is Universe.PRODUCT
    assert domain(universe="product") == domain(universe=Universe.PRODUCT)


def test_the_universe_is_the_same_however_it_is_said():
    """A word that was kept as a text was no universe to those who looked for the product."""
    texts = set()
    for said in ("product", Universe.PRODUCT):
        lists = Domain({"position": "int"}, universe=said)
        some = library_map("partition", name="blocks", by="position")
        edits = library_granularity("unbounded")
        texts.add(Problem(lists, edits, [some], [Part("p", "blocks")]).to_toml())
    assert len(texts) == 1
