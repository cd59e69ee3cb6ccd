"""claude-mem 3, 4 and later, codexmem, trae-mem and engram: read all of them, write claude-mem 9."""
