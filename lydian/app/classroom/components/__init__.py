"""A system in components in the window."""
