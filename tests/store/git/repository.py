"""Small git repositories, made where a test wants one."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

NOON = 1_750_000_000
"""When the first commits are made, in seconds since the epoch. Tests count minutes from it."""

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def at(minutes: float) -> int:
    """A moment in ms since the epoch."""
    return round((NOON + minutes * 60) * 1_000)


class Repository:
    """A repository at a path; its commits are made at a minute that the test names."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str, minutes: float = 0, authored: float | None = None) -> str:
        """Run git here, with no configuration but the repository's."""
        when = {"COMMITTER": minutes, "AUTHOR": minutes if authored is None else authored}
        environment = {
            "PATH": os.environ["PATH"], "HOME": str(self.root.parent),
            "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null",
        }  # fmt: skip
        for who, minute in when.items():
            environment |= {
                f"GIT_{who}_NAME": "Ana", f"GIT_{who}_EMAIL": "ana@example.org",
                f"GIT_{who}_DATE": f"@{at(minute) // 1000} +0000",
            }  # fmt: skip
        done = subprocess.run(
            ["git", "-C", str(self.root), *arguments],
            env=environment, check=True, capture_output=True, text=True, errors="surrogateescape",
        )  # fmt: skip
        return done.stdout

    def write(self, name: str, text: str = "") -> None:
        """Write a file, with lines of its own unless a text is given."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text or f"{name!r}\n" * 20)

    def commit(self, minutes: float, authored: float | None = None) -> None:
        """Commit all that there is."""
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "a step", minutes=minutes, authored=authored)

    def change(self, minutes: float, *names: str, authored: float | None = None) -> None:
        """Add a line to files, which are made where they are missing, and commit that."""
        for name in names:
            if not (self.root / name).exists():
                self.write(name)
            with (self.root / name).open("a") as file:
                file.write(f"at {minutes}\n")
        self.commit(minutes, authored)
