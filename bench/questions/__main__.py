"""`python -m bench.questions [FOLDER QUESTIONS]`: is what people ask weeks later stored, found, and told at
hand-over?

Without arguments of sessions that the project makes itself (`bench/questions/sessions.json`: English and
Chinese, with questions and what answers each), written as Claude Code writes them; else of a FOLDER of
transcripts of any agent, with QUESTIONS of a JSON a line: transcript, session, category, question, gold.
They are imported in the order of their ends, and observed by rules alone.

A question is answered where one of its patterns matches: *stored* in a memory's full text, *shown* in
what a hit shows (question, verdict and passage of a turn; at most 900 characters), *opened* in all of its
turn, *told* in what the next session of the project is told.
"""

import json
import re
import sys
from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from memtui.store import Store
from memtui.store.capture.ingest.transcripts import read_transcript
from memtui.store.context.block import compose
from memtui.store.maintain.importing import run, source_of
from memtui.store.observe.jobs.job import process_by_rules
from memtui.store.records.rows import Hit

SESSIONS = Path(__file__).with_name("sessions.json")
BEGIN = int(datetime(2026, 3, 2, 9, tzinfo=UTC).timestamp())
DAY, MINUTE = 86_400, 60
COLUMNS = ("stored", "shown@1", "shown@5", "opened@1", "opened@5", "told")
MOST_SHOWN = 900
STAMP = re.compile(r'"timestamp": ?"([^"]+)"')
MILLIS = re.compile(r'"(?:created|completed|updated)": ?(\d{13})')
TEXTS = ("title", "subtitle", "narrative", "text", "facts", "request", "investigated", "learned",
         "completed", "next_steps", "notes", "content")  # fmt: skip


def main() -> int:
    """Print the figures; with --failed also which questions have no answer among the first five."""
    given = [one for one in sys.argv[1:] if not one.startswith("-")]
    with TemporaryDirectory() as folder, Store.open(Path(folder) / "memory.db") as store:
        made = _transcripts(store, *map(Path, given)) if given else _own(store, Path(folder))
        rows, failed = _measured(store, made)
    print("questions", "n", *COLUMNS, sep="\t")
    for name, figures in rows.items():
        print(name, *figures, sep="\t")
    if "--failed" in sys.argv:
        print(*failed, sep="\n")
    return 0


class Asked(NamedTuple):
    """A question, its category, the patterns that answer it, and what a next session was told."""

    question: str
    category: str
    patterns: list[str]
    told: str


def measure() -> tuple[dict[str, tuple[str, ...]], list[str]]:
    """Return of the project's own sessions, by category, how many questions there are and the shares that
    `COLUMNS` names; and the questions whose answer isn't shown among the first five."""
    with TemporaryDirectory() as folder, Store.open(Path(folder) / "memory.db") as store:
        return _measured(store, _own(store, Path(folder)))


def _own(store: Store, folder: Path) -> list[Asked]:
    sessions: list[dict[str, Any]] = json.loads(SESSIONS.read_text("utf-8"))
    told = [_remembered(store, folder, place, one) for place, one in enumerate(sessions)]
    return [
        Asked(question, category, patterns, context)
        for session, context in zip(sessions, told, strict=True)
        for question, category, patterns in session["asked"]
    ]


def _transcripts(store: Store, folder: Path, questions: Path) -> list[Asked]:
    asked = [json.loads(line) for line in questions.read_text("utf-8").splitlines() if line.strip()]
    sessions = {one["transcript"]: one["session"] for one in asked}
    told = {}
    for path in sorted(folder.iterdir(), key=_end):
        run(store, source_of(path), path, None)
        process_by_rules(store, 60)
        if path.name in sessions:
            project = store.sessions.get(sessions[path.name]).project
            told[path.name] = compose(store.db, project).text
    return [Asked(one["question"], one["category"], one["gold"], told[one["transcript"]]) for one in asked]


def _end(path: Path) -> str:
    """When a transcript ends, as it writes times."""
    text = path.read_text("utf-8", "replace")
    stamps = [datetime.fromtimestamp(int(one) / 1_000, UTC).isoformat() for one in MILLIS.findall(text)]
    return max([*stamps, *STAMP.findall(text)], default="")


