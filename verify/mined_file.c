/* Checks a table of mined motifs: all connected sets are visited again, and each row is compared
 * with what they give. */
#include "verify/certificate.h"
#include "verify/mined.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/stop.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct mined_row {
  uint64_t line;
  uint32_t slots, flagged; /* as stated */
  char *motif;
} mined_row;

typedef struct mined_check {
  ms_certificate *c;
  mined_row *row; /* [c->rows] */
  uint64_t room;
  ms_mined_counts *counts;
} mined_check;

/* Checks the numbers with which the search ran. */
static ms_status check_header(mined_check *k, ms_error *err)
{
  ms_certificate *c = k->c;
  const ms_result_header *h = &c->result.header;
  if (c->options->no_recount)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: mined motifs can only be checked by counting again; leave out `no_recount`",
                   c->result.path);
  if (h->mined.least >= 1 && h->mined.least <= h->mined.slots && h->mined.slots <= MS_MAX_MINED)
    return MS_OK;
  return ms_result_refuse(&c->result, 0,
                          "the header says that motifs have %u to %u slots; 1 to %u are possible",
                          h->mined.least, h->mined.slots, MS_MAX_MINED);
}

/* ---- reading rows ----------------------------------------------------------------------- */

static ms_status keep_row(mined_check *k, ms_error *err)
{
  ms_certificate *c = k->c;
  const ms_result_row *row = &c->result.row;
  if (!MS_GROW(k->row, k->room, c->rows, 1))
    return ms_fail_memory(err, "the rows of mined motifs");
  mined_row *next = &k->row[c->rows];
  *next = (mined_row){.line = row->line,
                      .slots = (uint32_t)row->motif.k,
                      .flagged = (uint32_t)row->motif.flagged,
                      .motif = ms_strdup(row->motif.motif)};
  c->rows += next->motif != NULL;
  return next->motif ? MS_OK : ms_fail_memory(err, "the rows of mined motifs");
}

/* Checks the name of the row, which counts the rows, and its place: motifs with more slots come
 * first, and of equally many slots those with more vertices. */
static ms_status check_place(mined_check *k)
{
  ms_certificate *c = k->c;
  const mined_row *row = &k->row[c->rows - 1], *before = c->rows > 1 ? row - 1 : NULL;
  char name[24];
  snprintf(name, sizeof name, "M%" PRIu64, c->rows);
  if (strcmp(c->result.row.motif.name, name) != 0)
    return ms_result_refuse(&c->result, row->line, "the motif should be called %s, not '%.100s'",
                            name, c->result.row.motif.name);
  if (before && (row->slots > before->slots ||
                 (row->slots == before->slots && row->flagged > before->flagged)))
    return ms_result_refuse(&c->result, row->line,
                            "motifs with more slots come first, and of equally many slots those "
                            "with more vertices; this row comes too late");
  return MS_OK;
}

static ms_status read_rows(mined_check *k, ms_error *err)
{
  ms_certificate *c = k->c;
  const ms_result_header *h = &c->result.header;
  bool more;
  MS_TRY(ms_result_next_row(&c->result, &more, err));
  while (more && !ms_is_stopped(c)) {
    MS_TRY(keep_row(k, err));
    MS_TRY(check_place(k));
    MS_TRY(ms_result_next_row(&c->result, &more, err));
  }
  if (more)
    return MS_OK;
  MS_TRY(ms_check_row_count(c));
  if (h->motifs_found != c->rows)
    return ms_result_refuse(&c->result, 0, "the end says that %llu motifs were found, not %llu",
                            (unsigned long long)h->motifs_found, (unsigned long long)c->rows);
  return MS_OK;
}

/* ---- comparing -------------------------------------------------------------------------- */

