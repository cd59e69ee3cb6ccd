"""What there is to say of a query before its hits: that no memory has a value, that a filter or a date
can't be understood, or that words may be meant as a date.

A query is never changed unasked: a filter that silently answers another question would be worse
than one that finds nothing. Each remark offers the query that was likely meant, by the nearest of the
names, values and dates there are.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import islice

import apsw

from ...platform.translation import _
from ...records.dataclasses import dataclass, replace
from ...text import clean
from ...text.language.folding import fold
from ...text.late_pattern import late_pattern
from ..index.documents import FIELDS
from ..listing.rows import document_of
from ..query.dates import TIME_NAMES, named_range, parse_range, time_in
from ..query.filters import HERE, HIDDEN_STATES, resolved_value, where
from ..query.grammar import CHINESE_FILTERS, CODE, DATES, FILTERS, LISTED, SIMILAR, Item, items
from ..query.language import (
    COUNTING,
    FORMS,
    KNOWN,
    LONGEST,
    MAXIMUM_ITEMS,
    SINGLE,
    Query,
    Term,
    amounts,
    filter_text,
    parse,
)
from . import values

FEW = 5
"""How many of the stored values are named where none is near."""
LONGEST_VALUE = 60
"""Characters; a longer value is no typing error."""
NOUNS = {
    "concept": _("the concept"), "tag": _("the tag"), "entity": _("the entity"),
    "file": _("the file"), "tool": _("the tool"), "source": _("the source"),
    "session": _("the session"), "type": _("the type"),
    "parent": _("a session that goes on from"), "project": _("the project"),
    "agent": _("the agent"), "subagent": _("the sub-agent"), "machine": _("the machine"),
    "author": _("the author"), "team": _("the team"), "branch": _("the branch"),
    "commit": _("a session that is known to have written the commit"),
    "told": _("been told to agents so often:"),
}  # fmt: skip


OPERATOR_AS_WORD = _(
    "{word} is searched for as a word: it stands between words, or between filters of one name."
)
ALL_TIMES = _("Nothing of that time fits as well: all times are searched.")


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence on a part of a query, for people.

    `meant` is the text that would replace the query from `start` to `end` (characters), None where
    nothing is near; `query` is the whole query with every such replacement.
    """

    sentence: str
    start: int
    end: int
    meant: str | None = None
    query: str | None = None


def remarks(db: apsw.Connection, text: str, now: datetime) -> tuple[Remark, ...]:
    """Return the remarks on a query, in the order of its text; none where the memory is empty."""
    source = clean(text[:LONGEST]).rstrip()
    if not db.execute("SELECT EXISTS (SELECT 1 FROM documents)").get:
        return ()
    query = parse(source, now)
    where(db, query)  # Git, where it is asked for a commit, takes its own time and is known afterwards.
    every = list(islice(items(source), MAXIMUM_ITEMS))
    is_code = any(CODE.search(item.text) for item in every if item.name not in LISTED)
    results = []
    for place, item in enumerate(every):
        following = [entry.text for entry in every[place + 1 : place + 3] if entry.name is None]
        if item.operator and Term(item.operator) in query.terms:
            results.append(Remark(OPERATOR_AS_WORD.format(word=item.operator), item.start, item.end))
            continue
        remark = _remark(db, query, item, following, now, is_code=is_code)
        if remark is not None:
            results.append(remark)
    is_plain = not is_code and not any(item.operator for item in every)
    if not results and is_plain and not {item.name for item in every} & DATES:
        results += _of_time(db, query, every, now)
    whole = _with_all(source, results)
    return tuple(
        one if one.meant is None or one.query is not None else replace(one, query=whole) for one in results
    )


def _with_all(text: str, found: list[Remark]) -> str:
    """Return the query with the replacements of all remarks."""
    for remark in sorted(found, key=lambda item: item.start, reverse=True):
        if remark.meant is not None:
            text = text[: remark.start] + remark.meant + text[remark.end :]
    return text


