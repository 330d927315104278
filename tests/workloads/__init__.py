"""The workloads of the benchmarks, small: what they compute is what the host does."""
