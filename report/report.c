/* ms_report_write: checks the result, reads it and the part of the graph that its rows need, and
 * writes the page. */
#include "base/alloc.h"
#include "base/meter.h"
#include "base/numbers.h"
#include "base/options.h"
#include "base/status.h"
#include "base/text/utf8.h"
#include "base/threads/stop.h"
#include "graph/colors.h"
#include "graph/points/points.h"
#include "graph/typed.h"
#include "report/head.h"
#include "report/network.h"
#include "report/table.h"
#include "report/walks.h"
#include "report/web.h"
#include "result/json.h"
#include "result/svg_places.h"

#include <string.h>

/* ---- places of vertices ---------------------------------------------------------------------- */

/* The positions of the vertices of a report, such as those of cells in a tissue. */

typedef struct ms_places {
  ms_svg_places map;
  const ms_points *points;
  uint32_t n;        /* vertices of the graph */
  uint8_t *found;    /* [n] 1: the vertex is in a row, */
  uint32_t *name_of; /* [n] and this is the number of its name in the table's strings */
  uint32_t *color;   /* [n] number of its first colour in the table's strings, from 1; 0: none;
                        NULL: nothing is known of colours */
  uint32_t every;    /* of the vertices in no row, every so many-th is written */
} ms_places;

/* ---- finding --------------------------------------------------------------------------- */

/* Adds the names of colours, or of types of vertices, to the strings of the table. */
static ms_status add_names(ms_table *table, const ms_names *names, uint32_t *id, ms_error *err)
{
  for (uint32_t i = 0; i < ms_names_count(names); i++) {
    const char *name = ms_names_get(names, i);
    MS_TRY(ms_names_add(table->strings, name, strlen(name), &id[i], err));
  }
  return MS_OK;
}

/* Finds the first colour of each vertex, or its type. */
static ms_status find_colors(ms_places *p, ms_table *table, const ms_certificate *c, ms_error *err)
{
  const ms_names *names = c->typed      ? c->typed->vertex_types
                          : c->coloring ? c->coloring->names
                                        : NULL;
  if (!names)
    return MS_OK;
  uint32_t *id = ms_alloc(ms_names_count(names), sizeof *id);
  p->color = ms_calloc(p->n, sizeof *p->color);
  ms_status status = id && p->color ? add_names(table, names, id, err)
                                    : ms_fail_memory(err, "the positions of a report");
  for (uint32_t v = 0; status == MS_OK && v < p->n; v++)
    if (c->typed)
      p->color[v] = 1 + id[c->typed->rows.vertex_type[v]];
    else if (c->coloring->offset[v] < c->coloring->offset[v + 1])
      p->color[v] = 1 + id[c->coloring->color[c->coloring->offset[v]]];
  ms_free(id);
  return status;
}

/* Finds the places of all vertices of the certificate's graph, which has been read, and the
 * vertices that the rows of the table hold.  At most about `most` vertices in no row are written.
 * places_free must follow in any case.  MS_ERR_INPUT: no vertex has a position. */
static ms_status places_find(ms_places *p, ms_table *table, const ms_certificate *c,
                             const ms_points *points, uint64_t most, ms_error *err)
{
  ms_drawing drawing = ms_drawing_of(c);
  p->points = points;
  p->n = drawing.n;
  drawing.positions = points;
  drawing.watch = &drawing.own_watch;
  ms_watch_begin(drawing.watch);
  p->found = ms_calloc(p->n, sizeof *p->found);
  p->name_of = ms_alloc(p->n, sizeof *p->name_of);
  if (!p->found || !p->name_of)
    return ms_fail_memory(err, "the positions of a report");
  MS_TRY(ms_svg_places_find(&drawing, &p->map, err));
  ms_mark_vertices(table, c, table->shown, p->found, p->name_of);
  uint64_t others = 0;
  for (uint32_t v = 0; v < p->n; v++)
    others += !p->found[v] && p->map.at[v][0] != MS_SVG_NONE;
  p->every = (uint32_t)(others > most ? (others + most - 1) / most : 1);
  return find_colors(p, table, c, err);
}

static void places_free(ms_places *p)
{
  ms_svg_places_free(&p->map);
  ms_free(p->found);
  ms_free(p->name_of);
  ms_free(p->color);
}

/* ---- writing ---------------------------------------------------------------------------- */

enum { X, Y, NAME, COLOR };

