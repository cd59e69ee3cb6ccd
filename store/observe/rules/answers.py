"""What a user takes of what an agent offered: one of its options, one of two things, what it advised, or an
answer to one of its numbered questions."""

from __future__ import annotations

from functools import lru_cache

from ...text.language.blocks import sentences_of
from ...text.language.phrases import spoken_pattern
from ...text.language.same import gist
from ...text.language.scripts import size_of
from ...text.truncation import shortened
from .plain_speech import (
    ANY,
    CLAUSES,
    LONGEST,
    MOMENT_ASKED,
    SHORTEST,
    WANTED_NEXT,
    Choice,
    last_line,
    question_at_end,
)
from .questions import OPTION_TEXT, UserQuestion, names_taken, options_of

ASSENTS = spoken_pattern(
    r"^(?:(?:yes|yep|yeah|yup|ok(?:ay)?|sure|agreed?|perfect|great|good|nice|fine|please|(?:sounds"
    r"|looks) (?:good|great|fine|right)(?: to me)?|(?:good|great) idea|makes sense|i agree(?: with (?:you"
    r"|that|your (?:recommendation|suggestion|proposal)))?|go(?: ahead| for it)?|do (?:it|that|so|this)"
    r"|(?:let's|lets) (?:do (?:it|that|this)|go)|please do|thanks|and|then|好的?|可以|我?同意|就这样"
    r"|就这么(?:办|做|定)|就?按你说的(?:做|办)?|行|没问题|做吧|开始吧)[ ,.!，。！]*){1,6}$",
    ANY,
)
"""How a user takes what was advised, and says nothing else."""
ADVISES = spoken_pattern(
    r"(?:^|[,;:] )(?:so |then |overall,? )?(?:(?:i|we)(?:'d| would)? (?:recommend|suggest|propose|go with"
    r"|lean towards?)(?: that we| to| that(?= (?:you|the|it|all)\b))?\b(?! (?:that|this|it|with)\b)"
    r"|(?:my )?(?:recommendation|suggestion|preference)(?: is)?(?: to)?\b:?)|(?:^|[，,；] ?)我?(?:建议"
    r"|推荐|倾向于?)",
    ANY,
)
ASKS_CONSENT = spoken_pattern(
    r"[\s,.;:—–，。-]+(?:thoughts|ok(?:ay)?|sounds? good|agreed?|what do you think|right"
    r"|怎么样|可以吗|行吗|好吗)[?？]$",
    ANY,
)
GIT = spoken_pattern(
    r"^(?:commit|push|merge|rebase|pull request|pr|run|re-?run|test|check|look|read|start|wait|clear)(?:s"
    r"|ing)?\b|^先?(?:提交|推送|运行|检查|测试)",
    ANY,
)
"""What is advised for the moment."""
ADVISED = 1_200
"""Characters of a reply's end in which it advises."""
CHOOSE = spoken_pattern(
    r"\b(?:which|prefer|pick|choose|choices?|options?|approach(?:es)?|alternatives?|your (?:call"
    r"|preference)|what do you think|thoughts\?|favou?rite)\b|选|哪|方案|倾向",
    ANY,
)
"""How a choice is put."""
OFFERS = spoken_pattern(rf"[?？]|{CHOOSE.pattern}|\b(?:either|reply|do you|would you|goal)\b", ANY)
"""How somebody is asked, whatever for."""
OFFERED = 1_200
"""Characters of a reply's end in which it offers options."""
MENU = spoken_pattern(
    r"\bview details\b|\bany of (?:these|them|those|the)\b|\bwhich (?:ones|of (?:these|them|the)|items"
    r"|issues|comments|todos|tasks|findings)\b|\b(?:how|where|what|which)\b[^?？]{0,40}\b(?:proceed"
    r"|continue|start|tackle|fix|address)\b[^?？]{0,40}[?？]",
    ANY,
)
"""How a list of tasks is put, of which the next is picked."""
PASSES = spoken_pattern(
    r"^(?:commit|push|merge|rebase|open (?:a |the )?pr|wait|stop|continue|done|run|start|begin)\b"
    r"|\b(?:this|separate|new) session\b",
    ANY,
)
"""An option of what to do now."""
GOES_BACK = spoken_pattern(r"^(?:or|and)\b|^\d", ANY)
"""A question that only goes on from another one, or is an item of a list."""
AWAY = spoken_pattern(r"^/|[?？]")
"""A command, or a question of its own, which answers nothing."""
GENERIC = spoken_pattern(
    r"\b(?:which|what|would|should|shall|do|does|you|your|we|i|one|ones|of|these|those|them|it|this|that"
    r"|is|the|want|prefer|like|approach|option|way|choice|call|think|take|go|with|choose|pick|favou?rite"
    r"|use|direction|thoughts|preference|rather|any)\b|\d|[请你您想要倾向选择用采哪一种个方案]",
    ANY,
)
"""What every question about options says."""
MARK = spoken_pattern(r"[?？]")
EITHER = spoken_pattern(r"\S,? or\b|\bvs\b|\bversus\b|还是|或者?", ANY)
PICKING = spoken_pattern(
    r"^(?:(?:let's|lets|please|i(?:'d| would)?|do|use|take|go with|pick|choose|prefer|want|the|put|keep"
    r"|fold|make"
    r"|it|them|that|in|to|on)\b ?)+|^(?:就|那|用|选|还是|放|写|存|走)+|(?:吧|就行|就好|可以|好了)+$",
    ANY,
)
MOST_PICKED = 4
"""Words that name one of two things, at most."""


