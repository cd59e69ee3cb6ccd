"""A program in a pseudo-terminal: what it paints, and how long after a key."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import Self

ESCAPES = re.compile(rb"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[@-Z\\-_]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")


class Terminal:
    """Runs a command in a pty of `columns` × `rows`; killed at the end of its `with`."""

    def __init__(
        self, command: Sequence[str], environment: dict[str, str], columns: int = 140, rows: int = 40
    ) -> None:
        self.started = perf_counter()
        size = struct.pack("HHHH", rows, columns, 0, 0)
        self.process, self.file = pty.fork()
        if self.process == 0:
            # By itself, before it looks: how wide it is must not depend on who is first.
            fcntl.ioctl(0, termios.TIOCSWINSZ, size)
            # These would be believed before the terminal's own size.
            others = {name: environment[name] for name in environment.keys() - {"COLUMNS", "LINES"}}
            os.execvpe(command[0], list(command), others | {"TERM": "xterm-256color"})
        self.raw = b""
        self.has_ended = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self.has_ended:
            os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)
        os.close(self.file)

    def exit_code(self) -> int:
        """Wait until the program ends by itself; what it ends with."""
        self.quiet(seconds=30, at_most=30)
        _, status = os.waitpid(self.process, 0)
        self.has_ended = True
        return os.waitstatus_to_exitcode(status)

    def send(self, keys: str) -> None:
        """Type something; what was painted before is forgotten."""
        self.raw = b""
        os.write(self.file, keys.encode())

    def wait_for(self, text: str, seconds: float = 30) -> float:
        """Read until a text was painted; the moment (perf_counter) at which it was."""
        return self.wait_until(lambda painted: text in painted, text, seconds)

    def wait_until(
        self, good: Callable[[str], bool], what: str = "the screen", seconds: float = 30
    ) -> float:
        """Read until what was painted since the last `send` satisfies a condition."""
        deadline = perf_counter() + seconds
        while (moment := perf_counter()) < deadline:
            if self.raw and good(self.painted()):
                return moment
            if select.select([self.file], [], [], 0.05)[0]:
                self.raw += os.read(self.file, 65_536)
        raise TimeoutError(f"{what} was not painted within {seconds} s, but: {self.painted()[-1_000:]}")

    def quiet(self, seconds: float = 0.4, at_most: float = 2.0) -> None:
        """Read until nothing was painted for so long (a cursor may blink on), or the program ended."""
        deadline = perf_counter() + at_most
        while perf_counter() < deadline and select.select([self.file], [], [], seconds)[0]:
            try:
                self.raw += os.read(self.file, 65_536)
            except OSError:
                return

    def painted(self) -> str:
        """The text painted since the last `send`, without escape sequences."""
        return ESCAPES.sub(b"", self.raw).decode("utf-8", "replace")

    def memory_mb(self) -> float:
        """Resident memory of the process."""
        pages = int(Path(f"/proc/{self.process}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def most_memory_mb(self) -> float:
        """Resident memory of the process when it was the most."""
        status = Path(f"/proc/{self.process}/status").read_text()
        return int(status.partition("VmHWM:")[2].split()[0]) * 1024 / 1e6

    def cpu_seconds(self) -> float:
        """CPU time that the process has taken, in the user's mode and in the system's."""
        fields = Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def read_for(self, seconds: float) -> None:
        """Read whatever is painted for so long."""
        deadline = perf_counter() + seconds
        while (left := deadline - perf_counter()) > 0:
            if select.select([self.file], [], [], left)[0]:
                self.raw += os.read(self.file, 65_536)
