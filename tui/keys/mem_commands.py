"""The `mem` command that does what a key does, by the id of its binding or of its command in the palette.

`{id}` stands for what is selected, `{ids}` for all that is marked, `{session}` for its session, and
`{query}` for what is searched for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from shlex import quote

COMMANDS = {
    "search.query": "search {query}",
    "search.here": "search --everywhere {query}",
    "search.team": "search --team {query}",
    "search.why": "search --explain {query}",
    "search.exact": "search --exact {query}",
    "search.turns": "search --records {query}",
    "search.export-query": "export markdown PATH --query {query}",
    "results.open": "show {id}",
    "results.facets": "search --facets {query}",
    "screen.go-to": "show {id}",
    "entry.timeline": "timeline {id}",
    "entry.session": "session show {session}",
    "entry.blame": "blame FILE",
    "entry.similar": "search is:similar:{id}",
    "entry.copy": "show {ids}",
    "entry.resume": "session resume {session}",
    "entry.continue": "session resume {session} --in AGENT",
    "entry.share-session": "export html DIRECTORY --session {session}",
    "session.copy": "session show {session} --conversation",
    "entry.pin": "pin {ids}",
    "entry.confirm": "curate still-true {ids}",
    "entry.hide": "curate private {ids}",
    "entry.edit": "edit {id} --title TEXT",
    "entry.edit-text": "edit {id} --editor",
    "entry.delete": "delete {ids}",
    "entry.tag": "curate tag {ids} --add TAG",
    "entry.project": "curate project set NAME {ids}",
    "entry.share": "team share {ids}",
    "entry.versions": "curate history {id}",
    "screen.new": "add TITLE",
    "screen.density": "config set browser.density compact",
    "list.follow": "store tail",
    "app.search": "search {query}",
    "app.timeline": "timeline {id}",
    "app.sessions": "session list",
    "app.facts": "fact list",
    "app.capture": "agents",
    "app.composer": "session context",
    "app.statistics": "store stats",
    "app.undo": "undo",
    "app.redo": "curate redo",
    "app.history": "curate history",
    "app.trash": "trash list",
    "app.merge": "curate merge {ids}",
    "app.review": "curate review",
    "app.settings": "config edit",
    "trash.restore": "trash restore {ids}",
    "trash.purge": "trash purge {ids}",
    "trash.empty": "trash empty",
    "search.purge": "trash purge {ids}",
    "versions.restore": "trash restore {id} --version N",
    "changes.revert": "curate revert N",
    "review.accept": "curate review {ids} --accept",
    "review.keep-out": "curate review {ids} --refuse",
    "review.dispute": "curate review {ids} --dispute WHY",
    "merge.apart": "curate dedupe --not-duplicates {ids}",
    "facts.supersede": "fact supersede {id} NEW",
    "sessions.edit": "edit {session} --title TEXT",
    "capture.state": "queue list",
    "capture.install": "install AGENT",
    "capture.remove": "uninstall AGENT",
    "capture.pause": "hook pause",
    "capture.resume": "hook resume",
    "capture.process": "queue process",
    "capture.retry": "queue retry",
    "capture.drop": "queue drop",
    "composer.log": "session context --log",
    "given.compare": "session context --session {session} --then-and-now",
    "welcome.import": "import --all",
    "import": "import --all",
    "theme": "config set browser.theme NAME",
    "doctor": "doctor",
    "digest": "session digest",
    "cost": "files cost",
    "backup": "store backup",
    "retention": "store retention run",
    "hand-over": "session handoff {id}",
}

UNKNOWN = {"id": "ID", "ids": "ID", "session": "@ID", "query": "QUERY"}
"""What stands for that of which there is none now."""


def mem_command(id: str, values: Mapping[str, str]) -> str:
    """Return the command of a key, without `mem`, filled in as far as its values are known; `` where no
    command does the same."""
    return filled(COMMANDS.get(id, ""), values)


def filled(template: str, values: Mapping[str, str]) -> str:
    """Return a command with its values, quoted for a shell where that is needed."""

    def value(match: re.Match[str]) -> str:
        name = match[1]
        given = values.get(name, "")
        if not given:
            return UNKNOWN[name]
        return given if name == "ids" else ("-- " if given.startswith("-") else "") + quote(given)

    return re.sub(r"\{(\w+)\}", value, template)
