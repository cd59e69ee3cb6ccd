"""Meeting a machine now, in a process of its own, which no key waits for."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from memtui.store.sync.background import sync_command
from memtui.store.text.plural import count_noun
from memtui.store.translation import _


async def sync_now(path: Path, name: str) -> str:
    """Meet a machine from the memory at `path`, and tell in a sentence or two what came of it."""
    process = await asyncio.create_subprocess_exec(
        *sync_command(path, name),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        # Away from the terminal, where ssh would ask for a passphrase.
        start_new_session=True,
    )
    # Where the browser is left meanwhile, it goes on to its end.
    out, errors = await process.communicate()
    try:
        return told(json.loads(out)[0])
    except (ValueError, LookupError):
        return errors.decode(errors="replace").strip() or _("{name} could not be met.", name=name)


def told(meeting: dict[str, Any]) -> str:
    """Return what came of a meeting, as `mem sync --json` has it, in a sentence or two."""
    name = meeting["place"]
    if "trouble" in meeting:
        return f"{name}: {meeting['trouble']}"
    given, taken = (meeting[way].get("stored", 0) for way in ("given", "taken"))
    parts = [
        _(
            "Synced with {name}: {given} given, {taken} taken.",
            name=name,
            given=f"{given:,}",
            taken=f"{taken:,}",
        )
    ]
    if not given and not taken:
        parts = [_("Synced with {name}: nothing was new.", name=name)]
    if refused := meeting["refused"]:
        parts.append(_("{rows} refused.", rows=count_noun(len(refused), "rows")))
    if conflicts := meeting["conflicts"]:
        parts.append(
            _(
                "{texts} had changed on both sides: m compares them.",
                texts=count_noun(conflicts, "texts"),
            )
        )
    return " ".join((*parts, *meeting["notes"][:2]))
