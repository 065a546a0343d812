/* Plans eliminations: which vertices are fixed, and in which order (match/count/elimination.h). */
#include "match/count/count_cost.h"
#include "match/count/elimination.h"
#include "match/probe.h"

#include <math.h>

#define BIT(i) (UINT32_C(1) << (i))
#define FIRST(bits) ((uint32_t)__builtin_ctz(bits))
#define COUNT(bits) ((uint32_t)__builtin_popcount(bits))
#define MOST_FIXED 4u /* in each other; with more, a search is shorter */
/* Steps to enter an edge in an array and to leave it, to compare two ids of lists, and to begin
 * with an image of a vertex. */
#define ENTER_STEPS 3.5
#define ENTER_FAR_STEPS 1.0 /* in long lists, most of which are entered */
#define COMPARE_STEPS 0.3
#define WORD_STEPS 0.005 /* for each neighbour of a root, where its rows of bits are compared */
#define IMAGE_STEPS 40.0
#define COMMON_ENDS                                                                                \
  2.0 /* the mean degree in the intersection of rows, as many times as in a row                    \
       */

/* What is known of the candidates of a vertex. */
typedef struct expected {
  uint32_t rows; /* how many rows they are in */
  bool touched;  /* they have received a message */
  bool weighted; /* something was counted that hangs from them */
  uint64_t sign; /* the same for equal ones */
} expected;

typedef struct maker {
  ms_count_estimator e;
  ms_elimination_plan plan;
  uint32_t apart[MS_ELIMINATION_VERTICES]; /* bits of vertices that do not coincide */
  uint32_t root;                           /* the vertex that the step fixes */
  double best;                             /* the steps from which a plan is not wanted */
} maker;

static uint64_t mix(uint64_t a, uint64_t b)
{
  uint64_t x = (a + UINT64_C(0x9E3779B97F4A7C15)) * (2 * b + 1);
  x = (x ^ x >> 31) * UINT64_C(0xBF58476D1CE4E5B9);
  return x ^ x >> 29;
}

/* ---- components --------------------------------------------------------------------------- */

static uint32_t component_of(const ms_elimination_plan *p, uint32_t in, uint32_t vertex)
{
  uint32_t all = BIT(vertex), front = all;
  while (front) {
    uint32_t next = p->near[FIRST(front)] & in & ~all;
    all |= next;
    front = (front & (front - 1)) | next;
  }
  return all;
}

/* Returns the same number for components that are equal with their candidates: they have fewer than
 * six vertices, which three rounds of refinement tell apart. */
static uint64_t sign_of(const ms_elimination_plan *p, uint32_t component, const expected *of)
{
  uint64_t sign[MS_ELIMINATION_VERTICES], next[MS_ELIMINATION_VERTICES], sum = COUNT(component);
  for (uint32_t left = component; left; left &= left - 1)
    sign[FIRST(left)] = of[FIRST(left)].sign;
  for (int round = 0; round < 3; round++) {
    for (uint32_t left = component; left; left &= left - 1) {
      uint32_t v = FIRST(left);
      next[v] = mix(sign[v], 1);
      for (uint32_t near = p->near[v] & component; near; near &= near - 1)
        next[v] += mix(sign[FIRST(near)], 2);
    }
    for (uint32_t left = component; left; left &= left - 1)
      sign[FIRST(left)] = next[FIRST(left)];
  }
  for (uint32_t left = component; left; left &= left - 1)
    sum += mix(sign[FIRST(left)], 3);
  return sum;
}

/* ---- estimates ---------------------------------------------------------------------------- */

/* Returns the expected number of candidates.  `first`: one vertex alone is fixed, at every vertex
 * of the graph. */
static double size_of(const maker *m, const expected *of, bool first)
{
  double size = of->rows == 0 ? m->e.two_hops : of->rows == 1 && first ? m->e.degree : m->e.ends;
  for (uint32_t i = 1; i < of->rows; i++)
    size *= m->e.closure[i > 1];
  return size;
}

