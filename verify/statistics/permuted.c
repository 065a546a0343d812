#include "verify/statistics/permuted_chains.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS 0.00001 /* relative error of six digits */
#define LABELS 0       /* the nulls, by their numbers in the header */
#define DEGREE 1
#define EDGES 2
#define REWIRE 3
#define REWIRE_COLORS 4
#define LEAST_CLASS 50u
#define MOST_PLACES ((uint64_t)1 << 26) /* of vertices in permutations that are held */
#define MOST_SWAPS 5000000u             /* of chains that are made again, beside one chain */

/* ---- the head ----------------------------------------------------------------------------- */

static uint32_t colors_of(const ms_coloring *coloring, uint32_t v)
{
  uint32_t count = 0;
  if (coloring)
    (void)ms_coloring_of(coloring, v, &count);
  return count;
}

static bool rewires(uint32_t null)
{
  return null == REWIRE || null == REWIRE_COLORS;
}

/* True if the head can say so many swaps: each permutation tries a number for each edge, or up to a
 * number for each vertex that has a colour. */
static bool can_try(const ms_result_header *h, uint64_t members)
{
  uint64_t of_each = rewires(h->permutations.null_kind)
                         ? MS_SWAPS_OF_EDGE * (uint64_t)h->edges
                         : MS_MOST_TRIES * MS_SWAPS_OF_VERTEX * members,
           most;
  if (__builtin_mul_overflow(of_each, h->permutations.done, &most))
    most = UINT64_MAX;
  bool exact = rewires(h->permutations.null_kind) && h->edges > 1;
  return h->permutations.accepted <= h->permutations.tried && h->permutations.tried <= most &&
         (!exact || h->permutations.tried == most);
}

/* The connected graphs of k vertices, or connected directed graphs: A001349 and A003085 of the
 * OEIS.
 */
static uint64_t count_shapes(const ms_result_header *h)
{
  static const uint64_t plain[] = {2, 6, 21, 112}, directed[] = {13, 199, 9364};
  uint32_t most = h->graph.directed ? MS_MAX_DIRECTED_SHAPE : MS_MAX_SHAPE;
  if (h->k < 3 || h->k > most)
    return 0;
  return h->graph.directed ? directed[h->k - 3] : plain[h->k - 3];
}

ms_status ms_check_permuted_head(ms_result *r, const ms_coloring *coloring)
{
  const ms_result_header *h = &r->header;
  uint64_t line = h->line[MS_PART_NULL], members = 0, occurring = h->motifs_found;
  uint32_t null = h->permutations.null_kind;
  bool swaps = null == EDGES || rewires(null);
  if (swaps != ((h->has & MS_HAS_SWAPS) != 0))
    return ms_result_refuse(r, line,
                            "the header %s 'swaps_accepted', which belongs to the nulls "
                            "'edges', 'rewire' and 'rewire-colors'",
                            swaps ? "lacks" : "has");
  if (h->permutations.strata && rewires(null))
    return ms_result_refuse(r, line, "the header has 'strata', and rewiring moves no colours");
  if (h->permutations.deviation != 0 && null != EDGES)
    return ms_result_refuse(r, line,
                            "the header has 'table_deviation', which belongs to the null 'edges'");
  if (!(h->permutations.deviation >= 0 && h->permutations.deviation <= 1))
    return ms_result_refuse(r, line, "table_deviation must be a share, from 0 to 1");
  bool may_be_directed = h->has & MS_HAS_SHAPES || h->kind == MS_KIND_PATTERNS;
  if (h->permutations.meaning != null + (may_be_directed && null == REWIRE ? 2 : 0))
    return ms_result_refuse(r, line, "'null_meaning' is the one of another null");
  for (uint32_t v = 0; v < h->vertices; v++)
    members += colors_of(coloring, v) > 0;
  if (swaps && !can_try(h, members))
    return ms_result_refuse(r, line, "so many swaps cannot have been tried and accepted");
  if (h->kind == MS_KIND_PATTERNS) /* whose rows are counted (verify/pattern_table.c) */
    return null != REWIRE && !coloring
               ? ms_result_refuse(r, line, "the null is about colours, and there are none")
               : MS_OK;
  bool all_shapes = h->has & MS_HAS_SHAPES && !(h->has & MS_HAS_COLORS);
  bool more = h->has & MS_HAS_SIGNIFICANCE || all_shapes;
  if (all_shapes && h->permutations.tests != count_shapes(h))
    return ms_result_refuse(r, h->line[MS_PART_PERMUTATION_TESTS],
                            "there are %llu shapes, so that there cannot be %llu permutation tests",
                            (unsigned long long)count_shapes(h),
                            (unsigned long long)h->permutations.tests);
  if (h->permutations.tests < occurring || (!more && h->permutations.tests > occurring))
    return ms_result_refuse(r, h->line[MS_PART_PERMUTATION_TESTS],
                            "%llu motifs occur, so that there cannot be %llu permutation tests",
                            (unsigned long long)occurring,
                            (unsigned long long)h->permutations.tests);
  return MS_OK;
}

