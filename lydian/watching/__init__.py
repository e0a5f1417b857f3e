"""Watching a running system: where its events come from, the growing trace, and the conversation with a window."""