def _remark(
    db: apsw.Connection,
    query: Query,
    item: Item,
    following: list[str],
    now: datetime,
    *,
    is_code: bool,
) -> Remark | None:
    name, minus = item.name, "-" if item.negated else ""
    if name is None or item.quoted:
        return None
    if name not in LISTED:
        return None if is_code or name in FIELDS else _unknown_name(db, query, item, now)
    if not item.values:
        return None if is_code else _value_apart(db, query, item, following)
    if name in SINGLE and (item.negated or len(item.values) > 1):
        sentence = _(
            "{name}: takes one value, and no minus: {item} is searched for as a word.",
            name=name,
            item=_shown(item),
        )
        return Remark(sentence, item.start, item.end)
    if name in DATES:
        return _date(item, following, now)
    if name == "is" and len(item.values) == 1 and item.value.lower().startswith(SIMILAR):
        return _like_none(db, item)
    for value in item.values:
        if name in KNOWN:
            if value.lower() not in KNOWN[name]:
                return _unknown_value(item, value)
        elif name in COUNTING and not amounts(value):
            sentence = _(
                "{name}: takes a number, as in told:0, told:>5, told:<=3 or told:0..2: {item} is "
                "searched for as a word.",
                name=name,
                item=_shown(item),
            )
            return Remark(sentence, item.start, item.end)
        elif name in FILTERS and not values.exists(db, name, value, query):
            if (name, value) == ("project", HERE):
                here = resolved_value(db, name, value)
                sentence = _(
                    "The project here, {project}, has no memory.", project=_short(here) or _("none")
                )
                return Remark(" ".join((sentence, *moved_sentence(db))), item.start, item.end)
            near = nearest_value(db, name, value, query)
            sentence = _("No memory has {filter} {value}.", filter=NOUNS[name], value=_short(value))
            if near is None and name in ("type", "agent", "branch", "machine", "author", "team"):
                used = _("In use: {values}.", values=_some(db, name, query))
                sentence = _("{sentence} {more}", sentence=sentence, more=used)
            return Remark(sentence, item.start, item.end, _replaced(item, minus, value, near))
    return None


def moved_sentence(db: apsw.Connection) -> list[str]:
    """Return what is to be said where the folder here seems to be one that was moved, [] elsewhere."""
    from shlex import quote

    from ...tables.projects import moved_here

    if (moved := moved_here(db)) is None:
        return []
    old, new = map(quote, moved)
    return [
        _(
            "{old} isn't there any more. If it is {new} now: `mem session move {old} {new}`",
            old=old,
            new=new,
        )
    ]


