#include "graph/formats/attributes.h"

#include "base/status.h"
#include "graph/io/edges/edge_columns.h"
#include "graph/io/titles.h"

#include <math.h>
#include <string.h>

static const char *const color_names[] = {"color", "colour", "colors", "colours", NULL};

/* The surest first.  A label may also be a text to draw. */
static const char *const label_names[] = {
    "interaction", "type",     "relation",           "relationship", "edge_type", "relation_type",
    "predicate",   "metaedge", "shared interaction", "kind",         "label",     "Edge Label",
    "labels",      NULL};

static size_t rank_of(const char *name, const char *chosen, const char *const *names)
{
  if (chosen)
    return strcmp(name, chosen) == 0 ? 0 : SIZE_MAX;
  for (size_t i = 0; names[i]; i++)
    if (strcmp(name, names[i]) == 0)
      return i;
  return SIZE_MAX;
}

bool ms_is_color_attribute(const char *name, const char *chosen)
{
  bool none = chosen && strcmp(chosen, MS_NO_TYPES) == 0;
  return !none && rank_of(name, chosen, color_names) != SIZE_MAX;
}

size_t ms_label_rank(const char *name, const char *chosen)
{
  return rank_of(name, chosen, label_names);
}

size_t ms_score_rank(const char *name)
{
  return rank_of(name, NULL, ms_score_titles);
}

ms_status ms_keep_score(ms_edges *edges, const ms_text *text, double score, ms_error *err)
{
  if (!isfinite((float)score))
    return ms_text_fail(text, err,
                        "the score %g is too large to be kept; scores are single-precision numbers",
                        score);
  return ms_edges_score(edges, score, err);
}

ms_status ms_refuse_unscored(const ms_text *text, ms_error *err)
{
  return ms_text_fail(text, err,
                      "scores are wanted, but an edge has none, or one that is no number; correct "
                      "the edge, or leave out `keep_scores`");
}

ms_status ms_refuse_no_scores(const ms_text *text, ms_error *err)
{
  return ms_fail(err, MS_ERR_INPUT,
                 "%s: scores are wanted, but no attribute of edges is called 'score' or 'weight'; "
                 "rename the attribute, or leave out `keep_scores`",
                 text->label);
}

ms_status ms_give_colors(ms_edges *edges, const ms_text *text, uint32_t v, ms_field colors,
                         bool literal, ms_error *err)
{
  const char *at = colors.text, *end = at ? at + colors.length : at;
  while (at < end) {
    const char *lf = memchr(at, '\n', (size_t)(end - at));
    ms_field color = ms_field_trim((ms_field){at, (size_t)((lf ? lf : end) - at)});
    if (literal ? color.length > 0 : !ms_field_missing(color))
      MS_TRY(v == MS_NO_ID ? ms_edges_default_color(edges, text, color, err)
                           : ms_edges_color(edges, text, v, color, err));
    at = lf ? lf + 1 : end;
  }
  return MS_OK;
}

ms_status ms_join_attributed(ms_edges *edges, const ms_text *text, const uint32_t v[2],
                             ms_field label, bool undirected, ms_error *err)
{
  bool both = undirected && edges->directed;
  if (ms_field_missing(label))
    label.text = NULL;
  if (!edges->types && both) {
    MS_TRY(ms_edges_join_both(edges, v[0], v[1], err));
    return label.text ? ms_edges_note_label(edges, text, label, err) : MS_OK;
  }
  MS_TRY(ms_edges_join_labelled(edges, text, v[0], v[1], label, err));
  return both && v[0] != v[1] ? ms_edges_join_labelled(edges, text, v[1], v[0], label, err) : MS_OK;
}

ms_status ms_refuse_attribute(const ms_text *text, const char *owners, const char *name,
                              const char *choice, ms_error *err)
{
  return ms_fail(err, MS_ERR_INPUT, "%s: no attribute of %s is called '%.*s'; choose %s",
                 text->label, owners, ms_name_clip(name, strlen(name)), name, choice);
}
