/* Rules for which options go together: rows of a table where names decide, functions where values
 * do.  Rules for where outputs go, so that none replaces another output or an input. */
#include "base/alloc.h"
#include "base/status.h"
#include "cli/motif_significance.h"
#include "cli/option_table.h"
#include "parts/spool.h"

#include <libgen.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SEARCH (MS_COMMAND_SCREEN | MS_COMMAND_LIST)
#define MATCH MS_COMMAND_MATCH
#define GEN MS_COMMAND_GEN
#define NEIGHBORS MS_COMMAND_NEIGHBORS
#define ANY (~0u)

/* ---- names ---------------------------------------------------------------------- */

/* Applies where `option` is given, `with` is given (NULL: in any case) and none of `without` is
 * (NULL: in any case); the first row that applies refuses the command line. */
typedef struct rule {
  unsigned commands;
  const char *option, *with, *without[3];
  const char *message; /* follows the option's name; NULL: the message is "and --with do not go
                          together", or says that the first of `without` is needed */
} rule;

#define FOR_EXACT "is for exact matches; leave it out, or leave out --inexact"

#define OF_VERTICES "writes a table of vertices, and a drawing shows matches; leave one out"
#define FOR_ROWS "is for rows, and the table of --motifs has none; also give --rows FILE"
#define NEAR_DRAWN "writes a table; a drawing shows exact matches, so leave one out"
#define FROM_ALL "draws from all matches without the sieve, which --devices is for; leave one out"
#define FROM_SEARCH                                                                                \
  "chooses from all matches, without the sieve and without chance; leave out --seed and --devices"
#define NOT_DRAWN "writes a table; draw one motif, with --motif"

