"""The records: what every method of the store takes and gives.

All times are milliseconds since the epoch, UTC. A row becomes a record by position, so the order
of the fields here is the order in which each table's module selects its columns.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from ..platform.translation import N_
from .dataclasses import dataclass, field
from .kinds import ref

if TYPE_CHECKING:
    from .kinds import Kind

Scope = Literal["session", "project", "all"]
SessionStatus = Literal["active", "completed", "failed"]
SummaryLevel = Literal["brief", "detailed"]
FactKind = Literal["W", "B", "O", "S"]
FACT_KINDS: dict[FactKind, str] = {"W": "world", "B": "biography", "O": "opinion", "S": "summary"}
"""What people call a kind of fact; the letters are those of scheme C."""
SHOWN_KINDS: dict[FactKind, str] = {
    "W": N_("fact"), "B": N_("rule"), "O": N_("preference"), "S": N_("summary"),
}  # fmt: skip
"""What kinds of facts are called where people read and type them."""
ALSO_CALLED: dict[str, FactKind] = {"biographical": "B"}
"""What else they may type for it: what the browser calls it, above all."""
Speaker = Literal["user", "assistant"]
"""Who stated a fact: the user outright, or an agent."""


@dataclass(frozen=True, slots=True)
class Common:
    """What every stored row carries, whatever it holds."""

    id: int
    uid: str
    created_at: int
    updated_at: int
    deleted_at: int | None
    private: bool
    pinned: bool
    origin: str
    editor: str
    hlc: int
    source: str | None
    native_id: str | None
    fingerprint: str | None
    extra: str | None

    @property
    def is_visible(self) -> bool:
        """Whether it may be shown and changed: neither hidden nor deleted."""
        return not self.private and self.deleted_at is None


@dataclass(frozen=True, slots=True)
class Summary(Common):
    """What a session came to; a session may have many."""

    session_id: int
    project: str
    level: SummaryLevel
    request: str | None
    investigated: str | None
    learned: str | None
    completed: str | None
    next_steps: str | None
    notes: str | None
    text: str | None
    files_read: tuple[str, ...]
    files_edited: tuple[str, ...]
    prompt_number: int | None
    discovery_tokens: int


@dataclass(frozen=True, slots=True)
class Fact(Common):
    """What is held true, with its confidence (0 to 1) and the uids of its evidence. `superseded_by` is
    the uid of the fact that took its place, None while it holds."""

    project: str
    kind: FactKind
    content: str
    entities: tuple[str, ...]
    confidence: float
    evidence: tuple[str, ...]
    sources: tuple[str, ...]
    superseded_by: str | None


def fact_kind(text: str) -> FactKind | None:
    """Return the kind of fact that a word, or its letter, means; None for no kind."""
    said = text.strip().casefold()
    return next(
        (it for it, word in FACT_KINDS.items() if said in (it.casefold(), word, SHOWN_KINDS[it])),
        ALSO_CALLED.get(said),
    )


@dataclass(frozen=True, slots=True)
class Observation(Common):
    """What was learned or done. `discovery_tokens` are what it cost to discover, as its source tells;
    `subagent` is the id of the sub-agent that did it, None for the session's own agent; `repeats` counts
    how often it came out again just the same; `confirmed_at` is when a person said last (ms) that it is
    still true."""

    session_id: int
    project: str
    type: str
    title: str | None
    subtitle: str | None
    narrative: str | None
    text: str | None
    facts: tuple[str, ...]
    concepts: tuple[str, ...]
    files_read: tuple[str, ...]
    files_modified: tuple[str, ...]
    tags: tuple[str, ...]
    tool_name: str | None
    prompt_number: int | None
    discovery_tokens: int
    event_id: str | None
    content_hash: str | None
    subagent: str | None
    repeats: int
    confirmed_at: int | None


@dataclass(frozen=True, slots=True)
class Prompt(Common):
    """What the user asked."""

    session_id: int
    prompt_number: int
    text: str


Record = Observation | Prompt | Summary | Fact


@dataclass(frozen=True, slots=True)
class Session(Common):
    """One working session of an agent; (agent, content_session_id) is its key. `automatic` is whether a
    program started it; `continues` names the session that it goes on from, as AGENT/ID, None for none;
    `branch` is the git branch on which it worked last, None where nothing told it."""

    agent: str
    content_session_id: str
    memory_session_id: str | None
    project: str
    project_path: str | None
    title: str | None
    first_prompt: str | None
    status: SessionStatus
    started_at: int
    completed_at: int | None
    prompt_counter: int
    automatic: bool
    continues: str | None
    branch: str | None
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Note(Common):
    """Core memory: MEMORY.md and its like; (project, path) is its key."""

    project: str
    path: str
    text: str


@dataclass(frozen=True, slots=True)
class PendingMessage:
    """A raw event waiting for an observer. `lease_until` and `not_before` count boot-clock ms.

    `observation_id` and `summary_id` are the record that the rules made of it; `outcome` is who
    observed it in the end, or why nothing came of it.
    """

    id: int
    uid: str
    session_id: int
    kind: Literal["observation", "summary"]
    created_at: int
    updated_at: int
    status: Literal["pending", "processing", "processed", "failed", "abandoned"]
    attempts: int
    lease_owner: str | None
    lease_until: int | None
    not_before: int | None
    error: str | None
    tool_name: str | None
    tool_input: str | None
    tool_response: str | None
    cwd: str | None
    last_user_message: str | None
    last_assistant_message: str | None
    prompt_number: int | None
    event_id: str | None
    source: str | None
    native_id: str | None
    fingerprint: str | None
    extra: str | None
    observation_id: int | None
    summary_id: int | None
    outcome: str | None


@dataclass(frozen=True, slots=True)
class Snippet:
    """A passage of a record: `text` as stored (not yet safe to print), and the [start, end) spans to
    highlight."""

    text: str
    spans: tuple[tuple[int, int], ...] = ()

    def marked(self, before: str = "«", after: str = "»") -> str:
        """The passage with each highlighted span between two marks."""
        parts, last = [], 0
        for start, end in self.spans:
            parts += [self.text[last:start], before, self.text[start:end], after]
            last = end
        return "".join([*parts, self.text[last:]])


@dataclass(frozen=True, slots=True)
class ListRow:
    """A searchable record as lists show it: enough to paint a row, without its long texts.

    `title` is the observation's title, the prompt's first line, the summary's request or the
    fact's content. `type` is the observation's type, otherwise the kind. `tokens` is the
    discovery cost, 0 where unknown. `document_id` is its key in the indexes and lists. `superseded`
    is whether another fact holds in its place, or in that of its turn's decision, `stale` whether a
    file of it has changed since it was made, `taken_back` whether its user took it back. `told` is how
    often agents were given it, `pending` whether it waits for its user's word.
    """

    document_id: int
    kind: Kind
    record_id: int
    title: str
    type: str
    project: str
    agent: str
    session_id: int | None
    created_at: int
    pinned: bool
    tokens: int
    superseded: bool = False
    stale: bool = False
    taken_back: bool = False
    told: int = 0
    pending: bool = False

    @property
    def state(self) -> str:
        """Why it doesn't hold, or not yet, in a word or two; "" where it may."""
        words = {"taken back": self.taken_back, "superseded": self.superseded, "pending": self.pending}
        return next((word for word, holds in words.items() if holds), "")

    @property
    def ref(self) -> str:
        """How people name it: 12 for an observation, p12, s12 or f12 for the others."""
        return ref(self.kind, self.record_id)


