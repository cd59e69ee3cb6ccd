"""Whatever is written, hidden, taken back or rebuilt, by us or by others: a search finds exactly
the visible rows that hold its terms."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path
from typing import Any, ClassVar

import apsw
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from store import Store
from store.clock import uuid7
from store.search.folding import fold

from .hard_texts import FIELDS, LISTS, holding, searchable, texts, words

KINDS = tuple(FIELDS)
INSERTS = {
    "observations": "session_id, title, narrative, facts, concepts, tags",
    "prompts": "session_id, text, prompt_number",
    "summaries": "session_id, request, notes, files_read",
    "facts": "content, entities",
}


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
        self.other = apsw.Connection(str(self.path))
        self.other.pragma("foreign_keys", True)
        self.store.sessions.start("c-1")
        self.written = 0
        for kind in KINDS:
            self.add(kind, "token refresh", "数据库", private=False)

    def canary(self) -> str:
        self.written += 1
        return f"canary{self.written}x"

    @rule(kind=st.sampled_from(KINDS), one=texts, two=texts, private=st.booleans())
    def add(self, kind: str, one: str, two: str, private: bool) -> None:
        tables: dict[str, Any] = {
            "observations": lambda mark: self.store.observations.add(
                "c-1", title=one, narrative=mark, concepts=[mark], tags=[two], private=private
            ),
            "prompts": lambda mark: self.store.prompts.add("c-1", mark + one, private=private),
            "summaries": lambda mark: self.store.summaries.add(
                "c-1", request=one, notes=mark, files_edited=[mark, two], private=private
            ),
            "facts": lambda mark: self.store.facts.add(
                mark + one, entities=[mark, two], private=private
            ),
        }
        tables[kind](self.canary())

    @rule(kind=st.sampled_from(KINDS), one=texts, two=texts, hidden=st.booleans())
    def another_program_inserts(self, kind: str, one: str, two: str, hidden: bool) -> None:
        mark = self.canary()
        values = {
            "session_id": 1,
            "prompt_number": 1,
            "content": one + mark,
            **dict.fromkeys(("title", "request"), one),
            **dict.fromkeys(("narrative", "notes", "text"), f"{two} {mark}\0{one}"),
        }
        columns = INSERTS[kind].split(", ")
        marks = ", ".join(
            "json_array(:one, :two, :mark)" if name in LISTS else f":{name}" for name in columns
        )
        self.other.execute(
            f"INSERT INTO {kind} (uid, created_at, updated_at, private, {INSERTS[kind]}) "
            f"VALUES (:uid, :at, :at, :hidden, {marks})",
            {
                **values,
                "uid": uuid7(self.written),
                "at": self.written,
                "hidden": hidden,
                "one": one,
                "two": two,
                "mark": mark,
            },
        )

    def one_of(self, kind: str, number: int) -> int:
        """The id of an existing row of a kind; 0 when there is none."""
        ids = [row for (row,) in self.other.execute(f"SELECT id FROM {kind}")]
        return ids[number % len(ids)] if ids else 0

    @rule(kind=st.sampled_from(KINDS), number=st.integers(0, 99), text=texts)
    def another_program_updates(self, kind: str, number: int, text: str) -> None:
        field = {"observations": "title", "prompts": "text", "summaries": "learned"}.get(
            kind, "content"
        )
        mark = self.canary()
        self.other.execute(
            f"UPDATE {kind} SET {field} = ? WHERE id = ?",
            (f"{mark} {text}", self.one_of(kind, number)),
        )

    @rule(
        kind=st.sampled_from(KINDS),
        number=st.integers(0, 99),
        change=st.sampled_from(["private = 1 - private", "deleted_at = 1", "created_at = -5"]),
    )
    def another_program_changes_flags(self, kind: str, number: int, change: str) -> None:
        self.other.execute(f"UPDATE {kind} SET {change} WHERE id = ?", (self.one_of(kind, number),))

    @rule(kind=st.sampled_from(KINDS), number=st.integers(0, 99))
    def another_program_deletes(self, kind: str, number: int) -> None:
        self.other.execute(f"DELETE FROM {kind} WHERE id = ?", (self.one_of(kind, number),))

    @rule(
        kind=st.sampled_from(KINDS),
        number=st.integers(0, 99),
        change=st.sampled_from(["pin", "set_private", "delete", "restore"]),
    )
    def change_flags(self, kind: str, number: int, change: str) -> None:
        table = getattr(self.store, kind)
        if row := self.one_of(kind, number):
            getattr(table, change)(row)

    @rule()
    def undo(self) -> None:
        self.store.undo()

    @rule()
    def rename_the_project(self) -> None:
        self.other.execute("UPDATE sessions SET project = project || 'x'")

    @rule()
    def rebuild(self) -> None:
        self.store.rebuild()

    @rule()
    def reopen(self) -> None:
        self.store.close()
        self.store = Store.open(self.path)

    @rule(data=st.data())
    def search(self, data: st.DataObject) -> None:
        rows = searchable(self.other)
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
            facts = {str(uid) for (uid,) in self.other.execute("SELECT uid FROM facts")}
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
        found = [hit.record.uid for hit in store.search(query, limit=1_000)]
        assert len(found) == len(set(found))
        return set(found)

    @invariant()
    def lists_show_what_is_visible(self) -> None:
        if hasattr(self, "store"):
            listed = self.store.entries("", 0, 1_000)
            uids = {self.store.of(entry).uid for entry in listed}
            assert uids == searchable(self.other).keys()

    def teardown(self) -> None:
        if not hasattr(self, "store"):
            return
        for texts_ in searchable(self.other, hidden=True).values():
            for mark in {part for text in texts_ for part in words(text) if "canary" in part}:
                names = self.other.execute(
                    "SELECT count(*) FROM label_names WHERE value = ?", (mark,)
                ).get
                assert names == 0
        health = self.store.doctor(thorough=True)
        assert health.ok, [check for check in health.checks if not check.ok]
        for one in (self.store, self.reader, self.other):
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
        rows = searchable(self.other)
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


STEPS = settings(max_examples=settings().max_examples // 2, stateful_step_count=30)
TrigramRows.TestCase.settings = STEPS
LikeRows.TestCase.settings = STEPS
WordRows.TestCase.settings = STEPS
TestTrigramRows = TrigramRows.TestCase
TestLikeRows = LikeRows.TestCase
TestWordRows = WordRows.TestCase
