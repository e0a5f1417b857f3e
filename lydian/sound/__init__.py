"""The sound of a run: voices of events, their places around a listener, their mixture, and a walk for the ear."""
