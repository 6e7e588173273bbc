"""The language in which domains, granularities and maps are written: reading and evaluating."""

from dpcomp_sym.terms.evaluate import Environment, evaluate
from dpcomp_sym.terms.parse import Scope, parse
from dpcomp_sym.terms.partial import specialised
from dpcomp_sym.terms.render import to_latex, to_text
from dpcomp_sym.terms.term import (
    BOOL,
    CELL,
    FALSE,
    INT,
    TRUE,
    Algebra,
    Term,
    cases,
    conjunction,
    conjuncts,
    fold,
    free_variables,
    reads_database,
    substitute,
    subterms,
    variable,
)

__all__ = [
    "BOOL",
    "CELL",
    "FALSE",
    "INT",
    "TRUE",
    "Algebra",
    "Environment",
    "Scope",
    "Term",
    "cases",
    "conjunction",
    "conjuncts",
    "evaluate",
    "fold",
    "free_variables",
    "parse",
    "reads_database",
    "specialised",
    "substitute",
    "subterms",
    "to_latex",
    "to_text",
    "variable",
]
