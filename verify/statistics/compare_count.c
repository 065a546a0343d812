/* The sets of each sample, one by one, by the search that recounts the matches of a motif, here for
 * a motif of wildcards. */
#include "base/alloc.h"
#include "base/hash.h"
#include "base/status.h"
#include "query/query.h"
#include "verify/recount.h"
#include "verify/statistics/compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define REPORT_SETS 65536u /* between two reports of progress */
#define MOST_FITS 4096u    /* ways to choose a colour for each vertex of a set */

/* ---- motifs ------------------------------------------------------------------------- */

static ms_tested *find_place(ms_tested *table, uint64_t places, const uint32_t *color)
{
  uint64_t at = ms_hash_bytes(ms_hash_key_get(), color, sizeof table->color) & (places - 1);
  while (table[at].sets && memcmp(table[at].color, color, sizeof table->color) != 0)
    at = (at + 1) & (places - 1);
  return &table[at];
}

static bool grow_table(ms_verify_comparison *w)
{
  uint64_t places = w->places ? 2 * w->places : 1024;
  ms_tested *table = ms_calloc(places, sizeof *table);
  if (!table)
    return false;
  for (uint64_t i = 0; i < w->places; i++)
    if (w->motif[i].sets)
      *find_place(table, places, w->motif[i].color) = w->motif[i];
  ms_free(w->motif);
  w->motif = table;
  w->places = places;
  return true;
}

ms_tested *ms_find_tested(ms_verify_comparison *w, const uint32_t *color)
{
  if (2 * w->motifs >= w->places && !grow_table(w))
    return NULL;
  return find_place(w->motif, w->places, color);
}

static bool count_motif(ms_verify_comparison *w, const uint32_t *color)
{
  ms_tested *place = ms_find_tested(w, color);
  if (!place)
    return false;
  if (!place->sets) {
    uint64_t *sets = ms_calloc(w->n, sizeof *sets);
    if (!sets)
      return false;
    memcpy(place->color, color, sizeof place->color);
    place->sets = sets;
    w->motifs++;
  }
  place->sets[w->sample]++;
  return true;
}

/* ---- sets --------------------------------------------------------------------------- */

static bool keep_set(ms_verify_comparison *w, const uint32_t *set)
{
  ms_kept_sets *kept = &w->kept[w->sample];
  if (!MS_GROW_ROWS(kept->set, w->k * sizeof *kept->set, kept->room, kept->count, 1))
    return false;
  for (uint32_t i = 0; i < w->k; i++)
    kept->set[kept->count * w->k + i] = w->number[set[i]];
  kept->count++;
  return true;
}

/* Sorts the colours of a set into color[MS_MAX_CENSUS]. */
static void put_sorted(const uint32_t *own, uint32_t k, uint32_t *color)
{
  memset(color, 0, MS_MAX_CENSUS * sizeof *color);
  for (uint32_t i = 0; i < k; i++) {
    uint32_t at = i;
    for (; at > 0 && color[at - 1] > own[i]; at--)
      color[at] = color[at - 1];
    color[at] = own[i];
  }
}

/* Counts a set for each motif that it fits; an ms_found_fn. */
static bool note_set(void *user, const uint32_t *set)
{
  ms_verify_comparison *w = user;
  const ms_coloring *coloring = w->coloring[w->sample];
  const uint32_t *color[MS_MAX_CENSUS];
  uint32_t own[MS_MAX_CENSUS], digit[MS_MAX_CENSUS] = {0}, i, chosen[MS_MAX_CENSUS];
  uint32_t(*met)[MS_MAX_CENSUS] = w->met, fits = 0;
  for (i = 0; i < w->k; i++) {
    color[i] = ms_coloring_of(coloring, set[i], &own[i]);
    if (own[i] == 0)
      return true;
  }
  const ms_verify_options *o = w->c->options;
  if (++w->sets[w->sample] % REPORT_SETS == 0)
    ms_limits_report(&o->run, "sets recounted", w->sets[w->sample], 0);
  if (w->labels && !keep_set(w, set))
    w->full = true;
  do {
    for (i = 0; i < w->k; i++)
      chosen[i] = color[i][digit[i]];
    put_sorted(chosen, w->k, met[fits]);
    bool is_new = true;
    for (uint32_t f = 0; f < fits && is_new; f++)
      is_new = memcmp(met[f], met[fits], sizeof *met) != 0;
    if (is_new && !count_motif(w, met[fits]))
      w->full = true;
    fits += is_new;
    for (i = 0; i < w->k && ++digit[i] == own[i]; i++) /* as a number is counted up */
      digit[i] = 0;
  } while (i < w->k && fits < MOST_FITS && !w->full);
  w->full |= i < w->k;
  return !w->full;
}

