/* The independent search for one map of a pattern that holds a given vertex.
 *
 * The given vertex goes to every pattern vertex in turn, except that one place stands for all that
 * an automorphism takes to each other.  The search then places one pattern vertex after the other.
 * Each that is next to a placed one has a list of candidates, and each placement takes away the
 * candidates that no longer suit it (forward checking).  The pattern vertex with the fewest
 * candidates comes next.
 *
 * A search that fails returns a conflict: a set of pattern vertices whose images alone make the
 * failure certain (Prosser, "Hybrid algorithms for the constraint satisfaction problem", 1993).  If
 * the vertex that was placed last is not among them, its other candidates would fail in the same
 * way, and the search goes back at once.  Where a pattern has independent parts, this saves a
 * factor for each part.
 *
 * Two pattern vertices are twins if exchanging them is an automorphism.  A candidate that failed
 * for one of them would fail for the other, too, for the same reason, and is taken away from it.
 *
 * A vertex may have very many neighbours, and most searches find a map with few of them.  So a
 * search with little effort lists only some of them, and then finds a map or nothing out. */
#include "base/alloc.h"
#include "base/status.h"
#include "verify/judge/judge.h"
#include "verify/recount.h"

#include <string.h>

/* ---- domains --------------------------------------------------------------------------------- */

/* Finds the graph vertices that each pattern vertex might be in a map, so that the search for one
 * map skips all others.
 *
 * Why it is exact.  In a map, the image of a pattern vertex has an edge to the image of each of its
 * neighbours.  So a graph vertex cannot be the image of i unless, for each neighbour j of i, one of
 * its own neighbours can be that of j.  Taking i away from a vertex may put it out of the reach of
 * others, so the filter repeats.  It may end early: domains that are too large cost time only. */

enum { MOST_ROUNDS = 64, POLL_VERTICES = 1024 };

/* Lists the pattern vertices that v may be by itself: by its mask, its degree and its self-loops.
 */
static void admit(const ms_judge *judge, const ms_bitset *next_to, uint32_t v, uint64_t *domain)
{
  uint64_t degree = judge->offset[v + 1] - judge->offset[v];
  for (uint32_t i = 0; i < judge->p; i++)
    if (ms_judge_vertex_fits(judge, i, v) && ms_bitset_count(next_to[i]) <= degree)
      domain[i / 64] |= UINT64_C(1) << i % 64;
  for (const ms_judge_pair *pair = judge->pair; pair < judge->pair + judge->pairs; pair++)
    if (pair->first == pair->second && ms_judge_pair_row(judge, pair, v, v) != MS_MATCH_OK)
      domain[pair->first / 64] &= ~(UINT64_C(1) << pair->first % 64);
}

/* Returns the pattern vertices that v may not be, because a neighbour has no place next to v. */
static ms_bitset find_isolated(const ms_judge *judge, const ms_bitset *next_to,
                               const uint64_t *domains, uint32_t v, uint32_t words)
{
  ms_bitset near = {{0}}, own = {{0}}, isolated = {{0}};
  memcpy(own.word, domains + (size_t)v * words, words * sizeof *domains);
  for (uint64_t a = judge->offset[v]; a < judge->offset[v + 1]; a++)
    for (uint32_t w = 0; w < words; w++)
      near.word[w] |= domains[(size_t)judge->neighbor[a] * words + w];
  MS_EACH_MEMBER (i, own)
    if (!ms_bitset_within(next_to[i], near))
      ms_bitset_add(&isolated, i);
  return isolated;
}

/* Runs one round over all vertices; sets *changed if a domain became smaller. */
static ms_status filter_round(const ms_judge *judge, const ms_bitset *next_to, uint64_t *domains,
                              uint32_t words, const ms_stop *stop, bool *changed)
{
  *changed = false;
  for (uint32_t v = 0; v < judge->n; v++) {
    uint64_t *own = domains + (size_t)v * words, any = 0;
    if (v % POLL_VERTICES == 0)
      MS_TRY(ms_stop_check(stop));
    for (uint32_t w = 0; w < words; w++)
      any |= own[w];
    if (!any)
      continue;
    ms_bitset isolated = find_isolated(judge, next_to, domains, v, words);
    for (uint32_t w = 0; w < words; w++)
      own[w] &= ~isolated.word[w];
    *changed = *changed || !ms_bitset_is_empty(isolated);
  }
  return MS_OK;
}

