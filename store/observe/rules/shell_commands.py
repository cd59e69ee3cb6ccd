"""What a command does (it lists, reads, searches, tests, checks, builds, installs, commits, or runs) and
which files it reads and changes, as far as its words tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from ...text.late_pattern import late_pattern
from .shell import POWERSHELL, ShellCommand, is_interpreter, operands, written_by

NOTHING, OWN, LIST, FILTER, HISTORY, READ, SEARCH, FETCH, WRITE, REMOVE, MOVE, RUN = (
    "nothing", "own", "list", "filter", "history", "read", "search", "fetch", "write", "remove", "move",
    "run",
)  # fmt: skip
FORMAT, BUILD, CHECK, TEST, INSTALL, REPOSITORY, PUSH, REQUEST, COMMIT = (
    "format", "build", "check", "test", "install", "repository", "push", "request", "commit",
)  # fmt: skip

WEIGHT = {
    kind: weight
    for weight, kind in enumerate(
        (NOTHING, OWN, LIST, FILTER, HISTORY, READ, SEARCH, FETCH, REPOSITORY, RUN, WRITE, MOVE, REMOVE,
         FORMAT, BUILD, CHECK, TEST, INSTALL, PUSH, REQUEST, COMMIT)
    )
}  # fmt: skip
"""Of several commands on a line, the kind of the heaviest is the kind of the line."""

PROGRAMS: dict[str, frozenset[str]] = {
    NOTHING: frozenset(
        "pwd cd pushd popd echo printf true false : which whereis type whoami id date sleep wait clear "
        "export unset set env printenv hostname uname history alias source . exit return test [ [[ "
        "read break continue shift local declare trap kill pkill jobs fg bg seq basename dirname "
        "realpath readlink tput stty ulimit umask get-location set-location write-output write-host".split()
    ),
    OWN: frozenset(("mem", "memtui")),
    LIST: frozenset(
        "ls ll dir tree find fd fdfind exa eza stat file du df locate ps lsof get-childitem gci".split()
    ),
    FILTER: frozenset(
        "head tail wc sort uniq cut tr grep egrep rg sed awk jq yq column less more tee fold nl xargs "
        "cat base64 python3 python node perl select-string select-object out-string".split()
    ),
    READ: frozenset(
        "cat head tail less more bat batcat nl get-content gc jq yq xxd hexdump strings".split()
    ),
    SEARCH: frozenset("grep egrep fgrep zgrep rg ag ack select-string".split()),
    FETCH: frozenset("curl wget http dig nslookup ping man info tldr".split()),
    REMOVE: frozenset(("rm", "rmdir", "unlink", "del", "remove-item", "trash")),
    MOVE: frozenset(("mv", "cp", "rsync", "ln", "move-item", "copy-item", "scp")),
    WRITE: frozenset(("tee", "touch", "mkdir", "chmod", "chown", "patch", "truncate", "dd", "new-item")),
    TEST: frozenset(
        "pytest py.test tox nox jest vitest mocha ava phpunit rspec ctest behave nosetests pest bats "
        "playwright cypress karma gotestsum minitest".split()
    ),
    CHECK: frozenset(
        "ruff mypy pyright flake8 pylint eslint tsc biome golangci-lint shellcheck hadolint stylelint "
        "rubocop clippy-driver checkstyle ktlint detekt swiftlint bandit vulture lint-imports oxlint "
        "markdownlint yamllint actionlint pre-commit staticcheck".split()
    ),
    FORMAT: frozenset(
        "prettier black isort gofmt goimports rustfmt clang-format shfmt autopep8 yapf".split()
    ),
    BUILD: frozenset(
        "gcc g++ clang clang++ cc ld cmake ninja meson webpack rollup esbuild javac protoc".split()
    ),
    INSTALL: frozenset("brew apt-get apt dnf yum apk pacman pipx choco winget".split()),
}  # fmt: skip
BY_PROGRAM = {
    name: kind
    for kind in (FILTER, NOTHING, OWN, LIST, READ, SEARCH, FETCH, REMOVE, MOVE, WRITE, TEST, CHECK, FORMAT,
                 BUILD, INSTALL)
    for name in PROGRAMS[kind]
    if kind != FILTER
}  # fmt: skip

TASKS = (
    (TEST, late_pattern(r"(?:^|[:_\-./])(?:unit-?)?(?:tests?|specs?|e2e|coverage|ci)(?:$|[:_\-.])|测试")),
    (
        CHECK,
        late_pattern(
            r"(?:^|[:_\-./])(?:lint|check|typecheck|types|vet|clippy|verify|audit|analy[sz]e|validate)(?:$|[:_\-])"
        ),
    ),
    (FORMAT, late_pattern(r"(?:^|[:_\-])(?:fmt|format)(?:$|[:_\-])")),
    (INSTALL, late_pattern(r"^(?:install|setup|deps|bootstrap)$")),
    (BUILD, late_pattern(r"(?:^|[:_\-])(?:build|compile|bundle|dist|package|assemble)(?:$|[:_\-])")),
)
"""Kinds by the name of a task: `mise run lint`, `make test`, `npm run build`."""

RUNNERS = frozenset(
    "make gmake just task mise npm pnpm yarn bun deno rake bundle gradle gradlew mvn mvnw cargo go dotnet "
    "swift mix composer poetry uv hatch pdm pipenv rye tox invoke inv nx turbo bazel sbt lein stack cabal "
    "zig flutter dart ant vite next".split()
)  # fmt: skip
INSTALLERS = {
    "pip": ("install",), "pip3": ("install",), "npm": ("install", "i", "ci", "add"),
    "cargo": ("add", "install"),
    "pnpm": ("install", "i", "add"), "yarn": ("install", "add"), "bun": ("install", "add"),
    "go": ("get", "install"), "gem": ("install",), "poetry": ("add", "install"),
    "composer": ("require", "install"),
    "uv": ("add", "sync", "install"), "bundle": ("install", "add"), "conda": ("install",),
    "dotnet": ("add",), "mix": ("deps.get",),
    "brew": ("install", "upgrade"), "apt-get": ("install",), "apt": ("install",), "apk": ("add",),
    "dnf": ("install",),
    "yum": ("install",), "pacman": ("-S",), "pipx": ("install",), "mise": ("install", "use"),
    "choco": ("install",),
    "winget": ("install",), "pdm": ("add", "install"), "rye": ("add", "sync"),
}  # fmt: skip
KINDS_OF_PROGRAMS = frozenset((TEST, CHECK, FORMAT, BUILD, READ))
"""Kinds that a runner takes from the program it runs; `mise run test` runs no program `test`."""
GIT_LISTS = frozenset(
    "status branch rev-parse remote config ls-files ls-tree describe stash tag "
    "worktree fetch symbolic-ref for-each-ref merge-base rev-list version help".split()
)
GIT_READS = frozenset(("diff", "show", "log", "blame", "cat-file", "whatchanged"))
GIT_CHANGES = frozenset(
    "add rm mv merge rebase cherry-pick revert reset checkout switch restore clone init pull "
    "am apply bisect clean submodule".split()
)
SUMS = ("--stat", "--name-only", "--name-status", "--shortstat", "--numstat", "--oneline")
SEARCHES_LOG = late_pattern(r"^(?:-p|-S|-G|-L|--grep|--patch)")
FINDS_AND_ACTS = ("-exec", "-delete", "-execdir", "-ok")


@lru_cache(maxsize=2_048)
def kind_of(command: ShellCommand) -> str:
    """Return the kind of one simple command: `READ`, `TEST`, `COMMIT` and so on."""
    name = command.name.lower().removesuffix(".exe")
    if not name:
        return WRITE if command.writes else NOTHING
    if name == "git":
        return _git(command)
    if name == "gh" or name == "glab":
        return _hub(command.plain)
    if is_own(command):
        return OWN
    if any(word in INSTALLERS.get(name, ()) for word in command.arguments[:2]):
        return INSTALL
    if is_interpreter(name) and written_by(command):
        return WRITE
    if name in POWERSHELL:
        return WRITE
    if name.startswith("python") or name == "py":
        return _python(command)
    if name in RUNNERS:
        return _task(name, command.plain)
    if name == "sed":
        return _stream_editor(command)
    if command.writes and name in PROGRAMS[NOTHING] | PROGRAMS[READ] | PROGRAMS[FILTER]:
        return WRITE
    if command.is_piped and name in PROGRAMS[FILTER]:
        return WRITE if name == "tee" else FILTER
    if name in ("find", "fd") and any(word.startswith(FINDS_AND_ACTS) for word in command.arguments):
        return SEARCH if "grep" in command.arguments else RUN
    if name == "rg" and "--files" in command.arguments:
        return LIST
    if name in BY_PROGRAM:
        return BY_PROGRAM[name] if name not in INSTALLERS else LIST
    if name in ("awk", "gawk"):
        return WRITE if "inplace" in command.arguments else READ
    return next((kind for kind, task in TASKS[:1] if task.search(command.name)), RUN)


DATABASES = frozenset("sqlite3 sqlite psql mysql mariadb duckdb clickhouse-client bq sqlcmd".split())
ASKS_DATABASE = late_pattern(
    r"\s*(?:(?:select|show|explain|describe|desc|with|values"
    r"|pragma \w+(?!\s*=)(?:\([^)]*\))?)\b(?!.*\b(?:insert|update|delete)\b\s+(?:into|from|\w+ set)\b)"
    r"|\.(?:schema|tables|dump|ind\w+|databases|headers|mode)\b|\\[dlz])",
    re.IGNORECASE | re.DOTALL,
)


ASKS_SERVER = {
    name: frozenset(words.split())
    for names, words in (
        ("kubectl oc k", "get describe logs top explain"),
        ("docker podman nerdctl", "ps logs inspect images stats top"),
        ("helm", "list ls status get history"),
        ("systemctl", "status is-active is-enabled is-failed show list-units"),
    )
    for name in names.split()
}
"""Subcommands that only tell how something stands, by program."""


def only_asks(command: ShellCommand) -> bool:
    """Return whether a command only asks: a server how something stands, or a database, each of its
    statements reading."""
    if command.name in ASKS_SERVER:
        return not command.writes and not ASKS_SERVER[command.name].isdisjoint(command.plain[:2])
    texts = [text for text in command.arguments[-2:] if " " in text.strip() or text[:1] in (".", "\\")]
    statements = [part for text in texts for part in text.split(";") if part.strip()]
    return command.name in DATABASES and bool(statements) and all(map(ASKS_DATABASE.match, statements))


def is_own(command: ShellCommand) -> bool:
    """Return whether a command is one of memtui's own, which are never remembered."""
    if command.name in PROGRAMS[OWN]:
        return True
    words = command.words
    return command.name.startswith("python") and (
        any(pair in (("-m", "memtui.tui"), ("-m", "memtui.store.cli")) for pair in pairwise(words))
        or any(word.endswith("store/capture/hook.py") for word in words)
    )


