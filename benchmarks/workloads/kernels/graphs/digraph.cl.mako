// Directed graphs in compressed sparse rows: the edges that leave vertex v are those from offsets[v] to offsets[v + 1] - 1.

// Edge e leaves the vertex starts[e].
__kernel void edge_starts(__global const uint *restrict offsets, const uint vertices, __global uint *restrict starts)
{
    const uint v = get_global_id(0);
    if (v >= vertices) return;
    const uint end = offsets[v + 1];
    for (uint e = offsets[v]; e < end; e++) starts[e] = v;
}

__kernel void out_degrees(__global const uint *restrict offsets, const uint vertices, __global uint *restrict degrees)
{
    const uint v = get_global_id(0);
    if (v < vertices) degrees[v] = offsets[v + 1] - offsets[v];
}

% for name, ctype in (("uint32", "uint"), ("uint8", "uchar")):
__kernel void fill_${name}(__global ${ctype} *restrict out, const uint n, const uint value)
{
    const uint i = get_global_id(0);
    if (i < n) out[i] = value;
}

% endfor
__kernel void count_up(__global uint *restrict out, const uint n)
{
    const uint i = get_global_id(0);
    if (i < n) out[i] = i;
}

// Flags where a and b differ.
__kernel void differ(__global const uint *restrict a, __global const uint *restrict b, const uint n,
                     __global uchar *restrict flags)
{
    const uint i = get_global_id(0);
    if (i < n) flags[i] = a[i] != b[i];
}

__kernel void invert(__global const uint *restrict permutation, const uint n, __global uint *restrict inverse)
{
    const uint i = get_global_id(0);
    if (i < n) inverse[permutation[i]] = i;
}

// Counts the values of n that are not below bound.
__kernel void count_beyond(__global const uint *restrict values, const uint n, const uint bound,
                           volatile __global uint *restrict count)
{
    const uint i = get_global_id(0);
    if (i < n && values[i] >= bound) atomic_inc(count);
}
