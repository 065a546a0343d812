#include "motif/count/count_sets.h"

#include "base/alloc.h"
#include "base/integrity.h"
#include "base/status.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* portable, avx2, avx512: a later one is faster where the processor supports it */
const ms_set_counting *ms_set_counting_at(unsigned i)
{
  const ms_set_counting *here[3] = {&ms_set_counting_portable};
  unsigned count = 1;
#ifdef MS_X86_64
  bool popcnt = __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi") &&
                __builtin_cpu_supports("bmi2");
  if (popcnt && __builtin_cpu_supports("avx2"))
    here[count++] = &ms_set_counting_avx2;
  if (popcnt && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vpopcntdq"))
    here[count++] = &ms_set_counting_avx512;
#endif
  return i < count ? here[i] : NULL;
}

const ms_set_counting *ms_set_counting_best(void)
{
  const char *name = getenv("MOTIFSIEVE_SETS");
  const ms_set_counting *path;
  unsigned count = 0, usual = UINT_MAX;
  for (; (path = ms_set_counting_at(count)); count++)
    if (usual == UINT_MAX && name && strcmp(name, path->name) == 0)
      usual = count;
  return ms_set_counting_at(ms_other_kernel_place(usual < count ? usual : count - 1, count));
}

static uint32_t words_of(uint32_t n)
{
  return (uint32_t)(((uint64_t)n + 64 * MS_FIT_VECTOR - 1) / (64 * MS_FIT_VECTOR) * MS_FIT_VECTOR);
}

uint64_t ms_bit_rows_bytes(uint32_t n)
{
  return (uint64_t)n * words_of(n) * sizeof(uint64_t);
}

static void fill_span(ms_kind_run run, ms_span *s)
{
  uint32_t end = run.end - 1;
  s->first = run.begin / 64;
  s->last = end / 64;
  s->head = UINT64_MAX << run.begin % 64;
  s->tail = UINT64_MAX >> (63 - end % 64);
  s->words = (s->last / MS_FIT_VECTOR - s->first / MS_FIT_VECTOR + 1) * MS_FIT_VECTOR;
  for (uint32_t i = 0; i < MS_FIT_VECTOR; i++) {
    uint32_t first = s->first % MS_FIT_VECTOR, last = s->last % MS_FIT_VECTOR;
    s->heads[i] = i < first ? 0 : i == first ? s->head : UINT64_MAX;
    s->tails[i] = i > last ? 0 : i == last ? s->tail : UINT64_MAX;
  }
}

ms_status ms_bit_rows_new(const ms_kinds *kinds, ms_bit_rows *out, ms_error *err)
{
  const ms_ranked *ranked = kinds->ranked;
  uint32_t words = words_of(ranked->n);
  *out = (ms_bit_rows){.n = ranked->n,
                       .words = words,
                       .row = ms_alloc_lines((size_t)ranked->n * words, sizeof *out->row),
                       .span = ms_alloc_lines(kinds->runs, sizeof *out->span)};
  if (!out->row || !out->span) {
    ms_bit_rows_free(out);
    return ms_fail_memory(err, "the rows of bits");
  }
  memset(out->row, 0, ms_bit_rows_bytes(ranked->n));
  for (uint32_t r = 0; r < ranked->n; r++) {
    uint64_t *row = out->row + (size_t)r * words;
    for (uint64_t a = ranked->offset[r]; a < ranked->offset[r + 1]; a++)
      row[ranked->neighbor[a] / 64] |= UINT64_C(1) << ranked->neighbor[a] % 64;
  }
  for (uint32_t i = 0; i < kinds->runs; i++)
    fill_span(kinds->run[i], &out->span[i]);
  return MS_OK;
}

void ms_bit_rows_free(ms_bit_rows *rows)
{
  ms_free(rows->row);
  ms_free(rows->span);
  *rows = (ms_bit_rows){0};
}

void ms_set_counter_close(ms_set_counter *c)
{
  ms_fits_free(c->fits);
  ms_ball_free(c->ball);
  ms_free(c->space);
  ms_free(c->new);
  ms_free(c->taking);
  ms_free(c->plane);
  ms_free(c->here);
  *c = (ms_set_counter){0};
}

static ms_status open_sets(ms_set_counter *c, ms_error *err)
{
  if (!c->rows)
    return ms_ball_new(c->kinds, &c->ball, err);
  c->space = ms_alloc_lines((size_t)2 * c->kinds->ranked->size * c->rows->words, sizeof *c->space);
  c->new = ms_alloc_lines(c->rows->words, sizeof *c->new);
  return c->space && c->new ? MS_OK : ms_fail_memory(err, "the sets of a thread");
}

/* Makes what the matches of each rank are counted with. */
static ms_status open_taking(ms_set_counter *c, ms_error *err)
{
  uint32_t words = c->rows ? c->rows->words : 0;
  c->taking = ms_calloc(c->kinds->ranked->n, sizeof *c->taking);
  if (c->rows) {
    c->plane = ms_alloc_lines((size_t)(MS_PLANES + 1) * words, sizeof *c->plane);
    c->here = ms_alloc_lines(words, sizeof *c->here);
  }
  if (!c->taking || (c->rows && (!c->plane || !c->here)))
    return ms_fail_memory(err, "the matches of each vertex");
  if (c->rows)
    memset(c->plane, 0, (size_t)(MS_PLANES + 1) * words * sizeof *c->plane);
  return MS_OK;
}

ms_status ms_set_counter_open(const ms_kinds *kinds, const ms_bit_rows *rows, bool takes,
                              uint64_t state_bytes, ms_budget *budget, ms_set_counter *out,
                              ms_error *err)
{
  *out = (ms_set_counter){.kinds = kinds, .rows = rows, .wanted = MS_WANTED_NONE};
  ms_status status = open_sets(out, err);
  if (status == MS_OK && takes)
    status = open_taking(out, err);
  if (status == MS_OK)
    status = ms_fits_new(kinds, rows ? rows->words : MS_BALL_WORDS, rows != NULL, state_bytes,
                         budget, &out->fits, err);
  if (status != MS_OK)
    ms_set_counter_close(out);
  return status;
}
