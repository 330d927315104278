"""OpenCL devices, programs and arrays."""
