"""Whether bytes may hold a secret or a private passage: a cheap prefilter, asked before anything
is imported.

Read by the hook's process, which may import next to nothing: so nothing is imported here.
Looking for each anchor in the whole of a large event would take longer than all else that a
hook does. Keys of services, though, are long words, and text has few of those; only beside them
are the many prefixes looked for.
"""

WORDS = (b"key", b"token", b"secret", b"pass", b"pwd", b"bearer", b"authoriz", b"cookie", b"jwt")
"""They count where a value follows, which a sign tells, or for some the word itself."""

INSIDE = (
    b"akia", b"asia", b"abia", b"acca", b"ghp_", b"gho_", b"ghu_", b"ghs_", b"ghr_", b"github_pat_",
    b"xox", b"xapp-", b"k_live_", b"k_test_", b"whsec_", b"sq0", b"eaaa", b"shpat_", b"shpca_",
    b"shppa_", b"shpss_", b"sk-ant-", b"aiza", b"gocspx-", b"_v1_", b"hrku-", b"npm_", b"pypi-",
    b"rubygems_", b"dckr_", b"hf_", b"r8_", b"gsk_", b"pplx-", b"xai-", b"-us", b"pmak-", b"lin_",
    b"ntn_", b"secret_", b"figd_", b"atatt3", b"atctt3", b"nrak-", b"nrii-", b"nrjs-", b"sntry",
    b"glsa_", b"sbp_", b"pscale_", b"dapi", b"ltai", b"akid", b"aklt", b"age-secret-key-",
    b"eyj", b"a21aa", b"akcp", b"cmvmd", b"bedrock-api-key-", b"clojars_", b"duffel_", b"ezak", b"eztk",
    b"eaam", b"eaac", b"flwseck", b"fio-u-", b"gr1348941", b"api_org_", b"s-s4t2", b"_mmk", b"pnu_",
    b"rdme_", b"tk-us-", b"xkeysib-", b"sm_aat_", b"sm_pat_", b"sm_sat_", b"shippo_", b"sgp_", b"k_prod_",
)  # fmt: skip
"""Looked for in long words."""

STARTS = (
    b"sk",
    b"gl",
    b"cio",
    b"key-",
    b"pat",
    b"a3-",
    b"a3t",
    b"4b1d",
    b"ico-",
    b"api-",
    b"pul-",
    b"p8e-",
)
"""Too short to mean anything but at the start of a long word."""

BESIDE = (
    b"hooks.slack", b"discord", b":aa", b"$production$", b"ya29.", b"private_key_id", b"heroku",
    b"v1.0-", b"cloudflare", b"sg.", b"hvs.", b"hvb.", b"hvr.", b".atlasv1.", b"dp.", b"_auth",
    b"'auth", b'"auth', b"paypal", b"glc_", b".acc_", b".acc-", b"absk", b"dt0c01.", b"fo1_", b"fm1a_",
    b"fm1r_", b"fm2_", b"gitlab_session", b"zxlk", b"incomingwebhook",
)  # fmt: skip
"""Looked for in long words and shortly before them."""

RARE = ((b"&", b"sig="), (b"~", b"q~"), (b"~", b"sha256~"), (b" value=", b"password"))
"""Looked for where what is rare before each occurs, which is found in no time."""

COMMANDS = (b"sshpass", b"mysql", b"mariadb", b"mongo", b"login", b"redis-cli")
"""They count before an option that may be a password's; `curl` does anywhere."""

CHINESE = ("密".encode(), "令".encode())
"""In 密码 and 密钥, 口令 and 令牌; and in words as common as 命令 and 加密, so the pairs decide."""

CHINESE_PAIRS = tuple(pair.encode() for pair in ("密码", "密碼", "密钥", "密鑰", "口令", "令牌"))
"""They count where one of the signs follows: what stands between takes 34 bytes at most."""

CHINESE_SIGNS = (*(sign.encode() for sign in "是为為"), b":", b"=", b"\xef\xbc", b"\\u")
"""A copula, a colon, an equals sign, wide or not, or an escape of JSON, which may be one of these."""

