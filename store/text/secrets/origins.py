"""Taking out what is a secret by where it comes from: a file of settings, a command, a question.

In a report of a tool's use it shows in what the tool was given; in a text, in the line above.
"""

from __future__ import annotations

from . import sources, values
from .pattern_parts import FEEDS, PIPE, PROMPTS, SETTINGS, compiled, mark

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator

COMMANDS = ("command", "command_line", "commandLine", "cmd", "script", "CommandLine")
PATHS = (
    "file_path", "filePath", "filepath", "path", "paths", "files", "absolute_path", "target_file", "uri",
    "filename", "relative_workspace_path", "AbsolutePath", "TargetFile", "file",
)  # fmt: skip
QUESTIONS = ("question",)
LABELS = ("label", "options", "choices", "enum", "const")
ASKING = ("question", "message", "title", "label", "description")
ELICITING = ("requestedSchema", "requested_schema", "elicitation_id")
"""Keys of a report in which a program asks the user by a message."""
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
_SETTING = (
    r"(?<![\w$%.{])(?P<name>[A-Za-z_][\w.-]{0,100}+)[ \t]{0,4}=[ \t]{0,4}\\{0,4}"
    r"(?:(?P<quote>[\"'`])(?P<quoted>(?:\\.|(?!\\{0,4}(?P=quote))[\s\S]){1,8192}+)\\{0,4}(?P=quote)"
    r"|(?P<plain>(?![\"'`\\\s#])(?:(?!\\{1,4}[nr]|[\"'`]\s*+(?:[,}\]>|;&]|\Z)|[ \t]#)[^\r\n]){1,8192}))"
)
_BEFORE_SETTING = (
    r"(?:(?:^|\n|\\n)[ \t+<>|:\d→#-]{0,20}(?:[\w./~-]{0,200}\.env[\w.-]{0,40}[:-](?:\d{1,7}[:-])?)?"
    r"[ \t]{0,4}(?:export |set |declare -x )?"
    r"|(?:echo|printf|export|set|env|-e|--env|:\d{1,6}:)[ \t]+[\"'\\]{0,4}|['\"]|\A)$"
)
_SECRET_NAME = (
    r"(?i:(?<!pub)(?<!public)(?<!public[ _-])key|secret|token|pass|pwd|auth|cred|salt|dsn|private|cookie"
    r"|session|conn|_url|jwt|otp|pin\b)"
)
_LINE = r"(?:(?!\\{1,4}[nr])[^\r\n])+"
MARKED = r"\[redacted [a-z0-9-]+ [0-9a-f]{6}\]"
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
    r"|add-content|set-content|out-file|sed|dotenv|tee|write-output)\b)[^\n]{1,8192})"
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
_PIPED = r"(?<!\\)\|(?!\|)[ \t]{0,8}(?P<command>[A-Za-z./][^\n|;]{2,300})"
_FED = rf"(?:<<<|<[ \t]{{0,4}}<\([ \t]{{0,4}}(?:echo|printf)(?:[ \t]-\w{{1,3}})?)[ \t]{{0,8}}{_VALUE}"
_HEREDOC = (
    r"<<-?[ \t]{0,8}[\"']?(?P<end>[A-Za-z_]{2,40})\b[\"']?(?P<after>[^\n]{0,80})\n"
    r"(?P<plain>[\s\S]{3,8192}?)(?=\n[ \t]{0,40}(?P=end))"
)
RULES = (
    _SETTING, _PAIR, _BLOCK, _BESIDE, _APPENDED, _PASTED, _ANSWER, _SAID, _PIPED, _FED, _HEREDOC,
    _NO_SECRET, *sources.RULES,
)  # fmt: skip
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
    is_elicited = "licit" in str(document.get("hook_event_name")) or not document.keys().isdisjoint(
        ELICITING
    )
    commands, paths, asked, labels = (
        [text for key, text in _texts(given) if key in keys]
        for keys in (COMMANDS, PATHS, ASKING if is_elicited else QUESTIONS, LABELS)
    )
    settings = list(filter(sources.is_settings_file, paths))
    result = document
    if settings or any(map(sources.names_settings, commands)):
        is_example = bool(settings) and all(map(sources.is_example_file, settings))
        change = _without_random_words if is_example else _without_read if settings else _without_told
        changed = {key: value for key, value in document.items() if key in (*ANSWERS, *GIVEN)}
        result = {**document, **_mapped(changed, change)}
    answers = {key: value for key, value in result.items() if key in ANSWERS}
    givers = list(filter(sources.gives_secret, commands)) if answers else []
    if givers or any(map(sources.is_secret_file, paths)):
        edges = {edge for giver in givers for edge in sources.edges_given(giver)}
        is_only = all(map(sources.is_only_giver, givers))
        answers = _mapped(
            answers, lambda text: _without_answer(text) if is_only else _without_some(text, edges)
        )
    elif answers and any(map(sources.asks_for_secret, asked)):
        answers = _mapped(answers, lambda text: _without_reply(text, labels))
    result = {**result, **answers}
    return document if result == document else result


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


