/* The options of gen. */
#include "base/status.h"
#include "cli/cli.h"
#include "cli/numbers.h"
#include "cli/option_table.h"
#include "graph/typed.h"

#include <stdio.h>
#include <string.h>

static ms_status refuse_value(const ms_option_row *row, const char *value, const char *wants,
                              ms_error *err)
{
  return ms_fail(err, MS_ERR_USAGE, "option --%s wants %s, not '%s'", row->name, wants, value);
}

static ms_status set_count(const ms_option_row *row, const char *value, uint64_t *count,
                           ms_error *err)
{
  return ms_parse_count(value, 0, INT64_MAX, count)
             ? MS_OK
             : refuse_value(row, value, "a whole number of at least 0", err);
}

static ms_status set_small_count(const ms_option_row *row, const char *value, uint32_t *count,
                                 ms_error *err)
{
  uint64_t got;
  if (!ms_parse_count(value, 1, 1000000000, &got))
    return refuse_value(row, value, "a whole number from 1 to 1000000000", err);
  *count = (uint32_t)got;
  return MS_OK;
}

static ms_status set_types(const ms_option_row *row, const char *value, uint32_t *count,
                           ms_error *err)
{
  uint64_t got;
  if (!ms_parse_count(value, 1, MS_MAX_TYPES / 2, &got))
    return refuse_value(row, value, "a whole number from 1 to 32767", err);
  *count = (uint32_t)got;
  return MS_OK;
}

static ms_status set_real(const ms_option_row *row, const char *value, double *real, ms_error *err)
{
  return ms_parse_real(value, real) ? MS_OK : refuse_value(row, value, "a number", err);
}

static ms_status set_quadrants(const ms_option_row *row, const char *value, double *quadrants,
                               ms_error *err)
{
  const char *at = value;
  for (int q = 0; q < 4; q++) {
    char number[32];
    size_t length = strcspn(at, ",");
    bool last = at[length] == '\0';
    snprintf(number, sizeof number, "%.*s", (int)length, at);
    if (length >= sizeof number || last != (q == 3) || !ms_parse_real(number, &quadrants[q]))
      return refuse_value(row, value, "four numbers that add up to 1, such as 0.57,0.19,0.19,0.05",
                          err);
    at += length + !last;
  }
  return MS_OK;
}

static ms_status set_parameter(const ms_option_row *row, const char *value, ms_generate_options *o,
                               ms_error *err)
{
  o->given |= 1u << (row->key - KEY_VERTICES);
  switch (row->key) {
  case KEY_VERTICES:
    return set_count(row, value, &o->vertices, err);
  case KEY_DEGREE:
    return set_real(row, value, &o->degree, err);
  case KEY_EDGES:
    return set_count(row, value, &o->edges, err);
  case KEY_PROBABILITY:
    return set_real(row, value, &o->probability, err);
  case KEY_EXPONENT:
    return set_real(row, value, &o->exponent, err);
  case KEY_MIN_DEGREE:
    return set_count(row, value, &o->min_degree, err);
  case KEY_MAX_DEGREE:
    return set_count(row, value, &o->max_degree, err);
  case KEY_SCALE:
    return set_count(row, value, &o->scale, err);
  case KEY_QUADRANTS:
    return set_quadrants(row, value, o->quadrants, err);
  case KEY_ROWS:
    return set_count(row, value, &o->rows, err);
  case KEY_COLS:
    return set_count(row, value, &o->cols, err);
  case KEY_REMOVED:
    return set_real(row, value, &o->removed, err);
  default:
    return set_real(row, value, &o->diagonals, err);
  }
}

static ms_status set_planted(const ms_option_row *row, const char *value, ms_gen_options *gen,
                             ms_error *err)
{
  uint64_t slots;
  gen->plant = true;
  gen->plant_motif = NULL;
  if (!*value || value[strspn(value, "0123456789")]) {
    gen->plant_motif = value;
    return MS_OK;
  }
  if (!ms_parse_count(value, 1, MS_MAX_K, &slots))
    return refuse_value(row, value, "a motif, or a number of slots from 1 to 32", err);
  gen->planted.slots = (uint32_t)slots;
  return MS_OK;
}

