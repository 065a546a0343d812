/* Runs a plan of elimination: the sets, the messages, and the threads. */
#include "match/cpu/elimination.h"

#include "base/alloc.h"
#include "base/budget.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/threads.h"
#include "match/cpu/sorted.h"

#include <stdatomic.h>
#include <string.h>

#define ROOTS_AT_ONCE 4u
#define LISTS 32u  /* of a worker, at the same time */
#define ARRAYS 16u /* the same of arrays */
/* Time to enter an edge in an array and to leave it, and to compare two ids of sorted lists. */
#define ENTER_COST 3.0
#define COMPARE_COST 0.25
#define SET_COST 10.0 /* of an intersection, whatever its length */
#define FAR_LONGER 8u /* as in sorted.h */
#define STEPS_AT_ONCE 64u
#define WORD_COST 0.5 /* to compare a word of bits */
/* The most neighbours of a step's image whose edges are kept as rows of bits. */
#define MOST_LOCAL 8192u

/* Candidates of a vertex. */
typedef struct candidates {
  const uint32_t *list; /* [count] */
  uint32_t count;
  const uint64_t *weight; /* [n] for those of the list; NULL: all are 1 */
  bool all;               /* of the graph; there is no list */
  bool sorted;            /* the list ascends; otherwise the weight of others is 0 */
} candidates;

typedef struct elimination {
  const ms_pattern_index *index;
  const ms_elimination_plan *plan;
  const ms_elimination_node *step; /* that runs */
  const ms_stop *stop;
  ms_progress_fn progress;
  void *progress_user;
  uint64_t *weight[MS_ELIMINATION_VERTICES]; /* [n] of what hangs; NULL: nothing does */
  bool ends;                                 /* the step makes the sum */
  atomic_uint_fast64_t next, done;
  atomic_bool halt, exceeds;
  pthread_mutex_t lock; /* of sum and status */
  mpz_ptr sum;
  ms_status status;
} elimination;

/* A thread.  Arrays and lists are taken and given back in the order of a stack; an array that
 * nobody has is 0. */
typedef struct worker {
  elimination *all;
  const ms_sorted *sorted;
  uint32_t image[MS_ELIMINATION_VERTICES];
  uint64_t *array[ARRAYS];
  const uint32_t *used[ARRAYS]; /* [lengths[i]] where array i may not be 0 */
  uint32_t lengths[ARRAYS], arrays;
  uint32_t *list[LISTS], lists;
  /* The graph that the neighbours of the step's image induce, as rows of bits; made when they are
   * first compared. */
  bool is_local;
  uint32_t *place;            /* [n] 1 + the place in the image's row; 0 elsewhere */
  uint64_t *local, *chosen;   /* [neighbours][words] rows; [words] */
  uint64_t local_room, words; /* words that `local` has room for; words of a row */
  uint32_t ticks;
  ms_status status;
} worker;

/* ---- memory ------------------------------------------------------------------------------- */

static uint64_t *take_array(worker *t)
{
  uint32_t i = t->arrays;
  if (i == ARRAYS || (!t->array[i] && !(t->array[i] = ms_calloc((size_t)t->all->index->n + 1,
                                                                sizeof **t->array)))) {
    t->status = MS_ERR_MEMORY;
    return NULL;
  }
  t->lengths[i] = 0;
  t->arrays++;
  return t->array[i];
}

static uint32_t *take_list(worker *t)
{
  uint32_t i = t->lists;
  if (i == LISTS ||
      (!t->list[i] && !(t->list[i] = ms_alloc((size_t)t->all->index->n + 1 + MS_SORTED_SLACK,
                                              sizeof **t->list)))) {
    t->status = MS_ERR_MEMORY;
    return NULL;
  }
  t->lists++;
  return t->list[i];
}

/* Says where the array that was taken last may not be 0. */
static void use_array(worker *t, const uint32_t *list, uint32_t count)
{
  t->used[t->arrays - 1] = list;
  t->lengths[t->arrays - 1] = count;
}

