"""What a tournament leaves behind: result files, plots and a page."""
