#include "tests/support/results/compose.h"

#include "base/crc32c.h"
#include "motif/sort_rows.h"
#include "tests/support/search/recounts.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void compose_read(compose_inputs *in, const char *graph_path, const char *colors_path,
                  const char *motif, const char *required)
{
  ms_error err;
  ck_assert_msg(ms_graph_read(graph_path, NULL, &in->graph, &err) == MS_OK, "%s", err.message);
  const ms_color_options options = {.size = sizeof options, .ignore_unknown = true};
  ck_assert_msg(ms_coloring_read(colors_path, in->graph, &options, &in->coloring, &err) == MS_OK,
                "%s", err.message);
  ck_assert_msg(ms_motif_parse(motif, in->coloring, &in->motif, &err) == MS_OK, "%s", err.message);
  ck_assert_int_eq(ms_query_new(in->graph, in->coloring, in->motif, required != NULL, &required,
                                &in->query, &err),
                   MS_OK);
  in->required = required;
}

void compose_free(compose_inputs *in)
{
  ms_query_free(in->query);
  ms_motif_free(in->motif);
  ms_coloring_free(in->coloring);
  ms_graph_free(in->graph);
}

enum { MAX_MATCHES = 1000 };

typedef struct composer {
  const compose_inputs *in;
  const file_layout *layout;
  FILE *body;
  uint32_t k, n;
  uint32_t match[MAX_MATCHES * MS_MAX_K]; /* [found][k] */
  uint64_t found, rows;                   /* matches; rows written */
  uint8_t in_match[64];                   /* [n] */
} composer;

/* A name in a comma-separated list, or as a JSON string. */
static void put_name(FILE *body, bool json, const char *name)
{
  bool quote = json || strpbrk(name, ",\"");
  fputs(quote ? "\"" : "", body);
  for (const char *p = name; *p; p++) {
    fputs(*p != '"' ? "" : json ? "\\" : "\"", body);
    fputc(*p, body);
  }
  fputs(quote ? "\"" : "", body);
}

static bool keep_match(void *user, const uint32_t *set)
{
  composer *c = user;
  ck_assert_uint_lt(c->found, MAX_MATCHES);
  memcpy(c->match + c->found++ * c->k, set, c->k * sizeof *set);
  for (uint32_t i = 0; i < c->k; i++) {
    c->in_match[set[i]] = 1;
  }
  return true;
}

static void put_match(composer *c, const uint32_t *set)
{
  bool json = c->layout->kind == LIST_JSON;
  c->rows++;
  fprintf(c->body, json ? "{\"type\":\"match\",\"match\":%llu,\"vertices\":[" : "%llu\t",
          (unsigned long long)c->rows);
  for (uint32_t i = 0; i < c->k; i++) {
    fputs(i ? "," : "", c->body);
    put_name(c->body, json, ms_graph_name(c->in->graph, set[i]));
  }
  fputs(json ? "]}\n" : "\n", c->body);
}

static void put_vertex(composer *c, uint32_t v)
{
  bool json = c->layout->kind == SCREEN_JSON, flagged = c->in_match[v];
  uint32_t count;
  const uint32_t *colors = ms_coloring_of(c->in->coloring, v, &count);
  fputs(json ? "{\"type\":\"vertex\",\"vertex\":" : "", c->body);
  if (json) {
    put_name(c->body, true, ms_graph_name(c->in->graph, v));
  } else {
    fputs(ms_graph_name(c->in->graph, v), c->body);
  }
  fputs(json ? ",\"colors\":[" : "\t", c->body);
  for (uint32_t i = 0; i < count; i++) {
    fputs(i ? "," : "", c->body);
    put_name(c->body, json, ms_coloring_name(c->in->coloring, colors[i]));
  }
  if (json) {
    fprintf(c->body, "],\"flagged\":%s,\"repetitions\":%u}\n", flagged ? "true" : "false",
            flagged ? c->layout->repetitions : 0);
  } else {
    fprintf(c->body, "\t%d\t%u\n", flagged, flagged ? c->layout->repetitions : 0);
  }
  c->rows++;
}

/* The bound by another way than the library's. */
static long double miss_bound(uint32_t k, uint32_t repetitions)
{
  return powl(1 - powl(4278124286.0L / 4294967296.0L, 2.0L * k - 1), repetitions);
}

/* Rounds a bound up to six digits. */
static long double six_digits(long double bound)
{
  long double unit = powl(10, floorl(log10l(bound)) - 5);
  return ceill(bound / unit) * unit;
}

static void put_tsv_header(const composer *c, FILE *out)
{
  const file_layout *l = c->layout;
  ms_graph_info g = ms_graph_describe(c->in->graph);
  ms_coloring_info i = ms_coloring_describe(c->in->coloring);
  fprintf(out,
          "# motifsieve 0.1.0 %s\n# graph: some where/g=1 crc32c=x.tsv crc32c=%08x vertices=%u "
          "edges=%llu format=edge-list min_score=0 keep_taxon=0 header=0\n"
          "# colors: c.tsv crc32c=%08x colors=%u assignments=%llu format=auto aspects=PFC "
          "header=0\n# motif: %s\n# k: %u\n",
          l->kind >= SCREEN_TSV ? "screen" : "list", g.crc32c, g.vertices,
          (unsigned long long)g.edges, i.crc32c, i.colors, (unsigned long long)i.assignments,
          ms_motif_text(c->in->motif), c->k);
  if (c->in->required) {
    fputs("# required: ", out);
    put_name(out, false, c->in->required);
    fputs("\n", out);
  }
  if (l->exact) {
    fputs("# mode: exact\n", out);
  } else {
    long double bound = miss_bound(c->k, l->repetitions);
    fprintf(out, "# mode: screened\n# recurrence: sibling\n# seed: 77\n# repetitions: %u of %u\n",
            l->repetitions, l->repetitions);
    if (l->zero_reason) {
      fprintf(out, "# miss_bound: 0.000e+00 = %s\n# miss_bound_union: 0.000e+00\n", l->zero_reason);
    } else {
      fprintf(out,
              "# miss_bound: %.5Le = (1 - (4278124286/4294967296)^%u)^%u\n"
              "# miss_bound_union: %.5Le\n",
              six_digits(bound), 2 * c->k - 1, l->repetitions, fminl(1, six_digits(bound * c->n)));
    }
  }
}

