#include "cli/option_table.h"

#include "cli/cli.h"
#include "gf2/gf2.h"
#include "graph/io/typed_read.h"
#include "run/engine.h"

#include <stdio.h>
#include <string.h>

#define SCREEN MS_COMMAND_SCREEN
#define LIST MS_COMMAND_LIST
#define VERIFY MS_COMMAND_VERIFY
#define INFO MS_COMMAND_INFO
#define CONVERT MS_COMMAND_CONVERT
#define STATS MS_COMMAND_STATS
#define GEN MS_COMMAND_GEN
#define PLAN MS_COMMAND_PLAN
#define COMPONENTS MS_COMMAND_COMPONENTS
#define SEARCH (SCREEN | LIST)
#define RESULTS (SEARCH | VERIFY)
#define PATTERNS (LIST | PLAN)
#define INPUTS (RESULTS | CONVERT | STATS | PLAN)
#define TYPED (MS_COMMAND_PATH | MS_COMMAND_FILTER | MS_COMMAND_TYPED) /* read typed graphs */
#define GRAPHS (INPUTS | COMPONENTS)
#define MATCH MS_COMMAND_TYPED
#define QUERIES (MS_COMMAND_FILTER | MATCH)
#define READERS (GRAPHS | TYPED)
#define PATH MS_COMMAND_PATH
#define BENCH MS_COMMAND_BENCH
#define GF2 MS_COMMAND_BENCH_GF2
#define SIEVE MS_COMMAND_BENCH_SIEVE
#define ALL (READERS | INFO | GEN | BENCH | GF2 | SIEVE)

