"""Whether bytes may hold a secret or a private passage: a cheap prefilter, asked before anything
is imported.

Read by the hook's process, which may import next to nothing: so only its own parts are imported, and
those for values and for sentences only where a text has words of theirs. Looking for each anchor in
the whole of a text would take longer than all else that a hook does: so each is looked for among the
text's different words first. Keys of services are long words, and text has few of those; only beside
them are the many prefixes looked for.
"""

from .anchors import (
    ARGUED_OPTIONS,
    BRACKETS,
    CHINESE,
    CHINESE_PAIRS,
    COMMANDS,
    ESCAPED_PAIRS,
    GATES,
    LIKE_BRACKETS,
    MARKLESS,
    NAMES,
    PORTS,
    SEEDS_BEGIN,
    SESSIONS_BEGIN,
    SETTINGS,
    TAGS,
    WHERE,
    WORDS,
    places,
)
from .encoded import decoded, hides_another, separators, with_items
from .keys import has_hash, has_key, has_wavy_key, has_wrapped_key, long_words

LINE = 256
"""Bytes before an option in which its command is looked for, if it stands in the same line."""

DEEPEST = 3
"""Encodings within encodings that are looked into."""

MANY = 2_000
"""Where more places than this would have to be looked at, the answer is that it may be so."""

LARGE = 16_384
"""Where a text has more bytes than this, and few signs, only what stands near them is looked at."""

FEW_MARKS = 200
NEAR = 512
"""Bytes before and after a sign: no name stands farther from its value."""

SHORTEST = 7
"""Bytes of the shortest text that can hold anything: a name, a sign and a value, or a tag."""

_BYTES = bytes(range(256))
_ODD = bytes((*range(0x20), 0x22, 0x25, 0x26, 0x5C, *range(0x7F, 0xE4), *range(0xED, 0x100)))
_PLAIN = _BYTES.translate(None, _ODD + b"<private")
_SHAPES = bytes.maketrans(_ODD + _PLAIN, b"~" * len(_ODD) + b"." * len(_PLAIN))
_SKIPPED = b" \t\r\n\f\v/;"
_BEGINNINGS = (b"<private", *(b"<private"[:end] + b"~" for end in range(2, 8)))
"""How `private` begins after a "<", up to a byte that may stand for anything."""

_LETTERS = b"abcdefghijklmnopqrstuvwxyz0123456789"
_NO_LETTERS = bytes(range(128)).translate(None, _LETTERS)
_FIRST_LETTERS = b"chms"
_ASCII_SIGNS = _LETTERS + b"!#$()*+-.:=?@[]^_`{|}~"
"""Bytes that stand for nothing but themselves."""

_BREAKS = b" \t\r\n\f\v\"'"
_WORD_BYTES = bytes.maketrans(_NO_LETTERS, b" " * len(_NO_LETTERS))

_BARE = b"abcdefghijklmnopqrstuvwxyz ,."
_MARKED = _BYTES.translate(None, _BARE)
_MARKS = bytes.maketrans(_MARKED, b"#" * len(_MARKED))

_NO_PASSWORD = tuple(bytes((code,)) for code in b" \t\r\n`,;&|<>(){}[]")
_BEFORE_OPTION = (b" ", b"\t", b'"', b"'", b"t")
_FIELD = b"abcdefghijklmnopqrstuvwxyz0123456789_.*-"


def may_hold(raw: bytes, in_json: bool = False, depth: int = 0) -> bool:
    """Whether text or JSON may hold a secret or a private passage: False is certain, True is not.

    `in_json` says that it is a document of JSON, in which a backslash before `n` is a line's end.
    `depth` counts the encodings that were resolved before.
    """
    if len(raw) < SHORTEST:
        return False
    has_backslash = b"\\" in raw
    if has_backslash and b"\\/" in raw:
        raw = raw.replace(b"\\/", b"/")
    low = raw.lower()
    if has_backslash and b"\\u" in low and (b"\\u{00" in low or _has_escaped_chinese(low, in_json)):
        return True
    is_ascii = low.isascii()
    if not is_ascii and _has_chinese(low, raw):
        return True
    if (b"&" in low and b"sig=" in low) or (b"~" in low and has_wavy_key(low)):
        return True
    if _has_tag(low, is_ascii, has_backslash) or _has_login(low) or has_hash(low):
        return True
    told, told_raw = low, raw
    if len(low) > LARGE and is_ascii:
        told, told_raw = _near_marks(low, raw)
    words = b" ".join(frozenset(told.translate(_WORD_BYTES).split())).decode("latin-1")
    have = {gate for gate in GATES if gate in words}
    between = separators(told, in_json and depth == 0 and told is low)
    if between and (b'"--' in told or b"'--" in told):
        from .entries import has_flag

        if has_flag(told, told_raw, between):
            return True
    if have or not is_ascii:
        if _has_word(told, told_raw, words, have, in_json):
            return True
        spoken = with_items(told, between, b" ")
        told_as = with_items(told_raw, between, b" ")
        if b"\t" in spoken or b"\\t" in spoken:
            spoken, told_as = _without_tabs(spoken), _without_tabs(told_as)
        if spoken != told and _has_word(spoken, told_as, words, have, in_json):
            return True
    if b":*:" in told or not have.isdisjoint(PORTS):
        for port in (b":5432:", b":5433:", b":6432:", b":*:"):
            if any(_is_pgpass(told, at, at + len(port)) for at in places(told, port)):
                return True
    long = long_words(low)
    if long is None or (long and has_key(low, long, words if told is low else None)):
        return True
    if (has_backslash or b"\n" in told or b"," in told) and has_wrapped_key(told, between):
        return True
    if depth < DEEPEST and (long or has_backslash or b"%" in low or b"&" in low):
        for other in hides_another(raw):
            if may_hold(other, in_json, depth + 1):
                return True
        # No document: a backslash in it is one.
        for other in decoded(low, raw):
            if may_hold(other, False, depth + 1):
                return True
    return False


