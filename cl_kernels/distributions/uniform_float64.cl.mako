// x / modulus correctly rounded: above 0, below 1.
CLRNG_INLINE double${w} ${p}emit(const uint${w} x) { return convert_double${w}(x) / ${modulus}.0; }
