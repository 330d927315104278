// The raw value itself.
CLRNG_INLINE uint${w} ${p}emit(const uint${w} x) { return x; }
