"""Which edit of a session wrote a line: one that added that very line to that file, before git had it.

Time is no proof: an edit that doesn't hold the line is never named. A line that says little, such as a
bracket, is an edit's where it stands beside one that says more, there as here.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set

from ...capture.conversation import EDITS, transcript_events
from ...capture.ingest.accepting import stored_event
from ...observe.rules import tools
from ...observe.rules.edit_diff import COMPARED, diff_of, unnumbered, written_content
from ...observe.rules.tools import parse_tool_use
from ...platform.clock import DAY_MS
from ...records.dataclasses import dataclass
from ...records.events import Event
from ...records.rows import Observation, Session
from ...store import Store
from .checkpoints import transcripts_kept
from .history import BlamedLine

SAYS_SOMETHING = 6
"""Letters and digits of a line by which it is looked for."""
ENOUGH, CERTAIN = 12, 40
"""Letters and digits that have to stand together there as here, some in a line that the file has once; and
those that say enough however long ago it was."""
FRESH_MS = 3 * DAY_MS
"""So long before its commit an edit is taken for the one that wrote what says less."""
LATER_MS = 60_000
"""So long after a commit's time an edit may still be told."""
UNSURE = ("error", "note")
"""Types of what failed, or was declined."""


@dataclass(frozen=True, slots=True)
class EditedLines:
    """What an edit did to a file: the lines that it added, in order, and those that it removed; of a file
    that was written, all its lines. Where it repeats what stood there, `added` has None. `is_cut`: not all
    is known."""

    edit: Observation
    added: tuple[str | None, ...]
    removed: frozenset[str]
    is_whole: bool
    is_cut: bool
    texts: frozenset[str]

    def leaves_out(self, text: str) -> bool:
        """Whether the file was written without a line."""
        return self.is_whole and not self.is_cut and text not in self.texts


def plain(line: str) -> str:
    """Return a line as it is compared: however it is indented."""
    return " ".join(line.split())


def weight(line: str) -> int:
    """Return how much a line says: its letters and digits."""
    return sum(map(str.isalnum, line))


def changes_of(
    store: Store, project: str, names: Iterable[str], others: Iterable[Session] = ()
) -> list[EditedLines]:
    """Return the edits that sessions of a project, and others, made to a file, by the names that it had; of
    those of which the store keeps a part, all that their transcripts here tell. The oldest first."""
    known = set(names)
    more = {session.id: session.project for session in others}
    edits = {
        item.id: item
        for name in {path.rpartition("/")[2] for path in known}
        for place in {project, *more.values()}
        for item in store.observations.changing(place, name)
        if (place == project or item.session_id in more)
        and item.type not in UNSURE
        and tools.action_of(item.tool_name or "", {}) in EDITS
        and any(_is_one(path, known) for path in item.files_modified)
    }
    texts: dict[int, EditText] = {}
    unsure = [item for item in edits.values() if _writes_whole(item) or "…" in (item.narrative or "")]
    for number in {item.session_id for item in unsure}:
        texts |= _whole_texts(store, number, edits, known)
    changes = [
        _change(item, *texts.get(item.id, (item.narrative or "", ())), known) for item in edits.values()
    ]
    return sorted(changes, key=lambda change: (change.edit.created_at, change.edit.id))


EditText = tuple[str, Sequence[str]]
"""What an edit did, and the lines of the file that its session had seen before."""


def _writes_whole(edit: Observation) -> bool:
    return tools.action_of(edit.tool_name or "", {}) == tools.WRITE


def _is_one(path: str, names: Iterable[str]) -> bool:
    """Whether a path as a session named it is one of a file's: sessions may have begun in other folders."""
    path = path.replace("\\", "/")
    return any(path == name or path.endswith(f"/{name}") or name.endswith(f"/{path}") for name in names)


def _whole_texts(
    store: Store, session_id: int, edits: Mapping[int, Observation], names: Set[str]
) -> dict[int, EditText]:
    """Return what edits of a session did, by their ids, as its transcript tells it."""
    session = store.sessions.get(session_id)
    files = {name.rpartition("/")[2] for name in names}

    def concerns(event: Event) -> bool:
        given = event.tool.input if event.tool and isinstance(event.tool.input, dict) else {}
        return event.tool is not None and any(name in str(given) for name in files)

    results: dict[int, EditText] = {}
    seen: list[str] = []
    own: set[str] = set()
    with transcripts_kept(store, session) as kept:
        events = transcript_events(store, session, concerns, kept).events
    for event in sorted(events, key=lambda event: event.moment):
        if event.tool is None:
            continue
        use = parse_tool_use(event.tool, session.project_path or event.cwd)
        stored = stored_event(store.db, session_id, event)
        if stored and stored.record_id in edits:
            seen = [line for line in use.original.splitlines() if plain(line) not in own] or seen
            text = "\n".join(diff_of(use).lines) or written_content(use)
            own |= {plain(line.removeprefix("+ ")) for line in text.splitlines()} - {*map(plain, seen)}
            results[stored.record_id or 0] = text, seen
        elif use.action == tools.RUN or any(_is_one(path, names) for path in use.paths):
            shown = unnumbered(use.output.text).splitlines()
            seen = seen + [line for line in shown if plain(line) not in own]
    return results


