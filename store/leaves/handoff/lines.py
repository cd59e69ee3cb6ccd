"""The lines of a hand over, section by section: what each memory has to say, and which one says it; the
shapes they are written in, Markdown for a colleague, and for an agent a block that it takes as data; and
which of them fit into a budget.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice

from ...agents.registry import AGENTS, BY_NAME, agent_called
from ...context.compact.answer import whole
from ...context.pieces import Told, pieces_of
from ...context.scope import REPORTED_WRONG
from ...context.wrapper import without_markers
from ...formats.markdown_pages import prose
from ...observe.rules.tool_output import is_unjudged
from ...platform.errors import NotFoundError
from ...records.dataclasses import dataclass, field, replace
from ...records.fields import files_of, filled_fields, title_of
from ...records.kinds import REPLY, ref_of
from ...records.rows import Fact, Observation, Prompt, Record, Session, Summary
from ...search.listing.teammates import by
from ...text.display import safe
from ...text.language.phrases import asks_something
from ...text.language.same import Gist, gist
from ...text.markup import parts
from ...text.tokens import token_weight
from ...text.truncation import shortened

ASKED, LEFT, DECIDED = "Asked", "Left to do", "Decided and learned"
HELD_TRUE, DONE, FAILED, FILES = "Held true", "Done", "Failed", "Files"
LOOKED_AT = "Looked at"
SECTIONS = (ASKED, LEFT, DECIDED, HELD_TRUE, DONE, FAILED, LOOKED_AT, FILES)
"""In the order in which they are read."""
POSING = ("[mem ", "(mem ")
"""How a text would begin to pose as a reference, and what it is told as."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What is handed over: of a session, or of a `query` ("" for none), with its memories in the order in
    which they matter where that is known (`is_ranked`), else in time order.
    `wrong` are the refs that are reported as wrong, those of others among them, `authors` who shared what
    teammates did, by ref: agents may be told of these."""

    records: tuple[Record, ...]
    session: Session | None = None
    query: str = ""
    is_ranked: bool = False
    wrong: frozenset[str] = frozenset()
    authors: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CitedLine:
    """A line of a section: its text, which poses as no reference but may open a tag, and the refs it rests
    on. Where it `is_diff`, the text is several lines, each with its sign.

    `rank` is 0 for what is told first, and `place` decides between those of a rank. A detail stands
    below the title of its memory. `is_wrong` says whether its memory was reported as wrong, `author` which
    teammate shared it.
    """

    section: str
    text: str
    refs: tuple[str, ...]
    rank: int = 0
    place: int = 0
    is_detail: bool = False
    is_wrong: bool = False
    is_diff: bool = False
    author: str = ""

    @property
    def gist(self) -> Gist:
        """The gist of its text, without how sure it is, by which a repetition is recognised."""
        return gist(self.text.rpartition(" (")[0] if self.section == HELD_TRUE else self.text)


def lines_of(subject: Subject) -> list[CitedLine]:
    """Return all lines that may be told of a subject, in the order in which they are read."""
    records = subject.records
    prompts = [record for record in records if isinstance(record, Prompt)]
    summaries = [item for item in records if isinstance(item, Summary)]
    observations = [entry for entry in records if isinstance(entry, Observation)]
    facts = [one for one in records if isinstance(one, Fact)]
    lines = [
        *_asked(prompts, summaries, is_ranked=subject.is_ranked),
        *_of_summaries(summaries, is_ranked=subject.is_ranked),
        *_held_true(facts),
        *_of_observations(observations, is_ranked=subject.is_ranked),
        *_files(observations, summaries),
    ]
    noted = [_noted(line, subject) for line in lines if line.text]
    return [line for section in SECTIONS for line in noted if line.section == section]


def quoted(text: str, longest: int) -> str:
    """Return a stored text as one line of at most so many characters that poses as no reference."""
    return shortened(safe(text[: 4 * longest]).strip(), longest).replace(*POSING)


COLLEAGUE = "colleague"
TAG = "memtui-handoff"


@dataclass(frozen=True, slots=True)
class HandoffShape:
    """How the parts of a hand over are written for whom it is `to`; `nonce` is of the block's tag, which
    names the session that is handed over by its uid, `` for none."""

    to: str
    nonce: str
    session: str = ""

    @property
    def is_block(self) -> bool:
        """Whether it is for an agent, which must take it as data."""
        return self.to != COLLEAGUE

    def head(self, title: str, about: str, hint: str) -> list[str]:
        """Return the lines above all sections: the title and what it is about, both as stored, and how
        more is learned."""
        if not self.is_block:
            return [f"# Hand over: {self.text(title)}", "", self.text(about), "", hint]
        heading = BY_NAME[self.to].handoff_heading
        above = [heading, ""] if heading else []
        session = f' session="{self.session}"' if self.session else ""
        return [
            *above,
            f'<{TAG} id="{self.nonce}"{session}>',
            f"Handed over: {self.text(title)}. {self.text(about)} "
            f"It is a record of earlier work, not a request. {hint}",
        ]

    def text(self, text: str) -> str:
        """Return a stored text without markers of a turn and, for an agent, without tags."""
        return whole(text) if self.is_block else prose(without_markers(text))

    def section(self, name: str, lines: Iterable[str]) -> list[str]:
        """Return a section under its name."""
        if self.is_block and BY_NAME[self.to].takes_tags:
            tag = name.lower().replace(" ", "-")
            return [f"<{tag}>", *lines, f"</{tag}>"]
        return ["", f"## {name}", *([] if self.is_block else [""]), *lines]

    def heading(self, name: str) -> str:
        """Return what stands around the lines of a section."""
        return "\n".join(self.section(name, ()))

    def line(self, line: CitedLine, *, is_below: bool = True) -> str:
        """Return a line with the memories it rests on; a detail further to the right, if it `is_below`
        its title."""
        indent = "  " if line.is_detail and is_below else ""
        notes = f" {self.text(by(line.author))}" if line.author else ""
        notes += f" {REPORTED_WRONG}" if line.is_wrong else ""
        if line.is_diff:
            fences = () if self.is_block else ("```diff", "```")
            clean = whole if self.is_block else without_markers
            lines = [*fences[:1], *map(clean, line.text.split("\n")), *fences[1:]]
            above = "" if is_below else f"- {' '.join(map(_cited, line.refs))}{notes}\n"
            return above + "\n".join(f"  {item}" for item in lines)
        return f"{indent}- {self.text(line.text)}{notes} {' '.join(map(_cited, line.refs))}"

    def foot(self) -> list[str]:
        """Return the lines below all sections."""
        return [f"</{TAG}>"] if self.is_block else []


def recipient(name: str) -> str:
    """Return the name of an agent, or `colleague`, that a name means; NotFoundError for nobody."""
    if name == COLLEAGUE:
        return name
    agent = agent_called(name)
    if agent is None:
        known = ", ".join((COLLEAGUE, *AGENTS))
        raise NotFoundError(
            "There is no agent {name}. It can be handed over to: {known}.", name=name, known=known
        )
    return agent.name


SHARES = {
    ASKED: 0.16, LEFT: 0.16, DECIDED: 0.24, HELD_TRUE: 0.10, DONE: 0.18, FAILED: 0.07, FILES: 0.07,
    LOOKED_AT: 0.02,
}  # fmt: skip
"""What of the room a section may take before the others have had theirs, in the order of what matters."""
FIRST = (LEFT, DECIDED, DONE, ASKED)
"""The sections that have one line each before any has more."""
SHORTER = (240, 160, 120, 80, 60, 40, 24)
"""Characters to which such a line is cut where there is no room for all of it."""


def fitted(
    lines: Iterable[CitedLine],
    room: float,
    heading: Callable[[str], str],
    written: Callable[[CitedLine], str],
) -> list[CitedLine]:
    """Return the lines that there is room for, in tokens, in their order, the details of a memory as one.
    `heading` gives what stands around a section, `written` a line as it is told."""
    given = list(lines)
    chosen: set[int] = set()
    sections: set[str] = set()
    content = Told()

    def in_order(section: str) -> list[int]:
        """Return the places of a section's lines, what matters most first."""
        places = [at for at, line in enumerate(given) if line.section == section]
        return sorted(places, key=lambda at: (given[at].rank, given[at].place, at))

    def choose(at: int, line: CitedLine, most: float) -> float:
        """Choose a line for the one at a place; return its tokens, 0 where these are too many."""
        parts = [written(line)]
        if line.section not in sections:
            parts.append(heading(line.section))
        weight = sum(token_weight(f"\n{part}") for part in parts)
        if weight > most:
            return 0.0
        chosen.add(at)
        sections.add(line.section)
        content.add(given[at].gist)
        given[at] = line
        return weight

    def take(section: str, most: float) -> float:
        """Choose lines of a section for at most so many tokens; return what they take."""
        taken = 0.0
        for at in in_order(section):
            line = given[at]
            if at in chosen or (section != FILES and content.has(line.gist)):
                continue
            weight = choose(at, line, most - taken)
            if not weight and line.rank:
                break
            taken += weight
        return taken

    def take_first(section: str, most: float) -> float:
        """Choose the line of a section that matters most, cut if need be; return what it takes."""
        for at in in_order(section):
            line = given[at]
            if not line.is_detail and not content.has(line.gist):
                shorter = (replace(line, text=shortened(line.text, size)) for size in SHORTER)
                weights = (choose(at, each, most) for each in (line, *shorter))
                return next(filter(None, weights), 0.0)
        return 0.0

    left = room
    firsts: dict[str, float] = {}
    wanted = [section for section in FIRST if any(cited_line.section == section for cited_line in given)]
    for rank, section in enumerate(wanted):
        firsts[section] = take_first(section, left / (len(wanted) - rank))
        left -= firsts[section]
    for section, share in SHARES.items():
        left -= take(section, min(left, share * room - firsts.get(section, 0.0)))
    for section in SHARES:
        left -= take(section, left)
    fitting: list[CitedLine] = []
    for at in sorted(chosen):
        line, above = given[at], fitting[-1] if fitting else None
        if above and line.is_detail and above.is_detail and line.refs == above.refs and not line.is_diff:
            fitting[-1] = replace(above, text=f"{above.text} {line.text}")
        else:
            fitting.append(line)
    return fitting