static const rule rules[] = {
    {ANY, "quiet", .with = "verbose"},
    {ANY, "header", .with = "no-header"},
    {ANY, "resume", .without = {"checkpoint"}},
    {ANY, "checkpoint-seconds", .without = {"checkpoint"}},
    {ANY, "paranoid", .with = "motifs"},
    {ANY, "paranoid", .with = "per-vertex"},
    {ANY, "part", .with = "fail-if-none"},
    {ANY, "part", .with = "motifs"},
    {ANY, "checkpoint", .with = "motifs"},
    {ANY, "part", .with = "nearest"},
    {ANY, "part", .with = "substitute"},
    {ANY, "checkpoint", .with = "nearest"},
    {ANY, "checkpoint", .with = "substitute"},
    {ANY, "part", .with = "max-missing"},
    {ANY, "part", .with = "max-extra"},
    {ANY, "checkpoint", .with = "max-missing"},
    {ANY, "checkpoint", .with = "max-extra"},
    {ANY, "part", .with = "max-t"},

    {ANY, "embeddings", .with = "subgraphs"},
    {ANY, "binary", .with = "json"},
    {ANY, "binary", .with = "count"},
    {ANY, "binary", .with = "cx2"},
    {ANY, "binary", .with = "dot"},
    {ANY, "binary", .with = "svg"},
    {ANY, "motif", .with = "motif-file"},
    {ANY, "motif-from", .with = "motif"},
    {ANY, "motif-from", .with = "motif-file"},
    {MS_COMMAND_COMPARE, "reference", .with = "rest"},
    {MS_COMMAND_COMPARE, "metadata", .without = {"group"}},
    {MS_COMMAND_COMPARE, "colors", .without = {"metadata"},
     .message = "is for one graph, whose samples --metadata names; in a sheet, the column 'colors' "
                "has the colour files"},
    {MS_COMMAND_COMPARE, "vertex-column", .without = {"metadata"}},
    {SEARCH, "motifs", .with = "motif-from"},
    {SEARCH, "motifs", .with = "motif"},
    {SEARCH, "motifs", .with = "motif-file"},
    {SEARCH, "motifs", .with = "require"},
    {SEARCH, "motifs", .with = "cx2", .message = NOT_DRAWN},
    {SEARCH, "motifs", .with = "dot", .message = NOT_DRAWN},
    {SEARCH, "motifs", .with = "svg", .message = NOT_DRAWN},
    {SEARCH, "rows", .without = {"motifs"}},
    {SEARCH, "times", .without = {"motifs"}},
    {SEARCH, "motif-timeout", .without = {"motifs"}},
    {SEARCH, "count", .with = "rows"},
    {SEARCH, "count", .with = "motifs",
     .message = "adds nothing to --motifs, whose table has the number of matches; leave it out"},
    {SEARCH, "all", .with = "motifs", .without = {"rows"}, .message = FOR_ROWS},
    {SEARCH, "all-colors", .with = "motifs", .without = {"rows"}, .message = FOR_ROWS},
    {SEARCH, "labels", .with = "motifs", .without = {"rows"}, .message = FOR_ROWS},
    {SEARCH, "roles", .with = "motifs", .without = {"rows"}, .message = FOR_ROWS},
    {SEARCH, "long", .with = "motifs", .without = {"rows"}, .message = FOR_ROWS},

    {MS_COMMAND_CENSUS, "significance", .with = "per-vertex"},
    {MS_COMMAND_CENSUS, "min-expected", .without = {"significance"}},
    {MS_COMMAND_CENSUS, "moments", .without = {"significance"}},
    {MS_COMMAND_CENSUS, "moment-samples", .without = {"significance"}},
    {MS_COMMAND_CENSUS, "permutations", .with = "per-vertex"},
    {MS_COMMAND_LIST | MS_COMMAND_CENSUS, "null", .without = {"permutations"}},
    {MS_COMMAND_LIST | MS_COMMAND_CENSUS, "strata", .without = {"permutations"}},
    {MS_COMMAND_SCREEN, "null", .without = {"permutations", "significance"}},
    {MS_COMMAND_SCREEN, "strata", .without = {"permutations", "significance"}},
    {MS_COMMAND_LIST, "statistic", .without = {"significance", "permutations"}},
    {MS_COMMAND_CENSUS, "max-t", .without = {"permutations"}},
    {MS_COMMAND_CENSUS, "sort", .with = "per-vertex"},
    {MS_COMMAND_CENSUS, "seed", .without = {"permutations", "significance"}},
    {MS_COMMAND_SCREEN, "nearest", .with = "motifs"},
    {MS_COMMAND_SCREEN, "max-missing", .with = "motifs"},
    {MS_COMMAND_SCREEN, "max-extra", .with = "motifs"},
    {MS_COMMAND_SCREEN, "substitute", .with = "motifs"},
    {MS_COMMAND_SCREEN, "substitute", .with = "all"},
    {MS_COMMAND_SCREEN, "substitute", .with = "profile"},
    {MS_COMMAND_SCREEN, "substitute", .with = "cx2", .message = NEAR_DRAWN},
    {MS_COMMAND_SCREEN, "substitute", .with = "dot", .message = NEAR_DRAWN},
    {MS_COMMAND_SCREEN, "substitute", .with = "svg", .message = NEAR_DRAWN},
    {SEARCH, "max-cost", .without = {"substitute"}},
    {MS_COMMAND_SCREEN, "nearest", .with = "all"},
    {MS_COMMAND_SCREEN, "max-missing", .with = "all"},
    {MS_COMMAND_SCREEN, "max-extra", .with = "all"},
    {MS_COMMAND_SCREEN, "nearest", .with = "cx2", .message = NEAR_DRAWN},
    {MS_COMMAND_SCREEN, "nearest", .with = "dot", .message = NEAR_DRAWN},
    {MS_COMMAND_SCREEN, "nearest", .with = "svg", .message = NEAR_DRAWN},
    {MS_COMMAND_SCREEN, "max-missing", .with = "cx2", .message = NEAR_DRAWN},
    {MS_COMMAND_SCREEN, "max-missing", .with = "dot", .message = NEAR_DRAWN},
    {MS_COMMAND_SCREEN, "max-missing", .with = "svg", .message = NEAR_DRAWN},
    {MS_COMMAND_SCREEN, "max-extra", .with = "cx2", .message = NEAR_DRAWN},
    {MS_COMMAND_SCREEN, "max-extra", .with = "dot", .message = NEAR_DRAWN},
    {MS_COMMAND_SCREEN, "max-extra", .with = "svg", .message = NEAR_DRAWN},
    {MS_COMMAND_SCREEN, "profile", .with = "repetitions"},
    {MS_COMMAND_SCREEN, "profile", .with = "recurrence"},
    {MS_COMMAND_SCREEN, "profile", .with = "backend"},
    {MS_COMMAND_SCREEN, "profile", .with = "devices"},
    {MS_COMMAND_SCREEN, "profile", .with = "seed"},
    {MS_COMMAND_SCREEN, "profile", .with = "no-prune"},
    {MS_COMMAND_SCREEN, "profile", .with = "error"},
    {MS_COMMAND_SCREEN, "profile", .with = "motifs"},
    {MS_COMMAND_SCREEN, "profile", .with = "nearest"},
    {MS_COMMAND_SCREEN, "profile", .with = "max-missing"},
    {MS_COMMAND_SCREEN, "profile", .with = "max-extra"},
    {MS_COMMAND_SCREEN, "profile", .with = "cx2"},
    {MS_COMMAND_SCREEN, "profile", .with = "dot"},
    {MS_COMMAND_SCREEN, "profile", .with = "svg"},
    {MS_COMMAND_SCREEN, "all-sums", .without = {"vertex-scores"}},
    {MS_COMMAND_SCREEN, "vertex-scores", .with = "motifs"},
    {MS_COMMAND_SCREEN, "vertex-scores", .with = "nearest"},
    {MS_COMMAND_SCREEN, "vertex-scores", .with = "max-missing"},
    {MS_COMMAND_SCREEN, "vertex-scores", .with = "max-extra"},
    {MS_COMMAND_SCREEN, "vertex-scores", .with = "cx2"},
    {MS_COMMAND_SCREEN, "vertex-scores", .with = "dot"},
    {MS_COMMAND_SCREEN, "vertex-scores", .with = "svg"},
    {MS_COMMAND_LIST, "participation", .with = "count"},
    {MS_COMMAND_LIST, "participation", .with = "limit"},
    {MS_COMMAND_LIST, "participation", .with = "motifs"},
    {MS_COMMAND_LIST, "participation", .with = "roles"},
    {MS_COMMAND_LIST, "participation", .with = "long"},
    {MS_COMMAND_LIST, "participation", .with = "cx2", .message = OF_VERTICES},
    {MS_COMMAND_LIST, "participation", .with = "dot", .message = OF_VERTICES},
    {MS_COMMAND_LIST, "participation", .with = "svg", .message = OF_VERTICES},
    {MS_COMMAND_LIST, "sample", .with = "count"},
    {MS_COMMAND_LIST, "sample", .with = "limit"},
    {MS_COMMAND_LIST, "sample", .with = "participation"},
    {MS_COMMAND_LIST, "sample", .with = "motifs"},
    {MS_COMMAND_LIST, "sample", .with = "sort"},
    {MS_COMMAND_LIST, "sample", .with = "min-density"},
    {MS_COMMAND_LIST, "sample", .with = "min-mean-score"},
    {MS_COMMAND_LIST, "diverse", .with = "sort"},
    {MS_COMMAND_LIST, "diverse", .with = "min-density"},
    {MS_COMMAND_LIST, "diverse", .with = "min-mean-score"},
    {MS_COMMAND_LIST, "diverse", .with = "count"},
    {MS_COMMAND_LIST, "diverse", .with = "sample"},
    {MS_COMMAND_LIST, "diverse", .with = "participation"},
    {MS_COMMAND_LIST, "diverse", .with = "motifs"},
    {MS_COMMAND_LIST, "diverse", .with = "seed", .message = FROM_SEARCH},
    {MS_COMMAND_LIST, "diverse", .with = "devices", .message = FROM_SEARCH},
    {MS_COMMAND_LIST, "sample", .with = "devices", .message = FROM_ALL},
    {MS_COMMAND_LIST, "families", .with = "count"},
    {MS_COMMAND_LIST, "families", .with = "sample"},
    {MS_COMMAND_LIST, "families", .with = "diverse"},
    {MS_COMMAND_LIST, "families", .with = "participation"},
    {MS_COMMAND_LIST, "families", .with = "motifs"},
    {MS_COMMAND_LIST, "families", .with = "long"},
    {MS_COMMAND_LIST, "families", .with = "top",
     .message = "groups all matches, and --top leaves some out; give --limit for the first "
                "families"},
    {MS_COMMAND_LIST, "families", .with = "seed", .message = FROM_SEARCH},
    {MS_COMMAND_LIST, "families", .with = "devices", .message = FROM_SEARCH},
    {MS_COMMAND_LIST, "vertex-scores", .with = "count"},
    {MS_COMMAND_LIST, "vertex-scores", .with = "participation"},
    {MS_COMMAND_LIST, "vertex-scores", .with = "motifs"},
    {MS_COMMAND_LIST, "vertex-scores", .with = "long"},
    {MS_COMMAND_LIST, "vertex-scores", .with = "cx2", .without = {"sort"},
     .message = "is for tables, and for --sort vertex-score; leave it out"},
    {MS_COMMAND_LIST, "vertex-scores", .with = "dot", .without = {"sort"},
     .message = "is for tables, and for --sort vertex-score; leave it out"},
    {MS_COMMAND_LIST, "vertex-scores", .with = "svg", .without = {"sort"},
     .message = "is for tables, and for --sort vertex-score; leave it out"},
    {MS_COMMAND_LIST, "sort", .with = "count"},
    {MS_COMMAND_LIST, "sort", .with = "limit", .without = {"families"}},
    {MS_COMMAND_LIST, "sort", .with = "participation"},
    {MS_COMMAND_LIST, "sort", .with = "motifs"},
    {MS_COMMAND_LIST, "min-density", .with = "count"},
    {MS_COMMAND_LIST, "min-density", .with = "participation"},
    {MS_COMMAND_LIST, "min-density", .with = "motifs"},
    {MS_COMMAND_LIST, "min-mean-score", .with = "count"},
    {MS_COMMAND_LIST, "min-mean-score", .with = "participation"},
    {MS_COMMAND_LIST, "min-mean-score", .with = "motifs"},
    {MS_COMMAND_LIST, "density", .with = "count"},
    {MS_COMMAND_LIST, "density", .with = "participation"},
    {MS_COMMAND_LIST, "density", .with = "long"},
    {MS_COMMAND_LIST, "scores", .with = "count"},
    {MS_COMMAND_LIST, "scores", .with = "participation"},
    {MS_COMMAND_LIST, "scores", .with = "long"},
    {MS_COMMAND_LIST, "top", .without = {"sort"}},
    {MS_COMMAND_LIST, "min-mean-score", .without = {"scores"}},
    {MS_COMMAND_LIST, "density", .with = "cx2", .message = "is for tables; leave it out"},
    {MS_COMMAND_LIST, "density", .with = "dot", .message = "is for tables; leave it out"},
    {MS_COMMAND_LIST, "density", .with = "svg", .message = "is for tables; leave it out"},
    {MS_COMMAND_LIST, "scores", .with = "cx2", .without = {"sort", "min-mean-score"},
     .message = "is for tables; leave it out"},
    {MS_COMMAND_LIST, "scores", .with = "dot", .without = {"sort", "min-mean-score"},
     .message = "is for tables; leave it out"},
    {MS_COMMAND_LIST, "scores", .with = "svg", .without = {"sort", "min-mean-score"},
     .message = "is for tables; leave it out"},
    {MS_COMMAND_LIST, "density", .with = "motifs", .without = {"rows"}, .message = FOR_ROWS},
    {MS_COMMAND_LIST, "scores", .with = "motifs", .without = {"rows"}, .message = FOR_ROWS},
    {MS_COMMAND_LIST, "all", .without = {"participation"}},
    {MS_COMMAND_LIST, "all-colors", .without = {"participation"}},
    {SEARCH | MATCH, "roles", .with = "count"},
    {SEARCH | MATCH, "roles", .with = "cx2", .message = "is for tables; a drawing shows the roles"},
    {SEARCH | MATCH, "roles", .with = "dot", .message = "is for tables; a drawing shows the roles"},
    {SEARCH | MATCH, "roles", .with = "svg", .message = "is for tables; a drawing shows the roles"},
    {SEARCH | MATCH, "long", .with = "json",
     .message = "is for TSV; with --json a match is one object, to which --labels and --roles add"},
    {SEARCH | MATCH, "long", .with = "binary"},
    {SEARCH | MATCH, "long", .with = "count"},
    {SEARCH | MATCH, "long", .with = "cx2"},
    {SEARCH | MATCH, "long", .with = "dot"},
    {SEARCH | MATCH, "long", .with = "svg"},
    {SEARCH | MATCH, "labels", .with = "binary", .message = "is for text; --binary writes numbers"},
    {SEARCH | MATCH, "labels", .with = "count"},
    {SEARCH, "all-colors", .with = "cx2", .message = "is for tables; a drawing has all colours"},
    {SEARCH, "all-colors", .with = "dot", .message = "is for tables; leave it out"},
    {SEARCH, "all-colors", .with = "svg", .message = "is for tables; leave it out"},

    {MATCH, "exact", .with = "inexact"},
    {MATCH, "count", .with = "inexact",
     .message = "is for exact matches; with --inexact, --best N is the number of maps to find"},
    {MATCH, "limit", .with = "inexact",
     .message = "is for exact matches; with --inexact, --best N is the number of maps to find"},
    {MATCH, "induced", .with = "inexact", .message = FOR_EXACT},
    {MATCH, "engine", .with = "inexact", .message = FOR_EXACT},
    {MATCH, "require", .with = "inexact", .message = FOR_EXACT},
    {MATCH, "devices", .with = "inexact", .message = FOR_EXACT},
    {MATCH, "screen", .with = "inexact", .message = FOR_EXACT},
    {MATCH, "error", .with = "inexact", .message = FOR_EXACT},
    {MATCH, "repetitions", .with = "inexact", .message = FOR_EXACT},
    {MATCH, "recurrence", .with = "inexact", .message = FOR_EXACT},
    {MATCH, "backend", .with = "inexact", .message = FOR_EXACT},
    {MATCH, "binary", .with = "inexact", .message = FOR_EXACT},
    {MATCH, "best", .without = {"inexact"},
     .message = "is for --inexact; also give --inexact, or give --limit N instead"},

    {MS_COMMAND_COMPONENTS, "count", .with = "sizes"},
    {MS_COMMAND_COMPONENTS, "count", .with = "largest"},
    {MS_COMMAND_COMPONENTS, "largest", .with = "min-size"},

    {NEIGHBORS, "delaunay", .with = "knn"},
    {NEIGHBORS, "delaunay", .with = "mutual"},
    {GEN, "uniform-colors", .with = "planted"},
    {GEN, "uniform-colors", .with = "colors"},
    {GEN, "uniform-colors", .with = "permute-colors"},
    {GEN, "permute-colors", .with = "background"},
    {GEN, "new-names", .without = {"shuffle"}},
    {GEN, "patterns", .without = {"pattern-size"}},
    {GEN, "patterns", .without = {"patterns-out"}},
    {GEN, "patterns-out", .without = {"patterns"}},
    {GEN, "pattern-size", .without = {"patterns"}},
    {GEN, "pattern-edges", .without = {"patterns"}},
    {GEN, "pattern-format", .without = {"patterns"}},
    {GEN, "dense", .without = {"patterns"}},
    {GEN, "sparse", .without = {"patterns"}},
    {GEN, "dense", .with = "sparse"},
    {GEN, "edge-types", .with = "directed"},
    {GEN, "edge-types", .with = "scores"},
    {GEN, "plants", .without = {"planted"}},
    {GEN, "background", .without = {"planted"}},
    {GEN, "planted-out", .without = {"planted"}},

    {SEARCH | MATCH, "json", .with = "cx2"},
    {SEARCH | MATCH, "json", .with = "dot"},
    {SEARCH | MATCH, "json", .with = "svg"},
    {SEARCH | MATCH, "cx2", .with = "dot"},
    {SEARCH | MATCH, "cx2", .with = "svg"},
    {SEARCH | MATCH, "dot", .with = "svg"},
    {SEARCH | MATCH, "svg", .without = {"positions"},
     .message = "needs coordinates; also give --positions POINTS"},
    {SEARCH | MATCH, "positions", .without = {"svg"}, .message = "is for --svg; also give --svg"},
    {SEARCH | MATCH | MS_COMMAND_REPORT, "x-column", .without = {"positions"}},
    {SEARCH | MATCH | MS_COMMAND_REPORT, "y-column", .without = {"positions"}},
    {SEARCH | MATCH | MS_COMMAND_REPORT, "z-column", .without = {"positions"}},
    {SEARCH | MATCH | MS_COMMAND_REPORT, "point-column", .without = {"positions"}},
    {SEARCH | MATCH | MS_COMMAND_REPORT, "slide-column", .without = {"positions"}},
    {SEARCH | MATCH, "match", .without = {"cx2", "dot", "svg"},
     .message = "is for drawings; also give --cx2, --dot or --svg"},
    {SEARCH | MATCH, "whole-graph", .without = {"cx2", "dot", "svg"},
     .message = "is for drawings; also give --cx2, --dot or --svg"},
    {SEARCH | MATCH, "match", .with = "whole-graph"},
    {SEARCH | MATCH, "count", .with = "cx2"},
    {SEARCH | MATCH, "count", .with = "dot"},
    {SEARCH | MATCH, "count", .with = "svg"},
    {SEARCH, "all", .with = "cx2",
     .message = "is for tables; with --cx2, --whole-graph draws every vertex"},
    {SEARCH, "all", .with = "dot",
     .message = "is for tables; with --dot, --whole-graph draws every vertex"},
    {SEARCH, "all", .with = "svg",
     .message = "is for tables; with --svg, --whole-graph draws every vertex"},
};