static const ms_option_row rows[] = {
    {KEY_COLORS, 'c', "colors", "FILE", RESULTS, "What to look for",
     "vertex colours (needed for motifs, unless GRAPH holds them)"},
    {KEY_COLORS, 'c', "colors", "FILE", CONVERT | STATS | PLAN, NULL, "vertex colours"},
    {KEY_COLORS, 'c', "colors", "FILE", TYPED, NULL,
     "of a plain graph: vertex colours, which become types"},
    {KEY_COLORS, 0, "colours", "FILE", READERS, NULL, NULL},
    {KEY_MOTIF, 'm', "motif", "TEXT", SEARCH | STATS, NULL,
     "colours wanted: 'kinase:2,phosphatase,*:1'; * is any colour;\n"
     "a name with a comma or colon goes in double quotes"},
    {KEY_MOTIF_FILE, 0, "motif-file", "FILE", SEARCH | STATS, NULL,
     "the same from a file of lines COLOUR or COLOUR<TAB>COUNT"},
    {KEY_REQUIRE, 'r', "require", "VERTEX", SEARCH, NULL,
     "only matches that hold this vertex; may be given again"},
    {KEY_PATTERN, 'p', "pattern", "PATTERN", PATTERNS, NULL,
     "a shape instead of a motif: a small graph in a file of any\n"
     "format, or triangle, diamond, house, octahedron, path:N,\n"
     "cycle:N, clique:N, star:N or wheel:N"},
    {KEY_PATTERN, 'p', "pattern", "PATTERN", QUERIES, NULL,
     "'(a:TYPE)-[TYPE]-(b)', or a file of that or of typed edges"},
    {KEY_PATTERN, 'p', "pattern", "PATTERN", VERIFY, NULL,
     "of a result of list --pattern or typed-match: the same file,\n"
     "name or text"},
    {KEY_PATTERN_COLORS, 0, "pattern-colors", "FILE", PATTERNS | VERIFY, NULL,
     "colours that the pattern's vertices accept, VERTEX<TAB>COLOUR;\n"
     "* is any colour"},
    {KEY_PATTERN_COLORS, 0, "pattern-colours", "FILE", PATTERNS | VERIFY, NULL, NULL},
    {KEY_INDUCED, 'i', "induced", NULL, PATTERNS, NULL,
     "no edge in GRAPH where the pattern has none"},
    {KEY_SUBGRAPHS, 0, "subgraphs", NULL, PATTERNS, NULL, "patterns: each subgraph once (default)"},
    {KEY_SUBGRAPHS, 0, "subgraphs", NULL, MATCH, NULL, "each subgraph once (default)"},
    {KEY_EMBEDDINGS, 0, "embeddings", NULL, MATCH, NULL,
     "each way to lay the pattern on a subgraph"},
    {KEY_EMBEDDINGS, 0, "embeddings", NULL, PATTERNS, NULL,
     "patterns: each way to lay the pattern on a subgraph"},
    {KEY_PATH_TYPES, 0, "types", "LIST", PATH, NULL,
     "types of edges that a path may follow, such as CbG,DaG; ^r is\n"
     "the inverse of r; a name with a comma goes in double quotes\n"
     "(default: all, those with a direction along it)"},
    {KEY_PATH_BOTH_WAYS, 'b', "both-ways", NULL, PATH, NULL,
     "edges with a direction also against it"},
    {KEY_PATH_MAX_LENGTH, 0, "max-length", "N", PATH, NULL, "only paths of up to N edges"},
    {KEY_PATH_PAIRS, 'p', "pairs", "FILE", PATH, NULL,
     "many pairs instead of one: lines SOURCE<TAB>TARGET; -: from\n"
     "standard input"},
    {KEY_FORMAT, 0, "format", "NAME", GRAPHS, "How to read the input",
     "of GRAPH (default: auto); see --list-formats"},
    {KEY_TYPED_FORMAT, 0, "format", "NAME", TYPED, "How to read the input",
     "of GRAPH: auto (default), hetionet, sif or table, whose edges\n"
     "have types; or a plain format, see --list-formats"},
    {KEY_LIST_FORMATS, 0, "list-formats", NULL, READERS, NULL,
     "what each graph format looks like, then exit"},
    {KEY_HEADER, 0, "header", NULL, READERS, NULL,
     "the first line of an edge list or SIF file is a header"},
    {KEY_MIN_SCORE, 0, "min-score", "S", READERS, NULL,
     "STRING links: drop edges that score below S"},
    {KEY_KEEP_TAXON, 0, "keep-taxon", NULL, READERS, NULL,
     "STRING links: keep '4932.' in front of names"},
    {KEY_TAXON, 0, "taxon", "ID", READERS, NULL,
     "BioGRID, MITAB: only edges within this NCBI taxon"},
    {KEY_SYSTEM, 0, "system", "NAME", READERS, NULL,
     "BioGRID: only this experimental system or type, such as\n"
     "physical; MITAB: only this detection method"},
    {KEY_NAMES, 0, "names", "KIND", READERS, NULL,
     "BioGRID, MITAB: which identifier names a vertex"},
    {KEY_DIRECTED, 0, "directed", NULL, PATTERNS | VERIFY, NULL,
     "edges point from the first name to the second; only pattern\n"
     "graphs look at it"},
    {KEY_DIRECTED, 0, "directed", NULL, TYPED, NULL,
     "types of edges have a direction, from source to target, where\n"
     "nothing else is said of them (without it: they have none)"},
    {KEY_NODES, 0, "nodes", "FILE", TYPED | CONVERT | VERIFY, NULL,
     "types of vertices: a table such as Hetionet's id, name, kind"},
    {KEY_NODE_COLUMN, 0, "node-column", "COLUMN", TYPED | CONVERT, NULL,
     "of --nodes: name or number of the vertex (default: id, or the\nfirst)"},
    {KEY_NODE_TYPE_COLUMN, 0, "node-type-column", "COLUMN", TYPED | CONVERT, NULL,
     "of --nodes: of the type (default: kind, type, or the last)"},
    {KEY_RELATIONS, 0, "relations", "FILE", TYPED | CONVERT | VERIFY, NULL,
     "types of edges and their inverses, TYPE<TAB>INVERSE; twice\n"
     "the same: it has no direction"},
    {KEY_SOURCE_COLUMN, 0, "source-column", "COLUMN", TYPED | CONVERT, NULL,
     "of a table of edges: name or number (default: source)"},
    {KEY_TARGET_COLUMN, 0, "target-column", "COLUMN", TYPED | CONVERT, NULL,
     "the same (default: target)"},
    {KEY_TYPE_COLUMN, 0, "type-column", "COLUMN", TYPED | CONVERT, NULL,
     "the same (default: type, relation); none: edges have no types"},
    {KEY_SOURCE_TYPE_COLUMN, 0, "source-type-column", "COLUMN", TYPED | CONVERT, NULL,
     "of a table of edges: type of the source (default: source_type)"},
    {KEY_TARGET_TYPE_COLUMN, 0, "target-type-column", "COLUMN", TYPED | CONVERT, NULL,
     "the same of the target (default: target_type)"},
    {KEY_ALIAS, 0, "alias", "FILE", READERS, NULL,
     "other names of vertices, NAME<TAB>ALIAS, for the names in\n"
     "colour files and --require"},
    {KEY_COLOR_FORMAT, 0, "color-format", "NAME", READERS, NULL,
     "auto, tsv, go-slim, gaf, or graph: those in GRAPH itself"},
    {KEY_COLOR_FORMAT, 0, "colour-format", "NAME", READERS, NULL, NULL},
    {KEY_COLOR_HEADER, 0, "color-header", NULL, READERS, NULL,
     "the first line of a TSV colour file is a header"},
    {KEY_COLOR_HEADER, 0, "colour-header", NULL, READERS, NULL, NULL},
    {KEY_NAME_COLUMN, 0, "name-column", "COLUMN", READERS, NULL,
     "of a TSV colour file: number or header of the vertex"},
    {KEY_COLOR_COLUMN, 0, "color-column", "COLUMN", READERS, NULL,
     "of a TSV colour file: number or header of the colour"},
    {KEY_COLOR_COLUMN, 0, "colour-column", "COLUMN", READERS, NULL, NULL},
    {KEY_ASPECT, 0, "aspect", "LETTERS", READERS, NULL,
     "GO slim, GAF: process, function, component: any of P, F, C\n(default PFC)"},
    {KEY_OBO, 0, "obo", "FILE", READERS, NULL, "GAF: the ontology, for names of terms and --slim"},
    {KEY_SLIM, 0, "slim", "NAME", READERS, NULL,
     "GAF: map terms to their ancestors in this slim: a subset\n"
     "named in the ontology, or a file (OBO, or a term a line)"},
    {KEY_PATTERN_FORMAT, 0, "pattern-format", "NAME", PATTERNS, NULL,
     "of the pattern's file (default: auto)"},
    {KEY_VERTICES, 'n', "vertices", "N", GEN, "Parameters of the families", "number of vertices"},
    {KEY_DEGREE, 'd', "degree", "D", GEN, NULL, "mean degree; of 'regular', every degree"},
    {KEY_EDGES, 0, "edges", "M", GEN, NULL, "number of edges"},
    {KEY_PROBABILITY, 0, "probability", "P", GEN, NULL, "of each edge"},
    {KEY_EXPONENT, 0, "exponent", "X", GEN, NULL,
     "degrees d have frequency d^X; from -10 to 0, such as -1"},
    {KEY_MIN_DEGREE, 0, "min-degree", "D", GEN, NULL, "least degree (default 1)"},
    {KEY_MAX_DEGREE, 0, "max-degree", "D", GEN, NULL, "highest degree"},
    {KEY_SCALE, 0, "scale", "S", GEN, NULL, "2^S vertices"},
    {KEY_QUADRANTS, 0, "quadrants", "A,B,C,D", GEN, NULL, "chances of the quadrants"},
    {KEY_ROWS, 0, "rows", "R", GEN, NULL, "rows of the grid"},
    {KEY_COLS, 0, "cols", "C", GEN, NULL, "columns of the grid"},
    {KEY_REMOVED, 0, "removed", "F", GEN, NULL, "chance of an edge to be left out"},
    {KEY_DIAGONALS, 0, "diagonals", "F", GEN, NULL, "chance of a square to have a diagonal"},
    {KEY_SEED, 's', "seed", "N", GEN, NULL, "of everything that is random (default 1)"},
    {KEY_THREADS, 't', "threads", "N", GEN, NULL, "default: all processors, or OMP_NUM_THREADS"},
    {KEY_MEMORY, 0, "memory", "SIZE", GEN, NULL,
     "bound, such as 4G (default: 3/4 of what there is)"},
    {KEY_UNIFORM_COLORS, 0, "uniform-colors", "K", GEN, "Colours",
     "each vertex has one of c0, c1, .., cK-1"},
    {KEY_UNIFORM_COLORS, 0, "uniform-colours", "K", GEN, NULL, NULL},
    {KEY_PLANTED, 0, "planted", "MOTIF|K", GEN, NULL,
     "hide a match: a random connected set has the motif's colours\n"
     "(K: those of c0,c1,..,cK-1), the others have the background's"},
    {KEY_PLANTS, 0, "plants", "N", GEN, NULL, "disjoint matches to hide (default 1)"},
    {KEY_BACKGROUND, 0, "background", "N", GEN, NULL,
     "colours that the motif does not have (default 1); 'random':\n"
     "the motif's own, so that nothing can be pruned"},
    {KEY_EDGE_TYPES, 0, "edge-types", "K", GEN, "Types of edges",
     "each edge has one of t0, t1, .., tK-1; writes a typed table,\n"
     "in which colours are types of vertices"},
    {KEY_DIRECTED_TYPES, 0, "directed-types", "D", GEN, NULL,
     "the first D of these have a direction, which is random"},
    {KEY_ERROR, 'e', "error", "E", SEARCH, "How to search",
     "bound on the chance to miss a vertex (default 1e-6)"},
    {KEY_REPETITIONS, 0, "repetitions", "N", SEARCH, NULL,
     "sieve repetitions, instead of as many as E needs"},
    {KEY_SEED, 's', "seed", "N", SEARCH, NULL, "of the random weights (default 1)"},
    {KEY_RECURRENCE, 0, "recurrence", "NAME", SEARCH, NULL, "sibling (default) or classic"},
    {KEY_NO_PRUNE, 0, "no-prune", NULL, SEARCH, NULL, "sieve the whole graph (for benchmarks)"},
    {KEY_BACKEND, 0, "backend", "NAME", SEARCH, NULL,
     "where the sieve runs: auto (default: where it is done first),\n"
     "cpu, cuda (NVIDIA GPUs) or both; the result is the same"},
    {KEY_DEVICES, 0, "devices", "LIST", SEARCH, NULL,
     "GPUs to use, such as 0,2 (default: all); 'motifsieve info'\nlists them"},
    {KEY_EXACT, 'x', "exact", NULL, MATCH, "How to search", "every match (default)"},
    {KEY_INEXACT, 0, "inexact", NULL, MATCH, NULL, "the maps of the pattern that keep most of it"},
    {KEY_BEST, 0, "best", "N", MATCH, NULL, "inexact: the N best (default 10)"},
    {KEY_WALK, 0, "walk", "KIND", MATCH, NULL, "through the pattern: euler (default) or random"},
    {KEY_WALK_LENGTH, 0, "walk-length", "N", MATCH, NULL,
     "random: steps (default: four times the Euler tour's), or more\n"
     "until each edge was taken"},
    {KEY_SEED, 's', "seed", "N", MATCH, NULL, "of a random walk (default 1)"},
    {KEY_EXACT, 'x', "exact", NULL, LIST, NULL, "motifs: no sieve in front, nothing can be missed"},
    {KEY_SCREEN, 0, "screen", "WHEN", LIST, NULL,
     "patterns: the sieve in front: auto (default: where it should\n"
     "pay), always, or never: nothing can be missed"},
    {KEY_ORDER, 0, "order", "NAME", PATTERNS, NULL,
     "patterns: in which order vertices are matched: auto (default),\n"
     "ri, degree or reuse; the matches are the same"},
    {KEY_ENGINE, 0, "engine", "NAME", LIST, NULL,
     "patterns: what searches: auto (default: where it should be\n"
     "done first), cpu, gpu (what is best there), dfs, trie,\n"
     "reuse or flood; on GPUs matches come in any order"},
    {KEY_LIMIT, 'l', "limit", "N", LIST | MATCH, NULL, "stop after N matches"},
    {KEY_RECOUNT, 0, "recount", NULL, VERIFY, NULL,
     "prove that nothing is missing by an independent recount,\n"
     "however long it takes (without it: tried for 10 seconds)"},
    {KEY_NO_RECOUNT, 0, "no-recount", NULL, VERIFY, NULL, "check the rows only"},
    {KEY_ALGORITHM, 0, "algorithm", "NAME", COMPONENTS, NULL,
     "afforest (default; the fastest), kahan or bully: the same\ncomponents"},
    {KEY_THREADS, 't', "threads", "N", SEARCH | CONVERT | STATS | PLAN | COMPONENTS | TYPED, NULL,
     "default: all processors, or OMP_NUM_THREADS"},
    {KEY_MEMORY, 0, "memory", "SIZE", SEARCH | PLAN | MATCH, NULL,
     "bound, such as 4G (default: 3/4 of what there is)"},
    {KEY_TIMEOUT, 0, "timeout", "TIME", RESULTS | MATCH | PATH, NULL,
     "stop after so long, such as 30s, 5m or 2h, and write what\nis known by then"},
    {KEY_COUNT, 'n', "count", NULL, LIST | MATCH, "What to write", "only the number of matches"},
    {KEY_COUNT, 'n', "count", NULL, PLAN, NULL, "also how the matches would be counted"},
    {KEY_COUNT, 'n', "count", NULL, COMPONENTS, NULL, "only the number of components"},
    {KEY_SIZES, 0, "sizes", NULL, COMPONENTS, NULL,
     "a row for each component, not for each vertex: its size and\none of its vertices"},
    {KEY_LARGEST, 0, "largest", NULL, COMPONENTS, NULL, "only the largest component"},
    {KEY_MIN_SIZE, 0, "min-size", "N", COMPONENTS, NULL, "only components of at least N vertices"},
    {KEY_PATH_LENGTHS, 0, "lengths", NULL, PATH, NULL,
     "only SOURCE, TARGET and LENGTH of each pair, not the path"},
    {KEY_ALL, 'a', "all", NULL, SCREEN, NULL, "every vertex, not only the flagged ones"},
    {KEY_ALL, 'a', "all", NULL, STATS, NULL, "every colour, not only the 20 most frequent"},
    {KEY_TO, 0, "to", "NAME", CONVERT | GEN, NULL,
     "format to write (default: as the ending of FILE says)"},
    {KEY_MAP, 0, "map", "FILE", CONVERT, NULL,
     "of a format that holds numbers only: write NUMBER<TAB>NAME\nof every vertex there"},
    {KEY_LIST_FORMATS, 0, "list-formats", NULL, GEN, NULL,
     "what each graph format looks like, then exit"},
    {KEY_PREFIX, 0, "prefix", "TEXT", GEN, NULL, "in front of the numbers that name vertices"},
    {KEY_COLORS_OUT, 0, "colors-out", "FILE", GEN, NULL,
     "write the colours there, VERTEX<TAB>COLOUR"},
    {KEY_COLORS_OUT, 0, "colours-out", "FILE", GEN, NULL, NULL},
    {KEY_PLANTED_OUT, 0, "planted-out", "FILE", GEN, NULL,
     "write the hidden matches there, NUMBER<TAB>VERTEX<TAB>COLOUR"},
    {KEY_OUTPUT, 'o', "output", "FILE", READERS | GEN, NULL,
     "write there, whole or not at all (default: standard output);\n"
     "compressed if FILE ends in .gz or .zst"},
    {KEY_JSON, 'j', "json", NULL, SEARCH | COMPONENTS | MATCH | PATH, NULL,
     "JSON lines instead of TSV"},
    {KEY_JSON, 'j', "json", NULL, VERIFY, NULL, "the verdict as a JSON object"},
    {KEY_JSON, 'j', "json", NULL, PLAN, NULL, "a JSON object instead of text"},
    {KEY_JSON, 'j', "json", NULL, STATS, NULL, "one JSON object instead of KEY<TAB>VALUE lines"},
    {KEY_BINARY, 'b', "binary", NULL, LIST, NULL, "patterns: a compact binary form instead of TSV"},
    {KEY_CX2, 0, "cx2", NULL, SEARCH, NULL,
     "a network for Cytoscape instead of TSV: the vertices found\nand all edges among them"},
    {KEY_DOT, 0, "dot", NULL, SEARCH, NULL, "the same as a drawing for Graphviz"},
    {KEY_MATCH, 0, "match", "N", LIST, NULL, "with --cx2 or --dot: only match N"},
    {KEY_WHOLE_GRAPH, 0, "whole-graph", NULL, SEARCH, NULL,
     "with --cx2 or --dot: every vertex and edge"},
    {KEY_FAIL_IF_NONE, 0, "fail-if-none", NULL, SEARCH | MATCH | PATH, NULL,
     "exit with status 5 if there is none"},
    {KEY_QUIET, 'q', "quiet", NULL, READERS | GEN, NULL, "no progress line and no warnings"},
    {KEY_VERBOSE, 'v', "verbose", NULL, READERS | GEN, NULL,
     "tell on standard error what was read and done"},
    {KEY_BENCH_FAMILY, 0, "family", "NAME", SIEVE, NULL,
     "of the graph: regular (default), power-law, er or clique"},
    {KEY_EXPONENT, 0, "exponent", "X", SIEVE, NULL,
     "power-law: degrees d have frequency d^X; from -10 to 0"},
    {KEY_BENCH_VERTICES, 'n', "vertices", "N", SIEVE, NULL,
     "vertices (default 1024); with --experiment n a list"},
    {KEY_BENCH_DEGREE, 'd', "degree", "D", SIEVE, NULL, "mean degree (default 20)"},
    {KEY_BENCH_SLOTS, 'k', "slots", "K", SIEVE, NULL,
     "motif slots = colours, 2 to 32 (default 16); with\n--experiment k a list"},
    {KEY_BENCH_PLANTED, 0, "planted", NULL, SIEVE, NULL,
     "hide one match among vertices of another colour: pruning\nalone answers"},
    {KEY_BENCH_EXPERIMENT, 0, "experiment", "NAME", SIEVE, NULL,
     "a row for each of several instances: k (4 to 20, or\n"
     "--slots), n (2^8 to 2^20, or --vertices; k is 10), or\n"
     "topology (four families with as many edges; n is 2^18)"},
    {KEY_BACKEND, 0, "backend", "NAME", SIEVE, NULL, "auto (default), cpu, cuda or both"},
    {KEY_DEVICES, 0, "devices", "LIST", SIEVE, NULL, "GPUs by number, such as 0,1 (default: all)"},
    {KEY_THREADS, 't', "threads", "T", SIEVE, NULL, "threads (default: all)"},
    {KEY_RECURRENCE, 0, "recurrence", "NAME", SIEVE, NULL, "sibling (default) or classic"},
    {KEY_BENCH_ARITHMETIC, 0, "arithmetic", "NAME", SIEVE, NULL,
     "line type, see 'motifsieve bench gf2' (default: the\nfastest)"},
    {KEY_BENCH_BLOCK_POINTS, 0, "block-points", "P", SIEVE, NULL,
     "points a block (default: chosen)"},
    {KEY_REPETITIONS, 0, "repetitions", "R", SIEVE, NULL, "repetitions (default 1)"},
    {KEY_BENCH_RUNS, 0, "runs", "N", SIEVE, NULL,
     "times to measure; the median is printed (default 3).  On\na GPU one more comes first and is told apart"},
    {KEY_MEMORY, 0, "memory", "SIZE", SIEVE, NULL, "memory bound"},
    {KEY_SEED, 0, "seed", "S", SIEVE, NULL, "of graph, colours and weights (default 1)"},
    {KEY_THREADS, 't', "threads", "LIST", GF2, NULL,
     "thread counts to try, such as 1,2,4 (default: 1 and all)"},
    {KEY_BACKEND, 0, "backend", "NAME", GF2, NULL, "cpu (default) or cuda"},
    {KEY_BENCH_DEVICE, 0, "device", "N", GF2, NULL,
     "with --backend cuda: GPU number N (default 0)"},
    {KEY_BENCH_CEILINGS, 0, "ceilings", NULL, GF2, NULL,
     "with --backend cuda: not products, but what bounds them:\n"
     "logic, shared memory, memory"},
    {KEY_BENCH_SECONDS, 's', "seconds", "S", GF2, NULL, "time for each figure (default 0.5)"},
    {KEY_BENCH_CSV, 0, "csv", NULL, GF2 | SIEVE, NULL, "comma-separated values"},
    {KEY_HELP, 'h', "help", NULL, ALL, NULL, "this help"},
};

