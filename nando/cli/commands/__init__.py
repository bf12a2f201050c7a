"""The commands, a folder a subject and a file each: options and work."""
