/* Counts a census in its permutations: each connected set is listed once, and is counted for its
 * motifs, or its shape, in each of them; rewired graphs have their own sets. */
#include "verify/statistics/permuted_compare.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "verify/census.h"
#include "verify/recount.h"

#include <stdio.h>
#include <string.h>

#define MOST_NUMBERS (1u << 26) /* that are held: of permutations, vertices or rows */
#define MOST_COUNTS 4e9         /* sets that are counted, with permutations .. */
#define SOME_COUNTS 2e7         /* .. and where time is limited */
#define LISTING 10              /* listing a set takes so many times as long as counting it */
#define SHAPING 4               /* so does finding its shape */
#define MOST_FITS 1024u         /* motifs that one set fits */
#define KNOWN_BITS 14
#define NO_ROW UINT32_MAX

/* A motif that a graph counts for, so many times. */
typedef struct shape_row {
  uint32_t row, times;
} shape_row;

/* A graph whose shape was found, or with --non-induced the shapes of its subgraphs. */
typedef struct known_shape {
  bool is_known;
  ms_verify_small graph;
  shape_row *row; /* [rows] */
  uint64_t rows, room;
} known_shape;

typedef struct recount {
  ms_certificate *c;
  const ms_permuted_rows *rows;
  ms_permuted permuted;
  uint32_t k;
  uint32_t *place; /* [places] 1 + motif by its colours; 0: free */
  uint64_t places;
  uint32_t *count;     /* [permutations][motifs] */
  uint32_t *same;      /* [n] rewire: each vertex keeps its colours */
  uint64_t first, end; /* permutations that have the sets that are listed */
  uint32_t fits[MOST_FITS][MS_MAX_CENSUS];
  bool too_many;         /* a set fits more motifs, or a number is too large */
  const ms_graph *graph; /* whose sets are listed */
  known_shape *known;    /* [1 << KNOWN_BITS] by a hash of the graph; NULL: motifs are counted */
  known_shape *found;    /* of them, the one whose rows are found */
} recount;

static uint64_t home_of(const recount *w, const uint32_t *color)
{
  return ms_hash_bytes(ms_hash_key_get(), color, MS_MAX_CENSUS * sizeof *color) & (w->places - 1);
}

/* Returns the motif with these colours, or NO_ROW. */
static uint32_t find_row(const recount *w, const uint32_t *color)
{
  for (uint64_t at = home_of(w, color); w->place[at] > 0; at = (at + 1) & (w->places - 1)) {
    uint32_t row = w->place[at] - 1;
    if (memcmp(w->rows->row[row].color, color, MS_MAX_CENSUS * sizeof *color) == 0)
      return row;
  }
  return NO_ROW;
}

/* Counts one more set of the motif, if it is one of those that are counted. */
static void count_motif(const recount *w, uint64_t i, const uint32_t *color)
{
  uint32_t row = find_row(w, color);
  if (row != NO_ROW)
    w->count[i * w->rows->motifs + row]++;
}

/* Lists the different motifs that the set fits with the lists of colours of from[]; returns how
 * many there are. */
static uint32_t list_fits(recount *w, const uint32_t *set, const uint32_t *from)
{
  uint32_t count = 1;
  memset(w->fits[0], 0, sizeof w->fits[0]);
  for (uint32_t j = 0; j < w->k; j++) {
    uint32_t own, before = count;
    const uint32_t *color = ms_coloring_of(w->rows->coloring, from[set[j]], &own);
    for (uint32_t f = 0; f < before; f++) {
      uint32_t short_one[MS_MAX_CENSUS];
      memcpy(short_one, w->fits[f], sizeof short_one);
      for (uint32_t a = 0; a < own; a++) {
        uint32_t to = a > 0 ? count : f, at = j;
        if (to == MOST_FITS) {
          w->too_many = true;
          return 0;
        }
        memcpy(w->fits[to], short_one, sizeof short_one);
        for (; at > 0 && w->fits[to][at - 1] > color[a]; at--)
          w->fits[to][at] = w->fits[to][at - 1];
        w->fits[to][at] = color[a];
        count += a > 0;
      }
    }
    if (own == 0)
      return 0;
  }
  uint32_t kept = 0;
  for (uint32_t f = 0; f < count; f++) {
    bool again = false;
    for (uint32_t g = 0; g < kept && !again; g++)
      again = memcmp(w->fits[f], w->fits[g], sizeof w->fits[f]) == 0;
    if (!again)
      memmove(w->fits[kept++], w->fits[f], sizeof w->fits[f]);
  }
  return kept;
}

