    __global ${out} *restrict out, const ulong offset, ${", ".join(f"const {word} start_{i}" for i in range(order))},
    const ulong lanes, const uint columns, const uint column_length, const uint length, const long spacing,
    const ulong rows, const ulong slots, const ulong pitch, const long apart, __global const ${word} *restrict stride,
    __global const long *restrict axes, const uint dimensions${parameters})
