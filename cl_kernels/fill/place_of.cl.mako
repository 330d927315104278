// Returns the place of an element by its flat index: along axis d lie sizes[d] elements, steps[d] places apart. Without axes
// elements lie one behind another.
CLRNG_INLINE ulong place_of(ulong index, const uint first_axis, const uint axes, __global const ulong *sizes, __global const long *steps)
{
    ulong place = axes ? 0 : index;
    for (uint d = first_axis + axes; d-- > first_axis;) {
        const ulong before = index / sizes[d];
        place += (index - before * sizes[d]) * (ulong)steps[d];
        index = before;
    }
    return place;
}

// Returns where the raw values of value i begin, of `steps` rows for each row of `inner` values.
CLRNG_INLINE ulong first_raw(const ulong i, const ulong inner, const ulong steps)
{
    const ulong row = inner == 1 ? i : i / inner;
    return row * inner * steps + (i - row * inner);
}
