"""`mem files`: the list of agents' files, and one of them in full."""

from __future__ import annotations

from ...command import Command, ReadingCommand, group
from .comparing import diff, sync
from .editing import delete, edit, move, new

app = group("See, check and edit what agents are told and remember by themselves.")
for changing in (edit, new, move, delete, sync):
    app.command(cls=Command)(changing)
app.command(cls=ReadingCommand)(diff)
