"""Of what takes turns, every case has its turn, and only one."""

from __future__ import annotations

from tests.shares import in_turn

TURNS = 4


class Case:
    """A test as pytest collects it."""

    def __init__(self, nodeid, *marks):
        self.nodeid, self.marks = nodeid, list(marks)

    def get_closest_marker(self, name):
        return name if name in self.marks else None

    def add_marker(self, mark):
        self.marks.append(mark.name)


def taken(turn):
    """Return which cases a turn takes."""
    cases = [Case(f"tests/{file}.py::test[{n}]", "in_turn") for file in "abcd" for n in range(7)]
    cases += [Case("tests/a.py::test_always"), Case("tests/a.py::test_never", "in_turn", "long")]
    in_turn(cases, "in_turn", turn, TURNS)
    return [case.nodeid for case in cases if "long" not in case.marks]


def test_every_case_has_one_turn():
    always = "tests/a.py::test_always"
    turns = [set(taken(turn)) for turn in range(TURNS)]
    assert all(always in turn for turn in turns)
    cases = [case for turn in turns for case in turn - {always}]
    assert len(cases) == len(set(cases)) == 28


def test_turns_come_again_and_files_begin_with_different_ones():
    assert taken(TURNS + 1) == taken(1)
    assert len({next(n for n in range(TURNS) if f"tests/{f}.py::test[0]" in taken(n))
                for f in "abcd"}) > 1  # fmt: skip
