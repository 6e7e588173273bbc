"""Classes whose databases say something of several records: no closed form is claimed there."""

from dpcomp_sym.metrics.canonical import Canonical
from dpcomp_sym.metrics.relations import Relations
from dpcomp_sym.model import Domain, library_granularity

PAIRS = {"attributes": {"a": "V", "b": "V"}, "cap": 1, "cell": "a(c) != b(c)"}
SYMMETRIC = ["D[c] == D[(b(c), a(c))]"]


def test_a_metric_is_not_carried_to_a_class_with_facts():
    free = Canonical(library_granularity("unbounded").bind(Domain(**PAIRS)))
    bound = Canonical(library_granularity("unbounded").bind(Domain(**PAIRS, facts=SYMMETRIC)))
    assert str(free.form.source) == "sum(abs(D[c] - E[c]))"
    # There is nobody with a single record more or less.
    assert str(bound.form.source) == "0 if values(D[c] != E[c]) == 0 else inf"


def test_insertions_are_compared_with_replacements():
    lists = Domain(
        {"place": "int", "val": "Value"}, cap=1, cell="place(c) >= 1", limits=[("place(c)", 1)],
        facts=["implies(D[c] >= 1, place(c) <= size(D))"],
    )  # fmt: skip
    inserted = library_granularity("insertion", position="place")
    appended = library_granularity("append", position="place")
    both = {"insertion": inserted, "append": appended}
    found = Relations(lists, both).distance("insertion", "append")
    assert found.least >= 1
    assert found.most in (1, None)  # appending is inserting at the end
