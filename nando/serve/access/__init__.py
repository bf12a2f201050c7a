"""Who may do what: secrets, sessions, limits, and the guard before all requests."""
