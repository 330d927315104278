## Tells streams of CUDA, which wait for it in memory that they share, that all work before this has ended.
__kernel void flag(volatile __global uint *restrict at, const uint number)
{
    *at = number;
}
