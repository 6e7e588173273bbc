"""Bounds that are tight for all numbers of their symbols, because crowds of records attain them.

The crowds are of overlapping blocks, of tables with all places filled, and of several records
beside each other; next to each is a problem in which one condition fails.
"""

from __future__ import annotations

import re

import pytest

from dpcomp_sym.certificates.recheck import verify
from dpcomp_sym.certificates.write import as_text, certificate
from dpcomp_sym.replay import read
from dpcomp_sym.spec import load_spec

pytestmark = pytest.mark.in_turn

PART = '[[part]]\nname = "p{0}"\nmap = "m{0}"\nguarantee = {{ pure = "e{0}" }}\n'
ONE_BY_ONE = PART + 'granularity = "unbounded"\n'


def domain(*said, more="", attributes='id = "Record", user = "User"'):
    names = sorted(set(re.findall(r"\b[abmrRCT]\b", " ".join(said))) | set(more))
    facts = ", ".join(f'{s} = "{s} >= 1"' for s in names)
    return "\n".join([f"[domain]\nattributes = {{ {attributes} }}\nsymbols = {{ {facts} }}", *said])


def granularity(use, **arguments):
    said = "".join(f'{name} = "{value}"\n' for name, value in arguments.items())
    return f'\n[granularity]\nuse = "{use}"\n{said}'


def frame(said, params="", step="true"):
    return (f'\n[granularity]\nname = "g"\n[[granularity.edit]]\nparams = {{ {params} }}\n'
            f'frame = "{said}"\nstep = "{step}"\n')  # fmt: skip


def maps(*members, part=ONE_BY_ONE):
    return "".join(f'[[map]]\nname = "m{n}"\n{m}\n{part.format(n)}' for n, m in enumerate(members))


def of(*members, part=ONE_BY_ONE):
    return maps(*(f'member = "{m}"' for m in members), part=part)


COVER = 'use = "cover"\nm = "m"'
LIMIT = 'limits = [["user(c)", "r"]]'
USER, PRESENCE = (granularity(use, owner="user") for use in ("user", "user_presence"))

TABLE = {"attributes": 'row = "int", column = "int", val = "Value"'}
PLACES = ('kind = "set"', 'universe = "product"', 'limits = [["row(c), column(c)", 1]]',
          'cell = "1 <= row(c) and row(c) <= R and 1 <= column(c) and column(c) <= C"')  # fmt: skip
FULL = 'size = "size(D) == R*C"'
ROW = granularity("user", owner="row")
COLUMNS = maps('use = "partition"\nby = "column"', part=PART)

KEYS = {"attributes": 'customer = "Customer", order = "int", item = "int"'}
CELLS = (
    "0 <= order(c) and order(c) <= a and 0 <= item(c) and item(c) <= b "
    "and implies(order(c) == 0, item(c) == 0)"
)
ROWS = ('kind = "set"', f'cell = "{CELLS}"')
CUSTOMER = granularity("user_presence", owner="customer")
ORDERS = 'index = { i = "k" }\nmember = "order(c) == i"'
DAYS = 'index = { i = "k" }\nmember = "day(c) == i"'
KIND = ('kind = "set"',)
TABLES = ("order(c) == 0", "order(c) >= 1 and item(c) == 0", "item(c) >= 1")
NAMED = {"attributes": 'table = ["orders", "items"], id = "Row", customer = "Customer"'}

