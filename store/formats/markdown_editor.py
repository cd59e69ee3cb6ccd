"""A record edited as a Markdown document in the user's own editor: which editor that is, the document, and
what was written so far, which no mistake and no conflict loses."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..curation.editing import AnyRecord, field_values
from ..database.files import temporary
from ..links.editor import EditorError, open_in_editor
from ..platform.errors import EditConflictError, InvalidRecordError
from ..platform.paths import make_spool_directory
from ..platform.translation import _
from ..records.fields import editable, heading
from ..records.kinds import kind_of, ref
from ..records.rows import SHOWN_KINDS
from ..text.display import safe
from .markdown_pages import block, quoted


class Draft:
    """What the editor is given of a record, as it was read first or as it was written last."""

    def __init__(self, record: AnyRecord) -> None:
        self.record = record
        """What the document is compared with: the record as it was read."""
        self.document = to_document(record)
        """What the editor is given."""
        self.problem = ""
        """What the document's top says is wrong."""
        self._first = self.document
        self._refused: str | None = None

    @property
    def file_name(self) -> str:
        """Return a name for the document's file: `observation-12.md`."""
        kind = kind_of(self.record)
        return f"{kind}-{self.record.id}.md"

    def is_untouched(self, written: str) -> bool:
        """Return whether nothing was ever written: the document is as it was made of the record."""
        return written == self._first

    def is_given_up(self, written: str) -> bool:
        """Return whether the editor left the document as it got it, or wrote again what was refused."""
        return written in (self.document, self._refused)

    def read(self, written: str) -> dict[str, Any]:
        """Return the fields that were changed. Raises InvalidRecordError; the document then says why,
        above what was written."""
        try:
            return read_document(written, self.record)
        except InvalidRecordError as error:
            self.refuse(written, str(error))
            raise

    def refuse(self, written: str, problem: str) -> None:
        """Have the editor given what was written again, with what is wrong at its top."""
        self._refused = written
        self.document = with_problem(written, problem)
        self.problem = problem

    def conflict(self, written: str, error: EditConflictError) -> None:
        """Have the editor given what was written again, with what others have changed at its top; what
        is written from now on is compared with theirs."""
        present: AnyRecord = error.present  # type: ignore[assignment]
        fields = read_document(written, self.record)
        self.refuse(written, _both(self.record, present, fields))
        self.record = present


def _both(read: AnyRecord, present: AnyRecord, fields: dict[str, Any]) -> str:
    """What both say, where another process has changed the memory meanwhile."""
    kind = kind_of(present)
    lines = [
        _(
            "{kind} {ref} was changed meanwhile. Save to store what stands below; leave this as it "
            "is to keep theirs. They have changed:",
            kind=_(kind).capitalize(),
            ref=ref(kind, present.id),
        )
    ]
    before = field_values(read)
    for name, value in field_values(present).items():
        if value != before[name]:
            mine = _(" (you: {value})", value=f"{fields[name]!r:.200}") if name in fields else ""
            lines.append(f"  {name}: {value!r:.400}{mine}")
    if len(lines) == 1:
        lines.append(_("  whether it is pinned, private or deleted"))
    return "\n".join(lines)


def edited(name: str, text: str) -> str:
    """Have the user edit a text, in a file of this name; return what comes back. Raises what `run_editor`
    and `read_written` raise."""
    with temporary.directory("memtui-edit-") as folder:
        write_document(folder / name, text)
        run_editor(folder / name)
        return read_written(folder / name)


def run_editor(path: Path) -> None:
    """Let the user edit a file with $VISUAL, $EDITOR, or an editor that is found. InvalidRecordError
    says why it could not be edited."""
    try:
        open_in_editor(path)
    except EditorError as error:
        raise InvalidRecordError("{error} Nothing was changed.", error=error) from error


def write_document(path: Path, document: str) -> None:
    """Write a document to a file that only its owner reads."""
    path.touch(0o600)
    path.write_text(document, "utf-8")
    path.chmod(0o600)


