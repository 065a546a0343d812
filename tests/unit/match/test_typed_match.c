/* Typed search against all maps of small cases: filter, walks, domains, exact listing and counting,
 * inexact search. */
#include "base/hooks.h"
#include "base/threads/threads.h"
#include "match/typed/walk.h"
#include "query/typed_filter.h"
#include "run/match/typed.h"
#include "tests/support/allocations.h"
#include "tests/support/search/typed_cases.h"
#include "tests/support/test_main.h"
#include "verify/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ms_error err;

static uint32_t width; /* of the rows that are compared */

static int by_row(const void *a, const void *b)
{
  const uint32_t *x = a, *y = b;
  for (uint32_t i = 0; i < width; i++)
    if (x[i] != y[i])
      return x[i] < y[i] ? -1 : 1;
  return 0;
}

static ms_typed_match_options options_of(uint64_t seed)
{
  ms_typed_match_options o = {
      .size = sizeof(ms_typed_match_options), .run.threads = 1 + (int)(seed % 3), .run.seed = seed};
  o.walk = seed % 4 == 1 ? MS_WALK_RANDOM : MS_WALK_EULER;
  o.walk_length = seed % 8 == 1 ? 3 : 0;
  ms_hooks.typed_no_walk = seed % 5 == 2;
  return o;
}

static void check_rows(const typed_case *c, ms_typed_result *r, uint64_t seed)
{
  width = c->p;
  ck_assert_msg(r->matches == c->classes, "seed %lu: %lu matches, not %lu", (unsigned long)seed,
                (unsigned long)r->matches, (unsigned long)c->classes);
  if (r->matches == 0)
    return;
  qsort(r->vertices, r->matches, c->p * sizeof *r->vertices, by_row);
  ck_assert_int_eq(memcmp(r->vertices, c->row, c->classes * c->p * sizeof *c->row), 0);
}

/* Rows, number of embeddings and automorphisms are those of plain trial: 5,000 random cases of up
 * to 9 graph and 5 pattern vertices, every third one induced. */
START_TEST(lists_all_matches)
{
  uint64_t with = 0, symmetric = 0;
  for (uint64_t seed = 1; seed <= scaled(5000); seed++) {
    typed_case c;
    ms_typed_result *r;
    char text[32];
    typed_case_make(&c, seed, 9, 5);
    c.induced = seed % 3 == 0;
    typed_case_solve(&c);
    ms_typed_match_options o = options_of(seed);
    o.induced = c.induced;
    ck_ok(ms_typed_match(c.query, &o, &r, &err));
    check_rows(&c, r, seed);
    snprintf(text, sizeof text, "%lu", (unsigned long)c.symmetries);
    ck_assert_str_eq(r->automorphisms_text, text);
    ms_typed_result_free(r);
    o.embeddings = true;
    o.count_only = true;
    ck_ok(ms_typed_match(c.query, &o, &r, &err));
    snprintf(text, sizeof text, "%lu", (unsigned long)c.maps);
    ck_assert_str_eq(r->count_text, text);
    ck_assert_uint_eq(r->matches, c.maps);
    ms_typed_result_free(r);
    with += c.maps > 0;
    symmetric += c.maps > 0 && c.symmetries > 1;
    typed_case_free(&c);
  }
  ck_assert_uint_gt(with, scaled(5000) / 4);
  ck_assert_uint_gt(symmetric, scaled(5000) / 50);
}
END_TEST

static void check_count(const typed_case *c, bool embeddings, uint64_t seed, uint64_t *plain)
{
  char text[32];
  ms_typed_result *r;
  ms_typed_match_options o = options_of(seed);
  o.embeddings = embeddings;
  o.count_only = true;
  ck_ok(ms_typed_match(c->query, &o, &r, &err));
  snprintf(text, sizeof text, "%lu", (unsigned long)(embeddings ? c->maps : c->classes));
  ck_assert_msg(strcmp(r->count_text, text) == 0, "seed %lu: %s, not %s", (unsigned long)seed,
                r->count_text, text);
  *plain += r->plain && c->maps > 0;
  ms_typed_result_free(r);
}

