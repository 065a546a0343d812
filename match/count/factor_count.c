/* Evaluates the tree of a count by factors. */
#include "base/alloc.h"
#include "base/budget.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/threads.h"
#include "base/wide.h"
#include "match/count/factor.h"
#include "match/cpu/runner_inline.h"
#include "match/units.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#define MEMO_KEYS MS_FACTOR_KEYS
/* Numbers of entries of one level. A key determines its place, and a later
 * value replaces an earlier one. There are few at first, because a short count
 * would spend its time on clearing them. */
#define FIRST_ENTRIES 256u
#define MOST_ENTRIES MS_FACTOR_ENTRIES
#define ENTRIES_GROWTH 16u /* the factor by which entries grow */
#define MISSES_AN_ENTRY 8u /* misses per entry before they grow */
#define MEMO_AFTER 32u     /* visits of a level before its values are remembered */
#define ROOTS_AT_ONCE 4u
#define MOST_PER_ROOT                                                                              \
  2u                  /* a beginning gives up where its last roots take it this many times as far */
#define LEAF_STEP 16u /* candidates of a leaf that are tested in the time of a step */

typedef struct memo {
  uint32_t key[MEMO_KEYS]; /* relevant matches + 1; 0: the entry is empty */
  ms_wide_size ways;
} memo;

/* Data that all walkers of a count share. */
typedef struct job {
  const ms_factor *factor;
  const ms_factor_run *run;
  uint64_t first;   /* the root to begin with */
  uint64_t most;    /* as in root_queue */
  uint64_t modulus; /* as in walker */
} job;

typedef struct walker {
  const ms_factor *factor;
  ms_budget *budget;
  ms_runner runner;
  memo *memo[MS_MAX_PATTERN];       /* [n][entries] made when they are likely to pay */
  uint32_t entries[MS_MAX_PATTERN]; /* [n] */
  uint64_t misses[MS_MAX_PATTERN];  /* [n] misses since the entries have this number */
  uint64_t modulus; /* below 2^63: values are residues; 0: values are the numbers themselves */
  uint64_t leaves;  /* values of levels with nothing below them that it has found */
  uint64_t most;    /* it gives up after looking at so many candidates */
  ms_status status;
  bool large; /* a number went beyond 128 bits */
  bool spent; /* it gave up; values are too low from then on */
} walker;

/* Returns how far the walker is, in candidates.  To find the value of a leaf takes about as long as
 * to look at a candidate, even where it has none: roots of trees may have leaves alone below them.
 */
static uint64_t looked(const walker *w)
{
  return w->runner.checked + w->runner.steps + w->leaves;
}

/* True if values count for nothing any more. */
static bool ends(walker *w)
{
  w->spent = w->spent || looked(w) >= w->most;
  return w->status != MS_OK || w->large || w->spent;
}

/* ---- numbers, or residues of them --------------------------------------------------- */

static void multiply(walker *w, ms_wide_size *a, ms_wide_size b)
{
  if (w->modulus)
    *a = *a * (b % w->modulus) % w->modulus;
  else
    w->large |= __builtin_mul_overflow(*a, b, a);
}

static void add(walker *w, ms_wide_size *a, ms_wide_size b)
{
  if (w->modulus)
    *a = (*a + b) % w->modulus;
  else
    w->large |= __builtin_add_overflow(*a, b, a);
}

/* ---- values that were counted before ---------------------------------------------- */

/* Returns the entry for the current matches, and writes their key to *key. */
static memo *find_memo(walker *w, uint32_t level, uint32_t key[MEMO_KEYS])
{
  uint64_t hash = 0;
  uint32_t count = 0;
  memset(key, 0, MEMO_KEYS * sizeof *key);
  MS_EACH_MEMBER (j, w->factor->relevant[level]) {
    key[count] = w->runner.match[j] + 1;
    hash = (hash ^ key[count++]) * UINT64_C(0x9E3779B97F4A7C15);
  }
  return &w->memo[level][hash >> 32 & (w->entries[level] - 1)];
}

