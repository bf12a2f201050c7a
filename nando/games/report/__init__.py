"""The report of an audit: what it says, and its page."""
