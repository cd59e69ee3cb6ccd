"""What says the same in other words is found by its vectors, offered last, and never by what differs."""

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest
from memtui.store.leaves.embeddings.vector_file import PAGE_BYTES
from memtui.store.leaves.embeddings.vectors import vectors_in
from memtui.store.maintain.duplicates.other_words import clusters_in_other_words, fact_pairs_in_other_words
from memtui.store.tables.unembedded import vectors_directory

from memtui.store import Store
from memtui.store.config import EmbeddingsSettings
from memtui.store.leaves.embeddings import nearest
from memtui.store.maintain.duplicates.alike import clusters, fact_pairs, likely_successors
from memtui.store.maintain.duplicates.candidates import candidates
from tests.store.embeddings.synonym_model import synonym_model, trust, use
from tests.store.scripted_server import Scripted, serving

pytestmark = pytest.mark.extra("onnx")

SAID = "The process keeps the cache in memory"
REWORDED = "The program holds the store in RAM"
OTHER = "Deploys run nightly"
AT = 1_771_000_000_000

Build = Callable[[Store], None]


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> EmbeddingsSettings:
    return synonym_model(tmp_path_factory.mktemp("models") / "synonyms")


@pytest.fixture
def build(model: EmbeddingsSettings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Build:
    """Builds the vectors of a memory by a model that knows what its words mean."""
    use(monkeypatch, tmp_path, model)

    def build_all(store: Store) -> None:
        done = vectors_in(store).build(model)
        assert (done.left, done.stopped) == (0, "")
        # So few memories tell by chance whether a model knows them.
        trust(store, {"letters": 1.0, "chinese": 1.0})

    return build_all


def note(store: Store, *titles: str, **values: object) -> None:
    for title in titles:
        store.observations.add("c-1", title=title, **values)  # type: ignore[arg-type]


def say(store: Store, *contents: str, **values: object) -> None:
    for number, content in enumerate(contents):
        store.facts.add(content, at=AT + number, **values)  # type: ignore[arg-type]


def alike(store: Store, **options: object) -> list[tuple[int, list[int]]]:
    """Each cluster in other words, as the number of what is kept and those of the others."""
    twins = [twin.observation.id for cluster in clusters(store) for twin in cluster.twins]
    return [
        (one.keep.id, [twin.observation.id for twin in one.twins])
        for one in clusters_in_other_words(store, twins, **options).found  # type: ignore[arg-type]
    ]


def paired(store: Store) -> list[tuple[int, int, str]]:
    by_text = [pair.later.id for pair in fact_pairs(store)]
    return [
        (one.earlier.id, one.later.id, one.difference)
        for one in fact_pairs_in_other_words(store, by_text).found
    ]


def test_observations_in_other_words_are_a_cluster_of_their_own(store: Store, build: Build) -> None:
    note(store, SAID, OTHER, REWORDED)
    assert list(clusters(store)) == []
    assert alike(store) == []
    build(store)
    assert list(clusters(store)) == []
    (found,) = clusters_in_other_words(store).found
    assert (found.keep.id, found.is_in_other_words) == (1, True)
    assert [(one.observation.id, one.why) for one in found.twins] == [(3, "says the same in other words")]
    assert 90 <= found.twins[0].similarity <= 100


def test_chinese_in_other_words_is_found_too(store: Store, build: Build) -> None:
    note(store, "进程缓存令牌", "令牌到期", "程进贮存令牌")
    say(store, "进程缓存令牌", "程进不贮存令牌")
    build(store)
    assert alike(store) == [(1, [3])]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The process keeps a token 24 hours", "The program holds a ticket 48 hours"),
        (SAID, "The program not holds the store in RAM"),
        ("The process keeps the cache in a.py", "The program holds the store in b.py"),
        ("The cache uses the token_cache", "The store employs the ticket_list"),
        ("The process keeps the cache through Foo", "The program holds the store with Bar"),
        ("进程缓存令牌", "程进不贮存令牌"),
        ("进程缓存令牌 Foo", "程进贮存令牌 Bar"),
    ],
)
def test_another_value_is_never_the_same(store: Store, build: Build, one: str, other: str) -> None:
    note(store, one, other)
    build(store)
    assert vectors_in(store).meaning.near_pairs(store.db, "o").pairs
    assert alike(store) == []


