"""A folder of transcripts through a whole life: imported, processed, read, exported, imported elsewhere."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bench.real.prompts import transcripts
from memtui.store import Store

ROOT = Path(__file__).parents[2]
"""Where `-m` finds this bench, wherever it was started."""
MARK = re.compile(r"\[redacted ([a-z0-9-]+) [0-9a-f]{6}\]")
READING = ("stats", "search --everywhere error", "context", "doctor", "fact list", "session list")
MOVED = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")
TABLES = ("observations", "prompts", "summaries", "facts")


class Figures(NamedTuple):
    """The figures of a folder: transcripts on disk, what is stored of them, marks a 1,000 rows, whether an
    export imported elsewhere and exported again is the same, CPU seconds a MB of transcript to import and
    process, MB of memory at most, and commands that failed."""

    name: str
    transcripts: int
    megabytes: float
    sessions: int
    rows: int
    quarantined: int
    marks: float
    same: bool
    cpu: float
    memory: float
    broken: list[str]

    @property
    def is_sound(self) -> bool:
        """Return whether no command failed, no event is quarantined, and the second export is the first."""
        return self.same and not self.broken and not self.quarantined

    def line(self) -> str:
        """The figures as one line, and a line for each command that failed."""
        export = "the same" if self.same else "DIFFERS"
        return (
            f"{self.name}: {self.transcripts} transcripts of {self.megabytes:.0f} MB, "
            f"{self.sessions} sessions, {self.rows} rows, {self.quarantined} quarantined, "
            f"{self.marks:.1f} marks per 1,000 rows, export {export}, "
            f"{self.cpu:.2f} CPU s a MB, {self.memory:.0f} MB at most"
        ) + "".join(f"\n   BROKEN {text}" for text in self.broken)


class Runs:
    """Runs `mem` of this environment in a home of its own, in which a folder's entries are linked."""

    def __init__(self, folder: Path, work: Path) -> None:
        self.work = work
        self.broken: list[str] = []
        self.cpu = self.memory = 0.0
        home = work / "home"
        home.mkdir()
        for entry in folder.iterdir():
            (home / entry.name).symlink_to(entry)
        kept = {name: value for name, value in os.environ.items() if not name.startswith("MEMTUI_")}
        moved = {name: str(work / name) for name in MOVED}
        self.environment = kept | moved | {"HOME": str(home), "NO_COLOR": "1", "LANGUAGE": "en"}

    def mem(
        self, *arguments: str, db: str = "m.db", module: tuple[str, ...] = ("memtui.store.cli",)
    ) -> None:
        """Run a command and wait for it; note its CPU seconds, its memory, and whether it failed."""
        with (self.work / "stdout").open("w") as out, (self.work / "stderr").open("w") as errors:
            process = subprocess.Popen(
                [sys.executable, "-m", *module, *arguments],
                cwd=ROOT,
                stdout=out,
                stderr=errors,
                env=self.environment | {"MEMTUI_DB": str(self.work / db)},
            )
            # Of this one alone: what is counted of all children has the greatest of all.
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        self.cpu += usage.ru_utime + usage.ru_stime
        # Linux counts in KB, macOS in bytes.
        self.memory = max(self.memory, usage.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10))
        said = (self.work / "stderr").read_text("utf-8", "replace").strip()
        if process.returncode or "Traceback" in said:
            self.broken.append(f"{arguments[0]} {process.returncode} {said.splitlines()[-1:]}")


def measured(folder: Path, work: Path) -> Figures:
    """Take a folder through it all; leave its store in `work/m.db`, its slowest records in `work/slow`."""
    runs = Runs(folder, work)
    slow = ("bench.real.slow", str(work / "slow"))
    runs.mem("import", "--all", module=slow)
    for export in sorted(folder.glob("opencode/*.json")):
        runs.mem("import", str(export), module=slow)
    runs.mem("queue", "process", module=slow)
    cpu, memory = runs.cpu, runs.memory
    for words in READING:
        runs.mem(*words.split())
    first, second = work / "a.jsonl", work / "b.jsonl"
    runs.mem("export", "jsonl", str(first))
    runs.mem("import", str(first), db="n.db")
    runs.mem("export", "jsonl", str(second), db="n.db")
    same = first.exists() and second.exists() and first.read_bytes() == second.read_bytes()
    files = [path for _, path in transcripts(folder)]
    megabytes = sum(path.stat().st_size for path in files) / 1e6
    with Store.open(work / "m.db", read_only=True) as store:
        rows, marks = 0, 0
        for text in all_rows(store):
            rows += 1
            marks += len(MARK.findall(text))
        quarantined = int(store.db.execute("SELECT count(*) FROM quarantine").get)
        sessions = store.sessions.count()
    per_row, per_megabyte = 1_000 * marks / max(rows, 1), cpu / max(megabytes, 0.001)
    return Figures(folder.name, len(files), megabytes, sessions, rows, quarantined, per_row, same,
                   per_megabyte, memory, runs.broken)  # fmt: skip


def all_rows(store: Store) -> Iterator[str]:
    """Yield the texts of each row, noise and hidden ones too, as one text."""
    for table in TABLES:
        for row in store.db.execute(f"SELECT * FROM {table}"):
            yield "\n".join(value for value in row if isinstance(value, str))