/* Makes entries, or more of them, after a value of this level had to be counted.  If memory
 * or budget is short, it keeps the present ones. */
static void note_miss(walker *w, uint32_t level)
{
  uint64_t few = w->memo[level] ? (uint64_t)w->entries[level] * MISSES_AN_ENTRY : MEMO_AFTER;
  uint32_t more = w->memo[level] ? w->entries[level] * ENTRIES_GROWTH : FIRST_ENTRIES;
  if (++w->misses[level] < few || more > MOST_ENTRIES)
    return;
  w->misses[level] = 0;
  if (!ms_budget_reserve(w->budget, more * sizeof(memo)))
    return;
  memo *larger = ms_calloc(more, sizeof *larger);
  if (!larger) {
    ms_budget_release(w->budget, more * sizeof(memo));
    return;
  }
  ms_free(w->memo[level]);
  ms_budget_release(w->budget, w->entries[level] * sizeof(memo));
  w->memo[level] = larger;
  w->entries[level] = more;
}

/* ---- levels -------------------------------------------------------------------------- */

static ms_wide_size count_ways(walker *w, uint32_t level);

/* Returns the value of a level with nothing below it: the number of unmatched
 * candidates, or of ways to place several vertices on them. */
static ms_wide_size count_leaf(walker *w, uint32_t level)
{
  const ms_step *step = &w->runner.program->step[level];
  ms_span span = ms_runner_candidates(&w->runner, level);
  uint64_t count = span.length;
  w->leaves++;
  w->runner.steps += span.length / LEAF_STEP;
  if (step->test_bits)
    count = w->runner.sorted->filter_count(span.ids, span.length, step->domain.bits, true);
  for (uint32_t i = 0; i < step->distinct_list.count && count > 0; i++) {
    uint32_t v = w->runner.match[step->distinct_list.level[i]];
    if (!ms_domain_has(&step->domain, v))
      continue;
    size_t at = span.ids ? ms_lower_bound(span.ids, span.length, v) : 0;
    count -= !span.ids || (at < span.length && span.ids[at] == v);
  }
  ms_wide_size ways = count;
  for (uint32_t i = 1; i < w->factor->copies[level] && ways > 0; i++)
    multiply(w, &ways, count > i ? count - i : 0);
  return ways;
}

/* Returns the product over the groups below a level, once it is matched. */
static ms_wide_size count_ways_below(walker *w, uint32_t level)
{
  ms_wide_size product = 1;
  if (!ms_runner_compute(&w->runner, level)) {
    w->status = w->runner.status;
    return 0;
  }
  MS_EACH_MEMBER (child, w->factor->children[level]) {
    multiply(w, &product, count_ways(w, child));
    if (product == 0)
      break;
  }
  return product;
}

static ms_wide_size count_level(walker *w, uint32_t level)
{
  const ms_step *step = &w->runner.program->step[level];
  ms_span span = ms_runner_candidates(&w->runner, level);
  ms_wide_size sum = 0;
  w->runner.steps += span.length + 1;
  w->runner.visits += span.length;
  for (size_t i = 0; i < span.length && !ends(w); i++) {
    uint32_t v = span.ids ? span.ids[i] : span.lo + (uint32_t)i;
    if (!fits(&w->runner, step, v))
      continue;
    w->runner.match[level] = v;
    add(w, &sum, count_ways_below(w, level));
  }
  return sum;
}

static ms_wide_size count_ways(walker *w, uint32_t level)
{
  uint32_t key[MEMO_KEYS];
  if (ms_bitset_is_empty(w->factor->children[level]))
    return count_leaf(w, level);
  if (!w->factor->remembers[level])
    return count_level(w, level);
  memo *entry = w->memo[level] ? find_memo(w, level, key) : NULL;
  if (entry && memcmp(entry->key, key, sizeof key) == 0)
    return entry->ways;
  ms_wide_size ways = count_level(w, level);
  if (entry && w->status == MS_OK) { /* deeper levels have other entries */
    memcpy(entry->key, key, sizeof key);
    entry->ways = ways;
  }
  note_miss(w, level);
  return ways;
}

