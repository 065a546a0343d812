/* Names are in one pool of characters, one array of offsets and one open-addressing table: three
 * blocks, however many names there are.  A slot holds the whole of a name of up to eight bytes, so
 * that a look-up of such a name (most numbers, most systematic gene names) touches one cache line;
 * a longer name is compared in the pool once its hash and length agree. */
#include "graph/names.h"

#include "base/alloc.h"
#include "base/compiler.h"
#include "base/hash.h"
#include "base/status.h"
#include "base/text/utf8.h"
#include "base/threads/stop.h"

#include <string.h>

#define WHOLE 8u /* bytes of a name that a key holds */

struct ms_names {
  char *pool; /* names with their NULs, one after another */
  size_t pool_used, pool_room;
  uint64_t *start; /* [room]; start[id] is where name id begins */
  uint32_t count, room;
  ms_name_slot *table; /* [table_size], a power of two, at most 3/4 full */
  size_t table_size;
  const ms_hash_key *key; /* of the table; NULL: it is one of a file, under the fixed functions */
  bool borrowed;          /* pool, start and table belong to the caller and are not changed */
};

#define FIRST_TABLE ((size_t)64)
#define CLIP_BYTES 60

#define FACTOR 0x9E3779B97F4A7C15u

static uint64_t load(const char *text, size_t bytes)
{
  uint64_t word = 0;
  memcpy(&word, text, bytes);
  return word;
}

