#include "match/probe.h"

#include "base/alloc.h"
#include "base/philox.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "match/cpu/inner_cost.h"
#include "match/cpu/runner_inline.h"
#include "match/probe_cost.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- weighted draws -------------------------------------------------------------------------- */

/* Random numbers and weighted draws of a probe (probe.h). */

typedef struct ms_draws {
  uint32_t key[2], counter[4], word[4];
  uint32_t left; /* words that are not used yet */
} ms_draws;

/* A partial match of a probe: a vertex, and the partial match that it continues. */
typedef struct ms_probe_node {
  uint32_t id;   /* the match of this level */
  uint32_t up;   /* number of the node of the level before */
  double weight; /* partial matches that it stands for */
  double size;   /* it is drawn with a probability that is proportional to weight * size */
} ms_probe_node;

/* Returns a random number in [0, 1). */
static double draw_unit(ms_draws *d)
{
  if (d->left == 0) {
    ms_philox4x32(d->counter, d->key, d->word);
    d->counter[0]++;
    d->left = 4;
  }
  return d->word[--d->left] * 0x1p-32;
}

/* Keeps at most `most` of the nodes, in their order, by systematic sampling: points at equal
 * distances on a line on which each node has the length weight * size.  A node that k points hit
 * gets k times the weight that one point stands for, so the expected weight of each node stays what
 * it was.  Returns the number of nodes that are kept. */
static uint32_t draw_nodes(ms_draws *draws, ms_probe_node *node, uint32_t count, uint32_t most)
{
  double total = 0, end = 0;
  uint32_t kept = 0;
  if (count <= most)
    return count;
  for (uint32_t i = 0; i < count; i++)
    total += node[i].weight * node[i].size;
  double distance = total / most, next = draw_unit(draws) * distance;
  for (uint32_t i = 0; i < count && kept < most; i++) {
    uint32_t points = 0;
    end += node[i].weight * node[i].size;
    for (; next < end && points < most; next += distance)
      points++;
    if (points == 0)
      continue;
    node[kept] = node[i];
    node[kept++].weight = points * distance / node[i].size;
  }
  return kept;
}

/* ---- probe ----------------------------------------------------------------------------------- */

#define NO_NODE UINT32_MAX
#define ROOTS_A_NODE 4u  /* roots that are drawn for each node of a full population */
#define TESTS_A_NODE 16u /* candidates that are tested for each node of a full population */
#define DRAWS_A_NODE 2u  /* the same of a level that a table leads to, whose draws take longer */
#define COST_TEST 1.0    /* cost of a candidate that is tested */
#define COST_ROOT 20.0   /* cost of drawing a root */
#define IDS_OF_A_WORD 64 /* that one operation of a local program looks at */
#define MOST_POWER 2.0
#define FIRST_POPULATION 32u
#define MOST_POPULATION 16384u
#define GROWTH 8u
/* A probe may take this share of the search that it finds. */
#define SHARE_OF_SEARCH 0.02

typedef struct crowd {
  ms_probe_node *node;
  uint32_t count;
  uint32_t loaded; /* the node whose match and sets the runner has */
  bool leads_on;   /* none of the sets of that node is too small */
  bool measured;   /* the sets of the nodes were added to the figures */
  uint16_t kind;   /* of the rows that later levels read most */
  double power;    /* a vertex is drawn with the weight (length of its row)^power */
} crowd;

typedef struct prober {
  ms_runner runner;
  ms_probe_local local;
  double more_lists; /* steps of lists less the steps of bits */
  const uint8_t *parent;
  uint32_t most; /* nodes of a level */
  ms_draws draws;
  crowd level[MS_MAX_PATTERN];
  ms_probe_node *drawn; /* [drawn_room], which grows to most * TESTS_A_NODE: few levels fill it */
  size_t drawn_room;
  uint32_t n_drawn;
  ms_probe sum;
} prober;

static uint32_t parent_of(const prober *p, uint32_t i)
{
  return p->parent ? p->parent[i] : i - 1;
}

/* ---- nodes ---------------------------------------------------------------------- */

