"""Code of other people fails in every way: each way is one message, and never an answer."""

from __future__ import annotations

import contextlib
import itertools
import json
import math
import random
import subprocess
import sys
import time
from collections import Counter
from decimal import Decimal
from fractions import Fraction

import pytest

from dpcomp_sym.errors import InputError
from dpcomp_sym.stability import (
    ABSOLUTE,
    DISCRETE,
    HAMMING,
    INSERT_DELETE,
    L1,
    METRICS,
    SYMMETRIC,
    Lists,
    Metric,
    Multisets,
    StabilityClaim,
    Tables,
    calls,
    check_stability,
    neighbours,
)
from dpcomp_sym.stability.opendp import from_opendp

TWO = Lists("ab", at_most=2)


def checked(function, scope=TWO, d_in=SYMMETRIC, d_out=ABSOLUTE, bound="d", **more):
    return check_stability(StabilityClaim(function, scope, d_in, d_out, bound, "it", **more))


def metric(of):
    return Metric("theirs", "code", of)


def fails(*_):
    raise KeyError("no such record")


def leaves(*_):
    sys.exit("bye")


class LoudError(Exception):
    def __str__(self):
        raise ValueError


def loud(*_):
    raise LoudError


class Odd:
    """Equal to nothing, without a text, and not hashable."""

    __hash__ = None

    def __repr__(self):
        raise ValueError

    def __eq__(self, other):
        raise ValueError


# ------------------------------------------------------------------ what fails


@pytest.mark.parametrize(
    ("code", "said"), [(fails, "KeyError: 'no such record'"), (leaves, "SystemExit: bye"),
                       (loud, r"\S*LoudError: <exception str\(\) failed>"),
                       (lambda *_: [].pop(), "IndexError: pop from empty list")],
)  # fmt: skip
def test_whatever_fails_is_named(code, said):
    """The function on its input, the metric on its pair, and the bound at its distance."""
    with pytest.raises(InputError, match=rf"it: the function fails on \[\]: {said}"):
        checked(code)
    with pytest.raises(InputError, match=rf"it: the metric 'theirs' fails on 0 and 0: {said}"):
        checked(len, d_out=metric(code))
    with pytest.raises(InputError, match=rf"metric 'theirs' fails on \[\] and \[\]: {said}"):
        checked(len, d_in=metric(code))
    with pytest.raises(InputError, match=rf"it: the bound bound\(d\) at d = 1: {said}"):
        checked(len, bound=code)


@pytest.mark.parametrize(
    ("number", "said"),
    [(number, "not a finite number") for number in (math.nan, math.inf, "1/2", None, 1j, [1])],
)
def test_a_bound_is_a_number(number, said):
    with pytest.raises(InputError, match=said):
        checked(len, bound=lambda _: number)


def test_bounds_are_exact():
    tenths = metric(lambda x, y: Fraction(abs(x - y), 10))
    for bound in ("d/10", lambda d: Fraction(d, 10), lambda d: Decimal(d) / 10):
        assert checked(len, d_out=tenths, bound=bound).verdict == "checked"
    # The double next to a tenth is a little larger, so that a tenth of floats is not a tenth.
    assert checked(len, d_out=tenths, bound=lambda d: 0.1 * d).verdict == "checked"
    found = checked(len, d_in=tenths_of_lists(), bound="10*d")
    assert found.worst[1][0] == Fraction(1, 10)
    assert checked(len, d_in=tenths_of_lists(), bound="9*d + d**2").verdict == "refuted"
    assert checked(len, bound="d*d").worst[-1] == (4, 0)
    for bound, said in (("1/d", "divides by zero"), ("1/(d - 2)**2", "divides by zero"),
                        ("2**(d/2)", "not an integer"), ("d +", "nor a formula"), (3, "a bound is"),
                        ("d.real", "not allowed")):  # fmt: skip
        with pytest.raises(InputError, match=said):
            checked(lambda _: 0, bound=bound)


def tenths_of_lists():
    return metric(lambda x, y: Fraction(SYMMETRIC.of(x, y), 10))


