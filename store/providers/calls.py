"""Calls to a provider, within a deadline and of a bounded answer: one HTTP POST, never redirected, with its
key, which comes from the environment or a program that prints it, and is never stored; or one run of a
local program, asked on its standard input.
"""

from __future__ import annotations

import json
import os
import select
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from email.utils import parsedate_to_datetime
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, Protocol
from urllib.parse import SplitResult, urlsplit
from urllib.request import getproxies, proxy_bypass

from ..platform.processes import end_group
from ..platform.translation import _
from ..text.redaction import redact
from .errors import ErrorKind, ProviderError

LARGEST = 1_000_000
"""Bytes of an answer that are read, at most, unless a call says how many."""
LOOPBACK = ("localhost", "127.0.0.1", "::1")


def post(
    url: str,
    document: object,
    *,
    headers: Mapping[str, str],
    seconds: float,
    key: str = "",
    largest: int = LARGEST,
) -> Any:
    """Post a JSON document and return the one that answers, all within `seconds` and of `largest` bytes
    at most. Raises ProviderError."""
    parts = urlsplit(url)
    if key and parts.scheme == "http" and parts.hostname not in LOOPBACK:
        raise ProviderError(
            "auth", _("The key isn't sent to {hostname} without https.", hostname=parts.hostname)
        )
    body = json.dumps(document, ensure_ascii=False).encode("utf-8", "replace")
    connection = _connected(parts, seconds)
    status, received, raw = _exchange(connection, parts, body, headers, seconds, key, largest)
    text = raw.decode("utf-8", "replace")
    if status != 200:
        raise _refusal(status, text, received, key)
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise ProviderError("invalid", _("The server's answer is not valid JSON."), spent=True) from None


class KeySettings(Protocol):
    """Where a provider's key comes from: a variable's name, or a program and its arguments."""

    @property
    def key_env(self) -> str: ...

    @property
    def key_command(self) -> tuple[str, ...]: ...


def key_of(settings: KeySettings) -> str:
    """Return the provider's key, from the environment or a command; "" where none is configured. It is
    never stored. Raises ProviderError ("auth") where it can't be read."""
    if settings.key_command:
        return _checked(_printed(settings.key_command), settings.key_command[0])
    if not settings.key_env:
        return ""
    if not (result := os.environ.get(settings.key_env, "")):
        raise ProviderError(
            "auth", _("The environment has no {key_env}. Set it.", key_env=settings.key_env)
        )
    return _checked(result, settings.key_env)


DAY_MS = 86_400_000.0

SPENT_OUT = ("insufficient_quota", "billing", "credit balance", "exceeded your current quota")
STATUSES: dict[int, ErrorKind] = {
    401: "auth", 403: "auth", 404: "auth", 405: "auth", 402: "quota", 429: "rate", 529: "rate",
    408: "timeout", 400: "refused", 413: "refused", 415: "refused", 422: "refused",
}  # fmt: skip


def _connected(parts: SplitResult, seconds: float) -> HTTPConnection:
    host, port = parts.hostname or "", parts.port
    proxy = "" if host in LOOPBACK or proxy_bypass(host) else getproxies().get(parts.scheme, "")
    try:
        if parts.scheme == "https":
            secure = ssl.create_default_context()
            if via := urlsplit(proxy).hostname:
                connection: HTTPConnection = HTTPSConnection(
                    via, urlsplit(proxy).port or 80, timeout=seconds, context=secure
                )
                connection.set_tunnel(host, port or 443)
            else:
                connection = HTTPSConnection(host, port, timeout=seconds, context=secure)
        else:
            connection = HTTPConnection(host, port, timeout=seconds)
        connection.connect()
    except (OSError, HTTPException, UnicodeError, ValueError) as error:
        raise ProviderError(
            "unreachable", _("{host} can't be reached ({error}).", host=host, error=error)
        ) from error
    return connection


def _exchange(
    connection: HTTPConnection,
    parts: SplitResult,
    body: bytes,
    headers: Mapping[str, str],
    seconds: float,
    key: str,
    largest: int,
) -> tuple[int, Mapping[str, str], bytes]:
    """Send a request and return the status, headers and body of the answer."""
    end = time.monotonic() + seconds
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    sent = {"Content-Type": "application/json", "Accept": "application/json", **headers}
    # A socket's own timeout counts each read; a server that drips would never be too slow for it.
    watch = threading.Timer(seconds, _hang_up, (connection.sock,))
    watch.daemon = True
    watch.start()
    try:
        connection.request("POST", path, body, sent)
        response = connection.getresponse()
        raw = _body(response, largest)
    except ProviderError:
        raise
    except (OSError, HTTPException, ValueError) as error:
        late = time.monotonic() >= end or isinstance(error, TimeoutError)
        reason = (
            _("No answer within {seconds} s.", seconds=f"{seconds:g}") if late else _cut_off(error, key)
        )
        raise ProviderError("timeout", reason, spent=True) from error
    finally:
        watch.cancel()
        connection.close()
    return response.status, response.headers, raw  # type: ignore[return-value]


def _hang_up(sock: socket.socket) -> None:
    with suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)


def _body(response: HTTPResponse, largest: int) -> bytes:
    announced = response.length
    raw = response.read(largest + 1)
    if len(raw) > largest:
        raise ProviderError(
            "invalid",
            _("The answer is over {largest} bytes.", largest=f"{largest:,}"),
            spent=True,
        )
    if announced is not None and len(raw) < min(announced, largest):
        raise HTTPException(_("the answer was cut off"))
    return raw


def _cut_off(error: Exception, key: str) -> str:
    reason = _fit(str(error) or type(error).__name__, key)
    return _("The answer was cut off ({error}).", error=reason)