/* Gives everything back that was taken since there were so many. */
static void give_back(worker *t, uint32_t arrays, uint32_t lists)
{
  for (; t->arrays > arrays; t->arrays--)
    for (uint32_t i = 0, k = t->arrays - 1; i < t->lengths[k]; i++)
      t->array[k][t->used[k][i]] = 0;
  t->lists = lists;
}

static bool exceed(worker *t)
{
  atomic_store(&t->all->exceeds, true);
  atomic_store(&t->all->halt, true);
  t->status = MS_ERR_LIMIT;
  return false;
}

/* Returns whether the work goes on. */
static bool goes_on(worker *t)
{
  if (++t->ticks % STEPS_AT_ONCE == 0 && t->status == MS_OK) {
    t->status = ms_stop_check(t->all->stop);
    if (t->status == MS_OK && atomic_load_explicit(&t->all->halt, memory_order_relaxed))
      t->status = MS_ERR_LIMIT;
  }
  return t->status == MS_OK;
}

/* ---- candidates --------------------------------------------------------------------------- */

static const uint32_t *row_of(const worker *t, uint32_t v, uint32_t *length)
{
  return ms_row(&t->all->index->rows[MS_ROWS_ANY], v, length);
}

static uint64_t weight_of(const candidates *c, uint32_t v)
{
  return c->weight ? c->weight[v] : 1;
}

/* Removes an id from candidates that have a list. */
static bool exclude(worker *t, candidates *c, uint32_t v)
{
  size_t place = c->count;
  if (c->sorted)
    place = ms_lower_bound(c->list, c->count, v);
  else if (c->weight[v] != 0)
    for (place = 0; place < c->count && c->list[place] != v;)
      place++;
  if (place == c->count || c->list[place] != v)
    return true;
  uint32_t *list = take_list(t);
  if (!list)
    return false;
  memcpy(list, c->list, place * sizeof *list);
  memcpy(list + place, c->list + place + 1, (c->count - place - 1) * sizeof *list);
  c->list = list;
  c->count--;
  return true;
}

/* Restricts candidates to the row of v, without the images of the vertices in `fixed`. */
static bool restrict_to(worker *t, candidates *c, uint32_t v, uint32_t fixed)
{
  uint32_t length, count = 0;
  const uint32_t *row = row_of(t, v, &length);
  if (c->all) {
    *c = (candidates){.list = row, .count = length, .weight = c->weight, .sorted = true};
  } else {
    uint32_t *list = take_list(t);
    if (!list)
      return false;
    if (c->sorted)
      count = (uint32_t)(c->count < length
                             ? t->sorted->intersect(c->list, c->count, row, length, list)
                             : t->sorted->intersect(row, length, c->list, c->count, list));
    else
      for (uint32_t i = 0; i < length; i++) {
        list[count] = row[i];
        count += c->weight[row[i]] != 0;
      }
    *c = (candidates){.list = list, .count = count, .weight = c->weight, .sorted = true};
  }
  for (; fixed; fixed &= fixed - 1)
    if (!exclude(t, c, t->image[__builtin_ctz(fixed)]))
      return false;
  return true;
}

/* ---- messages ----------------------------------------------------------------------------- */

/* Enters the weights of candidates in all rows of theirs: array[z] becomes their sum in the row of
 * z.  Returns how many it lists. */
static uint32_t enter_rows(const worker *t, const candidates *from, uint64_t *array, uint32_t *list)
{
  uint32_t count = 0, length;
  for (uint32_t i = 0; i < from->count; i++) {
    uint64_t weight = weight_of(from, from->list[i]);
    const uint32_t *row = row_of(t, from->list[i], &length);
    for (uint32_t j = 0; weight && j < length; j++) {
      if (array[row[j]] == 0)
        list[count++] = row[j];
      array[row[j]] += weight;
    }
  }
  return count;
}

/* How the sums of a message are found. */
typedef enum method { ENTER_ROWS, COMPARE_LISTS, COMPARE_BITS } method;

