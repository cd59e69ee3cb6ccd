"""Records in full, many at once: all that tells a reader something, or the fields that are chosen, and of
long texts the passages that are about some words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ...platform.errors import InvalidRecordError, NotFoundError
from ...records import kinds
from ...records.dataclasses import dataclass
from ...search.index.stems import stems
from ...search.related.second_tier import content_words
from ...text.language.folding import fold
from ...text.language.sentences import split_sentences
from ...text.tokens import token_weight
from .answer import TOOLS, Answer, Json, Told, Wording, characters_within, find, one_line, without_nulls
from .fields import FIELDS, HEAD, LISTS, Value, has, names_of, value_of

if TYPE_CHECKING:
    from ...store import Store


MOST_TOKENS = 20_000
"""What an answer takes at most unless more is asked for: agents refuse what is much longer."""
MOST_IDS, NAMED = 200, 20
"""So many are looked at; of those for which there is no room, so many are named."""
SENTENCE, AN_ID = 60.0, 12.0
LEAST = 30
"""Tokens: with less room a text isn't begun."""


@dataclass(frozen=True, slots=True)
class CompactRecord:
    """A record; every text may stand in a fence. `fields` has what says something, in order."""

    id: str
    kind: str
    fields: dict[str, Value]

    def lines(self) -> Iterator[str]:
        """Yield its first line, then its fields; what lies below is indented, so that no text poses as
        the next record."""
        content = self.fields
        head = [self.id, str(content.get("type", self.kind)), str(content.get("at", ""))]
        head += [
            f"({content['project']})" if "project" in content else "",
            str(content.get("session", "")),
        ]
        title = f": {content['title']}" if "title" in content else ""
        yield " ".join(filter(None, head)) + title
        for name, value in content.items():
            if name in HEAD:
                continue
            if isinstance(value, list) and (name in LISTS or any(", " in text for text in value)):
                yield f"{name}:"
                yield from (f"  - {word}" for word in value)
            elif isinstance(value, list):
                yield f"{name}: {', '.join(value)}"
            elif isinstance(value, str) and "\n" in value:
                yield f"{name}:"
                yield from (f"  {line}" for line in value.split("\n"))
            else:
                yield f"{name}: {'yes' if value is True else value}"

    def as_dict(self) -> Json:
        """Return it as plain values without nulls."""
        return {"id": self.id, "kind": self.kind, **self.fields}


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactRecords(Answer):
    """Records in the order in which they were asked for. `missing` are sentences on ids that name none,
    `cut` the names of fields that were cut, `left_out` the ids for which there was no room, `in_part` the
    fields of which only what is about some words is told."""

    records: tuple[CompactRecord, ...]
    missing: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    in_part: tuple[str, ...] = ()
    max_tokens: int = MOST_TOKENS

    def lines(self) -> Iterator[str]:
        """Yield the lines of the records."""
        for record in self.records:
            yield from record.lines()

    @property
    def closing(self) -> str:
        """What was left out, and how to get it."""
        parts = list(self.missing)
        if self.cut:
            larger = self.wording.larger(self.max_tokens * 4)
            parts.append(f"Cut: {', '.join(self.cut)}; {larger} tells more.")
        if self.left_out:
            parts.append(f"No room for {_some(self.left_out)}: ask for them alone.")
        if self.in_part:
            parts.append(f"Passages of {', '.join(self.in_part)}; all of it without `about`.")
        if any("‹" in line for line in self.lines()):
            parts.append("‹ stands for a < of theirs.")
        return " ".join(parts)

    def as_dict(self) -> Json:
        """Return it as plain values without nulls."""
        return {"records": [record.as_dict() for record in self.records]} | without_nulls(
            {
                "missing": list(self.missing),
                "cut": list(self.cut),
                "left_out": list(self.left_out[:NAMED]),
                "in_part": list(self.in_part),
            }
        )


def records(
    store: Store,
    ids: Iterable[str],
    fields: Sequence[str] = (),
    *,
    about: str = "",
    hidden: bool = False,
    max_tokens: int = MOST_TOKENS,
    wording: Wording = TOOLS,
) -> CompactRecords:
    """Return the records of these ids in full, or of each these `fields`, in at most about so many tokens.

    With `about`, what somebody wants to know, long texts are told by the passages that hold its words.
    An id that names none, or a memory that is private, deleted or noise (unless `hidden` is asked for), is
    told as missing. InvalidRecordError of a field that no record has.
    """
    if unknown := [name for name in fields if name not in FIELDS]:
        raise InvalidRecordError(f"There is no field {unknown[0][:40]}. There are: {', '.join(FIELDS)}.")
    refs = list(dict.fromkeys(map(kinds.bare_ref, ids)))
    compact_records: list[CompactRecord] = []
    told_already: set[str] = set()
    missing: list[str] = []
    cut: list[str] = []
    in_part: list[str] = []
    left_out = refs[MOST_IDS:]
    passages = Passages(store, about) if about.strip() else None
    room = float(max(LEAST, max_tokens))
    for place, text in enumerate(refs[:MOST_IDS]):
        if room < LEAST:
            left_out = refs[place:]
            break
        try:
            record = find(store, text, hidden=hidden)
        except NotFoundError as error:
            missing.append(one_line(wording.said(error), SENTENCE))
            continue
        if record.uid in told_already:
            continue
        told_already.add(record.uid)
        content = compact_record(store, record, fields)
        if passages:
            content, names = _passages_of(content, passages)
            in_part += names
        content, room, names = _fitted(content, room)
        compact_records.append(content)
        cut += names
    return CompactRecords(
        records=tuple(compact_records),
        missing=tuple(missing),
        cut=tuple(cut),
        left_out=tuple(one_line(word, AN_ID) for word in left_out),
        in_part=tuple(in_part),
        max_tokens=max_tokens,
        wording=wording,
    )


