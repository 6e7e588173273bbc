"""No rule from guarantees to guarantees promises too much: random arguments, in both programs."""

from __future__ import annotations

import random
from collections import Counter
from decimal import Overflow
from fractions import Fraction

import pytest

from dpcomp_sym import kernel as k
from tests.kernel import world as terms
from tests.laws import draw
from tests.laws.draw import INF, ONE, TWO, ZERO, num, op, param, prod, size, total
from tests.laws.meaning import INFINITE, at_most, converted, lost, times, together, walked, worlds
from tests.laws.programs import PROGRAMS
from tests.shares import shared

TRIALS = 200
NOTIONS = {"pure": 1, "approximate": 2, "zcdp": 1, "gaussian": 1}
SOURCES = {
    "pure": (), "approximate": ("pure", "zcdp"), "zcdp": ("pure", "gaussian"),
    "gaussian": ("pure",),
}  # fmt: skip
WALKED = {("pure", "zcdp"), ("pure", "gaussian")}
OTHER = k.Pullback(k.CanonicalMetric(terms.G, terms.BLOCK), terms.P)
WHOLE = k.Pullback(k.CanonicalMetric(terms.H, terms.E), terms.F)
THIRD = k.Pullback(k.CanonicalMetric(terms.H, terms.THIRD), terms.THREE)
ARROWS = {"s": terms.P, "t": terms.P, "u": terms.Q, "v": terms.F, "w": terms.THREE}
RELATIONS = {"s": terms.H, "t": terms.G, "u": terms.H, "v": terms.H, "w": terms.H}
PARTS = {"p": ("s", "t"), "q": ("u",), "f": ("v",), "t": ("w",)}
SIZES = {"p": ("k",), "q": ("k",), "f": (), "t": (3,)}
PROBLEM = terms.problem(
    ("s", terms.P),
    k.PartView("t", "p", terms.K, OTHER),
    ("u", terms.Q),
    k.PartView("v", "f", (), WHOLE),
    k.PartView("w", "t", terms.T3, THIRD),
).as_json()
EUCLID = terms.EUCLID.as_json()
M, D = terms.M.as_json(), terms.D.as_json()
DEPENDENT = k.Dependent(terms.M, terms.F).as_json()


@pytest.fixture(params=sorted(PROGRAMS))
def program(request):
    return PROGRAMS[request.param]()


class Draw(draw.Draw):
    def guarantee(self, notion, sizes=None):
        return [self.one(self.atom(sizes), self.expr(sizes, 1)) for _ in range(NOTIONS[notion])]

    def distance(self):
        m = size("m")
        return self.one(ZERO, ONE, ONE, TWO, m, total(m, ONE), num("1/2"), INF, prod(ZERO, m))

    def given(self, notion, loss, mechanism=M, where=()):
        statement = op("Private", mechanism=mechanism, notion=notion, loss=loss, where=[])
        said = self.program("given", statement=statement, tag="drawn")
        return self.program("restrict", theorem=said, where=list(where)) if said else None

    def between(self, notion, where=()):
        loss = op("Neighbouring", relation=terms.G.as_json(), domain=D,
                  guarantee=self.guarantee(notion))  # fmt: skip
        return self.given(notion, loss, where=where)

    def at(self, notion, metric):
        return self.given(notion, op("At", guarantee=self.guarantee(notion), metric=metric))


def below(left, right):
    return all(at_most(a, b) for a, b in zip(left, right, strict=True))


# A multiple of a metric.


def multiple(d):
    notion = d.one(*NOTIONS)
    by = d.one(d.distance(), d.distance(), d.expr(None, 1))
    private = d.at(notion, op("Rescaled", by=by, of=EUCLID))
    return private and {"private": private}


def stretched(c, r):
    """A multiple of a distance: of metrics, infinity is not made finite by 0."""
    return INFINITE if INFINITE in {c, r} else times(c, r)


