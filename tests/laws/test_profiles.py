"""No law of profiles forgets what neighbours can do: random facts, in both programs.

What neighbours do is drawn from the facts alone, block by block; some vector of the conclusion must
allow it.
"""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations, product

import pytest

from tests.kernel import world as terms
from tests.laws import draw
from tests.laws.draw import INF, ONE, TWO, WEIGHTS, ZERO, num, op, param, prod, size, total
from tests.laws.meaning import EXACT, INFINITE, at_most, decimal, largest, plus, times, worlds
from tests.laws.programs import PROGRAMS
from tests.shares import shared

TRIALS = {"compose_profile": 40, "weaken_profile": 250}
PARTS = {"p": ("s", "t"), "q": ("u",)}
POINTS = {"swap": 2, "frame": 0, "add": 1}
PROBLEM, FRAME = (
    terms.problem(("s", terms.P), ("t", terms.P), ("u", terms.Q), edits=edits).as_json()
    for edits in (tuple(POINTS.items()), (("frame", 0),))
)


@pytest.fixture(params=sorted(PROGRAMS))
def program(request):
    return PROGRAMS[request.param]()


class Draw(draw.Draw):
    """Random facts and vectors."""

    def distance(self):
        m = size("m")
        return self.one(
            ZERO, ONE, ONE, TWO, m, total(m, ONE), INF, self.hidden(m), self.hidden(m), num("1/2"),
            prod(ZERO, INF), param("a"), total(),
        )  # fmt: skip

    def number(self):
        return self.one(ZERO, ONE, ONE, TWO, num(3), size("m"), total(size("m"), ONE), INF)

    def wide(self):
        return self.one(None, None, None, self.number(), size("k"))

    def group(self, name):
        seen = [op("Seen", part=p, distance=self.distance()) for p in PARTS[name]]
        return op("Group", map=name, count=self.number(), distances=seen, block=[],
                  wide=self.wide())  # fmt: skip

    def vector(self):
        return op("Vector", groups=self.some(lambda: self.group(self.one(*PARTS)), 0, 3))

    def above(self, vector):
        """A larger vector, perhaps."""

        def far(seen):
            r = seen["distance"]
            if r["op"] not in {"Num", "Inf"}:
                return seen | {"distance": self.one(r, size("m"), total(size("m"), ONE))}
            return seen | {"distance": self.one(r, r, total(r, ONE), INF)}

        groups = []
        for g in vector["groups"]:
            more = self.one(g["count"], g["count"], total(g["count"], ONE), INF, ONE)
            wide = g["wide"] and self.one(g["wide"], g["wide"], total(g["wide"], ONE), INF, ONE)
            if self.often(0.1):
                wide = self.one(None, g["count"], ONE)
            groups.append(g | {"count": more, "wide": wide,
                               "distances": [far(s) for s in g["distances"]]})  # fmt: skip
        if self.often(0.3) and groups:
            groups = [*groups[1:], self.group(self.one(*PARTS))]
        return op("Vector", groups=groups)

    def everything(self, *, generous):
        """A vector that many facts are below."""
        groups = []
        for name, parts in PARTS.items():
            far = [op("Seen", part=p, distance=self.one(INF, INF, self.distance()))
                   for p in parts]  # fmt: skip
            count = INF if generous else self.one(INF, num(4), total(size("m"), size("m")), ONE)
            wide = None if generous else self.one(None, None, INF, size("k"), ONE)
            groups.append(op("Group", map=name, count=count, distances=far, block=[], wide=wide))
        return op("Vector", groups=groups)

    def shared(self, facts):
        """A vector that says what the blocks share, perhaps."""
        groups = []
        for f in facts:
            if f.data["op"] != "Shares":
                continue
            (blocks,) = (g.data["count"] for g in facts if g.data["op"] == "TouchCount"
                         and all(g.data[x] == f.data[x] for x in ("edit", "map")))  # fmt: skip
            groups.append(op("Group", map=f.data["map"], count=f.data["count"], block=[],
                             distances=f.data["distances"],
                             wide=self.one(blocks, blocks, INF, size("k"), ONE)))  # fmt: skip
        exact = op("Vector", groups=groups)
        return exact if self.often(0.6) else self.above(exact)


def oracle(program, name, problem=PROBLEM, **fields):
    statement = op(name, problem=problem, **fields)
    return program("oracle", statement=statement, kind="smt", tag="drawn")


