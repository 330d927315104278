"""OpenCL C of a generator in an arithmetic, with a distribution and a kernel on top."""
