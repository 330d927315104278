"""Tests of clrng.cuda."""
