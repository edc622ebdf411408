"""Write the results of a tournament: JSON and CSV files, plots, and an HTML page."""
