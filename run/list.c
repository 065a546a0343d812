/* The way data flows, docs/ARCHITECTURE.md:
 *
 *   query -> instance -> sieve: flags -> regions -> enumerate: matches
 *         -> verify: each match re-checked -> sorted result
 *
 * Part of the library: everything that the tool can do, the library can. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/stop.h"
#include "base/threads.h"
#include "motif/collect.h"
#include "motif/engine.h"
#include "motif/regions.h"
#include "verify/verify.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* matches that the first thread finds between two looks at the clock */
#define PROGRESS_MATCHES 1024u
#define PROGRESS_SECONDS 0.1

typedef struct listing {
  const ms_query *query;
  const ms_list_options *options;
  const ms_instance *region; /* the one being searched */
  uint32_t k;
  int threads;
  ms_collector *collector;
  atomic_uint_fast64_t found;
  double last_progress;
  /* the first refused match; set once, read after the run */
  atomic_bool refused;
  ms_error refusal;
} listing;

/* ---- verifying ----------------------------------------------------------- */

static ms_status refuse(const ms_query *query, const uint32_t *set, ms_verdict verdict,
                        ms_error *err)
{
  char names[512] = "";
  size_t used = 0;
  for (uint32_t i = 0; i < query->motif->k && used < sizeof names - 1; i++) {
    const char *name = set[i] < query->graph->n ? ms_graph_name(query->graph, set[i]) : "?";
    int length = snprintf(names + used, sizeof names - used, "%s%s", i ? "," : "", name);
    used += length > 0 ? (size_t)length : 0;
  }
  return ms_fail(
      err, MS_ERR_INTERNAL,
      "the verifier refuses a listed match (%s): %s; this is a bug in motifsieve, please "
      "report it with the input files",
      ms_verdict_text(verdict), names);
}

/* Where matches are only counted there is no later moment to verify them. */
static bool verify_now(listing *l, const uint32_t *set)
{
  uint32_t row[MS_MAX_K];
  for (uint32_t i = 0; i < l->k; i++)
    row[i] = l->region->vertex[set[i]];
  ms_verdict verdict = ms_verify_match(l->query, row);
  if (verdict == MS_MATCH_OK)
    return true;
  if (!atomic_exchange(&l->refused, true))
    refuse(l->query, row, verdict, &l->refusal);
  return false;
}

/* Every stored match, and that no two are the same. */
static ms_status verify_rows(const listing *l, const ms_list_result *result, ms_error *err)
{
  uint64_t first_bad = UINT64_MAX;
  size_t k = l->k;
  const uint32_t *row = result->vertices;
#pragma omp parallel for num_threads(l->threads) schedule(static) reduction(min : first_bad)
  for (uint64_t i = 0; i < result->matches; i++) {
    bool twice = i > 0 && memcmp(row + (i - 1) * k, row + i * k, k * sizeof *row) == 0;
    if ((twice || ms_verify_match(l->query, row + i * k) != MS_MATCH_OK) && i < first_bad)
      first_bad = i;
  }
  if (first_bad == UINT64_MAX)
    return MS_OK;
  ms_verdict verdict = ms_verify_match(l->query, row + first_bad * k);
  if (verdict != MS_MATCH_OK)
    return refuse(l->query, row + first_bad * k, verdict, err);
  return ms_fail(err, MS_ERR_INTERNAL,
                 "row %" PRIu64 " of the matches stands there twice; this is a bug in motifsieve, "
                 "please report it with the input files",
                 first_bad);
}

/* ---- listing ------------------------------------------------------------- */

static void report_progress(listing *l, uint64_t found)
{
  const ms_screen_options *o = &l->options->screen;
  double now = ms_seconds();
  if (now - l->last_progress < PROGRESS_SECONDS)
    return;
  l->last_progress = now;
  o->progress(o->progress_user, "matches", found, 0);
}

/* An ms_match_fn. */
static bool on_match(void *user, int thread, const uint32_t *set)
{
  listing *l = user;
  uint64_t before = atomic_fetch_add_explicit(&l->found, 1, memory_order_relaxed);
  if (thread == 0 && l->options->screen.progress && before % PROGRESS_MATCHES == 0)
    report_progress(l, before + 1);
  if (l->options->count_only && !verify_now(l, set))
    return false;
  return ms_collector_match(l->collector, thread, set);
}

