// The raw value itself.
CLRNG_INLINE ${value}${w} ${p}emit(const ${value}${w} x) { return x; }
