"""From random data and an attacker to what is lost: the findings behind ``dpcomp derive``.

Each kind of setting is a frozen class with a method ``derive``: a finite model
(:class:`~dpcomp_sym.uncertainty.settings.model.FiniteModel`), a survey, daily counts, a chain
with deltas or without.
"""

from dpcomp_sym.uncertainty.settings.approximate_chain import ApproximateChainSetting
from dpcomp_sym.uncertainty.settings.chain import ChainSetting
from dpcomp_sym.uncertainty.settings.claims import EventDecision
from dpcomp_sym.uncertainty.settings.daily import DailySetting
from dpcomp_sym.uncertainty.settings.finding import SettingFinding
from dpcomp_sym.uncertainty.settings.model import FiniteModel
from dpcomp_sym.uncertainty.settings.survey import SurveySetting

__all__ = [
    "ApproximateChainSetting",
    "ChainSetting",
    "DailySetting",
    "EventDecision",
    "FiniteModel",
    "SettingFinding",
    "SurveySetting",
]