def _measured(store: Store, asked: list[Asked]) -> tuple[dict[str, tuple[str, ...]], list[str]]:
    found: dict[str, list[tuple[bool, ...]]] = defaultdict(list)
    failed: list[str] = []
    everything = _all_texts(store)
    for one in asked:
        shown, opened = _ranks(store, one)
        outcome = (
            any(_matches(one.patterns, text) for text in everything),
            *(0 < rank <= deep for rank in (shown, opened) for deep in (1, 5)),
            _matches(one.patterns, one.told),
        )
        found[one.category].append(outcome)
        found["all"].append(outcome)
        if not 0 < shown <= 5:
            failed.append(f"{one.category}\t{shown or '-'}\t{opened or '-'}\t{one.question}")
    shares = {name: _shares(found[name]) for name in sorted(found)}
    return shares, failed


def _shares(outcomes: list[tuple[bool, ...]]) -> tuple[str, ...]:
    number = len(outcomes)
    return (str(number), *(f"{sum(column) / number:.2f}" for column in zip(*outcomes, strict=True)))


def _remembered(store: Store, folder: Path, place: int, session: dict[str, Any]) -> str:
    """Import a session, and return what the next one in its project is told."""
    key = f"5e551011-0000-4000-8000-{place:012}"
    cwd = folder / session["project"]
    path = folder / "projects" / session["project"] / f"{key}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(one, ensure_ascii=False) for one in _records(session, key, place, cwd)]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    read_transcript(store, path, "claude-code")
    process_by_rules(store, 60)
    project = store.sessions.get(key).project
    return compose(store.db, project).text


def _records(session: dict[str, Any], key: str, place: int, cwd: Path) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = []

    def add(kind: str, content: object, **more: object) -> None:
        at = datetime.fromtimestamp(BEGIN + place * DAY + len(made) * MINUTE, UTC)
        common = {"type": kind, "uuid": f"{place}-{len(made)}", "sessionId": key, "cwd": str(cwd)}
        message = {"role": kind, "content": content, "id": f"m-{place}-{len(made)}"}
        made.append(common | {"timestamp": at.isoformat(), "message": message} | more)

    for turn in session["turns"]:
        add("user", turn["prompt"])
        for words, tool, given, output in turn["steps"]:
            call = f"t-{place}-{len(made)}"
            blocks: list[dict[str, Any]] = [{"type": "text", "text": words}] if words else []
            add("assistant", [*blocks, {"type": "tool_use", "id": call, "name": tool, "input": given}])
            add("user", [{"type": "tool_result", "tool_use_id": call, "content": output}])
        add("assistant", [{"type": "text", "text": turn["reply"]}])
    return made


def _ranks(store: Store, asked: Asked) -> tuple[int, int]:
    """Return the places, from 1, of the first hits that show and that hold the answer to a question; 0 for
    none of twenty."""
    memories = store.find(asked.question)
    results = memories.page(limit=20, related=True, turns=True)
    shown = memories.excerpts(results.hits)
    texts = [
        "\n".join((hit.row.title, told.passage) if hit.turn is None else told)[:MOST_SHOWN]
        for hit, told in zip(results.hits, shown, strict=True)
    ]
    whole = [_opened(store, hit) for hit in results.hits]
    return _first(asked.patterns, texts), _first(asked.patterns, whole)


def _first(patterns: list[str], texts: list[str]) -> int:
    return next((place for place, text in enumerate(texts, 1) if _matches(patterns, text)), 0)


def _opened(store: Store, hit: Hit) -> str:
    """The full text of a hit: of all records of its turn, where it belongs to one."""
    if hit.turn is None:
        table: Any = getattr(store, {"summary": "summaries"}.get(hit.row.kind, f"{hit.row.kind}s"))
        return _joined(table.get(hit.row.record_id))
    session, number = hit.turn.session_id, hit.turn.number
    prompts = store.prompts.where("session_id = ? AND prompt_number = ?", (session, number))
    return "\n".join(map(_joined, (*prompts, *store.observations.of_turn(session, number))))


def _all_texts(store: Store) -> list[str]:
    tables: tuple[Any, ...] = (store.observations, store.prompts, store.summaries, store.facts)
    return [_joined(one) for table in tables for one in table.where("deleted_at IS NULL")]


def _joined(record: object) -> str:
    values = (getattr(record, name, None) for name in TEXTS)
    return "\n".join(value if isinstance(value, str) else "\n".join(value) for value in values if value)


def _matches(patterns: list[str], text: str) -> bool:
    return any(re.search(one, text, re.IGNORECASE | re.DOTALL) for one in patterns)


if __name__ == "__main__":
    raise SystemExit(main())
