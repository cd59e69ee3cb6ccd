"""The words that visible documents hold, as written: what a mistyped word may have meant.

Each word names one document that holds it, so that none outlives the texts it came from. A word
whose document goes is adopted by another that holds it, or forgotten. Chinese words are pairs of
characters, as in the words index.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import apsw

from .documents import Document, fetch
from .folding import CHINESE, prepare

SHORTEST, LONGEST = 3, 24
"""Characters of a word that is kept; shorter ones are too near to everything."""
ASKED = 5
"""So many of the newest documents with a word's stem are read for the word itself."""
HIGHEST = "\U0010ffff"

WORD = re.compile(r"[^\W_]+")


def spelled(prepared: Iterable[str]) -> set[str]:
    """The words of a document's prepared texts."""
    return set(filter(is_spelled, WORD.findall(" ".join(prepared).lower())))


def is_spelled(word: str) -> bool:
    """Whether a word is kept: of letters only, since ids and numbers have no spelling."""
    return word.isalpha() and (SHORTEST <= len(word) <= LONGEST or is_pair(word))


def is_pair(word: str) -> bool:
    """Whether a word is two Chinese characters."""
    return len(word) == 2 and CHINESE.fullmatch(word) is not None


def add(db: apsw.Connection, documents: Iterable[tuple[int, Iterable[str]]]) -> None:
    """Keep the words of documents, given by id with their prepared texts."""
    db.executemany(
        "INSERT INTO spellings VALUES (?, ?, ?) ON CONFLICT DO UPDATE "
        "SET document_id = excluded.document_id WHERE document_id = 0",
        ((word, word[::-1], number) for word, number in words_of(documents, set())),
    )


def words_of(
    documents: Iterable[tuple[int, Iterable[str]]], seen: set[str]
) -> list[tuple[str, int]]:
    """The words of documents, given by id with their prepared texts, each with one that holds it.

    `seen` are pieces of text whose words are kept already, which are not looked at again; it gains
    the others.
    """
    found: dict[str, int] = {}
    for number, prepared in documents:
        pieces = set(" ".join(prepared).split()) - seen
        seen |= pieces
        for piece in pieces:
            found.update(dict.fromkeys(WORD.findall(piece.lower()), number))
    return [(word, found[word]) for word in sorted(filter(is_spelled, found))]


def adopt(db: apsw.Connection, limit: int | None = None) -> None:
    """Find another document for each word (at most `limit`) that has lost its own, or forget it."""
    orphans = db.execute(
        "SELECT word FROM spellings WHERE document_id = 0 LIMIT ?",
        (-1 if limit is None else limit,),
    ).fetchall()
    for word in [str(one) for (one,) in orphans]:
        ids = db.execute(
            "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT ?",
            (f'"{word}"', ASKED),
        )
        holder = next((one.id for one in fetch(db, [n for (n,) in ids]) if holds(one, word)), None)
        if holder is None:
            db.execute("DELETE FROM spellings WHERE word = ?", (word,))
        else:
            db.execute("UPDATE spellings SET document_id = ? WHERE word = ?", (holder, word))


def orphaned(db: apsw.Connection) -> bool:
    """Whether a word waits to be adopted."""
    return bool(db.execute("SELECT EXISTS (SELECT 1 FROM spellings WHERE document_id = 0)").get)


def holds(document: Document, word: str) -> bool:
    """Whether a word is one of a document's."""
    return word in spelled(map(prepare, document.parts()))


def near(db: apsw.Connection, word: str, edits: int) -> Iterator[str]:
    """Words of about its length that begin or end as it does: with its first or second half, or with
    its first or last third where there may be two edits.

    One edit leaves either half as it is, but for two letters in the wrong order in the middle.
    """
    half = len(word) // 2
    swapped = word[: half - 1] + word[half] + word[half - 1] + word[half + 1 :]
    first, last = (half, len(word) - half) if edits == 1 else (len(word) // 3, len(word) // 3)
    for column, start in (
        ("word", word[:first]),
        ("backwards", word[::-1][:last]),
        ("word", swapped),
    ):
        sql = (
            f"SELECT word FROM spellings WHERE {column} >= ? AND {column} < ? "
            "AND length(word) BETWEEN ? AND ? AND document_id > 0"
        )
        values = (start, start + HIGHEST, len(word) - edits, len(word) + edits)
        yield from (str(found) for (found,) in db.execute(sql, values))


def begins(db: apsw.Connection, start: str) -> bool:
    """Whether a word begins so."""
    sql = "SELECT EXISTS (SELECT 1 FROM spellings WHERE word >= ? AND word < ? AND document_id > 0)"
    return bool(db.execute(sql, (start, start + HIGHEST)).get)


def wrong(db: apsw.Connection) -> int:
    """How many words name a document that doesn't hold them."""
    count = 0
    rows = db.execute(
        "SELECT document_id, word FROM spellings WHERE document_id > 0 ORDER BY document_id"
    )
    held: tuple[int, set[str]] = (0, set())
    for number, word in rows:
        if number != held[0]:
            texts = [one for document in fetch(db, [number]) for one in document.parts()]
            held = (number, spelled(map(prepare, texts)))
        count += word not in held[1]
    return count
