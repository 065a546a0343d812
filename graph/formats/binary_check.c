/* Does a binary file hold a graph?  Checksums detect damage; here a file may hold anything, and
 * must cause no more than an error message.  Every section is read once and in order, its parts by
 * several threads.  A thread only looks for the first error in its part; the message is made
 * afterwards, by one thread, which need not be fast. */
#include "base/ascending.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "graph/formats/binary.h"
#include "graph/formats/findings.h"
#include "graph/formats/row_scan.h"

#include <math.h>
#include <string.h>

#define PART_ARCS ((uint64_t)1 << 18) /* of neighbours, for one thread at a time */
#define PART_NAMES ((uint64_t)64)     /* names that wait together for their slots */

ms_status ms_binary_fail_row(const char *label, uint64_t u, const char *what, ms_error *err)
{
  return ms_fail(err, MS_ERR_INPUT,
                 "%s: is not a valid graph: %s at vertex %llu; create the file again", label, what,
                 (unsigned long long)u);
}

static ms_status fail_row(const ms_binary *file, uint64_t u, const char *what, ms_error *err)
{
  return ms_binary_fail_row(file->label, u, what, err);
}

/* ---- offsets ------------------------------------------------------------- */

typedef struct offset_check {
  const uint64_t *offset;
  uint64_t arcs;
} offset_check;

static void scan_offsets(void *user, ms_range r)
{
  ms_findings *f = user;
  const offset_check *c = f->section;
  const uint64_t *offset = c->offset;
  uint64_t bad = MS_NONE_BAD, most = 0;
  for (uint64_t v = r.begin; v < r.end; v++) {
    uint64_t degree = offset[v + 1] - offset[v];
    if (offset[v + 1] < offset[v] || offset[v + 1] > c->arcs)
      bad = ms_lesser(bad, v);
    most = degree > most ? degree : most;
  }
  ms_note_bad(f, bad);
  ms_note_most(f, most);
}

ms_status ms_binary_check_offsets(const char *label, const uint64_t *offset, uint32_t n,
                                  uint64_t arcs, int threads, uint64_t *most, ms_error *err)
{
  const offset_check c = {offset, arcs};
  ms_findings f = {.section = &c, .bad = MS_NONE_BAD};
  if (offset[0] != 0)
    return ms_binary_fail_row(label, 0, "the offsets do not begin at 0", err);
  ms_parallel(threads, n, 0, scan_offsets, &f);
  if (f.bad != MS_NONE_BAD)
    return ms_binary_fail_row(label, f.bad,
                              offset[f.bad + 1] < offset[f.bad]
                                  ? "the offsets decrease"
                                  : "the offsets lead beyond the neighbours",
                              err);
  if (offset[n] != arcs)
    return ms_binary_fail_row(label, n, "the offsets do not end with the neighbours", err);
  *most = f.most;
  return MS_OK;
}

static ms_status check_offsets(const ms_binary *file, int threads, uint32_t *max_degree,
                               ms_error *err)
{
  uint64_t most;
  MS_TRY(
      ms_binary_check_offsets(file->label, file->offset, file->n, file->arcs, threads, &most, err));
  if (most > file->n)
    return fail_row(file, 0, "there are more neighbours than vertices", err);
  *max_degree = (uint32_t)most;
  return MS_OK;
}

/* ---- rows ---------------------------------------------------------------- */

static uint32_t row_of(const ms_binary *file, uint64_t a)
{
  return (uint32_t)ms_last_at_most(file->offset, file->n, a);
}

typedef struct row_check {
  const ms_binary *file;
  uint64_t at; /* where its neighbours begin */
  ms_row_scan scan;
  ms_row_key key;
} row_check;

/* Returns the part of arcs begin..end in the fingerprint; *bad becomes the first vertex whose
 * row is wrong. */
