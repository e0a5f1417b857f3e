"""The workspace for writing protocols: the text, its table and diagram, and the causes of a failed run."""
