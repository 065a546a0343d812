/* Cliques and cycles of five vertices. */
#include "match/small/passes.h"

#include "base/status.h"

#include <string.h>

/* ---- cliques --------------------------------------------------------------------------------- */

typedef struct cliques {
  ms_small *s;
  uint64_t *found; /* [arcs] of u -> v: cliques whose smallest id u is, and which hold v */
  uint64_t *bits;  /* [threads][rows][words] which larger common neighbours of an edge's ends are
                      adjacent */
  uint32_t rows, words;
} cliques;

/* Sets the bits of the common neighbours v > u of the ends of an arc from the root to u, whose arcs
 * from the root are found[count], and returns how many they are.  times[v] becomes the number of
 * each from 1 on. */
static uint32_t fill_bits(const cliques *c, ms_small_scratch *t, uint64_t arc, uint64_t *bits)
{
  const ms_small *s = c->s;
  uint64_t end = s->first[arc + 1], begin = end;
  uint32_t count = 0;
  while (begin > s->first[arc] && s->corner[begin - 1] > s->end[arc])
    begin--;
  for (uint64_t i = begin; i < end; i++) {
    uint32_t v = s->corner[i];
    t->found[count] = t->arc[v];
    t->times[v] = ++count;
  }
  memset(bits, 0, (size_t)count * c->words * sizeof *bits);
  for (uint32_t a = 0; a < count; a++) {
    uint32_t next = s->third[begin + a];
    for (uint64_t i = s->first[next]; i < s->first[next + UINT64_C(1)]; i++) {
      uint32_t b = t->times[s->corner[i]];
      if (b > 0)
        bits[(size_t)a * c->words + (b - 1) / 64] |= UINT64_C(1) << (b - 1) % 64;
    }
  }
  for (uint64_t i = begin; i < end; i++)
    t->times[s->corner[i]] = 0;
  return count;
}

/* Sets sum[count] to twice the triangles at each row, and returns six times all triangles. */
static uint64_t count_triangles(const cliques *c, const uint64_t *bits, uint32_t count,
                                uint64_t *sum)
{
  uint32_t words = (count + 63) / 64;
  uint64_t all = 0;
  memset(sum, 0, count * sizeof *sum);
  for (uint32_t a = 0; a < count; a++)
    for (uint32_t b = a + 1; b < count; b++) {
      const uint64_t *x = bits + (size_t)a * c->words, *y = bits + (size_t)b * c->words;
      if ((x[b / 64] >> b % 64 & 1) == 0)
        continue;
      uint64_t both = c->s->rows->count(x, y, words);
      sum[a] += both;
      sum[b] += both;
      all += 2 * both;
    }
  return all;
}

static void visit_cliques(void *user, ms_range r)
{
  const cliques *c = user;
  const ms_small *s = c->s;
  ms_small_scratch *t = &s->scratch[r.thread];
  uint64_t *bits = c->bits + (size_t)r.thread * c->rows * c->words;
  for (uint32_t v = (uint32_t)r.begin; v < r.end; v++) {
    ms_small_mark(s, t, v);
    for (uint64_t arc = s->offset[v]; arc < s->offset[v + 1]; arc++) {
      if (s->end[arc] < v || s->common[arc] < 3)
        continue;
      if (ms_watch_check(&c->s->watch))
        break;
      uint32_t count = fill_bits(c, t, arc, bits);
      uint64_t all = count_triangles(c, bits, count, t->sum) / 6;
      c->found[arc] += all;
      s->number[MS_SMALL_CLIQUE5][v] += all;
      for (uint32_t i = 0; i < count; i++) {
        c->found[t->found[i]] += t->sum[i] / 2;
        t->sum[i] = 0;
      }
    }
    ms_small_unmark(s, t, v);
  }
}

static void settle_cliques(void *user, ms_range r)
{
  const cliques *c = user;
  const ms_small *s = c->s;
  for (uint64_t v = r.begin; v < r.end; v++) {
    ms_small_sum *number = &s->number[MS_SMALL_CLIQUE5][v];
    for (uint64_t arc = s->offset[v]; arc < s->offset[v + 1]; arc++)
      *number += c->found[s->reverse[arc]];
    *number *= 24;
  }
}