def read_written(path: Path) -> str:
    """Return what stands in the file that was edited, `` where it is gone."""
    return path.read_bytes().decode("utf-8", "replace") if path.exists() else ""


def keep(path: Path, written: str, database: Path) -> str:
    """Keep what was written beside the memory, where a purge looks too, else among temporary files;
    return where."""
    directory = None
    with suppress(OSError):
        directory = make_spool_directory(database)
    descriptor, kept = tempfile.mkstemp(".md", f"mem-{path.stem}-", directory)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(written)
    return kept


PROBLEM = "# mem: "
"""How the lines at the top begin that say what is wrong."""

HINT = _(
    "# Save and leave to store it; leave it as it is and nothing changes. What you delete here stays\n"
    "# as it was: to empty a field, leave its name.\n"
)


def to_document(record: AnyRecord) -> str:
    """Return a record as the document that is edited."""
    kind = kind_of(record)
    lines = ["---", HINT.rstrip("\n"), f"{kind}: {quoted(ref(kind, record.id))}"]
    long: list[str] = []
    for name, field in editable(kind).items():
        value = getattr(record, name)
        if field.form == "text":
            long.append(f"\n**{heading(name)}**\n\n{block(value or '')}")
        elif field.is_list:
            lines.append(f"{name}:" if value else f"{name}: []")
            lines += [f"- {_quoted(item)}" for item in value]
        elif field.form == "kind":
            lines.append(f"{name}: {_quoted(SHOWN_KINDS.get(value, value))}")
        else:
            lines.append(f"{name}: {_quoted(value) if isinstance(value, str) else value or ''}")
    return "\n".join((*lines, "---", "")) + "".join(long)


def with_problem(document: str, problem: str) -> str:
    """Return a document with a sentence on what is wrong at its top, in place of an earlier one."""
    lines = safe(problem, newlines=True).splitlines()
    return "".join(f"{PROBLEM}{line}\n" for line in lines) + _without_problems(document)[0]


def read_document(document: str, record: AnyRecord) -> dict[str, Any]:
    """Return the fields of a record that a document changes, with their new values.

    Raises InvalidRecordError, with the number of the line, where it can't be read.
    """
    results = _read(document, record)
    shown = _read(to_document(record), record)
    changed = {name: value for name, value in results.items() if value != shown.get(name)}
    for name, value in changed.items():
        before = getattr(record, name)
        if isinstance(value, str) and isinstance(before, str) and before.endswith("\n") and value:
            changed[name] = value + before[len(before.rstrip("\n")) :]
    return changed


def _read(document: str, record: AnyRecord) -> dict[str, Any]:
    kind = kind_of(record)
    text, skipped = _without_problems(document.replace("\r\n", "\n"))
    lines = text.split("\n")
    start = next((place for place, line in enumerate(lines) if line.strip()), 0)
    if lines[start].rstrip() != "---":
        raise _wrong(start + skipped, _("the front matter begins with a line of ---"))
    rest = range(start + 1, len(lines))
    end = next((place for place in rest if lines[place].rstrip() == "---"), None)
    if end is None:
        raise _wrong(start + skipped, _("the front matter never ends: a line of --- is missing"))
    front = "\n".join(lines[start + 1 : end])
    values = dict(_front_matter(front, kind, record, skipped + start + 1))
    values |= _texts("\n".join(lines[end + 1 :]), kind, skipped + end + 1)
    return values