def heaviest(commands: Sequence[ShellCommand]) -> tuple[str, ShellCommand | None]:
    """Return the heaviest kind of a line's commands, and the command that has it."""
    best: tuple[str, ShellCommand | None] = (NOTHING, None)
    for command in commands:
        kind = kind_of(command)
        if best[1] is None or WEIGHT[kind] > WEIGHT[best[0]]:
            best = (kind, command)
    return best


def git_words(words: Sequence[str]) -> tuple[str, ...]:
    """Return the words of a git command from its verb on, without the options before it."""
    at = 1
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in ("-C", "-c", "--git-dir", "--work-tree", "--namespace") else 1
    return tuple(words[at:])


def _git(command: ShellCommand) -> str:
    words = git_words(command.words)
    verb = words[0] if words else "status"
    if verb == "commit":
        return COMMIT
    if verb == "push":
        return PUSH
    if verb == "grep":
        return SEARCH
    if verb in ("reflog", "shortlog"):
        return HISTORY
    if verb == "log":
        return READ if any(SEARCHES_LOG.match(word) for word in words) else HISTORY
    if verb in GIT_READS:
        return HISTORY if any(word.startswith(SUMS) for word in words) else READ
    if verb == "stash" and words[1:2] not in (("list",), ("show",)):
        return REPOSITORY
    if verb in ("tag", "worktree", "branch") and len(command.plain) > 1 and words[1:2] != ("list",):
        return REPOSITORY if any(not word.startswith("-") for word in words[1:]) else LIST
    return REPOSITORY if verb in GIT_CHANGES else LIST if verb in GIT_LISTS else RUN


