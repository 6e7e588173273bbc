"""Terms are what they were made as, for good, and code that is made of them means the same."""

from __future__ import annotations

import copy
import operator
import random

import pytest

from dpcomp_sym.terms import BOOL, INT, TRUE, Environment, Term, evaluate
from dpcomp_sym.terms.term import integer, variable

N = variable("n", INT)
SMALLER = Term("lt", (N, integer(7)), BOOL)


def another(op, args, sort):
    """The same term, of other strings."""
    args = tuple("".join(list(a)) if isinstance(a, str) else a for a in args)
    return Term("".join(list(op)), args, "".join(list(sort)))


@pytest.mark.parametrize("term", [N, SMALLER, TRUE, Term("and", (SMALLER, TRUE), BOOL)])
def test_what_is_written_alike_is_one_term(term):
    copies = copy.copy(term), copy.deepcopy(term)  # as pickle would make them
    for same in (another(term.op, term.args, term.sort), *copies):
        assert same is term


def test_numbers_are_no_truth_values():
    assert Term("int", (1,), INT).number == 1
    assert Term("bool", (True,), BOOL).args[0] is True
    for first, second in ((1, True), (True, 1), (0, False), (False, 0)):
        for op in ("int", "bool", "one", "two"):
            assert type(Term(op, (first,), INT).args[0]) is type(first)
            assert type(Term(op, (second,), INT).args[0]) is type(second)


@pytest.mark.parametrize("name", ["op", "args", "sort", "terms", "name", "new", "__dict__"])
def test_no_term_can_be_changed(name):
    before = (SMALLER.op, SMALLER.args, SMALLER.sort, SMALLER.terms, hash(SMALLER))
    for change in (setattr, object.__setattr__):
        with pytest.raises((AttributeError, TypeError)):
            change(SMALLER, name, "gt")
    with pytest.raises((AttributeError, TypeError)):
        delattr(SMALLER, name)
    with pytest.raises(TypeError):
        SMALLER[0] = "gt"
    assert (SMALLER.op, SMALLER.args, SMALLER.sort, SMALLER.terms, hash(SMALLER)) == before


def test_terms_have_no_subclasses():
    with pytest.raises(TypeError):
        type("Other", (Term,), {"op": "gt"})


@pytest.mark.parametrize(
    "forged",
    [
        ("lt", (N, integer(7)), BOOL, (N, integer(7)), 0),  # the hash of none
        ("lt", (N, integer(7)), BOOL, (N, integer(8)), hash(SMALLER)),  # other terms inside
        ("lt", (N, integer(8)), BOOL, (N, integer(7)), hash(SMALLER)),
        ("gt", (N, integer(7)), BOOL, (N, integer(7)), hash(SMALLER)),
        ("lt", (N, integer(7)), BOOL),
    ],
)
def test_a_forged_term_is_taken_for_none(forged):
    evaluate(SMALLER, Environment({"n": 3}))
    made = tuple.__new__(Term, forged)
    assert made != SMALLER
    assert not made == SMALLER  # noqa: SIM201 - the other operator
    assert tuple(SMALLER) != SMALLER  # nor is a plain tuple
    assert {SMALLER: "kept"}.get(SMALLER) == "kept"


# ------------------------------------------------------------- evaluation

OPERATORS = {
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le,
    "gt": operator.gt, "ge": operator.ge, "add": operator.add, "sub": operator.sub,
    "mul": operator.mul,
}  # fmt: skip
NAMES = ("n", "a'b", 'a"b', "a\\", "v", "piece1", "{n}", "0] or d[0", "é\n")


def literally(term, env):
    """The value of a term, operator by operator."""
    values = [literally(t, env) for t in term.terms]
    match term.op:
        case "var":
            return env.variables[term.name]
        case "int" | "bool":
            return term.args[0]
        case "const":
            return term.name
        case "attr":
            return values[0][env.positions[term.name]]
        case "apply":
            return env.functions[term.name](*values)
        case "at":
            return env.databases[term.name].get(values[0], 0)
        case "size":
            return sum(env.databases[term.name].values())
        case "and":
            return all(values)
        case "or":
            return any(values)
        case "not":
            return not values[0]
        case "neg":
            return -values[0]
        case "implies":
            return not values[0] or values[1]
        case "tuple":
            return tuple(values)
        case "ite":
            return values[1] if values[0] else values[2]
        case op:
            return OPERATORS[op](*values)