/* Brings the runner to a node.  Returns false if no match continues it. */
static bool load_node(prober *p, uint32_t i, uint32_t number)
{
  crowd *l = &p->level[i];
  if (l->loaded == number)
    return l->leads_on;
  if (i > 0 && !load_node(p, parent_of(p, i), l->node[number].up))
    return false;
  p->runner.match[i] = l->node[number].id;
  l->leads_on = ms_runner_compute(&p->runner, i);
  l->loaded = number;
  for (uint32_t j = i + 1; j < p->runner.program->prefix; j++)
    p->level[j].loaded = NO_NODE;
  double ids = 0, rows = 0;
  p->sum.spent += MS_COST_VISIT + ms_probe_cost_of_sets(&p->runner, i, &ids, &rows);
  return l->leads_on;
}

/* Adds the costs of a node whose sets were just computed. */
static void measure_node(prober *p, uint32_t i, double weight)
{
  const ms_program *program = p->runner.program;
  double ids = 0, rows = 0, middles;
  double lists = ms_probe_cost_of_sets(&p->runner, i, &ids, &rows);
  double sets = p->local.local ? ms_probe_cost_of_bit_sets(&p->runner, &p->local, i) : lists + rows;
  p->sum.sets[i] += weight * sets;
  p->sum.ids[i] += weight * (p->local.local ? ids / IDS_OF_A_WORD : ids);
  p->more_lists += weight * (lists - sets);
  if (i > 0 || !program->table)
    return;
  double paths = ms_probe_cost_of_table(&p->runner, &middles);
  double finds = ms_probe_cost_of_middles(middles);
  p->sum.steps += weight * (paths + finds);
  p->more_lists -= weight * finds;
  p->sum.paths += weight * paths;
  p->sum.middles += weight * middles;
}

/* Returns the length of the row that later levels read; 0: they read none. */
static double length_of(const prober *p, uint32_t i, uint32_t id)
{
  const crowd *l = &p->level[i];
  return l->power > 0 ? ms_row_length(&p->runner.program->index->rows[l->kind], id) : 0;
}

static void add_node(prober *p, uint32_t i, uint32_t id, uint32_t up, double weight)
{
  const crowd *l = &p->level[i];
  if (!MS_GROW(p->drawn, p->drawn_room, p->n_drawn, 1)) {
    p->runner.status = MS_ERR_MEMORY;
    return;
  }
  double size = 1 + length_of(p, i, id);
  if (l->power > 0 && l->power != 1)
    size = pow(size, l->power);
  p->sum.nodes[i] += weight;
  p->drawn[p->n_drawn++] = (ms_probe_node){id, up, weight, size};
}

/* Makes the level's population from the nodes that were drawn for it. */
static ms_status keep_nodes(prober *p, uint32_t i, ms_error *err)
{
  crowd *l = &p->level[i];
  p->sum.exact = p->sum.exact && p->n_drawn <= p->most;
  l->count = draw_nodes(&p->draws, p->drawn, p->n_drawn, p->most);
  l->loaded = NO_NODE;
  l->node = ms_alloc(l->count + 1, sizeof *l->node);
  if (!l->node)
    return ms_fail_memory(err, "a probe");
  for (uint32_t k = 0; k < l->count; k++)
    l->node[k] = p->drawn[k];
  p->n_drawn = 0;
  return MS_OK;
}

/* ---- roots ---------------------------------------------------------------------- */

/* Returns the sum of the lengths of the rows of the first i roots, which are consecutive ids. */
static double length_before(const prober *p, uint64_t i)
{
  const crowd *l = &p->level[0];
  const ms_program *program = p->runner.program;
  if (l->power <= 0)
    return 0;
  const uint64_t *offset = program->index->rows[l->kind].offset + ms_program_root(program, 0);
  return (double)(offset[i] - offset[0]);
}

/* Draws roots that are consecutive ids by the lengths of their rows: a root owns a piece of a line,
 * which is as long as its row and the mean row together, and is drawn for each of equally spaced
 * points in its piece.  The rows' offsets are the sums of lengths, so that a point is looked up
 * without reading the roots before it. */
