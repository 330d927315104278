// low + width * x for the uniform number x in [0, 1) that index_convert makes, rounded after each operation, as NumPy does.
CLRNG_INLINE double${w} ${p}convert(const ${value}${w} x0, const double${each} width, const double${each} low)
{
#pragma OPENCL FP_CONTRACT OFF
    return low + width * ${p}index_convert(x0);
}
