/* Reads the rows of result files in TSV. */
#include "verify/result.h"

#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static ms_status parse_list(ms_result *r, char *text, ms_error *err)
{
  char *rest = *text ? text : NULL; /* an empty field is an empty list */
  while (rest) {
    char *name = ms_result_take_listed(&rest);
    if (!name)
      return ms_result_refuse(r, r->row.line, "a quoted name is not closed before a comma");
    MS_TRY(ms_result_add_name(r, name, err));
  }
  return MS_OK;
}

/* Takes the name of the motif, with which each row of a section begins, off a line. */
static ms_status take_name(ms_result *r, char **line)
{
  const char *name = r->header.name;
  if (!(r->header.has & MS_HAS_SECTIONS))
    return MS_OK;
  size_t length = strlen(name);
  if (strncmp(*line, name, length) != 0 || (*line)[length] != '\t')
    return ms_result_refuse(r, r->row.line, "the row does not begin with the motif '%.100s'", name);
  *line += length + 1;
  return MS_OK;
}

/* Takes a number that may be negative. */
static bool take_signed(const char **text, double *value)
{
  bool negative = **text == '-';
  *text += negative;
  if (!ms_take_real(text, value))
    return false;
  *value = negative ? -*value : *value;
  return true;
}

/* Parses the score of a vertex, which is empty without a flag. */
static ms_status parse_score(ms_result *r, const char *text)
{
  double score = 0;
  bool ok = r->row.flagged ? take_signed(&text, &score) : true;
  r->row.score = (float)score;
  return ok && !*text
             ? MS_OK
             : ms_result_refuse(r, r->row.line,
                                "the score of a flagged vertex must be a number, and others "
                                "have none");
}

/* Parses the greatest sum of a vertex and, after it, all sums; they are empty without a flag. */
static ms_status parse_vertex_sums(ms_result *r, const char *const *field, ms_error *err)
{
  const char *sum = field[0], *all = r->header.all_sums ? field[1] : "";
  bool flagged = r->row.flagged;
  r->row.n_sums = 0;
  if ((flagged && !ms_take_count(&sum, UINT32_MAX, &r->row.best_sum)) || *sum)
    return ms_result_refuse(r, r->row.line,
                            "the greatest sum of a flagged vertex must be a number, and others "
                            "have none");
  while (flagged && *all) {
    uint64_t next;
    if (!ms_take_count(&all, UINT32_MAX, &next) || (*all && (*all != ',' || !all[1])))
      return ms_result_refuse(r, r->row.line, "the sums of a vertex must be numbers");
    all += *all == ',';
    MS_TRY(ms_result_add_sum(r, next, err));
  }
  return *all ? ms_result_refuse(r, r->row.line, "a vertex that is not flagged has no sums")
              : MS_OK;
}

/* Parses a vertex of a part of a sieve. */
static ms_status parse_sieved(ms_result *r, char *line, ms_error *err)
{
  const char *field[4];
  bool labels = r->header.labels.path;
  if (!ms_result_split(line, field, 3u + labels))
    return ms_result_refuse(r, r->row.line, "the row does not have %u columns", 3u + labels);
  r->row.vertex = line;
  r->row.label = labels ? field[1] : NULL;
  r->row.flagged = false;
  r->row.values = field[2 + labels];
  MS_TRY(ms_result_check_values(r));
  return parse_list(r, line + (field[1 + labels] - line), err);
}

