/* motifsieve gen: generates random graphs, with uniform or planted colours. */
#include "base/alloc.h"
#include "base/outfile.h"
#include "base/status.h"
#include "base/stop.h"
#include "cli/cli.h"
#include "cli/colors_out.h"
#include "cli/job.h"
#include "graph/names.h"
#include "query/query.h"

#include <inttypes.h>
#include <string.h>

typedef struct gen_work {
  const ms_cli_options *options;
  ms_graph *graph;
  ms_coloring *coloring; /* NULL: no colours are asked for */
  ms_typed *typed;       /* NULL: no types of edges are asked for */
  ms_planted planted;
} gen_work;

/* Refuses a format that cannot hold the graph, before anything is generated. */
static ms_status check_target(const ms_cli_options *o, ms_graph_format to, ms_error *err)
{
  ms_graph_format_info info = ms_graph_format_describe(to);
  bool colored = o->gen.plant || o->gen.uniform_colors;
  if (!info.writable)
    return ms_fail(err, MS_ERR_USAGE, "%s can only be read; choose another format", info.name);
  if (info.numbered && o->gen.graph.prefix)
    return ms_fail(err, MS_ERR_USAGE, "--prefix is for formats that hold names; %s holds numbers",
                   info.name);
  if (colored && !info.holds_colors && !o->gen.colors_out)
    return ms_fail(err, MS_ERR_USAGE, "%s holds no colours; give --colors-out FILE for them",
                   info.name);
  return MS_OK;
}

static ms_status make_graph(gen_work *w, ms_graph_format to, ms_error *err)
{
  const ms_cli_options *o = w->options;
  ms_graph_format_info info = ms_graph_format_describe(to);
  ms_generate_options plan = o->gen.graph;
  plan.seed = o->list.screen.seed;
  plan.threads = o->list.screen.threads;
  plan.memory = o->list.screen.memory;
  /* the colour file must have the numbers that readers of the graph see */
  plan.first_number = info.numbered ? info.first_number : 0;
  return ms_generate_graph(&plan, &w->graph, err);
}

static ms_status plant_colors(gen_work *w, ms_error *err)
{
  const ms_gen_options *gen = &w->options->gen;
  ms_planting plan = gen->planted;
  ms_names *colors = NULL;
  uint32_t slot[MS_MAX_K];
  plan.seed = w->options->list.screen.seed;
  if (gen->plant_motif)
    MS_TRY(ms_motif_slots(gen->plant_motif, &colors, slot, &plan.slots, err));
  plan.colors = colors;
  plan.slot = slot;
  ms_status status = ms_plant_colors(w->graph, &plan, &w->coloring, &w->planted, err);
  ms_names_free(colors);
  return status;
}

static ms_status make_colors(gen_work *w, ms_error *err)
{
  const ms_gen_options *gen = &w->options->gen;
  if (gen->uniform_colors)
    return ms_generate_colors(w->graph, gen->uniform_colors, w->options->list.screen.seed,
                              &w->coloring, err);
  return gen->plant ? plant_colors(w, err) : MS_OK;
}

static ms_status make_types(gen_work *w, ms_error *err)
{
  const ms_cli_options *o = w->options;
  const ms_type_options plan = {.relations = o->gen.edge_types,
                                .directed = o->gen.directed_types,
                                .seed = o->list.screen.seed,
                                .threads = o->list.screen.threads};
  return plan.relations ? ms_add_edge_types(w->graph, w->coloring, &plan, &w->typed, err) : MS_OK;
}

/* Writes PLANT<TAB>VERTEX<TAB>COLOUR lines; plants are numbered from 1. */
static void put_planted(const gen_work *w, ms_outfile *out)
{
  for (uint64_t i = 0; i < (uint64_t)w->planted.plants * w->planted.k; i++) {
    uint32_t count, v = w->planted.vertices[i];
    const uint32_t *color = ms_coloring_of(w->coloring, v, &count);
    ms_outfile_printf(out, "%" PRIu64 "\t%s\t%s\n", i / w->planted.k + 1,
                      ms_graph_name(w->graph, v), ms_coloring_name(w->coloring, color[0]));
  }
}

static ms_status write_graph(const gen_work *w, ms_graph_format to, ms_error *err)
{
  const char *path = w->options->output ? w->options->output : "-";
  if (w->typed)
    return to == MS_FORMAT_TYPED_BINARY ? ms_typed_write_binary(w->typed, path, err)
                                        : ms_typed_write(w->typed, path, err);
  bool colored = ms_graph_format_describe(to).holds_colors;
  return ms_graph_write(w->graph, colored ? w->coloring : NULL, to, path, err);
}

/* Writes the graph, and then the other files: none of them appears without the graph. */
static ms_status write_all(const gen_work *w, ms_graph_format to, ms_error *err)
{
  const ms_cli_options *o = w->options;
  ms_outfile *colors = NULL, *planted = NULL;
  ms_status status = MS_OK;
  if (o->gen.colors_out)
    status = ms_outfile_open(o->gen.colors_out, &colors, err);
  if (status == MS_OK && o->gen.planted_out)
    status = ms_outfile_open(o->gen.planted_out, &planted, err);
  if (status == MS_OK && colors)
    ms_put_colors(w->graph, w->coloring, colors);
  if (status == MS_OK && planted)
    put_planted(w, planted);
  if (status == MS_OK)
    status = write_graph(w, to, err);
  if (status == MS_OK && colors) {
    status = ms_outfile_commit(colors, err);
    colors = NULL;
  }
  if (status == MS_OK && planted) {
    status = ms_outfile_commit(planted, err);
    planted = NULL;
  }
  ms_outfile_abort(colors);
  ms_outfile_abort(planted);
  return status;
}

static ms_status generate(gen_work *w, ms_error *err)
{
  const ms_cli_options *o = w->options;
  ms_graph_format to = MS_FORMAT_EDGE_LIST;
  double begin = ms_seconds();
  ms_status found = ms_find_output_format(o, &to, err);
  ms_status status = o->gen.edge_types ? MS_OK : found;
  if (o->gen.edge_types && to != MS_FORMAT_TYPED_BINARY)
    to = MS_FORMAT_TABLE;
  if (status == MS_OK && !o->gen.edge_types)
    status = check_target(o, to, err);
  if (status == MS_OK)
    status = make_graph(w, to, err);
  if (status == MS_OK)
    status = make_colors(w, err);
  if (status == MS_OK)
    status = make_types(w, err);
  double made = ms_seconds();
  if (status == MS_OK)
    status = write_all(w, to, err);
  if (status == MS_OK && o->verbose) {
    ms_graph_info g = ms_graph_describe(w->graph);
    ms_cli_note("%s: %" PRIu32 " vertices, %" PRIu64 " edges, highest degree %" PRIu32
                ", seed %" PRIu64,
                ms_family_describe(o->gen.graph.family).name, g.vertices, g.edges, g.max_degree,
                o->list.screen.seed);
    ms_cli_note("seconds: make %.3f, write %.3f", made - begin, ms_seconds() - made);
  }
  return status;
}

int ms_run_gen(const ms_cli_options *o)
{
  ms_error err;
  gen_work work = {.options = o};
  ms_status status = generate(&work, &err);
  ms_free(work.planted.vertices);
  ms_typed_free(work.typed);
  ms_coloring_free(work.coloring);
  ms_graph_free(work.graph);
  return status == MS_OK ? MS_EXIT_OK : ms_cli_error(&err);
}
