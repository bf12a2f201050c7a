"""What the server answers: pages, the contest, the organiser, and the library."""
