"""Which memories' files have changed since they were made: `is:stale`, and which files these are."""

from pathlib import Path

import pytest

from memtui.store import ChangedFile, Observation, Store
from memtui.store.links.changed_files import refresh
from memtui.store.records.rows import ListRow
from memtui.store.search.index.derived import drop_documents

from .repository import Repository, at, needs_git

pytestmark = needs_git


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "atlas")
    made.change(0, "a.py", "b.py", "src/c.py")
    return made


def remember(
    store: Store, where: Path | None, minutes: float, *read: str, session: str = "c-1", **fields: object
) -> Observation:
    """A memory that names files it read, of a session that is at work in a directory."""
    store.sessions.start(
        session, agent="codex", project="atlas", project_path=None if where is None else str(where)
    )
    values = {"title": f"at {minutes}", "files_read": read, "at": at(minutes)} | fields
    return store.observations.add(session, agent="codex", project="atlas", **values)  # type: ignore[arg-type]


def stale(store: Store) -> list[int]:
    """The memories whose files have changed, found by a search, in all the ways there are."""
    refresh(store)
    listed = sorted(row.record_id for row in store.find("is:stale").rows(0, 99))
    everything = store.find("").rows(0, 99)
    assert listed == sorted(hit.row.record_id for hit in store.find("is:stale").page().hits)
    assert listed == sorted(row.record_id for row in everything if row.stale)
    assert listed == sorted(row.record_id for row in everything if store.changed_files(_of(store, row)))
    others = {row.record_id for row in store.find("-is:stale").rows(0, 99)}
    assert others == {row.record_id for row in everything}.difference(listed)
    assert store.find("is:stale").count().value == store.find("is:stale").count().value == len(listed)
    return listed


def _of(store: Store, row: ListRow) -> Observation:
    found = store.record_of(row)
    assert isinstance(found, Observation)
    return found


def test_a_memory_is_stale_when_a_commit_changes_one_of_its_files(
    store: Store, repository: Repository
) -> None:
    first = remember(store, repository.root, 10, "a.py", "b.py")
    other = remember(store, repository.root, 10, "src/c.py")
    none = remember(store, repository.root, 10)
    assert stale(store) == []

    repository.change(20, "b.py")
    later = remember(store, repository.root, 30, "b.py")
    repository.change(40, "b.py")
    assert stale(store) == [first.id, later.id]
    assert store.changed_files(first) == [ChangedFile("b.py", at(40), 2, False, False)]
    assert store.changed_files(later) == [ChangedFile("b.py", at(40), 1, False, False)]
    assert store.changed_files(other) == store.changed_files(none) == []


def test_what_is_not_committed_does_not_count(store: Store, repository: Repository) -> None:
    remember(store, repository.root, 10, "a.py")
    repository.write("a.py", "being written")
    assert stale(store) == []


def test_files_that_are_deleted_or_renamed_have_changed_and_renamed_ones_are_followed(
    store: Store, repository: Repository
) -> None:
    deleted = remember(store, repository.root, 10, "a.py")
    renamed = remember(store, repository.root, 10, "b.py")
    repository.git("rm", "-q", "a.py")
    repository.git("mv", "b.py", "d.py")
    repository.commit(20)
    assert stale(store) == [deleted.id, renamed.id]
    assert store.changed_files(deleted) == [ChangedFile("a.py", at(20), 1, True, False)]
    assert store.changed_files(renamed) == [ChangedFile("b.py", at(20), 1, False, True)]
    assert [store.changed_files(one)[0].change for one in (deleted, renamed)] == ["deleted", "renamed"]

    between = remember(store, repository.root, 25, "b.py")
    repository.change(30, "d.py")
    assert stale(store) == [deleted.id, renamed.id, between.id]
    assert store.changed_files(renamed) == [ChangedFile("b.py", at(30), 2, False, True)]


def test_the_commit_of_an_agents_own_change_does_not_count_but_the_next_one_does(
    store: Store, repository: Repository
) -> None:
    own = remember(store, repository.root, 10, files_modified=["a.py"], event_id="e-1")
    read_too = remember(store, repository.root, 10, "a.py", "b.py", files_modified=["a.py"], event_id="e-2")
    by_hand = remember(store, repository.root, 10, files_modified=["a.py"])
    repository.change(20, "a.py")
    assert stale(store) == [by_hand.id]
    repository.change(21, "b.py")
    assert stale(store) == [read_too.id, by_hand.id]
    repository.change(30, "a.py")
    assert stale(store) == [own.id, read_too.id, by_hand.id]


