"""Drawing: boards and steps as shapes, for SVG, PNG, PDF and HTML."""
