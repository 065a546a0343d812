/* The list that the first of two kernels makes and the second takes: roots, or parts of them, that
 * are too much work for a warp.
 *
 * Where several devices share a search, each looks at all roots, counts those with little work that
 * belong to its classes (classes.h), and lists those parts of the others that do: part i of root r
 * belongs to class r + i.  So the devices share each hub.  (In programs of squares, a device has
 * all parts of a hub, which read the same rows.)
 *
 * Warps list their roots at the same time, so that the list has no order.  In a large graph it is
 * sorted by an estimate of the work, except in programs of squares, whose parts are all short, the
 * heaviest parts first: no block is to begin a heavy part when the others have ended (longest
 * processing time first: Graham, SIAM J. Appl. Math. 17, 1969). Until then, the number of a part
 * has the class of its work in its highest bits. */
#ifndef MS_GPU_MATCH_DFS_LIST_CUH
#define MS_GPU_MATCH_DFS_LIST_CUH

#include "gpu/match/dfs/dfs_visit.cuh"

enum {
  MS_WORK_SHIFT = 25, /* of the class of work in a part's number */
  MS_SORT_READS = 8   /* entries of a thread at a time */
};

/* Returns the class of this work, one of MS_WORK_CLASSES; four of them double the work. */
MS_DEVICE uint32_t ms_work_class(uint32_t work)
{
  uint32_t bits = ms_bit_length(work);
  return bits < 3 ? work : (bits - 1) * 4 | (work >> (bits - 3) & 3);
}

/* Returns the entry of a part of a root in list `to`, with a number that is in proportion to its
 * work. */
MS_DEVICE ms_slice ms_listed_part(const ms_dfs_launch &launch, uint32_t to, uint32_t root,
                                  uint32_t part, uint32_t work)
{
  ms_slice listed = {root, part};
  if (launch.list[to].sorted)
    listed.slice |= ms_work_class(work) << MS_WORK_SHIFT;
  return listed;
}

/* True if units, or parts, of this number modulo the number of classes belong to the launch. */
MS_DEVICE bool ms_is_of_launch(const ms_dfs_launch &launch, uint32_t number)
{
  uint32_t at = number % (uint32_t)launch.share.all;
  return at >= launch.share.first && at < launch.share.end;
}

/* Returns the number of places that a launch goes over, and the unit at a place: all units where
 * devices share parts. */
MS_DEVICE uint64_t ms_places_of_launch(const ms_dfs_launch &launch)
{
  return launch.by_parts ? launch.share.units : ms_classes_places(&launch.share);
}

MS_DEVICE uint64_t ms_unit_of_launch(const ms_dfs_launch &launch, uint64_t place)
{
  return launch.by_parts ? place : ms_classes_unit(&launch.share, place);
}

/* True if a part of a root is to be listed by this launch; of several parts the first is 0. */
MS_DEVICE bool ms_lists_part(const ms_dfs_launch &launch, uint32_t root, uint32_t part)
{
  return !launch.by_parts || ms_is_of_launch(launch, root + part);
}

/* True if a root with little work is to be counted by this launch. */
MS_DEVICE bool ms_counts_root(const ms_dfs_launch &launch, uint64_t number)
{
  return !launch.by_parts || ms_is_of_launch(launch, (uint32_t)number);
}

/* ---- sorting ---------------------------------------------------------------------------- */

/* Counts the entries of each class; a block adds up its own first. */
MS_DEVICE void ms_dfs_count_work(const ms_dfs_launch &launch, uint8_t *shared)
{
  uint32_t *count = (uint32_t *)shared, threads = launch.warps * MS_LANES;
  uint32_t thread = ms_warp() * MS_LANES + ms_lane(),
           listed = ms_peek(&launch.queue->listed[launch.from]);
  for (uint32_t c = thread; c < MS_WORK_CLASSES; c += threads)
    count[c] = 0;
  ms_sync_block();
  for (uint64_t i = (uint64_t)ms_block() * threads + thread; i < listed;
       i += (uint64_t)launch.blocks * threads)
    (void)ms_add(&count[launch.list[launch.from].slices[i].slice >> MS_WORK_SHIFT], 1u);
  ms_sync_block();
  for (uint32_t c = thread; c < MS_WORK_CLASSES; c += threads)
    if (count[c] > 0)
      (void)ms_add(&launch.of_class[c], count[c]);
}

/* Copies the entries, those of the class of most work first. */
MS_DEVICE void ms_dfs_sort_work(const ms_dfs_launch &launch, uint8_t *shared)
{
  uint32_t *first = (uint32_t *)shared, *count = first + MS_WORK_CLASSES;
  uint32_t threads = launch.warps * MS_LANES, thread = ms_warp() * MS_LANES + ms_lane();
  uint32_t listed = ms_peek(&launch.queue->listed[launch.from]),
           *placed = launch.of_class + MS_WORK_CLASSES;
  for (uint32_t c = thread; c < MS_WORK_CLASSES; c += threads)
    count[c] = launch.of_class[c];
  ms_sync_block();
  for (uint32_t c = thread; c < MS_WORK_CLASSES; c += threads) {
    first[c] = 0;
    for (uint32_t heavier = c + 1; heavier < MS_WORK_CLASSES; heavier++)
      first[c] += count[heavier];
  }
  for (uint64_t from = (uint64_t)ms_block() * threads * MS_SORT_READS; from < listed;
       from += (uint64_t)launch.blocks * threads * MS_SORT_READS) {
    ms_slice entry[MS_SORT_READS];
    uint32_t rank[MS_SORT_READS];
    ms_sync_block();
    for (uint32_t c = thread; c < MS_WORK_CLASSES; c += threads)
      count[c] = 0;
    ms_sync_block();
#pragma unroll
    for (uint32_t j = 0; j < MS_SORT_READS; j++) {
      uint64_t i = from + j * threads + thread;
      if (i < listed) {
        entry[j] = launch.list[launch.from].slices[i];
        rank[j] = ms_add(&count[entry[j].slice >> MS_WORK_SHIFT], 1u);
      }
    }
    ms_sync_block();
    for (uint32_t c = thread; c < MS_WORK_CLASSES; c += threads)
      count[c] = first[c] + (count[c] > 0 ? ms_add(&placed[c], count[c]) : 0);
    ms_sync_block();
#pragma unroll
    for (uint32_t j = 0; j < MS_SORT_READS; j++) {
      uint64_t i = from + j * threads + thread;
      if (i >= listed)
        continue;
      ms_slice to = {entry[j].root, entry[j].slice & ((1u << MS_WORK_SHIFT) - 1)};
      launch.list[launch.from].sorted[count[entry[j].slice >> MS_WORK_SHIFT] + rank[j]] = to;
    }
  }
}

#endif