def _hub(words: Sequence[str]) -> str:
    if words[1:2] and words[1] in ("create", "merge", "close", "edit", "comment", "review", "reopen"):
        return REQUEST
    return FETCH


def _python(command: ShellCommand) -> str:
    if "-m" in command.arguments[:3]:
        at = command.arguments.index("-m")
        module = next(iter(command.arguments[at + 1 : at + 2]), "")
        if module == "pip":
            return INSTALL if "install" in command.arguments else LIST
        if module in ("pytest", "unittest", "tox", "nox", "doctest"):
            return TEST
        kind = BY_PROGRAM.get(module, RUN)
        return kind if kind in (CHECK, FORMAT, BUILD) else RUN
    if command.arguments in (("--version",), ("-V",)):
        return LIST
    return FILTER if command.is_piped and "json.tool" in command.arguments else RUN


def _task(name: str, words: Sequence[str]) -> str:
    """Return the kind of what a task runner runs: by its own verb, or by the name of a task."""
    if name == "go" and words[:1] in (("doc",), ("version",), ("env",), ("list",), ("mod",), ("tool",)):
        return FETCH if words[:1] == ("doc",) else RUN
    if words[:1] in (("run",), ("exec",), ("x",), ("r",)) and len(words) > 1:
        words = words[1:]
        if words[0] not in RUNNERS and (kind := kind_of(ShellCommand(tuple(words)))) in KINDS_OF_PROGRAMS:
            return kind
    if name == "mise" and not words:
        return LIST
    for word in words[:3]:
        for kind, task in TASKS:
            if task.search(word):
                return kind
        if word in PROGRAMS[TEST] or word in PROGRAMS[CHECK] or word in PROGRAMS[FORMAT]:
            return BY_PROGRAM[word]
    return BUILD if name in ("make", "gmake", "ninja") and not words else RUN


