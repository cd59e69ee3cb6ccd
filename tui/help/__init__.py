"""The help: every key of a screen."""