/* Appends the numbers of one kind: of the vertices found, or of those that are in no row. */
static ms_status collect(const ms_places *p, bool found, int what, ms_values *out, ms_error *err)
{
  uint32_t others = 0;
  out->count = 0;
  for (uint32_t v = 0; v < p->n; v++) {
    const int32_t *at = p->map.at[v];
    if (p->found[v] != found || at[0] == MS_SVG_NONE || (!found && others++ % p->every != 0))
      continue;
    uint64_t value = what == X      ? (uint64_t)at[0]
                     : what == Y    ? (uint64_t)at[1]
                     : what == NAME ? p->name_of[v]
                                    : p->color[v];
    MS_TRY(ms_values_add(out, value, err));
  }
  return MS_OK;
}

static ms_status put_arrays(ms_outfile *out, const ms_places *p, ms_values *values, ms_error *err)
{
  static const struct {
    const char *key;
    bool found;
    int what;
  } arrays[] = {{"vertex", true, NAME}, {"x", true, X},        {"y", true, Y},
                {"other_x", false, X},  {"other_y", false, Y}, {"other_color", false, COLOR}};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
    if (arrays[i].what == COLOR && !p->color)
      continue;
    MS_TRY(collect(p, arrays[i].found, arrays[i].what, values, err));
    ms_outfile_printf(out, ",\n\"%s\":", arrays[i].key);
    ms_put_numbers(out, values->at, values->count);
  }
  return MS_OK;
}

static void put_slides(ms_outfile *out, const ms_places *p)
{
  const ms_svg_places *map = &p->map;
  ms_outfile_puts(out, ",\"slides\":[");
  for (uint32_t i = 0; p->points->slides && map->slides > 1 && i < map->slides; i++) {
    const char *name = ms_names_get(p->points->slides, map->slide[i]);
    ms_outfile_puts(out, i ? ",{\"name\":" : "{\"name\":");
    ms_put_string(out, name ? name : "");
    ms_outfile_printf(out, ",\"x\":%d,\"y\":%d}", map->corner[i][0], map->corner[i][1]);
  }
  ms_outfile_puts(out, "]");
}

/* Writes them as a JSON object. */
static ms_status put_places(ms_outfile *out, const ms_places *p, ms_error *err)
{
  const ms_svg_places *map = &p->map;
  ms_values values = {0};
  ms_outfile_puts(out, "{\"path\":");
  char shown[4096]; /* a path need not be UTF-8 */
  ms_escape(p->points->info.path ? p->points->info.path : "", shown, sizeof shown);
  ms_put_string(out, shown);
  ms_outfile_printf(out, ",\"width\":%d,\"height\":%d,\"dot\":%d,\"scale\":%.9g", map->width,
                    map->height, map->dot, map->scale);
  ms_outfile_printf(out, ",\"placed\":%u,\"unplaced\":%u,\"every\":%u,\"space\":%s", map->placed,
                    p->n - map->placed, p->every, p->points->dimensions > 2 ? "true" : "false");
  put_slides(out, p);
  ms_status status = put_arrays(out, p, &values, err);
  ms_outfile_puts(out, "}");
  ms_free(values.at);
  return status;
}

/* ---- the page -------------------------------------------------------------------------------- */

/* The page of a report: report/web/report.html with the style, the data and the scripts in their
 * places. */

typedef struct ms_page {
  const ms_kind *kind;
  ms_result *result; /* read to its end */
  ms_table table;
  ms_sizes sizes; /* of components */
  bool has_network;
  ms_network network;
  bool has_places;
  ms_places places;
  ms_table counts; /* of the samples of a comparison; without columns: none were given */
  const ms_report_info *info;
  const ms_certificate *c;
} ms_page;

/* ---- what is known of the result ------------------------------------------------------- */

/* Writes JSON in which no string can end a script element: '<' occurs only in strings. */
static int put_safely(const char *bytes, size_t size, void *out)
{
  const char *from = bytes, *end = bytes + size, *at;
  for (; (at = memchr(from, '<', (size_t)(end - from))); from = at + 1) {
    ms_outfile_write(out, from, (size_t)(at - from));
    ms_outfile_puts(out, "\\u003c");
  }
  ms_outfile_write(out, from, (size_t)(end - from));
  return 0;
}

