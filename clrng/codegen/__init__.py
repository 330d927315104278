"""OpenCL C of a generator in an arithmetic, with a transform and a kernel on top."""
