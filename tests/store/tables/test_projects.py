"""A project is known by its repository, wherever that lies and whatever its folder is called."""

import shutil
import subprocess
from pathlib import Path

import pytest

from memtui.store import InvalidRecordError, NotFoundError, Store
from memtui.store.context.scope import BUDGET_TOKENS, Profile, profile_of, save_profile
from memtui.store.formats.scheme_c.directory_import import import_directory
from memtui.store.tables import repositories
from memtui.store.tables.repositories import normalize_remote
from tests.store.formats.scheme_c.directories import DAY, directory, line


@pytest.fixture(autouse=True)
def always_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repositories, "FRESH_SECONDS", 0.0)


def repository(path: Path, remote: str | None = None) -> Path:
    """A repository with one commit, and a remote where one is named."""
    path.mkdir(parents=True)
    git(path, "init", "--quiet")
    git(path, "commit", "--quiet", "--allow-empty", "-m", f"begin {path}")
    if remote:
        git(path, "remote", "add", "origin", remote)
    return path


def git(path: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=n", "-c", "user.email=e@example.org")
    subprocess.run(["git", *identity, *arguments], cwd=path, check=True, capture_output=True)


def project(store: Store, path: Path) -> str:
    return store.known_projects.of(str(path))[0]


def test_a_repository_that_changes_is_seen_in_a_process_that_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1_000.0
    monkeypatch.setattr(repositories, "FRESH_SECONDS", 5.0)
    monkeypatch.setattr(repositories, "monotonic", lambda: now)
    folder = tmp_path / "atlas" / "src"
    folder.mkdir(parents=True)
    assert repositories.locate(str(folder)).name == "src"
    (tmp_path / "atlas" / ".git").mkdir()
    assert repositories.locate(str(folder)).name == "src"
    now += 5
    assert repositories.locate(str(folder)).name == "atlas"


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/acme/atlas.git",
        "https://user:word@github.com/acme/atlas",
        "git@github.com:acme/atlas.git",
        "ssh://git@github.com:22/acme/atlas.git/",
        "git://GitHub.com/acme/atlas",
    ],
)
def test_every_spelling_of_a_remote_is_one_place(url: str) -> None:
    assert normalize_remote(url) == "github.com/acme/atlas"


@pytest.mark.parametrize("url", ["/srv/git/atlas.git", "../atlas", "file:///srv/atlas", "~/atlas"])
def test_a_local_remote_is_no_identity(url: str) -> None:
    assert normalize_remote(url) is None


def test_a_project_is_named_by_its_remote_and_not_by_its_folder(store: Store, tmp_path: Path) -> None:
    clone = repository(tmp_path / "work copy", "git@github.com:acme/atlas.git")
    inside = clone / "src" / "auth"
    inside.mkdir(parents=True)
    assert store.known_projects.of(str(inside)) == ("atlas", str(clone))


def test_two_clones_of_one_remote_are_one_project(store: Store, tmp_path: Path) -> None:
    first = repository(tmp_path / "a", "https://github.com/acme/atlas")
    second = repository(tmp_path / "b", "git@github.com:acme/atlas.git")
    assert project(store, first) == project(store, second) == "atlas"


def test_a_worktree_shares_its_repository_s_project(store: Store, tmp_path: Path) -> None:
    main = repository(tmp_path / "atlas")
    git(main, "worktree", "add", "--quiet", str(tmp_path / "fix-login"))
    assert store.known_projects.of(str(tmp_path / "fix-login")) == ("atlas", str(main))


def test_worktrees_of_a_bare_repository_share_its_project(store: Store, tmp_path: Path) -> None:
    main = repository(tmp_path / "seed")
    bare = tmp_path / "atlas.git"
    git(tmp_path, "clone", "--quiet", "--bare", str(main), str(bare))
    for name in ("one", "two"):
        git(bare, "worktree", "add", "--quiet", "-b", name, str(tmp_path / name))
    assert project(store, tmp_path / "one") == project(store, tmp_path / "two") == "atlas"


def test_a_renamed_folder_stays_the_project_of_its_remote(store: Store, tmp_path: Path) -> None:
    clone = repository(tmp_path / "atlas", "https://github.com/acme/atlas")
    assert project(store, clone) == "atlas"
    assert project(store, clone.rename(tmp_path / "old-atlas")) == "atlas"


