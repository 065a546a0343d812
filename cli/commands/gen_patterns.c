/* The patterns that gen cuts out of a graph: a folder with a file for each. */
#include "base/alloc.h"
#include "base/file/folder.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "cli/commands/gen.h"
#include "cli/options/option_table.h"
#include "graph/formats/typed/typed_read.h"
#include "graph/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct pattern_files {
  const ms_gen_work *work;
  ms_cuts cuts;
  ms_folder *folder;
  int digits; /* of the number in a file's name */
} pattern_files;

/* Are pattern vertices numbers, as in t/v/e?  Other formats hold names. */
static bool is_tve(const pattern_files *p)
{
  return !p->work->typed && p->work->options->gen.pattern_format == MS_PATTERNS_TVE;
}

static const char *label_of(const pattern_files *p, uint32_t pattern, uint32_t i)
{
  uint32_t color = p->cuts.color[(uint64_t)pattern * p->cuts.k + i];
  return color == MS_NO_ID ? "*" : ms_coloring_name(p->work->coloring, color);
}

static const char *vertex_name(const pattern_files *p, uint32_t pattern, uint32_t i)
{
  return ms_graph_name(p->work->graph, p->cuts.vertices[(uint64_t)pattern * p->cuts.k + i]);
}

static void name_file(const pattern_files *p, uint32_t pattern, char *name, size_t room)
{
  const char *suffix = p->work->typed ? "tsv" : is_tve(p) ? "tve" : "graphml";
  snprintf(name, room, "pattern-%0*" PRIu32 ".%s", p->digits, pattern + 1, suffix);
}

/* ---- t/v/e ------------------------------------------------------------------------ */

/* Writes the lines t, v and e; a degree counts the lines e with the vertex. */
static void put_tve(const pattern_files *p, uint32_t pattern, ms_outfile *out)
{
  uint32_t degree[MS_MAX_PATTERN] = {0}, k = p->cuts.k;
  uint64_t begin = p->cuts.offset[pattern], end = p->cuts.offset[pattern + 1];
  for (uint64_t e = begin; e < end; e++) {
    degree[p->cuts.edges[e][0]]++;
    degree[p->cuts.edges[e][1]]++;
  }
  ms_outfile_printf(out, "t %" PRIu32 " %" PRIu64 "\n", k, end - begin);
  for (uint32_t i = 0; i < k; i++)
    ms_outfile_printf(out, "v %" PRIu32 " %s %" PRIu32 "\n", i, label_of(p, pattern, i), degree[i]);
  for (uint64_t e = begin; e < end; e++)
    ms_outfile_printf(out, "e %" PRIu32 " %" PRIu32 "\n", p->cuts.edges[e][0], p->cuts.edges[e][1]);
}

static ms_status write_tve(const pattern_files *p, uint32_t pattern, const char *path,
                           ms_error *err)
{
  ms_outfile *out;
  MS_TRY(ms_outfile_open(path, &out, err));
  put_tve(p, pattern, out);
  return ms_outfile_commit(out, err);
}

/* Checks that t/v/e can hold the labels. */
static ms_status check_labels(const pattern_files *p, ms_error *err)
{
  if (!is_tve(p))
    return MS_OK;
  for (uint32_t pattern = 0; pattern < p->cuts.patterns; pattern++)
    for (uint32_t i = 0; i < p->cuts.k; i++) {
      const char *label = label_of(p, pattern, i);
      if (strchr(label, ' '))
        return ms_fail(err, MS_ERR_USAGE,
                       "the colour '%.*s' holds a blank, which t/v/e cannot express; give "
                       "--pattern-format graphml",
                       ms_name_clip(label, strlen(label)), label);
    }
  return MS_OK;
}

/* ---- GraphML ---------------------------------------------------------------------------- */

/* Finds the colours of the pattern: pairs (vertex, number in `colors`).  Returns the number of
 * pairs; *n_colors: that of different colours. */
static uint32_t pair_colors(const pattern_files *p, uint32_t pattern, uint32_t (*pairs)[2],
                            const char **colors, uint32_t *n_colors)
{
  uint32_t count = 0, id[MS_MAX_PATTERN];
  const uint32_t *color = p->cuts.color + (uint64_t)pattern * p->cuts.k;
  *n_colors = 0;
  for (uint32_t i = 0; i < p->cuts.k; i++) {
    uint32_t c = 0;
    while (c < *n_colors && id[c] != color[i])
      c++;
    if (color[i] == MS_NO_ID)
      continue;
    if (c == *n_colors) {
      id[c] = color[i];
      colors[(*n_colors)++] = label_of(p, pattern, i);
    }
    pairs[count][0] = i;
    pairs[count++][1] = c;
  }
  return count;
}

