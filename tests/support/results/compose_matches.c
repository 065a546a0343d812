#include "tests/support/results/compose_matches.h"

#include "base/crc32c.h"
#include "query/pattern.h"
#include "tests/support/results/compose_head.h"
#include "tests/support/search/recounts.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void matches_read(matches_inputs *in)
{
  ms_error err = {0};
  ms_graph_options options = {.size = sizeof(ms_graph_options), .directed = in->directed};
  ck_assert_msg(ms_graph_read(in->graph_path, &options, &in->graph, &err) == MS_OK, "%s",
                err.message);
  if (in->colors_path)
    ck_assert_msg(ms_coloring_read(in->colors_path, in->graph, NULL, &in->coloring, &err) == MS_OK,
                  "%s", err.message);
  ms_status status = in->builtin ? ms_pattern_named(in->pattern_path, &in->pattern, &err)
                                 : ms_pattern_read(in->pattern_path, &options,
                                                   in->pattern_colors_path, &in->pattern, &err);
  ck_assert_msg(status == MS_OK, "%s", err.message);
}

void matches_free(matches_inputs *in)
{
  ms_pattern_free(in->pattern);
  ms_coloring_free(in->coloring);
  ms_graph_free(in->graph);
}

typedef struct composer {
  const matches_inputs *in;
  const matches_layout *layout;
  FILE *out;
  ms_judge *judge;
  long at; /* rows seen */
  uint64_t rows;
  char automorphisms[128];
} composer;

static void put32(FILE *out, uint32_t value)
{
  for (int i = 0; i < 4; i++)
    fputc((int)(value >> 8 * i & 255), out);
}

static uint64_t edge_count(const ms_pattern *pattern)
{
  uint64_t edges = 0;
  for (uint32_t i = 0; i < pattern->n; i++)
    for (uint32_t j = pattern->directed ? 0 : i; j < pattern->n; j++)
      edges += ms_bitset_has(&pattern->out[i], j);
  return edges;
}

/* ---- TSV ------------------------------------------------------------------------ */

static compose_graph graph_of(const composer *c)
{
  const matches_inputs *in = c->in;
  return (compose_graph){in->graph, in->coloring, in->graph_path, in->colors_path, in->directed};
}

static void put_tsv_head(const composer *c, FILE *out)
{
  const ms_pattern *pattern = c->in->pattern;
  compose_graph graph = graph_of(c);
  fputs("# motifsieve 0.1.0 match\n", out);
  compose_tsv_graph(&graph, out);
  fprintf(out, "# pattern: %s", c->in->pattern_path);
  if (!c->in->builtin)
    fprintf(out, " crc32c=%08x", pattern->crc32c);
  fprintf(out, " vertices=%u edges=%" PRIu64, pattern->n, edge_count(pattern));
  if (!c->in->builtin)
    fprintf(out, " format=%s", ms_graph_format_describe(pattern->format).name);
  if (pattern->colors_path)
    fprintf(out, "\n# pattern_colors: %s crc32c=%08x", pattern->colors_path,
            pattern->colors_crc32c);
  fprintf(out, "\n# semantics: %s%s\n# automorphisms: %s\n",
          c->layout->embeddings ? "embeddings" : "subgraphs", c->layout->induced ? " induced" : "",
          c->automorphisms);
  if (c->layout->screened)
    fputs("# mode: screened\n# recurrence: sibling\n# seed: 7\n# repetitions: 3 of 3\n"
          "# miss_bound: 0 = 0: every vertex that pruning left is flagged\n"
          "# miss_bound_union: 0\n",
          out);
  else
    fputs("# mode: exact\n", out);
  fputs("match", out);
  for (uint32_t i = 0; i < pattern->n; i++)
    fprintf(out, "\t%s", ms_pattern_vertex_name(pattern, i));
  fputc('\n', out);
}

/* ---- JSON ------------------------------------------------------------------------ */

static void put_json_head(const composer *c, FILE *out)
{
  const ms_pattern *pattern = c->in->pattern;
  compose_graph graph = graph_of(c);
  fputs("{\"type\":\"header\",\"tool\":\"motifsieve\",\"version\":\"0.1.0\",\"command\":\"match\","
        "\"schema\":1,\"graph\":",
        out);
  compose_json_graph(&graph, out);
  fprintf(out, "\"pattern\":{\"%s\":\"%s\",", c->in->builtin ? "name" : "path",
          c->in->pattern_path);
  if (!c->in->builtin)
    fprintf(out, "\"crc32c\":\"%08x\",\"format\":\"%s\",", pattern->crc32c,
            ms_graph_format_describe(pattern->format).name);
  fprintf(out, "\"vertices\":%u,\"edges\":%" PRIu64 ",\"names\":[", pattern->n,
          edge_count(pattern));
  for (uint32_t i = 0; i < pattern->n; i++)
    fprintf(out, "%s\"%s\"", i ? "," : "", ms_pattern_vertex_name(pattern, i));
  fputs("]},", out);
  if (pattern->colors_path)
    fprintf(out, "\"pattern_colors\":{\"path\":\"%s\",\"crc32c\":\"%08x\"},", pattern->colors_path,
            pattern->colors_crc32c);
  fprintf(out, "\"semantics\":\"%s\",\"induced\":%s,\"automorphisms\":\"%s\",",
          c->layout->embeddings ? "embeddings" : "subgraphs", c->layout->induced ? "true" : "false",
          c->automorphisms);
  fputs(c->layout->screened
            ? "\"mode\":\"screened\",\"recurrence\":\"sibling\",\"seed\":7,\"repetitions\":3,"
              "\"repetitions_planned\":3,\"miss_bound\":0.0,\"miss_bound_formula\":"
              "\"0: every vertex that pruning left is flagged\",\"miss_bound_union\":0.0}\n"
            : "\"mode\":\"exact\"}\n",
        out);
}