def _without_tabs(text: bytes) -> bytes:
    """A text with blanks in place of tabs."""
    return text.replace(b"\\t", b" ").replace(b"\t", b" ")


def _near_marks(low: bytes, raw: bytes) -> tuple[bytes, bytes]:
    """What stands near the digits and signs of a large text, lowered and as it is; all of it unless there
    are few of those, or where a word is there that needs none."""
    marks = low.translate(_MARKS)
    if marks.count(b"#") > FEW_MARKS:
        return low, raw
    text = low.decode("latin-1")
    for word in MARKLESS:
        if word in text:
            return low, raw
    spans: list[slice] = []
    at = marks.find(b"#")
    while at >= 0:
        start = max(0, at - NEAR)
        end = at + NEAR
        while (at := marks.find(b"#", at + 1, end)) >= 0:
            end = at + NEAR
        spans.append(slice(start, end))
        at = marks.find(b"#", end)
    return b" ".join([low[one] for one in spans]), b" ".join([raw[one] for one in spans])


def _has_word(low: bytes, raw: bytes, words: str, have: set[str], in_json: bool) -> bool:
    """Whether what follows one of the words that there are makes a secret likely."""
    for gate, anchors in WHERE.items():
        if gate in have:
            for anchor in anchors:
                if anchor in low:
                    return True
    if b'"value"' in low:
        from .entries import has_entry

        if has_entry(low):
            return True
    if "pass" in have and b" value=" in low and "password" in words:
        return True
    if not have.isdisjoint(COMMANDS) and _has_option(low, words, have, in_json):
        return True
    for gate, (command, option, reach) in ARGUED_OPTIONS.items():
        if gate in have:
            for at in places(low, command):
                if option in raw[at : at + reach]:
                    return True
    present = [word for name, word in WORDS.items() if name in have]
    if present:
        from .values import has_value

        if has_value(low, raw, present, in_json):
            return True
    is_named = not have.isdisjoint(NAMES)
    is_seed = not low.isascii() or not have.isdisjoint(SEEDS_BEGIN)
    is_set = not have.isdisjoint(SESSIONS_BEGIN) and (b"=" in low or not have.isdisjoint(SETTINGS))
    if not (is_named or is_seed or is_set) and (
        ("pw" in have and (b"pw " in low or b"pw:" in low or b"pw=" in low))
        or ("pin" in have and (b"pin " in low or b"pin:" in low or b"pin=" in low))
    ):
        is_named = True
    if is_named or is_seed or is_set:
        from .entries import has_form
        from .sentences import has_sentence

        return has_form(low, raw, words, have) or has_sentence(low, raw, have)
    return False


def _is_pgpass(low: bytes, start: int, end: int) -> bool:
    """Whether a port is followed by the name of a database, a user's and a password."""
    parts = low[end : end + 132].split(b":", 2)
    return (
        not low[start - 1 : start].translate(None, _FIELD)
        and len(parts) == 3
        and not (parts[0] + parts[1]).translate(None, _FIELD)
    )


def _has_escaped_chinese(low: bytes, in_json: bool) -> bool:
    """Whether a text has a Chinese word for a secret with each letter escaped by its number, which a
    document of JSON has where it is escaped twice."""
    return any(
        low[at + len(first) :].lstrip(b"\\").startswith(others)
        for first, others in ESCAPED_PAIRS
        for at in places(low, first)
        if low[at - 2 : at] == b"\\\\" or not in_json
    )


def _has_chinese(low: bytes, raw: bytes) -> bool:
    """Whether what may be a secret follows a Chinese word for one."""
    for anchor in CHINESE:
        if anchor in low:
            break
    else:
        return False
    from .sentences import has_chinese

    return any(
        has_chinese(raw, at + len(pair))
        for pair in CHINESE_PAIRS
        for at in places(low, pair, len(low))
    )


