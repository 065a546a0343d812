/* Turns multisets of kinds into motifs. */
#include "base/alloc.h"
#include "base/compiler.h"
#include "base/status.h"
#include "census/census.h"

#include <stdlib.h>
#include <string.h>

/* ---- motifs that fit ------------------------------------------------------------------
 *
 * A multiset of k colours fits a set if its colours can be given to the k positions, which are the
 * vertices of the set, such that each vertex has its colour: in a number of ways, of which one is
 * enough.  A colour that only one position has is its own, and the others are common.  So we choose
 * multisets of common colours, and count the ways to give them to each set of positions; all other
 * positions have own colours, and these are multiplied out.  Each motif is met once, with its ways.
 *
 * Hash tables receive it if it has a way.  Places receive the ways to give all colours less those
 * beyond the first:
 *
 *   - The ways of all sets together are a sum of products of lists, in which each list is added at
 *     once: multisets of kinds that differ in their lowest kind add the sum of its lists, a row, to
 *     each combination of colours of their other kinds.
 *   - Motifs with several ways are few, and have two common colours.
 *
 * Numbers of places may pass 0 and 2^64 meanwhile: only their sums count, which are below 2^63. */

#define FIRST_BITS 10u
#define LOCAL_BITS 15u /* of a tally that is emptied into a shared one: it lies in the L2 cache */

/* The ways to give some colours to each set of positions. */
typedef struct ways {
  uint32_t of[1u << MS_MAX_CENSUS];
} ways;

uint64_t ms_motif_places_bytes(const ms_census_graph *g, uint32_t k, bool is_narrow,
                               uint64_t *of_thread)
{
  uint64_t rows = ms_multisets_count(g->colors, k - 1), cells, colors = g->colors;
  bool fits = ms_multisets_count(g->colors, k) < UINT64_MAX &&
              !__builtin_mul_overflow(rows, colors, &cells) && cells < UINT64_MAX / 16;
  *of_thread = fits ? cells * (is_narrow ? sizeof(uint32_t) : sizeof(uint64_t)) +
                          colors * colors * sizeof(uint64_t)
                    : UINT64_MAX;
  return fits ? (k + 1) * (colors + k) * sizeof(uint64_t) +
                    (colors + g->list_offset[g->kinds]) * sizeof(ms_kind_id) +
                    (colors + 63) / 64 * g->kinds * sizeof(uint64_t)
              : UINT64_MAX;
}

typedef struct color_use {
  uint64_t vertices;
  ms_kind_id color;
} color_use;

static int by_use(const void *a, const void *b)
{
  const color_use *x = a, *y = b;
  if (x->vertices != y->vertices)
    return x->vertices < y->vertices ? 1 : -1;
  return x->color - y->color;
}

/* Numbers the colours by falling numbers of vertices; number[colors] is scratch. */
static void number_colors(ms_motif_places *p, const ms_census_graph *g, color_use *use,
                          ms_kind_id *number)
{
  for (uint32_t c = 0; c < g->colors; c++)
    use[c] = (color_use){0, (ms_kind_id)c};
  for (uint32_t v = 0; v < g->n; v++)
    for (uint64_t i = g->list_offset[g->kind[v]]; i < g->list_offset[g->kind[v] + 1]; i++)
      use[g->list[i]].vertices++;
  if (g->colors > 0)
    qsort(use, g->colors, sizeof *use, by_use);
  for (uint32_t c = 0; c < g->colors; c++) {
    p->color[c] = use[c].color;
    number[use[c].color] = (ms_kind_id)c;
  }
  for (uint32_t kind = 0; kind < g->kinds; kind++)
    for (uint64_t i = g->list_offset[kind]; i < g->list_offset[kind + 1]; i++) {
      p->list[i] = number[g->list[i]];
      p->bits[(size_t)kind * p->words + p->list[i] / 64] |= (uint64_t)1 << (p->list[i] % 64);
    }
}

