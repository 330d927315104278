// The raw value itself.
CLRNG_INLINE ${value}${w} ${p}convert(const ${value}${w} x) { return x; }