/* Counts through a plain pattern, where that is possible, are those of plain trial: 2,000 random
 * cases. */
START_TEST(counts_as_plain_patterns)
{
  uint64_t with = 0, plain = 0;
  ms_hooks.typed_patience = 0;
  for (uint64_t seed = 300001; seed <= 300000 + scaled(2000); seed++) {
    typed_case c;
    typed_case_make(&c, seed, 9, 5);
    typed_case_solve(&c);
    check_count(&c, seed & 1, seed, &plain);
    with += c.maps > 0;
    typed_case_free(&c);
  }
  ms_hooks = ms_hooks_default;
  ck_assert_uint_gt(plain, with / 4); /* there are such, */
  ck_assert_uint_lt(plain, with);     /* and others */
}
END_TEST

enum { LEAVES = 400 };

/* Vertex 0 is joined with all leaves by r and with every second one by s; vertex 1
 * with all by s, and with two by r. */
static ms_typed *make_hubs(void)
{
  static uint32_t edge[3 * LEAVES][2], type[3 * LEAVES];
  ms_typed *graph;
  uint64_t m = 0;
  for (uint32_t i = 0; i < LEAVES; i++)
    for (uint32_t way = 0; way < 4; way++) { /* hub, relation */
      if ((way == 1 && i % 2 == 0) || (way == 2 && i >= 2))
        continue;
      edge[m][0] = way / 2;
      edge[m][1] = i + 2;
      type[m++] = way % 2;
    }
  ms_typed_source source = {.n = LEAVES + 2,
                            .m = m,
                            .edges = (const uint32_t(*)[2])edge,
                            .edge_type = type,
                            .n_relations = 2,
                            .relation = (const char *const[]){"r", "s"},
                            .inverse = (const char *const[]){NULL, NULL}};
  ck_ok(ms_typed_from_edges(&source, 1, &graph, &err));
  return graph;
}

static void check_long(const ms_typed *graph, const char *text, const char *count)
{
  ms_typed_pattern *pattern;
  ms_typed_query *query;
  ms_typed_result *r;
  ck_ok(ms_typed_pattern_parse(text, &pattern, &err));
  ck_ok(ms_typed_query_new(graph, pattern, &query, &err));
  ck_ok(ms_typed_match(
      query, &(ms_typed_match_options){.size = sizeof(ms_typed_match_options), .count_only = true},
      &r, &err));
  ck_assert_int_eq(r->run.stopped, MS_OK);
  ck_assert_str_eq(r->count_text, count);
  ms_typed_result_free(r);
  ms_typed_query_free(query);
  ms_typed_pattern_free(pattern);
}

/* Counts that a search could not reach one by one are those of binomials: four patterns on hubs
 * with 400 leaves. */
START_TEST(counts_much)
{
  ms_typed *graph = make_hubs();
  /* 400 leaves by two, and once around vertex 1 and the two leaves that have both */
  check_long(graph, "(h)-[r]-(a),(h)-[r]-(b)", "79803");
  check_long(graph, "(h)-[r]-(a),(h)-[r]-(b),(h)-[r]-(c),(h)-[r]-(d)", "1050739900");
  check_long(graph,
             "(h)-[r]-(a),(h)-[r]-(b),(h)-[r]-(c),(h)-[r]-(d),(h)-[r]-(e),(h)-[r]-(f),"
             "(h)-[r]-(g),(h)-[r]-(i),(h)-[r]-(j),(h)-[r]-(k)",
             "25798075602615553160");
  /* all leaves may be a, and those that vertex 0 has by r alone tell r from s */
  check_long(graph, "(h)-[s]-(a),(h)-[r]-(b),(h)-[r]-(c)", "15880598");
  ms_typed_free(graph);
}
END_TEST

