"""Which decision a new one takes the place of: "from today 30 minutes", "make it five", 改为; where that
isn't certain, it is noted for the merge room, and a person decides.

Two sentences of one form that differ in what they are about both hold: "store invoices as PDF", "store
receipts as PDF"; of two that differ in the value alone the later holds. What is forbidden, liked or always
to be done is the subject itself: only the same with the opposite sign changes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from difflib import SequenceMatcher

from ...platform.errors import NotFoundError
from ...records.rows import Fact, Prompt, Session
from ...store import Store
from ...tables.base import read_object
from ...tables.fact_sources import PROPOSED
from ...text.language.phrases import CHINESE_CHANGED, CHINESE_FROM_NOW, spoken_pattern
from ...text.language.same import NUMBERS, Gist, gist
from ...text.language.scripts import has_unspaced
from ..rules.plain_speech import OF_IT, RETRACTS, REVISES

CHANGES = spoken_pattern(
    r"\b(?:from (?:now on|today|tomorrow)|as of (?:now|today)|starting (?:today|tomorrow)|instead|no longer"
    r"|any ?more|replac(?:e|es|ed|ing)|chang(?:e|ed|ing)|switch(?:ed|ing)?|mov(?:e|ed|ing) (?:to|behind"
    r"|from|off)|raise|lower|drop|increase|decrease|reduce|too (?:long|short|big|small|few|many|much|slow"
    r"|strict|low|high)|make (?:it|that|them)|go (?:up|down) to|bump|new (?:contract|rule|policy"
    r"|requirement|limit)|not .{1,40} but|back to|after all|on second thoughts?)\b"
    rf"|{CHINESE_CHANGED}|取消|[调降升减加]到|设[为成]",
    2,
)
"""The words in which somebody changes what was decided before."""
ADDS = spoken_pattern(r"\b(?:also|as well|too|both|in addition|besides)\b|也|还要|另外", 2)
ADDRESS = spoken_pattern(r"https?://\S+")
IN_PLACE = spoken_pattern(r"\b(?:it|that|them) to\b|\binstead\b|改[成为用]|换成", 2)
DENIES = spoken_pattern(
    r"\b(?:never|no|not|cannot|avoid|stop(?:ped)?|\w+n't)\b|不[要能准许再用得]|(?<![特类级区识])别|勿|禁止|绝不",
    2,
)
ENDED = spoken_pattern(r"\b(?:no longer|any ?more|stopped|against|^stop)\b|不[再用]", 2)
ALLOWED = spoken_pattern(r"\b(?:after all|again|(?:from )?now(?: on)?)\b|可以(?=.*了)|现在", 2)
"""That what was said doesn't hold, or isn't forbidden, any longer."""
OF_ANY_RULE = spoken_pattern(
    rf"{DENIES.pattern}|{ENDED.pattern}|{ALLOWED.pattern}|\b(?:always|please|ever|here|longer|you|we|i|our|the"
    r"|do|does|may|can|are|is|fine|ok(?:ay)?|allowed|us(?:e[ds]?|ing)|in this (?:project|repo))\b|我们|已经"
    rf"|{CHINESE_FROM_NOW}|永远|千万|可以|[要请用了]", 2
)  # fmt: skip
"""What a rule and its opposite need not have in common."""
NOW = spoken_pattern(r"\b(?:is|are) now\b|现在|改[成为用]|换成|设[为成]", 2)
"""How somebody says that a value is another one."""
VALUE = spoken_pattern(
    rf"(?<![A-Za-z_.\d-])\d(?:[\d.,:]*\d)?|\b(?:{'|'.join(NUMBERS)})\b|(?<![周期])[一二三四五六七八九十百千万两半]+",
    2,
)
"""A number in a sentence, as figures or words."""
PARTS = spoken_pattern(r"[,;，；]| but ", 2)
SEVERAL = spoken_pattern(r"\b(?:and|or|instead|rather|unless)\b|[和或、]|而不是|除非", 2)
PLACED = spoken_pattern(
    r"(?<!\bwe )\b(?:(?:has |was )?moved to|runs? on|lives? in|is hosted (?:on|in))\b", 2
)
ENDS = ("No longer: ", "不再：")
"""How it is told that something was taken back, in English and Chinese."""
LOOKED_AT = 60
"""So many of a project's newest facts are compared."""
SHARED, MOSTLY = 2, 0.5
"""Words, and the share of its words, that a decision has in common with what changes it."""
MANY_SHARED, LEAST_SHARE = 3, 0.3
"""Words, and the share of the shorter one, that two subjects have in common that are one."""
MAYBE_SHARED, MAYBE_SHARE = 2, 0.2
"""Likewise of two that may be one."""
READ = 600
"""Characters of a prompt that tell what it is about."""

