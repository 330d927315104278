// Boruvka's algorithm. In a round each tree takes the first edge that leaves it, and the trees at both ends of such an edge
// become one. Every vertex but the roots is hooked to another vertex of its tree.
//
// The edges that are left are in their first order. u[i] and v[i] are the roots of the trees at the ends of the i-th of them,
// and edge[i] is its number in the graph. first[r] is the i of the first edge that leaves the tree of root r.
#define NONE 0xffffffffu

__kernel void first_edges(__global const uint *restrict u, __global const uint *restrict v, const uint left,
                          volatile __global uint *restrict first)
{
    const uint i = get_global_id(0);
    if (i >= left) return;
    const uint a = u[i], b = v[i];
    if (a == b) return;
    if (first[a] > i) atomic_min(first + a, i); // most edges are not the first, and are spared the atomic operation
    if (first[b] > i) atomic_min(first + b, i);
}

// Two trees may have taken the same edge: then the root of the lower number stays a root.
__kernel void hook_trees(__global const uint *restrict u, __global const uint *restrict v,
                         __global const uint *restrict edge, __global const uint *restrict first,
                         __global const uint *restrict hooks, const uint vertices, __global uint *restrict hooked,
                         __global uchar *restrict in_forest)
{
    const uint r = get_global_id(0);
    if (r >= vertices) return;
    const uint i = first[r];
    if (i == NONE) {
        hooked[r] = hooks[r];
        return;
    }
    const uint other = u[i] == r ? v[i] : u[i];
    const bool stays = first[other] == i && r < other;
    hooked[r] = stays ? r : other;
    if (!stays) in_forest[edge[i]] = 1;
}

// Trees that were hooked to one another in a row become those of one root.
__kernel void jump_hooks(__global const uint *restrict first, __global const uint *restrict hooks, const uint vertices,
                         __global uint *restrict jumped, volatile __global uint *restrict changed)
{
    const uint r = get_global_id(0);
    if (r >= vertices) return;
    const uint next = hooks[r];
    if (first[r] == NONE) {
        jumped[r] = next;
        return;
    }
    const uint further = hooks[next];
    jumped[r] = further;
    if (further != next && !changed[0]) atomic_xchg(changed, 1);
}

// Edges are moved to the roots of their trees, maybe in place; those inside a tree need not be kept.
__kernel void move_edges(__global const uint *u, __global const uint *v, __global const uint *restrict hooks,
                         const uint left, __global uint *new_u, __global uint *new_v, __global uchar *restrict kept)
{
    const uint i = get_global_id(0);
    if (i >= left) return;
    const uint a = hooks[u[i]], b = hooks[v[i]];
    new_u[i] = a;
    new_v[i] = b;
    kept[i] = a != b;
}

// A vertex that was hooked in one round may hang on a root of that round, which was hooked in a later one.
__kernel void find_roots(__global const uint *restrict hooks, const uint vertices, __global uint *restrict roots,
                         volatile __global uint *restrict smallest)
{
    const uint v = get_global_id(0);
    if (v >= vertices) return;
    uint r = v;
    while (hooks[r] != r) r = hooks[r];
    roots[v] = r;
    if (smallest[r] > v) atomic_min(smallest + r, v);
}

__kernel void keep_edges(__global const uint *restrict kept, const uint left, __global const uint *restrict u,
                         __global const uint *restrict v, __global const uint *restrict edge,
                         __global uint *restrict new_u, __global uint *restrict new_v, __global uint *restrict new_edge)
{
    const uint i = get_global_id(0);
    if (i >= left) return;
    const uint from = kept[i];
    new_u[i] = u[from];
    new_v[i] = v[from];
    new_edge[i] = edge[from];
}

__kernel void gather(__global const uint *restrict values, __global const uint *restrict places, const uint n,
                     __global uint *restrict out)
{
    const uint i = get_global_id(0);
    if (i < n) out[i] = values[places[i]];
}
