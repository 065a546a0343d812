/* The search of search.h, for a file that defines
 *
 *   STATE                        what is kept of the kinds of a set
 *   ROW                          where the completions of a set of k - 1 vertices are counted
 *   begin_state(s, kind)         the state of one vertex
 *   next_state(s, &state, size, kind)   the state of a set of `size` vertices with one more
 *   row_of(s, &state)            the row of a set of k - 1 vertices
 *   add_one(s, row, kind)        counts a completion; nothing if `kind` is the mark
 *   add_many(s, row, kind, sets) counts many
 *   reserve(s, sets)             says that at most so many calls of add_one follow
 *   ROOT                         the name of the search */

static inline void flip_free(ms_census_search *s, uint32_t rank)
{
  uint32_t place = s->bits->place[rank];
  s->free[place / 64] ^= UINT64_C(1) << place % 64;
}

/* Makes `free` the bits of all ranks from the floor on. */
static void move_free_floor(ms_census_search *s)
{
  while (s->free_floor < s->floor)
    flip_free(s, s->free_floor++);
  while (s->free_floor > s->floor)
    flip_free(s, --s->free_floor);
}

/* Makes the neighbours of u that are neither in the set nor next to it candidates, from place `end`
 * on.  Returns the new end. */
static inline uint32_t append_neighbors(ms_census_search *s, uint32_t u, uint32_t end)
{
  const ms_census_graph *g = s->graph;
  const uint32_t *w = g->neighbor + g->offset[u], *last = g->neighbor + g->offset[u + 1];
  const uint32_t begin = end;
  ms_kind_id mark = (ms_kind_id)g->kinds;
  for (; w < last && *w >= s->floor; w++) {
    ms_kind_id kind = s->tag[*w];
    if (kind == mark)
      continue;
    s->x[end] = *w;
    s->x_kind[end++] = kind;
    s->tag[*w] = mark;
  }
  for (uint32_t i = begin; s->bits && i < end; i++)
    flip_free(s, s->x[i]);
  return end;
}

static inline void remove_candidates(ms_census_search *s, uint32_t begin, uint32_t end)
{
  for (uint32_t i = begin; i < end; i++)
    s->tag[s->x[i]] = s->x_kind[i];
  for (uint32_t i = begin; s->bits && i < end; i++)
    flip_free(s, s->x[i]);
}

/* Counts the new neighbours of u as completions. */
static inline void count_neighbors(ms_census_search *s, ROW row, uint32_t u)
{
  const ms_census_graph *g = s->graph;
  const uint32_t *w = g->neighbor + g->offset[u], *last = g->neighbor + g->offset[u + 1];
  const ms_kind_id *tag = s->tag; /* not read again after each addition */
  const uint32_t floor = s->floor;
  for (; w < last && *w >= floor; w++)
    add_one(s, row, tag[*w]);
}

static inline uint32_t degree_of(const ms_census_search *s, uint32_t u)
{
  return (uint32_t)(s->graph->offset[u + 1] - s->graph->offset[u]);
}

/* True if the new neighbours of u are counted by bits: it has a row, and enough neighbours are not
 * below the floor. */
static inline bool has_bits(const ms_census_search *s, uint32_t u)
{
  const ms_census_graph *g = s->graph;
  return s->bits && s->bits->number[u] > 0 &&
         g->neighbor[g->offset[u] + s->bits->least - 1] >= s->floor;
}

/* Puts the candidate at this place into the list of its kind. */
static inline void append_hub(ms_census_search *s, uint32_t at)
{
  uint32_t *first = &s->first_hub[s->x_kind[at]];
  s->next_hub[at] = *first;
  *first = at + 1;
}

/* Counts the new neighbours of all candidates of a kind that are in the list. */
static void count_hubs(ms_census_search *s, ROW row, ms_kind_id kind)
{
  const ms_census_bits *b = s->bits;
  memset(s->sum, 0, b->words * sizeof *s->sum);
  for (uint32_t at = s->first_hub[kind]; at > 0; at = s->next_hub[at - 1])
    b->kernel->add(s->sum, b->row + (uint64_t)(b->number[s->x[at - 1]] - 1) * b->words, s->free,
                   b->words);
  s->first_hub[kind] = 0;
  for (uint32_t c = 0; c < s->graph->kinds; c++) {
    uint64_t sets = 0;
    for (uint32_t i = b->word[c]; i < b->word[c + 1]; i++)
      sets += s->sum[i];
    if (sets > 0)
      add_many(s, row, (ms_kind_id)c, sets);
  }
}

/* Notes the kinds of candidates begin .. end - 1 in count[]; returns how many kinds are present,
 * of which `present` were before. */