/* Refuses a motif that is no text of mining, or has another number of slots than its row says. */
static ms_status check_motif(mined_check *k, const mined_row *row, ms_mined_key *key, ms_error *err)
{
  ms_certificate *c = k->c;
  const ms_result_header *h = &c->result.header;
  uint32_t slots;
  ms_motif *motif;
  ms_error reason;
  ms_status status = ms_motif_parse(row->motif, c->coloring, &motif, &reason);
  if (status == MS_ERR_MEMORY)
    return ms_fail(err, status, "%s", reason.message);
  if (status != MS_OK)
    return ms_result_refuse(&c->result, row->line, "%s", reason.message);
  bool canonical = strcmp(ms_motif_text(motif), row->motif) == 0;
  ms_motif_free(motif);
  if (!ms_mined_read(k->counts, row->motif, key, &slots))
    return ms_result_refuse(&c->result, row->line,
                            "'%.200s' is not a motif of %u to %u slots for a colour each",
                            row->motif, h->mined.least, h->mined.slots);
  if (!canonical)
    return ms_result_refuse(&c->result, row->line,
                            "the motif '%.200s' is not written in its canonical form", row->motif);
  if (slots != row->slots)
    return ms_result_refuse(&c->result, row->line, "the motif '%.200s' has %u slots, not %u",
                            row->motif, slots, row->slots);
  return MS_OK;
}

static int compare_keys(const ms_mined_key *a, const ms_mined_key *b)
{
  for (uint32_t i = 0; i < MS_MAX_MINED; i++)
    if (a->color[i] != b->color[i])
      return a->color[i] < b->color[i] ? -1 : 1;
  return 0;
}

static ms_status check_row(mined_check *k, const mined_row *row, ms_mined_key *last, ms_error *err)
{
  ms_certificate *c = k->c;
  const ms_result_header *h = &c->result.header;
  ms_mined_key key;
  MS_TRY(check_motif(k, row, &key, err));
  ms_mined_tally *tally = ms_mined_find(k->counts, &key);
  uint64_t found = tally ? ms_mined_holders(k->counts, tally) : 0;
  if (found != row->flagged)
    return ms_result_refuse(&c->result, row->line,
                            "%llu vertices are in a match of '%.200s', not %u",
                            (unsigned long long)found, row->motif, row->flagged);
  if (found < h->mined.support || found == 0)
    return ms_result_refuse(&c->result, row->line,
                            "the %llu vertices of '%.200s' are fewer than the support, %u",
                            (unsigned long long)found, row->motif, h->mined.support);
  if (tally->listed)
    return ms_result_refuse(&c->result, row->line, "the motif '%.200s' has two rows", row->motif);
  tally->listed = true;
  bool ties = row > k->row && row[-1].slots == row->slots && row[-1].flagged == row->flagged;
  if (ties && compare_keys(last, &key) > 0)
    return ms_result_refuse(&c->result, row->line,
                            "motifs with equally many slots and vertices come in the order of "
                            "their colours; this row comes too late");
  *last = key;
  return MS_OK;
}

static ms_status compare(mined_check *k, ms_error *err)
{
  ms_certificate *c = k->c;
  const ms_result_header *h = &c->result.header;
  ms_mined_key last = {{0}};
  for (uint64_t i = 0; i < c->rows; i++) {
    MS_TRY(check_row(k, &k->row[i], &last, err));
    c->report->rows++;
  }
  c->rows_checked = c->report->recounted = true;
  if (h->status == MS_RESULT_COMPLETE)
    c->report->missing = ms_mined_missing(k->counts, h->mined.support > 0 ? h->mined.support : 1);
  if (c->report->missing == 0)
    return MS_OK;
  return ms_result_refuse(&c->result, 0, "%llu motif%s with enough vertices %s no row",
                          (unsigned long long)c->report->missing,
                          c->report->missing == 1 ? "" : "s",
                          c->report->missing == 1 ? "has" : "have");
}

static ms_status count_again(mined_check *k, ms_error *err)
{
  ms_certificate *c = k->c;
  const ms_result_header *h = &c->result.header;
  MS_TRY(ms_stop_child(c->options->stop, c->options->recount_seconds, &c->recount_stop, err));
  MS_TRY(ms_mined_count(c->graph, c->coloring, h->mined.least, h->mined.slots, c->recount_stop,
                        &k->counts, err));
  return compare(k, err);
}

ms_status ms_check_mined_table(ms_certificate *c, ms_error *err)
{
  mined_check k = {.c = c};
  ms_status status = check_header(&k, err);
  if (status == MS_OK)
    status = read_rows(&k, err);
  if (status == MS_OK && c->report->stopped == MS_OK)
    status = ms_note_stop(c, count_again(&k, err));
  for (uint64_t i = 0; i < c->rows; i++)
    ms_free(k.row[i].motif);
  ms_free(k.row);
  ms_mined_counts_free(k.counts);
  return status;
}
