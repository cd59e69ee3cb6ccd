"""What all answers to agents share: the fence around them, plain values without nulls, ages, times and
cursors, the records that ids name, and how an answer names what its reader can ask next.

What stands in a fence is data, and can neither leave it nor pose as a turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from ...platform.clock import DAY_MS, local_time, now_ms
from ...platform.errors import InvalidRecordError, NotFoundError
from ...records.conforming import as_text
from ...records.dataclasses import dataclass, field, replace
from ...records.kinds import NOISE, ref_of
from ...records.rows import Note, Observation, Record, Session
from ...search.listing.teammates import Teammates, withheld
from ...text.display import safe
from ...text.tokens import estimate_tokens, token_weight
from ...text.truncation import shortened
from ..wrapper import mem_command, random_nonce, sanitize, without_escaped_brackets, without_markers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...store import Store

TAG = "memtui-data"
CHARACTERS_A_TOKEN = 5
"""So many of a token at most: no more of a text is looked at."""
AN_ELLIPSIS = 0.7
NAME = 24
"""Characters of what may be a type or a project."""

BRACKETS = str.maketrans(
    {"＜": "<", "＞": ">", "﹤": "<", "﹥": ">", "\u200d": None, "\ufe0e": None, "\ufe0f": None}
)
TAGS = re.compile(r"<(?=\s*[/!?|]|[^\W\d]|\s+[\w-]+\s*>|\s*$)")
"""A bracket that may open a tag; in code, `2>&1`, `a < b` and `->` stay as they are."""


def fenced(lines: Iterable[str], closing: str = "", nonce: str | None = None) -> str:
    """Return lines, made of texts that `one_line` or `whole` has passed, as a block whose tag carries a
    nonce that no memory can know; under it the `closing` line, which is no data."""
    block = [f'<{TAG} id="{nonce or random_nonce()}">', *lines, f"</{TAG}>"]
    return "\n".join([*block, closing] if closing else block)


def one_line(text: str, tokens: float) -> str:
    """Return a stored text as one line of at most so many tokens, without any tag or marker of a turn,
    cut at a word where that costs little."""
    text = as_text(text)
    return _name_line(text, tokens) if len(text) <= NAME else _one_line(text, tokens)


def _one_line(text: str, tokens: float) -> str:
    line = sanitize(text, round(2 * tokens * CHARACTERS_A_TOKEN) + 1)
    # What was on two lines may be a marker on one.
    return within(without_markers(line), tokens)


_name_line = lru_cache(maxsize=256)(_one_line)
"""A page of hits has the same few types and projects again and again."""


def within(line: str, tokens: float) -> str:
    """Return as much of a line as takes at most so many tokens, with an ellipsis where it is cut."""
    if token_weight(line) <= tokens:
        return line
    size = characters_within(line, tokens - AN_ELLIPSIS)
    # The ellipsis takes the place of one character at least, also where it weighs less than the ellipsis.
    return shortened(line, min(size + 1, len(line) - 1)) if size else ""


def characters_within(text: str, tokens: float) -> int:
    """Return how many of a text's first characters take at most so many tokens."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if token_weight(text[:middle]) <= tokens:
            low = middle
        else:
            high = middle - 1
    return low


def whole(text: str) -> str:
    """Return a stored text with its line breaks, each line without a tag, anything invisible or the marker
    of a turn. Only a bracket that may open a tag is changed, so that code stays readable."""
    shown = safe(without_escaped_brackets(as_text(text)), newlines=True).translate(BRACKETS)
    return "\n".join(map(_untagged, shown.split("\n")))


def flat(text: str) -> str:
    """Return the same on one line."""
    return _untagged(" ".join(filter(None, map(str.strip, whole(text).split("\n")))))


def _untagged(line: str) -> str:
    indent = line[: len(line) - len(line.lstrip())]
    return indent + without_markers(TAGS.sub("‹", line[len(indent) :]))


MINUTE_MS, HOUR_MS = 60_000, 3_600_000
DATE = "%Y-%m-%d"
RECENT_DAYS = 60
"""What is older is told by its date."""
FURTHEST = 100_000
"""Beyond so many hits no page begins."""

Json = dict[str, object]


def without_nulls(values: Json) -> Json:
    """Return what of the values says something: no None, no empty text or list, nothing that is False."""
    return {
        name: value
        for name, value in values.items()
        if value is not None and value is not False and value not in ("", [], (), {})
    }


@dataclass(frozen=True, slots=True)
class CompactEntry:
    """A memory in a list; every text is one line that may stand in a fence. `at` is ms since the epoch."""

    id: str
    type: str
    title: str
    at: int
    project: str = ""
    is_stale: bool = False
    state: str = ""
    """Why it no longer holds, in a word or two."""
    is_wrong: bool = False
    """Reported as wrong by a user or an agent."""
    author: str = ""
    """The teammate who shared it, "" for one's own."""

    @property
    def marks(self) -> list[str]:
        """The reasons not to rely on it, a word each: superseded or taken-back, stale, reported-wrong."""
        author = "".join(letter if letter.isalnum() else "-" for letter in self.author)
        by = f"by-{author}" if author else ""
        state = self.state.replace(" ", "-")
        marks = (by, state, "stale" * self.is_stale, "reported-wrong" * self.is_wrong)
        return list(filter(None, marks))

    def as_dict(self) -> Json:
        """Return it as plain values without nulls."""
        texts: Json = {"id": self.id, "type": self.type, "title": self.title}
        texts |= {"at": local_time(self.at), "project": self.project}
        marks = {mark.replace("-", "_"): True for mark in replace(self, author="").marks}
        return without_nulls(texts | {"author": self.author}) | marks