/* Writes and releases the object or array. */
static ms_status put_object(ms_outfile *out, json_t *object, ms_error *err)
{
  int failed = object ? json_dump_callback(object, put_safely, out, JSON_COMPACT) : -1;
  json_decref(object);
  return failed ? ms_fail_memory(err, "what a report says of its result") : MS_OK;
}

/* The header as the JSON form of the result has it, with what the end of the file says. */
static json_t *describe_header(const ms_page *page)
{
  ms_result_header *h = &page->result->header;
  /* the TSV of a screen does not name the pattern's vertices */
  for (uint32_t i = 0; i < h->pattern.vertices && i < MS_MAX_PATTERN; i++)
    h->pattern.names[i] = h->pattern.names[i] ? h->pattern.names[i] : "";
  h->miss_bound = mpq_get_d(page->result->bound[0]);
  h->miss_bound_union = mpq_get_d(page->result->bound[1]);
  json_t *object = ms_json_of_head(h, true);
  return object ? ms_json_add(object, "command", json_string(ms_result_command(h->kind))) : NULL;
}

/* What is known of the check of the result; an empty object: it was not checked. */
static json_t *describe_verdict(const ms_report_info *info)
{
  static const char *const completeness[] = {[MS_COMPLETENESS_NOT_STATED] = "not stated",
                                             [MS_COMPLETENESS_BOUNDED] = "bounded",
                                             [MS_COMPLETENESS_BELIEVED] = "believed",
                                             [MS_COMPLETENESS_PROVED] = "proved"};
  const ms_verify_report *v = &info->verdict;
  if (!info->verified)
    return json_object();
  return json_pack("{s:b, s:I, s:I, s:I, s:b, s:b, s:b, s:b, s:I, s:s, s:s}", "accepted",
                   v->accepted, "rows", (json_int_t)v->rows, "flags", (json_int_t)v->flags,
                   "supported", (json_int_t)v->supported, "recounted", v->recounted, "stopped",
                   v->run.stopped != MS_OK, "interrupted", v->run.stopped == MS_ERR_INTERRUPTED,
                   "permuted", v->is_permuted, "permutations", (json_int_t)v->permutations,
                   "completeness", v->accepted ? completeness[v->completeness] : "not checked",
                   "problem", v->outcome == MS_VERIFY_UNFINISHED ? v->problem : "");
}

/* The palette, and the colour of each role as in other drawings of the result, in the order of the
 * legend. */
static void put_colors(ms_outfile *out, const ms_page *page)
{
  ms_drawing drawing = page->has_network ? ms_drawing_of(page->c) : (ms_drawing){0};
  ms_outfile_puts(out, ",\n\"palette\":[");
  for (uint32_t i = 0; i < MS_PALETTE; i++)
    ms_outfile_printf(out, "%s\"%s\"", i ? "," : "", ms_palette[i]);
  ms_outfile_puts(out, "],\"roles\":[");
  for (uint32_t i = 0; page->has_network && i < ms_drawing_roles(&drawing); i++) {
    uint32_t role = ms_drawing_role_at(&drawing, i);
    ms_outfile_puts(out, i ? ",[" : "[");
    ms_put_string(out, ms_role_name(&drawing, role));
    ms_outfile_printf(out, ",\"%s\"]", ms_role_color(role));
  }
  ms_outfile_puts(out, "]");
}

static void put_table(ms_outfile *out, const ms_table *t)
{
  ms_outfile_puts(out, ",\n\"strings\":");
  ms_put_strings(out, t->strings);
  ms_outfile_puts(out, ",\n\"columns\":[");
  for (uint32_t i = 0; i < t->columns; i++) {
    ms_outfile_puts(out, i ? ",\n" : "\n");
    ms_put_column(out, &t->column[i]);
  }
  ms_outfile_puts(out, "]");
}

