// Counters in local memory, for kernels that count in bins: clear_counters, then count for each value, then add_counters.
// Each bin has 2^log_copies counters, side by side, so that work-items that find the same bin at the same time mostly
// have counters of their own, at banks of their own. A work-item counts in the copy of its number modulo 2^log_copies.
% if atomic:
#define COUNT_ONE(counter) atomic_inc(counter)
% else:
// A work-group is one work-item, which needs no atomic operations and may take a copy after the other.
#define COUNT_ONE(counter) (*(counter) += 1)
% endif

// Sets the counters of all bins to 0; the work-group has to call it together.
CLRNG_INLINE void clear_counters(__local uint *counters, const uint bins, const uint log_copies)
{
    for (uint k = get_local_id(0); k < bins << log_copies; k += get_local_size(0)) counters[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Counts one value of the bin, which is less than bins, in a copy, which is less than 2^log_copies.
CLRNG_INLINE void count(__local uint *counters, const uint bin, const uint copy, const uint log_copies)
{
    COUNT_ONE(counters + (bin << log_copies) + copy);
}

// Adds the counters to counts, one number a bin, that all work-groups share; the work-group has to call it together.
CLRNG_INLINE void add_counters(__local uint *counters, const uint bins, const uint log_copies, __global uint *counts)
{
    const uint mask = (1 << log_copies) - 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint bin = get_local_id(0); bin < bins; bin += get_local_size(0)) {
        uint sum = 0;
        for (uint k = 0; k <= mask; k++) sum += counters[(bin << log_copies) + ((k + bin) & mask)];
        if (sum) atomic_add(counts + bin, sum);
    }
}
