"""claude-mem 3, 4 and later, codexmem and trae-mem: read all of them, write claude-mem 9."""
