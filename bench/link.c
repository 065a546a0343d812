/* Measures how fast a GPU copies to the host's pinned memory, in the way of a listing of matches:
 * two buffers of 4 MiB in turn, on one stream.
 *
 *   link [GPU]
 *
 * A line for each of five runs: the bytes, the seconds, and GB a second. */
#include "base/stop.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

enum { RUNS = 5, COPIES = 2000 };
#define BUFFER ((size_t)4 << 20)

static void check(cudaError_t error)
{
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "link: %s\n", cudaGetErrorString(error));
  exit(1);
}

int main(int argc, char **argv)
{
  void *device, *host[2];
  cudaStream_t stream;
  cudaEvent_t copied[2];
  check(cudaSetDevice(argc > 1 ? atoi(argv[1]) : 0));
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  check(cudaMalloc(&device, BUFFER));
  for (int i = 0; i < 2; i++) {
    check(cudaHostAlloc(&host[i], BUFFER, cudaHostAllocDefault));
    check(cudaEventCreateWithFlags(&copied[i], cudaEventDisableTiming));
  }
  for (int run = 0; run < RUNS; run++) {
    double begin = ms_seconds();
    for (int i = 0; i < COPIES; i++) {
      if (i >= 2)
        check(cudaEventSynchronize(copied[i % 2]));
      check(cudaMemcpyAsync(host[i % 2], device, BUFFER, cudaMemcpyDeviceToHost, stream));
      check(cudaEventRecord(copied[i % 2], stream));
    }
    check(cudaStreamSynchronize(stream));
    double seconds = ms_seconds() - begin;
    printf("link\t%zu\t%.6f\t%.2f\n", COPIES * BUFFER, seconds,
           (double)COPIES * BUFFER / seconds / 1e9);
  }
  return 0;
}
