"""What is indexed of each record: full-text indexes, documents and counts, compared with the rows."""
