"""What a document is called in lists, as SQL."""

TITLE = """
CASE d.kind
    WHEN 'o' THEN (
        SELECT coalesce(nullif(title, ''), nullif(subtitle, ''), substr(narrative, 1, 200),
            substr(text, 1, 200), '')
        FROM observations WHERE id = d.record_id
    )
    WHEN 'p' THEN (SELECT substr(text, 1, 400) FROM prompts WHERE id = d.record_id)
    WHEN 's' THEN (
        SELECT substr(coalesce(nullif(request, ''), nullif(completed, ''), nullif(learned, ''),
            text, ''), 1, 400)
        FROM summaries WHERE id = d.record_id
    )
    ELSE (SELECT substr(content, 1, 400) FROM facts WHERE id = d.record_id)
END
"""
"""The title of a row `d` of the documents: the first text that it has."""
