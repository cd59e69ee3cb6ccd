"""A meeting of two stores over a pair of byte streams, in JSON lines.

One side begins, the other answers, and only one of them speaks at a time:

1. who I am, what time it is here, and the name of our last meeting that I finished;
2. where both name the same meeting, what changed since; else the digests of all rows, and then lists of
   the rows of ranges that differ;
3. my rows, and a verdict on them; then yours;
4. the name of this meeting, which both note only now.

So a kill at any byte, or a store that was put back to an earlier day, has the next meeting compare digests.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from ...database.recording import host_name
from ...platform.clock import DAY_MS, now_ms, uuid7
from ...platform.errors import StoreError
from ...platform.translation import _
from ...platform.version import own_version
from ...store import Store
from ...text import clean
from .channel import (
    LONGEST,
    MAGIC,
    NONSENSE,
    TOO_LONG,
    Channel,
    Outcome,
    Refusal,
    SyncError,
    Wishes,
    counts_of,
    encoded,
    object_of,
    refusal_of,
    text_of,
)
from .machines import Machines, Peer
from .receiving import BATCH, Receiver
from .rows import ORDER, VERSIONS_OF, Bucket, Digest, Line, RowState, Version, place_of

VERSIONS = (1,)
"""The versions of the exchange that this program speaks."""

BATCH_BYTES = 4 * 1024 * 1024
"""Bytes of rows that are stored in one transaction, but for the last of them."""
LISTED = 2_000
"""So many rows are named in one line of a listing."""


def begin(store: Store, channel: Channel, wishes: Wishes | None = None) -> Outcome:
    """Meet the store at the other end, as the side that asked for it. Raises SyncError."""
    side = _Side(store, channel, wishes or Wishes())
    channel.send(side.hello())
    theirs = channel.receive_first()
    side.greet(theirs)
    mode = side.mode(theirs)
    channel.send({"mode": mode, "meeting": side.peer.meeting})
    side.compare(mode, first=True)
    if side.is_dry:
        side.outcome.given.counts = side.counts()
        channel.send(side.outcome.given.counts)
        side.outcome.taken.counts.update(counts_of(channel.receive()))
        return side.outcome
    if side.gives:
        side.give()
    if side.takes:
        side.take()
    meeting = uuid7(now_ms())
    channel.send({"end": meeting})
    if channel.receive() != {"end": meeting}:
        raise SyncError("The other side did not confirm the end; the next sync compares everything.")
    side.finish(meeting)
    return side.outcome


def answer(store: Store, channel: Channel) -> Outcome:
    """Meet the store that calls, until it is done. Raises SyncError, which it is told too."""
    side = _Side(store, channel, Wishes())
    try:
        theirs = channel.receive_first()
        side.greet(theirs)
        channel.send(side.hello())
        side.compare(str(object_of(channel.receive()).get("mode")), first=False)
        if side.is_dry:
            counts_of(channel.receive())
            channel.send(side.counts())
            return side.outcome
        if side.takes:
            side.take()
        if side.gives:
            side.give()
        end = object_of(channel.receive())
        side.finish(text_of(end.get("end")))
        channel.send(end)
    except SyncError:
        raise
    except StoreError as error:
        channel.send({"error": _("There: {error}", error=error)})
        raise
    return side.outcome


class _Side:
    """One side of a meeting."""

    peer: Peer

    def __init__(self, store: Store, channel: Channel, wishes: Wishes) -> None:
        self.store = store
        self.channel = channel
        self.wishes = wishes
        self.machines = Machines(store)
        self.state = RowState(store)
        self.outcome = Outcome()
        self.keys: dict[str, set[str]] = {}
        """What names the rows to give, by table, beside the buckets that only this side has."""
        self.missing: dict[str, set[str]] = {}
        """Rows that only the other side lists: they may be hidden here, or gone."""
        self.head = 0
        self.gives = wishes.gives
        self.takes = wishes.takes
        self.is_dry = wishes.dry_run
        self.wants_digests = wishes.verify
        self.by_digests = False
        self.has_given = False

    def hello(self) -> dict[str, Any]:
        known = getattr(self, "peer", None)
        return {
            MAGIC: list(VERSIONS),
            "program": own_version(),
            "machine": self.store.machine_id,
            "name": host_name(),
            "now": now_ms(),
            "meeting": known.meeting if known else None,
            "needs": self.needs_digests,
            "gives": self.wishes.gives,
            "takes": self.wishes.takes,
            "verify": self.wishes.verify,
            "dry_run": self.wishes.dry_run,
            "rows": True,
        }

    def greet(self, theirs: dict[str, Any]) -> None:
        """Take in who the other side is, and refuse what can't go well."""
        spoken = theirs.get(MAGIC)
        if not isinstance(spoken, list) or not set(spoken) & set(VERSIONS):
            raise self._refusal(
                _(
                    "Here versions {ours} of the exchange are spoken, there {theirs}: bring the "
                    "older memtui up to date (here {own_program}, there {their_program}).",
                    ours=", ".join(map(str, VERSIONS)),
                    theirs=", ".join(map(str, spoken)) if isinstance(spoken, list) else "none",
                    own_program=own_version(),
                    their_program=theirs.get("program"),
                )
            )
        machine, now = text_of(theirs.get("machine")), theirs.get("now")
        name = clean(str(theirs.get("name")))[:80]
        if not isinstance(now, int):
            raise SyncError(NONSENSE)
        if machine == self.store.machine_id:
            raise self._refusal(
                _(
                    "Both stores call themselves the same machine: one is a copy of the other. Move "
                    "what only one of them has by `mem export jsonl` and `mem import`, and begin "
                    "again with the other."
                )
            )
        self.outcome.machine = machine
        ahead_ms = now - now_ms()
        if abs(ahead_ms) > DAY_MS:
            days = f"{abs(ahead_ms) / DAY_MS:,.0f}"
            names = (name, host_name())
            ahead, behind = names if ahead_ms > 0 else names[::-1]
            raise self._refusal(
                _(
                    "The clock of {ahead} is {days} days ahead of that of {behind}. The later of two "
                    "versions wins, so nothing was exchanged: set the clock that is wrong.",
                    ahead=ahead,
                    behind=behind,
                    days=days,
                )
            )
        self.gives = self.gives and bool(theirs.get("takes", True))
        self.takes = self.takes and bool(theirs.get("gives", True))
        self.wants_digests = self.wants_digests or bool(theirs.get("verify"))
        self.is_dry = self.is_dry or bool(theirs.get("dry_run"))
        if self.wants_digests and theirs.get("rows") is True:
            self.state.compare_rows()
        known = self.machines.peer(machine)
        if known is None and self.is_dry:
            known = Peer(machine, name, 0, None, -1)
        self.peer = known or self.machines.meet(machine, name)

    def mode(self, theirs: dict[str, Any]) -> str:
        is_known = self.peer.meeting is not None and theirs.get("meeting") == self.peer.meeting
        needs = self.wants_digests or self.needs_digests or theirs.get("needs")
        return "changes" if is_known and not needs else "digests"

    @property
    def needs_digests(self) -> bool:
        """Whether the other side was never given what was here before the two met."""
        known: Peer | None = getattr(self, "peer", None)
        return known is not None and self.gives and known.sent < 0

    def compare(self, mode: str, *, first: bool) -> None:
        """Find out what to give."""
        self.head = self.state.head()
        self.by_digests = mode == "digests"
        if not self.by_digests:
            return
        mine = self.state.digests()
        theirs = self._swap_digests(mine, first=first)
        differing = [
            bucket
            for bucket in sorted({*mine, *theirs}, key=place_of)
            if mine.get(bucket) != theirs.get(bucket)
        ]
        self.outcome.differing = len(differing)
        both = [bucket for bucket in differing if bucket in mine and bucket in theirs]
        only = [bucket for bucket in differing if bucket not in theirs]
        if first:
            listed = self._send_listings(both)
            known = self._receive_listings()
        else:
            known = self._receive_listings()
            listed = self._send_listings(both)
        for kind, rows in listed.items():
            for key, (mark, handle) in rows.items():
                other = known.get(kind, {}).get(key)
                # Of one version that says different things both sides are looked at.
                is_later = kind in VERSIONS_OF or other is None or mark[:2] >= other[:2]
                if mark != other and is_later:
                    self.keys.setdefault(kind, set()).add(handle)
        self.missing = {
            kind: marks.keys() - listed.get(kind, {}).keys()
            for kind, marks in known.items()
            if kind not in VERSIONS_OF
        }
        self.state.note_buckets(only)

    def _swap_digests(self, mine: dict[Bucket, Digest], *, first: bool) -> dict[Bucket, Digest]:
        if first:
            self.channel.send(mine)
            theirs = self.channel.receive()
        else:
            theirs = self.channel.receive()
            self.channel.send(mine)
        if not all(isinstance(pair, list) and len(pair) == 2 for pair in object_of(theirs).values()):
            raise SyncError(NONSENSE)
        return {bucket: Digest(*digest) for bucket, digest in theirs.items()}

    def _send_listings(self, buckets: list[Bucket]) -> dict[str, dict[str, tuple[Version, str]]]:
        listed: dict[str, dict[str, tuple[Version, str]]] = {}
        for bucket in buckets:
            rows = self.state.listing(bucket)
            kind = bucket.split(" ", 1)[0]
            listed.setdefault(kind, {}).update(rows)
            named = [(key, mark) for key, (mark, _) in rows.items()]
            for start in range(0, len(named), LISTED):
                self.channel.send([kind, named[start : start + LISTED]], flush=False)
        self.channel.send(None)
        return listed

    def _receive_listings(self) -> dict[str, dict[str, Version]]:
        known: dict[str, dict[str, Version]] = {}
        while (message := self.channel.receive()) is not None:
            if not _is_listing(message):
                raise SyncError(NONSENSE)
            kind, named = message
            known.setdefault(kind, {}).update(named)
        return known

    def counts(self) -> Counter[str]:
        """Return how many rows would be given, by table."""
        return Counter(str(line["table"]) for line in self._lines()) if self.gives else Counter()

    def _lines(self) -> Iterator[Line]:
        """Yield the rows to be given, those first that others name."""
        keys = self.keys
        if not self.by_digests:
            marked = self.state.marked(self.peer.machine, self.peer.sent, self.head)
            keys = {kind: {*keys.get(kind, ()), *marked.get(kind, ())} for kind in ORDER}
        for kind in ORDER:
            yield from self.state.lines(kind, sorted(keys.get(kind, ())))
            missing = self.state.lines(kind, sorted(self.missing.get(kind, ())), is_known_there=True)
            # What is whole here by now came just before, from there.
            yield from (line for line in missing if "gone" in line)
            if self.by_digests:
                for handles in self.state.noted(kind):
                    yield from self.state.lines(kind, handles)

    def give(self) -> None:
        """Send rows, and take in what became of them."""
        given = self.outcome.given
        for line in self._lines():
            data = encoded(line)
            if len(data) < LONGEST:
                self.channel.send_line(data, flush=False)
            else:
                given.refused.append(refusal_of(line, TOO_LONG))
        self.has_given = True
        self.channel.send(None)
        message = object_of(self.channel.receive())
        given.counts.update(counts_of(message.get("verdicts")))
        given.conflicts = counts_of({"": message.get("conflicts")})[""]
        refused = message.get("refused")
        if not isinstance(refused, list) or not all(
            isinstance(item, list) and len(item) == 3 for item in refused
        ):
            raise SyncError(NONSENSE)
        given.refused += [Refusal(*(clean(str(text)) for text in item)) for item in refused]

    def take(self) -> None:
        """Store the rows that the other side sends, and tell it what became of them."""
        receiver = Receiver(self.store, self.peer.machine)
        for batch in self._batches():
            receiver.store_batch(batch)
        verdicts = receiver.verdicts
        self.outcome.taken = verdicts
        with self.store.transaction():
            for kind, keys in verdicts.owed.items():
                self._owe(kind, keys)
        self.channel.send(
            {
                "verdicts": verdicts.counts,
                "refused": verdicts.refused,
                "conflicts": verdicts.conflicts,
            }
        )

    def _batches(self) -> Iterator[list[Line]]:
        batch: list[Line] = []
        before = self.channel.received_bytes
        for line in iter(self.channel.receive, None):
            batch.append(line)
            if len(batch) == BATCH or self.channel.received_bytes - before > BATCH_BYTES:
                yield batch
                batch, before = [], self.channel.received_bytes
        if batch:
            yield batch

    def _owe(self, kind: str, keys: set[str]) -> None:
        """Have the newer version of rows that came in go back: now, if this side is still to give."""
        if not self.has_given:
            self.keys.setdefault(kind, set()).update(keys)
            return
        known = json.dumps(sorted(keys))
        self.store.db.execute(
            "INSERT INTO unsynced_rows (kind, key, was_sent) "
            "SELECT ?1, value, 1 FROM json_each(?2) WHERE true ON CONFLICT DO NOTHING",
            (kind, known),
        )
        self.store.db.execute(
            "UPDATE unsynced_rows SET came_from = NULL, was_sent = 1 WHERE kind = ?1 "
            "AND came_from = ?3 AND key IN (SELECT value FROM json_each(?2))",
            (kind, known, self.peer.machine),
        )

    def finish(self, meeting: str) -> None:
        self.machines.finish(self.peer.machine, meeting, self.head if self.gives else None)
        if self.gives:
            self.machines.note_refused(self.peer.machine, self.outcome.given.refused)

    def _refusal(self, sentence: str) -> SyncError:
        self.channel.send({MAGIC: [], "error": sentence})
        return SyncError(sentence)


def _is_listing(message: object) -> bool:
    """Whether a message is a table with the names and versions of rows."""
    match message:
        case [str(kind), list(named)] if kind in VERSIONS_OF:
            return all(isinstance(it, list) and len(it) == 2 and isinstance(it[0], str) for it in named)
        case [str(), list(named)]:
            return all(map(_is_versioned, named))
    return False


def _is_versioned(item: object) -> bool:
    match item:
        case [str(), [int(), str()]] | [str(), [int(), str(), int()]]:
            return True
    return False