static void put_json_header(const composer *c, FILE *out)
{
  const file_layout *l = c->layout;
  ms_graph_info g = ms_graph_describe(c->in->graph);
  ms_coloring_info i = ms_coloring_describe(c->in->coloring);
  fprintf(out,
          "{\"type\":\"header\",\"tool\":\"motifsieve\",\"version\":\"0.1.0\",\"command\":\"%s\","
          "\"schema\":1,\"graph\":{\"path\":\"g\",\"crc32c\":\"%08x\",\"vertices\":%u,"
          "\"edges\":%llu,\"format\":\"edge-list\",\"min_score\":0.0,\"keep_taxon\":false,"
          "\"header\":false},\"colors\":{\"path\":\"c\",\"crc32c\":\"%08x\",\"colors\":%u,"
          "\"assignments\":%llu,\"format\":\"auto\",\"aspects\":\"PFC\",\"header\":false},"
          "\"motif\":",
          l->kind >= SCREEN_TSV ? "screen" : "list", g.crc32c, g.vertices,
          (unsigned long long)g.edges, i.crc32c, i.colors, (unsigned long long)i.assignments);
  put_name(out, true, ms_motif_text(c->in->motif));
  fprintf(out, ",\"k\":%u", c->k);
  if (c->in->required) {
    fputs(",\"required\":[", out);
    put_name(out, true, c->in->required);
    fputs("]", out);
  }
  if (l->exact) {
    fputs(",\"mode\":\"exact\"", out);
  } else {
    /* the next double, and a little for the errors of powl */
    double bound = (double)(miss_bound(c->k, l->repetitions) * (1 + 0x1.8p-53L));
    fprintf(out,
            ",\"mode\":\"screened\",\"recurrence\":\"sibling\",\"seed\":77,\"repetitions\":%u,"
            "\"repetitions_planned\":%u,\"miss_bound\":%.17g,\"miss_bound_formula\":"
            "\"(1 - (4278124286/4294967296)^%u)^%u\",\"miss_bound_union\":%.17g",
            l->repetitions, l->repetitions, bound, 2 * c->k - 1, l->repetitions,
            fmin(1, bound * c->n));
  }
}

char *compose_seal(const char *body, uint64_t rows, bool json)
{
  char *text = NULL;
  int length = asprintf(&text,
                        json ? "%s{\"type\":\"end\",\"rows\":%llu,\"crc32c\":\"%08x\"}\n"
                             : "%s# end: rows=%llu crc32c=%08x\n",
                        body, (unsigned long long)rows, ms_crc32c(0, body, strlen(body)));
  ck_assert_int_gt(length, 0);
  return text;
}

/* All rows; returns the number of matches or flagged vertices among them. */
static uint64_t put_rows(composer *c)
{
  uint64_t flagged = 0;
  if (c->layout->kind < SCREEN_TSV) {
    for (uint64_t i = 0; i < c->found; i++) {
      if ((long)i != c->layout->drop_match) {
        put_match(c, c->match + i * c->k);
      }
    }
    return c->rows;
  }
  for (uint32_t v = 0; v < c->n; v++) {
    flagged += c->in_match[v];
    if (c->in_match[v] || c->layout->all_rows) {
      put_vertex(c, v);
    }
  }
  return flagged;
}

char *compose_file(const compose_inputs *in, const file_layout *layout, uint64_t *found)
{
  static composer c;
  char *rows = NULL, *whole = NULL;
  size_t rows_size, whole_size;
  bool json = layout->kind == LIST_JSON || layout->kind == SCREEN_JSON;
  ms_error err;
  mpz_t count;
  memset(&c, 0, sizeof c);
  c.in = in;
  c.layout = layout;
  c.body = open_memstream(&rows, &rows_size);
  c.k = ms_motif_size(in->motif);
  c.n = ms_graph_vertex_count(in->graph);
  ck_assert_uint_le(c.n, sizeof c.in_match);
  mpz_init(count);
  ck_assert_int_eq(recount_motif(in->query, count, keep_match, &c, NULL, &err), MS_OK);
  mpz_clear(count);
  ms_sort_rows(c.match, c.found, c.k, NULL);
  *found = put_rows(&c);
  fclose(c.body);
  FILE *out = open_memstream(&whole, &whole_size);
  const char *what = layout->kind >= SCREEN_TSV ? "flagged" : "matches";
  if (json) {
    put_json_header(&c, out);
    fprintf(out, ",\"status\":\"complete\"%s,\"%s\":%llu}\n",
            layout->all_rows ? ",\"rows\":\"all\"" : "", what, (unsigned long long)*found);
  } else {
    put_tsv_header(&c, out);
    fprintf(out, "# status: complete\n%s# %s: %llu\n%s\n", layout->all_rows ? "# rows: all\n" : "",
            what, (unsigned long long)*found,
            layout->kind == SCREEN_TSV ? "vertex\tcolors\tflagged\trepetitions"
                                       : "match\tvertices");
  }
  fputs(rows, out);
  fclose(out);
  char *sealed = compose_seal(whole, c.rows, json);
  free(rows);
  free(whole);
  return sealed;
}
