"""One memory on several machines: an exchange of rows over any pair of streams, and what carries it.

| module | holds |
|---|---|
| `rows.py` | what other machines may be given of each row, what changed since, and digests of all rows |
| `receiving.py`, `verdicts.py` | what becomes of rows that come in: a verdict each |
| `conflicts.py` | records that two machines changed at the same time, and what each was told of a fact |
| `purging.py` | what another machine forgot for good |
| `renaming.py` | which lines are no rows, and records that two machines know by two uids |
| `exchange.py` | a meeting of two stores |
| `channel.py` | its messages over a pair of streams |
| `machines.py` | which machines and folders are met, and how that went |
| `background.py` | a meeting in a process of its own |
| `ssh.py`, `folder.py`, `git.py` | what carries an exchange |
"""
