/* The test that permutes the colours of each sample, for groups of one sample each.  Such groups
 * cannot be permuted: there is nothing that shows how much samples of one group differ.  What can
 * be tested is whether two samples differ by more than random arrangements of their own colours
 * would make them differ.  In each permutation, the colours of the vertices of each sample are
 * shuffled among these vertices; the graphs, and how many vertices have each colour, stay.  Then
 * all sets are counted again.  The statistic is the difference of the mean excesses of both sides.
 */
#include "base/alloc.h"
#include "base/parallel.h"
#include "base/status.h"
#include "base/stop.h"
#include "base/threads.h"
#include "graph/colors.h"
#include "significance/compare.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

/* The memory of one thread. */
typedef struct worker {
  ms_coloring coloring; /* that of a sample, with colours of its own */
  uint32_t *color;      /* [most] */
  uint64_t *sets;       /* [motifs] of one sample */
  ms_score *excess;     /* [motifs][n] */
} worker;

typedef struct labels {
  const ms_comparing *comparing;
  ms_sides *sides; /* [contrasts] */
  int threads;
  worker *worker;     /* [threads] */
  uint64_t first;     /* number of the first permutation of the batch */
  uint32_t **reached; /* [contrasts] [rows] in the batch, under the lock */
  pthread_mutex_t lock;
  ms_status status; /* of the first failure, or why the batch was stopped */
  ms_error err;
} labels;

/* Returns the difference of the mean excesses, in units of scores. */
static double statistic(const ms_comparing *c, const ms_sides *s, const ms_score *excess)
{
  double sum[3] = {0}, count[3] = {0};
  for (uint32_t i = 0; i < c->n; i++) {
    sum[s->side[i]] += (double)excess[i];
    count[s->side[i]]++;
  }
  return sum[1] / count[1] - sum[2] / count[2];
}

/* Shuffles the colours of a sample, each of whose vertices has one (R. Durstenfeld, 1964). */
static void shuffle(const labels *l, worker *w, uint32_t s, uint64_t permutation)
{
  const ms_coloring *own = l->comparing->each[s].coloring;
  uint32_t count = (uint32_t)own->offset[own->n];
  memcpy(w->color, own->color, count * sizeof *w->color);
  for (uint32_t i = count; i-- > 1;) {
    uint64_t j = ms_compare_random(l->comparing->options->seed, permutation, i, s, (uint64_t)i + 1);
    uint32_t taken = w->color[j];
    w->color[j] = w->color[i];
    w->color[i] = taken;
  }
  w->coloring = *own;
  w->coloring.color = w->color;
}

/* Counts the sets of sample s in a permutation, and fills in its excesses. */
static ms_status count_sample(const labels *l, worker *w, uint32_t s, uint64_t permutation,
                              ms_error *err)
{
  const ms_comparing *c = l->comparing;
  ms_census_options run = MS_CENSUS_OPTIONS_DEFAULT;
  ms_census_result *census;
  run.k = c->out->k;
  run.threads = 1;
  run.memory = c->options->memory / (uint64_t)l->threads;
  run.stop = c->options->stop;
  shuffle(l, w, s, permutation);
  MS_TRY(ms_census(c->each[s].graph, &w->coloring, &run, &census, err));
  ms_status status = census->stopped;
  if (status == MS_OK)
    ms_compare_look_up(c, census, w->sets);
  ms_census_result_free(census);
  for (uint64_t m = 0; m < c->out->motifs && status == MS_OK; m++) {
    double sets = c->each[s].sets;
    w->excess[m * c->n + s] = ms_compare_score(c, (double)w->sets[m] / sets) -
                              ms_compare_score(c, c->out->expected[m * c->n + s] / sets);
  }
  return status;
}

