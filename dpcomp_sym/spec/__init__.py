"""Specs: composition problems as TOML files, and messages about them."""

from dpcomp_sym.spec.load import Spec, load_any, load_spec, read_any, read_spec
from dpcomp_sym.spec.new import starter, write_starter
from dpcomp_sym.spec.source import SpecError

__all__ = [
    "Spec",
    "SpecError",
    "load_any",
    "load_spec",
    "read_any",
    "read_spec",
    "starter",
    "write_starter",
]
