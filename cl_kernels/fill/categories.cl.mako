// Copies the raw values of a column of rows of `width` values, from row `first` on.
__kernel void take_column(__global const ${value} *restrict raw, const ulong first, const ulong width, const ulong column,
                          __global ${value} *restrict taken, const ulong offset, const uint n)
{
    const uint i = get_global_id(0);
    if (i >= n) return;
    raw += ((first + i) * width + column) * ${steps};
    taken += offset + (ulong)i * ${steps};
    for (uint j = 0; j < ${steps}; j++) taken[j] = raw[j];
}

// Puts the counts of a category in their column of rows of `width` counts, and subtracts them from the trials that are left of each
// row. What is left after the last category but one are the counts of the last one.
__kernel void put_counts(__global ${out} *restrict out, const ulong offset, const ulong width, const ulong column,
                         __global const uint *restrict counts, __global uint *restrict left, const uint n)
{
    const uint i = get_global_id(0);
    if (i >= n) return;
    const uint count = counts[i], rest = left[i] - count;
    left[i] = rest;
    out += offset + (ulong)i * width + column;
    out[0] = (${out})count;
    if (column + 2 == width) out[1] = (${out})rest;
}
