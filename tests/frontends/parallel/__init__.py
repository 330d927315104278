"""Tests of one stream on several devices."""
