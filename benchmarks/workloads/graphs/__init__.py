"""Directed graphs on the device: random ones, their edges, spanning forests and Euler circuits; text and pictures."""