static ms_status parse_vertex(ms_result *r, char *line, ms_error *err)
{
  bool labels = r->header.labels.path, taking = r->header.kind == MS_KIND_PARTICIPATION;
  bool nearest = r->header.kind == MS_KIND_NEAREST;
  const char *field[8];
  bool costs = nearest && r->header.substitutes.path;
  uint32_t sums = r->header.vertex_scores.path ? 1u + r->header.all_sums : 0;
  uint32_t columns = 4u + labels - taking, all = columns + (r->header.profile || costs) + sums;
  uint64_t flagged = 0;
  if (!ms_result_split(line, field, all))
    return ms_result_refuse(r, r->row.line, "the row does not have %u columns", all);
  const char *third = taking ? "1" : field[2 + labels], *fourth = field[columns - 1];
  uint64_t *number = nearest ? &r->row.extra : &r->row.repetitions;
  if (!ms_take_count(&third, nearest ? MS_MAX_K : 1, nearest ? &r->row.missing : &flagged) ||
      *third || !ms_take_count(&fourth, nearest ? MS_MAX_K : UINT64_MAX, number) || *fourth)
    return ms_result_refuse(r, r->row.line,
                            nearest  ? "missing and extra must be numbers of slots and vertices"
                            : taking ? "matches must be a number"
                                     : "flagged must be 0 or 1, repetitions a number");
  r->row.vertex = line;
  r->row.label = labels ? field[1] : NULL;
  r->row.flagged = flagged || nearest;
  if (costs && (!ms_take_count(&field[columns], UINT32_MAX, &r->row.cost) || *field[columns]))
    return ms_result_refuse(r, r->row.line, "the cost must be a number");
  if (r->header.profile)
    MS_TRY(parse_score(r, field[columns]));
  if (sums)
    MS_TRY(parse_vertex_sums(r, field + all - sums, err));
  return parse_list(r, line + (field[1 + labels] - line), err);
}

/* Parses the columns of measures, of which the header has none, two or four. */
static ms_status parse_measures(ms_result *r, const char *const *field)
{
  double value[3] = {0};
  uint64_t edges = 0;
  uint32_t count = 2 * (uint32_t)r->header.measures;
  for (uint32_t i = 0; i < count; i++) {
    const char *text = field[i];
    bool ok = i == 0 ? ms_take_count(&text, UINT32_MAX, &edges) : take_signed(&text, &value[i - 1]);
    if (!ok || *text)
      return ms_result_refuse(r, r->row.line, "'%.40s' is no measure of a match", field[i]);
  }
  r->row.measures = (ms_measures){(uint32_t)edges, value[0], value[1], value[2]};
  return MS_OK;
}

/* Parses the columns of the sum of vertex scores and of the size of the family. */
static ms_status parse_sums(ms_result *r, const char *const *field)
{
  uint64_t *sums[] = {r->header.vertex_scores.path ? &r->row.vertex_score : NULL,
                      r->header.family.share > 0 ? &r->row.family_size : NULL};
  for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
    const char *text = sums[i] ? *field : "";
    if (sums[i] && (!ms_take_count(&text, INT64_MAX, sums[i]) || *text))
      return ms_result_refuse(r, r->row.line, "'%.40s' is no sum of scores or size of a family",
                              *field);
    field += sums[i] != NULL;
  }
  return MS_OK;
}

/* Parses a match of a motif, whose vertices share a column, and so do its labels and its roles. */
static ms_status parse_set(ms_result *r, char *text, ms_error *err)
{
  bool labels = r->header.labels.path, roles = r->header.roles;
  uint32_t lists = 1 + (uint32_t)labels + roles, measures = 2 * (uint32_t)r->header.measures;
  uint32_t sums = (r->header.vertex_scores.path != NULL) + (r->header.family.share > 0);
  const char *field[3 + 4 + 2];
  if (!ms_result_split(text, field, lists + measures + sums))
    return ms_result_refuse(r, r->row.line, "the row does not have %u columns",
                            1 + lists + measures + sums);
  MS_TRY(parse_measures(r, field + lists));
  MS_TRY(parse_sums(r, field + lists + measures));
  MS_TRY(parse_list(r, text, err));
  uint32_t count = r->row.count;
  for (uint32_t i = 1; i < lists; i++)
    MS_TRY(parse_list(r, text + (field[i] - text), err));
  return ms_result_split_names(r, count, labels, roles);
}

