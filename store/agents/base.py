"""Define `Agent`: the attributes in which agents differ, with the defaults that most of them share.

A module of this package defines a subclass of `Agent` and an instance of it, called `AGENT`; that,
and a reader in `memtui.store.formats.transcripts` where the agent writes transcripts, is all it takes to
support one more. The start of a session imports every such module and is waited for, so that at its
top a module imports this one only.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence, Set
    from pathlib import Path
    from typing import Any

    import apsw

    from ..records.events import Event, SpoolRecord

    Entry = Callable[[str], "Json"]
    """Makes the configuration's entry for one event, from the command to run."""

Json = dict[str, object]

SKILL = "memtui"
"""The name of our skill, and of its folder."""
COMMANDS = ("mem", "remember")
"""The names of our slash commands."""

CLAUDE_ENVELOPE = """
SELECT json_object(
    'hookSpecificOutput', json_object('hookEventName', :name, 'additionalContext', :text)
)
"""
"""How Claude Code takes a context, and those that speak its dialect. Codex refuses any other key."""


def grouped(matcher: str | None, timeout: int, name: str | None = None) -> Entry:
    """An entry that holds handlers, for what a matcher matches; `timeout` in the agent's unit."""

    def entry(command: str) -> Json:
        handler: Json = {"type": "command", "command": command, "timeout": timeout}
        named = handler if name is None else {"name": name, **handler}
        return ({} if matcher is None else {"matcher": matcher}) | {"hooks": [named]}

    return entry


def bash_entry(command: str) -> Json:
    """An entry of Copilot CLI's configurations, which VS Code reads too; the timeout in seconds."""
    return {"type": "command", "bash": command, "timeoutSec": 10}


