"""The caption parsers: data, network, training, packaging."""