ms_status ms_motif_places_open(ms_motif_places *p, const ms_census_graph *g, uint32_t k,
                               bool is_narrow, ms_error *err)
{
  *p = (ms_motif_places){.rows = ms_multisets_count(g->colors, k - 1),
                         .words = (g->colors + 63) / 64,
                         .is_narrow = is_narrow};
  MS_TRY(ms_multisets_open(&p->numbers, g->colors, k, err));
  p->color = ms_alloc(g->colors, sizeof *p->color);
  p->list = ms_alloc(g->list_offset[g->kinds], sizeof *p->list);
  p->bits = ms_calloc((size_t)g->kinds * p->words, sizeof *p->bits);
  color_use *use = ms_alloc(g->colors, sizeof *use);
  ms_kind_id *number = ms_alloc(g->colors, sizeof *number);
  bool ok = p->color && p->list && p->bits && use && number;
  if (ok)
    number_colors(p, g, use, number);
  else
    ms_motif_places_close(p);
  ms_free(use);
  ms_free(number);
  return ok ? MS_OK : ms_fail_memory(err, "the motifs of a census");
}

void ms_motif_places_close(ms_motif_places *p)
{
  ms_multisets_close(&p->numbers);
  ms_free(p->color);
  ms_free(p->list);
  ms_free(p->bits);
  *p = (ms_motif_places){0};
}

ms_status ms_expander_open(ms_expander *e, const ms_census_graph *g, uint32_t k, ms_watch *watch,
                           ms_budget *budget, ms_error *err)
{
  uint64_t longest = 0;
  *e = (ms_expander){.graph = g, .k = k, .watch = watch};
  if (g->single)
    return MS_OK;
  for (uint32_t c = 0; c < g->kinds; c++)
    if (g->list_offset[c + 1] - g->list_offset[c] > longest)
      longest = g->list_offset[c + 1] - g->list_offset[c];
  e->holders = ms_calloc(g->colors, sizeof *e->holders);
  e->common = ms_alloc((k + 1) * longest * k, sizeof *e->common);
  e->class_of = ms_alloc(longest * k, sizeof *e->class_of);
  e->found = ms_alloc(longest * k, sizeof *e->found);
  e->found_holders = ms_alloc(longest * k, sizeof *e->found_holders);
  if (!e->holders || !e->common || !e->class_of || !e->found || !e->found_holders)
    return ms_fail_memory(err, "the motifs of a census");
  for (uint32_t i = 0; i < k; i++)
    e->own[i] = e->common + (i + 1) * longest * k;
  return ms_tally_open(&e->motifs, FIRST_BITS, budget) ? MS_OK : ms_census_fail_memory(g, err);
}

ms_status ms_expander_use_places(ms_expander *e, const ms_motif_places *places, ms_error *err)
{
  uint32_t colors = e->graph->colors;
  e->places = places;
  if (places->is_narrow)
    e->narrow = ms_calloc(places->rows * colors, sizeof *e->narrow);
  else
    e->wide = ms_calloc(places->rows * colors, sizeof *e->wide);
  e->sum = ms_calloc(colors, sizeof *e->sum);
  e->summand = ms_alloc(colors, sizeof *e->summand);
  e->square = ms_calloc((size_t)colors * colors, sizeof *e->square);
  e->square_row = ms_alloc((size_t)colors + 1, sizeof *e->square_row);
  e->twice = ms_alloc(places->words, sizeof *e->twice);
  return (e->narrow || e->wide) && e->sum && e->summand && e->square && e->square_row && e->twice
             ? MS_OK
             : ms_fail_memory(err, "the motifs of a census");
}

void ms_expander_close(ms_expander *e)
{
  ms_tally_close(&e->motifs);
  ms_free(e->holders);
  ms_free(e->common);
  ms_free(e->class_of);
  ms_free(e->found);
  ms_free(e->fits[0]);
  ms_free(e->fits[1]);
  ms_free(e->met);
  ms_free(e->found_holders);
  ms_free(e->narrow);
  ms_free(e->wide);
  ms_free(e->square);
  ms_free(e->square_row);
  ms_free(e->twice);
  ms_free(e->sum);
  ms_free(e->summand);
}

/* Adds the sets to the motifs of part[k - 1] and one of these colours each. */
static void add_to_tally(ms_expander *e, const ms_multiset *part, const ms_kind_id *color,
                         uint32_t count)
{
  for (uint32_t i = 0; i < count && !e->full; i++) {
    ms_multiset motif;
    ms_multiset_insert(part, e->k - 1, color[i], &motif);
    if (e->shared && e->motifs.used >= (1u << (LOCAL_BITS - 1)))
      e->full = !ms_shared_tally_take(e->shared, &e->motifs);
    if (!e->full)
      e->full = !ms_tally_add(&e->motifs, &motif, ms_multiset_hash(&motif), e->sets);
  }
}

