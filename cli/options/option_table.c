#include "cli/options/option_table.h"

#include "base/compiler.h"
#include "run/engine.h"
#include "run/motif_engine.h"

#include <string.h>

/* ---- sets of commands -------------------------------------------------------- */

#define SCREEN MS_COMMAND_SCREEN
#define LIST MS_COMMAND_LIST
#define VERIFY MS_COMMAND_VERIFY
#define CONVERT MS_COMMAND_CONVERT
#define STATS MS_COMMAND_STATS
#define GEN MS_COMMAND_GEN
#define PLAN MS_COMMAND_PLAN
#define COMPONENTS MS_COMMAND_COMPONENTS
#define MINE MS_COMMAND_MINE
#define CENSUS MS_COMMAND_CENSUS
#define COMPARE MS_COMMAND_COMPARE
#define PATH MS_COMMAND_PATH
#define NEIGHBORS MS_COMMAND_NEIGHBORS
#define MATCH MS_COMMAND_MATCH
#define GF2 MS_COMMAND_BENCH_GF2
#define SIEVE MS_COMMAND_BENCH_SIEVE
#define SEARCH (SCREEN | LIST)
#define REPORT MS_COMMAND_REPORT
#define POINTS (NEIGHBORS | SEARCH | MATCH | REPORT) /* the commands that read points */
#define MERGE MS_COMMAND_MERGE
#define DIVIDED (CENSUS | MATCH | LIST | SCREEN) /* the commands whose work can be divided */
#define SAVED DIVIDED                            /* those whose state can be saved */
#define JUDGES (VERIFY | REPORT)                 /* the commands that read a result file */
#define RESULTS (SEARCH | JUDGES)
#define SIEVING (SEARCH | MATCH) /* the commands that may run the sieve */
#define PATTERNS (MATCH | PLAN)
#define FILTER MS_COMMAND_FILTER
#define TYPED (PATTERNS | FILTER | PATH) /* the commands that read typed graphs */
#define GRAPHS (RESULTS | CONVERT | STATS | COMPONENTS | MINE | CENSUS | COMPARE)
#define READERS (GRAPHS | TYPED | GEN)
#define READ (READERS | SIEVE) /* the commands that read a graph, or may */
#define ALL (READERS | MS_COMMAND_INFO | NEIGHBORS | MERGE | MS_COMMAND_BENCH | GF2 | SIEVE)

/* ---- setters with their fields ------------------------------------------------- */

#define AT(member)                                                                                 \
  .offset = offsetof(ms_cli_options, member), .size = sizeof(((ms_cli_options *)0)->member)
#define FLAG(member) .set = ms_set_flag, AT(member)
#define CONSTANT(member, value) .set = ms_set_constant, AT(member), .least = value
#define TEXT(member) .set = ms_set_text, AT(member)
#define LINE(member) .set = ms_set_line, AT(member)
#define COLUMN(member) LINE(member), .wants = "the name of a column, or its number from 1"
#define READS(member) .set = ms_set_text, AT(member), .file = MS_FILE_READ
#define READS_PATH(member) .set = ms_set_path, AT(member), .file = MS_FILE_READ
#define WRITES(member) .set = ms_set_text, AT(member), .file = MS_FILE_WRITTEN
#define COUNT(member, low, high) .set = ms_set_count, AT(member), .least = low, .most = high
#define REAL(member) .set = ms_set_real, AT(member)
#define SIZE(member) .set = ms_set_size, AT(member)
#define DURATION(member) .set = ms_set_duration, AT(member)
#define WORD(member, list) .set = ms_set_word, AT(member), .word = list
#define FORMAT(member) .set = ms_set_graph_format, AT(member), .word = ms_graph_format_word

/* ---- the short help --------------------------------------------------------------- */

/* The commands whose --help shows the option, not only --help=all: at most ten for each, of list
 * fifteen. */
#define MAIN(set) .main = set

/* ---- groups -------------------------------------------------------------------- */

#define READING(what) MS_READING_SECTION " " what /* the title of a section */
#define OF_PATTERN .groups = MS_OPTIONS_OF_PATTERN
#define OF_PLAIN .groups = MS_OPTIONS_OF_PLAIN_GRAPH
#define OF_COLOR_FILE .groups = MS_OPTIONS_OF_PLAIN_GRAPH | MS_OPTIONS_OF_COLOR_FILE
#define OF_TYPED .groups = MS_OPTIONS_OF_TYPED_GRAPH
#define OF_FLAGS MS_OPTIONS_OF_PATTERN
#define FOR_PLAIN .groups = MS_OPTIONS_OF_PLAIN_PATTERN
#define FOR_TYPED .groups = MS_OPTIONS_OF_TYPED_PATTERN

