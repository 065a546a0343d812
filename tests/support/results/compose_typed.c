#include "tests/support/results/compose_typed.h"

#include "base/crc32c.h"
#include "graph/formats/typed/typed_read.h"
#include "query/typed_query.h"
#include "tests/support/results/compose_head.h"
#include "tests/support/search/recounts.h"
#include "tests/support/test_main.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void typed_inputs_read(typed_inputs *in)
{
  ms_error err = {0};
  if (in->plain) {
    ms_graph_options options = {.size = sizeof(ms_graph_options), .directed = in->directed};
    ck_ok(ms_graph_read(in->graph_path, &options, &in->plain_graph, &err));
    if (in->colors_path)
      ck_ok(ms_coloring_read(in->colors_path, in->plain_graph, NULL, &in->coloring, &err));
    ck_ok(ms_typed_from_graph(in->plain_graph, in->coloring, 1, &in->graph, &err));
  } else {
    in->reading.size = sizeof in->reading;
    ck_ok(ms_typed_read(in->graph_path, &in->reading, &in->graph, &err));
  }
  ck_ok(in->text ? ms_typed_pattern_parse(in->pattern, &in->read_pattern, &err)
                 : ms_typed_pattern_read(in->pattern, NULL, &in->read_pattern, &err));
  ck_ok(ms_typed_query_new(in->graph, in->read_pattern, &in->query, &err));
}

void typed_inputs_free(typed_inputs *in)
{
  ms_typed_query_free(in->query);
  ms_typed_pattern_free(in->read_pattern);
  ms_typed_free(in->graph);
  ms_coloring_free(in->coloring);
  ms_graph_free(in->plain_graph);
}

typedef struct composer {
  const typed_inputs *in;
  const matches_layout *layout;
  FILE *out;
  ms_judge *judge;
  long at; /* rows seen */
  uint64_t rows;
  char automorphisms[128];
} composer;

/* ---- TSV ------------------------------------------------------------------------ */

static void put_column(FILE *out, const char *name, const char *value)
{
  if (value)
    fprintf(out, "# %s: %s\n", name, value);
}

static void put_tsv_typed(const typed_inputs *in, FILE *out)
{
  const ms_typed_options *o = &in->reading;
  ms_typed_info info = ms_typed_describe(in->graph);
  fprintf(out, "# graph: %s crc32c=%08x vertices=%u edges=%" PRIu64 " format=%s\n", in->graph_path,
          info.crc32c, info.vertices, info.edges, ms_typed_format_name(info.format));
  if (o->nodes)
    fprintf(out, "# nodes: %s crc32c=%08x\n", o->nodes, info.nodes_crc32c);
  if (o->relations)
    fprintf(out, "# relations: %s crc32c=%08x\n", o->relations, info.relations_crc32c);
  if (o->directed)
    fputs("# directed: 1\n", out);
  put_column(out, "node_name_column", o->node_name_column);
  put_column(out, "node_type_column", o->node_type_column);
  put_column(out, "source_column", o->source_column);
  put_column(out, "target_column", o->target_column);
  put_column(out, "type_column", o->type_column);
  put_column(out, "source_type_column", o->source_type_column);
  put_column(out, "target_type_column", o->target_type_column);
}

static compose_graph plain_of(const typed_inputs *in)
{
  return (compose_graph){in->plain_graph, in->coloring, in->graph_path, in->colors_path,
                         in->directed};
}

static void put_tsv_head(const composer *c)
{
  const typed_inputs *in = c->in;
  compose_graph plain = plain_of(in);
  FILE *out = c->out;
  fputs("# motifsieve 0.1.0 match\n", out);
  if (in->plain)
    compose_tsv_graph(&plain, out);
  else
    put_tsv_typed(in, out);
  fprintf(out,
          "# kind: typed\n# pattern: %s crc32c=%08x vertices=%u edges=%u\n# semantics: %s\n"
          "# automorphisms: %s\n# mode: exact\nmatch",
          in->pattern, in->read_pattern->crc32c, in->read_pattern->n, in->read_pattern->edges,
          c->layout->embeddings ? "embeddings" : "subgraphs", c->automorphisms);
  for (uint32_t i = 0; i < in->query->n; i++)
    fprintf(out, "\t%s", ms_typed_pattern_vertex_name(in->read_pattern, i));
  fputc('\n', out);
}

/* ---- JSON ------------------------------------------------------------------------ */

static void put_key(FILE *out, const char *name, const char *value)
{
  if (value)
    fprintf(out, ",\"%s\":\"%s\"", name, value);
}

