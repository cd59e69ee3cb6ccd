"""`mem search` into a pipe without typer and rich, which take longer to import than a search.

What is unusual (a flag that isn't known here, a memory that can't be opened) is left to
`store.cli.search`. A test holds the two equal.
"""

from __future__ import annotations

import os
import sys

import apsw

from ...paths import default_path_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...store import Store

VALUED = {"--db": "database", "--limit": "limit", "-n": "limit", "--cursor": "cursor"}
SWITCHES = ("--json", "--exact", "--explain", "--for-agent", "--semantic")


class SearchArguments:
    """The words, values and switches of a plain command line."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.values = {"limit": "20"}
        self.switches: set[str] = set()


def search(arguments: list[str]) -> bool:
    """Print the hits that a command line asks for; return False, nothing printed, if it isn't plain."""
    given = parse_arguments(arguments)
    if given is None:
        return False
    path = given.values.get("database") or default_path_text()
    from ...capture.ingest.catch_up import open_caught_up
    from ...database import notices, temporary
    from ...errors import StoreError

    try:
        with open_caught_up(path) as store:
            sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
            print_found(store, given)
            sys.stdout.flush()
        temporary.sweep_notes(store.path)
        if notices.are_waiting():
            from ..output.console import tell_notices

            tell_notices()
    except BrokenPipeError:
        # The reader has seen enough; what is still buffered goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (StoreError, apsw.Error, OSError, UnicodeError):
        return False
    return True


def print_found(store: Store, given: SearchArguments) -> None:
    """Print the hits, as a person or an agent reads them."""
    words, limit = " ".join(given.words), int(given.values["limit"])
    exact, as_json = "--exact" in given.switches, "--json" in given.switches
    from ..output.hits import BY_MEANING, print_hits

    if "--semantic" in given.switches:
        words = f"{BY_MEANING} {words}"
    if "--for-agent" in given.switches:
        from ..output.for_agents import print_search

        cursor = given.values.get("cursor")
        print_search(store, words, limit=limit, cursor=cursor, exact=exact, as_json=as_json)
        return
    explain = "--explain" in given.switches
    print_hits(store, words, limit=limit, exact=exact, explain=explain, as_json=as_json)


def parse_arguments(arguments: list[str]) -> SearchArguments | None:
    """Return the words and flags; None where typer has to look at them."""
    given = SearchArguments()
    is_named = False
    rest = iter(arguments)
    for argument in rest:
        name, equals, value = argument.partition("=")
        if argument in SWITCHES and (is_named or argument == "--json"):
            given.switches.add(argument)
        elif name in VALUED and (is_named or name == "--db") and not (equals and name == "-n"):
            given.values[VALUED[name]] = value if equals else next(rest, "-")
        elif is_named and argument[:1] != "-":
            given.words.append(argument)
        elif argument == "search" and not is_named:
            is_named = True
        else:
            return None
    limit, path = given.values["limit"], given.values.get("database", "memory.db")
    is_plain = limit.isascii() and limit.isdecimal() and int(limit[:6]) > 0 and len(limit) < 6
    is_plain &= "--for-agent" in given.switches or "cursor" not in given.values
    is_plain &= not {"--for-agent", "--explain"} <= given.switches
    return given if given.words and is_plain and path[:1] not in ("", "-") else None