ms_status ms_small_fives(ms_small *s, ms_error *err)
{
  static const ms_small_shape shape[] = {MS_SMALL_CLIQUE5};
  uint64_t arcs = s->offset[s->n];
  cliques c = {.s = s, .rows = 1};
  MS_TRY(ms_small_open(s, shape, 1, err));
  for (uint32_t v = 0; v < s->n; v++) {
    uint64_t arc = s->offset[v + 1];
    while (arc > s->offset[v] && s->end[arc - 1] > v)
      arc--;
    if (s->offset[v + 1] - arc > c.rows)
      c.rows = (uint32_t)(s->offset[v + 1] - arc);
  }
  c.words = (c.rows + 63) / 64;
  uint64_t room = (uint64_t)s->threads * c.rows * c.words;
  c.found = ms_small_room(s, arcs, sizeof *c.found);
  c.bits = ms_small_room(s, room, sizeof *c.bits);
  ms_status status =
      c.found && c.bits ? MS_OK : ms_fail_memory(err, "the neighbours of cliques of five");
  if (status == MS_OK)
    status = ms_small_loop(s, visit_cliques, &c, err);
  if (status == MS_OK)
    status = ms_small_loop(s, settle_cliques, &c, err);
  ms_small_give_back(s, c.found, arcs, sizeof *c.found);
  ms_small_give_back(s, c.bits, room, sizeof *c.bits);
  return status;
}

/* ---- cycles ---------------------------------------------------------------------------------- */

/* A cycle top, a, b, c, d has its greatest id in front.  For a top r, let N be its neighbours below
 * it, W(b) the vertices of N that are adjacent to b < r, and Z(b) the sum of W over the neighbours
 * of b below r.  The sum of W(b) Z(b) over b counts all walks r, a, b, c, d, r below r in which
 * only neighbours differ.  It subtracts those with a = d: a triangle at a vertex of N, a = c: an
 * edge from a vertex a of N to any b, and one to d of N; likewise b = d; and adds those with a = c
 * and b = d, a triangle at r.  No other vertices can coincide.
 *
 * The number of maps that take a root to v is that of the walks with v in front, and, as each cycle
 * is two walks, of those with v at one of the four other places. */
typedef struct cycles {
  ms_small *s;
  ms_small_sum *at; /* [threads][n] */
  uint64_t
      *triangles; /* [arcs] of a -> r, a < r: ordered pairs of adjacent neighbours of a below r */
} cycles;

/* Adds what ends walks with a = d, of all tops at once: for each vertex by triangles below a top.
 */
static void visit_ends(void *user, ms_range r)
{
  const cycles *c = user;
  const ms_small *s = c->s;
  for (uint32_t v = (uint32_t)r.begin; v < r.end; v++) {
    uint64_t below = 0;
    for (uint64_t arc = s->offset[v]; arc < s->offset[v + 1]; arc++) {
      c->triangles[arc] = 2 * below;
      for (uint64_t i = s->first[arc]; i < s->first[arc + 1]; i++)
        below += s->corner[i] < s->end[arc];
    }
  }
}

/* The neighbours of a vertex after one of its arcs. */
static uint64_t after(const ms_small *s, uint32_t v, uint64_t arc)
{
  return s->offset[v + 1] - 1 - arc;
}

/* The same from each vertex of the triangle but a: tops are the neighbours of a above all three. */
static ms_small_sum count_sides(const ms_small *s, uint32_t v)
{
  ms_small_sum sides = 0;
  for (uint64_t arc = s->offset[v]; arc < s->offset[v + 1]; arc++) {
    uint32_t a = s->end[arc];
    uint64_t above = s->offset[a + 1];
    if (s->common[arc] == 0)
      continue;
    while (above > s->offset[a] && s->end[above - 1] > a)
      above--;
    for (uint64_t i = s->first[arc]; i < s->first[arc + 1]; i++) {
      uint32_t next = s->third[i], third = s->corner[i];
      uint64_t of_a = s->offset[a + 1] - above, of_v = after(s, a, s->reverse[arc]),
               of_third = after(s, a, next);
      sides += a > v && a > third ? of_a : v > third ? of_v : of_third;
    }
  }
  return sides;
}

/* Sets common[] to W of the vertices below a top, met[] to those with W > 0. */
static void meet_below(const ms_small *s, ms_small_scratch *t, uint32_t top)
{
  t->mets = 0;
  for (uint64_t arc = s->offset[top]; arc < s->offset[top + 1] && s->end[arc] < top; arc++) {
    uint32_t mid = s->end[arc];
    for (uint64_t next = s->offset[mid]; s->end[next] < top; next++)
      if (t->common[s->end[next]]++ == 0)
        t->met[t->mets++] = s->end[next];
  }
}

