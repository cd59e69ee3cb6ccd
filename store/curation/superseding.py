"""Facts that take the place of others: the old one stays to be read, and no session is told it."""

from __future__ import annotations

import json
from typing import Any

from ..database.journal import Journal
from ..platform.clock import now_ms
from ..platform.errors import InvalidRecordError
from ..platform.translation import N_, _
from ..records.dataclasses import dataclass
from ..records.kinds import ref
from ..records.rows import Fact, Session, Speaker
from ..search.listing.teammates import Teammates
from ..tables.base import read_object
from ..tables.facts import Facts

REPLACES = "replaces"
"""The key of a fact's `extra` that holds the uid of the fact that it takes the place of once the user has
accepted it."""


@dataclass(frozen=True, slots=True)
class Supersession:
    """A fact and the one that supersedes it, as they are then; `is_new` is whether that was changed."""

    old: Fact
    new: Fact
    is_new: bool


@dataclass(frozen=True, slots=True)
class Pointers:
    """What a fact is superseded by, and what it supersedes itself. `by` is None for nothing, or a fact
    that is not in this memory (any more): `is_superseded` tells which."""

    is_superseded: bool
    by: Fact | None
    supersedes: tuple[Fact, ...]

    @property
    def successor(self) -> str:
        """How the fact that supersedes it is told: `f12 We use pnpm`; what is hidden without its words,
        "" for none."""
        if self.by is None:
            return _("a fact that is not here any more") if self.is_superseded else ""
        if self.by.private:
            return _("{fact} (hidden)", fact=_name(self.by))
        result = f"{_name(self.by)} {self.by.content}"
        return _("{fact} (deleted)", fact=result) if self.by.deleted_at else result

    @property
    def predecessors(self) -> tuple[str, ...]:
        """How the facts that it supersedes are told."""
        return tuple(f"{_name(fact)} {fact.content}" for fact in self.supersedes)


class Superseding:
    """Has facts supersede others, each call as one undo."""

    def __init__(self, journal: Journal, facts: Facts) -> None:
        self.journal = journal
        self.facts = facts

    def supersede(self, old: Fact, new: Fact) -> Supersession:
        """Have a fact be superseded by another one. InvalidRecordError says why it can't be."""
        with self.journal.transaction:
            self.check(old, new)
            if old.superseded_by == new.uid:
                return Supersession(old, new, is_new=False)
            Teammates(self.journal.db).check_writable([ref("fact", old.id)])
            self.journal.transaction.check_person(
                N_("The user decides which fact holds (`[memory] review`): report the old one as wrong.")
            )
            what = _("fact {old} superseded by {new}", old=_name(old), new=_name(new))
            with self.journal.recording(what):
                self.facts.write_columns([old.id], {"superseded_by": new.uid})
            return Supersession(self.facts.get(old.id), new, is_new=True)

    def supersede_by_text(
        self, old: Fact, text: str, session: Session | None = None, speaker: Speaker | None = None
    ) -> Supersession:
        """Have a fact be superseded by what a `speaker` says in a session: a new fact of the kind and
        project of the old one, or the fact that says so already. Where the user reviews what agents write,
        that is once the new one is accepted."""
        with self.journal.transaction, self.journal.recording() as recorder:
            self.check(old, None)
            started = now_ms()
            content: dict[str, Any] = {"session": session, "speaker": speaker}
            new = self.facts.add(text, kind=old.kind, project=old.project, **content)
            if self.journal.transaction.is_reviewed:
                if new.created_at < started:
                    raise InvalidRecordError(
                        "{fact} says that already. Tell the user, who decides.", fact=_name(new)
                    )
                extra = json.dumps(read_object(new.extra) | {REPLACES: old.uid}, ensure_ascii=False)
                self.facts.write_columns([new.id], {"extra": extra})
                recorder.what = _("fact {new} added", new=_name(new))
                return Supersession(old, new, is_new=False)
            done = self.supersede(old, new)
            recorder.what = _("fact {old} superseded by {new}", old=_name(old), new=_name(new))
            return done

    def pointers(self, fact: Fact) -> Pointers:
        """Return what a fact is superseded by, and what it supersedes."""
        by = self.facts.successor(fact)
        return Pointers(fact.superseded_by is not None, by, tuple(self.facts.superseded(fact)))

    def reinstate(self, old: Fact) -> Fact:
        """Have a fact hold again; as it is where nothing superseded it."""
        with self.journal.transaction:
            if old.superseded_by is None:
                return old
            self.journal.transaction.check_person()
            with self.journal.recording(_("fact {ref} reinstated", ref=_name(old))):
                self.facts.write_columns([old.id], {"superseded_by": None})
            return self.facts.get(old.id)

    def check(self, old: Fact, new: Fact | None) -> None:
        """Raise InvalidRecordError where a fact can't be superseded by another one, or, with None, by one
        that is yet to be stated."""
        if old.deleted_at is not None:
            raise InvalidRecordError(
                "Fact {old} is deleted, so nothing has to supersede it. To have it back: mem restore {old}",
                old=_name(old),
            )
        if new is None:
            return
        if new.uid == old.uid:
            raise InvalidRecordError(
                "Fact {old} can't supersede itself. Name the fact that holds in its place.", old=_name(old)
            )
        if new.deleted_at is not None:
            raise InvalidRecordError(
                "Fact {new} is deleted and can't supersede {old}. Restore it first: mem restore {new}",
                new=_name(new),
                old=_name(old),
            )
        if new.private:
            raise InvalidRecordError(
                "Fact {new} is hidden and can't supersede {old}: no session would be told "
                "either. Show it first: mem private --off {new}",
                new=_name(new),
                old=_name(old),
            )
        if self.facts.leads_to(new, old):
            raise InvalidRecordError(
                "Fact {old} supersedes {new} already, so {new} can't supersede it. To take "
                "that back: mem fact reinstate {new}",
                old=_name(old),
                new=_name(new),
            )


def _name(fact: Fact) -> str:
    return ref("fact", fact.id)
