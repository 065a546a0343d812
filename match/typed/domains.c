#include "base/alloc.h"
#include "base/bitset.h"
#include "base/hooks.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "match/typed/walk.h"

/* ---- domains --------------------------------------------------------------------- */

typedef struct revision {
  const ms_typed_rows *rows;
  const ms_typed_query *query;
  const ms_stop *stop;
  ms_typed_domains *domains;
  uint64_t *spare; /* room for one set */
  int threads;
} revision;

/* Takes one step of the walk. Returns true if the set at its end changed. */
static bool revise(const revision *r, uint32_t from, const ms_walk_step *step)
{
  ms_typed_domains *d = r->domains;
  if (from == step->to)
    return false; /* a self-loop was already tested at the start */
  return ms_active_step(r->rows, &d->set[from], ms_step_accepts(r->query, step),
                        ms_step_inverse(r->query, step), r->threads, &d->set[step->to], r->spare);
}

/* Revises the sets along the walk and back from its end. Returns true if any of
 * them changed. */
static bool walk_once(const revision *r, const ms_pattern_walk *walk)
{
  bool changed = false;
  uint32_t at = walk->start;
  for (uint32_t i = 0; i < walk->length && !r->domains->empty; i++) {
    changed |= revise(r, at, &walk->step[i]);
    at = walk->step[i].to;
    r->domains->empty |= r->domains->set[at].size == 0;
  }
  for (uint32_t i = walk->length; i-- > 0 && !r->domains->empty;) {
    ms_walk_step back = walk->step[i];
    uint32_t from = back.to;
    back.to = i ? walk->step[i - 1].to : walk->start;
    back.on = !back.on;
    changed |= revise(r, from, &back);
    r->domains->empty |= r->domains->set[back.to].size == 0;
  }
  return changed;
}

/* Returns the vertex of the component with the fewest candidates. What it rules
 * out makes every later stage smaller. */
static uint32_t smallest_domain(const ms_typed_domains *d, ms_bitset among)
{
  uint32_t best = ms_bitset_first(among);
  MS_EACH_MEMBER (i, among)
    best = d->set[i].size < d->set[best].size ? i : best;
  return best;
}

/* Repeats the walk from `start` until it changes nothing more, and removes the
 * component's vertices from *left. */
static ms_status walk_component(const revision *r, const ms_typed_match_options *options,
                                uint32_t start, ms_bitset *left, ms_error *err)
{
  ms_pattern_walk walk;
  uint32_t rounds = 0;
  ms_status status = ms_walk_new(r->query, start, options->walk, options->walk_length,
                                 options->run.seed, &walk, err);
  if (status != MS_OK)
    return status;
  ms_bitset_remove(left, start);
  for (uint32_t i = 0; i < walk.length; i++)
    ms_bitset_remove(left, walk.step[i].to);
  r->domains->walk_length += walk.length;
  while (rounds < MS_WALK_ROUNDS && ms_stop_check(r->stop) == MS_OK && !r->domains->empty) {
    rounds++;
    if (!walk_once(r, &walk))
      break;
  }
  if (rounds > r->domains->rounds)
    r->domains->rounds = rounds;
  ms_walk_free(&walk);
  return MS_OK;
}

static ms_status make_sets(const ms_typed_rows *rows, const ms_typed_query *query,
                           ms_typed_domains **out, ms_error *err)
{
  ms_typed_domains *d = *out = ms_calloc(1, sizeof *d);
  if (!d)
    return ms_fail_memory(err, "domains of a typed pattern");
  d->n = query->n;
  for (uint32_t i = 0; i < d->n; i++) {
    d->set[i].bits = ms_alloc_lines(ms_active_words(rows), sizeof *d->set[i].bits);
    if (!d->set[i].bits)
      return ms_fail_memory(err, "domains of a typed pattern");
  }
  return MS_OK;
}

ms_status ms_typed_domains_new(const ms_typed_rows *rows, const ms_typed_query *query,
                               const ms_typed_match_options *options, ms_typed_domains **out,
                               ms_error *err)
{
  revision r = {.rows = rows,
                .query = query,
                .stop = options->run.stop,
                .threads = ms_threads_for(options->run.threads, rows->n + rows->arcs)};
  ms_status status = make_sets(rows, query, &r.domains, err);
  *out = NULL;
  r.spare = ms_alloc_lines(ms_active_words(rows), sizeof *r.spare);
  if (status == MS_OK && !r.spare)
    status = ms_fail_memory(err, "domains of a typed pattern");
  for (uint32_t i = 0; i < query->n && status == MS_OK; i++) {
    ms_active_init(rows, query, i, true, r.threads, &r.domains->set[i]);
    r.domains->empty |= r.domains->set[i].size == 0;
  }
  ms_bitset left = ms_bitset_below(query->n);
  while (!ms_bitset_is_empty(left) && status == MS_OK && !ms_hooks.typed_no_walk &&
         !r.domains->empty)
    status = walk_component(&r, options, smallest_domain(r.domains, left), &left, err);
  ms_free(r.spare);
  if (status == MS_OK)
    *out = r.domains;
  else
    ms_typed_domains_free(r.domains);
  return status;
}

void ms_typed_domains_free(ms_typed_domains *domains)
{
  if (!domains)
    return;
  for (uint32_t i = 0; i < domains->n; i++)
    ms_free(domains->set[i].bits);
  ms_free(domains);
}
