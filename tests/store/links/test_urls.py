"""Which addresses of the web a text names."""

from __future__ import annotations

from memtui.store.links.files import urls_in
from tests.tables import table

CASES = {
    "See https://docs.python.org/3/library/re.html.": "https://docs.python.org/3/library/re.html",
    "(https://example.com/a_(b))": "https://example.com/a_(b)",
    "[docs](http://localhost:8080/x?a=1&b=2#c), then": "http://localhost:8080/x?a=1&b=2#c",
    "**https://example.com/x**": "https://example.com/x",
    "详见https://example.com/x，然后": "https://example.com/x",
    "详见https://example.com/x的文档": "https://example.com/x",
    "https://zh.wikipedia.org/wiki/北京": "https://zh.wikipedia.org/wiki/北京",
    '"https://example.com/quoted"': "https://example.com/quoted",
}
NONE = (
    "javascript:alert(1) data:text/html,x file:///etc/passwd ftp://example.com vbscript:x "
    "JAVASCRIPT:alert(1) about:blank //example.com mailto:a@b.c"
)


@table("text, address", CASES.items())
def test_an_address_ends_where_its_sentence_does(text: str, address: str) -> None:
    (link,) = urls_in([text])
    assert (link.address, link.trouble) == (address, "")


def test_nothing_but_the_web_is_an_address() -> None:
    assert urls_in([NONE]) == []


def test_the_host_is_whom_it_leads_to() -> None:
    hosts = {
        "https://github.com@evil.example/": "evil.example",
        "https://exаmple.com/": "xn--exmple-4nf.com",
        "http://[::1]:80/": "::1",
    }
    for address, host in hosts.items():
        (link,) = urls_in([address])
        assert link.host == host


def test_what_can_not_be_seen_is_never_opened() -> None:
    for text in ("https://good.example/\u202egpj.exe", "https://good.example/\x1b]0;x", "http://a\x00b/"):
        for link in urls_in([text]):
            assert link.trouble


def test_an_address_that_is_none_is_not_opened() -> None:
    assert [link.trouble for link in urls_in(["http://[::1/ https://:80/ http://a:99999/"])] == [
        "It is not a web address.",
        "It names no host.",
        "It is not a web address.",
    ]


def test_each_address_is_listed_once_and_not_too_many() -> None:
    many = " ".join(f"https://example.com/{number % 300}" for number in range(600))
    assert len(urls_in([many, many])) == 100
