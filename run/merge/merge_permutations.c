/* Merges parts of the permutations of a census, of patterns, or of one motif.  Each part has the
 * numbers of the whole graph, which are the same in all of them, and sums of its permutations. */
#include "run/merge/merge.h"

#include "base/alloc.h"
#include "base/crc32c.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "query/pattern.h"
#include "run/write/write.h"
#include "run/write/write_chance.h"
#include "run/write/write_permutations.h"
#include "significance/permute/permute_each.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define STATISTICS MS_STAT_PERMUTED /* those by formula */

typedef struct permutation_merge {
  uint64_t count, room; /* motifs; of part 1 at first */
  char **text;          /* [count] */
  ms_shape_info *shape; /* [count] NULL: the motifs are no shapes */
  ms_pattern_row *row;  /* [count] of patterns, with texts of their own; NULL: of motifs */
  uint64_t *n_sets;
  ms_permutation_sum *sum;
  uint64_t *n_ge, *n_le;
  double *statistic[STATISTICS]; /* [count] NULL: there is no significance */
  double *mean;                  /* [count] the means by formula; NULL: there are none */
  ms_p_by *p_by;                 /* [count] the last of them */
  bool has_significance, has_shapes, has_mean, has_patterns;
  bool is_of_one;       /* the parts are of one motif, and have no rows */
  uint32_t rows_crc32c; /* checksum of motifs and sets of part 1 */
  ms_permutation_result *result;
} permutation_merge;

/* ---- reading ----------------------------------------------------------------------------- */

static ms_status fail_memory(ms_error *err)
{
  return ms_fail_memory(err, "the permutations of all parts");
}

static bool grow_one(void *array, uint64_t old, uint64_t room, size_t size)
{
  void *larger, **at = array;
  memcpy(&larger, at, sizeof larger);
  larger = ms_resize(larger, old, room, size);
  if (larger)
    memcpy(at, &larger, sizeof larger);
  return larger != NULL;
}

static ms_status make_room(permutation_merge *p, ms_error *err)
{
  uint64_t old = p->room, room = 2 * old + 1024;
  if (p->count < old)
    return MS_OK;
  bool ok = grow_one(&p->text, old, room, sizeof *p->text) &&
            grow_one(&p->n_sets, old, room, sizeof *p->n_sets) &&
            grow_one(&p->sum, old, room, sizeof *p->sum) &&
            grow_one(&p->n_ge, old, room, sizeof *p->n_ge) &&
            grow_one(&p->n_le, old, room, sizeof *p->n_le);
  for (uint32_t i = 0; i < STATISTICS && p->has_significance && ok; i++)
    ok = grow_one(&p->statistic[i], old, room, sizeof **p->statistic);
  if (p->has_shapes && ok)
    ok = grow_one(&p->shape, old, room, sizeof *p->shape);
  if (p->has_mean && ok)
    ok = grow_one(&p->mean, old, room, sizeof *p->mean);
  if (p->has_patterns && ok)
    ok = grow_one(&p->row, old, room, sizeof *p->row);
  if (p->has_significance && ok)
    ok = grow_one(&p->p_by, old, room, sizeof *p->p_by);
  if (!ok)
    return fail_memory(err);
  p->room = room;
  return MS_OK;
}

/* Adds the motif of a row of part 1. */
static ms_status add_motif(permutation_merge *p, const ms_census_row *row, ms_error *err)
{
  MS_TRY(make_room(p, err));
  uint64_t i = p->count;
  p->text[i] = ms_strdup(row->motif);
  if (!p->text[i])
    return fail_memory(err);
  if (p->has_shapes) {
    ms_shape_info *shape = &p->shape[i];
    *shape = (ms_shape_info){.edges = (uint32_t)row->edges,
                             .automorphisms = (uint32_t)row->automorphisms};
    if (strcmp(row->name, MS_NO_VALUE) != 0)
      snprintf(shape->name, sizeof shape->name, "%s", row->name);
    snprintf(shape->graph6, sizeof shape->graph6, "%s", row->graph6);
  }
  if (p->has_patterns)
    p->row[i] = (ms_pattern_row){.name = NULL};
  p->n_sets[i] = row->sets;
  p->sum[i] = (ms_permutation_sum){0};
  p->n_ge[i] = p->n_le[i] = 0;
  for (uint32_t s = 0; s < STATISTICS && p->has_significance; s++)
    p->statistic[s][i] = row->statistic[s];
  if (p->has_mean)
    p->mean[i] = row->statistic[MS_STAT_EXPECTED];
  if (p->has_significance)
    p->p_by[i] =
        isnan(row->statistic[MS_STAT_P_BY]) ? MS_P_BY_NONE : (ms_p_by)row->statistic[MS_STAT_P_BY];
  p->count++;
  return MS_OK;
}

