"""Odd ways to write a `<private>` tag, and text that only looks like one."""

import json
from collections.abc import Callable
from urllib.parse import quote

from hypothesis import strategies as st

CANARY = "CANARY"


def escaped(text: str) -> str:
    """A text with every letter of it escaped as JSON may."""
    return "".join(f"\\u{ord(letter):04x}" for letter in text)


def wide(text: str) -> str:
    """A text in full-width letters."""
    return "".join(chr(ord(one) + 0xFEE0) if "!" <= one <= "~" else one for one in text)


FORMS = (
    "<private lang='<b>'>X</private>", "<private lang='<b>'>X", "<private <b>>X</private>",
    "<private <b>>X",
    "<private a='</private>'>X", "<private why=\"x > y\">X", "<private a=\"'\">X", "<private=1>X",
    "<private\"a\">X", "<private;>X", "<private!>X", "<private\\>X", "<private/ >X",
    "<private><b>X</b>",
    "<pri\0vate>X", "<private\0>X", "<\0private>X</private>", "<private\t>X", "<\tprivate\n\n>X",
    "<\xa0private>X", "<private\xa0>X", "<private\u3000>X", "<private\u2028a>X", "<private\x85>X",
    "<pri\u200bvate>X", "<private\u200b>X", "<\ufeffprivate>X", "<p\u2060rivate>X", "<\u202eprivate>X",
    "<pri\xadvate>X", "<p\U000e0041rivate>X", "<p\x1b[0mrivate>X", "<p\u0336r\u0336i\u0336vate>X",
    "<PriVate>X", "<prıvate>X", "<рrivate>X", "<prіvаtе>X", "<ρrivate>X", "<𝐩𝐫𝐢𝐯𝐚𝐭𝐞>X", "<ⓟrivate>X",
    "&lt;private&gt;X&lt;/private&gt;", "&#60;private&#62;X", "&#x3c;private&#x3E;X",
    "&LT;private&GT;X",
    "&#00060;private&#0062;X", "&amp;lt;private&amp;gt;X", "&amp;amp;lt;private&amp;amp;gt;X",
    "&ltprivate&gtX", "&#60private&#62X", "&lt;&#112;rivate&gt;X", "<pri&shy;vate>X",
    "<pri&#8203;vate>X",
    "<private&nbsp;>X", "＜private＞X", "＜ｐｒｉｖａｔｅ＞X＜／ｐｒｉｖａｔｅ＞",
    "<ｐｒｉｖａｔｅ>X", "‹private›X",
    "〈private〉X", "＆lt；private＆gt；X", "&#65308;private&#65310;X", "%EF%BC%9Cprivate%EF%BC%9EX",
    "%3Cprivate%3EX%3C%2Fprivate%3E", "%253Cprivate%253EX", "%3C%70rivate%3EX",
    "%26lt%3Bprivate%26gt%3BX",
    "\\u003cprivate\\u003eX", "\\\\u003cprivate\\\\u003eX", "<p\\u0072ivate>X", "\\x3cprivate\\x3eX",
    "\\074private\\076X", "\\uff1cprivate\\uff1eX", "\\u{3c}private\\u{3e}X",
    "\\u0026lt;private\\u0026gt;X",
    "\\<private\\>X", "<private\\n>X", "<\\tprivate>X", "<private\\u00a0>X",
)  # fmt: skip
"""Each hides what stands in the place of X."""

NEAR_MISSES = (
    "", "a < b > c", "private", "a private matter", "it is private > public", "x <private", "private>",
    "<PrivateRoute path='/a'>x</PrivateRoute>", "<PrivateRoute>", "<privateKey>x</privateKey>",
    "<private-key>x</private-key>", "<private_key>x</private_key>", "<private.key>", "<private:key/>",
    "<privateer>x</privateer>", "<privates>", "<privat>x</privat>", "<privately>", "<private2>",
    "std::vector<private_key> keys;", "Map<PrivateKey, List<String>> keys", "Optional<PrivateChannel>",
    "class A { private: int x; };", "private List<String> names;", "private readonly a: Map<string, b>",
    "#include <private/api.h>", "import { Private } from '<lib>'", "if (a<privateCount && b>c) return;",
    "for (i=0; i<privates.length; i++) {}", "x = a <private_b> c", "&lt;privateKey&gt;",
    "&lt;div&gt; private",
    "&private=1&public=2", "?a=%3Cdiv%3E&private=1", "https://x/%3Cprivacy%3E", "＜privacy＞",
    "＜私有＞",
    "<个人>文本</个人>", "<имя>", "<προσωπικό>", "<é>", "< p r i v a t e >", "<pri vate>",
    "<pri\nvate>",
    "<p>private</p>", "<pre>private</pre>", "<priv>", "<primary>", "<b>private</b>", "<!-- private -->",
    "<a href='private'>x</a>", '<span class="private">x</span>', '<x private="1">y</x>', "[private]",
    "(private)", "{private}", "`private`", "**private**", "«private»", "《private》", "「private」",
    "use the <private tag for that", "it is closed by </private", "a <- private -> b",
    "printf '<%s>' private",
    "re.compile(r'<[^>]*>') # private", "C:\\private\\<name>", "path\\<name>\\private",
    "\\u003cb\\u003e private",
    "\\u003cprivateer>", "\\u0070rivate", "git log --format='%<(20)%an' private", "a<b>private",
    "<T extends private_>",
)  # fmt: skip
"""None of them is a tag, and each stays as it is."""

NAMES = st.sampled_from(
    ["private", "Private", "PRIVATE", "ｐｒｉｖａｔｅ", "рrivаte", "p\u200brivate", "pri\u0301vate"]
)
BLANKS = st.sampled_from(["", " ", "\t", "\n", "\xa0", "\u3000", "\u200b", "\u2028", " \ufeff ", "\r\n"])
ATTRIBUTES = st.sampled_from(
    ["", " a", " a=1", " a='x'", ' a="<b>"', " <b>", " a='x>y'", ' data-x="\'"', "/"]
)
ENCODINGS: st.SearchStrategy[Callable[[str], str]] = st.sampled_from(
    [
        str,
        wide,
        escaped,
        lambda tag: tag.replace("<", "&lt;").replace(">", "&gt;"),
        lambda tag: tag.replace("<", "&amp;lt;").replace(">", "&amp;gt;"),
        lambda tag: tag.replace("<", "&#x3c;").replace(">", "&#62;"),
        lambda tag: tag.replace("<", "\\u003c").replace(">", "\\u003E"),
        lambda tag: tag.replace("<", "\\<").replace(">", "\\>"),
        lambda tag: quote(tag, safe=""),
        lambda tag: quote(quote(tag, safe=""), safe=""),
        lambda tag: json.dumps(tag)[1:-1],
        lambda tag: json.dumps(json.dumps(tag))[1:-1],
        lambda tag: "".join(f"&#{ord(letter)};" for letter in tag),
    ]
)


@st.composite
def odd_passages(draw: st.DrawFn) -> str:
    """A private passage around the canary, between odd tags; it may never be closed."""
    blank, name, encode = draw(BLANKS), draw(NAMES), draw(ENCODINGS)
    opening = encode(f"<{blank}{name}{draw(ATTRIBUTES)}{draw(BLANKS)}>")
    closing = draw(ENCODINGS)(f"<{blank}/{draw(BLANKS)}{draw(NAMES)}{draw(BLANKS)}>")
    return f"{opening}{CANARY}{draw(st.sampled_from(['', closing]))}"