/* Names hold no NULs, so padding makes no two of them equal. */
static uint64_t whole_name(const char *text, size_t length)
{
  uint64_t key = 0;
  if (length == WHOLE)
    return load(text, 8);
  /* two loads that overlap, rather than a loop over bytes */
  if (length >= 4 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
    return load(text, 4) | load(text + length - 4, 4) << 8 * (length - 4);
  for (size_t i = 0; i < length; i++)
    key |= (uint64_t)(unsigned char)text[i] << 8 * i;
  return key;
}

/* Hashes the length and then 8-byte words by multiply-and-fold; the last word may overlap the
 * one before it.  Only for tables in files: names that collide can be made up easily. */
static uint64_t hash_name(const char *text, size_t length)
{
  uint64_t h = length * FACTOR;
  for (size_t i = 0; i + 8 < length; i += 8) {
    h = (h ^ load(text + i, 8)) * FACTOR;
    h ^= h >> 32;
  }
  h = (h ^ load(text + length - 8, 8)) * FACTOR;
  return h ^ h >> 29;
}

uint64_t ms_name_key(const char *text, size_t length)
{
  return length <= WHOLE ? whole_name(text, length) : hash_name(text, length);
}

uint64_t ms_name_home(uint64_t key, uint64_t slots)
{
  uint64_t h = key * FACTOR;
  h ^= h >> 32;
  return (h * FACTOR >> 20) & (slots - 1);
}

/* Returns the key of the slot of a name. */
static inline uint64_t key_of(const ms_names *names, const char *text, size_t length)
{
  return length <= WHOLE ? whole_name(text, length)
         : names->key    ? ms_hash_bytes(names->key, text, length)
                         : hash_name(text, length);
}

/* Returns the first slot that is probed for a key, in a table of `size` slots. */
static inline size_t home_of(const ms_names *names, uint64_t key, size_t size)
{
  return names->key ? ms_hash_word(names->key, key) >> (__builtin_clzll(size) + 1)
                    : ms_name_home(key, size);
}

uint32_t ms_name_slot_length(size_t length)
{
  return length < UINT32_MAX ? (uint32_t)length : UINT32_MAX;
}

/* Slots between two looks at the token of the thread. */
#define POLL_SLOTS ((size_t)1 << 20)

static bool is_stopped(size_t slot)
{
  return slot % POLL_SLOTS == 0 && ms_stop_check(ms_stop_current()) != MS_OK;
}

/* Returns NULL without memory, and after a stop. */
static ms_name_slot *new_table(size_t size)
{
  ms_name_slot *table = ms_alloc_lines(size, sizeof *table); /* probed at random */
  for (size_t at = 0; table && at < size; at += POLL_SLOTS) {
    if (at > 0 && is_stopped(at)) {
      ms_free(table);
      return NULL;
    }
    size_t slots = size - at < POLL_SLOTS ? size - at : POLL_SLOTS;
    memset(table + at, 0xFF, slots * sizeof *table);
  }
  return table;
}

/* Fails because a block was not enlarged: there was no memory, or the token was stopped. */
static ms_status fail_growth(ms_error *err)
{
  MS_TRY(ms_stop_poll("names are collected", err));
  return ms_fail_memory(err, "names");
}

ms_status ms_names_new(ms_names **out, ms_error *err)
{
  *out = NULL;
  ms_names *names = ms_calloc(1, sizeof *names);
  if (!names)
    return ms_fail_memory(err, "a name table");
  names->key = ms_hash_key_get();
  names->table_size = FIRST_TABLE;
  names->table = new_table(FIRST_TABLE);
  if (!names->table) {
    ms_free(names);
    return ms_fail_memory(err, "a name table");
  }
  *out = names;
  return MS_OK;
}

void ms_names_free(ms_names *names)
{
  if (!names)
    return;
  if (!names->borrowed) {
    ms_free(names->pool);
    ms_free(names->start);
    ms_free(names->table);
  }
  ms_free(names);
}

ms_name_blocks ms_names_blocks(const ms_names *names)
{
  return (ms_name_blocks){names->count,
                          names->start,
                          names->pool,
                          names->pool_used,
                          names->key ? NULL : names->table,
                          names->key ? 0 : names->table_size};
}

ms_status ms_names_borrow(const ms_name_blocks *blocks, ms_names **out, ms_error *err)
{
  *out = NULL;
  ms_names *names = ms_calloc(1, sizeof *names);
  if (!names)
    return ms_fail_memory(err, "a name table");
  /* add_keyed keeps from writing to them */
  names->pool = (char *)blocks->pool;
  names->start = (uint64_t *)blocks->start;
  names->table = (ms_name_slot *)blocks->table;
  names->pool_used = names->pool_room = blocks->pool_bytes;
  names->count = names->room = blocks->count;
  names->table_size = blocks->slots;
  names->borrowed = true;
  *out = names;
  return MS_OK;
}

uint32_t ms_names_count(const ms_names *names)
{
  return names->count;
}

const char *ms_names_get(const ms_names *names, uint32_t id)
{
  return id < names->count ? names->pool + names->start[id] : NULL;
}

static bool same_name(const ms_names *names, const ms_name_slot *s, const char *text, size_t length)
{
  if (length <= WHOLE)
    return true; /* by the key */
  /* compare lengths first: memcmp must not run past the end of the pool */
  uint64_t end = s->id + 1 < names->count ? names->start[s->id + 1] : names->pool_used;
  return end - names->start[s->id] == length + 1 &&
         memcmp(ms_names_get(names, s->id), text, length) == 0;
}

/* Returns the slot of the text or, where it is not in the table, the empty slot for it. */
static ms_name_slot *probe(const ms_names *names, uint64_t key, const char *text, size_t length)
{
  uint32_t wanted = ms_name_slot_length(length);
  size_t at = home_of(names, key, names->table_size);
  for (;; at = (at + 1) & (names->table_size - 1)) {
    ms_name_slot *s = &names->table[at];
    if (s->id == MS_NO_ID ||
        (s->key == key && s->length == wanted && same_name(names, s, text, length)))
      return s;
  }
}

uint32_t ms_names_find(const ms_names *names, const char *text, size_t length)
{
  return probe(names, key_of(names, text, length), text, length)->id;
}

/* False: without memory, and after a stop; the table stays as it was. */
static bool grow_table(ms_names *names, size_t size)
{
  ms_name_slot *table = new_table(size);
  if (!table)
    return false;
  for (size_t i = 0; i < names->table_size; i++) {
    if (i > 0 && is_stopped(i)) {
      ms_free(table);
      return false;
    }
    if (names->table[i].id == MS_NO_ID)
      continue;
    size_t at = home_of(names, names->table[i].key, size);
    while (table[at].id != MS_NO_ID)
      at = (at + 1) & (size - 1);
    table[at] = names->table[i];
  }
  ms_free(names->table);
  names->table = table;
  names->table_size = size;
  return true;
}

/* Makes room for one more name of that length in every block. */
static bool make_room(ms_names *names, size_t length)
{
  if (!MS_GROW(names->start, names->room, names->count, 1))
    return false;
  if (names->pool_room - names->pool_used <= length) {
    if (length > SIZE_MAX / 4 || names->pool_room > SIZE_MAX / 4)
      return false;
    size_t room = names->pool_room * 2 + length + 1024;
    if (!ms_enlarge(&names->pool, names->pool_room, room, 1))
      return false;
    names->pool_room = room;
  }
  return names->count < names->table_size / 4 * 3 || grow_table(names, names->table_size * 2);
}

/* Sizes that hold `more` further names of `bytes` bytes together. */
typedef struct sizes {
  uint64_t table, room, pool;
} sizes;

static sizes sizes_for(const ms_names *names, uint64_t more, uint64_t bytes)
{
  uint64_t count = names->count + more, used = names->pool_used + bytes + more;
  sizes s = {names->table_size, names->room, names->pool_room};
  while (count > s.table / 4 * 3)
    s.table *= 2;
  while (count > s.room && s.room < MS_MAX_NAMES)
    s.room = s.room ? 2 * s.room : 64;
  s.room = s.room < MS_MAX_NAMES ? s.room : MS_MAX_NAMES;
  if (used > s.pool)
    s.pool = 2 * s.pool > used ? 2 * s.pool : used + 1024;
  return s;
}

uint64_t ms_names_growth(const ms_names *names, uint64_t more, uint64_t bytes)
{
  sizes s = sizes_for(names, more, bytes);
  /* the table before is freed when all its names have moved */
  uint64_t tables = s.table > names->table_size ? s.table : 0;
  return tables * sizeof *names->table + (s.room - names->room) * sizeof *names->start +
         (s.pool - names->pool_room);
}

ms_status ms_names_reserve(ms_names *names, uint64_t more, uint64_t bytes, ms_error *err)
{
  sizes s = sizes_for(names, more, bytes);
  if (s.room > names->room) {
    if (!ms_enlarge(&names->start, names->room, s.room, sizeof *names->start))
      return ms_fail_memory(err, "names");
    names->room = (uint32_t)s.room;
  }
  if (s.pool > names->pool_room) {
    if (!ms_enlarge(&names->pool, names->pool_room, s.pool, 1))
      return ms_fail_memory(err, "names");
    names->pool_room = s.pool;
  }
  if (names->table_size < s.table && !grow_table(names, s.table))
    return fail_growth(err);
  return MS_OK;
}

static ms_status add_keyed(ms_names *names, uint64_t key, const char *text, size_t length,
                           uint32_t *id, ms_error *err)
{
  ms_name_slot *place = probe(names, key, text, length);
  if (place->id != MS_NO_ID) {
    *id = place->id;
    return MS_OK;
  }
  if (names->borrowed)
    return ms_fail(err, MS_ERR_INTERNAL,
                   "a name is added to the table of a mapped file; please report this bug");
  if (names->count == MS_MAX_NAMES)
    return ms_fail(err, MS_ERR_INPUT, "more than %u distinct names; split the input", MS_MAX_NAMES);
  if (!make_room(names, length))
    return fail_growth(err);
  place = probe(names, key, text, length); /* the table may have moved */
  names->start[names->count] = names->pool_used;
  memcpy(names->pool + names->pool_used, text, length);
  names->pool[names->pool_used + length] = '\0';
  names->pool_used += length + 1;
  *place = (ms_name_slot){key, ms_name_slot_length(length), names->count};
  *id = names->count++;
  return MS_OK;
}

ms_status ms_names_add(ms_names *names, const char *text, size_t length, uint32_t *id,
                       ms_error *err)
{
  return add_keyed(names, key_of(names, text, length), text, length, id, err);
}

ms_status ms_names_add_all(ms_names *names, const ms_names *others, uint32_t *ids, ms_error *err)
{
  for (uint32_t i = 0; i < ms_names_count(others); i++) {
    uint32_t id = MS_NO_ID;
    const char *text = ms_names_get(others, i);
    MS_TRY(ms_names_add(names, text, strlen(text), &id, err));
    if (ids)
      ids[i] = id;
  }
  return MS_OK;
}

/* Prefetches what probe will read: the slots, then the offsets of the longer names found there,
 * then these names.  It considers only the first slot of a probe; a wrong guess costs time, not
 * correctness.  Inlined by force: gcc believes that a function that only prefetches has no effect,
 * and drops its calls. */
MS_ALWAYS_INLINE void prefetch_batch(const ms_names *names, uint32_t count, const uint64_t *keys,
                                     const size_t *lengths)
{
  uint32_t found[MS_NAME_BATCH], n_found = 0;
  for (uint32_t i = 0; i < count; i++)
    __builtin_prefetch(&names->table[home_of(names, keys[i], names->table_size)]);
  for (uint32_t i = 0; i < count; i++) {
    if (lengths[i] <= WHOLE)
      continue;
    const ms_name_slot *s = &names->table[home_of(names, keys[i], names->table_size)];
    if (s->id == MS_NO_ID || s->key != keys[i])
      continue;
    found[n_found++] = s->id;
    __builtin_prefetch(&names->start[s->id]);
  }
  for (uint32_t i = 0; i < n_found; i++)
    __builtin_prefetch(names->pool + names->start[found[i]]);
}

ms_status ms_names_add_batch(ms_names *names, uint32_t count, const char *const *texts,
                             const size_t *lengths, uint32_t *ids, ms_error *err)
{
  uint64_t keys[MS_NAME_BATCH];
  for (uint32_t i = 0; i < count; i++)
    keys[i] = key_of(names, texts[i], lengths[i]);
  prefetch_batch(names, count, keys, lengths);
  for (uint32_t i = 0; i < count; i++)
    MS_TRY(add_keyed(names, keys[i], texts[i], lengths[i], &ids[i], err));
  return MS_OK;
}

void ms_names_find_batch(const ms_names *names, uint32_t count, const char *const *texts,
                         const size_t *lengths, uint32_t *ids)
{
  uint64_t keys[MS_NAME_BATCH];
  for (uint32_t i = 0; i < count; i++)
    keys[i] = key_of(names, texts[i], lengths[i]);
  prefetch_batch(names, count, keys, lengths);
  for (uint32_t i = 0; i < count; i++)
    ids[i] = probe(names, keys[i], texts[i], lengths[i])->id;
}

/* ---- tables of files -------------------------------------------------------- */

bool ms_name_is_crowd(const ms_name_slot *slots)
{
  for (uint64_t i = 0; i < MS_NAME_CROWD; i++)
    if (slots[i].id == MS_NO_ID)
      return false;
  return true;
}

/* Adds a slot with the fixed functions; false: the way to an empty slot is too long. */
static bool file_table_add(ms_name_slot *table, uint64_t slots, ms_name_slot added)
{
  uint64_t at = ms_name_home(added.key, slots);
  for (uint64_t probes = 0; probes < 4 * MS_NAME_CROWD; probes++, at++)
    if (table[at & (slots - 1)].id == MS_NO_ID) {
      table[at & (slots - 1)] = added;
      return true;
    }
  return false;
}

/* Doubles the table; false as above.  *table becomes NULL where there is no memory. */
static bool file_table_grow(ms_name_slot **table, uint64_t *slots)
{
  ms_name_slot *larger = new_table(*slots * 2);
  bool ok = true;
  for (uint64_t i = 0; larger && ok && i < *slots; i++)
    ok = (*table)[i].id == MS_NO_ID || file_table_add(larger, *slots * 2, (*table)[i]);
  ms_free(*table);
  *table = larger;
  *slots *= 2;
  return ok;
}

ms_status ms_names_file_table(const ms_names *names, ms_name_slot **table, uint64_t *slots,
                              ms_error *err)
{
  bool ok = true;
  *slots = FIRST_TABLE;
  *table = new_table(FIRST_TABLE);
  for (uint32_t id = 0; *table && ok && id < names->count; id++) {
    if (id >= *slots / 4 * 3)
      ok = file_table_grow(table, slots);
    size_t end = id + 1 < names->count ? names->start[id + 1] : names->pool_used;
    size_t length = end - names->start[id] - 1;
    uint64_t key = ms_name_key(ms_names_get(names, id), length);
    ok = ok && *table &&
         file_table_add(*table, *slots, (ms_name_slot){key, ms_name_slot_length(length), id});
  }
  if (!*table)
    return ms_fail_memory(err, "a name table");
  for (uint64_t at = 0; ok && at + MS_NAME_CROWD <= *slots; at += MS_NAME_CROWD)
    ok = !ms_name_is_crowd(*table + at);
  if (!ok) {
    ms_free(*table);
    *table = NULL;
    *slots = 0;
  }
  return MS_OK;
}

/* ---- checking and printing ---------------------------------------------------- */

/* True if a name has only blanks and visible characters of ASCII, as nearly all names do: this is
 * faster than a look at one character after the other. */
static bool is_plain(const char *text, size_t length)
{
  unsigned others = 0;
  for (size_t i = 0; i < length; i++)
    others |= (unsigned char)(text[i] - ' ') > '~' - ' ';
  return !others;
}

const char *ms_name_problem(const char *text, size_t length)
{
  if (length == 0)
    return "is empty; give it a name";
  if (is_plain(text, length))
    return NULL;
  for (size_t i = 0; i < length;) {
    size_t size = ms_utf8_character(text + i, length - i);
    if (size == 0)
      return "is not valid UTF-8; convert the file with iconv, for example: iconv -f latin1 -t "
             "utf8";
    if (ms_is_control(text + i, size))
      return "holds a control character; remove it, or convert the line ends with dos2unix or "
             "mac2unix";
    i += size;
  }
  return NULL;
}

int ms_name_clip(const char *text, size_t length)
{
  if (length <= CLIP_BYTES)
    return (int)length;
  size_t cut = CLIP_BYTES;
  while (cut > 0 && ((unsigned char)text[cut] & 0xC0) == 0x80)
    cut--;
  return (int)cut;
}

static const char *const missing_signs[] = {
    "-",    ".",    "NA",   "N/A",    "n/a",  "#N/A", "<NA>", "NaN", "nan", "None",
    "null", "NULL", "#N/D", "<null>", "none", "NONE", "Null", "NAN", "#NA", "\\N"};
enum { MISSING_SIGNS = sizeof missing_signs / sizeof *missing_signs };

bool ms_name_is_missing(const char *text, size_t length)
{
  for (size_t i = 0; i < MISSING_SIGNS && length <= 6; i++)
    if (strlen(missing_signs[i]) == length && memcmp(text, missing_signs[i], length) == 0)
      return true;
  return false;
}

const char *ms_missing_name(const ms_names *names)
{
  for (size_t i = 0; i < MISSING_SIGNS; i++)
    if (ms_names_find(names, missing_signs[i], strlen(missing_signs[i])) != MS_NO_ID)
      return missing_signs[i];
  return NULL;
}
