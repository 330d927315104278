<%
    word, mantissa, bias = ("uint", 23, 127) if mean == "float" else ("ulong", 52, 1023)
%>
// F(k) of both ends of a cell in units of 2^-32. The cell has `count` pairs from `begin` on; i is k less the k of the first.
CLRNG_INLINE uint2 ${q}at(const int i, const uint begin, const int count, __global const uint2 *reached)
{
    return i < 0 ? (uint2)(0, 0) : reached[begin + (uint)min(i, count - 1)];
}

// F(k) of a mean that has gone the part t of its cell, minus x, in units: by the line between both ends, of k less 1 and the
// three that follow it. Halves are subtracted, as these fit 32 bits.
CLRNG_INLINE float4 ${q}lines(const int i, const uint x, const float t, const uint begin, __global const uint2 *reached)
{
    const uint8 f = vload8(0, (__global const uint *)(reached + ((int)begin + i - 1)));
    const int4 f0 = as_int4(f.even >> 1), f1 = as_int4(f.odd >> 1);
    return 2.0f * (convert_float4(f0 - (int)(x >> 1)) + t * convert_float4(f1 - f0));
}

// The same by Hermite's interpolation, more closely. The cell is 2^width wide, ${-least_width} + width is not negative. What is left of F
// without the line between both ends is small, so that single precision is enough for it.
CLRNG_INLINE float ${q}above(const int i, const uint x, const float t, const int width, const uint begin, const int count,
                         __global const uint2 *reached)
{
    const uint2 f = ${q}at(i, begin, count, reached), before = ${q}at(i - 1, begin, count, reached), first = ${q}at(i - 2, begin, count, reached);
    const long f0 = f.x, f1 = f.y, before0 = before.x, before1 = before.y;
    const long p0 = f0 - before0, p1 = f1 - before1, d = f1 - f0;
    const long s0 = p0 - (before0 - (long)first.x), s1 = p1 - (before1 - (long)first.y);
    const int shift = width + ${-least_width};
    const float part = ${2.0**least_width}f, square = (float)(1 << 2 * shift) * ${4.0**least_width}f;
    const float a = -part * (float)((p0 << shift) + (d << ${-least_width})), b = part * (float)((p1 << shift) + (d << ${-least_width}));
    const float e0 = 0.5f * square * (float)s0, e1 = 0.5f * square * (float)s1;
    float y = -3.0f * a + 3.0f * b - e0 + e1;
    y = y * t + (8.0f * a - 7.0f * b + 3.0f * e0 - 2.0f * e1);
    y = y * t + (-6.0f * a + 4.0f * b - 3.0f * e0 + e1);
    y = ((y * t + e0) * t + a) * t;
    return (float)(f0 - (long)x + convert_long_rte((float)d * t)) + y;
}

// Whether it is sure that the value is the smallest k for which x < F(k), in units of 2^-32; `bits` are those of the mean.
CLRNG_INLINE bool ${q}value(const ${word} bits, const uint x, __global const uint2 *restrict reached, __global const uint4 *restrict cells,
                            __global const ${entry} *restrict guide, __global const uint *restrict first_cell, int *value)
{
    const int octave = (int)(bits >> ${mantissa}) - ${bias};
    uint cell;
    int width = ${least_width};
    float t;
    if (octave < 0) {
        // fixed is the mean times 2^60, rounded down
        const ${word} whole = (bits & ${hex((1 << mantissa) - 1)}) | ${hex(1 << mantissa)};
        const int down = ${mantissa - 60} - octave;
        const ulong fixed = bits >> ${mantissa} == 0 || down > 63 ? 0 : down > 0 ? (ulong)whole >> down : (ulong)whole << -down;
        cell = (uint)(fixed >> ${60 - cell_bits});
        t = (float)((fixed << ${4 + cell_bits}) >> 32) * 0x1p-32f;
    } else {
        const int cell_bits = max(${cell_bits} + ((octave + 1) >> 1), min(octave + ${narrow_bits[0]}, ${narrow_bits[1]}));
        const ${word} whole = bits << ${(32 if word == "uint" else 64) - mantissa};
        cell = first_cell[octave] + (uint)(whole >> (${32 if word == "uint" else 64} - cell_bits));
        t = (float)(uint)((whole << cell_bits)${"" if word == "uint" else " >> 32"}) * 0x1p-32f;
        width = octave - cell_bits;
    }
    // The first k that may follow from the highest bits of x at the lower end of the cell, and about as much more as the mean is
    // more: that or one of the next two nearly always is the value.
    const uint4 own = cells[cell];
    const uint begin = own.x, x_top = x >> ${32 - guide_bits};
    const int low = (int)own.y, count = (int)(cells[cell + 1].x - begin) - ${2 * margin};
    const float wide = ldexp(1.0f, width);
    int k = min((int)guide[((size_t)cell << ${guide_bits}) + x_top] + max((int)(t * wide) - 1, 0), count);
    // The line between both ends is off by at most half the largest F'' times t (1 - t) and the square of the width.
    const float off = t * (1.0f - t) * wide * wide * ldexp(octave < 0 ? 0.5f : ${steepest / 2}f, 32 - max(octave, 0)) + ${2 * unsure}.0f;
    float4 gaps = ${q}lines(k, x, t, begin, reached);
    for (; gaps.w <= 0 && k + 3 < count; gaps = ${q}lines(k, x, t, begin, reached)) k += 3;
    for (; gaps.x > 0 && k >= 3; gaps = ${q}lines(k, x, t, begin, reached)) k -= 3;
    const int more = (gaps.y <= 0) + (gaps.z <= 0) + (gaps.w <= 0);
    float gap = more == 0 ? gaps.y : more == 1 ? gaps.z : gaps.w;
    float below = more == 0 ? gaps.x : more == 1 ? gaps.y : gaps.z;
    k += more;
    if (low + k == 0) below = -2.0f * off;
    bool sure = k >= (int)own.z && k <= (int)own.w && gap > off && below < -off;
    if (!sure) {
        gap = ${q}above(k, x, t, width, begin, count, reached);
        below = 0;
        for (; gap <= 0 && k < count; gap = ${q}above(++k, x, t, width, begin, count, reached)) below = gap;
        if (below == 0) {
            for (; low + k > 0 && (below = ${q}above(k - 1, x, t, width, begin, count, reached)) > 0; k--) gap = below;
            if (low + k == 0) below = -2.0f * ${unsure};
        }
        sure = k >= (int)own.z && k <= (int)own.w && gap > ${unsure}.0f && below < -${unsure}.0f;
    }
    *value = low + k;
    return sure;
}
