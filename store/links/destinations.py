"""Where what is typed leads: to a memory, note or session by its id or the beginning of one, or to all
memories of a file, a commit or a date."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import islice

from ..platform.errors import NotFoundError
from ..platform.paths import current_folder, repository_root
from ..records.dataclasses import dataclass
from ..records.fields import title_of
from ..records.kinds import bare_ref, kind_of, parse_ref, ref_of
from ..records.rows import Note, Session
from ..search.completion.values import matching
from ..search.query.dates import whole_date
from ..search.query.language import Query, filter_text
from ..store import Store
from ..tables.session_titles import session_titles
from ..text import clean
from ..text.late_pattern import late_pattern

MOST = 8
"""How many destinations are offered."""
LONGEST = 1_000
"""Characters of what may be an id or a path."""
UID = late_pattern(r"[0-9a-f]{8}[0-9a-f-]{0,28}")
SESSION = late_pattern(r"(?=.*[0-9-])[\w.:-]{4,}")
"""An id of an agent's session, or the beginning of one: a plain word is none."""
COMMIT = late_pattern(r"(?=.*[0-9])[0-9a-f]{7,40}")
SHORT_COMMIT = 7
"""Characters of a commit's id that git prints, and memories hold."""
PATH = late_pattern(r"(?=.*\w)(?:\S*/\S*|\S+\.[A-Za-z]\w{0,9})")
LINE = late_pattern(r":\d+(?::\d+)?$")
"""The line behind a path, as compilers print it."""


@dataclass(frozen=True, slots=True)
class Destination:
    """A record, note or session by its `ref`; where that is "", all memories that `query` lists, `count`
    of them, because they are of a file, a commit or a date, which `kind` says."""

    kind: str
    title: str
    ref: str = ""
    query: str = ""
    count: int = 1


def destinations(store: Store, text: str, now: datetime | None = None) -> list[Destination]:
    """Return where a text leads, the best first, at most `MOST`; none where it names nothing stored.

    An id that is whole comes alone, or before a date of the same digits (`2026`). `now` is the local
    time, naive, that dates count from.
    """
    text = clean(text).strip()
    if not text or len(text) > LONGEST:
        return []
    found = [*_exact(store, text)] or [*_begun(store, text.lower())]
    results = [*found, *_of_queries(store, text, now or datetime.now())]
    return list(islice(dict.fromkeys(results), MOST))


def _exact(store: Store, text: str) -> Iterator[Destination]:
    if parse_ref(bare_ref(text)) or UID.fullmatch(text) or SESSION.fullmatch(text):
        try:
            yield _record(store, store.any_record(text))
        except NotFoundError:
            return


def _begun(store: Store, text: str) -> Iterator[Destination]:
    """Yield what the text is the beginning of the uid of, and sessions by their agents' ids."""
    named = parse_ref(text)
    if UID.fullmatch(text):
        for kind, table in store.tables.items():
            if kind != "session":
                yield from (_record(store, record) for record in table.beginning(text, MOST))
    if SESSION.fullmatch(text) and (named is None or named[0] == "observation"):
        yield from (_record(store, session) for session in store.sessions.beginning(text, MOST))


def _of_queries(store: Store, text: str, now: datetime) -> Iterator[Destination]:
    """Yield what lists the memories of a commit, of files, or of a date; of a single memory that itself."""
    for kind, title, typed in (*_commit(text), *_files(store, text), *_dates(text, now)):
        hits = store.find(store.parse(typed, now))
        count = hits.count().value
        if count == 1:
            yield from (_record(store, store.any_record(ref)) for ref in hits.refs())
        elif count:
            yield Destination(kind, title, query=typed, count=count)


def _commit(text: str) -> Iterator[tuple[str, str, str]]:
    if COMMIT.fullmatch(text.lower()):
        short = text[:SHORT_COMMIT].lower()
        yield "commit", short, f'facts:"commit {short}"'


def _files(store: Store, text: str) -> Iterator[tuple[str, str, str]]:
    path = LINE.sub("", text)
    if not PATH.fullmatch(path) or path.startswith("["):
        return
    folder = current_folder()
    if folder is not None and repository_root(folder):
        path = path.removeprefix(f"{folder.rstrip('/')}/")
    path = path.removeprefix("./")
    for value in matching(store.db, "file", path, Query(), limit=MOST, sounds=False).values:
        if query := filter_text("file", value.text):
            yield "file", value.text, query


def _dates(text: str, now: datetime) -> Iterator[tuple[str, str, str]]:
    if date := whole_date(text, now):
        yield "date", text, f'on:"{date}"' if " " in date else f"on:{date}"


def _record(store: Store, record: object) -> Destination:
    if isinstance(record, Session):
        title = session_titles(store.db, [record.id])[record.id] or record.content_session_id
    else:
        title = title_of(record) or (record.path if isinstance(record, Note) else "")
    return Destination(kind_of(record), title, ref_of(record))  # type: ignore[arg-type]
