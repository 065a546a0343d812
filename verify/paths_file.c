/* Checks a table of shortest paths: its pairs, that the steps of each path are arcs, and by a
 * search from each source that no path is shorter. */
#include "verify/certificate.h"
#include "verify/memory.h"
#include "verify/paths.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/stop.h"
#include "graph/typed.h"

#include <string.h>

typedef struct paths_check {
  ms_certificate *c;
  ms_path_options options; /* of the search, as the header states them */
  uint32_t *types;         /* [options.n_types] */
  char *names;             /* those of the header, cut at their commas */
  ms_path_pairs *pairs;    /* NULL: the header states no file */
  ms_path_judge *judge;
  uint64_t found, lines; /* pairs with a path, and lines of the file, so far */
  bool known, has_steps; /* whether rows have vertices is known from the first path on */
  uint32_t *vertex;      /* [room] of a path */
  uint64_t room;
} paths_check;

/* ---- what the header states --------------------------------------------------------------- */

static ms_status read_types(paths_check *k, ms_error *err)
{
  ms_certificate *c = k->c;
  const char *stated = c->result.header.path.types;
  uint64_t line = c->result.header.line[MS_PART_TYPES];
  if (!stated)
    return MS_OK;
  k->names = ms_strdup(stated);
  k->types = ms_alloc(strlen(stated) / 2 + 1, sizeof *k->types); /* each has a byte, and a comma */
  if (!k->names || !k->types)
    return ms_fail_memory(err, "the types of a search");
  for (char *at = k->names; at;) {
    char *name = ms_result_take_listed(&at);
    uint32_t type = name ? ms_typed_find_arc_type(c->typed, name) : MS_NO_ID;
    if (!name || !*name || type == MS_NO_ID)
      return ms_result_refuse(&c->result, line, "'%.100s' is no type of edges of the graph",
                              name ? name : stated);
    k->types[k->options.n_types++] = type;
  }
  k->options.types = k->types;
  return MS_OK;
}

static ms_status read_pairs(paths_check *k, ms_error *err)
{
  ms_certificate *c = k->c;
  const ms_result_file *stated = &c->result.header.path.pairs;
  if (!stated->path)
    return MS_OK;
  MS_TRY(ms_path_pairs_read(c->options->pairs, c->typed, &k->pairs, err));
  return ms_check_crc32c(c, MS_PART_PAIRS, "pair", c->options->pairs, k->pairs->crc32c,
                         stated->crc32c);
}

static ms_status open_check(paths_check *k, ms_error *err)
{
  ms_certificate *c = k->c;
  const ms_result_header *h = &c->result.header;
  if (c->options->no_recount)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: that no path is shorter can only be checked by searching again; leave out "
                   "`no_recount`",
                   c->result.path);
  k->options = (ms_path_options){
      .size = sizeof k->options, .both_ways = h->path.both_ways, .max_length = h->path.max_length};
  MS_TRY(read_types(k, err));
  MS_TRY(read_pairs(k, err));
  MS_TRY(ms_stop_child(c->options->stop, c->options->flag_seconds, &c->recount_stop, err));
  return ms_path_judge_new(c->typed, &k->options, c->recount_stop, &k->judge, err);
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* Checks that the row is that of the next pair. */
static ms_status check_pair(paths_check *k, ms_stated_path *path)
{
  ms_certificate *c = k->c;
  const ms_result_row *row = &c->result.row;
  const ms_path_pairs *pairs = k->pairs;
  unsigned long long due = (unsigned long long)c->rows + 1;
  if (row->path.pair && row->path.pair != due)
    return ms_result_refuse(&c->result, row->line, "pair %llu should come here, not %llu", due,
                            (unsigned long long)row->path.pair);
  if (pairs && c->rows >= pairs->count)
    return ms_result_refuse(&c->result, row->line, "%.200s has only %llu pairs", c->options->pairs,
                            (unsigned long long)pairs->count);
  MS_TRY(ms_find_named(c, row->line, row->path.source, &path->from));
  MS_TRY(ms_find_named(c, row->line, row->path.target, &path->to));
  const uint32_t *wanted = pairs ? pairs->pairs[c->rows] : NULL;
  if (wanted && (wanted[0] != path->from || wanted[1] != path->to))
    return ms_result_refuse(&c->result, row->line,
                            "pair %llu leads from '%.100s' to '%.100s' in %.200s", due,
                            ms_name_of(c, wanted[0]), ms_name_of(c, wanted[1]), c->options->pairs);
  return MS_OK;
}

/* Finds the vertices of the row. */
static ms_status find_vertices(paths_check *k, ms_stated_path *path, ms_error *err)
{
  ms_certificate *c = k->c;
  const ms_result_row *row = &c->result.row;
  uint32_t count = row->path.has_steps ? row->path.length + 1 : 0;
  if (!MS_GROW(k->vertex, k->room, 0, count))
    return ms_fail_memory(err, "the vertices of a path");
  for (uint32_t i = 0; i < count; i++)
    MS_TRY(ms_find_named(c, row->line, row->path.vertices[i], &k->vertex[i]));
  path->vertices = k->vertex;
  path->size = count;
  return MS_OK;
}