TIGHT = {
    # All records of a user, before and after, in the same m blocks.
    "cover": (domain(LIMIT, more="m"), USER, maps(COVER), "2*r*(sum of the m largest e0[i])"),
    "cover, sets": (domain(LIMIT, "cap = 1", more="m"), USER, maps(COVER),
                    "2*r*(sum of the m largest e0[i])"),
    "cover, a user leaves": (domain(LIMIT, more="m"), PRESENCE, maps(COVER),
                             "r*(sum of the m largest e0[i])"),
    "cover, three blocks": (domain(LIMIT), USER, maps('use = "cover"\nm = 3'),
                            "2*r*(sum of the 3 largest e0[i])"),
    "cover by user": (domain(LIMIT, more="m"), USER, maps(COVER + '\nby = "user"'),
                      "2*r*(sum of the m largest e0[i])"),
    "cover, a product": (domain('limits = [["user(c)", "a*b"]]', more="m"), USER, maps(COVER),
                         "2*a*b*(sum of the m largest e0[i])"),
    # All values of a row, in all columns, each in another block.
    "table": (domain(*PLACES, FULL, **TABLE), ROW, COLUMNS, "sum of the C largest e0[i]"),
    "table, a column": (domain(*PLACES, FULL, **TABLE), granularity("user", owner="column"),
                        maps('use = "partition"\nby = "row"', part=PART),
                        "sum of the R largest e0[i]"),
    # Rows of three tables leave with the customer, or orders and items with names of their own.
    "rows": (domain(*ROWS, **KEYS), CUSTOMER, of(*TABLES), "e0 + a*e1 + a*b*e2"),
    "rows, exchanged": (domain(*ROWS, **KEYS), granularity("user", owner="customer"),
                        of(*TABLES), "e0 + a*e1 + a*b*e2"),
    # By the number of an order: its row, with that of each of its items.
    "rows by order": (domain(*ROWS, **KEYS), CUSTOMER, maps(ORDERS),
                      "sum(e0[i]*(b + 1) for i <= a)"),
    "items by order, rows": (
        domain(*ROWS, **KEYS), CUSTOMER,
        maps(ORDERS.replace("== i", "== i and item(c) >= 1"), 'member = "item(c) >= 1"',
             'member = "order(c) >= 1 and item(c) == 0"'),
        "sum(b*e0[i] for i <= a) + a*b*e1 + a*e2"),
    "rows by order, exchanged": (
        domain(*ROWS, **KEYS), granularity("user", owner="customer"),
        maps(ORDERS) + maps('member = "item(c) == i and order(c) >= 1"\nindex = { i = "n" }',
                            part=PART).replace("m0", "m1").replace("p0", "p1").replace("e0", "e1"),
        "sum(e0[i]*(b + 1) for i <= a) + sum(e1[i] for i <= b)"),
    # A reading an hour, and values on both sides of 0.
    "hours": (domain('cell = "1 <= day(c) and day(c) <= T and 0 <= hour(c) and hour(c) <= 23"',
                     *KIND, more="T", attributes='user = "User", day = "int", hour = "int"'),
              PRESENCE, maps(DAYS), "sum(24*e0[i] for i <= T)"),
    "windows of three days": (
        domain(*KIND, attributes='user = "User", day = "int"'), USER,
        maps('index = { i = "k" }\nmember = "day(c) // 3 == i"'), "3*sum(e0[i])"),
    "around 0": (domain('cell = "-b <= hour(c) and hour(c) <= b"', *KIND,
                        attributes='user = "User", day = "int", hour = "int"'),
                 frame("user(c) == u and day(c) == t", 'u = "User", t = "int"'),
                 maps(DAYS), "(2*b + 1)*max(e0[i])"),
    # Messages of one day, from as many senders as there are blocks.
    "all blocks, and one": (
        domain(attributes='id = "Record", user = "User", other = "User", day = "int"'),
        frame("(user(c) == u or other(c) == u) and day(c) == t", 'u = "User", t = "int"'),
        maps('use = "partition"\nby = "user"', 'use = "partition"\nby = "day"', part=PART),
        "sum(e0[i]) + max(e1[i])"),
    # One label changes, of two that are listed; the day stays.
    "labels, windows": (
        domain(attributes='user = "User", day = "int", kind = ["ka", "kb"]'),
        granularity("label", label="kind"),
        maps('use = "windows"\ntime = "day"\nlength = "7"', part=PART), "max(e0[i])"),
    "labels, sliding windows": (
        domain(attributes='user = "User", day = "int", kind = ["ka", "kb"]'),
        granularity("label", label="kind"),
        maps('use = "sliding_windows"\ntime = "day"\nlength = "3"', part=PART),
        "max over t of sum(e0[i] for t - 2 <= i <= t)"),
    "rows with names": (
        domain('kind = "set"', 'limits = [["table(c), customer(c)", "a"]]', **NAMED), CUSTOMER,
        of("table(c) == orders", "table(c) == items"), "a*(e0 + e1)"),
    # A client takes part in at most m rounds, which are numbers; blocks by round.
    "rounds": (
        domain('distinct = [{ of = "round(c)", each = "user(c)", at_most = "m" }]',
               attributes='id = "Record", user = "User", round = "int"'),
        USER, maps('use = "partition"\nby = "round"', part=PART), "sum of the 2*m largest e0[i]"),
    "rounds, a client leaves": (
        domain('distinct = [{ of = "round(c)", each = "user(c)", at_most = "m" }]',
               'limits = [["user(c), round(c)", 1]]',
               attributes='id = "Record", user = "User", round = "int"'),
        PRESENCE, maps('use = "partition"\nby = "round"', part=PART), "sum of the m largest e0[i]"),
    # One limit counts the records of all tables.
    "rows with names, counted together": (
        domain('kind = "set"', 'limits = [["customer(c)", "a"]]', **NAMED), CUSTOMER,
        of("table(c) == orders", "table(c) == items"), "max(a*e0, a*e1)"),
}  # fmt: skip


