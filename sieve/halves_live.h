/* The part of sieve/halves_template.h that finds the live vertices and heads of a block, and
 * cuts their slots into parts. */

/* Finds the live vertices among places [from, to) that have slots of their own, and the live ones
 * among those heads of all live vertices that are not halves, which go to head[at] and on.  Sets
 * whole[] to the former; returns their number. */
static uint32_t find_live_of(const block *b, uint64_t outer, uint32_t from, uint32_t to,
                             uint64_t at, ms_sieve_live *whole)
{
  const ms_sieve_halves *h = b->halves;
  const uint32_t *active = b->shape->problem->active;
  uint32_t points = (uint32_t)(outer << HALF_BITS | ((1u << HALF_BITS) - 1)), count = 0;
  for (uint32_t p = from; p < to; p++) {
    if (p >= 2 * h->pairs && !(active[h->vertex[p]] & points))
      continue;
    uint64_t heads = copy_live_heads(h->whole_head, h->whole_active, h->whole[p], h->whole[p + 1],
                                     points, b->s->head + at, NULL);
    ms_sieve_live *live = p < 2 * h->pairs ? &b->s->found[p] : &whole[count++];
    *live = (ms_sieve_live){.first = at, .vertex = p, .heads = (uint32_t)heads};
    at += heads;
  }
  memset(b->s->head + at, 0, MS_SIEVE_SLACK * sizeof *b->s->head); /* prefetched, not used */
  return count;
}

static void find_live(block *b, uint64_t outer)
{
  b->live = b->halves->pairs + find_live_of(b, outer, 0, ms_sieve_places(b->halves), 0, b->s->live);
}

/* Does so with a team, in two phases.  Each part has its own room in head[], and keeps the vertices
 * that have slots of their own at their places in found[] until their numbers are known. */
static void find_live_together(block *b, uint64_t outer)
{
  const ms_sieve_halves *h = b->halves;
  ms_sieve_member *m = b->s->member;
  const uint32_t parts = MS_TEAM_PARTS, places = ms_sieve_places(h), pairs = 2 * h->pairs;
  uint32_t part, number[MS_TEAM_PARTS + 1] = {0};
  while (ms_team_take(m, parts, &part)) {
    uint32_t from = (uint32_t)ms_team_begin(places, parts, part),
             to = (uint32_t)ms_team_begin(places, parts, part + 1);
    uint64_t at = h->whole[from] + (uint64_t)part * MS_SIEVE_SLACK;
    uint32_t found =
        find_live_of(b, outer, from, to, at, &b->s->found[from > pairs ? from : pairs]);
    atomic_store_explicit(&m->team->found[part], found, memory_order_relaxed);
    ms_team_done(m, parts);
  }
  for (uint32_t i = 0; i < parts; i++)
    number[i + 1] = number[i] + atomic_load_explicit(&m->team->found[i], memory_order_relaxed);
  b->live = h->pairs + number[parts];
  while (ms_team_take(m, parts, &part)) {
    uint32_t from = (uint32_t)ms_team_begin(places, parts, part);
    memcpy(&b->s->live[number[part]], &b->s->found[from > pairs ? from : pairs],
           (number[part + 1] - number[part]) * sizeof *b->s->live);
    ms_team_done(m, parts);
  }
}

/* Returns the first slot of a part of a step, where a line begins; that of part `parts` is the end.
 */
static uint32_t first_slot(uint32_t live, uint32_t parts, uint32_t part)
{
  return part == parts ? live : (uint32_t)((uint64_t)live * part / parts) / SLOTS * SLOTS;
}
