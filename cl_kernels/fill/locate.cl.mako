<%
    def located(y="y", times="times", plus="plus"):
        """Return the value of what is multiplied and moved."""
        found = f"{p}normal({p}finite(CLRNG_FMA({y}, {p}normal({times}), {p}normal({plus}))))"
        return f"{p}on_circle({found})" if circular else found
%>
% if circular:
<%include file="../distributions/circle.cl.mako"/>
% endif
<%include file="../distributions/normal.cl.mako"/>
<%include file="../distributions/finite.cl.mako"/>
// Sets where value i of the n has its scale, its loc and itself in memory, and returns how many values there are from it on to the
// end of the last dimension. Divisions take long: there is none along the first dimension, and those of short numbers are faster.
CLRNG_INLINE ulong ${p}find(const ulong i, const ulong n, __global const ulong *sizes, __global const long *steps, const uint dimensions, ulong *at)
{
    ulong left = i, behind = 0;
    at[0] = at[1] = at[2] = 0;
    for (uint d = dimensions; d-- > 0;) {
        const ulong before = d == 0 ? 0 : n >> 32 ? left / sizes[d] : (uint)left / (uint)sizes[d];
        const ulong place = left - before * sizes[d];
        left = before;
        if (d == dimensions - 1) behind = sizes[d] - place;
        for (uint k = 0; k < 3; k++) at[k] += place * (ulong)steps[3 * d + k];
    }
    return behind;
}

// Replaces value i by scale * value + loc, rounded once; numbers below the smallest normal one count as 0, and a value
// beyond the largest number is that. scale and loc are broadcast: dimension d of the values has sizes[d] places, which are
// steps[3*d] numbers apart in the memory of scale, steps[3*d + 1] in that of loc and steps[3*d + 2] in that of the values.
% if circular:
// Values are angles, which are brought back to the range from -pi to pi.
% endif
__kernel void locate(__global ${out} *restrict values, const ulong offset, const ulong n,
                     __global const ${out} *restrict scale, const ulong scale_offset,
                     __global const ${out} *restrict loc, const ulong loc_offset,
                     __global const ulong *restrict sizes, __global const long *restrict steps, const uint dimensions)
{
% if width > 1:
    const ulong begin = get_global_id(0) * ${width}UL;
% else:
    // Neighbours have neighbouring values, and those of a work-group lie together.
    const ulong apart = get_local_size(0), lane = get_local_id(0), begin = (get_global_id(0) - lane) * ${together} + lane;
% endif
    if (begin >= n) return;
    values += offset;
    scale += scale_offset;
    loc += loc_offset;
% if width > 1:
    ulong at[3];
    const ulong behind = ${p}find(begin, n, sizes, steps, dimensions, at);
    steps += 3 * (dimensions - 1);
    if (behind >= ${width} && (ulong)steps[0] <= 1 && (ulong)steps[1] <= 1 && steps[2] == 1) {
        ${out}${w} times = (${out}${w})scale[at[0]], plus = (${out}${w})loc[at[1]];
        if (steps[0]) times = vload${width}(0, scale + at[0]);
        if (steps[1]) plus = vload${width}(0, loc + at[1]);
        const ${out}${w} y = vload${width}(0, values + at[2]);
        vstore${width}(${located()}, 0, values + at[2]);
        return;
    }
    steps -= 3 * (dimensions - 1);
    const uint count = min((ulong)${width}, n - begin);
    ulong places[${width}];
    ${out} lanes[3][${width}];
    for (uint lane = 0; lane < ${width}; lane++) {
        ${p}find(begin + min(lane, count - 1), n, sizes, steps, dimensions, at);
        places[lane] = at[2];
        lanes[0][lane] = scale[at[0]];
        lanes[1][lane] = loc[at[1]];
        lanes[2][lane] = values[at[2]];
    }
    const ${out}${w} times = vload${width}(0, lanes[0]), plus = vload${width}(0, lanes[1]), y = vload${width}(0, lanes[2]);
    vstore${width}(${located()}, 0, lanes[2]);
    for (uint lane = 0; lane < count; lane++) values[places[lane]] = lanes[2][lane];
% else:
    ulong at[3];
    if (${p}find(begin, n, sizes, steps, dimensions, at) > ${together - 1} * apart) {
        // All lie along the last dimension. They are read together, so that they come together.
        steps += 3 * (dimensions - 1);
% for j in range(together):
        const ${out} times_${j} = scale[at[0] + ${j} * apart * steps[0]], plus_${j} = loc[at[1] + ${j} * apart * steps[1]], y_${j} = values[at[2] + ${j} * apart * steps[2]];
% endfor
% for j in range(together):
        values[at[2] + ${j} * apart * steps[2]] = ${located(f"y_{j}", f"times_{j}", f"plus_{j}")};
% endfor
        return;
    }
    for (uint j = 0; j < ${together} && begin + j * apart < n; j++) {
        if (j > 0) ${p}find(begin + j * apart, n, sizes, steps, dimensions, at);
        const ${out} times = scale[at[0]], plus = loc[at[1]], y = values[at[2]];
        values[at[2]] = ${located()};
    }
% endif
}
