"""The paths that agents and shells wait for, each by a way of its own."""
