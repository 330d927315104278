<%
    word, mantissa, bias = ("uint", 23, 127) if mean == "float" else ("ulong", 52, 1023)
%>
// The index in the table of mean v of the first F above x, or how many there are.
CLRNG_INLINE uint ${q}first_above(const uint x, const uint v, __global const uint *reached, __global const uint *guide)
{
    const uint g = v * ${(1 << guide_bits) + 1}u + (x >> ${32 - guide_bits});
    uint least = guide[g], most = guide[g + 1];
    while (most - least > 4) {
        const uint middle = (least + most) >> 1;
        if (x < reached[middle]) most = middle; else least = middle + 1;
    }
    while (least < most && x >= reached[least]) least++;
    return least;
}

// F(k) of mean v, in units of 2^-32; i is k less the first k of its table, and may be outside of it.
CLRNG_INLINE long ${q}at(const int i, const uint v, __global const uint *reached, __global const uint *begins)
{
    const uint begin = begins[v];
    const int last = (int)(begins[v + 1] - begin) - 1;
    return i < 0 ? 0 : reached[begin + (uint)min(i, last)];
}

// Whether the table of mean v has all that the interpolation of F(k - 1) and F(k) takes; below 0 there is nothing to have.
CLRNG_INLINE bool ${q}is_inside(const int k, const uint v, __global const uint *begins, __global const uint *lows)
{
    const int i = k - (int)lows[v];
    return (i >= 3 || lows[v] == 0) && i < (int)(begins[v + 1] - begins[v]);
}

// F(k) of a mean in the cell between means v and v + 1, of which it has gone the part t, minus x, in units: Hermite's
// interpolation. The cell is 2^width wide, ${-least_width} + width is not negative. What is left of F without the line
// between both ends is small, so that single precision is enough for it.
CLRNG_INLINE float ${q}above(const int k, const uint x, const float t, const uint v, const int width, __global const uint *reached,
                         __global const uint *begins, __global const uint *lows)
{
    const int i = k - (int)lows[v], j = k - (int)lows[v + 1];
    const long f0 = ${q}at(i, v, reached, begins), f1 = ${q}at(j, v + 1, reached, begins);
    const long before0 = ${q}at(i - 1, v, reached, begins), before1 = ${q}at(j - 1, v + 1, reached, begins);
    const long p0 = f0 - before0, p1 = f1 - before1, d = f1 - f0;
    const long s0 = p0 - (before0 - ${q}at(i - 2, v, reached, begins)), s1 = p1 - (before1 - ${q}at(j - 2, v + 1, reached, begins));
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
CLRNG_INLINE bool ${q}value(const ${word} bits, const uint x, __global const uint *restrict reached, __global const uint *restrict begins,
                            __global const uint *restrict lows, __global const uint *restrict guide,
                            __global const uint *restrict first_cell, int *value)
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
    const int low = (int)(lows[cell] + ${q}first_above(x, cell, reached + begins[cell], guide));
    // F of the mean is between those of both ends of its cell, so that an end often decides
    int k = low;
    bool sure = ${q}at(k - (int)lows[cell + 1], cell + 1, reached, begins) - (long)x > ${unsure}
        && (k == 0 || (long)x - ${q}at(k - 1 - (int)lows[cell], cell, reached, begins) > ${unsure});
    if (!sure) {
        const int high = (int)(lows[cell + 1] + ${q}first_above(x, cell + 1, reached + begins[cell + 1], guide));
        k = low + (int)(t * (float)(high - low) + 0.5f);
        float gap = ${q}above(k, x, t, cell, width, reached, begins, lows), below = 0;
        for (uint turn = 0; turn < 64 && gap <= 0; turn++) gap = ${q}above(++k, x, t, cell, width, reached, begins, lows);
        for (uint turn = 0; turn < 64; turn++) {
            below = k > 0 ? ${q}above(k - 1, x, t, cell, width, reached, begins, lows) : -2.0f * ${unsure};
            if (below <= 0) break;
            gap = below;
            k--;
        }
        sure = gap > ${unsure}.0f && below < -${unsure}.0f && ${q}is_inside(k, cell, begins, lows) && ${q}is_inside(k, cell + 1, begins, lows);
    }
    *value = k;
    return sure;
}
