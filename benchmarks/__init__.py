"""How fast it is: every figure beside a reference that runs in the same session."""
