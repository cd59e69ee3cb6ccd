"""The title and subtitle of an observation."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from ...text.language.scripts import has_unspaced
from ...text.late_pattern import late_pattern
from ...text.truncation import shortened
from . import shell_commands, tools
from .command_titles import command_title, differs_from_purpose, shortened_line
from .edit_diff import EditDiff, diff_of, names_changed, names_in, names_read, written_content
from .known_tools.reported_outcome import singular
from .outcome import ToolOutcome
from .questions import questions_of
from .title_text import (
    LINE,
    SOUGHT,
    SUBTITLE,
    WORD,
    cut,
    first_line,
    list_files,
    one_line,
    purpose_of,
    searched_for,
)
from .tool_output import NOT_PERMITTED
from .tools import ParsedToolUse

SHORT = 14
"""Characters of an outcome that leaves open why."""
CHATTER = late_pattern(
    r"^(?:excellent|great|perfect|now i have|i now have|let me|based on|here(?:'s| is| are)|sure|okay|ok\b"
    r"|done[.!]|i (?:have|will|'ll)|i've (?:completed|finished)|findings? (?:below|follow)|agentid:|<usage>"
    r"|好的|现在)",
    re.IGNORECASE,
)
"""Beginnings of lines that lead to an answer, and are none."""
ACCEPTED = late_pattern(r"\b(?:has approved|approved your plan|accepted|plan approved)\b", re.IGNORECASE)
PLAN = late_pattern(r"^(?:implementation )?(?:plan|计划)\s*[:：—–-]\s*(?=\S)", re.IGNORECASE)
FOUND = late_pattern(r"^found \d+ \w+", re.IGNORECASE)
SCHEME = late_pattern(r"^https?://(?:www\.)?")
ADDED = late_pattern(r"^\*\*\* (Add|Delete) File: ", re.MULTILINE)
REGULAR = (
    "edit create delete search look delegate install remove move open ask amend click type fill press"
    " hover select upload resize add update execute start close fetch mark merge resolve"
    " wait dismiss spawn schedule generate check use"
).split()
INFINITIVES = {
    "Read": "read", "Wrote": "write", "Committed": "commit", "Ran": "run", "Got": "get", "Found": "find",
    "Sent": "send", "Took": "take", "Set": "set", "Copied": "copy", "Planned": "plan", "Stopped": "stop",
    "Queried": "query", "Told": "tell",
} | {f"{verb}{'' if verb.endswith('e') else 'e'}d".capitalize(): verb for verb in REGULAR}  # fmt: skip
"""Verbs of titles in the past, and their infinitives."""
PAST = {verb: past for past, verb in INFINITIVES.items()} | {"navigate": "Opened"}
SCRIPT = late_pattern(r"=>|\bfunction\b|\bdocument\.|\bawait\b|^(?:const|let|var|import|return) |[;{}]$")


def _delegated(use: ParsedToolUse) -> str:
    if "wait" in use.name.lower() or use.name.lower().startswith("read"):
        text = answer_line(use.output.text)
        return f"A sub-agent answered: {text}" if text else "Waited for a sub-agent"
    receiver, message = message_of(use)
    if receiver:
        summary = (
            tools.first_text(use.given, ("summary",)) or message or tools.first_text(use.given, ("type",))
        )
        return f"Told {receiver}: {first_line(summary)}"
    text = first_line(tools.first_text(use.given, tools.SUBJECTS[tools.DELEGATE]))
    if "skill" in use.name.lower() and text:
        given = first_line(tools.first_text(use.given, ("args", "arguments")))
        return f"Used the skill {text}" + (f": {given}" if given else "")
    to = first_line(tools.first_text(use.given, ("subagent_type",)))
    return f"Delegated{to and f' to {to}'}: {text or use.name}"


def message_of(use: ParsedToolUse) -> tuple[str, str]:
    """Return to whom an agent of a team wrote, and what; ("", "") for any other delegation."""
    receiver = tools.first_text(use.given, ("recipient", "to"))
    return (receiver, tools.first_text(use.given, ("content", "message"))) if receiver else ("", "")


def answer_line(text: str) -> str:
    """Return the first line of a sub-agent's answer that says something: no heading, JSON or preamble."""
    if text[:1] in ("{", "["):
        return ""
    lines = [line for line in text[:6_000].splitlines() if any(map(str.isalnum, line))]
    prose = [
        plain
        for line in lines
        if not line.lstrip().startswith(("#", "```", "|", "{", "["))
        and (plain := first_line(line))
        and not plain.endswith((":", "："))
    ]
    telling = [line for line in prose if not CHATTER.match(line) and (" " in line or has_unspaced(line))]
    return (telling or prose or [first_line(text)])[0]


