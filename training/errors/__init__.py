"""The probability that a finding is right, learnt from people's labels."""
