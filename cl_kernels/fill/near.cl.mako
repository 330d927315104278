<%include file="place_of.cl.mako"/>
<%include file="${law}_near.cl.mako"/>
% if fp64:
<%include file="${law}_settle.cl.mako"/>
% endif
<%
    loaded, trial_loaded = ("ulong" if each == "double" else each for each in (mean, trial))  # without double precision, doubles are taken apart
    counted = "uint" if law == "binomial" else trial_loaded
    result = "long" if law == "geometric" else "int"
    lanes = range(width)
    lane = (lambda name, i: f"{name}.s{'%x' % i}") if width > 1 else (lambda name, i: name)
    trial_arguments = f"__global const {trial_loaded} *restrict trials, const ulong first_trial, const uint trial_axes, __global const ulong *restrict trial_sizes, __global const long *restrict trial_steps, " if trial else ""
    double_of = lambda name, of: {"double": f"as_double({name} & 0x7fffffffffffffffUL)", "float": f"(double)as_float((uint){name} & 0x7fffffffu)"}.get(of, f"(double){name}")
    word_of = lambda name, of: f"as_uint({name})" if of == "float" else name
%>
// The value is the smallest k for which X < F(k) N, where F is that of the mean, or of the probability and the trials or successes. An
// element of which this is not sure is put in a list, behind the number of those found and one more word: its index, X, the bits of the
// mean or the probability and those of the trials or successes, the lower words first, and `nearest`.
CLRNG_INLINE void ${q}listed(const ulong index, const ulong number, const ${loaded} mean, ${f"const {counted} trials, " if trial else ""}const int nearest, __global uint *unsure,
                         const uint capacity)
{
    const uint found = atomic_inc(unsure);
    if (found >= capacity) return;
    const ulong word = (ulong)${word_of("mean", mean)};
    unsure += ${header} + ${entry} * found;
    unsure[0] = (uint)index;
    unsure[1] = (uint)(index >> 32);
    unsure[2] = (uint)number;
    unsure[3] = (uint)(number >> 32);
    unsure[4] = (uint)word;
    unsure[5] = (uint)(word >> 32);
% if trial:
    const ulong others = (ulong)${word_of("trials", trial)};
    unsure[6] = (uint)others;
    unsure[7] = (uint)(others >> 32);
% endif
    unsure[${entry - 1}] = (uint)nearest;
}