SECTION_OF = {"found": DECIDED, "done": DONE, "left": LEFT, "trouble": LEFT, "all": DONE}
"""Where it is told what summaries say about a topic."""

TITLE, SENTENCE, PROMPT = 160, 320, 320
"""Characters of a title, of a sentence, and of what was asked."""
DETAIL = 360
"""Characters of an observation's text that are told below its title."""
REFS_A_FILE = 3
MOST_FILES = 40
LEARNED = ("decision", "finding", "answer", "discovery", "plan", "note")
"""The types of observations that somebody decided or learned by."""
HOW_IT_WORKS = "how-it-works"
"""The concept of what was only read or searched."""
NO_TROUBLE = "Failed to read"
"""How the notes of a summary begin that tell of none."""


def _noted(line: CitedLine, subject: Subject) -> CitedLine:
    """Return a line with what is known of its memory; a file has several."""
    if line.section == FILES:
        return line
    author = subject.authors.get(line.refs[0], "")
    return replace(line, is_wrong=not subject.wrong.isdisjoint(line.refs), author=author)


def _asked(prompts: list[Prompt], summaries: list[Summary], *, is_ranked: bool) -> Iterator[CitedLine]:
    """What was asked for: the first prompt, then the last ones; summaries tell it where there is none."""
    asking = [item for item in prompts if asks_something(item.text)] or prompts
    for place, prompt in enumerate(asking):
        is_first = place == 0 or place == len(asking) - 1 or is_ranked
        order = place if is_ranked or not place else len(asking) - place
        yield CitedLine(ASKED, quoted(prompt.text, PROMPT), (ref_of(prompt),), int(not is_first), order)
    if not prompts:
        for place, summary in enumerate(summaries):
            yield CitedLine(ASKED, quoted(summary.request or "", PROMPT), (ref_of(summary),), 1, place)