TOKEN = spoken_pattern(r"[A-Za-z0-9_][\w./+#-]*|[^\W\da-zA-Z_]")
LASTING = spoken_pattern(
    rf"\b(?:from (?:now|here) on|going forward|(?:like|want|prefer) to)\b|{CHINESE_FROM_NOW}", 2
)
PASSED_OVER = frozenset("a an the all any our my your i we please always just and so but today".split())
TAKING = frozenset("use using prefer take choose pick want like adopt 用 选".split())
"""Verbs before the value, where what follows "in" or "for" is the subject."""
PLACING = frozenset("in on at under inside".split())
SCOPING = frozenset("for per when during within of before after 前 时".split())
BEING = frozenset("is are be was =".split())
SETTING = BEING.union("as with to into by via using every 为 成 是 到 至 用 在 定 设 改 调 回 叫".split())
"""What stands at most three words before a value."""
DOING = ("run", "test", "check", "add", "ask")
"""Verbs of what may be done in several places."""
OF_ALL = frozenset("repo repository project codebase ci production staging".split()).union(
    "我们喜欢习惯请都统一项目里必须要还是了吧就后端服务团队"
)
"""What names no attribute of which there is one value."""
UNITS = frozenset(
    "once twice ms second seconds minute minutes hour hours day days week weeks month months year years"
    " times kb mb gb 秒 分 钟 小 时 天 周 月 年 次 一 二 三 四 五 六 七 八 九 十 百 千 万 两 半".split()
)
FRAME, SAME_FRAME = 0.5, 0.6
"""The share of its words that a sentence has in common with another one of its form, and with one that
differs in the value alone."""


def completed(store: Store, session: Session, uid: str, change: str) -> str:
    """Return what holds after a change that the prompt with this uid makes: "make it nine", "forget that"
    with what was decided in the prompt before, others as they are where they change a decision. "" where
    it changes none."""
    prompts = [prompt.uid for prompt in store.prompts.standing(session)]
    at = store.record(uid).created_at
    known = [
        fact
        for fact in store.facts.list(project=session.project, limit=LOOKED_AT)
        if fact.kind != "S" and fact.created_at < at
    ]
    before = prompts[: prompts.index(uid)][-1:] if uid in prompts else []
    last = next((fact.content for fact in known if {*fact.evidence[:1]} & {*before}), "")
    if retracts := RETRACTS.match(change):
        if about := gist(retracts["about"] or "").words:
            last = next((fact.content for fact in known if about <= gist(fact.content).words), "")
        return f"{ENDS[has_unspaced(last)]}{last[:1].lower()}{last[1:]}" if last else ""
    if of_it := OF_IT.match(change):
        value = of_it["value"] or of_it["chinese"]
        return _with_value(last, value) or _with_value(_spoken_of(store, session, known, at), value)
    return change if any(of_two_subjects(fact.content, change) is False for fact in known) else ""


def _spoken_of(store: Store, session: Session, known: Sequence[Fact], at: int) -> str:
    """Return the decision of one number that is spoken of at a moment: the only one whose number the last
    reply names, else that of another session which is about the same; "" for none."""
    reply = store.observations.reply_before(session.id, at)
    named = {match[0].lower() for match in VALUE.finditer(reply)}
    numbers = ((fact, VALUE.findall(fact.content)) for fact in known if fact.superseded_by is None)
    valued = [(fact, found[0].lower()) for fact, found in numbers if len(found) == 1]
    meant = [fact for fact, number in valued if number in named]
    if len(meant) != 1:
        shares = [(_share_of_subject(store, session, fact), fact) for fact, _ in valued]
        best = max((share for share, _ in shares), default=0.0)
        meant = [fact for share, fact in shares if share == best >= LEAST_SHARE]
    return meant[0].content if len(meant) == 1 else ""