/* Adds the shape of a subgraph to those of w->found. */
static bool add_shape(void *user, const ms_verify_small *part)
{
  recount *w = user;
  known_shape *s = w->found;
  uint32_t color[MS_MAX_CENSUS] = {0};
  uint64_t i = 0;
  ms_verify_shape_key(part, color);
  uint32_t row = find_row(w, color);
  while (i < s->rows && s->row[i].row != row)
    i++;
  if (row == NO_ROW)
    return true;
  if (i == s->rows) {
    if (!MS_GROW(s->row, s->room, s->rows, 1))
      return false;
    s->row[s->rows++] = (shape_row){.row = row};
  }
  s->row[i].times++;
  return true;
}

/* Returns the shape of a graph; NULL: no memory. */
static const known_shape *find_shape(recount *w, const ms_verify_small *g)
{
  uint64_t hash = ms_hash_bytes(ms_hash_key_get(), g->arc, sizeof g->arc) ^
                  ms_hash_bytes(ms_hash_key_get(), g->color, sizeof g->color) * 3;
  known_shape *s = &w->known[hash >> (64 - KNOWN_BITS)];
  bool is_same = s->is_known && memcmp(s->graph.arc, g->arc, sizeof g->arc) == 0 &&
                 memcmp(s->graph.color, g->color, sizeof g->color) == 0;
  if (!is_same) {
    *s = (known_shape){.is_known = true, .graph = *g, .row = s->row, .room = s->room};
    w->found = s;
    bool all = w->c->result.header.census.subgraphs;
    s->is_known = all ? ms_verify_subgraphs(g, add_shape, w) : add_shape(w, g);
  }
  return s->is_known ? s : NULL;
}

/* Counts the shape of a set in all permutations that have it. */
static void count_shapes(recount *w, const uint32_t *set)
{
  ms_verify_small g;
  ms_verify_take_set(w->graph, set, w->k, &g);
  for (uint64_t i = w->first; i < w->end; i++) {
    const uint32_t *from = w->same ? w->same : w->permuted.from + i * w->permuted.n;
    bool has_colors = true;
    for (uint32_t j = 0; j < w->k && has_colors; j++) {
      uint32_t own;
      const uint32_t *color = ms_coloring_of(w->rows->coloring, from[set[j]], &own);
      has_colors = own > 0;
      g.color[j] = has_colors ? color[0] : 0;
    }
    const known_shape *s = has_colors ? find_shape(w, &g) : NULL;
    w->too_many |= has_colors && !s;
    for (uint64_t r = 0; s && r < s->rows; r++) {
      uint32_t *count = &w->count[i * w->rows->motifs + s->row[r].row];
      w->too_many |= __builtin_add_overflow(*count, s->row[r].times, count);
    }
  }
}

/* An ms_found_fn. */
static bool note_set(void *user, const uint32_t *set)
{
  recount *w = user;
  if (w->known) {
    count_shapes(w, set);
    return !w->too_many;
  }
  for (uint64_t i = w->first; i < w->end && !w->too_many; i++) {
    uint32_t fits = list_fits(w, set, w->same ? w->same : w->permuted.from + i * w->permuted.n);
    for (uint32_t f = 0; f < fits; f++)
      count_motif(w, i, w->fits[f]);
  }
  return !w->too_many;
}

/* Counts the sets that a query of all connected sets finds. */
static ms_status list_sets(recount *w, const ms_query *query, const ms_stop *stop, ms_error *err)
{
  ms_backtracker *backtracker;
  mpz_t count;
  MS_TRY(ms_backtracker_new(query, false, stop, &backtracker, err));
  mpz_init(count);
  ms_status status = ms_backtracker_list(backtracker, count, note_set, w, err);
  mpz_clear(count);
  ms_backtracker_free(backtracker);
  return status;
}

/* Counts all sets of a rewired graph; any colouring will do for a motif without colours. */
static ms_status count_graph(recount *w, const ms_graph *graph, const ms_stop *stop, ms_error *err)
{
  const char *const name = "any";
  char text[8];
  ms_coloring *coloring = NULL;
  ms_motif *motif = NULL;
  ms_query *query = NULL;
  snprintf(text, sizeof text, "*:%u", w->k);
  ms_status status = ms_coloring_from_pairs(graph, 0, NULL, 1, &name, &coloring, err);
  if (status == MS_OK)
    status = ms_motif_parse(text, coloring, &motif, err);
  if (status == MS_OK)
    status = ms_query_new(graph, coloring, motif, 0, NULL, &query, err);
  if (status == MS_OK)
    status = list_sets(w, query, stop, err);
  ms_query_free(query);
  ms_motif_free(motif);
  ms_coloring_free(coloring);
  return status;
}