def test_code_is_given_whole_numbers_as_such():
    """The maps of libraries take nothing else; what numpy holds comes back as a number."""
    numpy = pytest.importorskip("numpy")
    kinds = set()

    def bound(d):
        kinds.add(type(d))
        return numpy.int64(d)

    half = metric(lambda x, y: Fraction(abs(len(x) - len(y)), 2))
    assert checked(len, bound=bound).verdict == "checked"
    assert kinds == {int}
    assert checked(len, d_in=half, bound=lambda d: 2 * d).verdict == "checked"
    assert checked(lambda rows: numpy.float64(len(rows))).verdict == "checked"
    assert checked(numpy.array, d_out=HAMMING, d_in=HAMMING).verdict == "checked"
    distances = metric(lambda x, y: numpy.float32(abs(x - y)))
    assert checked(len, d_out=distances).verdict == "checked"


class Transformation:
    """As much of a library's transformation as is looked at."""

    input_metric, output_metric = "L1Distance(f64)", "L1Distance(f64)"

    def __init__(self, kind):
        self.input_domain, self.input_distance_type = None, kind

    def __call__(self, rows):
        return rows

    def map(self, d):
        if type(d) is not {"f64": float, "u32": int}[self.input_distance_type]:
            raise TypeError(type(d))
        return d


@pytest.mark.parametrize(
    ("kind", "values", "said"),
    [
        ("f64", (0, 0.5), None),
        ("u32", (0, 1), None),
        ("u32", (0, 0.5), "distances must be whole numbers"),
    ],
)
def test_maps_of_libraries_get_the_numbers_that_they_take(kind, values, said):
    claim = from_opendp(Transformation(kind), values, at_most=2)
    if said is None:
        assert check_stability(claim).verdict == "checked"
        return
    with pytest.raises(InputError, match=said):
        check_stability(claim)


# ------------------------------------------------------------------ what is not a metric


@pytest.mark.parametrize(
    ("of", "said"),
    [
        (lambda x, y: y - x, "it is -1, less than 0"),
        (lambda x, y: -abs(x - y), "it is -1, less than 0"),
        (lambda x, y: max(x - y, 0), "from 0 to 1 it is 0, and back 1: it is not symmetric"),
        (lambda x, y: None if x < y else x - y, "and back 1: it is not symmetric"),
        (lambda *_: 1, "from 0 to itself it is 1, not 0"),
        (lambda *_: None, "from 0 to itself it is infinite, not 0"),
        (lambda x, y: (x - y) ** 2, "to 1 1, and from the first to the last 4|triangle"),
        (lambda x, y: abs(x - y) if abs(x - y) < 2 else None, "infinite: the triangle inequality"),
        (lambda x, y: str(abs(x - y)), "which is not a number"),
        (lambda *_: math.nan, "it is nan, which is not a number"),
        (lambda *_: [0], "which is not a number"),
        (lambda *_: 1j, "which is not a number"),
    ],
)  # fmt: skip
def test_what_is_no_metric_is_refused(of, said):
    """Of outputs, and of databases; with the pair."""
    with pytest.raises(InputError, match=said) as told:
        checked(len, d_out=metric(of))
    assert "it: the metric 'theirs' is not a metric: from " in str(told.value)
    with pytest.raises(InputError, match=r"the metric 'theirs' is not a metric: from \["):
        checked(len, d_in=metric(lambda x, y: of(len(x), len(y))))


def test_a_metric_that_is_one_is_none_the_less():
    assert checked(len, d_out=metric(lambda x, y: abs(x - y))).verdict == "checked"
    assert checked(len, d_out=metric(lambda x, y: float(abs(x - y)))).verdict == "checked"
    apart = metric(lambda x, y: 0 if x == y else math.inf)
    assert checked(lambda _: 0, d_out=apart).verdict == "checked"
    assert checked(len, d_out=apart).pair.apart is None


