/* The table of columns, kind by kind, each in the order of a file. */
#include "result/columns.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define IF(name) .needs = MS_WITH_##name
#define MOST(number) .most = (number)
#define TEXT MS_CELL_TEXT
#define VERTEX MS_CELL_VERTEX
#define COUNT MS_CELL_COUNT
#define REAL MS_CELL_REAL
#define SINGLE MS_CELL_SINGLE
#define OR_NA MS_CELL_SINGLE_OR_NA

/* ---- vertices ---------------------------------------------------------------- */

#define AT(member) .at = offsetof(ms_vertex_row, member)
#define COLUMNS_OF_VERTICES                                                                        \
  {"vertex", VERTEX, AT(vertex), .meaning = "name of the vertex"},                                 \
      {"label", TEXT, AT(label), IF(LABELS), .meaning = "label of the vertex"},                    \
  {                                                                                                \
    "colors", MS_CELL_NAMES, AT(colors), .count = offsetof(ms_vertex_row, n_colors),               \
                                         .meaning = "its colours, or those that the query names"   \
  }

static const ms_result_column screen[] = {
    COLUMNS_OF_VERTICES,
    {"flagged", MS_CELL_FLAG, AT(flagged), .meaning = "whether the vertex is in a match"},
    {"repetitions", COUNT, AT(repetitions), .meaning = "repetitions of the sieve that flagged it"},
    {"score", MS_CELL_FLOAT, AT(score), IF(PROFILE), .of_flagged = true,
     .meaning = "the highest score of edges by which a match with the vertex is connected"},
    {"best_sum", COUNT, AT(best_sum), IF(VERTEX_SCORES), MOST(UINT32_MAX), .of_flagged = true,
     .meaning = "the greatest sum of vertex scores of a match with the vertex"},
    {"sums", MS_CELL_COUNTS, AT(sums), IF(ALL_SUMS), .count = offsetof(ms_vertex_row, n_sums),
     .of_flagged = true, .meaning = "the sums of all matches with the vertex, ascending"},
};

static const ms_result_column sieve_part[] = {
    COLUMNS_OF_VERTICES,
    {"values", MS_CELL_VALUES, AT(values),
     .meaning = "values of the sieve, two hexadecimal digits each"},
};

static const ms_result_column nearest[] = {
    COLUMNS_OF_VERTICES,
    {"missing", COUNT, AT(missing), MOST(MS_MAX_K), .meaning = "slots that stay empty"},
    {"extra", COUNT, AT(extra), MOST(MS_MAX_K), .meaning = "further vertices that are necessary"},
    {"cost", COUNT, AT(cost), IF(COSTS), MOST(UINT32_MAX),
     .meaning = "the least cost of a match with the vertex"},
};

static const ms_result_column participation[] = {
    COLUMNS_OF_VERTICES,
    {"matches", COUNT, AT(matches), .meaning = "matches that hold the vertex"},
};

static const ms_result_column positions[] = {
    COLUMNS_OF_VERTICES,
    {"position", MS_CELL_NAMES, AT(position), .count = offsetof(ms_vertex_row, n_position),
     IF(ROLES), .meaning = "the vertices of the pattern in whose place the vertex is"},
    {"matches", MS_CELL_DIGITS, AT(number), .meaning = "matches that hold the vertex there"},
};

/* ---- matches ----------------------------------------------------------------- */

#undef AT
#define AT(member) .at = offsetof(ms_match_row, member)
#define MATCHED .count = offsetof(ms_match_row, count)
#define NUMBER                                                                                     \
  {                                                                                                \
    "match", COUNT, AT(number), .meaning = "number of the match, from 1"                           \
  }
#define NAMES_OF_MATCH                                                                             \
  {"vertices", MS_CELL_VERTICES, AT(vertices), MATCHED, .meaning = "names of the vertices"},       \
  {                                                                                                \
    "labels", MS_CELL_NAMES, AT(labels), MATCHED, IF(LABELS), .meaning = "their labels"            \
  }

#define MEASURES_OF_MATCH                                                                          \
  {"edges",          COUNT,                                                                        \
   AT(edges),        IF(MEASURES),                                                                 \
   MOST(UINT32_MAX), .meaning = "edges between the vertices"},                                     \
      {"density",                                                                                  \
       SINGLE,                                                                                     \
       AT(density),                                                                                \
       IF(MEASURES),                                                                               \
       .not_negative = true,                                                                       \
       .meaning = "edges by the number of pairs of vertices"},                                     \
      {"mean_score", SINGLE, AT(mean_score), IF(SCORES), .meaning = "mean score of these edges"},  \
      {"least_score", SINGLE, AT(least_score), IF(SCORES),                                         \
       .meaning = "least score of these edges"},                                                   \
  {                                                                                                \
    "vertex_score", COUNT, AT(vertex_score), IF(VERTEX_SCORES),                                    \
        .meaning = "sum of the scores of the vertices"                                             \
  }

