"""Filters, and entries of tables."""



def covers(f, g):
    return f[0] <= g[0] and g[1] <= f[1]


def merged(filters):
    """Return the filters after merging all that overlap or touch."""
    whole = []
    for low, high in sorted(filters):
        if whole and low <= whole[-1][1] + 1:
            whole[-1] = whole[-1][0], max(high, whole[-1][1])
        else:
            whole.append((low, high))
    return whole


def entry(e):
    """Return an entry as a text: its filter, and its destination."""
    return f"{e[0]}{'' if e[0] == e[1] else f'-{e[1]}'}>{e[2]}"


def covered(table, f, d, h):
    """Return whether an entry from outside {d, h} properly covers f."""
    return any(e != d and e != h and (a, b) != f and covers((a, b), f) for a, b, e, _ in table.values())
