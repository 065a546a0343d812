/* The commands that write results, and the columns of their rows. */
#include "result/header.h"

#include <string.h>

const char *ms_result_command(ms_result_kind kind)
{
  switch (kind) {
  case MS_KIND_NEAREST:
  case MS_KIND_SCREEN:
  case MS_KIND_FLAGS:
  case MS_KIND_TYPED_FLAGS:
  case MS_KIND_SCREENS:
    return "screen";
  case MS_KIND_LIST:
  case MS_KIND_NEAREST_LIST:
  case MS_KIND_LISTS:
  case MS_KIND_PARTICIPATION:
  case MS_KIND_CHANCE:
    return "list";
  case MS_KIND_PATTERN:
  case MS_KIND_TYPED:
    return "match";
  case MS_KIND_MINED:
    return "mine";
  case MS_KIND_CENSUS:
  case MS_KIND_VERTEX_CENSUS:
    return "census";
  case MS_KIND_COMPARISON:
  case MS_KIND_SAMPLE_COUNTS:
    return "compare";
  case MS_KIND_COMPONENTS:
    return "components";
  case MS_KIND_PATH:
    return "path";
  }
  return NULL;
}

#define CENSUS_COLUMNS "motif\tk\tsets\tshare"
#define P_BY "p_by" /* the only statistic that is a word */
#define SIGNIFICANCE_COLUMNS "\texpected\tsd\tfold\tz\tp\tq\tp_less\tq_less\t" P_BY
#define PERMUTED_COLUMNS                                                                           \
  "\tperm_expected\tperm_sd\tperm_fold\tperm_z\tperm_p\tperm_q\tperm_p_less\tperm_q_less"
#define SUM_COLUMNS "\tperm_sum\tperm_squares\tperm_ge\tperm_le" /* of a part: MS_PERMUTED_SUMS */

static const char *census_columns(const ms_result_header *header)
{
  bool permuted = header->has & MS_HAS_PERMUTATIONS;
  if (header->has & MS_HAS_PART && permuted)
    return header->has & MS_HAS_SIGNIFICANCE ? CENSUS_COLUMNS SIGNIFICANCE_COLUMNS SUM_COLUMNS
                                             : CENSUS_COLUMNS SUM_COLUMNS;
  if (header->has & MS_HAS_PART)
    return CENSUS_COLUMNS "\tcolor_ids";
#define WITH_PERMUTED(columns)                                                                     \
  {                                                                                                \
    columns, columns PERMUTED_COLUMNS, columns PERMUTED_COLUMNS "\tperm_p_max"                     \
  }
  /* by significance; by permutations, and p_max */
  static const char *const columns[2][3] = {WITH_PERMUTED(CENSUS_COLUMNS),
                                            WITH_PERMUTED(CENSUS_COLUMNS SIGNIFICANCE_COLUMNS)};
  return columns[header->has & MS_HAS_SIGNIFICANCE ? 1 : 0]
                [permuted ? 1 + header->permutations.max_t : 0];
}

const char *ms_result_statistic(const ms_result_header *header, uint32_t i, size_t *length)
{
  const char *at = census_columns(header) + sizeof CENSUS_COLUMNS - 1, *end;
  for (end = at; *at; at = end) {
    end = strchr(++at, '\t');
    end = end ? end : at + strlen(at);
    if (i-- == 0)
      break;
  }
  *length = (size_t)(end - at);
  return at;
}

uint32_t ms_result_statistics(const ms_result_header *header)
{
  uint32_t count = 0, others = 0;
  if (header->has & MS_HAS_PART)
    others = header->has & MS_HAS_PERMUTATIONS ? MS_PERMUTED_SUMS : 1;
  if (header->kind == MS_KIND_CENSUS)
    for (const char *at = census_columns(header) + sizeof CENSUS_COLUMNS - 1; *at; at++)
      count += *at == '\t';
  return count > others ? count - others : 0;
}

bool ms_result_statistic_is_word(const char *name, size_t length)
{
  return length == sizeof P_BY - 1 && memcmp(name, P_BY, length) == 0;
}