/* Fills domains[n][MS_DOMAIN_WORDS]: bit i of v is 0 if pattern vertex i is known not to be v in a
 * map that holds no vertex w with allowed[w] == 0 (NULL: all are allowed).  next_to[p] has the
 * neighbours of each pattern vertex.  O(rounds * (n * p + m)).  Returns MS_ERR_LIMIT or
 * MS_ERR_INTERRUPTED if it was stopped; the domains then are too large. */
static ms_status recount_domains(const ms_judge *judge, const ms_bitset *next_to,
                                 const uint8_t *allowed, uint64_t *domains, const ms_stop *stop,
                                 ms_error *err)
{
  uint32_t words = MS_DOMAIN_WORDS(judge);
  ms_status status = MS_OK;
  bool changed = true;
  memset(domains, 0, (size_t)judge->n * words * sizeof *domains);
  for (uint32_t v = 0; v < judge->n && status == MS_OK; v++) {
    if (!allowed || allowed[v])
      admit(judge, next_to, v, domains + (size_t)v * words);
    status = v % POLL_VERTICES == 0 ? ms_stop_check(stop) : MS_OK;
  }
  for (uint32_t round = 0; round < MOST_ROUNDS && changed && status == MS_OK; round++)
    status = filter_round(judge, next_to, domains, words, stop, &changed);
  return status == MS_OK ? MS_OK : ms_fail(err, status, "the search for matches was stopped");
}

/* ---- the mapper ------------------------------------------------------------------------------ */

#define NO_LIST UINT32_MAX /* in place of an index */

enum {
  NO_PAIR = UINT16_MAX,
  ITEMS_PER_STEP = 16,     /* candidates that are checked in the time of a step */
  LOOKS_PER_CANDIDATE = 4, /* vertices that are looked at for each candidate listed */
  MOST_EFFORT = 1 << 30    /* a search with more effort looks at all candidates */
};

struct ms_mapper {
  ms_recount recount;
  const ms_judge *judge;
  uint32_t p, words;
  uint64_t random;
  uint64_t *domains;                 /* [n][words] bit i: pattern vertex i may be the vertex */
  uint8_t *used;                     /* [n] 1: the vertex is an image */
  uint16_t *pair_of;                 /* [p][p] the judge's pair of two vertices, or NO_PAIR */
  ms_bitset next_to[MS_MAX_PATTERN]; /* the vertices that are joined to it */
  ms_bitset paired[MS_MAX_PATTERN];  /* the vertices with which it has a pair to check */
  ms_bitset twins[MS_MAX_PATTERN];   /* the vertices that can be exchanged with it */
  ms_bitset places;                  /* one vertex of each class of alike ones, at least */

  ms_bitset placed;
  uint32_t image[MS_MAX_PATTERN]; /* [p] of those that are placed */
  /* The candidates of i are list[from[i]..from[i] + count[i]), in any order. */
  uint32_t from[MS_MAX_PATTERN], count[MS_MAX_PATTERN];
  /* [p] the placed vertices because of which a twin's failures left the candidates */
  ms_bitset reason[MS_MAX_PATTERN];
  /* before each placement: [p + 1][2][p] from and count; [p + 1][p] reasons */
  uint32_t *saved;
  ms_bitset *saved_reason;
  uint32_t *list, room, top;
  uint32_t tops[MS_MAX_PATTERN + 1];
  ms_bitset partial; /* the vertices whose lists may lack candidates */
  ms_bitset partials[MS_MAX_PATTERN + 1];
  uint64_t most_looks; /* for one list */
  bool incomplete;     /* some list lacked candidates */
  bool failed;         /* no memory for candidates */
  uint32_t *row;
};

/* ---- making one ---------------------------------------------------------------------- */

