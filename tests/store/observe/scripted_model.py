"""What a scripted model answers, what it was asked, and what it took."""

import json
from typing import Any

from memtui.store import Store
from memtui.store.providers.usage import DailyUsage, TokenUsage
from tests.store.scripted_server import Scripted


def said(text: str | None, *, tokens: int = 100, **message: Any) -> Scripted:
    """A chat completion that says this, of so many tokens read and 20 written."""
    choice = {"message": {"content": text, **message}, "finish_reason": "stop"}
    usage = {"prompt_tokens": tokens, "completion_tokens": 20}
    return Scripted(raw=json.dumps({"choices": [choice], "usage": usage}).encode())


def asked_of(body: dict[str, Any]) -> dict[str, Any]:
    """The turn that a chat completion was asked about."""
    found: dict[str, Any] = json.loads(body["messages"][-1]["content"])
    return found


def good(body: dict[str, Any], title: str = "Found the drift", **more: Any) -> str:
    """What a good model says about each event."""
    turn = asked_of(body)
    observations = [
        {
            "id": event["id"], "type": "bugfix", "title": f"{title} {place}", "subtitle": "in the clock",
            "narrative": "The clock drifted.", "facts": ["TTL is 24 h"], "concepts": ["clock"], **more,
        }
        for place, event in enumerate(turn["events"])
    ]  # fmt: skip
    document: dict[str, Any] = {"observations": observations}
    if "summary" in turn["wanted"]:
        document["summary"] = {"request": "stop the drift", "completed": "it is stopped"}
    return json.dumps(document)


def usage_of(store: Store) -> list[DailyUsage]:
    """What models were asked, by day."""
    return TokenUsage(store.db, store.transaction()).days()