def one_of_two(said: str, before: str) -> Choice | None:
    """Return the choice between two things that the question at the end of a reply, or the line that it
    ends, sets against each other, where the first clause of an answer names one in its words."""
    question = question_at_end(before)
    put = question if EITHER.search(question) else last_line(before)
    is_moment = MOMENT_ASKED.search(question) or WANTED_NEXT.match(question) or AWAY.search(said)
    if not question or is_moment or ASSENTS.match(said) or not EITHER.search(put):
        return None
    picked, asked = gist(PICKING.sub("", CLAUSES.split(said)[0])), gist(put)
    is_few = 1 <= len(picked.words) + len(picked.pairs) <= MOST_PICKED
    is_one = is_few and picked.words <= asked.words and picked.pairs <= asked.pairs
    return (
        Choice(f"{put} → {said}", "B", 0.65, is_agreed=True) if is_one and size_of(put) <= LONGEST else None
    )


def numbered_answer(number: str, text: str, before: str) -> Choice | None:
    """Return the choice that an item of a prompt makes in answer to the question of a reply that has its
    number."""
    question = _numbered_questions(before).get(number, "")
    if not question or not UserQuestion(question, (), text).decides or text.endswith((":", "：")):
        return None
    question = question if len(question) <= LONGEST else shortened(question, OPTION_TEXT)
    return Choice(f"{question} {shortened(text, LONGEST)}", "B", 0.7, is_agreed=True)


@lru_cache(maxsize=1)
def _numbered_questions(reply: str) -> dict[str, str]:
    """Return the questions of a reply by their numbers, the last of each; read once for all answers."""
    return {
        item.number: item.text for item in sentences_of(reply) if item.number and MARK.search(item.text)
    }


def option_taken(text: str, before: str) -> Choice | None:
    """Return what a user takes of the options that a reply offers, by numbers, letters or places, where
    that outlasts the moment."""
    names = names_taken(text)
    options = options_of(before, names) if names else []
    end = before[-OFFERED:]
    if not options or not all(options) or any(PASSES.search(option) or "?" in option for option in options):
        return None
    is_offered = (OFFERS if len(names) == 1 else CHOOSE).search(end)
    if not is_offered or MENU.search(end):
        return None
    about = _subject(before)
    return Choice(
        f"{about} → {'; '.join(options)}" if about else "; ".join(options), "B", 0.75, is_agreed=True
    )


def _subject(reply: str) -> str:
    """Return the question at the end of a reply, or above its last list, that says what the options are
    about; "" for none."""
    asked = [sentence.heading for sentence in sentences_of(reply) if sentence.number][-1:]
    for text in (question_at_end(reply), *asked):
        question = text.rstrip(":：")
        is_moment = (
            MOMENT_ASKED.search(question) or WANTED_NEXT.match(question) or GOES_BACK.match(question)
        )
        if MARK.search(question) and not is_moment and size_of(question) <= LONGEST // 2:
            said = gist(GENERIC.sub(" ", question))
            if len(said.words) + len(said.pairs) // 2 >= 1:
                return question
    return ""


def advice_taken(text: str, before: str) -> Choice | None:
    """Return the one thing that a reply advises, where all that its user says is that it be so."""
    if not ASSENTS.match(text.strip()):
        return None
    said = (ASKS_CONSENT.sub("", sentence.text) for sentence in sentences_of(before[-ADVISED:]))
    advised = [text for text in said if ADVISES.search(text) and not text.rstrip().endswith(("?", "？"))]
    if len(advised) != 1 or size_of(advised[0]) > LONGEST:
        return None
    what = ADVISES.split(advised[0], 1)[-1].strip(" ,，:：").rstrip(" .。!！;；:：")
    if not what or GIT.match(what):
        return None
    # A name alone needs the verb before it.
    return Choice(what if size_of(what) >= SHORTEST else advised[0], "B", 0.65, is_agreed=True)