def test_a_repository_without_a_remote_is_known_by_its_first_commit(store: Store, tmp_path: Path) -> None:
    clone = repository(tmp_path / "atlas")
    assert project(store, clone) == "atlas"
    moved = clone.rename(tmp_path / "charts")
    assert project(store, moved) == "atlas"
    one = store.sessions.start("s-1", project="atlas", project_path=str(clone))
    assert store.known_projects.followed(one).project_path == str(moved)
    git(tmp_path, "clone", "--quiet", str(moved), "copy")
    assert project(store, tmp_path / "copy") == "atlas"
    hub, more = tmp_path / "hub.git", [tmp_path / "one", tmp_path / "two"]
    git(tmp_path, "init", "--quiet", "--bare", str(hub))
    for path in more:
        git(tmp_path, "clone", "--quiet", f"file://{hub}", str(path))
    assert [project(store, path) for path in more] == ["one", "one"]
    assert "commit" not in str(store.known_projects.places())


@pytest.mark.parametrize("remote", [None, "https://github.com/acme/other"])
def test_a_repository_in_a_moved_one_s_place_is_another_project(
    store: Store, tmp_path: Path, remote: str | None
) -> None:
    clone = repository(tmp_path / "atlas")
    assert project(store, clone) == "atlas"
    moved = clone.rename(tmp_path / "charts")
    newcomer = project(store, repository(tmp_path / "begun", remote).rename(clone))
    assert newcomer == "other" if remote else newcomer not in ("", "atlas")
    assert [project(store, path) for path in (moved, clone)] == ["atlas", newcomer]


@pytest.mark.parametrize("by", ["files", "a person"])
def test_a_history_that_is_begun_anew_is_of_the_same_project(store: Store, tmp_path: Path, by: str) -> None:
    path = repository(tmp_path / "atlas")
    session = store.sessions.start("s-1", project=project(store, path), project_path=str(path))
    if by == "files":
        (path / "app.py").touch()
        store.observations.add(session, title="Wrote app.py", files_modified=[f"{path}/app.py"])
        shutil.rmtree(path / ".git")
    else:
        path.rename(tmp_path / "gone")
        path = tmp_path / "new"
        path.mkdir()
    git(path, "init", "--quiet")
    git(path, "commit", "--quiet", "--allow-empty", "-m", "anew")
    if by == "a person":
        store.known_projects.move_folder(str(tmp_path / "atlas"), str(path))
    assert project(store, path) == project(store, path) == "atlas"


def test_a_fork_is_another_project_than_what_has_its_first_commit(store: Store, tmp_path: Path) -> None:
    ours = repository(tmp_path / "atlas", "https://github.com/acme/atlas")
    assert project(store, ours) == "atlas"
    fork = shutil.copytree(ours, tmp_path / "fork")
    git(fork, "remote", "set-url", "origin", "https://github.com/ann/charts")
    assert project(store, fork) == "charts"
    begun = repository(tmp_path / "begun")
    assert project(store, begun) == "begun"
    published = begun.rename(tmp_path / "published")
    git(published, "remote", "add", "origin", "https://github.com/acme/published")
    assert project(store, published) == "begun"


def test_a_moved_folder_takes_all_that_happened_in_it_along(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    (old / "web").mkdir(parents=True)
    (old / "main.py").touch()
    assert project(store, old) == "old"
    session = store.sessions.start("s-1", project="old", project_path=str(old))
    below = store.sessions.start("s-2", project="web", project_path=str(old / "web"))
    beside = store.sessions.start("s-3", project="older", project_path=f"{old}er")
    store.observations.add(session, title="done", project="old", files_modified=["main.py", "gone.py"])
    store.facts.add("it holds", project="old")
    old.rename(new)
    (new / "gone.py").touch()
    (new / "lib").mkdir()
    monkeypatch.chdir(new / "lib")
    (remark,) = store.remarks("project:.")
    assert remark.sentence.endswith(f"`mem session move {old} {new}`")
    with store.change("moved"):
        assert store.known_projects.move_folder(str(old), str(new)) == 2
    paths = [store.sessions.get(one.id).project_path for one in (session, below, beside)]
    assert paths == [str(new), str(new / "web"), f"{old}er"]
    # Whatever names the old folder from now on, as a transcript does, means the new one.
    for folder in (old, new):
        assert store.known_projects.of(str(folder)) == ("old", str(new))
    assert store.known_projects.of(str(old / "src")) == ("src", str(new / "src"))
    monkeypatch.chdir(new)
    assert [hit.row.title for hit in store.find("project:.").page().hits] == ["it holds", "done"]
    assert store.remarks("project:.") == ()
    # A folder that is there again is itself.
    old.mkdir()
    assert store.known_projects.moved(str(old)) == str(old)
    store.undo()
    assert store.sessions.get(session.id).project_path == str(old)
    assert store.db.execute("SELECT count(*) FROM project_aliases").get == 0


def test_a_folder_moves_into_the_project_that_is_there_and_on_from_there(
    store: Store, tmp_path: Path
) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / name).mkdir()
    a, b, c = (str(tmp_path / name) for name in "abc")
    for place in (a, b):
        store.sessions.start(place, project=store.known_projects.of(place)[0], project_path=place)
    store.known_projects.move_folder(a, b)
    assert {one.session.project for one in store.sessions.list()} == {"b"}
    store.known_projects.move_folder(b, c)
    (tmp_path / "a").rmdir()
    assert store.known_projects.of(a) == ("b", c)
    assert {one.session.project_path for one in store.sessions.list()} == {c}
    with pytest.raises(NotFoundError):
        store.known_projects.move_folder("/no/where", c)
    with pytest.raises(InvalidRecordError):
        store.known_projects.move_folder(c, c)


