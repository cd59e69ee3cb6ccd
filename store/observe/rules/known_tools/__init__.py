"""The tools whose outcome their own output tells: what a row of the table is made of; the tables as data, and
what reads them, are beside this."""

from __future__ import annotations

from ....records.dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sign:
    """A line by which a tool tells its outcome.

    `pattern` is matched against single lines, and only where `mark` stands in the output at all. `phrase` is
    what is said of it, with the pattern's groups as `{0}`, `{1}` (`{n}` is how many lines match, `{more}` is "" or
    ` and 2 more`); "" leaves it to the error's line. `fails` is whether it means failure; None means neither.
    """

    mark: str
    pattern: str
    phrase: str = ""
    fails: bool | None = None
    is_counted: bool = False
    """Whether its matches are counted by their first group: `2 CrashLoopBackOff, 1 Pending`."""


@dataclass(frozen=True, slots=True)
class KnownTool:
    """A tool whose output tells its outcome.

    `commands` are the beginnings of command lines that it is recognised by (`cargo build`; `a|b` for either
    word). The first of its signs that is there tells: failures stand before the rest. `in_scripts` is whether they are
    unmistakable, and believed too in what a script or the task of a task runner prints.
    """

    name: str
    commands: tuple[str, ...]
    signs: tuple[Sign, ...] = ()
    in_scripts: bool = True


def failure(mark: str, pattern: str, phrase: str = "") -> Sign:
    """Return a sign of failure."""
    return Sign(mark, pattern, phrase, fails=True)


def success(mark: str, pattern: str, phrase: str = "") -> Sign:
    """Return a sign of success."""
    return Sign(mark, pattern, phrase, fails=False)


def state(mark: str, pattern: str, phrase: str, *, is_counted: bool = False) -> Sign:
    """Return a sign that tells what is, and neither failure nor success."""
    return Sign(mark, pattern, phrase, None, is_counted)
