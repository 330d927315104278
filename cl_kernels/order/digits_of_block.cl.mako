#define BLOCK 64

// Finds the digits of at most BLOCK keys. They are found before they are used, as compilers make vectors of this loop and
// of none in which places depend on keys.
CLRNG_INLINE void digits_of(__global const ${word} *restrict keys, const uint count, const uint shift, const uint mask,
                            const uint flip, uint *digit)
{
    if (count == BLOCK) {
        for (uint i = 0; i < BLOCK; i++) digit[i] = digit_of(keys[i], shift, mask, flip);
    } else {
        for (uint i = 0; i < count; i++) digit[i] = digit_of(keys[i], shift, mask, flip);
    }
}
