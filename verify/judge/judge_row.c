/* Checks one row of a pattern after the rows that the same thread has checked before it.
 *
 * Rows that come together mostly share vertices, and then also edges.  So each thread remembers
 * what it found for the pairs of vertices that it looked up last, in a table with one place for a
 * pair, as caches of processors are that have one way.  A pair is remembered with both of its
 * vertices, whatever its columns were, since the smallest row of a class has a vertex now here, now
 * there.
 *
 * What is remembered are facts about the graph, not rows.  So the verdict on a row is the same
 * after any other rows, and so is the fault that it names. */
#include "verify/judge/judge.h"

#include "base/alloc.h"
#include "base/compiler.h"
#include "base/serial.h"
#include "base/status.h"

#include <pthread.h>

/* The table has 2^PLACE_BITS places. */
#define PLACE_BITS 13u
#define PLACES ((size_t)1 << PLACE_BITS)
/* Rows of a thread before it has a table: as many as pay for making one. */
#define ROWS_BEFORE 256u

/* A pair of vertices is a number of 64 bits.  Multiplying it by an odd one is a bijection, whose
 * upper bits are the pair's place and whose other bits are its tag: together they are the pair.  An
 * entry is the tag, and below it, where the place would be, KNOWN and what is known of the pair. */
#define MULTIPLIER 0x9e3779b97f4a7c15u
#define KNOWN ((uint64_t)1 << (PLACE_BITS - 1))

/* What one thread remembers. */
typedef struct ms_recent {
  struct ms_recent *next;
  const void *owner; /* the thread: the address of its `own` */
  uint32_t rows;     /* before there was a table */
  uint64_t *entry;   /* [PLACES] plain: the arcs of a pair, as in ms_judge_pair, between its smaller
                        and its larger vertex; typed: the number of a pattern pair that it fits */
} ms_recent;

struct ms_recents {
  uint64_t serial; /* tells judges apart, also after one was freed */
  pthread_mutex_t lock;
  ms_recent *first; /* protected by the lock; all else in the list is used by its owner alone */
};

/* The judge that this thread asked last, and what it remembers for that judge. */
static _Thread_local struct {
  uint64_t serial;
  ms_recent *recent;
} own;

ms_status ms_recents_new(ms_recents **out, ms_error *err)
{
  ms_recents *recents = *out = ms_calloc(1, sizeof *recents);
  if (!recents)
    return ms_fail_memory(err, "the judge of matches");
  recents->serial = ms_serial_next();
  if (pthread_mutex_init(&recents->lock, NULL) == 0)
    return MS_OK;
  ms_free(recents);
  *out = NULL;
  return ms_fail_memory(err, "a lock");
}

void ms_recents_free(ms_recents *recents)
{
  if (!recents)
    return;
  for (ms_recent *r = recents->first, *next; r; r = next) {
    next = r->next;
    ms_free(r->entry);
    ms_free(r);
  }
  pthread_mutex_destroy(&recents->lock);
  ms_free(recents);
}

/* Adds what this thread remembers to the list, as long as it is empty.  Returns NULL if there is no
 * memory. */
static ms_recent *add_recent(ms_recents *recents)
{
  ms_recent *r = ms_calloc(1, sizeof *r);
  if (!r)
    return NULL;
  r->owner = &own;
  r->next = recents->first;
  recents->first = r;
  return r;
}

/* Finds what this thread remembers.  A thread may have the address of one that has ended, and then
 * goes on with what that one knew. */
MS_SELDOM ms_recent *find_recent(ms_recents *recents)
{
  pthread_mutex_lock(&recents->lock);
  ms_recent *r = recents->first;
  while (r && r->owner != &own)
    r = r->next;
  if (!r)
    r = add_recent(recents);
  pthread_mutex_unlock(&recents->lock);
  own.serial = r ? recents->serial : 0;
  own.recent = r;
  return r;
}

/* ---- pairs ------------------------------------------------------------------------------ */

static uint64_t mix(uint32_t v, uint32_t w)
{
  return ((uint64_t)v << 32 | w) * MULTIPLIER;
}