class Draw:
    """Random terms of the sorts ``int``, ``bool`` and ``cell``: two integers."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.one = self.rng.choice
        self.env = Environment(
            {
                **{n: self.rng.randint(-3, 3) for n in NAMES},
                "c": self.pair(),
                "p": self.one((0, 1)) == 1,
            },
            {name: lambda *args, name=name: len(name) + sum(map(hash, args)) % 5 for name in NAMES},
            {name: place % 2 for place, name in enumerate(NAMES)},
            {name: {self.pair(): self.rng.randint(0, 3) for _ in range(4)} for name in NAMES},
        )

    def pair(self):
        return self.rng.randint(-1, 1), self.rng.randint(-1, 1)

    def int(self, depth):
        if depth <= 0:
            return self.one((integer(self.rng.randint(-9, 9)), variable(self.one(NAMES), INT)))
        name, less = self.one(NAMES), depth - 1
        kinds = {
            "binary": lambda: Term(self.one(("add", "sub")), (self.int(less), self.int(0)), INT),
            "mul": lambda: Term("mul", (self.int(0), self.int(0)), INT),
            "neg": lambda: Term("neg", (self.int(less),), INT),
            "attr": lambda: Term("attr", (name, self.cell(less)), INT),
            "apply": lambda: Term(
                "apply", (name, *(self.int(less) for _ in range(self.rng.randint(0, 2)))), INT
            ),
            "at": lambda: Term("at", (name, self.cell(less)), INT),
            "size": lambda: Term("size", (name,), INT),
            "ite": lambda: Term("ite", (self.bool(less), self.int(less), self.int(0)), INT),
        }
        return kinds[self.one(sorted(kinds))]()

    def cell(self, depth):
        if depth <= 0:
            return variable("c", "cell")
        return Term("tuple", (self.int(depth - 1), self.int(0)), "cell")

    def bool(self, depth):
        if depth <= 0:
            return self.one((variable("p", BOOL), TRUE, Term("bool", (False,), BOOL)))
        less, op = depth - 1, self.one(("and", "or", "not", "implies", "lt", "eq", "cell"))
        if op in ("and", "or"):
            return Term(op, tuple(self.bool(less) for _ in range(self.rng.randint(0, 3))), BOOL)
        if op == "not":
            return Term(op, (self.bool(less),), BOOL)
        if op == "implies":
            return Term(op, (self.bool(less), self.bool(less)), BOOL)
        if op == "cell":
            return Term(self.one(("eq", "ne")), (self.cell(less), self.cell(0)), BOOL)
        return Term(
            self.one(("eq", "ne", "lt", "le", "gt", "ge")), (self.int(less), self.int(0)), BOOL
        )


def test_code_means_what_the_operators_mean():
    seen = set()
    for seed in range(600):
        draw = Draw(seed)
        for make in (draw.int, draw.bool, draw.cell):
            term = make(draw.rng.randint(0, 5))
            value = evaluate(term, draw.env)
            assert value == literally(term, draw.env), repr(term)
            assert type(value) is type(literally(term, draw.env)), repr(term)
            seen |= {term.op, value if isinstance(value, bool) else None}
    assert {True, False, "and", "ite", "apply", "attr", "at", "size", "implies"} <= seen


@pytest.mark.parametrize("depth", [28, 29, 30, 31, 59, 60, 61, 150])
def test_deep_terms(depth):
    for seed in range(10):
        draw = Draw(seed)
        term = draw.int(1)
        for _ in range(depth):
            term = Term("ite", (Term("lt", (term, draw.int(1)), BOOL), draw.int(1), N), INT)
        assert evaluate(term, draw.env) == literally(term, draw.env)


def test_a_name_is_never_executed():
    name = '"] + __import__("os").getpid() + v["'
    assert evaluate(variable(name, INT), Environment({name: 5})) == 5
    with pytest.raises(KeyError):
        evaluate(variable(name, INT), Environment({"n": 5}))
