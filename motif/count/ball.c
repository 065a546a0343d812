#include "motif/count/ball.h"

#include "base/alloc.h"
#include "base/compiler.h"
#include "base/status.h"

#include <string.h>

#define AT_ONCE 32u /* neighbours that are looked up before the new ones of them are added */
#define AHEAD 4u    /* members whose rows are fetched before they are visited */
#define MOST_READS ((uint64_t)1 << 16) /* a root near which there is more is searched in lists */

void ms_ball_free(ms_ball *ball)
{
  if (!ball)
    return;
  ms_free(ball->rank_kind);
  ms_free(ball->place);
  ms_free(ball->kind_place);
  ms_free(ball);
}

ms_status ms_ball_new(const ms_kinds *kinds, ms_ball **out, ms_error *err)
{
  uint32_t n = kinds->ranked->n;
  ms_ball *ball = *out = ms_alloc_lines(1, sizeof *ball);
  if (!ball)
    return ms_fail_memory(err, "the surroundings of a vertex");
  memset(ball, 0, sizeof *ball);
  ball->of = kinds;
  ball->rank_kind = ms_alloc(n, sizeof *ball->rank_kind);
  ball->place = ms_calloc(n, sizeof *ball->place);
  ball->kind_place = ms_calloc(kinds->count, sizeof *ball->kind_place);
  if (!ball->rank_kind || !ball->place || !ball->kind_place) {
    ms_ball_free(ball);
    *out = NULL;
    return ms_fail_memory(err, "the surroundings of a vertex");
  }
  for (uint32_t i = 0; i < kinds->runs; i++)
    for (uint32_t r = kinds->run[i].begin; r < kinds->run[i].end; r++)
      ball->rank_kind[r] = kinds->run[i].kind;
  return MS_OK;
}

/* Returns what the places of this ball have above their lowest bits.  It is not 0. */
static uint32_t begin_ball(ms_ball *ball)
{
  const uint64_t numbers = UINT64_C(1) << (32 - MS_BALL_BITS);
  if (++ball->number % numbers == 0) {
    memset(ball->place, 0, ball->of->ranked->n * sizeof *ball->place);
    memset(ball->kind_place, 0, ball->of->count * sizeof *ball->kind_place);
    ball->number++;
  }
  ball->size = ball->kinds = ball->neighbors = ball->outer = 0;
  ball->reads = 0;
  return (uint32_t)(ball->number % numbers) << MS_BALL_BITS;
}

static void add_to_kind(ms_ball *ball, uint32_t kind, uint32_t member, uint32_t tag)
{
  uint32_t at = ball->kind_place[kind] ^ tag;
  if (at >= MS_BALL_MOST) {
    at = ball->kinds++;
    ball->kind[at] = kind;
    ball->kind_place[kind] = tag | at;
    memset(ball->bits[at], 0, sizeof ball->bits[at]);
  }
  ball->kind_of[member] = (uint16_t)at;
  ball->bits[at][member / 64] |= UINT64_C(1) << member % 64;
}

/* Adds a rank that is new, if it fits.  Returns its place, or MS_BALL_MOST if it does not fit;
 * `full` is set if there is no room for it. */
static uint32_t add_member(ms_ball *ball, uint32_t rank, const ms_fit *fit, uint32_t tag,
                           bool *full)
{
  const ms_ranked *ranked = ball->of->ranked;
  if (!(ranked->mask[rank] & fit->slots.usable) ||
      (fit->only_mandatory && !ranked->mandatory[rank]))
    return MS_BALL_MOST;
  if (ball->size == MS_BALL_MOST) {
    *full = true;
    return MS_BALL_MOST;
  }
  uint32_t at = ball->size++;
  ball->rank[at] = rank;
  __builtin_prefetch(ranked->offset + rank);
  __builtin_prefetch(ranked->run_offset + rank);
  ball->place[rank] = tag | at;
  add_to_kind(ball, ball->rank_kind[rank], at, tag);
  return at;
}

/* Visits the neighbours of a rank that fit: adds those that are new, and puts all of them into
 * `row`, unless it is NULL.  Returns false if there are too many members, or too many to read. */
MS_ALWAYS_INLINE bool visit(ms_ball *ball, uint32_t rank, uint32_t root, const ms_fit *fit,
                            const uint8_t *dead, uint64_t *row, uint32_t tag)
{
  const ms_ranked *ranked = ball->of->ranked;
  const uint32_t *neighbor = ranked->neighbor + ranked->offset[rank], *place = ball->place;
  uint32_t degree = (uint32_t)(ranked->offset[rank + 1] - ranked->offset[rank]);
  uint64_t word[MS_BALL_WORDS] = {0}, runs = ranked->run_offset[rank + 1];
  bool full = false;
  for (uint64_t r = ranked->run_offset[rank]; r < runs && !full; r++) {
    uint32_t end = r + 1 < runs ? ranked->run[r + 1].begin : degree, i = ranked->run[r].begin;
    if (!(ranked->run[r].mask & fit->slots.usable))
      continue; /* no member is in it */
    ball->reads += end - i;
    full = ball->reads > MOST_READS;
    while (!dead && i < end && neighbor[i] <= root)
      i++;
    for (uint32_t next; i < end && !full; i = next) {
      uint32_t fresh[AT_ONCE], count = 0, at;
      next = end - i < AT_ONCE ? end : i + AT_ONCE;
      for (; i < next; i++) { /* few branches, which could not be predicted */
        uint32_t u = neighbor[i];
        at = place[u] ^ tag;
        word[at % MS_BALL_MOST / 64] |= (uint64_t)(at < MS_BALL_MOST) << at % 64;
        fresh[count] = u;
        count += at >= MS_BALL_MOST && !(dead && (dead[u] || u == root));
      }
      for (uint32_t j = 0; j < count && !full; j++)
        if ((at = add_member(ball, fresh[j], fit, tag, &full)) < MS_BALL_MOST)
          word[at / 64] |= UINT64_C(1) << at % 64;
    }
  }
  if (row)
    memcpy(row, word, sizeof word);
  return !full;
}

MS_ALWAYS_INLINE bool make(ms_ball *ball, uint32_t root, const ms_fit *fit, const uint8_t *dead)
{
  uint32_t tag = begin_ball(ball), size = ball->of->ranked->size;
  if (!visit(ball, root, root, fit, dead, NULL, tag))
    return false;
  ball->neighbors = ball->size;
  uint32_t begin = 0, end = ball->size;
  for (uint32_t steps = 1; steps + 1 < size; steps++) {
    for (uint32_t i = begin; i < end; i++) {
      const ms_ranked *ranked = ball->of->ranked;
      if (i + AHEAD < ball->size) {
        uint32_t later = ball->rank[i + AHEAD];
        __builtin_prefetch(ranked->neighbor + ranked->offset[later]);
        __builtin_prefetch(ranked->run + ranked->run_offset[later]);
      }
      if (!visit(ball, ball->rank[i], root, fit, dead, ball->row[i], tag))
        return false;
    }
    begin = end;
    end = ball->size;
  }
  ball->outer = end - begin;
  return true;
}

bool ms_ball_make(ms_ball *ball, uint32_t root, const ms_fit *fit, const uint8_t *dead)
{
  return dead ? make(ball, root, fit, dead) : make(ball, root, fit, NULL);
}
