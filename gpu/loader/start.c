/* The start of a GPU in the background: who may need a GPU soon begins it, and does other work. */
#include "base/threads/parallel.h"
#include "gpu/gpu.h"
#include "gpu/loader/loader.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_bool has_begun, has_ended;
static pid_t starter; /* the process whose thread starts the GPU */

/* An exit while the driver starts may crash within the driver. */
static void wait_for_end(void)
{
  if (getpid() != starter)
    return; /* a child made by fork() has no such thread */
  pthread_mutex_lock(&lock);
  while (!atomic_load(&has_ended))
    pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
}

static void *start(void *user)
{
  (void)user;
  ms_gpu_start_first();
  pthread_mutex_lock(&lock);
  atomic_store(&has_ended, true);
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return NULL;
}

bool ms_gpu_start(void)
{
  if (!atomic_exchange(&has_begun, true)) {
    starter = getpid();
    /* handlers run in reverse: ours before those of the driver, which is loaded here */
    bool loads = ms_gpu_plugin_has_driver();
    if (!loads || atexit(wait_for_end) != 0 || !ms_thread_start(NULL, start, NULL))
      atomic_store(&has_ended, true); /* whoever needs the GPU starts it */
  }
  return atomic_load(&has_ended);
}

bool ms_gpu_start_has_begun(void)
{
  return atomic_load(&has_begun) || ms_gpu_plugin_loaded() != NULL;
}
