/* Joins the logs of several runs of a sweep, such as its shares: the summary of all their rows,
 * each row once. */
#include "base/alloc.h"
#include "base/status.h"
#include "bench/harness.h"
#include "bench/match/sweep_outcome.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SHARES = 4096 };

/* A row of a log. */
typedef struct joined_row {
  char *line; /* owns the words below */
  const char *graph, *labels, *pattern, *maps;
  sweep_outcome outcome[SWEEP_ENGINES]; /* status, median and spent */
  sweep_floor floor;                    /* of the fastest engine: ms, 0 if unknown, and bound */
  bool wrong;
  uint64_t number; /* of the row among all that were read */
} joined_row;

typedef struct join {
  sweep_settings settings; /* engines, seed, runs and row_seconds, of the first log */
  sweep_totals totals;
  char *names;              /* of the engines, from its header */
  uint32_t logs, all;       /* all: rows of the sweep, of which logs have some */
  uint32_t shares;          /* 0: the logs are of no shares */
  uint32_t of[MOST_SHARES]; /* [shares] rows of each share that a log is of, else 0 */
  uint32_t drawn;           /* rows of a log that is of no share */
  joined_row *row;          /* [rows] */
  uint64_t rows, room;
  const char *path; /* of the log that is being read, and its line */
  uint64_t at;
  uint32_t share;     /* of the log; 0: none */
  bool has_head, cut; /* the log has its columns; it has no summary yet */
  bool has_limits,
      has_rows;  /* the log says what an engine has in a row, and how many rows there are */
  uint32_t cuts; /* logs without a summary */
} join;

static ms_status refuse(const join *j, const char *what, ms_error *err)
{
  return ms_fail(err, MS_ERR_USAGE,
                 "%s, line %llu: %s; join logs of the same seed, lists, engines and limits",
                 j->path, (unsigned long long)j->at, what);
}

/* ---- heads ------------------------------------------------------------------------ */

static void end_log(join *j)
{
  j->cuts += j->logs > 0 && j->cut;
  j->cut = false;
}

static ms_status begin_log(join *j, uint64_t seed, ms_error *err)
{
  end_log(j);
  if (j->logs++ > 0 && seed != j->settings.seed)
    return refuse(j, "this log has another seed than the first one", err);
  j->settings.seed = seed;
  j->share = 0;
  j->has_head = j->has_limits = j->has_rows = false;
  j->cut = true;
  return MS_OK;
}

static ms_status take_share(join *j, uint32_t share, uint32_t shares, ms_error *err)
{
  if (shares == 0 || shares > MOST_SHARES || share == 0 || share > shares ||
      (j->shares > 0 && shares != j->shares))
    return refuse(j, "this is a share of another division", err);
  j->shares = shares;
  j->share = share;
  return MS_OK;
}

static ms_status take_rows(join *j, uint32_t count, uint32_t all, ms_error *err)
{
  if (j->all > 0 && all != j->all)
    return refuse(j, "this log is of another number of rows", err);
  j->all = all;
  j->has_rows = true;
  if (j->share > 0)
    j->of[j->share - 1] = count;
  else
    j->drawn = count > j->drawn ? count : j->drawn;
  return MS_OK;
}

static ms_status take_limits(join *j, int runs, double row_seconds, ms_error *err)
{
  sweep_settings *s = &j->settings;
  bool first = s->runs == 0,
       same = runs == s->runs && !(row_seconds < s->row_seconds) && !(row_seconds > s->row_seconds);
  if (!first && !same)
    return refuse(j, "this log has other limits than the first one", err);
  j->has_limits = true;
  s->runs = runs;
  s->row_seconds = row_seconds;
  return MS_OK;
}

/* Reads the engines from the line of columns, between `maps` and `host`. */
static ms_status take_columns(join *j, const char *line, ms_error *err)
{
  sweep_settings *s = &j->settings;
  const char *begin = strstr(line, " maps "), *end = strstr(line, " host ");
  char *rest, *names = begin && end && begin < end ? ms_strdup(begin + strlen(" maps ")) : NULL;
  uint32_t engines = 0;
  bool same = names != NULL;
  if (!names)
    return refuse(j, "these are no columns of a sweep", err);
  if (!j->has_limits || !j->has_rows) {
    ms_free(names);
    return refuse(j, "the head of this log lacks limits or the number of rows", err);
  }
  names[end - begin - (ptrdiff_t)strlen(" maps ")] = '\0';
  for (char *word = strtok_r(names, " ", &rest); word && same; word = strtok_r(NULL, " ", &rest)) {
    same = engines < SWEEP_ENGINES &&
           (!j->names || (engines < s->engines && strcmp(word, s->engine[engines].name) == 0));
    if (same && !j->names)
      s->engine[engines].name = word;
    engines++;
  }
  same = same && engines > 0 && (!j->names || engines == s->engines);
  j->has_head = same;
  if (same && !j->names) {
    s->engines = engines;
    j->names = names;
    return MS_OK;
  }
  ms_free(names);
  return same ? MS_OK : refuse(j, "this log has other engines than the first one", err);
}

