"""VS Code's Copilot Chat, whose hooks speak Claude Code's dialect with names of their own."""

from __future__ import annotations

from .base import CLAUDE_ENVELOPE, Agent, Json, bash_entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from ..records.events import Event, SpoolRecord

EDITIONS = ("Code", "Code - Insiders", "VSCodium")
REMOTE = (".vscode-server", ".vscode-server-insiders", ".vscode-remote", ".vscodium-server")
"""The folders in a home to which another machine's VS Code connects, or in a container."""
CHATS = (
    "workspaceStorage",
    "globalStorage/emptyWindowChatSessions",
    "globalStorage/GitHub.copilot-chat/transcripts",
)
"""Where chats lie below a user's settings."""


class VSCode(Agent):
    """Copilot Chat in VS Code; a chat is a session, and what was answered stands in its file."""

    name = "vscode"
    position = 120
    aliases = ("vs-code", "vscode-copilot", "copilot-chat", "visual-studio-code")

    precedence = 8
    own_fields = (("hookEventName", "sessionId"),)

    envelope = CLAUDE_ENVELOPE
    hooks = dict.fromkeys(("SessionStart", "UserPromptSubmit", "PostToolUse", "Stop"), bash_entry)
    header = {"version": 1}
    programs = ("code", "code-insiders", "codium")
    project_configuration = ".github/hooks/memtui.json"
    next_steps = ("Hooks are a preview of VS Code: `chat.useHooks` has to be on.",)
    notes = (
        "Copilot CLI runs these hooks too, and VS Code those of Copilot CLI and of Claude Code: an "
        "event that comes twice is stored once.",
    )
    is_tried = False

    server_key = "servers"

    transcript_folders = tuple(f"{edition}/User/{folder}" for edition in EDITIONS for folder in CHATS)
    transcript_names = (
        r"^([^/]+/chatSessions/)?[^/]+\.jsonl?$"
        r"|^([^/]+/)?[Gg]it[Hh]ub\.copilot-chat/transcripts/[^/]+\.jsonl$"
    )
    line_reader = "vscode.VSCodeTranscript"
    file_readers = {".json": "vscode.VSCodeChat", ".jsonl": "vscode.VSCodeChat"}

    def events(self, record: SpoolRecord) -> list[Event]:
        """The event of a hook; at the end of a turn the chat's file is to be read."""
        from pathlib import Path

        from ..records.dataclasses import replace
        from .payload import text

        payload = record.event
        session = text(payload, "sessionId", "session_id")
        named = text(payload, "transcript_path")
        folder = Path(named).parent.parent.parent / "chatSessions"
        paths = (folder / f"{session}{suffix}" for suffix in (".jsonl", ".json"))
        chat = next((str(path) for path in paths if session and path.is_file()), None)
        if chat is None and self.file_reader(Path(named)) is None and Path(named).is_file():
            chat = named
        event = payload | {
            "hook_event_name": text(payload, "hookEventName", "hook_event_name"),
            "session_id": session,
            "transcript_path": chat,
        }
        return super().events(replace(record, event=event))

    def file_reader(self, path: Path) -> str | None:
        """Newer versions keep a chat as a file of lines."""
        return None if path.parent.name == "transcripts" else super().file_reader(path)

    def folders(self, home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
        """The settings of each edition."""
        root = self.transcript_root(home, environment)
        return tuple(root / edition / "User" for edition in EDITIONS)

    def configurations(self, home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
        """With the hooks of Copilot CLI, where VS Code looks for them."""
        return (home / (environment.get("COPILOT_HOME") or ".copilot") / "hooks/memtui-vscode.json",)

    def server_configurations(self, home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
        """`mcp.json` beside the settings, of each edition that is there, else of the first."""
        folders = self.folders(home, environment)
        there = tuple(folder for folder in folders if folder.is_dir()) or folders[:1]
        return tuple(folder / "mcp.json" for folder in there)

    def transcript_places(self, home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
        """Also those of sessions that another machine's VS Code held here."""
        remote = tuple(home / server / "data/User" / folder for server in REMOTE for folder in CHATS)
        return super().transcript_places(home, environment) + remote

    def server(self, words: Sequence[str]) -> Json:
        """An entry names its transport."""
        return {"type": "stdio", **super().server(words)}

    def transcript_root(self, home: Path, environment: Mapping[str, str]) -> Path:
        """The directory of all programs' settings."""
        return self.settings_root(home, environment)


AGENT = VSCode()
