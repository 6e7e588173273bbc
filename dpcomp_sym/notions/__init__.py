"""Privacy notions, and bounds in each of them."""