static bool applies(const rule *r, const ms_cli_options *o)
{
  if (!(r->commands & o->command->bit) || !ms_option_given(o, r->option) ||
      (r->with && !ms_option_given(o, r->with)))
    return false;
  for (int i = 0; i < 3; i++)
    if (r->without[i] && ms_option_given(o, r->without[i]))
      return false;
  return true;
}

static ms_status check_rules(const ms_cli_options *o, ms_error *err)
{
  for (const rule *r = rules; r < rules + sizeof rules / sizeof *rules; r++) {
    if (!applies(r, o))
      continue;
    if (r->message)
      return ms_fail(err, MS_ERR_USAGE, "--%s %s", r->option, r->message);
    if (r->with)
      return ms_fail(err, MS_ERR_USAGE, "--%s and --%s do not go together; leave one out",
                     r->option, r->with);
    if (r->without[1])
      return ms_fail(err, MS_ERR_USAGE, "--%s needs --%s or --%s; give it, too", r->option,
                     r->without[0], r->without[1]);
    return ms_fail(err, MS_ERR_USAGE, "--%s needs --%s; give both", r->option, r->without[0]);
  }
  return MS_OK;
}

/* ---- values ---------------------------------------------------------------------- */

/* Checks that the command line says what to search for. */
static ms_status check_query(const ms_cli_options *o, ms_error *err)
{
  bool screens = o->command->bit == MS_COMMAND_SCREEN;
  const char *near = ms_option_given(o, "nearest")       ? "nearest"
                     : ms_option_given(o, "max-missing") ? "max-missing"
                     : ms_option_given(o, "max-extra")   ? "max-extra"
                     : ms_option_given(o, "substitute")  ? "substitute"
                                                         : NULL;
  const char *for_patterns =
      ms_option_given_of(o, MS_OPTIONS_OF_PATTERN | (screens ? MS_OPTIONS_OF_TYPED_GRAPH : 0));
  if (screens && o->pattern.path && (ms_motif_is_given(o) || o->motifs))
    return ms_fail(err, MS_ERR_USAGE,
                   "a motif and the pattern '%s' are given, and one of them can be searched for; "
                   "leave one out",
                   o->pattern.path);
  if (screens && o->pattern.path && near)
    return ms_fail(
        err, MS_ERR_USAGE,
        "--%s is for motifs, and '%s' is a pattern; leave --%s out, or give a motif with "
        "--motif",
        near, o->pattern.path, near);
  if (screens && for_patterns && !o->pattern.path)
    return ms_fail(err, MS_ERR_USAGE,
                   "--%s is for patterns; write 'motifsieve screen GRAPH PATTERN', or leave it out",
                   for_patterns);
  if (o->command->bit == MS_COMMAND_FILTER && !o->pattern.path)
    return ms_fail(err, MS_ERR_USAGE,
                   "no PATTERN: give '(a:Gene)-[GiG]-(b:Gene)' behind GRAPH, or a file; see "
                   "'motifsieve filter --help'");
  if (for_patterns && !o->pattern.path)
    return ms_fail(err, MS_ERR_USAGE, "--%s is for patterns; also give PATTERN, or leave it out",
                   for_patterns);
  return MS_OK;
}