def _is_kept(value: str, name: str = "") -> bool:
    """Whether a value takes a secret's place; or is a word, a number or open, where no secret is named."""
    bare = value.strip().strip("\"'`").rstrip(",;")
    if len(bare) < 3 or "[redacted " in bare or values.takes_place(bare):
        return True
    if compiled(_SECRET_NAME).search(name):
        return compiled(r"(?i:url|uri|host|file)").search(name) is not None and is_open(bare)
    if values.matches(_OPEN, bare) or is_open(bare):
        return True
    return values.matches(_SPOKEN, bare) and values.is_spoken(bare)


def is_open(value: str) -> bool:
    """Whether a value is no secret whatever its name: a plain address, a list, code, a sentence."""
    if values.matches(values.ADDRESS, value):
        return not any(values.is_random(part, 16) for part in compiled(r"[/@]").split(value))
    parts = [part for part in value.split(",") if part.strip()]
    if len(parts) > 1 and all(is_open(part) or not values.is_random(part, 16) for part in parts):
        return True
    if not values.is_random(value) and compiled(r"[(){};]|=>|\w\.\w+\(|^\[|<\w").search(value):
        return True
    words = value.split()
    return len(words) > 2 and not any(values.is_random(word, 10) for word in words)


_HASH = (
    r"[0-9a-f]{7,12}\Z|[0-9a-f]{40}\Z|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}|v?\d+[.\d]*\Z"
    r"|(?:[A-Za-z][\w.-]*/)?v?\d+\.\d|-{3}|\d+-\d+"
)
"""What commands print beside secrets: hashes, identifiers, versions, dates."""
_NO_VALUE = rf"{_HASH}|[{{\[(<#+*@-]|.*[:,;{{(\[]\Z|.*\||[^=]*=+[^=]"
_OPEN = (
    rf"{values.NUMBER}|{_HASH}|[0-9.,:_+/ -]*\Z|[a-z]{{1,20}}-\d+\.\d"
    r"|(?=.{1,12}\Z)(?:[A-Za-z][a-z]*|[A-Z]+)(?:[-_./ ](?:[A-Za-z][a-z]*|[A-Z]+))*[!?]?\Z"
)
_SPOKEN = r"[a-z]+(?:[-_. ][a-z]+)*\Z"


def _without_settings(text: str) -> str:
    """A text without the values that names are set to in it."""
    return compiled(_SETTING).sub(_setting, text) if "=" in text else text


def _setting(match: re.Match[str]) -> str:
    start, name, whole = match.start(), match["name"], match[0]
    if not compiled(_BEFORE_SETTING).search(match.string[max(0, start - 260) : start]):
        return whole
    group = "quoted" if match["quoted"] else "plain"
    value, rest = match[group], ""
    is_statement = " " in whole[: len(name) + 2] or compiled(r"[(){};]").search(whole)
    is_code = is_statement and not name.isupper() and not values.is_random(value.strip("\"'"))
    if "[redacted " in value or is_code:
        return whole
    # What a command goes on with after a word is no part of it.
    if group == "plain" and values.matches(_WORD_OF_COMMAND, value):
        value, sign, rest = value.partition(" ")
        rest = _without_settings(sign + rest)
    shown = value if _is_kept(value, name) else mark("setting", value)
    return whole[: match.start(group) - start] + shown + rest + whole[match.end(group) - start :]


_WORD_OF_COMMAND = r"\S+\s+(?:&&|\|\||[|;>]|-|[A-Za-z_]\w*=|[a-z./]+(?:\s|$))"


def _without_read(text: str) -> str:
    """What was read from a file of settings without its values, which may stand without their names."""
    return _by_line(_without_settings(text), _bare)


def _without_told(text: str) -> str:
    """The same of what stands beside a command that names such a file: only long values stand alone."""

    def changed(line: str) -> str:
        return _bare(line) if values.is_random(line.strip(" +-\"'"), 16) else line

    return _by_line(_without_settings(text), changed)


def _by_line(text: str, change: Callable[[str], str]) -> str:
    return compiled(_LINE).sub(lambda line: change(line[0]), text)


def _bare(line: str) -> str:
    words = [] if "[redacted " in line else line.split()
    pair = compiled(r"\A\W*(?P<name>[A-Z][A-Z0-9_]{1,80}): +(?P<value>\S{6,})\s*\Z").match(line)
    if pair:
        return line if _is_kept(pair["value"], pair["name"]) else _marked(line, "setting", pair["value"])
    if not words or len(words) > 2 or (len(words) == 2 and not words[0].rstrip("→|:").isdigit()):
        return line
    return _alone(line, words[-1].strip("\"'+"), "setting")


def _alone(line: str, word: str, kind: str) -> str:
    """A line with nothing but a word, without that if it looks like a secret."""
    is_secret = values.looks_like_told_secret(word, password=True, follower="\n") and not _is_kept(word)
    return _marked(line, kind, word) if is_secret and not values.matches(_NO_VALUE, word) else line


def _marked(text: str, kind: str, value: str) -> str:
    return text.replace(value, mark(kind, value))