/* Checks the types of the steps of a path that has been checked. */
static ms_status check_types(paths_check *k, const ms_stated_path *path)
{
  ms_certificate *c = k->c;
  const ms_result_row *row = &c->result.row;
  for (uint32_t i = 0; i < path->length; i++) {
    uint32_t type = ms_path_judge_type(k->judge, path->vertices[i], path->vertices[i + 1]);
    const char *name = ms_typed_arc_type_name(c->typed, type);
    if (strcmp(name, row->path.types[i]) != 0)
      return ms_result_refuse(
          &c->result, row->line,
          "step %u of pair %llu, from '%.100s' to '%.100s', is of type '%.100s', "
          "not '%.100s'",
          i + 1, (unsigned long long)path->pair + 1, row->path.vertices[i],
          row->path.vertices[i + 1], name, row->path.types[i]);
  }
  return MS_OK;
}

/* Checks that all rows with a path have its vertices, or none has. */
static ms_status check_form(paths_check *k)
{
  const ms_result_row *row = &k->c->result.row;
  if (row->path.found && !k->known) {
    k->known = true;
    k->has_steps = row->path.has_steps;
  }
  if (row->path.found && row->path.has_steps != k->has_steps)
    return ms_result_refuse(&k->c->result, row->line,
                            "some rows have the vertices of their paths, and others have not");
  return MS_OK;
}

static ms_status check_row(paths_check *k, ms_error *err)
{
  ms_certificate *c = k->c;
  const ms_result_row *row = &c->result.row;
  ms_stated_path path = {.pair = c->rows, .has_vertices = row->path.has_steps};
  ms_verify_report judged = {.outcome = MS_VERIFY_ACCEPTED};
  path.length = row->path.found ? row->path.length : MS_NO_PATH;
  MS_TRY(check_form(k));
  MS_TRY(check_pair(k, &path));
  if (path.has_vertices)
    MS_TRY(find_vertices(k, &path, err));
  MS_TRY(ms_path_judge_pair(k->judge, &path, &judged));
  if (judged.outcome == MS_VERIFY_REFUSED)
    return ms_result_refuse(&c->result, row->line, "%s", judged.problem);
  return path.has_vertices ? check_types(k, &path) : MS_OK;
}

static ms_status check_totals(paths_check *k)
{
  ms_certificate *c = k->c;
  const ms_result_header *h = &c->result.header;
  if (c->result.stated_rows != k->lines)
    return ms_result_refuse(&c->result, 0, "the end says %llu rows, but there are %llu",
                            (unsigned long long)c->result.stated_rows,
                            (unsigned long long)k->lines);
  if (h->path.searched != c->rows || h->path.found != k->found)
    return ms_result_refuse(
        &c->result, 0,
        "the end says that %llu pairs were searched, and %llu have a path, but the rows are those "
        "of %llu pairs, of which %llu have one",
        (unsigned long long)h->path.searched, (unsigned long long)h->path.found,
        (unsigned long long)c->rows, (unsigned long long)k->found);
  if (!k->pairs || h->status != MS_RESULT_COMPLETE || c->rows == k->pairs->count)
    return MS_OK;
  c->report->missing = k->pairs->count - c->rows;
  return ms_result_refuse(&c->result, 0, "%llu of %llu pairs of %.200s have no row",
                          (unsigned long long)c->report->missing,
                          (unsigned long long)k->pairs->count, c->options->pairs);
}

static ms_status check_rows(paths_check *k, ms_error *err)
{
  ms_certificate *c = k->c;
  bool more;
  MS_TRY(ms_result_next_row(&c->result, &more, err));
  while (more) {
    if (c->report->stopped == MS_OK)
      c->report->stopped = ms_stop_check(c->recount_stop);
    if (c->report->stopped != MS_OK)
      return MS_OK;
    MS_TRY(check_row(k, err));
    c->report->rows = ++c->rows;
    k->found += c->result.row.path.found;
    k->lines += c->result.row.path.lines;
    if (c->options->progress)
      c->options->progress(c->options->progress_user, "rows checked", c->rows,
                           k->pairs ? k->pairs->count : 0);
    MS_TRY(ms_result_next_row(&c->result, &more, err));
  }
  MS_TRY(check_totals(k));
  c->rows_checked = c->report->recounted = true;
  return MS_OK;
}

ms_status ms_check_path_table(ms_certificate *c, ms_error *err)
{
  paths_check k = {.c = c};
  ms_status status = open_check(&k, err);
  if (status == MS_OK)
    status = ms_note_stop(c, check_rows(&k, err));
  ms_path_judge_free(k.judge);
  ms_path_pairs_free(k.pairs);
  ms_free(k.names);
  ms_free(k.types);
  ms_free(k.vertex);
  return status;
}
