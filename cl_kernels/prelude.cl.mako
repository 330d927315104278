// Compilers built on clang for x86 turn a*b + c into one fused instruction under this pragma, and call a function
// for the builtin; everywhere else the builtin is the instruction.
#if defined(__clang__) && defined(__FMA__)
#pragma OPENCL FP_CONTRACT ON
#else
#pragma OPENCL FP_CONTRACT OFF
#endif
#ifndef CLRNG_PRELUDE
#define CLRNG_PRELUDE
#if defined(__clang__) && defined(__FMA__)
#define CLRNG_FMA(a, b, c) ((a) * (b) + (c))
#else
#define CLRNG_FMA(a, b, c) fma(a, b, c)
// Where single precision has no such instruction, a library computes it, and may give zeros the wrong sign.
#if !defined(FP_FAST_FMAF) && !defined(__NV_CL_C_VERSION)
#define CLRNG_SLOW_FMA
#endif
#endif
// The upper half of a product of 64-bit numbers: a CPU has it by one instruction, but its function may be many times slower.
#ifdef __SIZEOF_INT128__
#define CLRNG_MUL_HI(a, b) ((ulong)((unsigned __int128)(a) * (b) >> 64))
#define CLRNG_SIGNED_MUL_HI(a, b) ((long)((__int128)(a) * (b) >> 64))
#else
#define CLRNG_MUL_HI(a, b) mul_hi(a, b)
#define CLRNG_SIGNED_MUL_HI(a, b) mul_hi(a, b)
#endif
#define CLRNG_MIN(a, b) ((a) < (b) ? (a) : (b))
#define CLRNG_INLINE static inline __attribute__((always_inline))
#define CLRNG_CALLED static __attribute__((noinline))
// For long steps: the compilers of CPUs take long for copies of them, and NVIDIA's GPUs call through memory.
#ifdef __NV_CL_C_VERSION
#define CLRNG_CALLED_BY_CPUS CLRNG_INLINE
#else
#define CLRNG_CALLED_BY_CPUS CLRNG_CALLED
#endif
#endif