/* The number of the row of part[size] and one more colour: base[i] + choose[i][colour] where i
 * colours of the part are not above it. */
typedef struct row_numbers {
  uint64_t base[MS_MAX_CENSUS];
  const uint64_t *choose[MS_MAX_CENSUS];
} row_numbers;

/* Finds the rows of part[k - 2], and looks at the watch. */
static void begin_rows(ms_expander *e, const ms_multiset *part, row_numbers *rows)
{
  e->ended = e->ended || (e->watch && ms_watch_ended(e->watch, e->steps++));
  if (!e->places)
    return;
  const ms_multisets *m = &e->places->numbers;
  uint64_t sum = 0, width = (uint64_t)m->kinds + m->most;
  uint32_t size = e->k - 2;
  for (uint32_t i = 0; i < size; i++)
    sum += m->choose[(i + 2) * width + part->kind[i] + i + 1];
  for (uint32_t i = 0; i <= size; i++) {
    rows->base[i] = sum;
    rows->choose[i] = m->choose + (i + 1) * width + i;
    if (i < size)
      sum += m->choose[(i + 1) * width + part->kind[i] + i] -
             m->choose[(i + 2) * width + part->kind[i] + i + 1];
  }
}

/* Returns the first cell of the row of part[k - 2], whose rows these are, and a colour. */
MS_ALWAYS_INLINE uint64_t row_of(const ms_expander *e, const ms_multiset *part,
                                 const row_numbers *rows, ms_kind_id color)
{
  uint32_t below = 0;
  while (below + 2 < e->k && part->kind[below] <= color)
    below++;
  return (rows->base[below] + rows->choose[below][color]) * e->graph->colors;
}

/* Adds the sets to the motifs that consist of part[k - 2], a colour of a[] and a colour of b[].
 * count: the ways to give the colours; rows: the row numbers of the part. */
static void add_product(ms_expander *e, const ms_multiset *part, const row_numbers *rows,
                        uint32_t count, const ms_kind_id *a, uint32_t a_count, const ms_kind_id *b,
                        uint32_t b_count)
{
  uint64_t sets = e->sets * (1 - (uint64_t)count);
  if (count < (e->places ? 2u : 1u) || b_count == 0)
    return;
  for (uint32_t i = 0; i < a_count && !e->full; i++) {
    uint64_t row = e->places ? row_of(e, part, rows, a[i]) : 0;
    if (e->narrow) {
      for (uint32_t j = 0; j < b_count; j++)
        e->narrow[row + b[j]] += (uint32_t)sets;
    } else if (e->wide) {
      for (uint32_t j = 0; j < b_count; j++)
        e->wide[row + b[j]] += sets;
    } else {
      ms_multiset more;
      ms_multiset_insert(part, e->k - 2, a[i], &more);
      add_to_tally(e, &more, b, b_count);
    }
  }
}

/* Adds the sets to the motifs of part[size] and own colours of the positions in `vacant`, which
 * have so many ways. */
static void add_block(ms_expander *e, const ms_multiset *part, uint32_t size, uint32_t vacant,
                      uint32_t count)
{
  uint32_t p = (uint32_t)__builtin_ctz(vacant), rest = vacant & (vacant - 1);
  if (size + 2 == e->k) {
    uint32_t q = (uint32_t)__builtin_ctz(rest);
    row_numbers rows;
    begin_rows(e, part, &rows);
    add_product(e, part, &rows, count, e->own[p], e->owns[p], e->own[q], e->owns[q]);
    return;
  }
  for (uint32_t i = 0; i < e->owns[p] && !e->ended && !e->full; i++) {
    ms_multiset more;
    ms_multiset_insert(part, size, e->own[p][i], &more);
    add_block(e, &more, size + 1, rest, count);
  }
}

/* Adds the sets to the motifs of part[k - 2] and two more colours, of which a common one is not
 * before common[from].  vacant[p][q]: the ways to give the part to the other positions.  `again`:
 * so many colours of the part are common[from]. */
