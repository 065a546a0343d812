/* The independent recount of the maps of a pattern.  Given vertices of the graph that each map must
 * hold come first: each goes to every pattern vertex in turn.  Then the other pattern vertices are
 * placed: always the one of the lowest number that is next to a placed one, if there is any.  It
 * can only go to a neighbour of that one's image, so the search tries only those.  All placed
 * vertices are checked at each step.  Maps that place the given vertices differently differ, so no
 * map is found twice. */
#include "verify/recount.h"

#include "base/alloc.h"
#include "base/status.h"
#include "verify/judge/judge.h"

#include <string.h>

/* ---- steps ----------------------------------------------------------------------------------- */

/* What all recounts share: the steps of a search, its matches and its end. */

void ms_recount_begin(ms_recount *recount, mpz_t count, ms_found_fn found, void *user)
{
  mpz_set_ui(count, 0);
  recount->count = count;
  recount->found = found;
  recount->user = user;
  recount->over = recount->used_up = false;
  recount->steps = recount->next_poll = 0;
  recount->limit = UINT64_MAX;
}

void ms_recount_poll(ms_recount *recount)
{
  recount->status = ms_stop_check(recount->stop);
  recount->used_up = recount->steps > recount->limit;
  recount->over = recount->over || recount->used_up || recount->status != MS_OK;
  uint64_t left = recount->used_up ? MS_POLL_STEPS : recount->limit - recount->steps + 1;
  recount->next_poll = recount->steps + (left < MS_POLL_STEPS ? left : MS_POLL_STEPS) - 1;
}

ms_finding ms_recount_finding(const ms_recount *recount)
{
  bool ended = recount->status == MS_OK && !recount->used_up;
  return mpz_sgn(recount->count) > 0 ? MS_FOUND_MATCH
         : ended                     ? MS_FOUND_NONE
                                     : MS_FOUND_NOTHING_YET;
}

void ms_recount_match(ms_recount *recount, const uint32_t *row)
{
  mpz_add_ui(recount->count, recount->count, 1);
  if (recount->found && !recount->found(recount->user, row))
    recount->over = true;
}

ms_status ms_recount_outcome(const ms_recount *recount, ms_error *err)
{
  if (recount->status == MS_OK)
    return MS_OK;
  return ms_fail(err, recount->status, "the recount was stopped: %s; allow it more time",
                 ms_status_text(recount->status));
}

/* ---- recounts -------------------------------------------------------------------------------- */

typedef struct map_counter {
  ms_recount recount;
  const ms_judge *judge;
  const uint32_t *given; /* [n_given] */
  uint32_t n_given;

  uint32_t row[MS_MAX_PATTERN];      /* image of each pattern vertex */
  uint32_t image[MS_MAX_PATTERN];    /* the same in the order in which they are placed */
  uint16_t order[MS_MAX_PATTERN];    /* pattern vertices in the order in which they are placed */
  uint16_t level_of[MS_MAX_PATTERN]; /* place of a pattern vertex in the order; p: none yet */
  /* of each level: a pattern vertex of an earlier level that its vertex is next to, or p */
  uint16_t anchor[MS_MAX_PATTERN];
  /* copies of the pairs of each level's vertex and vertices placed before it:
   * check[check_from[level]..) */
  ms_judge_pair check[MS_MAX_JUDGE_PAIRS];
  uint32_t check_from[MS_MAX_PATTERN + 1];

  /* the pairs that hold pattern vertex i: pair_at[pairs_at[i]..pairs_at[i + 1]) */
  uint16_t pair_at[2 * MS_MAX_JUDGE_PAIRS];
  uint32_t pairs_at[MS_MAX_PATTERN + 1];
} map_counter;

/* Lists the pairs that hold each pattern vertex.  O(p + pairs). */
static void list_pairs_of_vertices(map_counter *m)
{
  const ms_judge *judge = m->judge;
  uint32_t *from = m->pairs_at;
  memset(from, 0, (judge->p + 1) * sizeof *from);
  for (uint32_t a = 0; a < judge->pairs; a++) {
    from[judge->pair[a].first]++;
    from[judge->pair[a].second] += judge->pair[a].first != judge->pair[a].second;
  }
  for (uint32_t i = 1; i <= judge->p; i++)
    from[i] += from[i - 1];
  for (uint32_t a = judge->pairs; a-- > 0;) { /* each list fills from its end */
    m->pair_at[--from[judge->pair[a].first]] = (uint16_t)a;
    if (judge->pair[a].first != judge->pair[a].second)
      m->pair_at[--from[judge->pair[a].second]] = (uint16_t)a;
  }
}

/* Puts pattern vertex i at a level of the order, and lists the pairs to check there.  Its images
 * are neighbours of the anchor's; where edges have neither directions nor types, the pair of the
 * two is right. */
static void add_level(map_counter *m, uint32_t level, uint32_t i, uint32_t anchor)
{
  uint32_t checks = m->check_from[level];
  bool directed = m->judge->typed || m->judge->direction;
  m->order[level] = (uint16_t)i;
  m->anchor[level] = (uint16_t)anchor;
  m->level_of[i] = (uint16_t)level;
  for (uint32_t a = m->pairs_at[i]; a < m->pairs_at[i + 1]; a++) {
    const ms_judge_pair *pair = &m->judge->pair[m->pair_at[a]];
    uint32_t other = pair->first == i ? pair->second : pair->first;
    bool is_right = other == anchor && !directed && pair->fits >> 3 & 1;
    if (m->level_of[other] <= level && !is_right)
      m->check[checks++] = *pair;
  }
  m->check_from[level + 1] = checks;
}

