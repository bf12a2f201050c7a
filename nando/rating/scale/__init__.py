"""The common scale of difficulty: one model for many crowds."""
