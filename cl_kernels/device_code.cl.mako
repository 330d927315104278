<%
    fields = ", ".join(f"words[{i}]" for i in range(order))
    seed = f"{word} seed" if order == 1 else f"const {word} *words"
%>
// clrng ${version}: ${title}, ${arithmetic} arithmetic, for inclusion in a kernel.
//
//   ${p}state                          the state of one stream; keep it in private memory
% if order == 1:
//   ${p}seed(${word} seed, ulong n)    the state n steps after the seed
% else:
//   ${p}seed(const ${word} *words, ulong n)    the state n steps after that of ${order} words, the oldest first
% endif
//   ${p}next_raw(${p}state *)          the next value, a ${value} from ${least} to ${most}
//   ${p}next_float(${p}state *)        the next value as a float in [0, 1)
% if fp64:
//   ${p}next_double(${p}state *)       the next value as a double in [0, 1)
% endif
//
// After ${p}seed(..., n), the values are those at positions n + 1, n + 2, ... of the sequential stream.
#ifndef ${guard}
#define ${guard}
${body}
CLRNG_INLINE ${p}state ${p}seed(${seed}, const ulong n)
{
    return ${p}jump(${p}load(${"seed" if order == 1 else fields}), n);
}

CLRNG_INLINE ${value} ${p}next_raw(${p}state *state)
{
    *state = ${p}next(*state);
    return ${p}value(*state);
}

CLRNG_INLINE float ${p}next_float(${p}state *state) { return ${p}clrng_float_emit(${p}next_raw(state)); }
% if fp64:

% if divides:
#ifndef __FAST_RELAXED_MATH__  // under which divisions are not rounded correctly
% endif
CLRNG_INLINE double ${p}next_double(${p}state *state) { return ${p}clrng_double_emit(${p}next_raw(state)); }
% if divides:
#endif
% endif
% endif
#pragma OPENCL FP_CONTRACT ON  // as by default
#endif
