"""Which agent a client's name means, and where a client works."""

import pytest

from memtui.store.mcp.client import Client, agent_named, own_name, path_of


@pytest.mark.parametrize(
    ("name", "agent"),
    [
        ("claude-code", "claude-code"),
        ("Claude Code", "claude-code"),
        ("codex-mcp-client", "codex"),
        ("gemini-cli-mcp-client", "gemini"),
        ("opencode", "opencode"),
        ("github-copilot-developer", "copilot"),
        ("cursor-vscode", "cursor"),
        ("windsurf-client", "windsurf"),
        ("Trae_CN", "trae"),
        ("clinecore", "cline"),
        ("kilocode", "kilo"),
        ("ampcode", "amp"),
        ("Visual Studio Code", "vscode"),
        ("encode", ""),
        ("claude-ai", "claude-ai"),
        ("Zed", ""),
        ("", ""),
    ],
)
def test_a_known_client_is_the_agent_that_the_memory_knows(name: str, agent: str) -> None:
    assert agent_named(name) == agent


def test_an_unknown_one_is_called_as_it_says() -> None:
    assert Client("Some Editor/2", environment={}).agent == "some-editor2"
    assert Client("", environment={}).agent == "mcp"
    assert Client("", environment={"COPILOT_CLI": "1"}).agent == "copilot"
    assert Client("", environment={"COPILOT_CLI": "1"}, is_local=False).agent == "mcp"
    assert len(own_name("x" * 500)) == 40
    assert own_name("\x1b[2J\u202e evil") == "2j-evil"


def test_a_root_is_a_directory_of_this_machine() -> None:
    assert path_of("file:///home/me/a%20b") == "/home/me/a b"
    for uri in ("https://example.org/x", "file:relative", "file:///a%00b", "file://[", ""):
        assert path_of(uri) == ""


def test_roots_that_are_none_are_left_out() -> None:
    client = Client("x", environment={})
    client.take_roots([{"uri": "file:///srv/atlas"}, {"uri": 5}, "x", {"uri": "https://x"}])
    assert client.roots == ["/srv/atlas"] == [client.folder]
    client.take_roots({"uri": "file:///srv"})
    assert client.roots == []
