"""Files of other programs: networks in and out, logs in, traces out.  One file a format."""
