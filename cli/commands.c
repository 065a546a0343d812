#include "cli/commands.h"

#include "base/file/descriptor.h"
#include "base/file/outfile.h"
#include "base/file/scratch.h"
#include "base/status.h"
#include "base/text/utf8.h"
#include "base/threads/stop.h"
#include "cli/division.h"
#include "cli/options/option_table.h"
#include "cli/options/options.h"
#include "cli/signals.h"
#include "gpu/gpu.h"
#include "parts/crew.h"
#include "parts/log.h"

#include <stdio.h>
#include <string.h>

/* ---- outputs --------------------------------------------------------------------------------- */

/* The outputs of a command: opened before its work, and put in their places together after it. */

/* ---- before the work ------------------------------------------------------------------- */

/* Checks that the paths which the result will name can stand in its encoding. */
static ms_status check_encoding(const ms_cli_options *o, ms_error *err)
{
  if (!o->json && !o->cx2)
    return MS_OK;
  for (size_t r = 0; r < ms_option_row_count + 3; r++) {
    const char *text = NULL;
    if (r >= ms_option_row_count)
      text = o->operand[r - ms_option_row_count];
    else if (ms_option_row_given(o, r) && ms_option_rows[r].file == MS_FILE_READ)
      text = ms_option_text(&ms_option_rows[r], o);
    if (text && !ms_is_utf8(text))
      return ms_fail(err, MS_ERR_INPUT,
                     "%s: the path is not UTF-8, which JSON needs; leave out --%s or rename the "
                     "file",
                     text, o->json ? "json" : "cx2");
  }
  return MS_OK;
}

static void print_note(void *user, const char *note)
{
  const ms_cli_options *o = user;
  if (!o->quiet)
    ms_cli_note("%s", note);
}

/* Says where a complete output is kept; this is never left out. */
static void print_kept(void *user, const char *note)
{
  (void)user;
  ms_cli_warn("%s", note);
}

static ms_status open_outputs(const ms_cli_options *o, ms_error *err)
{
  MS_TRY(check_encoding(o, err));
  for (size_t r = 0; r < ms_option_row_count; r++) {
    const ms_option_row *row = &ms_option_rows[r];
    if (row->file != MS_FILE_WRITTEN || !(row->commands & o->command->bit))
      continue;
    if (ms_option_row_given(o, r))
      MS_TRY(ms_outfile_open_ahead(ms_option_text(row, o), print_note, (void *)o, err));
    else if (strcmp(row->name, "output") == 0)
      MS_TRY(ms_check_stdout(err));
  }
  return o->division.checkpoint ? ms_unit_log_check(o->division.checkpoint, err) : MS_OK;
}

/* ---- the command ------------------------------------------------------------------------ */

/* Runs the command of the options between opening its outputs and putting them in their places.
 * Returns the exit code. */
static int run_with_outputs(const ms_cli_options *o)
{
  ms_error err;
  if (!ms_crew_saves(ms_cli_crew)) /* the leader of the ranks has the outputs */
    return o->command->run(o);
  ms_signals_keep_outputs();
  ms_status status = open_outputs(o, &err);
  int code = status == MS_OK ? o->command->run(o) : ms_cli_error(&err);
  bool incomplete = code == MS_EXIT_LIMIT || code == MS_EXIT_ROWS_NOT_FINISHED;
  status = ms_scratch_place_all(incomplete, print_kept, NULL, &err);
  if (status != MS_OK)
    code = ms_cli_error(&err);
  if (o->division.checkpoint && (code == MS_EXIT_OK || code == MS_EXIT_NONE))
    ms_unit_log_remove(o->division.checkpoint);
  ms_signals_end_for_pipe();
  return code;
}

/* ---- commands -------------------------------------------------------------------------------- */

const ms_overview ms_tool = {
    .brief = "search networks for motifs of colours and for patterns",
    .usage = "COMMAND [OPTION]... [FILE]...",
    .about =
        "Search a network for connected groups of vertices that have given colours (the graph\n"
        "motif problem), or for subgraphs of a given shape.  For example, find the modules of a\n"
        "protein network that have a given set of functions.  A colour is an annotation of a\n"
        "vertex, such as a GO term or a cell type; a vertex may have several.",
    .after =
        "Examples:\n"
        "  motifsieve screen network.tsv --colors functions.tsv --motif 'kinase:2,phosphatase,*:1'\n"
        "  motifsieve list network.tsv.gz --colors functions.tsv --motif-file motif.txt -o "
        "modules.tsv\n"
        "  motifsieve match network.tsv.gz clique:4 --output cliques.tsv\n"
        "  motifsieve verify modules.tsv network.tsv.gz --colors functions.tsv\n",
};

