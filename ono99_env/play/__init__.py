"""Tables for people: play against bots or friends in a browser or a terminal, watch, look back."""
