"""Tests of clrng.opencl."""
