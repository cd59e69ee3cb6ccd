"""The archive: what agents leave and delete again, kept beside the memory. Off until a person says so."""