@pytest.mark.in_turn
@pytest.mark.parametrize("name", TIGHT)
def test_tight_for_all_numbers(name):
    *texts, bound = TIGHT[name]
    derivation = load_spec("".join(texts)).derive()
    found = derivation.bounds["pure"]
    assert (found.text, found.tight, found.tight_note) == (bound, "yes", "")
    document = as_text(certificate(derivation.theorems, derivation))
    assert verify(read(document.encode())).verdict == "proved"


NOT_FOR_ALL = {
    "all blocks, of limited records": (
        domain('limits = [["day(c)", "m"]]',
               attributes='id = "Record", user = "User", other = "User", day = "int"'),
        frame("(user(c) == u or other(c) == u) and day(c) == t and user(c) != other(c)",
              'u = "User", t = "int"', "new <= old"),
        maps('use = "partition"\nby = "user"', 'use = "partition"\nby = "other"', part=PART)),
    # There are five rounds, and 2*m of them for m up to 2 alone.
    "rounds, few": (
        domain('distinct = [{ of = "round(c)", each = "user(c)", at_most = "m" }]',
               'cell = "1 <= round(c) and round(c) <= 5"',
               attributes='id = "Record", user = "User", round = "int"'),
        USER, maps('use = "partition"\nby = "round"', part=PART)),
    # Records must not stay as they are, so that other rows cannot be filled.
    "table, all must change": (domain(*PLACES, FULL, **TABLE), frame("true", step="old != new"),
                               maps('use = "partition"\nby = "column"', part=PART)),
    # An order has as many items as its number says, or none with a certain number.
    "items up to the number": (
        domain('kind = "set"', 'cell = "1 <= order(c) and order(c) <= a and 1 <= item(c) '
               'and item(c) <= order(c)"', **KEYS), CUSTOMER, maps(ORDERS)),
    "a number that is left out": (
        domain('kind = "set"', 'cell = "1 <= order(c) and order(c) <= a and 0 <= item(c) '
               'and item(c) <= b and item(c) != 1"', **KEYS), CUSTOMER, maps(ORDERS)),
    "no items in the first orders": (
        domain('kind = "set"', 'cell = "1 <= order(c) and order(c) <= a and 0 <= item(c) '
               'and item(c) <= b and implies(order(c) <= 2, item(c) == 0)"', **KEYS), CUSTOMER,
        maps(ORDERS)),
    "items in all that hold them": (
        domain('kind = "set"', 'cell = "1 <= order(c) and order(c) <= a and 1 <= item(c) '
               'and item(c) <= b"', **KEYS), CUSTOMER,
        maps(ORDERS.replace("order(c) == i", "order(c) == i and item(c) <= i"))),
    # The size is not that of all places.
    "table, of another size": (
        domain(*PLACES, 'size = "size(D) == 2*R*C - 2"', **TABLE), ROW, COLUMNS),
}  # fmt: skip


@pytest.mark.in_turn
@pytest.mark.parametrize("name", NOT_FOR_ALL)
def test_not_tight_for_all_numbers(name):
    text = re.sub(r"\bR\b", "2", "".join(NOT_FOR_ALL[name]).replace(', R = "R >= 1"', ""))
    found = load_spec(text).derive().bounds["pure"]
    assert found.tight != "yes" or found.tight_note
