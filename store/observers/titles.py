"""The line by which a person knows what was done, and the line below it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from . import changes, tools
from .changes import Change
from .command_titles import is_told_otherwise, ran, short
from .results import Results
from .use import Use
from .wording import LINE, WORD, cut, first_line, listed, one_line, purpose_of, sought_in

SCHEME = re.compile(r"^https?://(?:www\.)?")
ADDED = re.compile(r"^\*\*\* (Add|Delete) File: ", re.MULTILINE)
INFINITIVES = {
    "Read": "read", "Edited": "edit", "Created": "create", "Wrote": "write", "Deleted": "delete",
    "Used": "use",
    "Searched": "search", "Looked": "look", "Delegated": "delegate", "Committed": "commit",
    "Installed": "install",
    "Removed": "remove", "Moved": "move", "Copied": "copy", "Opened": "open", "Ran": "run",
    "Planned": "plan",
}  # fmt: skip


def title_of(use: Use, results: Results) -> str:
    """The title of an observation, at most `LINE` characters."""
    if use.action == tools.EDIT:
        said = _edited(use, results.change or changes.change_of(use))
    else:
        said = TITLES.get(use.action, _other)(use)
    if use.action in (tools.RUN, tools.WAIT) and results.outcome:
        return one_line(f"{cut(said, LINE - 40)}: {results.outcome}")
    if use.is_declined:
        return one_line(f"Declined by the user: {_infinitive(said)}")
    return one_line(_failed(said) if results.failed else said)


def subtitle_of(use: Use, results: Results) -> str | None:
    """What stands below the title; None where there is no more to say in a line."""
    if results.failed and results.error:
        return one_line(results.error)
    purpose = purpose_of(use.given)
    if use.action == tools.RUN:
        return (
            one_line(short(use) if purpose and not is_told_otherwise(use) else purpose or "")
            or None
        )
    if use.action in (tools.EDIT, tools.WRITE):
        return one_line(purpose or _replaced(results) or results.counts) or None
    if use.action == tools.DELEGATE:
        told = "" if "wait" in use.name.lower() else first_line(use.answer.text)
        return None if told.startswith(("{", "[")) else one_line(told) or None
    if use.action == tools.WEB:
        return one_line(tools.said(use.given, ("prompt",))) or None
    return one_line(purpose or ", ".join(results.facts[:2])) or None


def _failed(said: str) -> str:
    told = _infinitive(said)
    return f"Failed: {said}" if told == said else f"Failed to {told}"


def _infinitive(said: str) -> str:
    """A title that says what was done as what was to be done; any other as it is."""
    done, _, rest = said.partition(" ")
    plain = INFINITIVES.get(done.rstrip(":"))
    return f"{plain}{':' * done.endswith(':')} {rest}" if plain else said


def _read(use: Use) -> str:
    paths = use.named(use.paths)
    return f"Read {listed(paths)}" if paths else f"Used {use.name}"


def _edited(use: Use, change: Change) -> str:
    paths = use.named(use.paths)
    patch = next(
        (text for name in tools.PATCHES if isinstance(text := use.given.get(name), str)), ""
    )
    kinds = set(ADDED.findall(patch)) if "*** Update File" not in patch else set()
    verb = {"Add": "Created", "Delete": "Deleted"}.get(
        next(iter(kinds)) if len(kinds) == 1 else "", "Edited"
    )
    if not patch and "old_string" in use.given and not use.given["old_string"]:
        verb = "Created"
    if not paths:
        return f"Used {use.name}"
    return _with_names(f"{verb} {listed(paths)}", changes.names_changed(use, change, paths[0]))


def _wrote(use: Use) -> str:
    paths = use.named(use.paths)
    if use.name.lower().startswith("delete"):
        return f"Deleted {listed(paths) or use.name}"
    is_new = use.name.lower().startswith("create") or use.is_new
    names = changes.names_in(changes.written(use)[:8_000], paths[0] if paths else "")
    return _with_names(f"{'Created' if is_new else 'Wrote'} {listed(paths) or use.name}", names)


def _with_names(said: str, names: Sequence[str]) -> str:
    """With what was changed in it, as far as that fits."""
    for count in (3, 2, 1):
        told = f"{said}: {', '.join(names[:count])}"
        if names and len(told) <= LINE:
            return told
    return said


def _replaced(results: Results) -> str:
    """The one line that became another, where that is all there is."""
    lines = results.change.lines if results.change else ()
    if len(lines) == 2 and lines[0][:1] == "-" and lines[1][:1] == "+":
        before, after = lines[0][2:].strip(), lines[1][2:].strip()
        return f"{cut(before, WORD)} → {cut(after, WORD)}" if before and after else ""
    return ""


def _searched(use: Use) -> str:
    sought = tools.said(use.given, tools.SUBJECTS[tools.SEARCH])
    places = use.named(use.paths) or [tools.said(use.given, ("glob", "include", "type"))]
    return sought_in(
        sought or use.name, [place for place in places if place not in ("", ".", sought)]
    )


def _looked_up(use: Use) -> str:
    address = tools.said(use.given, ("url", "Url"))
    if address:
        return f"Looked up {SCHEME.sub('', address).rstrip('/')}"
    sought = tools.said(use.given, tools.SUBJECTS[tools.WEB]) or use.name
    return f"Searched the web for “{cut(sought, 80)}”"


def _delegated(use: Use) -> str:
    if "wait" in use.name.lower():
        told = first_line(use.answer.text)
        return f"A sub-agent answered: {told}" if told else "Waited for a sub-agent"
    told = first_line(tools.said(use.given, tools.SUBJECTS[tools.DELEGATE]))
    return (
        f"Used the skill {told}"
        if "skill" in use.name.lower() and told
        else f"Delegated: {told or use.name}"
    )


def _planned(use: Use) -> str:
    told = first_line(tools.said(use.given, tools.SUBJECTS[tools.PLAN]))
    return (
        f"{'Planned' if 'plan' in use.name.lower() else 'Remembered'}: {told}"
        if told
        else f"Used {use.name}"
    )


def _waited(use: Use) -> str:
    typed = tools.said(use.given, ("chars", "input"))
    return f"Typed “{cut(typed, 40)}” into a command" if typed else "Waited for a command"


def _other(use: Use) -> str:
    told = first_line(tools.said(use.given, tools.SUBJECTS[tools.OTHER]))
    name = tools.spoken(use.name)
    return f"Used {name}" + (f": {told}" if told else "")


TITLES: dict[str, Callable[[Use], str]] = {
    tools.READ: _read, tools.WRITE: _wrote, tools.SEARCH: _searched,
    tools.WEB: _looked_up,
    tools.DELEGATE: _delegated, tools.PLAN: _planned, tools.RUN: ran, tools.WAIT: _waited,
}  # fmt: skip
