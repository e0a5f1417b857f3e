"""Joining a layer, and links that come up."""

from lydian import on

from .member import Member
from .messages import ASLEEP, AWAKE, LinkDown, LinkFree, LinkKo, LinkOk, LinkReq, LinkUp, Retry, Subscribe
from .properties import difference


class Joining(Member):
    """Joining a layer, and links that come up."""

    @on(ASLEEP, Subscribe)
    def begin_and_subscribe(self, m):
        """It wakes, and joins the layer.

        always:
        """
        self.begin()
        self.subscribe(m)

    @on(AWAKE, Subscribe)
    def subscribe(self, m):
        """It wants to join the layer, and asks its neighbours for links; if it was about to leave, it stays.

        sends LinkReq: It is not in the layer of this topic, so it asks its neighbours for links there.
        changes topics_of: It has no neighbours to ask, so it is alone in the layer.
        changes joining: Before it joins, it must hear from all neighbours, and leave the layer completely.
        changes going: It no longer wants to leave this layer.
        otherwise: It is in this layer already or about to join it, or there is no such topic.
        """
        t = m.topic
        self.going.discard(t)
        if 1 <= t <= self.topics and t not in self.topics_of | self.joining:
            self.joining.add(t)
            self.forming[t] = set(self.neighbours)
            self.ask_neighbours(t)
            self.look(t)

    def ask_neighbours(self, t):
        """Ask all neighbours once it knows the members of the layer and all know that it is not in it."""
        if not self.unknown[t] and t not in self.leaving:
            self.ask(t)
            self.settle(t)

    def ask(self, t):
        self.answers[t] = {}
        self.asked[t] = self.forming[t] | (set(self.N[t]) if self.mode == "safe" else set())
        for q in self.neighbours:
            if q in self.asked[t]:
                self.send(LinkReq(t), to=q)

    @on(AWAKE, LinkReq)
    def agree(self, m, q):
        """Another process requests a link: it replies with its val, after its turn, and keeps it until that is settled.

        sends LinkOk: It is in this layer, so it agrees, and keeps its val there until {peer} has decided.
        changes deferred: It is privileged in this layer at present, so it will answer {peer} after its turn.
        sends LinkKo(again=no): It is not in this layer, so it refuses.
        sends LinkKo: It cannot agree now: it is joining or leaving this layer, or requesting its first links.
        """
        t = m.topic
        if t in self.holding:
            self.deferred[t].append(q)
        elif t not in self.topics_of or (self.N[t] and t in self.going) or (self.asked[t] and not self.N[t]):
            self.send(LinkKo(t, t in self.topics_of | self.joining), to=q)
        else:
            self.frozen[t].add(q)
            self.send(LinkOk(t, self.val[t], self.lid[t], tuple(self.N[t])), to=q)
            self.look(t)

    def answer_deferred(self, t):
        waiting, self.deferred[t] = self.deferred[t], []
        for q in waiting:
            self.agree(LinkReq(t), q)

    @on(AWAKE, LinkOk)
    def accepted(self, m, q):
        """A neighbour agrees and waits; after the last answer it decides which links come up.

        changes asked and sends nothing: Process {peer} agrees and waits; other answers are still missing.
        changes going: It waited only for this answer, so it can leave the layer now, as it wanted to.
        changes joining and sends LinkUp: With the last answer it chooses its val, and enters the layer.
        sends LinkUp: With the last answer it gains at least one link in this layer.
        changes asked and sets Retry: With the last answer no new link can come up, so it will ask again later.
        changes asked: That was the last answer, and no new link comes up.
        otherwise: It was not waiting for this answer, so it informs {peer} that no link comes up.
        """
        if q not in self.asked[m.topic]:
            self.send(LinkFree(m.topic), to=q)
            return
        self.asked[m.topic].discard(q)
        self.answers[m.topic][q] = (m.val, m.lid, m.near)
        self.settle(m.topic)
        self.look(m.topic)

    @on(AWAKE, LinkKo)
    def refused(self, m, q):
        """A neighbour refuses a link, at least for now; after the last answer it decides which links come up.

        changes going: It waited only for this answer, so it can leave the layer now, as it wanted to.
        changes joining and sends LinkUp: With the last answer it chooses its val, and enters the layer.
        changes joining: That was the last answer, and no link comes up, so it enters the layer alone.
        sends LinkUp: With the last answer it gains at least one link in this layer.
        sets Retry: That was the last answer; it still lacks links in this layer, so it will ask again later.
        changes asked and says again=no: Process {peer} is not in this layer, so it gives up the link to {peer}.
        changes asked: Process {peer} cannot agree for now, but may later.
        otherwise: It was not waiting for this answer.
        """
        if q in self.asked[m.topic]:
            self.asked[m.topic].discard(q)
            if not m.again:
                self.forming[m.topic].discard(q)
            self.settle(m.topic)
            self.look(m.topic)

    def settle(self, t):
        if self.asked[t]:
            return
        answers, via = self.answers[t], [x for x in self.N[t] if x in self.answers[t]]
        yes = [q for q in self.neighbours if q in self.forming[t] and q in answers]
        if yes and (t in self.joining or not (self.N[t] or self.frozen[t])):
            via = self.choose(t, yes)
        elif t in self.joining:  # as far as it can see, it is the first in the layer
            self.val[t], self.lid[t] = 0, 1
        if t in self.joining:
            self.joining.discard(t)
            self.topics_of.add(t)
            self.ever.add(t)
            self.joins += 1
        up = [q for q in yes if self.fits(t, q, via)]
        for q in self.neighbours:
            if q in up:
                self.send(LinkUp(t, self.val[t], self.lid[t]), to=q)
                self.tie(t, q, *answers[q][:2])
            elif q in answers:
                self.send(LinkFree(t), to=q)
        self.answers[t] = {}
        self.later(t)

    def choose(self, t, points):
        """Return val and lid of a newcomer, and the point that makes its other links safe."""
        answers = self.answers[t]
        values = {answers[q][0] for q in points}
        lids = {answers[q][1] for q in points}
        between = [lid for lid in range(min(lids) + 1, max(lids)) if lid not in lids]
        three = self.mode == "paper" and len(values) == 3
        self.lid[t] = between[0] if between and not three else max(lids) + 1
        if self.mode == "heights":
            self.val[t] = max(values) + 1
        elif self.mode == "safe":
            best, most = points[0], 0
            for x in points:
                self.val[t] = (answers[x][0] + 1) % 3
                links = sum(self.fits(t, q, [x]) for q in points)
                if links > most:
                    best, most = x, links
            self.val[t] = (answers[best][0] + 1) % 3
            return [best]
        elif len(values) == 1:
            self.val[t] = (min(values) + 1) % 3
        else:
            self.val[t] = min(values) if len(values) == 2 else 0
        return []

    def fits(self, t, q, via):
        """Return whether the link to q may come up; in safe mode a common neighbour must show that it is safe."""
        val, lid, near = self.answers[t][q]
        if lid == self.lid[t]:
            return False
        if self.mode != "safe" or q in via:
            return True
        d = {x: self.answers[t][x][0] for x in via if x in near}
        return any(abs(difference(self.val[t], d[x]) + difference(d[x], val)) <= 1 for x in d)

    def tie(self, t, q, val, lid):
        self.N[t].append(q)
        self.cv[t, q], self.cl[t, q], self.old[t, q] = val, lid, {item for item in self.seen if item[0] == t}
        self.forming[t].discard(q)
        self.changes[t] += 1

    def later(self, t):
        if self.forming[t] and not (self.duty and self.turns[t] >= self.duty):
            self.set_timer(Retry(t), after=self.retry * (0.5 + self.random.random()))

    @on(AWAKE, Retry)
    def again(self, m):
        """It repeats requests for forming links, unless it is privileged or does not know its neighbours.

        sends LinkReq: Some links that it wants in this layer are missing, so it requests them.
        sets Retry: It is privileged in this layer, or waits for other processes, so it will ask later.
        otherwise: No link of this layer is forming, or it is off duty there, so it sends no request.
        """
        t = m.topic
        waits = self.unknown[t] or self.asked[t] or t in self.holding
        if self.forming[t] and t in self.topics_of and not waits:
            self.ask(t)
            self.look(t)
        else:
            self.later(t)

    @on(AWAKE, LinkUp)
    def gain(self, m, q):
        """A link of a layer is up.

        changes going: It waited only for {peer} to decide, so it can leave the layer now, as it wanted to.
        sets Hold: The link to {peer} is up, and all its links in this layer lead to it, so it is privileged there.
        changes frozen: The link to {peer} in this layer is up, as it agreed.
        sends LinkDown: It has not agreed to this link, or no longer agrees, so it takes the link down.
        """
        t = m.topic
        if q in self.frozen[t]:
            self.frozen[t].discard(q)
            if q not in self.N[t]:
                self.tie(t, q, m.val, m.lid)
            self.look(t)
        else:
            self.send(LinkDown(t), to=q)

    @on(AWAKE, LinkFree)
    def thaw(self, m, q):
        """The link does not come up for now, and val may change again; a process alone in the layer asks in its turn.

        changes going: It waited only for {peer} to decide, so it can leave the layer now, as it wanted to.
        sets Retry: No link to {peer} comes up for now, but it has no other in this layer, so it will request it.
        sets Hold: No new link to {peer} comes up, and all its links in this layer lead to it, so it is privileged.
        changes frozen: No new link to {peer} comes up for now, so it need not keep its val for {peer} any longer.
        otherwise: It did not keep its val for {peer}, so nothing changes.
        """
        t = m.topic
        if q in self.frozen[t]:
            self.frozen[t].discard(q)
            if not self.N[t]:
                self.forming[t].add(q)
                self.later(t)
            self.look(t)