def wrong_multiple(_, arguments, said):
    before, after = arguments["private"].data["loss"], said.data["loss"]
    for world in worlds(random.Random(1), [], 4):

        def of(e, world=world):
            return world.of(e, {})

        c = of(before["metric"]["by"])
        old, new = ([of(e) for e in loss["guarantee"]] for loss in (before, after))
        for r in (Fraction(0), Fraction(1, 2), Fraction(1), Fraction(3), INFINITE):
            promised = lost(said.data["notion"], new, r)
            if INFINITE not in promised and not below(
                lost(said.data["notion"], old, stretched(c, r)), promised
            ):
                return world.sizes, world.values, r
    return None


# A mechanism that depends only on a map: an infimum of distances need not be attained.


def dependent(d):
    private = d.at(d.one(*NOTIONS), EUCLID)
    depends = d.program("given", statement=DEPENDENT, tag="drawn")
    return private and {"private": private, "dependent": depends}


def wrong_dependent(_, __, said):
    for world in worlds(random.Random(2), [], 6, infinite=False):
        if any(world.of(e, block) == INFINITE for e in said.data["loss"]["guarantee"]
               for block in world.every_block()):  # fmt: skip
            return world.sizes, world.values
    return None


# Cases and larger guarantees.


def cases(d):
    notion = d.one(*NOTIONS)
    found = [d.between(notion, d.where()) for _ in range(d.rng.randint(1, 3))]
    if d.often():
        found.append(d.between(notion))
    return {"cases": [x for x in found if x], "within": d.where()}


def wrong_cases(_, arguments, said):
    for world in worlds(random.Random(3), said.data["where"], 6):
        new = [world.of(e, {}) for e in said.data["loss"]["guarantee"]]
        old = [[world.of(e, {}) for e in c.data["loss"]["guarantee"]]
               for c in arguments["cases"] if world.holds(c.data["where"])]  # fmt: skip
        if not any(below(g, new) for g in old):
            return world.sizes, world.values
    return None


def change(d):
    private = d.between(d.one(*NOTIONS), d.where())
    if private is None:
        return None
    leqs = [d.leq(g, d.larger(g)) for g in private.data["loss"]["guarantee"]]
    return {"private": private, "leqs": leqs} if None not in leqs else None


def wrong_change(_, arguments, said):
    private = arguments["private"].data
    for world in worlds(random.Random(4), said.data["where"], 4):
        old, new = ([world.of(e, {}) for e in x["loss"]["guarantee"]] for x in (private, said.data))
        if not (world.holds(private["where"]) and below(old, new)):
            return world.sizes, world.values
    return None


# The worst that neighbours can do.


def part(d, name, notion, sources):
    """A part behind its map, converted, composed over its blocks; and what it guarantees."""
    arrow = ARROWS[name]
    domain, sizes = k.ends(arrow)[1].as_json(), list(arrow.sizes)
    source = d.one(*sources)
    loss = op("Neighbouring", relation=RELATIONS[name].as_json(), domain=domain,
              guarantee=d.guarantee(source, arrow.sizes or None))  # fmt: skip
    said = d.given(source, loss, op("Mechanism", name=name, domain=domain, sizes=sizes))
    said = said and d.program("everywhere", private=said)
    # Before the map, what is converted counts the steps of a path.
    first = (source, notion) in WALKED and d.often(0.6)
    if first and said:
        said = d.program("convert", private=said, target=notion, chosen=[])
    said = said and d.program("preprocess", private=said, arrow=arrow.as_json())
    chosen = [d.one(num("1/2"), param("b"), ZERO)] if source == "zcdp" else []
    if said and source != notion and not first:
        said = d.program("convert", private=said, target=notion, chosen=chosen)
    if said and sizes:
        said = d.program("run_family", part=said, sizes=sizes)
    return said, (source, loss["guarantee"], "steps" if first else chosen)