static const ms_result_column list[] = {
    NUMBER,
    NAMES_OF_MATCH,
    {"roles", MS_CELL_NAMES, AT(roles), MATCHED, IF(ROLES), .meaning = "the slots that they fill"},
    MEASURES_OF_MATCH,
    {"family_size", COUNT, AT(family_size), IF(FAMILIES),
     .meaning = "matches for which the row stands"},
};

#define COST_OF_MATCH                                                                              \
  {"cost", COUNT, AT(cost), MOST(UINT32_MAX), .meaning = "cost of the match"},                     \
      {"missing", COUNT, AT(missing), MOST(UINT32_MAX), .meaning = "number of unfilled slots"},    \
  {                                                                                                \
    "extra", COUNT, AT(extra), MOST(UINT32_MAX), .meaning = "number of extra vertices"             \
  }
#define EXTRA_VERTICES                                                                             \
  {                                                                                                \
    "extra_vertices", MS_CELL_VERTICES, AT(extra_vertices),                                        \
        .count = offsetof(ms_match_row, n_extra), .meaning = "the vertices that fill no slot"      \
  }

static const ms_result_column nearest_list[] = {
    NUMBER,
    COST_OF_MATCH,
    NAMES_OF_MATCH,
    {"roles", MS_CELL_NAMES, AT(roles), MATCHED, IF(ROLES),
     .meaning = "the slots that they fill; of an extra vertex: extra"},
    {"unfilled", MS_CELL_NAMES, AT(unfilled), .count = offsetof(ms_match_row, n_unfilled),
     .meaning = "the unfilled slots"},
    EXTRA_VERTICES,
};

/* A row for each slot, and behind them one for each extra vertex. */
static const ms_result_column nearest_long[] = {
    NUMBER,
    COST_OF_MATCH,
    {"vertex", VERTEX, AT(vertices), .meaning = "name of the vertex; of an unfilled slot: empty"},
    {"label", TEXT, AT(labels), .meaning = "label of the vertex"},
    {"role", TEXT, AT(roles), .meaning = "the slot; of an extra vertex: extra"},
};

/* A row with a column for each slot, empty where it is unfilled. */
static const ms_result_column nearest_wide[] = {
    NUMBER,
    COST_OF_MATCH,
    EXTRA_VERTICES,
    {"extra_labels", MS_CELL_NAMES, AT(extra_labels), IF(LABELS),
     .count = offsetof(ms_match_row, n_extra), .meaning = "their labels"},
    NAMES_OF_MATCH,
};

/* In TSV, the vertices of the pattern have columns at the end of a row. */
static const ms_result_column map[] = {
    NUMBER,
    {"score", COUNT, AT(score), IF(MAP_SCORES), MOST(UINT32_MAX),
     .meaning = "arcs of the pattern that the match has"},
    MEASURES_OF_MATCH,
    NAMES_OF_MATCH,
    {"roles", MS_CELL_NAMES, AT(roles), MATCHED, IF(ROLES),
     .meaning = "what they are in the pattern"},
};

/* A row for each vertex of a match, which readers put together. */
static const ms_result_column long_rows[] = {
    NUMBER,
    {"score", COUNT, AT(score), IF(MAP_SCORES), MOST(UINT32_MAX),
     .meaning = "arcs of the pattern that the match has"},
    MEASURES_OF_MATCH,
    {"family_size", COUNT, AT(family_size), IF(FAMILIES),
     .meaning = "matches for which the row stands"},
    {"vertex", VERTEX, AT(vertices), .meaning = "name of the vertex"},
    {"label", TEXT, AT(labels), .meaning = "label of the vertex"},
    {"role", TEXT, AT(roles), .meaning = "the slot, or the pattern's vertex, that it fills"},
};

/* A row with a column for each slot, which in TSV are at the end. */
static const ms_result_column wide_rows[] = {
    NUMBER,
    MEASURES_OF_MATCH,
    {"family_size", COUNT, AT(family_size), IF(FAMILIES),
     .meaning = "matches for which the row stands"},
    NAMES_OF_MATCH,
};

/* ---- censuses ---------------------------------------------------------------- */