static void list_pairs(ms_mapper *m)
{
  const ms_judge *judge = m->judge;
  memset(m->pair_of, 0xFF, (size_t)m->p * m->p * sizeof *m->pair_of);
  for (uint32_t a = 0; a < judge->pairs; a++) {
    uint32_t i = judge->pair[a].first, j = judge->pair[a].second;
    if (i == j)
      continue; /* self-loops are a matter of the domains */
    m->pair_of[i * m->p + j] = m->pair_of[j * m->p + i] = (uint16_t)a;
    ms_bitset_add(&m->paired[i], j);
    ms_bitset_add(&m->paired[j], i);
    if (judge->pair[a].joined) {
      ms_bitset_add(&m->next_to[i], j);
      ms_bitset_add(&m->next_to[j], i);
    }
  }
}

static bool are_twins(const ms_kinds *kinds, uint32_t i, uint32_t j)
{
  bool alike = kinds->vertex[i] == kinds->vertex[j] && kinds->pair[i][j] == kinds->pair[j][i];
  for (uint32_t h = 0; h < kinds->n && alike; h++)
    alike = h == i || h == j ||
            (kinds->pair[i][h] == kinds->pair[j][h] && kinds->pair[h][i] == kinds->pair[h][j]);
  return alike;
}

/* Leaves out places to which an automorphism takes a smaller one.  If the search for automorphisms
 * is stopped, all places stay. */
static ms_status choose_places(ms_mapper *m, ms_error *err)
{
  ms_bitset orbit[MS_MAX_PATTERN];
  ms_status status = ms_kinds_orbits(&m->judge->kinds, orbit, NULL, m->recount.stop, err);
  m->places = ms_bitset_below(m->p);
  if (status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED)
    return MS_OK;
  for (uint32_t i = 0; i < m->p && status == MS_OK; i++)
    m->places = ms_bitset_minus(m->places, ms_bitset_without(orbit[i], i));
  return status;
}

ms_status ms_mapper_new(const ms_judge *judge, const ms_stop *stop, ms_mapper **out, ms_error *err)
{
  uint32_t p = judge->p;
  *out = NULL;
  ms_mapper *m = ms_calloc(1, sizeof *m);
  if (!m)
    return ms_fail_memory(err, "the search for matches");
  m->recount.stop = stop;
  m->judge = judge;
  m->p = p;
  m->words = MS_DOMAIN_WORDS(judge);
  m->domains = ms_alloc((size_t)judge->n * m->words, sizeof *m->domains);
  m->used = ms_calloc(judge->n, 1);
  m->pair_of = ms_alloc((size_t)p * p, sizeof *m->pair_of);
  m->saved = ms_alloc(((size_t)p + 1) * 2 * p, sizeof *m->saved);
  m->saved_reason = ms_alloc(((size_t)p + 1) * p, sizeof *m->saved_reason);
  if (!m->domains || !m->used || !m->pair_of || !m->saved || !m->saved_reason) {
    ms_mapper_free(m);
    return ms_fail_memory(err, "the search for matches");
  }
  list_pairs(m);
  for (uint32_t i = 0; i < m->p; i++)
    for (uint32_t j = 0; j < m->p; j++)
      if (i != j && are_twins(&m->judge->kinds, i, j))
        ms_bitset_add(&m->twins[i], j);
  ms_status status = choose_places(m, err);
  if (status != MS_OK) {
    ms_mapper_free(m);
    return status;
  }
  *out = m;
  return MS_OK;
}

void ms_mapper_free(ms_mapper *m)
{
  if (m) {
    ms_free(m->domains);
    ms_free(m->used);
    ms_free(m->pair_of);
    ms_free(m->saved);
    ms_free(m->saved_reason);
    ms_free(m->list);
    ms_free(m);
  }
}

ms_status ms_mapper_restrict(ms_mapper *m, const uint8_t *allowed, ms_error *err)
{
  return recount_domains(m->judge, m->next_to, allowed, m->domains, m->recount.stop, err);
}

void ms_mapper_strike(ms_mapper *m, uint32_t v)
{
  memset(m->domains + (size_t)v * m->words, 0, m->words * sizeof *m->domains);
}

