"""One memory on several machines: an exchange of rows over any pair of streams, and what carries it.

| module | holds |
|---|---|
| `rows.py` | what other machines may be given of each row, what changed since, and digests of all rows |
| `receiving.py` | what becomes of rows that come in: a verdict each |
| `conflicts.py` | what they do to records that were changed here too, and what was forgotten elsewhere |
| `renaming.py` | records that two machines know by two uids |
| `exchange.py` | a meeting of two stores |
| `channel.py` | its messages over a pair of streams, which are no rows, and the verdicts |
| `machines.py` | which machines and folders are met, and how that went |
| `meeting.py` | meeting one of them, whatever carries it: `ssh.py`; `folder.py`, with git and sealing |
"""