/* Parses one of the nearest matches: three numbers, then lists as in a match of a motif. */
static ms_status parse_near(ms_result *r, char *text, ms_error *err)
{
  bool labels = r->header.labels.path;
  uint32_t columns = 4 + (uint32_t)labels;
  uint64_t *const numbers[] = {&r->row.cost, &r->row.missing, &r->row.extra};
  const char *field[5];
  if (!ms_result_split(text, field, columns))
    return ms_result_refuse(r, r->row.line, "the row does not have %u columns", 1 + columns);
  for (uint32_t i = 0; i < 3; i++)
    if (!ms_take_count(&field[i], UINT32_MAX, numbers[i]) || *field[i])
      return ms_result_refuse(r, r->row.line, "cost, missing and extra must be numbers");
  MS_TRY(parse_list(r, text + (field[3] - text), err));
  uint32_t count = r->row.count;
  if (labels)
    MS_TRY(parse_list(r, text + (field[4] - text), err));
  return ms_result_split_names(r, count, labels, false);
}

/* Parses a match of a pattern, each of whose vertices has a column, and perhaps one for its
 * label. */
static ms_status parse_map(ms_result *r, char *text)
{
  uint32_t k = r->header.k, width = r->header.labels.path ? 2 : 1;
  const char *field[2 * MS_MAX_PATTERN];
  if (!ms_result_split(text, field, width * k))
    return ms_result_refuse(r, r->row.line, "the row does not have %u columns", width * k + 1);
  for (uint32_t i = 0; i < k; i++)
    for (uint32_t column = 0; column < width; column++)
      r->row.names[column * k + i] = field[width * i + column];
  r->row.count = width * k;
  return ms_result_split_names(r, k, width == 2, false);
}

static ms_status parse_match(ms_result *r, char *line, ms_error *err)
{
  const char *text = line;
  char *tab = strchr(line, '\t');
  if (!tab || !ms_take_count(&text, UINT64_MAX, &r->row.number) || text != tab)
    return ms_result_refuse(r, r->row.line, "'%.40s' does not begin as a match", line);
  if (r->header.has & MS_HAS_INEXACT) {
    text = tab + 1;
    tab = strchr(tab + 1, '\t');
    if (!tab || !ms_take_count(&text, UINT32_MAX, &r->row.map_score) || text != tab)
      return ms_result_refuse(r, r->row.line, "the score of the map is no number");
  }
  return r->header.kind == MS_KIND_LIST           ? parse_set(r, tab + 1, err)
         : r->header.kind == MS_KIND_NEAREST_LIST ? parse_near(r, tab + 1, err)
                                                  : parse_map(r, tab + 1);
}

/* Parses a vertex of a match that has a row for each vertex: its i-th one. */
static ms_status parse_long_line(ms_result *r, char *line, uint32_t i)
{
  uint32_t k = r->header.k, scores = (r->header.has & MS_HAS_INEXACT) != 0;
  const char *field[5] = {0};
  uint64_t number = 0;
  if (!ms_result_split(line, field, 4 + scores))
    return ms_result_refuse(r, r->row.line, "the row does not have %u columns", 4 + scores);
  const char *text = field[0], *score = field[scores];
  if (!ms_take_count(&text, UINT64_MAX, &number) || *text ||
      (scores && (!ms_take_count(&score, UINT32_MAX, &r->row.map_score) || *score)))
    return ms_result_refuse(r, r->row.line, "'%.40s' does not begin as a match", line);
  if (i > 0 && number != r->row.number)
    return ms_result_refuse(r, r->row.line, "match %llu has %u rows, not %u",
                            (unsigned long long)r->row.number, i, k);
  r->row.number = number;
  for (uint32_t column = 0; column < 3; column++)
    r->row.names[column * k + i] = field[1 + scores + column];
  return MS_OK;
}

/* Parses the rows of a match, the first of which has been read.  They are copied, because reading
 * a row may move the one before it. */