/* Keeps the row of a pattern of part 1, after its motif was added. */
static ms_status add_pattern(permutation_merge *p, const ms_pattern_row *row, ms_error *err)
{
  ms_pattern_row *kept = &p->row[p->count - 1];
  kept->vertices = row->vertices;
  kept->edges = row->edges;
  kept->pattern = p->text[p->count - 1];
  kept->name = ms_strdup(row->name);
  kept->automorphisms = ms_strdup(row->automorphisms);
  kept->matches = ms_strdup(row->matches);
  kept->status = ms_result_word(MS_WORDS_STATUS, MS_RESULT_COMPLETE);
  return kept->name && kept->automorphisms && kept->matches ? MS_OK : fail_memory(err);
}

static ms_status fail_rows(const ms_merging *m, uint32_t i, ms_error *err)
{
  const ms_result_header *h = &m->part[i].result.header;
  return ms_fail(err, MS_ERR_INPUT, "%s: refused: its %s are not those of %.300s", m->path[i],
                 h->kind == MS_KIND_PATTERNS ? "patterns"
                 : h->has & MS_HAS_SHAPES    ? "shapes"
                                             : "motifs",
                 m->path[m->by_number[0]]);
}

/* Adds what the header of a part says of its permutations; they must be those that it should have.
 */
static ms_status add_header(ms_merging *m, uint32_t i, permutation_merge *p, ms_error *err)
{
  const ms_result_header *h = &m->part[i].result.header;
  ms_permutation_result *r = p->result;
  uint64_t asked = h->permutations.asked, first;
  if (asked > MS_MOST_PERMUTATIONS ||
      (h->status == MS_RESULT_COMPLETE &&
       h->permutations.done !=
           ms_permutations_of_part(asked, h->division.part, h->division.parts, &first)))
    return ms_fail(err, MS_ERR_INPUT, "%s: refused: it has %" PRIu64 " permutations", m->path[i],
                   h->permutations.done);
  r->done += h->permutations.done;
  if (h->permutations.accepted > h->permutations.tried ||
      __builtin_add_overflow(r->tried, h->permutations.tried, &r->tried) ||
      __builtin_add_overflow(r->accepted, h->permutations.accepted, &r->accepted))
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: refused: so many swaps cannot have been tried and accepted", m->path[i]);
  if (h->permutations.deviation > r->deviation)
    r->deviation = h->permutations.deviation;
  return MS_OK;
}

/* Adds a row of a part: motif `number` with its sums. */
static ms_status add_row(ms_merging *m, uint32_t i, bool is_first, uint64_t number,
                         permutation_merge *p, uint32_t *crc, ms_error *err)
{
  const ms_result *r = &m->part[i].result;
  const ms_census_row *row = &r->row.census;
  uint32_t code;
  if (p->has_shapes)
    MS_TRY(ms_merging_check_shape(m, i, NULL, &code, err));
  if (is_first)
    MS_TRY(add_motif(p, row, err));
  if (number == p->count)
    return fail_rows(m, i, err);
  *crc = ms_crc32c(*crc, row->motif, strlen(row->motif) + 1);
  *crc = ms_crc32c(*crc, &row->sets, sizeof row->sets);
  if (p->has_mean)
    *crc = ms_crc32c(*crc, &row->statistic[MS_STAT_EXPECTED], sizeof *row->statistic);
  return ms_sums_add(row->sum, r->header.permutations.done, row->sets, &p->sum[number],
                     &p->n_ge[number], &p->n_le[number])
             ? MS_OK
             : ms_fail(err, MS_ERR_INPUT,
                       "%s:%" PRIu64 ": refused: the sums of permutations are wrong", m->path[i],
                       r->row.line);
}