const char *ms_result_columns(const ms_result_header *header)
{
#define LISTS(columns)                                                                             \
  {                                                                                                \
    "match\tvertices" columns, "match\tvertices\tlabels" columns,                                  \
        "match\tvertices\troles" columns, "match\tvertices\tlabels\troles" columns                 \
  }
#define MEASURES(columns)                                                                          \
  {                                                                                                \
    LISTS(columns), LISTS("\tedges\tdensity" columns),                                             \
        LISTS("\tedges\tdensity\tmean_score\tleast_score" columns)                                 \
  }
  /* by families + 2 * vertex scores, measures, and labels + 2 * roles */
  static const char *const lists[][3][4] = {MEASURES(""), MEASURES("\tfamily_size"),
                                            MEASURES("\tvertex_score"),
                                            MEASURES("\tvertex_score\tfamily_size")};
#define SCREENS(columns)                                                                           \
  {                                                                                                \
    "vertex\tcolors\tflagged\trepetitions" columns,                                                \
        "vertex\tlabel\tcolors\tflagged\trepetitions" columns                                      \
  }
  /* by profile + 2 * vertex scores + 2 * all sums, and labels */
  static const char *const screens[][2] = {
      SCREENS(""),
      SCREENS("\tscore"),
      SCREENS("\tbest_sum"),
      SCREENS("\tscore\tbest_sum"),
      SCREENS("\tbest_sum\tsums"),
      SCREENS("\tscore\tbest_sum\tsums"),
  };
  bool labels = header->labels.path, score = header->has & MS_HAS_INEXACT;
  if (header->long_rows)
    return score ? "match\tscore\tvertex\tlabel\trole" : "match\tvertex\tlabel\trole";
  switch (header->kind) {
  case MS_KIND_SCREEN:
  case MS_KIND_FLAGS:
  case MS_KIND_TYPED_FLAGS:
    if (ms_header_is_sieve_part(header))
      return labels ? "vertex\tlabel\tcolors\tvalues" : "vertex\tcolors\tvalues";
    if (header->vertex_scores.path)
      return screens[header->profile + 2 * (1 + header->all_sums)][labels];
    return screens[header->profile][labels];
  case MS_KIND_NEAREST:
    if (header->substitutes.path)
      return labels ? "vertex\tlabel\tcolors\tmissing\textra\tcost"
                    : "vertex\tcolors\tmissing\textra\tcost";
    return labels ? "vertex\tlabel\tcolors\tmissing\textra" : "vertex\tcolors\tmissing\textra";
  case MS_KIND_NEAREST_LIST:
    return labels ? "match\tcost\tmissing\textra\tvertices\tlabels"
                  : "match\tcost\tmissing\textra\tvertices";
  case MS_KIND_PARTICIPATION:
    return labels ? "vertex\tlabel\tcolors\tmatches" : "vertex\tcolors\tmatches";
  case MS_KIND_LIST:
    return lists[(header->family.share > 0) + 2 * (header->vertex_scores.path != NULL)]
                [header->measures][labels + 2 * header->roles];
  case MS_KIND_PATTERN:
  case MS_KIND_TYPED:
    return score ? "match\tscore" : "match";
  case MS_KIND_COMPONENTS:
  case MS_KIND_PATH:
  case MS_KIND_SCREENS:
  case MS_KIND_LISTS:
  case MS_KIND_MINED:
    break;
  case MS_KIND_CENSUS:
    return census_columns(header);
  case MS_KIND_VERTEX_CENSUS:
    return header->has & MS_HAS_PART ? "vertex\tmotif\tsets\tunit\tcolor_ids"
                                     : "vertex\tmotif\tsets";
  case MS_KIND_COMPARISON:
    return "motif\tk\tgroup\treference\trate\treference_rate\tlog2_ratio\tdelta\tp\tq\t"
           "log2_excess\treference_log2_excess\tlog2_excess_ratio\tp_excess\tq_excess\t"
           "permutations\texact";
  case MS_KIND_CHANCE:
    return "motif"; /* it has no rows */
  case MS_KIND_SAMPLE_COUNTS:
    return "motif\tsample\tgroup\tsets\tshare\tper_1000_vertices\texpected\tfold\tlog2_excess";
  }
  return header->columns;
}

bool ms_result_has_pattern_columns(const ms_result_header *header)
{
  return (header->kind & (MS_KIND_PATTERN | MS_KIND_TYPED)) && !header->long_rows;
}
