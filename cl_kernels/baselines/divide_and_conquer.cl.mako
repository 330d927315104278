<%
    fields = range(stride_words)
    last_row = ", ".join(f"numbers[{f + 1} * (size_t)length - 1]" if f else "numbers[length - 1]" for f in fields)
    own_row = ", ".join(f"cache[{f * group_size} + me]" for f in fields)
%>
// The divide-and-conquer algorithm of 2012 for x' = a*x + c mod m. The stream is a matrix of columns of `length`
// entries: entry j of column i is t_j + y_j * z, where z is the last entry of column i - 1. `numbers` has y and t, and
// where the arithmetic needs them the quotients of each; every one of these vectors has `length` words. `z` has the
// states of the first column and then the last state of every other column; `out` has values, which may be other
// numbers.

// The end of step 1: turns the first column, which the host has made, into values.
__kernel void step_1(__global const ${word} *restrict z, __global ${out} *restrict out, const ulong offset,
                     const uint rows)
{
    const uint j = get_global_id(0);
    if (j < rows) out[offset + j] = ${s}convert(${s}value(${s}load(z[j])));
}

// Step 2, in one work-item: makes the last entries of `columns` columns, one from another. The entry before them is
// z[before]; the first of their values is out[offset].
__kernel void step_2(__global const ${word} *restrict numbers, const uint length, __global ${word} *restrict z,
                     const ulong before, __global ${out} *restrict out, const ulong offset, const uint columns)
{
    const ${s}stride stride = ${s}stride_of(${last_row});
    ${s}state x = ${s}load(z[before]);
    z += before + 1;
    out += offset;
    for (uint i = 0; i < columns; i++, out += length) {
        x = ${s}apply_stride(x, stride);
        z[i] = ${s}word_0(x);
        *out = ${s}convert(${s}value(x));
    }
}

// Step 3, a row for each work-item: makes all but the last entries of `columns` columns, and the first `rest` entries
// of one more column. The first of the columns begins at out[offset] and follows from z[before].
__kernel void step_3(__global const ${word} *restrict numbers, const uint length, __global const ${word} *restrict z,
                     const ulong before, __global ${out} *restrict out, const ulong offset, const uint columns,
                     const uint rest)
{
    __local ${word} cache[${stride_words * group_size}];
    const uint j = get_global_id(0), me = get_local_id(0);
    if (j >= length - 1) return;
% for f in fields:
    cache[${f * group_size} + me] = numbers[${f} * (size_t)length + j];
% endfor
    const uint turns = columns + (j < rest ? 1 : 0);
    z += before;
    out += offset + j;
    for (uint i = 0; i < turns; i++, out += length)
        *out = ${s}convert(${s}value(${s}apply_stride(${s}load(z[i]), ${s}stride_of(${own_row}))));
}
