"""Whatever is written, hidden, taken back or rebuilt, by us or by others: a search finds exactly
the visible rows that hold its terms."""

import os
import re
import tempfile
from pathlib import Path
from typing import Any, ClassVar

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from memtui.store import Store
from memtui.store.search.index import documents
from memtui.store.text.language.folding import fold
from tests.promises import promise
from tests.sizes import costly

from ..another_program import AnotherProgram
from ..hard_texts import FIELDS, holding, searchable, texts, words

KINDS = tuple(FIELDS)
CHANGES = ("private = 1 - private", "deleted_at = 1", "deleted_at = NULL", "created_at = -5")
FLAGS = ("pin", "set_private", "delete", "restore")

kinds = st.sampled_from(KINDS)
numbers = st.integers(0, 99)


class Rows(RuleBasedStateMachine):
    """A store under every kind of write, ours and another program's."""

    tokenizer: ClassVar[str]

    @initialize()
    def begin(self) -> None:
        self.directory = tempfile.TemporaryDirectory()
        self.path = Path(self.directory.name) / "memory.db"
        os.environ["MEMTUI_TOKENIZER"] = self.tokenizer
        self.store = Store.open(self.path)
        self.reader = Store.open(self.path, read_only=True)
        self.other = AnotherProgram(self.path)
        self.store.sessions.start("c-1")
        self.written = 0
        for kind in KINDS:
            self.add(kind, "token refresh", "数据库", private=False)

    def canary(self) -> str:
        self.written += 1
        return f"canary{self.written}x"

    @rule(kind=kinds, one=texts, two=texts, private=st.booleans())
    def add(self, kind: str, one: str, two: str, private: bool) -> None:
        tables: dict[str, Any] = {
            "observations": lambda mark: self.store.observations.add(
                "c-1", title=one, narrative=mark, concepts=[mark], tags=[two], private=private
            ),
            "prompts": lambda mark: self.store.prompts.add("c-1", mark + one, private=private),
            "summaries": lambda mark: self.store.summaries.add(
                "c-1", request=one, notes=mark, files_edited=[mark, two], private=private
            ),
            "facts": lambda mark: self.store.facts.add(mark + one, entities=[mark, two], private=private),
        }
        tables[kind](self.canary())

    @rule(kind=kinds, one=texts, two=texts, private=st.booleans())
    def another_program_inserts(self, kind: str, one: str, two: str, private: bool) -> None:
        self.other.insert(kind, self.written, one, f"{self.canary()} {two}", private)

    @rule(kind=kinds, number=numbers, text=texts)
    def another_program_writes_a_text(self, kind: str, number: int, text: str) -> None:
        self.other.write_text(kind, number, f"{self.canary()} {text}")

    @rule(kind=kinds, number=numbers, change=st.sampled_from(CHANGES))
    def another_program_changes_a_row(self, kind: str, number: int, change: str) -> None:
        self.other.change(kind, number, change)

    @rule(kind=kinds, number=numbers)
    def another_program_deletes(self, kind: str, number: int) -> None:
        self.other.delete(kind, number)

    @rule(kind=kinds, number=numbers, change=st.sampled_from(FLAGS))
    def change_flags(self, kind: str, number: int, change: str) -> None:
        table = getattr(self.store, kind)
        if row := self.other.pick(kind, number):
            getattr(table, change)(row)

    @rule()
    def undo(self) -> None:
        self.store.undo()

    @rule()
    def rename_the_project(self) -> None:
        self.other.db.execute("UPDATE sessions SET project = project || 'x'")

    @rule(agent=st.sampled_from(("", "codex", "cursor")), project=st.sampled_from(("", "atlas")))
    def change_the_session(self, agent: str, project: str) -> None:
        self.other.db.execute("UPDATE sessions SET agent = ?, project = ?", (agent, project))

    @rule(kind=st.sampled_from("WBOS"), project=st.sampled_from(("", "atlas")), hidden=st.booleans())
    def change_the_facts(self, kind: str, project: str, hidden: bool) -> None:
        self.other.db.execute(
            "UPDATE OR IGNORE facts SET kind = ?, project = ?, private = ?", (kind, project, int(hidden))
        )

    @rule(at=st.sampled_from((-(1 << 27), 0, 1 << 22, (1 << 26) - 1)))
    def change_the_times(self, at: int) -> None:
        self.other.db.execute("UPDATE observations SET created_at = created_at + ?", (at,))

    @rule()
    def rebuild(self) -> None:
        self.store.rebuild()

    @rule()
    def reopen(self) -> None:
        self.store.close()
        self.store = Store.open(self.path)

    @rule(data=st.data())
    def search(self, data: st.DataObject) -> None:
        rows = searchable(self.other.db)
        every = sorted({text for texts in rows.values() for text in texts if text})
        for _ in range(3 if every else 0):
            terms = [self.part_of(data.draw(st.sampled_from(every)), data) for _ in range(2)]
            if not all(fold(term).strip() for term in terms):
                continue
            one, two = (f'"{term}"' for term in terms)
            first, second = ([term] for term in terms)
            self.check(one, holding(rows, [first]))
            self.check(f"{one} {two}", holding(rows, [first, second]))
            self.check(f"{one} OR {two}", holding(rows, [terms]))
            self.check(f"{one} -{two}", holding(rows, [first], second))
            facts = {str(uid) for (uid,) in self.other.db.execute("SELECT uid FROM facts")}
            self.check(f"{one} kind:fact", holding(rows, [first]) & facts)

    def part_of(self, text: str, data: st.DataObject) -> str:
        """One to six characters of a text: its beginning, its end, or any."""
        length = data.draw(st.integers(1, 6))
        last = max(0, len(text) - length)
        start = data.draw(st.sampled_from([0, last]) | st.integers(0, last))
        return re.split('["\0]', text[start : start + length])[0]

    def check(self, query: str, expected: set[str]) -> None:
        """The reader answers before another program's writes are indexed, the store after."""
        assert self.found(self.reader, query) == expected, query
        assert self.found(self.store, query) == expected, query

    def found(self, store: Store, query: str) -> set[str]:
        found = [hit.record.uid for hit in store.find(query).page(limit=1_000).hits]
        assert len(found) == len(set(found))
        return set(found)

    @invariant()
    def lists_show_what_is_visible(self) -> None:
        if hasattr(self, "store"):
            listed = self.store.find("").rows(0, 1_000)
            uids = {self.store.record_of(entry).uid for entry in listed}
            assert uids == searchable(self.other.db).keys()

    @invariant()
    def what_is_counted_is_there(self) -> None:
        if hasattr(self, "store"):
            assert documents.differences(self.other.db) == 0

    def teardown(self) -> None:
        if not hasattr(self, "store"):
            return
        for texts_ in searchable(self.other.db, hidden=True).values():
            for mark in {part for text in texts_ for part in words(text) if "canary" in part}:
                names = self.other.db.execute(
                    "SELECT count(*) FROM label_names WHERE value = ?", (mark,)
                ).get
                assert names == 0
        health = self.store.doctor(thorough=True)
        assert health.ok, [check for check in health.checks if not check.ok]
        for one in (self.store, self.reader, self.other.db):
            one.close()
        self.directory.cleanup()
        del os.environ["MEMTUI_TOKENIZER"]


