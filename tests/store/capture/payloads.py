"""Events as each agent's hooks tell them: starts, prompts, tool uses, replies and ends."""

from typing import Any

TOOL_INPUT = {"command": "make test", "argv": ["make", "test"], "metadata": {"note": "n"}}
TOOL_RESPONSE = {"stdout": "ok", "stderr": "", "files": ["a.py"]}


def payloads() -> dict[str, list[dict[str, Any]]]:
    """Some events of every agent, by the agent's name."""
    return {
        "claude-code": [
            *_like_claude(
                {"session_id": "c-1", "transcript_path": "/home/dev/.claude/projects/p/c-1.jsonl"},
                prompt_id="t-1",
            ),
            {
                "session_id": "c-1", "hook_event_name": "PostToolUseFailure", "tool_name": "Bash",
                "tool_input": TOOL_INPUT, "tool_use_id": "call-2", "error": "exit 1", "cwd": "/work",
            },
            {
                "session_id": "c-1", "hook_event_name": "PostCompact", "trigger": "auto",
                "compact_summary": "<summary>what was done</summary>", "cwd": "/work",
            },
        ],
        "codex": _like_claude(
            {"session_id": "x-1", "transcript_path": "/home/dev/.codex/rollout-1.jsonl", "model": "m"},
            turn_id="t-1",
        ),
        "gemini": [
            {**_gemini("SessionStart"), "source": "startup"},
            {**_gemini("BeforeAgent"), "prompt": "fix it"},
            {
                **_gemini("AfterTool"), "tool_name": "shell", "tool_input": TOOL_INPUT,
                "tool_response": {"llmContent": "ok", "error": "none"},
            },
            {**_gemini("AfterAgent"), "prompt": "fix it", "prompt_response": "fixed"},
            {**_gemini("SessionEnd"), "reason": "exit"},
        ],
        "cursor": [
            _cursor("sessionStart"),
            {**_cursor("beforeSubmitPrompt"), "prompt": "fix it", "attachments": [{"filePath": "a.py"}]},
            {
                **_cursor("postToolUse"), "tool_name": "Shell", "tool_input": TOOL_INPUT,
                "tool_output": "ok", "tool_use_id": "call-1",
            },
            {**_cursor("postToolUseFailure"), "tool_name": "Shell", "error_message": "failed"},
            {**_cursor("afterAgentResponse"), "text": "fixed"},
            {**_cursor("sessionEnd"), "reason": "completed", "final_status": "completed"},
        ],
        "opencode": [
            {**_opencode("session.created"), "title": "fixing"},
            {**_opencode("chat.message"), "message_id": "m-1", "prompt": "fix it"},
            {
                **_opencode("tool.execute.after"), "tool_name": "bash", "tool_use_id": "call-1",
                "tool_input": TOOL_INPUT, "tool_response": {"output": "ok", "title": "t"},
            },
            {**_opencode("session.idle"), "last_assistant_message": "fixed", "message_id": "m-2"},
            {**_opencode("session.deleted"), "parent_id": "o-0"},
        ],
        "copilot": [
            {**_copilot(1), "source": "new", "initialPrompt": "fix it"},
            {**_copilot(2), "prompt": "fix it"},
            {
                **_copilot(3), "toolName": "bash", "toolArgs": TOOL_INPUT,
                "toolResult": {"resultType": "success", "textResultForLlm": "ok"},
            },
            {**_copilot(4), "toolName": "bash", "toolArgs": TOOL_INPUT, "error": "failed"},
            {**_copilot(5), "transcriptPath": "/home/dev/events.jsonl", "stopReason": "end_turn"},
            {**_copilot(6), "reason": "complete", "agentId": "a-1", "parentAgentId": "p-0"},
        ],
        "windsurf": [
            _windsurf("pre_user_prompt", user_prompt="fix it"),
            _windsurf("post_write_code", file_path="a.py", edits=[{"old_string": "a", "new_string": "b"}]),
            _windsurf("post_run_command", command_line="make test", cwd="/work"),
            _windsurf(
                "post_mcp_tool_use", mcp_server_name="s", mcp_tool_name="t",
                mcp_tool_arguments=TOOL_INPUT, mcp_result="ok",
            ),
            _windsurf("post_cascade_response", response="fixed"),
        ],
        "trae": _like_claude({"session_id": "r-1", "cwd": "/work"}, turn_id="t-1"),
        "qwen-code": _like_claude(
            {
                "session_id": "q-1", "transcript_path": "/home/dev/.qwen/projects/p/chats/q-1.jsonl",
                "timestamp": "2026-11-26T21:57:33.531Z",
            },
        ),
        "pi": _like_claude(
            {"session_id": "i-1", "transcript_path": "/home/dev/.pi/agent/sessions/--p--/i-1.jsonl"},
        ),
        "vscode": [
            _vscode("SessionStart", source="new"),
            _vscode("UserPromptSubmit", prompt="fix it"),
            _vscode(
                "PostToolUse", tool_name="run_in_terminal", tool_input=TOOL_INPUT, tool_response="ok",
                tool_use_id="call-1",
            ),
            _vscode("Stop", stop_hook_active=False),
        ],
        "cline": [
            _cline("agent_start"),
            _cline("prompt_submit", userPromptSubmit={"prompt": "fix it", "attachments": []}),
            _cline(
                "tool_result",
                tool_result={
                    "id": "call-1", "name": "run_commands", "input": {"commands": ["make test"]},
                    "output": [{"query": "make test", "result": "ok", "success": True}],
                },
            ),
            _cline("agent_end", turn={"outputText": "fixed", "status": "completed"}),
            _cline("session_shutdown", reason="done"),
        ],
    }  # fmt: skip


