"""What a value of the configuration may be. Each reader takes a setting's name and what the file says,
and returns the value; ValueError says in a sentence what it should be."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

from ..platform.translation import _
from .records import LONGEST_SECONDS, RENAMED_SCREENS

COLOR_ROLES = ("primary", "secondary", "accent", "warning", "error", "success", "foreground")
"""Colours that each theme has its own of."""
COLOR_NAMES = (
    "red orange yellow green cyan blue purple magenta pink brown gray teal olive navy lime".split()
)

KEY_NAMES = {"esc": "escape", "return": "enter", "del": "delete", "ins": "insert", "pgup": "pageup"}
KEY_NAMES |= {
    "pgdn": "pagedown",
    "pgdown": "pagedown",
    "page_up": "pageup",
    "page_down": "pagedown",
}
"""What people call keys, and their names."""
SPECIAL_KEYS = (
    *("up", "down", "left", "right", "home", "end", "pageup", "pagedown"),
    *("insert", "delete", "backspace", "tab", "enter", "escape", "space"),
)

MAPPED = ("title", "text", "time", "session", "project", "type", "tags", "id")
"""What a field of a line of JSON may hold."""

Reader = Callable[[str, Any], Any]


def text(name: str, value: Any) -> str:
    """A text on one line."""
    if not isinstance(value, str) or not value.isprintable():
        raise ValueError(_("{name} is a text on one line, not {value!r}.", name=name, value=value))
    return value


def words(name: str, value: Any) -> tuple[str, ...]:
    """A program and its arguments."""
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise ValueError(
            _(
                '{name} is a list of texts, ["program", "argument"], not {value!r}.',
                name=name,
                value=value,
            )
        )
    return tuple(value)


def amount(name: str, value: Any) -> int:
    """A whole number, 0 or more."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(_("{name} is a whole number, 0 or more, not {value!r}.", name=name, value=value))
    return int(value)


def many(name: str, value: Any) -> int:
    """A whole number, 1 or more."""
    if amount(name, value) < 1:
        raise ValueError(_("{name} is 1 or more.", name=name))
    return int(value)


def percent(name: str, value: Any) -> int:
    """A share of the room that leaves something to both sides."""
    if not isinstance(value, int) or isinstance(value, bool) or not 10 <= value <= 90:
        raise ValueError(_("{name} is a percentage from 10 to 90, not {value!r}.", name=name, value=value))
    return int(value)


def number(name: str, value: Any) -> float:
    """A number, 0 or more."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value < 1e9:
        raise ValueError(_("{name} is a number, 0 or more, not {value!r}.", name=name, value=value))
    return float(value)


def price(name: str, value: Any) -> tuple[float, ...]:
    """What tokens cost: two to four numbers."""
    if not isinstance(value, list | tuple) or not 2 <= len(value) <= 4:
        raise ValueError(
            _(
                "{name} is a list of two to four numbers, [input, output, cache read, cache "
                "written], not {value!r}.",
                name=name,
                value=value,
            )
        )
    return tuple(number(name, item) for item in value)


def seconds(name: str, value: Any) -> float:
    """More than 0 and at most `LONGEST_SECONDS`."""
    result = number(name, value)
    if not 0 < result <= LONGEST_SECONDS:
        raise ValueError(
            _(
                "{name} is more than 0 and at most {limit}, not {value!r}.",
                name=name,
                limit=LONGEST_SECONDS,
                value=value,
            )
        )
    return result


def flag(name: str, value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise ValueError(_("{name} is true or false, not {value!r}.", name=name, value=value))
    return bool(value)


def one_of(*allowed: str) -> Reader:
    """One of some texts."""

    def read(name: str, value: Any) -> str:
        if not isinstance(value, str) or value not in allowed:
            near = did_you_mean(value, allowed)
            named = _(", ").join(word for word in allowed if word)
            raise ValueError(
                _(
                    "{name} can't be {value!r}.{near} It is one of {names}.",
                    name=name,
                    value=value,
                    near=near,
                    names=named,
                )
            )
        return str(value)

    return read


def renamed(names: Mapping[str, str], read: Reader) -> Reader:
    """What `read` takes, by its former names too."""

    def read_current(name: str, value: Any) -> Any:
        return read(name, names.get(value, value) if isinstance(value, str) else value)

    return read_current


def current_key(name: str) -> str:
    """Return what the key of a binding is called now: `capture.install` for `agents.install`."""
    screen, _dot, action = name.partition(".")
    if screen == "app":
        return f"app.{RENAMED_SCREENS.get(action, action)}"
    return f"{RENAMED_SCREENS.get(screen, screen)}.{action}"


def mapped_field(name: str, value: Any) -> str:
    """The field of a line that holds what the last part of the name says."""
    what = name.rpartition(".")[2]
    if what not in MAPPED or name.count(".") < 2:
        near = did_you_mean(what, MAPPED)
        raise ValueError(
            _(
                "{name} is not NAME.WHAT, where WHAT is one of {names}.{near}",
                name=name,
                names=_(", ").join(MAPPED),
                near=near,
            )
        )
    if not text(name, value):
        raise ValueError(_("{name} is empty: name a field.", name=name))
    return str(value)


def color(name: str, value: Any) -> str:
    """A colour: #rrggbb, a role of the theme, or a common name."""
    if isinstance(value, str):
        if re.fullmatch(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})", value):
            return str(value)
        if value in COLOR_ROLES or value in COLOR_NAMES:
            return str(value)
    near = did_you_mean(value, (*COLOR_ROLES, *COLOR_NAMES))
    raise ValueError(
        _(
            '{name} can\'t be {value!r}.{near} It is a colour: "#rrggbb", one of the '
            "theme ({roles}) or a name ({names}).",
            name=name,
            value=value,
            near=near,
            roles=_(", ").join(COLOR_ROLES),
            names=_(", ").join(COLOR_NAMES),
        )
    )


