/* Pattern graphs: construction and properties. */
#include "query/pattern.h"

#include "base/alloc.h"
#include "base/status.h"

#include <stdio.h>
#include <string.h>

void ms_pattern_free(ms_pattern *pattern)
{
  if (!pattern)
    return;
  for (uint32_t v = 0; v < pattern->n; v++)
    ms_free(pattern->color[v]);
  ms_names_free(pattern->names);
  ms_names_free(pattern->color_names);
  ms_names_free(pattern->edge_labels);
  ms_free(pattern->path);
  ms_free(pattern->colors_path);
  ms_free(pattern);
}

static ms_status name_vertices(ms_pattern *pattern, const ms_names *names, ms_error *err)
{
  ms_status status = ms_names_new(&pattern->names, err);
  for (uint32_t v = 0; v < pattern->n && status == MS_OK; v++) {
    char number[16];
    uint32_t id;
    snprintf(number, sizeof number, "%u", v);
    const char *text = names ? ms_names_get(names, v) : number;
    status = ms_names_add(pattern->names, text, strlen(text), &id, err);
  }
  return status;
}

ms_status ms_pattern_new(uint32_t n, bool directed, const ms_names *names, const char *path,
                         ms_pattern **out, ms_error *err)
{
  *out = NULL;
  if (n == 0 || n > MS_MAX_PATTERN)
    return ms_fail(err, MS_ERR_USAGE, "a pattern cannot have %u vertices; give it 1 to %u", n,
                   MS_MAX_PATTERN);
  ms_pattern *pattern = ms_calloc(1, sizeof *pattern);
  if (!pattern)
    return ms_fail_memory(err, "a pattern");
  pattern->n = n;
  pattern->directed = directed;
  pattern->path = ms_strdup(path);
  ms_status status =
      pattern->path ? name_vertices(pattern, names, err) : ms_fail_memory(err, "a path");
  if (status != MS_OK) {
    ms_pattern_free(pattern);
    return status;
  }
  *out = pattern;
  return MS_OK;
}

void ms_pattern_join(ms_pattern *pattern, uint32_t u, uint32_t v)
{
  ms_bitset_add(&pattern->out[u], v);
  ms_bitset_add(&pattern->in[v], u);
  if (pattern->directed)
    return;
  ms_bitset_add(&pattern->out[v], u);
  ms_bitset_add(&pattern->in[u], v);
}

/* ---- colours ------------------------------------------------------------- */

/* Adds a colour to the sorted list of vertex v.  The room of a list is the next power of two, so a
 * list is full if its length is a power of two. */
static ms_status add_color(ms_pattern *pattern, uint32_t v, uint32_t color, ms_error *err)
{
  uint32_t count = pattern->colors[v], at = count;
  while (at > 0 && pattern->color[v][at - 1] >= color)
    at--;
  if (at < count && pattern->color[v][at] == color)
    return MS_OK;
  if ((count & (count - 1)) == 0) {
    size_t room = count ? (size_t)count * 2 : 1;
    if (!ms_enlarge(&pattern->color[v], count, room, sizeof *pattern->color[v]))
      return ms_fail_memory(err, "the colours of a pattern");
  }
  uint32_t *row = pattern->color[v];
  memmove(row + at + 1, row + at, (count - at) * sizeof *row);
  row[at] = color;
  pattern->colors[v]++;
  return MS_OK;
}

ms_status ms_pattern_accept_text(ms_pattern *pattern, uint32_t v, const char *text, size_t length,
                                 ms_error *err)
{
  ms_status status = MS_OK;
  uint32_t color;
  if (!pattern->color_names)
    status = ms_names_new(&pattern->color_names, err);
  if (status == MS_OK)
    status = ms_names_add(pattern->color_names, text, length, &color, err);
  return status == MS_OK ? add_color(pattern, v, color, err) : status;
}

ms_status ms_pattern_accept(ms_pattern *pattern, uint32_t vertex, const char *color, ms_error *err)
{
  MS_REQUIRE(pattern, err);
  MS_REQUIRE(color, err);
  if (vertex >= pattern->n)
    return ms_fail(err, MS_ERR_USAGE,
                   "the pattern has no vertex %u, only %u vertices; use ids below that number",
                   vertex, pattern->n);
  const char *problem = color ? ms_name_problem(color, strlen(color))
                              : "is NULL; leave the call out: a new vertex accepts any colour";
  if (problem)
    return ms_fail(err, MS_ERR_USAGE, "a colour of pattern vertex %u %s", vertex, problem);
  return ms_pattern_accept_text(pattern, vertex, color, strlen(color), err);
}

/* ---- from memory --------------------------------------------------------- */

static ms_status join_all(ms_pattern *pattern, uint64_t m, const uint32_t (*edges)[2],
                          ms_error *err)
{
  for (uint64_t e = 0; e < m; e++) {
    uint32_t u = edges[e][0], v = edges[e][1];
    if (u >= pattern->n || v >= pattern->n)
      return ms_fail(err, MS_ERR_USAGE,
                     "edge %llu joins vertices %u and %u, but the pattern has %u vertices; use ids "
                     "below that number",
                     (unsigned long long)e, u, v, pattern->n);
    if (u == v)
      return ms_fail(err, MS_ERR_USAGE,
                     "edge %llu joins vertex %u to itself; graphs have no such edges, so nothing "
                     "could match; leave it out",
                     (unsigned long long)e, u);
    ms_pattern_join(pattern, u, v);
  }
  return MS_OK;
}

ms_status ms_pattern_from_edges(uint32_t n, uint64_t m, const uint32_t (*edges)[2], bool directed,
                                const char *const *color, ms_pattern **out, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE_ARRAY(edges, m, err);
  ms_status status = ms_pattern_new(n, directed, NULL, "(in memory)", out, err);
  if (status == MS_OK)
    status = join_all(*out, m, edges, err);
  for (uint32_t v = 0; v < n && color && status == MS_OK; v++)
    if (color[v])
      status = ms_pattern_accept(*out, v, color[v], err);
  if (status != MS_OK) {
    ms_pattern_free(*out);
    *out = NULL;
  }
  return status;
}

uint32_t ms_pattern_size(const ms_pattern *pattern)
{
  if (!pattern)
    return 0;
  return pattern->n;
}

uint64_t ms_pattern_edge_count(const ms_pattern *pattern)
{
  uint64_t arcs = 0;
  if (!pattern)
    return 0;
  for (uint32_t i = 0; i < pattern->n; i++)
    arcs += ms_bitset_count(pattern->out[i]);
  return pattern->directed ? arcs : arcs / 2;
}

const char *ms_pattern_vertex_name(const ms_pattern *pattern, uint32_t i)
{
  if (!pattern)
    return NULL;
  return ms_names_get(pattern->names, i);
}
