/* The setters of options, which each check a value and store it, and the closed lists of words that
 * a value or an operand may be. */
#include "base/status.h"
#include "cli/numbers.h"
#include "cli/options/option_table.h"
#include "graph/formats/detect.h"
#include "graph/formats/typed/typed_read.h"
#include "graph/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void *field_of(const ms_option_row *row, ms_cli_options *o)
{
  return (char *)o + row->offset;
}

/* Refuses a value.  `wants`: what the value should be, unless the row says so. */
static ms_status refuse(const ms_option_row *row, const char *value, const char *wants,
                        ms_error *err)
{
  return ms_fail(err, MS_ERR_USAGE, "option --%s needs %s, not '%s'", row->name,
                 row->wants ? row->wants : wants, value);
}

/* ---- flags and texts --------------------------------------------------------- */

ms_status ms_set_flag(const ms_option_row *row, const char *value, ms_cli_options *o, ms_error *err)
{
  (void)value, (void)err;
  *(bool *)field_of(row, o) = true;
  return MS_OK;
}

static void store(const ms_option_row *row, uint64_t number, ms_cli_options *o)
{
  if (row->size == sizeof number)
    *(uint64_t *)field_of(row, o) = number;
  else
    *(uint32_t *)field_of(row, o) = (uint32_t)number;
}

ms_status ms_set_constant(const ms_option_row *row, const char *value, ms_cli_options *o,
                          ms_error *err)
{
  (void)value, (void)err;
  store(row, row->least, o);
  return MS_OK;
}

ms_status ms_set_text(const ms_option_row *row, const char *value, ms_cli_options *o, ms_error *err)
{
  (void)err;
  *(const char **)field_of(row, o) = value;
  return MS_OK;
}

ms_status ms_set_path(const ms_option_row *row, const char *value, ms_cli_options *o, ms_error *err)
{
  return *value ? ms_set_text(row, value, o, err) : refuse(row, value, "a file", err);
}

/* Stores one line: a result file must be able to hold the text on one line. */
ms_status ms_set_line(const ms_option_row *row, const char *value, ms_cli_options *o, ms_error *err)
{
  return ms_name_problem(value, strlen(value))
             ? refuse(row, value, "a text in UTF-8 without control characters", err)
             : ms_set_text(row, value, o, err);
}

ms_status ms_set_word(const ms_option_row *row, const char *value, ms_cli_options *o, ms_error *err)
{
  uint32_t number;
  char words[256];
  if (!ms_word_find(row->word, value, &number)) {
    ms_words_join(row->word, words, sizeof words);
    return refuse(row, value, words, err);
  }
  store(row, row->least + number, o);
  return MS_OK;
}

ms_status ms_set_word_text(const ms_option_row *row, const char *value, ms_cli_options *o,
                           ms_error *err)
{
  uint32_t number;
  char words[256];
  if (ms_word_find(row->word, value, &number))
    return ms_set_text(row, value, o, err);
  ms_words_join(row->word, words, sizeof words);
  return refuse(row, value, words, err);
}

ms_status ms_set_help(const ms_option_row *row, const char *value, ms_cli_options *o, ms_error *err)
{
  uint32_t number;
  if (value && !ms_word_find(row->word, value, &number))
    return refuse(row, value, "'all' or no value", err);
  o->help = true;
  o->help_all = value != NULL;
  return MS_OK;
}

const char *ms_help_word(uint32_t i)
{
  return i == 0 ? "all" : NULL;
}

/* ---- numbers ------------------------------------------------------------------ */

ms_status ms_set_count(const ms_option_row *row, const char *value, ms_cli_options *o,
                       ms_error *err)
{
  uint64_t count;
  char wants[64];
  if (!ms_parse_count(value, row->least, row->most, &count)) {
    /* the limit of a seed, and of a number that is too large, has to be told */
    bool large = *value && !value[strspn(value, "0123456789")] && strlen(value) > 18;
    if (row->most < INT64_MAX || large || strcmp(row->name, "seed") == 0)
      snprintf(wants, sizeof wants, "a whole number from %" PRIu64 " to %" PRIu64, row->least,
               row->most);
    else
      snprintf(wants, sizeof wants, "a whole number of at least %" PRIu64, row->least);
    return refuse(row, value, wants, err);
  }
  store(row, count, o);
  return MS_OK;
}

