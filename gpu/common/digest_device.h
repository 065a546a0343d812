/* What the host (C) and the kernel (CUDA C++) of digests agree on. */
#ifndef MS_GPU_COMMON_DIGEST_DEVICE_H
#define MS_GPU_COMMON_DIGEST_DEVICE_H

#include <stdint.h>

enum { MS_DIGEST_WARPS = 8 }; /* of a block */

typedef struct ms_digest_launch {
  const uint32_t *word; /* [words] */
  uint64_t words;
  uint32_t mask;           /* of each word that counts */
  uint32_t blocks;         /* of the grid */
  unsigned long long *sum; /* receives the digest (base/digest.h), in addition to what it holds */
} ms_digest_launch;

#ifdef __cplusplus
extern "C" {
#endif
/* Returns the kernel, whose argument is an ms_digest_launch. */
const void *ms_digest_function(void);
#ifdef __cplusplus
}
#endif

#endif