def test_other_files_are_never_the_same(store: Store, build: Build) -> None:
    note(store, SAID, files_modified=["src/a.py"])
    note(store, REWORDED, files_modified=["src/b.py"])
    build(store)
    assert alike(store) == []


def test_projects_hidden_ones_and_those_told_apart_are_left_out(store: Store, build: Build) -> None:
    note(store, SAID, project="a")
    note(store, REWORDED, project="b")
    note(store, SAID, REWORDED, project="c")
    build(store)
    assert alike(store) == [(3, [4])]
    assert alike(store, project="a") == []
    store.not_duplicates(["3", "4"])
    assert alike(store) == []
    note(store, REWORDED, project="a")
    build(store)
    assert alike(store) == [(1, [5])]
    store.observations.set_private(5)
    assert alike(store) == []


def test_the_pinned_one_is_kept_and_twins_by_text_stay_out(store: Store, build: Build) -> None:
    note(store, SAID, REWORDED, f"{SAID}.")
    store.observations.pin(2)
    build(store)
    assert [[twin.observation.id for twin in one.twins] for one in clusters(store)] == [[3]]
    assert alike(store) == [(2, [1])]


def test_a_model_that_knows_nothing_of_a_language_says_nothing_of_it(store: Store, build: Build) -> None:
    note(store, SAID, REWORDED, "进程缓存令牌", "程进贮存令牌")
    say(store, SAID, REWORDED)
    build(store)
    assert sorted(alike(store)) == [(1, [2]), (3, [4])]
    trust(store, {"letters": 0.0, "chinese": 1.0})
    assert (alike(store), paired(store)) == ([(3, [4])], [])
    trust(store, {"letters": 0.0, "chinese": 0.0})
    assert alike(store) == []


def test_damaged_vectors_are_said_and_nothing_else_fails(store: Store, build: Build) -> None:
    note(store, SAID, SAID, REWORDED)
    say(store, SAID, REWORDED)
    build(store)
    (path,) = vectors_directory(store.path).iterdir()
    vectors_in(store).close()
    with closing(apsw.Connection(str(path))) as db:
        page: Any = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'passages'").get
    raw = bytearray(path.read_bytes())
    raw[(page - 1) * PAGE_BYTES : page * PAGE_BYTES] = b"\xff" * PAGE_BYTES
    path.write_bytes(raw)
    found = clusters_in_other_words(store, [2])
    assert found.found == ()
    assert "`mem embeddings build` repairs them" in found.trouble
    assert [one.refs for one in candidates(store)] == [("1", "2")]
    path.write_bytes(b"no file of vectors")
    assert clusters_in_other_words(store).found == ()
    assert [one.id for one in likely_successors(store, store.facts.get(1), 10)] == [2]