/* Refuses options of the sieve beside one that omits it, as they would be lost silently. */
static ms_status check_sieve_runs(const ms_cli_options *o, ms_error *err)
{
  static const char *const of_sieve[] = {"error", "repetitions", "recurrence", "backend",
                                         "no-prune"};
  bool never = ms_option_given(o, "screen") && o->pattern.screen == MS_SCREEN_NEVER;
  const char *few = ms_option_given(o, "sample")     ? "--sample"
                    : ms_option_given(o, "diverse")  ? "--diverse"
                    : ms_option_given(o, "families") ? "--families"
                                                     : NULL;
  if (few && o->pattern.screen == MS_SCREEN_ALWAYS)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s chooses from all matches without the sieve, and --screen always asks for "
                   "it; leave one out",
                   few);
  if (!o->list.exact && !never && !few)
    return MS_OK;
  for (size_t i = 0; i < sizeof of_sieve / sizeof *of_sieve; i++)
    if (ms_option_given(o, of_sieve[i]))
      return ms_fail(err, MS_ERR_USAGE, "--%s is for the sieve, which %s omits; leave one out",
                     of_sieve[i],
                     o->list.exact ? "--exact"
                     : few         ? few
                                   : "--screen never");
  return MS_OK;
}

/* Checks that an ontology is given where it is to give substitutions. */
static ms_status check_substitutes(const ms_cli_options *o, ms_error *err)
{
  if (!o->substitutes || strcmp(o->substitutes, "ontology") != 0 || o->coloring.obo)
    return MS_OK;
  return ms_fail(err, MS_ERR_USAGE,
                 "--substitute ontology takes the ontology of --obo, which is not given; give its "
                 "file with --substitute");
}

