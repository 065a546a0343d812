/* Makes the query of a result again as its header says, compares it with the header, and makes its
 * judge. */
#include "verify/certificate.h"

#include "base/status.h"
#include "query/pattern.h"
#include "query/query.h"
#include "query/typed_query.h"

#include <string.h>
#include <unistd.h>

/* ---- a motif --------------------------------------------------------------------- */

/* Reads the substitutions that the result was made with. */
static ms_status open_substitutes(ms_certificate *c, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  const char *path = c->options->substitutes;
  if (!h->substitutes.path)
    return MS_OK;
  if (h->max_cost > MS_MAX_COST)
    return ms_result_refuse(&c->result, h->line[MS_PART_SUBSTITUTES], "max_cost is above %u",
                            MS_MAX_COST);
  MS_TRY(ms_substitutes_read(path, c->coloring, c->motif, h->max_cost, &c->substitutes, err));
  return ms_check_crc32c(c, MS_PART_SUBSTITUTES, "substitution", path, c->substitutes->crc32c,
                         h->substitutes.crc32c);
}

ms_status ms_open_motif(ms_certificate *c, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  ms_error reason;
  ms_status status = ms_motif_parse(h->motif, c->coloring, &c->motif, &reason);
  if (status != MS_OK)
    return ms_refuse_words(c, MS_PART_MOTIF, status, &reason, err);
  if (strcmp(ms_motif_text(c->motif), h->motif) != 0)
    return ms_result_refuse(&c->result, h->line[MS_PART_MOTIF],
                            "the motif is not written in its canonical form '%.300s'",
                            ms_motif_text(c->motif));
  if (ms_motif_size(c->motif) != h->k)
    return ms_result_refuse(&c->result, h->line[MS_PART_K], "the motif has %u slots, not %u",
                            ms_motif_size(c->motif), h->k);
  status =
      ms_query_new(c->graph, c->coloring, c->motif, h->n_required, h->required, &c->query, &reason);
  if (status != MS_OK)
    return ms_refuse_words(c, MS_PART_REQUIRED, status, &reason, err);
  MS_TRY(open_substitutes(c, err));
  return ms_judge_motif(c->query, &c->judge, err);
}

/* ---- patterns ---------------------------------------------------------------------- */

static ms_status check_size(ms_certificate *c, uint64_t vertices, const char *edges_are,
                            uint64_t edges)
{
  const ms_result_pattern *stated = &c->result.header.pattern;
  const char *given = c->options->pattern;
  MS_TRY(ms_check_count(c, MS_PART_PATTERN, given, "vertices", vertices, stated->vertices));
  return ms_check_count(c, MS_PART_PATTERN, given, edges_are, edges, stated->edges);
}

/* Checks the name of a pattern vertex.  A header without columns for the pattern's vertices does
 * not state it; their names are then the roles in the rows. */
static ms_status check_name(ms_certificate *c, uint32_t i, const char *name)
{
  ms_result_header *h = &c->result.header;
  if (!h->pattern.names[i])
    h->pattern.names[i] = name;
  if (strcmp(name, h->pattern.names[i]) == 0)
    return MS_OK;
  return ms_result_refuse(&c->result, h->line[MS_PART_COLUMNS],
                          "pattern vertex %u is called '%.100s', not '%.100s'", i, name,
                          h->pattern.names[i]);
}

static ms_status check_automorphisms(ms_certificate *c, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  char text[512]; /* 256! has 507 digits */
  _Static_assert(MS_MAX_PATTERN <= 256, "no pattern has more automorphisms");
  MS_TRY(ms_judge_automorphisms(c->judge, c->automorphisms, c->options->run.stop, err));
  mpz_get_str(text, 10, c->automorphisms);
  if (strcmp(text, h->pattern.automorphisms) == 0)
    return MS_OK;
  return ms_result_refuse(&c->result, h->line[MS_PART_AUTOMORPHISMS],
                          "the pattern has %.100s automorphisms, but the header says %.100s", text,
                          h->pattern.automorphisms);
}

/* Tells the judge the required vertices. */
static ms_status require_vertices(ms_certificate *c)
{
  const ms_result_header *h = &c->result.header;
  uint64_t line = h->line[MS_PART_REQUIRED];
  uint32_t vertex[MS_MAX_K];
  for (uint32_t i = 0; i < h->n_required; i++) {
    MS_TRY(ms_find_named(c, line, h->required[i], &vertex[i]));
    for (uint32_t j = 0; j < i; j++)
      if (vertex[j] == vertex[i])
        return ms_result_refuse(&c->result, line, "'%.100s' is required twice", h->required[i]);
  }
  ms_judge_require(c->judge, h->n_required, vertex);
  return MS_OK;
}

/* ---- a pattern of one relation ------------------------------------------------------- */

/* True if the given pattern is Cypher's notation itself, which no file has as its name. */
static bool is_text(const char *given)
{
  return ms_is_notation(given) && access(given, F_OK) != 0;
}