def nearest_value(db: apsw.Connection, name: str, value: str, query: Query) -> str | None:
    """Return the stored value of a filter that is nearest to one that is not stored."""
    if len(value) > LONGEST_VALUE or name in {"session", "parent", *FORMS}:
        return None
    query = Query(flags=query.flags & HIDDEN_STATES)
    if filter_values := values.matching(db, name, value, query, limit=1, sounds=False).values:
        return filter_values[0].text
    # None holds it: one with a few other letters has its beginning or its end.
    third = max(2, len(value) // 3)
    near = [
        filter_value.text.rpartition("/")[2] if name == "file" and "/" not in value else filter_value.text
        for part in (value[:third], value[-third:], "")
        for filter_value in values.matching(db, name, part, query, limit=1, sounds=False).values
    ]
    if meant := nearest(value, dict.fromkeys(near)):
        return meant
    filter_values = values.matching(db, name, value, query, limit=1).values if value.isascii() else ()
    return filter_values[0].text if filter_values else None


def _value_apart(db: apsw.Connection, query: Query, item: Item, following: list[str]) -> Remark | None:
    """Return the remark on a blank between a filter and its value (`type: bugfix`)."""
    name, value = str(item.name), following[0] if following else ""
    if not value or name not in FILTERS or name in KNOWN or len(value) > LONGEST_VALUE:
        return None
    if name in FORMS and not FORMS[name](value):
        return None
    if not values.exists(db, name, value, query) or (meant := filter_text(name, value)) is None:
        return None
    end = item.end + 1 + len(value)
    sentence = _("{name}: has nothing behind it, so it is searched for as a word.", name=name)
    return Remark(sentence, item.start, end, f"{'-' if item.negated else ''}{meant}")


def _replaced(item: Item, minus: str, value: str, near: str | None) -> str | None:
    if near is None or item.name is None:
        return None
    written = [filter_text(item.name, near if text == value else text) for text in item.values]
    if not all(written):
        return None
    head = f"{item.name}:"
    return f"{minus}{head}" + ",".join(str(name).removeprefix(head) for name in written)


def _unknown_value(item: Item, value: str) -> Remark:
    name = str(item.name)
    known = sorted(set(KNOWN[name].values()))
    taken = [*known, f"{SIMILAR}12"] if name == "is" else known
    near = OTHER_VALUES.get(name, {}).get(value.lower()) or nearest(value, known)
    sentence = _(
        "{name}: has no value '{value}'; it takes {values}.",
        name=name,
        value=_short(value),
        values=_(", ").join(taken),
    )
    minus = "-" if item.negated else ""
    return Remark(sentence, item.start, item.end, _replaced(item, minus, value, near))


def _like_none(db: apsw.Connection, item: Item) -> Remark | None:
    """Return the remark on `is:similar:276` where no memory is named that could be looked for."""
    ref = item.value[len(SIMILAR) :]
    if item.negated:
        sentence = _(
            "{filter} takes no minus: {item} is searched for as a word.",
            filter=f"is:{SIMILAR}",
            item=_shown(item),
        )
    elif not ref:
        sentence = _("{filter} takes the id of a memory, as in {filter}12.", filter=f"is:{SIMILAR}")
    elif document_of(db, ref) is None:
        sentence = _("There is no visible memory {ref}.", ref=_short(ref))
    else:
        return None
    return Remark(sentence, item.start, item.end)


def _date(item: Item, following: list[str], now: datetime) -> Remark | None:
    if named_range(item.value, now) is not None:
        return None
    near = nearest_date(item.value, following, now) if len(item.value) <= LONGEST_VALUE else None
    sentence = _("{value} is not a date.", value=_short(item.value))
    if near is None:
        dates = _("Dates are 2026-02-18, 7d, yesterday, last-week …")
        sentence = _("{sentence} {more}", sentence=sentence, more=dates)
        return Remark(sentence, item.start, item.end)
    value, words = near
    end = item.end + sum(len(text) + 1 for text in following[:words])
    written = f'"{value}"' if " " in value else value
    return Remark(sentence, item.start, end, f"{item.name}:{written}")


def _unknown_name(db: apsw.Connection, query: Query, item: Item, now: datetime) -> Remark | None:
    """Return the remark on a word with a colon whose name is near a filter's, where what follows is a
    value of that filter."""
    typed = str(item.name)
    name = nearest_name(typed)
    if name is None or not item.values or len(item.value) > LONGEST_VALUE or CODE.search(item.value):
        return None
    meant: str | None = f"{name}:{item.text.partition(':')[2] or item.text.partition('：')[2]}"
    sentence = _("There is no filter {name}:.", name=typed)
    if name in FILTERS and name not in KNOWN and not values.exists(db, name, item.value, query):
        near = nearest_value(db, name, item.value, query)
        meant = filter_text(name, near) if near else None
    elif not parse(meant or "", now).chips:
        meant = None
    if meant is None:
        return None
    return Remark(sentence, item.start, item.end, f"{'-' if item.negated else ''}{meant}")


def _of_time(db: apsw.Connection, query: Query, every: list[Item], now: datetime) -> Iterator[Remark]:
    """Yield a remark where words of the query name a time and are searched for: there are memories of that
    time, or none that fit as well as others."""
    result, text = time_in(every, now) if every else None, query.text
    if result is None:
        return
    if query.named_time is not None:
        # Only now: most queries name no time.
        from ..related.second_tier import with_time

        if with_time(db, query).unapplied:
            yield Remark(ALL_TIMES, result.start, result.end)
    elif values.any_of(db, parse(result.filter, now)):
        words = text[result.start : result.end].strip("的里内，, ")
        sentence = _("“{words}” is searched for as words.", words=words)
        rest = f"{text[: result.start].rstrip()} {text[result.end :].lstrip()}".strip()
        yield Remark(sentence, result.start, result.end, result.filter, f"{rest} {result.filter}".strip())


def _some(db: apsw.Connection, name: str, query: Query) -> str:
    """Return a few of the stored values, the commonest first."""
    hidden = Query(flags=query.flags & HIDDEN_STATES)
    filter_values = values.matching(db, name, "", hidden, limit=FEW).values
    shown = _(", ").join(_short(value.text) for value in filter_values[:FEW])
    if len(filter_values) <= FEW:
        return shown
    return _("{items} and {number} more", items=shown, number=len(filter_values) - FEW)


def _shown(item: Item) -> str:
    return _short(("-" if item.negated else "") + item.text)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"


SHORTEST_BEGINNING = 3
"""Letters that tell which name is meant."""
OTHER_NAMES = {
    "after": "since",
    "from": "since",
    "before": "until",
    "date": "on",
    "day": "on",
    "repo": "project",
    "path": "file",
    "label": "tag",
    "order": "sort",
}
"""What other programs call these filters."""
NUMBERS = late_pattern(r"(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?")
MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()


OTHER_VALUES = {
    "is": {"hidden": "private", "trash": "deleted", "trashed": "deleted", "starred": "pinned"},
    "sort": {
        "new": "recent",
        "newest": "recent",
        "latest": "recent",
        "old": "oldest",
        "first": "oldest",
        "best": "relevance",
        "semantic": "meaning",
    },
}
"""What other programs call these states and orders."""


def edits(typed: str) -> int:
    """Return how many edits may separate what was typed from what was meant: more for longer words."""
    return 1 if len(typed) < 6 else 2 if len(typed) < 10 else 3


def nearest(typed: str, known: Iterable[str]) -> str | None:
    """Return the known text that is nearest to another; None where none is near.

    The order of preference: a text that one is the beginning of, one with the same letters and other
    punctuation, one that holds what was typed, one a few edits away. Of equally near ones the first
    is taken.
    """
    from rapidfuzz.distance import OSA

    sought = fold(typed)
    best: tuple[int, str] | None = None
    bare = re.sub(r"[\W_]", "", sought)
    for text in known:
        folded = fold(text)
        distance = OSA.distance(sought, folded, score_cutoff=edits(sought))
        if folded.startswith(sought) or (len(folded) > 3 and sought.startswith(folded)):
            rank = 0
        elif bare and bare == re.sub(r"[\W_]", "", folded):
            rank = 1
        elif len(sought) >= SHORTEST_BEGINNING and sought in folded:
            rank = 2
        elif len(sought) >= SHORTEST_BEGINNING and distance <= edits(sought):
            rank = 3 + distance
        elif len(sought) > SHORTEST_BEGINNING and folded.startswith(sought[:-1]):
            # `bugs` for bugfix: all but its ending.
            rank = 7
        else:
            continue
        if best is None or rank < best[0]:
            best = rank, text
    return best[1] if best else None


def mistyped(typed: str, known: Iterable[str]) -> str | None:
    """Return the known text that was likely meant by another, which differs by a few letters at most;
    None where none is so near."""
    from rapidfuzz.distance import OSA

    near = [(OSA.distance(fold(typed), fold(text)), text) for text in known]
    distance, text = min(near, key=lambda pair: pair[0], default=(0, ""))
    return text if len(typed) >= SHORTEST_BEGINNING and distance <= edits(typed) else None


def nearest_name(typed: str) -> str | None:
    """Return the filter whose name is nearest to a name that no filter has; None where none is near."""
    if len(typed) < SHORTEST_BEGINNING:
        return CHINESE_FILTERS.get(_one_edit(typed, CHINESE_FILTERS)) if not typed.isascii() else None
    if typed in OTHER_NAMES:
        return OTHER_NAMES[typed]
    begins = [name for name in sorted(LISTED) if name.startswith(typed)]
    if len(begins) == 1:
        return begins[0]
    return _one_edit(typed, sorted(LISTED | FIELDS.keys())) or None


def _one_edit(typed: str, known: Iterable[str]) -> str:
    from rapidfuzz.distance import OSA

    near = (text for text in known if OSA.distance(typed, text, score_cutoff=1) <= 1 and len(text) > 1)
    return next(near, "")


def nearest_date(typed: str, following: list[str], now: datetime) -> tuple[str, int] | None:
    """Return the date nearest to a text that is none, and how many of the following words belong to it.

    `last week` is last-week, 2026-13-45 the last day of that year, 18.02.2026 a day.
    """
    for count in range(min(2, len(following)), 0, -1):
        joined = " ".join([typed, *following[:count]])
        if named_range(joined, now) is not None:
            name = joined.lower().replace(" ", "-")
            return (name if name in TIME_NAMES else joined), count
    folded = fold(typed)
    if match := NUMBERS.fullmatch(folded):
        year, month, day = (int(part or 0) for part in match.groups())
        return _in_calendar(year, month, day), 0
    if not any(char.isdigit() for char in folded):
        near = nearest(folded, TIME_NAMES) if len(folded) > 2 else None
        if near is not None and near.isascii() == folded.isascii():
            return near, 0
        if folded[:3] in MONTHS and folded.isalpha():
            month = MONTHS.index(folded[:3]) + 1
            return f"{now.year - (month > now.month)}-{month:02}", 0
        return None
    read = _as_read(folded, now)
    return (read, 0) if read else None


def _in_calendar(year: int, month: int, day: int) -> str:
    """The nearest date of the calendar; of a day 0 the month."""
    if month > 12 and 0 < day <= 12:
        month, day = day, month
    year, month = max(year, 1), min(max(month, 1), 12)
    if not day:
        return f"{year:04}-{month:02}"
    return f"{year:04}-{month:02}-{min(day, monthrange(year, month)[1]):02}"


def _as_read(folded: str, now: datetime) -> str | None:
    """A whole date in another order or in words (18.02.2026, 18feb2026), as dateutil reads it."""
    from dateutil import parser

    spaced = folded.replace("-", " ")
    if parse_range(spaced, now) is not None:
        return spaced
    numbers = re.findall(r"\d+", folded)
    if len(numbers) < 3 and len(folded) != 8 and not any(month in folded for month in MONTHS):
        return None
    try:
        return f"{parser.parse(folded, default=now, dayfirst='.' in folded):%Y-%m-%d}"
    except (ValueError, OverflowError):
        return None
