"""Sessions as a table; one in full, with its prompts, observations and summaries: as a JSON object, and as
blocks; and its conversation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ...platform.clock import local_time, now_ms
from ...platform.translation import N_, _
from ...records.dataclasses import asdict
from ...records.rows import Session, SessionRow, Snippet
from ...search.listing.timeline import STEP, nested
from ...store import Store
from ...text.plural import count_noun
from ...text.times import duration
from .console import Row, localized, on_terminal, print_json, print_rows, print_text, tell
from .serializers import (
    Json,
    record_fields,
    record_json,
    ref,
    session_json,
    summary_fields,
    summary_json,
)

if TYPE_CHECKING:
    from ...records.events import Usage
    from ...tables.families import Family

    Block = tuple[str, Sequence[tuple[str, str | Sequence[str]]]]
    "What `print_block` takes: a title, and the names and values of fields."


def print_sessions(store: Store, rows: Sequence[SessionRow], *, as_json: bool) -> None:
    """Print sessions as a table, or as JSON."""
    from ...capture.waiting import states
    from ...search.completion.remarks import moved_sentence

    known = states(store, now_ms()) if rows else {}
    if as_json:
        print_json([session_json(row, known.get(row.session.id)) for row in rows])
        return
    for sentence in moved_sentence(store.db):
        tell(sentence)
    if not rows:
        tell("There are no sessions.")
    parents = store.sessions.parents()
    columns = ("id", "started", "project", "prompts", "observations", "about")
    print_rows(
        columns,
        (session_row(row, parents, known.get(row.session.id)) for row in rows),
        wide="about",
        right=("prompts", "observations"),
        first_out=("observations", "prompts", "project"),
    )
    if rows and on_terminal():
        tell("`mem session show ID` tells what one did, `mem session resume ID` goes on with it.")


def session_row(row: SessionRow, parents: Mapping[int, int], state: str | None) -> Row:
    """A session as a line; below it its agent, its status or `state`, its own id, and its family, as far as
    `parents` tells which session goes on from which."""
    session = row.session
    cells = (
        ref(session),
        local_time(session.started_at),
        session.project,
        str(row.prompts),
        str(row.observations),
        row.title or _("untitled"),
    )
    about = [session.agent, _("started by a program")] if session.automatic else [session.agent]
    about += [localized(state or row.status_at(now_ms())), session.content_session_id]
    about += [f"#{tag}" for tag in session.tags]
    family = [_("goes on from @{session}", session=parents[session.id])] if session.id in parents else []
    if children := [f"@{child}" for child, parent in parents.items() if parent == session.id]:
        family.append(_("goes on in {names}", names=", ".join(children)))
    if row.subagents:
        family.append(count_noun(row.subagents, "sub-agents"))
    return Row(*cells, below=Snippet(_(", ").join([*about, *family])))


def full_session_json(store: Store, session: Session) -> Json:
    """Return the session with what was read and written in it, under `session`, and its records."""
    tokens, family = asdict(store.sessions.usage(session)), store.sessions.family(session)
    return {
        "session": session_json(store.sessions.row(session)) | {"tokens": tokens},
        "family": {
            "sessions": [
                {
                    "ref": ref(relative.row.session),
                    "depth": relative.depth,
                    "subagents": [asdict(subagent) for subagent in relative.subagents],
                }
                for relative in family.members
            ],
            "tokens": asdict(family.usage),
            "lasted": family.lasted,
        },
        "prompts": [record_json(prompt) for prompt in store.prompts.of_session(session)],
        "observations": [
            record_json(observation) for observation in store.observations.of_session(session)
        ],
        "summaries": [summary_json(*level) for level in store.summaries.with_levels(session)],
    }


def _family_lines(family: Family) -> Iterator[tuple[str, str]]:
    """Yield a line for each session of a family and each sub-agent, and one of their time and tokens."""
    for relative in family.members:
        indent, row = STEP * relative.depth, relative.row
        yield ref(row.session), f"{indent}{row.session.agent}  {row.title or _('untitled')}"
        for subagent in relative.subagents:
            title = f"{subagent.title or subagent.id}, {count_noun(subagent.observations, 'observations')}"
            yield "", f"{indent}{STEP}{_('sub-agent')}  {title}"
    tokens = (
        _("tokens {tokens}", tokens=spent(family.usage)) if family.usage.output else _("tokens unknown")
    )
    yield N_("in all"), _(", ").join((duration(family.lasted), tokens))


def spent(usage: Usage) -> str:
    """Return the tokens that answers took."""
    return _("{input} in, {output} out", input=f"{usage.input:,}", output=f"{usage.output:,}")


def session_blocks(store: Store, session: Session) -> Iterator[Block]:
    """Yield the session's own block, one for each prompt and summary, and one of the observations."""
    row, usage = store.sessions.row(session), store.sessions.usage(session)
    counts = (
        count_noun(row.prompts, "prompts"),
        count_noun(row.observations, "observations"),
        count_noun(row.summaries, "summaries"),
    )
    own = dict(record_fields(session)) | {"status": localized(row.status_at(now_ms()))}
    fields = [*own.items(), (N_("holds"), _(", ").join(counts))]
    if machine := store.machine_name(session.origin):
        fields.append((N_("made on"), machine))
    if usage.output:
        fields.append((N_("tokens"), spent(usage)))
    yield _("session {ref}", ref=ref(session)), fields
    family = store.sessions.family(session)
    if not family.is_alone:
        yield _("family"), [*_family_lines(family)]
    for prompt in store.prompts.of_session(session):
        yield _("prompt {ref}", ref=ref(prompt)), list(record_fields(prompt))
    for summary, briefs in store.summaries.with_levels(session):
        yield _("summary {ref}", ref=ref(summary)), list(summary_fields(summary, briefs))
    if observations := store.observations.of_session(session):
        steps = store.observations.steps_below(session.id)
        lines = [
            (
                ref(item),
                f"{STEP * (item.id in steps)}{localized(item.type)}  {item.title or item.subtitle or ''}",
            )
            for item in nested(observations, lambda observation: observation.id, steps)
        ]
        yield _("observations"), lines


def print_conversation(store: Store, session: Session, *, as_json: bool) -> None:
    """Print what was asked, done and said in a session, in order."""
    from ...capture.conversation import conversation
    from ...capture.conversation_entries import conversation_markdown

    listed = conversation(store, session)
    if not as_json:
        print_text(conversation_markdown(listed, store.sessions.row(session).title or "untitled"))
        return
    names = ("kind", "at", "title", "type", "text", "refs", "path", "depth")
    entries = [{name: getattr(entry, name) for name in names} for entry in listed.entries]
    print_json({"entries": entries, "source": listed.source})
