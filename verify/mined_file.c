/* Checks a table of mined motifs: all connected sets are visited again, and each row is compared
 * with what they give. */
#include "base/alloc.h"
#include "base/ascending.h"
#include "base/hash.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "graph/colors.h"
#include "graph/graph.h"
#include "motifsieve.h"
#include "query/query.h"
#include "verify/certificate.h"
#include "verify/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the recount ----------------------------------------------------------------------------- */

/* Inside verify/: the vertices of the connected sets that fit each motif of single colours.  All
 * sets are visited: the time is exponential in the number of slots, and the memory is a bit for
 * each vertex and each motif that some set fits. */

/* A motif: its colours, ascending, and then MS_NO_ID. */
typedef struct ms_mined_key {
  uint32_t color[MS_MAX_MINED];
} ms_mined_key;

typedef struct ms_mined_tally {
  ms_mined_key key;
  uint64_t *holds; /* a bit for each vertex of a set that fits the motif */
  bool listed;     /* for the caller: a row has this motif */
} ms_mined_tally;

typedef struct ms_mined_counts ms_mined_counts;
enum { LOOK = 4096 }; /* sets between two looks at the stop token */

struct ms_mined_counts {
  const ms_graph *graph;
  const ms_coloring *coloring;
  uint32_t least, slots; /* of the motifs */
  const ms_stop *stop;
  ms_error *err;
  uint64_t words, sets;
  ms_mined_tally *table; /* [places] a table with linear probing; holds NULL: empty */
  uint64_t places, used;
  uint8_t *near;       /* [n] 1: in the set or next to it, or struck */
  uint32_t *candidate; /* [n] vertices next to the set that may still join it */
  uint32_t set[MS_MAX_MINED];
};

/* ---- the table of motifs ------------------------------------------------------------- */

/* Returns the place of the motif, or that where it would be. */
static ms_mined_tally *find(const ms_mined_counts *c, const ms_mined_key *key)
{
  uint64_t place = ms_hash_bytes(ms_hash_key_get(), key, sizeof *key) & (c->places - 1);
  while (c->table[place].holds && memcmp(&c->table[place].key, key, sizeof *key) != 0)
    place = (place + 1) & (c->places - 1);
  return &c->table[place];
}

static ms_status grow_table(ms_mined_counts *c)
{
  ms_mined_counts larger = *c;
  larger.places = c->places ? 2 * c->places : 1024;
  larger.table = ms_calloc(larger.places, sizeof *larger.table);
  if (!larger.table)
    return ms_fail_memory(c->err, "the motifs of a check");
  for (uint64_t i = 0; i < c->places; i++)
    if (c->table[i].holds)
      *find(&larger, &c->table[i].key) = c->table[i];
  ms_free(c->table);
  *c = larger;
  return MS_OK;
}

static ms_status note(ms_mined_counts *c, const ms_mined_key *key, uint32_t size)
{
  if (2 * c->used >= c->places)
    MS_TRY(grow_table(c));
  ms_mined_tally *t = find(c, key);
  if (!t->holds) {
    t->holds = ms_calloc(c->words, sizeof *t->holds);
    if (!t->holds)
      return ms_fail_memory(c->err, "the vertices of a motif");
    t->key = *key;
    c->used++;
  }
  for (uint32_t i = 0; i < size; i++)
    t->holds[c->set[i] / 64] |= UINT64_C(1) << c->set[i] % 64;
  return MS_OK;
}

/* Returns the number of vertices in the sets of the motif. */
static uint64_t mined_holders(const ms_mined_counts *c, const ms_mined_tally *t)
{
  uint64_t count = 0;
  for (uint64_t i = 0; i < c->words; i++)
    count += (uint64_t)__builtin_popcountll(t->holds[i]);
  return count;
}

/* ---- the sets ------------------------------------------------------------------------ */

/* Notes every motif that the set of `size` vertices fits: each vertex gives one of its colours.
 * Those of the first `chosen` vertices are in color[]. */
static ms_status note_motifs(ms_mined_counts *c, uint32_t size, uint32_t *color, uint32_t chosen)
{
  if (chosen == size) {
    ms_mined_key key;
    memset(&key, 0xff, sizeof key);
    memcpy(key.color, color, size * sizeof *color);
    qsort(key.color, size, sizeof *key.color, ms_compare_ids);
    return note(c, &key, size);
  }
  const uint64_t *offset = c->coloring->offset + c->set[chosen];
  for (uint64_t i = offset[0]; i < offset[1]; i++) {
    color[chosen] = c->coloring->color[i];
    MS_TRY(note_motifs(c, size, color, chosen + 1));
  }
  return MS_OK;
}

/* Visits the set and all that contain it, whose further vertices are above its first one and come
 * from candidate[from..to), which is next to the set, or are next to these (ESU: Wernicke, IEEE/ACM
 * TCBB 3(4), 2006). */
