// Finds where the keys of each of ${bucket_count} buckets begin: bucket i has those from buckets[i] to buckets[i + 1] - 1. The
// last word of `buckets` says whether one has more than `most` keys, so that a work-item would have too much to do.
__kernel void find_buckets(__global const uint *restrict counts, const uint parts, const uint most,
                           __global uint *restrict buckets)
{
    uint begin = 0, too_large = 0;
    for (uint bucket = 0; bucket < ${bucket_count}; bucket++) {
        uint count = 0;
        for (uint part = 0; part < parts; part++) count += counts[part * ${bucket_count} + bucket];
        buckets[bucket] = begin;
        begin += count;
        too_large |= count > most;
    }
    buckets[${bucket_count}] = begin;
    buckets[${bucket_count + 1}] = too_large;
}
