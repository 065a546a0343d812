/* The judge of a motif's matches: connected sets of vertices whose colours fit the slots. */
#include "verify/judge/judge.h"

#include "base/alloc.h"
#include "base/ascending.h"
#include "base/status.h"

#include <string.h>

static bool has_color(const ms_query *query, uint32_t v, uint32_t color)
{
  uint32_t count;
  const uint32_t *colors = ms_coloring_of(query->coloring, v, &count);
  for (uint32_t i = 0; i < count; i++)
    if (colors[i] == color)
      return true;
  return false;
}

/* True if each literal of one alternative holds, which is looked up colour by colour. */
static bool fits_condition(const ms_query *query, uint32_t v, const ms_condition *condition)
{
  for (uint32_t begin = 0, end; begin < condition->count; begin = end) {
    uint32_t wrong = 0;
    for (end = begin; end == begin || !condition->literal[end - 1].last; end++) {
      bool has = has_color(query, v, condition->literal[end].color);
      wrong += condition->literal[end].lacks ? has : !has;
    }
    if (wrong == 0)
      return true;
  }
  return false;
}

static bool fits_class(const ms_query *query, uint32_t v, const ms_motif_class *class_)
{
  if (class_->color == MS_CONDITION)
    return fits_condition(query, v, class_->condition);
  return class_->color == MS_WILDCARD || has_color(query, v, class_->color);
}

uint32_t ms_verify_slots(const ms_query *query, uint32_t v)
{
  const ms_motif *motif = query->motif;
  uint32_t slots = 0, slot = 0;
  for (uint32_t c = 0; c < motif->n_classes; c++) {
    bool fits = fits_class(query, v, &motif->class_[c]);
    for (uint32_t i = 0; i < motif->class_[c].count; i++, slot++)
      slots |= (uint32_t)fits << slot;
  }
  return slots;
}

typedef struct fitting {
  uint32_t owner[MS_MAX_K]; /* of the slots that are taken */
  uint32_t taken, tried;    /* bit d: slot d has an owner; was tried for this vertex */
} fitting;

/* Assigns a slot to vertex i: a free one, or one whose owner can move to another. */
static bool augment(const uint32_t *slots, uint32_t i, fitting *f)
{
  uint32_t left = slots[i] & ~f->taken;
  if (left) {
    f->owner[__builtin_ctz(left)] = i;
    f->taken |= left & -left;
    return true;
  }
  while ((left = slots[i] & ~f->tried)) {
    uint32_t d = (uint32_t)__builtin_ctz(left);
    f->tried |= 1u << d;
    if (augment(slots, f->owner[d], f)) {
      f->owner[d] = i;
      return true;
    }
  }
  return false;
}

bool ms_verify_fit(const uint32_t *slots, uint32_t count)
{
  fitting f;
  f.taken = 0;
  for (uint32_t i = 0; i < count; i++) {
    f.tried = 0;
    if (!augment(slots, i, &f))
      return false;
  }
  return true;
}

uint32_t ms_verify_filled(const uint32_t *slots, uint32_t count)
{
  fitting f;
  f.taken = 0;
  for (uint32_t i = 0; i < count; i++) {
    f.tried = 0;
    (void)augment(slots, i, &f);
  }
  return (uint32_t)__builtin_popcount(f.taken);
}

/* The classes of the slots in the order of the motif's text: by the name of the colour or the text
 * of the condition, with the wildcard last. */
static void sort_slots(const ms_query *query, const char **name, const ms_motif_class **class_)
{
  const ms_motif *motif = query->motif;
  uint32_t count = 0;
  for (uint32_t c = 0; c < motif->n_classes; c++)
    for (uint32_t i = 0; i < motif->class_[c].count; i++) {
      const ms_motif_class *mine = &motif->class_[c];
      uint32_t at = count++;
      const char *text = mine->color == MS_WILDCARD ? "*"
                         : mine->color == MS_CONDITION
                             ? mine->condition->text
                             : ms_coloring_name(query->coloring, mine->color);
      for (; at > 0 && mine->color != MS_WILDCARD &&
             (class_[at - 1]->color == MS_WILDCARD || strcmp(name[at - 1], text) > 0);
           at--) {
        name[at] = name[at - 1];
        class_[at] = class_[at - 1];
      }
      name[at] = text;
      class_[at] = mine;
    }
}