/* Makes pattern vertex i the anchor of the vertices next to it that have none. */
static void add_anchor(const map_counter *m, uint32_t i, uint16_t *next_to)
{
  for (uint32_t a = m->pairs_at[i]; a < m->pairs_at[i + 1]; a++) {
    const ms_judge_pair *pair = &m->judge->pair[m->pair_at[a]];
    uint32_t other = pair->first == i ? pair->second : pair->first;
    if (pair->joined && next_to[other] == m->judge->p)
      next_to[other] = (uint16_t)i;
  }
}

/* Orders the pattern vertices that are not given.  O(p^2 + pairs). */
static void order_rest(map_counter *m)
{
  uint32_t p = m->judge->p;
  uint16_t next_to[MS_MAX_PATTERN];
  for (uint32_t i = 0; i < p; i++)
    next_to[i] = (uint16_t)p;
  for (uint32_t level = 0; level < p; level++) {
    uint32_t next = p;
    for (uint32_t i = 0; i < p && level >= m->n_given; i++)
      if (m->level_of[i] == p && (next == p || (next_to[i] < p && next_to[next] == p)))
        next = i;
    if (level >= m->n_given)
      add_level(m, level, next, next_to[next]);
    add_anchor(m, m->order[level], next_to);
  }
}

/* Places pattern vertex i, which is that of the level, on v, if that suits all vertices placed
 * before. */
static inline bool try_place(map_counter *m, uint32_t level, uint32_t i, uint32_t v)
{
  const ms_judge *judge = m->judge;
  const ms_judge_pair *end = m->check + m->check_from[level + 1];
  if (!ms_judge_vertex_fits(judge, i, v))
    return false;
  for (uint32_t h = 0; h < level; h++)
    if (m->image[h] == v)
      return false;
  m->row[i] = m->image[level] = v;
  for (const ms_judge_pair *pair = m->check + m->check_from[level]; pair < end; pair++)
    if (ms_judge_pair_row(judge, pair, m->row[pair->first], m->row[pair->second]) != MS_MATCH_OK)
      return false;
  return true;
}

/* Finds all maps with the vertices placed so far.  The recursion is at most p deep. */
static void extend_map(map_counter *m, uint32_t level)
{
  const ms_judge *judge = m->judge;
  const uint32_t *candidates = NULL; /* NULL: all vertices */
  uint64_t count = judge->n;
  if (level == judge->p) {
    ms_recount_match(&m->recount, m->row);
    return;
  }
  uint32_t anchor = m->anchor[level], i = m->order[level];
  if (anchor < judge->p) {
    const uint64_t *offset = judge->offset + m->row[anchor];
    candidates = judge->neighbor + offset[0];
    count = offset[1] - offset[0];
  }
  for (uint64_t c = 0; c < count; c++) {
    uint32_t v = candidates ? candidates[c] : (uint32_t)c;
    bool repeated = candidates && c > 0 && candidates[c - 1] == v; /* a parallel edge */
    ms_recount_step(&m->recount);
    if (m->recount.over)
      return;
    if (!repeated && try_place(m, level, i, v))
      extend_map(m, level + 1);
  }
}

static void place_given(map_counter *m, uint32_t g);

/* Finds all maps that have pattern vertex i at the g-th given vertex. */
static void place_at(map_counter *m, uint32_t g, uint32_t i)
{
  uint32_t p = m->judge->p;
  add_level(m, g, i, p);
  if (try_place(m, g, i, m->given[g]))
    place_given(m, g + 1);
  m->level_of[i] = (uint16_t)p;
}

/* Places the given vertices from the g-th on, and then all others, whose order is made once for
 * all maps that begin so. */
static void place_given(map_counter *m, uint32_t g)
{
  uint32_t p = m->judge->p;
  if (g == m->n_given) {
    order_rest(m);
    extend_map(m, g);
    for (; g < p; g++)
      m->level_of[m->order[g]] = (uint16_t)p;
    return;
  }
  for (uint32_t i = 0; i < p; i++) {
    ms_recount_step(&m->recount);
    if (m->recount.over)
      return;
    if (m->level_of[i] == p)
      place_at(m, g, i);
  }
}

ms_status ms_judge_recount(const ms_judge *judge, mpz_t count, ms_found_fn found, void *user,
                           const ms_stop *stop, ms_error *err)
{
  map_counter *m = ms_alloc(1, sizeof *m);
  if (!m)
    return ms_fail_memory(err, "the recount");
  m->recount = (ms_recount){.stop = stop};
  m->judge = judge;
  m->given = judge->required;
  m->n_given = judge->n_required;
  m->check_from[0] = 0;
  for (uint32_t i = 0; i < judge->p; i++)
    m->level_of[i] = (uint16_t)judge->p;
  list_pairs_of_vertices(m);
  ms_recount_begin(&m->recount, count, found, user);
  place_given(m, 0);
  ms_status status = ms_recount_outcome(&m->recount, err);
  ms_free(m);
  return status;
}