def keys(name: str, value: Any) -> str:
    """Keys as Textual names them, separated by commas: `P`, `ctrl+k`, `f5`."""
    # A comma may be a key itself.
    given = re.split(r"(?<=\S),(?=.)", value) if isinstance(value, str) else []
    results = [_key(item.strip()) for item in given]
    if not results or None in results:
        raise ValueError(
            _(
                '{name} is a key, such as "P", "ctrl+k" or "f5", not {value!r}.',
                name=name,
                value=value,
            )
        )
    return ",".join(word for word in results if word)


def _key(given: str) -> str | None:
    """A key by Textual's name for it, however it is spelt; None where it is none."""
    *modifiers, last = given.split("+") if given != "+" else ["+"]
    modifiers = [modifier.casefold() for modifier in modifiers]
    if any(name not in ("ctrl", "alt", "shift", "super") for name in modifiers) or not last:
        return None
    if len(last) > 1:
        last = KEY_NAMES.get(last.casefold(), last.casefold())
        if not (last in SPECIAL_KEYS or re.fullmatch(r"f(?:[1-9]|1\d|2[0-4])", last) or _is_sign(last)):
            return None
    elif not last.isprintable() or last.isspace():
        return None
    elif modifiers == ["shift"]:
        return last.upper() if last.isalpha() else None
    elif "ctrl" in modifiers:
        last = last.casefold()
    return "+".join([*modifiers, last])


def _is_sign(name: str) -> bool:
    """Whether it is the name of a character, `question_mark`."""
    import unicodedata

    try:
        unicodedata.lookup(name.replace("_", " "))
    except KeyError:
        return name in ("plus", "minus")
    return True


def flattened(table: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Return the values of a table by their dotted names, whether the file has dots or tables."""
    results: list[tuple[str, Any]] = []
    for name, value in table.items():
        if isinstance(value, Mapping):
            results += [(f"{name}.{inner}", item) for inner, item in flattened(value)]
        else:
            results.append((name, value))
    return results


def did_you_mean(value: object, known: Collection[str]) -> str:
    """Return ` Did you mean "nord"?` with the nearest of what is known, or nothing."""
    if not isinstance(value, str) or not value:
        return ""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    limit = max(1, len(value) // 3)
    result = process.extractOne(value.casefold(), list(known), scorer=OSA.distance, score_cutoff=limit)
    if result is None:
        starting = [name for name in known if len(value) > 2 and name.startswith(value.casefold())]
        return _(' Did you mean "{name}"?', name=starting[0]) if starting else ""
    return _(' Did you mean "{name}"?', name=result[0])