/* ---- candidates ---------------------------------------------------------------------- */

static bool may_be(const ms_mapper *m, uint32_t i, uint32_t v)
{
  return m->domains[(size_t)v * m->words + i / 64] >> i % 64 & 1;
}

/* True if the pair of i at v and j at w is right, or if they have none. */
static bool suits(const ms_mapper *m, uint32_t i, uint32_t v, uint32_t j, uint32_t w)
{
  uint16_t at = m->pair_of[i * m->p + j];
  if (at == NO_PAIR)
    return true;
  const ms_judge_pair *pair = &m->judge->pair[at];
  return ms_judge_pair_row(m->judge, pair, pair->first == i ? v : w, pair->first == i ? w : v) ==
         MS_MATCH_OK;
}

/* True if i can be at v beside the placed vertices `others`. */
static bool suits_all(const ms_mapper *m, uint32_t i, uint32_t v, ms_bitset others)
{
  if (m->used[v] || !may_be(m, i, v))
    return false;
  MS_EACH_MEMBER (h, others)
    if (!suits(m, h, m->image[h], i, v))
      return false;
  return true;
}

static void push_candidate(ms_mapper *m, uint32_t i, uint32_t v)
{
  if (!MS_GROW(m->list, m->room, m->top, 1)) {
    m->failed = m->recount.over = true;
    return;
  }
  m->list[m->top++] = v;
  m->count[i]++;
}

static void count_items(ms_mapper *m, uint64_t items)
{
  ms_recount_steps(&m->recount, items / ITEMS_PER_STEP);
}

static uint32_t draw(ms_mapper *m)
{
  m->random = m->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(m->random >> 33);
}

/* True if the pair of i and j is right wherever the graph has an edge. */
static bool is_plain(const ms_mapper *m, uint32_t i, uint32_t j)
{
  const ms_judge_pair *pair = &m->judge->pair[m->pair_of[i * m->p + j]];
  return !m->judge->typed && !m->judge->direction && pair->joined && pair->fits >> 3 & 1;
}

/* Lists the candidates of i: neighbours of the image of j, or all vertices if j is NO_LIST.  Looks
 * at no more of them than the search may, from a random place on. */
static void list_candidates(ms_mapper *m, uint32_t i, uint32_t j)
{
  const uint64_t *offset = j == NO_LIST ? NULL : m->judge->offset + m->image[j];
  const uint32_t *row = offset ? m->judge->neighbor + offset[0] : NULL;
  uint64_t items = offset ? offset[1] - offset[0] : m->judge->n, looks = items;
  uint64_t at = items > m->most_looks ? draw(m) % items : 0;
  ms_bitset others = ms_bitset_and(m->paired[i], m->placed);
  if (j != NO_LIST && is_plain(m, i, j))
    ms_bitset_remove(&others, j);
  m->from[i] = m->top;
  m->count[i] = 0;
  ms_bitset_remove(&m->partial, i);
  for (; looks > 0 && !m->failed; looks--, at = at + 1 < items ? at + 1 : 0) {
    uint32_t w = row ? row[at] : (uint32_t)at;
    bool repeated = row && at > 0 && row[at - 1] == w; /* a parallel edge */
    if (items - looks == m->most_looks || m->count[i] == m->most_looks / LOOKS_PER_CANDIDATE) {
      ms_bitset_add(&m->partial, i);
      m->incomplete = true;
      break;
    }
    if (!repeated && suits_all(m, i, w, others))
      push_candidate(m, i, w);
  }
  count_items(m, items - looks);
}

/* Takes away the candidates of i that do not suit j at w. */
static void filter_candidates(ms_mapper *m, uint32_t i, uint32_t j, uint32_t w)
{
  uint32_t *list = m->list + m->from[i], kept = 0;
  if (m->pair_of[i * m->p + j] == NO_PAIR && !may_be(m, i, w))
    return;
  count_items(m, m->count[i]);
  for (uint32_t c = 0; c < m->count[i]; c++) {
    uint32_t v = list[c];
    if (v == w || !suits(m, i, v, j, w))
      continue;
    list[c] = list[kept];
    list[kept++] = v;
  }
  m->count[i] = kept;
}

