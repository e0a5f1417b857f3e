"""Two hand-ins side by side: differences are marked, and lines of the skeleton are pale."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from lydian.assignment.pages.document import escaped
from lydian.views.page.whole import coloured

__all__ = ["compared"]

#: The largest number of lines of a file that is compared.
MOST_LINES = 2000


def compared(a: Mapping[str, str], b: Mapping[str, str], skeleton: Mapping[str, str]) -> str:
    """Return the files that two hand-ins have in common as HTML, one below the other; empty if there are none.

    Args:
        a, b: the text of each file, by its name.
        skeleton: the same of the files with which both began.
    """
    parts = []
    for name in sorted(a.keys() & b.keys()):
        left, right = (each[name].splitlines()[:MOST_LINES] for each in (a, b))
        given = {line.strip() for line in skeleton.get(name, "").splitlines()}
        rows = "".join(_rows(left, right, given))
        parts.append(f'<h3>{escaped(name)}</h3><table class="compared"><tbody>{rows}</tbody></table>')
    return "".join(parts)


def _rows(left: Sequence[str], right: Sequence[str], given: set[str]) -> Iterator[str]:
    shown = coloured(left), coloured(right)
    matcher = SequenceMatcher(None, [line.rstrip() for line in left], [line.rstrip() for line in right], autojunk=False)
    for kind, a, a_end, b, b_end in matcher.get_opcodes():
        for i in range(max(a_end - a, b_end - b)):
            cells = []
            for lines, texts, at in ((left, shown[0], a + i if a + i < a_end else -1),
                                     (right, shown[1], b + i if b + i < b_end else -1)):  # fmt: skip
                if at < 0:
                    cells.append('<td class="no"></td><td class="gap"></td>')
                    continue
                look = "given" if lines[at].strip() in given else "differs" if kind != "equal" else ""
                cells.append(f'<td class="no">{at + 1}</td><td class="{look}">{texts[at] or " "}</td>')
            yield f"<tr>{''.join(cells)}</tr>"