/* ---- one row ------------------------------------------------------------------------------ */

static bool is_near(double a, double b)
{
  return fabs(a - b) <= DIGITS * (fabs(a) + fabs(b)) + 1e-12;
}

/* True for (1 + n) / (1 + N) with a whole n of 0 .. N. */
static bool is_share(double p, double permutations)
{
  double n = p * (1 + permutations) - 1;
  return p <= 1 && n > -0.5 && n < permutations + 0.5 &&
         fabs(n - round(n)) <= DIGITS * (1 + permutations) + 1e-9;
}

ms_status ms_check_permuted_row(ms_result *r, const double *statistic, uint64_t sets)
{
  const ms_result_header *h = &r->header;
  const double *s = statistic + MS_STAT_PERMUTED;
  double done = (double)h->permutations.done;
  bool moments = isnan(s[MS_STAT_EXPECTED]) == (done < 1) && isnan(s[MS_STAT_SD]) == (done < 2) &&
                 !(s[MS_STAT_SD] < 0) && isnan(s[MS_STAT_Z]) == !(s[MS_STAT_SD] > 0);
  if (!moments)
    return ms_result_refuse(r, r->row.line, "perm_expected, perm_sd or perm_z cannot be right");
  if (!ms_result_fold_fits(s[MS_STAT_FOLD], sets, s[MS_STAT_EXPECTED]))
    return ms_result_refuse(r, r->row.line, "perm_fold is not sets / perm_expected");
  double difference = (double)sets - s[MS_STAT_EXPECTED];
  /* six digits of both terms */
  double error = DIGITS * ((double)sets + fabs(s[MS_STAT_EXPECTED]));
  if (!isnan(s[MS_STAT_Z]) &&
      fabs(s[MS_STAT_Z] * s[MS_STAT_SD] - difference) > error + DIGITS * fabs(difference))
    return ms_result_refuse(r, r->row.line,
                            "perm_z is not the difference of sets and perm_expected in perm_sd");
  if (!is_share(s[MS_STAT_P], done) || !is_share(s[MS_STAT_P_LESS], done) ||
      (h->permutations.max_t && !is_share(s[MS_STAT_P_MAX], done)) ||
      s[MS_STAT_P] + s[MS_STAT_P_LESS] < (2 + done) / (1 + done) - 2 * DIGITS)
    return ms_result_refuse(r, r->row.line, "no %llu permutations give these values of p",
                            (unsigned long long)h->permutations.done);
  /* so that NA, which compares as false, is refused */
  if (!(s[MS_STAT_Q] >= s[MS_STAT_P] * (1 - DIGITS) && s[MS_STAT_Q] <= 1) ||
      !(s[MS_STAT_Q_LESS] >= s[MS_STAT_P_LESS] * (1 - DIGITS) && s[MS_STAT_Q_LESS] <= 1))
    return ms_result_refuse(r, r->row.line, "a q is NA, below its p, or above 1");
  if (s[MS_STAT_SD] == 0 && !is_near((double)sets, s[MS_STAT_EXPECTED]) &&
      s[MS_STAT_P] + s[MS_STAT_P_LESS] > (2 + done) / (1 + done) + 2 * DIGITS)
    return ms_result_refuse(r, r->row.line, "the values of p contradict perm_sd");
  return MS_OK;
}

