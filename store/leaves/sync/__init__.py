"""One memory on several machines: an exchange of rows over any pair of streams, and what carries it.

| module | holds |
|---|---|
| `rows.py` | what other machines may be given of each row, what changed since, and digests of all rows |
| `receiving.py` | what becomes of rows that come in: a verdict each |
| `reconciling.py` | records that were changed here too, have two uids, or were forgotten elsewhere |
| `exchange.py` | a meeting of two stores |
| `channel.py` | its messages over a pair of streams, which are no rows, and the verdicts |
| `machines.py` | which machines and folders are met, and how that went |
| `meeting.py` | meeting one of them, by ssh or a folder |
| `folder.py` | a folder that something else carries, also git, and sealed |
"""