/* Refuses options that lists of the nearest matches do not have. */
static ms_status check_nearest_list(const ms_cli_options *o, ms_error *err)
{
  static const char *const near_options[] = {"nearest", "max-missing", "max-extra", "substitute"};
  static const char *const others[] = {
      "motifs",      "cx2",           "dot",           "svg",         "sample",
      "diverse",     "participation", "sort",          "min-density", "min-mean-score",
      "density",     "scores",        "roles",         "long",        "error",
      "repetitions", "recurrence",    "backend",       "devices",     "seed",
      "no-prune",    "families",      "vertex-scores", "engine"};
  const char *near = NULL;
  for (size_t i = 0; i < sizeof near_options / sizeof *near_options && !near; i++)
    near = ms_option_given(o, near_options[i]) ? near_options[i] : NULL;
  if (o->command->bit != MS_COMMAND_LIST || !near)
    return MS_OK;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (ms_option_given(o, others[i]))
      return ms_fail(err, MS_ERR_USAGE,
                     "--%s lists matches in the order of their costs, without the sieve, and does "
                     "not go together with --%s; leave one out",
                     near, others[i]);
  if (ms_option_given(o, "screen") && o->pattern.screen == MS_SCREEN_ALWAYS)
    return ms_fail(err, MS_ERR_USAGE,
                   "--%s of list enumerates, and --screen always asks for the sieve; leave one out",
                   near);
  return MS_OK;
}