/* The number of the part's vertex, or UINT32_MAX. */
static uint32_t number_in(const ms_typed_part *part, uint32_t v)
{
  for (uint32_t i = 0; i < part->rows.n; i++)
    if (part->vertex[i] == v)
      return i;
  return UINT32_MAX;
}

static void check_domains(const typed_case *c, uint64_t seed, uint64_t *removed)
{
  ms_type_filter *filter;
  ms_typed_part *part;
  ms_typed_domains *d;
  ms_typed_match_options o = options_of(seed);
  ms_hooks.typed_no_walk = false;
  ck_ok(ms_type_filter_new(c->query, &filter, &err));
  ck_ok(ms_typed_filter_part(&c->graph->rows, filter, o.run.threads, &part, &err));
  ck_ok(ms_typed_domains_new(&part->rows, c->query, &o, &d, &err));
  ck_assert(!d->empty || c->maps == 0);
  for (uint32_t i = 0; i < c->p; i++)
    for (uint32_t v = 0; v < c->n; v++) {
      uint32_t number = number_in(part, v);
      bool active = !d->empty && number != UINT32_MAX && ms_active_has(&d->set[i], number);
      ck_assert_msg(active || !c->in_map[i][v], "seed %lu: the walk loses vertex %u as %u",
                    (unsigned long)seed, v, i);
      *removed += !active && ms_type_in(c->query->vertex_types[i], c->kind[v]);
    }
  ms_typed_domains_free(d);
  ms_typed_part_free(part);
  ms_type_filter_free(filter);
}

/* Domains after the walk hold every vertex of every map, and fewer others: 10,000 random cases. */
START_TEST(walk_loses_no_match)
{
  uint64_t removed = 0;
  for (uint64_t seed = 100001; seed <= 100000 + scaled(10000); seed++) {
    typed_case c;
    typed_case_make(&c, seed, 7, 4);
    typed_case_solve(&c);
    check_domains(&c, seed, &removed);
    typed_case_free(&c);
  }
  ck_assert_uint_gt(removed, scaled(10000)); /* and it does something */
}
END_TEST

/* Does some pattern edge, seen from either end, accept the arc and both its ends? */
static bool occurs(const typed_case *c, uint32_t v, ms_type type, uint32_t w)
{
  for (uint32_t e = 0; e < c->e; e++) {
    const ms_typed_query_edge *q = &c->query->edge[e];
    const uint64_t *const *kinds = (const uint64_t *const *)c->query->vertex_types;
    if ((ms_type_in(kinds[q->from], c->kind[v]) && ms_type_in(q->on, type) &&
         ms_type_in(kinds[q->to], c->kind[w])) ||
        (ms_type_in(kinds[q->to], c->kind[v]) && ms_type_in(q->back, type) &&
         ms_type_in(kinds[q->from], c->kind[w])))
      return true;
  }
  return false;
}

static void check_filter(const typed_case *c, int threads)
{
  ms_type_filter *filter;
  ms_typed_part *part;
  const ms_typed_rows *rows = &c->graph->rows;
  ck_ok(ms_type_filter_new(c->query, &filter, &err));
  ck_ok(ms_typed_filter_part(rows, filter, threads, &part, &err));
  uint64_t kept = 0;
  for (uint32_t v = 0; v < c->n; v++) {
    uint32_t number = number_in(part, v);
    uint64_t at = number == UINT32_MAX ? 0 : part->rows.offset[number], before = kept;
    for (uint64_t a = rows->offset[v]; a < rows->offset[v + 1]; a++) {
      if (!occurs(c, v, rows->type[a], rows->neighbor[a]))
        continue;
      ck_assert_uint_ne(number, UINT32_MAX);
      ck_assert_uint_eq(part->vertex[part->rows.neighbor[at]], rows->neighbor[a]);
      ck_assert_uint_eq(part->rows.type[at++], rows->type[a]);
      kept++;
    }
    if (number == UINT32_MAX)
      continue;
    ck_assert_uint_eq(at, part->rows.offset[number + 1]);
    ck_assert_uint_eq(part->rows.vertex_type[number], c->kind[v]);
    ck_assert(kept > before || ms_type_in(filter->alone, c->kind[v]));
  }
  ck_assert_uint_eq(kept, part->rows.arcs);
  ms_typed_part_free(part);
  ms_type_filter_free(filter);
}

