"""Taking out what is a secret by where it comes from: a file of settings, a command, a question.

In a report of a tool's use it shows in what the tool was given; in a text, in the line above.
"""

from __future__ import annotations

from . import sources
from .pattern_parts import FEEDS, PIPE, PROMPTS, SETTINGS, compiled
from .search import mark
from .value_shapes import LITERALS, is_masked, is_number, is_place, is_words, stands_in
from .values import looks_like_told_secret

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator

COMMANDS = ("command", "command_line", "commandLine", "cmd", "script", "CommandLine")
PATHS = (
    "file_path", "filePath", "filepath", "path", "paths", "files", "absolute_path", "target_file", "uri",
    "filename", "relative_workspace_path", "AbsolutePath", "TargetFile", "file",
)  # fmt: skip
QUESTIONS = ("question", "message", "prompt", "title", "header")
GIVEN = ("tool_input", "toolArgs", "tool_info", "input", "edits", "command")
ANSWERS = (
    "tool_response", "tool_output", "tool_result", "toolResult", "output", "result", "response",
    "result_json", "content", "stdout", "error", "error_message",
)  # fmt: skip
_ABOUT = frozenset(
    "type status role kind name id filePath file_path path mimeType mime_type title description "
    "cwd directory "
    "tool_name tool_use_id hook_event_name transcript_path label header question "
    "resultType result_type".split()
)
"""Keys beneath which nothing is an answer."""
_NO_SECRET = (
    r"(?i:name|arn|.*[_ ]?id|version.*|created.*|updated.*|.*date|.*time|type|kind|urls?|.*path"
    r"|tags?|.*stages?|"
    r"lease.*|renewable|expires?.*|user(?:name)?|login|email|e-mail|account|region|subscription|tenant"
    r"|token.type|exit.code|directory|error|status|title|category|class|label|labels|description|process.*"
    r"|warning|note|command|recommended.*|destroyed|deletion.*|content.?type|enabled|accessor|policies)$"
)
SHORT_WORD = 12
"""Letters of the longest word that may be the value of a setting and no secret."""

_SETTING = (
    r"(?<![\w$%.{])(?P<name>[A-Za-z_][\w.-]{0,100}+)[ \t]{0,4}=[ \t]{0,4}\\{0,4}"
    r"(?:(?P<quote>[\"'`])(?P<quoted>(?:\\.|(?!\\{0,4}(?P=quote))[\s\S]){1,8192}+)\\{0,4}(?P=quote)"
    r"|(?P<plain>(?![\"'`\\\s#])(?:(?!\\{1,4}[nr]|[\"'`]\s*+(?:[,}\]>|;&]|\Z)|[ \t]#)[^\r\n]){1,8192}))"
)
_LINE = r"(?:(?!\\{1,4}[nr])[^\r\n])+"
_MARKED = r"\[redacted [a-z0-9-]+ [0-9a-f]{6}\]"
_PAIR = (
    r"\A(?P<before>[\s{\[,\"'\\|*$-]*(?P<name>[A-Za-z_][\w .@/-]{0,60}?)"
    r"[\"'\\]{0,5}(?:[ \t]*[:=|][ \t]*|[ \t]{2,}|\t))"
    r"\\{0,4}[\"']?(?P<value>[^\s\"'][^\r\n]*?)(?P<after>[\"'\\]{0,5}[\s,}\]|]*)\Z"
)
_BLOCK = (
    r"(?P<told>(?:\.env\b|\.dev\.vars)[^\n]{0,200})(?P<lines>(?:\n"
    r"(?:[ \t]{0,12}(?:```[^\n]{0,40}|#[^\n]{0,200}|index [^\n]{0,80}|(?:---|\+\+\+)[^\n]{0,200}"
    r"|@@[^\n]{0,100})?"
    r"|[ \t+<>|:\d→-]{0,20}(?:export |set |declare -x )?[A-Z][A-Z0-9_]{1,100}=[^\n]{0,8192})(?=\n"
    r"|\Z)){1,400})"
)
_BESIDE = (
    r"(?P<told>(?<![\w/])[\w./~-]{0,100}\.env(?:\.\w{1,20}+)?[:-](?:\d{1,7}[:-])?)"
    r"(?P<lines>(?:export )?[A-Za-z_]\w{0,100}=[^\n]{1,8192})"
)
_APPENDED = (
    r"(?P<told>)(?P<lines>(?:(?<=\n)|\A)(?=[^\n]{0,1000}?\.env\b)(?=[^\n]{0,1000}?\b(?i:echo|printf"
    r"|add-content|set-content"
    r"|out-file|sed|dotenv|tee|write-output)\b)[^\n]{1,8192})"
)
_PASTED = r"[$%>❯➜][ \t]{1,2}(?P<command>(?P<first>[A-Za-z_$\[(.][^\s:]{0,80}+)[^\n]{0,400})\n"
_ANSWER = r"(?:(?![^\n$%>❯➜]{0,80}[$%>❯➜][ \t])[^\n]{1,8192}(?:\n|\Z)){1,40}"
_VALUE = (
    r"\\{0,4}(?:(?P<quote>[\"'])(?P<quoted>(?:(?!\\{0,4}(?P=quote))[^\r\n]){3,8192}+)"
    r"|(?P<plain>[^\s|;&<>()\"'\\]{3,8192}+))"
)
_SAID = (
    r"(?:\b(?i:echo|printf|print|write-output|write-host)[ \t]+"
    r"(?:-\w{1,3}[ \t]+|[\"']?%s(?:\\n)?[\"']?[ \t]+){0,3}|\A[^\"'$>]{0,60}[$>]?[ \t]*(?=[\"']))"
    rf"{_VALUE}(?:\\{{0,4}}[\"'])?[ \t]*(?:\|[ \t]*(?:tr|base64|tee|sed|jq|cut)\b[^|\n]{{0,80}})?\Z"
)
_PIPED = r"\|[ \t]{0,8}(?P<command>[A-Za-z./][^\n|;]{2,300})"
_FED = rf"(?:<<<|<[ \t]{{0,4}}<\([ \t]{{0,4}}(?:echo|printf)(?:[ \t]-\w{{1,3}})?)[ \t]{{0,8}}{_VALUE}"
_HEREDOC = (
    r"<<-?[ \t]{0,8}[\"']?(?P<end>[A-Za-z_]{2,40})\b[\"']?(?P<after>[^\n]{0,80})\n"
    r"(?P<plain>[\s\S]{3,8192}?)(?=\n[ \t]{0,40}(?P=end))"
)
RULES = (
    _SETTING,
    _PAIR,
    _BLOCK,
    _BESIDE,
    _APPENDED,
    _PASTED,
    _ANSWER,
    _SAID,
    _PIPED,
    _FED,
    _HEREDOC,
    _NO_SECRET,
    *sources.RULES,
)
"""What has to change where any of this does."""