/* Adds a row of a part of patterns, whose numbers of matches are those of the graph. */
static ms_status add_pattern_row(ms_merging *m, uint32_t i, bool is_first, uint64_t number,
                                 permutation_merge *p, uint32_t *crc, uint32_t *set_crc,
                                 ms_error *err)
{
  ms_result *r = &m->part[i].result;
  const ms_pattern_row row = r->row.pattern; /* which shares its memory with the next one */
  const char *digits = row.matches;
  uint64_t matches;
  if (!ms_take_count(&digits, INT64_MAX, &matches) || *digits ||
      strcmp(row.status, ms_result_word(MS_WORDS_STATUS, MS_RESULT_COMPLETE)) != 0)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s:%" PRIu64 ": refused: permutations are for whole counts below 2^63",
                   m->path[i], r->row.line);
  r->row.census = (ms_census_row){.motif = row.pattern, .sets = matches};
  memcpy(r->row.census.sum, row.sum, sizeof row.sum);
  MS_TRY(add_row(m, i, is_first, number, p, crc, err));
  *crc = ms_crc32c(*crc, row.automorphisms, strlen(row.automorphisms) + 1);
  *crc = ms_crc32c(*crc, &row.vertices, sizeof row.vertices);
  *crc = ms_crc32c(*crc, &row.edges, sizeof row.edges);
  *set_crc = ms_pattern_set_crc32c(*set_crc, row.name, row.pattern);
  return is_first ? add_pattern(p, &row, err) : MS_OK;
}

/* Of one motif, the header has what is a row of a census. */
static ms_status add_header_row(ms_merging *m, uint32_t i, bool is_first, permutation_merge *p,
                                uint32_t *crc, ms_error *err)
{
  ms_result *r = &m->part[i].result;
  r->row.census = (ms_census_row){.motif = r->header.motif, .sets = r->header.chance.observed};
  memcpy(r->row.census.sum, r->header.chance.sum, sizeof r->row.census.sum);
  r->row.line = r->header.line[MS_PART_NULL];
  MS_TRY(ms_merging_refuse(m, i, ms_result_check_sums(r), err));
  return add_row(m, i, is_first, 0, p, crc, err);
}

static ms_status read_part(ms_merging *m, uint32_t i, bool is_first, permutation_merge *p,
                           ms_error *err)
{
  uint64_t row;
  uint32_t crc = 0, set_crc = 0;
  bool more;
  MS_TRY(ms_merging_open_rows(m, i, err));
  MS_TRY(add_header(m, i, p, err));
  if (p->is_of_one)
    MS_TRY(add_header_row(m, i, is_first, p, &crc, err));
  MS_TRY(ms_merging_next_row(m, i, &more, err));
  for (row = p->is_of_one; more; row++) {
    if (row % 4096 == 0)
      MS_TRY(ms_stop_poll("parts are merged", err));
    MS_TRY(p->has_patterns ? add_pattern_row(m, i, is_first, row, p, &crc, &set_crc, err)
                           : add_row(m, i, is_first, row, p, &crc, err));
    MS_TRY(ms_merging_next_row(m, i, &more, err));
  }
  if (p->has_patterns && set_crc != m->part[i].result.header.patterns.crc32c)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: refused: its patterns do not have the checksum that its header states",
                   m->path[i]);
  if (is_first)
    p->rows_crc32c = crc;
  if (row != p->count || crc != p->rows_crc32c)
    return fail_rows(m, i, err);
  ms_merging_close_rows(m, i);
  return MS_OK;
}

/* ---- the result -------------------------------------------------------------------------- */

static ms_status finish(permutation_merge *p, ms_error *err)
{
  ms_permutation_result *r = p->result;
  uint64_t bytes = p->count * sizeof *r->n_ge;
  MS_TRY(ms_permutation_result_open(r, p->count, false, err));
  r->mean = p->mean;
  p->mean = NULL;
  if (p->count > 0) {
    memcpy(r->n_ge, p->n_ge, bytes);
    memcpy(r->n_le, p->n_le, bytes);
  }
  return ms_permutation_result_fill(r, p->sum, p->n_sets, NULL, err);
}