static void draw_consecutive_roots(prober *p, uint64_t roots, uint32_t some)
{
  double sum = length_before(p, roots), mean = sum > 0 ? sum / (double)roots : 1;
  double distance = (sum + mean * (double)roots) / some;
  double next = draw_unit(&p->draws) * distance;
  for (uint32_t left = some; left > 0;) {
    uint64_t lo = 0, hi = roots - 1; /* the root whose piece ends behind the point */
    while (lo < hi) {
      uint64_t middle = lo + (hi - lo) / 2;
      if (length_before(p, middle + 1) + mean * (double)(middle + 1) > next)
        hi = middle;
      else
        lo = middle + 1;
    }
    double begin = length_before(p, lo) + mean * (double)lo;
    double end = length_before(p, lo + 1) + mean * (double)(lo + 1);
    uint32_t points = 0;
    do {
      points++;
      next += distance;
    } while (next < end && points < left);
    left -= points;
    add_node(p, 0, ms_program_root(p->runner.program, lo), 0, points * distance / (end - begin));
  }
}

/* Draws roots at equal distances from their list. */
static void draw_listed_roots(prober *p, uint64_t roots, uint32_t some)
{
  double distance = (double)roots / some, begin = draw_unit(&p->draws) * distance;
  for (uint32_t k = 0; k < some; k++)
    add_node(p, 0, ms_program_root(p->runner.program, (uint64_t)(begin + k * distance)), 0,
             distance);
}

static ms_status begin_with_roots(prober *p, ms_error *err)
{
  const ms_program *program = p->runner.program;
  uint64_t roots = ms_program_roots(program);
  uint32_t some = p->most * ROOTS_A_NODE;
  p->sum.candidates[0] = (double)roots;
  if (roots <= some) {
    for (uint64_t i = 0; i < roots; i++)
      add_node(p, 0, ms_program_root(program, i), 0, 1);
    return keep_nodes(p, 0, err);
  }
  p->sum.exact = false;
  p->sum.spent += COST_ROOT * some;
  if (program->list[0])
    draw_listed_roots(p, roots, some);
  else
    draw_consecutive_roots(p, roots, some);
  return keep_nodes(p, 0, err);
}

/* ---- levels --------------------------------------------------------------------- */

/* Tests at most `most` candidates of a level under a node, at equal distances. */
static void draw_children(prober *p, uint32_t i, uint32_t up, double weight, uint32_t most)
{
  ms_runner *r = &p->runner;
  const ms_step *step = &r->program->step[i];
  ms_span span = ms_runner_candidates(r, i);
  uint32_t some = span.length < most ? (uint32_t)span.length : most;
  double distance = 1, begin = 0;
  p->sum.candidates[i] += weight * (double)span.length;
  if (some < span.length) {
    distance = (double)span.length / some;
    begin = draw_unit(&p->draws) * distance;
    p->sum.exact = false;
  }
  for (uint32_t k = 0; k < some; k++) {
    size_t at = (size_t)(begin + k * distance);
    uint32_t v = span.ids ? span.ids[at] : span.lo + (uint32_t)at;
    if (fits(r, step, v))
      add_node(p, i, v, up, weight * distance);
  }
  p->sum.spent += COST_TEST * some;
}

/* Draws ends of paths of length two from the root, which are the vertices that the table would
 * touch.  A vertex is drawn once for each of the common neighbours through which it is reached. */
static void draw_touched(prober *p, uint32_t i, uint32_t up, double weight, uint32_t most)
{
  ms_runner *r = &p->runner;
  const ms_program *program = r->program;
  const ms_neighbor_rows *rows = &program->index->rows[program->table_second];
  ms_span middle = ms_runner_middles(r);
  p->sum.exact = false;
  for (uint32_t k = 0; k < most && middle.length > 0; k++) {
    uint32_t length, n_v;
    size_t w = (size_t)(draw_unit(&p->draws) * (double)middle.length);
    const uint32_t *row = ms_row(rows, middle.ids[w], &length);
    if (length == 0)
      continue;
    uint32_t v = row[(size_t)(draw_unit(&p->draws) * length)];
    const uint32_t *row_v = ms_row(rows, v, &n_v);
    size_t common = r->sorted->count(middle.ids, middle.length, row_v, n_v);
    double each = weight / most * (double)middle.length * length / (double)(common + !common);
    p->sum.spent += MS_COST_SET + MS_COST_ELEMENT * (double)(middle.length + n_v);
    p->sum.candidates[i] += each;
    if (fits(r, &program->step[i], v))
      add_node(p, i, v, up, each);
  }
}

