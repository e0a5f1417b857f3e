"""Files of other programs: networks to read and write, logs to read, traces to write; one module for each format."""
