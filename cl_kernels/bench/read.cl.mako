// Reads vectors and does as little as possible with them: the wall of all that has to see every value.
// Work-item k reads `turns` vectors, from vector k * first on, that are `stride` apart.
__kernel void read(__global const uint${width} *restrict a, const uint turns, const ulong first, const ulong stride,
                   __global uint *restrict sums)
{
    uint${width} sum = 0;
    a += get_global_id(0) * first;
    for (uint t = 0; t < turns; t += 4)
        sum += a[t * stride] + a[(t + 1) * stride] + a[(t + 2) * stride] + a[(t + 3) * stride];
    sums[get_global_id(0)] = ${" + ".join(f"sum.s{k:x}" for k in range(width))};
}
