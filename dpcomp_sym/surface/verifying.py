"""Certificates, checked by the program that is not the prover: for the command and notebooks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dpcomp_sym.certificates import agreement, recheck
from dpcomp_sym.errors import InputError
from dpcomp_sym.limits import limited
from dpcomp_sym.model import Problem
from dpcomp_sym.replay import UnreadableError, read
from dpcomp_sym.smt.solvers import SecondSolver
from dpcomp_sym.spec import Spec

__all__ = ["verified", "verify"]


def verified(data: Mapping[str, Any], other: Problem | None = None) -> recheck.Verified:
    """Verify a certificate that was read, with both solvers; compare it with a problem.

    Raises:
        RejectedError: the certificate is wrong, or a fact is not confirmed.
    """
    found = recheck.verify(data, SecondSolver(), other)
    agreement.compare(agreement.stated(data), dict(found.bounds))
    return found


def verify(
    certificate: Mapping[str, Any] | str | Path, problem: Problem | Spec | None = None
) -> recheck.Verified:
    """Verify a certificate, as ``dpcomp verify`` does.

    Args:
        certificate: what ``answer.certificate()`` returned, or the file of one.
        problem: what it should be about; ``differences`` of the result says in what it is not.

    Raises:
        InputError: it is not a certificate.
        RejectedError: the certificate is wrong, or a fact is not confirmed (a ``ValueError``).
        OSError: the file cannot be read.

    >>> import dpcomp_sym as dp
    >>> d = dp.derive(dp.Domain(id="Record"), "unbounded", counts=dp.partition(pure="eps"))
    >>> found = dp.verify(d.certificate(), d.problem)
    >>> found.verdict, found.differences
    ('proved', ())
    """
    if isinstance(certificate, Mapping):
        name, content = "the certificate", json.dumps(certificate).encode()
    else:
        name = str(certificate)
        if not Path(certificate).exists():
            raise InputError(f"there is no file {name}; answer.certificate() returns a certificate")
        content = Path(certificate).read_bytes()
    try:
        data = read(content)
    except UnreadableError as error:
        raise InputError(f"{name}: this is not a certificate: {error}") from None
    other = problem.problem if isinstance(problem, Spec) else problem
    with limited():
        return verified(data, other)