def _stream_editor(command: ShellCommand) -> str:
    if any(word.startswith(("-i", "--in-place")) for word in command.arguments):
        return WRITE
    if command.writes:
        return WRITE
    return FILTER if command.is_piped else READ


SCRIPTED = frozenset(("sed", "awk", "jq", "yq", "grep", "egrep", "fgrep", "rg", "ag", "ack"))
"""Programs whose first word is no file, but a pattern or a script."""

TAKES_VALUE = frozenset(
    ("-n", "-c", "-A", "-B", "-C", "-m", "-e", "-f", "-F", "-v", "--lines", "--bytes", "-t", "-g", "--arg",
     "--glob", "--type", "--include", "--exclude", "--exclude-dir", "-d", "-s", "-r", "-k", "-L")
)  # fmt: skip
FLAGS = frozenset(("-n", "-r", "-c", "-s"))
"""Those of them that take none of a program whose first word is a script."""
NO_FILE = late_pattern(r"[*?$`{}|<>\n]|^-|^\d+[,p]|^[+]\d+$|^https?:|^(?i:env):|^\([^/\\]*$")
LONGEST = 260


def read_by(commands: Sequence[ShellCommand]) -> Iterator[str]:
    """Yield the files whose content the commands print."""
    for command in commands:
        kind = kind_of(command)
        if kind == READ and command.name != "git":
            yield from files_of(command)


def changed_by(commands: Sequence[ShellCommand]) -> Iterator[str]:
    """Yield the files that the commands write, move or remove."""
    for command in commands:
        kind = kind_of(command)
        yield from filter(is_file, command.writes)
        if command.name == "sed" and kind == WRITE:
            yield from files_of(command)
        elif results := written_by(command):
            yield from filter(is_file, results)
        elif kind == WRITE and command.name in ("awk", "gawk", "yq"):
            yield from files_of(command)[-1:]
        elif command.name in ("tee", "touch", "patch", "truncate") or kind == REMOVE:
            yield from filter(is_file, command.plain)
        elif kind == MOVE and command.name in ("mv", "cp"):
            named = [word for word in command.plain if is_file(word)]
            yield from named if command.name == "mv" else named[-1:]
        elif command.name == "git" and command.plain[:1] in (("mv",), ("rm",)):
            yield from filter(is_file, command.plain[1:])


def files_of(command: ShellCommand) -> list[str]:
    """Return the files that are among a command's words."""
    # `sed -n` takes no value, `head -n` does.
    with_value = TAKES_VALUE - FLAGS if command.name in SCRIPTED else TAKES_VALUE
    words = list(filter(None, operands(command.arguments, with_value)))
    if command.name in SCRIPTED and not any(word in ("-e", "-f", "--regexp") for word in command.arguments):
        words = words[1:]
    return [word for word in words if is_file(word)]


def search_terms(command: ShellCommand) -> tuple[str, list[str]]:
    """Return the pattern that a search looks for, and the paths where."""
    arguments = command.arguments
    if command.name == "git":
        arguments = arguments[arguments.index("grep") + 1 :] if "grep" in arguments else arguments
        command = ShellCommand(("grep", *arguments), command.writes)
    for option in ("-e", "--regexp"):
        if option in arguments[:-1]:
            return arguments[arguments.index(option) + 1], files_of(command)
    words = list(operands(arguments, TAKES_VALUE - FLAGS - {"-v", "-L"}))
    return (words[0] if words else ""), words[1:]


def is_file(word: str) -> bool:
    """Return whether a word can be the name of a file."""
    return 0 < len(word) <= LONGEST and not NO_FILE.search(word) and word not in (".", "..", "/", "-", ")")
