// Turns raw values into values of ${steps} step(s): out[offset + j*inner + i] becomes the value made of the raw values
// raw[(${steps}*j + d)*inner + i], for 0 <= d < ${steps}, 0 <= i < inner and j*inner + i < n.
__kernel void convert_values(__global ${out} *restrict out, const ulong offset, const uint inner, const uint n,
                             __global const ${value} *restrict raw${parameters})
{
    const uint k = get_global_id(0);
    if (k >= n) return;
    const uint j = k / inner, i = k - j * inner;
    raw += (size_t)j * inner * ${steps} + i;
    out[offset + k] = ${outputs.convert(s, *(f"raw[{d} * (size_t)inner]" if d else "raw[0]" for d in range(steps)))};
}
