"""Histories of operations, the objects that they should behave like, and the checks that compare them."""
