"""Parse a command line into the simple commands of its pipelines, lists, loops and `bash -c`, and find the
files that a script on it writes: `python - <<EOF`, `node -e`, `perl -pi`, patches and PowerShell.

It is no shell: quotes, here-documents and redirections are understood, expansions stay as
written. What can't be understood is a word, and nothing raises.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import lru_cache

from ...records.dataclasses import dataclass, field, replace
from ...text.late_pattern import late_pattern

LONGEST = 8_000
"""Characters of a command line, without its here-documents, that are parsed."""

MOST = 100
"""Commands of a line, at most."""

DEEPEST = 3
"""Shells within shells that are parsed."""

HEREDOC = late_pattern(r"<<-?[ \t]*(['\"]?)([A-Za-z_]\w*)\1")
TOKEN = late_pattern(
    r"""(?P<comment>(?<![^\s;&|(])\#[^\n]*)
    |(?P<redirect>\d?(?:&>>?|>>|>\||>&|>|<<<|<<-?|<>|<))[ \t]*
    |(?P<operator>&&|\|\||;;|\|&|[;&|\n])
    |(?P<word>(?:
        [^\s;&|<>'"\\$`()]++ | \\. | '[^']*+' | "(?:[^"\\]|\\.)*+"
        | \$\((?:[^()]|\([^()]*+\))*+\) | `[^`]*+` | ['"\\$`()]
    )++)""",
    re.VERBOSE | re.DOTALL,
)
OPERATORS = {"|&": "|", "\n": ";", ";;": ";"}
STOPS = late_pattern(r"(?:^|[\s;])set -[a-z]*e")
QUOTED = late_pattern(r"""'([^']*+)'|"((?:[^"\\]|\\.)*+)"|\\(.)""", re.DOTALL)
ASSIGNMENT = late_pattern(r"[A-Za-z_]\w*\+?=")
KEYWORDS = frozenset(("if", "then", "elif", "else", "while", "until", "do", "!", "{", "(", "((", "[["))
ENDINGS = frozenset(("fi", "done", "esac", "}", ")", "))", "]]", "in"))
WRAPPERS = frozenset(
    ("sudo", "time", "nohup", "command", "exec", "builtin", "nice", "env", "timeout", "stdbuf", "xargs",
     "npx", "bunx", "doas", "winpty")
)  # fmt: skip
SHELLS = frozenset(("bash", "sh", "zsh", "dash", "fish"))
LOOKS_UP = (["-v"], ["-V"])
"""What has `command` tell where a program is, in place of running it."""
TAKES_VALUE = frozenset(("-u", "-n", "-s", "-k", "-I", "-P", "-L", "-C"))


