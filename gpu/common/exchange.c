#include "gpu/common/exchange.h"

#include <cuda_runtime_api.h>

bool ms_gpu_exchange_join(ms_gpu_exchange *x, uint32_t parts)
{
  pthread_mutex_lock(&x->lock);
  x->parts = parts;
  bool joins = !x->left;
  x->joined += joins;
  pthread_mutex_unlock(&x->lock);
  return joins;
}

bool ms_gpu_exchange_take(ms_gpu_exchange *x, uint32_t *part)
{
  pthread_mutex_lock(&x->lock);
  bool some = !x->failed && x->taken < x->parts;
  *part = x->taken;
  x->taken += some;
  pthread_mutex_unlock(&x->lock);
  return some;
}

void ms_gpu_exchange_publish(ms_gpu_exchange *x, int device, const void *array, uint32_t made)
{
  pthread_mutex_lock(&x->lock);
  x->array[x->arrays++] = (ms_gpu_published){device, array};
  x->made += made;
  pthread_cond_broadcast(&x->changed);
  pthread_mutex_unlock(&x->lock);
}

void ms_gpu_exchange_fail(ms_gpu_exchange *x)
{
  pthread_mutex_lock(&x->lock);
  x->failed = true;
  pthread_cond_broadcast(&x->changed);
  pthread_mutex_unlock(&x->lock);
}

bool ms_gpu_exchange_wait(ms_gpu_exchange *x)
{
  pthread_mutex_lock(&x->lock);
  while (!x->failed && x->made < x->parts)
    pthread_cond_wait(&x->changed, &x->lock);
  bool all = !x->failed;
  pthread_mutex_unlock(&x->lock);
  return all;
}

void ms_gpu_exchange_added(ms_gpu_exchange *x)
{
  pthread_mutex_lock(&x->lock);
  x->added++;
  pthread_cond_broadcast(&x->changed);
  pthread_mutex_unlock(&x->lock);
}

void ms_gpu_exchange_leave(ms_gpu_exchange *x)
{
  pthread_mutex_lock(&x->lock);
  x->left = true;
  while (x->added < x->joined)
    pthread_cond_wait(&x->changed, &x->lock);
  pthread_mutex_unlock(&x->lock);
}

bool ms_gpu_exchange_connect(int from, int to)
{
  cudaMemPool_t pool;
  int can = 0;
  enum cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
  struct cudaMemLocation here = {.type = cudaMemLocationTypeDevice, .id = to};
  struct cudaMemAccessDesc access = {.location = here, .flags = cudaMemAccessFlagsProtReadWrite};
  bool reads = cudaDeviceCanAccessPeer(&can, to, from) == cudaSuccess && can &&
               cudaDeviceGetDefaultMemPool(&pool, from) == cudaSuccess &&
               cudaMemPoolGetAccess(&flags, pool, &here) == cudaSuccess &&
               (flags == cudaMemAccessFlagsProtReadWrite ||
                cudaMemPoolSetAccess(pool, &access, 1) == cudaSuccess);
  (void)cudaGetLastError();
  return reads;
}
