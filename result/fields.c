/* The table of fields, in the order in which a file holds them. */
#include "result/header.h"

#define SCREEN MS_KIND_SCREEN
#define LIST MS_KIND_LIST
#define PATTERN MS_KIND_PATTERN
#define TYPED MS_KIND_TYPED
#define COMPONENTS MS_KIND_COMPONENTS
#define PATH MS_KIND_PATH
#define TAKING MS_KIND_PARTICIPATION
#define POSITIONS MS_KINDS_OF_POSITIONS
#define NEAREST MS_KIND_NEAREST
#define NEAR_LIST MS_KIND_NEAREST_LIST
#define MOTIF (SCREEN | LIST | TAKING | NEAREST | NEAR_LIST)
#define MOTIFS MS_KINDS_OF_MOTIFS
#define MATCHES (PATTERN | TYPED)
#define FLAGS (MS_KIND_FLAGS | MS_KIND_TYPED_FLAGS)
#define VERTICES MS_KINDS_OF_VERTICES
#define PLAIN_PATTERN MS_KINDS_PLAIN_PATTERN
#define TYPED_PATTERN MS_KINDS_TYPED
#define OF_PATTERN (PLAIN_PATTERN | TYPED_PATTERN)
#define SCREENED (MOTIF | OF_PATTERN)
#define CENSUS MS_KINDS_OF_CENSUSES
#define COMPARED MS_KIND_COMPARISON
#define SAMPLES MS_KINDS_OF_SAMPLES
#define CHANCE MS_KIND_CHANCE
#define SET MS_KIND_PATTERNS
#define ALL                                                                                        \
  (MOTIF | CHANCE | MOTIFS | MS_KIND_MINED | CENSUS | SAMPLES | OF_PATTERN | SET | COMPONENTS |    \
   PATH)

#define HEAD MS_IN_HEAD
#define COUNT MS_IN_COUNT
#define END MS_IN_END

#define COLORED (MS_HAS_COLORS | MS_HAS_PLAIN)

#define AT(member) .at = offsetof(ms_result_header, member)
#define IF(bits) .needs = (bits)
#define UNLESS(bits) .lacks = (bits)
#define PART(name) .part = MS_PART_##name
#define WORDS(name) .words = MS_WORDS_##name
#define OPTIONAL .optional = true

static const char graph[] = "graph", colors[] = "colors", pattern[] = "pattern";

#define PLAIN(key, lead, type, ...)                                                                \
  {                                                                                                \
    key, lead, graph, MS_FIELD_##type, ALL, HEAD, IF(MS_HAS_PLAIN), __VA_ARGS__                    \
  }
#define TYPED_GRAPH(key, lead, type, ...)                                                          \
  {                                                                                                \
    key, lead, graph, MS_FIELD_##type, TYPED_PATTERN | PATH, HEAD, UNLESS(MS_HAS_PLAIN),           \
        __VA_ARGS__                                                                                \
  }
#define COLORING(key, lead, type, ...)                                                             \
  {                                                                                                \
    key, lead, colors, MS_FIELD_##type,                                                            \
        MOTIF | CHANCE | MOTIFS | MS_KIND_MINED | CENSUS | SAMPLES | OF_PATTERN | SET, HEAD,       \
        IF(COLORED), __VA_ARGS__                                                                   \
  }
#define EACH_SAMPLE(key, lead, member, number, in)                                                 \
  {                                                                                                \
    key, lead, NULL, MS_FIELD_NAMES, SAMPLES, HEAD,                                                \
        .of_samples = true, .at = offsetof(ms_sample_texts, member),                               \
        .count = offsetof(ms_result_header, samples.number), .most = MS_MAX_SAMPLES, OPTIONAL,     \
        .part = MS_PART_##in                                                                       \
  }
#define PERMUTED(key, lead, type, ...)                                                             \
  {                                                                                                \
    key, lead, NULL, MS_FIELD_##type, MS_KIND_CENSUS | CHANCE | SET, HEAD,                         \
        IF(MS_HAS_PERMUTATIONS), __VA_ARGS__                                                       \
  }
#define SIGNIFICANT(key, lead, type, ...)                                                          \
  {                                                                                                \
    key, lead, NULL, MS_FIELD_##type, MS_KIND_CENSUS, HEAD, IF(MS_HAS_SIGNIFICANCE), __VA_ARGS__   \
  }
#define SWAPPED(key, lead, type, ...)                                                              \
  {                                                                                                \
    key, lead, NULL, MS_FIELD_##type, MS_KIND_CENSUS | CHANCE | SET, HEAD, IF(MS_HAS_SWAPS),       \
        __VA_ARGS__                                                                                \
  }
#define ONE_MOTIF(key, lead, type, ...)                                                            \
  {                                                                                                \
    key, lead, NULL, MS_FIELD_##type, CHANCE, HEAD, __VA_ARGS__                                    \
  }
