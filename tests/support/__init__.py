"""What tests share: oracles, other libraries, lists of generators, scripts."""
