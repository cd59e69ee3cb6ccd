"""The page to read: what is stored of each session, and what else a person would look at."""

import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from bench.real.figures import MARK, Figures, all_rows
from bench.real.prompts import prompts_on_disk
from memtui.store import Store
from memtui.store.records.kinds import ref_of
from memtui.store.records.rows import Session
from memtui.store.text.display import safe

LONGEST = 300
"""Characters of a text on the page."""
AROUND = 70
"""Characters before a mark, and after it."""
KEY = 60
"""Letters and digits by which a prompt on disk and one stored are the same."""
VISIBLE = "deleted_at IS NULL AND private = 0"


def page(folder: Path, work: Path, figures: Figures, seed: int, most_marks: int) -> str:
    """Return the page of a folder that was `measured`, as Markdown."""
    on_disk = prompts_on_disk(folder)
    with Store.open(work / "m.db", read_only=True) as store:
        sessions = store.sessions.where(f"{VISIBLE} ORDER BY started_at, id")
        stored = {one.content_session_id for one in sessions}
        known = {_key(one.text) for one in store.prompts.where(VISIBLE)}
        copies = Counter(message for session in on_disk.values() for message in session)
        lines = [
            f"# {figures.name}",
            *figures.line().splitlines(),
            *_section("Slowest records: CPU ms, what, session, characters", _slowest(work)),
            *_section(
                "Sessions on disk of which nothing is stored", [one for one in on_disk if one not in stored]
            ),
            *_section("Facts of no session", _facts_of_none(store, sessions)),
            *_section(
                f"Redaction marks, {most_marks} at most by seed {seed}", _marks(store, seed, most_marks)
            ),
        ]
        for session in sessions:
            typed = on_disk.get(session.content_session_id, {})
            # What a session repeats of another one is stored once, in either.
            elsewhere = {_key(text) for message, text in typed.items() if copies[message] > 1} & known
            lines += _of_session(store, session, [*typed.values()], elsewhere)
    return "\n".join(lines) + "\n"


def _section(title: str, texts: Iterable[str], level: int = 2) -> list[str]:
    """A heading with how many texts, each as an item; nothing where there is none."""
    items = [_item(text) for text in texts]
    return ["", f"{'#' * level} {title} ({len(items)})", "", *items] if items else []


def _item(text: str) -> str:
    line = safe(text)
    return "- " + (line if len(line) <= LONGEST else f"{line[:LONGEST]}…").replace("<", "&lt;")


def _slowest(work: Path) -> Iterator[str]:
    path = work / "slow"
    texts = path.read_text("utf-8").splitlines() if path.exists() else []
    for one in sorted(map(json.loads, texts), reverse=True)[:20]:
        yield "  ".join(map(str, one))


def _marks(store: Store, seed: int, most: int) -> list[str]:
    """Return a seeded sample of the texts around redaction marks, each place once, by the rule's name."""
    places: dict[str, str] = {}
    for row in all_rows(store):
        for mark in MARK.finditer(row):
            around = row[max(0, mark.start() - AROUND) : mark.end() + AROUND]
            places.setdefault(around[:AROUND], f"{mark[1]}: {around}")
    chosen = random.Random(seed).sample(sorted(places.values()), min(most, len(places)))
    return sorted(chosen)


def _facts_of_none(store: Store, sessions: list[Session]) -> Iterator[str]:
    known = {fact.id for session in sessions for fact in store.facts.of_session(session)}
    for fact in store.facts.where(f"{VISIBLE} ORDER BY id"):
        if fact.id not in known:
            yield f"{ref_of(fact)} {fact.content}"


def _of_session(store: Store, session: Session, on_disk: list[str], elsewhere: set[str]) -> Iterator[str]:
    of_it = f"session_id = ? AND {VISIBLE} ORDER BY id"
    prompts = store.prompts.where(of_it, (session.id,))
    observations = store.observations.where(of_it, (session.id,))
    summaries = store.summaries.where(of_it, (session.id,))
    title = store.sessions.titles([session.id])[session.id]
    kinds = Counter(one.type for one in observations)
    kinds["summary"] = len(summaries)
    lost, more = _difference(on_disk, [one.text for one in prompts])
    lost = [text for text in lost if _key(text) not in elsewhere]
    repeated = f" ({len(elsewhere)} of them in another session too)" if elsewhere else ""
    equal = Counter(one.title for one in observations if one.title and one.type != "noise")
    yield from ("", f"## @{session.id} {safe(title)[:LONGEST]}", "")
    yield f"{session.agent}, {session.content_session_id}; project {safe(session.project)}"
    yield f"prompts on disk {len(on_disk)}{repeated}, stored {len(prompts)}; rows: " + ", ".join(
        f"{kind} {number}" for kind, number in kinds.most_common() if number
    )
    yield from _section("Prompts on disk only", lost, 3)
    yield from _section("Prompts stored only", more, 3)
    facts = store.facts.of_session(session)
    yield from _section("Facts", (f"{ref_of(one)} {one.kind} {one.content}" for one in facts), 3)
    decisions = [one for one in observations if one.type == "decision"]
    yield from _section(
        "Decisions", (f"{ref_of(one)} {one.title} | {one.narrative or ''}" for one in decisions), 3
    )
    for name, column in (
        ("Found", "learned"),
        ("Done", "completed"),
        ("Left", "next_steps"),
        ("Notes", "notes"),
    ):
        texts = [(ref_of(one), getattr(one, column) or "") for one in summaries if one.level == "detailed"]
        lines = (f"{ref} {line}" for ref, text in texts for line in text.splitlines() if line.strip())
        yield from _section(name, lines, 3)
    most_equal = [f"{number} × {text}" for text, number in equal.most_common() if number > 1]
    yield from _section("Equal titles", most_equal, 3)


def _difference(on_disk: list[str], stored: list[str]) -> tuple[list[str], list[str]]:
    """Return the prompts that are only on disk and those that are only stored, repeated ones as often."""
    ours, theirs = Counter(map(_key, on_disk)), Counter(map(_key, stored))
    return _left(on_disk, ours - theirs), _left(stored, theirs - ours)


def _left(texts: list[str], keys: Counter[str]) -> list[str]:
    left = []
    for text in texts:
        if keys[_key(text)] > 0:
            keys[_key(text)] -= 1
            left.append(text)
    return left


def _key(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))[:KEY]
