"""Statistics: how many memories there are by day, type, project and agent, what they took to find out,
what they are about, and what agents' models cost.

Each function is one bounded question, so that whoever paints the answers can paint them one by one
and stop in between. Private and deleted memories, and noise, count nowhere.
"""
