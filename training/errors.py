"""The mistake of a user, as opposed to one of the program."""


class UsageError(Exception):
    """Something that the user can put right; the message says what, and is all that is shown."""