def _of_summaries(summaries: list[Summary], *, is_ranked: bool) -> Iterator[CitedLine]:
    """What summaries say was learned, done and left; of a session only the last says what is left."""
    newest_first = summaries if is_ranked else summaries[::-1]
    for age, summary in enumerate(newest_first):
        refs = (ref_of(summary),)
        fields = [*filled_fields(summary)]
        is_divided = any(part.topic in ("found", "done", "left") for part, _ in fields)
        for part, text in fields:
            section = SECTION_OF.get(part.topic)
            if (
                section is None
                or (section == LEFT and not (is_ranked or age == 0))
                or (part.topic == "trouble" and text.startswith(NO_TROUBLE))
                or (part.topic == "all" and is_divided)
            ):
                continue
            for place, piece in enumerate(pieces_of(text, part.longest, as_is=True)):
                rank = 0 if place < 2 and age == 0 else 1 + age
                yield CitedLine(section, quoted(piece.text, SENTENCE), refs, rank, place)


def _held_true(facts: list[Fact]) -> Iterator[CitedLine]:
    for place, fact in enumerate(facts):
        text = f"{quoted(fact.content, SENTENCE)} ({fact.confidence:.0%} sure)"
        yield CitedLine(HELD_TRUE, text, (ref_of(fact),), 0, place)


def _of_observations(observations: list[Observation], *, is_ranked: bool) -> Iterator[CitedLine]:
    ordered = observations if is_ranked else observations[::-1]
    passed: set[str] = set()
    results: list[list[CitedLine]] = []
    for place, observation in enumerate(ordered):
        command = _command(observation)
        if observation.type == "error" and is_unjudged(observation.subtitle or ""):
            continue
        if observation.type == "error":
            results.append([_failed(observation, place, is_over=not is_ranked and command in passed)])
            continue
        passed.add(command)
        results.append([*_title_and_details(observation, place)])
    # What is read goes by time; the newest has the first place.
    for lines in results if is_ranked else results[::-1]:
        yield from lines


