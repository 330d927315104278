"""Is a device exact? Proofs, published values and digests."""
