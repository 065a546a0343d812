/* The sieve back-end contract.
 *
 * Work units are (repetition, variant, block of points), numbered
 *   unit = (repetition * variants + variant) * blocks + block.
 * Block b holds the points L with L / block_points = gray(b) = b ^ b >> 1, so
 * that one outer label changes between a block and the next; an aligned range
 * of 2^i blocks is the same set of points for all back ends, whatever their
 * block_points. A unit contributes one byte per vertex.  Contributions are
 * added by XOR: in any order, and on any back end, they give the same Q.  XOR
 * is its own inverse, so the scheduler merges a unit's buffer once, and only
 * when run() succeeded.
 *
 * A back end reads no files, knows no other back ends and prints nothing. */
#ifndef MS_SIEVE_BACKEND_H
#define MS_SIEVE_BACKEND_H

#include "base/threads/stop.h"
#include "sieve/problem.h"

struct ms_budget;

typedef struct ms_sieve_config {
  int threads;
  /* the context reserves memory in it while it is open; NULL: no bound */
  struct ms_budget *budget;
  uint64_t gpu_memory; /* bytes that may be used of each GPU's memory; 0: all that is free */
  const char *kernel;  /* name of the kernel; NULL: the fastest */
  /* 0: the number that the arithmetic has; any other number must equal it */
  uint32_t block_points;
  const ms_stop *stop;
  /* called from any thread when `blocks` more blocks of the run are done; may be NULL */
  void (*blocks_done)(void *user, int thread, uint64_t blocks);
  void *block_user;
  uint64_t *bytes_moved; /* close() adds the bytes copied to the device and back; may be NULL */
  struct ms_integrity *integrity; /* NULL: what is copied from a device is not checked */
} ms_sieve_config;

/* What open() decided. */
typedef struct ms_sieve_plan {
  const char *kernel;
  int threads;
  uint32_t block_points;
  uint64_t blocks;   /* number of blocks in each (repetition, variant) */
  uint64_t batch;    /* units that one run() needs to keep the device busy */
  uint64_t together; /* units that take no longer than one of them; 0 or 1: each takes its time */
  uint64_t memory;   /* bytes, estimated before anything was allocated */
  uint64_t state_bytes; /* bytes of one block's state on one thread */
  /* GPUs: blocks of vertices, 1 if all weights and the state fit the device; and bytes of the
   * host's memory that hold the state, if the device has no room for it */
  uint32_t vertex_blocks;
  uint64_t host_bytes;
} ms_sieve_plan;

/* Returns the outer bits of a block's points; see the head of this file. */
static inline uint64_t ms_sieve_gray(uint64_t block)
{
  return block ^ block >> 1;
}

typedef struct ms_sieve_backend {
  const char *name;
  /* Returns the name of another kernel than `kernel`, the name of one in a plan, that this machine
   * has; the next slower one or, after the slowest, the fastest.  Returns `kernel` if there
   * is no other. */
  const char *(*other_kernel)(const char *kernel);
  /* Returns the number of devices: 0 if this build or machine has none. */
  int (*devices)(void);
  /* Estimates the seconds that `repetitions` take on one device, set-up included, from
   * counts of products and bytes. */
  double (*estimate)(const ms_sieve_problem *problem, const ms_sieve_config *config, int device,
                     uint32_t repetitions);
  ms_status (*open)(const ms_sieve_problem *problem, const ms_sieve_config *config, int device,
                    void **context, ms_sieve_plan *plan, ms_error *err);
  /* XORs the contributions of units [first, last) into q[repetition - first
   * repetition][n]. MS_ERR_MEMORY: try half of them; MS_ERR_DEVICE_LOST: retire
   * the device; MS_ERR_LIMIT or MS_ERR_INTERRUPTED: stopped; any other error is
   * a bug. */
  ms_status (*run)(void *context, uint64_t first, uint64_t last, uint8_t *q, ms_error *err);
  void (*close)(void *context);
} ms_sieve_backend;

extern const ms_sieve_backend ms_sieve_backend_cpu;
/* Defined in gpu/: NVIDIA GPUs, or no device without the plug-in (gpu/loader). */
extern const ms_sieve_backend ms_sieve_backend_cuda;

#endif
