/* Puts the tool's options in place of the parameters that the library's messages name.  The library
 * writes a parameter in backquotes; docs/ARCHITECTURE.md, "Errors". */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

#define MAX_NAME 31

static const struct {
  const char *parameter, *option;
} parameters[] = {
    {"aliases", "--alias"},
    {"points.x_column", "--x-column"},
    {"points.y_column", "--y-column"},
    {"points.slide_column", "--slide-column"},
    {"metadata", "--metadata"},
    {"sample_column", "--sample"},
    {"group_column", "--group"},
    {"block_column", "--block"},
    {"vertex_column", "--vertex-column"},
    {"reference", "--reference"},
    {"rest", "--rest"},
    {"permutations", "--permutations"},
    {"backend", "--backend"},
    {"below", "--below"},
    {"best", "--best"},
    {"recurrence", "--recurrence"},
    {"engine", "--engine"},
    {"error", "--error"},
    {"colors.format", "--color-format"},
    {"colors.separator", "--color-separator"},
    {"color_attribute", "--color-attribute"},
    {"colors.name_column", "--name-column"},
    {"colors.color_column", "--color-column"},
    {"colors.ignore_unknown", "--ignore-unknown"},
    {"colors.obo", "--obo"},
    {"colors.slim", "--slim"},
    {"classes", "--classes"},
    {"colors_path", "--colors"},
    {"cols", "--cols"},
    {"count_only", "--count"},
    {"degree", "--degree"},
    {"devices", "--devices"},
    {"diagonals", "--diagonals"},
    {"directed", "--directed"},
    {"diverse", "--diverse"},
    {"edges", "--edges"},
    {"exact", "--exact"},
    {"exponent", "--exponent"},
    {"families", "--families"},
    {"format", "--format"},
    {"header", "--header"},
    {"k", "--size"},
    {"keep_scores", "--scores"},
    {"keep_taxon", "--keep-taxon"},
    {"labels", "--labels"},
    {"limit", "--limit"},
    {"match", "--match"},
    {"counts", "--counts"},
    {"max_degree", "--max-degree"},
    {"max_cost", "--max-cost"},
    {"max_extra", "--max-extra"},
    {"max_missing", "--max-missing"},
    {"max_t", "--max-t"},
    {"min_count", "--min-count"},
    {"min_expected", "--min-expected"},
    {"moments", "--moments"},
    {"null_kind", "--null"},
    {"memory", "--memory"},
    {"min_degree", "--min-degree"},
    {"min_density", "--min-density"},
    {"min_mean_score", "--min-mean-score"},
    {"min_score", "--min-score"},
    {"method", "--screen"},
    {"motifs", "--motifs"},
    {"names", "--names"},
    {"neighbors.mutual", "--mutual"},
    {"neighbors.nearest", "--knn"},
    {"neighbors.radius", "--radius"},
    {"no_header", "--no-header"},
    {"no_recount", "--no-recount"},
    {"pairs", "--pairs"},
    {"no_verify", "--no-verify"},
    {"node_name_column", "--node-column"},
    {"participation", "--participation"},
    {"by_position", "--roles"},
    {"non_induced", "--non-induced"},
    {"only", "--colors-only"},
    {"pattern", "--pattern"},
    {"pattern_colors", "--pattern-colors"},
    {"permutations", "--permutations"},
    {"primary", "--primary-color"},
    {"profile", "--profile"},
    {"probability", "--probability"},
    {"quadrants", "--quadrants"},
    {"repetitions", "--repetitions"},
    {"removed", "--removed"},
    {"rows", "--rows"},
    {"least", "--min-size"},
    {"rows_path", "--rows"},
    {"samples", "--moment-samples"},
    {"sample", "--sample"},
    {"scale", "--scale"},
    {"seconds", "--motif-timeout"},
    {"slots", "--size"},
    {"scratch", "--scratch"},
    {"score_column", "--score-column"},
    {"combine", "--combine"},
    {"direction_column", "--direction-column"},
    {"shapes", "--shapes"},
    {"wide", "--wide"},
    {"all_shapes", "--shapes"},
    {"sort", "--sort"},
    {"part", "--part"},
    {"parts", "--part"},
    {"checkpoint", "--checkpoint"},
    {"checkpoint_seconds", "--checkpoint-seconds"},
    {"resume", "--resume"},
    {"paranoid", "--paranoid"},
    {"substitutes", "--substitute"},
    {"significance", "--significance"},
    {"top", "--top"},
    {"positions", "--positions"},
    {"source_column", "--source-column"},
    {"stratum", "--strata"},
    {"type_column", "--type-column"},
    {"target_column", "--target-column"},
    {"threads", "--threads"},
    {"typed.nodes", "--nodes"},
    {"typed.relations", "--relations"},
    {"all_sums", "--all-sums"},
    {"vertex_scores", "--vertex-scores"},
    {"vertices", "--vertices"},
    {"MS_BACKEND_CPU", "--backend cpu"},
    {"MS_FORM_BINARY", "--binary"},
    {"MS_FORM_CX2", "--cx2"},
    {"MS_FORM_JSON", "--json"},
    {"MS_FORM_SVG", "--svg"},
    {"MS_METHOD_EXACT", "--screen never"},
    {"MS_METHOD_SIEVE", "--screen always"},
    {"MS_SCREEN_ALWAYS", "--screen always"},
    {"MS_SIBLING", "--recurrence sibling"},
};

const char *ms_cli_option_of(const char *parameter)
{
  for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++)
    if (strcmp(parameter, parameters[i].parameter) == 0)
      return parameters[i].option;
  return NULL;
}

/* Returns the option for the parameter that begins at this backquote, or NULL.  *length receives
 * the bytes that it replaces. */
static const char *find_option(const char *text, size_t *length)
{
  char name[MAX_NAME + 1];
  size_t bytes = strcspn(text + 1, "`");
  if (bytes == 0 || bytes > MAX_NAME || text[bytes + 1] != '`')
    return NULL;
  memcpy(name, text + 1, bytes);
  name[bytes] = '\0';
  *length = bytes + 2;
  return ms_cli_option_of(name);
}

void ms_cli_name_options(const char *text, char *out, size_t room)
{
  size_t used = 0, length = 0;
  while (*text && used + 1 < room) {
    const char *option = *text == '`' ? find_option(text, &length) : NULL;
    if (!option) {
      out[used++] = *text++;
      continue;
    }
    int written = snprintf(out + used, room - used, "%s", option);
    used = (size_t)written < room - used ? used + (size_t)written : room - 1;
    text += length;
  }
  out[used] = '\0';
}
