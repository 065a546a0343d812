/* motifsieve neighbors: points with coordinates -> the graph of their neighbours. */
#include "base/file/outfile.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "cli/cli.h"
#include "cli/colors_out.h"
#include "cli/options/option_table.h"
#include "graph/points/points.h"

#include <inttypes.h>

/* In multiples of the median length. */
#define LONG_EDGE 10.0

typedef struct neighbors_work {
  const ms_cli_options *options;
  ms_points *points;
  ms_graph *graph;
  ms_coloring *coloring; /* NULL: the points have no colours */
  double begun, read, made;
} neighbors_work;

/* Refuses a format that cannot hold the graph, before anything is read. */
static ms_status check_target(const ms_cli_options *o, ms_graph_format *to, ms_error *err)
{
  MS_TRY(ms_find_output_format(o, to, err));
  ms_graph_format_info info = ms_graph_format_describe(*to);
  if (!info.writable)
    return ms_fail(err, MS_ERR_USAGE, "%s can only be read; choose another format", info.name);
  if (info.numbered)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s holds numbers, and points have names; choose another format, from which "
                   "'motifsieve convert --map FILE' makes this one",
                   info.name);
  return MS_OK;
}

/* The rule that the options name. */
static ms_neighbor_rule rule_of(const ms_cli_options *o)
{
  if (o->neighbors.delaunay)
    return MS_NEIGHBORS_DELAUNAY;
  bool nearest = ms_option_given(o, "knn") || ms_option_given(o, "mutual");
  return !nearest && ms_option_given(o, "radius") ? MS_NEIGHBORS_RADIUS : MS_NEIGHBORS_NEAREST;
}

/* Says what was not asked for, and decides what the result means. */
static void note_reading(const ms_cli_options *o, const ms_points_info *info)
{
  if (info->slide_title && !o->neighbors.points.slide_column)
    ms_cli_note("%s: column '%s' divides the points into %" PRIu32
                " slides (--slide-column chooses another)",
                info->path, info->slide_title, info->slides);
  if (info->color_title && !o->neighbors.points.color_column)
    ms_cli_note("%s: column '%s' holds the colours (--color-column chooses another)", info->path,
                info->color_title);
  if (info->coincident > 0)
    ms_cli_warn("%s: %" PRIu32 " of %" PRIu32 " points lie exactly where another one does; if a "
                "column says on which slide they are, choose it by --slide-column",
                info->path, info->coincident, info->points);
  if (info->names_with_slides)
    ms_cli_note("%s: names occur on several slides, so every point is called SLIDE:NAME",
                info->path);
  if (info->color_title && info->uncolored > 0)
    ms_cli_warn("%s: %" PRIu32 " of %" PRIu32 " points have no colour", info->path, info->uncolored,
                info->points);
}

/* Edges across gaps in a tissue join points that are no neighbours. */
static ms_status warn_of_long_edges(const neighbors_work *w, const ms_points_info *info,
                                    ms_error *err)
{
  double median;
  uint64_t count;
  MS_TRY(ms_count_long_edges(w->points, w->graph, LONG_EDGE, &median, &count, err));
  if (count > 0)
    ms_cli_warn("%s: %" PRIu64 " edge%s longer than %g times the median length (%.3g); --radius R "
                "leaves out edges longer than R",
                info->path, count, count == 1 ? " is" : "s are", LONG_EDGE, median);
  return MS_OK;
}

static ms_status make(neighbors_work *w, ms_error *err)
{
  const ms_cli_options *o = w->options;
  ms_neighbor_options options = o->neighbors.graph;
  options.rule = rule_of(o);
  if (ms_option_given(o, "radius") && !(options.radius > 0))
    return ms_fail(err, MS_ERR_USAGE, "--radius is %g; give a distance above 0", options.radius);
  MS_TRY(ms_points_read(o->operand[0], &o->neighbors.points, &w->points, err));
  w->read = ms_seconds();
  ms_points_info info = ms_points_describe(w->points);
  if (!o->quiet)
    note_reading(o, &info);
  if (o->gen.colors_out && !info.color_title)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s has no column of colours for --colors-out; choose one with --color-column",
                   info.path);
  MS_TRY(ms_neighbors(w->points, &options, &w->graph, err));
  if (!o->quiet && !(options.radius > 0))
    MS_TRY(warn_of_long_edges(w, &info, err));
  return ms_points_coloring(w->points, w->graph, &w->coloring, err);
}

/* Writes the graph, and then the colours: they do not appear without it. */
static ms_status write_all(const neighbors_work *w, ms_graph_format to, ms_error *err)
{
  const ms_cli_options *o = w->options;
  ms_outfile *colors = NULL;
  bool holds = ms_graph_format_describe(to).holds_colors;
  if (!o->quiet && w->coloring && !holds && !o->gen.colors_out)
    ms_cli_warn("%s holds no colours; they are left out (--colors-out FILE keeps them)",
                ms_graph_format_describe(to).name);
  ms_status status = o->gen.colors_out ? ms_outfile_open(o->gen.colors_out, &colors, err) : MS_OK;
  if (status == MS_OK && colors)
    status = ms_put_colors(w->graph, w->coloring, colors, err);
  if (status == MS_OK)
    status =
        ms_graph_write(w->graph, holds ? w->coloring : NULL, to, o->output ? o->output : "-", err);
  if (status == MS_OK && colors)
    return ms_outfile_commit(colors, err);
  ms_outfile_abort(colors);
  return status;
}

static void report(const neighbors_work *w)
{
  ms_points_info p = ms_points_describe(w->points);
  ms_graph_info g = ms_graph_describe(w->graph);
  uint32_t alone = 0;
  for (uint32_t v = 0; v < g.vertices; v++) {
    uint32_t degree;
    ms_graph_neighbors(w->graph, v, &degree);
    alone += degree == 0;
  }
  ms_cli_note("%s: %" PRIu32 " points of %" PRIu32 " dimensions, %" PRIu32 " slides, %" PRIu32
              " colours",
              p.path, p.points, p.dimensions, p.slides, p.colors);
  ms_cli_note("%" PRIu64 " edges, highest degree %" PRIu32 ", %" PRIu32
              " points without a neighbour",
              g.edges, g.max_degree, alone);
  ms_cli_note("seconds: read %.3f, make %.3f, write %.3f", w->read - w->begun, w->made - w->read,
              ms_seconds() - w->made);
}

int ms_run_neighbors(const ms_cli_options *o)
{
  ms_error err;
  neighbors_work work = {.options = o, .begun = ms_seconds()};
  ms_graph_format to;
  ms_status status = check_target(o, &to, &err);
  if (status == MS_OK)
    status = make(&work, &err);
  work.made = ms_seconds();
  if (status == MS_OK)
    status = write_all(&work, to, &err);
  if (status == MS_OK && o->verbose)
    report(&work);
  ms_coloring_free(work.coloring);
  ms_graph_free(work.graph);
  ms_points_free(work.points);
  return status == MS_OK ? MS_EXIT_OK : ms_cli_error(&err);
}
