"""Looking for the secrets of a text: as it is written, and as it reads where something is encoded."""

from __future__ import annotations

from .credential_patterns import KIND, RULED
from .pattern_parts import PLACEHOLDERS, SecretPattern, compiled, is_in_words, is_solid, mark
from .patterns import EVIDENT, Look
from .views import Span, View, joined, views_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable


MARK = rf"\[redacted [a-z0-9-]+ [0-9a-f]{{6}}\]|[{PLACEHOLDERS}]"
_PLACEHOLDER = f"[{PLACEHOLDERS}]"
_FIRST, _LAST = ord(PLACEHOLDERS[0]), ord(PLACEHOLDERS[-1])
_PLANE = PLACEHOLDERS[0].encode()[:1]
"""The first byte of each placeholder."""

_PASSES = 4
"""What one pattern takes out may lay bare what another finds; more than two passes are hardly ever made."""

ROUNDS = 3
"""Views of views that are looked at."""

DISTINCT = 2
"""Of fewer different characters a key does not end: somebody wrote x in place of one."""

FAR = (b"-----BEGIN", b"b3blbnnzac1rzxktdje", b"private-lines:", b"kty", *RULED)
"""Of which one stands in each secret with lines farther from each other than `REACH`, but for those of
Kubernetes, which `KIND` is in."""

REACH = 400
"""Characters, but for blanks, that stand at most on the lines between the first and the last of any other
kind, unless all that is there may belong to a broken word."""

_BROKEN_WORDS = r"[\w+/=.~%:$\-\s\"',\\)\x1b\[;\x80-\U0010ffff]*+\Z"

SPARSE = 32
"""Characters of a text for each place of a literal, at least, for a look at each place to be worth it."""

_LONGEST_LIST = 200
_LONGEST_ITEM = 512


def without_secrets(text: str, look: Look | None = None) -> str:
    """`text`, of which there may be a look, with a mark for each secret."""
    look = look or Look(text)
    # Half of what is encoded or broken off would be taken for all of it, so that comes first.
    hidden, goes_on = _hidden(text, look)
    shown = _replaced(text, hidden)
    patterns = (Look(shown) if hidden else look).possible_patterns()
    shown = _redacted(shown, patterns) if patterns else shown
    for view in joined(shown) if goes_on else ():
        shown = _replaced(shown, _in_view(view))
    return shown


def may_reach_far(text: str, look: Look) -> bool:
    """Whether a text may hold a part of a secret that goes on farther than `REACH`."""
    if look.holds(b"kind") and compiled(KIND).search(text):
        return True
    return any(map(look.holds, FAR))


def may_be_broken(text: str) -> bool:
    """Whether all of a text may stand amid a word that is broken into lines or items."""
    return compiled(_BROKEN_WORDS).match(text) is not None


def strip_evident(text: str) -> str:
    """`text` with a mark for each secret whose service gives it a form of its own, as it is written."""
    patterns = [one for one in Look(text, is_evident=True).possible_patterns() if one in EVIDENT]
    return _redacted(text, patterns) if patterns else text


def without_listed_secrets(items: list[object]) -> None:
    """Replace each item of a list that is a secret, or a part of one, only together with the others."""
    words = [item for item in items if isinstance(item, str)]
    if not 1 < len(words) == len(items) <= _LONGEST_LIST or max(map(len, words)) > _LONGEST_ITEM:
        return
    # Most lists hold nothing, which one look at all ways to join them shows.
    joins = [before + between.join(words) + before for before, between, _ in _LISTS]
    possible = Look("\n\n".join(joins)).possible_patterns()
    for before, between, is_wanted in _LISTS if possible else ():
        words = [str(item) for item in items]
        text = before + between.join(words) + before
        starts = [len(before)]
        for word in words:
            starts.append(starts[-1] + len(word) + len(between))
        for start, end, content in _seen(text, list(filter(is_wanted, possible))):
            inside = [
                number
                for number, at in enumerate(starts[:-1])
                if at < end and start < at + len(words[number])
            ]
            if between == " " and len(inside) > 1 and "seed" not in content:
                continue
            if not between and not (len(inside) > 1 and _goes_on(text[starts[inside[-1]] : end])):
                continue
            for number in inside:
                word, at = words[number], starts[number]
                items[number] = word[: max(0, start - at)] + content + word[max(0, end - at) :]


def _goes_on(text: str) -> bool:
    """Whether the last part of a broken key looks like one."""
    return any(map(str.isdigit, text))


