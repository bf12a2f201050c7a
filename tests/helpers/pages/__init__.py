"""Pages and contests as tests and the documentation use them."""