/* MS_ERR_LIMIT and MS_ERR_INTERRUPTED: the listing is cut short. */
static ms_status list_region(listing *l, const ms_instance *region, ms_error *err)
{
  const ms_engine *engine = &ms_engine_connected_sets;
  void *context = NULL;
  l->region = region;
  ms_collector_map(l->collector, region->vertex);
  ms_status status = engine->open(region, l->threads, &context, err);
  if (status != MS_OK)
    return status;
  status =
      engine->run(context, 0, engine->units(context), on_match, l, l->options->screen.stop, err);
  engine->close(context);
  if (atomic_load(&l->refused))
    return ms_fail(err, l->refusal.status, "%s", l->refusal.message);
  return status == MS_OK ? ms_collector_status(l->collector, err) : status;
}

static ms_status list_regions(listing *l, const ms_regions *regions, ms_list_result *result,
                              ms_error *err)
{
  ms_status status = MS_OK;
  for (uint32_t r = 0; r < regions->count && status == MS_OK; r++)
    status = list_region(l, regions->region[r], err);
  if (status != MS_ERR_LIMIT && status != MS_ERR_INTERRUPTED)
    return status;
  result->stopped = status;
  return MS_OK;
}

/* The sorted rows and their number, exact at any size. */
static ms_status collect(listing *l, ms_list_result *result, ms_error *err)
{
  mpz_t count;
  mpz_init(count);
  ms_status status =
      ms_collector_finish(l->collector, &result->matches, &result->vertices, count, err);
  if (status == MS_OK) {
    size_t room = mpz_sizeinbase(count, 10) + 2;
    result->count_text = ms_alloc(room, 1);
    if (result->count_text)
      mpz_get_str(result->count_text, 10, count);
    else
      status = ms_fail_memory(err, "the number of matches");
  }
  mpz_clear(count);
  return status;
}

/* List, sort and verify the matches in the regions; regions NULL: none. */
static ms_status list(const ms_query *query, const ms_list_options *options,
                      const ms_regions *regions, ms_list_result *result, ms_error *err)
{
  listing l = {.query = query, .options = options, .k = result->k};
  double begin = ms_seconds();
  l.threads = ms_threads(options->screen.threads);
  atomic_init(&l.found, 0);
  atomic_init(&l.refused, false);
  ms_status status = ms_collector_new(l.k, l.threads, options->count_only, options->limit,
                                      options->screen.memory, &l.collector, err);
  if (status == MS_OK && regions)
    status = list_regions(&l, regions, result, err);
  if (status == MS_OK)
    status = collect(&l, result, err);
  double listed = ms_seconds();
  if (status == MS_OK && !options->count_only)
    status = verify_rows(&l, result, err);
  ms_collector_free(l.collector);
  result->time_list = listed - begin;
  result->time_verify = ms_seconds() - listed;
  return status;
}

/* ---- the whole way ------------------------------------------------------- */

/* keep[i] = 1 iff the sieve flagged instance vertex i. */
static ms_status flags_of(const ms_instance *instance, const ms_screen_result *screen,
                          uint8_t **keep, ms_error *err)
{
  *keep = ms_alloc(instance->n, 1);
  if (!*keep)
    return ms_fail_memory(err, "the flags");
  for (uint32_t i = 0; i < instance->n; i++)
    (*keep)[i] = screen->hits[instance->vertex[i]] > 0;
  return MS_OK;
}

ms_status ms_list(const ms_query *query, const ms_list_options *given, ms_list_result **out,
                  ms_error *err)
{
  static const ms_list_options defaults = {.screen.seed = 1}; /* as in ms_screen */
  const ms_list_options *options = given ? given : &defaults;
  ms_instance *instance = NULL;
  ms_regions *regions = NULL;
  uint8_t *keep = NULL;
  ms_status status;
  *out = NULL;
  ms_list_result *result = ms_calloc(1, sizeof *result);
  if (!result)
    return ms_fail_memory(err, "the result");
  result->k = query->motif->k;

  if ((status = ms_instance_new(query, options->screen.threads, &instance, err)) != MS_OK)
    goto done;
  if (!options->exact) {
    if ((status = ms_screen(query, &options->screen, &result->screen, err)) != MS_OK ||
        (status = flags_of(instance, result->screen, &keep, err)) != MS_OK)
      goto done;
    result->stopped = result->screen->stopped;
  }
  if (result->stopped == MS_OK) {
    if ((status = ms_regions_find(instance, keep, options->screen.threads, &regions, err)) != MS_OK)
      goto done;
    result->regions = regions->count;
    result->region_vertices = (uint32_t)regions->vertices;
  }
  status = list(query, options, regions, result, err);

done:
  ms_regions_free(regions);
  ms_instance_free(instance);
  ms_free(keep);
  if (status == MS_OK)
    *out = result;
  else
    ms_list_result_free(result);
  return status;
}

void ms_list_result_free(ms_list_result *result)
{
  if (!result)
    return;
  ms_screen_result_free(result->screen);
  ms_free(result->vertices);
  ms_free(result->count_text);
  ms_free(result);
}
