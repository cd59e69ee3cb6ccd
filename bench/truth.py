"""`python -m bench.truth`: how much of what the memory tells of sessions is true, judged blind.

    python -m bench.truth sample OLD_STORE NEW_STORE --seed 46 --each 40 OUT
    python -m bench.truth score OUT.jsonl OUT.key.json JUDGED.jsonl

`sample` takes lines of what two versions made of the same transcripts, mixes them, and writes OUT.jsonl,
which doesn't tell which version said a line; OUT.key.json does. Whoever judges looks each line up in its
transcript, and writes a JSON a line into JUDGED: {"id": …, "verdict": …}, the verdicts as `sample` prints
them. A line that both versions said is judged once. `score` prints per kind and version how many were
judged, how many of them are true, useful and false, and the true lines a session.
"""

import argparse
import json
import random
from collections import Counter, defaultdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import apsw

VERDICTS = {
    "useful": "it is so, and whoever goes on with the work would want to know it",
    "true": "it is so, but goes without saying or tells nearly nothing",
    "useless": "a fragment, or something of another kind: nothing that could be so or not",
    "false": "it isn't so, or was no longer so at the end of the session",
}
KINDS = {
    "done": "what the session changed, which stayed so and was checked or not doubted",
    "left": "what was still open at the end of the session: to do, to decide, to check",
    "decision": "what was chosen by the user, or by the agent without objection, and held at the end",
    "fact": "what the user said that holds beyond the task",
    "title": "what a tool use or reply did to what, and how it came out",
}
VERSIONS = ("old", "new")
SESSIONS = """
SELECT content_session_id, (
    SELECT path FROM transcripts WHERE instr(path, content_session_id) ORDER BY length(path) LIMIT 1
) FROM sessions WHERE deleted_at IS NULL AND prompt_counter > 0
"""
SUMMARIES = """
SELECT content_session_id, summaries.prompt_number, summaries.created_at, completed, next_steps
FROM summaries JOIN sessions ON sessions.id = session_id
WHERE level = 'detailed' AND summaries.deleted_at IS NULL
"""
OBSERVATIONS = """
SELECT content_session_id, prompt_number, observations.created_at, observations.title, observations.type
FROM observations JOIN sessions ON sessions.id = session_id
WHERE observations.type <> 'noise' AND observations.title <> '' AND observations.deleted_at IS NULL
"""
FACTS = """
SELECT content_session_id, NULL, fact_sources.told_at, facts.content
FROM facts JOIN fact_sources ON fact_sources.fact_id = facts.id
JOIN sessions ON content_session_id = fact_sources.session
WHERE facts.deleted_at IS NULL AND superseded_by IS NULL
"""


class Line(NamedTuple):
    """A line of a kind that a version tells of a session."""

    kind: str
    session: str
    text: str


Place = tuple[int | None, int]  # The turn, None for the whole session; and when, ms.