def without_secrets_by_line(text: str) -> str:
    """A text without the values of settings and the answers of commands that a line of it announces, and
    without what is piped into commands that take secrets."""
    if any(name in text for name in SETTINGS) and compiled(r"\.env\b|\.dev\.vars").search(text):
        for pattern in (_BLOCK, _BESIDE, _APPENDED):
            text = compiled(pattern).sub(_lines_without_settings, text)
    if any(sign in text for sign in PROMPTS):
        text = _changed(text, compiled(_PASTED).finditer(text), _pasted)
    if any(sign in text for sign in FEEDS):
        text = _changed(text, compiled(_FED).finditer(text), _fed)
        text = _changed(text, compiled(_HEREDOC).finditer(text), _fed)
    if PIPE in text:
        text = _changed(text, compiled(_PIPED).finditer(text), _piped)
    return text


Change = tuple[int, int, str]
"""Where something begins and ends, and what comes in its place."""


def _changed(
    text: str, matches: Iterator[re.Match[str]], change: Callable[[re.Match[str]], Change | None]
) -> str:
    parts: list[str] = []
    done = 0
    for match in matches:
        result = change(match)
        if result is not None and result[0] >= done:
            parts += text[done : result[0]], result[2]
            done = result[1]
    return "".join((*parts, text[done:])) if parts else text


def _line_before(match: re.Match[str]) -> tuple[int, str]:
    """Where the line begins in which a match does, and what stands in it before."""
    start = max(match.string.rfind("\n", 0, match.start()) + 1, match.start() - 8_500)
    return start, match.string[start : match.start()]


def without_secrets_of_call(document: object) -> object:
    """A report of a tool's use without what is a secret by what the tool was given; any other document as
    it is."""
    if not isinstance(document, dict):
        return document
    given = {key: value for key, value in document.items() if key not in ANSWERS}
    commands: list[str] = []
    paths: list[str] = []
    questions: list[str] = []
    labels: set[str] = set()
    for key, text in _texts(given):
        if key in COMMANDS:
            commands.append(text)
        elif key in PATHS:
            paths.append(text)
        elif key in QUESTIONS:
            questions.append(text)
        elif key in ("label", "options", "choices", "enum", "const"):
            labels.add(text)
    answers = {key: value for key, value in document.items() if key in ANSWERS}
    if any(map(sources.is_settings_file, paths)) or any(map(sources.names_settings, commands)):
        changed = (*ANSWERS, *GIVEN)
        return {
            key: _mapped({key: value}, _without_read_settings)[key] if key in changed else value
            for key, value in document.items()
        }
    if not answers:
        return document
    if any(map(sources.gives_secret, commands)) or any(map(sources.is_secret_file, paths)):
        change = _without_answer
    elif any(map(sources.asks_for_secret, questions)):

        def change(text: str) -> str:
            return text if text in labels else _without_reply(text, labels)

    else:
        return document
    return {**document, **_mapped(answers, change)}