static ms_status continue_level(prober *p, uint32_t i, ms_error *err)
{
  uint32_t before = parent_of(p, i);
  crowd *from = &p->level[before];
  bool touched = p->runner.program->step[i].source == MS_FROM_TOUCHED;
  uint32_t tests = p->most * (touched ? DRAWS_A_NODE : TESTS_A_NODE);
  for (uint32_t k = 0; k < from->count && p->runner.status == MS_OK; k++) {
    double weight = from->node[k].weight;
    bool leads_on = load_node(p, before, k);
    if (!from->measured)
      measure_node(p, before, weight);
    if (!leads_on)
      continue;
    if (touched)
      draw_touched(p, i, k, weight, tests / from->count);
    else
      draw_children(p, i, k, weight, tests / from->count);
  }
  from->measured = true;
  return keep_nodes(p, i, err);
}

/* Adds the costs of the levels that no other level continues, and of the tail. */
static void measure_leaf(prober *p, uint32_t i)
{
  const ms_program *program = p->runner.program;
  crowd *l = &p->level[i];
  for (uint32_t k = 0; k < l->count && p->runner.status == MS_OK; k++) {
    double weight = l->node[k].weight;
    bool leads_on = load_node(p, i, k);
    measure_node(p, i, weight);
    if (!leads_on)
      continue;
    if (program->inner) {
      p->sum.steps += weight * ms_inner_cost(&p->runner, &p->sum.spent);
    } else if (program->n_groups > 0) {
      double lists = ms_probe_cost_of_tail(&p->runner);
      double tail = p->local.simple  ? 0
                    : p->local.local ? ms_probe_cost_of_bit_tail(&p->runner)
                                     : lists;
      p->sum.steps += weight * tail;
      p->more_lists += weight * (lists - tail);
    }
    p->sum.matches += i + 1 == program->prefix ? weight : 0;
  }
  l->measured = true;
}

/* ---- entry points ----------------------------------------------------------------- */

/* Sets how the vertices of each level are weighted: each later level that reads b rows takes about
 * the b-th root of their lengths from each of them. */
static void choose_powers(prober *p)
{
  const ms_program *program = p->runner.program;
  const ms_shape *shape = &program->shape;
  ms_bitset matched = ms_bitset_below(0), known = matched;
  uint8_t level_of[MS_MAX_PATTERN] = {0};
  for (uint32_t i = 0; i < program->prefix; i++) {
    uint32_t v = program->step[i].vertex;
    ms_bitset back = ms_bitset_and(ms_shape_near(shape, v), matched);
    level_of[v] = (uint8_t)i;
    ms_bitset_add(&matched, v);
    MS_EACH_MEMBER (u, back)
      p->level[level_of[u]].power += 1.0 / ms_bitset_count(back);
  }
  for (uint32_t i = program->n_sets; i-- > 0;) {
    p->level[program->set[i].level].kind = program->set[i].kind;
    ms_bitset_add(&known, program->set[i].level);
  }
  for (uint32_t i = 0; i < program->prefix; i++)
    p->level[i].power = ms_bitset_has(&known, i) ? fmin(p->level[i].power, MOST_POWER) : 0;
}

static ms_status run_levels(prober *p, ms_error *err)
{
  const ms_program *program = p->runner.program;
  ms_status status = begin_with_roots(p, err);
  for (uint32_t i = 1; status == MS_OK && i < program->prefix; i++)
    status = continue_level(p, i, err);
  for (uint32_t i = 0; status == MS_OK && i < program->prefix; i++)
    if (!p->level[i].measured)
      measure_leaf(p, i);
  if (status == MS_OK && p->runner.status == MS_ERR_MEMORY)
    status = ms_fail_memory(err, "candidate sets");
  return status == MS_OK ? p->runner.status : status;
}

