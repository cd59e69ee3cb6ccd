"""Imports: a claude-mem database read in, against bare apsw writing the same rows and indexes."""

from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import apsw

from bench.memories import Memories
from bench.report import Section, middle
from bench.whole import run
from memtui.store import Store
from memtui.store.leaves.foreign.database_import import import_database
from memtui.store.search.index.documents import fetch
from memtui.store.search.index.full_text import gram_text
from memtui.store.text.language.folding import prepare

ROWS = 20_000
LARGE = 100_000
ROUNDS = 3
SOURCE = """
CREATE TABLE schema_versions (id INTEGER PRIMARY KEY, version INTEGER, applied_at TEXT NOT NULL);
INSERT INTO schema_versions VALUES (1, 21, '2026-01-01T00:00:00.000Z');
CREATE TABLE sdk_sessions (
    id INTEGER PRIMARY KEY, content_session_id TEXT UNIQUE NOT NULL, memory_session_id TEXT UNIQUE,
    project TEXT NOT NULL, user_prompt TEXT, started_at TEXT NOT NULL,
    started_at_epoch INTEGER NOT NULL, completed_at TEXT, completed_at_epoch INTEGER,
    status TEXT NOT NULL DEFAULT 'active', worker_port INTEGER, prompt_counter INTEGER DEFAULT 0
);
CREATE TABLE user_prompts (
    id INTEGER PRIMARY KEY, content_session_id TEXT NOT NULL, prompt_number INTEGER NOT NULL,
    prompt_text TEXT NOT NULL, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL
);
CREATE TABLE session_summaries (
    id INTEGER PRIMARY KEY, memory_session_id TEXT NOT NULL, project TEXT NOT NULL, request TEXT,
    investigated TEXT, learned TEXT, completed TEXT, next_steps TEXT, files_read TEXT,
    files_edited TEXT, notes TEXT, prompt_number INTEGER, discovery_tokens INTEGER DEFAULT 0,
    created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL
);
CREATE TABLE observations (
    id INTEGER PRIMARY KEY, memory_session_id TEXT NOT NULL, project TEXT NOT NULL, text TEXT,
    type TEXT NOT NULL, title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT,
    files_read TEXT, files_modified TEXT, prompt_number INTEGER, discovery_tokens INTEGER,
    created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL
);
"""
BARE = """
CREATE VIRTUAL TABLE words USING fts5(title, body, lists, content='', contentless_delete=1,
    tokenize='porter unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE grams USING fts5(text, content='', contentless_delete=1, detail='none',
    tokenize='trigram case_sensitive 1');
"""


def measure() -> Section:
    """The import of observations of about 100 words, few and many."""
    return Section(
        "Imports",
        "Seconds to read a claude-mem database in, and for bare apsw to write the same rows and both "
        "indexes in bulk, their text prepared beforehand; and the most memory that `mem import` held.",
        ("observations", "import", "a second", "bare", "ratio", "MB"),
        [_row(ROWS, ROUNDS), _row(LARGE, 1)],
    )


def _row(count: int, rounds: int) -> tuple[str, ...]:
    with TemporaryDirectory() as folder:
        source = Path(folder) / "claude-mem.db"
        write_source(source, count)
        ours, bare = [], []
        for number in range(rounds):
            path = Path(folder) / f"{number}.db"
            with Store.open(path) as store:
                start = perf_counter()
                import_database(store, source)
                ours.append(perf_counter() - start)
            bare.append(bare_write(path, Path(folder) / f"{number}-bare.db", count))
        held = run(Path(folder) / "command.db", "import", str(source)).megabytes
    return (
        f"{count:,}",
        f"{middle(ours):.1f}",
        f"{count / middle(ours):,.0f}",
        f"{middle(bare):.1f}",
        f"{middle(ours) / middle(bare):.2f}",
        f"{held:.0f}",
    )


def write_source(path: Path, count: int) -> None:
    """A claude-mem 9 shaped database of so many generated observations."""
    made = Memories()
    db = apsw.Connection(str(path))
    db.execute(SOURCE)
    with db:
        for session in range(count // 40):
            db.execute(
                "INSERT INTO sdk_sessions (id, content_session_id, memory_session_id, project, "
                "started_at, started_at_epoch) VALUES (?, ?, ?, ?, '2026-01-01T00:00:00Z', ?)",
                (session + 1, f"c{session}", f"m{session}", f"p{session % 20}", 1_767_225_600_000),
            )
        for number in range(count):
            row = made.observation(number, 1_767_225_600_000 + number * 1_000)
            row["memory"] = f"m{number // 40}"
            db.execute(
                "INSERT INTO observations VALUES (NULL, :memory, :project, NULL, :type, :title, NULL, "
                ":facts, :narrative, :concepts, :files_read, :files_modified, :prompt_number, "
                ":discovery_tokens, '2026-01-01T00:00:00Z', :created_at)",
                row,
            )
    db.close()


def bare_write(path: Path, target: Path, count: int = ROWS) -> float:
    """Seconds that apsw alone takes for the rows and index texts of an imported store."""
    with Store.open(path, read_only=True) as store:
        schema = str(store.db.execute("SELECT sql FROM sqlite_schema WHERE name = 'observations'").get)
        rows = store.db.execute("SELECT * FROM observations").fetchall()
        texts = [(one.id, one.parts(), one.joined()) for one in fetch(store.db, range(1, count + 1))]
    words = [(number, *map(prepare, parts)) for number, parts, _ in texts]
    grams = [(number, gram_text(joined)) for number, _, joined in texts]
    db = apsw.Connection(str(target))
    db.pragma("journal_mode", "wal")
    db.pragma("synchronous", "NORMAL")
    db.execute(schema.replace("REFERENCES sessions (id) ON DELETE CASCADE", ""))
    db.execute(BARE)
    start = perf_counter()
    with db:
        insert(db, "observations", rows)
        insert(db, "words (rowid, title, body, lists)", words)
        insert(db, "grams (rowid, text)", grams)
    taken = perf_counter() - start
    db.close()
    return taken


def insert(db: apsw.Connection, table: str, rows: Iterable[tuple[object, ...]]) -> None:
    """Write rows in bulk."""
    found = list(rows)
    marks = ", ".join("?" * len(found[0]))
    db.executemany(f"INSERT INTO {table} VALUES ({marks})", found)