static void add_last_two(ms_expander *e, const ms_multiset *part, uint32_t from, uint32_t again,
                         uint32_t vacant[][MS_MAX_CENSUS])
{
  uint32_t k = e->k, count[MS_MAX_CENSUS];
  row_numbers rows;
  begin_rows(e, part, &rows);
  for (uint32_t p = 0; p < k; p++)
    for (uint32_t q = 0; q < p; q++)
      add_product(e, part, &rows, vacant[p][q], e->own[p], e->owns[p], e->own[q], e->owns[q]);
  /* the colours of a class are alike, but for those that the part has */
  for (uint32_t c = from, end; c < e->commons && !e->ended && !e->full; c = end, again = 0) {
    uint32_t class = e->class_of[c], holders = e->holders_of[class];
    const ms_kind_id *color = &e->common[c];
    end = again > 0 ? c + 1 : e->class_end[class];
    for (uint32_t q = 0; q < k; q++) {
      count[q] = 0;
      for (uint32_t p = 0; p < k; p++)
        count[q] += holders >> p & 1 ? vacant[p][q] : 0;
      count[q] /= again + 1;
      add_product(e, part, &rows, count[q], color, end - c, e->own[q], e->owns[q]);
    }
    for (uint32_t d = class; d < e->classes; d++) {
      uint32_t sum = 0, first = e->class_end[d] - e->class_size[d];
      for (uint32_t q = 0; q < k; q++)
        sum += e->holders_of[d] >> q & 1 ? count[q] : 0;
      if (d > class) {
        add_product(e, part, &rows, sum, color, end - c, &e->common[first], e->class_size[d]);
        continue;
      }
      for (uint32_t i = c; i < end; i++) { /* a colour twice, or with later ones */
        add_product(e, part, &rows, sum / (again + 2), &e->common[i], 1, &e->common[i], 1);
        add_product(e, part, &rows, sum, &e->common[i], 1, &e->common[i + 1],
                    e->class_end[d] - i - 1);
      }
    }
  }
}

/* Adds the sets to the motifs of part[size], common colours that can be given in these ways, and of
 * further colours, of which a common one is not before common[from].  `again`: so many colours of
 * the part are common[from]. */
static void add_common(ms_expander *e, const ms_multiset *part, uint32_t size, uint32_t from,
                       uint32_t again, const ways *given)
{
  uint32_t all = (1u << e->k) - 1;
  if (size + 2 == e->k) {
    uint32_t vacant[MS_MAX_CENSUS][MS_MAX_CENSUS] = {{0}};
    for (uint32_t p = 0; p < e->k; p++)
      for (uint32_t q = 0; q < p; q++)
        vacant[p][q] = vacant[q][p] = given->of[all & ~(1u << p | 1u << q)];
    add_last_two(e, part, from, again, vacant);
    return;
  }
  for (uint32_t s = 0; s < all; s++)
    if (given->of[s] >= (e->places ? 2u : 1u))
      add_block(e, part, size, all & ~s, given->of[s]);
  for (uint32_t c = from; c < e->commons && !e->ended && !e->full; c++, again = 0) {
    uint32_t holders = e->holders_of[e->class_of[c]], any = 0;
    ways next;
    ms_multiset more;
    for (uint32_t s = 0; s <= all; s++) {
      next.of[s] = 0;
      for (uint32_t left = holders & s; left > 0; left &= left - 1)
        next.of[s] += given->of[s & ~(left & -left)];
      next.of[s] /= again + 1;
      any |= next.of[s];
    }
    if (any == 0)
      continue;
    ms_multiset_insert(part, size, e->common[c], &more);
    add_common(e, &more, size + 1, c, again + 1, &next);
  }
}

/* ---- multisets of kinds -------------------------------------------------------------- */

/* Adds the rows of e->square to the rows of part[size] and a colour of each of
 * group[size + 2 .. k - 1]. */