static void put_json_typed(const typed_inputs *in, FILE *out)
{
  const ms_typed_options *o = &in->reading;
  ms_typed_info info = ms_typed_describe(in->graph);
  fprintf(out,
          "{\"path\":\"%s\",\"crc32c\":\"%08x\",\"vertices\":%u,\"edges\":%" PRIu64
          ",\"format\":\"%s\"",
          in->graph_path, info.crc32c, info.vertices, info.edges,
          ms_typed_format_name(info.format));
  if (o->nodes)
    fprintf(out, ",\"nodes\":{\"path\":\"%s\",\"crc32c\":\"%08x\"}", o->nodes, info.nodes_crc32c);
  if (o->relations)
    fprintf(out, ",\"relations\":{\"path\":\"%s\",\"crc32c\":\"%08x\"}", o->relations,
            info.relations_crc32c);
  if (o->directed)
    fputs(",\"directed\":true", out);
  put_key(out, "node_name_column", o->node_name_column);
  put_key(out, "node_type_column", o->node_type_column);
  put_key(out, "source_column", o->source_column);
  put_key(out, "target_column", o->target_column);
  put_key(out, "type_column", o->type_column);
  put_key(out, "source_type_column", o->source_type_column);
  put_key(out, "target_type_column", o->target_type_column);
  fputs("},", out);
}

static void put_json_head(const composer *c)
{
  const typed_inputs *in = c->in;
  compose_graph plain = plain_of(in);
  FILE *out = c->out;
  fputs("{\"type\":\"header\",\"tool\":\"motifsieve\",\"version\":\"0.1.0\","
        "\"command\":\"match\",\"schema\":1,\"graph\":",
        out);
  if (in->plain)
    compose_json_graph(&plain, out);
  else
    put_json_typed(in, out);
  fprintf(
      out,
      "\"kind\":\"typed\",\"pattern\":{\"%s\":\"%s\",\"crc32c\":\"%08x\",\"vertices\":%u,\"edges\":%u,\"names\":[",
      in->text ? "text" : "path", in->pattern, in->read_pattern->crc32c, in->read_pattern->n,
      in->read_pattern->edges);
  for (uint32_t i = 0; i < in->query->n; i++)
    fprintf(out, "%s\"%s\"", i ? "," : "", ms_typed_pattern_vertex_name(in->read_pattern, i));
  fprintf(
      out,
      "]},\"semantics\":\"%s\",\"induced\":false,\"automorphisms\":\"%s\",\"mode\":\"exact\"}\n",
      c->layout->embeddings ? "embeddings" : "subgraphs", c->automorphisms);
}

/* ---- both -------------------------------------------------------------------------- */

static bool put_row(void *user, const uint32_t *row)
{
  composer *c = user;
  bool json = c->layout->form == MATCHES_JSON;
  if (ms_judge_row(c->judge, row) == MS_MATCH_NOT_SMALLEST || c->at++ == c->layout->drop)
    return true;
  c->rows++;
  fprintf(c->out, json ? "{\"type\":\"match\",\"match\":%" PRIu64 ",\"vertices\":[" : "%" PRIu64,
          c->rows);
  for (uint32_t i = 0; i < c->in->query->n; i++)
    fprintf(c->out, !json ? "\t%s" : i ? ",\"%s\"" : "\"%s\"", ms_typed_name(c->in->graph, row[i]));
  fputs(json ? "]}\n" : "\n", c->out);
  return true;
}

matches_file typed_compose(const typed_inputs *in, const matches_layout *layout)
{
  matches_file file = {0};
  ms_error err = {0};
  composer c = {.in = in, .layout = layout};
  mpz_t number;
  mpz_init(number);
  ck_ok(count_typed_automorphisms(in->query, number, NULL, &err));
  mpz_get_str(c.automorphisms, 10, number);
  ck_ok(ms_judge_typed(in->query, false, !layout->embeddings, &c.judge, &err));
  c.out = open_memstream(&file.bytes, &file.size);
  if (layout->form == MATCHES_JSON)
    put_json_head(&c);
  else
    put_tsv_head(&c);
  ck_ok(recount_typed(in->query, number, put_row, &c, NULL, &err));
  compose_tail(c.out, layout->form == MATCHES_JSON, layout->status, c.rows);
  fclose(c.out);
  file.rows = c.rows;
  ms_judge_free(c.judge);
  mpz_clear(number);
  return matches_seal(file, layout->form);
}