static ms_status put_data(ms_outfile *out, const ms_page *page, ms_error *err)
{
  const ms_table *t = &page->table;
  ms_outfile_printf(out, "{\"version\":\"%s\",\"kind\":\"%s\",\"rows\":%llu,\"shown\":%llu",
                    ms_version(), page->kind->name, (unsigned long long)t->rows,
                    (unsigned long long)t->shown);
  ms_outfile_puts(out, ",\"result\":");
  char shown[4096]; /* a path need not be UTF-8 */
  ms_escape(page->result->path, shown, sizeof shown);
  ms_put_string(out, shown);
  ms_outfile_puts(out, ",\"head\":");
  MS_TRY(put_object(out, describe_header(page), err));
  ms_outfile_puts(out, ",\"verdict\":");
  MS_TRY(put_object(out, describe_verdict(page->info), err));
  if (t->sections) {
    ms_outfile_puts(out, ",\"sections\":");
    MS_TRY(put_object(out, json_incref(t->sections), err));
  }
  put_table(out, t);
  if (page->counts.columns > 0) {
    ms_outfile_puts(out, ",\n\"counts\":{\"rows\":0");
    put_table(out, &page->counts);
    ms_outfile_puts(out, "}");
  }
  put_colors(out, page);
  if (page->kind->page & MS_PAGE_SIZES) {
    ms_outfile_puts(out, ",\n\"sizes\":{\"size\":");
    ms_put_numbers(out, page->sizes.size.at, page->sizes.size.count);
    ms_outfile_puts(out, ",\"count\":");
    ms_put_numbers(out, page->sizes.count.at, page->sizes.count.count);
    ms_outfile_puts(out, "}");
  }
  if (page->has_network) {
    ms_outfile_puts(out, ",\n\"network\":");
    ms_put_network(out, &page->network);
  }
  if (page->has_places) {
    ms_outfile_puts(out, ",\n\"places\":");
    MS_TRY(put_places(out, &page->places, err));
  }
  ms_outfile_puts(out, "}\n");
  return MS_OK;
}

/* ---- the template ----------------------------------------------------------------------- */

static void put_file(ms_outfile *out, const ms_web_file *file)
{
  ms_outfile_write(out, file->bytes, file->size);
}

/* The library begins with its licence, which so stays in the report.  Its element is its own, so
 * that a report without it runs, too. */
static void put_cytoscape(ms_outfile *out)
{
  if (ms_web_cytoscape.size == 0)
    return;
  ms_outfile_puts(out, "<script>\n");
  put_file(out, &ms_web_cytoscape);
  ms_outfile_puts(out, "\n</script>\n");
}

static ms_status put_part(ms_outfile *out, const ms_page *page, const char *part, size_t length,
                          ms_error *err)
{
  if (strncmp(part, "style", length) == 0)
    put_file(out, &ms_web_style);
  else if (strncmp(part, "data", length) == 0)
    return put_data(out, page, err);
  else if (strncmp(part, "cytoscape", length) == 0)
    put_cytoscape(out);
  else if (strncmp(part, "script", length) == 0)
    put_file(out, &ms_web_script);
  return MS_OK;
}

/* Writes the page.  The file remembers failed writes. */
static ms_status page_write(ms_outfile *out, const ms_page *page, ms_error *err)
{
  const char *at = (const char *)ms_web_page.bytes, *end = at + ms_web_page.size, *mark;
  while ((mark = memmem(at, (size_t)(end - at), "{{", 2))) {
    const char *part = mark + 2, *stop = memmem(part, (size_t)(end - part), "}}", 2);
    if (!stop)
      break;
    ms_outfile_write(out, at, (size_t)(mark - at));
    MS_TRY(put_part(out, page, part, (size_t)(stop - part), err));
    at = stop + 2;
  }
  ms_outfile_write(out, at, (size_t)(end - at));
  return MS_OK;
}

/* ---- the report ------------------------------------------------------------------------------ */

/* Vertices in no row whose positions a report holds: 8 bytes each. */
#define MOST_PLACES 1000000u

bool ms_report_can_draw(void)
{
  return ms_web_cytoscape.size > 0;
}

/* Reads the header of the result, to see whether anything of it can be checked.  A file that cannot
 * be read has errors that are found, and told, later. */
static bool can_be_verified(const char *result_path, const ms_verify_options *options)
{
  ms_error unused;
  ms_verify_report report;
  ms_tape tape = {0};
  ms_certificate c = {.options = options, .report = &report, .tape = &tape};
  ms_meter meter;
  ms_numbers_begin();
  ms_certificate_init(&c, result_path);
  ms_meter_open(&meter, 0, result_path, &tape.line);
  c.result.reads_all = true;
  bool read = ms_tape_open(&tape, result_path, &unused) == MS_OK &&
              ms_certificate_open(&c, &unused) == MS_OK;
  const ms_kind *kind = read ? ms_kind_of(c.result.header.kind) : NULL;
  bool never = read && (kind->page & MS_PAGE_NO_CHECK || c.result.header.has & MS_HAS_INEXACT);
  ms_certificate_close(&c);
  ms_numbers_end();
  ms_tape_close(&tape);
  ms_meter_close(&meter);
  return !never;
}