#undef AT
#define AT(member) .at = offsetof(ms_census_row, member)
#define FORMULA(name, which, text)                                                                 \
  {                                                                                                \
    name, REAL, AT(statistic[MS_STAT_##which]), IF(FORMULA), .meaning = text                       \
  }
#define PERMUTED(name, which, text)                                                                \
  {                                                                                                \
    "perm_" name, REAL, AT(statistic[MS_STAT_PERMUTED + MS_STAT_##which]), IF(PERMUTED),           \
        .meaning = text " of the permutations"                                                     \
  }
#define SUM(name, cell, i, text)                                                                   \
  {                                                                                                \
    "perm_" name, cell, AT(sum[i]), IF(SUMS), .meaning = text                                      \
  }
#define IDS(part)                                                                                  \
  {                                                                                                \
    "color_ids", MS_CELL_IDS, AT(color_id), IF(part), .count = offsetof(ms_census_row, n_ids),     \
                                                      .meaning = "numbers of the motif's colours"  \
  }

#define COLUMNS_OF_PERMUTATIONS(things, kind)                                                      \
  PERMUTED("expected", EXPECTED, "mean number of " things),                                        \
      PERMUTED("sd", SD, "standard deviation"),                                                    \
      PERMUTED("fold", FOLD, things " by perm_expected"),                                          \
      PERMUTED("z", Z, things " less perm_expected, by perm_sd"),                                  \
      PERMUTED("p", P, "share with at least as many " things),                                     \
      PERMUTED("q", Q, "perm_p, adjusted for the number of tests"),                                \
      PERMUTED("p_less", P_LESS, "share with at most as many " things),                            \
      PERMUTED("q_less", Q_LESS, "perm_p_less, adjusted for the number of tests"),                 \
      {"perm_p_max", REAL, AT(statistic[MS_STAT_PERMUTED + MS_STAT_P_MAX]), IF(MAX_T),             \
       .meaning = "share of the permutations in which some " kind " has at least this perm_z"},    \
      SUM("sum", MS_CELL_INTEGER, 0,                                                               \
          "sum of the numbers of " things " of permutations less that of the graph"),              \
      SUM("squares", MS_CELL_DIGITS, 1, "sum of the squares of these differences"),                \
      SUM("ge", MS_CELL_DIGITS, 2, "permutations with at least as many " things),                  \
      SUM("le", MS_CELL_DIGITS, 3, "permutations with at most as many " things)

static const ms_result_column census[] = {
    {"motif", TEXT, AT(motif), .meaning = "the motif"},
    {"k", MS_CELL_K, .meaning = "its number of slots"},
    {"sets", COUNT, AT(sets), .meaning = "connected sets that fit it"},
    {"share", SINGLE, AT(share), .not_negative = true,
     .meaning = "their share of all connected sets"},
    FORMULA("expected", EXPECTED, "mean number of sets under the null"),
    FORMULA("sd", SD, "its standard deviation"),
    FORMULA("fold", FOLD, "sets by expected"),
    FORMULA("z", Z, "sets less expected, by sd"),
    FORMULA("p", P, "chance of at least as many sets"),
    FORMULA("q", Q, "p, adjusted for the number of tests"),
    FORMULA("p_less", P_LESS, "chance of at most as many sets"),
    FORMULA("q_less", Q_LESS, "p_less, adjusted for the number of tests"),
    {"p_by", MS_CELL_WORD, AT(statistic[MS_STAT_P_BY]), IF(FORMULA), .words = MS_WORDS_P_BY,
     .meaning = "where p comes from: a fit, or a bound"},
    COLUMNS_OF_PERMUTATIONS("sets", "motif"),
    IDS(PART),
};

static const ms_result_column shapes[] = {
    {"shape", TEXT, AT(motif), .meaning = "the shape, as a pattern for match"},
    {"name", TEXT, AT(name), .meaning = "its name, or NA"},
    {"graph6", TEXT, AT(graph6), .meaning = "the shape in graph6, or digraph6"},
    {"k", MS_CELL_K, .meaning = "its number of vertices"},
    {"edges", COUNT, AT(edges), .meaning = "its edges, or arcs"},
    {"automorphisms", COUNT, AT(automorphisms), .meaning = "its automorphisms"},
    {"sets", COUNT, AT(sets), .meaning = "connected sets of this shape, or its subgraphs"},
    {"share", OR_NA, AT(share), .not_negative = true,
     .meaning = "their share of all connected sets"},
    {"expected", REAL, AT(statistic[MS_STAT_EXPECTED]), IF(MEAN), .not_negative = true,
     .meaning = "mean number of sets of all labellings, by formula"},
    COLUMNS_OF_PERMUTATIONS("sets", "motif"),
    {"perm_profile", REAL, AT(statistic[MS_STAT_PROFILE]), IF(PERMUTED),
     .meaning = "perm_z by the root of the sum of all squares of perm_z"},
    IDS(COLORED_PART),
};

/* Permutations of one motif, which have no rows. */
static const ms_result_column chance[] = {{"motif", TEXT, AT(motif), .meaning = "the motif"}};

static const ms_result_column vertex_census[] = {
    {"vertex", VERTEX, AT(vertex), .meaning = "name of the vertex"},
    {"motif", TEXT, AT(motif), .meaning = "the motif"},
    {"sets", COUNT, AT(sets), .meaning = "connected sets with the vertex that fit it"},
    {"unit", COUNT, AT(unit), IF(PART), .meaning = "number of the unit of work"},
    IDS(PART),
};

static const ms_result_column orbits[] = {
    {"vertex", VERTEX, AT(vertex), .meaning = "name of the vertex"},
    {"orbit", COUNT, AT(orbit), MOST(UINT32_MAX), .meaning = "number of the orbit"},
    {"shape", TEXT, AT(motif), .meaning = "its shape, as a pattern for match"},
    {"name", TEXT, AT(name), .meaning = "name of the shape, or NA"},
    {"position", TEXT, AT(position), .meaning = "the first vertex of the shape in the orbit"},
    {"sets", COUNT, AT(sets), .meaning = "connected sets in which the vertex has the position"},
};

#undef AT
#define AT(member) .at = offsetof(ms_pattern_row, member)

static const ms_result_column patterns[] = {
    {"name", TEXT, AT(name), .meaning = "name of the pattern"},
    {"pattern", TEXT, AT(pattern), .meaning = "the pattern, as a text for match"},
    {"vertices", COUNT, AT(vertices), MOST(MS_MAX_PATTERN), .meaning = "its number of vertices"},
    {"edges", COUNT, AT(edges), MOST(UINT32_MAX), .meaning = "its number of edges, or arcs"},
    {"automorphisms", MS_CELL_DIGITS, AT(automorphisms),
     .meaning = "its automorphisms, with its colours"},
    {"matches", MS_CELL_DIGITS, AT(matches), .meaning = "its number of matches"},
    {"status", TEXT, AT(status), .meaning = "whether the count is complete, or a lower bound"},
    COLUMNS_OF_PERMUTATIONS("matches", "pattern"),
};

/* ---- samples ------------------------------------------------------------------- */

#undef AT
#define AT(member) .at = offsetof(ms_compared_row, member)

static const ms_result_column comparison[] = {
    {"motif", TEXT, AT(motif), .meaning = "the motif"},
    {"k", MS_CELL_K, .meaning = "its number of slots"},
    {"group", TEXT, AT(group), .meaning = "a group of samples"},
    {"reference", TEXT, AT(reference), .meaning = "the group with which it is compared, or *"},
    {"rate", OR_NA, AT(number[0]), .meaning = "mean share of the motif in the group"},
    {"reference_rate", OR_NA, AT(number[1]), .meaning = "the same of the reference"},
    {"log2_ratio", OR_NA, AT(number[2]), .meaning = "logarithm of their ratio, base 2"},
    {"delta", OR_NA, AT(number[3]), .meaning = "Cliff's delta"},
    {"p", OR_NA, AT(number[4]), .meaning = "p of the permutations for the ratio"},
    {"q", OR_NA, AT(number[5]), .meaning = "p, adjusted for the number of tests"},
    {"log2_excess", OR_NA, AT(number[6]),
     .meaning = "logarithm of observed by expected share, base 2"},
    {"reference_log2_excess", OR_NA, AT(number[7]), .meaning = "the same of the reference"},
    {"log2_excess_ratio", OR_NA, AT(number[8]), .meaning = "the difference of the two"},
    {"p_excess", OR_NA, AT(number[9]), .meaning = "p of the permutations for this difference"},
    {"q_excess", OR_NA, AT(number[10]), .meaning = "p_excess, adjusted for the number of tests"},
    {"permutations", COUNT, AT(permutations), .meaning = "permutations that were made"},
    {"exact", MS_CELL_FLAG, AT(exact), .meaning = "whether these are all that there are"},
};

static const ms_result_column sample_counts[] = {
    {"motif", TEXT, AT(motif), .meaning = "the motif"},
    {"sample", TEXT, AT(sample), .meaning = "the sample"},
    {"group", TEXT, AT(group), .meaning = "its group"},
    {"sets", COUNT, AT(sets), .meaning = "connected sets of the sample that fit the motif"},
    {"share", OR_NA, AT(number[0]), .meaning = "their share of the sample's connected sets"},
    {"per_1000_vertices", OR_NA, AT(number[1]), .meaning = "sets by thousands of vertices"},
    {"expected", OR_NA, AT(number[2]), .meaning = "mean number under permuted colours"},
    {"fold", OR_NA, AT(number[3]), .meaning = "sets by expected"},
    {"log2_excess", OR_NA, AT(number[4]),
     .meaning = "logarithm of observed by expected share, base 2"},
};

/* ---- tables ---------------------------------------------------------------------- */

#undef AT
#define AT(member) .at = offsetof(ms_motif_row, member)
#define MOTIF_NAME                                                                                 \
  {"name", TEXT, AT(name), .meaning = "name of the motif"},                                        \
  {                                                                                                \
    "k", COUNT, AT(k), MOST(UINT32_MAX), .meaning = "its number of slots"                          \
  }
#define FLAGGED                                                                                    \
  {                                                                                                \
    "flagged", COUNT, AT(flagged), MOST(UINT32_MAX), .meaning = "vertices that are in a match"     \
  }
#define OUTCOME                                                                                    \
  {"mode", TEXT, AT(mode), .meaning = "exact or screened"},                                        \
      {"miss_bound", MS_CELL_BOUND, AT(miss_bound), .not_negative = true,                          \
       .meaning = "bound of the chance of a miss"},                                                \
      {"status", TEXT, AT(status), .meaning = "whether the search is complete"},                   \
      {"seconds",   MS_CELL_SECONDS,      AT(seconds),                                             \
       IF(SECONDS), .not_negative = true, .meaning = "time of the search"},                        \
  {                                                                                                \
    "motif", TEXT, AT(motif), .meaning = "the motif"                                               \
  }

static const ms_result_column screens[] = {MOTIF_NAME, FLAGGED, OUTCOME};
static const ms_result_column lists[] = {
    MOTIF_NAME,
    {"matches", MS_CELL_DIGITS, AT(matches), .meaning = "its number of matches"},
    OUTCOME};
static const ms_result_column mined[] = {
    MOTIF_NAME, FLAGGED, {"motif", TEXT, AT(motif), .meaning = "the motif"}};

#undef AT
#define AT(member) .at = offsetof(ms_component_row, member)
#define COMPONENT                                                                                  \
  {"component", COUNT, AT(component), MOST(UINT32_MAX), .meaning = "number of the component"},     \
  {                                                                                                \
    "size", COUNT, AT(size), MOST(UINT32_MAX), .meaning = "its number of vertices"                 \
  }

static const ms_result_column components[] = {
    {"vertex", VERTEX, AT(vertex), .meaning = "name of the vertex"}, COMPONENT};
static const ms_result_column component_sizes[] = {
    COMPONENT, {"example", VERTEX, AT(vertex), .meaning = "its first vertex"}};

/* Paths have several lines a row, and readers and writers of their own. */
static const ms_result_column paths[] = {
    {"pair", COUNT, .meaning = "number of the pair, from 1"},
    {"source", VERTEX, .meaning = "where the path begins"},
    {"target", VERTEX, .meaning = "where it ends"},
    {"length", COUNT, .meaning = "its number of edges"},
    {"step", COUNT, .meaning = "place of the vertex on the path, from 0"},
    {"type", TEXT, .meaning = "type of the edge that leads to it"},
    {"vertex", VERTEX, .meaning = "name of the vertex"},
};
static const ms_result_column path_lengths[] = {
    {"source", VERTEX, .meaning = "where the path begins"},
    {"target", VERTEX, .meaning = "where it ends"},
    {"length", COUNT, .meaning = "its number of edges"},
};

/* ---- kinds --------------------------------------------------------------------- */

/* In an order in which a kind stands behind the one that it is told from. */
const ms_kind ms_result_kinds[] = {
    {MS_KIND_SCREEN, "screen", 0, NULL, "a colour motif", MS_DRAWS_VERTICES, 0},
    {MS_KIND_FLAGS, "pattern screen", MS_KIND_SCREEN, "pattern", NULL, MS_DRAWS_VERTICES, 0},
    {MS_KIND_TYPED_FLAGS, "typed screen", MS_KIND_FLAGS, "kind", NULL, MS_DRAWS_VERTICES, 0},
    {MS_KIND_NEAREST, "nearest screen", MS_KIND_SCREEN, "max_missing", "a colour motif",
     MS_DRAWS_VERTICES, MS_PAGE_ROLES},
    {MS_KIND_SCREENS, "screens", MS_KIND_SCREEN, "motifs", "many motifs", MS_DRAWS_NOTHING,
     MS_PAGE_NO_CHECK},
    {MS_KIND_LIST, "list", 0, NULL, "a colour motif", MS_DRAWS_VERTICES, MS_PAGE_ROLES},
    {MS_KIND_NEAREST_LIST, "nearest list", MS_KIND_LIST, "max_missing", "a colour motif",
     MS_DRAWS_VERTICES, MS_PAGE_ROLES},
    {MS_KIND_PARTICIPATION, "participation", MS_KIND_LIST, "participation", "a colour motif",
     MS_DRAWS_VERTICES, 0},
    {MS_KIND_CHANCE, NULL, MS_KIND_LIST, "statistic", "a colour motif", MS_DRAWS_NOTHING, 0},
    {MS_KIND_LISTS, "lists", MS_KIND_LIST, "motifs", "many motifs", MS_DRAWS_NOTHING,
     MS_PAGE_NO_CHECK},
    {MS_KIND_PATTERN, "match", 0, NULL, NULL, MS_DRAWS_VERTICES, 0},
    {MS_KIND_TYPED, "typed match", MS_KIND_PATTERN, "kind", NULL, MS_DRAWS_VERTICES, 0},
    {MS_KIND_PATTERN_PARTICIPATION, "pattern participation", MS_KIND_PATTERN, "participation", NULL,
     MS_DRAWS_VERTICES, 0},
    {MS_KIND_TYPED_PARTICIPATION, "typed participation", MS_KIND_TYPED, "participation", NULL,
     MS_DRAWS_VERTICES, 0},
    {MS_KIND_PATTERNS, "patterns", MS_KIND_PATTERN, "patterns", "a table of patterns",
     MS_DRAWS_NOTHING, 0},
    {MS_KIND_MINED, "mined", 0, NULL, "many motifs", MS_DRAWS_NOTHING, 0},
    {MS_KIND_CENSUS, "census", 0, NULL, "a census of motifs", MS_DRAWS_NOTHING, 0},
    {MS_KIND_VERTEX_CENSUS, "vertex census", MS_KIND_CENSUS, "per_vertex", "a census of motifs",
     MS_DRAWS_NOTHING, 0},
    {MS_KIND_COMPARISON, "comparison", 0, NULL, "motifs in samples", MS_DRAWS_NOTHING,
     MS_PAGE_NO_GRAPH},
    {MS_KIND_SAMPLE_COUNTS, "sample counts", MS_KIND_COMPARISON, "per_sample", "motifs in samples",
     MS_DRAWS_NOTHING, MS_PAGE_NO_GRAPH},
    {MS_KIND_COMPONENTS, "components", 0, NULL, "the components of a graph", MS_DRAWS_WALKS,
     MS_PAGE_SIZES},
    {MS_KIND_PATH, "paths", 0, NULL, "shortest paths", MS_DRAWS_WALKS, 0},
};
const uint32_t ms_result_kind_count = sizeof ms_result_kinds / sizeof *ms_result_kinds;

const ms_kind *ms_kind_of(ms_result_kind kind)
{
  const ms_kind *row = ms_result_kinds;
  while (row->kind != kind)
    row++;
  return row;
}

#define OF(columns) columns, sizeof(columns) / sizeof *(columns)
#define MAPS (MS_KIND_PATTERN | MS_KIND_TYPED)

/* Of several rows that fit a result, the first counts. */
const ms_row_kind ms_row_kinds[] = {
    {MS_KIND_SCREEN, MS_WITH_PART, "screen", "screen_part", "vertex", OF(sieve_part)},
    {MS_KIND_SCREEN | MS_KIND_FLAGS | MS_KIND_TYPED_FLAGS, 0, "screen", "screen", "vertex",
     OF(screen)},
    {MS_KIND_NEAREST, 0, "screen", "nearest", "nearest", OF(nearest)},
    {MS_KIND_SCREENS, 0, "screen", "screens", "motif", OF(screens)},
    {MS_KIND_LIST, MS_WITH_LONG_ROWS, "list", "list_long", "match", OF(long_rows)},
    {MS_KIND_LIST, MS_WITH_WIDE_ROWS, "list", "list_wide", "match", OF(wide_rows)},
    {MAPS, MS_WITH_LONG_ROWS, "match", "match_long", "match", OF(long_rows)},
    {MS_KIND_LIST, 0, "list", "list", "match", OF(list)},
    {MS_KIND_NEAREST_LIST, MS_WITH_LONG_ROWS, "list", "nearest_long", "match", OF(nearest_long)},
    {MS_KIND_NEAREST_LIST, MS_WITH_WIDE_ROWS, "list", "nearest_wide", "match", OF(nearest_wide)},
    {MS_KIND_NEAREST_LIST, 0, "list", "nearest_list", "match", OF(nearest_list)},
    {MS_KIND_LISTS, 0, "list", "lists", "motif", OF(lists)},
    {MS_KIND_PARTICIPATION, 0, "list", "participation", "participant", OF(participation)},
    {MS_KIND_CHANCE, 0, "list", "permutations", NULL, OF(chance)},
    {MS_KINDS_OF_POSITIONS, 0, "match", "match_participation", "pattern_participant",
     OF(positions)},
    {MAPS, 0, "match", "match", "match", OF(map)},
    {MS_KIND_PATTERNS, 0, "match", "patterns", "pattern", OF(patterns)},
    {MS_KIND_MINED, 0, "mine", "mine", "mined", OF(mined)},
    {MS_KIND_CENSUS, MS_WITH_SHAPES, "census", "shapes", "shape", OF(shapes)},
    {MS_KIND_CENSUS, 0, "census", "census", "census", OF(census)},
    {MS_KIND_VERTEX_CENSUS, MS_WITH_SHAPES, "census", "orbits", "orbit", OF(orbits)},
    {MS_KIND_VERTEX_CENSUS, 0, "census", "census_vertex", "census_vertex", OF(vertex_census)},
    {MS_KIND_COMPARISON, 0, "compare", "compare", "comparison", OF(comparison)},
    {MS_KIND_SAMPLE_COUNTS, 0, "compare", "sample_counts", "sample_count", OF(sample_counts)},
    {MS_KIND_COMPONENTS, MS_WITH_SIZES, "components", "component_sizes", "component",
     OF(component_sizes)},
    {MS_KIND_COMPONENTS, 0, "components", "components", "vertex", OF(components)},
    {MS_KIND_PATH, MS_WITH_LENGTHS, "path", "path_lengths", "path", OF(path_lengths)},
    {MS_KIND_PATH, 0, "path", "path", "path", OF(paths)},
};
const uint32_t ms_row_kind_count = sizeof ms_row_kinds / sizeof *ms_row_kinds;

bool ms_result_has_mean(const ms_result_header *h)
{
  const uint32_t all = MS_HAS_SHAPES | MS_HAS_COLORS | MS_HAS_PERMUTATIONS;
  return (h->has & all) == all && h->permutations.null_kind == MS_NULL_LABELS &&
         !h->permutations.strata;
}

/* Returns the bits MS_WITH_ of a result. */
static unsigned properties(const ms_result_header *h)
{
  bool part = h->has & MS_HAS_PART, permuted = h->has & MS_HAS_PERMUTATIONS;
  bool sums = part && permuted;
  return h->layout | (h->labels.path ? MS_WITH_LABELS : 0) | (h->roles ? MS_WITH_ROLES : 0) |
         (h->measures != MS_MEASURES_NONE ? MS_WITH_MEASURES : 0) |
         (h->measures == MS_MEASURES_SCORES ? MS_WITH_SCORES : 0) |
         (h->vertex_scores.path ? MS_WITH_VERTEX_SCORES : 0) |
         (h->all_sums && h->vertex_scores.path ? MS_WITH_ALL_SUMS : 0) |
         (h->family.share > 0 ? MS_WITH_FAMILIES : 0) | (h->profile ? MS_WITH_PROFILE : 0) |
         (h->substitutes.path ? MS_WITH_COSTS : 0) |
         (h->has & MS_HAS_INEXACT ? MS_WITH_MAP_SCORES : 0) |
         (h->row_form == MS_ROWS_LONG ? MS_WITH_LONG_ROWS : 0) |
         (h->row_form == MS_ROWS_WIDE ? MS_WITH_WIDE_ROWS : 0) |
         (h->has & MS_HAS_SHAPES ? MS_WITH_SHAPES : 0) |
         (h->has & MS_HAS_SIGNIFICANCE ? MS_WITH_FORMULA : 0) |
         (permuted && !part ? MS_WITH_PERMUTED : 0) |
         (permuted && !part && h->permutations.max_t ? MS_WITH_MAX_T : 0) |
         (sums ? MS_WITH_SUMS : 0) | (part && !sums ? MS_WITH_PART : 0) |
         (part && !sums && h->has & MS_HAS_COLORS ? MS_WITH_COLORED_PART : 0) |
         (ms_result_has_mean(h) ? MS_WITH_MEAN : 0);
}

ms_row_columns ms_row_columns_of(const ms_result_header *h)
{
  ms_row_columns columns = {.kind = NULL};
  unsigned with = properties(h);
  for (uint32_t i = 0; i < ms_row_kind_count && !columns.kind; i++) {
    const ms_row_kind *kind = &ms_row_kinds[i];
    if (kind->kinds & h->kind && (kind->needs & ~with) == 0)
      columns.kind = kind;
  }
  for (uint32_t i = 0; columns.kind && i < columns.kind->count; i++) {
    const ms_result_column *c = &columns.kind->columns[i];
    if ((c->needs & ~with) == 0)
      columns.at[columns.count++] = c;
  }
  return columns;
}

const ms_result_column *ms_row_columns_find(const ms_row_columns *columns, const char *name)
{
  for (uint32_t i = 0; i < columns->count; i++)
    if (strcmp(columns->at[i]->name, name) == 0)
      return columns->at[i];
  return NULL;
}

const char *ms_result_command(ms_result_kind kind)
{
  for (uint32_t i = 0; i < ms_row_kind_count; i++)
    if (ms_row_kinds[i].kinds & kind)
      return ms_row_kinds[i].command;
  return NULL;
}

bool ms_result_has_pattern_columns(const ms_result_header *header)
{
  return header->kind & MAPS ? header->row_form != MS_ROWS_LONG : header->row_form == MS_ROWS_WIDE;
}

bool ms_result_counts_lines(const ms_result_header *header)
{
  return header->kind == MS_KIND_NEAREST_LIST && header->row_form == MS_ROWS_LONG;
}

uint32_t ms_result_pattern_columns(const ms_result_header *header)
{
  return header->kind & MAPS ? header->pattern.vertices : header->k;
}

bool ms_column_is_spread(const ms_result_header *header, const ms_result_column *column)
{
  return ms_result_has_pattern_columns(header) && column->type >= MS_CELL_NAMES &&
         column->count == offsetof(ms_match_row, count);
}

const char *ms_row_columns_title(const ms_result_header *header, char text[MS_TITLE_BYTES])
{
  ms_row_columns columns = ms_row_columns_of(header);
  size_t length = 0;
  text[0] = '\0';
  for (uint32_t i = 0; i < columns.count; i++)
    if (!ms_column_is_spread(header, columns.at[i]))
      length += (size_t)snprintf(text + length, MS_TITLE_BYTES - length, "%s%s", i ? "\t" : "",
                                 columns.at[i]->name);
  return text;
}

const char *ms_cell_type_text(ms_cell_type type)
{
  static const char *const texts[] = {[MS_CELL_TEXT] = "text",
                                      [MS_CELL_VERTEX] = "the name of a vertex",
                                      [MS_CELL_DIGITS] = "a whole number",
                                      [MS_CELL_INTEGER] = "a whole number, perhaps negative",
                                      [MS_CELL_COUNT] = "a whole number",
                                      [MS_CELL_K] = "the k of the header",
                                      [MS_CELL_FLAG] = "0 or 1, in JSON false or true",
                                      [MS_CELL_VALUES] =
                                          "two hexadecimal digits for each repetition, or nothing",
                                      [MS_CELL_REAL] = "a number or " MS_NO_VALUE,
                                      [MS_CELL_SINGLE] = "a number",
                                      [MS_CELL_SINGLE_OR_NA] = "a number or " MS_NO_VALUE,
                                      [MS_CELL_FLOAT] = "a number",
                                      [MS_CELL_BOUND] = "a number",
                                      [MS_CELL_SECONDS] = "a number",
                                      [MS_CELL_WORD] = "a word or " MS_NO_VALUE,
                                      [MS_CELL_IDS] = "whole numbers that do not descend",
                                      [MS_CELL_COUNTS] = "whole numbers that ascend",
                                      [MS_CELL_NAMES] = "names",
                                      [MS_CELL_VERTICES] = "names of vertices"};
  return texts[type];
}

/* ---- for programs ---------------------------------------------------------------- */

const char *ms_columns_kind(uint32_t i)
{
  return i < ms_row_kind_count ? ms_row_kinds[i].name : NULL;
}

/* Returns when a result has columns that need this property. */
static const char *when(unsigned needs)
{
  static const struct {
    unsigned bit;
    const char *text;
  } texts[] = {{MS_WITH_LABELS, "with labels"},
               {MS_WITH_ROLES, "with roles"},
               {MS_WITH_MEASURES, "with measures of density or scores"},
               {MS_WITH_SCORES, "with measures of scores"},
               {MS_WITH_VERTEX_SCORES, "with scores of vertices"},
               {MS_WITH_ALL_SUMS, "with all sums of vertex scores"},
               {MS_WITH_FAMILIES, "with families"},
               {MS_WITH_PROFILE, "with the profile"},
               {MS_WITH_COSTS, "with substitutions"},
               {MS_WITH_MAP_SCORES, "in inexact results"},
               {MS_WITH_FORMULA, "with significance by formula"},
               {MS_WITH_PERMUTED, "with permutations"},
               {MS_WITH_MAX_T, "with the greatest z of each permutation"},
               {MS_WITH_SUMS, "in a part of permutations"},
               {MS_WITH_PART, "in a part of a run"},
               {MS_WITH_COLORED_PART, "in a part, of shapes with colours"},
               {MS_WITH_MEAN, "of shapes whose colours are permuted, without strata"},
               {MS_WITH_SECONDS, "with times"}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (texts[i].bit == needs)
      return texts[i].text;
  return "";
}

uint32_t ms_columns(const char *kind, uint32_t room, ms_column_info *out)
{
  for (uint32_t i = 0; kind && i < ms_row_kind_count; i++) {
    const ms_row_kind *rows = &ms_row_kinds[i];
    if (strcmp(rows->name, kind) != 0)
      continue;
    for (uint32_t c = 0; c < rows->count && c < room; c++) {
      const ms_result_column *column = &rows->columns[c];
      out[c] = (ms_column_info){column->name, ms_cell_type_text(column->type), when(column->needs),
                                column->meaning};
    }
    return rows->count;
  }
  return 0;
}