/* The compound type filter keeps exactly the arcs that some pattern edge accepts with both ends:
 * 2,000 random cases of up to 24 vertices, by 1 to 3 threads. */
START_TEST(filter_keeps_quadruples)
{
  for (uint64_t seed = 200001; seed <= 200000 + scaled(2000); seed++) {
    typed_case c;
    typed_case_make(&c, seed, 24, 6);
    check_filter(&c, 1 + (int)(seed % 3));
    typed_case_free(&c);
  }
}
END_TEST

/* Is it a walk through the pattern that takes each edge, an Euler tour once each way? */
static void check_walk(const typed_case *c, uint32_t start, ms_typed_walk kind, uint64_t seed)
{
  ms_pattern_walk walk;
  uint32_t on[TYPED_MOST_E] = {0}, back[TYPED_MOST_E] = {0}, at = start;
  uint64_t seen = UINT64_C(1) << start;
  ck_ok(ms_walk_new(c->query, start, kind, 0, seed, &walk, &err));
  for (uint32_t i = 0; i < walk.length; i++) {
    const ms_typed_query_edge *e = &c->query->edge[walk.step[i].edge];
    ck_assert_uint_eq(at, walk.step[i].on ? e->from : e->to);
    at = walk.step[i].on ? e->to : e->from;
    ck_assert_uint_eq(at, walk.step[i].to);
    seen |= UINT64_C(1) << at;
    ++*(walk.step[i].on ? &on[walk.step[i].edge] : &back[walk.step[i].edge]);
  }
  ck_assert(kind != MS_WALK_EULER || at == start);
  for (uint32_t e = 0; e < c->e; e++) {
    bool inside = seen >> c->query->edge[e].from & 1;
    bool loop = c->query->edge[e].from == c->query->edge[e].to;
    ck_assert_uint_eq(inside, seen >> c->query->edge[e].to & 1);
    if (kind == MS_WALK_EULER) {
      ck_assert_uint_eq(on[e] + back[e], inside ? (loop ? 1 : 2) : 0);
      ck_assert(!inside || loop || (on[e] == 1 && back[e] == 1));
    } else {
      ck_assert(!inside || on[e] + back[e] > 0);
    }
  }
  ms_walk_free(&walk);
}

/* Euler and random walks from each vertex of a pattern take each edge, an Euler tour once each way:
 * 1,000 random patterns. */
START_TEST(walks_take_every_edge)
{
  for (uint64_t seed = 300001; seed <= 300000 + scaled(1000); seed++) {
    typed_case c;
    typed_case_make(&c, seed, 2, 6);
    for (uint32_t start = 0; start < c.p; start++) {
      check_walk(&c, start, MS_WALK_EULER, seed);
      check_walk(&c, start, MS_WALK_RANDOM, seed);
    }
    typed_case_free(&c);
  }
}
END_TEST

/* ---- the same whatever the threads; limits; stops ------------------------------------ */

typedef struct received {
  uint64_t count, room, most;
  uint32_t p, *row;
} received;

static bool take_rows(void *user, const uint32_t *row, uint64_t count)
{
  received *r = user;
  if (r->count + count > r->room) {
    r->room = 2 * (r->count + count);
    r->row = realloc(r->row, r->room * r->p * sizeof *row);
    ck_assert_ptr_nonnull(r->row);
  }
  memcpy(r->row + r->count * r->p, row, count * r->p * sizeof *row);
  r->count += count;
  return r->count < r->most;
}