def _asked(use: ParsedToolUse) -> str:
    questions = questions_of(use)
    if not questions:
        return "Asked the user"
    answered = [question for question in questions if question.answer]
    if not answered:
        return f"Asked: {questions[0].text}"
    shown = []
    for question in answered:
        name, answer = question.text, question.answer.replace(" (Recommended)", "")
        if len(answered) > 1 or len(name) + len(answer) > SUBTITLE - 12:
            name = question.header or name
        shown.append(f"{shortened(name, max(24, SUBTITLE - 26 - len(answer)))} → {answer}")
    # Whole ones as far as there is room, rather than halves of all.
    while len(shown) > 1 and sum(map(len, shown)) + 2 * len(shown) > SUBTITLE - 18:
        shown.pop()
    more = f" and {len(answered) - len(shown)} more" if len(shown) < len(answered) else ""
    return f"Asked: {shortened('; '.join(shown), SUBTITLE - 7 - len(more))}{more}"


def _listed_tasks(use: ParsedToolUse) -> str:
    """Return the title of a to-do list: the task at work, and how many there are."""
    listed = next(
        (result for name in ("todos", "plan", "items", "todoList", "tasks")
         if isinstance(result := use.given.get(name), list)), []
    )  # fmt: skip
    tasks = [item for item in listed if isinstance(item, Mapping)]
    texts = [tools.first_text(task, ("content", "step", "title", "description", "text")) for task in tasks]
    if not any(texts):
        return _other(use)
    states = [str(entry.get("status", "")).lower().replace("-", "_") for entry in tasks]
    done = sum(state in ("completed", "done") for state in states)
    at_work = next((text for text, state in zip(texts, states, strict=True) if state == "in_progress"), "")
    return f"To do, {done} of {len(tasks)} done: {first_line(at_work or next(filter(None, texts)))}"


def _waited(use: ParsedToolUse) -> str:
    typed = tools.first_text(use.given, ("chars", "input"))
    return f"Typed “{cut(typed, 40)}” into a command" if typed else "Waited for a command"


def _searched(use: ParsedToolUse) -> str:
    sought = tools.first_text(use.given, tools.SUBJECTS[tools.SEARCH])
    places = use.named(use.paths) or [tools.first_text(use.given, ("glob", "include", "type"))]
    return searched_for(sought or use.name, [place for place in places if place not in ("", ".", sought)])


def _looked_up(use: ParsedToolUse) -> str:
    address = tools.first_text(use.given, ("url", "Url"))
    if address:
        return f"Looked up {SCHEME.sub('', address).rstrip('/')}"
    sought = tools.first_text(use.given, tools.SUBJECTS[tools.WEB]) or use.name
    return f"Searched the web for “{cut(sought, WORD)}”"


def _read(use: ParsedToolUse) -> str:
    paths = use.named(use.paths)
    names = names_read(use.output.text, paths[0]) if len(paths) == 1 and not use.failed else []
    return _with_names(f"Read {list_files(paths)}", names) if paths else f"Used {use.name}"


def _planned(use: ParsedToolUse) -> str:
    text = first_line(tools.first_text(use.given, tools.SUBJECTS[tools.PLAN]))
    text = PLAN.sub("", text) or first_line(
        tools.first_text(use.given, ("plan_path", "plan_filename", "name"))
    )
    if not text:
        return f"Used {use.name}"
    if "plan" not in use.name.lower():
        return f"Remembered: {text}"
    answered = isinstance(use.response, Mapping) and "plan" in use.response and not use.output.failed
    accepted = " (accepted)" if answered or ACCEPTED.search(use.output.text[:400]) else ""
    return f"Planned: {cut(text, LINE - 20)}{accepted}"


def _wrote(use: ParsedToolUse) -> str:
    paths = use.named(use.paths)
    if use.name.lower().startswith("delete"):
        return f"Deleted {list_files(paths) or use.name}"
    is_new = use.name.lower().startswith("create") or use.is_new
    names = names_in(written_content(use)[:8_000], paths[0] if paths else "")
    return _with_names(f"{'Created' if is_new else 'Wrote'} {list_files(paths) or use.name}", names)