CHINESE_ESCAPED = (b"\\u5bc6", b"\\u4ee4")

TAGS = (b"vate", b"tem-rem", b"tem_rem", b"-context", b"_context")
"""Parts of the private tags' names without i, k and s: other letters than those of ASCII fold to
these, and bytes don't tell."""

ANCHORS = (
    *WORDS, *INSIDE, *STARTS, *BESIDE, *(anchor for _, anchor in RARE), *COMMANDS, b"curl",
    b"identified", b"://", *CHINESE, *CHINESE_ESCAPED, *TAGS,
)  # fmt: skip
"""All of them, in lower case; `secret_patterns` and `redaction` say what each is for."""

ESCAPES = (*CHINESE_ESCAPED, *(b"\\u00%x" % high for high in range(2, 8)))
"""Escapes of JSON: those that hide letters of ASCII, too."""

LONG = 17
"""Bytes of the shortest word that counts as long."""

BEFORE = 128
"""Bytes before a long word that are looked at."""

LONGEST = 32_768
"""Bytes of long words: where there are more, the answer is that it may be so."""

LINE = 1_024
"""Bytes before an option in which its command is looked for."""

MANY = 2_000
"""Where more places than this would have to be looked at, the answer is that it may be so."""

_LETTERS = bytearray(b" " * 256)
for _code in b"abcdefghijklmnopqrstuvwxyz0123456789_-":
    _LETTERS[_code] = 0x61

_SIGNS = bytearray(range(256))
_SIGN_BYTES = (b":", b"=", b">", b"\xef")
"""The last begins the wide colon and equals sign of Chinese."""
for _sign in _SIGN_BYTES:
    _SIGNS[_sign[0]] = 0x3D
_BETWEEN = b"\\\"'`]) \t0123456789"
"""What may stand between a word and its sign."""

_BLANKS = (b" ", b"\t", b"\r", b"\n", b"\f", b"\v", b"")
_ESCAPED_BLANKS = (b"n", b"r", b" ", b"f", b"u")
"""What follows the backslash of a blank, or of an escape that may be one; a tab is a blank by then."""

_ENDINGS = (b"word", b"wd", b"phrase", b"code", b"ation", b"_base")
_SIGNED = {
    **{word: (word + b"=",) for word in WORDS},
    b"pass": (b"pass=", b"password=", b"passwd=", b"passphrase=", b"passcode="),
    b"key": (b"key=", b"key_base="),
}
"""How a word stands before a sign, in what `_before_signs` gives."""

_SIGNLESS = {b"bearer": b"bearer", b"pass": b"password", b"authoriz": b"authorization"}
"""What a value may follow without a sign."""

_SHORTEST = {b"key": 8, b"token": 8, b"secret": 8, b"pass": 4, b"pwd": 4}
"""Bytes of the shortest value that `store.text.secret_values` takes for a secret."""

_CHINESE_BETWEEN = 34 + 3
"""Bytes after a pair: backslashes and a quote, four blanks, each as JSON escapes it; and the sign."""

_ESCAPE = 17
"""Bytes of the backslashes before the `u` of an escape, and of that."""

_FEW = 1_000
"""So many signs are looked at one by one; where there are more, words are looked for instead."""

_LARGE = 8_192
_BEFORE_SIGN = 40
_FEW_OPTIONS = 200


def may_hold(raw: bytes) -> bool:
    """Whether text or JSON may hold a secret or a private passage: False is certain, True is not."""
    low = raw.lower()
    if b"\\" in low and b"\\u" in low and any(escape in low for escape in ESCAPES):
        return True
    if not low.isascii() and _has_chinese(low):
        return True
    if b"identified" in low or any(rare in low and anchor in low for rare, anchor in RARE):
        return True
    return _has_tag(low) or _has_login(low) or _has_key(low) or _has_option(low) or _has_value(low)


