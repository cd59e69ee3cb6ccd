"""Parts that everything else works without, a folder each: deleting one takes its commands, checks and
screens along, and `platform/leaves.py` says so where somebody asks for them."""