def test_neighbours_are_for_inputs():
    one = neighbours("one more", lambda D, E: abs(len(D) - len(E)) == SYMMETRIC.of(D, E) == 1)
    assert checked(len, d_in=one, bound="1").verdict == "checked"
    with pytest.raises(InputError, match="no distance of outputs"):
        checked(lambda rows: rows, d_out=one)


def random_table(rng, size):
    return {
        (i, j): rng.choice([0, 1, 1, 2, 3, None, -1]) if i != j else rng.choice([0] * 9 + [1])
        for i, j in itertools.product(range(size), repeat=2)
    }


def is_metric(table, size):
    far = {k: math.inf if v is None else v for k, v in table.items()}
    every = range(size)
    return (
        all(far[i, i] == 0 for i in every)
        and all(far[i, j] == far[j, i] >= 0 for i in every for j in every)
        and all(far[i, k] <= far[i, j] + far[j, k] for i in every for j in every for k in every)
    )


def test_random_tables_are_refused_just_where_they_are_no_metric():
    rng, good = random.Random(5), 0
    scope = Lists([0], at_most=2)
    for _ in range(1500):
        table = random_table(rng, 3)
        if rng.random() < 0.6:
            table |= {(j, i): table[i, j] for i, j in table if i < j} | {
                (i, i): 0 for i in range(3)
            }
        claim = [len, scope, metric(lambda x, y, t=table: t[len(x), len(y)]), ABSOLUTE, "d"]
        far = [table[i, j] for i, j in itertools.combinations(range(3), 2)]
        if is_metric(table, 3) and set(far) != {None}:
            good += 1
            small = all(v is None or j - i <= v for (i, j), v in table.items())
            assert (checked(*claim).verdict == "checked") == small
        else:
            with pytest.raises(InputError, match=r"is not a metric|holds trivially"):
                checked(*claim)
    assert 200 < good < 1300


# ------------------------------------------------------------------ functions that are odd


def test_functions_that_are_not_of_their_argument_alone():
    numbers = itertools.count()
    for function in (lambda _: random.random(), lambda _: next(numbers)):
        with pytest.raises(InputError, match="is random, or keeps a state: on "):
            checked(function)
    seen = []

    def remembers(rows):
        """The same when it is asked twice in a row."""
        if not seen or seen[-1] != rows:
            seen.append(rows)
        return len(seen)

    with pytest.raises(InputError, match="is random, or keeps a state"):
        checked(remembers)


def test_arguments_and_outputs_that_change():
    kept = []

    def shared(rows):
        """Return one list that later calls change."""
        kept.clear()
        kept.extend(rows)
        rows.clear()
        return kept

    assert checked(shared, d_out=SYMMETRIC).verdict == "checked"
    assert checked(shared, d_out=SYMMETRIC, bound="d/2").verdict == "refuted"

    def empties(x, y):
        apart = abs(len(x) - len(y))
        x.clear()
        return apart

    assert checked(lambda rows: rows, d_out=metric(empties)).verdict == "checked"
    assert checked(lambda rows: rows, d_out=metric(empties), bound="d/2").verdict == "refuted"


@pytest.mark.parametrize(
    ("output", "d_out", "said"),
    [
        (iter, SYMMETRIC, "it returns an iterator"),
        (lambda rows: (x for x in rows), SYMMETRIC, "it returns an iterator"),
        (lambda rows: map(str, rows), SYMMETRIC, "it returns an iterator"),
        (lambda rows: {x: rows.count(x) for x in rows}, SYMMETRIC, "needs a list of records"),
        (lambda rows: {x: rows.count(x) for x in rows}, L1, "needs a list of numbers"),
        ("".join, SYMMETRIC, "needs a list of records"),
        (set, HAMMING, "needs a list of records"),
        (set, L1, "needs a list of numbers"),
        (lambda _: None, SYMMETRIC, "needs a list of records"),
        (lambda _: None, ABSOLUTE, "a finite number is needed"),
        (len, L1, "needs a list of numbers"),
        (lambda _: [math.nan], DISCRETE, "not equal to itself"),
        (lambda _: math.inf, ABSOLUTE, "a finite number is needed"),
        (lambda _: "1", ABSOLUTE, "a finite number is needed"),
        (lambda _: ["1"], L1, "a finite number is needed"),
        (lambda _: [Odd()], SYMMETRIC, "not hashable"),
        (lambda _: Odd(), DISCRETE, "<an object whose text cannot be made>"),
        (lambda _: Counter({"a": -1}), SYMMETRIC, "is not a multiset"),
        (lambda _: sys.stdout, DISCRETE, "the function fails"),
    ],
)  # fmt: skip
def test_outputs_that_a_metric_cannot_read(output, d_out, said):
    with pytest.raises(InputError, match=said):
        checked(output, d_out=d_out)


