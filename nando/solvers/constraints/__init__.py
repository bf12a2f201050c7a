"""Methods that reason about constraints: filtering, backtracking, relaxation, messages, flows."""
