"""Measure `mem files`: with 2,000 notes of 20 projects, and in a repository of very many files.

    python -m bench.files --notes 2000 --files 200000

Each figure of the repository stands beside `git ls-files` of the same one.
"""

import argparse
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from memtui.store.agents.homes import AgentHomes
from memtui.store.leaves.files.agent_files import slug
from memtui.store.leaves.files.checks import check
from memtui.store.leaves.files.discovery import discover
from memtui.store.leaves.files.index import FileIndex
from memtui.store.leaves.files.query import refreshed
from memtui.store.leaves.files.starts import agent_start

PROJECTS = 20
NOTE = "---\nname: {0}\ndescription: fact {0}\nmetadata:\n  type: project\n---\n\nFact {0}: {1}\n"
WORDS = "cart session cookie retry deploy index token cache worker queue".split()


def timed(do: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """Return the least ms of three runs."""
    taken = []
    for _ in range(3):
        begun = clock()
        do()
        taken.append((clock() - begun) * 1_000)
    return min(taken)


def notes(base: Path, count: int) -> tuple[AgentHomes, list[Path]]:
    """Make projects, and in a home the notes of each."""
    projects = [base / f"p{number}" for number in range(PROJECTS)]
    for project in projects:
        (project / ".git").mkdir(parents=True)
        (project / "CLAUDE.md").write_text("# Rules\n\nUse pnpm.\n")
        memory = base / "home/.claude/projects" / slug(project) / "memory"
        memory.mkdir(parents=True)
        lines = ""
        for number in range(count // PROJECTS):
            said = " ".join(WORDS[(number + at * at) % len(WORDS)] for at in range(number % 60))
            (memory / f"n{number}.md").write_text(NOTE.format(f"n{number}", said))
            lines += f"- [n{number}](n{number}.md)\n"
        (memory / "MEMORY.md").write_text(lines)
    return AgentHomes(base / "home", {}), projects


def repository(base: Path, count: int) -> Path:
    """Make a repository of so many files."""
    root = base / "large"
    for number in range(count):
        if number % 200 == 0:
            folder = root / f"a{number // 20_000}/b{number // 200}"
            folder.mkdir(parents=True)
        (folder / f"f{number}.py").touch()
    (root / "CLAUDE.md").write_text("Use pnpm.\n")
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    subprocess.run(["git", "-C", str(root), "add", "."], check=True)
    return root


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--notes", type=int, default=2_000)
    parser.add_argument("--files", type=int, default=200_000)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="memtui-bench-") as name:
        base = Path(name).resolve()
        here, projects = notes(base, chosen.notes)
        begun = time.process_time()
        with FileIndex(base / "files.db") as index:
            found = refreshed(index, here, projects)
            print(f"list, cold: {(time.process_time() - begun) * 1_000:,.0f} ms CPU")
            warm = timed(lambda: refreshed(index, here, projects), time.process_time)
            print(f"list, warm: {warm:,.0f} ms CPU")
        used = timed(lambda: check(here, projects, found.files), time.process_time)
        print(f"check of {len(found.files):,} files: {used:,.0f} ms CPU")
        root = repository(base, chosen.files)
        alone = AgentHomes(base / "nobody", {})
        small = timed(lambda: agent_start(here, "claude-code", projects[0]))
        large = timed(lambda: agent_start(here, "claude-code", root))
        print(f"told: {small:.1f} ms in a small repository, {large:.1f} ms in the large one")
        command = ["git", "-C", str(root), "ls-files", "-co", "--exclude-standard"]
        bare = timed(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL))
        listed = timed(lambda: discover(alone, [root]))
        files = discover(alone, [root]).files
        checked = timed(lambda: (discover(alone, [root]), check(alone, [root], files)))
        print(f"git ls-files: {bare:,.0f} ms; list: {listed:,.0f} ms, × {listed / bare:.2f}")
        print(f"list and check: {checked:,.0f} ms, × {checked / bare:.2f}")


if __name__ == "__main__":
    main()
