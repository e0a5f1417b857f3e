"""A class in the window: hosting one, taking part in one, and showing it to all on a projector."""