/* Checks the options of a screen that measures matches. */
static ms_status check_measured_screen(const ms_cli_options *o, ms_error *err)
{
  const char *option = o->command->bit != MS_COMMAND_SCREEN ? NULL
                       : o->list.screen.profile             ? "profile"
                       : o->vertex_scores                   ? "vertex-scores"
                                                            : NULL;
  if (!option)
    return MS_OK;
  if (o->pattern.path)
    return ms_fail(err, MS_ERR_USAGE, "--%s is for motifs; leave it out", option);
  if (o->list.screen.profile && o->pattern.screen == MS_SCREEN_ALWAYS)
    return ms_fail(err, MS_ERR_USAGE,
                   "--%s enumerates, and --screen always asks for the sieve; leave one out",
                   option);
  return MS_OK;
}

static ms_status check_match(const ms_cli_options *o, ms_error *err)
{
  bool of_vertices = o->command->bit == MS_COMMAND_LIST && o->list.sort == MS_MEASURE_VERTEX_SCORE;
  if (of_vertices && !o->vertex_scores)
    return ms_fail(err, MS_ERR_USAGE,
                   "--sort vertex-score needs the scores of vertices; give --vertex-scores FILE");
  if (o->list.exact && o->pattern.screen == MS_SCREEN_ALWAYS)
    return ms_fail(err, MS_ERR_USAGE,
                   "--exact omits the sieve, and --screen always asks for it; leave one out");
  MS_TRY(check_sieve_runs(o, err));
  if (o->typed_match.walk_length && o->typed_match.walk != MS_WALK_RANDOM)
    return ms_fail(
        err, MS_ERR_USAGE,
        "--walk-length is for --walk random; the pattern decides how long an Euler tour is");
  return MS_OK;
}

/* Refuses options of bench sieve that belong to a random graph if a file is given, and options that
 * belong to a file if none is given. */
static ms_status check_bench_sieve(const ms_cli_options *o, ms_error *err)
{
  static const char *const random[] = {"vertices", "degree", "slots"};
  for (size_t i = 0; o->operand[0] && i < sizeof random / sizeof *random; i++)
    if (ms_option_given(o, random[i]))
      return ms_fail(err, MS_ERR_USAGE,
                     "option --%s is for a random graph, and %s is a file; leave one out",
                     random[i], o->operand[0]);
  if (!o->operand[0] && (o->colors || ms_motif_is_given(o)))
    return ms_fail(err, MS_ERR_USAGE,
                   "--%s is given without a graph; give GRAPH, or leave it out and sieve a random "
                   "graph",
                   o->colors       ? "colors"
                   : o->motif      ? "motif"
                   : o->motif_file ? "motif-file"
                                   : "motif-from");
  if (o->json && o->bench.csv)
    return ms_fail(err, MS_ERR_USAGE, "--json and --csv are two forms; leave one out");
  if (o->list.screen.backend == MS_BACKEND_CPU && o->list.screen.n_devices > 0)
    return ms_fail(err, MS_ERR_USAGE,
                   "option --devices names GPUs and --backend cpu has none; leave one out");
  return MS_OK;
}

static ms_status check_bench(const ms_cli_options *o, ms_error *err)
{
  bool cuda = o->list.screen.backend == MS_BACKEND_CUDA;
  if (o->command->bit == MS_COMMAND_BENCH_GF2 && cuda && ms_option_given(o, "threads"))
    return ms_fail(err, MS_ERR_USAGE,
                   "option --threads is for --backend cpu; a GPU is measured as a whole");
  if (o->command->bit == MS_COMMAND_BENCH_GF2 && !cuda && ms_option_given(o, "device"))
    return ms_fail(err, MS_ERR_USAGE,
                   "option --device is for --backend cuda; also give --backend cuda, or leave "
                   "--device out");
  return o->command->bit == MS_COMMAND_BENCH_SIEVE ? check_bench_sieve(o, err) : MS_OK;
}

