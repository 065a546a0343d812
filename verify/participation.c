/* Checks the numbers of a result that says in how many matches of a motif each vertex is.  A number
 * shows nothing by itself, so that all of them are counted again, match by match. */
#include "verify/certificate.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/stop.h"
#include "verify/recount.h"

#include <string.h>

/* Number of matches between two reports of progress. */
#define REPORT_MATCHES 65536u

typedef struct taking {
  ms_certificate *c;
  uint64_t *counted; /* [n] */
} taking;

/* Counts the vertices of a match; an ms_found_fn. */
static bool note_match(void *user, const uint32_t *row)
{
  taking *t = user;
  ms_certificate *c = t->c;
  for (uint32_t i = 0; i < c->result.header.k; i++)
    t->counted[row[i]]++;
  if (++c->found % REPORT_MATCHES == 0 && c->options->progress)
    c->options->progress(c->options->progress_user, "matches recounted", c->found, 0);
  return true;
}

/* Refuses the file because a number is too large, or too small although nothing can be missing. */
static ms_status refuse_number(ms_certificate *c, uint32_t v, uint64_t counted, uint64_t stated)
{
  const char *name = ms_name_of(c, v), *many = counted == 1 ? "" : "es";
  unsigned long long right = counted, wrong = stated;
  if (counted < stated || c->certain)
    return ms_result_refuse(&c->result, 0,
                            "'%.100s' is in %llu match%s, and not in %llu as the file says", name,
                            right, many, wrong);
  c->report->missing = counted - stated;
  return ms_result_refuse(&c->result, 0, "'%.100s' is in %llu match%s, and the file has %llu; %s",
                          name, right, many, wrong, ms_missing_explanation(c));
}

static ms_status compare(ms_certificate *c, const uint64_t *counted, const mpz_t count)
{
  const ms_result_header *h = &c->result.header;
  bool complete = h->status == MS_RESULT_COMPLETE && !(h->has & MS_HAS_PART);
  mpz_t stated, taken;
  for (uint32_t v = 0; v < h->vertices; v++)
    if (counted[v] < c->matches_of[v] || (complete && counted[v] != c->matches_of[v]))
      return refuse_number(c, v, counted[v], c->matches_of[v]);
  size_t digits = strspn(h->count, "0123456789");
  bool is_number = digits > 0 && !h->count[digits] && (digits == 1 || h->count[0] != '0');
  mpz_init_set_str(stated, is_number ? h->count : "0", 10);
  int order = is_number ? mpz_cmp(count, stated) : -1;
  mpz_init(taken); /* a match takes part in the numbers of k vertices, also if others are missing */
  for (uint32_t v = 0; v < h->vertices; v++)
    mpz_add_ui(taken, taken, c->matches_of[v]);
  mpz_submul_ui(taken, stated, h->k);
  int surplus = mpz_sgn(taken);
  mpz_clears(stated, taken, NULL);
  if (order < 0 || (complete && order > 0))
    return ms_result_refuse(&c->result, h->line[MS_PART_FOUND],
                            "the header's number of matches, %.100s, is wrong", h->count);
  if (surplus != 0)
    return ms_result_refuse(&c->result, h->line[MS_PART_FOUND],
                            "each of the header's %.100s matches holds %u vertices, so that the "
                            "numbers of the rows have another sum",
                            h->count, h->k);
  return MS_OK;
}

static ms_status recount(taking *t, mpz_t count, ms_error *err)
{
  ms_certificate *c = t->c;
  ms_backtracker *backtracker;
  MS_TRY(ms_backtracker_new(c->query, true, c->recount_stop, &backtracker, err));
  ms_status status = ms_note_stop(c, ms_backtracker_list(backtracker, count, note_match, t, err));
  ms_backtracker_free(backtracker);
  return status;
}

ms_status ms_recount_participation(ms_certificate *c, ms_error *err)
{
  if (c->options->no_recount)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: the number of matches of each vertex can only be checked by a recount; "
                   "leave out `no_recount`",
                   c->result.path);
  taking t = {.c = c, .counted = ms_calloc(c->result.header.vertices, sizeof *t.counted)};
  mpz_t count;
  if (!t.counted)
    return ms_fail_memory(err, "the recount");
  mpz_init(count);
  c->rows_checked = false;
  ms_status status =
      ms_stop_child(c->options->stop, c->options->recount_seconds, &c->recount_stop, err);
  if (status == MS_OK)
    status = recount(&t, count, err);
  if (status == MS_OK && c->report->stopped == MS_OK) {
    c->report->recounted = c->rows_checked = true;
    status = compare(c, t.counted, count);
  }
  mpz_clear(count);
  ms_free(t.counted);
  return status;
}
