/* Checks in how many matches of a pattern each vertex is, and at which position.  A number shows
 * nothing by itself, so that all maps of the pattern are found again, one by one, and counted where
 * each of their vertices is. */
#include "verify/certificate.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/wide.h"
#include "verify/judge/judge.h"

#include <stdio.h>
#include <string.h>

/* Number of maps between two reports of progress. */
#define REPORT_MAPS 65536u
#define NAME_BYTES 200

__extension__ typedef unsigned __int128 wide;

struct ms_verify_positions {
  uint32_t count;             /* of the positions; 1 if the file does not tell them apart */
  uint8_t of[MS_MAX_PATTERN]; /* [k] position of each vertex of the pattern */
  uint64_t last;              /* vertex and position of the row read last, as one number */
  wide *stated;               /* [vertices][count] */
  uint64_t *maps;             /* the same: maps that the recount has found */
};

void ms_verify_positions_free(ms_verify_positions *p)
{
  if (!p)
    return;
  ms_free(p->stated);
  ms_free(p->maps);
  ms_free(p);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Numbers the positions in the order of their first vertices. */
static ms_status find_positions(const ms_certificate *c, ms_verify_positions *p, ms_error *err)
{
  uint8_t lowest[MS_MAX_PATTERN];
  p->count = 1;
  if (!c->result.header.roles)
    return MS_OK;
  MS_TRY(ms_judge_orbits(c->judge, lowest, c->options->run.stop, err));
  p->count = 0;
  for (uint32_t i = 0; i < c->result.header.k; i++)
    p->of[i] = lowest[i] == i ? (uint8_t)p->count++ : p->of[lowest[i]];
  return MS_OK;
}

ms_status ms_open_positions(ms_certificate *c, ms_error *err)
{
  ms_verify_positions *p = c->positions = ms_calloc(1, sizeof *p);
  uint32_t n = c->result.header.vertices;
  if (!p)
    return ms_fail_memory(err, "the rows of the result file");
  MS_TRY(find_positions(c, p, err));
  p->stated = ms_calloc((size_t)n * p->count, sizeof *p->stated);
  return p->stated ? MS_OK : ms_fail_memory(err, "the rows of the result file");
}

uint32_t ms_positions_count(const ms_verify_positions *p)
{
  return p->count;
}

/* Writes the names of the vertices at a position, with commas between them; returns text. */
static const char *name_of(const ms_certificate *c, uint32_t position, char text[NAME_BYTES])
{
  const ms_verify_positions *p = c->positions;
  size_t used = 0;
  text[0] = '\0';
  for (uint32_t i = 0; i < c->result.header.k && used < NAME_BYTES - 1; i++)
    if (p->of[i] == position) {
      int length = snprintf(text + used, NAME_BYTES - used, "%s%s", used > 0 ? "," : "",
                            c->result.header.pattern.names[i]);
      used += length > 0 ? (size_t)length : 0;
    }
  return text;
}

/* Returns the position whose vertices the row names, all of them in their order; `count`: there is
 * none. */
static uint32_t find_position(const ms_certificate *c)
{
  const ms_verify_positions *p = c->positions;
  const ms_vertex_row *row = &c->result.row.vertex;
  for (uint32_t position = 0; position < p->count; position++) {
    uint32_t found = 0;
    bool same = true;
    for (uint32_t i = 0; i < c->result.header.k && same; i++)
      if (p->of[i] == position) {
        same = found < row->n_position &&
               strcmp(row->position[found], c->result.header.pattern.names[i]) == 0;
        found++;
      }
    if (same && found == row->n_position)
      return position;
  }
  return p->count;
}

/* Reads a number of at most 128 bits as it is written: without zeros in front of it. */
static bool read_number(const char *text, wide *out)
{
  *out = 0;
  if (!*text || (text[0] == '0' && text[1]))
    return false;
  for (; *text >= '0' && *text <= '9'; text++)
    if (__builtin_mul_overflow(*out, (wide)10, out) ||
        __builtin_add_overflow(*out, (wide)(*text - '0'), out))
      return false;
  return !*text;
}

ms_status ms_take_position(ms_certificate *c, uint32_t v, bool may_be_zero)
{
  ms_verify_positions *p = c->positions;
  const ms_result_row *row = &c->result.row;
  uint32_t position = c->result.header.roles ? find_position(c) : 0;
  wide number;
  if (position == p->count)
    return ms_result_refuse(&c->result, row->line,
                            "the position of '%.100s' does not consist of vertices of the pattern "
                            "that its symmetries take to each other",
                            row->vertex.vertex);
  uint64_t here = (uint64_t)v * p->count + position;
  if (c->rows > 0 && here <= p->last)
    return ms_result_refuse(&c->result, row->line, "'%.100s' %s", row->vertex.vertex,
                            here == p->last ? "repeats the row before it"
                            : v == p->last / p->count
                                ? "does not have its positions in the order of the pattern"
                                : "is not in graph order");
  if (!read_number(row->vertex.number, &number))
    return ms_result_refuse(&c->result, row->line,
                            "the number of matches of '%.100s' is not a number of at most 128 bits "
                            "without zeros before it",
                            row->vertex.vertex);
  if (number == 0 && !may_be_zero)
    return ms_result_refuse(&c->result, row->line,
                            "'%.100s' is in no match%s and has a row, but 'rows' is not 'all'",
                            row->vertex.vertex, c->result.header.roles ? " there" : "");
  p->last = here;
  p->stated[here] = number;
  return MS_OK;
}

/* ---- the header ------------------------------------------------------------------------------ */

bool ms_take_matches(const ms_certificate *c, mpz_t out)
{
  const char *text = c->result.header.count;
  size_t digits = strspn(text, "0123456789");
  bool is_number = digits > 0 && !text[digits] && (digits == 1 || text[0] != '0');
  return is_number && mpz_set_str(out, text, 10) == 0;
}

ms_status ms_check_positions(ms_certificate *c)
{
  const ms_result_header *h = &c->result.header;
  const ms_verify_positions *p = c->positions;
  mpz_t stated, sum, number;
  mpz_inits(stated, sum, number, NULL);
  bool is_number = ms_take_matches(c, stated);
  for (size_t i = 0; i < (size_t)h->vertices * p->count; i++)
    if (p->stated[i] > 0) {
      ms_wide_set(number, p->stated[i]);
      mpz_add(sum, sum, number);
    }
  mpz_submul_ui(sum, stated, h->k);
  int surplus = mpz_sgn(sum);
  mpz_clears(stated, sum, number, NULL);
  if (!is_number)
    return ms_result_refuse(&c->result, h->line[MS_PART_FOUND],
                            "the header's number of matches, %.100s, is not a number", h->count);
  if (surplus != 0)
    return ms_result_refuse(&c->result, h->line[MS_PART_FOUND],
                            "each of the header's %.100s matches holds %u vertices, so that the "
                            "numbers of the rows have another sum",
                            h->count, h->k);
  return MS_OK;
}

/* ---- the recount ----------------------------------------------------------------------------- */

/* Counts the vertices of a map; an ms_found_fn. */
static bool note_map(void *user, const uint32_t *row)
{
  ms_certificate *c = user;
  ms_verify_positions *p = c->positions;
  for (uint32_t i = 0; i < c->result.header.k; i++)
    p->maps[(size_t)row[i] * p->count + p->of[i]]++;
  if (++c->found % REPORT_MAPS == 0)
    ms_limits_report(&c->options->run, "maps recounted", c->found, 0);
  return true;
}

/* Refuses the file because a number is too large, or too small although nothing can be missing. */
static ms_status refuse_number(ms_certificate *c, size_t i, const mpz_t right, const mpz_t stated)
{
  const ms_verify_positions *p = c->positions;
  char name[NAME_BYTES], where[NAME_BYTES + 32] = "", many[48], wrong[48];
  bool too_small = mpz_cmp(right, stated) > 0;
  if (c->result.header.roles)
    snprintf(where, sizeof where, " at position %s", name_of(c, (uint32_t)(i % p->count), name));
  mpz_get_str(many, 10, right); /* both have at most 128 bits */
  mpz_get_str(wrong, 10, stated);
  const char *vertex = ms_name_of(c, (uint32_t)(i / p->count)),
             *ending = mpz_cmp_ui(right, 1) == 0 ? "" : "es";
  if (!too_small || c->certain)
    return ms_result_refuse(&c->result, 0,
                            "'%.100s' is in %s match%s%.200s, and not in %s as the file says",
                            vertex, many, ending, where, wrong);
  mpz_t missing;
  mpz_init(missing);
  mpz_sub(missing, right, stated);
  c->report->missing = mpz_fits_ulong_p(missing) ? mpz_get_ui(missing) : UINT64_MAX;
  mpz_clear(missing);
  return ms_result_refuse(&c->result, 0, "'%.100s' is in %s match%s%.200s, and the file has %s; %s",
                          vertex, many, ending, where, wrong, ms_missing_explanation(c));
}

/* Compares the numbers of maps, each of which stands for `share` of a match. */
static ms_status compare(ms_certificate *c, const mpz_t all, const mpz_t share)
{
  const ms_result_header *h = &c->result.header;
  const ms_verify_positions *p = c->positions;
  bool complete = h->status == MS_RESULT_COMPLETE;
  ms_status status = MS_OK;
  mpz_t right, stated;
  mpz_inits(right, stated, NULL);
  for (size_t i = 0; status == MS_OK && i < (size_t)h->vertices * p->count; i++) {
    if (p->maps[i] == 0 && p->stated[i] == 0)
      continue;
    ms_wide_set(stated, p->stated[i]);
    mpz_set_ui(right, p->maps[i]);
    mpz_tdiv_q(right, right, share);
    int order = mpz_cmp(right, stated);
    if (order < 0 || (complete && order > 0))
      status = refuse_number(c, i, right, stated);
  }
  ms_take_matches(c, stated);
  mpz_tdiv_q(right, all, share);
  int order = mpz_cmp(right, stated);
  mpz_clears(right, stated, NULL);
  if (status == MS_OK && (order < 0 || (complete && order > 0)))
    return ms_result_refuse(&c->result, h->line[MS_PART_FOUND],
                            "the header's number of matches, %.100s, is wrong", h->count);
  return status;
}

/* Until the recount has ended no row is checked, since each is a number. */
ms_status ms_recount_positions(ms_certificate *c, ms_error *err)
{
  ms_verify_positions *p = c->positions;
  size_t numbers = (size_t)c->result.header.vertices * p->count;
  mpz_t all, share;
  if (c->options->no_recount)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: the number of matches of each vertex can only be checked by a recount; "
                   "leave out `no_recount`",
                   c->result.path);
  p->maps = ms_calloc(numbers, sizeof *p->maps);
  if (!p->maps)
    return ms_fail_memory(err, "the recount");
  c->rows_checked = false;
  c->report->rows = 0;
  MS_TRY(ms_stop_child(c->options->run.stop, c->options->recount_seconds, &c->recount_stop, err));
  mpz_init(all);
  mpz_init_set_ui(share, 1);
  if (!c->result.header.pattern.embeddings)
    mpz_set(share, c->automorphisms);
  ms_status status =
      ms_note_stop(c, ms_judge_recount(c->judge, all, note_map, c, c->recount_stop, err));
  if (status == MS_OK && c->report->run.stopped == MS_OK) {
    c->report->recounted = c->rows_checked = true;
    c->report->rows = c->rows;
    status = compare(c, all, share);
  }
  mpz_clears(all, share, NULL);
  return status;
}
