"""The grammar of the caption parser, learnt from the original's scored trees."""