def age(at: int) -> str:
    """Return how long ago a moment (ms) was, `5m`, `3h` or `12d`; of long ago, or ahead, its date."""
    past = now_ms() - at
    if past < -DAY_MS or past >= RECENT_DAYS * DAY_MS:
        return local_time(at, DATE)
    if past < HOUR_MS:
        return f"{max(0, past // MINUTE_MS)}m"
    return f"{past // HOUR_MS}h" if past < 2 * DAY_MS else f"{past // DAY_MS}d"


def start_of(cursor: str | None) -> int:
    """Return where a page begins by the cursor of the one before; InvalidRecordError where it is none."""
    if not cursor:
        return 0
    if cursor.isascii() and cursor.isdecimal() and len(cursor) <= 6 and int(cursor) <= FURTHEST:
        return int(cursor)
    raise InvalidRecordError(
        f"{cursor[:40]!r} is no cursor that an answer gave. Leave it out to begin with the best hit."
    )


Told = Record | Note | Session


def find(store: Store, text: str, *, hidden: bool = False) -> Told:
    """Return the record, note or session of an id: 12, p12, s12, f12, n12, @12, a uid, or a session's own
    id. NotFoundError says what to do; so it does of one that is private, deleted or noise, unless
    `hidden` is asked for."""
    result: Told = store.any_record(text)
    if not Teammates(store.db).told([ref_of(result)]):
        raise NotFoundError(withheld(store.db, ref_of(result)))
    if not hidden and (why := hidden_by(result)):
        raise NotFoundError(f"{ref_of(result)} is {why}, and left out unless the user asks for it.")
    return result


def hidden_by(record: Told) -> str:
    """Return why a record is in no list: private, deleted or noise; "" for one that is."""
    if record.private:
        return "private"
    if record.deleted_at is not None:
        return "deleted"
    return NOISE if isinstance(record, Observation) and record.type == NOISE else ""


@dataclass(frozen=True, slots=True)
class Wording:
    """How its reader asks for all of a memory, for what was around it; for what a
    session did, for the next page, for more of what was cut, and for what there is."""

    show: str
    timeline: str
    session: str
    cursor: str
    max_tokens: str
    search: str

    def whole(self, id: str = "ID") -> str:
        """Return how all of one memory is asked for."""
        return _filled(self.show, "ID", id)

    def around(self, id: str = "ID") -> str:
        """Return how what was around a memory is asked for."""
        return _filled(self.timeline, "ID", id)

    def did(self, id: str = "@ID") -> str:
        """Return how what a session did is asked for."""
        return _filled(self.session, "ID", id)

    def further(self, cursor: str) -> str:
        """Return how the next page is asked for."""
        return _filled(self.cursor, "CURSOR", cursor)

    def said(self, error: Exception) -> str:
        """Return an error's sentence, which names the command that searches, in this wording."""
        return str(error).replace("`mem search`", self.search)

    def larger(self, tokens: int) -> str:
        """Return how more of what was cut is asked for."""
        return _filled(self.max_tokens, "TOKENS", str(tokens))


TOOLS = Wording("get ID", "timeline ID", "timeline ID", 'cursor="CURSOR"', "max_tokens=TOKENS", "`search`")
"""Of a client of the server, by the names of its tools and their arguments."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer to an agent: `lines` in a fence with its `nonce`, and under it `closing`, which says what
    was left out and how to get it, in the reader's `wording`. `cursor` begins the next page, None where
    there is none."""

    cursor: str | None = None
    wording: Wording = TOOLS
    nonce: str = field(default_factory=random_nonce)

    @property
    def text(self) -> str:
        """The lines in a fence, and what is said under it."""
        lines = [*self.lines()]
        return fenced(lines, self.closing, self.nonce) if lines else self.closing

    @property
    def tokens(self) -> int:
        """About how many tokens the text is."""
        return estimate_tokens(self.text)

    if TYPE_CHECKING:

        @property
        def closing(self) -> str: ...
        def lines(self) -> Iterable[str]: ...
        def as_dict(self) -> Json: ...


def shell() -> Wording:
    """Return the wording for an agent's shell, which may know `mem` by its path alone."""
    mem = mem_command()
    return Wording(
        f"`{mem} show --for-agent ID`",
        f"`{mem} timeline --for-agent ID`",
        f"`{mem} session show --for-agent ID`",
        "--cursor CURSOR",
        "--max-tokens TOKENS",
        f"`{mem} search --for-agent`",
    )


def _filled(template: str, name: str, value: str) -> str:
    # The last one: what stands before it may be a path.
    return value.join(template.rsplit(name, 1))
