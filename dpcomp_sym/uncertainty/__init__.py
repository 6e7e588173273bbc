"""Random data, and what an attacker knows: `laws` computes, `settings` answers specs."""
