/* Slides that overlap; see overlap.h. */
#include "graph/points/overlap.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/status.h"
#include "base/text/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Finds one of the words in the title, at its front, behind a sign or at a capital.  *whole:
 * nothing but a word for a name or a number follows, as in "library_id". */
static bool holds_word(ms_field title, const char *const *words, bool *whole)
{
  static const char *const ends[] = {"", "s", "id", "number", "no", "num", "name", "index", NULL};
  bool found = false;
  for (size_t i = 0; i < title.length; i++) {
    bool begins = i == 0 || !ms_is_letter(title.text[i - 1]) ||
                  (ms_lower(title.text[i - 1]) == title.text[i - 1] &&
                   ms_lower(title.text[i]) != title.text[i]);
    for (const char *const *w = words; begins && *w; w++) {
      size_t end = i + strlen(*w);
      if (end > title.length || !ms_alike(title.text + i, *w, strlen(*w)))
        continue;
      found = true;
      while (end < title.length && strchr("_. -", title.text[end]))
        end++;
      for (const char *const *e = ends; *e; e++)
        *whole |= ms_field_alike((ms_field){title.text + end, title.length - end}, *e);
    }
  }
  return found;
}

ms_slide_title ms_slide_title_of(ms_field title, bool *whole)
{
  static const char *const sure[] = {
      "fov",      "library", "section", "image",      "roi",        "core",        "batch",
      "donor",    "patient", "slice",   "slide",      "sample",     "zslice",      "replicate",
      "animal",   "mouse",   "well",    "plate",      "array",      "bregma",      "capture",
      "specimen", "subject", "reg",     "rep",        "biopsy",     "puck",        "chip",
      "lane",     "field",   "tile",    "frame",      "site",       "series",      "scene",
      "dataset",  "stack",   "plane",   "individual", "experiment", "acquisition", NULL};
  static const char *const doubtful[] = {
      "region",    "tissue",     "condition", "treatment", "genotype", "file", "filename",
      "ident",     "embryo",     "pointnum",  "point_num", "scan",     "run",  "block",
      "timepoint", "time_point", "pos",       "position",  NULL};
  static const char *const never[] = {
      "in_tissue", "intissue", "under_tissue", "is_tissue", "array_row", "array_col", NULL};
  *whole = false;
  for (const char *const *n = never; *n; n++)
    if (ms_field_alike(title, *n))
      return MS_NO_SLIDES;
  if (holds_word(title, sure, whole))
    return MS_SURE_SLIDES;
  return holds_word(title, doubtful, whole) ? MS_DOUBTFUL_SLIDES : MS_NO_SLIDES;
}

/* Returns the point nearest to point i on its slide; n: there is none. */
static uint32_t nearest(const ms_point *point, uint32_t n, const uint32_t *slide, uint32_t i)
{
  uint32_t best = n;
  double least = INFINITY;
  for (uint32_t j = 0; j < n; j++) {
    double distance = ms_distance2(&point[i], &point[j]);
    if (j != i && distance < least && (!slide || slide[i] == slide[j])) {
      least = distance;
      best = j;
    }
  }
  return best;
}

enum { PROBES = 256 };

void ms_find_mixed(const ms_point *point, uint32_t n, const uint32_t *slide,
                   ms_slide_candidate *candidate, uint32_t count, ms_slide_title title)
{
  uint32_t probes = n < PROBES ? n : PROBES, other[MS_SLIDE_CANDIDATES] = {0}, all = 0;
  for (uint32_t p = 0; p < probes && count > 0; p++) {
    uint32_t i = (uint32_t)((uint64_t)p * n / probes), j = nearest(point, n, slide, i);
    all += j < n;
    for (uint32_t c = 0; j < n && c < count; c++)
      other[c] += candidate[c].value[i] != candidate[c].value[j];
  }
  for (uint32_t c = 0; c < count; c++) /* few values: two points have each at least */
    if (candidate[c].kind == title)
      candidate[c].mixed = 4 * other[c] > all && ms_names_count(candidate[c].values) <= n / 2;
}

