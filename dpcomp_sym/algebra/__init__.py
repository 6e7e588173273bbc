"""The mathematics that the kernel calls: functions from statements and terms, which prove nothing.

:mod:`sizes`, :mod:`polynomials` and :mod:`guarantees` compute; :mod:`inequalities` and
:mod:`profiles` are laws, which the kernel makes rules.
"""