def composition(d):
    # What is chosen as a delta is lost as a whole by each of the blocks that share a distance.
    chosen = d.often(0.2)
    notion = "approximate" if chosen else d.one(*NOTIONS)
    sources = ("zcdp",) if chosen else (notion, notion, *SOURCES[notion])
    made = {name: part(d, name, notion, sources) for name in ARROWS}
    if any(said is None for said, _ in made.values()):
        return None
    whole = d.program("run_adaptively", parts=[said for said, _ in made.values()])

    def group():
        name = d.one(*PARTS)
        seen = [op("Seen", part=p, distance=d.distance()) for p in PARTS[name]]
        if name == "t" and d.often():
            block = [d.rng.randint(1, 3)]
            return op("Group", map=name, count=ONE, distances=seen, block=block, wide=None)
        wide = d.one(None, None, d.whole(), size("k")) if not chosen else d.one(TWO, num(3))
        return op("Group", map=name, count=d.whole(), distances=seen, block=[], wide=wide)

    vectors = d.some(lambda: op("Vector", groups=d.some(group, 0, 1 if chosen else 3)), 1, 2)
    fact = op("ProfileFact", problem=PROBLEM, where=d.where(), vectors=vectors)
    profile = d.program("oracle", statement=fact, kind="smt", tag="drawn")
    d.parts = {name: row for name, (_, row) in made.items()}
    return whole and profile and {"private": whole, "profile": profile}


def worth(d, world, name, notion, r, block):
    """What a part loses in one block, in the units of the composition."""
    source, guarantee, chosen = d.parts[name]
    at = {ARROWS[name].sizes: block}
    value = lost(source, [world.of(e, at) for e in guarantee], r)
    if r in {0, INFINITE}:
        return (r,) * NOTIONS[notion]
    if chosen == "steps":
        return walked(notion, [world.of(e, at) for e in guarantee], r)
    if source == notion:
        return value
    return converted(source, notion, value, [world.of(e, at) for e in chosen])


def is_of(group, name, block):
    """Whether a group can hold a block of a map."""
    return group["map"] == name and group["block"] in ([], [n + 1 for n in block])


def wrong_composition(d, arguments, said):
    notion = said.data["notion"]
    vectors = arguments["profile"].data["vectors"]
    for world in worlds(d.rng, said.data["where"], 4):
        bound = [world.of(e, {}) for e in said.data["loss"]["guarantee"]]
        for _ in range(4):
            groups = d.one(*vectors)["groups"]
            weights = [world.of(g["count"], {}) for g in groups]
            left = [world.of(g["wide"] or g["count"], {}) for g in groups]
            losses = [(Fraction(0),) * NOTIONS[notion]]
            even = d.often(0.5)
            for name, block in [(m, b) for m in PARTS for b in world.blocks(SIZES[m])]:
                n = d.one(-1, *(n for n, g in enumerate(groups) if is_of(g, name, block)))
                if n >= 0 and left[n] > 0:
                    left[n] -= 1
                    weight = min(d.weight(groups[n]), weights[n])
                    if even:
                        weight = min(Fraction(1), weights[n] / (left[n] + 1))
                    weights[n] -= weight
                    for s in groups[n]["distances"]:
                        r = times(weight, world.of(s["distance"], {}))
                        losses.append(worth(d, world, s["part"], notion, r, block))
            if not below(together(notion, losses), bound):
                return world.sizes, world.values, losses, bound
    return None


LAWS = {
    "rescale_guarantee": (multiple, wrong_multiple),
    "pushforward": (dependent, wrong_dependent),
    "cover_cases": (cases, wrong_cases),
    "change_guarantee": (change, wrong_change),
    "maximum_over_neighbours": (composition, wrong_composition),
}


def attack(program, law, trials, seed):
    d = Draw(random.Random(f"{law} {seed}"), program)
    make, wrong = LAWS[law]
    found, counts = [], Counter()
    for _ in range(trials):
        arguments = make(d)
        said = program(law, **arguments) if arguments else None
        counts["accepted" if said else "refused"] += 1
        try:
            bad = said and wrong(d, arguments, said)
        except Overflow:
            continue
        if bad:
            found.append((said.data["loss"], bad))
    return counts, found


@pytest.mark.in_turn
@pytest.mark.parametrize("trials", shared(1, [TRIALS // 4, TRIALS]))
@pytest.mark.parametrize("law", sorted(LAWS))
def test_no_rule_promises_too_much(program, law, trials):
    counts, found = attack(program, law, trials, 0)
    assert found == []
    assert counts["accepted"] >= trials // 6
