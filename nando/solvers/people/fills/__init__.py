"""The order of fills: which open cell a person fills next, and what they see before it."""
