/* Checks of what the host has copied from a device, in runs that check themselves
 * (base/integrity.h). */
#ifndef MS_GPU_COMMON_DIGEST_H
#define MS_GPU_COMMON_DIGEST_H

#include "base/integrity.h"
#include "gpu/common/context.h"

/* Compares host[bytes], which was copied from `device` by the context's stream, with the device's
 * memory: both make a digest of it.  If they differ, copies again, a few times.  A NULL integrity:
 * does nothing.  `bytes` is a multiple of 4.  No kernel may write there meanwhile.
 * MS_ERR_DEVICE_LOST: the digests differ each time. */
ms_status ms_gpu_check_copy(ms_gpu_context *gpu, ms_integrity *integrity, void *device, void *host,
                            uint64_t bytes, ms_error *err);
/* Sets *digest to the digest of words[count] on the device, of which `mask` counts. */
ms_status ms_gpu_digest(ms_gpu_context *gpu, const uint32_t *words, uint64_t count, uint32_t mask,
                        uint64_t *digest, ms_error *err);
/* Flips a bit on the device if a test wants to; *flipped says whether. */
ms_status ms_gpu_inject(ms_gpu_context *gpu, const ms_integrity *integrity, void *device,
                        uint64_t bytes, bool *flipped, ms_error *err);
/* MS_ERR_DEVICE_LOST: copies from this device are damaged again and again. */
ms_status ms_gpu_fail_damaged(const ms_gpu_context *gpu, ms_error *err);

#endif