def test_an_own_change_that_is_rebased_later_does_not_count_but_one_made_much_later_does(
    store: Store, repository: Repository
) -> None:
    rebased = remember(store, repository.root, 10, files_modified=["a.py"], event_id="e-1")
    never = remember(store, repository.root, 10, files_modified=["b.py"], event_id="e-2")
    repository.change(3_000, "a.py", authored=12)
    repository.change(3_000, "b.py")
    assert stale(store) == [never.id]
    assert store.changed_files(rebased) == []


@pytest.mark.parametrize("name", ["{root}/a.py", "./a.py", "src/../a.py", "{tree}/a.py", "{link}/a.py"])
def test_a_file_is_known_by_whatever_path_an_agent_gave_it(
    store: Store, repository: Repository, tmp_path: Path, name: str
) -> None:
    tree, link = tmp_path / "tree", tmp_path / "link"
    repository.git("worktree", "add", "-q", str(tree))
    link.symlink_to(repository.root)
    remember(store, tree, 1, session="c-2")
    remember(store, link, 1, session="c-3")
    file = name.format(root=repository.root, tree=tree, link=link)
    one = remember(store, repository.root, 10, file)
    repository.change(20, "a.py")
    assert stale(store) == [one.id]
    assert store.changed_files(one)[0].path == file


def test_a_session_in_a_sub_folder_names_its_files_from_there(store: Store, repository: Repository) -> None:
    inner = remember(store, repository.root / "src", 10, "c.py", "../b.py")
    repository.change(20, "src/c.py")
    assert [one.path for one in (stale(store), store.changed_files(inner))[1]] == ["c.py"]
    repository.git("rm", "-q", "src/c.py")
    repository.commit(30)
    assert stale(store) == [inner.id]


@pytest.mark.parametrize(
    "name", ["/etc/passwd", "../atlas/a.py", "", ".", "/", "a\0b", "https://example.org/a.py", "~/a.py"]
)
def test_files_elsewhere_have_no_mark(store: Store, repository: Repository, name: str) -> None:
    remember(store, repository.root, 10, name)
    repository.change(20, "a.py")
    assert stale(store) == []


@pytest.mark.parametrize(
    "name",
    ["two\nlines.py", "-x", "--output=y", ":(glob)**", "*.py", "tab\there", "\x01 1 2", "M", "café 文件.py",
     'a"quote', "back\\slash"],
)  # fmt: skip
@pytest.mark.sampled
def test_hostile_names_of_files_are_but_names(store: Store, repository: Repository, name: str) -> None:
    repository.write(name)
    repository.commit(5)
    one, other = (remember(store, repository.root, 10, file) for file in (name, "a.py"))
    repository.change(20, name)
    expected = [one.id] if _stored(store, one) == name else []
    assert stale(store) == expected
    repository.change(30, "a.py")
    assert stale(store) == [*expected, other.id]


def _stored(store: Store, one: Observation) -> str:
    return store.observations.get(one.id).files_read[0]


def test_a_session_whose_folder_is_unknown_belongs_to_its_projects_only_repository(
    store: Store, repository: Repository, tmp_path: Path
) -> None:
    lost = remember(store, None, 10, "a.py", session="c-lost")
    gone = remember(store, tmp_path / "gone", 10, "a.py", session="c-gone")
    repository.change(20, "a.py")
    assert stale(store) == []
    here = remember(store, repository.root, 10, "a.py")
    assert stale(store) == [lost.id, gone.id, here.id]
    second = Repository(tmp_path / "second")
    second.change(0, "z.py")
    remember(store, second.root, 10, "z.py", session="c-2")
    assert stale(store) == [here.id]


def test_two_repositories_do_not_share_what_they_know_of_a_name(
    store: Store, repository: Repository, tmp_path: Path
) -> None:
    other = Repository(tmp_path / "borealis")
    other.change(0, "a.py")
    here = remember(store, repository.root, 10, "a.py")
    there = remember(store, other.root, 10, "a.py", session="c-2")
    other.change(20, "a.py")
    assert stale(store) == [there.id]
    repository.change(30, "a.py")
    assert stale(store) == [here.id, there.id]
    assert [store.changed_files(one)[0].changed_at for one in (here, there)] == [at(30), at(20)]


def test_without_a_repository_nothing_is_marked_and_marks_go_with_it(
    store: Store, repository: Repository, tmp_path: Path
) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    remember(store, plain, 10, "a.py", session="c-2")
    one = remember(store, repository.root, 10, "a.py")
    repository.change(20, "a.py")
    assert stale(store) == [one.id]
    repository.root.rename(tmp_path / "moved")
    assert stale(store) == []