_Static_assert(sizeof rows / sizeof *rows == MS_OPTION_ROWS, "MS_OPTION_ROWS counts the rows");
const ms_option_row *const ms_option_rows = rows;

const char *ms_command_name(ms_command command)
{
  switch (command) {
  case MS_COMMAND_SCREEN:
    return "screen";
  case MS_COMMAND_LIST:
    return "list";
  case MS_COMMAND_VERIFY:
    return "verify";
  case MS_COMMAND_INFO:
    return "info";
  case MS_COMMAND_CONVERT:
    return "convert";
  case MS_COMMAND_STATS:
    return "stats";
  case MS_COMMAND_GEN:
    return "gen";
  case MS_COMMAND_BENCH:
    return "bench";
  case MS_COMMAND_BENCH_GF2:
    return "bench gf2";
  case MS_COMMAND_BENCH_SIEVE:
    return "bench sieve";
  case MS_COMMAND_PLAN:
    return "plan";
  case MS_COMMAND_COMPONENTS:
    return "components";
  case MS_COMMAND_PATH:
    return "path";
  case MS_COMMAND_FILTER:
    return "filter";
  case MS_COMMAND_TYPED:
    return "typed-match";
  }
  return "";
}

bool ms_command_has_sections(ms_command command)
{
  return !(command & (INFO | BENCH | GF2 | SIEVE));
}

