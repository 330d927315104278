// Whether it is sure in double precision that the value is the geometric number of a probability and a number below N.
CLRNG_CALLED bool ${q}settle(const double p, const ulong number, const int nearest, long *value)
{
    const double u = (double)number * ${1.0 / numbers}, left = (double)(${numbers - 1}UL - number + 1UL) * ${1.0 / numbers};
    const double place = (u < 0.5 ? log1p(-u) : log(left)) / log1p(-p), below = floor(place), off = ${certain} * fmax(place, 1.0);
    *value = (long)fmin(below, ${2.0**62}) + 1;
    return p < 1.0 && place - below > off && below + 1.0 - place > off;
}
