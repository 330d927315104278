"""Tests of clrng.codegen."""
