/* The memory of a reader's edges.  As long as pairs fit, they are collected; the graph is built
 * from them as ever.  When they do not fit any more, they are sorted and go to a file
 * (graph/runs.h), and collecting begins anew.
 *
 * At any time enough memory is kept free to sort the pairs that were collected.  The table of names
 * and its pool grow by doubling: before they do, pairs make room for them. */
#include "base/alloc.h"
#include "base/meter.h"
#include "base/status.h"
#include "graph/io/edges/edges.h"

#define FIRST_ROOM ((uint64_t)1024)     /* pairs */
#define LEAST_ROOM ((uint64_t)1 << 16)  /* of a run; and a quarter of the vertices */
#define OTHER_BYTES ((uint64_t)2 << 20) /* buffers of runs and of the reader */
#define PAIR_BYTES ((uint64_t)8)

static uint64_t larger(uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

/* Returns a number above the vertices of all pairs, if `more` names follow. */
static uint64_t vertices(const ms_edges *edges, uint64_t more)
{
  return larger(ms_names_count(edges->names) + more, edges->ahead);
}

/* Returns the memory that ms_runs_add takes: neighbours, offsets, and cursors of its threads. */
static uint64_t sorting_bytes(uint64_t n, uint64_t pairs)
{
  return 8 * pairs + 8 * (n + 1) + larger(8 * n, 4 * pairs) + OTHER_BYTES;
}

/* Returns how many pairs can be collected in `bytes`, with the memory that sorting them takes. */
static uint64_t pairs_in(uint64_t bytes, uint64_t n)
{
  uint64_t fixed = 8 * (n + 1) + OTHER_BYTES;
  if (bytes <= fixed + 8 * n)
    return 0;
  uint64_t few = (bytes - fixed - 8 * n) / 16, many = (bytes - fixed) / 20;
  return few < many ? few : many;
}

static ms_status set_room(ms_pairs *pairs, uint64_t room, ms_error *err)
{
  if (!ms_enlarge(&pairs->pair, pairs->room, room, sizeof *pairs->pair))
    return ms_fail_memory(err, "edges being read");
  pairs->room = room;
  return MS_OK;
}

ms_status ms_edges_sort_out(ms_edges *edges, ms_error *err)
{
  ms_pairs *pairs = &edges->pairs;
  if (pairs->count > 0)
    MS_TRY(ms_runs_add(edges->runs, (uint32_t)vertices(edges, 0), pairs->count,
                       (const uint32_t(*)[2])pairs->pair, err));
  edges->sorted += pairs->count;
  ms_free(pairs->pair);
  *pairs = (ms_pairs){0};
  return MS_OK;
}

static ms_status fail(const ms_edges *edges, uint64_t least, ms_error *err)
{
  ms_meter *meter = ms_meter_current();
  uint64_t n = vertices(edges, 0), bound = ms_meter_bound(meter);
  uint64_t wanted = bound - ms_meter_left(meter) + 20 * least + 16 * n + OTHER_BYTES;
  return ms_fail(err, MS_ERR_MEMORY,
                 "%s:%llu: reading may take %llu MiB of memory; the names of %llu vertices take up "
                 "so much of it that too little is left to sort edges; raise `memory` to at least "
                 "%llu MiB, or to more if further vertices follow",
                 meter->label ? meter->label : "the input",
                 meter->line ? (unsigned long long)*meter->line : 0,
                 (unsigned long long)(bound >> 20), (unsigned long long)n,
                 (unsigned long long)(wanted >> 20) + 1);
}

/* Makes room for `more` pairs. */
static ms_status make_pair_room(ms_edges *edges, uint64_t more, uint64_t n, ms_error *err)
{
  ms_pairs *pairs = &edges->pairs;
  uint64_t least = larger(larger(LEAST_ROOM, n / 4), more);
  for (;;) {
    uint64_t left = ms_meter_left(ms_meter_current()), here = pairs->room * PAIR_BYTES;
    uint64_t most = pairs_in(left > UINT64_MAX - here ? UINT64_MAX : left + here, n);
    uint64_t wanted = larger(larger(2 * pairs->room, pairs->count + more), FIRST_ROOM);
    if (wanted <= most)
      return set_room(pairs, wanted, err);
    /* what is left is worth a copy of the pairs only if it is much */
    if (most >= pairs->count + more && most >= least && most / 8 * 7 >= pairs->room)
      return set_room(pairs, most, err);
    if (pairs->room == 0)
      return fail(edges, least, err);
    MS_TRY(ms_edges_sort_out(edges, err));
  }
}

ms_status ms_edges_make_room(ms_edges *edges, uint64_t pairs, uint64_t names, uint64_t bytes,
                             ms_error *err)
{
  const ms_pairs *p = &edges->pairs;
  if (!edges->runs)
    return MS_OK;
  uint64_t growth = ms_names_growth(edges->names, names, bytes);
  uint64_t n = vertices(edges, names);
  if (names > 0 && p->count > 0 &&
      ms_meter_left(ms_meter_current()) < growth + sorting_bytes(n, p->room))
    MS_TRY(ms_edges_sort_out(edges, err));
  if (growth > 0)
    MS_TRY(ms_names_reserve(edges->names, names, bytes, err));
  return p->room - p->count >= pairs ? MS_OK : make_pair_room(edges, pairs, n, err);
}
