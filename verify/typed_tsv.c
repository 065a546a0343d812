/* The header of typed matches in TSV, from the graph to the mode. */
#include "verify/result_tsv.h"

#include "graph/io/typed_read.h"

#include <string.h>

/* "PATH crc32c=.. vertices=.. edges=.."; *rest: what follows. */
static bool read_sized_file(char *line, ms_result_file *file, uint64_t most, uint64_t *vertices,
                            uint64_t *edges, const char **rest)
{
  return ms_tsv_take_file(line, file, rest) && ms_take_word(rest, " vertices=") &&
         ms_take_count(rest, most, vertices) && ms_take_word(rest, " edges=") &&
         ms_take_count(rest, UINT64_MAX, edges);
}

static bool read_graph(ms_result_header *h, char *line)
{
  char word[32];
  const char *text;
  ms_result_file file;
  uint64_t vertices;
  bool ok = read_sized_file(line, &file, UINT32_MAX, &vertices, &h->edges, &text) &&
            ms_tsv_take_setting(&text, " format=", word, sizeof word) && !*text &&
            ms_typed_format_find(word, &h->typed.reading.format);
  if (ok) {
    h->graph_crc32c = file.crc32c;
    h->vertices = (uint32_t)vertices;
  }
  return ok;
}

static ms_status read_settings(ms_result *result)
{
  ms_result_typed *typed = &result->header.typed;
  ms_typed_options *o = &typed->reading;
  const struct {
    const char *label;
    const char **value;
  } settings[] = {{"# node_name_column: ", &o->node_name_column},
                  {"# node_type_column: ", &o->node_type_column},
                  {"# source_column: ", &o->source_column},
                  {"# target_column: ", &o->target_column},
                  {"# type_column: ", &o->type_column},
                  {"# source_type_column: ", &o->source_type_column},
                  {"# target_type_column: ", &o->target_type_column}};
  ms_status status = ms_tsv_read_file(result, "# nodes: ", MS_PART_NODES, &typed->nodes);
  if (status == MS_OK) {
    status = ms_tsv_read_file(result, "# relations: ", MS_PART_RELATIONS, &typed->relations);
  }
  if (status == MS_OK) {
    status = ms_tsv_read_directed(result, &o->directed);
  }
  for (size_t i = 0; i < sizeof settings / sizeof *settings && status == MS_OK; i++) {
    status = ms_tsv_read_setting(result, settings[i].label, settings[i].value);
  }
  return status;
}

/* Of a plain graph the line tells more. */
static bool is_plain(const ms_result *result)
{
  const char *end = strchr(result->at, '\n');
  return end && memmem(result->at, (size_t)(end - result->at), " min_score=", 11) != NULL;
}

static ms_status read_inputs(ms_result *result)
{
  ms_result_header *h = &result->header;
  h->typed.plain = is_plain(result);
  if (h->typed.plain) {
    return ms_tsv_read_inputs(result);
  }
  char *line = ms_tsv_expect(result, "# graph: ");
  if (!line || !read_graph(h, line)) {
    return line ? ms_tsv_wrong(result, "graph") : MS_ERR_INPUT;
  }
  h->line[MS_PART_GRAPH] = result->line;
  return read_settings(result);
}

static ms_status read_pattern(ms_result *result)
{
  ms_result_header *h = &result->header;
  const char *rest;
  uint64_t vertices;
  char *line = ms_tsv_expect(result, "# pattern: ");
  if (!line ||
      !read_sized_file(line, &h->pattern.file, MS_MAX_PATTERN, &vertices, &h->pattern.edges,
                       &rest) ||
      *rest || vertices == 0) {
    return line ? ms_tsv_wrong(result, "pattern") : MS_ERR_INPUT;
  }
  h->line[MS_PART_PATTERN] = result->line;
  h->k = h->pattern.vertices = (uint32_t)vertices;
  return MS_OK;
}

/* What an exact result says of the question. */
static ms_status read_question(ms_result *result)
{
  ms_result_header *h = &result->header;
  const char *text = ms_tsv_expect(result, "# semantics: ");
  if (!text) {
    return MS_ERR_INPUT;
  }
  h->pattern.embeddings = strcmp(text, "embeddings") == 0;
  if (!h->pattern.embeddings && strcmp(text, "subgraphs") != 0) {
    return ms_tsv_wrong(result, "semantics");
  }
  h->pattern.automorphisms = ms_tsv_expect(result, "# automorphisms: ");
  h->line[MS_PART_AUTOMORPHISMS] = result->line;
  if (!h->pattern.automorphisms || !(text = ms_tsv_expect(result, "# mode: "))) {
    return MS_ERR_INPUT;
  }
  h->exact = strcmp(text, "exact") == 0;
  return h->exact ? MS_OK : ms_tsv_wrong(result, "mode");
}

ms_status ms_tsv_read_typed(ms_result *result)
{
  ms_status status = read_inputs(result);
  if (status == MS_OK) {
    status = read_pattern(result);
  }
  if (status != MS_OK) {
    return status;
  }
  result->header.typed.inexact = ms_tsv_comes(result, "# mode: inexact\n");
  return result->header.typed.inexact ? MS_OK : read_question(result);
}
