"""Memories that wait for their user's word, because an agent or a model wrote them: accepted, reworded or
refused. Until then agents are told nothing of them (`TOLD` of `memtui.store.records.kinds`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from ..platform.clock import now_ms
from ..platform.errors import InvalidRecordError
from ..platform.translation import _
from ..records.dataclasses import dataclass
from ..records.kinds import REVIEWED, VISIBLE, WRITTEN_BY, kind_of, ref_of
from ..records.rows import Common, Fact
from ..tables.base import Table, read_object
from ..text.plural import count_noun
from .superseding import REPLACES

if TYPE_CHECKING:
    from .editing import AnyRecord, Editing
    from .superseding import Superseding

Verdict = Literal["accepted", "kept out", "disputed"]
"""What is said of a memory that waits, or that a teammate shared."""
WORDED = {"fact": "content", "observation": "title", "summary": "learned", "note": "text"}
"""Of each of `REVIEWED` the field that other words are put into."""
WAITING = f"unreviewed = 1 AND {VISIBLE}"


@dataclass(frozen=True, slots=True)
class Review:
    """A memory on which somebody's word is asked: its ref, what it says, whose it is, what was said of
    it ("" for nothing), and the disputes of all, "NAME: reply" each."""

    id: str
    uid: str
    title: str
    project: str
    author: str
    verdict: str = ""
    disputes: tuple[str, ...] = ()
    kind: str = ""
    """The letter of a fact's kind, else a type or a kind."""
    why: str = ""


class Reviewing:
    """What waits for its user's word, each call as one undo."""

    def __init__(
        self, tables: Mapping[str, Table[Any]], superseding: Superseding, editing: Editing
    ) -> None:
        self.tables = tables
        self.superseding = superseding
        self.editing = editing
        self.journal = editing.journal

    def wait(self, record: Common) -> None:
        """Have a record wait that a model wrote. Inside a transaction."""
        self.tables[kind_of(record)].write_columns([record.id], {"unreviewed": 1})

    def waiting(self) -> list[Review]:
        """Return what waits, the newest first of each kind."""
        order = "ORDER BY created_at DESC, id DESC"
        records = [row for kind in REVIEWED for row in self.tables[kind].where(f"{WAITING} {order}")]
        # A summary's brief level goes with the detailed one.
        return [_review(record) for record in records if getattr(record, "level", "") != "brief"]

    def is_waiting(self, record: Common) -> bool:
        """Return whether a record waits."""
        kind = kind_of(record)
        return kind in REVIEWED and bool(self.tables[kind].where(f"id = ? AND {WAITING}", (record.id,)))

    def say(self, records: Sequence[Common], verdict: Verdict) -> int:
        """Accept records that wait, or keep them out: these are deleted. Return how many there are.
        InvalidRecordError where one doesn't wait."""
        for record in records:
            if not self.is_waiting(record):
                raise InvalidRecordError(
                    "{ref} doesn't wait for your word; `mem review` lists what does.", ref=ref_of(record)
                )
        what = ref_of(records[0]) if len(records) == 1 else count_noun(len(records), "memories")
        with self.journal.recording(_("{memories} {done}", memories=what, done=_(verdict))):
            for record in records:
                table = self.tables[kind_of(record)]
                is_accepted = verdict == "accepted"
                values = {"unreviewed": 0} if is_accepted else {"deleted_at": now_ms()}
                table.write_columns(table.whole([record.id]), values)
                if is_accepted and isinstance(record, Fact):
                    self._replace(record)
        return len(records)

    def reword(self, record: AnyRecord, text: str) -> None:
        """Put what a record that waits says into other words, and accept it."""
        with self.journal.recording(
            _("{memories} {done}", memories=ref_of(record), done=_("reworded and accepted"))
        ):
            self.say([self.editing.edit(record, {WORDED.get(kind_of(record), "text"): text})], "accepted")

    def _replace(self, fact: Fact) -> None:
        facts, uid = self.tables["fact"], read_object(fact.extra).get(REPLACES)
        for old in facts.where(f"uid = ? AND superseded_by IS NULL AND {VISIBLE}", (str(uid),)):
            self.superseding.supersede(old, facts.get(fact.id))


def _review(record: Any) -> Review:
    extra = read_object(record.extra)
    kind = kind_of(record)
    names = {"note": ("text",), "summary": ("request", "learned", "completed", "text")}
    texts = (getattr(record, name, None) for name in names.get(kind, ("content", "title", "narrative")))
    return Review(
        ref_of(record),
        record.uid,
        next(filter(None, texts), ""),
        record.project,
        str(extra.get(WRITTEN_BY) or extra.get("observer") or ""),
        kind=getattr(record, "kind" if kind == "fact" else "type", kind),
        why=(getattr(record, "narrative", None) or "") if kind == "observation" else "",
    )
