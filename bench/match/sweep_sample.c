/* The rows of a sweep: all of them, a sample, or a share of either.
 *
 * Each row has a random number, which depends on the seed and on the names of the row alone, and a
 * sample has the rows with the least numbers.  So each set of rows is drawn with the same chance,
 * a larger sample with the same seed contains the smaller one, and what a machine has or lacks does
 * not change the draw.  A share has the rows between two places in the order of these numbers.
 * Random numbers also say in which order the graphs, the numbers of labels
 * of a graph and their rows are measured: what the time does not suffice for does not depend on
 * the lists. */
#include "base/alloc.h"
#include "base/status.h"
#include "bench/harness.h"
#include "bench/match/sweep.h"

#include <stdlib.h>
#include <string.h>

/* A row, its random number, and the random numbers that order its graph and its number of labels.
 */
typedef struct drawn_row {
  uint64_t key, graph_key, labels_key;
  sweep_place place;
} drawn_row;

const char *sweep_graph_name(const char *text)
{
  const char *slash = strrchr(text, '/');
  return slash ? slash + 1 : text;
}

ms_status sweep_words_of(const char *list, sweep_words *out, ms_error *err)
{
  sweep_word word;
  *out = (sweep_words){0};
  for (const char *at = list; (at = bench_next_word(at, word, sizeof word));)
    out->count++;
  out->text = ms_alloc(out->count + 1, sizeof *out->text);
  if (!out->text)
    return ms_fail_memory(err, "the lists of graphs and patterns");
  const char *at = list;
  for (uint32_t i = 0; i < out->count; i++)
    at = bench_next_word(at, out->text[i], sizeof *out->text);
  if (at[strspn(at, " ")]) {
    sweep_words_free(out);
    return ms_fail(err, MS_ERR_USAGE, "a word of a list has more than %zu characters: %s",
                   sizeof word - 1, at);
  }
  return MS_OK;
}

void sweep_words_free(sweep_words *words)
{
  ms_free(words->text);
  *words = (sweep_words){0};
}

static int compare(uint64_t a, uint64_t b)
{
  return (a > b) - (a < b);
}

static int by_key(const void *a, const void *b)
{
  const drawn_row *x = a, *y = b;
  return compare(x->key, y->key);
}

/* Rows of one graph are consecutive, and among them those with one number of labels. */
static int by_graph(const void *a, const void *b)
{
  const drawn_row *x = a, *y = b;
  int graph = compare(x->graph_key, y->graph_key);
  int labels = compare(x->labels_key, y->labels_key);
  return graph ? graph : labels ? labels : compare(x->key, y->key);
}

/* Returns the random number of what these names say; NULL: there is no such name. */
static uint64_t key_of(const sweep_lists *l, const char *graph, const uint32_t *labels,
                       const char *pattern)
{
  char text[3 * sizeof(sweep_word)];
  int used = snprintf(text, sizeof text, "%s/", graph);
  if (labels)
    used += snprintf(text + used, sizeof text - (size_t)used, "%u/", *labels);
  if (pattern)
    snprintf(text + used, sizeof text - (size_t)used, "%s", pattern);
  return sweep_seed_of(l->seed, text);
}

static void set_keys(const sweep_lists *l, drawn_row *row)
{
  const char *graph = sweep_graph_name(l->graphs.text[row->place.graph]);
  const uint32_t *labels = &l->labels[row->place.labels];
  row->graph_key = key_of(l, graph, NULL, NULL);
  row->labels_key = key_of(l, graph, labels, NULL);
  row->key = key_of(l, graph, labels, l->patterns.text[row->place.pattern]);
}

/* Sets the rows [*from, *to) of the random order that are drawn; returns false for all of them. */
static bool find_share(const sweep_lists *l, uint32_t all, uint32_t *from, uint32_t *to)
{
  uint64_t count = l->sample > 0 && l->sample < all ? l->sample : all;
  *from = 0;
  *to = (uint32_t)count;
  if (l->shares > 1) {
    *from = (uint32_t)(count * (l->share - 1) / l->shares);
    *to = (uint32_t)(count * l->share / l->shares);
  }
  return *to - *from < all;
}

/* Moves the drawn rows to the front, in the order in which they are measured. */
static ms_status draw(const sweep_lists *l, drawn_row *row, uint32_t all, uint32_t from,
                      uint32_t to, ms_error *err)
{
  for (uint32_t i = 0; i < all; i++)
    set_keys(l, &row[i]);
  qsort(row, all, sizeof *row, by_key);
  for (uint32_t i = 1; i < all; i++)
    if (row[i].key == row[i - 1].key)
      return ms_fail(err, MS_ERR_USAGE,
                     "a sample needs different rows: '%s', with %u labels, is listed twice for %s; "
                     "leave one out, or rename a file",
                     l->patterns.text[row[i].place.pattern], l->labels[row[i].place.labels],
                     sweep_graph_name(l->graphs.text[row[i].place.graph]));
  memmove(row, row + from, (to - from) * sizeof *row);
  qsort(row, to - from, sizeof *row, by_graph);
  return MS_OK;
}

ms_status sweep_rows_of(const sweep_lists *l, sweep_rows *out, ms_error *err)
{
  uint32_t g = l->graphs.count, n = l->n_labels, p = l->patterns.count, all = g * n * p;
  uint32_t from, to;
  *out = (sweep_rows){.all = all, .is_sample = find_share(l, all, &from, &to)};
  drawn_row *row = ms_alloc((size_t)all + 1, sizeof *row);
  out->at = ms_alloc((size_t)all + 1, sizeof *out->at);
  ms_status status = row && out->at ? MS_OK : ms_fail_memory(err, "the rows of the sweep");
  for (uint32_t i = 0; i < all && status == MS_OK; i++)
    row[i].place = (sweep_place){.graph = i / (n * p), .labels = i / p % n, .pattern = i % p};
  if (status == MS_OK && out->is_sample)
    status = draw(l, row, all, from, to, err);
  out->count = to - from;
  for (uint32_t i = 0; i < out->count && status == MS_OK; i++)
    out->at[i] = row[i].place;
  ms_free(row);
  if (status != MS_OK)
    sweep_rows_free(out);
  return status;
}

void sweep_rows_free(sweep_rows *rows)
{
  ms_free(rows->at);
  *rows = (sweep_rows){0};
}

uint32_t sweep_rows_of_graph(const sweep_place *at, uint32_t count)
{
  uint32_t i = 0;
  while (i < count && at[i].graph == at->graph)
    i++;
  return i;
}

uint32_t sweep_rows_of_labels(const sweep_place *at, uint32_t count)
{
  uint32_t i = 0;
  while (i < count && at[i].graph == at->graph && at[i].labels == at->labels)
    i++;
  return i;
}
