"""Memory that OpenCL and CUDA share on one NVIDIA GPU, and the order between a queue and a stream."""
