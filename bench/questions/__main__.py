"""`python -m bench.questions`: is what people ask weeks later stored, found, and told at hand-over?

Sessions that the project makes itself (`bench/questions/sessions.json`: English and Chinese, with questions
and what answers each) are written as Claude Code writes them, imported, and observed by rules alone. A
question is answered by a memory in whose full text one of its patterns matches. Where the development set
lies beside the repository, `shared/questions/measure.py` measures that one.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from memtui.store import Store
from memtui.store.capture.ingest.transcripts import read_transcript
from memtui.store.context.block import compose
from memtui.store.observe.jobs.job import process_by_rules
from memtui.store.records import Hit

SESSIONS = Path(__file__).with_name("sessions.json")
BEGIN = int(datetime(2026, 3, 2, 9, tzinfo=UTC).timestamp())
DAY, MINUTE = 86_400, 60
TEXTS = ("title", "subtitle", "narrative", "text", "facts", "request", "investigated", "learned",
         "completed", "next_steps", "notes", "content")  # fmt: skip


def main() -> int:
    """Print the figures; with --failed also which questions have no answer among the first five."""
    rows, failed = measure()
    print("questions", "n", "stored", "hit@1", "hit@5", "told", sep="\t")
    for name, figures in rows.items():
        print(name, *figures, sep="\t")
    if "--failed" in sys.argv:
        print(*failed, sep="\n")
    return 0


def measure() -> tuple[dict[str, tuple[int, str, str, str, str]], list[str]]:
    """Return by category how many questions there are, and the shares that are stored, found first, found
    among the first five, and told to the next session; and the questions that aren't found so."""
    sessions: list[dict[str, Any]] = json.loads(SESSIONS.read_text("utf-8"))
    found: dict[str, list[tuple[bool, int, bool]]] = defaultdict(list)
    failed: list[str] = []
    with TemporaryDirectory() as folder, Store.open(Path(folder) / "memory.db") as store:
        told = [_remembered(store, Path(folder), place, one) for place, one in enumerate(sessions)]
        for session, context in zip(sessions, told, strict=True):
            for question, category, patterns in session["asked"]:
                rank = _rank(store, question, patterns)
                stored = any(_matches(patterns, text) for text in _all_texts(store))
                outcome = (stored, rank, _matches(patterns, context))
                found[category].append(outcome)
                found["all"].append(outcome)
                if not 0 < rank <= 5:
                    failed.append(f"{category}\t{rank or '-'}\t{question}")
    return {name: _shares(found[name]) for name in sorted(found)}, failed


def _shares(outcomes: list[tuple[bool, int, bool]]) -> tuple[int, str, str, str, str]:
    number = len(outcomes)
    counts = (
        sum(stored for stored, _, _ in outcomes),
        sum(rank == 1 for _, rank, _ in outcomes),
        sum(0 < rank <= 5 for _, rank, _ in outcomes),
        sum(told for _, _, told in outcomes),
    )
    stored, first, five, told = (f"{count / number:.2f}" for count in counts)
    return number, stored, first, five, told


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
            add(
                "assistant",
                [*blocks, {"type": "tool_use", "id": call, "name": tool, "input": given}],
            )
            add("user", [{"type": "tool_result", "tool_use_id": call, "content": output}])
        add("assistant", [{"type": "text", "text": turn["reply"]}])
    return made


def _rank(store: Store, question: str, patterns: list[str]) -> int:
    """Return the place of the first hit that answers a question, from 1; 0 for none of twenty."""
    hits = store.search(question, limit=20, related=True)
    return next(
        (place for place, hit in enumerate(hits, 1) if _matches(patterns, _text(store, hit))), 0
    )


def _text(store: Store, hit: Hit) -> str:
    table: Any = getattr(store, {"summary": "summaries"}.get(hit.row.kind, f"{hit.row.kind}s"))
    return _joined(table.get(hit.row.record_id))


def _all_texts(store: Store) -> list[str]:
    tables: tuple[Any, ...] = (store.observations, store.prompts, store.summaries, store.facts)
    return [_joined(one) for table in tables for one in table.where("deleted_at IS NULL")]


def _joined(record: object) -> str:
    values = (getattr(record, name, None) for name in TEXTS)
    return "\n".join(
        value if isinstance(value, str) else "\n".join(value) for value in values if value
    )


def _matches(patterns: list[str], text: str) -> bool:
    return any(re.search(one, text, re.IGNORECASE | re.DOTALL) for one in patterns)


if __name__ == "__main__":
    raise SystemExit(main())