static void add_square(ms_expander *e, const ms_multiset *part, uint32_t size)
{
  uint32_t colors = e->graph->colors;
  row_numbers rows;
  if (size + 2 < e->k) {
    uint32_t position = size + 2 < MS_MAX_CENSUS ? size + 2 : 2; /* it is less: for the compiler */
    const uint64_t *begin = e->graph->list_offset + e->group.kind[position];
    for (uint64_t i = begin[0]; i < begin[1] && !e->ended; i++) {
      ms_multiset more;
      ms_multiset_insert(part, size, e->places->list[i], &more);
      add_square(e, &more, size + 1);
    }
    return;
  }
  begin_rows(e, part, &rows);
  for (uint32_t i = 0; i < e->square_rows; i++) {
    uint64_t row = row_of(e, part, &rows, e->square_row[i]);
    const uint64_t *from = e->square + (size_t)e->square_row[i] * colors;
    if (e->narrow)
      for (uint32_t c = 0; c < colors; c++)
        e->narrow[row + c] += (uint32_t)from[c];
    else
      for (uint32_t c = 0; c < colors; c++)
        e->wide[row + c] += from[c];
  }
}

static void flush_square(ms_expander *e)
{
  ms_multiset none;
  memset(&none, 0xff, sizeof none);
  add_square(e, &none, 0);
  for (uint32_t i = 0; i < e->square_rows; i++)
    memset(e->square + (size_t)e->square_row[i] * e->graph->colors, 0,
           e->graph->colors * sizeof *e->square);
  e->square_rows = 0;
}

/* Adds the sum to the rows of the square for the colours of group[1]. */
static void flush_sum(ms_expander *e)
{
  const uint64_t *begin = e->graph->list_offset + e->group.kind[1];
  for (uint64_t i = begin[0]; i < begin[1] && e->summands > 0; i++) {
    ms_kind_id color = e->places->list[i];
    uint64_t *row = e->square + (size_t)color * e->graph->colors;
    if (row[e->summand[0]] == 0) { /* it may be empty: numbers are not 0, and below 2^63 */
      uint32_t j = 0;
      while (j < e->square_rows && e->square_row[j] != color)
        j++;
      e->square_row[j] = color;
      e->square_rows += j == e->square_rows;
    }
    for (uint32_t j = 0; j < e->summands; j++)
      row[e->summand[j]] += e->sum[e->summand[j]];
  }
  for (uint32_t i = 0; i < e->summands; i++)
    e->sum[e->summand[i]] = 0;
  e->summands = 0;
}

void ms_expander_flush(ms_expander *e)
{
  if (!e->places)
    return;
  if (e->summands > 0)
    flush_sum(e);
  if (e->square_rows > 0)
    flush_square(e);
}

/* Adds the colours of the lowest kind to the sum.  If the multiset begins another group, the sum of
 * the previous group is moved to the square first. */
static void take_sum(ms_expander *e, const ms_multiset *kinds, uint64_t sets)
{
  const uint64_t *begin = e->graph->list_offset + kinds->kind[0];
  size_t bytes = sizeof *kinds - 2 * sizeof kinds->kind[0];
  bool is_same = memcmp(&kinds->kind[2], &e->group.kind[2], bytes) == 0;
  if (!is_same || kinds->kind[1] != e->group.kind[1]) {
    if (e->summands > 0)
      flush_sum(e);
    if (!is_same && e->square_rows > 0)
      flush_square(e);
    e->group = *kinds;
  }
  for (uint64_t i = begin[0]; i < begin[1]; i++) {
    ms_kind_id color = e->places->list[i];
    if (e->sum[color] == 0)
      e->summand[e->summands++] = color;
    e->sum[color] += sets;
  }
}

/* Finds the own and common colours of the kinds by their bits.  Own colours are not needed if fewer
 * than two are common. */
static void find_by_bits(ms_expander *e, const ms_multiset *kinds)
{
  uint32_t words = e->places->words;
  const uint64_t *bits[MS_MAX_CENSUS];
  for (uint32_t p = 0; p < e->k; p++)
    bits[p] = e->places->bits + (size_t)kinds->kind[p] * words;
  for (uint32_t w = 0; w < words; w++) {
    uint64_t once = 0, twice = 0;
    for (uint32_t p = 0; p < e->k; p++) {
      twice |= once & bits[p][w];
      once |= bits[p][w];
    }
    e->twice[w] = twice;
    for (; twice > 0; twice &= twice - 1) {
      uint32_t bit = (uint32_t)__builtin_ctzll(twice), holders = 0;
      for (uint32_t p = 0; p < e->k; p++)
        holders |= (uint32_t)(bits[p][w] >> bit & 1) << p;
      e->found[e->commons] = (ms_kind_id)(w * 64 + bit);
      e->found_holders[e->commons++] = (uint8_t)holders;
    }
  }
  for (uint32_t p = 0; p < e->k && e->commons > 1; p++)
    for (uint32_t w = 0; w < words; w++)
      for (uint64_t own = bits[p][w] & ~e->twice[w]; own > 0; own &= own - 1)
        e->own[p][e->owns[p]++] = (ms_kind_id)(w * 64 + (uint32_t)__builtin_ctzll(own));
}

