/* Closeness: equal except for case, then one name inside the other, then few edits (Levenshtein,
 * case ignored).  Only the case of ASCII letters is ignored. */
#include "graph/suggest.h"

#include "base/status.h"
#include "graph/spellings.h"

#include <stdio.h>
#include <string.h>

#define SHOWN 3
#define LONGEST ((size_t)127) /* longer names are compared by substring only */
#define SHORTEST_SUBSTRING 3  /* "a" is a part of nearly every name */

static unsigned char lower(char c)
{
  return (unsigned char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static bool equal_but_case(const char *a, const char *b, size_t length)
{
  for (size_t i = 0; i < length; i++)
    if (lower(a[i]) != lower(b[i]))
      return false;
  return true;
}

static bool contains(const char *a, size_t la, const char *b, size_t lb)
{
  for (size_t i = 0; lb >= SHORTEST_SUBSTRING && i + lb <= la; i++)
    if (equal_but_case(a + i, b, lb))
      return true;
  return false;
}

static unsigned edits(const char *a, size_t la, const char *b, size_t lb)
{
  unsigned row[LONGEST + 1]; /* row[j]: edits from a[0..i) to b[0..j) */
  if (la > LONGEST || lb > LONGEST)
    return MS_NAME_FAR;
  for (size_t j = 0; j <= lb; j++)
    row[j] = (unsigned)j;
  for (size_t i = 1; i <= la; i++) {
    unsigned corner = row[0];
    row[0] = (unsigned)i;
    for (size_t j = 1; j <= lb; j++) {
      unsigned best = corner + (lower(a[i - 1]) != lower(b[j - 1]));
      corner = row[j];
      best = corner + 1 < best ? corner + 1 : best;
      row[j] = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
    }
  }
  return row[lb];
}

unsigned ms_name_distance(const char *a, size_t la, const char *b, size_t lb)
{
  if (la == lb && equal_but_case(a, b, la))
    return 0;
  if (contains(a, la, b, lb) || contains(b, lb, a, la))
    return 1;
  size_t shorter = la < lb ? la : lb, longer = la < lb ? lb : la;
  unsigned allowed = shorter < 3 ? 1 : 2 + (unsigned)(shorter / 10);
  unsigned d = longer - shorter > allowed ? MS_NAME_FAR : edits(a, la, b, lb);
  return d <= allowed && d < longer ? 1 + d : MS_NAME_FAR;
}

/* Appends 'a', 'b' or 'c'. */
static void append_names(const ms_names *names, const uint32_t *ids, uint32_t count, char *out)
{
  size_t used = strlen(out);
  for (uint32_t i = 0; i < count; i++) {
    const char *name = ms_names_get(names, ids[i]);
    const char *link = i == 0 ? "" : i + 1 == count ? " or " : ", ";
    int wrote = snprintf(out + used, MS_SUGGEST_BYTES - used, "%s'%.*s'", link,
                         ms_name_clip(name, strlen(name)), name);
    used += wrote > 0 ? (size_t)wrote : 0;
  }
}

/* Suggests a name that looks the same in another spelling of Unicode. */
static bool suggest_spelling(const ms_names *names, const char *text, size_t length, char *out)
{
  ms_spellings *spellings = NULL;
  bool ascii = true;
  for (size_t i = 0; i < length; i++)
    ascii &= (unsigned char)text[i] < 0x80;
  if (ascii || ms_spellings_new(names, &spellings, NULL) != MS_OK)
    return false;
  uint32_t id = ms_spellings_find(spellings, text, length);
  ms_spellings_free(spellings);
  if (id == MS_NO_ID)
    return false;
  const char *name = ms_names_get(names, id);
  snprintf(
      out, MS_SUGGEST_BYTES,
      "'%.*s' looks the same, but is another spelling of it in Unicode (NFC, NFD); copy the name",
      ms_name_clip(name, strlen(name)), name);
  return true;
}

void ms_suggest_name(const ms_names *names, const char *what, const char *none, const char *text,
                     size_t length, char *out)
{
  uint32_t best[SHOWN], found = 0, first[SHOWN] = {0, 1, 2};
  unsigned far[SHOWN];
  uint32_t known = ms_names_count(names);
  if (suggest_spelling(names, text, length, out))
    return;
  for (uint32_t c = 0; c < known; c++) {
    const char *name = ms_names_get(names, c);
    unsigned d = ms_name_distance(text, length, name, strlen(name));
    if (d >= MS_NAME_FAR || (found == SHOWN && d >= far[SHOWN - 1]))
      continue;
    uint32_t at = found < SHOWN ? found++ : SHOWN - 1;
    for (; at > 0 && far[at - 1] > d; at--) {
      far[at] = far[at - 1];
      best[at] = best[at - 1];
    }
    far[at] = d;
    best[at] = c;
  }
  if (known == 0) {
    snprintf(out, MS_SUGGEST_BYTES, "%s", none);
    return;
  }
  if (found)
    snprintf(out, MS_SUGGEST_BYTES, "did you mean ");
  else
    snprintf(out, MS_SUGGEST_BYTES, "known %s are for example ", what);
  append_names(names, found ? best : first, found ? found : known < SHOWN ? known : SHOWN, out);
  size_t used = strlen(out);
  snprintf(out + used, MS_SUGGEST_BYTES - used, "%s", found ? "?" : "");
}

void ms_suggest_color(const ms_coloring *coloring, const char *text, size_t length, char *out)
{
  if (ms_name_is_missing(text, length))
    snprintf(out, MS_SUGGEST_BYTES,
             "in a file, '%.*s' stands for a missing value and gives no colour; write a word such "
             "as 'unknown' there, and here",
             (int)length, text);
  else
    ms_suggest_name(coloring->names, "colours", "there are no colours", text, length, out);
}

ms_status ms_fail_required(const ms_names *names, const char *path, const char *name, ms_error *err)
{
  char hint[MS_SUGGEST_BYTES];
  ms_suggest_name(names, "vertices", "it has no vertices", name, strlen(name), hint);
  return ms_fail(err, MS_ERR_USAGE, "required vertex '%.*s' is not a vertex of %s; %s",
                 ms_name_clip(name, strlen(name)), name, path, hint);
}

#define MORE_BYTES ((size_t)28) /* around a name, and for " and 4294967295 more" */

void ms_name_list_add(ms_name_list *list, const char *name, size_t length)
{
  int clip = ms_name_clip(name, length);
  if (ms_name_problem(name, length) || list->used + (size_t)clip + MORE_BYTES > sizeof list->text) {
    list->more++;
    return;
  }
  int wrote = snprintf(list->text + list->used, sizeof list->text - list->used, "%s'%.*s'",
                       list->used ? ", " : "", clip, name);
  list->used += wrote > 0 ? (size_t)wrote : 0;
}

const char *ms_name_list_text(ms_name_list *list)
{
  if (list->more > 0)
    snprintf(list->text + list->used, sizeof list->text - list->used, "%s%u more",
             list->used ? " and " : "", list->more);
  else if (list->used == 0)
    snprintf(list->text, sizeof list->text, "none");
  return list->text;
}