__kernel void ${law}_by_element(__global const ${value} *restrict raw, __global ${out} *restrict out, const ulong offset,
                                 const ulong first, const uint n, const ulong inner, __global const ${loaded} *restrict means, const ulong first_mean,
                                 const uint mean_axes, const uint out_axes, __global const ulong *restrict sizes,
                                 __global const long *restrict steps, ${trial_arguments}__global uint *restrict unsure, const uint capacity)
{
<%include file="numbers.cl.mako"/>
    ${loaded}${w} mean;
<%include file="given.cl.mako" args="name='mean', kind=loaded, array='means', axis='mean', sizes='sizes', steps_along='steps'"/>
% if halved:
    mean = ${f"max(mean & 0x7fffffffffffffffUL, {hex(2**52)}UL) - {hex(2**52)}UL" if mean == "double" else "mean * 0.5f"};
% endif
% if trial:
    // All have the same where the only axis has steps of 0.
    const bool is_one = trial_axes == 1 && trial_steps[0] == 0;
    ${counted}${w} own_trials = (${counted})trials[0];
<%include file="given.cl.mako" args="name='own_trials', kind=counted, array='trials', axis='trial', sizes='trial_sizes', steps_along='trial_steps', unless='is_one'"/>
% endif
% if law != "poisson":
% if mean == "double":
    // The probability is m 2^-down; below 2^-73 it does not matter.
    const ulong${w} fraction = (mean & ${hex(2**52 - 1)}UL) | ${hex(2**52)}UL, down = min(1075UL - (mean >> 52 & 0x7ffUL), 126UL);
% else:
    const ulong${w} bits = convert_ulong${w}(as_uint${w}(mean)), fraction = ((bits & 0x7fffffUL) | 0x800000UL) << 29, down = min(179UL - (bits >> 23 & 0xffUL), 126UL);
% endif
% if law == "negative_binomial" and trial == "double":
    // The successes are m 2^power, and a float and the rest; below 2^-73 and above 2^113 they do not matter.
    const ulong${w} m = (own_trials & ${hex(2**52 - 1)}UL) | ${hex(2**52)}UL;
    const uint${w} power = clamp(convert_uint${w}(own_trials >> 52 & 0x7ffUL), 949u, 1135u) - 948u;
    const float${w} unit = as_float${w}(power << 23), upper = convert_float${w}(m), successes = upper * unit,
        rest = convert_float${w}(as_long${w}(m - convert_ulong${w}(upper))) * unit;
% elif law == "negative_binomial":
    const float${w} successes = own_trials, rest = 0.0f;
% endif
    int${w} sure, nearest;
    const int${w} found = ${q}near(fraction, down, ${{"binomial": "own_trials, ", "negative_binomial": "successes, rest, "}.get(law, "")}number, &sure, &nearest);
% else:
% if mean == "double":
    // The mean is m 2^-down; below 2^-73 it does not matter.
    const ulong${w} m = (mean & ${hex(2**52 - 1)}UL) | ${hex(2**52)}UL, down = min(1075UL - (mean >> 52 & 0x7ffUL), 126UL), by = min(down, 63UL), above = m >> by;
    const int${w} whole = convert_int${w}(above);
    const float${w} part = convert_float${w}(m - (above << by)) * as_float${w}((127u - convert_uint${w}(down)) << 23), lam = convert_float${w}(whole) + part;
% elif mean == "float":
    const float${w} lam = fabs(mean);
    const int${w} whole = convert_int${w}(lam);
    const float${w} part = lam - convert_float${w}(whole);
% else:
    const int${w} whole = convert_int${w}(mean);
    const float${w} part = 0.0f, lam = convert_float${w}(whole);
% endif
    int${w} sure, nearest;
    const int${w} found = ${q}near(lam, whole, part, number, &sure, &nearest);
% endif
    ${f"if ({q}any_of(sure == 0)) " if width > 1 else ""}{
% for i in lanes:
        if (!${lane("sure", i)}${f" && begin + {i} < n" if width > 1 else ""})
            ${q}listed(first + begin + ${i}, ${lane("number", i)}, ${lane("mean", i)}, ${lane("own_trials", i) + ", " if trial else ""}${lane("nearest", i)}, unsure, capacity);
% endfor
    }
<%include file="placed.cl.mako" args="name='found', axis='mean'"/>
    }
}

% if fp64:
// Makes the values of a list in double precision; those that are not sure either go to the list of those that are left, whose
// second word becomes the number of all.
__kernel void settle_${law}(__global ${out} *restrict out, const ulong offset, const uint mean_axes, const uint out_axes,
                             __global const ulong *restrict sizes, __global const long *restrict steps,
                             __global const uint *restrict unsure, const uint capacity, __global uint *restrict left, const uint room)
{
    if (get_global_id(0) == 0) left[1] = unsure[0];
    const uint count = min(unsure[0], capacity);
    for (uint i = get_global_id(0); i < count; i += get_global_size(0)) {
        __global const uint *own = unsure + ${header} + ${entry} * i;
        const ulong index = own[0] | (ulong)own[1] << 32, number = own[2] | (ulong)own[3] << 32, word = own[4] | (ulong)own[5] << 32;
% if trial:
        const ulong others = own[6] | (ulong)own[7] << 32;
% endif
        ${result} value;
        if (${q}settle(${double_of("word", mean)}, ${"(uint)others, " if law == "binomial" else double_of("others", trial) + ", " if trial else ""}number, (int)own[${entry - 1}], &value)) {
            out[offset + place_of(index, mean_axes, out_axes, sizes, steps)] = (${out})value;
        } else {
            const uint found = atomic_inc(left);
            if (found < room)
                for (uint j = 0; j < ${entry}; j++) left[${header} + ${entry} * found + j] = own[j];
        }
    }
}
% endif

// Puts values in their places: those of the list of elements, in its order, of which there are n.
__kernel void put_settled(__global ${out} *restrict out, const ulong offset, const uint mean_axes, const uint out_axes,
                          __global const ulong *restrict sizes, __global const long *restrict steps,
                          __global const uint *restrict unsure, __global const ${out} *restrict values, const uint n)
{
    const uint i = get_global_id(0);
    if (i >= n) return;
    unsure += ${header} + ${entry} * i;
    out[offset + place_of(unsure[0] | (ulong)unsure[1] << 32, mean_axes, out_axes, sizes, steps)] = values[i];
}
