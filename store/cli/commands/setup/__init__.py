"""The commands that set things up: the configuration, and agents' hooks."""
