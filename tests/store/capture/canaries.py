"""Texts that must never be found again, and looking for them in every byte of a machine."""

import copy
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from memtui.store import Store

from .hooks import Machine, files_below

PRIVATE = "zwetschge{0:05}mus"

Path = tuple[str | int, ...]

HIDDEN = {
    "token": ("gh" + "p_{0:05}a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P", "{0:05}a1B2c3D4e5F6g7"),
    "model key": ("sk-" + "ant-api03-{0:05}Zx9Yw8Vu7Ts6Rq5Po4Nm3Lk", "{0:05}Zx9Yw8Vu7Ts6"),
    "cloud key": ("AK" + "IAQ{0:05}WERTYUIOPA", "{0:05}WERTYUIOPA"),
    "password": ("pass" + "word=Tr0ub4{0:05}dor&3x", "Tr0ub4{0:05}dor"),
    "login": ("https://bob:" + "Xy7{0:05}Kq9w@example.org/x", "Xy7{0:05}Kq9w"),
    "bearer": ("Authorization: Bear" + "er b7{0:05}Qm2Wn8Ev4Rb6Ty0", "b7{0:05}Qm2Wn8Ev4"),
    "private": ("<private>" + PRIVATE + "</private>", PRIVATE),
    "private key": (
        "-----BEGIN RSA PRIV" + "ATE KEY-----\nMIIEow{0:05}IBAAKCAQEA7qBf\n-----END RSA PRIVATE KEY-----",
        "MIIEow{0:05}IBAAKCAQ",
    ),
}  # fmt: skip
"""Private and secret texts by kind: how each stands in a text, and the part of it that must be nowhere."""

FOUND = re.compile(
    b"|".join(
        re.escape(part).replace(re.escape("{0:05}"), r"\d{5}").encode() for _, part in HIDDEN.values()
    )
)
TURNS = 3
NAMES = ("hook_event_name", "agent_action_name")
SEEN = re.compile(rb"seen (\d{5})")


@dataclass(frozen=True, slots=True)
class Remains:
    """Which numbered events were written at all, and of which a canary is left, and where."""

    seen: frozenset[int]
    leaked: dict[int, str]


def canary(number: int) -> str:
    """All of them in one text, told apart from others by a number that may be found."""
    hidden = " ; ".join(text for text, _ in HIDDEN.values()).format(number)
    return f"seen {number:05} {hidden} ; end"


def remains(machine: Machine) -> Remains:
    """What is left in any byte below a machine's directory, after a drain and a backup."""
    machine.drained()
    with Store.open(machine.database) as store:
        store.backup(machine.folder / "backup.db")
        assert not store.find("zwetschge").page(related=True).hits
        # The log of what was written is still there while the store is open.
        contents = list(files_below(machine.folder))
    assert any(path.name.endswith("-wal") for path, _ in contents)
    seen: set[int] = set()
    leaked: dict[int, str] = {}
    for path, content in contents:
        seen.update(int(number) for number in SEEN.findall(content))
        for found in FOUND.findall(content):
            number = re.sub(rb"\D*(?:\d\D+)*(\d{5}).*", rb"\1", found)
            leaked[int(number)] = f"{found.decode()} in {path.name}"
    return Remains(frozenset(seen), leaked)


def in_turns(event: Any, numbers: Iterator[int]) -> Iterator[tuple[dict[int, str], Any]]:
    """Copies of an event in which a third of its texts, then another, are canaries; then its inner
    keys, then its outer ones. With each copy where its canaries are, by number."""
    texts, keys = list(_texts(event)), list(_keys(event))
    outer = [path for path in keys if len(path) == 1]
    for turn in range(TURNS):
        yield _changed(event, texts[turn::TURNS], numbers, as_key=False)
    # The innermost first: what leads to the others stays as it is.
    inner = sorted((path for path in keys if len(path) > 1), key=len, reverse=True)
    for chosen in (inner, outer):
        yield _changed(event, chosen, numbers, as_key=True)


def everywhere(event: Any, text: str) -> Any:
    """A copy of an event with a text added to each of its texts but those that name the event."""
    if isinstance(event, dict):
        return {key: inner if key in NAMES else everywhere(inner, text) for key, inner in event.items()}
    if isinstance(event, list):
        return [everywhere(inner, text) for inner in event]
    return f"{event} {text}" if isinstance(event, str) else event


def _changed(
    event: Any, paths: Sequence[Path], numbers: Iterator[int], *, as_key: bool
) -> tuple[dict[int, str], Any]:
    changed = copy.deepcopy(event)
    places = {}
    for path in paths:
        number = next(numbers)
        holder = changed
        for step in path[:-1]:
            holder = holder[step]
        if as_key:
            holder[canary(number)] = holder.pop(path[-1])
        else:
            holder[path[-1]] = canary(number)
        places[number] = ".".join(map(str, path)) + " as key" * as_key
    return places, changed


def _texts(value: Any, above: Path = ()) -> Iterator[Path]:
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(inner, str):
            yield (*above, key)
        elif isinstance(inner, dict | list):
            yield from _texts(inner, (*above, key))


def _keys(value: Any, above: Path = ()) -> Iterator[Path]:
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(value, dict):
            yield (*above, key)
        if isinstance(inner, dict | list):
            yield from _keys(inner, (*above, key))


def escaped(text: str) -> str:
    """A JSON text with every character of ASCII escaped."""
    return '"' + "".join(f"\\u{ord(letter):04x}" for letter in text) + '"'


def as_json(event: Any) -> bytes:
    """An event as agents write it."""
    return json.dumps(event, ensure_ascii=False).encode()
