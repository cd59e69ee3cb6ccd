"""What of a memory has a vector, and that equal text has one."""

from pathlib import Path

from memtui.store.leaves.embeddings.vectors import vectors_in

from memtui.store import Store
from memtui.store.config import EmbeddingsSettings
from tests.promises import promise

from .byte_model import opened, texts_said, vector_files
from .conftest import Build


def count(path: Path, table: str) -> int:
    """The rows of a table of the only file of vectors."""
    (file,) = vector_files(path)
    with opened(file) as db:
        return int(db.execute(f"SELECT count(*) FROM {table}").get)


def records(path: Path) -> set[tuple[str, int]]:
    """The records that have vectors."""
    (file,) = vector_files(path)
    with opened(file) as db:
        return {(kind, number) for kind, number in db.execute("SELECT * FROM records")}


def test_every_kind_is_embedded_in_passages(store: Store, build: Build) -> None:
    seen = store.observations.add(
        "c-1", title="Title", subtitle="Subtitle", narrative="A story.", text="raw output",
        facts=["one fact", "another"], concepts=["a name"], files_read=["a.py"], tags=["tag"],
    )  # fmt: skip
    prompt = store.prompts.add("c-1", "What was asked")
    summary = store.summaries.add("c-1", request="Wanted", learned="Learned", next_steps="Then")
    fact = store.facts.add("Tea is better", entities=["tea"])
    build(store)
    assert texts_said(store.path) == {
        ("o", seen.id): ["Title\nSubtitle", "A story.", "one fact", "another", "raw output"],
        ("p", prompt.id): ["What was asked"],
        ("s", summary.id): ["Wanted", "Learned", "Then"],
        ("f", fact.id): ["Tea is better"],
    }
    assert count(store.path, "vectors") == 10
    assert records(store.path) == {
        ("o", seen.id), ("p", prompt.id), ("s", summary.id), ("f", fact.id),
    }  # fmt: skip


def test_a_long_text_is_embedded_in_several_passages_and_not_without_end(
    store: Store, build: Build
) -> None:
    story = store.observations.add(
        "c-1", title="long", narrative=" ".join(f"Sentence {one} ends." for one in range(200))
    )
    flood = store.observations.add("c-1", title="flood", text="\n".join(map(str, range(50_000))))
    build(store)
    said = texts_said(store.path)
    assert 3 < len(said["o", story.id]) < 10
    assert len(said["o", flood.id]) == 32
    assert max(map(len, said["o", story.id])) <= 800


def test_equal_text_is_embedded_once_however_many_say_it(store: Store, build: Build) -> None:
    ids = [store.observations.add("c-1", title="the same").id for _ in range(5)]
    store.facts.add("the same")
    build(store)
    assert count(store.path, "vectors") == 1
    assert count(store.path, "passages") == 6
    for number in ids:
        store.observations.delete(number)
    assert count(store.path, "vectors") == 1
    assert records(store.path) == {("f", 1)}


def test_a_memory_without_words_is_no_memory_that_waits_forever(store: Store, build: Build) -> None:
    store.prompts.add("c-1", "\n \n")
    store.observations.add("c-1", title="with words")
    build(store)
    assert count(store.path, "vectors") == 1
    assert not vectors_in(store).is_due()


@promise("vectors-follow")
def test_what_is_hidden_has_no_vector(store: Store, build: Build) -> None:
    shown = store.observations.add("c-1", title="shown")
    store.observations.add("c-1", title="private", private=True)
    store.observations.add("c-1", title="noise", type="noise")
    store.prompts.add("c-1", "private too", private=True)
    store.facts.add("a private fact", private=True)
    store.observations.delete(store.observations.add("c-1", title="deleted"))
    cleaned = store.observations.add("c-1", title="said <private>and hidden</private> here")
    build(store)
    assert records(store.path) == {("o", shown.id), ("o", cleaned.id)}
    assert texts_said(store.path)["o", cleaned.id] == [cleaned.title]
    assert "hidden" not in str(cleaned.title)


@promise("vectors-follow")
def test_a_brief_summary_with_a_detailed_one_has_no_vector(store: Store, build: Build) -> None:
    session = store.sessions.start("c-1")
    brief = store.summaries.add(session, level="brief", request="wanted", learned="It works.")
    build(store)
    assert records(store.path) == {("s", brief.id)}
    detailed = store.summaries.add(session, request="wanted", learned="It works. And so on.")
    assert records(store.path) == set()
    build(store)
    assert records(store.path) == {("s", detailed.id)}
    store.summaries.delete(detailed)
    assert records(store.path) == set()


def test_the_state_of_the_vectors_is_told(store: Store, model: EmbeddingsSettings, build: Build) -> None:
    store.observations.add("c-1", title="something")
    build(store)
    status = vectors_in(store).status(model)
    assert (status.records, status.total, status.left) == (1, 1, 0)
    assert status.is_whole
    assert status.searched == status.name
