"""Reading a review out of what a reviewer printed, wrote or sent."""