ms_status ms_set_real(const ms_option_row *row, const char *value, ms_cli_options *o, ms_error *err)
{
  return ms_parse_real(value, field_of(row, o)) ? MS_OK : refuse(row, value, "a number", err);
}

ms_status ms_set_chance(const ms_option_row *row, const char *value, ms_cli_options *o,
                        ms_error *err)
{
  double *chance = field_of(row, o);
  return ms_parse_real(value, chance) && *chance > 0 && *chance < 1
             ? MS_OK
             : refuse(row, value, "a number above 0 and below 1, such as 1e-6", err);
}

ms_status ms_set_score(const ms_option_row *row, const char *value, ms_cli_options *o,
                       ms_error *err)
{
  double *score = field_of(row, o);
  return ms_parse_real(value, score) && *score >= 0
             ? MS_OK
             : refuse(row, value, "a number of at least 0 (STRING scores go up to 1000)", err);
}

/* 0 is the library's word for no minimum, and users mean that it drops negative scores. */
ms_status ms_set_minimum_score(const ms_option_row *row, const char *value, ms_cli_options *o,
                               ms_error *err)
{
  MS_TRY(ms_set_score(row, value, o, err));
  return *(double *)field_of(row, o) > 0 ? MS_OK
                                         : refuse(row, value,
                                                  "a number above 0; without the option, "
                                                  "no edge is dropped",
                                                  err);
}

/* Stores a share, or `usual` if there is no value. */
static ms_status set_share(const ms_option_row *row, const char *value, double usual,
                           const char *wanted, ms_cli_options *o, ms_error *err)
{
  double *share = field_of(row, o);
  *share = usual;
  return !value || (ms_parse_real(value, share) && *share > 0 && *share <= 1)
             ? MS_OK
             : refuse(row, value, wanted, err);
}

ms_status ms_set_share(const ms_option_row *row, const char *value, ms_cli_options *o,
                       ms_error *err)
{
  return set_share(row, value, 0.5, "a share above 0 and at most 1, or no value, which means 0.5",
                   o, err);
}

ms_status ms_set_paranoid(const ms_option_row *row, const char *value, ms_cli_options *o,
                          ms_error *err)
{
  return set_share(row, value, MS_PARANOID_USUAL,
                   "a share above 0 and at most 1, or no value, which means 0.05", o, err);
}

/* Stores I and N of "I/N". */
ms_status ms_set_part(const ms_option_row *row, const char *value, ms_cli_options *o, ms_error *err)
{
  char first[16] = "";
  uint64_t part = 0, parts = 0;
  size_t length = strcspn(value, "/");
  if (length < sizeof first)
    memcpy(first, value, length);
  bool ok = value[length] == '/' && ms_parse_count(first, 1, row->most, &part) &&
            ms_parse_count(value + length + 1, 1, row->most, &parts) && part <= parts;
  if (!ok)
    return refuse(row, value, "two numbers I/N, such as 3/8, with I from 1 to N", err);
  o->division.part = (uint32_t)part;
  o->division.parts = (uint32_t)parts;
  return MS_OK;
}

ms_status ms_set_size(const ms_option_row *row, const char *value, ms_cli_options *o, ms_error *err)
{
  return ms_parse_size(value, field_of(row, o))
             ? MS_OK
             : refuse(row, value, "a size, such as 4G or 512M", err);
}

ms_status ms_set_duration(const ms_option_row *row, const char *value, ms_cli_options *o,
                          ms_error *err)
{
  return ms_parse_duration(value, field_of(row, o))
             ? MS_OK
             : refuse(row, value, "a time above 0, such as 30s, 5m or 2h", err);
}

/* Parses a list of numbers least..most, separated by commas, at most `room`; *count is 0 if the
 * text is no such list. */
static void parse_list(const char *text, const ms_option_row *row, uint32_t *numbers, uint32_t room,
                       uint32_t *count)
{
  uint32_t n = 0;
  *count = 0;
  for (const char *at = text;;) {
    size_t length = strcspn(at, ",");
    char number[16] = "";
    uint64_t value;
    if (length < sizeof number)
      memcpy(number, at, length);
    if (n == room || !ms_parse_count(number, row->least, row->most, &value))
      return;
    numbers[n++] = (uint32_t)value;
    at += length;
    if (!*at++)
      break;
  }
  *count = n;
}