/* ---- rows ---------------------------------------------------------------------------- */

/* Reads what a log says of an engine in a row: a time, >TIME at the limit, or a state. */
static bool take_cell(const char *word, sweep_outcome *o)
{
  char *end;
  bool open = word[0] == '>';
  double time = strtod(word + open, &end);
  *o = (sweep_outcome){.status = open ? MS_ERR_LIMIT : MS_OK, .median = time, .spent = time};
  if (end != word + open && !*end)
    return true;
  o->status = strcmp(word, "unsupported") == 0 ? MS_ERR_USAGE : MS_ERR_INTERNAL;
  return o->status == MS_ERR_USAGE || strcmp(word, "failed") == 0;
}

/* Splits the line of a row at its spaces, and reads its words. */
static bool take_words(const join *j, joined_row *row)
{
  enum { BEFORE = 4, AFTER = 5 };
  char *word[BEFORE + SWEEP_ENGINES + AFTER], *rest;
  uint32_t count = 0, engines = j->settings.engines;
  for (char *at = strtok_r(row->line, " \n", &rest); at; at = strtok_r(NULL, " \n", &rest)) {
    if (count == BEFORE + engines + AFTER)
      return false;
    word[count++] = at;
  }
  bool good = count == BEFORE + engines + AFTER;
  for (uint32_t e = 0; e < engines && good; e++)
    good = take_cell(word[BEFORE + e], &row->outcome[e]);
  if (!good)
    return false;
  row->graph = word[0];
  row->labels = word[1];
  row->pattern = word[2];
  row->maps = word[3];
  char **after = word + BEFORE + engines; /* host, share, floor, over, bound */
  for (uint32_t i = 0; i < SWEEP_BOUNDS; i++)
    if (strcmp(after[4], sweep_bounds[i]) == 0)
      row->floor = (sweep_floor){.ms = strtod(after[2], NULL), .bound = sweep_bounds[i]};
  return true;
}

static ms_status take_row(join *j, const char *line, ms_error *err)
{
  if (!j->has_head)
    return refuse(j, "a row stands before the columns of its log", err);
  if (j->rows == j->room) {
    uint64_t room = j->room ? 2 * j->room : 256;
    joined_row *larger = ms_resize(j->row, j->room, room, sizeof *larger);
    if (!larger)
      return ms_fail_memory(err, "the rows of the logs");
    j->row = larger;
    j->room = room;
  }
  joined_row *row = &j->row[j->rows];
  *row = (joined_row){.line = ms_strdup(line), .number = j->rows};
  if (!row->line)
    return ms_fail_memory(err, "the rows of the logs");
  j->rows++;
  return take_words(j, row) ? MS_OK : refuse(j, "this is no row of a sweep", err);
}

/* ---- logs ---------------------------------------------------------------------------- */

static ms_status take_line(join *j, const char *line, ms_error *err)
{
  unsigned long long seed;
  uint32_t first, second;
  int runs;
  double seconds;
  if (sscanf(line, "# seed %llu:", &seed) == 1)
    return begin_log(j, seed, err);
  if (j->logs == 0)
    return MS_OK; /* what a person has written above the first log */
  if (sscanf(line, "# share %u of %u:", &first, &second) == 2)
    return take_share(j, first, second, err);
  if (sscanf(line, "# sample: %u of %u rows", &first, &second) == 2)
    return take_rows(j, first, second, err);
  if (sscanf(line, "# all %u rows", &first) == 1)
    return take_rows(j, first, first, err);
  if (sscanf(line, "# milliseconds of plan and search, median of up to %d runs; an engine has %lf",
             &runs, &seconds) == 2)
    return take_limits(j, runs, seconds, err);
  if (sscanf(line, "# %u rows, %u with counts", &first, &second) == 2)
    j->cut = false;
  if (strncmp(line, "graph ", strlen("graph ")) == 0)
    return take_columns(j, line, err);
  if (strncmp(line, "  WRONG:", strlen("  WRONG:")) == 0 && j->rows > 0)
    j->row[j->rows - 1].wrong = true;
  if (strchr("#=\n ", line[0]) || strncmp(line, "SKIPPED", strlen("SKIPPED")) == 0 ||
      !j->has_head || !j->cut)
    return MS_OK;
  return take_row(j, line, err);
}

static ms_status read_log(join *j, const char *path, ms_error *err)
{
  FILE *in = fopen(path, "r");
  char *line = NULL;
  size_t room = 0;
  uint32_t before = j->logs;
  ms_status status = MS_OK;
  if (!in)
    return ms_fail(err, MS_ERR_USAGE, "%s: cannot open: %s; check the path", path, strerror(errno));
  j->path = path;
  for (j->at = 1; status == MS_OK && getline(&line, &room, in) > 0; j->at++)
    if (strchr(line, '\n')) /* a log that was cut off may end within a line */
      status = take_line(j, line, err);
  free(line);
  if (status == MS_OK && ferror(in))
    status = ms_fail(err, MS_ERR_INPUT, "%s: cannot read: %s", path, strerror(errno));
  fclose(in);
  if (status == MS_OK && j->logs == before)
    status = refuse(j, "the file has no log of pattern_sweep", err);
  return status;
}

