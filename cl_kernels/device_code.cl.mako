// clrng ${version}: ${title}, ${arithmetic} arithmetic, for inclusion in a kernel.
//
//   ${p}state                          the state of one stream; keep it in private memory
//   ${p}seed(uint seed, ulong n)       the state n steps after the seed, 1 <= seed < ${modulus}
//   ${p}next_raw(${p}state *)          the next value, from 1 to ${modulus - 1}
//   ${p}next_float(${p}state *)        the next value as a float in [0, 1)
% if fp64:
//   ${p}next_double(${p}state *)       the next value as a double in (0, 1)
% endif
//
// After ${p}seed(seed, n), the values are those at positions n + 1, n + 2, ... of the sequential stream.
#ifndef ${guard}
#define ${guard}
${body}
CLRNG_INLINE ${p}state ${p}seed(const uint seed, const ulong n) { return ${p}jump(${p}load(seed), n); }

CLRNG_INLINE uint ${p}next_raw(${p}state *state)
{
    *state = ${p}next(*state);
    return ${p}value(*state);
}

CLRNG_INLINE float ${p}next_float(${p}state *state) { return ${p}clrng_float_emit(${p}next_raw(state)); }
% if fp64:

CLRNG_INLINE double ${p}next_double(${p}state *state) { return ${p}clrng_double_emit(${p}next_raw(state)); }
% endif
#pragma OPENCL FP_CONTRACT ON  // as by default
#endif
