"""What the exit code of ``ono99`` says."""

FINISHED = 0
DIFFERENT = 1
"""A repeated tournament gave other figures."""
WRONG_USAGE = 2
"""A mistake of the user, which was explained."""
INTERRUPTED = 130
"""Ctrl-C."""
