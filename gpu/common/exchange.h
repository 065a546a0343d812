/* An array of sums that several GPUs make together: each makes some parts of it in an array of its
 * own, and then adds the arrays of all others.  No device waits for one that has not begun: the
 * others do its parts.  A device joins, takes parts until none is left, publishes its array, waits
 * until all parts are made, adds the arrays, and leaves when all that have joined have added its
 * own. */
#ifndef MS_GPU_COMMON_EXCHANGE_H
#define MS_GPU_COMMON_EXCHANGE_H

#include "gpu/common/device.h"

#include <pthread.h>

typedef struct ms_gpu_published {
  int device;
  const void *array; /* on the device */
} ms_gpu_published;

typedef struct ms_gpu_exchange {
  pthread_mutex_t lock; /* of the members below */
  pthread_cond_t changed;
  uint32_t parts, taken, made; /* taken: parts [0, taken) */
  uint32_t joined, added;      /* devices; added: those that need no array of another any more */
  bool failed;                 /* a device did not make the parts that it took */
  bool left;                   /* a device has left */
  uint32_t arrays;             /* published ones */
  ms_gpu_published array[MS_GPU_MOST_DEVICES];
} ms_gpu_exchange;

#define MS_GPU_EXCHANGE                                                                            \
  {                                                                                                \
    .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER                         \
  }

/* parts: the same number for all devices.  False if a device has left already, and may have freed
 * its array. */
bool ms_gpu_exchange_join(ms_gpu_exchange *x, uint32_t parts);
/* Takes a part.  False if none is left. */
bool ms_gpu_exchange_take(ms_gpu_exchange *x, uint32_t *part);
/* Publishes an array with this many parts, on which no kernel works any more. */
void ms_gpu_exchange_publish(ms_gpu_exchange *x, int device, const void *array, uint32_t made);
/* Tells the others that parts will be missing. */
void ms_gpu_exchange_fail(ms_gpu_exchange *x);
/* Waits until all parts are made.  False if some will be missing. */
bool ms_gpu_exchange_wait(ms_gpu_exchange *x);
/* Notes that a device that joined needs no array of another any more; once for each. */
void ms_gpu_exchange_added(ms_gpu_exchange *x);
/* Waits until no device needs the array of this one, after ms_gpu_exchange_added. */
void ms_gpu_exchange_leave(ms_gpu_exchange *x);

/* Lets kernels on device `to` read what is allocated on device `from`.  False if this machine
 * cannot do so; a copy between them works all the same. */
bool ms_gpu_exchange_connect(int from, int to);

#endif