/* ---- values -------------------------------------------------------------- */

static const char *graph_format_name(uint32_t i)
{
  if (i == MS_FORMAT_AUTO)
    return "auto";
  return i < MS_GRAPH_FORMATS ? ms_graph_format_describe((ms_graph_format)i).name : NULL;
}

static const char *written_format_name(uint32_t i)
{
  for (uint32_t f = MS_FORMAT_AUTO + 1; f < MS_GRAPH_FORMATS; f++)
    if (ms_graph_format_describe((ms_graph_format)f).writable && i-- == 0)
      return ms_graph_format_describe((ms_graph_format)f).name;
  return NULL;
}

/* The typed formats, then the plain ones that are not called as one of these. */
static const char *any_format_name(uint32_t i)
{
  if (i < MS_TYPED_FORMATS)
    return ms_typed_format_name((ms_typed_format)i);
  i -= MS_TYPED_FORMATS;
  for (uint32_t f = MS_FORMAT_AUTO + 1; f < MS_GRAPH_FORMATS; f++)
    if (f != MS_FORMAT_SIF && i-- == 0)
      return graph_format_name(f);
  return NULL;
}

const char *ms_option_value(ms_option_key key, uint32_t i)
{
  static const char *const recurrences[] = {"sibling", "classic"};       /* as in ms_recurrence */
  static const char *const backends[] = {"auto", "cpu", "cuda", "both"}; /* as in ms_backend */
  static const char *const experiments[] = {"k", "n", "topology"};
  static const char *const orders[] = {"auto", "ri", "degree", "reuse"};  /* as in ms_order */
  static const char *const algorithms[] = {"afforest", "kahan", "bully"}; /* as in the enum */
  static const char *const walks[] = {"euler", "random"};                 /* as in ms_typed_walk */
  static const char *const screens[] = {"auto", "always", "never"};       /* as in ms_screen_mode */
  switch (key) {
  case KEY_FORMAT:
  case KEY_PATTERN_FORMAT:
    return graph_format_name(i);
  case KEY_TYPED_FORMAT:
    return any_format_name(i);
  case KEY_TO:
    return written_format_name(i);
  case KEY_COLOR_FORMAT:
    return i < MS_COLOR_FORMATS ? ms_color_format_name((ms_color_format)i) : NULL;
  case KEY_RECURRENCE:
    return i < sizeof recurrences / sizeof *recurrences ? recurrences[i] : NULL;
  case KEY_BACKEND:
    return i < sizeof backends / sizeof *backends ? backends[i] : NULL;
  case KEY_ORDER:
    return i < sizeof orders / sizeof *orders ? orders[i] : NULL;
  case KEY_SCREEN:
    return i < sizeof screens / sizeof *screens ? screens[i] : NULL;
  case KEY_ALGORITHM:
    return i < sizeof algorithms / sizeof *algorithms ? algorithms[i] : NULL;
  case KEY_WALK:
    return i < sizeof walks / sizeof *walks ? walks[i] : NULL;
  case KEY_ENGINE:
    return ms_pattern_engine_name(i);
  case KEY_BENCH_EXPERIMENT:
    return i < sizeof experiments / sizeof *experiments ? experiments[i] : NULL;
  case KEY_BENCH_FAMILY: /* those of which n and a mean degree are enough */
    return i <= MS_FAMILY_CLIQUE ? ms_family_describe((ms_family)i).name : NULL;
  case KEY_BENCH_ARITHMETIC:
    return i < ms_gf2_path_count() ? ms_gf2_path_at(i)->name : NULL;
  default:
    return NULL;
  }
}

