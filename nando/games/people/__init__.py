"""Models of people: how they choose cells, and how long they take."""
