"""Tests of clrng.frontends.device_libraries."""
