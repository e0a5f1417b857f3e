"""Keys of publications, and the trie by whose hashes neighbours compare what they have."""

from lydian.circle import fnv1a, mixed

EMPTY = "empty"  # the hash of an empty trie


def h(text):
    """A hash of 32 bits, in eight digits: Fowler, Noll and Vo's, and its bits mixed once more."""
    return format(mixed(fnv1a(map(ord, text)), rounds=1), "016x")[:8]


def find(keys, prefix, part=1):
    """The uppermost node of the trie of these keys whose label begins with the prefix: (label, hash), or None.

    The hash of an inner node is that of the hashes (``part`` 1), or of the labels (0), of its children.
    """
    keys = [key for key in keys if key.startswith(prefix)]
    if not keys:
        return None
    first, last = min(keys), max(keys)
    if first == last:
        return first, h(first)
    label = first[: next(i for i, bit in enumerate(first) if bit != last[i])]
    return label, h(find(keys, label + "0", part)[part] + find(keys, label + "1", part)[part])
