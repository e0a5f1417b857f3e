"""Labels, their places on the ring, and the links between them."""

from lydian.circle import apart


def l(x):  # noqa: E743 - the paper's name
    """Return label number x."""
    return format(x, "b")[1:] + "1" if x else "0"


def idx(label):
    """Return the number of a label; infinite if it is not a label."""
    if label == "0":
        return 0
    return int("1" + label[:-1], 2) if label[-1:] == "1" and not label.strip("01") else float("inf")


def r(label):
    """Return the place of a label on the circle, from 0 to 1; labels have the same order by place and as texts."""
    return 0.0 if label.strip("01") else int(label or "0", 2) / 2 ** len(label)


def canon(place):
    """Return the label of a place on the circle."""
    label = ""
    while place:
        label += str(int(2 * place))
        place = 2 * place % 1
    return label or "0"


def chain(label, cur):
    """Return the shortcuts of ``label`` on the side where its neighbour has the label ``cur``, the nearest first."""
    found = []
    while label and len(label) < len(cur):  # a process without a label has no shortcuts yet
        cur = canon((2 * r(cur) - r(label)) % 1)
        found.append(cur)
    return found


def shortcuts_of(label, beside):
    """Return the labels of the shortcuts that belong to a label with these ring neighbours."""
    some = dict.fromkeys(y for cur in beside for y in chain(label, cur))
    return [y for y in some if y != label and y not in beside]


def slots(label, row, names):
    """Return the right values of left, right, ring and the shortcuts, if a sorted row of labels has these names."""
    at, n = row.index(label), len(row)
    if n == 1:
        return None, None, None, []
    before, after = row[at - 1], row[(at + 1) % n]
    left = (before, names[before]) if at else None
    right = (after, names[after]) if at < n - 1 else None
    across = before if not at else after if at == n - 1 else ""
    return left, right, (across, names[across]) if across else None, shortcuts_of(label, [before, after])


def linked(y, z):
    """Return whether two labels are linked in every skip ring with both: the longer one shows how near they are."""
    return idx(y) + idx(z) < float("inf") and apart(r(y), r(z), 1) == 2.0 ** -max(len(y), len(z))


def legal(names):
    """Return the links of the skip ring with these names at its labels, as texts "1>2"."""
    row = sorted(y for y in names if names[y])
    if len(row) < 2:
        return set()
    far = shortcuts_in(row)
    pairs = [(y, z) for i, y in enumerate(row) for z in (*sorted(far[y]), row[i - 1], row[(i + 1) % len(row)])]
    return {f"{names[y]}>{names[z]}" for y, z in pairs if names[y] != names[z]}


def shortcuts_in(row):
    """Return a map from each label to the labels of its shortcuts in SR(n); the row is sorted."""
    found = {y: set() for y in row}
    for k in range(1, max(map(len, row), default=0)):
        some = [y for y in row if len(y) <= k]
        for i, y in enumerate(some):
            found[y].add(some[i - 1])
            found[some[i - 1]].add(y)
    for i, y in enumerate(row):
        found[y] -= {y, row[i - 1], row[(i + 1) % len(row)]}
    return found