def _front_matter(text: str, kind: str, record: AnyRecord, offset: int) -> Iterator[tuple[str, Any]]:
    # Only for an edit: no other command pays for it.
    import yaml

    try:
        root = yaml.compose(text, Loader=yaml.BaseLoader)
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        said = getattr(error, "problem", None) or str(error)
        raise _wrong(
            offset + (mark.line if mark else 0), _("{said} (a text needs quotes?)", said=said)
        ) from error
    if root is None:
        return
    if not isinstance(root, yaml.MappingNode):
        raise _wrong(offset, _("the front matter has lines of NAME: VALUE"))
    seen: set[str] = set()
    for key, value in root.value:
        name, line = str(key.value), offset + key.start_mark.line
        if name in seen:
            raise _wrong(line, _("{name} stands there twice", name=name))
        seen.add(name)
        if name == kind:
            if value.value != ref(kind, record.id):
                content = _(
                    "this is {kind} {ref}; that can't be changed",
                    kind=_(kind),
                    ref=ref(kind, record.id),
                )
                raise _wrong(line, content)
            continue
        fields = {field_name: field for field_name, field in editable(kind).items() if field.form != "text"}
        if name not in fields:
            known = ", ".join(fields)
            raise _wrong(line, _("no field {name!r} here; there is {known}", name=name, known=known))
        yield name, _value(name, value, line, is_list=fields[name].is_list)


def _value(name: str, node: Any, line: int, *, is_list: bool) -> str | list[str]:
    import yaml

    if not is_list:
        if not isinstance(node, yaml.ScalarNode):
            raise _wrong(line, _("{name} is one text; put it between quotation marks", name=name))
        return str(node.value)
    if isinstance(node, yaml.ScalarNode) and not node.value:
        return []
    if not isinstance(node, yaml.SequenceNode):
        raise _wrong(line, _("{name} is a list: each item on a line that begins with -", name=name))
    for item in node.value:
        if not isinstance(item, yaml.ScalarNode):
            raise _wrong(
                line + item.start_mark.line - node.start_mark.line,
                _("an item of {name} is one text; put it between quotation marks", name=name),
            )
    return [str(item.value) for item in node.value if item.value]


def _texts(body: str, kind: str, offset: int) -> Mapping[str, str]:
    from markdown_it import MarkdownIt

    names = {
        heading(name).casefold(): name for name, field in editable(kind).items() if field.form == "text"
    }
    lines = body.split("\n")
    texts: dict[str, str] = {}
    begun: dict[str, int] = {}
    name: str | None = None
    for token in MarkdownIt("commonmark").parse(body):
        line = offset + (token.map[0] if token.map else 0)
        if token.type == "inline":
            said = token.content.strip().strip("*").strip().casefold()
            if said not in names:
                raise _wrong(line, _("this is outside of a text; texts are between lines of ```"))
            name = names[said]
            if name in texts:
                raise _wrong(line, _("{name} stands there twice", name=heading(name)))
        elif token.type == "fence":
            first, last = token.map or [0, 0]
            is_closed = last - first > 1 and lines[last - 1].strip() == token.markup
            if not is_closed and not lines[last - 1].strip().startswith(token.markup):
                raise _wrong(line, _("this text never ends: the line of ``` below it is missing"))
            if name is None:
                raise _wrong(line, _("this text has no name above it, such as **Narrative**"))
            texts[name], begun[name] = token.content.removesuffix("\n"), line
            name = None
        elif token.type in ("code_block", "html_block", "hr"):
            raise _wrong(line, _("this is outside of a text; texts are between lines of ```"))
    for missing in set(names.values()) - texts.keys():
        for other, content in texts.items():
            if f"**{heading(missing)}**" in content.split("\n"):
                # It was swallowed by the text before.
                raise _wrong(begun[other], _("this text never ends: the line of ``` below it is missing"))
    return texts


def _without_problems(document: str) -> tuple[str, int]:
    """Return a document without the problems at its top, and how many lines they were."""
    lines = document.split("\n")
    count = next((place for place, line in enumerate(lines) if not line.startswith(PROBLEM.rstrip())), 0)
    return "\n".join(lines[count:]), count


def _quoted(text: str) -> str:
    return quoted(safe(text, newlines=True))


def _wrong(line: int, what: str) -> InvalidRecordError:
    return InvalidRecordError("Line {line}: {what}.", line=line + 1, what=what)
