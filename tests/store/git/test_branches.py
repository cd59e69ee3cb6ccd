"""On which branch a session worked, and what is told of what was decided on one that isn't merged."""

import json
import os
import time
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.agents.registry import BY_NAME
from memtui.store.capture.hook_process.prepared import holds, start_in
from memtui.store.capture.ingest.pipeline import ingest_event
from memtui.store.capture.ingest.transcripts import read_transcript
from memtui.store.context.block import compose
from memtui.store.links.branches import refresh_branches
from memtui.store.records.events import Event
from memtui.store.tables.repositories import branch_in

from ..formats.transcripts.claude_records import asked
from .repository import Repository, needs_git

pytestmark = needs_git
MARK = "(on branch feat/leases)"


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    repository = Repository(tmp_path / "atlas")
    repository.change(0, "a.py")
    return repository


def prompted(store: Store, folder: Path, session: str, at: int | None = None) -> str | None:
    """The branch of a session whose hook told of a prompt in a folder at a time, now unless given."""
    at = at or int(time.time() * 1_000)
    event = Event(
        kind="prompt", agent="codex", session=session, cwd=str(folder), text=f"go on with {session}", at=at
    )
    ingest_event(store, event, "hook")
    found = store.sessions.find(session)
    assert found is not None
    return found.branch


def test_a_hooks_session_is_on_the_branch_of_its_working_copy(store: Store, repository: Repository) -> None:
    root = repository.root
    repository.git("worktree", "add", "-q", "-b", "fix/clocks", str(root.parent / "other"))
    assert prompted(store, root, "one") == "main"
    assert prompted(store, root.parent / "other", "two") == "fix/clocks"
    before = int(time.time() * 1_000) - 60_000
    assert prompted(store, root, "three", before) is None, "HEAD has been moved since"
    repository.git("checkout", "-q", "--detach")
    assert prompted(store, root, "four") is None
    assert prompted(store, root.parent, "five") is None
    (root.parent / "odd").mkdir()
    (root.parent / "odd" / ".git").write_text("gitdir: /dev/zero")
    assert prompted(store, root.parent / "odd", "six") is None
    repository.git("checkout", "-q", "-b", "later")
    assert prompted(store, root, "one") == "later", "the last one counts"


def decided(store: Store, root: Path, session: str, branch: str, title: str) -> None:
    owner = store.sessions.start(session, agent="codex", project="atlas", project_path=str(root))
    store.sessions.set_branch(owner, branch)
    store.observations.add(owner, type="decision", title=title, project="atlas")


def told(store: Store, root: Path, title: str) -> str:
    """The line of a start in a folder that tells of a decision."""
    text = compose(store.db, "atlas", folder=str(root)).text
    return next(line for line in text.splitlines() if title in line)


def test_what_isnt_merged_is_told_on_its_branch_and_marked_elsewhere(
    store: Store, repository: Repository
) -> None:
    root = repository.root
    decided(store, root, "one", "feat/leases", "Leases last a minute")
    decided(store, root, "two", "main", "Clocks are monotonic")
    decided(store, root, "three", "gone", "Retries back off")
    assert not refresh_branches(store), "no such branch: merged, or given up"
    repository.git("checkout", "-q", "-b", "feat/leases")
    repository.change(5, "lease.py")
    assert refresh_branches(store)
    assert not refresh_branches(store)
    assert MARK not in told(store, root, "Leases last")
    repository.git("checkout", "-q", "main")
    assert MARK in told(store, root, "Leases last")
    for title in ("Clocks are", "Retries back"):
        assert "(on branch" not in told(store, root, title)
    repository.git("merge", "-q", "feat/leases", minutes=7)
    assert refresh_branches(store)
    assert MARK not in told(store, root, "Leases last")


def test_a_fact_is_marked_where_all_who_told_it_were_on_the_branch(
    store: Store, repository: Repository
) -> None:
    root = repository.root
    decided(store, root, "one", "feat/leases", "Leases last a minute")
    decided(store, root, "two", "main", "Clocks are monotonic")
    for session, content in (("one", "Leases are strict"), ("one", "Both agree"), ("two", "Both agree")):
        store.facts.add(content, project="atlas", session=store.sessions.get(session))
    repository.git("checkout", "-q", "-b", "feat/leases")
    repository.change(5, "lease.py")
    repository.git("checkout", "-q", "main")
    refresh_branches(store)
    assert MARK in told(store, root, "Leases are strict")
    assert MARK not in told(store, root, "Both agree")


def test_what_was_prepared_for_one_branch_isnt_told_on_another(
    store: Store, repository: Repository
) -> None:
    root, database = str(repository.root), os.fsencode(store.path)
    project, _ = store.known_projects.of(root)
    owner = store.sessions.start("one", agent="codex", project=project, project_path=root)
    store.sessions.set_branch(owner, "feat/leases")
    store.observations.add(owner, type="decision", title="Leases last a minute", project=project)
    repository.git("checkout", "-q", "-b", "feat/leases")
    repository.change(5, "lease.py")
    refresh_branches(store)
    start = start_in(store.db, database, "codex", root)
    assert MARK not in start["answer"]
    assert holds(start, database, BY_NAME["codex"], root)
    repository.git("checkout", "-q", "main")
    assert not holds(start, database, BY_NAME["codex"], root)
    assert MARK in start_in(store.db, database, "codex", root)["answer"]


def titles(store: Store, query: str) -> list[str | None]:
    return [row.title for row in store.find(query).rows()]


def test_a_branch_is_a_filter_and_divides_results(store: Store, tmp_path: Path) -> None:
    decided(store, tmp_path, "one", "feat/leases", "Leases last a minute")
    decided(store, tmp_path, "two", "main", "Clocks are monotonic")
    assert titles(store, "branch:feat/leases") == ["Leases last a minute"]
    assert titles(store, "-branch:FEAT/leases") == ["Clocks are monotonic"]
    assert titles(store, "分支:main,none clocks") == ["Clocks are monotonic"]
    assert store.find("").facets().counts["branch"] == [("feat/leases", 1), ("main", 1)]
    assert store.find("clocks").facets().counts["branch"] == [("main", 1)]
    for text in ("branch:", "branch:fe", "minute branch:"):
        found = store.completions(text)
        assert found is not None
        assert ("feat/leases", 1) in [(item.text, item.count) for item in found.items]
    (remark,) = store.remarks("branch:feat/lease")
    assert remark.query == "branch:feat/leases"


def test_transcripts_tell_the_branch_that_came_last(tmp_path: Path, store: Store) -> None:
    path = tmp_path / ".claude/projects/-home-dev-atlas/5e551011-0000-4000-8000-000000000001.jsonl"
    path.parent.mkdir(parents=True)
    branches = ("main", "feat/leases", "HEAD", "")
    records = [asked(at, f"prompt {at}", gitBranch=name) for at, name in enumerate(branches)]
    path.write_text("".join(json.dumps(one) + "\n" for one in records))
    assert read_transcript(store, path, "claude-code")
    assert [row.session.branch for row in store.sessions.list()] == ["feat/leases"]


def test_no_folder_and_no_file_is_on_no_branch(tmp_path: Path) -> None:
    assert branch_in("") == branch_in("relative") == branch_in(str(tmp_path)) == ""
    (tmp_path / ".git").mkdir()
    os.mkfifo(tmp_path / ".git" / "HEAD")
    assert branch_in(str(tmp_path)) == ""