def _refusal(status: int, text: str, headers: Mapping[str, str], key: str) -> ProviderError:
    """Return the error that a status other than 200 means."""
    kind = STATUSES.get(status, "timeout" if status >= 500 else "refused")
    if status < 200 or 300 <= status < 400:
        return ProviderError(
            "auth", _("HTTP {status}: the address leads elsewhere. Fix url.", status=status)
        )
    wait = _wait(headers.get("Retry-After") or "")
    with suppress(ValueError, OverflowError):
        # OpenAI and Anthropic say it more exactly so.
        wait = max(0, round(min(float(headers.get("Retry-After-Ms") or ""), DAY_MS)))
    if kind == "rate" and any(words in text.lower() for words in SPENT_OUT):
        kind = "quota"
    if status == 503 and wait is not None:
        kind = "rate"
    message = _message(text)
    return ProviderError(
        kind,
        _("HTTP {status}", status=status) + (f": {_fit(message, key)}" if message else "."),
        retry_ms=wait,
    )


def _message(text: str) -> str:
    """Return the message of an error, wherever the server puts it; "" for a page of HTML."""
    try:
        result = json.loads(text)
    except (ValueError, RecursionError):
        return "" if text.lstrip().startswith("<") else text
    readers: tuple[Callable[[Any], Any], ...] = (
        lambda item: item["error"]["message"], lambda entry: entry["message"],
        lambda one: one["error"], lambda one: one["detail"],
    )  # fmt: skip
    for read in readers:
        with suppress(LookupError, TypeError):
            if isinstance(message := read(result), str):
                return message
    return text


def _fit(message: str, key: str) -> str:
    """Return a foreign message fit to be stored: on one line, at most 200 characters, without secrets."""
    line = " ".join((message.replace(key, "…") if key else message).split())
    return redact(line)[:200]


def _wait(header: str) -> int | None:
    """Return a Retry-After header (seconds, or a date) in ms; None where it is neither."""
    header = header.strip()
    with suppress(ValueError, OverflowError):
        return max(0, round(min(float(header), 86_400.0) * 1_000))
    with suppress(ValueError, TypeError):
        return max(0, round((parsedate_to_datetime(header).timestamp() - time.time()) * 1_000))
    return None


COMMAND_SECONDS = 10


def _printed(command: tuple[str, ...]) -> str:
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=COMMAND_SECONDS,
            check=True,
        )
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        # Not what it printed: that may be the key.
        name = type(error).__name__
        raise ProviderError(
            "auth", _("key_command {command} failed ({name}).", command=command[0], name=name)
        ) from None
    return done.stdout.decode("utf-8", "replace")


def _checked(text: str, origin: str) -> str:
    key = text.strip()
    if not key or not key.isascii() or not key.isprintable():
        raise ProviderError(
            "auth", _("What {origin} gives is not a key: it has to be plain ASCII.", origin=origin)
        )
    return key


MARK = "MEMTUI_OBSERVER"
"""Set in the program's environment. It may be an agent with hooks: these then remember nothing."""


def run(
    command: tuple[str, ...],
    text: str,
    *,
    folder: Path | None = None,
    seconds: float,
    largest: int = LARGEST,
) -> str:
    """Run a program, the text on its standard input, and return what it printed, all within `seconds`
    and of `largest` bytes at most. It runs in `folder`, which is made where it is missing, else where
    this process does. Raises ProviderError."""
    if folder is not None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    name = Path(command[0]).name
    with TemporaryFile() as given, TemporaryFile() as errors:
        given.write(text.encode("utf-8", "replace"))
        given.seek(0)
        try:
            process = subprocess.Popen(
                command,
                stdin=given,
                stdout=subprocess.PIPE,
                stderr=errors,
                cwd=folder,
                env={**os.environ, MARK: "1"},
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = _("{command} can't be run ({error}). Fix command.", command=command[0], error=error)
            raise ProviderError("auth", reason) from error
        output, was_stopped = _read(process, seconds, largest)
        error_text = _tail(errors)
    if was_stopped:
        reason = _("{name} gave no answer within {seconds} s.", name=name, seconds=f"{seconds:g}")
        raise ProviderError("timeout", reason, spent=True)
    if len(output) > largest:
        raise ProviderError(
            "invalid",
            _("{name} said over {largest} bytes.", name=name, largest=f"{largest:,}"),
            spent=True,
        )
    if process.returncode:
        reason = _(
            "{name} ended with {status}. {error}",
            name=name,
            status=process.returncode,
            error=error_text,
        ).strip()
        raise ProviderError("timeout", reason, spent=True)
    return output.decode("utf-8", "replace")


def _read(process: subprocess.Popen[bytes], seconds: float, largest: int) -> tuple[bytes, bool]:
    """Return what a process wrote, and whether it had to be stopped; its whole group is ended."""
    end = time.monotonic() + seconds
    output = bytearray()
    assert process.stdout is not None
    try:
        while len(output) <= largest:
            left = max(0.0, end - time.monotonic())
            if not select.select([process.stdout], [], [], left)[0]:
                return bytes(output), True
            chunk = os.read(process.stdout.fileno(), 65_536)
            if not chunk:
                process.wait(max(0.1, end - time.monotonic()))
                break
            output += chunk
    except subprocess.TimeoutExpired:
        return bytes(output), True
    finally:
        _end(process)
        process.stdout.close()
        process.wait()
    return bytes(output), False


def _end(process: subprocess.Popen[bytes]) -> None:
    # What it has started itself belongs to its group.
    end_group(process.pid)


def _tail(errors: IO[bytes]) -> str:
    size = errors.seek(0, os.SEEK_END)
    errors.seek(max(0, size - 2_000))
    return redact(" ".join(errors.read().decode("utf-8", "replace").split()))[-200:]