def compact_record(store: Store, record: Told, fields: Sequence[str] = ()) -> CompactRecord:
    """Return a record with all that is told of its kind, or these fields of it."""
    kind = kinds.kind_of(record)
    content: dict[str, Value] = {}
    for name in fields or names_of(record):
        value = value_of(store, record, name) if has(record, name) else None
        if value:
            content[name] = value
    return CompactRecord(kinds.ref_of(record), kind, content)


def _passages_of(record: CompactRecord, passages: Passages) -> tuple[CompactRecord, list[str]]:
    """A record with the passages of its texts, and the names of those of which that isn't all."""
    fields: dict[str, Value] = {
        name: passages.of(value)
        if isinstance(value, str)
        else passages.items(value)
        if isinstance(value, list)
        else value
        for name, value in record.fields.items()
    }
    names = [f"{name} of {record.id}" for name in fields if fields[name] != record.fields[name]]
    return CompactRecord(record.id, record.kind, fields), names


def _some(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - NAMED:,} more" if len(ids) > NAMED else ""
    return f"{', '.join(ids[:NAMED])}{more}"


def _fitted(record: CompactRecord, room: float) -> tuple[CompactRecord, float, list[str]]:
    """A record with what there is room for, the room that is left, and what of it was cut."""
    fields: dict[str, Value] = {}
    cut: list[str] = []
    for name, value in record.fields.items():
        weight = _weight(name, value)
        if weight > room:
            cut.append(f"{name} of {record.id}")
            if isinstance(value, list):
                value = _items_within(value, room)
            else:
                text = str(value)
                value = text[: characters_within(text, room)] + "…" if room >= LEAST else ""
            weight = min(room, _weight(name, value))
            if not value:
                continue
        fields[name] = value
        room -= weight
    return CompactRecord(record.id, record.kind, fields), room, cut


def _items_within(items: list[str], room: float) -> list[str]:
    kept: list[str] = []
    for item in items:
        room -= token_weight(item) + 1
        if room < 0:
            break
        kept.append(item)
    return kept


def _weight(name: str, value: Value) -> float:
    if isinstance(value, list):
        return sum(token_weight(text) + 1 for text in value) + token_weight(name)
    return token_weight(str(value)) + token_weight(name) + 1


FIELD = 400.0
"""Tokens of a field that are told; a text that is hardly longer is told whole."""
HARDLY_LONGER = 1.3
LONG_LINE = 300
"""Characters: of a longer line sentences are chosen."""
LEAST_ROOM = 10.0
GAP = "…"

Part = tuple[int, str]
"""A sentence, or a whole line, with the number of the line it is of."""


class Passages:
    """Chooses what of texts is about the words of a query, in any inflection."""

    def __init__(self, store: Store, about: str) -> None:
        words = content_words(store.parse(about))
        self._db = store.db
        self._stems = {stem for word in words for _, _, stem in stems(store.db, word)}
        self._others = [fold(word) for word in words if not word.isascii()]

    def of(self, text: str) -> str:
        """Return the parts of a text that hold most of the words, and those beside them, within FIELD
        tokens: its lines and sentences in their order, an ellipsis for what is left out. Where none
        holds any, the text's beginning; a text that is hardly longer is returned as it is."""
        if token_weight(text) <= FIELD * HARDLY_LONGER:
            return text
        parts = _parts(text)
        kept = self._chosen(parts)
        if not kept:
            return text[: characters_within(text, FIELD)] + GAP
        return _joined(parts, kept)

    def items(self, items: list[str]) -> list[str]:
        """Return the items of a list that `of` would tell of them."""
        if sum(map(token_weight, items)) <= FIELD * HARDLY_LONGER:
            return items
        kept = self._chosen(list(enumerate(items)))
        return [items[place] for place in sorted(kept)] or items[:1]

    def _chosen(self, parts: Sequence[Part]) -> set[int]:
        scores = [self._score(text) for _, text in parts]
        kept: set[int] = set()
        room = FIELD
        for best in sorted(range(len(parts)), key=lambda place: -scores[place]):
            if not scores[best] or room < LEAST_ROOM:
                break
            for place in (best, best + 1, best - 1):
                if place in kept or not 0 <= place < len(parts):
                    continue
                if (weight := token_weight(parts[place][1])) <= room:
                    kept.add(place)
                    room -= weight
        return kept

    def _score(self, text: str) -> int:
        held = {stem for _, _, stem in stems(self._db, text)} & self._stems
        folded = fold(text) if self._others else ""
        return len(held) + sum(word in folded for word in self._others)


def _parts(text: str) -> list[Part]:
    return [
        (number, part)
        for number, line in enumerate(text.split("\n"))
        for part in (
            split_sentences(line, is_typed=True, at_semicolons=True) if len(line) > LONG_LINE else [line]
        )
        if part.strip()
    ]


def _joined(parts: Sequence[Part], kept: set[int]) -> str:
    """Those parts, with a line break where there was one."""
    content = ""
    last = -1
    for place in sorted(kept):
        number, text = parts[place]
        if place != last + 1:
            content += f"\n{GAP}\n" if content else f"{GAP}\n"
        elif content:
            content += " " if parts[last][0] == number else "\n"
        content += text
        last = place
    return content if last == len(parts) - 1 else f"{content}\n{GAP}"