const char *ms_operand_value(ms_command command, uint32_t i)
{
  return command == GEN && i < MS_FAMILIES ? ms_family_describe((ms_family)i).name : NULL;
}

bool ms_option_choice(ms_option_key key, const char *value, uint32_t *i)
{
  const char *name;
  for (*i = 0; (name = ms_option_value(key, *i)); (*i)++)
    if (strcmp(name, value) == 0)
      return true;
  return false;
}

/* ---- help ---------------------------------------------------------------- */

static const ms_command_help helps[] = {
    {SCREEN, "GRAPH --colors FILE --motif TEXT [OPTION]...",
     "Which vertices of GRAPH take part in a match of the motif?  A match is a connected\n"
     "set of vertices that can be paired off with the motif's colours.  A vertex that is\n"
     "flagged is certainly in a match; one that is in a match is missed with a chance of\n"
     "at most E.  GRAPH is an edge list, STRING links or another format (--list-formats),\n"
     "plain, gzip or zstd, or - for standard input.",
     "Examples:\n"
     "  motifsieve screen yeast.txt.gz --colors go_slim_mapping.tab.gz \\\n"
     "      --motif '\"exocytosis\":3,cytokinesis,*:2'\n"
     "  motifsieve screen links.txt.gz --min-score 400 -c colors.tsv -m 'a,b:2' --all -o "
     "flags.tsv\n"},
    {LIST, "GRAPH {--motif TEXT | --pattern PATTERN} [--colors FILE] [OPTION]...",
     "List every match of the motif in GRAPH: a match is a connected set of vertices that\n"
     "can be paired off with the motif's colours.  The sieve finds the vertices to search\n"
     "among (--exact goes without it); every match is verified before it is written.\n"
     "With --pattern, list every place in GRAPH that has the pattern's edges, and the colours\n"
     "that its vertices accept; 'motifsieve plan' tells how it is searched for.",
     "Examples:\n"
     "  motifsieve list network.tsv --pattern clique:5 -o cliques.tsv\n"
     "  motifsieve list network.tsv -c colors.tsv --pattern loop.tve --induced --count\n"
     "  motifsieve list yeast.txt.gz -c go_slim_mapping.tab.gz --motif-file motif.txt -o "
     "modules.tsv\n"
     "  motifsieve list network.tsv -c colors.tsv -m 'a,b:2' --require YAL001C --count --exact\n"},
    {PLAN, "GRAPH --pattern PATTERN [OPTION]...",
     "Tell how 'motifsieve list' would look for the pattern: in which order its vertices are\n"
     "matched, what is asked of each, and how many matches to expect.  Nothing is searched,\n"
     "and the sieve, which may leave less of GRAPH to search, is not run.",
     "Examples:\n"
     "  motifsieve plan network.tsv --pattern house\n"
     "  motifsieve plan network.tsv -c colors.tsv --pattern loop.tve --induced --json\n"},
    {MATCH, "GRAPH --pattern PATTERN [OPTION]...",
     "List every place in GRAPH, whose vertices and edges have types, where the pattern fits.  PATTERN\n"
     "is made of vertices (NAME:TYPE) and edges -[TYPE]- between them, -[TYPE]-> where direction\n"
     "counts; a|b is either type, and what is left out is any.  Edges of other types are filtered out\n"
     "first, a walk through the pattern finds what each of its vertices can be, and each match is\n"
     "verified before it is written.  --inexact finds what comes nearest to the pattern.",
     "Examples:\n"
     "  motifsieve typed-match edges.sif.gz --nodes nodes.tsv.gz \\\n"
     "      --pattern '(c:Compound)-[CbG]-(g:Gene)-[DaG]-(d:Disease)' -o paths.tsv\n"
     "  motifsieve typed-match edges.tsv --pattern module.txt --count\n"
     "  motifsieve typed-match edges.tsv --pattern module.txt --inexact --best 20\n"},
    {MS_COMMAND_FILTER, "GRAPH --pattern PATTERN [OPTION]...",
     "The compound type filter: write the edges of GRAPH that could be in a match by their types and\n"
     "those of their ends, as a table.  typed-match, path and filter read it as it is; all other\n"
     "commands drop the types of edges, and take those of vertices as colours.  See\n"
     "'motifsieve typed-match --help' for PATTERN.",
     "Example:\n"
     "  motifsieve filter edges.sif.gz -p '(:Compound)-[CbG]-(:Gene)-[DaG]-(:Disease)' -o part.tsv\n"},
    {VERIFY, "RESULT GRAPH [--colors FILE] [--pattern PATTERN] [OPTION]...",
     "Check a result of screen, list or typed-match again, from its inputs alone, by code\n"
     "that shares nothing with the search: that the file is whole, belongs to these inputs,\n"
     "that every row is right and, where a recount can be afforded, that none is missing.\n"
     "The options for reading the input are taken from RESULT unless given.\n"
     "Exit status 0: accepted; 3: refused, with the reason on standard error.",
     "Examples:\n"
     "  motifsieve verify modules.tsv yeast.txt.gz --colors go_slim_mapping.tab.gz\n"
     "  motifsieve verify --recount --timeout 1h modules.tsv network.tsv -c colors.tsv\n"},
    {CONVERT, "GRAPH -o FILE [--to NAME] [OPTION]...",
     "Read GRAPH, with colours if there are any, and write it in another format: without\n"
     "self-loops and repeated edges, in the order of its vertices.  A format that holds\n"
     "numbers instead of names loses the names; --map keeps them in a file of their own.\n"
     "FILE may end in .gz or .zst.",
     "Examples:\n"
     "  motifsieve convert links.txt.gz --min-score 400 -o links.sif\n"
     "  motifsieve convert biogrid.tab3.txt --taxon 559292 -c go_slim_mapping.tab.gz -o yeast.msb\n"
     "  motifsieve convert network.tsv --to metis --map names.tsv -o network.graph\n"},
    {STATS, "GRAPH [--colors FILE] [--motif TEXT] [OPTION]...",
     "Count: vertices, edges and what reading dropped, degrees, components, and with colours\n"
     "the vertices of each.  With a motif, also what exact pruning would leave of GRAPH: the\n"
     "vertices, edges and components that screen and list would have to look at.",
     "Examples:\n"
     "  motifsieve stats links.txt.gz --min-score 400\n"
     "  motifsieve stats yeast.txt.gz -c go_slim_mapping.tab.gz -m '\"exocytosis\":3,cytokinesis'\n"},
    {COMPONENTS, "GRAPH [OPTION]...",
     "Find the connected components of GRAPH: the sets of vertices that hang together by its\n"
     "edges.  A row says of a vertex in which component it is, and of how many vertices that\n"
     "is.  Components are numbered from the largest on, of the same size as GRAPH has them,\n"
     "and rows come in that order.",
     "Examples:\n"
     "  motifsieve components links.txt.gz --min-score 900 --min-size 3 -o components.tsv\n"
     "  motifsieve components network.tsv --sizes\n"
     "  motifsieve components network.tsv --count\n"},
    {PATH, "GRAPH {SOURCE TARGET | --pairs FILE} [OPTION]...",
     "Find a shortest path from the vertex SOURCE to TARGET in a graph whose edges may have\n"
     "types and directions; a plain graph will do, too.  One row for each step: the number of\n"
     "the pair, its ends, the length, the step from 0, the type of the edge that was followed\n"
     "(^r: an edge of type r against its direction) and the vertex; where there is no path one\n"
     "row with '-' for these.  Of several shortest paths always the same one is found.",
     "Examples:\n"
     "  motifsieve path hetionet.sif.gz Compound::DB00563 Disease::DOID:7148\n"
     "  motifsieve path hetionet.sif.gz --types CbG,DaG --pairs pairs.tsv --json -o paths.jsonl\n"
     "  motifsieve path network.tsv YAL001C YBR123C --lengths --fail-if-none\n"},
    {GEN, "FAMILY [OPTION]...",
     "Make a random graph without self-loops and repeated edges, the same for the same seed\n"
     "on any number of threads.  Vertices are named by their numbers.  FAMILY is one of:",
     "Examples:\n"
     "  motifsieve gen regular -n 1024 -d 20 --uniform-colors 16 --colors-out c.tsv -o g.tsv\n"
     "  motifsieve gen power-law -n 262144 --exponent -1 --edges 2600000 -o g.tsv.gz\n"
     "  motifsieve gen er -n 10000 --edges 100000 --planted 'red:2,blue' --plants 3 \\\n"
     "      --planted-out hidden.tsv --colors-out c.tsv -o g.tsv\n"
     "  motifsieve gen er -n 1000 -d 8 --uniform-colors 5 --edge-types 6 --directed-types 2 -o t.tsv\n"},
    {INFO, "[OPTION]...", "Tell what this machine and this build of motifsieve offer.",
     "Example:\n  motifsieve info\n"},
    {BENCH, "gf2|sieve [OPTION]...",
     "Measure this machine.\n"
     "\n"
     "  gf2    multiplications a second in GF(2^8), for every line type\n"
     "  sieve  sieve runs on random graphs, each beside its floor\n"
     "\n"
     "'motifsieve bench gf2 --help' and 'motifsieve bench sieve --help' tell the options.",
     "Examples:\n"
     "  motifsieve bench gf2\n"
     "  motifsieve bench sieve\n"},
    {GF2, "[OPTION]...",
     "Multiplications a second in GF(2^8) modulo 0x11B, for every line type that this\n"
     "processor has, on lines that stay in the first-level cache, or of a GPU, in registers.\n"
     "Each figure is the best of five slices.  One product is one element times one element;\n"
     "both vary.",
     "Examples:\n"
     "  motifsieve bench gf2 --threads 1,2,4 --seconds 2\n"
     "  motifsieve bench gf2 --backend cuda\n"
     "  motifsieve bench gf2 --backend cuda --ceilings\n"},
    {SIEVE, "[OPTION]...",
     "Sieve a random graph whose vertices have one of the motif's k colours each, so that\n"
     "exact pruning removes nothing; print the time beside its floor.  With --experiment: a\n"
     "row for each of several such graphs.",
     "Examples:\n"
     "  motifsieve bench sieve --vertices 4096 --slots 14 --recurrence classic\n"
     "  motifsieve bench sieve --family power-law --exponent -1 -n 262144 -k 10\n"
     "  motifsieve bench sieve --experiment k --slots 8,10,12,14 --backend cuda --csv\n"},
};