def test_a_repository_without_commits_has_no_mark(store: Store, tmp_path: Path) -> None:
    remember(store, Repository(tmp_path / "new").root, 10, "a.py")
    assert stale(store) == []


def test_going_back_to_an_older_commit_takes_the_marks_away(store: Store, repository: Repository) -> None:
    one = remember(store, repository.root, 10, "a.py")
    repository.change(20, "a.py")
    assert stale(store) == [one.id]
    repository.git("reset", "-q", "--hard", "HEAD~1")
    assert stale(store) == []


def test_the_log_is_read_once_for_a_commit_and_nothing_is_written_where_nothing_changed(
    store: Store, repository: Repository
) -> None:
    remember(store, repository.root, 10, "a.py")
    repository.change(20, "a.py")
    first = refresh(store)
    assert (first.read, first.marks, first.failed) == (1, 1, 0)
    before = store.data_version()
    again = refresh(store)
    assert (again.read, again.marks, again.failed) == (0, 0, 0)
    with Store.open(store.path) as other:
        assert refresh(other).read == 0
    assert store.data_version() == before


def test_what_is_deleted_edited_restored_or_rebuilt_keeps_the_right_mark(
    store: Store, repository: Repository
) -> None:
    one = remember(store, repository.root, 10, "a.py")
    two = remember(store, repository.root, 10, "b.py")
    repository.change(20, "a.py")
    assert stale(store) == [one.id]

    store.observations.delete(one.id)
    assert stale(store) == []
    assert (
        store.find("is:deleted is:stale").rows(0, 9) == store.find("is:private -is:stale").rows(0, 9) == []
    )
    assert [row.record_id for row in store.find("is:deleted -is:stale").rows(0, 9)] == [one.id]
    store.undo()
    assert stale(store) == [one.id]

    store.edit(two.uid, {"files_read": ["a.py"]})
    assert stale(store) == [one.id, two.id]
    store.undo()
    assert stale(store) == [one.id]
    store.observations.pin(one.id)
    assert stale(store) == [one.id]
    store.rebuild()
    assert stale(store) == [one.id]
    older = remember(store, repository.root, -10, "src/c.py")
    assert stale(store) == [one.id, older.id]


def test_another_memory_with_the_number_of_one_that_is_gone_has_no_mark_of_it(
    store: Store, repository: Repository
) -> None:
    one = remember(store, repository.root, 10, "a.py")
    repository.change(20, "a.py")
    assert stale(store) == [one.id]
    store.observations.delete(one.id)
    remember(store, repository.root, 10, "b.py")
    assert stale(store) == []


def test_ids_that_many_at_once_gave_up_are_looked_at_again(store: Store, repository: Repository) -> None:
    repository.change(5, "b.py")
    one = remember(store, repository.root, 10, "a.py")
    repository.change(20, "a.py", "b.py")
    assert stale(store) == [one.id]
    newest = int(str(store.db.execute("SELECT max(id) FROM documents").get))
    with store.transaction():
        drop_documents(store.db, [newest])
        store.db.execute("DELETE FROM observations WHERE id = ?", (one.id,))
    two = remember(store, repository.root, 10, "b.py")
    assert store.db.execute("SELECT max(id) FROM documents").get == newest
    assert stale(store) == [two.id]


def test_private_memories_leave_no_trace_and_no_path_is_kept_outside_of_labels(
    store: Store, repository: Repository
) -> None:
    remember(store, repository.root, 10, "src/c.py", private=True)
    one = remember(store, repository.root, 10, "a.py")
    repository.change(20, "a.py", "src/c.py")
    assert stale(store) == [one.id]
    kept = str(
        [*store.db.execute("SELECT * FROM repositories"), *store.db.execute("SELECT * FROM file_commits")]
    )
    assert "a.py" not in kept
    assert "atlas" not in kept
    assert "c.py" not in str(store.db.execute("SELECT value FROM label_names").fetchall())


def test_a_memory_that_is_only_read_shows_the_marks_that_are_known(
    store: Store, repository: Repository
) -> None:
    one = remember(store, repository.root, 10, "a.py")
    repository.change(20, "a.py")
    assert stale(store) == [one.id]
    repository.change(30, "b.py")
    with Store.open(store.path, read_only=True) as other:
        assert refresh(other).read == 0
        assert [row.record_id for row in other.find("is:stale").rows(0, 9)] == [one.id]