TITLES: dict[str, Callable[[ParsedToolUse], str]] = {
    tools.READ: _read, tools.WRITE: _wrote, tools.SEARCH: _searched,
    tools.WEB: _looked_up,
    tools.DELEGATE: _delegated, tools.PLAN: _planned, tools.WAIT: _waited, tools.ASK: _asked,
    tools.TODO: _listed_tasks,
}  # fmt: skip


def title_of(use: ParsedToolUse, outcome: ToolOutcome) -> str:
    """Return the title of an observation, at most `LINE` characters: what was done, and how it ended; of
    what the user answered at most `SUBTITLE`, since that is the whole of it."""
    return cut(_title_of(use, outcome), SUBTITLE if use.action == tools.ASK else LINE)


def _title_of(use: ParsedToolUse, outcome: ToolOutcome) -> str:
    if use.action == tools.EDIT:
        title = _edited(use, outcome.diff or diff_of(use))
    elif use.action == tools.RUN:
        title = command_title(use, outcome)
    else:
        title = TITLES.get(use.action, _other)(use)
    if use.action not in (tools.RUN, tools.SEARCH):
        title = title.replace("`", "")
    if use.is_declined:
        by = "Not permitted" if NOT_PERMITTED.search(use.output.text, 0, 400) else "Declined by the user"
        return one_line(f"{by}: {_infinitive(title)}")
    if use.output.never_ended and use.action != tools.DELEGATE:
        return one_line(f"Never ended: {_infinitive(title)}")
    if use.never_ran:
        return one_line(f"Not run: {_infinitive(title)}")
    if not outcome.failed:
        content = outcome.phrase
        if content in ("installed", "already installed") and title.startswith("Installed "):
            content = "" if content == "installed" else "was there already"
        if use.kind == shell_commands.COMMIT:
            content = ""
        return _ended(title, content or _printed(use))
    if use.action not in (tools.RUN, tools.WAIT):
        return one_line(_failed(title))
    failed, phrase, why = _failed(title), outcome.phrase, outcome.reason
    if not phrase and not why and use.output.exit_code and failed.startswith("Failed: "):
        # What it printed names no error: a check that found something ends so, too.
        return _ended(title, _with_reason(f"exit code {use.output.exit_code}", first_line(use.output.text)))
    if not phrase:
        return one_line(_with_reason(cut(failed, LINE - ENDED), why))
    if title.partition(" ")[0].rstrip(":") in DONE:
        inner = phrase.removeprefix("failed (").removesuffix(")" * phrase.startswith("failed ("))
        return one_line(_with_reason(cut(failed, LINE - ENDED), why if phrase == "failed" else inner))
    if len(phrase) < SHORT or phrase.endswith("failed"):
        phrase = _with_reason(phrase, why, max(ENDED, LINE - len(title) - 2))
    return _ended(title, phrase)


ENDED = 26
"""Characters of a title in which it is told how something ended, where both are long."""


def _ended(title: str, phrase: str) -> str:
    """Return a title with how it ended, the longer of both cut."""
    if not phrase:
        return one_line(title)
    phrase = cut(phrase, max(ENDED, LINE - len(title) - 2))
    return one_line(f"{cut(title, LINE - len(phrase) - 2)}: {phrase}")


def _printed(use: ParsedToolUse) -> str:
    """Return what a command that only asks answered in one short line, or what a search found; "" for
    anything else."""
    text = use.output.text.strip()
    if use.action == tools.SEARCH and use.output.answered:
        lines = [line for line in text.splitlines() if line.strip()]
        if not lines or lines[0].lower().startswith(("no matches", "no files", "no results", "未找到")):
            return "no match"
        return lines[0].lower() if FOUND.match(lines[0]) else singular(f"{len(lines)} results")
    is_asked = use.action == tools.RUN and use.kind == shell_commands.RUN
    return text if is_asked and len(text) <= WORD and "\n" not in text else ""


DONE = frozenset(
    ("Committed", "Amended", "Installed", "Opened", "Wrote", "Removed", "Moved", "Copied", "Read")
)
"""Verbs of titles that say that something was done."""


def _with_reason(title: str, reason: str, size: int = LINE) -> str:
    """Return a title with the reason in brackets, as far as both fit; as it is where it says why."""
    room = size - len(title) - 3
    plain = " ".join(reason.split())
    if not plain or room < 12 or "(" in title[-24:] or plain[:40] in title:
        return title
    return f"{title} ({cut(plain, room)})"