def test_two_projects_of_one_name_are_told_apart(store: Store, tmp_path: Path) -> None:
    ours = repository(tmp_path / "1", "https://github.com/acme/api")
    theirs = repository(tmp_path / "2", "https://github.com/other/api")
    third = repository(tmp_path / "3" / "other" / "api")
    assert [project(store, one) for one in (ours, theirs, third)] == ["api", "other/api", "api-2"]
    assert project(store, theirs) == "other/api"


def test_a_folder_that_is_no_repository_is_its_own_project(store: Store, tmp_path: Path) -> None:
    assert store.known_projects.of("/home/dev/proj") == ("proj", "/home/dev/proj")
    assert store.known_projects.of(None) == ("", None)


@pytest.mark.parametrize(
    "worktree",
    [
        "/srv/code/atlas/.worktrees/2",
        "/srv/code/atlas/.worktrees/soph/fix-login/src",
        "/srv/code/atlas/.claude/worktrees/fix-login",
        "/srv/code/atlas.worktrees/fix-login",
        "/home/ann/.cursor/worktrees/atlas/x1y2",
        "/home/ann/.worktrees/atlas/fix-login",
        "/home/ann/.codex/worktrees/ab12/atlas/src",
        "/home/ann/.claude-worktrees/atlas/fix-login",
        "/Users/ann/conductor/workspaces/atlas/hanoi",
        "/srv/code/atlas/.trees/fix-login",
    ],
)
def test_a_worktree_that_is_gone_is_of_the_repository_that_its_path_names(
    store: Store, worktree: str
) -> None:
    assert store.known_projects.of("/srv/code/atlas")[0] == "atlas"
    assert store.known_projects.of(worktree)[0] == "atlas"


@pytest.mark.parametrize(
    "worktree",
    [
        r"D:\atlas\.claude\worktrees\agent-1\src",
        r"D:\atlas.worktrees\fix-login",
        r"C:\Users\ann\.cursor\worktrees\atlas\x1y2",
        r"c:\users\ann\.codex\worktrees\ab12\atlas\src",
        r"C:\Users\ann\.claude-worktrees\atlas\fix-login",
        r"D:\atlas\.worktrees\soph\fix-login",
        r"\\wsl$\Ubuntu\home\ann\.worktrees\atlas\fix-login",
    ],
)
def test_so_is_one_of_another_system(store: Store, worktree: str) -> None:
    assert store.known_projects.of(r"D:\atlas") == ("atlas", r"D:\atlas")
    assert store.known_projects.of(worktree)[0] == "atlas"


def test_two_directories_of_one_name_on_another_system_are_told_apart(store: Store) -> None:
    folders = [r"C:\code\acme\api", r"D:\other\api"]
    assert [store.known_projects.of(folder)[0] for folder in folders] == ["api", "other/api"]


@pytest.mark.parametrize(
    "folder",
    ["/srv/worktrees/fix", "/.worktrees/fix", "/srv/.worktrees", "/home/ann/.worktrees/fix", "/srv/a\\b"],
)
def test_a_directory_that_only_looks_like_a_worktree_is_its_own_project(store: Store, folder: str) -> None:
    assert store.known_projects.of(folder) == (folder.rpartition("/")[2], folder)


def test_a_directory_that_is_gone_is_of_the_remote_that_the_agent_wrote_down(store: Store) -> None:
    first = store.known_projects.of("/srv/one/copy", "https://ann:word@github.com/acme/atlas.git")
    again = store.known_projects.of("/srv/two/other", "git@github.com:acme/atlas.git")
    assert (first[0], again[0]) == ("atlas", "atlas")
    assert "word" not in str(store.known_projects.places())


def test_a_directory_of_another_system_is_not_looked_for_in_the_current_one(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository(tmp_path / "here"))
    assert project(store, Path("C:\\code\\atlas")) == "atlas"