def allows(world, groups, observed):
    """Whether the changed blocks of a map find places in the groups of a vector."""
    far = [{s["part"]: world.of(s["distance"], {}) for s in g["distances"]} for g in groups]
    changed = [b for b in observed if any(r != 0 for r in b.values())]
    return any(
        all(
            has_room(world, g, far[n], [b for b, m in zip(changed, places, strict=True) if m == n])
            for n, g in enumerate(groups)
        )
        for places in product(range(len(groups)), repeat=len(changed))
    )


def has_room(world, group, far, blocks):
    """Whether there are weights of these blocks with which they all fit into a group."""
    if not all(at_most(r, far[p]) for b in blocks for p, r in b.items()):
        return False
    count = world.of(group["count"], {})
    if group["wide"] is None:
        return len(blocks) <= count
    # The least weight is the largest ratio; seen from infinity, any weight but 0 will do.
    weights = [largest(ratio(r, far[p]) for p, r in b.items()) for b in blocks]
    enough = plus(weights) < count if 0 in weights else at_most(plus(weights), count)
    return len(blocks) <= world.of(group["wide"], {}) and (enough or not blocks)


def less(room, taken):
    return room if room == INFINITE else room - taken


def ratio(r, most):
    if r == 0 or most == INFINITE:
        return Fraction(0)
    if isinstance(r, Fraction) and isinstance(most, Fraction):
        return r / most
    return EXACT.divide(decimal(r), decimal(most))


def is_below(world, vectors, seen):
    """Whether some vector allows what is seen in the blocks of all maps."""
    return any(
        all(allows(world, [g for g in v["groups"] if g["map"] == name], blocks)
            for name, blocks in seen.items())
        for v in vectors
    )  # fmt: skip


def seen_in(d, world, vector):
    """What neighbours do that one vector allows, as bad as it can be."""
    seen = {}
    for name, parts in PARTS.items():
        groups = [g for g in vector["groups"] if g["map"] == name]
        blocks = [dict.fromkeys(parts, 0) for _ in range(world.sizes["k"])]
        weights = [world.of(g["count"], {}) for g in groups]
        left = [world.of(g["wide"] or g["count"], {}) for g in groups]
        for block in blocks:
            n = d.rng.randrange(-1, len(groups))
            if n >= 0 and left[n] > 0:
                left[n] -= 1
                weight = min(d.weight(groups[n]), weights[n])
                weights[n] = less(weights[n], weight)
                block.update({s["part"]: times(weight, world.of(s["distance"], {}))
                              for s in groups[n]["distances"]})  # fmt: skip
        seen[name] = blocks
    return seen


def weakened(d):
    vectors = d.some(d.vector, 0, 2)
    profile = oracle(d.program, "ProfileFact", where=d.where(), vectors=vectors)
    larger = [d.above(v) for v in vectors] + ([d.vector()] if d.often(0.3) else [])
    return profile and {"profile": profile, "vectors": larger, "where": d.where()}


def lost_by_weakening(d, arguments, said):
    old = arguments["profile"].data["vectors"]
    for world in worlds(d.rng, said.data["where"], 4):
        for _ in range(4 if old else 0):
            seen = seen_in(d, world, d.one(*old))
            if not is_below(world, said.data["vectors"], seen):
                return world.sizes, world.values, seen
    return None


def subsets(points):
    names = range(1, points + 1)
    return [list(t) for n in names for t in combinations(names, n)] or [[]]