class TrigramRows(Rows):
    """Substrings by their trigrams."""

    tokenizer = "trigram"


class LikeRows(Rows):
    """Substrings by reading every row."""

    tokenizer = "like"


class WordRows(Rows):
    """Words alone: of what holds the terms, whole words and beginnings of words are found."""

    tokenizer = "unicode61"

    def check(self, query: str, expected: set[str]) -> None:
        assert self.found(self.reader, query) <= expected, query
        assert self.found(self.store, query) <= expected, query

    @rule(data=st.data())
    def search_a_word(self, data: st.DataObject) -> None:
        rows = searchable(self.other.db)
        every = sorted({word for texts in rows.values() for text in texts for word in words(text)})
        for _ in range(5 if every else 0):
            word = data.draw(st.sampled_from(every))
            start = word[: data.draw(st.integers(1, len(word)))]
            beginning = {
                uid
                for uid, texts in rows.items()
                if any(part.startswith(start) for text in texts for part in words(text))
            }
            assert beginning <= self.found(self.store, f'"{start}"')


TrigramRows.TestCase.settings = settings(costly(12), stateful_step_count=30)
LikeRows.TestCase.settings = WordRows.TestCase.settings = settings(costly(4), stateful_step_count=30)
TestTrigramRows = promise("index-equals-data")(TrigramRows.TestCase)
TestLikeRows = promise("index-equals-data")(LikeRows.TestCase)
TestWordRows = promise("index-equals-data")(WordRows.TestCase)