/* Returns the method that takes the least time.  `local`: both are neighbours of the step's image.
 */
static method choose_method(const worker *t, const candidates *from, const candidates *to,
                            bool local)
{
  const ms_neighbor_rows *all = &t->all->index->rows[MS_ROWS_ANY];
  double rows = 0, lists = 0;
  if (!from->sorted || to->all)
    return ENTER_ROWS;
  for (uint32_t i = 0; i < from->count; i++)
    rows += ms_row_length(all, from->list[i]);
  for (uint32_t i = 0; i < to->count; i++) {
    double a = ms_row_length(all, to->list[i]), b = from->count;
    double shorter = a < b ? a : b, longer = a < b ? b : a;
    lists += SET_COST +
             COMPARE_COST * (longer > FAR_LONGER * shorter ? 2 * FAR_LONGER * shorter : a + b);
  }
  uint32_t length = ms_row_length(all, t->image[t->all->step->fixed]);
  double bits = from->count + (2 + WORD_COST * (length / 64 + 1)) * to->count;
  if (local && length <= MOST_LOCAL && bits < lists && bits < ENTER_COST * rows)
    return COMPARE_BITS;
  return lists < ENTER_COST * rows ? COMPARE_LISTS : ENTER_ROWS;
}

/* ---- rows of bits ------------------------------------------------------------------------- */

static bool make_local(worker *t)
{
  uint32_t length, others;
  const uint32_t *row = row_of(t, t->image[t->all->step->fixed], &length);
  t->words = length / 64 + 1;
  if (t->local_room < t->words * (length + 1)) {
    ms_free(t->local);
    t->local_room = t->words * (length + 1);
    t->local = ms_alloc(t->local_room, sizeof *t->local);
  }
  if (!t->place)
    t->place = ms_calloc((size_t)t->all->index->n + 1, sizeof *t->place);
  if (!t->local || !t->place) {
    t->status = MS_ERR_MEMORY;
    return false;
  }
  memset(t->local, 0, t->words * (length + 1) * sizeof *t->local);
  t->chosen = t->local + t->words * length;
  for (uint32_t i = 0; i < length; i++)
    t->place[row[i]] = i + 1;
  for (uint32_t i = 0; i < length; i++) {
    const uint32_t *near = row_of(t, row[i], &others);
    uint64_t *bits = t->local + t->words * i;
    for (uint32_t j = 0; j < others; j++) {
      uint32_t place = t->place[near[j]];
      if (place)
        bits[(place - 1) / 64] |= UINT64_C(1) << (place - 1) % 64;
    }
  }
  t->is_local = true;
  return true;
}

static void leave_local(worker *t, uint32_t v)
{
  uint32_t length;
  const uint32_t *row = row_of(t, v, &length);
  for (uint32_t i = 0; t->is_local && i < length; i++)
    t->place[row[i]] = 0;
  t->is_local = false;
}

/* Sets or clears the bits of these candidates. */
static void choose_bits(worker *t, const candidates *of, bool set)
{
  for (uint32_t i = 0; i < of->count; i++) {
    uint32_t place = t->place[of->list[i]] - 1;
    uint64_t bit = UINT64_C(1) << place % 64, *word = &t->chosen[place / 64];
    *word = set ? *word | bit : 0;
  }
}

/* Returns the sum of the weights of the chosen candidates in the row of z. */
static uint64_t sum_of_bits(const worker *t, const candidates *from, uint32_t z)
{
  const uint64_t *bits = t->local + t->words * (t->place[z] - 1);
  if (!from->weight)
    return t->sorted->and_count(bits, t->chosen, t->words);
  uint32_t length;
  const uint32_t *row = row_of(t, t->image[t->all->step->fixed], &length);
  uint64_t sum = 0;
  for (uint64_t w = 0; w < t->words; w++)
    for (uint64_t left = bits[w] & t->chosen[w]; left; left &= left - 1)
      sum += from->weight[row[64 * w + (uint64_t)__builtin_ctzll(left)]];
  return sum;
}

