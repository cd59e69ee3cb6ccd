"""The files that a script on a command line writes: `python - <<EOF`, `node -e`, `perl -pi`, patches and
PowerShell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...text.late_pattern import late_pattern
from .shell import ShellCommand

LONGEST = 20_000
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
QUOTED = late_pattern(r"[\"']([^\"'\n]{1,200})[\"']")
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
            yield from _in_script(script[:LONGEST])


def patched_files(patch: str) -> list[str]:
    """Return the files that a patch changes, adds or removes."""
    text = patch[: 4 * LONGEST]
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
        named.setdefault(name, []).extend(QUOTED.findall(listed))
    for pattern in WRITTEN:
        for text, name in pattern.findall(script):
            yield from [text] if text else named.get(name, [])[-3:]
    for name in BY_METHOD.findall(script):
        yield from named.get(name, [])[-3:]


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