/* Refuses GPUs beside --engine cpu, unless the sieve is asked for, which runs on them. */
static ms_status check_devices(const ms_cli_options *o, ms_error *err)
{
  bool list = o->command->bit & (MS_COMMAND_LIST | MS_COMMAND_CENSUS);
  const char *engine = list                                  ? o->list.engine
                       : o->command->bit == MS_COMMAND_MATCH ? o->pattern.engine
                                                             : NULL;
  if (!engine || strcmp(engine, "cpu") != 0 || o->list.screen.n_devices == 0 ||
      o->list.screen.backend == MS_BACKEND_CUDA ||
      (ms_option_given(o, "screen") && o->pattern.screen == MS_SCREEN_ALWAYS))
    return MS_OK;
  return ms_fail(err, MS_ERR_USAGE,
                 "option --devices names GPUs and --engine cpu uses none; leave one out");
}

/* Checks that the aliases that should be labels are given. */
static ms_status check_labels(const ms_cli_options *o, ms_error *err)
{
  if (!o->labels || (o->command->bit & (MS_COMMAND_VERIFY | MS_COMMAND_REPORT)) ||
      strcmp(o->labels, "alias") != 0)
    return MS_OK;
  if (!o->aliases)
    return ms_fail(err, MS_ERR_USAGE,
                   "--labels alias takes labels from the file of --alias; also give --alias FILE, "
                   "or give --labels ./alias for a file of that name");
  return strcmp(o->aliases, "-") == 0
             ? ms_fail(err, MS_ERR_USAGE,
                       "--labels alias reads the alias file again, which standard input does not "
                       "allow; give --alias FILE")
             : MS_OK;
}

/* ---- files ------------------------------------------------------------------------ */

/* True if the path, which may be NULL, stands for standard input or output. */
static bool is_standard(const char *path)
{
  return path && strcmp(path, "-") == 0;
}

/* Returns the i-th operand if it is or may be the path of an input, else NULL. */
static const char *operand_path(const ms_cli_options *o, int i)
{
  const char *name = o->command->operands[i];
  bool is_path = name && (strcmp(name, "GRAPH") == 0 || strcmp(name, "RESULT") == 0 ||
                          strcmp(name, "PATTERN") == 0 || strcmp(name, "POINTS") == 0 ||
                          strcmp(name, "SHEET") == 0);
  return is_path ? o->operand[i] : NULL;
}

static ms_status check_standard_input(const ms_cli_options *o, ms_error *err)
{
  int inputs = 0;
  for (int i = 0; i < 3; i++)
    inputs += is_standard(operand_path(o, i));
  for (size_t r = 0; r < ms_option_row_count; r++)
    if (ms_option_row_given(o, r) && ms_option_rows[r].file == MS_FILE_READ)
      inputs += is_standard(ms_option_text(&ms_option_rows[r], o));
  return inputs > 1
             ? ms_fail(err, MS_ERR_USAGE, "only one input can come from standard input ('-')")
             : MS_OK;
}

