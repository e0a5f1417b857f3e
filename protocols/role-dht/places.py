"""Locations of topics and processes on the circle."""

from lydian.circle import apart, fnv1a, mixed

M = 2**16  # points in the sector of a topic, and sectors on the circle


def hashed(text, salt):
    """Return sixteen bits that look random."""
    return mixed(fnv1a(text, 32, start=2166136261 + 2654435769 * salt), 32) % M


def number(x):
    """Return the place of a location (hash of the topic, topic, hash of the process, process) on the whole circle."""
    return x[0] * M + x[2]


def nearness(q, x):
    """Return a value that is smaller the closer q is to x; a process with the role of x is closer than one without."""
    return q[1] != x[1], apart(number(q), number(x), M * M), q


def after(own, x):
    """Return the sort key of forwarders of a topic to the right of own, own itself being last."""
    return x <= own, x
