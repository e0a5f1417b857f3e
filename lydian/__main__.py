"""The entry point of ``python -m lydian``, which is the same as ``lydian``."""

import sys

from lydian.cli import main

if __name__ == "__main__":
    sys.exit(main())