/* ---- classes ------------------------------------------------------------------------------ */

typedef struct member {
  uint32_t stratum, degree, vertex, first; /* first: place of the first one of the class */
} member;

static int by_stratum(const void *a, const void *b)
{
  const member *x = a, *y = b;
  if (x->stratum != y->stratum)
    return x->stratum < y->stratum ? -1 : 1;
  if (x->degree != y->degree)
    return x->degree < y->degree ? -1 : 1;
  return x->vertex < y->vertex ? -1 : 1;
}

/* Sets the first places: from the last member of a stratum on, classes of whole degrees are cut
 * from the front, and a rest that is too small goes to the class before. */
static void cut(member *m, uint32_t begin, uint32_t end)
{
  uint32_t first = begin;
  for (uint32_t i = begin; i < end;) {
    uint32_t next = i;
    while (next < end && (next - first < LEAST_CLASS || m[next].degree == m[next - 1].degree))
      next++;
    /* the rest after `next` has no class of its own if it is too small */
    if (next < end && end - next < LEAST_CLASS)
      next = end;
    for (; i < next; i++)
      m[i].first = first;
    first = next;
  }
}

/* Reads the strata of all vertices from the file of the colours. */
static ms_status read_strata(ms_certificate *c, uint32_t *stratum, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  ms_color_options options = h->coloring;
  ms_coloring *strata;
  options.size = sizeof options;
  options.color_column = h->permutations.strata;
  MS_TRY(
      ms_coloring_read(ms_coloring_describe(c->coloring).path, c->graph, &options, &strata, err));
  for (uint32_t v = 0; v < h->vertices; v++) {
    uint32_t count;
    const uint32_t *value = ms_coloring_of(strata, v, &count);
    stratum[v] = count > 0 ? value[0] + 1 : 0;
  }
  ms_coloring_free(strata);
  return MS_OK;
}

static ms_status make_members(ms_certificate *c, const ms_coloring *coloring, member *m,
                              uint32_t *members, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  uint32_t n = h->vertices, count = 0, neighbors;
  uint32_t *stratum = ms_calloc(n, sizeof *stratum);
  if (!stratum)
    return ms_fail_memory(err, "permutations");
  ms_status status = h->permutations.strata ? read_strata(c, stratum, err) : MS_OK;
  for (uint32_t v = 0; v < n && status == MS_OK; v++) {
    uint32_t degree = 0;
    const uint32_t *near = ms_graph_neighbors(c->graph, v, &neighbors);
    for (uint32_t i = 0; i < neighbors && h->permutations.null_kind == DEGREE; i++)
      degree += colors_of(coloring, near[i]) > 0;
    if (colors_of(coloring, v) > 0)
      m[count++] = (member){stratum[v], degree, v, 0};
  }
  ms_free(stratum);
  if (count > 0)
    qsort(m, count, sizeof *m, by_stratum);
  for (uint32_t begin = 0, end = 0; begin < count; begin = end) {
    while (end < count && m[end].stratum == m[begin].stratum)
      end++;
    cut(m, begin, end);
  }
  *members = count;
  return status;
}

/* ---- shuffles ----------------------------------------------------------------------------- */

static void shuffle(const member *m, uint32_t members, uint64_t seed, uint64_t i, uint32_t *from)
{
  for (uint32_t at = 0; at < members; at++) {
    uint32_t first = m[at].first;
    uint64_t bits = ms_permuted_draw(seed, i, 0, at);
    uint32_t other = first + (uint32_t)ms_permuted_scale(bits, at - first + 1);
    uint32_t v = from[m[at].vertex]; /* still the vertex itself */
    from[m[at].vertex] = from[m[other].vertex];
    from[m[other].vertex] = v;
  }
}

/* ---- the permutations --------------------------------------------------------------------- */

/* Returns how many of the permutations are made again: all, if that is not too much, and at least
 * one. */
static uint64_t choose_sample(const ms_result_header *h, uint64_t members, uint64_t most)
{
  uint64_t swaps = h->permutations.null_kind == EDGES   ? MS_SWAPS_OF_VERTEX * members
                   : rewires(h->permutations.null_kind) ? MS_SWAPS_OF_EDGE * (uint64_t)h->edges
                                                        : 0;
  uint64_t sample = h->permutations.done < most ? h->permutations.done : most;
  uint64_t chains = swaps > 0 ? MOST_SWAPS / swaps + 1 : sample;
  return sample < chains ? sample : chains;
}

