// The masses of all pieces of a ring of ${n} masses. A work-group makes those of one length, from the sums of the masses
// of the ring, gone through twice, before each place.
__kernel void weigh(__global const uint *restrict sums, __global uint *restrict masses)
{
    const uint length = get_group_id(0) + 1;
    __global uint *own = masses + 1 + (ulong)(length - 1) * ${n}u;
    for (uint i = get_local_id(0); i < ${n}u; i += ${group_size}u)
        own[i] = sums[i + length] - sums[i];
    if (length == 1 && get_local_id(0) == 0) {
        masses[0] = 0;
        masses[1 + (ulong)${n - 1} * ${n}u] = sums[${n}];
    }
}