void ms_trust_titles(ms_slide_candidate *candidate, uint32_t count, uint32_t n)
{
  for (uint32_t c = 0; c < count; c++) {
    ms_slide_candidate *k = &candidate[c];
    uint32_t values = ms_names_count(k->values);
    k->mixed |= k->kind == MS_SURE_SLIDES && k->whole && values > 1 && values <= n / 2;
  }
}

static int ascending(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

bool ms_is_overlaid(const ms_point *point, uint32_t n, const uint32_t *slide,
                    const ms_slide_candidate *candidate)
{
  enum { ENOUGH = 64 }; /* probes for a distance within a value to be known */
  uint32_t probes = n < PROBES ? n : PROBES, close = 0;
  double same[PROBES], other[PROBES];
  for (uint32_t p = 0; p < probes; p++) {
    uint32_t i = (uint32_t)((uint64_t)p * n / probes);
    same[p] = other[p] = INFINITY;
    for (uint32_t j = 0; j < n; j++) {
      double distance = ms_distance2(&point[i], &point[j]);
      double *least = candidate->value[i] == candidate->value[j] ? &same[p] : &other[p];
      if (j != i && distance < *least && (!slide || slide[i] == slide[j]))
        *least = distance;
    }
  }
  qsort(same, probes, sizeof *same, ascending);
  double bound = probes < ENOUGH ? 0 : same[probes / 20] / 4; /* half the distance */
  for (uint32_t p = 0; p < probes; p++)
    close += other[p] == 0 || other[p] < bound;
  return close >= 2 && 20 * close >= probes;
}

/* Does each value of `a` go with one value of `b`? */
static bool determines(const ms_slide_candidate *a, const ms_slide_candidate *b, uint32_t n)
{
  uint32_t values = ms_names_count(a->values);
  uint32_t *of = ms_alloc(values, sizeof *of);
  bool one = of != NULL;
  if (of)
    memset(of, 0xFF, values * sizeof *of);
  for (uint32_t i = 0; i < n && one; i++) {
    uint32_t *first = &of[a->value[i]];
    one = *first == MS_NO_ID || *first == b->value[i];
    *first = b->value[i];
  }
  ms_free(of);
  return one;
}

const ms_slide_candidate *ms_finest_slides(const ms_slide_candidate *candidate, uint32_t count,
                                           uint32_t n, bool *several)
{
  const ms_slide_candidate *best = NULL;
  *several = false;
  for (uint32_t c = 0; c < count; c++)
    if (candidate[c].mixed &&
        (!best || ms_names_count(candidate[c].values) > ms_names_count(best->values)))
      best = &candidate[c];
  for (uint32_t c = 0; c < count; c++)
    *several |= candidate[c].mixed && !determines(best, &candidate[c], n);
  return best;
}

ms_status ms_count_coincident(const ms_point *point, uint32_t n, const uint32_t *slide,
                              uint32_t *count, ms_error *err)
{
  unsigned bits = 4;
  *count = 0;
  while ((uint64_t)1 << bits < 2 * (uint64_t)n)
    bits++;
  uint64_t mask = ((uint64_t)1 << bits) - 1;
  uint32_t *slot = ms_calloc((size_t)1 << bits, sizeof *slot);
  if (!slot)
    return ms_fail_memory(err, "points");
  for (uint32_t p = 0; p < n; p++) {
    uint64_t i = ms_hash_bytes(ms_hash_key_get(), point[p].at, sizeof point[p].at) & mask;
    for (; slot[i]; i = (i + 1) & mask) {
      uint32_t q = slot[i] - 1;
      if (ms_distance2(&point[p], &point[q]) == 0 && (!slide || slide[p] == slide[q]))
        break;
    }
    *count += slot[i] != 0;
    slot[i] = p + 1;
  }
  ms_free(slot);
  return MS_OK;
}
