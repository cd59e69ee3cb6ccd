"""An edit is stale once its own lines have changed; what a person says is still true isn't, until its
files change again."""

from pathlib import Path

import pytest

from memtui.store import Action, Observation, Store

from .repository import Repository, at, needs_git
from .test_refresh import remember, stale

pytestmark = needs_git

DIFF = "- def wait(seconds=3):\n+ def wait(seconds=5):\n+     # The server allows no more.\n+ "
BEFORE = "import time\n\n\ndef wait(seconds=3):\n    time.sleep(seconds)\n"
AFTER = "import time\n\n\ndef wait(seconds=5):\n    # The server allows no more.\n    time.sleep(seconds)\n"


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "atlas")
    made.write("a.py", BEFORE)
    made.commit(0)
    return made


def edited(store: Store, repository: Repository, diff: str = DIFF, **fields: object) -> Observation:
    """An agent's edit of a.py, committed a moment later."""
    names = {"files_modified": ["a.py"], "narrative": diff, "tool_name": "Edit"} | fields
    made = remember(store, repository.root, 10, **names)  # type: ignore[arg-type]
    repository.write("a.py", AFTER)
    repository.commit(11)
    return made


def test_an_edit_whose_lines_stand_is_not_stale_though_its_file_has_changed(
    store: Store, repository: Repository
) -> None:
    made = edited(store, repository)
    reader = remember(store, repository.root, 20, "a.py")
    repository.write("a.py", f"import os\n{AFTER}\n\ndef other() -> None:\n    os.sync()\n")
    repository.commit(30)
    assert stale(store) == [reader.id]
    repository.write("a.py", f"{AFTER}".replace("=5", "=9"))
    repository.commit(40)
    assert stale(store) == [made.id, reader.id]
    repository.write("a.py", f"if True:\n{AFTER.replace('def', '    def')}")
    repository.commit(50)
    assert stale(store) == [reader.id]


@pytest.mark.parametrize(
    ("diff", "fields"),
    [
        ("- def wait(seconds=3):", {}),
        ("+ …\n+ def wait(…", {}),
        (DIFF, {"files_modified": ["a.py", "b.py"]}),
        (DIFF, {"files_read": ["b.py"]}),
        ("It waits five seconds.", {}),
    ],
)
def test_where_no_lines_are_known_the_file_tells(
    store: Store, repository: Repository, diff: str, fields: dict[str, object]
) -> None:
    made = edited(store, repository, diff, **fields)
    repository.change(60 * 24, "a.py")
    assert stale(store) == [made.id]


def test_the_lines_of_a_file_that_is_gone_are_gone(store: Store, repository: Repository) -> None:
    made = edited(store, repository)
    repository.git("rm", "-q", "a.py")
    repository.commit(60 * 24)
    assert stale(store) == [made.id]


