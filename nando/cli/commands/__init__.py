"""The commands, a file each: the options, and what they do."""
