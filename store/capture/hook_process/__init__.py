"""The process that an agent starts at each event and waits for: it imports next to nothing.

What it can't ask the agents' modules stands here, and a test compares the two; and what it has in common
with the child that it leaves behind: the event, its ticket, the settings in the spool.
"""

import time

from ...platform.paths import KIND_OF_FILE, PRIVATE_FILE, REGULAR, config_path_bytes
from ...platform.system import posix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

AGENT_VARIABLES = (b"COPILOT_CLI", b"GEMINI_SESSION_ID", b"CLAUDECODE", b"CURSOR_VERSION")
"""Variables of the environment that say which agent really runs a hook."""

STARTS = (b'"SessionStart"', b'"sessionStart"', b'"session.created"')
TURNS = (
    *STARTS, b'"SessionEnd"', b'"sessionEnd"', b'"session.deleted"', b'"server.instance.disposed"',
)  # fmt: skip
NAMELESS_AGENTS = ("copilot",)
NAMELESS_STARTS = (b'"source"',)
NAMELESS_TURNS = (*NAMELESS_STARTS, b'"reason"')
"""Names that mark the events which start and end a session, and keys for agents that send no names."""

REPLIES = (
    b'"Stop"', b'"StopFailure"', b'"Interrupt"', b'"AfterAgent"', b'"afterAgentResponse"',
    b'"session.idle"', b'"agent_end"', b'"post_cascade_response"',
)  # fmt: skip
NAMELESS_REPLIES = (b'"stopReason"',)
"""Names, or keys where there are none, that mark the events which end a turn."""

PROMPTS = (b'"UserPromptSubmit"', b'"BeforeAgent"', b'"chat.message"')
NAMELESS_PROMPTS = (b'"prompt"',)
"""What stands in the events of a prompt that agents take a context at."""

BEFORE_TOOL = b'"PreToolUse"'
"""What stands in the event before a tool is used."""
SUBAGENT_START = b'"SubagentStart"'
"""The name in the event of a sub-agent's start, as JSON."""

CHILD = b".child"
"""The end of the name of a file in the spool: of a child that has ended, behind its process id."""

LARGEST_SETTING = 65_536
"""Bytes of a file that says what isn't stored."""

STREAMS = 3
"""Standard input, output and error are the files of the first numbers."""

CONTROLS = bytes(range(32))


class HandedOver:
    """An event as an agent has handed it over: its bytes, when that was (ms since the epoch), how long it
    took (us), and where. `begun` is when the process began, in monotonic ns."""

    def __init__(self, database: bytes, agent: str, raw: bytes, begun: int) -> None:
        self.database = database
        self.agent = agent
        self.raw = raw
        self.folder = working_directory()
        self.at = time.time_ns() // 1_000_000
        self.took = (time.monotonic_ns() - begun) // 1_000


class Ticket:
    """A pipe in the spool, as long as an event is on its way there: its name, and the open file."""

    def __init__(self, spool: bytes, name: bytes) -> None:
        self.name = name
        self.path = spool + b"/" + name
        posix.mkfifo(self.path, PRIVATE_FILE)
        self.file = posix.open(self.path, posix.O_RDWR | posix.O_NONBLOCK | posix.O_CLOEXEC)
        while self.file < STREAMS:
            # The agent has closed one of them.
            self.file = posix.dup(self.file)

    def give_back(self) -> None:
        """Say that the event is there."""
        in_spite_of_errors(posix.unlink, self.path)
        posix.close(self.file)


def exclusion_globs(spool: bytes) -> bytes:
    """The globs of what is never stored, a line each. Raises OSError where they can't be read, or are
    too many to be looked at while an agent waits."""
    return read_setting(spool + b"/excluded") or b""


def read_setting(path: bytes) -> bytes | None:
    """A small file; None where there is none, or something that is no file and can't hold a setting.

    Raises OSError for a file that can't be read or is too large. Nothing is waited for: an open pipe
    would never answer.
    """
    try:
        file = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NONBLOCK)
    except FileNotFoundError:
        return None
    except OSError:
        if is_file(posix.stat, path):
            raise
        return None
    try:
        if not is_file(posix.fstat, file):
            return None
        content = posix.read(file, LARGEST_SETTING + 1)
    finally:
        posix.close(file)
    if len(content) > LARGEST_SETTING:
        raise OSError("there are too many settings")
    return content


def user_config() -> bytes:
    """The user's configuration; empty where there is none, or none that can be read."""
    try:
        return read_setting(config_path_bytes()) or b""
    except OSError:
        return b""


def is_file(status: "Callable[[Any], posix.stat_result]", place: bytes | int) -> bool:
    """Whether there is a regular file, as one of the system's two ways to ask says."""
    try:
        return status(place).st_mode & KIND_OF_FILE == REGULAR
    except OSError:
        return False


def working_directory() -> bytes:
    """The directory that the agent runs the hook in, escaped for a JSON string; empty where it is gone."""
    try:
        folder = posix.getcwdb()
    except OSError:
        return b""
    return folder.translate(None, CONTROLS).replace(b"\\", b"\\\\").replace(b'"', b'\\"')


def in_spite_of_errors(call: "Callable[..., object]", *words: "int | bytes") -> bool:
    """Ask the system for something; whether it was done."""
    try:
        call(*words)
    except OSError:
        return False
    return True
