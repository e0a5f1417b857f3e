"""A choice in a game in words: what it is, what follows from it, and what happened when it was taken."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from lydian.engine.adversary.position import Choice
from lydian.language import tr, trn
from lydian.views.words.values import value_text

__all__ = ["chip", "consequence", "happened", "title"]

#: A function from the name of a state to its predicate: "wants the resource".
Predicate = Callable[[str], str]
#: A function from the class of a message, timer or command to the word for it.
Word = Callable[[str], str]


def title(choice: Choice, word: Word = str) -> str:
    """Return what a choice is: ``Request 0 → 1``."""
    label = word(choice.label)
    ends = {"label": label, "sender": choice.sender, "process": choice.process}
    match choice.kind:
        case "deliver":
            return tr("{label} {sender} → {process}", **ends)
        case "init":
            return tr("{process} starts", process=choice.process)
        case "crash":
            return tr("{process} crashes", process=choice.process)
        case "loss":
            return tr("{label} {sender} → {process} is lost", **ends)
        case "mute":
            return tr("{label} {sender} → {process} is withheld", **ends)
        case "lie":
            return tr("{label} {sender} → {process} says {lie}", lie=_told(choice.told), **ends)
        case "rules":
            rules = [str(each.get("label", "")) for each in choice.does]
            return tr("{process} executes {rule}", process=_actor(choice), rule=", ".join(rules))
        case "timer":
            return tr("{label} expires at {process}", label=label, process=choice.process)
    return tr("{process} gets the command {label}", label=label, process=choice.process)


def _actor(choice: Choice) -> str:
    return choice.process or ", ".join(str(each.get("process", "")) for each in choice.does)


def _told(told: Mapping[str, object]) -> str:
    return ", ".join(value_text(each) for each in told.values())


def consequence(choice: Choice, predicate: Predicate, word: Word = str) -> str:
    """Return what follows from a choice, or what is remarkable about it, briefly: ``overtakes Request``."""
    if choice.dead:
        return tr("{process} has crashed", process=choice.process)
    if choice.after and choice.after != choice.before:
        return tr("then {process} {predicate}", process=choice.process, predicate=predicate(choice.after))
    if choice.overtakes:
        return tr("overtakes {label}", label=word(choice.overtakes))
    if choice.sends and choice.kind != "crash":
        return _sends(choice.sends, word)
    return tr("in transit since step {step}", step=choice.since) if choice.since else ""


def _sends(sends: Sequence[Sequence[str]], word: Word) -> str:
    labels = {label for label, _ in sends}
    if len(labels) == 1 and len(sends) <= 3:
        to = ", ".join(receiver for _, receiver in sends)
        return tr("sends {label} to {process}", label=word(next(iter(labels))), process=to)
    return trn("sends {count} message", "sends {count} messages", len(sends))


def chip(choice: Choice, word: Word = str) -> str:
    """Return the step briefly: ``2 gets Request from 0``."""
    if choice.kind in ("deliver", "lie"):
        label = word(choice.label)
        return tr("{process} gets {label} from {sender}", process=choice.process, label=label, sender=choice.sender)
    return title(choice, word)


def happened(choice: Choice, predicate: Predicate, word: Word = str) -> tuple[str, str]:
    """Return what happened in a step as two parts of a sentence, of which the first is emphasised."""
    label, process, sender = word(choice.label), choice.process, choice.sender
    match choice.kind:
        case "deliver":
            first = tr("Process {process} gets {label} from {sender}", process=process, label=label, sender=sender)
        case "lie":
            first = tr("Process {process} gets {label} from {sender}, which says {lie}",
                       process=process, label=label, sender=sender, lie=_told(choice.told))  # fmt: skip
        case "init":
            first = tr("Process {process} starts", process=process)
        case "crash":
            first = tr("Process {process} crashes", process=process)
        case "command":
            first = tr("Process {process} gets the command {label}", process=process, label=label)
        case _:
            first = title(choice, word)
    rest = []
    if choice.after and choice.after != choice.before:
        rest.append(tr("then it {predicate}", predicate=predicate(choice.after)))
    if choice.sends and choice.kind != "crash":
        rest.append(_sends(choice.sends, word))
    return first, (": " + ", ".join(rest) if rest else "") + "."