const ms_command_help *ms_command_help_at(uint32_t i)
{
  return i < sizeof helps / sizeof *helps ? &helps[i] : NULL;
}

/* One row: "  -c, --colors FILE    text", text wrapped by hand at \n. */
static void print_row(const ms_option_row *row)
{
  enum { COLUMN = 28 };
  char left[64];
  char letter[5] = "    ";
  if (row->letter) {
    letter[0] = '-';
    letter[1] = row->letter;
    letter[2] = ',';
  }
  snprintf(left, sizeof left, "  %s--%s%s%s", letter, row->name, row->argument ? " " : "",
           row->argument ? row->argument : "");
  printf("%-*s", COLUMN, left);
  if (strlen(left) >= COLUMN) /* a long name has a line of its own */
    printf("\n%*s", COLUMN, "");
  for (const char *p = row->help; *p; p++)
    if (*p == '\n')
      printf("\n%*s", COLUMN, "");
    else
      putchar(*p);
  putchar('\n');
}

/* A family: its name, what it is, its options, those in brackets that need
 * not be given. */
static void family_text(ms_family_info info, char *text, size_t room)
{
  size_t used = (size_t)snprintf(text, room, "  %-10s", info.name);
  for (unsigned field = 1; field < 1u << MS_GEN_FIELDS && used < room; field <<= 1)
    if (info.takes & field)
      used += (size_t)snprintf(text + used, room - used, info.needs & field ? " --%s" : " [--%s]",
                               ms_generate_field_name(field));
  for (const char *p = info.about; *p && used < room; p += strcspn(p, "\n"), p += *p == '\n')
    used +=
        (size_t)snprintf(text + used, room - used, "\n             %.*s", (int)strcspn(p, "\n"), p);
}

