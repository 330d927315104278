<%
    bins = 4**n
    neighbours = [*range(-n, 0), *range(1, n + 1)]
    alone = group_size == 1

    row = [f"before.s{i}" for i in range(4)] + [f"here.s{i:x}" for i in range(width)] + [f"after.s{i}" for i in range(4)]

    def shifted(distance):
        """Return the expression of the vector so many values from `here`."""
        return f"({value}{width})({', '.join(row[4 + distance :][:width])})"
%>
// Local binary patterns of a row of values, and their histogram. Bit j of the pattern of a value says whether its j-th
// neighbour, of the ${n} values before it and the ${n} behind it, is not less than the value itself.

uint pattern(__global const ${value} *a, const ulong i)
{
    uint found = 0;
% for bit, distance in enumerate(neighbours):
    found |= a[i ${"-+"[distance > 0]} ${abs(distance)}] >= a[i] ? ${1 << bit}u : 0u;
% endfor
    return found;
}

// Each work-group counts in local memory, each pattern in ${copies} places, so that few work-items meet at a counter.
// Its histogram is a row of `partial`.
__kernel void count_patterns(__global const ${value} *restrict a, const ulong size, __global uint *restrict partial)
{
    __local uint counts[${bins * copies}];
    const uint item = get_local_id(0);
    for (uint i = item; i < ${bins * copies}u; i += ${group_size}u)
        counts[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    // Vectors from 1 to last - 1 have four values on both sides.
    __global const ${value}${width} *vectors = (__global const ${value}${width} *)a;
    __global const ${value}4 *fours = (__global const ${value}4 *)a;
    const ulong last = max((max(size, (ulong)4) - 4) / ${width}, (ulong)1);
% if alone:
    const ulong each = (last - 1) / get_global_size(0) + 1, begin = 1 + each * get_global_id(0), step = 1;
    const ulong end = min(last, begin + each);
% else:
    const ulong begin = 1 + get_global_id(0), step = get_global_size(0), end = last;
% endif
% if not alone:
    // The place of a counter is added up as a float, which GPUs do beside the comparisons, in units of their own. It is an
    // integer below 2^23, and exact; with 2^23 added to it, it is the last bits of the float.
    const float first = 0x1p23f + item % ${copies}u;
% endif
    for (ulong v = begin; v < end; v += step) {
        const ${value}${width} here = vectors[v];
        const ${value}4 before = fours[v * ${width // 4} - 1], after = fours[(v + 1) * ${width // 4}];
% if alone:
        uint${width} found = 0;
% for bit, distance in enumerate(neighbours):
        found |= select((uint${width})(0), (uint${width})(${1 << bit}), ${shifted(distance)} >= here);
% endfor
% for lane in range(width):
        counts[found.s${f"{lane:x}"} * ${copies}u + ${lane % copies}]++;
% endfor
% else:
        float${width} found = first;
% for bit, distance in enumerate(neighbours):
        found = select(found, found + ${copies << bit}.0f, ${shifted(distance)} >= here);
% endfor
% for lane in range(width):
        atomic_inc(&counts[as_uint(found.s${f"{lane:x}"}) & 0x7FFFFFu]);
% endfor
% endif
    }

    // The first group also counts, one by one, the values before and behind these vectors.
    if (get_group_id(0) == 0) {
        for (ulong i = ${n} + item; i < ${width} && i + ${n} < size; i += ${group_size}u)
            atomic_inc(&counts[pattern(a, i) * ${copies}u]);
        for (ulong i = ${width} * last + item; i + ${n} < size; i += ${group_size}u)
            atomic_inc(&counts[pattern(a, i) * ${copies}u]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint bin = item; bin < ${bins}u; bin += ${group_size}u) {
        uint sum = 0;
        for (uint i = 0; i < ${copies}u; i++)
            sum += counts[bin * ${copies}u + (i + item) % ${copies}u];
        partial[get_group_id(0) * ${bins}u + bin] = sum;
    }
}

// Each work-group adds up the counts of one pattern.
__kernel void add_up(__global const uint *restrict partial, const uint rows, __global ulong *restrict histogram)
{
    __local ulong sums[${adders}];
    const uint item = get_local_id(0), bin = get_group_id(0);
    ulong sum = 0;
    for (uint row = item; row < rows; row += ${adders}u)
        sum += partial[row * ${bins}u + bin];
    sums[item] = sum;
    for (uint rest = ${adders // 2}; rest > 0; rest /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < rest)
            sums[item] += sums[item + rest];
    }
    if (item == 0)
        histogram[bin] = sums[0];
}
