"""The second part of a Rocq file: the lemmas about the edits, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dpcomp_sym.rocq.amounts import amounts_lemma
from dpcomp_sym.rocq.blocks import listed_lemma, window_lemma
from dpcomp_sym.rocq.bounds import infinite
from dpcomp_sym.rocq.counts import cell_lemma, count_lemma
from dpcomp_sym.rocq.edits import (
    EditCase,
    ProofScript,
    class_lemma,
    one_step,
    own_tactics,
    sum_of_points,
)
from dpcomp_sym.rocq.evidence import Outline
from dpcomp_sym.rocq.halves import halves_lemmas, in_halves
from dpcomp_sym.rocq.near import near_lemmas
from dpcomp_sym.rocq.pieces import in_pieces, pieces_lemmas
from dpcomp_sym.rocq.places import mean_lemmas, places_lemmas
from dpcomp_sym.rocq.singles import listed_singles, singles_lemma
from dpcomp_sym.rocq.stairs import stairs_lemmas
from dpcomp_sym.rocq.statement import Setting
from dpcomp_sym.rocq.walks import walk_lemmas

__all__ = ["structure"]


def structure(setting: Setting, outline: Outline) -> str:
    """Return the lemmas about the edits.

    Raises:
        UnwrittenError: a fact is of a kind that no tactic here proves.
    """
    proof = ProofScript(setting, outline)
    lines = [*own_tactics(setting)]
    if not setting.common:
        for part in setting.parts:
            lines += class_lemma(setting, part)
    for case in proof.cases:
        lines += _not_yet(lines, _of_edit(proof, case))
    return "\n".join(lines) + "\n"


def _not_yet(lines: Sequence[str], lemmas: Iterator[str]) -> Iterator[str]:
    """Yield lemmas; those about parts alone that another edit needed are written already."""
    written = set(lines)
    for text in lemmas:
        whole = text.startswith("Lemma ") and text.endswith("Qed.")
        if not (whole and text in written):
            yield text


def _of_edit(proof: ProofScript, case: EditCase) -> Iterator[str]:
    maps = proof.setting.maps.values()
    if case.mean is not None and case.steps is not None:
        yield from mean_lemmas(proof, case, case.steps)
        return
    if case.steps is not None:
        lemmas = pieces_lemmas if in_pieces(case) else walk_lemmas
        yield from lemmas(proof, case, case.steps)
        return
    if case.near:
        lemmas_of = halves_lemmas if in_halves(proof, case) else near_lemmas
        yield from lemmas_of(proof, case)
        return
    if case.stairs:
        yield from stairs_lemmas(proof, case)
        return
    if case.window is not None and case.counted:
        yield from amounts_lemma(proof, case, case.window)
        return
    if case.apart:
        singles = listed_singles(proof.setting, case)
        if singles is None:
            yield from sum_of_points(proof, case)
        else:
            yield from singles_lemma(proof, case, singles)
        for mapping in maps:
            if mapping.indices and not infinite(case.touched.counts[mapping.name]):
                yield cell_lemma(proof, case, mapping)
        return
    if not proof.setting.common:
        for part in proof.setting.parts:
            yield from one_step(proof, case, part)
    if proof.listed:
        yield from listed_lemma(proof, case)
    elif case.window is not None and case.window.records is not None:
        yield from places_lemmas(proof, case, case.window, case.window.records)
    elif case.window is not None:
        yield from window_lemma(proof, case, case.window)
    if not proof.listed:
        for mapping in maps:
            yield from count_lemma(proof, case, mapping)
