"""What of a prompt is the user's own words: not what was pasted into it, nor what a program wrote.

People paste logs, code, plans, reviews and whole documents, mostly without a fence. What can't be told
from them is left out: a word that is missed costs less than a stranger's word that is held the user's.
"""

from __future__ import annotations

import re

from ...text.language.phrases import CHINESE_NOUNS, spoken_pattern

LONGEST = 4_000
"""Nobody types more characters than this: what is longer is a document."""

PROGRAMS = spoken_pattern(
    r"\s*(?:---\s*\n|You are (?:an? |the )|Base directory for this skill|# AGENTS\.md|Caveat: "
    r"|This session is being continued|\[Request interrupted|你是一[个名位])",
    re.IGNORECASE,
)
"""How prompts begin that a program or a template made."""

OPENING = spoken_pattern(r"<([A-Za-z][\w.:-]*)(?:\s[^<>\n]{0,400})?>")
COMMENT = spoken_pattern(r"<!--.*?(?:-->|\Z)", re.DOTALL)
FENCE = spoken_pattern(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
REPORT = spoken_pattern(r"^(?:critical|high|medium|low) severity[ \t]*$", re.MULTILINE | re.IGNORECASE)
"""A line of a reviewing program's report."""
DOCUMENT = spoken_pattern(r"^[ \t]{0,3}(?:#{1,6}[ \t]+\S|[-=_*]{3,}[ \t]*$|diff --git )", re.MULTILINE)
"""Where a document begins: its title, a ruler, a patch."""

LEADS_TO_PASTED = spoken_pattern(
    r"(?:\b(?:following|below|comments?|feedback|review(?:er)?|output|logs?|errors?|warnings?|traceback"
    r"|says?|said|saw|see|seeing|gives?|got|gets|getting|shows?|wrote|replied|answered|messages?|issue"
    r"|ticket|e?mail|readme|docs?|prompt|plan|response|answer|description|article|example|snippet|text|this"
    r"|summary|transcript|findings?|analysis|report|result|results|it|here|code|spec|copy|blurb)|以下|如下"
    r"|下面|报错|日志|输出|内容|评审|意见|提示|文档|原文|回复|结果|示例|代码)[^:：\n]{0,40}[:：][ \t]*$",
    re.IGNORECASE,
)
OWN_LIST = spoken_pattern(
    r"\b(?:rules?|conventions?|preferences?|guidelines?|decisions?|decided|standards?|remember|always|never"
    rf"|keep in mind|from now on)\b|规则|规范|偏好|{CHINESE_NOUNS}|记住|以后",
    re.IGNORECASE,
)
"""What leads to a list of the user's own."""

FOREIGN_LINE = spoken_pattern(
    r"^(?:\t| {4,}(?![-*+•\d])|[+>|│╭╰┌└├⏺⎿❯●✓✔✗✘×⚠$%]|@@|\[[\d:/. ]{5,}|\d{4}-\d\d-\d\d[T ]|\d\d:\d\d:\d\d"
    r"|(?:DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|TRACE)\b|\s*at \S+\s?\(|\s*File \"|[\w./\\-]+:\d+(?::\d+)?:"
    r"|\w+(?:Error|Exception|Warning)\b|\s*--- (?:FAIL|PASS|SKIP)\b|=== [A-Z]+\b|(?:FAIL(?:ED)?|PASS(?:ED)?"
    r"|ok) +\S+[/.:]|(?:FAIL|ok|PASS)(?:[ \t]{2,}|$)|Traceback \(|Caused by:|panic: |goroutine \d"
    r"|thread '.{1,40}' panicked|(?:npm|yarn|pnpm) (?i:warn|err!|error|notice)\b|(?:error"
    r"|warning)(?:\[\w+\])?: |\s*= (?:note|help): |note: run with|[-*] \[[ xX]\] |commit [0-9a-f]{7,40}$"
    r"|Author: |make(?:\[\d+\])?: \*\*\*|\d+ (?:passed|failed|passing|failing)\b|(?:Tests"
    r"|Test Suites):? +\d)"
)
"""A line of a log, of code, of a terminal's or an agent's picture."""
GOES_ON = spoken_pattern(r"[>+|│$%-]|@@| {4}|\t|[●•]")
"""How a line begins after which people go on in their own words: a quotation, a bullet."""

SHELL = spoken_pattern(r"^(?:[➜❯] +|\$ (?=\S)|PS [A-Z]:\\|[\w.-]+@[\w.-]+(?::|\s)[^\n]{0,80}[$#%] )")
"""A line of a terminal: where a prompt begins with one, what follows is what was printed."""

MOST_BOLD = 3
"""People who type emphasise little; a text with more bold words was written by a program."""
BOLD = spoken_pattern(r"\*\*\S.*?\*\*")


def own_words(prompt: str) -> str:
    """Return what of a prompt its user typed, "" where that can't be told."""
    if PROGRAMS.match(prompt) or REPORT.search(prompt):
        return ""
    text = _untagged(COMMENT.sub("\n", FENCE.sub("\n", prompt[: 10 * LONGEST])))
    if begin := DOCUMENT.search(text):
        text = text[: begin.start()]
    if len(BOLD.findall(text)) >= MOST_BOLD:
        return ""
    kept: list[str] = []
    if SHELL.match(text.lstrip()):
        return ""
    is_foreign = False
    for line in text.splitlines():
        if LEADS_TO_PASTED.search(line) and not OWN_LIST.search(line):
            break
        # What follows a line of a log without a gap is of the log.
        is_foreign = bool(line.strip()) and is_foreign
        if FOREIGN_LINE.match(line):
            is_foreign = is_foreign or not GOES_ON.match(line)
            line = ""
        kept.append("" if is_foreign else line)
    result = "\n".join(kept).strip()
    return result if len(result) <= LONGEST else ""


def is_pasted(prompt: str) -> bool:
    """Return whether a prompt is what was pasted into it, but for what leads to that."""
    lines = [line for line in prompt.splitlines() if line.strip()]
    if len(lines) < 2:
        return False
    led = bool(LEADS_TO_PASTED.search(lines[0])) and not OWN_LIST.search(lines[0])
    is_foreign = bool(SHELL.match(lines[0]) or FOREIGN_LINE.match(lines[0]))
    return (led or is_foreign) and not own_words(prompt)


def _untagged(text: str) -> str:
    """Return a text without what stands between tags, and without all from a line on that begins with a
    tag which is never closed. Linear, whatever tags there are."""
    kept: list[str] = []
    place = 0
    last: dict[str, int] = {}
    for match in OPENING.finditer(text):
        if match.start() < place:
            continue
        closing = f"</{match[1]}>"
        if closing not in last:
            last[closing] = text.rfind(closing)
        if last[closing] >= match.end():
            kept.append(text[place : match.start()])
            place = text.index(closing, match.end()) + len(closing)
        elif not text[text.rfind("\n", 0, match.start()) + 1 : match.start()].strip():
            return "\n".join((*kept, text[place : match.start()]))
    return "\n".join((*kept, text[place:]))
