"""The packages and versions that installers and programs tell of."""

from __future__ import annotations

import re

from .commands import INSTALLERS
from .run_totals import head_and_tail
from .shell import ShellCommand

PIP = re.compile(r"^Successfully installed (.+)$", re.MULTILINE)
PIP_ONE = re.compile(r"^(.+)-(\d[\w.!+\-]*)$")
PLUS = re.compile(r"^\s*\+ ([@\w./\-]+?)(?:==|@| )v?(\d[\w.\-+]*)\s*$", re.MULTILINE)
ADDED = re.compile(
    r"^(added \d+ packages?(?:, (?:and )?(?:removed|changed|audited) \d+ packages?)*)", re.MULTILINE
)
GO = re.compile(r"^go: (added|upgraded|downgraded) (\S+) (v\S+)(?: => (v\S+))?", re.MULTILINE)
CARGO = re.compile(
    r"^\s*(?:Adding|Installed package `?|Installed) ?([\w\-]+) (v\d[\w.\-+]*)", re.MULTILINE
)
GEM = re.compile(r"^Successfully installed ([\w\-]+)-(\d[\w.]*)$", re.MULTILINE)
VERSION = re.compile(r"^(?:v|[\w .+\-]{1,40}?\bv?(?:version )?)(\d+\.\d+[\w.\-+]*)", re.MULTILINE)
NO_PACKAGE = frozenset(
    (".", "..", "-r", "--", "install", "add", "i", "ci", "get", "sync", "require", "pip")
)


def installed_by(command: ShellCommand) -> list[str]:
    """What a command was told to install, by its words; empty where that stands in a file."""
    name = "pip" if "pip" in command.arguments[:3] else command.name
    verbs = INSTALLERS.get(name, ("install",))
    words = list(command.arguments)
    at = next((place for place, word in enumerate(words) if word in verbs), len(words))
    found: list[str] = []
    skips = False
    for word in words[at + 1 :]:
        if skips:
            skips = False
        elif word in (
            "-r",
            "--requirement",
            "-c",
            "--index-url",
            "-i",
            "--target",
            "--group",
            "--extra",
        ):
            skips = True
        elif not word.startswith("-") and word not in NO_PACKAGE:
            found.append(word)
    return found


def facts_of(output: str) -> list[str]:
    """What was installed, with its version, as the installer tells; at most ten."""
    text = head_and_tail(output)
    found: list[str] = []
    for line in PIP.findall(text):
        pairs = filter(None, map(PIP_ONE.match, line.split()))
        found += [f"installed {one[1]} {one[2]}" for one in pairs]
    found += [f"installed {name} {version}" for name, version in PLUS.findall(text)]
    found += [f"{did} {name} {new or version}" for did, name, version, new in GO.findall(text)]
    found += [f"installed {name} {version}" for name, version in CARGO.findall(text)]
    if not found:
        found += [f"installed {name} {version}" for name, version in GEM.findall(text)]
    return list(dict.fromkeys(found))[:10] + ADDED.findall(text)[:1]


def version_in(command: ShellCommand, output: str) -> str | None:
    """The version of a program that was asked for it."""
    asked = command.arguments in (("--version",), ("-V",), ("-v",), ("version",))
    found = VERSION.search(output[:200]) if asked else None
    return f"{command.name} {found[1]}" if found else None