uint64_t ms_permuted_number(const ms_permuted *p, uint64_t s)
{
  return s * p->of / p->permutations;
}

/* Fills from[] for the null `edges`. */
static ms_status run_label_chains(ms_certificate *c, const ms_coloring *coloring, const member *m,
                                  uint32_t members, const ms_stop *stop, ms_permuted *out,
                                  ms_error *err)
{
  uint32_t *block = ms_alloc(2 * (size_t)members + 1, sizeof *block);
  ms_label_chain *chain = NULL;
  if (!block)
    return ms_fail_memory(err, "permutations");
  for (uint32_t i = 0; i < members; i++) {
    block[i] = m[i].vertex;
    block[members + i] = m[i].first;
  }
  ms_status status = ms_label_chain_new(c->graph, coloring, block, block + members, members,
                                        out->seed, stop, &chain, err);
  for (uint64_t s = 0; s < out->permutations && status == MS_OK; s++)
    status = ms_label_chain_run(chain, out->seed, ms_permuted_number(out, s), stop,
                                out->from + s * out->n, &out->trace, err);
  ms_label_chain_free(chain);
  ms_free(block);
  return status;
}

static ms_status fill_from(ms_certificate *c, const ms_coloring *coloring, const ms_stop *stop,
                           ms_permuted *out, ms_error *err)
{
  uint32_t members = 0;
  member *m = ms_alloc(out->n, sizeof *m);
  out->from = ms_alloc(out->permutations * out->n, sizeof *out->from);
  ms_status status = m && out->from ? make_members(c, coloring, m, &members, err)
                                    : ms_fail_memory(err, "permutations");
  if (status == MS_OK && c->result.header.permutations.null_kind == EDGES)
    status = run_label_chains(c, coloring, m, members, stop, out, err);
  else
    for (uint64_t s = 0; s < out->permutations && status == MS_OK; s++) {
      uint32_t *own = out->from + s * out->n;
      for (uint32_t v = 0; v < out->n; v++)
        own[v] = v;
      shuffle(m, members, out->seed, ms_permuted_number(out, s), own);
      status = ms_stop_check(stop);
    }
  ms_free(m);
  return status;
}

ms_status ms_permuted_make(ms_certificate *c, const ms_coloring *coloring, uint64_t most,
                           const ms_stop *stop, ms_permuted *out, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  uint64_t members = 0;
  uint32_t null = h->permutations.null_kind;
  for (uint32_t v = 0; v < h->vertices; v++)
    members += colors_of(coloring, v) > 0;
  if (!rewires(null) && most > MOST_PLACES / (h->vertices + (uint64_t)1))
    most = MOST_PLACES / (h->vertices + (uint64_t)1);
  *out = (ms_permuted){.of = h->permutations.done, .n = h->vertices, .seed = h->permutations.seed};
  out->permutations = choose_sample(h, members, most);
  /* nobody repeats the chains of directed graphs */
  bool has_arcs = h->has & MS_HAS_SHAPES && ms_graph_directed(c->graph) && rewires(null);
  if (out->permutations == 0 || null > REWIRE_COLORS || has_arcs)
    return MS_OK;
  ms_status status = rewires(null) ? ms_edge_chain_new(c->graph, null == REWIRE ? NULL : coloring,
                                                       out->seed, stop, &out->rewired, err)
                                   : fill_from(c, coloring, stop, out, err);
  out->is_made = status == MS_OK;
  return status;
}

ms_status ms_permuted_graph(ms_permuted *p, uint64_t s, const ms_stop *stop, ms_graph **out,
                            ms_error *err)
{
  return ms_edge_chain_run(p->rewired, p->seed, ms_permuted_number(p, s), stop, out, &p->trace,
                           err);
}

void ms_permuted_free(ms_permuted *p)
{
  ms_free(p->from);
  ms_edge_chain_free(p->rewired);
  *p = (ms_permuted){0};
}
