/* Rows of censuses and of comparisons in JSON lines. */
#include "verify/result_json.h"

#include "base/status.h"

#include <math.h>
#include <stdio.h>

/* Reads the numbers of the colours of a motif in a part. */
static bool take_color_ids(ms_result *r, const json_t *ids)
{
  uint64_t id, last = 0;
  if (!json_is_array(ids) || json_array_size(ids) != r->header.k)
    return false;
  for (uint32_t i = 0; i < r->header.k; i++, last = id) {
    if (!ms_result_json_count(json_array_get(ids, i), last, UINT32_MAX, &id))
      return false;
    r->row.color_id[i] = (uint32_t)id;
  }
  return true;
}

/* Reads what a part of a census of each vertex has besides. */
static bool take_unit(ms_result *r, const json_t *object)
{
  const json_t *ids = json_object_get(object, "color_ids");
  r->row.is_cut = json_array_size(ids) > 0;
  return json_is_array(ids) && (!r->row.is_cut || take_color_ids(r, ids)) &&
         ms_result_json_count(json_object_get(object, "unit"), 0, INT64_MAX, &r->row.unit);
}

/* Reads a motif of a part with permutations, whose statistics are read. */
static ms_status take_permuted(ms_result *r, const json_t *object, const json_t *share)
{
  static const char *const keys[MS_PERMUTED_SUMS] = {"perm_sum", "perm_squares", "perm_ge",
                                                     "perm_le"};
  uint64_t k;
  bool ok = r->row.motif && json_is_number(share) &&
            ms_result_json_count(json_object_get(object, "sets"), 0, INT64_MAX, &r->row.sets) &&
            ms_result_json_count(json_object_get(object, "k"), r->header.k, r->header.k, &k) &&
            json_object_size(object) == 5 + MS_PERMUTED_SUMS + ms_result_statistics(&r->header);
  for (uint32_t i = 0; i < MS_PERMUTED_SUMS && ok; i++) {
    r->row.sum[i] = ms_result_json_text(object, keys[i]);
    ok = r->row.sum[i] != NULL;
  }
  return ok ? ms_result_check_sums(r)
            : ms_result_refuse(r, r->row.line, "the row lacks a key, or has one too many");
}

ms_status ms_result_json_take_census(ms_result *r, const json_t *object)
{
  bool of_vertex = r->header.kind == MS_KIND_VERTEX_CENSUS;
  const json_t *share = json_object_get(object, "share");
  uint64_t k;
  r->row.vertex = of_vertex ? ms_result_json_text(object, "vertex") : NULL;
  r->row.motif = ms_result_json_text(object, "motif");
  r->row.share = json_number_value(share);
  uint32_t statistics = ms_result_statistics(&r->header);
  r->row.p_by = NULL;
  for (uint32_t i = 0; i < statistics; i++) {
    size_t length;
    const char *name = ms_result_statistic(&r->header, i, &length);
    char key[32];
    snprintf(key, sizeof key, "%.*s", (int)length, name);
    const json_t *value = json_object_get(object, key);
    r->row.statistic[i] = (double)NAN;
    if (json_is_string(value) && ms_result_statistic_is_word(name, length)) {
      MS_TRY(ms_result_take_word(r, json_string_value(value), i));
      continue;
    }
    if (json_is_number(value) && ms_result_statistic_is_word(name, length))
      return ms_result_refuse(r, r->row.line, "%.*s must be a word or null", (int)length, name);
    if (!json_is_number(value) && !json_is_null(value))
      return ms_result_refuse(r, r->row.line, "%.*s must be a number or null", (int)length, name);
    if (json_is_number(value))
      r->row.statistic[i] = json_number_value(value);
  }
  bool is_part = r->header.has & MS_HAS_PART, permuted = r->header.has & MS_HAS_PERMUTATIONS;
  if (is_part && permuted)
    return take_permuted(r, object, share);
  bool ok =
      r->row.motif &&
      ms_result_json_count(json_object_get(object, "sets"), 0, INT64_MAX, &r->row.sets) &&
      (!is_part || of_vertex || take_color_ids(r, json_object_get(object, "color_ids"))) &&
      (!is_part || !of_vertex || take_unit(r, object)) &&
      (of_vertex
           ? r->row.vertex != NULL && json_object_size(object) == (is_part ? 6 : 4)
           : json_is_number(share) && json_object_size(object) == 5 + statistics + is_part &&
                 ms_result_json_count(json_object_get(object, "k"), r->header.k, r->header.k, &k));
  return ok ? MS_OK : ms_result_refuse(r, r->row.line, "the row lacks a key, or has one too many");
}

/* Reads numbers of a comparison, which may be null. */
static bool take_numbers(ms_result *r, const json_t *object, const char *const *key, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    const json_t *value = json_object_get(object, key[i]);
    if (!json_is_number(value) && !json_is_null(value))
      return false;
    r->row.compared[i] = json_is_null(value) ? NAN : json_number_value(value);
  }
  return true;
}

ms_status ms_result_json_take_compared(ms_result *r, const json_t *object)
{
  static const char *const keys[MS_COMPARE_NUMBERS] = {
      "rate",        "reference_rate",        "log2_ratio",        "delta",    "p",       "q",
      "log2_excess", "reference_log2_excess", "log2_excess_ratio", "p_excess", "q_excess"};
  static const char *const count_keys[MS_COUNT_NUMBERS] = {"share", "per_1000_vertices", "expected",
                                                           "fold", "log2_excess"};
  const json_t *exact = json_object_get(object, "exact");
  bool counts = r->header.kind == MS_KIND_SAMPLE_COUNTS;
  uint64_t k;
  r->row.motif = ms_result_json_text(object, "motif");
  r->row.group = ms_result_json_text(object, "group");
  r->row.sample = ms_result_json_text(object, "sample");
  r->row.reference = ms_result_json_text(object, "reference");
  r->row.exact = json_is_true(exact);
  bool ok = r->row.motif && r->row.group;
  if (counts)
    ok = ok && r->row.sample && json_object_size(object) == 5 + MS_COUNT_NUMBERS &&
         ms_result_json_count(json_object_get(object, "sets"), 0, INT64_MAX, &r->row.sets) &&
         take_numbers(r, object, count_keys, MS_COUNT_NUMBERS);
  else
    ok = ok && r->row.reference && json_object_size(object) == 7 + MS_COMPARE_NUMBERS &&
         ms_result_json_count(json_object_get(object, "k"), r->header.k, r->header.k, &k) &&
         ms_result_json_count(json_object_get(object, "permutations"), 0, INT64_MAX,
                              &r->row.permutations) &&
         json_is_boolean(exact) && take_numbers(r, object, keys, MS_COMPARE_NUMBERS);
  return ok ? MS_OK : ms_result_refuse(r, r->row.line, "the row lacks a key, or has one too many");
}
