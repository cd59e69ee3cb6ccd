"""What is remembered of what a prompt says, and of a file: the few documents that are surely about it.

Unlike a search, which answers with the best there is, this answers with nothing rather than with what
only shares a word. An agent waits for it, so that little is imported and few postings are read.
"""

from __future__ import annotations

from math import log

from ...records.kinds import AT_PROMPTS, BROKEN, COMMAND
from ...text.language.folding import index_words
from ...text.language.scripts import is_paired
from ...text.language.words import CHATTER, STOP_WORDS, stem
from ..listing.document_sql import BM25, READ_CHARACTERS, STALE_LAST, STATE, TITLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import apsw

MOST_LETTERS = 4_000
"""Letters of a prompt that are looked at."""
MOST_WORDS = 32
COMMON = 1_000
"""A word of so many documents tells nothing of what a prompt is about."""
ANCHORS = 10
"""So many of the rarest words are looked up."""
LONGEST_WORD = 64
LOOKED_AT = 32
"""So many documents are looked at for one that is surely about a prompt."""

LEAST_MASS = 1.9
"""The least that is shared: two words, or as many pairs of Chinese characters as make two."""
PAIR = 0.65
"""A pair of Chinese characters overlaps the next one."""
LONG = 250
"""Words of a document of which two are shared by chance: the longer it is, the more have to be."""
LEAST_SHARE = 0.4
"""The least share of what a prompt's rarest words tell."""
RAREST = 5
UNKNOWN = 0.5
"""What a word that no memory has weighs against the others."""
FEWEST, SHARE, ROOTS = 3, 0.2, 2.0
"""A word is rare that at most three documents have, or at most a fifth of them and twice the root of
their number."""
SELDOM = 1.5
"""What hardly any document has counts so much more."""
NAMED = 2.0
"""A name of something in code (a file, a function) is enough by itself."""
LEAST_NAME = 6
WORTH = {
    "change": 0.6,
    "discovery": 0.9,
    "decision": 1.3,
    "bugfix": 1.2,
    "fact": 1.3,
    "summary": 1.1,
}
"""What a type counts against the others: that something was changed is seldom what a prompt asks."""

FREQUENCY = f"SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT {COMMON + 1})"
TOTAL = "SELECT coalesce(max(id), 0) FROM documents"
_FOUND = f"""
FROM words f CROSS JOIN documents d ON d.id = f.rowid
WHERE words MATCH ? AND d.project IN (?, '') AND d.kind IN ('o', 'p', 's', 'f')
    AND d.session_id IS NOT ? AND NOT ({STATE})
"""
POSTINGS = f"SELECT f.rowid, d.type {_FOUND}"
RANKED = f"SELECT f.rowid, {BM25} AS score {_FOUND} ORDER BY score DESC, f.rowid DESC LIMIT 200"
BODY = f"""
CASE d.kind
    WHEN 'o' THEN (
        SELECT substr(coalesce(nullif(narrative, ''), nullif(text, ''), subtitle, ''), 1, {READ_CHARACTERS})
        FROM observations WHERE id = d.record_id
    )
    WHEN 's' THEN (
        SELECT substr(coalesce(nullif(learned, ''), nullif(completed, ''), nullif(text, ''), ''),
            1, {READ_CHARACTERS})
        FROM summaries WHERE id = d.record_id
    )
    ELSE ''
END
"""
ROW = f"""
SELECT d.id, d.kind, d.record_id, d.created_at, d.type, {TITLE}, {BODY}, d.changed_in > 0 FROM documents d
"""
ONE = f"{ROW} WHERE d.id = ?"
OWN = "SELECT id FROM sessions WHERE content_session_id = ? AND agent = ?"

OF_FILE = f"""
{ROW} JOIN label_uses u ON u.document_id = d.id JOIN label_names n ON n.id = u.label_id
WHERE n.kind = 'file' AND n.value IN (?, ?) AND d.project IN (?, '') AND d.session_id IS NOT ?
AND (
    d.type IN ('decision', 'bugfix', 'error', 'fact') OR (d.kind = 'o' AND EXISTS (
        SELECT 1 FROM observations o WHERE o.id = d.record_id AND o.tool_name IS NULL
    ))
)
{STALE_LAST} LIMIT 12
"""
"""What is known of a file beyond that it was read or changed."""


