"""What kernels make of raw values: a transform for each template of ``cl_kernels/distributions``."""
