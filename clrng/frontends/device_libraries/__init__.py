"""The numbers of the libraries of GPUs, as these order and convert them, on any device."""