SNIPPET, PASSAGE = 160, 400
"""Characters of a snippet, and of a passage, about."""


@dataclass(frozen=True, slots=True)
class FoundTurn:
    """What a user asked, and all that was done and said until they asked again, as a search finds it.

    `session_id` and `number` name it. `question` is what was asked, `verdict` what its agent said last,
    each from its beginning and as far as searches read it; '' where there is none, or it is hidden.
    `kind` is what it is worth as: a decision, an outcome, a log … `others` are the refs of its records
    that were found besides the one that stands for it, the best first.
    """

    session_id: int
    number: int
    question: str
    verdict: str
    kind: str
    others: tuple[str, ...] = ()


@dataclass(frozen=True)
class Hit:
    """One result of a search: a record, or a `turn` for which the best of its records stands. `score`
    falls from best to worst within a tier; 0.0 when unranked. That of a related hit is relative to the best
    one, and the sum of its `parts`, which have names. `similarity` is how near its meaning is to what was
    asked (a cosine, at most 1) where that has a part in it.

    A page of hits shows little of each record, so `read` makes the record and `cut` the snippet
    when they are first asked for, from what the search has read anyway.
    """

    row: ListRow
    score: float
    read: Callable[[], Record] = field(repr=False, compare=False)
    cut: Callable[[int], Snippet] = field(repr=False, compare=False)
    tier: Literal["exact", "related"] = "exact"
    parts: tuple[tuple[str, float], ...] = ()
    similarity: float | None = None
    turn: FoundTurn | None = None

    @cached_property
    def record(self) -> Record:
        """The record in full."""
        return self.read()

    @cached_property
    def snippet(self) -> Snippet:
        """The passage that says why it was found, of a line or two."""
        return self.cut(SNIPPET)

    @property
    def passage(self) -> Snippet:
        """As much of what is around it as is read where there is room."""
        return self.cut(PASSAGE)

    @property
    def unit(self) -> tuple[int, int] | int:
        """What is listed once: its turn, as session and number, or its document."""
        return (self.turn.session_id, self.turn.number) if self.turn else self.row.document_id

    @property
    def kind(self) -> Kind:
        """Which of the four kinds of record this is."""
        return self.row.kind


