"""Properties of causal broadcast, for any protocol that claims to be one.

A property sees the whole configuration c. Useful here are c.processes; c.delivered[p], the texts that process p has
delivered so far, in this order; and p.me, the name of p. A text begins with the name of its author: "1: I have found
them". No text is posted twice.
"""

from lydian import always


def author(text):
    """Return the name of the process whose user wrote this text."""
    return text.split(":")[0]


@always("no process delivers a post twice")
def once(c):
    return all(len(set(c.delivered[p])) == len(c.delivered[p]) for p in c.processes)


# Write more properties. One that must hold in the last configuration is declared with at_end instead of always:
#
# @at_end("...")
# def my_property(c):
#     return ...
