/* Inside gpu/census/: a context of the census, and what each device does in a pass of a count. */
#ifndef MS_GPU_CENSUS_CONTEXT_H
#define MS_GPU_CENSUS_CONTEXT_H

#include "census/accelerator.h"
#include "gpu/census/census_device.h"
#include "gpu/common/launch.h"
#include "gpu/common/search.h"

/* What a device has for any census, from its first count on. */
typedef struct ms_census_device {
  bool is_open;
  ms_gpu_context gpu;
  ms_gpu_search search;
  const void *kernel; /* of the next launch */
  ms_gpu_grid grid;
  void *launch;     /* its argument */
  uint8_t *memory;  /* copies of the host's arrays */
  uint8_t *scratch; /* the queue, and what the kernels write */
} ms_census_device;

typedef struct ms_census_runner {
  ms_census_device at;  /* the first member */
  uint64_t count;       /* the last one of the context that the device has begun */
  const uint8_t *label; /* of the host, whose copy the device has */
  bool has_numbers;     /* that were not fetched */
  ms_census_launch launch;
  uint8_t *labels;       /* labels, and what is counted for them; NULL: not needed yet */
  uint32_t *begin, *end; /* [pieces] of the launch, in the scratch */
  /* for numbers of each vertex */
  bool has_kinds;       /* the device has the kinds */
  uint32_t *table;      /* NULL: there is none yet */
  uint64_t table_bytes; /* of it */
} ms_census_runner;

/* What one count asks of each device, beside `total` under the lock of the share. */
typedef struct ms_census_pass {
  uint32_t words;              /* of the kernel */
  const ms_kind_id *kind;      /* [n] of the count */
  const uint8_t *label;        /* [n][MS_CENSUS_LABELINGS] NULL: kinds */
  uint32_t label_first;        /* the first of them that is counted */
  const uint32_t *root;        /* [units] NULL: all roots */
  const uint32_t *begin, *end; /* [units] candidates of each root; NULL: all */
  uint64_t units;
  /* numbers of each vertex */
  uint32_t place_bits;
  uint64_t *found;            /* [units] receives what the devices have found, with places in .. */
  ms_vertex_numbers *numbers; /* .. entry[] */
} ms_census_pass;

/* The first member is what the devices share; its lock protects the results. */
typedef struct ms_census_context {
  ms_gpu_share share;
  ms_pattern_task task;
  ms_census_on on;
  uint32_t *offset; /* [n + 1] */
  uint32_t *step;   /* all steps */
  uint32_t step_at[MS_MAX_CENSUS];
  uint64_t steps, cells;
  uint32_t words;   /* of the first kernel */
  uint8_t *is_left; /* [n] of a pass */
  uint32_t *root;   /* [lefts] */
  uint64_t lefts;
  ms_census_unit *piece; /* [pieces] roots, or parts of them, of a share, or of it those that are
                            left */
  uint32_t *begin, *end; /* [pieces] of them */
  uint64_t pieces;
  bool has_pieces; /* the count is of a share */
  ms_census_runner runner[MS_GPU_MOST_DEVICES];
  ms_census_pass pass;
  uint64_t *total;    /* [cells], or [labelings][cells] */
  uint32_t labelings; /* of the pass */
  uint64_t visits, bytes;
  uint64_t counts; /* that were begun */
  uint64_t sets;   /* of all roots that are not left */
  bool knows_sets;
  /* numbers of each vertex */
  uint32_t place_bits; /* 0: not known yet */
  /* the part of a device in a pass */
  ms_status (*vertex_pass)(ms_census_runner *r, struct ms_census_context *c, ms_error *err);
} ms_census_context;

/* Does a device's part of the pass `context->pass`; the work of the share. */
ms_status ms_census_run_device(ms_gpu_share *share, int device, ms_error *err);
/* Adds what a device has counted since the count began to context->total. */
ms_status ms_census_fetch_numbers(ms_census_context *context, uint32_t device, ms_error *err);
void ms_census_close_runner(ms_census_runner *runner);

/* Steps of a pass. */
ms_status ms_census_open_runner(ms_census_runner *r, ms_census_context *c, int device,
                                ms_error *err);
ms_status ms_census_clear(ms_gpu_context *gpu, void *memory, uint64_t bytes, ms_error *err);
/* Copies one array of the host to `to`, on the device. */
ms_status ms_census_upload(ms_gpu_context *gpu, const void *from, uint64_t bytes, const void *to,
                           ms_error *err);
/* Copies from the device, and waits. */
ms_status ms_census_fetch(ms_gpu_context *gpu, void *to, const void *from, uint64_t bytes,
                          ms_error *err);
/* Copies from the device, with a check if the run checks itself, and adds to total[cells] under the
 * lock of the share.  *overflow: some number has no 64 bits. */
ms_status ms_census_add_cells(ms_census_device *at, ms_integrity *integrity, void *from,
                              uint64_t cells, uint64_t *total, bool *overflow, ms_error *err);
/* Clears the queue, launches and waits. */
ms_status ms_census_launch_once(ms_gpu_search *search, ms_error *err);
/* Searches units until none is left. */
ms_status ms_census_search_units(ms_census_runner *r, ms_census_context *c, ms_error *err);
/* MS_ERR_MEMORY: the device has no room for so many more bytes. */
ms_status ms_census_check_room(const ms_gpu_context *gpu, uint64_t bytes, ms_error *err);
/* Fills what the devices share, makes offset[n + 1], and takes the devices that the options name,
 * or those that the work needs.  The lock is there in any case. */
ms_status ms_census_open_share(const ms_census_on *on, ms_gpu_share *share, ms_pattern_task *task,
                               uint32_t **offset, ms_error *err);
/* Runs `work` on all devices. */
ms_status ms_census_run_share(ms_gpu_share *share, ms_error *err);
/* Returns the place of a device in the share. */
uint32_t ms_census_place_of(const ms_gpu_share *share, int device);
/* Returns how many classes of units the devices take. */
uint64_t ms_census_classes(const ms_gpu_share *share);
/* Opens a device of the share, whose other members are zeros but for `launch`, with its memory by
 * `open_memory`.  Close it in any case. */
ms_status ms_census_open_device(ms_census_device *at, ms_gpu_share *share, int device,
                                uint64_t memory,
                                ms_status (*open_memory)(ms_census_device *at, ms_gpu_share *share,
                                                         ms_staging_list *list, ms_error *err),
                                ms_error *err);
/* Ends the work of a device and frees its memory; close its context behind other memory. */
void ms_census_end_device(ms_census_device *at);
/* ms_census_accelerator.count_vertices. */
ms_status ms_census_count_vertices(void *context, const uint32_t *rank, uint32_t count,
                                   ms_vertex_numbers *numbers, ms_error *err);
/* ms_census_accelerator.open_shapes, and so on. */
ms_status ms_shapes_open(const ms_census_on *on, void **context, ms_error *err);
ms_status ms_shapes_count(void *context, const ms_census_units *units, const ms_share *share,
                          ms_shape_numbers *numbers, ms_error *err);
void ms_shapes_close(void *context);

#endif
