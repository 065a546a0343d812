/* What compilers spell differently. */
#ifndef MS_BASE_COMPILER_H
#define MS_BASE_COMPILER_H

#define MS_PRAGMA(text) _Pragma(#text)
/* Unroll the loop that follows: register arrays need constant indices. */
#if defined(__clang__)
#define MS_UNROLL(n) MS_PRAGMA(clang loop unroll(full))
#else
#define MS_UNROLL(n) MS_PRAGMA(GCC unroll n)
#endif

#define MS_FALLTHROUGH __attribute__((fallthrough))
#define MS_ALWAYS_INLINE static inline __attribute__((always_inline))

#endif
