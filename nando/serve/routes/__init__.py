"""The routes of the server: pages, players, the organiser, and the library."""