static ms_status count_graphs(recount *w, const ms_stop *stop, ms_error *err)
{
  ms_status status = MS_OK;
  w->same = ms_alloc(w->permuted.n, sizeof *w->same);
  if (!w->same)
    return ms_fail_memory(err, "permutations");
  for (uint32_t v = 0; v < w->permuted.n; v++)
    w->same[v] = v;
  for (uint64_t s = 0; s < w->permuted.permutations && status == MS_OK && !w->too_many; s++) {
    ms_graph *graph;
    MS_TRY(ms_permuted_graph(&w->permuted, s, stop, &graph, err));
    w->first = s;
    w->end = s + 1;
    w->graph = graph;
    status = count_graph(w, graph, stop, err);
    ms_graph_free(graph);
  }
  return status;
}

static ms_status count_all(recount *w, const ms_stop *stop, ms_error *err)
{
  uint64_t rows = w->rows->motifs;
  for (w->places = 16; w->places < 2 * rows;)
    w->places *= 2;
  w->place = ms_calloc(w->places, sizeof *w->place);
  w->count = ms_calloc(w->permuted.permutations * rows, sizeof *w->count);
  if (!w->place || !w->count)
    return ms_fail_memory(err, "permutations");
  for (uint64_t i = 0; i < rows; i++) {
    uint64_t at = home_of(w, w->rows->row[i].color);
    while (w->place[at] > 0)
      at = (at + 1) & (w->places - 1);
    w->place[at] = (uint32_t)i + 1;
  }
  w->end = w->permuted.permutations;
  return w->permuted.from ? list_sets(w, w->c->query, stop, err) : count_graphs(w, stop, err);
}

/* ---- the recount --------------------------------------------------------------------------- */

/* Returns how many permutations may be counted again. */
static uint64_t most_permutations(const ms_certificate *c, const ms_permuted_rows *rows)
{
  double sets = (double)rows->sets + 1, most = MOST_NUMBERS / (double)rows->motifs;
  double counts = c->options->recount_seconds > 0 ? SOME_COUNTS : MOST_COUNTS;
  if (c->result.header.permutations.null_kind >= MS_NULL_REWIRE)
    sets *= LISTING;
  if (c->census && c->census->of_shapes)
    sets *= SHAPING;
  most = most < counts / sets ? most : counts / sets;
  return most < 1 ? 1 : (uint64_t)most;
}

ms_status ms_recount_permuted(ms_certificate *c, const ms_permuted_rows *rows, ms_error *err)
{
  uint64_t stated = c->result.header.permutations.done;
  if (rows->rows == 0 || stated == 0)
    return MS_OK;
  c->numbers_believed = true;
  if (rows->motifs > MOST_NUMBERS)
    return MS_OK;
  recount *w = ms_calloc(1, sizeof *w);
  if (!w)
    return ms_fail_memory(err, "permutations");
  w->c = c;
  w->rows = rows;
  w->k = c->result.header.k;
  w->graph = c->graph;
  ms_stop *stop = NULL;
  ms_status status = MS_OK;
  if (c->census && c->census->of_shapes)
    w->known = ms_calloc((size_t)1 << KNOWN_BITS, sizeof *w->known);
  if (c->census && c->census->of_shapes && !w->known)
    status = ms_fail_memory(err, "permutations");
  if (status == MS_OK)
    status = ms_stop_child(c->options->run.stop, c->options->recount_seconds, &stop, err);
  if (status == MS_OK)
    status =
        ms_permuted_make(c, rows->coloring, most_permutations(c, rows), stop, &w->permuted, err);
  bool made = status == MS_OK && w->permuted.is_made;
  if (made)
    status = count_all(w, stop, err);
  if (status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED) {
    made = false; /* the sets of the graph have been counted, and these numbers are further ones */
    c->report->run.stopped = status;
    status = MS_OK;
  }
  if (made && status == MS_OK && !w->too_many) {
    status = ms_permuted_compare(
        &(ms_permuted_counts){.c = c, .rows = rows, .permuted = &w->permuted, .count = w->count},
        err);
    c->report->permutations = w->permuted.permutations;
    c->numbers_believed =
        w->permuted.permutations < stated || rows->motifs != c->result.header.permutations.tests;
  }
  ms_stop_free(stop);
  ms_permuted_free(&w->permuted);
  ms_free(w->place);
  ms_free(w->count);
  ms_free(w->same);
  for (uint32_t i = 0; w->known && i < 1u << KNOWN_BITS; i++)
    ms_free(w->known[i].row);
  ms_free(w->known);
  ms_free(w);
  return status;
}