/* Returns the steps of a message, which is sent `images` times. */
static double message_steps(const maker *m, const expected *from, const expected *to, bool first,
                            bool local, double images)
{
  double list = size_of(m, from, first), ends = m->e.ends, rows = images * list * ends;
  if (from->rows > 1) /* such vertices have more neighbours */
    rows *= COMMON_ENDS;
  if (first && from->rows == 1)
    rows = m->e.square_degrees; /* of all rows */
  if (first && from->rows == 0)
    rows = fmin(rows, m->e.vertices * m->e.vertices * m->e.degree);
  double enter = (from->rows == 0 ? ENTER_FAR_STEPS : ENTER_STEPS) * rows,
         rest = images * (list + MS_COST_VISIT);
  if (from->rows == 0 || to->rows == 0)
    return enter + rest;
  double shorter = fmin(list, ends), longer = fmax(list, ends);
  double compare = size_of(m, to, first) * images *
                   (MS_COST_SET + COMPARE_STEPS * fmin(shorter + longer, 16 * shorter));
  if (local && !first) /* rows of bits */
    compare = fmin(compare, images * (list + size_of(m, to, first) * (2 + WORD_STEPS * ends)));
  return fmin(enter, compare) + rest;
}

/* ---- nodes -------------------------------------------------------------------------------- */

static double make_node(maker *m, uint32_t component, expected *of, uint32_t depth, double images,
                        uint32_t *number);

static void set_apart(maker *m, uint32_t vertex, uint32_t from)
{
  m->apart[vertex] |= from;
  for (; from; from &= from - 1)
    m->apart[FIRST(from)] |= BIT(vertex);
}

/* Makes the nodes below one that fixes a vertex.  Returns their steps. */
static double fix(maker *m, uint32_t number, uint32_t vertex, uint32_t rest, const expected *before,
                  uint32_t depth, double images)
{
  ms_elimination_node *node = &m->plan.node[number];
  expected of[MS_ELIMINATION_VERTICES];
  uint64_t sign[MS_ELIMINATION_VERTICES];
  double steps = images * IMAGE_STEPS;
  node->fixed = (uint8_t)vertex;
  node->rest = rest;
  node->children = 0;
  set_apart(m, vertex, rest);
  for (uint32_t i = 0; i < m->plan.n; i++) {
    of[i] = before[i];
    if (!(rest & m->plan.near[vertex] & BIT(i)))
      continue;
    of[i].rows++;
    of[i].sign += mix(vertex, 4);
    if (depth > 0)
      steps +=
          images * (MS_COST_SET + COMPARE_STEPS * (m->e.ends + size_of(m, &before[i], depth == 1)));
  }
  while (rest && steps < m->best) {
    uint32_t part = component_of(&m->plan, rest, FIRST(rest)), child, i = 0;
    uint64_t of_part = sign_of(&m->plan, part, of);
    rest &= ~part;
    while (i < node->children && sign[i] != of_part)
      i++;
    if (i < node->children) {
      node->times[i]++;
      continue;
    }
    steps += make_node(m, part, of, depth + 1, images, &child);
    node->child[i] = (uint8_t)child;
    node->times[i] = 1;
    sign[node->children++] = of_part;
  }
  return steps;
}

/* Eliminates the vertices of a component with one neighbour in it. */
static double send_messages(maker *m, ms_elimination_node *node, uint32_t *component, expected *of,
                            uint32_t depth, double images)
{
  double steps = 0;
  bool first = depth == 1;
  while (COUNT(*component) > 1) {
    uint32_t from = MS_NO_VERTEX, to = 0;
    double least = INFINITY;
    for (uint32_t left = *component; left; left &= left - 1) {
      uint32_t v = FIRST(left), near = m->plan.near[v] & *component;
      if (COUNT(near) != 1 || (of[v].rows == 0 && !of[v].touched))
        continue;
      double cost = message_steps(
          m, &of[v], &of[FIRST(near)], first,
          m->plan.near[m->root] >> v & m->plan.near[m->root] >> FIRST(near) & 1, images);
      if (cost < least) {
        least = cost;
        from = v;
        to = FIRST(near);
      }
    }
    if (from == MS_NO_VERTEX)
      return steps;
    ms_elimination_message *message = &node->message[node->messages++];
    *message = (ms_elimination_message){(uint8_t)from, (uint8_t)to, 0};
    uint64_t sign = of[from].sign;
    for (uint32_t left = *component & ~BIT(to); left; left &= left - 1) {
      uint32_t v = FIRST(left);
      if ((m->plan.near[v] & *component) != BIT(to) || of[v].sign != sign)
        continue;
      message->times++;
      *component &= ~BIT(v);
      of[to].sign += mix(sign, 5);
    }
    of[to].touched = true;
    steps += least;
  }
  return steps;
}

