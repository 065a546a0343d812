#include "base/status.h"
#include "bench/match/sweep.h"
#include "query/pattern.h"

#include <stdlib.h>
#include <string.h>

const char sweep_default_patterns[] =
    "K3 K4 K5 K6 K7 K8 C4 C5 C6 diamond house W4 W5 octahedron K5-e K6-e path star "
    "random:5 random:6 random:7";

/* The short names, which published tables use. */
static const char *const names[][2] = {
    {"K3", "clique:3"},
    {"K4", "clique:4"},
    {"K5", "clique:5"},
    {"K6", "clique:6"},
    {"K7", "clique:7"},
    {"K8", "clique:8"},
    {"C4", "cycle:4"},
    {"C5", "cycle:5"},
    {"C6", "cycle:6"},
    {"W4", "wheel:4"},
    {"W5", "wheel:5"},
    {"path", "path:5"},
    {"star", "star:4"}, /* five vertices: the centre and four leaves */
    {"K5-e", "0-1,0-2,0-3,0-4,1-2,1-3,1-4,2-3,2-4"},
    {"K6-e", "0-1,0-2,0-3,0-4,0-5,1-2,1-3,1-4,1-5,2-3,2-4,2-5,3-4,3-5"},
};
enum { NAMES = sizeof names / sizeof *names, MOST_RANDOM = 16 };

/* The queries of cuTS (SC'21), which its repository has in this order: 11 each of 5, 6 and 7
 * vertices.  They are directed, and here each arc is an edge, as in a network that has each edge in
 * both directions.  Given are the vertices, and the pairs that are not joined. */
static const struct {
  uint32_t n;
  const char *missing;
} cuts[] = {
    {5, ""},    {5, ""},        {5, ""},        {5, "0-4"}, {5, ""},
    {5, "0-4"}, {5, ""},        {5, ""},        {5, ""},    {5, ""},
    {5, ""},    {6, ""},        {6, "4-5"},     {6, "1-4"}, {6, ""},
    {6, ""},    {6, ""},        {6, ""},        {6, "1-4"}, {6, ""},
    {6, ""},    {6, "1-3 3-5"}, {7, "0-2"},     {7, "5-6"}, {7, "0-1 1-2 1-6"},
    {7, ""},    {7, "0-4 3-6"}, {7, "0-3 3-5"}, {7, "0-4"}, {7, "0-2 2-3"},
    {7, ""},    {7, ""},        {7, "4-5"},
};
enum { CUTS = sizeof cuts / sizeof *cuts };

static const char *long_name(const char *text)
{
  for (int i = 0; i < NAMES; i++)
    if (strcmp(names[i][0], text) == 0)
      return names[i][1];
  return text;
}

static void write_edge(char *edges, size_t room, uint32_t u, uint32_t v)
{
  size_t used = strlen(edges);
  snprintf(edges + used, room - used, "%s%u-%u", used ? "," : "", u, v);
}

/* Draws a tree, in which each vertex is joined to one of those before it, and how many further
 * edges there are, any number with the same chance; then the edges. */
static void draw_edges(uint32_t n, uint64_t seed, char *edges, size_t room)
{
  bool joined[MOST_RANDOM][MOST_RANDOM] = {{false}};
  uint32_t free_pairs = n * (n - 1) / 2 - (n - 1);
  for (uint32_t v = 1; v < n; v++)
    joined[sweep_random(&seed) % v][v] = true;
  for (uint32_t more = (uint32_t)(sweep_random(&seed) % (free_pairs + 1)); more > 0;) {
    uint32_t u = (uint32_t)(sweep_random(&seed) % n), v = (uint32_t)(sweep_random(&seed) % n);
    if (u < v && !joined[u][v]) {
      joined[u][v] = true;
      more--;
    }
  }
  for (uint32_t u = 0; u < n; u++)
    for (uint32_t v = u + 1; v < n; v++)
      if (joined[u][v])
        write_edge(edges, room, u, v);
}

static ms_status write_cuts(const char *number, char *edges, size_t room, ms_error *err)
{
  char *rest, pair[8];
  unsigned long i = strtoul(number, &rest, 10);
  if (i < 1 || i > CUTS || *rest)
    return ms_fail(err, MS_ERR_USAGE, "the queries of cuTS are cuts:1 to cuts:%d; '%s' is wrong",
                   CUTS, number);
  for (uint32_t u = 0; u < cuts[i - 1].n; u++)
    for (uint32_t v = u + 1; v < cuts[i - 1].n; v++) {
      snprintf(pair, sizeof pair, "%u-%u", u % 10, v % 10);
      if (!strstr(cuts[i - 1].missing, pair))
        write_edge(edges, room, u, v);
    }
  return MS_OK;
}

ms_status sweep_pattern_edges(const char *text, uint64_t seed, char *edges, size_t room,
                              ms_error *err)
{
  ms_pattern *pattern = NULL;
  edges[0] = 0;
  if (strncmp(text, "random:", 7) == 0) {
    unsigned long n = strtoul(text + 7, NULL, 10);
    if (n < 2 || n > MOST_RANDOM)
      return ms_fail(err, MS_ERR_USAGE, "a random pattern has 2 to %d vertices; '%s' is wrong",
                     MOST_RANDOM, text);
    draw_edges((uint32_t)n, sweep_seed_of(seed, text), edges, room);
    return MS_OK;
  }
  if (strncmp(text, "cuts:", 5) == 0)
    return write_cuts(text + 5, edges, room, err);
  MS_TRY(bench_pattern_of(long_name(text), &pattern, err));
  ms_shape shape;
  ms_shape_of(pattern, false, &shape);
  for (uint32_t v = 0; v < shape.n; v++) {
    ms_bitset near = ms_shape_near(&shape, v);
    MS_EACH_MEMBER (u, near)
      if (u > v)
        write_edge(edges, room, v, (uint32_t)u);
  }
  ms_pattern_free(pattern);
  return MS_OK;
}

ms_status sweep_pattern_make(const char *edges, uint32_t labels, uint64_t seed, ms_pattern **out,
                             ms_error *err)
{
  ms_status status = bench_pattern_of(edges, out, err);
  for (uint32_t i = 0; status == MS_OK && labels > 0 && i < ms_pattern_size(*out); i++) {
    char name[16];
    snprintf(name, sizeof name, "c%u", (uint32_t)(sweep_random(&seed) % labels));
    status = ms_pattern_accept(*out, i, name, err);
  }
  return status;
}
