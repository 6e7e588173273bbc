"""Profiles: many maps, large edits, and maps that see nothing."""

from __future__ import annotations

import pytest

from dpcomp_sym.certificate import as_text, certificate
from dpcomp_sym.recheck import verify
from dpcomp_sym.replay import read
from dpcomp_sym.spec import load_spec

DOMAIN = '[domain]\nattributes = { id = "Record", kind = ["a", "b"] }\nsymbols = { m = "m >= 1" }\n'


def partitions(number, granularity, setting):
    text = f'{DOMAIN}[granularity]\nuse = "{granularity}"\n'
    for n in range(number):
        text += f'[[map]]\nname = "m{n}"\nuse = "partition"\n'
        text += f'[[part]]\nname = "p{n}"\nmap = "m{n}"\nsetting = "{setting}"\n'
        text += f'guarantee = {{ pure = "e{n}" }}\n'
    return text


def edit(change, more="", guard="true"):
    """One edit, and a partition whose mechanisms are private for one record more or less."""
    params = ", ".join(f'{point} = "cell"' for point in change)
    changes = ", ".join(f'{point} = "{number}"' for point, number in change.items())
    return (
        f'{DOMAIN}[granularity]\nname = "edited"\n[[granularity.edit]]\nparams = {{ {params} }}\n'
        f'guard = "{guard}"\nchange = {{ {changes} }}\n{more}'
    )


PART = '[[part]]\nname = "p"\nmap = "partition"\ngranularity = "unbounded"\n'


def pure(text):
    derivation = load_spec(text).derive()
    [bound] = [b for b in derivation.bounds if b.notion == "pure"]
    return bound.text, bound.tight, derivation


def test_twenty_partitions_add_up():
    text, tight, _ = pure(partitions(20, "unbounded", "separate"))
    assert text == " + ".join(f"max(e{n}[i])" for n in range(20))
    assert tight == "yes"


def test_nine_partitions_of_replaced_records():
    text, tight, _ = pure(partitions(9, "bounded", "common"))
    assert all(f"max over i != j of e{n}[i] + e{n}[j]" in text for n in range(9))
    assert "k = 1: " in text
    assert tight == "yes"


@pytest.mark.parametrize(
    ("change", "distance"), [({"x": 12}, 12), ({"x": 5, "y": -4}, 9), ({"x": 24}, 24)]
)
def test_an_edit_of_many_records_in_one_cell(change, distance):
    text, tight, derivation = pure(edit(change, PART))
    assert (text, tight) == (f"{distance}*max(eps[i])", "yes")
    document = as_text(certificate(derivation.theorems, derivation))
    assert verify(read(document.encode())).verdict == "proved"


@pytest.mark.parametrize("limit", ['multiplicity = "m"', ""])
def test_a_map_that_sees_none_of_three_records(limit):
    """What the other mechanism sees still counts."""
    apart = "kind(x) == b and kind(y) == b and kind(z) == b and x != y and y != z and x != z"
    maps = f"""
[[map]]
name = "as"
index = {{ i = "k" }}
functions = {{ lab = [["Record", "int"], "bool"] }}
member = "lab(id(c), i) and kind(c) == a"
{limit}
[[part]]
name = "p"
map = "as"
guarantee = {{ pure = "e" }}
[[part]]
name = "q"
map = "identity"
guarantee = {{ pure = "f" }}
"""
    text, tight, _ = pure(edit({"x": 1, "y": 1, "z": 1}, maps, apart))
    assert (text, tight) == ("f", "yes")
