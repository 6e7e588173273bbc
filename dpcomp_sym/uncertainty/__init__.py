"""Random data, and what an attacker knows of them: the laws, and the settings of specs."""
