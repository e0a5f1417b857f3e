"""Plans of simple protocols from which a new one can begin; each can be run as it is."""

from __future__ import annotations

from dataclasses import dataclass

from lydian.authoring.plan import CellEffect, ProtocolPlan, Sending
from lydian.authoring.skeleton import EventPlan
from lydian.language import tr, trc
from lydian.model.source.outline import Field

__all__ = ["STARTERS", "Starter"]


@dataclass(frozen=True)
class Starter:
    """A plan to begin with, its title for a button, and its description in a sentence."""

    title: str
    help: str
    plan: ProtocolPlan


STARTERS: dict[str, Starter] = {
    "broadcast": Starter(
        tr("Broadcast"),
        tr("One process has news; each process passes it on when it first receives it."),
        ProtocolPlan(
            "Broadcast1",
            "each process passes the news on when it first receives it",
            ("idle", "informed"),
            (EventPlan("News", doc="The news that is passed on."),),
            deeds={
                ("idle", "INIT"): CellEffect(function="start", then="informed", sends=(Sending("News"),)),
                ("idle", "News"): CellEffect(function="hear", then="informed", sends=(Sending("News", "others"),)),
                ("informed", "News"): CellEffect("ignore"),
            },
            needs=("connected", "one_initiator"),
            formula="2*m - n + 1",
            properties=(("terminates", {"states": ["informed"]}),),
        ),
    ),
    "request": Starter(
        tr("Request/reply"),
        tr("A client asks its neighbours, and each of them answers."),
        ProtocolPlan(
            "Request1",
            "a client asks its neighbours and each of them answers",
            ("idle", "waiting", "served"),
            (EventPlan("Request", doc="The client's question."), EventPlan("Reply", doc="The answer to the client.")),
            deeds={
                ("idle", "INIT"): CellEffect(function="ask", then="waiting", sends=(Sending("Request"),)),
                ("idle", "Request"): CellEffect(function="answer", sends=(Sending("Reply", "sender"),)),
                ("waiting", "Request"): CellEffect(function="answer", sends=(Sending("Reply", "sender"),)),
                ("served", "Request"): CellEffect(function="answer", sends=(Sending("Reply", "sender"),)),
                ("idle", "Reply"): CellEffect("impossible"),
                ("waiting", "Reply"): CellEffect(function="got", then="served"),
                ("served", "Reply"): CellEffect("ignore"),
            },
            needs=("connected", "two_way", "some_initiator"),
            properties=(("silent", {}),),
        ),
    ),
    "token": Starter(
        tr("Token"),
        tr("A token travels round a ring once; the process that has it may act."),
        ProtocolPlan(
            "Token1",
            "a token travels round the ring once",
            ("waiting", "visited"),
            (EventPlan("Token", doc="The permission to act."),),
            deeds={
                ("waiting", "INIT"): CellEffect(function="send_off", then="visited", sends=(Sending("Token", "one"),)),
                ("waiting", "Token"): CellEffect(
                    function="pass_on", then="visited", sends=(Sending("Token", "others"),)
                ),
                ("visited", "Token"): CellEffect(function="back_again", lines=('self.decide("the token is back")',)),
            },
            needs=("ring", "two_way", "one_initiator"),
            formula="n",
            properties=(("terminates", {"states": ["visited"]}),),
        ),
    ),
    "heartbeat": Starter(
        tr("Heartbeat"),
        tr("Each process regularly tells its neighbours that it is alive."),
        ProtocolPlan(
            "Heartbeat1",
            "each process tells its neighbours five times that it is alive",
            ("asleep", "alive"),
            (EventPlan("Alive", doc="The sender is alive."),),
            (EventPlan("Beat", doc="It is time for the next heartbeat."),),
            deeds={
                ("asleep", "INIT"): CellEffect(
                    function="begin", then="alive", sends=(Sending("Alive"), Sending("Beat", after=1.0))
                ),
                ("asleep", "Alive"): CellEffect(
                    function="wake_up", then="alive", sends=(Sending("Alive"), Sending("Beat", after=1.0))
                ),
                ("asleep", "Beat"): CellEffect("impossible"),
                ("alive", "Alive"): CellEffect(function="hear", lines=("self.heard += 1",)),
                ("alive", "Beat"): CellEffect(
                    function="beat",
                    lines=(
                        "self.beats += 1",
                        "if self.beats < 5:",
                        "    for r in self.neighbours:",
                        "        self.send(Alive(), to=r)",
                        "    self.set_timer(Beat(), after=1.0)",
                    ),
                ),
            },
            needs=("connected", "some_initiator"),
            variables=(Field("beats", "int", "0"), Field("heard", "int", "0")),
            properties=(("terminates", {"states": ["alive"]}),),
        ),
    ),
    "empty": Starter(
        trc("a protocol to begin with", "Empty"),
        tr("Two states and no messages, to which you add the rest."),
        ProtocolPlan(
            "Protocol1",
            "",
            ("idle", "done"),
            deeds={("idle", "INIT"): CellEffect(function="start", then="done")},
            needs=("connected",),
        ),
    ),
}
