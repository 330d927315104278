// Squares with ${rounds} rounds: the value of a counter under a key.
CLRNG_INLINE void ${p}values_of(const ulong${w} *counter, const ulong *key, ${value}${w} *values)
{
    const ulong${w} y = counter[0] * key[0], z = y + key[0];
    ulong${w} x = y;
% for r in range(rounds - 1):
    x = rotate(x * x + ${"yz"[r % 2]}, (ulong${w})32);
% endfor
% if value == "uint":
    values[0] = convert_uint${w}((x * x + z) >> 32);
% else:
    values[0] = rotate(x, (ulong${w})32) ^ ((x * x + y) >> 32);
% endif
}
