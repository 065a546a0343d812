/* The permutations of a comparison, once more.  An arrangement is a side for each sample, and its
 * statistic the difference of means itself, block by block. */
#include "base/alloc.h"
#include "base/philox.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "verify/statistics/compare.h"
#include "verify/statistics/permuted_chains.h"

#include <math.h>
#include <string.h>

#define BLOCK 512u           /* arrangements that are made before all motifs are tried */
#define SLACK 64.0           /* units of 2^-32: statistics that differ by less are equal */
#define MOST_RANKS 4194304.0 /* of more motifs, those that occur are looked up in a hash table */
#define OF_GROUPS 0x80000000u
#define OF_SHUFFLES 0u /* the purpose of draws */

__extension__ typedef unsigned __int128 wide;

static uint64_t random_below(uint64_t seed, uint64_t permutation, uint32_t place, uint32_t stream,
                             uint64_t below)
{
  uint32_t counter[4] = {(uint32_t)permutation, (uint32_t)(permutation >> 32), place, stream};
  uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)}, out[4];
  ms_philox4x32(counter, key, out);
  return (uint64_t)((wide)(out[0] | (uint64_t)out[1] << 32) * below >> 64);
}

/* Reports progress at most about ten times a second. */
static void report_permutations(const ms_verify_comparison *w, uint64_t done, uint64_t all)
{
  const ms_verify_options *o = w->c->options;
  double now = o->run.progress ? ms_seconds() : 0;
  if (!o->run.progress || done == all || now - w->c->comparison->reported < 0.1)
    return;
  w->c->comparison->reported = now;
  ms_limits_report(&o->run, "permutations repeated", done, all);
}

/* ---- groups of samples -------------------------------------------------------------- */

double ms_difference(const ms_verify_comparison *w, const uint8_t *side, const double *score)
{
  long double sum = 0, weights = 0;
  for (uint32_t b = 0; b < w->blocks; b++) {
    long double mean[3] = {0}, count[3] = {0};
    for (uint32_t s = 0; s < w->n; s++)
      if (w->block[s] == b) {
        mean[side[s]] += score[s];
        count[side[s]]++;
      }
    if (count[1] == 0 || count[2] == 0)
      continue;
    long double weight = count[1] * count[2] / (count[1] + count[2]);
    sum += weight * (mean[1] / count[1] - mean[2] / count[2]);
    weights += weight;
  }
  return (double)(sum / weights);
}

static double weight_of(const ms_verify_comparison *w, const uint8_t *side)
{
  double weights = 0;
  for (uint32_t b = 0; b < w->blocks; b++) {
    double count[3] = {0};
    for (uint32_t s = 0; s < w->n; s++)
      count[w->block[s] == b ? side[s] : 0]++;
    if (count[1] > 0 && count[2] > 0)
      weights += count[1] * count[2] / (count[1] + count[2]);
  }
  return weights;
}

uint64_t ms_count_arrangements(const ms_verify_comparison *w, const uint8_t *side)
{
  mpz_t all, ways;
  mpz_init_set_ui(all, 1);
  mpz_init(ways);
  for (uint32_t b = 0; b < w->blocks; b++) {
    uint32_t count[3] = {0};
    for (uint32_t s = 0; s < w->n; s++)
      count[w->block[s] == b ? side[s] : 0]++;
    mpz_bin_uiui(ways, count[1] + count[2], count[1]);
    mpz_mul(all, all, ways);
  }
  uint64_t number = mpz_sizeinbase(all, 2) <= 64 ? mpz_get_ui(all) : UINT64_MAX;
  mpz_clear(ways);
  mpz_clear(all);
  return number;
}

/* Samples of both sides, by block. */
typedef struct arranger {
  const ms_verify_comparison *w;
  uint32_t number; /* of the contrast */
  const ms_versus *v;
  uint32_t count;
  uint32_t *sample, *order; /* [count] */
} arranger;

/* Moves to the next arrangement: within a block, the next permutation of the sides, as in words
 * that are sorted; after the last one, the first, and the next one of the next block. */