@dataclass(frozen=True, slots=True)
class ShellCommand:
    """One simple command: its words without quotes, the files it redirects to, whether it reads a pipe.

    A bare redirection (`> app.log`) has no words: `program`, `name` and `arguments` are empty then.
    """

    words: tuple[str, ...]
    writes: tuple[str, ...] = ()
    is_piped: bool = False
    script: str = ""
    """The here-document that it reads."""
    joined: str = field(default="", compare=False)
    """The operator between it and the command before: `&&`, `||`, `|`, `;`, `&`; "" for the first."""
    name: str = field(init=False, compare=False)
    """The program, without its directory."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", posixpath.basename(self.program))

    def __hash__(self) -> int:
        # The words tell nearly all commands apart, and a line's are looked up by them many times.
        return hash(self.words)

    @property
    def program(self) -> str:
        """The program as it is called, with its directory; "" where the command has no words."""
        return self.words[0] if self.words else ""

    @property
    def arguments(self) -> tuple[str, ...]:
        """The words after the program."""
        return self.words[1:]

    @property
    def plain(self) -> tuple[str, ...]:
        """The words after the program that are no options."""
        return tuple(word for word in self.words[1:] if not word.startswith("-"))


# Several rules ask for those of the same event.
@lru_cache(maxsize=4)
def parse_commands(line: str, depth: int = 0) -> tuple[ShellCommand, ...]:
    """Return at most `MOST` simple commands of a command line, in order."""
    plain, scripts = without_heredocs(line)
    commands: list[ShellCommand] = []
    waiting = iter(scripts)
    for command in _simple(plain[:LONGEST], waiting):
        inner = _inner_line(command)
        if inner is not None and depth < DEEPEST:
            within = parse_commands(inner, depth + 1)
            commands += [replace(shell_command, joined=command.joined) for shell_command in within[:1]]
            commands += within[1:]
        elif command.words or command.writes:
            commands.append(command)
        if len(commands) >= MOST:
            break
    return tuple(commands[:MOST])


def without_heredocs(line: str) -> tuple[str, list[str]]:
    """Return a command line without the bodies of its here-documents, and these bodies."""
    if "<<" not in line:
        return line, []
    kept, bodies, at = [], [], 0
    while opening := HEREDOC.search(line, at):
        start = line.find("\n", opening.end())
        if start < 0:
            break
        body = re.compile(rf"^[ \t]*{re.escape(opening[2])}\b", re.MULTILINE)
        closing = body.search(line, start + 1)
        kept.append(line[at : start + 1])
        bodies.append(line[start + 1 : closing.start() if closing else len(line)].rstrip("\n"))
        at = closing.end() if closing else len(line)
    return "".join([*kept, line[at:]]), bodies


def unquoted(word: str) -> str:
    """Return a word without its quotes."""
    if not ("'" in word or '"' in word or "\\" in word):
        return word
    return QUOTED.sub(lambda match: match[1] or match[2] or match[3] or "", word)


def _simple(line: str, scripts: Iterator[str]) -> Iterator[ShellCommand]:
    words: list[str] = []
    writes: list[str] = []
    script, redirect, joined = "", "", ""
    for token in TOKEN.finditer(line.replace("\\\n", " ")):
        kind, text = token.lastgroup, token[0].strip(" \t")
        if kind == "operator":
            if words or writes:
                yield _command(words, writes, script, joined)
                joined = ""
            words, writes, script, redirect = [], [], "", ""
            joined = joined if text == "\n" and joined else OPERATORS.get(text, text)
        elif kind == "redirect":
            redirect = text
        elif kind == "word" and redirect:
            target = unquoted(text).rstrip(")")
            if redirect.startswith("<<") and not redirect.startswith("<<<"):
                script = next(scripts, "")
            elif (
                ">" in redirect
                and not target.startswith(("&", "/dev/"))
                and not target.isdecimal()
                and target not in ("", "-")
            ):
                writes.append(target)
            redirect = ""
        elif kind == "word":
            words.append(unquoted(text))
    yield _command(words, writes, script, joined)


def _command(words: list[str], writes: list[str], script: str, joined: str) -> ShellCommand:
    return ShellCommand(tuple(_program(words)), tuple(writes), joined == "|", script, joined)


def hides_status(commands: Sequence[ShellCommand], command: ShellCommand, line: str) -> bool:
    """Return whether a line may end well although this command of it failed: what follows it does so
    whatever came of it (`| tail`, `; ls`, `|| true`, `&`)."""
    place = next(
        (at for at, shell_command in enumerate(commands) if shell_command is command), len(commands)
    )
    fails_early = bool(STOPS.search(line))
    piped_early = "pipefail" in line
    for item in commands[place + 1 :]:
        if item.joined == "|":
            if not piped_early:
                return True
        elif (
            (item.joined == "||" and item.name not in ("exit", "return"))
            or item.joined == "&"
            or (item.joined == ";" and not fails_early)
        ):
            return True
    return line.rstrip().endswith("&")


def _program(words: list[str]) -> list[str]:
    """Return the words from the program on, without assignments, keywords and wrappers."""
    at, wrapped = 0, False
    while at < len(words):
        word = words[at].removeprefix("(") or "("
        if word in ("for", "case", "select"):
            return []
        if word in KEYWORDS or ASSIGNMENT.match(word):
            at += 1
        elif word in ENDINGS:
            return []
        elif word in WRAPPERS and words[at + 1 : at + 2] not in LOOKS_UP:
            wrapped = True
            at += 1
        elif wrapped and (word.startswith("-") or word.rstrip("smh").replace(".", "").isdecimal()):
            at += 2 if word in TAKES_VALUE else 1
        else:
            return [word, *words[at + 1 : -1], *(_closed(last) for last in words[at + 1 :][-1:])]
    return []


def _closed(word: str) -> str:
    """Return the last word of a subshell without the bracket that ends it."""
    return word[:-1] if word.endswith(")") and "(" not in word and len(word) > 1 else word


def _inner_line(command: ShellCommand) -> str | None:
    """Return the command line that a shell is given to run; None where the command is no shell."""
    if command.name not in SHELLS:
        return None
    for place, word in enumerate(command.arguments):
        if word in ("-c", "-lc", "-ic", "-ec", "-xc", "-euc"):
            rest = command.arguments[place + 1 :]
            return rest[0] if rest else ""
        if not word.startswith("-"):
            return None
    return command.script or None


LONGEST_SCRIPT = 20_000
"""Characters of a script that are read."""

INTERPRETERS = frozenset(
    "py node nodejs deno bun ruby perl php tsx ts-node uv osascript pypy pypy3 ipython".split()
)
TEXT = r"[rbuf]{0,2}[\"'`]([^\"'`\n]{1,200})[\"'`]"
NAME = r"([A-Za-z_$][\w$]{0,60})"
WRITTEN = (
    # open('a', 'w'), open(path, "a"), File.open("a", "w"), fopen('a', 'w')
    late_pattern(rf"\bf?open\(\s{{0,4}}(?:{TEXT}|{NAME})\s{{0,4}},\s{{0,4}}(?:mode\s?=\s?)?[\"'][rb]?[wax][bt+]{{0,2}}[\"']"),
    # Path('a').write_text(…), Path('a').open('w'), Path('a').unlink()
    late_pattern(rf"\bPath\(\s{{0,4}}(?:{TEXT}|{NAME})\s{{0,4}}\)\s{{0,4}}\.(?:write_text|write_bytes|unlink|touch|open\(\s?[\"'][wax])"),
    # fs.writeFileSync('a', …), Deno.writeTextFile, Bun.write, file_put_contents, File.write, IO.write
    late_pattern(
        rf"\b(?:write_?[Ff]ile(?:Sync)?|append_?[Ff]ile(?:Sync)?|writeTextFile(?:Sync)?|Bun\.write"
        rf"|file_put_contents|File\.write|IO\.write|unlinkSync|unlink|rmSync|os\.remove|copyFileSync"
        rf"|outputFile(?:Sync)?|writeJson(?:Sync)?)\(\s{{0,4}}(?:{TEXT}|{NAME})"
    ),
    # shutil.copy(a, 'b'), os.rename, os.replace, fs.renameSync: the second names what is written
    late_pattern(
        rf"\b(?:shutil\.(?:copy2?|copyfile|move)|os\.(?:rename|replace)|renameSync|copyFileSync)"
        rf"\(\s{{0,4}}[^,()\n]{{1,200}},\s{{0,4}}(?:{TEXT}|{NAME})"
    ),
)  # fmt: skip
BY_METHOD = late_pattern(r"\b([A-Za-z_]\w{0,60})\.(?:write_text|write_bytes|unlink|open\(\s?[\"'][wax])")
ASSIGNED = late_pattern(
    rf"^\s{{0,40}}(?:const |let |var |my )?\$?{NAME}\s{{0,4}}=\s{{0,4}}"
    rf"(?:(?:pathlib\.)?Path\(\s{{0,4}})?{TEXT}\s{{0,4}}\)?",
    re.MULTILINE,
)
LOOPED = late_pattern(rf"\bfor\s{{1,4}}{NAME}\s{{1,4}}in\s{{0,4}}[(\[]([^)\]\n]{{1,600}})[)\]]")
QUOTED_TEXT = late_pattern(r"[\"']([^\"'\n]{1,200})[\"']")
PATCHED = late_pattern(r"^(?:\+\+\+ (?:b/)?(\S{1,260})|rename to (\S{1,260}))", re.MULTILINE)
REMOVED = late_pattern(r"^--- (?:a/)?(\S{1,260})\n\+\+\+ /dev/null", re.MULTILINE)
BEGUN = late_pattern(r"^\*\*\* (?:Add|Update|Delete) File: (.{1,260})$", re.MULTILINE)
IN_PLACE = late_pattern(r"-\w{0,8}i(?:\.\w+)?|-i.*")
POWERSHELL = {
    "set-content": 1, "add-content": 1, "out-file": 1, "new-item": 1, "clear-content": 1,
    "tee-object": 1, "export-csv": 1,
}  # fmt: skip


def written_by(command: ShellCommand) -> list[str]:
    """Return the files that a command's script, patch or cmdlet writes or removes."""
    return list(dict.fromkeys(filter(None, _written(command))))


