"""People as a population: how they choose cells, and how long they take."""