/* Does the same by their lists. */
static void find_by_lists(ms_expander *e, const ms_multiset *kinds)
{
  const uint64_t *offset = e->graph->list_offset;
  const ms_kind_id *list = e->graph->list;
  for (uint32_t p = 0; p < e->k; p++)
    for (uint64_t i = offset[kinds->kind[p]]; i < offset[kinds->kind[p] + 1]; i++)
      e->holders[list[i]] |= (uint8_t)(1u << p);
  for (uint32_t p = 0; p < e->k; p++)
    for (uint64_t i = offset[kinds->kind[p]]; i < offset[kinds->kind[p] + 1]; i++) {
      uint32_t holders = e->holders[list[i]];
      if (holders == 1u << p) {
        e->own[p][e->owns[p]++] = list[i];
      } else if (holders > 0) {
        e->found[e->commons] = list[i];
        e->found_holders[e->commons++] = (uint8_t)holders;
      }
      e->holders[list[i]] = 0;
    }
}

/* Sorts the common colours into classes of the same positions. */
static void make_classes(ms_expander *e)
{
  uint32_t next[1u << MS_MAX_CENSUS], sets = 1u << e->k, sum = 0;
  e->classes = 0;
  memset(next, 0, sets * sizeof *next);
  for (uint32_t i = 0; i < e->commons; i++)
    next[e->found_holders[i]]++;
  for (uint32_t s = 0; s < sets; s++)
    if (next[s] > 0) {
      e->holders_of[e->classes] = (uint8_t)s;
      e->class_size[e->classes] = next[s];
      next[s] = sum;
      sum += e->class_size[e->classes];
      e->class_end[e->classes++] = sum;
    }
  for (uint32_t i = 0; i < e->commons; i++)
    e->common[next[e->found_holders[i]]++] = e->found[i];
  for (uint32_t d = 0; d < e->classes; d++)
    for (uint32_t i = e->class_end[d] - e->class_size[d]; i < e->class_end[d]; i++)
      e->class_of[i] = (uint8_t)d;
}

/* ---- motifs one position after the other ---------------------------------------------- */

/* Where few colours have many ways, it is faster to find the multisets of colours of the first
 * positions, which are few, and to add the colours of the next position to each of them. */

static bool make_room(ms_expander *e, uint64_t room)
{
  for (int i = 0; i < 2 && room > e->room; i++)
    if (!ms_enlarge(&e->fits[i], e->room, room, sizeof *e->fits[i]))
      return false;
  e->room = room > e->room ? room : e->room;
  return true;
}

/* A motif, and the last round in which it was met. */
typedef struct ms_met {
  ms_multiset motif;
  uint64_t round;
} met;

/* Begins a round that meets at most so many motifs. */
static bool begin_round(ms_expander *e, uint64_t most)
{
  e->round++;
  if (2 * most <= e->meetings)
    return true;
  uint64_t meetings = 64;
  while (meetings < 2 * most)
    meetings *= 2;
  ms_free(e->met);
  e->met = ms_calloc(meetings, sizeof *e->met);
  e->meetings = e->met ? meetings : 0;
  return e->met != NULL;
}

/* True if the motif is met for the first time in this round. */
static bool is_new(ms_expander *e, const ms_multiset *motif)
{
  uint64_t at = ms_multiset_hash(motif) & (e->meetings - 1);
  for (; e->met[at].round == e->round; at = (at + 1) & (e->meetings - 1))
    if (ms_multiset_compare(&e->met[at].motif, motif) == 0)
      return false;
  e->met[at] = (met){*motif, e->round};
  return true;
}