def _texts(document: object, key: str = "") -> Iterator[tuple[str, str]]:
    """Every string of a document with the key that it stands under; the words of a command as one."""
    waiting: list[tuple[str, object]] = [(key, document)]
    for name, item in waiting:  # grows by what is found inside
        if isinstance(item, str):
            yield name, item
        elif isinstance(item, dict):
            waiting += [(str(inner), value) for inner, value in item.items()]
        elif isinstance(item, list):
            if name in COMMANDS and all(isinstance(entry, str) for entry in item):
                yield name, " ".join(item)
                waiting += [(name, item[-1])] if item else []
            else:
                waiting += [(name, one) for one in item]


def _mapped(value: dict[str, object], change: Callable[[str], str]) -> dict[str, object]:
    """A copy of a JSON value with each string changed but those that only tell about it."""
    top = value.copy()
    waiting: list[list[object] | dict[str, object]] = [top]
    for holder in waiting:  # grows by what is found inside
        items = list(holder.items() if isinstance(holder, dict) else enumerate(holder))
        for key, item in items:
            copy: object = item
            if isinstance(item, str):
                copy = item if key in _ABOUT and "\n" not in item else change(item)
            elif isinstance(item, dict | list):
                waiting.append(copy := item.copy())
            holder[key] = copy  # type: ignore[index,call-overload]
    return top


def _is_kept(value: str) -> bool:
    """Whether a value is a short word, a number, a boolean, or takes a secret's place."""
    bare = value.strip().strip("\"'`").rstrip(",;")
    if len(bare) < 3 or compiled(_MARKED).search(bare) or bare.lower() in LITERALS:
        return True
    if is_number(bare) or not bare.translate(_NUMBER_SIGNS):
        return True
    letters = bare.translate(_WORD_SIGNS)
    if letters.isalpha() and letters.isascii() and len(bare) <= SHORT_WORD and is_words(bare):
        return True
    return is_masked(bare) or stands_in(bare) or bare.startswith(("op://", "vault:", "arn:"))


_NUMBER_SIGNS = str.maketrans("", "", "0123456789.,:_+-/ ")
_WORD_SIGNS = str.maketrans("", "", "-_./ ")


def _without_settings(text: str) -> str:
    """A text without the values that names are set to in it."""
    if "=" not in text:
        return text
    return compiled(_SETTING).sub(_setting, text)


def _setting(match: re.Match[str]) -> str:
    group = "quoted" if match["quoted"] else "plain"
    value = match[group]
    if "[redacted " in value:
        return match[0]
    # What a command goes on with after a word is no part of it.
    rest = ""
    if group == "plain" and compiled(r"\S+\s+(?:&&|\|\||[|;>]|-|[A-Za-z_]\w*=|[a-z./]+(?:\s|$))").match(
        value
    ):
        value, sign, rest = value.partition(" ")
        rest = _without_settings(sign + rest)
    start, end = match.start(group) - match.start(), match.end(group) - match.start()
    if _is_kept(value):
        return match[0][:start] + value + rest + match[0][end:]
    return match[0][:start] + mark("setting", value) + rest + match[0][end:]


def _without_read_settings(text: str) -> str:
    """The same of what was read from a file of settings, where values may stand without their names."""
    text = _without_settings(text)
    word = text.strip()
    if not any(map(str.isspace, word)) and "=" not in word.rstrip("=") and "[redacted " not in word:
        # The only word may be a password of words.
        is_name = is_place(word) or sources.is_settings_file(word) if word else True
        return text if is_name or _is_kept(word) else text.replace(word, mark("setting", word))
    return compiled(_LINE).sub(lambda line: _bare(line[0]), text)


def _bare(line: str) -> str:
    words = [] if "[redacted " in line else line.split()
    if not words or len(words) > 2 or (len(words) == 2 and not words[0].rstrip("→|:").isdigit()):
        return compiled(r"\A(\W*[A-Z][A-Z0-9_]{1,80}: +)(\S{6,})\s*\Z").sub(
            lambda pair: pair[0] if _is_kept(pair[2]) else pair[1] + mark("setting", pair[2]), line
        )
    word = words[-1].strip("\"'+")
    if (
        "=" not in word.rstrip("=")
        and looks_like_told_secret(word, password=True, follower="\n")
        and not _is_kept(word)
    ):
        return line.replace(word, mark("setting", word))
    return line


