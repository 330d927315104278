"""What the scripts share: results, timing, compiled loops."""
