"""``python -m lydian`` is the same as ``lydian``."""

import sys

from lydian.cli import main

if __name__ == "__main__":
    sys.exit(main())
