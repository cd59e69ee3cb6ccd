"""`memtui serve`: the browser in a web browser on this machine, a process a client."""