def test_no_model_is_asked_for_what_is_compared(
    store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with serving() as server:

        def answer(body: dict[str, Any]) -> Scripted:
            data = [{"index": one, "embedding": [1.0, 0.0]} for one in range(len(body["input"]))]
            return Scripted(raw=json.dumps({"data": data}).encode())

        server.answers = answer
        settings = EmbeddingsSettings("openai-compatible", server.url, "tiny")
        use(monkeypatch, tmp_path, settings, url=server.url, model="tiny")
        note(store, SAID, REWORDED)
        say(store, SAID, REWORDED)
        assert vectors_in(store).build(settings).left == 0
        asked = len(server.bodies)
        server.answers = lambda _: Scripted(hangs=True)
        assert alike(store) == [(1, [2])]
        assert paired(store) == [(1, 2, "in other words")]
        assert [one.id for one in likely_successors(store, store.facts.get(1), 10)] == [2]
        assert len(server.bodies) == asked > 0


def test_a_model_that_is_gone_is_said(
    store: Store, build: Build, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    note(store, SAID, REWORDED)
    build(store)
    use(monkeypatch, tmp_path, EmbeddingsSettings("static", directory=str(tmp_path / "gone")))
    found = clusters_in_other_words(store)
    assert found.found == ()
    assert found.trouble.startswith("Nothing is compared by meaning: ")


@pytest.mark.parametrize(
    ("earlier", "later", "difference"),
    [
        ("A token expired with 24 hours", "A ticket ended through 48 hours", "another number"),
        (SAID, "The program no longer holds the store in RAM", "a negation"),
        ("A process uses the cache Foo", "A program employs the store Bar", "another name"),
        (SAID, REWORDED, "in other words"),
        ("进程缓存令牌", "程进不贮存令牌", "a negation"),
    ],
)
def test_a_later_fact_in_other_words_may_replace_an_earlier_one(
    store: Store, build: Build, earlier: str, later: str, difference: str
) -> None:
    say(store, earlier, OTHER, later)
    assert paired(store) == []
    build(store)
    assert list(fact_pairs(store)) == []
    assert paired(store) == [(1, 3, difference)]
    offered = [one for one in candidates(store) if one.is_in_other_words]
    assert [(one.refs, one.is_replacement, one.why) for one in offered] == [
        (("f1", "f3"), difference != "in other words", difference)
    ]


def test_facts_of_another_kind_superseded_or_told_apart_are_no_pair(store: Store, build: Build) -> None:
    say(store, SAID, kind="W")
    say(store, REWORDED, kind="B")
    say(store, "Deploys run nightly", "Releases start daily", "Releases run daily")
    build(store)
    assert [later for _, later, _ in sorted(paired(store))] == [4, 5]
    store.supersede("f3", "f5")
    store.not_duplicates(["f4", "f5"])
    assert paired(store) == []


def test_candidates_come_by_text_first_facts_before_observations(store: Store, build: Build) -> None:
    say(store, "Tests fail in a 24", "Tests fail in a 48", SAID, REWORDED)
    note(store, SAID, SAID, REWORDED)
    build(store)
    before = store.journal.next_undo()
    assert [(one.refs, one.is_in_other_words) for one in candidates(store)] == [
        (("f1", "f2"), False),
        (("f3", "f4"), True),
        (("1", "2"), False),
        (("1", "3"), True),
    ]
    assert store.journal.next_undo() == before


def test_what_progress_raises_ends_the_comparing(store: Store, build: Build) -> None:
    note(store, SAID, REWORDED)
    build(store)

    def stop(*_: object) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        clusters_in_other_words(store, progress=stop)


def test_many_are_compared_at_landmarks_and_a_crowd_says_nothing(
    store: Store, build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["redis", "memcached", "tabs", "indent", "code", "tests", "expired", "early", "uses"]
    titles = [f"{one} {other}" for one in words for other in words if one < other]
    note(store, *titles, SAID, REWORDED)
    build(store)
    whole = alike(store)
    assert whole == [(len(titles) + 1, [len(titles) + 2])]
    for name, value in (("FEW_IN_PROJECT", 4), ("COMPARED_AT_ONCE", 16), ("READ_AT_ONCE", 7)):
        monkeypatch.setattr(nearest, name, value)
    assert alike(store) == whole
    monkeypatch.setattr(nearest, "CROWD", 0)
    assert alike(store) == []


def test_what_may_hold_instead_is_found_by_words_and_meaning(store: Store, build: Build) -> None:
    say(store, SAID, "Memory fails", "A process uses tabs", OTHER, "Program holds store in RAM")
    for word in ("Redis", "Nightly", "Tabs", "Indent", "Code", "Early", "Expired"):
        say(store, f"{word} daily", f"Hours {word}")
    old = store.facts.get(1)
    by_words = [one.id for one in likely_successors(store, old, 10)]
    assert sorted(by_words) == [2, 3]
    build(store)
    assert sorted(one.id for one in likely_successors(store, old, 10)) == [2, 3, 5]
    trust(store, {"letters": 0.0})
    assert [one.id for one in likely_successors(store, old, 10)] == by_words
    trust(store, {"letters": 1.0})
    store.supersede("f5", "f4")
    assert 5 not in [one.id for one in likely_successors(store, old, 10)]


def test_a_chinese_fact_finds_what_holds_instead_in_other_words(store: Store, build: Build) -> None:
    say(store, "进程缓存令牌", OTHER, "程进贮存令牌")
    assert likely_successors(store, store.facts.get(1), 10) == []
    build(store)
    assert likely_successors(store, store.facts.get(1), 10)[0].id == 3