@dataclass(frozen=True, slots=True)
class SavedSearch:
    """A query kept under a name. Times are those of the first and the last time it was saved."""

    name: str
    query: str
    created_at: int
    updated_at: int


QUIET_MS = 2 * 3_600_000
"""A session that nobody ended goes on for so long after its last sign of life."""


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A session as lists show it: the record, its counts, what it is called (`` where nothing is known of
    it), and its last summary's first line; `last_at` is its last sign of life, ms since the epoch, and
    `subagents` are how many sub-agents worked in it."""

    session: Session
    prompts: int
    observations: int
    summaries: int
    title: str
    summary_line: str | None
    last_at: int
    subagents: int = 0

    @property
    def lasted(self) -> int:
        """How long it lasted, to its end or else to its last sign of life, in ms."""
        return max(0, (self.session.completed_at or self.last_at) - self.session.started_at)

    def status_at(self, now: int) -> str:
        """Return how it stands at a moment, in ms: "ended" where nothing tells of its end, as of one that
        was killed, and nothing has come for `QUIET_MS`, or what came is dated ahead."""
        is_quiet = self.session.status == "active" and abs(now - self.last_at) >= QUIET_MS
        return "ended" if is_quiet else self.session.status


@dataclass(frozen=True, slots=True)
class Subagent:
    """A sub-agent that worked in a session, by the id that its agent gives it: what it was started for, ``
    where that isn't known, and how many observations it made."""

    session_id: int
    id: str
    title: str
    observations: int


@dataclass(frozen=True, slots=True)
class Relative:
    """A session of a family, how far below the first one it stands, and its sub-agents."""

    row: SessionRow
    depth: int
    subagents: tuple[Subagent, ...]


@dataclass(frozen=True, slots=True)
class SessionDay:
    """A day of local time: its newest start, how many sessions began on it, and the first moment after
    it, None where there is none; in ms since the epoch, UTC. `newest` is 0 where the date is unknown."""

    newest: int
    sessions: int
    until: int | None


@dataclass(frozen=True, slots=True)
class Window:
    """What happened around a moment, in time order; `anchor` is the index of the anchor, or -1."""

    rows: tuple[ListRow, ...]
    anchor: int
    since: int
    until: int
    scope: Scope
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class FactSource:
    """One assertion of a fact. `source` and `native_id` say which; `told_at` is when, ms since the
    epoch, UTC; `places` are where, as people read it; `session` is the content id of the session
    it was made in. See `memtui.store.tables.fact_sources` for `witnesses` and `is_verdict`."""

    uid: str
    source: str
    native_id: str
    told_at: int
    confidence: float
    entities: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    witnesses: tuple[str, ...] = ()
    is_verdict: bool = False
    session: str | None = None
    deleted_at: int | None = None
    vanished_at: int | None = None
    extra: str | None = None