const ms_command ms_commands[] = {
    {MS_COMMAND_SCREEN, "screen", ms_answer_query,
     .brief = "find the vertices that are in a match of a motif of colours or of a pattern",
     .operands = {"GRAPH", "PATTERN"},
     .usage = "GRAPH {--colors FILE --motif TEXT | PATTERN} [OPTION]...",
     .about =
         "Find and flag the vertices of GRAPH that are in a match of the motif.  A match is a\n"
         "connected set of vertices, one for each colour of the motif.  A flagged vertex is\n"
         "certainly in a match.  No vertex is missed, unless enumeration would take too long:\n"
         "then a sieve runs instead, which misses a vertex that is in a match with a probability\n"
         "below one in a million, or below E with --error E.  The result names its mode.\n"
         "With PATTERN, find the vertices that are in a match of the pattern, which\n"
         "'motifsieve match --help' describes.  GRAPH is an edge list, a table of STRING\n"
         "or another format (--list-formats), plain, gzip or zstd, or - for standard input.",
     .after = "Examples:\n"
              "  motifsieve screen yeast.txt.gz --colors go_slim_mapping.tab.gz \\\n"
              "      --motif '\"exocytosis\":3,cytokinesis,*:2'\n"
              "  motifsieve screen links.txt.gz --min-score 400 -c colors.tsv -m 'a,b:2' --all -o "
              "flags.tsv\n"
              "  motifsieve screen network.tsv clique:5 -o in_cliques.tsv\n"},
    {MS_COMMAND_LIST, "list", ms_answer_query,
     .brief = "list or count the matches of a motif of colours", .operands = {"GRAPH"},
     .usage = "GRAPH --colors FILE --motif TEXT [OPTION]...",
     .about =
         "List every match of the motif in GRAPH.  A match is a connected set of vertices, one\n"
         "for each colour of the motif; a colour is an annotation, such as a GO term or a cell type.\n"
         "A screen, as by 'motifsieve screen', finds the vertices to search; --exact searches every\n"
         "vertex.  Every match is verified before it is written.",
     .after = "Examples:\n"
              "  motifsieve list yeast.txt.gz -c go_slim_mapping.tab.gz --motif-file motif.txt -o "
              "modules.tsv\n"
              "  motifsieve list network.tsv -c colors.tsv -m 'a,b:2' --require YAL001C --count "
              "--exact\n"},
    {MS_COMMAND_MINE, "mine", ms_answer_query,
     .brief = "find all motifs in which many vertices take part", .operands = {"GRAPH"},
     .usage = "GRAPH --colors FILE [--size K] [--support T] [OPTION]...",
     .about =
         "Find every motif of up to K colours whose matches together hold at least T vertices of\n"
         "GRAPH.  The answer is exact.  Each row holds a name, the number of slots, the number of\n"
         "vertices that are in a match, and the motif.  Motifs with more slots come first; of\n"
         "motifs with equally many slots, those with more vertices come first.  The first and the\n"
         "last column are what 'motifsieve screen --motifs' and 'motifsieve list --motifs' read.\n"
         "The number of motifs grows fast with the number of colours: 20 colours have 8,855 motifs\n"
         "of 4 slots, and 200 colours have 68,685,050.",
     .after = "Examples:\n"
              "  motifsieve mine tissue.tsv -c types.tsv --size 4 --support 1000 -o motifs.tsv\n"
              "  grep -v '^#' motifs.tsv | tail -n +2 | cut -f 1,4 | \\\n"
              "      motifsieve list tissue.tsv -c types.tsv --motifs - -o counts.tsv\n"},
    {MS_COMMAND_CENSUS, "census", ms_answer_query,
     .brief = "count the connected sets of every motif of K colours, or of every shape",
     .operands = {"GRAPH"}, .usage = "GRAPH {--colors FILE | --shapes} [--size K] [OPTION]...",
     .about =
         "Count the connected sets of K vertices of GRAPH, motif by motif.  The counts are exact.\n"
         "Each row holds a motif, K, the number of sets that fit it, and their share of all sets;\n"
         "motifs with more sets come first.  A set in which vertices have several colours counts\n"
         "once for each motif that it fits, as in 'motifsieve list --count'.  Vertices without a\n"
         "colour take no part.\n\n"
         "With --shapes, count the connected induced subgraphs of K vertices by shape: network\n"
         "motifs, or graphlets.  Each row holds the shape as a pattern for 'motifsieve match', its\n"
         "name (of three directed vertices the triad, such as 030T) and its graph6.  With --colors,\n"
         "shapes have colours, too.",
     .after =
         "Examples:\n"
         "  motifsieve census connectome.tsv --shapes --directed -k 3\n"
         "  motifsieve census tissue.tsv -c types.tsv --size 5 -o census.tsv\n"
         "  motifsieve census tissue.tsv -c types.tsv -k 4 --colors-only Tcell,Bcell --top 20\n"
         "  motifsieve census tissue.tsv -c types.tsv -k 3 --per-vertex -o cells.tsv\n"},
    {MS_COMMAND_COMPARE, "compare", ms_answer_query,
     .brief = "find the motifs in which groups of samples differ", .operands = {"SHEET"},
     .usage = "{SHEET | GRAPH --colors FILE --metadata FILE --group COLUMN} [OPTION]...",
     .about =
         "Count the connected sets of K vertices of every motif in each sample, and find the motifs\n"
         "whose shares of the sets differ between groups of samples.  SHEET is a table with the\n"
         "titles sample, graph, colors and group, and perhaps block, and a line for each sample;\n"
         "its paths are relative to its folder.  With --metadata, samples are parts of one GRAPH,\n"
         "such as the slides in it; a set that reaches from one sample into another does not\n"
         "count.\n"
         "Each row holds a motif, two groups, their mean shares, the difference of the logarithms\n"
         "of the shares, Cliff's delta, a p value and a q value.  Further columns compare observed\n"
         "with expected numbers: a motif may be more frequent only because its colours are.  The\n"
         "test permutes the groups of the samples, within blocks.  If each group has only one\n"
         "sample, it permutes the colours of each sample instead, which shows whether these\n"
         "samples differ, but not whether their groups do.",
     .after =
         "Examples:\n"
         "  motifsieve compare patients.tsv --size 4 -o compare.tsv --counts counts.tsv\n"
         "  motifsieve compare patients.tsv -k 3 --group outcome --block batch --min-count 50\n"
         "  motifsieve compare slides.tsv -c types.tsv --metadata cells.tsv --sample slide \\\n"
         "      --group condition --reference healthy -o compare.tsv\n"},
    {MS_COMMAND_MATCH, "match", ms_answer_query, .brief = "list or count the matches of a pattern",
     .operands = {"GRAPH", "PATTERN"}, .usage = "GRAPH {PATTERN | --patterns PATH} [OPTION]...",
     .about =
         "List every place in GRAPH that has the pattern's edges, and vertices with the types or\n"
         "colours that the pattern asks for.  Every match is verified before it is written.\n"
         "PATTERN is one of:\n"
         "\n"
         "  a name  triangle; square, diamond, paw, claw, k4; house, bowtie, bull, kite, gem, dart,\n"
         "          fork, banner, cricket, k5; prism, domino, net, octahedron; path:N, cycle:N,\n"
         "          clique:N, star:N or wheel:N;\n"
         "          with --count, clique:A-B counts the cliques of each size from A to B\n"
         "  a file  a small graph in any format, or text as below\n"
         "  a text  Cypher's notation, with or without MATCH and RETURN: (NAME:TYPE) is a vertex,\n"
         "          --, -->, -[TYPE]- and -[TYPE]-> are edges; A|B accepts either type, and what\n"
         "          is left out accepts any; (a)--(b), (b)--(c) are joined by a comma\n"
         "\n"
         "In a graph whose edges have types, a text or a file of edges with types is a typed\n"
         "pattern; --inexact finds the nearest matches.  Other patterns are plain: types of\n"
         "edges do not count, and types of vertices are colours.  In a plain graph, arrows need\n"
         "--directed.  'motifsieve plan' explains the search.",
     .after =
         "Examples:\n"
         "  motifsieve match network.tsv clique:5 -o cliques.tsv\n"
         "  motifsieve match network.tsv -c colors.tsv loop.tve --induced --count\n"
         "  motifsieve match network.tsv -c colors.tsv '(a:kinase)--(b:phosphatase)--(c)--(a)'\n"
         "  motifsieve match network.tsv --patterns shapes.tsv --permutations 1000 -o shapes.out\n"
         "  motifsieve match edges.sif.gz --nodes nodes.tsv.gz \\\n"
         "      '(c:Compound)-[CbG]-(g:Gene)-[DaG]-(d:Disease)' -o paths.tsv\n"
         "  motifsieve match edges.tsv module.txt --inexact --best 20\n"},
    {MS_COMMAND_PLAN, "plan", ms_answer_query,
     .brief = "explain how match would search for a pattern", .operands = {"GRAPH", "PATTERN"},
     .usage = "GRAPH PATTERN [OPTION]...",
     .about =
         "Explain how 'motifsieve match' would search for the pattern: the order in which its\n"
         "vertices are matched, the conditions on each, how many matches to expect, and the\n"
         "engine.  For a typed pattern, also say what the filter and the walk leave, and list the\n"
         "relations, which are the kinds of edges that the plan reads.  Nothing is searched, and\n"
         "the sieve, which might leave less of GRAPH to search, does not run.",
     .after = "Examples:\n"
              "  motifsieve plan network.tsv house\n"
              "  motifsieve plan network.tsv -c colors.tsv loop.tve --induced --json\n"
              "  motifsieve plan edges.sif.gz '(:Gene)-[GiG]-(:Gene)' --count --engine cpu\n"},
    {MS_COMMAND_FILTER, "filter", ms_answer_query,
     .brief = "keep the edges whose types occur in a pattern", .operands = {"GRAPH", "PATTERN"},
     .usage = "GRAPH PATTERN [OPTION]...",
     .about =
         "Write a table of the edges of GRAPH that could be in a match, by their types and the\n"
         "types of their ends.  match, path and filter read this table as it is; all other\n"
         "commands ignore the types of edges, and use the types of vertices as colours.\n"
         "'motifsieve match --help' describes PATTERN.",
     .after = "Example:\n"
              "  motifsieve filter edges.sif.gz '(:Compound)-[CbG]-(:Gene)-[DaG]-(:Disease)' -o "
              "part.tsv\n"},
    {MS_COMMAND_VERIFY, "verify", ms_run_verify,
     .brief = "check a result file again, from its inputs alone",
     .operands = {"RESULT", "GRAPH", "PATTERN"},
     .usage = "RESULT GRAPH [PATTERN] [--colors FILE] [OPTION]...",
     .about =
         "Check a result of screen, list, match, census or compare again, from its inputs alone,\n"
         "by code that shares nothing with the search.  The file has to be complete and to belong\n"
         "to these inputs, and every row has to be right; for a flag this means that a match with\n"
         "the vertex is found.  If the matches can be counted again in time, no row may be missing.\n"
         "Give the PATTERN, --colors and other files with which RESULT was made; of compare, the\n"
         "SHEET in place of GRAPH.  Options for reading are taken from RESULT unless they are given.\n"
         "Exit status 0: accepted; 3: refused, with the reason on standard error; 6: nothing is\n"
         "known to be wrong, but the time ended before every row was checked.",
     .after = "Examples:\n"
              "  motifsieve verify modules.tsv yeast.txt.gz --colors go_slim_mapping.tab.gz\n"
              "  motifsieve verify --recount --timeout 1h modules.tsv network.tsv -c colors.tsv\n"
              "  motifsieve verify cliques.tsv network.tsv.gz clique:4\n"},
    {MS_COMMAND_MERGE, "merge", ms_run_merge, .brief = "put the parts of a run together",
     .operands = {"PART"}, .usage = "PART... [-o FILE] [OPTION]...",
     .about =
         "Write the result of a whole run from the results of its parts, which were made with\n"
         "--part 1/N to --part N/N, in any order.  The file is the same, byte by byte, as that of\n"
         "a run that was not divided; a compressed file, once it is unpacked.  A part that is\n"
         "missing, there twice, damaged, incomplete or of another run is named.  The inputs of the\n"
         "run are not needed.",
     .after = "Examples:\n"
              "  motifsieve census tissue.tsv -c types.tsv -k 5 --part 1/2 -o part1.tsv\n"
              "  motifsieve census tissue.tsv -c types.tsv -k 5 --part 2/2 -o part2.tsv\n"
              "  motifsieve merge part1.tsv part2.tsv -o census.tsv\n"},
    {MS_COMMAND_REPORT, "report", ms_run_report_page,
     .brief = "write a result as a page for browsers, with its network",
     .operands = {"RESULT", "GRAPH", "PATTERN"},
     .usage = "RESULT [GRAPH [PATTERN]] [--colors FILE] -o FILE.html [OPTION]...",
     .about =
         "Write one HTML file that shows a result of screen, list, match, mine, census, compare,\n"
         "components or path: what was asked, how sure the answer is, and a table to sort and to\n"
         "filter.  The file works without the Internet.  With GRAPH, 'motifsieve verify' first checks\n"
         "the result, the report says what came of that, and the matches, components or paths are\n"
         "drawn; give the PATTERN, --colors and other files with which RESULT was made.  Of compare,\n"
         "give the SHEET in place of GRAPH.  A census is drawn beside what is expected by chance.",
     .after = "Examples:\n"
              "  motifsieve report modules.tsv yeast.txt.gz --colors go_slim_mapping.tab.gz -o "
              "modules.html\n"
              "  motifsieve report cliques.tsv network.tsv.gz clique:4 -o cliques.html\n"
              "  motifsieve report census.tsv -o census.html\n"
              "  motifsieve report niches.tsv edges.tsv -c types.tsv --positions cells.csv -o "
              "niches.html\n"},
    {MS_COMMAND_CONVERT, "convert", ms_run_convert,
     .brief = "write a graph, with its colours, in another format", .operands = {"GRAPH"},
     .usage = "GRAPH -o FILE [--to NAME] [OPTION]...",
     .about = "Read GRAPH, and its colours if it has any, and write it in another format, without\n"
              "self-loops and repeated edges, in the order of its vertices.  A format that holds\n"
              "numbers instead of names loses the names; --map saves them to another file.\n"
              "FILE may end in .gz or .zst.",
     .after = "Examples:\n"
              "  motifsieve convert links.txt.gz --min-score 400 -o links.sif\n"
              "  motifsieve convert biogrid.tab3.txt --taxon 559292 -c go_slim_mapping.tab.gz -o "
              "yeast.msb\n"
              "  motifsieve convert network.tsv --to metis --map names.tsv -o network.graph\n"},
    {MS_COMMAND_STATS, "stats", ms_run_stats,
     .brief = "count degrees, components, colours or types", .operands = {"GRAPH"},
     .usage = "GRAPH [--colors FILE] [--motif TEXT] [OPTION]...",
     .about =
         "Count vertices, edges, what reading dropped, degrees, components and, with colours, the\n"
         "vertices of each colour.  Of a graph whose edges have types, count the vertices and edges\n"
         "of each type instead.  With a motif, also count what exact pruning would leave of GRAPH:\n"
         "the vertices, edges and components that screen and list would have to search.",
     .after = "Examples:\n"
              "  motifsieve stats hetionet-edges.sif.gz --nodes hetionet-nodes.tsv\n"
              "  motifsieve stats links.txt.gz --min-score 400\n"
              "  motifsieve stats yeast.txt.gz -c go_slim_mapping.tab.gz -m "
              "'\"exocytosis\":3,cytokinesis'\n"},
    {MS_COMMAND_COMPONENTS, "components", ms_answer_query,
     .brief = "find connected components, the largest first", .operands = {"GRAPH"},
     .usage = "GRAPH [OPTION]...",
     .about =
         "Find the connected components of GRAPH.  Each row holds a vertex, the number of its\n"
         "component, and the size of that component.  The largest component is number 1;\n"
         "components of the same size are in the order of GRAPH.  Rows are in the order of\n"
         "components.",
     .after =
         "Examples:\n"
         "  motifsieve components links.txt.gz --min-score 900 --min-size 3 -o components.tsv\n"
         "  motifsieve components network.tsv --sizes\n"
         "  motifsieve components network.tsv --count\n"},
    {MS_COMMAND_PATH, "path", ms_answer_query,
     .brief = "find shortest paths in a graph whose edges have types",
     .operands = {"GRAPH", "SOURCE", "TARGET"},
     .usage = "GRAPH {SOURCE TARGET | --pairs FILE} [OPTION]...",
     .about =
         "Find a shortest path from the vertex SOURCE to the vertex TARGET in a graph whose edges\n"
         "may have types and directions; a plain graph is allowed, too.  Each step is a row: the\n"
         "number of the pair, its ends, the length, the step from 0, the type of the edge that\n"
         "was followed (^r: an edge of type r against its direction) and the vertex.  If there is\n"
         "no path, one row has '-' in these columns.  Of several shortest paths, every run finds\n"
         "the same one.",
     .after = "Examples:\n"
              "  motifsieve path hetionet.sif.gz Compound::DB00563 Disease::DOID:7148\n"
              "  motifsieve path hetionet.sif.gz --types CbG,DaG --pairs pairs.tsv --json -o "
              "paths.jsonl\n"
              "  motifsieve path network.tsv YAL001C YBR123C --lengths --fail-if-none\n"},
    {MS_COMMAND_NEIGHBORS, "neighbors", ms_run_neighbors,
     .brief = "make a graph of points that are near each other", .operands = {"POINTS"},
     .usage = "POINTS [--knn K | --radius R | --delaunay] [OPTION]...",
     .about =
         "Make the graph of neighbours of points with coordinates, such as the cells of a tissue.\n"
         "POINTS is a table with a line of titles and one point a line, separated by tabs, commas,\n"
         "semicolons or blanks.  It has two or three columns of coordinates, and may have columns\n"
         "of names, colours (such as types of cells) and slides.  Points of different slides are\n"
         "never neighbours.  The colours go into the graph if its format holds colours, and\n"
         "otherwise to the file of --colors-out.",
     .after = "Examples:\n"
              "  motifsieve neighbors cells.tsv --knn 6 --colors-out types.tsv -o tissue.tsv\n"
              "  motifsieve neighbors cells.csv.gz --delaunay --radius 50 --slide-column image \\\n"
              "      --color-column phenotype -o tissue.msb\n"},
    {MS_COMMAND_GEN, "gen", ms_run_gen,
     .brief = "generate a random graph, or shuffle, colour and cut a given one",
     .operands = {"FAMILY", "GRAPH"}, .usage = "{FAMILY | file GRAPH} [OPTION]...",
     .about =
         "Generate a random graph without self-loops and repeated edges, or take that of a file.\n"
         "Then shuffle it, colour its vertices at random, hide matches in it, or cut patterns out\n"
         "of it.  The same seed gives the same outputs on any number of threads.  The vertices of\n"
         "random graphs are named by their numbers.  FAMILY is one of:",
     .after =
         "Examples:\n"
         "  motifsieve gen regular -n 1024 -d 20 --uniform-colors 16 --colors-out c.tsv -o g.tsv\n"
         "  motifsieve gen power-law -n 262144 --exponent -1 --edges 2600000 -o g.tsv.gz\n"
         "  motifsieve gen er -n 10000 --edges 100000 --planted 'red:2,blue' --plants 3 \\\n"
         "      --planted-out hidden.tsv --colors-out c.tsv -o g.tsv\n"
         "  motifsieve gen er -n 1000 -d 8 --uniform-colors 5 --edge-types 6 --directed-types 2 -o "
         "t.tsv\n"
         "  motifsieve gen file network.tsv --shuffle --new-names numbers --map names.tsv -o s.tsv\n"
         "  motifsieve gen file network.tsv -c colors.tsv --patterns 100 --pattern-size 8 \\\n"
         "      --patterns-out patterns\n"},
    {MS_COMMAND_BENCH, "bench", ms_run_bench,
     .brief = "measure the arithmetic and the sieve on this machine",
     .usage = "gf2|sieve [OPTION]...",
     .about =
         "Measure this machine.\n"
         "\n"
         "  gf2    multiplications per second in GF(2^8), for every line type\n"
         "  sieve  calls of the sieve on a graph of a file or a random one, beside their floor\n"
         "\n"
         "'motifsieve bench gf2 --help' and 'motifsieve bench sieve --help' list the options.",
     .after = "Examples:\n"
              "  motifsieve bench gf2\n"
              "  motifsieve bench sieve\n"},
    {MS_COMMAND_BENCH_GF2, "bench gf2", ms_run_bench_gf2, .usage = "[OPTION]...",
     .about =
         "Count multiplications per second in GF(2^8) modulo 0x11B, for every line type of this\n"
         "processor, on lines that stay in the first-level cache, or of a GPU, in registers.\n"
         "Each figure is the best of five slices.  One product multiplies two elements; both vary.",
     .after = "Examples:\n"
              "  motifsieve bench gf2 --threads 1,2,4 --seconds 2\n"
              "  motifsieve bench gf2 --backend cuda\n"},
    {MS_COMMAND_BENCH_SIEVE, "bench sieve", ms_run_bench_sieve, .operands = {"GRAPH"},
     .usage = "[GRAPH --colors FILE --motif TEXT] [OPTION]...",
     .about =
         "Sieve a graph of a file or, without GRAPH, a random regular graph whose vertices have one\n"
         "of the motif's K colours each, so that exact pruning removes nothing.  Print how long the\n"
         "calls take beside their floor: the products and bytes that no sieve can avoid, at the\n"
         "rates that this machine was just measured at.  The program bench/experiments of the\n"
         "sources repeats the experiments of a paper.",
     .after =
         "Examples:\n"
         "  motifsieve bench sieve --vertices 4096 --slots 14 --recurrence classic\n"
         "  motifsieve bench sieve yeast.tsv --colors go.tsv --motif 'kinase:2,ligase' --json\n"},
    {MS_COMMAND_INFO, "info", ms_run_info, .brief = "show what this machine and this build offer",
     .usage = "[OPTION]...", .about = "Show what this machine and this build of motifsieve offer.",
     .after = "Example:\n  motifsieve info\n"},
};