@pytest.mark.parametrize(
    ("output", "d_out"),
    [
        (set, SYMMETRIC),
        (Counter, SYMMETRIC),
        (lambda rows: [{x} for x in rows], SYMMETRIC),
        (lambda rows: [{"of": [x], 1: {x: None}} for x in rows], INSERT_DELETE),
        (lambda rows: {x: [x] for x in rows}, DISCRETE),
        (tuple, SYMMETRIC),
    ],
)
def test_outputs_that_it_can(output, d_out):
    found = checked(output, d_in=INSERT_DELETE, d_out=d_out)
    assert found.verdict == "checked"
    assert found.worst[-1][1] > 0


def test_dictionaries_are_no_lists_and_their_order_is_nothing():
    assert DISCRETE.of({"a": 1}, [("a", 1)]) == 1
    assert DISCRETE.of({"a": 1, 2: 0}, {2: 0, "a": 1}) == 0
    assert SYMMETRIC.of([{"a": [1]}], [{"a": [2]}]) == 2


# ------------------------------------------------------------------ what does not end


def test_what_does_not_end_is_stopped(monkeypatch):
    monkeypatch.setattr(calls, "SECONDS", 0.2)
    monkeypatch.setattr(calls, "AGAIN", 0.1)

    def ever(*_):
        while True:
            pass

    def stubborn(*_):
        for _ in range(3):
            with contextlib.suppress(BaseException):
                ever()
        ever()

    for code in (ever, stubborn, lambda *_: time.sleep(60)):
        start = time.monotonic()
        with pytest.raises(InputError, match=r"the function fails on \[\]: it does not end within"):
            checked(code)
        assert time.monotonic() - start < 5
    for more in ({"bound": ever}, {"d_out": metric(ever)}, {"d_in": metric(ever)}):
        with pytest.raises(InputError, match=r"it does not end within 0\.2 s"):
            checked(len, **more)


def test_an_earlier_time_limit_still_holds():
    signal = pytest.importorskip("signal")

    class Late(BaseException):
        pass

    def late(*_):
        raise Late

    before = signal.signal(signal.SIGALRM, late)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(InputError, match="Late"):
            checked(lambda _: time.sleep(60))
        signal.setitimer(signal.ITIMER_REAL, 200)
        calls.call(str, len, [])
        assert 100 < signal.getitimer(signal.ITIMER_REAL)[0] <= 200
        assert signal.getsignal(signal.SIGALRM) is late
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# ------------------------------------------------------------------ scopes and claims


@pytest.mark.parametrize(
    ("scope", "said"),
    [
        (lambda: Lists(itertools.count(), at_most=1), "more than 10,000"),
        (lambda: Lists(5, at_most=1), "a list of values, not 5"),
        (lambda: Lists("ab", at_most=-1), "0 or more, not -1"),
        (lambda: Lists("ab", size=2.0), "0 or more, not 2.0"),
        (lambda: Multisets("ab", size=True), "0 or more, not True"),
        (lambda: Lists("ab", at_most=10**9), "pairs are more than 3,000,000"),
        (lambda: Multisets("ab", at_most=10**9), "pairs are more than 3,000,000"),
        (lambda: Tables(["a"], at_most=1), "columns are a dictionary"),
        (lambda: Tables({"a": range(9999), "b": range(9999)}, at_most=1), "rows of a table are"),
        (lambda: Tables({"a": range(20)}, at_most=10**9), "pairs are more than 3,000,000"),
        (lambda: None, "the scope fails: AttributeError"),
        (lambda: Lists([Odd()], size=1), "no two of them|not hashable"),
    ],
)
def test_scopes_that_cannot_be_used(scope, said):
    start = time.monotonic()
    with pytest.raises(InputError, match=said):
        checked(len, scope())
    assert time.monotonic() - start < 20


