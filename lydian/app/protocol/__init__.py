"""Writing one's own protocols: the text, its table and diagram, the run that failed and how it came to that."""