/* Rows come in the same order by 1 to 4 threads, and a limit cuts that order: 300 random cases. */
START_TEST(order_does_not_depend_on_threads)
{
  ms_hooks.work_for_threads = 1;
  for (uint64_t seed = 400001; seed <= 400000 + scaled(300); seed++) {
    typed_case c;
    typed_case_make(&c, seed, 24, 5);
    received first = {.p = c.p, .most = UINT64_MAX};
    for (int threads = 1; threads <= 4; threads++) {
      received now = {.p = c.p, .most = UINT64_MAX};
      ms_typed_result *r;
      ms_typed_match_options o = {.size = sizeof(ms_typed_match_options),
                                  .run.threads = threads,
                                  .rows = take_rows,
                                  .rows_user = &now};
      ck_ok(ms_typed_match(c.query, &o, &r, &err));
      ck_assert_uint_eq(now.count, r->matches);
      ck_assert(r->run.stopped == MS_OK);
      ms_typed_result_free(r);
      if (threads == 1)
        first = now;
      ck_assert_uint_eq(now.count, first.count);
      if (now.count)
        ck_assert_int_eq(memcmp(now.row, first.row, now.count * c.p * sizeof *now.row), 0);
      if (threads > 1)
        free(now.row);
    }
    ms_typed_match_options o = {
        .size = sizeof(ms_typed_match_options), .run.threads = 2, .limit = 1 + first.count / 2};
    ms_typed_result *r;
    ck_ok(ms_typed_match(c.query, &o, &r, &err));
    ck_assert_uint_eq(r->matches, first.count < o.limit ? first.count : o.limit);
    ck_assert_int_eq(r->run.stopped, first.count >= o.limit ? MS_ERR_LIMIT : MS_OK);
    if (r->matches)
      ck_assert_int_eq(memcmp(r->vertices, first.row, r->matches * c.p * sizeof *first.row), 0);
    ms_typed_result_free(r);
    free(first.row);
    typed_case_free(&c);
  }
  ms_hooks = ms_hooks_default;
}
END_TEST

/* A search that is stopped before it starts ends without error: 49 random cases, listed or
 * counted. */
START_TEST(stops_when_asked)
{
  typed_case c;
  ms_stop *stop;
  ms_typed_result *r;
  ck_ok(ms_stop_new(&stop, &err));
  ms_stop_request(stop);
  for (uint64_t seed = 1; seed < 50; seed++) {
    typed_case_make(&c, seed, 24, 6);
    ms_typed_match_options o = {
        .size = sizeof(ms_typed_match_options), .run.stop = stop, .count_only = seed % 2};
    ck_ok(ms_typed_match(c.query, &o, &r, &err));
    ms_typed_result_free(r);
    typed_case_free(&c);
  }
  ms_stop_free(stop);
}
END_TEST

static ms_status match_once(void *user, ms_error *error)
{
  typed_case *c = user;
  ms_typed_result *r;
  ms_typed_query *query;
  ms_status status = ms_typed_query_new(c->graph, c->pattern, &query, error);
  if (status == MS_OK)
    status = ms_typed_match(query, NULL, &r, error);
  if (status == MS_OK)
    ms_typed_result_free(r);
  ms_typed_query_free(query);
  return status;
}

/* ---- inexact ------------------------------------------------------------------------- */

/* All walks in the graph by plain recursion, and the best score of each map, found
 * through its rank in a table of all maps. */
typedef struct plain {
  const typed_case *c;
  const ms_pattern_walk *walk;
  uint32_t at[64]; /* [stage] */
  uint32_t *score; /* [n^p] best score + 1; 0: no walk */
} plain;

static bool steps(const typed_case *c, const ms_walk_step *step, uint32_t v, uint32_t w)
{
  const ms_typed_query_edge *e = &c->query->edge[step->edge];
  const ms_typed_rows *rows = &c->graph->rows;
  uint64_t first, count = ms_typed_arcs_between(rows, v, w, &first);
  bool some = false;
  for (uint64_t a = first; a < first + count; a++)
    some |= ms_type_in(step->on ? e->on : e->back, rows->type[a]) ||
            (v == w && ms_type_in(step->on ? e->back : e->on, rows->type[a]));
  return some && ms_type_in(c->query->vertex_types[step->to], c->kind[w]);
}