/* Checks the pairs of a plain pattern, with a table. */
static ms_verdict judge_plain(const ms_judge *judge, uint64_t *entry, const uint32_t *row)
{
  for (uint32_t i = 0; i < judge->pairs; i++) {
    const ms_judge_pair *pair = &judge->pair[i];
    uint32_t v = row[pair->first], w = row[pair->second];
    uint32_t turned = v > w, low = turned ? w : v, high = turned ? v : w;
    uint64_t mixed = mix(low, high), tag = mixed << PLACE_BITS | KNOWN;
    uint64_t *at = &entry[mixed >> (64 - PLACE_BITS)];
    uint64_t arcs = *at ^ tag;
    if (arcs > 3) {
      arcs = ms_judge_find_arcs(judge, low, high);
      *at = tag | arcs;
    }
    arcs = arcs >> turned | (arcs & turned) << 1; /* without a branch */
    if (!(pair->fits >> arcs & 1))
      return ms_judge_arcs(pair, (unsigned)arcs);
  }
  return MS_MATCH_OK;
}

/* Checks the pairs of a typed pattern, with a table, which has no room for high numbers of pairs.
 */
static ms_verdict judge_typed(const ms_judge *judge, uint64_t *entry, const uint32_t *row)
{
  for (uint32_t i = 0; i < judge->pairs; i++) {
    const ms_judge_pair *pair = &judge->pair[i];
    uint32_t v = row[pair->first], w = row[pair->second];
    uint64_t mixed = mix(v, w), *at = &entry[mixed >> (64 - PLACE_BITS)];
    uint64_t known = mixed << PLACE_BITS | KNOWN | i;
    if (i < KNOWN && *at == known)
      continue;
    ms_verdict verdict = ms_judge_pair_row(judge, pair, v, w);
    if (verdict != MS_MATCH_OK)
      return verdict;
    if (i < KNOWN)
      *at = known;
  }
  return MS_MATCH_OK;
}

static ms_verdict judge_pairs(const ms_judge *judge, uint64_t *entry, const uint32_t *row)
{
  ms_verdict verdict = MS_MATCH_OK;
  if (entry)
    return judge->typed ? judge_typed(judge, entry, row) : judge_plain(judge, entry, row);
  for (uint32_t i = 0; verdict == MS_MATCH_OK && i < judge->pairs; i++) {
    const ms_judge_pair *pair = &judge->pair[i];
    verdict = ms_judge_pair_row(judge, pair, row[pair->first], row[pair->second]);
  }
  return verdict;
}

/* ---- one row ------------------------------------------------------------------------- */

/* Checks each vertex by itself, and that none occurs twice. */
static ms_verdict judge_vertices(const ms_judge *judge, const uint32_t *row)
{
  for (uint32_t i = 0; i < judge->p; i++) {
    if (row[i] >= judge->n)
      return MS_MATCH_OUT_OF_RANGE;
    for (uint32_t h = 0; h < i; h++)
      if (row[h] == row[i])
        return MS_MATCH_REPEATS_VERTEX;
  }
  for (uint32_t i = 0; i < judge->p; i++)
    if (!ms_judge_vertex_fits(judge, i, row[i]))
      return judge->typed ? MS_MATCH_WRONG_TYPE : MS_MATCH_WRONG_COLOR;
  return MS_MATCH_OK;
}

bool ms_judge_holds(const ms_judge *judge, const uint32_t *row, uint32_t v)
{
  uint32_t i = 0;
  while (i < judge->p && row[i] != v)
    i++;
  return i < judge->p;
}

/* `entry`: the table; NULL: everything is looked up. */
static ms_verdict judge_map(const ms_judge *judge, uint64_t *entry, const uint32_t *row)
{
  ms_verdict verdict = judge_vertices(judge, row);
  if (verdict == MS_MATCH_OK)
    verdict = judge_pairs(judge, entry, row);
  for (uint32_t i = 0; verdict == MS_MATCH_OK && i < judge->ordered; i++)
    if (row[judge->smaller[i][0]] > row[judge->smaller[i][1]])
      verdict = MS_MATCH_NOT_SMALLEST;
  for (uint32_t i = 0; verdict == MS_MATCH_OK && i < judge->n_required; i++)
    if (!ms_judge_holds(judge, row, judge->required[i]))
      verdict = MS_MATCH_LACKS_REQUIRED;
  return verdict;
}

ms_verdict ms_judge_map_alone(const ms_judge *judge, const uint32_t *row)
{
  return judge_map(judge, NULL, row);
}

ms_verdict ms_judge_map(const ms_judge *judge, const uint32_t *row)
{
  ms_recents *recents = judge->recents;
  ms_recent *r = own.serial == recents->serial ? own.recent : find_recent(recents);
  if (r && !r->entry && ++r->rows % ROWS_BEFORE == 0)
    r->entry = ms_calloc(PLACES, sizeof *r->entry);
  return judge_map(judge, r ? r->entry : NULL, row);
}
