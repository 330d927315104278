// Adds up counts of single values: bin k has the values from first[k] to first[k + 1] - 1, and of_values has the count of
// value v at v modulo 256.
__kernel void fold(__global const uint *restrict of_values, __global const int *restrict first,
                   __global uint *restrict counts, const ulong offset, const uint bins)
{
    const uint k = get_global_id(0);
    if (k >= bins) return;
    uint sum = 0;
    for (int v = first[k]; v < first[k + 1]; v++) sum += of_values[v & 255];
    counts[offset + k] = sum;
}
