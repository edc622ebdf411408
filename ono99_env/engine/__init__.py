"""The rules, compiled: deal, legal actions, plays, rounds and matches over one record."""
