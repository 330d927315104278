<%
    fields = range(stride_words)
    last_row = ", ".join(f"numbers[{f + 1} * (size_t)length - 1]" if f else "numbers[length - 1]" for f in fields)
    own_row = ", ".join(f"cache[{f * group_items} + me]" for f in fields)
%>
// The divide-and-conquer algorithm of 2012 for x' = a*x + c mod m. The stream is a matrix of columns of `length`
// entries: entry j of column i is t_j + y_j * z, where z is the last entry of column i - 1. `numbers` holds y and t, and
// after each its quotients where the arithmetic needs them: `length` words apiece. `z` holds the states of the first
// column and then the last state of every other one, from which the values in `out` may differ.

// Step 1 ends here: the first column, made on the host, becomes values.
__kernel void step_1(__global const ${word} *restrict z, __global ${out} *restrict out, const ulong offset,
                     const uint rows)
{
    const uint j = get_global_id(0);
    if (j < rows) out[offset + j] = ${s}convert(${s}value(${s}load(z[j])));
}

// Step 2, in one work-item: the last entries of `columns` columns, after that at z[before]; `offset` is the first's.
__kernel void step_2(__global const ${word} *restrict numbers, const uint length, __global ${word} *restrict z,
                     const ulong before, __global ${out} *restrict out, const ulong offset, const uint columns)
{
    const ${s}stride onward = ${s}stride_of(${last_row});
    ${s}state x = ${s}load(z[before]);
    z += before + 1;
    out += offset;
    for (uint i = 0; i < columns; i++, out += length) {
        x = ${s}apply_stride(x, onward);
        z[i] = ${s}word_0(x);
        *out = ${s}convert(${s}value(x));
    }
}

// Step 3, a row a work-item: all but the last entries of `columns` columns, of which the first begins at `offset` and
// comes after the last entry z[before]; and of one more column the first `rest` entries.
__kernel void step_3(__global const ${word} *restrict numbers, const uint length, __global const ${word} *restrict z,
                     const ulong before, __global ${out} *restrict out, const ulong offset, const uint columns,
                     const uint rest)
{
    __local ${word} cache[${stride_words * group_items}];
    const uint j = get_global_id(0), me = get_local_id(0);
    if (j >= length - 1) return;
% for f in fields:
    cache[${f * group_items} + me] = numbers[${f} * (size_t)length + j];
% endfor
    const uint turns = columns + (j < rest ? 1 : 0);
    z += before;
    out += offset + j;
    for (uint i = 0; i < turns; i++, out += length)
        *out = ${s}convert(${s}value(${s}apply_stride(${s}load(z[i]), ${s}stride_of(${own_row}))));
}