/* Adds, for the places b and c, the walks below a top, and sets sum[b] to Z(b). */
static ms_small_sum add_middles(const ms_small *s, ms_small_scratch *t, uint32_t top,
                                ms_small_sum *at)
{
  ms_small_sum walks = 0;
  for (uint32_t i = 0; i < t->mets; i++) {
    uint32_t b = t->met[i];
    uint64_t sum = 0;
    for (uint64_t arc = s->offset[b]; arc < s->offset[b + 1] && s->end[arc] < top; arc++)
      sum += t->common[s->end[arc]];
    t->sum[b] = sum;
    walks += (ms_small_sum)sum * t->common[b];
    at[b] += 2 * (ms_small_sum)sum * t->common[b];
  }
  return walks;
}

/* Adds, for the places a and d, the walks below a top, and subtracts those with a = c or b = d, and
 * with a = d from the place a. */
static ms_small_sum add_ends(const cycles *c, ms_small_scratch *t, uint32_t top, ms_small_sum *at)
{
  const ms_small *s = c->s;
  ms_small_sum less = 0;
  for (uint64_t arc = s->offset[top]; arc < s->offset[top + 1] && s->end[arc] < top; arc++) {
    uint32_t a = s->end[arc];
    uint64_t back = s->reverse[arc], below = back - s->offset[a], w = t->common[a];
    ms_small_sum walks = 0;
    for (uint64_t next = s->offset[a]; next < back; next++) {
      uint32_t b = s->end[next];
      walks += t->sum[b];
      at[b] -= 2 * w; /* a = c, at the place b; and b = d, at c */
      if (t->arc[b] != MS_NO_ARC)
        at[b] -= 2 * below; /* a = c, at d; and b = d, at a */
    }
    at[a] += 2 * walks - 2 * (ms_small_sum)c->triangles[back] - 4 * (ms_small_sum)below * w + 4 * w;
    less += c->triangles[back] + 2 * (ms_small_sum)below * w - w;
  }
  return less;
}

static void visit_tops(void *user, ms_range r)
{
  const cycles *c = user;
  const ms_small *s = c->s;
  ms_small_scratch *t = &s->scratch[r.thread];
  ms_small_sum *at = c->at + (size_t)r.thread * s->n;
  for (uint32_t v = (uint32_t)r.begin; v < r.end; v++) {
    if (s->offset[v] == s->offset[v + 1])
      continue;
    at[v] -= 2 * count_sides(s, v);
    if (s->end[s->offset[v]] > v)
      continue;
    ms_small_mark(s, t, v);
    meet_below(s, t, v);
    at[v] += add_middles(s, t, v, at);
    at[v] -= add_ends(c, t, v, at);
    for (uint32_t i = 0; i < t->mets; i++)
      t->sum[t->met[i]] = 0;
    ms_small_part(t);
    ms_small_unmark(s, t, v);
  }
}

static void settle_cycles(void *user, ms_range r)
{
  const cycles *c = user;
  for (int i = 0; i < c->s->threads; i++)
    for (uint64_t v = r.begin; v < r.end; v++)
      c->s->number[MS_SMALL_CYCLE5][v] += c->at[(size_t)i * c->s->n + v];
}

ms_status ms_small_cycles(ms_small *s, ms_error *err)
{
  static const ms_small_shape shape[] = {MS_SMALL_CYCLE5};
  uint64_t arcs = s->offset[s->n], numbers = (uint64_t)s->threads * s->n;
  cycles c = {.s = s};
  MS_TRY(ms_small_open(s, shape, 1, err));
  c.at = ms_small_room(s, numbers, sizeof *c.at);
  c.triangles = ms_small_room(s, arcs, sizeof *c.triangles);
  ms_status status = c.at && c.triangles ? MS_OK : ms_fail_memory(err, "the cycles of a graph");
  if (status == MS_OK)
    status = ms_small_loop(s, visit_ends, &c, err);
  if (status == MS_OK)
    status = ms_small_loop(s, visit_tops, &c, err);
  if (status == MS_OK)
    status = ms_small_loop(s, settle_cycles, &c, err);
  ms_small_give_back(s, c.at, numbers, sizeof *c.at);
  ms_small_give_back(s, c.triangles, arcs, sizeof *c.triangles);
  return status;
}