static uint64_t scan_arcs(const row_check *c, uint64_t begin, uint64_t end, uint64_t *bad)
{
  const uint64_t *offset = c->file->offset;
  const uint32_t *neighbor = c->file->neighbor;
  uint64_t sum = 0;
  *bad = MS_NONE_BAD;
  for (uint32_t u = row_of(c->file, begin); begin < end; u++) {
    uint64_t stop = ms_lesser(offset[u + 1], end);
    if (stop == begin)
      continue;                                    /* no neighbours */
    bool wrong = neighbor[stop - 1] >= c->file->n; /* the largest, if they ascend */
    /* a row that began in the part before must continue to ascend */
    wrong |= begin > offset[u] && neighbor[begin] <= neighbor[begin - 1];
    sum += ms_row_number(c->key, u) * c->scan(c->key, u, neighbor + begin, stop - begin, &wrong);
    if (wrong)
      *bad = ms_lesser(*bad, u);
    begin = stop;
  }
  return sum;
}

static ms_status explain_row(const ms_binary *file, uint64_t u, ms_error *err)
{
  for (uint64_t a = file->offset[u]; a < file->offset[u + 1]; a++) {
    if (file->neighbor[a] >= file->n)
      return fail_row(file, u, "a neighbour that is not a vertex", err);
    if (file->neighbor[a] == u)
      return fail_row(file, u, "a self-loop", err);
    if (a > file->offset[u] && file->neighbor[a] == file->neighbor[a - 1])
      return fail_row(file, u, "a repeated neighbour", err);
    if (a > file->offset[u] && file->neighbor[a] < file->neighbor[a - 1])
      return fail_row(file, u, "neighbours that are not in ascending order", err);
  }
  return fail_row(file, u, "a wrong row", err);
}

/* Returns the place of v in the row of u, or the place where it should be. */
static uint64_t find_arc(const ms_binary *file, uint32_t u, uint32_t v)
{
  uint64_t begin = file->offset[u];
  return begin + ms_first_at_least(file->neighbor + begin, file->offset[u + 1] - begin, v);
}

static bool has_arc(const ms_binary *file, uint32_t u, uint32_t v)
{
  uint64_t at = find_arc(file, u, v);
  return at < file->offset[u + 1] && file->neighbor[at] == v;
}

/* Finds the first arc without its reverse, in rows that are right, by a search for each. */
static ms_status explain_asymmetry(const ms_binary *file, ms_error *err)
{
  for (uint32_t u = 0; u < file->n; u++)
    for (uint64_t a = file->offset[u]; a < file->offset[u + 1]; a++)
      if (!has_arc(file, file->neighbor[a], u))
        return fail_row(file, u, "a neighbour without the reverse edge", err);
  return MS_OK;
}

/* Scans the arcs that lie in the bytes begin..end of the file, both multiples of 4. */
static void scan_rows(void *user, uint64_t begin, uint64_t end)
{
  ms_findings *f = user;
  const row_check *c = f->section;
  uint64_t from = begin > c->at ? (begin - c->at) / sizeof *c->file->neighbor : 0, first;
  uint64_t to = end > c->at ? (end - c->at) / sizeof *c->file->neighbor : 0;
  to = ms_lesser(to, c->file->arcs);
  if (from >= to)
    return;
  uint64_t sum = scan_arcs(c, from, to, &first);
  ms_note_bad(f, first);
  ms_add_sum(&f->sum, sum);
}

/* Checks the rows, and the checksums of the chunks from `next` on, so that the neighbours, which
 * are nearly all of a large file, are read once.  What rows hold is looked at after the checksums.
 */
static ms_status check_rows(const ms_binary *file, const ms_image *image,
                            const ms_binary_layout *layout, uint64_t next, int threads,
                            ms_error *err)
{
  row_check c = {file, layout->at[MS_BINARY_NEIGHBORS], ms_row_scan_select(), ms_row_key_new()};
  ms_findings f = {.section = &c, .bad = MS_NONE_BAD};
  scan_rows(&f, c.at, next * MS_BINARY_CHUNK);
  MS_TRY(ms_binary_check_chunks(file->label, image, layout, next, layout->chunks, threads,
                                scan_rows, &f, err));
  if (f.bad != MS_NONE_BAD)
    return explain_row(file, f.bad, err);
  return f.sum == 0 ? MS_OK : explain_asymmetry(file, err);
}

