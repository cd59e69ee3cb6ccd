"""Reading a repository runs nothing that it names, writes nothing to it, and ends in time."""

import os
import sys
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.links.changed_files import refresh
from memtui.store.links.git import GitError, Limit, head

from .repository import Repository, at, needs_git

COMMANDS = (
    *("core.fsmonitor", "core.sshCommand", "core.askPass", "core.pager", "core.editor"),
    *("diff.external", "gpg.program", "gpg.ssh.program", "pager.log", "alias.log", "alias.rev-parse"),
    *("diff.evil.textconv", "diff.evil.command", "filter.evil.clean", "filter.evil.smudge"),
    *("credential.helper", "core.alternateRefsCommand", "uploadpack.packObjectsHook"),
    *("remote.origin.uploadpack", "interactive.diffFilter", "sequence.editor", "merge.evil.driver"),
)
"""Settings that name a program."""


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "atlas")
    made.change(0, "a.py", "b.py")
    return made


@pytest.fixture
def remembering(store: Store, repository: Repository) -> Store:
    """A store with a memory of `a.py`, which has changed since."""
    store.sessions.start("c-1", agent="codex", project="atlas", project_path=str(repository.root))
    store.observations.add("c-1", agent="codex", project="atlas", title="t", files_read=["a.py"], at=at(10))
    return store


@needs_git
def test_no_program_that_a_repository_names_is_run(
    remembering: Store, repository: Repository, tmp_path: Path
) -> None:
    repository.change(20, "a.py")
    repository.git("mv", "b.py", "c.py")
    repository.write(".gitattributes", "* diff=evil filter=evil merge=evil\n")
    repository.commit(30)
    ran, evil = tmp_path / "ran", tmp_path / "evil"
    evil.write_text(f"#!/bin/sh\necho x >> {ran}\n")
    evil.chmod(0o755)
    for hook in ("post-index-change", "reference-transaction", "fsmonitor-watchman"):
        path = repository.root / ".git" / "hooks" / hook
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(evil.read_bytes())
        path.chmod(0o755)
    ours = (repository.root / ".git" / "config").read_text()
    with (repository.root / ".git" / "config").open("a") as config:
        for name in COMMANDS:
            section, _, key = name.rpartition(".")
            section, _, sub = section.partition(".")
            head_line = f'[{section} "{sub}"]' if sub else f"[{section}]"
            config.write(f"{head_line}\n\t{key} = {evil}\n")
        config.write("[log]\n\tshowSignature = true\n[core]\n\thooksPath = .git/hooks\n")
        config.write(f'[remote "origin"]\n\turl = {repository.root}\n\tpromisor = true\n')
        config.write("[protocol]\n\tallow = always\n[extensions]\n\tpartialClone = origin\n")
    theirs = (repository.root / ".git" / "config").read_text()
    assert refresh(remembering).marks == 1
    assert not ran.exists()
    # Whether d.py is what c.py was, contents tell, which a partial clone fetches where it lacks them.
    (repository.root / ".git" / "config").write_text(ours)
    repository.git("mv", "c.py", "d.py")
    repository.change(40, "d.py")
    blobs = repository.git("rev-parse", "HEAD:d.py", "HEAD~1:c.py").split()
    (repository.root / ".git" / "config").write_text(theirs)
    for blob in blobs:
        (repository.root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    # The test's own commands ran its hooks.
    ran.unlink(missing_ok=True)
    refresh(remembering)
    assert not ran.exists()


@needs_git
def test_nothing_is_written_to_the_repository(remembering: Store, repository: Repository) -> None:
    repository.change(20, "a.py")
    # What the index knows of this file is out of date: `git status` would write it.
    os.utime(repository.root / "a.py", (1, 1))
    before = _everything(repository.root)
    assert refresh(remembering).marks == 1
    assert _everything(repository.root) == before


def _everything(root: Path) -> list[tuple[str, int, bytes]]:
    files = (path for path in sorted(root.rglob("*")) if path.is_file())
    return [(str(path), path.stat().st_mtime_ns, path.read_bytes()) for path in files]


@needs_git
def test_the_environment_of_a_hook_leads_to_no_other_repository(
    remembering: Store, repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Repository(tmp_path / "other")
    other.change(0, "z.py")
    repository.change(20, "a.py")
    monkeypatch.setenv("GIT_DIR", str(other.root / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.root))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "false")
    monkeypatch.setenv("GIT_TRACE", str(tmp_path / "trace"))
    assert refresh(remembering).marks == 1
    assert not (tmp_path / "trace").exists()


@needs_git
def test_a_directory_that_only_looks_like_a_repository_leads_to_none_above_it(
    store: Store, repository: Repository
) -> None:
    inside = repository.root / "vendored"
    (inside / ".git").mkdir(parents=True)
    store.sessions.start("c-1", agent="codex", project="vendored", project_path=str(inside))
    store.observations.add(
        "c-1", agent="codex", project="vendored", title="t", files_read=["a.py"], at=at(10)
    )
    repository.change(20, "a.py")
    done = refresh(store)
    assert (done.read, done.marks, done.failed) == (0, 0, 1)


@needs_git
@pytest.mark.parametrize("config", ["[core", "[core]\n\trepositoryFormatVersion = 99\n"])
def test_a_repository_that_git_refuses_keeps_the_marks_it_had(
    remembering: Store, repository: Repository, config: str
) -> None:
    repository.change(20, "a.py")
    refresh(remembering)
    (repository.root / ".git" / "config").write_text(config)
    assert refresh(remembering).failed == 1
    assert remembering.find("is:stale").count().value == 1


@pytest.mark.parametrize(
    "script",
    ["sleep 600", "yes x", "exit 3", "printf 'deadbeef\\n'; exit 0", "printf '\\001no times\\0M\\0a'"],
)
def test_a_git_that_hangs_fails_or_says_nonsense_is_left_in_time(
    remembering: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "git"
    program.write_text(
        f"#!/bin/sh\nexec sh -c {script!r}\n" if "'" not in script else f"#!/bin/sh\n{script}\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    done = refresh(remembering, Limit(0.5))
    assert done.marks == 0
    assert remembering.find("is:stale").count().value == 0


def test_without_git_there_is_no_mark(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "atlas" / ".git").mkdir(parents=True)
    store.sessions.start("c-1", agent="codex", project="atlas", project_path=str(tmp_path / "atlas"))
    store.observations.add("c-1", agent="codex", project="atlas", title="t", files_read=["a.py"])
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent / "nowhere"))
    with pytest.raises(GitError, match="There is no git"):
        head(str(tmp_path), Limit(1))
    assert refresh(store).failed == 1
    assert store.find("is:stale").rows(0, 9) == []


@needs_git
def test_a_refresh_that_is_stopped_from_another_thread_ends_and_changes_nothing(
    remembering: Store, repository: Repository
) -> None:
    repository.change(20, "a.py")
    limit = Limit(60)
    limit.stop()
    assert refresh(remembering, limit).failed == 1
    assert remembering.find("is:stale").count().value == 0
