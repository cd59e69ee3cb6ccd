"""`python -m bench.questions [FOLDER [QUESTIONS]]`: is what people ask weeks later stored, found, and told?

Without arguments of sessions that the project makes itself (`bench/questions/sessions.json`: English and
Chinese, with questions and what answers each), written as Claude Code writes them; else of a FOLDER of
transcripts of any agent, with QUESTIONS of a JSON a line: session, category, question, gold (patterns), and
where they are known words (borrowed from the transcript, or other), language, after and until (the sessions
with whose ends the answer begins to hold, and ends), and stale (patterns of what no longer holds). Without
QUESTIONS these are `third.jsonl`, whose `source` names a repository, a branch and a folder of it: at commit
5ef9f6d6 of Safecast/safecast-map-MCP and 9fa2d0c7 of rommeld/leeson. For each, `git fetch` the branch and
`git show COMMIT:FOLDER/full.jsonl > TRANSCRIPTS/SESSION.jsonl`.

The sessions are imported in the order of their ends, and observed by rules alone. A question is answered
where one of its patterns matches: *stored* in a memory's full text, *shown* in what a hit shows (question,
verdict and passage of a turn), *opened* in all of its turn, *told* in what the next session of the project
is told at its start, after two and five more sessions, and after the last one, of those questions of which
the answer still holds; *stale* is told what doesn't. At a prompt, which is the question: whether the hook
*speaks* and *answers* in its project, and speaks *elsewhere*, in the other projects that questions are of.
"""

import json
import re
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from memtui.store import Store
from memtui.store.capture.ingest.transcripts import read_transcript
from memtui.store.context.block import compose
from memtui.store.context.hints import prompt_context
from memtui.store.maintain.importing import run, source_of
from memtui.store.observe.jobs.job import process_by_rules
from memtui.store.records.rows import Hit

SESSIONS = Path(__file__).with_name("sessions.json")
BEGIN = int(datetime(2026, 3, 2, 9, tzinfo=UTC).timestamp())
DAY, MINUTE = 86_400, 60
THIRD = Path(__file__).with_name("third.jsonl")
SESSIONS_OF = "SELECT content_session_id, project FROM sessions ORDER BY id LIMIT -1 OFFSET ?"
LATER = (0, 2, 5)
"""After so many more sessions of a project it is looked at what the next one is told."""
COLUMNS = (
    *("stored", "shown@1", "shown@5", "opened@1", "opened@5", "opened@10"),
    *("told", "told+2", "told+5", "told at the end", "stale", "speaks", "answers", "elsewhere"),
)
Outcome = Mapping[str, bool | float | None]
"""Whether a question is answered, by column of `COLUMNS`; None where the column doesn't apply to it."""
STAMP = re.compile(r'"timestamp": ?"([^"]+)"')
MILLIS = re.compile(r'"(?:created|completed|updated)": ?(\d{13})')
TEXTS = ("title", "subtitle", "narrative", "text", "facts", "request", "investigated", "learned",
         "completed", "next_steps", "notes", "content")  # fmt: skip


def main() -> int:
    """Print the figures; with --failed also which questions have no answer among the first five."""
    given = [Path(one) for one in sys.argv[1:] if not one.startswith("-")]
    with TemporaryDirectory() as folder, Store.open(Path(folder) / "memory.db") as store:
        made = asked_of(store, given[0], [*given, THIRD][1]) if given else own(store, Path(folder))
        rows, failed = _measured(store, made)
    print("questions", "n", *COLUMNS, sep="\t")
    for name, figures in rows.items():
        print(name, *figures, sep="\t")
    if "--failed" in sys.argv:
        print(*failed, sep="\n")
    return 0


class Asked(NamedTuple):
    """A question, the names of the groups that it belongs to, the patterns that answer it and those of what
    no longer holds, its project, and what each session of that is told at its start, from the one
    after the answer's on; of those the first `lasting` while the answer holds."""

    question: str
    groups: list[str]
    patterns: list[str]
    stale: list[str]
    project: str
    told: list[str]
    lasting: int


def measure() -> tuple[dict[str, tuple[str, ...]], list[str]]:
    """Return of the project's own sessions, by category, how many questions there are and the shares that
    `COLUMNS` names; and the questions whose answer isn't shown among the first five."""
    with TemporaryDirectory() as folder, Store.open(Path(folder) / "memory.db") as store:
        return _measured(store, own(store, Path(folder)))


class Starts:
    """The contexts that the sessions after each one are given at their starts, by project, in the order in
    which those ended."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.texts: defaultdict[str, list[str]] = defaultdict(list)
        self.project: dict[str, str] = {}

    def note(self) -> None:
        """Note the sessions that have come."""
        known = len(self.project)
        rows: list[Any] = self.store.db.execute(SESSIONS_OF, (known,)).fetchall()
        for key, project in rows:
            self.project[key] = project
            self.texts[project].append(compose(self.store.db, project).text)

    def asked(self, one: dict[str, Any]) -> Asked:
        """A question with what was told after its session."""
        project = self.project[one["session"]]
        order = [*self.project]
        # A session may be of another folder, and so of another project.
        first, end = (
            sum(self.project[key] == project for key in order[: order.index(named)])
            if named in order
            else None
            for named in (one.get("after", one["session"]), one.get("until"))
        )
        first, end = first or 0, len(self.texts[project]) if end is None else end
        groups = ["all", one["category"]]
        groups += [f"{name}: {one[name]}" for name in ("words", "language") if name in one]
        stale = one.get("stale", [])
        told = self.texts[project][first:]
        return Asked(one["question"], groups, one["gold"], stale, project, told, end - first)


def own(store: Store, folder: Path) -> list[Asked]:
    """Remember the project's own sessions, written below a folder, and return what is asked of them."""
    sessions: list[dict[str, Any]] = json.loads(SESSIONS.read_text("utf-8"))
    starts = Starts(store)
    keys = []
    for place, session in enumerate(sessions):
        keys.append(_remembered(store, folder, place, session))
        starts.note()
    return [
        starts.asked({"session": key, "question": question, "category": category, "gold": patterns})
        for key, session in zip(keys, sessions, strict=True)
        for question, category, patterns in session["asked"]
    ]