static ms_status list_sample(ms_verify_comparison *w, uint32_t s, ms_error *err)
{
  ms_certificate *c = w->c;
  const ms_graph *graph = ms_samples_get(w->samples, s).graph;
  uint32_t n = ms_graph_describe(graph).vertices, own;
  char text[8];
  ms_motif *motif = NULL;
  ms_query *query = NULL;
  ms_backtracker *backtracker = NULL;
  mpz_t count;
  snprintf(text, sizeof text, "*:%u", w->k);
  w->sample = s;
  w->number = ms_alloc(n, sizeof *w->number);
  w->met = ms_alloc(MOST_FITS, sizeof *w->met);
  if (!w->number || !w->met) {
    ms_free(w->number);
    ms_free(w->met);
    w->number = NULL;
    return ms_fail_memory(err, "the vertices of a sample");
  }
  for (uint32_t v = 0, next = 0; v < n; v++) {
    (void)ms_coloring_of(w->coloring[s], v, &own);
    w->number[v] = next;
    next += own > 0;
  }
  mpz_init(count);
  ms_status status = ms_motif_parse(text, w->coloring[s], &motif, err);
  if (status == MS_OK)
    status = ms_query_new(graph, w->coloring[s], motif, 0, NULL, &query, err);
  if (status == MS_OK)
    status = ms_backtracker_new(query, false, c->recount_stop, &backtracker, err);
  if (status == MS_OK)
    status = ms_backtracker_list(backtracker, count, note_set, w, err);
  ms_backtracker_free(backtracker);
  ms_query_free(query);
  ms_motif_free(motif);
  mpz_clear(count);
  ms_free(w->number);
  ms_free(w->met);
  w->number = NULL;
  return w->full ? ms_fail_memory(err, "the recount") : status;
}

ms_status ms_count_samples(ms_verify_comparison *w, uint32_t samples, ms_error *err)
{
  for (uint32_t s = 0; s < samples && w->c->report->run.stopped == MS_OK; s++)
    MS_TRY(ms_note_stop(w->c, list_sample(w, s, err)));
  return MS_OK;
}

ms_status ms_count_tested(ms_verify_comparison *w, const uint32_t *color, uint64_t *sets,
                          const ms_stop *stop, ms_error *err)
{
  ms_status status = MS_OK;
  for (uint32_t s = 0; s < w->n && status == MS_OK; s++) {
    ms_motif *motif = NULL;
    ms_query *query = NULL;
    ms_backtracker *backtracker = NULL;
    mpz_t count;
    mpz_init(count);
    status = ms_motif_from_slots(color, w->k, w->coloring[s], &motif, err);
    if (status == MS_OK)
      status = ms_query_new(ms_samples_get(w->samples, s).graph, w->coloring[s], motif, 0, NULL,
                            &query, err);
    if (status == MS_OK)
      status = ms_backtracker_new(query, true, stop, &backtracker, err);
    if (status == MS_OK)
      status = ms_backtracker_list(backtracker, count, NULL, NULL, err);
    sets[s] = mpz_get_ui(count);
    ms_backtracker_free(backtracker);
    ms_query_free(query);
    ms_motif_free(motif);
    mpz_clear(count);
  }
  return status;
}

/* ---- scores ------------------------------------------------------------------------- */

double ms_expect_tested(const ms_verify_comparison *w, const uint32_t *color, uint32_t sample)
{
  const uint64_t *of_color = w->have + (uint64_t)sample * ms_names_count(w->colors);
  double log_share = lgamma(w->k + 1.0); /* of ordered draws of k vertices without replacement */
  for (uint32_t i = 0; i < w->k; i++) {
    uint32_t same = 0, before = 0;
    for (uint32_t j = 0; j < w->k; j++)
      if (color[j] == color[i]) {
        before += j < i;
        same++;
      }
    uint64_t have = of_color[color[i]];
    if (before > 0)
      continue;
    if (have < same)
      return 0;
    log_share += lgamma((double)have + 1) - lgamma((double)(have - same) + 1) - lgamma(same + 1.0);
  }
  log_share -=
      lgamma((double)w->vertices[sample] + 1) - lgamma((double)(w->vertices[sample] - w->k) + 1);
  return (double)w->sets[sample] * exp(log_share);
}

static double score_of(const ms_verify_comparison *w, double share)
{
  return nearbyint(log2(share + w->pseudo) * 0x1p32);
}

ms_status ms_score_tested(ms_verify_comparison *w, ms_tested *m, ms_error *err)
{
  m->score = ms_alloc(w->n, sizeof *m->score);
  m->excess = ms_alloc(w->n, sizeof *m->excess);
  if (!m->score || !m->excess)
    return ms_fail_memory(err, "the scores of a motif");
  for (uint32_t s = 0; s < w->n; s++) {
    double sets = (double)w->sets[s];
    m->score[s] = score_of(w, (double)m->sets[s] / sets);
    m->excess[s] =
        w->single ? m->score[s] - score_of(w, ms_expect_tested(w, m->color, s) / sets) : NAN;
  }
  return MS_OK;
}
