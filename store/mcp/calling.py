"""Call a tool: check its arguments, run it, and have a failure tell the model what to do next."""

from __future__ import annotations

from ..errors import StoreError
from .protocol import INVALID_PARAMS, Json, ProtocolError, meta_of
from .schema import ArgumentError, taken
from .tools import TOOLS
from .tools.tool import ToolCall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .client import Client
    from .memory import Memory
    from .tools.tool import Progress

LONGEST_ERROR = 1_000


def called(client: Client, memory: Memory, params: Json, progress: Progress) -> Json:
    """Return the result of `tools/call`. ProtocolError where it names no tool."""
    name, arguments = params.get("name"), params.get("arguments")
    tool = TOOLS.get(name) if isinstance(name, str) else None
    if tool is None:
        raise ProtocolError(INVALID_PARAMS, f"There is no such tool. There are {', '.join(TOOLS)}.")
    import apsw

    if arguments is None:
        arguments = {}
    if not isinstance(arguments, dict):
        return _failed("arguments have to be an object.")
    call = ToolCall(client, memory, meta_of(params), progress)
    try:
        present = {key: value for key, value in arguments.items() if value is not None}
        answer = tool.run(call, taken(tool.input, present))
    except (StoreError, ArgumentError) as error:
        from ..compact.wording import TOOLS as WORDING

        return _failed(WORDING.said(error))
    except apsw.InterruptError:
        return _failed("The call was stopped before it was done. Nothing was changed.")
    except apsw.Error as error:
        return _failed(f"The store could not be read ({error}). `mem doctor` looks for the cause.")
    except (UnicodeError, OSError) as error:
        return _failed(f"It could not be done ({error}). Nothing was changed.")
    result: Json = {"content": [{"type": "text", "text": answer.text}], "isError": False}
    # Agents that are sent values show their model these alone: without the fence, at twice the tokens.
    return result | {"structuredContent": answer.values} if memory.structured else result


def _failed(sentence: str) -> Json:
    from ..text.display import safe

    text = safe(sentence[:LONGEST_ERROR])
    return {"content": [{"type": "text", "text": text}], "isError": True}
