"""Claims about functions that are maps of the language, too: proved for databases of any size.

dpcomp stability FILE proves each claim of its map, and how its metrics compare with edits.  That
the function is the map is assumed, and compared on all databases of the scope.
"""

from dpcomp_sym.stability import (
    ABSOLUTE,
    CHANGE_ONE,
    HAMMING,
    L1,
    SYMMETRIC,
    Lists,
    MapStatement,
    Multisets,
    StabilityClaim,
    Tables,
)

Row = dict[str, object]


def spec(attributes: str, neighbours: str, outputs: str, function: str, more: str = "") -> str:
    """Return a spec: databases and their neighbours, a map, and the neighbours of its images."""
    return f"""
        granularity = {neighbours}
        [domain]
        attributes = {attributes}
        {more}
        [[map]]
        name = "function"
        {function}
        [[part]]
        map = "function"
        granularity = {outputs}
    """


VALUES = '{ value = "Value" }'
REMOVED, REPLACED = '"unbounded"', '"bounded"'


def adults(rows: list[Row]) -> list[Row]:
    """Keep the rows of adults."""
    return [row for row in rows if row["age"] >= 18]


def clamp(x: int) -> int:
    """Return the number, but not below 0 nor above 9."""
    return min(max(x, 0), 9)


def histogram(values: list[str]) -> list[int]:
    """Count the values."""
    return [values.count(value) for value in "abc"]


COUNT = MapStatement(spec(VALUES, REMOVED, REMOVED, 'use = "cardinality"'))
IDENTITY = MapStatement(spec(VALUES, REPLACED, REMOVED, 'member = "true"'))
ADULTS = MapStatement(
    spec('{ age = "int", vip = "bool" }', REMOVED, REMOVED, 'member = "age(c) >= 18"')
)
# The engine knows nothing of f: what it proves is true of every function of one row.
EACH_ROW = MapStatement(
    spec(
        '{ x = "int" }', REMOVED, REMOVED, 'image = { y = "f(x(c))" }',
        'functions = { f = [["int"], "int"] }',
    ),
    functions={"f": clamp},
)  # fmt: skip
BY_VALUE = 'image = { value = "value(c)" }'
HISTOGRAM = MapStatement(spec(VALUES, REMOVED, REMOVED, BY_VALUE), counts="abc")
REPLACING = MapStatement(spec(VALUES, REPLACED, REMOVED, BY_VALUE), counts="abc")
# A list is a set of records with their places, at most one at each.
LISTS = """
    cell = "1 <= position(c)"
    kind = "set"
    limits = [["position(c)", 1]]
"""
POSITIONS = '{ use = "ordered_bounded", position = "position" }'
IN_ORDER = MapStatement(
    spec('{ position = "int", value = "Value" }', POSITIONS, POSITIONS, 'member = "true"', LISTS),
    position="position",
)

CLAIMS = [
    StabilityClaim(len, Lists("ab", at_most=5), SYMMETRIC, ABSOLUTE, "d", "count", COUNT),
    StabilityClaim(
        lambda rows: rows, Lists("abc", size=3), CHANGE_ONE, SYMMETRIC, "2*d", "unbounded", IDENTITY
    ),
    StabilityClaim(histogram, Lists("abc", at_most=4), SYMMETRIC, L1, "d", "counts", HISTOGRAM),
    StabilityClaim(
        histogram, Lists("abc", size=4), CHANGE_ONE, L1, "2*d", "counts, replaced", REPLACING
    ),
    StabilityClaim(
        adults, Tables({"age": [17, 18], "vip": [False, True]}, at_most=3), SYMMETRIC, SYMMETRIC,
        "d", "adults", ADULTS,
    ),
    StabilityClaim(
        lambda rows: [clamp(x) for x in rows], Multisets([-1, 0, 5, 12], at_most=3), SYMMETRIC,
        SYMMETRIC, "d", "clamp", EACH_ROW,
    ),
    StabilityClaim(
        lambda rows: rows, Lists("abc", size=3), HAMMING, HAMMING, "d", "in order", IN_ORDER
    ),
]  # fmt: skip
