/* The words of fields, such as those of formats and of a status. */
#include "graph/formats/typed/typed_read.h"
#include "result/header.h"

#include <string.h>

#define NOTATION "notation" /* a pattern file in Cypher's notation, which is no graph format */

#define PLAIN_GRAPH "plain"

/* Returns a list that ends with NULL; "" stands for a value that has no word. */
static const char *const *list_of(ms_result_words words)
{
  static const char
      *const semantics
          [] = {"subgraphs", "embeddings", NULL},
 *const modes[] = {"exact", "screened", NULL},
 *const typed_modes[] = {"exact", "screened", "inexact", NULL},
 *const recurrences[] = {"sibling", "classic", NULL}, *const walks[] = {"euler", "random", NULL},
 *const rows[] = {"", "all", NULL}, *const shown_colors[] = {"", "motif", NULL},
 *const row_forms[] = {"", "long", "wide", NULL},
 *const measures[] = {"", "density", "scores", NULL},
 *const measure[] = {"", "edges", "density", "mean_score", "least_score", "vertex_score", NULL},
 *const census_orders[] = {"", "z", "p", "q", "p_less", "q_less", NULL},
 *const subgraphs[] = {"induced", "all", NULL}, *const nulls[] = {"labels",        "degree",
                                                                  "edges",         "rewire",
                                                                  "rewire-colors", NULL},
 *const meanings[] =
      {"colours are dealt out again among all vertices that have some, in "
       "each stratum where there are strata, whatever their degrees; a small p says that these colours are nearer to each other, or "
       "at vertices of higher degrees, than by chance",
       "colours are dealt out again among coloured vertices of about the same "
       "degree, in each stratum where there are strata; a small p says that degrees alone do not explain the number",
       "colours are swapped so that the number of edges between each two "
       "colours is held; a small p says that pairs of neighbours alone do not "
       "explain the number",
       "edges are rewired, and colours and degrees are held; a small p says "
       "that the edges, given the degrees of the colours, are not random",
       "edges are rewired, and colours, degrees and the number of edges between "
       "each two colours are held; a small p says that the edges, given these "
       "numbers, are not random",
       "edges are rewired, and each vertex keeps its number of edges, or of arcs "
       "out, arcs in and mutual arcs; a small p says that the edges, given these "
       "numbers, are not random",
       NULL},
 *const moments[] = {"exact", "sampled", NULL}, *const statistics[] = {"matches", "vertices", NULL},
 *const formulas[] = {"", "none", "exact", "sampled", NULL},
 *const tails[] = {"fit-or-bound", NULL}, *const p_by[] = {"", "fit", "bound", NULL},
 *const tests[] = {"samples", "labels", NULL}, *const kinds[] = {"", "typed", NULL},
 *const orders[] = {"", "search", NULL},
 *const statuses[] = {"complete",
                      "incomplete: limit",
                      "incomplete: time",
                      "incomplete: interrupted",
                      "incomplete: memory",
                      "incomplete: space",
                      NULL};
  static const char *const *const lists[] = {[MS_WORDS_SEMANTICS] = semantics,
                                             [MS_WORDS_MODE] = modes,
                                             [MS_WORDS_TYPED_MODE] = typed_modes,
                                             [MS_WORDS_RECURRENCE] = recurrences,
                                             [MS_WORDS_WALK] = walks,
                                             [MS_WORDS_ROWS] = rows,
                                             [MS_WORDS_TEST] = tests,
                                             [MS_WORDS_KIND] = kinds,
                                             [MS_WORDS_SHOWN_COLORS] = shown_colors,
                                             [MS_WORDS_LONG] = row_forms,
                                             [MS_WORDS_MEASURES] = measures,
                                             [MS_WORDS_MEASURE] = measure,
                                             [MS_WORDS_CENSUS_ORDER] = census_orders,
                                             [MS_WORDS_SUBGRAPHS] = subgraphs,
                                             [MS_WORDS_STATUS] = statuses,
                                             [MS_WORDS_ORDER] = orders,
                                             [MS_WORDS_NULL] = nulls,
                                             [MS_WORDS_NULL_MEANING] = meanings,
                                             [MS_WORDS_MOMENTS] = moments,
                                             [MS_WORDS_TAIL] = tails,
                                             [MS_WORDS_P_BY] = p_by,
                                             [MS_WORDS_STATISTIC] = statistics,
                                             [MS_WORDS_FORMULA] = formulas};
  return lists[words];
}

const char *ms_result_word(ms_result_words words, uint32_t value)
{
  switch (words) {
  case MS_WORDS_PATTERN_FORMAT:
    if (value == MS_FORMAT_AUTO)
      return NOTATION;
    return ms_graph_format_describe((ms_graph_format)value).name;
  case MS_WORDS_GRAPH_FORMAT:
    return ms_graph_format_describe((ms_graph_format)value).name;
  case MS_WORDS_COLOR_FORMAT:
    return ms_color_format_name((ms_color_format)value);
  case MS_WORDS_PATH_FORMAT:
    return value == MS_TYPED_AUTO ? PLAIN_GRAPH : ms_typed_format_name((ms_typed_format)value);
  case MS_WORDS_TYPED_FORMAT:
    return ms_typed_format_name((ms_typed_format)value);
  default:
    return list_of(words)[value];
  }
}

bool ms_result_find_word(ms_result_words words, const char *word, uint32_t *value)
{
  ms_graph_format graph_format;
  ms_color_format color_format;
  ms_typed_format typed_format;
  bool found = false;
  switch (words) {
  case MS_WORDS_PATTERN_FORMAT:
  case MS_WORDS_GRAPH_FORMAT:
    if (words == MS_WORDS_PATTERN_FORMAT && strcmp(word, NOTATION) == 0) {
      *value = MS_FORMAT_AUTO;
      return true;
    }
    found = ms_graph_format_find(word, &graph_format);
    *value = graph_format;
    return found && graph_format != MS_FORMAT_AUTO;
  case MS_WORDS_COLOR_FORMAT:
    found = ms_color_format_find(word, &color_format);
    *value = color_format;
    return found;
  case MS_WORDS_PATH_FORMAT:
    if (strcmp(word, PLAIN_GRAPH) == 0) {
      *value = MS_TYPED_AUTO;
      return true;
    }
    /* fall through */
  case MS_WORDS_TYPED_FORMAT:
    found = ms_typed_format_find(word, &typed_format);
    *value = found ? typed_format : MS_TYPED_AUTO;
    return found;
  default:
    break;
  }
  const char *const *list = list_of(words);
  for (*value = 0; *word && list[*value]; ++*value)
    if (strcmp(word, list[*value]) == 0)
      return true;
  return false;
}
