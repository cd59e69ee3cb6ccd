"""What the help tells of a screen: its keys by their groups, what can be typed, and what signs mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from textual.actions import parse
from textual.content import Content

from memtui.store.platform.translation import _

from ..actions import DAILY, DAILY_KEYS, GO_TO, READ_ONLY, THIS_LIST, THIS_TEXT, Action, actions_of
from ..screen import MemScreen
from ..text.content import plain
from ..text.glyphs import legend
from ..text.words import place_in

TYPED, SIGNS = _("What can be typed"), _("Signs")
BRIEF = (DAILY, GO_TO, THIS_LIST, THIS_TEXT, SIGNS)
"""Sections whose names say it all: these follow each other on a line."""

_WORDS = re.compile(r"[\w$:-]+")


@dataclass(frozen=True, slots=True)
class Entry:
    """A key, or what can be typed, or a sign; its name in a word or two, a sentence on it, and the `mem`
    command that does the same, `` for none."""

    label: Content
    name: str
    sentence: str
    command: str = ""

    def says(self, words: Iterable[str]) -> bool:
        """Whether each word begins one of its own, or is its key."""
        content = f"{self.name} {self.sentence} {self.command} {self.label.plain}".casefold()
        own = (*_WORDS.findall(content), *self.label.plain.casefold().split())
        return all(any(place_in(item, word) >= 0 for item in own) for word in words)


@dataclass(frozen=True, slots=True)
class HelpSection:
    """Entries under a title; `is_brief` where their names are enough."""

    title: str
    entries: tuple[Entry, ...]
    is_brief: bool = False


def sections_of(screen: MemScreen) -> list[HelpSection]:
    """Return all there is to tell of a screen, what only it has first."""
    groups: dict[str, list[Action]] = {}
    actions = [action for action in actions_of(screen) if action.keys and action.why_not != READ_ONLY]
    daily = {action.id: action for action in actions}
    groups[DAILY] = [daily[id] for id in DAILY_KEYS if id in daily]
    for action in actions:
        groups.setdefault(action.group, []).append(action)
    sections = [
        HelpSection(title, tuple(_entries(actions)), title in BRIEF) for title, actions in groups.items()
    ]
    typed = tuple(Entry(_label(typed), "", meaning) for typed, meaning in screen.hints)
    brief = (at for at, section in enumerate(sections) if at and section.title in BRIEF)
    at = next(brief, len(sections))
    if typed:
        sections.insert(at, HelpSection(TYPED, typed))
    return [*sections, HelpSection(SIGNS, tuple(_signs()), is_brief=True)]


def narrowed(sections: Iterable[HelpSection], typed: str) -> list[HelpSection]:
    """Return what goes with the words that are typed, told in full."""
    words = typed.casefold().split()
    if not words:
        return [*sections]
    help_sections = (
        replace(
            section,
            entries=tuple(each for each in section.entries if each.says(words)),
            is_brief=False,
        )
        for section in sections
        # What it holds stands in its own section, too.
        if section.title != DAILY
    )
    return [help_section for help_section in help_sections if help_section.entries]


def _entries(actions: Iterable[Action]) -> Iterator[Entry]:
    """Yield one for each; those of one name, such as of moves in each direction, become one, and so do
    those of the same keys, of which one works at a time."""
    alike: dict[tuple[str, str], list[Action]] = {}
    for action in actions:
        alike.setdefault((action.name, parse(action.does)[1]), []).append(action)
    entries: dict[str, Entry] = {}
    for (name, _action), some in alike.items():
        keys = dict.fromkeys(key for item in some for key in _keys(item))
        sentences = [entry.sentence for entry in some]
        content = _("; ").join((sentences[0], *map(_lower, sentences[1:]))) if len(some) < 3 else name
        label = " ".join(keys)
        if (same := entries.get(label)) is None:
            command = f"mem {some[0].command}" if some[0].command else ""
            entries[label] = Entry(_label(label), name, content, command)
        else:
            names = _(", ").join((same.name, _lower(name)))
            sentence = _("; ").join((same.sentence, _lower(content)))
            entries[label] = replace(same, name=names, sentence=sentence)
    yield from entries.values()


def _keys(action: Action) -> Sequence[str]:
    return action.keys[:1] if action.group == GO_TO else action.keys


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def _signs() -> Iterator[Entry]:
    for sign, meaning in legend():
        yield Entry(sign, "", meaning)


def _label(text: str) -> Content:
    return plain(text, "$accent")