void ms_verify_roles(const ms_query *query, const uint32_t *set, const char **role)
{
  uint32_t k = query->motif->k, slots[MS_MAX_K] = {0}, rest[MS_MAX_K], used = 0;
  const ms_motif_class *class_[MS_MAX_K];
  const char *name[MS_MAX_K];
  sort_slots(query, name, class_);
  for (uint32_t i = 0; i < k; i++)
    for (uint32_t d = 0; d < k; d++)
      if (fits_class(query, set[i], class_[d]))
        slots[i] |= 1u << d;
  for (uint32_t i = 0; i < k; i++)
    for (uint32_t d = 0; d < k; d++) {
      if (!(slots[i] >> d & 1) || (used >> d & 1))
        continue;
      for (uint32_t j = i + 1; j < k; j++)
        rest[j - i - 1] = slots[j] & ~(used | 1u << d);
      if (!ms_verify_fit(rest, k - i - 1))
        continue;
      used |= 1u << d;
      role[i] = name[d];
      break;
    }
}

bool ms_verify_adjacent(const ms_graph *graph, uint32_t u, uint32_t v)
{
  uint32_t degree;
  const uint32_t *row = ms_graph_neighbors(graph, u, &degree);
  return ms_ascending_has(row, degree, v);
}

static bool is_connected(const ms_graph *graph, const uint32_t *set, uint32_t k)
{
  uint32_t queue[MS_MAX_K] = {0}, tail = 1; /* positions in the set */
  bool seen[MS_MAX_K] = {true};
  for (uint32_t head = 0; head < tail; head++) {
    for (uint32_t i = 0; i < k; i++) {
      if (!seen[i] && ms_verify_adjacent(graph, set[queue[head]], set[i])) {
        seen[i] = true;
        queue[tail++] = i;
      }
    }
  }
  return tail == k;
}

static bool contains(const uint32_t *set, uint32_t k, uint32_t v)
{
  for (uint32_t i = 0; i < k; i++)
    if (set[i] == v)
      return true;
  return false;
}

ms_verdict ms_verify_set(const ms_query *query, const uint32_t *set, uint32_t size)
{
  for (uint32_t i = 0; i < size; i++) {
    if (set[i] >= ms_graph_vertex_count(query->graph))
      return MS_MATCH_OUT_OF_RANGE;
    if (contains(set, i, set[i]))
      return MS_MATCH_REPEATS_VERTEX;
  }
  return is_connected(query->graph, set, size) ? MS_MATCH_OK : MS_MATCH_NOT_CONNECTED;
}

bool ms_verify_required(const ms_query *query, const uint32_t *set, uint32_t size)
{
  for (uint32_t i = 0; i < query->n_required; i++)
    if (!contains(set, size, query->required[i]))
      return false;
  return true;
}

ms_verdict ms_verify_match(const ms_query *query, const uint32_t *set)
{
  uint32_t k = query->motif->k, slots[MS_MAX_K];
  ms_verdict verdict = ms_verify_set(query, set, k);
  if (verdict != MS_MATCH_OK)
    return verdict;
  for (uint32_t i = 0; i < k; i++)
    slots[i] = ms_verify_slots(query, set[i]);
  if (!ms_verify_fit(slots, k))
    return MS_MATCH_COLORS_DO_NOT_FIT;
  return ms_verify_required(query, set, k) ? MS_MATCH_OK : MS_MATCH_LACKS_REQUIRED;
}

static ms_verdict judge_set(const ms_judge *judge, const uint32_t *row)
{
  return ms_verify_match(judge->query, row);
}

ms_status ms_judge_motif(const ms_query *query, ms_judge **out, ms_error *err)
{
  *out = ms_calloc(1, sizeof **out);
  if (!*out)
    return ms_fail_memory(err, "the judge of matches");
  (*out)->row = judge_set;
  (*out)->query = query;
  return MS_OK;
}