def subtitle_of(use: ParsedToolUse, outcome: ToolOutcome) -> str | None:
    """Return the line below the title: the error, command, purpose or replaced line; None for none."""
    if outcome.failed and outcome.error:
        return one_line(outcome.error)
    purpose = purpose_of(use.given)
    if use.action == tools.RUN:
        return (
            one_line(
                shortened_line(use) if purpose and not differs_from_purpose(use, outcome) else purpose or ""
            )
            or None
        )
    if use.action in (tools.EDIT, tools.WRITE):
        return one_line(purpose or _replaced(outcome) or outcome.counts) or None
    if use.action == tools.DELEGATE:
        return one_line("" if "wait" in use.name.lower() else answer_line(use.output.text)) or None
    if use.action == tools.ASK:
        return (
            one_line(", ".join(label for question in questions_of(use) for label, _ in question.options))
            or None
        )
    if use.action == tools.WEB:
        return one_line(tools.first_text(use.given, ("prompt",))) or None
    return one_line(purpose or ", ".join(outcome.facts[:2])) or None


def _failed(title: str) -> str:
    infinitive = _infinitive(title)
    return f"Failed: {title}" if infinitive == title else f"Failed to {infinitive}"


def _infinitive(title: str) -> str:
    """Return a title with its verb in the infinitive ("Edited x" becomes "edit x"); others as they are."""
    done, _, rest = title.partition(" ")
    plain = INFINITIVES.get(done.rstrip(":"))
    return f"{plain}{':' * done.endswith(':')} {rest}" if plain else title


def _edited(use: ParsedToolUse, diff: EditDiff) -> str:
    paths = use.named(use.paths)
    patch = next((text for name in tools.PATCHES if isinstance(text := use.given.get(name), str)), "")
    kinds = set(ADDED.findall(patch)) if "*** Update File" not in patch else set()
    verb = {"Add": "Created", "Delete": "Deleted"}.get(
        next(iter(kinds)) if len(kinds) == 1 else "", "Edited"
    )
    if not patch and "old_string" in use.given and not use.given["old_string"]:
        verb = "Created"
    if not paths:
        return f"Used {use.name}"
    names, line = names_changed(use, diff, paths[0])
    title = _with_names(f"{verb} {list_files(paths)}", names)
    room = min(WORD, LINE - len(title) - 4) if len(paths) == 1 else 0
    return f"{title}{',' if ': ' in title else ':'} “{cut(line, room)}”" if line and room > SHORT else title


def _with_names(title: str, names: Sequence[str]) -> str:
    """Return a title with as many of the changed names as fit."""
    for count in (3, 2, 1):
        named = f"{title}: {', '.join(names[:count])}"
        if names and len(named) <= LINE:
            return named
    return title


def _replaced(outcome: ToolOutcome) -> str:
    """Return the one line that replaced another, as `old → new`; "" where the edit changed more."""
    lines = outcome.diff.lines if outcome.diff else ()
    if len(lines) == 2 and lines[0][:1] == "-" and lines[1][:1] == "+":
        before, after = lines[0][2:].strip(), lines[1][2:].strip()
        return f"{cut(before, WORD)} → {cut(after, WORD)}" if before and after else ""
    return ""


def _other(use: ParsedToolUse) -> str:
    name = tools.display_name(use.name)
    text = first_line(tools.first_text(use.given, tools.SUBJECTS[tools.OTHER]))
    if not text:
        plain = [
            f"{key} {value}"
            for key, value in use.given.items()
            if isinstance(value, str | int) and not isinstance(value, bool) and str(value).strip()
        ]
        text = first_line(", ".join(plain[:3]))
    if SCRIPT.search(text) and (answer := answer_line(use.output.text) or first_line(use.output.text)):
        text = f"{cut(text, SOUGHT)} → {answer}"
    server, _, tool = name.rpartition(": ")
    words = tool.lower().removeprefix("browser ").split()
    if not server or not words or words[0] not in PAST:
        return f"Used {name}" + (f": {text}" if text else "")
    done = " ".join([PAST[words[0]], *words[1:]])
    if words[1:] or not text:
        return f"{done} in {server}" + (f": {text}" if text else "")
    return f"{done} {cut(text, LINE - len(done) - len(server) - 5)} in {server}"
