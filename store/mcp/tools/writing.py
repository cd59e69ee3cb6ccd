"""The tools that write, each for the agent that calls: `add` stores an observation, a fact or a note,
`supersede` replaces a fact, `report` says of a memory that it is wrong or was of use."""

from __future__ import annotations

from ...platform.errors import InvalidRecordError
from ...records.kinds import bare_ref, ref, ref_of
from ...records.rows import FACT_KINDS, Common, Session, fact_kind
from .tool import LONGEST_TEXT, PLAIN_TEXT, Tool, ToolAnswer, ToolCall, choice, output, switch, text, texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ...store import Store

OF_A_KIND = {
    "observation": ("type", "details", "facts", "concepts", "files_read", "files_modified", "tags"),
    "fact": ("fact_kind", "entities", "evidence", "everywhere"),
    "note": ("path", "everywhere"),
}
"""What can be said of a kind besides its text and project."""


def _add(call: ToolCall, arguments: Mapping[str, Any]) -> ToolAnswer:
    """Store what the arguments say, and answer its id."""
    from ...text.redaction import scrub

    kind = arguments["kind"]
    for name in arguments:
        owner = [word for word, names in OF_A_KIND.items() if name in names]
        if owner and kind not in owner:
            raise InvalidRecordError(
                f"{name} is said of a {' or '.join(owner)}, not of a {kind}. Leave it out."
            )
    full_text = " ".join([arguments["text"], arguments.get("details", ""), *arguments.get("facts", ())])
    if not scrub(full_text).strip():
        raise InvalidRecordError(
            "Nothing was stored: no text is left once the private parts are removed. Say it without them."
        )
    with call.memory.writing("mcp add", call.client.agent) as store, store.change() as action:
        session = call.client.session(store, call.meta)
        project = _project(call, store, session, arguments)
        if session is None and kind != "note":
            session = store.sessions.start(None, agent=call.client.agent, project=project)
        added, what = _ADDING[kind](store, call, session, project, arguments)
        action.what = f"{what} added"
    waits = store.reviewing.is_waiting(added)
    return _answer(added, what, session, project, call.client.agent, waits=waits)


def _project(call: ToolCall, store: Store, session: Session | None, arguments: Mapping[str, Any]) -> str:
    """The project it is about: the one named, "" for everywhere, else the session's or the one here."""
    if arguments.get("everywhere"):
        if arguments.get("project"):
            raise InvalidRecordError("project and everywhere exclude each other. Give one of them.")
        return ""
    if named := arguments.get("project"):
        return str(named)
    here = (session.project if session else "") or store.known_projects.of(call.client.folder)[0]
    if not here and arguments["kind"] != "observation":
        raise InvalidRecordError("The project isn't known here. Give project, or everywhere=true.")
    return here


def _observation(
    store: Store, call: ToolCall, session: Session | None, project: str, arguments: Mapping[str, Any]
) -> tuple[Common, str]:
    assert session is not None
    added = store.observations.add(
        session,
        title=arguments["text"],
        type=arguments.get("type", "note"),
        narrative=arguments.get("details"),
        facts=arguments.get("facts", ()),
        concepts=arguments.get("concepts", ()),
        files_read=arguments.get("files_read", ()),
        files_modified=arguments.get("files_modified", ()),
        tags=arguments.get("tags", ()),
        project=project,
        agent=call.client.agent,
        prompt_number=store.sessions.newest_prompt_number(session.id),
    )
    return added, f"observation {ref('observation', added.id)}"


def _fact(
    store: Store, _call: ToolCall, session: Session | None, project: str, arguments: Mapping[str, Any]
) -> tuple[Common, str]:
    from ...context.compact.answer import find

    added = store.facts.add(
        arguments["text"],
        kind=fact_kind(arguments.get("fact_kind", "world")) or "W",
        project=project,
        session=session,
        speaker="assistant",
        entities=arguments.get("entities", ()),
        evidence=[
            find(store, ref_of(store.record(item)), hidden=True).uid
            for item in arguments.get("evidence", ())
        ],
    )
    return added, f"fact {ref('fact', added.id)}"


def _note(
    store: Store, _call: ToolCall, _session: Session | None, project: str, arguments: Mapping[str, Any]
) -> tuple[Common, str]:
    path = arguments.get("path", "").strip()
    if not path:
        raise InvalidRecordError("A note has a path, such as NOTES.md. Give path.")
    from ...context.compact.answer import find

    written = store.notes.upsert(path, arguments["text"], project=project)
    # What stood there may be a teammate's that agents aren't told; the error takes the change back.
    find(store, ref_of(written), hidden=True)
    return written, f"note {ref('note', written.id)}"


_ADDING = {"observation": _observation, "fact": _fact, "note": _note}


WAITS = " It waits for the user's word (`mem review`): no session is told it before."


def _answer(
    added: Common, what: str, session: Session | None, project: str, agent: str, *, waits: bool
) -> ToolAnswer:
    from ...context.compact.answer import one_line

    kind, id = what.split()
    where = f" in {one_line(project, 20)}" if project else ""
    content = f" of session @{session.id}" if session else ""
    values = {"id": id, "uid": added.uid, "kind": kind, "agent": agent}
    if session:
        values["session"] = f"@{session.id}"
    if project:
        values["project"] = one_line(project, 40)
    shown = WAITS if waits else " `get` shows it."
    return ToolAnswer(f"Stored {kind} {id}{where}, by {agent}{content}.{shown}", values)


