/* Inside census/: what a census of a whole graph has, and its steps. */
#ifndef MS_CENSUS_JOB_H
#define MS_CENSUS_JOB_H

#include "census/census.h"

#include <stdatomic.h>

/* Roots that one thread searches at a time, or candidates of one root. */
typedef struct ms_census_item {
  uint32_t root, roots, begin, end;
} ms_census_item;

struct ms_census_job {
  ms_census_options own;
  const ms_census_options *options; /* &own */
  ms_census_graph *graph;
  uint32_t k;
  int threads;
  ms_budget budget;
  ms_watch watch;
  ms_census_item *item; /* [items] */
  uint64_t items, item_room;
  double overhead; /* seconds of the last share besides its search */
  bool has_units;  /* the census is counted in shares */
  ms_census_units units;
  bool is_dense, dense_open;
  ms_dense dense;
  uint64_t dense_bytes;
  ms_shared_tally shared;
  bool shared_open;
  ms_census_bits *bits;      /* NULL: all neighbours are looked at */
  ms_census_search *search;  /* [threads] */
  atomic_uint_fast64_t done; /* roots */
  atomic_bool full;
  const ms_census_accelerator *gpus;
  bool has_engine; /* `engine` and `engine_reason` of the result are filled */
  bool uses_gpus;
  void *on_gpus; /* NULL: not open */
  uint64_t gpu_visits;
  ms_census_result *result;
};

/* Adds the sets of a share to the totals. */
ms_status ms_census_job_search(ms_census_job *job, const ms_share *share, ms_error *err);
/* Makes the totals zero. */
ms_status ms_census_job_clear(ms_census_job *job, ms_error *err);
/* Frees all but the result. */
void ms_census_job_release(ms_census_job *job);

#endif
