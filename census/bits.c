#include "census/bits.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/integrity.h"
#include "base/status.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

const ms_bits_kernel *ms_bits_at(unsigned i)
{
  const ms_bits_kernel *here[3] = {&ms_bits_portable};
  unsigned count = 1;
#ifdef MS_X86_64
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") &&
      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2")) {
    here[count++] = &ms_bits_popcnt256;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vpopcntdq"))
      here[count++] = &ms_bits_popcnt512;
  }
#endif
  return i < count ? here[i] : NULL;
}

/* Returns the kernel of a census: the best one, or the one that MOTIFSIEVE_SETS names. */
static const ms_bits_kernel *choose_kernel(void)
{
  const char *name = getenv("MOTIFSIEVE_SETS");
  const ms_bits_kernel *next;
  unsigned count = 0, usual = UINT_MAX;
  if (ms_hooks.census_bits_kernel)
    return ms_hooks.census_bits_kernel;
  for (; (next = ms_bits_at(count)); count++)
    if (usual == UINT_MAX && name && strcmp(name, next->name) == 0)
      usual = count;
  return ms_bits_at(ms_other_kernel_place(usual < count ? usual : count - 1, count));
}

static uint32_t degree_of(const ms_census_graph *g, uint32_t v)
{
  return (uint32_t)(g->offset[v + 1] - g->offset[v]);
}

/* Gives each kind its words; returns the words of a row. */
static uint32_t place_kinds(const ms_census_graph *g, uint32_t *word)
{
  uint32_t next = 0;
  memset(word, 0, (g->kinds + 1) * sizeof *word);
  for (uint32_t v = 0; v < g->n; v++)
    word[g->kind[v]]++;
  for (uint32_t c = 0; c < g->kinds; c++) {
    uint32_t words = word[c] / 64 + (word[c] % 64 > 0);
    word[c] = next;
    next += words;
  }
  word[g->kinds] = next;
  return next;
}

/* Gives each vertex its bit and, if it has `least` neighbours, the number of its row; returns the
 * rows. */
static uint32_t place_vertices(const ms_census_graph *g, ms_census_bits *b)
{
  uint32_t rows = 0;
  uint32_t *next = b->number; /* [kinds] for a while: kinds are at most vertices */
  memset(next, 0, g->n * sizeof *next);
  for (uint32_t v = 0; v < g->n; v++)
    b->place[v] = 64 * b->word[g->kind[v]] + next[g->kind[v]]++;
  for (uint32_t v = 0; v < g->n; v++)
    b->number[v] = degree_of(g, v) >= b->least ? ++rows : 0;
  return rows;
}

static void fill_rows(const ms_census_graph *g, ms_census_bits *b)
{
  for (uint32_t v = 0; v < g->n; v++)
    for (uint64_t a = g->offset[v]; b->number[v] && a < g->offset[v + 1]; a++) {
      uint32_t place = b->place[g->neighbor[a]];
      b->row[(uint64_t)(b->number[v] - 1) * b->words + place / 64] |= UINT64_C(1) << place % 64;
    }
}

/* Makes the arrays; *worth: some vertex has a row. */
static ms_status fill(const ms_census_graph *g, ms_budget *budget, ms_census_bits *b, bool *worth,
                      ms_error *err)
{
  b->word = ms_alloc(g->kinds + 1, sizeof *b->word);
  if (!b->word)
    return ms_fail_memory(err, "the rows of bits of a census");
  b->kernel = choose_kernel();
  b->words = place_kinds(g, b->word);
  double least = b->kernel->neighbors * b->words;
  b->least = ms_hooks.census_bits_degree ? ms_hooks.census_bits_degree
             : least < UINT32_MAX / 2    ? (uint32_t)least + 1
                                         : UINT32_MAX;
  uint64_t rows = 0;
  for (uint32_t v = 0; v < g->n; v++)
    rows += degree_of(g, v) >= b->least;
  uint64_t bytes = 2 * (uint64_t)g->n * sizeof(uint32_t) + rows * b->words * sizeof(uint64_t);
  *worth = rows > 0 && bytes <= ms_budget_left(budget) / 8 && ms_budget_reserve(budget, bytes);
  if (!*worth)
    return MS_OK;
  b->bytes = bytes;
  b->place = ms_alloc(g->n, sizeof *b->place);
  b->number = ms_alloc(g->n, sizeof *b->number);
  b->row = ms_calloc(rows * b->words, sizeof *b->row);
  if (!b->place || !b->number || !b->row)
    return ms_fail_memory(err, "the rows of bits of a census");
  place_vertices(g, b);
  fill_rows(g, b);
  return MS_OK;
}

ms_status ms_census_bits_new(const ms_census_graph *g, ms_budget *budget, ms_census_bits **out,
                             ms_error *err)
{
  bool worth = false;
  *out = NULL;
  if (g->n == 0 || g->kinds > g->n || g->max_degree < 2)
    return MS_OK;
  ms_census_bits *b = ms_calloc(1, sizeof *b);
  if (!b)
    return ms_fail_memory(err, "the rows of bits of a census");
  ms_status status = fill(g, budget, b, &worth, err);
  if (status == MS_OK && worth)
    *out = b;
  else
    ms_census_bits_free(b, budget);
  return status;
}

void ms_census_bits_free(ms_census_bits *b, ms_budget *budget)
{
  if (!b)
    return;
  ms_budget_release(budget, b->bytes);
  ms_free(b->word);
  ms_free(b->place);
  ms_free(b->number);
  ms_free(b->row);
  ms_free(b);
}

uint64_t ms_census_bits_of_thread(const ms_census_graph *g, const ms_census_bits *b)
{
  return 2 * (uint64_t)b->words * sizeof(uint64_t) + ((uint64_t)g->n + g->kinds) * sizeof(uint32_t);
}