/* Finds the facts of a file; "-" is the stream. */
static bool find_file(const char *path, int stream, struct stat *facts)
{
  return is_standard(path) ? fstat(stream, facts) == 0 : stat(path, facts) == 0;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Finds the folder of a file that does not exist yet, and the file's name there. */
static bool find_folder(const char *path, struct stat *folder, char *name)
{
  char copy[PATH_MAX];
  if (strlen(path) >= sizeof copy)
    return false;
  strcpy(copy, path);
  strcpy(name, basename(copy));
  strcpy(copy, path);
  return stat(dirname(copy), folder) == 0;
}

/* True if the two outputs would replace each other, or mix.  Any number of outputs may go to a
 * device or a named pipe. */
static bool same_place(const char *a, const char *b)
{
  struct stat facts_a, facts_b;
  char name_a[PATH_MAX], name_b[PATH_MAX];
  bool there_a = find_file(a, STDOUT_FILENO, &facts_a),
       there_b = find_file(b, STDOUT_FILENO, &facts_b);
  if (there_a != there_b)
    return false;
  if (there_a)
    return same_file(&facts_a, &facts_b) &&
           (S_ISREG(facts_a.st_mode) || (is_standard(a) && is_standard(b)));
  return find_folder(a, &facts_a, name_a) && find_folder(b, &facts_b, name_b) &&
         same_file(&facts_a, &facts_b) && strcmp(name_a, name_b) == 0;
}

/* True if the output would replace the input.  A pipe or a terminal may well be both. */
static bool replaces(const char *output, const char *input)
{
  struct stat written, read;
  return find_file(output, STDOUT_FILENO, &written) && find_file(input, STDIN_FILENO, &read) &&
         S_ISREG(written.st_mode) && same_file(&written, &read);
}

/* Returns the path of row r if the command writes there, else NULL; "-" is standard output, where
 * --output goes if it is not given. */
static const char *output_at(const ms_cli_options *o, size_t r)
{
  const ms_option_row *row = &ms_option_rows[r];
  if (row->file < MS_FILE_WRITTEN || !(row->commands & o->command->bit))
    return NULL;
  if (ms_option_row_given(o, r))
    return ms_option_text(row, o);
  return row->offset == offsetof(ms_cli_options, output) ? "-" : NULL;
}

static ms_status refuse_input(const char *option, const char *output, const char *input,
                              ms_error *err)
{
  return ms_fail(err, MS_ERR_USAGE, "--%s '%s' is the input '%s'; give it another name", option,
                 is_standard(output) ? "standard output" : output,
                 is_standard(input) ? "standard input" : input);
}

static ms_status check_inputs(const ms_cli_options *o, const char *option, const char *output,
                              ms_error *err)
{
  for (size_t r = 0; r < ms_option_row_count + 2; r++) {
    const char *input = NULL;
    if (r >= ms_option_row_count)
      input = operand_path(o, (int)(r - ms_option_row_count));
    else if (ms_option_row_given(o, r) && ms_option_rows[r].file == MS_FILE_READ)
      input = ms_option_text(&ms_option_rows[r], o);
    if (input && replaces(output, input))
      return refuse_input(option, output, input, err);
  }
  return MS_OK;
}

ms_status ms_options_check_input(const ms_cli_options *o, const char *input, ms_error *err)
{
  for (size_t r = 0; r < ms_option_row_count; r++)
    if (output_at(o, r) && replaces(output_at(o, r), input))
      return refuse_input(ms_option_rows[r].name, output_at(o, r), input, err);
  return MS_OK;
}

/* Refuses an output that would replace the rows beside a checkpoint, or mix with them. */
static ms_status check_saved_rows(const ms_cli_options *o, ms_error *err)
{
  ms_status status = MS_OK;
  bool has_rows = o->command->bit & (MS_COMMAND_LIST | MS_COMMAND_MATCH) || o->census.per_vertex;
  if (!o->division.checkpoint || !has_rows)
    return MS_OK;
  char *rows = ms_spool_path(o->division.checkpoint);
  if (!rows)
    return ms_fail_memory(err, "a path");
  for (size_t r = 0; r < ms_option_row_count && status == MS_OK; r++)
    if (output_at(o, r) && same_place(output_at(o, r), rows))
      status = ms_fail(err, MS_ERR_USAGE,
                       "--%s is the place of the rows of --checkpoint, '%s'; give it another name",
                       ms_option_rows[r].name, rows);
  ms_free(rows);
  return status;
}

static ms_status check_places(const ms_cli_options *o, ms_error *err)
{
  for (size_t a = 0; a < ms_option_row_count; a++) {
    const char *output = output_at(o, a);
    if (!output)
      continue;
    MS_TRY(check_inputs(o, ms_option_rows[a].name, output, err));
    for (size_t b = 0; b < a; b++)
      if (output_at(o, b) && same_place(output, output_at(o, b)))
        return ms_fail(err, MS_ERR_USAGE,
                       "--%s and --%s go to the same place; give them different files",
                       ms_option_rows[a].name, ms_option_rows[b].name);
  }
  return check_saved_rows(o, err);
}

ms_status ms_find_output_format(const ms_cli_options *o, ms_graph_format *to, ms_error *err)
{
  *to = o->to;
  if (o->to != MS_FORMAT_AUTO)
    return MS_OK;
  if (!o->output || strcmp(o->output, "-") == 0)
    return ms_fail(
        err, MS_ERR_USAGE,
        "no format to write: give --to NAME, or -o FILE with the ending of a format; see "
        "--list-formats");
  size_t length = strlen(o->output);
  if (length > 3 && strcmp(o->output + length - 3, ".gz") == 0)
    length -= 3;
  else if (length > 4 && strcmp(o->output + length - 4, ".zst") == 0)
    length -= 4;
  for (int f = MS_FORMAT_AUTO + 1; f < MS_GRAPH_FORMATS; f++) {
    ms_graph_format_info info = ms_graph_format_describe((ms_graph_format)f);
    size_t suffix = strlen(info.suffix);
    if (info.writable && length > suffix &&
        memcmp(o->output + length - suffix, info.suffix, suffix) == 0) {
      *to = (ms_graph_format)f;
      return MS_OK;
    }
  }
  return ms_fail(err, MS_ERR_USAGE,
                 "the ending of '%s' names no format; give --to NAME (see --list-formats)",
                 o->output);
}

ms_status ms_check_kept_scores(const ms_cli_options *o, ms_graph_format to, ms_error *err)
{
  ms_graph_format_info info = ms_graph_format_describe(to);
  if (!o->graph.keep_scores || info.holds_scores)
    return MS_OK;
  return ms_fail(err, MS_ERR_USAGE,
                 "--scores keeps the scores of edges, and %s holds none; write a binary file or an "
                 "edge list, or leave it out",
                 info.name);
}

/* ---- all checks --------------------------------------------------------------------- */

ms_status ms_options_check(const ms_cli_options *o, ms_error *err)
{
  MS_TRY(check_query(o, err));
  MS_TRY(check_rules(o, err));
  if (o->colors && o->coloring.format == MS_COLORS_GRAPH)
    return ms_fail(err, MS_ERR_USAGE,
                   "--colors and --color-format graph do not go together; leave one out");
  if (o->pattern.binary && (!o->output || strcmp(o->output, "-") == 0) && isatty(STDOUT_FILENO))
    return ms_fail(err, MS_ERR_USAGE,
                   "a terminal cannot show what --binary writes; also give --output FILE");
  MS_TRY(check_match(o, err));
  if (ms_motif_significance_is_wanted(o))
    MS_TRY(ms_motif_significance_check(o, err));
  MS_TRY(check_nearest_list(o, err));
  MS_TRY(check_substitutes(o, err));
  MS_TRY(check_measured_screen(o, err));
  MS_TRY(ms_gen_check(o, err));
  MS_TRY(check_bench(o, err));
  MS_TRY(check_devices(o, err));
  MS_TRY(check_labels(o, err));
  MS_TRY(check_standard_input(o, err));
  return check_places(o, err);
}