static ms_status parse_long(ms_result *r, char *line, ms_error *err)
{
  uint32_t k = r->header.k;
  uint64_t first = r->row.line;
  size_t used = 0;
  for (uint32_t i = 0; i < k; i++) {
    if (i > 0) {
      MS_TRY(ms_result_take_line(r, &line, err));
      MS_TRY(take_name(r, &line));
    }
    MS_TRY(ms_result_keep_text(r, line, &used, err));
  }
  line = r->match;
  for (uint32_t i = 0; i < k; i++) {
    char *next = line + strlen(line) + 1;
    r->row.line = first + i;
    MS_TRY(parse_long_line(r, line, i));
    line = next;
  }
  r->row.line = first;
  r->row.count = 3 * k;
  return ms_result_split_names(r, k, true, true);
}

/* Parses the statistics of a row, one field each. */
static ms_status parse_statistics(ms_result *r, const char *const *field)
{
  uint32_t count = ms_result_statistics(&r->header);
  r->row.p_by = NULL;
  for (uint32_t i = 0; i < count; i++) {
    const char *at = field[i];
    size_t length;
    r->row.statistic[i] = (double)NAN;
    if (strcmp(at, MS_NO_STATISTIC) == 0)
      continue;
    const char *name = ms_result_statistic(&r->header, i, &length);
    if (ms_result_statistic_is_word(name, length)) {
      MS_TRY(ms_result_take_word(r, at, i));
      continue;
    }
    bool negative = *at == '-';
    at += negative;
    if (!ms_take_real(&at, &r->row.statistic[i]) || *at) {
      return ms_result_refuse(r, r->row.line, "%.*s must be a number or " MS_NO_STATISTIC,
                              (int)length, name);
    }
    if (negative)
      r->row.statistic[i] = -r->row.statistic[i];
  }
  return MS_OK;
}

/* Parses the numbers of the colours of a motif in a part. */
static ms_status parse_color_ids(ms_result *r, const char *text)
{
  uint64_t id, last = 0;
  for (uint32_t i = 0; i < r->header.k; i++, last = id) {
    bool comma = i == 0 || ms_take_word(&text, ",");
    if (!comma || !ms_take_count(&text, UINT32_MAX, &id) || id < last)
      return ms_result_refuse(r, r->row.line, "color_ids must be %u ascending numbers",
                              r->header.k);
    r->row.color_id[i] = (uint32_t)id;
  }
  return *text ? ms_result_refuse(r, r->row.line, "color_ids must be %u ascending numbers",
                                  r->header.k)
               : MS_OK;
}

/* Parses what a part of a census of each vertex has behind the number of sets. */
static ms_status parse_unit(ms_result *r, const char *const *field)
{
  const char *unit = field[0];
  if (!ms_take_count(&unit, INT64_MAX, &r->row.unit) || *unit)
    return ms_result_refuse(r, r->row.line, "unit must be a number");
  r->row.is_cut = *field[1] != '\0';
  return r->row.is_cut ? parse_color_ids(r, field[1]) : MS_OK;
}

/* Parses a motif with the number of its sets: of a vertex, or with their share of all. */
static ms_status parse_count(ms_result *r, char *line)
{
  bool of_vertex = r->header.kind == MS_KIND_VERTEX_CENSUS;
  const char *field[4 + MS_MOST_STATISTICS] = {0};
  uint64_t k = r->header.k;
  bool is_part = r->header.has & MS_HAS_PART, permuted = r->header.has & MS_HAS_PERMUTATIONS;
  uint32_t statistics = ms_result_statistics(&r->header);
  uint32_t columns = (of_vertex ? 3u : 4u) +
                     (is_part ? permuted ? MS_PERMUTED_SUMS : 1u + of_vertex : 0) + statistics;
  if (!ms_result_split(line, field, columns))
    return ms_result_refuse(r, r->row.line, "the row does not have %u columns", columns);
  const char *sets = field[2], *size = of_vertex ? NULL : field[1],
             *share = of_vertex ? NULL : field[3];
  if (!ms_take_count(&sets, INT64_MAX, &r->row.sets) || *sets ||
      (size && (!ms_take_count(&size, MS_MAX_CENSUS, &k) || *size || k != r->header.k)) ||
      (share && (!ms_take_real(&share, &r->row.share) || *share)))
    return ms_result_refuse(r, r->row.line,
                            of_vertex ? "sets must be a number"
                                      : "k must be that of the header, and sets and share numbers");
  r->row.vertex = of_vertex ? field[0] : NULL;
  r->row.motif = field[of_vertex];
  if (is_part && of_vertex)
    return parse_unit(r, field + 3);
  if (is_part && !permuted)
    return parse_color_ids(r, field[4]);
  if (is_part) {
    memcpy(r->row.sum, field + 4 + statistics, sizeof r->row.sum);
    MS_TRY(ms_result_check_sums(r));
  }
  return of_vertex ? MS_OK : parse_statistics(r, field + 4);
}

