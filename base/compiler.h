/* Attributes and pragmas that compilers spell differently. */
#ifndef MS_BASE_COMPILER_H
#define MS_BASE_COMPILER_H

#define MS_PRAGMA(text) _Pragma(#text)
/* The value of a macro as a string literal. */
#define MS_TEXT(value) MS_TEXT_OF_TOKENS(value)
#define MS_TEXT_OF_TOKENS(tokens) #tokens

/* Unrolls the loop that follows, because register arrays need constant indices.
 * Builds that do not optimise for speed define MS_NO_UNROLL. */
#if defined(MS_NO_UNROLL)
#define MS_UNROLL(n)
#elif defined(__clang__)
#define MS_UNROLL(n) MS_PRAGMA(clang loop unroll(full))
#else
#define MS_UNROLL(n) MS_PRAGMA(GCC unroll n)
#endif

/* Qualifiers for code that kernels share with the host. */
#ifdef __CUDACC__
#define MS_HOST_DEVICE static inline __host__ __device__
#else
#define MS_HOST_DEVICE static inline
#endif

#define MS_FALLTHROUGH __attribute__((fallthrough))
#define MS_ALWAYS_INLINE static inline __attribute__((always_inline))
/* A function that is seldom called from a hot loop, which should not make room for it. */
#define MS_SELDOM static __attribute__((noinline))

#endif
