"""The commands, one per file: options and work."""