/* Returns the placed vertices whose images limit the candidates of i. */
static ms_bitset find_limits(const ms_mapper *m, uint32_t i)
{
  ms_bitset limits = ms_bitset_or(ms_bitset_and(m->paired[i], m->placed), m->reason[i]);
  MS_EACH_MEMBER (h, m->placed)
    if (may_be(m, i, m->image[h]))
      ms_bitset_add(&limits, h);
  return limits;
}

/* Takes v, which failed for i because of `conflict`, away from the twins of i that are to be
 * placed. */
static void exclude_for_twins(ms_mapper *m, uint32_t i, uint32_t v, ms_bitset conflict)
{
  ms_bitset twins = ms_bitset_minus(m->twins[i], m->placed);
  MS_EACH_MEMBER (j, twins) {
    uint32_t *list = m->list + m->from[j], at = 0;
    if (m->from[j] == NO_LIST)
      continue;
    while (at < m->count[j] && list[at] != v)
      at++;
    if (at == m->count[j])
      continue;
    list[at] = list[--m->count[j]];
    list[m->count[j]] = v;
    m->reason[j] = ms_bitset_or(m->reason[j], ms_bitset_without(conflict, i));
  }
}

/* ---- placing ------------------------------------------------------------------------- */

/* Puts i at v.  Returns false, and the conflict, if some vertex then has no candidate. */
static bool place(ms_mapper *m, uint32_t i, uint32_t v, ms_bitset *conflict)
{
  uint32_t level = ms_bitset_count(m->placed), p = m->p;
  uint32_t *saved = m->saved + (size_t)level * 2 * p;
  memcpy(saved, m->from, p * sizeof *saved);
  memcpy(saved + p, m->count, p * sizeof *saved);
  memcpy(m->saved_reason + (size_t)level * p, m->reason, p * sizeof *m->reason);
  m->tops[level] = m->top;
  m->partials[level] = m->partial;
  ms_bitset_add(&m->placed, i);
  m->image[i] = v;
  m->used[v] = 1;
  ms_bitset left = ms_bitset_minus(ms_bitset_below(p), m->placed);
  MS_EACH_MEMBER (j, left) {
    bool next_to = ms_bitset_has(&m->next_to[i], j);
    if (next_to && (m->from[j] == NO_LIST || ms_bitset_has(&m->partial, j)))
      list_candidates(m, j, i);
    else if (m->from[j] != NO_LIST)
      filter_candidates(m, j, i, v);
    if (m->from[j] != NO_LIST && m->count[j] == 0) {
      *conflict = find_limits(m, j);
      return false;
    }
  }
  return true;
}

static void take_back(ms_mapper *m, uint32_t i)
{
  uint32_t p = m->p;
  m->used[m->image[i]] = 0;
  ms_bitset_remove(&m->placed, i);
  uint32_t level = ms_bitset_count(m->placed);
  const uint32_t *saved = m->saved + (size_t)level * 2 * p;
  memcpy(m->from, saved, p * sizeof *saved);
  memcpy(m->count, saved + p, p * sizeof *saved);
  memcpy(m->reason, m->saved_reason + (size_t)level * p, p * sizeof *m->reason);
  m->top = m->tops[level];
  m->partial = m->partials[level];
}

/* Returns the vertex with the fewest candidates.  If none has a list, the first one gets a list of
 * all vertices. */
static uint32_t choose_next(ms_mapper *m)
{
  uint32_t best = MS_MAX_PATTERN;
  ms_bitset left = ms_bitset_minus(ms_bitset_below(m->p), m->placed);
  MS_EACH_MEMBER (i, left)
    if (m->from[i] != NO_LIST && (best == MS_MAX_PATTERN || m->count[i] < m->count[best]))
      best = i;
  if (best == MS_MAX_PATTERN) {
    best = ms_bitset_first(left);
    list_candidates(m, best, NO_LIST);
  }
  return best;
}

/* Searches for a map with all that is placed.  Returns the conflict if there is none; the value has
 * no meaning once the search is over.  The recursion is at most p deep. */
