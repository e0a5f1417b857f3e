"""The kinds of question, one module each, with ``KIND = Kind(...)``."""