def _without_random_words(text: str) -> str:
    """A text of which some may be a secret, without what nobody would write by hand, and without what looks
    like a password in a line of its own."""

    def changed(match: re.Match[str]) -> str:
        word, name = match["word"], match["name"] or ""
        is_kept = not values.is_random(word, 16) or _is_kept(word) or compiled(_NO_SECRET).match(name)
        return match[0] if is_kept else match[0].removesuffix(word) + mark("answer", word)

    text = _by_line(
        text, lambda line: line if len(line.split()) > 1 else _alone(line, line.strip(), "answer")
    )
    return compiled(_NAMED_WORD).sub(changed, text)


_NAMED_WORD = (
    r"(?:(?P<name>[A-Za-z_][\w.-]{0,60})[\"'\\]{0,4}[ \t]{0,4}[:=][ \t]{0,4}[\"'\\]{0,4})?"
    r"(?P<word>[^\s\"'`,;(){}\[\]<>=:]{16,})"
)


def _without_some(text: str, edges: set[int]) -> str:
    """The same of what several commands printed, without a first (0) or last line (-1) of one word."""
    lines = text.split("\n")
    filled = [at for at, line in enumerate(lines) if line.strip()]
    for at in {filled[edge] for edge in edges if len(filled) > 1}:
        if len(lines[at].split()) == 1:
            lines[at] = _answer(lines[at])
    return _without_random_words("\n".join(lines))


def _without_answer(text: str) -> str:
    """The answer of a command that gives a secret, without it: each line that is one word, each value
    beside a name, and in a sentence what no word looks like."""
    return _by_line(text, _answer)


def _answer(line: str) -> str:
    word = line.strip().strip("\"'")
    if not word or "[redacted " in word or word.endswith(":"):
        return line
    pair = compiled(_PAIR).match(line)
    is_pair = pair is not None and compiled(r"[:=]").search(pair["before"])
    if len(line.split()) == 1 and not is_pair:
        return line if len(word) < 4 or _is_answer_kept(word) else _marked(line, "answer", word)
    if pair is None:
        return _sentence(line)
    name, value = pair["name"], pair["value"]
    if compiled(_NO_SECRET).match(name) or value.count(" ") > 3 or _is_kept(value, name):
        return line
    is_secret = compiled(_SECRET_NAME).search(name) or values.is_random(value, 8)
    if not is_secret and not values.looks_like_told_secret(value, password=True, quoted=True):
        return line
    start, end = pair.span("value")
    return line[:start] + mark("answer", value) + line[end:]


def _is_answer_kept(word: str) -> bool:
    is_address = word.startswith(("http", "postgres", "redis", "mysql", "mongo", "amqp"))
    return (
        "[redacted " in word
        or word.lower() in values.LITERALS
        or (values.is_place(word) and not is_address)
        or values.is_masked(word)
        or not any(map(str.isalnum, word))
    )


def _sentence(text: str) -> str:
    return compiled(rf"{MARKED}|[^\s\"'`,;(){{}}\[\]]+").sub(_in_sentence, text)


def _in_sentence(match: re.Match[str]) -> str:
    word, follower = match[0], match.string[match.end() : match.end() + 1] or "\n"
    is_kept = word.startswith("[redacted ") or not values.is_random(word) or _is_kept(word)
    is_secret = not is_kept and values.looks_like_told_secret(word, password=True, follower=follower)
    return mark("answer", word) if is_secret else word


def _without_reply(text: str, labels: list[str]) -> str:
    """What a user replied to a question for a secret, without it: one word that wasn't offered."""

    def shown(value: str) -> str:
        word = value.strip()
        if len(word.split()) > 1:
            return _sentence(value)
        is_kept = len(word) < 4 or _is_answer_kept(word) or is_open(word) or values.is_template(word)
        is_offered = value in labels or word.lower().rstrip(".!") in _REPLIES
        return value if is_kept or is_offered else _marked(value, "answer", word)

    quoted = compiled(r"(=\s*\\{0,4}[\"'])(?P<value>[^\"\\\n]{4,8192}?)(?=\\{0,4}[\"'])")
    changed, count = quoted.subn(lambda match: match[1] + shown(match["value"]), text)
    return changed if count else shown(text)


_REPLIES = frozenset(
    "none skip later cancel unknown default nothing whatever continue done okay sure wait stop".split()
)


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
        return (*answer.span(), _without_read(answer[0]))
    if sources.gives_secret(match["command"]):
        return (*answer.span(), _without_answer(answer[0]))
    return None


def _piped(match: re.Match[str]) -> Change | None:
    start, line = _line_before(match)
    # The cells of most tables hold none of these.
    if not any(sign in line.lower() for sign in ("echo", "print", "write-", '"', "'")):
        return None
    if not sources.takes_secret(match["command"]):
        return None
    if match["command"].startswith("read") and not compiled(r"\b(?:echo|printf)\b").search(line):
        return None
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
    if (
        "[redacted " in bare
        or not bare
        or values.is_masked(bare)
        or bare.lower() in values.LITERALS
        or values.stands_in(bare)
    ):
        return None
    start = offset + match.start(group)
    return start, start + len(value), mark("piped-secret", value)
