/* The samples of a comparison, read as its header says, their colours, and the rows. */
#include "base/alloc.h"
#include "base/status.h"
#include "query/query.h"
#include "verify/statistics/compare.h"

#include <string.h>

/* ---- the inputs --------------------------------------------------------------------- */

static ms_status check_sheet(ms_certificate *c)
{
  const ms_result_header *h = &c->result.header;
  ms_samples_info info = ms_samples_describe(c->comparison->samples);
  MS_TRY(ms_check_crc32c(c, MS_PART_GRAPH, "sheet", info.path, info.crc32c, h->graph_crc32c));
  MS_TRY(ms_check_crc32c(c, MS_PART_COLORS, "sheet", info.path, info.crc32c, h->colors_crc32c));
  MS_TRY(ms_check_count(c, MS_PART_GRAPH, info.path, "vertices",
                        info.vertices < UINT32_MAX ? info.vertices : UINT32_MAX, h->vertices));
  MS_TRY(ms_check_count(c, MS_PART_GRAPH, info.path, "edges", info.edges, h->edges));
  ms_graph_info graph = ms_graph_describe(ms_samples_get(c->comparison->samples, 0).graph);
  return graph.alias_path ? ms_check_crc32c(c, MS_PART_ALIAS, "alias", graph.alias_path,
                                            graph.alias_crc32c, h->alias.crc32c)
                          : MS_OK;
}

static bool is_crc32c(const char *text, uint32_t wanted)
{
  uint32_t number;
  return ms_take_crc32c(&text, &number) && !*text && number == wanted;
}

/* Compares each sample with the header. */
static ms_status check_samples(ms_certificate *c)
{
  const ms_result_header *h = &c->result.header;
  const ms_result_samples *r = &h->samples;
  const ms_samples *samples = c->comparison->samples;
  ms_samples_info info = ms_samples_describe(samples);
  uint64_t line = h->line[MS_PART_SAMPLES];
  uint32_t of_files = r->sheet ? r->count : 0;
  if (r->count != info.samples || r->n_groups != r->count || r->n_sets != r->count ||
      r->n_vertices != r->count || r->n_graphs != of_files || r->n_colors != of_files ||
      r->n_blocks != (info.blocks > 0 ? r->count : 0))
    return ms_result_refuse(&c->result, line, "there are %u samples, and the header's lists differ",
                            info.samples);
  for (uint32_t i = 0; i < r->count; i++) {
    ms_sample_info s = ms_samples_get(samples, i);
    if (strcmp(r->each->name[i], s.name) != 0 || strcmp(r->each->group[i], s.group) != 0 ||
        (info.blocks > 0 && strcmp(r->each->block[i], s.block) != 0))
      return ms_result_refuse(&c->result, line,
                              "sample %u is '%.100s' in the group '%.100s', and the header says "
                              "something else",
                              i + 1, s.name, s.group);
    if (r->sheet && (!is_crc32c(r->each->graph_crc32c[i], ms_graph_describe(s.graph).crc32c) ||
                     !is_crc32c(r->each->color_crc32c[i], ms_coloring_describe(s.coloring).crc32c)))
      return ms_result_refuse(&c->result, line,
                              "the graph or the colours of sample '%.100s' are not those that the "
                              "result was made from",
                              s.name);
  }
  return MS_OK;
}

/* Reads the samples as the header says, and compares them with the header. */
static ms_status open_samples(ms_certificate *c, ms_error *err)
{
  ms_graph_options graph = ms_graph_reading(c);
  ms_color_options colors = ms_color_reading(c);
  const ms_result_samples *r = &c->result.header.samples;
  ms_sample_options o = MS_SAMPLE_OPTIONS_DEFAULT;
  ms_error reason;
  o.sample_column = r->sample_column;
  o.group_column = r->group_column;
  o.block_column = r->block_column;
  o.vertex_column = r->vertex_column;
  o.below = c->options->below;
  o.aliases = r->sheet ? c->options->aliases : NULL;
  c->comparison = ms_calloc(1, sizeof *c->comparison);
  if (!c->comparison)
    return ms_fail_memory(err, "a comparison");
  c->comparison->c = c;
  if (!r->sheet && !r->metadata.path)
    return ms_result_refuse(&c->result, 0, "the header has neither a sheet nor metadata");
  ms_status status = r->sheet ? ms_samples_read(c->graph_path, &graph, &colors, &o,
                                                &c->comparison->samples, &reason)
                              : ms_samples_split(c->graph, c->coloring, c->options->metadata, &o,
                                                 &c->comparison->samples, &reason);
  if (status != MS_OK)
    return status == MS_ERR_USAGE ? ms_refuse_words(c, MS_PART_SAMPLES, status, &reason, err)
                                  : ms_fail(err, status, "%s", reason.message);
  ms_samples_info info = ms_samples_describe(c->comparison->samples);
  if (r->sheet)
    MS_TRY(check_sheet(c));
  else
    MS_TRY(ms_check_crc32c(c, MS_PART_METADATA, "metadata", info.path, info.crc32c,
                           r->metadata.crc32c));
  return check_samples(c);
}