/* ---- roots ---------------------------------------------------------------------------- */

static ms_status walker_init(walker *w, const job *j, ms_error *err)
{
  memset(w, 0, sizeof *w);
  w->factor = j->factor;
  w->budget = j->run->budget;
  w->modulus = j->modulus;
  w->most = j->most < UINT64_MAX / MOST_PER_ROOT ? MOST_PER_ROOT * j->most : UINT64_MAX;
  ms_status status = ms_runner_init(&w->runner, j->factor->program, err);
  w->runner.stop = j->run->stop;
  return status;
}

static void walker_free(walker *w)
{
  for (uint32_t i = 0; i < w->factor->n; i++) {
    ms_free(w->memo[i]);
    ms_budget_release(w->budget, w->entries[i] * sizeof(memo));
  }
  ms_runner_free(&w->runner);
}

/* Roots that walkers take, in their order. */
typedef struct root_queue {
  _Atomic uint64_t next;
  uint64_t most; /* a walker takes no further root after looking at so many candidates */
} root_queue;

/* Visits roots of the queue, those that are in the share.  An unfinished root adds nothing. */
static ms_wide_size count_roots(walker *w, root_queue *queue, const ms_share *share)
{
  const ms_program *p = w->factor->program;
  uint64_t roots = ms_program_roots(p);
  ms_wide_size sum = 0, next;
  w->status = ms_stop_check(w->runner.stop);
  while (!ends(w) && looked(w) < queue->most) {
    uint64_t begin = atomic_fetch_add(&queue->next, ROOTS_AT_ONCE);
    if (begin >= roots)
      break;
    for (uint64_t i = begin; i < roots && i < begin + ROOTS_AT_ONCE && !ends(w); i++) {
      if (!ms_share_has(share, ms_even_unit(i)))
        continue;
      w->runner.match[0] = ms_program_root(p, i);
      w->runner.visits++;
      ms_wide_size ways = count_ways_below(w, 0);
      next = sum;
      if (!ends(w))
        add(w, &next, ways);
      if (!ends(w)) /* otherwise the sum stays a lower bound */
        sum = next;
    }
  }
  return sum;
}

typedef struct outcome {
  ms_status status;
  ms_error error;
  bool large, spent;
} outcome;

/* A count by several threads. */
typedef struct counting {
  const job *j;
  root_queue queue;
  mpz_ptr maps;
  outcome all;
  pthread_mutex_t lock; /* of maps, all and j->work */
} counting;

static void run_worker(counting *c)
{
  const job *j = c->j;
  walker w;
  ms_error error = {0};
  ms_wide_size sum = 0;
  ms_status status = walker_init(&w, j, &error);
  if (status == MS_OK) {
    sum = count_roots(&w, &c->queue, j->run->share);
    status = w.status == MS_ERR_MEMORY ? ms_fail_memory(&error, "candidate sets") : w.status;
  }
  pthread_mutex_lock(&c->lock);
  ms_wide_add(c->maps, sum);
  ms_runner_add_work(&w.runner, j->run->work);
  c->all.large |= w.large;
  c->all.spent |= w.spent;
  if (status != MS_OK && (c->all.status == MS_OK || status == MS_ERR_MEMORY)) {
    c->all.status = status;
    c->all.error = error;
  }
  pthread_mutex_unlock(&c->lock);
  walker_free(&w);
}

static void run_workers(void *user, ms_range r)
{
  for (uint64_t part = r.begin; part < r.end; part++)
    run_worker(user);
}

/* Counts once: maps is the number or, with a modulus, its residue.  *done: the roots that it has.
 */
