"""`mem search` says on stderr what of a query exists nowhere; stdout and exit status stay as they are."""

import json

import pytest

from tests.tables import table

from ..runner import Mem, filling


@filling
def filled(mem: Mem) -> None:
    mem.ok("add", "Refresh token expired", "--type", "bugfix", "--project", "payments-api")


@table(
    ("query", "told"),
    [
        ("type:bug", "No memory has the type bug.\nDid you mean: mem search type:bugfix?"),
        ("typ:bugfix", "There is no filter typ:.\nDid you mean: mem search type:bugfix?"),
        ("-type:bug", "No memory has the type bug.\nDid you mean: mem search -- -type:bugfix?"),
        ("is:foo", "is: has no value 'foo'; it takes automatic, "),
        ("since:lastweek", "lastweek is not a date.\nDid you mean: mem search since:last-week?"),
        ("since:2026-13-45", "2026-13-45 is not a date.\nDid you mean: mem search since:2026-12-31?"),
        ("project:pay x", "Did you mean: mem search 'project:payments-api x'?"),
        ("token of 2019-03", "Nothing of that time fits as well: all times are searched."),
        ("token today", "“today” is searched for as words.\nDid you mean: mem search 'token on:today'?"),
    ],
)
def test_it_is_told_with_the_command_that_was_meant(filled: Mem, query: str, told: str) -> None:
    for arguments in (("search", query), ("search", query, "--facets"), ("--json", "search", query)):
        done = filled(*arguments)
        assert told in done.stderr, arguments
        assert done.exit_code == 0


def test_stdout_is_what_it_was(filled: Mem) -> None:
    assert filled("search", "type:bug").stdout == ""
    assert json.loads(filled("--json", "search", "type:bug").stdout) == []
    assert len(json.loads(filled("--json", "search", "type:BUGFIX").stdout)) == 1


def test_a_query_that_is_understood_is_answered_without_a_word(filled: Mem) -> None:
    for query in ("type:bugfix", "token", "类型:修复", "project:PAYMENTS-API"):
        assert filled("search", query).stderr == ""


@pytest.mark.parametrize("command", ["pin --dry-run", "purge --dry-run", "export jsonl -"])
def test_of_a_query_that_something_is_done_with_it_is_told_too(filled: Mem, command: str) -> None:
    done = filled(*command.split(), "--query", "type:bug")
    assert "Did you mean: --query type:bugfix?" in done.stderr
