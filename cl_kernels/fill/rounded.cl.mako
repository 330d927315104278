// Rounds numbers to another type.
__kernel void rounded(__global ${out} *restrict made, const ulong offset, const ulong n, __global const ${given} *restrict numbers,
                      const ulong first)
{
    const ulong i = get_global_id(0);
    if (i < n) made[offset + i] = convert_${out}_rte(numbers[first + i]);
}
