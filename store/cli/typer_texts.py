"""What typer says of a command line that it refuses, in the user's language: it has it in English only."""

from __future__ import annotations

import re
from functools import cache

from ..translation import N_, _

SENTENCES = (
    N_("Try '{command} --help' for help."),
    N_("Error: {sentence}"),
    N_("Invalid value: {sentence}"),
    N_("Invalid value for {name}: {sentence}"),
    N_("Missing argument {name}."),
    N_("Missing argument {name}. Choose from: {names}"),
    N_("Missing option {name}."),
    N_("Missing option {name}. Choose from: {names}"),
    N_("Missing command."),
    N_("No such command {name}."),
    N_("No such option: {name} (Possible options: {names})"),
    N_("No such option: {name} Did you mean {names}?"),
    N_("No such option: {name}"),
    N_("Option {name} does not take a value."),
    N_("Option {name} requires an argument."),
    N_("Option {name} requires {number} arguments."),
    N_("Got unexpected extra argument ({words})"),
    N_("Got unexpected extra arguments ({words})"),
    N_("Got unexpected extra argument(s) ({words})"),
    N_("{value} is not a valid boolean. Recognized values: {names}"),
    N_("{value} is not a valid {type}."),
    N_("{value} is not in the range {range}."),
    N_("{value} is not one of {names}."),
    N_("Could not open file {name}: {sentence}"),
)
"""The longer first of two that begin alike."""


def translated(line: str) -> str:
    """Return a line of typer's in the user's language; any other as it is."""
    for sentence in SENTENCES:
        if match := _pattern(sentence).fullmatch(line):
            values = match.groupdict()
            if "sentence" in values:
                values["sentence"] = translated(values["sentence"])
            return _(sentence, **values)
    return line


@cache
def _pattern(sentence: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.*)", re.escape(sentence)))