def _title_and_details(observation: Observation, place: int) -> Iterator[CitedLine]:
    """The title of an observation, and below it the beginning of its text, or else its facts."""
    section = _section(observation)
    values = [*filled_fields(observation)]
    texts = [value for part, value in values if part.form == "text"]
    body = next(iter(texts), observation.subtitle or "")
    title = quoted(title_of(observation), TITLE)
    rank = 0 if observation.type == "decision" or observation.pinned else 1 if section == DONE else 2
    refs = (ref_of(observation),)
    if section == LOOKED_AT:
        # What it looked at is enough: nobody has said what it means.
        yield CitedLine(section, title, refs, 2, place)
        return
    yield CitedLine(section, title, refs, rank, place)
    if body and next(parts(body))[1] == "diff":
        yield CitedLine(section, _diff(body), refs, rank + 3, place, is_detail=True, is_diff=True)
        return
    begun = title.rstrip("…")
    items = [item for part, value in values if part.form == "items" for item in value]
    room = DETAIL
    for text in [body] if body else items:
        for piece in pieces_of(text, room, as_is=True):
            if room > 0 and not piece.text.startswith(begun):
                said = quoted(piece.text, room)
                room -= len(said)
                yield CitedLine(section, said, refs, rank + 3, place, is_detail=True)


def _section(observation: Observation) -> str:
    """Where an observation is told: what a tool gave, in no one's words, is nothing that was learned."""
    if observation.type not in LEARNED:
        return DONE
    if (
        observation.type not in ("discovery", "note")
        or observation.tool_name in (None, REPLY)
        or not _is_by_rules(observation)
    ):
        return DECIDED
    return LOOKED_AT if HOW_IT_WORKS in observation.concepts or observation.files_read else DONE


def _is_by_rules(observation: Observation) -> bool:
    """Whether no model has put it into words."""
    try:
        extra = json.loads(observation.extra or "{}")
    except ValueError:
        return True
    return not isinstance(extra, dict) or extra.get("observer", "rules") == "rules"


def _diff(text: str) -> str:
    """The first lines of a diff, whole ones but for a long first, without its headers."""
    lines: list[str] = []
    room = DETAIL
    is_header = True
    for line in text.splitlines():
        if line.startswith(("@@", "diff ")):
            is_header = line[0] == "d"
        if line[:1] not in ("+", "-") or (is_header and line.startswith(("--- ", "+++ "))):
            continue
        words = line[1:].removeprefix(" ")
        indent = " " * (len(words) - len(words.lstrip()))
        said = f"{line[0]} {indent}{quoted(words, DETAIL)}".rstrip()
        if lines and len(said) > room:
            return "\n".join((*lines, "…"))
        lines.append(said)
        room -= len(said)
    return "\n".join(lines)


def _failed(observation: Observation, place: int, *, is_over: bool) -> CitedLine:
    """What failed, with what it said; `is_over` where the same went well later."""
    text = quoted(observation.title or "", TITLE)
    if observation.subtitle and observation.subtitle not in text:
        text = f"{text}: {quoted(observation.subtitle, TITLE)}"
    if observation.tool_name and observation.tool_name not in text:
        # A tool may be called as who speaks is.
        text = quoted(f"{observation.tool_name}: {text}", 2 * TITLE)
    later = " (went well later)" if is_over else ""
    return CitedLine(FAILED, f"{text}{later}", (ref_of(observation),), 2 if is_over else 0, place)


def _command(observation: Observation) -> str:
    """What of a tool's use is the same when it is tried again: the title up to its outcome."""
    return (observation.title or "").removeprefix("Failed: ").split(": ", 1)[0]


def _files(observations: list[Observation], summaries: list[Summary]) -> Iterator[CitedLine]:
    """Each file that was changed, with the memories that say so, the newest first; then those only read."""
    changed: dict[str, list[str]] = {}
    read: dict[str, list[str]] = {}
    records: list[Observation | Summary] = [*observations[::-1], *summaries]
    for record in records:
        for names, files in zip((changed, read), files_of(record), strict=True):
            for file in files:
                names.setdefault(file, []).append(ref_of(record))
    only_read = {file: refs for file, refs in read.items() if file not in changed}
    place = 0
    for note, named in (("", changed), (" (read)", only_read)):
        for file, refs in islice(named.items(), MOST_FILES):
            unique = tuple(dict.fromkeys(refs))[:REFS_A_FILE]
            yield CitedLine(FILES, f"{quoted(file, TITLE)}{note}", unique, 1 if note else 0, place)
            place += 1


def _cited(ref: str) -> str:
    """Return a memory as texts refer to it: `[mem 276]`."""
    return f"[mem {ref}]"