def test_what_is_still_true_is_stale_again_once_its_file_changes_and_undo_takes_it_back(
    store: Store, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = remember(store, repository.root, 10, "a.py")
    repository.change(20, "a.py")
    assert stale(store) == [made.id]
    monkeypatch.setattr("memtui.store.curation.many.now_ms", lambda: at(30))
    done = store.many.run([str(made.id)], Action("confirm"))
    assert done.refs == (str(made.id),)
    assert store.find("is:stale").rows(0, 9) == [] and stale(store) == []
    store.undo()
    assert [row.ref for row in store.find("is:stale").rows(0, 9)] == [str(made.id)]
    assert stale(store) == [made.id]
    store.redo()
    assert stale(store) == []
    assert store.observations.get(made.id).confirmed_at == at(30)
    repository.change(40, "a.py")
    assert stale(store) == [made.id]


def test_reading_confirms_nothing_and_only_observations_can_be_confirmed(
    store: Store, repository: Repository
) -> None:
    made = remember(store, repository.root, 10, "a.py")
    repository.change(20, "a.py")
    assert stale(store) == [made.id]
    store.record(str(made.id))
    store.find("at").page()
    assert stale(store) == [made.id]
    fact = store.facts.add("it waits", project="atlas")
    done = store.many.run([f"f{fact.id}"], Action("confirm"))
    assert not done.refs and "Only observations" in done.left[0]


LINES = "".join(f"line {number} of it\n" for number in range(1, 41))


@pytest.fixture
def numbered(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "atlas")
    made.write("src/deep/a.py", LINES)
    made.commit(0)
    return made


def replaced(repository: Repository, minutes: float, line: int, text: str = "another") -> None:
    """Commit the file with another line in the place of one."""
    path = repository.root / "src/deep/a.py"
    lines = path.read_text().splitlines()
    lines[line - 1] = text
    path.write_text("\n".join(lines) + "\n")
    repository.commit(minutes)


@pytest.mark.parametrize(
    "words",
    [
        "It waits in src/deep/a.py:20.",
        "It waits (`deep/a.py:20:7`), I think",
        "see a.py#L20",
        "`a.py` (line 20) waits",
        "a.py, line 20, waits",
        "line 20 of a.py waits",
        "a.py 第 20 行等待",
        "`a.py` (lines 19-21) wait",
        "waits at a.py:18-22, twice",
        "a.py:18–22 waits",
    ],
)
def test_a_memory_that_cites_lines_is_stale_once_these_are_gone(
    store: Store, numbered: Repository, words: str
) -> None:
    made = remember(store, numbered.root, 10, narrative=words)
    replaced(numbered, 20, 3)
    assert stale(store) == []
    numbered.write("src/deep/a.py", f"above\n{(numbered.root / 'src/deep/a.py').read_text()}")
    numbered.commit(30)
    assert stale(store) == []
    replaced(numbered, 40, 21, "  line 20 of  it")
    assert stale(store) == []
    replaced(numbered, 50, 21)
    assert stale(store) == [made.id]
    (changed,) = store.changed_files(made)
    assert changed.path.startswith("src/deep/a.py:") and changed.change == "changed"
    numbered.write("src/deep/a.py", LINES)
    numbered.commit(60)
    assert stale(store) == []


def test_files_of_any_language_are_judged(store: Store, repository: Repository) -> None:
    repository.write("源码/时钟.py", LINES)
    repository.commit(0)
    made = remember(store, repository.root, 10, narrative="见 源码/时钟.py:20")
    repository.write("源码/时钟.py", LINES.replace("line 20 of", "another of"))
    repository.commit(20)
    assert stale(store) == [made.id]


def test_lines_that_have_moved_within_their_file_stand(store: Store, numbered: Repository) -> None:
    remember(store, numbered.root, 10, narrative="src/deep/a.py:20")
    lines = LINES.splitlines(keepends=True)
    numbered.write("src/deep/a.py", "".join([*lines[20:], *lines[:20]]))
    numbered.commit(20)
    assert stale(store) == []


def test_of_a_long_passage_more_than_a_tenth_has_to_go(store: Store, numbered: Repository) -> None:
    made = remember(store, numbered.root, 10, narrative="src/deep/a.py:11-30")
    for minutes, line in ((20, 12), (30, 14)):
        replaced(numbered, minutes, line)
        assert stale(store) == []
    replaced(numbered, 40, 16)
    assert stale(store) == [made.id]


def test_what_a_session_changed_and_then_cites_is_what_the_next_commit_holds(
    store: Store, numbered: Repository
) -> None:
    remember(
        store, numbered.root, 5, files_modified=["src/deep/a.py"], narrative="+ another", tool_name="Edit"
    )
    made = remember(store, numbered.root, 10, narrative="Done: src/deep/a.py:20 waits now.")
    replaced(numbered, 20, 20)
    assert made.id not in stale(store)
    replaced(numbered, 30, 20, "a third")
    assert made.id in stale(store)


def test_lines_decide_where_a_memory_names_the_file_too(store: Store, numbered: Repository) -> None:
    made = remember(store, numbered.root, 10, "src/deep/a.py", narrative="a.py:20 waits")
    replaced(numbered, 20, 3)
    assert stale(store) == []
    replaced(numbered, 30, 20)
    assert stale(store) == [made.id]


@pytest.mark.parametrize(
    ("words", "fields"),
    [
        ("at 10:20, on example.com:20 and v1.py:20", {}),
        ("src/deep/a.py:20: line 20 of it", {"tool_name": "Grep", "event_id": "e-1"}),
        ("src/deep/a.py:99 is past its end", {}),
        ("src/deep/a.py waits", {}),
    ],
)
def test_what_cites_no_lines_of_the_repository_is_not_judged(
    store: Store, numbered: Repository, words: str, fields: dict[str, object]
) -> None:
    remember(store, numbered.root, 10, narrative=words, **fields)  # type: ignore[arg-type]
    replaced(numbered, 20, 20)
    assert stale(store) == []


def test_a_file_that_is_gone_takes_its_lines_and_a_name_of_several_means_the_one_changed(
    store: Store, numbered: Repository
) -> None:
    numbered.write("other/a.py", LINES)
    numbered.commit(1)
    remember(store, numbered.root, 5, files_modified=["other/a.py"], session="c-2", tool_name="Edit")
    remember(store, numbered.root, 10, narrative="a.py:20 of which?")
    made = remember(store, numbered.root, 10, narrative="a.py:20 waits", session="c-2")
    numbered.git("rm", "-q", "other/a.py")
    numbered.commit(60 * 24)
    assert made.id in stale(store) and [file.path for file in store.changed_files(made)] == [
        "other/a.py:20"
    ]


def test_still_true_holds_until_the_lines_change_again(
    store: Store, numbered: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = remember(store, numbered.root, 10, narrative="src/deep/a.py:20 waits")
    replaced(numbered, 20, 20)
    assert stale(store) == [made.id]
    monkeypatch.setattr("memtui.store.curation.many.now_ms", lambda: at(30))
    store.many.run([str(made.id)], Action("confirm"))
    assert stale(store) == []
    replaced(numbered, 40, 20, "a third")
    assert stale(store) == [made.id]


def test_a_file_that_is_new_moves_no_lines_of_others(store: Store, numbered: Repository) -> None:
    numbered.write("src/deep/b.py", LINES)
    remember(store, numbered.root, 10, narrative="src/deep/a.py:20 waits, and so does src/deep/c.py:1")
    numbered.write("src/deep/c.py", LINES)
    replaced(numbered, 20, 3)
    made = remember(
        store, numbered.root, 15, narrative="src/deep/a.py:20 waits, and so does src/deep/c.py:1"
    )
    replaced(numbered, 30, 20)
    assert made.id in stale(store)
