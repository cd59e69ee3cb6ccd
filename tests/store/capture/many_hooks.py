"""Hundreds of hooks in the time of a few: each in a process of its own, forked instead of started.

What a hook imports is there already, so its process begins in the state that it would itself reach.
"""

import json
import os
import posix
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from tests.places import PYTHONPATH

from .canaries import canary
from .hooks import Machine, outlived


@dataclass(frozen=True, slots=True)
class Told:
    """What a hook is given: the agent in its command, the event, and variables of the environment."""

    event: bytes
    agent: str = "claude-code"
    variables: dict[str, str] = field(default_factory=dict)


def run_many(machine: Machine, told: list[Told]) -> None:
    """Run a hook for each, one after the other, and wait for the children that they leave; all have to end
    well."""
    with tempfile.TemporaryDirectory() as folder, outlived() as file:
        listed = []
        for number, one in enumerate(told):
            (Path(folder) / str(number)).write_bytes(one.event)
            listed.append((one.agent, one.variables))
        done = subprocess.run(
            [sys.executable, "-m", __name__, folder],
            input=json.dumps(listed).encode(),
            stdout=subprocess.PIPE,
            cwd=machine.folder / "project",
            env=machine.environment(PYTHONPATH=PYTHONPATH),
            pass_fds=[file],
            check=True,
        )
    assert b"Traceback" not in done.stdout


def main(folder: Path) -> None:
    """Fork a hook for each event in a directory; its arguments come on standard input."""
    from memtui.store.capture.ingest import cleaning

    # Whatever a secret is told by is compiled once, and not once more in each process.
    cleaning.clean_text(canary(0))
    for number, (agent, variables) in enumerate(json.load(sys.stdin)):
        child = os.fork()
        if child == 0:
            hook(folder / str(number), agent, variables)
        _, status = os.waitpid(child, 0)
        assert status == 0


def hook(event: Path, agent: str, variables: dict[str, str]) -> None:
    """Be the hook's process."""
    from memtui.store.capture.hook_process.main import run

    os.dup2(os.open(event, os.O_RDONLY), 0)
    posix.environ.update({name.encode(): value.encode() for name, value in variables.items()})
    run([agent])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
