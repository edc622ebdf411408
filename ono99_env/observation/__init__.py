"""What one seat may know: the redacted record and the feature vector."""
