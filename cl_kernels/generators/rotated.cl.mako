<% type = f"{word}{w}" %>\
// x rotated to the left by r bits, from 1 to ${word_bits - 1}, a constant. Shifts and their sum, which compilers find to be a
// rotation, are too much for Oclgrind.
CLRNG_INLINE ${type} ${p}rotl(const ${type} x, const uint r)
{
% if word == "ulong" and width == 1:
#ifdef __NV_CL_C_VERSION
    // By funnel shifts of the two halves.
    const uint low = r < 32 ? (uint)x : (uint)(x >> 32), high = r < 32 ? (uint)(x >> 32) : (uint)x;
    uint turned_low, turned_high;
    asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(turned_low) : "r"(high), "r"(low), "r"(r));
    asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(turned_high) : "r"(low), "r"(high), "r"(r));
    return upsample(turned_high, turned_low);
#else
    return rotate(x, (ulong)r);
#endif
% else:
    return rotate(x, (${type})(r));
% endif
}

