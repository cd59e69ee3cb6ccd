"""The commands of `mem`, a module each (or a few that share a subject), imported when they are
called."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..command import Group

COMMANDS = {
    "add": ("add", "Add an observation and print its id."),
    "search": ("search", "Search the memory, best first."),
    "tail": ("tail", "Show what is stored, as it is stored."),
    "pick": ("shell.pick", "Pick memories in the browser's search, and print them."),
    "timeline": ("timeline", "Show what happened around a memory, in time order."),
    "show": ("timeline", "Show records in full, and sessions with all they hold."),
    "session": (
        "session",
        "Start, end, link, list, show, resume, delete, restore and purge sessions.",
    ),
    "prompt": ("prompt", "Add what the user asked and print its id."),
    "summary": ("summary", "Add a summary of a session and print its id."),
    "fact": ("fact", "Add, list and show facts."),
    "note": ("note", "Put, list and show notes."),
    "pin": ("curation.flags", "Pin memories, so that new sessions are given them first."),
    "unpin": ("curation.flags", "Unpin memories."),
    "private": ("curation.flags", "Hide memories from every list, search and export."),
    "delete": ("curation.flags", "Delete memories."),
    "restore": ("curation.flags", "Bring deleted memories back."),
    "purge": (
        "curation.purge",
        "Forget memories for good: no undo, no import and no sync brings them back.",
    ),
    "tag": ("curation.flags", "Add tags to observations, or take them away."),
    "report": ("report", "Report a memory as wrong or useful, for whoever curates."),
    "edit": ("curation.edit", "Edit memories, all of those named or none; print their ids."),
    "merge": ("curation.merge", "Merge several memories of one kind into one; print its id."),
    "trash": ("curation.trash", "List what is deleted, bring it back, or forget it for good."),
    "undo": ("curation.undo", "Take back the last change, or the last N, and tell which."),
    "redo": ("curation.undo", "Redo the last change you undid, or the last N."),
    "history": (
        "curation.history",
        "List what people changed, the newest first; of a memory, its versions.",
    ),
    "revert": (
        "curation.undo",
        "Undo one change and keep later ones; the revert is itself a change.",
    ),
    "import": (
        "imports",
        "Bring in another tool's memory or agents' transcripts, or what is new in them.",
    ),
    "export": ("export", "Write the memory down in another format."),
    "sync": ("sync", "Keep a directory and the memory in step, both ways."),
    "install": (
        "setup.install",
        "Install hooks that record what an agent does, and what lets it use the memory.",
    ),
    "uninstall": (
        "setup.install",
        "Take the hooks, and what was installed with them, out of an agent's configuration.",
    ),
    "agents": (
        "setup.agents",
        "Show each agent: found, installed, what it has beside hooks, its last event, its events today.",
    ),
    "hook": ("capture", "Take one event of an agent, JSON on standard input."),
    "pause": ("capture", "Have hooks remember nothing for now."),
    "resume": ("capture", "Have hooks remember again."),
    "exclude": ("capture", "List, add or take away what hooks never remember."),
    "queue": (
        "queue.messages",
        "List, process, retry and drop what waits, and what could not be stored.",
    ),
    "context": ("context", "Print what a session that starts now would be told."),
    "handoff": (
        "handoff",
        "Hand a session over: a brief of what was asked, decided, done and left.",
    ),
    "mcp": ("mcp", "Serve the memory to an agent (Model Context Protocol)."),
    "project": ("project", "List projects, and merge those that are one."),
    "dedupe": ("dedupe", "List memories that say nearly the same, and why."),
    "retention": ("retention", "Say how long memories are kept, and let the older ones go."),
    "shell-init": (
        "shell.init",
        "Print what binds Ctrl+G to mem pick in a shell, and has Tab complete mem.",
    ),
    "config": ("setup.config", "Show and change your configuration, config.toml."),
    "embeddings": (
        "embeddings.vectors",
        "Choose the model that makes vectors of memories, build and drop them.",
    ),
    "stats": (
        "statistics",
        "Count what the memory holds, in all and by time, type, project and agent.",
    ),
    "doctor": ("maintenance", "Check the file, its indexes, and what hooks bring."),
    "backup": ("backup", "Copy the memory, verified, into a new file."),
    "restore-backup": ("backup", "Put a backup in the memory's place, and keep what was there."),
    "reset": ("backup", "Start anew: move the memory aside, or delete it."),
    "repair": ("maintenance", "Salvage a damaged memory into a new file."),
    "rebuild": ("maintenance", "Make the indexes anew from the rows."),
}
"""Each command's module, and its line in the help."""


def declared_in(module: str) -> Group:
    """Return the commands that a module declares."""
    declared: Group = import_module(f".{module}", __name__).app
    return declared
