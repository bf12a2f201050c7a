"""Commands on data: features, models, and the papers' tables."""