static ms_bitset extend_map(ms_mapper *m)
{
  if (ms_bitset_count(m->placed) == m->p) {
    memcpy(m->row, m->image, m->p * sizeof *m->row);
    ms_recount_match(&m->recount, m->row);
    return m->placed;
  }
  uint32_t i = choose_next(m), from = m->from[i], count = m->count[i];
  uint32_t start = count > 1 ? draw(m) % count : 0;
  ms_bitset limits = find_limits(m, i);
  for (uint32_t c = 0; c < count && !m->recount.over; c++) {
    uint32_t at = c < count - start ? start + c : c - (count - start);
    uint32_t v = m->list[from + at];
    ms_bitset conflict;
    ms_recount_step(&m->recount);
    if (place(m, i, v, &conflict) && !m->recount.over)
      conflict = extend_map(m);
    take_back(m, i);
    if (m->recount.over || !ms_bitset_has(&conflict, i))
      return conflict;
    limits = ms_bitset_or(limits, ms_bitset_without(conflict, i));
    exclude_for_twins(m, i, v, conflict);
  }
  return limits;
}

/* Puts each required vertex from the r-th on at each pattern vertex, and then all others. */
static void place_required(ms_mapper *m, uint32_t r)
{
  const ms_judge *judge = m->judge;
  ms_bitset conflict;
  while (r < judge->n_required && m->used[judge->required[r]])
    r++;
  if (r == judge->n_required) {
    extend_map(m);
    return;
  }
  for (uint32_t i = 0; i < m->p && !m->recount.over; i++) {
    ms_recount_step(&m->recount);
    if (ms_bitset_has(&m->placed, i) ||
        !suits_all(m, i, judge->required[r], ms_bitset_and(m->paired[i], m->placed)))
      continue;
    if (place(m, i, judge->required[r], &conflict) && !m->recount.over)
      place_required(m, r + 1);
    take_back(m, i);
  }
}

/* Searches for a map with pattern vertex i at v. */
static void search_from(ms_mapper *m, uint32_t i, uint32_t v)
{
  ms_bitset conflict;
  m->placed = m->partial = (ms_bitset){{0}};
  m->top = 0;
  memset(m->reason, 0, m->p * sizeof *m->reason);
  for (uint32_t j = 0; j < m->p; j++)
    m->from[j] = NO_LIST;
  ms_recount_step(&m->recount);
  if (m->recount.over)
    return;
  if (place(m, i, v, &conflict) && !m->recount.over)
    place_required(m, 0);
  take_back(m, i);
}

static bool end_search(void *user, const uint32_t *row)
{
  (void)user;
  (void)row;
  return false;
}

ms_status ms_mapper_find(ms_mapper *m, uint32_t v, uint64_t effort, ms_finding *finding,
                         uint32_t *row, ms_error *err)
{
  ms_bitset places = {{0}};
  mpz_t count;
  MS_EACH_MEMBER (i, m->places)
    if (may_be(m, i, v))
      ms_bitset_add(&places, i);
  *finding = MS_FOUND_NONE;
  m->recount.status = MS_OK;
  m->row = row;
  m->most_looks = effort < MOST_EFFORT ? effort : UINT64_MAX;
  m->incomplete = m->failed = false;
  mpz_init(count);
  MS_EACH_MEMBER (i, places) {
    ms_recount_begin(&m->recount, count, end_search, NULL);
    m->recount.limit = effort / ms_bitset_count(places); /* each place of v has its share */
    search_from(m, i, v);
    ms_finding here = ms_recount_finding(&m->recount);
    if (here == MS_FOUND_NONE && m->incomplete)
      here = MS_FOUND_NOTHING_YET;
    *finding = here == MS_FOUND_NONE ? *finding : here;
    if (here == MS_FOUND_MATCH || m->recount.status != MS_OK || m->failed)
      break;
  }
  mpz_clear(count);
  if (m->failed)
    return ms_fail_memory(err, "the search for matches");
  return *finding == MS_FOUND_MATCH ? MS_OK : ms_recount_outcome(&m->recount, err);
}