static ms_status write_patterns(ms_merging *m, permutation_merge *p, ms_error *err)
{
  for (uint64_t i = 0; i < p->count; i++) {
    ms_writing_pattern_statistics(p->result, i, &p->row[i]);
    MS_TRY(ms_writer_row(&m->writer, &p->row[i], err));
  }
  return MS_OK;
}

static ms_status write_merged(ms_merging *m, permutation_merge *p, ms_error *err)
{
  ms_result_header *h = &m->writer.header;
  double **s = p->statistic;
  ms_significance significance = {.count = p->count,
                                  .expected = s[0],
                                  .sd = s[1],
                                  .z = s[3],
                                  .p = s[4],
                                  .q = s[5],
                                  .p_less = s[6],
                                  .q_less = s[7],
                                  .p_by = p->p_by};
  const ms_census_result census = {.k = h->k,
                                   .sets = h->census.sets,
                                   .count = p->count,
                                   .motifs = p->count,
                                   .n_sets = p->n_sets};
  const ms_census_statistics extra = {.significance = p->has_significance ? &significance : NULL,
                                      .permutations = p->result,
                                      .sort = (ms_census_order)h->census.sort};
  ms_names *none;
  h->status = MS_RESULT_COMPLETE;
  h->permutations.done = p->result->done;
  h->permutations.tried = p->result->tried;
  h->permutations.accepted = p->result->accepted;
  h->permutations.deviation = p->result->deviation;
  if (p->is_of_one)
    return ms_writing_chance(&m->writer, p->result, err);
  ms_merging_report(m, "the rows are written", 0, 0);
  MS_TRY(ms_names_new(&none, err));
  ms_status status = ms_writer_begin(&m->writer, none, err);
  if (status == MS_OK && p->has_patterns)
    status = write_patterns(m, p, err);
  else if (status == MS_OK)
    status = ms_writing_census_merged(&m->writer, &census, (const char *const *)p->text, p->shape,
                                      &extra, err);
  if (status == MS_OK)
    status = ms_writer_end(&m->writer, err);
  ms_names_free(none);
  m->rows = m->writer.rows;
  return status;
}

static ms_status merge_permutations(ms_merging *m, permutation_merge *p, ms_error *err)
{
  p->result->asked = m->writer.header.permutations.asked;
  for (uint32_t number = 0; number < m->count; number++) {
    MS_TRY(read_part(m, m->by_number[number], number == 0, p, err));
    ms_merging_report(m, "parts merged", number + 1, m->count);
  }
  MS_TRY(finish(p, err));
  return write_merged(m, p, err);
}

ms_status ms_merge_permutations(ms_merging *m, ms_error *err)
{
  const ms_result_header *h = &m->writer.header;
  permutation_merge p = {.has_significance = h->has & MS_HAS_SIGNIFICANCE,
                         .has_shapes = h->has & MS_HAS_SHAPES,
                         .has_mean = ms_result_has_mean(h),
                         .has_patterns = h->kind == MS_KIND_PATTERNS,
                         .is_of_one = h->kind == MS_KIND_CHANCE};
  p.result = ms_calloc(1, sizeof *p.result);
  ms_status status = p.result ? merge_permutations(m, &p, err) : fail_memory(err);
  for (uint64_t i = 0; i < p.count; i++) {
    ms_free(p.text[i]);
    if (p.row) {
      ms_free((void *)(uintptr_t)p.row[i].name);
      ms_free((void *)(uintptr_t)p.row[i].automorphisms);
      ms_free((void *)(uintptr_t)p.row[i].matches);
    }
  }
  ms_free(p.text);
  ms_free(p.row);
  ms_free(p.shape);
  ms_free(p.n_sets);
  ms_free(p.sum);
  ms_free(p.n_ge);
  ms_free(p.n_le);
  for (uint32_t i = 0; i < STATISTICS; i++)
    ms_free(p.statistic[i]);
  ms_free(p.mean);
  ms_free(p.p_by);
  ms_permutation_result_free(p.result);
  return status;
}