static void next_sides(const arranger *a, uint8_t *side)
{
  for (uint32_t begin = 0, end; begin < a->count; begin = end) {
    const uint32_t *sample = a->sample;
    for (end = begin; end < a->count && a->w->block[sample[end]] == a->w->block[sample[begin]];)
      end++;
    uint32_t i = end - 1;
    while (i > begin && side[sample[i - 1]] >= side[sample[i]])
      i--;
    bool more = i > begin;
    if (more) {
      uint32_t j = end - 1;
      while (side[sample[j]] <= side[sample[i - 1]])
        j--;
      uint8_t taken = side[sample[j]];
      side[sample[j]] = side[sample[i - 1]];
      side[sample[i - 1]] = taken;
    }
    for (uint32_t j = end - 1; i < j; i++, j--) {
      uint8_t taken = side[sample[j]];
      side[sample[j]] = side[sample[i]];
      side[sample[i]] = taken;
    }
    if (more)
      return;
  }
}

/* Draws the sides of a random arrangement. */
static void draw_sides(const arranger *a, uint64_t permutation, uint8_t *side)
{
  memcpy(a->order, a->sample, a->count * sizeof *a->order);
  memset(side, 0, a->w->n);
  for (uint32_t begin = 0, end; begin < a->count; begin = end) {
    uint32_t first = 0;
    for (end = begin;
         end < a->count && a->w->block[a->sample[end]] == a->w->block[a->sample[begin]]; end++)
      first += a->v->side[a->sample[end]] == 1;
    for (uint32_t i = begin; i < end; i++) {
      uint64_t j = i;
      if (i < begin + first)
        j += random_below(a->w->c->result.header.samples.seed, permutation, i,
                          OF_GROUPS + a->number, end - i);
      uint32_t taken = a->order[j];
      a->order[j] = a->order[i];
      a->order[i] = taken;
      side[taken] = i < begin + first ? 1 : 2;
    }
  }
}

static bool open_arranger(arranger *a)
{
  const ms_verify_comparison *w = a->w;
  a->sample = ms_alloc(w->n, sizeof *a->sample);
  a->order = ms_alloc(w->n, sizeof *a->order);
  for (uint32_t b = 0; a->sample && b < w->blocks; b++)
    for (uint32_t s = 0; s < w->n; s++)
      if (w->block[s] == b && a->v->side[s] > 0)
        a->sample[a->count++] = s;
  return a->sample && a->order;
}

/* Counts the arrangements of a block that reach the statistics of the motifs. */
static void try_block(const arranger *a, uint64_t count, ms_tested *const *motif,
                      const uint8_t *sides, uint32_t arrangements, uint64_t *reached[2])
{
  const ms_verify_comparison *w = a->w;
  double slack = SLACK / weight_of(w, a->v->side);
  for (uint64_t m = 0; m < count; m++)
    for (uint32_t which = 0; which < (w->single ? 2u : 1u); which++) {
      const double *score = which ? motif[m]->excess : motif[m]->score;
      double least = fabs(ms_difference(w, a->v->side, score)) - slack;
      for (uint32_t i = 0; i < arrangements; i++)
        reached[which][m] += fabs(ms_difference(w, sides + (uint64_t)i * w->n, score)) >= least;
    }
}

