/* The rules for which options go together where their names decide: rows of a table.  Rules where
 * values decide are in option_checks.c. */
#include "base/status.h"
#include "cli/cli.h"
#include "cli/options/option_table.h"

#include <string.h>

#define SEARCH (MS_COMMAND_SCREEN | MS_COMMAND_LIST)
#define MATCH MS_COMMAND_MATCH
#define GEN MS_COMMAND_GEN
#define NEIGHBORS MS_COMMAND_NEIGHBORS
#define ANY (~0u)

/* Applies where `option` is given, `with` is given (NULL: in any case) and none of `without` is
 * (NULL: in any case); the first row that applies refuses the command line, unless the option is
 * useless. */
typedef struct rule {
  unsigned commands;
  const char *option, *with, *without[3];
  const char *message; /* follows the option's name; NULL: the message is "and --with do not go
                          together", or says that the first of `without` is needed */
  bool useless;        /* the option changes nothing: a warning says so, and it is left out */
} rule;

#define FOR_EXACT "is for exact matches; leave it out, or leave out --inexact"

#define WITHOUT_SIEVE                                                                              \
  "is for the sieve, and --participation counts without it; leave it out, or give --screen always"

#define OF_VERTICES "writes a table of vertices, and a drawing shows matches; leave one out"
#define FOR_ROWS "is for rows, and the table of --motifs has none; also give --rows FILE"
#define NEAR_DRAWN "writes a table; a drawing shows exact matches, so leave one out"
#define FROM_SEARCH                                                                                \
  "is for the sieve and for engines, and this choice from all matches needs neither"
#define OF_NEAREST                                                                                 \
  "and --all do not go together: the costs are those of vertices in near matches; leave out --all"
#define NOT_DRAWN "writes a table; draw one motif, with --motif"

