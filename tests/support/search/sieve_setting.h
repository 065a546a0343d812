/* A problem of the sieve, for tests: a graph with random colours, and a motif over them. */
#ifndef MS_TESTS_SIEVE_SETTING_H
#define MS_TESTS_SIEVE_SETTING_H

#include "graph/generate/generate.h"
#include "motif/instance.h"
#include "sieve/backend.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <string.h>

typedef struct setting {
  ms_graph *graph;
  ms_coloring *colors;
  ms_motif *motif;
  ms_query *query;
  ms_instance *instance;
  ms_sieve_problem problem;
} setting;

/* Takes the graph. k slots over `colors` colours in turn; `loose` required vertices that fit a
 * colour and the wildcard double the variants. */
static inline void setting_make(setting *s, ms_graph *graph, uint32_t k, uint32_t colors,
                                uint32_t loose, ms_recurrence recurrence)
{
  static const char *const required[] = {"3", "7", "11"};
  char text[256];
  size_t used = 0;
  ms_error err = {0};
  memset(s, 0, sizeof *s);
  s->graph = graph;
  for (uint32_t i = 0; i < k; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, loose && i == 0 ? "%s*" : "%sc%u",
                             i ? "," : "", i % colors);
  ck_assert_int_eq(ms_generate_colors(s->graph, colors, k, &s->colors, &err), MS_OK);
  ck_assert_msg(ms_motif_parse(text, s->colors, &s->motif, &err) == MS_OK, "%s", err.message);
  ck_assert_msg(ms_query_new(s->graph, s->colors, s->motif, loose, required, &s->query, &err) ==
                    MS_OK,
                "%s", err.message);
  ck_assert_int_eq(ms_instance_new(s->query, 1, &s->instance, &err), MS_OK);
  ck_assert_int_eq(ms_sieve_problem_init(&s->problem, s->instance, k, recurrence, 9 + k, 1, &err),
                   MS_OK);
}

static inline void setting_free(setting *s)
{
  ms_sieve_problem_clear(&s->problem);
  ms_instance_free(s->instance);
  ms_query_free(s->query);
  ms_motif_free(s->motif);
  ms_coloring_free(s->colors);
  ms_graph_free(s->graph);
}

#endif