ADD = Tool(
    "add",
    "Remember something",
    "Store what later sessions should know: an observation (something learned, decided or done), a fact "
    "(a statement held true), or a note (a text under a path, which takes the place of what was there). "
    "Secrets and <private> parts are removed. Answers the id. Not for what the code or git says already.",
    {
        "kind": choice("What it is.", "observation", "fact", "note"),
        "text": text("The observation's title in a line, the fact's statement, or the note.", LONGEST_TEXT),
        "type": text("Of an observation: bugfix, decision, discovery, feature … any word."),
        "details": text("Of an observation: the story, in a few sentences.", LONGEST_TEXT),
        "facts": texts("Of an observation: single statements.", 50, 10_000),
        "concepts": texts("Of an observation: what it is about, in a word each."),
        "files_read": texts("Of an observation: paths of files read.", 200, 4_096),
        "files_modified": texts("Of an observation: paths of files changed.", 200, 4_096),
        "tags": texts("Of an observation: tags."),
        "fact_kind": choice("Of a fact.", *FACT_KINDS.values()),
        "entities": texts("Of a fact: whom or what it names."),
        "evidence": texts("Of a fact: ids of memories that show it."),
        "path": text("Of a note: its name, such as NOTES.md.", 1_000),
        "project": text("The project it is about; else the one worked in."),
        "everywhere": switch("Of a fact or note: it holds in every project."),
    },
    ("kind", "text"),
    output(
        ("id", "uid", "kind", "agent"),
        id=PLAIN_TEXT,
        uid=PLAIN_TEXT,
        kind=PLAIN_TEXT,
        agent=PLAIN_TEXT,
        session=PLAIN_TEXT,
        project=PLAIN_TEXT,
    ),
    _add,
    reads=False,
    repeats=False,
)


def _supersede(call: ToolCall, arguments: Mapping[str, Any]) -> ToolAnswer:
    """Have a fact be superseded by another one, or by a new statement."""
    statement, by = arguments.get("text"), arguments.get("by")
    if (statement is None) == (by is None):
        raise InvalidRecordError(
            "Say what holds instead: text with the new statement, or by with a fact's id."
        )
    from ...context.compact.answer import find

    with call.memory.writing("mcp supersede", call.client.agent) as store:
        named = [arguments["id"]] if by is None else [arguments["id"], by]
        old, *others = [store.facts.get(bare_ref(name)) for name in named]
        for fact in (old, *others):
            find(store, ref("fact", fact.id), hidden=True)
        if others:
            superseded = store.superseding.supersede(old, others[0])
        else:
            session = call.client.session(store, call.meta)
            superseded = store.superseding.supersede_by_text(old, str(statement), session, "assistant")
        waits = store.reviewing.is_waiting(superseded.new)
    was, now = ref("fact", superseded.old.id), ref("fact", superseded.new.id)
    if waits:
        return ToolAnswer(
            f"Stored fact {now}, which supersedes {was} once the user has accepted it.{WAITS}",
            {"id": was, "superseded_by": now, "changed": False},
        )
    again = "" if superseded.is_new else " already"
    return ToolAnswer(
        f"Fact {was} is{again} superseded by {now}; no session is told {was} any more. A person can take "
        f"that back: mem fact reinstate {was}",
        {"id": was, "superseded_by": now, "changed": superseded.is_new},
    )


SUPERSEDE = Tool(
    "supersede",
    "Replace a fact",
    "Say that a fact (f12) no longer holds and what holds in its place: a new statement, or another fact's "
    "id. The old one stays to be read, and sessions are no longer told it. For a memory that is simply "
    "wrong, use report.",
    {
        "id": text("The fact that no longer holds, such as f12."),
        "text": text("The statement that holds now.", LONGEST_TEXT),
        "by": text("The id of the fact that holds now, where it is stored already."),
    },
    ("id",),
    output(
        ("id", "superseded_by", "changed"),
        id=PLAIN_TEXT,
        superseded_by=PLAIN_TEXT,
        changed={"type": "boolean"},
    ),
    _supersede,
    reads=False,
    destroys=True,
)


LONGEST_REASON = 2_000


def _report(call: ToolCall, arguments: Mapping[str, Any]) -> ToolAnswer:
    """Report a memory that may be seen."""
    from ...context.compact.answer import find

    verdict, agent = arguments["verdict"], call.client.agent
    with call.memory.writing("mcp report", agent) as store:
        record = find(store, arguments["id"])
        store.reporting.report(record, verdict, arguments.get("reason", ""), agent)
    id = ref_of(record)
    return ToolAnswer(
        f"Reported {id} as {verdict}. Nothing else was changed: a person sees it in the browser. Where you "
        "know what holds instead, `add` it, or `supersede` the fact.",
        {"id": id, "verdict": verdict, "agent": agent},
    )


REPORT = Tool(
    "report",
    "Report a memory",
    "Say of a memory that it is wrong (outdated, misleading, not true), with the reason, or that it was "
    "useful. A person who curates sees that; the memory itself stays as it is.",
    {
        "id": text("The memory: 12, p12, s12 or f12."),
        "verdict": choice("What it is.", "wrong", "useful"),
        "reason": text("Why, in a sentence: what is wrong, and how you know.", LONGEST_REASON),
    },
    ("id", "verdict"),
    output(("id", "verdict", "agent"), id=PLAIN_TEXT, verdict=PLAIN_TEXT, agent=PLAIN_TEXT),
    _report,
    reads=False,
)