static outcome count_once(const job *j, mpz_t maps, uint64_t *done)
{
  uint64_t roots = ms_program_roots(j->factor->program);
  uint64_t most = (roots - j->first) / ROOTS_AT_ONCE + 1;
  int threads = ms_threads(j->run->threads);
  if ((uint64_t)threads > most)
    threads = (int)most;
  mpz_set_ui(maps, 0);
  counting c = {
      .j = j, .queue = {j->first, j->most}, .maps = maps, .lock = PTHREAD_MUTEX_INITIALIZER};
  ms_parallel(threads, (uint64_t)threads, 1, run_workers, &c);
  if (j->modulus)
    mpz_mod_ui(maps, maps, j->modulus);
  *done = c.queue.next < roots ? c.queue.next : roots;
  return c.all;
}

/* ---- large numbers ------------------------------------------------------------------------ */

/* Sets `bound` to an upper bound on the number of maps: the product of the
 * domains' sizes. */
static void bound_maps(const ms_factor *factor, mpz_t bound)
{
  mpz_set_ui(bound, 1);
  for (uint32_t i = 0; i < factor->n; i++)
    for (uint32_t copy = 0; copy < factor->copies[i]; copy++)
      mpz_mul_ui(bound, bound, factor->program->step[i].domain.count);
}

/* Sets maps to the number below modulus * prime that is maps modulo `modulus`
 * and residue modulo `prime`. */
static void combine_residues(mpz_t maps, mpz_t modulus, const mpz_t residue, const mpz_t prime)
{
  mpz_t step;
  mpz_init(step);
  mpz_invert(step, modulus, prime);
  mpz_sub(maps, residue, maps); /* now the difference */
  mpz_mul(step, step, maps);
  mpz_mod(step, step, prime);
  mpz_sub(maps, residue, maps); /* and the residue again */
  mpz_addmul(maps, modulus, step);
  mpz_mul(modulus, modulus, prime);
  mpz_clear(step);
}

/* Finds the number from its residues modulo primes whose product is above the
 * bound (Chinese remainder theorem), with one walk for each prime. */
static outcome count_residues(job *j, mpz_t maps)
{
  outcome all = {0};
  uint64_t done;
  mpz_t bound, modulus, prime, residue;
  mpz_init(bound);
  mpz_init_set_ui(modulus, 1);
  mpz_init_set_ui(prime, 1);
  mpz_init(residue);
  mpz_mul_2exp(prime, prime, 62);
  bound_maps(j->factor, bound);
  mpz_set_ui(maps, 0);
  while (all.status == MS_OK && mpz_cmp(modulus, bound) <= 0) {
    mpz_nextprime(prime, prime);
    j->modulus = mpz_get_ui(prime);
    all = count_once(j, residue, &done);
    if (all.status == MS_OK)
      combine_residues(maps, modulus, residue, prime);
  }
  if (all.status != MS_OK) /* residues of only some primes determine nothing */
    mpz_set_ui(maps, 0);
  mpz_clear(bound);
  mpz_clear(modulus);
  mpz_clear(prime);
  mpz_clear(residue);
  return all;
}

ms_status ms_factor_count(const ms_factor *factor, uint64_t first, const ms_factor_run *run,
                          mpz_t maps, ms_error *err)
{
  job j = {.factor = factor, .run = run, .first = first, .most = UINT64_MAX};
  uint64_t done;
  outcome all = count_once(&j, maps, &done);
  if (all.status == MS_OK && all.large)
    all = count_residues(&j, maps);
  if (all.status != MS_OK && err)
    *err = all.error;
  return all.status;
}

ms_status ms_factor_begin(const ms_factor *factor, uint64_t first, uint64_t most,
                          const ms_factor_run *run, mpz_t maps, uint64_t *done, ms_error *err)
{
  job j = {.factor = factor, .run = run, .first = first, .most = most};
  outcome all = count_once(&j, maps, done);
  if (all.status != MS_OK && err)
    *err = all.error;
  if (!all.large && !all.spent)
    return all.status;
  mpz_set_ui(maps, 0);
  *done = first;
  return all.status;
}
