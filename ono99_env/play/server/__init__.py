"""The web server of the tables: pages, secret links, and one socket for each seat."""