static ms_status write_graphml(const pattern_files *p, uint32_t pattern, const char *path,
                               ms_error *err)
{
  const char *names[MS_MAX_PATTERN], *colors[MS_MAX_PATTERN];
  uint32_t pairs[MS_MAX_PATTERN][2], n_colors;
  uint64_t begin = p->cuts.offset[pattern], end = p->cuts.offset[pattern + 1];
  ms_graph *graph = NULL;
  ms_coloring *coloring = NULL;
  for (uint32_t i = 0; i < p->cuts.k; i++)
    names[i] = vertex_name(p, pattern, i);
  uint32_t count = pair_colors(p, pattern, pairs, colors, &n_colors);
  ms_status status = ms_graph_from_edges(
      p->cuts.k, end - begin, (const uint32_t(*)[2])(p->cuts.edges + begin), names, &graph, err);
  if (status == MS_OK && count > 0)
    status = ms_coloring_from_pairs(graph, count, (const uint32_t(*)[2])pairs, n_colors, colors,
                                    &coloring, err);
  if (status == MS_OK)
    status = ms_graph_write(graph, coloring, MS_FORMAT_GRAPHML, path, err);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
  return status;
}

/* ---- tables ------------------------------------------------------------------------------------
 */

static ms_status write_typed(const pattern_files *p, uint32_t pattern, const char *path,
                             ms_error *err)
{
  ms_typed *typed;
  MS_TRY(ms_typed_from_cut(p->work->typed, &p->cuts, pattern, &typed, err));
  ms_status status = ms_typed_write_table(typed, path, false, err);
  ms_typed_free(typed);
  return status;
}

static ms_status check_format(const ms_gen_work *w, ms_error *err)
{
  if (!w->typed || !ms_option_given(w->options, "pattern-format"))
    return MS_OK;
  return ms_fail(
      err, MS_ERR_USAGE,
      "--pattern-format is for patterns without types of edges, and the graph has types; "
      "leave it out: a pattern with types is a typed table");
}

/* ---- the folder ---------------------------------------------------------------------------- */

static ms_status write_pattern(const pattern_files *p, uint32_t pattern, ms_error *err)
{
  char name[64];
  const char *path;
  name_file(p, pattern, name, sizeof name);
  MS_TRY(ms_stop_poll("patterns are written", err));
  MS_TRY(ms_folder_path(p->folder, name, &path, err));
  if (p->work->typed)
    return write_typed(p, pattern, path, err);
  return is_tve(p) ? write_tve(p, pattern, path, err) : write_graphml(p, pattern, path, err);
}

/* Writes where each pattern was cut: the name of its file, its vertex as that file names it, and
 * the graph's vertex. */
static ms_status write_matches(const pattern_files *p, ms_error *err)
{
  bool tve = is_tve(p);
  const char *path;
  ms_outfile *out;
  MS_TRY(ms_folder_path(p->folder, "matches.tsv", &path, err));
  MS_TRY(ms_outfile_open(path, &out, err));
  for (uint32_t pattern = 0; pattern < p->cuts.patterns; pattern++)
    for (uint32_t i = 0; i < p->cuts.k; i++) {
      char file[64], number[16];
      const char *vertex = vertex_name(p, pattern, i);
      name_file(p, pattern, file, sizeof file);
      snprintf(number, sizeof number, "%" PRIu32, i);
      ms_outfile_printf(out, "%s\t%s\t%s\n", file, tve ? number : vertex, vertex);
    }
  return ms_outfile_commit(out, err);
}

static ms_status write_folder(pattern_files *p, ms_error *err)
{
  MS_TRY(check_labels(p, err));
  MS_TRY(ms_folder_open(p->work->options->gen.patterns_out, &p->folder, err));
  for (uint32_t pattern = 0; pattern < p->cuts.patterns; pattern++)
    MS_TRY(write_pattern(p, pattern, err));
  return write_matches(p, err);
}

ms_status ms_gen_patterns(const ms_gen_work *w, ms_folder **folder, ms_error *err)
{
  const ms_cli_options *o = w->options;
  pattern_files p = {.work = w, .digits = snprintf(NULL, 0, "%" PRIu32, o->gen.cut.patterns)};
  ms_cut_options cut = o->gen.cut;
  *folder = NULL;
  MS_TRY(check_format(w, err));
  cut.coloring = w->coloring;
  cut.seed = o->list.screen.run.seed;
  ms_status status = ms_cut_patterns(w->graph, &cut, &p.cuts, err);
  if (status == MS_OK)
    status = write_folder(&p, err);
  if (status == MS_OK && o->verbose)
    ms_cli_note("%" PRIu32 " patterns of %" PRIu32 " vertices, with %.1f edges in the mean",
                p.cuts.patterns, p.cuts.k,
                (double)p.cuts.offset[p.cuts.patterns] / p.cuts.patterns);
  if (status == MS_OK)
    *folder = p.folder;
  else
    ms_folder_abort(p.folder);
  ms_cuts_clear(&p.cuts);
  return status;
}
