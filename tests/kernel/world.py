"""Small terms and theorems that the tests of the kernel share."""

from __future__ import annotations

from fractions import Fraction

from dpcomp_sym import kernel as k

K = ("k",)
ONE, TWO, ZERO = (k.Num(Fraction(n)) for n in (1, 2, 0))
INF = k.Inf()
SIZE = k.Size("k")
A, B, C = k.Param("a"), k.Param("b"), k.Param("c")
EPS, DELTA, RHO, MU = (k.BlockEntry(name, K) for name in ("eps", "delta", "rho", "mu"))
GUARANTEES = {"pure": (EPS,), "approximate": (EPS, DELTA), "zcdp": (RHO,), "gaussian": (MU,)}
SCALARS = {"pure": (A,), "approximate": (A, B), "zcdp": (A,), "gaussian": (A,)}

D, E, BLOCK = (k.DatabaseClass(name, "{}", s) for name, s in (("D", ()), ("E", ()), ("block", K)))
G, H = k.NamedRelation("G", "{}"), k.NamedRelation("H", "{}")
P, Q = (k.NamedMap(name, "{}", D, BLOCK, K) for name in "pq")
F = k.NamedMap("f", "{}", D, E, ())
T3 = (3,)
THIRD = k.DatabaseClass("third", "{}", T3)
THREE = k.NamedMap("t", "{}", D, THIRD, T3)
CANON = k.CanonicalMetric(G, D)
EUCLID = k.NamedPseudometric("euclid", "{}", D)
ONE_SIDED = k.OneSided("R", "{}")
M, N = k.NamedMechanism("M", D, ()), k.NamedMechanism("N", D, ())
FAMILY = k.NamedMechanism("S", BLOCK, K)
SEEN = k.Pullback(k.CanonicalMetric(H, BLOCK), P)
NO_WHERE: k.Where = ()


def num(x: int | str) -> k.Num:
    return k.Num(Fraction(x))


def up_to(symbol: str, low: int, high: int | None = None) -> k.Where:
    return (k.SizeRange(symbol, low, high),)


def private(notion="pure", mechanism=M, loss=None, where=NO_WHERE):
    """A given guarantee; by default of the single mechanism M, between neighbours."""
    if loss is None:
        loss = k.Neighbouring(G, D, SCALARS[notion])
    theorem = k.given(k.Private(mechanism, notion, loss, ()), f"{mechanism.text()} {notion}")
    return k.restrict(theorem, where) if where else theorem


def at(metric, notion="pure", mechanism=M, guarantee=None):
    """A given guarantee at a metric."""
    return private(notion, mechanism, k.At(guarantee or SCALARS[notion], metric))


def one_sided(notion="pure"):
    """Given guarantees of M in one direction: between neighbours, at a metric, and behind a map."""
    canonical, guarantee = k.CanonicalMetric(ONE_SIDED, D), SCALARS[notion]
    pushed = k.Pullback(k.CanonicalMetric(k.Push(ONE_SIDED, F), E), F)
    losses = (
        k.Neighbouring(ONE_SIDED, D, guarantee),
        k.At(guarantee, canonical),
        k.At(guarantee, k.Largest((EUCLID, k.Rescaled(TWO, pushed)))),
    )
    return tuple(private(notion, loss=loss) for loss in losses)


def part(notion="pure", name="S", guarantee=None):
    """A given guarantee of the family of mechanisms on blocks."""
    loss = k.Neighbouring(H, BLOCK, guarantee or GUARANTEES[notion])
    return private(notion, k.NamedMechanism(name, BLOCK, K), loss)


def family(notion="pure", arrow=P, name="S", guarantee=None):
    """The composition of the family over all blocks."""
    return k.run_family(k.preprocess(k.everywhere(part(notion, name, guarantee)), arrow), K)


def fact(statement, kind="smt", tag="script"):
    return k.oracle(statement, kind, tag)


def problem(*views, edits=(), relation=G, domain=D):
    """A problem; views are pairs of a part's name and a map, or views."""
    made = tuple(
        v if isinstance(v, k.PartView) else k.PartView(v[0], v[1].name, v[1].sizes, seen(v[1]))
        for v in views or (("s", P),)
    )
    return k.CompositionProblem(domain, relation, tuple(k.EditShape(*e) for e in edits), made, "{}")


def seen(arrow):
    return k.Pullback(k.CanonicalMetric(H, k.ends(arrow)[1]), arrow)


def group(count, map_name="p", block=(), wide=None, **distances):
    def expr(x):
        return x if isinstance(x, k.Expr) else num(x)

    pairs = tuple(k.SeenDistance(name, expr(r)) for name, r in (distances or {"s": 1}).items())
    return k.BlockGroup(map_name, expr(count), pairs, block, None if wide is None else expr(wide))


def reach(*touches):
    """A set of blocks from maps, numbers of blocks and touched records."""
    return k.Reach(tuple(k.Touch(*t) for t in touches))


def shares(of, count, edit="frame", name="p", **distances):
    whole = group(count, name, **distances)
    return fact(k.Shares(of, edit, name, whole.count, whole.distances))


def mixed(of, *vectors, edit="frame"):
    return fact(k.Mixed(of, edit, vectors))


def together(of, *reaches, edit="swap"):
    return fact(k.Together(of, edit, reaches))


def vector(*groups):
    return k.DifferenceVector(groups)


def worst(*groups, sizes=K):
    """A worst choice from pairs (count, value)."""
    made = (k.Choice(c if isinstance(c, k.Expr) else num(c), v) for c, v in groups)
    return k.Worst(sizes, tuple(made))


def leq(left, right, where=NO_WHERE):
    return k.bounded_polynomial(left, right, where)


def raises(call) -> bool:
    """Whether the call raises a KernelError."""
    try:
        call()
    except k.KernelError:
        return True
    return False