/* ---- names --------------------------------------------------------------- */

typedef struct name_check {
  const char *label;
  const ms_name_blocks *names;
  const char *what; /* "vertex", "colour" */
} name_check;

static ms_status fail_name(const name_check *c, uint64_t id, const char *problem, ms_error *err)
{
  return ms_fail(err, MS_ERR_INPUT, "%s: the name of %s %llu %s", c->label, c->what,
                 (unsigned long long)id, problem);
}

/* Returns what is wrong with the text of name `id`, or NULL; *length becomes its length. */
static const char *text_problem(const ms_name_blocks *names, uint64_t id, uint64_t *length)
{
  uint64_t begin = names->start[id];
  uint64_t end = id + 1 < names->count ? names->start[id + 1] : names->pool_bytes;
  if (begin >= end || end > names->pool_bytes)
    return "lies outside the table of names, or overlaps another name; create the file "
           "again";
  if (names->pool[end - 1] != '\0')
    return "has no end; create the file again";
  *length = end - 1 - begin;
  return ms_name_problem(names->pool + begin, *length);
}

/* Does the table find name `id`?  Equal names probe the same slots, so the later one meets the
 * earlier one. */
static const char *table_problem(const ms_name_blocks *names, uint64_t id, uint64_t key,
                                 uint64_t length)
{
  const char *name = names->pool + names->start[id];
  for (uint64_t at = ms_name_home(key, names->slots);; at++) {
    const ms_name_slot *slot = &names->table[at & (names->slots - 1)];
    uint64_t other;
    if (slot->id == MS_NO_ID)
      return "is not found by the table of names; create the file again";
    if (slot->key != key || slot->length != ms_name_slot_length(length))
      continue;
    if (slot->id == id)
      return NULL;
    if (!text_problem(names, slot->id, &other) && other == length &&
        memcmp(names->pool + names->start[slot->id], name, length) == 0)
      return "occurs a second time; create the file again with names that differ";
  }
}

/* Returns the first wrong one of the names begin..end, at most PART_NAMES. */
static uint64_t scan_names(const ms_name_blocks *names, uint64_t begin, uint64_t end)
{
  uint64_t key[PART_NAMES], length[PART_NAMES];
  for (uint64_t id = begin; id < end; id++) {
    uint64_t i = id - begin;
    if (text_problem(names, id, &length[i]))
      return id;
    if (names->slots == 0)
      continue;
    key[i] = ms_name_key(names->pool + names->start[id], length[i]);
    __builtin_prefetch(&names->table[ms_name_home(key[i], names->slots)]);
  }
  for (uint64_t id = begin; names->slots > 0 && id < end; id++)
    if (table_problem(names, id, key[id - begin], length[id - begin]))
      return id;
  return MS_NONE_BAD;
}

static void count_crowds(void *user, ms_range r)
{
  ms_findings *f = user;
  const ms_name_blocks *names = f->section;
  uint64_t crowds = 0;
  for (uint64_t at = r.begin; at < r.end; at++)
    crowds += ms_name_is_crowd(names->table + at * MS_NAME_CROWD);
  ms_add_sum(&f->sum, crowds);
}

/* Leaves out a table in which look-ups would be slow. */
static void drop_crowded(ms_name_blocks *names, int threads)
{
  ms_findings f = {.section = names};
  ms_parallel(threads, names->slots / MS_NAME_CROWD, 0, count_crowds, &f);
  if (f.sum > 0)
    names->slots = 0;
}

