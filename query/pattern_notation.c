/* Patterns in Cypher's notation as plain patterns: types of vertices become colours; and the same
 * way back. */
#include "query/pattern_notation.h"
#include "base/status.h"
#include "base/text/growing.h"

#include <string.h>

/* The one type of edges that a plain graph has where it is read as a typed one. */
static const char only_type[] = "edge";

bool ms_notation_has_arrows(const ms_typed_pattern *pattern)
{
  for (uint32_t e = 0; e < pattern->edges; e++)
    if (pattern->edge[e].way == MS_WAY_ON)
      return true;
  return false;
}

/* True if each of the accepted types is the only one that there is. */
static bool accepts_any_edge(const ms_typed_pattern *pattern, const ms_typed_pattern_edge *edge)
{
  return edge->types == 0 ||
         (edge->types == 1 &&
          strcmp(ms_names_get(pattern->type_names, edge->type[0]), only_type) == 0);
}

/* True if an earlier edge joins the same vertices and is no arc in the other direction. */
static bool is_parallel(const ms_typed_pattern *pattern, uint32_t e)
{
  const ms_typed_pattern_edge *edge = &pattern->edge[e];
  for (uint32_t i = 0; i < e; i++) {
    const ms_typed_pattern_edge *other = &pattern->edge[i];
    bool same = other->from == edge->from && other->to == edge->to;
    bool back = other->from == edge->to && other->to == edge->from;
    if (same || (back && (edge->way == MS_WAY_ANY || other->way == MS_WAY_ANY)))
      return true;
  }
  return false;
}

const char *ms_notation_edges_lacking(const ms_typed_pattern *pattern)
{
  for (uint32_t e = 0; e < pattern->edges; e++) {
    if (pattern->edge[e].from == pattern->edge[e].to)
      return "the pattern joins a vertex to itself, and plain graphs have no such edges";
    if (is_parallel(pattern, e))
      return "the pattern joins two vertices twice, and plain graphs have no parallel edges";
  }
  return NULL;
}

const char *ms_notation_not_plain(const ms_typed_pattern *pattern, bool directed)
{
  bool arrows = ms_notation_has_arrows(pattern);
  if (arrows && !directed)
    return "the pattern has arrows, and the edges of the graph have no direction";
  for (uint32_t e = 0; e < pattern->edges; e++)
    if (!accepts_any_edge(pattern, &pattern->edge[e]))
      return "the pattern asks for types of edges, and the edges of the graph have none";
  const char *lacking = ms_notation_edges_lacking(pattern);
  if (lacking)
    return lacking;
  for (uint32_t e = 0; e < pattern->edges; e++)
    if (arrows && pattern->edge[e].way == MS_WAY_ANY)
      return "the pattern has edges with an arrow and edges without";
  return NULL;
}

ms_status ms_pattern_of_notation(const ms_typed_pattern *from, bool directed, const char *path,
                                 ms_pattern_source source, ms_pattern **out, ms_error *err)
{
  const char *problem = ms_notation_not_plain(from, directed);
  *out = NULL;
  if (problem)
    return ms_fail(err, MS_ERR_USAGE, "%s: %s; %s", from->path, problem,
                   ms_notation_has_arrows(from) && !directed
                       ? "give `directed`, or write '--' in place of '-->'"
                       : "use a typed graph, or change the pattern");
  ms_pattern *pattern;
  MS_TRY(ms_pattern_new(from->n, ms_notation_has_arrows(from), from->names, path, &pattern, err));
  pattern->source = source;
  pattern->crc32c = from->crc32c;
  for (uint32_t e = 0; e < from->edges; e++)
    ms_pattern_join(pattern, from->edge[e].from, from->edge[e].to);
  ms_status status = MS_OK;
  for (uint32_t v = 0; v < from->n; v++)
    for (uint32_t i = 0; i < from->types[v] && status == MS_OK; i++) {
      const char *color = ms_names_get(from->type_names, from->type[v][i]);
      status = ms_pattern_accept_text(pattern, v, color, strlen(color), err);
    }
  if (status == MS_OK)
    *out = pattern;
  else
    ms_pattern_free(pattern);
  return status;
}

ms_status ms_pattern_parse(const char *text, bool directed, ms_pattern **out, ms_error *err)
{
  ms_typed_pattern *pattern = NULL;
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(text, err);
  MS_TRY(ms_typed_pattern_parse(text, &pattern, err));
  ms_status status = ms_pattern_of_notation(pattern, directed, text, MS_PATTERN_TEXT, out, err);
  ms_typed_pattern_free(pattern);
  return status;
}

/* ---- the text of a pattern ---------------------------------------------------------------- */

static bool is_letter(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Puts a name, in backquotes unless it is a plain word. */
static void put_word(ms_growing *out, const char *name, bool quoted)
{
  bool plain = !quoted && is_letter(*name);
  for (const char *at = name; plain && *at; at++)
    plain = is_letter(*at) || (*at >= '0' && *at <= '9');
  if (plain) {
    ms_growing_put(out, "%s", name);
    return;
  }
  ms_growing_put(out, "`");
  for (; *name; name++)
    ms_growing_put(out, "%.*s%c", *name == '`', "`", *name);
  ms_growing_put(out, "`");
}

/* Puts a vertex, with its colours if they are not told yet. */
static void put_pattern_vertex(ms_growing *out, const ms_pattern *p, uint32_t v, ms_bitset *told)
{
  ms_growing_put(out, "(");
  put_word(out, ms_names_get(p->names, v), false);
  for (uint32_t i = 0; i < p->colors[v] && !ms_bitset_has(told, v); i++) {
    ms_growing_put(out, i ? "|" : ":");
    put_word(out, ms_names_get(p->color_names, p->color[v][i]), true);
  }
  ms_bitset_add(told, v);
  ms_growing_put(out, ")");
}

ms_status ms_pattern_text(const ms_pattern *pattern, char **text, ms_error *err)
{
  const ms_pattern *p = pattern;
  ms_growing out = {0};
  ms_bitset told = {0};
  MS_REQUIRE(text, err);
  *text = NULL;
  MS_REQUIRE(pattern, err);
  for (uint32_t u = 0; u < p->n; u++)
    for (uint32_t v = 0; v < p->n; v++) {
      if (!ms_bitset_has(&p->out[u], v) || (!p->directed && v < u))
        continue;
      if (out.used > 0)
        ms_growing_put(&out, ", ");
      put_pattern_vertex(&out, p, u, &told);
      ms_growing_put(&out, p->directed ? "-->" : "--");
      put_pattern_vertex(&out, p, v, &told);
    }
  for (uint32_t v = 0; v < p->n; v++)
    if (!ms_bitset_has(&told, v)) {
      if (out.used > 0)
        ms_growing_put(&out, ", ");
      put_pattern_vertex(&out, p, v, &told);
    }
  return ms_growing_end(&out, "the text of a pattern", text, err);
}