def _vscode(name: str, **fields: Any) -> dict[str, Any]:
    return {
        "hookEventName": name, "sessionId": "v-1", "timestamp": "2026-11-26T21:59:01.577Z", "cwd": "/work",
        "transcript_path": "/home/dev/w/GitHub.copilot-chat/transcripts/v-1.jsonl", **fields,
    }  # fmt: skip


def _cline(name: str, **fields: Any) -> dict[str, Any]:
    return {
        "taskId": "conv_1", "sessionContext": {"rootSessionId": "l-1"}, "hookName": name,
        "timestamp": "2026-11-26T21:59:01.577Z", "workspaceRoots": ["/work"], "agent_id": "agent_1",
        "parent_agent_id": None, **fields,
    }  # fmt: skip


def _like_claude(common: dict[str, Any], **turn: str) -> list[dict[str, Any]]:
    common = {"cwd": "/srv/project", **common}
    return [
        {**common, "hook_event_name": "SessionStart", "source": "startup", "session_title": "fixing"},
        {**common, **turn, "hook_event_name": "UserPromptSubmit", "prompt": "fix it"},
        {
            **common, **turn, "hook_event_name": "PostToolUse", "tool_name": "Bash",
            "tool_input": TOOL_INPUT, "tool_response": TOOL_RESPONSE, "tool_use_id": "call-1",
            "agent_id": "a-1", "agent_type": "general",
        },
        {**common, **turn, "hook_event_name": "Stop", "last_assistant_message": "fixed"},
        {**common, "hook_event_name": "SessionEnd", "reason": "other"},
    ]  # fmt: skip


def _gemini(name: str) -> dict[str, Any]:
    return {
        "session_id": "g-1", "transcript_path": "/home/dev/.gemini/g-1.jsonl", "cwd": "/work",
        "hook_event_name": name, "timestamp": "2026-11-21T02:43:35.288Z",
    }  # fmt: skip


def _cursor(name: str) -> dict[str, Any]:
    return {
        "conversation_id": "u-1", "generation_id": "t-1", "model": "m", "hook_event_name": name,
        "cursor_version": "2.4.21", "workspace_roots": ["/srv/project"], "user_email": "dev@example.org",
        "transcript_path": "/home/dev/.cursor/u-1.jsonl",
    }  # fmt: skip


def _opencode(name: str) -> dict[str, Any]:
    return {
        "hook_event_name": name, "session_id": "o-1", "cwd": "/work", "worktree": "/work",
        "project_id": "p-1",
    }  # fmt: skip


def _copilot(step: int) -> dict[str, Any]:
    return {"sessionId": "p-1", "timestamp": 1_795_230_169_680 + step, "cwd": "/work"}


def _windsurf(name: str, **info: Any) -> dict[str, Any]:
    return {
        "agent_action_name": name, "trajectory_id": "w-1", "execution_id": "t-1",
        "timestamp": "2026-02-03T10:00:00Z", "model_name": "m", "tool_info": info,
    }  # fmt: skip