ms_status ms_set_devices(const ms_option_row *row, const char *value, ms_cli_options *o,
                         ms_error *err)
{
  uint32_t numbers[MS_MAX_DEVICES];
  ms_screen_options *s = &o->list.screen;
  parse_list(value, row, numbers, MS_MAX_DEVICES, &s->run.n_devices);
  if (s->run.n_devices == 0)
    return refuse(row, value, "numbers of GPUs, separated by commas, such as 0,2", err);
  for (uint32_t i = 0; i < s->run.n_devices; i++)
    o->devices[i] = (int)numbers[i];
  s->run.devices = o->devices;
  return MS_OK;
}

ms_status ms_set_thread_counts(const ms_option_row *row, const char *value, ms_cli_options *o,
                               ms_error *err)
{
  parse_list(value, row, o->bench.threads, MS_MAX_THREAD_COUNTS, &o->bench.n_threads);
  return o->bench.n_threads > 0
             ? MS_OK
             : refuse(row, value, "at most 16 numbers from 1 to 1024, such as 1,2,4", err);
}

/* ---- inputs --------------------------------------------------------------------- */

ms_status ms_set_graph_format(const ms_option_row *row, const char *value, ms_cli_options *o,
                              ms_error *err)
{
  return ms_graph_format_find(value, field_of(row, o))
             ? MS_OK
             : refuse(row, value, "a format that 'motifsieve convert --list-formats' names", err);
}

/* Stores a typed format.  All but "hetionet" also name plain formats, in which a plain pattern
 * reads them. */
ms_status ms_set_typed_format(const ms_option_row *row, const char *value, ms_cli_options *o,
                              ms_error *err)
{
  o->graph.format = MS_FORMAT_AUTO;
  for (int f = MS_TYPED_AUTO; f < MS_TYPED_FORMATS; f++)
    if (strcmp(value, ms_typed_format_name((ms_typed_format)f)) == 0) {
      o->typed.format = (ms_typed_format)f;
      if (!ms_graph_format_find(value, &o->graph.format))
        o->graph.format = MS_FORMAT_AUTO;
      return MS_OK;
    }
  o->typed.format = MS_TYPED_AUTO;
  return ms_graph_format_find(value, &o->graph.format)
             ? MS_OK
             : refuse(
                   row, value,
                   "auto, hetionet, sif, table, typed-binary, tve, ri, or a plain format that 'motifsieve "
                   "convert --list-formats' names",
                   err);
}

ms_status ms_set_required(const ms_option_row *row, const char *value, ms_cli_options *o,
                          ms_error *err)
{
  if (o->n_required == MS_MAX_K)
    return ms_fail(err, MS_ERR_USAGE, "option --%s may be given %u times at most", row->name,
                   MS_MAX_K);
  o->required[o->n_required++] = value;
  return MS_OK;
}

/* True if the value is one character or more, each of `allowed`. */
static bool is_made_of(const char *value, const char *allowed)
{
  return *value && !value[strspn(value, allowed)];
}

ms_status ms_set_taxon(const ms_option_row *row, const char *value, ms_cli_options *o,
                       ms_error *err)
{
  return is_made_of(value, "0123456789")
             ? ms_set_text(row, value, o, err)
             : refuse(row, value, "an NCBI taxon number, such as 559292", err);
}

ms_status ms_set_aspects(const ms_option_row *row, const char *value, ms_cli_options *o,
                         ms_error *err)
{
  return is_made_of(value, "PFC")
             ? ms_set_text(row, value, o, err)
             : refuse(row, value,
                      "one or more of the letters P (process), F (function), C (component)", err);
}

/* ---- gen -------------------------------------------------------------------------- */

ms_status ms_set_quadrants(const ms_option_row *row, const char *value, ms_cli_options *o,
                           ms_error *err)
{
  const char *at = value;
  for (int q = 0; q < 4; q++) {
    char number[32];
    size_t length = strcspn(at, ",");
    bool last = at[length] == '\0';
    snprintf(number, sizeof number, "%.*s", (int)length, at);
    if (length >= sizeof number || last != (q == 3) ||
        !ms_parse_real(number, &o->gen.graph.quadrants[q]))
      return refuse(row, value, "four numbers that add up to 1, such as 0.57,0.19,0.19,0.05", err);
    at += length + !last;
  }
  return MS_OK;
}

