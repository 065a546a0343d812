#include "tests/gpu/emulated/fake_cuda.h"

#include "gpu/common/cuda_error.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

bool fake_cuda = true;
int fake_devices = 1, fake_multiprocessors = 2;
uint64_t fake_shared_reported;
uint64_t fake_memory = (uint64_t)1 << 30, fake_shared = 227 << 10, fake_taken, fake_most, fake_slow,
         fake_launches, fake_copied, fake_copies_left = UINT64_MAX;
bool (*fake_while_running)(void);
uint32_t emulated_width = 32, emulated_blocks = 2, emulated_value;
uint64_t emulated_seed = 1;

static _Thread_local int current;
static _Thread_local cudaError_t last_error;
static _Thread_local uint64_t questions;
static atomic_uint_fast64_t taken;

static cudaError_t answer(cudaError_t error)
{
  if (error != cudaSuccess)
    last_error = error;
  return error;
}

/* ---- devices ------------------------------------------------------------------- */

/* CUDA_VISIBLE_DEVICES says how many there are, where it is set, as in a driver that has enough. */
static int count_devices(void)
{
  const char *list = getenv("CUDA_VISIBLE_DEVICES");
  int count = 0;
  if (!list)
    return fake_devices;
  for (; *list; list += *list == ',') {
    size_t length = strcspn(list, ",");
    count += length > 0;
    list += length;
  }
  return count;
}