const ms_option_row ms_option_rows[] = {
    {'c', "colors", "FILE", RESULTS | MINE | CENSUS | SIEVE, "What to look for",
     "file of vertex colours, VERTEX<TAB>COLOUR, or another form\n"
     "(--color-format); not needed if GRAPH holds colours",
     READS(colors), .also = "colours", OF_PLAIN, MAIN(RESULTS | MINE | CENSUS | SIEVE)},
    {'c', "colors", "FILE", COMPARE, NULL,
     "with --metadata: file of vertex colours; not needed if GRAPH holds\n"
     "colours (a sheet names its colour files)",
     READS(colors), .also = "colours", OF_PLAIN},
    {0, "metadata", "FILE", COMPARE, NULL,
     "compare parts of one graph: the table that says for each vertex in\n"
     "which group, and in which sample, it is",
     READS_PATH(compare.metadata), .wants = "a file", MAIN(COMPARE)},
    {0, "metadata", "FILE", JUDGES, NULL, "the table of vertices that the comparison was made with",
     READS_PATH(compare.metadata), .wants = "a file"},
    {0, "sample", "COLUMN", COMPARE, NULL,
     "column of samples (default: sample, slide or a similar title of a\n"
     "sheet; with --metadata: each group is one sample)",
     COLUMN(compare.columns.sample_column), MAIN(COMPARE)},
    {0, "group", "COLUMN", COMPARE, NULL,
     "column of groups (default: group, condition, status or treatment\n"
     "in a sheet; --metadata needs it)",
     COLUMN(compare.columns.group_column), MAIN(COMPARE)},
    {0, "block", "COLUMN", COMPARE, NULL,
     "column of blocks, such as batches or pairs: samples are compared\n"
     "within blocks only (default: block, batch or pair in a sheet)",
     COLUMN(compare.columns.block_column), MAIN(COMPARE)},
    {0, "vertex-column", "COLUMN", COMPARE, NULL,
     "with --metadata: column of the names of vertices (default: the first)",
     COLUMN(compare.columns.vertex_column)},
    {0, "reference", "GROUP", COMPARE, NULL,
     "compare each other group with this one (default: each group with\n"
     "each one that comes before it)",
     LINE(compare.reference), .wants = "the name of a group", MAIN(COMPARE)},
    {0, "below", "DIR", COMPARE, NULL,
     "let the sheet name files below DIR, such as / for all (default: files\n"
     "below the folder of the sheet)",
     READS_PATH(below), .wants = "a folder"},
    {0, "below", "DIR", JUDGES, NULL, "comparison of samples: the same folder as for compare",
     READS_PATH(below), .wants = "a folder"},
    {0, "below", "DIR", MERGE, NULL,
     "read inputs that PART names only below DIR, such as / for all\n"
     "(default: below the folder of part 1)",
     READS_PATH(below), .wants = "a folder", MAIN(MERGE)},
    {0, "rest", NULL, COMPARE, NULL, "compare each group with all others together",
     FLAG(compare.rest)},
    {0, "permutations", "N", COMPARE, NULL,
     "try N random permutations for p values (default: 9999, or 999 where\n"
     "colours are permuted); all arrangements, if there are at most N",
     COUNT(compare.permutations, 1, MS_MAX_PERMUTATIONS), MAIN(COMPARE)},
    {'s', "seed", "N", COMPARE, NULL,
     "seed of the permutations (default " MS_TEXT(MS_DEFAULT_SEED) ")",
     COUNT(list.screen.run.seed, 0, INT64_MAX)},
    {'c', "colors", "FILE", CONVERT | STATS, NULL, "file of vertex colours", READS(colors),
     .also = "colours", OF_PLAIN, MAIN(CONVERT | STATS)},
    {'c', "colors", "FILE", PATTERNS, NULL, "file of vertex colours, for a plain graph",
     READS(colors), .also = "colours", OF_PLAIN, MAIN(PATTERNS)},
    {'c', "colors", "FILE", FILTER | PATH, NULL,
     "file of vertex colours, for a plain graph; colours become types", READS(colors),
     .also = "colours", OF_PLAIN, MAIN(FILTER | PATH)},
    {'m', "motif", "TEXT", SEARCH | STATS | SIEVE, NULL,
     "the colours to find, such as 'kinase:2,phosphatase,*:1', where\n"
     "* is any colour, a|b a vertex with either, !a one without a, and\n"
     "a&!b one with a and without b; put a name with , : | & or ! in\n"
     "double quotes; not needed if GRAPH states its motif ('p motif')",
     TEXT(motif), MAIN(SEARCH | STATS | SIEVE)},
    {0, "motif-file", "FILE", SEARCH | STATS | SIEVE, NULL,
     "file of the colours to find, COLOUR or COLOUR<TAB>COUNT", READS(motif_file), MAIN(SCREEN)},
    {0, "motif-from", "FILE", SEARCH | STATS | SIEVE, NULL,
     "file of vertices, one a line: find sets that are coloured like\n"
     "them; each slot accepts any colour of its vertex",
     READS(motif_from)},
    {0, "motifs", "FILE", SEARCH, NULL,
     "file of many motifs to find, NAME<TAB>MOTIF, where a count may be\n"
     "a range such as 2-4; the output is then a table with a row for each",
     READS(motifs), MAIN(LIST)},
    {0, "patterns", "PATH", MATCH, NULL,
     "count many patterns in place of PATTERN, each for a row of a table: a\n"
     "file of lines NAME<TAB>PATTERN or PATTERN, or a folder of files;\n"
     "--count or --permutations goes with it",
     READS_PATH(pattern.set), .wants = "a file or a folder"},
    {'k', "size", "K", MINE, NULL, "find motifs of up to K colours, at most 8 (default: 3)",
     COUNT(mine.slots, 1, MS_MAX_MINED), MAIN(MINE)},
    {0, "min-size", "N", MINE, NULL, "find motifs of at least N colours (default: 2)",
     COUNT(mine.least, 1, MS_MAX_MINED), MAIN(MINE)},
    {0, "support", "T", MINE, NULL,
     "find motifs whose matches hold at least T vertices (default: 1)",
     COUNT(mine.support, 1, UINT32_MAX), MAIN(MINE)},
    {'k', "size", "K", CENSUS | COMPARE, NULL,
     "count sets of K vertices, 2 to 8 (default: 3; of\n"
     "orbits 4)",
     COUNT(census.k, 2, MS_MAX_CENSUS), MAIN(CENSUS | COMPARE)},
    {0, "shapes", NULL, CENSUS, NULL,
     "count connected induced subgraphs by shape in place of motifs: sets\n"
     "of 3 to 6 vertices, or 3 to 5 with --directed; --colors is optional",
     FLAG(census.shapes), MAIN(CENSUS)},
    {0, "wide", NULL, CENSUS, NULL,
     "--shapes --per-vertex: write a plain table with a line for each\n"
     "vertex and a column for each orbit",
     FLAG(census.wide)},
    {0, "non-induced", NULL, CENSUS, NULL,
     "--shapes: count subgraphs that may lack edges of the graph", FLAG(census.non_induced)},
    {0, "colors-only", "LIST", CENSUS | COMPARE, NULL,
     "count only sets whose vertices all have colours of this list, such\n"
     "as Tcell,Bcell, and ignore all other colours; put a name with a\n"
     "comma in double quotes",
     LINE(census.only), .also = "colours-only", .wants = "colours with commas between them",
     MAIN(CENSUS)},
    {0, "primary-color", NULL, CENSUS | COMPARE, NULL,
     "keep one colour of each vertex: the one that comes first in the order\n"
     "in which colours first occur in the colour file (colours that\n"
     "--colors-only leaves out are not kept)",
     FLAG(census.primary), .also = "primary-colour"},
    {0, "nearest", NULL, SEARCH, NULL,
     "find the matches that are nearest to the motif: those with the\n"
     "fewest unfilled slots and extra vertices in total",
     FLAG(list.screen.nearest_only), MAIN(LIST)},
    {0, "max-missing", "D", LIST, NULL,
     "list matches in the order of their costs; a match may leave up to D\n"
     "slots of the motif unfilled, and each costs 1 (default: 0; --nearest:\n"
     "any number)",
     COUNT(list.screen.max_missing, 0, MS_MAX_K)},
    {0, "max-missing", "D", SCREEN, NULL,
     "write how near the nearest match of each vertex is; a match may\n"
     "leave up to D slots of the motif unfilled (default: 0; --nearest: any\n"
     "number)",
     COUNT(list.screen.max_missing, 0, MS_MAX_K)},
    {0, "max-extra", "I", SEARCH, NULL,
     "find near matches, too: a match may contain up to I extra vertices,\n"
     "which have any colour and fill no slot, and each costs 1 (default: 0;\n"
     "--nearest: 2)",
     COUNT(list.screen.max_extra, 0, MS_MAX_K)},
    {0, "substitute", "FILE", SEARCH, NULL,
     "let vertices fill slots of other colours: WANTED<TAB>INSTEAD<TAB>COST\n"
     "a line, or an ontology (OBO), where a step costs 1; 'ontology' is\n"
     "that of --obo",
     READS_PATH(substitutes), .wants = "a file, or 'ontology'"},
    {0, "substitute", "FILE", JUDGES, NULL, "the same file as for screen or list, or 'ontology'",
     READS_PATH(substitutes), .wants = "a file, or 'ontology'"},
    {0, "max-cost", "B", SEARCH, NULL,
     "let the substitutions in a match cost up to B in total (default: 2)",
     COUNT(list.screen.max_cost, 0, MS_MAX_COST)},
    {'r', "require", "VERTEX", SEARCH | PATTERNS, NULL,
     "find only matches that contain this vertex", .set = ms_set_required, .many = true,
     MAIN(SEARCH)},
    {'p', "pattern", "PATTERN", FILTER, NULL,
     "another way to give PATTERN: a text such as '(a:TYPE)-[TYPE]-(b)',\n"
     "or a file that holds such text or typed edges",
     READS_PATH(pattern.path), .wants = "a pattern, or a file that holds one", MAIN(FILTER)},
    {'p', "pattern", "PATTERN", JUDGES, NULL,
     "another way to give the PATTERN that was searched for", READS_PATH(pattern.path),
     .wants = "a pattern, or a file that holds one", MAIN(JUDGES)},
    {0, "pattern-colors", "FILE", PATTERNS, NULL,
     "file of the colours that the vertices of a built-in pattern or\n"
     "a pattern file accept, VERTEX<TAB>COLOUR; * is any colour",
     READS_PATH(pattern.colors), .also = "pattern-colours", FOR_PLAIN},
    {0, "pattern-colors", "FILE", JUDGES, NULL, "the same file as for match",
     READS_PATH(pattern.colors), .also = "pattern-colours", OF_PATTERN, MAIN(VERIFY)},
    {0, "pattern-colors", "FILE", SCREEN, NULL,
     "PATTERN: colours that each vertex of a built-in pattern or a\n"
     "pattern file accepts, VERTEX<TAB>COLOUR; * is any colour",
     READS_PATH(pattern.colors), .also = "pattern-colours",
     .groups = OF_FLAGS | MS_OPTIONS_OF_PLAIN_PATTERN},
    {0, "pattern-format", "NAME", SCREEN, NULL, "PATTERN: format of its file (default: auto)",
     FORMAT(pattern.format), .groups = OF_FLAGS | MS_OPTIONS_OF_PLAIN_PATTERN},
    {'i', "induced", NULL, SCREEN, NULL,
     "PATTERN: a match may have no edge where the pattern has none", FLAG(pattern.induced),
     .groups = OF_FLAGS},
    {0, "pattern-format", "NAME", PATTERNS, NULL, "format of the pattern's file (default: auto)",
     FORMAT(pattern.format), FOR_PLAIN},
    {'i', "induced", NULL, PATTERNS, NULL,
     "a match may not have edges that the pattern does not have", FLAG(pattern.induced),
     MAIN(PATTERNS)},
    {0, "subgraphs", NULL, PATTERNS, NULL, "find each subgraph once (default)",
     FLAG(pattern.subgraphs)},
    {0, "embeddings", NULL, PATTERNS, NULL, "find each way to map the pattern to a subgraph",
     FLAG(pattern.embeddings), MAIN(PATTERNS)},
    {0, "types", "LIST", PATH, NULL,
     "edge types that a path may follow, such as CbG,DaG; ^r is the\n"
     "inverse of r; put a name with a comma in double quotes\n"
     "(default: all types, each along its direction)",
     LINE(path.types), .wants = "types of edges with commas between them", MAIN(PATH)},
    {'b', "both-ways", NULL, PATH, NULL, "also follow edges against their direction",
     FLAG(path.both_ways), MAIN(PATH)},
    {0, "max-length", "N", PATH, NULL, "find only paths of at most N edges",
     COUNT(path.max_length, 1, UINT32_MAX - 1), MAIN(PATH)},
    {'p', "pairs", "FILE", PATH, NULL,
     "file of many pairs, SOURCE<TAB>TARGET, instead of one pair; - is\n"
     "standard input",
     READS_PATH(path.pairs), .wants = "a file, or '-' for standard input", MAIN(PATH)},
    {0, "pairs", "FILE", JUDGES, NULL, "the same file of pairs as for path", READS_PATH(path.pairs),
     .wants = "a file, or '-' for standard input"},

    {0, "format", "NAME", (GRAPHS & ~(SCREEN | STATS)) | SIEVE | GEN, READING("the graph"),
     "format of GRAPH (default: auto); see --list-formats", FORMAT(graph.format),
     MAIN(CONVERT | COMPONENTS)},
    {0, "format", "NAME", TYPED | SCREEN | STATS, READING("the graph"),
     "format of GRAPH: auto (default); hetionet, sif, table or\n"
     "typed-binary, whose edges have types; tve or ri, whose edges\n"
     "may have labels; or a plain format; see --list-formats",
     .set = ms_set_typed_format, .word = ms_typed_format_word, MAIN(STATS)},
    {0, "list-formats", NULL, READ, NULL, "describe each graph format, then exit",
     FLAG(list_formats), MAIN(CONVERT)},
    {0, "header", NULL, READ, NULL, "the first line of an edge list or SIF file is a header",
     FLAG(graph.header)},
    {0, "no-header", NULL, READ, NULL,
     "the first line of an edge list is an edge, whatever it looks\n"
     "like",
     FLAG(graph.no_header)},
    {0, "source-column", "COLUMN", READ, NULL,
     "edge list, table: column of the source, by name or number\n"
     "(default: source, or what a known header says, or the first)",
     COLUMN(graph.source_column)},
    {0, "target-column", "COLUMN", READ, NULL,
     "edge list, table: column of the target (default: target, or\n"
     "what a known header says, or the second)",
     COLUMN(graph.target_column)},
    {0, "score-column", "COLUMN", READ, NULL,
     "edge list, table, STRING, BioGRID: column of the score, by name\n"
     "or number (default: combined_score, score or weight, or the third\n"
     "of three); MITAB: name of the confidence that is the score",
     COLUMN(graph.score_column)},
    {0, "min-score", "S", READ, NULL,
     "drop edges with a score below S, on the scale of the file, such\n"
     "as 0.7 or 700 (edge list, table, STRING, BioGRID, MITAB)",
     .set = ms_set_minimum_score, AT(graph.min_score),
     MAIN(SEARCH | CONVERT | STATS | PLAN | COMPONENTS)},
    {0, "combine", "HOW", READ, NULL,
     "edge list, table: the score of several lines for one pair of\n"
     "vertices: max, sum, or count, the number of lines (default: max)",
     LINE(graph.combine)},
    {0, "direction-column", "COLUMN", READ, NULL,
     "edge list, with --directed: column that says which way an edge\n"
     "points, such as -> or <-; none: there is none (default: direction\n"
     "or alike)",
     COLUMN(graph.direction_column)},
    {0, "scores", NULL, CONVERT | GEN, NULL,
     "keep the scores of edges, in a binary file, GraphML or an edge list", FLAG(graph.keep_scores),
     OF_PLAIN},
    {0, "keep-taxon", NULL, READ, NULL, "STRING links: keep the taxon, such as 4932., in names",
     FLAG(graph.keep_taxon), OF_PLAIN},
    {0, "taxon", "ID", READ, NULL, "BioGRID, MITAB: only edges within this NCBI taxon",
     .set = ms_set_taxon, AT(graph.taxon), OF_PLAIN},
    {0, "system", "NAME", READ, NULL,
     "BioGRID: only this experimental system or type, such as\n"
     "physical; MITAB: only this detection method",
     LINE(graph.system), OF_PLAIN},
    {0, "names", "KIND", READ, NULL,
     "BioGRID, MITAB: which identifier names a vertex; GraphML, CX2:\n"
     "the attribute of nodes that does, or id (default: name, if the\n"
     "ids are numbers)",
     LINE(graph.names)},
    {0, "color-attribute", "NAME", READ, NULL,
     "GraphML, CX2: attribute of nodes that holds colours; none: they\n"
     "have no colours (default: color or colors)",
     LINE(graph.color_attribute), .also = "colour-attribute"},
    {0, "directed", NULL, JUDGES, NULL,
     "edges point from the first name to the second; only pattern\n"
     "graphs use the direction",
     FLAG(graph.directed), MAIN(VERIFY)},
    {0, "directed", NULL, PATTERNS, NULL,
     "edges point from the first name, or source, to the second,\n"
     "unless the input says otherwise (default: they do not)",
     FLAG(graph.directed), MAIN(PATTERNS)},
    {0, "directed", NULL, CENSUS, NULL,
     "--shapes: edges point from the first name to the second (default:\n"
     "they have no direction)",
     FLAG(graph.directed)},
    {0, "directed", NULL, SCREEN, NULL,
     "PATTERN: edges point from the first name, or source, to the\n"
     "second, unless the input says otherwise (default: they do not)",
     FLAG(graph.directed), .groups = OF_FLAGS},
    {0, "directed", NULL, GEN, NULL,
     "file: edges, and those of types without a known direction, point\n"
     "from the first name to the second; the patterns, an edge list and a\n"
     "typed table that is written keep this",
     FLAG(graph.directed)},
    {0, "directed", NULL, FILTER | PATH, NULL,
     "edge types have a direction, from source to target, unless the\n"
     "input says otherwise (default: they have none)",
     FLAG(graph.directed), MAIN(FILTER | PATH)},
    {0, "nodes", "FILE", SCREEN | TYPED | CONVERT | STATS | GEN | JUDGES,
     READING("types of vertices and edges"),
     "table of vertex types, such as Hetionet's id, name, kind", READS_PATH(typed.nodes), OF_TYPED,
     MAIN(TYPED)},
    {0, "node-column", "COLUMN", SCREEN | TYPED | CONVERT | STATS | GEN, NULL,
     "in --nodes: column of the vertex, by name or number (default:\n"
     "id, or the first)",
     COLUMN(typed.node_name_column), OF_TYPED},
    {0, "node-type-column", "COLUMN", SCREEN | TYPED | CONVERT | STATS | GEN, NULL,
     "in --nodes: column of the type (default: kind, type, or the\n"
     "last)",
     COLUMN(typed.node_type_column), OF_TYPED},
    {0, "relations", "FILE", SCREEN | TYPED | CONVERT | STATS | GEN | JUDGES, NULL,
     "edge types and their inverses, TYPE<TAB>INVERSE; a type that\n"
     "is its own inverse has no direction",
     READS_PATH(typed.relations), OF_TYPED},
    {0, "type-column", "COLUMN", SCREEN | TYPED | CONVERT | STATS | GEN, NULL,
     "in a table or edge list: column of the edge type (default: type\n"
     "or relation); in GraphML and CX2: attribute of edges; with\n"
     "'none', edges have no types",
     COLUMN(typed.type_column), OF_TYPED},
    {0, "source-type-column", "COLUMN", SCREEN | TYPED | CONVERT | STATS | GEN, NULL,
     "in a table of edges: column of the source's type (default:\n"
     "source_type)",
     COLUMN(typed.source_type_column), OF_TYPED},
    {0, "target-type-column", "COLUMN", SCREEN | TYPED | CONVERT | STATS | GEN, NULL,
     "in a table of edges: column of the target's type (default:\n"
     "target_type)",
     COLUMN(typed.target_type_column), OF_TYPED},
    {0, "alias", "FILE", READ, READING("names and colours"),
     "other names of vertices, NAME<TAB>ALIAS, which colour files\n"
     "and --require may use",
     READS(aliases), OF_PLAIN, MAIN(LIST)},
    {'c', "colors", "FILE", GEN, NULL, "file of vertex colours; not needed if GRAPH holds colours",
     READS(colors), .also = "colours", OF_PLAIN},
    {0, "color-format", "NAME", READ, NULL,
     "auto, tsv, wide (a column for each colour), lists (many\n"
     "vertices in a cell), gmt (gene sets), go-slim, gaf, or graph\n"
     "(the colours in GRAPH itself)",
     WORD(coloring.format, ms_color_format_word), .also = "colour-format"},
    {0, "color-header", NULL, READ, NULL, "the first line of a TSV colour file is a header",
     FLAG(coloring.header), .also = "colour-header", OF_COLOR_FILE},
    {0, "name-column", "COLUMN", READ, NULL,
     "in a TSV colour file: column of the vertex, by number or header", LINE(coloring.name_column),
     OF_COLOR_FILE},
    {0, "color-column", "COLUMN", READ, NULL,
     "in a TSV colour file: column of the colour, by number or header", LINE(coloring.color_column),
     .also = "colour-column", OF_COLOR_FILE},
    {0, "color-separator", "TEXT", READ, NULL,
     "in a TSV colour file: what separates several colours in one\n"
     "cell, such as '|'; 'none': a cell is one colour",
     LINE(coloring.separator), .wants = "a separator such as '|', or 'none'",
     .also = "colour-separator", OF_COLOR_FILE},
    {0, "ignore-unknown", NULL, READ, NULL,
     "skip vertices of a colour table that GRAPH lacks, even if most\n"
     "lines name such vertices; match: search for colours and types that\n"
     "nothing has",
     FLAG(coloring.ignore_unknown)},
    {0, "aspect", "LETTERS", READ, NULL,
     "GO slim, GAF: process, function, component: any of P, F, C\n"
     "(default: PFC)",
     .set = ms_set_aspects, AT(coloring.aspects), OF_COLOR_FILE},
    {0, "obo", "FILE", READ, NULL, "GAF: the ontology, for names of terms and for --slim",
     READS(coloring.obo), OF_COLOR_FILE},
    {0, "slim", "NAME", READ, NULL,
     "GAF: map terms to their ancestors in this slim: a subset that\n"
     "the ontology names, or a file (OBO, or one term a line)",
     READS(coloring.slim), OF_COLOR_FILE},

    {0, "x-column", "COLUMN", POINTS, "How to read POINTS",
     "column of the first coordinate, by title or number (default: x, or a\n"
     "similar title)",
     COLUMN(neighbors.points.x_column)},
    {0, "y-column", "COLUMN", POINTS, NULL,
     "column of the second coordinate (default: y, or a similar title)",
     COLUMN(neighbors.points.y_column)},
    {0, "z-column", "COLUMN", POINTS, NULL,
     "column of the third coordinate (default: z, or a similar title; if\n"
     "there is none, points lie in the plane)",
     COLUMN(neighbors.points.z_column)},
    {0, "name-column", "COLUMN", NEIGHBORS, NULL,
     "column of the names of points (default: cell_id, name, id or a\n"
     "similar title, or a first column without a title; if there is\n"
     "none, points are numbered from 1)",
     COLUMN(neighbors.points.name_column)},
    {0, "color-column", "COLUMN", NEIGHBORS, NULL,
     "column of colours (default: cell_type, type, color, cluster or a\n"
     "similar title)",
     COLUMN(neighbors.points.color_column), .also = "colour-column", MAIN(NEIGHBORS)},
    {0, "point-column", "COLUMN", POINTS & ~NEIGHBORS, NULL,
     "column of the names of points (default: cell_id, name, id or a\n"
     "similar title)",
     COLUMN(neighbors.points.name_column)},
    {0, "slide-column", "COLUMN", POINTS, NULL,
     "column of slides, between which there are no neighbours (default:\n"
     "slide, sample, section, image or a similar title); 'none': one slide",
     COLUMN(neighbors.points.slide_column), MAIN(NEIGHBORS)},

    {0, "knn", "K", NEIGHBORS, "Which points are neighbours",
     "join each point with the K points that are nearest to it (default: 6)",
     COUNT(neighbors.graph.nearest, 1, MS_MOST_NEAREST), MAIN(NEIGHBORS)},
    {0, "radius", "R", NEIGHBORS, NULL,
     "join points that are at most R apart; beside --knn or --delaunay,\n"
     "leave out longer edges",
     REAL(neighbors.graph.radius), MAIN(NEIGHBORS)},
    {0, "delaunay", NULL, NEIGHBORS, NULL,
     "join the points that share an edge of the Delaunay triangulation", FLAG(neighbors.delaunay),
     MAIN(NEIGHBORS)},
    {0, "mutual", NULL, NEIGHBORS, NULL,
     "with --knn: join two points only if each is among the nearest of the\n"
     "other (default: if one is)",
     FLAG(neighbors.graph.mutual)},
    {'t', "threads", "N", NEIGHBORS, "How to search",
     "number of threads (default: all processors, or OMP_NUM_THREADS)",
     COUNT(list.screen.run.threads, 1, 1024)},
    {0, "memory", "SIZE", NEIGHBORS, NULL,
     "limit of memory, such as 4G (default: 3/4 of the machine's)", SIZE(list.screen.run.memory)},

    {'n', "vertices", "N", GEN, "Parameters of the families", "number of vertices",
     COUNT(gen.graph.vertices, 0, INT64_MAX), MAIN(GEN)},
    {'d', "degree", "D", GEN, NULL, "mean degree; for 'regular', the degree of every vertex",
     REAL(gen.graph.degree)},
    {0, "edges", "M", GEN, NULL, "number of edges", COUNT(gen.graph.edges, 0, INT64_MAX)},
    {0, "probability", "P", GEN, NULL, "probability of each edge", REAL(gen.graph.probability)},
    {0, "exponent", "X", GEN, NULL,
     "degree d has frequency d^X, or a class of f vertices has degrees\n"
     "proportional to f^X; X is from -10 to 0, such as -1",
     REAL(gen.graph.exponent)},
    {0, "min-degree", "D", GEN, NULL, "lowest degree (default 1)",
     COUNT(gen.graph.min_degree, 0, INT64_MAX)},
    {0, "max-degree", "D", GEN, NULL, "highest degree", COUNT(gen.graph.max_degree, 0, INT64_MAX)},
    {0, "scale", "S", GEN, NULL, "2^S vertices", COUNT(gen.graph.scale, 0, INT64_MAX)},
    {0, "quadrants", "A,B,C,D", GEN, NULL, "probabilities of the quadrants",
     .set = ms_set_quadrants},
    {0, "rows", "R", GEN, NULL, "rows of the grid", COUNT(gen.graph.rows, 0, INT64_MAX)},
    {0, "cols", "C", GEN, NULL, "columns of the grid", COUNT(gen.graph.cols, 0, INT64_MAX)},
    {0, "removed", "F", GEN, NULL, "probability that an edge is left out", REAL(gen.graph.removed)},
    {0, "diagonals", "F", GEN, NULL, "probability that a square has a diagonal",
     REAL(gen.graph.diagonals)},
    {0, "classes", "W", GEN, NULL, "number of classes of degrees (default 100)",
     COUNT(gen.graph.classes, 0, INT64_MAX)},
    {'s', "seed", "N", GEN, NULL,
     "seed of all random choices (default " MS_TEXT(MS_DEFAULT_SEED) ")",
     COUNT(list.screen.run.seed, 0, INT64_MAX), MAIN(GEN)},
    {'t', "threads", "N", GEN, NULL,
     "number of threads (default: all processors, or OMP_NUM_THREADS)",
     COUNT(list.screen.run.threads, 1, 1024)},
    {0, "memory", "SIZE", GEN, NULL, "limit of memory, such as 4G (default: 3/4 of the machine's)",
     SIZE(list.screen.run.memory)},
    {0, "shuffle", NULL, GEN, "Order and names",
     "put vertices and edges into a random order, and change the names", FLAG(gen.shuffle),
     MAIN(GEN)},
    {0, "new-names", "WORD", GEN, NULL,
     "--shuffle: permuted (default): each vertex gets the name of a random\n"
     "one; numbers (--prefix puts a text in front); kept: each keeps its name",
     WORD(gen.new_names, ms_new_names_word)},
    {0, "uniform-colors", "K", GEN, "Colours", "each vertex has one of c0, c1, .., cK-1",
     COUNT(gen.uniform_colors, 1, 1000000000), .also = "uniform-colours", MAIN(GEN)},
    {0, "planted", "MOTIF|K", GEN, NULL,
     "hide a match: a random connected set gets the motif's colours\n"
     "(K: the motif c0,c1,..,cK-1), the others get the background's, or\n"
     "in a file with colours keep theirs",
     .set = ms_set_planted, MAIN(GEN)},
    {0, "plants", "N", GEN, NULL, "number of disjoint matches to hide (default 1)",
     COUNT(gen.planted.plants, 1, 1000000000)},
    {0, "background", "N", GEN, NULL,
     "number of colours that the motif lacks (default 1); 'random':\n"
     "the motif's own colours, so that nothing can be pruned",
     .set = ms_set_background, AT(gen.planted.background), .least = 1, .most = 1000000000},
    {0, "permute-colors", NULL, GEN, NULL,
     "file: each vertex gets the colours of a random one; --planted follows",
     FLAG(gen.permute_colors), .also = "permute-colours"},
    {0, "edge-types", "K", GEN, "Types of edges",
     "each edge has one of t0, t1, .., tK-1; writes a typed table or\n"
     "typed-binary, in which colours are types of vertices",
     COUNT(gen.edge_types, 1, 32767), MAIN(GEN)},
    {0, "directed-types", "D", GEN, NULL, "edges of the first D types have a direction, at random",
     COUNT(gen.directed_types, 1, 32767)},
    {0, "patterns", "N", GEN, "Patterns",
     "cut N patterns out of the graph: connected sets of vertices, by random\n"
     "walks; each has a match. The graph itself is written if -o or --to is\n"
     "given",
     COUNT(gen.cut.patterns, 1, MS_MAX_CUTS), MAIN(GEN)},
    {0, "pattern-size", "K", GEN, NULL, "number of vertices of each pattern",
     COUNT(gen.cut.vertices, 2, MS_MAX_PATTERN)},
    {0, "patterns-out", "FOLDER", GEN, NULL,
     "write a file for each pattern to this new folder, and to matches.tsv\n"
     "there where each was cut: FILE<TAB>PATTERN_VERTEX<TAB>VERTEX",
     .set = ms_set_path, AT(gen.patterns_out), .file = MS_FILE_KEPT, .wants = "a folder"},
    {0, "pattern-edges", "M", GEN, NULL,
     "keep M edges of each set, a random spanning tree and random others\n"
     "(default: all edges, so that the match is induced)",
     COUNT(gen.cut.edges, 1, UINT32_MAX)},
    {0, "dense", NULL, GEN, NULL, "only sets with a mean degree of at least 3",
     CONSTANT(gen.cut.density, MS_DENSITY_DENSE)},
    {0, "sparse", NULL, GEN, NULL, "only sets with a mean degree below 3",
     CONSTANT(gen.cut.density, MS_DENSITY_SPARSE)},
    {0, "pattern-format", "NAME", GEN, NULL,
     "tve (default); or graphml, which also holds colours with blanks, and\n"
     "the names of vertices; patterns with types of edges are typed tables",
     WORD(gen.pattern_format, ms_pattern_file_word)},

    {'n', "vertices", "N", SIEVE, "The random graph", "number of vertices (default 1024)",
     COUNT(bench.vertices, 2, UINT32_MAX - 1), MAIN(SIEVE)},
    {'d', "degree", "D", SIEVE, NULL, "degree of every vertex (default 20)",
     COUNT(bench.degree, 1, UINT32_MAX - 1)},
    {'k', "slots", "K", SIEVE, NULL, "slots of the motif, each of another colour (default 16)",
     COUNT(bench.slots, 2, MS_MAX_K), MAIN(SIEVE)},
    {'e', "error", "E", SIEVING, "How to search",
     "bound on the probability that a vertex is missed (default " MS_TEXT(MS_DEFAULT_ERROR) ")",
     .set = ms_set_chance, AT(list.screen.error)},
    {0, "repetitions", "N", SIEVING, NULL, "repetitions of the sieve (default: as many as E needs)",
     COUNT(list.screen.repetitions, 1, MS_MAX_REPETITIONS)},
    {0, "repetitions", "N", SIEVE, NULL, "repetitions of a call (default 1)",
     COUNT(list.screen.repetitions, 1, MS_MAX_REPETITIONS)},
    {0, "runs", "N", SIEVE, NULL,
     "calls to measure; the median is printed (default 3); on a GPU\n"
     "one more call comes first and is reported separately",
     COUNT(bench.runs, 1, 1000), MAIN(SIEVE)},
    {'s', "seed", "N", SCREEN, NULL,
     "seed of the random weights, or of --permutations (default " MS_TEXT(MS_DEFAULT_SEED) ")",
     COUNT(list.screen.run.seed, 0, INT64_MAX)},
    {'s', "seed", "N", LIST, NULL,
     "seed of the random weights, of --sample or of --permutations\n"
     "(default " MS_TEXT(MS_DEFAULT_SEED) ")",
     COUNT(list.screen.run.seed, 0, INT64_MAX)},
    {'s', "seed", "N", SIEVE, NULL,
     "seed of graph, colours and weights (default " MS_TEXT(MS_DEFAULT_SEED) ")",
     COUNT(list.screen.run.seed, 0, INT64_MAX)},
    {0, "recurrence", "NAME", SIEVING | SIEVE, NULL,
     "recurrence of the sieve: sibling (default) or classic",
     WORD(list.screen.recurrence, ms_recurrence_word)},
    {0, "no-prune", NULL, SEARCH, NULL, "sieve the whole graph (for benchmarks)",
     FLAG(list.screen.no_prune)},
    {0, "backend", "NAME", SIEVING | SIEVE, NULL,
     "where the sieve runs: auto (default: the fastest choice), cpu,\n"
     "cuda (NVIDIA GPUs) or both; the result is the same",
     WORD(list.screen.backend, ms_backend_word), MAIN(SIEVE)},
    {0, "devices", "LIST", SIEVING | SIEVE, NULL,
     "GPUs to use, such as 0,2 (default: all); 'motifsieve info'\n"
     "lists them",
     .set = ms_set_devices, .least = 0, .most = 9999, MAIN(SIEVE)},
    {'s', "seed", "N", MATCH, NULL,
     "seed of the sieve's random weights, of --sample, of --permutations,\n"
     "or of a random walk (default " MS_TEXT(MS_DEFAULT_SEED) ")",
     COUNT(list.screen.run.seed, 0, INT64_MAX)},
    {'x', "exact", NULL, MATCH, NULL,
     "search without the sieve and not inexactly, so that the answer is\n"
     "complete",
     FLAG(list.exact)},
    {0, "inexact", NULL, MATCH, NULL, "typed patterns: find the maps that keep most of the pattern",
     FLAG(typed_match.inexact), FOR_TYPED, MAIN(MATCH)},
    {0, "best", "N", MATCH, NULL,
     "with --inexact: find the N best maps (default " MS_TEXT(MS_DEFAULT_BEST) ")",
     COUNT(typed_match.best, 1, 1000000), FOR_TYPED},
    {0, "walk", "KIND", MATCH, NULL,
     "typed patterns: the walk that finds candidates: euler (default)\n"
     "or random",
     WORD(typed_match.walk, ms_walk_word), FOR_TYPED},
    {0, "walk-length", "N", MATCH, NULL,
     "with --walk random: number of steps (default: four times as many as\n"
     "the Euler tour has); the walk continues until it has used every edge",
     COUNT(typed_match.walk_length, 1, 1000000), FOR_TYPED},
    {'x', "exact", NULL, LIST, NULL,
     "search every vertex, without the sieve: the answer is complete", FLAG(list.exact),
     MAIN(LIST)},
    {'x', "exact", NULL, SCREEN, NULL,
     "enumerate, and do not run the sieve: the answer is complete", FLAG(list.exact), MAIN(SCREEN)},
    {0, "screen", "WHEN", SEARCH, NULL,
     "when the sieve runs: auto (default: when it is faster than\n"
     "enumeration), always, or never, which makes the answer complete",
     WORD(pattern.screen, ms_screen_mode_word)},
    {'l', "limit", "N", SCREEN, NULL, "PATTERN: stop once N vertices are flagged",
     COUNT(list.limit, 1, UINT64_MAX), .groups = OF_FLAGS},
    {0, "screen", "WHEN", PATTERNS, NULL,
     "when the sieve runs first: auto (default: when it saves time),\n"
     "always, or never (the answer is complete)",
     WORD(pattern.screen, ms_screen_mode_word)},
    {0, "order", "NAME", PATTERNS, "How to search",
     "plain patterns: order in which vertices are matched: auto\n"
     "(default), ri, degree or reuse; the matches are the same",
     WORD(pattern.order, ms_match_order_word), FOR_PLAIN},
    {0, "engine", "NAME", PATTERNS, NULL,
     "the search engine: auto (default: the fastest choice), cpu, gpu\n"
     "(its best engine), dfs, trie, reuse or flood; GPUs list matches\n"
     "in no fixed order",
     .set = ms_set_word_text, AT(list.screen.run.engine), .word = ms_pattern_engine_name,
     MAIN(PLAN)},
    {0, "engine", "NAME", LIST, NULL,
     "what searches: auto (default: a GPU if it saves time), cpu or\n"
     "gpu; the matches are the same",
     .set = ms_set_word_text, AT(list.screen.run.engine), .word = ms_motif_engine_name},
    {0, "engine", "NAME", CENSUS, "How to search",
     "what counts: auto (default: a GPU if it saves time), cpu or gpu;\n"
     "the numbers are the same",
     .set = ms_set_word_text, AT(list.screen.run.engine), .word = ms_motif_engine_name},
    {0, "devices", "LIST", CENSUS, NULL,
     "GPUs to use, such as 0,2 (default: one, or all for much work);\n"
     "'motifsieve info' lists them",
     .set = ms_set_devices, .least = 0, .most = 9999},
    {'l', "limit", "N", LIST | MATCH, NULL, "stop after N matches; of --sort, write the first N",
     COUNT(list.limit, 1, UINT64_MAX), MAIN(LIST | MATCH)},
    {0, "diverse", NULL, LIST, NULL,
     "write matches of which no two share a vertex, until none can be\n"
     "added; with --limit, at most N",
     FLAG(list.diverse)},
    {0, "families", "SHARE", LIST, NULL,
     "write one match, the representative, for each family of matches that\n"
     "overlap, and the size of the family: in the order of the list, a\n"
     "match joins the first representative with which it shares SHARE of\n"
     "its vertices (default: 0.5), or becomes one; with --limit, at most\n"
     "N families",
     .set = ms_set_share, AT(list.families), .optional = true},
    {0, "sample", "N", LIST | MATCH, NULL,
     "write N matches that are drawn at random from all; --seed draws\n"
     "others",
     COUNT(list.sample, 1, INT64_MAX)},
    {0, "recount", NULL, JUDGES, NULL,
     "prove by an independent recount that nothing is missing,\n"
     "however long it takes (default: try for " MS_TEXT(MS_BRIEF_RECOUNT) " seconds)",
     CONSTANT(recount, MS_RECOUNT_FULL), MAIN(JUDGES)},
    {0, "no-recount", NULL, JUDGES, NULL, "check only the rows, and a screen's flags",
     CONSTANT(recount, MS_RECOUNT_NONE), MAIN(JUDGES)},
    {0, "no-verify", NULL, REPORT, NULL, "do not check the result; the report says so",
     FLAG(report.no_verify), MAIN(REPORT)},
    {0, "algorithm", "NAME", COMPONENTS, NULL,
     "afforest (default; the fastest), kahan or bully; all find the\n"
     "same components",
     WORD(components.algorithm, ms_algorithm_word)},
    {'t', "threads", "N",
     SEARCH | CONVERT | STATS | COMPONENTS | MINE | CENSUS | COMPARE | TYPED | SIEVE, NULL,
     "number of threads (default: all processors, or OMP_NUM_THREADS)",
     COUNT(list.screen.run.threads, 1, 1024), MAIN(COMPONENTS | SIEVE)},
    {0, "memory", "SIZE", MINE, NULL,
     "limit, such as 4G, of memory for reading the inputs, and again\n"
     "for the motifs and their vertices (default: 3/4 of the machine's;\n"
     "for a small input 1G)",
     SIZE(list.screen.run.memory)},
    {0, "memory", "SIZE", CENSUS | COMPARE, NULL,
     "limit, such as 4G, of memory for reading the inputs, and again\n"
     "for the tables of the census, and of each GPU's (default: 3/4 of\n"
     "the machine's, all that is free on a GPU; for a small input 1G)",
     SIZE(list.screen.run.memory)},
    {0, "memory", "SIZE", SEARCH | PLAN | MATCH | SIEVE, NULL,
     "limit, such as 4G, of this machine's memory for reading the\n"
     "inputs, and again for the search, and of each GPU's (default:\n"
     "3/4 of the machine's, all that is free on a GPU; for a small\n"
     "input 1G)",
     SIZE(list.screen.run.memory)},
    {0, "memory", "SIZE", READERS & ~(SEARCH | PATTERNS | MINE | CENSUS | COMPARE | GEN), NULL,
     "limit of memory for reading the inputs, such as 4G, at least\n"
     "16M (default: 3/4 of the machine's; for a small input 1G)",
     SIZE(list.screen.run.memory)},
    {0, "timeout", "TIME", (RESULTS & ~JUDGES) | MATCH | MINE | PATH, NULL,
     "stop after this time, such as 30s, 5m or 2h, and write what the\n"
     "search has found by then",
     DURATION(timeout), MAIN(SCREEN)},
    {0, "motif-timeout", "TIME", SEARCH, NULL,
     "--motifs: stop each motif after this time and go on with the next", DURATION(motif_timeout)},
    {0, "timeout", "TIME", CENSUS, NULL,
     "stop after this time, such as 30s, 5m or 2h; the result then has\n"
     "no motifs, or only the vertices (--per-vertex) or permutations\n"
     "(--permutations) that are done",
     DURATION(timeout)},
    {0, "timeout", "TIME", COMPARE, NULL,
     "stop after this time, such as 30s, 5m or 2h; the result then has\n"
     "the random permutations that are done or, if sets were still being\n"
     "counted, no motifs",
     DURATION(timeout)},
    {0, "timeout", "TIME", VERIFY, NULL,
     "stop after this time, such as 30s, 5m or 2h, and say how far the\n"
     "check came (default: no limit of the whole check, but " MS_TEXT(
         MS_FLAG_SECONDS) " s for\n"
                          "the matches of all flags of a screen, and " MS_TEXT(
                              MS_BRIEF_RECOUNT) " s for the recount; with\n"
                                                "--recount, no limit at all)",
     DURATION(timeout), MAIN(VERIFY)},
    {0, "timeout", "TIME",
     (READERS & ~(RESULTS | MATCH | MINE | CENSUS | COMPARE | PATH)) | REPORT | NEIGHBORS, NULL,
     "end without a result after this time, such as 30s, 5m or 2h", DURATION(timeout),
     MAIN(CONVERT | STATS | COMPONENTS)},

    {0, "part", "I/N", DIVIDED, NULL,
     "do only part I of N, on one of N machines, say; 'motifsieve merge'\n"
     "puts the N results together",
     .set = ms_set_part, .most = MS_MOST_PARTS},
    {0, "checkpoint", "FILE", SAVED, NULL,
     "save the state of the run in this file, every 30 seconds", .set = ms_set_path,
     AT(division.checkpoint), .file = MS_FILE_KEPT, .wants = "a file name"},
    {0, "checkpoint-seconds", "S", SAVED, NULL, "save it every S seconds",
     DURATION(division.checkpoint_seconds)},
    {0, "resume", NULL, SAVED, NULL,
     "--checkpoint: go on from the state in the file, if there is one", FLAG(division.resume)},
    {0, "paranoid", "X", SAVED, NULL,
     "compute the part X of the work (default: 0.05) a second time, by\n"
     "another device or implementation, and compare: against silent damage\n"
     "by a processor, a GPU or memory",
     .set = ms_set_paranoid, AT(division.paranoid), .optional = true},
    {0, "memory", "SIZE", MERGE, NULL,
     "limit of memory, such as 4G (default: 3/4 of the machine's)", SIZE(list.screen.run.memory)},
    {0, "timeout", "TIME", MERGE, NULL,
     "end without a result after this time, such as 30s, 5m or 2h", DURATION(timeout)},

    {0, "significance", NULL, LIST, "Significance",
     "write, in place of the matches, their number, mean and standard\n"
     "deviation if the colours are permuted at random, z, and p values",
     FLAG(significance)},
    {0, "significance", NULL, SCREEN, "Significance",
     "motifs: write, in place of the vertices, how many are in a match,\n"
     "here and in 1,000 random permutations of the colours, z, and p values",
     FLAG(significance)},
    {0, "permutations", "N", SCREEN, NULL, "the same, in N random permutations of the colours",
     COUNT(census.permutations, 1, MS_MOST_PERMUTATIONS)},
    {0, "permutations", "N", LIST, NULL,
     "write their mean number in N random permutations of the colours, and\n"
     "in how many of these there are at least as many as here",
     COUNT(census.permutations, 1, MS_MOST_PERMUTATIONS)},
    {0, "statistic", "NAME", LIST, NULL,
     "what they count: matches (default), or vertices, those in a match",
     WORD(statistic, ms_statistic_word)},
    {0, "null", "KIND", SEARCH, NULL,
     "what is random in a permutation: labels (default), degree, edges,\n"
     "rewire or rewire-colors, as in a census",
     WORD(census.null_kind, ms_null_word)},
    {0, "permutations", "N", MATCH, "Significance",
     "write a table of the number of matches, of its mean in N random\n"
     "permutations, and of z, p and q values: is it more than by chance?",
     COUNT(census.permutations, 1, MS_MOST_PERMUTATIONS)},
    {0, "null", "KIND", MATCH, NULL,
     "what is random in a permutation: labels (default; all colours),\n"
     "degree, edges (colours), rewire (edges; each vertex keeps its degree,\n"
     "or its arcs in, arcs out and mutual arcs; the default without\n"
     "colours), or rewire-colors (edges, as in a census)",
     WORD(census.null_kind, ms_null_word)},
    {0, "max-t", NULL, MATCH, NULL,
     "also write p values for all patterns together: how often the greatest\n"
     "z of all patterns is at least that of the pattern",
     FLAG(census.max_t)},
    {0, "strata", "COLUMN", SEARCH | MATCH, NULL,
     "move colours only among vertices with the same value in this column\n"
     "of the colour file",
     COLUMN(census.strata)},

    {'n', "count", NULL, LIST | MATCH, "What to write", "write only the number of matches",
     FLAG(list.count_only), MAIN(LIST | MATCH)},
    {0, "per-vertex", NULL, MATCH, NULL,
     "--count, clique:A-B: write a table of the cliques of each size that\n"
     "hold each vertex",
     FLAG(census.per_vertex)},
    {0, "significance", NULL, CENSUS, "Significance",
     "also write how many sets are expected if the colours are permuted\n"
     "at random, and z, p and q values, by formulas",
     FLAG(census.significance), MAIN(CENSUS)},
    {0, "min-expected", "X", CENSUS, NULL,
     "--significance: also write the motifs without a set that are expected\n"
     "at least X times (default: 5; 0.1 or more)",
     REAL(census.statistics.min_expected)},
    {0, "moments", "WORD", CENSUS, NULL,
     "--significance: auto (default); exact overlaps of sets, which may\n"
     "take long; or sampled ones, with their error",
     WORD(census.statistics.moments, ms_moments_word)},
    {0, "moment-samples", "N", CENSUS, NULL,
     "--significance: sample N sets for each number of common vertices\n"
     "(default: 4000)",
     COUNT(census.statistics.samples, 2, 1000000000)},
    {0, "permutations", "N", CENSUS, NULL,
     "count every motif in N random permutations of the colours, too: write\n"
     "its mean number of sets there, and in how many it has as many as here",
     COUNT(census.permutations, 1, MS_MOST_PERMUTATIONS), MAIN(CENSUS)},
    {0, "null", "KIND", CENSUS, NULL,
     "what is random in a permutation: labels (default; all colours),\n"
     "degree (colours among vertices of about the same degree), edges\n"
     "(colours, with about as many edges between each two colours),\n"
     "rewire (edges; each vertex keeps its degree and its colours), or\n"
     "rewire-colors (edges, with as many between each two colours)",
     WORD(census.null_kind, ms_null_word)},
    {0, "strata", "COLUMN", CENSUS, NULL,
     "move colours only among vertices with the same value, such as the\n"
     "sample or region, in this column of the colour file",
     COLUMN(census.strata)},
    {0, "max-t", NULL, CENSUS, NULL,
     "also write p values for all motifs together: how often the greatest\n"
     "z of all motifs is at least that of the motif",
     FLAG(census.max_t)},
    {'s', "seed", "N", CENSUS, NULL,
     "seed of the permutations, and of sampled moments (default " MS_TEXT(MS_DEFAULT_SEED) ")",
     COUNT(list.screen.run.seed, 0, INT64_MAX)},
    {0, "per-vertex", NULL, CENSUS, "What to write",
     "write a row for each vertex and motif: how many of the sets that\n"
     "hold the vertex fit the motif",
     FLAG(census.per_vertex)},
    {0, "counts", "FILE", COMPARE, "What to write",
     "also write to this file, for each motif and sample, the number of\n"
     "sets, their share, and how many are expected",
     .set = ms_set_path, AT(compare.counts), .file = MS_FILE_WRITTEN,
     .wants = "a file name, or '-' for standard output", MAIN(COMPARE)},
    {0, "min-count", "T", COMPARE, NULL,
     "compare only motifs of at least T sets in all samples of both sides",
     COUNT(census.min_count, 1, INT64_MAX), MAIN(COMPARE)},
    {0, "top", "N", COMPARE, NULL, "write only the first N motifs of each comparison",
     COUNT(census.top, 1, INT64_MAX)},
    {0, "min-count", "T", CENSUS, NULL, "leave out rows of fewer than T sets",
     COUNT(census.min_count, 1, INT64_MAX)},
    {0, "sort", "WORD", CENSUS, NULL,
     "order of the motifs: falling by sets (default) or z, or rising by p,\n"
     "q, p_less or q_less (the rarest motifs first). These come from\n"
     "--significance if it is given, otherwise from --permutations",
     WORD(census.sort, ms_census_order_word), MAIN(CENSUS)},
    {0, "top", "N", CENSUS, NULL,
     "write only the first N motifs, or with --per-vertex the first N of\n"
     "each vertex",
     COUNT(census.top, 1, INT64_MAX), MAIN(CENSUS)},
    {0, "participation", NULL, LIST, NULL,
     "write in how many matches each vertex is, instead of the matches", FLAG(list.participation),
     MAIN(LIST)},
    {0, "participation", NULL, MATCH, NULL,
     "write in how many matches each vertex is, instead of the matches", FLAG(list.participation)},
    {'n', "count", NULL, PLAN, NULL, "also explain how the matches would be counted",
     FLAG(list.count_only), MAIN(PLAN)},
    {'n', "count", NULL, COMPONENTS, NULL, "write only the number of components",
     FLAG(list.count_only), MAIN(COMPONENTS)},
    {0, "sizes", NULL, COMPONENTS, NULL,
     "write one row for each component instead of each vertex: its\n"
     "size and one of its vertices",
     FLAG(components.sizes), MAIN(COMPONENTS)},
    {0, "largest", NULL, COMPONENTS, NULL, "write only the largest component",
     FLAG(components.largest), MAIN(COMPONENTS)},
    {0, "min-size", "N", COMPONENTS, NULL, "write only components of at least N vertices",
     COUNT(components.min_size, 1, UINT32_MAX), MAIN(COMPONENTS)},
    {0, "lengths", NULL, PATH, NULL,
     "write only SOURCE, TARGET and LENGTH of each pair, not the path", FLAG(path.lengths),
     MAIN(PATH)},
    {'a', "all", NULL, LIST | MATCH, NULL,
     "--participation: write every vertex, also those without a match", FLAG(all)},
    {'a', "all", NULL, SCREEN, "What to write", "write every vertex, not only the flagged ones",
     FLAG(all), MAIN(SCREEN)},
    {'a', "all", NULL, STATS, NULL,
     "write every colour or type, not only the 20 most frequent ones", FLAG(all), MAIN(STATS)},
    {0, "all-colors", NULL, SCREEN, NULL,
     "write all colours of a vertex, also colours that the motif does not name", FLAG(all_colors),
     .also = "all-colours"},
    {0, "all-colors", NULL, LIST, NULL,
     "--participation: write all colours of a vertex, also colours\n"
     "that the motif does not name",
     FLAG(all_colors), .also = "all-colours"},
    {0, "all-colors", NULL, MATCH, NULL,
     "--participation: write all colours of a vertex, also colours\n"
     "that the pattern does not name",
     FLAG(all_colors), .also = "all-colours"},
    {0, "labels", "alias|FILE", SEARCH | MATCH, NULL,
     "write labels beside the names of vertices: from the file of\n"
     "--alias, or from a file of lines NAME<TAB>LABEL",
     READS_PATH(labels), .wants = "'alias' or a file", MAIN(LIST)},
    {0, "labels", "FILE", JUDGES, NULL, "the file of labels that the result was made with",
     READS_PATH(labels), .wants = "a file"},
    {0, "roles", NULL, LIST, NULL,
     "motifs: also write which colour of the motif each vertex fills;\n"
     "of several possibilities, always the first",
     FLAG(roles)},
    {0, "roles", NULL, MATCH, NULL,
     "--participation: write a row for each position of the pattern, that\n"
     "is, for its vertices that symmetries take to each other",
     FLAG(roles)},
    {0, "profile", NULL, SCREEN, NULL,
     "motifs: keep the scores of edges, and also write for each vertex\n"
     "the highest score at which it is in a match",
     FLAG(list.screen.profile)},
    {0, "density", NULL, LIST | MATCH, NULL,
     "also write the number of edges between the vertices of\n"
     "each match, and its density, from 0 to 1",
     FLAG(density)},
    {0, "scores", NULL, LIST | MATCH, NULL,
     "keep the scores of edges, and also write edges, density,\n"
     "mean score and least score of each match",
     FLAG(graph.keep_scores), MAIN(LIST)},
    {0, "vertex-scores", "FILE", LIST | MATCH, NULL,
     "also write the sum of the scores of each match's vertices,\n"
     "from a file of lines VERTEX<TAB>SCORE; scores are integers from 0",
     READS_PATH(vertex_scores), .wants = "a file"},
    {0, "vertex-scores", "FILE", SCREEN, NULL,
     "motifs: also write for each vertex the greatest sum of vertex\n"
     "scores of a match that holds it",
     READS_PATH(vertex_scores), .wants = "a file"},
    {0, "all-sums", NULL, SCREEN, NULL,
     "--vertex-scores: also write all sums of the matches of a vertex", FLAG(list.screen.all_sums)},
    {0, "vertex-scores", "FILE", JUDGES, NULL,
     "the file of scores of vertices that the result was made with", READS_PATH(vertex_scores),
     .wants = "a file"},
    {0, "sort", "MEASURE", LIST | MATCH, NULL,
     "write the matches with the greatest values first: edges,\n"
     "density, mean-score, least-score, or vertex-score, which needs\n"
     "--vertex-scores",
     WORD(list.sort, ms_measure_word), .least = MS_MEASURE_EDGES},
    {0, "top", "N", LIST | MATCH, NULL, "--sort: write only the first N matches of that order",
     COUNT(list.top, 1, INT64_MAX)},
    {0, "min-density", "X", LIST, NULL, "motifs: leave out matches of a density below X",
     .set = ms_set_score, AT(list.min_density)},
    {0, "min-mean-score", "X", LIST, NULL,
     "motifs: leave out matches with a mean score below X; needs\n"
     "--scores",
     .set = ms_set_score, AT(list.min_mean_score)},
    {0, "long", NULL, LIST | MATCH, NULL,
     "write one row for each vertex of a match: match, vertex, label,\n"
     "role; of a near match: one for each slot and each extra vertex",
     FLAG(long_rows)},
    {0, "wide", NULL, LIST, NULL,
     "write a column for each slot of the motif, in the order of its text,\n"
     "with the vertex that fills it; slots of the same colour are numbered",
     FLAG(wide_rows)},
    {0, "to", "NAME", CONVERT | GEN | NEIGHBORS, NULL,
     "format to write (default: the one that the ending of FILE names)", .set = ms_set_graph_format,
     AT(to), .word = ms_written_format_word, MAIN(CONVERT | GEN | NEIGHBORS)},
    {0, "map", "FILE", CONVERT, NULL,
     "if the format holds numbers only: write NUMBER<TAB>NAME of\n"
     "every vertex to this file",
     WRITES(map), MAIN(CONVERT)},
    {0, "map", "FILE", GEN, NULL,
     "if names change: write NEW<TAB>OLD name of every vertex to this file", WRITES(map)},
    {0, "scratch", "FOLDER", CONVERT, NULL,
     "folder for the temporary files to which edges go that exceed\n"
     "--memory (default: that of the output; for a pipe $TMPDIR or /tmp)",
     TEXT(graph.scratch)},
    {0, "prefix", "TEXT", GEN, NULL, "text in front of the numbers that name vertices",
     TEXT(gen.graph.prefix)},
    {0, "colors-out", "FILE", GEN | NEIGHBORS, NULL,
     "write the colours to this file, VERTEX<TAB>COLOUR", WRITES(gen.colors_out),
     .also = "colours-out", MAIN(GEN | NEIGHBORS)},
    {0, "planted-out", "FILE", GEN, NULL,
     "write the hidden matches to this file,\n"
     "NUMBER<TAB>VERTEX<TAB>COLOUR",
     WRITES(gen.planted_out)},
    {'o', "output", "FILE", READERS | NEIGHBORS | MERGE, NULL,
     "write to this file, completely or not at all (default: standard\n"
     "output); compressed if FILE ends in .gz or .zst. An incomplete\n"
     "result goes to FILE.incomplete if FILE has content",
     .set = ms_set_path, AT(output), .file = MS_FILE_WRITTEN,
     .wants = "a file name, or '-' for standard output", MAIN(READERS | NEIGHBORS | MERGE)},
    {0, "max-rows", "N", REPORT, NULL,
     "put at most N rows into the report, the first ones (default: " MS_TEXT(MS_REPORT_ROWS) ")",
     COUNT(report.rows, 1, INT64_MAX), MAIN(REPORT)},
    {0, "max-edges", "N", REPORT, NULL,
     "put at most N edges of GRAPH into the report (default: " MS_TEXT(MS_REPORT_EDGES) ")",
     COUNT(report.edges, 1, INT64_MAX), MAIN(REPORT)},
    {0, "counts", "FILE", REPORT, NULL,
     "of a result of 'compare': draw each sample, from this file of\n"
     "'compare --counts'",
     READS(report.counts), MAIN(REPORT)},
    {0, "positions", "POINTS", REPORT, NULL,
     "draw the vertices at their coordinates: a table as 'neighbors' reads it", READS(positions),
     MAIN(REPORT)},
    {'j', "json", NULL, SEARCH | COMPONENTS | MATCH | MINE | CENSUS | COMPARE | PATH, NULL,
     "write JSON lines instead of TSV", FLAG(json),
     MAIN(SEARCH | COMPONENTS | MATCH | MINE | CENSUS | PATH)},
    {'j', "json", NULL, VERIFY, NULL, "write the verdict as a JSON object", FLAG(json),
     MAIN(VERIFY)},
    {'j', "json", NULL, PLAN, NULL, "write a JSON object instead of text", FLAG(json), MAIN(PLAN)},
    {'j', "json", NULL, STATS, NULL, "write one JSON object instead of KEY<TAB>VALUE lines",
     FLAG(json), MAIN(STATS)},
    {'b', "binary", NULL, MATCH, NULL, "write a compact binary form instead of TSV",
     FLAG(pattern.binary)},
    {0, "cx2", NULL, SEARCH | MATCH, NULL,
     "write a network for Cytoscape instead of TSV: the vertices found\n"
     "and all edges among them",
     FLAG(cx2)},
    {0, "dot", NULL, SEARCH | MATCH, NULL, "write the same network as a drawing for Graphviz",
     FLAG(dot)},
    {0, "svg", NULL, SEARCH | MATCH, NULL,
     "draw a picture of all vertices at their --positions, those found in\n"
     "colour",
     FLAG(svg)},
    {0, "positions", "POINTS", SEARCH | MATCH, NULL,
     "with --svg: table of coordinates, as 'neighbors' reads it", READS(positions)},
    {0, "title", "TEXT", SEARCH | MATCH, NULL,
     "with --svg: title of the picture (default: the query and the graph)", LINE(title)},
    {0, "unit", "UNIT", SEARCH | MATCH, NULL, "with --svg: unit of the positions, for the scale",
     LINE(unit)},
    {0, "match", "N", LIST | MATCH, NULL, "in a drawing: only match N", COUNT(match, 1, INT64_MAX),
     .wants = "the number of a match, from 1"},
    {0, "whole-graph", NULL, SEARCH | MATCH, NULL, "in a drawing: every vertex and edge",
     FLAG(whole_graph)},
    {0, "rows", "FILE", SEARCH, NULL,
     "--motifs: also write the rows of each motif to this file, its\n"
     "flagged vertices or its matches",
     .set = ms_set_path, AT(rows_file), .file = MS_FILE_WRITTEN,
     .wants = "a file name, or '-' for standard output"},
    {0, "times", NULL, SEARCH, NULL, "--motifs: add a column, the seconds that each motif took",
     FLAG(times)},
    {0, "stats", "FILE", SEARCH | MATCH | COMPONENTS | MINE | CENSUS | PATH, NULL,
     "write statistics of the run to this file as JSON: times, memory,\n"
     "engine",
     .set = ms_set_path, AT(stats_file), .file = MS_FILE_WRITTEN, .wants = "a file name"},
    {0, "fail-if-none", NULL, SEARCH | MATCH | MINE | CENSUS | PATH, NULL,
     "exit with status 5 if nothing is found", FLAG(fail_if_none)},
    {'q', "quiet", NULL, READERS | NEIGHBORS | MERGE, "Messages",
     "print no progress and no warnings", FLAG(quiet)},
    {'v', "verbose", NULL, READERS | NEIGHBORS | MERGE, NULL,
     "report on standard error what was read and done", FLAG(verbose),
     MAIN(STATS | CONVERT | MS_COMMAND_FILTER)},

    {'t', "threads", "LIST", GF2, NULL,
     "numbers of threads to try, such as 1,2,4 (default: 1 and all)", .set = ms_set_thread_counts,
     .least = 1, .most = 1024, MAIN(GF2)},
    {0, "backend", "NAME", GF2, NULL, "cpu (default) or cuda",
     WORD(list.screen.backend, ms_gf2_backend_word), .least = MS_BACKEND_CPU, MAIN(GF2)},
    {0, "device", "N", GF2, NULL, "with --backend cuda: GPU number N (default 0)",
     COUNT(bench.device, 0, 1023), MAIN(GF2)},
    {'s', "seconds", "S", GF2, NULL, "time for each figure (default 0.5)", DURATION(bench.seconds),
     MAIN(GF2)},
    {0, "seconds", "S", SIEVE, NULL, "time for each measured rate of the floor (default 0.5)",
     DURATION(bench.seconds)},
    {'j', "json", NULL, SIEVE, NULL, "write one JSON object", FLAG(json), MAIN(SIEVE)},
    {0, "csv", NULL, GF2 | SIEVE, NULL, "write comma-separated values", FLAG(bench.csv), MAIN(GF2)},
    {'h', "help", "all", ALL, NULL, "show the options that matter most; --help=all shows all",
     .set = ms_set_help, .word = ms_help_word, .optional = true, MAIN(ALL)},
};

const size_t ms_option_row_count = sizeof ms_option_rows / sizeof *ms_option_rows;
_Static_assert(sizeof ms_option_rows / sizeof *ms_option_rows <= 64 * MS_OPTION_WORDS,
               "ms_cli_options.given has a bit for each row");

/* ---- what was given ---------------------------------------------------------- */

bool ms_option_given(const ms_cli_options *o, const char *name)
{
  for (size_t r = 0; r < ms_option_row_count; r++)
    if (ms_option_row_given(o, r) && strcmp(ms_option_rows[r].name, name) == 0)
      return true;
  return false;
}

const char *ms_option_given_of(const ms_cli_options *o, unsigned groups)
{
  for (size_t r = 0; r < ms_option_row_count; r++)
    if (ms_option_row_given(o, r) && (ms_option_rows[r].groups & groups))
      return ms_option_rows[r].name;
  return NULL;
}