static ms_status check(const char *result_path, const char *graph_path, const char *colors_path,
                       const ms_report_options *o, ms_report_info *info, ms_error *err)
{
  if (!graph_path || o->no_verify)
    return MS_OK;
  if (strcmp(result_path, "-") == 0)
    return ms_fail(err, MS_ERR_USAGE,
                   "a result from standard input cannot be checked and then read again; give a "
                   "file, or set `no_verify`");
  if (!can_be_verified(result_path, &o->verify))
    return MS_OK;
  if (strcmp(graph_path, "-") == 0)
    return ms_fail(
        err, MS_ERR_USAGE,
        "a graph from standard input cannot be read for the check and then again for the "
        "page; give a file, or set `no_verify`");
  MS_TRY(ms_verify_file(result_path, graph_path, colors_path, &o->verify, &info->verdict, err));
  MS_TRY(ms_stop_poll("the result is checked", err));
  if (info->verdict.outcome == MS_VERIFY_REFUSED)
    return ms_fail(err, MS_ERR_INPUT, "%s: refused: %s", result_path, info->verdict.problem);
  info->verified = true;
  ms_limits_report(&o->verify.run, "the page is made", 0, 0);
  return MS_OK;
}

/* Reads the graph and what belongs to it, which must be those of the header.  Of a comparison of
 * samples, only the check reads them. */
static ms_status open_inputs(ms_certificate *c, const ms_kind *kind, const ms_report_options *o,
                             ms_error *err)
{
  if (o->positions && !c->graph_path)
    return ms_fail(err, MS_ERR_USAGE,
                   "`positions` are those of the vertices of a graph; give the "
                   "graph, too");
  if (o->positions && kind->drawing == MS_DRAWS_WALKS)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: reports of %s do not draw vertices at `positions`; leave them out",
                   c->result.path, kind->name);
  if (o->positions && kind->drawing == MS_DRAWS_NOTHING)
    return ms_fail(
        err, MS_ERR_USAGE,
        "%s: the rows of the result hold no vertices that could be drawn at `positions`; "
        "leave them out",
        c->result.path);
  if (!c->graph_path || kind->page & MS_PAGE_NO_GRAPH)
    return MS_OK;
  MS_TRY(ms_check_inputs(c, err));
  bool finds_roles = kind->page & MS_PAGE_ROLES && !(c->result.header.has & MS_HAS_SECTIONS);
  return finds_roles ? ms_open_motif(c, err) : MS_OK;
}

/* Reads the counts of the samples of the comparison, the file of compare --counts. */
static ms_status read_counts(const ms_certificate *comparison, const ms_report_options *o,
                             ms_table *counts, ms_error *err)
{
  const ms_result_header *h = &comparison->result.header;
  if (h->kind != MS_KIND_COMPARISON)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: `counts` are those of a comparison of samples; leave them out",
                   comparison->result.path);
  ms_verify_report unused;
  ms_tape tape = {0};
  ms_certificate c = {.options = &o->verify, .report = &unused, .tape = &tape};
  ms_certificate_init(&c, o->counts);
  c.result.reads_all = true;
  ms_status status = ms_tape_open(&tape, o->counts, err);
  if (status == MS_OK)
    status = ms_certificate_open(&c, err);
  const ms_result_header *own = &c.result.header;
  if (status == MS_OK && (own->kind != MS_KIND_SAMPLE_COUNTS || own->k != h->k ||
                          own->graph_crc32c != h->graph_crc32c))
    status =
        ms_fail(err, MS_ERR_INPUT,
                "%s: are not the counts of %s; give the file of counts that was written with it",
                o->counts, comparison->result.path);
  if (status == MS_OK)
    status = ms_table_read(counts, &c, UINT64_MAX, err);
  status = ms_result_find_damage(&c.result, status, err);
  if (c.result.refused)
    status = ms_fail(err, MS_ERR_INPUT, "%s: refused: %s", o->counts, c.result.problem);
  ms_certificate_close(&c);
  ms_tape_close(&tape);
  return status;
}