def composed(d):
    facts = []
    problem = d.one(PROBLEM, PROBLEM, FRAME)

    def known(name, **fields):
        if d.often(0.9):
            return oracle(d.program, name, problem, **fields)
        return restricted(name, **fields)

    def restricted(name, **fields):
        some = op("Restricted", of=op(name, problem=problem, **fields), where=d.where())
        return d.program("oracle", statement=some, kind="smt", tag="drawn")

    for edit, points in POINTS.items() if problem == PROBLEM else [("frame", 0)]:
        for name, parts in PARTS.items():
            fields = {"edit": edit, "map": name}
            facts.append(oracle(d.program, "TouchCount", problem, **fields, count=d.number()))
            if d.often(0.2):
                facts.append(restricted("TouchCount", **fields, count=d.number()))
            facts += [
                known("BlockDistance", edit=edit, part=p, touched=t, distance=d.distance())
                for p in parts for t in subsets(points) if d.often()
            ]  # fmt: skip
            if d.often(0.8 if problem == FRAME else 0.3):
                facts.append(known("Shares", edit=edit, map=name, count=d.number(), distances=[
                    op("Seen", part=p, distance=d.distance()) for p in parts]))  # fmt: skip
        if d.often(0.4):
            kinds = d.some(
                lambda points=points: op("Kind", map=d.one(*PARTS), touched=d.one(*subsets(points)),
                                         count=d.one(1, 1, 2)), 0, 2)  # fmt: skip
            facts.append(known("Infeasible", edit=edit, pattern=kinds, where=d.where()))
    facts = [f for f in facts if f]
    all_ = d.shared(facts) if problem == FRAME else d.everything(generous=d.often(0.8))
    return {"problem": problem, "facts": facts, "vectors": [all_, *d.some(d.vector, 0, 1)],
            "where": d.where()}  # fmt: skip


def done(d, world, facts, edit):
    """What an edit does to blocks as far as the facts say; None if they exclude it."""
    limits, far, shares, holds, seen = {}, {}, {}, Counter(), {}
    facts = [f.get("of", f) for f in facts if f["op"] != "Restricted" or world.holds(f["where"])]
    for f in facts:
        if f["edit"] == edit and f["op"] == "TouchCount":
            few = world.of(f["count"], {})
            limits[f["map"]] = min(few, limits.get(f["map"], few))
        elif f["edit"] == edit and f["op"] == "BlockDistance":
            here, r = (f["part"], tuple(f["touched"])), world.of(f["distance"], {})
            far[here] = min(r, far.get(here, r))
        elif f["edit"] == edit and f["op"] == "Shares":
            of = {s["part"]: world.of(s["distance"], {}) for s in f["distances"]}
            shares[f["map"]] = world.of(f["count"], {}), of
    for name, parts in PARTS.items():
        room = Counter()
        blocks = []
        for _ in range(world.sizes["k"]):
            touched = tuple(d.one(*subsets(POINTS[edit]))) if d.often() else None
            records = touched or ("frame",)
            if touched is None or any(room[x] + 1 > limits[name] for x in records):
                blocks.append(dict.fromkeys(parts, 0))
                continue
            room.update(records)
            holds[name, touched] += 1
            block = {p: far.get((p, touched), INFINITE) for p in parts}
            if name in shares:
                left, of = shares[name]
                weight = min(d.one(*WEIGHTS), left)
                shares[name] = less(left, weight), of
                block = {p: min(r, times(weight, of[p])) for p, r in block.items()}
            blocks.append(block)
        seen[name] = blocks
    for f in facts:
        if f["op"] == "Infeasible" and f["edit"] == edit and world.holds(f["where"]):
            each = [holds[c["map"], tuple(c["touched"])] >= c["count"] for c in f["pattern"]]
            if each and all(each):
                return None
    return seen


def forgotten_by_composing(d, arguments, said):
    facts = [f.data for f in arguments["facts"]]
    for world in worlds(d.rng, said.data["where"], 5):
        for edit in [e["name"] for e in arguments["problem"]["edits"]] * 3:
            seen = done(d, world, facts, edit)
            if seen and not is_below(world, said.data["vectors"], seen):
                return world.sizes, world.values, edit, seen
    return None


LAWS = {"weaken_profile": (weakened, lost_by_weakening),
        "compose_profile": (composed, forgotten_by_composing)}  # fmt: skip


def attack(program, law, trials, seed):
    d = Draw(random.Random(f"{law} {seed}"), program)
    make, wrong = LAWS[law]
    found, counts = [], Counter()
    for _ in range(trials):
        arguments = make(d)
        said = program(law, **arguments) if arguments else None
        counts["accepted" if said else "refused"] += 1
        if said and (bad := wrong(d, arguments, said)):
            found.append((said.data["vectors"], bad))
    return counts, found


@pytest.mark.in_turn
@pytest.mark.parametrize("times", shared(1, [1, 3]))
@pytest.mark.parametrize("law", sorted(LAWS))
def test_no_law_of_profiles_forgets_what_neighbours_do(program, law, times):
    trials = times * TRIALS[law]
    counts, found = attack(program, law, trials, 0)
    assert found == []
    assert counts["accepted"] >= trials // 6
