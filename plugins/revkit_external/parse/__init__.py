"""Read a review from the output of a reviewer."""