static ms_status visit(ms_mined_counts *c, uint32_t size, uint32_t from, uint32_t to)
{
  uint32_t color[MS_MAX_MINED];
  if (++c->sets % LOOK == 0)
    MS_TRY(ms_stop_check(c->stop));
  if (size >= c->least)
    MS_TRY(note_motifs(c, size, color, 0));
  for (uint32_t i = from; size < c->slots && i < to; i++) {
    uint32_t v = c->candidate[i], end = to;
    for (uint64_t a = c->graph->offset[v]; a < c->graph->offset[v + 1]; a++) {
      uint32_t w = c->graph->neighbor[a];
      if (w > c->set[0] && !c->near[w]) {
        c->near[w] = 1;
        c->candidate[end++] = w;
      }
    }
    c->set[size] = v;
    MS_TRY(visit(c, size + 1, i + 1, end));
    while (end > to)
      c->near[c->candidate[--end]] = 0;
  }
  return MS_OK;
}

static bool has_color(const ms_mined_counts *c, uint32_t v)
{
  return c->coloring->offset[v] < c->coloring->offset[v + 1];
}

static ms_status visit_all(ms_mined_counts *c)
{
  MS_TRY(ms_stop_check(c->stop));
  for (uint32_t v = 0; v < c->graph->n; v++)
    c->near[v] = !has_color(c, v); /* vertices without a colour are in no set */
  for (uint32_t v = 0; v < c->graph->n; v++) {
    if (!has_color(c, v))
      continue;
    uint32_t count = 0;
    for (uint64_t a = c->graph->offset[v]; a < c->graph->offset[v + 1]; a++) {
      uint32_t w = c->graph->neighbor[a];
      if (w > v && !c->near[w]) {
        c->near[w] = 1;
        c->candidate[count++] = w;
      }
    }
    c->set[0] = v;
    MS_TRY(visit(c, 1, 0, count));
    while (count > 0)
      c->near[c->candidate[--count]] = 0;
  }
  return MS_OK;
}

/* ---- the rows ------------------------------------------------------------------------ */

/* Reads a motif.  Returns false if the text is none, or if it has a slot for any vertex or with a
 * condition, or too few or too many slots. */
static bool mined_read(const ms_mined_counts *c, const char *text, ms_mined_key *key,
                       uint32_t *slots)
{
  ms_motif *motif;
  ms_error reason;
  if (!text || ms_motif_parse(text, c->coloring, &motif, &reason) != MS_OK)
    return false;
  bool good = motif->k >= c->least && motif->k <= c->slots;
  *slots = 0;
  memset(key, 0xff, sizeof *key);
  for (uint32_t i = 0; good && i < motif->n_classes; i++) {
    const ms_motif_class *one = &motif->class_[i];
    good = one->color != MS_WILDCARD && one->color != MS_CONDITION;
    for (uint32_t j = 0; good && j < one->count; j++)
      key->color[(*slots)++] = one->color;
  }
  ms_motif_free(motif);
  qsort(key->color, *slots, sizeof *key->color, ms_compare_ids);
  return good;
}

/* Returns what is known of the motif; NULL: no set fits it. */
static ms_mined_tally *mined_find(const ms_mined_counts *c, const ms_mined_key *key)
{
  ms_mined_tally *t = c->places ? find(c, key) : NULL;
  return t && t->holds ? t : NULL;
}

/* Returns how many motifs that are not listed have at least `support` vertices. */
static uint64_t mined_missing(const ms_mined_counts *c, uint32_t support)
{
  uint64_t missing = 0;
  for (uint64_t i = 0; i < c->places; i++) {
    const ms_mined_tally *t = &c->table[i];
    missing += t->holds && !t->listed && mined_holders(c, t) >= support;
  }
  return missing;
}

/* Visits all sets of `least` to `slots` vertices.  *out must be freed in any case.  MS_ERR_LIMIT
 * and MS_ERR_INTERRUPTED of the stop token have no message. */
static ms_status mined_count(const ms_graph *graph, const ms_coloring *coloring, uint32_t least,
                             uint32_t slots, const ms_stop *stop, ms_mined_counts **out,
                             ms_error *err)
{
  ms_mined_counts *c = *out = ms_calloc(1, sizeof *c);
  if (!c)
    return ms_fail_memory(err, "the check of motifs");
  *c = (ms_mined_counts){.graph = graph,
                         .coloring = coloring,
                         .least = least,
                         .slots = slots,
                         .stop = stop,
                         .err = err,
                         .words = ((uint64_t)graph->n + 63) / 64};
  c->near = ms_calloc(graph->n, 1);
  c->candidate = ms_alloc(graph->n, sizeof *c->candidate);
  return c->near && c->candidate ? visit_all(c) : ms_fail_memory(err, "the check of motifs");
}

static void mined_counts_free(ms_mined_counts *c)
{
  if (!c)
    return;
  for (uint64_t i = 0; i < c->places; i++)
    ms_free(c->table[i].holds);
  ms_free(c->table);
  ms_free(c->near);
  ms_free(c->candidate);
  ms_free(c);
}

/* ---- ms_verify_mined ----------------------------------------------------------------- */

