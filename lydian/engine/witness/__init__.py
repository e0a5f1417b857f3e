"""The search for a run that shows why a protocol makes an assumption."""