/* Checks that the given pattern is a built-in, a file or a text, as the header states. */
static ms_status check_source(ms_certificate *c)
{
  const ms_result_pattern *stated = &c->result.header.pattern;
  const char *given = c->options->pattern;
  uint64_t line = c->result.header.line[MS_PART_PATTERN];
  /* a word names a built-in only if no file has that name */
  bool builtin = access(given, F_OK) != 0 && ms_pattern_is_name(given) && !is_text(given);
  if (!stated->name && builtin)
    return ms_result_refuse(&c->result, line,
                            "the pattern is that of the file %.200s, not the built-in '%.100s'",
                            stated->file.path, given);
  if (!stated->name && is_text(given) != ((c->result.header.has & MS_HAS_PATTERN_TEXT) != 0))
    return ms_result_refuse(&c->result, line, "the pattern is %.200s, not %.200s",
                            stated->file.path, given);
  if (stated->name && (!builtin || strcmp(given, stated->name) != 0))
    return ms_result_refuse(&c->result, line, "the pattern is the built-in '%.100s', not %.200s",
                            stated->name, given);
  return MS_OK;
}

static ms_status read_pattern(ms_certificate *c, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  const ms_verify_options *o = c->options;
  if (h->has & MS_HAS_PATTERN_TEXT)
    return ms_pattern_parse(o->pattern, h->graph.directed, &c->pattern, err);
  if (!h->pattern.name) {
    ms_graph_options options = {.size = sizeof(ms_graph_options),
                                .format = h->pattern.format,
                                .directed = h->graph.directed,
                                .run.threads = o->graph.run.threads,
                                .run.memory = o->graph.run.memory};
    return ms_pattern_read(o->pattern, &options, o->pattern_colors, &c->pattern, err);
  }
  ms_error reason;
  ms_status status = ms_pattern_named(h->pattern.name, &c->pattern, &reason);
  if (status != MS_OK)
    return ms_refuse_words(c, MS_PART_PATTERN, status, &reason, err);
  return h->pattern.colors.path ? ms_pattern_read_colors(c->pattern, o->pattern_colors, err)
                                : MS_OK;
}

ms_status ms_open_pattern(ms_certificate *c, ms_error *err)
{
  const ms_result_pattern *stated = &c->result.header.pattern;
  MS_TRY(check_source(c));
  MS_TRY(read_pattern(c, err));
  const ms_pattern *pattern = c->pattern;
  if (!stated->name)
    MS_TRY(ms_check_crc32c(c, MS_PART_PATTERN, "pattern", c->options->pattern, pattern->crc32c,
                           stated->file.crc32c));
  if (stated->colors.path)
    MS_TRY(ms_check_crc32c(c, MS_PART_PATTERN_COLORS, "pattern's colour",
                           c->options->pattern_colors, pattern->colors_crc32c,
                           stated->colors.crc32c));
  MS_TRY(check_size(c, pattern->n, pattern->directed ? "arcs" : "edges",
                    ms_pattern_edge_count(pattern)));
  for (uint32_t i = 0; i < pattern->n; i++)
    MS_TRY(check_name(c, i, ms_pattern_vertex_name(pattern, i)));
  MS_TRY(ms_judge_pattern(c->graph, c->coloring, pattern, stated->induced,
                          !stated->embeddings && !c->report->is_screen, &c->judge, err));
  MS_TRY(require_vertices(c));
  return c->report->is_screen ? MS_OK : check_automorphisms(c, err);
}

/* ---- a typed pattern ------------------------------------------------------------------- */

/* Reads the pattern, which is given as text or as a file.  The file may be a typed graph, which is
 * read with the graph's relations. */
static ms_status read_typed_pattern(ms_certificate *c, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  const ms_verify_options *o = c->options;
  const char *given = o->pattern;
  if (is_text(given))
    return ms_typed_pattern_parse(given, &c->typed_pattern, err);
  bool directed =
      h->has & MS_HAS_PLAIN ? h->graph.directed : o->typed.directed || h->typed.reading.directed;
  ms_typed_options options = {.size = sizeof(ms_typed_options),
                              .directed = directed,
                              .relations = o->typed.relations,
                              .run.threads = o->typed.run.threads};
  return ms_typed_pattern_read(given, &options, &c->typed_pattern, err);
}

ms_status ms_open_typed(ms_certificate *c, ms_error *err)
{
  const ms_result_header *h = &c->result.header;
  const ms_result_pattern *stated = &h->pattern;
  MS_TRY(read_typed_pattern(c, err));
  const ms_typed_pattern *pattern = c->typed_pattern;
  if (pattern->crc32c != stated->file.crc32c)
    return ms_result_refuse(
        &c->result, h->line[MS_PART_PATTERN],
        "'%.100s' is not the pattern that the result was made with, '%.100s': its "
        "CRC-32C is %08x, but the header says %08x",
        c->options->pattern, stated->file.path, pattern->crc32c, stated->file.crc32c);
  MS_TRY(check_size(c, pattern->n, "edges", pattern->edges));
  for (uint32_t i = 0; i < pattern->n; i++)
    MS_TRY(check_name(c, i, ms_typed_pattern_vertex_name(pattern, i)));
  MS_TRY(ms_typed_query_new(c->typed, pattern, &c->typed_query, err));
  MS_TRY(ms_judge_typed(c->typed_query, stated->induced,
                        !stated->embeddings && !c->report->is_screen, &c->judge, err));
  MS_TRY(require_vertices(c));
  return c->report->is_screen ? MS_OK : check_automorphisms(c, err);
}