static const rule rules[] = {
    {ANY, "quiet", .with = "verbose"},
    {ANY, "header", .with = "no-header"},
    {ANY, "recount", .with = "no-recount"},
    {ANY, "resume", .without = {"checkpoint"}},
    {ANY, "checkpoint-seconds", .without = {"checkpoint"}, .useless = true},
    {ANY, "paranoid", .with = "motifs"},
    {ANY, "paranoid", .with = "per-vertex"},
    {ANY, "paranoid", .with = "permutations"},
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
    {ANY, "binary", .with = "count", .useless = true},
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
    {MS_COMMAND_COMPARE, "vertex-column", .without = {"metadata"}, .useless = true},
    {MS_COMMAND_COMPARE, "below", .with = "metadata",
     .message = "is for the files that a sheet names; leave it out, or leave out --metadata"},
    {SEARCH, "motifs", .with = "motif-from"},
    {SEARCH, "motifs", .with = "motif"},
    {SEARCH, "motifs", .with = "motif-file"},
    {SEARCH, "motifs", .with = "require"},
    {SEARCH, "motifs", .with = "cx2", .message = NOT_DRAWN},
    {SEARCH, "motifs", .with = "dot", .message = NOT_DRAWN},
    {SEARCH, "motifs", .with = "svg", .message = NOT_DRAWN},
    {SEARCH, "rows", .without = {"motifs"}},
    {SEARCH, "times", .without = {"motifs"}, .useless = true},
    {SEARCH, "motif-timeout", .without = {"motifs"}},
    {SEARCH, "count", .with = "rows"},
    {SEARCH, "count", .with = "motifs", .without = {"rows"},
     .message = "adds nothing to --motifs, whose table has the number of matches; leave it out",
     .useless = true},
    {SEARCH, "all", .with = "motifs", .without = {"rows"}, .message = FOR_ROWS, .useless = true},
    {SEARCH, "all-colors", .with = "motifs", .without = {"rows"}, .message = FOR_ROWS,
     .useless = true},
    {SEARCH, "labels", .with = "motifs", .without = {"rows"}, .message = FOR_ROWS, .useless = true},
    {SEARCH, "roles", .with = "motifs", .without = {"rows"}, .message = FOR_ROWS, .useless = true},
    {SEARCH, "long", .with = "motifs", .without = {"rows"}, .message = FOR_ROWS, .useless = true},
    {SEARCH, "wide", .with = "motifs", .without = {"rows"}, .message = FOR_ROWS, .useless = true},

    {MS_COMMAND_MATCH, "per-vertex", .without = {"count"}},
    {MS_COMMAND_MATCH, "per-vertex", .with = "json"},
    {MS_COMMAND_LIST, "wide", .with = "long"},
    {MS_COMMAND_LIST, "wide", .with = "motifs"},
    {MS_COMMAND_LIST, "wide", .with = "count", .useless = true},
    {MS_COMMAND_LIST, "wide", .with = "participation", .useless = true},
    {MS_COMMAND_LIST, "wide", .with = "cx2", .useless = true},
    {MS_COMMAND_LIST, "wide", .with = "dot", .useless = true},
    {MS_COMMAND_LIST, "wide", .with = "svg", .useless = true},
    {MS_COMMAND_LIST, "wide", .with = "json", .useless = true,
     .message = "is for TSV; with --json, --roles says which slot each vertex fills"},
    {MS_COMMAND_LIST, "roles", .with = "wide", .useless = true,
     .message = "adds nothing to --wide, whose columns are the slots"},
    {MS_COMMAND_CENSUS, "wide", .without = {"shapes"}},
    {MS_COMMAND_CENSUS, "wide", .without = {"per-vertex"}},
    {MS_COMMAND_CENSUS, "wide", .with = "json", .message = "is for TSV; leave it out",
     .useless = true},
    {MS_COMMAND_CENSUS, "non-induced", .with = "per-vertex"},
    {MS_COMMAND_CENSUS, "shapes", .with = "significance"},
    {MS_COMMAND_CENSUS, "non-induced", .without = {"shapes"}, .useless = true},
    {MS_COMMAND_CENSUS, "directed", .without = {"shapes"}, .useless = true},
    {MS_COMMAND_CENSUS, "significance", .with = "per-vertex"},
    {MS_COMMAND_CENSUS, "min-expected", .without = {"significance"}, .useless = true},
    {MS_COMMAND_CENSUS, "moments", .without = {"significance"}, .useless = true},
    {MS_COMMAND_CENSUS, "moment-samples", .without = {"significance"}, .useless = true},
    {MS_COMMAND_CENSUS, "permutations", .with = "per-vertex"},
    {MS_COMMAND_LIST | MS_COMMAND_CENSUS, "null", .without = {"permutations"}, .useless = true},
    {MS_COMMAND_LIST | MS_COMMAND_CENSUS, "strata", .without = {"permutations"}, .useless = true},
    {MS_COMMAND_SCREEN, "null", .without = {"permutations", "significance"}, .useless = true},
    {MS_COMMAND_SCREEN, "strata", .without = {"permutations", "significance"}, .useless = true},
    {MS_COMMAND_LIST, "statistic", .without = {"significance", "permutations"}, .useless = true},
    {MS_COMMAND_CENSUS, "max-t", .without = {"permutations"}, .useless = true},
    {MS_COMMAND_CENSUS, "sort", .with = "per-vertex"},
    {MS_COMMAND_CENSUS, "seed", .without = {"permutations", "significance"}, .useless = true},
    {MS_COMMAND_SCREEN, "nearest", .with = "motifs"},
    {MS_COMMAND_SCREEN, "max-missing", .with = "motifs"},
    {MS_COMMAND_SCREEN, "max-extra", .with = "motifs"},
    {MS_COMMAND_SCREEN, "substitute", .with = "motifs"},
    {MS_COMMAND_SCREEN, "substitute", .with = "all", .message = OF_NEAREST},
    {MS_COMMAND_SCREEN, "substitute", .with = "profile"},
    {MS_COMMAND_SCREEN, "substitute", .with = "cx2", .message = NEAR_DRAWN},
    {MS_COMMAND_SCREEN, "substitute", .with = "dot", .message = NEAR_DRAWN},
    {MS_COMMAND_SCREEN, "substitute", .with = "svg", .message = NEAR_DRAWN},
    {SEARCH, "max-cost", .without = {"substitute"}, .useless = true},
    {MS_COMMAND_SCREEN, "nearest", .with = "all", .message = OF_NEAREST},
    {MS_COMMAND_SCREEN, "max-missing", .with = "all", .message = OF_NEAREST},
    {MS_COMMAND_SCREEN, "max-extra", .with = "all", .message = OF_NEAREST},
    {MS_COMMAND_SCREEN, "nearest", .with = "cx2", .message = NEAR_DRAWN},
    {MS_COMMAND_SCREEN, "nearest", .with = "dot", .message = NEAR_DRAWN},
    {MS_COMMAND_SCREEN, "nearest", .with = "svg", .message = NEAR_DRAWN},
    {MS_COMMAND_SCREEN, "max-missing", .with = "cx2", .message = NEAR_DRAWN},
    {MS_COMMAND_SCREEN, "max-missing", .with = "dot", .message = NEAR_DRAWN},
    {MS_COMMAND_SCREEN, "max-missing", .with = "svg", .message = NEAR_DRAWN},
    {MS_COMMAND_SCREEN, "max-extra", .with = "cx2", .message = NEAR_DRAWN},
    {MS_COMMAND_SCREEN, "max-extra", .with = "dot", .message = NEAR_DRAWN},
    {MS_COMMAND_SCREEN, "max-extra", .with = "svg", .message = NEAR_DRAWN},
    {MS_COMMAND_SCREEN, "repetitions", .with = "profile", .useless = true},
    {MS_COMMAND_SCREEN, "recurrence", .with = "profile", .useless = true},
    {MS_COMMAND_SCREEN, "backend", .with = "profile", .useless = true},
    {MS_COMMAND_SCREEN, "devices", .with = "profile", .useless = true},
    {MS_COMMAND_SCREEN, "seed", .with = "profile", .useless = true},
    {MS_COMMAND_SCREEN, "no-prune", .with = "profile", .useless = true},
    {MS_COMMAND_SCREEN, "error", .with = "profile", .useless = true},
    {MS_COMMAND_SCREEN, "profile", .with = "motifs"},
    {MS_COMMAND_SCREEN, "profile", .with = "nearest"},
    {MS_COMMAND_SCREEN, "profile", .with = "max-missing"},
    {MS_COMMAND_SCREEN, "profile", .with = "max-extra"},
    {MS_COMMAND_SCREEN, "profile", .with = "cx2", .message = "is for tables; leave it out",
     .useless = true},
    {MS_COMMAND_SCREEN, "profile", .with = "dot", .message = "is for tables; leave it out",
     .useless = true},
    {MS_COMMAND_SCREEN, "profile", .with = "svg", .message = "is for tables; leave it out",
     .useless = true},
    {MS_COMMAND_SCREEN, "vertex-scores", .with = "motifs"},
    {MS_COMMAND_SCREEN, "vertex-scores", .with = "nearest"},
    {MS_COMMAND_SCREEN, "vertex-scores", .with = "max-missing"},
    {MS_COMMAND_SCREEN, "vertex-scores", .with = "max-extra"},
    {MS_COMMAND_SCREEN, "vertex-scores", .with = "cx2", .message = "is for tables; leave it out",
     .useless = true},
    {MS_COMMAND_SCREEN, "vertex-scores", .with = "dot", .message = "is for tables; leave it out",
     .useless = true},
    {MS_COMMAND_SCREEN, "vertex-scores", .with = "svg", .message = "is for tables; leave it out",
     .useless = true},
    {MS_COMMAND_SCREEN, "all-sums", .without = {"vertex-scores"}, .useless = true},
    {MS_COMMAND_LIST | MATCH, "participation", .with = "count"},
    {MS_COMMAND_LIST | MATCH, "participation", .with = "limit"},
    {MS_COMMAND_LIST, "participation", .with = "motifs"},
    {MS_COMMAND_LIST, "participation", .with = "roles",
     .message = "counts the matches of a vertex in all roles, so leave out --roles; or write a row "
                "for each vertex of each match, with its role, by --long --roles"},
    {MS_COMMAND_LIST | MATCH, "long", .with = "participation", .useless = true},
    {MS_COMMAND_LIST | MATCH, "participation", .with = "cx2", .message = OF_VERTICES},
    {MS_COMMAND_LIST | MATCH, "participation", .with = "dot", .message = OF_VERTICES},
    {MS_COMMAND_LIST | MATCH, "participation", .with = "svg", .message = OF_VERTICES},
    {MATCH, "participation", .with = "binary"},
    {MATCH, "error", .with = "participation", .without = {"screen"}, .message = WITHOUT_SIEVE,
     .useless = true},
    {MATCH, "seed", .with = "participation", .without = {"screen"}, .message = WITHOUT_SIEVE,
     .useless = true},
    {MATCH, "repetitions", .with = "participation", .without = {"screen"}, .message = WITHOUT_SIEVE,
     .useless = true},
    {MATCH, "recurrence", .with = "participation", .without = {"screen"}, .message = WITHOUT_SIEVE,
     .useless = true},
    {MATCH, "backend", .with = "participation", .without = {"screen"}, .message = WITHOUT_SIEVE,
     .useless = true},
    {MATCH, "participation", .with = "inexact", .message = FOR_EXACT},
    {MATCH, "roles", .without = {"participation"},
     .message =
         "is for --participation; in rows of matches, the columns are the vertices of the pattern",
     .useless = true},
    {MS_COMMAND_LIST | MATCH, "sample", .with = "count", .useless = true},
    {MS_COMMAND_LIST | MATCH, "sample", .with = "limit"},
    {MS_COMMAND_LIST | MATCH, "sample", .with = "participation"},
    {MS_COMMAND_LIST, "sample", .with = "motifs"},
    {MATCH, "sample", .with = "sort"},
    {MS_COMMAND_LIST, "sample", .with = "top"},
    {MS_COMMAND_LIST, "diverse", .with = "top"},
    {MS_COMMAND_LIST, "sample", .with = "min-density"},
    {MS_COMMAND_LIST, "sample", .with = "min-mean-score"},
    {MS_COMMAND_LIST, "diverse", .with = "min-density"},
    {MS_COMMAND_LIST, "diverse", .with = "min-mean-score"},
    {MS_COMMAND_LIST, "diverse", .with = "sample"},
    {MS_COMMAND_LIST, "diverse", .with = "participation"},
    {MS_COMMAND_LIST, "diverse", .with = "motifs"},
    {MS_COMMAND_LIST, "seed", .with = "diverse", .useless = true},
    {MS_COMMAND_LIST, "devices", .with = "diverse", .message = FROM_SEARCH, .useless = true},
    {MS_COMMAND_LIST, "devices", .with = "sample", .message = FROM_SEARCH, .useless = true},
    {MS_COMMAND_LIST, "families", .with = "sample"},
    {MS_COMMAND_LIST, "families", .with = "diverse"},
    {MS_COMMAND_LIST, "families", .with = "participation"},
    {MS_COMMAND_LIST, "families", .with = "motifs"},
    {MS_COMMAND_LIST, "families", .with = "top",
     .message = "groups all matches, and --top leaves some out; give --limit for the first "
                "families"},
    {MS_COMMAND_LIST, "seed", .with = "families", .useless = true},
    {MS_COMMAND_LIST, "devices", .with = "families", .message = FROM_SEARCH, .useless = true},
    {MS_COMMAND_LIST | MATCH, "vertex-scores", .with = "count", .useless = true},
    {MS_COMMAND_LIST | MATCH, "vertex-scores", .with = "participation", .useless = true},
    {MS_COMMAND_LIST, "vertex-scores", .with = "motifs"},
    {MS_COMMAND_LIST | MATCH, "vertex-scores", .with = "cx2", .without = {"sort"},
     .message = "is for tables, and for --sort vertex-score; leave it out", .useless = true},
    {MS_COMMAND_LIST | MATCH, "vertex-scores", .with = "dot", .without = {"sort"},
     .message = "is for tables, and for --sort vertex-score; leave it out", .useless = true},
    {MS_COMMAND_LIST | MATCH, "vertex-scores", .with = "svg", .without = {"sort"},
     .message = "is for tables, and for --sort vertex-score; leave it out", .useless = true},
    {MS_COMMAND_LIST | MATCH, "sort", .with = "count", .useless = true},
    {MS_COMMAND_LIST | MATCH, "sort", .with = "participation", .without = {"top"}, .useless = true},
    {MS_COMMAND_LIST | MATCH, "top", .with = "participation",
     .message = "chooses matches, and --participation counts all of them; leave out --top, or draw "
                "the chosen ones by --cx2, which counts them at each vertex"},
    {MS_COMMAND_LIST, "sort", .with = "motifs"},
    {MS_COMMAND_LIST, "min-density", .with = "participation"},
    {MS_COMMAND_LIST, "min-density", .with = "motifs"},
    {MS_COMMAND_LIST, "min-mean-score", .with = "participation"},
    {MS_COMMAND_LIST, "min-mean-score", .with = "motifs"},
    {MS_COMMAND_LIST | MATCH, "density", .with = "count", .useless = true},
    {MS_COMMAND_LIST | MATCH, "density", .with = "participation", .useless = true},
    {MS_COMMAND_LIST | MATCH, "scores", .with = "count", .useless = true},
    {MS_COMMAND_LIST | MATCH, "scores", .with = "participation", .useless = true},
    {MS_COMMAND_LIST | MATCH, "top", .without = {"sort"}},

    {MS_COMMAND_LIST | MATCH, "density", .with = "cx2", .message = "is for tables; leave it out",
     .useless = true},
    {MS_COMMAND_LIST | MATCH, "density", .with = "dot", .message = "is for tables; leave it out",
     .useless = true},
    {MS_COMMAND_LIST | MATCH, "density", .with = "svg", .message = "is for tables; leave it out",
     .useless = true},
    {MS_COMMAND_LIST | MATCH, "scores", .with = "dot", .without = {"sort", "min-mean-score"},
     .message = "is for tables; leave it out", .useless = true},
    {MS_COMMAND_LIST | MATCH, "scores", .with = "svg", .without = {"sort", "min-mean-score"},
     .message = "is for tables; leave it out", .useless = true},
    {MS_COMMAND_LIST, "density", .with = "motifs", .without = {"rows"}, .message = FOR_ROWS,
     .useless = true},
    {MS_COMMAND_LIST, "scores", .with = "motifs", .without = {"rows"}, .message = FOR_ROWS,
     .useless = true},
    {MS_COMMAND_LIST | MATCH, "all", .without = {"participation"}, .useless = true},
    {MS_COMMAND_LIST | MATCH, "all-colors", .without = {"participation"}, .useless = true},
    {SEARCH | MATCH, "roles", .with = "count", .useless = true},
    {SEARCH | MATCH, "roles", .with = "cx2", .message = "is for tables; a drawing shows the roles",
     .useless = true},
    {SEARCH | MATCH, "roles", .with = "dot", .message = "is for tables; a drawing shows the roles",
     .useless = true},
    {SEARCH | MATCH, "roles", .with = "svg", .message = "is for tables; a drawing shows the roles",
     .useless = true},
    {SEARCH | MATCH, "long", .with = "json",
     .message = "is for TSV; with --json a match is one object, to which --labels and --roles add",
     .useless = true},
    {SEARCH | MATCH, "long", .with = "binary", .message = "is for TSV; --binary writes numbers",
     .useless = true},
    {SEARCH | MATCH, "long", .with = "count", .useless = true},
    {SEARCH | MATCH, "long", .with = "cx2", .useless = true},
    {SEARCH | MATCH, "long", .with = "dot", .useless = true},
    {SEARCH | MATCH, "long", .with = "svg", .useless = true},
    {SEARCH | MATCH, "labels", .with = "binary", .message = "is for text; --binary writes numbers",
     .useless = true},
    {SEARCH | MATCH, "labels", .with = "count", .useless = true},
    {SEARCH, "all-colors", .with = "cx2", .message = "is for tables; a drawing has all colours",
     .useless = true},
    {SEARCH, "all-colors", .with = "dot", .message = "is for tables; leave it out",
     .useless = true},
    {SEARCH, "all-colors", .with = "svg", .message = "is for tables; leave it out",
     .useless = true},

    {MATCH, "patterns", .without = {"count", "permutations"}},
    {MATCH, "count", .with = "permutations",
     .message = "has no effect on the table that --permutations writes, which has exact counts; "
                "leave it out",
     .useless = true},
    {MATCH, "part", .with = "patterns", .without = {"permutations"},
     .message = "divides permutations, and --patterns counts without them; give --permutations, or "
                "count the patterns one by one"},
    {MATCH, "checkpoint", .with = "patterns", .without = {"permutations"},
     .message = "saves permutations, and --patterns counts without them; give --permutations, or "
                "count the patterns one by one"},
    {MATCH, "paranoid", .with = "patterns"},
    {MATCH, "null", .without = {"permutations"}, .useless = true},
    {MATCH, "strata", .without = {"permutations"}, .useless = true},
    {MATCH, "max-t", .without = {"permutations"}, .useless = true},

    {MATCH, "exact", .with = "inexact"},
    {MATCH, "count", .with = "inexact",
     .message = "is for exact matches; with --inexact, --best N is the number of maps to find"},
    {MATCH, "limit", .with = "inexact",
     .message = "is for exact matches; with --inexact, --best N is the number of maps to find"},
    {MATCH, "induced", .with = "inexact", .message = FOR_EXACT},
    {MATCH, "engine", .with = "inexact", .message = FOR_EXACT, .useless = true},
    {MATCH, "require", .with = "inexact", .message = FOR_EXACT},
    {MATCH, "devices", .with = "inexact", .message = FOR_EXACT, .useless = true},
    {MATCH, "screen", .with = "inexact", .message = FOR_EXACT, .useless = true},
    {MATCH, "error", .with = "inexact", .message = FOR_EXACT, .useless = true},
    {MATCH, "repetitions", .with = "inexact", .message = FOR_EXACT, .useless = true},
    {MATCH, "recurrence", .with = "inexact", .message = FOR_EXACT, .useless = true},
    {MATCH, "backend", .with = "inexact", .message = FOR_EXACT, .useless = true},
    {MATCH, "binary", .with = "inexact", .message = FOR_EXACT},
    {MATCH, "sample", .with = "inexact", .message = FOR_EXACT},
    {MATCH, "density", .with = "binary", .message = "is for text; --binary writes numbers alone",
     .useless = true},
    {MATCH, "scores", .with = "binary", .without = {"sort"},
     .message = "is for text; --binary writes numbers alone", .useless = true},
    {MATCH, "vertex-scores", .with = "binary",
     .message = "is for text; --binary writes numbers alone", .useless = true},
    {MATCH, "best", .without = {"inexact"},
     .message = "is for --inexact; also give --inexact, or give --limit N instead"},

    {MS_COMMAND_COMPONENTS, "count", .with = "sizes"},
    {MS_COMMAND_COMPONENTS, "count", .with = "largest"},
    {MS_COMMAND_COMPONENTS, "largest", .with = "min-size"},

    {NEIGHBORS, "delaunay", .with = "knn"},
    {NEIGHBORS, "mutual", .with = "delaunay", .useless = true},
    {GEN, "uniform-colors", .with = "planted"},
    {GEN, "uniform-colors", .with = "colors"},
    {GEN, "uniform-colors", .with = "permute-colors"},
    {GEN, "permute-colors", .with = "background"},
    {GEN, "new-names", .without = {"shuffle"}, .useless = true},
    {GEN, "patterns", .without = {"pattern-size"}},
    {GEN, "patterns", .without = {"patterns-out"}},
    {GEN, "patterns-out", .without = {"patterns"}},
    {GEN, "pattern-size", .without = {"patterns"}, .useless = true},
    {GEN, "pattern-edges", .without = {"patterns"}, .useless = true},
    {GEN, "pattern-format", .without = {"patterns"}, .useless = true},
    {GEN, "dense", .without = {"patterns"}, .useless = true},
    {GEN, "sparse", .without = {"patterns"}, .useless = true},
    {GEN, "dense", .with = "sparse"},
    {GEN, "edge-types", .with = "directed"},
    {GEN, "edge-types", .with = "scores"},
    {GEN, "plants", .without = {"planted"}},
    {GEN, "background", .without = {"planted"}, .useless = true},
    {GEN, "planted-out", .without = {"planted"}},

    {SEARCH | MATCH, "json", .with = "cx2"},
    {SEARCH | MATCH, "json", .with = "dot"},
    {SEARCH | MATCH, "json", .with = "svg"},
    {SEARCH | MATCH, "cx2", .with = "dot"},
    {SEARCH | MATCH, "cx2", .with = "svg"},
    {SEARCH | MATCH, "dot", .with = "svg"},
    {SEARCH | MATCH, "svg", .without = {"positions"},
     .message = "needs coordinates; also give --positions POINTS"},
    {SEARCH | MATCH, "positions", .without = {"svg"}, .message = "is for --svg; also give --svg",
     .useless = true},
    {SEARCH | MATCH, "title", .without = {"svg"}, .message = "is for --svg; also give --svg",
     .useless = true},
    {SEARCH | MATCH, "unit", .without = {"svg"}, .message = "is for --svg; also give --svg",
     .useless = true},
    {SEARCH | MATCH | MS_COMMAND_REPORT, "x-column", .without = {"positions"}, .useless = true},
    {SEARCH | MATCH | MS_COMMAND_REPORT, "y-column", .without = {"positions"}, .useless = true},
    {SEARCH | MATCH | MS_COMMAND_REPORT, "z-column", .without = {"positions"}, .useless = true},
    {SEARCH | MATCH | MS_COMMAND_REPORT, "point-column", .without = {"positions"}, .useless = true},
    {SEARCH | MATCH | MS_COMMAND_REPORT, "slide-column", .without = {"positions"}, .useless = true},
    {SEARCH | MATCH, "match", .without = {"cx2", "dot", "svg"},
     .message = "is for drawings; also give --cx2, --dot or --svg"},
    {SEARCH | MATCH, "whole-graph", .without = {"cx2", "dot", "svg"},
     .message = "is for drawings; also give --cx2, --dot or --svg", .useless = true},
    {SEARCH | MATCH, "count", .with = "cx2"},
    {SEARCH | MATCH, "count", .with = "dot"},
    {SEARCH | MATCH, "count", .with = "svg"},
    {SEARCH, "all", .with = "cx2",
     .message = "is for tables; with --cx2, --whole-graph draws every vertex", .useless = true},
    {SEARCH, "all", .with = "dot",
     .message = "is for tables; with --dot, --whole-graph draws every vertex", .useless = true},
    {SEARCH, "all", .with = "svg",
     .message = "is for tables; with --svg, --whole-graph draws every vertex", .useless = true},
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

/* Leaves an option out, as if it had not been given. */
static void leave_out(ms_cli_options *o, const ms_cli_options *usual, const char *name)
{
  for (size_t i = 0; i < ms_option_row_count; i++) {
    const ms_option_row *row = &ms_option_rows[i];
    if (!ms_option_row_given(o, i) || strcmp(row->name, name) != 0)
      continue;
    memcpy((char *)o + row->offset, (const char *)usual + row->offset, row->size);
    o->given[i / 64] &= ~(UINT64_C(1) << i % 64);
  }
}

const char *ms_nearest_option(const ms_cli_options *o)
{
  return ms_option_given(o, "nearest")       ? "nearest"
         : ms_option_given(o, "max-missing") ? "max-missing"
         : ms_option_given(o, "max-extra")   ? "max-extra"
         : ms_option_given(o, "substitute")  ? "substitute"
                                             : NULL;
}

/* Returns why no sieve runs, or NULL. */
static const char *sieve_is_omitted(const ms_cli_options *o)
{
  static const char *const choices[] = {"sample", "diverse", "families", "exact"};
  for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
    if (ms_option_given(o, choices[i]))
      return choices[i];
  if (o->command->bit == MS_COMMAND_LIST && ms_nearest_option(o))
    return ms_nearest_option(o);
  return ms_option_given(o, "screen") && o->pattern.screen == MS_SCREEN_NEVER ? "screen never"
                                                                              : NULL;
}

/* Leaves out what is for the sieve, or for engines, where neither runs. */
static void drop_of_sieve(ms_cli_options *o, const ms_cli_options *usual)
{
  static const char *const of_sieve[] = {"error",    "repetitions", "recurrence", "backend",
                                         "no-prune", "seed",        "devices",    "engine"};
  bool near = o->command->bit == MS_COMMAND_LIST && ms_nearest_option(o);
  const char *reason = sieve_is_omitted(o);
  for (size_t i = 0; reason && i < (near ? 8u : 5u); i++)
    if (ms_option_given(o, of_sieve[i])) {
      if (!o->quiet)
        ms_cli_warn("--%s is for the sieve, which --%s omits; it has no effect", of_sieve[i],
                    reason);
      leave_out(o, usual, of_sieve[i]);
    }
}

void ms_options_drop_useless(ms_cli_options *o, const ms_cli_options *usual)
{
  for (const rule *r = rules; r < rules + sizeof rules / sizeof *rules; r++) {
    if (!r->useless || !applies(r, o))
      continue;
    if (!o->quiet && r->message)
      ms_cli_warn("--%s %s", r->option, r->message);
    else if (!o->quiet && r->with)
      ms_cli_warn("--%s has no effect with --%s", r->option, r->with);
    else if (!o->quiet)
      ms_cli_warn("--%s has no effect without --%s", r->option, r->without[0]);
    leave_out(o, usual, r->option);
  }
  drop_of_sieve(o, usual);
}

ms_status ms_options_check_names(const ms_cli_options *o, ms_error *err)
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
