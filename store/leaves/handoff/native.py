"""A session taken over whole by another agent, which has an importer of its own: Codex takes Claude Code's.

Codex offers it to programs by its app server alone (`codex app-server`): lines of JSON-RPC, without the
version. Of what it imported before, and is as it was, it says nothing; its ledger does.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from threading import Timer
from typing import IO, Any

from ...agents.homes import read_json
from ...agents.registry import BY_NAME
from ...formats.transcripts.discovery import transcripts_of_session
from ...formats.transcripts.resumption import Resumption, place, transcripts
from ...links.foreground import find_program
from ...platform.errors import NotFoundError, StoreError
from ...platform.translation import _
from ...platform.version import own_version
from ...records.rows import Session
from ...store import Store
from .lines import recipient

SECONDS = 60.0
"""How long the import of one session is waited for."""
LEDGER = "external_agent_session_imports.json"
COMPLETED = "externalAgentConfig/import/completed"


def takes_whole(session: Session, to: str) -> bool:
    """Return whether an agent, by its name, has an importer for the sessions of this one's agent."""
    return session.agent in BY_NAME[to].imports


def imported(store: Store, session: Session, to: str) -> Resumption:
    """Have an agent import a session, and return how it is gone on with there. Raises NotFoundError where
    it has no importer for it, or the transcript is gone, and StoreError where it refuses it."""
    name = recipient(to)
    if name not in BY_NAME or not takes_whole(session, name):
        raise NotFoundError(
            "{agent} has no importer for a session of {other}. Without --native it is given a brief.",
            agent=name,
            other=session.agent,
        )
    id = session.content_session_id
    paths = [path for path in transcripts(session) if path.stem == id]
    if not paths:
        raise NotFoundError(
            "{agent} keeps no transcript of it here. Without --native {other} is given a brief.",
            agent=session.agent,
            other=name,
        )
    program = BY_NAME[name].programs[0]
    directory, obstacle = place(session, paths, program)
    if obstacle or directory is None:
        return Resumption(reason=obstacle)
    thread = _thread_of(name, find_program(program) or program, paths[0].resolve(), directory)
    with store.transaction():
        new = store.sessions.start(thread, agent=name, project=session.project, project_path=str(directory))
        store.sessions.continue_from(new, session.agent, id)
    return Resumption(BY_NAME[name].resume_command(thread) or (), directory)


def _thread_of(agent: str, program: str, path: Path, directory: Path) -> str:
    """Have Codex import a transcript, and return the id of the thread that it made of it."""
    with subprocess.Popen(
        [program, "app-server"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=directory,
    ) as server:
        timer = Timer(SECONDS, server.kill)
        timer.start()
        try:
            assert server.stdin is not None and server.stdout is not None
            return _imported_thread(agent, server.stdin, server.stdout, path, directory)
        except (OSError, ValueError) as error:
            raise _refused(str(error)) from error
        finally:
            timer.cancel()
            server.kill()


def _imported_thread(
    agent: str, requests: IO[bytes], answers: IO[bytes], path: Path, directory: Path
) -> str:
    client = {"name": "memtui", "title": "memtui", "version": own_version()}
    _send(requests, id=1, method="initialize", params={"clientInfo": client, "capabilities": None})
    messages = _messages(answers)
    home = _answer(messages, 1).get("codexHome")
    _send(requests, method="initialized")
    kinds = ("plugins", "skills", "mcpServers", "hooks", "subagents", "commands")
    details: dict[str, list[dict[str, str | None]]] = {kind: [] for kind in kinds}
    details["sessions"] = [{"path": str(path), "cwd": str(directory), "title": None}]
    item = {"itemType": "SESSIONS", "description": path.stem, "cwd": None, "details": details}
    params = {"migrationItems": [item]}
    _send(requests, id=2, method="externalAgentConfig/import", params=params)
    _answer(messages, 2)
    results = next((message for message in messages if message.get("method") == COMPLETED), {})
    for result in _objects(results.get("params"), "itemTypeResults"):
        for success in _objects(result, "successes"):
            if isinstance(thread := success.get("target"), str):
                return thread
        for failure in _objects(result, "failures"):
            raise _refused(str(failure.get("message")))
    ledger = read_json(Path(str(home)) / LEDGER)
    for record in reversed(list(_objects(ledger, "records"))):
        thread = str(record.get("imported_thread_id"))
        if record.get("source_path") == str(path) and any(transcripts_of_session(agent, thread)):
            return thread
    raise _refused(_("it made nothing of it, or what it made was deleted there"))


def _send(requests: IO[bytes], **message: object) -> None:
    requests.write(json.dumps(message).encode() + b"\n")
    requests.flush()


def _messages(answers: IO[bytes]) -> Iterator[dict[str, Any]]:
    for line in answers:
        message = json.loads(line)
        if isinstance(message, dict):
            yield message
    raise ValueError(_("it ended without an answer"))


def _answer(messages: Iterator[dict[str, Any]], id: int) -> dict[str, Any]:
    """Return the result of a request; ValueError of one that is refused, as by a version without it."""
    for message in messages:
        if message.get("id") == id and "method" not in message:
            if "error" in message:
                error = message["error"]
                raise ValueError(str(error.get("message") if isinstance(error, dict) else error))
            result = message.get("result")
            return result if isinstance(result, dict) else {}
    raise AssertionError


def _objects(value: object, name: str) -> Iterator[dict[str, Any]]:
    """Yield the objects of a list in an object, as far as these are what they are called."""
    items = value.get(name) if isinstance(value, dict) else None
    yield from (item for item in (items if isinstance(items, list) else []) if isinstance(item, dict))


def _refused(why: str) -> StoreError:
    return StoreError(
        "Codex could not import the session: {why}. Without --native it is given a brief.", why=why
    )
