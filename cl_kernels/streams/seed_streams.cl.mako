<% parts = range(order) %>
// Makes the states of `count` streams. That of stream i is the state `start` with spread * i added to its first word,
// moved on by i distances and `discard` steps. Row j of `strides` is the stride of 2^j distances.
__kernel void seed_streams(__global ${word} *restrict states, ${", ".join(f"const {word} start_{i}" for i in parts)},
                           const uint count, const uint spread, const uint discard,
                           __global const ${word} *restrict strides)
{
    const uint i = get_global_id(0);
    if (i >= count) return;
    ${s}state x = ${s}load(start_0 + spread * i${"".join(f", start_{j}" for j in parts[1:])});
    for (uint j = 0; j < 32; j++)
        if (i >> j & 1) x = ${s}apply_stride(x, ${s}stride_from(strides + j * ${stride_words}));
    for (uint j = 0; j < discard; j++) x = ${s}next(x);
% for j in parts:
    states[${f"{j}*(size_t)count + " if j else ""}i] = ${s}word_${j}(x);
% endfor
}