void ms_operand_help(ms_command command, void (*put)(const char *text))
{
  char text[1024];
  for (int f = 0; command == GEN && f < MS_FAMILIES; f++) {
    family_text(ms_family_describe((ms_family)f), text, sizeof text);
    put(text);
  }
}

static void put_line(const char *text)
{
  puts(text);
}

int ms_help_show(ms_command command)
{
  bool sections = ms_command_has_sections(command);
  for (size_t i = 0; i < sizeof helps / sizeof *helps; i++) {
    if (helps[i].command != command)
      continue;
    printf("Usage: motifsieve %s%s%s\n%s\n", ms_command_name(command), helps[i].usage[0] ? " " : "",
           helps[i].usage, helps[i].about);
    ms_operand_help(command, put_line);
    const char *section = NULL, *printed = NULL;
    for (size_t r = 0; r < MS_OPTION_ROWS; r++) {
      if (!section || (sections && ms_option_rows[r].section))
        section = ms_option_rows[r].section;
      if (!(ms_option_rows[r].commands & command) || !ms_option_rows[r].help)
        continue;
      /* a section is announced by its first row that this command has */
      if (section != printed)
        printf("\n%s:\n", sections ? section : "Options");
      printed = section;
      print_row(&ms_option_rows[r]);
    }
    printf("\n%s", helps[i].after);
  }
  return ms_cli_close_stdout();
}