RULES = f"""
{ROW} JOIN facts r ON r.id = d.record_id
WHERE d.pinned = 1 AND d.kind = 'f' AND +d.project IN (?, '')
AND iif(json_valid(r.extra), r.extra ->> '{AT_PROMPTS}', 0) AND NOT ({STATE}) {STALE_LAST}
"""
BROKE = f"""
SELECT coalesce(iif(json_valid(o.extra), o.extra ->> '{COMMAND}', NULL), o.title, '')
    || ' ' || coalesce(p.text, '')
FROM facts f, json_each(iif(json_valid(f.extra), f.extra, '{{}}'), '$.{BROKEN}') b
LEFT JOIN observations o ON o.uid = b.value
LEFT JOIN prompts p
    ON p.uid = b.value OR (p.session_id = o.session_id AND p.prompt_number = o.prompt_number)
WHERE f.id = ?
"""
"""What broke a rule, and the prompts of these turns."""


class Known:
    """A document as a hint tells it; `at` in ms since the epoch, UTC; `is_stale`: a file of it has changed
    since."""

    __slots__ = ("at", "body", "document", "is_stale", "kind", "number", "title", "type")

    def __init__(self, row: tuple[Any, ...]) -> None:
        self.document, self.kind, self.number, self.at, self.type, title, body, stale = row
        self.is_stale = bool(stale)
        self.title = str(title or "")
        self.body = str(body or "")


def content_words(prompt: str) -> list[str]:
    """Return the words of a prompt that may tell what it is about, each once."""
    results: dict[str, None] = {}
    for word in index_words(prompt[:MOST_LETTERS]):
        if (
            1 < len(word) <= LONGEST_WORD
            and word not in STOP_WORDS
            and word not in CHATTER
            and not (word.isdigit() and len(word) < 4)
        ):
            results[word] = None
    return list(results)[:MOST_WORDS]


def about_prompt(
    db: apsw.Connection, project: str, prompt: str, agent: str, session: str, limit: int
) -> list[Known]:
    """Return what is remembered of a project that a prompt is about, the best of each turn, the best first;
    usually nothing.

    What the session itself did is left out, for its agent has it. Raises apsw's errors.
    """
    own: int = db.execute(OWN, (session, agent)).get or 0
    if not _is_about_something(db, project, prompt, own):
        return []
    from ..turns import turns_of
    from .ranking import with_turn_shares

    frequencies = {word: _frequency(db, word) for word in content_words(prompt)}
    rarest = sorted(
        (word for word in frequencies if 0 < frequencies[word] <= COMMON), key=frequencies.__getitem__
    )
    match = " OR ".join(map(_quoted, rarest[:ANCHORS]))
    scored: Any = db.execute(RANKED, (match, project, own)).fetchall()
    turns = turns_of(db, [document for document, _ in scored])
    best: dict[Any, int] = {}
    for document, _ in with_turn_shares(scored, turns):
        best.setdefault(turns.get(document, document), document)
    return [Known(row) for document in [*best.values()][:limit] for row in db.execute(ONE, (document,))]


def _is_about_something(db: apsw.Connection, project: str, prompt: str, own: int) -> bool:
    """Return whether a document surely is about the same as a prompt."""
    terms = _terms(db, prompt)
    anchors = sorted(
        (prompt_term for prompt_term in terms if prompt_term.frequency),
        key=lambda item: item.frequency,
    )
    score: dict[int, float] = {}
    mass: dict[int, float] = {}
    for term in anchors[:ANCHORS]:
        for document, type in db.execute(POSTINGS, (_quoted(term.text), project, own)):
            score[document] = score.get(document, 0.0) + term.weight * WORTH.get(str(type), 1.0)
            mass[document] = mass.get(document, 0.0) + term.mass
    rarest = sorted((term.weight for term in terms), reverse=True)[:RAREST]
    least = LEAST_SHARE * sum(rarest)
    likely = [number for number in score if score[number] >= least and mass[number] >= LEAST_MASS]
    likely.sort(key=lambda value: (-score[value], -value))
    for entry in likely[:LOOKED_AT]:
        longer = max(1.0, _length(db, entry) / LONG)
        if mass[entry] >= LEAST_MASS * longer**0.5 and score[entry] / longer**0.3 >= least:
            return True
    return False


