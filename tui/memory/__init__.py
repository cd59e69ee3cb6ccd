"""One memory to read: as a pane, and as a whole screen."""
