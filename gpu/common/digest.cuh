/* The digest of a device's memory (base/digest.h). */
#ifndef MS_GPU_COMMON_DIGEST_CUH
#define MS_GPU_COMMON_DIGEST_CUH

#include "base/digest.h"
#include "gpu/common/digest_device.h"
#include "gpu/common/warp.cuh"

/* Each lane adds up every so-many-th word, so that a warp reads words that follow one another. */
MS_DEVICE void ms_digest_run(const ms_digest_launch &l)
{
  const uint64_t step = (uint64_t)l.blocks * MS_DIGEST_WARPS * MS_LANES;
  unsigned long long sum = 0;
  for (uint64_t i = ((uint64_t)ms_block() * MS_DIGEST_WARPS + ms_warp()) * MS_LANES + ms_lane();
       i < l.words; i += step)
    sum += (l.word[i] & l.mask) * ms_digest_factor(i);
  ms_add(l.sum, sum);
}

#endif