/* ---- the sum --------------------------------------------------------------------------- */

static int compare_rows(const void *a, const void *b)
{
  const joined_row *x = a, *y = b;
  int order = strcmp(x->graph, y->graph);
  order = order ? order : strcmp(x->labels, y->labels);
  order = order ? order : strcmp(x->pattern, y->pattern);
  return order ? order : (x->number > y->number) - (x->number < y->number);
}

static bool is_same_row(const joined_row *x, const joined_row *y)
{
  return strcmp(x->graph, y->graph) == 0 && strcmp(x->labels, y->labels) == 0 &&
         strcmp(x->pattern, y->pattern) == 0;
}

static void add_row(join *j, joined_row *row)
{
  sweep_totals *t = &j->totals;
  const uint32_t engines = j->settings.engines;
  sweep_case c = {.graph = row->graph, .labels = (uint32_t)strtoul(row->labels, NULL, 10)};
  t->rows++;
  t->wrong += row->wrong;
  for (uint32_t e = 0; e < engines; e++) {
    t->limits += row->outcome[e].status == MS_ERR_LIMIT;
    t->failures += row->outcome[e].status == MS_ERR_INTERNAL;
  }
  sweep_add_ratios(&j->settings, &c, row->pattern, row->outcome, t);
  uint32_t fastest = sweep_fastest(row->outcome, engines);
  if (fastest == engines)
    return;
  row->outcome[fastest].floor = row->floor;
  sweep_add_floor(&row->outcome[fastest], t);
}

/* Adds each row once: as it was measured first.  Returns how many were measured again; a count that
 * differs then makes the row wrong. */
static uint32_t add_rows(join *j)
{
  uint32_t again = 0;
  if (j->rows > 0)
    qsort(j->row, j->rows, sizeof *j->row, compare_rows);
  for (uint64_t i = 0, next; i < j->rows; i = next) {
    joined_row *row = &j->row[i];
    for (next = i + 1; next < j->rows && is_same_row(row, &j->row[next]); next++) {
      const joined_row *other = &j->row[next];
      again++;
      row->wrong =
          row->wrong || other->wrong ||
          (row->maps[0] != '-' && other->maps[0] != '-' && strcmp(row->maps, other->maps) != 0);
    }
    if (row->wrong)
      printf("WRONG: %s, %s labels, %s: the counts differ\n", row->graph, row->labels,
             row->pattern);
    add_row(j, row);
  }
  return again;
}

static void print_shares(const join *j)
{
  uint32_t present = 0;
  for (uint32_t i = 0; i < j->shares; i++)
    present += j->of[i] > 0;
  if (j->shares == 0)
    return;
  printf("# shares, %u of %u:", present, j->shares);
  for (uint32_t i = 0; i < j->shares; i++)
    if (j->of[i] > 0)
      printf(" %u", i + 1);
  printf("\n");
}

static void print_sum(join *j)
{
  uint32_t drawn = j->drawn, again = add_rows(j);
  for (uint32_t i = 0; i < j->shares; i++)
    drawn += j->of[i];
  drawn = drawn < j->all ? drawn : j->all;
  drawn = drawn > j->totals.rows ? drawn : j->totals.rows;
  printf("# %u logs of seed %llu: %u rows, of %u that were to be measured, of %u in all; an engine "
         "had %g s in a row\n",
         j->logs, (unsigned long long)j->settings.seed, j->totals.rows, drawn, j->all,
         j->settings.row_seconds);
  print_shares(j);
  if (again > 0)
    printf("# %u rows were measured again, which does not count\n", again);
  if (j->cuts > 0)
    printf("# %u logs end without a summary: they were cut off\n", j->cuts);
  sweep_print_summary(&j->settings, &j->totals);
  if (drawn < j->all)
    sweep_print_estimate(&j->settings, &j->totals, j->all, drawn - j->totals.rows);
  if (drawn > j->totals.rows)
    printf("SKIPPED: %u of %u rows are in no log\n", drawn - j->totals.rows, drawn);
}

ms_status sweep_join(int files, char **path, bool *bad, ms_error *err)
{
  join *j = ms_calloc(1, sizeof *j);
  if (!j)
    return ms_fail_memory(err, "the logs");
  ms_status status = MS_OK;
  for (int i = 0; i < files && status == MS_OK; i++)
    status = read_log(j, path[i], err);
  end_log(j);
  if (status == MS_OK)
    print_sum(j);
  *bad = j->totals.wrong > 0 || j->totals.failures > 0;
  for (uint64_t i = 0; i < j->rows; i++)
    ms_free(j->row[i].line);
  ms_free(j->row);
  ms_free(j->names);
  ms_free(j);
  return status;
}
