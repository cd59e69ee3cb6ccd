"""What is like a memory, or near to what a query means: hits in that order, ahead of what words tell."""

from __future__ import annotations

from itertools import islice

import apsw

from ..kinds import LETTERS, bare_ref, parse_ref
from ..records import Hit
from ..records.dataclasses import replace
from .documents import SHAPES, fetch
from .listing import describe
from .matching import Matcher
from .meaning import Meaning, Near
from .query import Term
from .related import related
from .stop_words import STOP_WORDS
from .words import frequency, tokens

Scored = list[tuple[int, float]]
"""Documents with their scores, best first."""

MOST = 100
"""So many of the nearest are listed: who is after them is hardly like it any more."""
WORDS, LOOKED_AT = 16, 3_000
"""Without vectors a memory is looked for by so many of its rarest words, of so much of its text."""
COMMON = 2_000
"""Documents with a word up to which they are counted."""

NUMBER = "SELECT id FROM documents WHERE kind = ? AND record_id = ?"
BY_UID = "SELECT d.id FROM documents d WHERE " + " OR ".join(
    f"(d.kind = '{kind}' AND d.record_id = (SELECT id FROM {shape.table} WHERE uid = ?1))"
    for kind, shape in SHAPES.items()
)


def document_of(db: apsw.Connection, ref: str) -> int | None:
    """Return the document of a record by the id people use (12, p12, s12, f12) or its uid; None where no
    visible memory has it."""
    found = parse_ref(bare_ref(ref))
    if found is not None and found[0] in LETTERS:
        number: int | None = db.execute(NUMBER, (LETTERS[found[0]], found[1])).get
        return number
    by_uid: int | None = db.execute(BY_UID, (ref,)).get
    return by_uid


def like_record(matcher: Matcher, meaning: Meaning | None, document: int, limit: int) -> Scored:
    """Return the documents that are like another one, nearest first; by their rarest words where no
    vectors tell."""
    limit = min(limit, MOST)
    near = Near()
    if meaning is not None:
        near = meaning.near_document(matcher.db, document, matcher.where, limit)
    scored = list(near.cosines.items()) or like_by_words(matcher, document, limit)
    if matcher.query.clauses or matcher.query.excluded:
        held = {one.id for one in matcher.verified(number for number, _ in scored)}
        scored = [pair for pair in scored if pair[0] in held]
    return scored[:limit]


def by_meaning(matcher: Matcher, meaning: Meaning, limit: int) -> list[Hit]:
    """Return what is nearest to what a query says, nearest first; those that hold every term are exact."""
    near = meaning.near_text(matcher.db, matcher.query.plain_text, matcher.where, limit)
    documents = {one.id: one for one in fetch(matcher.db, near.cosines)}
    hits = describe(
        matcher.db,
        matcher.query,
        ((number, score) for number, score in near.cosines.items() if number in documents),
        documents,
    )
    allowed = {number for number, one in documents.items() if matcher.allows(one)}
    holding = {number for number in allowed if matcher.holds(documents[number])}
    return [
        hit if hit.row.document_id in holding else replace(hit, tier="related")
        for hit in hits
        if hit.row.document_id in allowed
    ]


def like_by_words(matcher: Matcher, document: int, limit: int) -> Scored:
    """Return the documents that share another one's rarest words, best first."""
    db = matcher.db
    words: list[str] = []
    for one in fetch(db, [document]):
        title, body, lists = one.parts()
        found = tokens(Term(" ".join((title, body, lists))[:LOOKED_AT]))
        words = [word for word in dict.fromkeys(found) if word not in STOP_WORDS]
    if not matcher.has_words:
        return []
    known = {word: frequency(db, word, COMMON) for word in words}
    rarest = sorted((word for word in words if known[word] > 1), key=lambda word: known[word])
    loose = replace(matcher.query, clauses=tuple((Term(word),) for word in rarest[:WORDS]))
    sought = Matcher(db, replace(loose, excluded=()), matcher.deadline)
    return [(one.id, one.score) for one in islice(related(sought, limit, {document}), limit)]