/* Reads all that the page shows. */
static ms_status read_all(ms_certificate *c, const ms_report_options *o, ms_page *page,
                          ms_error *err)
{
  uint64_t rows = o->rows ? o->rows : MS_REPORT_ROWS, edges = o->edges ? o->edges : MS_REPORT_EDGES;
  MS_TRY(ms_certificate_open(c, err));
  page->kind = ms_kind_of(c->result.header.kind);
  if (!page->kind->name || c->result.header.has & MS_HAS_PART)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: is a part of a run, which has only a share of the numbers; merge the parts",
                   c->result.path);
  MS_TRY(open_inputs(c, page->kind, o, err));
  bool of_walks = page->kind->drawing == MS_DRAWS_WALKS;
  MS_TRY(of_walks ? ms_walks_read(&page->table, c, rows, &page->sizes, err)
                  : ms_table_read(&page->table, c, rows, err));
  if (o->counts)
    MS_TRY(read_counts(c, o, &page->counts, err));
  page->has_network = (c->graph || c->typed) && page->kind->drawing != MS_DRAWS_NOTHING;
  if (page->has_network && of_walks)
    MS_TRY(ms_walks_choose(&page->table, c, &page->has_network, err));
  if (!page->has_network)
    return MS_OK;
  MS_TRY(ms_network_find(&page->network, &page->table, c, edges, err));
  page->has_places = o->positions != NULL;
  return o->positions ? places_find(&page->places, &page->table, c, o->positions, MOST_PLACES, err)
                      : MS_OK;
}

static ms_status write_all(const ms_page *page, const char *path, ms_error *err)
{
  ms_outfile *out;
  MS_TRY(ms_outfile_open(path, &out, err));
  ms_outfile_watch(out);
  ms_status status = page_write(out, page, err);
  if (status == MS_OK)
    return ms_outfile_commit(out, err);
  ms_outfile_abort(out);
  return status;
}

/* Reads the result and writes its page; the checksum of the file is right if this succeeds. */
static ms_status report(ms_certificate *c, const ms_report_options *o, ms_report_info *info,
                        const char *path, ms_error *err)
{
  ms_page page = {.result = &c->result, .info = info, .c = c};
  ms_meter meter;
  ms_meter_open(&meter, 0, c->result.path, &c->tape->line);
  ms_status status = ms_tape_open(c->tape, c->result.path, err);
  if (status == MS_OK)
    status = read_all(c, o, &page, err);
  status = ms_result_find_damage(&c->result, status, err);
  ms_tape_end(c->tape); /* its memory is in the meter */
  ms_meter_close(&meter);
  if (c->result.refused)
    status = ms_fail(err, MS_ERR_INPUT, "%s: refused: %s", c->result.path, c->result.problem);
  info->rows = page.table.rows;
  info->shown = page.table.shown;
  info->edges = page.network.from.count;
  if (status == MS_OK)
    status = write_all(&page, path, err);
  info->unplaced = page.has_places ? page.places.n - page.places.map.placed : 0;
  places_free(&page.places);
  ms_network_free(&page.network);
  ms_sizes_free(&page.sizes);
  ms_table_free(&page.table);
  ms_table_free(&page.counts);
  return status;
}

ms_status ms_report_write(const char *result_path, const char *graph_path, const char *colors_path,
                          const ms_report_options *options, const char *path, ms_report_info *info,
                          ms_error *err)
{
  MS_REQUIRE(result_path, err);
  ms_report_options o;
  ms_report_info own;
  ms_verify_report unused;
  MS_TRY(ms_options_take(&ms_report_options_kind, options, &o, err));
  info = info ? info : &own;
  memset(info, 0, sizeof *info);
  info->draws = ms_report_can_draw();
  ms_tape tape = {0};
  ms_certificate c = {.options = &o.verify,
                      .graph_path = graph_path,
                      .colors_path = colors_path,
                      .report = &unused,
                      .tape = &tape};
  ms_stop *before = ms_stop_enter(o.verify.run.stop);
  ms_status status = check(result_path, graph_path, colors_path, &o, info, err);
  ms_numbers_begin();
  ms_certificate_init(&c, result_path);
  c.result.reads_all = true;
  if (status == MS_OK)
    status = report(&c, &o, info, path, err);
  ms_certificate_close(&c);
  ms_numbers_end();
  ms_tape_close(&tape);
  ms_stop_leave(before);
  return status;
}
