"""Device code for kernels of users."""
