"""What tests read of exported pages: their elements, and the index's data."""

import json
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

SCRIPTING = (
    "<script>document.documentElement.dataset.pwned = 1</script>",
    "</script><script>document.documentElement.dataset.pwned = 1</script>",
    "<!--<script>--></script><img src=x onerror='document.documentElement.dataset.pwned = 1'>",
    '"><img src="http://127.0.0.1:9/x.png" onerror="document.documentElement.dataset.pwned = 1">',
    "' onmouseover='document.documentElement.dataset.pwned = 1' x='",
    '" onfocus="document.documentElement.dataset.pwned = 1" autofocus tabindex="1',
    "[x](javascript:document.documentElement.dataset.pwned=1)",
    "[x](data:text/html,<script>parent.document.documentElement.dataset.pwned=1</script>)",
    "[x](vbscript:x) [x](file:///etc/passwd) [x](//127.0.0.1:9/y) <javascript:alert(1)>",
    '[x](https://example.org/"onclick="document.documentElement.dataset.pwned=1)',
    "![x](http://127.0.0.1:9/y.png) ![x](javascript:alert(1))",
    "<svg><animate onbegin=document.documentElement.dataset.pwned=1 attributeName=x dur=1s>",
    "<style>body { background: url(http://127.0.0.1:9/z) }</style><link rel=stylesheet href=http://127.0.0.1:9/>",
    "<base href=http://127.0.0.1:9/><meta http-equiv=refresh content='0; url=http://127.0.0.1:9/'>",
    "</title></style></textarea></noscript></template><iframe src=http://127.0.0.1:9/></iframe>",
    "```html\n<script>document.documentElement.dataset.pwned = 1</script>\n```",
    '```" onclick="x\n<b>\n```',
    "| <img src=x onerror=alert(1)> | b |\n|---|---|\n| <b> | [x](javascript:1) |",
    "\u2028\u2029</pre></code><b>\x00&lt;script&gt;&#60;script&#62;",
    "$${document.documentElement.dataset.pwned = 1}{{constructor}}<%= 1 %>",
)
"""Texts that would run a script, ask somebody for something or leave an attribute, if they could."""

TAGS = frozenset(
    "html head meta title style script body a header nav button main footer span kbd div h1 h2 h3 h4 "
    "h5 h6 p ul ol li dl dt dd pre code section article blockquote table thead tbody tr th td strong em s "
    "hr time small input select svg rect figure figcaption noscript".split()
)
"""All elements that pages are made of."""


@dataclass
class Read(HTMLParser):
    """A page's elements with their attributes, its texts by element, and its ids."""

    elements: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    texts: dict[str, list[str]] = field(default_factory=dict)
    open: str = ""

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        self.open = tag

    def handle_data(self, data: str) -> None:
        self.texts.setdefault(self.open, []).append(data)

    def attributes(self, name: str) -> list[str]:
        return [found[name] for _, found in self.elements if name in found]


def read(path: Path) -> Read:
    found = Read()
    found.feed(path.read_text("utf-8"))
    return found


def pages(folder: Path) -> dict[str, Path]:
    return {str(path.relative_to(folder)): path for path in sorted(folder.rglob("*.html"))}


def index_data(path: Path) -> Any:
    """The JSON of an index page."""
    text = path.read_text("utf-8").split('id="memories">', 1)[1].split("</script>", 1)[0]
    return json.loads(text)


def led_to(page: Path, href: str) -> tuple[Path, str]:
    """The file and the anchor that a link of a page leads to."""
    name, _, anchor = href.partition("#")
    return (page.parent / unquote(name)).resolve() if name else page.resolve(), unquote(anchor)
