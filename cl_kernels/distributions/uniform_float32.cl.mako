// x / modulus rounded down to a multiple of 2^-24: every multiple of 2^-24 from 0 to 1 - 2^-24, never 1.
CLRNG_INLINE float${w} ${p}emit(const uint${w} x) { return convert_float${w}(x >> ${shift}) * 0x1p-24f; }