def is_interpreter(name: str) -> bool:
    """Return whether a program runs scripts of a general language."""
    return name in INTERPRETERS or name.startswith("python")


def _written(command: ShellCommand) -> Iterator[str]:
    name = command.name.lower().removesuffix(".exe")
    if name in POWERSHELL:
        yield from _by_cmdlet(command)
    elif name in ("git", "patch") and command.script:
        yield from patched_files(command.script)
    elif is_interpreter(name):
        if name in ("perl", "ruby") and (files := _in_place(command)):
            yield from files
            return
        if script := _script_of(command):
            yield from _in_script(script[:LONGEST_SCRIPT])


def patched_files(patch: str) -> list[str]:
    """Return the files that a patch changes, adds or removes."""
    text = patch[: 4 * LONGEST_SCRIPT]
    results = [item[0] or item[1] for item in PATCHED.findall(text)] + REMOVED.findall(text)
    results += [entry.strip() for entry in BEGUN.findall(text)]
    return [path for path in dict.fromkeys(results) if path != "/dev/null"]


def _script_of(command: ShellCommand) -> str:
    if command.script:
        return command.script
    for option in ("-c", "-e", "-r", "--eval", "-p"):
        if option in command.arguments[:-1]:
            return command.arguments[command.arguments.index(option) + 1]
    return next((word for word in command.arguments if "\n" in word), "")


