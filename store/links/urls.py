"""The web pages that texts name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice
from urllib.parse import urlsplit

from ..platform.translation import _
from ..records.dataclasses import dataclass
from ..text.display import safe
from ..text.language.scripts import UNSPACED

MOST = 100
"""Addresses that are listed of one memory."""
LONGEST = 2_000
"""Characters of an address; browsers take no more."""

_ADDRESS = re.compile(
    r"(?<![a-z0-9])https?://[^\s<>\"'`{}|\\^\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff65]+",
    re.IGNORECASE,
)
_GOES_ON = re.compile(rf"(?<=[a-zA-Z0-9])[{UNSPACED}]")
"""Where a sentence goes on right behind an address, in a script that has no spaces."""
_CLOSING = {")": "(", "]": "["}
_ENDING = ".,;:!?…*_"
"""What ends a sentence, or emphasis, and no address."""


@dataclass(frozen=True, slots=True)
class WebLink:
    """An address of the web as a text names it: `host` is whom it leads to, in ASCII. `trouble` says
    why it isn't opened, `` where it can be."""

    address: str
    host: str
    trouble: str = ""


def urls_in(texts: Iterable[str]) -> list[WebLink]:
    """Return the http and https addresses in some texts, each once, in their order; nothing else is an
    address of the web, and none opens a file or runs a script."""
    results = (match[0] for text in texts for match in _ADDRESS.finditer(text))
    return list(islice((_link(name) for name in dict.fromkeys(map(_trimmed, results)) if name), MOST))


def _trimmed(address: str) -> str:
    """Return an address without what closes the sentence or the bracket around it."""
    address = _GOES_ON.split(address, maxsplit=1)[0]
    while address:
        last = address[-1]
        if last in _ENDING or (last in _CLOSING and address.count(last) > address.count(_CLOSING[last])):
            address = address[:-1]
        else:
            break
    return address


def _link(address: str) -> WebLink:
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
        parts.port  # noqa: B018 - raises ValueError where it is none
        host = host if host.isascii() else host.encode("idna").decode()
    except ValueError:
        return WebLink(address, "", _("It is not a web address."))
    if not host:
        return WebLink(address, host, _("It names no host."))
    if not address.isprintable() or safe(address) != address:
        return WebLink(address, host, _("It holds characters that can't be seen."))
    if len(address) > LONGEST:
        return WebLink(address, host, _("It is longer than {longest} characters.", longest=f"{LONGEST:,}"))
    return WebLink(address, host)