def asked_of(store: Store, folder: Path, questions: Path) -> list[Asked]:
    """Remember a folder of transcripts, and return what is asked of those that it has."""
    asked = [json.loads(line) for line in questions.read_text("utf-8").splitlines() if line.strip()]
    starts = Starts(store)
    for path in sorted(folder.iterdir(), key=_end):
        run(store, source_of(path), path, None)
        process_by_rules(store, 60)
        starts.note()
    return [starts.asked(one) for one in asked if one["session"] in starts.project]


def _end(path: Path) -> str:
    """When a transcript ends, as it writes times."""
    text = path.read_text("utf-8", "replace")
    stamps = [datetime.fromtimestamp(int(one) / 1_000, UTC).isoformat() for one in MILLIS.findall(text)]
    return max([*stamps, *STAMP.findall(text)], default="")


def _measured(store: Store, asked: list[Asked]) -> tuple[dict[str, tuple[str, ...]], list[str]]:
    found: dict[str, list[Outcome]] = defaultdict(list)
    failed: list[str] = []
    everything = _all_texts(store)
    projects = {one.project for one in asked}
    for one in asked:
        shown, opened = _ranks(store, one)
        outcome: Outcome = {
            "stored": any(_matches(one.patterns, text) for text in everything),
            **{f"shown@{deep}": 0 < shown <= deep for deep in (1, 5)},
            **{f"opened@{deep}": 0 < opened <= deep for deep in (1, 5, 10)},
            **_at_starts(one),
            **_at_prompt(store, one, projects),
        }
        for group in one.groups:
            found[group].append(outcome)
        if not 0 < shown <= 5:
            failed.append(f"{one.groups[1]}\t{shown or '-'}\t{opened or '-'}\t{one.question}")
    return {name: _shares(found[name]) for name in sorted(found)}, failed


def _at_starts(asked: Asked) -> Outcome:
    """Return whether the contexts of later sessions answer a question, and whether they tell what no longer
    holds; a line that tells both what held and what holds is not stale."""
    holds = asked.told[: asked.lasting]
    told = {
        "told" if not later else f"told+{later}": _matches(asked.patterns, holds[later])
        if later < len(holds)
        else None
        for later in LATER
    }
    replaced, lines = asked.told[asked.lasting :], "\n".join(asked.told).split("\n")
    wrong = any(_matches(asked.stale, one) and not _matches(asked.patterns, one) for one in lines)
    return told | {
        "told at the end": None if replaced or not holds else _matches(asked.patterns, holds[-1]),
        "stale": wrong or any(_matches(asked.patterns, one) for one in replaced[:1])
        if asked.stale or replaced
        else None,
    }


def _at_prompt(store: Store, asked: Asked, projects: set[str]) -> Outcome:
    """Return whether the hook at a prompt, which is the question, speaks and answers in its project, and in
    which share of the other projects it speaks."""
    told = partial(prompt_context, store.db, prompt=asked.question, agent="bench", session="new")
    own = told(asked.project).text
    others = [bool(told(project).text) for project in projects - {asked.project}]
    return {
        "speaks": bool(own),
        "answers": _matches(asked.patterns, own),
        "elsewhere": sum(others) / len(others) if others else None,
    }


def _shares(outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    """Return the number of questions, and for each column the mean of its values, "-" where it has none."""
    columns = [[value for one in outcomes if (value := one[name]) is not None] for name in COLUMNS]
    shares = (f"{sum(column) / len(column):.2f}" if column else "-" for column in columns)
    return (str(len(outcomes)), *shares)


def _remembered(store: Store, folder: Path, place: int, session: dict[str, Any]) -> str:
    """Import a session, and return its id."""
    key = f"5e551011-0000-4000-8000-{place:012}"
    cwd = folder / session["project"]
    path = folder / "projects" / session["project"] / f"{key}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(one, ensure_ascii=False) for one in _records(session, key, place, cwd)]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    read_transcript(store, path, "claude-code")
    process_by_rules(store, 60)
    return key


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
    hits = store.find(asked.question).page(limit=20, related=True, turns=True).hits
    whole = [_opened(store, hit) for hit in hits]
    return first_place(asked.patterns, shown_of(store, asked.question)), first_place(asked.patterns, whole)


def shown_of(store: Store, words: str) -> list[str]:
    """Return what is shown of each of the first twenty hits of a search."""
    memories = store.find(words)
    hits = memories.page(limit=20, related=True, turns=True).hits
    return [
        "\n".join((hit.row.title, told.passage) if hit.turn is None else told)
        for hit, told in zip(hits, memories.excerpts(hits), strict=True)
    ]


def first_place(patterns: list[str], texts: list[str]) -> int:
    """Return the place, from 1, of the first of the texts in which a pattern matches; 0 for none."""
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