def _has_chinese(low: bytes) -> bool:
    """Whether a Chinese word for a secret stands before a sign; half of it may be an escape."""
    if not any(anchor in low for anchor in CHINESE):
        return False
    for pair in CHINESE_PAIRS:
        places = _places(low, pair)
        if len(places) > MANY:
            return True
        for at in places:
            after = low[at + len(pair) : at + len(pair) + _CHINESE_BETWEEN]
            if any(sign in after for sign in CHINESE_SIGNS):
                return True
    if b"u53e3" + CHINESE[1] in low:
        return True
    escaped = [at for anchor in CHINESE for at in _places(low, anchor + b"\\")]
    return len(escaped) > MANY or any(
        low[at + 3 : at + 3 + _ESCAPE].lstrip(b"\\")[:1] == b"u" for at in escaped
    )


def _has_tag(low: bytes) -> bool:
    """Whether a private tag's name follows a "<" without a ">" between them."""
    if b"<" not in low:
        return False
    for anchor in TAGS:
        places = _places(low, anchor)
        if len(places) > MANY:
            return True
        for at in places:
            opened = low.rfind(b"<", 0, at)
            if opened >= 0 and b">" not in low[opened:at]:
                return True
    return False


def _has_login(low: bytes) -> bool:
    """Whether an "@" ends a word that holds "://", however JSON escapes it."""
    places = _places(low, b"@")
    if len(places) > MANY:
        return True
    for at in places:
        word = low[max(0, at - 1_200) : at].rsplit(None, 1)[-1:]
        if word and (b"://" in word[0] or b":\\/" in word[0]):
            return True
    return False


def _has_key(low: bytes) -> bool:
    """Whether a long word begins with, holds or follows what the keys of services begin with."""
    letters = low.translate(_LETTERS)
    words: list[bytes] = []
    windows: list[bytes] = []
    start = letters.find(b"a" * LONG)
    while start >= 0:
        end = letters.find(b" ", start)
        if end < 0:
            end = len(low)
        words.append(low[start:end])
        if low[start - 1 : start] == b"\\":
            # After an escape, as in \n and \u4e2d, the word may really begin only here.
            words += (low[start + 1 : end], low[start + 5 : end])
        windows.append(low[max(0, start - BEFORE) : end])
        if len(words) > MANY:
            return True
        start = letters.find(b"a" * LONG, end)
    if not words:
        return False
    joined = b" " + b" ".join(words)
    if len(joined) > LONGEST:
        return True
    if any(anchor in joined for anchor in INSIDE) or any(b" " + one in joined for one in STARTS):
        return True
    joined = b" ".join(windows)
    return any(anchor in joined for anchor in BESIDE)


def _has_option(low: bytes) -> bool:
    """Whether an option may be a password's: after a command that has one, or of `curl`."""
    places = _places(low, b"-", _FEW_OPTIONS)
    if len(places) > _FEW_OPTIONS:
        return any(one in low for one in (*COMMANDS, b"curl"))
    before = {low[max(0, at - LINE) : at] for at in places if low[at + 1 : at + 2] in (b"a", b"p")}
    if any(one in line for line in before for one in COMMANDS):
        return True
    return any(b"u" in low[at : at + 10] for at in places) and b"curl" in low


def _has_value(low: bytes) -> bool:
    """Whether a value follows one of the words, as in `password=…`, `"token": …`, `--api-key …`."""
    is_few = sum(map(low.count, _SIGN_BYTES)) <= _FEW
    # To look for each of them in a large text takes longer than to look at its few signs.
    is_large = is_few and len(low) > _LARGE
    present = WORDS if is_large else [word for word in WORDS if word in low]
    signed = _before_signs(low, is_few) if present else b""
    words = {word for word in present if any(form in signed for form in _SIGNED[word])}
    words.update(word for word in present if word in _SIGNLESS and _SIGNLESS[word] in low)
    if low.count(b"-") > 1:
        if b"private key" in low:
            words.add(b"key")
        if b"--" in low:
            flags = b" ".join({flag[:80] for flag in low.split(b"--")[1:]})
            words.update(word for word in present if word in flags)
    if b"\\" in low and b"\\uff" in low:
        words.update(present)
    for word in words:
        places = _places(low, word)
        if len(places) > MANY:
            return True
        for at in places:
            if _is_name(low, at, word):
                return True
    return False


