"""Heavy work, outside the process that answers requests."""