/* ---- sums --------------------------------------------------------------------------------- */

/* Returns weight * base^times. */
static uint64_t raise(worker *t, uint64_t weight, uint64_t base, uint32_t times)
{
  for (uint32_t i = 0; i < times; i++)
    if (__builtin_mul_overflow(weight, base, &weight))
      exceed(t);
  return weight;
}

/* Returns the sum of the weights of candidates in the row of z. */
static uint64_t sum_in_row(worker *t, const candidates *from, uint32_t z, uint32_t *common)
{
  uint32_t length;
  uint64_t sum = 0;
  const uint32_t *row = row_of(t, z, &length);
  if (!from->weight)
    return t->sorted->count(from->list, from->count, row, length);
  size_t count = t->sorted->intersect(from->list, from->count, row, length, common);
  for (size_t i = 0; i < count; i++)
    sum += from->weight[common[i]];
  return sum;
}

static bool may_add(const candidates *from)
{
  uint64_t most = 1;
  for (uint32_t i = 0; from->weight && i < from->count; i++)
    most = from->weight[from->list[i]] > most ? from->weight[from->list[i]] : most;
  return most <= (UINT64_C(1) << 62) / (from->count + UINT64_C(1));
}

/* Multiplies the weights of listed candidates by sums, which are then their weights, and lists
 * those that are left; returns how many. */
static uint32_t keep_listed(worker *t, const candidates *before, const uint32_t *from,
                            uint32_t count, const uint64_t *sums, uint32_t times, uint64_t *array,
                            uint32_t *list)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t z = from[i];
    uint64_t sum = sums[z], weight = sum ? weight_of(before, z) : 0;
    array[z] = weight ? raise(t, weight, sum, times) : 0;
    list[kept] = z;
    kept += array[z] != 0;
  }
  return kept;
}

/* Eliminates a vertex with these candidates: multiplies the weights of those of its neighbour. */
static bool pass_message(worker *t, const candidates *from, candidates *to, uint32_t times,
                         uint32_t fixed, bool local)
{
  const candidates before = *to;
  uint32_t count = 0;
  if (!may_add(from))
    return exceed(t);
  uint32_t *list = take_list(t), *entered = take_list(t);
  uint64_t *array = take_array(t), *sums = take_array(t);
  if (!list || !entered || !array || !sums)
    return false;
  method how = choose_method(t, from, &before, local);
  if (how == COMPARE_BITS && !t->is_local && !make_local(t))
    return false;
  if (how != ENTER_ROWS) {
    if (how == COMPARE_BITS)
      choose_bits(t, from, true);
    for (uint32_t i = 0; i < before.count; i++) {
      uint32_t z = before.list[i];
      uint64_t sum =
          how == COMPARE_BITS ? sum_of_bits(t, from, z) : sum_in_row(t, from, z, entered);
      array[z] = sum ? raise(t, weight_of(&before, z), sum, times) : 0;
      list[count] = z;
      count += array[z] != 0;
    }
    if (how == COMPARE_BITS)
      choose_bits(t, from, false);
  } else {
    uint32_t sum_count = enter_rows(t, from, sums, entered);
    use_array(t, entered, sum_count);
    /* the weight of a candidate that is not in an unsorted list is 0, or it is an image */
    if (before.all || (!before.sorted && sum_count < before.count)) {
      for (uint32_t left = fixed; left; left &= left - 1)
        sums[t->image[__builtin_ctz(left)]] = 0;
      count = keep_listed(t, &before, entered, sum_count, sums, times, array, list);
    } else {
      count = keep_listed(t, &before, before.list, before.count, sums, times, array, list);
    }
  }
  give_back(t, t->arrays - 1, t->lists - 1);
  use_array(t, list, count);
  *to = (candidates){
      .list = list, .count = count, .weight = array, .sorted = !before.all && before.sorted};
  return t->status == MS_OK;
}

/* ---- components --------------------------------------------------------------------------- */

