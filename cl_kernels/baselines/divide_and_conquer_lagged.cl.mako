<%
    add, times = ("^", "&") if masked else ("+", "*")
%>
// The divide-and-conquer algorithm of 2012 for x_i = x_{i-${lags[0]}} ${combine} x_{i-${lags[1]}}. The stream is a
// matrix of columns of `length` entries. All entries of a column follow from the last ${order} entries of the column
// before; `z` has these for each column. `y` begins with ${order} zeros. Words may have more bits than the modulus,
// which are dropped where they become values.
#define CLRNG_VALUE(x) ((${out})((x) >> ${shift} & ${f"{mask}ul" if word == "ulong" else f"{mask}u"}))

// The end of steps 1 and 2: turns `count` words, which the host has made, `rows` for each of several columns, into
// values.
__kernel void store(__global const ${word} *restrict words, const uint rows, const ulong count,
                    __global ${out} *restrict out, const ulong offset, const uint length)
{
    const ulong i = get_global_id(0);
    if (i < count) out[offset + i + i / rows * (length - rows)] = CLRNG_VALUE(words[i]);
}

// Step 3, a row for each work-item: makes all but the last ${order} entries of `columns` columns, and the first `rest`
// entries of one more column. The first of the columns begins at out[offset] and follows from z[before] and the entries
// after it.
__kernel void step_3(__global const ${word} *restrict y, const uint length, __global const ${word} *restrict z,
                     const ulong before, __global ${out} *restrict out, const ulong offset, const uint columns,
                     const uint rest)
{
    __local ${word} cache[${group_size + order}];
    const uint j = get_global_id(0), me = get_local_id(0), items = get_local_size(0);
    for (uint k = me; k < items + ${order}; k += items)
        if (j - me + k < length + ${order}) cache[k] = y[j - me + k];
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint first = j < length - ${order} ? 0 : columns, turns = columns + (j < rest ? 1 : 0);
    z += before + first * (ulong)${order};
    out += offset + first * (ulong)length + j;
    for (uint i = first; i < turns; i++, z += ${order}, out += length) {
        ${word} one = 0, other = 0;
% for sum, lag in zip(("one", "other"), lags):
        for (uint k = 0; k < ${lag}; k++) ${sum} ${add}= z[${order - lag} + k] ${times} cache[me + ${order} - k];
% endfor
        *out = CLRNG_VALUE(one ${combine} other);
    }
}