def main() -> int:
    """Sample or score."""
    parser = argparse.ArgumentParser(prog="python -m bench.truth", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    sampling = commands.add_parser("sample", help="write lines of two stores to be judged")
    sampling.add_argument("old", type=Path)
    sampling.add_argument("new", type=Path)
    sampling.add_argument("out", type=Path)
    sampling.add_argument("--seed", type=int, required=True)
    sampling.add_argument("--each", type=int, default=40, help="lines of a kind and version")
    scoring = commands.add_parser("score", help="print what came of the judgement")
    for name in ("lines", "key", "judged"):
        scoring.add_argument(name, type=Path)
    given = parser.parse_args()
    if given.command == "sample":
        number = sample(given.old, given.new, given.out, given.seed, given.each)
        print(
            f"{number} lines in {given.out}.jsonl. Kinds:",
            *_told(KINDS),
            "Verdicts:",
            *_told(VERDICTS),
            sep="\n",
        )
    else:
        print("kind", "version", "n", "true %", "useful %", "false %", "true lines a session", sep="\t")
        for row in score(given.lines, given.key, given.judged):
            print(*row, sep="\t")
    return 0


def sample(old: Path, new: Path, out: Path, seed: int, each: int) -> int:
    """Write at most `each` lines of each kind and version into OUT.jsonl, in random order, and which
    version said them into OUT.key.json; return how many there are to judge."""
    chance = random.Random(seed)
    paths = {name: _sessions(path) for name, path in zip(VERSIONS, (old, new), strict=True)}
    both = paths["old"].keys() & paths["new"].keys()
    said = {name: _lines(path, both) for name, path in zip(VERSIONS, (old, new), strict=True)}
    chosen: dict[Line, list[str]] = defaultdict(list)
    for name in VERSIONS:
        for kind in KINDS:
            lines = sorted(line for line in said[name] if line.kind == kind)
            for line in chance.sample(lines, min(each, len(lines))):
                chosen[line].append(name)
    order = sorted(chosen)
    chance.shuffle(order)
    with Path(f"{out}.jsonl").open("w", encoding="utf-8") as file:
        for number, line in enumerate(order, 1):
            turn, at = said[chosen[line][0]][line]
            when = datetime.fromtimestamp(at / 1_000, UTC).isoformat()
            shown = {
                "id": number,
                **line._asdict(),
                "transcript": paths["new"][line.session],
                "turn": turn,
                "at": when,
            }
            print(json.dumps(shown, ensure_ascii=False), file=file)
    said_by = {number: chosen[line] for number, line in enumerate(order, 1)}
    totals = {name: Counter(line.kind for line in said[name]) for name in VERSIONS}
    key = {"seed": seed, "sessions": len(both), "lines": totals, "said_by": said_by}
    Path(f"{out}.key.json").write_text(json.dumps(key, indent=1), "utf-8")
    return len(order)


def score(lines: Path, key: Path, judged: Path) -> list[tuple[str, ...]]:
    """Return per kind and version: how many lines were judged, the percentages of those that are true,
    useful and false, and the true lines a session, as far as the sample tells."""
    verdicts = {one["id"]: one["verdict"] for one in _read(judged)}
    if unknown := set(verdicts.values()) - VERDICTS.keys():
        raise SystemExit(f"no verdict: {', '.join(sorted(map(str, unknown)))}")
    made: dict[str, Any] = json.loads(key.read_text("utf-8"))
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for one in _read(lines):
        if one["id"] in verdicts:
            for name in made["said_by"][str(one["id"])]:
                found[one["kind"], name].append(verdicts[one["id"]])
    rows = []
    for kind in KINDS:
        for name in VERSIONS:
            if got := found[kind, name]:
                holds = sum(map(got.count, ("useful", "true")))
                shares = (holds, got.count("useful"), got.count("false"))
                a_session = holds / len(got) * made["lines"][name][kind] / made["sessions"]
                percent = (f"{100 * share / len(got):.0f}" for share in shares)
                rows.append((kind, name, str(len(got)), *percent, f"{a_session:.2f}"))
    return rows


def _sessions(store: Path) -> dict[str, str | None]:
    """Return the sessions of a store and the transcript of each, None where it isn't known."""
    return dict(_rows(store, SESSIONS))


def _lines(store: Path, sessions: set[str]) -> dict[Line, Place]:
    """Return what a store tells of some sessions, and where it was said last."""
    lines: dict[Line, Place] = {}

    def add(kind: str, session: str, place: Place, text: str) -> None:
        if session in sessions and (words := " ".join(text.split())):
            lines[Line(kind, session, words)] = place

    for session, _, at, completed, next_steps in _rows(store, SUMMARIES):
        for kind, text in (("done", completed), ("left", next_steps)):
            for line in (text or "").splitlines():
                add(kind, session, (None, at), line.removeprefix("- "))
    for session, turn, at, title, sort in _rows(store, OBSERVATIONS):
        add("decision" if sort == "decision" else "title", session, (turn, at), title)
    for session, turn, at, content in _rows(store, FACTS):
        add("fact", session, (turn, at), content)
    return lines


def _rows(store: Path, sql: str) -> list[Any]:
    db = apsw.Connection(str(store), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return list(db.execute(sql))
    finally:
        db.close()


def _read(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]


def _told(meanings: dict[str, str]) -> list[str]:
    return [f"  {name}: {meaning}" for name, meaning in meanings.items()]


if __name__ == "__main__":
    raise SystemExit(main())