static ms_wide_size multiply(worker *t, ms_wide_size a, ms_wide_size b)
{
  ms_wide_size product = 0;
  if (__builtin_mul_overflow(a, b, &product))
    exceed(t);
  return product;
}

static ms_wide_size count_component(worker *t, const ms_elimination_node *node, candidates *of,
                                    uint32_t fixed);

/* Fixes the node's vertex at v, and returns the product of the components of the rest. */
static ms_wide_size count_rest(worker *t, const ms_elimination_node *node, const candidates *of,
                               uint32_t fixed, uint32_t v)
{
  const ms_elimination_plan *plan = t->all->plan;
  candidates rest[MS_ELIMINATION_VERTICES];
  uint32_t arrays = t->arrays, lists = t->lists;
  ms_wide_size product = 1;
  t->image[node->fixed] = v;
  for (uint32_t left = node->rest; product && left; left &= left - 1) {
    uint32_t i = (uint32_t)__builtin_ctz(left);
    rest[i] = of[i];
    bool ok = plan->near[node->fixed] >> i & 1 ? restrict_to(t, &rest[i], v, fixed)
              : rest[i].all                    ? true
                                               : exclude(t, &rest[i], v);
    if (!ok || (!rest[i].all && rest[i].count == 0))
      product = 0;
  }
  for (uint32_t i = 0; product && i < node->children; i++) {
    ms_wide_size factor =
        count_component(t, &plan->node[node->child[i]], rest, fixed | UINT32_C(1) << node->fixed);
    for (uint32_t j = 0; j < node->times[i]; j++)
      product = multiply(t, product, factor);
  }
  give_back(t, arrays, lists);
  return product;
}

/* Returns the number of maps of a component, whose vertices have these candidates. */
static ms_wide_size count_component(worker *t, const ms_elimination_node *node, candidates *of,
                                    uint32_t fixed)
{
  ms_wide_size sum = 0;
  uint32_t arrays = t->arrays, lists = t->lists;
  bool ok = goes_on(t);
  for (uint32_t i = 0; ok && i < node->messages; i++) {
    const ms_elimination_message *m = &node->message[i];
    uint32_t near = t->all->plan->near[t->all->step->fixed];
    bool local = (fixed & (fixed - 1)) && (near >> m->from & near >> m->to & 1);
    ok = pass_message(t, &of[m->from], &of[m->to], m->times, fixed, local);
  }
  const candidates *c = &of[node->fixed == MS_NO_VERTEX ? node->last : node->fixed];
  if (ok && node->fixed == MS_NO_VERTEX && !c->weight)
    sum = c->count;
  else if (ok && node->fixed == MS_NO_VERTEX)
    for (uint32_t i = 0; i < c->count; i++)
      sum += c->weight[c->list[i]];
  else
    for (uint32_t i = 0; ok && i < c->count; i++) {
      uint64_t weight = weight_of(c, c->list[i]);
      ms_wide_size rest = weight ? count_rest(t, node, of, fixed, c->list[i]) : 0;
      if (rest && __builtin_add_overflow(sum, multiply(t, weight, rest), &sum))
        exceed(t);
      ok = goes_on(t);
    }
  give_back(t, arrays, lists);
  return t->status == MS_OK ? sum : 0;
}

/* ---- steps -------------------------------------------------------------------------------- */

/* Counts with the step's vertex at v. */
static void count_root(worker *t, uint32_t v, ms_wide_size *sum)
{
  elimination *all = t->all;
  uint64_t *weight = all->weight[all->step->fixed], before = weight ? weight[v] : 1;
  candidates of[MS_ELIMINATION_VERTICES];
  if (before == 0)
    return;
  for (uint32_t i = 0; i < all->plan->n; i++)
    of[i] = (candidates){.weight = all->weight[i], .all = true};
  ms_wide_size value = multiply(t, before, count_rest(t, all->step, of, 0, v));
  leave_local(t, v);
  if (all->ends && __builtin_add_overflow(*sum, value, sum))
    exceed(t);
  if (!all->ends && value > UINT64_MAX)
    exceed(t);
  else if (!all->ends)
    weight[v] = (uint64_t)value;
}

