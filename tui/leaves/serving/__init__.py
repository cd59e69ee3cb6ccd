"""`memtui serve`: the browser in a web browser on this machine, a process a client.

textual-serve's protocol and terminal are used as they are. Its page loads fonts from elsewhere, and
its way to start a process needs a shell: both are ours, behind a guard that asks for a token, the
Origin and the Host.
"""
