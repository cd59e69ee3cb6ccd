"""The digest over the screen."""
