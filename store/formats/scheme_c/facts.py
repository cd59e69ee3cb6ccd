"""Import the facts of a directory: its daily lines state them, and facts.jsonl has the last word."""

from __future__ import annotations

from typing import NamedTuple

from ...platform.clock import common_columns, now_ms
from ...platform.translation import N_, _
from ...records.dataclasses import replace
from ...records.rows import FACT_KINDS, Fact, FactKind, FactSource
from ...store import Store
from ...tables.base import Values, digest, stable_uid
from ...tables.fact_sources import dump_list
from ...tables.facts import fact_key
from ...tables.removal.purge import fact_tombstone, is_purged_key
from ..common.report import Difference, Report
from ..common.upsert import EDITED, PURGED
from .directory import FACTS
from .items import LineItem

DAILY_TIMES, FACT_TIMES = ("timestamp", "created_at"), ("created_at", "timestamp", "updated_at")
MERGED = N_("one more source of a fact")
SURE, OPINION = 1.0, 0.8
"""How sure a line is that doesn't say so; scheme C's own default for opinions."""


class Cited(NamedTuple):
    """A line that a fact cites by its id: the record it became, its session, and the digest of what
    it states."""

    native_id: str
    uid: str
    session: str | None
    statement: str | None


class FactUpsert:
    """Upserts facts: one for each statement, with every line that states it as a source."""

    def __init__(self, store: Store, report: Report) -> None:
        self.store = store
        self.source = report.source
        self.project = ""
        self.report = report
        self.counts = report.of("facts")
        self.cited: dict[str, list[Cited]] = {}
        self.made: set[int] = set()
        self.new: list[int] = []
        """The numbers of facts that were made; whoever reads them empties the list."""

    def apply(self, item: LineItem) -> None:
        """Import a line that states a fact."""
        self.counts.read += 1
        kind = self.kind_of(item)
        result = self._read_source(item, kind)
        if result is None:
            return
        content, source = result
        if item.file != FACTS:
            witness = source.session or item.native_id
            source = replace(source, evidence=(source.uid,), witnesses=(witness,))
            self._upsert(item, content, kind, source)
            return
        evidence, witnesses = self._resolved(item, fact_digest(kind, content))
        source = replace(
            source,
            evidence=evidence,
            witnesses=witnesses,
            is_verdict=True,
            places=tuple(filter(None, [self._place(item)])) or source.places,
        )
        self._upsert(item, content, kind, source)

    def kind_of(self, item: LineItem, report: Report | None = None) -> FactKind:
        """Return the kind of fact that a line states; W, with a warning, where it names an unknown
        one."""
        name = "type" if item.file == FACTS else "memory_type"
        otherwise: FactKind = "O" if item.type == "preference" else "W"
        written = item.text(name)
        kind = (written or "").upper()
        if kind in FACT_KINDS:
            return kind
        if written is not None and report is None:
            item.warn(
                _(
                    "{name} is {written!r}, which is unknown; taken as {otherwise}",
                    name=name,
                    written=written[:40],
                    otherwise=otherwise,
                )
            )
        return otherwise

    def _read_source(self, item: LineItem, kind: FactKind) -> tuple[str, FactSource] | None:
        content = item.content()
        if content is None:
            item.warn(_("states a fact, but has no content; left out"))
            self.counts.skip("no content")
            return None
        is_daily = item.file != FACTS
        if not is_daily:
            item.use("evidence")
        at = item.moment(*(DAILY_TIMES if is_daily else FACT_TIMES))
        entities = tuple(item.items("entities"))
        sure = item.confidence(OPINION if kind == "O" else SURE)
        written = item.values.get("memory_type" if is_daily else "type")
        source = FactSource(
            uid=stable_uid(self.source, "facts", item.native_id),
            source=self.source,
            native_id=item.native_id,
            told_at=at,
            confidence=sure,
            entities=entities,
            places=(item.native_id,),
            session=item.session,
            deleted_at=item.deleted_at(at),
            extra=item.rest(
                type=item.type if is_daily and item.type != "fact" else None,
                kind=None if written == kind else written,
            ),
        )
        return content, source

    def _place(self, item: LineItem) -> str | None:
        """Return where a line of facts.jsonl says that the fact was stated; None for nowhere."""
        file, line = item.source.get("file"), item.source.get("line")
        if not isinstance(file, str) or not file:
            return None
        where = item.source.get("id") if line is None else line
        separator = "#" if line is None else ":"
        return f"{file}{separator}{where}" if isinstance(where, str | int) else file

    def _resolved(self, item: LineItem, digest: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return what a line cites, as uids where it was imported, and the witnesses that these
        are."""
        evidence: list[str] = []
        witnesses: list[str] = []
        file = item.source.get("file")
        for name in item.items("evidence"):
            choices = self.cited.get(name, [])
            best = min(
                choices,
                key=lambda row: (
                    row.statement != digest,
                    not (isinstance(file, str) and row.native_id.startswith(f"{file}#")),
                    row.native_id,
                ),
                default=None,
            )
            if best is None:
                item.warn(_("its evidence {name} is not in this directory", name=name[:40]))
                evidence.append(name)
                continue
            evidence.append(best.uid)
            witnesses.append(best.session or best.native_id)
        return tuple(dict.fromkeys(evidence)), tuple(dict.fromkeys(witnesses))

    def _upsert(self, item: LineItem, content: str, kind: FactKind, source: FactSource) -> None:
        facts = self.store.facts
        number = facts.sources.fact_of(self.source, source.native_id)
        former = None if number is None else facts.get(number)
        is_reworded = False
        if former and not facts.has_said(former, content, kind):
            if self._keeps_own_words(item, former, content, kind):
                return
            former, is_reworded = self._reworded(former, content, kind, source), True
        fact = former or self._stating(content, kind)
        if fact is None:
            if is_purged_key(self.store.db, fact_tombstone(kind, content)):
                self.counts.skip(PURGED)
                return
            self.counts.new += 1
            made = facts.create(self._values(item, content, kind, source), source)
            self.made.add(made.id)
            self.new.append(made.id)
            return
        after = facts.add_source(fact, source)
        if after == fact and number is not None and not is_reworded:
            self.counts.unchanged += 1
        elif number is None and fact.id in self.made:
            self.counts.skip(MERGED)
        else:
            self.counts.changed += 1

    def _keeps_own_words(self, item: LineItem, former: Fact, content: str, kind: FactKind) -> bool:
        """Return whether the fact of a line was edited here, and stays as it is; the report tells of it
        where the line says something else than it said."""
        imported = former.fingerprint
        if imported is None and former.source == self.source and former.native_id:
            # Earlier versions noted only what the fact said when it was made.
            imported = former.native_id.removeprefix("fact#")
        if imported is None or imported == fact_digest(former.kind, former.content):
            return False
        if imported == fact_digest(kind, content):
            self.counts.unchanged += 1
            return True
        if len(self.store.facts.sources_of(former)) > 1:
            # Others state that fact; what this line says now is another one.
            return False
        self.counts.skip(EDITED)
        self.report.differ(Difference("facts", former.id, item.native_id, ("content",)))
        return True

    def _reworded(self, former: Fact, content: str, kind: FactKind, source: FactSource) -> Fact | None:
        """Reword the fact of a line that states something else now, or take the line from its
        sources and return None: others may state the fact still, or another fact says the same."""
        facts = self.store.facts
        is_alone = len(facts.sources_of(former)) == 1
        if is_alone and self._stating(content, kind) is None:
            return facts.reword(former, content, kind, fact_digest(kind, content))
        facts.remove_source(former, source)
        if is_alone:
            facts.set_column(former, "deleted_at", now_ms())
        return None

    def _stating(self, content: str, kind: FactKind) -> Fact | None:
        """Return the fact that says the same: one that has a source in this directory, else any;
        None for none."""
        facts = self.store.facts
        key = fact_key(content)
        own = facts.where(
            "statement = ? AND kind = ? AND EXISTS "
            "(SELECT 1 FROM fact_sources WHERE fact_id = facts.id AND fact_sources.source = ?) "
            "ORDER BY deleted_at IS NOT NULL, id LIMIT 1",
            (key, kind, self.source),
        )
        if own and (own[0].deleted_at is None or not facts.stating(content, kind, own[0].project)):
            return own[0]
        return facts.stating(content, kind, self.project)

    def _values(self, item: LineItem, content: str, kind: FactKind, source: FactSource) -> Values:
        key = fact_digest(kind, content)
        values = common_columns(
            self.store.machine_id,
            at=source.told_at,
            private=item.values.get("private") is True,
            deleted_at=source.deleted_at,
            source=self.source,
            native_id=f"fact#{key}",
            fingerprint=key,
        )
        taken = self.store.facts.where("source = ? AND native_id = ?", (self.source, f"fact#{key}"))
        if taken:
            values |= {"source": None, "native_id": None}
        return values | {
            "uid": values["uid"] if taken else stable_uid(self.source, "fact", key),
            "hlc": 0,
            "project": self.project,
            "kind": kind,
            "content": content,
            "entities": dump_list(source.entities),
            "confidence": source.confidence,
            "evidence": dump_list(source.evidence),
            "sources": dump_list(source.places),
            "extra": source.extra,
        }


def fact_digest(kind: str, content: str) -> str:
    """Return a hash that all lines of one statement share."""
    return digest(kind, fact_key(content))
