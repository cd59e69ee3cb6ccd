"""The commands of `mem`, a module each (or a few that share a subject), imported when they are
called."""

from __future__ import annotations

from importlib import import_module

from ...platform.leaves import has_leaf, leaf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..command import Group

    Listed = tuple[str, str]
    """Where a command is declared, and its line in the help. That is a module, here or in a leaf, of which
    `app` or what stands behind a colon declares it; "" for one that is only a parent."""

PANELS: dict[str, dict[str, Listed]] = {
    "Everyday": {
        "add": ("add", "Add an observation and print its id."),
        "search": ("search", "Search memories, best first; `mem pick` picks some of them."),
        "show": ("timeline", "Show records in full, and sessions with all they hold."),
        "timeline": ("timeline", "Show what happened around a memory, in time order."),
        "session": (
            "session",
            "Start, end, list, show, resume, hand over, move and delete sessions, and add to them.",
        ),
        "fact": ("fact_and_note:facts", "Add, list and show facts."),
        "note": ("fact_and_note:notes", "Put, list and show notes."),
    },
    "Curate": {
        "edit": ("edit", "Edit memories, all of those named or none; print their ids."),
        "pin": ("flags", "Pin memories, so that new sessions are given them first."),
        "delete": ("flags", "Delete memories."),
        "trash": ("purge", "List what is deleted, bring it back, or forget it for good."),
        "undo": ("history", "Take back the last change, or the last N, and tell which."),
        "curate": ("", "Tag, hide, merge and report memories; see, redo and revert changes."),
    },
    "Agents": {
        "install": (
            "agents",
            "Install hooks that record what an agent does, and what lets it use the store.",
        ),
        "uninstall": (
            "agents",
            "Take the hooks, and what was installed with them, out of an agent's configuration.",
        ),
        "agents": (
            "agents",
            "Show each agent: found, installed, what it has beside hooks, its last event, those of today.",
        ),
        "files": (
            "leaves.files.commands.listing",
            "See, check and edit what agents are told at a start, what it costs, and what they note.",
        ),
        "hook": (
            "hook",
            "Take an agent's event; pause hooks, and exclude what they never take.",
        ),
    },
    "Exchange": {
        "import": (
            "imports",
            "Bring in another tool's store or agents' transcripts, or what is new in them.",
        ),
        "export": ("export", "Write the store down in another format."),
        "sync": (
            "leaves.sync.commands",
            "Keep this store in step with those of other machines, by ssh or a folder.",
        ),
        "team": (
            "leaves.team.commands",
            "Share memories with a team, on a PostgreSQL of yours; `mem sync team` meets it.",
        ),
    },
    "Care": {
        "doctor": ("maintenance", "Check the file, its indexes, and what hooks bring."),
        "config": ("config", "Show and change your configuration, config.toml."),
        "queue": (
            "queue",
            "List, process, retry and drop what waits, and what could not be stored.",
        ),
        "store": ("", "Count, back up, restore, repair and thin out the store; make its vectors."),
    },
}
"""The commands in sight, each panel in the order of the help."""

UNDER: dict[str, dict[str, Listed]] = {
    "session": {
        "prompt": ("add", "Add what the user asked and print its id."),
        "summary": ("add", "Add a summary of a session and print its id."),
        "context": ("context", "Print what a session that starts now would be told."),
        "blame": (
            "leaves.blame.commands",
            "Tell which session wrote a file, a line or a commit, and why.",
        ),
        "digest": (
            "leaves.digest.commands",
            "Tell what was done, decided, left and failed since yesterday, by project.",
        ),
        "handoff": (
            "leaves.handoff.commands",
            "Hand a session over: a brief of what was asked, decided, done and left.",
        ),
    },
    "trash": {
        "restore": ("flags", "Bring deleted memories back."),
        "purge": (
            "purge",
            "Forget memories for good: no undo, no import and no sync brings them back.",
        ),
    },
    "curate": {
        "tag": ("flags", "Add tags to observations and sessions, or take them away."),
        "unpin": ("flags", "Unpin memories."),
        "private": ("flags", "Hide memories from every list, search and export."),
        "still-true": ("flags", "Say that memories whose files have changed are still true."),
        "report": ("flags", "Report a memory as wrong or useful, for whoever curates."),
        "review": ("review", "Accept, reword or refuse what agents, models and teammates wrote."),
        "merge": ("merge", "Merge several memories of one kind into one; print its id."),
        "dedupe": ("merge", "List memories that say nearly the same, and why."),
        "project": ("project", "List projects, and merge those that are one."),
        "pick": ("pick", "Pick memories in the browser's search, and print them."),
        "history": (
            "history",
            "List what people changed, the newest first; of a memory, its versions.",
        ),
        "redo": ("history", "Redo the last change you undid, or the last N."),
        "revert": (
            "history",
            "Undo one change and keep later ones; the revert is itself a change.",
        ),
    },
    "hook": {
        "pause": ("hook", "Have hooks remember nothing for now."),
        "resume": ("hook", "Have hooks remember again."),
        "exclude": ("hook", "List, add or take away what hooks never remember."),
        "mcp": ("hook", "Serve the store to an agent (Model Context Protocol)."),
    },
    "config": {
        "shell-init": (
            "config",
            "Print what binds Ctrl+G to mem pick in a shell, and has Tab complete mem.",
        ),
    },
    "store": {
        "archive": (
            "leaves.archive.commands",
            "Keep agents' transcripts, plans and notes where the agents delete them.",
        ),
        "stats": (
            "leaves.statistics.commands",
            "Count what the store holds, in all and by time, type, project and agent, and what it cost.",
        ),
        "tail": ("tail", "Show what is stored, as it is stored."),
        "embeddings": (
            "leaves.embeddings.commands",
            "Choose the model that compares what memories mean, and try it.",
        ),
        "retention": ("retention", "Say how long memories are kept, and let the older ones go."),
        "backup": ("maintenance", "Copy the store, verified, into a new file."),
        "restore-backup": ("maintenance", "Put a backup in the store's place, and keep what was there."),
        "rebuild": ("maintenance", "Build the indexes again from the rows."),
        "repair": ("maintenance", "Salvage a damaged store into a new file."),
        "reset": ("maintenance", "Start over: move the store aside, or delete it."),
    },
}
"""What stands under a parent, beside what the parent's own module declares. Each is called by its name
alone too: `mem repair` is `mem store repair`."""

COMMANDS = {name: listed for panel in PANELS.values() for name, listed in panel.items()}
"""The commands in sight."""
ALL_COMMANDS = COMMANDS | {name: listed for inner in UNDER.values() for name, listed in inner.items()}
"""Whatever may stand behind `mem`."""


def in_sight(commands: dict[str, Listed]) -> dict[str, Listed]:
    """Return those of the commands whose modules are there: all but those of leaves that are missing."""
    return {
        name: listed
        for name, listed in commands.items()
        if not listed[0].startswith("leaves.") or has_leaf(listed[0].split(".")[1])
    }


def declared_in(name: str) -> Group:
    """Return the commands that the module of a command declares."""
    from ..command import Group

    place, line = ALL_COMMANDS[name]
    if not place:
        return Group(line)
    path, _colon, attribute = place.partition(":")
    if path.startswith("leaves."):
        module = leaf(path.removeprefix("leaves."))
    else:
        module = import_module(f".{path}", __name__)
    declared: Group = getattr(module, attribute or "app")
    return declared
