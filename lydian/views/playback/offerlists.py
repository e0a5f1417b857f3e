"""Menus of offers: for a target, for the background, and for one key with a selection."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from lydian.language import tr, trc
from lydian.model.interventions.kind import TOOLS, kind_of, tools_for
from lydian.views.playback.interfering import Offer, Situation, number_of, pair_of, pairs
from lydian.views.playback.offers import offer, parted
from lydian.views.selection import Hit, Selection

__all__ = ["for_ground", "for_selection", "menu_for", "ways"]


def menu_for(s: Situation, hit: Hit) -> list[Offer]:
    """Return the entries of the context menu of a target."""
    if s.programs is not None:
        return _of_programs(s, hit)
    found: list[Offer] = []
    for tool in tools_for(hit.kind):
        made = offer(s, tool.name, hit)
        found += [made, *_MORE[hit.kind, tool.name](s, hit, made)] if (hit.kind, tool.name) in _MORE else [made]
    return found


def _as_new(s: Situation, hit: Hit, made: Offer) -> list[Offer]:
    """Return an offer to recover a process in its initial state."""
    if not s.crashed[number_of(hit)]:
        return []
    name = s.names[number_of(hit)]
    fresh = ({"do": "recover", "process": name, "keep": False},)
    words = tr("Recover process {process} in its initial state", process=name)
    return [replace(made, short=tr("Recover with nothing kept"), words=words, what=fresh)]


def _by(s: Situation, hit: Hit, made: Offer) -> list[Offer]:
    """Return an offer to delay a message by a number that the user enters."""
    return [replace(made, short=tr("Delay by…"), form="" if made.reason else "delay", what=())]


def _one_way(s: Situation, hit: Hit, _made: Offer) -> list[Offer]:
    """Return the offers to cut or restore a link in one direction only, if it has two."""
    a, b = pair_of(hit)
    link = s.link(a, b)
    if link is not None and link.directed:
        return []
    found = []
    for i, j in ((a, b), (b, a)):
        x, y = s.names[i], s.names[j]
        if (i, j) in s.ways_down:
            do, short = "link_up", tr("Restore from {sender} to {receiver} only", sender=x, receiver=y)
            words = tr("Restore link {sender}-{receiver} from {sender} to {receiver} only", sender=x, receiver=y)
        else:
            do, short = "link_down", tr("Cut from {sender} to {receiver} only", sender=x, receiver=y)
            words = tr("Cut link {sender}-{receiver} from {sender} to {receiver} only", sender=x, receiver=y)
        found.append(Offer("cut", short, words, ({"do": do, "link": [x, y], "one_way": True},), hit=hit))
    return found


#: Further offers below a tool, by kind of target and tool.
_MORE: Mapping[tuple[str, str], Callable[[Situation, Hit, Offer], list[Offer]]] = {
    ("process", "crash"): _as_new, ("message", "delay"): _by, ("link", "cut"): _one_way,
}  # fmt: skip


def _of_programs(s: Situation, hit: Hit) -> list[Offer]:
    """Return what can be done to a program, or to a link between two programs; clients and services are left alone."""
    assert s.programs is not None
    if hit.kind == "link":
        made = offer(s, "cut", hit)
        both = s.programs.issuperset(pair_of(hit))
        return [made, *_one_way(s, hit, made), offer(s, "slow", hit)] if both else []
    if hit.kind == "message":
        delay = offer(s, "delay", hit)
        return [offer(s, "drop", hit), *_by(s, hit, delay)]
    if hit.kind != "process" or number_of(hit) not in s.programs:
        return []
    p = number_of(hit)
    name, crashed, paused = s.names[p], bool(s.crashed[p]), p in s.paused
    if crashed:
        words = tr("Restart the program of {process}", process=name)
        return [Offer("crash", tr("Start again"), words, ({"do": "recover", "process": name},), hit=hit)]
    kill = tr("Kill the program of {process}", process=name)
    if paused:
        pause = Offer("take_over", tr("Resume"), tr("Resume the program of {process}", process=name),
                      ({"do": "release", "process": name},), hit=hit)  # fmt: skip
    else:
        pause = Offer("take_over", trc("program", "Pause"), tr("Pause the program of {process}", process=name),
                      ({"do": "take_over", "process": name},), hit=hit)  # fmt: skip
    return [Offer("crash", tr("Kill"), kill, ({"do": "crash", "process": name},), hit=hit), pause]


def ways(s: Situation, hit: Hit) -> list[tuple[str, list[Offer]]]:
    """Return, for each direction of a link, its title and the offers for the message there, or for the next one."""
    if s.programs is not None:
        return []
    a, b = pair_of(hit)
    link = s.link(a, b)
    directions = [True, False] if link is None or not link.directed else [s.ends(a, b, None) == (a, b)]
    found = []
    for forward in directions:
        source, target = (a, b) if forward else (b, a)
        under_way = s.along(source, target) is not None
        some = [offer(s, tool.name, hit, forward) for tool in tools_for("way") if under_way or tool.name != "deliver"]
        found.append((tr("From {sender} to {receiver}", sender=s.names[source], receiver=s.names[target]), some))
    return found


def for_ground(s: Situation) -> list[Offer]:
    """Return the offers for the background."""
    down = sorted(s.down)
    crashed = [name for name, off in zip(s.names, s.crashed.tolist(), strict=True) if off]
    taken = sorted(s.taken if s.programs is None else {s.names[p] for p in s.paused})
    return [
        *(offer(s, tool.name, None) for tool in tools_for("nothing")),
        Offer("links_up", _many(tr("Restore all links"), down), _many(tr("Restore all links"), down),
              pairs(down, s.names, "link_up"), reason="" if down else tr("no link is cut")),
        *([Offer("heal", tr("End the partition"), tr("End the partition"), ({"do": "heal"},))] if s.overlay else []),
        Offer("recover_all", _many(tr("Recover all processes"), crashed), _many(tr("Recover all processes"), crashed),
              tuple({"do": "recover", "process": name} for name in crashed),
              reason="" if crashed else tr("no process has crashed")),
        Offer("release_all", _many(tr("Release all processes"), taken), _many(tr("Resume all processes"), taken),
              tuple({"do": "release", "process": name} for name in taken),
              reason="" if taken else tr("no process is taken over")),
    ]  # fmt: skip


def for_selection(s: Situation, tool: str, chosen: Selection) -> Offer | None:
    """Return the offer of a tool for the whole selection, as one intervention; ``None`` if nothing suitable is
    selected.
    """
    hits = _suitable(s, tool, chosen)
    if tool == "partition":
        return parted(s, [number_of(hit) for hit in hits]) if hits else None
    if not hits:
        return None
    some = [offer(s, tool, hit) for hit in hits]
    if len(some) == 1:
        return some[0]
    able = [each for each in some if not each.reason]
    if not able:
        return some[0]
    kind = kind_of(tool)
    if kind.undone_by and any(each.form for each in able):  # If some are honest, all are made to lie.
        meant = [each for each in able if each.form]
        names = tuple(s.names[number_of(each.hit)] for each in meant if each.hit is not None)
        several = kind.order[1].format(n=len(names))
        words = f"{several[:1].upper()}{several[1:]}…" if len(names) > 1 else meant[0].words
        return replace(meant[0], words=words, names=names)
    if any(each.form for each in able):
        return able[0]
    if kind.undone_by:  # If some are up, all are cut; otherwise all are restored.
        able = [each for each in able if each.what[0]["do"] == kind.name] or able
    what = list({str(sorted(each.items(), key=str)): each for one in able for each in one.what}.values())
    words = tr("{action} {count} at once", action=able[0].short, count=len(what))
    return Offer(tool, TOOLS[tool].title, words, tuple(what), hit=able[0].hit)


def _suitable(s: Situation, tool: str, chosen: Selection) -> list[Hit]:
    """Return the selected things to which a tool applies: those of the first kind that occurs among them."""
    processes = sorted(chosen.processes)
    by_kind: dict[str, list[Hit]] = {
        "process": [Hit("process", p) for p in processes if p < len(s.names)],
        "message": [Hit("message", m) for m in sorted(chosen.messages)],
        "link": [Hit("link", pair) for pair in sorted(chosen.links) if max(pair) < len(s.names)],
    }
    if tool == "partition":
        return by_kind["process"]
    if len(processes) == 2 and not chosen.links and s.link(*processes) is not None and tool in ("cut", "slow"):
        by_kind["link"] = [Hit("link", (processes[0], processes[1]))]
    if not chosen.messages and chosen.event is not None and int(s.timeline.message[chosen.event]) >= 0:
        by_kind["message"] = [Hit("message", int(s.timeline.message[chosen.event]))]
    for kind in TOOLS[tool].targets:
        if by_kind.get(kind):
            return by_kind[kind]
    return []


def _many(words: str, some: Sequence[object]) -> str:
    return f"{words} ({len(some)})" if some else words
