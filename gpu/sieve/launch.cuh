/* Launches of the sieve's kernels.  tests/gpu/emulated/launch_sieve.cc compiles the same files for
 * the host, defines MS_SERIAL, and runs the threads of a kernel one after another;
 * launch_shared.cc runs the threads of a block in turns. */
#ifndef MS_GPU_SIEVE_LAUNCH_CUH
#define MS_GPU_SIEVE_LAUNCH_CUH

#ifndef MS_SERIAL
#define MS_LAUNCH(kernel, blocks, threads, stream, ...)                                            \
  (kernel)<<<blocks, threads, 0, stream>>>(__VA_ARGS__)
/* with this many bytes of shared memory for a block */
#define MS_LAUNCH_SHARED(kernel, blocks, threads, bytes, stream, ...)                              \
  (kernel)<<<blocks, threads, bytes, stream>>>(__VA_ARGS__)
#endif

#endif