/* Pattern edges e.. that can be given a graph edge of their own, at most. */
static uint32_t most_kept(const typed_case *c, const uint32_t *row, uint32_t e, uint64_t *taken)
{
  if (e == c->e)
    return 0;
  const ms_typed_query_edge *q = &c->query->edge[e];
  const ms_typed_rows *rows = &c->graph->rows;
  uint32_t best = most_kept(c, row, e + 1, taken);
  uint32_t v = row[q->from], w = row[q->to];
  /* each edge is known by its arc from the end with the smaller number */
  const uint64_t *accepted = v <= w ? q->on : q->back;
  uint64_t first, count = ms_typed_arcs_between(rows, v < w ? v : w, v < w ? w : v, &first);
  if (v == w && q->from != q->to)
    count = 0;
  for (uint64_t a = first; a < first + count && best < c->e - e; a++) {
    if (!ms_type_in(accepted, rows->type[a]) || (taken[a / 64] >> (a % 64) & 1))
      continue;
    taken[a / 64] |= UINT64_C(1) << (a % 64);
    uint32_t kept = 1 + most_kept(c, row, e + 1, taken);
    taken[a / 64] &= ~(UINT64_C(1) << (a % 64));
    best = kept > best ? kept : best;
  }
  return best;
}

static void score_walk(plain *p)
{
  uint32_t row[TYPED_MOST_P], score = 0;
  uint64_t placed = 0, rank = 0;
  for (uint32_t i = 0; i <= p->walk->length; i++) {
    uint32_t u = ms_walk_vertex(p->walk, i);
    bool taken = false;
    for (uint32_t j = 0; j < p->c->p; j++)
      taken |= (placed >> j & 1) && row[j] == p->at[i];
    if (placed >> u & 1) {
      score += row[u] == p->at[i];
      continue;
    }
    score += i > 0 && !taken;
    placed |= UINT64_C(1) << u;
    row[u] = p->at[i];
  }
  /* pairs of pattern vertices take their edges by themselves, as the score says */
  for (uint32_t a = 0; a < p->c->p; a++)
    for (uint32_t b = a; b < p->c->p; b++) {
      typed_case part = *p->c;
      ms_typed_query query = *p->c->query;
      ms_typed_query_edge edge[TYPED_MOST_E];
      uint64_t taken[2 * TYPED_MOST_M / 64 + 1] = {0};
      query.edges = 0;
      query.edge = edge;
      for (uint32_t e = 0; e < p->c->e; e++) {
        const ms_typed_query_edge *q = &p->c->query->edge[e];
        if ((q->from == a && q->to == b) || (q->from == b && q->to == a))
          edge[query.edges++] = *q;
      }
      part.query = &query;
      part.e = query.edges;
      score += most_kept(&part, row, 0, taken);
    }
  for (uint32_t j = 0; j < p->c->p; j++)
    rank = rank * p->c->n + row[j];
  if (score + 1 > p->score[rank])
    p->score[rank] = score + 1;
}

static void walk_on(plain *p, uint32_t stage)
{
  if (stage == p->walk->length) {
    score_walk(p);
    return;
  }
  for (uint32_t w = 0; w < p->c->n; w++)
    if (steps(p->c, &p->walk->step[stage], p->at[stage], w)) {
      p->at[stage + 1] = w;
      walk_on(p, stage + 1);
    }
}

static int falling(const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x < y) - (x > y);
}

