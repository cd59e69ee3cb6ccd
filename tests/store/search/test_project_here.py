"""project:. is the project of the current directory, by its repository, in lists, counts and completion."""

from pathlib import Path

import pytest

from memtui.store import Store


@pytest.fixture
def here(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store with memories of two projects, in the directory of one of them."""
    folder = tmp_path / "Atlas" / "src"
    folder.mkdir(parents=True)
    (tmp_path / "Atlas" / ".git").mkdir()
    monkeypatch.chdir(folder)
    store.observations.add("c-1", title="valve", project="Atlas")
    gone = store.observations.add("c-1", title="old valve", project="Atlas")
    store.observations.delete(gone)
    store.observations.add("c-2", title="pump", project="harbour")
    return store


def found(store: Store, query: str) -> list[str]:
    return [hit.row.title for hit in store.find(query).page().hits]


def test_it_finds_what_is_of_this_project(here: Store) -> None:
    assert found(here, "project:.") == ["valve"]
    assert found(here, "-project:.") == ["pump"]
    assert sorted(found(here, "project:.,harbour")) == ["pump", "valve"]
    assert found(here, "is:deleted project:.") == ["old valve"]
    assert here.find("project:.").count().value == 1
    assert here.remarks("project:.") == ()


def test_it_follows_what_the_project_is_called_now(here: Store) -> None:
    here.known_projects.of(str(Path.cwd()))
    here.known_projects.merge("Atlas", "charts")
    assert found(here, "project:.") == ["valve"]


def test_it_is_offered_where_there_is_one(here: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    offered = here.completions("project:")
    assert offered is not None
    assert (offered.items[0].text, offered.items[0].note) == (".", "here: Atlas")
    monkeypatch.chdir("/")
    (remark,) = here.remarks("project:.")
    assert remark.sentence == "The project here, none, has no memory."
    offered = here.completions("project:")
    assert offered is not None
    assert "." not in [one.text for one in offered.items]


def test_a_store_is_here_in_a_repository_that_has_memories_of_its_own(
    here: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert here.here() == "Atlas"
    (tmp_path / "harbour").mkdir()
    monkeypatch.chdir(tmp_path / "harbour")
    assert here.here() == ""
    other = tmp_path / "other"
    (other / ".git").mkdir(parents=True)
    monkeypatch.chdir(other)
    assert here.here() == ""


def test_another_worktree_is_here_too(here: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "Atlas" / ".git" / "worktrees" / "feature"
    own.mkdir(parents=True)
    (own / "commondir").write_text("../..\n")
    worktree = tmp_path / "feature"
    worktree.mkdir()
    (worktree / ".git").write_text(f"gitdir: {own}\n")
    monkeypatch.chdir(worktree)
    assert here.here() == "Atlas"
    assert found(here, "project:.") == ["valve"]