/* ---- formats ------------------------------------------------------------- */

static void put_example(const char *example)
{
  for (const char *p = example; *p;) {
    size_t length = strcspn(p, "\n");
    printf("    %.*s\n", (int)length, p);
    p += length + (p[length] == '\n');
  }
}

static void show_typed_formats(void)
{
  printf("Formats of GRAPH whose edges have types; each may be compressed with gzip or zstd.\n");
  for (int f = MS_TYPED_AUTO + 1; f < MS_TYPED_FORMATS; f++) {
    const ms_typed_reader *reader = ms_typed_reader_of((ms_typed_format)f);
    printf("\n%s: %s\n", reader->name, reader->about);
    put_example(reader->example);
  }
  printf("\nAny other file is read as a plain graph.\n");
}

static int show_formats(ms_command command)
{
  if (command & TYPED)
    show_typed_formats();
  printf("Formats of GRAPH, by content unless --format names one.  Each may be compressed with\n"
         "gzip or zstd.\n");
  for (int f = MS_FORMAT_AUTO + 1; f < MS_GRAPH_FORMATS; f++) {
    ms_graph_format_info info = ms_graph_format_describe((ms_graph_format)f);
    printf("\n%s (%s%s%s): %s\n", info.name, info.suffix, info.writable ? "" : ", read only",
           info.holds_colors ? ", with colours" : "", info.about);
    put_example(info.example);
  }
  return ms_cli_close_stdout();
}

bool ms_options_shown(const ms_cli_options *options)
{
  return options->help || options->list_formats;
}

int ms_options_show(const ms_cli_options *options)
{
  return options->help ? ms_help_show(options->command) : show_formats(options->command);
}
