/* Inside census/: what a census of a whole graph has, and its steps. */
#ifndef MS_CENSUS_JOB_H
#define MS_CENSUS_JOB_H

#include "census/census.h"
#include "census/shapes/search.h"

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
  bool has_units;          /* the census is counted in shares */
  ms_share rest;           /* units to do, of which those below `advanced` are in the totals */
  uint64_t advanced, step; /* step: units of the next range on GPUs; 0: not known */
  bool is_ready;           /* the items are the units of `rest` from first_unit on */
  uint64_t first_unit;
  atomic_uint_fast64_t next; /* the first item that no thread has taken */
  bool is_mixed; /* the totals or the tables of threads have some sets of units that are not done */
  double adding; /* seconds in which the last numbers of GPUs were added to the totals */
  ms_census_units units;
  ms_census_form form;     /* MS_CENSUS_AUTO: ms_hooks.census_form */
  ms_integrity *integrity; /* NULL: copies from GPUs are not checked */
  bool is_dense, dense_open;
  ms_dense dense;
  uint64_t dense_bytes;
  ms_shared_tally shared;
  bool shared_open;
  ms_graphlet_form graphlet; /* of a census by shape; k 0: it is none */
  ms_graphlet_search *shape; /* [threads] of a census by shape, in place of `search` */
  uint64_t *shape_total;     /* [2^bits] by codes, without colours */
  double shape_sets;         /* about, of all shapes */
  ms_census_rows shape_rows; /* of all shapes, from a GPU: the tally is empty */
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

/* Returns about how many seconds the CPU takes, as far as is known without a count. */
double ms_census_job_bound(const ms_census_job *job);
/* Decides whether GPUs count, once. */
ms_status ms_census_job_choose_engine(ms_census_job *job, ms_error *err);
/* Makes the units of a share the items. */
ms_status ms_census_job_take_units(ms_census_job *job, const ms_share *share, ms_error *err);
/* Opens the tables of all threads, unless they are open. */
ms_status ms_census_job_open_tables(ms_census_job *job, ms_error *err);
/* Searches item number `item` on a thread; false: the search of this thread has ended early. */
bool ms_census_job_search_item(ms_census_job *job, int thread, uint64_t item);
/* Takes what all threads hold into the totals. */
ms_status ms_census_job_gather(ms_census_job *job, ms_error *err);
/* Adds the sets of a share to the totals. */
ms_status ms_census_job_search(ms_census_job *job, const ms_share *share, ms_error *err);
/* Makes the totals zero. */
ms_status ms_census_job_clear(ms_census_job *job, ms_error *err);
/* Frees all but the result. */
void ms_census_job_release(ms_census_job *job);

#endif
