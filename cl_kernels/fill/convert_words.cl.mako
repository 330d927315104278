// Turns words that are in memory into values: out[offset + i] becomes the value made of the words
// words[first + ${steps}*i + d], for 0 <= d < ${steps} and i < n.
__kernel void convert_words(__global ${out} *restrict out, const ulong offset, const ulong first, const uint n,
                            __global const ${word} *restrict words${parameters})
{
    const uint i = get_global_id(0);
    if (i >= n) return;
    words += first + i * (size_t)${steps};
    out[offset + i] = ${outputs.convert(s, *(f"{s}output_bits(words[{d}])" for d in range(steps)))};
}
