"""Compiled code: how it is made, kept on disk, and written."""
