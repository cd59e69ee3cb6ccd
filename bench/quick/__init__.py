"""`make bench-quick`: counts that no machine changes, held against those kept in `figures.json`.

What SQLite does for lists, searches and writes; what processes import, read and write; and the CPU they
take beside a bare interpreter in the same run. What is more than a tenth over its kept figure fails.
"""
