"""Keys of publications, and the trie whose hashes neighbours compare."""

from lydian.circle import fnv1a, mixed

EMPTY = "empty"  # the hash of an empty trie


def h(text):
    """Return a hash of 32 bits, in eight digits: that of Fowler, Noll and Vo, with its bits mixed again."""
    return format(mixed(fnv1a(map(ord, text)), rounds=1), "016x")[:8]


def find(keys, prefix, part=1):
    """Return the uppermost node of the trie of these keys with the prefix in its label: (label, hash), or None.

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
