"""``python -m dpcomp_sym`` is the same program as ``dpcomp``."""

from dpcomp_sym.cli import main

if __name__ == "__main__":
    main()
