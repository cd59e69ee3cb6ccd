"""The line of an output that says what went wrong."""

from __future__ import annotations

import re

from .outcomes import ends

LONGEST = 200
STRONG = re.compile(
    r"^(?:\S{0,80}:\s*)?(?:(?:fatal|panic|error|ERROR|Error|FATAL|E)(?:\[\w+\])?[: ]\s*\S"
    r"|[A-Z]\w*(?:Error|Exception|Interrupt)\b|CONFLICT\b|ERR!|错误[：:]|致命错误|异常[：:])",
)
WEAK = re.compile(
    r"\b(?:error|failed|failure|cannot|can't|could not|couldn't|unable to|not found|no such file|denied"
    r"|undefined|invalid|refused|timed? ?out|unexpected|unknown|already exists|required)\b"
    r"|错误|失败|异常|找不到|未找到|无法|不存在|拒绝|超时|权限不足",
    re.IGNORECASE,
)
PLACED = re.compile(r"^\S{1,120}[:(]\d+(?:[:,]\d+)?\)?:? +\S")
RAISED = re.compile(
    r"^(?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception|Warning|Interrupt|Exit|Iteration)\b.*$", re.M
)
EMPTY = re.compile(
    r"^(?:Error: )?(?:Exit code:? \d+|exit status \d+|Command failed.{0,20})$|^[\W_]*$", re.I
)
PREFIX = re.compile(r"^(?:\[\S{1,40}\]\s*|E\s{2,}|npm ERR! ?|\d{4}-\d\d-\d\dT\S+\s+)+")


def error_of(output: str, *, in_code: bool = False) -> str | None:
    """The line that tells the error, else the first one; None where nothing is told.

    `in_code` prefers a line that names a place in code: what compilers, linters and tests print.
    """
    text = ends(output)
    if "Traceback (most recent call last)" in text and (raised := RAISED.findall(text)):
        return str(raised[-1])[:LONGEST]
    lines = [line.strip() for line in text.splitlines()]
    lines = [line for line in lines if line and not EMPTY.match(line)]
    if in_code and (placed := next(filter(PLACED.match, lines), None)):
        return placed[:LONGEST]
    for pattern in (STRONG, WEAK):
        for line in lines:
            plain = PREFIX.sub("", line)
            if plain and (pattern.match(plain) if pattern is STRONG else pattern.search(plain)):
                return _bare(plain)
    return _bare(PREFIX.sub("", lines[0])) or None if lines else None


def _bare(line: str) -> str:
    return line.removeprefix("Error: ").removeprefix("- ")[:LONGEST]