class Agent:
    """One agent. Every attribute that has a default may be left as it is."""

    name: str
    """How users and stored rows name it: letters, digits and hyphens, 16 at most."""

    position: int
    """Its place in lists of agents, the smallest first."""

    aliases: tuple[str, ...] = ()
    """What people, and commands in older configurations, also call it."""

    home_folders: tuple[str, ...] = ()
    """The directories that it keeps in the home directory, that of its configuration first."""

    home_variable: str = ""
    """The environment's variable that says which the first one is instead; "" where there is none."""

    imports: tuple[str, ...] = ()
    """The agents whose sessions it takes over whole, by an importer of its own."""

    states: str = ""
    """The folder there of a file a process, which says how that process's session stands; "" for none."""

    below_home: str = ""
    """The folder in that directory which is its own; "" where all of it is."""

    # Hooks: events

    precedence: int | None = None
    """When it is asked whether an event is its own, the smallest first: an agent whose marks others'
    events may carry too is asked late. None: only the hook's command says that an event is its own."""

    own_events: tuple[str, ...] = ()
    """Names of events (`hook_event_name`) that no other agent has."""

    own_fields: tuple[tuple[str, ...], ...] = ()
    """Fields that together stand in no other agent's events; any of these groups will do."""

    own_result_field: str | None = None
    """A field of a `tool_result` that no other agent has."""

    own_path: str | None = None
    """What the paths of its transcripts hold, and no other agent's."""

    variable: str | None = None
    """A variable of the environment that says that this agent runs a hook. A hook's process keeps
    the names that `memtui.store.capture.hook_process` lists."""

    is_inherited: bool = False
    """Whether its variable is set for other agents too that it starts."""

    is_believed: bool = False
    """Whether a hook's command that names this agent goes before an inherited variable of another."""

    nameless: bool = False
    """Whether some of its events have no name. `memtui.store.capture.hook_process` lists such agents."""

    turn_field: str = "turn_id"
    """The field that names a turn, for an agent whose hooks speak Claude Code's dialect."""

    directory_fields: tuple[str, ...] = ("cwd",)
    """The fields that may hold the directory of a session; the first that holds text counts."""

    status_in_transcript: bool = False
    """Whether only its transcripts tell the exit status of a command, and its hooks don't."""

    tells_answers: bool = True
    """Whether its transcripts tell what tools answered, so that a call without an answer never ended."""

    ends_with_turns: bool = False
    """Whether a session counts as ended with each turn, until the next prompt: some runs tell no other
    end."""

    own_prompts: tuple[str, ...] = ()
    """How prompts begin that the agent wrote itself."""

    # Hooks: the answer and the configuration

    envelope: str | None = None
    """SQL for the bytes in which it takes a context (:text) at the event :name; None where hooks give
    no way to. SQL is at hand where `json` would have to be imported."""

    prompt_events: tuple[str, ...] = ()
    """The events of a prompt at which it takes a context too; "" for one without a name."""

    start_event: str = ""
    """The event at which it takes the context of a start, where not at the start itself: there it would
    stand before a slash command, which is none then."""

    subagent_events: tuple[str, ...] = ()
    """The events of a sub-agent's start at which it takes a context; `task_of` knows what about."""

    file_hooks: Mapping[str, Entry] = {}
    """What is registered besides `hooks` where the user wants to have hints on files: the event before
    a tool is used, of an agent that takes a context there and isn't stopped by a hook that fails."""

    hooks: Mapping[str, Entry] = {}
    """The events that its JSON configuration registers, in order, each with its entry. Only events
    that report something worth keeping; none that can stop the agent (a `preToolUse` that fails
    forbids the tool), and none that reports the same again. From the agents' own documentation."""

    header: Json = {}
    """What a new file of hooks begins with, beside "hooks"."""

    plugin: str | None = None
    """The template in `memtui.store.install` of the plugin, or script, that it takes instead of hooks."""

    plugin_events: tuple[str, ...] = ()
    """The events that each take a file of their own, in the places of whose `configuration` and
    `project_configuration` "{event}" stands."""

    is_tried: bool = True
    """True where this module was tried with the program itself, False where only with its documentation."""

    programs: tuple[str, ...] = ()
    """What its programs are called."""

    configuration: str = "hooks.json"
    """Its configuration, from the first of `folders`."""

    project_configuration: str = ""
    """Its configuration in a repository: the personal one, where there is one."""

    takes_tags: bool = False
    """Whether a brief for it divides its sections by tags, like its own instructions, not by headings."""

    handoff_heading: str = ""
    """The heading that stands above what another session hands over to it; "" for none."""

    next_steps: tuple[str, ...] = ()
    """What the user who has installed our hooks has to do before they run."""

    notes: tuple[str, ...] = ()
    """What there is to know of them, afterwards too."""

    project_steps: tuple[str, ...] = ()
    """Sentences for the user who has installed them for one repository."""

    silent_remedy: str | None = None
    """What to do where its hooks aren't heard, if restarting it is not what helps."""

    # Beside hooks: our MCP server, our skill, our commands

    server_configuration: str | None = None
    """The configuration that takes MCP servers, from the first of `folders`, JSON or TOML; None where
    it takes none, or where `server_configurations` says more."""

    server_key: str = "mcpServers"
    """The key of that configuration under which its MCP servers stand, each by its name."""

    skill: str | None = None
    """The file of our skill, from each of `editions`."""

    commands: str | None = None
    """The files of our slash commands, from each of `editions`, "{name}" where a command's name stands:
    Markdown, or TOML. None where users can't add any."""

    commands_have_heads: bool = True
    """Whether its commands in Markdown begin with front matter that holds their description."""

    typed_words: str = "what the user typed after the command"
    """The placeholder for the arguments in the text of a command; plain words for an agent that has none
    and appends the arguments."""

    # Transcripts

    import_position: int | None = None
    """Its place in lists of what can be imported; `position` unless given."""

    transcript_folders: tuple[str, ...] = ()
    """The folders in `transcript_root` that hold transcripts; none where none can be read."""

    transcript_names: str = ""
    """A regular expression of the paths of transcripts, from such a folder."""

    line_reader: str | None = None
    """The class that reads transcripts of lines, as "module.Class" in `store/formats/transcripts/agents`.
    The module's `recognizes(record)` says whether a JSON record is of such a transcript."""

    file_readers: Mapping[str, str] = {}
    """What reads transcripts that are rewritten as a whole, by suffix or by name. Its
    `recognizes_file(path)` says whether a file that isn't JSON is one."""

    history: str = ""
    """The file of `transcript_root` that keeps what was typed in all sessions; "" for none."""

    # Sessions

    resuming: tuple[str, ...] = ()
    """The command that goes on with a session, "{id}" where the session's own id stands; none where
    the agent has no such command."""

    prompting: tuple[str, ...] = ()
    """The command that starts a session with a first prompt, "{prompt}" where that stands, and leaves the
    user in it; none where the agent has no such command."""

    forking: tuple[str, ...] = ()
    """The command that goes on with a copy of a session, like `resuming`."""

    def recognizes(self, event: Mapping[str, Any], environment: Set[str], named: Agent | None) -> bool:
        """Whether an event is this agent's, by what it holds and by the environment of the hook;
        `named` is the agent that the hook's command names."""
        result = event.get("tool_result")
        return (
            (
                self.variable in environment
                and not (self.is_inherited and named is not None and named.is_believed)
            )
            or event.get("hook_event_name") in self.own_events
            or any(all(field in event for field in fields) for fields in self.own_fields)
            or (isinstance(result, dict) and self.own_result_field in result)
            or (self.own_path is not None and self.own_path in str(event.get("transcript_path") or ""))
        )

    def events(self, record: SpoolRecord) -> list[Event]:
        """The events that a hook reports; none for what is worth no memory.

        As Claude Code's hooks report them, unless overridden. Raises ValueError with a sentence where
        the record lacks what every event has.
        """
        from .payload import claude_events

        return claude_events(record, self.name, self.turn_field)

    def answer(self, db: apsw.Connection, event: str, context: str) -> bytes:
        """What a hook prints for an event of this name, to hand over a context; nothing for none."""
        if not context or self.envelope is None:
            return b""
        return str(db.execute(self.envelope, {"name": event, "text": context}).get).encode()

    def task_of(self, event: Mapping[str, Any]) -> str:
        """Return the task that a sub-agent is started with, "" where its transcript names none yet."""
        return ""

    def folders(self, home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
        """The directories that it keeps, that of its configuration first."""
        first, *others = self.home_folders
        own = home / (environment.get(self.home_variable) or first) / self.below_home
        return (own, *(home / other for other in others))

    def editions(self, home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
        """The directories that take what we install; more than one where editions keep their own."""
        return self.folders(home, environment)[:1]

    def configurations(self, home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
        """The user's configurations that take hooks, one for each edition."""
        editions = self.editions(home, environment)
        return tuple(file for path in editions for file in self._files(path, self.configuration))

    def project_configurations(self, project: Path) -> tuple[Path, ...]:
        """The configurations of a repository that take hooks."""
        return self._files(project, self.project_configuration)

    @property
    def takes_hooks(self) -> bool:
        """Return whether hooks can be installed for it. Of other agents only transcripts are read."""
        return bool(self.hooks or self.plugin)

    def _files(self, folder: Path, name: str) -> tuple[Path, ...]:
        if not self.takes_hooks:
            return ()
        return tuple(folder / name.format(event=event) for event in self.plugin_events or ("",))

    def server_configurations(self, home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
        """The user's configurations that take MCP servers; none where it takes none."""
        if self.server_configuration is None:
            return ()
        return tuple(path / self.server_configuration for path in self.editions(home, environment))

    def own_files(self, home: Path, environment: Mapping[str, str]) -> tuple[tuple[str, Path], ...]:
        """The files that are ours alone, each with the name of the skill or command that it holds."""
        skills = [] if self.skill is None else [(SKILL, self.skill)]
        commands = [(name, (self.commands or "").format(name=name)) for name in COMMANDS]
        kinds = [*skills, *(commands if self.commands is not None else [])]
        editions = self.editions(home, environment)
        return tuple((name, folder / path) for folder in editions for name, path in kinds)

    def server(self, words: Sequence[str]) -> Json:
        """The entry of an MCP server that this command starts, given as separate words."""
        return {"command": words[0], "args": list(words[1:])}

    def settings_root(self, home: Path, environment: Mapping[str, str]) -> Path:
        """The directory of all programs' settings, where editors keep theirs."""
        from ..platform.paths import APPLICATION_SUPPORT, is_mac

        if is_mac():
            return home / APPLICATION_SUPPORT.decode()
        return home / (environment.get("XDG_CONFIG_HOME") or ".config")

    def transcript_root(self, home: Path, environment: Mapping[str, str]) -> Path:
        """The directory that holds `transcript_folders`."""
        return self.folders(home, environment)[0]

    def transcript_places(self, home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
        """The directories that may hold its transcripts, and the file of its history, last."""
        root = self.transcript_root(home, environment)
        places = (*self.transcript_folders, self.history)
        return tuple(root / place for place in places if place)

    def resume_command(self, session_id: str, *, fork: bool = False) -> tuple[str, ...] | None:
        """The command that goes on with a session of this agent's own id, or with a copy of it; None where
        there is none."""
        words = self.forking if fork else self.resuming
        return tuple(word.replace("{id}", session_id) for word in words) or None

    def prompt_command(self, prompt: str) -> tuple[str, ...] | None:
        """The command that starts a session with a first prompt; None where there is none."""
        return tuple(word.replace("{prompt}", prompt) for word in self.prompting) or None

    def resumes(self, transcript: Path) -> bool:
        """Return whether `resume_command` can resume the session of a transcript."""
        return True

    def file_reader(self, path: Path) -> str | None:
        """What reads a transcript as a whole; None for one of lines."""
        return self.file_readers.get(path.name) or self.file_readers.get(path.suffix)
