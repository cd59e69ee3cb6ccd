"""The language of all texts that people read: English, or what a catalogue of gettext has for it.

`_` stands where a text is written, in tables at the top of modules too, with whole sentences and named
values; in English it imports nothing. `N_` only marks a text for the catalogue, which is shown by `_`
elsewhere, where agents read it too. What agents read, what is stored or exported, and keys of JSON are
English everywhere.
`make catalogue` brings the catalogues up to date.
"""

from __future__ import annotations

import os
import sys

from .paths import read_config

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, TypeVar

    Text = TypeVar("Text", bound=str)

LANGUAGES = ("en", "zh")
DOMAIN = "memtui"
FOLDER = os.path.dirname(__file__) + "/locale"  # noqa: PTH120 - pathlib takes long to import
"""Where the catalogues lie: `zh/LC_MESSAGES/memtui.mo`, made of the `.po` beside it."""
LOCALES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
"""What names the user's language, the strongest first."""
FOR_PROGRAMS = ("--for-agent", "--json")
"""What is asked for by these is English, as is what `mem mcp` says."""
LONGEST = 1 << 20

_translate: Callable[[str], str] | None = None


class Phrase(str):
    """A text in the user's language that knows what it was made of, so that it can be kept, and be made
    again in another language. `source` is [text, values by name], [number, plural noun] or
    [separator, parts]; values and parts are sources or plain."""

    __slots__ = ("source",)
    source: list[Any]

    @classmethod
    def of(cls, said: str, *source: object) -> Phrase:
        """Return a text that was made of `source`."""
        self = cls(said)
        self.source = [*source]
        return self

    def join(self, parts: Iterable[str], /) -> Phrase:
        """As `str.join`; the parts stay known."""
        whole = [*parts]
        return Phrase.of(str.join(self, whole), self.source[0], [source_of(part) for part in whole])


def _(text: str, /, **values: object) -> str:
    """Return a text in the user's language, with `values` for its `{names}`."""
    # What gettext has for an empty text is its header.
    result = (_translate or _chosen())(text) if text else text
    if not values:
        return Phrase.of(result, text)
    sources = {name: source_of(value) for name, value in values.items()}
    return Phrase.of(result.format(**values), text, sources)


def source_of(value: object) -> object:
    """Return what a text was made of; what no text of the catalogue is, as it is."""
    return value.source if isinstance(value, Phrase) else value


def N_(text: Text, /) -> Text:  # noqa: N802 - gettext's own name
    """Return a text as it is, which the catalogue has for where `_` shows it."""
    return text


def language() -> str:
    """Return the language that `[browser] language` names, else the locale; one of `LANGUAGES`. Agents
    and scripts are told all in English."""
    arguments = sys.argv[1:]
    is_server = arguments[:1] == ["mcp"] and "--help" not in arguments
    if is_server or any(option in arguments for option in FOR_PROGRAMS):
        return LANGUAGES[0]
    named = _configured()
    if named not in LANGUAGES:
        named = next((value for name in LOCALES if (value := os.environ.get(name))), "")
    return next((known for known in LANGUAGES if named.lower().startswith(known)), LANGUAGES[0])


def translator(language: str) -> Callable[[str], str]:
    """Return what gives a text in a language; it gives the text itself where the catalogue hasn't it."""
    if language == LANGUAGES[0]:
        return _same
    from gettext import translation

    return translation(DOMAIN, FOLDER, [language], fallback=True).gettext


def translate_libraries() -> None:
    """Have argparse and typer, which ask the standard library's gettext, be in the user's language too;
    nothing where that is English. No variable is set, which programs that are started would inherit."""
    if _chosen() is _same:
        return
    import gettext

    gettext.dgettext = lambda domain, message: _(message)  # noqa: ARG005
    gettext.dngettext = lambda domain, msgid1, msgid2, n: _(msgid1 if n == 1 else msgid2)  # noqa: ARG005


def _chosen() -> Callable[[str], str]:
    """Return what translates into the user's language, which is asked for once a process."""
    global _translate
    if _translate is None:
        _translate = translator(language())
    return _translate


def _same(text: str) -> str:
    return text


def _configured() -> object:
    """What the configuration names; None where it doesn't, or can't be read, which others tell of."""
    try:
        content = read_config(LONGEST)
        if b"language" not in content:
            return None
        import tomllib

        return tomllib.loads(content.decode()).get("browser", {}).get("language")
    except (OSError, ValueError, AttributeError, RecursionError):
        return None