static bool is_connected(const typed_case *c)
{
  uint64_t seen = 1, before = 0;
  while (seen != before) {
    before = seen;
    for (uint32_t e = 0; e < c->e; e++) {
      uint64_t ends = UINT64_C(1) << c->query->edge[e].from | UINT64_C(1) << c->query->edge[e].to;
      seen |= seen & ends ? ends : 0;
    }
  }
  return seen == (UINT64_C(1) << c->p) - 1;
}

/* The start that the matcher takes is not known here: its score depends on it,
 * so the walk is made from every one and the result must agree with one. */
static bool agrees(const typed_case *c, const ms_typed_result *r, uint32_t best, uint32_t start)
{
  ms_pattern_walk walk;
  uint64_t maps = 1, walks = 0;
  for (uint32_t i = 0; i < c->p; i++)
    maps *= c->n;
  ck_ok(ms_walk_new(c->query, start, MS_WALK_EULER, 0, 1, &walk, &err));
  plain p = {.c = c, .walk = &walk, .score = calloc(maps, sizeof *p.score)};
  ck_assert_ptr_nonnull(p.score);
  for (uint32_t v = 0; v < c->n; v++)
    if (ms_type_in(c->query->vertex_types[start], c->kind[v])) {
      p.at[0] = v;
      walk_on(&p, 0);
    }
  bool same = r->best_score == walk.length + c->e;
  for (uint64_t i = 0; i < r->matches; i++) {
    uint64_t rank = 0;
    for (uint32_t j = 0; j < c->p; j++)
      rank = rank * c->n + r->vertices[i * c->p + j];
    same &= p.score[rank] == r->score[i] + 1;
  }
  qsort(p.score, maps, sizeof *p.score, falling);
  while (walks < maps && p.score[walks] > 0)
    walks++;
  same &= r->matches == (walks < best ? walks : best);
  for (uint64_t i = 0; i < r->matches && same; i++)
    same &= p.score[i] == r->score[i] + 1;
  free(p.score);
  ms_walk_free(&walk);
  return same;
}

/* The best scores and maps of the inexact search are those that plain recursion over all walks
 * finds: 1,500 random cases, of which at least a sixth qualify. */
START_TEST(inexact_finds_the_best)
{
  uint32_t tried = 0, partial = 0;
  for (uint64_t seed = 600001; seed <= 600000 + scaled(1500); seed++) {
    typed_case c;
    ms_typed_result *r;
    uint32_t best = 1 + (uint32_t)(seed % 12);
    typed_case_make(&c, seed, 4, 4);
    ms_typed_match_options o = {.size = sizeof(ms_typed_match_options),
                                .best = best,
                                .run.threads = 1 + (int)(seed % 3),
                                .embeddings = true};
    if (c.e > 4 || c.m > 14 || !is_connected(&c)) {
      typed_case_free(&c);
      continue;
    }
    ck_ok(ms_typed_match_inexact(c.query, &o, &r, &err));
    bool some = false;
    for (uint32_t start = 0; start < c.p && !some; start++)
      some = agrees(&c, r, best, start);
    ck_assert_msg(some, "seed %lu", (unsigned long)seed);
    tried++;
    partial += r->matches > 0 && r->score[r->matches - 1] < r->best_score;
    ms_typed_result_free(r);
    typed_case_free(&c);
  }
  ck_assert_uint_gt(tried, scaled(1500) / 6);
  ck_assert_uint_gt(partial, scaled(1500) / 20);
}
END_TEST

/* The maps of the best score are the exact matches, class by class: 1,000 random cases. */
START_TEST(inexact_finds_exact_matches_first)
{
  for (uint64_t seed = 700001; seed <= 700000 + scaled(1000); seed++) {
    typed_case c;
    ms_typed_result *r;
    typed_case_make(&c, seed, 8, 4);
    typed_case_solve(&c);
    ms_typed_match_options o = {.size = sizeof(ms_typed_match_options),
                                .best = c.classes ? (uint32_t)c.classes : 1,
                                .run.threads = 2};
    if (c.classes > 300 || !is_connected(&c)) {
      typed_case_free(&c);
      continue;
    }
    ck_ok(ms_typed_match_inexact(c.query, &o, &r, &err));
    uint64_t exact = 0;
    while (exact < r->matches && r->score[exact] == r->best_score)
      exact++;
    ck_assert_uint_eq(exact, c.classes);
    width = c.p;
    if (exact) {
      qsort(r->vertices, exact, c.p * sizeof *r->vertices, by_row);
      ck_assert_int_eq(memcmp(r->vertices, c.row, exact * c.p * sizeof *c.row), 0);
    }
    ms_typed_result_free(r);
    typed_case_free(&c);
  }
}
END_TEST