def _in_script(script: str) -> Iterator[str]:
    if not ("open" in script or "rite" in script or "unlink" in script or "move" in script
            or "ename" in script or "copy" in script or "put_contents" in script):  # fmt: skip
        return
    named: dict[str, list[str]] = {}
    for name, text in ASSIGNED.findall(script):
        named.setdefault(name, []).append(text)
    for name, listed in LOOPED.findall(script):
        named.setdefault(name, []).extend(QUOTED_TEXT.findall(listed))
    for pattern in WRITTEN:
        for text, name in pattern.findall(script):
            yield from [text] if text else named.get(name, [])[-3:]
    for name in BY_METHOD.findall(script):
        yield from named.get(name, [])[-3:]


def operands(words: Iterable[str], with_value: Container[str]) -> Iterator[str]:
    """Yield the words that are neither options nor values of the options that take one; `-` is a word."""
    is_value = False
    for word in words:
        if is_value:
            is_value = False
        elif word.startswith("-") and len(word) > 1:
            is_value = word in with_value
        else:
            yield word


def _in_place(command: ShellCommand) -> list[str]:
    """Return the files that `perl -pi -e '…'` or `ruby -i` edits."""
    words = list(command.arguments)
    if not any(IN_PLACE.fullmatch(word) for word in words):
        return []
    files: list[str] = []
    skips = False
    has_script = False
    for word in words:
        if skips:
            skips = False
        elif word.startswith("-"):
            skips = word.endswith(("e", "E")) and not word.startswith("--")
            has_script = has_script or skips
        else:
            files.append(word)
    return files if has_script else files[1:]


def _by_cmdlet(command: ShellCommand) -> Iterator[str]:
    words = command.arguments
    for place, word in enumerate(words[:-1]):
        if word.lower() in ("-path", "-filepath", "-literalpath"):
            yield words[place + 1]
            return
    if first := next((word for word in words if not word.startswith("-")), ""):
        yield first
