"""One table as an object, with exact snapshots."""