/* An inexact search that is stopped has only maps of the best score, since others would come later:
 * 199 random cases. */
START_TEST(inexact_stops_when_asked)
{
  ms_stop *stop;
  uint32_t stopped = 0;
  ck_ok(ms_stop_new(&stop, &err));
  ms_stop_request(stop);
  for (uint64_t seed = 1; seed < 200; seed++) {
    typed_case c;
    ms_typed_result *r;
    typed_case_make(&c, seed, 8, 4);
    ms_typed_match_options o = {.size = sizeof(ms_typed_match_options),
                                .run.stop = stop,
                                .best = 1000000,
                                .run.threads = 1 + (int)(seed % 3)};
    if (is_connected(&c)) {
      ck_ok(ms_typed_match_inexact(c.query, &o, &r, &err));
      for (uint64_t i = 0; i < r->matches; i++)
        ck_assert_uint_eq(r->score[i], r->best_score);
      stopped += r->run.stopped == MS_ERR_INTERRUPTED;
      ms_typed_result_free(r);
    }
    typed_case_free(&c);
  }
  ck_assert_uint_gt(stopped, 50);
  ms_stop_free(stop);
}
END_TEST

static ms_status match_inexactly(void *user, ms_error *error)
{
  typed_case *c = user;
  ms_typed_result *r;
  ms_status status = ms_typed_match_inexact(
      c->query, &(ms_typed_match_options){.size = sizeof(ms_typed_match_options), .best = 5}, &r,
      error);
  if (status == MS_OK)
    ms_typed_result_free(r);
  return status;
}

static ms_status count_plainly(void *user, ms_error *error)
{
  typed_case *c = user;
  ms_typed_result *r;
  ms_status status = ms_typed_match(
      c->query,
      &(ms_typed_match_options){
          .size = sizeof(ms_typed_match_options), .count_only = true, .run.threads = 1},
      &r, error);
  if (status == MS_OK) {
    ck_assert_uint_eq(r->matches, c->classes);
    ms_typed_result_free(r);
  }
  return status;
}

/* Whichever allocation fails in an exact, a plainly counted or an inexact search, the call reports
 * it, or does without, and leaks no block: ten random cases. */
START_TEST(survives_failing_allocations)
{
  typed_case c;
  for (uint64_t seed = 500001; seed < 500011; seed++) {
    typed_case_make(&c, seed, 12, 5);
    typed_case_solve(&c);
    ck_assert_int_gt(failing_runs_survived(match_once, &c), 10);
    ms_hooks.typed_patience = 0;
    ck_assert_int_gt(failing_runs_survived(count_plainly, &c), 10);
    ms_hooks = ms_hooks_default;
    if (is_connected(&c))
      ck_assert_int_gt(failing_runs_survived(match_inexactly, &c), 10);
    typed_case_free(&c);
  }
}
END_TEST

TEST_MAIN("typed_match", TEST(lists_all_matches), TEST(counts_as_plain_patterns), TEST(counts_much),
          TEST(walk_loses_no_match), TEST(filter_keeps_quadruples), TEST(walks_take_every_edge),
          TEST(order_does_not_depend_on_threads), TEST(stops_when_asked),
          TEST(inexact_finds_the_best), TEST(inexact_finds_exact_matches_first),
          TEST(inexact_stops_when_asked), TEST(survives_failing_allocations))