cudaError_t cudaGetDeviceCount(int *count)
{
  *count = count_devices();
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
  current = device;
  return answer(device >= 0 && device < count_devices() ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaGetDevice(int *device)
{
  *device = current;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *facts, int device)
{
  (void)device;
  memset(facts, 0, sizeof *facts);
  strcpy(facts->name, "host");
  facts->major = 9;
  facts->multiProcessorCount = fake_multiprocessors;
  facts->totalGlobalMem = fake_memory;
  facts->l2CacheSize = 1 << 20;
  facts->sharedMemPerBlockOptin = fake_shared;
  if (fake_shared > fake_shared_reported)
    fake_shared_reported = fake_shared;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
  (void)attribute;
  (void)device;
  *value = 1;
  return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version)
{
  *version = 13000;
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
  *version = 13000;
  return cudaSuccess;
}

cudaError_t cudaGetLastError(void)
{
  cudaError_t error = last_error;
  last_error = cudaSuccess;
  return error;
}

const char *cudaGetErrorName(cudaError_t error)
{
  (void)error;
  return "cudaError";
}

const char *cudaGetErrorString(cudaError_t error)
{
  (void)error;
  return "an error";
}

/* ---- memory --------------------------------------------------------------------- */

/* In front of each block is its size.  The first bytes of a block are filled with a value that
 * is not zero. */
enum { NOT_ZERO = 1 << 16 };

typedef union head {
  size_t bytes;
  char pad[256];
} head;

static cudaError_t take(void **out, size_t bytes)
{
  *out = NULL;
  if (atomic_fetch_add(&taken, bytes) + bytes > fake_memory) {
    atomic_fetch_sub(&taken, bytes);
    return answer(cudaErrorMemoryAllocation);
  }
  head *h = malloc(sizeof *h + bytes);
  if (!h)
    abort();
  h->bytes = bytes;
  memset(h + 1, 0x5a, bytes < NOT_ZERO ? bytes : NOT_ZERO);
  *out = h + 1;
  fake_taken = atomic_load(&taken);
  fake_most = fake_taken > fake_most ? fake_taken : fake_most;
  return cudaSuccess;
}

static cudaError_t give(void *memory)
{
  if (!memory)
    return cudaSuccess;
  head *h = (head *)memory - 1;
  atomic_fetch_sub(&taken, h->bytes);
  fake_taken = atomic_load(&taken);
  free(h);
  return cudaSuccess;
}

cudaError_t cudaMallocAsync(void **out, size_t bytes, cudaStream_t stream)
{
  (void)stream;
  return take(out, bytes);
}

cudaError_t cudaFreeAsync(void *memory, cudaStream_t stream)
{
  (void)stream;
  return give(memory);
}

cudaError_t cudaHostAlloc(void **out, size_t bytes, unsigned int flags)
{
  (void)flags;
  *out = malloc(bytes);
  return answer(*out ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaFreeHost(void *memory)
{
  free(memory);
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *memory_free, size_t *memory)
{
  *memory = fake_memory;
  *memory_free = fake_memory - atomic_load(&taken);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
  (void)device;
  *pool = NULL;
  return cudaSuccess;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value)
{
  (void)pool;
  (void)attribute;
  memset(value, 0, sizeof(uint64_t));
  return cudaSuccess;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value)
{
  (void)pool;
  (void)attribute;
  (void)value;
  return cudaSuccess;
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes)
{
  (void)pool;
  (void)bytes;
  return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
  (void)kind;
  (void)stream;
  if (fake_copies_left == 0)
    return answer(cudaErrorUnknown);
  fake_copies_left -= fake_copies_left != UINT64_MAX;
  memcpy(to, from, bytes);
  __atomic_fetch_add(&fake_copied, bytes, __ATOMIC_RELAXED);
  return cudaSuccess;
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t bytes, cudaStream_t stream)
{
  const int devices = count_devices();
  return to_device < devices && from_device < devices && to_device != from_device
             ? cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream)
             : answer(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
  *can = device != peer;
  return cudaSuccess;
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                 struct cudaMemLocation *location)
{
  (void)pool;
  (void)location;
  *flags = cudaMemAccessFlagsProtNone;
  return cudaSuccess;
}

/* As on a machine where some devices do not reach each other's pools. */
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *access,
                                 size_t count)
{
  (void)pool;
  return answer(count == 1 && access->location.id % 2 ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream)
{
  (void)stream;
  memset(to, value, bytes);
  return cudaSuccess;
}

/* ---- streams and events ------------------------------------------------------------ */

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
  (void)flags;
  *stream = malloc(1);
  return answer(*stream ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
  free(stream);
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
  (void)stream;
  return cudaSuccess;
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
  (void)stream;
  if (questions++ < fake_slow)
    return cudaErrorNotReady;
  questions = 0;
  return cudaSuccess;
}

/* An event is the time of its last record. */
cudaError_t cudaEventCreate(cudaEvent_t *event)
{
  *event = calloc(1, sizeof(struct timespec));
  return answer(*event ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
  (void)flags;
  return cudaEventCreate(event);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
  free(event);
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
  (void)stream;
  clock_gettime(CLOCK_MONOTONIC, (struct timespec *)(void *)event);
  return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to)
{
  const struct timespec *a = (const void *)from, *b = (const void *)to;
  *milliseconds =
      (float)(1e3 * (double)(b->tv_sec - a->tv_sec) + 1e-6 * (double)(b->tv_nsec - a->tv_nsec));
  return cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
  (void)event;
  return cudaStreamQuery(NULL);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
  (void)event;
  return cudaSuccess;
}

/* ---- kernels --------------------------------------------------------------------------- */

/* Bytes of shared memory that a kernel may be launched with on a device, if they are more than the
 * usual ones. */
enum { MOST_KERNELS = 512, USUAL_SHARED = 48 << 10 };

static struct {
  const void *kernel;
  int device;
  size_t bytes;
} allowed[MOST_KERNELS];
static pthread_mutex_t allowed_lock = PTHREAD_MUTEX_INITIALIZER;

/* Returns the place of the kernel and the current device in allowed[], or one that is free. */
static size_t place_of(const void *kernel)
{
  size_t i = 0;
  while (i < MOST_KERNELS && allowed[i].kernel &&
         (allowed[i].kernel != kernel || allowed[i].device != current))
    i++;
  if (i == MOST_KERNELS)
    abort();
  return i;
}

cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute, int value)
{
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize ||
      (uint64_t)value > fake_shared_reported)
    return answer(cudaErrorInvalidValue);
  pthread_mutex_lock(&allowed_lock);
  size_t i = place_of(kernel);
  allowed[i].kernel = kernel;
  allowed[i].device = current;
  allowed[i].bytes = (size_t)value;
  pthread_mutex_unlock(&allowed_lock);
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel,
                                                          int threads, size_t shared_bytes)
{
  const fake_kernel *k = kernel;
  bool fits = (uint32_t)threads <= k->most_threads && shared_bytes <= fake_shared_reported;
  *blocks = fits ? (int)emulated_blocks : 0;
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *kernel, dim3 blocks, dim3 threads, void **arguments,
                             size_t shared_bytes, cudaStream_t stream)
{
  const fake_grid grid = {blocks.x, threads.x, (uint32_t)shared_bytes};
  (void)stream;
  pthread_mutex_lock(&allowed_lock);
  size_t most = allowed[place_of(kernel)].bytes;
  pthread_mutex_unlock(&allowed_lock);
  if (shared_bytes > USUAL_SHARED && shared_bytes > most)
    return answer(cudaErrorInvalidValue);
  ((const fake_kernel *)kernel)->run(arguments, &grid);
  return cudaSuccess;
}

/* ---- captures ---------------------------------------------------------------------------- */

/* Launches cannot be captured here; callers then make them one by one. */
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
  (void)stream;
  (void)mode;
  return answer(cudaErrorNotSupported);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
  (void)stream;
  *graph = NULL;
  return answer(cudaErrorNotSupported);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *out, cudaGraph_t graph, unsigned long long flags)
{
  (void)graph;
  (void)flags;
  *out = NULL;
  return answer(cudaErrorNotSupported);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream)
{
  (void)graph;
  (void)stream;
  return answer(cudaErrorNotSupported);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
  (void)graph;
  return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph)
{
  (void)graph;
  return cudaSuccess;
}
