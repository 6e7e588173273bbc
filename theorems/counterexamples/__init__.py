"""Claims that are false, one file each, with the exact data that refute them."""