ms_status ms_options_set_gen(const ms_option_row *row, const char *value, ms_cli_options *options,
                             ms_error *err)
{
  ms_gen_options *gen = &options->gen;
  switch (row->key) {
  case KEY_UNIFORM_COLORS:
    return set_small_count(row, value, &gen->uniform_colors, err);
  case KEY_PLANTED:
    return set_planted(row, value, gen, err);
  case KEY_PLANTS:
    return set_small_count(row, value, &gen->planted.plants, err);
  case KEY_BACKGROUND:
    gen->background_given = true;
    gen->planted.background = 0;
    return strcmp(value, "random") == 0
               ? MS_OK
               : set_small_count(row, value, &gen->planted.background, err);
  case KEY_EDGE_TYPES:
    return set_types(row, value, &gen->edge_types, err);
  case KEY_DIRECTED_TYPES:
    return set_types(row, value, &gen->directed_types, err);
  case KEY_PREFIX:
    gen->graph.prefix = value;
    return MS_OK;
  case KEY_COLORS_OUT:
    gen->colors_out = value;
    return MS_OK;
  case KEY_PLANTED_OUT:
    gen->planted_out = value;
    return MS_OK;
  default:
    return set_parameter(row, value, &gen->graph, err);
  }
}

ms_status ms_options_set_family(const char *name, ms_cli_options *options, ms_error *err)
{
  const char *names[MS_FAMILIES];
  char all[128] = "";
  for (int f = 0; f < MS_FAMILIES; f++) {
    size_t used = strlen(all);
    names[f] = ms_family_describe((ms_family)f).name;
    snprintf(all + used, sizeof all - used, "%s%s",
             f == 0                 ? ""
             : f + 1 == MS_FAMILIES ? " or "
                                    : ", ",
             names[f]);
    if (name && strcmp(name, names[f]) == 0) {
      options->gen.graph.family = (ms_family)f;
      return MS_OK;
    }
  }
  const char *nearest = name ? ms_cli_nearest(name, names, MS_FAMILIES) : NULL;
  if (!name)
    return ms_fail(err, MS_ERR_USAGE, "no FAMILY was given: give %s; see 'motifsieve gen --help'",
                   all);
  return ms_fail(
      err, MS_ERR_USAGE, "unknown family '%s'; %s%s%sgive %s; see 'motifsieve gen --help'", name,
      nearest ? "did you mean '" : "", nearest ? nearest : "", nearest ? "'? " : "", all);
}

ms_status ms_options_check_gen(const ms_cli_options *o, ms_error *err)
{
  const ms_gen_options *gen = &o->gen;
  if (gen->uniform_colors && gen->plant)
    return ms_fail(err, MS_ERR_USAGE,
                   "--uniform-colors and --planted do not go together; leave one out");
  if (!gen->plant && (gen->planted.plants || gen->background_given || gen->planted_out))
    return ms_fail(err, MS_ERR_USAGE, "--%s needs --planted; give it, too",
                   gen->planted_out      ? "planted-out"
                   : gen->planted.plants ? "plants"
                                         : "background");
  if (gen->colors_out && !gen->plant && !gen->uniform_colors)
    return ms_fail(err, MS_ERR_USAGE,
                   "--colors-out needs colours; give --uniform-colors or --planted, too");
  if (gen->directed_types > gen->edge_types)
    return ms_fail(
        err, MS_ERR_USAGE,
        "--directed-types counts some of the --edge-types; give at least as many of these");
  if (gen->edge_types && o->to != MS_FORMAT_AUTO)
    return ms_fail(err, MS_ERR_USAGE,
                   "--edge-types and --to do not go together, as plain formats hold no types of "
                   "edges; leave one out");
  /* a reader would take the vertex for a comment, or trim its name */
  if (gen->graph.prefix && strchr("#!% \"", gen->graph.prefix[0]) && gen->graph.prefix[0])
    return ms_fail(
        err, MS_ERR_USAGE,
        "--prefix '%s' begins with '%c', which files of names cannot say; choose another",
        gen->graph.prefix, gen->graph.prefix[0]);
  return MS_OK;
}