static void scan_slots(void *user, ms_range r)
{
  ms_findings *f = user;
  const ms_name_blocks *names = f->section;
  uint64_t taken = 0, foreign = 0;
  for (uint64_t i = r.begin; i < r.end; i++) {
    uint32_t id = names->table[i].id;
    taken += id != MS_NO_ID;
    foreign += id != MS_NO_ID && id >= names->count;
  }
  ms_add_sum(&f->sum, taken);
  ms_add_sum(&f->foreign, foreign);
}

/* Checks that every slot is empty or has an id, and that as many have one as there are names:
 * since each name is found in a slot, none is there twice.  The table has empty slots (binary.c),
 * so that every probe ends. */
static ms_status check_slots(const name_check *c, int threads, ms_error *err)
{
  const ms_name_blocks *names = c->names;
  ms_findings f = {.section = names};
  ms_parallel(threads, names->slots, 0, scan_slots, &f);
  if (f.foreign > 0)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: the table of names leads to a %s that does not exist; create the file "
                   "again",
                   c->label, c->what);
  if (f.sum != names->count)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: the table of names has %llu entries, but the number of names is %u (%s "
                   "names); create the file again",
                   c->label, (unsigned long long)f.sum, names->count, c->what);
  return MS_OK;
}

static ms_status explain_name(const name_check *c, uint64_t id, ms_error *err)
{
  const ms_name_blocks *names = c->names;
  uint64_t length;
  const char *problem = text_problem(names, id, &length);
  if (!problem && names->slots > 0)
    problem = table_problem(names, id, ms_name_key(names->pool + names->start[id], length), length);
  return fail_name(c, id, problem, err);
}

static void scan_all_names(void *user, ms_range r)
{
  ms_findings *f = user;
  for (uint64_t id = r.begin; id < r.end; id += PART_NAMES)
    ms_note_bad(f, scan_names(f->section, id, ms_lesser(id + PART_NAMES, r.end)));
}

ms_status ms_binary_check_names(const char *label, ms_name_blocks *names, const char *what,
                                int threads, ms_error *err)
{
  name_check c = {label, names, what};
  ms_findings f = {.section = names, .bad = MS_NONE_BAD};
  drop_crowded(names, threads);
  if (names->slots > 0)
    MS_TRY(check_slots(&c, threads, err));
  if (names->count > 0 ? names->start[0] != 0 : names->pool_bytes != 0)
    return fail_name(&c, 0, "does not begin where a name begins; create the file again", err);
  ms_parallel(threads, names->count, 64 * PART_NAMES, scan_all_names, &f);
  return f.bad == MS_NONE_BAD ? MS_OK : explain_name(&c, f.bad, err);
}

/* ---- colours ------------------------------------------------------------- */

static bool pair_ascends(const uint32_t *a, const uint32_t *b)
{
  return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]);
}

static void scan_pairs(void *user, ms_range r)
{
  ms_findings *f = user;
  const ms_binary *file = f->section;
  for (uint64_t i = r.begin; i < r.end; i++)
    if (file->pair[i][0] >= file->n || file->pair[i][1] >= file->colors.count ||
        (i > 0 && !pair_ascends(file->pair[i - 1], file->pair[i]))) {
      ms_note_bad(f, i);
      return;
    }
}

static ms_status check_pairs(const ms_binary *file, int threads, ms_error *err)
{
  ms_findings f = {.section = file, .bad = MS_NONE_BAD};
  ms_parallel(threads, file->pairs, 0, scan_pairs, &f);
  if (f.bad == MS_NONE_BAD)
    return MS_OK;
  const uint32_t *pair = file->pair[f.bad];
  return ms_fail(err, MS_ERR_INPUT, "%s: the colour of vertex %u, %u, %s; create the file again",
                 file->label, pair[0], pair[1],
                 pair[0] >= file->n              ? "belongs to a vertex that does not exist"
                 : pair[1] >= file->colors.count ? "is a colour that does not exist"
                                                 : "is out of order");
}

/* ---- scores -------------------------------------------------------------- */

typedef struct score_check {
  const ms_binary *file;
  ms_row_key key;
} score_check;

