"""The order of fills: which open cell a person fills next, and what the person sees before it."""
