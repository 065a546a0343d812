#include "run/families.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "motif/best/families.h"
#include "motif/engine.h"

#include <inttypes.h>
#include <string.h>

#define POLL_ROWS 256u /* between two checks of the stop token */
#define FIRST_SIZES 64u
/* What a stopped search has found is grouped in this time, as far as it comes. */
#define SECONDS_AFTER_STOP 0.4
#define SECONDS_TO_COUNT 1.0 /* for the memory of the matches */

typedef struct grouping {
  ms_run *run;
  ms_families *families;
  uint64_t *size, count, room; /* matches of each family */
  uint64_t most;               /* representatives; UINT64_MAX: any number */
  uint64_t grouped;
  bool leaves_out; /* there is a match without a family, because there are `most` */
  double late;     /* when grouping ends after a stop; 0: there was none */
} grouping;

/* True if grouping has to end before this row. */
static bool is_over(grouping *g, uint64_t row)
{
  ms_run *run = g->run;
  if (row % POLL_ROWS != 0)
    return false;
  ms_run_report(run, "matches grouped", row, run->matches);
  if (g->late > 0)
    return ms_seconds() > g->late;
  ms_status stopped = ms_stop_check(run->limits.stop);
  if (stopped != MS_OK)
    run->stopped = stopped;
  return stopped != MS_OK;
}

/* Adds a representative, which the rows hold behind the others.  Returns false if there is no
 * memory for it. */
static bool add(grouping *g)
{
  if (g->count == g->room) {
    uint64_t room = g->room ? 2 * g->room : FIRST_SIZES;
    if (!ms_budget_reserve(g->run->budget, (room - g->room) * sizeof *g->size) ||
        !ms_enlarge(&g->size, g->room, room, sizeof *g->size))
      return false;
    g->room = room;
  }
  if (!ms_families_add(g->families, g->run->vertices))
    return false;
  g->size[g->count++] = 1;
  return true;
}

/* Takes the rows one after the other; representatives move to the front.  Returns MS_ERR_MEMORY if
 * there is no room for one of them. */
static ms_status take_rows(grouping *g)
{
  ms_run *run = g->run;
  uint32_t k = run->width, *rows = run->vertices;
  for (uint64_t i = 0; i < run->matches && !is_over(g, i); i++) {
    uint32_t family = ms_families_find(g->families, rows, rows + i * k);
    g->grouped += family != MS_NO_ID || g->count < g->most;
    if (family != MS_NO_ID) {
      g->size[family]++;
      continue;
    }
    if (g->count == g->most) {
      g->leaves_out = true;
      continue; /* later matches may join a family */
    }
    memmove(rows + g->count * k, rows + i * k, k * sizeof *rows);
    if (!add(g)) {
      g->grouped--;
      return MS_ERR_MEMORY;
    }
  }
  return MS_OK;
}

/* Settles what ended the grouping.  A status of MS_ERR_LIMIT with as many rows as the limit says
 * that the limit has cut families off, and that the sizes of the others are right. */
static ms_status settle(grouping *g, ms_status status, ms_error *err)
{
  ms_run *run = g->run;
  while (run->stopped == MS_ERR_LIMIT && g->count >= g->most)
    g->grouped -= g->size[--g->count];
  run->matches = g->count;
  mpz_set_ui(run->count, (unsigned long)g->count);
  if (status == MS_ERR_MEMORY)
    return ms_run_out_of_memory(run, err);
  if (run->stopped == MS_OK && g->leaves_out)
    run->stopped = MS_ERR_LIMIT;
  return MS_OK;
}

/* Gives the memory of the rows that are no representatives back. */
static void shrink(ms_run *run, uint64_t rows)
{
  size_t row_bytes = run->width * sizeof *run->vertices;
  uint32_t *smaller =
      run->vertices ? ms_resize(run->vertices, rows, run->matches, row_bytes) : NULL;
  run->vertices = smaller ? smaller : run->vertices;
}

/* Adds the matches of a region, or a part of them, to the sink. */
static ms_status count_region(const ms_instance *region, int threads, ms_count_sink *sink,
                              const ms_stop *stop, ms_error *err)
{
  const ms_engine *engine = &ms_engine_connected_sets;
  void *context;
  MS_TRY(engine->open(region, threads, &context, err));
  ms_status status = engine->count(context, 0, engine->units(context), sink, stop, err);
  engine->close(context);
  return status;
}

ms_status ms_families_check_memory(const ms_run *run, const ms_regions *regions, int threads,
                                   ms_error *err)
{
  ms_count_sink sink = {.budget = run->budget};
  ms_stop *stop;
  ms_error ended;
  MS_TRY(ms_stop_child(run->limits.stop, SECONDS_TO_COUNT, &stop, err));
  ms_status status = MS_OK;
  for (uint32_t r = 0; status == MS_OK && regions && r < regions->count; r++)
    status = count_region(regions->region[r], threads, &sink, stop, &ended);
  ms_stop_free(stop);
  /* the collector of matches reserves twice their bytes, because it sorts a copy */
  uint64_t row_bytes = 2 * run->width * sizeof(uint32_t), left = ms_budget_left(run->budget);
  /* what else has ended the counting, such as the stop of the run, will end the listing, too */
  if ((sink.high == 0 && sink.low <= left / row_bytes) || ms_stop_check(run->limits.stop) != MS_OK)
    return MS_OK;
  const char *least = status == MS_OK && sink.high == 0 ? "" : "at least ";
  uint64_t known = sink.high ? UINT64_MAX : sink.low;
  return ms_fail(err, MS_ERR_MEMORY,
                 "`families` keeps all matches in memory while it groups them: %s%" PRIu64
                 " matches need %" PRIu64 " MiB, and %" PRIu64
                 " MiB are left; allow more with `memory`, or draw some matches with `sample`",
                 least, known, (uint64_t)((double)known * (double)row_bytes / (1 << 20)) + 1,
                 left >> 20);
}

ms_status ms_group_families(ms_run *run, uint32_t n, double share, uint64_t limit,
                            ms_list_result *result, ms_error *err)
{
  grouping g = {.run = run, .most = limit > 0 ? limit : UINT64_MAX};
  uint64_t rows = run->matches;
  if (run->stopped == MS_ERR_LIMIT || run->stopped == MS_ERR_INTERRUPTED)
    g.late = ms_seconds() + SECONDS_AFTER_STOP;
  MS_TRY(ms_families_new(n, run->width, ms_families_least(share, run->width), run->budget,
                         &g.families, err));
  ms_status status = settle(&g, take_rows(&g), err);
  ms_families_free(g.families);
  ms_budget_release(run->budget, g.room * sizeof *g.size);
  if (status == MS_OK)
    shrink(run, rows);
  result->family_size = g.size ? g.size : ms_calloc(1, sizeof *g.size);
  result->family_matches = g.grouped;
  if (status == MS_OK && !result->family_size)
    return ms_fail_memory(err, "the sizes of families");
  return status;
}