def may_hold_tag(raw: bytes) -> bool:
    """Whether text or JSON may hold a private passage: False is certain, True is not."""
    low = raw.lower()
    return _has_tag(low, low.isascii(), b"\\" in low)


def _has_tag(low: bytes, is_ascii: bool, has_backslash: bool) -> bool:
    """Whether a private tag's name follows a "<", however both are written."""
    if b"<" in low and _has_name(low):
        return True
    for begin, *brackets in BRACKETS if is_ascii else (*BRACKETS, *LIKE_BRACKETS):
        if not has_backslash and brackets[0][:1] == b"\\":
            continue
        if begin in low and any(bracket in low for bracket in brackets):
            from .tags import with_brackets

            plain = with_brackets(low)
            return plain is None or _has_name(plain)
    return False


def _has_name(low: bytes) -> bool:
    """Whether a private tag's name follows a "<" without a ">" between them."""
    for anchor in TAGS:
        if anchor in low:
            found = places(low, anchor, MANY)
            if len(found) > MANY:
                return True
            for at in found:
                opened = low.rfind(b"<", 0, at)
                if opened >= 0 and b">" not in low[opened:at] and _begins_name(low, opened, at):
                    return True
    shape = low.translate(_SHAPES, _SKIPPED)
    if b"<~" in shape or (b"<p" in shape and any(one in shape for one in _BEGINNINGS)):
        from .tags import opens_private

        return opens_private(low)
    return False


def _begins_name(low: bytes, opened: int, at: int) -> bool:
    """Whether what follows a "<" begins as one of the names does; in doubt it does."""
    first, second = low[opened + 1 : at + 2].lstrip(_SKIPPED)[:2]
    if first not in _ASCII_SIGNS:
        return True
    return first in _FIRST_LETTERS and (
        second not in _ASCII_SIGNS or bytes((first, second)) in (b"cl", b"ho", b"me", b"sy")
    )


def _has_login(low: bytes) -> bool:
    """Whether an address names a password or a token before its "@"."""
    at = low.find(b"@")
    while at >= 0:
        start = low.rfind(b"://", max(0, at - 1_200), at)
        if start >= 0 and _is_login(low[start + 3 : at]):
            return True
        at = low.find(b"@", at + 1)
    return False


def _is_login(told: bytes) -> bool:
    for stop in (b"/", b"<", b">", b"@"):
        if stop in told:
            return False
    if b"\\u" in told or b"\\x" in told:
        return True
    bare = told.translate(None, _BREAKS)
    if bare != told or b"\\" in told:
        # A key may go on in the next line.
        for other in (b"\\r", b"\\n", b"\\t", b"\\", b",", b":"):
            bare = bare.replace(other, b"")
        return bare.isalnum() and len(bare) in (32, 64)
    _user, sign, password = told.partition(b":")
    if not sign:
        return len(told) > 19 and not told.translate(None, _LETTERS + b"_-")
    return len(password) > 2 and b"\\" not in told


def _has_option(low: bytes, words: str, have: set[str], in_json: bool) -> bool:
    """Whether an option may be a password's: after a command that has one, or of `curl`."""
    commands = [name for gate, name in COMMANDS.items() if gate in have and name and gate in words]
    if "pass" in have and "sshpass" in words:
        commands.append(b"sshpass")
    if commands and in_json:
        from .values import to_line_end
    for command in commands:
        for at in places(low, command):
            line = low[at : at + LINE]
            if b":\\\\" not in line:
                line = line.partition(b"\n")[0]
                line = to_line_end(line) if in_json else line
            option = b"a" if command == b"redis-cli" else b"p"
            if any(before + b"-" + option in line for before in _BEFORE_OPTION):
                return True
    if "curl" not in have:
        return False
    found: list[bytes] = []
    for piece in low.split(b"-")[1:]:
        # A name may have dashes in it.
        found = [*(option + b"." + piece for option in found[-4:] if b":" not in option), piece]
        if any(map(_is_users, found)):
            return True
    return False


def _is_users(option: bytes) -> bool:
    """Whether what follows a dash is the option of a user, with a name and a password."""
    at = option.find(b"u", 0, 9)
    if at < 0 or not (at == 0 or option[:at].isalpha()):
        return False
    _, sign, password = option.partition(b":")
    if not sign:
        return False
    start = at + 4 if option.startswith(b"user", at) else at + 1
    name = option[start : len(option) - len(password) - 1].lstrip(b" \t=\\\"',")
    if name.rstrip(b"\"'\\").translate(None, _LETTERS + b"_.@%+{}"):
        return False
    return password.lstrip(b"\\\"'")[:1] not in _NO_PASSWORD