static double make_node(maker *m, uint32_t component, expected *of, uint32_t depth, double images,
                        uint32_t *number)
{
  *number = m->plan.nodes;
  if (m->plan.nodes == MS_ELIMINATION_NODES)
    return INFINITY;
  ms_elimination_node *node = &m->plan.node[m->plan.nodes++];
  *node = (ms_elimination_node){.fixed = MS_NO_VERTEX};
  double steps = images * MS_COST_VISIT + send_messages(m, node, &component, of, depth, images);
  node->last = (uint8_t)FIRST(component);
  if (COUNT(component) == 1)
    return steps;
  if (depth == MOST_FIXED)
    return INFINITY;
  maker best, before = *m;
  double least = INFINITY;
  m->best -= steps;
  for (uint32_t left = component; left; left &= left - 1) {
    uint32_t v = FIRST(left);
    if (of[v].rows == 0 && !of[v].touched)
      continue;
    double most = m->best;
    double cost =
        fix(m, *number, v, component & ~BIT(v), of, depth, images * size_of(m, &of[v], depth == 1));
    if (cost < least && cost < most) {
      least = cost;
      best = *m;
      most = cost;
    }
    *m = before;
    m->best = most;
  }
  double most = before.best;
  if (least < INFINITY)
    *m = best;
  m->best = most;
  return steps + least;
}

/* ---- steps -------------------------------------------------------------------------------- */

/* Makes the step that fixes this vertex with these vertices left.  Returns its steps. */
static double make_step(maker *m, uint32_t vertex, uint32_t rest, const expected *of)
{
  if (m->plan.nodes == MS_ELIMINATION_NODES)
    return INFINITY;
  uint32_t number = m->plan.nodes++;
  m->plan.step[m->plan.steps++] = (uint8_t)number;
  m->plan.node[number] = (ms_elimination_node){.fixed = MS_NO_VERTEX};
  m->root = vertex;
  return fix(m, number, vertex, rest, of, 0, m->e.vertices);
}

static bool is_block(const ms_elimination_plan *p, uint32_t vertices)
{
  for (uint32_t left = vertices; left && COUNT(vertices) > 2; left &= left - 1) {
    uint32_t rest = vertices & ~BIT(FIRST(left));
    if (component_of(p, rest, FIRST(rest)) != rest)
      return false;
  }
  return true;
}

/* Tries a step, and keeps it as the best one so far if it takes fewer than *least steps. */
static void try_step(const maker *m, uint32_t vertex, uint32_t rest, const expected *of,
                     maker *best, uint32_t *vertices, double *least)
{
  maker trial = *m;
  trial.best = *least;
  double steps = make_step(&trial, vertex, rest, of);
  if (steps >= *least)
    return;
  *least = steps;
  *vertices = rest;
  *best = trial;
}

bool ms_elimination_choose(const ms_count_query *query, const ms_shape *shape,
                           ms_elimination_choice *out)
{
  maker m = {.best = INFINITY}, best = m;
  expected of[MS_ELIMINATION_VERTICES] = {{0}};
  uint32_t left = BIT(shape->n) - 1;
  double steps = 0;
  ms_count_estimator_init(&m.e, query, shape, NULL);
  m.plan.n = shape->n;
  for (uint32_t i = 0; i < shape->n; i++)
    m.plan.near[i] = (uint32_t)ms_bitset_word(shape->out[i]);
  for (bool ends = false; !ends;) {
    double least = INFINITY;
    uint32_t done = 0;
    /* the blocks that hang at one of their vertices, in the order of their steps */
    for (uint32_t v = 0; v < shape->n; v++)
      for (uint32_t rest = left >> v & 1 ? left & ~BIT(v) : 0, part; rest; rest &= ~part) {
        part = component_of(&m.plan, rest, FIRST(rest));
        if ((part | BIT(v)) != left && is_block(&m.plan, part | BIT(v)))
          try_step(&m, v, part, of, &best, &done, &least);
      }
    ends = isinf(least);
    for (uint32_t v = 0; ends && v < shape->n; v++)
      if (left >> v & 1)
        try_step(&m, v, left & ~BIT(v), of, &best, &done, &least);
    if (isinf(least))
      return false;
    uint32_t vertex = best.plan.node[best.plan.step[best.plan.steps - 1]].fixed;
    m = best;
    left &= ~done;
    of[vertex].weighted = true;
    of[vertex].sign = mix(of[vertex].sign + BIT(vertex), 6);
    steps += least;
  }
  *out = (ms_elimination_choice){.plan = m.plan, .steps = steps};
  for (uint32_t i = 0; i < shape->n; i++)
    out->may[i] = (BIT(shape->n) - 1) & ~m.apart[i] & ~m.plan.near[i] & ~BIT(i);
  return true;
}