/* Does one permutation.  Nothing of it counts unless all of it is done. */
static void try_permutation(void *user, ms_range r)
{
  labels *l = user;
  const ms_comparing *c = l->comparing;
  worker *w = &l->worker[r.thread];
  ms_error err;
  pthread_mutex_lock(&l->lock);
  ms_status status = l->status;
  pthread_mutex_unlock(&l->lock);
  for (uint64_t i = r.begin; i < r.end; i++) {
    for (uint32_t s = 0; s < c->n && status == MS_OK; s++)
      status = count_sample(l, w, s, l->first + i, &err);
    pthread_mutex_lock(&l->lock);
    if (status != MS_OK && l->status == MS_OK) {
      l->status = status;
      l->err = err;
    }
    for (uint32_t t = 0; t < c->out->contrasts && status == MS_OK; t++) {
      ms_sides *s = &l->sides[t];
      for (uint64_t row = 0; row < s->rows; row++) {
        uint64_t at = s->motif[row] * c->n;
        double least = fabs(statistic(c, s, c->excess + at)) - MS_SCORE_SLACK;
        l->reached[t][row] += fabs(statistic(c, s, w->excess + at)) >= least;
      }
    }
    pthread_mutex_unlock(&l->lock);
  }
}

static ms_status try_all(labels *l, ms_error *err)
{
  const ms_comparing *c = l->comparing;
  const ms_compare_options *o = c->options;
  uint64_t done = 0, batch = 4 * (uint64_t)l->threads;
  while (done < c->out->planned) {
    uint64_t count = c->out->planned - done < batch ? c->out->planned - done : batch;
    for (uint32_t t = 0; t < c->out->contrasts; t++)
      memset(l->reached[t], 0, l->sides[t].rows * sizeof **l->reached);
    l->first = done + 1;
    ms_parallel(l->threads, count, 1, try_permutation, l);
    if (l->status == MS_ERR_LIMIT || l->status == MS_ERR_INTERRUPTED)
      return ms_fail(err, l->status, "colours were permuted");
    if (l->status != MS_OK) {
      if (err)
        *err = l->err;
      return l->status;
    }
    done += count;
    for (uint32_t t = 0; t < c->out->contrasts; t++) {
      for (uint64_t row = 0; row < l->sides[t].rows; row++)
        l->sides[t].reached[1][row] += l->reached[t][row];
      c->out->contrast[t].permutations = done;
    }
    if (o->progress)
      o->progress(o->progress_user, "permutations", done, c->out->planned);
  }
  return MS_OK;
}

static ms_status open_labels(labels *l, ms_error *err)
{
  const ms_comparing *c = l->comparing;
  uint64_t most = 0;
  for (uint32_t s = 0; s < c->n; s++)
    most = c->out->vertices[s] > most ? c->out->vertices[s] : most;
  l->threads = ms_threads(c->options->threads);
  l->worker = ms_calloc((size_t)l->threads, sizeof *l->worker);
  l->reached = ms_calloc(c->out->contrasts, sizeof *l->reached);
  bool ok = l->worker && l->reached;
  for (int t = 0; t < l->threads && ok; t++) {
    worker *w = &l->worker[t];
    w->color = ms_alloc(most, sizeof *w->color);
    w->sets = ms_alloc(c->out->motifs, sizeof *w->sets);
    w->excess = ms_alloc(c->out->motifs * c->n, sizeof *w->excess);
    ok = w->color && w->sets && w->excess;
  }
  for (uint32_t t = 0; t < c->out->contrasts && ok; t++) {
    l->reached[t] = ms_alloc(l->sides[t].rows, sizeof **l->reached);
    ok = l->reached[t] != NULL;
  }
  return ok ? MS_OK : ms_fail_memory(err, "permutations of colours");
}

ms_status ms_compare_labels(const ms_comparing *c, ms_sides *sides, ms_error *err)
{
  labels l = {.comparing = c, .sides = sides, .lock = PTHREAD_MUTEX_INITIALIZER};
  ms_status status = open_labels(&l, err);
  if (status == MS_OK)
    status = try_all(&l, err);
  for (int t = 0; l.worker && t < l.threads; t++) {
    ms_free(l.worker[t].color);
    ms_free(l.worker[t].sets);
    ms_free(l.worker[t].excess);
  }
  for (uint32_t t = 0; l.reached && t < c->out->contrasts; t++)
    ms_free(l.reached[t]);
  ms_free(l.worker);
  ms_free(l.reached);
  pthread_mutex_destroy(&l.lock);
  return status;
}
