"""spice-soft: concepts matched by meaning; see `metric` for the whole."""
