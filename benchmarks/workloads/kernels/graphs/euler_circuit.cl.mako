// The edge that follows edge e on its circuit is successor[e], which leaves the vertex that e enters. into is the inverse:
// the edge before each edge. Two edges that leave one vertex, edge j and edge j + 1, are a link between their circuits.

__kernel void mark_heads(__global const uint *restrict heads, const uint edges, __global uchar *restrict marks)
{
    const uint e = get_global_id(0);
    if (e < edges) marks[e] = heads[e] == e;
}

__kernel void mark_links(__global const uint *restrict starts, __global const uint *restrict heads, const uint edges,
                         __global uchar *restrict marks)
{
    const uint j = get_global_id(0);
    if (j < edges) marks[j] = j + 1 < edges && starts[j] == starts[j + 1] && heads[j] != heads[j + 1];
}

// Circuits are numbered: that of the edges whose head is e has the number numbers[e].
__kernel void link_circuits(__global const uint *restrict links, const uint count, __global const uint *restrict heads,
                            __global const uint *restrict numbers, __global uint *restrict u, __global uint *restrict v)
{
    const uint i = get_global_id(0);
    if (i >= count) return;
    const uint j = links[i];
    u[i] = numbers[heads[j]];
    v[i] = numbers[heads[j + 1]];
}

__kernel void choose_links(__global const uint *restrict links, const uint count, __global const uchar *restrict chosen,
                           __global uchar *restrict marks)
{
    const uint i = get_global_id(0);
    if (i < count) marks[links[i]] = chosen[i];
}

// To exchange what comes before the two edges of a link makes one circuit of two. The links are a tree of circuits, so that
// each exchange meets two circuits that are not yet one, in whatever order the vertices come.
__kernel void merge_circuits(__global const uint *restrict offsets, const uint vertices,
                             __global const uchar *restrict marks, __global uint *restrict into)
{
    const uint v = get_global_id(0);
    if (v >= vertices) return;
    const uint end = offsets[v + 1];
    for (uint j = offsets[v]; j + 1 < end; j++) {
        if (!marks[j]) continue;
        const uint before = into[j];
        into[j] = into[j + 1];
        into[j + 1] = before;
    }
}

// The circuit begins with edge first.
__kernel void write_circuit(__global const uint *restrict ranks, const uint edges, const uint first,
                            __global uint *restrict circuit)
{
    const uint e = get_global_id(0);
    if (e >= edges) return;
    const uint base = ranks[first];
    circuit[ranks[e] >= base ? ranks[e] - base : edges - base + ranks[e]] = e;
}

// Drops the first edge of a circuit, which closed a path; the edges behind it in the graph had a number less without it.
__kernel void open_circuit(__global const uint *restrict circuit, const uint edges, __global uint *restrict path)
{
    const uint i = get_global_id(0) + 1;
    if (i >= edges) return;
    path[i - 1] = circuit[i] - (circuit[i] > circuit[0]);
}

// Marks the edges that are on the path, and counts the places where an edge does not begin where the last one ended.
__kernel void follow_path(__global const uint *restrict path, const uint edges, __global const uint *restrict starts,
                          __global const uint *restrict ends, const uint closed, __global uchar *restrict seen,
                          volatile __global uint *restrict faults)
{
    const uint i = get_global_id(0);
    if (i >= edges) return;
    seen[path[i]] = 1;
    if (i + 1 < edges || closed) {
        if (ends[path[i]] != starts[path[i + 1 < edges ? i + 1 : 0]]) atomic_inc(faults);
    }
}

__kernel void count_unseen(__global const uchar *restrict seen, const uint edges, volatile __global uint *restrict faults)
{
    const uint e = get_global_id(0);
    if (e < edges && !seen[e]) atomic_inc(faults);
}
