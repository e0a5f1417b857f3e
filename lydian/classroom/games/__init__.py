"""The games of a class: what the players of a run see, what they may choose, and what their choices do."""