/* Checks a row: its motif, and the vertices of its sets, vertex[count]. */
static void mined_check_row(ms_mined_counts *c, const ms_mine_options *o, uint64_t row,
                            const char *text, const uint32_t *vertex, uint64_t count,
                            ms_verify_report *report)
{
  ms_mined_key key;
  uint32_t slots;
  unsigned long long number = (unsigned long long)row + 1;
  ms_mined_tally *t = mined_read(c, text, &key, &slots) ? mined_find(c, &key) : NULL;
  if (!t) {
    ms_memory_refuse(report, "row %llu: no connected set fits the motif '%.200s'", number,
                     text ? text : "");
    return;
  }
  if (t->listed)
    ms_memory_refuse(report, "row %llu: the motif '%.200s' has two rows", number, text);
  t->listed = true;
  if (count < o->support)
    ms_memory_refuse(report, "row %llu: %llu vertices are fewer than the support, %u", number,
                     (unsigned long long)count, o->support);
  uint64_t found = mined_holders(c, t);
  bool same = count == found;
  for (uint64_t i = 0; same && i < count; i++)
    same = vertex[i] < c->graph->n && (i == 0 || vertex[i - 1] < vertex[i]) &&
           t->holds[vertex[i] / 64] >> vertex[i] % 64 & 1;
  if (!same)
    ms_memory_refuse(report,
                     "row %llu: the vertices of the matches of '%.200s' are said to be %llu, and "
                     "are %llu%s",
                     number, text, (unsigned long long)count, (unsigned long long)found,
                     count == found ? ", others or in another order" : "");
}

static ms_status take_options(const ms_mine_options *options, ms_mine_options *o, ms_error *err)
{
  MS_TRY(ms_options_take(&ms_mine_options_kind, options, o, err));
  o->slots = o->slots ? o->slots : 3;
  o->least = o->least ? o->least : o->slots < 2 ? 1 : 2;
  o->support = o->support ? o->support : 1;
  if (o->slots > MS_MAX_MINED || o->least > o->slots)
    return ms_fail(err, MS_ERR_USAGE,
                   "`slots` is %u and `least` is %u; choose 1 to %u, and no fewer than `least`",
                   o->slots, o->least, MS_MAX_MINED);
  return MS_OK;
}

ms_status ms_verify_mined(const ms_graph *graph, const ms_coloring *coloring,
                          const ms_mine_options *options, bool complete, uint64_t count,
                          const char *const *motif, const uint64_t *offset, const uint32_t *vertex,
                          ms_verify_report *report, ms_error *err)
{
  MS_REQUIRE(graph, err);
  MS_REQUIRE(coloring, err);
  MS_REQUIRE_ARRAY(motif, count, err);
  MS_REQUIRE_ARRAY(offset, count, err);
  MS_REQUIRE_ARRAY(vertex, count > 0 && offset[count] > 0, err);
  MS_REQUIRE(report, err);
  ms_mine_options o;
  ms_mined_counts *c = NULL;
  MS_TRY(ms_coloring_check(coloring, graph, err));
  MS_TRY(take_options(options, &o, err));
  ms_memory_begin(report);
  ms_status status = mined_count(graph, coloring, o.least, o.slots, o.run.stop, &c, err);
  for (; status == MS_OK && report->rows < count; report->rows++) {
    uint64_t i = report->rows;
    mined_check_row(c, &o, i, motif[i], vertex ? vertex + offset[i] : NULL,
                    offset[i + 1] < offset[i] ? 0 : offset[i + 1] - offset[i], report);
  }
  if (status == MS_OK && complete)
    report->missing = mined_missing(c, o.support);
  if (report->missing > 0)
    ms_memory_refuse(report, "%llu motifs with enough vertices have no row",
                     (unsigned long long)report->missing);
  mined_counts_free(c);
  return ms_memory_end(report, status, complete);
}

/* ---- the result file ------------------------------------------------------------------------- */

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
  if (!mined_read(k->counts, row->motif, key, &slots))
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
  ms_mined_tally *tally = mined_find(k->counts, &key);
  uint64_t found = tally ? mined_holders(k->counts, tally) : 0;
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
    c->report->missing = mined_missing(k->counts, h->mined.support > 0 ? h->mined.support : 1);
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
  MS_TRY(ms_stop_child(c->options->run.stop, c->options->recount_seconds, &c->recount_stop, err));
  MS_TRY(mined_count(c->graph, c->coloring, h->mined.least, h->mined.slots, c->recount_stop,
                     &k->counts, err));
  return compare(k, err);
}

ms_status ms_check_mined_table(ms_certificate *c, ms_error *err)
{
  mined_check k = {.c = c};
  ms_status status = check_header(&k, err);
  if (status == MS_OK)
    status = read_rows(&k, err);
  if (status == MS_OK && c->report->run.stopped == MS_OK)
    status = ms_note_stop(c, count_again(&k, err));
  for (uint64_t i = 0; i < c->rows; i++)
    ms_free(k.row[i].motif);
  ms_free(k.row);
  mined_counts_free(k.counts);
  return status;
}