def test_a_place_joins_the_project_that_was_imported_under_its_name(store: Store) -> None:
    store.observations.add("c-1", title="imported", project="atlas")
    assert store.known_projects.of("/home/dev/atlas")[0] == "atlas"


def test_a_merge_moves_everything_and_what_comes_later(store: Store) -> None:
    store.sessions.start("c-1", project="old", agent="codex")
    store.prompts.add("c-1", "why")
    store.observations.add("c-1", title="found", project="old")
    store.summaries.add("c-1", request="why", project="old")
    store.facts.add("it holds", project="old")
    store.notes.upsert("MEMORY.md", "text", project="old")
    store.known_projects.of("/home/dev/old")
    assert store.known_projects.merge("old", "new") == 5
    assert store.projects() == [("new", 4)]
    assert store.known_projects.of("/home/dev/old")[0] == "new"
    assert store.known_projects.of("/elsewhere/old")[0] == "new"
    assert {hit.row.project for hit in store.find("why").page().hits} == {"new"}


def test_what_both_projects_hold_is_there_once_after_a_merge(store: Store) -> None:
    for name in ("old", "new"):
        store.facts.add("it holds", project=name)
        store.notes.upsert("MEMORY.md", f"of {name}", project=name)
    store.known_projects.merge("old", "new")
    assert [fact.project for fact in store.facts.list()] == ["new"]
    assert [note.text for note in store.notes.list()] == ["of new"]


def test_a_fact_of_both_projects_has_all_who_told_it_after_a_merge(store: Store) -> None:
    here = store.facts.add("It holds.", project="new", confidence=0.7, sources=["ann"])
    there = store.facts.add("it holds", project="old", confidence=0.7, sources=["bob", "cy"])
    store.facts.pin(there)
    store.known_projects.merge("old", "new")
    (fact,) = store.facts.list()
    assert (fact.uid, fact.sources, fact.pinned) == (here.uid, ("ann", "bob", "cy"), True)
    assert fact.confidence == 0.91
    told = store.facts.add("It holds!", project="new", confidence=0.7, sources=["bob", "cy"])
    assert told == fact


def test_a_fact_that_was_hidden_in_either_project_is_hidden_after_a_merge(store: Store) -> None:
    store.facts.add("it holds", project="new")
    store.facts.add("it holds", project="old", private=True)
    store.known_projects.merge("old", "new")
    assert store.facts.list() == []
    assert store.find("holds").count().value == 0


def test_a_line_that_told_a_merged_fact_is_known_when_it_is_read_again(
    store: Store, tmp_path: Path
) -> None:
    day = [
        line(1, "session_start", workspace="/home/dev/old"),
        line(2, "fact", content="it holds", memory_type="W"),
    ]
    path = directory(tmp_path / "c", d16=day)
    store.facts.add("it holds", kind="W", project="new", sources=["ann"])
    import_directory(store, path)
    assert len(store.facts.list()) == 2
    store.known_projects.merge("old", "new")
    (fact,) = store.facts.list()
    assert set(fact.sources) == {f"daily/{DAY}.jsonl#log-100200", "ann"}
    assert import_directory(store, path).changes == 0
    assert store.facts.list() == [fact]


def test_what_was_chosen_for_a_project_s_sessions_moves_unless_the_other_has_chosen_too(
    store: Store,
) -> None:
    for project in ("old", "older", "new"):
        store.observations.add("c-1", title="t", project=project)
    save_profile(store, "old", Profile(700))
    store.known_projects.merge("old", "new")
    assert profile_of(store.db, "new").budget == 700
    save_profile(store, "older", Profile(900))
    store.known_projects.merge("older", "new")
    assert profile_of(store.db, "new").budget == 700
    assert profile_of(store.db, "older").budget == BUDGET_TOKENS


def test_merges_follow_each_other_and_back(store: Store) -> None:
    store.observations.add("c-1", title="found", project="a")
    store.known_projects.of("/home/dev/a")
    store.known_projects.merge("a", "b")
    store.known_projects.merge("b", "c")
    assert store.known_projects.of("/other/a")[0] == "c"
    store.known_projects.merge("c", "a")
    assert store.known_projects.of("/home/dev/a")[0] == "a"
    assert store.known_projects.current_name("b") == "a"


def test_an_unknown_project_or_itself_is_not_merged(store: Store) -> None:
    with pytest.raises(NotFoundError, match="mem project list"):
        store.known_projects.merge("nobody", "new")
    with pytest.raises(InvalidRecordError):
        store.known_projects.merge("same", "same")
