"""The table of the lecturer's page: a row for each hand-in, a cell for each check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from lydian.assignment.pages.document import escaped, icon, with_code
from lydian.assignment.pages.words import failing, mistakes, points, said

__all__ = ["page_of", "table"]

Result = Mapping[str, Any]

#: The look of a cell for each state of a check.
_CELLS = {"full": "a", "partly": "b", "failed": "z", "stopped": "z", "open": "o"}


def page_of(result: Result) -> str:
    """Return the address of the page of feedback on a hand-in."""
    return f"feedback/{quote(str(result['id']))}.html"


def table(checks: Sequence[Result], results: Sequence[Result]) -> str:
    """Return the table as a panel.

    Args:
        checks: of the assignment.
        results: in the order of their rows.
    """
    rows = "".join(_row(number, result, checks) for number, result in enumerate(results))
    if not results:
        rows = f'<tr><td class="none" colspan="{len(checks) + 4}">Nothing has been handed in yet.</td></tr>'
    longest = max((len(part) for check in checks for part in str(check["id"]).split("-")), default=0)
    wide = "many" if len(checks) > 8 else "long" if longest > 7 else "few"
    columns = '<col class="mark"><col class="name"><col class="points">' + '<col class="check">' * len(checks) + "<col>"
    told = "Show only: a name, or a condition such as p &lt; 10"
    return (
        f'<section class="dock" id="hand-ins"><div class="bar">{icon("table", 16)}<h2>Hand-ins</h2>'
        '<span class="hint" id="order">sorted by name</span><span id="chips"></span><label class="field">'
        f'{icon("find", 15)}<input type="search" id="find" placeholder="Name or p &lt; 10" aria-label="{told}" '
        f'title="{told}" spellcheck="false" autocomplete="off"></label></div>'
        f'<div class="body" tabindex="-1"><table class="{wide}"><colgroup>{columns}</colgroup>'
        f"<thead>{_heads(checks)}</thead><tbody>{rows}</tbody></table></div>"
        f'<div class="foot"><span id="shown">{len(results):,} of {len(results):,} shown</span><span id="fault"></span>'
        "<span>Enter opens the page of feedback, Shift+Enter the failing run</span></div></section>"
    )


def _heads(checks: Sequence[Result]) -> str:
    parts = []
    for check in checks:
        about = f"of {points(check['most'])}" + ("<br>hidden" if check.get("hidden") else "")
        parts.append(
            f'<th class="check" aria-sort="none"><button type="button" data-sort="{escaped(check["id"])}" '
            f'title="{escaped(check["title"])}"><span>{escaped(check["id"])}</span>'
            f'<span class="hint">{about}</span></button></th>'
        )
    return (
        '<tr><th></th><th aria-sort="ascending"><button type="button" data-sort="name">Name</button></th>'
        '<th class="points" aria-sort="none"><button type="button" data-sort="points">Points</button></th>'
        f'{"".join(parts)}<th class="wrong">What went wrong</th></tr>'
    )


def _row(number: int, result: Result, checks: Sequence[Result]) -> str:
    marked, name = result["state"] == "marked", escaped(result["student"])
    if not marked:
        picture, look, word = "warning", "wrong-mark", "did not run"
    elif any(failing(check) or check["state"] == "stopped" for check in result["checks"]):
        picture, look, word = "cross", "wrong-mark", "fails"
    else:
        picture, look, word = "tick", "holds", "no failure"
    start = (
        f'<tr data-row="{number}"><td class="mark {look}" title="{word}">{icon(picture, 16)}</td>'
        f'<td class="name" title="{name}"><a href="{escaped(page_of(result))}">{name}</a></td>'
        f'<td class="points">{float(result["points"]):.1f}</td>'
    )
    if not marked:
        reason = str(result.get("reason") or "did not run").rstrip(".")
        told = f"{with_code(reason)}; no other hand-in was affected"
        return f'{start}<td class="reason" colspan="{len(checks) + 1}" title="{escaped(reason)}">{told}</td></tr>'
    own = {check["id"]: check for check in result["checks"]}
    cells = "".join(_cell(own.get(check["id"])) for check in checks)
    text = escaped(_wrong(result))
    return f'{start}{cells}<td class="wrong" title="{text}">{text}</td></tr>'


def _cell(check: Result | None) -> str:
    if check is None:
        return '<td class="check"></td>'
    look, words = _CELLS.get(check["state"], "o"), escaped(check.get("words") or "")
    figure = "?" if check["state"] == "open" and not check["points"] else points(check["points"])
    return f'<td class="check"><span class="cell {look}" title="{words}">{figure}</span></td>'


def _wrong(result: Result) -> str:
    """Return in a few words what costs most points, and whether the hand-in was late."""
    found, late = mistakes(result), result.get("late") or {}
    stopped = next((str(check["words"]) for check in result["checks"] if check["state"] == "stopped"), "")
    parts = [said(str(found[0].failure["sentence"])).rstrip(".") if found else stopped]
    if late.get("hours"):
        lost = float(late.get("lost") or 0)
        parts.append(f"late: {points(lost)} {'point' if lost == 1 else 'points'} less" if lost else "late")
    return "; ".join(part for part in parts if part)
