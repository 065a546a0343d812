#include "base/threads/stop.h"
#include "bench/match/sweep.h"

#include <stdlib.h>
#include <string.h>

/* R-MAT has the quadrants of Graph500 (0.57, 0.19, 0.19, 0.05).  A stochastic Kronecker graph of
 * a 2 x 2 matrix is R-MAT with the matrix divided by its sum.  The matrix here is (0.9 0.5; 0.5
 * 0.1), so that the largest quadrant has 0.45 of the edges, and not 0.57 as in Graph500.  Power
 * laws have a mean degree of 16, a million vertices, and degrees of at most 30,000. */
const char sweep_default_graphs[] =
    "rmat:17:16 rmat:18:16 rmat:20:16 random:1000000:8000000 power:1000000:16:-2.1:30000 "
    "power:1000000:16:-2.3:30000 power:1000000:16:-2.5:30000 grid:1000:1000 kronecker:18:16 "
    "rmat:22:16";

static const double kronecker[4] = {0.45, 0.25, 0.25, 0.05};

uint64_t sweep_random(uint64_t *state)
{
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

uint64_t sweep_seed_of(uint64_t seed, const char *text)
{
  uint64_t state = seed;
  for (; *text; text++) {
    state ^= (unsigned char)*text;
    state = sweep_random(&state);
  }
  return state;
}

/* Reads up to four numbers that follow colons; returns how many there are, or -1 if the text has
 * anything else. */
static int read_numbers(const char *at, double *number)
{
  int count = 0;
  while (*at) {
    char *end;
    if (*at != ':' || count == 4)
      return -1;
    number[count++] = strtod(at + 1, &end);
    if (end == at + 1)
      return -1;
    at = end;
  }
  return count;
}

static const struct family {
  const char *name;
  int numbers;
  ms_family family;
  unsigned given; /* 0: sweep_family_make makes it */
} families[] = {
    {"rmat", 2, MS_FAMILY_RMAT, MS_GEN_SCALE | MS_GEN_EDGES},
    {"kronecker", 2, MS_FAMILY_RMAT, MS_GEN_SCALE | MS_GEN_EDGES | MS_GEN_QUADRANTS},
    {"random", 2, MS_FAMILY_ER, MS_GEN_VERTICES | MS_GEN_EDGES},
    {"power", 4, MS_FAMILY_POWER_LAW,
     MS_GEN_VERTICES | MS_GEN_DEGREE | MS_GEN_EXPONENT | MS_GEN_MAX_DEGREE},
    {"grid", 2, MS_FAMILY_GRID, MS_GEN_ROWS | MS_GEN_COLS},
    {"quadrants", 4, MS_FAMILY_RMAT, MS_GEN_SCALE | MS_GEN_EDGES | MS_GEN_QUADRANTS},
    {"blocks", 3, 0, 0},
    {"points", 2, 0, 0},
    {"triads", 3, 0, 0},
};
enum { FAMILIES = sizeof families / sizeof *families };

/* Returns the family of a text and its numbers; NULL: the text names a file. */
static const struct family *family_of(const char *text, double *number)
{
  size_t length = strcspn(text, ":");
  for (int i = 0; i < FAMILIES; i++)
    if (strlen(families[i].name) == length && memcmp(families[i].name, text, length) == 0 &&
        read_numbers(text + length, number) == families[i].numbers)
      return &families[i];
  return NULL;
}

ms_status sweep_graph_make(const char *text, uint64_t seed, uint64_t memory, int threads,
                           ms_graph **out, ms_error *err)
{
  double number[4];
  const struct family *f = family_of(text, number);
  ms_generate_options o = MS_GENERATE_OPTIONS_DEFAULT;
  if (!f)
    return ms_graph_read(text, NULL, out, err);
  if (f->given == 0)
    return sweep_family_make(f->name, number, sweep_seed_of(seed, text), out, err);
  o.family = f->family;
  o.given = f->given;
  o.run.seed = sweep_seed_of(seed, text);
  o.run.memory = memory;
  o.run.threads = threads;
  memcpy(o.quadrants, kronecker, sizeof o.quadrants); /* read only if it is given */
  if (f->numbers == 4 && f->family == MS_FAMILY_RMAT) {
    o.quadrants[0] = number[2];
    o.quadrants[1] = o.quadrants[2] = (1 - number[2] - number[3]) / 2;
    o.quadrants[3] = number[3];
  }
  o.scale = o.vertices = o.rows = (uint64_t)number[0];
  o.cols = (uint64_t)number[1];
  o.edges = (uint64_t)(f->family == MS_FAMILY_RMAT && number[0] < 32
                           ? number[1] * (double)(1ull << o.scale)
                           : number[1]);
  if (f->family == MS_FAMILY_POWER_LAW) {
    o.degree = number[1];
    o.exponent = number[2];
    o.max_degree = (uint64_t)number[3];
  }
  return ms_generate(&o, out, err);
}

void sweep_graph_measure(const ms_graph *graph, sweep_graph_figures *out)
{
  ms_graph_info info = ms_graph_describe(graph);
  *out = (sweep_graph_figures){.n = info.vertices, .m = info.edges};
  uint32_t *degree = malloc(((size_t)out->n + 1) * sizeof *degree);
  for (uint32_t v = 0; degree && v < out->n; v++) {
    ms_graph_neighbors(graph, v, &degree[v]);
    out->square_degrees += (double)degree[v] * degree[v];
    out->max_degree = degree[v] > out->max_degree ? degree[v] : out->max_degree;
  }
  for (uint32_t v = 0; degree && v < out->n; v++) {
    uint32_t length, above = 0;
    const uint32_t *row = ms_graph_neighbors(graph, v, &length);
    for (uint32_t i = 0; i < length; i++)
      above += degree[row[i]] > length || (degree[row[i]] == length && row[i] > v);
    out->square_out += (double)above * above;
    out->max_out = above > out->max_out ? above : out->max_out;
  }
  free(degree);
}