def _hidden(text: str, look: Look, depth: int = 0) -> tuple[list[Span], bool]:
    """The secrets that show only in a view of a text, and whether what may be another goes on in the next
    line, where it looks like a word."""
    results: list[Span] = []
    goes_on = False
    for view in views_of(text, look, is_outermost=not depth) if depth < ROUNDS else ():
        spans = _in_view(view, depth)
        if view.broken:
            whole = [span for span in spans if _is_whole(text, span)]
            goes_on = len(whole) < len(spans)
            spans = whole
        results += spans
    return results, goes_on


def _in_view(view: View, depth: int = 0) -> list[Span]:
    """The secrets of a view by their places in its text; the whole view is looked at where they may be."""

    def found(text: str) -> list[Span]:
        look = Look(text)
        if view.is_wanted:
            return _seen(text, list(filter(view.is_wanted, look.possible_patterns())))
        return _seen(text, look.possible_patterns()) + _hidden(text, look, depth + 1)[0]

    near = view.near()
    return view.mapped(found(view.text)) if near and found(near) else []


def _is_whole(text: str, span: Span) -> bool:
    """Whether what goes on in the next line looks like the rest of a key, not like another word."""
    start, end, _ = span
    *_, tail = compiled(r"[\s\"',\\]").split(text[start:end])
    return _goes_on(tail) and text[end : end + 1] not in ("=", ":", "(")


def _seen(text: str, patterns: list[SecretPattern]) -> list[Span]:
    """The secrets of a text, of these kinds."""
    if not patterns:
        return []
    placeholders = _Placeholders()
    shown = _substituted(text, patterns, placeholders)
    if not placeholders:
        return []
    results: list[Span] = []
    at = last = 0
    for match in compiled(_PLACEHOLDER).finditer(shown):
        at += match.start() - last
        last = match.end()
        content, width, is_new = placeholders.told(match[0])
        if is_new:
            results.append((at, at + width, content))
        at += width
    return results


_NEVER_DOUBTED = frozenset("sentry-dsn signed-url url-token registry-auth netrc-password".split())

_LISTS: tuple[tuple[str, str, Callable[[SecretPattern], bool]], ...] = (
    ("", " ", is_in_words),
    ("", "", is_solid),
    ('"', '", "', lambda pattern: pattern.name == "listed-secret"),
)
"""How the items of a list are joined, and what is looked for then."""


def _replaced(text: str, spans: list[Span]) -> str:
    """A text with marks in place of these parts of it; those that overlap become one."""
    if not spans:
        return text
    parts: list[str] = []
    at = 0
    for start, end, content in sorted(spans, key=lambda span: (span[0], -span[1])):
        if start >= at:
            parts += (text[at:start], content)
        at = max(at, end)
    parts.append(text[at:])
    return "".join(parts)


def _redacted(text: str, patterns: Iterable[SecretPattern]) -> str:
    placeholders = _Placeholders()
    text = _substituted(text, patterns, placeholders)
    if not placeholders:
        return text
    return compiled(_PLACEHOLDER).sub(lambda match: placeholders.told(match[0])[0], text)


def _substituted(text: str, patterns: Iterable[SecretPattern], placeholders: _Placeholders) -> str:
    """A text with a placeholder for each of its marks and each secret."""
    if "[redacted " in text or _PLANE in text.encode(errors="surrogatepass"):
        text = compiled(MARK).sub(lambda match: placeholders.keep(match[0]), text)
    patterns = list(patterns)
    places = _Places(text)
    unchanged = 0
    for pattern in patterns * _PASSES:
        known = len(placeholders)
        if known or pattern.anchors:
            text = places.substituted(pattern, placeholders)
        if text != places.text:
            places = _Places(text)
        # Each has to see what the others left: after a change all are asked once more, and no more.
        unchanged = unchanged + 1 if len(placeholders) == known else 0
        if unchanged == len(patterns):
            break
    return text