def rules_for(db: apsw.Connection, project: str, prompt: str) -> list[Known]:
    """Return the rules that are to be told at each prompt which shares a word with them, or with what broke
    them. Raises apsw's errors."""
    words, results = {*map(stem, content_words(prompt))}, []
    for row in db.execute(RULES, (project,)).fetchall():
        rule = Known(row)
        rule.type = "rule of the user's"
        texts = [rule.title, *(str(text) for (text,) in db.execute(BROKE, (rule.number,)))]
        if any(words.intersection(map(stem, content_words(text))) for text in texts):
            results.append(rule)
    return results


def about_file(
    db: apsw.Connection, project: str, paths: tuple[str, str], agent: str, session: str
) -> list[Known]:
    """Return what other sessions decided, mended or found out about a file, newest first, but last
    that of which a file has changed since; `paths` are
    its path within the repository and its whole path. Raises apsw's errors."""
    own: Any = db.execute(OWN, (session, agent)).get
    return [Known(row) for row in db.execute(OF_FILE, (*paths, project, own))]


class PromptTerm:
    """A word or name of a prompt: what it tells, what it counts, how many documents have it."""

    __slots__ = ("frequency", "mass", "text", "weight")

    def __init__(self, text: str, mass: float, frequency: int, total: int) -> None:
        self.text = text
        self.mass = mass * (SELDOM if frequency <= 2 + total // 500 else 1.0)
        self.frequency = frequency
        self.weight = log(1 + total / max(frequency, 1)) * min(mass, 1.5)
        if not frequency:
            self.weight *= UNKNOWN


def _terms(db: apsw.Connection, prompt: str) -> list[PromptTerm]:
    """The words and names of a prompt, without those that too many documents have to tell anything."""
    total: Any = db.execute(TOTAL).get
    most = min(COMMON, max(FEWEST, min(SHARE * total, ROOTS * total**0.5)))
    wanted = {word: (PAIR if is_paired(word[0]) else 1.0) for word in content_words(prompt)}
    names = _names(prompt)
    # The words of a name are told by the name.
    for name in names:
        for word in name.split():
            wanted.pop(word, None)
    terms = []
    for text, mass in [*((name, NAMED) for name in names), *wanted.items()]:
        frequency = _frequency(db, text)
        if frequency <= most and (frequency or mass < NAMED):
            terms.append(PromptTerm(text, mass, frequency, total))
    return terms


def _names(prompt: str) -> list[str]:
    """The names of files, functions and the like in a prompt, as the index has them."""
    names: dict[str, None] = {}
    for raw in prompt[:MOST_LETTERS].split():
        name = raw.strip("`'\"()[]{}<>,;:!?.").rpartition("/")[2]
        inner = name[1:]
        is_name = (
            name.isascii()
            and "://" not in raw
            and ("_" in inner or "." in inner or (inner != inner.lower() and inner != inner.upper()))
        )
        if is_name and LEAST_NAME <= len(name) <= LONGEST_WORD:
            words = index_words(name)
            if not all(word.isdigit() or len(word) < 3 for word in words):
                names[" ".join(words)] = None
    return list(names)[:ANCHORS]


def _length(db: apsw.Connection, document: int) -> int:
    """How many words a document has, as the index counts them: a number a column, seven bits a byte."""
    sizes: Any = db.execute("SELECT sz FROM words_docsize WHERE id = ?", (document,)).get or b""
    total = value = 0
    for byte in sizes:
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            total, value = total + value, 0
    return total


def _frequency(db: apsw.Connection, text: str) -> int:
    """How many documents have a word or name, up to one more than is common."""
    number: int = db.execute(FREQUENCY, (_quoted(text),)).get
    return number


def _quoted(word: str) -> str:
    return '"' + word.replace('"', '""') + '"'