const size_t ms_command_count = sizeof ms_commands / sizeof *ms_commands;

const ms_command *ms_command_find(const char *name)
{
  for (size_t c = 0; c < ms_command_count; c++)
    if (strcmp(ms_commands[c].name, name) == 0)
      return &ms_commands[c];
  return NULL;
}

/* A GPU that was asked for starts while the network is read. */
static void start_gpu(const ms_cli_options *o)
{
  const char *engine = o->list.screen.run.engine;
  const unsigned runs = MS_COMMAND_MATCH | MS_COMMAND_LIST | MS_COMMAND_SCREEN | MS_COMMAND_CENSUS;
  bool asks = (engine && strcmp(engine, "auto") != 0 && strcmp(engine, "cpu") != 0) ||
              o->list.screen.backend == MS_BACKEND_CUDA;
  if ((o->command->bit & runs) && asks && o->list.screen.run.n_devices == 0 && !ms_cli_crew)
    (void)ms_gpu_start();
}

/* Runs the command with a stop token, for --timeout and signals. */
static int run_stoppable(ms_cli_options *options)
{
  ms_error err;
  start_gpu(options);
  if (ms_stop_new(&options->stop, &err) != MS_OK)
    return ms_cli_error(&err);
  if (options->timeout > 0)
    ms_stop_after(options->stop, options->timeout);
  ms_stop_attach(options->stop);
  int code = run_with_outputs(options);
  ms_limit_memory(0); /* a command that failed while it read has not lifted its limit */
  ms_stop_attach(NULL);
  ms_stop_free(options->stop);
  return code;
}

int ms_command_run(int argc, char **argv)
{
  ms_cli_options options;
  ms_error err;
  char part[64];
  const ms_command *command = NULL;
  if (argc > 1) {
    snprintf(part, sizeof part, "%s %s", argv[0], argv[1]);
    command = ms_command_find(part);
  }
  int words = command ? 1 : 0;
  if (!command)
    command = ms_command_find(argv[0]);
  if (ms_options_parse(command, argc - words, argv + words, &options, &err) != MS_OK)
    return ms_cli_error(&err);
  if (options.help)
    return ms_help_command(command, options.help_all);
  if (options.list_formats)
    return ms_help_formats(command);
  return ms_environment_check(&err) == MS_OK ? run_stoppable(&options) : ms_cli_error(&err);
}
