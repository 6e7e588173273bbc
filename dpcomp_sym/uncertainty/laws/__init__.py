"""Privacy under partial knowledge: random data, attackers who know a part, exact losses.

Noiseless answers can be private when the attacker is uncertain about the data.  Their losses add
up only as far as the answers do not depend on each other: the *dependency* of one mechanism on
those before it is what composition costs beyond the single losses.

Source: D. Desfontaines, thesis, sections 3.2.1 to 3.2.4.
"""
