// Replaces word i of ${bits} bits of `lower` by low plus the remainder of the number that it and word i of `upper` make, as JAX has it.
__kernel void jax_integers(__global ${ctype} *restrict lower, const ulong begin, const ulong n,
                           __global const ${ctype} *restrict upper, const ulong range, const ulong power, const ulong low)
{
    const ulong i = get_global_id(0);
    if (i >= n) return;
    const ${ctype} span = (${ctype})range, a = upper[i] % span * (${ctype})power, b = lower[begin + i] % span;
    lower[begin + i] = (${ctype})(a + b) % span + (${ctype})low;
}