def _without_answer(text: str) -> str:
    """The answer of a command that gives a secret, without it: each line that is one word, each value
    beside a name, and in a sentence what no word looks like."""
    return compiled(_LINE).sub(lambda line: _answer(line[0]), text)


def _answer(line: str) -> str:
    word = line.strip().strip("\"'")
    if not word or "[redacted " in word or word.endswith(":"):
        return line
    if " " not in word and "\t" not in word:
        pair = compiled(_PAIR).match(line)
        if pair is None or not compiled(r"[:=]").search(pair["before"]):
            return (
                line if len(word) < 4 or _is_answer_kept(word) else line.replace(word, mark("answer", word))
            )
    else:
        pair = compiled(_PAIR).match(line)
    if pair is not None:
        value = pair["value"]
        is_sentence = value.count(" ") > 3
        if compiled(_NO_SECRET).match(pair["name"]) or is_sentence or _is_kept(value):
            return line
        start, end = pair.span("value")
        return line[:start] + mark("answer", value) + line[end:]
    return _sentence(line)


def _is_answer_kept(word: str) -> bool:
    return (
        compiled(_MARKED).search(word) is not None
        or word.lower() in LITERALS
        or (is_place(word) and not word.startswith(("http", "postgres", "redis", "mysql", "mongo", "amqp")))
        or is_masked(word)
        or not any(map(str.isalnum, word))
    )


def _sentence(text: str) -> str:
    return compiled(rf"{_MARKED}|[^\s\"'`,;(){{}}\[\]]+").sub(_in_sentence, text)


def _in_sentence(match: re.Match[str]) -> str:
    word = match[0]
    if word.startswith("[redacted "):
        return word
    follower = match.string[match.end() : match.end() + 1]
    if looks_like_told_secret(word, password=True, follower=follower or "\n") and not _is_kept(word):
        return mark("answer", word)
    return word


def _without_reply(text: str, labels: set[str]) -> str:
    """What a user replied to a question for a secret, without it."""

    def quoted(match: re.Match[str]) -> str:
        value = match["value"]
        return match[0] if value in labels else match[1] + _reply(value) + match[3]

    shown, count = compiled(r"(=\s*\\{0,4}[\"'])(?P<value>[^\"\\\n]{4,8192}?)(\\{0,4}[\"'])").subn(
        quoted, text
    )
    return shown if count else _reply(text)


def _reply(text: str) -> str:
    word = text.strip()
    if (
        "[redacted " not in word
        and " " not in word
        and looks_like_told_secret(word, password=True, quoted=True)
    ):
        return text.replace(word, mark("answer", word))
    return _sentence(text)


def _lines_without_settings(match: re.Match[str]) -> str:
    return match["told"] + _without_settings(match["lines"])


def _pasted(match: re.Match[str]) -> Change | None:
    first = match["first"].rpartition("/")[2]
    if not (first[:1] in "$[(" or sources.is_program(first.lower())):
        return None
    answer = compiled(_ANSWER).match(match.string, match.end())
    if answer is None or len(_line_before(match)[1]) > 80:
        return None
    if sources.names_settings(match["command"]):
        return (*answer.span(), _without_read_settings(answer[0]))
    if sources.gives_secret(match["command"]):
        return (*answer.span(), _without_answer(answer[0]))
    return None


def _piped(match: re.Match[str]) -> Change | None:
    if not sources.takes_secret(match["command"]):
        return None
    start, line = _line_before(match)
    content = compiled(_SAID).search(line)
    return content and _value_fed(content, start)


def _fed(match: re.Match[str]) -> Change | None:
    command = _line_before(match)[1]
    if "end" in match.groupdict():
        command = f"{command}{match['after']}"
        if sources.names_settings(command):
            return (*match.span("plain"), _without_settings(match["plain"]))
    is_taken = any(map(sources.takes_secret, compiled(r"[;|&`(\"']|[$>] ").split(command)))
    return _value_fed(match, 0) if is_taken else None


def _value_fed(match: re.Match[str], offset: int) -> Change | None:
    """The place of what is given to a command; None for what takes a secret's place."""
    group = "plain" if match["plain"] else "quoted"
    value = match[group].removesuffix("\\n")
    bare = value.strip()
    if "[redacted " in bare or not bare or is_masked(bare) or bare.lower() in LITERALS or stands_in(bare):
        return None
    start = offset + match.start(group)
    return start, start + len(value), mark("piped-secret", value)
