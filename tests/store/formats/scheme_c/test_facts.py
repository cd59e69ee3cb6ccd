"""The same statement is one fact, told by all the lines that say it."""

from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.formats.common.upsert import EDITED
from memtui.store.formats.scheme_c.directory_import import import_directory

from .directories import directory, fact, line


def told(store: Store, path: Path, **files: list[object]) -> None:
    import_directory(store, directory(path, **files))


def test_the_same_statement_is_one_fact_with_several_sources(store: Store, tmp_path: Path) -> None:
    told(
        store,
        tmp_path / "c",
        d16=[fact(1, "Uses  SQLite."), fact(2, "uses sqlite", session_id="conv-2")],
        d17=[fact(1, "Uses SQLite", memory_type="B")],
    )
    world, biography = sorted(store.facts.list(), key=lambda one: one.kind, reverse=True)
    assert (world.kind, biography.kind) == ("W", "B")
    assert [one.session for one in store.facts.sources_of(world)] == ["conv-1", "conv-2"]
    assert len(world.sources) == len(world.evidence) == 2


def test_confidence_grows_with_sessions_and_not_with_repetition(store: Store, tmp_path: Path) -> None:
    told(
        store,
        tmp_path / "c",
        d16=[
            fact(1, "once"),
            fact(2, "twice in one session"),
            fact(3, "twice in one session"),
            fact(4, "in two sessions"),
            fact(5, "in two sessions", session_id="conv-2"),
        ],
    )
    sure = {one.content: one.confidence for one in store.facts.list()}
    assert sure == {"once": 0.7, "twice in one session": 0.7, "in two sessions": 0.91}


def test_facts_jsonl_has_the_last_word(store: Store, tmp_path: Path) -> None:
    final = {"id": "fact-1", "type": "W", "content": "uses sqlite", "entities": ["db"]}
    told(
        store,
        tmp_path / "c",
        d16=[fact(1, "Uses SQLite", entities=["sqlite"]), fact(2, "Uses SQLite", session_id="b")],
        facts=[final | {"confidence": 0.5, "evidence": ["log-100100", "log-100200", "log-9"]}],
    )
    (one,) = store.facts.list()
    assert one.confidence == 0.75
    assert one.entities == ("db", "sqlite")
    assert one.evidence[-1] == "log-9" and len(one.evidence) == 3


def test_evidence_is_the_memory_that_a_line_became(store: Store, tmp_path: Path) -> None:
    final = {"id": "fact-1", "type": "O", "content": "pushes often", "evidence": ["log-100100", "sum-1"]}
    told(
        store,
        tmp_path / "c",
        d16=[line(1, content="git push")],
        facts=[final],
        sessions=[{"id": "sum-1", "session_id": "conv-1", "topic": "Push"}],
    )
    (one,) = store.facts.list()
    titles = [store.list_row(store.record(uid)).title for uid in one.evidence]
    assert titles == ["git push", "Push"]


@pytest.mark.parametrize(
    ("values", "kind", "confidence"),
    [
        ({"memory_type": "w"}, "W", 0.7),
        ({"memory_type": "X"}, "W", 0.7),
        ({"memory_type": None}, "W", 0.7),
        ({"memory_type": None, "type": "preference"}, "O", 0.7),
        ({"confidence": "0.9"}, "W", 0.9),
        ({"confidence": 3}, "W", 1.0),
        ({"confidence": "high"}, "W", 1.0),
        ({"confidence": None}, "W", 1.0),
        ({"confidence": None, "memory_type": "O"}, "O", 0.8),
    ],
)
def test_kind_and_confidence_are_read_as_well_as_can_be(
    store: Store, tmp_path: Path, values: dict[str, object], kind: str, confidence: float
) -> None:
    told(store, tmp_path / "c", d16=[fact(1, "tea") | values])
    (one,) = store.facts.list()
    assert (one.kind, one.confidence) == (kind, confidence)


def test_entities_may_be_a_text(store: Store, tmp_path: Path) -> None:
    told(store, tmp_path / "c", d16=[fact(1, "tea", entities="redis, cache")])
    assert store.facts.list()[0].entities == ("redis", "cache")


def test_a_directory_that_says_what_is_known_adds_a_source(store: Store, tmp_path: Path) -> None:
    mine = store.facts.add("Uses SQLite", kind="W", confidence=0.5, sources=["me"])
    told(store, tmp_path / "c", d16=[fact(1, "uses sqlite")])
    (one,) = store.facts.list()
    assert (one.uid, one.confidence) == (mine.uid, 0.85)


def test_a_fact_deleted_here_stays_so_when_it_is_said_again(store: Store, tmp_path: Path) -> None:
    told(store, tmp_path / "c", d16=[fact(1, "tea")])
    store.facts.delete(1)
    told(store, tmp_path / "c", d17=[fact(2, "Tea")])
    assert store.facts.list() == []


def test_a_fact_is_gone_when_all_its_lines_are_deleted(store: Store, tmp_path: Path) -> None:
    gone = {"deleted_at": "2026-02-17T00:00:00Z"}
    told(store, tmp_path / "c", d16=[fact(1, "tea", **gone), fact(2, "tea")])
    assert len(store.facts.list()) == 1
    told(store, tmp_path / "c", d16=[fact(1, "tea", **gone), fact(2, "tea", **gone)])
    assert store.facts.list() == []


def test_an_unchanged_line_never_rewords_a_fact_that_was_edited_here(store: Store, tmp_path: Path) -> None:
    lines: list[object] = [
        fact(1, "tea at four"),
        fact(2, "two say so"),
        fact(3, "two say so", session_id="b"),
    ]
    told(store, tmp_path / "c", d16=lines)
    alone, both = sorted(store.facts.list(), key=lambda one: one.content)
    store.edit(f"f{alone.id}", {"content": "tea at five"})
    store.edit(f"f{both.id}", {"content": "both mended"})
    report = import_directory(store, directory(tmp_path / "c", d16=lines))
    assert report.of("facts").changed == report.of("facts").new == 0
    assert {one.content for one in store.facts.list()} == {"tea at five", "both mended"}


def test_a_reworded_line_leaves_a_fact_that_was_edited_here_and_is_told(
    store: Store, tmp_path: Path
) -> None:
    path = directory(tmp_path / "c", d16=[fact(1, "tea at four")])
    import_directory(store, path)
    directory(path, d16=[fact(1, "tea at six")])
    import_directory(store, path)
    (one,) = store.facts.list()
    assert one.content == "tea at six"
    store.edit(f"f{one.id}", {"content": "tea at five"})
    directory(path, d16=[fact(1, "tea at seven")])
    report = import_directory(store, path)
    assert [one.content for one in store.facts.list()] == ["tea at five"]
    assert report.of("facts").skipped == {EDITED: 1}
    assert [one.fields for one in report.differences] == [("content",)]
    store.undo()
    import_directory(store, path)
    assert [one.content for one in store.facts.list()] == ["tea at seven"]


def test_a_fact_of_an_earlier_import_that_was_edited_here_stays(store: Store, tmp_path: Path) -> None:
    path = directory(tmp_path / "c", d16=[fact(1, "tea at four")])
    import_directory(store, path)
    with store.transaction():
        store.db.execute("UPDATE facts SET fingerprint = NULL")
    store.edit("f1", {"content": "tea at five"})
    import_directory(store, path)
    assert [one.content for one in store.facts.list()] == ["tea at five"]