/* Adds the sets to a motif. */
static void add_motif(ms_expander *e, const ms_multiset *motif)
{
  uint32_t last = e->k - 1;
  if (!e->places) {
    ms_multiset part = *motif;
    part.kind[last] = MS_NO_KIND;
    add_to_tally(e, &part, &motif->kind[last], 1);
    return;
  }
  const ms_multisets *m = &e->places->numbers;
  uint64_t cell = 0, width = (uint64_t)m->kinds + m->most;
  for (uint32_t i = 0; i < last; i++)
    cell += m->choose[(i + 1) * width + motif->kind[i] + i];
  cell = cell * m->kinds + motif->kind[last];
  if (e->narrow)
    e->narrow[cell] += (uint32_t)e->sets;
  else
    e->wide[cell] += e->sets;
}

static void add_by_positions(ms_expander *e, const ms_multiset *kinds)
{
  const uint64_t *offset = e->graph->list_offset;
  const ms_kind_id *list = e->places ? e->places->list : e->graph->list;
  uint64_t count = 1;
  e->full = !make_room(e, 64);
  if (!e->full)
    memset(&e->fits[0][0], 0xff, sizeof e->fits[0][0]);
  for (uint32_t i = 0; i < e->k && !e->full; i++) {
    uint64_t begin = offset[kinds->kind[i]], end = offset[kinds->kind[i] + 1], larger = 0;
    e->full = !make_room(e, count * (end - begin)) || !begin_round(e, count * (end - begin));
    for (uint64_t f = 0; f < count && !e->full; f++) {
      e->ended = e->ended || (e->watch && ms_watch_ended(e->watch, e->steps++));
      if (e->ended)
        return;
      for (uint64_t c = begin; c < end; c++) {
        ms_multiset *motif = &e->fits[(i + 1) % 2][larger];
        ms_multiset_insert(&e->fits[i % 2][f], i, list[c], motif);
        larger += end - begin == 1 || is_new(e, motif);
      }
    }
    count = larger;
  }
  for (uint64_t f = 0; f < count && !e->full; f++)
    add_motif(e, &e->fits[e->k % 2][f]);
}

/* True if this is faster than to count ways, of which there are 2^k numbers for each multiset of
 * common colours. */
static bool prefers_positions(const ms_expander *e, const ms_multiset *kinds)
{
  double product = 1, multisets = 1;
  if (e->k < 5)
    return false;
  for (uint32_t i = 1; i + 1 < e->k; i++)
    multisets *= (e->commons + i - 1.0) / i;
  for (uint32_t p = 0; p < e->k; p++)
    product *=
        (double)(e->graph->list_offset[kinds->kind[p] + 1] - e->graph->list_offset[kinds->kind[p]]);
  return multisets * (1u << e->k) > product;
}

ms_status ms_expander_add(ms_expander *e, const ms_multiset *kinds, uint64_t sets,
                          ms_census_rows *rows, ms_error *err)
{
  ms_multiset none;
  ways begin;
  if (e->graph->single)
    return ms_census_rows_add(rows, kinds, sets, err);
  e->sets = sets;
  e->commons = 0;
  memset(e->owns, 0, sizeof e->owns);
  if (e->places)
    find_by_bits(e, kinds);
  else
    find_by_lists(e, kinds);
  if (prefers_positions(e, kinds)) {
    add_by_positions(e, kinds);
    return e->full ? ms_census_fail_memory(e->graph, err) : MS_OK;
  }
  if (e->places)
    take_sum(e, kinds, sets);
  if (!e->places || e->commons > 1) {
    make_classes(e);
    memset(&none, 0xff, sizeof none);
    memset(&begin, 0, sizeof begin.of[0] << e->k);
    begin.of[0] = 1;
    add_common(e, &none, 0, 0, 0, &begin);
  }
  return e->full ? ms_census_fail_memory(e->graph, err) : MS_OK;
}

ms_status ms_expander_finish(ms_expander *e, ms_census_rows *rows, ms_error *err)
{
  if (e->graph->single)
    return MS_OK;
  for (uint64_t i = 0; i < (uint64_t)1 << e->motifs.bits; i++)
    if (e->motifs.entry[i].sets > 0)
      MS_TRY(ms_census_rows_add(rows, &e->motifs.entry[i].key, e->motifs.entry[i].sets, err));
  if (e->motifs.overflow)
    return ms_census_fail_overflow(err);
  ms_tally_clear(&e->motifs);
  return MS_OK;
}
