"""Search: query language, matching, ranking, snippets, the indexes; and the read models beside it:
listing, facets, timeline.
"""
