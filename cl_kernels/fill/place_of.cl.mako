// Returns the place of an element by its flat index: along axis d lie sizes[d] elements, steps[d] places apart. Without axes
// elements lie one behind another. Divisions take long: there is none along the first axis, and those of short numbers are faster.
CLRNG_INLINE ulong place_of(ulong index, const uint first_axis, const uint axes, __global const ulong *sizes, __global const long *steps)
{
    if (axes == 0) return index;
    ulong place = 0;
    for (uint d = first_axis + axes - 1; d > first_axis; d--) {
        const ulong size = sizes[d], before = (index | size) >> 32 ? index / size : (uint)index / (uint)size;
        place += (index - before * size) * (ulong)steps[d];
        index = before;
    }
    return place + index * (ulong)steps[first_axis];
}

// Returns where the raw values of value i begin, of `steps` rows for each row of `inner` values.
CLRNG_INLINE ulong first_raw(const ulong i, const ulong inner, const ulong steps)
{
    const ulong row = inner == 1 ? i : i / inner;
    return row * inner * steps + (i - row * inner);
}
