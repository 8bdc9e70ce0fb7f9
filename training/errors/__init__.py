"""How likely a finding of the error analysis is right, learnt from people's labels."""
