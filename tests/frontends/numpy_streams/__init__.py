"""Tests of clrng.frontends.numpy_streams."""
