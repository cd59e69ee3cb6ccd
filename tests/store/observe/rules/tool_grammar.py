"""A grammar of what agents report of tools: command lines of several shells, whole, odd and cut off, and
payloads of any shape. The same seed gives the same reports."""

import random
from collections.abc import Callable

from memtui.store.observe.rules import tools
from memtui.store.observe.rules.tool_output import CODES, PLACES, TEXTS
from memtui.store.records.events import ToolUse

PROGRAMS = (
    "git", "git commit", "git commit -m", "git commit -F -", "git push", "git grep", "git -C", "git log",
    "gh pr create --title", "gh", "pip install", "python", "python -m", "python -c", "uv run", "npm", "npm run",
    "make", "mise", "go", "cargo test", "pytest", "docker exec", "docker compose exec web", "kubectl", "ssh",
    "sed", "sed -n", "sed -i", "awk", "grep -e", "rg", "find . -exec", "cat", "head -n", "tee", "mv", "cp a",
    "rm -rf", "perl -pi -e", "node -e", "bash -c", "bash -lc", "sh", "xargs", "sudo", "env", "time", "exec",
    "timeout 5", "./run.sh", "build.ps1", "echo", "printf", ":", "[", "[[", "((", "test", "true", "/bin/ls",
    "Get-Content", "Set-Content -Path", "Out-File", "mem", "C:\\tools\\x.exe", "'' ", '""', "$CMD", "测试",
)  # fmt: skip
WORDS = (
    "a.py", "src/b.py", "'a b'", '"$x"', "$(date)", "`id`", "$((1+2))", "${x:-y}", "-m", "-c", "-e", "-n",
    "--", "-", "--title", "--message=", "--message=Mend", "-am", "-", "{a,b}", "*.py", "''", '""', "\\", "\\ ",
    "=", "x=1", "x=", "a=(1 2 3)", "!", "{", "}", "(", ")", "[", "]]", "\ud83d", "数据.py", "é", "\x1b[31m", "\0",
    "12345678901234567890", "#x", "--fixup", "-F", "run", "exec", "-C", "HEAD:a.py", "'\\''", "s/a/b/", "1,9p",
    "$'a\\nb'", "<(sort a)", "%PATH%", "@(1,2)", "-Path", "$env:X", "|", ";;", "in", "do", "done", "fi",
)  # fmt: skip
REDIRECTIONS = (
    "> app.log", ">app.log", ">> a", "2>&1", "&> all", ">| x", "< in", "<<< 'text'", "2>/dev/null", ">", "<",
    ">&-", "1>&2", "> ''", '> ""', "> $(x)", ">&", "<>f",
)  # fmt: skip
JOINS = (" && ", " || ", "; ", " | ", " & ", "\n", " |& ", ";", ";;", " \\\n", "&&")
LINES = (
    "", " ", "\n", ";", "&&", "|", "&", "> a", "#", "# only a comment", "<<", "<<EOF", "'", '"', "`", "$(", "(",
    "()", "f() { :; }", "function f { }", "f() (ls)", "case x in a) ls;; *) ;; esac", "for i in; do :; done",
    "while read l; do echo; done < a", "if true; then :; fi > out", "{ ls; } > out", "(ls) 2>&1 | tee a",
    "a=(1 2); echo ${a[@]}", "coproc x { ls; }", "! ls", "time", "sudo", "env X=1", "exec 3>&1", "((i++))",
    "[[ -f a ]] && > b", "bash -c", "bash -c ''", "bash -c '> x'", "sh <<< ls", "bash <<'E'\n> x\nE",
    "cat <<A <<B\n1\nA\n2\nB", "cat <<-'X' > a\n\tb\n\tX", "git commit -F - <<'M'\n\nM", "git commit -m \"$(cat <<'E'\nE\n)\"",
    "if test -f a; end", "for f in *; rm $f; end", "set -x PATH a $PATH; and ls; or false", "echo (date)",
    "print -l **/*(.om[1])", "autoload -Uz x && x", "=ls", "dir /s & del x", "if exist a (del a) else (echo)",
    "for %i in (*) do @echo %i", "@echo off\r\nset X=1\r\n", "copy NUL a", "Get-ChildItem | % { $_ }",
    "$x = @{ a = 1 }; $x | Out-File a", "& { > a }", "Set-Content", "'a' > b", "$null > a", "1..3 | % { }",
    "Get-Content a -Raw | Select-String '(' ", "@'\nhere\n'@ | Set-Content -Path a", "try { } catch { }",
)  # fmt: skip
OUTPUTS = (
    "", "\n", " ", "ok", "Exit code: 1", "Exit code 99999999999999999999", "exit status 2\n", "[main abc1234] Mend",
    "[main abc1234] ", "FAILED a::b - x", "= 1 failed, 2 passed in 0.1s =", "Traceback (most recent call last):\n",
    "error: x", "\x1b[31merror\x1b[0m: ", "1\t→", "1→a\n2→b", "1|a", "│", " a | 3 ++-", "added 1 package", "v1.2",
    "{", "[", "[]", "{}", "null", "\ud800", "\0", "{\"output\": \"x\", \"metadata\": {\"exit_code\": 1}}", "[" * 2_000,
    "<task_result>", "<usage>", "agentId: x", "User has answered your questions: \"a\"=\"b\". ", "\"a\"=\"", "The user doesn't want to",
    "found 0 matches of the string", "https://example.org/a/b/pull/1", "commit abc1234", "Successfully installed a-1 b",
    "go: added a v1", "Process exited with code -1", "<untrusted_context>Output: x\nExit Code: 1", "error[E1]", "diff: a",
    "@@ -1 +1 @@", "+++ b/a\n--- a/a", "*** Begin Patch\n*** Update File: a\n@@\n-a\n+b\n*** End Patch", "a\r\nb\rc", "✖ 3 problems",
)  # fmt: skip
NAMES = (
    *(names[0] for names in tools.ACTIONS.values()), "", " ", "mcp__", "mcp__x__bash", "mcp__github__list", "mcp:", "functions.",
    "functions.exec", "Bash", "Task", "AskUserQuestion", "request_user_input", "ExitPlanMode", "MultiEdit", "str_replace_editor",
    "\ud800", "工具", "wait_agent", "NotebookEdit", "delete_file", "x" * 300, "skill", "savememory", "__", "TodoWrite",
)  # fmt: skip
FIELDS = tuple(
    dict.fromkeys(
        (
            *tools.PATHS, *tools.PATCHES, *tools.BEFORE, *tools.AFTER, *tools.CONTENT, "edits", "questions", "answers",
            "options", "todos", "plan", "code", "old_path", "prompt", "chars", "replacements", "question", "header",
            "label", "status", "step", "multiSelect", "instruction", "line", "view_range", "cell_id", "server",
            *(name for names in tools.SUBJECTS.values() for name in names),
        )
    )
)  # fmt: skip
ANSWERS = (
    *TEXTS, *CODES, *PLACES, "is_error", "interrupted", "structuredPatch", "originalFile", "filenames", "contents",
    "returnDisplay", "fileDiff", "diff", "resultType", "status", "answers", "questions", "type", "isAsync", "task",
    "agentId", "lines", "oldStart", "backgroundTaskId", "file", "userModified", "hunks", "changes", "patch",
)  # fmt: skip


