/* Reads labels of vertices.
 *
 *   9606.ENSP00000269305<TAB>TP53<TAB>...       tab, comma (CSV) or blanks, as in edge lists
 *
 * The first line of a vertex counts.  STRING's protein.aliases has many lines for each protein; the
 * first whose source is a gene name counts.  A vertex without such a line has no label, and lines
 * about other names are counted and skipped. */
#include "graph/io/labels.h"

#include "base/alloc.h"
#include "base/status.h"
#include "graph/graph.h"
#include "graph/io/own_names.h"
#include "graph/typed.h"

#include <string.h>

typedef struct label_rows {
  ms_labels *labels;
  ms_own_names own;
  bool either_way; /* a list of aliases: the id may be in the second column */
} label_rows;

/* True if the source, the third column of STRING's protein.aliases, gives gene names. */
static bool is_gene_name(ms_field source)
{
  static const char *const words[] = {"GN_Name", "UniProt_GN", "HGNC_symbol", "BioMart_HUGO",
                                      "SGD_NAME"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    size_t length = strlen(words[i]);
    if (source.length >= length &&
        memcmp(source.text + source.length - length, words[i], length) == 0)
      return true;
  }
  return false;
}

static ms_status add_line(ms_text *text, ms_delimiter delimiter, label_rows *rows, ms_error *err)
{
  ms_field fields[3] = {{"", 0}, {"", 0}, {"", 0}};
  ms_labels *labels = rows->labels;
  uint32_t count;
  MS_TRY(ms_text_split(text, delimiter, 3, fields, &count, err));
  if (count < 2)
    return ms_text_fail(text, err,
                        "expected the name of a vertex and its label separated by %s, found one "
                        "word; add the label or remove the line",
                        ms_delimiter_name(delimiter));
  uint32_t v = ms_own_names_find(&rows->own, fields[0]);
  ms_field label = fields[1];
  if (v == MS_NO_ID && rows->either_way) {
    v = ms_own_names_find(&rows->own, fields[1]);
    label = fields[0];
  }
  labels->info.lines++;
  labels->info.unknown += v == MS_NO_ID;
  if (v == MS_NO_ID && !rows->either_way)
    return ms_own_names_check_spelling(&rows->own, text, fields[0], err);
  if (v == MS_NO_ID || label.length == 0)
    return MS_OK;
  bool is_known = labels->of[v] != MS_NO_ID;
  if (is_known || (rows->own.has_sources && !is_gene_name(fields[2])))
    return MS_OK;
  MS_TRY(ms_text_check_name(text, label, "label", err));
  labels->info.labelled++;
  return ms_names_add(labels->texts, label.text, label.length, &labels->of[v], err);
}

static ms_status read_rows(ms_text *text, const char *taxon_prefix, const ms_names *names,
                           label_rows *rows, ms_error *err)
{
  MS_TRY(ms_own_names_open(&rows->own, names, taxon_prefix, text, err));
  ms_delimiter delimiter = text->line ? ms_text_delimiter(text) : MS_TAB;
  ms_text_set_delimiter(text, delimiter);
  while (text->line) {
    MS_TRY(add_line(text, delimiter, rows, err));
    MS_TRY(ms_text_next_data(text, err));
  }
  if (rows->labels->info.labelled > 0 || rows->labels->n == 0)
    return MS_OK;
  const char *ours = ms_names_get(names, 0);
  return ms_fail(err, MS_ERR_INPUT,
                 "%s: no line gives a label to a vertex of the graph, which has names like '%.*s'; "
                 "give a file of lines ID<TAB>LABEL with those ids",
                 text->label, ms_name_clip(ours, strlen(ours)), ours);
}

static ms_status make_room(label_rows *rows, uint32_t n, const char *path, ms_error *err)
{
  ms_labels *labels = rows->labels = ms_calloc(1, sizeof *labels);
  if (!labels)
    return ms_fail_memory(err, "labels");
  labels->n = n;
  labels->of = ms_alloc(n, sizeof *labels->of);
  labels->path = ms_strdup(path);
  if (!labels->of || !labels->path)
    return ms_fail_memory(err, "labels");
  memset(labels->of, 0xff, n * sizeof *labels->of); /* MS_NO_ID */
  labels->info.path = labels->path;
  return ms_names_new(&labels->texts, err);
}

static ms_status read_labels(const char *path, const ms_names *names, const char *taxon_prefix,
                             bool either_way, ms_labels **out, ms_error *err)
{
  label_rows rows = {.either_way = either_way};
  ms_text *text = NULL;
  *out = NULL;
  ms_status status = make_room(&rows, ms_names_count(names), path, err);
  if (status == MS_OK)
    status = ms_text_open(path, &text, err);
  if (status == MS_OK)
    status = read_rows(text, taxon_prefix, names, &rows, err);
  if (status == MS_OK) {
    rows.labels->info.crc32c = text->crc32c;
    *out = rows.labels;
  } else {
    ms_labels_free(rows.labels);
  }
  ms_own_names_close(&rows.own);
  ms_text_close(text);
  return status;
}

ms_status ms_labels_read(const char *path, const ms_graph *graph, ms_labels **out, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(path, err);
  MS_REQUIRE(graph, err);
  return read_labels(path, graph->names, graph->taxon_prefix, false, out, err);
}

ms_status ms_labels_read_typed(const char *path, const ms_typed *graph, ms_labels **out,
                               ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(path, err);
  MS_REQUIRE(graph, err);
  return read_labels(path, graph->names, NULL, false, out, err);
}

ms_status ms_labels_from_aliases(const ms_graph *graph, ms_labels **out, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(graph, err);
  *out = NULL;
  if (!graph->alias_path)
    return ms_fail(err, MS_ERR_USAGE, "%s has no aliases that could be labels; read them first",
                   graph->path);
  if (strcmp(graph->alias_path, "-") == 0)
    return ms_fail(err, MS_ERR_USAGE,
                   "to take labels from aliases, the file of aliases has to be read twice, which "
                   "standard input does not allow; give a file");
  MS_TRY(read_labels(graph->alias_path, graph->names, graph->taxon_prefix, true, out, err));
  (*out)->info.of_aliases = true;
  return MS_OK;
}

void ms_labels_free(ms_labels *labels)
{
  if (!labels)
    return;
  ms_names_free(labels->texts);
  ms_free(labels->of);
  ms_free(labels->path);
  ms_free(labels);
}

ms_labels_info ms_labels_describe(const ms_labels *labels)
{
  if (!labels)
    return (ms_labels_info){0};
  return labels->info;
}

const char *ms_labels_of(const ms_labels *labels, uint32_t v)
{
  if (!labels || v >= labels->n)
    return NULL;
  return labels->of[v] == MS_NO_ID ? NULL : ms_names_get(labels->texts, labels->of[v]);
}