def _share_of_subject(store: Store, session: Session, fact: Fact) -> float:
    """Return the share of its words that the first prompt of a session has in common with that of another
    one in which a fact was stated; 0 where these are few."""
    asked = _prompt_of(store, fact)
    if asked is None or asked.session_id == session.id:
        return 0.0
    said, own = gist(_first_prompt(store, session.id)), gist(_first_prompt(store, asked.session_id))
    common = _shared(said, own)
    return common / max(1.0, min(said.size, own.size)) if common >= MAYBE_SHARED else 0.0


def _with_value(text: str, value: str) -> str:
    """Return a sentence with a new value in the place of its only number; "" where it hasn't just one."""
    numbers, given = [*VALUE.finditer(text)], VALUE.match(value)
    if len(numbers) != 1 or given is None:
        return ""
    begin, end = numbers[0].span()
    unit, rest = value[given.end() :].strip(), text[end:].lstrip()
    if not unit or rest.lower().startswith(unit.lower()):
        return text[:begin] + given[0] + text[end:]
    # With another unit: "30 seconds" becomes "2 minutes".
    word = TOKEN.match(rest)
    return f"{text[:begin]}{value}{rest[word.end() :] if word else ''}"


def supersede_changed(
    store: Store, session: Session, new: Fact, prompt: str, *, revises: bool = False
) -> list[Fact]:
    """Have a user's new decision supersede the older ones that it changes; return these. `revises` is
    whether it comes back on a question that was answered."""
    changes = CHANGES.search(prompt) is not None
    said = gist(prompt[:READ])
    stated = gist(new.content)
    subject = gist(ADDRESS.sub("", f"{prompt[:READ]}\n{_first_prompt(store, session.id)}"))
    is_change = CHANGES.search(new.content) is not None
    rivals: list[Fact] = []
    best: tuple[float, Fact] | None = None
    is_certain = False
    last: Fact | None = None
    for old in store.facts.list(project=new.project, limit=LOOKED_AT, is_current=True):
        if old.id == new.id or old.kind == "S" or old.created_at >= new.created_at:
            continue
        asked = _prompt_of(store, old)
        if asked is None:
            continue
        another = of_two_subjects(old.content, new.content)
        if another is False and not ADDS.search(prompt):
            rivals.append(old)
        if asked.session_id == session.id and (last is None or old.created_at > last.created_at):
            last = old
        if another is not None or not changes or asked.session_id == session.id or old.kind == "W":
            continue
        own = gist(old.content)
        if (common := _shared(said, own)) >= SHARED and common >= MOSTLY * own.size:
            # What says all that the older one does changes nothing in it, unless it says so.
            if _shared(stated, own) < own.size or IN_PLACE.search(new.content):
                rivals.append(old)
            continue
        other = gist(ADDRESS.sub("", f"{asked.text[:READ]}\n{_first_prompt(store, asked.session_id)}"))
        common = _shared(subject, other)
        share = common / max(1.0, min(subject.size, other.size))
        if common >= MAYBE_SHARED and share >= MAYBE_SHARE and (best is None or share > best[0]):
            best, is_certain = (share, old), is_change and common >= MANY_SHARED and share >= LEAST_SHARE
    comes_back = REVISES.match(prompt) and last and _shared(stated, gist(last.content)) >= SHARED
    if last is not None and (comes_back or (revises and PROPOSED in read_object(last.extra))):
        rivals = rivals or [last]
    if not rivals and best:
        if not is_certain:
            store.facts.note_may_replace(new, best[1])
            return []
        rivals = [best[1]]
    for old in rivals:
        store.facts.write_columns([old.id], {"superseded_by": new.uid})
    return rivals


