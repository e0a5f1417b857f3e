"""A class on one run: the host, the people who join, the games they play, and systems split into components."""