static uint32_t note_kinds(ms_census_search *s, uint32_t begin, uint32_t end, uint32_t *count,
                           uint32_t present)
{
  for (uint32_t i = begin; i < end; i++) {
    ms_kind_id kind = s->x_kind[i];
    if (s->first[kind] + s->later[kind] == 0)
      s->present[present++] = kind;
    count[kind]++;
  }
  return present;
}

/* Counts the pairs of a candidate of begin .. middle - 1 and one behind it. */
static void count_pairs(ms_census_search *s, const STATE *state, uint32_t begin, uint32_t middle,
                        uint32_t end)
{
  uint32_t present = note_kinds(s, begin, middle, s->first, 0);
  present = note_kinds(s, middle, end, s->later, present);
  for (uint32_t i = 0; i < present; i++) {
    ms_kind_id a = s->present[i];
    uint64_t many = s->first[a];
    if (many == 0)
      continue;
    STATE next = next_state(s, state, s->k - 2, a);
    ROW row = row_of(s, &next);
    uint64_t alike = many * (many - 1) / 2 + many * s->later[a];
    if (alike > 0)
      add_many(s, row, a, alike);
    for (uint32_t j = 0; j < present; j++) {
      ms_kind_id b = s->present[j];
      /* two kinds of the first part meet once: when b comes behind a */
      uint64_t others = s->later[b] + (j > i ? s->first[b] : 0);
      if (j != i && others > 0)
        add_many(s, row, b, many * others);
    }
  }
  for (uint32_t i = 0; i < present; i++)
    s->first[s->present[i]] = s->later[s->present[i]] = 0;
}

/* Counts the sets of k vertices that a set of k - 2 leads to by candidates begin .. middle - 1 and
 * one more vertex. */
static void complete(ms_census_search *s, const STATE *state, uint32_t begin, uint32_t middle,
                     uint32_t end)
{
  uint64_t kinds = s->graph->kinds, first = middle - begin;
  uint64_t pairs = first * (end - middle) + first * (first - 1) / 2;
  bool by_kinds = pairs > 2 * kinds * kinds;
  const ms_kind_id *x_kind = s->x_kind; /* not read again after each addition */
  for (uint32_t i = begin; i < middle; i++) {
    uint32_t u = s->x[i], behind = by_kinds ? end : i + 1;
    /* many candidates have many neighbours: the token is checked at each 16th */
    if (first > 64 && ms_watch_ended(s->watch, i % 16 ? 1 : 0)) {
      s->ended = true;
      return;
    }
    STATE next = next_state(s, state, s->k - 2, s->x_kind[i]);
    ROW row = row_of(s, &next);
    bool by_bits = has_bits(s, u);
    reserve(s, (by_bits ? 0 : (uint64_t)degree_of(s, u)) + (end - behind));
    for (uint32_t j = behind; j < end; j++)
      add_one(s, row, x_kind[j]);
    if (by_bits)
      append_hub(s, i);
    else
      count_neighbors(s, row, u);
  }
  for (uint32_t i = begin; s->bits && i < middle; i++)
    if (s->first_hub[s->x_kind[i]] > 0) {
      STATE next = next_state(s, state, s->k - 2, s->x_kind[i]);
      count_hubs(s, row_of(s, &next), s->x_kind[i]);
    }
  if (by_kinds)
    count_pairs(s, state, begin, middle, end);
}

/* Searches from a set of `size` vertices by candidates begin .. middle - 1. */
static void extend(ms_census_search *s, const STATE *state, uint32_t size, uint32_t begin,
                   uint32_t middle, uint32_t end)
{
  if (ms_watch_ended(s->watch, s->visits++))
    s->ended = true;
  if (size + 2 == s->k) {
    complete(s, state, begin, middle, end);
    return;
  }
  for (uint32_t i = begin; i < middle && !s->ended; i++) {
    STATE next = next_state(s, state, size, s->x_kind[i]);
    uint32_t more = append_neighbors(s, s->x[i], end);
    extend(s, &next, size + 1, i + 1, more, more);
    remove_candidates(s, end, more);
  }
}

void ROOT(ms_census_search *s, uint32_t root, uint32_t begin, uint32_t end)
{
  ms_kind_id kind = s->graph->kind[root];
  STATE state = begin_state(s, kind);
  s->tag[root] = (ms_kind_id)s->graph->kinds;
  if (s->bits)
    move_free_floor(s);
  if (s->k == 2) {
    s->visits++;
    reserve(s, degree_of(s, root));
    count_neighbors(s, row_of(s, &state), root);
  } else {
    uint32_t all = append_neighbors(s, root, 0);
    extend(s, &state, 1, begin, end < all ? end : all, all);
    remove_candidates(s, 0, all);
  }
  s->tag[root] = kind;
}