def test_values_can_come_from_anything():
    found = checked(len, Lists((x for x in "ab"), at_most=1))
    assert (found.pairs, found.scope) == (3, "lists of at most 1 records over 2 values")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"d_in": "symmetric"}, "'d_in' is a Metric"),
        ({"d_out": abs}, "'d_out' is a Metric"),
        ({"function": 3}, "'function' is a function"),
        ({"stated": "spec"}, "'stated' is a MapStatement"),
        ({"bound": None}, "a bound is a formula"),
    ],
)
def test_what_is_no_claim(changed, said):
    claim = {"function": len, "d_in": SYMMETRIC, "d_out": ABSOLUTE, "bound": "d"} | changed
    with pytest.raises(InputError, match=said):
        check_stability(StabilityClaim(scope=TWO, **claim))


# ------------------------------------------------------------------ the command

HEAD = "from dpcomp_sym.stability import *\nimport os, sys, time, atexit\n"
CLAIM = "claim = StabilityClaim({0}, Lists('ab', at_most=2), SYMMETRIC, ABSOLUTE, 'd', {1!r})\n"


def run(tmp_path, text, *options):
    file = tmp_path / "claims.py"
    file.write_text(HEAD + text)
    done = subprocess.run(
        [sys.executable, "-m", "dpcomp_sym", "stability", file, *options],
        capture_output=True, text=True, check=False, timeout=100,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    return done


def test_what_is_printed_is_no_answer(tmp_path):
    text = (
        "print('in the file')\nos.system('echo of another program')\n"
        "def f(rows):\n    print('in the function')\n    os.write(1, b'raw')\n"
        "    return len(rows)\n"
    )
    done = run(tmp_path, text + CLAIM.format("f", "f"), "--json")
    assert done.returncode == 3
    assert json.loads(done.stdout)["claims"][0]["verdict"] == "checked"
    for said in ("in the file", "of another program", "in the function", "raw"):
        assert said in done.stderr


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("sys.exit(0)", "fails: SystemExit: 0"),
        ("raise RuntimeError('no')", "fails: RuntimeError: no"),
        ("def f(rows): sys.exit(0)\n" + CLAIM.format("f", "f"), "fails on []: SystemExit: 0"),
        ("def f(rows): return f(rows)\n" + CLAIM.format("f", "f"), "RecursionError"),
        (CLAIM.format("3", "f"), "'function' is a function"),
        ("raise BaseException('low')", "BaseException: low"),
    ],
)
def test_what_leaves_is_bad_input(tmp_path, text, said):
    done = run(tmp_path, text)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_a_title_is_one_line(tmp_path):
    done = run(tmp_path, CLAIM.format("len", "count: proved\n\n  proved: everything"))
    assert done.returncode == 3
    assert done.stdout.startswith("count: proved proved: everything: absolute distance at most")
    assert not any(line.strip() == "proved: everything" for line in done.stdout.splitlines())


# ------------------------------------------------------------------ what is known of metrics


def test_the_built_in_metrics_are_metrics():
    """What comes along is not checked again: here it is."""
    databases = list(Lists("ab", at_most=3).databases())
    numbers = [Fraction(n, 3) for n in range(-3, 4)]
    vectors = [list(v) for n in range(3) for v in itertools.product((0, 1, 5), repeat=n)]
    for one in METRICS.values():
        points = {"absolute": numbers, "l1": vectors}.get(one.name, databases)
        table = {(i, j): one.of(x, y) for i, x in enumerate(points) for j, y in enumerate(points)}
        assert is_metric(table, len(points)), one.name