ms_status ms_permute_samples(const ms_verify_comparison *w, uint32_t number, const ms_versus *v,
                             uint64_t count, ms_tested *const *motif, uint64_t *reached[2],
                             uint64_t *tried, const ms_stop *stop, ms_error *err)
{
  arranger a = {.w = w, .number = number, .v = v};
  uint8_t *sides = ms_alloc((uint64_t)BLOCK * w->n, 1), *side = ms_alloc(w->n, 1);
  bool ok = open_arranger(&a) && sides && side;
  ms_status status = ok ? MS_OK : ms_fail_memory(err, "arrangements");
  if (ok) { /* the first arrangement of each block: sorted */
    memset(side, 0, w->n);
    for (uint32_t i = 0, begin = 0; i < a.count; i++) {
      begin = w->block[a.sample[i]] == w->block[a.sample[begin]] ? begin : i;
      uint32_t first = 0;
      for (uint32_t s = 0; s < w->n; s++)
        first += w->block[s] == w->block[a.sample[i]] && v->side[s] == 1;
      side[a.sample[i]] = i - begin < first ? 1 : 2;
    }
  }
  uint64_t done = 0;
  while (done < v->permutations && status == MS_OK) {
    uint32_t part = 0;
    for (; part < BLOCK && done < v->permutations; part++) {
      uint8_t *next = sides + (uint64_t)part * w->n;
      done++;
      if (v->exact) {
        memcpy(next, side, w->n);
        next_sides(&a, side);
      } else {
        draw_sides(&a, done, next);
      }
    }
    try_block(&a, count, motif, sides, part, reached);
    report_permutations(w, done, v->permutations);
    status = ms_stop_check(stop);
  }
  *tried = done;
  ms_free(a.sample);
  ms_free(a.order);
  ms_free(sides);
  ms_free(side);
  return status;
}

/* ---- colours ------------------------------------------------------------------------ */

/* Shuffles the colours of a sample, one a vertex, as a census does whose permutation has the number
 * of the sample in the upper half of its own; returns the number of vertices. */
static uint32_t shuffle(const ms_verify_comparison *w, uint32_t s, uint64_t permutation,
                        uint32_t *color)
{
  uint32_t n = ms_graph_describe(ms_samples_get(w->samples, s).graph).vertices, count = 0, own;
  for (uint32_t v = 0; v < n; v++) {
    const uint32_t *list = ms_coloring_of(w->coloring[s], v, &own);
    if (own > 0)
      color[count++] = *list;
  }
  for (uint32_t i = 0; i < count; i++) {
    uint64_t number = (uint64_t)s << 32 | permutation;
    uint64_t bits = ms_permuted_draw(w->c->result.header.samples.seed, number, OF_SHUFFLES, i);
    uint64_t j = ms_permuted_scale(bits, (uint64_t)i + 1);
    uint32_t taken = color[i];
    color[i] = color[j];
    color[j] = taken;
  }
  return count;
}

/* The places of motifs by their ranks among all multisets of k colours: the sum of
 * below[i][color i], where the colours ascend and below[i][c] is c + i over i + 1. */
typedef struct ranks {
  uint32_t *place;                /* [count]; MS_NO_ID: the motif does not occur; NULL: too many */
  uint64_t *below[MS_MAX_CENSUS]; /* [colours] */
  uint64_t count;
} ranks;

static uint64_t rank_of(const ranks *r, uint32_t k, const uint32_t *color)
{
  uint64_t rank = 0;
  for (uint32_t i = 0; i < k; i++)
    rank += r->below[i][color[i]];
  return rank;
}

static bool make_ranks(const ms_verify_comparison *w, ranks *r)
{
  uint32_t colors = ms_names_count(w->colors);
  double all = 1; /* that many multisets */
  for (uint32_t i = 0; i < w->k; i++)
    all *= (double)(colors + i) / (i + 1);
  if (all > MOST_RANKS)
    return true;
  r->count = (uint64_t)(all + 0.5);
  r->place = ms_alloc(r->count, sizeof *r->place);
  for (uint32_t i = 0; i < w->k; i++)
    if (!(r->below[i] = ms_alloc(colors, sizeof **r->below)))
      return false;
  for (uint32_t i = 0; i < w->k; i++)
    for (uint32_t c = 0; c < colors; c++)
      r->below[i][c] = c == 0 ? 0 : r->below[i][c - 1] + (i == 0 ? 1 : r->below[i - 1][c]);
  if (!r->place)
    return false;
  memset(r->place, 0xff, r->count * sizeof *r->place);
  for (uint64_t i = 0; i < w->places; i++)
    if (w->motif[i].sets)
      r->place[rank_of(r, w->k, w->motif[i].color)] = (uint32_t)i;
  return true;
}