/* ---- all forms --------------------------------------------------------------------- */

static void put_head(composer *c)
{
  char *head;
  size_t size;
  if (c->layout->form == MATCHES_JSON) {
    put_json_head(c, c->out);
    return;
  }
  FILE *memory = open_memstream(&head, &size);
  put_tsv_head(c, memory);
  fclose(memory);
  if (c->layout->form == MATCHES_BINARY) {
    fputs("MSMATCH1", c->out);
    put32(c->out, (uint32_t)size);
  }
  fwrite(head, 1, size, c->out);
  for (; c->layout->form == MATCHES_BINARY && size % 4 != 0; size++)
    fputc(0, c->out);
  free(head);
}

static bool put_row(void *user, const uint32_t *row)
{
  composer *c = user;
  if (ms_judge_row(c->judge, row) == MS_MATCH_NOT_SMALLEST || c->at++ == c->layout->drop)
    return true;
  c->rows++;
  if (c->layout->form == MATCHES_TSV)
    fprintf(c->out, "%" PRIu64, c->rows);
  if (c->layout->form == MATCHES_JSON)
    fprintf(c->out, "{\"type\":\"match\",\"match\":%" PRIu64 ",\"vertices\":[", c->rows);
  for (uint32_t i = 0; i < c->in->pattern->n; i++) {
    const char *name = ms_graph_name(c->in->graph, row[i]);
    if (c->layout->form == MATCHES_TSV)
      fprintf(c->out, "\t%s", name);
    else if (c->layout->form == MATCHES_JSON)
      fprintf(c->out, "%s\"%s\"", i ? "," : "", name);
    else
      put32(c->out, row[i]);
  }
  fputs(c->layout->form == MATCHES_TSV    ? "\n"
        : c->layout->form == MATCHES_JSON ? "]}\n"
                                          : "",
        c->out);
  return true;
}

static void put_tail(composer *c)
{
  if (c->layout->form != MATCHES_BINARY) {
    compose_tail(c->out, c->layout->form == MATCHES_JSON, c->layout->status, c->rows);
    return;
  }
  fputs("MSEND001", c->out);
  put32(c->out, (uint32_t)c->rows);
  put32(c->out, (uint32_t)(c->rows >> 32));
  put32(c->out, c->layout->status);
  put32(c->out, 0);
}

matches_file matches_compose(const matches_inputs *in, const matches_layout *layout)
{
  matches_file file = {0};
  composer c = {.in = in, .layout = layout};
  mpz_t number;
  mpz_init(number);
  ck_assert_int_eq(count_pattern_automorphisms(in->pattern, number, NULL, NULL), MS_OK);
  mpz_get_str(c.automorphisms, 10, number);
  ck_assert_int_eq(ms_judge_pattern(in->graph, in->coloring, in->pattern, layout->induced,
                                    !layout->embeddings, &c.judge, NULL),
                   MS_OK);
  c.out = open_memstream(&file.bytes, &file.size);
  put_head(&c);
  ck_assert_int_eq(recount_pattern(in->graph, in->coloring, in->pattern, layout->induced, number,
                                   put_row, &c, NULL, NULL),
                   MS_OK);
  put_tail(&c);
  fclose(c.out);
  file.rows = c.rows;
  ms_judge_free(c.judge);
  mpz_clear(number);
  return matches_seal(file, layout->form);
}

matches_file matches_seal(matches_file file, matches_form form)
{
  if (form == MATCHES_BINARY) {
    uint32_t crc = ms_crc32c(0, file.bytes, file.size - 4);
    for (int i = 0; i < 4; i++)
      file.bytes[file.size - 4 + (size_t)i] = (char)(crc >> 8 * i & 255);
    return file;
  }
  char *last = memrchr(file.bytes, '\n', file.size - 1), digits[9];
  char *place = memmem(last, (size_t)(file.bytes + file.size - last), "crc32c", 6);
  ck_assert_ptr_nonnull(place);
  place += form == MATCHES_JSON ? 9 : 7;
  snprintf(digits, sizeof digits, "%08x",
           ms_crc32c(0, file.bytes, (size_t)(last + 1 - file.bytes)));
  memcpy(place, digits, 8);
  return file;
}

matches_file matches_forge(matches_file file, matches_form form, const char *from, const char *to)
{
  char *at = memmem(file.bytes, file.size, from, strlen(from));
  matches_file out = {.rows = file.rows};
  ck_assert_msg(at != NULL, "'%s' is not in\n%.*s", from, (int)file.size, file.bytes);
  FILE *memory = open_memstream(&out.bytes, &out.size);
  fwrite(file.bytes, 1, (size_t)(at - file.bytes), memory);
  fputs(to, memory);
  at += strlen(from);
  fwrite(at, 1, (size_t)(file.bytes + file.size - at), memory);
  fclose(memory);
  return matches_seal(out, form);
}
