#include "query/motif_build.h"

#include "base/alloc.h"
#include "base/status.h"
#include "graph/io/fields.h"

#include <stdio.h>
#include <string.h>

void ms_motif_free(ms_motif *motif)
{
  if (!motif)
    return;
  for (uint32_t c = 0; c < motif->n_classes; c++)
    ms_condition_free(motif->class_[c].condition);
  ms_free(motif->text);
  ms_free(motif);
}

ms_status ms_motif_new(const ms_coloring *coloring, ms_motif **out, ms_error *err)
{
  *out = ms_calloc(1, sizeof **out);
  if (!*out)
    return ms_fail_memory(err, "a motif");
  (*out)->coloring_serial = coloring->serial;
  return MS_OK;
}

/* ---- classes ----------------------------------------------------------- */

/* Returns the place of the class in motif->class_, or the place where it has to be inserted. *equal
 * receives whether the motif has the class. */
static uint32_t find_class(const ms_motif *motif, const ms_coloring *coloring, uint32_t color,
                           const ms_condition *condition, bool *equal)
{
  uint32_t at = 0;
  *equal = false;
  for (; at < motif->n_classes && motif->class_[at].color <= color; at++) {
    const ms_motif_class *other = &motif->class_[at];
    if (other->color < color)
      continue;
    int order = condition ? ms_condition_compare(other->condition, condition, coloring) : 0;
    *equal = order == 0;
    if (order >= 0)
      break;
  }
  return at;
}

/* Adds slots and keeps the classes in order.  Takes ownership of the condition, if it is not NULL,
 * whether or not it succeeds. */
static ms_status add_class(ms_motif *motif, const ms_coloring *coloring, uint32_t color,
                           ms_condition *condition, uint32_t count, ms_error *err)
{
  bool equal;
  if (count == 0) {
    ms_condition_free(condition);
    return MS_OK;
  }
  uint32_t at = find_class(motif, coloring, color, condition, &equal);
  if (motif->k + count > MS_MAX_K) {
    ms_condition_free(condition);
    return ms_fail(err, MS_ERR_USAGE, "the motif has more than %u slots; ask for fewer vertices",
                   MS_MAX_K);
  }
  motif->k += count;
  if (equal) {
    motif->class_[at].count += count;
    ms_condition_free(condition);
    return MS_OK;
  }
  memmove(&motif->class_[at + 1], &motif->class_[at],
          (motif->n_classes - at) * sizeof motif->class_[0]);
  motif->class_[at] = (ms_motif_class){color, count, condition};
  motif->n_classes++;
  return MS_OK;
}

ms_status ms_motif_add_slots(ms_motif *motif, uint32_t color, uint32_t count, ms_error *err)
{
  return add_class(motif, NULL, color, NULL, count, err);
}

ms_status ms_motif_add_condition(ms_motif *motif, const ms_coloring *coloring,
                                 ms_condition *condition, uint32_t count, ms_error *err)
{
  if (!ms_condition_is_color(condition))
    return add_class(motif, coloring, MS_CONDITION, condition, count, err);
  uint32_t color = condition->literal[0].color;
  ms_condition_free(condition);
  return ms_motif_add_slots(motif, color, count, err);
}

/* ---- canonical text ---------------------------------------------------- */

/* True if a name needs quotes: it holds characters that the parser interprets, or the name with
 * its count is itself a known colour. */
static bool needs_quotes(const ms_coloring *coloring, const char *name, const char *item)
{
  size_t length = strlen(name);
  ms_field trimmed = ms_field_trim((ms_field){name, length});
  return trimmed.length != length || length == 0 || strcmp(name, "*") == 0 ||
         strpbrk(name, ",:\"") ||
         (strcmp(name, item) != 0 && ms_coloring_find(coloring, item) != MS_NO_ID);
}

/* Writes the class at `to`, which has room for twice the name and 16 bytes.  Returns the end. */
static char *write_class(const ms_coloring *coloring, const ms_motif_class *class_, char *to)
{
  const char *name = ms_class_name(class_, coloring);
  char count[16] = "";
  if (class_->count > 1)
    snprintf(count, sizeof count, ":%u", class_->count);
  char *end = stpcpy(stpcpy(to, name), count);
  if (class_->color >= MS_CONDITION || !needs_quotes(coloring, name, to))
    return end;
  *to++ = '"'; /* writes it again, with quotes */
  for (const char *p = name; *p; p++) {
    if (*p == '"')
      *to++ = '"';
    *to++ = *p;
  }
  *to++ = '"';
  return stpcpy(to, count);
}

static ms_status make_text(ms_motif *motif, const ms_coloring *coloring, ms_error *err)
{
  uint32_t *order = motif->in_text; /* sorted by name; the wildcard is last */
  size_t room = 1;
  for (uint32_t i = 0; i < motif->n_classes; i++) {
    const ms_motif_class *class_ = &motif->class_[i];
    uint32_t at = i;
    if (class_->condition)
      MS_TRY(ms_condition_write(class_->condition, coloring, class_->count, err));
    const char *name = ms_class_name(class_, coloring);
    room += 16 + 2 * strlen(name);
    for (; at > 0 && class_->color != MS_WILDCARD; at--) {
      const char *before = ms_class_name(&motif->class_[order[at - 1]], coloring);
      if (strcmp(before, name) <= 0)
        break;
      order[at] = order[at - 1];
    }
    order[at] = i;
  }
  motif->text = ms_alloc(room, 1);
  if (!motif->text)
    return ms_fail_memory(err, "a motif's text");
  char *to = motif->text;
  for (uint32_t i = 0; i < motif->n_classes; i++) {
    if (i > 0)
      *to++ = ',';
    to = write_class(coloring, &motif->class_[order[i]], to);
  }
  return MS_OK;
}

ms_status ms_motif_finish(ms_motif *motif, const ms_coloring *coloring, ms_status status,
                          ms_motif **out, ms_error *err)
{
  if (status == MS_OK)
    status = make_text(motif, coloring, err);
  if (status == MS_OK)
    *out = motif;
  else
    ms_motif_free(motif);
  return status;
}
