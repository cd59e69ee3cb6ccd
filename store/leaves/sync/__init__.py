"""One memory on several machines: an exchange of rows, and what carries it: ssh, folders, git, and what
other leaves offer as `carriers`, such as a team's server.

| module | holds |
|---|---|
| `rows.py` | what other machines may be given of each row, what changed since, and digests of all rows |
| `receiving.py` | what becomes of rows that come in: a verdict each |
| `reconciling.py` | records that were changed here too, have two uids, or were forgotten elsewhere |
| `exchange.py` | a meeting of two stores |
| `channel.py` | its messages over a pair of streams, which are no rows, verdicts, and what comes of all |
| `machines.py` | which places are met: when, how that went, what waits for each, and what was refused |
| `meeting.py` | meeting one of them, whatever carries it |
| `folder.py` | a folder that something else carries, also git, and sealed |
"""
