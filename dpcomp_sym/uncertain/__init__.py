"""From random data and an attacker to what is lost: the findings behind ``dpcomp derive``.

Each kind of setting is a frozen class with a method ``derive``: a finite model
(:class:`~dpcomp_sym.uncertain.model.FiniteModel`), a survey, daily counts, a chain.
"""

from dpcomp_sym.uncertain.chain import ChainSetting
from dpcomp_sym.uncertain.claims import Decision
from dpcomp_sym.uncertain.daily import DailySetting
from dpcomp_sym.uncertain.finding import Finding
from dpcomp_sym.uncertain.model import FiniteModel
from dpcomp_sym.uncertain.survey import SurveySetting

__all__ = ["ChainSetting", "DailySetting", "Decision", "Finding", "FiniteModel", "SurveySetting"]
