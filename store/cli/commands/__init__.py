"""The commands of `mem`, a module each (or a few that share a subject), imported when they are
called."""
