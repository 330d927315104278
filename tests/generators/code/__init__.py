"""Tests of how generators are written for devices."""