/* Stores a number of slots, or else a motif. */
ms_status ms_set_planted(const ms_option_row *row, const char *value, ms_cli_options *o,
                         ms_error *err)
{
  uint64_t slots;
  bool motif = !is_made_of(value, "0123456789");
  o->gen.plant = true;
  o->gen.plant_motif = motif ? value : NULL;
  if (motif)
    return MS_OK;
  if (!ms_parse_count(value, 1, MS_MAX_K, &slots))
    return refuse(row, value, "a motif, or a number of slots from 1 to 32", err);
  o->gen.planted.slots = (uint32_t)slots;
  return MS_OK;
}

/* Stores the number of colours that only the background has; "random" is 0. */
ms_status ms_set_background(const ms_option_row *row, const char *value, ms_cli_options *o,
                            ms_error *err)
{
  o->gen.planted.background = 0;
  return strcmp(value, "random") == 0 ? MS_OK : ms_set_count(row, value, o, err);
}

/* ---- closed lists of words ------------------------------------------------------ */

const char *ms_graph_format_word(uint32_t i)
{
  if (i == MS_FORMAT_AUTO)
    return "auto";
  return i < MS_GRAPH_FORMATS ? ms_graph_format_describe((ms_graph_format)i).name : NULL;
}

const char *ms_written_format_word(uint32_t i)
{
  for (uint32_t f = MS_FORMAT_AUTO + 1; f < MS_GRAPH_FORMATS; f++)
    if (ms_graph_format_describe((ms_graph_format)f).writable && i-- == 0)
      return ms_graph_format_describe((ms_graph_format)f).name;
  return NULL;
}

/* Returns first the typed formats, then the plain formats with other names. */
const char *ms_typed_format_word(uint32_t i)
{
  if (i < MS_TYPED_FORMATS)
    return ms_typed_format_name((ms_typed_format)i);
  i -= MS_TYPED_FORMATS;
  for (uint32_t f = MS_FORMAT_AUTO + 1; f < MS_GRAPH_FORMATS; f++)
    if (ms_typed_format_of((ms_graph_format)f) == MS_TYPED_AUTO && i-- == 0)
      return ms_graph_format_word(f);
  return NULL;
}

const char *ms_color_format_word(uint32_t i)
{
  return i < MS_COLOR_FORMATS ? ms_color_format_name((ms_color_format)i) : NULL;
}

const char *ms_family_word(uint32_t i)
{
  return i < MS_FAMILIES ? ms_family_describe((ms_family)i).name : i == MS_FAMILIES ? "file" : NULL;
}

/* Each list is in the order of the enum that its option sets. */
#define WORDS(function, ...)                                                                       \
  const char *function(uint32_t i)                                                                 \
  {                                                                                                \
    static const char *const words[] = {__VA_ARGS__};                                              \
    return i < sizeof words / sizeof *words ? words[i] : NULL;                                     \
  }

/* starts at MS_MEASURE_EDGES */
WORDS(ms_measure_word, "edges", "density", "mean-score", "least-score", "vertex-score")
WORDS(ms_recurrence_word, "sibling", "classic")
WORDS(ms_backend_word, "auto", "cpu", "cuda", "both")
WORDS(ms_gf2_backend_word, "cpu", "cuda") /* starts at MS_BACKEND_CPU */
WORDS(ms_match_order_word, "auto", "ri", "degree", "reuse")
WORDS(ms_screen_mode_word, "auto", "always", "never")
WORDS(ms_algorithm_word, "afforest", "kahan", "bully")
WORDS(ms_moments_word, "auto", "exact", "sampled")
WORDS(ms_null_word, "labels", "degree", "edges", "rewire", "rewire-colors")
WORDS(ms_census_order_word, "sets", "z", "p", "q", "p_less", "q_less")
WORDS(ms_statistic_word, "matches", "vertices")
WORDS(ms_walk_word, "euler", "random")
WORDS(ms_new_names_word, "permuted", "numbers", "kept")
WORDS(ms_pattern_file_word, "tve", "graphml")

bool ms_word_find(ms_option_words *words, const char *value, uint32_t *i)
{
  const char *word;
  for (*i = 0; (word = words(*i)); (*i)++)
    if (strcmp(word, value) == 0)
      return true;
  return false;
}

void ms_words_join(ms_option_words *words, char *text, size_t room)
{
  size_t used = 0;
  text[0] = '\0';
  for (uint32_t i = 0; words(i) && used < room; i++)
    used += (size_t)snprintf(text + used, room - used, "%s%s",
                             i == 0         ? ""
                             : words(i + 1) ? ", "
                                            : " or ",
                             words(i));
}