def _before_signs(text: bytes, is_few: bool) -> bytes:
    """What stands before each sign, without what may stand between a word and it."""
    if is_few:
        ends = [at for sign in _SIGN_BYTES for at in _places(text, sign)]
        text = b"=".join([text[max(0, at - _BEFORE_SIGN) : at] for at in (*ends, len(text))]) + b"="
    told = text.translate(_SIGNS, _BETWEEN) + b"="
    if b"\\" in text and b"\\t" in text:
        # A tab that JSON has escaped; or a backslash before a word, so as it is, too.
        told += text.replace(b"\\t", b"").translate(_SIGNS, _BETWEEN) + b"="
    return told


def _is_name(low: bytes, at: int, word: bytes) -> bool:
    rest = low[at + len(word) : at + len(word) + 40]
    if at + len(word) + len(rest) == len(low) and not _without_ending(rest).strip(_BETWEEN):
        return False
    if rest[:1].isalpha() and not rest.startswith(_ENDINGS):
        return False
    before = low[max(0, at - 90) : at]
    if word == b"key":
        if before.endswith((b"api ", b"access ", b"secret ", b"private ")):
            return True
        if not before[-1:].isalnum() and before[-1:] not in (b"_", b"-"):
            return False
    stem = rest.replace(b"\\t", b" ")
    rest = _without_ending(stem)
    is_spaced = (
        word in (b"pwd", b"bearer") or rest != stem or b"--" in before[before.rfind(b" ") + 1 :]
    )
    rest = rest.lstrip(b"0123456789")
    if is_spaced and (rest[:1] in _BLANKS or rest.lstrip(b"\\")[:1] in _ESCAPED_BLANKS):
        return True
    rest = rest.lstrip(b"\\\"'`]) \t")
    if rest[:1] in (b":", b"=", b">") or rest.startswith(b"\xef\xbc"):
        return not _is_followed_by_little(low, at + len(word), _SHORTEST.get(word, 0))
    if not rest or rest.startswith(b"uff"):
        return True
    return word == b"authoriz" or (is_spaced and rest[:1] == b",")


def _without_ending(rest: bytes) -> bytes:
    for ending in _ENDINGS:
        rest = rest.removeprefix(ending)
    return rest


def _is_followed_by_little(low: bytes, at: int, shortest: int) -> bool:
    """Whether what follows the next sign is a value of fewer bytes; in doubt it is not."""
    end = len(low)
    while low[at : at + 1] not in _SIGN_BYTES:
        at += 1
    at += 3 if low[at] == 0xEF else 1
    if low[at : at + 1] in _SIGN_BYTES:
        return False
    while at < end and (low[at] in b" \t\r\n" or low.startswith(b"\\t", at)):
        at += 1 if low[at] != 0x5C else 2
    start = at
    while at < end and low[at] == 0x5C:
        at += 1
    quote = low[at : at + 1]
    if quote in (b'"', b"'", b"`"):
        close = low.find(quote, at + 1, at + 1 + 2 * shortest)
        quoted = low[at + 1 : max(at, close)]
        value = quoted.removesuffix(low[start:at])
        is_closed = close >= 0 and len(quoted) - len(value) == at - start
        return is_closed and b"\\" not in value and len(value) < shortest
    if at > start or quote == b"[" or not quote:
        return False
    for place in range(at, min(at + shortest, end)):
        if low[place] == 0x5C:
            return low[place + 1 : place + 2] in (b"n", b"r", b"t", b'"')
        if low[place] in b" \t\r\n\f\v\"'`;":
            return True
    return False


def _places(low: bytes, anchor: bytes, most: int = MANY) -> list[int]:
    """Where it stands; no more than one place beyond `most`."""
    found: list[int] = []
    at = low.find(anchor)
    while at >= 0 and len(found) <= most:
        found.append(at)
        at = low.find(anchor, at + 1)
    return found