/* ---- colours ------------------------------------------------------------------------ */

static ms_status join_colors(ms_verify_comparison *w, ms_error *err)
{
  ms_certificate *c = w->c;
  const ms_result_header *h = &c->result.header;
  uint64_t assignments = 0;
  MS_TRY(ms_names_new(&w->colors, err));
  for (uint32_t s = 0; s < w->n; s++) {
    const ms_coloring *own = ms_samples_get(w->samples, s).coloring;
    ms_coloring_info info = ms_coloring_describe(own);
    assignments += info.assignments;
    for (uint32_t i = 0, id; i < info.colors; i++) {
      const char *name = ms_coloring_name(own, i);
      MS_TRY(ms_names_add(w->colors, name, strlen(name), &id, err));
    }
  }
  uint32_t colors = ms_names_count(w->colors);
  if (h->samples.sheet && (colors != h->colors || assignments != h->assignments))
    return ms_result_refuse(&c->result, h->line[MS_PART_COLORS],
                            "the samples have %u colours and %llu assignments", colors,
                            (unsigned long long)assignments);
  w->counts = ms_alloc(colors, 1);
  if (!w->counts)
    return ms_fail_memory(err, "the colours of a comparison");
  memset(w->counts, h->census.n_only == 0, colors);
  for (uint32_t i = 0; i < h->census.n_only; i++) {
    uint32_t id = ms_names_find(w->colors, h->census.only[i], strlen(h->census.only[i]));
    if (id == MS_NO_ID)
      return ms_result_refuse(&c->result, h->line[MS_PART_ONLY], "'%.100s' is not a colour",
                              h->census.only[i]);
    w->counts[id] = 1;
  }
  return MS_OK;
}

/* Makes the colouring of a sample with the colours that count, and counts their vertices. */
static ms_status restrict_sample(ms_verify_comparison *w, uint32_t s, const char *const *names,
                                 ms_error *err)
{
  ms_sample_info sample = ms_samples_get(w->samples, s);
  uint32_t colors = ms_names_count(w->colors), n = ms_graph_describe(sample.graph).vertices, own;
  uint64_t room = ms_coloring_describe(sample.coloring).assignments, pairs = 0;
  uint32_t(*pair)[2] = ms_alloc(room, sizeof *pair);
  if (!pair)
    return ms_fail_memory(err, "the colours of a sample");
  for (uint32_t v = 0; v < n; v++) {
    const uint32_t *list = ms_coloring_of(sample.coloring, v, &own);
    uint32_t taken = 0, least = UINT32_MAX;
    for (uint32_t i = 0; i < own; i++) {
      const char *name = ms_coloring_name(sample.coloring, list[i]);
      uint32_t id = ms_names_find(w->colors, name, strlen(name));
      if (!w->counts[id])
        continue;
      least = id < least ? id : least;
      if (taken > 0 && w->c->result.header.census.primary) {
        pair[pairs - 1][1] = least;
        continue;
      }
      pair[pairs][0] = v;
      pair[pairs++][1] = id;
      taken++;
    }
    w->vertices[s] += taken > 0;
    w->single = w->single && taken <= 1;
  }
  for (uint64_t i = 0; i < pairs; i++)
    w->have[(uint64_t)s * colors + pair[i][1]]++;
  ms_status status = ms_coloring_from_pairs(sample.graph, pairs, (const uint32_t(*)[2])pair, colors,
                                            names, &w->coloring[s], err);
  ms_free(pair);
  return status;
}