static void run_worker(void *user, int thread)
{
  elimination *all = user;
  uint64_t n = all->index->n;
  worker t = {.all = all, .sorted = ms_sorted_best()};
  ms_wide_size sum = 0;
  while (t.status == MS_OK) {
    uint64_t begin = atomic_fetch_add(&all->next, ROOTS_AT_ONCE);
    if (begin >= n)
      break;
    for (uint64_t i = begin; t.status == MS_OK && i < n && i < begin + ROOTS_AT_ONCE; i++)
      count_root(&t, (uint32_t)(n - 1 - i), &sum); /* first those with the most neighbours */
    uint64_t done = atomic_fetch_add_explicit(&all->done, ROOTS_AT_ONCE, memory_order_relaxed);
    if (all->progress && thread == 0 && done + ROOTS_AT_ONCE < n)
      all->progress(all->progress_user, "roots searched", done + ROOTS_AT_ONCE, n);
    if (t.status == MS_OK)
      t.status = ms_stop_check(all->stop);
  }
  if (t.status != MS_OK)
    atomic_store(&all->halt, true);
  pthread_mutex_lock(&all->lock);
  ms_wide_add(all->sum, sum);
  if (t.status != MS_OK && (all->status == MS_OK || t.status == MS_ERR_MEMORY))
    all->status = t.status;
  pthread_mutex_unlock(&all->lock);
  ms_free(t.place);
  ms_free(t.local);
  for (uint32_t i = 0; i < ARRAYS; i++)
    ms_free(t.array[i]);
  for (uint32_t i = 0; i < LISTS; i++)
    ms_free(t.list[i]);
}

static ms_status run_step(elimination *all, uint32_t number, int threads)
{
  const ms_elimination_plan *plan = all->plan;
  all->step = &plan->node[plan->step[number]];
  all->ends = number + 1 == plan->steps;
  uint32_t v = all->step->fixed, n = all->index->n;
  if (!all->ends && !all->weight[v]) {
    all->weight[v] = ms_alloc((size_t)n + 1, sizeof **all->weight);
    if (!all->weight[v])
      return MS_ERR_MEMORY;
    for (uint32_t i = 0; i < n; i++)
      all->weight[v][i] = 1;
  }
  atomic_store(&all->next, 0);
  atomic_store(&all->done, 0);
  ms_parallel_team(threads, run_worker, all);
  return all->status;
}

ms_status ms_elimination_count(const ms_pattern_index *index, const ms_elimination_plan *plan,
                               int threads, const ms_stop *stop, ms_progress_fn progress,
                               void *progress_user, struct ms_budget *budget, mpz_t sum, bool *fit,
                               ms_error *err)
{
  elimination all = {.index = index,
                     .plan = plan,
                     .stop = stop,
                     .progress = progress,
                     .progress_user = progress_user,
                     .sum = sum,
                     .lock = PTHREAD_MUTEX_INITIALIZER};
  int workers = ms_threads_for(threads, index->arcs);
  /* each vertex of the pattern has an array and two lists, about */
  const uint64_t bytes =
      (uint64_t)plan->n * (index->n + UINT64_C(1)) * 16 * ((uint64_t)workers + 1);
  mpz_set_ui(sum, 0);
  *fit = ms_budget_reserve(budget, bytes);
  ms_status status = MS_OK;
  for (uint32_t i = 0; *fit && status == MS_OK && i < plan->steps; i++)
    status = run_step(&all, i, workers);
  for (uint32_t i = 0; i < plan->n; i++)
    ms_free(all.weight[i]);
  if (*fit)
    ms_budget_release(budget, bytes);
  if (atomic_load(&all.exceeds) || status == MS_ERR_MEMORY) {
    *fit = false;
    status = MS_OK;
  }
  if (!*fit || status != MS_OK)
    mpz_set_ui(sum, 0);
  return status == MS_OK ? MS_OK : ms_fail(err, status, "stopped while vertices are eliminated");
}
