"""Words that tell nothing of what a text is about, in English and Chinese; and what the forms of an English
word have in common, so that texts can be compared: "moved", "moves" and "moving" are one word, and so are
"docs" and "documentation". That is no word of the index, whose stems are SQLite's.

Next to nothing is imported: a hook's process waits for it.
"""

from __future__ import annotations

from ..late_pattern import late_pattern

STOP_WORDS = frozenset(
    "a about above after again against ain all also am an and any are aren as at be because been "
    "before being below between both but by can could couldn d did didn do does doesn doing don down "
    "during each few for from further had hadn has hasn have haven having he her here hers herself "
    "him himself his how i if in into is isn it its itself just ll m ma me mightn more most mustn my "
    "myself needn no nor not now o of off on once only or other our ours ourselves out over own re s "
    "same shan she should shouldn so some such t than that the their theirs them themselves then "
    "there these they this those through to too under until up us ve very was wasn we were weren what "
    "when where which while who whom whose why will with won would wouldn y you your yours yourself "
    "yourselves "
    "什么 怎么 怎样 如何 为何 哪些 哪里 哪个 哪儿 是否 多少 几个 我们 你们 他们 这个 那个 这些 那些 可以 "
    "一个 没有 为什 么样 的是 了吗 是什 是谁 吗 呢 的 了 是 在 和 与 也 就 都 而 及".split()
)

CHATTER = frozenset(
    "yes yeah yep ok okay no nope sure please thanks thank thx great good nice perfect fine cool well "
    "go continue proceed next start stop resume again wait let lets see look try make do get use "
    "want need like think know say tell show give put take help keep run work works working done now "
    "still back first last new old also maybe really actually just thing things something anything "
    "everything stuff way lot bit one two three yes right wrong correct true false hi hello hey "
    "file files code change changes changed fix fixed add added update updated check test tests problem "
    "commit push pr merge branch main master origin draft pull rebase repo git agent looks ahead user "
    "issue error bug question answer explain write read create remove delete "
    "继续 好的 可以 谢谢 下一 一步 是的 对的 没错 请继 开始 停止 再来 来吧 看看 试试 帮我 我想 需要 应该 "
    "现在 然后 还是 已经 问题 代码 文件 修改 添加 检查 测试 运行 一下 下吧 一些 这样 那样 不要 不是 还有 "
    "就行 行了 好了 做吧 做完 完成".split()
)
"""Words that prompts are full of, and that tell nothing of what they are about."""

GENERIC = frozenset(
    "service decided decide decision decisions conclusion done "
    "completed complete successfully finished new now also just please still already yet currently "
    "us let lets okay ok one ones way etc".split()
)
"""Words in which two sentences may differ and say the same."""
STEP_WORDS = frozenset(
    "need needs needed want wants remaining todo step steps run ran running make made sure change changes "
    "changed code work everything youll ill consider may recommend suggest ready add added update updated "
    "implement implemented create created write wrote written use used next must might up".split()
)
"""Words of steps that tell nothing of what is to be done."""


WORDS = (
    "为什么 為什麼 为甚么 為甚麼 什么时候 什麼時候 什么样 什麼樣 什么 什麼 甚么 甚麼 "
    "怎么样 怎麼樣 怎么办 怎麼辦 怎么 怎麼 怎样 怎樣 如何 为何 為何 何时 何時 何处 何處 "
    "何地 何人 何种 何種 哪一些 哪一个 哪一個 哪一 哪些 哪里 哪裡 哪裏 哪个 哪個 哪几 "
    "哪幾 哪儿 哪兒 哪种 哪種 谁 誰 第几 第幾 几个 幾個 几次 幾次 几种 幾種 多少 多久 "
    "是不是 有没有 有沒有 能不能 会不会 會不會 可不可以 可以 是否 我们 我們 你们 你們 "
    "他们 他們 她们 她們 它们 它們 咱们 咱們 这个 這個 那个 那個 这些 這些 那些 这里 這裡 "
    "那里 那裡 这样 這樣 那样 那樣 一个 一個 吗 嗎 呢 哪(?!吒) "
    "(?<![目标標])的(?![确確士]) (?<![为為])了(?![解结結断斷]) "
    "(?<![还還但于於可总總只国國就凡])是(?![非])"
).split()
FUNCTION_WORDS = late_pattern("|".join(sorted(WORDS, key=len, reverse=True)))


def without_function_words(text: str) -> str:
    """Return a text with a blank in place of each of these words."""
    return text if text.isascii() else FUNCTION_WORDS.sub(" ", text)


ENDINGS = {
    "s": ("ations", "ings", "ies", "es", "s"), "n": ("ation",), "g": ("ing",), "d": ("ied", "ed", "d"),
    "e": ("e",),
}  # fmt: skip
"""By their last letters, the longest first."""
OF_VERBS = ("ation", "ations", "ed", "ing", "e", "es")
"""Endings before which an "at" is no part of the stem: "migrate", "migration"."""
SHORTEST_STEM = 3
"""Letters of a stem, at least."""
IRREGULAR = {
    "using": "use", "written": "write", "wrote": "write", "built": "build", "found": "find", "made": "make",
    "ran": "run", "chose": "choose", "chosen": "choose", "kept": "keep", "sent": "send", "left": "leave",
}  # fmt: skip
SYNONYMS = {
    "auth": "authentic", "conf": "configur", "cfg": "configur", "config": "configur", "dbs": "db",
    "databas": "db", "dir": "director", "deployment": "deploy",
    "doc": "document", "env": "environment", "repo": "repositor",
    "modif": "chang", "repair": "fix", "implement": "add", "creat": "add",
    "introduc": "add", "switch": "mov", "migr": "mov", "shift": "mov", "reloc": "mov", "adopt": "use",
    "pr": "pullrequest", "mr": "pullrequest",
}  # fmt: skip
"""Stems of words that say the same as another one, with the other's."""


def stem(word: str) -> str:
    """Return the stem of a word in lower case, or of another one that says the same; a word with a digit
    or a sign in it is its own."""
    if not (word.isascii() and word.isalpha()):
        return word
    result = _stem(IRREGULAR.get(word, word))
    return SYNONYMS.get(result, result)


def _stem(word: str) -> str:
    if len(word) <= SHORTEST_STEM:
        return word
    for ending in ENDINGS.get(word[-1], ()):
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST_STEM:
            word = word[: -len(ending)]
            if ending in OF_VERBS and word.endswith("at") and len(word) > SHORTEST_STEM + 2:
                word = word[:-2]
            break
    if len(word) > SHORTEST_STEM and word[-1] == "y" and word[-2] not in "aeiou":
        # "retry" and "retries".
        return word[:-1]
    # "committed" and "commit", "running" and "run".
    return word[:-1] if len(word) > SHORTEST_STEM and word[-1] == word[-2] else word
