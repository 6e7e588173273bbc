"""GB24, after IV.12: which of the two best bounds follows from the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from dpcomp_sym import kernel
from theorems import _kernel
from theorems._entry import CheckedInScope, Evidence, theorem
from theorems.errata._plain import (
    FAR,
    bounded,
    changed,
    leq,
    links,
    multisets,
    part,
    path_lengths,
    refutes,
    times,
    unbounded,
)

TWO: Final[Mapping[str, Any]] = {
    "databases": (("a",), ("b",)), "blocks": (("a",),), "most changed": 1, "sensitivity": FAR,
}  # fmt: skip
"""Two tables of one record, and one block that sees one of them."""


def fails_to_follow(data: Mapping[str, Any]) -> bool:
    """Return whether C1 holds, so that IV.12 applies, and C2 does not, so that IV.6 does not."""
    databases, blocks = data["databases"], data["blocks"]
    pairs = links(databases, bounded)
    most = max(len(changed(D, E, blocks)) for D, E in pairs)
    images = sorted({part(D, blocks[0]) for D in databases})
    inside = path_lengths(images, links(images, bounded))
    seen = [inside[part(D, blocks[0]), part(E, blocks[0])] for D, E in pairs]
    worst = FAR if None in seen else max(r for r in seen if r is not None)
    return bool(
        len(blocks) == 1 and most == data["most changed"] == 1 and worst == data["sensitivity"]
        and not leq(worst, 1)
    )  # fmt: skip


@theorem(
    id="E21",
    statement="The common-domain bound (IV.12) follows from the other (IV.6) by preprocessing: "
    "false, on {{a}, {b}} with the block {a}, bounded, IV.12 gives ε_1 and Δp_1 = ∞.",
    status="refuted",
    cite="GB24, after IV.12",
    latex=r"It is false that IV.12 follows from IV.6 by preprocessing: on $\{\{a\},\{b\}\}$ with "
    r"the block $\{a\}$ and bounded neighbours IV.12 gives $\varepsilon_1$, and $\Delta "
    r"p_1=\infty$.",
)
def not_a_case_of_separate_domains() -> Evidence:
    """It is the other way round."""
    return refutes("whenever IV.12 applies, IV.6 does", TWO, fails_to_follow)


@theorem(
    id="E21",
    statement="IV.6 follows from IV.12: with Δp_i ≤ 1, M_i* ∘ p_i is ε_i d-private on the whole "
    "class and p_i-dependent.",
    status="derived",
    cite="GB24.IV.6, IV.12, III.6",
    latex=r"IV.6 follows from IV.12: with $\Delta p_i\le1$ the mechanism $M_i^*\circ p_i$ is "
    r"$\varepsilon_id$-private on the whole class and $p_i$-dependent.",
)
def separate_domains_of_common_domain() -> Evidence:
    """From C2 the kernel derives the hypothesis of IV.12; and small tables are counted out."""
    return on_the_whole_class(), _kernel.on_common_domain("pure"), _small_tables()


def on_the_whole_class() -> kernel.Theorem:
    """Derive that a part behind a map of sensitivity 1 is private on the whole class."""
    relation = _kernel.NEIGHBOURS
    inner = kernel.CanonicalMetric(relation, _kernel.BLOCKS)
    outer = kernel.CanonicalMetric(relation, _kernel.DATABASES)
    sensitive = _kernel.assumed(
        kernel.Sensitive(_kernel.BLOCK_MAP, _kernel.ONE, outer, inner), "C2, sensitivity at most 1"
    )
    part = kernel.everywhere(_kernel.at_neighbours("pure"))
    behind = kernel.preprocess(part, _kernel.BLOCK_MAP)
    weaker = kernel.weaken_metric(behind, kernel.metric_of_sensitivity(sensitive))
    return kernel.between_neighbours(kernel.rescale_guarantee(weaker))


def _small_tables() -> CheckedInScope:
    cases, true = 0, True
    for relation, size in ((unbounded, 1), (bounded, 2)):
        everything = list(multisets("abc", size))
        for number in range(1, 1 << len(everything)):
            databases = [D for n, D in enumerate(everything) if number >> n & 1]
            pairs = links(databases, relation)
            length = path_lengths(databases, pairs)
            for block in (("a",), ("a", "b"), ("a", "b", "c")):
                images = sorted({part(D, block) for D in databases})
                inside = path_lengths(images, links(images, relation))
                if not all(leq(inside[part(D, block), part(E, block)], 1) for D, E in pairs):
                    continue
                cases += 1
                true &= all(
                    leq(inside[part(D, block), part(E, block)], times(1, length[D, E]))
                    for D in databases for E in databases
                )  # fmt: skip
    return CheckedInScope(
        "all classes of tables over {a,b,c}: at most one record, unbounded; two, bounded",
        cases, true,
    )  # fmt: skip
