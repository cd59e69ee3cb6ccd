"""The kinds of records: what each is called, the letter before its id, and the table that holds it.

Nothing is imported: the processes that agents wait for read this, too.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, Protocol

    Kind = Literal["observation", "prompt", "summary", "fact"]
    """What is searched and listed; `documents` hold one of each."""

    class Numbered(Protocol):
        """A record as its table numbers it."""

        @property
        def id(self) -> int: ...


KINDS: dict[str, Kind] = {"o": "observation", "p": "prompt", "s": "summary", "f": "fact"}
"""The kinds of documents by the letter that stands for them in the database."""

OBSERVATION_TYPES = (
    "decision", "bugfix", "feature", "refactor", "discovery", "finding", "answer", "plan", "change",
    "note", "error",
)  # fmt: skip
"""The types of observations that are known everywhere; any other word may be one."""

LETTERS: dict[str, str] = {kind: letter for letter, kind in KINDS.items()}

TABLES = {
    "session": "sessions", "prompt": "prompts", "observation": "observations",
    "summary": "summaries", "fact": "facts", "note": "notes",
}  # fmt: skip
"""The table of each kind of record, what is no document included."""

LISTED_BY = {kind: f"mem {kind} list" for kind in ("session", "fact", "note")}
"""The command that lists all of a kind of record, where that isn't `mem search`."""

KIND_OF = {table: kind for kind, table in TABLES.items()}
"""The kind of record that each table holds."""

PREFIXES = {
    "session": "@",
    "prompt": "p",
    "observation": "",
    "summary": "s",
    "fact": "f",
    "note": "n",
}
"""What people write before the id of each kind of record."""

NOISE = "noise"
"""The type of the row that a tool use gets of which nothing is worth remembering."""

REPORT = "report"
"""The tool of a sub-agent's report whose call isn't known."""

REPLY = "reply"
"""The `tool_name` of the observations that are made of what an agent says, which no tool is."""

COMMAND = "command"
"""The key of an observation's `extra` that holds the beginning of the command line that was run."""

BROKEN = "broken"
"""The key of a fact's `extra` that lists the uids of the prompts and observations that broke it."""
AT_PROMPTS = "at_prompts"
"""The key of a pinned fact's `extra` that has it told at each prompt that it matters to."""
WAS_BROKEN = f"""
superseded_by IS NULL AND iif(json_valid(extra), json_array_length(extra, '$.{BROKEN}'), 0) > 0
"""
"""The condition, in SQL, that a row of facts holds and was broken."""

VISIBLE = "private = 0 AND deleted_at IS NULL"
"""The condition, in SQL, that a row may be shown; `documents` hold only such rows, and no noise."""

ANY_SHARED = "SELECT EXISTS (SELECT 1 FROM team_rows WHERE kind > '')"
"""Whether any memory may be a teammate's, or be shared with them."""

WITHHELD = f"""
(({ANY_SHARED}) AND EXISTS (SELECT 1 FROM team_memories w
    WHERE w.kind = {{kind}} AND w.record_id = {{number}} AND w.is_withheld))
"""
"""Whether a teammate shared a memory, and agents are to be told nothing of it; not asked where none did."""
REVIEWED = ("fact", "observation", "summary", "note")
"""Kinds of records that agents and models write, so that one may wait for its user's word."""
WRITTEN_BY = "written_by"
"""The key of such a record's `extra` that holds which agent wrote it."""
PENDING = "({kind}, {number}) IN (SELECT kind, record_id FROM unreviewed_memories)"
"""Whether a memory waits for its user's word."""
ANY_UNTOLD = f"SELECT ({ANY_SHARED}) OR EXISTS (SELECT 1 FROM unreviewed_memories)"
"""Whether there may be memories that agents are told nothing of."""
TOLD = (
    f"(NOT {WITHHELD.format(kind='d.kind', number='d.record_id')} "
    f"AND NOT {PENDING.format(kind='d.kind', number='d.record_id')})"
)
"""Whether agents may be told a row `d` of the documents."""

HIDDEN = "(private = 1 OR deleted_at IS NOT NULL)"
"""The opposite of VISIBLE."""


def visible(row: str) -> str:
    """Return VISIBLE for the row that a statement calls so."""
    return f"{row}.private = 0 AND {row}.deleted_at IS NULL"


def kind_of(record: object) -> str:
    """Return the kind of a record."""
    return type(record).__name__.lower()


def ref(kind: str, number: int) -> str:
    """Return how people name a record: `12` for an observation, `p12`, `s12`, `f12`, `n12`, `@12`."""
    return f"{PREFIXES[kind]}{number}"


def ref_of(record: Numbered) -> str:
    """Return how people name a record, as `ref` does."""
    return ref(kind_of(record), record.id)


def parse_ref(text: str) -> tuple[str, int] | None:
    """Return the kind and id that a ref names; None where it is none (a uid, a session's own id)."""
    for kind, prefix in PREFIXES.items():
        number = text.removeprefix(prefix)
        if len(number) + len(prefix) == len(text) and number.isdecimal() and len(number) < 19:
            return kind, int(number)
    return None


def bare_ref(text: str) -> str:
    """Return the ref in what people and agents give for one: the `276` of `O276`, `#276`, `~276` and
    `[mem 276: a title]`, the `p12` of `P12`; anything else (a uid, a session's own id) as it is."""
    text = text.strip()
    bare = text.removeprefix("[").removesuffix("]").partition(":")[0].strip()
    if text.startswith("["):
        bare = bare.removeprefix("mem ").strip()
    bare = bare.lstrip("#~").lower()
    if bare[:1] == "o" and bare[1:].isdecimal():
        bare = bare[1:]
    return bare if parse_ref(bare) else text
