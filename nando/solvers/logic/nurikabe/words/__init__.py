"""Steps in words."""
