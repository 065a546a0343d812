/* Built-in patterns, given by a name ("house") or by a name and a size ("clique:5"). */
#include "query/pattern.h"

#include "base/status.h"
#include "graph/io/edges/edges.h"
#include "graph/suggest.h"

#include <stdio.h>
#include <string.h>

/* ---- shapes -------------------------------------------------------------- */

/* Joins the vertices first, .., first + n - 1 to a path. */
static void join_row(ms_pattern *pattern, uint32_t first, uint32_t n)
{
  for (uint32_t v = first; v + 1 < first + n; v++)
    ms_pattern_join(pattern, v, v + 1);
}

static void join_ring(ms_pattern *pattern, uint32_t first, uint32_t n)
{
  join_row(pattern, first, n);
  ms_pattern_join(pattern, first, first + n - 1);
}

/* Joins vertex 0 to all others. */
static void join_hub(ms_pattern *pattern)
{
  for (uint32_t v = 1; v < pattern->n; v++)
    ms_pattern_join(pattern, 0, v);
}

static void join_path(ms_pattern *pattern)
{
  join_row(pattern, 0, pattern->n);
}

static void join_cycle(ms_pattern *pattern)
{
  join_ring(pattern, 0, pattern->n);
}

static void join_clique(ms_pattern *pattern)
{
  for (uint32_t u = 0; u < pattern->n; u++)
    for (uint32_t v = u + 1; v < pattern->n; v++)
      ms_pattern_join(pattern, u, v);
}

static void join_wheel(ms_pattern *pattern)
{
  join_hub(pattern);
  join_ring(pattern, 1, pattern->n - 1);
}

/* Makes K4 without the edge between 2 and 3. */
static void join_diamond(ms_pattern *pattern)
{
  join_hub(pattern);
  ms_pattern_join(pattern, 1, 2);
  ms_pattern_join(pattern, 1, 3);
}

/* Makes a triangle of 0 to 2, and joins the tail 3 to 2. */
static void join_paw(ms_pattern *pattern)
{
  join_ring(pattern, 0, 3);
  ms_pattern_join(pattern, 2, 3);
}

/* Makes two triangles that share vertex 0. */
static void join_bowtie(ms_pattern *pattern)
{
  join_hub(pattern);
  ms_pattern_join(pattern, 1, 2);
  ms_pattern_join(pattern, 3, 4);
}

/* Makes a cycle of 0 to 3, and joins the roof 4 to 0 and 1. */
static void join_house(ms_pattern *pattern)
{
  join_ring(pattern, 0, 4);
  ms_pattern_join(pattern, 0, 4);
  ms_pattern_join(pattern, 1, 4);
}

/* Makes K2,2,2, in which 0 and 1, 2 and 3, 4 and 5 are opposite each other. */
static void join_octahedron(ms_pattern *pattern)
{
  for (uint32_t u = 0; u < pattern->n; u++)
    for (uint32_t v = u + 1; v < pattern->n; v++)
      if ((u ^ 1) != v)
        ms_pattern_join(pattern, u, v);
}

static const struct builtin {
  const char *name;
  uint32_t least; /* smallest size; 0: it has no size */
  uint32_t more;  /* number of vertices in addition to the size */
  void (*join)(ms_pattern *pattern);
} builtins[] = {
    {"triangle", 0, 3, join_clique},
    {"paw", 0, 4, join_paw},
    {"tailed-triangle", 0, 4, join_paw},
    {"square", 0, 4, join_cycle},
    {"diamond", 0, 4, join_diamond},
    {"k4", 0, 4, join_clique},
    {"bowtie", 0, 5, join_bowtie},
    {"house", 0, 5, join_house},
    {"octahedron", 0, 6, join_octahedron},
    {"path", 2, 0, join_path},
    {"cycle", 3, 0, join_cycle},
    {"clique", 1, 0, join_clique},
    {"star", 1, 1, join_hub},
    {"wheel", 3, 1, join_wheel},
};

#define BUILTINS (sizeof builtins / sizeof *builtins)

/* ---- names --------------------------------------------------------------- */

static const struct builtin *find(const char *word, size_t length)
{
  for (size_t i = 0; i < BUILTINS; i++)
    if (strlen(builtins[i].name) == length && memcmp(builtins[i].name, word, length) == 0)
      return &builtins[i];
  return NULL;
}

bool ms_pattern_is_name(const char *word)
{
  if (find(word, strcspn(word, ":")))
    return true;
  return *word && strcmp(word, "-") != 0 && !strpbrk(word, "/.");
}

static ms_status unknown_name(const char *word, size_t length, ms_error *err)
{
  char known[240] = "", guess[48] = "";
  const struct builtin *nearest = NULL;
  unsigned least = MS_NAME_FAR;
  size_t used = 0;
  for (size_t i = 0; i < BUILTINS; i++) {
    const struct builtin *b = &builtins[i];
    int wrote = snprintf(known + used, sizeof known - used, "%s%s%s",
                         i == 0              ? ""
                         : i + 1 == BUILTINS ? " or "
                                             : ", ",
                         b->name, b->least ? ":N" : "");
    used += wrote > 0 ? (size_t)wrote : 0;
    unsigned d = ms_name_distance(word, length, b->name, strlen(b->name));
    if (d < least) {
      least = d;
      nearest = b;
    }
  }
  if (nearest)
    snprintf(guess, sizeof guess, " (did you mean '%s%s'?)", nearest->name,
             nearest->least ? ":N" : "");
  /* a word that cannot be a name would garble the message */
  bool printable = !ms_name_problem(word, strlen(word));
  return ms_fail(err, MS_ERR_USAGE, "no built-in pattern is called '%.*s'%s; use %s",
                 printable ? ms_name_clip(word, strlen(word)) : 0, word, guess, known);
}

static ms_status take_size(const struct builtin *b, const char *size, uint32_t *n, ms_error *err)
{
  uint64_t value = 0;
  uint32_t most = MS_MAX_PATTERN - b->more;
  if (!b->least && *size)
    return ms_fail(err, MS_ERR_USAGE, "the pattern '%s' has no size; remove the text after it",
                   b->name);
  if (b->least &&
      (*size != ':' || !ms_field_count((ms_field){size + 1, strlen(size + 1)}, most, &value) ||
       value < b->least))
    return ms_fail(err, MS_ERR_USAGE,
                   "the pattern '%s:N' needs a whole number N from %u to %u (a pattern has at most "
                   "%u vertices); correct it, such as '%s:%u'",
                   b->name, b->least, most, MS_MAX_PATTERN, b->name, b->least + 2);
  *n = (uint32_t)value + b->more;
  return MS_OK;
}

ms_status ms_pattern_named(const char *name, ms_pattern **out, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(name, err);
  size_t length = strcspn(name, ":");
  const struct builtin *b = find(name, length);
  uint32_t n = 0;
  if (!b)
    return unknown_name(name, length, err);
  ms_status status = take_size(b, name + length, &n, err);
  if (status == MS_OK)
    status = ms_pattern_new(n, false, NULL, name, out, err);
  if (status == MS_OK)
    b->join(*out);
  return status;
}