/* Returns a number that depends on the edge and on the score that one of its arcs has. */
static uint64_t score_number(const score_check *c, uint32_t u, uint32_t v, float score)
{
  uint32_t bits, low = u < v ? u : v, high = u < v ? v : u;
  memcpy(&bits, &score, sizeof bits);
  uint64_t x = (ms_row_number(c->key, low) ^ bits) * 0x9E3779B97F4A7C15U;
  x = ((x ^ x >> 32) + ms_row_number(c->key, high)) * 0xBF58476D1CE4E5B9U;
  return x ^ x >> 29;
}

/* Sums a number for each arc, which depends on its edge and its score.  The number is added if the
 * neighbour is greater than the vertex of the row, and otherwise subtracted.  So the sum over all
 * arcs is 0 if both arcs of each edge have the same score.  The rows must be right. */
static void scan_scores(void *user, ms_range r)
{
  ms_findings *f = user;
  const score_check *c = f->section;
  const ms_binary *file = c->file;
  uint32_t u = r.begin < r.end ? row_of(file, r.begin) : 0;
  uint64_t sum = 0, bad = MS_NONE_BAD;
  for (uint64_t a = r.begin; a < r.end; a++) {
    while (a >= file->offset[u + 1])
      u++;
    uint32_t v = file->neighbor[a];
    uint64_t number = score_number(c, u, v, file->score[a]);
    sum += u < v ? number : 0 - number;
    if (!isfinite(file->score[a]))
      bad = ms_lesser(bad, a);
  }
  ms_note_bad(f, bad);
  ms_add_sum(&f->sum, sum);
}

/* Finds the first edge with two scores, by a search for each arc.  Zeros with different signs are
 * two scores, too, since equal graphs have equal files. */
static ms_status explain_scores(const ms_binary *file, ms_error *err)
{
  for (uint32_t u = 0; u < file->n; u++)
    for (uint64_t a = file->offset[u]; a < file->offset[u + 1]; a++) {
      uint64_t back = find_arc(file, file->neighbor[a], u);
      if (memcmp(file->score + a, file->score + back, sizeof *file->score) != 0)
        return fail_row(file, u, "an edge with two scores", err);
    }
  return MS_OK;
}

static ms_status check_scores(const ms_binary *file, int threads, ms_error *err)
{
  score_check c = {file, ms_row_key_new()};
  ms_findings f = {.section = &c, .bad = MS_NONE_BAD};
  if (!file->score)
    return MS_OK;
  ms_parallel(threads, file->arcs, PART_ARCS, scan_scores, &f);
  if (f.bad != MS_NONE_BAD)
    return fail_row(file, row_of(file, f.bad), "a score that is no finite number", err);
  return f.sum == 0 ? MS_OK : explain_scores(file, err);
}

ms_status ms_binary_check(ms_binary *file, const ms_image *image, const ms_binary_layout *layout,
                          int threads, uint32_t *max_degree, uint32_t *crc, ms_error *err)
{
  /* the chunks of the offsets, which the check of the rows trusts */
  uint64_t first = ms_lesser(layout->at[MS_BINARY_NEIGHBORS] / MS_BINARY_CHUNK + 1, layout->chunks);
  MS_TRY(ms_binary_open_sums(file->label, image, layout, crc, err));
  ms_status status =
      ms_binary_check_chunks(file->label, image, layout, 0, first, threads, NULL, NULL, err);
  if (status == MS_OK)
    status = check_offsets(file, threads, max_degree, err);
  if (status == MS_OK)
    status = check_rows(file, image, layout, first, threads, err);
  if (status == MS_OK)
    status = ms_binary_check_names(file->label, &file->names, "vertex", threads, err);
  if (status == MS_OK && (file->colors.slots > 0 || file->colors.count > 0))
    status = ms_binary_check_names(file->label, &file->colors, "colour", threads, err);
  if (status == MS_OK)
    status = check_pairs(file, threads, err);
  return status == MS_OK ? check_scores(file, threads, err) : status;
}
