<%
    fields = ", ".join(f"words[{i}]" for i in range(order))
    seed = f"{word} seed" if order == 1 else f"const {word} *words"
%>
// clrng ${version}: ${title}, ${arithmetic} arithmetic, for inclusion in a kernel.
//
//   ${p}state                          the state of one stream; keep it in private memory
% if ring:
//   ${p}seed(__global ${word} *words)  the state of ${order} words, the oldest first, which it goes on with where they are
% elif order == 1:
//   ${p}seed(${word} seed, ulong n)    the state n steps after the seed
% else:
//   ${p}seed(const ${word} *words, ulong n)    the state n steps after that of ${order} words, the oldest first
% endif
//   ${p}next_raw(${p}state *)          the next value, a ${value} from ${least} to ${most}
//   ${p}next_float(${p}state *)        the next value as a float in [0, 1)
% if fp64:
//   ${p}next_double(${p}state *)       the next value as a double in [0, 1)
% endif
% for function, meaning in comments:
//   ${function}    ${meaning}
% endfor
//
% if tables:
// ${p}local_NAME(copy); in a kernel, where all work-items of a group pass, copies the tables of the distribution NAME to
// local memory, which many GPUs read faster. Then ${p}next_NAME_local(&state, copy) is ${p}next_NAME(&state), and
// ${p}next_NAME_with_local(&state, copy, ...) is ${p}next_NAME_with(&state, ...).
//
% endif
% if ring:
// Each work-item needs ${order} words of its own. The rows of clrng.Streams.by_jumps(...).states are such states.
% else:
// After ${p}seed(..., n), the values are those at positions n + 1, n + 2, ... of the sequential stream.
% endif
#ifndef ${guard}
#define ${guard}
${body}
% if ring:
// Word j of the state, the oldest first, is words[(at + j) mod ${order}].
typedef struct { __global ${word} *words; uint at; } ${p}state;

CLRNG_INLINE ${p}state ${p}seed(__global ${word} *words) { return (${p}state){words, 0}; }

CLRNG_INLINE ${value} ${p}next_raw(${p}state *state)
{
    const uint at = state->at;
% for j, lag in enumerate(ring):
    const uint from${j} = at < ${lag}u ? at + ${order - lag}u : at - ${lag}u;
% endfor
    const ${word} x = ${p}combine(${", ".join(f"state->words[from{j}]" for j in range(len(ring)))});
    state->words[at] = x;
    state->at = at + 1 == ${order}u ? 0 : at + 1;
    return ${p}output_bits(x);
}
% else:
CLRNG_INLINE ${p}state ${p}seed(${seed}, const ulong n)
{
    return ${p}jump(${p}load(${"seed" if order == 1 else fields}), n);
}

CLRNG_INLINE ${value} ${p}next_raw(${p}state *state)
{
    *state = ${p}next(*state);
    return ${p}value(*state);
}
% endif

CLRNG_INLINE float ${p}next_float(${p}state *state) { return ${p}clrng_float_convert(${p}next_raw(state)); }
% if fp64:

% if divides:
#ifndef __FAST_RELAXED_MATH__  // under which divisions are not rounded correctly
% endif
CLRNG_INLINE double ${p}next_double(${p}state *state) { return ${p}clrng_double_convert(${p}next_raw(state)); }
% if divides:
#endif
% endif
% endif
${functions}${checks}
#pragma OPENCL FP_CONTRACT ON  // as by default
#endif
