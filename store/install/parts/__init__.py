"""What agents are given beside hooks: the entry of our MCP server, a skill, slash commands."""