class Grammar:
    """Makes reports of tool uses."""

    def __init__(self, seed: object) -> None:
        self.random = random.Random(str(seed))

    def one_of(self, *makers: Callable[[], object]) -> object:
        return self.random.choice(makers)()

    def line(self, depth: int = 2) -> str:
        """A command line."""
        chance = self.random.random()
        if chance < 0.15:
            line = self.random.choice(LINES)
        else:
            joined = self.random.choices(JOINS, k=4)
            line = "".join(self._command(depth) + join for join in joined[: self.random.randint(1, 4)])
            line = line.removesuffix(joined[0]) if chance < 0.8 else line
        if self.random.random() < 0.15:
            line = line[: self.random.randint(0, len(line))]
        return line

    def _command(self, depth: int) -> str:
        inner = self.line(depth - 1) if depth and self.random.random() < 0.25 else ""
        words = self.random.choices(WORDS, k=self.random.randint(0, 4))
        redirections = self.random.choices(REDIRECTIONS, k=self.random.choice((0, 0, 0, 1, 2)))
        program = self.random.choice((self.random.choice(PROGRAMS), self.random.choice(PROGRAMS), ""))
        parts = [program, *words, *redirections]
        if self.random.random() < 0.3:
            self.random.shuffle(parts)
        plain = " ".join(filter(None, parts))
        forms = (
            f"({inner})", f"{{ {inner}; }}", f"bash -c '{inner}'", f'sh -c "{inner}', f"$({inner})", f"f() {{ {inner}; }}; f",
            f"{plain} <<EOF\n{inner}\nEOF", f"{plain} <<'X' > o\n{inner}", f"if {inner}; then {plain}; fi", f"{plain} # {inner}",
            f"for x in {inner}; do {plain}; done", f"& {{ {inner} }}", f"sudo {inner}", f"a=({inner})", f"! {inner}",
        )  # fmt: skip
        return self.random.choice(forms) if inner else plain

    def text(self) -> str:
        """A text that isn't long: a line, an output, words."""
        some = self.random.choices((*OUTPUTS, *WORDS, *LINES), k=self.random.randint(1, 3))
        return str(self.one_of(self.line, lambda: "\n".join(some), lambda: some[0]))

    def value(self, depth: int = 3, fields: tuple[str, ...] = FIELDS) -> object:
        """A JSON value of any shape."""
        plain = (
            self.text, self.text, self.text, lambda: None, lambda: True, lambda: False, lambda: self.random.choice((0, 1, -1, 2)),
            lambda: 10**300, lambda: 1e308, lambda: float("nan"), lambda: "", list, dict,
        )  # fmt: skip
        if not depth or self.random.random() < 0.5:
            return self.one_of(*plain)
        if self.random.random() < 0.4:
            return [self.value(depth - 1, fields) for _ in range(self.random.randint(0, 3))]
        return self.fields(depth, fields)

    def fields(self, depth: int = 3, fields: tuple[str, ...] = FIELDS) -> dict[str, object]:
        """An object with a few of these fields."""
        names = self.random.choices(fields, k=self.random.randint(0, 4))
        return {name: self.value(depth - 1, fields) for name in names}

    def tool_use(self) -> ToolUse:
        """A use of a tool: more often than not a command."""
        response = self.one_of(
            self.text,
            self.text,
            lambda: self.fields(3, ANSWERS),
            lambda: self.value(3, ANSWERS),
            lambda: None,
        )
        failed, code = self.random.random() < 0.3, self.random.choice((None, None, 0, 1, -1, 10**30))
        if self.random.random() < 0.5:
            given: object = self.fields(2) | {
                "command": self.one_of(self.line, self.line, lambda: self.line().split())
            }
            return ToolUse("Bash", given, response, failed, code)
        given = self.fields() if self.random.random() < 0.9 else self.value()
        return ToolUse(self.random.choice(NAMES), given, response, failed, code)

    def words(self) -> str:
        """A prompt or a reply: sentences, lists, tables, quotations, code and what commands printed."""
        forms = (
            "{}", "- {}", "1. {}", "2. {}", "# {}", "**{}**", "> {}", "| {} | {} |", "|---|", "```sh\n{}\n```", "```\n", "~~~{}",
            "Always {}.", "I decided to {}: {}", "Should I {}?", "yes but no {}", "Option A: {}", "B", "1", "The cause is {}.",
            "<answer>{}</answer>", "<{}>", "    {}", "\t{}", "以后{}。", "决定：{}", "$ {}", "at {}:1", "[x] {}", "- [ ] {}", "---", "",
        )  # fmt: skip
        chosen = self.random.choices(forms, k=self.random.randint(0, 8))
        return "\n".join(form.replace("{}", self.text()) for form in chosen)

    def payload(self, agent: str) -> dict[str, object]:
        """What a hook is given by an agent: its own fields with values of any kind, some missing."""
        known: dict[str, object] = {
            "session_id": "s", "sessionId": "s", "conversation_id": "s", "cwd": "/tmp", "hook_event_name": self.random.choice(EVENTS),
            "tool_name": "Bash", "toolName": "Bash", "tool_input": {"command": self.line()}, "tool_response": self.text(),
            "tool_use_id": "t", "prompt": self.words(), "last_assistant_message": self.words(), "timestamp": 1, "agent": agent,
        }  # fmt: skip
        for name in self.random.sample((*known, *ANSWERS, *FIELDS), 6):
            known[name] = self.value()
        for name in self.random.sample(list(known), 3):
            del known[name]
        return known


EVENTS = (
    "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop", "SubagentStop", "SessionEnd",
    "PreCompact", "Notification", "AfterTool", "BeforeAgent", "AfterAgent", "beforeSubmitPrompt", "afterShellExecution",
    "afterFileEdit", "stop", "tool.execute.after", "chat.message", "session.idle", "userPromptSubmitted", "postToolUse", "",
)  # fmt: skip