/* Parses numbers of a comparison; NA stands for one that is missing. */
static bool take_numbers(ms_result *r, const char *const *field, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    const char *text = field[i];
    r->row.compared[i] = NAN;
    if (strcmp(text, "NA") != 0 && (!take_signed(&text, &r->row.compared[i]) || *text))
      return false;
  }
  return true;
}

/* Parses a motif and what a comparison says of it, or its number in a sample. */
static ms_status parse_compared(ms_result *r, char *line)
{
  bool counts = r->header.kind == MS_KIND_SAMPLE_COUNTS;
  const char *field[6 + MS_COMPARE_NUMBERS];
  uint32_t columns = counts ? 4 + MS_COUNT_NUMBERS : 6 + MS_COMPARE_NUMBERS;
  uint64_t k, exact = 0;
  if (!ms_result_split(line, field, columns))
    return ms_result_refuse(r, r->row.line, "the row does not have %u columns", columns);
  r->row.motif = field[0];
  if (counts) {
    r->row.sample = field[1];
    r->row.group = field[2];
    if (!ms_take_count(&field[3], INT64_MAX, &r->row.sets) || *field[3] ||
        !take_numbers(r, field + 4, MS_COUNT_NUMBERS))
      return ms_result_refuse(r, r->row.line, "sets and what follows them must be numbers");
    return MS_OK;
  }
  r->row.group = field[2];
  r->row.reference = field[3];
  const char **last = field + 4 + MS_COMPARE_NUMBERS;
  if (!ms_take_count(&field[1], MS_MAX_CENSUS, &k) || *field[1] || k != r->header.k ||
      !take_numbers(r, field + 4, MS_COMPARE_NUMBERS) ||
      !ms_take_count(&last[0], INT64_MAX, &r->row.permutations) || *last[0] ||
      !ms_take_count(&last[1], 1, &exact) || *last[1])
    return ms_result_refuse(r, r->row.line,
                            "k must be that of the header, and what follows the groups numbers");
  r->row.exact = exact;
  return MS_OK;
}

ms_status ms_result_parse_row(ms_result *r, char *line, ms_error *err)
{
  MS_TRY(take_name(r, &line));
  if (r->header.kind == MS_KIND_CHANCE)
    return ms_result_refuse(r, r->row.line, "permutations of one motif have no rows");
  return r->header.kind & MS_KINDS_OF_SAMPLES     ? parse_compared(r, line)
         : r->header.kind & MS_KINDS_OF_CENSUSES  ? parse_count(r, line)
         : r->header.kind == MS_KIND_PATH         ? ms_result_take_steps(r, line, err)
         : r->header.kind & MS_KINDS_WITH_LAYOUTS ? ms_result_split_cells(r, line)
         : r->header.long_rows                    ? parse_long(r, line, err)
         : ms_header_is_sieve_part(&r->header)    ? parse_sieved(r, line, err)
         : r->header.kind & (MS_KINDS_OF_VERTICES | MS_KIND_PARTICIPATION)
             ? parse_vertex(r, line, err)
             : parse_match(r, line, err);
}
