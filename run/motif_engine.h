/* Which engine counts or lists the matches of a motif, and the counting and listing of a region by
 * it. */
#ifndef MS_RUN_MOTIF_ENGINE_H
#define MS_RUN_MOTIF_ENGINE_H

#include "motif/engine.h"

typedef enum ms_motif_engine { MS_MOTIF_AUTO, MS_MOTIF_CPU, MS_MOTIF_GPU } ms_motif_engine;

/* Returns the i-th value of --engine, NULL beyond the last. */
const char *ms_motif_engine_name(uint32_t i);
/* Finds the engine of a name; NULL: auto.  MS_ERR_USAGE: there is no such engine. */
ms_status ms_motif_engine_find(const char *name, ms_motif_engine *out, ms_error *err);

/* Which engine has counted or listed. */
typedef struct ms_motif_counted {
  const char *engine; /* "cpu" or "gpu" */
  char reason[512];
} ms_motif_counted;

/* A count of the matches of regions. */
typedef struct ms_motif_counting {
  const ms_instance *const *region; /* [count] */
  uint32_t count;
  uint32_t n; /* vertices of the graph, to which the sink's `taking` belongs here */
  ms_motif_engine engine;
  int threads;
  const ms_stop *stop;
} ms_motif_counting;

/* Counts the matches of the regions, as ms_engine's count, and says which engine did.
 *
 * With `auto` the CPU counts first, for as long as a GPU takes to start; then both count all
 * regions, and the first that is done stops the other one.  The matches of a stopped count are
 * those that the CPU found. */
ms_status ms_motif_count(const ms_motif_counting *work, ms_count_sink *sink, ms_motif_counted *out,
                         ms_error *err);

/* Lists the matches of a region, as ms_engine's run, and says which engine did (motif_list.c).
 *
 * With `auto`, the CPU lists some roots for a short time, without keeping their matches; a GPU
 * lists the region if it is expected to save a second and a quarter of the time, and the CPU does
 * if there is no GPU, or if it fails before its first match. */
ms_status ms_motif_list_region(const ms_instance *region, ms_motif_engine engine, int threads,
                               const ms_match_sink *sink, const ms_stop *stop,
                               ms_motif_counted *out, ms_error *err);

#endif