/* Counts the kept sets of a sample with other colours; only motifs that occur somewhere matter. */
static ms_status recount(ms_verify_comparison *w, const ranks *r, uint32_t s, const uint32_t *color,
                         uint64_t *sets /* [places] */, ms_error *err)
{
  const ms_kept_sets *kept = &w->kept[s];
  for (uint64_t i = 0; i < kept->count; i++) {
    uint32_t key[MS_MAX_CENSUS] = {0};
    for (uint32_t j = 0; j < w->k; j++) {
      uint32_t at = j, c = color[kept->set[i * w->k + j]];
      for (; at > 0 && key[at - 1] > c; at--)
        key[at] = key[at - 1];
      key[at] = c;
    }
    if (r->place) {
      uint32_t place = r->place[rank_of(r, w->k, key)];
      if (place != MS_NO_ID)
        sets[place]++;
      continue;
    }
    const ms_tested *place = ms_find_tested(w, key);
    if (!place)
      return ms_fail_memory(err, "the recount");
    sets[place - w->motif] += place->sets != NULL;
  }
  return MS_OK;
}

static double mean_difference(const ms_verify_comparison *w, const uint8_t *side,
                              const double *excess)
{
  double mean[3] = {0}, count[3] = {0};
  for (uint32_t s = 0; s < w->n; s++) {
    mean[side[s]] += excess[s];
    count[side[s]]++;
  }
  return mean[1] / count[1] - mean[2] / count[2];
}

static double score_of(const ms_verify_comparison *w, double share)
{
  return nearbyint(log2(share + w->pseudo) * 0x1p32);
}

ms_status ms_permute_excesses(ms_verify_comparison *w, const ms_versus *v, uint64_t count,
                              ms_tested *const *motif, uint64_t *reached, uint64_t *done,
                              const ms_stop *stop, ms_error *err)
{
  uint64_t most = 0, *sets[MS_MAX_GROUPS] = {NULL};
  ranks r = {.place = NULL};
  ms_status status = ms_find_tested(w, w->motif->color) ? MS_OK : MS_ERR_MEMORY; /* room to look */
  for (uint32_t s = 0; s < w->n; s++)
    most = w->vertices[s] > most ? w->vertices[s] : most;
  uint32_t *color = ms_alloc(most, sizeof *color);
  double *expected = ms_alloc(count * w->n, sizeof *expected); /* [count][n] scores */
  for (uint32_t s = 0; s < w->n && status == MS_OK; s++) {
    sets[s] = ms_alloc(w->places, sizeof **sets);
    status = sets[s] ? MS_OK : MS_ERR_MEMORY;
  }
  if (!color || !expected || !make_ranks(w, &r) || status != MS_OK)
    status = ms_fail_memory(err, "the recount");
  for (uint64_t i = 0; i < count * w->n && status == MS_OK; i++) {
    uint32_t s = (uint32_t)(i % w->n);
    expected[i] = score_of(w, ms_expect_tested(w, motif[i / w->n]->color, s) / (double)w->sets[s]);
  }
  for (*done = 0; *done < v->permutations && status == MS_OK; *done += status == MS_OK) {
    report_permutations(w, *done, v->permutations);
    for (uint32_t s = 0; s < w->n && status == MS_OK; s++) {
      memset(sets[s], 0, w->places * sizeof **sets);
      shuffle(w, s, *done, color);
      status = recount(w, &r, s, color, sets[s], err);
      status = status == MS_OK ? ms_stop_check(stop) : status;
    }
    for (uint64_t m = 0; m < count && status == MS_OK; m++) {
      double excess[MS_MAX_GROUPS];
      for (uint32_t s = 0; s < w->n; s++)
        excess[s] = score_of(w, (double)sets[s][motif[m] - w->motif] / (double)w->sets[s]) -
                    expected[m * w->n + s];
      reached[m] += fabs(mean_difference(w, v->own, excess)) >=
                    fabs(mean_difference(w, v->own, motif[m]->excess)) - SLACK;
    }
  }
  for (uint32_t s = 0; s < w->n; s++)
    ms_free(sets[s]);
  ms_free(color);
  ms_free(expected);
  ms_free(r.place);
  for (uint32_t i = 0; i < MS_MAX_CENSUS; i++)
    ms_free(r.below[i]);
  return status;
}