static ms_status open_all(ms_verify_comparison *w, ms_error *err)
{
  ms_samples_info info = ms_samples_describe(w->samples);
  w->n = info.samples;
  w->k = w->c->result.header.k;
  w->groups = info.groups;
  w->single = true;
  w->labels = w->n == w->groups && w->c->result.header.kind == MS_KIND_COMPARISON;
  w->blocks = info.blocks == 0 || w->labels ? 1 : info.blocks;
  w->group = ms_alloc(w->n, sizeof *w->group);
  w->block = ms_calloc(w->n, sizeof *w->block);
  w->vertices = ms_calloc(w->n, sizeof *w->vertices);
  w->sets = ms_calloc(w->n, sizeof *w->sets);
  w->coloring = ms_calloc(w->n, sizeof(ms_coloring *));
  w->kept = ms_calloc(w->n, sizeof *w->kept);
  if (!w->group || !w->block || !w->vertices || !w->sets || !w->coloring || !w->kept)
    return ms_fail_memory(err, "a comparison");
  for (uint32_t s = 0; s < w->n; s++) {
    w->group[s] = ms_samples_get(w->samples, s).group_id;
    w->block[s] = w->blocks > 1 ? ms_samples_get(w->samples, s).block_id : 0;
  }
  return join_colors(w, err);
}

ms_status ms_open_comparison(ms_certificate *c, ms_error *err)
{
  MS_TRY(open_samples(c, err));
  ms_verify_comparison *w = c->comparison;
  MS_TRY(open_all(w, err));
  uint32_t colors = ms_names_count(w->colors);
  const char **names = ms_alloc(colors, sizeof *names);
  w->have = ms_calloc((uint64_t)w->n * colors, sizeof *w->have);
  ms_status status = names && w->have ? MS_OK : ms_fail_memory(err, "colours");
  for (uint32_t i = 0; names && i < colors; i++)
    names[i] = ms_names_get(w->colors, i);
  for (uint32_t s = 0; s < w->n && status == MS_OK; s++)
    status = restrict_sample(w, s, names, err);
  ms_free(names);
  return status;
}
/* ---- rows --------------------------------------------------------------------------- */

uint32_t ms_find_group(const ms_verify_comparison *w, const char *name)
{
  for (uint32_t s = 0; s < w->n; s++)
    if (strcmp(ms_samples_get(w->samples, s).group, name) == 0)
      return w->group[s];
  return MS_NO_ID;
}

static uint32_t find_sample(const ms_verify_comparison *w, const char *name)
{
  for (uint32_t s = 0; s < w->n; s++)
    if (strcmp(ms_samples_get(w->samples, s).name, name) == 0)
      return s;
  return MS_NO_ID;
}

static ms_status take_row(ms_certificate *c, ms_error *err)
{
  ms_verify_comparison *w = c->comparison;
  const ms_result_row *row = &c->result.row;
  bool counts = c->result.header.kind == MS_KIND_SAMPLE_COUNTS;
  if (!MS_GROW(w->stated, w->room, w->rows, 1))
    return ms_fail_memory(err, "the rows of the result file");
  ms_stated *next = &w->stated[w->rows];
  *next = (ms_stated){.sets = row->compared.sets,
                      .line = row->line,
                      .permutations = row->compared.permutations,
                      .exact = row->compared.exact};
  memcpy(next->number, row->compared.number, sizeof next->number);
  MS_TRY(ms_verify_motif(c, row->compared.motif, w->coloring[0], w->k, ms_names_count(w->colors),
                         next->color, err));
  next->group =
      counts ? find_sample(w, row->compared.sample) : ms_find_group(w, row->compared.group);
  next->reference = counts                          ? 0
                    : c->result.header.samples.rest ? MS_ALL_OTHERS
                                                    : ms_find_group(w, row->compared.reference);
  bool known = next->group != MS_NO_ID &&
               (counts ? w->group[next->group] == ms_find_group(w, row->compared.group)
                : c->result.header.samples.rest ? strcmp(row->compared.reference, "*") == 0
                                                : next->reference != MS_NO_ID);
  if (!known)
    return ms_result_refuse(&c->result, row->line, "there are no such samples or groups");
  w->rows++;
  c->report->rows = ++c->rows;
  return MS_OK;
}

ms_status ms_check_comparison(ms_certificate *c, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  const ms_verify_comparison *w = c->comparison;
  bool more;
  MS_TRY(ms_result_next_row(&c->result, &more, err));
  while (more && !ms_is_stopped(c)) {
    MS_TRY(take_row(c, err));
    MS_TRY(ms_result_next_row(&c->result, &more, err));
  }
  if (more)
    return MS_OK;
  if (h->kind == MS_KIND_COMPARISON && (h->samples.test == MS_TEST_LABELS) != w->labels)
    return ms_result_refuse(&c->result, h->line[MS_PART_TEST],
                            "samples are permuted if and only if some group has several");
  if (h->motifs_found == 0 && (h->status == MS_RESULT_COMPLETE || c->rows > 0))
    return ms_result_refuse(&c->result, h->line[MS_PART_FOUND], "no motif was found");
  return MS_OK;
}
