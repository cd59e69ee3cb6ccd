"""A folder that is a git repository: pulled before it is read, committed and pushed after it was written.

Machines write files of their own only, so that merging never conflicts; who loses a race pulls and pushes
again.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from ...database.recording import host_name
from ...text.plural import count_noun
from .channel import SyncError

TRIES = 8
SECONDS = 120.0
"""The longest that git may take for one step."""


class GitFolder:
    """A work tree with a remote."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        if self._run("rev-parse", "--is-inside-work-tree", check=False).stdout.strip() != "true":
            raise SyncError(
                "{directory} is not a work tree of git: clone the repository there.", directory=directory
            )

    def pull(self) -> None:
        """Bring in what others pushed. Raises SyncError."""
        if not self._run("remote").stdout.strip():
            return
        self._run("fetch", "--quiet")
        branch = self._run("branch", "--show-current").stdout.strip()
        remote = self._run("config", f"branch.{branch}.remote", check=False).stdout.strip() or "origin"
        theirs = f"{remote}/{branch}"
        if not self._run("rev-parse", "--verify", "--quiet", theirs, check=False).stdout:
            return
        self._run(*self._author(), "merge", "--quiet", "--no-edit", "--allow-unrelated-histories", theirs)

    def push(self, written: int) -> bool:
        """Commit what was written, and push it; whether there was anything. Raises SyncError."""
        self._run("add", "--all", ".")
        has_changed = bool(self._run("status", "--porcelain", ".").stdout.strip())
        if has_changed:
            message = f"Memories of {host_name()}: {count_noun(written, 'rows')}"
            self._run(*self._author(), "commit", "--quiet", "--message", message, "--", ".")
        if not self._run("remote").stdout.strip():
            return has_changed
        last = ""
        for _try in range(TRIES):
            done = self._run("push", "--quiet", "--set-upstream", "origin", "HEAD", check=False)
            if done.returncode == 0:
                return has_changed
            last = done.stderr
            self.pull()
        raise SyncError("git could not push: {error}", error=last.strip()[-300:])

    def _author(self) -> list[str]:
        """Options that name an author where git's configuration has none."""
        if self._run("config", "user.email", check=False).stdout.strip():
            return []
        return ["-c", "user.name=memtui", "-c", f"user.email=memtui@{host_name()}"]

    def _run(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        environment = os.environ | {"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
        for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
            environment.pop(name, None)
        try:
            done = subprocess.run(
                ["git", *arguments], cwd=self.directory, env=environment, text=True,
                capture_output=True, errors="replace", timeout=SECONDS, check=False,
                stdin=subprocess.DEVNULL,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            raise SyncError(
                "git could not be run in {directory} ({error}).", directory=self.directory, error=error
            ) from error
        if check and done.returncode:
            said = (done.stderr or done.stdout).strip()[-300:]
            raise SyncError(
                "git {arguments} failed in {directory}: {said}",
                arguments=arguments[0],
                directory=self.directory,
                said=said,
            )
        return done
