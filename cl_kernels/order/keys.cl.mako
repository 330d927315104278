<%
    sign = f"({word})(1{suffix} << {key_bits - 1})"
    infinity = f"({word})({hex(((1 << key_bits - 1 - mantissa_bits) - 1) << mantissa_bits)}{suffix})"
%>
// What a key is compared by: an unsigned integer of as many bits. Equal keys have the same, as 0.0 and -0.0, and all NaNs,
// which come last. The keys themselves are moved as they are. Of a negative float all bits are turned over, of others the
// sign; there are no branches, as the sign of a random number is hard to predict.
CLRNG_INLINE ${word} ordered(const ${word} key)
{
% if kind == "u":
    return key;
% elif kind == "i":
    return key ^ ${sign};
% else:
#if defined(__NV_CL_C_VERSION) && ${key_bits} == 32
    // A sum with 0 is 0.0 for -0.0 too, and of a NaN it is the one of which all bits but the sign are set (PTX ISA, add).
    const int number = as_int(as_float((uint)key) + 0.0f);
    return (${word})(number ^ (number >> 31 | ${hex(1 << 31)}));
#else
    const ${word} number = key == ${sign} ? (${word})0 : key;
    const ${word} turned = number ^ ((${word})(0 - (number >> ${key_bits - 1})) | ${sign});
    return (number & (${word})~${sign}) > ${infinity} ? (${word})~(${word})0 : turned;
#endif
% endif
}

// The digit of a key that a pass sorts by: its bits from `shift` on that are in `mask`, all turned over where `flip` is
// `mask`, for a descending order.
CLRNG_INLINE uint digit_of(const ${word} key, const uint shift, const uint mask, const uint flip)
{
    return ((uint)(ordered(key) >> shift) & mask) ^ flip;
}