def _change(edit: Observation, text: str, seen: Iterable[str], names: Iterable[str]) -> EditedLines:
    is_whole = _writes_whole(edit)
    is_of_file, added, removed = True, [], []
    for line in text.splitlines():
        if is_whole:
            added.append(plain(line))
        elif line.startswith("*** ") and "File: " in line:
            is_of_file = _is_one(line.partition("File: ")[2].strip(), names)
        elif is_of_file and line[:2] == "+ ":
            added.append(plain(line[2:]))
        elif is_of_file and line[:2] == "- ":
            removed.append(plain(line[2:]))
    texts = frozenset(added)
    # Of a long edit all lines count as changed, also those that it repeats.
    before = [*map(plain, seen)] if is_whole else removed if len(removed) > COMPARED else []
    repeated = _said_together(added, before, _alone(added))
    new = tuple(None if place in repeated else line for place, line in enumerate(added))
    return EditedLines(edit, new, frozenset(removed) - texts, is_whole, "…" in texts, texts)


def writers(
    lines: Sequence[BlamedLine], changes: Sequence[EditedLines], named: Mapping[str, set[int]]
) -> Iterator[Observation | None]:
    """Yield of each line of a file the edit that wrote it, None where none is known. `named` are the
    sessions that commits name, by the commit: where edits of these hold a line, it is one of theirs."""
    texts = [plain(line.text) for line in lines]
    alone = _alone(texts)

    def same_commit(here: int, seed: int) -> bool:
        return lines[here].commit == lines[seed].commit

    said = [_said_together(texts, change.added, alone, same_commit) for change in changes]
    for place, line in enumerate(lines):
        theirs = named.get(line.commit.id, ()) if line.commit else ()
        held: dict[bool, tuple[EditedLines, int]] = {}
        for change, together in zip(changes, said, strict=True):
            much, ago = together.get(place, 0), line.until - change.edit.created_at
            if much and ago >= -LATER_MS and (much >= CERTAIN or ago <= FRESH_MS):
                before = held.get(change.edit.session_id in theirs)
                # Who writes a whole file writes again what stood in it.
                if before is None or (not change.is_whole and much >= before[1]):
                    held[change.edit.session_id in theirs] = change, much
            elif ago >= 0 and (texts[place] in change.removed or change.leaves_out(texts[place])):
                held.clear()
        best = held.get(True) or held.get(False)
        yield best[0].edit if best else None


def _alone(texts: Sequence[str]) -> set[str]:
    """Return the lines that say something, and that a file has once."""
    counts = Counter(texts)
    return {text for text, count in counts.items() if count == 1 and weight(text) >= SAYS_SOMETHING}


def _said_together(
    texts: Sequence[str],
    others: Sequence[str | None],
    alone: Set[str],
    belongs: Callable[[int, int], bool] = lambda _here, _seed: True,
) -> dict[int, int]:
    """Return how much stands together in some lines as in others, around a line that these have once, as
    far as what is beside `belongs` to it; by the place of each line."""
    places = defaultdict(list)
    for there, text in enumerate(others):
        if text in alone:
            places[text].append(there)
    results: dict[int, int] = {}
    seen: set[tuple[int, int]] = set()

    def is_same(here: int, there: int, seed: int) -> bool:
        return 0 <= there < len(others) and texts[here] == others[there] and belongs(here, seed)

    for seed, text in enumerate(texts):
        for there in places.get(text, ()):
            if (seed, there) in seen:
                continue
            first, last, apart = seed, seed, there - seed
            while first and is_same(first - 1, first - 1 + apart, seed):
                first -= 1
            while last + 1 < len(texts) and is_same(last + 1, last + 1 + apart, seed):
                last += 1
            run = range(first, last + 1)
            seen.update((place, place + apart) for place in run)
            if (total := sum(weight(texts[place]) for place in run)) >= ENOUGH:
                results |= {place: max(results.get(place, 0), total) for place in run}
    return results
