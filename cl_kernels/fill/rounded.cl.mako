// Rounds numbers to another type.
__kernel void rounded(__global ${out} *restrict made, const ulong offset, const ulong n, __global const ${given} *restrict numbers,
                      const ulong first)
{
<%include file="turns.cl.mako" args="kind='ulong', begin='i'"/>\
        made[offset + i] = convert_${out}_rte(numbers[first + i]);
    }
}