def of_two_subjects(old: str, new: str) -> bool | None:
    """Return whether two sentences of one form differ in what they are about, so that both hold; False
    where only the value differs, None for sentences of other forms."""
    question, asks, _ = old.rpartition("? ")
    if new.lower() in (f"{end}{old}".lower() for end in ENDS):
        return False
    if _takes_back(old, new) or _is_restated(old, new) or (asks and new.startswith(question)):
        return False
    mine, theirs = _tokens(old), _tokens(new)
    pieces = SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes()
    common = sum(end - begin for name, begin, end, _, _ in pieces if name == "equal")
    share = common / max(1, min(len(mine), len(theirs)))
    changed = [piece for piece in pieces if piece[0] == "replace"]
    if common < SHARED or share < FRAME or not {*mine} & {*theirs} - _SIGNS or not changed:
        return None
    is_denied = DENIES.search(old) is not None
    is_same_frame = share >= SAME_FRAME and common >= FRAME * max(len(mine), len(theirs))
    if is_denied != (DENIES.search(new) is not None) or {"every", "each"} & ({*mine} ^ {*theirs}):
        return True
    verb_takes = bool(TAKING.intersection(mine)) or mine[0] in DOING
    for _, begin, end, first, last in changed:
        region = [token for token in mine[begin:end] if token not in _SIGNS]
        if all(map(_is_value, region)):
            continue
        sign = next((token for token in reversed(mine[:begin][-3:]) if token in _SIGNS), "")
        if (is_denied and is_same_frame) or any(map(_is_value, region)) or sign in SCOPING:
            return True
        if verb_takes if sign in PLACING else sign in TAKING and not _has_attribute(mine, begin, end):
            return True
        # "It is public" and "it is versioned" both hold; names are values.
        sides = (mine[begin:end], old), (theirs[first:last], new)
        if sign in BEING and any(all(it.isascii() and it in text for it in its) for its, text in sides):
            return True
        is_inner = begin != changed[-1][1] or not _SIGNS.isdisjoint(mine[end:])
        if not sign and (is_inner or (is_same_frame and mine[0] not in ("name", "call"))):
            return True
    return False if is_same_frame else None


def _takes_back(old: str, new: str) -> bool:
    """Return whether a part of a sentence denies an older one, or allows what that forbids."""
    whole, was_denied = _about(old), DENIES.search(old) is not None
    is_ended = (ALLOWED if was_denied else ENDED).search(new) and not SEVERAL.search(old)
    opposite = (part for part in PARTS.split(new) if was_denied != (DENIES.search(part) is not None))
    return any(own and (own == whole or (is_ended and own < whole)) for own in map(_about, opposite))


def _is_restated(old: str, new: str) -> bool:
    """Return whether a sentence says that a value is now another one than in an older one, of all that it
    speaks of: "ports are now 7100 and 7101"."""
    subject = _about(VALUE.sub(" ", NOW.sub(" ", new))) if NOW.search(new) and VALUE.search(old) else set()
    return bool(subject) and VALUE.search(new) is not None and subject <= _about(VALUE.sub(" ", old))


def _about(text: str) -> set[str]:
    """Return the words and pairs of characters of what a rule is about."""
    said = gist(OF_ANY_RULE.sub(" ", text))
    return {*said.words, *said.pairs, *({"without"} if "without" in text.lower() else ())}


def _has_attribute(words: list[str], begin: int, end: int) -> bool:
    """Return whether a sentence names what it takes the value between two places for: "for billing"."""
    if not words[begin - 1].isascii():
        before = [word for word in words[:begin] if not word.isascii() and word not in TAKING | OF_ALL]
        return before[-1:] not in (["前"], ["时"]) and bool(before or not OF_ALL.issuperset(words[end:]))
    sign = next((word for word in words[end:] if word in _SIGNS), "when")
    return sign not in ("before", "after", "when") and OF_ALL.isdisjoint(words[end:])


_SIGNS = TAKING | PLACING | SCOPING | SETTING


def _tokens(text: str) -> list[str]:
    words = TOKEN.findall(PLACED.sub("runs on", LASTING.sub("", text.lower())))
    return [word for word in words if word not in PASSED_OVER]


def _is_value(token: str) -> bool:
    return token in NUMBERS or token[0].isdigit() or token in UNITS


def _shared(item: Gist, other: Gist) -> float:
    """Return how many words two texts have in common; of scripts without spaces two characters are one."""
    return len(item.words & other.words) + len(item.pairs & other.pairs)


def _first_prompt(store: Store, session: int) -> str:
    prompts = store.prompts.standing(store.sessions.get(session))
    return prompts[0].text[:READ] if prompts else ""


def _prompt_of(store: Store, fact: Fact) -> Prompt | None:
    """Return the prompt in which a fact was stated first."""
    for uid in fact.evidence[:1]:
        with suppress(NotFoundError):
            record = store.record(uid)
            return record if isinstance(record, Prompt) else None
    return None