#define COUNTED(key, lead, ...)                                                                    \
  {                                                                                                \
    key, lead, NULL, MS_FIELD_TEXT, LIST | MATCHES, HEAD, IF(MS_HAS_COUNTED), __VA_ARGS__          \
  }
#define DIVIDED(key, lead, type, ...)                                                              \
  {                                                                                                \
    key, lead, NULL, MS_FIELD_##type, SCREEN | LIST | TAKING | CHANCE | MATCHES | SET | CENSUS,    \
        HEAD, __VA_ARGS__                                                                          \
  }
#define SIEVE(key, lead, type, ...)                                                                \
  {                                                                                                \
    key, lead, NULL, MS_FIELD_##type, SCREENED & ~NEAR_LIST, HEAD | COUNT, IF(MS_HAS_SCREEN),      \
        __VA_ARGS__                                                                                \
  }
#define INEXACT(key, lead, type, ...)                                                              \
  {                                                                                                \
    key, lead, NULL, MS_FIELD_##type, TYPED, HEAD, __VA_ARGS__                                     \
  }

const ms_result_field ms_result_fields[] = {
    {"path", "# graph: ", graph, MS_FIELD_PATH, ALL, HEAD, AT(graph_path), PART(GRAPH)},
    {"crc32c", " crc32c=", graph, MS_FIELD_CRC32C, ALL, HEAD, AT(graph_crc32c)},
    {"vertices", " vertices=", graph, MS_FIELD_U32, ALL, HEAD, AT(vertices)},
    {"edges", " edges=", graph, MS_FIELD_U64, ALL, HEAD, AT(edges)},
    PLAIN("format", " format=", WORD, AT(graph.format), WORDS(GRAPH_FORMAT)),
    PLAIN("min_score", " min_score=", REAL, AT(graph.min_score)),
    PLAIN("keep_taxon", " keep_taxon=", TRUTH, AT(graph.keep_taxon)),
    PLAIN("header", " header=", TRUTH, AT(graph.header)),
    PLAIN("taxon", "# taxon: ", TEXT, AT(graph.taxon), OPTIONAL),
    PLAIN("system", "# system: ", TEXT, AT(graph.system), OPTIONAL),
    PLAIN("names", "# names: ", TEXT, AT(graph.names), OPTIONAL),
    PLAIN("color_attribute", "# color_attribute: ", TEXT, AT(graph.color_attribute), OPTIONAL),
    PLAIN("alias", "# alias: ", FILE, AT(alias), OPTIONAL, PART(ALIAS)),
    PLAIN("directed", "# directed: ", TRUTH, AT(graph.directed), OPTIONAL),
    PLAIN("no_header", "# no_header: ", TRUTH, AT(graph.no_header), OPTIONAL),
    PLAIN("source_column", "# source_column: ", TEXT, AT(graph.source_column), OPTIONAL),
    PLAIN("target_column", "# target_column: ", TEXT, AT(graph.target_column), OPTIONAL),
    PLAIN("score_column", "# score_column: ", TEXT, AT(graph.score_column), OPTIONAL),
    PLAIN("keep_scores", "# keep_scores: ", TRUTH, AT(graph.keep_scores), OPTIONAL),
    PLAIN("combine", "# combine: ", TEXT, AT(graph.combine), OPTIONAL),
    PLAIN("direction_column", "# direction_column: ", TEXT, AT(graph.direction_column), OPTIONAL),

    {"format", " format=", graph, MS_FIELD_WORD, TYPED_PATTERN, HEAD, UNLESS(MS_HAS_PLAIN),
     AT(typed.reading.format), WORDS(TYPED_FORMAT)},
    {"format", " format=", graph, MS_FIELD_WORD, PATH, HEAD, UNLESS(MS_HAS_PLAIN),
     AT(typed.reading.format), WORDS(PATH_FORMAT)},
    TYPED_GRAPH("nodes", "# nodes: ", FILE, AT(typed.nodes), OPTIONAL, PART(NODES)),
    TYPED_GRAPH("relations", "# relations: ", FILE, AT(typed.relations), OPTIONAL, PART(RELATIONS)),
    TYPED_GRAPH("directed", "# directed: ", TRUTH, AT(typed.reading.directed), OPTIONAL),
    TYPED_GRAPH("node_name_column", "# node_name_column: ", TEXT,
                AT(typed.reading.node_name_column), OPTIONAL),
    TYPED_GRAPH("node_type_column", "# node_type_column: ", TEXT,
                AT(typed.reading.node_type_column), OPTIONAL),
    TYPED_GRAPH("source_column", "# source_column: ", TEXT, AT(typed.reading.source_column),
                OPTIONAL),
    TYPED_GRAPH("target_column", "# target_column: ", TEXT, AT(typed.reading.target_column),
                OPTIONAL),
    TYPED_GRAPH("type_column", "# type_column: ", TEXT, AT(typed.reading.type_column), OPTIONAL),
    TYPED_GRAPH("source_type_column", "# source_type_column: ", TEXT,
                AT(typed.reading.source_type_column), OPTIONAL),
    TYPED_GRAPH("target_type_column", "# target_type_column: ", TEXT,
                AT(typed.reading.target_type_column), OPTIONAL),
    TYPED_GRAPH("min_score", "# min_score: ", REAL, AT(typed.reading.min_score), OPTIONAL),
    TYPED_GRAPH("score_column", "# score_column: ", TEXT, AT(typed.reading.score_column), OPTIONAL),
    TYPED_GRAPH("combine", "# combine: ", TEXT, AT(typed.reading.combine), OPTIONAL),
    TYPED_GRAPH("direction_column", "# direction_column: ", TEXT,
                AT(typed.reading.direction_column), OPTIONAL),
    TYPED_GRAPH("header", "# header: ", TRUTH, AT(typed.reading.header), OPTIONAL),
    TYPED_GRAPH("no_header", "# no_header: ", TRUTH, AT(typed.reading.no_header), OPTIONAL),
    TYPED_GRAPH("names", "# names: ", TEXT, AT(typed.reading.names), OPTIONAL),
    TYPED_GRAPH("color_attribute", "# color_attribute: ", TEXT, AT(typed.reading.color_attribute),
                OPTIONAL),

    COLORING("path", "# colors: ", PATH, AT(colors_path), PART(COLORS)),
    COLORING("crc32c", " crc32c=", CRC32C, AT(colors_crc32c)),
    COLORING("colors", " colors=", U32, AT(colors)),
    COLORING("assignments", " assignments=", U64, AT(assignments)),
    COLORING("format", " format=", WORD, AT(coloring.format), WORDS(COLOR_FORMAT)),
    COLORING("aspects", " aspects=", ASPECTS, AT(coloring.aspects)),
    COLORING("header", " header=", TRUTH, AT(coloring.header)),
    COLORING("name_column", "# name_column: ", TEXT, AT(coloring.name_column), OPTIONAL),
    COLORING("color_column", "# color_column: ", TEXT, AT(coloring.color_column), OPTIONAL),
    COLORING("separator", "# color_separator: ", TEXT, AT(coloring.separator), OPTIONAL),
    COLORING("ignore_unknown", "# ignore_unknown: ", TRUTH, AT(coloring.ignore_unknown), OPTIONAL),
    /* the name of a subset, or a file */
    COLORING("slim", NULL, TEXT, AT(coloring.slim), OPTIONAL),
    COLORING("obo", "# obo: ", FILE, AT(obo), OPTIONAL, PART(OBO)),
    COLORING(NULL, "# slim: ", TEXT, AT(coloring.slim), OPTIONAL),
    COLORING("slim", "# slim_file: ", FILE, AT(slim), OPTIONAL, PART(SLIM)),

    DIVIDED("part", "# part: ", U32, IF(MS_HAS_PART), AT(division.part), .least = 1,
            .most = MS_MOST_PARTS, PART(DIVISION)),
    DIVIDED("parts", " of ", U32, IF(MS_HAS_PART), AT(division.parts), .least = 1,
            .most = MS_MOST_PARTS),
    DIVIDED("units", "# units: ", U64, IF(MS_HAS_PART), AT(division.units)),
    COUNTED("counted", "# counted: ", AT(division.counted), PART(COUNTED)),
    COUNTED("planned_for", "# planned_for: ", AT(division.planned_for), OPTIONAL),
    COUNTED("counted_by", "# counted_by: ", AT(division.engine)),
    {"paranoid", "# paranoid: ", NULL, MS_FIELD_TEXT,
     SCREEN | LIST | TAKING | PATTERN | MS_KIND_CENSUS, HEAD | COUNT, AT(paranoid), OPTIONAL},

    {"components", "# components: ", NULL, MS_FIELD_U32, COMPONENTS, HEAD | COUNT,
     AT(components.count), PART(COMPONENTS)},
    {NULL, "# min_size: ", NULL, MS_FIELD_U64, COMPONENTS, HEAD, AT(components.min_size), OPTIONAL},
    {NULL, "# shown: ", NULL, MS_FIELD_U32, COMPONENTS, HEAD, IF(MS_HAS_SHOWN),
     AT(components.shown), PART(SHOWN)},
    {"shown", NULL, NULL, MS_FIELD_U32, COMPONENTS, HEAD, AT(components.shown)},
    {"min_size", NULL, NULL, MS_FIELD_U64, COMPONENTS, HEAD | COUNT, AT(components.min_size),
     OPTIONAL},

    {"pairs", "# pairs: ", NULL, MS_FIELD_FILE, PATH, HEAD, AT(path.pairs), OPTIONAL, PART(PAIRS)},
    {"types", "# types: ", NULL, MS_FIELD_TEXT, PATH, HEAD, AT(path.types), OPTIONAL, PART(TYPES)},
    {NULL, "# both_ways: ", NULL, MS_FIELD_TRUTH, PATH, HEAD, AT(path.both_ways), OPTIONAL},
    {"both_ways", NULL, NULL, MS_FIELD_TRUTH, PATH, HEAD, AT(path.both_ways)},
    {"max_length", "# max_length: ", NULL, MS_FIELD_U32, PATH, HEAD, AT(path.max_length), OPTIONAL},

    {"kind", "# kind: ", NULL, MS_FIELD_WORD, TYPED_PATTERN, HEAD | COUNT, AT(pattern.kind),
     WORDS(KIND)},
    {"name", "# pattern: ", pattern, MS_FIELD_TEXT, PLAIN_PATTERN, HEAD,
     UNLESS(MS_HAS_PATTERN_FILE), AT(pattern.name), PART(PATTERN)},
    {"path", "# pattern: ", pattern, MS_FIELD_PATH, OF_PATTERN, HEAD, IF(MS_HAS_PATTERN_FILE),
     UNLESS(MS_HAS_PATTERN_TEXT), AT(pattern.file.path), PART(PATTERN)},
    {"text", "# pattern: ", pattern, MS_FIELD_PATH, OF_PATTERN, HEAD, IF(MS_HAS_PATTERN_TEXT),
     AT(pattern.file.path), PART(PATTERN)},
    {"crc32c", " crc32c=", pattern, MS_FIELD_CRC32C, OF_PATTERN, HEAD, IF(MS_HAS_PATTERN_FILE),
     AT(pattern.file.crc32c)},
    {"vertices", " vertices=", pattern, MS_FIELD_U32, OF_PATTERN, HEAD, AT(pattern.vertices),
     .least = 1, .most = MS_MAX_PATTERN},
    {"edges", " edges=", pattern, MS_FIELD_U64, OF_PATTERN, HEAD, AT(pattern.edges)},
    {"format", " format=", pattern, MS_FIELD_WORD, PLAIN_PATTERN, HEAD, IF(MS_HAS_PATTERN_FILE),
     UNLESS(MS_HAS_PATTERN_TEXT), AT(pattern.format), WORDS(PATTERN_FORMAT)},
    {"names", NULL, pattern, MS_FIELD_NAMES, OF_PATTERN, HEAD, AT(pattern.names),
     .count = offsetof(ms_result_header, pattern.vertices), .most = MS_MAX_PATTERN},
    {"pattern_colors", "# pattern_colors: ", NULL, MS_FIELD_FILE, PLAIN_PATTERN, HEAD,
     AT(pattern.colors), OPTIONAL, PART(PATTERN_COLORS)},
    {"size", NULL, NULL, MS_FIELD_U32, PATTERN, COUNT, AT(clique_size), OPTIONAL},
    {"subgraphs", NULL, NULL, MS_FIELD_TEXT, PATTERN, COUNT, AT(subgraphs)},
    {"embeddings", NULL, NULL, MS_FIELD_TEXT, PATTERN, COUNT, AT(embeddings)},
    {"count", NULL, NULL, MS_FIELD_TEXT, TYPED | LIST | NEAR_LIST | COMPONENTS, COUNT, AT(count)},
    {"patterns", "# patterns: ", NULL, MS_FIELD_FILE, SET, HEAD, AT(patterns), PART(PATTERNS)},
    {"semantics", "# semantics: ", NULL, MS_FIELD_WORD, MATCHES | SET | POSITIONS, HEAD | COUNT,
     UNLESS(MS_HAS_INEXACT), AT(pattern.embeddings), WORDS(SEMANTICS)},
    {"induced", "# induced: ", NULL, MS_FIELD_TRUTH, FLAGS, HEAD, AT(pattern.induced)},
    {"induced", " induced", NULL, MS_FIELD_MARK, MATCHES | SET | POSITIONS, HEAD | COUNT,
     UNLESS(MS_HAS_INEXACT), AT(pattern.induced)},
    {"automorphisms", "# automorphisms: ", NULL, MS_FIELD_TEXT, MATCHES | POSITIONS, HEAD | COUNT,
     UNLESS(MS_HAS_INEXACT), AT(pattern.automorphisms), PART(AUTOMORPHISMS)},
    {NULL, "# engine: ", NULL, MS_FIELD_TEXT, MATCHES, HEAD, IF(MS_HAS_NO_ORDER),
     AT(pattern.engine)},
    {NULL, " unordered", NULL, MS_FIELD_FALSE, MATCHES, HEAD, IF(MS_HAS_NO_ORDER)},

    {"section", "# section: ", NULL, MS_FIELD_U32, SCREEN | LIST, HEAD, IF(MS_HAS_SECTIONS),
     AT(section), .least = 1, PART(SECTION)},
    {"sections", " of ", NULL, MS_FIELD_U32, SCREEN | LIST, HEAD, IF(MS_HAS_SECTIONS),
     AT(sections)},
    {"name", "# name: ", NULL, MS_FIELD_TEXT, SCREEN | LIST, HEAD, IF(MS_HAS_SECTIONS), AT(name),
     PART(NAME)},
    {"slots", "# slots: ", NULL, MS_FIELD_U32, MS_KIND_MINED, HEAD, AT(mined.slots)},
    {"least_slots", "# least_slots: ", NULL, MS_FIELD_U32, MS_KIND_MINED, HEAD, AT(mined.least)},
    {"support", "# support: ", NULL, MS_FIELD_U32, MS_KIND_MINED, HEAD, AT(mined.support)},
    {"motifs", "# motifs: ", NULL, MS_FIELD_FILE, MOTIFS, HEAD, AT(motifs), OPTIONAL},
    {"motif", "# motif: ", NULL, MS_FIELD_TEXT, MOTIF | CHANCE, HEAD, AT(motif), PART(MOTIF)},
    {"k", "# k: ", NULL, MS_FIELD_U32, MOTIF | CHANCE, HEAD | COUNT, AT(k), .least = 1,
     .most = MS_MAX_K, PART(K)},
    {"sheet", "# sheet: ", NULL, MS_FIELD_TRUTH, SAMPLES, HEAD, AT(samples.sheet), OPTIONAL},
    {"metadata", "# metadata: ", NULL, MS_FIELD_FILE, SAMPLES, HEAD, AT(samples.metadata), OPTIONAL,
     PART(METADATA)},
    {"sample_column", "# sample_column: ", NULL, MS_FIELD_TEXT, SAMPLES, HEAD,
     AT(samples.sample_column), OPTIONAL},
    {"group_column", "# group_column: ", NULL, MS_FIELD_TEXT, SAMPLES, HEAD,
     AT(samples.group_column), OPTIONAL},
    {"block_column", "# block_column: ", NULL, MS_FIELD_TEXT, SAMPLES, HEAD,
     AT(samples.block_column), OPTIONAL},
    {"vertex_column", "# vertex_column: ", NULL, MS_FIELD_TEXT, SAMPLES, HEAD,
     AT(samples.vertex_column), OPTIONAL},
    EACH_SAMPLE("samples", "# samples: ", name, count, SAMPLES),
    EACH_SAMPLE("groups", "# groups: ", group, n_groups, SAMPLES),
    EACH_SAMPLE("blocks", "# blocks: ", block, n_blocks, SAMPLES),
    EACH_SAMPLE("graph_crc32c", "# graph_crc32c: ", graph_crc32c, n_graphs, SAMPLES),
    EACH_SAMPLE("color_crc32c", "# color_crc32c: ", color_crc32c, n_colors, SAMPLES),
    {"k", "# k: ", NULL, MS_FIELD_U32, CENSUS | SAMPLES, HEAD, AT(k), .least = 2,
     .most = MS_MAX_CENSUS, PART(K)},
    {"shapes", "# shapes: ", NULL, MS_FIELD_WORD, CENSUS, HEAD, IF(MS_HAS_SHAPES),
     AT(census.subgraphs), WORDS(SUBGRAPHS)},
    {"colors_only", "# colors_only: ", NULL, MS_FIELD_NAMES, CENSUS | SAMPLES, HEAD,
     AT(census.only), .count = offsetof(ms_result_header, census.n_only),
     .most = MS_MAX_CENSUS_ONLY, OPTIONAL, PART(ONLY)},
    {"primary_color", "# primary_color: ", NULL, MS_FIELD_TRUTH, CENSUS | SAMPLES, HEAD,
     AT(census.primary), OPTIONAL},
    {"min_count", "# min_count: ", NULL, MS_FIELD_U64, CENSUS | COMPARED, HEAD,
     AT(census.min_count), OPTIONAL},
    {"per_sample", "# per_sample: ", NULL, MS_FIELD_TRUTH, MS_KIND_SAMPLE_COUNTS, HEAD,
     AT(samples.per_sample), OPTIONAL},
    {"reference", "# reference: ", NULL, MS_FIELD_TEXT, COMPARED, HEAD, AT(samples.reference),
     OPTIONAL, PART(TEST)},
    {"rest", "# rest: ", NULL, MS_FIELD_TRUTH, COMPARED, HEAD, AT(samples.rest), OPTIONAL},
    {"test", "# test: permutation of ", NULL, MS_FIELD_WORD, COMPARED, HEAD, AT(samples.test),
     WORDS(TEST), PART(TEST)},
    {"seed", "# seed: ", NULL, MS_FIELD_U64, COMPARED, HEAD, AT(samples.seed)},
    {"permutations", "# permutations: ", NULL, MS_FIELD_U64, COMPARED, HEAD,
     AT(samples.permutations)},
    {"per_vertex", "# per_vertex: ", NULL, MS_FIELD_TRUTH, MS_KIND_VERTEX_CENSUS, HEAD,
     AT(census.per_vertex), OPTIONAL},
    {"max_missing", "# max_missing: ", NULL, MS_FIELD_U32, NEAREST | NEAR_LIST, HEAD,
     AT(max_missing), .most = MS_MAX_K},
    {"max_extra", "# max_extra: ", NULL, MS_FIELD_U32, NEAREST | NEAR_LIST, HEAD, AT(max_extra),
     .most = MS_MAX_K},
    {"nearest_only", "# nearest_only: ", NULL, MS_FIELD_TRUTH, NEAREST | NEAR_LIST, HEAD,
     AT(nearest_only), OPTIONAL},
    {"substitutes", "# substitutes: ", NULL, MS_FIELD_FILE, NEAREST | NEAR_LIST, HEAD,
     AT(substitutes), OPTIONAL, PART(SUBSTITUTES)},
    {"max_cost", "# max_cost: ", NULL, MS_FIELD_U32, NEAREST | NEAR_LIST, HEAD, AT(max_cost),
     .most = MS_MAX_COST, OPTIONAL},
    {"required", "# required: ", NULL, MS_FIELD_NAMES, MOTIF | OF_PATTERN, HEAD | COUNT,
     AT(required), .count = offsetof(ms_result_header, n_required), .most = MS_MAX_K, OPTIONAL,
     PART(REQUIRED)},

    {"labels", "# labels: ", NULL, MS_FIELD_FILE, MOTIF | OF_PATTERN, HEAD, AT(labels), OPTIONAL,
     PART(LABELS)},
    {"participation", "# participation: ", NULL, MS_FIELD_TRUTH, TAKING | POSITIONS, HEAD,
     AT(participation), OPTIONAL},
    {"roles", "# roles: ", NULL, MS_FIELD_TRUTH, LIST | NEAR_LIST | POSITIONS, HEAD, AT(roles),
     OPTIONAL},
    {"measures", "# measures: ", NULL, MS_FIELD_WORD, LIST | PATTERN, HEAD, AT(measures),
     WORDS(MEASURES), OPTIONAL},
    {"vertex_scores", "# vertex_scores: ", NULL, MS_FIELD_FILE, LIST | PATTERN | SCREEN, HEAD,
     AT(vertex_scores), OPTIONAL, PART(VERTEX_SCORES)},
    {"all_sums", "# all_sums: ", NULL, MS_FIELD_TRUTH, SCREEN, HEAD, AT(all_sums), OPTIONAL},
    {"sort", "# sort: ", NULL, MS_FIELD_WORD, LIST | PATTERN, HEAD, AT(sort), WORDS(MEASURE),
     OPTIONAL},
    {"sort", "# sort: ", NULL, MS_FIELD_WORD, MS_KIND_CENSUS, HEAD, AT(census.sort),
     WORDS(CENSUS_ORDER), OPTIONAL},
    {"top", "# top: ", NULL, MS_FIELD_U64, LIST | PATTERN | CENSUS | COMPARED, HEAD, AT(top),
     OPTIONAL},
    {"min_density", "# min_density: ", NULL, MS_FIELD_REAL, LIST, HEAD | COUNT, AT(min_density),
     OPTIONAL},
    {"min_mean_score", "# min_mean_score: ", NULL, MS_FIELD_REAL, LIST, HEAD | COUNT,
     AT(min_mean_score), OPTIONAL},
    {NULL, "# rows: ", NULL, MS_FIELD_WORD, LIST | NEAR_LIST | MATCHES, HEAD, AT(row_form),
     WORDS(LONG), OPTIONAL},
    {"profile", "# profile: ", NULL, MS_FIELD_TRUTH, SCREEN, HEAD, AT(profile), OPTIONAL},
    {"shown_colors", "# shown_colors: ", NULL, MS_FIELD_WORD,
     SCREEN | NEAREST | TAKING | MS_KIND_FLAGS | MS_KIND_PATTERN_PARTICIPATION, HEAD,
     AT(shown_colors), WORDS(SHOWN_COLORS), OPTIONAL},

    {"mode", "# mode: ", NULL, MS_FIELD_WORD, MOTIF | PLAIN_PATTERN | (TYPED_PATTERN & ~TYPED),
     HEAD | COUNT, AT(mode), WORDS(MODE)},
    {"mode", "# mode: ", NULL, MS_FIELD_WORD, TYPED, HEAD | COUNT, AT(mode), WORDS(TYPED_MODE)},
    SIEVE("recurrence", "# recurrence: ", WORD, AT(recurrence), WORDS(RECURRENCE)),
    SIEVE("seed", "# seed: ", U64, AT(seed)),
    SIEVE("repetitions", "# repetitions: ", U32, AT(repetitions), PART(REPETITIONS)),
    SIEVE("repetitions_planned", " of ", U32, AT(repetitions_planned)),
    SIEVE("miss_bound", "# miss_bound: ", BOUND, AT(miss_bound), PART(BOUND)),
    SIEVE("miss_bound_formula", " = ", FORMULA, AT(formula)),
    SIEVE("miss_bound_union", "# miss_bound_union: ", BOUND, AT(miss_bound_union), PART(UNION)),
    INEXACT("walk", "# walk: ", WORD, IF(MS_HAS_INEXACT), AT(typed.walk), WORDS(WALK)),
    INEXACT("seed", "# seed: ", U64, IF(MS_HAS_RANDOM_WALK), AT(typed.seed)),
    INEXACT("walk_length", "# walk_length: ", U32, IF(MS_HAS_INEXACT), AT(typed.walk_length)),
    INEXACT("best_score", "# best_score: ", U32, IF(MS_HAS_INEXACT), AT(typed.best_score)),
    {"engine", NULL, NULL, MS_FIELD_TEXT, MATCHES, HEAD, IF(MS_HAS_NO_ORDER), AT(pattern.engine)},
    {"ordered", NULL, NULL, MS_FIELD_FALSE, MATCHES, HEAD, IF(MS_HAS_NO_ORDER)},

    {"sampled", "# sampled: ", NULL, MS_FIELD_U64, LIST | MATCHES, HEAD, IF(MS_HAS_SAMPLE),
     AT(sample.rows), PART(SAMPLE)},
    {"sampled_from", " of ", NULL, MS_FIELD_DECIMAL, LIST | MATCHES, HEAD, IF(MS_HAS_SAMPLE),
     AT(sample.from)},
    {"sample_seed", "# sample_seed: ", NULL, MS_FIELD_U64, LIST | MATCHES, HEAD, IF(MS_HAS_SAMPLE),
     AT(sample.seed)},
    {"diverse", "# diverse: ", NULL, MS_FIELD_TRUTH, LIST, HEAD | COUNT, AT(diverse), OPTIONAL},
    {"family_share", "# family_share: ", NULL, MS_FIELD_REAL, LIST, HEAD | COUNT, AT(family.share),
     OPTIONAL},
    {"family_matches", "# family_matches: ", NULL, MS_FIELD_U64, LIST, HEAD, AT(family.matches),
     OPTIONAL},
    {"order", "# order: ", NULL, MS_FIELD_WORD, LIST, HEAD, IF(MS_HAS_SEARCH_ORDER), AT(order),
     WORDS(ORDER)},
    {"status", "# status: ", NULL, MS_FIELD_WORD,
     MOTIF | CHANCE | FLAGS | POSITIONS | MS_KIND_CENSUS | SAMPLES | SET, HEAD | COUNT,
     UNLESS(MS_HAS_SEARCH_ORDER), AT(status), WORDS(STATUS)},
    {"rows", "# rows: ", NULL, MS_FIELD_WORD, (VERTICES & ~NEAREST) | TAKING | POSITIONS, HEAD,
     AT(all_rows), WORDS(ROWS), OPTIONAL},
    {"matches", "# matches: ", NULL, MS_FIELD_TEXT, TAKING | POSITIONS, HEAD, AT(count),
     PART(FOUND)},
    {"sets", "# sets: ", NULL, MS_FIELD_U64, MS_KIND_CENSUS, HEAD, AT(census.sets), PART(SETS)},
    EACH_SAMPLE("vertices", "# vertices: ", vertices, n_vertices, SAMPLES),
    EACH_SAMPLE("sets", "# sets: ", sets, n_sets, SETS),
    {"found", "# found: ", NULL, MS_FIELD_U64, MS_KIND_CENSUS | SAMPLES, HEAD, AT(motifs_found),
     PART(FOUND)},
    SIGNIFICANT("significance", "# significance: ", WORD, AT(significance.null), WORDS(NULL)),
    SIGNIFICANT("tail", "# tail: ", WORD, AT(significance.tail), WORDS(TAIL)),
    SIGNIFICANT("tests", "# tests: ", U64, AT(significance.tests), PART(TESTS)),
    SIGNIFICANT("min_expected", "# min_expected: ", REAL, AT(significance.min_expected)),
    SIGNIFICANT("moments", "# moments: ", WORD, AT(significance.moments), WORDS(MOMENTS),
                PART(MOMENTS)),
    SIGNIFICANT("samples", "# samples: ", U64, AT(significance.samples), OPTIONAL),
    SIGNIFICANT("sample_seed", "# sample_seed: ", U64, AT(significance.seed), OPTIONAL),
    SIGNIFICANT("sd_error", "# sd_error: ", REAL, AT(significance.error), OPTIONAL),
    SIGNIFICANT("most_sets", "# most_sets: ", U64, AT(significance.most)),
    SIGNIFICANT("overlaps", "# overlaps: ", NAMES, AT(significance.overlap),
                .count = offsetof(ms_result_header, significance.n_overlaps),
                .most = MS_MAX_CENSUS + 1, OPTIONAL, PART(OVERLAPS)),
    ONE_MOTIF("statistic", "# statistic: ", WORD, AT(chance.statistic), WORDS(STATISTIC)),
    ONE_MOTIF("observed", "# observed: ", U64, AT(chance.observed)),
    ONE_MOTIF("formula", "# formula: ", WORD, AT(chance.formula), WORDS(FORMULA), OPTIONAL),
    ONE_MOTIF("formula_reason", "# formula_reason: ", TEXT, AT(chance.reason), OPTIONAL),
    ONE_MOTIF("expected", "# expected: ", TEXT, AT(chance.expected), OPTIONAL),
    ONE_MOTIF("sd", "# sd: ", TEXT, AT(chance.sd), OPTIONAL),
    ONE_MOTIF("sd_error", "# sd_error: ", TEXT, AT(chance.sd_error), OPTIONAL),
    ONE_MOTIF("z", "# z: ", TEXT, AT(chance.z), OPTIONAL),
    ONE_MOTIF("p", "# p: ", TEXT, AT(chance.p), OPTIONAL),
    ONE_MOTIF("p_less", "# p_less: ", TEXT, AT(chance.p_less), OPTIONAL),
    ONE_MOTIF("p_by", "# p_by: ", TEXT, AT(chance.p_by), OPTIONAL),
    PERMUTED("null", "# null: ", WORD, AT(permutations.null_kind), WORDS(NULL), PART(NULL)),
    PERMUTED("null_meaning", "# null_meaning: ", WORD, AT(permutations.meaning),
             WORDS(NULL_MEANING)),
    PERMUTED("strata", "# strata: ", TEXT, AT(permutations.strata), OPTIONAL),
    PERMUTED("permutation_seed", "# permutation_seed: ", U64, AT(permutations.seed)),
    PERMUTED("permutations", "# permutations: ", U64, AT(permutations.done)),
    PERMUTED("permutations_asked", " of ", U64, AT(permutations.asked)),
    {"permutation_tests", "# permutation_tests: ", NULL, MS_FIELD_U64, MS_KIND_CENSUS | SET, HEAD,
     IF(MS_HAS_PERMUTATIONS), AT(permutations.tests), PART(PERMUTATION_TESTS)},
    SWAPPED("swaps_accepted", "# swaps_accepted: ", U64, AT(permutations.accepted)),
    SWAPPED("swaps", " of ", U64, AT(permutations.tried)),
    SWAPPED("table_deviation", "# table_deviation: ", REAL, AT(permutations.deviation), OPTIONAL),
    ONE_MOTIF("perm_sum", "# perm_sum: ", TEXT, AT(chance.sum[0])),
    ONE_MOTIF("perm_squares", "# perm_squares: ", TEXT, AT(chance.sum[1])),
    ONE_MOTIF("perm_ge", "# perm_ge: ", TEXT, AT(chance.sum[2])),
    ONE_MOTIF("perm_le", "# perm_le: ", TEXT, AT(chance.sum[3])),
    {"max_t", "# max_t: ", NULL, MS_FIELD_TRUTH, MS_KIND_CENSUS | SET, HEAD,
     IF(MS_HAS_PERMUTATIONS), AT(permutations.max_t), OPTIONAL},
    {"flagged", "# flagged: ", NULL, MS_FIELD_U64, VERTICES, HEAD, AT(found), PART(FOUND)},
    {"matches", "# matches: ", NULL, MS_FIELD_U64, LIST | NEAR_LIST, HEAD,
     UNLESS(MS_HAS_SEARCH_ORDER), AT(found), PART(FOUND)},
    {"status", "# status: ", NULL, MS_FIELD_WORD, LIST, END, IF(MS_HAS_SEARCH_ORDER), AT(status),
     WORDS(STATUS)},
    {"matches", "# matches: ", NULL, MS_FIELD_DECIMAL, LIST, END, IF(MS_HAS_SEARCH_ORDER),
     AT(found), PART(FOUND)},

    {"unit_rows", "# unit_rows: ", NULL, MS_FIELD_TEXT, LIST | MATCHES, END, IF(MS_HAS_PART),
     UNLESS(MS_HAS_COUNTED), AT(division.unit_rows)},
    {"status", "# status: ", NULL, MS_FIELD_WORD, MATCHES | PATH, COUNT | END, AT(status),
     WORDS(STATUS)},
    {"status", "# status: ", NULL, MS_FIELD_WORD, MOTIFS | MS_KIND_MINED | MS_KIND_VERTEX_CENSUS,
     END, AT(status), WORDS(STATUS)},
    {"found", "# found: ", NULL, MS_FIELD_U64, MOTIFS | MS_KIND_MINED | MS_KIND_VERTEX_CENSUS, END,
     AT(motifs_found)},
    {"engine", NULL, NULL, MS_FIELD_TEXT, MATCHES, COUNT, AT(pattern.engine)},
    {"matches", "# matches: ", NULL, MS_FIELD_DECIMAL, MATCHES, END, AT(found), PART(FOUND)},
    {"searched", "# searched: ", NULL, MS_FIELD_U64, PATH, END, AT(path.searched)},
    {"found", "# found: ", NULL, MS_FIELD_U64, PATH, END, AT(path.found)},
};

const size_t ms_result_field_count = sizeof ms_result_fields / sizeof *ms_result_fields;

bool ms_result_has_field(const ms_result_header *header, const ms_result_field *field,
                         ms_result_place place)
{
  return (field->kinds & header->kind) && (field->places & place) &&
         (field->needs & header->has) == field->needs && !(field->lacks & header->has);
}
