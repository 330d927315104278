"""What work of the size of a cluster costs."""
