"""Proofs of kernels on their device, before anybody sees their numbers."""
