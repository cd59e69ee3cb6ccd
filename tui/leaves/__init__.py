"""Parts of the browser that everything else works without, a folder each."""