/* Adds up the steps of the levels.  Those of the last level of a simple local program are among
 * its sets. */
static void add_up(prober *p)
{
  ms_probe *sum = &p->sum;
  uint32_t prefix = p->runner.program->prefix;
  for (uint32_t i = 0; i < prefix; i++) {
    bool last = i + 1 == prefix;
    double loop = MS_COST_VISIT * sum->nodes[i] + COST_TEST * sum->candidates[i];
    *(last ? &sum->last : &sum->visits) += sum->candidates[i];
    sum->steps += sum->sets[i] + (last && p->local.simple ? 0 : loop);
    p->more_lists += last && p->local.simple ? loop : 0;
  }
  sum->lists = sum->steps + p->more_lists;
}

ms_status ms_probe_search(const ms_program *program, const uint8_t *parent, uint32_t population,
                          uint64_t seed, const ms_stop *stop, ms_probe *out, ms_error *err)
{
  prober p = {.parent = parent,
              .local = ms_probe_local_of(program),
              .most = population > 0 ? population : 1,
              .draws.key = {(uint32_t)seed, (uint32_t)(seed >> 32)},
              .sum.exact = true};
  *out = (ms_probe){0};
  ms_status status = ms_runner_init(&p.runner, program, err);
  p.runner.stop = stop;
  if (status == MS_OK) {
    choose_powers(&p);
    status = run_levels(&p, err);
  }
  if (status == MS_OK) {
    add_up(&p);
    *out = p.sum;
  }
  for (uint32_t i = 0; i < program->prefix; i++)
    ms_free(p.level[i].node);
  ms_free(p.drawn);
  ms_runner_free(&p.runner);
  return status;
}

ms_status ms_probe_closely(const ms_program *program, const uint8_t *parent, ms_probe_effort effort,
                           uint64_t seed, ms_probe *out, ms_error *err)
{
  double spent = 0;
  *out = (ms_probe){0};
  for (uint32_t most = FIRST_POPULATION; most <= MOST_POPULATION; most *= GROWTH) {
    ms_probe next;
    ms_status status = ms_probe_search(program, parent, most, seed, effort.stop, &next, err);
    if (status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED)
      break;
    MS_TRY(status);
    *out = next;
    spent += next.spent;
    out->spent = spent;
    if (out->exact ||
        GROWTH * spent > fmin(effort.most, fmax(effort.least, SHARE_OF_SEARCH * out->steps)))
      break;
  }
  return MS_OK;
}

double ms_step_speedup(int threads)
{
  return pow(ms_threads(threads), 0.8);
}

double ms_probe_bound(const ms_program *program)
{
  double bound = 0, nodes = 1;
  uint32_t longest = program->index->longest ? program->index->longest : program->index->n;
  for (uint32_t i = 0; i < program->prefix; i++) {
    const ms_step *step = &program->step[i];
    double most = step->domain.count;
    if (step->source == MS_FROM_SET)
      most = fmin(most, longest);
    nodes *= most;
    if (i == 1 && step->source == MS_FROM_SET && program->index->arcs > 0)
      nodes = fmin(nodes, (double)program->index->arcs);
    bound += nodes;
  }
  if (program->inner)
    bound += nodes * pow(longest, program->inner->vertices);
  return MS_COST_VISIT * bound;
}

double ms_probe_mean(const ms_program *program)
{
  const ms_pattern_index *index = program->index;
  double mean = 0, nodes = 1,
         ends = index->arcs > 0 ? index->square_degrees / (double)index->arcs : 0;
  for (uint32_t i = 0; i < program->prefix; i++) {
    const ms_step *step = &program->step[i];
    double share = (double)step->domain.count / (index->n > 0 ? index->n : 1);
    nodes *= step->source == MS_FROM_SET ? ends * share : step->domain.count;
    mean += nodes;
  }
  return MS_COST_VISIT * mean;
}