class _Places:
    """A text, and where literals stand in it: a pattern that begins near one is tried nowhere else."""

    def __init__(self, text: str) -> None:
        self.text = text
        low = text.lower()
        # Where a letter has become two, its places are not those of the text.
        self._low = low if len(low) == len(text) else None
        self._known: dict[bytes, list[int]] = {}

    def substituted(self, pattern: SecretPattern, placeholders: _Placeholders) -> str:
        """The text with a placeholder for each secret that a pattern finds."""
        places = None if pattern.reach is None else self._near(pattern)
        expression = compiled(pattern.pattern)
        # Most match nowhere.
        if places == [] or (places is None and not expression.search(self.text)):
            return self.text
        put = placeholders.replacing(pattern)
        if places is None:
            return expression.sub(put, self.text)
        find = expression.search if pattern.reach else expression.match
        reach = pattern.reach or 0
        parts: list[str] = []
        done = 0
        for place in places:
            match = None
            while place >= done:
                start = max(done, place - reach)
                match = find(self.text, start, place + reach) if reach else find(self.text, place)
                if not match or match.start() > place:
                    break
                parts += self.text[done : match.start()], put(match)
                done = match.end()
        return "".join((*parts, self.text[done:])) if parts else self.text

    def _near(self, pattern: SecretPattern) -> list[int] | None:
        """Where one of the literals stands that a match begins near, in order; None where that can't be
        told, or is as good as anywhere."""
        if self._low is None:
            return None
        places: set[int] = set()
        for literal in pattern.starts or pattern.anchors:
            if literal not in self._known:
                self._known[literal] = _all_places(self._low, literal.decode())
            places.update(self._known[literal])
        if len(places) * max(SPARSE, 2 * (pattern.reach or 0)) > len(self.text):
            return None
        return sorted(places)


def _all_places(text: str, literal: str) -> list[int]:
    """Where a literal stands in a text."""
    places: list[int] = []
    place = text.find(literal)
    while place >= 0:
        places.append(place)
        place = text.find(literal, place + 1)
    return places


class _Placeholders:
    """The marks of a text, each standing in it as one character that no pattern matches."""

    def __init__(self) -> None:
        self._marks: list[tuple[str, int, bool]] = []

    def __len__(self) -> int:
        return len(self._marks)

    def told(self, placeholder: str) -> tuple[str, int, bool]:
        """The mark it stands for, the characters in whose place it stands, and whether they are a secret
        that was no mark before."""
        return self._marks[ord(placeholder) - _FIRST]

    def keep(self, old: str) -> str:
        """The character that stands for a mark which was there before."""
        return self._add(old, len(old), False)

    def replacing(self, pattern: SecretPattern) -> Callable[[re.Match[str]], str]:
        """What becomes of each match of a pattern."""
        from .values import is_ordinary, looks_like_secret, looks_like_told_secret

        # The same few values tend to come again and again.
        known: dict[tuple[str, str | None, str], str | None] = {}

        doubted: dict[tuple[str, str, str, str], bool] = {}
        looks_random = is_solid(pattern)
        is_doubted = (pattern.judged or pattern.told) and pattern.name not in _NEVER_DOUBTED

        def put(secret: str, group: str | None, follower: str) -> str | None:
            if looks_random and len(set(secret[-16:].lower())) < DISTINCT:
                return None
            if pattern.told and not looks_like_told_secret(
                secret,
                password=pattern.password,
                quoted=group in ("secret", "between"),
                follower=follower,
            ):
                return None
            if pattern.judged and not looks_like_secret(
                secret, password=pattern.password, quoted=group == "secret", follower=follower
            ):
                return None
            return self._add(mark(pattern.name, secret), self._width(secret), True)

        def replaced_each(match: re.Match[str]) -> str:
            line = match.string[match.string.rfind("\n", 0, match.start()) + 1 : match.start()]
            column = sum(map(line.count, pattern.columns))
            return compiled(pattern.each.replace("COLUMN", str(column))).sub(replaced, match[0])

        def replaced(match: re.Match[str]) -> str:
            group = match.lastgroup
            whole, secret = match[0], match[group or 0]
            start, end = match.span(group or 0)
            follower = match.string[end : end + 1]
            what = (secret, group, follower)
            if is_doubted:
                quote = (match.groupdict().get("quote") or "") if group != "plain" else ""
                beside = (match.string[max(0, match.start() - 60) : start], secret, quote, follower)
                if beside not in doubted:
                    doubted[beside] = is_ordinary(pattern.name, *beside)
                if doubted[beside]:
                    return whole
            if what not in known:
                known[what] = put(*what)
            result = known[what]
            if result is None:
                return whole
            return whole[: start - match.start()] + result + whole[end - match.start() :]

        return replaced_each if pattern.each else replaced

    def _add(self, told: str, width: int, is_new: bool) -> str:
        if _FIRST + len(self._marks) > _LAST:
            return told
        self._marks.append((told, width, is_new))
        return chr(_FIRST + len(self._marks) - 1)

    def _width(self, secret: str) -> int:
        if secret.isascii():
            return len(secret)
        return sum(
            self.told(text)[1] if _FIRST <= ord(text) < _FIRST + len(self._marks) else 1 for text in secret
        )
