/* Built-in patterns, given by a name ("house") or by a name and a size ("clique:5"). */
#include "query/pattern.h"

#include "base/status.h"
#include "graph/io/edges/edges.h"
#include "graph/suggest.h"

#include <stdio.h>
#include <string.h>

/* ---- shapes -------------------------------------------------------------- */

/* Joins vertex 0 to all others. */
static void join_hub(ms_pattern *pattern)
{
  for (uint32_t v = 1; v < pattern->n; v++)
    ms_pattern_join(pattern, 0, v);
}

/* Joins the vertices from `first` on to a path. */
static void join_row(ms_pattern *pattern, uint32_t first)
{
  for (uint32_t v = first; v + 1 < pattern->n; v++)
    ms_pattern_join(pattern, v, v + 1);
}

static void join_path(ms_pattern *pattern)
{
  join_row(pattern, 0);
}

static void join_cycle(ms_pattern *pattern)
{
  join_row(pattern, 0);
  ms_pattern_join(pattern, 0, pattern->n - 1);
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
  join_row(pattern, 1);
  ms_pattern_join(pattern, 1, pattern->n - 1);
}

/* A name: of one shape, whose edges are listed, or of a family, whose shapes have a size.  Small
 * graphs have the names of the Information System on Graph Classes and their Inclusions
 * (H. N. de Ridder et al., graphclasses.org).  Where names mean the same shape, the first one
 * names it in a census; synonyms are at the end. */
#define SHAPE(NAME, N, EDGES)                                                                      \
  {                                                                                                \
    .name = NAME, .n = N, .edges = EDGES                                                           \
  }
static const struct builtin {
  const char *name;
  uint32_t n;                        /* vertices of the shape, or of a family, besides its size */
  const char *edges;                 /* pairs of vertices */
  uint32_t least;                    /* the smallest size of a family; 0: it has no size */
  void (*join)(ms_pattern *pattern); /* makes a shape of a family */
} builtins[] = {
    SHAPE("triangle", 3, "01 02 12"),
    SHAPE("paw", 4, "01 02 12 23"),
    SHAPE("square", 4, "01 12 23 03"),
    SHAPE("diamond", 4, "01 02 03 12 13"),
    SHAPE("fork", 5, "01 02 03 34"),
    SHAPE("banner", 5, "01 12 23 03 34"),
    SHAPE("bull", 5, "01 02 12 13 24"),
    SHAPE("cricket", 5, "01 02 12 03 04"),
    SHAPE("bowtie", 5, "01 02 12 03 04 34"),
    SHAPE("house", 5, "01 12 23 03 04 14"),
    SHAPE("dart", 5, "01 02 03 12 13 04"),
    SHAPE("kite", 5, "01 02 03 12 13 24"),
    SHAPE("gem", 5, "01 02 03 04 12 23 34"),
    SHAPE("net", 6, "01 02 12 03 14 25"),
    SHAPE("domino", 6, "01 12 23 03 14 25 45"),
    SHAPE("prism", 6, "01 02 12 03 14 25 34 35 45"),
    SHAPE("octahedron", 6, "02 03 04 05 12 13 14 15 24 25 34 35"),
    {"path", .least = 2, .join = join_path},
    {"cycle", .least = 3, .join = join_cycle},
    {"clique", .least = 1, .join = join_clique},
    {"star", .n = 1, .least = 1, .join = join_hub},
    {"wheel", .n = 1, .least = 3, .join = join_wheel},
    SHAPE("tailed-triangle", 4, "01 02 12 23"),
    SHAPE("claw", 4, "01 02 03"),
    SHAPE("butterfly", 5, "01 02 12 03 04 34"),
    SHAPE("k4", 4, "01 02 03 12 13 23"),
    SHAPE("k5", 5, "01 02 03 04 12 13 14 23 24 34"),
};

#define BUILTINS (sizeof builtins / sizeof *builtins)

static void join(const struct builtin *b, ms_pattern *pattern)
{
  if (b->join)
    b->join(pattern);
  else
    for (const char *e = b->edges; *e; e += e[2] ? 3 : 2)
      ms_pattern_join(pattern, (uint32_t)(e[0] - '0'), (uint32_t)(e[1] - '0'));
}

/* ---- names --------------------------------------------------------------- */

static const struct builtin *find(const char *word, size_t length)
{
  for (size_t i = 0; i < BUILTINS; i++)
    if (strlen(builtins[i].name) == length && memcmp(builtins[i].name, word, length) == 0)
      return &builtins[i];
  return NULL;
}

bool ms_pattern_builtin_name(uint32_t i, uint32_t n, char *name, size_t size)
{
  if (i >= BUILTINS)
    return false;
  const struct builtin *b = &builtins[i];
  *name = 0;
  if (b->join && n >= b->least + b->n)
    snprintf(name, size, "%s:%u", b->name, n - b->n);
  else if (n == b->n)
    snprintf(name, size, "%s", b->name);
  return true;
}

bool ms_pattern_is_name(const char *word)
{
  if (find(word, strcspn(word, ":")))
    return true;
  return *word && strcmp(word, "-") != 0 && !strpbrk(word, "/.");
}

static ms_status unknown_name(const char *word, size_t length, ms_error *err)
{
  char known[400] = "", guess[48] = "";
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
  uint32_t most = MS_MAX_PATTERN - b->n;
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
  *n = (uint32_t)value + b->n;
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
    join(b, *out);
  return status;
}
